module

public import Razorgirl.Extract.Lang

@[expose] public section

/-! # Coalesce, as a program -/

namespace Razorgirl.Extract

/-- One turn of `coalesce`: the mode `m` merges with the current one, or starts the next. -/
def coalesceStep : Stmt [("m", .mode), ("cur", .mode), ("out", .list .mode), ("modes", .list .mode)] (.list .mode) :=
  when (.op2 .ne (.op1 .extent (v "m")) (.lit 1)) <|
    .ite (.op2 .eq (.op1 .extent (v "cur")) (.lit 1)) (set "cur" (v "m")) <|
    .ite (.mulIs (.op1 .extent (v "cur")) (.op1 .stride (v "cur")) (.op1 .stride (v "m")))
      (set "cur" (.op2 .mode (.op2 .mul (.op1 .extent (v "cur")) (.op1 .extent (v "m"))) (.op1 .stride (v "cur")))) <|
    .seq (push "out" (v "cur")) (set "cur" (v "m"))

/-- Coalesces in one pass. -/
def coalesce : Fn [("modes", .list .mode)] (.list .mode) :=
  .mk "coalesce" "The fewest modes with the same function of the linear index." <|
  .bind "out" .nil <|
  .bind "cur" (.op2 .mode (.lit 1) (.lit 0)) <|
  .seq (.each "m" (v "modes") coalesceStep) <|
  .seq (when (.op2 .ne (.op1 .extent (v "cur")) (.lit 1)) (push "out" (v "cur"))) <|
  .ret (v "out")

end Razorgirl.Extract
