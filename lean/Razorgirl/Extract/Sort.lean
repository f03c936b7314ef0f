module

public import Razorgirl.Extract.Lang

@[expose] public section

/-! # Sorting modes, as programs -/

namespace Razorgirl.Extract

/-- The order of modes. -/
def before : Fn [("m", .mode), ("n", .mode)] .bool :=
  .mk "before" "The order of modes: by stride, ties by extent." <|
  .ret (.or (.op2 .lt (.op1 .stride (v "m")) (.op1 .stride (v "n")))
    (.and (.op2 .eq (.op1 .stride (v "m")) (.op1 .stride (v "n")))
      (.op2 .le (.op1 .extent (v "m")) (.op1 .extent (v "n")))))

/-- One turn of `insert`. -/
def insertStep : Stmt [("n", .mode), ("todo", .bool), ("out", .list .mode), ("m", .mode), ("sorted", .list .mode)]
    (.list .mode) :=
  .seq (when (.and (v "todo") (call2 before (v "m") (v "n"))) (.seq (push "out" (v "m")) (set "todo" (.bool false)))) <|
  push "out" (v "n")

/-- Puts a mode into a sorted list. -/
def insert : Fn [("m", .mode), ("sorted", .list .mode)] (.list .mode) :=
  .mk "insert" "Puts a mode in front of the first one that does not come before it." <|
  .bind "out" .nil <|
  .bind "todo" (.bool true) <|
  .seq (.each "n" (v "sorted") insertStep) <|
  .seq (when (v "todo") (push "out" (v "m"))) <|
  .ret (v "out")

/-- One turn of `sort`. -/
def sortStep : Stmt [("m", .mode), ("out", .list .mode), ("modes", .list .mode)] (.list .mode) :=
  set "out" (call2 insert (v "m") (v "out"))

/-- Sorts modes by insertion. -/
def sort : Fn [("modes", .list .mode)] (.list .mode) :=
  .mk "sort" "The modes in order of stride, ties by extent." <|
  .bind "out" .nil <|
  .seq (.each "m" (v "modes") sortStep) <|
  .ret (v "out")

end Razorgirl.Extract
