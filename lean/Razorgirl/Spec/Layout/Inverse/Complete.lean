module

public import Razorgirl.Spec.Layout.Inverse

@[expose] public section

/-!
# Left inverses of any kind, by search

`leftInverse` reads an offset in the radix of the strides. Where these do not divide in turn, another radix may do:
`(2,3):(1,1)` undoes `(2,2):(2,3)`. The search tries every radix of primes, which is every layout: a mode `6:d` is
`(2,3):(d,2d)`. What a first mode `e:s` leaves of a pair of offset `o` and index `i` is the pair `o/e`, `i - (o%e)·s` for
the modes behind it, so the problem is the same one, in fewer offsets. No law of layouts is used but that.

The search is complete: it fails only where no layout at all is a left inverse. Its cost grows with the cosize, so the
Rust library bounds cosize and steps, and refuses with another code beyond.
-/

namespace Razorgirl

namespace FlatLayout

/-- `R` undoes `L`: the offset of every index lies in the domain of `R` and leads back to the index. -/
def Undoes (R L : FlatLayout) : Prop := ∀ x, x < size L → atIndex L x < size R ∧ atIndex R (atIndex L x) = x

/-- All pairs of an offset and an index with that offset, by offset. -/
def points (L : FlatLayout) : List (Nat × Nat) :=
  (List.range (cosizeFormula L)).flatMap fun o =>
    ((List.range (size L)).filter fun x => atIndex L x == o).map fun x => (o, x)

/-- A pair in front of others, once; `none` if its offset would have two indices. -/
def addPoint (p : Nat × Nat) : List (Nat × Nat) → Option (List (Nat × Nat))
  | [] => some [p]
  | q :: qs =>
    if p.1 = q.1 then if p.2 = q.2 then some (q :: qs) else none
    else some (p :: q :: qs)

/-- What a first mode `e:s` leaves of some pairs for the modes behind it; `none` if it takes more than an index has, or
leaves an offset with two indices. -/
def behind (e s : Nat) : List (Nat × Nat) → Option (List (Nat × Nat))
  | [] => some []
  | p :: ps =>
    if p.1 % e * s ≤ p.2 then
      match behind e s ps with
      | some qs => addPoint (p.1 / e, p.2 - p.1 % e * s) qs
      | none => none
    else none

/-- The largest stride of a first mode of extent `e` that takes no more than the indices have; `none` if all do. -/
def mostStride (e : Nat) : List (Nat × Nat) → Option Nat
  | [] => none
  | p :: ps =>
    if p.1 % e = 0 then mostStride e ps
    else
      match mostStride e ps with
      | some b => some (min (p.2 / (p.1 % e)) b)
      | none => some (p.2 / (p.1 % e))

/-- The strides of a first mode of extent `e` that are worth a try; only 0 where the stride does not matter. -/
def stridesToTry (e : Nat) (ps : List (Nat × Nat)) : List Nat :=
  match mostStride e ps with
  | some b => List.range (b + 1)
  | none => [0]

/-- The stride of a single mode, if one can do: index by offset of the first offset above 0. -/
def slope : List (Nat × Nat) → Nat
  | [] => 0
  | p :: ps => if p.1 = 0 then slope ps else p.2 / p.1

/-- The number has no divisor between 1 and itself. -/
def isPrime (n : Nat) : Bool := decide (2 ≤ n) && (List.range n).all fun d => decide (d < 2) || n % d != 0

/-- The first result in a list of attempts. -/
def firstOf {α β : Type} (f : α → Option β) : List α → Option β
  | [] => none
  | a :: as =>
    match f a with
    | some b => some b
    | none => firstOf f as

/-- A layout with the index of each pair at its offset, all offsets being below `N`: one mode, or else a mode of the least
prime extent and the least stride for which the rest is found. -/
def interpolate : (fuel N : Nat) → List (Nat × Nat) → Option FlatLayout
  | 0, _, _ => none
  | fuel + 1, N, ps =>
    if ps.all fun p => p.2 == p.1 * slope ps then some [⟨N, slope ps⟩]
    else
      firstOf (fun e => firstOf (fun s =>
        match behind e s ps with
        | some qs => (interpolate fuel (Division.ceilDiv N e) qs).map fun R => ⟨e, s⟩ :: R
        | none => none) (stridesToTry e ps)) ((List.range N).filter isPrime)

/-- The left inverse by whole modes, else any other. -/
def leftInverseComplete (L : FlatLayout) : Option FlatLayout :=
  match leftInverse L with
  | some R => some R
  | none => (interpolate (cosizeFormula L) (cosizeFormula L) (points L)).map coalesce

end FlatLayout

namespace Layout

/-- A left inverse if there is any. CuTe's `left_inverse` has no such mode.
Rust: `razorgirl::Layout::left_inverse_complete` -/
def leftInverseComplete (L : Layout) : Option Layout :=
  (FlatLayout.leftInverseComplete (FlatLayout.coalesce L.modes)).map FlatLayout.nest

end Layout

/-! ## Worked examples -/

/-- 2 does not divide 3, but 0, 2, 3, 5 read in the radix 2 are 0+0, 0+1, 1+1, 1+2. -/
example : FlatLayout.leftInverse [⟨2, 2⟩, ⟨2, 3⟩] = none ∧
    FlatLayout.leftInverseComplete [⟨2, 2⟩, ⟨2, 3⟩] = some [⟨2, 1⟩, ⟨3, 1⟩] := by decide +kernel

end Razorgirl
