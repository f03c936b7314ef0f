module

public import Razorgirl.Spec.Layout.Composition

@[expose] public section

/-!
# Composition beyond the domain

Where the inner layout reaches past the outer one, CuTe lets the last mode of the outer one grow without saying so.
`compositionExtended` does that under its own name.
-/

namespace Razorgirl

namespace Layout

/-- The last mode of extent above 1 made so long that the layout has at least `n` coordinates. -/
def growLast (n : Nat) : FlatLayout → Option FlatLayout
  | [] => none
  | m :: A =>
    match growLast (Division.ceilDiv n m.extent) A with
    | some A' => some (m :: A')
    | none => if m.extent ≤ 1 then none else some (⟨n, m.stride⟩ :: A)

/-- The composite, with the last mode of A grown where B reaches past it.
Rust: `razorgirl::Layout::composition_extended` -/
def compositionExtended (A B : Layout) : Option Layout :=
  if FlatLayout.cosizeFormula B.modes ≤ A.size then composition A B
  else
    match growLast (FlatLayout.cosizeFormula B.modes) A.modes with
    | some modes => composition ⟨modes, A.profile⟩ B
    | none => none

end Layout

end Razorgirl
