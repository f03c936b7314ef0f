module

public import Razorgirl.Spec.Int.Euclid

@[expose] public section

/-!
# Euclidean division: what is proved

The theorems of sections 1 and 2 of nvFuser's document on integer division, under their numbers. The source
takes every divisor to be other than 0. Here most statements hold for every divisor, since `a / 0 = 0` and
`a % 0 = a`; where 0 must be excluded, a hypothesis says so. The non-laws 2.1 and 2.2, and what breaks without
a hypothesis, are in `Counterexamples`.
-/

namespace Razorgirl.Division

/-! ## Section 1: the division theorem and congruence -/

theorem isEuclid_ediv {a b : Int} (hb : b ≠ 0) : IsEuclid a b (a / b) (a % b) :=
  ⟨(Int.mul_ediv_add_emod a b).symm, Int.emod_nonneg a hb, Int.emod_lt a hb⟩

theorem IsEuclid.unique {a b q r : Int} (h : IsEuclid a b q r) : q = a / b ∧ r = a % b := by
  obtain ⟨e, h0, h1⟩ := h
  rcases Int.lt_trichotomy b 0 with hb | rfl | hb
  · have := (Int.ediv_emod_unique' (a := a) (r := r) (q := q) hb).2 ⟨by omega, h0, by omega⟩
    exact ⟨this.1.symm, this.2.symm⟩
  · simp at h1; omega
  · have := (Int.ediv_emod_unique (a := a) (r := r) (q := q) hb).2 ⟨by omega, h0, by omega⟩
    exact ⟨this.1.symm, this.2.symm⟩

/-- **Euclidean division gives exactly the numbers with `a = b·q + r` and `0 ≤ r < |b|`, and gives them whenever
the divisor is not 0.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 1.1 -/
theorem euclid_eq_some_iff {a b q r : Int} : euclid a b = some (q, r) ↔ b ≠ 0 ∧ IsEuclid a b q r := by
  unfold euclid
  split
  · simp [*]
  · rename_i hb
    simp only [Option.some.injEq, Prod.mk.injEq]
    constructor
    · rintro ⟨rfl, rfl⟩
      exact ⟨hb, isEuclid_ediv hb⟩
    · intro h
      exact ⟨h.2.unique.1.symm, h.2.unique.2.symm⟩

/-- **For a divisor other than 0 there are a quotient and a remainder in `[0, |b|)`, and only one of each.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 1.1 -/
theorem euclid_exists_unique (a : Int) {b : Int} (hb : b ≠ 0) :
    ∃ q r, IsEuclid a b q r ∧ ∀ q' r', IsEuclid a b q' r' → q' = q ∧ r' = r :=
  ⟨a / b, a % b, isEuclid_ediv hb, fun _ _ h => h.unique⟩

/-- **Quotient times divisor plus remainder is the dividend.**
Rust: `razorgirl::int::euclid`
Source: nvFuser integer division, fundamental equation -/
theorem euclid_fundamental (a b : Int) : a = a / b * b + a % b := by
  rw [Int.mul_comm, Int.mul_ediv_add_emod]

/-- **Every integer is congruent to itself.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 1.2 -/
theorem cong_refl (c a : Int) : Cong c a a := by simp [Cong]

/-- **Congruence can be read from right to left.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 1.2 -/
theorem Cong.symm {c a b : Int} (h : Cong c a b) : Cong c b a := by
  obtain ⟨k, hk⟩ := h
  exact ⟨-k, by rw [Int.mul_neg, ← hk]; omega⟩

/-- **Two numbers congruent to a third are congruent to one another.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 1.2 -/
theorem Cong.trans {c x y z : Int} (h : Cong c x y) (h' : Cong c y z) : Cong c x z := by
  have := Int.dvd_add h h'
  rwa [show x - y + (y - z) = x - z by omega] at this

/-- **The sign of the modulus does not matter to congruence.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 1.3(i) -/
theorem cong_neg_iff {c a b : Int} : Cong c a b ↔ Cong (-c) a b := by simp [Cong, Int.neg_dvd]

/-- **Congruences can be added.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 1.3(ii) -/
theorem Cong.add {c a a' b b' : Int} (h : Cong c a a') (h' : Cong c b b') : Cong c (a + b) (a' + b') := by
  have := Int.dvd_add h h'
  rwa [show a - a' + (b - b') = a + b - (a' + b') by omega] at this

/-- **Congruences can be multiplied.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 1.3(ii) -/
theorem Cong.mul {c a a' b b' : Int} (h : Cong c a a') (h' : Cong c b b') : Cong c (a * b) (a' * b') := by
  have h1 := Int.dvd_add (Int.dvd_trans h (Int.dvd_mul_right _ b)) (Int.dvd_trans h' (Int.dvd_mul_left a' _))
  rw [Int.sub_mul, Int.mul_sub] at h1
  rwa [show a * b - a' * b + (a' * b - a' * b') = a * b - a' * b' by omega] at h1

/-- **A factor without a common divisor with the modulus can be cancelled in a congruence.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 1.3(iii) -/
theorem Cong.cancel {b c d d' : Int} (hg : Int.gcd b c = 1) (h : Cong c (b * d) (b * d')) : Cong c d d' := by
  unfold Cong at h
  rw [← Int.mul_sub] at h
  have h := Int.natAbs_dvd_natAbs.2 h
  rw [Int.natAbs_mul] at h
  exact Int.natAbs_dvd_natAbs.1 (Nat.Coprime.dvd_of_dvd_mul_left (Nat.Coprime.symm hg) h)

/-! ## 2.3–2.9: remainders -/

/-- **Two numbers leave the same remainder exactly when they are congruent.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.3 -/
theorem emod_eq_emod_iff_cong {a a' b : Int} : a % b = a' % b ↔ Cong b a a' := by
  rw [Int.emod_eq_emod_iff_emod_sub_eq_zero, Cong, Int.dvd_iff_emod_eq_zero]

/-- **A number is congruent to its remainder.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.4 -/
theorem cong_emod (a b : Int) : Cong b a (a % b) := ⟨a / b, by have := Int.mul_ediv_add_emod a b; omega⟩

/-- **A number in `[0, |a|)` is its own remainder by `a`, and its quotient is 0.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.5 -/
theorem emod_ediv_of_lt {r a : Int} (h0 : 0 ≤ r) (h1 : r < a.natAbs) : r % a = r ∧ r / a = 0 := by
  have h : IsEuclid r a 0 r := ⟨by simp, h0, h1⟩
  exact ⟨h.unique.2.symm, h.unique.1.symm⟩

/-- **Negating the divisor negates the quotient and keeps the remainder.**
The source's «-a/b» is `-(a/b)`, not `(-a)/b`.
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.6, read as `-(a/b)` -/
theorem ediv_emod_neg (a b : Int) : a / -b = -(a / b) ∧ a % -b = a % b := by simp

/-- **A remainder of a sum can be taken of the remainders.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.7 -/
theorem add_emod_emod (a b c : Int) : (a + b) % c = (a % c + b % c) % c := Int.add_emod a b c

/-- **A multiple of the divisor can be dropped under a remainder.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.7.1 -/
theorem add_emod_of_emod_eq_zero {a c : Int} (b : Int) (h : a % c = 0) : (a + b) % c = b % c := by
  rw [Int.add_emod, h, Int.zero_add, Int.emod_emod]

theorem emod_add_lt_of_lt_gcd {a b c : Int} (hc : c ≠ 0) (h1 : b < Int.gcd a c) : a % c + b < c.natAbs := by
  obtain ⟨k, hk⟩ : (Int.gcd a c : Int) ∣ a % c := by
    rw [Int.emod_def]
    exact Int.dvd_sub (Int.gcd_dvd_left a c) (Int.dvd_mul_of_dvd_left (Int.gcd_dvd_right a c))
  obtain ⟨l, hl⟩ : (Int.gcd a c : Int) ∣ (c.natAbs : Int) := Int.dvd_natAbs.2 (Int.gcd_dvd_right a c)
  have hg : 0 < (Int.gcd a c : Int) := by
    have := Int.gcd_pos_iff (a := a) (b := c) |>.2 (Or.inr hc); omega
  have hlt := Int.emod_lt a hc
  rw [hk, hl] at hlt
  have hkl := Int.lt_of_mul_lt_mul_left hlt (by omega)
  have := Int.mul_le_mul_of_nonneg_left (a := k + 1) (b := l) (c := (Int.gcd a c : Int)) (by omega) (by omega)
  rw [Int.mul_add, Int.mul_one] at this
  omega

theorem isEuclid_add_of_lt_gcd {a b c : Int} (hc : c ≠ 0) (h0 : 0 ≤ b) (h1 : b < Int.gcd a c) :
    IsEuclid (a + b) c (a / c) (a % c + b) :=
  ⟨by have := Int.mul_ediv_add_emod a c; omega, by have := Int.emod_nonneg a hc; omega, emod_add_lt_of_lt_gcd hc h1⟩

/-- **What is less than the greatest common divisor of `a` and `c` passes through a remainder by `c` without a
carry.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.7.2 -/
theorem add_emod_of_lt_gcd {a b c : Int} (h0 : 0 ≤ b) (h1 : b < Int.gcd a c) : (a + b) % c = a % c + b := by
  by_cases hc : c = 0
  · simp [hc]
  · exact (isEuclid_add_of_lt_gcd hc h0 h1).unique.2.symm

/-- **A remainder of a product can be taken of the remainders.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.8 -/
theorem mul_emod_emod (a b c : Int) : (a * b) % c = ((a % c) * (b % c)) % c := Int.mul_emod a b c

/-- **A multiple leaves no remainder.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.9 -/
theorem emod_eq_zero_of_dvd {a b : Int} (h : b ∣ a) : a % b = 0 := Int.emod_eq_zero_of_dvd h

/-! ## 2.10–2.16: quotients -/

/-- **A product can be divided in the factor that is a multiple of the divisor.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.10 -/
theorem mul_ediv_of_dvd {b c : Int} (a : Int) (h : c ∣ b) : a * (b / c) = a * b / c := (Int.mul_ediv_assoc a h).symm

/-- **Dividing by a product is dividing by one factor after the other, the first being at least 0.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.11 -/
theorem ediv_mul {b : Int} (a c : Int) (hb : 0 ≤ b) : a / (b * c) = a / b / c := (Int.ediv_ediv_of_nonneg hb).symm

/-- **The remainder by a product is that by the first factor, plus the first factor times the remainder of the
quotient by the second: the digits of a mixed radix.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.12 -/
theorem emod_mul {b : Int} (a c : Int) (hb : 0 ≤ b) : a % (b * c) = a % b + a / b % c * b := by
  have h := ediv_mul a c hb
  rw [Int.emod_def, Int.emod_def, Int.emod_def, h]
  grind

/-- **A common divisor can be taken out of a remainder.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.13 -/
theorem emod_of_dvd {a b d : Int} (hd : 0 ≤ d) (ha : d ∣ a) (hb : d ∣ b) : a % b = a / d % (b / d) * d := by
  obtain ⟨a, rfl⟩ := ha
  obtain ⟨b, rfl⟩ := hb
  by_cases h : d = 0
  · simp [h]
  · rw [Int.mul_emod_mul_of_pos a b (by omega), Int.mul_ediv_cancel_left _ h, Int.mul_ediv_cancel_left _ h,
      Int.mul_comm]

/-- **Dividing by a quotient without remainder is multiplying by its divisor first.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.14 -/
theorem ediv_ediv_of_dvd {b c : Int} (a : Int) (hc : 0 ≤ c) (h : c ∣ b) : a / (b / c) = a * c / b := by
  obtain ⟨b, rfl⟩ := h
  by_cases h : c = 0
  · simp [h]
  · rw [Int.mul_ediv_cancel_left _ h, Int.mul_comm a c, Int.mul_ediv_mul_of_pos a b (by omega)]

/-- **A quotient of a sum is the sum of the quotients if the remainders do not carry.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.15 -/
theorem add_ediv_of_lt {a b c : Int} (h : a % c + b % c < c.natAbs) : (a + b) / c = a / c + b / c := by
  by_cases hc : c = 0
  · simp [hc]
  · rw [Int.add_ediv hc, if_neg (by omega), Int.add_zero]

/-- **A quotient of a sum is the sum of the quotients only if the remainders do not carry.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.15 (the converse; ours) -/
theorem add_ediv_iff {a b c : Int} (hc : c ≠ 0) :
    (a + b) / c = a / c + b / c ↔ a % c + b % c < c.natAbs := by
  refine ⟨fun h => ?_, add_ediv_of_lt⟩
  rw [Int.add_ediv hc] at h
  split at h
  · have := Int.sign_eq_zero_iff_zero (a := c)
    omega
  · omega

/-- **A multiple of the divisor can be divided apart from the rest.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.15.1 -/
theorem add_ediv_of_emod_eq_zero {a c : Int} (b : Int) (h : a % c = 0) : (a + b) / c = a / c + b / c :=
  Int.add_ediv_of_dvd_left (Int.dvd_of_emod_eq_zero h)

/-- **What is less than the greatest common divisor of `a` and `c` does not change the quotient by `c`.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.15.2 -/
theorem add_ediv_of_lt_gcd {a b c : Int} (h0 : 0 ≤ b) (h1 : b < Int.gcd a c) : (a + b) / c = a / c := by
  by_cases hc : c = 0
  · simp [hc]
  · exact (isEuclid_add_of_lt_gcd hc h0 h1).unique.1.symm

/-- **A bound on a quotient is a bound on the dividend.**
Rust: `razorgirl::int::euclid`
Source: nvFuser 2.16 -/
theorem ediv_lt_iff {i d D : Int} (hd : 0 < d) : i / d < D ↔ i < D * d := Int.ediv_lt_iff_lt_mul hd

/-! ## Lemmas that the source uses -/

/-- **An index is its outer part times the split factor plus its inner part.**
Rust: `razorgirl::int::euclid`
Source: nvFuser IterDomain, inner split (used without a number) -/
theorem split_then_merge (i d : Int) : i / d * d + i % d = i := (euclid_fundamental i d).symm

/-- **Merging an outer and an inner index and splitting again gives both back, for an inner index in `[0, d)`.**
Rust: `razorgirl::int::euclid`
Source: nvFuser IterDomain, inner split (used without a number) -/
theorem merge_then_split {j d : Int} (k : Int) (h0 : 0 ≤ j) (h1 : j < d) :
    (k * d + j) / d = k ∧ (k * d + j) % d = j := by
  have h : IsEuclid (k * d + j) d k j := ⟨by rw [Int.mul_comm], h0, by omega⟩
  exact ⟨h.unique.1.symm, h.unique.2.symm⟩

/-- **Splitting by a positive factor leaves an index on its side of 0.**
Rust: `razorgirl::int::euclid`
Source: nvFuser divisibility of split (used without a number, from Boute 1992) -/
theorem ediv_nonneg_iff {i d : Int} (hd : 0 < d) : 0 ≤ i / d ↔ 0 ≤ i := by
  rw [Int.le_ediv_iff_mul_le hd, Int.zero_mul]

end Razorgirl.Division
