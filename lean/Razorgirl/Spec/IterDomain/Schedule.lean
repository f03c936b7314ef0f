module

public import Razorgirl.Spec.IterDomain.Steps

@[expose] public section

/-!
# Schedules

A schedule is a list of steps on a list of iteration domains. Axes are positions in the current list, and a step
replaces its axes in place. The generated code loops over the domains that are left at the end, and takes each loop
point back, step by step, to the domains that came in. Where any domain on the way is outside its extent the loop
point is a *hole* (nvFuser `doc/reading/divisibility-of-split.md`, 4.1).

Every domain has a number: those that come in 0, 1, …, and each step numbers the ones that it makes, from left to right
in the list after it (a split: outer, then inner), on from there. A reorder makes none. A swizzle makes two, numbered
x, then y.
-/

namespace Razorgirl.IterDomain

/-- Which swizzle.
Rust: `razorgirl::iter_domain::Swizzle` -/
inductive SwizzleKind where
  /-- exclusive or -/
  | xor
  /-- addition modulo the first extent -/
  | cyclicShift
  /-- backwards where the first index is odd -/
  | zShape
deriving DecidableEq, Repr

/-- A transformation of one domain, or of two side by side. -/
inductive Op where
  /-- inner split by `factor` -/
  | split (factor : Int)
  /-- outer split into `factor` parts -/
  | splitOuter (factor : Int)
  /-- merge, the outer domain first -/
  | merge
  /-- so many more indices on either side -/
  | resize (left right : Int)
  /-- swizzle of the second by the first -/
  | swizzle (kind : SwizzleKind)
deriving DecidableEq, Repr

/-- What it does. -/
def Op.transform : Op → Transform
  | .split d => .innerSplit d
  | .splitOuter k => .outerSplit k
  | .merge => .merge
  | .resize L R => .resize L R
  | .swizzle .xor => .xor
  | .swizzle .cyclicShift => .cyclicShift
  | .swizzle .zShape => .zShape

/-- It can be applied to domains of these extents. -/
def Op.valid : Op → (extents : List Int) → Bool
  | .split d, _ => decide (0 < d)
  | .splitOuter k, _ => decide (0 < k)
  | .resize L R, [N] => decide (0 < N + L + R)
  | _, _ => true

/-- The whole list of domains taken one transformation further. -/
inductive Move where
  /-- `op` on the domains from position `k` on -/
  | apply (k : Nat) (op : Op)
  /-- another order: the new domain at `k` is the old one at `p[k]` -/
  | reorder (p : List Nat)
deriving DecidableEq, Repr

namespace Move

/-- What it does to `n` domains. -/
def transform (n : Nat) : Move → Transform
  | apply k op => op.transform.embed k (n - (k + op.transform.inRank))
  | reorder p => .reorder p

/-- The domains there are after it. -/
def ext (m : Move) (N : List Int) : List Int := (m.transform N.length).ext N

/-- It can be applied to domains of these extents. -/
def valid (N : List Int) : Move → Bool
  | apply k op => decide (k + op.transform.inRank ≤ N.length) && op.valid ((N.drop k).take op.transform.inRank)
  | reorder p => isOrder N.length p

/-- How many domains it makes. -/
def made : Move → Nat
  | apply _ op => op.transform.outRank
  | reorder _ => 0

end Move

/-- A step as it is written.
Rust: `razorgirl::iter_domain::Step` -/
inductive Step where
  /-- inner split of an axis -/
  | split (axis : Nat) (factor : Int)
  /-- outer split of an axis -/
  | splitOuter (axis : Nat) (factor : Int)
  /-- merge of two axes anywhere; the result takes the place of the outer one -/
  | merge (outer inner : Nat)
  /-- a new order of all axes -/
  | reorder (p : List Nat)
  /-- so many more indices of an axis on either side -/
  | resize (axis : Nat) (left right : Int)
  /-- swizzle of axis `y` by axis `x` -/
  | swizzle (kind : SwizzleKind) (x y : Nat)
deriving DecidableEq, Repr

/-- The order of `n` axes in which `b` comes right behind `a` and the others stay. -/
def bringBehind (n a b : Nat) : List Nat :=
  (List.range n).flatMap fun k => if k = a then [a, b] else if k = b then [] else [k]

/-- Where `a` is in that order. -/
def placeOf (a b : Nat) : Nat := if b < a then a - 1 else a

example : bringBehind 4 3 1 = [0, 2, 3, 1] ∧ placeOf 3 1 = 2 := by decide +kernel

namespace Step

/-- A step on `n` axes as moves: axes that are apart are first brought together, and put back after a swizzle. -/
def moves (n : Nat) : Step → List Move
  | split a d => [.apply a (.split d)]
  | splitOuter a k => [.apply a (.splitOuter k)]
  | merge a b => [.reorder (bringBehind n a b), .apply (placeOf a b) .merge]
  | reorder p => [.reorder p]
  | resize a L R => [.apply a (.resize L R)]
  | swizzle kind x y =>
    [.reorder (bringBehind n x y), .apply (placeOf x y) (.swizzle kind), .reorder (invert (bringBehind n x y))]

/-- How many axes there are after it. -/
def rankAfter (n : Nat) : Step → Nat
  | split _ _ => n + 1
  | splitOuter _ _ => n + 1
  | merge _ _ => n - 1
  | _ => n

end Step

/-- Steps on `n` axes as moves. -/
def movesOf (n : Nat) : List Step → List Move
  | [] => []
  | s :: ss => s.moves n ++ movesOf (s.rankAfter n) ss

/-- All extents are at least 1. -/
def positive (N : List Int) : Bool := N.all fun n => decide (0 < n)

/-- The moves can be applied one after another, and no domain is ever empty. -/
def validMoves (N : List Int) : List Move → Bool
  | [] => positive N
  | m :: ms => positive N && m.valid N && validMoves (m.ext N) ms

/-- The moves one after another, as one transformation of `n` domains. -/
def chain (n : Nat) : List Move → Transform
  | [] => .identity n
  | m :: ms => (chain (m.transform n).outRank ms).after (m.transform n)

/-! ## Domains and holes -/

/-- A domain at one loop point. -/
structure Domain where
  /-- its number, in order of creation -/
  number : Nat
  /-- how many indices it has -/
  extent : Int
  /-- its index, wherever that is -/
  index : Int
deriving DecidableEq, Repr

/-- The index exists. -/
def Domain.inRange (d : Domain) : Bool := decide (0 ≤ d.index) && decide (d.index < d.extent)

/-- Domains numbered from `first` on. -/
def numbered (first : Nat) : (extents indices : List Int) → List Domain
  | n :: ns, i :: is => ⟨first, n, i⟩ :: numbered (first + 1) ns is
  | _, _ => []

/-- The domains that a move makes, of the extents and indices after it. -/
def Move.domains (next : Nat) (extents indices : List Int) : Move → List Domain
  | .apply k op => numbered next ((extents.drop k).take op.transform.outRank)
      ((indices.drop k).take op.transform.outRank)
  | .reorder _ => []

/-- A loop point taken back: the indices before the moves, and all domains that the moves make. -/
def trace (N : List Int) (next : Nat) : List Move → (point : List Int) → List Int × List Domain
  | [], j => (j, [])
  | m :: ms, j =>
    let r := trace (m.ext N) (next + m.made) ms j
    ((m.transform N.length).bwd N r.1, m.domains next (m.ext N) r.1 ++ r.2)

/-! ## Boxes in row-major order -/

/-- The number of points of a box. -/
def boxSize : List Int → Int
  | [] => 1
  | n :: ns => n * boxSize ns

/-- The point with row-major number `x`, the last index fastest: `pointAt [2, 3] 4 = [1, 1]`. -/
def pointAt : (extents : List Int) → (x : Int) → List Int
  | [], _ => []
  | _ :: ns, x => x / boxSize ns :: pointAt ns (x % boxSize ns)

/-- The row-major number of a point: `rowMajor [2, 3] [1, 1] = 4`. -/
def rowMajor : (extents indices : List Int) → Int
  | _ :: ns, i :: is => i * boxSize ns + rowMajor ns is
  | _, _ => 0

example : pointAt [2, 3] 4 = [1, 1] ∧ rowMajor [2, 3] [1, 1] = 4 := by decide +kernel

/-! ## Schedules -/

/-- Steps on iteration domains.
Rust: `razorgirl::iter_domain::Schedule` -/
structure Schedule where
  /-- the extents of the domains that come in -/
  extents : List Int
  /-- the steps, first to last -/
  steps : List Step

namespace Schedule

/-- The steps as moves. -/
def moves (s : Schedule) : List Move := movesOf s.extents.length s.steps

/-- Every step can be applied, and no domain is ever empty. -/
def valid (s : Schedule) : Bool := validMoves s.extents s.moves

/-- The whole schedule as one transformation. -/
def transform (s : Schedule) : Transform := chain s.extents.length s.moves

/-- The extents of the generated loops, outermost first.
Rust: `razorgirl::iter_domain::Schedule::loop_extents` -/
def loops (s : Schedule) : List Int := s.transform.ext s.extents

/-- All domains at a loop point: those that came in, and those that the steps made.
Rust: `razorgirl::iter_domain::Schedule::axis_indices` -/
def domains (s : Schedule) (j : List Int) : List Domain :=
  let r := trace s.extents s.extents.length s.moves j
  numbered 0 s.extents r.1 ++ r.2

/-- Some domain is outside its extent. -/
def isHole (s : Schedule) (j : List Int) : Bool := !(s.domains j).all Domain.inRange

/-- What a loop point computes: the row-major number of the element that it stands for, nothing at a hole.
Rust: `razorgirl::iter_domain::Schedule::index` -/
def element (s : Schedule) (j : List Int) : Option Int :=
  let r := trace s.extents s.extents.length s.moves j
  if (numbered 0 s.extents r.1).all Domain.inRange && r.2.all Domain.inRange then some (rowMajor s.extents r.1)
  else none

/-- `element` for every loop point, in the order of the loops.
Rust: `razorgirl::iter_domain::Schedule::elements` -/
def elements (s : Schedule) : List (Option Int) :=
  let L := s.loops
  (List.range (boxSize L).toNat).map fun (x : Nat) => s.element (pointAt L x)

/-! ## When two schedules are the same program -/

/-- The first of `fuel` numbers, from `x` on, at which two functions differ. -/
def differenceFrom {α : Type} [DecidableEq α] (f g : Nat → α) : (fuel x : Nat) → Option Nat
  | 0, _ => none
  | fuel + 1, x => if f x = g x then differenceFrom f g fuel (x + 1) else some x

/-- The first point of a box at which two functions differ. -/
def differenceIn {α : Type} [DecidableEq α] (L : List Int) (f g : List Int → α) : Option (List Int) :=
  (differenceFrom (fun x => f (pointAt L (.ofNat x))) (fun x => g (pointAt L (.ofNat x))) (boxSize L).toNat 0).map
    fun x => pointAt L (.ofNat x)

/-- The first loop point of `s` at which `s` and `t` compute different elements, or one of them a hole. -/
def difference (s t : Schedule) : Option (List Int) := differenceIn s.loops s.element t.element

/-- **The same program**: the same domains come in, the loops have the same extents, and every loop point computes the
same element, or is a hole of both. -/
def SameProgram (s t : Schedule) : Prop := s.extents = t.extents ∧ s.loops = t.loops ∧ s.elements = t.elements

/-- Decides `SameProgram`.
Rust: `razorgirl::iter_domain::Schedule::equivalent` -/
def equivalent (s t : Schedule) : Bool :=
  decide (s.extents = t.extents) && decide (s.loops = t.loops) && (difference s t).isNone

/-- The first loop point of `s` that `s` and `t` take back to different indices, be it a hole or not. -/
def differenceE2 (s t : Schedule) : Option (List Int) :=
  differenceIn s.loops (s.transform.bwd s.extents) (t.transform.bwd s.extents)

/-- nvFuser's equality, `E2`: the same domains come in, the loops have the same extents, and every loop point goes back
to the same indices. It does not see which domains on the way are left, so it is neither weaker nor stronger than
`SameProgram`.
Rust: `razorgirl::iter_domain::Schedule::equivalent_by` -/
def equivalentE2 (s t : Schedule) : Bool :=
  decide (s.extents = t.extents) && decide (s.loops = t.loops) && (differenceE2 s t).isNone

/-- The loop point that computes an element of the tensor: the one that the forward maps take it to, if that point goes
back to the element through domains that all exist; none, *lost*, if it does not, as where a resize cuts the element off. A
cyclic swizzle whose second axis is the longer one also computes elements at other points, which are no places.
Rust: `razorgirl::iter_domain::Schedule::equivalent_by` -/
def place (s : Schedule) (i : List Int) : Option (List Int) :=
  if s.element (s.transform.fwd s.extents i) = some (rowMajor s.extents i) then some (s.transform.fwd s.extents i)
  else none

/-- The first element, as a point of the tensor, that `s` and `t` compute at different loop points, or that only one of
them computes. -/
def differenceE1 (s t : Schedule) : Option (List Int) := differenceIn s.extents s.place t.place

/-- Equality on valid items: the same domains come in, the loops have the same extents, and every element is computed at
its place, which is the same loop point, or lost in both. The forward maps alone (`Transform.E1`) do not see that an element is lost.
Rust: `razorgirl::iter_domain::Schedule::equivalent_by` -/
def equivalentE1 (s t : Schedule) : Bool :=
  decide (s.extents = t.extents) && decide (s.loops = t.loops) && (differenceE1 s t).isNone

/-! ## Worked examples -/

/-- 6 by 4: two rounds of four, the last two points are holes. -/
example : elements ⟨[6], [.split 0 4]⟩ = [some 0, some 1, some 2, some 3, some 4, some 5, none, none] := by decide +kernel
/-- 15 by 6, the outer part by 2 and the inner one by 4: index 6 is met at two loop points, one of them a hole. -/
example : loops ⟨[15], [.split 0 6, .split 0 2, .split 2 4]⟩ = [2, 2, 2, 4] ∧
    domains ⟨[15], [.split 0 6, .split 0 2, .split 2 4]⟩ [0, 0, 1, 2] =
      [⟨0, 15, 6⟩, ⟨1, 3, 0⟩, ⟨2, 6, 6⟩, ⟨3, 2, 0⟩, ⟨4, 2, 0⟩, ⟨5, 2, 1⟩, ⟨6, 4, 2⟩] := by decide +kernel
/-- The columns of 2×3 outermost. -/
example : elements ⟨[2, 3], [.reorder [1, 0]]⟩ = [some 0, some 3, some 1, some 4, some 2, some 5] := by decide +kernel
/-- The same by a merge of the second axis with the first. -/
example : elements ⟨[2, 3], [.merge 1 0]⟩ = [some 0, some 3, some 1, some 4, some 2, some 5] := by decide +kernel
/-- Two elements cut off, two holes put in their place: nvFuser's equality does not see it. -/
example : elements ⟨[4], [.resize 0 0 (-2), .resize 0 0 2]⟩ = [some 0, some 1, none, none] := by decide +kernel
/-- Element 0 is cut off, and a hole put in its place: elements 1, 2 and 3 keep their points. -/
example : [[0], [1], [2], [3]].map (place ⟨[4], [.resize 0 (-1) 0, .resize 0 1 0]⟩) =
    [none, some [1], some [2], some [3]] := by decide +kernel
/-- Split-split. -/
example : equivalent ⟨[5], [.split 0 2, .split 0 2]⟩ ⟨[5], [.split 0 4, .split 1 2]⟩ = true := by decide +kernel

end Schedule

end Razorgirl.IterDomain
