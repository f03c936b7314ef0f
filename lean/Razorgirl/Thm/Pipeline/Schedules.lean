module

public import Razorgirl.Thm.Pipeline.Lemmas

@[expose] public section

/-!
# Schedules that go wrong in a ring that is not matched
-/

namespace Razorgirl

namespace Pipeline

namespace Ring

/-- Bytes of the first `i` loads. -/
def first (r : Ring) (i : Nat) : Nat := total i fun j => r.loads.getD j 0

/-- A producer that does not start with the flipped parity waits for ever. -/
theorem not_correct_of_not_flipped {r : Ring} (h : r.flipped = false) : ¬ r.Correct := by
  intro correct
  refine (correct 1 r.start .start).2 ⟨fun a => ?_, fun d => absurd d.1 (by simp [Ring.start])⟩
  cases a with
  | issue => simp [Ring.act, Ring.start, h, Mbar.init, Mbar.test]
  | land k j => simp [Ring.act, Ring.start]
  | pass c => simp [Ring.act, Ring.start, Mbar.init, Mbar.test]
  | free c => simp [Ring.act, Ring.start]

/-- One trip is issued and its first `i` loads have landed, in order. -/
structure OneTrip (r : Ring) (i : Nat) (full : Mbar) (s : State) : Prop where
  reach : r.Reachable 1 s
  issued : s.issued = 1
  full : s.full 0 = full
  landed : ∀ j, s.landed 0 j = decide (j < i)
  passed : ∀ c, s.passed c = 0
  freed : ∀ c, s.freed c = 0

/-- The first trip is issued. -/
theorem OneTrip.start {r : Ring} (v : r.Valid) (flip : r.flipped = true) :
    ∃ s, OneTrip r 0 (Mbar.settle r.fullCount ⟨0, r.fullCount - 1, r.expected⟩) s := by
  have np : r.fullCount ≠ 0 := Nat.ne_of_gt v.full
  have expected : Mbar.settle r.fullCount ⟨0, r.fullCount, (r.expected : Int)⟩ = ⟨0, r.fullCount, r.expected⟩ := by
    simp [Mbar.settle, np]
  refine ⟨{ r.start with
    full := put r.start.full 0 (Mbar.settle r.fullCount ⟨0, r.fullCount - 1, r.expected⟩), issued := 1 },
    .step .issue .start ?_, rfl, by simp [put_same], fun j => by simp [Ring.start], fun _ => rfl, fun _ => rfl⟩
  simp [Ring.act, Ring.start, flip, Mbar.init, Mbar.test, Mbar.arriveExpect, Mbar.expect, Mbar.arrive, expected, np]

/-- One more load lands while the phase is not complete. -/
theorem OneTrip.land {r : Ring} {i p : Nat} {x : Int} {s : State} (h : OneTrip r i ⟨0, p, x⟩ s) (hi : i < r.loads.length) :
    ∃ t, OneTrip r (i + 1) (Mbar.settle r.fullCount ⟨0, p, x - r.loads.getD i 0⟩) t := by
  have new : s.landed 0 i = false := by rw [h.landed]; simp
  have act : r.act 1 s (.land 0 i) = .next { s with
      full := put s.full 0 ((s.full 0).complete r.fullCount (r.loads.getD i 0))
      landed := put s.landed 0 (put (s.landed 0) i true) } := by
    simp only [Ring.act]
    rw [if_pos ⟨by rw [h.issued]; exact Nat.one_pos, hi, new⟩, Nat.zero_mod]
  refine ⟨_, .step (.land 0 i) h.reach act, h.issued, ?_, fun j => ?_, h.passed, h.freed⟩
  · simp only [put_same, h.full, Mbar.complete]
  · simp only [put_same]
    by_cases e : j = i
    · subst e; simp [put_same]
    · rw [put_other _ _ e, h.landed]
      have : (j < i) = (j < i + 1) := by apply propext; omega
      simp only [this]

/-- If the phase of the first trip completes before its last load has landed, a consumer reads too early. -/
theorem OneTrip.early {r : Ring} {i : Nat} {b : Mbar} {s : State} (v : r.Valid) (h : OneTrip r i b s) (done : b.phase = 1)
    (hi : i < r.loads.length) : ¬ r.Correct := by
  intro correct
  have act : r.act 1 s (.pass 0) = .next { s with passed := put s.passed 0 (s.passed 0 + 1) } := by
    simp only [Ring.act]
    rw [if_pos ⟨v.consumers, by simp [h.passed], by simp [h.passed, h.freed], by simp [h.passed, h.full, done, Mbar.test]⟩]
  refine (correct 1 _ (.step (.pass 0) h.reach act)).1 (.early 0 i v.consumers ?_ hi ?_)
  · simp [State.reads, put_same, h.passed, h.freed]
  · simp [h.freed, h.landed]

/-- If it does not complete when all loads have landed, nobody can go on. -/
theorem OneTrip.stuck {r : Ring} {b : Mbar} {s : State} (v : r.Valid) (h : OneTrip r r.loads.length b s)
    (open_ : b.phase = 0) : ¬ r.Correct := by
  intro correct
  refine (correct 1 s h.reach).2 ⟨fun a => ?_, fun d => ?_⟩
  · cases a with
    | issue => simp [Ring.act, h.issued]
    | land k j =>
      simp only [Ring.act, h.issued]
      rw [if_neg]
      rintro ⟨hk, hj, new⟩
      have : k = 0 := by omega
      subst this
      rw [h.landed] at new
      simp at new
      omega
    | pass c => simp [Ring.act, h.passed, h.full, open_, Mbar.test]
    | free c => simp [Ring.act, h.passed, h.freed]
  · have := d.2 0 v.consumers
    rw [h.freed] at this
    omega

/-- A `full` barrier that expects more arrivals than the producer's never completes a phase. -/
theorem not_correct_of_fullCount {r : Ring} (v : r.Valid) (flip : r.flipped = true) (h : r.fullCount ≠ 1) : ¬ r.Correct := by
  have big : r.fullCount - 1 ≠ 0 := by have := v.full; omega
  have all : ∀ i, i ≤ r.loads.length → ∃ x s, OneTrip r i ⟨0, r.fullCount - 1, x⟩ s := fun i => by
    induction i with
    | zero =>
      intro _
      obtain ⟨s, o⟩ := OneTrip.start v flip
      exact ⟨_, s, by simpa [Mbar.settle, big] using o⟩
    | succ i ih =>
      intro hi
      obtain ⟨x, s, o⟩ := ih (by omega)
      obtain ⟨t, o⟩ := o.land (by omega)
      exact ⟨_, t, by simpa [Mbar.settle, big] using o⟩
  obtain ⟨x, s, o⟩ := all _ (Nat.le_refl _)
  exact o.stuck v rfl

/-- Bytes that are not those of the loads: the phase completes too early or never. -/
theorem not_correct_of_expected {r : Ring} (v : r.Valid) (flip : r.flipped = true) (one : r.fullCount = 1)
    (h : r.expected ≠ r.loads.sum) : ¬ r.Correct := by
  intro correct
  have all : ∀ i, i ≤ r.loads.length → ∃ s, OneTrip r i ⟨0, 0, r.expected - r.first i⟩ s := fun i => by
    induction i with
    | zero =>
      intro _
      obtain ⟨s, o⟩ := OneTrip.start v flip
      by_cases z : r.expected = 0
      · refine absurd correct (o.early v ?_ ?_)
        · simp [Mbar.settle, one, z]
        · exact List.length_pos_iff.mpr v.loads
      · refine ⟨s, ?_⟩
        simpa [Mbar.settle, one, z, first, total] using o
    | succ i ih =>
      intro hi
      obtain ⟨s, o⟩ := ih (by omega)
      obtain ⟨t, o⟩ := o.land (by omega)
      have e : (r.expected : Int) - r.first i - r.loads.getD i 0 = r.expected - r.first (i + 1) := by
        simp only [first, total]; omega
      rw [e] at o
      by_cases z : (r.expected : Int) - r.first (i + 1) = 0
      · have lt : i + 1 < r.loads.length := by
          rcases Nat.lt_or_eq_of_le hi with lt | eq
          · exact lt
          · have : r.first (i + 1) = r.loads.sum := by unfold first; rw [eq, total_getD]
            omega
        refine absurd correct (o.early v ?_ lt)
        simp [Mbar.settle, z]
      · refine ⟨t, ?_⟩
        simpa [Mbar.settle, z] using o
  obtain ⟨s, o⟩ := all _ (Nat.le_refl _)
  exact o.stuck v rfl correct

end Ring

end Pipeline

end Razorgirl
