module

public import Razorgirl.Spec.IntTuple.Product
public import Razorgirl.Spec.Layout.Inverse
public import Razorgirl.Thm.Layout.Complement.Completes

@[expose] public section

/-!
# Coordinates as sums over modes: lemmas

Index and offset are both sums over the modes: of coordinate × first index, and of coordinate × stride. A sum
does not depend on the order of the modes, so sorting the modes (left inverse) or taking them along a chain of
strides (right inverse) changes neither.
-/

namespace Razorgirl

namespace FlatLayout

/-- The sum of `f` over a list of starts. -/
def total (f : Start → Nat) : List Start → Nat
  | [] => 0
  | p :: ps => f p + total f ps

theorem total_perm {f : Start → Nat} {ps qs : List Start} (h : ps.Perm qs) : total f ps = total f qs := by
  induction h with
  | nil => rfl
  | cons p _ ih => rw [total, total, ih]
  | swap p q ps => simp only [total]; omega
  | trans _ _ h1 h2 => exact h1.trans h2

theorem total_congr {f g : Start → Nat} {ps : List Start} (h : ∀ p ∈ ps, f p = g p) :
    total f ps = total g ps := by
  induction ps with
  | nil => rfl
  | cons p ps ih => rw [total, total, h p (by simp), ih fun q hq => h q (by simp [hq])]

theorem total_filter {f : Start → Nat} {c : Start → Bool} {ps : List Start}
    (h : ∀ p ∈ ps, c p = false → f p = 0) : total f (ps.filter c) = total f ps := by
  induction ps with
  | nil => rfl
  | cons p ps ih =>
    have ih := ih fun q hq => h q (by simp [hq])
    rw [List.filter_cons, total]
    split
    · rw [total, ih]
    · rename_i hc
      rw [ih, h p (by simp) (by simpa using hc), Nat.zero_add]

/-! ## Starts -/

theorem mode_mem_of_mem_starts {r : Nat} {L : FlatLayout} {p : Start} (h : p ∈ starts r L) : p.mode ∈ L := by
  induction L generalizing r with
  | nil => simp [starts] at h
  | cons m L ih =>
    rcases List.mem_cons.1 h with rfl | h
    · exact List.mem_cons_self
    · exact List.mem_cons_of_mem _ (ih h)

theorem map_mode_starts (r : Nat) (L : FlatLayout) : (starts r L).map Start.mode = L := by
  induction L generalizing r with
  | nil => rfl
  | cons m L ih => rw [starts, List.map_cons, ih]

theorem index_starts (r : Nat) (L : FlatLayout) : (starts r L).map Start.index = runningProducts r (shape L) := by
  induction L generalizing r with
  | nil => rfl
  | cons m L ih => rw [starts, List.map_cons, ih, shape_cons, runningProducts, Nat.mul_comm]

theorem extent_pos_of_mem_starts {r : Nat} {L : FlatLayout} (hv : Valid L) {p : Start} (h : p ∈ starts r L) :
    0 < p.mode.extent := (valid_iff_forall L).1 hv _ (mode_mem_of_mem_starts h)

/-- The coordinate of the linear index `x` in the mode that starts at `p`. -/
def startDigit (x : Nat) (p : Start) : Nat := x / p.index % p.mode.extent

theorem place_lt {r : Nat} {L : FlatLayout} (hv : Valid L) (x : Nat) {p : Start} (h : p ∈ starts r L) :
    startDigit x p < p.mode.extent := Nat.mod_lt _ (extent_pos_of_mem_starts hv h)

theorem total_place_stride (r : Nat) (L : FlatLayout) (x : Nat) :
    total (fun p => startDigit x p * p.mode.stride) (starts r L) = atIndex L (x / r) := by
  induction L generalizing r with
  | nil => rfl
  | cons m L ih => rw [starts, total, ih, atIndex_cons, Nat.div_div_eq_div_mul, startDigit]

theorem total_place_index (r : Nat) (L : FlatLayout) (x : Nat) :
    total (fun p => startDigit x p * p.index) (starts r L) = r * (x / r % size L) := by
  induction L generalizing r with
  | nil => rw [starts, total, size_nil, Nat.mod_one, Nat.mul_zero]
  | cons m L ih =>
    rw [starts, total, ih, size_cons, Nat.mod_mul, Nat.div_div_eq_div_mul, startDigit, Nat.mul_add,
      Nat.mul_comm _ r, Nat.mul_assoc]

theorem total_place_index_of_lt {L : FlatLayout} {x : Nat} (hx : x < size L) :
    total (fun p => startDigit x p * p.index) (starts 1 L) = x := by
  rw [total_place_index, Nat.div_one, Nat.mod_eq_of_lt hx, Nat.one_mul]

/-- Any coordinates within bounds belong to a linear index. -/
theorem exists_index {r : Nat} {L : FlatLayout} (w : Start → Nat)
    (h : ∀ p ∈ starts r L, w p < p.mode.extent) :
    ∃ k, k < size L ∧ total (fun p => w p * p.index) (starts r L) = r * k ∧
      atIndex L k = total (fun p => w p * p.mode.stride) (starts r L) := by
  induction L generalizing r with
  | nil => exact ⟨0, by simp [size_nil], rfl, rfl⟩
  | cons m L ih =>
    obtain ⟨k, hk, e1, e2⟩ := ih (r := r * m.extent) fun p hp => h p (List.mem_cons_of_mem _ hp)
    have h0 : w ⟨m, r⟩ < m.extent := h ⟨m, r⟩ List.mem_cons_self
    refine ⟨w ⟨m, r⟩ + m.extent * k, ?_, ?_, ?_⟩
    · have := Nat.mul_le_mul_left m.extent hk
      rw [Nat.mul_succ] at this
      rw [size_cons]
      omega
    · rw [starts, total, e1]
      grind
    · rw [starts, total, atIndex_cons, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt h0,
        Nat.add_mul_div_left _ _ (by omega), Nat.div_eq_of_lt h0, Nat.zero_add, e2]

/-! ## Sorting starts -/

theorem insertStart_perm (p : Start) (ps : List Start) : (insertStart p ps).Perm (p :: ps) := by
  induction ps with
  | nil => exact .refl _
  | cons q ps ih =>
    simp only [insertStart]
    split
    · exact .refl _
    · exact (ih.cons q).trans (.swap p q ps)

theorem sortStarts_perm (ps : List Start) : (sortStarts ps).Perm ps := by
  induction ps with
  | nil => exact .refl _
  | cons p ps ih => exact (insertStart_perm p _).trans (ih.cons p)

theorem map_mode_insertStart (p : Start) (ps : List Start) :
    (insertStart p ps).map Start.mode = insert p.mode (ps.map Start.mode) := by
  induction ps with
  | nil => rfl
  | cons q ps ih =>
    simp only [insertStart, List.map_cons, insert]
    split
    · rfl
    · rw [List.map_cons, ih]

theorem map_mode_sortStarts (ps : List Start) :
    (sortStarts ps).map Start.mode = sort (ps.map Start.mode) := by
  induction ps with
  | nil => rfl
  | cons p ps ih => rw [sortStarts, map_mode_insertStart, ih, List.map_cons, sort]

theorem map_mode_moving (L : FlatLayout) : (moving L).map Start.mode = squeeze L := by
  rw [squeeze_eq_filter, ← map_mode_starts 1 L, moving, List.filter_map, map_mode_starts]
  rfl

theorem map_mode_sortStarts_moving (L : FlatLayout) : (sortStarts (moving L)).map Start.mode = chain L := by
  rw [map_mode_sortStarts, map_mode_moving, chain]

theorem mem_moving {L : FlatLayout} {p : Start} : p ∈ moving L ↔ p ∈ starts 1 L ∧ p.mode.extent ≠ 1 := by
  simp [moving]

theorem place_eq_zero {x : Nat} {p : Start} (h : p.mode.extent = 1) : startDigit x p = 0 := by
  rw [startDigit, h, Nat.mod_one]

theorem total_moving (w : Start → Nat) (f : Start → Nat) {L : FlatLayout}
    (h : ∀ p ∈ starts 1 L, p.mode.extent = 1 → w p = 0) :
    total (fun p => w p * f p) (moving L) = total (fun p => w p * f p) (starts 1 L) :=
  total_filter fun p hp hc => by rw [h p hp (by simpa using hc), Nat.zero_mul]

end FlatLayout

end Razorgirl
