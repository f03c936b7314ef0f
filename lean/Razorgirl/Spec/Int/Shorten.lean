module

public import Razorgirl.Spec.Int.Simplify

@[expose] public section

/-!
# Simplified, and no longer than before

The rules of `simplify` take sums apart, which now and then makes an expression longer; and they leave a quotient or
remainder of two literals where the remainder would be negative, or the divisor is 0. Here literals are computed first, and
an answer that is longer than the question is not given.
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

/-- The literal that two literals make; other operands stay. -/
def foldWith (make : Expr → Expr → Expr) (op : Int → Int → Int) : Expr → Expr → Expr
  | .const m, .const n => .const (op m n)
  | a, b => make a b

/-- The sum, as a function that has code of its own. -/
@[reducible, noinline] def literalSum (x y : Int) : Int := x + y

/-- The product, as a function that has code of its own. -/
@[reducible, noinline] def literalProduct (x y : Int) : Int := x * y

/-- An expression with every part that has no variable computed. By 0, a quotient is 0 and a remainder the dividend. -/
def Expr.fold (k : Kind) : Expr → Expr
  | .var x => .var x
  | .const n => .const n
  | .add a b => foldWith .add literalSum (a.fold k) (b.fold k)
  | .mul a b => foldWith .mul literalProduct (a.fold k) (b.fold k)
  | .div a b => foldWith .div k.div (a.fold k) (b.fold k)
  | .mod a b => foldWith .mod k.mod (a.fold k) (b.fold k)

/-- The simplified expression, or the expression itself where that is shorter.
Rust: `razorgirl::int::simplify::simplify` -/
def shorten (k : Kind) (B : Bounds) (e : Expr) : Expr :=
  if e.nodes < (simplify k B (e.fold k)).nodes then e else simplify k B (e.fold k)

end Razorgirl.Index
