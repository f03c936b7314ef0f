module

public import Razorgirl.Spec.Layout.Tiler

@[expose] public section

/-!
# Where the coordinates of the forms go

The words in which the theorems about division and products by tilers are stated: which coordinate of the zipped, tiled
or flat form is which coordinate of the mode-by-mode form.
-/

namespace Razorgirl

namespace Tiler

mutual
/-- Every layout of the tiler is valid. -/
def Valid : Tiler → Prop
  | .keep => True
  | .layout B => B.Valid
  | .modes bs => ValidList bs
/-- `Valid` for each of a list. -/
def ValidList : List Tiler → Prop
  | [] => True
  | b :: bs => Valid b ∧ ValidList bs
end

end Tiler

namespace Layout
open HTuple

/-! ## Mode by mode -/

/-- The top-level modes as layouts. -/
def topLayouts (A : Layout) : List Layout := (children A.tree).map ofTree

/-- `f` for each pair of layouts; `none` if there are more of the second. -/
def eachMode (f : Layout → Layout → Option Layout) : (As Bs : List Layout) → Option (List Layout)
  | _, [] => some []
  | [], _ :: _ => none
  | A :: As, B :: Bs =>
    match f A B, eachMode f As Bs with
    | some R, some Rs => some (R :: Rs)
    | _, _ => none

/-- `f` for each pair of layouts, further layouts of the first list as they are; `none` if there are more of the
second. -/
def eachModeKeep (f : Layout → Layout → Option Layout) : (As Bs : List Layout) → Option (List Layout)
  | As, [] => some As
  | [], _ :: _ => none
  | A :: As, B :: Bs =>
    match f A B, eachModeKeep f As Bs with
    | some R, some Rs => some (R :: Rs)
    | _, _ => none

/-! ## Zipped -/

/-- The sum of two offsets, if there are both. -/
def plus : Option Nat → Option Nat → Option Nat
  | some a, some b => some (a + b)
  | _, _ => none

mutual
/-- The coordinate of the mode-by-mode result for coordinate `a` of the tiles and `c` of the rests:
`zipCoord ⟨_,_⟩ (t₀,t₁) (r₀,r₁,x) = ((t₀,r₀),(t₁,r₁),x)`. -/
def zipCoord (keptAt : Coord → Coord → Coord) : Tiler → (a c : Coord) → Coord
  | .keep, a, c => keptAt a c
  | .layout _, a, c => .node [a, c]
  | .modes bs, .node as, .node cs => .node (zipCoords keptAt bs as cs)
  | .modes _, _, _ => .node []
/-- `zipCoord` mode by mode; the remaining coordinates are those of further modes. -/
def zipCoords (keptAt : Coord → Coord → Coord) : List Tiler → (as cs : List Coord) → List Coord
  | b :: bs, a :: as, c :: cs => zipCoord keptAt b a c :: zipCoords keptAt bs as cs
  | _, _, cs => cs
end

mutual
/-- The coordinates of tiles and rests are nested like the tiler; an integer may stand for what lies under one of its
layouts, but not for several. -/
def Follows (keptOk : Coord → Coord → Prop) : Tiler → (a c : Coord) → Prop
  | .keep, a, c => keptOk a c
  | .layout _, _, _ => True
  | .modes bs, .node as, .node cs => FollowsList keptOk bs as cs
  | .modes _, _, _ => False
/-- `Follows` mode by mode. -/
def FollowsList (keptOk : Coord → Coord → Prop) : List Tiler → (as cs : List Coord) → Prop
  | [], [], _ => True
  | b :: bs, a :: as, c :: cs => Follows keptOk b a c ∧ FollowsList keptOk bs as cs
  | _, _, _ => False
end

/-- The one coordinate of `1:0`. -/
def IsUnit (c : Coord) : Prop := c = .leaf none ∨ c = .leaf (some 0)

/-- The coordinate of the mode-by-mode division for coordinate `a` of the tiles and `c` of the rests; a mode under `_`
is all rest. -/
abbrev divideCoord (b : Tiler) (a c : Coord) : Coord := zipCoord (fun _ c => c) b a c

/-- The coordinates of tiles and rests are nested like the tiler, with 0 for the tile of a mode under `_`. -/
abbrev FollowsTiler (b : Tiler) (a c : Coord) : Prop := Follows (fun a _ => IsUnit a) b a c

/-- The coordinate of the mode-by-mode product for coordinate `a` within A and `c` of the repetitions; a mode under
`_` is all A. -/
abbrev productCoord (b : Tiler) (a c : Coord) : Coord := zipCoord (fun a _ => a) b a c

/-- The coordinates of A and of the repetitions are nested like the tiler, with 0 for the one repetition of a mode
under `_`. -/
abbrev FollowsProduct (b : Tiler) (a c : Coord) : Prop := Follows (fun _ c => IsUnit c) b a c

/-! ## Tiled and flat -/

/-- The coordinates of the modes of a tuple. -/
def spreadCoord : HTuple Mode → Coord → List Coord
  | .node [_], c => [c]
  | .node _, .node cs => cs
  | _, c => [c]

/-- The coordinate is a tuple of as many as there are modes, where `spread` opens the tuple. -/
def Opens : HTuple Mode → Coord → Prop
  | .node [_], _ => True
  | .node ts, .node cs => cs.length = ts.length
  | .node _, .leaf _ => False
  | .leaf _, _ => True

/-- Tiles `(0,1)` and rests `(2,3,4)` by a tuple of two: the pairs `(0,2)` and `(1,3)`, then 4. -/
example : (divideCoord (.modes [.layout default, .layout default]) (.node [.leaf (some 0), .leaf (some 1)])
      (.node [.leaf (some 2), .leaf (some 3), .leaf (some 4)])).flatten =
    [some 0, some 2, some 1, some 3, some 4] := by decide +kernel

end Layout

end Razorgirl
