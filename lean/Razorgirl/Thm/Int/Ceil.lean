module

public import Razorgirl.Spec.Int.Ceil
public import Razorgirl.Thm.Int.Euclid

@[expose] public section

/-!
# Division rounded up: what is proved

The three theorems of section 5 of nvFuser's document on integer division, and the facts on `ceilDiv` that its
other documents use without stating them. What breaks without a hypothesis is in `Counterexamples`.
-/

namespace Razorgirl.Division

/-! ## By way of Euclidean division -/

/-- **Rounding up is rounding down, mirrored at 0.**
Rust: `razorgirl::int::ceil`
Source: nvFuser integer division, section 5 (used without a number) -/
theorem cdiv_eq_neg_ediv {b : Int} (a : Int) (hb : 0 ≤ b) : cdiv a b = -(-a / b) := by
  rw [cdiv, Int.fdiv_eq_ediv_of_nonneg _ hb]

theorem cdiv_neg_neg (a b : Int) : cdiv (-a) (-b) = cdiv a b := by
  rw [cdiv, cdiv, Int.neg_fdiv_neg]

/-- **For a negative divisor, the Euclidean quotient is the one rounded up; for a positive one, rounded down.**
Rust: `razorgirl::int::ceil`
Source: nvFuser 1.1 -/
theorem ediv_eq_fdiv_or_cdiv (a b : Int) : (0 < b → a / b = a.fdiv b) ∧ (b < 0 → a / b = cdiv a b) := by
  refine ⟨fun hb => (Int.fdiv_eq_ediv_of_nonneg a (by omega)).symm, fun hb => ?_⟩
  rw [← cdiv_neg_neg, cdiv_eq_neg_ediv _ (by omega)]
  simp

theorem cdiv_of_neg {b : Int} (a : Int) (hb : b < 0) : cdiv a b = a / b := ((ediv_eq_fdiv_or_cdiv a b).2 hb).symm

/-! ## The definition -/

/-- **Quotient times divisor plus remainder is the dividend, also when rounding up.**
Rust: `razorgirl::int::ceil`
Source: nvFuser integer division, fundamental equation -/
theorem ceil_fundamental (a b : Int) : a = cdiv a b * b + cmod a b := by
  rw [cmod, Int.mul_comm]
  omega

theorem isCeil_cdiv {a b : Int} (hb : b ≠ 0) : IsCeil a b (cdiv a b) (cmod a b) := by
  refine ⟨by rw [cmod]; omega, fun h => ?_, fun h => ?_⟩
  · have h1 := Int.mul_ediv_add_emod (-a) b
    have h2 := Int.emod_nonneg (-a) hb
    have h3 := Int.emod_lt_of_pos (-a) h
    rw [cmod, cdiv_eq_neg_ediv a (by omega), Int.mul_neg]
    omega
  · have h2 := Int.emod_nonneg a hb
    have h3 := Int.emod_lt a hb
    rw [cmod, cdiv_of_neg a h, ← Int.emod_def]
    omega

theorem IsCeil.unique {a b q r : Int} (hb : b ≠ 0) (h : IsCeil a b q r) : q = cdiv a b ∧ r = cmod a b := by
  have key : q = cdiv a b := by
    obtain ⟨e, h0, h1⟩ := h
    rcases Int.lt_or_gt_of_ne hb with hb | hb
    · have h : IsEuclid a b q r := ⟨e, h1 hb⟩
      rw [cdiv_of_neg a hb]
      exact h.unique.1
    · have h : IsEuclid (-a) b (-q) (-r) := ⟨by rw [Int.mul_neg]; omega, by omega⟩
      rw [cdiv_eq_neg_ediv a (by omega), ← h.unique.1]
      omega
  refine ⟨key, ?_⟩
  rw [cmod, ← key]
  have := h.1
  omega

/-- **Division rounded up gives exactly the numbers with `a = b·q + r`, `|r| < |b|` and `r` on the other side of 0
than the divisor, and gives them whenever the divisor is not 0.**
Rust: `razorgirl::int::ceil`
Source: nvFuser 5.0 -/
theorem ceil_eq_some_iff {a b q r : Int} : ceil a b = some (q, r) ↔ b ≠ 0 ∧ IsCeil a b q r := by
  unfold ceil
  split
  · simp [*]
  · rename_i hb
    simp only [Option.some.injEq, Prod.mk.injEq]
    constructor
    · rintro ⟨rfl, rfl⟩
      exact ⟨hb, isCeil_cdiv hb⟩
    · intro h
      exact ⟨(h.2.unique hb).1.symm, (h.2.unique hb).2.symm⟩

/-- **For a divisor other than 0 there are a quotient and a remainder on the other side of 0 than the divisor, and
only one of each.**
Rust: `razorgirl::int::ceil`
Source: nvFuser 5.0 -/
theorem ceil_exists_unique (a : Int) {b : Int} (hb : b ≠ 0) :
    ∃ q r, IsCeil a b q r ∧ ∀ q' r', IsCeil a b q' r' → q' = q ∧ r' = r :=
  ⟨cdiv a b, cmod a b, isCeil_cdiv hb, fun _ _ h => h.unique hb⟩

/-! ## 5.11 and 5.12 -/

/-- **Tiles of tiles: dividing by a product, rounded up, is dividing by one factor after the other, the second
being at least 0.**
Rust: `razorgirl::int::ceil`
Source: nvFuser 5.11 -/
theorem cdiv_mul {c : Int} (a b : Int) (hc : 0 ≤ c) : cdiv a (b * c) = cdiv (cdiv a b) c := by
  have key (a b : Int) (hb : 0 ≤ b) : cdiv a (b * c) = cdiv (cdiv a b) c := by
    rw [cdiv_eq_neg_ediv a (Int.mul_nonneg hb hc), cdiv_eq_neg_ediv _ hc, cdiv_eq_neg_ediv a hb, Int.neg_neg,
      ediv_mul _ _ hb]
  by_cases hb : 0 ≤ b
  · exact key a b hb
  · have := key (-a) (-b) (by omega)
    rwa [Int.neg_mul, cdiv_neg_neg, cdiv_neg_neg] at this

/-- **The rounded-up remainder by a product is that by the first factor, plus the first factor times the remainder
of the quotient by the second.**
Rust: `razorgirl::int::ceil`
Source: nvFuser 5.12 -/
theorem cmod_mul {c : Int} (a b : Int) (hc : 0 ≤ c) : cmod a (b * c) = cmod a b + cmod (cdiv a b) c * b := by
  have h := cdiv_mul a b hc
  rw [cmod, cmod, cmod, h]
  grind

/-! ## Lemmas that the source uses -/

/-- **Rounding up is rounding down after adding all but one of the divisor.**
Rust: `razorgirl::int::ceil`
Source: nvFuser `ceilDiv` (used without a number) -/
theorem cdiv_eq_add_sub_one_ediv {b : Int} (a : Int) (hb : 0 ≤ b) : cdiv a b = (a + b - 1) / b := by
  by_cases h : b = 0
  · simp [h, cdiv]
  · have h1 := isCeil_cdiv (a := a) h
    have h2 := h1.2.1 (by omega)
    have e : IsEuclid (a + b - 1) b (cdiv a b) (cmod a b + b - 1) := ⟨by have := h1.1; omega, by omega⟩
    exact e.unique.1

/-- **`K` tiles of `d` suffice for `a` elements exactly when there are no more than `K·d` of them.**
Rust: `razorgirl::int::ceil`
Source: nvFuser `ceilDiv` (used without a number) -/
theorem cdiv_le_iff {a d K : Int} (hd : 0 < d) : cdiv a d ≤ K ↔ a ≤ K * d := by
  have h := Int.le_ediv_iff_mul_le (c := d) (a := -K) (b := -a) hd
  rw [Int.neg_mul] at h
  rw [cdiv_eq_neg_ediv a (by omega)]
  omega

/-- **Without a remainder, the quotient rounded up is the Euclidean one.**
Rust: `razorgirl::int::ceil`
Source: nvFuser `ceilDiv` (used without a number) -/
theorem cdiv_of_dvd {a d : Int} (h : d ∣ a) : cdiv a d = a / d := by
  by_cases hd : 0 ≤ d
  · rw [cdiv_eq_neg_ediv a hd, Int.neg_ediv_of_dvd h, Int.neg_neg]
  · exact cdiv_of_neg a (by omega)

/-- **`m` times `n` elements are `m` tiles of `n`.**
Rust: `razorgirl::int::ceil`
Source: nvFuser `ceilDiv` (used without a number) -/
theorem mul_cdiv_cancel {n : Int} (m : Int) (hn : n ≠ 0) : cdiv (m * n) n = m := by
  rw [cdiv_of_dvd (Int.dvd_mul_left m n), Int.mul_ediv_cancel m hn]

/-- **The tiles cover everything, and only the last one can be cut.**
Rust: `razorgirl::int::ceil`
Source: nvFuser `ceilDiv` (used without a number) -/
theorem cdiv_mul_bounds {d : Int} (N : Int) (hd : 0 < d) : N ≤ cdiv N d * d ∧ cdiv N d * d < N + d := by
  have h := isCeil_cdiv (a := N) (b := d) (by omega)
  have := h.2.1 hd
  have := h.1
  rw [Int.mul_comm] at this
  omega

/-- **The tile of a valid index is one of the tiles.**
Rust: `razorgirl::int::ceil`
Source: nvFuser `ceilDiv` (used without a number) -/
theorem ediv_lt_cdiv {i N d : Int} (hd : 0 < d) (h0 : 0 ≤ i) (h1 : i < N) : 0 ≤ i / d ∧ i / d < cdiv N d := by
  refine ⟨Int.ediv_nonneg h0 (by omega), ?_⟩
  rw [ediv_lt_iff hd]
  have := cdiv_mul_bounds N hd
  omega

/-- **A multiple of the divisor can be divided apart from the rest, also when rounding up.**
Rust: `razorgirl::int::ceil`
Source: nvFuser `ceilDiv` (used without a number) -/
theorem add_cdiv_of_dvd {a c : Int} (b : Int) (h : c ∣ a) : cdiv (a + b) c = a / c + cdiv b c := by
  by_cases hc : 0 ≤ c
  · rw [cdiv_eq_neg_ediv _ hc, cdiv_eq_neg_ediv _ hc, Int.neg_add,
      Int.add_ediv_of_dvd_left (Int.dvd_neg.2 h), Int.neg_ediv_of_dvd h]
    omega
  · rw [cdiv_of_neg _ (by omega), cdiv_of_neg _ (by omega), Int.add_ediv_of_dvd_left h]

theorem lt_cdiv_iff {a b c : Int} (hb : 0 < b) : c < cdiv a b ↔ c * b < a := by
  have := cdiv_le_iff (a := a) (K := c) hb
  omega

theorem le_cdiv_mul {a b : Int} (hb : 0 < b) : a ≤ cdiv a b * b := (cdiv_mul_bounds a hb).1

theorem cdiv_mul_lt {a b : Int} (hb : 0 < b) : cdiv a b * b < a + b := (cdiv_mul_bounds a hb).2

theorem cdiv_pos {a b : Int} (ha : 0 < a) (hb : 0 < b) : 0 < cdiv a b := (lt_cdiv_iff hb).2 (by simpa using ha)

theorem cdiv_one (a : Int) : cdiv a 1 = a := by simp [cdiv_eq_neg_ediv]

theorem cdiv_mul_self {a b : Int} (hb : 0 < b) : cdiv (a * b) b = a := mul_cdiv_cancel a (by omega)

theorem cdiv_mul_eq_iff {a b : Int} (hb : 0 < b) : cdiv a b * b = a ↔ b ∣ a := by
  refine ⟨fun h => ⟨cdiv a b, by rw [Int.mul_comm]; exact h.symm⟩, ?_⟩
  rintro ⟨c, rfl⟩
  rw [Int.mul_comm b c, cdiv_mul_self hb]

theorem cdiv_cdiv {m n : Int} (a : Int) (hm : 0 < m) : cdiv (cdiv a n) m = cdiv a (n * m) :=
  (cdiv_mul a n (by omega)).symm

/-- **A number of tiles is the same counted in natural numbers and in integers.**
Rust: `razorgirl::int::ceil`
Source: nvFuser `ceilDiv` -/
theorem cdiv_natCast (a b : Nat) : cdiv a b = (ceilDiv a b : Nat) := by
  rw [cdiv_eq_add_sub_one_ediv _ (by omega), ceilDiv, Int.natCast_ediv]
  by_cases h : a + b = 0
  · obtain rfl : b = 0 := by omega
    simp
  · rw [show ((a + b - 1 : Nat) : Int) = a + b - 1 by omega]

end Razorgirl.Division
