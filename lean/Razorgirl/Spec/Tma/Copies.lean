module

public import Razorgirl.Spec.Tma.Tile

@[expose] public section

/-!
# What copies leave in shared memory

An instruction writes `n` elements in one run, from the place where its tile begins. Copies come in any order.
-/

namespace Razorgirl

namespace Tma
open FlatLayout

/-- Memory after `n` elements were written from `base` on. -/
def writeRun (memory : Nat → Int) (base n : Nat) (data : Nat → Int) : Nat → Int :=
  fun a => if base ≤ a ∧ a < base + n then data (a - base) else memory a

/-- Memory after one copy for each tile of a list, the first of them last; element `x` of tile `y` is `data y x`. -/
def afterCopies (tiles : FlatLayout) (n : Nat) (data : (tile item : Nat) → Int) (memory : Nat → Int) :
    (order : List Nat) → Nat → Int
  | [] => memory
  | y :: ys => writeRun (afterCopies tiles n data memory ys) (atIndex tiles y) n (data y)

/-- Two tiles of 2 at 0 and 4. -/
example : (List.range 7).map (afterCopies [⟨2, 4⟩] 2 (fun y x => 10 * y + x) (fun _ => -1) [0, 1]) =
    [0, 1, -1, -1, 10, 11, -1] := by decide +kernel

end Tma

end Razorgirl
