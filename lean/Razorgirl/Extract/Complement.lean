module

public import Razorgirl.Extract.Coalesce
public import Razorgirl.Extract.Size
public import Razorgirl.Extract.Sort
public import Razorgirl.Spec.Layout.Complement

@[expose] public section

/-!
# Complements, as programs

Products are formed only where they are known to fit: `extent * stride` of a mode divides the next stride, which is tested
by two divisions first.
-/

namespace Razorgirl.Extract

/-- One turn of `chain`. -/
def chainStep : Stmt [("m", .mode), ("out", .list .mode), ("_size", .nat), ("modes", .list .mode)] (.list .mode) :=
  when (.op2 .ne (.op1 .extent (v "m")) (.lit 1)) (set "out" (call2 insert (v "m") (v "out")))

/-- The modes of extent above 1, by stride. Sizes of 2^64 and more end here, so that at most 63 modes are sorted. -/
def chain : Fn [("modes", .list .mode)] (.list .mode) :=
  .mk "chain" "The modes of extent above 1 in order of stride, of a layout whose size fits." <|
  .bind "_size" (call1 size (v "modes")) <|
  .bind "out" .nil <|
  .seq (.each "m" (v "modes") chainStep) <|
  .ret (v "out")

/-- One turn of `gaps`. -/
def gapsStep : Stmt [("m", .mode), ("prev", .mode), ("out", .list .mode), ("chain", .list .mode)] (.list .mode) :=
  .seq (when (.op2 .eq (.op1 .stride (v "m")) (.lit 0)) (.refuse "not_injective")) <|
  .seq (when (.op2 .ne (.op2 .mod (.op1 .stride (v "m")) (.op1 .stride (v "prev"))) (.lit 0))
    (.refuse "not_divisible")) <|
  .bind "steps" (.op2 .div (.op1 .stride (v "m")) (.op1 .stride (v "prev"))) <|
  .seq (when (.op2 .ne (.op2 .mod (v "steps") (.op1 .extent (v "prev"))) (.lit 0)) (.refuse "not_divisible")) <|
  .seq (push "out" (.op2 .mode (.op2 .div (v "steps") (.op1 .extent (v "prev")))
    (.op2 .mul (.op1 .extent (v "prev")) (.op1 .stride (v "prev"))))) <|
  set "prev" (v "m")

/-- The gaps below each mode. -/
def gaps : Fn [("chain", .list .mode)] (.list .mode) :=
  .mk "gaps" "The gaps below each mode of a sorted layout: how often what lies below fits into the stride." <|
  .bind "out" .nil <|
  .bind "prev" (.op2 .mode (.lit 1) (.lit 1)) <|
  .seq (.each "m" (v "chain") gapsStep) <|
  .ret (v "out")

/-- The complement in the layout's own block. -/
def complement : Fn [("modes", .list .mode)] (.list .mode) :=
  .mk "complement" "What completes a layout in its own block." <|
  .bind "chain" (call1 chain (v "modes")) <|
  .bind "gaps" (call1 gaps (v "chain")) <|
  .ret (call1 coalesce (v "gaps"))

/-- One turn of `last`. -/
def lastStep : Stmt [("m", .mode), ("last", .mode), ("chain", .list .mode)] .mode := set "last" (v "m")

/-- The last mode, or `1:1`. -/
def last : Fn [("chain", .list .mode)] .mode :=
  .mk "last" "The last mode, or `1:1` of none." <|
  .bind "last" (.op2 .mode (.lit 1) (.lit 1)) <|
  .seq (.each "m" (v "chain") lastStep) <|
  .ret (v "last")

/-- The complement in `[0,cotarget)`. -/
def complementIn : Fn [("modes", .list .mode), ("cotarget", .nat)] (.list .mode) :=
  .mk "complement_in" "What completes a layout in `[0,cotarget)`, which its block must divide." <|
  .bind "chain" (call1 chain (v "modes")) <|
  .bind "out" (call1 gaps (v "chain")) <|
  .bind "last" (call1 last (v "chain")) <|
  .seq (when (.op2 .eq (v "cotarget") (.lit 0)) (.refuse "extent")) <|
  .seq (when (.op2 .ne (.op2 .mod (v "cotarget") (.op1 .stride (v "last"))) (.lit 0)) (.refuse "not_divisible")) <|
  .bind "steps" (.op2 .div (v "cotarget") (.op1 .stride (v "last"))) <|
  .seq (when (.op2 .ne (.op2 .mod (v "steps") (.op1 .extent (v "last"))) (.lit 0)) (.refuse "not_divisible")) <|
  .seq (push "out" (.op2 .mode (.op2 .div (v "steps") (.op1 .extent (v "last")))
    (.op2 .mul (.op1 .extent (v "last")) (.op1 .stride (v "last"))))) <|
  .ret (call1 coalesce (v "out"))

/-- A quotient rounded up. -/
def ceilDiv : Fn [("n", .nat), ("d", .nat)] .nat :=
  .mk "ceil_div" "How many parts of `d` cover `n`: the quotient rounded up." <|
  .bind "q" (.op2 .div (v "n") (v "d")) <|
  .seq (when (.op2 .ne (.op2 .mod (v "n") (v "d")) (.lit 0)) (set "q" (.op2 .add (v "q") (.lit 1)))) <|
  .ret (v "q")

/-- The coalesced modes, where they are a layout of 64 bits. -/
def fit : Fn [("modes", .list .mode)] (.list .mode) :=
  .mk "fit" "The coalesced modes, if their size and cosize fit." <|
  .bind "out" (call1 coalesce (v "modes")) <|
  .bind "_size" (call1 size (v "out")) <|
  .bind "_cosize" (call1 cosize (v "out")) <|
  .ret (v "out")

/-- The complement in the least multiple of the block that is at least the cotarget. That multiple itself may not fit. -/
def complementCeil : Fn [("modes", .list .mode), ("cotarget", .nat)] (.list .mode) :=
  .mk "complement_ceil" "What completes a layout in the least multiple of its block that is at least the cotarget." <|
  .bind "chain" (call1 chain (v "modes")) <|
  .bind "out" (call1 gaps (v "chain")) <|
  .bind "last" (call1 last (v "chain")) <|
  .seq (when (.op2 .eq (v "cotarget") (.lit 0)) (.refuse "extent")) <|
  .bind "steps" (call2 ceilDiv (v "cotarget") (.op1 .stride (v "last"))) <|
  .bind "copies" (call2 ceilDiv (v "steps") (.op1 .extent (v "last"))) <|
  .seq (when (.op2 .ne (v "copies") (.lit 1))
    (push "out" (.op2 .mode (v "copies") (.op2 .mul (.op1 .extent (v "last")) (.op1 .stride (v "last")))))) <|
  .ret (call1 fit (v "out"))

/-- The answer of a definition, or the refusal with its code. -/
def answer {α : Type} (a : Option α) (code : String) : Except Fault α :=
  match a with
  | some a => .ok a
  | none => .error (.refuse code)

/-- A layout whose size and cosize are below 2^64, else overflow; or the refusal with its code. -/
def fitted (a : Option FlatLayout) (code : String) : Except Fault FlatLayout :=
  match a with
  | some R => if FlatLayout.size R < 2 ^ 64 ∧ FlatLayout.cosize R < 2 ^ 64 then .ok R else .error .overflow
  | none => .error (.refuse code)

/-! ## Which refusal -/

end Razorgirl.Extract

namespace Razorgirl.FlatLayout

/-- Why sorted modes have no gaps: a stride of 0 repeats offsets, any other that the block below does not divide leaves a
gap or overlaps. -/
def gapsRefusal (cur : Nat) : FlatLayout → String
  | [] => "not_divisible"
  | m :: A =>
    if m.stride = 0 then "not_injective"
    else if m.stride % cur = 0 then gapsRefusal (m.extent * m.stride) A
    else "not_divisible"

/-- Why a layout has no complement in its own block. -/
def complementRefusal (A : FlatLayout) : String := gapsRefusal 1 (chain A)

/-- Why a layout has no complement in `[0,N)`. -/
def complementInRefusal (A : FlatLayout) (N : Nat) : String :=
  match gaps 1 (chain A) with
  | none => complementRefusal A
  | some _ => if N = 0 then "extent" else "not_divisible"

/-- Why a layout has no complement in a multiple of its block that is at least `N`. -/
def complementCeilRefusal (A : FlatLayout) : String :=
  match gaps 1 (chain A) with
  | none => complementRefusal A
  | some _ => "extent"

end Razorgirl.FlatLayout
