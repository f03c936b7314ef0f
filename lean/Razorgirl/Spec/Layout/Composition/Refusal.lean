module

public import Razorgirl.Spec.Layout.Composition.Distribute
public import Razorgirl.Spec.Layout.Composition.Generic
public import Razorgirl.Spec.Layout.FindOver

@[expose] public section

/-!
# Why two layouts do not compose

B leaves the domain of A, or the function A after B is no layout. Then what shows it is the witness of the search over the
shape of B: an entry of a mode of B up to which no layout has the values, or a coordinate where the modes do not add up.
Complete composition searches for the strides that A has. Strict composition answers for all strides of A's coalesced
shape, and one choice of them decides: strides so far apart that an offset shows all digits of its index.
-/

namespace Razorgirl

namespace Layout

/-- A after B at a coordinate of B. -/
def after (A B : Layout) (c : List Nat) : Int := (FlatLayout.atIndex A.modes (FlatLayout.eval B.modes c) : Nat)

/-- The coalesced shape of A with the powers of its size as strides: an offset shows every digit of its index. -/
def apart (A : Layout) : Layout :=
  ofFlat (FlatLayout.ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes))
    (powers A.size 1 (FlatLayout.shape (FlatLayout.coalesce A.modes)).length))

/-- What each mode adds to the offset at a coordinate. -/
def addedAt (B : FlatLayout) (c : List Nat) : List Nat := List.zipWith (fun m x => x * m.stride) B c

/-- Why A and B do not compose.
Rust: `razorgirl::Witness` -/
inductive CompositionRefusal where
  /-- the offset of B at this coordinate is no index of A: code `out_of_domain` -/
  | outside (c : List Nat)
  /-- a mode of B wraps round a mode of A in its middle: code `not_divisible` -/
  | wraps (w : FindOver.Witness)
  /-- each mode of B splits, and digits carry: code `carries` -/
  | carries (w : FindOver.Witness)
deriving Repr, DecidableEq

/-- The refusal for a witness. -/
def refusalOf (A B : Layout) (w : FindOver.Witness) : CompositionRefusal :=
  match splitModes (FlatLayout.shape (FlatLayout.coalesce A.modes)) B.modes with
  | none => .wraps w
  | some _ => .carries w

/-- Why there is no composite of `C` after B, where `C` is A with these or other strides. -/
def refusalFor (A C B : Layout) : Option CompositionRefusal :=
  if FlatLayout.cosizeFormula B.modes ≤ A.size then
    match findOver B.shape (after C B) with
    | .ok _ => none
    | .error w => some (refusalOf A B w)
  else some (.outside (FlatLayout.lastCoord B.modes))

/-- Why strict composition refuses, if it does. Enumerates the coordinates of B.
Rust: `razorgirl::Layout::composition` -/
def compositionRefusal (A B : Layout) : Option CompositionRefusal := refusalFor A (apart A) B

/-- Why complete composition refuses, if it does.
Rust: `razorgirl::Layout::composition_complete` -/
def compositionCompleteRefusal (A B : Layout) : Option CompositionRefusal := refusalFor A A B

-- (6,2):(1,7) and (3,2):(2,3): at (2,1) digits carry
example : compositionRefusal ⟨[⟨6, 1⟩, ⟨2, 7⟩], .node [.leaf (), .leaf ()]⟩ ⟨[⟨3, 2⟩, ⟨2, 3⟩], .node [.leaf (), .leaf ()]⟩ =
    some (.carries (.coordinate [2, 1])) := by decide +kernel

end Layout

end Razorgirl
