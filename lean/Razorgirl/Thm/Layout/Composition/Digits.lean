module

public import Razorgirl.Spec.Layout.Composition
public import Razorgirl.Thm.Layout.Basic

@[expose] public section

/-!
# Digits: lemmas

A digit vector has a value (`crd2idx`), and without carry it is the digits of its value. The pieces of a mode
add up to the mode, so the pieces of all modes, evaluated digit by digit, give the digits of B's offset wherever
no digit carries. That is the whole idea of digit composition.
-/

namespace Razorgirl

open FlatLayout

/-! ## The digits of a number -/

theorem length_digits : (M : List Nat) → (x : Nat) → (digits M x).length = M.length
  | [], _ => rfl
  | [_], _ => rfl
  | s :: s' :: ss, x => by simp [digits, length_digits (s' :: ss)]

theorem digits_zero : (M : List Nat) → digits M 0 = List.replicate M.length 0
  | [] => rfl
  | [_] => rfl
  | s :: s' :: ss => by simp [digits, digits_zero (s' :: ss), List.replicate_succ]

theorem crd2idx_digits : (M : List Nat) → (x : Nat) → (M = [] → x = 0) → crd2idx M (digits M x) = x
  | [], x, h => by rw [h rfl]; rfl
  | [_], x, _ => by simp [digits, crd2idx]
  | s :: s' :: ss, x, _ => by
    rw [digits, crd2idx, crd2idx_digits (s' :: ss) _ (by simp), Nat.mod_add_div]
    simp

theorem crd2idx_digits_zero (M : List Nat) : crd2idx M (digits M 0) = 0 := crd2idx_digits M 0 fun _ => rfl

theorem digits_crd2idx : (M v : List Nat) → v.length = M.length → below M v = true →
    digits M (crd2idx M v) = v
  | [], [], _, _ => rfl
  | [], _ :: _, h, _ => by simp at h
  | _ :: _, [], h, _ => by simp at h
  | [_], [x], _, _ => by simp [digits, crd2idx]
  | [_], _ :: _ :: _, h, _ => by simp at h
  | s :: s' :: ss, x :: xs, h, hb => by
    simp only [below, Bool.and_eq_true, decide_eq_true_eq] at hb
    rw [crd2idx, digits, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hb.1,
      Nat.add_mul_div_left _ _ (by omega), Nat.div_eq_of_lt hb.1, Nat.zero_add,
      digits_crd2idx (s' :: ss) xs (by simpa using h) hb.2]
    simp

theorem below_digits : (M : List Nat) → (∀ m ∈ M, 0 < m) → (x : Nat) → below M (digits M x) = true
  | [], _, _ => rfl
  | [_], _, _ => rfl
  | s :: s' :: ss, h, x => by
    simp only [digits, below, Bool.and_eq_true, decide_eq_true_eq]
    exact ⟨Nat.mod_lt _ (h s (by simp)), below_digits (s' :: ss) (fun m hm => h m (by simp [hm])) _⟩

theorem digits_eq_idx2crd : (M : List Nat) → (x : Nat) → x < prod M → digits M x = idx2crd M x
  | [], _, _ => rfl
  | [s], x, h => by
    simp only [prod, Nat.mul_one] at h
    simp [digits, idx2crd, Nat.mod_eq_of_lt h]
  | s :: s' :: ss, x, h => by
    rw [digits, idx2crd, digits_eq_idx2crd (s' :: ss) _ (Nat.div_lt_of_lt_mul h)]
    simp

/-- A digit is at most the value. -/
theorem le_crd2idx : {M v : List Nat} → (∀ m ∈ M, 0 < m) → v.length = M.length → ∀ x ∈ v, x ≤ crd2idx M v
  | [], [], _, _, x, hx => by simp at hx
  | [], _ :: _, _, h, _, _ => by simp at h
  | _ :: _, [], _, h, _, _ => by simp at h
  | s :: ss, y :: ys, h, hl, x, hx => by
    rw [crd2idx]
    rcases List.mem_cons.1 hx with rfl | hx
    · omega
    · have h1 := le_crd2idx (M := ss) (v := ys) (fun m hm => h m (by simp [hm])) (by simpa using hl) x hx
      have h2 := Nat.le_mul_of_pos_left (crd2idx ss ys) (h s (by simp))
      omega

/-! ## Dot products -/

theorem dot_nil_right (v : List Nat) : dot v [] = 0 := by cases v <;> rfl

theorem dot_replicate_zero (n : Nat) (D : List Nat) : dot (List.replicate n 0) D = 0 := by
  induction n generalizing D with
  | zero => rfl
  | succ n ih => cases D <;> simp [List.replicate_succ, dot, ih]

theorem dot_digits_zero (M D : List Nat) : dot (digits M 0) D = 0 := by
  rw [digits_zero, dot_replicate_zero]

theorem eval_eq_dot (L : FlatLayout) (c : List Nat) : eval L c = dot c (strides L) := by
  induction L generalizing c with
  | nil => rw [eval_nil]; exact (dot_nil_right c).symm
  | cons m L ih =>
    cases c with
    | nil => rfl
    | cons x c => rw [eval_cons, strides_cons, dot, ih]

theorem atIndex_eq_dot {L : FlatLayout} {x : Nat} (h : x < size L) :
    atIndex L x = dot (digits (shape L) x) (strides L) := by
  rw [atIndex, eval_eq_dot, digits_eq_idx2crd _ _ h]

/-! ## Sums and multiples of digit vectors -/

theorem length_addTimes (k : Nat) : {xs ys : List Nat} → xs.length = ys.length →
    (addTimes k xs ys).length = ys.length
  | [], [], _ => rfl
  | [], _ :: _, h => by simp at h
  | _ :: _, [], h => by simp at h
  | x :: xs, y :: ys, h => by simp [addTimes, length_addTimes k (xs := xs) (ys := ys) (by simpa using h)]

theorem crd2idx_addTimes (k : Nat) : {M xs ys : List Nat} → xs.length = M.length → ys.length = M.length →
    crd2idx M (addTimes k xs ys) = k * crd2idx M xs + crd2idx M ys
  | [], _, _, _, _ => by simp [crd2idx]
  | _ :: _, [], _, h, _ => by simp at h
  | _ :: _, _ :: _, [], _, h => by simp at h
  | s :: ss, x :: xs, y :: ys, h, h' => by
    rw [addTimes, crd2idx, crd2idx, crd2idx,
      crd2idx_addTimes k (M := ss) (xs := xs) (ys := ys) (by simpa using h) (by simpa using h')]
    grind

theorem dot_addTimes (k : Nat) : {xs ys : List Nat} → (D : List Nat) → xs.length = ys.length →
    dot (addTimes k xs ys) D = k * dot xs D + dot ys D
  | [], [], _, _ => by simp [addTimes, dot]
  | [], _ :: _, _, h => by simp at h
  | _ :: _, [], _, h => by simp at h
  | x :: xs, y :: ys, [], _ => by simp [dot_nil_right]
  | x :: xs, y :: ys, d :: D, h => by
    rw [addTimes, dot, dot, dot, dot_addTimes k D (by simpa using h)]
    grind

/-- Place by place at most. -/
def PlaceLe : List Nat → List Nat → Prop
  | [], [] => True
  | x :: xs, y :: ys => x ≤ y ∧ PlaceLe xs ys
  | _, _ => False

theorem PlaceLe.refl : (v : List Nat) → PlaceLe v v
  | [] => trivial
  | x :: v => ⟨Nat.le_refl x, PlaceLe.refl v⟩

theorem below_of_placeLe : {M v w : List Nat} → PlaceLe v w → below M w = true → below M v = true
  | [], _, _, _, _ => rfl
  | [_], _, _, _, _ => rfl
  | _ :: _ :: _, [], _, _, _ => rfl
  | _ :: _ :: _, _ :: _, [], h, _ => h.elim
  | s :: s' :: ss, x :: xs, y :: ys, h, hb => by
    simp only [below, Bool.and_eq_true, decide_eq_true_eq] at hb ⊢
    exact ⟨Nat.lt_of_le_of_lt h.1 hb.1, below_of_placeLe h.2 hb.2⟩

theorem placeLe_addTimes {k k' : Nat} (hk : k ≤ k') : {xs ys ys' : List Nat} → PlaceLe ys ys' →
    PlaceLe (addTimes k xs ys) (addTimes k' xs ys')
  | [], _, _, _ => trivial
  | _ :: _, [], [], _ => trivial
  | _ :: _, [], _ :: _, h => h.elim
  | _ :: _, _ :: _, [], h => h.elim
  | x :: _, _ :: _, _ :: _, h =>
    ⟨Nat.add_le_add (Nat.mul_le_mul_right x hk) h.1, placeLe_addTimes hk h.2⟩

/-! ## Pieces -/

/-- Every piece has a digit for each place and at least one coordinate. -/
def WellFormed (M : List Nat) : List DigitMode → Prop
  | [] => True
  | p :: ps => (0 < p.extent ∧ p.digits.length = M.length) ∧ WellFormed M ps

theorem WellFormed.append {M : List Nat} {ps qs : List DigitMode} (h : WellFormed M ps)
    (h' : WellFormed M qs) : WellFormed M (ps ++ qs) := by
  induction ps with
  | nil => exact h'
  | cons p ps ih => exact ⟨h.1, ih h.2⟩

/-- The pieces with the values of their digit vectors as strides. -/
def valued (M : List Nat) : List DigitMode → FlatLayout
  | [] => []
  | p :: ps => ⟨p.extent, crd2idx M p.digits⟩ :: valued M ps

theorem valued_append (M : List Nat) (ps qs : List DigitMode) :
    valued M (ps ++ qs) = valued M ps ++ valued M qs := by
  induction ps with
  | nil => rfl
  | cons p ps ih => simp [valued, ih]

theorem ofDigits_append (D : List Nat) (ps qs : List DigitMode) :
    Layout.ofDigits D (ps ++ qs) = Layout.ofDigits D ps ++ Layout.ofDigits D qs := by
  induction ps with
  | nil => rfl
  | cons p ps ih => simp [Layout.ofDigits, ih]

theorem ofDigits_pieces (D : List Nat) (ps : List (List DigitMode)) :
    Layout.ofDigits D (pieces ps) = (ps.map (Layout.ofDigits D)).flatten := by
  induction ps with
  | nil => rfl
  | cons p ps ih => simp [pieces, ofDigits_append, ih]

theorem size_ofDigits (M D : List Nat) (ps : List DigitMode) :
    size (Layout.ofDigits D ps) = size (valued M ps) := by
  induction ps with
  | nil => rfl
  | cons p ps ih => simp [Layout.ofDigits, valued, size_cons, ih]

theorem valid_ofDigits {M : List Nat} (D : List Nat) {ps : List DigitMode} (h : WellFormed M ps) :
    Valid (Layout.ofDigits D ps) := by
  induction ps with
  | nil => trivial
  | cons p ps ih => exact ⟨h.1.1, ih h.2⟩

/-- The digit vector of the pieces at linear index `x`. -/
def digitsAt (M : List Nat) : List DigitMode → (x : Nat) → List Nat
  | [], _ => digits M 0
  | p :: ps, x => addTimes (x % p.extent) p.digits (digitsAt M ps (x / p.extent))

theorem length_digitsAt {M : List Nat} {ps : List DigitMode} (h : WellFormed M ps) (x : Nat) :
    (digitsAt M ps x).length = M.length := by
  induction ps generalizing x with
  | nil => exact length_digits M 0
  | cons p ps ih =>
    rw [digitsAt, length_addTimes _ (by rw [h.1.2, ih h.2]), ih h.2]

theorem length_load {M : List Nat} {ps : List DigitMode} (h : WellFormed M ps) :
    (load M ps).length = M.length := by
  induction ps with
  | nil => exact length_digits M 0
  | cons p ps ih => rw [load, length_addTimes _ (by rw [h.1.2, ih h.2]), ih h.2]

theorem crd2idx_digitsAt {M : List Nat} {ps : List DigitMode} (h : WellFormed M ps) (x : Nat) :
    crd2idx M (digitsAt M ps x) = atIndex (valued M ps) x := by
  induction ps generalizing x with
  | nil => exact crd2idx_digits_zero M
  | cons p ps ih =>
    rw [digitsAt, crd2idx_addTimes _ h.1.2 (length_digitsAt h.2 _), ih h.2, valued, atIndex_cons]

theorem dot_digitsAt {M : List Nat} (D : List Nat) {ps : List DigitMode} (h : WellFormed M ps) (x : Nat) :
    dot (digitsAt M ps x) D = atIndex (Layout.ofDigits D ps) x := by
  induction ps generalizing x with
  | nil => exact dot_digits_zero M D
  | cons p ps ih =>
    rw [digitsAt, dot_addTimes _ D (by rw [h.1.2, length_digitsAt h.2]), ih h.2, Layout.ofDigits, atIndex_cons]

theorem crd2idx_load {M : List Nat} {ps : List DigitMode} (h : WellFormed M ps) :
    crd2idx M (load M ps) + 1 = cosizeFormula (valued M ps) := by
  induction ps with
  | nil => rw [load, crd2idx_digits_zero]; rfl
  | cons p ps ih =>
    rw [load, crd2idx_addTimes _ h.1.2 (length_load h.2), valued, cosizeFormula, ← ih h.2, Nat.add_assoc]

theorem dot_load {M : List Nat} (D : List Nat) {ps : List DigitMode} (h : WellFormed M ps) :
    dot (load M ps) D + 1 = cosizeFormula (Layout.ofDigits D ps) := by
  induction ps with
  | nil => rw [load, dot_digits_zero]; rfl
  | cons p ps ih =>
    rw [load, dot_addTimes _ D (by rw [h.1.2, length_load h.2]), Layout.ofDigits, cosizeFormula, ← ih h.2,
      Nat.add_assoc]

theorem digitsAt_le_load {M : List Nat} {ps : List DigitMode} (h : WellFormed M ps) (x : Nat) :
    PlaceLe (digitsAt M ps x) (load M ps) := by
  induction ps generalizing x with
  | nil => exact PlaceLe.refl _
  | cons p ps ih =>
    exact placeLe_addTimes (Nat.le_sub_one_of_lt (Nat.mod_lt x h.1.1)) (ih h.2 _)

/-- Without carry, the digits of the pieces' value at an index are the pieces' digits there. -/
theorem digits_valued {M : List Nat} {ps : List DigitMode} (h : WellFormed M ps)
    (hb : below M (load M ps) = true) (x : Nat) :
    digits M (atIndex (valued M ps) x) = digitsAt M ps x := by
  rw [← crd2idx_digitsAt h, digits_crd2idx M _ (length_digitsAt h x)
    (below_of_placeLe (digitsAt_le_load h x) hb)]

/-! ## Splitting a mode -/

theorem splitMode_spec {M : List Nat} {s d : Nat} (hs : 0 < s) (hM : M = [] → s ≤ 1 ∨ d = 0)
    {ps : List DigitMode} (h : splitMode M s d = some ps) :
    WellFormed M ps ∧ size (valued M ps) = s ∧ (∀ x, atIndex (valued M ps) x = x % s * d) ∧
      cosizeFormula (valued M ps) = (s - 1) * d + 1 := by
  fun_induction splitMode M s d generalizing ps with
  | case1 s d h1 =>
    cases h
    have h2 := crd2idx_digits_zero M
    refine ⟨⟨⟨hs, length_digits M 0⟩, trivial⟩, by simp [valued, size_cons, size_nil], fun x => ?_, ?_⟩
    · rw [valued, valued, h2, atIndex_singleton]
      rcases h1 with h1 | h1
      · obtain rfl : s = 1 := by omega
        simp [Nat.mod_one]
      · simp [h1]
    · simp only [valued, h2, cosizeFormula]
      rcases h1 with h1 | h1
      · obtain rfl : s = 1 := by omega
        simp
      · simp [h1]
  | case2 s d h1 h2 =>
    cases h
    have h3 := crd2idx_digits M d (fun e => by have := hM e; omega)
    refine ⟨⟨⟨hs, length_digits M d⟩, trivial⟩, by simp [valued, size_cons, size_nil], fun x => ?_, ?_⟩
    · rw [valued, valued, h3, atIndex_singleton]
    · simp only [valued, h3, cosizeFormula]
  | case3 s d h1 h2 h4 ih =>
    have h3 := crd2idx_digits M d (fun e => by have := hM e; omega)
    obtain ⟨q, hq, rfl⟩ := Option.map_eq_some_iff.1 h
    generalize wrapAt M (digits M d) = t at *
    obtain ⟨u, rfl⟩ : ∃ u, s = t * u :=
      ⟨s / t, by rw [Nat.mul_comm, Nat.div_mul_cancel (Nat.dvd_of_mod_eq_zero h4.2)]⟩
    have hu : 0 < u := Nat.pos_of_mul_pos_left hs
    rw [Nat.mul_div_cancel_left _ (by omega)] at ih hq
    have ⟨i1, i2, i3, i4⟩ := ih hu (fun e => by have := hM e; omega) hq
    refine ⟨⟨⟨by simp; omega, length_digits M d⟩, i1⟩, by rw [valued, size_cons, i2], fun x => ?_, ?_⟩
    · rw [valued, atIndex_cons, i3, h3, Nat.mod_mul]
      simp only
      grind
    · rw [valued, cosizeFormula, i4, h3]
      simp only
      obtain ⟨a, rfl⟩ : ∃ a, t = a + 1 := ⟨t - 1, by omega⟩
      obtain ⟨b, rfl⟩ : ∃ b, u = b + 1 := ⟨u - 1, by omega⟩
      have : (a + 1) * (b + 1) - 1 = a + b * (a + 1) := by
        have : (a + 1) * (b + 1) = a + b * (a + 1) + 1 := by grind
        omega
      rw [this, Nat.add_sub_cancel, Nat.add_sub_cancel]
      grind
  | case4 => cases h

/-- One group of pieces for each mode, of the size of the mode. -/
def Layout.SizesMatch : FlatLayout → List FlatLayout → Prop
  | [], [] => True
  | m :: B, g :: gs => (FlatLayout.Valid g ∧ FlatLayout.size g = m.extent) ∧ SizesMatch B gs
  | _, _ => False

theorem splitModes_spec {M : List Nat} {B : FlatLayout} (hB : Valid B) (hM : cosizeFormula B ≤ prod M)
    {ps : List (List DigitMode)} (h : splitModes M B = some ps) :
    WellFormed M (pieces ps) ∧ (∀ x, atIndex (valued M (pieces ps)) x = atIndex B x) ∧
      cosizeFormula (valued M (pieces ps)) = cosizeFormula B ∧
      ∀ D, Layout.SizesMatch B (ps.map (Layout.ofDigits D)) := by
  induction B generalizing ps with
  | nil => cases h; exact ⟨trivial, fun _ => rfl, rfl, fun _ => trivial⟩
  | cons m B ih =>
    rw [splitModes] at h
    split at h
    · rename_i p q hp hq
      cases h
      rw [cosizeFormula] at hM
      have hpos := cosizeFormula_pos B
      have ⟨a1, a2, a3, a4⟩ := splitMode_spec hB.1 (fun e => by
        subst e
        simp only [prod] at hM
        have : (m.extent - 1) * m.stride = 0 := by omega
        rcases Nat.mul_eq_zero.1 this with h | h <;> omega) hp
      have ⟨b1, b2, b3, b4⟩ := ih hB.2 (by omega) hq
      refine ⟨a1.append b1, fun x => ?_, ?_, fun D => ⟨⟨valid_ofDigits D a1, ?_⟩, b4 D⟩⟩
      · rw [pieces, valued_append, atIndex_append, a2, a3, b2, Nat.mod_mod, atIndex_cons]
      · have := cosizeFormula_append (valued M p) (valued M (pieces q))
        rw [pieces, valued_append, cosizeFormula]
        omega
      · rw [size_ofDigits M, a2]
    · cases h

/-- Digit composition is right for any strides: the pieces' layout takes the value of A at B's offset. -/
theorem digitComposition_spec {M : List Nat} {B : FlatLayout} (hB : Valid B) (hM : cosizeFormula B ≤ prod M)
    {ps : List (List DigitMode)} (h : digitComposition M B = some ps) (D : List Nat) :
    Layout.SizesMatch B (ps.map (Layout.ofDigits D)) ∧
      ∀ x, atIndex (ps.map (Layout.ofDigits D)).flatten x = dot (digits M (atIndex B x)) D := by
  rw [digitComposition] at h
  split at h
  · rename_i q hq
    split at h
    · rename_i hb
      cases h
      have ⟨h1, h2, _, h4⟩ := splitModes_spec hB hM hq
      exact ⟨h4 D, fun x => by rw [← ofDigits_pieces, ← h2 x, digits_valued h1 hb, dot_digitsAt D h1]⟩
    · cases h
  · cases h

end Razorgirl
