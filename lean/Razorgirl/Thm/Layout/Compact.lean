module

public import Razorgirl.Spec.Layout.Compact
public import Razorgirl.Thm.Layout.Ordered

@[expose] public section

/-!
# Compact layouts: what is proved

Column-major and row-major layouts are bijections onto `[0,size)`; so is the layout made like another one, apart from
the modes that repeat, and its strides come in the same order.
-/

namespace Razorgirl

namespace FlatLayout

namespace Aux

theorem columnMajor_append (d : Nat) (s t : List Nat) :
    columnMajor d (s ++ t) = columnMajor d s ++ columnMajor (prod s * d) t := by
  induction s generalizing d with
  | nil => rw [List.nil_append, prod, Nat.one_mul]; rfl
  | cons a s ih =>
    rw [List.cons_append, columnMajor, columnMajor, ih, List.cons_append, prod]
    congr 3
    rw [Nat.mul_left_comm, Nat.mul_assoc]

theorem prod_reverse (s : List Nat) : prod s.reverse = prod s := by
  induction s with
  | nil => rfl
  | cons b s ih => rw [List.reverse_cons, prod_append, ih, prod, prod, prod, Nat.mul_one, Nat.mul_comm]

theorem rowMajor_eq_reverse (s : List Nat) : rowMajor s = (columnMajor 1 s.reverse).reverse := by
  induction s with
  | nil => rfl
  | cons a s ih =>
    rw [List.reverse_cons, columnMajor_append, List.reverse_append, ← ih, prod_reverse, Nat.mul_one]
    rfl

theorem shape_rowMajor (s : List Nat) : shape (rowMajor s) = s := by
  induction s with
  | nil => rfl
  | cons s ss ih => rw [rowMajor, shape_cons, ih]

theorem contiguous_rowMajor {s : List Nat} (h : ∀ n ∈ s, 0 < n) : Contiguous (rowMajor s) := by
  rw [rowMajor_eq_reverse, contiguous_perm (List.reverse_perm _)]
  exact contiguous_columnMajor fun n hn => h n (List.mem_reverse.1 hn)

theorem normalize_reverse (L : FlatLayout) : normalize L.reverse = (normalize L).reverse := by
  have h : ∀ L : FlatLayout, normalize L = L.map fun m => if m.extent = 1 then ⟨1, 0⟩ else m := by
    intro L
    induction L with
    | nil => rfl
    | cons m L ih => rw [normalize_cons, ih]; rfl
  rw [h, h, List.map_reverse]

theorem shape_withStrides {L M : FlatLayout} (h : L.length = M.length) : shape (withStrides L M) = shape L := by
  induction L generalizing M with
  | nil => cases M <;> rfl
  | cons m L ih =>
    cases M with
    | nil => simp at h
    | cons n M => rw [withStrides, shape_cons, shape_cons, ih (by simpa using h)]

theorem withStrides_getElem? {L M : FlatLayout} {k : Nat} {p : Mode} (h : (withStrides L M)[k]? = some p) :
    ∃ m n, L[k]? = some m ∧ M[k]? = some n ∧ p = ⟨m.extent, n.stride⟩ := by
  induction L generalizing M k with
  | nil => simp [withStrides] at h
  | cons m L ih =>
    cases M with
    | nil => simp [withStrides] at h
    | cons n M =>
      rw [withStrides] at h
      cases k with
      | zero => exact ⟨m, n, rfl, rfl, by simpa using h.symm⟩
      | succ k => exact ih (by simpa using h)

/-- Where the extents of `M` are those of `L` without what repeats, and no mode of `M` of extent above 1 stands still,
`M` is what is left of `withStrides L M` without what repeats. -/
theorem filterZeros_withStrides {L M : FlatLayout} (h : shape M = shape (filterZeros L))
    (hM : ∀ m ∈ M, m.extent ≠ 1 → m.stride ≠ 0) (h1 : ∀ m ∈ M, m.extent = 1 → m.stride = 0) :
    filterZeros (withStrides L M) = M := by
  induction L generalizing M with
  | nil =>
    cases M with
    | nil => rfl
    | cons n M => simp [shape, filterZeros] at h
  | cons m L ih =>
    cases M with
    | nil => simp [shape, filterZeros] at h
    | cons n M =>
      rw [filterZeros_cons, shape_cons, shape_cons, List.cons.injEq] at h
      rw [withStrides, filterZeros_cons, ih h.2 (fun m hm => hM m (by simp [hm])) fun m hm => h1 m (by simp [hm])]
      congr 1
      have hn := hM n (by simp)
      have hn1 := h1 n (by simp)
      have he := h.1
      unfold filterZero at he ⊢
      cases n with
      | mk s d =>
        simp only at he hn hn1 ⊢
        by_cases hd : d = 0
        · have : s = 1 := Classical.byContradiction fun hs => hn hs hd
          simp [hd, this]
        · rw [if_neg hd]
          have hs : s ≠ 1 := fun hs => hd (hn1 hs)
          split at he
          · exact absurd he hs
          · rw [he]

theorem normalized_ordered (s o : List Nat) : ∀ m ∈ ordered s o, m.extent = 1 → m.stride = 0 := by
  rw [ordered]
  generalize orderedFrom [] [] s o = L
  induction L with
  | nil => simp [normalize]
  | cons n L ih =>
    intro m hm
    rw [normalize_cons] at hm
    rcases List.mem_cons.1 hm with rfl | hm
    · split
      · simp
      · rename_i h
        exact fun h' => absurd h' h
    · exact ih m hm

end Aux
open Aux

theorem length_strides_filterZeros (L : FlatLayout) : (shape (filterZeros L)).length = (strides L).length := by
  simp [shape, filterZeros, strides]

/-- **A layout made like another one has its extents, and without the modes that repeat it is a bijection onto
`[0,size)`.**
Rust: `razorgirl::Layout::make_layout_like`
Source: CuTe `make_layout_like` (where modes of equal stride overlap) -/
theorem makeLayoutLike_contiguous {L : FlatLayout} (hv : Valid L) :
    shape (makeLayoutLike L) = shape L ∧ Contiguous (filterZeros (makeLayoutLike L)) := by
  have hl := length_strides_filterZeros L
  have hpos : ∀ s ∈ shape (filterZeros L), 0 < s := by
    intro s hs
    obtain ⟨m, hm, rfl⟩ := List.mem_map.1 hs
    exact (valid_iff_forall _).1 (filterZeros_valid hv) m hm
  have hc := contiguous_ordered hl hpos
  have hs := shape_ordered hl
  have hlen : L.length = (ordered (shape (filterZeros L)) (strides L)).length := by
    rw [← length_shape, ← length_shape, hs, length_shape, length_shape, filterZeros, List.length_map]
  refine ⟨shape_withStrides hlen, ?_⟩
  rw [makeLayoutLike, filterZeros_withStrides hs
    (fun m hm h => ?_) (normalized_ordered _ _)]
  · exact hc
  · have hv' := valid_of_contiguous hc
    have := (valid_iff_forall _).1 hv' m hm
    have := stride_pos_of_injective hv' hc.1 hm (by omega)
    omega

/-- **A layout made like another one repeats where that repeats, and its strides come in the same order: of two modes
that move, the one with the smaller stride ends before the other takes a step.**
Rust: `razorgirl::Layout::make_layout_like`
Source: CuTe `make_layout_like` -/
theorem makeLayoutLike_stride {L : FlatLayout} {i j : Nat} {m n m' n' : Mode} (hi : L[i]? = some m)
    (hj : L[j]? = some n) (hi' : (makeLayoutLike L)[i]? = some m') (hj' : (makeLayoutLike L)[j]? = some n') :
    (m.stride = 0 → m'.stride = 0) ∧
      (m.stride ≠ 0 → m.extent ≠ 1 → m.stride < n.stride → m'.extent * m'.stride ∣ n'.stride) := by
  have hl := length_strides_filterZeros L
  have hs := shape_ordered hl
  have hlen : L.length = (ordered (shape (filterZeros L)) (strides L)).length := by
    rw [← length_shape, ← length_shape, hs, length_shape, length_shape, filterZeros, List.length_map]
  -- the modes of the ordered layout in the same places
  have key : ∀ {k : Nat} {p p' : Mode}, L[k]? = some p → (makeLayoutLike L)[k]? = some p' →
      ∃ q, (ordered (shape (filterZeros L)) (strides L))[k]? = some q ∧ q.stride = p'.stride ∧
        p'.extent = p.extent ∧ q.extent = (filterZero p).extent ∧ (strides L)[k]? = some p.stride := by
    intro k p p' hp hp'
    obtain ⟨u, q, hu, hq, rfl⟩ := withStrides_getElem? hp'
    obtain rfl : p = u := by simpa [hp] using hu
    have h3 : (shape (ordered (shape (filterZeros L)) (strides L)))[k]? = (shape (filterZeros L))[k]? := by rw [hs]
    rw [shape, List.getElem?_map, hq, Option.map_some, shape, filterZeros, List.getElem?_map, List.getElem?_map, hp,
      Option.map_some, Option.map_some, Option.some.injEq] at h3
    refine ⟨q, hq, rfl, rfl, h3, ?_⟩
    rw [strides, List.getElem?_map, hp, Option.map_some]
  obtain ⟨q, hq, e1, e2, e3, e4⟩ := key hi hi'
  obtain ⟨r, hr, f1, _, _, f4⟩ := key hj hj'
  refine ⟨fun h0 => ?_, fun h0 h1 hlt => ?_⟩
  · rw [filterZero, if_pos h0] at e3
    rw [← e1]
    exact normalized_ordered _ _ q (List.mem_of_getElem? hq) e3
  · rw [filterZero, if_neg h0] at e3
    rw [e2, ← e3, ← e1, ← f1]
    exact ordered_stride_dvd hl hq hr e4 f4 (.inl hlt) (by rw [e3]; exact h1)

end FlatLayout

namespace Layout
open HTuple FlatLayout.Aux

/-- **`make_layout_left` is the identity on linear indices.**
Rust: `razorgirl::Layout::column_major`
Source: CuTe `make_layout`, `LayoutLeft` -/
theorem columnMajor_atIndex {s : IntTuple} {x : Nat} (h : x < IntTuple.size s) :
    FlatLayout.atIndex (columnMajor s).modes x = x := by
  rw [IntTuple.size_eq_prod] at h
  rw [columnMajor, FlatLayout.atIndex_normalize, FlatLayout.atIndex_columnMajor h]

theorem columnMajor_valid {s : IntTuple} (h : IntTuple.Positive s) : (columnMajor s).Valid := by
  refine ⟨?_, ?_⟩
  · rw [columnMajor, length_profile, ← length_flatten, ← FlatLayout.length_shape, FlatLayout.shape_normalize,
      FlatLayout.shape_columnMajor]
  · rw [IntTuple.positive_iff_size_pos, IntTuple.size_eq_prod] at h
    rw [FlatLayout.valid_iff_size_pos, FlatLayout.size, columnMajor, FlatLayout.shape_normalize,
      FlatLayout.shape_columnMajor]
    exact h

theorem columnMajor_shape (s : IntTuple) : (columnMajor s).shape = s := by
  have h : (columnMajor s).profile.length = (columnMajor s).modes.length := by
    rw [columnMajor, length_profile, ← length_flatten, ← FlatLayout.length_shape, FlatLayout.shape_normalize,
      FlatLayout.shape_columnMajor]
  refine eq_of_profile_eq_of_flatten_eq (by rw [profile_shape]; rfl) ?_
  rw [Layout.flatten_shape_of_length h, columnMajor, FlatLayout.shape_normalize, FlatLayout.shape_columnMajor]

theorem rowMajor_shape (s : IntTuple) : (rowMajor s).shape = s := by
  have h : (rowMajor s).profile.length = (rowMajor s).modes.length := by
    rw [rowMajor, length_profile, ← length_flatten, ← FlatLayout.length_shape, FlatLayout.shape_normalize,
      shape_rowMajor]
  refine eq_of_profile_eq_of_flatten_eq (by rw [profile_shape]; rfl) ?_
  rw [Layout.flatten_shape_of_length h, rowMajor, FlatLayout.shape_normalize, shape_rowMajor]

/-- **Column-major and row-major layouts have the shape they were made for and are bijections onto `[0,size)`.**
Rust: `razorgirl::Layout::row_major`
Source: CuTe `make_layout`, `LayoutLeft`, `LayoutRight` -/
theorem columnMajor_rowMajor_contiguous {s : IntTuple} (h : IntTuple.Positive s) :
    ((columnMajor s).shape = s ∧ FlatLayout.Contiguous (columnMajor s).modes) ∧
      ((rowMajor s).shape = s ∧ FlatLayout.Contiguous (rowMajor s).modes) :=
  ⟨⟨columnMajor_shape s, (FlatLayout.contiguous_normalize_iff _).2
      (FlatLayout.contiguous_columnMajor ((IntTuple.positive_iff_mem s).1 h))⟩,
    ⟨rowMajor_shape s, (FlatLayout.contiguous_normalize_iff _).2
      (contiguous_rowMajor ((IntTuple.positive_iff_mem s).1 h))⟩⟩

/-- **The row-major layout has the modes of the column-major layout of the reversed shape, in reverse order.**
Rust: `razorgirl::Layout::row_major`
Source: CuTe `LayoutRight` -/
theorem rowMajor_eq_columnMajor_reversed (s : IntTuple) :
    (rowMajor s).modes = (FlatLayout.normalize (FlatLayout.columnMajor 1 s.flatten.reverse)).reverse := by
  rw [rowMajor, rowMajor_eq_reverse, normalize_reverse]

/-- **A layout made like another one has its shape, and without the modes that repeat it is a bijection onto
`[0,size)`.**
Rust: `razorgirl::Layout::make_layout_like`
Source: CuTe `make_layout_like` (where modes of equal stride overlap) -/
theorem makeLayoutLike_contiguous {L : Layout} (hL : L.Valid) :
    (makeLayoutLike L).shape = L.shape ∧ FlatLayout.Contiguous (filterZeros (makeLayoutLike L)).modes := by
  obtain ⟨h1, h2⟩ := FlatLayout.makeLayoutLike_contiguous hL.2
  refine ⟨?_, h2⟩
  have h : (makeLayoutLike L).profile.length = (makeLayoutLike L).modes.length := by
    rw [makeLayoutLike, ← FlatLayout.length_shape, h1, FlatLayout.length_shape]
    exact hL.1
  refine eq_of_profile_eq_of_flatten_eq (by rw [profile_shape, profile_shape]; rfl) ?_
  rw [Layout.flatten_shape_of_length h, Layout.flatten_shape_of_length hL.1]
  exact h1

end Layout

end Razorgirl
