module

public import Razorgirl.Extract.Lang

@[expose] public section

/-!
# The layout of given offsets, as a program

`f` is a list of offsets, of which every `step`-th is looked at: `f(k)` below is `f[step * k]`.
-/

namespace Razorgirl.Extract

/-- `f[step * x]` -/
@[reducible] def entry {Γ : Ctx} [Has "f" Γ (.list .nat)] [Has "step" Γ .nat] (x : Exp Γ .nat) : Exp Γ .nat :=
  .op2 .get (v "f") (.op2 .mul (v "step") x)

/-- One turn of `breakAt`. -/
def breakStep : Stmt [("k", .nat), ("s", .nat), ("f", .list .nat), ("step", .nat), ("m", .nat)] .nat :=
  .ite (.mulIs (v "k") (v "s") (entry (v "k"))) .skip (.ret (v "k"))

/-- Where a function leaves its line. -/
def breakAt : Fn [("f", .list .nat), ("step", .nat), ("m", .nat)] .nat :=
  .mk "break_at" "The least k below m with f(k) != k * f(1), or m; f has every step-th of the offsets." <|
  .bind "s" (entry (.lit 1)) <|
  .seq (.upto "k" (v "m") breakStep) <|
  .ret (v "m")

/-- One turn of `splits`. -/
def splitsStep : Stmt [("x", .nat), ("f", .list .nat), ("step", .nat), ("t", .nat), ("m", .nat)] .bool :=
  .bind "a" (entry (v "x")) <|
  .bind "b" (entry (.op2 .mul (v "t") (.op2 .div (v "x") (v "t")))) <|
  .bind "c" (entry (.op2 .mod (v "x") (v "t"))) <|
  .ite (.and (.op2 .le (v "b") (v "a")) (.op2 .eq (.op2 .sub (v "a") (v "b")) (v "c"))) .skip
    (.ret (.bool false))

/-- Whether a function is additive over a split. -/
def splits : Fn [("f", .list .nat), ("step", .nat), ("t", .nat), ("m", .nat)] .bool :=
  .mk "splits" "Whether f(x) = f(t * (x / t)) + f(x % t) for all x below m." <|
  .seq (.upto "x" (v "m") splitsStep) <|
  .ret (.bool true)

/-- One turn of `findLayout`: splits the next mode off. -/
def findStep : Stmt [("_round", .nat), ("out", .list .mode), ("step", .nat), ("m", .nat), ("f", .list .nat)] (.list .mode) :=
  .ite (.op2 .eq (v "m") (.lit 1))
    (.ite (.op2 .eq (entry (.lit 0)) (.lit 0)) (.ret (v "out")) (.refuse "none")) <|
  .bind "t" (.call breakAt (.cons (v "f") (.cons (v "step") (.cons (v "m") .nil)))) <|
  .seq (.ite (.or (.op2 .lt (v "t") (.lit 2)) (.op2 .ne (.op2 .mod (v "m") (v "t")) (.lit 0))) (.refuse "none") .skip) <|
  .seq (.ite (.op1 .not (.call splits (.cons (v "f") (.cons (v "step") (.cons (v "t") (.cons (v "m") .nil))))))
    (.refuse "none") .skip) <|
  .seq (push "out" (.op2 .mode (v "t") (entry (.lit 1)))) <|
  .seq (set "step" (.op2 .mul (v "step") (v "t"))) <|
  set "m" (.op2 .div (v "m") (v "t"))

/-- The layout of given offsets. -/
def findLayout : Fn [("f", .list .nat)] (.list .mode) := .mk "find_layout" "The coalesced modes of the layout that has these offsets in linear order." <|
  .bind "m" (.op1 .len (v "f")) <|
  .bind "step" (.lit 1) <|
  .bind "out" .nil <|
  .seq (.ite (.op2 .eq (v "m") (.lit 0)) (.refuse "none") .skip) <|
  .seq (.upto "_round" (.lit 64) findStep) <|
  .refuse "unreachable"

/-- Every `step`-th entry of a list, as a function. -/
def view (L : List Nat) (step : Nat) : Nat → Nat := fun x => L.getD (step * x) 0

end Razorgirl.Extract
