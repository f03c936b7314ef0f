module

public import Razorgirl.Spec.Int.Shorten
public import Razorgirl.Thm.Int.Simplify

@[expose] public section

/-!
# Simplified, and no longer than before: what is proved
-/

namespace Razorgirl.Index

variable {k : Kind} {B : Bounds} {env : Nat → Int}

theorem eval_foldWith {make : Expr → Expr → Expr} {op : Int → Int → Int}
    (h : ∀ a b, (make a b).eval k env = op (a.eval k env) (b.eval k env)) (a b : Expr) :
    (foldWith make op a b).eval k env = op (a.eval k env) (b.eval k env) := by
  unfold foldWith
  split
  · rfl
  · exact h _ _

theorem eq_of_isLiteral {n : Int} {e : Expr} (h : e.isLiteral n = true) : e = .const n := by
  cases e with
  | const m => rw [of_decide_eq_true (show decide (m = n) = true from h)]
  | _ => exact absurd h (by simp [Expr.isLiteral])

theorem eval_plus (a b : Expr) : (plus a b).eval k env = a.eval k env + b.eval k env := by
  unfold plus
  split
  · next h => rw [eq_of_isLiteral h, Expr.eval, Int.zero_add]
  · split
    · next h => rw [eq_of_isLiteral h, Expr.eval, Int.add_zero]
    · exact eval_foldWith (fun _ _ => rfl) a b

theorem eval_times (a b : Expr) : (times a b).eval k env = a.eval k env * b.eval k env := by
  unfold times
  split
  · next h => rw [eq_of_isLiteral h, Expr.eval, Int.one_mul]
  · split
    · next h => rw [eq_of_isLiteral h, Expr.eval, Int.mul_one]
    · exact eval_foldWith (fun _ _ => rfl) a b

theorem eval_fold (e : Expr) : (e.fold k).eval k env = e.eval k env := by
  induction e with
  | var x => rfl
  | const n => rfl
  | add a b iha ihb => rw [Expr.fold, eval_plus, iha, ihb, Expr.eval]
  | mul a b iha ihb => rw [Expr.fold, eval_times, iha, ihb, Expr.eval]
  | div a b iha ihb => rw [Expr.fold, eval_foldWith fun _ _ => rfl, iha, ihb, Expr.eval]
  | mod a b iha ihb => rw [Expr.fold, eval_foldWith fun _ _ => rfl, iha, ihb, Expr.eval]

theorem nodes_foldWith {make : Expr → Expr → Expr} {op : Int → Int → Int}
    (h : ∀ a b, (make a b).nodes = a.nodes + b.nodes + 1) (a b : Expr) :
    (foldWith make op a b).nodes ≤ a.nodes + b.nodes + 1 := by
  unfold foldWith
  split
  · simp [Expr.nodes]
  · exact Nat.le_of_eq (h _ _)

theorem nodes_plus (a b : Expr) : (plus a b).nodes ≤ a.nodes + b.nodes + 1 := by
  unfold plus
  split
  · omega
  · split
    · omega
    · exact nodes_foldWith (fun _ _ => rfl) a b

theorem nodes_times (a b : Expr) : (times a b).nodes ≤ a.nodes + b.nodes + 1 := by
  unfold times
  split
  · omega
  · split
    · omega
    · exact nodes_foldWith (fun _ _ => rfl) a b

theorem nodes_fold (e : Expr) : (e.fold k).nodes ≤ e.nodes := by
  induction e with
  | var x => exact Nat.le_refl _
  | const n => exact Nat.le_refl _
  | add a b iha ihb => have := nodes_plus (a.fold k) (b.fold k); simp only [Expr.fold, Expr.nodes]; omega
  | mul a b iha ihb => have := nodes_times (a.fold k) (b.fold k); simp only [Expr.fold, Expr.nodes]; omega
  | div a b iha ihb =>
    have := nodes_foldWith (make := .div) (op := k.div) (fun _ _ => rfl) (a.fold k) (b.fold k)
    simp only [Expr.fold, Expr.nodes]; omega
  | mod a b iha ihb =>
    have := nodes_foldWith (make := .mod) (op := k.mod) (fun _ _ => rfl) (a.fold k) (b.fold k)
    simp only [Expr.fold, Expr.nodes]; omega

/-- **A simplified index expression has the value of the original one, for all values of the variables within their
bounds, under Euclidean and under C's division; by 0, a quotient is 0 and a remainder the dividend.**
Rust: `razorgirl::int::simplify::simplify`
Source: nvFuser `expr_simplifier` -/
theorem eval_shorten (hB : Within B env) (e : Expr) : (shorten k B e).eval k env = e.eval k env := by
  rw [shorten]
  split
  · rw [eval_fold]
  · rw [eval_fold, eval_simplify hB, eval_fold]

/-- **A simplified index expression is no longer than the original one.**
Rust: `razorgirl::int::simplify::simplify`
Source: nvFuser `expr_simplifier`; stated otherwise: nvFuser does not bound the answer -/
theorem nodes_shorten (e : Expr) : (shorten k B e).nodes ≤ e.nodes := by
  have := nodes_fold (k := k) e
  rw [shorten]
  split <;> omega

theorem plus_const (m n : Int) : plus (.const m) (.const n) = .const (m + n) := by
  unfold plus
  split
  · next h => rw [Expr.const.inj (eq_of_isLiteral h), Int.zero_add]
  · split
    · next h => rw [Expr.const.inj (eq_of_isLiteral h), Int.add_zero]
    · rfl

theorem times_const (m n : Int) : times (.const m) (.const n) = .const (m * n) := by
  unfold times
  split
  · next h => rw [Expr.const.inj (eq_of_isLiteral h), Int.one_mul]
  · split
    · next h => rw [Expr.const.inj (eq_of_isLiteral h), Int.mul_one]
    · rfl

theorem computed_foldWith {make : Expr → Expr → Expr} {op : Int → Int → Int}
    (h : ∀ a b, (make a b).computed = (a.computed && b.computed && !(a.isConst && b.isConst))) {a b : Expr}
    (ha : a.computed = true) (hb : b.computed = true) : (foldWith make op a b).computed = true := by
  unfold foldWith
  split
  · rfl
  · next no =>
    rw [h, ha, hb]
    cases a <;> cases b <;> simp_all [Expr.isConst]

theorem computed_fold (e : Expr) : (e.fold k).computed = true := by
  induction e with
  | var x => rfl
  | const n => rfl
  | add a b iha ihb =>
    rw [Expr.fold, plus]
    split
    · exact ihb
    · split
      · exact iha
      · exact computed_foldWith (fun _ _ => rfl) iha ihb
  | mul a b iha ihb =>
    rw [Expr.fold, times]
    split
    · exact ihb
    · split
      · exact iha
      · exact computed_foldWith (fun _ _ => rfl) iha ihb
  | div a b iha ihb => exact computed_foldWith (fun _ _ => rfl) iha ihb
  | mod a b iha ihb => exact computed_foldWith (fun _ _ => rfl) iha ihb

/-- **In a simplified index expression no operator stands between two literals.**
Rust: `razorgirl::int::simplify::simplify`
Source: nvFuser `expr_simplifier` -/
theorem computed_shorten (e : Expr) : (shorten k B e).computed = true := by
  rw [shorten]
  split <;> exact computed_fold _

theorem fold_of_closed {e : Expr} (h : e.closed = true) (env : Nat → Int) : e.fold k = .const (e.eval k env) := by
  induction e with
  | var x => exact absurd h (by simp [Expr.closed])
  | const n => rfl
  | add a b iha ihb =>
    obtain ⟨ha, hb⟩ : a.closed = true ∧ b.closed = true := by simpa [Expr.closed] using h
    rw [Expr.fold, iha ha, ihb hb, plus_const]; rfl
  | mul a b iha ihb =>
    obtain ⟨ha, hb⟩ : a.closed = true ∧ b.closed = true := by simpa [Expr.closed] using h
    rw [Expr.fold, iha ha, ihb hb, times_const]; rfl
  | div a b iha ihb =>
    obtain ⟨ha, hb⟩ : a.closed = true ∧ b.closed = true := by simpa [Expr.closed] using h
    rw [Expr.fold, iha ha, ihb hb]; rfl
  | mod a b iha ihb =>
    obtain ⟨ha, hb⟩ : a.closed = true ∧ b.closed = true := by simpa [Expr.closed] using h
    rw [Expr.fold, iha ha, ihb hb]; rfl

/-- **An expression without variables is simplified to a literal, its value.**
Rust: `razorgirl::int::simplify::simplify`
Source: nvFuser `expr_simplifier` -/
theorem shorten_of_closed {e : Expr} (h : e.closed = true) (env : Nat → Int) :
    shorten k B e = .const (e.eval k env) := by
  have s : ∀ n, simplify k B (.const n) = .const n := fun n => by
    have t : terms (.const n) = if n = 0 then [] else [⟨n, []⟩] := rfl
    rw [simplify, simplifyTerms, t]
    by_cases z : n = 0
    · rw [if_pos z, z]; rfl
    · rw [if_neg z]; rfl
  rw [shorten, fold_of_closed h env, s, Expr.fold, if_neg (Nat.lt_irrefl _)]

/-- Literals are computed, also a negative dividend and a divisor 0, under either division. -/
example : shorten .trunc [] (.mod (.const (-3)) (.const 12)) = .const (-3) ∧
    shorten .euclid [] (.mod (.const (-3)) (.const 12)) = .const 9 ∧
    shorten .trunc [] (.div (.const 8) (.const 0)) = .const 0 := by decide +kernel

/-- Where taking the sum apart makes it longer, the question stays, with its literals computed and without the summand 0; and
what the rules leave of literals is computed. -/
example : shorten .trunc [] (.add (.mul (.add (.add (.var 0) (.var 1)) (.var 2)) (.const 4)) (.mul (.const 2) (.const 3))) =
      .add (.mul (.add (.add (.var 0) (.var 1)) (.var 2)) (.const 4)) (.const 6) ∧
    shorten .trunc [] (.add (.mul (.add (.add (.var 0) (.var 1)) (.var 2)) (.const 4)) (.const 0)) =
      .mul (.add (.add (.var 0) (.var 1)) (.var 2)) (.const 4) ∧
    shorten .trunc [] (.mod (.add (.mul (.var 0) (.const 0)) (.const (-3))) (.const 12)) = .const (-3) := by decide +kernel

end Razorgirl.Index
