module

public import Razorgirl.Spec.Coord
public import Razorgirl.Spec.Int.Expr

@[expose] public section

/-!
# Quasi-affine expressions

What polyhedral compilers compute indices with: variables and integers, sums, integer multiples, and quotients and remainders by
positive integers. Over a box two of them are equal if they are on a few points: along each axis an expression repeats after the
product of its divisors, but for a constant step.
-/

namespace Razorgirl.Index

/-- Whether an expression is quasi-affine.
Rust: `razorgirl::relation::QuasiAffine::new` -/
def Expr.quasiAffine : Expr → Bool
  | .var _ => true
  | .const _ => true
  | .add a b => a.quasiAffine && b.quasiAffine
  | .mul a b => (a.isConst && b.quasiAffine) || (a.quasiAffine && b.isConst)
  | .div a (.const n) => a.quasiAffine && decide (0 < n)
  | .mod a (.const n) => a.quasiAffine && decide (0 < n)
  | _ => false

/-- Whether a variable occurs. -/
def Expr.mentions (i : Nat) : Expr → Bool
  | .var j => j == i
  | .const _ => false
  | .add a b => a.mentions i || b.mentions i
  | .mul a b => a.mentions i || b.mentions i
  | .div a b => a.mentions i || b.mentions i
  | .mod a b => a.mentions i || b.mentions i

/-- After how many steps of a variable the expression repeats, but for a constant: the product of the divisors of what holds it.
Rust: `razorgirl::relation::QuasiAffine::period` -/
def Expr.periodOf (i : Nat) : Expr → Nat
  | .var _ => 1
  | .const _ => 1
  | .add a b => a.periodOf i * b.periodOf i
  | .mul a b => a.periodOf i * b.periodOf i
  | .div a (.const n) => if a.mentions i then a.periodOf i * n.toNat else 1
  | .mod a (.const n) => if a.mentions i then a.periodOf i * n.toNat else 1
  | .div _ _ => 1
  | .mod _ _ => 1

/-- What `N` steps of a variable add, for multiples of the period. -/
def Expr.step (i : Nat) (N : Int) : Expr → Int
  | .var j => if j = i then N else 0
  | .const _ => 0
  | .add a b => a.step i N + b.step i N
  | .mul (.const k) b => k * b.step i N
  | .mul a (.const k) => a.step i N * k
  | .mul _ _ => 0
  | .div a (.const n) => a.step i N / n
  | .div _ _ => 0
  | .mod _ _ => 0

/-- The extents of the points that decide whether two expressions are equal over a box. -/
def deciding (e f : Expr) (box : List Nat) : List Nat :=
  (List.range box.length).map fun i => min (box.getD i 1) (e.periodOf i * f.periodOf i + 1)

/-- Every variable below its extent, those without one 0. -/
def InBox (box : List Nat) (x : Nat → Nat) : Prop := ∀ i, x i < box.getD i 1

/-- The value of an expression where the variables are natural numbers.
Rust: `razorgirl::relation::QuasiAffine::at` -/
def Expr.at (e : Expr) (x : Nat → Nat) : Int := e.eval .euclid fun i => x i

/-- Whether two quasi-affine expressions are equal over a box, decided on as many points as their divisors ask for.
Rust: `razorgirl::relation::QuasiAffine::equal_on` -/
def equalOn (e f : Expr) (box : List Nat) : Bool :=
  (coords (deciding e f box)).all fun c => e.at (fun i => c.getD i 0) == f.at fun i => c.getD i 0

-- x / 4 * 4 + x % 4 = x for 10^18 values of x, by 17 of them
example : equalOn (.add (.mul (.div (.var 0) (.const 4)) (.const 4)) (.mod (.var 0) (.const 4))) (.var 0) [10 ^ 18] = true := by
  decide +kernel
example : (Expr.mod (.div (.var 0) (.const 4)) (.const 8)).periodOf 0 = 32 := by decide

end Razorgirl.Index
