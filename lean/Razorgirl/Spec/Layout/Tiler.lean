module

public import Razorgirl.Spec.Layout.Coalesce

@[expose] public section

/-!
# Tilers: mode by mode, tiles first

A tiler says for each mode what is done to it (CuTe `Tiler`). Composition drops the modes beyond a tuple (`byTiler`).
Division and products keep them, and make a pair (tile, rest) of each mode that the tiler reaches: `transform` puts the
pairs where the modes were, `unzip` collects the first parts in one tuple and the second parts in another (CuTe
`transform_layout` and `zip2_by`). Three ways to nest the two are in use: zipped, tiled and flat.
-/

namespace Razorgirl

/-- By what a layout is composed or divided.
Rust: `razorgirl::Tiler` -/
inductive Tiler where
  /-- `_`: the mode stays as it is -/
  | keep
  /-- a layout; an integer `n` is `n:1` -/
  | layout (B : Layout)
  /-- mode by mode; modes beyond these are dropped, as in CuTe C++ -/
  | modes (ts : List Tiler)

namespace Layout
open HTuple

mutual
/-- Applies `f` mode by mode where the tiler is a tuple; `none` if it has more modes than the layout. -/
def byTiler (f : Layout → Layout → Option Layout) : Tiler → HTuple Mode → Option (HTuple Mode)
  | .keep, t => some t
  | .layout B, t => (f (ofTree t) B).map tree
  | .modes ts, t => (byTilers f ts (children t)).map .node
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

mutual
/-- Applies `f` to the mode under each layout of the tiler. `_` keeps a mode, and so do the modes beyond a tuple.
`none` if a tuple has more modes than the layout. CuTe `transform_layout(A, tiler, f)`. -/
def transform (f : Layout → Layout → Option Layout) : Tiler → HTuple Mode → Option (HTuple Mode)
  | .keep, t => some t
  | .layout B, t => (f (ofTree t) B).map tree
  | .modes bs, t => (transformList f bs (children t)).map .node
/-- `transform` for each mode; the remaining modes stay. -/
def transformList (f : Layout → Layout → Option Layout) :
    List Tiler → List (HTuple Mode) → Option (List (HTuple Mode))
  | [], ts => some ts
  | _ :: _, [] => none
  | b :: bs, t :: ts =>
    match transform f b t, transformList f bs ts with
    | some r, some rs => some (r :: rs)
    | _, _ => none
end

/-- A mode that is not divided is all rest: one tile of one coordinate. -/
def allRest (t : HTuple Mode) : HTuple Mode × HTuple Mode := (.leaf ⟨1, 0⟩, t)

/-- A mode that is not repeated is all tile: one repetition. -/
def allTile (t : HTuple Mode) : HTuple Mode × HTuple Mode := (t, .leaf ⟨1, 0⟩)

mutual
/-- Parts what `transform` made: the first parts of all pairs, nested as the tiler is, and the second parts with the
further modes behind them: `unzip ⟨_,_⟩ ((A,a),(B,b),x) = ((A,B),(a,b,x))`. `kept` says into what a mode under
`_` falls; C++ `zip2_by` parts its two sub-modes there, or does not compile. -/
def unzip (kept : HTuple Mode → HTuple Mode × HTuple Mode) :
    Tiler → HTuple Mode → Option (HTuple Mode × HTuple Mode)
  | .keep, t => some (kept t)
  | .layout _, .node [a, b] => some (a, b)
  | .layout _, _ => none
  | .modes bs, .node ts => (unzipList kept bs ts).map fun p => (.node p.1, .node p.2)
  | .modes _, .leaf _ => none
/-- `unzip` for each mode; the remaining modes are second parts. -/
def unzipList (kept : HTuple Mode → HTuple Mode × HTuple Mode) :
    List Tiler → List (HTuple Mode) → Option (List (HTuple Mode) × List (HTuple Mode))
  | [], ts => some ([], ts)
  | _ :: _, [] => none
  | b :: bs, t :: ts =>
    match unzip kept b t, unzipList kept bs ts with
    | some (x, y), some (xs, ys) => some (x :: xs, y :: ys)
    | _, _ => none
end

/-- A tuple as its modes. A leaf, and a tuple of one mode, stay whole, as in CuTe C++ (pycute unwraps the tuple of
one mode). -/
def spread : HTuple Mode → List (HTuple Mode)
  | .node [t] => [.node [t]]
  | .node ts => ts
  | .leaf m => [.leaf m]

/-- Two modes: tiles and rests. -/
def zippedForm (p : HTuple Mode × HTuple Mode) : HTuple Mode := .node [p.1, p.2]

/-- The tiles in one mode, each rest a mode of its own. -/
def tiledForm (p : HTuple Mode × HTuple Mode) : HTuple Mode := .node (p.1 :: spread p.2)

/-- Each tile and each rest a mode of its own. -/
def flatForm (p : HTuple Mode × HTuple Mode) : HTuple Mode := .node (spread p.1 ++ spread p.2)

/-- `f` by tiler, every result in its mode's place. -/
def transformBy (f : Layout → Layout → Option Layout) (A : Layout) (b : Tiler) : Option Layout :=
  (transform f b A.tree).map ofTree

/-- `f` by tiler, first and second parts unzipped and put into a form. -/
def arrange (form : HTuple Mode × HTuple Mode → HTuple Mode) (kept : HTuple Mode → HTuple Mode × HTuple Mode)
    (f : Layout → Layout → Option Layout) (A : Layout) (b : Tiler) : Option Layout :=
  match transform f b A.tree with
  | some t => (unzip kept b t).map fun p => ofTree (form p)
  | none => none

/-- `((4,2),(5,3),7)` by a tuple of two: tiles `(4,5)`, rests `(2,3,7)`. -/
example : (unzip allRest (.modes [.layout default, .layout default])
      (.node [.node [.leaf ⟨4, 1⟩, .leaf ⟨2, 4⟩], .node [.leaf ⟨5, 8⟩, .leaf ⟨3, 40⟩], .leaf ⟨7, 120⟩])).map
      (fun p => (p.1.flatten, p.2.flatten)) =
    some ([⟨4, 1⟩, ⟨5, 8⟩], [⟨2, 4⟩, ⟨3, 40⟩, ⟨7, 120⟩]) := by decide +kernel

end Layout

end Razorgirl
