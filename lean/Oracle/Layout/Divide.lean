module

public import Oracle.Layout.Complement
public import Oracle.Layout.Composition
public import Razorgirl.Spec.Layout.Divide
public import Razorgirl.Spec.Layout.Divide.Ceil
public import Razorgirl.Spec.Layout.Divide.Nearest
public import Razorgirl.Spec.Layout.Partition.Tiles

@[expose] public section

/-!
# Division

Complete division is the same function, so `"mode":"complete"` changes nothing.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- Division by tiler in one of the forms. -/
def divideOp (form? : (Layout → Layout → Option Layout) → Layout → Tiler → Option Layout) (args : List Json) : Answer :=
  tilerOp (fun A b => (form? Layout.logicalDivide A b).map bounded) Layout.divisionCode args

/-- Division with padding, with the index layouts and bounds beside. -/
def ceilAnswer (form? : Layout → Tiler → Option Layout) (A : Layout) (b : Tiler) : Option Answer :=
  match form? A b, A.ceilPartsBy b with
  | some R, some parts =>
    some (do
      let answer ← bounded R
      .ok (answer ++ [("index", .arr (parts.map fun p => layoutJson p.1).toArray),
        ("bounds", .arr (parts.map fun p => natJson p.2).toArray)]))
  | _, _ => none

/-- Division with padding. -/
def divideCeilOp (args : List Json) : Answer :=
  tilerOp (ceilAnswer Layout.logicalDivideCeilBy) Layout.ceilDivisionCode args

/-- Division with padding in zipped form, with how much of it is padding. -/
def zippedCeilAnswer (A : Layout) (b : Tiler) : Option Answer :=
  (A.zippedDivideCeil b).map fun Z => do
    let answer ← bounded Z
    .ok (answer ++ [("padded", natJson (Z.size - A.size))])

/-- The nearest tile that divides. -/
def nearestTileOp (A T : Layout) : Answer :=
  match A.nearestTile T with
  | some B => bounded B
  | none => result .null

end Oracle
