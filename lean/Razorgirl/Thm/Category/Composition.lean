module

public import Razorgirl.Spec.Category.Nest
public import Razorgirl.Thm.Category.Tuple
public import Razorgirl.Thm.Layout.Composition.Laws

@[expose] public section

/-!
# Composing morphisms composes layouts
-/

namespace Razorgirl

namespace Category

open HTuple

namespace TupleMorphism

theorem valid_encodedLayout {f : TupleMorphism} (h : f.Valid) : FlatLayout.Valid f.encodedLayout := by
  refine (FlatLayout.valid_iff_forall _).mpr fun m hm => h.1 _ ?_
  rw [← shape_encodedLayout h]
  exact List.mem_map_of_mem hm

theorem length_encodedLayout {f : TupleMorphism} (h : f.Valid) : f.encodedLayout.length = f.domain.length := by
  rw [← shape_encodedLayout h, FlatLayout.shape, List.length_map]

theorem shape_nested {f : TupleMorphism} (h : f.Valid) {p : Profile} (hp : p.length = f.domain.length) :
    Layout.shape ⟨f.encodedLayout, p⟩ = unflatten 1 p f.domain := by
  rw [Layout.shape, Layout.tree, map_unflatten _ _ 1 _ _ (by rw [hp, length_encodedLayout h])]
  congr 1
  exact shape_encodedLayout h

/-- **The layout of a composite is the layout of g after that of f, in whatever nesting: its shape is that of f, and it has the
right value at every index.** The blog asks that no entry of 1 goes to an entry; that is not needed for the values.
Rust: `razorgirl::category::TupleMorphism::compose`
Source: Categorical Foundations, theorem B (3.2.6.21; repaired: `degenerate_counterexample`) -/
theorem weakComposite_comp {f g h : TupleMorphism} (hf : f.Valid) (hg : g.Valid) (hc : f.comp g = some h) {p q : Profile}
    (hp : p.length = f.domain.length) :
    Layout.WeakComposite ⟨g.encodedLayout, q⟩ ⟨f.encodedLayout, p⟩ ⟨h.encodedLayout, p⟩ := by
  have hh := valid_comp hf hg hc
  obtain ⟨hT, e⟩ := comp_eq_some hc
  have hd : h.domain = f.domain := by rw [e]
  refine ⟨⟨?_, valid_encodedLayout hh⟩, ?_, fun x _ => ⟨?_, ?_⟩⟩
  · rw [length_encodedLayout hh, hd]; exact hp
  · rw [shape_nested hh (by rw [hd]; exact hp), shape_nested hf hp, hd]
    exact IntTuple.refines_refl _
  · change FlatLayout.atIndex f.encodedLayout x < FlatLayout.size g.encodedLayout
    rw [← realization_eq hf, FlatLayout.size, shape_encodedLayout hg, ← hT]
    exact realization_lt hf x
  · change FlatLayout.atIndex h.encodedLayout x = FlatLayout.atIndex g.encodedLayout (FlatLayout.atIndex f.encodedLayout x)
    rw [← realization_eq hh, ← realization_eq hf, ← realization_eq hg]
    exact realization_comp hf hg hc x

/-- **The composition of this library answers the layout of the composite, coalesced over the modes of that of f.**
Rust: `razorgirl::Layout::composition_complete`, `razorgirl::category::TupleMorphism::compose`
Source: Categorical Foundations, theorem B (3.2.6.21; repaired: `degenerate_counterexample`) -/
theorem compositionComplete_comp {f g h : TupleMorphism} (hf : f.Valid) (hg : g.Valid) (hc : f.comp g = some h)
    {p q : Profile} (hp : p.length = f.domain.length) :
    ∃ R, Layout.coalesceBy p ⟨h.encodedLayout, p⟩ = some R ∧
      Layout.compositionComplete ⟨g.encodedLayout, q⟩ ⟨f.encodedLayout, p⟩ = some R := by
  obtain ⟨R, h1, h2⟩ := Layout.isComposite_of_weak (weakComposite_comp hf hg hc (q := q) hp)
  exact ⟨R, h1, (Layout.compositionComplete_eq_some_iff
    ⟨by rw [length_encodedLayout hf]; exact hp, valid_encodedLayout hf⟩).mpr h2⟩

/-- K7: with an entry of 1 that goes to an entry, the layout of the composite is not the coalesced composite: (1) to (1) by (1)
encodes 1:1, and 1:1 after 1:1 is 1:0. -/
theorem degenerate_counterexample :
    encodedLayout ⟨[1], [1], [1]⟩ = [⟨1, 1⟩] ∧ FlatLayout.coalesce [⟨1, 1⟩] = [] ∧
      isNonDegenerate ⟨[1], [1], [1]⟩ = false := by decide

end TupleMorphism

namespace NestMorphism

/-- **Morphisms of nested tuples compose exactly where nesting and entries agree, and then as those of their entries.**
Rust: `razorgirl::category::NestMorphism::compose`
Source: Categorical Foundations 3.2.1 -/
theorem comp_flat {f g h : NestMorphism} (hc : f.comp g = some h) :
    f.flat.comp g.flat = some h.flat ∧ h.domain = f.domain ∧ h.codomain = g.codomain := by
  simp only [comp] at hc
  split at hc
  · rename_i hs
    cases hc
    simp only [same, Bool.and_eq_true, beq_iff_eq] at hs
    simp [flat, TupleMorphism.comp, hs.2]
  · cases hc

end NestMorphism

end Category

end Razorgirl
