module

public import Razorgirl.Thm.Layout.Complement.Gaps
public import Razorgirl.Thm.Layout.Find

@[expose] public section

/-!
# What it means to complete a layout

`Completes A B N` in three forms, its symmetry, and the general theorem behind existence and uniqueness: if
anything completes `A` in `[0,N)`, then `complementIn A N` finds it, sorted and coalesced.
-/

namespace Razorgirl

namespace FlatLayout

instance (A B : FlatLayout) (N : Nat) : Decidable (Completes A B N) :=
  inferInstanceAs (Decidable (Contiguous (A ++ B) ∧ cosize (A ++ B) = N))

/-- **B completes A in `[0,N)` exactly when side by side they are contiguous and their sizes multiply to N.**
Source: Colfax 2.1.6 -/
theorem completes_iff_size (A B : FlatLayout) (N : Nat) :
    Completes A B N ↔ Contiguous (A ++ B) ∧ size A * size B = N := by
  rw [Completes, ← size_append]
  exact and_congr_right fun h => by rw [((contiguous_iff_injective _).1 h).2]

/-- **B completes A in `[0,N)` exactly when side by side they stay below N and hit every address below N exactly
once.**
Source: Colfax 2.1.6; Villa Straylight III.1 -/
theorem completes_iff_exists_unique (A B : FlatLayout) (N : Nat) : Completes A B N ↔
    0 < N ∧ (∀ x, x < size (A ++ B) → atIndex (A ++ B) x < N) ∧
      ∀ o, o < N → ∃ x, (x < size (A ++ B) ∧ atIndex (A ++ B) x = o) ∧
        ∀ y, y < size (A ++ B) → atIndex (A ++ B) y = o → y = x := by
  constructor
  · rintro ⟨h, rfl⟩
    refine ⟨cosize_pos _, fun x hx => atIndex_lt_cosize hx, fun o ho => ?_⟩
    rw [((contiguous_iff_injective _).1 h).2] at ho
    exact exists_unique_of_contiguous h ho
  · rintro ⟨hN, h1, h2⟩
    have hmem : ∀ o, o < N → o ∈ offsets (A ++ B) := fun o ho => by
      obtain ⟨x, hx, _⟩ := h2 o ho
      exact (mem_offsets _ o).2 ⟨x, hx⟩
    have hc : cosize (A ++ B) = N := by
      have h3 := le_maximum (hmem (N - 1) (by omega))
      have h4 : maximum (offsets (A ++ B)) ≤ N - 1 := maximum_le fun o ho => by
        obtain ⟨x, hx, rfl⟩ := (mem_offsets _ o).1 ho
        have := h1 x hx
        omega
      rw [cosize_eq_offsets]
      omega
    refine ⟨⟨(injective_iff_atIndex _).2 fun x y hx hy e => ?_,
      (covers_iff_mem _).2 fun o ho => hmem o (by omega)⟩, hc⟩
    obtain ⟨z, _, hz⟩ := h2 _ (h1 x hx)
    rw [hz x hx rfl, hz y hy e.symm]

theorem Completes.pos {A B : FlatLayout} {N : Nat} (h : Completes A B N) : 0 < N :=
  ((completes_iff_exists_unique A B N).1 h).1

theorem Completes.valid {A B : FlatLayout} {N : Nat} (h : Completes A B N) : Valid A ∧ Valid B :=
  (valid_append_iff A B).1 (valid_of_contiguous h.1)

/-- **The sizes of a layout and of one that completes it in `[0,N)` multiply to N.**
Source: Colfax 2.1.6 -/
theorem Completes.size_mul {A B : FlatLayout} {N : Nat} (h : Completes A B N) : size A * size B = N :=
  ((completes_iff_size A B N).1 h).2

/-- **If B completes A, then A completes B.**
Source: Colfax 2.1.6 -/
theorem Completes.symm {A B : FlatLayout} {N : Nat} (h : Completes A B N) : Completes B A N :=
  ⟨(contiguous_perm List.perm_append_comm).1 h.1, by rw [cosize_perm List.perm_append_comm, h.2]⟩

/-- **If B completes A in `[0,N)`, every address below N is an offset of A plus an offset of B, in exactly one
way.**
Source: Colfax 2.1.6; Villa Straylight III.1 -/
theorem Completes.exists_unique_pair {A B : FlatLayout} {N : Nat} (h : Completes A B N) {o : Nat} (ho : o < N) :
    ∃ x y, (x < size A ∧ y < size B ∧ atIndex A x + atIndex B y = o) ∧
      ∀ x' y', x' < size A → y' < size B → atIndex A x' + atIndex B y' = o → x' = x ∧ y' = y := by
  have hp := h.valid.1.size_pos
  obtain ⟨z, ⟨hz, e⟩, hu⟩ := ((completes_iff_exists_unique A B N).1 h).2.2 o ho
  refine ⟨z % size A, z / size A, ⟨Nat.mod_lt _ hp, Nat.div_lt_of_lt_mul (by rw [← size_append]; exact hz), ?_⟩,
    fun x' y' hx hy e' => ?_⟩
  · rw [← atIndex_append, e]
  · have h1 := Nat.mul_le_mul_left (size A) hy
    rw [Nat.mul_succ] at h1
    rw [← hu (x' + size A * y') (by rw [size_append]; omega) (by rw [atIndex_append_add hx, e']),
      Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hx, Nat.add_mul_div_left _ _ hp, Nat.div_eq_of_lt hx]
    simp

/-- **A layout and one that completes it share no offset but 0.**
Source: Colfax 2.1.6; Cecka, complement post-conditions -/
theorem Completes.eq_zero_of_mem {A B : FlatLayout} {N o : Nat} (h : Completes A B N) (hA : o ∈ offsets A)
    (hB : o ∈ offsets B) : o = 0 := by
  obtain ⟨x, hx, ex⟩ := (mem_offsets A o).1 hA
  obtain ⟨y, hy, ey⟩ := (mem_offsets B o).1 hB
  have hlt : o < N := by
    have h1 := ((completes_iff_exists_unique A B N).1 h).2.1 x (by
      rw [size_append]
      exact Nat.lt_of_lt_of_le hx (Nat.le_mul_of_pos_right _ h.valid.2.size_pos))
    rw [atIndex_append, Nat.mod_eq_of_lt hx, Nat.div_eq_of_lt hx, atIndex_zero] at h1
    omega
  obtain ⟨a, b, _, hu⟩ := h.exists_unique_pair hlt
  have h1 := hu x 0 hx h.valid.2.size_pos (by rw [atIndex_zero]; omega)
  have h2 := hu 0 y h.valid.1.size_pos hy (by rw [atIndex_zero]; omega)
  have h3 : x = 0 := by rw [h1.1, ← h2.1]
  rw [← ex, h3, atIndex_zero]

/-- **No offset of A is hit by B again: only the first index of B, which has offset 0, can meet A.**
Source: Cecka, complement post-conditions -/
theorem Completes.disjoint {A B : FlatLayout} {N : Nat} (h : Completes A B N) {x y : Nat} (hx : x < size A)
    (hy : y < size B) (hy0 : y ≠ 0) : atIndex A x ≠ atIndex B y := by
  intro e
  have h0 := h.eq_zero_of_mem ((mem_offsets A _).2 ⟨x, hx, e⟩) ((mem_offsets B _).2 ⟨y, hy, rfl⟩)
  have hi := injective_of_append_right h.valid.1 h.1.1
  exact hy0 ((injective_iff_atIndex B).1 hi y 0 hy h.valid.2.size_pos (by rw [h0, atIndex_zero]))

/-! ## What may be exchanged -/

theorem offsets_append_congr {A A' B B' : FlatLayout} (hA : offsets A = offsets A')
    (hB : offsets B = offsets B') : offsets (A ++ B) = offsets (A' ++ B') := by
  obtain ⟨h1, h2⟩ := (offsets_eq_iff _ _).1 hA
  obtain ⟨h3, h4⟩ := (offsets_eq_iff _ _).1 hB
  refine (offsets_eq_iff _ _).2 ⟨by rw [size_append, size_append, h1, h3], fun x hx => ?_⟩
  have hp := ((valid_append_iff A B).1 (valid_of_lt_size hx)).1.size_pos
  rw [size_append] at hx
  rw [atIndex_append, atIndex_append, h2 _ (Nat.mod_lt _ hp), h4 _ (Nat.div_lt_of_lt_mul hx), h1]

/-- **Whether B completes A depends only on the offsets of A and of B.**
Source: Colfax 2.1.6 -/
theorem completes_congr {A A' B B' : FlatLayout} (hA : offsets A = offsets A') (hB : offsets B = offsets B')
    (N : Nat) : Completes A B N ↔ Completes A' B' N := by
  have h := offsets_append_congr hA hB
  rw [Completes, Completes, contiguous_congr h, cosize_eq_of_offsets_eq h]

/-- **Whether B completes A does not depend on the order of their modes.**
Source: Colfax 2.1.6 -/
theorem completes_perm {A A' B B' : FlatLayout} (hA : A.Perm A') (hB : B.Perm B') (N : Nat) :
    Completes A B N ↔ Completes A' B' N := by
  rw [Completes, Completes, contiguous_perm (hA.append hB), cosize_perm (hA.append hB)]

theorem completes_coalesce_iff (A B : FlatLayout) (N : Nat) : Completes A (coalesce B) N ↔ Completes A B N :=
  completes_congr rfl (coalesce_offsets B) N

theorem completes_chain_iff (A B : FlatLayout) (N : Nat) : Completes (chain A) B N ↔ Completes A B N := by
  rw [completes_perm (chain_perm A) (.refl B), completes_congr (offsets_squeeze A) rfl]

/-! ## Sorting and dropping modes of extent 1 -/

theorem squeeze_eq_filter (L : FlatLayout) : squeeze L = List.filter (fun m => m.extent != 1) L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    rw [squeeze_cons, List.filter_cons, ih]
    by_cases h : m.extent = 1 <;> simp [h]

theorem squeeze_append (A B : FlatLayout) : squeeze (A ++ B) = squeeze A ++ squeeze B := by
  simp only [squeeze_eq_filter, List.filter_append]

theorem chain_eq_squeeze_sort (L : FlatLayout) : chain L = squeeze (sort L) := by
  have h1 : (squeeze (sort L)).Perm (squeeze L) := by
    rw [squeeze_eq_filter, squeeze_eq_filter]
    exact (sort_perm L).filter _
  have h2 : Sorted (squeeze (sort L)) := by
    rw [squeeze_eq_filter]
    exact (sort_sorted L).sublist List.filter_sublist
  exact ((chain_perm L).trans h1.symm).eq_of_pairwise (fun _ _ _ _ => before_antisymm) (chain_sorted L) h2

theorem coalesce_squeeze (L : FlatLayout) : coalesce (squeeze L) = coalesce L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    rw [squeeze_cons, coalesce]
    split
    · rw [ih, push_unit (by assumption)]
    · rw [coalesce, ih]

theorem coalesce_chain (L : FlatLayout) : coalesce (chain L) = coalesce (sort L) := by
  rw [chain_eq_squeeze_sort, coalesce_squeeze]

/-! ## What is found -/

theorem complementIn_eq_some_iff {A C : FlatLayout} {N : Nat} : complementIn A N = some C ↔
    (0 < N ∧ block A ∣ N ∧ Divides 1 (chain A)) ∧ C = coalesce (gapsTo 1 (chain A) N) := by
  unfold complementIn
  split
  · rename_i h
    cases hg : gaps 1 (chain A) with
    | none =>
      have hn : ¬ Divides 1 (chain A) := fun hd => by
        obtain ⟨G, hG⟩ := exists_gaps hd
        rw [hG] at hg
        cases hg
      simp [hn]
    | some G =>
      obtain ⟨h1, h2⟩ := gaps_eq_some hg
      have h3 : coalesce (G ++ [⟨N / block A, block A⟩]) = coalesce (gapsTo 1 (chain A) N) :=
        congrArg coalesce (h2 N)
      rw [Option.map_some, h3, Option.some.injEq]
      exact ⟨fun e => ⟨⟨h.1, Nat.dvd_of_mod_eq_zero h.2, h1⟩, e.symm⟩, fun e => e.2.symm⟩
  · rename_i h
    constructor
    · intro e
      cases e
    · rintro ⟨⟨h1, h2, _⟩, _⟩
      exact absurd ⟨h1, Nat.mod_eq_zero_of_dvd h2⟩ h

/-- **Whatever completes A in `[0,N)`, sorted and coalesced it is the complement.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6 -/
theorem complementIn_of_completes {A B : FlatLayout} {N : Nat} (h : Completes A B N) :
    complementIn A N = some (coalesce (sort B)) := by
  have hp := (contiguous_iff_packed _).1 h.1
  have hs : size (chain (A ++ B)) = N := by rw [size_chain, size_append, h.size_mul]
  have hperm : (chain A ++ chain B).Perm (chain (A ++ B)) := by
    refine (((chain_perm A).append (chain_perm B)).trans ?_).trans (chain_perm _).symm
    rw [squeeze_append]
  obtain ⟨h1, h2, h3⟩ := split_of_packed Nat.one_pos hp.2 (fun m hm => two_le_of_mem_chain hp.1 hm)
    (chain_sorted A) (chain_sorted B) hperm
  rw [Nat.one_mul, hs] at h2 h3
  exact complementIn_eq_some_iff.2 ⟨⟨h.pos, h2, h1⟩, by rw [h3, coalesce_chain]⟩

end FlatLayout

end Razorgirl
