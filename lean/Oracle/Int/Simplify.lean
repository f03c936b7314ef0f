module

public import Razorgirl.Spec.Int.Shorten
public import Oracle.Int

@[expose] public section

/-!
# The simplifier in the table of operations

An index expression is an integer of 64 bits with a sign, `["x",n]` for the variable `n`, or a list of an operator and
its operands: `["+",a,b,…]`, `["*",a,b,…]`, `["/",a,b]`, `["%",a,b]`. Sums and products of more than two operands lean to
the left. The ranges are a list, for the variables in order, of `[lo,hi]`, both included, `null` being no bound, or of
`null` for no bounds.

`simplify` takes the division (`"euclid"` or `"trunc"`), the expression, and the ranges, and answers an expression.
Expressions are nested at most 32 deep, and have at most 2^10 variables, literals and operators.
-/

namespace Oracle

open Lean (Json)
open Razorgirl
open Razorgirl.Index

/-- Which division is meant. -/
def readDivisionKind (j : Json) : Except OracleError Kind :=
  match j with
  | .str "euclid" => .ok .euclid
  | .str "trunc" => .ok .trunc
  | _ => refuse "parse" "expressions are divided by \"euclid\" or \"trunc\""

/-- An operator on operands that have been read. -/
def readOperator (name : String) (operands : List Expr) : Except OracleError Expr :=
  match name, operands with
  | "+", a :: b :: rest => .ok (rest.foldl .add (.add a b))
  | "*", a :: b :: rest => .ok (rest.foldl .mul (.mul a b))
  | "/", [a, b] => .ok (.div a b)
  | "%", [a, b] => .ok (.mod a b)
  | _, _ => refuse "parse" "there is no such operator with so many operands"

/-- The variable with a number. -/
def readVariable (j : Json) : Except OracleError Expr :=
  match j.getInt? with
  | .ok n =>
    if n < 0 then refuse "out_of_domain" "the number of a variable is below 0"
    else if n < 4294967296 then .ok (.var n.toNat)
    else refuse "overflow" "the number of a variable is 2^32 or more"
  | .error _ => refuse "parse" "expected the number of a variable"

mutual
/-- An index expression, nested at most `fuel` deep. -/
def readExpr (fuel : Nat) (j : Json) : Except OracleError Expr :=
  match j, fuel with
  | .arr _, 0 => refuse "too_large" "an expression is nested more than 32 deep"
  | .arr a, n + 1 =>
    match a.toList with
    | [.str "x", number] => readVariable number
    | .str name :: operands => readExprs n operands >>= readOperator name
    | _ => refuse "parse" "expected an operator and its operands"
  | j, _ => (readSigned j).map .const
/-- `readExpr` for each of a list. -/
def readExprs (fuel : Nat) (js : List Json) : Except OracleError (List Expr) :=
  match js with
  | [] => .ok []
  | j :: rest => do return (← readExpr fuel j) :: (← readExprs fuel rest)
end

/-- How many variables, literals and operators there are. -/
def countNodes : Expr → Nat
  | .var _ => 1
  | .const _ => 1
  | .add a b => countNodes a + countNodes b + 1
  | .mul a b => countNodes a + countNodes b + 1
  | .div a b => countNodes a + countNodes b + 1
  | .mod a b => countNodes a + countNodes b + 1

/-- An end of a range. -/
def readBound (j : Json) : Except OracleError (Option Int) :=
  match j with
  | .null => .ok none
  | j => (readSigned j).map some

/-- A range. -/
def readRange (j : Json) : Except OracleError Range :=
  match j with
  | .null => .ok .all
  | .arr ends =>
    match ends.toList with
    | [lo, hi] => do
      match ← readBound lo, ← readBound hi with
      | some l, some h => if l ≤ h then return ⟨some l, some h⟩ else refuse "out_of_domain" "a range is empty"
      | l, h => return ⟨l, h⟩
    | _ => refuse "parse" "expected the two ends of a range"
  | _ => refuse "parse" "expected the two ends of a range"

/-- The ranges of the variables. -/
def readRanges (js : List Json) : Except OracleError Bounds :=
  match js with
  | [] => .ok []
  | j :: rest => do return (← readRange j) :: (← readRanges rest)

/-- One operand more, if the list is that of the operator. -/
def pushOperand (operator : String) (isSame : Bool) (left right : Json) : Json :=
  match isSame, left with
  | true, .arr list => .arr (list.push right)
  | _, left => .arr #[.str operator, left, right]

/-- Whether it is a sum. -/
def isAdd : Expr → Bool
  | .add _ _ => true
  | _ => false

/-- Whether it is a product. -/
def isMul : Expr → Bool
  | .mul _ _ => true
  | _ => false

/-- An index expression, as it is read. -/
def exprJson : Expr → Json
  | .var x => .arr #[.str "x", natJson x]
  | .const n => .num n
  | .add a b => pushOperand "+" (isAdd a) (exprJson a) (exprJson b)
  | .mul a b => pushOperand "*" (isMul a) (exprJson a) (exprJson b)
  | .div a b => .arr #[.str "/", exprJson a, exprJson b]
  | .mod a b => .arr #[.str "%", exprJson a, exprJson b]

/-- The expression simplified. -/
def simplifyOp (args : List Json) : Answer :=
  match args with
  | kind :: e :: ranges => do
    let kind ← readDivisionKind kind
    let e ← readExpr 32 e
    let bounds ← match ranges with
      | [] => .ok []
      | [.arr ranges] => readRanges ranges.toList
      | [_] => refuse "parse" "expected a list of ranges"
      | _ => refuse "arity" "takes a division, an expression, and perhaps ranges"
    if countNodes e ≤ 1024 then result (exprJson (shorten kind bounds e))
    else refuse "too_large" "the expression has more than 2^10 variables, literals and operators"
  | _ => arity "a division, an expression, and perhaps ranges"

/-- The operations, by name. -/
def simplifyOps : List Op := [{ name := "simplify", run := simplifyOp }]

end Oracle
