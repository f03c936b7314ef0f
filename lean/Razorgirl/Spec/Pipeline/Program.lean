module

public import Razorgirl.Spec.Pipeline.Barrier

@[expose] public section

/-!
# Pipelines as programs

A pipeline of one CTA: *roles* (a producer warp, consumer warpgroups) run a list of operations each, beside the asynchronous
units (TMA, `wgmma`). Every role counts the trips of its loop, of which each role has `K`, and its *position* in a ring of
stages: position `n` uses stage `n % S` in the phases `n / S` of the barriers of that stage.

An access of a buffer is an interval between two operations. What goes wrong is said of buffers and arrivals: two accesses
overlap of which one writes, a read finds another tile than that of its position, a barrier is arrived on beyond its count.
A wait sees a parity only, as `mbarrier.try_wait.parity` does.

Not modelled: several CTAs, named barriers, several rings, loops in loops, `cp.async` and bulk stores, a role that exits while its
groups or loads are in flight, an arrival before any wait has seen the phase before it, the bound of the tx-count, bytes that are
left over at the end. `rust/pipeline` explores these too. Memory ordering beyond barriers is modelled nowhere.
Source: PTX ISA, `mbarrier`, `cp.async.bulk`, `wgmma.wait_group`; CUTLASS `PipelineState`.
-/

namespace Razorgirl

namespace Pipeline

/-- A barrier or a buffer: one, or one for each stage of the ring. -/
structure Place where
  /-- its number; in a ring that of stage 0 -/
  first : Nat
  /-- one for each stage -/
  ring : Bool
  /-- how many positions before that of the role -/
  back : Nat
deriving DecidableEq

/-- The number of the barrier or buffer that a role at position `n` means, with `S` stages. -/
def Place.slot (S n : Nat) (p : Place) : Nat :=
  if p.ring then p.first + (((n : Int) - p.back) % S).toNat else p.first

/-- The parity that a role at position `n` waits for: that of the phase `n / S`, or of the one before. -/
def Place.parity (S n : Nat) (flipped : Bool) (p : Place) : Nat :=
  (((if p.ring then ((n : Int) - p.back) / S else 0) + if flipped then 1 else 0) % 2).toNat

/-- What a buffer holds. -/
inductive Tile where
  /-- nothing yet -/
  | nothing
  /-- the only tile of a buffer outside the ring -/
  | single
  /-- the tile of a position -/
  | trip (n : Int)
deriving DecidableEq

/-- The tile that a role at position `n` writes to a place, or expects there. -/
def Place.tile (n : Nat) (p : Place) : Tile := if p.ring then .trip ((n : Int) - p.back) else .single

/-- An operation of a role. -/
inductive Instr where
  /-- `mbarrier.try_wait.parity` until it is true -/
  | wait (on : Place) (flipped : Bool)
  /-- `n` arrivals, one after the other -/
  | arrive (on : Place) (n : Nat)
  /-- `mbarrier.expect_tx` -/
  | expect (on : Place) (bytes : Nat)
  /-- `mbarrier.arrive.expect_tx` -/
  | arriveExpect (on : Place) (bytes : Nat)
  /-- a TMA load into a buffer, which completes bytes on a barrier when it lands -/
  | tma (into on : Place) (bytes : Nat)
  /-- the role's threads begin to read a buffer -/
  | read (of : Place)
  /-- they have read it -/
  | readDone (of : Place)
  /-- the role's threads begin to write a buffer -/
  | write (of : Place)
  /-- they have written it -/
  | writeDone (of : Place)
  /-- a group of asynchronous reads of a buffer (`wgmma`) -/
  | group (of : Place)
  /-- wait until at most `n` groups are in flight; the oldest end first -/
  | groupWait (n : Nat)
  /-- the next position -/
  | next
  /-- one more trip if there is one, and else go on at `exit` -/
  | head (exit : Nat)
  /-- go on there -/
  | jump (to : Nat)
deriving DecidableEq

/-- An mbarrier with what it was declared as. -/
structure Slot where
  /-- it belongs to a stage of the ring -/
  ring : Bool
  /-- arrivals per phase -/
  count : Nat
  /-- its state -/
  bar : Mbar
deriving DecidableEq

/-- A pipeline. -/
structure Program where
  /-- stages of the ring -/
  stages : Nat
  /-- the least number of trips -/
  least : Nat
  /-- for each barrier whether it belongs to the ring, and its arrivals per phase -/
  barriers : List (Bool × Nat)
  /-- how many buffers there are -/
  buffers : Nat
  /-- what each role does -/
  roles : List (List Instr)
deriving DecidableEq

namespace Program

/-- Where a role stands. -/
structure RoleState where
  /-- its next operation -/
  pc : Nat
  /-- its position in the ring -/
  pos : Nat
  /-- trips that are left -/
  left : Nat
  /-- the buffers that its groups in flight read, the oldest first -/
  groups : List Nat
deriving DecidableEq

/-- A buffer in shared memory. -/
structure BufferState where
  /-- the tile that was written last -/
  tile : Tile
  /-- writes that have begun and not ended -/
  writers : Nat
  /-- reads that have begun and not ended -/
  readers : Nat
deriving DecidableEq

/-- A TMA load that has been issued and has not landed. -/
structure Flight where
  /-- the buffer that it writes -/
  buffer : Nat
  /-- the barrier that it completes bytes on -/
  barrier : Nat
  /-- how many -/
  bytes : Nat
  /-- what it brings -/
  tile : Tile
deriving DecidableEq

/-- Roles, barriers, buffers and loads in flight. -/
structure State where
  /-- the roles -/
  roles : List RoleState
  /-- the barriers -/
  barriers : List Slot
  /-- the buffers -/
  buffers : List BufferState
  /-- loads that have not landed -/
  flight : List Flight
deriving DecidableEq

/-- Nothing has happened, and every role has `K` trips before it. -/
def start (p : Program) (K : Nat) : State where
  roles := p.roles.map fun _ => ⟨0, 0, K, []⟩
  barriers := p.barriers.map fun b => ⟨b.1, b.2, Mbar.init b.2⟩
  buffers := List.replicate p.buffers ⟨.nothing, 0, 0⟩
  flight := []

/-- What goes wrong. -/
inductive Fault where
  /-- an arrival on a barrier that has none pending -/
  | overArrival
  /-- a buffer is written while it is read or written, or read while it is written -/
  | race
  /-- a read finds another tile than that of its position -/
  | wrongTile
deriving DecidableEq

/-- What an action does: it cannot happen now, goes wrong, or leads to a state. -/
inductive Outcome where
  | blocked
  | wrong (f : Fault)
  | next (s : State)
deriving DecidableEq

/-- The state with role `r` at another place. -/
def State.go (s : State) (r : Nat) (me : RoleState) : State := { s with roles := s.roles.set r me }

/-- The barrier changes and the role goes on, or no such barrier is there, or the arrival is one too many. -/
def onBarrier (s : State) (r : Nat) (me : RoleState) (i : Nat) (f : Slot → Option Mbar) : Outcome :=
  match s.barriers[i]? with
  | none => .blocked
  | some b =>
    match f b with
    | none => .wrong .overArrival
    | some bar => .next { s with barriers := s.barriers.set i { b with bar }, roles := s.roles.set r me }

/-- The buffer changes and the role goes on, or no such buffer is there, or the access goes wrong. -/
def onBuffer (s : State) (r : Nat) (me : RoleState) (i : Nat) (f : BufferState → Except Fault BufferState) : Outcome :=
  match s.buffers[i]? with
  | none => .blocked
  | some b =>
    match f b with
    | .error fault => .wrong fault
    | .ok b => .next { s with buffers := s.buffers.set i b, roles := s.roles.set r me }

/-- A read of a tile begins. -/
def BufferState.read (tile : Tile) (b : BufferState) : Except Fault BufferState :=
  if b.writers ≠ 0 then .error .race
  else if b.tile = tile then .ok { b with readers := b.readers + 1 }
  else .error .wrongTile

/-- A write begins. -/
def BufferState.write (b : BufferState) : Except Fault BufferState :=
  if b.writers ≠ 0 ∨ b.readers ≠ 0 then .error .race else .ok { b with writers := b.writers + 1 }

/-- A write ends: the tile is there. -/
def BufferState.written (tile : Tile) (b : BufferState) : BufferState := { b with writers := b.writers - 1, tile := tile }

/-- Reads of these buffers end. -/
def release : List Nat → List BufferState → List BufferState
  | [], bs => bs
  | i :: is, bs =>
    match bs[i]? with
    | none => release is bs
    | some b => release is (bs.set i { b with readers := b.readers - 1 })

/-- What an operation of role `r` does, which stands at `me`. -/
def operate (S : Nat) (s : State) (r : Nat) (me : RoleState) : Instr → Outcome
  | .wait on flipped =>
    match s.barriers[on.slot S me.pos]? with
    | none => .blocked
    | some b => if b.bar.test (on.parity S me.pos flipped) then .next (s.go r { me with pc := me.pc + 1 }) else .blocked
  | .arrive on n => onBarrier s r { me with pc := me.pc + 1 } (on.slot S me.pos) fun b => b.bar.arrivals b.count n
  | .expect on bytes =>
    onBarrier s r { me with pc := me.pc + 1 } (on.slot S me.pos) fun b => some (b.bar.expect b.count bytes)
  | .arriveExpect on bytes =>
    onBarrier s r { me with pc := me.pc + 1 } (on.slot S me.pos) fun b => b.bar.arriveExpect b.count bytes
  | .tma into on bytes =>
    let load : Flight := ⟨into.slot S me.pos, on.slot S me.pos, bytes, into.tile me.pos⟩
    onBuffer { s with flight := s.flight ++ [load] } r { me with pc := me.pc + 1 } load.buffer BufferState.write
  | .read of => onBuffer s r { me with pc := me.pc + 1 } (of.slot S me.pos) (BufferState.read (of.tile me.pos))
  | .readDone of =>
    onBuffer s r { me with pc := me.pc + 1 } (of.slot S me.pos) fun b => .ok { b with readers := b.readers - 1 }
  | .write of => onBuffer s r { me with pc := me.pc + 1 } (of.slot S me.pos) BufferState.write
  | .writeDone of =>
    onBuffer s r { me with pc := me.pc + 1 } (of.slot S me.pos) fun b => .ok (b.written (of.tile me.pos))
  | .group of =>
    onBuffer s r { me with pc := me.pc + 1, groups := me.groups ++ [of.slot S me.pos] } (of.slot S me.pos)
      (BufferState.read (of.tile me.pos))
  | .groupWait n =>
    let ended := me.groups.length - n
    .next { s with
      roles := s.roles.set r { me with pc := me.pc + 1, groups := me.groups.drop ended }
      buffers := release (me.groups.take ended) s.buffers }
  | .next => .next (s.go r { me with pc := me.pc + 1, pos := me.pos + 1 })
  | .head exit =>
    if me.left = 0 then .next (s.go r { me with pc := exit })
    else .next (s.go r { me with pc := me.pc + 1, left := me.left - 1 })
  | .jump to => .next (s.go r { me with pc := to })

/-- What may happen next. -/
inductive Action where
  /-- a role does its next operation -/
  | role (r : Nat)
  /-- a load in flight lands -/
  | land (i : Nat)
deriving DecidableEq

/-- The outcome of an action. A role behind its last operation has exited. -/
def act (p : Program) (s : State) : Action → Outcome
  | .role r =>
    match p.roles[r]?, s.roles[r]? with
    | some code, some me =>
      match code[me.pc]? with
      | none => .blocked
      | some instr => operate p.stages s r me instr
    | _, _ => .blocked
  | .land i =>
    match s.flight[i]? with
    | none => .blocked
    | some f =>
      match s.barriers[f.barrier]?, s.buffers[f.buffer]? with
      | some b, some a =>
        .next { s with
          barriers := s.barriers.set f.barrier { b with bar := b.bar.complete b.count f.bytes }
          buffers := s.buffers.set f.buffer (a.written f.tile)
          flight := s.flight.take i ++ s.flight.drop (i + 1) }
      | _, _ => .blocked

/-- The states that some order of actions leads to, with `K` trips. -/
inductive Reachable (p : Program) (K : Nat) : State → Prop
  | start : Reachable p K (p.start K)
  | step {s t : State} (a : Action) : Reachable p K s → p.act s a = .next t → Reachable p K t

/-- Every role has exited. -/
def Done (p : Program) (s : State) : Prop :=
  ∀ (r : Nat) (code : List Instr) (me : RoleState), p.roles[r]? = some code → s.roles[r]? = some me → code.length ≤ me.pc

/-- Nothing can happen, and some role has not exited. -/
def Deadlock (p : Program) (s : State) : Prop := (∀ a, p.act s a = .blocked) ∧ ¬ p.Done s

/-- For every number of trips from the least, in every order of events: no action goes wrong, and there is no deadlock. -/
def Correct (p : Program) : Prop :=
  ∀ K, p.least ≤ K → ∀ s, p.Reachable K s → (∀ a f, p.act s a ≠ .wrong f) ∧ ¬ p.Deadlock s

end Program

end Pipeline

end Razorgirl
