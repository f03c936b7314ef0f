module

public import Razorgirl.Spec.Int.Trunc
public import Razorgirl.Thm.Int.Euclid

@[expose] public section

/-!
# Truncating division: what is proved

The theorems of section 4 of nvFuser's document on integer division, under their numbers, which mirror those of
section 2, and what section 3 says of truncation. `a.tdiv b` and `a.tmod b` are C's `a / b` and `a % b`. As
there, most statements hold for divisor 0 too. The two halves of S3.P2 and 4.6 that are false in the source, and
what breaks without a hypothesis, are in `Counterexamples`.

Where the source asks for «compatible signs», `a * b ≥ 0`, so do we.
-/

namespace Razorgirl.Division

/-! ## The definition -/

theorem isTrunc_tdiv {a b : Int} (hb : b ≠ 0) : IsTrunc a b (a.tdiv b) (a.tmod b) := by
  refine ⟨(Int.mul_tdiv_add_tmod a b).symm, fun ha => ?_, fun ha => ?_⟩
  · rw [Int.tmod_eq_emod_of_nonneg ha]
    exact ⟨Int.emod_nonneg a hb, Int.emod_lt a hb⟩
  · have h := Int.neg_tmod a b
    rw [Int.tmod_eq_emod_of_nonneg (by omega)] at h
    have := Int.emod_nonneg (-a) hb
    have := Int.emod_lt (-a) hb
    omega

theorem IsTrunc.unique {a b q r : Int} (h : IsTrunc a b q r) : q = a.tdiv b ∧ r = a.tmod b := by
  obtain ⟨e, h0, h1⟩ := h
  by_cases ha : 0 ≤ a
  · have h : IsEuclid a b q r := ⟨e, h0 ha⟩
    rw [Int.tmod_eq_emod_of_nonneg ha, Int.tdiv_eq_ediv_of_nonneg ha]
    exact h.unique
  · have h : IsEuclid (-a) b (-q) (-r) := ⟨by rw [Int.mul_neg]; omega, by omega⟩
    have e1 := Int.neg_tdiv a b
    have e2 := Int.neg_tmod a b
    rw [Int.tdiv_eq_ediv_of_nonneg (by omega), ← h.unique.1] at e1
    rw [Int.tmod_eq_emod_of_nonneg (by omega), ← h.unique.2] at e2
    omega

/-- **Truncating division gives exactly the numbers with `a = b·q + r` and `r` between 0 and `|b|`, on the side of
the dividend, and gives them whenever the divisor is not 0.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.0 -/
theorem trunc_eq_some_iff {a b q r : Int} : trunc a b = some (q, r) ↔ b ≠ 0 ∧ IsTrunc a b q r := by
  unfold trunc
  split
  · simp [*]
  · rename_i hb
    simp only [Option.some.injEq, Prod.mk.injEq]
    constructor
    · rintro ⟨rfl, rfl⟩
      exact ⟨hb, isTrunc_tdiv hb⟩
    · intro h
      exact ⟨h.2.unique.1.symm, h.2.unique.2.symm⟩

/-- **For a divisor other than 0 there are a quotient and a remainder on the side of the dividend, and only one of
each.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.0 -/
theorem trunc_exists_unique (a : Int) {b : Int} (hb : b ≠ 0) :
    ∃ q r, IsTrunc a b q r ∧ ∀ q' r', IsTrunc a b q' r' → q' = q ∧ r' = r :=
  ⟨a.tdiv b, a.tmod b, isTrunc_tdiv hb, fun _ _ h => h.unique⟩

/-- **Quotient times divisor plus remainder is the dividend, also in C.**
Rust: `razorgirl::int::trunc`
Source: nvFuser integer division, fundamental equation -/
theorem trunc_fundamental (a b : Int) : a = a.tdiv b * b + a.tmod b := by
  rw [Int.mul_comm, Int.mul_tdiv_add_tmod]

/-! ## Section 3 -/

/-- **Negating the dividend, or the divisor, negates a truncated quotient.**
Rust: `razorgirl::int::trunc`
Source: nvFuser integer division, section 3 (S3.P1) -/
theorem tdiv_neg_both (a b : Int) : (-a).tdiv b = -a.tdiv b ∧ a.tdiv (-b) = -a.tdiv b := by simp

/-- **Negating the dividend negates a truncated remainder; negating the divisor leaves it.**
The source negates it in both cases.
Rust: `razorgirl::int::trunc`
Source: nvFuser integer division, section 3 (S3.P2) (repaired: `tmod_neg_ne_neg_tmod`) -/
theorem tmod_neg_both (a b : Int) : (-a).tmod b = -a.tmod b ∧ a.tmod (-b) = a.tmod b := by simp

/-! ## 4.3–4.9: remainders -/

theorem tmod_eq_zero_iff_cong {a b : Int} : a.tmod b = 0 ↔ Cong b a 0 := by
  rw [Cong, Int.sub_zero, Int.dvd_iff_tmod_eq_zero]

theorem tmod_of_nonpos {a : Int} (b : Int) (ha : a ≤ 0) : a.tmod b = -(-a % b) := by
  have h := Int.neg_tmod a b
  rw [Int.tmod_eq_emod_of_nonneg (by omega)] at h
  omega

theorem tdiv_of_nonpos {a : Int} (b : Int) (ha : a ≤ 0) : a.tdiv b = -(-a / b) := by
  have h := Int.neg_tdiv a b
  rw [Int.tdiv_eq_ediv_of_nonneg (by omega)] at h
  omega

/-- **Two numbers both leave remainder 0 exactly when both are congruent to 0.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.3(1) -/
theorem tmod_eq_zero_and_iff {a a' b : Int} :
    a.tmod b = 0 ∧ a'.tmod b = 0 ↔ Cong b a 0 ∧ Cong b a' 0 := by
  rw [tmod_eq_zero_iff_cong, tmod_eq_zero_iff_cong]

/-- **A number is congruent to its truncated remainder.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.4 -/
theorem cong_tmod (a b : Int) : Cong b a (a.tmod b) :=
  ⟨a.tdiv b, by have := Int.mul_tdiv_add_tmod a b; omega⟩

theorem cong_of_tmod_eq {a a' b : Int} (h : a.tmod b = a'.tmod b) : Cong b a a' :=
  (cong_tmod a b).trans (h ▸ (cong_tmod a' b).symm)

theorem tmod_congr_of_nonneg {a a' b : Int} (ha : 0 ≤ a) (ha' : 0 ≤ a') (h : Cong b a a') :
    a.tmod b = a'.tmod b := by
  rw [Int.tmod_eq_emod_of_nonneg ha, Int.tmod_eq_emod_of_nonneg ha', emod_eq_emod_iff_cong.2 h]

theorem Cong.neg {c a b : Int} (h : Cong c a b) : Cong c (-a) (-b) := by
  have h := h.symm
  unfold Cong at h ⊢
  rwa [show -a - -b = b - a by omega]

theorem tmod_congr_of_nonpos {a a' b : Int} (ha : a ≤ 0) (ha' : a' ≤ 0) (h : Cong b a a') :
    a.tmod b = a'.tmod b := by
  rw [tmod_of_nonpos b ha, tmod_of_nonpos b ha', emod_eq_emod_iff_cong.2 h.neg]

/-- **Two numbers leave the same remainder other than 0 exactly when they are congruent to one another, not to 0,
and have the same sign.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.3(2) -/
theorem tmod_eq_tmod_iff {a a' b : Int} :
    a.tmod b = a'.tmod b ∧ a.tmod b ≠ 0 ↔ Cong b a a' ∧ ¬Cong b a 0 ∧ a.sign = a'.sign := by
  rw [Ne, tmod_eq_zero_iff_cong]
  constructor
  · rintro ⟨h, h0⟩
    refine ⟨cong_of_tmod_eq h, h0, ?_⟩
    rw [← tmod_eq_zero_iff_cong] at h0
    rcases Int.lt_trichotomy a 0 with ha | rfl | ha
    · rw [Int.sign_eq_neg_one_of_neg ha]
      have : ¬0 ≤ a' := fun ha' => by
        have h1 := Int.tmod_nonneg b ha'
        have h2 := Int.tmod_nonneg b (a := -a) (by omega)
        rw [Int.neg_tmod] at h2
        omega
      rw [Int.sign_eq_neg_one_of_neg (by omega)]
    · simp at h0
    · rw [Int.sign_eq_one_of_pos ha]
      have : ¬a' ≤ 0 := fun ha' => by
        have h1 := Int.tmod_nonneg b (a := a) (by omega)
        have h2 := Int.tmod_nonneg b (a := -a') (by omega)
        rw [Int.neg_tmod] at h2
        omega
      rw [Int.sign_eq_one_of_pos (by omega)]
  · rintro ⟨h, h0, hs⟩
    refine ⟨?_, h0⟩
    rcases Int.lt_trichotomy a 0 with ha | rfl | ha
    · rw [Int.sign_eq_neg_one_of_neg ha] at hs
      have := Int.sign_eq_neg_one_iff_neg.1 hs.symm
      exact tmod_congr_of_nonpos (by omega) (by omega) h
    · exact absurd (cong_refl b 0) h0
    · rw [Int.sign_eq_one_of_pos ha] at hs
      have := Int.sign_eq_one_iff_pos.1 hs.symm
      exact tmod_congr_of_nonneg (by omega) (by omega) h

/-- **Two remainders differ by the absolute value of the divisor exactly when the numbers are congruent to one
another, not to 0, and the first is positive, the second negative.**
The divisor must not be 0 here, even where `a % 0 = a`. The source's proof bounds the remainder of `a'` by `|b|`
where it must be `-|b|`.
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.3(3) -/
theorem tmod_eq_tmod_add_iff {a a' b : Int} (hb : b ≠ 0) :
    a.tmod b = a'.tmod b + b.natAbs ↔ Cong b a a' ∧ ¬Cong b a 0 ∧ 0 < a ∧ a' < 0 := by
  have h1 := isTrunc_tdiv (a := a) hb
  have h2 := isTrunc_tdiv (a := a') hb
  constructor
  · intro h
    have ha : 0 < a := by
      refine Int.not_le.1 fun ha => ?_
      rcases Int.lt_or_eq_of_le ha with ha | rfl
      · have := h1.2.2 ha
        by_cases ha' : 0 ≤ a'
        · have := h2.2.1 ha'; omega
        · have := h2.2.2 (by omega); omega
      · simp at h
        by_cases ha' : 0 ≤ a'
        · have := h2.2.1 ha'; omega
        · have := h2.2.2 (by omega); omega
    have ha' : a' < 0 := by
      refine Int.not_le.1 fun ha' => ?_
      have := h1.2.1 (by omega)
      have := h2.2.1 ha'
      omega
    refine ⟨?_, fun h0 => ?_, ha, ha'⟩
    · have h3 : Cong b (a'.tmod b + b.natAbs) (a'.tmod b) := by
        unfold Cong
        rw [show a'.tmod b + b.natAbs - a'.tmod b = (b.natAbs : Int) by omega]
        exact Int.dvd_natAbs.2 (Int.dvd_refl b)
      exact ((cong_tmod a b).trans (h ▸ h3)).trans (cong_tmod a' b).symm
    · rw [tmod_eq_zero_iff_cong.2 h0] at h
      have := h2.2.2 ha'
      omega
  · rintro ⟨h, h0, ha, ha'⟩
    rw [← tmod_eq_zero_iff_cong] at h0
    have := h1.2.1 (by omega)
    have := h2.2.2 ha'
    have h3 : Cong b (a.tmod b) (a'.tmod b + b.natAbs) := by
      have h4 := ((cong_tmod a b).symm.trans h).trans (cong_tmod a' b)
      have h5 : Cong b (b.natAbs : Int) 0 := by
        unfold Cong
        rw [Int.sub_zero]
        exact Int.dvd_natAbs.2 (Int.dvd_refl b)
      have := h4.add h5.symm
      rwa [Int.add_zero] at this
    have h6 := emod_eq_emod_iff_cong.2 h3
    have h7 : a'.tmod b ≠ 0 := fun h7 => by
      rw [tmod_eq_zero_iff_cong] at h7
      exact h0 (tmod_eq_zero_iff_cong.2 (h.trans h7))
    rwa [(emod_ediv_of_lt (by omega) (by omega)).1, (emod_ediv_of_lt (by omega) (by omega)).1] at h6

/-- **A number in `(-|a|, |a|)` is its own truncated remainder by `a`, and its quotient is 0.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.5 -/
theorem tmod_tdiv_of_lt {r a : Int} (h0 : -(a.natAbs : Int) < r) (h1 : r < a.natAbs) :
    r.tmod a = r ∧ r.tdiv a = 0 := by
  have h : IsTrunc r a 0 r := ⟨by simp, fun _ => ⟨by omega, h1⟩, fun _ => ⟨h0, by omega⟩⟩
  exact ⟨h.unique.2.symm, h.unique.1.symm⟩

/-- **Negating the divisor negates a truncated quotient and keeps the remainder.**
The source negates the remainder as well.
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.6 (repaired: `tmod_neg_ne_neg_tmod`) -/
theorem tdiv_tmod_neg (a b : Int) : a.tdiv (-b) = -a.tdiv b ∧ a.tmod (-b) = a.tmod b := by simp

theorem compatible_cases {a b : Int} (h : 0 ≤ a * b) : 0 ≤ a ∧ 0 ≤ b ∨ a ≤ 0 ∧ b ≤ 0 := by
  rcases Int.lt_trichotomy a 0 with ha | rfl | ha
  · exact Or.inr ⟨by omega, Int.not_lt.1 fun hb => by have := Int.mul_neg_of_neg_of_pos ha hb; omega⟩
  · omega
  · exact Or.inl ⟨by omega, Int.not_lt.1 fun hb => by have := Int.mul_neg_of_pos_of_neg ha hb; omega⟩

/-- **A truncated remainder of a sum can be taken of the remainders if the signs of the summands agree.**
The source's proof uses 4.3 as if it were 2.3, without looking at signs.
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.7 -/
theorem add_tmod_tmod {a b : Int} (c : Int) (h : 0 ≤ a * b) :
    (a + b).tmod c = (a.tmod c + b.tmod c).tmod c := by
  have hc : Cong c (a + b) (a.tmod c + b.tmod c) := (cong_tmod a c).add (cong_tmod b c)
  rcases compatible_cases h with ⟨ha, hb⟩ | ⟨ha, hb⟩
  · have := Int.tmod_nonneg c ha
    have := Int.tmod_nonneg c hb
    exact tmod_congr_of_nonneg (by omega) (by omega) hc
  · have h1 := Int.tmod_nonneg c (a := -a) (by omega)
    have h2 := Int.tmod_nonneg c (a := -b) (by omega)
    rw [Int.neg_tmod] at h1 h2
    exact tmod_congr_of_nonpos (by omega) (by omega) hc

/-- **A multiple of the divisor can be dropped under a truncated remainder if the signs agree.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.7.1 -/
theorem add_tmod_of_tmod_eq_zero {a b c : Int} (hab : 0 ≤ a * b) (h : a.tmod c = 0) :
    (a + b).tmod c = b.tmod c := by
  rw [add_tmod_tmod c hab, h, Int.zero_add, Int.tmod_tmod]

/-- **What is less in size than the greatest common divisor of `a` and `c`, and has the sign of `a`, passes through
a truncated remainder by `c` without a carry.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.7.2 -/
theorem add_tmod_of_lt_gcd {a b c : Int} (hab : 0 ≤ a * b) (h : b.natAbs < Int.gcd a c) :
    (a + b).tmod c = a.tmod c + b := by
  rcases compatible_cases hab with ⟨ha, hb⟩ | ⟨ha, hb⟩
  · rw [Int.tmod_eq_emod_of_nonneg (by omega), Int.tmod_eq_emod_of_nonneg ha, add_emod_of_lt_gcd hb (by omega)]
  · rw [tmod_of_nonpos c (by omega), tmod_of_nonpos c ha, Int.neg_add,
      add_emod_of_lt_gcd (by omega) (by rw [Int.neg_gcd]; omega)]
    omega

/-- **A truncated remainder of a product can be taken of the remainders, whatever the signs.**
The source asks for `a * b ≥ 0`, which is not needed.
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.8, without its condition on signs -/
theorem mul_tmod_tmod (a b c : Int) : (a * b).tmod c = (a.tmod c * b.tmod c).tmod c := Int.mul_tmod a b c

/-- **A multiple leaves no truncated remainder.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.9 -/
theorem tmod_eq_zero_of_dvd {a b : Int} (h : b ∣ a) : a.tmod b = 0 := Int.tmod_eq_zero_of_dvd h

/-! ## 4.10–4.16: quotients -/

/-- **A product can be divided in the factor that is a multiple of the divisor, also in C.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.10 -/
theorem mul_tdiv_of_dvd {b c : Int} (a : Int) (h : c ∣ b) : a * b.tdiv c = (a * b).tdiv c :=
  (Int.mul_tdiv_assoc a h).symm

/-- **In C, dividing by a product is dividing by one factor after the other, whatever the signs.**
The source's proof has a bound that is not strict, and needs a strict one.
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.1(2), 4.11 -/
theorem tdiv_mul (a b c : Int) : a.tdiv (b * c) = (a.tdiv b).tdiv c := by
  have key (a b : Int) (ha : 0 ≤ a) (hb : 0 ≤ b) : a.tdiv (b * c) = (a.tdiv b).tdiv c := by
    rw [Int.tdiv_eq_ediv_of_nonneg ha, Int.tdiv_eq_ediv_of_nonneg ha,
      Int.tdiv_eq_ediv_of_nonneg (Int.ediv_nonneg ha hb), ediv_mul a c hb]
  have key' (a : Int) (ha : 0 ≤ a) : a.tdiv (b * c) = (a.tdiv b).tdiv c := by
    by_cases hb : 0 ≤ b
    · exact key a b ha hb
    · have := key a (-b) ha (by omega)
      rw [Int.neg_mul, Int.tdiv_neg, Int.tdiv_neg, Int.neg_tdiv] at this
      omega
  by_cases ha : 0 ≤ a
  · exact key' a ha
  · have := key' (-a) (by omega)
    rw [Int.neg_tdiv, Int.neg_tdiv, Int.neg_tdiv] at this
    omega

/-- **The truncated remainder by a product is that by the first factor, plus the first factor times the remainder
of the quotient by the second.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.12 -/
theorem tmod_mul (a b c : Int) : a.tmod (b * c) = a.tmod b + (a.tdiv b).tmod c * b := by
  have h := tdiv_mul a b c
  rw [Int.tmod_def, Int.tmod_def, Int.tmod_def, h]
  grind

/-- **A common divisor of any sign can be taken out of a truncated remainder.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.13 -/
theorem tmod_of_dvd {a b d : Int} (ha : d ∣ a) (hb : d ∣ b) :
    a.tmod b = (a.tdiv d).tmod (b.tdiv d) * d := by
  obtain ⟨a, rfl⟩ := ha
  obtain ⟨b, rfl⟩ := hb
  by_cases h : d = 0
  · simp [h]
  · rw [Int.mul_tdiv_cancel_left _ h, Int.mul_tdiv_cancel_left _ h]
    rcases Int.lt_or_gt_of_ne h with h | h
    · have := Int.mul_tmod_mul_of_pos (-a) (-b) (a := -d) (by omega)
      rw [Int.neg_mul_neg, Int.neg_mul_neg, Int.tmod_neg, Int.neg_tmod, Int.neg_mul_neg] at this
      rw [this, Int.mul_comm]
    · rw [Int.mul_tmod_mul_of_pos _ _ h, Int.mul_comm]

/-- **In C, dividing by a quotient without remainder is multiplying by its divisor first.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.14 -/
theorem tdiv_tdiv_of_dvd {b c : Int} (a : Int) (h : c ∣ b) : a.tdiv (b.tdiv c) = (a * c).tdiv b := by
  obtain ⟨b, rfl⟩ := h
  by_cases h : c = 0
  · simp [h]
  · rw [Int.mul_tdiv_cancel_left _ h, Int.mul_comm a c, tdiv_mul, Int.mul_tdiv_cancel_left _ h]

/-- **A truncated quotient of a sum is the sum of the quotients if the signs agree and the remainders do not
carry.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.15 -/
theorem add_tdiv_of_lt {a b c : Int} (hab : 0 ≤ a * b) (h0 : -(c.natAbs : Int) < a.tmod c + b.tmod c)
    (h1 : a.tmod c + b.tmod c < c.natAbs) : (a + b).tdiv c = a.tdiv c + b.tdiv c := by
  rcases compatible_cases hab with ⟨ha, hb⟩ | ⟨ha, hb⟩
  · rw [Int.tmod_eq_emod_of_nonneg ha, Int.tmod_eq_emod_of_nonneg hb] at h1
    rw [Int.tdiv_eq_ediv_of_nonneg (by omega), Int.tdiv_eq_ediv_of_nonneg ha, Int.tdiv_eq_ediv_of_nonneg hb,
      add_ediv_of_lt h1]
  · rw [tmod_of_nonpos c ha, tmod_of_nonpos c hb] at h0
    rw [tdiv_of_nonpos c (by omega), tdiv_of_nonpos c ha, tdiv_of_nonpos c hb, Int.neg_add,
      add_ediv_of_lt (by omega)]
    omega

/-- **A multiple of the divisor can be divided apart from the rest if the signs agree.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.15.1 -/
theorem add_tdiv_of_tmod_eq_zero {a b c : Int} (hab : 0 ≤ a * b) (h : a.tmod c = 0) :
    (a + b).tdiv c = a.tdiv c + b.tdiv c := by
  by_cases hc : c = 0
  · simp [hc]
  · have := isTrunc_tdiv (a := b) hc
    refine add_tdiv_of_lt hab ?_ ?_
    · by_cases hb : 0 ≤ b
      · have := this.2.1 hb; omega
      · have := this.2.2 (by omega); omega
    · by_cases hb : 0 ≤ b
      · have := this.2.1 hb; omega
      · have := this.2.2 (by omega); omega

/-- **What is less in size than the greatest common divisor of `a` and `c`, and has the sign of `a`, does not change
the truncated quotient by `c`.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.15.2 -/
theorem add_tdiv_of_lt_gcd {a b c : Int} (hab : 0 ≤ a * b) (h : b.natAbs < Int.gcd a c) :
    (a + b).tdiv c = a.tdiv c := by
  rcases compatible_cases hab with ⟨ha, hb⟩ | ⟨ha, hb⟩
  · rw [Int.tdiv_eq_ediv_of_nonneg (by omega), Int.tdiv_eq_ediv_of_nonneg ha, add_ediv_of_lt_gcd hb (by omega)]
  · rw [tdiv_of_nonpos c (by omega), tdiv_of_nonpos c ha, Int.neg_add,
      add_ediv_of_lt_gcd (by omega) (by rw [Int.neg_gcd]; omega)]

/-- **A bound on a truncated quotient is a bound on the dividend, for a dividend of at least 0.**
Rust: `razorgirl::int::trunc`
Source: nvFuser 4.16 -/
theorem tdiv_lt_iff {i d D : Int} (hi : 0 ≤ i) (hd : 0 < d) : i.tdiv d < D ↔ i < D * d := by
  rw [Int.tdiv_eq_ediv_of_nonneg hi, ediv_lt_iff hd]

end Razorgirl.Division
