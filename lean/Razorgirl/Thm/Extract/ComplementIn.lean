module

public import Razorgirl.Thm.Extract.Complement

@[expose] public section

/-! # What the program `complementIn` returns -/

namespace Razorgirl.Extract
open FlatLayout FlatLayout.Aux

theorem lastStep_run (m p : Mode) (L : List Mode) : lastStep.run (m, p, L, ()) = .next (m, m, L, ()) := rfl

theorem last_loop {f : Mode → Mode × List Mode × Unit → Out (Mode × Mode × List Mode × Unit) Mode}
    (hf : ∀ m p L, f m (p, L, ()) = .next (m, m, L, ())) (X : List Mode) (p : Mode) (L : List Mode) :
    Out.each f X (p, L, ()) = .next (X.getLastD p, L, ()) := by
  induction X generalizing p with
  | nil => rfl
  | cons m X ih => rw [Out.each, hf, List.getLastD_cons]; exact ih m

/-- **The extracted `last` returns the last mode, or `1:1` of none.**
Source: `List.getLastD` -/
theorem last_run (L : List Mode) : last.run (L, ()) = .ok (L.getLastD ⟨1, 1⟩) := by
  simp only [last, Fn.run, Stmt.run, Exp.run, Op2.run, Var.get, bindE, Out.ofExp, show check 1 = .ok 1 by rfl]
  rw [last_loop (f := fun a s => lastStep.run (a, s)) lastStep_run L ⟨1, 1⟩ L]
  rfl

theorem blockFrom_eq_last (X : List Mode) (p : Mode) :
    blockFrom (p.extent * p.stride) X = (X.getLastD p).extent * (X.getLastD p).stride := by
  induction X generalizing p with
  | nil => rfl
  | cons m X ih => rw [List.getLastD_cons]; exact ih m

theorem last_pos {X : List Mode} {p : Mode} (he : 0 < p.extent) (hd : 0 < p.stride) (hX : Valid X) {c : Nat}
    (h : Divides c X) : 0 < (X.getLastD p).extent ∧ 0 < (X.getLastD p).stride := by
  induction X generalizing p c with
  | nil => exact ⟨he, hd⟩
  | cons m X ih => rw [List.getLastD_cons]; exact ih hX.1 h.1 hX.2 h.2.2

/-- Modes and gaps fill the block. -/
theorem size_gaps_mul {c : Nat} {X G : FlatLayout} (h : FlatLayout.gaps c X = some G) :
    c * FlatLayout.size G * FlatLayout.size X = blockFrom c X := by
  induction X generalizing c G with
  | nil => simp [FlatLayout.gaps] at h; subst h; simp [size_nil, blockFrom]
  | cons m X ih =>
    rw [FlatLayout.gaps] at h
    split at h
    · rename_i h0
      obtain ⟨G', h1, rfl⟩ := Option.map_eq_some_iff.1 h
      have h2 : c * (m.stride / c) = m.stride := Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero h0.2)
      rw [size_cons, size_cons, blockFrom, ← ih h1, ← Nat.mul_assoc c, h2]
      grind
    · cases h

/-- **The extracted `complement_in` returns the complement of a valid layout in `[0,N)`, where size, strides and N are below
2^64, if there is one, else the refusal of its kind; it never overflows.**
Source: `Razorgirl.FlatLayout.complementIn` -/
theorem complementIn_run {L : List Mode} {N : Nat} (hL : Valid L) (hs : ∀ m ∈ L, m.stride < 2 ^ 64)
    (hn : FlatLayout.size L < 2 ^ 64) (hN : N < 2 ^ 64) :
    complementIn.run (L, N, ()) = answer (FlatLayout.complementIn L N) (complementInRefusal L N) := by
  have h1 := chain_run_of_lt hL hn
  have h2 := gaps_run_chain hL hs
  have h3 := last_run (FlatLayout.chain L)
  simp only [complementIn, Fn.run, Stmt.run, Exp.run, Args.run, Op1.run, Op2.run, divC, modC, Var.get, Var.put, bindE,
    Out.ofExp, FlatLayout.complementIn, complementInRefusal, show check 0 = .ok 0 by rfl] at h1 h2 h3 ⊢
  rw [h1]
  simp only []
  rw [h2]
  cases hg : FlatLayout.gaps 1 (FlatLayout.chain L) with
  | none => simp [answer]
  | some G =>
    simp only [answer]
    rw [h3]
    have hb : block L = _ := blockFrom_eq_last (FlatLayout.chain L) ⟨1, 1⟩
    have hp := last_pos (p := ⟨1, 1⟩) Nat.one_pos Nat.one_pos (valid_chain hL) (gaps_eq_some hg).1
    have hz := size_gaps_mul hg
    have hz' : block L = blockFrom 1 (FlatLayout.chain L) := rfl
    have hq := mod_mul_iff (n := N) (e := ((FlatLayout.chain L).getLastD ⟨1, 1⟩).extent) hp.2
    have hv := Valid.size_pos (valid_chain hL)
    have hG := valid_gaps Nat.one_pos hg (valid_chain hL)
    generalize (FlatLayout.chain L).getLastD ⟨1, 1⟩ = q at *
    have he : q.extent ≠ 0 := by omega
    have hd : q.stride ≠ 0 := by omega
    rw [← hb] at hq
    by_cases h0 : N = 0
    · simp [h0]
    by_cases h4 : N % q.stride = 0
    · by_cases h5 : N / q.stride % q.extent = 0
      · have h6 : N % block L = 0 := hq.2 ⟨h4, h5⟩
        have h7 : block L ≤ N := Nat.le_of_dvd (by omega) (Nat.dvd_of_mod_eq_zero h6)
        have h8 : N / q.stride / q.extent = N / block L := by rw [hb]; exact div_div_mul _ _ _
        have h9 : check (block L) = .ok (block L) := if_pos (by omega)
        have hpos : 0 < block L := by rw [hb]; exact Nat.mul_pos hp.1 hp.2
        have h10 : coalesce.run (G ++ [⟨N / block L, block L⟩], ()) =
            .ok (FlatLayout.coalesce (G ++ [⟨N / block L, block L⟩])) := by
          refine coalesce_run ((valid_append_iff _ _).2 ⟨hG, Nat.div_pos h7 hpos, trivial⟩) ?_
          have e1 : FlatLayout.size G ≤ block L := by
            rw [hz', ← hz, Nat.one_mul]; exact Nat.le_mul_of_pos_right _ hv
          rw [size_append, size_cons, size_nil, Nat.mul_one]
          refine Nat.lt_of_le_of_lt (Nat.mul_le_mul_right _ e1) ?_
          exact Nat.lt_of_le_of_lt (Nat.mul_div_le _ _) hN
        have h11 : 0 < N := by omega
        simp only [h0, h4, h5, h6, h8, he, hd, h11, ← hb, h9, decide_false, ne_eq, not_true, if_true,
          if_false, and_self, Out.andThen, Option.map, Bool.false_eq_true]
        rw [h10]
        rfl
      · have h6 : ¬ N % block L = 0 := fun h => h5 (hq.1 h).2
        simp [h0, h4, h5, h6, he, hd]
    · have h6 : ¬ N % block L = 0 := fun h => h4 (hq.1 h).1
      simp [h0, h4, h6, hd]

end Razorgirl.Extract
