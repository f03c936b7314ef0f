module

public import Razorgirl.Thm.Category.Parts

@[expose] public section

/-!
# The product of morphisms is associative

What a product leaves free is what g leaves free within what f leaves free, so (f ⊗ g) ⊗ h and f ⊗ (g ⊗ h) are the same
(«Categorical Foundations» 3.1.5.61).
-/

namespace Razorgirl

namespace Category

namespace ProductAux

open TupleMorphism TupleAux TractableAux PartsAux

theorem product_eq_some {f g h : TupleMorphism} (hp : f.flatProduct g = some h) : f.isComplementable = true ∧
    g.codomain = f.free.map (nth 0 f.codomain) ∧
    h = ⟨f.domain ++ g.domain, f.codomain, f.map ++ g.map.map (nth 0 f.free)⟩ := by
  simp only [flatProduct] at hp
  split at hp
  · rename_i c hc
    obtain ⟨h1, rfl⟩ := complement_eq_some hc
    split at hp
    · rename_i k hk
      obtain ⟨h2, rfl⟩ := comp_eq_some hk
      obtain ⟨_, _, rfl⟩ := concat_eq_some hp
      exact ⟨h1, h2, rfl⟩
    · cases hp
  · cases hp

theorem free_length {f g : TupleMorphism} (h : g.codomain = f.free.map (nth 0 f.codomain)) : g.codomain.length = f.free.length := by
  rw [h, List.length_map]

theorem once_free (f : TupleMorphism) : once f.free = true := once_of_increasing ((places_increasing _).filter _)

/-- What a product leaves free. -/
theorem free_product {f g h : TupleMorphism} (hp : f.flatProduct g = some h) :
    h.free = g.free.map (nth 0 f.free) := by
  obtain ⟨_, h2, rfl⟩ := product_eq_some hp
  have hl := free_length h2
  have e1 : TupleMorphism.free ⟨f.domain ++ g.domain, f.codomain, f.map ++ g.map.map (nth 0 f.free)⟩
      = f.free.filter fun j => !(g.map.map (nth 0 f.free)).contains j := by
    simp only [free, List.filter_filter]
    refine List.filter_congr fun j _ => ?_
    simp only [List.contains_eq_mem, List.mem_append, ← Bool.not_or]
    congr 1
    simp [Bool.or_comm]
  rw [e1]
  have e2 := map_places f.free
  have e3 : g.free = ((FinMap.identity f.free.length).values).filter fun j => !g.map.contains j := by rw [free, hl]
  rw [e3]
  conv => lhs; rw [← e2]
  rw [List.filter_map]
  congr 1
  refine List.filter_congr fun j hj => ?_
  obtain ⟨j0, jl⟩ := mem_places.mp hj
  have hn : nth 0 f.free j ≠ 0 := by
    obtain ⟨i, rfl⟩ : ∃ i, j = i + 1 := ⟨j - 1, by omega⟩
    rw [nth_getElem (by omega : i < f.free.length)]
    exact (mem_free.mp (List.getElem_mem _)).1
  simp only [Function.comp_apply]
  congr 1
  rw [Bool.eq_iff_iff, List.contains_iff_mem, List.contains_iff_mem, List.mem_map]
  rw [e2]
  constructor
  · rintro ⟨v, hv, e⟩
    rw [nth_injective (once_free f) e (by rw [e]; exact hn)] at hv
    exact hv
  · exact fun hv => ⟨j, hv, rfl⟩

end ProductAux

open ProductAux TupleAux TractableAux

namespace TupleMorphism

/-- **What a product of morphisms leaves free is what g leaves free, within what f leaves free.**
Rust: `razorgirl::category::TupleMorphism::flat_product`, `razorgirl::category::TupleMorphism::complement`
Source: Categorical Foundations 3.1.5 -/
theorem complement_flatProduct {f g h c d : TupleMorphism} (hg : g.Valid) (hp : f.flatProduct g = some h)
    (hc : f.complement = some c) (hd : g.complement = some d) : h.complement = d.comp c := by
  obtain ⟨h1, h2, e⟩ := product_eq_some hp
  have hfree := free_product hp
  obtain ⟨_, rfl⟩ := complement_eq_some hc
  obtain ⟨h3, rfl⟩ := complement_eq_some hd
  have h4 : h.isComplementable = true := by
    subst e
    simp only [isComplementable, List.all_append, Bool.and_eq_true, List.all_eq_true, bne_iff_ne] at h1 h3 ⊢
    refine ⟨h1, fun v hv => ?_⟩
    obtain ⟨w, hw, rfl⟩ := List.mem_map.mp hv
    have hl := hg.2.2.1.1 w hw
    simp only [fin, free_length h2] at hl
    have := h3 w hw
    obtain ⟨i, rfl⟩ : ∃ i, w = i + 1 := ⟨w - 1, by omega⟩
    rw [nth_getElem (by omega : i < f.free.length)]
    exact (mem_free.mp (List.getElem_mem _)).1
  have h5 : h.codomain = f.codomain := by rw [e]
  simp only [complement, h4, if_true, comp, h2, hfree, h5, List.map_map, Option.some.injEq, TupleMorphism.mk.injEq, and_true]
  refine List.map_congr_left fun j _ => ?_
  rw [Function.comp_apply, nth_map _ (nth_zero _ _)]

/-- **The product of morphisms is associative: where f ⊗ g exists, (f ⊗ g) ⊗ h and f ⊗ (g ⊗ h) exist together, and they are
the same.**
Rust: `razorgirl::category::TupleMorphism::flat_product`
Source: Categorical Foundations 3.1.5.61 -/
theorem flatProduct_assoc {f g fg : TupleMorphism} (hf : f.Valid) (hg : g.Valid) (hfg : f.flatProduct g = some fg) (h : TupleMorphism) :
    fg.flatProduct h = (g.flatProduct h).bind f.flatProduct := by
  obtain ⟨h1, h2, e⟩ := product_eq_some hfg
  have hfree := free_product hfg
  have hdom : fg.free.map (nth 0 fg.codomain) = g.free.map (nth 0 g.codomain) := by
    rw [hfree, h2, List.map_map, show fg.codomain = f.codomain by rw [e]]
    exact List.map_congr_left fun j _ => by rw [Function.comp_apply, nth_map _ (nth_zero _ _)]
  have hcomp : fg.isComplementable = true ↔ g.isComplementable = true := by
    have hn : ∀ w ∈ g.map, nth 0 f.free w ≠ 0 ↔ w ≠ 0 := fun w hw => by
      constructor
      · intro h0 e0; exact h0 (by rw [e0, nth_zero])
      · intro h0
        have hl := hg.2.2.1.1 w hw
        simp only [fin, free_length h2] at hl
        obtain ⟨i, rfl⟩ : ∃ i, w = i + 1 := ⟨w - 1, by omega⟩
        rw [nth_getElem (by omega : i < f.free.length)]
        exact (mem_free.mp (List.getElem_mem _)).1
    simp only [isComplementable] at h1
    simp only [e, isComplementable, List.all_append, h1, Bool.true_and, List.all_map, List.all_eq_true, bne_iff_ne,
      Function.comp_apply]
    exact ⟨fun h w hw => (hn w hw).mp (h w hw), fun h w hw => (hn w hw).mpr (h w hw)⟩
  have hfgv : fg.Valid := by
    obtain ⟨c, k, hc, hk, _, _⟩ := weakComposite_flatProduct hf hg hfg
    have hcv := (complement_valid hf hc).1
    simp only [flatProduct, hc, hk] at hfg
    exact (encodedLayout_concat hf (valid_comp hg hcv hk) hfg).1
  cases hgh : g.flatProduct h with
  | none =>
    have hn : ¬ (fg.flatProduct h).isSome = true := fun hs => by
      obtain ⟨c, hc, hd⟩ := (flatProduct_isSome_iff hfgv).mp hs
      obtain ⟨h3, rfl⟩ := complement_eq_some hc
      have : (g.flatProduct h).isSome = true := (flatProduct_isSome_iff hg).mpr
        ⟨⟨g.free.map (nth 0 g.codomain), g.codomain, g.free⟩, by simp only [complement, hcomp.mp h3, if_true], by
          rw [hd]; exact hdom⟩
      rw [hgh] at this
      cases this
    simpa using hn
  | some gh =>
    obtain ⟨h3, h4, e'⟩ := product_eq_some hgh
    have s1 : (fg.flatProduct h).isSome = true := (flatProduct_isSome_iff hfgv).mpr
      ⟨⟨fg.free.map (nth 0 fg.codomain), fg.codomain, fg.free⟩, by simp only [complement, hcomp.mpr h3, if_true], by
        rw [h4]; exact hdom.symm⟩
    have s2 : (f.flatProduct gh).isSome = true := (flatProduct_isSome_iff hf).mpr
      ⟨⟨f.free.map (nth 0 f.codomain), f.codomain, f.free⟩, by simp only [complement, h1, if_true], by rw [e']; exact h2⟩
    obtain ⟨a, ha⟩ := Option.isSome_iff_exists.mp s1
    obtain ⟨b, hb⟩ := Option.isSome_iff_exists.mp s2
    obtain ⟨_, _, ea⟩ := product_eq_some ha
    obtain ⟨_, _, eb⟩ := product_eq_some hb
    rw [ha, Option.bind_some, hb, ea, eb, e', e, ← e, hfree]
    simp only [List.append_assoc, List.map_append, List.map_map, Option.some.injEq, TupleMorphism.mk.injEq, e, true_and]
    congr 2
    exact List.map_congr_left fun v _ => by rw [Function.comp_apply, nth_map _ (nth_zero _ _)]

end TupleMorphism

end Category

end Razorgirl
