module

public import Razorgirl.Extract.Lang

@[expose] public section

/-! # Offsets and coordinates of linear indices, as programs -/

namespace Razorgirl.Extract

/-- One turn of `atIndex`: the next digit of the index times the stride. Behind the last digit that is not 0 nothing is divided. -/
def atIndexStep : Stmt [("m", .mode), ("sum", .nat), ("rest", .nat), ("modes", .list .mode), ("index", .nat)] .nat :=
  .seq (when (.op2 .lt (v "rest") (.op1 .extent (v "m")))
    (.ret (.op2 .add (v "sum") (.op2 .mul (v "rest") (.op1 .stride (v "m")))))) <|
  .seq (set "sum" (.op2 .add (v "sum")
    (.op2 .mul (.op2 .mod (v "rest") (.op1 .extent (v "m"))) (.op1 .stride (v "m"))))) <|
  set "rest" (.op2 .div (v "rest") (.op1 .extent (v "m")))

/-- The offset of a linear index. -/
def atIndex : Fn [("modes", .list .mode), ("index", .nat)] .nat :=
  .mk "at_index" "The offset of a linear index: its digits in the radix of the extents, times the strides." <|
  .bind "rest" (v "index") <|
  .bind "sum" (.lit 0) <|
  .seq (.each "m" (v "modes") atIndexStep) <|
  .ret (v "sum")

/-- One turn of `idx2crd`. -/
def idx2crdStep : Stmt [("s", .nat), ("rest", .nat), ("out", .list .nat), ("shape", .list .nat), ("index", .nat)]
    (.list .nat) :=
  .seq (push "out" (.op2 .mod (v "rest") (v "s"))) <|
  set "rest" (.op2 .div (v "rest") (v "s"))

/-- The coordinate of a linear index. -/
def idx2crd : Fn [("shape", .list .nat), ("index", .nat)] (.list .nat) :=
  .mk "idx2crd" "The coordinate of a linear index: its digits in the radix of the shape, the first fastest." <|
  .bind "out" .nil <|
  .bind "rest" (v "index") <|
  .seq (.each "s" (v "shape") idx2crdStep) <|
  .ret (v "out")

/-- One turn of `crd2idx`. -/
def crd2idxStep : Stmt [("s", .nat), ("i", .nat), ("weight", .nat), ("sum", .nat), ("shape", .list .nat),
    ("coord", .list .nat)] .nat :=
  .bind "c" (.op2 .get (v "coord") (v "i")) <|
  .seq (when (.op2 .le (v "s") (v "c")) (.refuse "out_of_domain")) <|
  .seq (set "sum" (.op2 .add (v "sum") (.op2 .mul (v "c") (v "weight")))) <|
  .seq (set "weight" (.op2 .mul (v "weight") (v "s"))) <|
  set "i" (.op2 .add (v "i") (.lit 1))

/-- The linear index of a coordinate. -/
def crd2idx : Fn [("shape", .list .nat), ("coord", .list .nat)] .nat :=
  .mk "crd2idx" "The linear index of a coordinate of a shape, the first entry fastest." <|
  .seq (when (.op2 .ne (.op1 .len (v "shape")) (.op1 .len (v "coord"))) (.refuse "incongruent")) <|
  .bind "sum" (.lit 0) <|
  .bind "weight" (.lit 1) <|
  .bind "i" (.lit 0) <|
  .seq (.each "s" (v "shape") crd2idxStep) <|
  .ret (v "sum")

/-- One turn of `atCoord`. -/
def atCoordStep : Stmt [("m", .mode), ("i", .nat), ("sum", .nat), ("modes", .list .mode), ("coord", .list .nat)] .nat :=
  .bind "c" (.op2 .get (v "coord") (v "i")) <|
  .seq (when (.op2 .le (.op1 .extent (v "m")) (v "c")) (.refuse "out_of_domain")) <|
  .seq (set "sum" (.op2 .add (v "sum") (.op2 .mul (v "c") (.op1 .stride (v "m"))))) <|
  set "i" (.op2 .add (v "i") (.lit 1))

/-- The offset of a coordinate. -/
def atCoord : Fn [("modes", .list .mode), ("coord", .list .nat)] .nat :=
  .mk "at_coord" "The offset of a coordinate: each entry times its stride." <|
  .seq (when (.op2 .ne (.op1 .len (v "modes")) (.op1 .len (v "coord"))) (.refuse "incongruent")) <|
  .bind "sum" (.lit 0) <|
  .bind "i" (.lit 0) <|
  .seq (.each "m" (v "modes") atCoordStep) <|
  .ret (v "sum")

end Razorgirl.Extract
