module

public import Razorgirl.Spec.Int.Simplify

@[expose] public section

/-!
# Simplified, and no longer than before

The rules of `simplify` take sums apart, which now and then makes an expression longer; and they leave a quotient or
remainder of two literals where the remainder would be negative, or the divisor is 0. Here literals are computed before and
after, and an answer that is longer than the question with its literals computed is not given.
-/

namespace Razorgirl.Index

/-- How many variables, literals and operators an expression has, each as often as it is written.
Rust: `razorgirl::int::expr::Expr::nodes` -/
def Expr.nodes : Expr → Nat
  | .var _ => 1
  | .const _ => 1
  | .add a b => a.nodes + b.nodes + 1
  | .mul a b => a.nodes + b.nodes + 1
  | .div a b => a.nodes + b.nodes + 1
  | .mod a b => a.nodes + b.nodes + 1

/-- There is no variable in it. -/
def Expr.closed : Expr → Bool
  | .var _ => false
  | .const _ => true
  | .add a b => a.closed && b.closed
  | .mul a b => a.closed && b.closed
  | .div a b => a.closed && b.closed
  | .mod a b => a.closed && b.closed

/-- No operator stands between two literals. -/
def Expr.computed : Expr → Bool
  | .var _ => true
  | .const _ => true
  | .add a b => a.computed && b.computed && !(a.isConst && b.isConst)
  | .mul a b => a.computed && b.computed && !(a.isConst && b.isConst)
  | .div a b => a.computed && b.computed && !(a.isConst && b.isConst)
  | .mod a b => a.computed && b.computed && !(a.isConst && b.isConst)

/-- The literal that two literals make; other operands stay. -/
def foldWith (make : Expr → Expr → Expr) (op : Int → Int → Int) : Expr → Expr → Expr
  | .const m, .const n => .const (op m n)
  | a, b => make a b

/-- The sum, as a function that has code of its own. -/
@[reducible, noinline] def literalSum (x y : Int) : Int := x + y

/-- The product, as a function that has code of its own. -/
@[reducible, noinline] def literalProduct (x y : Int) : Int := x * y

/-- It is this literal. -/
def Expr.isLiteral (n : Int) : Expr → Bool
  | .const m => decide (m = n)
  | _ => false

/-- The sum of two expressions; a summand 0 is left out. -/
def plus (a b : Expr) : Expr :=
  if a.isLiteral 0 then b else if b.isLiteral 0 then a else foldWith .add literalSum a b

/-- The product of two expressions; a factor 1 is left out. -/
def times (a b : Expr) : Expr :=
  if a.isLiteral 1 then b else if b.isLiteral 1 then a else foldWith .mul literalProduct a b

/-- An expression with every part that has no variable computed, without summands 0 and factors 1. By 0, a quotient is 0 and a
remainder the dividend. -/
def Expr.fold (k : Kind) : Expr → Expr
  | .var x => .var x
  | .const n => .const n
  | .add a b => plus (a.fold k) (b.fold k)
  | .mul a b => times (a.fold k) (b.fold k)
  | .div a b => foldWith .div k.div (a.fold k) (b.fold k)
  | .mod a b => foldWith .mod k.mod (a.fold k) (b.fold k)

/-- The simplified expression, or the expression itself where that is shorter; in both, parts without a variable are computed.
Rust: `razorgirl::int::simplify::simplify` -/
def shorten (k : Kind) (B : Bounds) (e : Expr) : Expr :=
  if (e.fold k).nodes < ((simplify k B (e.fold k)).fold k).nodes then e.fold k else (simplify k B (e.fold k)).fold k

end Razorgirl.Index
