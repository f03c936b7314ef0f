module

public import Razorgirl.Spec.Pipeline.Barrier

@[expose] public section

/-!
# A ring of stages: one producer, `n` consumers

The main loop of a warp-specialised kernel, in one CTA. Trip `k` uses stage `k % S`; each stage has two mbarriers, `full` and `empty`.

```
producer, trip k                                   consumer, trip k
  wait  empty[k % S], parity of k / S, flipped       wait  full[k % S], parity of k / S
  arrive.expect_tx full[k % S], bytes                read  stage k % S
  load 0, load 1, … into stage k % S                 arrive empty[k % S]
```

A load is asynchronous: it lands at any time after it was issued, and `complete_tx` of its bytes on `full[k % S]` comes with
it. Waits see parities only. What is wrong is said of what happens to the stages, not of barriers: a consumer reads a stage
before its trip has landed there, a load overwrites a stage that is being read, a barrier is arrived on beyond its count,
or nobody can go on before all trips are done.

A consumer releases a trip before it waits for the next. Not modelled: consumers that hold a trip while they wait for the next,
as the main loops of CUTLASS do for a `wgmma` in flight (they need a stage more), multicast in a cluster, and the producer's
tail.
Source: CUTLASS `PipelineTmaAsync` (`PipelineState` starts the producer with the flipped phase).
-/

namespace Razorgirl

namespace Pipeline

/-- How a ring is set up. -/
structure Ring where
  /-- stages -/
  stages : Nat
  /-- consumers; each arrives once on `empty` in each trip -/
  consumers : Nat
  /-- bytes of each load of a trip -/
  loads : List Nat
  /-- arrivals per phase that `full` was initialised with -/
  fullCount : Nat
  /-- arrivals per phase that `empty` was initialised with -/
  emptyCount : Nat
  /-- bytes that the producer expects in each trip -/
  expected : Nat
  /-- the producer waits for the flipped parity, so that its first wait on each stage passes at once -/
  flipped : Bool
deriving DecidableEq, Repr

/-- Stages, consumers and loads are there, each load has bytes, and each barrier expects an arrival. -/
structure Ring.Valid (r : Ring) : Prop where
  stages : 0 < r.stages
  consumers : 0 < r.consumers
  loads : r.loads ≠ []
  bytes : ∀ b ∈ r.loads, 0 < b
  full : 0 < r.fullCount
  empty : 0 < r.emptyCount

/-- What has happened, and the barriers. -/
structure Ring.State where
  /-- the full barrier of each stage -/
  full : Nat → Mbar
  /-- the empty barrier of each stage -/
  empty : Nat → Mbar
  /-- trips that the producer has issued -/
  issued : Nat
  /-- load `j` of trip `k` has landed -/
  landed : Nat → Nat → Bool
  /-- trips whose wait on `full` the consumer has passed -/
  passed : Nat → Nat
  /-- trips that the consumer has released -/
  freed : Nat → Nat

/-- Nothing has happened. -/
def Ring.start (r : Ring) : Ring.State where
  full := fun _ => Mbar.init r.fullCount
  empty := fun _ => Mbar.init r.emptyCount
  issued := 0
  landed := fun _ _ => false
  passed := fun _ => 0
  freed := fun _ => 0

/-- The function with another value at one place. -/
def put {α : Type} (f : Nat → α) (i : Nat) (a : α) : Nat → α := fun j => if j = i then a else f j

/-- What may happen next. -/
inductive Ring.Action where
  /-- the producer passes its wait, arrives and issues the loads of its next trip -/
  | issue
  /-- load `j` of trip `k` lands -/
  | land (k j : Nat)
  /-- consumer `c` passes its wait, and begins to read -/
  | pass (c : Nat)
  /-- consumer `c` has read, and arrives on `empty` -/
  | free (c : Nat)
deriving DecidableEq, Repr

/-- What an action does: it cannot happen now, or arrives on a barrier that has no arrival pending, or leads to a state. -/
inductive Ring.Outcome where
  | blocked
  | overArrival
  | next (s : Ring.State)

/-- The outcome of an action, with `K` trips. -/
def Ring.act (r : Ring) (K : Nat) (s : State) : Action → Outcome
  | .issue =>
    let b := s.issued % r.stages
    if s.issued < K ∧ (s.empty b).test (s.issued / r.stages + if r.flipped then 1 else 0) then
      match (s.full b).arriveExpect r.fullCount r.expected with
      | none => .overArrival
      | some full => .next { s with full := put s.full b full, issued := s.issued + 1 }
    else .blocked
  | .land k j =>
    if k < s.issued ∧ j < r.loads.length ∧ s.landed k j = false then
      let b := k % r.stages
      .next { s with
        full := put s.full b ((s.full b).complete r.fullCount (r.loads.getD j 0))
        landed := put s.landed k (put (s.landed k) j true) }
    else .blocked
  | .pass c =>
    if c < r.consumers ∧ s.passed c < K ∧ s.passed c = s.freed c ∧
        (s.full (s.passed c % r.stages)).test (s.passed c / r.stages) then
      .next { s with passed := put s.passed c (s.passed c + 1) }
    else .blocked
  | .free c =>
    if c < r.consumers ∧ s.freed c < s.passed c then
      let b := s.freed c % r.stages
      match (s.empty b).arrive r.emptyCount with
      | none => .overArrival
      | some empty => .next { s with empty := put s.empty b empty, freed := put s.freed c (s.freed c + 1) }
    else .blocked

/-- The states that some order of actions leads to. -/
inductive Ring.Reachable (r : Ring) (K : Nat) : State → Prop
  | start : Reachable r K r.start
  | step {s t : State} (a : Action) : Reachable r K s → r.act K s a = .next t → Reachable r K t

/-- Consumer `c` is reading stage `freed c % S`, for trip `freed c`. -/
def Ring.State.reads (s : State) (c : Nat) : Prop := s.freed c < s.passed c

/-- What must not happen. -/
inductive Ring.Wrong (r : Ring) (K : Nat) (s : State) : Prop
  /-- a stage is read before all loads of its trip have landed -/
  | early (c j : Nat) : c < r.consumers → s.reads c → j < r.loads.length → s.landed (s.freed c) j = false → Wrong r K s
  /-- a load of a later trip is issued into a stage that is being read -/
  | overwritten (c k : Nat) : c < r.consumers → s.reads c → s.freed c < k → k < s.issued →
      k % r.stages = s.freed c % r.stages → Wrong r K s
  /-- an arrival on a barrier that has none pending -/
  | overArrival (a : Action) : r.act K s a = .overArrival → Wrong r K s

/-- All trips are issued, read and released. -/
def Ring.Done (r : Ring) (K : Nat) (s : State) : Prop := s.issued = K ∧ ∀ c, c < r.consumers → s.freed c = K

/-- Nobody can go on, and not all is done. -/
def Ring.Deadlock (r : Ring) (K : Nat) (s : State) : Prop := (∀ a, r.act K s a = .blocked) ∧ ¬ r.Done K s

/-- For every number of trips and in every order of events: nothing wrong happens, and there is no deadlock. -/
def Ring.Correct (r : Ring) : Prop := ∀ K s, Reachable r K s → ¬ Wrong r K s ∧ ¬ Deadlock r K s

/-- The setup that CUTLASS uses: one arrival on `full` (the producer's), one arrival of each consumer on `empty`, the bytes of
all loads, and a producer that starts with the flipped parity. -/
structure Ring.Matched (r : Ring) : Prop where
  full : r.fullCount = 1
  empty : r.emptyCount = r.consumers
  bytes : r.expected = r.loads.sum
  flipped : r.flipped = true

instance (r : Ring) : Decidable r.Matched :=
  if h : r.fullCount = 1 ∧ r.emptyCount = r.consumers ∧ r.expected = r.loads.sum ∧ r.flipped = true then
    .isTrue ⟨h.1, h.2.1, h.2.2.1, h.2.2.2⟩
  else .isFalse fun m => h ⟨m.full, m.empty, m.bytes, m.flipped⟩

end Pipeline

end Razorgirl
