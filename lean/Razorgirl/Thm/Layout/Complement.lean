module

public import Razorgirl.Thm.Layout.Complement.Completes

@[expose] public section

/-!
# Complement: what is proved

A complement exists exactly when the modes of extent above 1, sorted by stride, divide one another in turn; it
tiles; it is the only sorted coalesced layout that does; and the complement of the complement is the layout
itself, sorted and coalesced. Nested layouts are in `Complement/Nested`.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## It tiles -/

/-- **Side by side, a layout and its complement in `[0,N)` are contiguous and reach exactly to N.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6; Villa Straylight III.2; CuTe `complement` -/
theorem complementIn_completes {A C : FlatLayout} {N : Nat} (hA : Valid A) (h : complementIn A N = some C) :
    Completes A C N := by
  obtain ⟨⟨h1, h2, h3⟩, rfl⟩ := complementIn_eq_some_iff.1 h
  rw [completes_coalesce_iff, ← completes_chain_iff, completes_iff_size, ← size_append]
  exact contiguous_append_gapsTo h3 (valid_chain hA) h2 h1

/-- **Side by side, a layout and its complement in `[0,N)` hit every address below N exactly once.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6; Villa Straylight III.1; CuTe `complement` -/
theorem complementIn_exists_unique {A C : FlatLayout} {N : Nat} (hA : Valid A) (h : complementIn A N = some C)
    {o : Nat} (ho : o < N) : ∃ x, (x < size (A ++ C) ∧ atIndex (A ++ C) x = o) ∧
      ∀ y, y < size (A ++ C) → atIndex (A ++ C) y = o → y = x :=
  ((completes_iff_exists_unique A C N).1 (complementIn_completes hA h)).2.2 o ho

/-- **Every address below N is an offset of the layout plus an offset of its complement, in exactly one way.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6; Villa Straylight III.1; CuTe `complement` -/
theorem complementIn_exists_unique_pair {A C : FlatLayout} {N : Nat} (hA : Valid A)
    (h : complementIn A N = some C) {o : Nat} (ho : o < N) :
    ∃ x y, (x < size A ∧ y < size C ∧ atIndex A x + atIndex C y = o) ∧
      ∀ x' y', x' < size A → y' < size C → atIndex A x' + atIndex C y' = o → x' = x ∧ y' = y :=
  (complementIn_completes hA h).exists_unique_pair ho

/-- **The sizes of a layout and of its complement in `[0,N)` multiply to N.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6; CuTe `complement` -/
theorem complementIn_size {A C : FlatLayout} {N : Nat} (hA : Valid A) (h : complementIn A N = some C) :
    size A * size C = N := (complementIn_completes hA h).size_mul

theorem coalesce_append_unit {G : FlatLayout} {m : Mode} (h : m.extent = 1) :
    coalesce (G ++ [m]) = coalesce G := by
  rw [coalesce_append_congr (A := G) (B := [m]) (B' := []) (by simp [coalesce, push, h]), List.append_nil]

/-- **Without a cotarget, the complement is that in the layout's own block: extent times stride of the mode of
largest stride.**
Rust: `razorgirl::Layout::complement`
Source: Colfax 2.1.6; CuTe `complement` -/
theorem complement_eq_complementIn {A : FlatLayout} (hA : Valid A) : complement A = complementIn A (block A) := by
  unfold complement complementIn
  cases hg : gaps 1 (chain A) with
  | none => split <;> rfl
  | some G =>
    have hp : 0 < block A := blockFrom_pos Nat.one_pos (gaps_eq_some hg).1 (valid_chain hA)
    rw [if_pos ⟨hp, Nat.mod_self _⟩, Option.map_some, Option.map_some, Nat.div_self hp,
      coalesce_append_unit rfl]

/-- **Side by side, a layout and its complement are contiguous and reach exactly to the end of its block.**
Rust: `razorgirl::Layout::complement`
Source: Colfax 2.1.6; CuTe `complement` -/
theorem complement_completes {A C : FlatLayout} (hA : Valid A) (h : complement A = some C) :
    Completes A C (block A) := complementIn_completes hA (by rw [← complement_eq_complementIn hA, h])

/-- **Side by side, a layout and its complement hit every address of the block exactly once.**
Rust: `razorgirl::Layout::complement`
Source: Colfax 2.1.6; CuTe `complement` -/
theorem complement_exists_unique {A C : FlatLayout} (hA : Valid A) (h : complement A = some C)
    {o : Nat} (ho : o < block A) : ∃ x, (x < size (A ++ C) ∧ atIndex (A ++ C) x = o) ∧
      ∀ y, y < size (A ++ C) → atIndex (A ++ C) y = o → y = x :=
  complementIn_exists_unique hA (by rw [← complement_eq_complementIn hA, h]) ho

/-- **The sizes of a layout and of its complement multiply to the block.**
Rust: `razorgirl::Layout::complement`
Source: Colfax 2.1.6; CuTe `complement` -/
theorem complement_size {A C : FlatLayout} (hA : Valid A) (h : complement A = some C) :
    size A * size C = block A := (complement_completes hA h).size_mul

/-! ## Its form -/

/-- **The complement of a valid layout is a valid layout: no extent 0.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6; CuTe `complement` (pycute returns extents of 0) -/
theorem complementIn_valid {A C : FlatLayout} {N : Nat} (hA : Valid A) (h : complementIn A N = some C) :
    Valid C := (complementIn_completes hA h).valid.2

/-- **The complement is coalesced.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6; CuTe `complement` -/
theorem complementIn_coalesced {A C : FlatLayout} {N : Nat} (h : complementIn A N = some C) : Coalesced C := by
  rw [(complementIn_eq_some_iff.1 h).2]
  exact coalesce_coalesced _

theorem divides_of_complementIn {A C : FlatLayout} {N : Nat} (hA : Valid A) (h : complementIn A N = some C) :
    Divides 1 C := by
  obtain ⟨⟨_, _, h3⟩, rfl⟩ := complementIn_eq_some_iff.1 h
  exact divides_coalesce (divides_gapsTo Nat.one_pos h3 (valid_chain hA))

/-- **The strides of the complement strictly increase.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6; CuTe `complement` -/
theorem complementIn_strides_increasing {A C : FlatLayout} {N : Nat} (hA : Valid A)
    (h : complementIn A N = some C) : C.Pairwise fun m n => m.stride < n.stride :=
  strides_increasing_of_divides (divides_of_complementIn hA h)
    (two_le_of_coalesced (complementIn_valid hA h) (complementIn_coalesced h))

/-- **The complement is sorted.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6; CuTe `complement` -/
theorem complementIn_sorted {A C : FlatLayout} {N : Nat} (hA : Valid A) (h : complementIn A N = some C) :
    Sorted C := sorted_of_strides_increasing (complementIn_strides_increasing hA h)

/-- **The offsets of the complement strictly increase with the linear index.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6; Cecka, complement post-conditions -/
theorem complementIn_increasing {A C : FlatLayout} {N : Nat} (hA : Valid A) (h : complementIn A N = some C)
    {x y : Nat} (hxy : x < y) (hy : y < size C) : atIndex C x < atIndex C y :=
  atIndex_lt_of_divides (divides_of_complementIn hA h) hxy hy

/-- **A layout and its complement share no offset but 0.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6; Cecka, complement post-conditions -/
theorem complementIn_eq_zero_of_mem {A C : FlatLayout} {N o : Nat} (hA : Valid A)
    (h : complementIn A N = some C) (h1 : o ∈ offsets A) (h2 : o ∈ offsets C) : o = 0 :=
  (complementIn_completes hA h).eq_zero_of_mem h1 h2

/-- **The complement in the own block has all of this: valid, coalesced, strides and offsets strictly
increasing, no common offset but 0.**
Rust: `razorgirl::Layout::complement`
Source: Colfax 2.1.6; Cecka, complement post-conditions -/
theorem complement_form {A C : FlatLayout} (hA : Valid A) (h : complement A = some C) :
    Valid C ∧ Coalesced C ∧ (C.Pairwise fun m n => m.stride < n.stride) ∧
      (∀ x y, x < y → y < size C → atIndex C x < atIndex C y) ∧
      ∀ o, o ∈ offsets A → o ∈ offsets C → o = 0 := by
  rw [complement_eq_complementIn hA] at h
  exact ⟨complementIn_valid hA h, complementIn_coalesced h, complementIn_strides_increasing hA h,
    fun _ _ => complementIn_increasing hA h, fun _ => complementIn_eq_zero_of_mem hA h⟩

/-! ## When it exists -/

/-- **A complement in `[0,N)` is found exactly when any layout at all completes A in `[0,N)`.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6 -/
theorem complementIn_ne_none_iff {A : FlatLayout} (hA : Valid A) (N : Nat) :
    complementIn A N ≠ none ↔ ∃ B, Valid B ∧ Completes A B N := by
  constructor
  · intro h
    cases hC : complementIn A N with
    | none => exact absurd hC h
    | some C => exact ⟨C, complementIn_valid hA hC, complementIn_completes hA hC⟩
  · rintro ⟨B, _, hB⟩ h
    rw [complementIn_of_completes hB] at h
    cases h

theorem complementIn_ne_none_iff_divides (A : FlatLayout) (N : Nat) :
    complementIn A N ≠ none ↔ 0 < N ∧ block A ∣ N ∧ Divides 1 (chain A) := by
  constructor
  · intro h
    cases hC : complementIn A N with
    | none => exact absurd hC h
    | some C => exact (complementIn_eq_some_iff.1 hC).1
  · intro h e
    rw [complementIn_eq_some_iff.2 ⟨h, rfl⟩] at e
    cases e

theorem block_dvd_iff (A : FlatLayout) (N : Nat) :
    block A ∣ N ↔ ∀ P m, chain A = P ++ [m] → m.extent * m.stride ∣ N := by
  unfold block
  rcases List.eq_nil_or_concat (chain A) with h | ⟨P, m, h⟩
  · simp [h, blockFrom]
  · rw [h, List.concat_eq_append, blockFrom_append]
    constructor
    · intro hd Q n e
      obtain ⟨_, e⟩ := List.append_inj' e rfl
      cases e
      exact hd
    · intro hd
      exact hd P m rfl

theorem divides_chain_iff (A : FlatLayout) : Divides 1 (chain A) ↔
    (∀ m Q, chain A = m :: Q → 0 < m.stride) ∧
      ∀ P m n Q, chain A = P ++ m :: n :: Q → m.extent * m.stride ∣ n.stride := by
  rw [divides_iff_forall (chain_sorted A)]
  exact and_congr_left fun _ => ⟨fun h m Q e => (h m Q e).1, fun h m Q e => ⟨h m Q e, Nat.one_dvd _⟩⟩

/-- **A complement in `[0,N)` exists exactly when, of the modes of extent above 1 sorted by stride, the first
stride is positive, each extent × stride divides the next stride, the last one divides N, and N is positive.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6.21, 2.1.6.32; Shah, admissible for complementation -/
theorem complementIn_exists_iff (A : FlatLayout) (N : Nat) : complementIn A N ≠ none ↔
    (∀ m Q, chain A = m :: Q → 0 < m.stride) ∧
      (∀ P m n Q, chain A = P ++ m :: n :: Q → m.extent * m.stride ∣ n.stride) ∧
      (∀ P m, chain A = P ++ [m] → m.extent * m.stride ∣ N) ∧ 0 < N := by
  rw [complementIn_ne_none_iff_divides, block_dvd_iff, divides_chain_iff]
  exact ⟨fun ⟨h1, h2, h3, h4⟩ => ⟨h3, h4, h2, h1⟩, fun ⟨h3, h4, h2, h1⟩ => ⟨h1, h2, h3, h4⟩⟩

theorem complement_ne_none_iff_divides (A : FlatLayout) : complement A ≠ none ↔ Divides 1 (chain A) := by
  rw [← gaps_isSome_iff, complement]
  cases gaps 1 (chain A) <;> simp

/-- **A complement exists exactly when, of the modes of extent above 1 sorted by stride, the first stride is
positive and each extent × stride divides the next stride.**
Rust: `razorgirl::Layout::complement`
Source: Colfax 2.1.6.11 (which omits stride 0), 2.1.6.21 -/
theorem complement_exists_iff (A : FlatLayout) : complement A ≠ none ↔
    (∀ m Q, chain A = m :: Q → 0 < m.stride) ∧
      ∀ P m n Q, chain A = P ++ m :: n :: Q → m.extent * m.stride ∣ n.stride := by
  rw [complement_ne_none_iff_divides, divides_chain_iff]

/-- **A complement is found exactly when any layout at all completes A in any `[0,N)`.**
Rust: `razorgirl::Layout::complement`
Source: Colfax 2.1.6 -/
theorem complement_ne_none_iff {A : FlatLayout} (hA : Valid A) :
    complement A ≠ none ↔ ∃ N B, Valid B ∧ Completes A B N := by
  constructor
  · intro h
    cases hC : complement A with
    | none => exact absurd hC h
    | some C => exact ⟨block A, C, (complement_form hA hC).1, complement_completes hA hC⟩
  · rintro ⟨N, B, hB, h⟩
    have := (complementIn_ne_none_iff hA N).2 ⟨B, hB, h⟩
    exact (complement_ne_none_iff_divides A).2 ((complementIn_ne_none_iff_divides A N).1 this).2.2

/-- **A layout can be completed in `[0,N)` only if its block divides N: its own block is the least N.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6 -/
theorem block_dvd_of_completes {A B : FlatLayout} {N : Nat} (h : Completes A B N) : block A ∣ N :=
  (complementIn_eq_some_iff.1 (complementIn_of_completes h)).1.2.1

/-- **A layout that has a complement has one in `[0,N)` for every positive multiple N of its block, and for no other
N.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6.32 -/
theorem complementIn_ne_none_iff_block (A : FlatLayout) (N : Nat) :
    complementIn A N ≠ none ↔ complement A ≠ none ∧ 0 < N ∧ block A ∣ N := by
  rw [complementIn_ne_none_iff_divides, complement_ne_none_iff_divides]
  exact ⟨fun ⟨h1, h2, h3⟩ => ⟨h3, h1, h2⟩, fun ⟨h3, h1, h2⟩ => ⟨h1, h2, h3⟩⟩

end FlatLayout

end Razorgirl
