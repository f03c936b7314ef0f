module

public import Razorgirl.Spec.Layout.Basic

@[expose] public section

/-!
# Layouts of larger and smaller elements

`n` neighbouring elements as one (`upcast`), one as `n` (`downcast`), and both for element types of any two sizes
(`recast`): CuTe `upcast<n>`, `downcast<n>`, `recast_layout<Old,New>`. The law: the element that holds the offset `o`
is `o / n`. C++ checks strides only; extents that do not divide are rounded up there, and modes that together step
past an element, or two modes of stride 1, give offsets that are wrong. All of these are refused here.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Larger elements -/

/-- The mode steps inside an element of `n`: it moves, and its stride is no multiple of `n`. -/
def inside (n : Nat) (m : Mode) : Bool := m.extent != 1 && m.stride % n != 0

/-- How many steps of a mode make an element of `n`. -/
def steps (n : Nat) (m : Mode) : Nat := if inside n m then n / m.stride else 1

/-- A mode in elements of `n`. `none` if its stride neither divides `n` nor is a multiple, or if its extent neither
divides the steps of an element nor is a multiple. -/
def upcastMode (n : Nat) (m : Mode) : Option Mode :=
  if inside n m then
    if n % m.stride = 0 then
      if m.extent % (n / m.stride) = 0 then
        some ⟨m.extent / (n / m.stride), if m.extent = n / m.stride then 0 else 1⟩
      else if (n / m.stride) % m.extent = 0 then some ⟨1, 0⟩
      else none
    else none
  else some ⟨m.extent, if m.extent = 1 then 0 else m.stride / n⟩

/-- `upcastMode` for all modes. -/
def upcastModes (n : Nat) : FlatLayout → Option FlatLayout
  | [] => some []
  | m :: L =>
    match upcastMode n m, upcastModes n L with
    | some m', some L' => some (m' :: L')
    | _, _ => none

/-- How far the modes step inside an element, together. -/
def span (n : Nat) : FlatLayout → Nat
  | [] => 0
  | m :: L => (if inside n m then (min m.extent (n / m.stride) - 1) * m.stride else 0) + span n L

/-- No mode steps inside an element, or one of them fills it. -/
def fills (n : Nat) (L : FlatLayout) : Bool :=
  !L.any (inside n) || L.any fun m => inside n m && m.extent % (n / m.stride) == 0

/-- The layout of elements that hold `n`. `none` if a mode or the modes together do not make whole elements. -/
def upcast (n : Nat) (L : FlatLayout) : Option FlatLayout :=
  if 0 < n ∧ span n L < n ∧ fills n L = true then upcastModes n L else none

/-- The coordinate of the element that holds this one. -/
def unitCoord (n : Nat) : FlatLayout → (coord : List Nat) → List Nat
  | m :: L, c :: cs => c / steps n m :: unitCoord n L cs
  | _, _ => []

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

/-- The mode in which the parts of an element lie: the one of stride 1, else the one of extent 1. `none` if there are
several, or none at all. -/
def partMode (L : FlatLayout) : Option (Mode → Bool) :=
  if countOf adjacent L = 1 then some adjacent
  else if countOf adjacent L = 0 ∧ countOf single L = 1 then some single
  else none

/-- The layout of the `n`-th parts of elements. `none` if it is not said in which mode they lie. -/
def downcast (n : Nat) (L : FlatLayout) : Option FlatLayout :=
  if n = 0 then none else if n = 1 then some L else (partMode L).map fun kind => parts n kind L

/-! ## Any two sizes -/

/-- Elements of size `old` read as elements of size `new`: first larger ones, then parts of these. -/
def recast (old new : Nat) (L : FlatLayout) : Option FlatLayout :=
  match upcast (new / Nat.gcd old new) L with
  | some U => downcast (old / Nat.gcd old new) U
  | none => none

/-! ## Alignment -/

/-- The first mode that steps by `run`, and the other modes. -/
def takeRun (run : Nat) : FlatLayout → Option (Mode × FlatLayout)
  | [] => none
  | m :: L =>
    if m.extent ≠ 1 ∧ m.stride = run then some (m, L)
    else (takeRun run L).map fun p => (p.1, m :: p.2)

/-- How many offsets from 0 on are hit by a chain of whole modes, and the modes left over; at most `fuel` modes. -/
def runFrom : (fuel : Nat) → (run : Nat) → FlatLayout → Nat × FlatLayout
  | 0, run, L => (run, L)
  | fuel + 1, run, L =>
    match takeRun run L with
    | some (m, rest) => runFrom fuel (m.extent * run) rest
    | none => (run, L)

/-- The greatest common divisor of `n` and the strides of the modes that move. -/
def gcdStrides (n : Nat) : FlatLayout → Nat
  | [] => n
  | m :: L => gcdStrides (if m.extent = 1 then n else Nat.gcd n m.stride) L

/-- The largest block of which every one is hit wholly or not at all, as far as the chain of strides from 1 on tells:
its length, and what all other strides have in common with it. -/
def maxAlignment (L : FlatLayout) : Nat :=
  gcdStrides (runFrom L.length 1 L).1 (runFrom L.length 1 L).2

end FlatLayout

namespace Layout

/-- CuTe `upcast<n>(L)`. -/
def upcast (n : Nat) (L : Layout) : Option Layout := (FlatLayout.upcast n L.modes).map fun modes => ⟨modes, L.profile⟩

/-- CuTe `downcast<n>(L)`. -/
def downcast (n : Nat) (L : Layout) : Option Layout :=
  (FlatLayout.downcast n L.modes).map fun modes => ⟨modes, L.profile⟩

/-- CuTe `recast_layout<Old,New>(L)`, for elements of `old` and `new` bits. -/
def recast (old new : Nat) (L : Layout) : Option Layout :=
  (FlatLayout.recast old new L.modes).map fun modes => ⟨modes, L.profile⟩

/-- CuTe `max_alignment(L)`. -/
def maxAlignment (L : Layout) : Nat := FlatLayout.maxAlignment L.modes

end Layout

/-! ## Worked examples -/

/-- 64 by 32 bytes, in words of 4 bytes and back. -/
example : FlatLayout.upcast 4 [⟨64, 1⟩, ⟨32, 64⟩] = some [⟨16, 1⟩, ⟨32, 16⟩] ∧
    FlatLayout.downcast 4 [⟨16, 1⟩, ⟨32, 16⟩] = some [⟨64, 1⟩, ⟨32, 64⟩] := by decide
/-- Two modes that make an element together. -/
example : FlatLayout.upcast 4 [⟨2, 1⟩, ⟨2, 2⟩] = some [⟨1, 0⟩, ⟨1, 0⟩] := by decide
/-- 4 elements are no whole number of threes; C++ answers `2:1`. -/
example : FlatLayout.upcast 3 [⟨4, 1⟩] = none := by decide
/-- Coordinate `(3,1)` has offset 5, which lies in the second element; C++ knows one element only. -/
example : FlatLayout.upcast 4 [⟨4, 1⟩, ⟨2, 2⟩] = none := by decide
/-- Two modes of stride 1: C++ makes both longer. -/
example : FlatLayout.downcast 2 [⟨4, 1⟩, ⟨4, 1⟩] = none := by decide
/-- Elements of 3 bits as elements of 2. -/
example : FlatLayout.recast 3 2 [⟨8, 1⟩, ⟨4, 8⟩] = some [⟨12, 1⟩, ⟨4, 12⟩] := by decide
example : FlatLayout.maxAlignment [⟨3, 3⟩, ⟨8, 9⟩, ⟨3, 1⟩] = 72 ∧ FlatLayout.maxAlignment [⟨8, 1⟩, ⟨3, 12⟩] = 4 := by
  decide

end Razorgirl
