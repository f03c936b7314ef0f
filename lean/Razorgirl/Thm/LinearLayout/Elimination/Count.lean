module

public import Razorgirl.Data.Perm
public import Razorgirl.Thm.LinearLayout.Elimination

@[expose] public section

/-!
# The span, counted: what is proved

A span of rank r has 2^r values; a function that respects exclusive or takes each of its values equally often; and
columns below 2^d reach everything exactly where their rank is d.
-/

namespace Razorgirl

namespace F2

theorem spanValues_cons (c : Nat) (cs : List Nat) : spanValues (c :: cs) =
    if Span cs c then spanValues cs else spanValues cs ++ (spanValues cs).map (· ^^^ c) := by
  simp only [spanValues, inSpan_iff]

/-- **The listed values are exactly those of the span.**
Source: «Linear Layouts» (arXiv 2505.23819), section 3 -/
theorem mem_vals {cs v} : v ∈ spanValues cs ↔ Span cs v := by
  induction cs generalizing v with
  | nil => simp [spanValues, Span, applyHigh, eq_comm]
  | cons c cs ih =>
    simp only [spanValues_cons, span_cons]
    split
    · rename_i h
      rw [ih]
      exact ⟨.inl, fun k => k.elim id fun k => by simpa [Nat.xor_assoc] using k.xor h⟩
    · simp only [List.mem_append, ih, List.mem_map]
      constructor
      · rintro (h | ⟨a, h, rfl⟩)
        · exact .inl h
        · exact .inr (by simpa [Nat.xor_assoc] using h)
      · rintro (h | h)
        · exact .inl h
        · exact .inr ⟨_, h, by simp [Nat.xor_assoc]⟩

/-- **A span of rank r has 2^r values.**
Source: «Linear Layouts» (arXiv 2505.23819), section 3 -/
theorem length_vals (cs) : (spanValues cs).length = 2 ^ rank cs := by
  induction cs with
  | nil => rfl
  | cons c cs ih =>
    simp only [spanValues_cons, rank_cons]
    split <;> simp [ih, Nat.pow_succ]; omega

/-- **No value of the span is listed twice.**
Source: «Linear Layouts» (arXiv 2505.23819), section 3 -/
theorem nodup_vals (cs) : (spanValues cs).Nodup := by
  induction cs with
  | nil => simp [spanValues]
  | cons c cs ih =>
    simp only [spanValues_cons]
    split
    · exact ih
    · rename_i h
      rw [List.nodup_append]
      refine ⟨ih, ?_, ?_⟩
      · rw [List.Nodup, List.pairwise_map]
        refine ih.imp fun {a b} ne e => ne ?_
        have := congrArg (· ^^^ c) e
        simpa [Nat.xor_assoc] using this
      · intro a ha b hb e
        simp only [List.mem_map, mem_vals] at ha hb
        obtain ⟨d, hd, rfl⟩ := hb
        exact h (by have := ha.xor hd; rw [e, Nat.xor_comm, ← Nat.xor_assoc] at this; simpa using this)

theorem span_map {g} (hg : Linear g) {cs v} (h : Span cs v) : Span (cs.map g) (g v) := by
  obtain ⟨x, rfl⟩ := h; exact ⟨x, applyHigh_map hg cs x⟩

theorem rank_map_le {g} (hg : Linear g) (cs) : rank (cs.map g) ≤ rank cs := by
  induction cs with
  | nil => simp
  | cons c cs ih =>
    simp only [List.map_cons, rank_cons]
    split
    · omega
    · rename_i h
      rw [if_neg fun k => h (span_map hg k)]; omega

/-- **A function that respects exclusive or takes each value that it takes on a span equally often: 2 to the rank of the span less the rank of its image.**
Source: «Linear Layouts» (arXiv 2505.23819), section 3 -/
theorem fibre {g} (hg : Linear g) (cs : List Nat) (k : Nat) :
    (spanValues cs).countP (fun w => g w = k)
      = if Span (cs.map g) k then 2 ^ (rank cs - rank (cs.map g)) else 0 := by
  induction cs generalizing k with
  | nil =>
    have : Span [] k ↔ 0 = k := by simp [Span, applyHigh]
    simp [spanValues, hg.zero, rank, basis, this]
  | cons c cs ih =>
    have le := rank_map_le hg cs
    simp only [spanValues_cons, List.map_cons, rank_cons, span_cons]
    by_cases h : Span cs c
    · have h' := span_map hg h
      simp only [h, h', if_true, ih, Nat.add_zero]
      have : Span (cs.map g) (k ^^^ g c) ↔ Span (cs.map g) k :=
        ⟨fun q => by simpa [Nat.xor_assoc] using q.xor h', fun q => q.xor h'⟩
      simp [this]
    · simp only [h, if_false, List.countP_append, List.countP_map, Function.comp_def, hg _ _,
        xor_eq_iff, ih]
      by_cases h' : Span (cs.map g) (g c)
      · have : Span (cs.map g) (k ^^^ g c) ↔ Span (cs.map g) k :=
          ⟨fun q => by simpa [Nat.xor_assoc] using q.xor h', fun q => q.xor h'⟩
        simp only [this, h', if_true, or_self]
        split
        · rw [show rank cs + 1 - (rank (cs.map g) + 0) = (rank cs - rank (cs.map g)) + 1 by omega,
            Nat.pow_succ]; omega
        · rfl
      · simp only [h', if_false, show rank cs + 1 - (rank (cs.map g) + 1)
          = rank cs - rank (cs.map g) by omega]
        have no : ¬ (Span (cs.map g) k ∧ Span (cs.map g) (k ^^^ g c)) := fun ⟨a, b⟩ =>
          h' (by have := a.xor b; rwa [xor_self_left] at this)
        by_cases a : Span (cs.map g) k <;> by_cases b : Span (cs.map g) (k ^^^ g c) <;> simp_all

theorem lin_mod (n) : Linear (· % 2 ^ n) := fun _ _ => Nat.xor_mod_two_pow

theorem lin_div (n) : Linear (· / 2 ^ n) := fun _ _ => Nat.xor_div_two_pow

theorem applyHigh_append (C B : List Nat) (x) :
    applyHigh (C ++ B) x = applyHigh C (x / 2 ^ B.length) ^^^ applyHigh B x := by
  induction C with
  | nil => simp [applyHigh]
  | cons c C ih =>
    simp only [List.cons_append, applyHigh, ih, List.length_append, Nat.testBit_div_two_pow,
      Nat.xor_assoc]

theorem span_append_right {C B : List Nat} {v} (h : Span B v) : Span (C ++ B) v := by
  induction C with
  | nil => exact h
  | cons c C ih => exact span_cons.2 (.inl ih)

theorem applyHigh_bound {cs : List Nat} {d} (h : ∀ c ∈ cs, c < 2 ^ d) (x) : applyHigh cs x < 2 ^ d := by
  induction cs with
  | nil => exact Nat.two_pow_pos d
  | cons c cs ih =>
    simp only [applyHigh]
    refine Nat.xor_lt_two_pow ?_ (ih fun e he => h e (by simp [he]))
    cases x.testBit cs.length
    · exact Nat.two_pow_pos d
    · exact h c (by simp)

theorem rank_of_full {cs : List Nat} {d} (h : ∀ v, v < 2 ^ d → Span cs v) : d ≤ rank cs := by
  have P : ((spanValues cs).filter (fun v => decide (v < 2 ^ d))).Perm (List.range (2 ^ d)) := by
    apply perm_of_nodup ((nodup_vals cs).filter _) List.nodup_range
    intro a
    simp only [List.mem_filter, mem_vals, decide_eq_true_eq, List.mem_range]
    exact ⟨And.right, fun q => ⟨h a q, q⟩⟩
  have l := P.length_eq
  have := List.length_filter_le (fun v => decide (v < 2 ^ d)) (spanValues cs)
  rw [l, length_vals, List.length_range] at this
  exact (Nat.pow_le_pow_iff_right (by omega)).1 this

theorem full_of_rank {cs : List Nat} {d} (hc : ∀ c ∈ cs, c < 2 ^ d) (h : d ≤ rank cs) :
    ∀ v, v < 2 ^ d → Span cs v := by
  have P : (spanValues cs).Perm ((List.range (2 ^ d)).filter (fun v => decide (Span cs v))) := by
    apply perm_of_nodup (nodup_vals cs) (List.nodup_range.filter _)
    intro a
    simp only [List.mem_filter, mem_vals, decide_eq_true_eq, List.mem_range]
    exact ⟨fun q => ⟨by obtain ⟨x, rfl⟩ := q; exact applyHigh_bound hc x, q⟩, And.right⟩
  have l := P.length_eq
  have u := List.length_filter_le (fun v => decide (Span cs v)) (List.range (2 ^ d))
  rw [length_vals] at l
  have : 2 ^ d ≤ 2 ^ rank cs := Nat.pow_le_pow_right (by omega) h
  have l' : ((List.range (2 ^ d)).filter (fun v => decide (Span cs v))).length
      = (List.range (2 ^ d)).length := by simp only [List.length_range] at *; omega
  intro v hv
  have := List.length_filter_eq_length_iff.1 l' v (List.mem_range.2 hv)
  simpa using this

/-- **Columns below 2^d reach every number below 2^d exactly where their rank is d.**
Source: Triton `LinearLayout::isSurjective` -/
theorem surj_iff {cs : List Nat} {d} (h : ∀ c ∈ cs, c < 2 ^ d) :
    (∀ v, v < 2 ^ d → Span cs v) ↔ rank cs = d := by
  constructor
  · intro f
    have a := rank_of_full f
    have P : (spanValues cs).length ≤ 2 ^ d := by
      have P : (spanValues cs).Perm ((List.range (2 ^ d)).filter (fun v => decide (Span cs v))) := by
        apply perm_of_nodup (nodup_vals cs) (List.nodup_range.filter _)
        intro a
        simp only [List.mem_filter, mem_vals, decide_eq_true_eq, List.mem_range]
        exact ⟨fun q => ⟨by obtain ⟨x, rfl⟩ := q; exact applyHigh_bound h x, q⟩, And.right⟩
      have := List.length_filter_le (fun v => decide (Span cs v)) (List.range (2 ^ d))
      rw [P.length_eq]; simpa using this
    rw [length_vals] at P
    have := (Nat.pow_le_pow_iff_right (by omega)).1 P
    omega
  · intro r; exact full_of_rank h (by omega)

/-- **The rank of a composition is at most that of the inner matrix.**
Source: «Linear Layouts» (arXiv 2505.23819), section 3 -/
theorem rank_comp_le (o i : List Nat) : rank (comp o i) ≤ rank i := rank_map_le (apply_xor o) i

theorem indep_cons {c cs} : Indep (c :: cs) ↔ Indep cs ∧ ¬ Span cs c := by
  have := rank_le cs
  simp only [Indep, rank_cons, List.length_cons]
  by_cases h : Span cs c <;> simp [h] <;> omega

theorem rank_map_eq {g} (hg : Linear g) (cs : List Nat) (h : ∀ v, Span cs v → g v = 0 → v = 0) :
    rank (cs.map g) = rank cs := by
  induction cs with
  | nil => rfl
  | cons c cs ih =>
    have ih := ih fun v hv => h v (span_cons.2 (.inl hv))
    simp only [List.map_cons, rank_cons, ih]
    have : Span (cs.map g) (g c) ↔ Span cs c := by
      constructor
      · rintro ⟨x, hx⟩
        rw [applyHigh_map hg] at hx
        have : g (applyHigh cs x ^^^ c) = 0 := by rw [hg, hx, Nat.xor_self]
        have := h _ (span_cons.2 (.inr ⟨x, by simp [Nat.xor_assoc]⟩)) this
        exact ⟨x, xor_eq_zero.1 this⟩
      · exact span_map hg
    simp only [this]

end F2

end Razorgirl
