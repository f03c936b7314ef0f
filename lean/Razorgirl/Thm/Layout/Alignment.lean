module

public import Razorgirl.Spec.Layout.Alignment
public import Razorgirl.Thm.Layout.Complement.Packed

@[expose] public section

/-!
# Alignment: what is proved
-/

namespace Razorgirl

namespace FlatLayout

namespace Aux

theorem takeRun_spec {run : Nat} {L K : FlatLayout} {m : Mode} (h : takeRun run L = some (m, K)) :
    L.Perm (m :: K) ∧ m.stride = run := by
  induction L generalizing K with
  | nil => simp [takeRun] at h
  | cons n L ih =>
    rw [takeRun] at h
    split at h
    · rename_i hn
      cases h
      exact ⟨.refl _, hn.2⟩
    · obtain ⟨⟨a, K⟩, hp, h⟩ := Option.map_eq_some_iff.1 h
      cases h
      obtain ⟨h1, h2⟩ := ih hp
      exact ⟨(h1.cons n).trans (.swap ..), h2⟩

theorem runFrom_spec (fuel run : Nat) (L : FlatLayout) :
    ∃ K, L.Perm (K ++ (runFrom fuel run L).2) ∧ Packed run K ∧ (runFrom fuel run L).1 = run * size K := by
  induction fuel generalizing run L with
  | zero => exact ⟨[], .refl _, trivial, by rw [size_nil, Nat.mul_one]; rfl⟩
  | succ fuel ih =>
    rw [runFrom]
    split
    · rename_i m rest h
      obtain ⟨h1, h2⟩ := takeRun_spec h
      obtain ⟨K, hK, hp, e⟩ := ih (m.extent * run) rest
      refine ⟨m :: K, h1.trans (hK.cons m), ⟨h2, hp⟩, ?_⟩
      rw [e, size_cons]
      grind
    · exact ⟨[], .refl _, trivial, by rw [size_nil, Nat.mul_one]⟩

theorem gcdStrides_dvd (n : Nat) (L : FlatLayout) : gcdStrides n L ∣ n ∧
    ∀ m ∈ L, m.extent ≠ 1 → gcdStrides n L ∣ m.stride := by
  induction L generalizing n with
  | nil => exact ⟨Nat.dvd_refl _, by simp⟩
  | cons m L ih =>
    rw [gcdStrides]
    obtain ⟨h1, h2⟩ := ih (if m.extent = 1 then n else Nat.gcd n m.stride)
    split at h1
    · rename_i h
      rw [if_pos h] at h2 ⊢
      refine ⟨h1, fun p hp hp1 => ?_⟩
      rcases List.mem_cons.1 hp with rfl | hp
      · exact absurd h hp1
      · exact h2 p hp hp1
    · rename_i h
      rw [if_neg h] at h2 ⊢
      refine ⟨Nat.dvd_trans h1 (Nat.gcd_dvd_left ..), fun p hp hp1 => ?_⟩
      rcases List.mem_cons.1 hp with rfl | hp
      · exact Nat.dvd_trans h1 (Nat.gcd_dvd_right ..)
      · exact h2 p hp hp1

theorem dvd_eval {n : Nat} {L : FlatLayout} (h : ∀ m ∈ L, m.extent ≠ 1 → n ∣ m.stride) {c : List Nat}
    (hc : InBounds (shape L) c) : n ∣ eval L c := by
  induction L generalizing c with
  | nil => rw [eval_nil]; exact Nat.dvd_zero _
  | cons m L ih =>
    cases c with
    | nil => rw [eval_nil_right]; exact Nat.dvd_zero _
    | cons x c =>
      have hx : x < m.extent := hc.1
      rw [eval_cons]
      refine Nat.dvd_add ?_ (ih (fun p hp => h p (by simp [hp])) hc.2)
      by_cases h1 : m.extent = 1
      · have : x = 0 := by omega
        rw [this, Nat.zero_mul]
        exact Nat.dvd_zero _
      · exact Nat.dvd_trans (h m (by simp) h1) (Nat.dvd_mul_left ..)

end Aux
open FlatLayout.Aux

/-- **Every aligned block of `max_alignment` offsets is hit wholly or not at all.**
Rust: `razorgirl::Layout::max_alignment`
Source: CuTe `max_alignment` -/
theorem maxAlignment_block {L : FlatLayout} (hv : Valid L) {o r : Nat} (ho : o ∈ offsets L)
    (hr : r < maxAlignment L) : o / maxAlignment L * maxAlignment L + r ∈ offsets L := by
  obtain ⟨K, hperm, hpacked, hrun⟩ := runFrom_spec L.length 1 L
  unfold maxAlignment at hr ⊢
  obtain ⟨hd1, hd2⟩ := gcdStrides_dvd (runFrom L.length 1 L).1 (runFrom L.length 1 L).2
  generalize (runFrom L.length 1 L).1 = run at *
  generalize (runFrom L.length 1 L).2 = rest at *
  generalize gcdStrides run rest = n at *
  rw [Nat.one_mul] at hrun
  have hv' := (valid_append_iff _ _).1 ((valid_perm hperm).1 hv)
  have hcont := contiguous_of_packed hpacked hv'.1
  have hco := ((contiguous_iff_injective _).1 hcont).2
  rw [mem_offsets_perm hperm, mem_offsets_append] at ho ⊢
  obtain ⟨a, ha, b, hb, rfl⟩ := ho
  obtain ⟨cb, hcb, hb'⟩ := (mem_offsets_iff_eval rest b).1 hb
  have hnb : n ∣ b := hb' ▸ dvd_eval hd2 hcb
  have hn : 0 < n := by omega
  obtain ⟨k, rfl⟩ := hnb
  obtain ⟨j, hj⟩ := hd1
  have hlt : a < run := by
    obtain ⟨x, hx, rfl⟩ := (mem_offsets K a).1 ha
    rw [hrun]
    exact atIndex_lt_size_of_contiguous hcont hx
  refine ⟨a / n * n + r, ?_, n * k, hb, ?_⟩
  · refine (covers_iff_mem _).1 hcont.2 _ ?_
    rw [hco, ← hrun, hj]
    have : a / n < j := Nat.div_lt_of_lt_mul (by rw [← hj]; exact hlt)
    have := Nat.mul_le_mul_right n (Nat.succ_le_of_lt this)
    rw [Nat.succ_mul] at this
    rw [Nat.mul_comm n j]
    omega
  · rw [Nat.add_mul_div_left _ _ hn, Nat.add_mul, Nat.mul_comm k n]
    omega

end FlatLayout

end Razorgirl
