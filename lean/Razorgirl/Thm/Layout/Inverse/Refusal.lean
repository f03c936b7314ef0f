module

public import Razorgirl.Spec.Layout.Inverse.Refusal
public import Razorgirl.Thm.Layout.Common
public import Razorgirl.Thm.Layout.Filter
public import Razorgirl.Thm.Layout.Injective.Collision
public import Razorgirl.Thm.Layout.Inverse

@[expose] public section

/-!
# Why a layout has no inverse: what is proved

A refusal is there exactly where there is no inverse, and what it names is so. When a quasi-inverse exists; that whole modes
make the longest right inverse of an injective layout.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Strides that do not divide -/

theorem firstUndivided_eq_none_iff {c : Nat} {L : FlatLayout} (hp : ∀ m ∈ L, 0 < m.stride) (h : ∀ m, L.head? = some m → c ∣ m.stride) :
    firstUndivided L = none ↔ DivideInTurn c L := by
  induction L generalizing c with
  | nil => simp [firstUndivided, DivideInTurn]
  | cons m L ih =>
    have hm := hp m (by simp)
    have hc := h m rfl
    cases L with
    | nil => simp [firstUndivided, DivideInTurn, hm, hc]
    | cons n L =>
      rw [firstUndivided, DivideInTurn]
      split
      · rename_i hd
        rw [ih (fun p q => hp p (List.mem_cons_of_mem _ q)) (c := m.stride) (fun p q => by cases q; exact Nat.dvd_of_mod_eq_zero hd)]
        simp [hm, hc]
      · rename_i hd
        simp only [reduceCtorEq, false_iff]
        intro hn
        exact hd (Nat.mod_eq_zero_of_dvd hn.2.1.2)

theorem firstUndivided_eq_some {d e : Nat} {L : FlatLayout} (h : firstUndivided L = some (d, e)) :
    ∃ P m n Q, L = P ++ m :: n :: Q ∧ m.stride = d ∧ n.stride = e ∧ ¬ d ∣ e := by
  induction L with
  | nil => cases h
  | cons m L ih =>
    cases L with
    | nil => cases h
    | cons n L =>
      rw [firstUndivided] at h
      split at h
      · obtain ⟨P, a, b, Q, e1, e2⟩ := ih h
        exact ⟨m :: P, a, b, Q, by rw [e1]; rfl, e2⟩
      · rename_i hd
        cases h
        exact ⟨[], m, n, L, rfl, rfl, rfl, fun h => hd (Nat.mod_eq_zero_of_dvd h)⟩

theorem divideInTurn_chain_iff {L : FlatLayout} (hv : Valid L) (hi : Injective L) :
    firstUndivided (chain L) = none ↔ DivideInTurn 1 (chain L) := by
  refine firstUndivided_eq_none_iff (fun m hm => ?_) fun m _ => Nat.one_dvd _
  have hc : Injective (chain L) := by rw [injective_perm (chain_perm L), injective_squeeze_iff]; exact hi
  exact stride_pos_of_injective (valid_chain hv) hc hm (two_le_of_mem_chain hv hm)

/-! ## When a quasi-inverse exists -/

theorem squeeze_filterZeros (L : FlatLayout) :
    squeeze (filterZeros L) = List.filter (fun m => m.stride != 0) (squeeze L) := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    rw [filterZeros_cons, squeeze_cons, squeeze_cons, ih]
    by_cases h0 : m.stride = 0
    · have : (filterZero m).extent = 1 := by simp [filterZero, h0]
      rw [if_pos this]
      split
      · rfl
      · simp [h0]
    · have : filterZero m = m := by simp [filterZero, h0]
      rw [this]
      split
      · rfl
      · simp [h0]

theorem map_mode_sortStarts_quasi (L : FlatLayout) :
    (sortStarts ((moving L).filter fun p => p.mode.stride != 0)).map Start.mode = chain (filterZeros L) := by
  rw [map_mode_sortStarts, chain, squeeze_filterZeros, ← map_mode_moving, List.filter_map]
  rfl

/-- **A quasi-inverse is found exactly where the layout without its modes of stride 0 has a left inverse: where coordinates with one
offset differ in such modes only, and the other strides, sorted, divide one another in turn.**
Rust: `razorgirl::Layout::quasi_left_inverse`
Source: Cecka (arXiv 2603.02298), left pseudo-inverse; CuTe `left_inverse` -/
theorem quasiLeftInverse_ne_none_iff {L : FlatLayout} (hv : Valid L) : quasiLeftInverse L ≠ none ↔
    (∀ c c', InBounds (shape L) c → InBounds (shape L) c' → eval L c = eval L c' → AgreeWhereMoving L c c') ∧
      DivideInTurn 1 (chain (filterZeros L)) := by
  rw [← filterZeros_injective_iff hv, ← leftInverse_ne_none_iff (filterZeros_valid hv), ← Option.isSome_iff_ne_none,
    ← Option.isSome_iff_ne_none, quasiLeftInverse, leftInverse, isSome_undoFrom_iff, isSome_undoFrom_iff,
    map_mode_sortStarts_quasi, map_mode_sortStarts_moving]

theorem size_filterZeros_push {m : Mode} {L : FlatLayout} (hm : 0 < m.extent) :
    size (filterZeros (push m L)) = size (filterZeros (m :: L)) := by
  have one : (filterZero m).extent = if m.stride = 0 then 1 else m.extent := by rw [filterZero]; split <;> rfl
  by_cases h1 : m.extent = 1
  · rw [push_unit h1, filterZeros_cons, size_cons, one, h1]
    simp
  · cases L with
    | nil => simp [push, h1]
    | cons n L =>
      simp only [push, h1, if_false]
      split
      · rename_i hs
        rw [filterZeros_cons, filterZeros_cons, filterZeros_cons, size_cons, size_cons, size_cons, ← Nat.mul_assoc]
        congr 1
        by_cases h0 : m.stride = 0
        · have : n.stride = 0 := by rw [hs, h0, Nat.mul_zero]
          simp [filterZero, h0, this]
        · have : n.stride ≠ 0 := by rw [hs]; exact Nat.mul_ne_zero (by omega) h0
          simp [filterZero, h0, this]
      · rfl

theorem size_filterZeros_coalesce {L : FlatLayout} (hv : Valid L) : size (filterZeros (coalesce L)) = size (filterZeros L) := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    rw [coalesce, size_filterZeros_push hv.1, filterZeros_cons, filterZeros_cons, size_cons, size_cons, ih hv.2]

theorem injective_filterZeros_coalesce {L : FlatLayout} (hv : Valid L) :
    Injective (filterZeros (coalesce L)) ↔ Injective (filterZeros L) := by
  have hc := coalesce_valid hv
  have hs := size_filterZeros_coalesce hv
  have hm : ∀ o, o ∈ offsets (filterZeros (coalesce L)) ↔ o ∈ offsets (filterZeros L) := fun o => by
    rw [filterZeros_mem_offsets hc, filterZeros_mem_offsets hv, coalesce_offsets]
  rw [injective_iff_nodup, injective_iff_nodup]
  constructor
  · intro h
    exact nodup_of_subset_of_length_le h (fun o ho => (hm o).1 ho) (by rw [length_offsets, length_offsets, hs]; exact Nat.le_refl _)
  · intro h
    exact nodup_of_subset_of_length_le h (fun o ho => (hm o).2 ho) (by rw [length_offsets, length_offsets, hs]; exact Nat.le_refl _)

theorem movingCollision_eq_none_iff {L : FlatLayout} : movingCollision L = none ↔ Injective (filterZeros L) := by
  rw [← collision_eq_none_iff, movingCollision]
  split <;> simp_all

theorem movingCollision_eq_some {L : FlatLayout} (hv : Valid L) {i j : Nat} (h : movingCollision L = some (i, j)) :
    i < size L ∧ j < size L ∧ atIndex L i = atIndex L j ∧
      ¬ AgreeWhereMoving L (idx2crd (shape L) i) (idx2crd (shape L) j) := by
  rw [movingCollision] at h
  split at h
  · rename_i a b hc
    cases h
    obtain ⟨h1, h2, h3⟩ := collision_eq_some hc
    have ba := inBounds_idx2crd_of_lt (s := shape (filterZeros L)) (x := a) (Nat.lt_trans h1 h2)
    have bb := inBounds_idx2crd_of_lt (s := shape (filterZeros L)) (x := b) h2
    obtain ⟨ia, sa⟩ := inBounds_of_filterZeros hv ba
    obtain ⟨ib, sb⟩ := inBounds_of_filterZeros hv bb
    refine ⟨crd2idx_lt ia, crd2idx_lt ib, ?_, ?_⟩
    · have e1 := filterZeros_eval L (idx2crd (shape (filterZeros L)) a)
      have e2 := filterZeros_eval L (idx2crd (shape (filterZeros L)) b)
      rw [atIndex_crd2idx ia, atIndex_crd2idx ib, ← e1, ← e2]
      exact h3
    · rw [idx2crd_crd2idx ia, idx2crd_crd2idx ib, ← still_eq_iff ia ib, sa, sb]
      intro e
      have := idx2crd_injective (show a < size (filterZeros L) by omega) h2 e
      omega
  · cases h

/-! ## The longest right inverse -/

/-- **Of an injective layout no layout at all is a longer right inverse: where `L(R(i)) = i` for all indices of R, these are at most
as many as those of the right inverse by whole modes.**
Rust: `razorgirl::Layout::right_inverse`
Source: Cecka (arXiv 2603.02298), right inverse; stated otherwise: of injective layouts, `rightInverse_not_longest` -/
theorem rightInverse_longest {L R : FlatLayout} (hv : Valid L) (hi : Injective L)
    (h : ∀ i, i < size R → atIndex R i < size L ∧ atIndex L (atIndex R i) = i) : size R ≤ size (rightInverse L) :=
  le_size_rightInverse hv hi fun o ho => (mem_offsets _ _).2 ⟨atIndex R o, h o ho⟩

/-- **Of a layout that is not injective another one may be longer: (4,2):(1,3) has the right inverse 4:1 by whole modes, and
(3,2):(1,4) is one of 6 indices.**
Rust: `razorgirl::Layout::right_inverse`
Source: none -/
theorem rightInverse_not_longest : size (rightInverse [⟨4, 1⟩, ⟨2, 3⟩]) = 4 ∧ size [⟨3, 1⟩, ⟨2, 4⟩] = 6 ∧
    ∀ i, i < size [⟨3, 1⟩, ⟨2, 4⟩] → atIndex [⟨3, 1⟩, ⟨2, 4⟩] i < size [⟨4, 1⟩, ⟨2, 3⟩] ∧
      atIndex [⟨4, 1⟩, ⟨2, 3⟩] (atIndex [⟨3, 1⟩, ⟨2, 4⟩] i) = i := by decide +kernel

/-- **The first address that an injective layout leaves out is the size of its right inverse: all below are hit.**
Rust: `razorgirl::Layout::inverse`
Source: none -/
theorem size_rightInverse_missed {L : FlatLayout} (hv : Valid L) (hi : Injective L) :
    size (rightInverse L) ∉ offsets L ∧ ∀ o, o < size (rightInverse L) → o ∈ offsets L := by
  have hb : ∀ o, o < size (rightInverse L) → o ∈ offsets L := fun o ho => by
    have := rightInverse_finds hv ho
    exact (mem_offsets _ _).2 ⟨_, this⟩
  refine ⟨fun hm => ?_, hb⟩
  have := le_size_rightInverse hv hi (k := size (rightInverse L) + 1) fun o ho => by
    rcases Nat.lt_or_ge o (size (rightInverse L)) with h | h
    · exact hb o h
    · have e : o = size (rightInverse L) := by omega
      rw [e]; exact hm
  omega

end FlatLayout

namespace Layout
open FlatLayout

/-! ## Refusals -/

theorem undividedFault_eq_none_iff (M : FlatLayout) : undividedFault M = none ↔ firstUndivided (chain M) = none := by
  rw [undividedFault]
  split <;> simp_all

/-- **A refusal is there exactly where there is no left inverse by whole modes.**
Rust: `razorgirl::Layout::left_inverse`
Source: none known -/
theorem leftInverseFault_eq_none_iff {L : Layout} (hL : L.Valid) : leftInverseFault L = none ↔ leftInverse L ≠ none := by
  rw [leftInverse_ne_none_iff hL, leftInverseFault]
  split
  · rename_i i j h
    have : ¬ Injective L.modes := fun hi => by rw [(collision_eq_none_iff _).2 hi] at h; cases h
    simp [this]
  · rename_i h
    have hi := (collision_eq_none_iff _).1 h
    rw [undividedFault_eq_none_iff, divideInTurn_chain_iff (FlatLayout.coalesce_valid hL.2) ((FlatLayout.coalesce_injective _).2 hi)]
    simp [hi]

/-- **A refusal is there exactly where there is no quasi-inverse by whole modes.**
Rust: `razorgirl::Layout::quasi_left_inverse`
Source: none known -/
theorem quasiLeftInverseFault_eq_none_iff {L : Layout} (hL : L.Valid) :
    quasiLeftInverseFault L = none ↔ quasiLeftInverse L ≠ none := by
  have hv := FlatLayout.coalesce_valid hL.2
  have hq : quasiLeftInverse L ≠ none ↔ FlatLayout.quasiLeftInverse (FlatLayout.coalesce L.modes) ≠ none := by
    rw [quasiLeftInverse, ne_eq, Option.map_eq_none_iff]
  have hc := injective_filterZeros_coalesce hL.2
  rw [hq, FlatLayout.quasiLeftInverse_ne_none_iff hv, ← filterZeros_injective_iff hv, quasiLeftInverseFault]
  split
  · rename_i i j h
    have : ¬ Injective (FlatLayout.filterZeros L.modes) := fun hi => by rw [movingCollision_eq_none_iff.2 hi] at h; cases h
    simp [hc, this]
  · rename_i h
    have hi := hc.2 (movingCollision_eq_none_iff.1 h)
    rw [undividedFault_eq_none_iff, divideInTurn_chain_iff (FlatLayout.filterZeros_valid hv) hi]
    simp [hi]

/-- **A refusal is there exactly where there is no inverse.**
Rust: `razorgirl::Layout::inverse`
Source: none known -/
theorem inverseFault_eq_none_iff {L : Layout} (hL : L.Valid) : inverseFault L = none ↔ inverse L ≠ none := by
  rw [inverse_ne_none_iff hL, contiguous_iff_injective, inverseFault, cosize_eq_formula hL.2]
  split
  · rename_i i j h
    have : ¬ Injective L.modes := fun hi => by rw [(collision_eq_none_iff _).2 hi] at h; cases h
    simp [this]
  · rename_i h
    have hi := (collision_eq_none_iff _).1 h
    have hs : L.size = FlatLayout.size L.modes := rfl
    split <;> simp_all

/-- **The two indices of a refusal differ, are indices of the layout, and have one offset: so no layout at all undoes it.**
Rust: `razorgirl::Witness`
Source: none known -/
theorem leftInverseFault_eq_collides {L : Layout} {i j : Nat}
    (h : leftInverseFault L = some (.collides i j) ∨ inverseFault L = some (.collides i j)) :
    (i < j ∧ j < L.size ∧ atIndex L.modes i = atIndex L.modes j) ∧
      ¬ ∃ R, ∀ x, x < L.size → atIndex R (atIndex L.modes x) = x := by
  have key : collision L.modes = some (i, j) := by
    rcases h with h | h
    · rw [leftInverseFault] at h
      split at h
      · rename_i hc
        cases h
        exact hc
      · rw [undividedFault] at h
        split at h <;> cases h
    · rw [inverseFault] at h
      split at h
      · rename_i hc
        cases h
        exact hc
      · split at h <;> cases h
  obtain ⟨h1, h2, h3⟩ := collision_eq_some key
  refine ⟨⟨h1, h2, h3⟩, fun ⟨R, hR⟩ => ?_⟩
  have e1 := hR i (Nat.lt_trans h1 h2)
  have e2 := hR j h2
  rw [h3] at e1
  omega

/-- **The two indices of a refused quasi-inverse have one offset, and their coordinates differ in a mode that moves it.**
Rust: `razorgirl::Witness`
Source: none known -/
theorem quasiLeftInverseFault_eq_collides {L : Layout} (hL : L.Valid) {i j : Nat}
    (h : quasiLeftInverseFault L = some (.collides i j)) : i < L.size ∧ j < L.size ∧
      atIndex L.modes i = atIndex L.modes j ∧
      ¬ AgreeWhereMoving L.modes (idx2crd (FlatLayout.shape L.modes) i) (idx2crd (FlatLayout.shape L.modes) j) := by
  rw [quasiLeftInverseFault] at h
  split at h
  · rename_i hc
    cases h
    exact movingCollision_eq_some hL.2 hc
  · rw [undividedFault] at h
    split at h <;> cases h

/-- **The strides of a refusal are neighbours among the sorted strides of the coalesced layout, the smaller does not divide the
larger, and the layout is injective, so that this is the reason.**
Rust: `razorgirl::Witness`
Source: CuTe `left_inverse`, «Left inverse divisibility condition» -/
theorem leftInverseFault_eq_undivided {L : Layout} {d e : Nat} (h : leftInverseFault L = some (.undivided d e)) :
    Injective L.modes ∧ ∃ P m n Q, chain (FlatLayout.coalesce L.modes) = P ++ m :: n :: Q ∧ m.stride = d ∧ n.stride = e ∧ ¬ d ∣ e := by
  rw [leftInverseFault] at h
  split at h
  · cases h
  · rename_i hc
    rw [undividedFault] at h
    split at h
    · rename_i hu
      cases h
      exact ⟨(collision_eq_none_iff _).1 hc, firstUndivided_eq_some hu⟩
    · cases h

/-- **The address of a refusal is below the cosize, no coordinate has it, and all smaller ones are hit. The layout is injective.**
Rust: `razorgirl::Witness`
Source: none known -/
theorem inverseFault_eq_missed {L : Layout} (hL : L.Valid) {o : Nat} (h : inverseFault L = some (.missed o)) :
    Injective L.modes ∧ o < FlatLayout.cosize L.modes ∧ o ∉ offsets L.modes ∧ ∀ o', o' < o → o' ∈ offsets L.modes := by
  rw [inverseFault] at h
  split at h
  · cases h
  · rename_i hc
    have hi := (collision_eq_none_iff _).1 hc
    split at h
    · cases h
    · rename_i hs
      cases h
      obtain ⟨h1, h2⟩ := size_rightInverse_missed hL.2 hi
      refine ⟨hi, Nat.lt_of_not_le fun hle => hs ?_, h1, h2⟩
      rw [← cosize_eq_formula hL.2]
      exact ((contiguous_iff_covers _).1 ⟨hi, (covers_iff_mem _).2 fun o ho => h2 o (by omega)⟩).2

end Layout

end Razorgirl
