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
/-- The coordinate is a coarsening of the shape's nesting, and every integer is below the size of the mode it
stands for. -/
def Within : Coord → (shape : IntTuple) → Prop
  | .leaf none, _ => True
  | .leaf (some x), s => x < IntTuple.size s
  | .node cs, .node ss => WithinList cs ss
  | .node _, .leaf _ => False
/-- As many coordinates as modes, and each within its mode. -/
def WithinList : List Coord → List IntTuple → Prop
  | [], [] => True
  | c :: cs, s :: ss => Within c s ∧ WithinList cs ss
  | _, _ => False
end

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
Source: Cecka 2.2; CuTe `crd2idx`. -/
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
Source: Cecka 2.2; CuTe `crd2idx`. -/
theorem inBounds_toFlat {c : Coord} {s : IntTuple} {y : List Nat} (hs : IntTuple.Positive s)
    (h : toFlat c s = some y) : InBounds s.flatten y :=
  inBounds_toFlat' h (by rw [← IntTuple.size_eq_prod]; exact (IntTuple.positive_iff_size_pos s).1 hs)

end Coord

end Razorgirl
