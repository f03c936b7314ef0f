module

public import Razorgirl.Spec.Pipeline.Search
public import Razorgirl.Thm.Pipeline.Certificate

@[expose] public section

/-!
# What the search proves
-/

namespace Razorgirl

namespace Pipeline

namespace Program

/-- **A pipeline for which the search ends with a closed certificate is correct for every number of trips.** The converse does
not hold: the search has a bound, and a role outside the ring never closes.
Source: none; the argument is that of `rust/pipeline` -/
theorem correct_of_certified {p : Program} {most : Nat} (h : p.certified most = true) : p.Correct := by
  simp only [certified] at h
  cases e : p.search most with
  | none => simp [e] at h
  | some c => exact correct_of_closed (by simpa [e] using h)

/-- What `after` says of a state. -/
theorem of_after {p : Program} {s : State} :
    (∀ ts, p.after s = some ts → (∀ t ∈ ts, ∃ a, p.act s a = .next t) ∧ (ts = [] → ∀ a, p.act s a = .blocked)) ∧
      (p.after s = none → ∃ a f, p.act s a = .wrong f) := by
  have fold : ∀ actions : List Action,
      (∀ ts, actions.foldr (fun a found => match found, p.act s a with
        | none, _ => none
        | some ts, .blocked => some ts
        | some _, .wrong _ => none
        | some ts, .next t => some (t :: ts)) (some []) = some ts →
        (∀ t ∈ ts, ∃ a, p.act s a = .next t) ∧ (ts = [] → ∀ a ∈ actions, p.act s a = .blocked)) ∧
      (actions.foldr (fun a found => match found, p.act s a with
        | none, _ => none
        | some ts, .blocked => some ts
        | some _, .wrong _ => none
        | some ts, .next t => some (t :: ts)) (some []) = none → ∃ a f, p.act s a = .wrong f) := by
    intro actions
    induction actions with
    | nil => simp
    | cons a actions ih =>
      simp only [List.foldr_cons]
      generalize List.foldr _ (some []) actions = found at ih ⊢
      cases found with
      | none => exact ⟨by simp, fun _ => ih.2 rfl⟩
      | some us =>
        cases e : p.act s a with
        | blocked =>
          refine ⟨fun ts h => ?_, by simp⟩
          obtain rfl : us = ts := by simpa using h
          refine ⟨(ih.1 us rfl).1, fun nil b mem => ?_⟩
          rcases List.mem_cons.mp mem with rfl | mem
          · exact e
          · exact (ih.1 us rfl).2 nil b mem
        | wrong f => exact ⟨by simp, fun _ => ⟨a, f, e⟩⟩
        | next t =>
          refine ⟨fun ts h => ?_, by simp⟩
          obtain rfl : t :: us = ts := by simpa using h
          refine ⟨fun u mem => ?_, by simp⟩
          rcases List.mem_cons.mp mem with rfl | mem
          · exact ⟨a, e⟩
          · exact (ih.1 us rfl).1 u mem
  have all := fold ((List.range s.roles.length).map Action.role ++ (List.range s.flight.length).map Action.land)
  refine ⟨fun ts h => ⟨(all.1 ts h).1, fun nil a => ?_⟩, all.2⟩
  refine Classical.byContradiction fun can => can ((all.1 ts h).2 nil a ?_)
  exact mem_actions can

/-- What is added to the work was there before, or follows. -/
theorem mem_add {ts : List State} {found : List State × List State × Trie} {u : State} (h : u ∈ (add ts found).1) :
    u ∈ found.1 ∨ u ∈ ts := by
  induction ts generalizing found with
  | nil => exact .inl h
  | cons t ts ih =>
    obtain ⟨work, all, set⟩ := found
    rcases ih h with h | h
    · split at h
      · exact .inl h
      · rcases List.mem_cons.mp h with rfl | h
        · exact .inr (List.mem_cons_self ..)
        · exact .inl h
    · exact .inr (List.mem_cons_of_mem _ h)

/-- The state that a hunt finds is reachable, and an action of it goes wrong or it is a deadlock. -/
theorem of_hunt {p : Program} {first : Bool} {K n : Nat} {found : List State × List State × Trie} {s : State}
    (work : ∀ u ∈ found.1, p.Reachable K u) (h : p.hunt first n found = some s) :
    p.Reachable K s ∧ ((∃ a f, p.act s a = .wrong f) ∨ p.Deadlock s) := by
  induction n generalizing found with
  | zero =>
    obtain ⟨w, all, set⟩ := found
    cases w <;> simp [hunt] at h
  | succ n ih =>
    obtain ⟨w, all, set⟩ := found
    cases w with
    | nil => simp [hunt] at h
    | cons u w =>
      have reach : p.Reachable K u := work u (List.mem_cons_self ..)
      have rest : ∀ v ∈ w, p.Reachable K v := fun v mem => work v (List.mem_cons_of_mem _ mem)
      simp only [hunt] at h
      cases e : p.after u with
      | none =>
        simp only [e, Option.some.injEq] at h
        exact h ▸ ⟨reach, .inl (of_after.2 e)⟩
      | some ts =>
        have said := of_after.1 ts e
        cases ts with
        | nil =>
          simp only [e] at h
          split at h
          · exact ih rest h
          · next alive =>
            simp only [Option.some.injEq] at h
            refine h ▸ ⟨reach, .inr ⟨said.2 rfl, fun done => alive ?_⟩⟩
            exact exited_iff.mpr done
        | cons t ts =>
          simp only [e] at h
          refine ih (fun v mem => ?_) h
          rcases mem_add mem with mem | mem
          · exact rest v mem
          · have mem : v ∈ t :: ts := by
              split at mem
              · exact List.mem_reverse.mp mem
              · exact mem
            obtain ⟨a, step⟩ := said.1 v mem
            exact .step a reach step

/-- **A pipeline for which the hunt finds a state is not correct: with `K` trips some order of events goes wrong or ends in a
deadlock.**
Source: none; it is the other half of `rust/pipeline`'s verdicts -/
theorem not_correct_of_refuted {p : Program} {K most : Nat} (h : p.refuted K most = true) : ¬ p.Correct := by
  simp only [refuted, Bool.and_eq_true, decide_eq_true_eq, List.any_eq_true, Option.isSome_iff_exists] at h
  obtain ⟨least, first, _, s, found⟩ := h
  intro correct
  have start : ∀ u ∈ [p.start K], p.Reachable K u := by
    intro u mem
    rw [List.mem_singleton.mp mem]
    exact .start
  obtain ⟨reach, bad⟩ := of_hunt start found
  have fine := correct K least s reach
  rcases bad with ⟨a, f, wrong⟩ | dead
  · exact fine.1 a f wrong
  · exact fine.2 dead

/-- A role that arrives on the barrier of its stage and waits for the phase, with this count. -/
def alone (count : Nat) : Program where
  stages := 1
  least := 0
  barriers := [(true, count)]
  buffers := 0
  roles := [[.head 5, .arrive ⟨0, true, 0⟩ 1, .wait ⟨0, true, 0⟩ false, .next, .jump 0]]

/-- With count 1 it is correct for every number of trips. -/
theorem alone_correct : (alone 1).Correct := correct_of_certified (most := 20) alone_certified
where alone_certified : (alone 1).certified 20 = true := by decide +kernel

/-- With count 2 it waits for an arrival that nobody makes. -/
theorem alone_not_correct : ¬ (alone 2).Correct := not_correct_of_refuted (K := 1) (most := 20) alone_refuted
where alone_refuted : (alone 2).refuted 1 20 = true := by decide +kernel

end Program

end Pipeline

end Razorgirl
