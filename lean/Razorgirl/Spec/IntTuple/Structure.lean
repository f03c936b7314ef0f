module

public import Razorgirl.Spec.IntTuple

@[expose] public section

/-!
# The modes of a tuple rearranged

Adding, grouping, picking, exchanging and transposing the top-level modes of a tuple (CuTe `tuple_algorithms.hpp`).
None of it looks at the values, so it is one definition for shapes, strides, coordinates and layouts: what happens to
a layout happens to its coordinates as well, and the offset stays the same. A leaf counts as its own only mode.
-/

namespace Razorgirl

namespace HTuple

/-- The top-level modes; a leaf is its own only mode. -/
def children {α : Type} : HTuple α → List (HTuple α)
  | leaf a => [leaf a]
  | node ts => ts

/-- Rank `n` by copies of `x` behind; `none` if the rank is larger already. `appendTo 4 1 (2,3) = (2,3,1,1)`.
CuTe `append<n>(t, x)`. -/
def appendTo {α : Type} (n : Nat) (x t : HTuple α) : Option (HTuple α) :=
  if n < t.rank then none
  else if n = t.rank then some t
  else some (node (t.children ++ List.replicate (n - t.rank) x))

/-- Rank `n` by copies of `x` in front; `none` if the rank is larger already. `prependTo 4 1 (2,3) = (1,1,2,3)`.
CuTe `prepend<n>(t, x)`. -/
def prependTo {α : Type} (n : Nat) (x t : HTuple α) : Option (HTuple α) :=
  if n < t.rank then none
  else if n = t.rank then some t
  else some (node (List.replicate (n - t.rank) x ++ t.children))

/-- The modes `[b,e)` as one mode, none if that is empty; `none` unless `b ≤ e ≤ rank`.
`group 1 3 (1,2,3,4) = (1,(2,3),4)`. CuTe `group<b,e>(t)`. -/
def group {α : Type} (b e : Nat) (t : HTuple α) : Option (HTuple α) :=
  if b ≤ e ∧ e ≤ t.rank then
    some (node (t.children.take b ++
      (if b < e then [node ((t.children.take e).drop b)] else []) ++ t.children.drop e))
  else none

/-- Mode `i` of a list of modes. -/
def mode? {α : Type} : List (HTuple α) → (i : Nat) → Option (HTuple α)
  | [], _ => none
  | t :: _, 0 => some t
  | _ :: ts, i + 1 => mode? ts i

/-- `mode?` for each of several places. -/
def modes? {α : Type} (ts : List (HTuple α)) : (is : List Nat) → Option (List (HTuple α))
  | [] => some []
  | i :: is =>
    match mode? ts i, modes? ts is with
    | some u, some us => some (u :: us)
    | _, _ => none

/-- The modes at these places, in this order, always a tuple; `none` if a place is not below the rank.
`select [2,0] (1,2,3) = (3,1)`. CuTe `select<is…>(t)`. -/
def select {α : Type} (is : List Nat) (t : HTuple α) : Option (HTuple α) := (modes? t.children is).map node

/-- The modes `[b,e)`, always a tuple; `none` unless `b ≤ e ≤ rank`. `take 1 3 (1,2,3,4) = (2,3)`.
CuTe `take<b,e>(t)`. -/
def take {α : Type} (b e : Nat) (t : HTuple α) : Option (HTuple α) :=
  if b ≤ e ∧ e ≤ t.rank then some (node ((t.children.take e).drop b)) else none

/-- `x` in place of mode `n`, in place of the whole where that is a leaf; `none` unless `n` is below the rank.
`replace 1 (7,8) (1,2,3) = (1,(7,8),3)`. CuTe `replace<n>(t, x)`. -/
def replace {α : Type} (n : Nat) (x : HTuple α) : HTuple α → Option (HTuple α)
  | leaf _ => if n = 0 then some x else none
  | node ts => if n < ts.length then some (node (ts.set n x)) else none

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
`zip(a, b)` for `zip((a,b))`. -/
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

/-- `unzipBy` as one tuple of two. -/
def unzip {α : Type} (guide : Profile) (t : HTuple α) : Option (HTuple α) :=
  (unzipBy guide t).map fun p => node [p.1, p.2]

/-! ## Worked examples -/

/-- A flat tuple of numbers. -/
def flat {α : Type} (xs : List α) : HTuple α := node (xs.map leaf)

example : (appendTo 4 (leaf 1) (flat [2, 3])).map flatten = some [2, 3, 1, 1] := by decide
example : (group 1 3 (flat [1, 2, 3, 4])).map rank = some 3 := by decide
example : (select [2, 0] (flat [1, 2, 3])).map flatten = some [3, 1] := by decide
example : (zip (node [flat [1, 2, 3], flat [4, 5, 6]])).map flatten = some [1, 4, 2, 5, 3, 6] := by decide
example : (unzip (node [leaf (), node [leaf (), leaf ()]])
    (node [flat [1, 2], node [flat [3, 4], flat [5, 6]], leaf 7])).map flatten = some [1, 3, 5, 2, 4, 6, 7] := by
  decide

end HTuple

end Razorgirl
