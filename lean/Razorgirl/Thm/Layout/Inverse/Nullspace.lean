module

public import Razorgirl.Thm.Layout.Inverse.Digits

@[expose] public section

/-!
# Nullspace: what is proved

The nullspace lists, each once, exactly the indices that the layout sends to offset 0.
-/

namespace Razorgirl

namespace FlatLayout

/-- `nullspace` from linear index `r` on. -/
def nulls (r : Nat) : FlatLayout → FlatLayout
  | [] => []
  | m :: L =>
    if m.extent ≠ 1 ∧ m.stride = 0 then ⟨m.extent, r⟩ :: nulls (r * m.extent) L else nulls (r * m.extent) L

theorem nulls_eq (r : Nat) (L : FlatLayout) : nulls r L =
    (((starts r L).filter fun p => p.mode.extent != 1).filter fun p => p.mode.stride == 0).map
      fun p => ⟨p.mode.extent, p.index⟩ := by
  induction L generalizing r with
  | nil => rfl
  | cons m L ih =>
    rw [nulls, ih, List.filter_filter, List.filter_filter, starts, List.filter_cons]
    have : ((m.stride == 0) && (m.extent != 1)) = decide (m.extent ≠ 1 ∧ m.stride = 0) := by
      rw [Bool.eq_iff_iff]
      simp [and_comm]
    simp only [this, decide_eq_true_eq]
    split <;> rfl

theorem nullspace_eq (L : FlatLayout) : nullspace L = nulls 1 L := (nulls_eq 1 L).symm

theorem atIndex_cons_add (m : Mode) (L : FlatLayout) {a : Nat} (k : Nat) (ha : a < m.extent) :
    atIndex (m :: L) (a + m.extent * k) = a * m.stride + atIndex L k := by
  rw [atIndex_cons, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt ha, Nat.add_mul_div_left _ _ (by omega),
    Nat.div_eq_of_lt ha, Nat.zero_add]

theorem add_lt_size_cons (m : Mode) (L : FlatLayout) {a k : Nat} (ha : a < m.extent) (hk : k < size L) :
    a + m.extent * k < size (m :: L) := by
  have := Nat.mul_le_mul_left m.extent hk
  rw [Nat.mul_succ] at this
  rw [size_cons]
  omega

theorem div_lt_size {m : Mode} {L : FlatLayout} {x : Nat} (hx : x < size (m :: L)) : x / m.extent < size L :=
  Nat.div_lt_of_lt_mul (by rwa [size_cons] at hx)

theorem nulls_spec {r : Nat} {L : FlatLayout} (hv : Valid L) {i : Nat} (hi : i < size (nulls r L)) :
    ∃ k, k < size L ∧ atIndex (nulls r L) i = r * k ∧ atIndex L k = 0 := by
  induction L generalizing r i with
  | nil => exact ⟨0, by simp [size_nil], rfl, rfl⟩
  | cons m L ih =>
    rw [nulls] at hi ⊢
    split at hi
    · rename_i hc
      rw [if_pos hc]
      obtain ⟨k, hk, e1, e2⟩ := ih hv.2 (div_lt_size hi)
      have ha := Nat.mod_lt i hv.1
      refine ⟨i % m.extent + m.extent * k, add_lt_size_cons m L ha hk, ?_, ?_⟩
      · rw [atIndex_cons, e1]
        grind
      · rw [atIndex_cons_add m L k ha, hc.2, e2, Nat.mul_zero]
    · rename_i hc
      rw [if_neg hc]
      obtain ⟨k, hk, e1, e2⟩ := ih hv.2 hi
      refine ⟨0 + m.extent * k, add_lt_size_cons m L hv.1 hk, ?_, ?_⟩
      · rw [e1, Nat.zero_add, Nat.mul_assoc]
      · rw [atIndex_cons_add m L k hv.1, e2, Nat.zero_mul]

theorem exists_nulls {r : Nat} {L : FlatLayout} (hv : Valid L) {k : Nat} (hk : k < size L)
    (h : atIndex L k = 0) : ∃ i, i < size (nulls r L) ∧ atIndex (nulls r L) i = r * k := by
  induction L generalizing r k with
  | nil =>
    rw [size_nil] at hk
    exact ⟨0, by simp [nulls, size_nil], by rw [atIndex_zero, show k = 0 by omega, Nat.mul_zero]⟩
  | cons m L ih =>
    rw [atIndex_cons] at h
    obtain ⟨i, hi, e⟩ := ih (r := r * m.extent) hv.2 (div_lt_size hk) (by omega)
    have ha := Nat.mod_lt k hv.1
    have hd := Nat.div_add_mod k m.extent
    rw [nulls]
    split
    · refine ⟨k % m.extent + m.extent * i, add_lt_size_cons ⟨m.extent, r⟩ _ ha hi, ?_⟩
      rw [atIndex_cons_add ⟨m.extent, r⟩ _ i ha, e]
      simp only
      generalize k % m.extent = c at *
      generalize k / m.extent = q at *
      rw [← hd]
      grind
    · rename_i hc
      refine ⟨i, hi, ?_⟩
      have h0 : k % m.extent = 0 := by
        rcases Decidable.em (m.extent = 1) with h1 | h1
        · rw [h1, Nat.mod_one]
        · have h2 : 0 < m.stride := Nat.pos_of_ne_zero fun h2 => hc ⟨h1, h2⟩
          exact (Nat.mul_eq_zero.1 (show k % m.extent * m.stride = 0 by omega)).resolve_right (by omega)
      rw [e, Nat.mul_assoc]
      congr 1
      omega

theorem nulls_injective {r : Nat} {L : FlatLayout} (hr : 0 < r) (hv : Valid L) {i j : Nat}
    (hi : i < size (nulls r L)) (hj : j < size (nulls r L)) (e : atIndex (nulls r L) i = atIndex (nulls r L) j) :
    i = j := by
  induction L generalizing r i j with
  | nil =>
    simp only [nulls, size_nil] at hi hj
    omega
  | cons m L ih =>
    have hrm := Nat.mul_pos hr hv.1
    rw [nulls] at hi hj e
    split at hi
    · rename_i hc
      rw [if_pos hc] at hj e
      have hi' := div_lt_size hi
      have hj' := div_lt_size hj
      obtain ⟨k, _, e1, _⟩ := nulls_spec hv.2 hi'
      obtain ⟨l, _, e2, _⟩ := nulls_spec hv.2 hj'
      rw [atIndex_cons, atIndex_cons, e1, e2] at e
      simp only at e hi' hj' e1 e2
      have hmi := Nat.mod_lt i hv.1
      have hmj := Nat.mod_lt j hv.1
      have e3 : i % m.extent + m.extent * k = j % m.extent + m.extent * l :=
        Nat.eq_of_mul_eq_mul_left hr (by grind)
      have e4 := congrArg (· % m.extent) e3
      simp only [Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hmi, Nat.mod_eq_of_lt hmj] at e4
      have e5 : m.extent * k = m.extent * l := by omega
      have e6 := ih hrm hv.2 hi' hj' (by rw [e1, e2, Nat.mul_assoc, Nat.mul_assoc, e5])
      rw [← Nat.div_add_mod i m.extent, ← Nat.div_add_mod j m.extent, e4, e6]
    · rename_i hc
      rw [if_neg hc] at hj e
      exact ih hrm hv.2 hi hj e

theorem size_nulls (r : Nat) (L : FlatLayout) :
    size (nulls r L) = prod ((List.filter (fun m => m.stride == 0) L).map Mode.extent) := by
  induction L generalizing r with
  | nil => rfl
  | cons m L ih =>
    rw [nulls, List.filter_cons]
    by_cases h1 : m.extent = 1 <;> by_cases h2 : m.stride = 0 <;>
      simp [h1, h2, size_cons, ih, prod]

/-- **The nullspace leads to indices of the layout, and their offset is 0.**
Rust: `razorgirl::Layout::nullspace`
Source: CuTe `nullspace` -/
theorem nullspace_atIndex {L : FlatLayout} (hv : Valid L) {i : Nat} (hi : i < size (nullspace L)) :
    atIndex (nullspace L) i < size L ∧ atIndex L (atIndex (nullspace L) i) = 0 := by
  rw [nullspace_eq] at hi ⊢
  obtain ⟨k, hk, e1, e2⟩ := nulls_spec hv hi
  rw [e1, Nat.one_mul]
  exact ⟨hk, e2⟩

/-- **The nullspace leads to every index of offset 0.**
Rust: `razorgirl::Layout::nullspace`
Source: CuTe `nullspace` -/
theorem exists_nullspace_index {L : FlatLayout} (hv : Valid L) {x : Nat} (hx : x < size L)
    (h : atIndex L x = 0) : ∃ i, i < size (nullspace L) ∧ atIndex (nullspace L) i = x := by
  rw [nullspace_eq]
  obtain ⟨i, hi, e⟩ := exists_nulls (r := 1) hv hx h
  exact ⟨i, hi, by rw [e, Nat.one_mul]⟩

/-- **The nullspace leads to no index twice.**
Rust: `razorgirl::Layout::nullspace`
Source: CuTe `nullspace` -/
theorem nullspace_injective {L : FlatLayout} (hv : Valid L) : Injective (nullspace L) := by
  rw [injective_iff_atIndex, nullspace_eq]
  exact fun i j hi hj e => nulls_injective Nat.one_pos hv hi hj e

/-- **The size of the nullspace is the product of the extents of the modes of stride 0.**
Rust: `razorgirl::Layout::nullspace`
Source: CuTe `nullspace` -/
theorem nullspace_size (L : FlatLayout) :
    size (nullspace L) = prod ((List.filter (fun m => m.stride == 0) L).map Mode.extent) := by
  rw [nullspace_eq, size_nulls]

/-- **The nullspace of a valid layout is valid.**
Rust: `razorgirl::Layout::nullspace`
Source: CuTe `nullspace` -/
theorem nullspace_valid {L : FlatLayout} (hv : Valid L) : Valid (nullspace L) := by
  obtain ⟨i, hi, _⟩ := exists_nullspace_index hv hv.size_pos (atIndex_zero L)
  exact valid_of_lt_size hi

end FlatLayout

end Razorgirl
