module

public import Razorgirl.Extract.Coalesce
public import Razorgirl.Extract.Coord
public import Razorgirl.Extract.Complement
public import Razorgirl.Spec.Layout.Composition

@[expose] public section

/-!
# Composition, as a program

Digit composition without digit vectors: a piece of a mode of B is kept as `extent:step`, where `step` is the number whose
digits the definition has. Its digits are recomputed where they are needed. The groups of the answer are one list of modes
and how many of them belong to each mode of B, so that nothing is allocated at rank 8 and below.
-/

namespace Razorgirl.Extract

/-! ## Where a digit wraps -/

/-- One turn of `allButLast`: the mode before this one is not the last. -/
def allButLastStep : Stmt [("m", .mode), ("prev", .mode), ("first", .bool), ("out", .list .mode), ("modes", .list .mode)]
    (.list .mode) :=
  .seq (when (.op1 .not (v "first")) (push "out" (v "prev"))) <|
  .seq (set "first" (.bool false)) <|
  set "prev" (v "m")

/-- All modes but the last. -/
def allButLast : Fn [("modes", .list .mode)] (.list .mode) :=
  .mk "all_but_last" "All modes but the last." <|
  .bind "out" .nil <|
  .bind "first" (.bool true) <|
  .bind "prev" (.op2 .mode (.lit 1) (.lit 0)) <|
  .seq (.each "m" (v "modes") allButLastStep) <|
  .ret (v "out")

/-- One turn of `wrapAt`: the next digit of the step, and after how many steps it wraps. -/
def wrapAtStep : Stmt [("m", .mode), ("best", .nat), ("rest", .nat), ("head", .list .mode), ("step", .nat)] .nat :=
  .bind "digit" (.op2 .mod (v "rest") (.op1 .extent (v "m"))) <|
  .seq (set "rest" (.op2 .div (v "rest") (.op1 .extent (v "m")))) <|
  when (.op2 .ne (v "digit") (.lit 0)) <|
  .bind "turns" (.op2 .div (.op1 .extent (v "m")) (v "digit")) <|
  .seq (when (.op2 .ne (.op2 .mod (.op1 .extent (v "m")) (v "digit")) (.lit 0))
    (set "turns" (.op2 .add (v "turns") (.lit 1)))) <|
  when (.or (.op2 .eq (v "best") (.lit 0)) (.op2 .lt (v "turns") (v "best"))) (set "best" (v "turns"))

/-- After how many steps the first digit wraps. -/
def wrapAt : Fn [("head", .list .mode), ("step", .nat)] .nat :=
  .mk "wrap_at" "After how many steps the first digit wraps, in the radix of the extents; 0 if none ever does." <|
  .bind "rest" (v "step") <|
  .bind "best" (.lit 0) <|
  .seq (.each "m" (v "head") wrapAtStep) <|
  .ret (v "best")

/-! ## Splitting a mode -/

/-- One turn of `splitMode`: the mode is one piece, or its first piece is split off. -/
def splitModeStep : Stmt [("_round", .nat), ("out", .list .mode), ("d", .nat), ("s", .nat), ("head", .list .mode),
    ("m", .mode)] (.list .mode) :=
  .seq (when (.or (.op2 .le (v "s") (.lit 1)) (.op2 .eq (v "d") (.lit 0)))
    (.seq (push "out" (.op2 .mode (v "s") (.lit 0))) (.ret (v "out")))) <|
  .bind "t" (call2 wrapAt (v "head") (v "d")) <|
  .seq (when (.or (.op2 .eq (v "t") (.lit 0)) (.op2 .le (v "s") (v "t")))
    (.seq (push "out" (.op2 .mode (v "s") (v "d"))) (.ret (v "out")))) <|
  .seq (when (.or (.op2 .le (v "t") (.lit 1)) (.op2 .ne (.op2 .mod (v "s") (v "t")) (.lit 0)))
    (.refuse "not_divisible")) <|
  .seq (push "out" (.op2 .mode (v "t") (v "d"))) <|
  .seq (set "s" (.op2 .div (v "s") (v "t"))) <|
  set "d" (.op2 .mul (v "d") (v "t"))

/-- The pieces of a mode. -/
def splitMode : Fn [("head", .list .mode), ("m", .mode)] (.list .mode) :=
  .mk "split_mode" "The pieces extent:step into which a mode falls where a digit wraps; refused if one wraps in the middle." <|
  .bind "s" (.op1 .extent (v "m")) <|
  .bind "d" (.op1 .stride (v "m")) <|
  .bind "out" .nil <|
  .seq (.upto "_round" (.lit 64) splitModeStep) <|
  .refuse "too_large"

/-! ## Carries -/

/-- One turn of `load`. -/
def loadStep : Stmt [("p", .mode), ("sum", .nat), ("pieces", .list .mode), ("weight", .nat), ("extent", .nat)] .nat :=
  set "sum" (.op2 .add (v "sum") (.op2 .mul (.op2 .sub (.op1 .extent (v "p")) (.lit 1))
    (.op2 .mod (.op2 .div (.op1 .stride (v "p")) (v "weight")) (v "extent"))))

/-- The largest value of a digit. -/
def load : Fn [("pieces", .list .mode), ("weight", .nat), ("extent", .nat)] .nat :=
  .mk "load" "The largest sum of the digits of one place, whose digit of n is n / weight % extent." <|
  .bind "sum" (.lit 0) <|
  .seq (.each "p" (v "pieces") loadStep) <|
  .ret (v "sum")

/-- One turn of `carries`. -/
def carriesStep : Stmt [("m", .mode), ("weight", .nat), ("head", .list .mode), ("pieces", .list .mode)] .bool :=
  .bind "sum" (.call load (.cons (v "pieces") (.cons (v "weight") (.cons (.op1 .extent (v "m")) .nil)))) <|
  .seq (when (.op2 .le (.op1 .extent (v "m")) (v "sum")) (.ret (.bool true))) <|
  set "weight" (.op2 .mul (v "weight") (.op1 .extent (v "m")))

/-- Whether some digit carries. -/
def carries : Fn [("head", .list .mode), ("pieces", .list .mode)] .bool :=
  .mk "carries" "Whether the pieces add up past a mode." <|
  .bind "weight" (.lit 1) <|
  .seq (.each "m" (v "head") carriesStep) <|
  .ret (.bool false)

/-! ## The composite -/

/-- One turn of `group`: the offset of a step in A is the stride of its piece. -/
def groupStep : Stmt [("p", .mode), ("out", .list .mode), ("outer", .list .mode), ("pieces", .list .mode)]
    (.list .mode) :=
  push "out" (.op2 .mode (.op1 .extent (v "p")) (call2 atIndex (v "outer") (.op1 .stride (v "p"))))

/-- The modes of the pieces of one mode. -/
def group : Fn [("outer", .list .mode), ("pieces", .list .mode)] (.list .mode) :=
  .mk "group" "The coalesced modes of some pieces: the stride of each is the offset of its step." <|
  .bind "out" .nil <|
  .seq (.each "p" (v "pieces") groupStep) <|
  .ret (call1 coalesce (v "out"))

/-- Keeps a piece. -/
def keepPieceStep : Stmt [("p", .mode), ("group", .list .mode), ("split", .list .mode), ("m", .mode),
    ("counts", .list .nat), ("out", .list .mode), ("pieces", .list .mode), ("head", .list .mode), ("outer", .list .mode),
    ("a", .list .mode), ("b", .list .mode)] (.pair (.list .mode) (.list .nat)) := push "pieces" (v "p")

/-- Keeps a mode of the answer. -/
def keepModeStep : Stmt [("p", .mode), ("group", .list .mode), ("split", .list .mode), ("m", .mode),
    ("counts", .list .nat), ("out", .list .mode), ("pieces", .list .mode), ("head", .list .mode), ("outer", .list .mode),
    ("a", .list .mode), ("b", .list .mode)] (.pair (.list .mode) (.list .nat)) := push "out" (v "p")

/-- One turn of `composition`. -/
def compositionStep : Stmt [("m", .mode), ("counts", .list .nat), ("out", .list .mode), ("pieces", .list .mode),
    ("head", .list .mode), ("outer", .list .mode), ("a", .list .mode), ("b", .list .mode)]
    (.pair (.list .mode) (.list .nat)) :=
  .bind "split" (call2 splitMode (v "head") (v "m")) <|
  .bind "group" (call2 group (v "outer") (v "split")) <|
  .seq (.each "p" (v "split") keepPieceStep) <|
  .seq (.each "p" (v "group") keepModeStep) <|
  push "counts" (.op1 .len (v "group"))

/-- A after B. -/
def composition : Fn [("a", .list .mode), ("b", .list .mode)] (.pair (.list .mode) (.list .nat)) :=
  .mk "composition" "A after B: the modes for each mode of B in a row, and how many each has." <|
  .seq (when (.op2 .lt (call1 size (v "a")) (call1 cosize (v "b"))) (.refuse "out_of_domain")) <|
  .bind "outer" (call1 coalesce (v "a")) <|
  .bind "head" (call1 allButLast (v "outer")) <|
  .bind "pieces" .nil <|
  .bind "out" .nil <|
  .bind "counts" .nil <|
  .seq (.each "m" (v "b") compositionStep) <|
  .seq (when (call2 carries (v "head") (v "pieces")) (.refuse "carries")) <|
  .ret (.op2 .pair (v "out") (v "counts"))

/-! ## What the helpers compute, as functions -/

/-- The lesser of two numbers of turns, where 0 stands for never. -/
def minTurns (a b : Nat) : Nat := if a = 0 then b else if b = 0 then a else min a b

/-- After how many steps of `d` the first digit wraps in the radix of all these modes; 0 if none ever does. -/
def wrapSteps : FlatLayout → (d : Nat) → Nat
  | [], _ => 0
  | m :: H, d =>
    if d % m.extent = 0 then wrapSteps H (d / m.extent)
    else minTurns ((m.extent + d % m.extent - 1) / (d % m.extent)) (wrapSteps H (d / m.extent))

/-- The largest sum of the digits of one place: the digit of `n` is `n / w % e`. -/
def placeSum (w e : Nat) : FlatLayout → Nat
  | [] => 0
  | p :: P => (p.extent - 1) * (p.stride / w % e) + placeSum w e P

/-- The pieces add up past none of these modes, of which the first has weight `w`. -/
def noCarry : (H : FlatLayout) → (w : Nat) → (P : FlatLayout) → Bool
  | [], _, _ => true
  | m :: H, w, P => decide (placeSum w m.extent P < m.extent) && noCarry H (w * m.extent) P

/-- The offsets of the steps as strides, coalesced. -/
def groupOf (L P : FlatLayout) : FlatLayout := FlatLayout.coalesce (P.map fun p => ⟨p.extent, FlatLayout.atIndex L p.stride⟩)

/-- The modes of the composite for each mode of B, as the definition of composition has them before it nests them. -/
def compositionGroups (A B : FlatLayout) : Option (List FlatLayout) :=
  if FlatLayout.cosizeFormula B ≤ FlatLayout.size A then
    (digitComposition (FlatLayout.shape (FlatLayout.coalesce A)) B).map fun ps =>
      ps.map fun p => FlatLayout.coalesce (Layout.ofDigits (FlatLayout.strides (FlatLayout.coalesce A)) p)
  else none

/-- Why there are none. -/
def compositionRefusal (A B : FlatLayout) : String :=
  if FlatLayout.size A < FlatLayout.cosizeFormula B then "out_of_domain"
  else match splitModes (FlatLayout.shape (FlatLayout.coalesce A)) B with
    | none => "not_divisible"
    | some _ => "carries"

end Razorgirl.Extract
