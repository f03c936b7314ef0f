module

public import Razorgirl.Thm.Bank

@[expose] public section

/-!
# Banks of evenly spaced lanes: what is proved

A full phase at a plain stride meets each of its banks as often as the greatest common divisor says.
-/

namespace Razorgirl

namespace Bank

theorem count_class (g P' r : Nat) (hr : r < P') :
    (List.range (g * P')).countP (fun i => i % P' = r) = g := by
  induction g with
  | zero => simp
  | succ g ih =>
    rw [Nat.succ_mul, List.range_add, List.countP_append, ih, List.countP_map]
    have : (List.range P').countP ((fun i => decide (i % P' = r)) ∘ (fun x => g * P' + x))
        = (List.range P').countP (fun i => i == r) := by
      apply List.countP_congr
      intro i hi
      simp only [List.mem_range] at hi
      simp [Nat.mul_add_mod_self_right, Nat.mod_eq_of_lt hi]
    rw [this]
    have c := (List.nodup_range (n := P')).count (a := r)
    simp only [List.mem_range, hr, if_true] at c
    rw [List.count] at c
    rw [c]

theorem mod_eq_iff_dvd {a b P : Nat} (h : a ≤ b) : a % P = b % P ↔ P ∣ b - a := by
  constructor
  · intro e; exact Nat.dvd_of_mod_eq_zero (Nat.sub_mod_eq_zero_of_mod_eq e.symm)
  · rintro ⟨q, hq⟩
    rw [show b = a + P * q by omega, Nat.add_mul_mod_self_left]

theorem strided_class {s P g P' s' : Nat} (g0 : 0 < g) (hs : s = g * s') (hP : P = g * P')
    (co : Nat.Coprime P' s') (b i j : Nat) :
    (b + i * s) % P = (b + j * s) % P ↔ i % P' = j % P' := by
  have main : ∀ i j, i ≤ j → ((b + i * s) % P = (b + j * s) % P ↔ i % P' = j % P') := by
    intro i j h
    rw [mod_eq_iff_dvd h, mod_eq_iff_dvd (Nat.add_le_add_left (Nat.mul_le_mul_right s h) b),
      show b + j * s - (b + i * s) = (j - i) * s by rw [Nat.sub_mul]; omega, hs, hP,
      Nat.mul_left_comm, Nat.mul_dvd_mul_iff_left g0]
    exact ⟨co.dvd_of_dvd_mul_right, fun q => Nat.dvd_mul_right_of_dvd q s'⟩
  rcases Nat.le_total i j with h | h
  · exact main i j h
  · rw [eq_comm, main j i h, eq_comm]

/-- **Of P numbers at a stride s > 0, at most gcd(s, P) lie in one class modulo P, and exactly so many in that of the first.**
Source: nvFuser `mma_utils.cpp`, note on ldmatrix bank conflicts (clock lemma) -/
theorem strided_count (b s P k : Nat) (hs : 0 < s) (hP : 0 < P) :
    (strided b s P).countP (fun w => decide (w % P = k)) ≤ Nat.gcd s P
    ∧ (k = b % P → (strided b s P).countP (fun w => decide (w % P = k)) = Nat.gcd s P) := by
  have g0 : 0 < Nat.gcd s P := Nat.gcd_pos_of_pos_left P hs
  obtain ⟨s', e1⟩ := Nat.gcd_dvd_left s P
  obtain ⟨P', e2⟩ := Nat.gcd_dvd_right s P
  have co : Nat.Coprime P' s' := by
    have := Nat.coprime_div_gcd_div_gcd g0
    rw [Nat.div_eq_of_eq_mul_right g0 e1, Nat.div_eq_of_eq_mul_right g0 e2] at this
    exact this.symm
  generalize Nat.gcd s P = g at *
  have P0 : 0 < P' := by apply Nat.pos_of_ne_zero; rintro rfl; simp at e2; omega
  have cls : ∀ j, (strided b s P).countP (fun w => decide (w % P = (b + j * s) % P)) = g := by
    intro j
    rw [strided, List.countP_map]
    simp only [Function.comp_def, strided_class g0 e1 e2 co b]
    rw [e2]; exact count_class g P' _ (Nat.mod_lt _ P0)
  constructor
  · by_cases h : ∃ j, (b + j * s) % P = k
    · obtain ⟨j, rfl⟩ := h; rw [cls]; exact Nat.le_refl _
    · have : (strided b s P).countP (fun w => decide (w % P = k)) = 0 := by
        rw [List.countP_eq_zero]
        intro w hw
        simp only [strided, List.mem_map] at hw
        obtain ⟨j, _, rfl⟩ := hw
        simpa using fun q => h ⟨j, q⟩
      omega
  · rintro rfl
    have := cls 0
    simpa using this

end Bank

end Razorgirl
