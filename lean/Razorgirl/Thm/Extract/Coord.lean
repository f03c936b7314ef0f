module

public import Razorgirl.Extract.Coord
public import Razorgirl.Thm.Layout.Basic

@[expose] public section

/-! # What the programs for offsets and coordinates return -/

namespace Razorgirl.Extract
open FlatLayout

theorem atIndexStep_run (m : Mode) (s x : Nat) (L : List Mode) (y : Nat) (h : 0 < m.extent) :
    atIndexStep.run (m, s, x, L, y, ()) =
      if s + x % m.extent * m.stride < 2 ^ 64 then .next (m, s + x % m.extent * m.stride, x / m.extent, L, y, ())
      else .fault .overflow := by
  have h' : m.extent ≠ 0 := by omega
  simp only [atIndexStep, Stmt.run, Exp.run, Op1.run, Op2.run, divC, modC, Var.get, Var.put, bindE, Out.ofExp, check]
  by_cases h1 : x % m.extent * m.stride < 2 ^ 64
  · by_cases h2 : s + x % m.extent * m.stride < 2 ^ 64 <;> simp only [h', h1, h2, if_true, if_false, Out.andThen]
  · have h2 : ¬ s + x % m.extent * m.stride < 2 ^ 64 := by omega
    simp only [h', h1, h2, if_false, Out.andThen]

/-- The variables of `atIndex`. -/
abbrev IndexState := Nat × Nat × List Mode × Nat × Unit

theorem atIndex_loop {f : Mode → IndexState → Out (Mode × IndexState) Nat}
    (hf : ∀ m s x L y, 0 < m.extent → f m (s, x, L, y, ()) =
      if s + x % m.extent * m.stride < 2 ^ 64 then .next (m, s + x % m.extent * m.stride, x / m.extent, L, y, ())
      else .fault .overflow) (X : List Mode) (s x : Nat) (L : List Mode) (y : Nat) (hX : Valid X) (hs : s < 2 ^ 64) :
    if s + FlatLayout.atIndex X x < 2 ^ 64 then
      ∃ x', Out.each f X (s, x, L, y, ()) = .next (s + FlatLayout.atIndex X x, x', L, y, ())
    else Out.each f X (s, x, L, y, ()) = .fault .overflow := by
  induction X generalizing s x with
  | nil => simp only [atIndex_nil, Nat.add_zero, hs, if_true, Out.each]; exact ⟨x, rfl⟩
  | cons m X ih =>
    rw [Out.each, hf _ _ _ _ _ hX.1, atIndex_cons, ← Nat.add_assoc]
    by_cases h : s + x % m.extent * m.stride < 2 ^ 64
    · simpa only [h, if_true, Out.andThen] using ih (s + x % m.extent * m.stride) (x / m.extent) hX.2 h
    · rw [if_neg h, if_neg (by omega)]; rfl

/-- **The extracted `at_index` returns the offset of a linear index of a valid layout if it is below 2^64, else overflow.**
Source: `Razorgirl.FlatLayout.atIndex` -/
theorem atIndex_run {L : List Mode} (x : Nat) (hL : Valid L) : atIndex.run (L, x, ()) =
    if FlatLayout.atIndex L x < 2 ^ 64 then .ok (FlatLayout.atIndex L x) else .error .overflow := by
  have h := atIndex_loop (f := fun a s => atIndexStep.run (a, s)) atIndexStep_run L 0 x L x hL (by decide)
  simp only [atIndex, Fn.run, Stmt.run, Exp.run, Var.get, Out.ofExp, show check 0 = .ok 0 by rfl]
  rw [Nat.zero_add] at h
  by_cases h1 : FlatLayout.atIndex L x < 2 ^ 64
  · rw [if_pos h1] at h ⊢
    obtain ⟨x', h⟩ := h
    erw [h]; simp
  · rw [if_neg h1] at h ⊢
    erw [h]; simp

theorem idx2crd_loop {f : Nat → Nat × List Nat × List Nat × Nat × Unit → Out (Nat × Nat × List Nat × List Nat × Nat × Unit) (List Nat)}
    (hf : ∀ s r o L y, 0 < s → f s (r, o, L, y, ()) = .next (s, r / s, o ++ [r % s], L, y, ()))
    (X : List Nat) (hX : ∀ s ∈ X, 0 < s) (r : Nat) (o L : List Nat) (y : Nat) :
    ∃ r', Out.each f X (r, o, L, y, ()) = .next (r', o ++ Razorgirl.idx2crd X r, L, y, ()) := by
  induction X generalizing r o with
  | nil => exact ⟨r, by simp [Out.each, Razorgirl.idx2crd]⟩
  | cons s X ih =>
    obtain ⟨r', h⟩ := ih (fun t ht => hX t (by simp [ht])) (r / s) (o ++ [r % s])
    exact ⟨r', by rw [Out.each, hf _ _ _ _ _ (hX s (by simp))]; simp only [Out.andThen]; rw [h]; simp [Razorgirl.idx2crd]⟩

theorem idx2crdStep_run (s r : Nat) (o L : List Nat) (y : Nat) (h : 0 < s) :
    idx2crdStep.run (s, r, o, L, y, ()) = .next (s, r / s, o ++ [r % s], L, y, ()) := by
  have h' : s ≠ 0 := by omega
  simp [idx2crdStep, h']

/-- **The extracted `idx2crd` returns the coordinate of any linear index, in any shape of extents of at least 1.**
Source: `Razorgirl.idx2crd` -/
theorem idx2crd_run {S : List Nat} (hS : ∀ s ∈ S, 0 < s) (x : Nat) :
    idx2crd.run (S, x, ()) = .ok (Razorgirl.idx2crd S x) := by
  obtain ⟨r', h⟩ := idx2crd_loop (f := fun a s => idx2crdStep.run (a, s)) idx2crdStep_run S hS x [] S x
  simp only [idx2crd, Fn.run, Stmt.run, Exp.run, Var.get, Out.ofExp]
  erw [h]; simp

end Razorgirl.Extract
