module

public import Razorgirl.Spec.Layout.Coalesce
public import Razorgirl.Spec.Layout.Filter

@[expose] public section

/-!
# Why a layout does not follow a profile

The numbers play no part. Only a tuple of the profile with more modes than the layout has there is refused, and the place of
the first one is the path to it.
-/

namespace Razorgirl

namespace HTuple

/-- What stands at a place: the mode of this number, in it the next one, and so on. A leaf is its own only mode. -/
def atPlace {α : Type} (t : HTuple α) : (place : List Nat) → Option (HTuple α)
  | [] => some t
  | i :: place =>
    match (children t)[i]? with
    | some s => atPlace s place
    | none => none

end HTuple

namespace Layout
open HTuple

mutual
/-- The place of the first tuple of the profile that has more modes than the layout there. -/
def firstLonger {α : Type} : Profile → HTuple α → Option (List Nat)
  | .leaf _, _ => none
  | .node ps, t => firstLongers 0 ps (children t)
/-- `firstLonger` for each mode, the first one numbered `i`. -/
def firstLongers {α : Type} (i : Nat) : List Profile → List (HTuple α) → Option (List Nat)
  | [], _ => none
  | _ :: _, [] => some []
  | p :: ps, t :: ts =>
    match firstLonger p t with
    | some place => some (i :: place)
    | none => firstLongers (i + 1) ps ts
end

/-- Why a layout is not coalesced by a profile, if it is not: the place of a tuple that is too long, code `incongruent`.
Rust: `razorgirl::Layout::coalesce_by` -/
def coalesceByRefusal (target : Profile) (L : Layout) : Option (List Nat) := firstLonger target L.tree

/-- Why a layout is not filtered by a profile, if it is not.
Rust: `razorgirl::Layout::filter_by` -/
def filterByRefusal (target : Profile) (L : Layout) : Option (List Nat) := firstLonger target L.tree

-- ((2,3),4) has no third mode, and its second mode has one mode
example : coalesceByRefusal (.node [.leaf (), .leaf (), .leaf ()])
    ⟨[⟨2, 1⟩, ⟨3, 2⟩, ⟨4, 6⟩], .node [.node [.leaf (), .leaf ()], .leaf ()]⟩ = some [] := by decide +kernel
example : coalesceByRefusal (.node [.leaf (), .node [.leaf (), .leaf ()]])
    ⟨[⟨2, 1⟩, ⟨3, 2⟩, ⟨4, 6⟩], .node [.node [.leaf (), .leaf ()], .leaf ()]⟩ = some [1] := by decide +kernel

end Layout

end Razorgirl
