module

public import Razorgirl.Spec.IterDomain.Axes

@[expose] public section

/-!
# Splits first, merges last

Schedules that are layout operations whatever the extents: all splits divide, and none comes after a merge.
-/

namespace Razorgirl.IterDomain

/-- A split that divides the extent. -/
def Op.divides : Op → (extents : List Int) → Bool
  | .split d, [N] => decide (N % d = 0)
  | .splitOuter k, [N] => decide (N % k = 0)
  | _, _ => false

/-- Merges and reorders only. -/
def mergesOnly : List Move → Bool
  | [] => true
  | .apply _ .merge :: ms => mergesOnly ms
  | .reorder _ :: ms => mergesOnly ms
  | _ :: _ => false

/-- Dividing splits and reorders, and then merges and reorders only. -/
def splitsFirst (N : List Int) : List Move → Bool
  | [] => true
  | .apply k op :: ms =>
    op.divides ((N.drop k).take op.transform.inRank) && splitsFirst ((Move.apply k op).ext N) ms ||
      mergesOnly (.apply k op :: ms)
  | .reorder p :: ms => splitsFirst ((Move.reorder p).ext N) ms

/-- The schedule splits first, and what divides, and merges last. -/
def Schedule.splitsFirst (s : Schedule) : Bool := IterDomain.splitsFirst s.extents s.moves

example : Schedule.splitsFirst ⟨[12, 8], [.split 0 3, .splitOuter 2 2, .merge 0 2]⟩ = true ∧
    Schedule.splitsFirst ⟨[12], [.split 0 5]⟩ = false ∧
    Schedule.splitsFirst ⟨[12], [.split 0 3, .merge 1 0, .split 0 6]⟩ = false := by decide

end Razorgirl.IterDomain
