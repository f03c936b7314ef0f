module

public import Razorgirl.Thm.Pipeline.Lemmas

@[expose] public section

/-!
# The invariant of a matched ring

In a matched ring a barrier is a function of what has happened: with `T = k - S` the trip before `k` on a stage, `full` of the
stage of trip `k` is in phase `k / S` when all loads of `T` have landed, else in the phase before with the bytes that are
missing; `empty` likewise, with the consumers that have not released `T`.
-/

namespace Razorgirl

namespace Pipeline

namespace Ring

/-- Bytes of the trip before `k` on its stage that have not landed; 0 where there is none. -/
def missing (r : Ring) (s : State) (k : Nat) : Nat :=
  if k < r.stages then 0
  else total r.loads.length fun j => if s.landed (k - r.stages) j then 0 else r.loads.getD j 0

/-- Consumers that have not released the trip before `k` on its stage. -/
def holding (r : Ring) (s : State) (k : Nat) : Nat :=
  if k < r.stages then 0
  else total r.consumers fun c => if k - r.stages < s.freed c then 0 else 1

structure Invariant (r : Ring) (K : Nat) (s : State) : Prop where
  bound : s.issued ≤ K
  order : ∀ c, c < r.consumers → s.freed c ≤ s.passed c ∧ s.passed c ≤ s.freed c + 1
  ahead : ∀ c, c < r.consumers → s.issued ≤ s.freed c + r.stages
  behind : ∀ c, c < r.consumers → s.passed c ≤ s.issued
  arrived : ∀ c, c < r.consumers → ∀ k, k < s.passed c → ∀ j, j < r.loads.length → s.landed k j = true
  sent : ∀ k j, s.landed k j = true → k < s.issued
  full : ∀ k, s.issued ≤ k → k < s.issued + r.stages → s.full (k % r.stages) =
    if r.missing s k = 0 then ⟨k / r.stages, 1, 0⟩ else ⟨k / r.stages - 1, 0, r.missing s k⟩
  empty : ∀ k, s.issued ≤ k → k < s.issued + r.stages → s.empty (k % r.stages) =
    if r.holding s k = 0 then ⟨k / r.stages, r.consumers, 0⟩ else ⟨k / r.stages - 1, r.holding s k, 0⟩

theorem holding_eq_zero {r : Ring} {s : State} {k : Nat} :
    r.holding s k = 0 ↔ ∀ c, c < r.consumers → k < s.freed c + r.stages := by
  unfold holding
  split
  · next h => exact ⟨fun _ c _ => by omega, fun _ => rfl⟩
  · next h =>
    rw [total_eq_zero_iff]
    constructor
    · intro all c hc
      have := all c hc
      split at this <;> omega
    · intro all c hc
      have := all c hc
      rw [if_pos (by omega)]

theorem missing_eq_zero {r : Ring} (v : r.Valid) {s : State} {k : Nat} :
    r.missing s k = 0 ↔ k < r.stages ∨ ∀ j, j < r.loads.length → s.landed (k - r.stages) j = true := by
  unfold missing
  split
  · next h => simp [h]
  · next h =>
    rw [total_eq_zero_iff]
    have pos : ∀ j, j < r.loads.length → 0 < r.loads.getD j 0 := fun j hj => by
      rw [List.getD_eq_getElem?_getD, List.getElem?_eq_getElem hj]
      exact v.bytes _ (List.getElem_mem hj)
    constructor
    · intro all
      refine .inr fun j hj => ?_
      have z := all j hj
      have p := pos j hj
      split at z
      · assumption
      · omega
    · rintro (lt | all) j hj
      · exact absurd lt h
      · rw [if_pos (all j hj)]

/-- What a wait on `empty` sees. -/
theorem Invariant.test_empty {r : Ring} {K : Nat} {s : State} (v : r.Valid) (inv : r.Invariant K s) :
    (s.empty (s.issued % r.stages)).test (s.issued / r.stages + 1) = true ↔
      ∀ c, c < r.consumers → s.issued < s.freed c + r.stages := by
  have pos := v.stages
  rw [← holding_eq_zero, inv.empty _ (Nat.le_refl _) (by omega)]
  split
  · next h => simp [h, Mbar.test]; omega
  · next h =>
    have big : ¬ s.issued < r.stages := fun lt => h (by unfold holding; rw [if_pos lt])
    have : 0 < s.issued / r.stages := Nat.div_pos (by omega) pos
    simp [h, Mbar.test]
    omega

/-- What a wait on `full` sees. -/
theorem Invariant.test_full {r : Ring} {K : Nat} {s : State} (v : r.Valid) (inv : r.Invariant K s) {c : Nat}
    (hc : c < r.consumers) (idle : s.passed c = s.freed c) :
    (s.full (s.passed c % r.stages)).test (s.passed c / r.stages) = true ↔
      s.passed c < s.issued ∧ ∀ j, j < r.loads.length → s.landed (s.passed c) j = true := by
  have pos := v.stages
  have ah := inv.ahead c hc
  have be := inv.behind c hc
  rcases Nat.lt_or_ge (s.passed c) s.issued with lt | ge
  · have f := inv.full (s.passed c + r.stages) (by omega) (by omega)
    rw [Nat.add_mod_right, Nat.add_div_right _ pos] at f
    have m := missing_eq_zero v (s := s) (k := s.passed c + r.stages)
    rw [Nat.add_sub_cancel] at m
    rw [f]
    split
    · next h =>
      have := m.mp h
      constructor
      · intro _
        refine ⟨lt, ?_⟩
        rcases this with a | a
        · omega
        · exact a
      · intro _
        simp [Mbar.test]
        omega
    · next h =>
      constructor
      · intro t
        simp [Mbar.test] at t
      · rintro ⟨_, all⟩
        exact absurd (m.mpr (.inr all)) h
  · have e : s.passed c = s.issued := by omega
    have f := inv.full s.issued (Nat.le_refl _) (by omega)
    have z : r.missing s s.issued = 0 := by
      rw [missing_eq_zero v]
      rcases Nat.lt_or_ge s.issued r.stages with small | big
      · exact .inl small
      · exact .inr fun j hj => inv.arrived c hc _ (by omega) j hj
    rw [if_pos z] at f
    rw [e, f]
    constructor
    · intro t
      simp [Mbar.test] at t
    · rintro ⟨h, _⟩
      omega

end Ring

end Pipeline

end Razorgirl
