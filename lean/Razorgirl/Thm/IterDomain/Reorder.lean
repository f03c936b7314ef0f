module

public import Razorgirl.Data.List
public import Razorgirl.Data.Perm
public import Razorgirl.Thm.IterDomain.Split

@[expose] public section

/-!
# Reordering: what is proved

A permutation of the domains permutes extents and indices alike, and undoes itself.
-/

namespace Razorgirl.IterDomain

/-! ## Permutations as lists of positions -/

theorem position_lt_iff (k : Nat) (p : List Nat) : position k p < p.length ↔ k ∈ p := by
  induction p with
  | nil => simp [position]
  | cons x p ih =>
    rw [position]
    split
    · simp_all
    · simp_all

theorem getD_position {k : Nat} {p : List Nat} (h : k ∈ p) : p.getD (position k p) 0 = k := by
  induction p with
  | nil => simp at h
  | cons x p ih =>
    rw [position]
    split
    · simp_all
    · rw [List.getD_cons_succ]
      exact ih (by simp_all)

theorem position_getD {p : List Nat} (hp : p.Nodup) {k : Nat} (h : k < p.length) : position (p.getD k 0) p = k := by
  induction p generalizing k with
  | nil => simp at h
  | cons x p ih =>
    obtain ⟨hx, hp⟩ := List.nodup_cons.1 hp
    cases k with
    | zero => simp [position]
    | succ k =>
      have hk : k < p.length := by simpa using h
      rw [List.getD_cons_succ, position, if_neg, ih hp hk]
      intro e
      rw [List.getD_eq_getElem?_getD, List.getElem?_eq_getElem hk] at e
      exact hx (e ▸ List.getElem_mem hk)

theorem isOrder_length {n : Nat} {p : List Nat} (h : isOrder n p = true) : p.length = n := by
  simp only [isOrder, Bool.and_eq_true, beq_iff_eq] at h
  exact h.1

theorem isOrder_mem {n : Nat} {p : List Nat} (h : isOrder n p = true) {k : Nat} (hk : k < n) : k ∈ p := by
  have hl := isOrder_length h
  simp only [isOrder, Bool.and_eq_true, List.all_eq_true, decide_eq_true_eq] at h
  exact (position_lt_iff k p).1 (hl.symm ▸ h.2 k (List.mem_range.2 hk))

theorem isOrder_nodup {n : Nat} {p : List Nat} (h : isOrder n p = true) : p.Nodup :=
  nodup_of_subset_of_length_le List.nodup_range (fun _ hx => isOrder_mem h (List.mem_range.1 hx))
    (by simp [isOrder_length h])

theorem isOrder_lt {n : Nat} {p : List Nat} (h : isOrder n p = true) : ∀ k ∈ p, k < n := by
  have := subset_of_nodup_of_length_le (l := List.range n) (m := p) List.nodup_range
    (fun _ hx => isOrder_mem h (List.mem_range.1 hx)) (by simp [isOrder_length h])
  exact fun k hk => List.mem_range.1 (this k hk)

/-- **A list of positions that passes the test is a permutation of 0, …, n-1.**
Source: nvFuser `reorder` -/
theorem isOrder_perm {n : Nat} {p : List Nat} (h : isOrder n p = true) : p.Perm (List.range n) :=
  perm_of_nodup (isOrder_nodup h) List.nodup_range fun _ =>
    ⟨fun hx => List.mem_range.2 (isOrder_lt h _ hx), fun hx => isOrder_mem h (List.mem_range.1 hx)⟩

/-! ## Picking -/

theorem length_pick {α : Type} (d : α) (p : List Nat) (xs : List α) : (pick d p xs).length = p.length := by
  simp [pick]

theorem length_invert (p : List Nat) : (invert p).length = p.length := by simp [invert]

theorem getD_pick {α : Type} (d d' : α) {p : List Nat} {k : Nat} (h : k < p.length) (xs : List α) :
    (pick d p xs).getD k d' = xs.getD (p.getD k 0) d := by
  simp [pick, List.getD_eq_getElem?_getD, h]

theorem getD_invert {p : List Nat} {k : Nat} (h : k < p.length) : (invert p).getD k 0 = position k p := by
  simp [invert, List.getD_eq_getElem?_getD, h]

theorem ext_getD {α : Type} (d : α) {xs ys : List α} (hl : xs.length = ys.length)
    (h : ∀ k, k < xs.length → xs.getD k d = ys.getD k d) : xs = ys := by
  refine List.ext_getElem hl fun k h1 h2 => ?_
  have := h k h1
  simpa [List.getD_eq_getElem?_getD, h1, h2] using this

/-- **A permutation and then its inverse change nothing.**
Source: nvFuser `reorder` -/
theorem pick_invert_pick {α : Type} (d : α) {p : List Nat} {xs : List α} (h : isOrder xs.length p = true) :
    pick d (invert p) (pick d p xs) = xs := by
  have hl := isOrder_length h
  refine ext_getD d (by rw [length_pick, length_invert, hl]) fun k hk => ?_
  rw [length_pick, length_invert] at hk
  have hm := isOrder_mem h (hl ▸ hk)
  rw [getD_pick d d (by rwa [length_invert]), getD_invert hk, getD_pick d d ((position_lt_iff k p).2 hm),
    getD_position hm]

/-- **The inverse of a permutation and then the permutation change nothing.**
Source: nvFuser `reorder` -/
theorem pick_pick_invert {α : Type} (d : α) {p : List Nat} {xs : List α} (h : isOrder xs.length p = true) :
    pick d p (pick d (invert p) xs) = xs := by
  have hl := isOrder_length h
  refine ext_getD d (by rw [length_pick, hl]) fun k hk => ?_
  rw [length_pick] at hk
  have h1 : p.getD k 0 < p.length := by
    rw [List.getD_eq_getElem?_getD, List.getElem?_eq_getElem hk]
    exact hl ▸ isOrder_lt h _ (List.getElem_mem hk)
  rw [getD_pick d d hk, getD_pick d d (by rwa [length_invert]), getD_invert h1, position_getD (isOrder_nodup h) hk]

theorem inBox_iff_getD (N i : List Int) : InBox N i ↔
    i.length = N.length ∧ ∀ k, k < N.length → 0 ≤ i.getD k 0 ∧ i.getD k 0 < N.getD k 0 := by
  induction N generalizing i with
  | nil => cases i <;> simp [InBox]
  | cons n N ih =>
    cases i with
    | nil => simp [InBox]
    | cons a i =>
      rw [InBox, ih]
      constructor
      · rintro ⟨h0, hl, h⟩
        refine ⟨by simp [hl], fun k hk => ?_⟩
        cases k with
        | zero => simpa using h0
        | succ k => simpa using h k (by simpa using hk)
      · rintro ⟨hl, h⟩
        refine ⟨by simpa using h 0 (by simp), by simpa using hl, fun k hk => ?_⟩
        simpa using h (k + 1) (by simpa using hk)

/-- A permuted index is in the permuted box exactly when it is in the box. -/
theorem inBox_pick_iff {N i : List Int} {p : List Nat} (h : isOrder N.length p = true) (hi : i.length = N.length) :
    InBox (pick 0 p N) (pick 0 p i) ↔ InBox N i := by
  have hl := isOrder_length h
  rw [inBox_iff_getD, inBox_iff_getD]
  simp only [length_pick, true_and, hi]
  constructor
  · intro h1 k hk
    have hm := isOrder_mem h hk
    have := h1 (position k p) ((position_lt_iff k p).2 hm)
    rwa [getD_pick 0 0 ((position_lt_iff k p).2 hm), getD_pick 0 0 ((position_lt_iff k p).2 hm), getD_position hm]
      at this
  · intro h1 k hk
    rw [getD_pick 0 0 hk, getD_pick 0 0 hk]
    refine h1 _ ?_
    rw [List.getD_eq_getElem?_getD, List.getElem?_eq_getElem hk]
    exact isOrder_lt h _ (List.getElem_mem hk)

theorem isOrder_invert {n : Nat} {p : List Nat} (h : isOrder n p = true) : isOrder n (invert p) = true := by
  have hl := isOrder_length h
  simp only [isOrder, Bool.and_eq_true, beq_iff_eq, List.all_eq_true, decide_eq_true_eq, length_invert, hl, true_and]
  intro k hk
  have hk := List.mem_range.1 hk
  have := (position_lt_iff k (invert p)).2 (by
    refine List.mem_map.2 ⟨p.getD k 0, ?_, position_getD (isOrder_nodup h) (hl.symm ▸ hk)⟩
    rw [hl, List.mem_range, List.getD_eq_getElem?_getD, List.getElem?_eq_getElem (hl.symm ▸ hk)]
    exact isOrder_lt h _ (List.getElem_mem _))
  rwa [length_invert, hl] at this

namespace Transform

/-- **Reordering pairs off all indices without holes.**
Source: nvFuser `reorder` -/
theorem reorder_bijective {N : List Int} {p : List Nat} (h : isOrder N.length p = true) : Bijective N (reorder p) := by
  have hl := isOrder_length h
  refine bijective_of_inverse (fun i hi => ?_) fun j hj => ?_
  · exact ⟨(inBox_pick_iff h hi.length_eq).2 hi, pick_invert_pick 0 (by rw [hi.length_eq]; exact h)⟩
  · have hj : InBox (pick 0 p N) j := hj
    have hjl := hj.length_eq
    rw [length_pick, hl] at hjl
    have hb : pick 0 p (pick 0 (invert p) j) = j := pick_pick_invert 0 (by rw [hjl]; exact h)
    refine ⟨?_, hb⟩
    show InBox N (pick 0 (invert p) j)
    rw [← inBox_pick_iff h (by rw [length_pick, length_invert, hl]), hb]
    exact hj

end Transform

end Razorgirl.IterDomain
