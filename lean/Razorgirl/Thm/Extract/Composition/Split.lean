module

public import Razorgirl.Extract.Composition
public import Razorgirl.Thm.Layout.Composition.Digits

@[expose] public section

/-! # What the programs `allButLast`, `wrapAt` and `splitMode` return -/

namespace Razorgirl.Extract
open FlatLayout

/-! ## All but the last -/

/-- The variables of `allButLast`. -/
abbrev ButLastState := Mode × Bool × List Mode × List Mode × Unit

theorem allButLastStep_run (m p : Mode) (first : Bool) (o L : List Mode) :
    allButLastStep.run (m, p, first, o, L, ()) =
      if first = true then .next (m, m, false, o, L, ()) else .next (m, m, false, o ++ [p], L, ()) := by
  cases first <;> simp [allButLastStep]

theorem allButLast_loop {f : Mode → ButLastState → Out (Mode × ButLastState) (List Mode)}
    (hf : ∀ m p first o L, f m (p, first, o, L, ()) =
      if first = true then .next (m, m, false, o, L, ()) else .next (m, m, false, o ++ [p], L, ()))
    (X : List Mode) (p : Mode) (o L : List Mode) :
    ∃ p', Out.each f X (p, false, o, L, ()) = .next (p', false, o ++ (p :: X).dropLast, L, ()) := by
  induction X generalizing p o with
  | nil => exact ⟨p, by simp [Out.each]⟩
  | cons m X ih =>
    obtain ⟨p', h⟩ := ih m (o ++ [p])
    exact ⟨p', by rw [Out.each, hf]; simp only [Bool.false_eq_true, if_false, Out.andThen]; rw [h]; simp⟩

/-- **The extracted `all_but_last` returns all modes but the last, whatever they are.**
Source: `List.dropLast` -/
theorem allButLast_run (L : List Mode) : allButLast.run (L, ()) = .ok L.dropLast := by
  simp only [allButLast, Fn.run, Stmt.run, Exp.run, Op2.run, Var.get, bindE, Out.ofExp, show check 1 = .ok 1 by rfl,
    show check 0 = .ok 0 by rfl]
  cases L with
  | nil => rfl
  | cons m X =>
    obtain ⟨p', h⟩ := allButLast_loop (f := fun a s => allButLastStep.run (a, s)) allButLastStep_run X m [] (m :: X)
    rw [Out.each, allButLastStep_run]
    simp only [if_true, Out.andThen]
    rw [h]
    simp

/-! ## Where a digit wraps -/

/-- A quotient rounded up, without a sum that may overflow. -/
theorem ceil_eq {s x : Nat} (hx : 0 < x) : (s + x - 1) / x = s / x + if s % x = 0 then 0 else 1 := by
  have h := Nat.div_add_mod s x
  have hr := Nat.mod_lt s hx
  generalize s / x = q at *
  generalize s % x = r at *
  have e : s + x - 1 = x * q + (r + x - 1) := by omega
  rw [e, Nat.mul_add_div hx]
  by_cases h0 : r = 0
  · rw [if_pos h0, h0, Nat.zero_add, Nat.div_eq_of_lt (by omega)]
  · have e2 : r + x - 1 = x * 1 + (r - 1) := by omega
    rw [if_neg h0, e2, Nat.mul_add_div hx, Nat.div_eq_of_lt (by omega)]

theorem minTurns_assoc (a b c : Nat) : minTurns (minTurns a b) c = minTurns a (minTurns b c) := by
  simp only [minTurns]
  by_cases ha : a = 0 <;> by_cases hb : b = 0 <;> by_cases hc : c = 0 <;> simp [ha, hb, hc] <;> omega

/-- The variables of `wrapAt`. -/
abbrev WrapState := Nat × Nat × List Mode × Nat × Unit

/-- What one turn of `wrapAt` does. -/
def WrapStep (f : Mode → WrapState → Out (Mode × WrapState) Nat) : Prop := ∀ (m : Mode) (b r : Nat) (H : List Mode) (d : Nat),
  0 < m.extent → m.extent < 2 ^ 64 → f m (b, r, H, d, ()) =
    if r % m.extent = 0 then .next (m, b, r / m.extent, H, d, ())
    else .next (m, minTurns b ((m.extent + r % m.extent - 1) / (r % m.extent)), r / m.extent, H, d, ())

theorem wrapAtStep_run : WrapStep fun m s => wrapAtStep.run (m, s) := by
  intro m b r H d he he'
  have he0 : m.extent ≠ 0 := by omega
  have hx' := Nat.mod_lt r he
  by_cases hx : r % m.extent = 0
  · simp [wrapAtStep, he0, hx, check]
  · have hc := ceil_eq (s := m.extent) (x := r % m.extent) (by omega)
    have h1 : 1 ≤ m.extent / (r % m.extent) := (Nat.le_div_iff_mul_le (by omega)).2 (by omega)
    rw [if_neg hx, hc]
    simp only [wrapAtStep, Stmt.run, Exp.run, Op1.run, Op2.run, divC, modC, Var.get, Var.put, bindE, Out.ofExp,
      Out.andThen, show check 0 = .ok 0 by rfl, show check 1 = .ok 1 by rfl, he0, if_false]
    generalize r % m.extent = x at *
    by_cases h0 : m.extent % x = 0
    · have ht : m.extent / x ≠ 0 := by omega
      by_cases hb : b = 0
      · simp [hx, h0, hb, minTurns]
      · by_cases hl : m.extent / x < b
        · have e : minTurns b (m.extent / x) = m.extent / x := by simp only [minTurns, hb, ht, if_false]; omega
          simp [hx, h0, hl, e]
        · have e : minTurns b (m.extent / x) = b := by simp only [minTurns, hb, ht, if_false]; omega
          simp [hx, h0, hb, hl, e]
    · have h2 : x ≠ 1 := fun e => h0 (by rw [e, Nat.mod_one])
      have h3 : m.extent / x ≤ m.extent / 2 := Nat.div_le_div_left (by omega) (by omega)
      have h4 : m.extent / x + 1 < 2 ^ 64 := by omega
      by_cases hb : b = 0
      · simp [hx, h0, hb, h4, check, minTurns]
      · by_cases hl : m.extent / x + 1 < b
        · have e : minTurns b (m.extent / x + 1) = m.extent / x + 1 := by
            simp only [minTurns, hb, if_false, Nat.add_one_ne_zero]; omega
          simp [hx, h0, hl, h4, check, e]
        · have e : minTurns b (m.extent / x + 1) = b := by
            simp only [minTurns, hb, if_false, Nat.add_one_ne_zero]; omega
          simp [hx, h0, hb, hl, h4, check, e]

theorem wrapAt_loop {f : Mode → WrapState → Out (Mode × WrapState) Nat} (hf : WrapStep f) (X : List Mode) (b r : Nat)
    (H : List Mode) (d : Nat) (hX : Valid X) (hX' : ∀ m ∈ X, m.extent < 2 ^ 64) :
    ∃ r', Out.each f X (b, r, H, d, ()) = .next (minTurns b (wrapSteps X r), r', H, d, ()) := by
  induction X generalizing b r with
  | nil => exact ⟨r, by simp only [Out.each, wrapSteps, minTurns]; by_cases h : b = 0 <;> simp [h]⟩
  | cons m X ih =>
    rw [Out.each, hf m b r H d hX.1 (hX' m (by simp)), wrapSteps]
    by_cases h : r % m.extent = 0
    · rw [if_pos h, if_pos h]
      exact ih b _ hX.2 fun n hn => hX' n (by simp [hn])
    · rw [if_neg h, if_neg h, ← minTurns_assoc]
      exact ih _ _ hX.2 fun n hn => hX' n (by simp [hn])

/-- **The extracted `wrap_at` returns after how many steps the first digit wraps, of modes with extents from 1 to below 2^64.**
Source: `Razorgirl.Extract.wrapSteps` -/
theorem wrapAt_run {H : List Mode} (d : Nat) (hH : Valid H) (hH' : ∀ m ∈ H, m.extent < 2 ^ 64) :
    wrapAt.run (H, d, ()) = .ok (wrapSteps H d) := by
  obtain ⟨r', h⟩ := wrapAt_loop wrapAtStep_run H 0 d H d hH hH'
  simp only [wrapAt, Fn.run, Stmt.run, Exp.run, Var.get, Out.ofExp, show check 0 = .ok 0 by rfl]
  rw [h]
  simp [minTurns]

/-- `wrapSteps` of all modes but the last is what the definition of digit composition asks. -/
theorem wrapSteps_dropLast : {L : FlatLayout} → Valid L → (d : Nat) →
    wrapSteps L.dropLast d = Razorgirl.wrapAt (shape L) (digits (shape L) d)
  | [], _, _ => rfl
  | [_], _, _ => rfl
  | m :: n :: L, h, d => by
    have ih := wrapSteps_dropLast (L := n :: L) h.2 (d / m.extent)
    have hm : 0 < m.extent := h.1
    simp only [List.dropLast_cons₂, wrapSteps, ih, shape_cons, digits, Razorgirl.wrapAt, minTurns, Division.ceilDiv]
    by_cases hx : d % m.extent = 0
    · rw [if_pos hx, if_pos hx]
    · have hc := ceil_eq (s := m.extent) (x := d % m.extent) (by omega)
      have h1 : 1 ≤ m.extent / (d % m.extent) :=
        (Nat.le_div_iff_mul_le (by omega)).2 (by have := Nat.mod_lt d hm; omega)
      rw [if_neg hx, if_neg hx, if_neg (by omega)]

/-! ## Splitting a mode -/

/-- The variables of `splitMode`. -/
abbrev SplitState := List Mode × Nat × Nat × List Mode × Mode × Unit

/-- What one turn of `splitMode` does, where the mode's reach is below 2^64. -/
def SplitStep (H : List Mode) (f : Nat → SplitState → Out (Nat × SplitState) (List Mode)) : Prop :=
  ∀ (k : Nat) (o : List Mode) (d s : Nat) (m : Mode), (s - 1) * d < 2 ^ 64 → f k (o, d, s, H, m, ()) =
    if s ≤ 1 ∨ d = 0 then .ret (o ++ [⟨s, 0⟩])
    else if wrapSteps H d = 0 ∨ s ≤ wrapSteps H d then .ret (o ++ [⟨s, d⟩])
    else if 1 < wrapSteps H d ∧ s % wrapSteps H d = 0 then
      .next (k, o ++ [⟨wrapSteps H d, d⟩], d * wrapSteps H d, s / wrapSteps H d, H, m, ())
    else .fault (.refuse "not_divisible")

theorem splitModeStep_run {H : List Mode} (hH : Valid H) (hH' : ∀ m ∈ H, m.extent < 2 ^ 64) :
    SplitStep H fun k s => splitModeStep.run (k, s) := by
  intro k o d s m hd
  have hw := wrapAt_run d hH hH'
  by_cases h1 : s ≤ 1
  · simp [splitModeStep, check, h1]
  by_cases h2 : d = 0
  · simp [splitModeStep, check, h1, h2]
  rw [if_neg (by omega)]
  simp only [splitModeStep, Stmt.run, Exp.run, Args.run, Op2.run, divC, modC, Var.get, Var.put, bindE, Out.ofExp,
    Out.andThen, show check 0 = .ok 0 by rfl, show check 1 = .ok 1 by rfl, h1, h2, hw, decide_false,
    Bool.false_eq_true, if_false]
  generalize wrapSteps H d = t at *
  by_cases h3 : t = 0
  · simp [h3]
  by_cases h4 : s ≤ t
  · simp [h3, h4]
  by_cases h5 : t ≤ 1
  · have h5' : ¬ 1 < t := by omega
    simp [h3, h4, h5, h5']
  by_cases h6 : s % t = 0
  · have h7 : d * t < 2 ^ 64 := by
      refine Nat.lt_of_le_of_lt ?_ hd
      rw [Nat.mul_comm]; exact Nat.mul_le_mul_right _ (by omega)
    have h5' : 1 < t := by omega
    simp [h3, h4, h5, h5', h6, check, h7]
  · simp [h3, h4, h5, h6]

theorem splitMode_loop {L : FlatLayout} (hL : Valid L) {f : Nat → SplitState → Out (Nat × SplitState) (List Mode)}
    (hf : SplitStep L.dropLast f) (n k : Nat) (o : List Mode) (d s : Nat) (m : Mode) (hs : 0 < s) (hn : s < 2 ^ n)
    (hd : (s - 1) * d < 2 ^ 64) (hM : L = [] → s ≤ 1 ∨ d = 0) :
    Out.upto f k n (o, d, s, L.dropLast, m, ()) = match Razorgirl.splitMode (shape L) s d with
      | some ps => .ret (o ++ valued (shape L) ps)
      | none => .fault (.refuse "not_divisible") := by
  induction n generalizing k o d s with
  | zero => simp at hn; omega
  | succ n ih =>
    rw [Out.upto, hf k o d s m hd, Razorgirl.splitMode, wrapSteps_dropLast hL]
    by_cases h1 : s ≤ 1 ∨ d = 0
    · rw [if_pos h1, if_pos h1]
      simp [valued, crd2idx_digits_zero]
    · have hc : Razorgirl.crd2idx (shape L) (digits (shape L) d) = d :=
        crd2idx_digits _ _ fun e => absurd (hM (by cases L with | nil => rfl | cons => simp [shape] at e)) h1
      rw [if_neg h1, if_neg h1]
      generalize Razorgirl.wrapAt (shape L) (digits (shape L) d) = t at *
      by_cases h2 : t = 0 ∨ s ≤ t
      · rw [if_pos h2, if_pos h2]; simp [valued, hc]
      · rw [if_neg h2, if_neg h2]
        by_cases h3 : 1 < t ∧ s % t = 0
        · rw [if_pos h3, if_pos h3]
          have h4 : t * (s / t) = s := Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero h3.2)
          have h5 : 0 < s / t := Nat.div_pos (by omega) (by omega)
          have h6 : 2 * (s / t) ≤ t * (s / t) := Nat.mul_le_mul_right _ h3.1
          have h7 : (s / t - 1) * (d * t) ≤ (s - 1) * d := by
            rw [Nat.mul_comm d t, ← Nat.mul_assoc]
            refine Nat.mul_le_mul_right _ ?_
            rw [Nat.sub_mul, Nat.mul_comm, h4]
            omega
          simp only [Out.andThen]
          rw [ih (k + 1) _ (d * t) (s / t) h5 (by rw [Nat.pow_succ] at hn; omega) (by omega) (fun e => absurd (hM e) h1)]
          cases Razorgirl.splitMode (shape L) (s / t) (d * t) <;> simp [valued, hc]
        · rw [if_neg h3, if_neg h3]; rfl

/-- `splitMode_run`, by `valued`. -/
theorem splitMode_valued {L : FlatLayout} (hL : Valid L) (hL' : ∀ m ∈ L, m.extent < 2 ^ 64) {m : Mode} (hm : 0 < m.extent)
    (hm' : m.extent < 2 ^ 64) (hd : (m.extent - 1) * m.stride < 2 ^ 64) (hM : L = [] → m.extent ≤ 1 ∨ m.stride = 0) :
    splitMode.run (L.dropLast, m, ()) =
      answer ((Razorgirl.splitMode (shape L) m.extent m.stride).map (valued (shape L))) "not_divisible" := by
  have hH : Valid L.dropLast := (valid_iff_forall _).2 fun n hn =>
    (valid_iff_forall _).1 hL n (List.dropLast_subset _ hn)
  have h := splitMode_loop hL (splitModeStep_run hH fun n hn => hL' n (List.dropLast_subset _ hn)) 64 0 [] m.stride
    m.extent m hm hm' hd hM
  simp only [splitMode, Fn.run, Stmt.run, Exp.run, Op1.run, Var.get, bindE, Out.ofExp, show check 64 = .ok 64 by rfl]
  rw [h]
  cases Razorgirl.splitMode (shape L) m.extent m.stride <;> simp [answer]

theorem valued_eq_map (M : List Nat) (ps : List DigitMode) :
    valued M ps = ps.map fun p => ⟨p.extent, Razorgirl.crd2idx M p.digits⟩ := by
  induction ps with
  | nil => rfl
  | cons p ps ih => rw [valued, ih, List.map_cons]

/-- **The extracted `split_mode` returns the pieces of a mode that the definition splits it into, each with the number whose
digits its stride is, or refuses where it does; the extents of A from 1 to below 2^64, those of the mode too, and the mode's
largest offset below 2^64, and 0 where A has no modes.**
Source: `Razorgirl.splitMode` -/
theorem splitMode_run {L : FlatLayout} (hL : Valid L) (hL' : ∀ m ∈ L, m.extent < 2 ^ 64) {m : Mode} (hm : 0 < m.extent)
    (hm' : m.extent < 2 ^ 64) (hd : (m.extent - 1) * m.stride < 2 ^ 64) (hM : L = [] → m.extent ≤ 1 ∨ m.stride = 0) :
    splitMode.run (L.dropLast, m, ()) = answer ((Razorgirl.splitMode (shape L) m.extent m.stride).map fun ps =>
      ps.map fun p => ⟨p.extent, Razorgirl.crd2idx (shape L) p.digits⟩) "not_divisible" := by
  rw [splitMode_valued hL hL' hm hm' hd hM]
  simp only [funext (valued_eq_map (shape L))]

end Razorgirl.Extract
