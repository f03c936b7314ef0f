module

@[expose] public section

/-!
# The mbarrier object

An mbarrier in shared memory counts arrivals and bytes. Its *phase* completes when no arrival is pending and the
tx-count is 0; then the next phase begins, with all arrivals pending again. A thread does not see the phase, only
whether the phase of a given parity is complete.

Not modelled: `arrive_drop` (the number of arrivals per phase is fixed), `inval`, the bound `2^20 - 1` of both counts.
Source: PTX ISA, «mbarrier» (phase, pending count, tx-count, `test_wait.parity`).
-/

namespace Razorgirl

namespace Pipeline

/-- An mbarrier. -/
structure Mbar where
  /-- phases that are complete -/
  phase : Nat
  /-- arrivals that the current phase still needs -/
  pending : Nat
  /-- bytes expected and not yet there; negative where bytes come before they are expected -/
  tx : Int
deriving DecidableEq, Repr

/-- `mbarrier.init` with the number of arrivals per phase. -/
def Mbar.init (count : Nat) : Mbar := ⟨0, count, 0⟩

/-- The phase completes if no arrival is pending and the tx-count is 0. -/
def Mbar.settle (count : Nat) (b : Mbar) : Mbar :=
  if b.pending = 0 ∧ b.tx = 0 then ⟨b.phase + 1, count, 0⟩ else b

/-- `mbarrier.arrive`; none if no arrival is pending, which the ISA leaves undefined. -/
def Mbar.arrive (count : Nat) (b : Mbar) : Option Mbar :=
  if b.pending = 0 then none else some (settle count { b with pending := b.pending - 1 })

/-- `mbarrier.expect_tx`. It completes the phase if the bytes were there before, and all arrivals too. -/
def Mbar.expect (count bytes : Nat) (b : Mbar) : Mbar := settle count { b with tx := b.tx + bytes }

/-- `mbarrier.arrive.expect_tx`: expects the bytes, then arrives. -/
def Mbar.arriveExpect (count bytes : Nat) (b : Mbar) : Option Mbar := arrive count (expect count bytes b)

/-- `mbarrier.complete_tx`, which a bulk copy does when its bytes are there. -/
def Mbar.complete (count bytes : Nat) (b : Mbar) : Mbar := settle count { b with tx := b.tx - bytes }

/-- What `mbarrier.test_wait.parity` answers: the phase of this parity is complete, which the barrier decides by the parity of
its current phase. -/
def Mbar.test (parity : Nat) (b : Mbar) : Bool := b.phase % 2 != parity % 2

/-- `n` arrivals, one after the other. -/
def Mbar.arrivals (count : Nat) : Nat → Mbar → Option Mbar
  | 0, b => some b
  | n + 1, b => (arrivals count n b).bind (arrive count)

/-- Two arrivals complete a phase of two. -/
example : Mbar.arrivals 2 2 (Mbar.init 2) = some ⟨1, 2, 0⟩ := by decide

end Pipeline

end Razorgirl
