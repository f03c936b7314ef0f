module

public import Razorgirl.Spec.Layout.Distribute
public import Razorgirl.Thm.Layout.Complement.Completes
public import Razorgirl.Thm.Layout.Filter

@[expose] public section

/-!
# Elements distributed over a shape: what is proved

How many elements there are, and that copies of the tile cover the shape exactly.
-/

namespace Razorgirl

namespace FlatLayout

namespace Aux

theorem gcd_mul_gcd (s p n : Nat) (hs : 0 < s) :
    Nat.gcd s n * Nat.gcd p (n / Nat.gcd s n) = Nat.gcd (s * p) n := by
  have hg : 0 < Nat.gcd s n := Nat.gcd_pos_of_pos_left n hs
  have hc := Nat.coprime_div_gcd_div_gcd (m := s) (n := n) hg
  obtain ⟨a, ha⟩ := Nat.gcd_dvd_left s n
  obtain ⟨b, hb⟩ := Nat.gcd_dvd_right s n
  generalize hgd : Nat.gcd s n = g at *
  rw [ha, hb, Nat.mul_div_cancel_left _ hg, Nat.mul_div_cancel_left _ hg] at hc
  rw [hb, Nat.mul_div_cancel_left _ hg]
  conv => rhs; rw [ha, Nat.mul_assoc, Nat.gcd_mul_left, hc.gcd_mul_left_cancel]

theorem size_distributeFrom {s : List Nat} (hs : ∀ e ∈ s, 0 < e) (d n : Nat) :
    size (distributeFrom d s n) = Nat.gcd (prod s) n := by
  induction s generalizing d n with
  | nil => rw [prod, Nat.gcd_one_left]; rfl
  | cons a s ih =>
    rw [distributeFrom, size_cons, ih fun e he => hs e (by simp [he]), prod]
    exact gcd_mul_gcd a (prod s) n (hs a (by simp))

/-- What each extent has left beside the tile. -/
def restFrom (d : Nat) : (shape : List Nat) → (n : Nat) → FlatLayout
  | [], _ => []
  | s :: ss, n => ⟨s / Nat.gcd s n, Nat.gcd s n * d⟩ :: restFrom (s * d) ss (n / Nat.gcd s n)

/-- Each extent as tile and rest. -/
def splitShape : (shape : List Nat) → (n : Nat) → List Nat
  | [], _ => []
  | s :: ss, n => Nat.gcd s n :: s / Nat.gcd s n :: splitShape ss (n / Nat.gcd s n)

theorem split_perm (d : Nat) (s : List Nat) (n : Nat) :
    (distributeFrom d s n ++ restFrom d s n).Perm (columnMajor d (splitShape s n)) := by
  induction s generalizing d n with
  | nil => exact .refl _
  | cons a s ih =>
    rw [distributeFrom, restFrom, splitShape, columnMajor, columnMajor]
    have : a / Nat.gcd a n * (Nat.gcd a n * d) = a * d := by
      rw [← Nat.mul_assoc, Nat.div_mul_cancel (Nat.gcd_dvd_left a n)]
    rw [this]
    refine (List.Perm.cons _ ?_)
    exact (List.perm_middle).trans ((ih (a * d) (n / Nat.gcd a n)).cons _)

theorem splitShape_pos {s : List Nat} (hs : ∀ e ∈ s, 0 < e) (n : Nat) : ∀ e ∈ splitShape s n, 0 < e := by
  induction s generalizing n with
  | nil => simp [splitShape]
  | cons a s ih =>
    have ha := hs a (by simp)
    have hg := Nat.gcd_pos_of_pos_left n ha
    intro e he
    rw [splitShape] at he
    rcases List.mem_cons.1 he with rfl | he
    · exact hg
    · rcases List.mem_cons.1 he with rfl | he
      · exact Nat.div_pos (Nat.le_of_dvd ha (Nat.gcd_dvd_left a n)) hg
      · exact ih (fun e he => hs e (by simp [he])) _ e he

theorem prod_splitShape (s : List Nat) (n : Nat) : prod (splitShape s n) = prod s := by
  induction s generalizing n with
  | nil => rfl
  | cons a s ih =>
    rw [splitShape, prod, prod, ih, prod, ← Nat.mul_assoc, Nat.mul_div_cancel' (Nat.gcd_dvd_left a n)]

theorem completes_distributeFrom {s : List Nat} (hs : ∀ e ∈ s, 0 < e) (n : Nat) :
    Completes (distributeFrom 1 s n) (restFrom 1 s n) (prod s) := by
  have hp := split_perm 1 s n
  have hc := contiguous_columnMajor (splitShape_pos hs n)
  refine ⟨(contiguous_perm hp).2 hc, ?_⟩
  rw [cosize_perm hp, ((contiguous_iff_injective _).1 hc).2, size, shape_columnMajor, prod_splitShape]

end Aux
open Aux

/-- **The tile has `gcd(n, size)` elements: all `n` that were asked for exactly when `n` divides the size.**
Rust: `razorgirl::Layout::domain_distribute`
Source: CuTe `domain_distribute` -/
theorem distribute_size {s : List Nat} (hs : ∀ e ∈ s, 0 < e) (n : Nat) :
    size (distribute s n) = Nat.gcd (prod s) n := by
  rw [distribute, coalesce_size, size_distributeFrom hs]

/-- **The tile divides the shape: with its complement it hits every linear index of the shape exactly once.**
Rust: `razorgirl::Layout::domain_distribute`
Source: CuTe `domain_distribute` -/
theorem distribute_completes {s : List Nat} (hs : ∀ e ∈ s, 0 < e) (n : Nat) :
    ∃ C, complementIn (distribute s n) (prod s) = some C ∧ Completes (distribute s n) C (prod s) := by
  have h : Completes (distribute s n) (restFrom 1 s n) (prod s) :=
    (completes_congr (coalesce_offsets _) rfl _).2 (completes_distributeFrom hs n)
  refine ⟨_, complementIn_of_completes h, (completes_coalesce_iff _ _ _).2 ?_⟩
  exact (completes_perm (.refl _) (sort_perm _) _).2 h

end FlatLayout

namespace Layout
open HTuple

/-- **The tile has `gcd(n, size)` elements, and with its complement it hits every linear index of the shape exactly
once.**
Rust: `razorgirl::Layout::domain_distribute`
Source: CuTe `domain_distribute` -/
theorem domainDistribute_spec {s : IntTuple} (hs : IntTuple.Positive s) (n : Nat) :
    (domainDistribute s n).size = Nat.gcd (IntTuple.size s) n ∧
      ∃ C, FlatLayout.Completes (domainDistribute s n).modes C (IntTuple.size s) := by
  have hp := (IntTuple.positive_iff_mem s).1 hs
  rw [IntTuple.size_eq_prod]
  obtain ⟨C, _, h⟩ := FlatLayout.distribute_completes hp n
  refine ⟨?_, C, (FlatLayout.completes_congr (offsets_nest _) rfl _).2 h⟩
  rw [← FlatLayout.distribute_size hp]
  have := congrArg List.length (offsets_nest (FlatLayout.distribute s.flatten n))
  rwa [FlatLayout.length_offsets, FlatLayout.length_offsets] at this

end Layout

end Razorgirl
