module

public import Razorgirl.Thm.Pipeline.Invariant

@[expose] public section

/-!
# Every action of a matched ring keeps the invariant
-/

namespace Razorgirl

namespace Pipeline

namespace Ring

theorem Invariant.start {r : Ring} (v : r.Valid) (m : r.Matched) (K : Nat) : r.Invariant K r.start := by
  have pos := v.stages
  constructor
  · exact Nat.zero_le _
  · intro c _; exact ⟨Nat.le_refl _, Nat.le_succ _⟩
  · intro c _; exact Nat.zero_le _
  · intro c _; exact Nat.le_refl _
  · intro c _ k hk; exact absurd hk (Nat.not_lt_zero _)
  · intro k j h; exact absurd h Bool.false_ne_true
  all_goals
    intro k _ hk
    have lt : k < r.stages := by simpa [Ring.start] using hk
    simp [Ring.start, missing, holding, lt, Mbar.init, m.full, m.empty, Nat.div_eq_of_lt lt]

/-- The bytes of a trip none of whose loads has landed. -/
theorem missing_new {r : Ring} {s : State} {k : Nat} (none : ∀ j, s.landed k j = false) :
    r.missing s (k + r.stages) = r.loads.sum := by
  unfold missing
  rw [if_neg (by omega), Nat.add_sub_cancel, ← total_getD]
  exact total_congr fun j _ => by rw [none j]; rfl

theorem sum_pos {r : Ring} (v : r.Valid) : 0 < r.loads.sum := by
  have ne := v.loads
  have b := v.bytes
  cases e : r.loads with
  | nil => exact absurd e ne
  | cons a l =>
    have := b a (by rw [e]; exact List.mem_cons_self)
    rw [List.sum_cons]
    omega

theorem Invariant.issue {r : Ring} {K : Nat} {s : State} (v : r.Valid) (m : r.Matched) (inv : r.Invariant K s)
    (more : s.issued < K) (test : (s.empty (s.issued % r.stages)).test (s.issued / r.stages + 1) = true) :
    ∃ b, (s.full (s.issued % r.stages)).arriveExpect r.fullCount r.expected = some b ∧
      r.Invariant K { s with full := put s.full (s.issued % r.stages) b, issued := s.issued + 1 } := by
  have pos := v.stages
  have released := (inv.test_empty v).mp test
  have z : r.missing s s.issued = 0 := by
    rw [missing_eq_zero v]
    rcases Nat.lt_or_ge s.issued r.stages with small | big
    · exact .inl small
    · have c0 := released 0 v.consumers
      have o0 := inv.order 0 v.consumers
      exact .inr fun j hj => inv.arrived 0 v.consumers _ (by omega) j hj
  have none : ∀ j, s.landed s.issued j = false := fun j => by
    rcases h : s.landed s.issued j with _ | _
    · rfl
    · exact absurd (inv.sent _ _ h) (Nat.lt_irrefl _)
  have f := inv.full s.issued (Nat.le_refl _) (by omega)
  rw [if_pos z] at f
  have sp := sum_pos v
  refine ⟨⟨s.issued / r.stages, 0, r.loads.sum⟩, ?_, ?_⟩
  · rw [f, m.full, m.bytes]
    simp [Mbar.arriveExpect, Mbar.expect, Mbar.arrive, Mbar.settle]
    omega
  · constructor
    · exact more
    · exact inv.order
    · intro c hc; exact released c hc
    · intro c hc; exact Nat.le_succ_of_le (inv.behind c hc)
    · exact inv.arrived
    · intro k j h; exact Nat.lt_succ_of_lt (inv.sent k j h)
    · intro k lo hi
      simp only at lo hi
      rcases Nat.lt_or_ge k (s.issued + r.stages) with lt | ge
      · simp only
        rw [put_other _ _ (mod_ne (by omega) lt)]
        exact inv.full k (by omega) lt
      · have e : k = s.issued + r.stages := by omega
        subst e
        have mn : ∀ f, r.missing { s with full := f, issued := s.issued + 1 } (s.issued + r.stages) = r.loads.sum :=
          fun _ => missing_new none
        rw [mn, if_neg (by omega), Nat.add_mod_right, Nat.add_div_right _ pos]
        simp [put_same]
    · intro k lo hi
      simp only at lo hi
      rcases Nat.lt_or_ge k (s.issued + r.stages) with lt | ge
      · exact inv.empty k (by omega) lt
      · have e : k = s.issued + r.stages := by omega
        subst e
        have hn : r.holding s (s.issued + r.stages) = r.consumers := by
          unfold holding
          rw [if_neg (by omega), Nat.add_sub_cancel]
          refine Eq.trans (total_congr fun c hc => ?_) (total_one _)
          have := inv.order c hc
          have := inv.behind c hc
          rw [if_neg (by omega)]
        have eh : r.holding s s.issued = 0 := holding_eq_zero.mpr released
        have em := inv.empty s.issued (Nat.le_refl _) (by omega)
        rw [if_pos eh] at em
        have np : r.consumers ≠ 0 := Nat.ne_of_gt v.consumers
        have goal : s.empty ((s.issued + r.stages) % r.stages) =
            if r.holding s (s.issued + r.stages) = 0 then ⟨(s.issued + r.stages) / r.stages, r.consumers, 0⟩
            else ⟨(s.issued + r.stages) / r.stages - 1, r.holding s (s.issued + r.stages), 0⟩ := by
          rw [hn, if_neg np, Nat.add_mod_right, Nat.add_div_right _ pos, em]
          simp
        exact goal

theorem Invariant.land {r : Ring} {K : Nat} {s : State} (v : r.Valid) (m : r.Matched) (inv : r.Invariant K s) {k j : Nat}
    (hk : k < s.issued) (hj : j < r.loads.length) (new : s.landed k j = false) :
    r.Invariant K { s with
      full := put s.full (k % r.stages) ((s.full (k % r.stages)).complete r.fullCount (r.loads.getD j 0))
      landed := put s.landed k (put (s.landed k) j true) } := by
  have pos := v.stages
  have near : s.issued ≤ k + r.stages := by
    rcases Nat.lt_or_ge (k + r.stages) s.issued with lt | ge
    · have a := inv.ahead 0 v.consumers
      have o := inv.order 0 v.consumers
      have := inv.arrived 0 v.consumers k (by omega) j hj
      rw [new] at this
      exact absurd this Bool.false_ne_true
    · exact ge
  have keep : ∀ k' j', s.landed k' j' = true → put s.landed k (put (s.landed k) j true) k' j' = true := fun k' j' h => by
    by_cases e : k' = k
    · subst e; rw [put_same]
      by_cases e' : j' = j
      · subst e'; rw [put_same]
      · rw [put_other _ _ e']; exact h
    · rw [put_other _ _ e]; exact h
  have bytes : 0 < r.loads.getD j 0 := by
    rw [List.getD_eq_getElem?_getD, List.getElem?_eq_getElem hj]
    exact v.bytes _ (List.getElem_mem hj)
  -- the missing bytes before and after
  have change : r.missing s (k + r.stages) =
      total r.loads.length (fun i => if put (s.landed k) j true i then 0 else r.loads.getD i 0) + r.loads.getD j 0 := by
    unfold missing
    rw [if_neg (by omega), Nat.add_sub_cancel]
    have := total_change (n := r.loads.length) (f := fun i => if s.landed k i then 0 else r.loads.getD i 0)
      (g := fun i => if put (s.landed k) j true i then 0 else r.loads.getD i 0) hj
      fun i _ ne => by simp only [put_other _ _ ne]
    simp only [put_same, new] at this
    simpa using this
  constructor
  · exact inv.bound
  · exact inv.order
  · exact inv.ahead
  · exact inv.behind
  · intro c hc k' hk' j' hj'
    exact keep k' j' (inv.arrived c hc k' hk' j' hj')
  · intro k' j' h
    by_cases e : k' = k
    · subst e; exact hk
    · simp only [put_other _ _ e] at h
      exact inv.sent k' j' h
  · intro k' lo hi
    simp only at lo hi
    by_cases e : k' = k + r.stages
    · subst e
      have f := inv.full (k + r.stages) lo hi
      rw [Nat.add_mod_right, Nat.add_div_right _ pos] at f
      rw [if_neg (by omega)] at f
      have after : r.missing { s with
            full := put s.full (k % r.stages) ((s.full (k % r.stages)).complete r.fullCount (r.loads.getD j 0))
            landed := put s.landed k (put (s.landed k) j true) } (k + r.stages) =
          total r.loads.length (fun i => if put (s.landed k) j true i then 0 else r.loads.getD i 0) := by
        unfold missing
        rw [if_neg (by omega), Nat.add_sub_cancel]
        simp only [put_same]
      rw [after, Nat.add_mod_right, Nat.add_div_right _ pos]
      simp only [put_same]
      rw [f, m.full, change]
      generalize total r.loads.length _ = rest
      simp only [Mbar.complete, Mbar.settle]
      by_cases z : rest = 0
      · simp [z]
      · have : ¬ ((↑(rest + r.loads.getD j 0) : Int) - ↑(r.loads.getD j 0) = 0) := by omega
        simp [z]
    · have ne : k' % r.stages ≠ k % r.stages := by
        rcases Nat.lt_or_ge k' (k + r.stages) with lt | ge
        · exact mod_ne (by omega) lt
        · intro same
          have := mod_ne (S := r.stages) (a := k + r.stages) (b := k') (by omega) (by omega)
          rw [Nat.add_mod_right] at this
          exact this same
      have same : r.missing { s with
            full := put s.full (k % r.stages) ((s.full (k % r.stages)).complete r.fullCount (r.loads.getD j 0))
            landed := put s.landed k (put (s.landed k) j true) } k' = r.missing s k' := by
        unfold missing
        split
        · rfl
        · have : k' - r.stages ≠ k := by omega
          simp only [put_other _ _ this]
      rw [same]
      simp only [put_other _ _ ne]
      exact inv.full k' lo hi
  · exact inv.empty

theorem Invariant.pass {r : Ring} {K : Nat} {s : State} (v : r.Valid) (inv : r.Invariant K s) {c : Nat}
    (hc : c < r.consumers) (idle : s.passed c = s.freed c)
    (test : (s.full (s.passed c % r.stages)).test (s.passed c / r.stages) = true) :
    r.Invariant K { s with passed := put s.passed c (s.passed c + 1) } := by
  obtain ⟨sent, all⟩ := (inv.test_full v hc idle).mp test
  constructor
  · exact inv.bound
  · intro d hd
    have o := inv.order d hd
    by_cases e : d = c
    · subst e; simp only [put_same]; omega
    · simp only [put_other _ _ e]; exact o
  · exact inv.ahead
  · intro d hd
    by_cases e : d = c
    · subst e; simp only [put_same]; omega
    · simp only [put_other _ _ e]; exact inv.behind d hd
  · intro d hd k hk j hj
    by_cases e : d = c
    · subst e
      simp only [put_same] at hk
      rcases Nat.lt_or_eq_of_le (Nat.le_of_lt_succ hk) with lt | eq
      · exact inv.arrived d hd k lt j hj
      · subst eq; exact all j hj
    · simp only [put_other _ _ e] at hk
      exact inv.arrived d hd k hk j hj
  · exact inv.sent
  · exact inv.full
  · exact inv.empty

theorem Invariant.free {r : Ring} {K : Nat} {s : State} (v : r.Valid) (m : r.Matched) (inv : r.Invariant K s) {c : Nat}
    (hc : c < r.consumers) (reads : s.freed c < s.passed c) :
    ∃ b, (s.empty (s.freed c % r.stages)).arrive r.emptyCount = some b ∧
      r.Invariant K { s with empty := put s.empty (s.freed c % r.stages) b, freed := put s.freed c (s.freed c + 1) } := by
  have pos := v.stages
  have ah := inv.ahead c hc
  have be := inv.behind c hc
  have em := inv.empty (s.freed c + r.stages) (by omega) (by omega)
  rw [Nat.add_mod_right, Nat.add_div_right _ pos] at em
  have change : r.holding s (s.freed c + r.stages) =
      total r.consumers (fun d => if s.freed c < put s.freed c (s.freed c + 1) d then 0 else 1) + 1 := by
    unfold holding
    rw [if_neg (by omega), Nat.add_sub_cancel]
    have := total_change (n := r.consumers) (f := fun d => if s.freed c < s.freed d then 0 else 1)
      (g := fun d => if s.freed c < put s.freed c (s.freed c + 1) d then 0 else 1) hc
      fun d _ ne => by simp only [put_other _ _ ne]
    simp only [put_same, Nat.lt_irrefl, Nat.lt_succ_self, if_true, if_false] at this
    exact this
  rw [change, if_neg (by omega)] at em
  generalize hrest : total r.consumers (fun d => if s.freed c < put s.freed c (s.freed c + 1) d then 0 else 1) = rest at em
  refine ⟨if rest = 0 then ⟨s.freed c / r.stages + 1, r.consumers, 0⟩ else ⟨s.freed c / r.stages, rest, 0⟩, ?_, ?_⟩
  · rw [em, m.empty]
    simp only [Mbar.arrive, Mbar.settle, Nat.add_sub_cancel]
    by_cases z : rest = 0
    · simp [z]
    · simp [z]
  · constructor
    · exact inv.bound
    · intro d hd
      have o := inv.order d hd
      by_cases e : d = c
      · subst e; simp only [put_same]; omega
      · simp only [put_other _ _ e]; exact o
    · intro d hd
      have a := inv.ahead d hd
      by_cases e : d = c
      · subst e; simp only [put_same]; omega
      · simp only [put_other _ _ e]; exact a
    · exact inv.behind
    · exact inv.arrived
    · exact inv.sent
    · exact inv.full
    · intro k lo hi
      simp only at lo hi
      by_cases e : k = s.freed c + r.stages
      · subst e
        have after : ∀ b, r.holding { s with empty := put s.empty (s.freed c % r.stages) b, freed := put s.freed c (s.freed c + 1) }
            (s.freed c + r.stages) = rest := fun b => by
          unfold holding
          rw [if_neg (by omega), Nat.add_sub_cancel]
          exact hrest
        rw [after, Nat.add_mod_right, Nat.add_div_right _ pos]
        simp only [put_same]
        rfl
      · have ne : k % r.stages ≠ s.freed c % r.stages := by
          rcases Nat.lt_or_ge k (s.freed c + r.stages) with lt | ge
          · exact mod_ne (by omega) lt
          · intro same
            have := mod_ne (S := r.stages) (a := s.freed c + r.stages) (b := k) (by omega) (by omega)
            rw [Nat.add_mod_right] at this
            exact this same
        have same : ∀ b, r.holding { s with empty := put s.empty (s.freed c % r.stages) b, freed := put s.freed c (s.freed c + 1) } k =
            r.holding s k := fun b => by
          unfold holding
          split
          · rfl
          · refine total_congr fun d hd => ?_
            by_cases e' : d = c
            · subst e'
              simp only [put_same]
              have : (k - r.stages < s.freed d + 1) = (k - r.stages < s.freed d) := by
                apply propext; omega
              simp only [this]
            · simp only [put_other _ _ e']
        rw [same]
        simp only [put_other _ _ ne]
        exact inv.empty k lo hi

/-- The invariant holds of every reachable state. -/
theorem Invariant.of_reachable {r : Ring} {K : Nat} (v : r.Valid) (m : r.Matched) {s : State} (h : r.Reachable K s) :
    r.Invariant K s := by
  induction h with
  | start => exact .start v m K
  | @step s t a _ act inv =>
    cases a with
    | issue =>
      simp only [Ring.act, m.flipped, if_true] at act
      split at act
      · next h =>
        obtain ⟨b, e, i⟩ := inv.issue v m h.1 h.2
        rw [e] at act
        cases act
        exact i
      · cases act
    | land k j =>
      simp only [Ring.act] at act
      split at act
      · next h =>
        cases act
        exact inv.land v m h.1 h.2.1 h.2.2
      · cases act
    | pass c =>
      simp only [Ring.act] at act
      split at act
      · next h =>
        cases act
        exact inv.pass v h.1 h.2.2.1 h.2.2.2
      · cases act
    | free c =>
      simp only [Ring.act] at act
      split at act
      · next h =>
        obtain ⟨b, e, i⟩ := inv.free v m h.1 h.2
        rw [e] at act
        cases act
        exact i
      · cases act

end Ring

end Pipeline

end Razorgirl
