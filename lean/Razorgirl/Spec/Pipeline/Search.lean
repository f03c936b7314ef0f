module

public import Razorgirl.Spec.Pipeline.Certificate

@[expose] public section

/-!
# The search for a certificate

What is found here is not trusted: `Certificate.closed` decides.
-/

namespace Razorgirl

namespace Pipeline

namespace Program

/-- The least of some numbers; 0 of none. -/
def leastOf : List Nat → Nat
  | [] => 0
  | [n] => n
  | n :: ns => Nat.min n (leastOf ns)

/-- How many rounds of the ring, two each, a state can be moved back. -/
def State.rounds (S : Nat) (s : State) : Nat :=
  let phases := (s.barriers.filter fun b => b.ring).map fun b => b.bar.phase / 2
  Nat.min (leastOf (s.roles.map fun r => r.pos / (2 * S))) (if phases.isEmpty then 0 else leastOf phases)

/-- A tile `n` positions before. -/
def unshiftTile (n : Nat) : Tile → Tile
  | .trip k => .trip (k - n)
  | tile => tile

/-- The state `2 d` rounds before, in which every role has `k` fewer trips left. -/
def State.unshift (S d k : Nat) (s : State) : State where
  roles := s.roles.map fun r => { r with pos := r.pos - 2 * S * d, left := r.left - k }
  barriers := s.barriers.map fun b => if b.ring then { b with bar := { b.bar with phase := b.bar.phase - 2 * d } } else b
  buffers := s.buffers.map fun b => { b with tile := unshiftTile (2 * S * d) b.tile }
  flight := s.flight.map fun f => { f with tile := unshiftTile (2 * S * d) f.tile }

/-- The state moved back as far as it can be, by how many rounds, and by how many trips. -/
def State.normal (S : Nat) (s : State) : State × Nat × Nat :=
  let d := s.rounds S
  let k := leastOf (s.roles.map fun r => r.left)
  (s.unshift S d k, d, k)

/-- The states that follow; none if an action goes wrong. -/
def after (p : Program) (s : State) : Option (List State) :=
  let actions := (List.range s.roles.length).map Action.role ++ (List.range s.flight.length).map Action.land
  actions.foldr (fun a found => match found, p.act s a with
    | none, _ => none
    | some ts, .blocked => some ts
    | some _, .wrong _ => none
    | some ts, .next t => some (t :: ts)) (some [])

/-- Adds what is new to the set, and to the work. -/
def add : List State → List State × List State × Trie → List State × List State × Trie
  | [], found => found
  | t :: ts, (work, all, set) => add ts (if set.has t t.key then (work, all, set) else (t :: work, t :: all, set.insert t t.key))

/-- All states that lead on from the work, at most so many. -/
def explore (next : State → Option (List State)) : Nat → List State × List State × Trie → Option (List State × Trie)
  | _, ([], all, set) => some (all, set)
  | 0, _ => none
  | n + 1, (u :: work, all, set) =>
    match next u with
    | none => none
    | some ts => explore next n (add ts (work, all, set))

/-- A certificate, if at most so many states are needed for each of its sets. -/
def search (p : Program) (most : Nat) : Option Certificate :=
  let S := p.stages
  let normal : State → State := fun t => (t.normal S).1
  let rounds : State → State := fun t => let n := t.normal S; n.1.shift S 0 n.2.2
  let nextMore := fun u => (p.after (u.shift S 0 1)).map fun ts => ts.map normal
  let nextLast := fun u => (p.after u).map fun ts => ts.map rounds
  let start := p.start p.least
  match explore nextMore most (add [normal start] ([], [], Trie.empty 10)) with
  | none => none
  | some (all, more) =>
    match explore nextLast most (add (rounds start :: all.map rounds) ([], [], Trie.empty 10)) with
    | none => none
    | some (_, last) => some ⟨more, last, State.normal S⟩

/-- Whether a search of so many states ends with a closed certificate. -/
def certified (p : Program) (most : Nat) : Bool :=
  match p.search most with
  | none => false
  | some c => c.closed p

/-- A state that the work leads to in which an action goes wrong, or in which nothing can happen and a role has not exited;
at most so many states are looked at, depth first: those that the first roles lead to before the others, or after them. -/
def hunt (p : Program) (first : Bool) : Nat → List State × List State × Trie → Option State
  | _, ([], _) => none
  | 0, _ => none
  | n + 1, (u :: work, all, set) =>
    match p.after u with
    | none => some u
    | some [] => if p.exited u then hunt p first n (work, all, set) else some u
    | some ts => hunt p first n (add (if first then ts.reverse else ts) (work, all, set))

/-- Whether a search of so many states finds a fault or a deadlock with `K` trips. -/
def refuted (p : Program) (K most : Nat) : Bool :=
  decide (p.least ≤ K) && [true, false].any fun first => (p.hunt first most ([p.start K], [], Trie.empty 10)).isSome

end Program

end Pipeline

end Razorgirl
