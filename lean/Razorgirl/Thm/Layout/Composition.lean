module

public import Razorgirl.Thm.Layout.Composition.Assemble

@[expose] public section

/-!
# Composition: what is proved

There is at most one composite. `composition` (digits, no enumeration) returns nothing else, and `compositionComplete`
returns it whenever there is one. That `composition` refuses only what fails for some strides of A is in
`Composition/Exact`; what carries have to do with distributivity in `Composition/Distribute`.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout FlatLayout.Aux Layout.Aux

/-! ## What a composite is -/

mutual
theorem compatible_of_over : (b r : HTuple Mode) → Over b r →
    IntTuple.compatible (map Mode.extent b) (map Mode.extent r) = true
  | .leaf m, r, h => by
    simp only [map, IntTuple.compatible, beq_iff_eq]
    rw [IntTuple.size_eq_prod, flatten_map, ← h.2]
    rfl
  | .node _, .leaf _, h => h.elim
  | .node bs, .node rs, h => by
    simp only [map, IntTuple.compatible]
    exact compatibleList_of_overList bs rs h
theorem compatibleList_of_overList : (bs rs : List (HTuple Mode)) → OverList bs rs →
    IntTuple.compatibleList (mapList Mode.extent bs) (mapList Mode.extent rs) = true
  | [], [], _ => by simp [mapList, IntTuple.compatibleList]
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | b :: bs, r :: rs, h => by
    simp only [mapList, IntTuple.compatibleList, Bool.and_eq_true]
    exact ⟨compatible_of_over b r h.1, compatibleList_of_overList bs rs h.2⟩
end

/-- **The shape of a composite refines the shape of B: every coordinate of B is a coordinate of A ∘ B.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.7.1; Cecka, composition post-conditions; CuTe `composition` -/
theorem isComposite_refines {A B R : Layout} (h : IsComposite A B R) :
    IntTuple.refines R.shape B.shape = true := compatible_of_over _ _ h.2.1

/-- **A composite has the size of B.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.7.1; CuTe `composition` -/
theorem isComposite_size {A B R : Layout} (hB : B.Valid) (h : IsComposite A B R) : R.size = B.size := by
  rw [← size_shape_of_length h.1.1, ← size_shape_of_length hB.1]
  exact IntTuple.size_eq_of_refines (isComposite_refines h)

/-- **A composite at linear index x is A at B's offset of x.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.7.1; CuTe `composition` -/
theorem isComposite_atIndex {A B R : Layout} (h : IsComposite A B R) {x : Nat} (hx : x < B.size) :
    atIndex R.modes x = atIndex A.modes (atIndex B.modes x) := (h.2.2 x hx).2

/-- **B has a composite only if it stays in the domain of A: the cosize of B is at most the size of A.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.7.1 -/
theorem isComposite_domain {A B R : Layout} (hB : B.Valid) (h : IsComposite A B R) :
    cosizeFormula B.modes ≤ A.size :=
  (atIndex_lt_iff hB.2).1 fun x hx => (h.2.2 x hx).1

/-- **A and B have at most one composite.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.4.10, 2.3.7.1 -/
theorem isComposite_unique {A B R R' : Layout} (hB : B.Valid) (h : IsComposite A B R)
    (h' : IsComposite A B R') : R = R' := by
  obtain ⟨gs, hg, rfl, hf⟩ := (isComposite_iff_groups hB).1 h
  obtain ⟨gs', hg', rfl, hf'⟩ := (isComposite_iff_groups hB).1 h'
  exact assemble_congr _ (groups_unique hg hg' fun x hx => by rw [(hf x hx).2, (hf' x hx).2])

/-- **The composite with A coalesced is the composite with A.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.7 -/
theorem isComposite_coalesce_iff {A B R : Layout} : IsComposite (coalesce A) B R ↔ IsComposite A B R := by
  simp only [IsComposite, coalesce_size, coalesce_atIndex]

/-! ## Digit composition -/

/-- **What strict composition returns is the composite.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.7.1; CuTe `composition` -/
theorem composition_sound {A B R : Layout} (hB : B.Valid) (h : composition A B = some R) : IsComposite A B R := by
  rw [composition] at h
  split at h
  · rename_i hdom
    split at h
    · rename_i ps hps
      cases h
      have hsize : A.size = prod (FlatLayout.shape (FlatLayout.coalesce A.modes)) :=
        (FlatLayout.coalesce_size A.modes).symm
      have ⟨h1, h2⟩ := digitComposition_spec hB.2 (hsize ▸ hdom) hps
        (FlatLayout.strides (FlatLayout.coalesce A.modes))
      refine (isComposite_iff_groups hB).2 ⟨_, h1, rfl, fun x hx => ?_⟩
      have hlt := (atIndex_lt_iff hB.2).2 hdom x hx
      refine ⟨hlt, ?_⟩
      rw [h2, ← FlatLayout.coalesce_atIndex A.modes]
      exact (atIndex_eq_dot (by rw [FlatLayout.coalesce_size]; exact hlt)).symm
    · cases h
  · cases h

/-! ## Complete composition -/

theorem agree_iff {f g : Nat → Nat} {n : Nat} : agree f g n = true ↔ ∀ x, x < n → f x = g x := by
  induction n with
  | zero => simp [agree]
  | succ n ih =>
    simp only [agree, Bool.and_eq_true, beq_iff_eq, ih]
    constructor
    · rintro ⟨h1, h2⟩ x hx
      rcases Nat.lt_or_eq_of_le (Nat.le_of_lt_succ hx) with hlt | rfl
      · exact h2 x hlt
      · exact h1
    · exact fun h => ⟨h n (by omega), fun x hx => h x (by omega)⟩

theorem findModes_sound {A : FlatLayout} {B : FlatLayout} : {gs : List FlatLayout} →
    findModes A B = some gs → SizesMatch B gs := by
  induction B with
  | nil => intro gs h; cases h; trivial
  | cons m B ih =>
    intro gs h
    rw [findModes] at h
    split at h
    · rename_i g gs' hg hgs
      cases h
      have ⟨h1, _, h2, _⟩ := findLayout_sound hg
      exact ⟨⟨h1, h2⟩, ih hgs⟩
    · cases h

theorem findModes_complete {A : FlatLayout} {B : FlatLayout} : {gs : List FlatLayout} → SizesMatch B gs →
    (∀ x, x < FlatLayout.size B → atIndex gs.flatten x = atIndex A (atIndex B x)) →
    findModes A B = some (gs.map FlatLayout.coalesce) := by
  induction B with
  | nil =>
    intro gs h _
    cases gs with
    | nil => rfl
    | cons => exact h.elim
  | cons m B ih =>
    intro gs h hf
    match gs, h with
    | g :: gs, h =>
      have hB : 0 < FlatLayout.size B := h.2.size_eq ▸ h.2.valid.size_pos
      have hm : 0 < m.extent := h.1.2 ▸ h.1.1.size_pos
      rw [size_cons] at hf
      simp only [List.flatten_cons, atIndex_append, h.1.2, atIndex_cons] at hf
      have h1 : findLayout (fun k => atIndex A (k * m.stride)) m.extent = some (FlatLayout.coalesce g) := by
        refine findLayout_complete h.1.1 h.1.2 fun x hx => ?_
        have := hf x (Nat.lt_of_lt_of_le hx (Nat.le_mul_of_pos_right _ hB))
        rwa [Nat.mod_eq_of_lt hx, Nat.div_eq_of_lt hx, atIndex_zero, atIndex_zero] at this
      have h2 := ih h.2 fun y hy => by
        have := hf (m.extent * y) ((Nat.mul_lt_mul_left hm).2 hy)
        rwa [Nat.mul_mod_right, Nat.mul_div_cancel_left _ hm, atIndex_zero, Nat.zero_mul, Nat.zero_add,
          Nat.zero_add] at this
      rw [findModes, h1, h2]
      rfl

/-- **Complete composition accepts exactly when a composite exists, and returns it.**
Rust: `razorgirl::Layout::composition_complete`
Source: Colfax 2.3.7.1 (the definition); CuTe `composition` -/
theorem compositionComplete_eq_some_iff {A B R : Layout} (hB : B.Valid) :
    compositionComplete A B = some R ↔ IsComposite A B R := by
  rw [isComposite_iff_groups hB]
  constructor
  · intro h
    rw [compositionComplete] at h
    split at h
    · rename_i hdom
      split at h
      · rename_i gs hgs
        split at h
        · rename_i hag
          cases h
          have hg := findModes_sound hgs
          have hlen : B.profile.length = gs.length := by rw [hB.1, hg.length_eq]
          refine ⟨gs, hg, rfl, fun x hx => ⟨(atIndex_lt_iff hB.2).2 hdom x hx, ?_⟩⟩
          rw [← atIndex_assemble hlen, agree_iff.1 hag x hx]
        · cases h
      · cases h
    · cases h
  · rintro ⟨gs, hg, rfl, hf⟩
    have hlen : B.profile.length = gs.length := by rw [hB.1, hg.length_eq]
    have hdom : cosizeFormula B.modes ≤ A.size := (atIndex_lt_iff hB.2).1 fun x hx => (hf x hx).1
    have he : assemble B.profile (gs.map FlatLayout.coalesce) = assemble B.profile gs :=
      assemble_congr _ (by simp [FlatLayout.coalesce_idempotent])
    rw [compositionComplete, if_pos hdom, findModes_complete hg fun x hx => (hf x hx).2]
    simp only [he]
    rw [if_pos (agree_iff.2 fun x hx => by rw [atIndex_assemble hlen, (hf x hx).2])]

/-- **Complete composition refuses exactly when no layout is the composite.**
Rust: `razorgirl::Layout::composition_complete`
Source: Colfax 2.3.7.1 (the definition); CuTe `composition` -/
theorem compositionComplete_eq_none_iff {A B : Layout} (hB : B.Valid) :
    compositionComplete A B = none ↔ ¬ ∃ R, IsComposite A B R := by
  simp only [← compositionComplete_eq_some_iff hB]
  cases compositionComplete A B <;> simp

/-- **What strict composition accepts, complete composition accepts with the same result.**
Rust: `razorgirl::Layout::composition`, `razorgirl::Layout::composition_complete`
Source: Colfax 2.3.7.1; CuTe `composition` -/
theorem compositionComplete_of_composition {A B R : Layout} (hB : B.Valid) (h : composition A B = some R) :
    compositionComplete A B = some R := (compositionComplete_eq_some_iff hB).2 (composition_sound hB h)

end Layout

end Razorgirl
