module

public import Razorgirl.Spec.IntTuple.Product
public import Razorgirl.Thm.Layout.Basic.Nested
public import Razorgirl.Thm.Layout.Injective
public import Razorgirl.Thm.Layout.Slice

@[expose] public section

/-!
# Products of tuples: what is proved

The inner product of coordinate and stride is the offset, and the prefix product of a shape is the stride of its
column-major layout.
-/

namespace Razorgirl

namespace IntTuple
open HTuple

namespace Aux

theorem length_runningProducts (d : Nat) (s : List Nat) : (runningProducts d s).length = s.length := by
  induction s generalizing d with
  | nil => rfl
  | cons a s ih => rw [runningProducts, List.length_cons, List.length_cons, ih]

theorem strides_columnMajor (d : Nat) (s : List Nat) :
    FlatLayout.strides (FlatLayout.columnMajor d s) = runningProducts d s := by
  induction s generalizing d with
  | nil => rfl
  | cons a s ih => rw [FlatLayout.columnMajor, FlatLayout.strides_cons, ih, runningProducts]

theorem runningProducts_getElem (d : Nat) (s : List Nat) (i : Nat) (h : i < (runningProducts d s).length) :
    (runningProducts d s)[i] = prod (s.take i) * d := by
  induction s generalizing d i with
  | nil => simp [runningProducts] at h
  | cons a s ih =>
    cases i with
    | zero => simp [runningProducts, prod]
    | succ i =>
      have := ih (a * d) i (by simpa [runningProducts] using h)
      simp only [runningProducts, List.getElem_cons_succ, List.take_succ_cons, prod, this]
      grind

mutual
theorem innerProduct_eq : (a b : IntTuple) → (x : Nat) → innerProduct a b = some x →
    ∀ (L : FlatLayout), FlatLayout.strides L = b.flatten → FlatLayout.eval L a.flatten = x
  | .leaf p, .leaf q, x, h, L, hL => by
    simp only [innerProduct, Option.some.injEq] at h
    match L, hL with
    | [m], hL =>
      simp only [HTuple.flatten, FlatLayout.strides, List.map_cons, List.map_nil, List.cons.injEq] at hL
      rw [HTuple.flatten, FlatLayout.eval_cons, FlatLayout.eval_nil, hL.1, Nat.add_zero, h]
    | [], hL => simp [HTuple.flatten, FlatLayout.strides] at hL
    | _ :: _ :: _, hL => simp [HTuple.flatten, FlatLayout.strides] at hL
  | .node as, .node bs, x, h, L, hL => by
    simp only [innerProduct] at h
    rw [HTuple.flatten] at hL ⊢
    exact innerProductList_eq as bs x h L hL
  | .leaf _, .node _, _, h, _, _ => by simp [innerProduct] at h
  | .node _, .leaf _, _, h, _, _ => by simp [innerProduct] at h
theorem innerProductList_eq : (as bs : List IntTuple) → (x : Nat) → innerProductList as bs = some x →
    ∀ (L : FlatLayout), FlatLayout.strides L = flattenList bs → FlatLayout.eval L (flattenList as) = x
  | [], [], x, h, L, hL => by
    simp only [innerProductList, Option.some.injEq] at h
    rw [flattenList, FlatLayout.eval_nil_right, h]
  | a :: as, b :: bs, x, h, L, hL => by
    simp only [innerProductList] at h
    split at h
    · rename_i p q h1 h2
      obtain rfl := Option.some.inj h
      rw [flattenList] at hL ⊢
      have hlen : a.flatten.length = b.flatten.length := innerProduct_length a b p h1
      have hsplit : L = L.take b.flatten.length ++ L.drop b.flatten.length := (List.take_append_drop _ _).symm
      have hl : (L.take b.flatten.length).length = b.flatten.length := by
        rw [List.length_take]
        have := congrArg List.length hL
        rw [FlatLayout.strides, List.length_map, List.length_append] at this
        omega
      have hs : FlatLayout.strides (L.take b.flatten.length) = b.flatten ∧
          FlatLayout.strides (L.drop b.flatten.length) = flattenList bs := by
        rw [hsplit, FlatLayout.strides_append] at hL
        exact List.append_inj hL (by rw [FlatLayout.strides, List.length_map, hl])
      rw [hsplit, FlatLayout.eval_append (by rw [hlen, hl]),
        innerProduct_eq a b p h1 _ hs.1, innerProductList_eq as bs q h2 _ hs.2]
    · cases h
  | [], _ :: _, _, h, _, _ => by simp [innerProductList] at h
  | _ :: _, [], _, h, _, _ => by simp [innerProductList] at h
theorem innerProduct_length : (a b : IntTuple) → (x : Nat) → innerProduct a b = some x →
    a.flatten.length = b.flatten.length
  | .leaf _, .leaf _, _, _ => by simp [HTuple.flatten]
  | .node as, .node bs, x, h => by
    simp only [innerProduct] at h
    rw [HTuple.flatten, HTuple.flatten]
    exact innerProductList_length as bs x h
  | .leaf _, .node _, _, h => by simp [innerProduct] at h
  | .node _, .leaf _, _, h => by simp [innerProduct] at h
theorem innerProductList_length : (as bs : List IntTuple) → (x : Nat) → innerProductList as bs = some x →
    (flattenList as).length = (flattenList bs).length
  | [], [], _, _ => rfl
  | a :: as, b :: bs, x, h => by
    simp only [innerProductList] at h
    split at h
    · rename_i p q h1 h2
      rw [flattenList, flattenList, List.length_append, List.length_append, innerProduct_length a b p h1,
        innerProductList_length as bs q h2]
    · cases h
  | [], _ :: _, _, h => by simp [innerProductList] at h
  | _ :: _, [], _, h => by simp [innerProductList] at h
end

mutual
theorem innerProduct_isSome : (a b : IntTuple) → (innerProduct a b).isSome = congruent a b
  | .leaf _, .leaf _ => by simp [innerProduct, congruent]
  | .node as, .node bs => by simp [innerProduct, congruent, innerProductList_isSome as bs]
  | .leaf _, .node _ => by simp [innerProduct, congruent]
  | .node _, .leaf _ => by simp [innerProduct, congruent]
theorem innerProductList_isSome : (as bs : List IntTuple) →
    (innerProductList as bs).isSome = congruentList as bs
  | [], [] => by simp [innerProductList, congruentList]
  | [], _ :: _ => by simp [innerProductList, congruentList]
  | _ :: _, [] => by simp [innerProductList, congruentList]
  | a :: as, b :: bs => by
    simp only [innerProductList, congruentList, ← innerProduct_isSome a b, ← innerProductList_isSome as bs]
    cases innerProduct a b <;> cases innerProductList as bs <;> rfl
end

mutual
theorem prefixProduct_isSome : (d s : IntTuple) → (prefixProduct d s).isSome = weaklyCongruent d s
  | .leaf _, s => by cases s <;> simp [prefixProduct, weaklyCongruent]
  | .node ds, .node ss => by simp [prefixProduct, weaklyCongruent, prefixProductList_isSome ds ss]
  | .node _, .leaf _ => by simp [prefixProduct, weaklyCongruent]
theorem prefixProductList_isSome : (ds ss : List IntTuple) →
    (prefixProductList ds ss).isSome = weaklyCongruentList ds ss
  | [], [] => by simp [prefixProductList, weaklyCongruentList]
  | [], _ :: _ => by simp [prefixProductList, weaklyCongruentList]
  | _ :: _, [] => by simp [prefixProductList, weaklyCongruentList]
  | d :: ds, s :: ss => by
    simp only [prefixProductList, weaklyCongruentList, ← prefixProduct_isSome d s,
      ← prefixProductList_isSome ds ss]
    cases prefixProduct d s <;> cases prefixProductList ds ss <;> rfl
end

end Aux
open Aux

/-- **The inner product of a coordinate and the strides of a layout is its offset.**
Rust: `razorgirl::HTuple::inner_product`
Source: CuTe `inner_product`, `crd2idx` -/
theorem innerProduct_stride {L : Layout} (hL : L.Valid) {c : IntTuple} (hc : congruent c L.shape = true)
    (hb : InBounds L.shape.flatten c.flatten) : L.call (map some c) = innerProduct c L.stride := by
  have h : (innerProduct c L.stride).isSome = true := by
    rw [innerProduct_isSome]
    exact congruent_trans hc (Layout.congruent_shape_stride L)
  obtain ⟨x, hx⟩ := Option.isSome_iff_exists.1 h
  rw [hx, Layout.call_map_some hc hb, innerProduct_eq _ _ x hx L.modes (Layout.flatten_stride hL).symm]

/-- **An inner product exists exactly where the nestings agree.**
Rust: `razorgirl::HTuple::inner_product`
Source: CuTe `inner_product` -/
theorem innerProduct_isSome_iff (a b : IntTuple) : (innerProduct a b).isSome = true ↔ congruent a b = true := by
  rw [innerProduct_isSome]

/-- **Each entry of the prefix product is the product of all extents before it, times the start: the strides of the
column-major layout.**
Rust: `razorgirl::Shape::prefix_product`
Source: pycute `prefix_product`; CuTe `compact_major` -/
theorem prefixProduct_leaf (d : Nat) (s : IntTuple) : ∃ p, prefixProduct (.leaf d) s = some p ∧
    p.profile = s.profile ∧ p.flatten = FlatLayout.strides (FlatLayout.columnMajor d s.flatten) ∧
    ∀ i (h : i < p.flatten.length), p.flatten[i] = prod (s.flatten.take i) * d := by
  have hf : (unflatten 0 s.profile (runningProducts d s.flatten)).flatten = runningProducts d s.flatten :=
    flatten_unflatten _ _ _ (by rw [length_runningProducts, length_profile, length_flatten])
  refine ⟨unflatten 0 s.profile (runningProducts d s.flatten), by cases s <;> rfl, profile_unflatten _ _ _,
    by rw [hf, strides_columnMajor], fun i h => ?_⟩
  simp only [hf]
  exact runningProducts_getElem d s.flatten i (by rw [← hf]; exact h)

/-- **A prefix product exists exactly where the start is nested like the shape or less.**
Rust: `razorgirl::Shape::prefix_product`
Source: pycute `prefix_product` -/
theorem prefixProduct_isSome_iff (d s : IntTuple) :
    (prefixProduct d s).isSome = true ↔ weaklyCongruent d s = true := by
  rw [prefixProduct_isSome]

end IntTuple

end Razorgirl
