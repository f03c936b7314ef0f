module

public import Razorgirl.Thm.Int.Nat
public import Razorgirl.Thm.Layout.Complement

@[expose] public section

/-!
# The complement is unique: what follows

Uniqueness gives the complement of the complement; then how complements in different `[0,N)` agree, `N` rounded up to
a multiple of the block, and the single mode of Villa Straylight part III.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Unique -/

/-- **The complement is unique: a sorted coalesced layout that completes A in `[0,N)` is the one returned.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6.23, 2.1.6.33 -/
theorem complementIn_unique {A B : FlatLayout} {N : Nat} (hc : Coalesced B) (hs : Sorted B)
    (h : Completes A B N) : complementIn A N = some B := by
  rw [complementIn_of_completes h, sort_eq_self_iff.2 hs, coalesce_of_coalesced hc]

/-- **The complement is unique: a sorted coalesced layout that completes A in its block is the one returned.**
Rust: `razorgirl::Layout::complement`
Source: Colfax 2.1.6.23 -/
theorem complement_unique {A B : FlatLayout} (hA : Valid A) (hc : Coalesced B) (hs : Sorted B)
    (h : Completes A B (block A)) : complement A = some B := by
  rw [complement_eq_complementIn hA, complementIn_unique hc hs h]

theorem strides_increasing_of_increasing {L : FlatLayout} (h2 : ∀ m ∈ L, 2 ≤ m.extent)
    (h : ∀ x y, x < y → y < size L → atIndex L x < atIndex L y) :
    L.Pairwise fun m n => m.stride < n.stride := by
  induction L with
  | nil => exact .nil
  | cons m L ih =>
    have he := h2 m (by simp)
    have hL : ∀ x y, x < y → y < size L → atIndex L x < atIndex L y := fun x y hxy hy => by
      have := h (m.extent * x) (m.extent * y) (Nat.mul_lt_mul_of_pos_left hxy (by omega))
        (by rw [size_cons]; exact Nat.mul_lt_mul_of_pos_left hy (by omega))
      simpa [atIndex_cons, Nat.mul_div_cancel_left _ (show 0 < m.extent by omega)] using this
    have ih := ih (fun n hn => h2 n (by simp [hn])) hL
    refine List.pairwise_cons.2 ⟨fun n hn => ?_, ih⟩
    cases L with
    | nil => simp at hn
    | cons k L =>
      have hk := h2 k (by simp)
      have hv : Valid L := (valid_iff_forall L).2 fun n hn => by
        have := h2 n (by simp [hn])
        omega
      have hsz : 2 ≤ size (k :: L) := by
        rw [size_cons]
        exact Nat.le_trans hk (Nat.le_mul_of_pos_right _ hv.size_pos)
      have h3 := h 1 (m.extent * 1) (by omega)
        (by rw [size_cons]; exact Nat.mul_lt_mul_of_pos_left (by omega) (by omega))
      have h4 : atIndex (m :: k :: L) 1 = m.stride := by
        rw [atIndex_cons, Nat.mod_eq_of_lt (by omega), Nat.div_eq_of_lt (by omega), atIndex_zero]
        omega
      have h5 : atIndex (m :: k :: L) (m.extent * 1) = k.stride := by
        rw [atIndex_cons, Nat.mul_mod_right, Nat.mul_div_cancel_left _ (by omega), atIndex_cons,
          Nat.mod_eq_of_lt (by omega), Nat.div_eq_of_lt (by omega), atIndex_zero]
        omega
      rw [h4, h5] at h3
      rcases List.mem_cons.1 hn with rfl | hn
      · exact h3
      · exact Nat.lt_trans h3 ((List.pairwise_cons.1 ih).1 n hn)

/-- **The complement is unique: a coalesced layout with increasing offsets that completes A in `[0,N)` is the one
returned.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6.23, 2.1.6.33; Cecka, complement post-conditions -/
theorem complementIn_unique_of_increasing {A B : FlatLayout} {N : Nat} (hc : Coalesced B)
    (hi : ∀ x y, x < y → y < size B → atIndex B x < atIndex B y) (h : Completes A B N) :
    complementIn A N = some B :=
  complementIn_unique hc (sorted_of_strides_increasing
    (strides_increasing_of_increasing (two_le_of_coalesced h.valid.2 hc) hi)) h

/-- **The complement is characterised: `complementIn A N = some C` says that C is coalesced and sorted and that it
completes A in `[0,N)`.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6 -/
theorem complementIn_iff {A C : FlatLayout} {N : Nat} (hA : Valid A) :
    complementIn A N = some C ↔ Coalesced C ∧ Sorted C ∧ Completes A C N :=
  ⟨fun h => ⟨complementIn_coalesced h, complementIn_sorted hA h, complementIn_completes hA h⟩,
    fun ⟨h1, h2, h3⟩ => complementIn_unique h1 h2 h3⟩

/-- **Layouts with the same modes of extent above 1 have the same complement, whatever the order of their modes.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6 -/
theorem complementIn_perm {A B : FlatLayout} (h : (squeeze A).Perm (squeeze B)) (N : Nat) :
    complementIn A N = complementIn B N := by
  have hc : chain A = chain B := sort_eq_iff_perm.2 h
  unfold complementIn block
  rw [hc]

/-! ## Twice -/

/-- **The complement of the complement in `[0,N)` is the layout itself, sorted and coalesced.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6 -/
theorem complementIn_complementIn {A C : FlatLayout} {N : Nat} (hA : Valid A) (h : complementIn A N = some C) :
    complementIn C N = some (coalesce (sort A)) :=
  complementIn_of_completes (complementIn_completes hA h).symm

/-- **Three complements in `[0,N)` are one.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6 -/
theorem complementIn_thrice {A C : FlatLayout} {N : Nat} (hA : Valid A) (h : complementIn A N = some C) :
    complementIn (coalesce (sort A)) N = some C := by
  have h1 := complementIn_complementIn hA h
  have h2 := complementIn_complementIn (complementIn_valid hA h) h1
  rw [h2, sort_eq_self_iff.2 (complementIn_sorted hA h), coalesce_of_coalesced (complementIn_coalesced h)]

/-! ## A larger N -/

/-- **The complement in a larger `[0,N₂)` continues that in `[0,N₁)`: on the indices of the smaller one they
agree.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6.34 (which says `[0,N₁)`; the domain is `[0, size)`) -/
theorem complementIn_restrict {A C₁ C₂ : FlatLayout} {N₁ N₂ : Nat} (h₁ : complementIn A N₁ = some C₁)
    (h₂ : complementIn A N₂ = some C₂) (hN : N₁ ≤ N₂) {x : Nat} (hx : x < size C₁) :
    atIndex C₁ x = atIndex C₂ x := by
  obtain ⟨⟨_, _, hd⟩, rfl⟩ := complementIn_eq_some_iff.1 h₁
  obtain ⟨_, rfl⟩ := complementIn_eq_some_iff.1 h₂
  obtain ⟨G, hG⟩ := exists_gaps hd
  have hg := (gaps_eq_some hG).2
  rw [coalesce_size, ← hg, size_append, size_cons, size_nil, Nat.mul_one] at hx
  rw [coalesce_atIndex, coalesce_atIndex, ← hg, ← hg, atIndex_append, atIndex_append, atIndex_singleton,
    atIndex_singleton]
  have h3 := Nat.div_lt_of_lt_mul hx
  have h4 := Nat.div_le_div_right (c := blockFrom 1 (chain A)) hN
  rw [Nat.mod_eq_of_lt h3, Nat.mod_eq_of_lt (Nat.lt_of_lt_of_le h3 h4)]

/-! ## N rounded up -/

/-- **N rounded up to a multiple of the block: not below N, less than one block above, and the least multiple that is
not below N.**
Rust: `razorgirl::Layout::complement_ceil`
Source: CuTe `complement` (`ceil_div` of the cotarget) -/
theorem ceil_block {b : Nat} (hb : 0 < b) (N : Nat) :
    N ≤ b * Division.ceilDiv N b ∧ b * Division.ceilDiv N b < N + b ∧
      ∀ M, b ∣ M → N ≤ M → b * Division.ceilDiv N b ≤ M := by
  have h := Division.ceilDiv_mul_bounds N hb
  rw [Nat.mul_comm b]
  refine ⟨h.1, h.2, ?_⟩
  rintro M ⟨k, rfl⟩ hM
  rw [Nat.mul_comm b]
  exact Nat.mul_le_mul_right b ((Division.ceilDiv_le_iff hb).2 (by rwa [Nat.mul_comm]))

theorem mul_ceilDiv_of_dvd {b N : Nat} (h : b ∣ N) : b * Division.ceilDiv N b = N := by
  rw [Division.ceilDiv_of_dvd h, Nat.mul_div_cancel' h]

/-- **Side by side, a layout and its rounded-up complement are contiguous and reach exactly to the rounded N.**
Rust: `razorgirl::Layout::complement_ceil`
Source: Colfax 2.1.6; CuTe `complement` -/
theorem complementCeil_completes {A C : FlatLayout} {N : Nat} (hA : Valid A) (h : complementCeil A N = some C) :
    Completes A C (block A * Division.ceilDiv N (block A)) := complementIn_completes hA h

/-- **Side by side, a layout and its rounded-up complement hit every address below the rounded N, hence below N,
exactly once.**
Rust: `razorgirl::Layout::complement_ceil`
Source: Colfax 2.1.6; CuTe `complement` -/
theorem complementCeil_exists_unique {A C : FlatLayout} {N : Nat} (hA : Valid A)
    (h : complementCeil A N = some C) {o : Nat} (ho : o < block A * Division.ceilDiv N (block A)) :
    ∃ x, (x < size (A ++ C) ∧ atIndex (A ++ C) x = o) ∧
      ∀ y, y < size (A ++ C) → atIndex (A ++ C) y = o → y = x :=
  complementIn_exists_unique hA h ho

/-- **When the block divides N, rounding up changes nothing.**
Rust: `razorgirl::Layout::complement_ceil`
Source: CuTe `complement` -/
theorem complementCeil_of_dvd {A : FlatLayout} {N : Nat} (h : block A ∣ N) :
    complementCeil A N = complementIn A N := by
  rw [complementCeil, mul_ceilDiv_of_dvd h]

/-- **The rounded-up complement exists for every positive N as soon as the layout has a complement at all.**
Rust: `razorgirl::Layout::complement_ceil`
Source: Colfax 2.1.6; CuTe `complement` -/
theorem complementCeil_ne_none_iff {A : FlatLayout} (hA : Valid A) (N : Nat) :
    complementCeil A N ≠ none ↔ 0 < N ∧ complement A ≠ none := by
  rw [complementCeil, complementIn_ne_none_iff_block]
  constructor
  · rintro ⟨h1, h2, _⟩
    have hb : 0 < block A := Nat.pos_of_mul_pos_right h2
    refine ⟨?_, h1⟩
    rcases Nat.eq_zero_or_pos N with rfl | h
    · rw [Division.ceilDiv, Nat.div_eq_of_lt (by omega), Nat.mul_zero] at h2
      omega
    · exact h
  · rintro ⟨h1, h2⟩
    have hb : 0 < block A :=
      blockFrom_pos Nat.one_pos ((complement_ne_none_iff_divides A).1 h2) (valid_chain hA)
    have := (ceil_block hb N).1
    exact ⟨h2, by omega, Nat.dvd_mul_right _ _⟩

/-! ## One mode -/

/-- **One mode `n:d` with `n·d ∣ M`: side by side, `n:d`, `d:1` and `M/(n·d):(n·d)` are contiguous and reach exactly
to M.**
Rust: `razorgirl::Layout::complement_in`
Source: Villa Straylight III.2 -/
theorem complement1_completes {n d M : Nat} (hM : 0 < M) (h : n * d ∣ M) :
    Completes [⟨n, d⟩] [⟨d, 1⟩, ⟨M / (n * d), n * d⟩] M := by
  have hnd : 0 < n * d := Nat.pos_of_dvd_of_pos h hM
  have hq : n * d * (M / (n * d)) = M := Nat.mul_div_cancel' h
  have hv : Valid [⟨d, 1⟩, ⟨n, d⟩, ⟨M / (n * d), n * d⟩] :=
    ⟨Nat.pos_of_mul_pos_left hnd, Nat.pos_of_mul_pos_right hnd, Nat.div_pos (Nat.le_of_dvd hM h) hnd, trivial⟩
  have hp : Packed 1 [⟨d, 1⟩, ⟨n, d⟩, ⟨M / (n * d), n * d⟩] := ⟨rfl, (Nat.mul_one d).symm, by simp, trivial⟩
  rw [completes_iff_size]
  refine ⟨(contiguous_perm (.swap _ _ _)).1 (contiguous_of_packed hp hv), ?_⟩
  simp only [size_cons, size_nil, Nat.mul_one]
  rw [Nat.mul_comm d, ← Nat.mul_assoc, Nat.mul_right_comm, hq]

/-- **`(n, d, M/(n·d)) : (d, 1, n·d)` hits every address below M exactly once.**
Rust: `razorgirl::Layout::complement_in`
Source: Villa Straylight III.2 -/
theorem complement1_exists_unique {n d M o : Nat} (hM : 0 < M) (h : n * d ∣ M) (ho : o < M) :
    ∃ x, (x < M ∧ atIndex [⟨n, d⟩, ⟨d, 1⟩, ⟨M / (n * d), n * d⟩] x = o) ∧
      ∀ y, y < M → atIndex [⟨n, d⟩, ⟨d, 1⟩, ⟨M / (n * d), n * d⟩] y = o → y = x := by
  have hc := complement1_completes hM h
  have hs := hc.size_mul
  rw [← size_append] at hs
  have := ((completes_iff_exists_unique _ _ _).1 hc).2.2 o ho
  rwa [hs] at this

/-- **`complement₁` of Villa Straylight, coalesced, is our complement.**
Rust: `razorgirl::Layout::complement_in`
Source: Villa Straylight III.3 `complement1` -/
theorem complementIn_singleton {n d M : Nat} (hM : 0 < M) (h : n * d ∣ M) :
    complementIn [⟨n, d⟩] M = some (coalesce [⟨d, 1⟩, ⟨M / (n * d), n * d⟩]) := by
  rw [complementIn_of_completes (complement1_completes hM h)]
  have hnd : 0 < n * d := Nat.pos_of_dvd_of_pos h hM
  have hb : Mode.before ⟨d, 1⟩ ⟨M / (n * d), n * d⟩ = true := by
    rw [before_iff]
    rcases Nat.lt_or_eq_of_le (show 1 ≤ n * d from hnd) with h1 | h1
    · exact .inl h1
    · right
      refine ⟨h1, ?_⟩
      have hd : d = 1 := Nat.eq_one_of_mul_eq_one_left h1.symm
      have := Nat.div_pos (Nat.le_of_dvd hM h) hnd
      simp only [hd] at this ⊢
      exact this
  rw [sort_eq_self_iff.2 (List.pairwise_cons.2 ⟨by simp [hb], List.pairwise_singleton _ _⟩)]

/-- **One mode of two or more coordinates can be completed in `[0,M)` only if extent times stride divides M.**
Rust: `razorgirl::Layout::complement_in`
Source: Villa Straylight III, exercise 2 -/
theorem dvd_of_completes_singleton {n d M : Nat} {B : FlatLayout} (hn : 2 ≤ n)
    (h : Completes [⟨n, d⟩] B M) : n * d ∣ M := by
  have := block_dvd_of_completes h
  have hn1 : n ≠ 1 := by omega
  simpa [block, chain, squeeze, hn1, sort, insert, blockFrom] using this

end FlatLayout

end Razorgirl
