module

public import Razorgirl.Spec.Int.Predicate
public import Razorgirl.Thm.Int.Simplify

@[expose] public section

/-!
# Simplifying predicates: what is proved

A simplified conjunction holds exactly where the original one does. Simplifying all comparisons at once does not
have that property: the counterexample is at the end.
-/

namespace Razorgirl.Index

variable {k : Kind} {B : Bounds} {env : Nat → Int}

/-- **A condition may be replaced by one that is equivalent to it where the rest of the conjunction holds, and by no
other.**
The source states one direction; the other holds as well.
Source: nvFuser logic 1 -/
theorem and_congr_iff {p q r : Prop} : (p → (q ↔ r)) ↔ (p ∧ q ↔ p ∧ r) :=
  ⟨fun h => ⟨fun ⟨a, b⟩ => ⟨a, (h a).1 b⟩, fun ⟨a, b⟩ => ⟨a, (h a).2 b⟩⟩,
    fun h a => ⟨fun b => (h.1 ⟨a, b⟩).2, fun b => (h.2 ⟨a, b⟩).2⟩⟩

/-! ## Bounds -/

theorem within_tighten {r : Range} {x : Nat} (hB : Within B env) (h : r.Contains (env x)) :
    Within (tighten r x B) env := by
  induction x generalizing B env with
  | zero =>
    cases B with
    | nil =>
      intro y
      cases y with
      | zero => simpa [tighten] using h
      | succ y => simpa [tighten] using Range.contains_all _
    | cons s B =>
      intro y
      have hy := hB y
      cases y with
      | zero => exact Range.Contains.meet (by simpa using hy) h
      | succ y => simpa [tighten] using hy
  | succ x ih =>
    cases B with
    | nil =>
      intro y
      cases y with
      | zero => exact Range.contains_all _
      | succ y => exact ih (B := []) (env := fun y => env (y + 1)) (fun y => Range.contains_all _) h y
    | cons s B =>
      intro y
      cases y with
      | zero => exact hB 0
      | succ y => exact ih (B := B) (env := fun y => env (y + 1)) (fun y => hB (y + 1)) h y

theorem within_assume {p : Pred} (hB : Within B env) (h : p.Holds k env) : Within (assume B p) env := by
  unfold assume
  split
  · exact within_tighten hB ⟨by simpa using h, by simp⟩
  · refine within_tighten hB ⟨?_, by simp⟩
    have : _ < _ := h
    simp only [Expr.eval] at this
    simp
    omega
  · exact within_tighten hB ⟨by simp, by simpa using h⟩
  · refine within_tighten hB ⟨by simp, ?_⟩
    have : _ < _ := h
    simp only [Expr.eval] at this
    simp
    omega
  · exact hB

theorem within_assumeAll {ps : List Pred} (hB : Within B env) (h : AllHold k env ps) :
    Within (assumeAll B ps) env := by
  induction ps generalizing B with
  | nil => exact hB
  | cons p ps ih =>
    exact ih (within_assume hB (h p (by simp))) fun q hq => h q (List.mem_cons_of_mem p hq)

/-! ## One comparison -/

theorem add_le_of_follows {n : Int} {a b : Expr} (hB : Within B env) (h : follows k B n a b = true) :
    a.eval k env + n ≤ b.eval k env := by
  have h := (Expr.contains_range (k := k) hB _).of_from? h
  rw [eval_simplify hB] at h
  simp only [Expr.eval] at h
  omega

theorem holds_divToMul (hB : Within B env) (p : Pred) : (divToMul k B p).Holds k env ↔ p.Holds k env := by
  unfold divToMul
  split
  · rename_i x d e
    split
    · rename_i h
      rw [Bool.and_eq_true] at h
      have hd := (Expr.contains_range (k := k) hB d).of_from? h.1
      simp only [Pred.Holds, eval_simplify hB, Expr.eval]
      have hx : k = .euclid ∨ 0 ≤ x.eval k env := by
        have h := h.2
        rw [Bool.or_eq_true] at h
        rcases h with h | h
        · exact Or.inl (by simpa using h)
        · exact Or.inr ((Expr.contains_range (k := k) hB x).of_from? h)
      cases k
      · exact (Division.ediv_lt_iff (by omega)).symm
      · rcases hx with hx | hx
        · cases hx
        · exact (Division.tdiv_lt_iff hx (by omega)).symm
    · rfl
  · rfl

/-- **A simplified comparison holds exactly where the original one does, and one that is left out always holds.**
Source: nvFuser 2.16, 4.16, `convertDivToMulInPredicate` -/
theorem holds_simplifyPred (hB : Within B env) (p : Pred) :
    p.Holds k env ↔ ∀ q, simplifyPred k B p = some q → q.Holds k env := by
  cases p with
  | le a b =>
    rw [simplifyPred]
    split
    · rename_i h
      have := add_le_of_follows hB h
      simp [Pred.Holds]
      omega
    · simp [Pred.Holds, eval_simplify hB]
  | lt a b =>
    rw [simplifyPred]
    split
    · rename_i h
      have := add_le_of_follows hB h
      simp [Pred.Holds]
      omega
    · simp only [Option.some.injEq, forall_eq', holds_divToMul hB]
      simp [Pred.Holds, eval_simplify hB]

/-! ## A conjunction -/

theorem allHold_append {ps qs : List Pred} : AllHold k env (ps ++ qs) ↔ AllHold k env ps ∧ AllHold k env qs := by
  simp [AllHold, or_imp, forall_and]

theorem allHold_cons {p : Pred} {ps : List Pred} : AllHold k env (p :: ps) ↔ p.Holds k env ∧ AllHold k env ps := by
  simp [AllHold]

theorem allHold_simplifyOnce (hB : Within B env) (done ps : List Pred) :
    AllHold k env (simplifyOnce k B done ps) ↔ AllHold k env (done ++ ps) := by
  induction ps generalizing done with
  | nil => simp [simplifyOnce]
  | cons p ps ih =>
    have key : AllHold k env (done ++ ps) → (p.Holds k env ↔
        ∀ q, simplifyPred k (assumeAll B (done ++ ps)) p = some q → q.Holds k env) := fun h =>
      holds_simplifyPred (within_assumeAll hB h) p
    have key := and_congr_iff.1 key
    have swap : AllHold k env (done ++ p :: ps) ↔ AllHold k env (done ++ ps) ∧ p.Holds k env := by
      rw [allHold_append, allHold_append, allHold_cons, and_assoc, and_comm (a := p.Holds k env)]
    rw [swap, key, simplifyOnce]
    split
    · rename_i q e
      rw [ih, e, List.append_assoc, List.singleton_append, allHold_append, allHold_append, allHold_cons]
      simp only [Option.some.injEq, forall_eq', and_assoc, and_comm (a := q.Holds k env)]
    · rename_i e
      rw [ih, e]
      simp

/-- **A simplified conjunction of comparisons holds for exactly the values of the variables for which the original one
does.**
Source: nvFuser logic 1 -/
theorem allHold_simplifyAll (hB : Within B env) (ps : List Pred) :
    AllHold k env (simplifyAll k B ps) ↔ AllHold k env ps := by
  have key (rounds : Nat) : AllHold k env (simplifyRounds k B rounds ps) ↔ AllHold k env ps := by
    induction rounds generalizing ps with
    | zero => rfl
    | succ rounds ih => rw [simplifyRounds, ih, allHold_simplifyOnce hB, List.nil_append]
  exact key _

/-! ## All at once -/

/-- **Simplifying all comparisons at once is wrong: of two equal ones each follows from the other, and none is
left.**
Source: nvFuser logic 1 (read for all terms at once) -/
theorem simplifyAtOnce_unsound : ∃ ps : List Pred, AllHold .euclid (fun _ => 5) (simplifyAtOnce .euclid [] [] ps) ∧
    ¬AllHold .euclid (fun _ => 5) ps := by
  refine ⟨[.lt (.var 0) (.const 3), .lt (.var 0) (.const 3)], ?_, ?_⟩
  · have : simplifyAtOnce .euclid [] [] [.lt (.var 0) (.const 3), .lt (.var 0) (.const 3)] = [] := by decide +kernel
    rw [this]
    simp [AllHold]
  · simp [AllHold, Pred.Holds, Expr.eval]

end Razorgirl.Index
