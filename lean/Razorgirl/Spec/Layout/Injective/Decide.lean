module

public import Razorgirl.Spec.Layout.Complement
public import Razorgirl.Spec.Layout.Injective.Steps

@[expose] public section

/-!
# Whether a layout is injective, within a bound

The strides say it where each is larger than all that the smaller ones reach together. Two modes collide exactly where
their steps in lowest terms fit into both extents. What neither says is searched, and a search that tries more than `b` steps
says nothing.
-/

namespace Razorgirl

/-- What a search with a bound finds. -/
inductive Searched where
  /-- these steps -/
  | found (steps : List Int)
  /-- that there are none, and how many tries are left -/
  | nothing (left : Nat)
  /-- nothing: more tries are needed -/
  | unknown
deriving Repr, DecidableEq

namespace FlatLayout

/-! ## The strides -/

/-- Each stride is larger than the largest offset of the modes before it, of which `r` is that of none. -/
def spreadsFrom (r : Nat) : FlatLayout → Bool
  | [] => true
  | m :: L => decide (r < m.stride) && spreadsFrom (r + (m.extent - 1) * m.stride) L

/-- In order of stride, each stride is larger than all that the modes before reach together. -/
def spreads (L : FlatLayout) : Bool := spreadsFrom 0 (chain L)

/-- Whether the two modes alone have an offset twice, their extents being above 1. -/
def pairMeets (m n : Mode) : Bool :=
  decide (n.stride / Nat.gcd m.stride n.stride < m.extent) && decide (m.stride / Nat.gcd m.stride n.stride < n.extent)

/-- Whether some two modes alone have an offset twice, the extents being above 1. -/
def somePairMeets : FlatLayout → Bool
  | [] => false
  | m :: L => L.any (pairMeets m) || somePairMeets L

/-! ## The search -/

/-- The first find in a list, of as many tries as are left. -/
def firstWithin (f : Nat → Int → Searched) : (b : Nat) → List Int → Searched
  | b, [] => .nothing b
  | b, z :: zs =>
    match f b z with
    | .nothing b' => firstWithin f b' zs
    | r => r

/-- `undoing` with at most `b` tries. A step that the modes after it may undo is a try. -/
def undoingWithin : (L : FlatLayout) → (b : Nat) → (r : Int) → (fresh : Bool) → Searched
  | [], b, r, fresh => if r = 0 ∧ fresh = false then .found [] else .nothing b
  | m :: L, b, r, fresh =>
    firstWithin
      (fun b z =>
        if mayUndo L (r + z * m.stride) then
          match b with
          | 0 => .unknown
          | b + 1 =>
            match undoingWithin L b (r + z * m.stride) (fresh && z == 0) with
            | .found zs => .found (z :: zs)
            | .nothing b' => .nothing b'
            | .unknown => .unknown
        else .nothing b)
      b (stepsOf fresh m.extent)

/-- The most tries that a search may need. -/
def mostTries : FlatLayout → Nat
  | [] => 0
  | m :: L => (2 * m.extent - 1) * (1 + mostTries L)

/-- Whether a layout is injective; `none` where that takes more than `b` tries. The largest strides are searched first.
Rust: `razorgirl::Layout::injectivity` -/
def injectiveWithin (L : FlatLayout) (b : Nat) : Option Bool :=
  if spreads L then some true
  else if somePairMeets (chain L) then some false
  else
    match undoingWithin (chain L).reverse b 0 true with
    | .found _ => some false
    | .nothing _ => some true
    | .unknown => none

-- the strides of (2,3):(3,2) decide nothing, and its modes do not meet: two tries show that it is injective
example : injectiveWithin [⟨2, 3⟩, ⟨3, 2⟩] 2 = some true ∧ injectiveWithin [⟨2, 2⟩, ⟨2, 3⟩, ⟨2, 4⟩] 0 = none ∧
    injectiveWithin [⟨4, 2⟩, ⟨4, 3⟩, ⟨2, 1000⟩] 0 = some false := by decide +kernel

end FlatLayout

end Razorgirl
