module

public import Razorgirl.Spec.Layout.Basic

@[expose] public section

/-!
# Compact layouts by order

A shape and a rank for each of its modes: the mode of the smallest rank moves fastest, and every stride is the
product of the extents that come before. Equal ranks count from left to right, so a tuple under one rank is
column-major inside, and the layout is a bijection onto `[0, size)` whatever the ranks are. CuTe
`make_ordered_layout`, `compact_order`; in C++ two modes of one rank get the same stride, and overlap.
-/

namespace Razorgirl

namespace FlatLayout

/-- The product of the extents of rank below `r`, and with `ties` of rank `r` as well. -/
def under (ties : Bool) (r : Nat) : (shape order : List Nat) → Nat
  | s :: ss, o :: os => (if o < r || ties && o == r then s else 1) * under ties r ss os
  | _, _ => 1

/-- A mode for each extent: its stride is the product of all extents that come before it, of those to its left
(`ls` with ranks `lo`) with equal ranks too. -/
def orderedFrom (ls lo : List Nat) : (shape order : List Nat) → FlatLayout
  | s :: ss, o :: os =>
    ⟨s, under true o ls lo * under false o ss os⟩ :: orderedFrom (s :: ls) (o :: lo) ss os
  | _, _ => []

/-- The compact layout of a shape by ranks: `ordered [4,2,8] [1,0,2] = [4:2, 2:1, 8:8]`. -/
def ordered (shape order : List Nat) : FlatLayout := normalize (orderedFrom [] [] shape order)

end FlatLayout

namespace Layout
open HTuple

mutual
/-- The rank of each leaf of a shape: a rank over a tuple holds for all its leaves. `none` if the order is nested
deeper than the shape or has another rank somewhere. -/
def ranks : (order shape : IntTuple) → Option (List Nat)
  | .leaf r, s => some (List.replicate s.length r)
  | .node os, .node ss => ranksList os ss
  | .node _, .leaf _ => none
/-- `ranks` mode by mode. -/
def ranksList : (orders shapes : List IntTuple) → Option (List Nat)
  | [], [] => some []
  | o :: os, s :: ss =>
    match ranks o s, ranksList os ss with
    | some x, some y => some (x ++ y)
    | _, _ => none
  | _, _ => none
end

/-- The compact layout of a shape by an order that is nested like it or less. CuTe
`make_ordered_layout(shape, order)`.
Rust: `razorgirl::Layout::ordered` -/
def ordered (shape order : IntTuple) : Option Layout :=
  (ranks order shape).map fun r => ⟨FlatLayout.ordered shape.flatten r, shape.profile⟩

end Layout

/-- The second mode fastest, then the first, then the third. -/
example : FlatLayout.ordered [4, 2, 8] [1, 0, 2] = [⟨4, 2⟩, ⟨2, 1⟩, ⟨8, 8⟩] := by decide
/-- Equal ranks are column-major; C++ answers `(6,9,8,2):(144,1,1,1)`. -/
example : FlatLayout.ordered [6, 9, 8, 2] [1, 0, 0, 0] = [⟨6, 144⟩, ⟨9, 1⟩, ⟨8, 9⟩, ⟨2, 72⟩] := by decide
/-- Only the order of the ranks counts, and extents of 1 take no part. -/
example : FlatLayout.ordered [16, 2, 1, 8] [1, 5, 2, 3] = [⟨16, 1⟩, ⟨2, 128⟩, ⟨1, 0⟩, ⟨8, 16⟩] := by decide

end Razorgirl
