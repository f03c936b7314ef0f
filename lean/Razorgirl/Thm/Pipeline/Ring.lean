module

public import Razorgirl.Thm.Pipeline.Safe
public import Razorgirl.Thm.Pipeline.Rounds

@[expose] public section

/-!
# Which rings are correct
-/

namespace Razorgirl

namespace Pipeline

namespace Ring

/-- **A ring of mbarriers is correct, for every number of trips and in every order of events, exactly if `full` expects one
arrival, `empty` one arrival of each consumer, the producer expects the bytes of all loads, and it starts with the flipped
parity.** Correct: no stage is read before its loads have landed, none is overwritten while it is read, no barrier is arrived
on beyond its count, and there is no deadlock. For each violated condition the proof has a schedule that goes wrong.
Source: CUTLASS `PipelineTmaAsync`; no source states it -/
theorem correct_iff {r : Ring} (v : r.Valid) : r.Correct ↔ r.Matched := by
  refine ⟨fun correct => ?_, correct_of_matched v⟩
  have flip : r.flipped = true := by
    rcases h : r.flipped with _ | _
    · exact absurd correct (not_correct_of_not_flipped h)
    · rfl
  have one : r.fullCount = 1 := Decidable.byContradiction fun h => not_correct_of_fullCount v flip h correct
  have bytes : r.expected = r.loads.sum := Decidable.byContradiction fun h => not_correct_of_expected v flip one h correct
  refine ⟨one, ?_, bytes, flip⟩
  rcases Nat.lt_trichotomy r.emptyCount r.consumers with lt | eq | gt
  · exact absurd correct (not_correct_of_few v flip one bytes lt)
  · exact eq
  · exact absurd correct (not_correct_of_many v flip one bytes gt)

/-- Four stages, two warpgroups, tiles of A and B. -/
example : (Ring.mk 4 2 [16384, 16384] 1 2 32768 true).Correct :=
  (correct_iff ⟨by decide, by decide, by decide, by decide, by decide, by decide⟩).mpr (by decide)

/-- The same with `empty` initialised for 256 threads, of which one in each warpgroup arrives (cutlass 2404). -/
example : ¬ (Ring.mk 4 2 [16384, 16384] 1 256 32768 true).Correct := fun h =>
  absurd ((correct_iff ⟨by decide, by decide, by decide, by decide, by decide, by decide⟩).mp h) (by decide)

/-- **In every reachable state of a matched ring with trips left, some action is possible.**
Source: CUTLASS `PipelineTmaAsync`; no source states it -/
theorem progress {r : Ring} (v : r.Valid) (m : r.Matched) {K : Nat} {s : State} (h : r.Reachable K s) (left : ¬ r.Done K s) :
    ∃ a t, r.act K s a = .next t := by
  have inv := Invariant.of_reachable v m h
  refine Classical.byContradiction fun none => inv.not_deadlock v m ⟨fun a => ?_, left⟩
  cases e : r.act K s a with
  | blocked => rfl
  | overArrival => exact absurd (.overArrival a e) (inv.not_wrong v m)
  | next t => exact absurd ⟨a, t, e⟩ none

/-- **In a matched ring no parity is ever mistaken: at every wait the barrier is in the phase that is waited for, or in the one
after it.** For the producer of trip `k` the phase that is waited for is `k / S - 1`.
Source: PTX ISA, `mbarrier.test_wait.parity`; no source states it of a ring -/
theorem no_alias {r : Ring} (v : r.Valid) (m : r.Matched) {K : Nat} {s : State} (h : r.Reachable K s) :
    (let b := s.empty (s.issued % r.stages); b.phase = s.issued / r.stages ∨ b.phase + 1 = s.issued / r.stages) ∧
    ∀ c, c < r.consumers → s.passed c = s.freed c →
      let b := s.full (s.passed c % r.stages)
      b.phase = s.passed c / r.stages ∨ b.phase = s.passed c / r.stages + 1 := by
  have inv := Invariant.of_reachable v m h
  have pos := v.stages
  constructor
  · have e := inv.empty s.issued (Nat.le_refl _) (by omega)
    simp only [e]
    split
    · exact .inl rfl
    · next hold =>
      have big : ¬ s.issued < r.stages := fun lt => hold (by unfold holding; rw [if_pos lt])
      have : 0 < s.issued / r.stages := Nat.div_pos (by omega) pos
      exact .inr (by simp only; omega)
  · intro c hc idle
    have ah := inv.ahead c hc
    have be := inv.behind c hc
    rcases Nat.lt_or_ge (s.passed c) s.issued with lt | ge
    · have f := inv.full (s.passed c + r.stages) (by omega) (by omega)
      rw [Nat.add_mod_right, Nat.add_div_right _ pos] at f
      simp only [f]
      split
      · exact .inr rfl
      · exact .inl rfl
    · have e : s.passed c = s.issued := by omega
      have f := inv.full s.issued (Nat.le_refl _) (by omega)
      have z : r.missing s s.issued = 0 := by
        rw [missing_eq_zero v]
        rcases Nat.lt_or_ge s.issued r.stages with small | big
        · exact .inl small
        · exact .inr fun j hj => inv.arrived c hc _ (by omega) j hj
      rw [if_pos z] at f
      simp only [e, f]
      exact .inl trivial

end Ring

end Pipeline

end Razorgirl
