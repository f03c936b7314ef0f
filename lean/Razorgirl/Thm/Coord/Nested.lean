module

public import Razorgirl.Thm.Coord

@[expose] public section

/-!
# Nested and coarser coordinates: what is proved

A nested shape numbers its coordinates as its flattening does. A coordinate may be coarser than the shape, an
integer standing for a whole mode; compatible shapes agree on every coordinate of the coarser one.
-/

namespace Razorgirl

namespace Coord
open HTuple

mutual
theorem isSome_toFlat_iff' : (c : Coord) → (s : IntTuple) → ((toFlat c s).isSome = true ↔ Within c s)
  | .leaf none, s => by simp [toFlat, Within]
  | .leaf (some x), s => by simp [toFlat, Within]
  | .node cs, .node ss => by simp only [toFlat, Within, isSome_toFlatList_iff cs ss]
  | .node _, .leaf _ => by simp [toFlat, Within]
theorem isSome_toFlatList_iff : (cs : List Coord) → (ss : List IntTuple) →
    ((toFlatList cs ss).isSome = true ↔ WithinList cs ss)
  | [], [] => by simp [toFlatList, WithinList]
  | [], _ :: _ => by simp [toFlatList, WithinList]
  | _ :: _, [] => by simp [toFlatList, WithinList]
  | c :: cs, s :: ss => by
    rw [WithinList, ← isSome_toFlat_iff' c s, ← isSome_toFlatList_iff cs ss, toFlatList]
    cases toFlat c s <;> cases toFlatList cs ss <;> simp
end

/-- **A coordinate is accepted by a shape exactly when it coarsens the nesting of the shape and each of its
integers is below the size of the mode it stands for.**
Rust: `razorgirl::Shape::crd2idx`
Source: Cecka (arXiv 2603.02298); CuTe `crd2idx`. -/
theorem isSome_toFlat_iff (c : Coord) (s : IntTuple) : (toFlat c s).isSome = true ↔ Within c s :=
  isSome_toFlat_iff' c s

mutual
theorem weaklyCongruent_of_within : {c : Coord} → {s : IntTuple} → Within c s →
    weaklyCongruent c s = true
  | .leaf _, _, _ => by simp [weaklyCongruent]
  | .node cs, .node ss, h => by
    simp only [Within] at h
    simp only [weaklyCongruent]
    exact weaklyCongruentList_of_withinList h
  | .node _, .leaf _, h => by simp [Within] at h
theorem weaklyCongruentList_of_withinList : {cs : List Coord} → {ss : List IntTuple} →
    WithinList cs ss → weaklyCongruentList cs ss = true
  | [], [], _ => by simp [weaklyCongruentList]
  | [], _ :: _, h => by simp [WithinList] at h
  | _ :: _, [], h => by simp [WithinList] at h
  | c :: cs, s :: ss, h => by
    simp only [WithinList] at h
    simp [weaklyCongruentList, weaklyCongruent_of_within h.1, weaklyCongruentList_of_withinList h.2]
end

mutual
theorem length_toFlat : {c : Coord} → {s : IntTuple} → {y : List Nat} → toFlat c s = some y →
    y.length = s.flatten.length
  | .leaf none, s, y, h => by
    simp only [toFlat, Option.some.injEq] at h
    rw [← h, List.length_replicate, length_flatten]
  | .leaf (some x), s, y, h => by
    simp only [toFlat, Option.ite_none_right_eq_some, Option.some.injEq] at h
    rw [← h.2, length_idx2crd]
  | .node cs, .node ss, y, h => by
    simp only [toFlat] at h
    exact length_toFlatList h
  | .node _, .leaf _, _, h => by simp [toFlat] at h
theorem length_toFlatList : {cs : List Coord} → {ss : List IntTuple} → {y : List Nat} →
    toFlatList cs ss = some y → y.length = (flattenList ss).length
  | [], [], y, h => by
    simp only [toFlatList, Option.some.injEq] at h
    simp [← h, flattenList]
  | [], _ :: _, _, h => by simp [toFlatList] at h
  | _ :: _, [], _, h => by simp [toFlatList] at h
  | c :: cs, s :: ss, y, h => by
    simp only [toFlatList] at h
    cases h1 : toFlat c s with
    | none => simp [h1] at h
    | some a =>
      cases h2 : toFlatList cs ss with
      | none => simp [h1, h2] at h
      | some b =>
        simp only [h1, h2, Option.some.injEq] at h
        rw [← h, flattenList, List.length_append, List.length_append, length_toFlat h1,
          length_toFlatList h2]
end

mutual
theorem inBounds_toFlat' : {c : Coord} → {s : IntTuple} → {y : List Nat} → toFlat c s = some y →
    0 < prod s.flatten → InBounds s.flatten y
  | .leaf none, s, y, h, hp => by
    simp only [toFlat, Option.some.injEq] at h
    rw [← h, ← length_flatten]
    exact inBounds_replicate_zero hp
  | .leaf (some x), s, y, h, hp => by
    simp only [toFlat, Option.ite_none_right_eq_some, Option.some.injEq] at h
    rw [← h.2]
    exact inBounds_idx2crd ((prod_pos_iff _).1 hp) x
  | .node cs, .node ss, y, h, hp => by
    simp only [toFlat] at h
    exact inBounds_toFlatList h hp
  | .node _, .leaf _, _, h, _ => by simp [toFlat] at h
theorem inBounds_toFlatList : {cs : List Coord} → {ss : List IntTuple} → {y : List Nat} →
    toFlatList cs ss = some y → 0 < prod (flattenList ss) → InBounds (flattenList ss) y
  | [], [], y, h, _ => by
    simp only [toFlatList, Option.some.injEq] at h
    rw [← h]
    trivial
  | [], _ :: _, _, h, _ => by simp [toFlatList] at h
  | _ :: _, [], _, h, _ => by simp [toFlatList] at h
  | c :: cs, s :: ss, y, h, hp => by
    simp only [toFlatList] at h
    simp only [flattenList, prod_append] at hp ⊢
    have hp1 : 0 < prod s.flatten := Nat.pos_of_mul_pos_right hp
    have hp2 : 0 < prod (flattenList ss) := Nat.pos_of_mul_pos_left hp
    cases h1 : toFlat c s with
    | none => simp [h1] at h
    | some a =>
      cases h2 : toFlatList cs ss with
      | none => simp [h1, h2] at h
      | some b =>
        simp only [h1, h2, Option.some.injEq] at h
        rw [← h]
        exact inBounds_append (inBounds_toFlat' h1 hp1) (inBounds_toFlatList h2 hp2)
end

/-- **What an accepted coordinate stands for is a coordinate of the flat shape, in bounds.**
Rust: `razorgirl::Shape::crd2idx`
Source: Cecka (arXiv 2603.02298); CuTe `crd2idx`. -/
theorem inBounds_toFlat {c : Coord} {s : IntTuple} {y : List Nat} (hs : IntTuple.Positive s)
    (h : toFlat c s = some y) : InBounds s.flatten y :=
  inBounds_toFlat' h (by rw [← IntTuple.size_eq_prod]; exact (IntTuple.positive_iff_size_pos s).1 hs)

/-! ## Nested shapes number as their flattening does -/

theorem idx2crd_eq_some_iff (x : Nat) (s c : IntTuple) :
    idx2crd x s = some c ↔
      x < IntTuple.size s ∧ unflatten 0 s.profile (Razorgirl.idx2crd s.flatten x) = c := by
  simp [idx2crd]

/-- **A linear index has a coordinate in a nested shape exactly when it is below the size.**
Rust: `razorgirl::Shape::idx2crd`
Source: CuTe `idx2crd`. -/
theorem isSome_idx2crd_iff (x : Nat) (s : IntTuple) :
    (idx2crd x s).isSome = true ↔ x < IntTuple.size s := by
  simp [idx2crd]

/-- **The coordinate of a linear index is nested like the shape.**
Rust: `razorgirl::Shape::idx2crd`
Source: Categorical Foundations 2.3; CuTe `idx2crd`. -/
theorem profile_idx2crd {x : Nat} {s c : IntTuple} (h : idx2crd x s = some c) : c.profile = s.profile := by
  rw [← ((idx2crd_eq_some_iff x s c).1 h).2, profile_unflatten]

/-- **Nesting does not change the numbers in a coordinate: those of a linear index are the ones in the
flattened shape.**
Rust: `razorgirl::Shape::idx2crd`
Source: Categorical Foundations 2.3; CuTe `idx2crd`. -/
theorem flatten_idx2crd {x : Nat} {s c : IntTuple} (h : idx2crd x s = some c) :
    c.flatten = Razorgirl.idx2crd s.flatten x := by
  rw [← ((idx2crd_eq_some_iff x s c).1 h).2, flatten_unflatten]
  rw [length_idx2crd, length_profile, length_flatten]

theorem idx2crd_flatten_eq_of_flatten_eq {s t : IntTuple} (h : s.flatten = t.flatten) (x : Nat) :
    (idx2crd x s).map flatten = (idx2crd x t).map flatten := by
  have hs : IntTuple.size s = IntTuple.size t := by
    rw [IntTuple.size_eq_prod, IntTuple.size_eq_prod, h]
  cases h1 : idx2crd x s with
  | none =>
    cases h2 : idx2crd x t with
    | none => rfl
    | some d =>
      have h3 := (isSome_idx2crd_iff x t).1 (by rw [h2]; rfl)
      rw [← hs, ← isSome_idx2crd_iff, h1] at h3
      simp at h3
  | some c =>
    cases h2 : idx2crd x t with
    | none =>
      have h3 := (isSome_idx2crd_iff x s).1 (by rw [h1]; rfl)
      rw [hs, ← isSome_idx2crd_iff, h2] at h3
      simp at h3
    | some d => simp [flatten_idx2crd h1, flatten_idx2crd h2, h]

mutual
theorem toFlat_map_some' : {c s : IntTuple} → congruent c s = true → InBounds s.flatten c.flatten →
    toFlat (map some c) s = some c.flatten
  | .leaf x, .leaf n, _, hb => by
    have hx : x < n := hb.1
    simp [map, toFlat, IntTuple.size, flatten, hx, Razorgirl.idx2crd, Nat.mod_eq_of_lt hx]
  | .leaf _, .node _, h, _ => by simp [congruent] at h
  | .node _, .leaf _, h, _ => by simp [congruent] at h
  | .node cs, .node ss, h, hb => by
    simp only [congruent] at h
    simp only [map, toFlat, flatten]
    exact toFlatList_mapList_some h hb
theorem toFlatList_mapList_some : {cs ss : List IntTuple} → congruentList cs ss = true →
    InBounds (flattenList ss) (flattenList cs) → toFlatList (mapList some cs) ss = some (flattenList cs)
  | [], [], _, _ => rfl
  | [], _ :: _, h, _ => by simp [congruentList] at h
  | _ :: _, [], h, _ => by simp [congruentList] at h
  | c :: cs, s :: ss, h, hb => by
    simp only [congruentList, Bool.and_eq_true] at h
    simp only [flattenList] at hb
    rw [inBounds_append_iff (by
      rw [length_flatten, length_flatten, length_eq_of_congruent h.1])] at hb
    simp only [mapList, toFlatList, toFlat_map_some' h.1 hb.1, toFlatList_mapList_some h.2 hb.2,
      flattenList]
end

mutual
theorem within_map_some_iff : {c s : IntTuple} → congruent c s = true →
    (Within (map some c) s ↔ InBounds s.flatten c.flatten)
  | .leaf x, .leaf n, _ => by simp [map, Within, IntTuple.size, flatten, InBounds]
  | .leaf _, .node _, h => by simp [congruent] at h
  | .node _, .leaf _, h => by simp [congruent] at h
  | .node cs, .node ss, h => by
    simp only [congruent] at h
    simp only [map, Within, flatten]
    exact withinList_mapList_some_iff h
theorem withinList_mapList_some_iff : {cs ss : List IntTuple} → congruentList cs ss = true →
    (WithinList (mapList some cs) ss ↔ InBounds (flattenList ss) (flattenList cs))
  | [], [], _ => by simp [mapList, WithinList, flattenList, InBounds]
  | [], _ :: _, h => by simp [congruentList] at h
  | _ :: _, [], h => by simp [congruentList] at h
  | c :: cs, s :: ss, h => by
    simp only [congruentList, Bool.and_eq_true] at h
    simp only [mapList, WithinList, flattenList]
    rw [inBounds_append_iff (by
      rw [length_flatten, length_flatten, length_eq_of_congruent h.1]), within_map_some_iff h.1,
      withinList_mapList_some_iff h.2]
end

/-- **A coordinate nested like the shape stands for its own entries.**
Rust: `razorgirl::Shape::crd2idx`
Source: CuTe `crd2idx`. -/
theorem toFlat_map_some {c s : IntTuple} (h : congruent c s = true) (hb : InBounds s.flatten c.flatten) :
    toFlat (map some c) s = some c.flatten := toFlat_map_some' h hb

/-- **Nesting does not change linear indices: that of a coordinate nested like the shape is the one of the
flat coordinate in the flattened shape.**
Rust: `razorgirl::Shape::crd2idx`
Source: Categorical Foundations 2.3; CuTe `crd2idx`. -/
theorem crd2idx_map_some {c s : IntTuple} (h : congruent c s = true)
    (hb : InBounds s.flatten c.flatten) :
    crd2idx (map some c) s = some (Razorgirl.crd2idx s.flatten c.flatten) := by
  rw [crd2idx, toFlat_map_some h hb, Option.map_some]

/-- **In a nested shape, going from a linear index to its coordinate and back gives the index.**
Rust: `razorgirl::Shape::idx2crd`
Source: Categorical Foundations 2.3; CuTe `idx2crd`, `crd2idx`. -/
theorem crd2idx_idx2crd {x : Nat} {s c : IntTuple} (h : idx2crd x s = some c) :
    crd2idx (map some c) s = some x := by
  have hx := ((idx2crd_eq_some_iff x s c).1 h).1
  rw [IntTuple.size_eq_prod] at hx
  have hf := flatten_idx2crd h
  rw [crd2idx_map_some ((congruent_iff_profile_eq c s).2 (profile_idx2crd h))
    (by rw [hf]; exact inBounds_idx2crd_of_lt hx), hf, Razorgirl.crd2idx_idx2crd hx]

/-- **In a nested shape, going from a coordinate nested like the shape to its linear index and back gives the
coordinate.**
Rust: `razorgirl::Shape::crd2idx`
Source: Categorical Foundations 2.3; CuTe `idx2crd`, `crd2idx`. -/
theorem idx2crd_crd2idx {x : Nat} {s c : IntTuple} (hc : congruent c s = true)
    (h : crd2idx (map some c) s = some x) : idx2crd x s = some c := by
  have hw : Within (map some c) s := by
    rw [← isSome_toFlat_iff]
    cases h1 : toFlat (map some c) s with
    | none => simp [crd2idx, h1] at h
    | some y => rfl
  have hb := (within_map_some_iff hc).1 hw
  rw [crd2idx_map_some hc hb, Option.some.injEq] at h
  have hl : s.profile.length = c.flatten.length := by
    rw [length_profile, length_flatten, length_eq_of_congruent hc]
  rw [idx2crd_eq_some_iff, IntTuple.size_eq_prod, ← h, Razorgirl.idx2crd_crd2idx hb]
  exact ⟨crd2idx_lt hb, eq_of_profile_eq_of_flatten_eq
    (by rw [profile_unflatten, (congruent_iff_profile_eq c s).1 hc]) (flatten_unflatten _ _ _ hl)⟩

/-- **A nested shape numbers the coordinates nested like it without gaps or repetitions: each is that of exactly
one linear index below the size.**
Rust: `razorgirl::Shape::idx2crd`
Source: Categorical Foundations 2.3; CuTe `idx2crd`, `crd2idx`. -/
theorem exists_unique_index {s c : IntTuple} (hc : congruent c s = true)
    (hb : InBounds s.flatten c.flatten) :
    ∃ x, (x < IntTuple.size s ∧ idx2crd x s = some c) ∧ ∀ y, idx2crd y s = some c → y = x := by
  have h := crd2idx_map_some hc hb
  have h' := idx2crd_crd2idx hc h
  refine ⟨_, ⟨((idx2crd_eq_some_iff _ s c).1 h').1, h'⟩, fun y hy => ?_⟩
  have := crd2idx_idx2crd hy
  rw [h] at this
  simpa using this.symm

/-! ## Mode by mode -/

/-- **An integer over a whole shape is its own linear index.**
Rust: `razorgirl::Shape::crd2idx`
Source: CuTe `crd2idx`. -/
theorem crd2idx_leaf {x : Nat} {s : IntTuple} (h : x < IntTuple.size s) :
    crd2idx (.leaf (some x)) s = some x := by
  rw [IntTuple.size_eq_prod] at h
  rw [crd2idx, toFlat, IntTuple.size_eq_prod, if_pos h, Option.map_some, Razorgirl.crd2idx_idx2crd h]

theorem crd2idx_leaf_of_ge {x : Nat} {s : IntTuple} (h : IntTuple.size s ≤ x) :
    crd2idx (.leaf (some x)) s = none := by
  rw [crd2idx, toFlat, if_neg (by omega), Option.map_none]

theorem crd2idx_none (s : IntTuple) : crd2idx (.leaf none) s = some 0 := by
  rw [crd2idx, toFlat, Option.map_some, crd2idx_replicate_zero]

theorem crd2idx_node_nil : crd2idx (.node []) (.node []) = some 0 := rfl

theorem crd2idx_node_leaf (cs : List Coord) (n : Nat) : crd2idx (.node cs) (.leaf n) = none := rfl

/-- **The linear index of a tuple of coordinates is the index of the first in its mode, plus the size of that mode
times the index of the rest: `crd2idx` can be computed mode by mode.**
Rust: `razorgirl::Shape::crd2idx`
Source: Categorical Foundations 2.1.2 (associativity); CuTe `crd2idx`. -/
theorem crd2idx_node_cons (c : Coord) (cs : List Coord) (s : IntTuple) (ss : List IntTuple) :
    crd2idx (.node (c :: cs)) (.node (s :: ss)) =
      match crd2idx c s, crd2idx (.node cs) (.node ss) with
      | some x, some y => some (x + IntTuple.size s * y)
      | _, _ => none := by
  simp only [crd2idx, toFlat, toFlatList, flatten, flattenList]
  cases h1 : toFlat c s with
  | none => simp
  | some a =>
    cases h2 : toFlatList cs ss with
    | none => simp
    | some b => simp [crd2idx_append (length_toFlat h1), IntTuple.size_eq_prod]

theorem isSome_crd2idx_iff (c : Coord) (s : IntTuple) : (crd2idx c s).isSome = true ↔ Within c s := by
  rw [← isSome_toFlat_iff, crd2idx, Option.isSome_map]

/-- **The linear index of an accepted coordinate is below the size of the shape.**
Rust: `razorgirl::Shape::crd2idx`
Source: CuTe `crd2idx`. -/
theorem crd2idx_lt_size {c : Coord} {s : IntTuple} {x : Nat} (hs : IntTuple.Positive s)
    (h : crd2idx c s = some x) : x < IntTuple.size s := by
  cases h1 : toFlat c s with
  | none => simp [crd2idx, h1] at h
  | some y =>
    simp only [crd2idx, h1, Option.map_some, Option.some.injEq] at h
    rw [← h, IntTuple.size_eq_prod]
    exact crd2idx_lt (inBounds_toFlat hs h1)

/-- **What a coordinate stands for is the flat coordinate of its linear index.**
Rust: `razorgirl::Shape::crd2idx`
Source: Cecka (arXiv 2603.02298); CuTe `crd2idx`. -/
theorem toFlat_eq_idx2crd {c : Coord} {s : IntTuple} (hs : IntTuple.Positive s) :
    toFlat c s = (crd2idx c s).map (Razorgirl.idx2crd s.flatten) := by
  cases h1 : toFlat c s with
  | none => simp [crd2idx, h1]
  | some y => simp [crd2idx, h1, Razorgirl.idx2crd_crd2idx (inBounds_toFlat hs h1)]

/-! ## Compatible shapes -/

mutual
theorem crd2idx_eq_of_compatible' : {c : Coord} → {coarse fine : IntTuple} →
    IntTuple.compatible coarse fine = true → weaklyCongruent c coarse = true →
    crd2idx c coarse = crd2idx c fine
  | .leaf none, coarse, fine, _, _ => by rw [crd2idx_none, crd2idx_none]
  | .leaf (some x), coarse, fine, h, _ => by
    have hs := IntTuple.size_eq_of_compatible h
    by_cases hx : x < IntTuple.size coarse
    · rw [crd2idx_leaf hx, crd2idx_leaf (by omega)]
    · rw [crd2idx_leaf_of_ge (by omega), crd2idx_leaf_of_ge (by omega)]
  | .node _, .leaf _, _, _, h => by simp [weaklyCongruent] at h
  | .node _, .node _, .leaf _, h, _ => by simp [IntTuple.compatible] at h
  | .node cs, .node as, .node bs, h, h' => by
    simp only [IntTuple.compatible] at h
    simp only [weaklyCongruent] at h'
    exact crd2idx_node_eq_of_compatibleList h h'
theorem crd2idx_node_eq_of_compatibleList : {cs : List Coord} → {as bs : List IntTuple} →
    IntTuple.compatibleList as bs = true → weaklyCongruentList cs as = true →
    crd2idx (.node cs) (.node as) = crd2idx (.node cs) (.node bs)
  | [], [], [], _, _ => rfl
  | _, [], _ :: _, h, _ => by simp [IntTuple.compatibleList] at h
  | _, _ :: _, [], h, _ => by simp [IntTuple.compatibleList] at h
  | [], _ :: _, _ :: _, _, h => by simp [weaklyCongruentList] at h
  | _ :: _, [], [], _, h => by simp [weaklyCongruentList] at h
  | c :: cs, a :: as, b :: bs, h, h' => by
    simp only [IntTuple.compatibleList, Bool.and_eq_true] at h
    simp only [weaklyCongruentList, Bool.and_eq_true] at h'
    rw [crd2idx_node_cons, crd2idx_node_cons, crd2idx_eq_of_compatible' h.1 h'.1,
      crd2idx_node_eq_of_compatibleList h.2 h'.2, IntTuple.size_eq_of_compatible h.1]
end

/-- **Compatible shapes agree, coordinate by coordinate: one nested no deeper than the coarse shape has the same
linear index in both, or is out of range in both.**
Rust: `razorgirl::Shape::compatible`
Source: Cecka (arXiv 2603.02298); CuTe `compatible`, `crd2idx`. -/
theorem crd2idx_eq_of_compatible {c : Coord} {coarse fine : IntTuple}
    (h : IntTuple.compatible coarse fine = true) (hc : weaklyCongruent c coarse = true) :
    crd2idx c coarse = crd2idx c fine := crd2idx_eq_of_compatible' h hc

/-- **Every coordinate of the coarse shape is a coordinate of a compatible finer shape, with the same linear
index: what CuTe's `compatible` promises.**
Rust: `razorgirl::Shape::compatible`
Source: Cecka (arXiv 2603.02298); CuTe `compatible`, `crd2idx`. -/
theorem crd2idx_of_compatible {c : Coord} {coarse fine : IntTuple} {x : Nat}
    (h : IntTuple.compatible coarse fine = true) (hc : crd2idx c coarse = some x) :
    crd2idx c fine = some x := by
  rw [← crd2idx_eq_of_compatible h, hc]
  exact weaklyCongruent_of_within ((isSome_crd2idx_iff c coarse).1 (by rw [hc]; rfl))

theorem within_of_compatible {c : Coord} {coarse fine : IntTuple}
    (h : IntTuple.compatible coarse fine = true) (hc : Within c coarse) : Within c fine := by
  rw [← isSome_crd2idx_iff] at hc ⊢
  rw [← crd2idx_eq_of_compatible h]
  · exact hc
  · exact weaklyCongruent_of_within ((isSome_crd2idx_iff c coarse).1 hc)

/-- **The coordinate of an index in a coarse shape addresses the element of that index in every compatible finer
shape.**
Rust: `razorgirl::Shape::compatible`
Source: Cecka (arXiv 2603.02298); CuTe `compatible`, `idx2crd`, `crd2idx`. -/
theorem crd2idx_idx2crd_of_compatible {x : Nat} {coarse fine c : IntTuple}
    (h : IntTuple.compatible coarse fine = true) (hc : idx2crd x coarse = some c) :
    crd2idx (map some c) fine = some x :=
  crd2idx_of_compatible h (crd2idx_idx2crd hc)

/-! ## Compatibility is what CuTe says it is -/

theorem withinList_zeros (ss : List IntTuple) : WithinList (ss.map fun _ => .leaf none) ss := by
  induction ss with
  | nil => trivial
  | cons s ss ih => exact ⟨trivial, ih⟩

theorem size_le_of_within {a b : IntTuple} (ha : IntTuple.Positive a)
    (h : ∀ c, Within c a → Within c b) : IntTuple.size a ≤ IntTuple.size b := by
  have hp := (IntTuple.positive_iff_size_pos a).1 ha
  have : IntTuple.size a - 1 < IntTuple.size b :=
    h (.leaf (some (IntTuple.size a - 1))) (show IntTuple.size a - 1 < IntTuple.size a by omega)
  omega

theorem sizeList_le_of_within : {as bs : List IntTuple} → IntTuple.PositiveList as →
    (∀ cs, WithinList cs as → WithinList cs bs) → IntTuple.sizeList as ≤ IntTuple.sizeList bs
  | [], [], _, _ => Nat.le_refl _
  | [], _ :: _, _, h => (h [] trivial).elim
  | _ :: _, [], _, h => (h _ (withinList_zeros _)).elim
  | a :: as, b :: bs, hp, h => by
    have h1 := size_le_of_within (b := b) hp.1 fun c hc =>
      (h (c :: as.map fun _ => .leaf none) ⟨hc, withinList_zeros as⟩).1
    have h2 := sizeList_le_of_within (bs := bs) hp.2 fun cs hcs => (h (.leaf none :: cs) ⟨trivial, hcs⟩).2
    exact Nat.mul_le_mul h1 h2

mutual
theorem compatible_of_within : {a b : IntTuple} → IntTuple.Positive a →
    IntTuple.size a = IntTuple.size b → (∀ c, Within c a → Within c b) →
    IntTuple.compatible a b = true
  | .leaf n, b, _, hs, _ => by
    simp only [IntTuple.size] at hs
    simp [IntTuple.compatible, hs]
  | .node as, .leaf _, _, _, h => (h (.node _) (withinList_zeros as)).elim
  | .node as, .node bs, hp, hs, h => by
    simp only [IntTuple.compatible]
    exact compatibleList_of_withinList hp hs fun cs hcs => h (.node cs) hcs
theorem compatibleList_of_withinList : {as bs : List IntTuple} → IntTuple.PositiveList as →
    IntTuple.sizeList as = IntTuple.sizeList bs → (∀ cs, WithinList cs as → WithinList cs bs) →
    IntTuple.compatibleList as bs = true
  | [], [], _, _, _ => rfl
  | [], _ :: _, _, _, h => (h [] trivial).elim
  | _ :: _, [], _, _, h => (h _ (withinList_zeros _)).elim
  | a :: as, b :: bs, hp, hs, h => by
    have h1 : ∀ c, Within c a → Within c b := fun c hc =>
      (h (c :: as.map fun _ => .leaf none) ⟨hc, withinList_zeros as⟩).1
    have h2 : ∀ cs, WithinList cs as → WithinList cs bs := fun cs hcs =>
      (h (.leaf none :: cs) ⟨trivial, hcs⟩).2
    have l1 := size_le_of_within hp.1 h1
    have l2 := sizeList_le_of_within hp.2 h2
    have p1 := (IntTuple.positive_iff_size_pos a).1 hp.1
    have p2 := (IntTuple.positive_iff_size_pos (.node as)).1 hp.2
    simp only [IntTuple.size] at p2
    simp only [IntTuple.sizeList] at hs
    have e1 : IntTuple.size a = IntTuple.size b := by
      refine Nat.le_antisymm l1 (Nat.le_of_mul_le_mul_right (c := IntTuple.sizeList as) ?_ p2)
      exact Nat.le_trans (Nat.mul_le_mul_left _ l2) (Nat.le_of_eq hs.symm)
    have e2 : IntTuple.sizeList as = IntTuple.sizeList bs := by
      rw [← e1] at hs
      exact Nat.eq_of_mul_eq_mul_left p1 hs
    simp only [IntTuple.compatibleList, Bool.and_eq_true]
    exact ⟨compatible_of_within hp.1 e1 h1, compatibleList_of_withinList hp.2 e2 h2⟩
end

/-- **A shape is compatible with a finer one exactly when both have the same size and every coordinate of the
first is a coordinate of the second: the recursive test decides CuTe's definition.**
Rust: `razorgirl::Shape::compatible`
Source: CuTe documentation, «compatible»; Cecka (arXiv 2603.02298). -/
theorem compatible_iff_within {coarse fine : IntTuple} (h : IntTuple.Positive coarse) :
    IntTuple.compatible coarse fine = true ↔
      IntTuple.size coarse = IntTuple.size fine ∧ ∀ c, Within c coarse → Within c fine :=
  ⟨fun hc => ⟨IntTuple.size_eq_of_compatible hc, fun _ => within_of_compatible hc⟩,
    fun hc => compatible_of_within h hc.1 hc.2⟩

example : toFlat (.node [.leaf (some 2), .leaf (some 1)]) (.node [.leaf 4, .node [.leaf 2, .leaf 3]])
    = some [2, 1, 0] := by decide +kernel
example : crd2idx (.node [.leaf (some 5), .leaf (some 1)])
    (.node [.node [.leaf 4, .leaf 2], .leaf 8]) = some 13 := by decide +kernel
example : crd2idx (.node [.leaf (some 8), .leaf (some 1)])
    (.node [.node [.leaf 4, .leaf 2], .leaf 8]) = none := by decide +kernel
example : idx2crd 13 (.node [.node [.leaf 4, .leaf 2], .leaf 8])
    = some (.node [.node [.leaf 1, .leaf 1], .leaf 1]) := by decide +kernel

end Coord

end Razorgirl
