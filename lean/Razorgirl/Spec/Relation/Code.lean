module

public import Razorgirl.Spec.Relation.Layout

@[expose] public section

/-!
# Index code

A layout's offset as code computes it. Each coordinate is a quotient of the index and what remains of it; where the quotient is used
whole, the remainder need not be computed: the next quotient pays it back. `(c % 32) + 33*(c / 32)` is `c + (c / 32)`.
-/

namespace Razorgirl.FlatLayout

open Index

/-- The terms of the modes from the one on whose index starts at `P`, where the quotient by `P` also counts `t` times. Of each mode but
the last one `whole` says whether its quotient is used whole. -/
def codeFrom (P : Nat) (t : Int) : (whole : List Bool) → FlatLayout → Expr
  | _, [] => .const 0
  | _, [m] => .mul (.div (.var 0) (.const P)) (.const (m.stride + t))
  | true :: whole, m :: n :: L =>
    .add (.mul (.div (.var 0) (.const P)) (.const (m.stride + t)))
      (codeFrom (P * m.extent) (-(m.extent * m.stride)) whole (n :: L))
  | false :: whole, m :: n :: L =>
    .add (.mul (.mod (.div (.var 0) (.const P)) (.const m.extent)) (.const m.stride))
      (.add (.mul (.div (.var 0) (.const P)) (.const t)) (codeFrom (P * m.extent) 0 whole (n :: L)))
  | [], m :: n :: L =>
    .add (.mul (.mod (.div (.var 0) (.const P)) (.const m.extent)) (.const m.stride))
      (.add (.mul (.div (.var 0) (.const P)) (.const t)) (codeFrom (P * m.extent) 0 [] (n :: L)))

/-- The layout's function of the linear index, with the quotients of these modes used whole.
Rust: `razorgirl::relation::IndexCode` -/
def codeExpr (whole : List Bool) (L : FlatLayout) : Expr := codeFrom 1 0 whole L

-- (32,32):(1,33) is c + (c / 32)
example : codeExpr [true] [⟨32, 1⟩, ⟨32, 33⟩] =
    .add (.mul (.div (.var 0) (.const 1)) (.const 1)) (.mul (.div (.var 0) (.const 32)) (.const 1)) := by decide

end Razorgirl.FlatLayout
