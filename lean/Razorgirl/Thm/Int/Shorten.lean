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

theorem eval_fold (e : Expr) : (e.fold k).eval k env = e.eval k env := by
  induction e with
  | var x => rfl
  | const n => rfl
  | add a b iha ihb => rw [Expr.fold, eval_foldWith fun _ _ => rfl, iha, ihb, Expr.eval]
  | mul a b iha ihb => rw [Expr.fold, eval_foldWith fun _ _ => rfl, iha, ihb, Expr.eval]
  | div a b iha ihb => rw [Expr.fold, eval_foldWith fun _ _ => rfl, iha, ihb, Expr.eval]
  | mod a b iha ihb => rw [Expr.fold, eval_foldWith fun _ _ => rfl, iha, ihb, Expr.eval]

/-- **A simplified index expression has the value of the original one, for all values of the variables within their
bounds, under Euclidean and under C's division; by 0, a quotient is 0 and a remainder the dividend.**
Rust: `razorgirl::int::simplify::simplify`
Source: nvFuser `expr_simplifier` -/
theorem eval_shorten (hB : Within B env) (e : Expr) : (shorten k B e).eval k env = e.eval k env := by
  rw [shorten]
  split
  · rfl
  · rw [eval_simplify hB, eval_fold]

/-- **A simplified index expression is no longer than the original one.**
Rust: `razorgirl::int::simplify::simplify`
Source: nvFuser `expr_simplifier`; stated otherwise: nvFuser does not bound the answer -/
theorem nodes_shorten (e : Expr) : (shorten k B e).nodes ≤ e.nodes := by
  rw [shorten]
  split <;> omega

theorem nodes_pos (e : Expr) : 0 < e.nodes := by
  cases e <;> simp [Expr.nodes]

theorem fold_of_closed {e : Expr} (h : e.closed = true) (env : Nat → Int) : e.fold k = .const (e.eval k env) := by
  induction e with
  | var x => exact absurd h (by simp [Expr.closed])
  | const n => rfl
  | add a b iha ihb =>
    obtain ⟨ha, hb⟩ : a.closed = true ∧ b.closed = true := by simpa [Expr.closed] using h
    rw [Expr.fold, iha ha, ihb hb]; rfl
  | mul a b iha ihb =>
    obtain ⟨ha, hb⟩ : a.closed = true ∧ b.closed = true := by simpa [Expr.closed] using h
    rw [Expr.fold, iha ha, ihb hb]; rfl
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
  have p := nodes_pos e
  rw [shorten, fold_of_closed h env, s, if_neg (by simp only [Expr.nodes]; omega)]

/-- Literals are computed, also a negative dividend and a divisor 0, under either division. -/
example : shorten .trunc [] (.mod (.const (-3)) (.const 12)) = .const (-3) ∧
    shorten .euclid [] (.mod (.const (-3)) (.const 12)) = .const 9 ∧
    shorten .trunc [] (.div (.const 8) (.const 0)) = .const 0 := by decide +kernel

end Razorgirl.Index
