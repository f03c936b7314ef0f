module

public import Razorgirl.Extract.Lang

@[expose] public section

/-! # Offsets and coordinates of linear indices, as programs -/

namespace Razorgirl.Extract

/-- One turn of `atIndex`: the next digit of the index times the stride. -/
def atIndexStep : Stmt [("m", .mode), ("sum", .nat), ("rest", .nat), ("modes", .list .mode), ("index", .nat)] .nat :=
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

end Razorgirl.Extract
