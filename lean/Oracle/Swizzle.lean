module

public import Razorgirl.Spec.LinearLayout.Carry
public import Razorgirl.Spec.Swizzle.Layout
public import Oracle.Bank
public import Oracle.Layout.Composition
public import Oracle.Layout.Recast
public import Oracle.Layout.Slice

@[expose] public section

/-!
# Swizzled layouts
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- A swizzle: `[B,M,S]`. -/
def readXorSwizzle (j : Json) : Except OracleError Swizzle :=
  match j with
  | .arr #[b, m, s] => do
    let b ← readSwizzleBits b
    let m ← readShort m
    let s ← readShort s
    if m < 0 then refuse "out_of_domain" "M is below 0" else return ⟨b, m.toNat, s⟩
  | _ => refuse "parse" "expected a swizzle: [B,M,S]"

/-- A swizzled layout; a layout by itself is one that nothing swizzles. -/
def readSwizzled (j : Json) : Except OracleError SwizzledLayout := do
  let L ← readLayoutAmong ["swizzle", "offset", "shape", "stride"] j
  match j.getObjVal? "swizzle", j.getObjVal? "offset" with
  | .ok s, .ok o =>
    let s ← readXorSwizzle s
    let o ← readIndex o
    if o < 0 then refuse "out_of_domain" "the offset is below 0"
    else if o.toNat + FlatLayout.cosizeFormula L.modes ≤ limit then return ⟨s, o.toNat, L⟩
    else refuse "overflow" "an offset before the swizzle is 2^64 or more"
  | .error _, .error _ => return ⟨⟨0, 0, 0⟩, 0, L⟩
  | _, _ => refuse "parse" "expected a swizzled layout: an object with swizzle, offset, shape and stride"

/-- A swizzled layout as JSON. -/
def swizzledJson (R : SwizzledLayout) : Json :=
  Json.mkObj [("swizzle", .arr #[natJson R.swizzle.bits, natJson R.swizzle.base, .num R.swizzle.shift]),
    ("offset", natJson R.offset), ("shape", tupleJson R.layout.shape), ("stride", tupleJson R.layout.stride)]

/-- A swizzled layout that fits into 64 bits. -/
def answerSwizzled (R : SwizzledLayout) : Answer :=
  if R.offset + FlatLayout.cosizeFormula R.layout.modes ≤ limit then result (swizzledJson R)
  else refuse "overflow" "an offset before the swizzle is 2^64 or more"

/-- An operation on one swizzled layout. -/
def onSwizzled (f : SwizzledLayout → Answer) (args : List Json) : Answer :=
  match args with
  | [j] => readSwizzled j >>= f
  | _ => arity "one swizzled layout"

/-- Refuses where an offset does not fit into 64 bits. -/
def fitting (R : SwizzledLayout) (k : List Nat → Answer) : Answer :=
  let all := R.offsets
  if all.all fun o => decide (o < limit) then k all else refuse "overflow" "an offset is 2^64 or more"

/-- All offsets. -/
def swizzledEvalOp (R : SwizzledLayout) : Answer := fitting R fun all => result (natsJson all)

/-- The offset of a coordinate, or the swizzled layout of the modes that it keeps. -/
def swizzledCallOp (args : List Json) : Answer :=
  match args with
  | [c, j] => do
    let c ← readTree 64 c
    let R ← readSwizzled j
    let c ← checkCoord c R.layout.shape
    if hasKeep c then
      match R.slice c with
      | some S => answerSwizzled S
      | none => refuse "incongruent" "the coordinate has more modes than the layout"
    else
      match R.call c with
      | some o => if o < limit then result (natJson o) else refuse "overflow" "the offset is 2^64 or more"
      | none => refuse "out_of_domain" "the coordinate is outside the layout"
  | _ => arity "a coordinate and a swizzled layout"

/-- A swizzled layout after a layout. -/
def swizzledCompositionOp (args : List Json) : Answer :=
  match args with
  | [j, b] => do
    let R ← readSwizzled j
    let B ← readLayout b
    match R.composition B with
    | some S => answerSwizzled S
    | none => refuseAlone (Layout.compositionCode R.layout B)
  | _ => arity "a swizzled layout and a layout"

/-- The constant and the layout, if that is what it is. -/
def swizzledPlainOp (R : SwizzledLayout) : Answer := fitting R fun _ =>
  match R.plain? with
  | some (o, L) => result (Json.mkObj [("offset", natJson o), ("shape", natsJson (L.map (·.1))),
      ("stride", .arr (L.map fun m => Json.num m.2).toArray)])
  | none => result .null

/-- Whether the offset may be moved through the swizzle. -/
def swizzledMovesOp (R : SwizzledLayout) : Answer := fitting R fun _ =>
  fitting ⟨R.swizzle, 0, R.layout⟩ fun _ => result (.bool R.offsetMoves)

/-- Elements of another size. -/
def swizzledRecastOp (args : List Json) : Answer :=
  match args with
  | [j, old, new] => do
    let R ← readSwizzled j
    let old ← readCount old
    let new ← readCount new
    match R.recast old new with
    | some S => answerSwizzled S
    | none =>
      let (n, k) := (new / old, old / new)
      if new = old * 2 ^ n.log2 then
        match R.layout.upcast n with
        | none => refuseUpcast n R.layout.modes
        | some _ =>
          if R.offset % n = 0 then refuse "not_divisible" "the swizzle does not keep elements whole"
          else refuse "not_contiguous" "the offset lies inside an element"
      else if old = new * 2 ^ k.log2 then refuseDowncast R.layout.modes
      else refuse "not_divisible" "the sizes are not apart by a power of two"
  | _ => arity "a swizzled layout and two sizes of elements"

/-- The swizzle after a layout that a linear layout is. -/
def linearToSwizzledOp (L : LinearLayout) : Answer :=
  match LinearLayout.swizzledOfColumns L.cols with
  | some R => answerSwizzled R
  | none => result .null

/-- The operations, by name. -/
def swizzledOps : List Op := [
  { name := "linear_to_swizzled", run := onLinear linearToSwizzledOp },
  { name := "swizzled_call", run := swizzledCallOp },
  { name := "swizzled_composition", run := swizzledCompositionOp },
  { name := "swizzled_eval", run := onSwizzled swizzledEvalOp },
  { name := "swizzled_offset_moves", run := onSwizzled swizzledMovesOp },
  { name := "swizzled_plain", run := onSwizzled swizzledPlainOp },
  { name := "swizzled_recast", run := swizzledRecastOp }]

end Oracle
