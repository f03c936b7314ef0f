module

public import Razorgirl.Spec.Pipeline.Barrier

@[expose] public section

/-!
# What a wait on an mbarrier sees
-/

namespace Razorgirl

namespace Pipeline

/-- **A wait for phase `k` answers whether phase `k` is complete, if the barrier is in phase `k` or the one after.**
Source: PTX ISA, `mbarrier.test_wait.parity` -/
theorem Mbar.test_iff (b : Mbar) (k : Nat) (near : b.phase = k ∨ b.phase = k + 1) : b.test k = true ↔ k < b.phase := by
  unfold Mbar.test
  rcases near with h | h <;> simp [h] <;> omega

/-- **Two phases late, a wait takes a completed phase for one that is not complete.**
Source: PTX ISA, `mbarrier`; no source states it -/
theorem Mbar.test_late (b : Mbar) (k : Nat) (late : b.phase = k + 2) : b.test k = false := by
  unfold Mbar.test
  simp [late]

/-- **One phase early, a wait takes a phase that has not begun for a complete one.** A producer that starts with the flipped
parity uses this: its first wait on each stage passes at once.
Source: CUTLASS `make_producer_start_state` -/
theorem Mbar.test_early (b : Mbar) (k : Nat) (early : b.phase + 1 = k) : b.test k = true := by
  unfold Mbar.test
  simp
  omega

/-- **After `n` arrivals without bytes, `n / count` phases are complete, and the next one still needs `count - n % count`.**
Source: PTX ISA, `mbarrier`; no source states it -/
theorem Mbar.arrivals_init (count : Nat) (pos : 0 < count) (n : Nat) :
    arrivals count n (init count) = some ⟨n / count, count - n % count, 0⟩ := by
  induction n with
  | zero => simp [arrivals, init]
  | succ n ih =>
    have lt := Nat.mod_lt n pos
    have dm := Nat.div_add_mod n count
    have np : count - n % count ≠ 0 := by omega
    rw [arrivals, ih, Option.bind_some, arrive, if_neg np, settle]
    by_cases last : n % count + 1 = count
    · have e : n + 1 = count * (n / count + 1) := by rw [Nat.mul_add]; omega
      have d : (n + 1) / count = n / count + 1 := by rw [e, Nat.mul_div_cancel_left _ pos]
      have m : (n + 1) % count = 0 := by rw [e, Nat.mul_mod_right]
      have z : count - n % count - 1 = 0 := by omega
      simp [d, m, z]
    · have e : n + 1 = (n % count + 1) + count * (n / count) := by omega
      have d : (n + 1) / count = n / count := by
        rw [e, Nat.add_mul_div_left _ _ pos, Nat.div_eq_of_lt (by omega)]; simp
      have m : (n + 1) % count = n % count + 1 := by
        rw [e, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt (by omega)]
      have z : count - n % count - 1 ≠ 0 := by omega
      simp [d, m, z]
      omega

/-- **With `m` arrivals in each round, `r` rounds complete `r` phases for every `r` exactly if the barrier was initialised with
the count `m`.**
Source: PTX ISA, `mbarrier`; no source states it -/
theorem Mbar.rounds_iff (count m : Nat) (pos : 0 < count) :
    (∀ r, (arrivals count (r * m) (init count)).map Mbar.phase = some r) ↔ count = m := by
  simp only [arrivals_init count pos, Option.map_some, Option.some.injEq]
  constructor
  · intro h
    have big := h count
    rw [Nat.mul_div_cancel_left _ pos] at big
    omega
  · intro h r
    rw [← h, Nat.mul_div_cancel _ pos]

/-- **Bytes may land before they are expected: while an arrival is pending, `complete_tx` and `expect_tx` of the same bytes
leave the barrier as it was, in either order.**
Source: PTX ISA, `mbarrier`; no source states it -/
theorem Mbar.complete_expect (count bytes : Nat) (b : Mbar) (h : b.pending ≠ 0) :
    (b.complete count bytes).expect count bytes = b ∧ (b.expect count bytes).complete count bytes = b := by
  constructor <;> simp [complete, settle, expect, h]
  all_goals (cases b; simp; try omega)

end Pipeline

end Razorgirl
