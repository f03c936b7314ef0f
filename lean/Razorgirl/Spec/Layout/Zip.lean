module

public import Razorgirl.Spec.IntTuple.Zip
public import Razorgirl.Spec.Layout.Modes

@[expose] public section

/-!
# Rows and columns of the modes of a layout

`HTuple.zip` and `HTuple.unzip`, applied to the tree of modes (CuTe `layout.hpp`).
-/

namespace Razorgirl

namespace Layout

/-- Rows and columns of modes exchanged. CuTe `zip(L)`.
Rust: `razorgirl::Layout::zip` -/
def zip (L : Layout) : Option Layout := onTree HTuple.zip L

/-- Each mode of `A` beside the mode of `B` in its place. CuTe `zip(A, B)`.
Rust: `razorgirl::Layout::zip_with` -/
def zipPair (A B : Layout) : Option Layout := (HTuple.zip (.node [A.tree, B.tree])).map ofTree

/-- The pairs at the leaves of a guide parted. CuTe `tile_unzip(L, guide)`.
Rust: `razorgirl::Layout::unzip` -/
def unzipBy (guide : Profile) (L : Layout) : Option Layout := onTree (HTuple.unzip guide) L

end Layout

end Razorgirl
