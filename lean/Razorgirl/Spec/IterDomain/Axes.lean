module

public import Razorgirl.Spec.IterDomain.Schedule
public import Razorgirl.Spec.Layout.Divide

@[expose] public section

/-!
# Schedules as layout operations

A loop over a tensor is an axis with a layout: where the tensor is at each round. Splitting an axis by `d` is
`logical_divide` by `d:1`, merging two is putting them side by side, the inner one first. A schedule of dividing splits,
merges and reorders so makes layouts from layouts, and needs no index arithmetic.
-/

namespace Razorgirl.IterDomain

/-- An axis in parts of `d` rounds: the layout of the parts, and that of a part. -/
def splitAxis (A : Layout) (d : Nat) : Option (List Layout) :=
  match Layout.logicalDivide A ⟨[⟨d, 1⟩], .leaf ()⟩ with
  | some D =>
    match D.tree with
    | .node [x, y] => some [Layout.ofTree y, Layout.ofTree x]
    | _ => none
  | none => none

/-- The axes after an operation, outer axis first; `none` where it is no layout operation, or a split does not divide. -/
def Op.onAxes : Op → List Layout → Option (List Layout)
  | .split d, [A] => splitAxis A d.toNat
  | .splitOuter k, [A] => if A.size % k.toNat = 0 then splitAxis A (A.size / k.toNat) else none
  | .merge, [A, B] => some [Layout.concat [B, A]]
  | _, _ => none

/-- The axes after a move. -/
def Move.onAxes (Ls : List Layout) : Move → Option (List Layout)
  | .apply k op =>
    (op.onAxes ((Ls.drop k).take op.transform.inRank)).map fun M =>
      Ls.take k ++ M ++ Ls.drop (k + op.transform.inRank)
  | .reorder p => some (pick ⟨[], .node []⟩ p Ls)

/-- The axes after all moves. -/
def movesOnAxes (Ls : List Layout) : List Move → Option (List Layout)
  | [] => some Ls
  | m :: ms =>
    match m.onAxes Ls with
    | some M => movesOnAxes M ms
    | none => none

/-- The axes of a tensor in row-major order. -/
def rowMajorAxes : List Int → List Layout
  | [] => []
  | n :: ns => ⟨[⟨n.toNat, (boxSize ns).toNat⟩], .leaf ()⟩ :: rowMajorAxes ns

/-- How many rounds each axis has. -/
def sizes (Ls : List Layout) : List Int := Ls.map fun A => (A.size : Int)

/-- Where the tensor is at a point: the sum of the offsets of the axes. -/
def offsetAt : List Layout → (point : List Int) → Nat
  | A :: As, i :: is => FlatLayout.atIndex A.modes i.toNat + offsetAt As is
  | _, _ => 0

/-- The axes of the loops of a schedule, as layouts into the tensor.
Rust: `razorgirl::iter_domain::Schedule::axes` -/
def Schedule.axes (s : Schedule) : Option (List Layout) := movesOnAxes (rowMajorAxes s.extents) s.moves

/-- 12 by 3, the inner part outermost, merged: 4 rounds at distance 3, then 3 at distance 1. -/
example : (Schedule.axes ⟨[12], [.split 0 3, .merge 1 0]⟩).map (List.map Layout.modes) = some [[⟨4, 3⟩, ⟨3, 1⟩]] := by
  decide +kernel

end Razorgirl.IterDomain
