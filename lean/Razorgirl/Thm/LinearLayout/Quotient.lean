module

public import Razorgirl.Thm.LinearLayout.Dims

@[expose] public section

/-!
# Trivial dimensions and quotients: what is proved

A quotient is answered exactly where the layout is the identity on the dimensions that are divided out and these have
nothing to do with the others; then the layout is that identity beside the quotient.
-/

namespace Razorgirl

namespace LinearLayout

open F2

theorem mem_without (D : Dims) (names : List String) (n : String) :
    n ∈ (D.without names).names ↔ D.has n = true ∧ n ∉ names := by
  rw [has_iff_names]
  simp only [Dims.names, Dims.without, List.mem_map, List.mem_filter, List.elem_eq_mem, Bool.not_eq_true',
    decide_eq_false_iff_not]
  constructor
  · rintro ⟨d, ⟨h₁, h₂⟩, rfl⟩
    exact ⟨⟨d, h₁, rfl⟩, h₂⟩
  · rintro ⟨⟨d, h₁, rfl⟩, h₂⟩
    exact ⟨d, ⟨h₁, h₂⟩, rfl⟩

theorem only_names (D : Dims) : D.only D.names = D := by
  refine List.filter_eq_self.2 fun d hd => ?_
  simp only [List.elem_eq_mem, decide_eq_true_eq]
  exact List.mem_map.2 ⟨d, hd, rfl⟩

theorem eval_onlyAt_names {L : LinearLayout} (hL : L.wellFormed = true) (p : Point) :
    L.eval (onlyAt L.ins.names p) = L.eval p := by
  apply eval_congr (distinct_ins hL)
  intro n
  rw [restrict, restrict, onlyAt]
  split
  · rfl
  · rename_i h
    have : L.ins.has n = false := by
      rw [← Bool.not_eq_true, has_iff_names]; exact h
    rw [bits_of_not_has this, Nat.pow_zero, Nat.mod_one, Nat.mod_one]

theorem linear_id : LinearPoints fun p => p := fun _ _ _ => rfl

/-- **`isIdentityOnOutDim` holds exactly where an input and an output dimension of that name have one size and the output is
the input, whatever the other inputs.**
Source: Triton `isIdentityOnOutDim` -/
theorem isIdentityOnOutDim_iff {L : LinearLayout} (hL : L.wellFormed = true) (d : String) :
    L.isIdentityOnOutDim d = true ↔ (L.ins.has d = true ∧ L.outs.has d = true ∧ L.ins.bits d = L.outs.bits d) ∧
      ∀ p, L.eval p d = p d % 2 ^ L.ins.bits d := by
  have hs : (L.sublayout L.ins.names [d]).wellFormed = true :=
    wellFormed_ofEval (distinct_filter (distinct_ins hL) _) (distinct_filter (distinct_outs hL) _) _
  have hi : (ofEval L.ins (L.outs.only [d]) fun p => p).wellFormed = true :=
    wellFormed_ofEval (distinct_ins hL) (distinct_filter (distinct_outs hL) _) _
  have ins : (L.sublayout L.ins.names [d]).ins = L.ins := only_names L.ins
  have left : ∀ p n, (L.sublayout L.ins.names [d]).eval p n = if n ∈ [d] then L.eval p n else 0 := by
    intro p n
    rw [eval_sublayout hL, eval_onlyAt_names hL]
  have right : ∀ p n, (ofEval L.ins (L.outs.only [d]) fun p => p).eval p n =
      p n % 2 ^ min (if n ∈ [d] then L.outs.bits n else 0) (L.ins.bits n) := by
    intro p n
    rw [eval_ofEval linear_id, restrict_restrict, bits_only]
  simp only [isIdentityOnOutDim, Bool.and_eq_true, beq_iff_eq, and_assoc]
  constructor
  · rintro ⟨h₁, h₂, h₃, h₄⟩
    refine ⟨h₁, h₂, h₃, fun p => ?_⟩
    have e : L.sublayout L.ins.names [d] = ofEval L.ins (L.outs.only [d]) fun p => p := by
      show LinearLayout.mk _ _ _ = LinearLayout.mk _ _ _
      rw [LinearLayout.mk.injEq]
      exact ⟨ins, rfl, h₄⟩
    have := left p d
    rw [e, right, if_pos (List.mem_singleton.2 rfl), if_pos (List.mem_singleton.2 rfl), ← h₃, Nat.min_self] at this
    exact this.symm
  · rintro ⟨h₁, h₂, h₃, h₄⟩
    refine ⟨h₁, h₂, h₃, ?_⟩
    refine congrArg LinearLayout.cols (eq_of_eval hs hi ins rfl fun p n => ?_)
    rw [left, right]
    by_cases q : n ∈ [d]
    · have q' := List.mem_singleton.1 q
      subst q'
      rw [if_pos q, if_pos q, ← h₃, Nat.min_self, h₄]
    · rw [if_neg q, if_neg q, Nat.zero_min, Nat.pow_zero, Nat.mod_one]

theorem isIdentityOnAll_iff (L : LinearLayout) (names : List String) :
    L.isIdentityOnAll names = true ↔ ∀ d ∈ names, L.isIdentityOnOutDim d = true := by
  induction names with
  | nil => simp [isIdentityOnAll]
  | cons d names ih => simp [isIdentityOnAll, ih]

/-- **`isTrivialOver` holds exactly where the layout is the identity on each of these dimensions, whatever the other inputs,
and they change no other output.**
Source: Triton `isTrivialOver` -/
theorem isTrivialOver_iff {L : LinearLayout} (hL : L.wellFormed = true) (names : List String) :
    L.isTrivialOver names = true ↔
      (∀ d ∈ names, (L.ins.has d = true ∧ L.outs.has d = true ∧ L.ins.bits d = L.outs.bits d) ∧
        ∀ p, L.eval p d = p d % 2 ^ L.ins.bits d) ∧
      ∀ p n, n ∉ names → L.eval (onlyAt names p) n = 0 := by
  rw [isTrivialOver, Bool.and_eq_true, isIdentityOnAll_iff, sublayoutIsZero_iff hL]
  refine and_congr ⟨fun h d hd => (isIdentityOnOutDim_iff hL d).1 (h d hd),
    fun h d hd => (isIdentityOnOutDim_iff hL d).2 (h d hd)⟩ ⟨fun h p n hn => ?_, fun h p n hn => ?_⟩
  · cases e : L.outs.has n
    · exact eval_of_bits_zero (bits_of_not_has e) _
    · exact h p n ((mem_without _ _ _).2 ⟨e, hn⟩)
  · exact h p n ((mem_without _ _ _).1 hn).2

/-- **Where a quotient is answered, the layout is the identity on the dimensions that are divided out
and the quotient on all others.**
Source: Triton `quotient` -/
theorem eval_quotient {L Q : LinearLayout} (hL : L.wellFormed = true) {names : List String}
    (h : L.quotient names = some Q) (p : Point) (n : String) :
    L.eval p n = if n ∈ names then p n % 2 ^ L.ins.bits n else Q.eval p n := by
  unfold quotient at h
  split at h
  · rename_i t
    cases h
    obtain ⟨t₁, t₂⟩ := (isTrivialOver_iff hL names).1 t
    split
    · rename_i hn
      exact (t₁ n hn).2 p
    · rename_i hn
      rw [eval_sublayout hL]
      have split : L.eval p = xorPoints (L.eval (onlyAt names p)) (L.eval (onlyAt (L.ins.without names).names p)) := by
        rw [← show L.eval (xorPoints (onlyAt names p) (onlyAt (L.ins.without names).names p)) =
          xorPoints (L.eval (onlyAt names p)) (L.eval (onlyAt (L.ins.without names).names p)) from
          funext fun m => L.eval_xor _ _ m]
        apply eval_congr (distinct_ins hL)
        intro m
        simp only [restrict, xorPoints, onlyAt, mem_without]
        by_cases a : m ∈ names
        · simp [a]
        · cases b : L.ins.has m
          · rw [bits_of_not_has b, Nat.pow_zero, Nat.mod_one, Nat.mod_one]
          · simp [a]
      rw [split, xorPoints, t₂ p n hn, Nat.zero_xor]
      split
      · rfl
      · rename_i q
        cases b : L.outs.has n
        · exact eval_of_bits_zero (bits_of_not_has b) _
        · exact absurd ((mem_without _ _ _).2 ⟨b, hn⟩) q
  · cases h

/-- **There is a quotient exactly where the layout is trivial over the dimensions.**
Source: Triton `quotient` -/
theorem quotient_isSome_iff (L : LinearLayout) (names : List String) :
    (L.quotient names).isSome = true ↔ L.isTrivialOver names = true := by
  unfold quotient
  split <;> simp_all

end LinearLayout

end Razorgirl
