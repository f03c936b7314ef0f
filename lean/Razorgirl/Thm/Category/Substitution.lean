module

public import Razorgirl.Spec.Category.Refinement
public import Razorgirl.Thm.Coord

@[expose] public section

/-!
# Substitution: nestings as an operad

Tuples put into the places of a tuple. It is associative and has units, and leaves, sizes and the parts over each entry are what
one expects («Categorical Foundations» 2.2).
-/

namespace Razorgirl

namespace Category

open HTuple

namespace SubstitutionAux

theorem flattenList_leaves {α : Type} (l : List α) : flattenList (l.map HTuple.leaf) = l := by
  induction l with
  | nil => rfl
  | cons x l ih => simp [flattenList, flatten, ih]

theorem flattenNestings_append {α : Type} : (ts us : List (HTuple (HTuple α))) →
    flattenNestings (ts ++ us) = flattenNestings ts ++ flattenNestings us
  | [], _ => rfl
  | t :: ts, us => by simp only [List.cons_append, flattenNestings, flattenNestings_append ts us]

mutual
theorem map_leaf' {α : Type} : (t : HTuple α) → flattenNesting (map HTuple.leaf t) = t
  | .leaf _ => rfl
  | .node ts => by simp only [map, flattenNesting, maps_leaf ts]
theorem maps_leaf {α : Type} : (ts : List (HTuple α)) → flattenNestings (mapList HTuple.leaf ts) = ts
  | [] => rfl
  | t :: ts => by simp only [mapList, flattenNestings, map_leaf' t, maps_leaf ts]
end

mutual
theorem assoc' {α : Type} : (t : HTuple (HTuple (HTuple α))) →
    flattenNesting (map flattenNesting t) = flattenNesting (flattenNesting t)
  | .leaf _ => rfl
  | .node ts => by simp only [map, flattenNesting, assocs ts]
theorem assocs {α : Type} : (ts : List (HTuple (HTuple (HTuple α)))) →
    flattenNestings (mapList flattenNesting ts) = flattenNestings (flattenNestings ts)
  | [] => rfl
  | t :: ts => by simp only [mapList, flattenNestings, assoc' t, assocs ts]
end

mutual
theorem flatten_nesting {α : Type} : (t : HTuple (HTuple α)) → (flattenNesting t).flatten = t.flatten.flatMap flatten
  | .leaf t => by simp [flattenNesting, flatten]
  | .node ts => by simp only [flattenNesting, flatten, flatten_nestings ts]
theorem flatten_nestings {α : Type} : (ts : List (HTuple (HTuple α))) →
    flattenList (flattenNestings ts) = (flattenList ts).flatMap flatten
  | [] => rfl
  | t :: ts => by simp only [flattenNestings, flattenList, flatten_nesting t, flatten_nestings ts, List.flatMap_append]
end

mutual
theorem map_nesting {α β : Type} (f : α → β) : (t : HTuple (HTuple α)) →
    map f (flattenNesting t) = flattenNesting (map (map f) t)
  | .leaf _ => rfl
  | .node ts => by simp only [flattenNesting, map, map_nestings f ts]
theorem map_nestings {α β : Type} (f : α → β) : (ts : List (HTuple (HTuple α))) →
    mapList f (flattenNestings ts) = flattenNestings (mapList (map f) ts)
  | [] => rfl
  | t :: ts => by simp only [flattenNestings, mapList, map_nesting f t, map_nestings f ts]
end

mutual
theorem size_nesting : (t : HTuple IntTuple) → IntTuple.size (flattenNesting t) = IntTuple.size (map IntTuple.size t)
  | .leaf _ => rfl
  | .node ts => by simp only [flattenNesting, map, IntTuple.size, size_nestings ts]
theorem size_nestings : (ts : List (HTuple IntTuple)) →
    IntTuple.sizeList (flattenNestings ts) = IntTuple.sizeList (mapList IntTuple.size ts)
  | [] => rfl
  | t :: ts => by simp only [flattenNestings, mapList, IntTuple.sizeList, size_nesting t, size_nestings ts]
end

mutual
theorem over_nesting : (t : HTuple IntTuple) → over (flattenNesting t) (map IntTuple.size t) = some t.flatten
  | .leaf _ => by simp [flattenNesting, map, over, flatten]
  | .node ts => by simp only [flattenNesting, map, over, flatten, over_nestings ts]
theorem over_nestings : (ts : List (HTuple IntTuple)) →
    overList (flattenNestings ts) (mapList IntTuple.size ts) = some (flattenList ts)
  | [] => rfl
  | t :: ts => by simp only [flattenNestings, mapList, overList, flattenList, over_nesting t, over_nestings ts]
end

mutual
theorem over_sound' : {fine coarse : IntTuple} → {parts : List IntTuple} → over fine coarse = some parts →
    ∃ t : HTuple IntTuple, map IntTuple.size t = coarse ∧ flattenNesting t = fine ∧ t.flatten = parts
  | fine, .leaf n, parts, h => by
    simp only [over] at h
    split at h
    · rename_i e
      cases h
      exact ⟨.leaf fine, by simp [map, e], rfl, rfl⟩
    · cases h
  | .node ts, .node cs, parts, h => by
    simp only [over] at h
    obtain ⟨us, h1, h2, h3⟩ := overs_sound h
    exact ⟨.node us, by simp only [map, h1], by simp only [flattenNesting, h2], by simp only [flatten, h3]⟩
  | .leaf _, .node _, _, h => by simp [over] at h
theorem overs_sound : {fine coarse : List IntTuple} → {parts : List IntTuple} → overList fine coarse = some parts →
    ∃ ts : List (HTuple IntTuple), mapList IntTuple.size ts = coarse ∧ flattenNestings ts = fine ∧ flattenList ts = parts
  | [], [], parts, h => by
    simp only [overList, Option.some.injEq] at h
    exact ⟨[], rfl, rfl, h⟩
  | [], _ :: _, _, h => by simp [overList] at h
  | _ :: _, [], _, h => by simp [overList] at h
  | t :: ts, c :: cs, parts, h => by
    simp only [overList] at h
    split at h
    · rename_i a b ha hb
      cases h
      obtain ⟨u, h1, h2, h3⟩ := over_sound' ha
      obtain ⟨us, h4, h5, h6⟩ := overs_sound hb
      exact ⟨u :: us, by simp only [mapList, h1, h4], by simp only [flattenNestings, h2, h5], by simp only [flattenList, h3, h6]⟩
    · cases h
end

mutual
theorem isSome_over : (fine coarse : IntTuple) → ((over fine coarse).isSome = true ↔ IntTuple.compatible coarse fine = true)
  | fine, .leaf n => by
    simp only [over, IntTuple.compatible, beq_iff_eq]
    split <;> simp_all [eq_comm]
  | .node ts, .node cs => by simp only [over, IntTuple.compatible, isSome_overs ts cs]
  | .leaf _, .node _ => by simp [over, IntTuple.compatible]
theorem isSome_overs : (fine coarse : List IntTuple) →
    ((overList fine coarse).isSome = true ↔ IntTuple.compatibleList coarse fine = true)
  | [], [] => by simp [overList, IntTuple.compatibleList]
  | [], _ :: _ => by simp [overList, IntTuple.compatibleList]
  | _ :: _, [] => by simp [overList, IntTuple.compatibleList]
  | t :: ts, c :: cs => by
    have h1 := isSome_over t c
    have h2 := isSome_overs ts cs
    simp only [overList, IntTuple.compatibleList, Bool.and_eq_true, ← h1, ← h2]
    cases over t c <;> cases overList ts cs <;> simp
end

end SubstitutionAux

open SubstitutionAux

/-! ## The operad -/

/-- **Substitution has units on both sides: a tuple in the place of a lone leaf is that tuple, and a leaf in the place of each leaf
changes nothing.**
Rust: `razorgirl::category::NestMorphism::pullback`
Source: Categorical Foundations 2.2.1 -/
theorem flattenNesting_unit {α : Type} (t : HTuple α) :
    flattenNesting (.leaf t) = t ∧ flattenNesting (map HTuple.leaf t) = t := ⟨rfl, map_leaf' t⟩

/-- **Substitution is associative: tuples within tuples within a tuple are one tuple, whichever are put in first.**
Rust: `razorgirl::category::NestMorphism::pullback`
Source: Categorical Foundations 2.2.1 -/
theorem flattenNesting_assoc {α : Type} (t : HTuple (HTuple (HTuple α))) :
    flattenNesting (map flattenNesting t) = flattenNesting (flattenNesting t) := assoc' t

/-- **The leaves of a substitution are the leaves of its parts, in order, and its profile is the substitution of their profiles.**
Rust: `razorgirl::category::NestMorphism::pullback`
Source: Categorical Foundations 2.2.1 -/
theorem flattenNesting_flatten {α : Type} (t : HTuple (HTuple α)) :
    (flattenNesting t).flatten = t.flatten.flatMap flatten ∧
      (flattenNesting t).profile = flattenNesting (map HTuple.profile t) := ⟨flatten_nesting t, map_nesting _ t⟩

/-- **The size of a substitution is the size of the tuple of sizes.**
Rust: `razorgirl::category::NestMorphism::pullback`
Source: Categorical Foundations 2.2.2 -/
theorem size_flattenNesting (t : HTuple IntTuple) : IntTuple.size (flattenNesting t) = IntTuple.size (map IntTuple.size t) :=
  size_nesting t

/-- **What a refinement has over each entry: a tuple refines another exactly where it has parts over its entries, and then
it is these parts in their places. So substitution and taking parts are inverse to each other.**
Rust: `razorgirl::category::relative`
Source: Categorical Foundations 2.2.2 -/
theorem over_eq_some_iff {fine coarse : IntTuple} {parts : List IntTuple} : over fine coarse = some parts ↔
    ∃ t : HTuple IntTuple, map IntTuple.size t = coarse ∧ flattenNesting t = fine ∧ t.flatten = parts := by
  constructor
  · exact over_sound'
  · rintro ⟨t, rfl, rfl, rfl⟩
    exact over_nesting t

/-- **A tuple has parts over each entry of another exactly where it refines it.**
Rust: `razorgirl::category::relative`
Source: Categorical Foundations 2.2.2 -/
theorem over_isSome_iff (fine coarse : IntTuple) :
    (over fine coarse).isSome = true ↔ IntTuple.refines fine coarse = true := by
  rw [IntTuple.refines_iff_compatible]
  exact isSome_over fine coarse

/-- The tuple of parts in the places of a tuple. -/
theorem map_size_unflatten {t : IntTuple} {parts : List IntTuple} (h : parts.map IntTuple.size = t.flatten) :
    map IntTuple.size (unflatten (.leaf 1) t.profile parts) = t := by
  have hl : t.profile.length = parts.length := by
    have e := congrArg List.length h
    rw [List.length_map, length_flatten] at e
    rw [HTuple.profile, length_map, e]
  rw [map_unflatten IntTuple.size (.leaf 1) 1 _ _ hl, h]
  exact unflatten_flatten 1 t

/-- **Parts of the right sizes, put into the places of a tuple: the result refines it, has these parts over its entries, and their
leaves.**
Rust: `razorgirl::category::mutual_refinement`, `razorgirl::category::NestMorphism::pullback`
Source: Categorical Foundations 2.2.2 -/
theorem over_substitute {t : IntTuple} {parts : List IntTuple} (h : parts.map IntTuple.size = t.flatten) :
    over (substitute t parts) t = some parts ∧ IntTuple.refines (substitute t parts) t = true ∧
      (substitute t parts).flatten = parts.flatMap flatten := by
  have hl : t.profile.length = parts.length := by
    have e := congrArg List.length h
    rw [List.length_map, length_flatten] at e
    rw [HTuple.profile, length_map, e]
  have hf : (unflatten (HTuple.leaf 1) t.profile parts).flatten = parts := flatten_unflatten _ _ _ hl
  have h1 : over (substitute t parts) t = some parts := over_eq_some_iff.mpr ⟨_, map_size_unflatten h, rfl, hf⟩
  refine ⟨h1, (over_isSome_iff _ _).mp (by rw [h1]; rfl), ?_⟩
  rw [substitute, flatten_nesting, hf]

end Category

end Razorgirl
