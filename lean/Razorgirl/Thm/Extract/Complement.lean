module

public import Razorgirl.Extract.Complement
public import Razorgirl.Thm.Extract.Coalesce
public import Razorgirl.Thm.Extract.Size
public import Razorgirl.Thm.Extract.Sort
public import Razorgirl.Thm.Layout.Complement

@[expose] public section

/-! # What the programs for complements return -/

namespace Razorgirl.Extract
open FlatLayout FlatLayout.Aux

/-! ## The chain -/

theorem mem_squeeze {m : Mode} {L : FlatLayout} (h : m ∈ FlatLayout.squeeze L) : m ∈ L := by
  induction L with
  | nil => exact h
  | cons k L ih =>
    rw [FlatLayout.squeeze] at h
    split at h
    · exact List.mem_cons_of_mem _ (ih h)
    · rcases List.mem_cons.1 h with rfl | h
      · simp
      · exact List.mem_cons_of_mem _ (ih h)

theorem mem_chain {m : Mode} {L : FlatLayout} (h : m ∈ FlatLayout.chain L) : m ∈ L :=
  mem_squeeze ((sort_perm _).mem_iff.1 h)

theorem chainStep_run (m : Mode) (o : List Mode) (s : Nat) (L : List Mode) : chainStep.run (m, o, s, L, ()) =
    if m.extent = 1 then .next (m, o, s, L, ()) else .next (m, FlatLayout.insert m o, s, L, ()) := by
  simp only [chainStep, Stmt.run, Exp.run, Args.run, Op1.run, Op2.run, insert_run, Var.get, Var.put, bindE, Out.ofExp,
    show check 1 = .ok 1 by rfl]
  by_cases h : m.extent = 1 <;> simp [h]

theorem chain_loop {f : Mode → List Mode × Nat × List Mode × Unit → Out (Mode × List Mode × Nat × List Mode × Unit) (List Mode)}
    (hf : ∀ m o s L, f m (o, s, L, ()) =
      if m.extent = 1 then .next (m, o, s, L, ()) else .next (m, FlatLayout.insert m o, s, L, ()))
    (X o : List Mode) (s : Nat) (L : List Mode) (ho : Sorted o) :
    ∃ o', Out.each f X (o, s, L, ()) = .next (o', s, L, ()) ∧ Sorted o' ∧ o'.Perm (FlatLayout.squeeze X ++ o) := by
  induction X generalizing o with
  | nil => exact ⟨o, rfl, ho, by simp [FlatLayout.squeeze]⟩
  | cons m X ih =>
    rw [Out.each, hf, FlatLayout.squeeze]
    by_cases h : m.extent = 1
    · simp only [h, if_true, Out.andThen]; exact ih o ho
    · simp only [h, if_false, Out.andThen]
      obtain ⟨o', h1, h2, h3⟩ := ih (FlatLayout.insert m o) (sorted_insert ho)
      exact ⟨o', h1, h2, h3.trans (((insert_perm m o).append_left _).trans List.perm_middle)⟩

/-- **The extracted `chain` returns the modes of extent above 1 by stride, of a valid layout of size below 2^64; of another
valid layout, overflow.**
Source: `Razorgirl.FlatLayout.chain` -/
theorem chain_run {L : List Mode} (hL : Valid L) : chain.run (L, ()) =
    if FlatLayout.size L < 2 ^ 64 then .ok (FlatLayout.chain L) else .error .overflow := by
  have h1 := size_run hL
  simp only [chain, Fn.run, Stmt.run, Exp.run, Args.run, Var.get, bindE, Out.ofExp] at h1 ⊢
  by_cases h : FlatLayout.size L < 2 ^ 64
  · rw [if_pos h] at h1 ⊢
    obtain ⟨o, h2, h3, h4⟩ := chain_loop (f := fun m s => chainStep.run (m, s)) chainStep_run L [] (FlatLayout.size L) L .nil
    have : o = FlatLayout.chain L := by
      rw [← sort_eq_self_iff.2 h3]; exact sort_eq_iff_perm.2 (by simpa using h4)
    rw [h1]; simp only []; erw [h2]; simp [this]
  · rw [if_neg h] at h1 ⊢; rw [h1]; rfl

/-- `chain_run`, where the size is known to fit. -/
theorem chain_run_of_lt {L : List Mode} (hL : Valid L) (h : FlatLayout.size L < 2 ^ 64) :
    chain.run (L, ()) = .ok (FlatLayout.chain L) := by rw [chain_run hL, if_pos h]

/-! ## Gaps -/

/-- The variables of `gaps`. -/
abbrev GapsState := Mode × List Mode × List Mode × Unit

/-- What one turn does, where the operands are in range. -/
def GapsStep (f : Mode → GapsState → Out (Mode × GapsState) (List Mode)) : Prop := ∀ (m p : Mode) (o L : List Mode),
  0 < p.extent → 0 < p.stride → m.stride < 2 ^ 64 → f m (p, o, L, ()) =
    if m.stride = 0 then .fault (.refuse "not_injective")
    else if m.stride % (p.extent * p.stride) = 0 then
      .next (m, m, o ++ [⟨m.stride / (p.extent * p.stride), p.extent * p.stride⟩], L, ())
    else .fault (.refuse "not_divisible")

/-- Two divisions decide whether a product divides. -/
theorem mod_mul_iff {n e d : Nat} (hd : 0 < d) : n % (e * d) = 0 ↔ n % d = 0 ∧ n / d % e = 0 := by
  have key : n % (e * d) = n % d + d * (n / d % e) := by rw [Nat.mul_comm e, Nat.mod_mul]
  rw [key]
  constructor
  · intro h
    have h1 : n % d = 0 := by omega
    have h2 : d * (n / d % e) = 0 := by omega
    exact ⟨h1, by rcases Nat.mul_eq_zero.1 h2 with h | h <;> omega⟩
  · rintro ⟨h1, h2⟩; rw [h1, h2, Nat.mul_zero]

theorem div_div_mul (n e d : Nat) : n / d / e = n / (e * d) := by rw [Nat.div_div_eq_div_mul, Nat.mul_comm]

theorem gapsStep_run : GapsStep fun m s => gapsStep.run (m, s) := by
  intro m p o L he hd hm
  have he' : p.extent ≠ 0 := by omega
  have hd' : p.stride ≠ 0 := by omega
  have key := mod_mul_iff (n := m.stride) (e := p.extent) hd
  simp only [gapsStep, Stmt.run, Exp.run, Op1.run, Op2.run, divC, modC, Var.get, Var.put, bindE, Out.ofExp, Out.andThen,
    show check 0 = .ok 0 by rfl, decide_eq_true_eq]
  by_cases h0 : m.stride = 0
  · simp [h0]
  by_cases h1 : m.stride % p.stride = 0
  · by_cases h2 : m.stride / p.stride % p.extent = 0
    · have h3 : m.stride % (p.extent * p.stride) = 0 := key.2 ⟨h1, h2⟩
      have h4 : p.extent * p.stride < 2 ^ 64 :=
        Nat.lt_of_le_of_lt (Nat.le_of_dvd (by omega) (Nat.dvd_of_mod_eq_zero h3)) hm
      have h5 := div_div_mul m.stride p.extent p.stride
      simp [h0, h1, h2, h3, h4, h5, check, he', hd']
    · have h3 : ¬ m.stride % (p.extent * p.stride) = 0 := fun h => h2 (key.1 h).2
      simp [h0, h1, h2, h3, he', hd']
  · have h3 : ¬ m.stride % (p.extent * p.stride) = 0 := fun h => h1 (key.1 h).1
    simp [h0, h1, h3, hd']

theorem gaps_loop {f : Mode → GapsState → Out (Mode × GapsState) (List Mode)} (hf : GapsStep f) (X : List Mode) (p : Mode)
    (o L : List Mode) (he : 0 < p.extent) (hd : 0 < p.stride) (hX : Valid X) (hs : ∀ m ∈ X, m.stride < 2 ^ 64) :
    (∃ G p', FlatLayout.gaps (p.extent * p.stride) X = some G ∧ Out.each f X (p, o, L, ()) = .next (p', o ++ G, L, ())) ∨
    (FlatLayout.gaps (p.extent * p.stride) X = none ∧
      Out.each f X (p, o, L, ()) = .fault (.refuse (gapsRefusal (p.extent * p.stride) X))) := by
  induction X generalizing p o with
  | nil => exact .inl ⟨[], p, rfl, by simp [Out.each]⟩
  | cons m X ih =>
    rw [Out.each, hf m p o L he hd (hs m (by simp)), FlatLayout.gaps, gapsRefusal]
    by_cases h0 : m.stride = 0
    · rw [if_pos h0, if_pos h0, if_neg (by omega)]; exact .inr ⟨rfl, rfl⟩
    by_cases h : m.stride % (p.extent * p.stride) = 0
    · rw [if_neg h0, if_neg h0, if_pos h, if_pos h, if_pos ⟨by omega, h⟩]
      rcases ih m (o ++ [⟨m.stride / (p.extent * p.stride), p.extent * p.stride⟩]) hX.1 (by omega) hX.2
        (fun n hn => hs n (by simp [hn])) with ⟨G, p', h1, h2⟩ | ⟨h1, h2⟩
      · left; exact ⟨_ :: G, p', by rw [h1]; rfl, by simp only [Out.andThen]; rw [h2]; simp⟩
      · right; exact ⟨by rw [h1]; rfl, h2⟩
    · rw [if_neg h0, if_neg h0, if_neg h, if_neg h, if_neg (fun h' => h h'.2)]; exact .inr ⟨rfl, rfl⟩

/-- **The extracted `gaps` returns the gaps that the definition finds below each mode, in the order in which the modes
stand, or refuses where it finds none, with the kind of `gapsRefusal`, of extents of at least 1 and strides below 2^64; it
never overflows.**
Source: `Razorgirl.FlatLayout.gaps` -/
theorem gaps_run (e : Env [("chain", .list .mode)]) (hX : Valid e.1) (hs : ∀ m ∈ e.1, m.stride < 2 ^ 64) :
    gaps.run e = answer (FlatLayout.gaps 1 e.1) (gapsRefusal 1 e.1) := by
  obtain ⟨L, ⟨⟩⟩ := e
  simp only [gaps, Fn.run, Stmt.run, Exp.run, Op2.run, Var.get, bindE, Out.ofExp, show check 1 = .ok 1 by rfl]
  rcases gaps_loop gapsStep_run L ⟨1, 1⟩ [] L Nat.one_pos Nat.one_pos hX hs with ⟨G, p, h1, h2⟩ | ⟨h1, h2⟩
  · erw [h2, h1]; simp [answer]
  · erw [h2, h1]; simp [answer]

theorem size_gaps {c N : Nat} {X G : FlatLayout} (h : FlatLayout.gaps c X = some G) (hX : Valid X)
    (hs : ∀ m ∈ X, m.stride ≤ N) : (X = [] ∧ G = []) ∨ c * FlatLayout.size G ≤ N := by
  induction X generalizing c G with
  | nil => simp [FlatLayout.gaps] at h; exact .inl ⟨rfl, h⟩
  | cons m X ih =>
    right
    rw [FlatLayout.gaps] at h
    split at h
    · rename_i h0
      obtain ⟨G', h1, rfl⟩ := Option.map_eq_some_iff.1 h
      have h2 : c * (m.stride / c) = m.stride := Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero h0.2)
      rw [size_cons, ← Nat.mul_assoc, h2]
      rcases ih h1 hX.2 (fun n hn => hs n (by simp [hn])) with ⟨_, rfl⟩ | h3
      · simpa [size_nil] using hs m (by simp)
      · exact Nat.le_trans (Nat.mul_le_mul_right _ (Nat.le_mul_of_pos_left _ hX.1)) h3
    · cases h

theorem valid_gaps {c : Nat} (hc : 0 < c) {X G : FlatLayout} (h : FlatLayout.gaps c X = some G) (hX : Valid X) :
    Valid G := by
  induction X generalizing c G with
  | nil => simp [FlatLayout.gaps] at h; subst h; trivial
  | cons m X ih =>
    rw [FlatLayout.gaps] at h
    split at h
    · rename_i h0
      obtain ⟨G', h1, rfl⟩ := Option.map_eq_some_iff.1 h
      refine ⟨Nat.div_pos (Nat.le_of_dvd h0.1 (Nat.dvd_of_mod_eq_zero h0.2)) hc, ih (Nat.mul_pos hX.1 h0.1) h1 hX.2⟩
    · cases h

/-! ## Complement -/

theorem gaps_run_chain {L : List Mode} (hL : Valid L) (hs : ∀ m ∈ L, m.stride < 2 ^ 64) :
    gaps.run (FlatLayout.chain L, ()) = answer (FlatLayout.gaps 1 (FlatLayout.chain L)) (complementRefusal L) :=
  gaps_run (FlatLayout.chain L, ()) (valid_chain hL) fun m h => hs m (mem_chain h)

/-- **The extracted `complement` returns the complement of a valid layout with size and strides below 2^64 if there is one,
else the refusal of its kind; it never overflows.**
Source: `Razorgirl.FlatLayout.complement` -/
theorem complement_run {L : List Mode} (hL : Valid L) (hs : ∀ m ∈ L, m.stride < 2 ^ 64)
    (hn : FlatLayout.size L < 2 ^ 64) :
    complement.run (L, ()) = answer (FlatLayout.complement L) (complementRefusal L) := by
  have h1 := chain_run_of_lt hL hn
  have h2 := gaps_run_chain hL hs
  simp only [complement, Fn.run, Stmt.run, Exp.run, Args.run, Var.get, bindE, Out.ofExp, FlatLayout.complement] at h1 h2 ⊢
  rw [h1]
  simp only []
  rw [h2]
  cases hg : FlatLayout.gaps 1 (FlatLayout.chain L) with
  | none => simp [answer]
  | some G =>
    have h3 : coalesce.run (G, ()) = .ok (FlatLayout.coalesce G) := by
      refine coalesce_run (valid_gaps Nat.one_pos hg (valid_chain hL)) ?_
      rcases size_gaps (N := 2 ^ 64 - 1) hg (valid_chain hL) (fun m h => by have := hs m (mem_chain h); omega) with
        ⟨_, rfl⟩ | h
      · decide
      · omega
    simp only [answer, Option.map]
    rw [h3]
    simp

end Razorgirl.Extract
