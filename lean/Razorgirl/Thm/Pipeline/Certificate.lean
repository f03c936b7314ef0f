module

public import Razorgirl.Thm.Pipeline.Shift

@[expose] public section

/-!
# A closed set proves a pipeline correct
-/

namespace Razorgirl

namespace Pipeline

namespace Program

/-- A state is in the set. -/
def Trie.Mem (u : State) : Trie → Prop
  | .leaf states => u ∈ states
  | .node even odd => even.Mem u ∨ odd.Mem u

theorem Trie.mem_of_has {u : State} {key : Nat} {t : Trie} (h : t.has u key = true) : t.Mem u := by
  induction t generalizing key with
  | leaf states => simpa [Trie.has, Trie.Mem] using h
  | node even odd he ho =>
    simp only [Trie.has] at h
    split at h
    · exact .inl (he h)
    · exact .inr (ho h)

theorem Trie.of_all {f : State → Bool} {u : State} {t : Trie} (h : t.all f = true) (mem : t.Mem u) : f u = true := by
  induction t with
  | leaf states => exact List.all_eq_true.mp h u mem
  | node even odd he ho =>
    simp only [Trie.all, Bool.and_eq_true] at h
    exact mem.elim (he h.1) (ho h.2)

theorem of_covers {S : Nat} {set : Trie} {t u : State} {d k : Nat} (h : covers S set t u d k = true) :
    set.Mem u ∧ t = u.shift S d k := by
  simp only [covers, Bool.and_eq_true, decide_eq_true_eq] at h
  exact ⟨Trie.mem_of_has h.1, h.2⟩

/-- An action that is not blocked is one of a role or of a load that is there. -/
theorem mem_actions {p : Program} {s : State} {a : Action} (can : p.act s a ≠ .blocked) :
    a ∈ (List.range s.roles.length).map Action.role ++ (List.range s.flight.length).map Action.land := by
  cases a with
  | role r =>
    refine List.mem_append_left _ (List.mem_map_of_mem (List.mem_range.mpr ?_))
    refine Classical.byContradiction fun out => can ?_
    have : s.roles[r]? = none := List.getElem?_eq_none (by omega)
    simp only [act, this]
    cases p.roles[r]? <;> rfl
  | land i =>
    refine List.mem_append_right _ (List.mem_map_of_mem (List.mem_range.mpr ?_))
    refine Classical.byContradiction fun out => can ?_
    have : s.flight[i]? = none := List.getElem?_eq_none (by omega)
    simp only [act, this]

theorem exited_iff {p : Program} {s : State} : p.exited s = true ↔ p.Done s := by
  simp only [exited, List.all_eq_true, decide_eq_true_eq]
  refine ⟨fun all r code me hc hm => ?_, fun done x mem => ?_⟩
  · have pair : (p.roles.zip s.roles)[r]? = some (code, me) := by simp [List.getElem?_zip_eq_some, hc, hm]
    exact all _ (List.mem_of_getElem? pair)
  · obtain ⟨r, at_⟩ := List.getElem?_of_mem mem
    obtain ⟨hc, hm⟩ := List.getElem?_zip_eq_some.mp at_
    exact done r x.1 x.2 hc hm

/-- What `goesOn` says of every action. -/
theorem of_goesOn {p : Program} {pass : State → Bool} {s : State} (h : goesOn p pass s = true) :
    (∀ a f, p.act s a ≠ .wrong f) ∧ (∀ a t, p.act s a = .next t → pass t = true) ∧ ¬ p.Deadlock s := by
  simp only [goesOn, Bool.and_eq_true, List.all_eq_true, Bool.or_eq_true, List.any_eq_true] at h
  have listed : ∀ a, p.act s a ≠ .blocked → p.act s a ∈
      ((List.range s.roles.length).map Action.role ++ (List.range s.flight.length).map Action.land).map (p.act s) :=
    fun a can => List.mem_map_of_mem (mem_actions can)
  refine ⟨fun a f e => ?_, fun a t e => ?_, fun dead => ?_⟩
  · have := h.1 _ (listed a (by simp [e]))
    simp [e] at this
  · have := h.1 _ (listed a (by simp [e]))
    simpa [e] using this
  · rcases h.2 with exited | ⟨o, mem, can⟩
    · exact dead.2 (exited_iff.mp exited)
    · obtain ⟨a, _, rfl⟩ := List.mem_map.mp mem
      simp [dead.1 a] at can

/-- A state is covered: by a member of `more` with at least one trip more, or by a member of `last` as it is. -/
def Certificate.Covers (S : Nat) (c : Certificate) (s : State) : Prop :=
  (∃ u d k, c.more.Mem u ∧ s = u.shift S d (k + 1)) ∨ ∃ u d, c.last.Mem u ∧ s = u.shift S d 0

theorem Certificate.of_inLast {S : Nat} {c : Certificate} {t : State} (h : c.inLast S t = true) :
    ∃ u d, c.last.Mem u ∧ t = u.shift S d 0 := ⟨_, _, of_covers h⟩

theorem Certificate.of_inMore {S : Nat} {c : Certificate} {t : State} (h : c.inMore S t = true) :
    ∃ u d k, c.more.Mem u ∧ t = u.shift S d k := ⟨_, _, _, of_covers h⟩

/-- A shifted state is blocked, goes wrong or has exited as the state itself. -/
theorem fine_shift {p : Program} {s : State} {d k : Nat} (more : k = 0 ∨ ∀ me ∈ s.roles, 0 < me.left)
    (right : ∀ a f, p.act s a ≠ .wrong f) (alive : ¬ p.Deadlock s) :
    (∀ a f, p.act (s.shift p.stages d k) a ≠ .wrong f) ∧ ¬ p.Deadlock (s.shift p.stages d k) := by
  refine ⟨fun a f e => ?_, fun dead => alive ⟨fun a => ?_, fun done => dead.2 fun r code me hc hm => ?_⟩⟩
  · rw [act_shift d k more] at e
    cases o : p.act s a with
    | blocked => simp [o, Outcome.shift] at e
    | wrong g => exact right a g o
    | next t => simp [o, Outcome.shift] at e
  · have e := dead.1 a
    rw [act_shift d k more] at e
    cases o : p.act s a with
    | blocked => rfl
    | wrong g => simp [o, Outcome.shift] at e
    | next t => simp [o, Outcome.shift] at e
  · simp only [State.shift_eq, List.getElem?_map, Option.map_eq_some_iff] at hm
    obtain ⟨was, at_, rfl⟩ := hm
    exact done r code was hc at_

/-- **A pipeline with a closed certificate is correct: for every number of trips from the least, in every order of events, no
barrier is arrived on beyond its count, no accesses race, every read finds the tile of its trip, and there is no deadlock.**
How the certificate was found does not matter.
Source: none; the argument is that of `rust/pipeline` -/
theorem correct_of_closed {p : Program} {c : Certificate} (h : c.closed p = true) : p.Correct := by
  simp only [Certificate.closed, Bool.and_eq_true] at h
  obtain ⟨⟨⟨startMore, startLast⟩, more⟩, last⟩ := h
  -- a state of `more`, with `k + 1` trips more
  have ofMore : ∀ u d k, c.more.Mem u → (∀ a f, p.act (u.shift p.stages d (k + 1)) a ≠ .wrong f) ∧
      ¬ p.Deadlock (u.shift p.stages d (k + 1)) ∧
      ∀ a t, p.act (u.shift p.stages d (k + 1)) a = .next t → c.Covers p.stages t := by
    intro u d k mem
    have both := Trie.of_all more mem
    simp only [Bool.and_eq_true] at both
    obtain ⟨right, closed, alive⟩ := of_goesOn both.2
    have left : ∀ me ∈ (u.shift p.stages 0 1).roles, 0 < me.left := by
      intro me hm
      simp only [State.shift_eq, List.mem_map] at hm
      obtain ⟨was, _, rfl⟩ := hm
      simp [shiftRole]
    have split : u.shift p.stages d (k + 1) = (u.shift p.stages 0 1).shift p.stages d k := by
      rw [State.shift_shift, Nat.zero_add, Nat.add_comm 1 k]
    rw [split]
    have fine := fine_shift (d := d) (k := k) (.inr left) right alive
    refine ⟨fine.1, fine.2, fun a t e => ?_⟩
    rw [act_shift d k (.inr left)] at e
    cases o : p.act (u.shift p.stages 0 1) a with
    | blocked => simp [o, Outcome.shift] at e
    | wrong f => simp [o, Outcome.shift] at e
    | next t' =>
      simp only [o, Outcome.shift, Outcome.next.injEq] at e
      obtain ⟨w, d', k', memW, rfl⟩ := Certificate.of_inMore (closed a t' o)
      rw [State.shift_shift] at e
      rcases sum : k' + k with _ | n
      · have inLast := Trie.of_all more memW
        simp only [Bool.and_eq_true] at inLast
        obtain ⟨x, e', memX, rfl⟩ := Certificate.of_inLast inLast.1
        rw [sum, State.shift_shift] at e
        exact .inr ⟨x, _, memX, e.symm⟩
      · rw [sum] at e
        exact .inl ⟨w, _, n, memW, e.symm⟩
  -- a state of `last`
  have ofLast : ∀ u d, c.last.Mem u → (∀ a f, p.act (u.shift p.stages d 0) a ≠ .wrong f) ∧
      ¬ p.Deadlock (u.shift p.stages d 0) ∧ ∀ a t, p.act (u.shift p.stages d 0) a = .next t → c.Covers p.stages t := by
    intro u d mem
    obtain ⟨right, closed, alive⟩ := of_goesOn (Trie.of_all last mem)
    have fine := fine_shift (d := d) (k := 0) (.inl rfl) right alive
    refine ⟨fine.1, fine.2, fun a t e => ?_⟩
    rw [act_shift d 0 (.inl rfl)] at e
    cases o : p.act u a with
    | blocked => simp [o, Outcome.shift] at e
    | wrong f => simp [o, Outcome.shift] at e
    | next t' =>
      simp only [o, Outcome.shift, Outcome.next.injEq] at e
      obtain ⟨w, d', memW, rfl⟩ := Certificate.of_inLast (closed a t' o)
      rw [State.shift_shift] at e
      exact .inr ⟨w, _, memW, e.symm⟩
  have step : ∀ s, c.Covers p.stages s → (∀ a f, p.act s a ≠ .wrong f) ∧ ¬ p.Deadlock s ∧
      ∀ a t, p.act s a = .next t → c.Covers p.stages t := by
    rintro s (⟨u, d, k, mem, rfl⟩ | ⟨u, d, mem, rfl⟩)
    · exact ofMore u d k mem
    · exact ofLast u d mem
  intro K least s reach
  have covered : c.Covers p.stages s := by
    induction reach with
    | start =>
      obtain ⟨k, rfl⟩ := Nat.le.dest least
      rw [start_shift]
      rcases k with _ | k
      · obtain ⟨u, d, mem, e⟩ := Certificate.of_inLast startLast
        rw [e, State.shift_shift]
        exact .inr ⟨u, _, mem, rfl⟩
      · obtain ⟨u, d, k', mem, e⟩ := Certificate.of_inMore startMore
        rw [e, State.shift_shift]
        exact .inl ⟨u, _, _, mem, rfl⟩
    | step a _ e ih => exact (step _ ih).2.2 a _ e
  exact ⟨(step s covered).1, (step s covered).2.1⟩

end Program

end Pipeline

end Razorgirl
