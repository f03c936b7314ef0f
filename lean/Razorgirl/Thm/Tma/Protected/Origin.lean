module

public import Razorgirl.Spec.Tma.Protected
public import Razorgirl.Thm.Tma.DomainGraph

@[expose] public section

/-!
# Where protection comes from

In a well-formed schedule a domain has one origin, so that each rule of Definition 1 can be read backwards; and the
protected domains can be computed in one pass.
-/

namespace Razorgirl

namespace Tma

namespace DomainGraph

variable {S : DomainGraph}

/-! ## Origins of protection -/

theorem protected_of_split (hS : S.wellFormed = true) {i o n : IterDom} (hs : Step.split i o n ∈ S.steps) :
    (Protected S o → Protected S i) ∧ ¬ Protected S n := by
  have hne : o ≠ n := by
    have := nodup_outputs hS hs
    simp only [Step.outputs, List.nodup_cons, List.mem_cons, List.not_mem_nil, or_false] at this
    exact this.1
  have ho : o ∈ (Step.split i o n).outputs := by simp [Step.outputs]
  have hn : n ∈ (Step.split i o n).outputs := by simp [Step.outputs]
  constructor
  · intro h
    cases h with
    | partitioned h => exact absurd ho (not_output_of_partitioned hS h hs)
    | split h hi =>
      have := eq_of_output hS hs h ho (by simp [Step.outputs])
      injection this with h₁
      exact h₁ ▸ hi
    | merge h => exact absurd (eq_of_output hS hs h ho (by simp [Step.outputs])) (by simp)
    | resize h => exact absurd (eq_of_output hS hs h ho (by simp [Step.outputs])) (by simp)
    | swizzle h => exact absurd (eq_of_output hS hs h ho (by simp [Step.outputs])) (by simp)
  · intro h
    cases h with
    | partitioned h => exact absurd hn (not_output_of_partitioned hS h hs)
    | split h =>
      have := eq_of_output hS hs h hn (by simp [Step.outputs])
      injection this with _ h₂
      exact hne h₂
    | merge h => exact absurd (eq_of_output hS hs h hn (by simp [Step.outputs])) (by simp)
    | resize h => exact absurd (eq_of_output hS hs h hn (by simp [Step.outputs])) (by simp)
    | swizzle h => exact absurd (eq_of_output hS hs h hn (by simp [Step.outputs])) (by simp)

theorem protected_of_merge (hS : S.wellFormed = true) {o n m : IterDom} (hs : Step.merge o n m ∈ S.steps)
    (h : Protected S m) : Protected S o := by
  have hm : m ∈ (Step.merge o n m).outputs := by simp [Step.outputs]
  cases h with
  | partitioned h => exact absurd hm (not_output_of_partitioned hS h hs)
  | split h => exact absurd (eq_of_output hS hs h hm (by simp [Step.outputs])) (by simp)
  | merge h ho =>
    have := eq_of_output hS hs h hm (by simp [Step.outputs])
    injection this with h₁
    exact h₁ ▸ ho
  | resize h => exact absurd (eq_of_output hS hs h hm (by simp [Step.outputs])) (by simp)
  | swizzle h => exact absurd (eq_of_output hS hs h hm (by simp [Step.outputs])) (by simp)

theorem protected_of_resize (hS : S.wellFormed = true) {i m : IterDom} {l r : Int}
    (hs : Step.resize i m l r ∈ S.steps) (h : Protected S m) : Protected S i := by
  have hm : m ∈ (Step.resize i m l r).outputs := by simp [Step.outputs]
  cases h with
  | partitioned h => exact absurd hm (not_output_of_partitioned hS h hs)
  | split h => exact absurd (eq_of_output hS hs h hm (by simp [Step.outputs])) (by simp)
  | merge h => exact absurd (eq_of_output hS hs h hm (by simp [Step.outputs])) (by simp)
  | resize h hl hr hi =>
    have := eq_of_output hS hs h hm (by simp [Step.outputs])
    injection this with h₁
    exact h₁ ▸ hi
  | swizzle h => exact absurd (eq_of_output hS hs h hm (by simp [Step.outputs])) (by simp)

theorem protected_of_swizzle (hS : S.wellFormed = true) {x y x' y' : IterDom}
    (hs : Step.swizzle x y x' y' ∈ S.steps) : (Protected S x' → Protected S x) ∧ ¬ Protected S y' := by
  have hne : x' ≠ y' := by
    have := nodup_outputs hS hs
    simp only [Step.outputs, List.nodup_cons, List.mem_cons, List.not_mem_nil, or_false] at this
    exact this.1
  have hx : x' ∈ (Step.swizzle x y x' y').outputs := by simp [Step.outputs]
  have hy : y' ∈ (Step.swizzle x y x' y').outputs := by simp [Step.outputs]
  constructor
  · intro h
    cases h with
    | partitioned h => exact absurd hx (not_output_of_partitioned hS h hs)
    | split h => exact absurd (eq_of_output hS hs h hx (by simp [Step.outputs])) (by simp)
    | merge h => exact absurd (eq_of_output hS hs h hx (by simp [Step.outputs])) (by simp)
    | resize h => exact absurd (eq_of_output hS hs h hx (by simp [Step.outputs])) (by simp)
    | swizzle h hp =>
      have := eq_of_output hS hs h hx (by simp [Step.outputs])
      injection this with h₁
      exact h₁ ▸ hp
  · intro h
    cases h with
    | partitioned h => exact absurd hy (not_output_of_partitioned hS h hs)
    | split h => exact absurd (eq_of_output hS hs h hy (by simp [Step.outputs])) (by simp)
    | merge h => exact absurd (eq_of_output hS hs h hy (by simp [Step.outputs])) (by simp)
    | resize h => exact absurd (eq_of_output hS hs h hy (by simp [Step.outputs])) (by simp)
    | swizzle h =>
      have := eq_of_output hS hs h hy (by simp [Step.outputs])
      injection this with _ _ h₃
      exact hne h₃

/-! ## Protection computed -/

theorem protects_subset_outputs {known : List IterDom} {s : Step} {a : IterDom} (h : a ∈ protects known s) :
    a ∈ s.outputs := by
  cases s <;> simp only [protects] at h <;> split at h <;> simp_all [Step.outputs]

theorem mem_protectedFrom_of_known {known : List IterDom} {rest : List Step} {a : IterDom} (h : a ∈ known) :
    a ∈ protectedFrom known rest := by
  induction rest generalizing known with
  | nil => exact h
  | cons s rest ih => exact ih (List.mem_append_right _ h)

theorem known_or_output {known : List IterDom} {rest : List Step} {a : IterDom} (h : a ∈ protectedFrom known rest) :
    a ∈ known ∨ a ∈ rest.flatMap Step.outputs := by
  induction rest generalizing known with
  | nil => exact Or.inl h
  | cons s rest ih =>
    rw [List.flatMap_cons, List.mem_append]
    rcases ih h with h | h
    · rcases List.mem_append.1 h with h | h
      · exact Or.inr (Or.inl (protects_subset_outputs h))
      · exact Or.inl h
    · exact Or.inr (Or.inr h)

theorem protectedFrom_append (known : List IterDom) (pre rest : List Step) :
    protectedFrom known (pre ++ rest) = protectedFrom (protectedFrom known pre) rest := by
  induction pre generalizing known with
  | nil => rfl
  | cons s pre ih => exact ih _

theorem protected_of_mem {known : List IterDom} {rest : List Step} (hrest : ∀ s ∈ rest, s ∈ S.steps)
    (hknown : ∀ a ∈ known, Protected S a) {a : IterDom} (h : a ∈ protectedFrom known rest) : Protected S a := by
  induction rest generalizing known with
  | nil => exact hknown a h
  | cons s rest ih =>
    refine ih (fun t ht => hrest t (List.mem_cons_of_mem _ ht)) (fun b hb => ?_) h
    rcases List.mem_append.1 hb with hb | hb
    · have hs := hrest s List.mem_cons_self
      cases s <;> simp only [protects] at hb <;> split at hb <;>
        simp only [List.mem_cons, List.not_mem_nil, or_false] at hb <;> rename_i hc <;> subst hb
      · exact .split hs (hknown _ (List.contains_iff_mem.1 hc))
      · exact .merge hs (hknown _ (List.contains_iff_mem.1 hc))
      · exact .resize hs hc.2.1 hc.2.2 (hknown _ (List.contains_iff_mem.1 hc.1))
      · exact .swizzle hs (hknown _ (List.contains_iff_mem.1 hc))
    · exact hknown b hb

/-- What a step protects is found when the step's turn comes. -/
theorem mem_of_protects (hS : S.wellFormed = true) {s : Step} (hs : s ∈ S.steps) {i a : IterDom}
    (hi : i ∈ s.inputs) (hknown : i ∈ S.protectedDoms)
    (h : ∀ known : List IterDom, i ∈ known → a ∈ protects known s) : a ∈ S.protectedDoms := by
  obtain ⟨pre, rest, hsplit⟩ := List.append_of_mem hs
  have hord := ordered_of hS
  rw [protectedDoms, hsplit, protectedFrom_append] at hknown ⊢
  rw [hsplit] at hord
  have hlate : i ∉ (s :: rest).flatMap Step.outputs := by
    clear hknown hsplit
    induction pre with
    | nil => exact (ordered_cons.1 hord).1 i hi
    | cons t pre ih => exact ih (ordered_cons.1 hord).2
  have hpre : i ∈ protectedFrom S.partitioned pre := (known_or_output hknown).resolve_right hlate
  rw [protectedFrom]
  exact mem_protectedFrom_of_known (List.mem_append_left _ (h _ hpre))

/-- **The computed list holds exactly the TMA-protected domains.**
Source: nvFuser TMA Definition 1 -/
theorem mem_protectedDoms_iff (hS : S.wellFormed = true) {a : IterDom} : a ∈ S.protectedDoms ↔ Protected S a := by
  constructor
  · exact fun h => protected_of_mem (fun _ hs => hs) (fun _ hb => .partitioned hb) h
  · intro h
    induction h with
    | partitioned h => exact mem_protectedFrom_of_known h
    | split h _ ih =>
      refine mem_of_protects hS h (i := _) (by simp [Step.inputs]) ih fun known hk => ?_
      simp [protects, hk]
    | merge h _ ih =>
      refine mem_of_protects hS h (i := _) (by simp [Step.inputs]) ih fun known hk => ?_
      simp [protects, hk]
    | resize h hl hr _ ih =>
      refine mem_of_protects hS h (i := _) (by simp [Step.inputs]) ih fun known hk => ?_
      simp [protects, hk, hl, hr]
    | swizzle h _ ih =>
      refine mem_of_protects hS h (i := _) (by simp [Step.inputs]) ih fun known hk => ?_
      simp [protects, hk]

end DomainGraph

end Tma

end Razorgirl
