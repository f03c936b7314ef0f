module

public import Razorgirl.Thm.LinearLayout.Encoding
public import Razorgirl.Thm.LinearLayout.Encoding.Blocked

@[expose] public section

/-!
# Triton's swizzled shared encoding: what is proved

The encoding of a matrix, as it is built and fitted, holds each element at one CuTe swizzle of its row-major offset.
-/

namespace Razorgirl

namespace LinearLayout

namespace Encoding

open F2

/-- What is exclusive-ored onto the column in a row. -/
def columnPart (vec perPhase maxPhase cols row : Nat) : Nat := 2 ^ vec * (row / 2 ^ perPhase % 2 ^ maxPhase) % 2 ^ cols

theorem columnPart_linear (vec perPhase maxPhase cols : Nat) : Linear (columnPart vec perPhase maxPhase cols) := by
  intro x y
  simp only [columnPart, Nat.xor_div_two_pow, Nat.xor_mod_two_pow, mul_xor]

theorem columnPart_lt (vec perPhase maxPhase cols row : Nat) : columnPart vec perPhase maxPhase cols row < 2 ^ cols :=
  Nat.mod_lt _ (Nat.two_pow_pos _)

/-- The packed element at an offset. -/
def elementAt (vec perPhase maxPhase rows cols o : Nat) : Nat :=
  o / 2 ^ cols % 2 ^ rows +
    2 ^ rows * ((o % 2 ^ cols) ^^^ columnPart vec perPhase maxPhase cols (o / 2 ^ cols % 2 ^ rows))

theorem elementAt_linear (vec perPhase maxPhase rows cols : Nat) : Linear (elementAt vec perPhase maxPhase rows cols) := by
  intro x y
  have lx := Nat.mod_lt (x / 2 ^ cols) (Nat.two_pow_pos rows)
  have ly := Nat.mod_lt (y / 2 ^ cols) (Nat.two_pow_pos rows)
  simp only [elementAt]
  rw [xor_add_mul lx ly, Nat.xor_div_two_pow, Nat.xor_mod_two_pow, Nat.xor_mod_two_pow, columnPart_linear]
  congr 2
  ac_rfl

theorem columns_elementAt (vec perPhase maxPhase rows cols : Nat) :
    (rowsOf rows cols (columnPart vec perPhase maxPhase cols)).map (fun b => b.1 + 2 ^ rows * b.2) =
      columnsOf (elementAt vec perPhase maxPhase rows cols) (cols + rows) := by
  have z := (columnPart_linear vec perPhase maxPhase cols).zero
  rw [columnsOf, List.range_add, rowsOf, List.map_append, List.map_append, List.map_map, List.map_map, List.map_map]
  congr 1
  · apply List.map_congr_left
    intro j hj
    have lt : 2 ^ j < 2 ^ cols := Nat.pow_lt_pow_of_lt (by omega) (List.mem_range.1 hj)
    simp only [Function.comp_def, elementAt]
    rw [Nat.div_eq_of_lt lt, Nat.zero_mod, z, Nat.mod_eq_of_lt lt, Nat.xor_zero]
  · apply List.map_congr_left
    intro j hj
    have lt : 2 ^ j < 2 ^ rows := Nat.pow_lt_pow_of_lt (by omega) (List.mem_range.1 hj)
    simp only [Function.comp_def, elementAt]
    rw [Nat.pow_add, Nat.mul_div_cancel_left _ (Nat.two_pow_pos cols), Nat.mod_eq_of_lt lt, Nat.mul_mod_right, Nat.zero_xor]

theorem pack_block (D : Dims) (p : Point) : Dims.pack (D ++ [("block", 0)]) p = D.pack p := by
  induction D with
  | nil => simp [Dims.pack, Nat.mod_one]
  | cons d D ih => rw [List.cons_append, Dims.pack, ih, Dims.pack]

/-- A layout of the sizes of the shape is fitted to it as it is. -/
theorem eval_fit {T : LinearLayout} (hT : T.wellFormed = true) {i : String} {k : Nat} {I : Dims} (hi : T.ins = (i, k) :: I)
    {shape : List Nat} (hn : ∀ d ∈ dimsOf shape, d.1 ∈ T.outs.names) (hs : ∀ d ∈ dimsOf shape, T.outs.bits d.1 = d.2)
    (ht : ∀ m, T.outs.bits m = (dimsOf shape).bits m) (p : Point) {n : String} (h : n ∈ namesOf shape) :
    (fit T shape).eval p n = T.eval p n := by
  obtain ⟨w, names, bits, ev⟩ := growOuts_spec hT (dimsOf shape) hi
  have same : ∀ m ∈ T.outs.names, (T.growOuts (dimsOf shape)).outs.bits m = T.outs.bits m := fun m hm => by
    rw [bits m hm, ← ht, Nat.max_self]
  have none : (T.growOuts (dimsOf shape)).ensureNotLarger (dimsOf shape) true = T.growOuts (dimsOf shape) := by
    have fold : ∀ (D : Dims) (R : LinearLayout), (∀ d ∈ D, ¬ d.2 < R.outs.bits d.1) →
        D.foldl (fun R d => if d.2 < R.outs.bits d.1 then R.resizeOut d.1 d.2 else R) R = R := by
      intro D
      induction D with
      | nil => intro R _; rfl
      | cons d D ih =>
        intro R hR
        rw [List.foldl_cons, if_neg (hR d List.mem_cons_self)]
        exact ih R fun e he => hR e (List.mem_cons_of_mem _ he)
    show (dimsOf shape).foldl (fun R d => if d.2 < R.outs.bits d.1 then R.resizeOut d.1 d.2 else R)
      (T.growOuts (dimsOf shape)) = _
    refine fold _ _ fun d hd => ?_
    rw [same _ (hn d hd), hs d hd]
    omega
  have m : n ∈ T.outs.names := by
    obtain ⟨d, hd, rfl⟩ := List.mem_map.1 h
    exact hn d hd
  have block : ∀ L : LinearLayout, (⟨L.ins ++ [("block", 0)], L.outs, L.cols⟩ : LinearLayout).eval p n = L.eval p n := by
    intro L
    rw [eval, eval, pack_block]
  unfold fit
  rw [block, none, eval_transposeOuts w, if_pos h, ev p n m, lacks, ← ht, Nat.sub_self, Nat.pow_zero, Nat.mod_one,
    Nat.mul_zero, Nat.add_zero]

/-- **Triton's swizzled shared encoding of a row-major matrix, all parameters powers of two, holds the element (row, col) at
one CuTe swizzle of its row-major offset: with B the smaller of log maxPhase and log cols - log vec (0 where vec is larger),
M = log vec and S = log cols + log perPhase - log vec.**
Source: Triton `SwizzledSharedEncodingAttr`, `swizzledSharedToLinearLayout`; none known that states it -/
theorem swizzledShared_eval (vec perPhase maxPhase : Nat) {rows cols row col : Nat} (hr : row < 2 ^ rows)
    (hc : col < 2 ^ cols) {p : Point}
    (hp : p "offset" = (swizzleOfShared vec perPhase maxPhase cols).apply (2 ^ cols * row + col)) :
    (swizzledShared (2 ^ vec) (2 ^ perPhase) (2 ^ maxPhase) [1, 0] [2 ^ rows, 2 ^ cols]).eval p "dim0" = row ∧
      (swizzledShared (2 ^ vec) (2 ^ perPhase) (2 ^ maxPhase) [1, 0] [2 ^ rows, 2 ^ cols]).eval p "dim1" = col := by
  rw [← sharedOffset_eq_swizzle vec perPhase maxPhase cols row hc] at hp
  have off : p "offset" = 2 ^ cols * row + (col ^^^ columnPart vec perPhase maxPhase cols row) := hp
  have lt : col ^^^ columnPart vec perPhase maxPhase cols row < 2 ^ cols := Nat.xor_lt_two_pow hc (columnPart_lt _ _ _ _ _)
  have size : p "offset" < 2 ^ (cols + rows) := by
    have := Nat.mul_le_mul_left (2 ^ cols) (show row + 1 ≤ 2 ^ rows from hr)
    rw [Nat.mul_succ, ← Nat.pow_add] at this
    omega
  -- the layout before it is fitted
  let X : LinearLayout := ofOffsets rows cols "dim0" "dim1" (rowsOf rows cols (columnPart vec perPhase maxPhase cols))
  have Xcols : X.cols = columnsOf (elementAt vec perPhase maxPhase rows cols) (cols + rows) := columns_elementAt _ _ _ _ _
  have len : (rowsOf rows cols (columnPart vec perPhase maxPhase cols)).length = cols + rows := by simp [rowsOf]
  have Xins : X.ins = [("offset", cols + rows)] := by
    show [("offset", (rowsOf rows cols (columnPart vec perPhase maxPhase cols)).length)] = _
    rw [len]
  have Xouts : X.outs = [("dim0", rows), ("dim1", cols)] := rfl
  have wX : X.wellFormed = true := by
    simp only [wellFormed, Bool.and_eq_true, beq_iff_eq, below_iff, Xins, Xouts, Xcols]
    refine ⟨⟨⟨by simp [Dims.distinct, Dims.has], by simp [Dims.distinct, Dims.has]⟩, by simp [columnsOf, Dims.total]⟩, fun c hc => ?_⟩
    obtain ⟨j, _, rfl⟩ := List.mem_map.1 hc
    simp only [Dims.total, Nat.add_zero, elementAt]
    have a := Nat.mod_lt (2 ^ j / 2 ^ cols) (Nat.two_pow_pos rows)
    have b : (2 ^ j % 2 ^ cols) ^^^ columnPart vec perPhase maxPhase cols (2 ^ j / 2 ^ cols % 2 ^ rows) < 2 ^ cols :=
      Nat.xor_lt_two_pow (Nat.mod_lt _ (Nat.two_pow_pos _)) (columnPart_lt _ _ _ _ _)
    have := Nat.mul_le_mul_left (2 ^ rows) b
    rw [Nat.mul_succ, ← Nat.pow_add] at this
    omega
  have atX : ∀ n, X.eval p n = X.outs.unpack (elementAt vec perPhase maxPhase rows cols (p "offset")) n := by
    intro n
    have pk : X.ins.pack p = p "offset" := by
      rw [Xins]
      simp only [Dims.pack, Nat.mul_zero, Nat.add_zero]
      exact Nat.mod_eq_of_lt size
    rw [eval, pk, Xcols, apply_colsOf (elementAt_linear _ _ _ _ _) _ _ size]
  have e : elementAt vec perPhase maxPhase rows cols (p "offset") = row + 2 ^ rows * col := by
    rw [elementAt, off, Nat.mul_add_div (Nat.two_pow_pos cols), Nat.div_eq_of_lt lt, Nat.add_zero, Nat.mod_eq_of_lt hr,
      Nat.mul_add_mod, Nat.mod_eq_of_lt lt, Nat.xor_assoc, Nat.xor_self, Nat.xor_zero]
  -- the product with no other dimensions, and the fit, change nothing
  have wE : empty.wellFormed = true := by decide +kernel
  have T₀ : ∀ n, (times X empty).eval p n = X.eval p n := by
    intro n
    rw [eval_times wX wE, show empty.eval (fun i => p i / 2 ^ X.ins.bits i) n = 0 from rfl, Nat.mul_zero, Nat.add_zero]
  have Tb : ∀ m, (times X empty).outs.bits m = X.outs.bits m := by
    intro m
    rw [bits_times_outs]; rfl
  have Ti : (times X empty).ins = [("offset", cols + rows)] := by
    show addDims X.ins [] (X.ins.names ++ []) = _
    rw [Xins]
    simp [addDims, Dims.names, Dims.bits]
  have To : (times X empty).outs.names = ["dim0", "dim1"] := by
    show (addDims X.outs [] (X.outs.names ++ [])).names = _
    rw [names_addDims, Xouts]; rfl
  have Ds : dimsOf [2 ^ rows, 2 ^ cols] = [("dim0", rows), ("dim1", cols)] := by
    simp [dimsOf, dimName, log, List.zipIdx, Nat.log2_two_pow]
  have Ns : namesOf [2 ^ rows, 2 ^ cols] = ["dim0", "dim1"] := by rw [namesOf, Ds]; rfl
  have whole : swizzledShared (2 ^ vec) (2 ^ perPhase) (2 ^ maxPhase) [1, 0] [2 ^ rows, 2 ^ cols] =
      fit (times X empty) [2 ^ rows, 2 ^ cols] := by
    have l₀ : log (List.getD [2 ^ rows, 2 ^ cols] 0 1) = rows := Nat.log2_two_pow
    have l₁ : log (List.getD [2 ^ rows, 2 ^ cols] 1 1) = cols := Nat.log2_two_pow
    simp only [swizzledShared, l₀, l₁]
    rfl
  have done : ∀ n, n ∈ namesOf [2 ^ rows, 2 ^ cols] →
      (swizzledShared (2 ^ vec) (2 ^ perPhase) (2 ^ maxPhase) [1, 0] [2 ^ rows, 2 ^ cols]).eval p n =
        X.outs.unpack (row + 2 ^ rows * col) n := by
    intro n hn
    rw [whole, eval_fit (wellFormed_times wX wE) Ti ?_ ?_ ?_ p hn, T₀, atX, e]
    · intro d hd
      rw [To]
      rw [Ds] at hd
      simp only [List.mem_cons, List.not_mem_nil, or_false] at hd
      rcases hd with rfl | rfl <;> simp
    · intro d hd
      rw [Tb, Xouts]
      rw [Ds] at hd
      simp only [List.mem_cons, List.not_mem_nil, or_false] at hd
      rcases hd with rfl | rfl <;> simp [Dims.bits]
    · intro m
      rw [Tb, Xouts, Ds]
  rw [done "dim0" (by rw [Ns]; simp), done "dim1" (by rw [Ns]; simp), Xouts]
  simp only [Dims.unpack, if_true]
  constructor
  · rw [Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hr]
  · rw [if_neg (by decide), Nat.add_mul_div_left _ _ (Nat.two_pow_pos rows), Nat.div_eq_of_lt hr, Nat.zero_add,
      Nat.mod_eq_of_lt hc]

end Encoding

end LinearLayout

end Razorgirl
