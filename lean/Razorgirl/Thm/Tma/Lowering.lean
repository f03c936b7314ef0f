module

public import Razorgirl.Spec.Tma.Lowering
public import Razorgirl.Thm.Tma.Fttc.Dimension
public import Razorgirl.Thm.Tma.Protected

@[expose] public section

/-!
# Lowering at level 2, of any schedule: what is proved

Testing what is not protected makes every schedule strongly correct; and where no tested domain depends on the tile, the
test is one for each instruction. The schedule of the fundamental theorem is one of them.
-/

namespace Razorgirl

namespace Tma

namespace DomainGraph

variable {S : DomainGraph}

theorem mem_once {a : IterDom} : {l : List IterDom} → (a ∈ once l ↔ a ∈ l)
  | [] => by simp [once]
  | b :: l => by
    rw [once]
    split
    · rename_i h
      rw [mem_once, List.mem_cons]
      refine ⟨.inr, fun h' => h'.elim (fun e => ?_) id⟩
      rw [e]
      simpa using h
    · rw [List.mem_cons, List.mem_cons, mem_once]

theorem mem_tested {a : IterDom} : a ∈ S.tested ↔ a ∈ S.doms ∧ a ∉ S.protectedDoms ∧ a ∉ S.leaves := by
  simp [tested, mem_once]

theorem isValid_of_predicate (hS : S.wellFormed = true) {index : Indices} (hcons : S.Consistent index)
    (hleaf : S.leaves.all (inBoundary index) = true) (hp : S.predicate index = true) (hb : S.builtin index = true) :
    S.isValid index = true := by
  have hrest : ∀ a ∈ S.doms, ¬ Protected S a → inBoundary index a = true := fun a ha hna => by
    by_cases hl : a ∈ S.leaves
    · exact List.all_eq_true.1 hleaf a hl
    · exact List.all_eq_true.1 hp a (mem_tested.2 ⟨ha, fun h => hna ((mem_protectedDoms_iff hS).1 h), hl⟩)
  refine List.all_eq_true.2 fun a ha => ?_
  by_cases hpa : Protected S a
  · exact protected_inBoundary hS hcons hrest hb hpa
  · exact hrest a ha hpa

/-- **Lowering at level 2 is strongly correct for every schedule: if the program loads where the domains that are neither
protected nor of the allocation are in boundary, and fills with zeros elsewhere, every valid item has its element and every
hole 0. Swizzles and resizes in any direction may occur.**
Source: nvFuser TMA lowering strategy, level 2; Theorem 4 -/
theorem predicated_stronglyCorrect (hS : S.wellFormed = true) (tensor : List Int → Int) {index : Indices}
    (hcons : S.Consistent index) (hleaf : S.leaves.all (inBoundary index) = true) :
    S.heldIf tensor index = if S.isValid index then tensor (S.partitioned.map index) else 0 := by
  rw [heldIf, held]
  by_cases hv : S.isValid index = true
  · have hall := List.all_eq_true.1 hv
    have hp : S.predicate index = true := List.all_eq_true.2 fun a ha => hall a (mem_tested.1 ha).1
    have hb : S.builtin index = true := List.all_eq_true.2 fun a ha => hall a (by simp [doms, ha])
    rw [if_pos hp, if_pos hb, if_pos hv]
  · rw [if_neg hv]
    by_cases hp : S.predicate index = true
    · rw [if_pos hp]
      by_cases hb : S.builtin index = true
      · exact absurd (isValid_of_predicate hS hcons hleaf hp hb) hv
      · rw [if_neg hb]
    · rw [if_neg hp]

/-- **Then all of shared memory is as wanted, over any allocation by the leaves.**
Source: nvFuser TMA lowering strategy, level 2 -/
theorem contentsIf_eq_wanted (hS : S.wellFormed = true) {alloc : List IterDom} (ha : ∀ a ∈ S.leaves, a ∈ alloc)
    (tensor : List Int → Int) : S.contentsIf alloc tensor = S.wanted alloc tensor := by
  refine List.map_congr_left fun leaf hl => ?_
  refine predicated_stronglyCorrect hS tensor (indices_consistent hS leaf) (List.all_eq_true.2 fun a h => ?_)
  have := items_inBoundary hl a (ha a h)
  rw [inBoundary_iff, indices_leaf h]
  exact inBoundary_iff.1 this

theorem foldr_back_congr {tile : List IterDom} {leaf leaf' : Indices} (h : ∀ a, a ∉ tile → leaf a = leaf' a) :
    (steps : List Step) → ∀ a,
      a ∉ steps.foldr (fun s known => if s.outputs.any known.contains then s.inputs ++ known else known) tile →
      steps.foldr Step.back leaf a = steps.foldr Step.back leaf' a
  | [], a, ha => h a ha
  | s :: rest, a, ha => by
    have ih := foldr_back_congr h rest
    rw [List.foldr_cons] at ha
    rw [List.foldr_cons, List.foldr_cons]
    generalize rest.foldr (fun s known => if s.outputs.any known.contains then s.inputs ++ known else known) tile = K
      at ha ih
    by_cases hin : a ∈ s.inputs
    · have hout : ∀ b ∈ s.outputs, b ∉ K := fun b hb hK => by
        rw [if_pos (List.any_eq_true.2 ⟨b, hb, by simpa using hK⟩)] at ha
        exact ha (List.mem_append_left _ hin)
      cases s with
      | split i o n =>
        have e1 := ih o (hout o (by simp [Step.outputs]))
        have e2 := ih n (hout n (by simp [Step.outputs]))
        simp only [Step.inputs, List.mem_cons, List.not_mem_nil, or_false] at hin
        simp [Step.back, Step.set, hin, e1, e2]
      | merge o n m =>
        have e1 := ih m (hout m (by simp [Step.outputs]))
        simp only [Step.inputs, List.mem_cons, List.not_mem_nil, or_false] at hin
        rcases hin with rfl | rfl <;> simp [Step.back, Step.set, e1]
      | resize i m l r =>
        have e1 := ih m (hout m (by simp [Step.outputs]))
        simp only [Step.inputs, List.mem_cons, List.not_mem_nil, or_false] at hin
        simp [Step.back, Step.set, hin, e1]
      | swizzle x y x' y' =>
        have e1 := ih x' (hout x' (by simp [Step.outputs]))
        have e2 := ih y' (hout y' (by simp [Step.outputs]))
        simp only [Step.inputs, List.mem_cons, List.not_mem_nil, or_false] at hin
        rcases hin with rfl | rfl <;> simp [Step.back, Step.set, e1, e2]
    · rw [back_other hin, back_other hin]
      refine ih a fun hK => ha ?_
      split
      · exact List.mem_append_right _ hK
      · exact hK

/-- **Where no tested domain depends on the tile, the program's test is the same for all items of a tile: it is one test for
each instruction.**
Source: nvFuser TMA lowering strategy, level 2, which leaves it out -/
theorem predicate_perTile {tile : List IterDom} (h : S.perTile tile = true) {leaf leaf' : Indices}
    (hl : ∀ a, a ∉ tile → leaf a = leaf' a) : S.predicate (S.indices leaf) = S.predicate (S.indices leaf') := by
  have key : ∀ a ∈ S.tested, S.indices leaf a = S.indices leaf' a := fun a ha => by
    refine foldr_back_congr hl S.steps a fun hK => ?_
    have := List.all_eq_true.1 h a ha
    simp only [Bool.not_eq_true', List.contains_eq_mem, decide_eq_false_iff_not] at this
    exact this hK
  rw [predicate, predicate]
  refine Bool.eq_iff_iff.2 ?_
  simp only [List.all_eq_true]
  refine forall_congr' fun a => forall_congr' fun ha => ?_
  rw [inBoundary_iff, inBoundary_iff, key a ha]

/-- **Figure 2's predicate is `I5` in its extent of 2: with it, and with no other test, the twelve elements stand where they
belong and the holes, which held elements 4 to 11, are 0.**
Source: nvFuser TMA Figure 2 -/
theorem figure2_predicate : figure2.tested = [⟨5, 2⟩] ∧ figure2.perTile [⟨3, 2⟩] = true ∧
    figure2.contents [⟨4, 3⟩, ⟨6, 1⟩, ⟨7, 4⟩, ⟨3, 2⟩] (fun g => 1 + g.getD 0 0) ≠
      figure2.wanted [⟨4, 3⟩, ⟨6, 1⟩, ⟨7, 4⟩, ⟨3, 2⟩] (fun g => 1 + g.getD 0 0) ∧
    figure2.contentsIf [⟨4, 3⟩, ⟨6, 1⟩, ⟨7, 4⟩, ⟨3, 2⟩] (fun g => 1 + g.getD 0 0) =
      figure2.wanted [⟨4, 3⟩, ⟨6, 1⟩, ⟨7, 4⟩, ⟨3, 2⟩] (fun g => 1 + g.getD 0 0) := by decide +kernel

/-! ## The fundamental theorem is about one of these schedules -/

/-- The indices of an item of `strided`. -/
def stridedAt (box stride : Nat) (c s t : Int) : Indices := fun a =>
  if a.name = 1 then c * box + (t * stride + s) else if a.name = 2 then c else if a.name = 3 then t * stride + s
  else if a.name = 4 then t else s

theorem strided_leaves {n B e : Nat} {index : Indices} : (strided n B e).leaves.all (inBoundary index) = true ↔
    inBoundary index ⟨2, Division.ceilDiv n B⟩ = true ∧ inBoundary index ⟨4, Division.ceilDiv B e⟩ = true ∧
      inBoundary index ⟨5, e⟩ = true := by
  simp [leaves, doms, strided, Step.inputs, Step.outputs, List.filter]

theorem strided_valid {n B e : Nat} {index : Indices} (hl : (strided n B e).leaves.all (inBoundary index) = true) :
    (strided n B e).isValid index = true ↔ inBoundary index ⟨1, n⟩ = true ∧ inBoundary index ⟨3, B⟩ = true := by
  rw [strided_leaves] at hl
  simp [isValid, doms, strided, Step.inputs, Step.outputs, hl.1, hl.2.1, hl.2.2]

theorem strided_builtin {n B e : Nat} {index : Indices} :
    (strided n B e).builtin index = inBoundary index ⟨1, n⟩ := by simp [builtin, strided]

/-- **The fundamental theorem is about schedules: of a dimension split into boxes, and each box by an element stride, some
choice of the tiles to load makes every valid item its element and every hole 0, exactly when the condition does not hold.**
Source: nvFuser TMA Theorem 6 (FTTC), of the schedule that it stands for -/
theorem strided_iff_fttc {n B e : Nat} (hn : 0 < n) (hB : 0 < B) (he : 0 < e) :
    (∃ issue, StronglyCorrectIf n B e issue) ↔ fttc n B e = false := by
  rw [← Bool.not_eq_true, ← mixed_iff_fttc hn hB he]
  constructor
  · rintro ⟨issue, h⟩ ⟨s, c, t₁, t₂, hs, hc, ht₁, ht₂, h1, h2, h3, h4⟩
    have cons : ∀ t : Int, (strided n B e).Consistent (stridedAt B e c s t) := fun t st hst => by
      simp only [strided, List.mem_cons, List.not_mem_nil, or_false] at hst
      rcases hst with rfl | rfl <;> simp [Step.Relates, stridedAt]
    have lv : ∀ t : Int, 0 ≤ t ∧ t < Division.ceilDiv B e →
        (strided n B e).leaves.all (inBoundary (stridedAt B e c s t)) = true := fun t ht => by
      rw [strided_leaves]
      simp only [inBoundary_iff, stridedAt]
      simp
      omega
    have e1 := h (fun _ => 1) (stridedAt B e c s t₁) (cons t₁) (lv t₁ ht₁)
    have e2 := h (fun _ => 1) (stridedAt B e c s t₂) (cons t₂) (lv t₂ ht₂)
    have v1 : (strided n B e).isValid (stridedAt B e c s t₁) = true := by
      rw [strided_valid (lv t₁ ht₁)]
      simp only [inBoundary_iff, stridedAt]
      simp
      omega
    have v2 : ¬ (strided n B e).isValid (stridedAt B e c s t₂) = true := by
      rw [strided_valid (lv t₂ ht₂)]
      simp only [inBoundary_iff, stridedAt]
      simp
      omega
    have b2 : (strided n B e).builtin (stridedAt B e c s t₂) = true := by
      rw [strided_builtin]
      simp only [inBoundary_iff, stridedAt]
      simp
      omega
    have hi : issue c s = true := by
      cases hf : issue c s with
      | true => rfl
      | false =>
      have : issue (stridedAt B e c s t₁ ⟨2, Division.ceilDiv n B⟩) (stridedAt B e c s t₁ ⟨5, e⟩) = false := by
        simpa [stridedAt] using hf
      rw [this, if_pos v1] at e1
      simp at e1
    have hi2 : issue (stridedAt B e c s t₂ ⟨2, Division.ceilDiv n B⟩) (stridedAt B e c s t₂ ⟨5, e⟩) = true := by
      simpa [stridedAt] using hi
    rw [hi2, if_neg v2, if_pos rfl, held, if_pos b2] at e2
    exact absurd e2 (by decide)
  · intro hm
    classical
    refine ⟨fun c s => decide (∃ t : Int, (0 ≤ t ∧ t < Division.ceilDiv B e) ∧
      (0 ≤ c * B + t * e + s ∧ c * B + t * e + s < n) ∧ 0 ≤ t * e + s ∧ t * e + s < B),
      fun tensor index hcons hl => ?_⟩
    have r1 : index ⟨1, n⟩ = index ⟨2, Division.ceilDiv n B⟩ * B + index ⟨3, B⟩ :=
      hcons (.split ⟨1, n⟩ ⟨2, Division.ceilDiv n B⟩ ⟨3, B⟩) (by simp [strided])
    have r3 : index ⟨3, B⟩ = index ⟨4, Division.ceilDiv B e⟩ * e + index ⟨5, e⟩ :=
      hcons (.split ⟨3, B⟩ ⟨4, Division.ceilDiv B e⟩ ⟨5, e⟩) (by simp [strided])
    have hl' := strided_leaves.1 hl
    simp only [inBoundary_iff] at hl'
    obtain ⟨hc, ht, hs⟩ := hl'
    have hte : 0 ≤ index ⟨4, Division.ceilDiv B e⟩ * e := Int.mul_nonneg ht.1 (Int.natCast_nonneg e)
    have hv := strided_valid hl
    simp only [inBoundary_iff] at hv
    have hb : (strided n B e).builtin index = true ↔ 0 ≤ index ⟨1, n⟩ ∧ index ⟨1, n⟩ < n := by
      rw [strided_builtin, inBoundary_iff]
    by_cases hval : (strided n B e).isValid index = true
    · have hval' := hv.1 hval
      rw [if_pos hval, if_pos (decide_eq_true ⟨index ⟨4, Division.ceilDiv B e⟩, ht, by omega, by omega⟩), held,
        if_pos (hb.2 hval'.1)]
    · rw [if_neg hval]
      split
      · rename_i hex
        obtain ⟨t₁, ht₁, hin, hbox⟩ := of_decide_eq_true hex
        rw [held]
        split
        · rename_i hbt
          have hin2 := hb.1 hbt
          refine absurd ⟨index ⟨5, e⟩, index ⟨2, Division.ceilDiv n B⟩, t₁, index ⟨4, Division.ceilDiv B e⟩, hs, hc, ht₁,
            ht, hin, by omega, hbox, ?_⟩ hm
          refine Int.not_lt.1 fun hlt => hval (hv.2 ⟨hin2, by omega⟩)
        · rfl
      · rfl

end DomainGraph

end Tma

end Razorgirl
