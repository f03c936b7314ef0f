module

public import Razorgirl.Spec.Int.Simplify

@[expose] public section

/-!
# Simplifying predicates

The predicate that keeps a loop nest inside a tensor is a conjunction of comparisons. Each may be simplified under
the assumption that the others hold; one that follows from them is left out. That is sound one at a time, against
the conjunction as it stands. All at once it is not: of `x < 3 ∧ x < 3` each follows from the other.
Source: nvFuser, `doc/math/logic.md`, and `convertDivToMulInPredicate` of `csrc/expr_simplifier.cpp`.
-/

namespace Razorgirl.Index

/-- A comparison of two index expressions. -/
inductive Pred where
  | le (a b : Expr)
  | lt (a b : Expr)
deriving DecidableEq, Repr

/-- The comparison holds for these values of the variables. -/
def Pred.Holds (k : Kind) (env : Nat → Int) : Pred → Prop
  | .le a b => a.eval k env ≤ b.eval k env
  | .lt a b => a.eval k env < b.eval k env

/-- All comparisons hold. -/
def AllHold (k : Kind) (env : Nat → Int) (ps : List Pred) : Prop := ∀ p ∈ ps, p.Holds k env

/-! ## What a comparison says of a variable -/

/-- The bounds, with a further range for variable `x`. -/
def tighten (r : Range) : (x : Nat) → Bounds → Bounds
  | 0, [] => [r]
  | 0, s :: B => s.meet r :: B
  | x + 1, [] => .all :: tighten r x []
  | x + 1, s :: B => s :: tighten r x B

/-- The bounds, with what a comparison of a variable and a literal says. -/
def assume (B : Bounds) : Pred → Bounds
  | .le (.const n) (.var x) => tighten ⟨some n, none⟩ x B
  | .lt (.const n) (.var x) => tighten ⟨some (n + 1), none⟩ x B
  | .le (.var x) (.const n) => tighten ⟨none, some n⟩ x B
  | .lt (.var x) (.const n) => tighten ⟨none, some (n - 1)⟩ x B
  | _ => B

/-- The bounds, with what several comparisons say. -/
def assumeAll (B : Bounds) : List Pred → Bounds
  | [] => B
  | p :: ps => assumeAll (assume B p) ps

/-! ## One comparison -/

/-- `a + n ≤ b` follows from the bounds. -/
def follows (k : Kind) (B : Bounds) (n : Int) (a b : Expr) : Bool :=
  ((simplify k B (.add b (.mul a (.const (-1))))).range k B).from? n

/-- `x / d < e` as `x < e * d`, if `d > 0`, and if `x ≥ 0` where division truncates. Other comparisons stay. -/
def divToMul (k : Kind) (B : Bounds) : Pred → Pred
  | .lt (.div x d) e =>
    if (d.range k B).from? 1 && (k = .euclid || (x.range k B).from? 0) then .lt x (simplify k B (.mul e d))
    else .lt (.div x d) e
  | p => p

/-- A comparison simplified; `none` if it follows from the bounds. -/
def simplifyPred (k : Kind) (B : Bounds) : Pred → Option Pred
  | .le a b => if follows k B 0 a b then none else some (.le (simplify k B a) (simplify k B b))
  | .lt a b => if follows k B 1 a b then none else some (divToMul k B (.lt (simplify k B a) (simplify k B b)))

/-! ## A conjunction -/

/-- Each of `ps` in turn, under the assumption of `done`, which has had its turn, and of those still to come. -/
def simplifyOnce (k : Kind) (B : Bounds) (done : List Pred) : (ps : List Pred) → List Pred
  | [] => done
  | p :: ps =>
    match simplifyPred k (assumeAll B (done ++ ps)) p with
    | some q => simplifyOnce k B (done ++ [q]) ps
    | none => simplifyOnce k B done ps

/-- `rounds` times each in turn. -/
def simplifyRounds (k : Kind) (B : Bounds) : (rounds : Nat) → List Pred → List Pred
  | 0, ps => ps
  | rounds + 1, ps => simplifyRounds k B rounds (simplifyOnce k B [] ps)

/-- A conjunction that holds for the same values of the variables within the bounds. -/
def simplifyAll (k : Kind) (B : Bounds) (ps : List Pred) : List Pred := simplifyRounds k B (ps.length + 1) ps

/-- Each comparison simplified under the assumption of all the others as they were: unsound. -/
def simplifyAtOnce (k : Kind) (B : Bounds) (seen : List Pred) : List Pred → List Pred
  | [] => []
  | p :: ps => (simplifyPred k (assumeAll B (seen ++ ps)) p).toList ++ simplifyAtOnce k B (seen ++ [p]) ps

/-- `i ≥ 0 ∧ i < 6 ∧ i % 6 < 3` is `i ≥ 0 ∧ i < 3`. -/
example : simplifyAll .trunc []
    [.le (.const 0) (.var 0), .lt (.var 0) (.const 6), .lt (.mod (.var 0) (.const 6)) (.const 3)] =
    [.le (.const 0) (.var 0), .lt (.var 0) (.const 3)] := by decide +kernel

/-- `x < 3 ∧ x < 3` is `x < 3`. -/
example : simplifyAll .trunc [] [.lt (.var 0) (.const 3), .lt (.var 0) (.const 3)] =
    [.lt (.var 0) (.const 3)] := by decide +kernel

/-- `i / 4 < 8` is `i < 32`, in C for `i ≥ 0` only. -/
example : simplifyAll .trunc [⟨some 0, none⟩] [.lt (.div (.var 0) (.const 4)) (.const 8)] =
      [.lt (.var 0) (.const 32)] ∧
    simplifyAll .trunc [] [.lt (.div (.var 0) (.const 4)) (.const 8)] =
      [.lt (.div (.var 0) (.const 4)) (.const 8)] := by decide +kernel

end Razorgirl.Index
