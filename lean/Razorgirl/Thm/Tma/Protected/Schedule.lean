module

public import Razorgirl.Spec.Tma.Protected

@[expose] public section

/-!
# Well-formed schedules

What follows from well-formedness: every domain has one origin, an argument may go backwards from the leaves, the
indices of the leaves determine all others, and the protected domains can be computed.
-/

namespace Razorgirl

namespace Tma

namespace Schedule

theorem inBoundary_iff {index : Indices} {a : IterDom} :
    inBoundary index a = true ↔ 0 ≤ index a ∧ index a < a.extent := by
  simp [inBoundary]

/-! ## What well-formed means -/

theorem distinct_iff {as : List IterDom} : distinct as = true ↔ as.Nodup := by
  induction as with
  | nil => simp [distinct]
  | cons a as ih => simp [distinct, ih, List.nodup_cons]

variable {S : Schedule}

theorem nodup_inputs (hS : S.wellFormed = true) : (S.steps.flatMap Step.inputs).Nodup := by
  simp only [wellFormed, Bool.and_eq_true, distinct_iff] at hS
  exact hS.1.1.1

theorem nodup_made (hS : S.wellFormed = true) : (S.partitioned ++ S.steps.flatMap Step.outputs).Nodup := by
  simp only [wellFormed, Bool.and_eq_true, distinct_iff] at hS
  exact hS.1.1.2

theorem ordered_of (hS : S.wellFormed = true) : ordered S.steps = true := by
  simp only [wellFormed, Bool.and_eq_true] at hS
  exact hS.1.2

theorem fits_of (hS : S.wellFormed = true) {s : Step} (hs : s ∈ S.steps) : s.fits = true := by
  simp only [wellFormed, Bool.and_eq_true] at hS
  exact List.all_eq_true.1 hS.2 s hs

theorem nodup_of_flatMap {f : Step → List IterDom} {l : List Step} (h : (l.flatMap f).Nodup) {s : Step}
    (hs : s ∈ l) : (f s).Nodup := by
  induction l with
  | nil => simp at hs
  | cons t l ih =>
    rw [List.flatMap_cons, List.nodup_append] at h
    rcases List.mem_cons.1 hs with rfl | hs
    · exact h.1
    · exact ih h.2.1 hs

theorem eq_of_flatMap {f : Step → List IterDom} {l : List Step} (h : (l.flatMap f).Nodup) {s t : Step} {a : IterDom}
    (hs : s ∈ l) (ht : t ∈ l) (has : a ∈ f s) (hat : a ∈ f t) : s = t := by
  induction l with
  | nil => simp at hs
  | cons u l ih =>
    rw [List.flatMap_cons, List.nodup_append] at h
    rcases List.mem_cons.1 hs with rfl | hs'
    · rcases List.mem_cons.1 ht with rfl | ht'
      · rfl
      · exact absurd rfl (h.2.2 a has a (List.mem_flatMap.2 ⟨t, ht', hat⟩))
    · rcases List.mem_cons.1 ht with rfl | ht'
      · exact absurd rfl (h.2.2 a hat a (List.mem_flatMap.2 ⟨s, hs', has⟩))
      · exact ih h.2.1 hs' ht'

/-- A domain comes out of one step only. -/
theorem eq_of_output (hS : S.wellFormed = true) {s t : Step} {a : IterDom} (hs : s ∈ S.steps) (ht : t ∈ S.steps)
    (has : a ∈ s.outputs) (hat : a ∈ t.outputs) : s = t :=
  eq_of_flatMap (List.nodup_append.1 (nodup_made hS)).2.1 hs ht has hat

theorem nodup_outputs (hS : S.wellFormed = true) {s : Step} (hs : s ∈ S.steps) : s.outputs.Nodup :=
  nodup_of_flatMap (List.nodup_append.1 (nodup_made hS)).2.1 hs

theorem not_output_of_partitioned (hS : S.wellFormed = true) {s : Step} {a : IterDom} (ha : a ∈ S.partitioned)
    (hs : s ∈ S.steps) : a ∉ s.outputs := fun h =>
  (List.nodup_append.1 (nodup_made hS)).2.2 a ha a (List.mem_flatMap.2 ⟨s, hs, h⟩) rfl

theorem mem_doms_of_input {s : Step} {a : IterDom} (hs : s ∈ S.steps) (ha : a ∈ s.inputs) : a ∈ S.doms :=
  List.mem_append_left _ (List.mem_append_right _ (List.mem_flatMap.2 ⟨s, hs, ha⟩))

theorem mem_doms_of_output {s : Step} {a : IterDom} (hs : s ∈ S.steps) (ha : a ∈ s.outputs) : a ∈ S.doms :=
  List.mem_append_right _ (List.mem_flatMap.2 ⟨s, hs, ha⟩)

theorem mem_doms_of_partitioned {a : IterDom} (ha : a ∈ S.partitioned) : a ∈ S.doms :=
  List.mem_append_left _ (List.mem_append_left _ ha)

theorem mem_leaves_iff {a : IterDom} : a ∈ S.leaves ↔ a ∈ S.doms ∧ a ∉ S.steps.flatMap Step.inputs := by
  simp [leaves]

/-! ## Order -/

theorem ordered_cons {s : Step} {rest : List Step} : ordered (s :: rest) = true ↔
    (∀ a ∈ s.inputs, a ∉ (s :: rest).flatMap Step.outputs) ∧ ordered rest = true := by
  rw [ordered, Bool.and_eq_true, List.all_eq_true]
  refine and_congr_left fun _ => forall_congr' fun a => imp_congr_right fun _ => ?_
  rw [Bool.not_eq_true', ← Bool.not_eq_true, List.contains_iff_mem]

/-- What a step makes is not used before. -/
theorem not_used_before {pre : List Step} {s : Step} {rest : List Step} (h : ordered (pre ++ s :: rest) = true)
    {a : IterDom} (ha : a ∈ s.outputs) : a ∉ (pre ++ [s]).flatMap Step.inputs := by
  induction pre with
  | nil =>
    intro hin
    simp only [List.nil_append, List.flatMap_cons, List.flatMap_nil, List.append_nil] at hin
    exact (ordered_cons.1 h).1 a hin (List.mem_flatMap.2 ⟨s, List.mem_cons_self, ha⟩)
  | cons t pre ih =>
    rw [List.cons_append, ordered_cons] at h
    intro hin
    rw [List.cons_append, List.flatMap_cons, List.mem_append] at hin
    rcases hin with hin | hin
    · refine h.1 a hin (List.mem_flatMap.2 ⟨s, ?_, ha⟩)
      exact List.mem_cons_of_mem _ (List.mem_append_right _ List.mem_cons_self)
    · exact ih h.2 hin

/-- What holds of the leaves, and of the inputs of a step if it holds of its outputs, holds of every domain. -/
theorem backward {P : IterDom → Prop} (hS : S.wellFormed = true) (hleaf : ∀ a ∈ S.leaves, P a)
    (hstep : ∀ s ∈ S.steps, (∀ a ∈ s.outputs, P a) → ∀ a ∈ s.inputs, P a) : ∀ a ∈ S.doms, P a := by
  have key : ∀ rest pre, S.steps = pre ++ rest → ∀ a ∈ S.doms, a ∉ pre.flatMap Step.inputs → P a := by
    intro rest
    induction rest with
    | nil =>
      intro pre hpre a ha hnot
      rw [List.append_nil] at hpre
      exact hleaf a (mem_leaves_iff.2 ⟨ha, by rwa [hpre]⟩)
    | cons s rest ih =>
      intro pre hpre a ha hnot
      have hs : s ∈ S.steps := by rw [hpre]; exact List.mem_append_right _ List.mem_cons_self
      have hpre' : S.steps = (pre ++ [s]) ++ rest := by rw [hpre, List.append_assoc]; rfl
      by_cases hin : a ∈ s.inputs
      · refine hstep s hs (fun b hb => ?_) a hin
        exact ih _ hpre' b (mem_doms_of_output hs hb) (not_used_before (hpre ▸ ordered_of hS) hb)
      · refine ih _ hpre' a ha ?_
        rw [List.flatMap_append, List.mem_append]
        rintro (h | h)
        · exact hnot h
        · simp only [List.flatMap_cons, List.flatMap_nil, List.append_nil] at h
          exact hin h
  intro a ha
  exact key S.steps [] rfl a ha (by simp)

/-! ## Indices from the leaves -/

theorem set_self (index : Indices) (a : IterDom) (v : Int) : Step.set index a v a = v := if_pos rfl

theorem set_other {index : Indices} {a b : IterDom} {v : Int} (h : b ≠ a) : Step.set index a v b = index b :=
  if_neg h

theorem back_other {s : Step} {index : Indices} {b : IterDom} (h : b ∉ s.inputs) : s.back index b = index b := by
  cases s <;> simp only [Step.inputs, List.mem_cons, List.not_mem_nil, or_false, not_or] at h <;>
    simp [Step.back, Step.set, h]

theorem back_relates {s : Step} {index : Indices} (hnodup : s.inputs.Nodup) (hdisj : ∀ a ∈ s.inputs, a ∉ s.outputs) :
    s.Relates (s.back index) := by
  cases s with
  | split i o n =>
    simp only [Step.inputs, Step.outputs, List.mem_cons, List.not_mem_nil, or_false, not_or, forall_eq] at hdisj
    simp [Step.Relates, Step.back, Step.set, Ne.symm hdisj.1, Ne.symm hdisj.2]
  | merge o n m =>
    simp only [Step.inputs, Step.outputs, List.mem_cons, List.not_mem_nil, or_false, forall_eq_or_imp,
      forall_eq] at hdisj
    simp only [Step.inputs, List.nodup_cons, List.mem_cons, List.not_mem_nil, or_false] at hnodup
    simp [Step.Relates, Step.back, Step.set, Ne.symm hdisj.1, Ne.symm hdisj.2, hnodup.1]
  | resize i m l r =>
    simp only [Step.inputs, Step.outputs, List.mem_cons, List.not_mem_nil, or_false, forall_eq] at hdisj
    simp [Step.Relates, Step.back, Step.set, Ne.symm hdisj]
  | swizzle x y x' y' =>
    simp only [Step.inputs, Step.outputs, List.mem_cons, List.not_mem_nil, or_false, not_or, forall_eq_or_imp,
      forall_eq] at hdisj
    simp only [Step.inputs, List.nodup_cons, List.mem_cons, List.not_mem_nil, or_false] at hnodup
    simp [Step.Relates, Step.back, Step.set, Ne.symm hdisj.1.1, Ne.symm hdisj.1.2, Ne.symm hdisj.2.1,
      Ne.symm hdisj.2.2, hnodup.1]

theorem relates_congr {s : Step} {index index' : Indices} (hin : ∀ a ∈ s.inputs, index a = index' a)
    (hout : ∀ a ∈ s.outputs, index a = index' a) : s.Relates index ↔ s.Relates index' := by
  cases s <;> simp_all [Step.inputs, Step.outputs, Step.Relates]

theorem foldr_back_other {steps : List Step} {leaf : Indices} {a : IterDom} (h : a ∉ steps.flatMap Step.inputs) :
    steps.foldr Step.back leaf a = leaf a := by
  induction steps with
  | nil => rfl
  | cons s rest ih =>
    rw [List.flatMap_cons, List.mem_append, not_or] at h
    rw [List.foldr_cons, back_other h.1, ih h.2]

/-- **The steps, taken backwards from any indices of the leaves, give indices that belong together.**
Source: nvFuser IterDomain, backward index maps -/
theorem indices_consistent (hS : S.wellFormed = true) (leaf : Indices) : S.Consistent (S.indices leaf) := by
  have key : ∀ steps : List Step, (steps.flatMap Step.inputs).Nodup → ordered steps = true →
      ∀ s ∈ steps, s.Relates (steps.foldr Step.back leaf) := by
    intro steps
    induction steps with
    | nil => simp
    | cons t rest ih =>
      intro hnodup hord s hs
      rw [List.flatMap_cons, List.nodup_append] at hnodup
      rw [ordered_cons] at hord
      rw [List.foldr_cons]
      rcases List.mem_cons.1 hs with rfl | hs
      · refine back_relates hnodup.1 fun a ha => ?_
        have := hord.1 a ha
        rw [List.flatMap_cons, List.mem_append, not_or] at this
        exact this.1
      · refine (relates_congr (fun a ha => ?_) (fun a ha => ?_)).2 (ih hnodup.2.1 hord.2 s hs)
        · exact back_other fun h => hnodup.2.2 a h a (List.mem_flatMap.2 ⟨s, hs, ha⟩) rfl
        · exact back_other fun h => hord.1 a h (List.mem_flatMap.2 ⟨s, List.mem_cons_of_mem _ hs, ha⟩)
  exact key S.steps (nodup_inputs hS) (ordered_of hS)

theorem indices_leaf {leaf : Indices} {a : IterDom} (ha : a ∈ S.leaves) : S.indices leaf a = leaf a :=
  foldr_back_other (mem_leaves_iff.1 ha).2

/-- **They are the only ones: the indices of the leaves determine the index of every domain.**
Source: nvFuser IterDomain, backward index maps -/
theorem indices_unique (hS : S.wellFormed = true) {index leaf : Indices} (hcons : S.Consistent index)
    (hleaf : ∀ a ∈ S.leaves, index a = leaf a) : ∀ a ∈ S.doms, index a = S.indices leaf a := by
  refine backward hS (fun a ha => by rw [hleaf a ha, indices_leaf ha]) fun s hs hout a ha => ?_
  have h₁ := hcons s hs
  have h₂ := indices_consistent hS leaf s hs
  cases s <;>
    simp only [Step.outputs, List.mem_cons, List.not_mem_nil, or_false, forall_eq_or_imp, forall_eq] at hout <;>
    simp only [Step.Relates] at h₁ h₂ <;>
    simp only [Step.inputs, List.mem_cons, List.not_mem_nil, or_false] at ha
  · rw [ha, h₁, h₂, hout.1, hout.2]
  · rcases ha with rfl | rfl
    · rw [h₁.1, h₂.1, hout]
    · rw [h₁.2, h₂.2, hout]
  · rw [ha, h₁, h₂, hout]
  · rcases ha with rfl | rfl
    · rw [h₁.1, h₂.1, hout.1]
    · rw [h₁.2, h₂.2, hout.1, hout.2]

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

end Schedule

end Tma

end Razorgirl
