module

public import Razorgirl.Spec.Layout.Tiler

@[expose] public section

/-!
# Why an operation by tiler refuses

Nesting comes before numbers: the first tuple with more modes than the layout has there; else, from the left, the first
layout of the tiler that refuses the mode under it, with its refusal. The place is the path to it.
-/

namespace Razorgirl

/-- Why an operation by tiler refuses, where `ε` is why it refuses a layout. -/
inductive TilerRefusal (ε : Type) where
  /-- the tuple at this place has more modes than the layout there: code `incongruent` -/
  | longer (place : List Nat)
  /-- the layout at this place refuses the mode under it -/
  | part (place : List Nat) (r : ε)
deriving DecidableEq

/-- The refusal of mode `i` as one of the whole. -/
def TilerRefusal.under {ε : Type} (i : Nat) : TilerRefusal ε → TilerRefusal ε
  | .longer p => .longer (i :: p)
  | .part p r => .part (i :: p) r

namespace Layout
open HTuple

mutual
/-- The first part that refuses, or the first tuple that is too long, where `why` says why a layout is refused. -/
def firstRefusal {ε : Type} (why : Layout → Layout → Option ε) : Tiler → HTuple Mode → Option (TilerRefusal ε)
  | .keep, _ => none
  | .layout B, t => (why (ofTree t) B).map (.part [])
  | .modes bs, t => firstRefusals why 0 bs (children t)
/-- `firstRefusal` for each mode, the first one numbered `i`. -/
def firstRefusals {ε : Type} (why : Layout → Layout → Option ε) (i : Nat) :
    List Tiler → List (HTuple Mode) → Option (TilerRefusal ε)
  | [], _ => none
  | _ :: _, [] => some (.longer [])
  | b :: bs, t :: ts =>
    match firstRefusal why b t with
    | some r => some (r.under i)
    | none => firstRefusals why (i + 1) bs ts
end

/-- Why an operation by tiler refuses, if it does, where `why` says why the operation refuses a layout. -/
def transformRefusal {ε : Type} (why : Layout → Layout → Option ε) (b : Tiler) (t : HTuple Mode) :
    Option (TilerRefusal ε) :=
  match firstRefusal (fun _ _ => (none : Option ε)) b t with
  | some r => some r
  | none => firstRefusal why b t

/-- At a place of the tiler and of the layout stand these parts of theirs. -/
inductive TilerAt : Tiler → HTuple Mode → List Nat → Tiler → HTuple Mode → Prop where
  /-- the whole -/
  | here (b : Tiler) (t : HTuple Mode) : TilerAt b t [] b t
  /-- a place inside mode `i` of both -/
  | inside {bs : List Tiler} {t : HTuple Mode} {i : Nat} {b : Tiler} {s : HTuple Mode} {p : List Nat} {b' : Tiler}
    {s' : HTuple Mode} (hb : bs[i]? = some b) (hs : (children t)[i]? = some s) (h : TilerAt b s p b' s') :
    TilerAt (.modes bs) t (i :: p) b' s'

-- of two modes the second one refuses; a tuple of three is longer than the layout
example : transformRefusal (fun A B => if A.size % B.size = 0 then none else some B.size)
    (.modes [.keep, .layout ⟨[⟨3, 1⟩], .leaf ()⟩]) (.node [.leaf ⟨4, 1⟩, .leaf ⟨4, 4⟩]) = some (.part [1] 3) := by
  decide +kernel
example : transformRefusal (fun _ _ => (none : Option Nat)) (.modes [.keep, .modes [.keep, .keep]])
    (.node [.leaf ⟨4, 1⟩, .leaf ⟨4, 4⟩]) = some (.longer [1]) := by decide +kernel

end Layout

end Razorgirl
