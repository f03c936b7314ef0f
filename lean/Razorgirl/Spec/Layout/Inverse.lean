module

public import Razorgirl.Spec.Layout.Complement

@[expose] public section

/-!
# Inverses

From offsets back to linear indices. A right inverse `R` says where the offsets `0, 1, 2, …` come from
(`L(R(i)) = i`), a left inverse undoes the layout (`R(L(i)) = i`); CuTe `right_inverse`, `left_inverse`,
`nullspace`. A mode of extent `s` that starts at linear index `r` (the product of the extents before it) is undone by a
mode `s:r`. What an inverse is depends on the function alone, so every layout is coalesced first.
-/

namespace Razorgirl

/-- A mode together with the linear index of its first step. -/
structure Start where
  /-- the mode -/
  mode : Mode
  /-- the product of the extents before it -/
  index : Nat
deriving Repr, DecidableEq

namespace FlatLayout

/-- The modes with their linear indices, from `r` on: the running products of the extents (`index_starts`). -/
def starts (r : Nat) : FlatLayout → List Start
  | [] => []
  | m :: L => ⟨m, r⟩ :: starts (r * m.extent) L

/-! ## Right inverse -/

/-- How many offsets a chain of modes covers: the product of the extents. -/
def reach (ps : List Start) : Nat := size (ps.map Start.mode)

/-- A chain of modes, as modes of linear indices. -/
def back (ps : List Start) : FlatLayout := ps.map fun p => ⟨p.mode.extent, p.index⟩

/-- The longest chain of modes whose strides continue `run`: `run, run·s, run·s·t, …`, as modes of linear
indices; among chains of equal reach the one with the earlier mode. At most `n` modes. -/
def longest : (n : Nat) → (run : Nat) → List Start → FlatLayout
  | 0, _, _ => []
  | n + 1, run, ms =>
    ms.foldl (fun best p =>
      if p.mode.stride = run ∧ size best < p.mode.extent * size (longest n (run * p.mode.extent) ms) then
        ⟨p.mode.extent, p.index⟩ :: longest n (run * p.mode.extent) ms
      else best) []

/-- Where the offsets `0, 1, …` come from, as far as whole modes of the coalesced layout reach. -/
def rightInverse (L : FlatLayout) : FlatLayout :=
  coalesce (longest (coalesce L).length 1 (starts 1 (coalesce L)))

/-! ## Left inverse -/

/-- Puts a start before the first one that does not come before it, in the order of modes. -/
def insertStart (p : Start) : List Start → List Start
  | [] => [p]
  | q :: ps => if p.mode.before q.mode then p :: q :: ps else q :: insertStart p ps

/-- Starts in order of (stride, extent). -/
def sortStarts : List Start → List Start
  | [] => []
  | p :: ps => insertStart p (sortStarts ps)

/-- Reads the digits of an offset in the radix of the strides of a sorted list of starts; the strides must
divide in turn, and each mode must end below the next. -/
def undo : List Start → Option FlatLayout
  | [] => some []
  | [p] => some [⟨p.mode.extent, p.index⟩]
  | p :: q :: ps =>
    if q.mode.stride % p.mode.stride = 0 ∧ p.mode.extent * p.mode.stride ≤ q.mode.stride then
      (undo (q :: ps)).map fun R => ⟨q.mode.stride / p.mode.stride, p.index⟩ :: R
    else none

/-- `undo`, with the offsets below the first stride, which no coordinate has, sent to 0. -/
def undoFrom : List Start → Option FlatLayout
  | [] => some []
  | p :: ps =>
    if 0 < p.mode.stride then (undo (p :: ps)).map fun R => coalesce (⟨p.mode.stride, 0⟩ :: R) else none

/-- The starts of the modes of extent above 1. -/
def moving (L : FlatLayout) : List Start := (starts 1 L).filter fun p => p.mode.extent != 1

/-- `R` with `R(L(i)) = i`, for layouts whose sorted strides divide in turn without overlap. -/
def leftInverse (L : FlatLayout) : Option FlatLayout := undoFrom (sortStarts (moving L))

/-- `R` with `L(R(L(i))) = L(i)`: the left inverse of the modes that move the offset. -/
def quasiLeftInverse (L : FlatLayout) : Option FlatLayout :=
  undoFrom (sortStarts ((moving L).filter fun p => p.mode.stride != 0))

/-- The inverse of a bijection onto `[0,size)`. -/
def inverse (L : FlatLayout) : Option FlatLayout :=
  if cosizeFormula L = size L then leftInverse L else none

/-! ## Nullspace -/

/-- The modes of stride 0, as modes of linear indices: `L(K(i)) = 0`. -/
def nullspace (L : FlatLayout) : FlatLayout :=
  ((moving L).filter fun p => p.mode.stride == 0).map fun p => ⟨p.mode.extent, p.index⟩

end FlatLayout

namespace Layout

/-- CuTe `right_inverse(L)`.
Rust: `razorgirl::Layout::right_inverse` -/
def rightInverse (L : Layout) : Layout := (FlatLayout.rightInverse L.modes).nest

/-- The left inverse by whole modes: of layouts whose coalesced strides, sorted, divide in turn without overlap. Others
may have left inverses too, which read offsets in another radix. CuTe `left_inverse(L)`, refused where it would not be
one.
Rust: `razorgirl::Layout::left_inverse` -/
def leftInverse (L : Layout) : Option Layout :=
  (FlatLayout.leftInverse (FlatLayout.coalesce L.modes)).map FlatLayout.nest

/-- A quasi-inverse for layouts that repeat offsets by modes of stride 0.
Rust: `razorgirl::Layout::quasi_left_inverse` -/
def quasiLeftInverse (L : Layout) : Option Layout :=
  (FlatLayout.quasiLeftInverse (FlatLayout.coalesce L.modes)).map FlatLayout.nest

/-- The two-sided inverse of a contiguous layout.
Rust: `razorgirl::Layout::inverse` -/
def inverse (L : Layout) : Option Layout := (FlatLayout.inverse (FlatLayout.coalesce L.modes)).map FlatLayout.nest

/-- CuTe `nullspace(L)`.
Rust: `razorgirl::Layout::nullspace` -/
def nullspace (L : Layout) : Layout := (FlatLayout.nullspace (FlatLayout.coalesce L.modes)).nest

end Layout

end Razorgirl
