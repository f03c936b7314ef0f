module

public import Razorgirl.Spec.Layout.Composition.By
public import Razorgirl.Spec.Layout.Tiler.Coord

@[expose] public section

/-!
# What a composite with a tiler is

A tiler names coordinates of A: `_` names those of its mode, a layout `B` the mode's linear indices that B takes, a
tuple both mode by mode, with 0 in the modes of A beyond it. The composite with a tiler is A at the coordinate that the
tiler names. Tuples may stand inside tuples, and be empty.
-/

namespace Razorgirl

namespace Layout
open HTuple

mutual
/-- The shape of what a tiler leaves of a mode, before anything is split: that of the mode under `_`, that of a layout,
a tuple for a tuple. -/
def shapeBy : Tiler → HTuple Mode → IntTuple
  | .keep, t => t.map Mode.extent
  | .layout B, _ => B.shape
  | .modes bs, t => .node (shapesBy bs (children t))
/-- `shapeBy` mode by mode. -/
def shapesBy : List Tiler → List (HTuple Mode) → List IntTuple
  | b :: bs, t :: ts => shapeBy b t :: shapesBy bs ts
  | _, _ => []
end

/-! ## Which index of A -/

mutual
/-- The linear index of A that the tiler names at linear index `x` of `shapeBy`. -/
def indexBy : Tiler → HTuple Mode → (x : Nat) → Nat
  | .keep, _, x => x
  | .layout B, _, x => FlatLayout.atIndex B.modes x
  | .modes bs, t, x => indicesBy bs (children t) x
/-- `indexBy` mode by mode; further modes are at 0. -/
def indicesBy : List Tiler → List (HTuple Mode) → (x : Nat) → Nat
  | b :: bs, t :: ts, x =>
    indexBy b t (x % IntTuple.size (shapeBy b t)) +
      FlatLayout.size t.flatten * indicesBy bs ts (x / IntTuple.size (shapeBy b t))
  | _, _, _ => 0
end

mutual
/-- The tiler has nowhere more modes than A, and each of its layouts stays inside its mode. -/
def Inside : Tiler → HTuple Mode → Prop
  | .keep, _ => True
  | .layout B, t => ∀ x, x < B.size → FlatLayout.atIndex B.modes x < FlatLayout.size t.flatten
  | .modes bs, t => InsideAll bs (children t)
/-- `Inside` mode by mode. -/
def InsideAll : List Tiler → List (HTuple Mode) → Prop
  | [], _ => True
  | _ :: _, [] => False
  | b :: bs, t :: ts => Inside b t ∧ InsideAll bs ts
end

mutual
/-- How `r` is nested: `_` keeps its mode, and over each mode of a layout there is a coalesced one (`Over`). -/
def OverBy : Tiler → (t r : HTuple Mode) → Prop
  | .keep, t, r => r = t
  | .layout B, _, r => Over B.tree r
  | .modes bs, t, .node rs => OverAllBy bs (children t) rs
  | .modes _, _, .leaf _ => False
/-- `OverBy` mode by mode; further modes of A leave nothing. -/
def OverAllBy : List Tiler → (ts rs : List (HTuple Mode)) → Prop
  | [], _, [] => True
  | b :: bs, t :: ts, r :: rs => OverBy b t r ∧ OverAllBy bs ts rs
  | _, _, _ => False
end

/-- `R` is the composite of A with the tiler: the tiler stays inside the modes of A, R is nested like it and coalesced
over it, and R is A at the index that the tiler names. There is at most one. -/
def IsCompositeBy (A : Layout) (b : Tiler) (R : Layout) : Prop :=
  R.Valid ∧ Inside b A.tree ∧ OverBy b A.tree R.tree ∧
    ∀ x, x < R.size → FlatLayout.atIndex R.modes x = FlatLayout.atIndex A.modes (indexBy b A.tree x)

mutual
/-- The tiler has nowhere more modes than A, and `P` holds of each mode and the layout for it. -/
def EachLayout (P : Layout → Layout → Prop) : Tiler → HTuple Mode → Prop
  | .keep, _ => True
  | .layout B, t => P (ofTree t) B
  | .modes bs, t => EachLayoutOf P bs (children t)
/-- `EachLayout` mode by mode. -/
def EachLayoutOf (P : Layout → Layout → Prop) : List Tiler → List (HTuple Mode) → Prop
  | [], _ => True
  | _ :: _, [] => False
  | b :: bs, t :: ts => EachLayout P b t ∧ EachLayoutOf P bs ts
end

/-! ## Which coordinate of A -/

/-- The coordinate of a tuple of modes; a leaf is its own only mode. -/
def coordOf : HTuple Mode → List Coord → Coord
  | .leaf _, [d] => d
  | _, ds => .node ds

mutual
/-- The coordinate of A that the tiler names at coordinate `c` of `shapeBy`; `none` outside. -/
def coordBy : Tiler → HTuple Mode → (c : Coord) → Option Coord
  | .keep, t, c => (c.toFlat (t.map Mode.extent)).map fun _ => c
  | .layout B, _, c => (B.call c).map fun x => .leaf (some x)
  | .modes _, _, .leaf none => some (.leaf none)
  | .modes bs, t, .leaf (some x) =>
    if x < IntTuple.sizeList (shapesBy bs (children t)) then some (.leaf (some (indicesBy bs (children t) x))) else none
  | .modes bs, t, .node cs => (coordsBy bs (children t) cs).map (coordOf t)
/-- `coordBy` mode by mode; further modes are at 0. -/
def coordsBy : List Tiler → List (HTuple Mode) → (cs : List Coord) → Option (List Coord)
  | [], ts, [] => some (ts.map fun _ => .leaf none)
  | b :: bs, t :: ts, c :: cs =>
    match coordBy b t c, coordsBy bs ts cs with
    | some d, some ds => some (d :: ds)
    | _, _ => none
  | _, _, _ => none
end

/-! ## Worked examples -/

/-- `((4,2),6)` by `⟨⟨_⟩,3:2⟩` has the shape `((4),3)`; its coordinate `((3),2)` is `((3,0),4)` of A, and its linear
index 11 is 35 of A. -/
example :
    let t : HTuple Mode := .node [.node [.leaf ⟨4, 1⟩, .leaf ⟨2, 40⟩], .leaf ⟨6, 5⟩]
    let b : Tiler := .modes [.modes [.keep], .layout ⟨[⟨3, 2⟩], .leaf ()⟩]
    (shapeBy b t).flatten = [4, 3] ∧ indexBy b t 11 = 35 ∧
      (coordBy b t (.node [.node [.leaf (some 3)], .leaf (some 2)])).map HTuple.flatten = some [some 3, none, some 4] := by
  decide +kernel

end Layout

end Razorgirl
