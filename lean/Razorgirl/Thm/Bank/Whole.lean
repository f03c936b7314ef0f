module

public import Razorgirl.Thm.Bank.Access
public import Razorgirl.Thm.Bank.Phase

@[expose] public section

/-!
# A whole access at a plain stride: what is proved

The lanes of a phase are evenly spaced as all are, from a base of their own. So every full phase takes as many wavefronts
as the first.
-/

namespace Razorgirl

namespace Bank

theorem strided_chunk (b s : Nat) {n i k : Nat} (h : i * k + k ≤ n) :
    ((strided b s n).drop (i * k)).take k = strided (b + i * k * s) s k := by
  apply List.ext_getElem
  · simp only [strided, List.length_take, List.length_drop, List.length_map, List.length_range]
    omega
  · intro j h₁ h₂
    simp only [strided, List.getElem_take, List.getElem_drop, List.getElem_map, List.getElem_range]
    rw [Nat.add_mul, Nat.add_assoc]

/-- **An access of n full phases at a plain stride of s words, a word being u = max(4, vector) bytes and the base a multiple of
it, takes gcd(s, 128/u) wavefronts in each of them, and 1 where s is 0.**
Source: nvFuser `mma_utils.cpp`, note on ldmatrix bank conflicts; stated otherwise: for all phases -/
theorem access_strided (b : Nat) {s d e : Nat} (he : e = max 2 d) (hd : d ≤ 4) (n : Nat) :
    access (2 ^ d) (strided (2 ^ e * b) (2 ^ e * s) (n * 2 ^ (7 - e))) =
      List.replicate n (if s = 0 then 1 else Nat.gcd s (2 ^ (7 - e))) := by
  have p := Nat.two_pow_pos (7 - e)
  have len : (strided (2 ^ e * b) (2 ^ e * s) (n * 2 ^ (7 - e))).length = n * 2 ^ (7 - e) := by
    rw [strided, List.length_map, List.length_range]
  rw [access, lanesOfPhase_eq he hd, phasesOf_eq p n _ _ len (by rw [len]; exact Nat.le_mul_of_pos_right _ p),
    List.eq_replicate_iff]
  refine ⟨by rw [List.length_map, List.length_range], fun x hx => ?_⟩
  obtain ⟨i, hi, rfl⟩ := List.mem_map.1 hx
  have fits : i * 2 ^ (7 - e) + 2 ^ (7 - e) ≤ n * 2 ^ (7 - e) := by
    rw [← Nat.succ_mul]; exact Nat.mul_le_mul_right _ (List.mem_range.1 hi)
  rw [strided_chunk _ _ fits, show 2 ^ e * b + i * 2 ^ (7 - e) * (2 ^ e * s) = 2 ^ e * (b + i * 2 ^ (7 - e) * s) by
    rw [Nat.mul_add, Nat.mul_left_comm (i * 2 ^ (7 - e))]]
  exact phase_strided _ he hd

end Bank

end Razorgirl
