module

public import Razorgirl.Spec.Layout.Complement
public import Razorgirl.Spec.Layout.Composition
public import Razorgirl.Spec.Layout.Tiler

@[expose] public section

/-!
# Division

`A ⊘ T` reads A in tiles: the tile T is completed to a bijection `(T, C)` of the linear indices of A, and A is
composed with it. Mode 0 runs inside a tile, mode 1 over the tiles (Cecka 3.3.5, «Categorical Foundations» 2.3.8,
CuTe `logical_divide`). Every coordinate of A is met exactly once, so nothing is lost or repeated; where the tile
cannot be completed inside A, the division is refused. CuTe rounds up there and leaves A, or loses elements of
it; rounding up is `logicalDivideCeil` (`Divide/Ceil`), which says what is padding.
-/

namespace Razorgirl

namespace Layout
open HTuple

/-! ## Exact division -/

/-- `(T, C)` with the complement C of T in `[0,N)`: all linear indices below N, those of a tile first. -/
def tiling (T : Layout) (N : Nat) : Option Layout := (complementIn T N).map fun C => concat [T, C]

/-- The division by a layout, with `comp` for composition. -/
def divideWith (comp : Layout → Layout → Option Layout) (A T : Layout) : Option Layout :=
  match tiling T A.size with
  | some I => comp A I
  | none => none

/-- `A ∘ (T, complement(T, size A))`. Complete composition finds no more here
(`logicalDivide_eq_complete`), so shapes alone decide. CuTe `logical_divide(A, T)` with a layout T.
Rust: `razorgirl::Layout::logical_divide` -/
def logicalDivide (A T : Layout) : Option Layout := divideWith composition A T

/-- Mode by mode; `_` and further modes stay. CuTe `logical_divide(A, tiler)`.
Rust: `razorgirl::Layout::logical_divide` -/
def logicalDivideBy (A : Layout) (b : Tiler) : Option Layout := transformBy logicalDivide A b

/-- `((tiles …), (rests …, further modes …))`. CuTe `zipped_divide(A, tiler)`.
Rust: `razorgirl::Layout::zipped_divide` -/
def zippedDivide (A : Layout) (b : Tiler) : Option Layout := arrange zippedForm allRest logicalDivide A b

/-- `((tiles …), rest, …, further mode, …)`. CuTe `tiled_divide(A, tiler)`.
Rust: `razorgirl::Layout::tiled_divide` -/
def tiledDivide (A : Layout) (b : Tiler) : Option Layout := arrange tiledForm allRest logicalDivide A b

/-- `(tile, …, rest, …, further mode, …)`. CuTe `flat_divide(A, tiler)`.
Rust: `razorgirl::Layout::flat_divide` -/
def flatDivide (A : Layout) (b : Tiler) : Option Layout := arrange flatForm allRest logicalDivide A b

/-- `R` is the composite of A with the tile and its complement in the indices of A. -/
def IsDivision (A T R : Layout) : Prop := ∃ I, tiling T A.size = some I ∧ IsComposite A I R

end Layout

/-! ## Which tiles divide -/

/-- Where the modes of a shape begin and end, as linear indices: `boundaries [4,2,8] = [1,4,8,64]`. -/
def boundaries : List Nat → List Nat
  | [] => [1]
  | s :: ss => 1 :: (boundaries ss).map (s * ·)

example : boundaries [4, 2, 8] = [1, 4, 8, 64] := by decide

namespace FlatLayout

/-- Where the modes of `L` and those of `B` of extent above 1 begin and end, one number divides the other. -/
def LinesUp (L B : FlatLayout) : Prop :=
  ∀ P, P ∈ boundaries (shape L) → ∀ m, m ∈ B → 1 < m.extent →
    (P ∣ m.stride ∨ m.stride ∣ P) ∧ (P ∣ m.extent * m.stride ∨ m.extent * m.stride ∣ P)

end FlatLayout

namespace Layout

/-! ## Worked examples -/

/-- CuTe's first example: `(4,2,3):(2,1,8)` by `4:2` is `((2,2),(2,3)):((4,1),(2,8))`. -/
example : (logicalDivide ⟨[⟨4, 2⟩, ⟨2, 1⟩, ⟨3, 8⟩], .node [.leaf (), .leaf (), .leaf ()]⟩
      ⟨[⟨4, 2⟩], .leaf ()⟩).map modes =
    some [⟨2, 4⟩, ⟨2, 1⟩, ⟨2, 2⟩, ⟨3, 8⟩] := by decide +kernel

end Layout

end Razorgirl
