module

public import Razorgirl.Thm.Layout.Divide.Chain
public import Razorgirl.Thm.Layout.Divide.Ceil

@[expose] public section

/-!
# Division: worked examples

The examples of CuTe's documentation and of the papers, and the divisions that pycute, its successor and C++ get
wrong: elements lost, repeated, or padded without saying so.
-/

namespace Razorgirl

namespace Layout
open HTuple

/-- The result is the layout with these modes and this nesting. -/
private def shows (R : Option Layout) (modes : FlatLayout) (profile : Profile) : Bool :=
  match R with
  | some R => decide (R.modes = modes) && congruent R.profile profile
  | none => false

/-- A tuple of leaves. -/
private def row (n : Nat) : Profile := .node (List.replicate n (.leaf ()))

/-! ## The documentation of CuTe -/

/-- `(4,2,3):(2,1,8)` by `4:2`: `((2,2),(2,3)):((4,1),(2,8))`. -/
example : shows (logicalDivide ⟨[⟨4, 2⟩, ⟨2, 1⟩, ⟨3, 8⟩], row 3⟩ ⟨[⟨4, 2⟩], .leaf ()⟩)
      [⟨2, 4⟩, ⟨2, 1⟩, ⟨2, 2⟩, ⟨3, 8⟩] (.node [row 2, row 2]) = true := by decide +kernel

/-- `(9,(4,8)):(59,(13,1))` by `⟨3:3, (2,4):(1,8)⟩`: `((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))`. -/
example : shows (logicalDivideBy ⟨[⟨9, 59⟩, ⟨4, 13⟩, ⟨8, 1⟩], .node [.leaf (), row 2]⟩
      (.modes [.layout ⟨[⟨3, 3⟩], .leaf ()⟩, .layout ⟨[⟨2, 1⟩, ⟨4, 8⟩], row 2⟩]))
      [⟨3, 177⟩, ⟨3, 59⟩, ⟨2, 13⟩, ⟨4, 2⟩, ⟨2, 26⟩, ⟨2, 1⟩] (.node [row 2, .node [row 2, row 2]]) = true := by
  decide +kernel

/-- The same zipped: `((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))`. -/
example : shows (zippedDivide ⟨[⟨9, 59⟩, ⟨4, 13⟩, ⟨8, 1⟩], .node [.leaf (), row 2]⟩
      (.modes [.layout ⟨[⟨3, 3⟩], .leaf ()⟩, .layout ⟨[⟨2, 1⟩, ⟨4, 8⟩], row 2⟩]))
      [⟨3, 177⟩, ⟨2, 13⟩, ⟨4, 2⟩, ⟨3, 59⟩, ⟨2, 26⟩, ⟨2, 1⟩]
        (.node [.node [.leaf (), row 2], .node [.leaf (), row 2]]) = true := by
  decide +kernel

/-- Tiled `((3,(2,4)),3,(2,2))` and flat `(3,(2,4),3,(2,2))`, with the same modes. -/
example : shows (tiledDivide ⟨[⟨9, 59⟩, ⟨4, 13⟩, ⟨8, 1⟩], .node [.leaf (), row 2]⟩
        (.modes [.layout ⟨[⟨3, 3⟩], .leaf ()⟩, .layout ⟨[⟨2, 1⟩, ⟨4, 8⟩], row 2⟩]))
      [⟨3, 177⟩, ⟨2, 13⟩, ⟨4, 2⟩, ⟨3, 59⟩, ⟨2, 26⟩, ⟨2, 1⟩]
        (.node [.node [.leaf (), row 2], .leaf (), row 2]) = true ∧
    shows (flatDivide ⟨[⟨9, 59⟩, ⟨4, 13⟩, ⟨8, 1⟩], .node [.leaf (), row 2]⟩
        (.modes [.layout ⟨[⟨3, 3⟩], .leaf ()⟩, .layout ⟨[⟨2, 1⟩, ⟨4, 8⟩], row 2⟩]))
      [⟨3, 177⟩, ⟨2, 13⟩, ⟨4, 2⟩, ⟨3, 59⟩, ⟨2, 26⟩, ⟨2, 1⟩] (.node [.leaf (), row 2, .leaf (), row 2]) = true := by
  decide +kernel

/-- Further modes are rests, and so is a mode under `_`; its tile is `1:0`. pycute agrees; C++ takes two sub-modes of
such a mode for tile and rest: `(3,2):(2,1)` under `_` beside `3:6` becomes `((3),(2,3))` there. -/
example : shows (zippedDivide ⟨[⟨3, 2⟩, ⟨2, 1⟩, ⟨3, 6⟩], .node [row 2, .leaf ()]⟩ (.modes [.keep]))
      [⟨1, 0⟩, ⟨3, 2⟩, ⟨2, 1⟩, ⟨3, 6⟩] (.node [row 1, .node [row 2, .leaf ()]]) = true := by decide +kernel

/-- A tuple of one rest stays a tuple, as in C++; pycute unwraps it: `8:1` by `⟨2⟩` is `((2),(4))` in all three
forms. -/
example : shows (flatDivide ⟨[⟨8, 1⟩], .leaf ()⟩ (.modes [.layout ⟨[⟨2, 1⟩], .leaf ()⟩]))
      [⟨2, 1⟩, ⟨4, 2⟩] (.node [row 1, row 1]) = true ∧
    shows (tiledDivide ⟨[⟨8, 1⟩], .leaf ()⟩ (.modes [.layout ⟨[⟨2, 1⟩], .leaf ()⟩]))
      [⟨2, 1⟩, ⟨4, 2⟩] (.node [row 1, row 1]) = true := by decide +kernel

/-! ## The papers -/

/-- `(4,8):(1,4)` by `(2,2):(1,4)`, by `(2,2):(4,1)` and by `(2,4):(2,4)`. -/
example : shows (logicalDivide ⟨[⟨4, 1⟩, ⟨8, 4⟩], row 2⟩ ⟨[⟨2, 1⟩, ⟨2, 4⟩], row 2⟩)
      [⟨2, 1⟩, ⟨2, 4⟩, ⟨2, 2⟩, ⟨4, 8⟩] (.node [row 2, row 2]) = true ∧
    shows (logicalDivide ⟨[⟨4, 1⟩, ⟨8, 4⟩], row 2⟩ ⟨[⟨2, 4⟩, ⟨2, 1⟩], row 2⟩)
      [⟨2, 4⟩, ⟨2, 1⟩, ⟨2, 2⟩, ⟨4, 8⟩] (.node [row 2, row 2]) = true ∧
    shows (logicalDivide ⟨[⟨4, 1⟩, ⟨8, 4⟩], row 2⟩ ⟨[⟨2, 2⟩, ⟨4, 4⟩], row 2⟩)
      [⟨2, 2⟩, ⟨4, 4⟩, ⟨2, 1⟩, ⟨2, 16⟩] (.node [row 2, row 2]) = true := by decide +kernel

/-- `(4,6):(1,40)` by `6:4`, and `(64,32):(32,1)` by `(4,4):(1,64)`. -/
example : shows (logicalDivide ⟨[⟨4, 1⟩, ⟨6, 40⟩], row 2⟩ ⟨[⟨6, 4⟩], .leaf ()⟩)
      [⟨6, 40⟩, ⟨4, 1⟩] (row 2) = true ∧
    shows (logicalDivide ⟨[⟨64, 32⟩, ⟨32, 1⟩], row 2⟩ ⟨[⟨4, 1⟩, ⟨4, 64⟩], row 2⟩)
      [⟨4, 32⟩, ⟨4, 1⟩, ⟨16, 128⟩, ⟨8, 4⟩] (.node [row 2, row 2]) = true := by decide +kernel

/-- `(4,6,2,4,2,5):(36,1,18,0,0,144)` by `(4,10):(1,192)`: A may repeat offsets; every one is kept. -/
example : shows (logicalDivide ⟨[⟨4, 36⟩, ⟨6, 1⟩, ⟨2, 18⟩, ⟨4, 0⟩, ⟨2, 0⟩, ⟨5, 144⟩], row 6⟩
      ⟨[⟨4, 1⟩, ⟨10, 192⟩], row 2⟩)
      [⟨4, 36⟩, ⟨2, 0⟩, ⟨5, 144⟩, ⟨6, 1⟩, ⟨2, 18⟩, ⟨4, 0⟩] (.node [.node [.leaf (), row 2], row 3]) = true := by
  decide +kernel

/-! ## Refused, where others lose or repeat elements -/

/-- `(2,6):(1,2)` is `12:1`; by `3:1` it has 4 tiles. NVlabs' pycute answers `(3,3):(1,3)`, 9 of 12 elements. -/
example : shows (logicalDivide ⟨[⟨2, 1⟩, ⟨6, 2⟩], row 2⟩ ⟨[⟨3, 1⟩], .leaf ()⟩)
      [⟨3, 1⟩, ⟨4, 3⟩] (row 2) = true := by decide +kernel

/-- `(9,4):(2,18)` by `12:1`: 3 tiles. NVlabs' pycute answers `(12,2):(2,24)`, 24 of 36 elements. -/
example : shows (logicalDivide ⟨[⟨9, 2⟩, ⟨4, 18⟩], row 2⟩ ⟨[⟨12, 1⟩], .leaf ()⟩)
      [⟨12, 2⟩, ⟨3, 24⟩] (row 2) = true := by decide +kernel

/-- Tiles that repeat an index: pycute answers layouts of size 0, `((2,4),(0,2)):((4,2),(8,8))` for the first. -/
example : (logicalDivide ⟨[⟨8, 2⟩], .leaf ()⟩ ⟨[⟨2, 2⟩, ⟨4, 1⟩], row 2⟩).isNone = true ∧
    (logicalDivide ⟨[⟨8, 2⟩], .leaf ()⟩ ⟨[⟨4, 1⟩, ⟨2, 1⟩], row 2⟩).isNone = true ∧
    (logicalDivide ⟨[⟨4, 2⟩], .leaf ()⟩ ⟨[⟨4, 1⟩, ⟨4, 1⟩], row 2⟩).isNone = true := by decide +kernel

/-- A tile with every index once that still leaves gaps no copy fills: pycute answers `((5,3),(3,0))`, size 0. -/
example : FlatLayout.isInjective [⟨5, 3⟩, ⟨3, 5⟩] = true ∧
    (logicalDivide ⟨[⟨15, 4⟩], .leaf ()⟩ ⟨[⟨5, 3⟩, ⟨3, 5⟩], row 2⟩).isNone = true := by decide +kernel

/-- A tile longer than the layout: pycute answers `(4,1):(0,0)` for `1:1` by `4:1`, and `((16,4),1)` for `1:1` by
`(16,4):(4,1)`. -/
example : (logicalDivide ⟨[⟨1, 0⟩], .leaf ()⟩ ⟨[⟨4, 1⟩], .leaf ()⟩).isNone = true ∧
    (logicalDivide ⟨[⟨1, 0⟩], .leaf ()⟩ ⟨[⟨16, 4⟩, ⟨4, 1⟩], row 2⟩).isNone = true := by decide +kernel

/-- `(6,4):(1,7)` by `4:1` tiles the indices, but 6 and 4 do not line up; by `3:1` and by `12:1` they do. -/
example : (tiling ⟨[⟨4, 1⟩], .leaf ()⟩ 24).isSome = true ∧
    (logicalDivide ⟨[⟨6, 1⟩, ⟨4, 7⟩], row 2⟩ ⟨[⟨4, 1⟩], .leaf ()⟩).isNone = true ∧
    (logicalDivide ⟨[⟨6, 1⟩, ⟨4, 7⟩], row 2⟩ ⟨[⟨3, 1⟩], .leaf ()⟩).isSome = true ∧
    (logicalDivide ⟨[⟨6, 1⟩, ⟨4, 7⟩], row 2⟩ ⟨[⟨12, 1⟩], .leaf ()⟩).isSome = true := by decide +kernel

/-! ## With padding -/

/-- 10 elements in tiles of 4 (C++ gives the same 12 coordinates and does not say that two are padding). -/
example : shows (logicalDivideCeil ⟨[⟨10, 1⟩], .leaf ()⟩ ⟨[⟨4, 1⟩], .leaf ()⟩) [⟨4, 1⟩, ⟨3, 4⟩] (row 2) = true ∧
    (ceilPartsBy ⟨[⟨10, 1⟩], .leaf ()⟩ (.layout ⟨[⟨4, 1⟩], .leaf ()⟩)).map (List.map fun p => (p.1.modes, p.2)) =
      some [([⟨4, 1⟩, ⟨3, 4⟩], 10)] := by decide +kernel

/-- A tile longer than the layout: one tile, partly padding. -/
example : shows (logicalDivideCeil ⟨[⟨4, 3⟩], .leaf ()⟩ ⟨[⟨6, 1⟩], .leaf ()⟩)
      [⟨6, 3⟩, ⟨1, 0⟩] (row 2) = true := by decide +kernel

/-- A single element in a tile of 4: its offset repeated. -/
example : shows (logicalDivideCeil ⟨[⟨1, 0⟩], .leaf ()⟩ ⟨[⟨4, 1⟩], .leaf ()⟩)
      [⟨4, 0⟩, ⟨1, 0⟩] (row 2) = true := by decide +kernel

/-- Mode by mode: 5 rows in tiles of 2, 8 columns in tiles of 3. -/
example : shows (logicalDivideCeilBy ⟨[⟨5, 1⟩, ⟨8, 5⟩], row 2⟩
        (.modes [.layout ⟨[⟨2, 1⟩], .leaf ()⟩, .layout ⟨[⟨3, 1⟩], .leaf ()⟩]))
      [⟨2, 1⟩, ⟨3, 2⟩, ⟨3, 5⟩, ⟨3, 15⟩] (.node [row 2, row 2]) = true ∧
    (ceilPartsBy ⟨[⟨5, 1⟩, ⟨8, 5⟩], row 2⟩
        (.modes [.layout ⟨[⟨2, 1⟩], .leaf ()⟩, .layout ⟨[⟨3, 1⟩], .leaf ()⟩])).map
        (List.map fun p => (p.1.modes, p.2)) =
      some [([⟨2, 1⟩, ⟨3, 2⟩], 5), ([⟨3, 1⟩, ⟨3, 3⟩], 8)] := by decide +kernel

/-- `8:1` by `3:1`: pycute and C++ answer 9 coordinates without saying that one is padding. -/
example : (logicalDivide ⟨[⟨8, 1⟩], .leaf ()⟩ ⟨[⟨3, 1⟩], .leaf ()⟩).isNone = true ∧
    shows (logicalDivideCeil ⟨[⟨8, 1⟩], .leaf ()⟩ ⟨[⟨3, 1⟩], .leaf ()⟩) [⟨3, 1⟩, ⟨3, 3⟩] (row 2) = true := by
  decide +kernel

end Layout

end Razorgirl
