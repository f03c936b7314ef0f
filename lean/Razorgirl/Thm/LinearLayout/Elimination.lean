module

public import Razorgirl.Spec.LinearLayout.Elimination
public import Razorgirl.Thm.LinearLayout.Columns

@[expose] public section

/-!
# Elimination over two elements: what is proved

What is left of a vector differs from it by the selected columns; it is 0 exactly in the span; and the selection is the
least one.
-/

namespace Razorgirl

namespace F2

theorem Span.zero (cs) : Span cs 0 := ⟨0, applyHigh_zero cs⟩

theorem Span.xor {cs a b} : Span cs a → Span cs b → Span cs (a ^^^ b)
  | ⟨x, hx⟩, ⟨y, hy⟩ => ⟨x ^^^ y, by rw [applyHigh_xor, hx, hy]⟩

theorem applyHigh_cons_mod (c : Nat) (cs x) :
    applyHigh (c :: cs) x = sel (x.testBit cs.length) c ^^^ applyHigh cs (x % 2 ^ cs.length) := by
  simp only [applyHigh]; rw [applyHigh_mod cs x _ (Nat.le_refl _)]

theorem span_cons {c cs v} : Span (c :: cs) v ↔ Span cs v ∨ Span cs (v ^^^ c) := by
  constructor
  · rintro ⟨x, rfl⟩
    simp only [applyHigh]
    cases x.testBit cs.length
    · exact .inl ⟨x, by simp⟩
    · exact .inr ⟨x, by simp [Nat.xor_comm c, Nat.xor_assoc]⟩
  · rintro (⟨x, hx⟩ | ⟨x, hx⟩)
    · refine ⟨x % 2 ^ cs.length, ?_⟩
      simp [applyHigh_cons_mod, Nat.testBit_mod_two_pow, applyHigh_mod, hx]
    · refine ⟨x % 2 ^ cs.length ^^^ 2 ^ cs.length, ?_⟩
      rw [applyHigh_xor]
      simp only [applyHigh, Nat.testBit_mod_two_pow, Nat.testBit_two_pow]
      simp [applyHigh_mod, applyHigh_two_pow, hx, Nat.xor_assoc]

/-- The test whether a row acts on what is left. -/
def hit (v r : Nat) : Bool := decide (v ≠ 0) && r.testBit v.log2

theorem hit_xor (v a b) : hit v (a ^^^ b) = (hit v a ^^ hit v b) := by
  simp only [hit, Nat.testBit_xor]; cases decide (v ≠ 0) <;> simp

theorem reduce_cons (v m E b) : reduce ((v, m) :: E) b
    = ((reduce E b).1 ^^^ sel (hit v (reduce E b).1) v, (reduce E b).2 ^^^ sel (hit v (reduce E b).1) m) := by
  simp only [reduce, hit]
  by_cases h : v ≠ 0 ∧ (reduce E b).1.testBit v.log2 = true
  · simp [h]
  · rw [if_neg h]
    have : (decide (v ≠ 0) && (reduce E b).1.testBit v.log2) = false := by
      simpa using h
    rw [this]; simp

theorem reduce_xor (E a b) : reduce E (a ^^^ b)
    = ((reduce E a).1 ^^^ (reduce E b).1, (reduce E a).2 ^^^ (reduce E b).2) := by
  induction E with
  | nil => simp [reduce]
  | cons p E ih =>
    obtain ⟨v, m⟩ := p
    simp only [reduce_cons, ih, hit_xor, sel_xor]
    congr 1 <;> ac_rfl

theorem applyHigh_cons_lt {c : Nat} {cs x} (h : x < 2 ^ cs.length) : applyHigh (c :: cs) x = applyHigh cs x := by
  simp [applyHigh, Nat.testBit_lt_two_pow h]

theorem applyHigh_cons_top {c : Nat} {cs x} (h : x < 2 ^ cs.length) :
    applyHigh (c :: cs) (x ^^^ 2 ^ cs.length) = c ^^^ applyHigh cs x := by
  rw [applyHigh_xor, applyHigh_cons_lt h, Nat.xor_comm]
  simp [applyHigh, applyHigh_two_pow]

/-- **What is left of a vector, exclusive-ored with the selected columns, is the vector.**
Source: Gaussian elimination; Triton `getReducedMatrix` -/
theorem reduce_apply (cs : List Nat) (b : Nat) :
    (reduce (eliminate cs) b).1 ^^^ applyHigh cs (reduce (eliminate cs) b).2 = b
    ∧ (reduce (eliminate cs) b).2 < 2 ^ cs.length := by
  induction cs generalizing b with
  | nil => simp [eliminate, reduce, applyHigh]
  | cons c cs ih =>
    obtain ⟨h1, h2⟩ := ih b
    obtain ⟨k1, k2⟩ := ih c
    have p : (2:Nat) ^ cs.length < 2 ^ (c :: cs).length := by
      simp [Nat.pow_succ]; have := Nat.two_pow_pos cs.length; omega
    simp only [eliminate, reduce_cons]
    cases hit (reduce (eliminate cs) c).1 (reduce (eliminate cs) b).1
    · simp only [sel_false, Nat.xor_zero]
      exact ⟨by rw [applyHigh_cons_lt h2]; exact h1, by omega⟩
    · simp only [sel_true]
      constructor
      · rw [applyHigh_xor, applyHigh_cons_lt h2, applyHigh_cons_top k2]
        calc _ = ((reduce (eliminate cs) b).1 ^^^ applyHigh cs (reduce (eliminate cs) b).2)
              ^^^ (((reduce (eliminate cs) c).1 ^^^ applyHigh cs (reduce (eliminate cs) c).2) ^^^ c) := by ac_rfl
          _ = b := by rw [h1, k1]; simp
      · exact Nat.xor_lt_two_pow (by omega) (Nat.xor_lt_two_pow (by omega) p)

theorem reduce_span (cs : List Nat) (b : Nat) : (reduce (eliminate cs) b).1 = 0 ↔ Span cs b := by
  constructor
  · intro h
    have := (reduce_apply cs b).1
    rw [h, Nat.zero_xor] at this
    exact ⟨_, this⟩
  · induction cs generalizing b with
    | nil => rintro ⟨x, hx⟩; simpa [eliminate, reduce, applyHigh] using hx.symm
    | cons c cs ih =>
      intro h
      simp only [eliminate, reduce_cons]
      rcases span_cons.1 h with h | h
      · rw [ih b h]; simp [hit]
      · have e := ih _ h
        rw [reduce_xor] at e
        simp only [xor_eq_zero] at e
        rw [e]
        by_cases hv : (reduce (eliminate cs) c).1 = 0
        · simp [hv]
        · simp [hit, hv, testBit_log2]

/-- **Elimination decides the span: the test holds exactly where some selection of the columns gives the vector.**
Source: Gaussian elimination -/
theorem inSpan_iff (cs : List Nat) (v : Nat) : inSpan cs v = true ↔ Span cs v := by
  rw [inSpan, beq_iff_eq, reduce_span]

instance (cs v) : Decidable (Span cs v) := decidable_of_iff _ (inSpan_iff cs v)

theorem reduce_least (cs : List Nat) (y : Nat) : (reduce (eliminate cs) (applyHigh cs y)).2 ≤ y := by
  suffices H : ∀ b, applyHigh cs y = b → (reduce (eliminate cs) b).2 ≤ y from H _ rfl
  induction cs generalizing y with
  | nil => intro b _; simp [eliminate, reduce]
  | cons c cs ih =>
    intro b hb
    have h2 := (reduce_apply cs b).2
    simp only [eliminate, reduce_cons]
    cases hy : y.testBit cs.length
    · have hs : applyHigh cs y = b := by simpa [applyHigh, hy] using hb
      rw [(reduce_span cs b).2 ⟨y, hs⟩]
      simp only [hit, Nat.zero_testBit, Bool.and_false, sel_false, Nat.xor_zero]
      exact ih y b hs
    · have ge : 2 ^ cs.length ≤ y := by
        apply Nat.le_of_not_lt; intro h; simp [Nat.testBit_lt_two_pow h] at hy
      cases hit (reduce (eliminate cs) c).1 (reduce (eliminate cs) b).1
      · simp only [sel_false, Nat.xor_zero]; omega
      · simp only [sel_true]
        have hs : applyHigh cs (y % 2 ^ cs.length) = b ^^^ c := by
          rw [applyHigh_mod _ _ _ (Nat.le_refl _), ← hb]; simp [applyHigh, hy, Nat.xor_comm c, Nat.xor_assoc]
        have := ih _ _ hs
        rw [reduce_xor] at this
        have k2 := (reduce_apply cs c).2
        rw [← Nat.xor_assoc, xor_two_pow (Nat.xor_lt_two_pow h2 k2)]
        have d := Nat.div_add_mod y (2 ^ cs.length)
        have : 1 ≤ y / 2 ^ cs.length := (Nat.le_div_iff_mul_le (Nat.two_pow_pos _)).2 (by omega)
        have := Nat.mul_le_mul_left (2 ^ cs.length) this
        simp only at *
        omega

/-- **The solver answers `x` exactly where `x` selects the vector and no smaller number does.**
Source: Triton `lstsq`; stated otherwise: the least one -/
theorem solve_some {cs b x} : solve cs b = some x ↔ applyHigh cs x = b ∧ ∀ y, applyHigh cs y = b → x ≤ y := by
  have H : ∀ x, solve cs b = some x → applyHigh cs x = b ∧ ∀ y, applyHigh cs y = b → x ≤ y := by
    intro x h
    simp only [solve] at h
    split at h
    · rename_i h0
      cases h
      have := (reduce_apply cs b).1
      rw [h0, Nat.zero_xor] at this
      exact ⟨this, fun y hy => hy ▸ reduce_least cs y⟩
    · cases h
  constructor
  · exact H x
  · rintro ⟨h1, h2⟩
    have h0 := (reduce_span cs b).2 ⟨x, h1⟩
    have e : solve cs b = some (reduce (eliminate cs) b).2 := by simp [solve, h0]
    have := H _ e
    rw [e]; congr 1
    exact Nat.le_antisymm (this.2 _ h1) (h2 _ this.1)

/-- **The solver answers nothing exactly where no selection gives the vector.**
Source: Triton `lstsq` -/
theorem solve_none {cs b} : solve cs b = none ↔ ¬ Span cs b := by
  rw [← reduce_span]; simp [solve]

theorem leave_eq (rows : List (Nat × Nat)) (v : Nat) :
    leave ((rows.map Prod.fst).filter (· != 0)) v = (reduce rows v).1 := by
  induction rows with
  | nil => rfl
  | cons p rows ih =>
    obtain ⟨r, m⟩ := p
    by_cases h : r = 0
    · subst h; simpa [reduce] using ih
    · simp only [List.map_cons, List.filter_cons, bne_iff_ne, ne_eq, h, not_false_eq_true, if_true, leave, ih, reduce, true_and]
      split <;> rfl

/-- **The basis is what elimination leaves of the columns, other than 0.**
Source: Gaussian elimination -/
theorem basis_eq (cs : List Nat) : basis cs = ((eliminate cs).map Prod.fst).filter (· != 0) := by
  induction cs with
  | nil => rfl
  | cons c cs ih =>
    simp only [basis, eliminate, ih, leave_eq, List.map_cons, List.filter_cons, bne_iff_ne, ne_eq]
    split <;> simp [*]

/-- **The rank counts the columns that depend on no columns before them.**
Source: Gaussian elimination -/
theorem rank_cons (c : Nat) (cs : List Nat) : rank (c :: cs) = rank cs + if Span cs c then 0 else 1 := by
  simp only [rank, basis, basis_eq, leave_eq, ← reduce_span]
  split <;> simp

/-- **A column is free exactly where it depends on the columns before it.**
Source: Triton `getFreeVariableMasks` -/
theorem free_cons (c : Nat) (cs : List Nat) : free (c :: cs) = decide (Span cs c) :: free cs := by
  simp only [free, eliminate, List.map_cons, List.cons.injEq, and_true]
  rw [Bool.eq_iff_iff, beq_iff_eq, reduce_span, decide_eq_true_iff]

theorem rank_le (cs) : rank cs ≤ cs.length := by
  induction cs with
  | nil => simp [rank, basis]
  | cons c cs ih => simp only [rank_cons, List.length_cons]; split <;> omega

theorem inj_iff_kernel (cs) : Injective cs ↔ ∀ z, z < 2 ^ cs.length → applyHigh cs z = 0 → z = 0 := by
  constructor
  · intro h z hz h0
    exact h z 0 hz (Nat.two_pow_pos _) (by rw [h0, applyHigh_zero])
  · intro h x y hx hy e
    exact xor_eq_zero.1 (h _ (Nat.xor_lt_two_pow hx hy) (by rw [applyHigh_xor, e, Nat.xor_self]))

/-- **A matrix is injective exactly where its rank is the number of its columns.**
Source: Triton `LinearLayout::isInjective` -/
theorem inj_iff_rank (cs) : Injective cs ↔ rank cs = cs.length := by
  rw [inj_iff_kernel]
  induction cs with
  | nil => simp [rank, basis]
  | cons c cs ih =>
    have hr := rank_le cs
    have p := Nat.two_pow_pos cs.length
    simp only [rank_cons, List.length_cons]
    constructor
    · intro h
      have : rank cs = cs.length := ih.1 fun z hz h0 =>
        h z (by rw [Nat.pow_succ]; omega) (by rw [applyHigh_cons_lt hz, h0])
      split
      · rename_i hs
        obtain ⟨x, hx⟩ := hs
        rw [← applyHigh_mod cs x _ (Nat.le_refl _)] at hx
        have hl := Nat.mod_lt x p
        have := h (x % 2 ^ cs.length ^^^ 2 ^ cs.length)
          (by rw [xor_two_pow hl, Nat.pow_succ]; omega) (by rw [applyHigh_cons_top hl, hx, Nat.xor_self])
        rw [xor_two_pow hl] at this; omega
      · omega
    · intro h z hz h0
      split at h
      · omega
      · rename_i hs
        cases hb : z.testBit cs.length
        · have h0' : applyHigh cs z = 0 := by simpa [applyHigh, hb] using h0
          have lt : z < 2 ^ cs.length := by
            apply Nat.lt_pow_two_of_testBit
            intro i hi
            by_cases e : i = cs.length
            · rw [e]; exact hb
            · exact Nat.testBit_lt_two_pow (Nat.lt_of_lt_of_le hz
                (Nat.pow_le_pow_right (by omega) (by omega)))
          exact ih.2 (by omega) z lt h0'
        · exact absurd ⟨z, (xor_eq_zero.1 (by simpa [applyHigh, hb] using h0)).symm⟩ hs

end F2

end Razorgirl
