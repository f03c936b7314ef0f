module

public import Razorgirl.Spec.Layout.Inverse
public import Razorgirl.Spec.Layout.Tiler
public import Oracle.Ops

@[expose] public section

/-!
# Composition, complement and inverses in the table of operations

`Spec` says what the answer is; which refusal code belongs to which failure is said here.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- An operation on two layouts. -/
def onLayouts (f : Layout → Layout → Answer) (args : List Json) : Answer :=
  match args with
  | [a, b] => do f (← readLayout a) (← readLayout b)
  | _ => arity "two layouts"

/-- Why `compose` refuses: out of the domain, a mode that does not split, or digits that carry. -/
def refuseCompose (A B : Layout) : Answer :=
  if FlatLayout.cosizeFormula B.modes ≤ A.size then
    match splitModes (FlatLayout.shape (FlatLayout.coalesce A.modes)) B.modes with
    | some _ => refuse "carries" "the modes of the inner layout carry"
    | none => refuse "not_divisible" "a mode of the inner layout wraps in its middle"
  else refuse "out_of_domain" "the inner layout reaches past the outer one"

/-- The composite that exists for all strides. -/
def composeOp (A B : Layout) : Answer :=
  match A.compose B with
  | some R => bounded R
  | none => refuseCompose A B

/-- The composite if there is one. -/
def composeCompleteOp (A B : Layout) : Answer :=
  match A.composeComplete B with
  | some R => bounded R
  | none => refuseCompose A B

/-- The composite with the last mode of A grown, and which mode grew. -/
def composeExtendedOp (A B : Layout) : Answer :=
  match A.composeExtended B with
  | some R => bounded R
  | none =>
    match Layout.growLast (FlatLayout.cosizeFormula B.modes) A.modes with
    | some grown => refuseCompose (if FlatLayout.cosizeFormula B.modes ≤ A.size then A else ⟨grown, A.profile⟩) B
    | none => refuseCompose A B

mutual
/-- A tiler: a layout, an integer, null, or a list of these. -/
def readTiler (fuel : Nat) (j : Json) : Except OracleError Tiler :=
  match j, fuel with
  | .null, _ => .ok .keep
  | .obj _, _ => (readLayout j).map .layout
  | .arr a, n + 1 => (readTilers n a.toList).map .modes
  | .arr _, 0 => refuse "too_large" "a tiler is nested more than 64 deep"
  | j, _ => do
    match j.getInt? with
    | .ok n => (checkLayout (.leaf n) (.leaf 1)).map .layout
    | .error _ => refuse "parse" "expected a tiler: a layout, an integer, null, or a list of these"
/-- `readTiler` for each of a list. -/
def readTilers (fuel : Nat) (js : List Json) : Except OracleError (List Tiler) :=
  match js with
  | [] => .ok []
  | j :: rest =>
    match readTiler fuel j, readTilers fuel rest with
    | .ok t, .ok ts => .ok (t :: ts)
    | .error e, _ => .error e
    | _, .error e => .error e
end

mutual
/-- The refusal of the first mode that refuses. -/
def refuseBy (op : Layout → Layout → Answer) (b : Tiler) (t : HTuple Mode) : Option OracleError :=
  match b with
  | .keep => none
  | .layout B =>
    match op (Layout.ofTree t) B with
    | .error e => some e
    | .ok _ => none
  | .modes bs => refuseBys op bs (Layout.topModes t)
/-- `refuseBy` mode by mode. -/
def refuseBys (op : Layout → Layout → Answer) (bs : List Tiler) (ts : List (HTuple Mode)) : Option OracleError :=
  match bs, ts with
  | [], _ => none
  | _ :: _, [] => some { code := "incongruent", message := "the tiler has more modes than the layout" }
  | b :: bs, t :: ts =>
    match refuseBy op b t with
    | some e => some e
    | none => refuseBys op bs ts
end

/-- Composition by tiler. -/
def composeByOp (compose? : Layout → Tiler → Option Layout) (op : Layout → Layout → Answer) (args : List Json) : Answer :=
  match args with
  | [a, b] => do
    let b ← readTiler 64 b
    let A ← readLayout a
    match compose? A b with
    | some R => bounded R
    | none =>
      -- nesting is looked at before numbers are
      match refuseBy (fun _ _ => .ok []) b A.tree with
      | some e => .error e
      | none =>
        match refuseBy op b A.tree with
        | some e => .error e
        | none => refuse "internal" "no mode refuses"
  | _ => arity "a layout and a tiler"

/-- Why there is no complement in `N`. -/
def refuseComplement (A : Layout) : Answer :=
  if FlatLayout.isInjective A.modes then refuse "not_divisible" "a block does not divide what follows it"
  else refuse "not_injective" "two coordinates share an offset"

/-- The complement in A's own block, or in `[0,N)`. -/
def complementOp (args : List Json) : Answer :=
  match args with
  | [a] => do
    let A ← readLayout a
    match A.complement with
    | some C => bounded C
    | none => refuseComplement A
  | [a, n] => do
    let n ← readInts n
    let A ← readLayout a
    match n with
    | .node _ => refuse "parse" "the cotarget is a tuple"
    | .leaf n =>
      if n < 1 then refuse "extent" "the cotarget is below 1"
      else
        match A.complementIn n.toNat with
        | some C => bounded C
        | none => refuseComplement A
  | _ => arity "a layout, and perhaps a cotarget"

/-- The complement with N rounded up. -/
def complementCeilOp (args : List Json) : Answer :=
  match args with
  | [a, n] => do
    let n ← readInts n
    let A ← readLayout a
    match n with
    | .node _ => refuse "parse" "the cotarget is a tuple"
    | .leaf n =>
      if n < 1 then refuse "extent" "the cotarget is below 1"
      else
        match A.complementCeil n.toNat with
        | some C => bounded C
        | none => refuseComplement A
  | _ => arity "a layout and a cotarget"

/-- An inverse of the modes that `moving` leaves, or why there is none. -/
def inverseOp (f : Layout → Option Layout) (moving : FlatLayout → FlatLayout) (L : Layout) : Answer :=
  match f L with
  | some R => bounded R
  | none =>
    if FlatLayout.isInjective (moving L.modes) then refuse "not_divisible" "the sorted strides do not divide in turn"
    else refuse "not_injective" "two coordinates share an offset"

/-- The inverse of a bijection, or why it is none. -/
def bijectionOp (L : Layout) : Answer :=
  match L.inverse with
  | some R => bounded R
  | none =>
    if FlatLayout.isInjective L.modes then refuse "not_contiguous" "offsets are left out"
    else refuse "not_injective" "two coordinates share an offset"

/-- Common parts of two layouts. -/
def commonOp (write : Layout → Answer) (a b : Layout) : Answer :=
  match a.maxCommonLayout b with
  | some L => write L
  | none => refuseCompose a b.rightInverse

/-- The operations, by name. -/
def algebra : List Op := [
  { name := "complement", run := complementOp },
  { name := "complement_ceil", run := complementCeilOp },
  { name := "composition", run := onLayouts composeOp, complete := some (onLayouts composeCompleteOp) },
  { name := "composition_by_mode", run := composeByOp Layout.composeBy composeOp,
    complete := some (composeByOp Layout.composeCompleteBy composeCompleteOp) },
  { name := "composition_extended", run := onLayouts composeExtendedOp },
  { name := "inverse", run := onLayout bijectionOp },
  { name := "left_inverse", run := onLayout (inverseOp Layout.leftInverse fun L => L) },
  { name := "max_common_layout", run := onLayouts (commonOp resultLayout) },
  { name := "max_common_vector", run := onLayouts (commonOp fun L => result (natJson L.size)) },
  { name := "nullspace", run := onLayout fun L => resultLayout L.nullspace },
  { name := "quasi_left_inverse", run := onLayout (inverseOp Layout.quasiLeftInverse FlatLayout.filterZeros) },
  { name := "right_inverse", run := onLayout fun L => resultLayout L.rightInverse }]

end Oracle
