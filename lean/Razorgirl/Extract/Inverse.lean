module

public import Razorgirl.Extract.Coalesce
public import Razorgirl.Extract.Complement
public import Razorgirl.Extract.Size
public import Razorgirl.Spec.Layout.Inverse

@[expose] public section

/-!
# Inverses, as programs

A mode with the linear index of its first step is a pair `(mode, index)`. For the right inverse such a start stands beside
how far a chain of modes from it reaches: `((mode, index), reach)`.
-/

namespace Razorgirl.Extract

/-! ## Starts -/

/-- One turn of `starts`. -/
def startsStep : Stmt [("m", .mode), ("index", .nat), ("out", .list (.pair .mode .nat)), ("modes", .list .mode)]
    (.list (.pair .mode .nat)) :=
  .seq (push "out" (.op2 .pair (v "m") (v "index"))) <|
  set "index" (.op2 .mul (v "index") (.op1 .extent (v "m")))

/-- The modes with the linear indices of their first steps. -/
def starts : Fn [("modes", .list .mode)] (.list (.pair .mode .nat)) :=
  .mk "starts" "Each mode with the linear index of its first step: the product of the extents before it." <|
  .bind "out" .nil <|
  .bind "index" (.lit 1) <|
  .seq (.each "m" (v "modes") startsStep) <|
  .ret (v "out")

/-- One turn of `insertStart`. -/
def insertStartStep : Stmt [("q", .pair .mode .nat), ("todo", .bool), ("out", .list (.pair .mode .nat)),
    ("p", .pair .mode .nat), ("sorted", .list (.pair .mode .nat))] (.list (.pair .mode .nat)) :=
  .seq (when (.and (v "todo") (call2 before (.op1 .fst (v "p")) (.op1 .fst (v "q"))))
    (.seq (push "out" (v "p")) (set "todo" (.bool false)))) <|
  push "out" (v "q")

/-- Puts a start into a sorted list. -/
def insertStart : Fn [("p", .pair .mode .nat), ("sorted", .list (.pair .mode .nat))] (.list (.pair .mode .nat)) :=
  .mk "insert_start" "Puts a start in front of the first one whose mode does not come before its own." <|
  .bind "out" .nil <|
  .bind "todo" (.bool true) <|
  .seq (.each "q" (v "sorted") insertStartStep) <|
  .seq (when (v "todo") (push "out" (v "p"))) <|
  .ret (v "out")

/-- One turn of `sortStarts`: the last start that is left goes in. -/
def sortStartsStep : Stmt [("i", .nat), ("out", .list (.pair .mode .nat)), ("last", .nat),
    ("starts", .list (.pair .mode .nat))] (.list (.pair .mode .nat)) :=
  set "out" (call2 insertStart (.op2 .get (v "starts") (.op2 .sub (v "last") (v "i"))) (v "out"))

/-- Sorts starts by insertion, from the last one on. -/
def sortStarts : Fn [("starts", .list (.pair .mode .nat))] (.list (.pair .mode .nat)) :=
  .mk "sort_starts" "Starts in order of stride, ties by extent, further ties as they stand." <|
  .seq (when (.op2 .eq (.op1 .len (v "starts")) (.lit 0)) (.ret .nil)) <|
  .bind "last" (.op2 .sub (.op1 .len (v "starts")) (.lit 1)) <|
  .bind "out" .nil <|
  .seq (.upto "i" (.op1 .len (v "starts")) sortStartsStep) <|
  .ret (v "out")

/-! ## Left inverse -/

/-- One turn of `undo`. -/
def undoStep : Stmt [("p", .pair .mode .nat), ("prev", .pair .mode .nat), ("out", .list .mode),
    ("sorted", .list (.pair .mode .nat))] (.list .mode) :=
  .seq (when (.op2 .eq (.op1 .stride (.op1 .fst (v "p"))) (.lit 0)) (.refuse "not_injective")) <|
  .seq (when (.op2 .ne (.op2 .mod (.op1 .stride (.op1 .fst (v "p"))) (.op1 .stride (.op1 .fst (v "prev")))) (.lit 0))
    (.refuse "not_divisible")) <|
  .bind "steps" (.op2 .div (.op1 .stride (.op1 .fst (v "p"))) (.op1 .stride (.op1 .fst (v "prev")))) <|
  .seq (when (.op2 .lt (v "steps") (.op1 .extent (.op1 .fst (v "prev")))) (.refuse "not_injective")) <|
  .seq (push "out" (.op2 .mode (v "steps") (.op1 .snd (v "prev")))) <|
  set "prev" (v "p")

/-- Reads the digits of an offset in the radix of the strides. -/
def undo : Fn [("sorted", .list (.pair .mode .nat))] (.list .mode) :=
  .mk "undo" "The modes that read the digits of an offset in the radix of the strides of sorted starts." <|
  .bind "out" .nil <|
  .bind "prev" (.op2 .pair (.op2 .mode (.lit 1) (.lit 1)) (.lit 0)) <|
  .seq (.each "p" (v "sorted") undoStep) <|
  .seq (push "out" (.op2 .mode (.op1 .extent (.op1 .fst (v "prev"))) (.op1 .snd (v "prev")))) <|
  .ret (v "out")

/-- The sorted starts of a layout. -/
def sortedStarts : Fn [("modes", .list .mode)] (.list (.pair .mode .nat)) :=
  .mk "sorted_starts" "The starts of the coalesced modes, in order of stride." <|
  .bind "coalesced" (call1 coalesce (v "modes")) <|
  .bind "starts" (call1 starts (v "coalesced")) <|
  .ret (call1 sortStarts (v "starts"))

/-- The left inverse by whole modes. -/
def leftInverse : Fn [("modes", .list .mode)] (.list .mode) :=
  .mk "left_inverse" "What reads the linear index off an offset, where the sorted strides divide one another in turn." <|
  .bind "_size" (call1 size (v "modes")) <|
  .bind "sorted" (call1 sortedStarts (v "modes")) <|
  .bind "out" (call1 undo (v "sorted")) <|
  .bind "_reach" (call1 size (v "out")) <|
  .ret (call1 coalesce (v "out"))

/-! ## Two-sided inverse -/

/-- One turn of `undoPacked`: the next stride is where the modes below end. -/
def undoPackedStep : Stmt [("p", .pair .mode .nat), ("below", .mode), ("out", .list .mode),
    ("sorted", .list (.pair .mode .nat))] (.list .mode) :=
  .seq (.ite (.mulIs (.op1 .extent (v "below")) (.op1 .stride (v "below")) (.op1 .stride (.op1 .fst (v "p")))) .skip
    (.refuse "not_injective")) <|
  .seq (push "out" (.op2 .mode (.op1 .extent (.op1 .fst (v "p"))) (.op1 .snd (v "p")))) <|
  set "below" (.op1 .fst (v "p"))

/-- Reads digits where each stride is where the modes below end. -/
def undoPacked : Fn [("sorted", .list (.pair .mode .nat))] (.list .mode) :=
  .mk "undo_packed" "The modes that read the digits of an offset, where each start has its stride where the modes below end." <|
  .bind "out" .nil <|
  .bind "below" (.op2 .mode (.lit 1) (.lit 1)) <|
  .seq (.each "p" (v "sorted") undoPackedStep) <|
  .ret (v "out")

/-- The inverse of a bijection onto `[0,size)`. -/
def inverse : Fn [("modes", .list .mode)] (.list .mode) :=
  .mk "inverse" "The inverse on both sides of a layout that has each offset below its size once." <|
  .bind "size" (call1 size (v "modes")) <|
  .bind "cosize" (call1 cosize (v "modes")) <|
  .seq (when (.op2 .lt (v "cosize") (v "size")) (.refuse "not_injective")) <|
  .seq (when (.op2 .lt (v "size") (v "cosize")) (.refuse "not_contiguous")) <|
  .bind "sorted" (call1 sortedStarts (v "modes")) <|
  .bind "out" (call1 undoPacked (v "sorted")) <|
  .ret (call1 coalesce (v "out"))

/-! ## Right inverse -/

/-- One turn of `follow`. -/
def followStep : Stmt [("p", .pair (.pair .mode .nat) .nat), ("best", .pair (.pair .mode .nat) .nat),
    ("table", .list (.pair (.pair .mode .nat) .nat)), ("below", .mode)] (.pair (.pair .mode .nat) .nat) :=
  when (.and (.mulIs (.op1 .extent (v "below")) (.op1 .stride (v "below"))
      (.op1 .stride (.op1 .fst (.op1 .fst (v "p")))))
    (.op2 .lt (.op1 .snd (v "best")) (.op1 .snd (v "p")))) (set "best" (v "p"))

/-- The start that continues a mode furthest. -/
def follow : Fn [("table", .list (.pair (.pair .mode .nat) .nat)), ("below", .mode)] (.pair (.pair .mode .nat) .nat) :=
  .mk "follow" "The first of the starts that reach furthest among those whose stride is where a mode ends; of reach 1 if none." <|
  .bind "best" (.op2 .pair (.op2 .pair (.op2 .mode (.lit 1) (.lit 1)) (.lit 0)) (.lit 1)) <|
  .seq (.each "p" (v "table") followStep) <|
  .ret (v "best")

/-- One turn of `extend`. -/
def extendStep : Stmt [("p", .pair (.pair .mode .nat) .nat), ("out", .list (.pair (.pair .mode .nat) .nat)),
    ("table", .list (.pair (.pair .mode .nat) .nat))] (.list (.pair (.pair .mode .nat) .nat)) :=
  .bind "next" (call2 follow (v "table") (.op1 .fst (.op1 .fst (v "p")))) <|
  push "out" (.op2 .pair (.op1 .fst (v "p"))
    (.op2 .mul (.op1 .extent (.op1 .fst (.op1 .fst (v "p")))) (.op1 .snd (v "next"))))

/-- How far chains of one more mode reach. -/
def extend : Fn [("table", .list (.pair (.pair .mode .nat) .nat))] (.list (.pair (.pair .mode .nat) .nat)) :=
  .mk "extend" "How far chains of one more mode reach." <|
  .bind "out" .nil <|
  .seq (.each "p" (v "table") extendStep) <|
  .ret (v "out")

/-- Begins the table: chains of one mode. -/
def tableStep : Stmt [("p", .pair .mode .nat), ("table", .list (.pair (.pair .mode .nat) .nat)),
    ("starts", .list (.pair .mode .nat))] (.list (.pair (.pair .mode .nat) .nat)) :=
  when (.op2 .ne (.op1 .stride (.op1 .fst (v "p"))) (.lit 0))
    (push "table" (.op2 .pair (v "p") (.op1 .extent (.op1 .fst (v "p")))))

/-- One round over the table. -/
def roundStep : Stmt [("_round", .nat), ("table", .list (.pair (.pair .mode .nat) .nat)),
    ("starts", .list (.pair .mode .nat))] (.list (.pair (.pair .mode .nat) .nat)) :=
  set "table" (call1 extend (v "table"))

/-- How far chains from each start reach. -/
def reaches : Fn [("starts", .list (.pair .mode .nat))] (.list (.pair (.pair .mode .nat) .nat)) :=
  .mk "reaches" "The starts of positive stride, and how far the longest chain of modes from each of them reaches." <|
  .bind "table" .nil <|
  .seq (.each "p" (v "starts") tableStep) <|
  .seq (.upto "_round" (.op1 .len (v "starts")) roundStep) <|
  .ret (v "table")

/-- One step along the longest chain. -/
def walkStep : Stmt [("_round", .nat), ("below", .mode), ("out", .list .mode),
    ("table", .list (.pair (.pair .mode .nat) .nat))] (.list .mode) :=
  .bind "next" (call2 follow (v "table") (v "below")) <|
  when (.op2 .ne (.op1 .snd (v "next")) (.lit 1)) <|
  .seq (push "out" (.op2 .mode (.op1 .extent (.op1 .fst (.op1 .fst (v "next")))) (.op1 .snd (.op1 .fst (v "next"))))) <|
  set "below" (.op1 .fst (.op1 .fst (v "next")))

/-- The longest chain. -/
def walk : Fn [("table", .list (.pair (.pair .mode .nat) .nat))] (.list .mode) :=
  .mk "walk" "The longest chain of modes whose strides continue one another from 1 on, as modes of linear indices." <|
  .bind "out" .nil <|
  .bind "below" (.op2 .mode (.lit 1) (.lit 1)) <|
  .seq (.upto "_round" (.op1 .len (v "table")) walkStep) <|
  .ret (v "out")

/-- The right inverse by whole modes. -/
def rightInverse : Fn [("modes", .list .mode)] (.list .mode) :=
  .mk "right_inverse" "Where the offsets 0, 1, 2, … come from, as far as whole modes of the coalesced layout reach." <|
  .bind "_size" (call1 size (v "modes")) <|
  .bind "coalesced" (call1 coalesce (v "modes")) <|
  .bind "starts" (call1 starts (v "coalesced")) <|
  .bind "table" (call1 reaches (v "starts")) <|
  .bind "chain" (call1 walk (v "table")) <|
  .ret (call1 coalesce (v "chain"))

/-! ## Encoding, and which refusal -/

/-- A start as a pair. -/
def startPair (p : Start) : Mode × Nat := (p.mode, p.index)

/-- An entry of the table: a start, and how far a chain of it and at most `n` more of the starts `ms` reaches. -/
def entryOf (n : Nat) (ms : List Start) (p : Start) : (Mode × Nat) × Nat :=
  (startPair p, p.mode.extent * FlatLayout.size (FlatLayout.longest n (p.mode.stride * p.mode.extent) ms))

/-- An entry is the first of those that reach furthest in a table, among those whose stride is where the mode `m` ends; or it
stands for none, where none of these reaches further than 1. -/
def Follows (T : List ((Mode × Nat) × Nat)) (m : Mode) (best : (Mode × Nat) × Nat) : Prop :=
  (∃ A B, T = A ++ best :: B ∧ m.extent * m.stride = best.1.1.stride ∧ 1 < best.2 ∧
    (∀ p ∈ A, m.extent * m.stride = p.1.1.stride → p.2 < best.2) ∧
    ∀ p ∈ B, m.extent * m.stride = p.1.1.stride → p.2 ≤ best.2) ∨
  best = ((⟨1, 1⟩, 0), 1) ∧ ∀ p ∈ T, m.extent * m.stride = p.1.1.stride → p.2 ≤ 1

/-- The starts of positive stride. -/
abbrev rising (S : List Start) : List Start := S.filter fun p => p.mode.stride != 0

/-- The answer of a definition if its size is below 2^64, else overflow; or the refusal with its code. -/
def fitting (a : Option FlatLayout) (code : String) : Except Fault FlatLayout :=
  match a with
  | some R => if FlatLayout.size R < 2 ^ 64 then .ok R else .error .overflow
  | none => .error (.refuse code)

end Razorgirl.Extract

namespace Razorgirl.FlatLayout

/-- Why the digits of an offset do not tell the coordinates, of sorted modes behind `prev`: a stride of 0 repeats offsets,
one that is no multiple of the stride before is read in no radix, and one that lies inside of the mode before overlaps. -/
def undoRefusal (prev : Mode) : FlatLayout → String
  | [] => "not_injective"
  | m :: A =>
    if m.stride = 0 then "not_injective"
    else if m.stride % prev.stride = 0 then
      if m.stride / prev.stride < prev.extent then "not_injective" else undoRefusal m A
    else "not_divisible"

/-- Why a layout has no left inverse by whole modes. -/
def leftInverseRefusal (L : FlatLayout) : String := undoRefusal ⟨1, 1⟩ (chain (coalesce L))

/-- Why a layout has no inverse on both sides. -/
def inverseRefusal (L : FlatLayout) : String :=
  if size L < cosizeFormula L then "not_contiguous" else "not_injective"

end Razorgirl.FlatLayout
