module

public import Razorgirl.Spec.Layout.FindOver

@[expose] public section

/-!
# Layouts as layouts with a sign

The layouts of the protocol have natural numbers as strides. Here they are read as integers, so that one search serves both.
-/

namespace Razorgirl

namespace FindOver
open HTuple

/-- A mode with its stride as an integer. -/
def withSign (m : Mode) : Nat × Int := (m.extent, (m.stride : Int))

/-- Modes with their strides as integers. -/
def withSigns (L : FlatLayout) : Stride.Modes Int := L.map withSign

/-- The nested view of a layout, strides as integers. -/
def signedTree (R : Layout) : HTuple (Nat × Int) := R.tree.map withSign

example : withSigns [⟨2, 3⟩] = [(2, 3)] := rfl

end FindOver

end Razorgirl
