module

public import Razorgirl.Thm.Layout.Complement.Unique
public import Razorgirl.Thm.Layout.Filter

@[expose] public section

/-!
# Complement of nested layouts: what is proved

The nesting of A does not matter; the complement is `1:0`, a leaf, or a flat tuple. What is proved about the
modes is said here about calls and sizes.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout

theorem call_index_eq_some_iff {L : Layout} (h : L.Valid) {x o : Nat} :
    L.call (.leaf (some x)) = some o ↔ x < L.size ∧ atIndex L.modes x = o := by
  rcases Nat.lt_or_ge x L.size with hx | hx
  · rw [call_index h hx, Option.some.injEq, and_iff_right hx]
  · rw [call_index_of_ge h hx]
    simp only [reduceCtorEq, false_iff]
    omega

theorem concat_pair_modes (A B : Layout) : (concat [A, B]).modes = A.modes ++ B.modes := by
  simp [concat, concatModes]

theorem valid_concat_pair {A B : Layout} (hA : A.Valid) (hB : B.Valid) : (concat [A, B]).Valid :=
  valid_concat fun L hL => by
    rcases List.mem_cons.1 hL with rfl | hL
    · exact hA
    · rw [List.mem_singleton.1 hL]
      exact hB

/-! ## It tiles -/

theorem complementIn_eq_some_iff {A C : Layout} {N : Nat} : A.complementIn N = some C ↔
    ∃ C', FlatLayout.complementIn A.modes N = some C' ∧ C = nest C' := by
  rw [complementIn, Option.map_eq_some_iff]
  exact exists_congr fun C' => and_congr_right fun _ => eq_comm

/-- **A nested layout and its complement in `[0,N)`, concatenated, are contiguous and reach exactly to N.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6, 2.3; CuTe `complement` -/
theorem complementIn_completes {A C : Layout} {N : Nat} (hA : A.Valid) (h : A.complementIn N = some C) :
    Completes A.modes C.modes N := by
  obtain ⟨C', h', rfl⟩ := complementIn_eq_some_iff.1 h
  exact (completes_congr rfl (offsets_nest C') N).2 (FlatLayout.complementIn_completes hA.2 h')

/-- **The complement of a valid nested layout is valid.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6, 2.3 -/
theorem complementIn_valid {A C : Layout} {N : Nat} (hA : A.Valid) (h : A.complementIn N = some C) :
    C.Valid := by
  obtain ⟨C', h', rfl⟩ := complementIn_eq_some_iff.1 h
  exact valid_nest (FlatLayout.complementIn_valid hA.2 h')

/-- **The sizes of a nested layout and of its complement in `[0,N)` multiply to N.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6, 2.3; CuTe `complement` -/
theorem complementIn_size {A C : Layout} {N : Nat} (hA : A.Valid) (h : A.complementIn N = some C) :
    A.size * C.size = N := (complementIn_completes hA h).size_mul

/-- **The concatenation of a nested layout and its complement in `[0,N)` has size N and cosize N.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6, 2.3; CuTe `complement` -/
theorem complementIn_concat_size {A C : Layout} {N : Nat} (hA : A.Valid) (h : A.complementIn N = some C) :
    (concat [A, C]).size = N ∧ (concat [A, C]).cosize = N := by
  have hc := complementIn_completes hA h
  rw [size, cosize, concat_pair_modes, size_append, hc.size_mul, hc.2]
  exact ⟨rfl, rfl⟩

theorem exists_unique_call_of_completes {A B : Layout} {N : Nat} (hA : A.Valid) (hB : B.Valid)
    (h : Completes A.modes B.modes N) {o : Nat} (ho : o < N) :
    ∃ x, (concat [A, B]).call (.leaf (some x)) = some o ∧
      ∀ y, (concat [A, B]).call (.leaf (some y)) = some o → y = x := by
  obtain ⟨x, hx, hu⟩ := ((completes_iff_exists_unique _ _ _).1 h).2.2 o ho
  simp only [call_index_eq_some_iff (valid_concat_pair hA hB), size, concat_pair_modes]
  exact ⟨x, hx, fun y hy => hu y hy.1 hy.2⟩

/-- **The concatenation of a nested layout and its complement, called with linear indices, gives every address below
N exactly once.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6, 2.3; Villa Straylight III.1; CuTe `complement` -/
theorem complementIn_exists_unique_call {A C : Layout} {N : Nat} (hA : A.Valid) (h : A.complementIn N = some C)
    {o : Nat} (ho : o < N) : ∃ x, (concat [A, C]).call (.leaf (some x)) = some o ∧
      ∀ y, (concat [A, C]).call (.leaf (some y)) = some o → y = x :=
  exists_unique_call_of_completes hA (complementIn_valid hA h) (complementIn_completes hA h) ho

/-- **Every address below N is a call of the layout plus a call of its complement, in exactly one way.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6, 2.3; Villa Straylight III.1; CuTe `complement` -/
theorem complementIn_exists_unique_call_pair {A C : Layout} {N : Nat} (hA : A.Valid)
    (h : A.complementIn N = some C) {o : Nat} (ho : o < N) :
    ∃ x y, (∃ a b, A.call (.leaf (some x)) = some a ∧ C.call (.leaf (some y)) = some b ∧ a + b = o) ∧
      ∀ x' y' a b, A.call (.leaf (some x')) = some a → C.call (.leaf (some y')) = some b → a + b = o →
        x' = x ∧ y' = y := by
  obtain ⟨x, y, ⟨hx, hy, e⟩, hu⟩ := (complementIn_completes hA h).exists_unique_pair ho
  simp only [call_index_eq_some_iff hA, call_index_eq_some_iff (complementIn_valid hA h)]
  refine ⟨x, y, ⟨_, _, ⟨hx, rfl⟩, ⟨hy, rfl⟩, e⟩, ?_⟩
  rintro x' y' a b ⟨hx', rfl⟩ ⟨hy', rfl⟩ e'
  exact hu x' y' hx' hy' e'

/-! ## Its form -/

/-- **The complement of a nested layout is coalesced: `1:0`, a leaf, or a flat tuple that nothing merges in.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6, 2.3; CuTe `complement` -/
theorem complementIn_coalesced {A C : Layout} {N : Nat} (h : A.complementIn N = some C) : C.Coalesced := by
  obtain ⟨C', h', rfl⟩ := complementIn_eq_some_iff.1 h
  exact coalesced_nest (FlatLayout.complementIn_coalesced h')

/-- **The complement of a nested layout has depth 0 or 1.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.3; CuTe `complement` -/
theorem complementIn_depth_le {A C : Layout} {N : Nat} (h : A.complementIn N = some C) : C.depth ≤ 1 := by
  have := coalesce_depth_le C
  rwa [coalesce_eq_self_iff.2 (complementIn_coalesced h)] at this

/-- **The complement of a nested layout has strictly increasing strides.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6, 2.3; CuTe `complement` -/
theorem complementIn_strides_increasing {A C : Layout} {N : Nat} (hA : A.Valid)
    (h : A.complementIn N = some C) : C.modes.Pairwise fun m n => m.stride < n.stride := by
  obtain ⟨C', h', rfl⟩ := complementIn_eq_some_iff.1 h
  rw [nest_modes]
  split
  · exact List.pairwise_singleton _ _
  · exact FlatLayout.complementIn_strides_increasing hA.2 h'

/-- **Calls of the complement with linear indices strictly increase.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6; Cecka, complement post-conditions -/
theorem complementIn_increasing {A C : Layout} {N : Nat} (hA : A.Valid) (h : A.complementIn N = some C)
    {x y a b : Nat} (hxy : x < y) (hx : C.call (.leaf (some x)) = some a)
    (hy : C.call (.leaf (some y)) = some b) : a < b := by
  rw [call_index_eq_some_iff (complementIn_valid hA h)] at hx hy
  obtain ⟨C', h', rfl⟩ := complementIn_eq_some_iff.1 h
  obtain ⟨_, rfl⟩ := hx
  obtain ⟨hy, rfl⟩ := hy
  rw [atIndex_nest, atIndex_nest]
  exact FlatLayout.complementIn_increasing hA.2 h' hxy (by rwa [size_nest] at hy)

/-- **A nested layout and its complement share no address but 0.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6; Cecka, complement post-conditions -/
theorem complementIn_eq_zero_of_call {A C : Layout} {N : Nat} (hA : A.Valid) (h : A.complementIn N = some C)
    {x y o : Nat} (hx : A.call (.leaf (some x)) = some o) (hy : C.call (.leaf (some y)) = some o) : o = 0 := by
  rw [call_index_eq_some_iff hA] at hx
  rw [call_index_eq_some_iff (complementIn_valid hA h)] at hy
  exact (complementIn_completes hA h).eq_zero_of_mem ((mem_offsets _ o).2 ⟨x, hx⟩) ((mem_offsets _ o).2 ⟨y, hy⟩)

/-! ## Existence, uniqueness -/

theorem complementIn_of_completes {A B : Layout} {N : Nat} (h : Completes A.modes B.modes N) :
    A.complementIn N = some B.sort.coalesce := by
  rw [complementIn, FlatLayout.complementIn_of_completes h]
  rfl

/-- **A complement of a nested layout in `[0,N)` is found exactly when any nested layout completes it in `[0,N)`.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6, 2.3 -/
theorem complementIn_ne_none_iff {A : Layout} (hA : A.Valid) (N : Nat) :
    A.complementIn N ≠ none ↔ ∃ B : Layout, B.Valid ∧ Completes A.modes B.modes N := by
  constructor
  · intro h
    cases hC : A.complementIn N with
    | none => exact absurd hC h
    | some C => exact ⟨C, complementIn_valid hA hC, complementIn_completes hA hC⟩
  · rintro ⟨B, _, hB⟩ h
    rw [complementIn_of_completes hB] at h
    cases h

/-- **The complement of a nested layout is unique: a sorted coalesced nested layout that completes A in `[0,N)` is
the one returned.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6.33, 2.3 -/
theorem complementIn_unique {A B : Layout} {N : Nat} (hc : B.Coalesced) (hs : Sorted B.modes)
    (h : Completes A.modes B.modes N) : A.complementIn N = some B := by
  rw [complementIn, FlatLayout.complementIn_of_completes h, sort_eq_self_iff.2 hs, Option.map_some]
  exact congrArg some (coalesce_eq_self_iff.2 hc)

/-- **The complement of the complement of a nested layout in `[0,N)` is the layout itself, sorted and coalesced.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6, 2.3 -/
theorem complementIn_complementIn {A C : Layout} {N : Nat} (hA : A.Valid) (h : A.complementIn N = some C) :
    C.complementIn N = some A.sort.coalesce :=
  complementIn_of_completes (complementIn_completes hA h).symm

/-- **The nesting does not matter: layouts with the same modes of extent above 1, in any order and nesting, have the
same complement.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.3 -/
theorem complementIn_perm {A B : Layout} (h : (squeeze A.modes).Perm (squeeze B.modes)) (N : Nat) :
    A.complementIn N = B.complementIn N := by
  rw [complementIn, complementIn, FlatLayout.complementIn_perm h]

/-- **The complement in a larger `[0,N₂)` continues that in `[0,N₁)`: wherever the smaller one answers, the larger
one gives the same answer.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6.34 -/
theorem complementIn_restrict {A C₁ C₂ : Layout} {N₁ N₂ : Nat} (hA : A.Valid) (h₁ : A.complementIn N₁ = some C₁)
    (h₂ : A.complementIn N₂ = some C₂) (hN : N₁ ≤ N₂) {x o : Nat}
    (hx : C₁.call (.leaf (some x)) = some o) : C₂.call (.leaf (some x)) = some o := by
  have s1 := complementIn_size hA h₁
  have s2 := complementIn_size hA h₂
  have hs : C₁.size ≤ C₂.size := Nat.le_of_mul_le_mul_left
    (show A.size * C₁.size ≤ A.size * C₂.size by omega) hA.2.size_pos
  rw [call_index_eq_some_iff (complementIn_valid hA h₁)] at hx
  rw [call_index_eq_some_iff (complementIn_valid hA h₂)]
  refine ⟨by omega, ?_⟩
  obtain ⟨C₁', h₁', rfl⟩ := complementIn_eq_some_iff.1 h₁
  obtain ⟨C₂', h₂', rfl⟩ := complementIn_eq_some_iff.1 h₂
  obtain ⟨hx, e⟩ := hx
  rw [size_nest] at hx
  rw [← e, atIndex_nest, atIndex_nest, FlatLayout.complementIn_restrict h₁' h₂' hN hx]

/-! ## The own block, and N rounded up -/

/-- **Without a cotarget, the complement of a nested layout is that in its own block.**
Rust: `razorgirl::Layout::complement`
Source: Colfax 2.1.6, 2.3; CuTe `complement` -/
theorem complement_eq_complementIn {A : Layout} (hA : A.Valid) : A.complement = A.complementIn (block A.modes) := by
  rw [complement, FlatLayout.complement_eq_complementIn hA.2, complementIn]

/-- **The concatenation of a nested layout and its complement, called with linear indices, gives every address of the
block exactly once.**
Rust: `razorgirl::Layout::complement`
Source: Colfax 2.1.6, 2.3; CuTe `complement` -/
theorem complement_exists_unique_call {A C : Layout} (hA : A.Valid) (h : A.complement = some C) {o : Nat}
    (ho : o < block A.modes) : ∃ x, (concat [A, C]).call (.leaf (some x)) = some o ∧
      ∀ y, (concat [A, C]).call (.leaf (some y)) = some o → y = x :=
  complementIn_exists_unique_call hA (by rw [← complement_eq_complementIn hA, h]) ho

/-- **The sizes of a nested layout and of its complement multiply to the block.**
Rust: `razorgirl::Layout::complement`
Source: Colfax 2.1.6, 2.3; CuTe `complement` -/
theorem complement_size {A C : Layout} (hA : A.Valid) (h : A.complement = some C) :
    A.size * C.size = block A.modes :=
  complementIn_size hA (by rw [← complement_eq_complementIn hA, h])

/-- **A complement of a nested layout is found exactly when any nested layout completes it in any `[0,N)`.**
Rust: `razorgirl::Layout::complement`
Source: Colfax 2.1.6, 2.3 -/
theorem complement_ne_none_iff {A : Layout} (hA : A.Valid) :
    A.complement ≠ none ↔ ∃ (N : Nat) (B : Layout), B.Valid ∧ Completes A.modes B.modes N := by
  constructor
  · intro h
    rw [complement_eq_complementIn hA, complementIn_ne_none_iff hA] at h
    exact ⟨_, h⟩
  · rintro ⟨N, B, hB, h⟩
    have := (FlatLayout.complement_ne_none_iff hA.2).2 ⟨N, B.modes, hB.2, h⟩
    rwa [complement, ne_eq, Option.map_eq_none_iff]

theorem complementCeil_eq_complementIn (A : Layout) (N : Nat) : A.complementCeil N =
    A.complementIn (block A.modes * Division.ceilDiv N (block A.modes)) := rfl

/-- **The concatenation of a nested layout and its rounded-up complement, called with linear indices, gives every
address below the rounded N, hence below N, exactly once.**
Rust: `razorgirl::Layout::complement_ceil`
Source: Colfax 2.1.6, 2.3; CuTe `complement` -/
theorem complementCeil_exists_unique_call {A C : Layout} {N : Nat} (hA : A.Valid)
    (h : A.complementCeil N = some C) {o : Nat}
    (ho : o < block A.modes * Division.ceilDiv N (block A.modes)) :
    ∃ x, (concat [A, C]).call (.leaf (some x)) = some o ∧
      ∀ y, (concat [A, C]).call (.leaf (some y)) = some o → y = x :=
  complementIn_exists_unique_call hA h ho

/-- **The sizes of a nested layout and of its rounded-up complement multiply to N rounded up to a multiple of the
block.**
Rust: `razorgirl::Layout::complement_ceil`
Source: Colfax 2.1.6, 2.3; CuTe `complement` -/
theorem complementCeil_size {A C : Layout} {N : Nat} (hA : A.Valid) (h : A.complementCeil N = some C) :
    A.size * C.size = block A.modes * Division.ceilDiv N (block A.modes) := complementIn_size hA h

/-- **When the block of a nested layout divides N, rounding up changes nothing.**
Rust: `razorgirl::Layout::complement_ceil`
Source: CuTe `complement` -/
theorem complementCeil_of_dvd {A : Layout} {N : Nat} (h : block A.modes ∣ N) :
    A.complementCeil N = A.complementIn N := by
  rw [complementCeil, FlatLayout.complementCeil_of_dvd h, complementIn]

/-- **The rounded-up complement of a nested layout exists for every positive N as soon as the layout has a
complement at all.**
Rust: `razorgirl::Layout::complement_ceil`
Source: Colfax 2.1.6, 2.3; CuTe `complement` -/
theorem complementCeil_ne_none_iff {A : Layout} (hA : A.Valid) (N : Nat) :
    A.complementCeil N ≠ none ↔ 0 < N ∧ A.complement ≠ none := by
  rw [complementCeil, complement, ne_eq, ne_eq, Option.map_eq_none_iff, Option.map_eq_none_iff]
  exact FlatLayout.complementCeil_ne_none_iff hA.2 N

end Layout

/-! ## Worked examples -/

namespace FlatLayout

/-- Villa Straylight III, exercise 1. -/
example : complementIn [⟨4, 2⟩] 16 = some [⟨2, 1⟩, ⟨2, 8⟩] := by decide +kernel
/-- Refused where pycute returns a layout of size 0: a stride that the block below it does not divide. -/
example : complement [⟨8, 2⟩, ⟨4, 1⟩] = none ∧ complement [⟨2, 2⟩, ⟨2, 3⟩] = none ∧
    complementIn [⟨2, 2⟩, ⟨2, 3⟩] 19 = none := by decide +kernel
/-- Refused: `3` is not a multiple of `2·1`, and 18 not one of `2·8`. -/
example : complementIn [⟨2, 1⟩, ⟨2, 3⟩] 12 = none ∧ complementIn [⟨2, 8⟩] 18 = none ∧
    complementCeil [⟨2, 8⟩] 18 = some [⟨8, 1⟩, ⟨2, 16⟩] := by decide +kernel
/-- The Colfax blog takes «compact» for an isomorphism onto the image: then 2:2 and 2:8 would complete each
other. They leave gaps. -/
example : Injective [⟨2, 2⟩, ⟨2, 8⟩] ∧ ¬ Contiguous [⟨2, 2⟩, ⟨2, 8⟩] := by decide +kernel
/-- The Colfax blog: for f = (2,4) : (1,3) → (2,1,2,3) the layout of the complement of f, (2,2):(1,2), would be the
complement of the layout; it is only so after coalescing. -/
example : complement [⟨1, 2⟩, ⟨3, 4⟩] = some [⟨4, 1⟩] ∧ coalesce [⟨2, 1⟩, ⟨2, 2⟩] = [⟨4, 1⟩] := by
  decide +kernel
/-- «Categorical Foundations» 2.1.6.11 admits stride 0; but nothing completes a broadcast. -/
example : complement [⟨3, 0⟩] = none ∧ complement [⟨3, 0⟩, ⟨2, 1⟩] = none ∧
    complement [⟨1, 0⟩, ⟨2, 1⟩] = some [] := by decide +kernel
/-- «Categorical Foundations» 2.3.9.4 needs a complement of (3,3):(6,1) in `[0,2151)`; the block is 18, and 18 does
not divide 2151. Rounded up to 2160 there is one. -/
example : block [⟨3, 6⟩, ⟨3, 1⟩] = 18 ∧ complementIn [⟨3, 6⟩, ⟨3, 1⟩] 2151 = none ∧
    complementCeil [⟨3, 6⟩, ⟨3, 1⟩] 2151 = some [⟨2, 3⟩, ⟨120, 18⟩] := by decide +kernel
/-- Hieu's blog calls two descriptions of complements equivalent; each of these pairs fits one of them and not the
other, and none completes. -/
example : ¬ Completes [⟨2, 1⟩] [⟨2, 1⟩] 1 ∧ ¬ Completes [⟨2, 1⟩] [⟨2, 2⟩] 3 ∧
    ¬ Completes [⟨2, 1⟩, ⟨2, 1⟩] [⟨2, 3⟩] 6 ∧ ¬ Completes [⟨2, 1⟩, ⟨2, 3⟩] [⟨2, 2⟩] 8 := by decide +kernel
/-- Agreeing with CuTe. -/
example : complementIn [⟨2, 8⟩, ⟨2, 2⟩, ⟨2, 64⟩, ⟨2, 256⟩] 4096 =
    some [⟨2, 1⟩, ⟨2, 4⟩, ⟨4, 16⟩, ⟨2, 128⟩, ⟨8, 512⟩] := by decide +kernel
example : complementIn [⟨16, 8⟩, ⟨4, 1⟩, ⟨64, 128⟩] 16384 = some [⟨2, 4⟩, ⟨2, 8192⟩] := by decide +kernel
example : complementIn [⟨16, 1⟩, ⟨4, 16⟩, ⟨64, 64⟩] 8192 = some [⟨2, 4096⟩] := by decide +kernel
example : complementIn [⟨2, 1⟩, ⟨2, 50⟩] 100 = some [⟨25, 2⟩] := by decide +kernel
example : complementIn [⟨4, 63⟩] 252 = some [⟨63, 1⟩] := by decide +kernel
example : complementIn [⟨8, 2⟩, ⟨8, 32⟩] 256 = some [⟨2, 1⟩, ⟨2, 16⟩] := by decide +kernel
/-- Nothing is left to fill: the complement is `1:0`. -/
example : Layout.complement ⟨[⟨4, 1⟩, ⟨8, 4⟩], .node [.leaf (), .leaf ()]⟩ = some ⟨[⟨1, 0⟩], .leaf ()⟩ := rfl

end FlatLayout

end Razorgirl
