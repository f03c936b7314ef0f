module

public import Razorgirl.Extract.Find
public import Razorgirl.Thm.Layout.Find

@[expose] public section

/-! # What the program `findLayout` returns -/

namespace Razorgirl.Extract
open FlatLayout FlatLayout.Aux

/-! ## Where the function leaves its line -/

theorem get_view {L : List Nat} {i : Nat} (h : i < L.length) : getC L i = .ok (L.getD i 0) := by
  induction L generalizing i with
  | nil => simp at h
  | cons a L ih =>
    cases i with
    | zero => rfl
    | succ i => exact ih (by simpa using h)

theorem breakStep_run (k s : Nat) (L : List Nat) (step m : Nat) (h : step * k < L.length) (hL : L.length < 2 ^ 64) :
    breakStep.run (k, s, L, step, m, ()) =
      if view L step k = k * s then .next (k, s, L, step, m, ()) else .ret k := by
  have h1 : check (step * k) = .ok (step * k) := if_pos (by omega)
  simp only [breakStep, Stmt.run, Exp.run, Op2.run, Var.get, bindE, Out.ofExp, h1, get_view h, view]
  by_cases h2 : k * s = L.getD (step * k) 0 <;> simp [h2, eq_comm]

/-- The variables of `breakAt`. -/
abbrev BreakState := Nat × List Nat × Nat × Nat × Unit

theorem break_loop {f : Nat → BreakState → Out (Nat × BreakState) Nat} {L : List Nat} {step m s : Nat}
    (hf : ∀ k, k < m → f k (s, L, step, m, ()) =
      if view L step k = k * s then .next (k, s, L, step, m, ()) else .ret k) (k n : Nat) (hk : k + n = m) :
    Out.upto f k n (s, L, step, m, ()) = if Razorgirl.breakAt (view L step) s k n = m then .next (s, L, step, m, ())
      else .ret (Razorgirl.breakAt (view L step) s k n) := by
  induction n generalizing k with
  | zero => simp [Out.upto, Razorgirl.breakAt, ← hk]
  | succ n ih =>
    rw [Out.upto, hf k (by omega), Razorgirl.breakAt]
    by_cases h : view L step k = k * s
    · simp only [h, if_true]; exact ih (k + 1) (by omega)
    · simp only [h, if_false]; rw [if_neg (by omega)]; rfl

/-- **The extracted `break_at` returns the first k below m at which `f(k)` is not `k * f(1)`, or m, where f has every
`step`-th of a list of `step * m` offsets, with m above 1 and `step * m` below 2^64.**
Source: `Razorgirl.breakAt` -/
theorem breakAt_run (L : List Nat) (step m : Nat) (h : step * m = L.length) (hm : 1 < m) (hs : 0 < step)
    (hL : L.length < 2 ^ 64) :
    breakAt.run (L, step, m, ()) = .ok (Razorgirl.breakAt (view L step) (view L step 1) 0 m) := by
  have hlt : ∀ k, k < m → step * k < L.length := fun k hk => by
    rw [← h]; exact Nat.mul_lt_mul_of_pos_left hk hs
  have h1 : check (step * 1) = .ok (step * 1) := if_pos (by have := hlt 1 hm; omega)
  have h2 := break_loop (f := fun a s => breakStep.run (a, s)) (s := view L step 1)
    (fun k hk => breakStep_run k _ L step m (hlt k hk) hL) 0 m (by omega)
  simp only [breakAt, Fn.run, Stmt.run, Exp.run, Op2.run, Var.get, bindE, Out.ofExp, show check 1 = .ok 1 by rfl, h1,
    get_view (hlt 1 hm)]
  by_cases hb : Razorgirl.breakAt (view L step) (view L step 1) 0 m = m
  · rw [if_pos hb] at h2
    erw [h2]; simp [hb]
  · rw [if_neg hb] at h2
    erw [h2]; simp

/-! ## Whether it is additive -/

theorem splitsStep_run (x : Nat) (L : List Nat) (step t m s : Nat) (hx : x < m) (h : step * m = L.length)
    (hs : 0 < step) (ht : 0 < t) (hm : t ≤ m) (hL : L.length < 2 ^ 64) (hf : ∀ j, j < t → view L step j = j * s) :
    splitsStep.run (x, L, step, t, m, ()) =
      if view L step x = view L step (t * (x / t)) + s * (x % t) then .next (x, L, step, t, m, ()) else .ret false := by
  have hlt : ∀ k, k < m → step * k < L.length := fun k hk => by
    rw [← h]; exact Nat.mul_lt_mul_of_pos_left hk hs
  have hmod := Nat.mod_lt x ht
  have hdiv := Nat.mul_div_le x t
  have h1 := hlt x hx
  have h2 := hlt (t * (x / t)) (by omega)
  have h3 := hlt (x % t) (by omega)
  have hle : t * (x / t) ≤ step * (t * (x / t)) := Nat.le_mul_of_pos_left _ hs
  have c1 : check (step * x) = .ok (step * x) := if_pos (by omega)
  have c2 : check (step * (t * (x / t))) = .ok (step * (t * (x / t))) := if_pos (by omega)
  have c3 : check (step * (x % t)) = .ok (step * (x % t)) := if_pos (by omega)
  have c4 : check (t * (x / t)) = .ok (t * (x / t)) := if_pos (by omega)
  have ht' : t ≠ 0 := by omega
  have hc := hf _ hmod
  rw [Nat.mul_comm] at hc
  rw [← hc]
  simp only [splitsStep, Stmt.run, Exp.run, Op2.run, divC, modC, subC, Var.get, bindE, Out.ofExp, ht', if_false, c1, c2, c3, c4,
    get_view h1, get_view h2, get_view h3, view]
  by_cases hab : L.getD (step * (t * (x / t))) 0 ≤ L.getD (step * x) 0
  · by_cases e : L.getD (step * x) 0 = L.getD (step * (t * (x / t))) 0 + L.getD (step * (x % t)) 0
    · have e' : L.getD (step * x) 0 - L.getD (step * (t * (x / t))) 0 = L.getD (step * (x % t)) 0 := by omega
      rw [if_pos e]
      simp only [hab, e', decide_true, if_true, Out.andThen]
    · have e' : ¬ L.getD (step * x) 0 - L.getD (step * (t * (x / t))) 0 = L.getD (step * (x % t)) 0 := by omega
      rw [if_neg e]
      simp [hab, decide_eq_false e', Out.andThen, -List.getD_eq_getElem?_getD]
  · have e : ¬ L.getD (step * x) 0 = L.getD (step * (t * (x / t))) 0 + L.getD (step * (x % t)) 0 := by omega
    rw [if_neg e]
    simp [hab, Out.andThen, -List.getD_eq_getElem?_getD]

/-- The variables of `splits`. -/
abbrev SplitsState := List Nat × Nat × Nat × Nat × Unit

theorem splits_loop {f : Nat → SplitsState → Out (Nat × SplitsState) Bool} {P : Nat → Prop} {st : SplitsState} {m : Nat} [DecidablePred P]
    (hf : ∀ x, x < m → f x st = if P x then .next (x, st) else .ret false) (k n : Nat) (hk : k + n = m) :
    ((∀ x, k ≤ x → x < m → P x) ∧ Out.upto f k n st = .next st) ∨
      (¬ (∀ x, k ≤ x → x < m → P x) ∧ Out.upto f k n st = .ret false) := by
  induction n generalizing k with
  | zero => exact .inl ⟨fun x h1 h2 => by omega, rfl⟩
  | succ n ih =>
    rw [Out.upto, hf k (by omega)]
    by_cases h : P k
    · rw [if_pos h]
      rcases ih (k + 1) (by omega) with ⟨h1, h2⟩ | ⟨h1, h2⟩
      · refine .inl ⟨fun x hx hx' => ?_, h2⟩
        rcases Nat.eq_or_lt_of_le hx with rfl | hx
        · exact h
        · exact h1 x hx hx'
      · exact .inr ⟨fun hall => h1 fun x hx hx' => hall x (by omega) hx', h2⟩
    · rw [if_neg h]; exact .inr ⟨fun hall => h (hall k (by omega) (by omega)), rfl⟩

/-- **The extracted `splits` decides whether `f(x) = f(t * (x / t)) + f(x % t)` for all x below m, where f has every
`step`-th of a list of `step * m` offsets below 2^64 in number, t is from 1 to m, and `f(j) = j * s` for j below t.**
Source: `Razorgirl.splits` -/
theorem splits_run (L : List Nat) (step t m s : Nat) (h : step * m = L.length)
    (hs : 0 < step) (ht : 0 < t) (hm : t ≤ m) (hL : L.length < 2 ^ 64) (hf : ∀ j, j < t → view L step j = j * s) :
    splits.run (L, step, t, m, ()) = .ok (Razorgirl.splits (view L step) s t m) := by
  have h2 := splits_loop (f := fun a s => splitsStep.run (a, s)) (st := (L, step, t, m, ())) (m := m)
    (fun x hx => splitsStep_run x L step t m s hx h hs ht hm hL hf) 0 m (by omega)
  simp only [splits, Fn.run, Stmt.run, Exp.run, Var.get, Out.ofExp]
  rcases h2 with ⟨h1, h2⟩ | ⟨h1, h2⟩
  · have : Razorgirl.splits (view L step) s t m = true := splits_iff.2 fun x hx => h1 x (by omega) hx
    rw [h2]; simp [this]
  · have : Razorgirl.splits (view L step) s t m = false := by
      rw [← Bool.not_eq_true, splits_iff]; exact fun hall => h1 fun x _ hx => hall x hx
    rw [h2]; simp [this]

/-! ## The layout -/

theorem findStep_run (r : Nat) (out : List Mode) (step m : Nat) (L : List Nat) (h : step * m = L.length)
    (hs : 0 < step) (hm : 0 < m) (hL : L.length < 2 ^ 64) :
    findStep.run (r, out, step, m, L, ()) =
      if m = 1 then if view L step 0 = 0 then .ret out else .fault (.refuse "none")
      else if 1 < Razorgirl.breakAt (view L step) (view L step 1) 0 m ∧
          m % Razorgirl.breakAt (view L step) (view L step 1) 0 m = 0 ∧
          Razorgirl.splits (view L step) (view L step 1) (Razorgirl.breakAt (view L step) (view L step 1) 0 m) m = true then
        .next (r, out ++ [⟨Razorgirl.breakAt (view L step) (view L step 1) 0 m, view L step 1⟩],
          step * Razorgirl.breakAt (view L step) (view L step 1) 0 m,
          m / Razorgirl.breakAt (view L step) (view L step 1) 0 m, L, ())
      else .fault (.refuse "none") := by
  have hlt : ∀ k, k < m → step * k < L.length := fun k hk => by
    rw [← h]; exact Nat.mul_lt_mul_of_pos_left hk hs
  by_cases h1 : m = 1
  · have h0 := hlt 0 hm
    simp only [findStep, Stmt.run, Exp.run, Op2.run, Var.get, bindE, Out.ofExp, h1, show check 0 = .ok 0 by rfl,
      show check 1 = .ok 1 by rfl, Nat.mul_zero, get_view (by simpa using h0 : 0 < L.length), view]
    by_cases h2 : L.getD 0 0 = 0 <;> simp_all
  · obtain ⟨-, hb, hf, -⟩ := breakAt_spec (view L step) (view L step 1) 0 m
    have hb' := breakAt_run L step m h (by omega) hs hL
    have e0 := hlt 1 (by omega)
    have e1 : check step = .ok step := if_pos (by omega)
    have e2 : getC L step = .ok (view L step 1) := by
      have := get_view e0
      simp only [view, Nat.mul_one] at this ⊢; exact this
    simp only [findStep, Stmt.run, Exp.run, Args.run, Op1.run, Op2.run, modC, divC, Var.get, Var.put, bindE, Out.ofExp,
      show check 2 = .ok 2 by rfl, show check 0 = .ok 0 by rfl, show check 1 = .ok 1 by rfl, h1, hb', if_false, decide_false]
    generalize Razorgirl.breakAt (view L step) (view L step 1) 0 m = t at *
    by_cases h2 : 1 < t
    · by_cases h3 : m % t = 0
      · have hp := splits_run L step t m (view L step 1) h hs (by omega) (by omega) hL (fun j hj => hf j (by omega) hj)
        have h4 : step * t ≤ step * m := Nat.mul_le_mul_left _ (by omega)
        have e4 : check (step * t) = .ok (step * t) := if_pos (by omega)
        have h5 : ¬ t < 2 := by omega
        have h6 : t ≠ 0 := by omega
        cases hq : Razorgirl.splits (view L step) (view L step 1) t m <;>
          simp [h2, h3, h5, h6, hp, hq, e4, e1, e2]
      · have h5 : ¬ t < 2 := by omega
        have h6 : t ≠ 0 := by omega
        simp [h3, h5, h6]
    · have h5 : t < 2 := by omega
      simp [h2, h5]

theorem find_loop {f : Nat → List Mode × Nat × Nat × List Nat × Unit → Out (Nat × List Mode × Nat × Nat × List Nat × Unit) (List Mode)}
    {L : List Nat} (hf : ∀ r out step m, step * m = L.length → 0 < step → 0 < m → f r (out, step, m, L, ()) =
      if m = 1 then if view L step 0 = 0 then .ret out else .fault (.refuse "none")
      else if 1 < Razorgirl.breakAt (view L step) (view L step 1) 0 m ∧
          m % Razorgirl.breakAt (view L step) (view L step 1) 0 m = 0 ∧
          Razorgirl.splits (view L step) (view L step 1) (Razorgirl.breakAt (view L step) (view L step 1) 0 m) m = true then
        .next (r, out ++ [⟨Razorgirl.breakAt (view L step) (view L step 1) 0 m, view L step 1⟩],
          step * Razorgirl.breakAt (view L step) (view L step 1) 0 m,
          m / Razorgirl.breakAt (view L step) (view L step 1) 0 m, L, ())
      else .fault (.refuse "none"))
    (n k : Nat) (out : List Mode) (step m : Nat) (h : step * m = L.length) (hs : 0 < step) (hm : 0 < m) (hn : m < 2 ^ n) :
    Out.upto f k n (out, step, m, L, ()) = match Razorgirl.findLayout (view L step) m with
      | some X => .ret (out ++ X) | none => .fault (.refuse "none") := by
  induction n generalizing k out step m with
  | zero => simp at hn; omega
  | succ n ih =>
    rw [Out.upto, hf k out step m h hs hm]
    by_cases h1 : m = 1
    · subst h1
      rw [findLayout_one]
      by_cases h2 : view L step 0 = 0 <;> simp [h2, Out.andThen]
    · rw [if_neg h1, findLayout_of_two_le (by omega) rfl]
      obtain ⟨-, hb, -, -⟩ := breakAt_spec (view L step) (view L step 1) 0 m
      generalize Razorgirl.breakAt (view L step) (view L step 1) 0 m = t at *
      by_cases h2 : 1 < t ∧ m % t = 0 ∧ Razorgirl.splits (view L step) (view L step 1) t m = true
      · rw [if_pos h2, if_pos h2]
        have h3 : t * (m / t) = m := Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero h2.2.1)
        have h4 : 0 < m / t := Nat.div_pos (by omega) (by omega)
        have h5 : 2 * (m / t) ≤ t * (m / t) := Nat.mul_le_mul_right _ h2.1
        have h6 : (fun x => view L step (t * x)) = view L (step * t) := by
          funext x; simp only [view, Nat.mul_assoc]
        simp only [Out.andThen, h6]
        rw [ih (k + 1) _ (step * t) (m / t) (by rw [Nat.mul_assoc, h3, h]) (Nat.mul_pos hs (by omega)) h4
          (by rw [Nat.pow_succ] at hn; omega)]
        cases Razorgirl.findLayout (view L (step * t)) (m / t) <;> simp
      · rw [if_neg h2, if_neg h2]; rfl

/-- **The extracted `find_layout` returns the modes of the layout that has the given offsets, and refuses exactly where there
is none; any list of fewer than 2^64 numbers is answered.**
Source: `Razorgirl.findLayout` -/
theorem findLayout_run (L : List Nat) (hL : L.length < 2 ^ 64) : findLayout.run (L, ()) =
    match Razorgirl.findLayout (fun i => L.getD i 0) L.length with
    | some X => .ok X | none => .error (.refuse "none") := by
  have hv : (fun i => L.getD i 0) = view L 1 := by funext i; simp only [view, Nat.one_mul]
  have hc : check L.length = .ok L.length := if_pos hL
  simp only [findLayout, Fn.run, Stmt.run, Exp.run, Op1.run, Op2.run, Var.get, bindE, Out.ofExp, hv, hc,
    show check 0 = .ok 0 by rfl, show check 1 = .ok 1 by rfl, show check 64 = .ok 64 by rfl]
  by_cases h0 : L.length = 0
  · simp [h0, findLayout_zero]
  · have h := find_loop (f := fun a s => findStep.run (a, s)) (fun r out step m h1 h2 h3 => findStep_run r out step m L h1 h2 h3 hL)
      64 0 [] 1 L.length (by omega) (by omega) (by omega) hL
    simp only [h0, decide_false, Bool.false_eq_true, if_false, Out.andThen]
    rw [h]
    cases Razorgirl.findLayout (view L 1) L.length <;> simp

end Razorgirl.Extract
