module

public import Razorgirl.Spec.IterDomain.Predicate

@[expose] public section

/-!
# Predicates none of which can be left out

The rule's tests find every hole, but one of them may follow from the others: of 2 by 3, its inner part by 2, it tests
domains 0 and 2, and whoever passes the test of 0 passes that of 2. A test that follows from the others is left out, one
after the other. This goes through all loop points, which the rule does not.
-/

namespace Razorgirl.IterDomain

/-- `xs` behind `kept`, without the entries that the rest can do without, from the first on. -/
def prune (enough : List Nat → Bool) (kept : List Nat) : (xs : List Nat) → List Nat
  | [] => kept
  | x :: xs => if enough (kept ++ xs) then prune enough kept xs else prune enough (kept ++ [x]) xs

/-- `P` without `x`. -/
def without (x : Nat) (P : List Nat) : List Nat := P.filter fun y => y != x

namespace Schedule

/-- The domains of the list are in range at the loop point. -/
def passes (s : Schedule) (P : List Nat) (j : List Int) : Bool :=
  (s.domains j).all fun d => !P.contains d.number || d.inRange

/-- Testing the domains of the list finds every hole. -/
def finds (s : Schedule) (P : List Nat) : Bool :=
  (List.range (boxSize s.loops).toNat).all fun (x : Nat) =>
    !s.passes P (pointAt s.loops x) || !s.isHole (pointAt s.loops x)

/-- The domains to test, none of which can be left out.
Rust: `razorgirl::iter_domain::Schedule::essential` -/
def essential (s : Schedule) : List Nat := prune s.finds [] s.predicates

example : predicates ⟨[2], [.split 0 3, .split 1 2]⟩ = [0, 2] ∧ essential ⟨[2], [.split 0 3, .split 1 2]⟩ = [0] := by
  decide +kernel
/-- 5 by 3, the inner part by 2, needs both of its tests: index 3 is met again as a hole of 2, and 5 is one of 0. -/
example : essential ⟨[5], [.split 0 3, .split 1 2]⟩ = [0, 2] := by decide +kernel

end Schedule

end Razorgirl.IterDomain
