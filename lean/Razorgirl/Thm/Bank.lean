module

public import Razorgirl.Data.Most
public import Razorgirl.Spec.Bank
public import Razorgirl.Thm.LinearLayout.Elimination.Count

@[expose] public section

/-!
# Banks: what is proved

Wavefronts are counted by definition. For lanes that are F2-linear the count is a power of two, of the difference of
two ranks: every bank that is met is met by equally many words.
-/

namespace Razorgirl

namespace Bank

open F2

theorem distinct_cons (a : Nat) (l : List Nat) : distinct (a :: l) = if a ∈ l then distinct l else a :: distinct l := by
  simp only [distinct, List.elem_eq_mem, decide_eq_true_eq]

theorem inBank_eq (ws : List Nat) (k : Nat) : inBank ws k = (distinct ws).countP (fun w => decide (w % 32 = k)) := by
  rw [inBank]
  congr 1

/-- **The distinct values of a list are the values of the list.**
Source: none known -/
theorem mem_dedup {l a} : a ∈ distinct l ↔ a ∈ l := by
  induction l with
  | nil => rfl
  | cons b l ih =>
    simp only [distinct_cons]
    split
    · rename_i h
      rw [ih, List.mem_cons]
      exact ⟨.inr, fun k => k.elim (· ▸ h) id⟩
    · simp [ih]

/-- **The distinct values of a list do not repeat.**
Source: none known -/
theorem nodup_dedup (l) : (distinct l).Nodup := by
  induction l with
  | nil => simp [distinct]
  | cons b l ih =>
    simp only [distinct_cons]
    split
    · exact ih
    · rename_i h
      simp [ih, mem_dedup, h]

theorem perm_lanes (cs) : (distinct (lanes cs)).Perm (spanValues cs) := by
  apply perm_of_nodup (nodup_dedup _) (nodup_vals _)
  intro a
  simp only [mem_dedup, mem_vals, lanes, List.mem_map, List.mem_range]
  constructor
  · rintro ⟨x, _, h⟩; exact ⟨x, h⟩
  · rintro ⟨x, h⟩
    exact ⟨_, Nat.mod_lt x (Nat.two_pow_pos cs.length), by rw [applyHigh_mod _ _ _ (Nat.le_refl _), h]⟩

/-- **Lanes that are F2-linear ask for 2^r different values, r being the rank of their columns.**
Source: «Linear Layouts» (arXiv 2505.23819) -/
theorem distinct_lanes (cs) : (distinct (lanes cs)).length = 2 ^ rank cs := by
  rw [(perm_lanes cs).length_eq, length_vals]

theorem most_eq {f : Nat → Nat} {n m : Nat} (h : ∀ k, k < n → f k ≤ m) (i) (hi : i < n) (e : f i = m) :
    most f n = m := by
  have up : ∀ n, (∀ k, k < n → f k ≤ m) → most f n ≤ m := by
    intro n; induction n with
    | zero => intro _; exact Nat.zero_le _
    | succ n ih => intro h; exact Nat.max_le.2 ⟨ih fun k hk => h k (by omega), h n (by omega)⟩
  exact Nat.le_antisymm (up n h) (e ▸ le_most hi)

/-- **Wavefronts are the most different words in one of the 32 banks.** *By definition.*
Source: CUDA C++ Programming Guide, «Shared Memory» -/
theorem wavefronts_eq (ws : List Nat) : wavefronts ws = most (inBank ws) 32 := rfl

/-- **Lanes that are F2-linear in words take 2^(rank of the words - rank of the banks) wavefronts.**
Source: «Linear Layouts» (arXiv 2505.23819); Triton `bankConflictsMemDesc` (repaired: `hidden_conflict`) -/
theorem bank_formula (W : List Nat) :
    wavefronts (lanes W) = 2 ^ (rank W - rank (W.map (· % 32))) := by
  have H : ∀ k, inBank (lanes W) k
      = if Span (W.map (· % 32)) k then 2 ^ (rank W - rank (W.map (· % 32))) else 0 := by
    intro k
    rw [inBank_eq, (perm_lanes W).countP_eq]
    exact fibre (lin_mod 5) W k
  rw [wavefronts_eq]
  apply most_eq (i := 0) _ (by omega)
  · rw [H, if_pos (Span.zero _)]
  · intro k _; rw [H]; split
    · exact Nat.le_refl _
    · exact Nat.zero_le _

/-- **Bytes of an 8 x 32 tile, lanes at rows 4 and 1 and columns 8, 2 and 4, in memory swizzled with vec 1, perPhase 4 and
maxPhase 2: lanes 0 and 1 read bytes 0 and 129, which are words 0 and 32 of bank 0. There are two wavefronts, by definition
and by ranks; Triton's intersection of spans finds one.**
Source: none known -/
theorem hidden_conflict : phase 1 (lanes [4, 32, 2, 8, 129]) = 2 ∧ linearWavefronts [4, 32, 2, 8, 129] 0 = 2 := by
  decide +kernel

end Bank

end Razorgirl
