module

public import Razorgirl.Spec.Layout.Composition.By
public import Razorgirl.Spec.Layout.Refusal

@[expose] public section

/-!
# Why compositions, divisions and products by tiler are refused

Each is refused as its operation by a layout is, at a place of the tiler. The zipped, tiled and flat forms are refused as the
form mode by mode is.
-/

namespace Razorgirl

namespace Layout

/-- Why strict composition by tiler refuses, if it does.
Rust: `razorgirl::Layout::composition_by` -/
def compositionByRefusal (A : Layout) (b : Tiler) : Option (TilerRefusal CompositionRefusal) :=
  transformRefusal compositionRefusal b A.tree

/-- Why complete composition by tiler refuses, if it does.
Rust: `razorgirl::Layout::composition_complete_by` -/
def compositionCompleteByRefusal (A : Layout) (b : Tiler) : Option (TilerRefusal CompositionRefusal) :=
  transformRefusal compositionCompleteRefusal b A.tree

/-- Why a division by tiler is refused, in whatever form, if it is.
Rust: `razorgirl::Layout::logical_divide` -/
def divisionByRefusal (A : Layout) (b : Tiler) : Option (TilerRefusal DivisionRefusal) :=
  transformRefusal divisionRefusal b A.tree

/-- Why a product by tiler is refused, in whatever form, if it is.
Rust: `razorgirl::Layout::logical_product` -/
def productByRefusal (A : Layout) (b : Tiler) : Option (TilerRefusal ProductRefusal) :=
  transformRefusal productRefusal b A.tree

-- (8,6):(1,8) by ⟨_,4⟩: tiles of 4 do not fill the second mode; by ⟨2,_,2⟩: there is no third
example : divisionByRefusal ⟨[⟨8, 1⟩, ⟨6, 8⟩], .node [.leaf (), .leaf ()]⟩
    (.modes [.keep, .layout ⟨[⟨4, 1⟩], .leaf ()⟩]) = some (.part [1] (.tile (.uneven 4))) := by decide +kernel
example : divisionByRefusal ⟨[⟨8, 1⟩, ⟨6, 8⟩], .node [.leaf (), .leaf ()]⟩
    (.modes [.layout ⟨[⟨2, 1⟩], .leaf ()⟩, .keep, .layout ⟨[⟨2, 1⟩], .leaf ()⟩]) = some (.longer []) := by decide +kernel

end Layout

end Razorgirl
