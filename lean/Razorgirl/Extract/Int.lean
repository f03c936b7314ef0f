module

public import Razorgirl.Extract.Lang
public import Razorgirl.Spec.Int.Ceil
public import Razorgirl.Spec.Int.Euclid
public import Razorgirl.Spec.Int.Trunc

@[expose] public section

/-!
# The three divisions of integers, as programs

All begin with the quotient rounded towards 0, whose product with the divisor never overflows, and move quotient and
remainder by one divisor where the remainder lies on the wrong side.
-/

namespace Razorgirl.Extract

/-- Truncating division. -/
def trunc : Fn [("a", .int), ("b", .int)] (.pair .int .int) :=
  .mk "trunc" "Quotient and remainder, rounded towards 0: the remainder has the sign of `a`." <|
  .seq (when (.op2 .eqI (v "b") (.litI 0)) (.refuse "out_of_domain")) <|
  .bind "q" (.op2 .divT (v "a") (v "b")) <|
  .ret (.op2 .pair (v "q") (.op2 .subI (v "a") (.op2 .mulI (v "b") (v "q"))))

/-- Euclidean division. -/
def euclid : Fn [("a", .int), ("b", .int)] (.pair .int .int) :=
  .mk "euclid" "Quotient and remainder, where the remainder is never negative." <|
  .bind "both" (call2 trunc (v "a") (v "b")) <|
  .bind "q" (.op1 .fst (v "both")) <|
  .bind "r" (.op1 .snd (v "both")) <|
  .seq (when (.op2 .ltI (v "r") (.litI 0)) <|
    .ite (.op2 .ltI (v "b") (.litI 0))
      (.ret (.op2 .pair (.op2 .addI (v "q") (.litI 1)) (.op2 .subI (v "r") (v "b"))))
      (.ret (.op2 .pair (.op2 .subI (v "q") (.litI 1)) (.op2 .addI (v "r") (v "b"))))) <|
  .ret (v "both")

/-- Division rounded up. -/
def ceil : Fn [("a", .int), ("b", .int)] (.pair .int .int) :=
  .mk "ceil" "Quotient and remainder, rounded up: the remainder has the sign opposite to `b`." <|
  .bind "both" (call2 trunc (v "a") (v "b")) <|
  .bind "q" (.op1 .fst (v "both")) <|
  .bind "r" (.op1 .snd (v "both")) <|
  .bind "zero" (.litI 0) <|
  .seq (when (.or (.and (.op2 .ltI (v "zero") (v "r")) (.op2 .ltI (v "zero") (v "b")))
      (.and (.op2 .ltI (v "r") (v "zero")) (.op2 .ltI (v "b") (v "zero")))) <|
    .ret (.op2 .pair (.op2 .addI (v "q") (.litI 1)) (.op2 .subI (v "r") (v "b")))) <|
  .ret (v "both")

/-- A number of 64 bits with a sign. -/
abbrev InRange (n : Int) : Prop := -2 ^ 63 ≤ n ∧ n < 2 ^ 63

/-- The answer of a division if its quotient fits into 64 bits with a sign, else overflow; by 0, a refusal. -/
def quotient (a : Option (Int × Int)) : Except Fault (Int × Int) :=
  match a with
  | some p => if p.1 < 2 ^ 63 then .ok p else .error .overflow
  | none => .error (.refuse "out_of_domain")

end Razorgirl.Extract
