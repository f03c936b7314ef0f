module

public import Razorgirl.Thm.IterDomain.Split

@[expose] public section

/-!
# Swizzles: which of them are bijections

The exclusive or needs extents that fit, and equal extents are not what it needs; nvFuser checks nothing. The cyclic
shift needs equal extents, and running backwards in odd rows needs nothing.
-/

namespace Razorgirl.IterDomain

/-! ## The exclusive or -/

/-- **The exclusive or with the same number, done twice, changes nothing, holes too.**
Source: nvFuser `Swizzle` -/
theorem xorInt_xorInt (x y : Int) : xorInt x (xorInt x y) = y := by
  cases x <;> cases y <;> simp [xorInt, ← Nat.xor_assoc]

theorem xorClosed_of_dvd {Nx Ny k : Nat} (hk : Nx ≤ 2 ^ k) (h : 2 ^ k ∣ Ny) : XorClosed Nx Ny := by
  intro x y hx hy
  obtain ⟨m, rfl⟩ := h
  have h1 : (x ^^^ y) / 2 ^ k = y / 2 ^ k := by
    rw [Nat.xor_div_two_pow, Nat.div_eq_of_lt (by omega), Nat.zero_xor]
  have h2 := Nat.div_lt_of_lt_mul hy
  rw [← h1] at h2
  rw [Nat.mul_comm]
  exact Nat.lt_mul_of_div_lt h2 (Nat.two_pow_pos k)

/-- A positive number is a power of two times an odd one. -/
theorem exists_two_pow_mul_odd : (n : Nat) → 0 < n → ∃ t m, n = 2 ^ t * (2 * m + 1) := by
  intro n
  induction n using Nat.strongRecOn with
  | ind n ih =>
    intro hn
    by_cases h : n % 2 = 1
    · exact ⟨0, n / 2, by omega⟩
    · obtain ⟨t, m, e⟩ := ih (n / 2) (by omega) (by omega)
      refine ⟨t + 1, m, ?_⟩
      rw [Nat.pow_succ, Nat.mul_comm (2 ^ t), Nat.mul_assoc, ← e]
      omega

theorem one_xor_double (m : Nat) : 1 ^^^ 2 * m = 2 * m + 1 := by
  have h1 : (1 ^^^ 2 * m) / 2 ^ 1 = 1 / 2 ^ 1 ^^^ 2 * m / 2 ^ 1 := Nat.xor_div_two_pow
  have h2 : (1 ^^^ 2 * m) % 2 ^ 1 = 1 % 2 ^ 1 ^^^ 2 * m % 2 ^ 1 := Nat.xor_mod_two_pow
  rw [show 1 / 2 ^ 1 = 0 by rfl, Nat.zero_xor] at h1
  rw [show 2 * m % 2 ^ 1 = 0 by omega, Nat.xor_zero] at h2
  omega

/-- Setting a bit that was not set adds it. -/
theorem two_pow_xor (t m : Nat) : 2 ^ t ^^^ 2 ^ t * (2 * m) = 2 ^ t * (2 * m + 1) := by
  have h : ∀ a, 2 ^ t * a = a <<< t := fun a => by rw [Nat.shiftLeft_eq, Nat.mul_comm]
  have h1 : 2 ^ t = 1 <<< t := by rw [Nat.shiftLeft_eq, Nat.one_mul]
  rw [h, h, ← one_xor_double, Nat.shiftLeft_xor_distrib, ← h1]

theorem dvd_of_xorClosed {Nx Ny k : Nat} (hy : 0 < Ny) (hk : ∀ j, j < k → 2 ^ j < Nx) (h : XorClosed Nx Ny) :
    2 ^ k ∣ Ny := by
  obtain ⟨t, m, rfl⟩ := exists_two_pow_mul_odd Ny hy
  by_cases ht : t < k
  · have h1 := h (2 ^ t) (2 ^ t * (2 * m)) (hk t ht) (by
      rw [Nat.mul_add]
      have := Nat.two_pow_pos t
      omega)
    rw [two_pow_xor] at h1
    omega
  · exact Nat.dvd_mul_right_of_dvd (Nat.pow_dvd_pow 2 (by omega)) _

/-! ## The least power of two -/

theorem doubleTo_spec (n fuel j : Nat) (hf : n ≤ 2 ^ (j + fuel)) (hj : ∀ i, i < j → 2 ^ i < n) :
    ∃ k, doubleTo n fuel (2 ^ j) = 2 ^ k ∧ n ≤ 2 ^ k ∧ ∀ i, i < k → 2 ^ i < n := by
  induction fuel generalizing j with
  | zero => exact ⟨j, rfl, hf, hj⟩
  | succ fuel ih =>
    rw [doubleTo]
    split
    · exact ⟨j, rfl, ‹_›, hj⟩
    · rw [show 2 * 2 ^ j = 2 ^ (j + 1) by rw [Nat.pow_succ, Nat.mul_comm]]
      refine ih (j + 1) (by rwa [Nat.add_right_comm]) fun i hi => ?_
      by_cases h : i = j
      · subst h; omega
      · exact hj i (by omega)

/-- **`nextPow2 n` is the least power of two that is at least n.**
Source: nvFuser IterDomain calculus, XOR lemma -/
theorem nextPow2_spec (n : Nat) : ∃ k, nextPow2 n = 2 ^ k ∧ n ≤ 2 ^ k ∧ ∀ i, i < k → 2 ^ i < n := by
  rw [nextPow2, show (1 : Nat) = 2 ^ 0 by rfl]
  exact doubleTo_spec n n 0 (by rw [Nat.zero_add]; exact Nat.le_of_lt Nat.lt_two_pow_self) (by simp)

theorem xorClosed_iff {Nx Ny : Nat} (hy : 0 < Ny) : XorClosed Nx Ny ↔ nextPow2 Nx ∣ Ny := by
  obtain ⟨k, hk, h1, h2⟩ := nextPow2_spec Nx
  rw [hk]
  exact ⟨dvd_of_xorClosed hy h2, xorClosed_of_dvd h1⟩

namespace Transform

/-! ## Bijections -/

theorem xor_inBox {Nx Ny x y : Int} (h : nextPow2 Nx.toNat ∣ Ny.toNat) (hx : 0 ≤ x ∧ x < Nx) (hy : 0 ≤ y ∧ y < Ny) :
    0 ≤ xorInt x y ∧ xorInt x y < Ny := by
  obtain ⟨a, rfl⟩ := Int.eq_ofNat_of_zero_le hx.1
  obtain ⟨b, rfl⟩ := Int.eq_ofNat_of_zero_le hy.1
  have h1 := (xorClosed_iff (show 0 < Ny.toNat by omega)).2 h a b (by omega) (by omega)
  have h2 : xorInt (a : Int) (b : Int) = ((a ^^^ b : Nat) : Int) := rfl
  omega

/-- **The XOR swizzle of an Nx by Ny box is a bijection exactly when the least power of two that is at least Nx divides
Ny. Equal extents are neither needed nor enough.**
Source: nvFuser `Swizzle`, where the check is missing; IterDomain calculus, XOR lemma -/
theorem xor_bijective_iff {Nx Ny : Int} (hx : 0 < Nx) (hy : 0 < Ny) :
    Bijective [Nx, Ny] xor ↔ (nextPow2 Nx.toNat : Int) ∣ Ny := by
  have hdvd : (nextPow2 Nx.toNat : Int) ∣ Ny ↔ nextPow2 Nx.toNat ∣ Ny.toNat := by
    rw [← Int.ofNat_dvd, Int.toNat_of_nonneg (by omega)]
  rw [hdvd]
  constructor
  · intro h
    refine (xorClosed_iff (by omega)).1 fun a b ha hb => ?_
    have : InBox [Nx, Ny] [(a : Int), xorInt a b] := h.1 [(a : Int), (b : Int)] (inBox_two.2 (by omega))
    have h1 := (inBox_two.1 this).2.2
    have h2 : xorInt (a : Int) (b : Int) = ((a ^^^ b : Nat) : Int) := rfl
    omega
  · intro h
    have key : ∀ i, InBox [Nx, Ny] i → InBox [Nx, Ny] (xor.fwd [Nx, Ny] i) ∧
        xor.fwd [Nx, Ny] (xor.fwd [Nx, Ny] i) = i := by
      intro i hi
      obtain ⟨x, y, rfl, hx, hy⟩ := hi.cases_two
      refine ⟨inBox_two.2 ⟨hx, xor_inBox h hx hy⟩, ?_⟩
      show [x, xorInt x (xorInt x y)] = [x, y]
      rw [xorInt_xorInt]
    have hb : ∀ i, InBox [Nx, Ny] i → xor.bwd [Nx, Ny] i = xor.fwd [Nx, Ny] i := by
      intro i hi
      obtain ⟨x, y, rfl, -⟩ := hi.cases_two
      rfl
    refine bijective_of_inverse (fun i hi => ⟨(key i hi).1, ?_⟩) fun j hj => ?_
    · rw [hb _ (key i hi).1]
      exact (key i hi).2
    · have hj : InBox [Nx, Ny] j := hj
      rw [hb _ hj]
      exact key j hj

/-- **The cyclic shift of an Nx by Ny box is a bijection exactly when the extents are equal, since nvFuser takes the
remainder by the first one.**
Source: nvFuser `swizzle.cpp`, `CyclicShift` -/
theorem cyclicShift_bijective_iff {Nx Ny : Int} (hx : 0 < Nx) (hy : 0 < Ny) :
    Bijective [Nx, Ny] cyclicShift ↔ Nx = Ny := by
  constructor
  · intro h
    rcases Int.lt_trichotomy Nx Ny with hlt | heq | hlt
    · exfalso
      have h1 := h.2.1 [0, 0] [0, Nx] (inBox_two.2 (by omega)) (inBox_two.2 (by omega)) (by
        show [0, (0 + 0) % Nx] = [0, (0 + Nx) % Nx]
        simp)
      simp only [List.cons.injEq] at h1
      omega
    · exact heq
    · exfalso
      have h1 : InBox [Nx, Ny] [Nx - 1, (Nx - 1 + 0) % Nx] := h.1 [Nx - 1, 0] (inBox_two.2 (by omega))
      rw [Int.add_zero, Int.emod_eq_of_lt (by omega) (by omega)] at h1
      have := inBox_two.1 h1
      omega
  · rintro rfl
    refine bijective_of_inverse (fun i hi => ?_) fun j hj => ?_
    · obtain ⟨x, y, rfl, h1, h2⟩ := hi.cases_two
      refine ⟨inBox_two.2 ⟨h1, Int.emod_nonneg _ (by omega), Int.emod_lt_of_pos _ hx⟩, ?_⟩
      show [x, (Nx + (x + y) % Nx - x) % Nx] = [x, y]
      rw [show Nx + (x + y) % Nx - x = (x + y) % Nx + (Nx - x) by omega, Int.emod_add_emod,
        show x + y + (Nx - x) = y + Nx by omega, Int.add_emod_right, Int.emod_eq_of_lt h2.1 h2.2]
    · obtain ⟨x, y, rfl, h1, h2⟩ := hj.cases_two (n := Nx) (m := Nx)
      refine ⟨inBox_two.2 ⟨h1, Int.emod_nonneg _ (by omega), Int.emod_lt_of_pos _ hx⟩, ?_⟩
      show [x, (x + (Nx + y - x) % Nx) % Nx] = [x, y]
      rw [Int.add_emod_emod, show x + (Nx + y - x) = y + Nx by omega, Int.add_emod_right, Int.emod_eq_of_lt h2.1 h2.2]

/-- **Running backwards through every odd row is a bijection, whatever the extents.**
Source: nvFuser `swizzle.cpp`, `ZShape` -/
theorem zShape_bijective (Nx Ny : Int) : Bijective [Nx, Ny] zShape := by
  have key : ∀ x y : Int, 0 ≤ y ∧ y < Ny → (0 ≤ (if x % 2 = 0 then y else Ny - 1 - y) ∧
      (if x % 2 = 0 then y else Ny - 1 - y) < Ny) ∧
      (if x % 2 = 0 then (if x % 2 = 0 then y else Ny - 1 - y) else
        Ny - 1 - (if x % 2 = 0 then y else Ny - 1 - y)) = y := by
    intro x y hy
    split <;> omega
  refine bijective_of_inverse (fun i hi => ?_) fun j hj => ?_
  · obtain ⟨x, y, rfl, h1, h2⟩ := hi.cases_two
    exact ⟨inBox_two.2 ⟨h1, (key x y h2).1⟩, congrArg (fun z => [x, z]) (key x y h2).2⟩
  · obtain ⟨x, y, rfl, h1, h2⟩ := hj.cases_two (n := Nx) (m := Ny)
    exact ⟨inBox_two.2 ⟨h1, (key x y h2).1⟩, congrArg (fun z => [x, z]) (key x y h2).2⟩

/-- Equal extents are not enough for XOR: in a 3×3 box, (1,2) goes to column 3. -/
example : xor.fwd [3, 3] [1, 2] = [1, 3] := by decide
/-- Nor are they needed: 3 by 4 and 2 by 6 are fine, 4 by 6, 8 by 4 and 2 by 1 are not. -/
example : nextPow2 3 ∣ 4 ∧ nextPow2 2 ∣ 6 ∧ ¬ nextPow2 4 ∣ 6 ∧ ¬ nextPow2 8 ∣ 4 ∧ ¬ nextPow2 2 ∣ 1 := by decide
/-- A cyclic shift of 4 by 8 meets column 1 of row 1 twice. -/
example : cyclicShift.fwd [4, 8] [1, 0] = [1, 1] ∧ cyclicShift.fwd [4, 8] [1, 4] = [1, 1] := by decide

end Transform

end Razorgirl.IterDomain
