module

public import Razorgirl.Spec.Layout.Compact
public import Razorgirl.Spec.Layout.Composition

@[expose] public section

/-!
# The same function under another shape

CuTe `with_shape`: the layout composed with the column-major layout of a shape.
-/

namespace Razorgirl

namespace Layout

/-- The layout with this shape that has the same offset at every linear index; `none` where there is none for all
strides. A smaller shape keeps the first indices. CuTe `L.with_shape(shape)`.
Rust: `razorgirl::Layout::with_shape` -/
def withShape (L : Layout) (shape : IntTuple) : Option Layout := composition L (columnMajor shape)

/-- `withShape` wherever there is such a layout.
Rust: `razorgirl::Layout::with_shape_complete` -/
def withShapeComplete (L : Layout) (shape : IntTuple) : Option Layout := compositionComplete L (columnMajor shape)

end Layout

end Razorgirl
