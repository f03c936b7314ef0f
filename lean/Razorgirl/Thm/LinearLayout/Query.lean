module

public import Razorgirl.Spec.LinearLayout.Query
public import Razorgirl.Thm.LinearLayout.Inverse

@[expose] public section

/-!
# Questions about linear layouts: what is proved

What the numbers that are answered count, in terms of the function: consecutive and contiguous elements, and which input
bits are free.
-/

namespace Razorgirl

namespace LinearLayout

open F2

theorem longest_le (P : Nat → Bool) (k : Nat) : longest P k ≤ k := by
  induction k with
  | zero => exact Nat.le_refl _
  | succ k ih =>
    rw [longest]
    split <;> omega

theorem longest_passes {P : Nat → Bool} {k : Nat} (h : 0 < longest P k) : P (longest P k) = true := by
  induction k with
  | zero => simp [longest] at h
  | succ k ih =>
    rw [longest] at h ⊢
    split
    · assumption
    · rename_i n
      rw [if_neg n] at h
      exact ih h

theorem le_longest {P : Nat → Bool} {j k : Nat} (hj : j ≤ k) (h : P j = true) : j ≤ longest P k := by
  induction k with
  | zero => omega
  | succ k ih =>
    rw [longest]
    split
    · exact hj
    · rename_i n
      have : j ≠ k + 1 := fun e => n (e ▸ h)
      exact ih (by omega)

/-! ## Consecutive elements -/

theorem eval_identity1D (k : Nat) (i o : String) (p : Point) (n : String) :
    (identity1D k i o).eval p n = if n = o then p i % 2 ^ k else 0 := by
  have lin : LinearPoints fun (p : Point) (m : String) => if m = o then 2 ^ 0 * p i else 0 := by
    intro p q m
    dsimp only
    split
    · simp [xorPoints]
    · exact (Nat.xor_self 0).symm
  rw [identity1D, strided1D, eval_ofEval lin]
  simp only [restrict, Dims.bits]
  by_cases h : n = o
  · subst h; simp
  · simp [h]

theorem bits_one (d n : String) (k : Nat) : Dims.bits [(d, k)] n = if n = d then k else 0 := by
  simp only [Dims.bits, eq_comm]

theorem wellFormed_identity1D (k : Nat) (i o : String) : (identity1D k i o).wellFormed = true :=
  wellFormed_ofEval rfl rfl _

/-- **The `consecutiveBits` lowest bits of the first input are those of the first output, and nothing else touches these or is
touched by them: the rest of the layout is a linear layout of the other bits.**
Source: Triton `getNumConsecutiveInOut` -/
theorem eval_consecutiveBits {L : LinearLayout} (hL : L.wellFormed = true) {i o : String} {n m : Nat} {I O : Dims}
    (hi : L.ins = (i, n) :: I) (ho : L.outs = (o, m) :: O) : ∃ C : LinearLayout, ∀ p d, L.eval p d =
      if d = o then p i % 2 ^ L.consecutiveBits + 2 ^ L.consecutiveBits * C.eval (dropLow i L.consecutiveBits p) d
      else C.eval (dropLow i L.consecutiveBits p) d := by
  have e : L.consecutiveBits = longest (fun k => (L.divideLeft (identity1D k i o)).isSome) (min n m) := by
    simp only [consecutiveBits, hi, ho]
  rcases Nat.eq_zero_or_pos L.consecutiveBits with z | pos
  · refine ⟨L, fun p d => ?_⟩
    have same : dropLow i 0 p = p := by
      funext n
      simp [dropLow]
    rw [z, same, Nat.pow_zero, Nat.mod_one, Nat.zero_add, Nat.one_mul, ite_self]
  · rw [e] at pos
    have := longest_passes pos
    rw [← e] at this
    obtain ⟨C, hC⟩ := Option.isSome_iff_exists.1 this
    obtain ⟨_, wC, _, _, h⟩ := (divideLeft_eq_some_iff hL (wellFormed_identity1D _ i o)).1 hC
    refine ⟨C, fun p d => ?_⟩
    rw [eval_product (wellFormed_identity1D _ i o) wC h, eval_identity1D]
    have b₁ : (identity1D L.consecutiveBits i o).outs.bits d = if d = o then L.consecutiveBits else 0 := by
      show Dims.bits [(o, L.consecutiveBits + 0)] d = _
      rw [bits_one, Nat.add_zero]
    have b₂ : (fun j => p j / 2 ^ (identity1D L.consecutiveBits i o).ins.bits j) = dropLow i L.consecutiveBits p := by
      funext j
      show p j / 2 ^ Dims.bits [(i, L.consecutiveBits)] j = _
      rw [bits_one, dropLow]
      split
      · rfl
      · rw [Nat.pow_zero, Nat.div_one]
    rw [b₁, b₂]
    split
    · rfl
    · rw [Nat.pow_zero, Nat.one_mul, Nat.zero_add]

/-- **No larger identity from the first input to the first output divides the layout on the left than that of
`consecutiveBits`.**
Source: Triton `getNumConsecutiveInOut` -/
theorem consecutiveBits_greatest {L : LinearLayout} (hL : L.wellFormed = true) {i o : String} {n m k : Nat} {I O : Dims}
    (hi : L.ins = (i, n) :: I) (ho : L.outs = (o, m) :: O) (h : (L.divideLeft (identity1D k i o)).isSome = true) :
    k ≤ L.consecutiveBits := by
  have e : L.consecutiveBits = longest (fun k => (L.divideLeft (identity1D k i o)).isSome) (min n m) := by
    simp only [consecutiveBits, hi, ho]
  rw [e]
  refine le_longest ?_ h
  obtain ⟨C, hC⟩ := Option.isSome_iff_exists.1 h
  obtain ⟨⟨f₁, f₂⟩, _⟩ := (divideLeft_eq_some_iff hL (wellFormed_identity1D k i o)).1 hC
  have g₁ : fitsIn [(i, k)] L.ins = true := f₁
  have g₂ : fitsIn [(o, k + 0)] L.outs = true := f₂
  simp only [fitsIn, List.all_cons, Bool.and_eq_true, decide_eq_true_eq, hi, ho, Dims.bits, if_true] at g₁ g₂
  omega

/-! ## Contiguous elements -/

theorem span_component {L : LinearLayout} (hL : L.wellFormed = true) (d : String) (v : Nat) :
    Span (L.transposeOuts [d]).cols.reverse v ↔ ∃ p, L.eval p d = v := by
  have w : (L.transposeOuts [d]).wellFormed = true := wellFormed_ofEval (distinct_ins hL) rfl _
  have at' : ∀ p, F2.apply (L.transposeOuts [d]).cols (L.ins.pack p) = L.eval p d := by
    intro p
    have e := eval_transposeOuts hL [d] p d
    rw [if_pos (List.mem_singleton.2 rfl)] at e
    rw [← e]
    have lt := apply_lt (cols_lt w) (L.ins.pack p)
    have total : (L.transposeOuts [d]).outs.total = L.outs.bits d := rfl
    rw [total] at lt
    show _ = Dims.unpack [(d, L.outs.bits d)] (F2.apply (L.transposeOuts [d]).cols (L.ins.pack p)) d
    simp only [Dims.unpack, if_true]
    exact (Nat.mod_eq_of_lt lt).symm
  constructor
  · rintro ⟨x, hx⟩
    rw [← apply_eq_app] at hx
    have len : (L.transposeOuts [d]).cols.length = L.ins.total := length_cols w
    refine ⟨L.ins.unpack (x % 2 ^ L.ins.total), ?_⟩
    rw [← at', pack_unpack (distinct_ins hL) (Nat.mod_lt _ (Nat.two_pow_pos _)), apply_eq_app,
      applyHigh_mod _ _ _ (by rw [List.length_reverse, len]; exact Nat.le_refl _), ← apply_eq_app, hx]
  · rintro ⟨p, rfl⟩
    exact ⟨L.ins.pack p, by rw [← apply_eq_app, at']⟩

/-- **Each of 1, 2, …, 2^(k-1) is a coordinate of some image in this output, k being `contiguousBits`; 2^k is none, if the output
has that bit.**
Source: Triton `getNumContiguousAlong`, for one dimension -/
theorem contiguousBits_spec {L : LinearLayout} (hL : L.wellFormed = true) (d : String) :
    (∀ j, j < L.contiguousBits d → ∃ p, L.eval p d = 2 ^ j) ∧ L.contiguousBits d ≤ L.outs.bits d ∧
      (L.contiguousBits d < L.outs.bits d → ¬ ∃ p, L.eval p d = 2 ^ L.contiguousBits d) := by
  have passes : ∀ k, F2.spans (L.transposeOuts [d]).cols.reverse ((List.range k).map fun i => 2 ^ i) = true ↔
      ∀ j, j < k → ∃ p, L.eval p d = 2 ^ j := by
    intro k
    rw [spans_iff]
    simp only [List.forall_mem_map, List.mem_range, span_component hL]
  have low : ∀ j, j < L.contiguousBits d → ∃ p, L.eval p d = 2 ^ j := by
    intro j hj
    have pos : 0 < L.contiguousBits d := by omega
    unfold contiguousBits at pos hj
    exact (passes _).1 (longest_passes pos) j hj
  refine ⟨low, longest_le _ _, fun lt h => ?_⟩
  have := le_longest (P := fun k => F2.spans (L.transposeOuts [d]).cols.reverse ((List.range k).map fun i => 2 ^ i))
    (j := L.contiguousBits d + 1) lt ((passes _).2 fun j hj => by
      rcases Nat.lt_or_ge j (L.contiguousBits d) with q | q
      · exact low j q
      · rw [show j = L.contiguousBits d by omega]; exact h)
  have e : longest (fun k => F2.spans (L.transposeOuts [d]).cols.reverse ((List.range k).map fun i => 2 ^ i))
      (L.outs.bits d) = L.contiguousBits d := rfl
  omega

/-! ## Free bits -/

theorem testBit_maskOf (bs : List Bool) (i : Nat) : (maskOf bs).testBit i = bs.getD i false := by
  induction bs generalizing i with
  | nil => simp [maskOf]
  | cons b bs ih =>
    cases i with
    | zero => cases b <;> simp [maskOf, Nat.testBit_zero]
    | succ i =>
      have e : (maskOf (b :: bs)) / 2 = maskOf bs := by
        rw [maskOf]
        split <;> omega
      rw [Nat.testBit_succ, e, ih, List.getD_cons_succ]

theorem length_free (cs : List Nat) : (free cs).length = cs.length := by
  induction cs with
  | nil => rfl
  | cons c cs ih => simp [free_cons, ih]

theorem free_spec (cs : List Nat) {i : Nat} (hi : i < cs.length) : (free cs).reverse.getD i false = true ↔
    ∃ x, x < 2 ^ i ∧ applyHigh cs x = applyHigh cs (2 ^ i) := by
  induction cs with
  | nil => cases hi
  | cons c cs ih =>
    have below : ∀ x, x < 2 ^ cs.length → applyHigh (c :: cs) x = applyHigh cs x := by
      intro x hx
      rw [applyHigh, Nat.testBit_lt_two_pow hx]
      simp [sel]
    rw [free_cons, List.reverse_cons, List.getD_eq_getElem?_getD]
    rcases Nat.lt_or_ge i cs.length with q | q
    · rw [List.getElem?_append_left (by rw [List.length_reverse, length_free]; exact q), ← List.getD_eq_getElem?_getD, ih q]
      have p2 : 2 ^ i < 2 ^ cs.length := Nat.pow_lt_pow_of_lt (by omega) q
      rw [below _ p2]
      constructor
      · rintro ⟨x, hx, e⟩; exact ⟨x, hx, by rw [below x (by omega)]; exact e⟩
      · rintro ⟨x, hx, e⟩; exact ⟨x, hx, by rw [below x (by omega)] at e; exact e⟩
    · have e : i = cs.length := by simp only [List.length_cons] at hi; omega
      subst e
      have last : ((free cs).reverse ++ [decide (Span cs c)])[cs.length]?.getD false = decide (Span cs c) := by
        rw [List.getElem?_append_right (by rw [List.length_reverse, length_free]; exact Nat.le_refl _), List.length_reverse,
          length_free, Nat.sub_self]
        rfl
      have top : applyHigh (c :: cs) (2 ^ cs.length) = c := by
        rw [applyHigh, Nat.testBit_two_pow_self, ← applyHigh_mod cs _ _ (Nat.le_refl _), Nat.mod_self, applyHigh_zero]
        simp [sel]
      rw [last, decide_eq_true_eq, top]
      constructor
      · rintro ⟨x, hx⟩
        refine ⟨x % 2 ^ cs.length, Nat.mod_lt _ (Nat.two_pow_pos _), ?_⟩
        rw [below _ (Nat.mod_lt _ (Nat.two_pow_pos _)), applyHigh_mod _ _ _ (Nat.le_refl _), hx]
      · rintro ⟨x, hx, e⟩
        exact ⟨x, by rw [← below x hx, e]⟩

/-- **The masks, packed, have the bit i exactly where the image of 2^i is that of a smaller number, for each packed input
bit i.**
Source: Triton `getFreeVariableMasks` -/
theorem freeVariableMasks_spec {L : LinearLayout} (hL : L.wellFormed = true) : ∃ m,
    L.freeVariableMasks = L.ins.names.map (fun n => (n, L.ins.unpack m n)) ∧ m < 2 ^ L.ins.total ∧
      ∀ i, i < L.ins.total → (m.testBit i = true ↔ ∃ x, x < 2 ^ i ∧ L.applyPacked x = L.applyPacked (2 ^ i)) := by
  refine ⟨maskOf (free L.cols.reverse).reverse, rfl, ?_, fun i hi => ?_⟩
  · apply Nat.lt_pow_two_of_testBit
    intro i hi
    rw [testBit_maskOf, List.getD_eq_getElem?_getD, List.getElem?_eq_none]
    · rfl
    · rw [List.length_reverse, length_free, List.length_reverse, length_cols hL]
      exact hi
  · rw [testBit_maskOf, free_spec _ (by rw [List.length_reverse, length_cols hL]; exact hi)]
    simp only [applyPacked, apply_eq_app]

end LinearLayout

end Razorgirl
