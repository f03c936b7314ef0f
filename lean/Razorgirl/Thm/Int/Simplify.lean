module

public import Razorgirl.Spec.Int.Simplify
public import Razorgirl.Thm.Int.Terms

@[expose] public section

/-!
# The simplifier: what is proved

It keeps the value of every expression, for both kinds of division and all values of the variables within the
bounds. Nothing is assumed: all side conditions are decided by the function itself.
-/

namespace Razorgirl.Index

variable {k : Kind} {B : Bounds} {env : Nat → Int}

/-! ## Side conditions -/

theorem le_sumOf {ts : List Term} {n : Int} (hB : Within B env) (h : ((sumExpr ts).range k B).from? n = true) :
    n ≤ sumOf k env ts := by
  have := (Expr.contains_range (k := k) hB (sumExpr ts)).of_from? h
  rwa [eval_sumExpr] at this

theorem nonneg_sumOf {ts : List Term} (hB : Within B env) (h : nonneg k B ts = true) : 0 ≤ sumOf k env ts :=
  le_sumOf hB h

theorem positive_val {d : Term} (hB : Within B env) (h : positive k B d = true) : 1 ≤ d.val k env := by
  have := (Expr.contains_range (k := k) hB d.expr).of_from? h
  rwa [eval_expr] at this

theorem nonzero_val {d : Term} (hB : Within B env) (h : nonzero k B d = true) : d.val k env ≠ 0 := by
  rw [nonzero, Bool.or_eq_true] at h
  rcases h with h | h
  · have := positive_val hB h
    omega
  · have := (Expr.contains_range (k := k) hB d.expr).of_upTo? h
    rw [eval_expr] at this
    omega

theorem small_sumOf {ts : List Term} {d : Term} (hB : Within B env) (h : small k B ts d = true) :
    0 ≤ sumOf k env ts ∧ sumOf k env ts < d.val k env := by
  have hd := Expr.contains_range (k := k) hB d.expr
  rw [eval_expr] at hd
  unfold small at h
  split at h
  · rename_i l e
    have := hd.1 l e
    simp at h
    simp [sumOf]
    omega
  · rename_i l _ e
    have := hd.1 l e
    rw [Bool.and_eq_true] at h
    have := nonneg_sumOf hB h.1
    have := (Expr.contains_range (k := k) hB (sumExpr _)).of_upTo? h.2
    rw [eval_sumExpr] at this
    omega
  · cases h

theorem separable_sumOf {ts us : List Term} (hB : Within B env) (h : separable k B ts us = true) :
    k.Separable (sumOf k env ts) (sumOf k env us) := by
  unfold separable at h
  split at h
  · exact Or.inl rfl
  · exact Or.inr (by simp [sumOf])
  · exact Or.inr (by simp [sumOf])
  · rw [Bool.and_eq_true] at h
    exact Or.inr (Int.mul_nonneg (nonneg_sumOf hB h.1) (nonneg_sumOf hB h.2))

/-! ## Sums taken apart -/

theorem sumOf_consNonzero (t : Term) (ts : List Term) :
    sumOf k env (consNonzero t ts) = t.val k env + sumOf k env ts := by
  unfold consNonzero
  split
  · rename_i h
    simp [Term.val, h]
  · rfl

theorem sumOf_split (deep : Bool) (d : Term) (ts : List Term) :
    sumOf k env ts = d.val k env * sumOf k env (split deep d ts).1 + sumOf k env (split deep d ts).2 := by
  induction ts with
  | nil => simp [split, sumOf]
  | cons t ts ih =>
    rw [split]
    split
    · rename_i fs e
      split
      · rw [sumOf_consNonzero, sumOf_consNonzero, sumOf, ih]
        have h1 := Int.mul_ediv_add_emod t.coef d.coef
        simp only [Term.val, prodOf_dropAll e]
        generalize t.coef / d.coef = q at *
        generalize t.coef % d.coef = r at *
        rw [← h1]
        grind
      · simp only [sumOf]
        rw [ih]
        omega
    · simp only [sumOf]
      rw [ih]
      omega

/-! ## The rules -/

theorem cancelWith_eq_some {ts : List Term} {d : Term} {gs : List Term} {c : Common} (hB : Within B env)
    (h : cancelWith k B ts d gs = some c) :
    sumOf k env ts = c.g.val k env * sumOf k env c.quotient + sumOf k env c.rest ∧
      d.val k env = c.g.val k env * c.divisor.val k env ∧
      0 ≤ sumOf k env c.rest ∧ sumOf k env c.rest < c.g.val k env ∧
      k.Separable (c.g.val k env * sumOf k env c.quotient) (sumOf k env c.rest) := by
  induction gs with
  | nil => cases h
  | cons g gs ih =>
    rw [cancelWith] at h
    split at h
    · rename_i d' e
      split at h
      · rename_i e'
        cases h
        simp only [Bool.and_eq_true] at e'
        obtain ⟨⟨⟨_, hs⟩, hsep⟩, _⟩ := e'
        have hs := small_sumOf hB hs
        have hsep := separable_sumOf hB hsep
        rw [sumOf_map_mul] at hsep
        have hd := sumOf_split (k := k) (env := env) false g [d]
        rw [e, sumOf_singleton, sumOf_singleton, sumOf, Int.add_zero] at hd
        exact ⟨sumOf_split false g ts, hd, hs.1, hs.2, hsep⟩
      · exact ih h
    · exact ih h

theorem div_of_cancel {ts : List Term} {d : Term} {c : Common} (hB : Within B env) (h : cancel k B ts d = some c) :
    k.div (sumOf k env ts) (d.val k env) = k.div (sumOf k env c.quotient) (c.divisor.val k env) := by
  obtain ⟨e1, e2, h0, h1, hs⟩ := cancelWith_eq_some hB h
  rw [e1, e2, Kind.div_cancel _ h0 h1 hs]

theorem mod_of_cancel {ts : List Term} {d : Term} {c : Common} (hB : Within B env) (h : cancel k B ts d = some c) :
    k.mod (sumOf k env ts) (d.val k env) =
      c.g.val k env * k.mod (sumOf k env c.quotient) (c.divisor.val k env) + sumOf k env c.rest := by
  obtain ⟨e1, e2, h0, h1, hs⟩ := cancelWith_eq_some hB h
  rw [e1, e2, Kind.mod_cancel _ h0 h1 hs]

theorem quotientOf_eq_some {ts : List Term} {x y : Expr} (h : quotientOf ts = some (x, y)) :
    ts = [⟨1, [.div x y]⟩] := by
  unfold quotientOf at h
  split at h
  · cases h; rfl
  · cases h

theorem remainderOf_eq_some {ts : List Term} {x y : Expr} (h : remainderOf ts = some (x, y)) :
    ts = [⟨1, [.mod x y]⟩] := by
  unfold remainderOf at h
  split at h
  · cases h; rfl
  · cases h

theorem div_of_nestedQuotient {ts us : List Term} {d d' : Term} (hB : Within B env)
    (h : nestedQuotient k B ts d = some (us, d')) :
    k.div (sumOf k env ts) (d.val k env) = k.div (sumOf k env us) (d'.val k env) := by
  unfold nestedQuotient at h
  split at h
  · rename_i x y e
    split at h
    · rename_i u ey
      split at h
      · rename_i hk
        cases h
        have hy := sumOf_terms (k := k) (env := env) y
        rw [ey, sumOf_singleton] at hy
        rw [quotientOf_eq_some e, sumOf_factor, val_mul, sumOf_terms, Expr.eval, hy]
        refine Kind.div_div _ _ ?_
        rw [Bool.or_eq_true] at hk
        rcases hk with hk | hk
        · exact Or.inl (by simpa using hk)
        · have := nonneg_sumOf hB hk
          rw [sumOf_singleton, hy] at this
          exact Or.inr this
      · cases h
    · cases h
  · cases h

theorem mod_of_nestedRemainder {ts us : List Term} {d : Term} (h : nestedRemainder ts d = some us) :
    k.mod (sumOf k env ts) (d.val k env) = k.mod (sumOf k env us) (d.val k env) := by
  unfold nestedRemainder at h
  split at h
  · rename_i x y e
    split at h
    · rename_i q ey
      cases h
      have hy := sumOf_split (k := k) (env := env) false d (terms y)
      rw [ey, sumOf_terms, sumOf, Int.add_zero] at hy
      rw [remainderOf_eq_some e, sumOf_factor, sumOf_terms, Expr.eval]
      exact Kind.mod_mod _ ⟨_, hy⟩
    · cases h
  · cases h

theorem zero_div (d : Int) : k.div 0 d = 0 := by cases k <;> simp [Kind.div]

theorem zero_mod (d : Int) : k.mod 0 d = 0 := by cases k <;> simp [Kind.mod]

/-! ## Quotients and remainders -/

theorem sumOf_divTerms (hB : Within B env) (fuel : Nat) (ts : List Term) (d : Term) :
    sumOf k env (divTerms k B fuel ts d) = k.div (sumOf k env ts) (d.val k env) := by
  have opaque' (ts : List Term) (d : Term) :
      sumOf k env [⟨1, [.div (sumExpr ts) d.expr]⟩] = k.div (sumOf k env ts) (d.val k env) := by
    rw [sumOf_factor, Expr.eval, eval_sumExpr, eval_expr]
  induction fuel generalizing ts d with
  | zero => exact opaque' ts d
  | succ fuel ih =>
    have key : k.div (sumOf k env ts) (d.val k env) =
        sumOf k env (if nonzero k B d && separable k B ((split false d ts).1.map d.mul) (split false d ts).2
          then (split false d ts).1 else []) +
        k.div (sumOf k env (if nonzero k B d && separable k B ((split false d ts).1.map d.mul) (split false d ts).2
          then (split false d ts).2 else ts)) (d.val k env) := by
      split
      · rename_i h
        rw [Bool.and_eq_true] at h
        have hs := separable_sumOf hB h.2
        rw [sumOf_map_mul] at hs
        rw [sumOf_split false d ts, Kind.div_mul_add (nonzero_val hB h.1) hs]
      · rw [sumOf, Int.zero_add]
    rw [divTerms, sumOf_append, key]
    generalize (if nonzero k B d && separable k B ((split false d ts).1.map d.mul) (split false d ts).2
          then (split false d ts).2 else ts) = us
    congr 1
    split
    · rename_i h
      have := small_sumOf hB h
      rw [(Kind.of_small this.1 this.2).1, sumOf]
    · split
      · rw [sumOf, zero_div]
      · split
        · rename_i e
          rw [ih, div_of_cancel hB e]
        · split
          · rename_i e
            rw [ih, div_of_nestedQuotient hB e]
          · exact opaque' _ _

theorem sumOf_modTerms (hB : Within B env) (fuel : Nat) (ts : List Term) (d : Term) :
    sumOf k env (modTerms k B fuel ts d) = k.mod (sumOf k env ts) (d.val k env) := by
  have opaque' (ts : List Term) (d : Term) :
      sumOf k env [⟨1, [.mod (sumExpr ts) d.expr]⟩] = k.mod (sumOf k env ts) (d.val k env) := by
    rw [sumOf_factor, Expr.eval, eval_sumExpr, eval_expr]
  induction fuel generalizing ts d with
  | zero => exact opaque' ts d
  | succ fuel ih =>
    have key : k.mod (sumOf k env ts) (d.val k env) =
        k.mod (sumOf k env (if separable k B ((split true d ts).1.map d.mul) (split true d ts).2
          then (split true d ts).2 else ts)) (d.val k env) := by
      split
      · rename_i h
        have hs := separable_sumOf hB h
        rw [sumOf_map_mul] at hs
        rw [sumOf_split true d ts, Kind.mod_mul_add hs]
      · rfl
    rw [modTerms, key]
    generalize (if separable k B ((split true d ts).1.map d.mul) (split true d ts).2
          then (split true d ts).2 else ts) = us
    split
    · rename_i h
      have := small_sumOf hB h
      rw [(Kind.of_small this.1 this.2).2]
    · split
      · rw [sumOf, zero_mod]
      · split
        · rename_i e
          rw [sumOf_append, sumOf_map_mul, ih, mod_of_cancel hB e]
        · split
          · rename_i e
            rw [ih, mod_of_nestedRemainder e]
          · exact opaque' _ _

/-! ## Put together again -/

theorem prodOf_pickMod {fs gs : List Expr} {x y : Expr} (h : pickMod fs = some (x, y, gs)) :
    prodOf k env fs = k.mod (x.eval k env) (y.eval k env) * prodOf k env gs := by
  induction fs generalizing gs with
  | nil => cases h
  | cons f fs ih =>
    unfold pickMod at h
    split at h
    · cases h
    · rename_i e
      cases e
      cases h
      rfl
    · rename_i e
      cases e
      obtain ⟨⟨x', y', hs⟩, e, e'⟩ := Option.map_eq_some_iff.1 h
      cases e'
      rw [prodOf, prodOf, ih e]
      grind

theorem sumOf_partner {t w : Term} {x : List Term} (hB : Within B env) (h : partner k B t = some (w, x)) :
    sumOf k env x = t.val k env + w.val k env := by
  unfold partner at h
  split at h
  · rename_i a b fs e
    split at h
    · rename_i d ed
      split at h
      · rename_i q eq
        cases h
        have hd := sumOf_terms (k := k) (env := env) b
        rw [ed, sumOf_singleton] at hd
        have hq := sumOf_gather (k := k) (env := env) (divTerms k B steps (terms a) d)
        rw [eq, sumOf_singleton, sumOf_divTerms hB, sumOf_terms] at hq
        have := k.div_add_mod (a.eval k env) (d.val k env)
        rw [sumOf_map_mul, sumOf_terms, val_mul, val_mul, hq, Term.val, Term.val, prodOf_pickMod e, ← hd]
        grind
      · cases h
    · cases h
  · cases h

theorem sumOf_recombineOnce {seen ts us : List Term} (hB : Within B env)
    (h : recombineOnce k B seen ts = some us) : sumOf k env us = sumOf k env seen + sumOf k env ts := by
  induction ts generalizing seen with
  | nil => cases h
  | cons t ts ih =>
    have step (h : recombineOnce k B (seen ++ [t]) ts = some us) :
        sumOf k env us = sumOf k env seen + sumOf k env (t :: ts) := by
      rw [ih h, sumOf_append, sumOf_singleton, sumOf]
      omega
    rw [recombineOnce] at h
    split at h
    · rename_i e
      split at h
      · rename_i e'
        cases h
        have e' := sumOf_dropTerm (k := k) (env := env) e'
        rw [sumOf_append] at e'
        rw [sumOf_append, sumOf_partner hB e, sumOf]
        omega
      · exact step h
    · exact step h

theorem sumOf_recombine (hB : Within B env) (fuel : Nat) (ts : List Term) :
    sumOf k env (recombine k B fuel ts) = sumOf k env ts := by
  induction fuel generalizing ts with
  | zero => rfl
  | succ fuel ih =>
    rw [recombine]
    split
    · rename_i e
      rw [ih, sumOf_gather, sumOf_recombineOnce hB e, sumOf, Int.zero_add]
    · rfl

/-! ## The theorem -/

theorem sumOf_simplifyTerms (hB : Within B env) (e : Expr) :
    sumOf k env (simplifyTerms k B e) = e.eval k env := by
  induction e with
  | var x =>
    rw [simplifyTerms]
    split
    · rename_i h
      rw [sumOf_terms, Expr.eval, Expr.eval, (hB x).of_value? h]
    · exact sumOf_factor _
  | const n => exact sumOf_terms _
  | add a b ha hb => rw [simplifyTerms, sumOf_recombine hB, sumOf_gather, sumOf_append, ha, hb, Expr.eval]
  | mul a b ha hb => rw [simplifyTerms, sumOf_recombine hB, sumOf_gather, sumOf_mulTerms, ha, hb, Expr.eval]
  | div a b ha hb =>
    rw [simplifyTerms]
    split
    · rename_i e
      rw [e, sumOf_singleton] at hb
      rw [sumOf_recombine hB, sumOf_gather, sumOf_divTerms hB, ha, hb, Expr.eval]
    · rw [sumOf_factor, Expr.eval, eval_sumExpr, eval_sumExpr, ha, hb, Expr.eval]
  | mod a b ha hb =>
    rw [simplifyTerms]
    split
    · rename_i e
      rw [e, sumOf_singleton] at hb
      rw [sumOf_recombine hB, sumOf_gather, sumOf_modTerms hB, ha, hb, Expr.eval]
    · rw [sumOf_factor, Expr.eval, eval_sumExpr, eval_sumExpr, ha, hb, Expr.eval]

/-- **A simplified index expression has the value of the original one, for all values of the variables within their
bounds, under Euclidean and under C's division.**
Source: nvFuser `expr_simplifier` -/
theorem eval_simplify (hB : Within B env) (e : Expr) : (simplify k B e).eval k env = e.eval k env := by
  rw [simplify, eval_sumExpr, sumOf_simplifyTerms hB]

end Razorgirl.Index
