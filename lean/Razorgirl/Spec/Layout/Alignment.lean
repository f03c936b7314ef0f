module

public import Razorgirl.Spec.Layout.Basic

@[expose] public section

/-!
# Alignment

The blocks of offsets that a layout hits wholly or not at all; CuTe `max_alignment`.
-/

namespace Razorgirl

namespace FlatLayout

/-- The first mode that steps by `run`, and the other modes. -/
def takeRun (run : Nat) : FlatLayout → Option (Mode × FlatLayout)
  | [] => none
  | m :: L =>
    if m.extent ≠ 1 ∧ m.stride = run then some (m, L)
    else (takeRun run L).map fun p => (p.1, m :: p.2)

/-- How many offsets from 0 on are hit by a chain of whole modes, and the modes left over; at most `fuel` modes. -/
def runFrom : (fuel : Nat) → (run : Nat) → FlatLayout → Nat × FlatLayout
  | 0, run, L => (run, L)
  | fuel + 1, run, L =>
    match takeRun run L with
    | some (m, rest) => runFrom fuel (m.extent * run) rest
    | none => (run, L)

/-- The greatest common divisor of `n` and the strides of the modes that move. -/
def gcdStrides (n : Nat) : FlatLayout → Nat
  | [] => n
  | m :: L => gcdStrides (if m.extent = 1 then n else Nat.gcd n m.stride) L

/-- The largest block of which every one is hit wholly or not at all, as far as the chain of strides from 1 on tells:
its length, and what all other strides have in common with it. -/
def maxAlignment (L : FlatLayout) : Nat :=
  gcdStrides (runFrom L.length 1 L).1 (runFrom L.length 1 L).2

end FlatLayout

namespace Layout

/-- CuTe `max_alignment(L)`.
Rust: `razorgirl::Layout::max_alignment` -/
def maxAlignment (L : Layout) : Nat := FlatLayout.maxAlignment L.modes

end Layout

/-! ## Worked examples -/

example : FlatLayout.maxAlignment [⟨3, 3⟩, ⟨8, 9⟩, ⟨3, 1⟩] = 72 ∧ FlatLayout.maxAlignment [⟨8, 1⟩, ⟨3, 12⟩] = 4 := by
  decide

end Razorgirl
