module

public import Razorgirl.Spec.Layout.Composition.Refusal
public import Razorgirl.Thm.Layout.Composition.Distribute
public import Razorgirl.Thm.Layout.Composition.Laws
public import Razorgirl.Thm.Layout.FindOver.Unsigned

@[expose] public section

/-!
# Why two layouts do not compose: what is proved

A refusal is there exactly where composition answers nothing, and what it names is so.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout FlatLayout.Aux Layout.Aux FindOver

/-- A mode without the sign of its stride. -/
def unsign (p : Nat × Int) : Mode := ⟨p.1, p.2.toNat⟩

theorem size_map_unsign (L : Stride.Modes Int) : FlatLayout.size (L.map unsign) = Stride.size L := by
  induction L with
  | nil => rfl
  | cons m L ih => rw [List.map_cons, FlatLayout.size_cons, Stride.size_cons, ih]; rfl

/-- Where no value is below 0, no stride is that is ever used. -/
theorem atIndex_map_unsign {L : Stride.Modes Int} (v : Stride.Valid L)
    (h : ∀ x, x < Stride.size L → 0 ≤ Stride.atIndex L x) (x : Nat) :
    (FlatLayout.atIndex (L.map unsign) x : Int) = Stride.atIndex L x := by
  induction L generalizing x with
  | nil => rw [FindOver.at_nil]; rfl
  | cons m L ih =>
    have hm : 0 < m.1 := v m List.mem_cons_self
    have vL : Stride.Valid L := fun p hp => v p (List.mem_cons_of_mem _ hp)
    have pL := Stride.size_pos vL
    rw [Stride.size_cons] at h
    have tail : ∀ y, y < Stride.size L → 0 ≤ Stride.atIndex L y := fun y hy => by
      have := h (m.1 * y) ((Nat.mul_lt_mul_left hm).2 hy)
      rw [FindOver.at_cons, Nat.mul_mod_right, Nat.mul_div_cancel_left _ hm] at this
      simpa using this
    rw [List.map_cons, FlatLayout.atIndex_cons, FindOver.at_cons, Int.natCast_add, ih vL tail]
    congr 1
    show (((x % m.1) * m.2.toNat : Nat) : Int) = _
    rcases Nat.lt_or_ge 1 m.1 with h1 | h1
    · have h2 : 1 * 1 ≤ m.1 * Stride.size L := Nat.mul_le_mul (Nat.le_of_lt h1) pL
      have h3 : 1 < m.1 * Stride.size L := Nat.lt_of_lt_of_le h1 (Nat.le_mul_of_pos_right _ pL)
      have := h 1 h3
      rw [FindOver.at_cons, Nat.mod_eq_of_lt h1, Nat.div_eq_of_lt h1, FindOver.at_zero] at this
      have h4 : ((m.2.toNat : Nat) : Int) = m.2 := Int.toNat_of_nonneg (by simpa using this)
      rw [Int.natCast_mul, h4]
    · obtain e : m.1 = 1 := by omega
      rw [e, Nat.mod_one]
      simp

theorem after_eq {A B : Layout} (hB : B.Valid) {c : List Nat} (hc : InBounds B.shape.flatten c) :
    after A B c = (FlatLayout.atIndex A.modes (FlatLayout.atIndex B.modes (crd2idx B.shape.flatten c)) : Int) := by
  rw [after]
  rw [flatten_shape hB] at hc ⊢
  rw [atIndex_crd2idx hc]

/-- A composite exists exactly where B stays inside A and A after B is found as a layout, with whatever signs. -/
theorem exists_isComposite_iff_findOver {A B : Layout} (hB : B.Valid) : (∃ R, IsComposite A B R) ↔
    cosizeFormula B.modes ≤ A.size ∧ ∃ kR, findOver B.shape (after A B) = .ok kR := by
  have pos : IntTuple.Positive B.shape := positive_shape hB
  have sz : prod B.shape.flatten = B.size := by rw [← IntTuple.size_eq_prod, size_shape hB]
  constructor
  · rintro ⟨R, hR⟩
    refine ⟨isComposite_domain hB hR, _, findOver_of_isLayout (k := 0) (R := signedTree R) pos ⟨?_, fun c hc => ?_⟩⟩
    · rw [signedTree, map_map]
      exact isComposite_refines hR
    · rw [after_eq hB hc, value_signedTree hR.1, (hR.2.2 _ (by rw [← sz]; exact crd2idx_lt hc)).2]
      omega
  · rintro ⟨hd, ⟨k, R⟩, h⟩
    obtain ⟨hr, hf⟩ := findOver_isLayout pos h
    have hp : 0 < prod B.shape.flatten := by rw [sz]; exact hB.2.size_pos
    have hv : ∀ x, x < B.size → k + value R x = (FlatLayout.atIndex A.modes (FlatLayout.atIndex B.modes x) : Int) := by
      intro x hx
      have hx' : x < prod B.shape.flatten := by rw [sz]; exact hx
      have hc := inBounds_idx2crd_of_lt hx'
      rw [← crd2idx_idx2crd hx', ← hf _ hc, after_eq hB hc]
    have hk : k = 0 := by
      have := hv 0 (by omega)
      rw [value, FindOver.at_zero, FlatLayout.atIndex_zero, FlatLayout.atIndex_zero] at this
      simpa using this
    subst hk
    have hs : Stride.size R.flatten = B.size := by
      have := IntTuple.size_eq_of_refines hr
      rw [IntTuple.size_eq_prod, IntTuple.size_eq_prod, sz, flatten_map] at this
      exact this
    have hV : Stride.Valid R.flatten := FindOver.valid_of_size_pos (by omega)
    have hat : ∀ x, x < B.size → (FlatLayout.atIndex (R.flatten.map unsign) x : Int) = value R x := fun x _ =>
      atIndex_map_unsign hV (fun y hy => by
        have := hv y (by omega)
        rw [value] at this
        omega) x
    refine exists_weakComposite_iff.1 ⟨ofTree (R.map unsign), ?_, ?_, fun x hx => ⟨(atIndex_lt_iff hB.2).2 hd x hx, ?_⟩⟩
    · rw [valid_ofTree_iff, flatten_map]
      exact valid_of_pos (by rw [size_map_unsign]; omega)
    · rw [Layout.shape, tree_ofTree, map_map]
      exact hr
    · have h1 := hat x hx
      have h2 := hv x hx
      show FlatLayout.atIndex (R.map unsign).flatten x = _
      rw [flatten_map]
      omega

theorem size_apart (A : Layout) : (apart A).size = A.size := by
  rw [Layout.size, apart, ofFlat, size_ofShape (length_powers _ _ _), prod_shape_coalesce]

theorem refusalFor_eq_none_iff {A C B : Layout} (hB : B.Valid) (hs : C.size = A.size) :
    refusalFor A C B = none ↔ ∃ R, IsComposite C B R := by
  rw [exists_isComposite_iff_findOver hB, hs, refusalFor]
  split
  · rename_i hd
    cases h : findOver B.shape (after C B) with
    | ok kR => simp [hd]
    | error w => simp
  · rename_i hd
    simp [hd]

/-- **A refusal of strict composition is there exactly where strict composition answers nothing.**
Rust: `razorgirl::Layout::composition`
Source: none known -/
theorem compositionRefusal_eq_none_iff {A B : Layout} (hB : B.Valid) :
    compositionRefusal A B = none ↔ ∃ R, composition A B = some R := by
  rw [compositionRefusal, refusalFor_eq_none_iff hB (size_apart A), ← Option.isSome_iff_exists, composition_isSome_iff_digits]
  constructor
  · rintro ⟨R, hR⟩
    have hd := isComposite_domain hB hR
    rw [size_apart] at hd
    refine ⟨hd, (digitComposition_isSome_iff_generic hB (by rw [prod_shape_coalesce]; exact hd)).2 ⟨R, ?_⟩⟩
    rw [prod_shape_coalesce]
    exact hR
  · rintro ⟨hd, h⟩
    obtain ⟨R, hR⟩ := (digitComposition_isSome_iff_generic hB (by rw [prod_shape_coalesce]; exact hd)).1 h
    rw [prod_shape_coalesce] at hR
    exact ⟨R, hR⟩

/-- **A refusal of complete composition is there exactly where complete composition answers nothing.**
Rust: `razorgirl::Layout::composition_complete`
Source: none known -/
theorem compositionCompleteRefusal_eq_none_iff {A B : Layout} (hB : B.Valid) :
    compositionCompleteRefusal A B = none ↔ ∃ R, compositionComplete A B = some R := by
  rw [compositionCompleteRefusal, refusalFor_eq_none_iff hB rfl]
  exact exists_congr fun R => (compositionComplete_eq_some_iff hB).symm

/-! ## What a refusal names -/

theorem refusalFor_cases {A C B : Layout} {r : CompositionRefusal} (h : refusalFor A C B = some r) :
    (¬ cosizeFormula B.modes ≤ A.size ∧ r = .outside (lastCoord B.modes)) ∨
      ∃ w, cosizeFormula B.modes ≤ A.size ∧ findOver B.shape (after C B) = .error w ∧ r = refusalOf A B w := by
  rw [refusalFor] at h
  split at h
  · rename_i hd
    split at h
    · cases h
    · rename_i w hw
      cases h
      exact .inr ⟨w, hd, hw, rfl⟩
  · rename_i hd
    cases h
    exact .inl ⟨hd, rfl⟩

theorem lastCoord_inBounds {B : FlatLayout} (hB : FlatLayout.Valid B) :
    InBounds (FlatLayout.shape B) (lastCoord B) ∧ FlatLayout.eval B (lastCoord B) + 1 = cosizeFormula B := by
  induction B with
  | nil => exact ⟨trivial, rfl⟩
  | cons m B ih =>
    obtain ⟨h1, h2⟩ := ih hB.2
    have hm := hB.1
    refine ⟨⟨show m.extent - 1 < m.extent by omega, h1⟩, ?_⟩
    show (m.extent - 1) * m.stride + FlatLayout.eval B (lastCoord B) + 1 = _
    rw [cosizeFormula]
    omega

/-- **The coordinate that lies outside is one of B, and its offset is no index of A.** For strict and for complete composition.
Rust: `razorgirl::Witness`
Source: none known -/
theorem refusalFor_eq_outside {A C B : Layout} (hB : B.Valid) {c : List Nat} (h : refusalFor A C B = some (.outside c)) :
    InBounds B.shape.flatten c ∧ A.size ≤ FlatLayout.eval B.modes c := by
  rcases refusalFor_cases h with ⟨hd, e⟩ | ⟨w, _, _, e⟩
  · cases e
    obtain ⟨h1, h2⟩ := lastCoord_inBounds hB.2
    rw [flatten_shape hB]
    exact ⟨h1, by omega⟩
  · rw [refusalOf] at e
    split at e <;> cases e

theorem refusalFor_eq_witness {A C B : Layout} {w : Witness}
    (h : refusalFor A C B = some (.wraps w) ∨ refusalFor A C B = some (.carries w)) :
    cosizeFormula B.modes ≤ A.size ∧ findOver B.shape (after C B) = .error w := by
  have key : ∀ r, refusalFor A C B = some r → (r = .wraps w ∨ r = .carries w) →
      cosizeFormula B.modes ≤ A.size ∧ findOver B.shape (after C B) = .error w := by
    intro r hr e
    rcases refusalFor_cases hr with ⟨_, e'⟩ | ⟨w', hd, hw, e'⟩
    · subst e'
      rcases e with e | e <;> cases e
    · subst e'
      rw [refusalOf] at e
      split at e <;> rcases e with e | e <;> cases e <;> exact ⟨hd, hw⟩
  rcases h with h | h
  · exact key _ h (.inl rfl)
  · exact key _ h (.inr rfl)

/-- **A refusal that names a mode of B and an index is right: it is an index of that mode, and every layout over every refinement of
B's shape, plus any constant, with strides of any sign, differs from A after B at an entry of that mode up to the index; some
layout has the entries before it.** For complete composition A is A; for strict composition it is A with strides far apart.
Rust: `razorgirl::Witness`
Source: none known -/
theorem refusalFor_axis {A C B : Layout} (hB : B.Valid) {i x : Nat}
    (h : refusalFor A C B = some (.wraps (.axis i x)) ∨ refusalFor A C B = some (.carries (.axis i x))) :
    i < B.modes.length ∧ x < B.shape.flatten.getD i 0 ∧
      (∀ k R, IntTuple.refines (R.map Prod.fst) B.shape = true → ∃ y, y ≤ x ∧
        after C B (onAxis B.shape.flatten i y) ≠ k + value R (crd2idx B.shape.flatten (onAxis B.shape.flatten i y))) ∧
      ∃ L, Stride.Valid L ∧ Stride.size L = B.shape.flatten.getD i 0 ∧
        ∀ y, y < x → after C B (onAxis B.shape.flatten i y) = after C B (zeros B.shape.flatten) + Stride.atIndex L y := by
  have := findOver_eq_axis (positive_shape hB) (refusalFor_eq_witness h).2
  have hl : B.shape.flatten.length = B.modes.length := by rw [flatten_shape hB, length_shape]
  rw [← hl]
  exact this

/-- **A refusal that names a coordinate is right: it lies in B's shape, and what A after B adds to its first value there is not the sum
of what it adds along each mode of B. Along each mode by itself it is a layout.** For complete composition A is A; for strict
composition it is A with strides far apart.
Rust: `razorgirl::Witness`
Source: none known -/
theorem refusalFor_coordinate {A C B : Layout} {c : List Nat}
    (h : refusalFor A C B = some (.wraps (.coordinate c)) ∨ refusalFor A C B = some (.carries (.coordinate c))) :
    InBounds B.shape.flatten c ∧
      after C B c - after C B (zeros B.shape.flatten) ≠ sumAlong (after C B) B.shape.flatten c ∧
      ∃ gs, findAxes (after C B) B.shape.flatten = .ok gs := findOver_eq_coordinate (refusalFor_eq_witness h).2

theorem eval_zeros (L : FlatLayout) : FlatLayout.eval L (zeros (FlatLayout.shape L)) = 0 := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    show 0 * m.stride + FlatLayout.eval L (zeros (FlatLayout.shape L)) = 0
    rw [ih, Nat.zero_mul]

theorem sum_addedAt : (L : FlatLayout) → (c : List Nat) → (addedAt L c).sum = FlatLayout.eval L c
  | [], [] => rfl
  | [], _ :: _ => rfl
  | _ :: _, [] => rfl
  | m :: L, x :: c => by
    have := sum_addedAt L c
    rw [addedAt] at this
    rw [addedAt, List.zipWith_cons_cons, List.sum_cons, this]
    rfl

/-- What a function of the offset adds along each mode. -/
theorem sumAlong_eval {g : Nat → Nat} (h0 : g 0 = 0) : (L : FlatLayout) → (f : List Nat → Int) →
    (∀ d, f d = (g (FlatLayout.eval L d) : Int)) → (c : List Nat) → InBounds (FlatLayout.shape L) c →
    sumAlong f (FlatLayout.shape L) c = (((addedAt L c).map g).sum : Nat)
  | [], f, _, [], _ => rfl
  | [], _, _, _ :: _, h => h.elim
  | _ :: _, _, _, [], h => h.elim
  | m :: L, f, hf, x :: c, hc => by
    have ih := sumAlong_eval h0 L (fun d => f (0 :: d)) (fun d => by
      show f (0 :: d) = _
      rw [hf]
      show (g (0 * m.stride + FlatLayout.eval L d) : Int) = _
      rw [Nat.zero_mul, Nat.zero_add]) c hc.2
    have e1 : f (x :: zeros (FlatLayout.shape L)) = (g (x * m.stride) : Int) := by
      rw [hf]
      show (g (x * m.stride + FlatLayout.eval L (zeros (FlatLayout.shape L))) : Int) = _
      rw [eval_zeros, Nat.add_zero]
    have e2 : f (0 :: zeros (FlatLayout.shape L)) = 0 := by
      rw [hf]
      show (g (0 * m.stride + FlatLayout.eval L (zeros (FlatLayout.shape L))) : Int) = _
      rw [eval_zeros, Nat.zero_mul, Nat.add_zero, h0]
      rfl
    show f (x :: zeros (FlatLayout.shape L)) - f (0 :: zeros (FlatLayout.shape L)) +
      sumAlong (fun d => f (0 :: d)) (FlatLayout.shape L) c = _
    have e3 : addedAt (m :: L) (x :: c) = x * m.stride :: addedAt L c := rfl
    rw [ih, e1, e2, e3, List.map_cons, List.sum_cons, Int.natCast_add]
    omega

/-- **At the coordinate that a refusal of strict composition names, the digits of what the modes of B add to the offset add up past an
extent of A's coalesced shape.**
Rust: `razorgirl::Witness`
Source: ours -/
theorem compositionRefusal_digits_carry {A B : Layout} (hB : B.Valid) {c : List Nat}
    (h : compositionRefusal A B = some (.wraps (.coordinate c)) ∨ compositionRefusal A B = some (.carries (.coordinate c))) :
    below (FlatLayout.shape (FlatLayout.coalesce A.modes))
      (digitSum (FlatLayout.shape (FlatLayout.coalesce A.modes)) (addedAt B.modes c)) = false := by
  obtain ⟨hc, hne, _⟩ := refusalFor_coordinate h
  have hd := (refusalFor_eq_witness h).1
  rw [flatten_shape hB] at hc hne
  cases hb : below (FlatLayout.shape (FlatLayout.coalesce A.modes))
      (digitSum (FlatLayout.shape (FlatLayout.coalesce A.modes)) (addedAt B.modes c)) with
  | false => rfl
  | true =>
    exfalso
    apply hne
    have hlt : (addedAt B.modes c).sum < prod (FlatLayout.shape (FlatLayout.coalesce A.modes)) := by
      rw [sum_addedAt, prod_shape_coalesce, ← atIndex_crd2idx hc]
      exact (atIndex_lt_iff hB.2).2 hd _ (crd2idx_lt hc)
    have key := atIndex_sum_of_below (length_powers A.size 1 _) hlt hb
    rw [sum_addedAt] at key
    have h0 : after (apart A) B (zeros (FlatLayout.shape B.modes)) = 0 := by
      rw [after, eval_zeros, FlatLayout.atIndex_zero]
      rfl
    rw [h0, sumAlong_eval (g := FlatLayout.atIndex (apart A).modes) (FlatLayout.atIndex_zero _) B.modes
      (after (apart A) B) (fun d => rfl) c hc, after]
    show (FlatLayout.atIndex (ofShape _ _) (FlatLayout.eval B.modes c) : Int) - 0 = _
    rw [key, Int.sub_zero]
    rfl

/-- **A refusal of complete composition proves that no layout over any refinement of B's shape, plus any constant, with strides of
any sign, is A after B where B stays inside A.**
Rust: `razorgirl::Layout::composition_complete`
Source: none known -/
theorem compositionCompleteRefusal_no_layout {A B : Layout} (hB : B.Valid) {w : Witness}
    (h : compositionCompleteRefusal A B = some (.wraps w) ∨ compositionCompleteRefusal A B = some (.carries w)) :
    ¬ ∃ k R, IsLayout B.shape (after A B) k R := findOver_eq_error (positive_shape hB) (refusalFor_eq_witness h).2

/-- **A refusal of strict composition proves that for some strides of A's coalesced shape no layout over any refinement of B's
shape, plus any constant, is the composite: the powers of the size of A.**
Rust: `razorgirl::Layout::composition`
Source: none known -/
theorem compositionRefusal_no_layout {A B : Layout} (hB : B.Valid) {w : Witness}
    (h : compositionRefusal A B = some (.wraps w) ∨ compositionRefusal A B = some (.carries w)) :
    (apart A).modes.map Mode.extent = FlatLayout.shape (FlatLayout.coalesce A.modes) ∧
      ¬ ∃ k R, IsLayout B.shape (after (apart A) B) k R :=
  ⟨shape_ofShape (length_powers _ _ _), findOver_eq_error (positive_shape hB) (refusalFor_eq_witness h).2⟩

end Layout

end Razorgirl
