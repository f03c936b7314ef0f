module

public import Razorgirl.Spec.Pipeline.Ring

@[expose] public section

/-!
# Sums over the first numbers, and functions that are changed at one place
-/

namespace Razorgirl

namespace Pipeline

theorem put_same {α : Type} (f : Nat → α) (i : Nat) (a : α) : put f i a i = a := by simp [put]

theorem put_other {α : Type} (f : Nat → α) {i j : Nat} (a : α) (h : j ≠ i) : put f i a j = f j := by simp [put, h]

theorem put_put {α : Type} (f : Nat → α) (i : Nat) (a b : α) : put (put f i a) i b = put f i b := by
  funext j; simp only [put]; split <;> rfl

theorem put_self {α : Type} (f : Nat → α) (i : Nat) (a : α) (h : f i = a) : put f i a = f := by
  funext j; simp only [put]; split
  · next e => rw [e, h]
  · rfl

/-- `f 0 + … + f (n - 1)`. -/
def total : Nat → (Nat → Nat) → Nat
  | 0, _ => 0
  | n + 1, f => total n f + f n

theorem total_congr {n : Nat} {f g : Nat → Nat} (h : ∀ i, i < n → f i = g i) : total n f = total n g := by
  induction n with
  | zero => rfl
  | succ n ih => rw [total, total, ih fun i hi => h i (by omega), h n (by omega)]

theorem total_eq_zero_iff {n : Nat} {f : Nat → Nat} : total n f = 0 ↔ ∀ i, i < n → f i = 0 := by
  induction n with
  | zero => simp [total]
  | succ n ih =>
    rw [total, Nat.add_eq_zero_iff, ih]
    constructor
    · rintro ⟨a, b⟩ i hi
      rcases Nat.lt_or_eq_of_le (Nat.le_of_lt_succ hi) with h | h
      · exact a i h
      · rw [h]; exact b
    · intro h
      exact ⟨fun i hi => h i (by omega), h n (by omega)⟩

/-- One summand changed. -/
theorem total_change {n : Nat} {f g : Nat → Nat} {i : Nat} (hi : i < n) (h : ∀ j, j < n → j ≠ i → f j = g j) :
    total n f + g i = total n g + f i := by
  induction n with
  | zero => omega
  | succ n ih =>
    rw [total, total]
    rcases Nat.lt_or_eq_of_le (Nat.le_of_lt_succ hi) with lt | e
    · have := ih lt fun j hj ne => h j (by omega) ne
      have := h n (by omega) (by omega)
      omega
    · subst e
      have := total_congr fun j hj => h j (by omega) (Nat.ne_of_lt hj)
      omega

theorem total_one (n : Nat) : total n (fun _ => 1) = n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [total, ih]

theorem total_mono {f : Nat → Nat} {i n : Nat} (h : i ≤ n) : total i f ≤ total n f := by
  induction n with
  | zero => rw [Nat.le_zero.mp h]; exact Nat.le_refl _
  | succ n ih =>
    rcases Nat.lt_or_eq_of_le h with lt | eq
    · rw [total]; have := ih (by omega); omega
    · rw [eq]; exact Nat.le_refl _

theorem total_front (n : Nat) (f : Nat → Nat) : total (n + 1) f = f 0 + total n (fun i => f (i + 1)) := by
  induction n with
  | zero => simp [total]
  | succ n ih => rw [total, ih, total]; omega

theorem total_getD (l : List Nat) : total l.length (fun j => l.getD j 0) = l.sum := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    rw [List.length_cons, total_front, List.sum_cons]
    simp only [List.getD_cons_zero, List.getD_cons_succ, ih]

/-- Numbers less than `S` apart have different remainders. -/
theorem mod_ne {S a b : Nat} (lt : a < b) (near : b < a + S) : b % S ≠ a % S := by
  intro e
  have := Nat.sub_mod_eq_zero_of_mod_eq e
  have := Nat.mod_eq_of_lt (show b - a < S by omega)
  omega

end Pipeline

end Razorgirl
