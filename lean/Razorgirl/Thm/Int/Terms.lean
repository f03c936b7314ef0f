module

public import Razorgirl.Spec.Int.Terms
public import Razorgirl.Thm.Int.Expr

@[expose] public section

/-!
# Sums of terms: what is proved

What the operations on terms do to the value: literals, factors and terms add and multiply up to the same number.
-/

namespace Razorgirl.Index

variable {k : Kind} {env : Nat → Int}

/-! ## As expressions -/

theorem eval_mulAll (e : Expr) (fs : List Expr) : (mulAll e fs).eval k env = e.eval k env * prodOf k env fs := by
  induction fs generalizing e with
  | nil => simp [mulAll, prodOf]
  | cons f fs ih => rw [mulAll, ih, prodOf, Expr.eval, Int.mul_assoc]

theorem eval_expr (t : Term) : t.expr.eval k env = t.val k env := by
  obtain ⟨c, fs⟩ := t
  cases fs with
  | nil => simp [Term.expr, Term.val, prodOf, Expr.eval]
  | cons f fs =>
    simp only [Term.expr, Term.val, prodOf]
    split
    · rename_i h
      rw [eval_mulAll, h, Int.one_mul]
    · rw [Expr.eval, eval_mulAll, Expr.eval, Int.mul_comm]

theorem eval_addAll (e : Expr) (ts : List Term) : (addAll e ts).eval k env = e.eval k env + sumOf k env ts := by
  induction ts generalizing e with
  | nil => simp [addAll, sumOf]
  | cons t ts ih => rw [addAll, ih, sumOf, Expr.eval, eval_expr, Int.add_assoc]

theorem eval_sumExpr (ts : List Term) : (sumExpr ts).eval k env = sumOf k env ts := by
  cases ts with
  | nil => rfl
  | cons t ts => rw [sumExpr, eval_addAll, eval_expr, sumOf]

/-! ## Products and sums -/

theorem prodOf_append (fs gs : List Expr) : prodOf k env (fs ++ gs) = prodOf k env fs * prodOf k env gs := by
  induction fs with
  | nil => simp [prodOf]
  | cons f fs ih => rw [List.cons_append, prodOf, ih, prodOf, Int.mul_assoc]

theorem val_mul (t u : Term) : (t.mul u).val k env = t.val k env * u.val k env := by
  simp only [Term.mul, Term.val, prodOf_append]
  grind

theorem sumOf_append (ts us : List Term) : sumOf k env (ts ++ us) = sumOf k env ts + sumOf k env us := by
  induction ts with
  | nil => simp [sumOf]
  | cons t ts ih => rw [List.cons_append, sumOf, ih, sumOf, Int.add_assoc]

theorem sumOf_map_mul (t : Term) (us : List Term) : sumOf k env (us.map t.mul) = t.val k env * sumOf k env us := by
  induction us with
  | nil => simp [sumOf]
  | cons u us ih => rw [List.map_cons, sumOf, ih, sumOf, val_mul, Int.mul_add]

theorem sumOf_map_mul_right (ts : List Term) (u : Term) :
    sumOf k env (ts.map (·.mul u)) = sumOf k env ts * u.val k env := by
  induction ts with
  | nil => simp [sumOf]
  | cons t ts ih => rw [List.map_cons, sumOf, ih, sumOf, val_mul, Int.add_mul]

theorem sumOf_singleton (t : Term) : sumOf k env [t] = t.val k env := by simp [sumOf]

theorem sumOf_factor (e : Expr) : sumOf k env [⟨1, [e]⟩] = e.eval k env := by simp [sumOf, Term.val, prodOf]

theorem sumOf_mulTerms (ts us : List Term) :
    sumOf k env (mulTerms ts us) = sumOf k env ts * sumOf k env us := by
  unfold mulTerms
  split
  · simp [sumOf]
  · simp [sumOf]
  · rw [sumOf_map_mul, sumOf_singleton]
  · rw [sumOf_map_mul_right, sumOf_singleton]
  · rw [sumOf_singleton, Term.val, prodOf, prodOf, prodOf, eval_sumExpr, eval_sumExpr]
    simp

theorem sumOf_terms (e : Expr) : sumOf k env (terms e) = e.eval k env := by
  induction e with
  | const n =>
    rw [terms]
    split
    · simp [sumOf, Expr.eval, *]
    · simp [sumOf, Term.val, prodOf, Expr.eval]
  | add a b ha hb => rw [terms, sumOf_append, ha, hb, Expr.eval]
  | mul a b ha hb => rw [terms, sumOf_mulTerms, ha, hb, Expr.eval]
  | var x => exact sumOf_factor _
  | div a b => exact sumOf_factor _
  | mod a b => exact sumOf_factor _

/-! ## Factors left out -/

theorem prodOf_dropOne {d : Expr} {fs gs : List Expr} (h : dropOne d fs = some gs) :
    prodOf k env fs = d.eval k env * prodOf k env gs := by
  induction fs generalizing gs with
  | nil => cases h
  | cons f fs ih =>
    rw [dropOne] at h
    split at h
    · rename_i e
      cases h
      rw [prodOf, e]
    · obtain ⟨hs, e, rfl⟩ := Option.map_eq_some_iff.1 h
      rw [prodOf, prodOf, ih e]
      grind

theorem prodOf_dropAll {ds fs gs : List Expr} (h : dropAll ds fs = some gs) :
    prodOf k env fs = prodOf k env ds * prodOf k env gs := by
  induction ds generalizing fs with
  | nil =>
    cases h
    simp [prodOf]
  | cons d ds ih =>
    obtain ⟨hs, e, e'⟩ := Option.bind_eq_some_iff.1 h
    rw [prodOf_dropOne e, ih e', prodOf, Int.mul_assoc]

theorem prodOf_sameFactors {fs gs : List Expr} (h : sameFactors fs gs = true) :
    prodOf k env gs = prodOf k env fs := by
  unfold sameFactors at h
  split at h
  · rename_i e
    rw [prodOf_dropAll e, prodOf, Int.mul_one]
  · cases h

theorem sumOf_addTerm (t : Term) (us : List Term) :
    sumOf k env (addTerm t us) = t.val k env + sumOf k env us := by
  induction us with
  | nil =>
    rw [addTerm]
    split
    · rename_i h
      simp [sumOf, Term.val, h]
    · rfl
  | cons u us ih =>
    rw [addTerm]
    split
    · rename_i h
      have e : t.val k env = t.coef * prodOf k env u.factors := by rw [Term.val, prodOf_sameFactors h]
      split
      · rename_i h0
        have : (u.coef + t.coef) * prodOf k env u.factors = 0 := by rw [h0, Int.zero_mul]
        rw [Int.add_mul] at this
        rw [sumOf, e, Term.val]
        omega
      · simp only [sumOf, e]
        simp only [Term.val, Int.add_mul]
        omega
    · rw [sumOf, ih, sumOf]
      omega

theorem sumOf_gatherInto (ts us : List Term) :
    sumOf k env (gatherInto us ts) = sumOf k env us + sumOf k env ts := by
  induction ts generalizing us with
  | nil => simp [gatherInto, sumOf]
  | cons t ts ih =>
    rw [gatherInto, ih, sumOf_addTerm, sumOf]
    omega

theorem sumOf_gather (ts : List Term) : sumOf k env (gather ts) = sumOf k env ts := by
  rw [gather, sumOf_gatherInto, sumOf, Int.zero_add]

theorem sumOf_dropTerm {w : Term} {ts us : List Term} (h : dropTerm w ts = some us) :
    sumOf k env ts = w.val k env + sumOf k env us := by
  induction ts generalizing us with
  | nil => cases h
  | cons t ts ih =>
    rw [dropTerm] at h
    split at h
    · rename_i e
      cases h
      simp only [Bool.and_eq_true, decide_eq_true_eq] at e
      rw [sumOf, Term.val, Term.val, prodOf_sameFactors e.2, e.1]
    · obtain ⟨hs, e, rfl⟩ := Option.map_eq_some_iff.1 h
      rw [sumOf, sumOf, ih e]
      omega

end Razorgirl.Index
