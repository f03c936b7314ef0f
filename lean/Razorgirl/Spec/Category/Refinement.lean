module

public import Razorgirl.Spec.Coord

@[expose] public section

/-!
# Refinements of nested tuples

What a refinement has over each entry, substitution of parts for entries, and mutual refinements («Categorical Foundations»
2.2 and 4.1).
-/

namespace Razorgirl

namespace Category

open HTuple

mutual
/-- What `fine` has over each entry of `coarse`, in order; none where it does not refine it. -/
def over : (fine coarse : IntTuple) → Option (List IntTuple)
  | t, .leaf n => if IntTuple.size t = n then some [t] else none
  | .node ts, .node cs => overList ts cs
  | .leaf _, .node _ => none
/-- `over` for several tuples in turn. -/
def overList : (fine coarse : List IntTuple) → Option (List IntTuple)
  | [], [] => some []
  | t :: ts, c :: cs =>
    match over t c, overList ts cs with
    | some a, some b => some (a ++ b)
    | _, _ => none
  | _, _ => none
end

/-- `i` as often as the first part has leaves, and so on with `i + 1`. -/
def under (i : Nat) : List IntTuple → List Nat
  | [] => []
  | t :: ts => List.replicate t.length i ++ under (i + 1) ts

/-- What a refinement has over each entry, and the entry, from 1, under each of its leaves (2.2.2).
Rust: `razorgirl::category::relative` -/
def relative (fine coarse : IntTuple) : Option (List IntTuple × List Nat) :=
  match over fine coarse with
  | some parts => some (parts, under 1 parts)
  | none => none

mutual
/-- A tuple of tuples as one tuple: each stands in the place of its leaf. On profiles, the substitution (P₁,…,Pₘ)_Q of 2.2.1. -/
def flattenNesting {α : Type} : HTuple (HTuple α) → HTuple α
  | .leaf t => t
  | .node ts => .node (flattenNestings ts)
/-- Each of several. -/
def flattenNestings {α : Type} : List (HTuple (HTuple α)) → List (HTuple α)
  | [] => []
  | t :: ts => flattenNesting t :: flattenNestings ts
end

/-- The tuple with a part in the place of each entry, in order. -/
def substitute (t : IntTuple) (parts : List IntTuple) : IntTuple :=
  flattenNesting (unflatten (.leaf 1) t.profile parts)

/-- A cut in front of the first part. -/
def cutFirst (n : Nat) : List (List Nat) → List (List Nat)
  | [] => [[n]]
  | g :: gs => (n :: g) :: gs

/-- The parts of both lists, cut until either is used up, and what the first has left: where one first entry divides the
other, it is cut off both. -/
def cuts : (fuel : Nat) → (xs ys : List Nat) → Option (List (List Nat) × List (List Nat) × List Nat)
  | _, [], ys => some ([], ys.map fun y => [y], [])
  | _, x :: xs, [] => some ([], [], x :: xs)
  | 0, _ :: _, _ :: _ => none
  | fuel + 1, x :: xs, y :: ys =>
    if x = y then
      match cuts fuel xs ys with
      | some (a, b, rest) => some ([x] :: a, [y] :: b, rest)
      | none => none
    else if y % x = 0 then
      match cuts fuel xs (y / x :: ys) with
      | some (a, b, rest) => some ([x] :: a, cutFirst x b, rest)
      | none => none
    else if x % y = 0 then
      match cuts fuel (x / y :: xs) ys with
      | some (a, b, rest) => some (cutFirst y a, [y] :: b, rest)
      | none => none
    else none

/-- Ones behind the last part; none where there is no part. -/
def onesLast (ones : List Nat) : List (List Nat) → Option (List (List Nat))
  | [] => if ones = [] then some [] else none
  | [g] => some [g ++ ones]
  | g :: gs =>
    match onesLast ones gs with
    | some gs => some (g :: gs)
    | none => none

/-- Cuts of the entries of T and of U of which the first, one behind the other, begin the second. Ones that T has left when U is
used up go behind U's last part. -/
def flatRefinement (xs ys : List Nat) : Option (List (List Nat) × List (List Nat)) :=
  match cuts (xs.length + ys.length) xs ys with
  | some (a, b, rest) =>
    if rest.all (· == 1) then
      match onesLast rest b with
      | some b => some (a ++ rest.map fun n => [n], b)
      | none => none
    else none
  | none => none

/-- A part as a tuple, or as its only entry. -/
def partTuple : List Nat → IntTuple
  | [n] => .leaf n
  | ns => .node (ns.map .leaf)

/-- Refinements of T and U of which the first, flattened, begins the second: the coarsest (4.1.1, repaired: ones that T has left
when U is used up go behind U's last part, and it is refused where T has more left, see E7).
Rust: `razorgirl::category::mutual_refinement` -/
def mutualRefinement (t u : IntTuple) : Option (IntTuple × IntTuple) :=
  match flatRefinement t.flatten u.flatten with
  | some (a, b) => some (substitute t (a.map partTuple), substitute u (b.map partTuple))
  | none => none

/-- `a` cuts the entries `xs`, `b` cuts `ys`, and the parts of `a` begin those of `b` («T' divides U'», 4.1). -/
def IsFlatRefinement (xs ys : List Nat) (a b : List (List Nat)) : Prop :=
  a.map prod = xs ∧ b.map prod = ys ∧ a.flatten <+: b.flatten

example : flatRefinement [6, 6] [2, 6, 3] = some ([[2, 3], [2, 3]], [[2], [3, 2], [3]]) := by decide

/-- E7: the source's loop drops the last entry of U, and finds nothing for T = (2,1), U = 2. -/
theorem refinement_counterexample : flatRefinement [2, 1] [2] = some ([[2], [1]], [[2, 1]]) := by decide

end Category

end Razorgirl
