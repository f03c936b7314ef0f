module

public import Razorgirl.Data.Perm
public import Razorgirl.Thm.Int.Simplify

@[expose] public section

/-!
# The simplifier is complete on affine expressions

That a simplified expression keeps its value would hold of a simplifier that changes nothing. On expressions that are
affine in the variables it does all that can be done: what is equal becomes the same terms, and remainders and quotients
that come out even are gone.
-/

namespace Razorgirl.Index

variable {k : Kind} {B : Bounds} {env : Nat → Int}

/-! ## Reduced sums -/

/-- A literal, or a literal times one variable that is not fixed. -/
def Plain (B : Bounds) (t : Term) : Prop := t.factors = [] ∨ ∃ x, t.factors = [.var x] ∧ (B.getD x .all).value? = none

/-- Plain terms, each with factors of its own and none with the literal 0. -/
def Reduced (B : Bounds) (ts : List Term) : Prop :=
  (∀ t ∈ ts, Plain B t ∧ t.coef ≠ 0) ∧ ts.Pairwise fun t u => t.factors ≠ u.factors

theorem reduced_nil : Reduced B [] := ⟨by simp, .nil⟩

theorem reduced_singleton {t : Term} (h : Plain B t) (h' : t.coef ≠ 0) : Reduced B [t] :=
  ⟨by simpa using ⟨h, h'⟩, List.pairwise_singleton _ _⟩

theorem sameFactors_iff {t u : Term} (ht : Plain B t) (hu : Plain B u) :
    sameFactors t.factors u.factors = true ↔ t.factors = u.factors := by
  rcases ht with h | ⟨x, h, _⟩ <;> rcases hu with h' | ⟨y, h', _⟩ <;> rw [h, h']
  · simp [sameFactors, dropAll]
  · simp [sameFactors, dropAll]
  · simp [sameFactors, dropAll, dropOne]
  · by_cases e : x = y <;> simp [sameFactors, dropAll, dropOne, e]

theorem mem_addTerm {t w : Term} {us : List Term} (hu : ∀ u ∈ us, Plain B u) (ht : Plain B t) (h : w ∈ addTerm t us) :
    w.factors = t.factors ∨ w ∈ us := by
  induction us with
  | nil =>
    rw [addTerm] at h
    split at h
    · simp at h
    · rw [List.mem_singleton.1 h]; exact .inl rfl
  | cons u us ih =>
    rw [addTerm] at h
    by_cases e : sameFactors t.factors u.factors = true
    · rw [if_pos e] at h
      have e' := (sameFactors_iff ht (hu u (by simp))).1 e
      split at h
      · exact .inr (List.mem_cons_of_mem _ h)
      · rcases List.mem_cons.1 h with rfl | h
        · exact .inl e'.symm
        · exact .inr (List.mem_cons_of_mem _ h)
    · rw [if_neg e] at h
      rcases List.mem_cons.1 h with rfl | h
      · exact .inr (by simp)
      · rcases ih (fun u h => hu u (by simp [h])) h with h | h
        · exact .inl h
        · exact .inr (List.mem_cons_of_mem _ h)

theorem reduced_addTerm {t : Term} {us : List Term} (ht : Plain B t) (hu : Reduced B us) : Reduced B (addTerm t us) := by
  induction us with
  | nil =>
    rw [addTerm]
    split
    · exact reduced_nil
    · exact reduced_singleton ht (by assumption)
  | cons u us ih =>
    have hp : ∀ w ∈ us, Plain B w := fun w h => (hu.1 w (by simp [h])).1
    have hus : Reduced B us := ⟨fun w h => hu.1 w (by simp [h]), (List.pairwise_cons.1 hu.2).2⟩
    have hne := (List.pairwise_cons.1 hu.2).1
    have hpu := (hu.1 u (by simp)).1
    rw [addTerm]
    by_cases e : sameFactors t.factors u.factors = true
    · rw [if_pos e]
      split
      · exact hus
      · refine ⟨fun w h => ?_, List.pairwise_cons.2 ⟨hne, hus.2⟩⟩
        rcases List.mem_cons.1 h with rfl | h
        · exact ⟨hpu, by assumption⟩
        · exact hus.1 w h
    · rw [if_neg e]
      have e' : ¬ t.factors = u.factors := fun h => e ((sameFactors_iff ht hpu).2 h)
      have i := ih hus
      refine ⟨fun w h => ?_, List.pairwise_cons.2 ⟨fun w h => ?_, i.2⟩⟩
      · rcases List.mem_cons.1 h with rfl | h
        · exact hu.1 _ (by simp)
        · exact i.1 w h
      · rcases mem_addTerm hp ht h with h | h
        · rw [h]; exact fun e => e' e.symm
        · exact hne w h

theorem reduced_gatherInto {us ts : List Term} (hu : Reduced B us) (ht : ∀ t ∈ ts, Plain B t) :
    Reduced B (gatherInto us ts) := by
  induction ts generalizing us with
  | nil => exact hu
  | cons t ts ih => exact ih (reduced_addTerm (ht t (by simp)) hu) fun w h => ht w (by simp [h])

theorem partner_plain {t : Term} (h : Plain B t) : partner k B t = none := by
  rcases h with h | ⟨x, h, _⟩ <;> simp [partner, h, pickMod]

theorem recombineOnce_plain {ts : List Term} (seen : List Term) (h : ∀ t ∈ ts, Plain B t) :
    recombineOnce k B seen ts = none := by
  induction ts generalizing seen with
  | nil => rfl
  | cons t ts ih =>
    rw [recombineOnce, partner_plain (h t (by simp))]
    exact ih _ fun u hu => h u (by simp [hu])

theorem recombine_plain {ts : List Term} (fuel : Nat) (h : ∀ t ∈ ts, Plain B t) : recombine k B fuel ts = ts := by
  cases fuel with
  | zero => rfl
  | succ fuel => rw [recombine, recombineOnce_plain [] h]

theorem reduced_recombine_gather {ts : List Term} (fuel : Nat) (h : ∀ t ∈ ts, Plain B t) :
    Reduced B (recombine k B fuel (gather ts)) := by
  have r : Reduced B (gather ts) := reduced_gatherInto reduced_nil h
  rw [recombine_plain fuel fun t ht => (r.1 t ht).1]
  exact r

theorem terms_const (n : Int) : terms (.const n) = if n = 0 then [] else [⟨n, []⟩] := rfl

theorem reduced_const (n : Int) : Reduced B (terms (.const n)) := by
  rw [terms_const]
  split
  · exact reduced_nil
  · exact reduced_singleton (.inl rfl) (by assumption)

theorem plain_mulTerms_const {ts : List Term} (h : ∀ t ∈ ts, Plain B t) (n : Int) :
    (∀ t ∈ mulTerms ts (terms (.const n)), Plain B t) ∧ ∀ t ∈ mulTerms (terms (.const n)) ts, Plain B t := by
  have key : ∀ (c : Int) t, t ∈ ts → Plain B (t.mul ⟨c, []⟩) ∧ Plain B ((Term.mk c []).mul t) := by
    intro c t ht
    rcases h t ht with e | ⟨x, e, f⟩
    · exact ⟨.inl (by simp [Term.mul, e]), .inl (by simp [Term.mul, e])⟩
    · exact ⟨.inr ⟨x, by simp [Term.mul, e], f⟩, .inr ⟨x, by simp [Term.mul, e], f⟩⟩
  rw [terms_const]
  by_cases hn : n = 0
  · rw [if_pos hn]
    constructor
    · intro t ht
      cases ts <;> simp [mulTerms] at ht
    · intro t ht
      simp [mulTerms] at ht
  · rw [if_neg hn]
    match ts, key with
    | [], _ => exact ⟨by simp [mulTerms], by simp [mulTerms]⟩
    | [t], key =>
      simp only [mulTerms, List.map_cons, List.map_nil, List.mem_singleton]
      exact ⟨fun _ e => e ▸ (key n t (by simp)).1, fun _ e => e ▸ (key n t (by simp)).2⟩
    | t :: u :: ts, key =>
      simp only [mulTerms]
      constructor <;> intro w hw <;> obtain ⟨v, hv, rfl⟩ := List.mem_map.1 hw
      · exact (key n v hv).1
      · exact (key n v hv).2

theorem reduced_simplifyTerms : (e : Expr) → e.affine = true → Reduced B (simplifyTerms k B e)
  | .var x, _ => by
    rw [simplifyTerms]
    split
    · exact reduced_const _
    · exact reduced_singleton (.inr ⟨x, rfl, by assumption⟩) Int.one_ne_zero
  | .const n, _ => reduced_const n
  | .add a b, h => by
    simp only [Expr.affine, Bool.and_eq_true] at h
    rw [simplifyTerms]
    refine reduced_recombine_gather _ fun t ht => ?_
    rcases List.mem_append.1 ht with ht | ht
    · exact ((reduced_simplifyTerms a h.1).1 t ht).1
    · exact ((reduced_simplifyTerms b h.2).1 t ht).1
  | .mul a b, h => by
    rw [simplifyTerms]
    refine reduced_recombine_gather _ ?_
    simp only [Expr.affine, Bool.or_eq_true, Bool.and_eq_true] at h
    rcases h with ⟨ha, hb⟩ | ⟨ha, hb⟩
    · obtain ⟨n, rfl⟩ := isConst_iff.1 hb
      exact (plain_mulTerms_const (fun t ht => ((reduced_simplifyTerms a ha).1 t ht).1) n).1
    · obtain ⟨n, rfl⟩ := isConst_iff.1 ha
      exact (plain_mulTerms_const (fun t ht => ((reduced_simplifyTerms b hb).1 t ht).1) n).2
  | .div _ _, h => by simp [Expr.affine] at h
  | .mod _ _, h => by simp [Expr.affine] at h
where
  isConst_iff {e : Expr} : e.isConst = true ↔ ∃ n, e = .const n := by
    cases e <;> simp [Expr.isConst]

/-! ## Literals and values -/

/-- The literal in front of some factors. -/
def coefOf (fs : List Expr) : List Term → Int
  | [] => 0
  | t :: ts => (if t.factors = fs then t.coef else 0) + coefOf fs ts

theorem coefOf_of_not_mem {fs : List Expr} {ts : List Term} (h : ∀ t ∈ ts, t.factors ≠ fs) : coefOf fs ts = 0 := by
  induction ts with
  | nil => rfl
  | cons t ts ih => rw [coefOf, if_neg (h t (by simp)), ih fun u hu => h u (by simp [hu]), Int.zero_add]

theorem coefOf_of_mem {t : Term} {ts : List Term} (h : Reduced B ts) (ht : t ∈ ts) : coefOf t.factors ts = t.coef := by
  induction ts with
  | nil => cases ht
  | cons u ts ih =>
    have hne := (List.pairwise_cons.1 h.2).1
    have hts : Reduced B ts := ⟨fun w h' => h.1 w (by simp [h']), (List.pairwise_cons.1 h.2).2⟩
    rw [coefOf]
    rcases List.mem_cons.1 ht with rfl | ht
    · rw [if_pos rfl, coefOf_of_not_mem fun w hw => (hne w hw).symm, Int.add_zero]
    · rw [if_neg (hne t ht), ih hts ht, Int.zero_add]

theorem exists_of_coefOf {fs : List Expr} {ts : List Term} (h : coefOf fs ts ≠ 0) : ∃ t ∈ ts, t.factors = fs := by
  refine Classical.byContradiction fun hn => h (coefOf_of_not_mem fun t ht e => hn ⟨t, ht, e⟩)

theorem mem_iff_coefOf {t : Term} {ts : List Term} (h : Reduced B ts) :
    t ∈ ts ↔ t.coef ≠ 0 ∧ coefOf t.factors ts = t.coef := by
  constructor
  · exact fun ht => ⟨(h.1 t ht).2, coefOf_of_mem h ht⟩
  · rintro ⟨h0, h1⟩
    obtain ⟨u, hu, e⟩ := exists_of_coefOf (fs := t.factors) (ts := ts) (by rw [h1]; exact h0)
    have h2 := coefOf_of_mem h hu
    rw [e, h1] at h2
    cases t; cases u
    simp only at e h2
    subst e; subst h2
    exact hu

theorem perm_of_coefOf {ts us : List Term} (ht : Reduced B ts) (hu : Reduced B us)
    (h : ∀ fs, coefOf fs ts = coefOf fs us) : ts.Perm us := by
  have nodup : ∀ {l : List Term}, Reduced B l → l.Nodup := fun h => h.2.imp fun h e => h (by rw [e])
  have : DecidableEq Term := fun a b => Classical.propDecidable (a = b)
  exact perm_of_nodup (nodup ht) (nodup hu) fun t => by rw [mem_iff_coefOf ht, mem_iff_coefOf hu, h]

theorem sumOf_perm {ts us : List Term} (h : ts.Perm us) : sumOf k env ts = sumOf k env us := by
  induction h with
  | nil => rfl
  | cons t _ ih => rw [sumOf, sumOf, ih]
  | swap t u ts => simp only [sumOf]; omega
  | trans _ _ ih₁ ih₂ => rw [ih₁, ih₂]

/-- One variable changed. -/
def change (env : Nat → Int) (x : Nat) (v : Int) : Nat → Int := fun y => if y = x then v else env y

theorem sumOf_change {ts : List Term} (h : ∀ t ∈ ts, Plain B t) (x : Nat) (v : Int) :
    sumOf k (change env x v) ts - sumOf k env ts = coefOf [.var x] ts * (v - env x) := by
  induction ts with
  | nil => simp [sumOf, coefOf]
  | cons t ts ih =>
    have i := ih fun u hu => h u (by simp [hu])
    rw [sumOf, sumOf, coefOf, Int.add_mul, ← i]
    have key : t.val k (change env x v) - t.val k env = (if t.factors = [.var x] then t.coef else 0) * (v - env x) := by
      rcases h t (by simp) with e | ⟨y, e, _⟩
      · simp [Term.val, e, prodOf]
      · by_cases hy : y = x
        · subst hy; simp [Term.val, e, prodOf, Expr.eval, change, Int.mul_sub]
        · simp [Term.val, e, prodOf, Expr.eval, change, hy]
    omega

theorem sumOf_literal (ts : List Term) :
    sumOf k env ts = coefOf [] ts + sumOf k env (ts.filter fun t => !t.isLiteral) := by
  induction ts with
  | nil => rfl
  | cons t ts ih =>
    rw [sumOf, coefOf, ih, List.filter_cons]
    by_cases e : t.factors = []
    · simp [Term.isLiteral, e, Term.val, prodOf]; omega
    · have : t.isLiteral = false := by
        unfold Term.isLiteral; split
        · contradiction
        · rfl
      simp only [e, if_false, this, Bool.not_false, if_true, sumOf]; omega

theorem coefOf_filter {fs : List Expr} (hf : fs ≠ []) (ts : List Term) :
    coefOf fs (ts.filter fun t => !t.isLiteral) = coefOf fs ts := by
  induction ts with
  | nil => rfl
  | cons t ts ih =>
    rw [List.filter_cons, coefOf]
    by_cases e : t.factors = []
    · rw [if_neg (by simp [Term.isLiteral, e]), if_neg (by rw [e]; exact fun h => hf h.symm), ih, Int.zero_add]
    · have : t.isLiteral = false := by
        unfold Term.isLiteral; split
        · contradiction
        · rfl
      rw [if_pos (by simp [this]), coefOf, ih]

/-! ## What values say of the literals -/

/-- Of a range with more than one number, one beside any that is in it. -/
theorem exists_beside {r : Range} {v : Int} (h : r.Contains v) (hv : r.value? = none) :
    r.Contains (v + 1) ∨ r.Contains (v - 1) := by
  simp only [Range.contains_iff] at h ⊢
  unfold Range.value? at hv
  rcases r with ⟨lo, hi⟩
  cases lo with
  | none => right; exact ⟨by simp, fun m e => by have := h.2 m e; omega⟩
  | some l =>
    cases hi with
    | none => left; exact ⟨fun m e => by have := h.1 m e; omega, by simp⟩
    | some m =>
      have h1 := h.1 l rfl
      have h2 := h.2 m rfl
      simp only at hv
      split at hv
      · simp at hv
      · simp only [Option.some.injEq, forall_eq']
        omega

theorem Within.change {x : Nat} {v : Int} (h : Within B env) (hv : (B.getD x .all).Contains v) :
    Within B (change env x v) := fun y => by
  unfold Index.change
  split
  · subst_vars; exact hv
  · exact h y

/-- What divides all values of a reduced sum divides its literals. -/
theorem dvd_coef {ts : List Term} {d : Int} (hts : Reduced B ts) (hB : Within B env)
    (h : ∀ env, Within B env → d ∣ sumOf k env ts) {t : Term} (ht : t ∈ ts) : d ∣ t.coef := by
  have var : ∀ x, (B.getD x .all).value? = none → d ∣ coefOf [.var x] ts := by
    intro x hx
    have plain := fun t ht => (hts.1 t ht).1
    have h0 := h env hB
    rcases exists_beside (hB x) hx with hv | hv
    · have h1 := h _ (hB.change hv)
      have h2 := Int.dvd_sub h1 h0
      rw [sumOf_change plain] at h2
      rwa [show env x + 1 - env x = 1 by omega, Int.mul_one] at h2
    · have h1 := h _ (hB.change hv)
      have h2 := Int.dvd_sub h1 h0
      rw [sumOf_change plain] at h2
      rwa [show env x - 1 - env x = -1 by omega, Int.mul_neg_one, Int.dvd_neg] at h2
  rw [← coefOf_of_mem hts ht]
  rcases (hts.1 t ht).1 with e | ⟨x, e, hx⟩
  · have h0 := h env hB
    rw [sumOf_literal, Int.dvd_add_left] at h0
    · rw [e]; exact h0
    · have : ∀ us : List Term, (∀ u ∈ us, d ∣ u.coef) → d ∣ sumOf k env us := by
        intro us hu
        induction us with
        | nil => exact Int.dvd_zero _
        | cons u us ih =>
          exact Int.dvd_add (Int.dvd_mul_of_dvd_left (hu u (by simp))) (ih fun w hw => hu w (by simp [hw]))
      refine this _ fun u hu => ?_
      obtain ⟨hu, hl⟩ := List.mem_filter.1 hu
      rw [← coefOf_of_mem hts hu]
      rcases (hts.1 u hu).1 with e' | ⟨y, e', hy⟩
      · simp [Term.isLiteral, e'] at hl
      · rw [e']; exact var y hy
  · rw [e]; exact var x hx

/-- Reduced sums with the same values have the same terms. -/
theorem perm_of_sumOf {ts us : List Term} (ht : Reduced B ts) (hu : Reduced B us) (hB : Within B env)
    (h : ∀ env, Within B env → sumOf k env ts = sumOf k env us) : ts.Perm us := by
  have hpt := fun t h => (ht.1 t h).1
  have hpu := fun t h => (hu.1 t h).1
  have var : ∀ fs, fs ≠ [] → coefOf fs ts = coefOf fs us := by
    intro fs hf
    by_cases hx : ∃ x, fs = [.var x] ∧ (B.getD x .all).value? = none
    · obtain ⟨x, rfl, hx⟩ := hx
      have h0 := h env hB
      rcases exists_beside (hB x) hx with hv | hv
      · have h1 := h _ (hB.change hv)
        have h2 := sumOf_change (k := k) (env := env) hpt x (env x + 1)
        have h3 := sumOf_change (k := k) (env := env) hpu x (env x + 1)
        rw [show env x + 1 - env x = 1 by omega, Int.mul_one] at h2 h3
        omega
      · have h1 := h _ (hB.change hv)
        have h2 := sumOf_change (k := k) (env := env) hpt x (env x - 1)
        have h3 := sumOf_change (k := k) (env := env) hpu x (env x - 1)
        rw [show env x - 1 - env x = -1 by omega, Int.mul_neg_one] at h2 h3
        omega
    · have none : ∀ {l : List Term}, (∀ t ∈ l, Plain B t) → coefOf fs l = 0 := fun hl =>
        coefOf_of_not_mem fun t ht e => by
          rcases hl t ht with e' | ⟨x, e', hx'⟩
          · exact hf (by rw [← e, e'])
          · exact hx ⟨x, by rw [← e, e'], hx'⟩
      rw [none hpt, none hpu]
  refine perm_of_coefOf ht hu fun fs => ?_
  by_cases hf : fs = []
  · subst hf
    have filtered : ∀ {l : List Term}, Reduced B l → Reduced B (l.filter fun t => !t.isLiteral) := fun hl =>
      ⟨fun t ht => hl.1 t (List.mem_filter.1 ht).1, hl.2.sublist List.filter_sublist⟩
    have same := perm_of_coefOf (filtered ht) (filtered hu) fun fs => by
      by_cases hf : fs = []
      · subst hf
        have zero : ∀ l : List Term, coefOf [] (l.filter fun t => !t.isLiteral) = 0 := fun l =>
          coefOf_of_not_mem fun t ht e => by simp [Term.isLiteral, e] at ht
        rw [zero, zero]
      · rw [coefOf_filter hf, coefOf_filter hf, var fs hf]
    have h0 := h env hB
    rw [sumOf_literal ts, sumOf_literal us, sumOf_perm same] at h0
    omega
  · exact var fs hf

/-! ## Affine expressions -/

/-- **Two affine expressions have the same value for all values of the variables within their bounds exactly when they are
simplified to sums of the same terms, in some order. The bounds leave each variable a value.**
Source: nvFuser, `expr_simplifier`, rules A to F; stated otherwise: that all of them are found -/
theorem simplify_affine_iff {e e' : Expr} (he : e.affine = true) (he' : e'.affine = true) (hB : Within B env) :
    (simplifyTerms k B e).Perm (simplifyTerms k B e') ↔ ∀ env, Within B env → e.eval k env = e'.eval k env := by
  constructor
  · intro h env hB
    rw [← sumOf_simplifyTerms hB e, ← sumOf_simplifyTerms hB e', sumOf_perm h]
  · intro h
    refine perm_of_sumOf (k := k) (reduced_simplifyTerms e he) (reduced_simplifyTerms e' he') hB fun env hB => ?_
    rw [sumOf_simplifyTerms hB, sumOf_simplifyTerms hB, h env hB]

/-- **An affine expression is simplified to a number exactly when it has that value for all values of the variables within
their bounds. The bounds leave each variable a value.**
Source: nvFuser, `expr_simplifier`, rules A to F; stated otherwise: that all of them are found -/
theorem simplify_affine_const_iff {e : Expr} (he : e.affine = true) (hB : Within B env) (n : Int) :
    simplify k B e = .const n ↔ ∀ env, Within B env → e.eval k env = n := by
  constructor
  · intro h env hB
    rw [← eval_simplify hB, h, Expr.eval]
  · intro h
    have p := (simplify_affine_iff (k := k) he (e' := .const n) rfl hB).2 h
    rw [simplifyTerms, terms_const] at p
    rw [simplify]
    by_cases hn : n = 0
    · rw [if_pos hn] at p; rw [p.eq_nil, hn, sumExpr]
    · rw [if_neg hn] at p; rw [List.perm_singleton.1 p]; rfl

theorem split_of_dvd {deep : Bool} {d : Int} {ts : List Term} (h : ∀ t ∈ ts, t.coef ≠ 0 ∧ d ∣ t.coef) :
    split deep ⟨d, []⟩ ts = (ts.map fun t => ⟨t.coef / d, t.factors⟩, []) := by
  induction ts with
  | nil => rfl
  | cons t ts ih =>
    obtain ⟨h0, h1⟩ := h t (by simp)
    have h2 : t.coef % d = 0 := Int.emod_eq_zero_of_dvd h1
    have h3 : ¬ t.coef / d = 0 := fun e => h0 (by rw [← Int.ediv_mul_cancel h1, e, Int.zero_mul])
    rw [split, ih fun u hu => h u (by simp [hu])]
    simp [dropAll, h2, h3, consNonzero]

theorem separable_nil (ts : List Term) : separable k B ts [] = true := by
  cases k <;> cases ts <;> rfl

theorem nonzero_const {d : Int} (hd : d ≠ 0) : nonzero k B ⟨d, []⟩ = true := by
  simp only [nonzero, positive, Term.expr, Expr.range, Range.point, Range.from?, Range.upTo?, Bool.or_eq_true,
    decide_eq_true_eq]
  omega

/-- **A remainder of an affine expression by a number is simplified to 0 if it is 0 for all values of the variables within
their bounds. The bounds leave each variable a value.**
Source: nvFuser 2.9, 4.9; stated otherwise: that the rule is found -/
theorem simplify_affine_mod {e : Expr} (he : e.affine = true) (hB : Within B env) {d : Int} (hd : d ≠ 0)
    (h : ∀ env, Within B env → d ∣ e.eval k env) : simplify k B (.mod e (.const d)) = .const 0 := by
  have r := reduced_simplifyTerms (k := k) (B := B) e he
  have c : ∀ t ∈ simplifyTerms k B e, t.coef ≠ 0 ∧ d ∣ t.coef := fun t ht =>
    ⟨(r.1 t ht).2, dvd_coef r hB (fun env hB => by rw [sumOf_simplifyTerms hB]; exact h env hB) ht⟩
  rw [simplify, simplifyTerms, simplifyTerms, terms_const, if_neg hd]
  simp only [steps, modTerms, split_of_dvd c, separable_nil, if_true]
  rw [show (if small k B [] ⟨d, []⟩ = true then ([] : List Term) else []) = [] by split <;> rfl]
  rfl

/-- **A quotient of an affine expression by a number, if it comes out even for all values of the variables within their
bounds, is simplified to the terms of any affine expression with the same values. The bounds leave each variable a value.**
Source: nvFuser 2.10, 2.15, 4.10, 4.15; stated otherwise: that the rule is found -/
theorem simplify_affine_div {e e' : Expr} (he : e.affine = true) (he' : e'.affine = true) (hB : Within B env) {d : Int}
    (hd : d ≠ 0) (h : ∀ env, Within B env → e.eval k env = d * e'.eval k env) :
    (simplifyTerms k B (.div e (.const d))).Perm (simplifyTerms k B e') := by
  have r := reduced_simplifyTerms (k := k) (B := B) e he
  have c : ∀ t ∈ simplifyTerms k B e, t.coef ≠ 0 ∧ d ∣ t.coef := fun t ht =>
    ⟨(r.1 t ht).2, dvd_coef r hB (fun env hB => by rw [sumOf_simplifyTerms hB, h env hB]; exact Int.dvd_mul_right _ _) ht⟩
  have r' : Reduced B (simplifyTerms k B (.div e (.const d))) := by
    rw [simplifyTerms, simplifyTerms, terms_const, if_neg hd]
    simp only [steps, divTerms, split_of_dvd c, separable_nil, nonzero_const hd, Bool.and_self, if_true]
    rw [show (if small k B [] ⟨d, []⟩ = true then ([] : List Term) else []) = [] by split <;> rfl, List.append_nil]
    refine reduced_recombine_gather _ fun t ht => ?_
    obtain ⟨u, hu, rfl⟩ := List.mem_map.1 ht
    exact (r.1 u hu).1
  refine perm_of_sumOf (k := k) r' (reduced_simplifyTerms e' he') hB fun env hB => ?_
  rw [sumOf_simplifyTerms hB, sumOf_simplifyTerms hB, Expr.eval, Expr.eval, h env hB]
  cases k
  · exact Int.mul_ediv_cancel_left _ hd
  · exact Int.mul_tdiv_cancel_left _ hd

end Razorgirl.Index
