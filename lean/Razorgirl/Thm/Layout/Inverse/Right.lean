module

public import Razorgirl.Data.Perm
public import Razorgirl.Thm.Layout.Inverse.Left

@[expose] public section

/-!
# Right inverses: what is proved

A right inverse says where the offsets 0, 1, 2, … come from. It follows a chain of modes of the coalesced layout
whose strides continue one another, and no such chain reaches further.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Chains of modes -/

theorem reach_cons (p : Start) (ps : List Start) : reach (p :: ps) = p.mode.extent * reach ps := rfl

theorem size_back (ps : List Start) : size (back ps) = reach ps := by
  induction ps with
  | nil => rfl
  | cons p ps ih => rw [reach_cons, ← ih]; rfl

theorem packed_start_cons {run : Nat} {p : Start} {ps : List Start} : Packed run ((p :: ps).map Start.mode) ↔
    p.mode.stride = run ∧ Packed (run * p.mode.extent) (ps.map Start.mode) := by
  rw [List.map_cons, Packed, Nat.mul_comm]

theorem le_stride_of_packed_starts {run : Nat} {ps : List Start} (h : Packed run (ps.map Start.mode))
    (h2 : ∀ p ∈ ps, 2 ≤ p.mode.extent) {q : Start} (hq : q ∈ ps) : run ≤ q.mode.stride := by
  refine le_stride_of_packed (h) ((valid_iff_forall _).2 fun m hm => ?_)
    (List.mem_map_of_mem hq)
  obtain ⟨p, hp, rfl⟩ := List.mem_map.1 hm
  have := h2 p hp
  omega

theorem nodup_of_packed {run : Nat} {ps : List Start} (hr : 0 < run) (h : Packed run (ps.map Start.mode))
    (h2 : ∀ p ∈ ps, 2 ≤ p.mode.extent) : ps.Nodup := by
  induction ps generalizing run with
  | nil => exact .nil
  | cons p ps ih =>
    have hp := h2 p (by simp)
    have h2' : ∀ q ∈ ps, 2 ≤ q.mode.extent := fun q hq => h2 q (by simp [hq])
    rw [packed_start_cons] at h
    refine List.nodup_cons.2 ⟨fun hm => ?_, ih (Nat.mul_pos hr (by omega)) h.2 h2'⟩
    have h3 := le_stride_of_packed_starts h.2 h2' hm
    have h4 := h.1
    have h5 := Nat.mul_le_mul_left run hp
    omega

/-! ## The longest chain -/

theorem longest_fold {n run : Nat} {all ms : List Start} (best : FlatLayout)
    (hb : ∃ ps, (∀ p ∈ ps, p ∈ all) ∧ Packed run (ps.map Start.mode) ∧ best = back ps)
    (hn : ∀ run', ∃ ps, (∀ p ∈ ps, p ∈ all) ∧ Packed run' (ps.map Start.mode) ∧ longest n run' all = back ps)
    (hms : ∀ p ∈ ms, p ∈ all) :
    ∃ R, R = ms.foldl (fun best p =>
        if p.mode.stride = run ∧ size best < p.mode.extent * size (longest n (run * p.mode.extent) all) then
          ⟨p.mode.extent, p.index⟩ :: longest n (run * p.mode.extent) all
        else best) best ∧
      (∃ ps, (∀ p ∈ ps, p ∈ all) ∧ Packed run (ps.map Start.mode) ∧ R = back ps) ∧ size best ≤ size R ∧
      ∀ p ∈ ms, p.mode.stride = run → p.mode.extent * size (longest n (run * p.mode.extent) all) ≤ size R := by
  induction ms generalizing best with
  | nil => exact ⟨best, rfl, hb, Nat.le_refl _, by simp⟩
  | cons p ms ih =>
    have hms' : ∀ q ∈ ms, q ∈ all := fun q hq => hms q (by simp [hq])
    rw [List.foldl_cons]
    split
    · rename_i hc
      obtain ⟨R, e, h1, h2, h3⟩ := ih (⟨p.mode.extent, p.index⟩ :: longest n (run * p.mode.extent) all) (by
        obtain ⟨ps, a, b, c⟩ := hn (run * p.mode.extent)
        refine ⟨p :: ps, fun q hq => ?_, packed_start_cons.2 ⟨hc.1, b⟩, by rw [c]; rfl⟩
        rcases List.mem_cons.1 hq with rfl | hq
        · exact hms q (by simp)
        · exact a q hq) hms'
      rw [size_cons] at h2
      have h2 : p.mode.extent * size (longest n (run * p.mode.extent) all) ≤ size R := h2
      refine ⟨R, e, h1, by omega, fun q hq hs => ?_⟩
      rcases List.mem_cons.1 hq with rfl | hq
      · exact h2
      · exact h3 q hq hs
    · rename_i hc
      obtain ⟨R, e, h1, h2, h3⟩ := ih best hb hms'
      refine ⟨R, e, h1, h2, fun q hq hs => ?_⟩
      rcases List.mem_cons.1 hq with rfl | hq
      · have : ¬ size best < q.mode.extent * size (longest n (run * q.mode.extent) all) := fun h => hc ⟨hs, h⟩
        omega
      · exact h3 q hq hs

theorem longest_spec (n run : Nat) (ms : List Start) :
    (∃ ps, (∀ p ∈ ps, p ∈ ms) ∧ Packed run (ps.map Start.mode) ∧ longest n run ms = back ps) ∧
      ∀ ps, (∀ p ∈ ps, p ∈ ms) → Packed run (ps.map Start.mode) → ps.length ≤ n →
        reach ps ≤ size (longest n run ms) := by
  induction n generalizing run with
  | zero =>
    refine ⟨⟨[], by simp, trivial, rfl⟩, fun ps _ _ h => ?_⟩
    obtain rfl := List.length_eq_zero_iff.1 (Nat.le_zero.1 h)
    exact Nat.le_refl _
  | succ n ih =>
    obtain ⟨R, e, h1, h2, h3⟩ := longest_fold (n := n) (run := run) (all := ms) (ms := ms) []
      ⟨[], by simp, trivial, rfl⟩ (fun run' => (ih run').1) fun p hp => hp
    rw [longest, ← e]
    refine ⟨h1, fun ps hps hc hl => ?_⟩
    cases ps with
    | nil => exact h2
    | cons p ps =>
      rw [packed_start_cons] at hc
      have h4 := (ih (run * p.mode.extent)).2 ps (fun q hq => hps q (by simp [hq])) hc.2
        (by simp only [List.length_cons] at hl; omega)
      exact Nat.le_trans (Nat.mul_le_mul_left _ h4) (h3 p (hps p (by simp)) hc.1)

/-! ## Following a chain back -/

theorem le_index_of_mem_starts {r : Nat} {L : FlatLayout} (hv : Valid L) {p : Start} (h : p ∈ starts r L) :
    r ≤ p.index := by
  induction L generalizing r with
  | nil => simp [starts] at h
  | cons m L ih =>
    rcases List.mem_cons.1 h with rfl | h
    · exact Nat.le_refl _
    · exact Nat.le_trans (Nat.le_mul_of_pos_right r hv.1) (ih hv.2 h)

theorem nodup_starts {r : Nat} {L : FlatLayout} (hr : 0 < r) (h2 : ∀ m ∈ L, 2 ≤ m.extent) : (starts r L).Nodup := by
  induction L generalizing r with
  | nil => exact .nil
  | cons m L ih =>
    have hm := h2 m (by simp)
    have h2' : ∀ n ∈ L, 2 ≤ n.extent := fun n hn => h2 n (by simp [hn])
    refine List.nodup_cons.2 ⟨fun h => ?_, ih (Nat.mul_pos hr (by omega)) h2'⟩
    have h3 := le_index_of_mem_starts ((valid_iff_forall _).2 fun n hn => by have := h2' n hn; omega) h
    have h4 := Nat.mul_le_mul_left r hm
    simp only at h3
    omega

/-- The coordinate in the mode that starts at `p`, of the index that the offset `x` comes from. -/
def turn (x : Nat) (p : Start) : Nat := x / p.mode.stride % p.mode.extent

theorem total_turn_index {run : Nat} {ps : List Start} (h : Packed run (ps.map Start.mode)) (x : Nat) :
    total (fun p => turn x p * p.index) ps = atIndex (back ps) (x / run) := by
  induction ps generalizing run with
  | nil => rfl
  | cons p ps ih =>
    rw [packed_start_cons] at h
    rw [total, ih h.2, turn, h.1, ← Nat.div_div_eq_div_mul]
    rfl

theorem total_turn_stride {run : Nat} {ps : List Start} (h : Packed run (ps.map Start.mode)) (x : Nat) :
    total (fun p => turn x p * p.mode.stride) ps = run * (x / run % reach ps) := by
  induction ps generalizing run with
  | nil => rw [total, reach, List.map_nil, size_nil, Nat.mod_one, Nat.mul_zero]
  | cons p ps ih =>
    rw [packed_start_cons] at h
    rw [total, ih h.2, turn, h.1, ← Nat.div_div_eq_div_mul, reach_cons, Nat.mod_mul, Nat.mul_add,
      Nat.mul_comm _ run, Nat.mul_assoc]

theorem back_spec {C : FlatLayout} (h2 : ∀ m ∈ C, 2 ≤ m.extent) {ps : List Start}
    (hps : ∀ p ∈ ps, p ∈ starts 1 C) (hc : Packed 1 (ps.map Start.mode)) {x : Nat} (hx : x < reach ps) :
    atIndex (back ps) x < size C ∧ atIndex C (atIndex (back ps) x) = x := by
  have h2' : ∀ p ∈ ps, 2 ≤ p.mode.extent := fun p hp => h2 _ (mode_mem_of_mem_starts (hps p hp))
  have hperm : ((starts 1 C).filter fun p => decide (p ∈ ps)).Perm ps := by
    refine perm_of_nodup ((nodup_starts Nat.one_pos h2).filter _)
      (nodup_of_packed Nat.one_pos hc h2') fun p => ?_
    simp only [List.mem_filter, decide_eq_true_eq]
    exact ⟨fun h => h.2, fun h => ⟨hps p h, h⟩⟩
  obtain ⟨k, hk, e1, e2⟩ := exists_index (r := 1) (L := C) (fun p => if p ∈ ps then turn x p else 0) (by
    intro p hp
    have h3 := h2 _ (mode_mem_of_mem_starts hp)
    have h4 : turn x p < p.mode.extent := Nat.mod_lt _ (by omega)
    simp only
    split <;> omega)
  have key : ∀ f : Start → Nat, total (fun p => (if p ∈ ps then turn x p else 0) * f p) (starts 1 C) =
      total (fun p => turn x p * f p) ps := by
    intro f
    rw [← total_perm hperm, ← total_filter (c := fun p => decide (p ∈ ps))]
    · refine total_congr fun p hp => ?_
      rw [if_pos (by simpa using (List.mem_filter.1 hp).2)]
    · intro p _ hp
      rw [if_neg (by simpa using hp), Nat.zero_mul]
  rw [key, total_turn_index hc, Nat.div_one, Nat.one_mul] at e1
  rw [key, total_turn_stride hc, Nat.div_one, Nat.one_mul, Nat.mod_eq_of_lt hx] at e2
  rw [e1]
  exact ⟨hk, e2⟩

/-! ## The theorems -/

theorem two_le_of_mem_coalesce {L : FlatLayout} (hv : Valid L) : ∀ m ∈ coalesce L, 2 ≤ m.extent :=
  two_le_of_coalesced (coalesce_valid hv) (coalesce_coalesced L)

theorem size_rightInverse (L : FlatLayout) :
    size (rightInverse L) = size (longest (coalesce L).length 1 (starts 1 (coalesce L))) := by
  rw [rightInverse, coalesce_size]

/-- **A right inverse says where offsets come from: each of its values is an index of the layout, and the offset of
that index is the one asked for.**
Rust: `razorgirl::Layout::right_inverse`
Source: Cecka (arXiv 2603.02298), right inverse; CuTe `right_inverse` -/
theorem rightInverse_finds {L : FlatLayout} (hv : Valid L) {x : Nat} (hx : x < size (rightInverse L)) :
    atIndex (rightInverse L) x < size L ∧ atIndex L (atIndex (rightInverse L) x) = x := by
  obtain ⟨ps, h1, h2, h3⟩ := (longest_spec (coalesce L).length 1 (starts 1 (coalesce L))).1
  rw [size_rightInverse, h3, size_back] at hx
  have := back_spec (two_le_of_mem_coalesce hv) h1 h2 hx
  rw [coalesce_size, coalesce_atIndex] at this
  rw [rightInverse, coalesce_atIndex, h3]
  exact this

/-- **A right inverse is valid and coalesced.**
Rust: `razorgirl::Layout::right_inverse`
Source: CuTe `right_inverse` -/
theorem rightInverse_valid (L : FlatLayout) :
    Valid (rightInverse L) ∧ Coalesced (rightInverse L) := by
  refine ⟨?_, coalesce_coalesced _⟩
  rw [valid_iff_size_pos, size_rightInverse]
  exact (longest_spec (coalesce L).length 1 (starts 1 (coalesce L))).2 [] (by simp) trivial (by simp)

/-- **No chain of whole modes reaches further: whenever the strides of modes of the coalesced layout continue one
another as 1, s, s·t, …, the product of their extents is at most the size of the right inverse.**
Rust: `razorgirl::Layout::right_inverse`
Source: Cecka (arXiv 2603.02298), right inverse; CuTe `right_inverse` stops earlier where a stride repeats -/
theorem rightInverse_reach_maximal {L : FlatLayout} (hv : Valid L) {ps : List Start}
    (hps : ∀ p ∈ ps, p ∈ starts 1 (coalesce L)) (hc : Packed 1 (ps.map Start.mode)) :
    reach ps ≤ size (rightInverse L) := by
  rw [size_rightInverse]
  refine (longest_spec _ 1 _).2 ps hps hc ?_
  have h2 := two_le_of_mem_coalesce hv
  have h3 := nodup_of_packed Nat.one_pos hc fun p hp => h2 _ (mode_mem_of_mem_starts (hps p hp))
  have h4 := length_le_of_nodup_of_subset h3 hps
  have h5 := congrArg List.length (map_mode_starts 1 (coalesce L))
  rw [List.length_map] at h5
  omega

/-- **The right inverse is one of these chains, so its size is the largest reach.**
Rust: `razorgirl::Layout::right_inverse`
Source: Cecka (arXiv 2603.02298), right inverse -/
theorem rightInverse_reach_attained (L : FlatLayout) : ∃ ps, (∀ p ∈ ps, p ∈ starts 1 (coalesce L)) ∧
    Packed 1 (ps.map Start.mode) ∧ rightInverse L = coalesce (back ps) ∧ size (rightInverse L) = reach ps := by
  obtain ⟨ps, h1, h2, h3⟩ := (longest_spec (coalesce L).length 1 (starts 1 (coalesce L))).1
  exact ⟨ps, h1, h2, by rw [rightInverse, h3], by rw [size_rightInverse, h3, size_back]⟩

/-- **A right inverse is injective and no larger than the layout.**
Rust: `razorgirl::Layout::right_inverse`
Source: Cecka (arXiv 2603.02298), right inverse -/
theorem rightInverse_injective {L : FlatLayout} (hv : Valid L) :
    Injective (rightInverse L) ∧ size (rightInverse L) ≤ size L := by
  have hi : Injective (rightInverse L) := by
    rw [injective_iff_atIndex]
    intro x y hx hy e
    rw [← (rightInverse_finds hv hx).2, e, (rightInverse_finds hv hy).2]
  refine ⟨hi, ?_⟩
  have := length_le_of_nodup_of_lt ((injective_iff_nodup _).1 hi) (n := size L) fun o ho => by
    obtain ⟨x, hx, rfl⟩ := (mem_offsets _ o).1 ho
    exact (rightInverse_finds hv hx).1
  rwa [length_offsets] at this

/-- **The right inverse of a contiguous layout has its full size.**
Rust: `razorgirl::Layout::right_inverse`
Source: Colfax 2.1.5; CuTe `right_inverse` -/
theorem rightInverse_size_of_contiguous {L : FlatLayout} (h : Contiguous L) : size (rightInverse L) = size L := by
  have hv := valid_of_contiguous h
  refine Nat.le_antisymm (rightInverse_injective hv).2 ?_
  have hp := ((contiguous_iff_packed _).1 ((coalesce_contiguous L).2 h)).2
  rw [← map_mode_sortStarts_moving] at hp
  have := rightInverse_reach_maximal hv (ps := sortStarts (moving (coalesce L)))
    (fun p hp => (mem_moving.1 ((sortStarts_perm _).mem_iff.1 hp)).1) hp
  rwa [reach, map_mode_sortStarts_moving, size_chain, coalesce_size] at this

/-- **The right inverse of a contiguous layout is two-sided.**
Rust: `razorgirl::Layout::right_inverse`
Source: Colfax 2.1.5; CuTe `right_inverse` -/
theorem rightInverse_undoes_of_contiguous {L : FlatLayout} (h : Contiguous L) {x : Nat} (hx : x < size L) :
    atIndex (rightInverse L) (atIndex L x) = x := by
  have hv := valid_of_contiguous h
  have hs := rightInverse_size_of_contiguous h
  have h1 := atIndex_lt_size_of_contiguous h hx
  have h2 := rightInverse_finds hv (x := atIndex L x) (by omega)
  exact (injective_iff_atIndex L).1 h.1 _ _ h2.1 hx h2.2

end FlatLayout

end Razorgirl
