module

public import Razorgirl.Spec.IntTuple.Division.Quotient
public import Razorgirl.Thm.IntTuple.Division

@[expose] public section

/-!
# Division of shapes, tuple by tuple: what is proved

`shape_div` of one integer has its law in `Division`; here it is for tuples of any nesting.
-/

namespace Razorgirl

namespace IntTuple
open HTuple

mutual
theorem isQuotient_of_shapeDiv : (a b q : IntTuple) → Positive a → Positive b → shapeDiv a b = some q → IsQuotient a b q
  | .leaf s, .leaf n, q, ha, hb, h => by
    rw [IsQuotient]
    exact shapeDiv_leaf_spec ha hb h
  | .node as, .leaf n, q, ha, hb, h => by
    rw [IsQuotient]
    exact shapeDiv_leaf_spec ha hb h
  | .leaf s, .node bs, q, ha, hb, h => by
    have h' : shapeDiv (.leaf s) (.leaf (sizeList bs)) = some q := h
    have hn : 0 < sizeList bs := (positive_iff_size_pos (.node bs)).1 hb
    rw [IsQuotient]
    exact shapeDiv_leaf_spec ha hn h'
  | .node as, .node bs, q, ha, hb, h => by
    rw [shapeDiv] at h
    obtain ⟨qs, hqs, rfl⟩ := Option.map_eq_some_iff.1 h
    rw [IsQuotient]
    exact isQuotients_of_shapeDivList as bs qs ha hb hqs
theorem isQuotients_of_shapeDivList : (as bs qs : List IntTuple) → PositiveList as → PositiveList bs →
    shapeDivList as bs = some qs → IsQuotients as bs qs
  | [], [], qs, _, _, h => by
    rw [shapeDivList, Option.some.injEq] at h
    rw [← h]
    trivial
  | [], _ :: _, _, _, _, h => by simp [shapeDivList] at h
  | _ :: _, [], _, _, _, h => by simp [shapeDivList] at h
  | a :: as, b :: bs, qs, ha, hb, h => by
    rw [shapeDivList] at h
    split at h
    · rename_i q qs' h1 h2
      obtain rfl := Option.some.inj h
      exact ⟨isQuotient_of_shapeDiv a b q ha.1 hb.1 h1, isQuotients_of_shapeDivList as bs qs' ha.2 hb.2 h2⟩
    · cases h
end

/-- **Dividing shapes without remainder, tuple by tuple: over each integer of the divisor, divisor times quotient is the size
of what it meets, or all of that is used up and its size divides the divisor. The quotient is nested like the shape.**
Rust: `razorgirl::Shape::shape_div`
Source: CuTe `shape_div` -/
theorem shapeDiv_spec {a b q : IntTuple} (ha : Positive a) (hb : Positive b) (h : shapeDiv a b = some q) :
    IsQuotient a b q := isQuotient_of_shapeDiv a b q ha hb h

mutual
theorem profile_of_isQuotient : (a b q : IntTuple) → IsQuotient a b q → q.profile = a.profile
  | .leaf _, .leaf _, _, h => by rw [IsQuotient] at h; exact h.1
  | .node _, .leaf _, _, h => by rw [IsQuotient] at h; exact h.1
  | .leaf _, .node _, _, h => by rw [IsQuotient] at h; exact h.1
  | .node as, .node bs, .node qs, h => by
    rw [IsQuotient] at h
    exact congrArg HTuple.node (profiles_of_isQuotients as bs qs h)
  | .node _, .node _, .leaf _, h => h.elim
theorem profiles_of_isQuotients : (as bs qs : List IntTuple) → IsQuotients as bs qs →
    mapList (fun _ => ()) qs = mapList (fun _ => ()) as
  | [], [], [], _ => rfl
  | a :: as, b :: bs, q :: qs, h => by
    have h1 := profile_of_isQuotient a b q h.1
    rw [mapList, mapList, profiles_of_isQuotients as bs qs h.2]
    exact congrArg (· :: _) h1
  | [], [], _ :: _, h => h.elim
  | [], _ :: _, _, h => by simp [IsQuotients] at h
  | _ :: _, [], _, h => by simp [IsQuotients] at h
  | _ :: _, _ :: _, [], h => by simp [IsQuotients] at h
end

mutual
/-- **A shape has at most one such quotient by another.**
Rust: `razorgirl::Shape::shape_div`
Source: CuTe `shape_div` -/
theorem isQuotient_unique : (a b q r : IntTuple) → IsQuotient a b q → IsQuotient a b r → q = r
  | .leaf _, .leaf _, _, _, h, h' => by
    rw [IsQuotient] at h h'
    exact Option.some.inj (h.2.1.symm.trans h'.2.1)
  | .node _, .leaf _, _, _, h, h' => by
    rw [IsQuotient] at h h'
    exact Option.some.inj (h.2.1.symm.trans h'.2.1)
  | .leaf _, .node _, _, _, h, h' => by
    rw [IsQuotient] at h h'
    exact Option.some.inj (h.2.1.symm.trans h'.2.1)
  | .node as, .node bs, .node qs, .node rs, h, h' => by
    rw [IsQuotient] at h h'
    exact congrArg HTuple.node (isQuotients_unique as bs qs rs h h')
  | .node _, .node _, .leaf _, _, h, _ => h.elim
  | .node _, .node _, .node _, .leaf _, _, h => h.elim
theorem isQuotients_unique : (as bs qs rs : List IntTuple) → IsQuotients as bs qs → IsQuotients as bs rs → qs = rs
  | [], [], [], [], _, _ => rfl
  | a :: as, b :: bs, q :: qs, r :: rs, h, h' => by
    rw [isQuotient_unique a b q r h.1 h'.1, isQuotients_unique as bs qs rs h.2 h'.2]
  | [], [], _ :: _, _, h, _ => h.elim
  | [], [], [], _ :: _, _, h => h.elim
  | [], _ :: _, _, _, h, _ => by simp [IsQuotients] at h
  | _ :: _, [], _, _, h, _ => by simp [IsQuotients] at h
  | _ :: _, _ :: _, [], _, h, _ => by simp [IsQuotients] at h
  | _ :: _, _ :: _, _ :: _, [], _, h => by simp [IsQuotients] at h
end

/-- **Not every such quotient is found: 6 times (1,2) is the size of (4,3), and (1,2) is what `ceil_div` answers, but 6 and 4
do not divide each other, and `shape_div` refuses.**
Rust: `razorgirl::Shape::shape_div`
Source: CuTe `shape_div` -/
theorem shapeDiv_refuses_quotient :
    LeavesOf (.node [.leaf 4, .leaf 3]) 6 (.node [.leaf 1, .leaf 2]) ∧
      (shapeDiv (.node [.leaf 4, .leaf 3]) (.leaf 6)).isNone = true := by
  refine ⟨⟨rfl, ?_, .inl ?_⟩, ?_⟩
  · rfl
  · rfl
  · rfl

end IntTuple

end Razorgirl
