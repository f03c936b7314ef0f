module

public import Razorgirl.Thm.IterDomain.Swizzle
public import Razorgirl.Thm.Tma.Protected.Origin

@[expose] public section

/-!
# TMA-protected domains: what is proved

Theorems 4 and 5 of the source. Theorem 4 in two forms: where all other domains are in boundary, and where
no index is negative. Theorem 5 with the hypotheses that it lacks. It takes a swizzle for harmless: 9 split by 3, then an
exclusive or of the 3×3 box, puts element 6 at item (1,2), which is a hole (`theorem5_counterexample`; another rule of the
source forbids to swizzle a tile by a coordinate outside of it, and such a tile is none). Where swizzles fit, it fails at
negative indices: a swizzle by a protected domain and a resize to the left do not go together
(`theorem5_counterexample_left`).
-/

namespace Razorgirl

namespace Tma

namespace DomainGraph

variable {S : DomainGraph}

/-! ## Theorem 4 -/

/-- An outer index is in boundary if the input is, and the inner index is: from above, or together with the outer one,
from below. -/
theorem outer_inBoundary {N No Nn : Nat} {i o n : Int} (hN : N ≤ No * Nn) (hNn : 0 < Nn) (hi : i = o * Nn + n)
    (hi0 : 0 ≤ i) (hiN : i < N) (hn : 0 ≤ n) (ho : n < Nn ∨ 0 ≤ o) : 0 ≤ o ∧ o < No := by
  have hN' : (N : Int) ≤ (No : Int) * Nn := by exact_mod_cast hN
  constructor
  · rcases ho with h | h
    · refine Int.not_lt.1 fun hlt => ?_
      have : o * Nn ≤ (-1) * Nn := Int.mul_le_mul_of_nonneg_right (by omega) (by omega)
      omega
    · exact h
  · refine Int.not_le.1 fun hge => ?_
    have : (No : Int) * Nn ≤ o * Nn := Int.mul_le_mul_of_nonneg_right hge (by omega)
    omega

theorem inBoundary_of_protected {index : Indices} (hfits : ∀ s ∈ S.steps, s.fits = true) (hcons : S.Consistent index)
    (hb : S.builtin index = true)
    (hn : ∀ i o n, Step.split i o n ∈ S.steps → 0 ≤ index n ∧ (index n < n.extent ∨ 0 ≤ index o))
    {a : IterDom} (ha : Protected S a) : inBoundary index a = true := by
  induction ha with
  | partitioned h => exact List.all_eq_true.1 hb _ h
  | @split i o n h _ ih =>
    rw [inBoundary_iff] at ih ⊢
    have hf := hfits _ h
    simp only [Step.fits, Bool.and_eq_true, decide_eq_true_eq] at hf
    obtain ⟨h₁, h₂⟩ := hn _ _ _ h
    exact outer_inBoundary hf.2 hf.1 (hcons _ h) ih.1 ih.2 h₁ h₂
  | @merge o n m h _ ih =>
    rw [inBoundary_iff] at ih ⊢
    have hf := hfits _ h
    simp only [Step.fits, Bool.and_eq_true, decide_eq_true_eq] at hf
    have hpos : (0 : Int) < n.extent := by omega
    rw [(hcons _ h).1] at ih
    rw [hf.2, Int.natCast_mul]
    exact ⟨(Int.ediv_nonneg_iff_of_pos hpos).1 ih.1, (Int.ediv_lt_iff_lt_mul hpos).1 ih.2⟩
  | @resize i m l r h hl hr _ ih =>
    rw [inBoundary_iff] at ih ⊢
    have hf := hfits _ h
    simp only [Step.fits, decide_eq_true_eq] at hf
    have hrel : index i = index m - l := hcons _ h
    omega
  | @swizzle x y x' y' h _ ih =>
    rw [inBoundary_iff] at ih ⊢
    have hf := hfits _ h
    simp only [Step.fits, Bool.and_eq_true, decide_eq_true_eq] at hf
    rw [hf.1, ← (hcons _ h).1]
    exact ih

/-- **If every domain that is not TMA-protected is in boundary, and the hardware's test succeeds, then every protected
domain is in boundary: leaving one means leaving a dimension of the tensor.**
Source: nvFuser TMA Theorem 4 -/
theorem protected_inBoundary (hS : S.wellFormed = true) {index : Indices} (hcons : S.Consistent index)
    (hrest : ∀ a ∈ S.doms, ¬ Protected S a → inBoundary index a = true) (hb : S.builtin index = true) {a : IterDom}
    (ha : Protected S a) : inBoundary index a = true := by
  refine inBoundary_of_protected (fun s hs => fits_of hS hs) hcons hb (fun i o n h => ?_) ha
  have := inBoundary_iff.1 (hrest n (mem_doms_of_output h (by simp [Step.outputs])) (protected_of_split hS h).2)
  exact ⟨this.1, Or.inl this.2⟩

/-- **The same if no index is negative, whatever domains that are not protected are left at the other end.**
Source: nvFuser TMA Theorem 4 (variant: all indices at least 0) -/
theorem protected_inBoundary_of_nonneg (hS : S.wellFormed = true) {index : Indices} (hcons : S.Consistent index)
    (hnonneg : ∀ a ∈ S.doms, 0 ≤ index a) (hb : S.builtin index = true) {a : IterDom} (ha : Protected S a) :
    inBoundary index a = true :=
  inBoundary_of_protected (fun s hs => fits_of hS hs) hcons hb (fun _ _ _ h =>
    ⟨hnonneg _ (mem_doms_of_output h (by simp [Step.outputs])),
      Or.inr (hnonneg _ (mem_doms_of_output h (by simp [Step.outputs])))⟩) ha

/-! ## Theorem 5 -/

theorem xorInt_nonneg {x y : Int} (hx : 0 ≤ x) (hy : 0 ≤ y) : 0 ≤ IterDomain.xorInt x y := by
  obtain ⟨a, rfl⟩ := Int.eq_ofNat_of_zero_le hx
  obtain ⟨b, rfl⟩ := Int.eq_ofNat_of_zero_le hy
  exact Int.natCast_nonneg (a ^^^ b)

/-- Without a resize to the left, indices in boundary at the leaves are nowhere negative. -/
theorem nonneg_of_leaves (hS : S.wellFormed = true) {index : Indices} (hcons : S.Consistent index)
    (hleaf : ∀ a ∈ S.leaves, inBoundary index a = true) (hleft : ∀ s ∈ S.steps, s.growsLeft = false) :
    ∀ a ∈ S.doms, 0 ≤ index a := by
  refine backward hS (fun a ha => (inBoundary_iff.1 (hleaf a ha)).1) fun s hs hout a ha => ?_
  have hrel := hcons s hs
  have hf := fits_of hS hs
  have hl := hleft s hs
  cases s with
  | split i o n =>
    simp only [Step.outputs, List.mem_cons, List.not_mem_nil, or_false, forall_eq_or_imp, forall_eq] at hout
    simp only [Step.inputs, List.mem_cons, List.not_mem_nil, or_false] at ha
    have := Int.mul_nonneg hout.1 (Int.natCast_nonneg n.extent)
    rw [ha, show index i = _ from hrel]
    omega
  | merge o n m =>
    simp only [Step.outputs, List.mem_cons, List.not_mem_nil, or_false, forall_eq] at hout
    simp only [Step.inputs, List.mem_cons, List.not_mem_nil, or_false] at ha
    simp only [Step.fits, Bool.and_eq_true, decide_eq_true_eq] at hf
    rcases ha with rfl | rfl
    · rw [hrel.1]
      exact Int.ediv_nonneg hout (by omega)
    · rw [hrel.2]
      exact Int.emod_nonneg _ (by omega)
  | resize i m l r =>
    simp only [Step.outputs, List.mem_cons, List.not_mem_nil, or_false, forall_eq] at hout
    simp only [Step.inputs, List.mem_cons, List.not_mem_nil, or_false] at ha
    simp only [Step.growsLeft, decide_eq_false_iff_not] at hl
    rw [ha, show index i = index m - l from hrel]
    omega
  | swizzle x y x' y' =>
    simp only [Step.outputs, List.mem_cons, List.not_mem_nil, or_false, forall_eq_or_imp, forall_eq] at hout
    simp only [Step.inputs, List.mem_cons, List.not_mem_nil, or_false] at ha
    rcases ha with rfl | rfl
    · rw [hrel.1]
      exact hout.1
    · rw [hrel.2]
      exact xorInt_nonneg hout.1 hout.2

/-- Where only protected domains make holes, the others are in boundary, if first inputs of swizzles are. -/
theorem unprotected_inBoundary (hS : S.wellFormed = true) {index : Indices} (hcons : S.Consistent index)
    (hleaf : ∀ a ∈ S.leaves, inBoundary index a = true)
    (hholes : ∀ s ∈ S.steps, ∀ a ∈ s.holeInputs, Protected S a)
    (hswz : ∀ x y x' y', Step.swizzle x y x' y' ∈ S.steps → Protected S x → inBoundary index x = true) :
    ∀ a ∈ S.doms, ¬ Protected S a → inBoundary index a = true := by
  refine backward hS (fun a ha _ => hleaf a ha) fun s hs hout a ha hnot => ?_
  have hrel := hcons s hs
  have hf := fits_of hS hs
  have hh := hholes s hs
  rw [inBoundary_iff]
  cases s with
  | split i o n =>
    simp only [Step.outputs, List.mem_cons, List.not_mem_nil, or_false, forall_eq_or_imp, forall_eq] at hout
    simp only [Step.inputs, List.mem_cons, List.not_mem_nil, or_false] at ha
    subst ha
    obtain ⟨hpo, hpn⟩ := protected_of_split hS hs
    have ho := inBoundary_iff.1 (hout.1 fun h => hnot (hpo h))
    have hn := inBoundary_iff.1 (hout.2 hpn)
    have hexact : a.extent = o.extent * n.extent := by
      by_cases he : a.extent = o.extent * n.extent
      · exact he
      · exact absurd (hh a (by simp [Step.holeInputs, he])) hnot
    have hexact' : (a.extent : Int) = o.extent * n.extent := by exact_mod_cast hexact
    have h₁ := Int.mul_nonneg ho.1 (Int.natCast_nonneg n.extent)
    have h₂ : (index o + 1) * n.extent ≤ (o.extent : Int) * n.extent :=
      Int.mul_le_mul_of_nonneg_right (by omega) (by omega)
    rw [Int.add_mul, Int.one_mul] at h₂
    rw [show index a = _ from hrel]
    omega
  | merge o n m =>
    simp only [Step.outputs, List.mem_cons, List.not_mem_nil, or_false, forall_eq] at hout
    simp only [Step.inputs, List.mem_cons, List.not_mem_nil, or_false] at ha
    simp only [Step.fits, Bool.and_eq_true, decide_eq_true_eq] at hf
    have hpos : (0 : Int) < n.extent := by omega
    rcases ha with rfl | rfl
    · have hm := inBoundary_iff.1 (hout fun h => hnot (protected_of_merge hS hs h))
      rw [hf.2, Int.natCast_mul] at hm
      rw [hrel.1]
      exact ⟨Int.ediv_nonneg hm.1 (by omega), (Int.ediv_lt_iff_lt_mul hpos).2 hm.2⟩
    · rw [hrel.2]
      exact ⟨Int.emod_nonneg _ (by omega), Int.emod_lt_of_pos _ hpos⟩
  | resize i m l r =>
    simp only [Step.outputs, List.mem_cons, List.not_mem_nil, or_false, forall_eq] at hout
    simp only [Step.inputs, List.mem_cons, List.not_mem_nil, or_false] at ha
    simp only [Step.fits, decide_eq_true_eq] at hf
    subst ha
    have hcut : l ≤ 0 ∧ r ≤ 0 := by
      by_cases hc : l ≤ 0 ∧ r ≤ 0
      · exact hc
      · exact absurd (hh a (by simp [Step.holeInputs, hc])) hnot
    have hm := inBoundary_iff.1 (hout fun h => hnot (protected_of_resize hS hs h))
    rw [show index a = index m - l from hrel]
    omega
  | swizzle x y x' y' =>
    simp only [Step.outputs, List.mem_cons, List.not_mem_nil, or_false, forall_eq_or_imp, forall_eq] at hout
    simp only [Step.inputs, List.mem_cons, List.not_mem_nil, or_false] at ha
    simp only [Step.fits, Bool.and_eq_true, decide_eq_true_eq] at hf
    obtain ⟨hpx, hpy⟩ := protected_of_swizzle hS hs
    have hx' : 0 ≤ index x' ∧ index x' < x.extent := by
      by_cases hp : Protected S x
      · have := inBoundary_iff.1 (hswz _ _ _ _ hs hp)
        rwa [hrel.1] at this
      · have := inBoundary_iff.1 (hout.1 fun h => hp (hpx h))
        rwa [hf.1] at this
    rcases ha with rfl | rfl
    · rw [hrel.1]
      exact hx'
    · have hy' := inBoundary_iff.1 (hout.2 hpy)
      rw [hf.2] at hy'
      have hfit : a.extent % IterDomain.nextPow2 x.extent = 0 := by
        by_cases he : a.extent % IterDomain.nextPow2 x.extent = 0
        · exact he
        · exact absurd (hh a (by simp [Step.holeInputs, he])) hnot
      rw [hrel.2]
      exact IterDomain.Transform.xor_inBox (Nx := x.extent) (Ny := a.extent)
        (by simpa using Nat.dvd_of_mod_eq_zero hfit) hx' hy'

/-- Where the hardware's test succeeds, the item is valid. -/
theorem isValid_of_builtin (hS : S.wellFormed = true) {index : Indices} (hcons : S.Consistent index)
    (hleaf : ∀ a ∈ S.leaves, inBoundary index a = true)
    (hholes : ∀ s ∈ S.steps, ∀ a ∈ s.holeInputs, Protected S a)
    (hleft : (∀ s ∈ S.steps, ∀ x ∈ s.swizzleX, ¬ Protected S x) ∨ ∀ s ∈ S.steps, s.growsLeft = false)
    (hb : S.builtin index = true) : S.isValid index = true := by
  have hrest : ∀ a ∈ S.doms, ¬ Protected S a → inBoundary index a = true := by
    refine unprotected_inBoundary hS hcons hleaf hholes fun x y x' y' hs hp => ?_
    rcases hleft with h | h
    · exact absurd hp (h _ hs x (by simp [Step.swizzleX]))
    · exact protected_inBoundary_of_nonneg hS hcons (nonneg_of_leaves hS hcons hleaf h) hb hp
  rw [isValid, List.all_eq_true]
  intro a ha
  by_cases hp : Protected S a
  · exact protected_inBoundary hS hcons hrest hb hp
  · exact hrest a ha hp

/-- **A load is strongly correct if every domain in which holes arise is TMA-protected, and moreover no protected domain
swizzles another one, or nothing is resized to the left.** Holes arise in the input of a split that is not exact, of a
resize that adds indices, and in the second input of a swizzle whose extents do not fit.
Source: nvFuser TMA Theorem 5 (repaired: `theorem5_counterexample`, a swizzle that does not fit;
`theorem5_counterexample_left`, a swizzle by a protected domain and a resize to the left) -/
theorem stronglyCorrect (hS : S.wellFormed = true)
    (hholes : ∀ s ∈ S.steps, ∀ a ∈ s.holeInputs, Protected S a)
    (hleft : (∀ s ∈ S.steps, ∀ x ∈ s.swizzleX, ¬ Protected S x) ∨ ∀ s ∈ S.steps, s.growsLeft = false) :
    S.StronglyCorrect := by
  intro tensor index hcons hleaf
  rw [List.all_eq_true] at hleaf
  cases hv : S.isValid index with
  | true => rw [if_pos rfl, weaklyCorrect S tensor index hcons hv]
  | false =>
    rw [held, if_neg, if_neg (by simp)]
    intro hb
    rw [isValid_of_builtin hS hcons hleaf hholes hleft hb] at hv
    cases hv

/-- **The test of Theorem 5 is sound: a schedule that passes it is strongly correct.**
Source: nvFuser TMA Theorem 5 (repaired: `theorem5_counterexample`) -/
theorem stronglyCorrect_of_proves (hS : S.wellFormed = true) (h : S.provesStrong = true) : S.StronglyCorrect := by
  simp only [provesStrong, Bool.and_eq_true, Bool.or_eq_true, List.all_eq_true] at h
  have hmem {a : IterDom} : S.protectedDoms.contains a = true ↔ Protected S a := by
    rw [List.contains_iff_mem, mem_protectedDoms_iff hS]
  refine stronglyCorrect hS (fun s hs a ha => hmem.1 (h.1 s hs a ha)) ?_
  rcases h.2 with h | h
  · refine Or.inl fun s hs x hx hp => ?_
    have := h s hs x hx
    rw [hmem.2 hp] at this
    cases this
  · refine Or.inr fun s hs => ?_
    have := h s hs
    cases hg : s.growsLeft with
    | false => rfl
    | true => rw [hg] at this; cases this

/-! ## Whole allocations -/

/-- **Then all of shared memory is as wanted: over any allocation by the leaves, elements in valid items and 0 in
holes.**
Source: nvFuser TMA Theorem 5 (repaired: `theorem5_counterexample`) -/
theorem contents_eq_wanted (hS : S.wellFormed = true) (h : S.StronglyCorrect) {alloc : List IterDom}
    (halloc : ∀ a ∈ S.leaves, a ∈ alloc) (tensor : List Int → Int) :
    S.contents alloc tensor = S.wanted alloc tensor := by
  refine List.map_congr_left fun leaf hleaf => ?_
  refine h tensor _ (indices_consistent hS leaf) ?_
  rw [List.all_eq_true]
  intro a ha
  have := items_inBoundary hleaf a (halloc a ha)
  rw [inBoundary_iff] at this ⊢
  rwa [indices_leaf ha]

/-- **Theorem 5 as it is printed is false. 9 is split by 3 and the 3×3 box swizzled by exclusive or: no split with a rest
and no resize, so every input that it asks about is protected. But item (1,2) goes back to (1,3), past the inner extent of
3, and from there to index 6, which is in the tensor: the hole holds element 6.**
Source: nvFuser TMA Theorem 5 (refuted) -/
theorem theorem5_counterexample : swizzled.wellFormed = true ∧
    swizzled.steps.all (fun s => s.sourceHoleInputs.all swizzled.protectedDoms.contains) = true ∧
    ¬ swizzled.StronglyCorrect := by
  refine ⟨by decide +kernel, by decide +kernel, fun h => ?_⟩
  have := h (fun g => g.getD 0 0) (swizzled.indices (Step.set (Step.set (fun _ => 0) ⟨4, 3⟩ 1) ⟨5, 3⟩ 2))
    (indices_consistent (by decide +kernel) _) (by decide +kernel)
  revert this
  decide +kernel

/-- **Nor does it hold where every swizzle fits: in `crossed` every input of a split with a rest, of a resize and of a
swizzle that does not fit is protected, but padding to the left makes an index -1, which the swizzle takes to the last
row.**
Source: nvFuser TMA Theorem 5 (refuted) -/
theorem theorem5_counterexample_left : crossed.wellFormed = true ∧
    crossed.steps.all (fun s => s.sourceHoleInputs.all crossed.protectedDoms.contains) = true ∧
    crossed.steps.all (fun s => s.holeInputs.all crossed.protectedDoms.contains) = true ∧
    ¬ crossed.StronglyCorrect := by
  refine ⟨by decide +kernel, by decide +kernel, by decide +kernel, fun h => ?_⟩
  have := h (fun _ => 1) (crossed.indices (Step.set (fun _ => 0) ⟨12, 5⟩ 4))
    (indices_consistent (by decide +kernel) _) (by decide +kernel)
  revert this
  decide +kernel

end DomainGraph

end Tma

end Razorgirl
