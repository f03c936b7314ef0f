module

public import Razorgirl.Spec.Layout.Composition.Refusal
public import Razorgirl.Spec.Layout.WithShape

@[expose] public section

/-!
# Why a layout does not take another shape

It does not compose with the column-major layout of the shape, and is refused so. A coordinate outside means that the shape
is larger than the layout.
-/

namespace Razorgirl

namespace Layout

/-- Why the layout has no such shape for all strides, if it has none.
Rust: `razorgirl::Layout::with_shape` -/
def withShapeRefusal (L : Layout) (shape : IntTuple) : Option CompositionRefusal :=
  compositionRefusal L (columnMajor shape)

/-- Why there is no layout of this shape with the same offsets, if there is none.
Rust: `razorgirl::Layout::with_shape_complete` -/
def withShapeCompleteRefusal (L : Layout) (shape : IntTuple) : Option CompositionRefusal :=
  compositionCompleteRefusal L (columnMajor shape)

-- (2,3):(3,1) as 3 runs from the first mode into the second
example : withShapeRefusal ⟨[⟨2, 3⟩, ⟨3, 1⟩], .node [.leaf (), .leaf ()]⟩ (.leaf 3) = some (.wraps (.axis 0 2)) := by
  decide +kernel

end Layout

end Razorgirl
