module

public import Razorgirl.Spec.Layout.Product
public import Oracle.Layout.Divide

@[expose] public section

/-!
# Products

The complete product is the same function, so `"mode":"complete"` changes nothing.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- The product by tiler in one of the forms. -/
def productOp (form? : (Layout → Layout → Option Layout) → Layout → Tiler → Option Layout) (args : List Json) :
    Answer :=
  tilerOp (fun A b => (form? Layout.logicalProduct A b).map bounded) Layout.productCode args

/-- The product mode against mode. -/
def interleaveOp (interleaved : Layout → Layout → Option Layout) (A T : Layout) : Answer :=
  match interleaved A T with
  | some R => bounded R
  | none => refuseAlone (Layout.productCode A T)

/-- A block repeated up to a shape, or why it is not. -/
def tiledTo (L : Layout) (shape order : IntTuple) : Answer :=
  match L.tileToShape shape order with
  | some R => bounded R
  | none => refuseAlone (L.tileToShapeCode shape order)

/-- A block repeated up to a shape, in an order if there is one. -/
def tileToShapeOp (args : List Json) : Answer :=
  match args with
  | [a, s] => do
    let L ← readLayout a
    let shape ← readShape s
    tiledTo L shape (Layout.columnOrder shape)
  | [a, s, o] => do
    let order ← readInts o
    let L ← readLayout a
    let shape ← readShape s
    match atLeast 0 order with
    | some order => tiledTo L shape order
    | none => refuse "out_of_domain" "a number of the order is below 0"
  | _ => arity "a layout, a shape, and perhaps an order"

/-- pycute's way to name the zipped forms: 0 for division, 1 for product. -/
def hierUnzipOp (args : List Json) : Answer :=
  match args with
  | [k, a, b] =>
    match k.getInt? with
    | .ok 0 => divideOp (Layout.arrange Layout.zippedForm Layout.allRest) [a, b]
    | .ok 1 => productOp (Layout.arrange Layout.zippedForm Layout.allTile) [a, b]
    | _ => refuse "parse" "expected 0 for division or 1 for product"
  | _ => arity "0 or 1, a layout and a tiler"

end Oracle
