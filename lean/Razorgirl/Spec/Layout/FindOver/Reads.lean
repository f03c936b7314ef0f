module

public import Razorgirl.Spec.Layout.FindOver

@[expose] public section

/-!
# What the search reads

The pass over an axis as a program that sees the entries only by asking for them, one by one: so what it reads can be counted.
-/

namespace Razorgirl

namespace FindOver

/-- A program that answers, or asks for an entry and goes on with what it is. -/
inductive Asks (α : Type) where
  /-- the answer -/
  | answer (a : α)
  /-- the entry at `x` is read -/
  | read (x : Nat) (next : Int → Asks α)

namespace Asks

/-- The answer, where entry `x` is `f x`. -/
def result {α : Type} (f : Nat → Int) : Asks α → α
  | answer a => a
  | read x next => (next (f x)).result f

/-- The entries that are read, first to last. -/
def reads {α : Type} (f : Nat → Int) : Asks α → List Nat
  | answer _ => []
  | read x next => x :: (next (f x)).reads f

/-- The same reads, and something else for the answer. -/
def map {α β : Type} (g : α → β) : Asks α → Asks β
  | answer a => answer (g a)
  | read x next => read x fun v => (next v).map g

end Asks

/-- `scan` as such a program, over `more` entries from index `x` on. -/
def scanAsks (n : Nat) (first : Int) : (more : Nat) → (starts : List Start) → (x : Nat) → (before : Int) →
    Asks (Except Nat (List Start))
  | 0, starts, _, _ => .answer (.ok starts)
  | more + 1, starts, x, before =>
    .read x fun v =>
      if v - before = stepAt starts x then scanAsks n first more starts (x + 1) v
      else if x % lastIndex starts = 0 ∧ n % x = 0 then
        scanAsks n first more (⟨x, v - before, v - first⟩ :: starts) (x + 1) v
      else .answer (.error x)

/-- The constant and the coalesced modes of an axis of `n` entries, or the index at which the pass ends. -/
def axisAsks : (n : Nat) → Asks (Except Nat (Int × Stride.Modes Int))
  | 0 => .answer (.error 0)
  | 1 => .read 0 fun a => .answer (.ok (a, []))
  | n + 2 =>
    .read 0 fun a => .read 1 fun b =>
      (scanAsks (n + 2) a n [⟨1, b - a, b - a⟩] 2 b).map fun found =>
        match found with
        | .ok starts => .ok (a, between (n + 2) starts [])
        | .error x => .error x

/-- What `findAxis` says of the first `n` entries, with the constant. -/
def axisAnswer (n : Nat) (f : Nat → Int) : Except Nat (Int × Stride.Modes Int) :=
  match findAxis ((List.range n).map f) with
  | .ok g => .ok (f 0, g)
  | .error x => .error x

/-- The program answers nothing wrong of `n` entries: what it answers has their values. -/
def AnswersRightly (n : Nat) (p : Asks (Except Nat (Int × Stride.Modes Int))) : Prop :=
  ∀ f k g, p.result f = .ok (k, g) → ∀ x, x < n → f x = k + Stride.atIndex g x

end FindOver

end Razorgirl
