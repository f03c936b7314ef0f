module

public import Razorgirl.Data.List

@[expose] public section

/-!
# Nested tuples: what is proved

A nested tuple is its list of values together with its profile, and either can be changed without the other.
Compatibility (in the other direction: refinement) is a partial order that keeps the size.
-/

namespace Razorgirl

namespace HTuple

/-! ## Values and nesting -/

mutual
theorem length_eq_flatten_length {α : Type} : (t : HTuple α) → t.length = t.flatten.length
  | .leaf _ => rfl
  | .node ts => by simp [length, flatten, lengthList_eq_flattenList_length ts]
theorem lengthList_eq_flattenList_length {α : Type} :
    (ts : List (HTuple α)) → lengthList ts = (flattenList ts).length
  | [] => rfl
  | t :: ts => by
    simp [lengthList, flattenList, length_eq_flatten_length t, lengthList_eq_flattenList_length ts]
end

mutual
theorem length_map {α β : Type} (f : α → β) : (t : HTuple α) → (map f t).length = t.length
  | .leaf _ => rfl
  | .node ts => by simp [map, length, lengthList_mapList f ts]
theorem lengthList_mapList {α β : Type} (f : α → β) :
    (ts : List (HTuple α)) → lengthList (mapList f ts) = lengthList ts
  | [] => rfl
  | t :: ts => by simp [mapList, lengthList, length_map f t, lengthList_mapList f ts]
end

mutual
theorem flatten_map {α β : Type} (f : α → β) : (t : HTuple α) → (map f t).flatten = t.flatten.map f
  | .leaf _ => rfl
  | .node ts => by simp [map, flatten, flattenList_mapList f ts]
theorem flattenList_mapList {α β : Type} (f : α → β) :
    (ts : List (HTuple α)) → flattenList (mapList f ts) = (flattenList ts).map f
  | [] => rfl
  | t :: ts => by simp [mapList, flattenList, flatten_map f t, flattenList_mapList f ts]
end

mutual
theorem map_map {α β γ : Type} (f : α → β) (g : β → γ) :
    (t : HTuple α) → map g (map f t) = map (fun a => g (f a)) t
  | .leaf _ => rfl
  | .node ts => by simp [map, mapList_mapList f g ts]
theorem mapList_mapList {α β γ : Type} (f : α → β) (g : β → γ) :
    (ts : List (HTuple α)) → mapList g (mapList f ts) = mapList (fun a => g (f a)) ts
  | [] => rfl
  | t :: ts => by simp [mapList, map_map f g t, mapList_mapList f g ts]
end

mutual
theorem map_id {α : Type} : (t : HTuple α) → map (fun a => a) t = t
  | .leaf _ => rfl
  | .node ts => by simp [map, mapList_id ts]
theorem mapList_id {α : Type} : (ts : List (HTuple α)) → mapList (fun a => a) ts = ts
  | [] => rfl
  | t :: ts => by simp [mapList, map_id t, mapList_id ts]
end

theorem length_mapList {α β : Type} (f : α → β) (ts : List (HTuple α)) :
    (mapList f ts).length = ts.length := by
  induction ts with
  | nil => rfl
  | cons t ts ih => simp [mapList, ih]

theorem mapList_eq_map {α β : Type} (f : α → β) (ts : List (HTuple α)) : mapList f ts = ts.map (map f) := by
  induction ts with
  | nil => rfl
  | cons t ts ih => simp [mapList, ih]

theorem flattenList_eq_flatMap {α : Type} (ts : List (HTuple α)) : flattenList ts = ts.flatMap flatten := by
  induction ts with
  | nil => rfl
  | cons t ts ih => simp [flattenList, ih]

theorem flattenList_append {α : Type} (as bs : List (HTuple α)) :
    flattenList (as ++ bs) = flattenList as ++ flattenList bs := by
  induction as with
  | nil => rfl
  | cons a as ih => simp [flattenList, ih]

theorem length_children {α : Type} : (t : HTuple α) → t.children.length = t.rank
  | .leaf _ => rfl
  | .node _ => rfl

theorem flattenList_children {α : Type} : (t : HTuple α) → flattenList t.children = t.flatten
  | .leaf a => by simp [children, flattenList, HTuple.flatten]
  | .node ts => by rw [children, HTuple.flatten]

theorem rank_map {α β : Type} (f : α → β) : (t : HTuple α) → (map f t).rank = t.rank
  | .leaf _ => rfl
  | .node ts => by simp [map, rank, length_mapList f ts]

mutual
theorem depth_map {α β : Type} (f : α → β) : (t : HTuple α) → (map f t).depth = t.depth
  | .leaf _ => rfl
  | .node ts => by simp [map, depth, depthList_mapList f ts]
theorem depthList_mapList {α β : Type} (f : α → β) :
    (ts : List (HTuple α)) → depthList (mapList f ts) = depthList ts
  | [] => rfl
  | t :: ts => by simp [mapList, depthList, depth_map f t, depthList_mapList f ts]
end

theorem profile_map {α β : Type} (f : α → β) (t : HTuple α) : (map f t).profile = t.profile := by
  simp [profile, map_map]

theorem profile_profile {α : Type} (t : HTuple α) : t.profile.profile = t.profile := profile_map _ t

theorem profile_of_profile (p : Profile) : p.profile = p := map_id p

/-- **The number of leaves is the length of the flattened tuple.**
Rust: `razorgirl::HTuple::flatten`
Source: Categorical Foundations 2.2; CuTe `flatten_to_tuple`. -/
theorem length_flatten {α : Type} (t : HTuple α) : t.flatten.length = t.length :=
  (length_eq_flatten_length t).symm

/-- **The profile of a tuple has as many leaves as the tuple.**
Rust: `razorgirl::Profile::leaf_count`
Source: Categorical Foundations 2.2. -/
theorem length_profile {α : Type} (t : HTuple α) : t.profile.length = t.length := length_map _ t

/-- **The profile of a tuple has the rank of the tuple.**
Rust: `razorgirl::Profile::rank`
Source: Categorical Foundations 2.2; CuTe `rank`. -/
theorem rank_profile {α : Type} (t : HTuple α) : t.profile.rank = t.rank := rank_map _ t

/-- **The profile of a tuple has the depth of the tuple.**
Rust: `razorgirl::Profile::depth`
Source: Categorical Foundations 2.2; CuTe `depth`. -/
theorem depth_profile {α : Type} (t : HTuple α) : t.profile.depth = t.depth := depth_map _ t

/-! ## Filling a profile -/

mutual
theorem fill_snd {α : Type} (d : α) :
    (p : Profile) → (xs : List α) → (fill d p xs).2 = xs.drop p.length
  | .leaf _, [] => rfl
  | .leaf _, x :: xs => rfl
  | .node ps, xs => by simp [fill, length, fillList_snd d ps xs]
theorem fillList_snd {α : Type} (d : α) :
    (ps : List Profile) → (xs : List α) → (fillList d ps xs).2 = xs.drop (lengthList ps)
  | [], xs => rfl
  | p :: ps, xs => by
    simp [fillList, lengthList, fill_snd d p xs, fillList_snd d ps, List.drop_drop]
end

mutual
theorem flatten_fill {α : Type} (d : α) : (p : Profile) → (xs : List α) → p.length ≤ xs.length →
    (fill d p xs).1.flatten = xs.take p.length
  | .leaf _, [], h => by simp [length] at h
  | .leaf _, x :: xs, _ => by simp [fill, flatten, length]
  | .node ps, xs, h => by
    simp only [length] at h
    simp [fill, flatten, length, flattenList_fillList d ps xs h]
theorem flattenList_fillList {α : Type} (d : α) : (ps : List Profile) → (xs : List α) →
    lengthList ps ≤ xs.length → flattenList (fillList d ps xs).1 = xs.take (lengthList ps)
  | [], xs, _ => by simp [fillList, flattenList, lengthList]
  | p :: ps, xs, h => by
    simp only [lengthList] at h
    have h1 := flatten_fill d p xs (by omega)
    have h2 := flattenList_fillList d ps (fill d p xs).2 (by rw [fill_snd, List.length_drop]; omega)
    rw [fill_snd] at h2
    simp only [fillList, flattenList, lengthList, h1, h2, fill_snd]
    exact List.take_add.symm
end

mutual
theorem profile_fill {α : Type} (d : α) : (p : Profile) → (xs : List α) → (fill d p xs).1.profile = p
  | .leaf _, [] => rfl
  | .leaf _, x :: xs => rfl
  | .node ps, xs => by
    have := profileList_fillList d ps xs
    simp only [fill, profile, map, this]
theorem profileList_fillList {α : Type} (d : α) : (ps : List Profile) → (xs : List α) →
    mapList (fun _ => ()) (fillList d ps xs).1 = ps
  | [], xs => rfl
  | p :: ps, xs => by
    have h1 := profile_fill d p xs
    have h2 := profileList_fillList d ps (fill d p xs).2
    simp only [profile] at h1
    simp only [fillList, mapList, h1, h2]
end

mutual
theorem fill_profile_flatten {α : Type} (d : α) : (t : HTuple α) → (xs : List α) →
    fill d t.profile (t.flatten ++ xs) = (t, xs)
  | .leaf _, xs => rfl
  | .node ts, xs => by
    have := fillList_profile_flattenList d ts xs
    simp only [profile, map, flatten, fill, this]
theorem fillList_profile_flattenList {α : Type} (d : α) : (ts : List (HTuple α)) → (xs : List α) →
    fillList d (mapList (fun _ => ()) ts) (flattenList ts ++ xs) = (ts, xs)
  | [], xs => rfl
  | t :: ts, xs => by
    have h1 := fill_profile_flatten d t (flattenList ts ++ xs)
    have h2 := fillList_profile_flattenList d ts xs
    simp only [profile] at h1
    simp only [mapList, flattenList, List.append_assoc, fillList, h1, h2]
end

/-- **Flattening what was built from a profile and a list of values gives the list back.**
Rust: `razorgirl::HTuple::nested`
Source: Categorical Foundations 2.2; CuTe `unflatten`. -/
theorem flatten_unflatten {α : Type} (d : α) (p : Profile) (xs : List α) (h : p.length = xs.length) :
    (unflatten d p xs).flatten = xs := by
  rw [unflatten, flatten_fill d p xs (by omega), h, List.take_length]

/-- **What is built from a profile has that profile, whatever the values.**
Rust: `razorgirl::HTuple::nested`
Source: Categorical Foundations 2.2; CuTe `unflatten`. -/
theorem profile_unflatten {α : Type} (d : α) (p : Profile) (xs : List α) :
    (unflatten d p xs).profile = p := profile_fill d p xs

/-- **A nested tuple is its list of values put back into its profile.**
Rust: `razorgirl::HTuple::nested`
Source: Categorical Foundations 2.2; CuTe `unflatten`. -/
theorem unflatten_flatten {α : Type} (d : α) (t : HTuple α) : unflatten d t.profile t.flatten = t := by
  have := fill_profile_flatten d t []
  rw [List.append_nil] at this
  rw [unflatten, this]

mutual
theorem eq_of_map_eq_of_flatten_eq {α : Type} : (a b : HTuple α) →
    map (fun _ => ()) a = map (fun _ => ()) b → a.flatten = b.flatten → a = b
  | .leaf _, .leaf _, _, hf => by simpa [flatten] using hf
  | .leaf _, .node _, hp, _ => by simp [map] at hp
  | .node _, .leaf _, hp, _ => by simp [map] at hp
  | .node as, .node bs, hp, hf => by
    rw [eqList_of_mapList_eq_of_flattenList_eq as bs (by simpa [map] using hp) hf]
theorem eqList_of_mapList_eq_of_flattenList_eq {α : Type} : (as bs : List (HTuple α)) →
    mapList (fun _ => ()) as = mapList (fun _ => ()) bs → flattenList as = flattenList bs → as = bs
  | [], [], _, _ => rfl
  | [], _ :: _, hp, _ => by simp [mapList] at hp
  | _ :: _, [], hp, _ => by simp [mapList] at hp
  | a :: as, b :: bs, hp, hf => by
    simp only [mapList, List.cons.injEq] at hp
    simp only [flattenList] at hf
    have hl : a.flatten.length = b.flatten.length := by
      rw [length_flatten, length_flatten, ← length_map (fun _ => ()) a, ← length_map (fun _ => ()) b, hp.1]
    have hf := List.append_inj hf hl
    rw [eq_of_map_eq_of_flatten_eq a b hp.1 hf.1,
      eqList_of_mapList_eq_of_flattenList_eq as bs hp.2 hf.2]
end

/-- **Two nested tuples are equal when their nesting and their values are.**
Source: Categorical Foundations 2.2. -/
theorem eq_of_profile_eq_of_flatten_eq {α : Type} {a b : HTuple α} (hp : a.profile = b.profile)
    (hf : a.flatten = b.flatten) : a = b := eq_of_map_eq_of_flatten_eq a b hp hf

theorem map_unflatten {α β : Type} (f : α → β) (d : α) (e : β) (p : Profile) (xs : List α)
    (h : p.length = xs.length) : map f (unflatten d p xs) = unflatten e p (xs.map f) := by
  apply eq_of_profile_eq_of_flatten_eq
  · rw [profile_map, profile_unflatten, profile_unflatten]
  · rw [flatten_map, flatten_unflatten d p xs h, flatten_unflatten e p _ (by simpa using h)]

/-! ## Equality can be decided -/

mutual
/-- Decides equality of nested tuples. -/
def decEq {α : Type} [DecidableEq α] : (a b : HTuple α) → Decidable (a = b)
  | .leaf x, .leaf y => if h : x = y then isTrue (by rw [h]) else isFalse (by simp [h])
  | .node as, .node bs => match decEqList as bs with
    | isTrue h => isTrue (by rw [h])
    | isFalse h => isFalse (by simp [h])
  | .leaf _, .node _ => isFalse (by simp)
  | .node _, .leaf _ => isFalse (by simp)
/-- Decides equality of lists of nested tuples. -/
def decEqList {α : Type} [DecidableEq α] : (as bs : List (HTuple α)) → Decidable (as = bs)
  | [], [] => isTrue rfl
  | [], _ :: _ => isFalse (by simp)
  | _ :: _, [] => isFalse (by simp)
  | a :: as, b :: bs => match decEq a b, decEqList as bs with
    | isTrue h, isTrue h' => isTrue (by rw [h, h'])
    | isFalse h, _ => isFalse (by simp [h])
    | _, isFalse h => isFalse (by simp [h])
end

instance {α : Type} [DecidableEq α] : DecidableEq (HTuple α) := decEq

/-! ## Congruence: the same nesting -/

mutual
theorem congruent_iff_map_eq {α β : Type} : (a : HTuple α) → (b : HTuple β) →
    (congruent a b = true ↔ map (fun _ => ()) a = map (fun _ => ()) b)
  | .leaf _, .leaf _ => by simp [congruent, map]
  | .leaf _, .node _ => by simp [congruent, map]
  | .node _, .leaf _ => by simp [congruent, map]
  | .node as, .node bs => by simp [congruent, map, congruentList_iff_mapList_eq as bs]
theorem congruentList_iff_mapList_eq {α β : Type} : (as : List (HTuple α)) → (bs : List (HTuple β)) →
    (congruentList as bs = true ↔ mapList (fun _ => ()) as = mapList (fun _ => ()) bs)
  | [], [] => by simp [congruentList, mapList]
  | [], _ :: _ => by simp [congruentList, mapList]
  | _ :: _, [] => by simp [congruentList, mapList]
  | a :: as, b :: bs => by
    simp [congruentList, mapList, congruent_iff_map_eq a b, congruentList_iff_mapList_eq as bs]
end

/-- **Two tuples are congruent exactly when they have the same profile.**
Rust: `razorgirl::HTuple::congruent`
Source: Categorical Foundations 2.2; CuTe `congruent`. -/
theorem congruent_iff_profile_eq {α β : Type} (a : HTuple α) (b : HTuple β) :
    congruent a b = true ↔ a.profile = b.profile := congruent_iff_map_eq a b

theorem congruent_refl {α : Type} (a : HTuple α) : congruent a a = true :=
  (congruent_iff_profile_eq a a).2 rfl

theorem congruent_symm {α β : Type} {a : HTuple α} {b : HTuple β} (h : congruent a b = true) :
    congruent b a = true :=
  (congruent_iff_profile_eq b a).2 ((congruent_iff_profile_eq a b).1 h).symm

theorem congruent_trans {α β γ : Type} {a : HTuple α} {b : HTuple β} {c : HTuple γ}
    (h : congruent a b = true) (h' : congruent b c = true) : congruent a c = true :=
  (congruent_iff_profile_eq a c).2
    (((congruent_iff_profile_eq a b).1 h).trans ((congruent_iff_profile_eq b c).1 h'))

/-- **Congruent tuples have the same number of leaves.**
Rust: `razorgirl::HTuple::congruent`
Source: CuTe `congruent`. -/
theorem length_eq_of_congruent {α β : Type} {a : HTuple α} {b : HTuple β}
    (h : congruent a b = true) : a.length = b.length := by
  rw [← length_profile a, ← length_profile b, (congruent_iff_profile_eq a b).1 h]

mutual
theorem weaklyCongruent_of_map_eq {α β : Type} : (a : HTuple α) → (b : HTuple β) →
    map (fun _ => ()) a = map (fun _ => ()) b → weaklyCongruent a b = true
  | .leaf _, _, _ => by simp [weaklyCongruent]
  | .node _, .leaf _, h => by simp [map] at h
  | .node as, .node bs, h => by
    simp only [map, node.injEq] at h
    simp [weaklyCongruent, weaklyCongruentList_of_mapList_eq as bs h]
theorem weaklyCongruentList_of_mapList_eq {α β : Type} : (as : List (HTuple α)) →
    (bs : List (HTuple β)) → mapList (fun _ => ()) as = mapList (fun _ => ()) bs →
    weaklyCongruentList as bs = true
  | [], [], _ => by simp [weaklyCongruentList]
  | [], _ :: _, h => by simp [mapList] at h
  | _ :: _, [], h => by simp [mapList] at h
  | a :: as, b :: bs, h => by
    simp only [mapList, List.cons.injEq] at h
    simp [weaklyCongruentList, weaklyCongruent_of_map_eq a b h.1,
      weaklyCongruentList_of_mapList_eq as bs h.2]
end

mutual
theorem weaklyCongruent_trans {α β γ : Type} : {a : HTuple α} → {b : HTuple β} → {c : HTuple γ} →
    weaklyCongruent a b = true → weaklyCongruent b c = true → weaklyCongruent a c = true
  | .leaf _, _, _, _, _ => by simp [weaklyCongruent]
  | .node _, .leaf _, _, h, _ => by simp [weaklyCongruent] at h
  | .node _, .node _, .leaf _, _, h => by simp [weaklyCongruent] at h
  | .node as, .node bs, .node cs, h, h' => by
    simp only [weaklyCongruent] at h h' ⊢
    exact weaklyCongruentList_trans h h'
theorem weaklyCongruentList_trans {α β γ : Type} : {as : List (HTuple α)} → {bs : List (HTuple β)} →
    {cs : List (HTuple γ)} → weaklyCongruentList as bs = true → weaklyCongruentList bs cs = true →
    weaklyCongruentList as cs = true
  | [], [], [], _, _ => by simp [weaklyCongruentList]
  | [], [], _ :: _, _, h => by simp [weaklyCongruentList] at h
  | [], _ :: _, _, h, _ => by simp [weaklyCongruentList] at h
  | _ :: _, [], _, h, _ => by simp [weaklyCongruentList] at h
  | _ :: _, _ :: _, [], _, h => by simp [weaklyCongruentList] at h
  | a :: as, b :: bs, c :: cs, h, h' => by
    simp only [weaklyCongruentList, Bool.and_eq_true] at h h' ⊢
    exact ⟨weaklyCongruent_trans h.1 h'.1, weaklyCongruentList_trans h.2 h'.2⟩
end

mutual
theorem map_eq_of_weaklyCongruent {α β : Type} : (a : HTuple α) → (b : HTuple β) →
    weaklyCongruent a b = true → weaklyCongruent b a = true →
    map (fun _ => ()) a = map (fun _ => ()) b
  | .leaf _, .leaf _, _, _ => rfl
  | .leaf _, .node _, _, h => by simp [weaklyCongruent] at h
  | .node _, .leaf _, h, _ => by simp [weaklyCongruent] at h
  | .node as, .node bs, h, h' => by
    simp only [weaklyCongruent] at h h'
    simp [map, mapList_eq_of_weaklyCongruentList as bs h h']
theorem mapList_eq_of_weaklyCongruentList {α β : Type} : (as : List (HTuple α)) →
    (bs : List (HTuple β)) → weaklyCongruentList as bs = true → weaklyCongruentList bs as = true →
    mapList (fun _ => ()) as = mapList (fun _ => ()) bs
  | [], [], _, _ => rfl
  | [], _ :: _, h, _ => by simp [weaklyCongruentList] at h
  | _ :: _, [], h, _ => by simp [weaklyCongruentList] at h
  | a :: as, b :: bs, h, h' => by
    simp only [weaklyCongruentList, Bool.and_eq_true] at h h'
    simp [mapList, map_eq_of_weaklyCongruent a b h.1 h'.1,
      mapList_eq_of_weaklyCongruentList as bs h.2 h'.2]
end

/-- **Two tuples have the same nesting exactly when each is a coarsening of the other.**
Rust: `razorgirl::Profile::weakly_congruent`
Source: Cecka (arXiv 2603.02298); CuTe `weakly_congruent`. -/
theorem congruent_iff_weaklyCongruent {α β : Type} (a : HTuple α) (b : HTuple β) :
    congruent a b = true ↔ weaklyCongruent a b = true ∧ weaklyCongruent b a = true := by
  rw [congruent_iff_map_eq]
  exact ⟨fun h => ⟨weaklyCongruent_of_map_eq a b h, weaklyCongruent_of_map_eq b a h.symm⟩,
    fun h => map_eq_of_weaklyCongruent a b h.1 h.2⟩

end HTuple

open HTuple

namespace IntTuple

/-! ## Size -/

mutual
theorem size_eq_prod : (t : IntTuple) → size t = prod t.flatten
  | .leaf n => by simp [size, flatten, prod]
  | .node ts => by simp [size, flatten, sizeList_eq_prod ts]
theorem sizeList_eq_prod : (ts : List IntTuple) → sizeList ts = prod (flattenList ts)
  | [] => rfl
  | t :: ts => by simp [sizeList, flattenList, prod_append, size_eq_prod t, sizeList_eq_prod ts]
end

/-- **The size of a nested shape is the product of its extents, however they are nested.**
Rust: `razorgirl::Shape::size`
Source: Categorical Foundations 2.2; CuTe `size`. -/
theorem size_eq_prod_flatten (t : IntTuple) : size t = prod t.flatten := size_eq_prod t

mutual
theorem positive_iff_mem : (t : IntTuple) → (Positive t ↔ ∀ n ∈ t.flatten, 0 < n)
  | .leaf n => by simp [Positive, flatten]
  | .node ts => by simp [Positive, flatten, positiveList_iff_mem ts]
theorem positiveList_iff_mem : (ts : List IntTuple) → (PositiveList ts ↔ ∀ n ∈ flattenList ts, 0 < n)
  | [] => by simp [PositiveList, flattenList]
  | t :: ts => by
    simp only [PositiveList, flattenList, positive_iff_mem t, positiveList_iff_mem ts, List.mem_append]
    grind
end

/-- **Every extent is at least 1 exactly when the size is.**
Rust: `razorgirl::Shape::size`
Source: CuTe `size`. -/
theorem positive_iff_size_pos (t : IntTuple) : Positive t ↔ 0 < size t := by
  rw [positive_iff_mem, size_eq_prod, prod_pos_iff]

/-! ## Compatibility -/

mutual
/-- **Every shape is compatible with itself.**
Rust: `razorgirl::Shape::compatible`
Source: Categorical Foundations 2.2.2; CuTe `compatible`. -/
theorem compatible_refl : (a : IntTuple) → compatible a a = true
  | .leaf n => by simp [compatible, size]
  | .node as => by simp [compatible, compatibleList_refl as]
theorem compatibleList_refl : (as : List IntTuple) → compatibleList as as = true
  | [] => by simp [compatibleList]
  | a :: as => by simp [compatibleList, compatible_refl a, compatibleList_refl as]
end

mutual
/-- **Compatible shapes have the same size.**
Rust: `razorgirl::Shape::compatible`
Source: Categorical Foundations 2.2.2; CuTe `compatible`. -/
theorem size_eq_of_compatible : {a b : IntTuple} → compatible a b = true → size a = size b
  | .leaf n, b, h => by simpa [compatible, size] using h
  | .node as, .node bs, h => by
    simp only [compatible] at h
    simp [size, sizeList_eq_of_compatibleList h]
  | .node _, .leaf _, h => by simp [compatible] at h
theorem sizeList_eq_of_compatibleList : {as bs : List IntTuple} → compatibleList as bs = true →
    sizeList as = sizeList bs
  | [], [], _ => rfl
  | [], _ :: _, h => by simp [compatibleList] at h
  | _ :: _, [], h => by simp [compatibleList] at h
  | a :: as, b :: bs, h => by
    simp only [compatibleList, Bool.and_eq_true] at h
    simp [sizeList, size_eq_of_compatible h.1, sizeList_eq_of_compatibleList h.2]
end

mutual
/-- **Compatibility is transitive: a refinement of a refinement is a refinement.**
Rust: `razorgirl::Shape::compatible`
Source: Categorical Foundations 2.2.2; CuTe `compatible`. -/
theorem compatible_trans : {a b c : IntTuple} → compatible a b = true → compatible b c = true →
    compatible a c = true
  | .leaf n, b, c, h, h' => by
    have := size_eq_of_compatible h'
    simp only [compatible, beq_iff_eq] at h ⊢
    omega
  | .node _, .leaf _, _, h, _ => by simp [compatible] at h
  | .node _, .node _, .leaf _, _, h => by simp [compatible] at h
  | .node as, .node bs, .node cs, h, h' => by
    simp only [compatible] at h h' ⊢
    exact compatibleList_trans h h'
theorem compatibleList_trans : {as bs cs : List IntTuple} → compatibleList as bs = true →
    compatibleList bs cs = true → compatibleList as cs = true
  | [], [], [], _, _ => by simp [compatibleList]
  | [], [], _ :: _, _, h => by simp [compatibleList] at h
  | [], _ :: _, _, h, _ => by simp [compatibleList] at h
  | _ :: _, [], _, h, _ => by simp [compatibleList] at h
  | _ :: _, _ :: _, [], _, h => by simp [compatibleList] at h
  | a :: as, b :: bs, c :: cs, h, h' => by
    simp only [compatibleList, Bool.and_eq_true] at h h' ⊢
    exact ⟨compatible_trans h.1 h'.1, compatibleList_trans h.2 h'.2⟩
end

mutual
/-- **Compatible shapes are weakly congruent: forgetting the extents keeps the coarsening.**
Rust: `razorgirl::Shape::compatible`
Source: Cecka (arXiv 2603.02298); CuTe `weakly_congruent`. -/
theorem weaklyCongruent_of_compatible : {a b : IntTuple} → compatible a b = true →
    weaklyCongruent a b = true
  | .leaf _, _, _ => by simp [weaklyCongruent]
  | .node _, .leaf _, h => by simp [compatible] at h
  | .node as, .node bs, h => by
    simp only [compatible, weaklyCongruent] at h ⊢
    exact weaklyCongruentList_of_compatibleList h
theorem weaklyCongruentList_of_compatibleList : {as bs : List IntTuple} →
    compatibleList as bs = true → weaklyCongruentList as bs = true
  | [], [], _ => by simp [weaklyCongruentList]
  | [], _ :: _, h => by simp [compatibleList] at h
  | _ :: _, [], h => by simp [compatibleList] at h
  | a :: as, b :: bs, h => by
    simp only [compatibleList, Bool.and_eq_true] at h
    simp [weaklyCongruentList, weaklyCongruent_of_compatible h.1,
      weaklyCongruentList_of_compatibleList h.2]
end

mutual
theorem eq_of_compatible_of_weaklyCongruent : {a b : IntTuple} → compatible a b = true →
    weaklyCongruent b a = true → a = b
  | .leaf n, .leaf m, h, _ => by simpa [compatible, size] using h
  | .leaf _, .node _, _, h => by simp [weaklyCongruent] at h
  | .node _, .leaf _, h, _ => by simp [compatible] at h
  | .node as, .node bs, h, h' => by
    simp only [compatible, weaklyCongruent] at h h'
    rw [eqList_of_compatibleList_of_weaklyCongruentList h h']
theorem eqList_of_compatibleList_of_weaklyCongruentList : {as bs : List IntTuple} →
    compatibleList as bs = true → weaklyCongruentList bs as = true → as = bs
  | [], [], _, _ => rfl
  | [], _ :: _, h, _ => by simp [compatibleList] at h
  | _ :: _, [], h, _ => by simp [compatibleList] at h
  | a :: as, b :: bs, h, h' => by
    simp only [compatibleList, weaklyCongruentList, Bool.and_eq_true] at h h'
    rw [eq_of_compatible_of_weaklyCongruent h.1 h'.1,
      eqList_of_compatibleList_of_weaklyCongruentList h.2 h'.2]
end

/-- **Two shapes that are compatible both ways are the same shape.**
Rust: `razorgirl::Shape::compatible`
Source: Categorical Foundations 2.2.2; CuTe `compatible`. -/
theorem compatible_antisymm {a b : IntTuple} (h : compatible a b = true)
    (h' : compatible b a = true) : a = b :=
  eq_of_compatible_of_weaklyCongruent h (weaklyCongruent_of_compatible h')

/-- **Compatible shapes with the same nesting are the same shape.**
Rust: `razorgirl::Shape::compatible`
Source: CuTe `compatible`, `congruent`. -/
theorem eq_of_compatible_of_congruent {a b : IntTuple} (h : compatible a b = true)
    (h' : congruent a b = true) : a = b :=
  eq_of_compatible_of_weaklyCongruent h ((congruent_iff_weaklyCongruent a b).1 h').2

theorem compatible_iff_eq_of_congruent {a b : IntTuple} (h : congruent a b = true) :
    compatible a b = true ↔ a = b :=
  ⟨fun h' => eq_of_compatible_of_congruent h' h, fun e => e ▸ compatible_refl a⟩

/-- **A bare integer is compatible with exactly the shapes of that size.**
Rust: `razorgirl::Shape::compatible`
Source: Categorical Foundations 2.2.2; CuTe `compatible`. -/
theorem compatible_leaf_iff (n : Nat) (t : IntTuple) : compatible (.leaf n) t = true ↔ n = size t := by
  simp [compatible]

/-! ## Refinement: the same relation from the finer side -/

/-- Refinement is compatibility read from the finer shape. -/
theorem refines_iff_compatible (fine coarse : IntTuple) :
    refines fine coarse = true ↔ compatible coarse fine = true := Iff.rfl

/-- **Every shape refines itself.**
Rust: `razorgirl::Shape::refines`
Source: Categorical Foundations 2.2.2. -/
theorem refines_refl (a : IntTuple) : refines a a = true := compatible_refl a

/-- **Refinement is transitive.**
Rust: `razorgirl::Shape::refines`
Source: Categorical Foundations 2.2.2. -/
theorem refines_trans {a b c : IntTuple} (h : refines a b = true) (h' : refines b c = true) :
    refines a c = true := compatible_trans h' h

/-- **Two shapes that refine each other are the same shape.**
Rust: `razorgirl::Shape::refines`
Source: Categorical Foundations 2.2.2. -/
theorem refines_antisymm {a b : IntTuple} (h : refines a b = true) (h' : refines b a = true) : a = b :=
  compatible_antisymm h' h

/-- **Refining a shape keeps its size.**
Rust: `razorgirl::Shape::refines`
Source: Categorical Foundations 2.2.2. -/
theorem size_eq_of_refines {a b : IntTuple} (h : refines a b = true) : size a = size b :=
  (size_eq_of_compatible h).symm

/-- **Every extent of a refinement is at least 1 when every extent of the shape is, and conversely.**
Rust: `razorgirl::Shape::refines`
Source: Categorical Foundations 2.2.2. -/
theorem positive_iff_of_refines {a b : IntTuple} (h : refines a b = true) :
    Positive a ↔ Positive b := by
  rw [positive_iff_size_pos, positive_iff_size_pos, size_eq_of_refines h]

example : compatible (.leaf 24) (.node [.leaf 4, .leaf 6]) = true := by decide +kernel
example : compatible (.leaf 24) (.node [.leaf 24]) = true := by decide +kernel
example : compatible (.node [.leaf 24]) (.leaf 24) = false := by decide +kernel
example : refines (.node [.node [.leaf 2, .leaf 2], .leaf 6]) (.node [.leaf 4, .leaf 6]) = true := by
  decide +kernel
example : unflatten 0 (.node [.node [.leaf (), .leaf ()], .leaf ()]) [4, 2, 8]
    = .node [.node [.leaf 4, .leaf 2], .leaf 8] := by decide +kernel

end IntTuple

end Razorgirl
