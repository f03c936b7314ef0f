module

public import Razorgirl.Spec.Layout.Basic

@[expose] public section

/-!
# Collisions

Two linear indices with the same offset: the witness that a layout is not injective, and what a race on shared
memory looks like.
-/

namespace Razorgirl

namespace FlatLayout

/-- The place of the first `x` in a list, counted from `k`. -/
def placeOf (x : Nat) : (k : Nat) → List Nat → Option Nat
  | _, [] => none
  | k, y :: ys => if x = y then some k else placeOf x (k + 1) ys

/-- The first two places of a list with the same entry, counted from `k`. -/
def firstRepeat : (k : Nat) → List Nat → Option (Nat × Nat)
  | _, [] => none
  | k, x :: xs =>
    match placeOf x (k + 1) xs with
    | some j => some (k, j)
    | none => firstRepeat (k + 1) xs

/-- Two linear indices `i < j` with the same offset, if there are any. -/
def collision (L : FlatLayout) : Option (Nat × Nat) := firstRepeat 0 (offsets L)

end FlatLayout

end Razorgirl
