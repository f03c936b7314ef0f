module

public import Razorgirl.Spec.Layout.Composition

@[expose] public section

/-!
# Composition by tiler, and beyond the domain

CuTe composes with a layout, with an integer `n` (`n:1`), with `_` (keep), or mode by mode with a tuple of
these. And where the inner layout reaches past the outer one, CuTe lets the last mode grow without saying so;
`composeExtended` does that under its own name.
-/

namespace Razorgirl

/-- By what a layout is composed or divided. -/
inductive Tiler where
  /-- `_`: the mode stays as it is -/
  | keep
  /-- a layout; an integer `n` is `n:1` -/
  | layout (B : Layout)
  /-- mode by mode; modes beyond these are dropped, as in CuTe C++ -/
  | modes (ts : List Tiler)

namespace Layout

mutual
/-- Applies `f` mode by mode where the tiler is a tuple; `none` if it has more modes than the layout. -/
def byTiler (f : Layout → Layout → Option Layout) : Tiler → HTuple Mode → Option (HTuple Mode)
  | .keep, t => some t
  | .layout B, t => (f (ofTree t) B).map tree
  | .modes ts, t => (byTilers f ts (topModes t)).map .node
/-- `byTiler` for each mode; the remaining modes are dropped. -/
def byTilers (f : Layout → Layout → Option Layout) :
    List Tiler → List (HTuple Mode) → Option (List (HTuple Mode))
  | [], _ => some []
  | _ :: _, [] => none
  | b :: bs, t :: ts =>
    match byTiler f b t, byTilers f bs ts with
    | some r, some rs => some (r :: rs)
    | _, _ => none
end

/-- CuTe `composition(A, tiler)`. -/
def composeBy (A : Layout) (b : Tiler) : Option Layout := (byTiler compose b A.tree).map ofTree

/-- `composeBy` with `composeComplete` for each mode. -/
def composeCompleteBy (A : Layout) (b : Tiler) : Option Layout := (byTiler composeComplete b A.tree).map ofTree

/-- The last mode of extent above 1 made so long that the layout has at least `n` coordinates. -/
def growLast (n : Nat) : FlatLayout → Option FlatLayout
  | [] => none
  | m :: A =>
    match growLast ((n + m.extent - 1) / m.extent) A with
    | some A' => some (m :: A')
    | none => if m.extent ≤ 1 then none else some (⟨n, m.stride⟩ :: A)

/-- The composite, with the last mode of A grown where B reaches past it. -/
def composeExtended (A B : Layout) : Option Layout :=
  if FlatLayout.cosizeFormula B.modes ≤ A.size then compose A B
  else
    match growLast (FlatLayout.cosizeFormula B.modes) A.modes with
    | some modes => compose ⟨modes, A.profile⟩ B
    | none => none

end Layout

end Razorgirl
