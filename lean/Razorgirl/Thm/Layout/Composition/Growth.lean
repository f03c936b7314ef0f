module

public import Razorgirl.Thm.Layout.Composition.Extended

@[expose] public section

/-! # How far the outer layout grows does not matter -/

namespace Razorgirl

/-! ## Digits see no last extent -/

theorem digits_last (M : List Nat) (a b x : Nat) : digits (M ++ [a]) x = digits (M ++ [b]) x := by
  induction M generalizing x with
  | nil => rfl
  | cons s M ih =>
    cases M with
    | nil => simp [digits]
    | cons t M => simpa [digits] using ih (x / s)

theorem wrapAt_last (M : List Nat) (a b : Nat) (g : List Nat) : wrapAt (M ++ [a]) g = wrapAt (M ++ [b]) g := by
  induction M generalizing g with
  | nil => cases g <;> simp [wrapAt]
  | cons s M ih =>
    cases g with
    | nil => simp [wrapAt]
    | cons x g =>
      cases M with
      | nil => simp only [List.cons_append, List.nil_append, wrapAt]
      | cons t M =>
        have := ih g
        simp only [List.cons_append] at this
        simp only [List.cons_append, wrapAt, this]

theorem below_last (M : List Nat) (a b : Nat) (v : List Nat) : below (M ++ [a]) v = below (M ++ [b]) v := by
  induction M generalizing v with
  | nil => cases v <;> simp [below]
  | cons s M ih =>
    cases v with
    | nil => simp [below]
    | cons x v =>
      cases M with
      | nil => simp [below]
      | cons t M =>
        have := ih v
        simp only [List.cons_append] at this
        simp only [List.cons_append, below, this]

theorem splitMode_last (M : List Nat) (a b : Nat) (s d : Nat) :
    splitMode (M ++ [a]) s d = splitMode (M ++ [b]) s d := by
  induction s using Nat.strongRecOn generalizing d with
  | ind s ih =>
    conv => lhs; rw [splitMode]
    conv => rhs; rw [splitMode]
    simp only [digits_last M a b, wrapAt_last M a b]
    by_cases h : s ≤ 1 ∨ d = 0
    · simp [h]
    · rw [if_neg h, if_neg h]
      split
      · rfl
      · split
        · rename_i h2
          rw [ih _ (Nat.div_lt_self (by omega) h2.1)]
        · rfl

theorem splitModes_last (M : List Nat) (a b : Nat) (B : FlatLayout) :
    splitModes (M ++ [a]) B = splitModes (M ++ [b]) B := by
  induction B with
  | nil => rfl
  | cons m B ih => rw [splitModes, splitModes, ih, splitMode_last M a b]

theorem load_last (M : List Nat) (a b : Nat) (ps : List DigitMode) : load (M ++ [a]) ps = load (M ++ [b]) ps := by
  induction ps with
  | nil => exact digits_last M a b 0
  | cons p ps ih => rw [load, load, ih]

theorem digitComposition_last (M : List Nat) (a b : Nat) (B : FlatLayout) :
    digitComposition (M ++ [a]) B = digitComposition (M ++ [b]) B := by
  simp only [digitComposition, splitModes_last M a b, below_last M a b, load_last M a b]

namespace FlatLayout

/-! ## Coalescing keeps the last mode last -/

theorem coalesce_ones {Y : FlatLayout} (h : ∀ m ∈ Y, m.extent = 1) : coalesce Y = [] := by
  induction Y with
  | nil => rfl
  | cons m Y ih =>
    rw [coalesce, ih fun n hn => h n (List.mem_cons_of_mem _ hn), push, if_pos (h m List.mem_cons_self)]

theorem coalesce_last (X Y : FlatLayout) (d : Nat) (hY : ∀ m ∈ Y, m.extent = 1) :
    ∃ Z k d', ∀ e, 1 < e → coalesce (X ++ ⟨e, d⟩ :: Y) = Z ++ [⟨k * e, d'⟩] := by
  induction X with
  | nil =>
    refine ⟨[], 1, d, fun e he => ?_⟩
    have h1 : ¬ e = 1 := by omega
    rw [List.nil_append, coalesce, coalesce_ones hY, push, if_neg h1, Nat.one_mul, List.nil_append]
  | cons m X ih =>
    obtain ⟨Z, k, d', h⟩ := ih
    by_cases h1 : m.extent = 1
    · refine ⟨Z, k, d', fun e he => ?_⟩
      rw [List.cons_append, coalesce, h e he]
      cases Z <;> simp [push, h1]
    · cases Z with
      | nil =>
        by_cases h2 : d' = m.extent * m.stride
        · refine ⟨[], m.extent * k, m.stride, fun e he => ?_⟩
          rw [List.cons_append, coalesce, h e he]
          simp [push, h1, h2, Nat.mul_assoc]
        · refine ⟨[m], k, d', fun e he => ?_⟩
          rw [List.cons_append, coalesce, h e he]
          simp [push, h1, h2]
      | cons z Z =>
        by_cases h2 : z.stride = m.extent * m.stride
        · refine ⟨⟨m.extent * z.extent, m.stride⟩ :: Z, k, d', fun e he => ?_⟩
          rw [List.cons_append, coalesce, h e he]
          simp [push, h1, h2]
        · refine ⟨m :: z :: Z, k, d', fun e he => ?_⟩
          rw [List.cons_append, coalesce, h e he]
          simp [push, h1, h2]

end FlatLayout

namespace Layout
open FlatLayout

theorem growLast_ones {A : FlatLayout} (h : ∀ m ∈ A, m.extent = 1) (n : Nat) : growLast n A = none := by
  induction A generalizing n with
  | nil => rfl
  | cons m A ih =>
    rw [growLast, ih (fun k hk => h k (List.mem_cons_of_mem _ hk))]
    simp [h m List.mem_cons_self]

/-- Growing changes one extent, the last above 1. -/
theorem growLast_eq {A : FlatLayout} (hv : FlatLayout.Valid A) (h0 : ¬ ∀ m ∈ A, m.extent = 1) :
    ∃ X d Y, (∀ m ∈ Y, m.extent = 1) ∧ ∀ n, FlatLayout.size A < n → ∃ e, 1 < e ∧ growLast n A = some (X ++ ⟨e, d⟩ :: Y) := by
  induction A with
  | nil => simp at h0
  | cons m A ih =>
    have hm : 0 < m.extent := hv.1
    by_cases h1 : ∀ k ∈ A, k.extent = 1
    · have hm1 : 1 < m.extent := by
        rcases Nat.lt_or_ge 1 m.extent with h | h
        · exact h
        · exact absurd (fun k hk => by
            rcases List.mem_cons.1 hk with rfl | hk
            · omega
            · exact h1 k hk) h0
      have hg := growLast_ones h1
      refine ⟨[], m.stride, A, h1, fun n hn => ⟨n, ?_, ?_⟩⟩
      · have h2 := hv.2.size_pos
        have h3 : m.extent ≤ FlatLayout.size (m :: A) := by rw [size_cons]; exact Nat.le_mul_of_pos_right _ h2
        omega
      · rw [growLast, hg (Division.ceilDiv n m.extent), List.nil_append]
        have h2 : ¬ m.extent ≤ 1 := by omega
        simp [h2]
    · obtain ⟨X, d, Y, hY, hX⟩ := ih hv.2 h1
      refine ⟨m :: X, d, Y, hY, fun n hn => ?_⟩
      have h3 := Division.le_mul_ceilDiv (a := n) hm
      rw [size_cons] at hn
      obtain ⟨e, he, h4⟩ := hX (Division.ceilDiv n m.extent)
        (Nat.lt_of_mul_lt_mul_left (Nat.lt_of_lt_of_le hn h3))
      exact ⟨e, he, by rw [growLast, h4]; rfl⟩

/-- **How far A grows does not matter: grown to any number of coordinates that B fits in, A has the same strict composite with
B.** So the extended composition is that of A with its last mode as long as one likes.
Rust: `razorgirl::Layout::composition_extended`
Source: CuTe `composition`, whose last mode has no end -/
theorem compositionExtended_of_growLast {A B : Layout} (hA : A.Valid) {n : Nat} {G : FlatLayout}
    (hout : A.size < cosizeFormula B.modes) (hn : cosizeFormula B.modes ≤ n) (hg : growLast n A.modes = some G) :
    compositionExtended A B = composition ⟨G, A.profile⟩ B := by
  have h0 : ¬ ∀ m ∈ A.modes, m.extent = 1 := by
    intro h
    rw [growLast_ones h n] at hg
    cases hg
  obtain ⟨X, d, Y, hY, hX⟩ := growLast_eq hA.2 h0
  obtain ⟨e, he, h1⟩ := hX (cosizeFormula B.modes) hout
  obtain ⟨e', he', h2⟩ := hX n (Nat.lt_of_lt_of_le hout hn)
  have s1 : cosizeFormula B.modes ≤ Layout.size ⟨X ++ ⟨e, d⟩ :: Y, A.profile⟩ := (growLast_spec hA.2 hout h1).1
  have s2 : n ≤ Layout.size ⟨X ++ ⟨e', d⟩ :: Y, A.profile⟩ :=
    (growLast_spec hA.2 (Nat.lt_of_lt_of_le hout hn) h2).1
  obtain ⟨Z, k, d', hZ⟩ := coalesce_last X Y d hY
  rw [compositionExtended, if_neg (by omega), h1]
  obtain rfl := Option.some.inj (hg.symm.trans h2)
  simp only [composition]
  rw [if_pos s1, if_pos (Nat.le_trans hn s2), hZ e he, hZ e' he']
  simp only [FlatLayout.shape, FlatLayout.strides, List.map_append, List.map_cons, List.map_nil]
  rw [digitComposition_last _ (k * e) (k * e')]

end Layout

end Razorgirl
