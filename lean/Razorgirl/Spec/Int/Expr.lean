module

@[expose] public section

/-!
# Index expressions and their ranges

What generated code computes indices with: variables, literals, `+`, `*`, `/` and `%`. Numbers are unbounded; an
overflow of machine integers is not modelled. What `/` and `%` mean for negative numbers is a parameter: Euclidean,
as layout algebra means them, or truncating, as C and CUDA compute them. By 0, a quotient is 0 and a remainder the
dividend.

From bounds on the variables follow bounds on an expression; the simplifier decides its side conditions by them.
Source: nvFuser, `csrc/expr_simplifier.h`.
-/

namespace Razorgirl.Index

/-- What `/` and `%` mean. They agree where the dividend is at least 0.
Rust: `razorgirl::int::expr::Kind` -/
inductive Kind where
  /-- the remainder is never negative -/
  | euclid
  /-- the quotient is rounded towards 0: C, C++, CUDA -/
  | trunc
deriving DecidableEq, Repr

/-- The quotient. -/
def Kind.div : Kind → Int → Int → Int
  | .euclid, a, b => a / b
  | .trunc, a, b => a.tdiv b

/-- The remainder. -/
def Kind.mod : Kind → Int → Int → Int
  | .euclid, a, b => a % b
  | .trunc, a, b => a.tmod b

example : Kind.euclid.div (-3) 2 = -2 ∧ Kind.trunc.div (-3) 2 = -1 := by decide

/-- Sums that can be divided part by part, in both kinds. -/
def Kind.Separable (k : Kind) (a b : Int) : Prop := k = .euclid ∨ 0 ≤ a * b

/-- An index expression. Variables are numbered.
Rust: `razorgirl::int::expr::Expr` -/
inductive Expr where
  | var (x : Nat)
  | const (n : Int)
  | add (a b : Expr)
  | mul (a b : Expr)
  | div (a b : Expr)
  | mod (a b : Expr)
deriving DecidableEq, Repr

/-- The value of an expression, given those of the variables.
Rust: `razorgirl::int::expr::Expr::eval` -/
def Expr.eval (k : Kind) (env : Nat → Int) : Expr → Int
  | .var x => env x
  | .const n => n
  | .add a b => a.eval k env + b.eval k env
  | .mul a b => a.eval k env * b.eval k env
  | .div a b => k.div (a.eval k env) (b.eval k env)
  | .mod a b => k.mod (a.eval k env) (b.eval k env)

/-- `x % 4 * 2` at 7. -/
example : (Expr.mul (.mod (.var 0) (.const 4)) (.const 2)).eval .euclid (fun _ => 7) = 6 := by decide

/-- A literal. -/
def Expr.isConst : Expr → Bool
  | .const _ => true
  | _ => false

/-- Sums of variables and of literals, and literal multiples of such sums: `(x + 3)*4 + y*2`. -/
def Expr.affine : Expr → Bool
  | .var _ => true
  | .const _ => true
  | .add a b => a.affine && b.affine
  | .mul a b => (a.affine && b.isConst) || (a.isConst && b.affine)
  | .div _ _ => false
  | .mod _ _ => false

/-! ## Ranges -/

/-- The integers from `lo` to `hi`, both included; `none` is no bound.
Rust: `razorgirl::int::expr::Range` -/
structure Range where
  lo : Option Int
  hi : Option Int
deriving Repr

namespace Range

/-- The number lies in the range.
Rust: `razorgirl::int::expr::Range::contains` -/
def Contains (r : Range) (v : Int) : Prop := (∀ l ∈ r.lo, l ≤ v) ∧ ∀ h ∈ r.hi, v ≤ h

/-- No bound.
Rust: `razorgirl::int::expr::Range::ALL` -/
def all : Range := ⟨none, none⟩

/-- One number.
Rust: `razorgirl::int::expr::Range::point` -/
def point (n : Int) : Range := ⟨some n, some n⟩

/-- From 0 up to and without `n`: the indices of an extent.
Rust: `razorgirl::int::expr::Range::below` -/
def below (n : Int) : Range := ⟨some 0, some (n - 1)⟩

/-- Nothing in the range is below `n`. -/
def from? (n : Int) (r : Range) : Bool :=
  match r.lo with
  | some l => decide (n ≤ l)
  | none => false

/-- Nothing in the range is above `n`. -/
def upTo? (n : Int) (r : Range) : Bool :=
  match r.hi with
  | some h => decide (h ≤ n)
  | none => false

/-- The sum of two bounds, if both are there. -/
def addBounds : Option Int → Option Int → Option Int
  | some a, some b => some (a + b)
  | _, _ => none

/-- The product of two bounds, if both are there. -/
def mulBounds : Option Int → Option Int → Option Int
  | some a, some b => some (a * b)
  | _, _ => none

/-- The lesser of two upper bounds. -/
def least : Option Int → Option Int → Option Int
  | some a, some b => some (min a b)
  | some a, none => some a
  | none, b => b

/-- The greater of two lower bounds. -/
def greatest : Option Int → Option Int → Option Int
  | some a, some b => some (max a b)
  | some a, none => some a
  | none, b => b

/-- What is in both. -/
def meet (r s : Range) : Range := ⟨greatest r.lo s.lo, least r.hi s.hi⟩

/-- Where sums lie. -/
def add (r s : Range) : Range := ⟨addBounds r.lo s.lo, addBounds r.hi s.hi⟩

/-- Where multiples lie. -/
def scale (c : Int) (r : Range) : Range :=
  if 0 ≤ c then ⟨r.lo.map (c * ·), r.hi.map (c * ·)⟩ else ⟨r.hi.map (c * ·), r.lo.map (c * ·)⟩

/-- The only number of a range, if it is one. -/
def value? (r : Range) : Option Int :=
  match r.lo, r.hi with
  | some l, some h => if l = h then some l else none
  | _, _ => none

/-- Where products lie: for a factor that is a number, and for two factors of at least 0. -/
def mul (r s : Range) : Range :=
  match r.value?, s.value? with
  | some c, _ => s.scale c
  | _, some c => r.scale c
  | _, _ => if r.from? 0 && s.from? 0 then ⟨mulBounds r.lo s.lo, mulBounds r.hi s.hi⟩ else all

/-- Where quotients lie: for a divisor that is a positive number, and for a dividend of at least 0 and a positive
divisor. -/
def div (k : Kind) (r s : Range) : Range :=
  match s.value?, s.lo with
  | some d, _ => if 0 < d then ⟨r.lo.map (k.div · d), r.hi.map (k.div · d)⟩ else all
  | none, some d => if 0 < d && r.from? 0 then ⟨some 0, r.hi.map (k.div · d)⟩ else all
  | none, none => all

/-- Where remainders by a positive divisor lie. A truncated one may be negative, unless the dividend is at
least 0. -/
def mod (k : Kind) (r s : Range) : Range :=
  if s.from? 1 then
    if r.from? 0 then ⟨some 0, least r.hi (s.hi.map (· - 1))⟩
    else
      match k with
      | .euclid => ⟨some 0, s.hi.map (· - 1)⟩
      | .trunc => ⟨s.hi.map (1 - ·), s.hi.map (· - 1)⟩
  else all

end Range

/-- A range for each variable; none for those beyond the end. -/
abbrev Bounds := List Range

/-- Every variable lies in its range. -/
def Within (B : Bounds) (env : Nat → Int) : Prop := ∀ x, (B.getD x .all).Contains (env x)

/-- Where the values of an expression lie, given the ranges of the variables.
Rust: `razorgirl::int::expr::Expr::range` -/
def Expr.range (k : Kind) (B : Bounds) : Expr → Range
  | .var x => B.getD x .all
  | .const n => .point n
  | .add a b => (a.range k B).add (b.range k B)
  | .mul a b => (a.range k B).mul (b.range k B)
  | .div a b => .div k (a.range k B) (b.range k B)
  | .mod a b => .mod k (a.range k B) (b.range k B)

/-- A thread of 128, `t % 32 * 4 + 3`, lies in `[3, 127]`. -/
example : let r := (Expr.add (.mul (.mod (.var 0) (.const 32)) (.const 4)) (.const 3)).range .trunc [.below 128]
    r.lo = some 3 ∧ r.hi = some 127 := by decide
/-- Without bounds on `t` a truncated remainder may be negative. -/
example : let r := (Expr.mod (.var 0) (.const 32)).range .trunc []
    r.lo = some (-31) ∧ r.hi = some 31 := by decide

end Razorgirl.Index
