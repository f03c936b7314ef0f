module

public import Razorgirl.Spec.Layout.Composition.Distribute
public import Razorgirl.Thm.Layout.Basic.Nested
public import Razorgirl.Thm.Layout.Composition.Exact

@[expose] public section

/-!
# Distributivity and carries

CuTe composes B mode by mode. That is right exactly when A distributes over the modes of B: when A of a sum of
their offsets is the sum of A of each. Digits decide it: A distributes whatever its strides exactly when adding
the digits of the modes' offsets carries nowhere.
-/

namespace Razorgirl

open FlatLayout FlatLayout.Aux

theorem length_digitSum (M ys : List Nat) : (digitSum M ys).length = M.length := by
  induction ys with
  | nil => exact length_digits M 0
  | cons y ys ih => rw [digitSum, length_addTimes _ (by rw [length_digits, ih]), ih]

theorem crd2idx_digitSum (M ys : List Nat) (h : M = [] → ys.sum = 0) :
    crd2idx M (digitSum M ys) = ys.sum := by
  induction ys with
  | nil => exact crd2idx_digits_zero M
  | cons y ys ih =>
    rw [List.sum_cons] at h ⊢
    rw [digitSum, crd2idx_addTimes _ (length_digits M y) (length_digitSum M ys),
      ih (fun e => by have := h e; omega), crd2idx_digits M y (fun e => by have := h e; omega), Nat.one_mul]

theorem dot_digitSum (M D ys : List Nat) :
    dot (digitSum M ys) D = (ys.map fun y => dot (digits M y) D).sum := by
  induction ys with
  | nil => exact dot_digits_zero M D
  | cons y ys ih =>
    rw [digitSum, dot_addTimes _ D (by rw [length_digits, length_digitSum]), ih, List.map_cons, List.sum_cons,
      Nat.one_mul]

theorem le_sum {y : Nat} {ys : List Nat} (h : y ∈ ys) : y ≤ ys.sum := by
  induction ys with
  | nil => simp at h
  | cons z ys ih =>
    rw [List.sum_cons]
    rcases List.mem_cons.1 h with rfl | h
    · omega
    · have := ih h
      omega

theorem sum_atIndex_ofShape {M D : List Nat} (hD : D.length = M.length) {ys : List Nat}
    (h : ys.sum < prod M) : (ys.map (atIndex (ofShape M D))).sum = dot (digitSum M ys) D := by
  rw [dot_digitSum]
  congr 1
  apply List.map_congr_left
  intro y hy
  exact atIndex_ofShape hD (Nat.lt_of_le_of_lt (le_sum hy) h)

theorem atIndex_sum_of_below {M D : List Nat} (hD : D.length = M.length) {ys : List Nat}
    (h : ys.sum < prod M) (hb : below M (digitSum M ys) = true) :
    atIndex (ofShape M D) ys.sum = (ys.map (atIndex (ofShape M D))).sum := by
  have e := digits_crd2idx M _ (length_digitSum M ys) hb
  rw [crd2idx_digitSum M ys (eq_nil_imp h)] at e
  rw [sum_atIndex_ofShape hD h, atIndex_ofShape hD h, e]

theorem sum_offsetsAt {Bs : List FlatLayout} {xs : List Nat} (h : InBounds (Bs.map size) xs) :
    (offsetsAt Bs xs).sum = atIndex Bs.flatten (crd2idx (Bs.map size) xs) := by
  induction Bs generalizing xs with
  | nil => rfl
  | cons B Bs ih =>
    cases xs with
    | nil => exact h.elim
    | cons x xs =>
      have := ih h.2
      rw [offsetsAt] at this
      rw [offsetsAt, List.zipWith_cons_cons, List.sum_cons, this, List.flatten_cons, List.map_cons, crd2idx,
        atIndex_append_add h.1]

theorem size_flatten (Bs : List FlatLayout) : size Bs.flatten = prod (Bs.map size) := by
  induction Bs with
  | nil => rfl
  | cons B Bs ih => rw [List.flatten_cons, size_append, ih, List.map_cons, prod]

theorem sum_offsetsAt_lt {Bs : List FlatLayout} {xs : List Nat} (h : InBounds (Bs.map size) xs) {n : Nat}
    (hdom : cosizeFormula Bs.flatten ≤ n) : (offsetsAt Bs xs).sum < n := by
  have hlt := crd2idx_lt h
  rw [← size_flatten] at hlt
  rw [sum_offsetsAt h]
  exact (Layout.atIndex_lt_iff (valid_of_lt_size hlt)).2 hdom _ hlt

/-- **If the digits of the modes' offsets never carry in A's shape, A distributes over the modes of B.**
Rust: `razorgirl::Layout::composition`
Source: Shah 2.18 (repaired: `Layout.three_modes_carry`); Cecka 3.3.2 (repaired: `Layout.two_modes_carry`); the
criterion is ours -/
theorem distributes_of_noCarry {A : FlatLayout} {Bs : List FlatLayout}
    (hdom : cosizeFormula Bs.flatten ≤ size A) (h : NoCarry (shape A) Bs) : Distributes A Bs := by
  intro xs hx
  have := atIndex_sum_of_below (M := shape A) (D := strides A) (by simp [shape, strides])
    (sum_offsetsAt_lt hx hdom) (h xs hx)
  rwa [ofShape_shape_strides] at this

/-- **A distributes over the modes of B for all strides of its shape exactly when no digit carries.**
Rust: `razorgirl::Layout::composition`
Source: Shah 2.18 (repaired: `Layout.three_modes_carry`); Cecka 3.3.2 (repaired: `Layout.two_modes_carry`); the
criterion is ours -/
theorem noCarry_iff_distributes {M : List Nat} {Bs : List FlatLayout}
    (hdom : cosizeFormula Bs.flatten ≤ prod M) :
    NoCarry M Bs ↔ ∀ D, D.length = M.length → Distributes (ofShape M D) Bs := by
  constructor
  · intro h D hD
    exact distributes_of_noCarry (by rwa [size_ofShape hD]) (by rwa [shape_ofShape hD])
  · intro h xs hx
    have hlt := sum_offsetsAt_lt hx hdom
    have hl := length_powers (prod M) 1 M.length
    have he := h _ hl xs hx
    have hc := crd2idx_digitSum M (offsetsAt Bs xs) (eq_nil_imp hlt)
    rw [sum_atIndex_ofShape hl hlt, atIndex_ofShape hl hlt] at he
    exact below_of_dot_eq (length_digitSum M _) (by rwa [hc]) (by rw [hc, he])

/-! ## Composites distribute -/

theorem sizesMatch_of_append : {B C : FlatLayout} → {gs : List FlatLayout} →
    Layout.SizesMatch (B ++ C) gs →
    ∃ gs₁ gs₂, gs = gs₁ ++ gs₂ ∧ Layout.SizesMatch B gs₁ ∧ Layout.SizesMatch C gs₂
  | [], _, gs, h => ⟨[], gs, rfl, trivial, h⟩
  | _ :: _, _, [], h => h.elim
  | _ :: _, _, g :: _, h => by
    obtain ⟨gs₁, gs₂, rfl, h1, h2⟩ := sizesMatch_of_append h.2
    exact ⟨g :: gs₁, gs₂, rfl, ⟨h.1, h1⟩, h2⟩

/-- A function that is given by groups over several layouts in a row distributes over them. -/
theorem sum_of_groups {f : Nat → Nat} : {Bs : List FlatLayout} → {gs : List FlatLayout} →
    Layout.SizesMatch Bs.flatten gs →
    (∀ x, x < size Bs.flatten → atIndex gs.flatten x = f (atIndex Bs.flatten x)) →
    ∀ xs, InBounds (Bs.map size) xs → f (offsetsAt Bs xs).sum = ((offsetsAt Bs xs).map f).sum
  | [], gs, hg, hf, xs, _ => by
    have := hf 0 Nat.one_pos
    rw [atIndex_zero, List.flatten_nil, atIndex_nil] at this
    simp [offsetsAt, ← this]
  | _ :: _, _, _, _, [], h => h.elim
  | B :: Bs, gs, hg, hf, x :: xs, h => by
    obtain ⟨gs₁, gs₂, rfl, h1, h2⟩ := sizesMatch_of_append hg
    have hs := h1.size_eq
    have hx := h.1
    have hy := crd2idx_lt h.2
    rw [← size_flatten] at hy
    have hB := Valid.size_pos (valid_of_lt_size hx)
    simp only [List.flatten_cons, List.flatten_append, size_append] at hf
    have ih := sum_of_groups h2 (fun y hy => by
      have := hf (size B * y) ((Nat.mul_lt_mul_left hB).2 hy)
      rwa [atIndex_append, atIndex_append, hs, Nat.mul_mod_right, Nat.mul_div_cancel_left _ hB, atIndex_zero,
        atIndex_zero, Nat.zero_add, Nat.zero_add] at this) xs h.2
    have hall : ∀ y, y < size Bs.flatten →
        f (atIndex B x + atIndex Bs.flatten y) = atIndex gs₁.flatten x + atIndex gs₂.flatten y := fun y hy => by
      have hlt : x + size B * y < size B * size Bs.flatten := by
        have := Nat.mul_le_mul_left (size B) hy
        rw [Nat.mul_succ] at this
        omega
      have := hf _ hlt
      rw [atIndex_append_add hx, ← hs, atIndex_append_add (by omega)] at this
      exact this.symm
    have e1 := hall 0 (by omega)
    have e2 := hall _ hy
    have e3 := hf (size B * crd2idx (Bs.map size) xs) ((Nat.mul_lt_mul_left hB).2 hy)
    rw [atIndex_append, atIndex_append, hs, Nat.mul_mod_right, Nat.mul_div_cancel_left _ hB, atIndex_zero,
        atIndex_zero, Nat.zero_add, Nat.zero_add] at e3
    rw [atIndex_zero, atIndex_zero, Nat.add_zero, Nat.add_zero] at e1
    have e4 := sum_offsetsAt h.2
    have hcons : offsetsAt (B :: Bs) (x :: xs) = atIndex B x :: offsetsAt Bs xs := rfl
    rw [hcons, List.sum_cons, List.map_cons, List.sum_cons, ← ih, e4, e2, e1, e3]

namespace Layout
open HTuple

theorem concatModes_eq (Bs : List Layout) : concatModes Bs = (Bs.map Layout.modes).flatten := by
  induction Bs with
  | nil => rfl
  | cons B Bs ih => rw [concatModes, ih, List.map_cons, List.flatten_cons]

/-- **Where a composite exists, A distributes over the modes of B.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.7.1; Cecka 3.3.2; ours -/
theorem distributes_of_isComposite {A R : Layout} {Bs : List Layout} (hB : ∀ B ∈ Bs, B.Valid)
    (h : IsComposite A (concat Bs) R) : Distributes A.modes (Bs.map Layout.modes) := by
  obtain ⟨gs, hg, _, hf⟩ := (isComposite_iff_groups (valid_concat hB)).1 h
  have hm : (concat Bs).modes = (Bs.map Layout.modes).flatten := concatModes_eq Bs
  rw [Layout.size, hm] at hf
  rw [hm] at hg
  exact sum_of_groups hg fun x hx => (hf x hx).2

/-- **What strict composition accepts has no carry between the modes of B, so A distributes over them.**
Rust: `razorgirl::Layout::composition`
Source: Shah 2.18 (repaired: `Layout.three_modes_carry`); Cecka 3.3.2 (repaired: `Layout.two_modes_carry`); ours -/
theorem noCarry_of_composition {A R : Layout} {Bs : List Layout} (hB : ∀ B ∈ Bs, B.Valid)
    (h : composition A (concat Bs) = some R) :
    NoCarry (FlatLayout.shape (FlatLayout.coalesce A.modes)) (Bs.map Layout.modes) := by
  have hd := isComposite_domain (valid_concat hB) (composition_sound (valid_concat hB) h)
  rw [← prod_shape_coalesce, show (concat Bs).modes = (Bs.map Layout.modes).flatten from concatModes_eq Bs] at hd
  refine (noCarry_iff_distributes hd).2 fun D hD => ?_
  rw [length_shape] at hD
  obtain ⟨R', hR'⟩ := exists_composite_of_composition (valid_concat hB) h hD
  exact distributes_of_isComposite hB hR'

theorem Composites.valid {A : Layout} : {Bs Rs : List Layout} → Composites A Bs Rs → ∀ R ∈ Rs, R.Valid
  | [], [], _, _, hR => by simp at hR
  | [], _ :: _, h, _, _ => h.elim
  | _ :: _, [], h, _, _ => h.elim
  | _ :: _, _ :: _, h, _, hR => by
    rcases List.mem_cons.1 hR with rfl | hR
    · exact h.1.1
    · exact Composites.valid h.2 _ hR

theorem Composites.over {A : Layout} : {Bs Rs : List Layout} → Composites A Bs Rs →
    OverList (Bs.map tree) (Rs.map tree)
  | [], [], _ => trivial
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | _ :: _, _ :: _, h => ⟨h.1.2.1, Composites.over h.2⟩

theorem Composites.offsets {A : Layout} : {Bs Rs : List Layout} → (∀ B ∈ Bs, B.Valid) →
    Composites A Bs Rs → ∀ xs, InBounds (Bs.map size) xs →
    Rs.map size = Bs.map size ∧ offsetsAt (Rs.map Layout.modes) xs =
      (offsetsAt (Bs.map Layout.modes) xs).map (FlatLayout.atIndex A.modes)
  | [], [], _, _, _, _ => ⟨rfl, rfl⟩
  | [], _ :: _, _, h, _, _ => h.elim
  | _ :: _, [], _, h, _, _ => h.elim
  | _ :: _, _ :: _, _, _, [], hx => hx.elim
  | B :: Bs, R :: Rs, hB, h, x :: xs, hx => by
    have ⟨h1, h2⟩ := Composites.offsets (fun B hb => hB B (by simp [hb])) h.2 xs hx.2
    refine ⟨by rw [List.map_cons, List.map_cons, h1, isComposite_size (hB B (by simp)) h.1], ?_⟩
    simp only [offsetsAt] at h2
    simp only [offsetsAt, List.map_cons, List.zipWith_cons_cons, h2, isComposite_atIndex h.1 hx.1]

/-- **Where each mode of B has its composite, composing mode by mode is right exactly when A distributes over the modes
of B.**
Rust: `razorgirl::Layout::composition`
Source: CuTe `composition` (mode by mode); Shah 2.18 (repaired: `Layout.three_modes_carry`), Cecka 3.3.2 (repaired:
`Layout.two_modes_carry`); both claim it without the condition -/
theorem isComposite_concat_iff {A : Layout} {Bs Rs : List Layout} (hB : ∀ B ∈ Bs, B.Valid)
    (hdom : cosizeFormula (concat Bs).modes ≤ A.size) (h : Composites A Bs Rs) :
    IsComposite A (concat Bs) (concat Rs) ↔ Distributes A.modes (Bs.map Layout.modes) := by
  constructor
  · exact distributes_of_isComposite hB
  · intro hd
    refine ⟨valid_concat h.valid, ?_, fun x hx => ⟨(atIndex_lt_iff (valid_concat hB).2).2 hdom x hx, ?_⟩⟩
    · rw [tree_concat hB, tree_concat h.valid]
      exact h.over
    · have hsz : (Bs.map Layout.modes).map FlatLayout.size = Bs.map size := by
        rw [List.map_map]; rfl
      rw [size_concat] at hx
      have hin := inBounds_idx2crd_of_lt hx
      obtain ⟨h1, h2⟩ := h.offsets hB _ hin
      have h3 := hd _ (by rw [hsz]; exact hin)
      rw [offsetsAt, offsetsAt, List.zipWith_map_left, List.zipWith_map_left] at h2
      rw [offsetsAt, List.zipWith_map_left] at h3
      rw [atIndex_concat, atIndex_concat, h1, h2, h3]

/-- **Where all composites exist, the composite with a concatenation is the concatenation of the composites.**
Rust: `razorgirl::Layout::composition`
Source: Hieu's blog, left distributivity (repaired: `Layout.nothing_to_distribute`); ours -/
theorem composite_concat {A R : Layout} {Bs Rs : List Layout} (hB : ∀ B ∈ Bs, B.Valid)
    (h : Composites A Bs Rs) (hR : IsComposite A (concat Bs) R) : R = concat Rs :=
  isComposite_unique (valid_concat hB) hR ((isComposite_concat_iff hB
    (isComposite_domain (valid_concat hB) hR) h).2 (distributes_of_isComposite hB hR))

end Layout

end Razorgirl
