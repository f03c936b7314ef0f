module

public import Razorgirl.Spec.Int.Expr

@[expose] public section

/-!
# Sums of terms

The form that the simplifier works on: a sum of terms, a term being a literal times other factors. Factors keep
their order, and terms that of their first occurrence, so that what cannot be simplified looks as it did.
-/

namespace Razorgirl.Index

/-- `coef` times the product of `factors`. -/
structure Term where
  coef : Int
  factors : List Expr
deriving Repr

/-- The term has no other factors than the literal. -/
def Term.isLiteral (t : Term) : Bool :=
  match t.factors with
  | [] => true
  | _ => false

/-! ## Values -/

/-- The product of the values of some factors. -/
def prodOf (k : Kind) (env : Nat → Int) : List Expr → Int
  | [] => 1
  | f :: fs => f.eval k env * prodOf k env fs

/-- The value of a term. -/
def Term.val (k : Kind) (env : Nat → Int) (t : Term) : Int := t.coef * prodOf k env t.factors

/-- The value of a sum. -/
def sumOf (k : Kind) (env : Nat → Int) : List Term → Int
  | [] => 0
  | t :: ts => t.val k env + sumOf k env ts

/-! ## As expressions -/

/-- The product of an expression and further ones. -/
def mulAll (e : Expr) : List Expr → Expr
  | [] => e
  | f :: fs => mulAll (.mul e f) fs

/-- The term as an expression, the literal last. -/
def Term.expr (t : Term) : Expr :=
  match t.factors with
  | [] => .const t.coef
  | f :: fs => if t.coef = 1 then mulAll f fs else .mul (mulAll f fs) (.const t.coef)

/-- The sum of an expression and further terms. -/
def addAll (e : Expr) : List Term → Expr
  | [] => e
  | t :: ts => addAll (.add e t.expr) ts

/-- The sum as an expression. -/
def sumExpr : List Term → Expr
  | [] => .const 0
  | t :: ts => addAll t.expr ts

/-- `x * y * 4 + 3` -/
example : sumExpr [⟨4, [.var 0, .var 1]⟩, ⟨3, []⟩] =
    .add (.mul (.mul (.var 0) (.var 1)) (.const 4)) (.const 3) := by decide

/-- The product of two terms. -/
def Term.mul (t u : Term) : Term := ⟨t.coef * u.coef, t.factors ++ u.factors⟩

/-- The product of two sums: expanded if one of them is a single term, else left as one term of two factors. -/
def mulTerms : List Term → List Term → List Term
  | [], _ => []
  | _, [] => []
  | [t], us => us.map t.mul
  | ts, [u] => ts.map (·.mul u)
  | ts, us => [⟨1, [sumExpr ts, sumExpr us]⟩]

/-- The terms of an expression; quotients and remainders in it count as factors. -/
def terms : Expr → List Term
  | .const n => if n = 0 then [] else [⟨n, []⟩]
  | .add a b => terms a ++ terms b
  | .mul a b => mulTerms (terms a) (terms b)
  | e => [⟨1, [e]⟩]

/-- `fs` without the first `d`, if there is one. -/
def dropOne (d : Expr) : List Expr → Option (List Expr)
  | [] => none
  | f :: fs => if d = f then some fs else (dropOne d fs).map (f :: ·)

/-- `fs` without each of `ds`, if all are there. -/
def dropAll : (ds fs : List Expr) → Option (List Expr)
  | [], fs => some fs
  | d :: ds, fs => (dropOne d fs).bind (dropAll ds)

/-- The same factors, in any order. -/
def sameFactors (fs gs : List Expr) : Bool :=
  match dropAll fs gs with
  | some [] => true
  | _ => false

/-- Adds a term to a sum, to the term with the same factors if there is one. -/
def addTerm (t : Term) : List Term → List Term
  | [] => if t.coef = 0 then [] else [t]
  | u :: us =>
    if sameFactors t.factors u.factors then
      if u.coef + t.coef = 0 then us else ⟨u.coef + t.coef, u.factors⟩ :: us
    else u :: addTerm t us

/-- Adds terms to a sum. -/
def gatherInto (us : List Term) : List Term → List Term
  | [] => us
  | t :: ts => gatherInto (addTerm t us) ts

/-- Every product of factors once, in the order of first occurrence. -/
def gather (ts : List Term) : List Term := gatherInto [] ts

/-- `2*(x*y) + 3 + y*x = 3*(x*y) + 3` -/
example : sumExpr (gather [⟨2, [.var 0, .var 1]⟩, ⟨3, []⟩, ⟨1, [.var 1, .var 0]⟩]) =
    sumExpr [⟨3, [.var 0, .var 1]⟩, ⟨3, []⟩] := by decide

/-- A sum without a term, if it is there. -/
def dropTerm (w : Term) : List Term → Option (List Term)
  | [] => none
  | t :: ts => if w.coef = t.coef && sameFactors w.factors t.factors then some ts else (dropTerm w ts).map (t :: ·)

end Razorgirl.Index
