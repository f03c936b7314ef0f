module

public import Razorgirl.Thm.Extract.Inverse.Left
public import Razorgirl.Thm.Extract.Inverse.Longest

@[expose] public section

/-! # What the program `rightInverse` returns -/

namespace Razorgirl.Extract
open FlatLayout FlatLayout.Aux

/-! ## The next start -/

/-- The entry that stands for the longest chain from a stride on, or the one that stands for none. -/
def Stands (n run : Nat) (ms : List Start) (R : FlatLayout) (best : (Mode × Nat) × Nat) : Prop :=
  (R = [] ∧ best = ((⟨1, 1⟩, 0), 1)) ∨
    ∃ p ∈ ms, p.mode.stride = run ∧ best = entryOf n ms p ∧ R = ⟨p.mode.extent, p.index⟩ :: longest n (run * p.mode.extent) ms

theorem stands_size {n run : Nat} {ms : List Start} {R : FlatLayout} {best : (Mode × Nat) × Nat}
    (h : Stands n run ms R best) : best.2 = FlatLayout.size R := by
  rcases h with ⟨rfl, rfl⟩ | ⟨p, _, rfl, rfl, rfl⟩ <;> rfl

/-- The variables of `follow`. -/
abbrev FollowState := ((Mode × Nat) × Nat) × List ((Mode × Nat) × Nat) × Mode × Unit

theorem followStep_run (p b : (Mode × Nat) × Nat) (T : List ((Mode × Nat) × Nat)) (m : Mode) :
    followStep.run (p, b, T, m, ()) =
      if m.extent * m.stride = p.1.1.stride ∧ b.2 < p.2 then .next (p, p, T, m, ()) else .next (p, b, T, m, ()) := by
  by_cases h1 : m.extent * m.stride = p.1.1.stride <;> by_cases h2 : b.2 < p.2 <;> simp [followStep, h1, h2]

theorem follow_loop {f : (Mode × Nat) × Nat → FollowState → Out (((Mode × Nat) × Nat) × FollowState) ((Mode × Nat) × Nat)}
    (hf : ∀ p b T m, f p (b, T, m, ()) =
      if m.extent * m.stride = p.1.1.stride ∧ b.2 < p.2 then .next (p, p, T, m, ()) else .next (p, b, T, m, ()))
    {n run : Nat} {ms : List Start} (T : List ((Mode × Nat) × Nat)) (m : Mode) (hm : m.extent * m.stride = run)
    (X : List Start) (hX : ∀ p ∈ X, p ∈ ms) (R : FlatLayout) (best : (Mode × Nat) × Nat) (h : Stands n run ms R best) :
    ∃ best', Out.each f (X.map (entryOf n ms)) (best, T, m, ()) = .next (best', T, m, ()) ∧
      Stands n run ms (X.foldl (fun best p =>
        if p.mode.stride = run ∧ FlatLayout.size best < p.mode.extent * FlatLayout.size (longest n (run * p.mode.extent) ms) then
          ⟨p.mode.extent, p.index⟩ :: longest n (run * p.mode.extent) ms
        else best) R) best' := by
  induction X generalizing R best with
  | nil => exact ⟨best, rfl, h⟩
  | cons p X ih =>
    have hX' : ∀ q ∈ X, q ∈ ms := fun q hq => hX q (by simp [hq])
    have hb := stands_size h
    rw [List.map_cons, Out.each, hf, List.foldl_cons]
    by_cases hs : p.mode.stride = run
    · have hs' : m.extent * m.stride = (entryOf n ms p).1.1.stride := by rw [hm]; exact hs.symm
      have he : (entryOf n ms p).2 = p.mode.extent * FlatLayout.size (longest n (run * p.mode.extent) ms) := by
        rw [← hs]; rfl
      by_cases hlt : FlatLayout.size R < p.mode.extent * FlatLayout.size (longest n (run * p.mode.extent) ms)
      · rw [if_pos ⟨hs', by rw [hb, he]; exact hlt⟩, if_pos ⟨hs, hlt⟩]
        exact ih hX' _ _ (.inr ⟨p, hX p (by simp), hs, rfl, rfl⟩)
      · rw [if_neg (fun hc => hlt (by have := hc.2; rwa [hb, he] at this)), if_neg (fun hc => hlt hc.2)]
        exact ih hX' _ _ h
    · have hs' : ¬ m.extent * m.stride = (entryOf n ms p).1.1.stride := fun e => hs (by rw [hm] at e; exact e.symm)
      rw [if_neg (fun hc => hs' hc.1), if_neg (fun hc => hs hc.1)]
      exact ih hX' _ _ h

theorem follow_spec {n run : Nat} {ms : List Start} (m : Mode) (hm : m.extent * m.stride = run) :
    ∃ best, follow.run (ms.map (entryOf n ms), m, ()) = .ok best ∧ Stands n run ms (longest (n + 1) run ms) best := by
  obtain ⟨best, h1, h2⟩ := follow_loop (f := fun a s => followStep.run (a, s)) followStep_run
    (ms.map (entryOf n ms)) m hm ms (fun p hp => hp) [] ((⟨1, 1⟩, 0), 1) (.inl ⟨rfl, rfl⟩)
  refine ⟨best, ?_, h2⟩
  simp only [follow, Fn.run, Stmt.run, Exp.run, Op2.run, Var.get, bindE, Out.ofExp, show check 1 = .ok 1 by rfl,
    show check 0 = .ok 0 by rfl]
  rw [h1]
  rfl

theorem follow_size {n : Nat} {ms : List Start} (m : Mode) :
    ∃ best, follow.run (ms.map (entryOf n ms), m, ()) = .ok best ∧
      best.2 = FlatLayout.size (longest (n + 1) (m.extent * m.stride) ms) := by
  obtain ⟨best, h1, h2⟩ := follow_spec (n := n) (ms := ms) m rfl
  exact ⟨best, h1, stands_size h2⟩

theorem follow_any {f : (Mode × Nat) × Nat → FollowState → Out (((Mode × Nat) × Nat) × FollowState) ((Mode × Nat) × Nat)}
    (hf : ∀ p b T m, f p (b, T, m, ()) =
      if m.extent * m.stride = p.1.1.stride ∧ b.2 < p.2 then .next (p, p, T, m, ()) else .next (p, b, T, m, ()))
    (T : List ((Mode × Nat) × Nat)) (m : Mode) (X P : List ((Mode × Nat) × Nat)) (b : (Mode × Nat) × Nat)
    (h : Follows P m b) : ∃ best, Out.each f X (b, T, m, ()) = .next (best, T, m, ()) ∧ Follows (P ++ X) m best := by
  induction X generalizing P b with
  | nil => exact ⟨b, rfl, by simpa using h⟩
  | cons p X ih =>
    have most : 1 ≤ b.2 ∧ ∀ q ∈ P, m.extent * m.stride = q.1.1.stride → q.2 ≤ b.2 := by
      rcases h with ⟨A, B, rfl, _, h1, h2, h3⟩ | ⟨rfl, h1⟩
      · refine ⟨by omega, fun q hq hs => ?_⟩
        rcases List.mem_append.1 hq with hq | hq
        · exact Nat.le_of_lt (h2 q hq hs)
        · rcases List.mem_cons.1 hq with rfl | hq
          · exact Nat.le_refl _
          · exact h3 q hq hs
      · exact ⟨Nat.le_refl _, h1⟩
    rw [Out.each, hf]
    by_cases hp : m.extent * m.stride = p.1.1.stride ∧ b.2 < p.2
    · rw [if_pos hp]
      have := ih (P ++ [p]) p (.inl ⟨P, [], rfl, hp.1, by omega, fun q hq hs => Nat.lt_of_le_of_lt (most.2 q hq hs) hp.2,
        by simp⟩)
      simpa using this
    · rw [if_neg hp]
      have hp' : m.extent * m.stride = p.1.1.stride → p.2 ≤ b.2 := fun hs => Nat.not_lt.1 fun hl => hp ⟨hs, hl⟩
      have : Follows (P ++ [p]) m b := by
        rcases h with ⟨A, B, rfl, h0, h1, h2, h3⟩ | ⟨rfl, h1⟩
        · refine .inl ⟨A, B ++ [p], by simp, h0, h1, h2, fun q hq hs => ?_⟩
          rcases List.mem_append.1 hq with hq | hq
          · exact h3 q hq hs
          · rw [List.mem_singleton.1 hq] at hs ⊢; exact hp' hs
        · refine .inr ⟨rfl, fun q hq hs => ?_⟩
          rcases List.mem_append.1 hq with hq | hq
          · exact h1 q hq hs
          · rw [List.mem_singleton.1 hq] at hs ⊢; exact hp' hs
      have := ih (P ++ [p]) b this
      simpa using this

/-- **The extracted `follow` returns the first of the entries that reach furthest among those whose stride is where the mode
ends, or `1:1` of index 0 and reach 1 where none of them reaches further than 1, whatever the table.**
Source: `Razorgirl.Extract.Follows` -/
theorem follow_run (e : Env [("table", .list (.pair (.pair .mode .nat) .nat)), ("below", .mode)]) :
    ∃ best, follow.run e = .ok best ∧ Follows e.1 e.2.1 best := by
  obtain ⟨T, m, ⟨⟩⟩ := e
  obtain ⟨best, h1, h2⟩ := follow_any (f := fun a s => followStep.run (a, s)) followStep_run T m T [] ((⟨1, 1⟩, 0), 1)
    (.inr ⟨rfl, by simp⟩)
  refine ⟨best, ?_, by simpa using h2⟩
  simp only [follow, Fn.run, Stmt.run, Exp.run, Op2.run, Var.get, bindE, Out.ofExp, show check 1 = .ok 1 by rfl,
    show check 0 = .ok 0 by rfl]
  rw [h1]
  rfl

/-! ## The table -/

/-- The variables of `extend`. -/
abbrev ExtendState := List ((Mode × Nat) × Nat) × List ((Mode × Nat) × Nat) × Unit

theorem extendStep_run {n : Nat} {ms : List Start} (p : Start) (o : List ((Mode × Nat) × Nat))
    (h : p.mode.extent * FlatLayout.size (longest (n + 1) (p.mode.stride * p.mode.extent) ms) < 2 ^ 64) :
    extendStep.run (entryOf n ms p, o, ms.map (entryOf n ms), ()) =
      .next (entryOf n ms p, o ++ [entryOf (n + 1) ms p], ms.map (entryOf n ms), ()) := by
  obtain ⟨best, h1, h2⟩ := follow_size (n := n) (ms := ms) p.mode
  rw [Nat.mul_comm p.mode.extent] at h2
  have h3 : check (p.mode.extent * best.2) = .ok (p.mode.extent * best.2) := if_pos (by rw [h2]; exact h)
  simp only [extendStep, Stmt.run, Exp.run, Args.run, Op1.run, Op2.run, Var.get, Var.put, bindE, Out.ofExp]
  simp only [entryOf, startPair] at h1 h3 ⊢
  rw [h1]
  simp only []
  rw [h3]
  simp only [Out.andThen, h2]

theorem extend_loop {f : (Mode × Nat) × Nat → ExtendState → Out (((Mode × Nat) × Nat) × ExtendState) (List ((Mode × Nat) × Nat))}
    {n : Nat} {ms : List Start} {T : List ((Mode × Nat) × Nat)} (X : List Start)
    (hf : ∀ p o, p ∈ X → f (entryOf n ms p) (o, T, ()) = .next (entryOf n ms p, o ++ [entryOf (n + 1) ms p], T, ()))
    (o : List ((Mode × Nat) × Nat)) :
    Out.each f (X.map (entryOf n ms)) (o, T, ()) = .next (o ++ X.map (entryOf (n + 1) ms), T, ()) := by
  induction X generalizing o with
  | nil => simp [Out.each]
  | cons p X ih =>
    rw [List.map_cons, Out.each, hf p o (by simp)]
    simp only [Out.andThen]
    rw [ih (fun q o hq => hf q o (by simp [hq]))]
    simp

/-- **The extracted `extend` turns the reaches of chains of at most `n + 1` starts into those of at most `n + 2`, where these
are below 2^64.**
Source: `Razorgirl.FlatLayout.longest` -/
theorem extend_run {n : Nat} {ms : List Start}
    (h : ∀ p ∈ ms, p.mode.extent * FlatLayout.size (longest (n + 1) (p.mode.stride * p.mode.extent) ms) < 2 ^ 64) :
    extend.run (ms.map (entryOf n ms), ()) = .ok (ms.map (entryOf (n + 1) ms)) := by
  have h1 := extend_loop (f := fun a s => extendStep.run (a, s)) (n := n) (T := ms.map (entryOf n ms)) ms
    (fun p o hp => extendStep_run p o (h p hp)) []
  simp only [extend, Fn.run, Stmt.run, Exp.run, Var.get, Out.ofExp]
  rw [h1]
  rfl

/-- The variables of `reaches`. -/
abbrev TableState := List ((Mode × Nat) × Nat) × List (Mode × Nat) × Unit

theorem tableStep_run (p : Mode × Nat) (T : List ((Mode × Nat) × Nat)) (S : List (Mode × Nat)) :
    tableStep.run (p, T, S, ()) =
      if p.1.stride = 0 then .next (p, T, S, ()) else .next (p, T ++ [(p, p.1.extent)], S, ()) := by
  by_cases h : p.1.stride = 0 <;> simp [tableStep, h, check]

theorem table_loop {f : Mode × Nat → TableState → Out ((Mode × Nat) × TableState) (List ((Mode × Nat) × Nat))}
    (hf : ∀ p T S, f p (T, S, ()) =
      if p.1.stride = 0 then .next (p, T, S, ()) else .next (p, T ++ [(p, p.1.extent)], S, ()))
    (ms X : List Start) (T : List ((Mode × Nat) × Nat)) (S : List (Mode × Nat)) :
    Out.each f (X.map startPair) (T, S, ()) =
      .next (T ++ (X.filter fun p => p.mode.stride != 0).map (entryOf 0 ms), S, ()) := by
  induction X generalizing T with
  | nil => simp [Out.each]
  | cons p X ih =>
    rw [List.map_cons, Out.each, hf, List.filter_cons]
    by_cases h : p.mode.stride = 0
    · have h' : (startPair p).1.stride = 0 := h
      simp only [h', if_true, Out.andThen, h, bne_self_eq_false, Bool.false_eq_true, if_false]
      exact ih T
    · have h' : ¬ (startPair p).1.stride = 0 := h
      have e : entryOf 0 ms p = (startPair p, (startPair p).1.extent) := by
        simp [entryOf, longest, size_nil, startPair]
      simp only [h', if_false, Out.andThen, bne_iff_ne, ne_eq, h, not_false_eq_true, if_true]
      rw [ih]; simp [e]

theorem round_loop {f : Nat → TableState → Out (Nat × TableState) (List ((Mode × Nat) × Nat))} {S : List (Mode × Nat)}
    {ms : List Start} (hf : ∀ i k, f i (ms.map (entryOf k ms), S, ()) = .next (i, ms.map (entryOf (k + 1) ms), S, ()))
    (i k j : Nat) :
    Out.upto f i j (ms.map (entryOf k ms), S, ()) = .next (ms.map (entryOf (k + j) ms), S, ()) := by
  induction j generalizing i k with
  | zero => rfl
  | succ j ih =>
    rw [Out.upto, hf]
    simp only [Out.andThen]
    rw [ih (i + 1) (k + 1), Nat.add_assoc, Nat.add_comm 1 j]

theorem mem_rising {S : List Start} {p : Start} (h : p ∈ rising S) : p ∈ S ∧ p.mode.stride ≠ 0 := by
  rw [rising, List.mem_filter] at h
  exact ⟨h.1, by simpa using h.2⟩

/-- **The extracted `reaches` returns the starts of positive stride, and how far the longest chain of them from each reaches,
of starts of modes of extent above 1 whose size is below 2^64.**
Source: `Razorgirl.FlatLayout.longest` -/
theorem reaches_run {C : FlatLayout} (h2 : ∀ m ∈ C, 2 ≤ m.extent) (hs : FlatLayout.size C < 2 ^ 64)
    (hl : C.length < 2 ^ 64) : reaches.run ((FlatLayout.starts 1 C).map startPair, ()) =
      .ok ((rising (FlatLayout.starts 1 C)).map (entryOf C.length (rising (FlatLayout.starts 1 C)))) := by
  have h3 : check ((FlatLayout.starts 1 C).map startPair).length = .ok C.length := by
    rw [List.length_map, length_starts]; exact if_pos hl
  have h4 := table_loop (f := fun p s => tableStep.run (p, s)) tableStep_run (rising (FlatLayout.starts 1 C))
    (FlatLayout.starts 1 C) [] ((FlatLayout.starts 1 C).map startPair)
  have h5 := round_loop (f := fun i s => roundStep.run (i, s)) (ms := rising (FlatLayout.starts 1 C))
    (S := (FlatLayout.starts 1 C).map startPair) (fun i k => by
      have := extend_run (n := k) (ms := rising (FlatLayout.starts 1 C)) fun p hp =>
        Nat.lt_of_le_of_lt (longest_le_size h2 (fun q hq => mem_rising hq) hp (k + 1)) hs
      simp only [roundStep, Stmt.run, Exp.run, Args.run, Var.get, Var.put, bindE, Out.ofExp]
      rw [this]) 0 0 C.length
  rw [Nat.zero_add] at h5
  rw [List.nil_append] at h4
  simp only [reaches, Fn.run, Stmt.run, Exp.run, Op1.run, Var.get, bindE, Out.ofExp]
  rw [h4]
  simp only [Out.andThen]
  rw [h3]
  simp only []
  rw [h5]
  rfl

/-! ## The right inverse -/

/-- The variables of `walk`. -/
abbrev WalkState := Mode × List Mode × List ((Mode × Nat) × Nat) × Unit

theorem walkStep_run {n : Nat} {ms : List Start} (i : Nat) (b : Mode) (o : List Mode) (h2 : ∀ p ∈ ms, 2 ≤ p.mode.extent) :
    (longest (n + 1) (b.extent * b.stride) ms = [] ∧
      walkStep.run (i, b, o, ms.map (entryOf n ms), ()) =
        .next (i, b, o, ms.map (entryOf n ms), ())) ∨
    ∃ p ∈ ms, p.mode.stride = b.extent * b.stride ∧
      longest (n + 1) (b.extent * b.stride) ms = ⟨p.mode.extent, p.index⟩ :: longest n (p.mode.extent * p.mode.stride) ms ∧
      walkStep.run (i, b, o, ms.map (entryOf n ms), ()) =
        .next (i, p.mode, o ++ [⟨p.mode.extent, p.index⟩], ms.map (entryOf n ms), ()) := by
  obtain ⟨best, h3, h4⟩ := follow_spec (n := n) (ms := ms) b rfl
  simp only [walkStep, Stmt.run, Exp.run, Args.run, Op1.run, Op2.run, Var.get, Var.put, bindE, Out.ofExp]
  rw [h3]
  rcases h4 with ⟨h5, rfl⟩ | ⟨p, hp, h5, rfl, h6⟩
  · left
    exact ⟨h5, by simp [check]⟩
  · right
    refine ⟨p, hp, h5, by rw [h6, ← h5, Nat.mul_comm], ?_⟩
    have h7 : 0 < FlatLayout.size (longest n (p.mode.stride * p.mode.extent) ms) :=
      (longest_spec n _ ms).2 [] (by simp) trivial (by simp)
    have h8 := Nat.mul_le_mul (h2 p hp) h7
    have h9 : (entryOf n ms p).2 ≠ 1 := by simp only [entryOf]; omega
    simp only [show check 1 = .ok 1 by rfl, h9, ne_eq, not_false_eq_true, decide_true, if_true, Out.andThen]
    rfl

theorem walk_loop {f : Nat → WalkState → Out (Nat × WalkState) (List Mode)} {ms : List Start}
    {rest : List ((Mode × Nat) × Nat) × Unit} {n : Nat}
    (h2 : ∀ p ∈ ms, 2 ≤ p.mode.extent) (hn : ms.length ≤ n)
    (hf : ∀ i b o, (longest (n + 1) (b.extent * b.stride) ms = [] ∧ f i (b, o, rest) = .next (i, b, o, rest)) ∨
      ∃ p ∈ ms, p.mode.stride = b.extent * b.stride ∧
        longest (n + 1) (b.extent * b.stride) ms = ⟨p.mode.extent, p.index⟩ :: longest n (p.mode.extent * p.mode.stride) ms ∧
        f i (b, o, rest) = .next (i, p.mode, o ++ [⟨p.mode.extent, p.index⟩], rest))
    (i k : Nat) (b : Mode) (o : List Mode) (hb : 0 < b.extent * b.stride) (hk : countFrom (b.extent * b.stride) ms ≤ k) :
    ∃ b', Out.upto f i k (b, o, rest) = .next (b', o ++ longest (n + 1) (b.extent * b.stride) ms, rest) := by
  have hc := fun run => countFrom_le run ms
  induction k generalizing i b o with
  | zero =>
    have h3 := longest_stable h2 (n + 1) 0 _ hb (by have := hc (b.extent * b.stride); omega) hk
    exact ⟨b, by rw [h3]; simp [Out.upto, longest]⟩
  | succ k ih =>
    rw [Out.upto]
    rcases hf i b o with ⟨h3, h4⟩ | ⟨p, hp, h3, h4, h5⟩
    · rw [h4, h3]
      simp only [Out.andThen]
      have key : ∀ j i, Out.upto f i j (b, o, rest) = .next (b, o, rest) := fun j => by
        induction j with
        | zero => intro i; rfl
        | succ j ihj =>
          intro i
          rw [Out.upto]
          rcases hf i b o with ⟨_, h6⟩ | ⟨q, _, _, h6, _⟩
          · rw [h6]; exact ihj (i + 1)
          · rw [h3] at h6; cases h6
      exact ⟨b, by rw [key]; simp⟩
    · have h6 := countFrom_follow hb h2 hp h3
      have e : b.extent * b.stride * p.mode.extent = p.mode.extent * p.mode.stride := by rw [← h3, Nat.mul_comm]
      have hp2 := h2 p hp
      have hpos : 0 < p.mode.extent * p.mode.stride := Nat.mul_pos (by omega) (by omega)
      rw [e] at h6
      obtain ⟨b', h7⟩ := ih (i + 1) p.mode (o ++ [⟨p.mode.extent, p.index⟩]) hpos (by omega)
      refine ⟨b', ?_⟩
      have h8 := longest_stable h2 n (n + 1) (p.mode.extent * p.mode.stride) hpos
        (by have := hc (p.mode.extent * p.mode.stride); omega) (by have := hc (p.mode.extent * p.mode.stride); omega)
      rw [h5, h4, h8]
      simp only [Out.andThen]
      rw [h7]
      simp

/-- **The extracted `walk` returns the longest chain of some starts, as modes of linear indices, if the table holds how far
chains from each of them reach.**
Source: `Razorgirl.FlatLayout.longest` -/
theorem walk_run {n : Nat} {ms : List Start} (h2 : ∀ p ∈ ms, 2 ≤ p.mode.extent) (hn : ms.length ≤ n)
    (hl : ms.length < 2 ^ 64) : walk.run (ms.map (entryOf n ms), ()) = .ok (longest (n + 1) 1 ms) := by
  have h3 : check (ms.map (entryOf n ms)).length = .ok ms.length := by rw [List.length_map]; exact if_pos hl
  obtain ⟨b', h4⟩ := walk_loop (f := fun i s => walkStep.run (i, s)) (rest := (ms.map (entryOf n ms), ())) h2 hn
    (fun i b o => walkStep_run i b o h2) 0 ms.length ⟨1, 1⟩ [] Nat.one_pos (countFrom_le _ _)
  simp only [walk, Fn.run, Stmt.run, Exp.run, Op1.run, Op2.run, Var.get, bindE, Out.ofExp, show check 1 = .ok 1 by rfl]
  rw [h3]
  simp only []
  rw [h4]
  rfl

/-- **The extracted `right_inverse` returns the right inverse by whole modes of every valid layout whose size is below 2^64;
of others, overflow.**
Source: `Razorgirl.Layout.rightInverse` -/
theorem rightInverse_run {L : List Mode} (hL : Valid L) : rightInverse.run (L, ()) =
    if FlatLayout.size L < 2 ^ 64 then .ok (FlatLayout.rightInverse L) else .error .overflow := by
  have h1 := size_run hL
  simp only [rightInverse, Fn.run, Stmt.run, Exp.run, Args.run, Var.get, bindE, Out.ofExp] at h1 ⊢
  by_cases hs : FlatLayout.size L < 2 ^ 64
  · rw [if_pos hs] at h1 ⊢
    have hC := coalesce_valid hL
    have h2 := coalesce_run hL hs
    have h10 := size_rightInverse L
    have h11 := (rightInverse_injective hL).2
    have h12 := Valid.size_pos (rightInverse_valid L).1
    have he := two_le_of_mem_coalesce hL
    have hlt := length_lt_of_size hC (coalesce_coalesced L)
    rw [coalesce_size] at hlt
    rw [FlatLayout.rightInverse]
    rw [h10] at h11 h12
    have hsC : FlatLayout.size (FlatLayout.coalesce L) < 2 ^ 64 := by rw [coalesce_size]; exact hs
    generalize FlatLayout.coalesce L = C at *
    have h3 := starts_run hC hsC
    have h4 := reaches_run he hsC (by omega)
    have he' : ∀ p ∈ rising (FlatLayout.starts 1 C), 2 ≤ p.mode.extent := fun p hp =>
      he _ (mode_mem_of_mem_starts (mem_rising hp).1)
    have hml : (rising (FlatLayout.starts 1 C)).length ≤ C.length := by
      rw [← length_starts 1 C]; exact List.length_filter_le _ _
    have h5 := walk_run he' hml (by omega)
    have h8 : longest (C.length + 1) 1 (rising (FlatLayout.starts 1 C)) = longest C.length 1 (FlatLayout.starts 1 C) := by
      rw [← longest_filter (ms := FlatLayout.starts 1 C) (fun p hp => he _ (mode_mem_of_mem_starts hp)) _ 1 Nat.one_pos]
      have := countFrom_le 1 (rising (FlatLayout.starts 1 C))
      exact longest_stable he' _ _ 1 Nat.one_pos (by omega) (by omega)
    rw [h8] at h5
    have h9 : coalesce.run (longest C.length 1 (FlatLayout.starts 1 C), ()) =
        .ok (FlatLayout.coalesce (longest C.length 1 (FlatLayout.starts 1 C))) :=
      coalesce_run ((valid_iff_size_pos _).2 h12) (by omega)
    rw [h1]
    simp only []
    rw [h2]
    simp only []
    rw [h3]
    simp only []
    rw [h4]
    simp only []
    rw [h5]
    simp only []
    rw [h9]
    rfl
  · rw [if_neg hs] at h1 ⊢
    rw [h1]
    rfl

end Razorgirl.Extract
