module

public import Razorgirl.Thm.Category.Lift
public import Razorgirl.Thm.Category.Prefix
public import Razorgirl.Thm.Category.Strict
public import Razorgirl.Thm.Category.Substitution

@[expose] public section

/-!
# Nest: pullback, pushforward, and composition by mutual refinement

A morphism is refined along a refinement of its codomain or of its domain, and the function of the index stays («Categorical
Foundations» 3.2.5). With a mutual refinement in the middle, that composes layouts (4.1).
-/

namespace Razorgirl

namespace Category

open HTuple

namespace NestAux

open TupleMorphism TupleAux TractableAux PartsAux NestMorphism

theorem over_sizes {fine coarse : IntTuple} {parts : List IntTuple} (h : over fine coarse = some parts) :
    parts.map IntTuple.size = coarse.flatten ∧ fine.flatten = parts.flatMap flatten := by
  obtain ⟨t, rfl, rfl, rfl⟩ := over_eq_some_iff.mp h
  exact ⟨(flatten_map _ t).symm, (flattenNesting_flatten t).1⟩

theorem lifts_partAt {parts : List IntTuple} : {S α : List Nat} → Matches (parts.map IntTuple.size) S α →
    (∀ v ∈ α, v ≤ parts.length) → Lifts parts S α (S.zipWith (partAt parts) α)
  | [], [], _, _ => trivial
  | [], _ :: _, h, _ => by simp [Matches] at h
  | _ :: _, [], h, _ => by simp [Matches] at h
  | s :: S, v :: α, h, hl => by
    have hv := hl v (by simp)
    by_cases h0 : v = 0
    · exact ⟨by simp [partAt, h0, IntTuple.size], fun h => absurd h0 h, lifts_partAt h.2 fun w hw => hl w (by simp [hw])⟩
    · obtain ⟨i, rfl⟩ : ∃ i, v = i + 1 := ⟨v - 1, by omega⟩
      have hi : i < parts.length := by omega
      have e := h.1.resolve_left h0
      rw [nth_getElem (by simpa using hi), List.getElem_map] at e
      refine ⟨?_, fun _ => ?_, lifts_partAt h.2 fun w hw => hl w (by simp [hw])⟩
      · simp [partAt, List.getD, List.getElem?_eq_getElem hi, e]
      · simp [partAt, List.getD, List.getElem?_eq_getElem hi]

theorem placeOf_of_once {α : List Nat} (h : once α = true) {i : Nat} (hi : i < α.length) (h0 : α[i] ≠ 0) :
    TupleMorphism.placeOf α[i] α = i + 1 := by
  induction α generalizing i with
  | nil => simp at hi
  | cons v α ih =>
    simp only [once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true'] at h
    cases i with
    | zero => simp [TupleMorphism.placeOf]
    | succ i =>
      have hi' : i < α.length := by simpa using hi
      simp only [List.getElem_cons_succ] at h0 ⊢
      have hne : v ≠ α[i] := fun e => by
        have h1 := h.1.resolve_left (by rw [e]; exact h0)
        rw [e, List.contains_iff_mem.mpr (List.getElem_mem hi')] at h1
        cases h1
      simp only [TupleMorphism.placeOf, if_neg hne, ih h.2 hi' h0]
      simp

/-- What stands in the places of the codomain once the parts of the domain are there. -/
def pushed (T α : List Nat) (parts : List IntTuple) : List IntTuple :=
  (FinMap.identity T.length).values.zipWith (NestMorphism.pushedPart parts α) T

theorem getElem_pushed {T α : List Nat} {parts : List IntTuple} {j : Nat} (hj : j < T.length) :
    (pushed T α parts)[j]? = some (NestMorphism.pushedPart parts α (j + 1) T[j]) := by
  rw [pushed, List.getElem?_zipWith]
  simp [FinMap.identity, hj]

theorem sizes_pushed {S T α : List Nat} {parts : List IntTuple} (hS : parts.map IntTuple.size = S) (hm : Matches T S α) :
    (pushed T α parts).map IntTuple.size = T := by
  refine List.ext_getElem? fun j => ?_
  rw [List.getElem?_map]
  by_cases hj : j < T.length
  · rw [getElem_pushed hj, Option.map_some, List.getElem?_eq_getElem hj]
    congr 1
    simp only [NestMorphism.pushedPart, NestMorphism.partAt]
    split
    · simp [IntTuple.size]
    · rename_i h0
      have hmem : j + 1 ∈ α := by
        by_cases h : j + 1 ∈ α
        · exact h
        · exact absurd (placeOf_eq_zero_iff.mpr h) h0
      obtain ⟨h1, h2⟩ := nth_placeOf hmem
      obtain ⟨i, hi⟩ : ∃ i, TupleMorphism.placeOf (j + 1) α = i + 1 := ⟨TupleMorphism.placeOf (j + 1) α - 1, by omega⟩
      rw [hi] at h1 h2
      have hiα : i < α.length := by omega
      have hiS : i < S.length := by rw [length_map_of_matches hm]; exact hiα
      have hip : i < parts.length := by rw [← hS] at hiS; simpa using hiS
      rw [nth_getElem hiα] at h1
      have e := (matches_getElem hm hiS hiα).resolve_left (by omega)
      rw [h1, nth_getElem hj] at e
      rw [hi, Nat.add_sub_cancel, List.getD, List.getElem?_eq_getElem hip, Option.getD_some, e]
      have := List.getElem_of_eq hS.symm hiS
      rw [this, List.getElem_map]
  · have : (pushed T α parts).length = T.length := by simp [pushed, FinMap.identity]
    rw [List.getElem?_eq_none (by omega), List.getElem?_eq_none (by omega)]
    rfl

theorem lifts_pushed {T α : List Nat} {parts : List IntTuple} (ho : once α = true) (hl : ∀ v ∈ α, v ≤ T.length) :
    {S : List Nat} → parts.map IntTuple.size = S → Matches T S α → Lifts (pushed T α parts) S α parts := by
  intro S hS hm
  -- each image is the place of its own entry
  have key : ∀ i (hi : i < α.length) (hp : i < parts.length), α[i] ≠ 0 → (pushed T α parts)[α[i] - 1]? = some parts[i] := by
    intro i hi hp h0
    have hv := hl _ (List.getElem_mem hi)
    rw [getElem_pushed (by omega), NestMorphism.pushedPart, show α[i] - 1 + 1 = α[i] by omega, placeOf_of_once ho hi h0,
      NestMorphism.partAt, if_neg (by omega), Nat.add_sub_cancel, List.getD, List.getElem?_eq_getElem hp, Option.getD_some]
  generalize pushed T α parts = U at key
  clear hl ho
  induction α generalizing S parts with
  | nil =>
    cases S with
    | nil =>
      have : parts = [] := by simpa using hS
      subst this
      trivial
    | cons s S => simp [Matches] at hm
  | cons v α ih =>
    cases S with
    | nil => simp [Matches] at hm
    | cons s S =>
      cases parts with
      | nil => simp at hS
      | cons t ts =>
        simp only [List.map_cons, List.cons.injEq] at hS
        refine ⟨hS.1, fun h0 => key 0 (by simp) (by simp) h0, ih hS.2 hm.2 fun i hi hp h0 => ?_⟩
        exact key (i + 1) (by simpa using hi) (by simpa using hp) h0

end NestAux

open NestAux TupleMorphism

namespace NestMorphism

/-- **Nest is Tuple, up to isomorphism: a morphism of nested tuples is one of their entries, each of those is exactly one, it composes
as they do, and every tuple of entries is that of a nested tuple.**
Rust: `razorgirl::category::NestMorphism::flat`, `razorgirl::category::NestMorphism::from_flat`
Source: Categorical Foundations 3.2.1 -/
theorem equivalence_flat :
    (∀ (S T : IntTuple) (k : TupleMorphism), k.domain = S.flatten → k.codomain = T.flatten →
      ∃ f : NestMorphism, (f.domain = S ∧ f.codomain = T ∧ f.flat = k) ∧
        ∀ g : NestMorphism, g.domain = S ∧ g.codomain = T ∧ g.flat = k → g = f) ∧
    (∀ f g : NestMorphism, same f.codomain g.domain = true →
      ∃ h, f.comp g = some h ∧ f.flat.comp g.flat = some h.flat ∧ h.domain = f.domain ∧ h.codomain = g.codomain) ∧
    ∀ k : TupleMorphism, (ofFlat k).flat = k := by
  refine ⟨fun S T k h1 h2 => ⟨⟨S, T, k.map⟩, ⟨rfl, rfl, ?_⟩, ?_⟩, fun f g h => ?_, fun k => ?_⟩
  · cases k; simp_all [flat]
  · rintro ⟨S', T', α⟩ ⟨rfl, rfl, rfl⟩
    rfl
  · have hc : f.comp g = some ⟨f.domain, g.codomain, f.map.map (nth 0 g.map)⟩ := by simp only [comp, h, if_true]
    exact ⟨_, hc, comp_flat hc⟩
  · have key : ∀ l : List Nat, (flatTuple l).flatten = l := SubstitutionAux.flattenList_leaves
    cases k
    simp only [ofFlat, flat, key]

/-- **Along a refinement of the codomain every morphism is pulled back, and along no other tuple.**
Rust: `razorgirl::category::NestMorphism::pullback`
Source: Categorical Foundations 3.2.5.11 -/
theorem pullback_isSome_iff (f : NestMorphism) (fine : IntTuple) :
    (f.pullback fine).isSome = true ↔ IntTuple.refines fine f.codomain = true := by
  rw [← over_isSome_iff, pullback]
  cases over fine f.codomain <;> simp

/-- **Pullback keeps the function: the result is a morphism into the refinement, its domain refines that of f, and its layout has
the same value at every index.**
Rust: `razorgirl::category::NestMorphism::pullback`
Source: Categorical Foundations 3.2.5.11 -/
theorem atIndex_pullback {f f' : NestMorphism} {fine : IntTuple} (hf : f.flat.Valid) (h : f.pullback fine = some f') :
    f'.flat.Valid ∧ f'.codomain = fine ∧ IntTuple.refines f'.domain f.domain = true ∧
      ∀ x, FlatLayout.atIndex f'.flat.encodedLayout x = FlatLayout.atIndex f.flat.encodedLayout x := by
  simp only [pullback] at h
  split at h
  · rename_i parts ho
    cases h
    obtain ⟨h1, h2⟩ := over_sizes ho
    have hm : Matches (parts.map IntTuple.size) f.domain.flatten f.map := h1 ▸ hf.2.2.2
    have hl : Lifts parts f.domain.flatten f.map (f.domain.flatten.zipWith (partAt parts) f.map) :=
      lifts_partAt hm fun v hv => by
        have := hf.2.2.1.1 v hv
        simp only [fin, flat] at this
        rw [← h1, List.length_map] at this
        exact this
    obtain ⟨_, h4, h5⟩ := over_substitute (sizes_of_lifts hl)
    have e : NestMorphism.flat ⟨substitute f.domain (f.domain.flatten.zipWith (partAt parts) f.map), fine,
        (f.map.zipWith (fun v t => spread parts v t.length) (f.domain.flatten.zipWith (partAt parts) f.map)).flatten⟩
        = lift parts f.map (f.domain.flatten.zipWith (partAt parts) f.map) := by
      simp only [flat, lift, spreads, h5, h2]
    have hv : TupleMorphism.Valid ⟨f.domain.flatten, parts.map IntTuple.size, f.map⟩ := by rw [h1]; exact hf
    refine ⟨e ▸ valid_lift hl hv, rfl, h4, fun x => ?_⟩
    rw [e, atIndex_lift hl, h1]
    rfl
  · cases h

/-- **Along a refinement of the domain every morphism is pushed forward, and along no other tuple.**
Rust: `razorgirl::category::NestMorphism::pushforward`
Source: Categorical Foundations 3.2.5.15 -/
theorem pushforward_isSome_iff (f : NestMorphism) (fine : IntTuple) :
    (f.pushforward fine).isSome = true ↔ IntTuple.refines fine f.domain = true := by
  rw [← over_isSome_iff, pushforward]
  cases over fine f.domain <;> simp

/-- **Pushforward keeps the function: the result is a morphism from the refinement, its codomain refines that of f, and its layout
has the same value at every index.**
Rust: `razorgirl::category::NestMorphism::pushforward`
Source: Categorical Foundations 3.2.5.15 -/
theorem atIndex_pushforward {f f' : NestMorphism} {fine : IntTuple} (hf : f.flat.Valid) (h : f.pushforward fine = some f') :
    f'.flat.Valid ∧ f'.domain = fine ∧ IntTuple.refines f'.codomain f.codomain = true ∧
      ∀ x, FlatLayout.atIndex f'.flat.encodedLayout x = FlatLayout.atIndex f.flat.encodedLayout x := by
  simp only [pushforward] at h
  split at h
  · rename_i parts ho
    cases h
    obtain ⟨h1, h2⟩ := over_sizes ho
    have hlen : f.codomain.length = f.codomain.flatten.length := (length_flatten _).symm
    have hp : (FinMap.identity f.codomain.length).values.zipWith (pushedPart parts f.map) f.codomain.flatten
        = pushed f.codomain.flatten f.map parts := by rw [pushed, hlen]
    rw [hp]
    have hs : (pushed f.codomain.flatten f.map parts).map IntTuple.size = f.codomain.flatten := sizes_pushed h1 hf.2.2.2
    have hl : Lifts (pushed f.codomain.flatten f.map parts) f.domain.flatten f.map parts :=
      lifts_pushed hf.2.2.1.2 hf.2.2.1.1 h1 hf.2.2.2
    obtain ⟨_, h4, h5⟩ := over_substitute hs
    have e : NestMorphism.flat ⟨fine, substitute f.codomain (pushed f.codomain.flatten f.map parts),
        (f.map.zipWith (fun v t => spread (pushed f.codomain.flatten f.map parts) v t.length) parts).flatten⟩
        = lift (pushed f.codomain.flatten f.map parts) f.map parts := by
      simp only [flat, lift, spreads, h5, h2]
    have hv : TupleMorphism.Valid ⟨f.domain.flatten, (pushed f.codomain.flatten f.map parts).map IntTuple.size, f.map⟩ := by
      rw [hs]; exact hf
    refine ⟨e ▸ valid_lift hl hv, rfl, h4, fun x => ?_⟩
    rw [e, atIndex_lift hl, hs]
    rfl
  · cases h

end NestMorphism

/-! ## Composition by mutual refinement -/

namespace NestAux

open TupleMorphism TupleAux TractableAux PartsAux

/-- A morphism into the first entries of a longer tuple. -/
theorem valid_extend {S T α U : List Nat} (hf : Valid ⟨S, T, α⟩) (hU : ∀ t ∈ T ++ U, 0 < t) :
    Valid ⟨S, T ++ U, α⟩ ∧ encodedLayout ⟨S, T ++ U, α⟩ = encodedLayout ⟨S, T, α⟩ := by
  have hl : ∀ v ∈ α, v ≤ T.length := hf.2.2.1.1
  refine ⟨⟨hf.1, hU, ⟨fun v hv => ?_, hf.2.2.1.2⟩, matches_append_left U hf.2.2.2 hl⟩, ?_⟩
  · simp only [fin, List.length_append]
    have := hl v hv
    omega
  · simp only [encodedLayout]
    congr 1
    exact List.map_congr_left fun v hv => stride_append_left U (hl v hv)

theorem flatten_partTuple (g : List Nat) : (partTuple g).flatten = g := by
  match g with
  | [] => rfl
  | [n] => rfl
  | n :: m :: g =>
    simp only [partTuple, flatten]
    exact SubstitutionAux.flattenList_leaves _

theorem flatMap_partTuple (a : List (List Nat)) : (a.map partTuple).flatMap flatten = a.flatten := by
  induction a with
  | nil => rfl
  | cons g a ih => simp only [List.map_cons, List.flatMap_cons, List.flatten_cons, flatten_partTuple, ih]

theorem sizes_partTuple (a : List (List Nat)) : (a.map partTuple).map IntTuple.size = a.map prod := by
  rw [List.map_map]
  refine List.map_congr_left fun g _ => ?_
  rw [Function.comp_apply, IntTuple.size_eq_prod_flatten, flatten_partTuple]

/-- A mutual refinement refines both, and the leaves of the first begin those of the second. -/
theorem mutualRefinement_refines {t u t' u' : IntTuple} (h : mutualRefinement t u = some (t', u')) :
    IntTuple.refines t' t = true ∧ IntTuple.refines u' u = true ∧ t'.flatten <+: u'.flatten := by
  simp only [mutualRefinement] at h
  split at h
  · rename_i a b hab
    cases h
    obtain ⟨h1, h2, h3⟩ := flatRefinement_sound hab
    obtain ⟨_, a2, a3⟩ := over_substitute (t := t) (parts := a.map partTuple) (by rw [sizes_partTuple, h1])
    obtain ⟨_, b2, b3⟩ := over_substitute (t := u) (parts := b.map partTuple) (by rw [sizes_partTuple, h2])
    exact ⟨a2, b2, by rw [a3, b3, flatMap_partTuple, flatMap_partTuple]; exact h3⟩
  · cases h

theorem weakComposite_parts {f g h : NestMorphism} (hw : weakComposite f g = some h) : ∃ t u f' g',
    mutualRefinement f.codomain g.domain = some (t, u) ∧ f.pullback t = some f' ∧ g.pushforward u = some g' ∧
      h = ⟨f'.domain, g'.codomain, f'.map.map (nth 0 g'.map)⟩ := by
  simp only [weakComposite] at hw
  split at hw
  · rename_i t u hr
    split at hw
    · rename_i f' g' h1 h2
      cases hw
      exact ⟨t, u, f', g', hr, h1, h2, rfl⟩
    · cases hw
  · cases hw

end NestAux

open NestAux

/-- **What mutual refinement composes is the composite: the result is a morphism whose domain refines that of f, and its layout has
at every index the value of L_g at the value of L_f.**
Rust: `razorgirl::category::weak_composite`
Source: Categorical Foundations 4.1.3.1 -/
theorem atIndex_weakComposite {f g h : NestMorphism} (hf : f.flat.Valid) (hg : g.flat.Valid) (hw : weakComposite f g = some h) :
    h.flat.Valid ∧ IntTuple.refines h.domain f.domain = true ∧ ∀ x,
      FlatLayout.atIndex f.flat.encodedLayout x < FlatLayout.size g.flat.encodedLayout ∧
      FlatLayout.atIndex h.flat.encodedLayout x =
        FlatLayout.atIndex g.flat.encodedLayout (FlatLayout.atIndex f.flat.encodedLayout x) := by
  obtain ⟨t, u, f', g', hr, h1, h2, rfl⟩ := weakComposite_parts hw
  obtain ⟨_, hu, hp⟩ := mutualRefinement_refines hr
  obtain ⟨a1, a2, a3, a4⟩ := NestMorphism.atIndex_pullback hf h1
  obtain ⟨b1, b2, b3, b4⟩ := NestMorphism.atIndex_pushforward hg h2
  obtain ⟨U, hU⟩ := hp
  have hdom : f'.codomain.flatten ++ U = g'.domain.flatten := by rw [a2, b2, hU]
  obtain ⟨c1, c2⟩ := valid_extend (S := f'.domain.flatten) (T := f'.codomain.flatten) (α := f'.map) (U := U) a1 (hdom ▸ b1.1)
  have hc : TupleMorphism.comp ⟨f'.domain.flatten, f'.codomain.flatten ++ U, f'.map⟩ g'.flat
      = some ⟨f'.domain.flatten, g'.codomain.flatten, f'.map.map (nth 0 g'.map)⟩ := by
    simp only [TupleMorphism.comp, NestMorphism.flat, hdom, if_true]
  have hv := TupleMorphism.valid_comp c1 b1 hc
  refine ⟨hv, a3, fun x => ⟨?_, ?_⟩⟩
  · rw [← a4]
    change FlatLayout.atIndex (TupleMorphism.encodedLayout ⟨f'.domain.flatten, f'.codomain.flatten, f'.map⟩) x < _
    rw [← c2, ← TupleMorphism.realization_eq c1]
    have hs : FlatLayout.size g.flat.encodedLayout = prod (f'.codomain.flatten ++ U) := by
      rw [FlatLayout.size, TupleMorphism.shape_encodedLayout hg, hdom, b2]
      change prod g.domain.flatten = _
      rw [← IntTuple.size_eq_prod_flatten, ← IntTuple.size_eq_prod_flatten]
      exact (IntTuple.size_eq_of_refines hu).symm
    rw [hs]
    exact TupleMorphism.realization_lt c1 x
  · have key := TupleMorphism.realization_comp c1 b1 hc x
    rw [TupleMorphism.realization_eq hv, TupleMorphism.realization_eq b1, TupleMorphism.realization_eq c1, c2] at key
    rw [← a4, ← b4]
    exact key

/-- **The algorithm succeeds exactly where the prefix products of f's codomain and of g's domain are a chain of divisors, and the
first has no larger product, if that domain has an entry or that codomain none.** Where a composite exists and they are not, it gives
up: it is sound and not complete.
Rust: `razorgirl::category::weak_composite`
Source: Categorical Foundations 4.1.2 (E8: `weakComposite_counterexample`) -/
theorem weakComposite_isSome_iff {f g : NestMorphism} (hf : f.flat.Valid) (hg : g.flat.Valid)
    (h : g.domain.flatten ≠ [] ∨ f.codomain.flatten = []) : (weakComposite f g).isSome = true ↔
      prod f.codomain.flatten ≤ prod g.domain.flatten ∧ Comparable f.codomain.flatten g.domain.flatten := by
  rw [← flatRefinement_isSome_iff_comparable (fun x hx => by have := hf.2.1 x hx; omega)
    (fun y hy => by have := hg.1 y hy; omega) h]
  constructor
  · intro hs
    obtain ⟨w, hw⟩ := Option.isSome_iff_exists.mp hs
    obtain ⟨t, u, _, _, hr, _⟩ := weakComposite_parts hw
    simp only [mutualRefinement] at hr
    split at hr
    · rename_i e; rw [e]; rfl
    · cases hr
  · intro hs
    obtain ⟨⟨a, b⟩, hab⟩ := Option.isSome_iff_exists.mp hs
    have hr : mutualRefinement f.codomain g.domain
        = some (substitute f.codomain (a.map partTuple), substitute g.domain (b.map partTuple)) := by
      simp only [mutualRefinement, hab]
    obtain ⟨h1, h2, _⟩ := mutualRefinement_refines hr
    obtain ⟨f', hf'⟩ := Option.isSome_iff_exists.mp ((NestMorphism.pullback_isSome_iff f _).mpr h1)
    obtain ⟨g', hg'⟩ := Option.isSome_iff_exists.mp ((NestMorphism.pushforward_isSome_iff g _).mpr h2)
    simp only [weakComposite, hr, hf', hg']
    rfl

/-- E8: 4:3 lies inside 10:1, and 4:3 is the composite, but the algorithm gives up: the codomain (3,4) of its morphism has the product
12, and 3 and 10 do not divide each other. -/
theorem weakComposite_counterexample :
    (weakComposite ⟨.leaf 4, .node [.leaf 3, .leaf 4], [2]⟩ ⟨.leaf 10, .node [.leaf 10], [1]⟩).isNone = true ∧
      (NestMorphism.encodedLayout ⟨.leaf 4, .node [.leaf 3, .leaf 4], [2]⟩).modes = [⟨4, 3⟩] ∧
      FlatLayout.offsets [⟨4, 3⟩] = (FlatLayout.offsets [⟨4, 3⟩]).map (FlatLayout.atIndex [⟨10, 1⟩]) ∧
      (FlatLayout.offsets [⟨4, 3⟩]).all (· < 10) = true := by decide

end Category

end Razorgirl
