module

public import Razorgirl.Thm.LinearLayout.Encoding.Blocked

@[expose] public section

/-!
# Fragments of matrix instructions by digits: what is proved

How one warp's tile places registers and lanes, and where warps go above it, before the tile is fitted to a shape. These are
the pictures of PTX: for the accumulator of `mma.m16n8` lane l has row l / 4 and columns 2 (l mod 4) and the next, and
8 rows below.
-/

namespace Razorgirl

namespace LinearLayout

namespace Encoding

theorem ins_bits_identity1D (k : Nat) (i o j : String) : (identity1D k i o).ins.bits j = if j = i then k else 0 :=
  bits_one i j k

theorem outs_bits_identity1D (k : Nat) (i o m : String) : (identity1D k i o).outs.bits m = if m = o then k else 0 :=
  bits_one o m k

/-- **One warp's tile, with 2^a adjacent elements in a lane: along the inner dimension stand the lowest digit of the register,
then 4 lanes, then its highest digit; along the outer one 8 lanes, then the middle digit of the register.**
Source: PTX ISA, «Matrix fragments for mma.m16n8k16»; Triton `nvidiaMmaTile` -/
theorem warpTile_eval (w innerSize outerSize : Nat) {inner outer : Nat} (hne : dimName inner ≠ dimName outer) (p : Point) :
    (warpTile inner outer w innerSize outerSize).eval p (dimName inner) =
        p "register" % 2 ^ log w + 2 ^ log w * (p "lane" % 4 +
          4 * (p "register" / 2 ^ (log w + log (outerSize / 8)) % 2 ^ log (innerSize / (4 * w)))) ∧
      (warpTile inner outer w innerSize outerSize).eval p (dimName outer) =
        p "lane" / 4 % 8 + 8 * (p "register" / 2 ^ log w % 2 ^ log (outerSize / 8)) := by
  have w₁ := wellFormed_identity1D (log w) "register" (dimName inner)
  have w₂ := wellFormed_identity1D 2 "lane" (dimName inner)
  have w₃ := wellFormed_identity1D 3 "lane" (dimName outer)
  have w₄ := wellFormed_identity1D (log (outerSize / 8)) "register" (dimName outer)
  have w₅ := wellFormed_identity1D (log (innerSize / (4 * w))) "register" (dimName inner)
  have w₁₂ := wellFormed_times w₁ w₂
  have w₁₃ := wellFormed_times w₁₂ w₃
  have w₁₄ := wellFormed_times w₁₃ w₄
  have rl : ("register" : String) ≠ "lane" := by decide
  have lr : ("lane" : String) ≠ "register" := by decide
  constructor
  · simp only [warpTile]
    rw [eval_times w₁₄ w₅, eval_times w₁₃ w₄, eval_times w₁₂ w₃, eval_times w₁ w₂]
    simp only [bits_times_outs, bits_times_ins, ins_bits_identity1D, outs_bits_identity1D, eval_identity1D, hne, rl, lr,
      if_true, if_false, Nat.add_zero, Nat.zero_add, Nat.mul_zero, Nat.pow_zero, Nat.div_one]
    rw [Nat.pow_add, Nat.mul_add, Nat.add_assoc, Nat.mul_assoc]
  · simp only [warpTile]
    rw [eval_times w₁₄ w₅, eval_times w₁₃ w₄, eval_times w₁₂ w₃, eval_times w₁ w₂]
    simp only [bits_times_outs, bits_times_ins, ins_bits_identity1D, outs_bits_identity1D, eval_identity1D, hne.symm, rl, lr,
      if_true, if_false, Nat.add_zero, Nat.zero_add, Nat.mul_zero, Nat.pow_zero, Nat.div_one, Nat.one_mul]

theorem warpTile_spec (w innerSize outerSize : Nat) {inner outer : Nat} (hne : dimName inner ≠ dimName outer) :
    (warpTile inner outer w innerSize outerSize).wellFormed = true ∧
      (warpTile inner outer w innerSize outerSize).ins.bits "warp" = 0 ∧
      (warpTile inner outer w innerSize outerSize).outs.bits (dimName inner) =
        log w + 2 + log (innerSize / (4 * w)) ∧
      (warpTile inner outer w innerSize outerSize).outs.bits (dimName outer) = 3 + log (outerSize / 8) := by
  have w₁ := wellFormed_identity1D (log w) "register" (dimName inner)
  have w₂ := wellFormed_identity1D 2 "lane" (dimName inner)
  have w₃ := wellFormed_identity1D 3 "lane" (dimName outer)
  have w₄ := wellFormed_identity1D (log (outerSize / 8)) "register" (dimName outer)
  have w₅ := wellFormed_identity1D (log (innerSize / (4 * w))) "register" (dimName inner)
  have wr : ("warp" : String) ≠ "register" := by decide
  have wl : ("warp" : String) ≠ "lane" := by decide
  refine ⟨wellFormed_times (wellFormed_times (wellFormed_times (wellFormed_times w₁ w₂) w₃) w₄) w₅, ?_, ?_, ?_⟩ <;>
    simp only [warpTile, bits_times_outs, bits_times_ins, ins_bits_identity1D, outs_bits_identity1D, hne, hne.symm, wr, wl,
      if_true, if_false, Nat.add_zero, Nat.zero_add]

/-- **Above a warp's tile its warps stand, each dimension with its digit of the warp's number in their order; a dimension in
which they do not move has none.**
Source: Triton `NvidiaMmaEncodingAttr::toLinearLayout`, `nvidiaDotToLinearLayout` -/
theorem fragment_eval (w innerSize outerSize : Nat) (warps : List Nat) {order : List Nat} (still : Option Nat)
    {inner outer : Nat} (hne : dimName inner ≠ dimName outer) (hn : (order.map dimName).Nodup) (hi : inner ∈ order)
    (ho : outer ∈ order) (p : Point) :
    (times (warpTile inner outer w innerSize outerSize) (spread "warp" warps order still)).eval p (dimName inner) =
        (warpTile inner outer w innerSize outerSize).eval p (dimName inner) +
          2 ^ (log w + 2 + log (innerSize / (4 * w))) *
            (if still = some inner then 0 else digitOf warps order inner (p "warp")) ∧
      (times (warpTile inner outer w innerSize outerSize) (spread "warp" warps order still)).eval p (dimName outer) =
        (warpTile inner outer w innerSize outerSize).eval p (dimName outer) +
          2 ^ (3 + log (outerSize / 8)) * (if still = some outer then 0 else digitOf warps order outer (p "warp")) := by
  obtain ⟨wt, iw, bi, bo⟩ := warpTile_spec w innerSize outerSize hne
  obtain ⟨ws, _, _, ew⟩ := spread_spec "warp" warps still hn
  refine ⟨?_, ?_⟩
  · rw [eval_times wt ws, bi, ew _ inner hi, iw, Nat.pow_zero, Nat.div_one]
  · rw [eval_times wt ws, bo, ew _ outer ho, iw, Nat.pow_zero, Nat.div_one]

/-- `mma.m16n8`: lane 5, register 3 has row 9 and column 3. -/
example : (warpTile 1 0 2 8 16).eval (fun n => if n = "lane" then 5 else if n = "register" then 3 else 0) "dim0" = 9 ∧
    (warpTile 1 0 2 8 16).eval (fun n => if n = "lane" then 5 else if n = "register" then 3 else 0) "dim1" = 3 := by
  decide +kernel

end Encoding

end LinearLayout

end Razorgirl
