module

public import Razorgirl.Spec.IntTuple.Division

@[expose] public section

/-!
# What a quotient without remainder is

Tuple by tuple: the quotient is nested like the shape, and over each integer of the divisor it is what one integer leaves.
-/

namespace Razorgirl

namespace IntTuple
open HTuple

/-- What the integer `n` leaves of the shape `a`: the quotient of `ceil_div`, nested like `a`, and divisor times quotient is
the size, or all extents are used up and the size divides the divisor. -/
def LeavesOf (a : IntTuple) (n : Nat) (q : IntTuple) : Prop :=
  q.profile = a.profile ∧ ceilDiv a (.leaf n) = some q ∧ (n * size q = size a ∨ size q = 1 ∧ size a ∣ n)

mutual
/-- `q` is what tiles of `b` leave of the shape `a`: a tuple over an extent counts as its size, two tuples have the same
rank. -/
def IsQuotient : (a b q : IntTuple) → Prop
  | a, .leaf n, q => LeavesOf a n q
  | .leaf s, .node bs, q => LeavesOf (.leaf s) (sizeList bs) q
  | .node as, .node bs, .node qs => IsQuotients as bs qs
  | .node _, .node _, .leaf _ => False
/-- `IsQuotient` mode by mode. -/
def IsQuotients : (as bs qs : List IntTuple) → Prop
  | [], [], [] => True
  | a :: as, b :: bs, q :: qs => IsQuotient a b q ∧ IsQuotients as bs qs
  | _, _, _ => False
end

end IntTuple

end Razorgirl
