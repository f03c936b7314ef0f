module

public import Razorgirl.Spec.Tma.DomainGraph

@[expose] public section

/-!
# How the domains of a TMA load hang together: what is proved

The indices of the leaves determine those of all domains, and an argument may go backwards from the leaves. Theorem 1 of
the source, of loads.
-/

namespace Razorgirl

namespace Tma

namespace DomainGraph

theorem inBoundary_iff {index : Indices} {a : IterDom} :
    inBoundary index a = true ↔ 0 ≤ index a ∧ index a < a.extent := by
  simp [inBoundary]

/-! ## What well-formed means -/

theorem distinct_iff {as : List IterDom} : distinct as = true ↔ as.Nodup := by
  induction as with
  | nil => simp [distinct]
  | cons a as ih => simp [distinct, ih, List.nodup_cons]

variable {S : DomainGraph}

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

/-! ## Items of an allocation -/

theorem items_inBoundary {alloc : List IterDom} {leaf : Indices} (h : leaf ∈ items alloc) :
    ∀ a ∈ alloc, inBoundary leaf a = true := by
  induction alloc generalizing leaf with
  | nil => simp
  | cons b alloc ih =>
    simp only [items, List.mem_flatMap, List.mem_range, List.mem_map] at h
    obtain ⟨v, hv, index, hindex, rfl⟩ := h
    intro a ha
    rw [inBoundary_iff]
    by_cases hab : a = b
    · subst hab
      rw [set_self]
      omega
    · rw [set_other hab]
      exact inBoundary_iff.1 (ih hindex a ((List.mem_cons.1 ha).resolve_left hab))

/-! ## The instruction -/

theorem within_eq_builtin : {D : Descriptor} → {ps : List IterDom} → {index : Indices} →
    sizes D = ps.map IterDom.extent → within D (ps.map index) = ps.all (inBoundary index)
  | [], [], _, _ => rfl
  | [], _ :: _, _, h => by simp [sizes] at h
  | _ :: _, [], _, h => by simp [sizes] at h
  | d :: D, p :: ps, index, h => by
    simp only [sizes, List.map_cons, List.cons.injEq] at h
    rw [List.map_cons, within, List.all_cons, within_eq_builtin (D := D) h.2, inBoundary, h.1]

/-- **What the model says of an item is what the instruction puts there, where the descriptor has the sizes of the
partitioned domains, and start and tile index make up their indices.**
Source: nvFuser TMA modelling, code block 1 -/
theorem loadItem_eq_held {D : Descriptor} (hsizes : sizes D = S.partitioned.map IterDom.extent) {x : List Int}
    {k : List Nat} {index : Indices} (hpos : position D x k = S.partitioned.map index) (mem : Memory) :
    loadItem D mem x k = S.held (fun g => mem (address D g)) index := by
  rw [loadItem, held, hpos, within_eq_builtin hsizes, builtin]

/-! ## Theorem 1 -/

/-- **A valid item passes the hardware's test, because the partitioned domains are among those that are in range; so a
load that is not predicated leaves its element there.** This is what `held` says, not a property of any schedule.
Source: nvFuser TMA Theorem 1 (repaired: `store_counterexample`, of loads that are not predicated) -/
theorem weaklyCorrect (S : DomainGraph) : S.WeaklyCorrect := by
  intro tensor index _ hv
  rw [held, if_pos]
  rw [isValid, List.all_eq_true] at hv
  rw [builtin, List.all_eq_true]
  exact fun a ha => hv a (mem_doms_of_partitioned ha)

end DomainGraph

end Tma

end Razorgirl
