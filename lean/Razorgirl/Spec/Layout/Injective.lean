module

public import Razorgirl.Spec.Layout.Basic

@[expose] public section

/-!
# Injective, covering, contiguous

Whether a layout sends different coordinates to different offsets, whether it leaves none out below its cosize, and
both. Where it is not injective, two linear indices with the same offset are the witness: what a race on shared memory
looks like.
-/

namespace Razorgirl

namespace FlatLayout

/-- No two coordinates share an offset («compact» in Villa Straylight I.3).
Rust: `razorgirl::Layout::injectivity` -/
def Injective (L : FlatLayout) : Prop :=
  ∀ c c', InBounds (shape L) c → InBounds (shape L) c' → eval L c = eval L c' → c = c'

/-- Every offset below `cosize` is hit. -/
def Covers (L : FlatLayout) : Prop :=
  ∀ o, o < cosize L → ∃ c, InBounds (shape L) c ∧ eval L c = o

/-- A bijection of the coordinates onto `[0,cosize)` («Categorical Foundations» 2.1.5 «compact»,
Villa Straylight I.3 «contiguous»). -/
def Contiguous (L : FlatLayout) : Prop := Injective L ∧ Covers L

/-- `x` occurs in the list. -/
def occurs (x : Nat) : List Nat → Bool
  | [] => false
  | y :: ys => x == y || occurs x ys

/-- No entry occurs twice. -/
def distinct : List Nat → Bool
  | [] => true
  | x :: xs => !occurs x xs && distinct xs

/-- Decides `Injective` by listing the offsets. -/
def isInjective (L : FlatLayout) : Bool := distinct (offsets L)

/-- Decides `Contiguous`: injective and nothing left over.
Rust: `razorgirl::Layout::is_contiguous` -/
def isContiguous (L : FlatLayout) : Bool := cosizeFormula L == size L && isInjective L

/-! ## Collisions -/

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

/-- Two linear indices `i < j` with the same offset, if there are any.
Rust: `razorgirl::Layout::injectivity` -/
def collision (L : FlatLayout) : Option (Nat × Nat) := firstRepeat 0 (offsets L)

end FlatLayout

end Razorgirl
