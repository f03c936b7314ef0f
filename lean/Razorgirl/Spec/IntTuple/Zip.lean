module

public import Razorgirl.Spec.IntTuple.Modes

@[expose] public section

/-!
# Rows and columns of modes exchanged

Transposing a tuple of tuples, and parting the pairs along a guide (CuTe `zip`, `tile_unzip`). As with the other
rearrangements the values do not matter, so one definition serves shapes, strides, coordinates and layouts.
-/

namespace Razorgirl

namespace HTuple

/-- One mode in front of each of several lists of modes; `none` if there are more or fewer of one. -/
def consEach {α : Type} : List (HTuple α) → List (List (HTuple α)) → Option (List (List (HTuple α)))
  | [], [] => some []
  | t :: ts, us :: uss => (consEach ts uss).map ((t :: us) :: ·)
  | _, _ => none

/-- Several tuples of rank `r` as `r` lists: first modes, second modes, …; `none` if one is a leaf or of another
rank. -/
def columns {α : Type} (r : Nat) : List (HTuple α) → Option (List (List (HTuple α)))
  | [] => some (List.replicate r [])
  | node us :: ts =>
    match columns r ts with
    | some cs => consEach us cs
    | none => none
  | leaf _ :: _ => none

/-- The tuple of tuples with rows and columns exchanged: `zip ((a,b,c),(x,y,z)) = ((a,x),(b,y),(c,z))`. Modes of
which the first is a leaf are one row. `none` if ranks differ, or if there is no mode. CuTe `zip(t)`, and
`zip(a, b)` for `zip((a,b))`.
Rust: `razorgirl::HTuple::zip` -/
def zip {α : Type} : HTuple α → Option (HTuple α)
  | leaf a => some (leaf a)
  | node [] => none
  | node (leaf a :: ts) => some (node [node (leaf a :: ts)])
  | node (node us :: ts) => (columns us.length (node us :: ts)).map fun cs => node (cs.map node)

mutual
/-- The pairs at the leaves of a guide, with all first parts in one tuple and all second parts in another, further
modes behind the second: `unzip (X,(X,X)) ((A,a),((B,b),(C,c)),d) = ((A,(B,C)),(a,(b,c),d))`. `none` where a leaf of
the guide meets no pair, or a tuple of it fewer modes. CuTe `zip2_by(t, guide)`, `tile_unzip`. -/
def unzipBy {α : Type} : (guide : Profile) → HTuple α → Option (HTuple α × HTuple α)
  | leaf _, node [a, b] => some (a, b)
  | leaf _, _ => none
  | node gs, node ts => (unzipByList gs ts).map fun p => (node p.1, node p.2)
  | node _, leaf _ => none
/-- `unzipBy` mode by mode. -/
def unzipByList {α : Type} :
    (guides : List Profile) → List (HTuple α) → Option (List (HTuple α) × List (HTuple α))
  | [], ts => some ([], ts)
  | _ :: _, [] => none
  | g :: gs, t :: ts =>
    match unzipBy g t, unzipByList gs ts with
    | some (a, b), some (as, bs) => some (a :: as, b :: bs)
    | _, _ => none
end

/-- `unzipBy` as one tuple of two.
Rust: `razorgirl::HTuple::unzip` -/
def unzip {α : Type} (guide : Profile) (t : HTuple α) : Option (HTuple α) :=
  (unzipBy guide t).map fun p => node [p.1, p.2]

/-! ## Worked examples -/

example : (zip (node [flat [1, 2, 3], flat [4, 5, 6]])).map flatten = some [1, 4, 2, 5, 3, 6] := by decide
example : (unzip (node [leaf (), node [leaf (), leaf ()]])
    (node [flat [1, 2], node [flat [3, 4], flat [5, 6]], leaf 7])).map flatten = some [1, 3, 5, 2, 4, 6, 7] := by
  decide

end HTuple

end Razorgirl
