module

public import Razorgirl.Spec.Int.Terms

@[expose] public section

/-!
# The simplifier of index expressions

An expression is brought into the form of a sum of terms, a term being a literal times other factors, and quotients
and remainders of such sums are taken apart by the theorems on integer division. Every side condition is decided
here, from the bounds on the variables; where one cannot be shown, the quotient or remainder stays.

| nvFuser's rule | here | theorems |
|---|---|---|
| A–F: sums and products | `gather`, `mulTerms` | ring laws |
| I: small dividends | `small` | 2.5, 4.5 |
| J, L: remainders of sums, of multiples | `split` in `modTerms` | 2.7.1, 2.9, 4.7.1, 4.9 |
| J.2, O: common factors of a remainder | `cancel` in `modTerms` | 2.7.2, 2.12, 2.13, 4.7.2, 4.12, 4.13 |
| M, Q, Q.1: quotients of sums, of multiples | `split` in `divTerms` | 2.10, 2.15, 2.15.1, 4.10, 4.15, 4.15.1 |
| P, Q.2: common factors of a quotient | `cancel` in `divTerms` | 2.14, 2.15.2, 4.14, 4.15.2 |
| N: quotients of quotients | `divTerms` | 2.11, 4.11 |

Rule H, `a % -b = -(a % b)`, is false and not here; rule G is not needed, since signs are in the literals; rule K is
used for the literal of a product only. Not in nvFuser: a remainder of a remainder by a multiple, and `recombine`.

Truncating division needs dividends of at least 0 for some of the rules, as 4.7 and 4.15 ask for equal signs.
Source: nvFuser, `csrc/expr_simplifier.h`.
-/

namespace Razorgirl.Index

/-! ## Side conditions -/

/-- The sum is at least 0. -/
def nonneg (k : Kind) (B : Bounds) (ts : List Term) : Bool := ((sumExpr ts).range k B).from? 0

/-- The term is at least 1. -/
def positive (k : Kind) (B : Bounds) (d : Term) : Bool := (d.expr.range k B).from? 1

/-- The term is not 0. -/
def nonzero (k : Kind) (B : Bounds) (d : Term) : Bool := positive k B d || (d.expr.range k B).upTo? (-1)

/-- The sum lies in `[0, d)`. -/
def small (k : Kind) (B : Bounds) (ts : List Term) (d : Term) : Bool :=
  match ts, (d.expr.range k B).lo with
  | [], some l => decide (0 < l)
  | ts, some l => nonneg k B ts && ((sumExpr ts).range k B).upTo? (l - 1)
  | _, none => false

/-- A sum may be divided part by part: for Euclidean division always, for the truncating one if both parts are at
least 0, or one of them is nothing. -/
def separable (k : Kind) (B : Bounds) (ts us : List Term) : Bool :=
  match k, ts, us with
  | .euclid, _, _ => true
  | _, [], _ => true
  | _, _, [] => true
  | .trunc, ts, us => nonneg .trunc B ts && nonneg .trunc B us

/-! ## Taking sums apart -/

/-- A term in front of a sum, unless it is 0. -/
def consNonzero (t : Term) (ts : List Term) : List Term := if t.coef = 0 then ts else t :: ts

/-- A sum as `d` times a sum, plus a rest. A term whose literal is no multiple of that of `d` is cut in two if it is a
literal or `deep`. -/
def split (deep : Bool) (d : Term) : List Term → List Term × List Term
  | [] => ([], [])
  | t :: ts =>
    let rest := split deep d ts
    match dropAll d.factors t.factors with
    | some fs =>
      if t.coef % d.coef = 0 || (deep || t.isLiteral) && decide (d.coef.natAbs ≤ t.coef.natAbs) then
        (consNonzero ⟨t.coef / d.coef, fs⟩ rest.1, consNonzero ⟨t.coef % d.coef, t.factors⟩ rest.2)
      else (rest.1, t :: rest.2)
    | none => (rest.1, t :: rest.2)

/-- `256*x + y + 7` by 4 is `64*x + 1`, and `y + 3` is left. -/
example : (split false ⟨4, []⟩ [⟨256, [.var 0]⟩, ⟨1, [.var 1]⟩, ⟨7, []⟩]).map sumExpr sumExpr =
    (sumExpr [⟨64, [.var 0]⟩, ⟨1, []⟩], sumExpr [⟨1, [.var 1]⟩, ⟨3, []⟩]) := by decide

/-- A common factor `g` of a divisor `g * divisor` and, up to a rest in `[0, g)`, of a dividend
`g * quotient + rest`. -/
structure Common where
  g : Term
  divisor : Term
  quotient : List Term
  rest : List Term

/-- The first of some candidates that is a common factor of `ts` and `d`. -/
def cancelWith (k : Kind) (B : Bounds) (ts : List Term) (d : Term) : List Term → Option Common
  | [] => none
  | g :: gs =>
    let parts := split false g ts
    match split false g [d] with
    | ([d'], []) =>
      if positive k B g && small k B parts.2 g && separable k B (parts.1.map g.mul) parts.2 &&
          !(g.isLiteral && g.coef = 1) then
        some ⟨g, d', parts.1, parts.2⟩
      else cancelWith k B ts d gs
    | _ => cancelWith k B ts d gs

/-- A common factor of a dividend and a divisor: of a literal and the divisor's, or a factor of the divisor. -/
def cancel (k : Kind) (B : Bounds) (ts : List Term) (d : Term) : Option Common :=
  cancelWith k B ts d
    (ts.map (fun t => ⟨Int.gcd t.coef d.coef, []⟩) ++ d.factors.map (fun f => ⟨1, [f]⟩))

/-- The dividend and divisor of a sum that is nothing but one quotient. -/
def quotientOf : List Term → Option (Expr × Expr)
  | [⟨1, [.div x y]⟩] => some (x, y)
  | _ => none

/-- The dividend and divisor of a sum that is nothing but one remainder. -/
def remainderOf : List Term → Option (Expr × Expr)
  | [⟨1, [.mod x y]⟩] => some (x, y)
  | _ => none

/-! ## Quotients and remainders -/

/-- How many rules are applied in a row at most. -/
def steps : Nat := 64

/-- `x / y / d` as `x / (y * d)`: the new dividend and divisor. Euclidean division needs `y ≥ 0`. -/
def nestedQuotient (k : Kind) (B : Bounds) (ts : List Term) (d : Term) : Option (List Term × Term) :=
  match quotientOf ts with
  | some (x, y) =>
    match terms y with
    | [u] => if k = .trunc || nonneg k B [u] then some (terms x, u.mul d) else none
    | _ => none
  | none => none

/-- `x % y % d` as `x % d`, if `y` is a multiple of `d`: the new dividend. -/
def nestedRemainder (ts : List Term) (d : Term) : Option (List Term) :=
  match remainderOf ts with
  | some (x, y) =>
    match split false d (terms y) with
    | (_, []) => some (terms x)
    | _ => none
  | none => none

/-- The quotient of a sum by a term, in terms. -/
def divTerms (k : Kind) (B : Bounds) : (fuel : Nat) → List Term → Term → List Term
  | 0, ts, d => [⟨1, [.div (sumExpr ts) d.expr]⟩]
  | fuel + 1, ts, d =>
    let parts := split false d ts
    let apart := nonzero k B d && separable k B (parts.1.map d.mul) parts.2
    let front := if apart then parts.1 else []
    let ts := if apart then parts.2 else ts
    front ++
      if small k B ts d then []
      else
        match ts with
        | [] => []
        | _ =>
          match cancel k B ts d with
          | some c => divTerms k B fuel c.quotient c.divisor
          | none =>
            match nestedQuotient k B ts d with
            | some (x, y) => divTerms k B fuel x y
            | none => [⟨1, [.div (sumExpr ts) d.expr]⟩]

/-- The remainder of a sum by a term, in terms. -/
def modTerms (k : Kind) (B : Bounds) : (fuel : Nat) → List Term → Term → List Term
  | 0, ts, d => [⟨1, [.mod (sumExpr ts) d.expr]⟩]
  | fuel + 1, ts, d =>
    let parts := split true d ts
    let ts := if separable k B (parts.1.map d.mul) parts.2 then parts.2 else ts
    if small k B ts d then ts
    else
      match ts with
      | [] => []
      | _ =>
        match cancel k B ts d with
        | some c => (modTerms k B fuel c.quotient c.divisor).map c.g.mul ++ c.rest
        | none =>
          match nestedRemainder ts d with
          | some x => modTerms k B fuel x d
          | none => [⟨1, [.mod (sumExpr ts) d.expr]⟩]

/-! ## Quotient and remainder put together again -/

/-- The first remainder among factors, and the other factors. -/
def pickMod : List Expr → Option (Expr × Expr × List Expr)
  | [] => none
  | .mod x y :: fs => some (x, y, fs)
  | f :: fs => (pickMod fs).map fun (x, y, gs) => (x, y, f :: gs)

/-- For a term `m * (x % y)`: the term `m * y * (x / y)`, and the terms of `m * x`, which is the sum of both. -/
def partner (k : Kind) (B : Bounds) (t : Term) : Option (Term × List Term) :=
  match pickMod t.factors with
  | some (x, y, fs) =>
    match terms y with
    | [d] =>
      match gather (divTerms k B steps (terms x) d) with
      | [q] => some ((Term.mk t.coef fs).mul (d.mul q), (terms x).map (Term.mk t.coef fs).mul)
      | _ => none
    | _ => none
  | none => none

/-- One remainder put together with its quotient, if the sum `seen ++ ts` has such a pair with the remainder in
`ts`. -/
def recombineOnce (k : Kind) (B : Bounds) (seen : List Term) : List Term → Option (List Term)
  | [] => none
  | t :: ts =>
    match partner k B t with
    | some (w, x) =>
      match dropTerm w (seen ++ ts) with
      | some rest => some (rest ++ x)
      | none => recombineOnce k B (seen ++ [t]) ts
    | none => recombineOnce k B (seen ++ [t]) ts

/-- Quotients and remainders put together as long as there are such pairs. -/
def recombine (k : Kind) (B : Bounds) : (fuel : Nat) → List Term → List Term
  | 0, ts => ts
  | fuel + 1, ts =>
    match recombineOnce k B [] ts with
    | some us => recombine k B fuel (gather us)
    | none => ts

/-! ## The simplifier -/

/-- The simplified terms of an expression. -/
def simplifyTerms (k : Kind) (B : Bounds) : Expr → List Term
  | .var x =>
    match (B.getD x .all).value? with
    | some n => terms (.const n)
    | none => [⟨1, [.var x]⟩]
  | .const n => terms (.const n)
  | .add a b => recombine k B steps (gather (simplifyTerms k B a ++ simplifyTerms k B b))
  | .mul a b => recombine k B steps (gather (mulTerms (simplifyTerms k B a) (simplifyTerms k B b)))
  | .div a b =>
    match simplifyTerms k B b with
    | [d] => recombine k B steps (gather (divTerms k B steps (simplifyTerms k B a) d))
    | ds => [⟨1, [.div (sumExpr (simplifyTerms k B a)) (sumExpr ds)]⟩]
  | .mod a b =>
    match simplifyTerms k B b with
    | [d] => recombine k B steps (gather (modTerms k B steps (simplifyTerms k B a) d))
    | ds => [⟨1, [.mod (sumExpr (simplifyTerms k B a)) (sumExpr ds)]⟩]

/-- An expression of the same value for all values of the variables within the bounds; `shorten` bounds its length. -/
def simplify (k : Kind) (B : Bounds) (e : Expr) : Expr := sumExpr (simplifyTerms k B e)

end Razorgirl.Index
