module

public import Razorgirl.Spec.Relation.Code
public import Razorgirl.Thm.Relation.Layout

@[expose] public section

/-!
# Index code: what is proved
-/

namespace Razorgirl.FlatLayout

open Index

theorem quasiAffine_codeFrom : {P : Nat} → {t : Int} → {whole : List Bool} → {L : FlatLayout} → 0 < P → Valid L →
    (codeFrom P t whole L).quasiAffine = true
  | _, _, whole, [], _, _ => by cases whole <;> rfl
  | P, t, whole, [m], hP, _ => by
    have : codeFrom P t whole [m] = .mul (.div (.var 0) (.const P)) (.const (m.stride + t)) := by
      cases whole with
      | nil => rfl
      | cons w whole => cases w <;> rfl
    simp only [this, Expr.quasiAffine, Bool.or_eq_true, Bool.and_eq_true, Expr.isConst, decide_eq_true_eq, true_and, and_true]
    right
    omega
  | P, t, true :: whole, m :: n :: L, hP, h => by
    have ih := quasiAffine_codeFrom (P := P * m.extent) (t := -(m.extent * m.stride)) (whole := whole) (L := n :: L)
      (Nat.mul_pos hP h.1) h.2
    simp only [codeFrom, Expr.quasiAffine, Bool.or_eq_true, Bool.and_eq_true, Expr.isConst, decide_eq_true_eq, true_and, and_true, ih]
    right
    omega
  | P, t, false :: whole, m :: n :: L, hP, h => by
    have ih := quasiAffine_codeFrom (P := P * m.extent) (t := 0) (whole := whole) (L := n :: L) (Nat.mul_pos hP h.1) h.2
    have h1 := h.1
    simp only [codeFrom, Expr.quasiAffine, Bool.or_eq_true, Bool.and_eq_true, Expr.isConst, decide_eq_true_eq, true_and, and_true, ih]
    constructor
    · right; omega
    · right; omega
  | P, t, [], m :: n :: L, hP, h => by
    have ih := quasiAffine_codeFrom (P := P * m.extent) (t := 0) (whole := []) (L := n :: L) (Nat.mul_pos hP h.1) h.2
    have h1 := h.1
    simp only [codeFrom, Expr.quasiAffine, Bool.or_eq_true, Bool.and_eq_true, Expr.isConst, decide_eq_true_eq, true_and, and_true, ih]
    constructor
    · right; omega
    · right; omega

theorem at_codeFrom : {P : Nat} → {t : Int} → {whole : List Bool} → {L : FlatLayout} → (x : Nat) → x / P < size L →
    (codeFrom P t whole L).at (fun _ => x) = (atIndex L (x / P) : Nat) + (x / P : Nat) * t
  | P, t, whole, [], x, hx => by
    have hx : x / P = 0 := by simpa [size, shape, prod] using hx
    have e : codeFrom P t whole [] = .const 0 := by cases whole <;> rfl
    have z : atIndex [] 0 = 0 := rfl
    rw [e, hx, z]
    simp only [Expr.at, Expr.eval, Int.natCast_zero, Int.zero_mul, Int.add_zero]
  | P, t, whole, [m], x, hx => by
    have hx : x / P < m.extent := by simpa [size, shape, prod] using hx
    have e : codeFrom P t whole [m] = .mul (.div (.var 0) (.const P)) (.const (m.stride + t)) := by
      cases whole with
      | nil => rfl
      | cons w whole => cases w <;> rfl
    simp only [e, Expr.at, Expr.eval, Kind.div, atIndex_singleton, Nat.mod_eq_of_lt hx, Int.natCast_mul, Int.natCast_ediv, Int.mul_add]
  | P, t, true :: whole, m :: n :: L, x, hx => by
    have hd : x / (P * m.extent) = x / P / m.extent := (Nat.div_div_eq_div_mul ..).symm
    have ih := at_codeFrom (P := P * m.extent) (t := -(m.extent * m.stride)) (whole := whole) (L := n :: L) x (by
      rw [hd]
      exact Nat.div_lt_of_lt_mul (by rwa [size_cons] at hx))
    rw [hd] at ih
    simp only [Expr.at] at ih
    have split := Nat.mod_add_div (x / P) m.extent
    have split : ((x / P : Nat) : Int) = (x / P % m.extent : Nat) + m.extent * (x / P / m.extent : Nat) := by
      rw [← Int.natCast_mul, ← Int.natCast_add, split]
    simp only [codeFrom, Expr.at, Expr.eval, Kind.div, ih, atIndex_cons m (n :: L), Int.natCast_add, Int.natCast_mul]
    rw [← Int.natCast_ediv, Int.mul_add, Int.mul_neg]
    have key : ((x / P : Nat) : Int) * m.stride =
        (x / P % m.extent : Nat) * m.stride + (x / P / m.extent : Nat) * (m.extent * m.stride) :=
      calc ((x / P : Nat) : Int) * m.stride
          = ((x / P % m.extent : Nat) + m.extent * (x / P / m.extent : Nat)) * m.stride := by rw [← split]
        _ = _ := by rw [Int.add_mul, Int.mul_comm (m.extent : Int), Int.mul_assoc]
    omega
  | P, t, false :: whole, m :: n :: L, x, hx => by
    have hd : x / (P * m.extent) = x / P / m.extent := (Nat.div_div_eq_div_mul ..).symm
    have ih := at_codeFrom (P := P * m.extent) (t := 0) (whole := whole) (L := n :: L) x (by
      rw [hd]
      exact Nat.div_lt_of_lt_mul (by rwa [size_cons] at hx))
    rw [hd] at ih
    simp only [Expr.at] at ih
    simp only [codeFrom, Expr.at, Expr.eval, Kind.div, Kind.mod, ih, atIndex_cons m (n :: L), Int.natCast_add, Int.natCast_mul,
      Int.natCast_emod, Int.natCast_ediv, Int.mul_zero]
    omega
  | P, t, [], m :: n :: L, x, hx => by
    have hd : x / (P * m.extent) = x / P / m.extent := (Nat.div_div_eq_div_mul ..).symm
    have ih := at_codeFrom (P := P * m.extent) (t := 0) (whole := []) (L := n :: L) x (by
      rw [hd]
      exact Nat.div_lt_of_lt_mul (by rwa [size_cons] at hx))
    rw [hd] at ih
    simp only [Expr.at] at ih
    simp only [codeFrom, Expr.at, Expr.eval, Kind.div, Kind.mod, ih, atIndex_cons m (n :: L), Int.natCast_add, Int.natCast_mul,
      Int.natCast_emod, Int.natCast_ediv, Int.mul_zero]
    omega

/-- **Whichever quotients are used whole, the expression is quasi-affine and has the layout's offset at every index.**
Source: ours; index code as compilers emit it -/
theorem codeExpr_spec {L : FlatLayout} (hL : Valid L) (whole : List Bool) : (codeExpr whole L).quasiAffine = true ∧
    ∀ x, x < size L → (codeExpr whole L).at (fun _ => x) = (atIndex L x : Nat) := by
  refine ⟨quasiAffine_codeFrom Nat.one_pos hL, fun x hx => ?_⟩
  have := at_codeFrom (P := 1) (t := 0) (whole := whole) (L := L) x (by rwa [Nat.div_one])
  rwa [Nat.div_one, Int.mul_zero, Int.add_zero] at this

end Razorgirl.FlatLayout
