module

public import Razorgirl.Thm.Category.Composition
public import Razorgirl.Thm.Layout.Composition.Exact

@[expose] public section

/-!
# After a morphism: any layout, and strict composition

A morphism f : S → T picks modes of whatever layout has the shape T. So strict composition, which asks shapes alone, accepts L_f
inside the layout of any morphism that follows f.
-/

namespace Razorgirl

namespace Category

namespace TupleMorphism

open TupleAux

theorem shape_pick {f : TupleMorphism} (h : f.Valid) (A : FlatLayout) : (f.pick A).shape = f.domain :=
  shape_zipWith (by simp [length_map_of_matches h.2.2.2])

theorem length_pick {f : TupleMorphism} (h : f.Valid) (A : FlatLayout) : (f.pick A).length = f.domain.length := by
  rw [← shape_pick h A, FlatLayout.shape, List.length_map]

theorem atIndex_pick {f : TupleMorphism} (h : f.Valid) {A : FlatLayout} (hA : A.shape = f.codomain) (x : Nat) :
    FlatLayout.atIndex (f.pick A) x = FlatLayout.atIndex A (FlatLayout.atIndex f.encodedLayout x) := by
  have hl : A.length = f.codomain.length := by rw [← hA, FlatLayout.shape, List.length_map]
  rw [← realization_eq h, realization, FlatLayout.atIndex, shape_pick h, FlatLayout.atIndex, hA,
    idx2crd_crd2idx (inBounds_move h (inBounds_idx2crd h.1 x)), move_eq_listed, ← hl,
    eval_moved _ f.domain f.map _ (length_map_of_matches h.2.2.2) h.2.2.1.2]
  rfl

/-- **After L_f, any layout of the shape T is its modes at the images: whatever its strides are, tractable or not.**
Rust: `razorgirl::category::TupleMorphism::encoded_layout`
Source: Categorical Foundations, theorem B (3.2.6.21), for layouts that no morphism encodes too -/
theorem weakComposite_pick {f : TupleMorphism} (h : f.Valid) {A : FlatLayout} (hA : A.shape = f.codomain) {p q : Profile}
    (hp : p.length = f.domain.length) : Layout.WeakComposite ⟨A, q⟩ ⟨f.encodedLayout, p⟩ ⟨f.pick A, p⟩ := by
  refine ⟨⟨?_, ?_⟩, ?_, fun x _ => ⟨?_, atIndex_pick h hA x⟩⟩
  · rw [length_pick h]; exact hp
  · refine (FlatLayout.valid_iff_forall _).mpr fun m hm => h.1 _ ?_
    rw [← shape_pick h A]
    exact List.mem_map_of_mem hm
  · have e : Layout.shape ⟨f.pick A, p⟩ = HTuple.unflatten 1 p f.domain := by
      rw [Layout.shape, Layout.tree, HTuple.map_unflatten _ _ 1 _ _ (by rw [hp, length_pick h])]
      congr 1
      exact shape_pick h A
    rw [e, shape_nested h hp]
    exact IntTuple.refines_refl _
  · change FlatLayout.atIndex f.encodedLayout x < FlatLayout.size A
    rw [← realization_eq h, FlatLayout.size, hA]
    exact realization_lt h x

end TupleMorphism

namespace StrictAux

open FlatLayout

/-- Strides of the coalesced shape are strides of the shape: what was one mode has its stride and multiples of it. -/
theorem exists_uncoalesced (A : FlatLayout) : ∀ D : List Nat, D.length = (coalesce A).length →
    ∃ D', D'.length = A.length ∧ ∀ x, atIndex (ofShape A.shape D') x = atIndex (ofShape (coalesce A).shape D) x := by
  induction A with
  | nil => exact fun D h => ⟨[], rfl, fun x => by cases D <;> rfl⟩
  | cons m A ih =>
    intro D hD
    change D.length = (push m (coalesce A)).length at hD
    change ∃ D', D'.length = (m :: A).length ∧
      ∀ x, atIndex (ofShape (shape (m :: A)) D') x = atIndex (ofShape (push m (coalesce A)).shape D) x
    have front : ∀ (d : Nat) (E : List Nat), E.length = (coalesce A).length →
        (∀ x, x % m.extent * d + atIndex (ofShape (coalesce A).shape E) (x / m.extent)
          = atIndex (ofShape (push m (coalesce A)).shape D) x) →
        ∃ D', D'.length = (m :: A).length ∧
          ∀ x, atIndex (ofShape (shape (m :: A)) D') x = atIndex (ofShape (push m (coalesce A)).shape D) x := by
      intro d E hE he
      obtain ⟨D', h1, h2⟩ := ih E hE
      refine ⟨d :: D', by simp [h1], fun x => ?_⟩
      rw [← he x, ← h2]
      rfl
    clear ih
    by_cases h1 : m.extent = 1
    · rw [push_unit h1] at hD
      refine front 0 D hD fun x => ?_
      rw [push_unit h1, h1, Nat.div_one, Nat.mul_zero, Nat.zero_add]
    generalize coalesce A = C at hD front ⊢
    cases C with
    | nil =>
      simp only [push, if_neg h1, List.length_cons, List.length_nil] at hD
      obtain ⟨d, rfl⟩ := List.length_eq_one_iff.mp hD
      refine front d [] rfl fun x => ?_
      simp only [push, if_neg h1]
      rfl
    | cons n L =>
      cases D with
      | nil =>
        exfalso
        simp only [push, if_neg h1] at hD
        split at hD <;> simp at hD
      | cons d D =>
        by_cases h2 : n.stride = m.extent * m.stride
        · simp only [push, if_neg h1, if_pos h2, List.length_cons] at hD front ⊢
          refine front d (m.extent * d :: D) (by simpa using hD) fun x => ?_
          simp only [shape, List.map_cons, ofShape, List.zipWith_cons_cons, atIndex_cons, Nat.div_div_eq_div_mul]
          rw [Nat.mod_mul (x := x) (a := m.extent) (b := n.extent)]
          grind
        · simp only [push, if_neg h1, if_neg h2, List.length_cons] at hD front ⊢
          exact front d D (by simpa using hD) fun x => rfl

end StrictAux

open StrictAux TupleMorphism

/-- **Strict composition accepts the layout of f inside that of g, and answers the layout of the composite, coalesced over the
modes of that of f.** It refuses nothing here: the layout of f picks modes of that of g, whatever strides these have.
Rust: `razorgirl::Layout::composition`, `razorgirl::category::TupleMorphism::compose`
Source: Categorical Foundations, theorem B (3.2.6.21; repaired: `degenerate_counterexample`) -/
theorem composition_comp {f g h : TupleMorphism} (hf : f.Valid) (hg : g.Valid) (hc : f.comp g = some h)
    {p q : Profile} (hp : p.length = f.domain.length) :
    ∃ R, Layout.coalesceBy p ⟨h.encodedLayout, p⟩ = some R ∧
      Layout.composition ⟨g.encodedLayout, q⟩ ⟨f.encodedLayout, p⟩ = some R := by
  obtain ⟨R, h1, h2⟩ := compositionComplete_comp hf hg hc (q := q) hp
  have hB : Layout.Valid ⟨f.encodedLayout, p⟩ := ⟨by rw [length_encodedLayout hf]; exact hp, valid_encodedLayout hf⟩
  obtain ⟨hT, _⟩ := comp_eq_some hc
  have hs : g.encodedLayout.shape = f.codomain := by rw [shape_encodedLayout hg, hT]
  have key : (Layout.composition ⟨g.encodedLayout, q⟩ ⟨f.encodedLayout, p⟩).isSome = true := by
    refine (Layout.composition_isSome_iff hB).mpr fun D hD => ?_
    obtain ⟨D', hl, he⟩ := exists_uncoalesced g.encodedLayout D hD
    have hl' : D'.length = g.encodedLayout.shape.length := by rw [hl, FlatLayout.shape, List.length_map]
    have hw := weakComposite_pick hf (A := FlatLayout.ofShape g.encodedLayout.shape D') (q := q)
      ((shape_ofShape hl').trans hs) hp
    have hl2 : D.length = (FlatLayout.shape (FlatLayout.coalesce g.encodedLayout)).length := by
      rw [hD, FlatLayout.shape, List.length_map]
    obtain ⟨R', _, hR'⟩ := Layout.isComposite_of_weak (A := Layout.ofFlat (FlatLayout.ofShape
        (FlatLayout.shape (FlatLayout.coalesce g.encodedLayout)) D)) (B := ⟨f.encodedLayout, p⟩) ⟨hw.1, hw.2.1, fun x hx => by
      obtain ⟨h3, h4⟩ := hw.2.2 x hx
      refine ⟨?_, ?_⟩
      · have e : Layout.size ⟨FlatLayout.ofShape g.encodedLayout.shape D', q⟩ = FlatLayout.size g.encodedLayout := by
          rw [Layout.size, size_ofShape hl']; rfl
        rw [Layout.size, Layout.ofFlat, size_ofShape hl2]
        rw [e] at h3
        have := FlatLayout.coalesce_size g.encodedLayout
        rw [FlatLayout.size] at this
        rw [this]; exact h3
      · rw [h4]
        exact he _⟩
    exact ⟨R', hR'⟩
  obtain ⟨R', hR'⟩ := Option.isSome_iff_exists.mp key
  have := Layout.compositionComplete_of_composition hB hR'
  rw [h2] at this
  cases this
  exact ⟨R, h1, hR'⟩

end Category

end Razorgirl
