module

public import Razorgirl.Thm.Category.Nest

@[expose] public section

/-!
# The composition algorithm is sound, and strict composition goes further

What the algorithm of «Categorical Foundations» 4.1.2 answers for two layouts is their composite, and strict composition answers it too.
-/

namespace Razorgirl

namespace Category

open HTuple

namespace LayoutComposeAux

open TupleMorphism TupleAux TractableAux PartsAux NestAux FlatLayout

/-- Modes cut into parts: each part counts on from the stride of its mode. -/
def cutModes : (parts : List IntTuple) → (D : List Nat) → FlatLayout
  | t :: ts, d :: D => columnMajor d t.flatten ++ cutModes ts D
  | _, _ => []

theorem shape_cutModes : {parts : List IntTuple} → {D : List Nat} → D.length = parts.length →
    shape (cutModes parts D) = parts.flatMap flatten
  | [], [], _ => rfl
  | [], _ :: _, h => by simp at h
  | _ :: _, [], h => by simp at h
  | t :: ts, d :: D, h => by
    rw [cutModes, shape_append, shape_columnMajor, shape_cutModes (by simpa using h), List.flatMap_cons]

theorem atIndex_cutModes : {parts : List IntTuple} → {D : List Nat} → D.length = parts.length → (x : Nat) →
    atIndex (cutModes parts D) x = atIndex (ofShape (parts.map IntTuple.size) D) x
  | [], [], _, _ => rfl
  | [], _ :: _, h, _ => by simp at h
  | _ :: _, [], h, _ => by simp at h
  | t :: ts, d :: D, h, x => by
    have ih := atIndex_cutModes (parts := ts) (D := D) (by simpa using h) (x / IntTuple.size t)
    rw [cutModes, atIndex_append, NestAux.atIndex_columnMajor, size, shape_columnMajor, ← IntTuple.size_eq_prod_flatten, Nat.mod_mod, ih]
    rfl

theorem shape_encodedLayout {f : NestMorphism} (hf : f.flat.Valid) : f.encodedLayout.shape = f.domain := by
  have h := shape_nested hf (p := f.domain.profile) (by rw [HTuple.profile, length_map]; exact (length_flatten _).symm)
  exact h.trans (unflatten_flatten 1 f.domain)

/-- Where the algorithm composes f and g, every layout of the shape of g's domain has a weak composite with L_f. -/
theorem weakComposite_any {f g h : NestMorphism} (hf : f.flat.Valid) (hg : g.flat.Valid) (hw : weakComposite f g = some h)
    {D : List Nat} (hD : D.length = g.domain.flatten.length) {q : Profile} :
    ∃ W, Layout.WeakComposite ⟨ofShape g.domain.flatten D, q⟩ f.encodedLayout W := by
  obtain ⟨t, u, f', g', hr, h1, h2, rfl⟩ := weakComposite_parts hw
  obtain ⟨_, hu, hp⟩ := mutualRefinement_refines hr
  obtain ⟨a1, a2, a3, a4⟩ := NestMorphism.atIndex_pullback hf h1
  obtain ⟨b1, b2, _, _⟩ := NestMorphism.atIndex_pushforward hg h2
  obtain ⟨U, hU⟩ := hp
  obtain ⟨parts, ho⟩ := Option.isSome_iff_exists.mp ((over_isSome_iff u g.domain).mpr hu)
  obtain ⟨s1, s2⟩ := over_sizes ho
  have hl : D.length = parts.length := by rw [hD, ← s1, List.length_map]
  have hpos : ∀ n ∈ f'.codomain.flatten ++ U, 0 < n := by
    rw [a2, hU, ← b2]
    exact b1.1
  obtain ⟨c1, c2⟩ := valid_extend (S := f'.domain.flatten) (T := f'.codomain.flatten) (α := f'.map) (U := U) a1 hpos
  have hs : shape (cutModes parts D) = f'.codomain.flatten ++ U := by rw [shape_cutModes hl, ← s2, a2, hU]
  have hlen : f'.domain.profile.length = f'.domain.flatten.length := by
    rw [HTuple.profile, length_map, length_flatten]
  have hW := weakComposite_pick (p := f'.domain.profile) (q := q) c1 hs hlen
  refine ⟨_, hW.1, ?_, fun x _ => ?_⟩
  · have h3 : Layout.shape ⟨TupleMorphism.pick ⟨f'.domain.flatten, f'.codomain.flatten ++ U, f'.map⟩ (cutModes parts D),
        f'.domain.profile⟩ = f'.domain := by
      rw [Layout.shape, Layout.tree, map_unflatten _ _ 1 _ _ (by rw [hlen, length_pick c1])]
      rw [show List.map Mode.extent (TupleMorphism.pick ⟨f'.domain.flatten, f'.codomain.flatten ++ U, f'.map⟩
        (cutModes parts D)) = f'.domain.flatten from shape_pick c1 _]
      exact unflatten_flatten 1 f'.domain
    rw [h3, shape_encodedLayout hf]
    exact a3
  · have e : atIndex f.encodedLayout.modes x
        = atIndex (TupleMorphism.encodedLayout ⟨f'.domain.flatten, f'.codomain.flatten ++ U, f'.map⟩) x := by
      rw [c2]
      exact (a4 x).symm
    constructor
    · rw [e, ← realization_eq c1]
      change _ < size (ofShape g.domain.flatten D)
      rw [size_ofShape hD, ← s1, show prod (parts.map IntTuple.size) = prod (f'.codomain.flatten ++ U) by
        rw [← hs, shape_cutModes hl]
        clear hl s1 s2 ho hs hW
        induction parts with
        | nil => rfl
        | cons t ts ih =>
          rw [List.map_cons, List.flatMap_cons, prod_append, prod, ih, IntTuple.size_eq_prod_flatten]]
      exact realization_lt c1 x
    · rw [e, atIndex_pick c1 hs, atIndex_cutModes hl, s1]

end LayoutComposeAux

open LayoutComposeAux NestAux

theorem flat_standardRepresentationNest {L : Layout} (hL : L.Valid) {f : NestMorphism} (h : standardRepresentationNest L = some f) :
    f.flat.Valid ∧ f.domain = L.shape ∧ f.encodedLayout.modes = L.modes := by
  simp only [standardRepresentationNest] at h
  split at h
  · rename_i k hk
    cases h
    obtain ⟨h1, h2⟩ := valid_standardRepresentation hL.2 hk
    have e : NestMorphism.flat ⟨L.shape, flatTuple k.codomain, k.map⟩ = k := by
      have h3 : L.shape.flatten = k.domain := by
        rw [h2, Layout.flatten_shape hL]
      have h4 : (flatTuple k.codomain).flatten = k.codomain := SubstitutionAux.flattenList_leaves _
      cases k
      simp only [NestMorphism.flat, h3, h4]
    refine ⟨by rw [e]; exact h1, rfl, ?_⟩
    change TupleMorphism.encodedLayout (NestMorphism.flat ⟨L.shape, flatTuple k.codomain, k.map⟩) = L.modes
    rw [e]
    exact encodedLayout_standardRepresentation hL.2 hk
  · cases h

/-- **What the source's algorithm answers for two layouts is their composite, and strict composition answers the same.** The
converse fails: `weakComposite_counterexample`.
Rust: `razorgirl::category::layout_compose`, `razorgirl::Layout::composition`
Source: Categorical Foundations 4.1.2 and 4.1.3.1 (E8: sound, not complete) -/
theorem composition_of_layoutCompose {A B R : Layout} (hA : A.Valid) (hB : B.Valid) {f g h : NestMorphism}
    (hc : layoutCompose A B = some (f, g, h, R)) : Layout.IsComposite B A R ∧ Layout.composition B A = some R := by
  simp only [layoutCompose] at hc
  split at hc
  · rename_i f' g' hf' hg'
    split at hc
    · rename_i h' hw
      split at hc
      · rename_i R' hR'
        cases hc
        have hBn : B.normalize.Valid := ⟨by
          change B.profile.length = (FlatLayout.normalize B.modes).length
          rw [FlatLayout.length_normalize]; exact hB.1, (FlatLayout.valid_normalize_iff _).mpr hB.2⟩
        obtain ⟨f1, f2, f3⟩ := flat_standardRepresentationNest hA hf'
        obtain ⟨g1, g2, g3⟩ := flat_standardRepresentationNest (Layout.coalesce_valid hBn) hg'
        obtain ⟨w1, w2, w3⟩ := atIndex_weakComposite f1 g1 hw
        have gi : ∀ x, FlatLayout.atIndex g.flat.encodedLayout x = FlatLayout.atIndex B.modes x := fun x => by
          rw [show g.flat.encodedLayout = g.encodedLayout.modes from rfl, g3, Layout.coalesce, Layout.atIndex_nest,
            FlatLayout.coalesce_atIndex]
          exact FlatLayout.atIndex_normalize _ x
        have gs : FlatLayout.size g.flat.encodedLayout = B.size := by
          rw [show g.flat.encodedLayout = g.encodedLayout.modes from rfl, g3]
          change (Layout.coalesce B.normalize).size = _
          rw [Layout.coalesce, Layout.size_nest, FlatLayout.coalesce_size]
          exact FlatLayout.size_normalize _
        have hlen : h.domain.profile.length = h.flat.encodedLayout.length := by
          rw [TupleMorphism.length_encodedLayout w1, HTuple.profile, length_map]
          exact (length_flatten _).symm
        have hW : Layout.WeakComposite B A h.encodedLayout.normalize := by
          refine ⟨⟨?_, (FlatLayout.valid_normalize_iff _).mpr (TupleMorphism.valid_encodedLayout w1)⟩, ?_, fun x _ => ?_⟩
          · change h.domain.profile.length = (FlatLayout.normalize h.flat.encodedLayout).length
            rw [FlatLayout.length_normalize]; exact hlen
          · have e : h.encodedLayout.normalize.shape = h.domain := by
              refine Eq.trans ?_ (shape_encodedLayout w1)
              simp only [Layout.shape, Layout.tree]
              rw [map_unflatten _ _ 1 _ _ (by
                  change h.domain.profile.length = (FlatLayout.normalize h.flat.encodedLayout).length
                  rw [FlatLayout.length_normalize]; exact hlen)]
              refine Eq.trans ?_ (map_unflatten Mode.extent ⟨1, 0⟩ 1 h.encodedLayout.profile h.encodedLayout.modes hlen).symm
              exact congrArg (unflatten 1 h.encodedLayout.profile) (FlatLayout.shape_normalize _)
            rw [e, ← f2]
            exact w2
          · obtain ⟨k1, k2⟩ := w3 x
            rw [show f.flat.encodedLayout = f.encodedLayout.modes from rfl, f3] at k1 k2
            refine ⟨gs ▸ k1, ?_⟩
            rw [← gi, ← k2]
            exact FlatLayout.atIndex_normalize _ x
        obtain ⟨R2, r1, r2⟩ := Layout.isComposite_of_weak hW
        rw [hR'] at r1
        cases r1
        refine ⟨r2, ?_⟩
        have hcoal : FlatLayout.coalesce g.encodedLayout.modes = FlatLayout.coalesce B.modes := by
          rw [g3, Layout.coalesce, Layout.coalesce_nest_modes, FlatLayout.coalesce_idempotent]
          change FlatLayout.coalesce (FlatLayout.normalize B.modes) = _
          rw [← FlatLayout.coalesce_squeeze, ← FlatLayout.coalesce_squeeze B.modes]
          congr 1
          induction B.modes with
          | nil => rfl
          | cons m L ih =>
            simp only [FlatLayout.normalize, FlatLayout.squeeze, ih]
            by_cases h1 : m.extent = 1 <;> simp [h1]
        have key : (Layout.composition B A).isSome = true := by
          refine (Layout.composition_isSome_iff hA).mpr fun D hD => ?_
          rw [← hcoal] at hD ⊢
          obtain ⟨D', hl, he⟩ := StrictAux.exists_uncoalesced g.encodedLayout.modes D hD
          have hsh : FlatLayout.shape g.encodedLayout.modes = g.domain.flatten := TupleMorphism.shape_encodedLayout g1
          have hl' : D'.length = g.domain.flatten.length := by
            rw [hl, ← hsh, FlatLayout.shape, List.length_map]
          obtain ⟨W, hW⟩ := weakComposite_any f1 g1 hw hl' (q := .leaf ())
          have hl2 : D.length = (FlatLayout.shape (FlatLayout.coalesce g.encodedLayout.modes)).length := by
            rw [hD, FlatLayout.shape, List.length_map]
          obtain ⟨R3, _, hR3⟩ := Layout.isComposite_of_weak (A := Layout.ofFlat (FlatLayout.ofShape
            (FlatLayout.shape (FlatLayout.coalesce g.encodedLayout.modes)) D)) (B := A) (W := W) ⟨hW.1, by
              rw [← f2, ← shape_encodedLayout f1]; exact hW.2.1, fun x hx => by
              obtain ⟨k1, k2⟩ := hW.2.2 x (by
                rw [Layout.size, f3]; exact hx)
              rw [f3] at k1 k2
              refine ⟨?_, ?_⟩
              · have e : Layout.size ⟨FlatLayout.ofShape g.domain.flatten D', .leaf ()⟩
                    = FlatLayout.size g.encodedLayout.modes := by
                  rw [Layout.size, size_ofShape hl', FlatLayout.size, hsh]
                rw [Layout.size, Layout.ofFlat, size_ofShape hl2]
                rw [e] at k1
                have := FlatLayout.coalesce_size g.encodedLayout.modes
                rw [FlatLayout.size] at this
                rw [this]; exact k1
              · rw [k2, ← hsh]
                exact he _⟩
          exact ⟨R3, hR3⟩
        obtain ⟨R4, hR4⟩ := Option.isSome_iff_exists.mp key
        have := Layout.compositionComplete_of_composition hA hR4
        rw [(Layout.compositionComplete_eq_some_iff hA).mpr r2] at this
        cases this
        exact hR4
      · cases hc
    · cases hc
  · cases hc

end Category

end Razorgirl
