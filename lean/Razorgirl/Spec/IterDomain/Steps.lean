module

public import Razorgirl.Spec.Int.Ceil
public import Razorgirl.Spec.IterDomain.Transform

@[expose] public section

/-!
# The transformations: splits, merge, reorder, resize, swizzles

Sources: nvFuser `doc/reading/iterdomain.md` for the inner split, and for the others, which the document leaves
open, `csrc/ir/internal_base_nodes.cpp`, `csrc/id_model/id_model_index_compute.cpp` and `csrc/swizzle.cpp`.
Factors are at least 1. Quotients and remainders are Euclidean, so that holes left of 0 stay there.
-/

namespace Razorgirl.IterDomain

/-- The exclusive or of two integers, as in two's complement: `xorInt 5 3 = 6`, `xorInt (-1) 3 = -4`. -/
def xorInt : Int → Int → Int
  | .ofNat a, .ofNat b => .ofNat (a ^^^ b)
  | .ofNat a, .negSucc b => .negSucc (a ^^^ b)
  | .negSucc a, .ofNat b => .negSucc (a ^^^ b)
  | .negSucc a, .negSucc b => .ofNat (a ^^^ b)

example : xorInt 5 3 = 6 := by decide
example : xorInt (-1) 3 = -4 := by decide

/-- `p` doubled, at most `fuel` times, until it is at least `n`. -/
def doubleTo (n : Nat) : (fuel p : Nat) → Nat
  | 0, p => p
  | fuel + 1, p => if n ≤ p then p else doubleTo n fuel (2 * p)

/-- The least power of two that is at least `n`: 1, 1, 2, 4, 4, 8 for 0 to 5. -/
def nextPow2 (n : Nat) : Nat := doubleTo n n 1

example : [0, 1, 2, 3, 4, 5].map nextPow2 = [1, 1, 2, 4, 4, 8] := by decide

/-- Taking the exclusive or with `x` below `Nx` never leaves `[0,Ny)`. -/
def XorClosed (Nx Ny : Nat) : Prop := ∀ x y, x < Nx → y < Ny → x ^^^ y < Ny

/-- The entries of `xs` at the positions `p`, with `d` for a position that is not there. -/
def pick {α : Type} (d : α) (p : List Nat) (xs : List α) : List α := p.map fun k => xs.getD k d

/-- The position of `x`, or the length if it does not occur. -/
def position (x : Nat) : List Nat → Nat
  | [] => 0
  | y :: ys => if x = y then 0 else position x ys + 1

/-- The permutation that undoes `p`. -/
def invert (p : List Nat) : List Nat := (List.range p.length).map fun k => position k p

/-- `p` names each of `0, …, n-1` once. -/
def isOrder (n : Nat) (p : List Nat) : Bool := p.length == n && (List.range n).all fun k => decide (position k p < n)

example : isOrder 3 [2, 0, 1] = true ∧ isOrder 3 [2, 0, 2] = false ∧ isOrder 2 [2, 0, 1] = false := by decide
example : pick 0 (invert [2, 0, 1]) (pick 0 [2, 0, 1] [10, 20, 30]) = [10, 20, 30] := by decide

/-- The part of an index laid out as `[outer | selected | inner]`: what is left of `x` above `inner` indices, modulo
`selected` (nvFuser `PartOf` in `proveLinearAndGetStride`). The inputs of a merge are parts of its output. -/
def partOf (x inner selected : Int) : Int := x / inner % selected

example : partOf 23 2 5 = 1 := by decide

namespace Transform

/-- Splits a domain into an outer one and an inner one of extent `d` (nvFuser Definition 1.1.1). If `d` does not
divide the extent, the last round has holes: 10 by 3 runs over 4×3 points. -/
def innerSplit (d : Int) : Transform where
  inRank := 1
  outRank := 2
  ext
    | [N] => [Division.cdiv N d, d]
    | _ => []
  fwd
    | [_], [i] => [i / d, i % d]
    | _, _ => []
  bwd
    | [_], [o, j] => [o * d + j]
    | _, _ => []

/-- Splits a domain into an outer one of extent `k` and an inner one of extent `⌈N/k⌉`. As an index map it is the
inner split by `⌈N/k⌉`, but the outer extent is `k` even where fewer would do: 5 by 4 runs over 4×2 points, and
the last pair is all holes. -/
def outerSplit (k : Int) : Transform where
  inRank := 1
  outRank := 2
  ext
    | [N] => [k, Division.cdiv N k]
    | _ => []
  fwd
    | [N], [i] => [i / Division.cdiv N k, i % Division.cdiv N k]
    | _, _ => []
  bwd
    | [N], [o, j] => [o * Division.cdiv N k + j]
    | _, _ => []

/-- Merges an outer and an inner domain into one that runs over all pairs, the inner index fastest. -/
def merge : Transform where
  inRank := 2
  outRank := 1
  ext
    | [N₀, N₁] => [N₀ * N₁]
    | _ => []
  fwd
    | [_, N₁], [a, b] => [a * N₁ + b]
    | _, _ => []
  bwd
    | [_, N₁], [i] => [i / N₁, i % N₁]
    | _, _ => []

/-- Puts the domains in another order: the new domain at `k` is the old one at `p[k]`. -/
def reorder (p : List Nat) : Transform where
  inRank := p.length
  outRank := p.length
  ext N := pick 0 p N
  fwd _ i := pick 0 p i
  bwd _ j := pick 0 (invert p) j

/-- Adds `L` indices on the left of a domain and `R` on the right; cuts off where they are negative. -/
def resize (L R : Int) : Transform where
  inRank := 1
  outRank := 1
  ext
    | [N] => [N + L + R]
    | _ => []
  fwd
    | [_], [i] => [i + L]
    | _, _ => []
  bwd
    | [_], [j] => [j - L]
    | _, _ => []

/-- Swizzles the second of two domains by the exclusive or with the first. -/
def xor : Transform where
  inRank := 2
  outRank := 2
  ext N := N
  fwd
    | [_, _], [x, y] => [x, xorInt x y]
    | _, _ => []
  bwd
    | [_, _], [x, y] => [x, xorInt x y]
    | _, _ => []

/-- Swizzles the second of two domains by adding the first, modulo the extent of the *first*, as nvFuser has it. -/
def cyclicShift : Transform where
  inRank := 2
  outRank := 2
  ext N := N
  fwd
    | [Nx, _], [x, y] => [x, (x + y) % Nx]
    | _, _ => []
  bwd
    | [Nx, _], [x, y] => [x, (Nx + y - x) % Nx]
    | _, _ => []

/-- Swizzles the second of two domains by running through it backwards wherever the first is odd. -/
def zShape : Transform where
  inRank := 2
  outRank := 2
  ext N := N
  fwd
    | [_, Ny], [x, y] => [x, if x % 2 = 0 then y else Ny - 1 - y]
    | _, _ => []
  bwd
    | [_, Ny], [x, y] => [x, if x % 2 = 0 then y else Ny - 1 - y]
    | _, _ => []

/-! ## Two ways to split and merge -/

/-- Splits the inner of two domains by `N` and merges the outer part with the outer domain. -/
def splitThenMerge (N : Int) : Transform := (merge.embed 0 1).after ((innerSplit N).embed 1 0)

/-- Merges two domains and splits the result by `N`. -/
def mergeThenSplit (N : Int) : Transform := (innerSplit N).after merge

/-! ## Worked examples -/

/-- 10 by 3: four rounds of three, index 7 is the second of the third round. -/
example : (innerSplit 3).ext [10] = [4, 3] ∧ (innerSplit 3).fwd [10] [7] = [2, 1] ∧
    (innerSplit 3).bwd [10] [2, 1] = [7] := by decide
/-- 5 into 4 parts: each of 2, the last part is all holes. -/
example : (outerSplit 4).ext [5] = [4, 2] ∧ (outerSplit 4).bwd [5] [3, 0] = [6] := by decide
/-- 3 rows of 4: row 2, column 1 is index 9. -/
example : merge.ext [3, 4] = [12] ∧ merge.fwd [3, 4] [2, 1] = [9] ∧ merge.bwd [3, 4] [9] = [2, 1] := by decide
/-- A padded domain starts with holes. -/
example : (resize 2 1).ext [5] = [8] ∧ (resize 2 1).bwd [5] [0] = [-2] := by decide
/-- The split of the second of three domains. -/
example : ((innerSplit 3).embed 1 1).ext [2, 10, 7] = [2, 4, 3, 7] ∧
    ((innerSplit 3).embed 1 1).bwd [2, 10, 7] [1, 2, 1, 5] = [1, 7, 5] := by decide
/-- Split, then the outer half again. -/
example : (((innerSplit 2).embed 0 1).after (innerSplit 3)).ext [10] = [2, 2, 3] := by decide

end Transform

end Razorgirl.IterDomain
