module

public import Razorgirl.Spec.IterDomain.Transform
public import Razorgirl.Thm.Int.Ceil

@[expose] public section

/-!
# Lemmas: boxes, short lists
-/

namespace Razorgirl.IterDomain

/-! ## Short lists -/

theorem length_eq_two {i : List Int} (h : i.length = 2) : ∃ a b, i = [a, b] := by
  obtain ⟨a, i, rfl⟩ := List.exists_cons_of_length_eq_add_one h
  obtain ⟨b, rfl⟩ := List.length_eq_one_iff.1 (by simpa using h)
  exact ⟨a, b, rfl⟩

theorem length_eq_three {i : List Int} (h : i.length = 3) : ∃ a b c, i = [a, b, c] := by
  obtain ⟨a, i, rfl⟩ := List.exists_cons_of_length_eq_add_one h
  obtain ⟨b, c, rfl⟩ := length_eq_two (i := i) (by simpa using h)
  exact ⟨a, b, c, rfl⟩

/-! ## Boxes -/

theorem inBox_iff (N i : List Int) : inBox N i = true ↔ InBox N i := by
  induction N generalizing i with
  | nil => cases i <;> simp [inBox, InBox]
  | cons n N ih => cases i <;> simp [inBox, InBox, ih]

instance (N i : List Int) : Decidable (InBox N i) := decidable_of_iff _ (inBox_iff N i)

theorem InBox.length_eq {N i : List Int} (h : InBox N i) : i.length = N.length := by
  induction N generalizing i with
  | nil => cases i <;> simp_all [InBox]
  | cons n N ih =>
    cases i with
    | nil => simp [InBox] at h
    | cons a i => simp [ih h.2]

theorem inBox_append_iff {N i M k : List Int} (h : i.length = N.length) :
    InBox (N ++ M) (i ++ k) ↔ InBox N i ∧ InBox M k := by
  induction N generalizing i with
  | nil =>
    obtain rfl : i = [] := by simpa using h
    simp [InBox]
  | cons n N ih =>
    cases i with
    | nil => simp at h
    | cons a i => simp [InBox, ih (i := i) (by simpa using h), and_assoc]

/-- A point of a box that is put together from parts is put together likewise. -/
theorem InBox.split {A B i : List Int} (h : InBox (A ++ B) i) :
    ∃ a b, i = a ++ b ∧ InBox A a ∧ InBox B b := by
  have hl := h.length_eq
  rw [List.length_append] at hl
  have ht : (i.take A.length).length = A.length := by simp; omega
  rw [← List.take_append_drop A.length i, inBox_append_iff ht] at h
  exact ⟨_, _, (List.take_append_drop A.length i).symm, h⟩

theorem inBox_one {n a : Int} : InBox [n] [a] ↔ 0 ≤ a ∧ a < n := by simp [InBox]

theorem inBox_two {n m a b : Int} : InBox [n, m] [a, b] ↔ (0 ≤ a ∧ a < n) ∧ 0 ≤ b ∧ b < m := by simp [InBox]

theorem inBox_three {n m p a b c : Int} :
    InBox [n, m, p] [a, b, c] ↔ (0 ≤ a ∧ a < n) ∧ (0 ≤ b ∧ b < m) ∧ 0 ≤ c ∧ c < p := by simp [InBox]

theorem InBox.cases_one {n : Int} {i : List Int} (h : InBox [n] i) : ∃ a, i = [a] ∧ 0 ≤ a ∧ a < n := by
  obtain ⟨a, rfl⟩ := List.length_eq_one_iff.1 h.length_eq
  exact ⟨a, rfl, inBox_one.1 h⟩

theorem InBox.cases_two {n m : Int} {i : List Int} (h : InBox [n, m] i) :
    ∃ a b, i = [a, b] ∧ (0 ≤ a ∧ a < n) ∧ 0 ≤ b ∧ b < m := by
  obtain ⟨a, b, rfl⟩ := length_eq_two h.length_eq
  exact ⟨a, b, rfl, inBox_two.1 h⟩

/-- A list as long as three others together, cut to their lengths. -/
theorem Transform.Aux.cut_three {x y z l : List Int} (h : l.length = x.length + (y.length + z.length)) :
    ∃ a b c, l = a ++ b ++ c ∧ a.length = x.length ∧ b.length = y.length ∧ c.length = z.length := by
  refine ⟨l.take x.length, (l.drop x.length).take y.length, (l.drop x.length).drop y.length, ?_, ?_, ?_, ?_⟩
  · rw [List.append_assoc, List.take_append_drop, List.take_append_drop]
  all_goals simp; omega

theorem Transform.Aux.take_three {α : Type} {a b c : List α} {n : Nat} (ha : a.length = n) :
    (a ++ b ++ c).take n = a := by
  rw [List.append_assoc, ← ha, List.take_left]

theorem Transform.Aux.mid_three {α : Type} {a b c : List α} {n m : Nat} (ha : a.length = n) (hb : b.length = m) :
    ((a ++ b ++ c).drop n).take m = b := by
  rw [List.append_assoc, ← ha, List.drop_left, ← hb, List.take_left]

theorem Transform.Aux.drop_three {α : Type} {a b c : List α} {n m : Nat} (ha : a.length = n) (hb : b.length = m) :
    (a ++ b ++ c).drop (n + m) = c := by
  rw [← ha, ← hb, ← List.length_append, List.drop_left]

/-! ## Division -/

/-- A quotient and a remainder in range are the quotient and the remainder. -/
theorem ediv_mul_add {q r d : Int} (h0 : 0 ≤ r) (h1 : r < d) : (q * d + r) / d = q := by
  rw [Int.add_comm, Int.mul_comm, Int.add_mul_ediv_left _ _ (by omega), Int.ediv_eq_zero_of_lt h0 h1]
  omega

theorem emod_mul_add {q r d : Int} (h0 : 0 ≤ r) (h1 : r < d) : (q * d + r) % d = r := by
  rw [Int.add_comm, Int.mul_comm, Int.add_mul_emod_self_left, Int.emod_eq_of_lt h0 h1]

/-- nvFuser 2.12, for divisors of at least 1: the remainder of the product, from the two divisions in turn. -/
theorem emod_mul_ediv {m n : Int} (a : Int) (hn : 0 < n) : a % (m * n) / n = a / n % m := by
  rw [Int.emod_def a (m * n), Int.emod_def (a / n) m, Int.ediv_ediv_of_nonneg (by omega), Int.mul_comm n m]
  rw [show a - m * n * (a / (m * n)) = a + -(m * (a / (m * n))) * n by
    rw [Int.neg_mul, Int.sub_eq_add_neg, Int.mul_right_comm]]
  rw [Int.add_mul_ediv_right _ _ (by omega)]
  omega

theorem emod_mul_emod (m n a : Int) : a % (m * n) % n = a % n :=
  Int.emod_emod_of_dvd _ ⟨m, by rw [Int.mul_comm]⟩

/-- The remainder of the product, put together from the two divisions in turn. -/
theorem emod_mul {m n : Int} (a : Int) (hn : 0 < n) : a % (m * n) = a / n % m * n + a % n := by
  rw [← emod_mul_ediv a hn, ← emod_mul_emod m n a, Int.ediv_mul_add_emod]

end Razorgirl.IterDomain
