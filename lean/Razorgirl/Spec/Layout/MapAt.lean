module

public import Razorgirl.Spec.Layout.Basic

@[expose] public section

/-!
# By a target: mode by mode, down to the leaves of a profile

`coalesce` and `filter` can be told to keep the modes of a target apart: what lies at each leaf of the target is
treated on its own, and the modes that it does not reach stay (CuTe `transform_layout` with a profile).
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout

mutual
/-- Applies `f` to what lies at each leaf of `p`; the modes that `p` does not reach stay as they are.
`none` if `p` has more modes somewhere than the layout. CuTe `transform_layout(L, p, f)`. -/
def mapAt (f : HTuple Mode → HTuple Mode) : (p : Profile) → HTuple Mode → Option (HTuple Mode)
  | .leaf _, t => some (f t)
  | .node ps, t => (mapAtList f ps (children t)).map .node
/-- `mapAt` mode by mode. -/
def mapAtList (f : HTuple Mode → HTuple Mode) :
    List Profile → List (HTuple Mode) → Option (List (HTuple Mode))
  | [], ts => some ts
  | _ :: _, [] => none
  | p :: ps, t :: ts =>
    match mapAt f p t, mapAtList f ps ts with
    | some t', some ts' => some (t' :: ts')
    | _, _ => none
end

/-! ## What fits a target -/

mutual
/-- The target has nowhere more modes than the layout; a leaf of the layout counts as one mode. -/
def fits {α : Type} : (target : Profile) → HTuple α → Bool
  | .leaf _, _ => true
  | .node ps, .node ts => fitsList ps ts
  | .node ps, .leaf a => fitsList ps [.leaf a]
/-- `fits` mode by mode; the layout may have further modes. -/
def fitsList {α : Type} : List Profile → List (HTuple α) → Bool
  | [], _ => true
  | _ :: _, [] => false
  | p :: ps, t :: ts => fits p t && fitsList ps ts
end

mutual
/-- `fits`, and where the target is a tuple, so is the layout. -/
def fitsInside {α : Type} : (target : Profile) → HTuple α → Bool
  | .leaf _, _ => true
  | .node ps, .node ts => fitsInsideList ps ts
  | .node _, .leaf _ => false
/-- `fitsInside` mode by mode; the layout may have further modes. -/
def fitsInsideList {α : Type} : List Profile → List (HTuple α) → Bool
  | [], _ => true
  | _ :: _, [] => false
  | p :: ps, t :: ts => fitsInside p t && fitsInsideList ps ts
end

mutual
/-- The coordinate has an integer or `_` at each leaf of the target or above it. What it has in the modes that
the target does not reach is free. -/
def noFiner : Coord → (target : Profile) → Bool
  | .leaf _, _ => true
  | .node _, .leaf _ => false
  | .node cs, .node ps => noFinerList cs ps
/-- `noFiner` mode by mode. -/
def noFinerList : List Coord → List Profile → Bool
  | [], _ => true
  | _ :: _, [] => true
  | c :: cs, p :: ps => noFiner c p && noFinerList cs ps
end

/-! ## What is so at every leaf, and beyond -/

mutual
/-- `P` holds of what lies at each leaf of the target. -/
def AtLeaves (P : HTuple Mode → Prop) : (target : Profile) → HTuple Mode → Prop
  | .leaf _, t => P t
  | .node ps, t => AtLeavesList P ps (children t)
/-- `AtLeaves` mode by mode. -/
def AtLeavesList (P : HTuple Mode → Prop) : List Profile → List (HTuple Mode) → Prop
  | [], _ => True
  | _ :: _, [] => False
  | p :: ps, t :: ts => AtLeaves P p t ∧ AtLeavesList P ps ts
end

mutual
/-- The two trees have the same modes wherever the target does not reach, at every level. -/
def SameBeyond : (target : Profile) → HTuple Mode → HTuple Mode → Prop
  | .leaf _, _, _ => True
  | .node ps, t, u => SameBeyondList ps (children t) (children u)
/-- `SameBeyond` mode by mode. -/
def SameBeyondList : List Profile → List (HTuple Mode) → List (HTuple Mode) → Prop
  | [], ts, us => us = ts
  | p :: ps, t :: ts, u :: us => SameBeyond p t u ∧ SameBeyondList ps ts us
  | _ :: _, _, _ => False
end

/-- Same size and the same function of every index. -/
def Same (A B : FlatLayout) : Prop := FlatLayout.size B = FlatLayout.size A ∧ ∀ x, atIndex B x = atIndex A x

/-! ## Worked examples -/

/-- Two leaves fit a tuple of three modes, and not one mode. -/
example : fits (.node [.leaf (), .leaf ()]) (.node [.leaf 2, .leaf 3, .leaf 4]) = true ∧
    fits (.node [.leaf (), .leaf ()]) (.leaf 2) = false := by decide

/-- Over one leaf, a leaf fits but not inside. -/
example : fits (.node [.leaf ()]) (.leaf 2) = true ∧ fitsInside (.node [.leaf ()]) (.leaf 2) = false := by decide

end Layout

end Razorgirl
