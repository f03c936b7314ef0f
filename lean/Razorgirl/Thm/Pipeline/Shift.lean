module

public import Razorgirl.Spec.Pipeline.Certificate

@[expose] public section

/-!
# Every action commutes with a shift
-/

namespace Razorgirl

namespace Pipeline

/-- The stage of a position `2 d` rounds later is the same. -/
theorem Place.slot_shift (S n d : Nat) (p : Place) : p.slot S (n + 2 * S * d) = p.slot S n := by
  unfold Place.slot
  have : ((n + 2 * S * d : Nat) : Int) - p.back = (n : Int) - p.back + S * (2 * d) := by
    push_cast
    rw [Int.mul_comm 2 (S : Int), Int.mul_assoc]
    omega
  rw [this, Int.add_mul_emod_self_left]

/-- The parity of a position `2 d` rounds later is the same. -/
theorem Place.parity_shift (S n d : Nat) (flipped : Bool) (p : Place) :
    p.parity S (n + 2 * S * d) flipped = p.parity S n flipped := by
  unfold Place.parity
  by_cases ring : p.ring = true
  · simp only [ring, if_true]
    have : ((n + 2 * S * d : Nat) : Int) - p.back = (n : Int) - p.back + S * (2 * d) := by
      push_cast
      rw [Int.mul_comm 2 (S : Int), Int.mul_assoc]
      omega
    rw [this]
    by_cases zero : (S : Int) = 0
    · simp [zero]
    · rw [Int.add_mul_ediv_left _ _ zero]
      congr 1
      omega
  · simp [ring]

namespace Program

/-- A barrier in the shifted state. -/
def shiftSlot (d : Nat) (b : Slot) : Slot :=
  if b.ring then { b with bar := { b.bar with phase := b.bar.phase + 2 * d } } else b

/-- A role in the shifted state. -/
def shiftRole (S d k : Nat) (r : RoleState) : RoleState := { r with pos := r.pos + 2 * S * d, left := r.left + k }

/-- A buffer in the shifted state. -/
def shiftBuffer (S d : Nat) (b : BufferState) : BufferState := { b with tile := shiftTile (2 * S * d) b.tile }

/-- A load in the shifted state. -/
def shiftFlight (S d : Nat) (f : Flight) : Flight := { f with tile := shiftTile (2 * S * d) f.tile }

theorem State.shift_eq (S d k : Nat) (s : State) : s.shift S d k =
    ⟨s.roles.map (shiftRole S d k), s.barriers.map (shiftSlot d), s.buffers.map (shiftBuffer S d),
      s.flight.map (shiftFlight S d)⟩ := rfl

theorem shiftTile_inj {n : Nat} {a b : Tile} : shiftTile n a = shiftTile n b ↔ a = b := by
  cases a <;> cases b <;> simp [shiftTile]

theorem Place.tile_shift (S n d : Nat) (p : Place) : p.tile (n + 2 * S * d) = shiftTile (2 * S * d) (p.tile n) := by
  unfold Place.tile
  split
  · simp only [shiftTile, Tile.trip.injEq]
    omega
  · rfl

theorem shiftSlot_count (d : Nat) (b : Slot) : (shiftSlot d b).count = b.count := by
  unfold shiftSlot; split <;> rfl

theorem shiftSlot_test (d parity : Nat) (b : Slot) : (shiftSlot d b).bar.test parity = b.bar.test parity := by
  unfold shiftSlot Mbar.test
  split
  · simp only [Nat.add_mul_mod_self_left]
  · rfl

/-- A barrier whose phase is `n` later. -/
def later (n : Nat) (b : Mbar) : Mbar := { b with phase := b.phase + n }

theorem settle_later (count n : Nat) (b : Mbar) : (later n b).settle count = later n (b.settle count) := by
  unfold Mbar.settle later
  split
  · next h => simp only at h; simp [Nat.add_right_comm]
  · next h => simp

theorem arrive_later (count n : Nat) (b : Mbar) : (later n b).arrive count = (b.arrive count).map (later n) := by
  unfold Mbar.arrive
  by_cases h : b.pending = 0
  · simp [later, h]
  · have := settle_later count n { b with pending := b.pending - 1 }
    simp only [later] at this ⊢
    simp [h, this, later]

theorem arrivals_later (count n i : Nat) (b : Mbar) :
    (later n b).arrivals count i = (b.arrivals count i).map (later n) := by
  induction i with
  | zero => rfl
  | succ i ih =>
    simp only [Mbar.arrivals, ih]
    cases b.arrivals count i with
    | none => rfl
    | some x => simp [arrive_later]

theorem expect_later (count bytes n : Nat) (b : Mbar) : (later n b).expect count bytes = later n (b.expect count bytes) := by
  unfold Mbar.expect
  exact settle_later count n { b with tx := b.tx + bytes }

theorem complete_later (count bytes n : Nat) (b : Mbar) :
    (later n b).complete count bytes = later n (b.complete count bytes) := by
  unfold Mbar.complete
  exact settle_later count n { b with tx := b.tx - bytes }

/-- By how many phases a barrier is shifted. -/
def phases (d : Nat) (b : Slot) : Nat := if b.ring then 2 * d else 0

theorem shiftSlot_eq (d : Nat) (b : Slot) : shiftSlot d b = { b with bar := later (phases d b) b.bar } := by
  unfold shiftSlot phases later
  split <;> simp

/-- A function on a barrier that does not look at its phase commutes with shifts. -/
theorem onBarrier_shift (S d k : Nat) (s : State) (r : Nat) (me : RoleState) (i : Nat) (f : Slot → Option Mbar)
    (commutes : ∀ (n : Nat) (b : Slot), f { b with bar := later n b.bar } = (f b).map (later n)) :
    onBarrier (s.shift S d k) r (shiftRole S d k me) i f = (onBarrier s r me i f).shift S d k := by
  simp only [State.shift_eq, onBarrier, List.getElem?_map]
  cases s.barriers[i]? with
  | none => rfl
  | some b =>
    simp only [Option.map_some, shiftSlot_eq, commutes]
    cases f b with
    | none => rfl
    | some x =>
      simp only [Option.map_some, Outcome.shift, State.shift_eq, List.map_set, shiftSlot_eq]
      rfl

/-- A function on a buffer that commutes with shifts of its tile. -/
theorem onBuffer_shift (S d k : Nat) (s : State) (r : Nat) (me : RoleState) (i : Nat)
    (f g : BufferState → Except Fault BufferState)
    (commutes : ∀ b, g (shiftBuffer S d b) = (f b).map (shiftBuffer S d)) :
    onBuffer (s.shift S d k) r (shiftRole S d k me) i g = (onBuffer s r me i f).shift S d k := by
  simp only [State.shift_eq, onBuffer, List.getElem?_map]
  cases s.buffers[i]? with
  | none => rfl
  | some b =>
    simp only [Option.map_some, commutes]
    cases f b with
    | error e => rfl
    | ok x => simp [Except.map, Outcome.shift, State.shift_eq, List.map_set]

theorem read_shift (S d : Nat) (tile : Tile) (b : BufferState) :
    (shiftBuffer S d b).read (shiftTile (2 * S * d) tile) = (b.read tile).map (shiftBuffer S d) := by
  unfold BufferState.read shiftBuffer
  by_cases w : b.writers = 0 <;> by_cases t : b.tile = tile <;> simp [w, t, shiftTile_inj, Except.map]

theorem write_shift (S d : Nat) (b : BufferState) : (shiftBuffer S d b).write = b.write.map (shiftBuffer S d) := by
  unfold BufferState.write shiftBuffer
  by_cases h : b.writers ≠ 0 ∨ b.readers ≠ 0 <;> simp [h, Except.map]

theorem written_shift (S d : Nat) (tile : Tile) (b : BufferState) :
    (shiftBuffer S d b).written (shiftTile (2 * S * d) tile) = shiftBuffer S d (b.written tile) := rfl

theorem release_shift (S d : Nat) (is : List Nat) (bs : List BufferState) :
    release is (bs.map (shiftBuffer S d)) = (release is bs).map (shiftBuffer S d) := by
  induction is generalizing bs with
  | nil => rfl
  | cons i is ih =>
    simp only [release, List.getElem?_map]
    cases bs[i]? with
    | none => simpa using ih bs
    | some b =>
      have := ih (bs.set i { b with readers := b.readers - 1 })
      simp only [List.map_set] at this
      simpa [shiftBuffer] using this

theorem go_shift (S d k : Nat) (s : State) (r : Nat) (me : RoleState) :
    (s.shift S d k).go r (shiftRole S d k me) = (s.go r me).shift S d k := by
  simp [State.go, State.shift_eq, List.map_set]

/-- An operation of a shifted state: the shifted outcome, unless a loop ends there that does not end here. -/
theorem operate_shift (S d k : Nat) (s : State) (r : Nat) (me : RoleState) (instr : Instr) (more : k = 0 ∨ 0 < me.left) :
    operate S (s.shift S d k) r (shiftRole S d k me) instr = (operate S s r me instr).shift S d k := by
  cases instr with
  | wait on flipped =>
    simp only [operate, shiftRole, Place.slot_shift, Place.parity_shift]
    simp only [State.shift_eq, List.getElem?_map]
    cases s.barriers[on.slot S me.pos]? with
    | none => rfl
    | some b =>
      simp only [Option.map_some, shiftSlot_test]
      split
      · exact congrArg Outcome.next (go_shift S d k s r { me with pc := me.pc + 1 })
      · rfl
  | arrive on n =>
    simp only [operate]
    rw [show (shiftRole S d k me).pos = me.pos + 2 * S * d from rfl, Place.slot_shift]
    exact onBarrier_shift S d k s r { me with pc := me.pc + 1 } _ _ fun n b => arrivals_later _ _ _ _
  | expect on bytes =>
    simp only [operate]
    rw [show (shiftRole S d k me).pos = me.pos + 2 * S * d from rfl, Place.slot_shift]
    exact onBarrier_shift S d k s r { me with pc := me.pc + 1 } _ _ fun n b => by simp [expect_later]
  | arriveExpect on bytes =>
    simp only [operate]
    rw [show (shiftRole S d k me).pos = me.pos + 2 * S * d from rfl, Place.slot_shift]
    exact onBarrier_shift S d k s r { me with pc := me.pc + 1 } _ _ fun n b => by
      simp [Mbar.arriveExpect, expect_later, arrive_later]
  | tma into on bytes =>
    simp only [operate]
    rw [show (shiftRole S d k me).pos = me.pos + 2 * S * d from rfl]
    simp only [Place.slot_shift, Place.tile_shift]
    have := onBuffer_shift S d k
      { s with flight := s.flight ++ [⟨into.slot S me.pos, on.slot S me.pos, bytes, into.tile me.pos⟩] }
      r { me with pc := me.pc + 1 } (into.slot S me.pos) BufferState.write BufferState.write (write_shift S d)
    simp only [State.shift_eq, List.map_append, List.map_cons, List.map_nil] at this
    simpa [shiftFlight] using this
  | read of =>
    simp only [operate]
    rw [show (shiftRole S d k me).pos = me.pos + 2 * S * d from rfl, Place.slot_shift, Place.tile_shift]
    exact onBuffer_shift S d k s r { me with pc := me.pc + 1 } _ _ _ (read_shift S d _)
  | readDone of =>
    simp only [operate]
    rw [show (shiftRole S d k me).pos = me.pos + 2 * S * d from rfl, Place.slot_shift]
    exact onBuffer_shift S d k s r { me with pc := me.pc + 1 } _ _ _ fun b => rfl
  | write of =>
    simp only [operate]
    rw [show (shiftRole S d k me).pos = me.pos + 2 * S * d from rfl, Place.slot_shift]
    exact onBuffer_shift S d k s r { me with pc := me.pc + 1 } _ _ _ (write_shift S d)
  | writeDone of =>
    simp only [operate]
    rw [show (shiftRole S d k me).pos = me.pos + 2 * S * d from rfl, Place.slot_shift, Place.tile_shift]
    exact onBuffer_shift S d k s r { me with pc := me.pc + 1 } _ _ _ fun b => rfl
  | group of =>
    simp only [operate]
    rw [show (shiftRole S d k me).pos = me.pos + 2 * S * d from rfl, Place.slot_shift, Place.tile_shift]
    exact onBuffer_shift S d k s r { me with pc := me.pc + 1, groups := me.groups ++ [of.slot S me.pos] } _ _ _
      (read_shift S d _)
  | groupWait n =>
    simp only [operate, Outcome.shift, State.shift_eq, List.map_set, release_shift]
    rfl
  | next =>
    simp only [operate]
    refine congrArg Outcome.next ?_
    rw [← go_shift]
    congr 1
    simp only [shiftRole, RoleState.mk.injEq, true_and, and_true]
    omega
  | head exit =>
    simp only [operate]
    by_cases zero : me.left = 0
    · have : k = 0 := by omega
      subst this
      have : (shiftRole S d 0 me).left = 0 := by simp [shiftRole, zero]
      rw [if_pos this, if_pos zero]
      exact congrArg Outcome.next (go_shift S d 0 s r { me with pc := exit })
    · have : (shiftRole S d k me).left ≠ 0 := by simp only [shiftRole]; omega
      rw [if_neg this, if_neg zero]
      refine congrArg Outcome.next ?_
      rw [← go_shift]
      congr 1
      simp only [shiftRole, RoleState.mk.injEq, true_and, and_true]
      omega
  | jump to =>
    exact congrArg Outcome.next (go_shift S d k s r { me with pc := to })

/-- **An action of a shifted state has the shifted outcome, unless a loop ends that does not end in the other state.**
Source: none; what `rust/pipeline` explores rests on it -/
theorem act_shift {p : Program} {s : State} (d k : Nat) (more : k = 0 ∨ ∀ me ∈ s.roles, 0 < me.left) (a : Action) :
    p.act (s.shift p.stages d k) a = (p.act s a).shift p.stages d k := by
  cases a with
  | role r =>
    have roles : (s.shift p.stages d k).roles[r]? = (s.roles[r]?).map (shiftRole p.stages d k) := by
      simp [State.shift_eq]
    simp only [act, roles]
    cases p.roles[r]? with
    | none => rfl
    | some code =>
      cases at_ : s.roles[r]? with
      | none => rfl
      | some me =>
        have mem : me ∈ s.roles := List.mem_of_getElem? at_
        simp only [Option.map_some]
        rw [show (shiftRole p.stages d k me).pc = me.pc from rfl]
        cases code[me.pc]? with
        | none => rfl
        | some instr => exact operate_shift p.stages d k s r me instr (more.imp id fun all => all me mem)
  | land i =>
    simp only [act, State.shift_eq, List.getElem?_map]
    cases s.flight[i]? with
    | none => rfl
    | some f =>
      simp only [Option.map_some, shiftFlight]
      cases s.barriers[f.barrier]? with
      | none => rfl
      | some b =>
        cases s.buffers[f.buffer]? with
        | none => rfl
        | some x =>
          simp only [Option.map_some, Outcome.shift, State.shift_eq, List.map_set, List.map_append, List.map_take,
            List.map_drop, written_shift, shiftSlot_eq, complete_later]
          rfl

/-- Two shifts, one after the other. -/
theorem State.shift_shift (S d k d' k' : Nat) (s : State) : (s.shift S d k).shift S d' k' = s.shift S (d + d') (k + k') := by
  simp only [State.shift_eq, List.map_map]
  congr 1
  · refine List.map_congr_left fun r _ => ?_
    simp only [Function.comp, shiftRole, Nat.mul_add, RoleState.mk.injEq, true_and, and_true]
    omega
  · refine List.map_congr_left fun b _ => ?_
    simp only [Function.comp, shiftSlot_eq, later, phases]
    by_cases ring : b.ring = true <;> simp [ring]
    omega
  · refine List.map_congr_left fun b _ => ?_
    rcases b with ⟨t, w, r⟩
    cases t <;> simp [shiftBuffer, shiftTile, Nat.mul_add]
    omega
  · refine List.map_congr_left fun f _ => ?_
    rcases f with ⟨b, m, n, t⟩
    cases t <;> simp [shiftFlight, shiftTile, Nat.mul_add]
    omega

/-- The start with more trips is the start shifted. -/
theorem start_shift (p : Program) (K k : Nat) : p.start (K + k) = (p.start K).shift p.stages 0 k := by
  simp only [start, State.shift_eq, List.map_map, List.map_replicate, List.map_nil]
  congr 1
  refine List.map_congr_left fun b _ => ?_
  simp [shiftSlot, Function.comp]

end Program

end Pipeline

end Razorgirl
