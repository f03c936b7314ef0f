module

public import Razorgirl.Thm.Int.Ceil

@[expose] public section

/-!
# Division of natural numbers, as layouts use it

Extents, strides and indices are natural numbers, and for these Lean's `/` and `%` are all divisions at once
(see `implementations_agree`), except rounding up, `ceilDiv`. The theorems keep the numbers of the Euclidean
ones. Divisors may be 0 unless a hypothesis says otherwise; side conditions on signs are gone.
-/

namespace Razorgirl.Division

/-! ## Remainders -/

/-- **A number below the divisor is its own remainder, and its quotient is 0.**
Source: nvFuser 2.5 -/
theorem nat_mod_div_of_lt {r a : Nat} (h : r < a) : r % a = r ∧ r / a = 0 :=
  ⟨Nat.mod_eq_of_lt h, Nat.div_eq_of_lt h⟩

/-- **A multiple of the divisor can be dropped under a remainder of natural numbers.**
Source: nvFuser 2.7.1 -/
theorem nat_add_mod_of_dvd {a c : Nat} (b : Nat) (h : c ∣ a) : (a + b) % c = b % c := by
  obtain ⟨k, rfl⟩ := h
  simp

/-- **What is less than the greatest common divisor of `a` and `c` neither carries into the remainder by `c` nor
changes the quotient.**
Source: nvFuser 2.7.2, 2.15.2 -/
theorem nat_add_of_lt_gcd {a b c : Nat} (h : b < Nat.gcd a c) :
    (a + b) % c = a % c + b ∧ (a + b) / c = a / c := by
  have h1 := add_emod_of_lt_gcd (a := a) (b := b) (c := c) (by omega) (by rw [Int.gcd_natCast_natCast]; omega)
  have h2 := add_ediv_of_lt_gcd (a := a) (b := b) (c := c) (by omega) (by rw [Int.gcd_natCast_natCast]; omega)
  exact ⟨by exact_mod_cast h1, by exact_mod_cast h2⟩

/-! ## Quotients -/

/-- **Natural numbers divide by a product one factor after the other.**
Source: nvFuser 2.11 -/
theorem nat_div_mul (a b c : Nat) : a / (b * c) = a / b / c := (Nat.div_div_eq_div_mul a b c).symm

/-- **The remainder by a product is the first digit plus the first factor times the second digit.**
Source: nvFuser 2.12 -/
theorem nat_mod_mul (a b c : Nat) : a % (b * c) = a % b + a / b % c * b := by
  rw [Nat.mod_mul, Nat.mul_comm b]

/-- **A common divisor can be taken out of a remainder of natural numbers.**
Source: nvFuser 2.13 -/
theorem nat_mod_of_dvd {a b d : Nat} (ha : d ∣ a) (hb : d ∣ b) : a % b = a / d % (b / d) * d := by
  have h := emod_of_dvd (a := a) (b := b) (d := d) (by omega) (Int.natCast_dvd_natCast.2 ha)
    (Int.natCast_dvd_natCast.2 hb)
  exact_mod_cast h

/-- **Dividing a natural number by a quotient without remainder is multiplying by its divisor first.**
Source: nvFuser 2.14 -/
theorem nat_div_div_of_dvd {b c : Nat} (a : Nat) (h : c ∣ b) : a / (b / c) = a * c / b := by
  have h := ediv_ediv_of_dvd (b := b) (c := c) a (by omega) (Int.natCast_dvd_natCast.2 h)
  exact_mod_cast h

/-- **A quotient of a sum of natural numbers is the sum of the quotients exactly if the remainders do not carry.**
Source: nvFuser 2.15 (and its converse; ours) -/
theorem nat_add_div_iff {a b c : Nat} (hc : 0 < c) : (a + b) / c = a / c + b / c ↔ a % c + b % c < c := by
  have h := add_ediv_iff (a := a) (b := b) (c := c) (by omega)
  simp only [Int.natAbs_natCast] at h
  exact_mod_cast h

/-- **A bound on a quotient of natural numbers is a bound on the dividend.**
Source: nvFuser 2.16 -/
theorem nat_div_lt_iff {i d D : Nat} (hd : 0 < d) : i / d < D ↔ i < D * d := Nat.div_lt_iff_lt_mul hd

/-! ## Rounding up -/

/-- **Numbers of tiles of tiles multiply.**
Source: nvFuser 5.11 -/
theorem ceilDiv_mul (a b c : Nat) : ceilDiv a (b * c) = ceilDiv (ceilDiv a b) c := by
  have h := cdiv_mul (c := c) a b (by omega)
  rw [cdiv_natCast, cdiv_natCast, ← Int.natCast_mul, cdiv_natCast] at h
  exact_mod_cast h

/-- **`K` tiles of `d` suffice for `a` elements exactly when `a ≤ K·d`.**
Source: nvFuser `ceilDiv` (used without a number) -/
theorem ceilDiv_le_iff {a d K : Nat} (hd : 0 < d) : ceilDiv a d ≤ K ↔ a ≤ K * d := by
  have h := cdiv_le_iff (a := a) (d := d) (K := K) (by omega)
  rw [cdiv_natCast] at h
  exact_mod_cast h

theorem lt_ceilDiv_iff {b : Nat} (hb : 0 < b) (k a : Nat) : k < ceilDiv a b ↔ k * b < a := by
  have := ceilDiv_le_iff (a := a) (K := k) hb
  omega

theorem ceilDiv_pos {a b : Nat} (ha : 0 < a) (hb : 0 < b) : 0 < ceilDiv a b := by
  rw [lt_ceilDiv_iff hb]; omega

theorem le_mul_ceilDiv {a b : Nat} (hb : 0 < b) : a ≤ b * ceilDiv a b := by
  rw [Nat.mul_comm]
  exact (ceilDiv_le_iff hb).1 (Nat.le_refl _)

theorem ceilDiv_of_le {a b : Nat} (ha : 0 < a) (h : a ≤ b) : ceilDiv a b = 1 :=
  Nat.le_antisymm ((ceilDiv_le_iff (by omega)).2 (by omega)) (ceilDiv_pos ha (by omega))

theorem ceilDiv_one (a : Nat) : ceilDiv a 1 = a := by simp [ceilDiv]

/-- **Without a remainder, the number of tiles is the quotient.**
Source: nvFuser `ceilDiv` (used without a number) -/
theorem ceilDiv_of_dvd {a d : Nat} (h : d ∣ a) : ceilDiv a d = a / d := by
  have h := cdiv_of_dvd (a := a) (d := d) (Int.natCast_dvd_natCast.2 h)
  rw [cdiv_natCast] at h
  exact_mod_cast h

/-- **The tiles cover all elements, and only the last one can be cut.**
Source: nvFuser `ceilDiv` (used without a number) -/
theorem ceilDiv_mul_bounds {d : Nat} (N : Nat) (hd : 0 < d) : N ≤ ceilDiv N d * d ∧ ceilDiv N d * d < N + d := by
  have h := cdiv_mul_bounds (d := d) N (by omega)
  rw [cdiv_natCast] at h
  exact_mod_cast h

/-- **The tile of a valid index is below the number of tiles.**
Source: nvFuser `ceilDiv` (used without a number) -/
theorem nat_div_lt_ceilDiv {i N d : Nat} (hd : 0 < d) (h : i < N) : i / d < ceilDiv N d := by
  rw [nat_div_lt_iff hd]
  have := ceilDiv_mul_bounds N hd
  omega

/-- **A whole number of tiles can be counted apart from the rest.**
Source: nvFuser `ceilDiv` (used without a number) -/
theorem add_ceilDiv_of_dvd {a c : Nat} (b : Nat) (h : c ∣ a) : ceilDiv (a + b) c = a / c + ceilDiv b c := by
  have h := add_cdiv_of_dvd (a := a) (c := c) b (Int.natCast_dvd_natCast.2 h)
  rw [cdiv_natCast, ← Int.natCast_add, cdiv_natCast] at h
  exact_mod_cast h

end Razorgirl.Division
