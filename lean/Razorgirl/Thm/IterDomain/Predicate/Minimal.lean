module

public import Razorgirl.Spec.IterDomain.Predicate.Minimal
public import Razorgirl.Thm.IterDomain.Predicate

@[expose] public section

/-!
# Predicates none of which can be left out: what is proved

The pruned tests find every hole, and without any one of them some hole is missed.
-/

namespace Razorgirl.IterDomain

theorem mem_without {x y : Nat} {P : List Nat} : y ∈ without x P ↔ y ∈ P ∧ y ≠ x := by simp [without]

/-- What is kept suffices, and no entry of it can be left out, if what suffices goes on to suffice with more. -/
theorem prune_spec {enough : List Nat → Bool}
    (hmono : ∀ P Q, (∀ x ∈ P, x ∈ Q) → enough P = true → enough Q = true) :
    (xs kept : List Nat) → enough (kept ++ xs) = true → (∀ x ∈ kept, enough (without x (kept ++ xs)) = false) →
    enough (prune enough kept xs) = true ∧ (∀ x ∈ prune enough kept xs, x ∈ kept ++ xs) ∧
      ∀ x ∈ prune enough kept xs, enough (without x (prune enough kept xs)) = false
  | [], kept, h, hk => by
    rw [List.append_nil] at h hk ⊢
    exact ⟨h, fun _ hx => hx, hk⟩
  | x :: xs, kept, h, hk => by
    rw [prune]
    have down : ∀ P Q, (∀ x ∈ P, x ∈ Q) → enough Q = false → enough P = false := fun P Q hsub hq => by
      rw [← Bool.not_eq_true] at hq ⊢
      exact fun hp => hq (hmono P Q hsub hp)
    split
    · rename_i he
      obtain ⟨h1, h2, h3⟩ := prune_spec hmono xs kept he fun y hy =>
        down _ _ (fun z hz => by
          rw [mem_without] at hz ⊢
          refine ⟨?_, hz.2⟩
          rcases List.mem_append.1 hz.1 with h | h <;> simp [h]) (hk y hy)
      refine ⟨h1, fun y hy => ?_, h3⟩
      rcases List.mem_append.1 (h2 y hy) with h | h <;> simp [h]
    · rename_i he
      have e : kept ++ [x] ++ xs = kept ++ x :: xs := by simp
      obtain ⟨h1, h2, h3⟩ := prune_spec hmono xs (kept ++ [x]) (by rw [e]; exact h) fun y hy => by
        rw [e]
        rcases List.mem_append.1 hy with hy | hy
        · exact hk y hy
        · obtain rfl := List.mem_singleton.1 hy
          refine down _ (kept ++ xs) (fun z hz => ?_) (by simpa using he)
          rw [mem_without] at hz
          rcases List.mem_append.1 hz.1 with h | h
          · simp [h]
          · rcases List.mem_cons.1 h with h | h
            · exact absurd h hz.2
            · simp [h]
      exact ⟨h1, fun y hy => by rw [← e]; exact h2 y hy, h3⟩

namespace Schedule

theorem passes_iff (s : Schedule) (P : List Nat) (j : List Int) :
    s.passes P j = true ↔ ∀ d ∈ s.domains j, d.number ∈ P → d.inRange = true := by
  simp only [passes, List.all_eq_true, Bool.or_eq_true, Bool.not_eq_true', List.contains_eq_mem,
    decide_eq_false_iff_not]
  refine forall_congr' fun d => forall_congr' fun _ => ?_
  by_cases h : d.number ∈ P <;> simp [h]

/-- **Testing the domains of a list finds every hole exactly if each loop point of which they are in range is none.**
Source: nvFuser divisibility of split, 4.4 -/
theorem finds_iff {s : Schedule} (hv : s.valid = true) (P : List Nat) : s.finds P = true ↔
    ∀ j, InBox s.loops j → (∀ d ∈ s.domains j, d.number ∈ P → d.inRange = true) → s.isHole j = false := by
  have hp : positive s.loops = true := positive_chain hv
  simp only [finds, List.all_eq_true, List.mem_range, Bool.or_eq_true, Bool.not_eq_true']
  constructor
  · intro h j hj hd
    obtain ⟨h0, h1⟩ := rowMajor_range hj
    have := h (rowMajor s.loops j).toNat (by omega)
    rw [Int.toNat_of_nonneg h0, pointAt_rowMajor hj] at this
    rcases this with h | h
    · rw [(passes_iff s P j).2 hd] at h
      cases h
    · exact h
  · intro h x hx
    have hj := pointAt_inBox hp (Int.natCast_nonneg x) (by omega)
    by_cases hd : s.passes P (pointAt s.loops x) = true
    · exact .inr (h _ hj ((passes_iff s P _).1 hd))
    · exact .inl (by simpa using hd)

theorem finds_mono {s : Schedule} (hv : s.valid = true) {P Q : List Nat} (hsub : ∀ x ∈ P, x ∈ Q)
    (h : s.finds P = true) : s.finds Q = true := by
  rw [finds_iff hv] at h ⊢
  exact fun j hj hd => h j hj fun d hdm hn => hd d hdm (hsub _ hn)

theorem essential_spec {s : Schedule} (hv : s.valid = true) : s.finds s.essential = true ∧
    (∀ x ∈ s.essential, x ∈ s.predicates) ∧ ∀ x ∈ s.essential, s.finds (without x s.essential) = false := by
  have := prune_spec (enough := s.finds) (fun P Q hsub h => finds_mono hv hsub h) s.predicates []
    ((finds_iff hv _).2 fun j hj hd => (predicates_iff hv hj).1 hd) (by simp)
  simpa using this

/-- **The pruned tests pass exactly at the loop points that are no holes; they are among the rule's.**
Source: nvFuser `non_divisible_split` (repaired: `nvfuserPredicates_resize`) -/
theorem essential_iff {s : Schedule} (hv : s.valid = true) {j : List Int} (hj : InBox s.loops j) :
    ((∀ d ∈ s.domains j, d.number ∈ s.essential → d.inRange = true) ↔ s.isHole j = false) ∧
      ∀ x ∈ s.essential, x ∈ s.predicates := by
  obtain ⟨h1, h2, _⟩ := essential_spec hv
  refine ⟨⟨(finds_iff hv _).1 h1 j hj, fun h d hd _ => ?_⟩, h2⟩
  have : ∀ d ∈ s.domains j, d.inRange = true := by simpa [isHole] using h
  exact this d hd

/-- **None of the pruned tests can be left out: without any one of them, some hole passes all the others.**
Source: nvFuser `non_divisible_split`, whose set may have tests that follow from others -/
theorem essential_irredundant {s : Schedule} (hv : s.valid = true) {x : Nat} (hx : x ∈ s.essential) :
    ∃ j, InBox s.loops j ∧ s.isHole j = true ∧
      ∀ d ∈ s.domains j, d.number ∈ s.essential → d.number ≠ x → d.inRange = true := by
  have h := (essential_spec hv).2.2 x hx
  rw [← Bool.not_eq_true, finds_iff hv] at h
  refine Classical.byContradiction fun hn => h fun j hj hd => ?_
  rw [← Bool.not_eq_true]
  exact fun hh => hn ⟨j, hj, hh, fun d hdm he hne => hd d hdm (mem_without.2 ⟨he, hne⟩)⟩

end Schedule

end Razorgirl.IterDomain
