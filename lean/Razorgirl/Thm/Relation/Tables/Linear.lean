module

public import Razorgirl.Spec.Relation.Formula
public import Razorgirl.Spec.Relation.Linear
public import Razorgirl.Spec.Relation.Swizzle

@[expose] public section

/-!
# The paper's Table 1, row by row

Linear layouts, with what is printed of each: the mapping of bits, and that of coordinates. Two rows are printed wrongly.
Source: «Modeling Layout Abstractions Using Integer Set Relations», Table 1
-/

namespace Razorgirl

namespace Relation.Tables
open LinearLayout

/-- **Rows swizzled, 1d_identity, 2d_identity, 1d_transpose and 2d_broadcast: the linear layouts of these bases have the printed
mappings of bits and of coordinates; the swizzled one is Swizzle<2,0,-2>.**
Rust: `razorgirl::LinearLayout::apply`
Source: «Modeling Layout Abstractions Using Integer Set Relations», Table 1 and equation 25 -/
theorem linear :
    (bitRelation ⟨[("c0", 2), ("c1", 2)], [("i0", 2), ("i1", 2)], [5, 10, 4, 8]⟩ =
        formulas [2, 2, 2, 2] (fun | [a, b, c, d] => [a, b, (a + c) % 2, (b + d) % 2] | _ => []) ∧
      pointRelation ⟨[("c0", 2), ("c1", 2)], [("i0", 2), ("i1", 2)], [5, 10, 4, 8]⟩ =
        formulas [4, 4] (fun
          | [a, b] => [a, 1 - a % 2 - (1 + a + b) % 2 + (1 + a + 3 * b - (1 + b) % 2) % 4]
          | _ => []) ∧
      LinearLayout.relation ⟨[("c0", 2), ("c1", 2)], [("i0", 2), ("i1", 2)], [5, 10, 4, 8]⟩ = Swizzle.relation ⟨2, 0, -2⟩ 4) ∧
    (bitRelation ⟨[("c", 3)], [("i", 3)], [1, 2, 4]⟩ = formulas [2, 2, 2] id ∧
      pointRelation ⟨[("c", 3)], [("i", 3)], [1, 2, 4]⟩ = formulas [8] id) ∧
    (bitRelation ⟨[("c0", 2), ("c1", 2)], [("i0", 2), ("i1", 2)], [1, 2, 4, 8]⟩ = formulas [2, 2, 2, 2] id ∧
      pointRelation ⟨[("c0", 2), ("c1", 2)], [("i0", 2), ("i1", 2)], [1, 2, 4, 8]⟩ = formulas [4, 4] id) ∧
    (bitRelation ⟨[("c", 4)], [("i", 4)], [4, 8, 1, 2]⟩ = formulas [2, 2, 2, 2] (fun | [a, b, c, d] => [c, d, a, b] | _ => []) ∧
      pointRelation ⟨[("c", 4)], [("i", 4)], [4, 8, 1, 2]⟩ = formulas [16] (fun | [c] => [15 + 4 * c + 15 * ((-1 - c) / 4)] | _ => [])) ∧
    (bitRelation ⟨[("c0", 2), ("c1", 2)], [("i", 2)], [1, 2, 0, 0]⟩ = formulas [2, 2, 2, 2] (List.take 2) ∧
      pointRelation ⟨[("c0", 2), ("c1", 2)], [("i", 2)], [1, 2, 0, 0]⟩ = formulas [4, 4] (List.take 1)) := by
  refine ⟨⟨?_, ?_, ?_⟩, ⟨?_, ?_⟩, ⟨?_, ?_⟩, ⟨?_, ?_⟩, ?_, ?_⟩ <;> decide +kernel

/-- **Row zeros has three output bits, and row 2d_transpose exchanges the coordinates.**
Rust: `razorgirl::LinearLayout::apply`
Source: «Modeling Layout Abstractions Using Integer Set Relations», Table 1 (repaired: `linear_counterexample`, one output bit and the
identity are printed) -/
theorem linear_repaired :
    (bitRelation ⟨[("c", 3)], [("i", 3)], [0, 0, 0]⟩ = formulas [2, 2, 2] (fun _ => [0, 0, 0]) ∧
      pointRelation ⟨[("c", 3)], [("i", 3)], [0, 0, 0]⟩ = formulas [8] fun _ => [0]) ∧
    (bitRelation ⟨[("c0", 2), ("c1", 2)], [("i0", 2), ("i1", 2)], [4, 8, 1, 2]⟩ =
        formulas [2, 2, 2, 2] (fun | [a, b, c, d] => [c, d, a, b] | _ => []) ∧
      pointRelation ⟨[("c0", 2), ("c1", 2)], [("i0", 2), ("i1", 2)], [4, 8, 1, 2]⟩ =
        formulas [4, 4] (fun | [a, b] => [b, a] | _ => [])) := by
  decide +kernel

/-- What is printed: three bits that go to one, and a transposition that changes nothing. -/
theorem linear_counterexample :
    bitRelation ⟨[("c", 3)], [("i", 3)], [0, 0, 0]⟩ ≠ formulas [2, 2, 2] (fun _ => [0]) ∧
      pointRelation ⟨[("c0", 2), ("c1", 2)], [("i0", 2), ("i1", 2)], [4, 8, 1, 2]⟩ ≠ formulas [4, 4] id := by
  decide +kernel

end Relation.Tables

end Razorgirl
