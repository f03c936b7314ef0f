module

public import Razorgirl.Thm.LinearLayout.Elimination.Count

@[expose] public section

/-!
# Inverses over two elements: what is proved

Solving is linear in what is solved for. So the solutions for the unit vectors are the columns of a matrix that takes
every vector of the span to its least preimage.
-/

namespace Razorgirl

namespace F2

theorem red2_lin (cs) : Linear (fun b => (reduce (eliminate cs) b).2) := fun a b => by simp [reduce_xor]

/-- **The pseudo-inverse takes a vector of the span to its least preimage.**
Source: Triton `pseudoinvert`; stated otherwise: the least one -/
theorem pseudoInverse_least {cs m b} (hb : b < 2 ^ m) (h : Span cs b) :
    applyHigh cs (apply (pseudoInverse cs m) b) = b ∧ ∀ y, applyHigh cs y = b → apply (pseudoInverse cs m) b ≤ y := by
  simp only [pseudoInverse]
  rw [apply_colsOf (red2_lin cs) m b hb]
  have h0 := (reduce_span cs b).2 h
  exact solve_some.1 (by simp [solve, h0])

theorem span_app {A B} (hB : ∀ b ∈ B, Span A b) (x) : Span A (applyHigh B x) := by
  induction B with
  | nil => exact Span.zero A
  | cons b B ih =>
    simp only [applyHigh]
    have hb := hB b (by simp)
    refine Span.xor ?_ (ih fun c hc => hB c (by simp [hc]))
    cases x.testBit B.length
    · exact Span.zero A
    · exact hb

theorem applyHigh_col {B : List Nat} {b} (h : b ∈ B) : ∃ x, x < 2 ^ B.length ∧ applyHigh B x = b := by
  induction B with
  | nil => cases h
  | cons c B ih =>
    have P : 2 ^ (c :: B).length = 2 ^ B.length + 2 ^ B.length := by
      simp [Nat.pow_succ, Nat.mul_two]
    have p := Nat.two_pow_pos B.length
    rcases List.mem_cons.1 h with rfl | h
    · exact ⟨2 ^ B.length, by omega, by simp [applyHigh, applyHigh_two_pow]⟩
    · obtain ⟨x, hx, e⟩ := ih h
      exact ⟨x, by omega, by rw [applyHigh_cons_lt hx, e]⟩

theorem spans_iff (A B : List Nat) : spans A B = true ↔ ∀ b ∈ B, Span A b := by
  simp only [spans, List.all_eq_true, beq_iff_eq, reduce_span]

theorem leastSolutions_eq (A B : List Nat) : leastSolutions A B =
    if ∀ b ∈ B, Span A b then some (B.map fun b => (reduce (eliminate A) b).2) else none := by
  simp only [leastSolutions, spans_iff]

/-- **The matrix of least solutions, put before `A`, gives `B`.**
Source: Triton `lstsq` -/
theorem leastSolutions_some {A B X} (h : leastSolutions A B = some X) (x) : applyHigh A (applyHigh X x) = applyHigh B x := by
  rw [leastSolutions_eq] at h
  split at h
  · rename_i hB
    cases h
    rw [applyHigh_map (red2_lin A)]
    have : Span A (applyHigh B x) := span_app hB x
    have e := (reduce_apply A (applyHigh B x)).1
    rw [(reduce_span A _).2 this, Nat.zero_xor] at e
    exact e
  · cases h

/-- **No matrix of least solutions is given exactly where no matrix at all, put before `A`, gives `B`.**
Source: Triton `lstsq` -/
theorem leastSolutions_none {A B} : leastSolutions A B = none ↔ ¬ ∃ X : List Nat, ∀ x, applyHigh A (applyHigh X x) = applyHigh B x := by
  constructor
  · rintro h ⟨X, hX⟩
    rw [leastSolutions_eq] at h
    split at h
    · cases h
    · rename_i n
      apply n; intro b hb
      obtain ⟨x, _, e⟩ := applyHigh_col hb
      exact ⟨applyHigh X x, by rw [hX, e]⟩
  · intro h
    cases e : leastSolutions A B with
    | none => rfl
    | some X => exact absurd ⟨X, leastSolutions_some e⟩ h

theorem full_units {cs : List Nat} {d} (h : ∀ i, i < d → Span cs (2 ^ i)) (v) (hv : v < 2 ^ d) :
    Span cs v := by
  rw [← apply_colsOf (g := fun x => x) (fun _ _ => rfl) d v hv, apply_eq_app]
  apply span_app
  simp only [columnsOf, List.mem_reverse, List.mem_map, List.mem_range]
  rintro b ⟨i, hi, rfl⟩
  exact h i hi

/-- **Each column of the least solutions is the least selection of columns of `A` that gives that column of `B`.**
Source: Triton `lstsq`; stated otherwise: the least one -/
theorem leastSolutions_least {A B X : List Nat} (h : leastSolutions A B = some X) :
    X.length = B.length ∧ ∀ i (hi : i < B.length), ∀ y, applyHigh A y = B[i] → X.getD i 0 ≤ y := by
  rw [leastSolutions_eq] at h
  split at h
  · cases h
    refine ⟨by simp, fun i hi y hy => ?_⟩
    simp only [List.getD_eq_getElem?_getD, List.getElem?_map, List.getElem?_eq_getElem hi, Option.map_some,
      Option.getD_some, ← hy]
    exact reduce_least A y
  · cases h

end F2

end Razorgirl
