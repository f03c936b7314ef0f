module

public import Razorgirl.Spec.Pipeline.Program

@[expose] public section

/-!
# One finite set of states for every number of trips

A state in which every role has one more trip left, or stands two rounds of the ring further on, goes on as the state before:
parities and stages are the same. So a finite set of states, closed under all actions up to such *shifts*, covers the runs of
every number of trips. `closed` decides whether a set is closed; how the set was found does not matter.
Source: none; the argument is that of `rust/pipeline`, which explores positions relative to the ring.
-/

namespace Razorgirl

namespace Pipeline

namespace Program

/-- A tile `n` positions later. -/
def shiftTile (n : Nat) : Tile → Tile
  | .trip k => .trip (k + n)
  | tile => tile

/-- The state `2 d` rounds of the ring later, in which every role has `k` more trips left. -/
def State.shift (S d k : Nat) (s : State) : State where
  roles := s.roles.map fun r => { r with pos := r.pos + 2 * S * d, left := r.left + k }
  barriers := s.barriers.map fun b => if b.ring then { b with bar := { b.bar with phase := b.bar.phase + 2 * d } } else b
  buffers := s.buffers.map fun b => { b with tile := shiftTile (2 * S * d) b.tile }
  flight := s.flight.map fun f => { f with tile := shiftTile (2 * S * d) f.tile }

/-- An outcome, shifted. -/
def Outcome.shift (S d k : Nat) : Outcome → Outcome
  | .next s => .next (s.shift S d k)
  | o => o

/-- A set of states, by the bits of a key. -/
inductive Trie where
  | leaf (states : List State)
  | node (even odd : Trie)

/-- Whether a state is in the set. -/
def Trie.has (u : State) : Nat → Trie → Bool
  | _, .leaf states => states.contains u
  | key, .node even odd => if key % 2 = 0 then even.has u (key / 2) else odd.has u (key / 2)

/-- All states of the set pass. -/
def Trie.all (f : State → Bool) : Trie → Bool
  | .leaf states => states.all f
  | .node even odd => even.all f && odd.all f

/-- The set with one state more. -/
def Trie.insert (u : State) : Nat → Trie → Trie
  | _, .leaf states => .leaf (u :: states)
  | key, .node even odd =>
    if key % 2 = 0 then .node (even.insert u (key / 2)) odd else .node even (odd.insert u (key / 2))

/-- The empty set, with `2 ^ n` leaves. -/
def Trie.empty : Nat → Trie
  | 0 => .leaf []
  | n + 1 => .node (empty n) (empty n)

/-- A number for a state, by which it is found. -/
def State.key (s : State) : Nat :=
  let tile : Tile → Nat := fun t => match t with
    | .nothing => 0
    | .single => 1
    | .trip n => (n + 64).toNat
  let roles := s.roles.foldl (fun h r => (h * 31 + r.pc * 7 + r.pos * 5 + r.left * 3 + r.groups.length) % 1000003) 7
  let barriers := s.barriers.foldl (fun h b => (h * 37 + b.bar.phase * 5 + b.bar.pending * 3 + b.bar.tx.toNat) % 1000003) roles
  let buffers := s.buffers.foldl (fun h b => (h * 41 + tile b.tile * 5 + b.readers * 3 + b.writers) % 1000003) barriers
  s.flight.foldl (fun h f => (h * 43 + f.buffer * 5 + f.bytes + tile f.tile) % 1000003) buffers

/-- A state is a member of the set, shifted. -/
def covers (S : Nat) (set : Trie) (t u : State) (d k : Nat) : Bool := set.has u u.key && decide (t = u.shift S d k)

/-- All roles have exited. -/
def exited (p : Program) (s : State) : Bool := (p.roles.zip s.roles).all fun x => decide (x.1.length ≤ x.2.pc)

/-- Every action of a state can go on: none goes wrong, what follows passes, and some action is possible unless all roles have
exited. -/
def goesOn (p : Program) (pass : State → Bool) (s : State) : Bool :=
  let actions := (List.range s.roles.length).map Action.role ++ (List.range s.flight.length).map Action.land
  let outcomes := actions.map (p.act s)
  outcomes.all (fun o => match o with | .blocked => true | .wrong _ => false | .next t => pass t) &&
    (p.exited s || outcomes.any fun o => match o with | .blocked => false | _ => true)

/-- Two sets of states, and for each state the member, the rounds and the trips by which it is that member shifted. In `more`
every role has at least one trip more than the state says; `last` has the numbers of trips as they are. -/
structure Certificate where
  more : Trie
  last : Trie
  normal : State → State × Nat × Nat

/-- The state is in `last` at other rounds. -/
def Certificate.inLast (S : Nat) (c : Certificate) (t : State) : Bool :=
  let n := c.normal t
  covers S c.last t (n.1.shift S 0 n.2.2) n.2.1 0

/-- The state is in `more` at other rounds, with some trips more, and that member is in `last`. -/
def Certificate.inMore (S : Nat) (c : Certificate) (t : State) : Bool :=
  let n := c.normal t
  covers S c.more t n.1 n.2.1 n.2.2

/-- The sets are closed: they have the start; all states of `more` are in `last` as well; no action goes wrong or leads out of
them. -/
def Certificate.closed (p : Program) (c : Certificate) : Bool :=
  c.inMore p.stages (p.start p.least) && c.inLast p.stages (p.start p.least) &&
    c.more.all (fun u => c.inLast p.stages u && goesOn p (c.inMore p.stages) (u.shift p.stages 0 1)) &&
    c.last.all (goesOn p (c.inLast p.stages))

end Program

end Pipeline

end Razorgirl
