module

public import Razorgirl.Thm.Pipeline.Steps

@[expose] public section

/-!
# A matched ring is correct, for every number of trips
-/

namespace Razorgirl

namespace Pipeline

namespace Ring

theorem Invariant.not_wrong {r : Ring} {K : Nat} {s : State} (v : r.Valid) (m : r.Matched) (inv : r.Invariant K s) :
    ¬ r.Wrong K s := by
  intro w
  cases w with
  | early c j hc reads hj new =>
    have := inv.arrived c hc _ reads j hj
    rw [new] at this
    exact Bool.false_ne_true this
  | overwritten c k hc reads lo hi same =>
    have := inv.ahead c hc
    exact mod_ne lo (by omega) same
  | overArrival a act =>
    cases a with
    | issue =>
      simp only [Ring.act, m.flipped, if_true] at act
      split at act
      · next h =>
        obtain ⟨b, e, _⟩ := inv.issue v m h.1 h.2
        rw [e] at act
        cases act
      · cases act
    | land k j => simp only [Ring.act] at act; split at act <;> cases act
    | pass c => simp only [Ring.act] at act; split at act <;> cases act
    | free c =>
      simp only [Ring.act] at act
      split at act
      · next h =>
        obtain ⟨b, e, _⟩ := inv.free v m h.1 h.2
        rw [e] at act
        cases act
      · cases act

theorem Invariant.not_deadlock {r : Ring} {K : Nat} {s : State} (v : r.Valid) (m : r.Matched) (inv : r.Invariant K s) :
    ¬ r.Deadlock K s := by
  rintro ⟨stuck, left⟩
  have pos := v.stages
  have pc := v.consumers
  -- nobody reads
  have idle : ∀ c, c < r.consumers → s.passed c = s.freed c := fun c hc => by
    have o := inv.order c hc
    rcases Nat.lt_or_ge (s.freed c) (s.passed c) with lt | ge
    · obtain ⟨b, e, _⟩ := inv.free v m hc lt
      have := stuck (.free c)
      simp only [Ring.act, if_pos (And.intro hc lt), e] at this
      cases this
    · omega
  -- all that is issued has landed
  have landed : ∀ k, k < s.issued → ∀ j, j < r.loads.length → s.landed k j = true := fun k hk j hj => by
    rcases new : s.landed k j with _ | _
    · have := stuck (.land k j)
      simp only [Ring.act, if_pos (And.intro hk (And.intro hj new))] at this
      cases this
    · rfl
  -- so every consumer is where the producer is
  have level : ∀ c, c < r.consumers → s.freed c = s.issued := fun c hc => by
    have be := inv.behind c hc
    have e := idle c hc
    rcases Nat.lt_or_ge (s.passed c) s.issued with lt | ge
    · have test := (inv.test_full v hc e).mpr ⟨lt, landed _ lt⟩
      have := stuck (.pass c)
      have bd := inv.bound
      simp only [Ring.act, if_pos (And.intro hc (And.intro (Nat.lt_of_lt_of_le lt bd) (And.intro e test)))] at this
      cases this
    · omega
  rcases Nat.lt_or_eq_of_le inv.bound with lt | eq
  · have test := (inv.test_empty v).mpr fun c hc => by have := level c hc; omega
    obtain ⟨b, e, _⟩ := inv.issue v m lt test
    have := stuck .issue
    simp only [Ring.act, m.flipped, if_true, if_pos (And.intro lt test), e] at this
    cases this
  · exact left ⟨eq, fun c hc => (level c hc).trans eq⟩

theorem correct_of_matched {r : Ring} (v : r.Valid) (m : r.Matched) : r.Correct := fun _ _ h =>
  have inv := Invariant.of_reachable v m h
  ⟨inv.not_wrong v m, inv.not_deadlock v m⟩

end Ring

end Pipeline

end Razorgirl
