module

public import Razorgirl.Spec.Layout.Basic
public import Razorgirl.Spec.LinearLayout.Carry

@[expose] public section

/-!
# The tables of «Modeling Layout Abstractions Using Integer Set Relations», corrected

Table 1 lists linear layouts, table 2 mappings with the layouts that they are. Two rows of table 1 are printed wrongly: the
binary mapping of `zeros` needs three columns, and the mapping of `2d_transpose` is [c0,c1] to [c1,c0].
Source: the paper's tables 1 and 2
-/

namespace Razorgirl

namespace LinearLayout

/-! ## Table 1 -/

/-- Two dimensions of four values on either side. -/
def square (cols : List Nat) : LinearLayout := ⟨[("c0", 2), ("c1", 2)], [("d0", 2), ("d1", 2)], cols⟩

/-- The image of a point of a square, as a pair. -/
def squareAt (cols : List Nat) (c₀ c₁ : Nat) : Nat × Nat :=
  let y := (square cols).eval fun n => if n = "c0" then c₀ else c₁
  (y "d0", y "d1")

/-- All points of a 4 x 4 square. -/
def points : List (Nat × Nat) := (List.range 4).flatMap fun a => (List.range 4).map fun b => (a, b)

-- swizzled: bases (1,1) (2,2) (0,1) (0,2); Swizzle<2,0,-2> of the packed point
example : points.map (fun c => squareAt [5, 10, 4, 8] c.1 c.2) = points.map fun c => (c.1, c.1 ^^^ c.2) := by decide +kernel
example : (List.range 16).map (F2.apply [5, 10, 4, 8]) = (List.range 16).map (Swizzle.apply ⟨2, 0, -2⟩) := by decide +kernel
-- 1d_identity
example : (List.range 8).map (F2.apply [1, 2, 4]) = List.range 8 := by decide +kernel
-- zeros: three columns (the paper prints one output)
example : (zeros1D 3 3 "c" "d").cols = [0, 0, 0] := by decide +kernel
-- 2d_identity
example : points.map (fun c => squareAt [1, 2, 4, 8] c.1 c.2) = points := by decide +kernel
-- 2d_transpose: [c0,c1] to [c1,c0] (the paper prints the identity)
example : points.map (fun c => squareAt [4, 8, 1, 2] c.1 c.2) = points.map fun c => (c.2, c.1) := by decide +kernel
-- 1d_transpose
example : (List.range 16).map (F2.apply [4, 8, 1, 2]) = (List.range 16).map fun c => 4 * (c % 4) + c / 4 := by decide +kernel
-- 2d_broadcast: columns change nothing
example : points.map (fun c => F2.apply [1, 2, 0, 0] (c.1 + 4 * c.2)) = points.map fun c => c.1 := by decide +kernel

/-! ## Table 2 -/

/-- Whether the printed mapping is the layout. -/
def isMapping (L : FlatLayout) (f : Int → Int) : Bool :=
  FlatLayout.offsets L |>.zipIdx.all fun y => f (y.2 : Nat) == (y.1 : Nat)

-- the rows: layout, inverse, left inverse, right inverse, complements, compositions
example : isMapping [⟨4, 2⟩, ⟨2, 1⟩, ⟨2, 8⟩] (fun c => 7 + 2 * c + 6 * (c / 8) + 7 * ((-1 - c) / 4)) = true := by decide +kernel
example : isMapping [⟨2, 4⟩, ⟨4, 1⟩, ⟨2, 8⟩] (fun c => -3 * c + 4 * (c / 8) + 7 * ((1 + c) / 2)) = true := by decide +kernel
example : isMapping [⟨2, 16⟩, ⟨2, 4⟩, ⟨4, 1⟩, ⟨2, 32⟩, ⟨2, 8⟩]
    (fun c => 2 * c - 7 * (c / 4) + 28 * (c / 16) - 56 * (c / 32) + 14 * (c % 2)) = true := by decide +kernel
example : isMapping [⟨8, 4⟩, ⟨4, 1⟩] (fun c => 31 + 4 * c + 31 * ((-1 - c) / 8)) = true := by decide +kernel
example : isMapping [⟨2, 2⟩, ⟨3, 9⟩] (fun c => 2 * c + 5 * (c / 2)) = true := by decide +kernel
example : isMapping [⟨4, 4⟩] (fun c => 4 * c) = true := by decide +kernel
example : isMapping [⟨2, 1⟩, ⟨2, 4⟩, ⟨2, 18⟩] (fun c => -1 + 2 * c + 10 * (c / 4) + (1 + c) % 2) = true := by decide +kernel
example : isMapping [⟨2, 2⟩, ⟨3, 8⟩] (fun c => -2 + 4 * c + 2 * ((1 + c) % 2)) = true := by decide +kernel
example : isMapping [⟨2, 80⟩, ⟨2, 1⟩] (fun c => -79 * c + 159 * ((1 + c) / 2)) = true := by decide +kernel
example : isMapping [⟨2, 9⟩, ⟨3, 5⟩] (fun c => -4 * c + 13 * ((1 + c) / 2)) = true := by decide +kernel
example : isMapping [⟨3, 9⟩] (fun c => 9 * c) = true := by decide +kernel
example : isMapping [⟨4, 8⟩, ⟨4, 2⟩, ⟨2, 16⟩, ⟨2, 1⟩]
    (fun c => 30 + 8 * c + 8 * (c / 16) - 31 * (c / 32) + 30 * ((-1 - c) / 4)) = true := by decide +kernel
-- swizzle(1,2,1) and swizzle(1,2,-1)
example : (List.range 16).map (fun x => (Swizzle.apply ⟨1, 2, 1⟩ x : Int)) =
    (List.range 16).map fun x : Nat => (x : Int) - x % 8 + (x + 4 * (x / 8)) % 8 := by decide +kernel
example : (List.range 16).map (fun x => (Swizzle.apply ⟨1, 2, -1⟩ x : Int)) =
    (List.range 16).map fun x : Nat => -7 + 2 * ((x : Int) % 8) + (7 + x - 2 * (x % 4)) % 16 := by decide +kernel

end LinearLayout

end Razorgirl
