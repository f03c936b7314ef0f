module

public import Razorgirl.Extract.Lang
public import Razorgirl.Spec.Tma.Fttc

@[expose] public section

/-! # The condition of TMA correctness, as a program -/

namespace Razorgirl.Extract

/-- One turn of `violations`: a dimension is `(size, (box, element stride))`. -/
def violationsStep : Stmt [("d", .pair .nat (.pair .nat .nat)), ("i", .nat), ("out", .list .nat),
    ("dims", .list (.pair .nat (.pair .nat .nat)))] (.list .nat) :=
  .bind "b" (.op1 .fst (.op1 .snd (v "d"))) <|
  .bind "e" (.op1 .snd (.op1 .snd (v "d"))) <|
  .seq (when (.and (.op2 .lt (v "e") (v "b")) (.and (.op2 .ne (.op2 .mod (v "b") (v "e")) (.lit 0))
    (.op2 .lt (v "b") (.op1 .fst (v "d"))))) (push "out" (v "i"))) <|
  set "i" (.op2 .add (v "i") (.lit 1))

/-- The dimensions in which strong correctness cannot be reached. -/
def violations : Fn [("dims", .list (.pair .nat (.pair .nat .nat)))] (.list .nat) :=
  .mk "fttc_violations" "The dimensions (size, (box, element stride)) that make strong correctness impossible, by number." <|
  .bind "out" .nil <|
  .bind "i" (.lit 0) <|
  .seq (.each "d" (v "dims") violationsStep) <|
  .ret (v "out")

/-- What the condition looks at in a dimension. -/
def dimNumbers (d : Tma.Dim) : Nat × Nat × Nat := (d.size, d.box, d.elementStride)

end Razorgirl.Extract
