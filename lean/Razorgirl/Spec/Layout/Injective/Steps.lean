module

public import Razorgirl.Spec.Layout.Injective

@[expose] public section

/-!
# Steps: the difference of two coordinates

Two coordinates have one offset exactly where the steps from one to the other lead nowhere. So injectivity is asked of
steps, not of pairs of coordinates: extents `4,3` have `7·5` steps and `12·12` pairs. Mode by mode, only those steps are
tried that the modes after can undo: what is reached must be within their reach, and a multiple of their strides' greatest
common divisor.
-/

namespace Razorgirl.FlatLayout

/-- Steps within a shape: each is smaller than its extent, either way. -/
def StepsIn : (shape : List Nat) → (steps : List Int) → Prop
  | [], [] => True
  | s :: ss, z :: zs => z.natAbs < s ∧ StepsIn ss zs
  | _, _ => False

/-- How far steps lead: `Σ stepᵢ·strideᵢ`. -/
def stepsEval : FlatLayout → List Int → Int
  | m :: L, z :: zs => z * m.stride + stepsEval L zs
  | _, _ => 0

/-- The largest offset. -/
def farthest : FlatLayout → Nat
  | [] => 0
  | m :: L => (m.extent - 1) * m.stride + farthest L

/-- The greatest common divisor of the strides; 0 if there is none above 0. -/
def strideGcd : FlatLayout → Nat
  | [] => 0
  | m :: L => Nat.gcd m.stride (strideGcd L)

/-- Whether `L` may undo `r`: it is within reach, and a multiple of what divides all strides. -/
def mayUndo (L : FlatLayout) (r : Int) : Bool := decide (r.natAbs ≤ farthest L) && r.natAbs % strideGcd L == 0

/-- `0, 1, -1, …, n-1, 1-n`; or `0, 1, …, n-1` where only the way forward is asked for. -/
def stepsOf (forward : Bool) : (n : Nat) → List Int
  | 0 => []
  | 1 => [0]
  | n + 2 => stepsOf forward (n + 1) ++ if forward then [(n + 1 : Int)] else [(n + 1 : Int), -(n + 1 : Int)]

/-- The first answer of `f` in a list. -/
def firstSteps (f : Int → Option (List Int)) : List Int → Option (List Int)
  | [] => none
  | z :: zs =>
    match f z with
    | some a => some a
    | none => firstSteps f zs

/-- Steps of `L` that undo `r`; if `fresh`, which says that no mode before has moved, the first step that moves goes
forward, and one moves. -/
def undoing : (L : FlatLayout) → (r : Int) → (fresh : Bool) → Option (List Int)
  | [], r, fresh => if r = 0 ∧ fresh = false then some [] else none
  | m :: L, r, fresh =>
    firstSteps
      (fun z =>
        if mayUndo L (r + z * m.stride) then
          match undoing L (r + z * m.stride) (fresh && z == 0) with
          | some zs => some (z :: zs)
          | none => none
        else none)
      (stepsOf fresh m.extent)

/-- Steps from one coordinate of `L` to another with the same offset, if there are any. The modes may stand in any
order; with the largest strides first the fewest steps are tried.
Rust: `razorgirl::Layout::injectivity` -/
def nowhere (L : FlatLayout) : Option (List Int) := undoing L 0 true

/-- What the steps forward make: the coordinate that is reached. -/
def forward : List Int → List Nat
  | [] => []
  | z :: zs => z.toNat :: forward zs

/-- What the steps back make: the coordinate that is left. -/
def backward : List Int → List Nat
  | [] => []
  | z :: zs => (-z).toNat :: backward zs

end Razorgirl.FlatLayout
