module

public import Razorgirl.Extract.Complement
public import Razorgirl.Spec.Layout.Injective.Decide

@[expose] public section

/-! # A criterion for injective layouts, as a program -/

namespace Razorgirl.Extract

/-- One turn of `spreads`: the next stride is larger than all that the modes before reach together. -/
def spreadsStep : Stmt [("m", .mode), ("reach", .nat), ("chain", .list .mode), ("modes", .list .mode)] .bool :=
  .seq (when (.op2 .le (.op1 .stride (v "m")) (v "reach")) (.ret (.bool false))) <|
  set "reach" (.op2 .add (v "reach") (.op2 .mul (.op2 .sub (.op1 .extent (v "m")) (.lit 1)) (.op1 .stride (v "m"))))

/-- Whether the strides say that a layout is injective. -/
def spreads : Fn [("modes", .list .mode)] .bool :=
  .mk "spreads" "Whether each stride is larger than all that the smaller ones reach together: then no two offsets are equal." <|
  .bind "chain" (call1 chain (v "modes")) <|
  .bind "reach" (.lit 0) <|
  .seq (.each "m" (v "chain") spreadsStep) <|
  .ret (.bool true)

end Razorgirl.Extract
