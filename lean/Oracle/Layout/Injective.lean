module

public import Razorgirl.Spec.Layout.Injective
public import Oracle.Args

@[expose] public section

/-!
# Injective layouts
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- Whether the layout is injective, and a collision if it is not. -/
def isInjectiveOp (L : Layout) : Answer :=
  if L.size ≤ 16777216 then
    let pair := match FlatLayout.collision L.modes with
      | some (i, j) => .arr #[natJson i, natJson j]
      | none => .null
    .ok [("result", .bool (FlatLayout.isInjective L.modes)), ("collision", pair)]
  else refuse "too_large" "more than 2^24 coordinates"

end Oracle
