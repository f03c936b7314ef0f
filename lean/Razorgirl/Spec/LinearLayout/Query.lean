module

public import Razorgirl.Spec.LinearLayout.Inverse

@[expose] public section

/-!
# Questions about linear layouts, and fitting them to a shape

Which input bits are free, how many elements are contiguous, how often a tile repeats; and a layout made no larger and
no smaller than a shape.
Source: Triton `LinearLayout.h`, `LayoutUtils.h`.
-/

namespace Razorgirl

namespace LinearLayout

/-- The bits that are set, lowest first, as a number. -/
def maskOf : List Bool → Nat
  | [] => 0
  | b :: bs => (if b then 1 else 0) + 2 * maskOf bs

/-- For each input dimension the mask of its bits whose bases depend on earlier ones.
Rust: `razorgirl::LinearLayout::free_variable_masks` -/
def freeVariableMasks (L : LinearLayout) : List (String × Nat) :=
  let m := maskOf (F2.free L.cols.reverse).reverse
  L.ins.names.map fun n => (n, L.ins.unpack m n)

/-- The longest run from `k` bits down to 0 that passes. -/
def longest (passes : Nat → Bool) : (k : Nat) → Nat
  | 0 => 0
  | k + 1 => if passes (k + 1) then k + 1 else longest passes k

/-- How many bits of the first input dimension are the low bits of the first output dimension and nothing else touches
these: the largest identity that divides the layout on the left.
Rust: `razorgirl::LinearLayout::consecutive_bits` -/
def consecutiveBits (L : LinearLayout) : Nat :=
  match L.ins, L.outs with
  | (i, n) :: _, (o, m) :: _ => longest (fun k => (L.divideLeft (identity1D k i o)).isSome) (min n m)
  | _, _ => 0

/-- The dimension `i` without its `k` lowest bits. -/
def dropLow (i : String) (k : Nat) (p : Point) : Point := fun n => if n = i then p n / 2 ^ k else p n

/-- The most `k`, at most the bits of this output dimension, such that each of 1, 2, …, 2^(k-1) is the exclusive or of
some of the bases' components in it. The other components of these bases may be anything.
Rust: `razorgirl::LinearLayout::contiguous_bits` -/
def contiguousBits (L : LinearLayout) (d : String) : Nat :=
  let cols := (L.transposeOuts [d]).cols.reverse
  longest (fun k => F2.spans cols ((List.range k).map fun i => 2 ^ i)) (L.outs.bits d)

/-- The repetitions of a tile: L with the bits of the tile set to 0. `none` unless the tile's bits are the lowest of each
input of L, L is the tile there, and no image of the repetitions has a bit in common with one of the tile.
Source: Triton `getReps`; stated otherwise: Triton also answers for an input of the tile of several values that L lacks.
Rust: `razorgirl::LinearLayout::reps_of` -/
def repsOf (L tile : LinearLayout) : Option LinearLayout :=
  let reps := ofEval L.ins L.outs fun p n => L.eval p n ^^^ L.eval (restrict tile.ins p) n
  let own := ofEval tile.ins L.outs tile.eval
  let low := tile.ins.all fun d => decide (d.2 ≤ L.ins.bits d.1)
  -- over the outputs of the tile, and over those of L: nothing is cut off
  let same := tile.cols == (ofEval tile.ins tile.outs L.eval).cols && own.cols == (ofEval tile.ins L.outs L.eval).cols
  let apart := own.cols.all fun c => reps.cols.all fun r => c &&& r == 0
  if low && same && apart then some reps else none

/-- Drops, in an input dimension, the bases that are 0 in `new` but not in `old`. -/
def dropNewZeros (old new : List Nat) : List Nat :=
  ((old.zip new).filter fun c => c.1 == 0 || c.2 != 0).map Prod.snd

/-- No output dimension larger than these sizes: a component that does not fit becomes 0. Register bases that this made
0 are dropped unless `broadcast`.
Rust: `razorgirl::LinearLayout::ensure_not_larger` -/
def ensureNotLarger (L : LinearLayout) (D : Dims) (broadcast : Bool) : LinearLayout :=
  let small := D.foldl (fun R d => if d.2 < R.outs.bits d.1 then R.resizeOut d.1 d.2 else R) L
  if broadcast then small
  else
    let kept := dropNewZeros (L.columnsAt "register") (small.columnsAt "register")
    ⟨resizeDims L.ins "register" kept.length, small.outs,
      L.ins.flatMap fun e => if e.1 = "register" then kept else small.columnsAt e.1⟩

/-- The dimension of the layout's first input, grown by the bits that an output of `k` bits lacks. -/
def growTo (L : LinearLayout) (d : String) (k : Nat) : LinearLayout :=
  match L.ins with
  | [] => L
  | (i, _) :: _ =>
    match L.product (identity1D (k - L.outs.bits d) i d) with
    | some R => R
    | none => L

/-- Every output dimension with the bits that it lacks of these sizes, appended to the first input dimension, one output
dimension after another in the layout's order. A layout without inputs stays as it is. -/
def growOuts (L : LinearLayout) (D : Dims) : LinearLayout :=
  L.outs.names.foldl (fun R n => if R.outs.bits n < D.bits n then R.growTo n (D.bits n) else R) L

/-- No output dimension smaller than these sizes: `growOuts`; none where an output lacks bits and there is no input
dimension to append them to.
Rust: `razorgirl::LinearLayout::ensure_not_smaller` -/
def ensureNotSmaller (L : LinearLayout) (D : Dims) : Option LinearLayout :=
  if L.ins.isEmpty && L.outs.any fun d => decide (d.2 < D.bits d.1) then none else some (L.growOuts D)

/-- How many bits an output lacks to the size that D gives it. -/
def lacks (L : LinearLayout) (D : Dims) (d : String) : Nat := D.bits d - L.outs.bits d

/-- What the outputs of this list lack that stand before `d` in it. -/
def lacksBefore (L : LinearLayout) (D : Dims) (d : String) : List String → Nat
  | [] => 0
  | n :: N => if n = d then 0 else lacks L D n + lacksBefore L D d N

example : freeVariableMasks ⟨[("l", 3), ("w", 1)], [("x", 2)], [1, 1, 2, 3]⟩ = [("l", 2), ("w", 1)] := by decide +kernel
example : consecutiveBits ⟨[("r", 2), ("l", 1)], [("x", 3)], [1, 2, 4]⟩ = 2 ∧
    consecutiveBits ⟨[("r", 2), ("l", 1)], [("x", 2)], [1, 2, 1]⟩ = 0 := by decide +kernel
-- an input of one value that L lacks; components that L would cut to 0
example : repsOf ⟨[("r", 2)], [("x", 2)], [1, 2]⟩ ⟨[("r", 1), ("w", 0)], [("x", 1)], [1]⟩ =
    some ⟨[("r", 2)], [("x", 2)], [0, 2]⟩ := by decide +kernel
-- the tile is no factor of the layout: its bit is not the lowest of the output
example : repsOf ⟨[("r", 2)], [("x", 2)], [2, 1]⟩ ⟨[("r", 1)], [("x", 2)], [2]⟩ = some ⟨[("r", 2)], [("x", 2)], [0, 1]⟩ := by
  decide +kernel
example : repsOf ⟨[("r", 1)], [("x", 2)], [0]⟩ ⟨[("r", 1)], [("x", 3)], [4]⟩ = none := by decide +kernel
example : ensureNotSmaller (identity1D 1 "r" "x") [("x", 3)] = some (identity1D 3 "r" "x") := by decide +kernel
-- no input dimension: two bits that x lacks have no place
example : ensureNotSmaller ⟨[], [("x", 0)], []⟩ [("x", 2)] = none ∧
    ensureNotSmaller ⟨[], [("x", 2)], []⟩ [("x", 2)] = some ⟨[], [("x", 2)], []⟩ := by decide +kernel

end LinearLayout

end Razorgirl
