module

public import Razorgirl.Spec.Tma.Swizzle

@[expose] public section

/-!
# The swizzle of TMA tiles: what is proved

The three forms are one function; it permutes the units of each row and nothing else; and a column is read without
bank conflicts. Everything repeats after 1024 bytes, so that the finite part is checked by evaluation.
-/

namespace Razorgirl

namespace Tma

/-! ## Period -/

theorem xor_period {q r x : Nat} (hr : r < 1024) (hx : x < 1024) : (1024 * q + r) ^^^ x = 1024 * q + (r ^^^ x) := by
  have hrx : r ^^^ x < 2 ^ 10 := Nat.xor_lt_two_pow (by omega) (by omega)
  refine Nat.eq_of_testBit_eq fun j => ?_
  rw [Nat.testBit_xor, show (1024 : Nat) = 2 ^ 10 from rfl, Nat.testBit_two_pow_mul_add _ (by omega),
    Nat.testBit_two_pow_mul_add _ hrx]
  split
  · rw [Nat.testBit_xor]
  · rw [Nat.testBit_lt_two_pow (x := x) (Nat.lt_of_lt_of_le (show x < 2 ^ 10 by omega)
      (Nat.pow_le_pow_right (by omega) (by omega)))]
    simp

theorem and_period {q y m : Nat} (hy : y < 128) (hm : m < 128) : (128 * q + y) &&& m = y &&& m := by
  refine Nat.eq_of_testBit_eq fun j => ?_
  rw [Nat.testBit_and, Nat.testBit_and, show (128 : Nat) = 2 ^ 7 from rfl, Nat.testBit_two_pow_mul_add _ (by omega)]
  split
  · rfl
  · rw [Nat.testBit_lt_two_pow (x := m) (Nat.lt_of_lt_of_le (show m < 2 ^ 7 by omega)
      (Nat.pow_le_pow_right (by omega) (by omega)))]
    simp

theorem swizzleAddress_period (m : SwizzleMode) (q : Nat) {r : Nat} (hr : r < 1024) :
    swizzleAddress m (1024 * q + r) = 1024 * q + swizzleAddress m r := by
  have hm : 16 * (m.units - 1) < 128 := by cases m <;> decide
  have h₁ : (1024 * q + r) >>> 3 = 128 * q + r / 8 := by rw [Nat.shiftRight_eq_div_pow]; omega
  have h₂ : r >>> 3 = r / 8 := by rw [Nat.shiftRight_eq_div_pow]
  have h₃ : (r / 8) &&& (16 * (m.units - 1)) < 1024 := Nat.lt_of_le_of_lt Nat.and_le_right (by omega)
  rw [swizzleAddress, swizzleAddress, h₁, h₂, and_period (by omega) hm, xor_period hr h₃]

theorem swizzleXor_period (m : SwizzleMode) (q r : Nat) :
    swizzleXor m (1024 * q + r) = 1024 * q + swizzleXor m r := by
  have h₀ : (1024 * q + r) / 128 = 8 * q + r / 128 := by omega
  have h₁ : (1024 * q + r) % 16 = r % 16 := by omega
  have h₂ : (1024 * q + r) / m.bytes % (8 / m.units) = r / m.bytes % (8 / m.units) := by
    cases m <;> simp only [SwizzleMode.bytes, SwizzleMode.units, SwizzleMode.bits] <;> omega
  have h₃ : (1024 * q + r) / 16 % m.units = r / 16 % m.units := by
    cases m <;> simp only [SwizzleMode.units, SwizzleMode.bits] <;> omega
  have h₄ : (8 * q + r / 128) % m.units = r / 128 % m.units := by
    cases m <;> simp only [SwizzleMode.units, SwizzleMode.bits] <;> omega
  rw [swizzleXor, swizzleXor, h₀, h₁, h₂, h₃, h₄, place, place]
  omega

theorem swapUp_period {n : Nat} (hn : n ≤ 3) (q i j : Nat) : swapUp n (8 * q + i) j = swapUp n i j := by
  induction n with
  | zero => rfl
  | succ n ih =>
    have h : (8 * q + i) / 2 ^ n % 2 = i / 2 ^ n % 2 := by
      obtain rfl | rfl | rfl : n = 0 ∨ n = 1 ∨ n = 2 := by omega
      all_goals omega
    rw [swapUp, swapUp, ih (by omega), swapPairs, swapPairs, h]

theorem swizzleSteps_period (m : SwizzleMode) (q r : Nat) :
    swizzleSteps m (1024 * q + r) = 1024 * q + swizzleSteps m r := by
  have h₀ : (1024 * q + r) / 128 = 8 * q + r / 128 := by omega
  have h₁ : (1024 * q + r) % 16 = r % 16 := by omega
  have h₂ : (1024 * q + r) / m.bytes % (8 / m.units) = r / m.bytes % (8 / m.units) := by
    cases m <;> simp only [SwizzleMode.bytes, SwizzleMode.units, SwizzleMode.bits] <;> omega
  have h₃ : (1024 * q + r) / 16 % m.units = r / 16 % m.units := by
    cases m <;> simp only [SwizzleMode.units, SwizzleMode.bits] <;> omega
  have h₄ : m.bits ≤ 3 := by cases m <;> decide
  rw [swizzleSteps, swizzleSteps, h₀, h₁, h₂, h₃, swapUp_period h₄, place, place]
  omega

/-- What holds below 1024 and repeats holds everywhere. -/
theorem forall_of_period {P : Nat → Prop} (h : ∀ r, r < 1024 → P r) (hP : ∀ q r, r < 1024 → P r → P (1024 * q + r))
    (a : Nat) : P a := by
  have := hP (a / 1024) (a % 1024) (Nat.mod_lt _ (by decide)) (h _ (Nat.mod_lt _ (by decide)))
  rwa [Nat.div_add_mod] at this

/-! ## One function -/

theorem swizzle_forms_below (m : SwizzleMode) : ∀ r, r < 1024 →
    swizzleXor m r = swizzleAddress m r ∧ swizzleSteps m r = swizzleAddress m r := by
  cases m <;> decide +kernel

/-- **The exclusive or of unit row and unit is the bit formula on addresses: `addr xor ((addr >> 3) & mask)` with mask
0x10, 0x30 or 0x70, at every address.**
Rust: `razorgirl::tma::Swizzle::apply`
Source: nvFuser TMA tutorial, data swizzle; CuTe `Swizzle<1|2|3,4,3>` -/
theorem swizzleXor_eq (m : SwizzleMode) (a : Nat) : swizzleXor m a = swizzleAddress m a := by
  refine forall_of_period (fun r hr => (swizzle_forms_below m r hr).1) (fun q r hr h => ?_) a
  rw [swizzleXor_period, swizzleAddress_period m q hr, h]

/-- **The procedure of swapping pairs, then pairs of pairs, is the same function.**
Rust: `razorgirl::tma::Swizzle::apply`
Source: nvFuser TMA tutorial, data swizzle -/
theorem swizzleSteps_eq (m : SwizzleMode) (a : Nat) : swizzleSteps m a = swizzleAddress m a := by
  refine forall_of_period (fun r hr => (swizzle_forms_below m r hr).2) (fun q r hr h => ?_) a
  rw [swizzleSteps_period, swizzleAddress_period m q hr, h]

/-! ## What it permutes -/

theorem swizzle_below (m : SwizzleMode) : ∀ r, r < 1024 → swizzleAddress m r < 1024 ∧
    swizzleAddress m (swizzleAddress m r) = r ∧ swizzleAddress m r / m.bytes = r / m.bytes ∧
    swizzleAddress m r % 16 = r % 16 := by
  cases m <;> decide +kernel

/-- **Swizzling twice changes nothing, so no two bytes share an address and none is left out.**
Rust: `razorgirl::tma::Swizzle::apply`
Source: nvFuser TMA tutorial, data swizzle -/
theorem swizzle_involutive (m : SwizzleMode) (a : Nat) : swizzleAddress m (swizzleAddress m a) = a := by
  refine forall_of_period (fun r hr => (swizzle_below m r hr).2.1) (fun q r hr h => ?_) a
  rw [swizzleAddress_period m q hr, swizzleAddress_period m q (swizzle_below m r hr).1, h]

/-- **Every byte stays in its row of N bytes, and at its place in its unit of 16 bytes: reading a row meets the banks
that it met before.**
Rust: `razorgirl::tma::Swizzle::apply`
Source: nvFuser TMA tutorial, data swizzle -/
theorem swizzle_row (m : SwizzleMode) (a : Nat) :
    swizzleAddress m a / m.bytes = a / m.bytes ∧ swizzleAddress m a % 16 = a % 16 := by
  refine forall_of_period (P := fun a => swizzleAddress m a / m.bytes = a / m.bytes ∧
    swizzleAddress m a % 16 = a % 16) (fun r hr => (swizzle_below m r hr).2.2) (fun q r hr h => ?_) a
  obtain ⟨h₁, h₂⟩ := h
  show swizzleAddress m (1024 * q + r) / _ = _ ∧ swizzleAddress m (1024 * q + r) % 16 = _
  rw [swizzleAddress_period m q hr]
  cases m <;> simp only [SwizzleMode.bytes, SwizzleMode.units, SwizzleMode.bits] at h₁ ⊢ <;> omega

/-! ## Banks -/

theorem columnBanks_period (m : SwizzleMode) (k j : Nat) : columnBanks m k j = columnBanks m (k % 8) j := by
  refine List.map_congr_left fun r _ => ?_
  have h (x : Nat) : bankGroup (swizzleAddress m x) = bankGroup (swizzleAddress m (x % 1024)) := by
    have := swizzleAddress_period m (x / 1024) (Nat.mod_lt x (by decide : 0 < 1024))
    rw [Nat.div_add_mod] at this
    rw [this, bankGroup, bankGroup]
    omega
  rw [h, h (m.bytes * (8 * (k % 8) + r) + 16 * j)]
  have : (m.bytes * (8 * k + r) + 16 * j) % 1024 = (m.bytes * (8 * (k % 8) + r) + 16 * j) % 1024 := by
    cases m <;> simp only [SwizzleMode.bytes, SwizzleMode.units, SwizzleMode.bits] <;> omega
  rw [this]

theorem columnBanks_below (m : SwizzleMode) : ∀ k, k < 8 → ∀ j, j < m.units → (columnBanks m k j).Nodup := by
  cases m <;> decide +kernel

/-- **Reading one 16-byte column of eight aligned consecutive rows meets eight different groups of banks, in every
mode: no conflict.**
Rust: `razorgirl::tma::Swizzle::apply`
Source: nvFuser TMA tutorial, data swizzle -/
theorem columnBanks_nodup (m : SwizzleMode) (k : Nat) {j : Nat} (hj : j < m.units) : (columnBanks m k j).Nodup := by
  rw [columnBanks_period m k j]
  exact columnBanks_below m _ (Nat.mod_lt _ (by decide)) j hj

end Tma

end Razorgirl
