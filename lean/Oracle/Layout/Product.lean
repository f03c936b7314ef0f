module

public import Razorgirl.Spec.Layout.Product
public import Oracle.Layout.Divide

@[expose] public section

/-!
# Products

Which refusal code belongs to which failure. The complete product is the same function, so `"mode":"complete"` changes
nothing.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- Why there is no product: no complement in which the copies could lie, or no composite with it. -/
def refuseProduct (A T : Layout) : Answer :=
  match A.origins T with
  | some C => refuseComposition C T
  | none => refuseComplement A.filter

/-- The product by tiler in one of the forms. -/
def productOp (form? : (Layout → Layout → Option Layout) → Layout → Tiler → Option Layout) (args : List Json) :
    Answer :=
  tilerOp (fun A b => (form? Layout.logicalProduct A b).map bounded) (divided Layout.logicalProduct refuseProduct) args

/-- Why there is no product mode against mode: that of the two padded to the same number of modes. -/
def refusePadded (A T : Layout) : Answer :=
  refuseProduct (A.padModes (max A.rank T.rank)) (T.padModes (max A.rank T.rank))

/-- The product mode against mode. -/
def interleaveOp (interleaved : Layout → Layout → Option Layout) (A T : Layout) : Answer :=
  match interleaved A T with
  | some R => bounded R
  | none => refusePadded A T

/-- A block repeated up to a shape, or why it is not. -/
def tiledTo (L : Layout) (shape order : IntTuple) : Answer :=
  match L.fillers shape order with
  | some T => interleaveOp Layout.blockedProduct L T
  | none =>
    let sizes := shape.children.map IntTuple.size
    if sizes.length < L.rank then refuse "incongruent" "the block has more modes than the shape"
    else
      match Layout.ordered (.node (sizes.map .leaf)) order with
      | none => refuse "incongruent" "the order is no number for each mode of the shape"
      | some _ => refuse "not_divisible" "a mode of the block does not divide that of the shape"

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
