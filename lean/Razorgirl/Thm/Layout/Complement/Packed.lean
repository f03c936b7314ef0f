module

public import Razorgirl.Spec.Layout.Complement
public import Razorgirl.Thm.Layout.Sort

@[expose] public section

/-!
# Contiguous layouts are permuted column-major layouts

A layout is a bijection onto `[0, size)` exactly when its modes of extent above 1, sorted by stride, are
column-major: the first stride is 1 and each next one is extent × stride of the mode before. So contiguity
needs no list of offsets, only a sort.

The proof of the hard direction: the smallest stride is 1, since offset 1 is hit; translates of `[0,s)` that tile
`[0,n)` are consecutive blocks, so the offsets of the other modes are the multiples of `s`; and so on.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Column-major, step by step -/

theorem packed_iff_columnMajor {cur : Nat} {L : FlatLayout} :
    Packed cur L ↔ L = columnMajor cur (shape L) := by
  induction L generalizing cur with
  | nil => simp [Packed, shape_nil, columnMajor]
  | cons m L ih =>
    rw [Packed, ih, shape_cons, columnMajor, List.cons.injEq]
    exact and_congr_left fun _ => ⟨fun h => by cases m; subst h; rfl, fun h => congrArg Mode.stride h⟩

theorem le_stride_of_packed {c : Nat} {L : FlatLayout} (h : Packed c L) (hv : Valid L) {n : Mode}
    (hn : n ∈ L) : c ≤ n.stride := by
  induction L generalizing c with
  | nil => simp at hn
  | cons m L ih =>
    rcases List.mem_cons.1 hn with rfl | hn
    · exact Nat.le_of_eq h.1.symm
    · exact Nat.le_trans (Nat.le_mul_of_pos_left c hv.1) (ih h.2 hv.2 hn)

theorem contiguous_of_packed {L : FlatLayout} (h : Packed 1 L) (hv : Valid L) : Contiguous L := by
  rw [packed_iff_columnMajor.1 h]
  exact contiguous_columnMajor fun n hn => by
    obtain ⟨m, hm, rfl⟩ := List.mem_map.1 hn
    exact (valid_iff_forall L).1 hv m hm

/-! ## Tiling by blocks -/

theorem zero_mem_offsets {L : FlatLayout} (h : Valid L) : 0 ∈ offsets L :=
  (mem_offsets L 0).2 ⟨0, h.size_pos, atIndex_zero L⟩

theorem stride_mem_offsets {L : FlatLayout} {m : Mode} (hv : Valid L) (hm : m ∈ L) (h : 2 ≤ m.extent) :
    m.stride ∈ offsets L := by
  obtain ⟨A, B, rfl⟩ := List.append_of_mem hm
  have hv := (valid_append_iff _ _).1 hv
  exact Aux.mem_offsets_append.2 ⟨0, zero_mem_offsets hv.1, m.stride,
    Aux.mem_offsets_cons.2 ⟨1, by omega, 0, zero_mem_offsets hv.2.2, by omega⟩, by omega⟩

theorem exists_stride_le {L : FlatLayout} {o : Nat} (h : o ∈ offsets L) (ho : 0 < o) :
    ∃ m, m ∈ L ∧ m.stride ≤ o := by
  induction L generalizing o with
  | nil =>
    have := Aux.mem_offsets_nil.1 h
    omega
  | cons m L ih =>
    obtain ⟨k, _, o', ho', e⟩ := Aux.mem_offsets_cons.1 h
    rcases Nat.eq_zero_or_pos k with rfl | hk
    · obtain ⟨n, hn, hle⟩ := ih (o := o') ho' (by omega)
      exact ⟨n, List.mem_cons_of_mem _ hn, by omega⟩
    · have := Nat.le_mul_of_pos_left m.stride hk
      exact ⟨m, by simp, by omega⟩

theorem first_coordinate_unique {m : Mode} {L : FlatLayout} (h : Injective (m :: L)) {k k' t t' : Nat}
    (hk : k < m.extent) (hk' : k' < m.extent) (ht : t ∈ offsets L) (ht' : t' ∈ offsets L)
    (e : k * m.stride + t = k' * m.stride + t') : k = k' := by
  obtain ⟨i, hi, rfl⟩ := (mem_offsets L t).1 ht
  obtain ⟨j, hj, rfl⟩ := (mem_offsets L t').1 ht'
  have hs : size [m] = m.extent := by simp [size_cons, size_nil]
  have key : ∀ a b, a < m.extent → b < size L → a + m.extent * b < size (m :: L) ∧
      atIndex (m :: L) (a + m.extent * b) = a * m.stride + atIndex L b := by
    intro a b ha hb
    refine ⟨?_, ?_⟩
    · have := Nat.mul_le_mul_left m.extent hb
      rw [Nat.mul_succ] at this
      rw [size_cons]
      omega
    · rw [atIndex_cons, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt ha,
        Nat.add_mul_div_left _ _ (by omega), Nat.div_eq_of_lt ha, Nat.zero_add]
  have e' := (injective_iff_atIndex _).1 h _ _ (key k i hk hi).1 (key k' j hk' hj).1
    (by rw [(key k i hk hi).2, (key k' j hk' hj).2, e])
  have := congrArg (· % m.extent) e'
  simpa [Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hk, Nat.mod_eq_of_lt hk'] using this

theorem eq_zero_of_block {s q k z : Nat} (hk : k < s) (h : s * q = k + s * z) : k = 0 := by
  have := congrArg (· % s) h
  simpa [Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hk] using this.symm

/-- If the offsets are the multiples of `c`, each once, then a first mode of stride `c` leaves to the other modes
the multiples of extent × `c`. -/
theorem tail_multiples {c : Nat} {m : Mode} {L : FlatLayout} (hc : 0 < c) (hm : m.stride = c)
    (he : 0 < m.extent) (hi : Injective (m :: L))
    (ho : ∀ o, o ∈ offsets (m :: L) ↔ ∃ y, y < size (m :: L) ∧ o = c * y) (t : Nat) :
    t ∈ offsets L → ∃ z, t = m.extent * c * z := by
  induction t using Nat.strongRecOn with
  | _ t iht =>
    intro ht
    obtain ⟨y, hy, e⟩ := (ho t).1 (Aux.mem_offsets_cons.2 ⟨0, he, t, ht, by simp⟩)
    have hq := Nat.div_add_mod y m.extent
    have hr := Nat.mod_lt y he
    generalize y / m.extent = q at hq
    generalize y % m.extent = r at hq hr
    rcases Nat.eq_zero_or_pos r with rfl | hr0
    · exact ⟨q, by rw [e, ← hq, Nat.add_zero]; grind⟩
    · exfalso
      obtain ⟨k, hk, t', ht', e'⟩ :=
        Aux.mem_offsets_cons.1 ((ho (c * (m.extent * q))).2 ⟨m.extent * q, by omega, rfl⟩)
      have h1 : c * (m.extent * q) < c * y := Nat.mul_lt_mul_of_pos_left (by omega) hc
      obtain ⟨z, ez⟩ := iht t' (by omega) ht'
      have hk0 : k = 0 := eq_zero_of_block (q := q) (z := z) hk
        (Nat.eq_of_mul_eq_mul_left hc (by rw [e', hm, ez]; grind))
      have h2 : 0 * m.stride + t = r * m.stride + t' := by
        rw [hk0, Nat.zero_mul] at e'
        rw [hm, e, ← hq, Nat.mul_add, e', Nat.mul_comm r c]
        omega
      have := first_coordinate_unique hi he hr ht ht' h2
      omega

theorem packed_of_multiples {c : Nat} {L : FlatLayout} (hc : 0 < c) (hL : ∀ m ∈ L, 2 ≤ m.extent)
    (hs : Sorted L) (hi : Injective L) (ho : ∀ o, o ∈ offsets L ↔ ∃ y, y < size L ∧ o = c * y) :
    Packed c L := by
  induction L generalizing c with
  | nil => trivial
  | cons m L ih =>
    have hv : Valid (m :: L) := (valid_iff_forall _).2 fun n hn => by
      have := hL n hn
      omega
    have h2 := hL m (by simp)
    have hsize : 2 ≤ size (m :: L) := by
      rw [size_cons]
      exact Nat.le_trans h2 (Nat.le_mul_of_pos_right _ hv.2.size_pos)
    have hm : m.stride = c := by
      obtain ⟨n, hn, hle⟩ := exists_stride_le ((ho c).2 ⟨1, by omega, by simp⟩) hc
      have h1 : m.stride ≤ n.stride := by
        rcases List.mem_cons.1 hn with rfl | hn
        · exact Nat.le_refl _
        · have := (before_iff _ _).1 ((List.pairwise_cons.1 hs).1 n hn)
          omega
      have h3 := stride_pos_of_injective hv hi (m := m) (by simp) (by omega)
      obtain ⟨y, _, e⟩ := (ho _).1 (stride_mem_offsets hv (m := m) (by simp) h2)
      have hy : 0 < y := by
        rcases Nat.eq_zero_or_pos y with rfl | h
        · rw [Nat.mul_zero] at e
          omega
        · exact h
      have := Nat.le_mul_of_pos_right c hy
      omega
    have hstep := tail_multiples hc hm (by omega) hi ho
    refine ⟨hm, ih (Nat.mul_pos (by omega) hc) (fun n hn => hL n (by simp [hn]))
      (List.pairwise_cons.1 hs).2
      (injective_of_append_right (A := [m]) ⟨by omega, trivial⟩ hi) fun o => ⟨fun ho' => ?_, ?_⟩⟩
    · obtain ⟨z, e⟩ := hstep o ho'
      obtain ⟨y, hy, e'⟩ := (ho o).1 (Aux.mem_offsets_cons.2 ⟨0, by omega, o, ho', by simp⟩)
      refine ⟨z, ?_, e⟩
      have : y = m.extent * z := Nat.eq_of_mul_eq_mul_left hc (by rw [← e', e]; grind)
      rw [this, size_cons] at hy
      exact Nat.lt_of_mul_lt_mul_left hy
    · rintro ⟨z, hz, e⟩
      obtain ⟨k, hk, t, ht, e'⟩ := Aux.mem_offsets_cons.1 ((ho (c * (m.extent * z))).2
        ⟨m.extent * z, by rw [size_cons]; exact Nat.mul_lt_mul_of_pos_left hz (by omega), rfl⟩)
      obtain ⟨z', ez⟩ := hstep t ht
      have hk0 : k = 0 := eq_zero_of_block (q := z) (z := z') hk
        (Nat.eq_of_mul_eq_mul_left hc (by rw [e', hm, ez]; grind))
      have : o = t := by
        rw [hk0, Nat.zero_mul, Nat.zero_add] at e'
        rw [e, ← e']
        grind
      rw [this]
      exact ht

/-! ## The modes of extent above 1, by stride -/

theorem chain_perm (L : FlatLayout) : (chain L).Perm (squeeze L) := sort_perm _

theorem chain_sorted (L : FlatLayout) : Sorted (chain L) := sort_sorted _

theorem size_chain (L : FlatLayout) : size (chain L) = size L := by
  rw [size_perm (chain_perm L), size_squeeze]

theorem valid_chain {L : FlatLayout} (h : Valid L) : Valid (chain L) :=
  (valid_perm (chain_perm L)).2 (valid_squeeze h)

theorem two_le_of_mem_chain {L : FlatLayout} (h : Valid L) {m : Mode} (hm : m ∈ chain L) : 2 ≤ m.extent := by
  have h1 := extent_ne_one_of_mem_squeeze ((chain_perm L).mem_iff.1 hm)
  have h2 := (valid_iff_forall _).1 (valid_chain h) m hm
  omega

/-- **Only the modes with two or more coordinates decide whether a layout is contiguous, and not their order.**
Rust: `razorgirl::Layout::is_contiguous`
Source: Colfax 2.1.5 -/
theorem contiguous_chain_iff (L : FlatLayout) : Contiguous (chain L) ↔ Contiguous L := by
  rw [contiguous_perm (chain_perm L), contiguous_squeeze_iff]

theorem contiguous_iff_packed (L : FlatLayout) : Contiguous L ↔ Valid L ∧ Packed 1 (chain L) := by
  constructor
  · intro h
    have hv := valid_of_contiguous h
    have hc := (contiguous_chain_iff L).2 h
    refine ⟨hv, packed_of_multiples Nat.one_pos (fun m hm => two_le_of_mem_chain hv hm) (chain_sorted L) hc.1
      fun o => ?_⟩
    have hs := ((contiguous_iff_injective _).1 hc).2
    constructor
    · intro ho
      obtain ⟨x, hx, rfl⟩ := (mem_offsets _ o).1 ho
      exact ⟨_, atIndex_lt_size_of_contiguous hc hx, by omega⟩
    · rintro ⟨y, hy, e⟩
      exact (covers_iff_mem _).1 hc.2 o (by omega)
  · rintro ⟨hv, h⟩
    exact (contiguous_chain_iff L).1 (contiguous_of_packed h (valid_chain hv))

/-- **A layout is a bijection onto `[0, cosize)` exactly when its modes of extent above 1, sorted by stride, are
column-major: first stride 1, each next stride extent times stride of the mode before. No offset is enumerated.**
Rust: `razorgirl::Layout::is_contiguous`
Source: Colfax 2.1.5.6; Villa Straylight I.3 -/
theorem contiguous_iff_columnMajor (L : FlatLayout) :
    Contiguous L ↔ Valid L ∧ chain L = columnMajor 1 (shape (chain L)) := by
  rw [contiguous_iff_packed, packed_iff_columnMajor]

/-- **A layout is contiguous exactly when its modes of extent above 1 are those of a column-major layout in some
order.**
Rust: `razorgirl::Layout::is_contiguous`
Source: Colfax 2.1.5.6 -/
theorem contiguous_iff_perm_columnMajor (L : FlatLayout) :
    Contiguous L ↔ Valid L ∧ ∃ s, (squeeze L).Perm (columnMajor 1 s) := by
  constructor
  · intro h
    have := (contiguous_iff_columnMajor L).1 h
    exact ⟨this.1, shape (chain L), this.2 ▸ (chain_perm L).symm⟩
  · rintro ⟨hv, s, h⟩
    rw [← contiguous_squeeze_iff, contiguous_perm h]
    refine contiguous_columnMajor fun n hn => ?_
    have h1 := (valid_perm h).1 (valid_squeeze hv)
    have h2 := (prod_pos_iff _).1 h1.size_pos
    rw [shape_columnMajor] at h2
    exact h2 n hn

end FlatLayout

end Razorgirl
