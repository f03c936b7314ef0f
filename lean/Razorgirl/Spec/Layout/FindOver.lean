module

public import Razorgirl.Spec.Layout.Find
public import Razorgirl.Spec.Stride

@[expose] public section

/-!
# From a function on a shape to its layout

Which layout over a refinement of a shape S, plus a constant, is a function f of the coordinates of S? Values and strides
may be negative. Two questions decide. Each axis by itself: one pass over its entries, which ends at the first entry that no
layout of that size can have. All axes together: whether f is the sum of what it is along each axis. A refusal names the entry or
the coordinate that excludes every layout, however fine.

The pass compares differences of neighbours. In a layout, entry x exceeds entry x - 1 by as much as entry w exceeds entry w - 1,
where w is the largest start of a mode that divides x. So an entry that does otherwise is the start of another mode.
Source: simplified-layout (An and Zhou, Rocq, 2026) decides flat shapes with a residue array of which it reads and writes entries
up to three times.
-/

namespace Razorgirl

namespace FindOver
open HTuple

/-- Where a mode starts: the index whose offset is its stride. -/
structure Start where
  /-- the index: the product of the extents before the mode -/
  index : Nat
  /-- how much the entry there exceeds the one before it -/
  step : Int
  /-- how much it exceeds the first entry: the stride -/
  stride : Int
deriving Repr

/-- How much entry `x` has to exceed the one before it: the step of the last start that divides x. Starts are listed from the
last. -/
def stepAt : (starts : List Start) → (x : Nat) → Int
  | [], _ => 0
  | s :: starts, x => if x % s.index = 0 then s.step else stepAt starts x

/-- The last start; 1 where there is none. -/
def lastIndex : List Start → Nat
  | [] => 1
  | s :: _ => s.index

/-- The pass over the entries from index `x` on, of an axis with `n`: the starts of its modes, or the first index at which
every layout of that size is excluded. `before` is the entry at `x - 1`, and no entry is looked at twice. -/
def scan (n : Nat) (first : Int) : (starts : List Start) → (x : Nat) → (before : Int) → (entries : List Int) →
    Except Nat (List Start)
  | starts, _, _, [] => .ok starts
  | starts, x, before, v :: vs =>
    if v - before = stepAt starts x then scan n first starts (x + 1) v vs
    else if x % lastIndex starts = 0 ∧ n % x = 0 then scan n first (⟨x, v - before, v - first⟩ :: starts) (x + 1) v vs
    else .error x

/-- The modes between starts, of which the last reaches to `n`, and then those given. -/
def between : (n : Nat) → (starts : List Start) → (modes : Stride.Modes Int) → Stride.Modes Int
  | _, [], modes => modes
  | n, s :: starts, modes => between s.index starts ((n / s.index, s.stride) :: modes)

/-- The coalesced modes whose offsets are these entries less the first one; or the first index that excludes all layouts with so
many entries. `findAxis [7,9,8,10] = [2:2, 2:1]`, `findAxis [0,1,1,0] = error 3`.
Rust: `razorgirl::find_modes` -/
def findAxis : (entries : List Int) → Except Nat (Stride.Modes Int)
  | [] => .error 0
  | [_] => .ok []
  | a :: b :: vs =>
    match scan (vs.length + 2) a [⟨1, b - a, b - a⟩] 2 b vs with
    | .ok starts => .ok (between (vs.length + 2) starts [])
    | .error x => .error x

/-- The coordinate with all entries 0. -/
def zeros (ss : List Nat) : List Nat := ss.map fun _ => 0

/-- The coordinate with `x` on axis `i` and 0 elsewhere. -/
def onAxis : (ss : List Nat) → (i x : Nat) → List Nat
  | [], _, _ => []
  | _ :: ss, 0, x => x :: zeros ss
  | _ :: ss, i + 1, x => 0 :: onAxis ss i x

/-- What a function is along the first axis. -/
def entries (f : List Nat → Int) (s : Nat) (ss : List Nat) : List Int :=
  (List.range s).map fun x => f (x :: zeros ss)

/-- The modes of each axis; or the first axis that has none, and the index at which its pass ends. -/
def findAxes : (f : List Nat → Int) → (ss : List Nat) → Except (Nat × Nat) (List (Stride.Modes Int))
  | _, [] => .ok []
  | f, s :: ss =>
    match findAxis (entries f s ss) with
    | .error x => .error (0, x)
    | .ok g =>
      match findAxes (fun c => f (0 :: c)) ss with
      | .error (i, x) => .error (i + 1, x)
      | .ok gs => .ok (g :: gs)

/-- The sum over the axes of what each one by itself adds to `f 0`. -/
def sumAlong : (f : List Nat → Int) → (ss c : List Nat) → Int
  | f, _ :: ss, x :: c => (f (x :: zeros ss) - f (0 :: zeros ss)) + sumAlong (fun d => f (0 :: d)) ss c
  | _, _, _ => 0

/-- The first coordinate, of `n` from linear index `x` on, where `f` is not the sum of what it is along each axis. -/
def firstMixed (f : List Nat → Int) (ss : List Nat) : (x n : Nat) → Option (List Nat)
  | _, 0 => none
  | x, n + 1 =>
    if f (idx2crd ss x) - f (zeros ss) = sumAlong f ss (idx2crd ss x) then firstMixed f ss (x + 1) n
    else some (idx2crd ss x)

/-- Why no layout has the values of a function.
Rust: `razorgirl::Witness` -/
inductive Witness where
  /-- no layout has the entries up to `index` of this axis, all other entries of the coordinate 0 -/
  | axis (axis index : Nat)
  /-- the value there is not what the axes by themselves add up to -/
  | coordinate (c : List Nat)
deriving Repr, DecidableEq

/-- Modes as a tree: none are `1:0`, a single one is a leaf, more are a tuple. -/
def nest : Stride.Modes Int → HTuple (Nat × Int)
  | [] => .leaf (1, 0)
  | [m] => .leaf m
  | L => .node (L.map .leaf)

mutual
/-- A tree with other trees in place of its leaves, and what is left of these. -/
def plant : (s : IntTuple) → List (HTuple (Nat × Int)) → HTuple (Nat × Int) × List (HTuple (Nat × Int))
  | .leaf _, [] => (.leaf (1, 0), [])
  | .leaf _, t :: ts => (t, ts)
  | .node ss, ts => (.node (plantList ss ts).1, (plantList ss ts).2)
/-- `plant` for several trees in turn. -/
def plantList : (ss : List IntTuple) → List (HTuple (Nat × Int)) → List (HTuple (Nat × Int)) × List (HTuple (Nat × Int))
  | [], ts => ([], ts)
  | s :: ss, ts => ((plant s ts).1 :: (plantList ss (plant s ts).2).1, (plantList ss (plant s ts).2).2)
end

/-- The offset of a linear index in a tree of modes. -/
noncomputable def value (R : HTuple (Nat × Int)) (x : Nat) : Int := Stride.atIndex R.flatten x

/-- `k` plus `R` is `f` at every coordinate of S, and the shape of R refines S. -/
def IsLayout (S : IntTuple) (f : List Nat → Int) (k : Int) (R : HTuple (Nat × Int)) : Prop :=
  IntTuple.refines (R.map Prod.fst) S = true ∧
    ∀ c, InBounds S.flatten c → f c = k + value R (crd2idx S.flatten c)

/-- `R` has `n` coordinates and is coalesced. -/
def CoalescedAxis (n : Nat) (R : HTuple (Nat × Int)) : Prop :=
  Stride.size R.flatten = n ∧ nest (Stride.coalesce R.flatten) = R

mutual
/-- Where the shape has a leaf, `R` has a coalesced layout of that size; the nesting above is the same. -/
def CoalescedOver : (s : IntTuple) → (R : HTuple (Nat × Int)) → Prop
  | .leaf n, R => CoalescedAxis n R
  | .node ss, .node Rs => CoalescedOverList ss Rs
  | .node _, .leaf _ => False
/-- `CoalescedOver` mode by mode. -/
def CoalescedOverList : (ss : List IntTuple) → (Rs : List (HTuple (Nat × Int))) → Prop
  | [], [] => True
  | s :: ss, R :: Rs => CoalescedOver s R ∧ CoalescedOverList ss Rs
  | _, _ => False
end

mutual
/-- The modes that `R` has on each axis of a shape that it refines. -/
def axes : (s : IntTuple) → (R : HTuple (Nat × Int)) → List (Stride.Modes Int)
  | .leaf _, R => [R.flatten]
  | .node ss, .node Rs => axesList ss Rs
  | .node _, .leaf _ => []
/-- `axes` of several shapes in turn. -/
def axesList : (ss : List IntTuple) → (Rs : List (HTuple (Nat × Int))) → List (Stride.Modes Int)
  | s :: ss, R :: Rs => axes s R ++ axesList ss Rs
  | _, _ => []
end

/-- How many modes have more than one coordinate. -/
def modeCount : Stride.Modes Int → Nat
  | [] => 0
  | m :: L => (if m.1 = 1 then 0 else 1) + modeCount L

/-- The products of the extents before each mode: where modes start. -/
def starts : Stride.Modes Int → List Nat
  | [] => []
  | m :: L => 1 :: (starts L).map (m.1 * ·)

end FindOver

open FindOver HTuple in
/-- The constant and the layout, coalesced on each axis of S, whose sum is `f` at every coordinate of S; or why no layout over any
refinement of S is. `f` is a function of the flat coordinate: how S is nested shows only in the nesting of the layout. Cost: one
pass over the values on the axes and one over all values.
Rust: `razorgirl::Layout::find_layout_over` -/
def findOver (S : IntTuple) (f : List Nat → Int) : Except Witness (Int × HTuple (Nat × Int)) :=
  match findAxes f S.flatten with
  | .error (i, x) => .error (.axis i x)
  | .ok gs =>
    match firstMixed f S.flatten 0 (prod S.flatten) with
    | some c => .error (.coordinate c)
    | none => .ok (f (zeros S.flatten), (plant S (gs.map nest)).1)

-- the row 27, 26, 25, 24, 31, 30, 29, 28 of a swizzled tile
example : FindOver.findAxis [27, 26, 25, 24, 31, 30, 29, 28] = .ok [(4, -1), (2, 4)] := rfl

end Razorgirl
