module

public import Razorgirl.Thm.Layout.Complement.Nested
public import Razorgirl.Thm.Layout.Inverse.Nullspace
public import Razorgirl.Thm.Layout.Inverse.Right

@[expose] public section

/-!
# Inverses of nested layouts: what is proved

What `Inverse/Left`, `Inverse/Right` and `Inverse/Nullspace` prove about modes, said about calls: with linear
indices, and for the left inverse with any coordinate.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout

/-! ## Right inverse -/

/-- **The right inverse of a nested layout is valid and coalesced: `1:0`, a leaf, or a flat tuple.**
Rust: `razorgirl::Layout::right_inverse`
Source: CuTe `right_inverse` -/
theorem rightInverse_valid (L : Layout) : (rightInverse L).Valid ∧ (rightInverse L).Coalesced :=
  ⟨valid_nest (FlatLayout.rightInverse_valid L.modes).1, coalesced_nest (FlatLayout.rightInverse_valid L.modes).2⟩

/-- **Calling the right inverse with an offset gives an index, and calling the layout with that index gives the
offset.**
Rust: `razorgirl::Layout::right_inverse`
Source: Cecka (arXiv 2603.02298), right inverse; CuTe `right_inverse` -/
theorem rightInverse_call {L : Layout} (hL : L.Valid) {o : Nat} (ho : o < (rightInverse L).size) :
    ∃ x, (rightInverse L).call (.leaf (some o)) = some x ∧ L.call (.leaf (some x)) = some o := by
  have hs := FlatLayout.rightInverse_finds hL.2 (x := o) (by rwa [rightInverse, size_nest] at ho)
  refine ⟨FlatLayout.atIndex (FlatLayout.rightInverse L.modes) o,
    (call_index_eq_some_iff (rightInverse_valid L).1).2 ⟨ho, atIndex_nest _ _⟩,
    (call_index_eq_some_iff hL).2 hs⟩

/-- **No chain of whole modes of a nested layout, flattened and coalesced, reaches further than its right inverse.**
Rust: `razorgirl::Layout::right_inverse`
Source: Cecka (arXiv 2603.02298), right inverse -/
theorem rightInverse_reach_maximal {L : Layout} (hL : L.Valid) {ps : List Start}
    (hps : ∀ p ∈ ps, p ∈ starts 1 (FlatLayout.coalesce L.modes)) (hc : Packed 1 (ps.map Start.mode)) :
    reach ps ≤ (rightInverse L).size := by
  rw [rightInverse, size_nest]
  exact FlatLayout.rightInverse_reach_maximal hL.2 hps hc

/-- **The right inverse of a contiguous nested layout has its full size.**
Rust: `razorgirl::Layout::right_inverse`
Source: Colfax 2.1.5; CuTe `right_inverse` -/
theorem rightInverse_size_of_contiguous {L : Layout} (h : Contiguous L.modes) : (rightInverse L).size = L.size := by
  rw [rightInverse, size_nest, FlatLayout.rightInverse_size_of_contiguous h, size]

/-! ## Left inverse -/

theorem leftInverse_eq_some_iff {L R : Layout} :
    leftInverse L = some R ↔ ∃ R', FlatLayout.leftInverse (FlatLayout.coalesce L.modes) = some R' ∧ R = nest R' := by
  rw [leftInverse, Option.map_eq_some_iff]
  exact exists_congr fun C' => and_congr_right fun _ => eq_comm

/-- **The left inverse of a nested layout is valid and coalesced.**
Rust: `razorgirl::Layout::left_inverse`
Source: CuTe `left_inverse` -/
theorem leftInverse_valid {L R : Layout} (hL : L.Valid) (h : leftInverse L = some R) : R.Valid ∧ R.Coalesced := by
  obtain ⟨R', h', rfl⟩ := leftInverse_eq_some_iff.1 h
  have := FlatLayout.leftInverse_valid (FlatLayout.coalesce_valid hL.2) h'
  exact ⟨valid_nest this.1, coalesced_nest this.2⟩

/-- **The left inverse undoes a nested layout: called with the offset of a linear index it gives the index.**
Rust: `razorgirl::Layout::left_inverse`
Source: Cecka (arXiv 2603.02298), left inverse; CuTe `left_inverse` -/
theorem leftInverse_call {L R : Layout} (hL : L.Valid) (h : leftInverse L = some R) {x o : Nat}
    (hx : L.call (.leaf (some x)) = some o) : R.call (.leaf (some o)) = some x := by
  obtain ⟨R', h', rfl⟩ := leftInverse_eq_some_iff.1 h
  obtain ⟨hlt, rfl⟩ := (call_index_eq_some_iff hL).1 hx
  have := FlatLayout.leftInverse_undoes (FlatLayout.coalesce_valid hL.2) h' (x := x)
    (by rwa [FlatLayout.coalesce_size])
  rw [FlatLayout.coalesce_atIndex] at this
  rw [call_index_eq_some_iff (leftInverse_valid hL h).1, size_nest, atIndex_nest]
  exact this

/-- **The left inverse, called with the offset of any coordinate of a nested layout, gives the linear index of that
coordinate.**
Rust: `razorgirl::Layout::left_inverse`
Source: Cecka (arXiv 2603.02298), left inverse; CuTe `left_inverse` -/
theorem leftInverse_call_coord {L R : Layout} (hL : L.Valid) (h : leftInverse L = some R) {c : Coord} {o : Nat}
    (hc : L.call c = some o) : R.call (.leaf (some o)) = Coord.crd2idx c L.shape := by
  rw [call_eq_atIndex hL, Option.map_eq_some_iff] at hc
  obtain ⟨x, hx, e⟩ := hc
  have hlt := Coord.crd2idx_lt_size (positive_shape hL) hx
  rw [size_shape hL] at hlt
  rw [hx]
  exact leftInverse_call hL h ((call_index_eq_some_iff hL).2 ⟨hlt, e⟩)

/-- **A left inverse by whole modes is found exactly when the layout is injective and the strides of its coalesced
layout, sorted, are positive and divide one another in turn; the nesting does not matter.**
Rust: `razorgirl::Layout::left_inverse`
Source: CuTe `left_inverse`, «Left inverse divisibility condition» -/
theorem leftInverse_ne_none_iff {L : Layout} (hL : L.Valid) :
    leftInverse L ≠ none ↔ Injective L.modes ∧ DivideInTurn 1 (chain (FlatLayout.coalesce L.modes)) := by
  rw [leftInverse, ne_eq, Option.map_eq_none_iff, ← FlatLayout.coalesce_injective L.modes]
  exact FlatLayout.leftInverse_ne_none_iff (FlatLayout.coalesce_valid hL.2)

/-! ## Quasi-inverse -/

theorem quasiLeftInverse_eq_some_iff {L R : Layout} :
    quasiLeftInverse L = some R ↔ ∃ R', FlatLayout.quasiLeftInverse (FlatLayout.coalesce L.modes) = some R' ∧ R = nest R' := by
  rw [quasiLeftInverse, Option.map_eq_some_iff]
  exact exists_congr fun C' => and_congr_right fun _ => eq_comm

/-- **Calling the quasi-inverse with an offset of a nested layout gives an index with the same offset.**
Rust: `razorgirl::Layout::quasi_left_inverse`
Source: Cecka (arXiv 2603.02298), left pseudo-inverse -/
theorem quasiLeftInverse_call {L R : Layout} (hL : L.Valid) (h : quasiLeftInverse L = some R) {x o : Nat}
    (hx : L.call (.leaf (some x)) = some o) :
    ∃ y, R.call (.leaf (some o)) = some y ∧ L.call (.leaf (some y)) = some o := by
  obtain ⟨R', h', rfl⟩ := quasiLeftInverse_eq_some_iff.1 h
  obtain ⟨_, rfl⟩ := (call_index_eq_some_iff hL).1 hx
  have h1 := FlatLayout.quasiLeftInverse_domain (FlatLayout.coalesce_valid hL.2) h' x
  have h2 := FlatLayout.quasiLeftInverse_returns (FlatLayout.coalesce_valid hL.2) h' x
  simp only [FlatLayout.coalesce_atIndex, FlatLayout.coalesce_size] at h1 h2
  exact ⟨_, (call_index_eq_some_iff (valid_nest (FlatLayout.quasiLeftInverse_valid (FlatLayout.coalesce_valid hL.2) h').1)).2
    ⟨by rw [size_nest]; exact h1.1, atIndex_nest _ _⟩, (call_index_eq_some_iff hL).2 ⟨h1.2, h2⟩⟩

/-- **Where a nested layout has a left inverse, its quasi-inverse is the same.**
Rust: `razorgirl::Layout::quasi_left_inverse`
Source: Cecka (arXiv 2603.02298), left pseudo-inverse -/
theorem quasiLeftInverse_of_leftInverse {L R : Layout} (hL : L.Valid) (h : leftInverse L = some R) :
    quasiLeftInverse L = some R := by
  obtain ⟨R', h', rfl⟩ := leftInverse_eq_some_iff.1 h
  rw [quasiLeftInverse, FlatLayout.quasiLeftInverse_of_leftInverse (FlatLayout.coalesce_valid hL.2) h', Option.map_some]

/-! ## Two-sided inverse -/

theorem inverse_eq_some_iff {L R : Layout} :
    inverse L = some R ↔ ∃ R', FlatLayout.inverse (FlatLayout.coalesce L.modes) = some R' ∧ R = nest R' := by
  rw [inverse, Option.map_eq_some_iff]
  exact exists_congr fun C' => and_congr_right fun _ => eq_comm

/-- **The inverse of a nested layout and the layout undo each other: one sends the index x to the offset o exactly
when the other sends o to x.**
Rust: `razorgirl::Layout::inverse`
Source: Colfax 2.1.5; Cecka (arXiv 2603.02298) -/
theorem inverse_call_iff {L R : Layout} (hL : L.Valid) (h : inverse L = some R) (x o : Nat) :
    L.call (.leaf (some x)) = some o ↔ R.call (.leaf (some o)) = some x := by
  obtain ⟨R', h', rfl⟩ := inverse_eq_some_iff.1 h
  have hv := FlatLayout.coalesce_valid hL.2
  have hR := FlatLayout.leftInverse_valid hv (FlatLayout.inverse_eq_some_iff.1 h').2
  have hu := fun {x : Nat} (hx : x < FlatLayout.size L.modes) =>
    FlatLayout.inverse_undoes hv h' (x := x) (by rwa [FlatLayout.coalesce_size])
  simp only [FlatLayout.coalesce_atIndex, FlatLayout.coalesce_size] at hu
  rw [call_index_eq_some_iff hL, call_index_eq_some_iff (valid_nest hR.1), size_nest, atIndex_nest,
    FlatLayout.inverse_size hv h', FlatLayout.coalesce_size]
  constructor
  · rintro ⟨hx, rfl⟩
    exact (hu hx).1
  · rintro ⟨ho, rfl⟩
    exact (hu ho).2

/-- **An inverse of a nested layout is found exactly when the layout is contiguous.**
Rust: `razorgirl::Layout::inverse`
Source: Colfax 2.1.5 -/
theorem inverse_ne_none_iff {L : Layout} (hL : L.Valid) : inverse L ≠ none ↔ Contiguous L.modes := by
  rw [inverse, ne_eq, Option.map_eq_none_iff, ← FlatLayout.coalesce_contiguous L.modes]
  exact FlatLayout.inverse_ne_none_iff (FlatLayout.coalesce_valid hL.2)

/-! ## Nullspace -/

/-- **The nullspace of a nested layout lists exactly the linear indices of offset 0.**
Rust: `razorgirl::Layout::nullspace`
Source: CuTe `nullspace` -/
theorem nullspace_call_iff {L : Layout} (hL : L.Valid) (x : Nat) :
    L.call (.leaf (some x)) = some 0 ↔ ∃ i, (nullspace L).call (.leaf (some i)) = some x := by
  have hc := FlatLayout.coalesce_valid hL.2
  have hv : (nullspace L).Valid := valid_nest (FlatLayout.nullspace_valid hc)
  simp only [call_index_eq_some_iff hL, call_index_eq_some_iff hv]
  rw [nullspace, size_nest]
  simp only [atIndex_nest]
  constructor
  · rintro ⟨hx, e⟩
    exact exists_nullspace_index hc (by rwa [FlatLayout.coalesce_size]) (by rwa [FlatLayout.coalesce_atIndex])
  · rintro ⟨i, hi, rfl⟩
    have := nullspace_atIndex hc hi
    rwa [FlatLayout.coalesce_size, FlatLayout.coalesce_atIndex] at this

/-- **The size of the nullspace of a nested layout is the product of the extents of the modes of stride 0 of its
coalesced layout.**
Rust: `razorgirl::Layout::nullspace`
Source: CuTe `nullspace` -/
theorem nullspace_size (L : Layout) :
    (nullspace L).size =
      prod ((List.filter (fun m => m.stride == 0) (FlatLayout.coalesce L.modes)).map Mode.extent) := by
  rw [nullspace, size_nest, FlatLayout.nullspace_size]

/-! ## The function alone -/

/-- **Layouts of the same function have the same right inverse, left inverse, quasi-inverse, inverse and nullspace:
how the modes are written does not matter.**
Rust: `razorgirl::Layout::left_inverse`
Source: none -/
theorem inverses_of_function {L M : Layout} (hL : L.Valid) (hM : M.Valid) (hs : L.size = M.size)
    (h : ∀ x, x < L.size → atIndex L.modes x = atIndex M.modes x) :
    rightInverse L = rightInverse M ∧ leftInverse L = leftInverse M ∧ quasiLeftInverse L = quasiLeftInverse M ∧
      inverse L = inverse M ∧ nullspace L = nullspace M := by
  have hc : FlatLayout.coalesce L.modes = FlatLayout.coalesce M.modes := (FlatLayout.coalesce_eq_iff hL.2 hM.2).2 ⟨hs, h⟩
  refine ⟨?_, ?_, ?_, ?_, ?_⟩
  · rw [rightInverse, rightInverse, FlatLayout.rightInverse, FlatLayout.rightInverse, hc]
  · rw [leftInverse, leftInverse, hc]
  · rw [quasiLeftInverse, quasiLeftInverse, hc]
  · rw [inverse, inverse, hc]
  · rw [nullspace, nullspace, hc]

end Layout

/-! ## Worked examples -/

namespace FlatLayout

/-- «Categorical Foundations»: right inverses on which all implementations agree. -/
example : rightInverse [⟨4, 8⟩, ⟨8, 1⟩] = [⟨8, 4⟩, ⟨4, 1⟩] ∧
    rightInverse [⟨3, 5⟩, ⟨7, 15⟩, ⟨5, 1⟩] = [⟨5, 21⟩, ⟨21, 1⟩] ∧ rightInverse [⟨4, 1⟩, ⟨8, 5⟩] = [⟨4, 1⟩] ∧
    rightInverse [⟨2, 0⟩, ⟨2, 1⟩, ⟨2, 0⟩, ⟨4, 2⟩] = [⟨2, 2⟩, ⟨4, 8⟩] := by decide +kernel
/-- Two modes of stride 1, and the second one goes on: every CuTe takes the first and stops at size 2. -/
example : rightInverse [⟨2, 1⟩, ⟨2, 1⟩, ⟨3, 2⟩] = [⟨6, 2⟩] ∧ size (rightInverse [⟨2, 1⟩, ⟨2, 1⟩, ⟨3, 2⟩]) = 6 := by
  decide +kernel
/-- «Categorical Foundations»: left inverses on which all implementations but pycute agree; holes get stride 0. -/
example : leftInverse [⟨4, 8⟩, ⟨8, 1⟩] = some [⟨8, 4⟩, ⟨4, 1⟩] ∧
    leftInverse [⟨4, 1⟩, ⟨8, 5⟩] = some [⟨5, 1⟩, ⟨8, 4⟩] ∧ leftInverse [⟨4, 2⟩] = some [⟨2, 0⟩, ⟨4, 1⟩] := by
  decide +kernel
/-- With modes of stride 0 there is only the quasi-inverse; CuTe returns it as the left inverse. -/
example : leftInverse [⟨2, 0⟩, ⟨2, 2⟩, ⟨2, 0⟩, ⟨4, 4⟩] = none ∧
    quasiLeftInverse [⟨2, 0⟩, ⟨2, 2⟩, ⟨2, 0⟩, ⟨4, 4⟩] = some [⟨2, 0⟩, ⟨2, 2⟩, ⟨4, 8⟩] := by decide +kernel
/-- pycute answers `4:1` and `65440:128`, which lose coordinates. -/
example : leftInverse [⟨4, 1⟩, ⟨4, 6⟩] = some [⟨6, 1⟩, ⟨4, 4⟩] ∧
    leftInverse [⟨128, 65536⟩, ⟨160, 1⟩] = some [⟨65536, 128⟩, ⟨128, 1⟩] := by decide +kernel
/-- Not injective: CuTe C++ returns a layout that leaves the domain. -/
example : leftInverse [⟨4, 1⟩, ⟨4, 2⟩] = none ∧ quasiLeftInverse [⟨4, 1⟩, ⟨4, 2⟩] = none := by decide +kernel
/-- Injective, but 2 does not divide 3: nothing to read digits by. -/
example : Injective [⟨2, 2⟩, ⟨2, 3⟩] ∧ leftInverse [⟨2, 2⟩, ⟨2, 3⟩] = none := by decide +kernel
/-- Row-major 4×8 is undone on both sides; with padding there is a left inverse only. -/
example : inverse [⟨4, 8⟩, ⟨8, 1⟩] = some [⟨8, 4⟩, ⟨4, 1⟩] ∧ inverse [⟨4, 1⟩, ⟨8, 5⟩] = none := by decide +kernel
/-- The indices of offset 0. -/
example : nullspace [⟨2, 1⟩, ⟨3, 0⟩, ⟨2, 2⟩, ⟨2, 0⟩] = [⟨3, 2⟩, ⟨2, 12⟩] := by decide +kernel
end FlatLayout

end Razorgirl
