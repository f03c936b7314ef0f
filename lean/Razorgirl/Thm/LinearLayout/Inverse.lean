module

public import Razorgirl.Spec.LinearLayout.Inverse
public import Razorgirl.Thm.LinearLayout.Product

@[expose] public section

/-!
# Composition and inverses: what is proved

Composition is composition of functions of points. Inverses are least preimages, which exist where they are given.
-/

namespace Razorgirl

namespace LinearLayout

open F2

/-- **A composition is the second layout after the first.**
Source: Triton `LinearLayout::compose` -/
theorem eval_compose {L outer : LinearLayout} (hL : L.wellFormed = true) (p : Point) :
    (L.compose outer).eval p = outer.eval (L.eval p) := by
  have lin : LinearPoints fun p => outer.eval (L.eval p) := by
    intro p q n
    have e : L.eval (xorPoints p q) = xorPoints (L.eval p) (L.eval q) := funext fun n => L.eval_xor p q n
    simp only [e, outer.eval_xor _ _ n]
  have e : L.eval (restrict L.ins p) = L.eval p := by
    apply eval_congr (distinct_ins hL)
    intro n
    rw [restrict_restrict, Nat.min_self, restrict]
  rw [compose, eval_ofEval lin]
  simp only [e]
  exact restrict_eval outer _

/-- **A composition is well formed where both layouts are.**
Source: Triton `LinearLayout::compose` -/
theorem wellFormed_compose {L outer : LinearLayout} (hL : L.wellFormed = true) (ho : outer.wellFormed = true) :
    (L.compose outer).wellFormed = true := wellFormed_ofEval (distinct_ins hL) (distinct_outs ho) _

theorem apply_pseudoInverse {L : LinearLayout} (hL : L.wellFormed = true) (hs : L.isSurjective = true) {y : Nat}
    (hy : y < 2 ^ L.outs.total) :
    L.applyPacked (F2.apply (pseudoInverse L.cols.reverse L.outs.total) y) = y ∧
      ∀ x, L.applyPacked x = y → F2.apply (pseudoInverse L.cols.reverse L.outs.total) y ≤ x := by
  obtain ⟨x, _, hx⟩ := (isSurjective_iff hL).1 hs y hy
  have sp : Span L.cols.reverse y := ⟨x, by rw [← apply_eq_app]; exact hx⟩
  have := pseudoInverse_least hy sp
  simpa only [applyPacked, apply_eq_app L.cols] using this

/-- **The pseudo-inverse takes each packed output to its least packed input.**
Source: Triton `LinearLayout::pseudoinvert`; stated otherwise: the least one -/
theorem pseudoinvert_least {L P : LinearLayout} (hL : L.wellFormed = true) (h : L.pseudoinvert = some P) {y : Nat}
    (hy : y < 2 ^ L.outs.total) :
    L.applyPacked (P.applyPacked y) = y ∧ ∀ x, L.applyPacked x = y → P.applyPacked y ≤ x := by
  unfold pseudoinvert at h
  split at h
  · rename_i hs
    cases h
    exact apply_pseudoInverse hL hs hy
  · cases h

/-- **There is a pseudo-inverse exactly where every output is reached.**
Source: Triton `LinearLayout::pseudoinvert` -/
theorem pseudoinvert_isSome_iff (L : LinearLayout) : L.pseudoinvert.isSome = true ↔ L.isSurjective = true := by
  unfold pseudoinvert
  split <;> simp_all

/-- **The inverse undoes the layout on both sides, on packed points.**
Source: Triton `LinearLayout::invert` -/
theorem invert_apply {L P : LinearLayout} (hL : L.wellFormed = true) (h : L.invert = some P) :
    (∀ y, y < 2 ^ L.outs.total → L.applyPacked (P.applyPacked y) = y) ∧
      ∀ x, x < 2 ^ L.ins.total → P.applyPacked (L.applyPacked x) = x := by
  unfold invert at h
  split at h
  · rename_i hi
    cases h
    obtain ⟨inj, sur⟩ := (isInvertible_iff L).1 hi
    refine ⟨fun y hy => (apply_pseudoInverse hL sur hy).1, fun x hx => ?_⟩
    have hy : L.applyPacked x < 2 ^ L.outs.total := apply_lt (cols_lt hL) x
    obtain ⟨a, b⟩ := apply_pseudoInverse hL sur hy
    exact (isInjective_iff hL).1 inj _ _ (Nat.lt_of_le_of_lt (b x rfl) hx) hx a
  · cases h

/-- **There is an inverse exactly where the layout is injective and surjective.**
Source: Triton `LinearLayout::invert` -/
theorem invert_isSome_iff (L : LinearLayout) :
    L.invert.isSome = true ↔ L.isInjective = true ∧ L.isSurjective = true := by
  rw [← isInvertible_iff]
  unfold invert
  split <;> simp_all

theorem apply_repacked {B : LinearLayout} (D : Dims) (x : Nat) :
    F2.apply (B.repacked D) x = D.pack (B.outs.unpack (F2.apply B.cols x)) := by
  refine F2.apply_map (g := fun c => D.pack (B.outs.unpack c)) ?_ B.cols x
  intro x y
  simp only [unpack_xor, pack_xor]

/-- **The least solution, followed by `A`, is `B`: in every dimension of A the coordinate is that of B.**
Source: Triton `lstsq` -/
theorem eval_leastSquares {A B X : LinearLayout} (hA : A.wellFormed = true) (h : leastSquares A B = some X) (p : Point) :
    A.eval (X.eval p) = restrict A.outs (B.eval p) := by
  unfold leastSquares at h
  split at h
  · obtain ⟨Y, hY, rfl⟩ := Option.map_eq_some_iff.1 h
    have key : ∀ x, F2.apply A.cols (F2.apply Y x) = F2.apply (B.repacked A.outs) x := by
      intro x
      have e := leastSolutions_some hY
      have l : Y.length = (B.repacked A.outs).length := (leastSolutions_least hY).1
      have : ∀ z, applyHigh A.cols.reverse (F2.apply Y z) = F2.apply (B.repacked A.outs) z := by
        intro z
        rw [leastSolutions_eq] at hY
        split at hY
        · rename_i hs
          cases hY
          rw [F2.apply_map (red2_lin _)]
          have sp : Span A.cols.reverse (F2.apply (B.repacked A.outs) z) := by
            rw [apply_eq_app]
            exact span_app (fun b hb => hs b (List.mem_reverse.1 hb)) z
          have e := (reduce_apply A.cols.reverse (F2.apply (B.repacked A.outs) z)).1
          rwa [(reduce_span _ _).2 sp, Nat.zero_xor] at e
        · cases hY
      rw [apply_eq_app A.cols]
      exact this x
    have yl : ∀ c ∈ Y, c < 2 ^ A.ins.total := by
      rw [leastSolutions_eq] at hY
      split at hY
      · cases hY
        intro c hc
        obtain ⟨b, _, rfl⟩ := List.mem_map.1 hc
        have := (reduce_apply A.cols.reverse b).2
        rwa [List.length_reverse, length_cols hA] at this
      · cases hY
    show A.outs.unpack (F2.apply A.cols (A.ins.pack (A.ins.unpack (F2.apply Y (B.ins.pack p))))) = _
    rw [pack_unpack (distinct_ins hA) (apply_lt yl _), key, apply_repacked, unpack_pack]
    rfl
  · cases h

/-- **A least solution is given wherever, the names being the same and no output of B being larger, some matrix of columns
before A gives B.**
Source: Triton `lstsq` -/
theorem leastSquares_eq_none_iff {A B : LinearLayout} (hn : fitsNames B.outs A.outs = true) :
    leastSquares A B = none ↔
      ¬ ∃ X : List Nat, X.length = B.cols.length ∧ ∀ x, F2.apply A.cols (F2.apply X x) = F2.apply (B.repacked A.outs) x := by
  unfold leastSquares
  rw [if_pos hn, Option.map_eq_none_iff, leastSolutions_eq]
  constructor
  · intro h
    rintro ⟨X, hl, hX⟩
    split at h
    · cases h
    · rename_i n
      apply n
      intro b hb
      obtain ⟨i, hi, rfl⟩ := List.getElem_of_mem hb
      have e := hX (2 ^ i)
      rw [apply_two_pow (B.repacked A.outs), List.getD_eq_getElem?_getD, List.getElem?_eq_getElem hi, Option.getD_some,
        apply_eq_app A.cols] at e
      exact ⟨_, e⟩
  · intro h
    split
    · rename_i hs
      refine absurd ⟨(B.repacked A.outs).map fun b => (reduce (eliminate A.cols.reverse) b).2, by simp [repacked], ?_⟩ h
      intro z
      rw [F2.apply_map (red2_lin _), apply_eq_app A.cols]
      have sp : Span A.cols.reverse (F2.apply (B.repacked A.outs) z) := by
        rw [apply_eq_app]
        exact span_app (fun b hb => hs b (List.mem_reverse.1 hb)) z
      have e := (reduce_apply A.cols.reverse (F2.apply (B.repacked A.outs) z)).1
      rwa [(reduce_span _ _).2 sp, Nat.zero_xor] at e
    · rfl

end LinearLayout

end Razorgirl
