module

public import Razorgirl.Spec.Layout.Sort

@[expose] public section

/-!
# Layouts of larger and smaller elements

`n` neighbouring elements as one (`upcast`), one as `n` (`downcast`), and both for element types of any two sizes
(`recast`): CuTe `upcast<n>`, `downcast<n>`, `recast_layout<Old,New>`. What counts is bits: the answer reaches those of
the layout, each as often. C++ checks strides only, so that there 1 byte becomes 4 (`upcast<4>(1:1) = 1:1`); what makes
no whole elements is refused here. `upcastContaining` answers the element that contains each, for layouts that reach
elements in part on purpose.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Bits -/

/-- The parts of elements of size `n` at these offsets: `n·o, n·o + 1, …, n·o + n-1` of each. With bits as parts and
offsets with repetition these are the bits that a layout reaches, with multiplicity. -/
def partsOf (n : Nat) (offsets : List Nat) : List Nat :=
  offsets.flatMap fun o => (List.range n).map fun r => n * o + r

/-- A coordinate divided by a number for each mode. -/
def divideCoord : (steps coord : List Nat) → List Nat
  | t :: ts, c :: cs => c / t :: divideCoord ts cs
  | _, _ => []

/-- Each extent is so many steps in one element, times the extent in elements. -/
def Splits : (shape steps elements : List Nat) → Prop
  | [], [], [] => True
  | s :: ss, t :: ts, u :: us => s = t * u ∧ Splits ss ts us
  | _, _, _ => False

/-! ## Larger elements -/

/-- The mode steps inside an element of `n`: it moves, and its stride is no multiple of `n`. -/
def inside (n : Nat) (m : Mode) : Bool := m.extent != 1 && m.stride % n != 0

/-- The steps of the mode fill whole elements. -/
def fills (n : Nat) (m : Mode) : Bool := n % m.stride == 0 && m.extent % (n / m.stride) == 0

/-- A mode that steps inside an element fills whole elements, or all its steps together divide one. -/
def fits (n : Nat) (m : Mode) : Bool := !inside n m || fills n m || n % (m.extent * m.stride) == 0

/-- How many steps of a mode lie in one element. -/
def steps (n : Nat) (m : Mode) : Nat :=
  if inside n m then if fills n m then n / m.stride else m.extent else 1

/-- The mode in elements of `n`. -/
def upcastMode (n : Nat) (m : Mode) : Mode :=
  ⟨m.extent / steps n m, if m.extent = steps n m then 0 else if inside n m then 1 else m.stride / n⟩

/-- The steps inside an element, as modes. -/
def within (n : Nat) (L : FlatLayout) : FlatLayout :=
  (List.filter (inside n) L).map fun m => ⟨steps n m, m.stride⟩

/-- The strides are `run`, `run` times the first extent, and so on up to `n`: such modes count off `run, 2·run, … < n`. -/
def countsTo (n : Nat) : (run : Nat) → FlatLayout → Bool
  | run, [] => run == n
  | run, m :: L => m.stride == run && countsTo n (run * m.extent) L

/-- The layout of elements that hold `n`. `none` if a mode takes steps that neither fill elements nor divide one, or if
the steps inside an element do not count off its `n` parts. -/
def upcast (n : Nat) (L : FlatLayout) : Option FlatLayout :=
  if 0 < n ∧ L.all (fits n) = true ∧ countsTo n 1 (sort (within n L)) = true then some (L.map (upcastMode n)) else none

/-- The element of `n` that contains each offset. `none` if a mode steps inside an element. -/
def upcastContaining (n : Nat) (L : FlatLayout) : Option FlatLayout :=
  if 0 < n ∧ L.any (inside n) = false then
    some (L.map fun m => ⟨m.extent, if m.extent = 1 then 0 else m.stride / n⟩)
  else none

/-! ## Smaller elements -/

/-- The mode steps from neighbour to neighbour. -/
def adjacent (m : Mode) : Bool := m.extent != 1 && m.stride == 1

/-- The mode has a single coordinate. -/
def single (m : Mode) : Bool := m.extent == 1

/-- How many modes are of a kind. -/
def countOf (kind : Mode → Bool) : FlatLayout → Nat
  | [] => 0
  | m :: L => (if kind m then 1 else 0) + countOf kind L

/-- Every step `n` times as far, the modes of a kind `n` times as long instead, step by step. -/
def parts (n : Nat) (kind : Mode → Bool) (L : FlatLayout) : FlatLayout :=
  L.map fun m => if kind m then ⟨m.extent * n, 1⟩ else ⟨m.extent, if m.extent = 1 then 0 else n * m.stride⟩

/-- The mode in which the parts of an element lie: the only one of stride 1, else the only one of extent 1. `none` if
there are several, or none at all. -/
def partMode (L : FlatLayout) : Option (Mode → Bool) :=
  if countOf adjacent L = 1 then some adjacent
  else if countOf adjacent L = 0 ∧ countOf single L = 1 then some single
  else none

/-- The layout of the `n`-th parts of elements. `none` if it is not said in which mode they lie. -/
def downcast (n : Nat) (L : FlatLayout) : Option FlatLayout :=
  if n = 0 then none else if n = 1 then some L else (partMode L).map fun kind => parts n kind L

/-- The element of a part: the coordinate in the modes where parts lie divided by `n`. -/
def wholeCoord (n : Nat) (kind : Mode → Bool) : FlatLayout → (coord : List Nat) → List Nat
  | m :: L, c :: cs => (if kind m then c / n else c) :: wholeCoord n kind L cs
  | _, _ => []

/-- Which part of its element a coordinate is. -/
def partOf (n : Nat) (kind : Mode → Bool) : FlatLayout → (coord : List Nat) → Nat
  | m :: L, c :: cs => (if kind m then c % n else 0) + partOf n kind L cs
  | _, _ => 0

/-! ## Any two sizes -/

/-- Elements of size `old` read as elements of size `new`: first larger ones, then parts of these. -/
def recast (old new : Nat) (L : FlatLayout) : Option FlatLayout :=
  match upcast (new / Nat.gcd old new) L with
  | some U => downcast (old / Nat.gcd old new) U
  | none => none

/-- The element of size `new` that contains each of size `old`. `none` if an element of size `new` holds no whole number
of those of size `old`, or a mode steps inside one. -/
def recastContaining (old new : Nat) (L : FlatLayout) : Option FlatLayout :=
  if 0 < old ∧ new % old = 0 then upcastContaining (new / old) L else none

end FlatLayout

namespace Layout

/-- CuTe `upcast<n>(L)`.
Rust: `razorgirl::Layout::upcast` -/
def upcast (n : Nat) (L : Layout) : Option Layout := (FlatLayout.upcast n L.modes).map fun modes => ⟨modes, L.profile⟩

/-- CuTe `upcast<n>(L)` where no mode steps inside an element.
Rust: `razorgirl::Layout::upcast_containing` -/
def upcastContaining (n : Nat) (L : Layout) : Option Layout :=
  (FlatLayout.upcastContaining n L.modes).map fun modes => ⟨modes, L.profile⟩

/-- CuTe `downcast<n>(L)`.
Rust: `razorgirl::Layout::downcast` -/
def downcast (n : Nat) (L : Layout) : Option Layout :=
  (FlatLayout.downcast n L.modes).map fun modes => ⟨modes, L.profile⟩

/-- CuTe `recast_layout<Old,New>(L)`, for elements of `old` and `new` bits.
Rust: `razorgirl::Layout::recast` -/
def recast (old new : Nat) (L : Layout) : Option Layout :=
  (FlatLayout.recast old new L.modes).map fun modes => ⟨modes, L.profile⟩

/-- CuTe `recast_layout<Old,New>(L)` where no mode steps inside an element.
Rust: `razorgirl::Layout::recast_containing` -/
def recastContaining (old new : Nat) (L : Layout) : Option Layout :=
  (FlatLayout.recastContaining old new L.modes).map fun modes => ⟨modes, L.profile⟩

end Layout

/-! ## Worked examples -/

/-- 64 by 32 bytes, in words of 4 bytes and back. -/
example : FlatLayout.upcast 4 [⟨64, 1⟩, ⟨32, 64⟩] = some [⟨16, 1⟩, ⟨32, 16⟩] ∧
    FlatLayout.downcast 4 [⟨16, 1⟩, ⟨32, 16⟩] = some [⟨64, 1⟩, ⟨32, 64⟩] := by decide +kernel
/-- Two modes that make an element together. -/
example : FlatLayout.upcast 4 [⟨2, 1⟩, ⟨2, 2⟩] = some [⟨1, 0⟩, ⟨1, 0⟩] := by decide +kernel
/-- 4 elements are no whole number of threes; C++ answers `2:1`. -/
example : FlatLayout.upcast 3 [⟨4, 1⟩] = none := by decide +kernel
/-- Elements of 3 run across the modes of 2 by 3: no answer has this nesting, and the coalesced layout has one. -/
example : FlatLayout.upcast 3 [⟨2, 1⟩, ⟨3, 2⟩] = none ∧ FlatLayout.upcast 3 [⟨6, 1⟩] = some [⟨2, 1⟩] := by decide +kernel
/-- One byte is no word, and neither are two. -/
example : FlatLayout.upcast 4 [⟨1, 1⟩] = none ∧ FlatLayout.upcast 4 [⟨2, 1⟩] = none := by decide +kernel
/-- Coordinate `(3,1)` has offset 5, which lies in the second element; C++ knows one element only. -/
example : FlatLayout.upcast 4 [⟨4, 1⟩, ⟨2, 2⟩] = none := by decide +kernel
/-- Accumulators in every second half of words: no whole words, but each lies in one. -/
example : FlatLayout.upcast 2 [⟨128, 64⟩, ⟨32, 2⟩] = none ∧
    FlatLayout.upcastContaining 2 [⟨128, 64⟩, ⟨32, 2⟩] = some [⟨128, 32⟩, ⟨32, 1⟩] := by decide +kernel
/-- Two modes of stride 1: C++ makes both longer. -/
example : FlatLayout.downcast 2 [⟨4, 1⟩, ⟨4, 1⟩] = none := by decide +kernel
/-- Elements of 3 bits as elements of 2. -/
example : FlatLayout.recast 3 2 [⟨8, 1⟩, ⟨4, 8⟩] = some [⟨12, 1⟩, ⟨4, 12⟩] := by decide +kernel
/-- 3 bits are no 8; C++ answers `3:1`, which has 24. -/
example : FlatLayout.recast 3 8 [⟨1, 1⟩] = none := by decide +kernel

end Razorgirl
