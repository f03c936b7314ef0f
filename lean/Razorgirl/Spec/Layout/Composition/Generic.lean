module

public import Razorgirl.Spec.Layout.Composition

@[expose] public section

/-!
# For all strides

Strict composition looks at the shape of the outer layout only. So what it accepts and refuses is stated for all
strides of that shape.
-/

namespace Razorgirl

/-- The flat layout of a shape and strides. -/
def FlatLayout.ofShape (M D : List Nat) : FlatLayout := List.zipWith Mode.mk M D

/-- A flat layout as a layout: one tuple of all modes. -/
def Layout.ofFlat (L : FlatLayout) : Layout := ⟨L, .node (L.map fun _ => .leaf ())⟩

/-- `n` powers of `N`, from `b` on: `b, b·N, b·N², …`. -/
def powers (N : Nat) : (b n : Nat) → List Nat
  | _, 0 => []
  | b, n + 1 => b :: powers N (b * N) n

/-- CuTe's strong rule for one mode `s:d` of B, walking the modes of A's coalesced shape: each extent divides the
remaining stride or the stride divides it, and what an extent leaves above the stride divides the remaining
extent, until B's mode is used up. (The static checks of `composition_impl`; the last mode of A is not
checked.) -/
def strongDivisibility : (M : List Nat) → (s d : Nat) → Bool
  | m :: m' :: M, s, d =>
    if s ≤ 1 ∨ d = 0 then true
    else if d % m = 0 then strongDivisibility (m' :: M) s (d / m)
    else if m % d = 0 then
      if s ≤ m / d then true
      else if s % (m / d) = 0 then strongDivisibility (m' :: M) (s / (m / d)) 1
      else false
    else false
  | _, _, _ => true

example : powers 12 1 3 = [1, 12, 144] := by decide
example : strongDivisibility [12, 2] 2 3 = true ∧ strongDivisibility [4, 6, 8] 6 3 = false := by decide

end Razorgirl
