module

public import Razorgirl.Spec.IntTuple

@[expose] public section

/-!
# The modes of a tuple rearranged

Adding, grouping, picking and exchanging the top-level modes of a tuple (CuTe `tuple_algorithms.hpp`).
None of it looks at the values, so it is one definition for shapes, strides, coordinates and layouts: what happens to
a layout happens to its coordinates as well, and the offset stays the same. A leaf counts as its own only mode.
-/

namespace Razorgirl

namespace HTuple

/-- Rank `n` by copies of `x` behind; `none` if the rank is larger already. `appendTo 4 1 (2,3) = (2,3,1,1)`.
CuTe `append<n>(t, x)`.
Rust: `razorgirl::HTuple::append` -/
def appendTo {α : Type} (n : Nat) (x t : HTuple α) : Option (HTuple α) :=
  if n < t.rank then none
  else if n = t.rank then some t
  else some (node (t.children ++ List.replicate (n - t.rank) x))

/-- Rank `n` by copies of `x` in front; `none` if the rank is larger already. `prependTo 4 1 (2,3) = (1,1,2,3)`.
CuTe `prepend<n>(t, x)`.
Rust: `razorgirl::HTuple::prepend` -/
def prependTo {α : Type} (n : Nat) (x t : HTuple α) : Option (HTuple α) :=
  if n < t.rank then none
  else if n = t.rank then some t
  else some (node (List.replicate (n - t.rank) x ++ t.children))

/-- The modes `[b,e)` as one mode, none if that is empty; `none` unless `b ≤ e ≤ rank`.
`group 1 3 (1,2,3,4) = (1,(2,3),4)`. CuTe `group<b,e>(t)`.
Rust: `razorgirl::HTuple::group` -/
def group {α : Type} (b e : Nat) (t : HTuple α) : Option (HTuple α) :=
  if b ≤ e ∧ e ≤ t.rank then
    some (node (t.children.take b ++
      (if b < e then [node ((t.children.take e).drop b)] else []) ++ t.children.drop e))
  else none

/-- Mode `i` of a list of modes.
Rust: `razorgirl::HTuple::mode` -/
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
`select [2,0] (1,2,3) = (3,1)`. CuTe `select<is…>(t)`.
Rust: `razorgirl::HTuple::select` -/
def select {α : Type} (is : List Nat) (t : HTuple α) : Option (HTuple α) := (modes? t.children is).map node

/-- The modes `[b,e)`, always a tuple; `none` unless `b ≤ e ≤ rank`. `take 1 3 (1,2,3,4) = (2,3)`.
CuTe `take<b,e>(t)`.
Rust: `razorgirl::HTuple::take` -/
def take {α : Type} (b e : Nat) (t : HTuple α) : Option (HTuple α) :=
  if b ≤ e ∧ e ≤ t.rank then some (node ((t.children.take e).drop b)) else none

/-- `x` in place of mode `n`, in place of the whole where that is a leaf; `none` unless `n` is below the rank.
`replace 1 (7,8) (1,2,3) = (1,(7,8),3)`. CuTe `replace<n>(t, x)`.
Rust: `razorgirl::HTuple::replace` -/
def replace {α : Type} (n : Nat) (x : HTuple α) : HTuple α → Option (HTuple α)
  | leaf _ => if n = 0 then some x else none
  | node ts => if n < ts.length then some (node (ts.set n x)) else none

/-! ## Worked examples -/

/-- A flat tuple of numbers.
Rust: `razorgirl::HTuple::flat` -/
def flat {α : Type} (xs : List α) : HTuple α := node (xs.map leaf)

example : (appendTo 4 (leaf 1) (flat [2, 3])).map flatten = some [2, 3, 1, 1] := by decide
example : (group 1 3 (flat [1, 2, 3, 4])).map rank = some 3 := by decide
example : (select [2, 0] (flat [1, 2, 3])).map flatten = some [3, 1] := by decide

end HTuple

end Razorgirl
