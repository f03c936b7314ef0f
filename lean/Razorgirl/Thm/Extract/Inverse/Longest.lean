module

public import Razorgirl.Extract.Inverse
public import Razorgirl.Thm.Layout.Inverse.Right

@[expose] public section

/-!
# The longest chain, by a table

`longest` searches all chains. A table of how far a chain from each start reaches, extended as often as there are starts,
says the same: `longest` changes no more once its bound is at least the number of starts that can still follow.
-/

namespace Razorgirl.Extract
open FlatLayout

theorem foldl_congr {α β : Type} {f g : β → α → β} {l : List α} (h : ∀ a, a ∈ l → ∀ b, f b a = g b a) (b : β) :
    l.foldl f b = l.foldl g b := by
  induction l generalizing b with
  | nil => rfl
  | cons a l ih => rw [List.foldl_cons, List.foldl_cons, h a (by simp), ih fun a ha => h a (by simp [ha])]

theorem foldl_const {α β : Type} (l : List α) (b : β) : l.foldl (fun b _ => b) b = b := by
  induction l with
  | nil => rfl
  | cons a l ih => exact ih

/-- The starts from a stride on. -/
def countFrom (run : Nat) : List Start → Nat
  | [] => 0
  | p :: ps => (if run ≤ p.mode.stride then 1 else 0) + countFrom run ps

theorem countFrom_le (run : Nat) (ps : List Start) : countFrom run ps ≤ ps.length := by
  induction ps with
  | nil => exact Nat.le_refl _
  | cons p ps ih => rw [countFrom, List.length_cons]; split <;> omega

theorem countFrom_mono {a b : Nat} (h : a ≤ b) (ps : List Start) : countFrom b ps ≤ countFrom a ps := by
  induction ps with
  | nil => exact Nat.le_refl _
  | cons p ps ih =>
    rw [countFrom, countFrom]
    by_cases h1 : b ≤ p.mode.stride
    · rw [if_pos h1, if_pos (by omega)]; omega
    · rw [if_neg h1]; omega

theorem countFrom_lt {a b : Nat} (h : a < b) {ps : List Start} {p : Start} (hp : p ∈ ps) (hs : p.mode.stride = a) :
    countFrom b ps < countFrom a ps := by
  induction ps with
  | nil => cases hp
  | cons q ps ih =>
    rw [countFrom, countFrom]
    have h1 := countFrom_mono (Nat.le_of_lt h) ps
    rcases List.mem_cons.1 hp with rfl | hp
    · rw [if_neg (by omega : ¬ b ≤ p.mode.stride), if_pos (by omega : a ≤ p.mode.stride)]; omega
    · have h2 := ih hp
      by_cases h3 : b ≤ q.mode.stride
      · rw [if_pos h3, if_pos (by omega)]; omega
      · rw [if_neg h3]; omega

/-- What follows a mode of stride `run` has fewer starts left. -/
theorem countFrom_follow {run : Nat} (hr : 0 < run) {ms : List Start} (h2 : ∀ p ∈ ms, 2 ≤ p.mode.extent) {p : Start}
    (hp : p ∈ ms) (hs : p.mode.stride = run) : countFrom (run * p.mode.extent) ms < countFrom run ms := by
  refine countFrom_lt ?_ hp hs
  have := Nat.mul_le_mul_left run (h2 p hp)
  omega

/-- Past the number of starts that can follow, the bound of `longest` does not matter. -/
theorem longest_stable {ms : List Start} (h2 : ∀ p ∈ ms, 2 ≤ p.mode.extent) (n m run : Nat) (hr : 0 < run)
    (hn : countFrom run ms ≤ n) (hm : countFrom run ms ≤ m) : longest n run ms = longest m run ms := by
  have hnone : ∀ run, countFrom run ms = 0 → ∀ p ∈ ms, ¬ p.mode.stride = run := fun run h p hp e => by
    have := countFrom_lt (Nat.lt_succ_self run) hp e
    omega
  have hzero : ∀ k run, countFrom run ms = 0 → longest k run ms = [] := fun k run h => by
    cases k with
    | zero => rfl
    | succ k =>
      rw [longest]
      rw [foldl_congr (g := fun b _ => b) (fun p hp b => if_neg fun hc => hnone run h p hp hc.1)]
      exact foldl_const ms []
  induction n generalizing m run with
  | zero => rw [hzero m run (by omega)]; rfl
  | succ n ih =>
    cases m with
    | zero => rw [hzero (n + 1) run (by omega)]; rfl
    | succ m =>
      rw [longest, longest]
      refine foldl_congr (fun p hp b => ?_) []
      by_cases hs : p.mode.stride = run
      · have h3 := countFrom_follow hr h2 hp hs
        rw [ih m (run * p.mode.extent) (Nat.mul_pos hr (by have := h2 p hp; omega)) (by omega) (by omega)]
      · rw [if_neg (fun h => hs h.1), if_neg (fun h => hs h.1)]

/-- Starts of stride 0 are in no chain from a positive stride on. -/
theorem longest_filter {ms : List Start} (h2 : ∀ p ∈ ms, 2 ≤ p.mode.extent) (n run : Nat) (hr : 0 < run) :
    longest n run (ms.filter fun p => p.mode.stride != 0) = longest n run ms := by
  induction n generalizing run with
  | zero => rfl
  | succ n ih =>
    rw [longest, longest, List.foldl_filter]
    refine foldl_congr (fun p hp b => ?_) []
    by_cases hs : p.mode.stride = run
    · have h0 : p.mode.stride ≠ 0 := by omega
      rw [ih (run * p.mode.extent) (Nat.mul_pos hr (by have := h2 p hp; omega))]
      simp [h0]
    · simp [hs]

/-! ## Reach -/

/-- Different starts reach at most the size together. -/
theorem reach_le_size {L : FlatLayout} (h2 : ∀ m ∈ L, 2 ≤ m.extent) {ps : List Start} (hn : ps.Nodup)
    (h : ∀ p ∈ ps, p ∈ FlatLayout.starts 1 L) : reach ps ≤ FlatLayout.size L := by
  have hperm : ((FlatLayout.starts 1 L).filter fun p => decide (p ∈ ps)).Perm ps := by
    refine perm_of_nodup ((nodup_starts Nat.one_pos h2).filter _) hn fun p => ?_
    simp only [List.mem_filter, decide_eq_true_eq]
    exact ⟨fun h => h.2, fun h' => ⟨h p h', h'⟩⟩
  have hv : ∀ (S : List Start), (∀ p ∈ S, 0 < p.mode.extent) → reach (S.filter fun p => decide (p ∈ ps)) ≤ reach S := by
    intro S hS
    induction S with
    | nil => exact Nat.le_refl _
    | cons p S ih =>
      have ih := ih fun q hq => hS q (by simp [hq])
      rw [List.filter_cons, reach_cons]
      split
      · rw [reach_cons]; exact Nat.mul_le_mul_left _ ih
      · exact Nat.le_trans ih (Nat.le_mul_of_pos_left _ (hS p (by simp)))
  have h3 := hv (FlatLayout.starts 1 L) fun p hp => by
    have := h2 _ (mode_mem_of_mem_starts hp); omega
  rw [reach, reach, map_mode_starts, size_perm (hperm.map Start.mode)] at h3
  exact h3

/-- A chain from a start reaches at most the size. -/
theorem longest_le_size {L : FlatLayout} (h2 : ∀ m ∈ L, 2 ≤ m.extent) {ms : List Start}
    (hms : ∀ p ∈ ms, p ∈ FlatLayout.starts 1 L ∧ p.mode.stride ≠ 0) {p : Start} (hp : p ∈ ms) (n : Nat) :
    p.mode.extent * FlatLayout.size (longest n (p.mode.stride * p.mode.extent) ms) ≤ FlatLayout.size L := by
  obtain ⟨ps, h3, h4, h5⟩ := (longest_spec n (p.mode.stride * p.mode.extent) ms).1
  rw [h5, size_back, ← reach_cons]
  have h6 : ∀ q ∈ p :: ps, q ∈ ms := fun q hq => by
    rcases List.mem_cons.1 hq with rfl | hq
    · exact hp
    · exact h3 q hq
  refine reach_le_size h2 (nodup_of_packed (run := p.mode.stride) ?_ (packed_start_cons.2 ⟨rfl, h4⟩) ?_) ?_
  · have := (hms p hp).2; omega
  · exact fun q hq => h2 _ (mode_mem_of_mem_starts (hms q (h6 q hq)).1)
  · exact fun q hq => (hms q (h6 q hq)).1

end Razorgirl.Extract
