module

public import Razorgirl.Thm.Pipeline.Schedules

@[expose] public section

/-!
# Schedules that go wrong where `empty` expects another number of arrivals than there are consumers

Trip by trip: the loads of a trip land, then the consumers read and release it one after the other.
-/

namespace Razorgirl

namespace Pipeline

namespace Ring

/-- In trip `t`, which is issued: its first `i` loads have landed, and the first `served` consumers have released it. All of it
with `S + 1` trips. -/
structure Round (r : Ring) (t i : Nat) (f e : Mbar) (served : Nat) (s : State) : Prop where
  reach : r.Reachable (r.stages + 1) s
  issued : s.issued = t + 1
  full : s.full t = f
  empty : s.empty t = e
  ahead : ∀ b, t < b → b < r.stages → s.full b = ⟨0, 1, 0⟩ ∧ s.empty b = ⟨0, r.emptyCount, 0⟩
  behind : ∀ b, b < t → s.full b = ⟨1, 1, 0⟩ ∧ s.empty b = ⟨0, r.emptyCount - r.consumers, 0⟩
  landed : ∀ k j, s.landed k j = decide (k < t ∧ j < r.loads.length ∨ k = t ∧ j < i)
  passed : ∀ c, c < r.consumers → s.passed c = if c < served then t + 1 else t
  freed : ∀ c, c < r.consumers → s.freed c = if c < served then t + 1 else t

/-- `t` trips are over. -/
structure Between (r : Ring) (t : Nat) (s : State) : Prop where
  reach : r.Reachable (r.stages + 1) s
  issued : s.issued = t
  ahead : ∀ b, t ≤ b → b < r.stages → s.full b = ⟨0, 1, 0⟩ ∧ s.empty b = ⟨0, r.emptyCount, 0⟩
  behind : ∀ b, b < t → s.full b = ⟨1, 1, 0⟩ ∧ s.empty b = ⟨0, r.emptyCount - r.consumers, 0⟩
  landed : ∀ k j, s.landed k j = decide (k < t ∧ j < r.loads.length)
  passed : ∀ c, c < r.consumers → s.passed c = t
  freed : ∀ c, c < r.consumers → s.freed c = t

theorem Between.start {r : Ring} (one : r.fullCount = 1) : Between r 0 r.start where
  reach := .start
  issued := rfl
  ahead := fun _ _ _ => ⟨by simp [Ring.start, Mbar.init, one], by simp [Ring.start, Mbar.init]⟩
  behind := fun _ h => absurd h (Nat.not_lt_zero _)
  landed := fun _ _ => by simp [Ring.start]
  passed := fun _ _ => rfl
  freed := fun _ _ => rfl

theorem first_lt {r : Ring} (v : r.Valid) {i : Nat} (hi : i < r.loads.length) : r.first i < r.loads.sum := by
  have m : r.first (i + 1) ≤ r.loads.sum := by
    unfold first
    rw [← total_getD]
    exact total_mono hi
  have p : 0 < r.loads.getD i 0 := by
    rw [List.getD_eq_getElem?_getD, List.getElem?_eq_getElem hi]
    exact v.bytes _ (List.getElem_mem hi)
  simp only [first, total] at m ⊢
  omega

theorem first_pos_sum {r : Ring} (v : r.Valid) : 0 < r.loads.sum := by
  have := first_lt v (List.length_pos_iff.mpr v.loads)
  omega

/-- An issue on a stage that has not been used. -/
theorem act_issue {r : Ring} {K : Nat} (v : r.Valid) (flip : r.flipped = true)
    (bytes : r.expected = r.loads.sum) {s : State} {t p : Nat} (ht : s.issued = t) (lt : t < K)
    (full : s.full (t % r.stages) = ⟨p, 1, 0⟩)
    (test : (s.empty (t % r.stages)).test (t / r.stages + 1) = true) :
    r.act K s .issue = .next { s with
      full := put s.full (t % r.stages) ⟨p, 0, r.loads.sum⟩, issued := t + 1 } := by
  have pos := first_pos_sum v
  have ne : ¬ r.loads.sum = 0 := by omega
  simp only [Ring.act, ht, flip, if_true]
  rw [if_pos ⟨lt, test⟩, full]
  simp [Mbar.arriveExpect, Mbar.expect, Mbar.arrive, Mbar.settle, bytes, ne]

theorem Between.issue {r : Ring} (v : r.Valid) (flip : r.flipped = true)
    (bytes : r.expected = r.loads.sum) {t : Nat} {s : State} (h : Between r t s) (ht : t < r.stages) :
    ∃ u, Round r t 0 ⟨0, 0, r.loads.sum⟩ ⟨0, r.emptyCount, 0⟩ 0 u := by
  have at_t := h.ahead t (Nat.le_refl _) ht
  have m : t % r.stages = t := Nat.mod_eq_of_lt ht
  have act := act_issue v flip bytes (K := r.stages + 1) (p := 0) h.issued (by omega) (by rw [m]; exact at_t.1)
    (by rw [m, at_t.2, Nat.div_eq_of_lt ht]; simp [Mbar.test])
  rw [m] at act
  refine ⟨_, .step _ h.reach act, rfl, put_same .., at_t.2, fun b lo hi => ?_, fun b lt => ?_, fun k j => ?_,
    fun c hc => ?_, fun c hc => ?_⟩
  · simp only [put_other _ _ (Nat.ne_of_gt lo)]
    exact h.ahead b (by omega) hi
  · simp only [put_other _ _ (Nat.ne_of_lt lt)]
    exact h.behind b lt
  · simp [h.landed]
  · simp [h.passed c hc]
  · simp [h.freed c hc]

theorem Round.land {r : Ring} (one : r.fullCount = 1) {t i : Nat} {x : Int} {e : Mbar} {s : State} (ht : t < r.stages)
    (h : Round r t i ⟨0, 0, x⟩ e 0 s) (hi : i < r.loads.length) :
    ∃ u, Round r t (i + 1) (Mbar.settle 1 ⟨0, 0, x - r.loads.getD i 0⟩) e 0 u := by
  have new : s.landed t i = false := by rw [h.landed]; simp
  have m : t % r.stages = t := Nat.mod_eq_of_lt ht
  have act : r.act (r.stages + 1) s (.land t i) = .next { s with
      full := put s.full t ((s.full t).complete r.fullCount (r.loads.getD i 0))
      landed := put s.landed t (put (s.landed t) i true) } := by
    simp only [Ring.act]
    rw [if_pos ⟨by rw [h.issued]; exact Nat.lt_succ_self _, hi, new⟩, m]
  refine ⟨_, .step _ h.reach act, h.issued, ?_, h.empty, fun b lo hi => ?_, fun b lt => ?_, fun k j => ?_, h.passed, h.freed⟩
  · simp only [put_same, h.full, Mbar.complete, one]
  · simp only [put_other _ _ (Nat.ne_of_gt lo)]
    exact h.ahead b lo hi
  · simp only [put_other _ _ (Nat.ne_of_lt lt)]
    exact h.behind b lt
  · by_cases ek : k = t
    · subst ek
      simp only [put_same]
      by_cases ej : j = i
      · subst ej; simp [put_same]
      · rw [put_other _ _ ej, h.landed]
        have : (j < i) = (j < i + 1) := by apply propext; omega
        simp only [this]
    · simp only [put_other _ _ ek]
      rw [h.landed]
      simp [ek]

theorem Round.landAll {r : Ring} (v : r.Valid) (one : r.fullCount = 1) {t : Nat} {e : Mbar} {s : State} (ht : t < r.stages)
    (h : Round r t 0 ⟨0, 0, r.loads.sum⟩ e 0 s) : ∃ u, Round r t r.loads.length ⟨1, 1, 0⟩ e 0 u := by
  have all : ∀ i, i < r.loads.length → ∃ u, Round r t i ⟨0, 0, (r.loads.sum : Int) - r.first i⟩ e 0 u := fun i => by
    induction i with
    | zero => intro _; exact ⟨s, by simpa [first, total] using h⟩
    | succ i ih =>
      intro hi
      obtain ⟨u, o⟩ := ih (by omega)
      obtain ⟨w, o⟩ := o.land one ht (by omega)
      have eq : (r.loads.sum : Int) - r.first i - r.loads.getD i 0 = r.loads.sum - r.first (i + 1) := by
        simp only [first, total]; omega
      have lt := first_lt v hi
      have ne : ¬ ((r.loads.sum : Int) - r.first (i + 1) = 0) := by omega
      rw [eq] at o
      exact ⟨w, by simpa [Mbar.settle, ne] using o⟩
  have len := List.length_pos_iff.mpr v.loads
  obtain ⟨u, o⟩ := all (r.loads.length - 1) (by omega)
  obtain ⟨w, o⟩ := o.land one ht (by omega)
  have back : r.loads.length - 1 + 1 = r.loads.length := by omega
  have eq : (r.loads.sum : Int) - r.first (r.loads.length - 1) - r.loads.getD (r.loads.length - 1) 0 = 0 := by
    have : r.first (r.loads.length - 1 + 1) = r.loads.sum := by unfold first; rw [back, total_getD]
    simp only [first, total] at this ⊢
    omega
  rw [eq, back] at o
  exact ⟨w, by simpa [Mbar.settle] using o⟩

/-- The next consumer passes its wait. -/
theorem Round.pass {r : Ring} {t q : Nat} {e : Mbar} {s : State} (ht : t < r.stages)
    (h : Round r t r.loads.length ⟨1, 1, 0⟩ e q s) (hq : q < r.consumers) :
    r.act (r.stages + 1) s (.pass q) = .next { s with passed := put s.passed q (t + 1) } := by
  have p := h.passed q hq
  have f := h.freed q hq
  rw [if_neg (Nat.lt_irrefl _)] at p f
  simp only [Ring.act]
  rw [if_pos ⟨hq, by omega, by omega, by rw [p, Nat.mod_eq_of_lt ht, h.full, Nat.div_eq_of_lt ht]; simp [Mbar.test]⟩, p]

/-- The next consumer reads and releases. -/
theorem Round.serve {r : Ring} {t q : Nat} {e e' : Mbar} {s : State} (ht : t < r.stages)
    (h : Round r t r.loads.length ⟨1, 1, 0⟩ e q s) (hq : q < r.consumers) (arrive : e.arrive r.emptyCount = some e') :
    ∃ u, Round r t r.loads.length ⟨1, 1, 0⟩ e' (q + 1) u := by
  have f := h.freed q hq
  rw [if_neg (Nat.lt_irrefl _)] at f
  have act : r.act (r.stages + 1) { s with passed := put s.passed q (t + 1) } (.free q) = .next { s with
      passed := put s.passed q (t + 1), empty := put s.empty t e', freed := put s.freed q (t + 1) } := by
    simp only [Ring.act]
    rw [if_pos ⟨hq, by simp only [put_same]; omega⟩, f, Nat.mod_eq_of_lt ht, h.empty, arrive]
  refine ⟨_, .step _ (.step _ h.reach (h.pass ht hq)) act, h.issued, h.full, put_same .., fun b lo hi => ?_, fun b lt => ?_,
    h.landed, fun c hc => ?_, fun c hc => ?_⟩
  · simp only [put_other _ _ (Nat.ne_of_gt lo)]
    exact h.ahead b lo hi
  · simp only [put_other _ _ (Nat.ne_of_lt lt)]
    exact h.behind b lt
  · by_cases e : c = q
    · subst e; simp [put_same]
    · simp only [put_other _ _ e, h.passed c hc]
      have : (c < q) = (c < q + 1) := by apply propext; omega
      simp only [this]
  · by_cases e : c = q
    · subst e; simp [put_same]
    · simp only [put_other _ _ e, h.freed c hc]
      have : (c < q) = (c < q + 1) := by apply propext; omega
      simp only [this]

/-- The first `q` consumers release, one after the other, while the phase of `empty` is not complete. -/
theorem Round.serveSome {r : Ring} {t : Nat} {s : State} (ht : t < r.stages)
    (h : Round r t r.loads.length ⟨1, 1, 0⟩ ⟨0, r.emptyCount, 0⟩ 0 s) :
    ∀ q, q ≤ r.consumers → q < r.emptyCount → ∃ u, Round r t r.loads.length ⟨1, 1, 0⟩ ⟨0, r.emptyCount - q, 0⟩ q u
  | 0, _, _ => ⟨s, h⟩
  | q + 1, hq, lt => by
    obtain ⟨u, o⟩ := serveSome ht h q (by omega) (by omega)
    refine o.serve ht (by omega) ?_
    have np : ¬ r.emptyCount - q = 0 := by omega
    have nz : ¬ r.emptyCount - q - 1 = 0 := by omega
    simp [Mbar.arrive, Mbar.settle, np, nz]
    omega

/-- An `empty` barrier that expects more arrivals than there are consumers never completes a phase: the producer waits for ever
where it would use a stage again. -/
theorem not_correct_of_many {r : Ring} (v : r.Valid) (flip : r.flipped = true) (one : r.fullCount = 1)
    (bytes : r.expected = r.loads.sum) (h : r.consumers < r.emptyCount) : ¬ r.Correct := by
  have pos := v.stages
  have all : ∀ t, t ≤ r.stages → ∃ s, Between r t s := fun t => by
    induction t with
    | zero => intro _; exact ⟨_, .start one⟩
    | succ t ih =>
      intro ht
      obtain ⟨s, o⟩ := ih (by omega)
      obtain ⟨s, o⟩ := o.issue v flip bytes (by omega)
      obtain ⟨s, o⟩ := o.landAll v one (by omega)
      obtain ⟨s, o⟩ := o.serveSome (by omega) r.consumers (Nat.le_refl _) h
      refine ⟨s, o.reach, o.issued, fun b lo hi => o.ahead b lo hi, fun b lt => ?_, fun k j => ?_, fun c hc => ?_, fun c hc => ?_⟩
      · rcases Nat.lt_or_eq_of_le (Nat.le_of_lt_succ lt) with l | e
        · exact o.behind b l
        · rw [e]; exact ⟨o.full, o.empty⟩
      · rw [o.landed]
        have : (k < t ∧ j < r.loads.length ∨ k = t ∧ j < r.loads.length) = (k < t + 1 ∧ j < r.loads.length) := by
          apply propext; omega
        simp only [this]
      · rw [o.passed c hc, if_pos hc]
      · rw [o.freed c hc, if_pos hc]
  obtain ⟨s, o⟩ := all _ (Nat.le_refl _)
  intro correct
  refine (correct _ s o.reach).2 ⟨fun a => ?_, fun d => ?_⟩
  · cases a with
    | issue =>
      simp [Ring.act, o.issued, flip, o.behind 0 pos, Nat.div_self pos, Mbar.test]
    | land k j =>
      simp only [Ring.act]
      rw [if_neg]
      rintro ⟨hk, hj, new⟩
      rw [o.landed] at new
      rw [o.issued] at hk
      simp [hk, hj] at new
    | pass c =>
      simp only [Ring.act]
      rw [if_neg]
      rintro ⟨hc, _, _, test⟩
      rw [o.passed c hc, Nat.mod_self, (o.behind 0 pos).1, Nat.div_self pos] at test
      simp [Mbar.test] at test
    | free c =>
      simp only [Ring.act]
      rw [if_neg]
      rintro ⟨hc, lt⟩
      rw [o.passed c hc, o.freed c hc] at lt
      omega
  · have := d.1
    rw [o.issued] at this
    omega

/-- Consumer `m` reads trip 0, the consumers before it have released it and so completed the phase of `empty`, and `k` trips
are issued. -/
structure Late (r : Ring) (k : Nat) (s : State) : Prop where
  reach : r.Reachable (r.stages + 1) s
  issued : s.issued = k
  full : ∀ b, k ≤ b → b < r.stages → s.full b = ⟨0, 1, 0⟩
  empty : ∀ b, k ≤ b → b < r.stages → s.empty b = ⟨0, r.emptyCount, 0⟩
  full0 : s.full 0 = ⟨1, 1, 0⟩
  empty0 : s.empty 0 = ⟨1, r.emptyCount, 0⟩
  passed : s.passed r.emptyCount = 1
  freed : s.freed r.emptyCount = 0

/-- An `empty` barrier that expects fewer arrivals than there are consumers completes its phase too early: the producer
overwrites a stage that the slowest consumer still reads. -/
theorem not_correct_of_few {r : Ring} (v : r.Valid) (flip : r.flipped = true) (one : r.fullCount = 1)
    (bytes : r.expected = r.loads.sum) (h : r.emptyCount < r.consumers) : ¬ r.Correct := by
  have pos := v.stages
  have em := v.empty
  obtain ⟨s, o⟩ := (Between.start one).issue v flip bytes pos
  obtain ⟨s, o⟩ := o.landAll v one pos
  obtain ⟨s, o⟩ := o.serveSome pos (r.emptyCount - 1) (by omega) (by omega)
  have e1 : r.emptyCount - (r.emptyCount - 1) = 1 := by omega
  rw [e1] at o
  obtain ⟨s, o⟩ := o.serve pos (by omega) (e' := ⟨1, r.emptyCount, 0⟩) (by simp [Mbar.arrive, Mbar.settle])
  have e2 : r.emptyCount - 1 + 1 = r.emptyCount := by omega
  rw [e2] at o
  have first : ∃ u, Late r 1 u := by
    refine ⟨_, .step _ o.reach (o.pass pos h), o.issued, fun b lo hi => (o.ahead b lo hi).1, fun b lo hi => (o.ahead b lo hi).2,
      o.full, o.empty, put_same .., ?_⟩
    have := o.freed _ h
    rwa [if_neg (Nat.lt_irrefl _)] at this
  have all : ∀ k, k < r.stages → ∃ u, Late r (k + 1) u := fun k => by
    induction k with
    | zero => exact fun _ => first
    | succ k ih =>
      intro lt
      obtain ⟨u, l⟩ := ih (by omega)
      have m : (k + 1) % r.stages = k + 1 := Nat.mod_eq_of_lt lt
      have act := act_issue v flip bytes (K := r.stages + 1) (p := 0) l.issued (by omega)
        (by rw [m]; exact l.full _ (Nat.le_refl _) lt)
        (by rw [m, l.empty _ (Nat.le_refl _) lt, Nat.div_eq_of_lt lt]; simp [Mbar.test])
      rw [m] at act
      refine ⟨_, .step _ l.reach act, rfl, fun b lo hi => ?_, fun b lo hi => l.empty b (by omega) hi, ?_, l.empty0, l.passed, l.freed⟩
      · simp only [put_other _ _ (show b ≠ k + 1 by omega)]
        exact l.full b (by omega) hi
      · simp only [put_other _ _ (show 0 ≠ k + 1 by omega)]
        exact l.full0
  obtain ⟨u, l⟩ := all (r.stages - 1) (by omega)
  have e3 : r.stages - 1 + 1 = r.stages := by omega
  rw [e3] at l
  have act := act_issue v flip bytes (K := r.stages + 1) (p := 1) l.issued (by omega)
    (by rw [Nat.mod_self]; exact l.full0)
    (by rw [Nat.mod_self, l.empty0, Nat.div_self pos]; simp [Mbar.test])
  intro correct
  refine (correct _ _ (.step _ l.reach act)).1 (.overwritten r.emptyCount r.stages h ?_ ?_ (Nat.lt_succ_self _) ?_)
  · show u.freed r.emptyCount < u.passed r.emptyCount
    rw [l.freed, l.passed]; exact Nat.one_pos
  · show u.freed r.emptyCount < r.stages
    rw [l.freed]; exact pos
  · show r.stages % r.stages = u.freed r.emptyCount % r.stages
    rw [l.freed, Nat.mod_self, Nat.zero_mod]

end Ring

end Pipeline

end Razorgirl
