module

public import Razorgirl.Thm.Extract.ComplementIn
public import Razorgirl.Thm.Extract.Composition.Split
public import Razorgirl.Thm.Int.Nat
public import Razorgirl.Thm.Layout.Complement

@[expose] public section

/-!
# What the program `complementCeil` returns

How often the block goes into the cotarget, rounded up, is found by two divisions: the block may be larger than 2^64 where
it goes once. Where it goes twice or more, it is below the cotarget.
-/

namespace Razorgirl.Extract
open FlatLayout FlatLayout.Aux

/-- **The extracted `ceil_div` returns the quotient rounded up, of a number below 2^64 by one of at least 1.**
Source: `Razorgirl.Division.ceilDiv` -/
theorem ceilDiv_run {n d : Nat} (hn : n < 2 ^ 64) (hd : 0 < d) : ceilDiv.run (n, d, ()) = .ok (Division.ceilDiv n d) := by
  have hd' : d ≠ 0 := by omega
  have h1 := ceil_eq (s := n) hd
  rw [Division.ceilDiv, h1]
  simp only [ceilDiv, Fn.run, Stmt.run, Exp.run, Op2.run, divC, modC, Var.get, Var.put, bindE, Out.ofExp, Out.andThen, hd',
    if_false, show check 0 = .ok 0 by rfl, show check 1 = .ok 1 by rfl]
  by_cases h2 : n % d = 0
  · simp [h2]
  · have h3 : d ≠ 1 := fun e => h2 (by rw [e, Nat.mod_one])
    have h4 : n / d ≤ n / 2 := Nat.div_le_div_left (by omega) (by decide)
    have h5 : check (n / d + 1) = .ok (n / d + 1) := if_pos (by omega)
    simp [h2, h5]

/-- `fit`, call by call. -/
theorem fit_eq (X : List Mode) : fit.run (X, ()) = bindE (coalesce.run (X, ())) fun o =>
    bindE (size.run (o, ())) fun _ => bindE (cosize.run (o, ())) fun _ => .ok o := by
  rw [fit, Fn.run]
  simp only [Stmt.run, Exp.run, Args.run, Var.get, bindE, Out.ofExp, Out.andThen]
  cases coalesce.run (X, ()) with
  | error f => rfl
  | ok o =>
    simp only []
    cases size.run (o, ()) with
    | error f => rfl
    | ok n =>
      simp only []
      cases cosize.run (o, ()) <;> rfl

/-- **The extracted `fit` returns the coalesced modes of valid modes whose size and cosize are below 2^64; of others,
overflow.**
Source: `Razorgirl.FlatLayout.coalesce` -/
theorem fit_run {X : List Mode} (hX : Valid X) : fit.run (X, ()) = fitted (some (FlatLayout.coalesce X)) "" := by
  rw [fit_eq]
  simp only [fitted]
  rcases coalesce_cases X with e | ⟨e, h3⟩
  · rw [e]
    simp only [bindE, size_run (coalesce_valid hX), cosize_run (coalesce_valid hX)]
    by_cases h4 : FlatLayout.size (FlatLayout.coalesce X) < 2 ^ 64
    · by_cases h5 : FlatLayout.cosize (FlatLayout.coalesce X) < 2 ^ 64
      · simp only [h4, h5, if_true, and_self]
      · simp only [h4, h5, if_true, if_false, and_false]
    · simp only [h4, if_false, false_and]
  · have h4 := h3 hX
    rw [e, if_neg (fun h => by rw [coalesce_size] at h; omega)]
    rfl

/-- **The extracted `complement_ceil` returns the complement of a valid layout in the least multiple of its block that is at
least N, where size, strides and N are below 2^64; if there is none, the refusal of its kind, and where its own size or
cosize is 2^64 or more, overflow.**
Source: `Razorgirl.FlatLayout.complementCeil` -/
theorem complementCeil_run {L : List Mode} {N : Nat} (hL : Valid L) (hs : ∀ m ∈ L, m.stride < 2 ^ 64)
    (hn : FlatLayout.size L < 2 ^ 64) (hN : N < 2 ^ 64) :
    complementCeil.run (L, N, ()) = fitted (FlatLayout.complementCeil L N) (complementCeilRefusal L) := by
  have h1 := chain_run_of_lt hL hn
  have h2 := gaps_run_chain hL hs
  have h3 := last_run (FlatLayout.chain L)
  simp only [complementCeil, Fn.run, Stmt.run, Exp.run, Args.run, Op1.run, Op2.run, Var.get, Var.put, bindE,
    Out.ofExp, FlatLayout.complementCeil, FlatLayout.complementIn, complementCeilRefusal, show check 0 = .ok 0 by rfl,
    show check 1 = .ok 1 by rfl]
  rw [h1]
  simp only []
  rw [h2]
  cases hg : FlatLayout.gaps 1 (FlatLayout.chain L) with
  | none => simp [answer, fitted]
  | some G =>
    simp only [answer]
    rw [h3]
    have hb : block L = _ := blockFrom_eq_last (FlatLayout.chain L) ⟨1, 1⟩
    have hp := last_pos (p := ⟨1, 1⟩) Nat.one_pos Nat.one_pos (valid_chain hL) (gaps_eq_some hg).1
    have hG := valid_gaps Nat.one_pos hg (valid_chain hL)
    generalize (FlatLayout.chain L).getLastD ⟨1, 1⟩ = q at *
    have hpos : 0 < block L := by rw [hb]; exact Nat.mul_pos hp.1 hp.2
    by_cases h0 : N = 0
    · have h4 : Division.ceilDiv 0 (block L) = 0 := by
        rw [Division.ceilDiv]; exact Nat.div_eq_of_lt (by omega)
      simp [h0, h4, fitted]
    have h5 := ceilDiv_run hN hp.2
    have h6 : Division.ceilDiv N q.stride < 2 ^ 64 := by
      refine Nat.lt_of_le_of_lt ?_ hN
      rw [Division.ceilDiv]
      refine Nat.div_le_of_le_mul ?_
      have := Nat.mul_le_mul hp.2 (show 1 ≤ N by omega)
      have h7 : q.stride + N ≤ q.stride * N + 1 := by
        have := Nat.mul_le_mul (show 1 ≤ q.stride from hp.2) (show 1 ≤ N by omega)
        obtain ⟨a, ha⟩ : ∃ a, q.stride = a + 1 := ⟨q.stride - 1, by have := hp.2; omega⟩
        obtain ⟨b, hb⟩ : ∃ b, N = b + 1 := ⟨N - 1, by omega⟩
        rw [ha, hb, Nat.add_mul, Nat.mul_add]
        omega
      omega
    have h7 := ceilDiv_run h6 hp.1
    rw [← Division.ceilDiv_mul, Nat.mul_comm q.stride, ← hb] at h7
    have h8 := Division.ceilDiv_pos (show 0 < N by omega) hpos
    have h9 : 0 < block L * Division.ceilDiv N (block L) ∧ block L * Division.ceilDiv N (block L) % block L = 0 :=
      ⟨Nat.mul_pos hpos h8, Nat.mul_mod_right _ _⟩
    rw [if_pos h9, Nat.mul_div_cancel_left _ hpos]
    simp only [h0, decide_false, Bool.false_eq_true, if_false, Out.andThen, Option.map]
    rw [h5]
    simp only []
    rw [h7]
    simp only []
    by_cases h10 : Division.ceilDiv N (block L) = 1
    · have h11 := fit_run hG
      rw [← coalesce_append_unit (m := ⟨Division.ceilDiv N (block L), block L⟩) h10] at h11
      simp only [h10, ne_eq, not_true, decide_false, Bool.false_eq_true, if_false] at h11 ⊢
      rw [h11]
      change _ = fitted (some (FlatLayout.coalesce (G ++ [⟨1, block L⟩]))) ""
      generalize fitted (some (FlatLayout.coalesce (G ++ [⟨1, block L⟩]))) "" = y
      cases y <;> rfl
    · have h12 : block L < N := by
        refine Nat.not_le.1 fun h => h10 ?_
        have : Division.ceilDiv N (block L) ≤ 1 := (Division.ceilDiv_le_iff hpos).2 (by rw [Nat.one_mul]; exact h)
        omega
      have h13 : check (block L) = .ok (block L) := if_pos (by omega)
      have h14 := fit_run (X := G ++ [⟨Division.ceilDiv N (block L), block L⟩]) ((valid_append_iff _ _).2 ⟨hG, h8, trivial⟩)
      simp only [h10, ne_eq, not_false_eq_true, decide_true, if_true, ← hb, h13]
      rw [h14]
      change _ = fitted (some (FlatLayout.coalesce (G ++ [⟨Division.ceilDiv N (block L), block L⟩]))) ""
      generalize fitted (some (FlatLayout.coalesce (G ++ [⟨Division.ceilDiv N (block L), block L⟩]))) "" = y
      cases y <;> rfl

end Razorgirl.Extract
