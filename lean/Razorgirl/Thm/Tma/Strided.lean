module

public import Razorgirl.Spec.Tma.Strided
public import Razorgirl.Thm.Tma.Fttc
public import Razorgirl.Thm.Tma.Lowering

@[expose] public section

/-!
# The fundamental theorem is about schedules, in any number of dimensions
-/

namespace Razorgirl

namespace Tma

namespace DomainGraph

theorem mem_stridedIn_steps {D : Descriptor} {st : Step} : st ∈ (stridedIn D).steps ↔ ∃ k d, D[k]? = some d ∧
    (st = .split ⟨5 * k + 1, d.size⟩ ⟨5 * k + 2, Division.ceilDiv d.size d.box⟩ ⟨5 * k + 3, d.box⟩ ∨
      st = .split ⟨5 * k + 3, d.box⟩ ⟨5 * k + 4, Division.ceilDiv d.box d.elementStride⟩ ⟨5 * k + 5, d.elementStride⟩) := by
  simp only [stridedIn, List.mem_flatMap, List.mem_cons, List.not_mem_nil, or_false]
  constructor
  · rintro ⟨⟨d, k⟩, hp, h⟩
    exact ⟨k, d, List.mem_zipIdx_iff_getElem?.1 hp, h⟩
  · rintro ⟨k, d, hp, h⟩
    exact ⟨(d, k), List.mem_zipIdx_iff_getElem?.2 hp, h⟩

theorem mem_stridedIn_partitioned {D : Descriptor} {a : IterDom} : a ∈ (stridedIn D).partitioned ↔
    ∃ k d, D[k]? = some d ∧ a = ⟨5 * k + 1, d.size⟩ := by
  simp only [stridedIn, List.mem_map]
  constructor
  · rintro ⟨⟨d, k⟩, hp, h⟩
    exact ⟨k, d, List.mem_zipIdx_iff_getElem?.1 hp, h.symm⟩
  · rintro ⟨k, d, hp, h⟩
    exact ⟨(d, k), List.mem_zipIdx_iff_getElem?.2 hp, h.symm⟩

theorem mem_stridedIn_inputs {D : Descriptor} {a : IterDom} : a ∈ (stridedIn D).steps.flatMap Step.inputs ↔
    ∃ k d, D[k]? = some d ∧ (a = ⟨5 * k + 1, d.size⟩ ∨ a = ⟨5 * k + 3, d.box⟩) := by
  rw [List.mem_flatMap]
  constructor
  · rintro ⟨st, hst, ha⟩
    obtain ⟨k, d, hd, rfl | rfl⟩ := mem_stridedIn_steps.1 hst
    · exact ⟨k, d, hd, .inl (by simpa [Step.inputs] using ha)⟩
    · exact ⟨k, d, hd, .inr (by simpa [Step.inputs] using ha)⟩
  · rintro ⟨k, d, hd, rfl | rfl⟩
    · exact ⟨_, mem_stridedIn_steps.2 ⟨k, d, hd, .inl rfl⟩, by simp [Step.inputs]⟩
    · exact ⟨_, mem_stridedIn_steps.2 ⟨k, d, hd, .inr rfl⟩, by simp [Step.inputs]⟩

theorem mem_stridedIn_outputs {D : Descriptor} {a : IterDom} : a ∈ (stridedIn D).steps.flatMap Step.outputs ↔
    ∃ k d, D[k]? = some d ∧ ((a = ⟨5 * k + 2, Division.ceilDiv d.size d.box⟩ ∨ a = ⟨5 * k + 3, d.box⟩) ∨
      a = ⟨5 * k + 4, Division.ceilDiv d.box d.elementStride⟩ ∨ a = ⟨5 * k + 5, d.elementStride⟩) := by
  rw [List.mem_flatMap]
  constructor
  · rintro ⟨st, hst, ha⟩
    obtain ⟨k, d, hd, rfl | rfl⟩ := mem_stridedIn_steps.1 hst
    · exact ⟨k, d, hd, .inl (by simpa [Step.outputs] using ha)⟩
    · exact ⟨k, d, hd, .inr (by simpa [Step.outputs] using ha)⟩
  · rintro ⟨k, d, hd, h | h⟩
    · exact ⟨_, mem_stridedIn_steps.2 ⟨k, d, hd, .inl rfl⟩, by simpa [Step.outputs] using h⟩
    · exact ⟨_, mem_stridedIn_steps.2 ⟨k, d, hd, .inr rfl⟩, by simpa [Step.outputs] using h⟩

/-- The leaves: boxes, places in the tile, and phases. -/
theorem stridedIn_leaves {D : Descriptor} {index : Indices} : (stridedIn D).leaves.all (inBoundary index) = true ↔
    ∀ k d, D[k]? = some d → inBoundary index ⟨5 * k + 2, Division.ceilDiv d.size d.box⟩ = true ∧
      inBoundary index ⟨5 * k + 4, Division.ceilDiv d.box d.elementStride⟩ = true ∧
      inBoundary index ⟨5 * k + 5, d.elementStride⟩ = true := by
  have mem : ∀ a, a ∈ (stridedIn D).leaves ↔ (a ∈ (stridedIn D).partitioned ∨ a ∈ (stridedIn D).steps.flatMap Step.inputs ∨
      a ∈ (stridedIn D).steps.flatMap Step.outputs) ∧ a ∉ (stridedIn D).steps.flatMap Step.inputs := fun a => by
    rw [leaves, doms, List.mem_filter, List.mem_append, List.mem_append, or_assoc]
    simp
  rw [List.all_eq_true]
  constructor
  · intro h k d hd
    have key : ∀ n e, (n = 5 * k + 2 ∨ n = 5 * k + 4 ∨ n = 5 * k + 5) →
        (⟨n, e⟩ : IterDom) ∈ (stridedIn D).steps.flatMap Step.outputs → inBoundary index ⟨n, e⟩ = true := by
      intro n e hn ho
      refine h _ ((mem _).2 ⟨.inr (.inr ho), fun hi => ?_⟩)
      obtain ⟨j, d', _, e' | e'⟩ := mem_stridedIn_inputs.1 hi
      · have : n = 5 * j + 1 := congrArg IterDom.name e'
        omega
      · have : n = 5 * j + 3 := congrArg IterDom.name e'
        omega
    exact ⟨key _ _ (.inl rfl) (mem_stridedIn_outputs.2 ⟨k, d, hd, .inl (.inl rfl)⟩),
      key _ _ (.inr (.inl rfl)) (mem_stridedIn_outputs.2 ⟨k, d, hd, .inr (.inl rfl)⟩),
      key _ _ (.inr (.inr rfl)) (mem_stridedIn_outputs.2 ⟨k, d, hd, .inr (.inr rfl)⟩)⟩
  · intro h a ha
    obtain ⟨ha, hni⟩ := (mem a).1 ha
    rcases ha with ha | ha | ha
    · obtain ⟨k, d, hd, rfl⟩ := mem_stridedIn_partitioned.1 ha
      exact absurd (mem_stridedIn_inputs.2 ⟨k, d, hd, .inl rfl⟩) hni
    · exact absurd ha hni
    · obtain ⟨k, d, hd, (rfl | rfl) | rfl | rfl⟩ := mem_stridedIn_outputs.1 ha
      · exact (h k d hd).1
      · exact absurd (mem_stridedIn_inputs.2 ⟨k, d, hd, .inr rfl⟩) hni
      · exact (h k d hd).2.1
      · exact (h k d hd).2.2

theorem stridedIn_valid {D : Descriptor} {index : Indices} (hl : (stridedIn D).leaves.all (inBoundary index) = true) :
    (stridedIn D).isValid index = true ↔
      ∀ k d, D[k]? = some d → inBoundary index ⟨5 * k + 1, d.size⟩ = true ∧ inBoundary index ⟨5 * k + 3, d.box⟩ = true := by
  rw [stridedIn_leaves] at hl
  rw [isValid, List.all_eq_true]
  constructor
  · intro h k d hd
    have key : ∀ a, a ∈ (stridedIn D).steps.flatMap Step.inputs → inBoundary index a = true := fun a ha =>
      h a (by rw [doms, List.mem_append, List.mem_append]; exact .inl (.inr ha))
    exact ⟨key _ (mem_stridedIn_inputs.2 ⟨k, d, hd, .inl rfl⟩), key _ (mem_stridedIn_inputs.2 ⟨k, d, hd, .inr rfl⟩)⟩
  · intro h a ha
    rw [doms, List.mem_append, List.mem_append] at ha
    rcases ha with (ha | ha) | ha
    · obtain ⟨k, d, hd, rfl⟩ := mem_stridedIn_partitioned.1 ha
      exact (h k d hd).1
    · obtain ⟨k, d, hd, rfl | rfl⟩ := mem_stridedIn_inputs.1 ha
      · exact (h k d hd).1
      · exact (h k d hd).2
    · obtain ⟨k, d, hd, (rfl | rfl) | rfl | rfl⟩ := mem_stridedIn_outputs.1 ha
      · exact (hl k d hd).1
      · exact (h k d hd).2
      · exact (hl k d hd).2.1
      · exact (hl k d hd).2.2

theorem stridedIn_builtin {D : Descriptor} {index : Indices} : (stridedIn D).builtin index = true ↔
    ∀ k d, D[k]? = some d → inBoundary index ⟨5 * k + 1, d.size⟩ = true := by
  rw [builtin, List.all_eq_true]
  constructor
  · exact fun h k d hd => h _ (mem_stridedIn_partitioned.2 ⟨k, d, hd, rfl⟩)
  · intro h a ha
    obtain ⟨k, d, hd, rfl⟩ := mem_stridedIn_partitioned.1 ha
    exact h k d hd

theorem stridedIn_consistent {D : Descriptor} {index : Indices} : (stridedIn D).Consistent index ↔
    ∀ k d, D[k]? = some d →
      index ⟨5 * k + 1, d.size⟩ = index ⟨5 * k + 2, Division.ceilDiv d.size d.box⟩ * d.box + index ⟨5 * k + 3, d.box⟩ ∧
      index ⟨5 * k + 3, d.box⟩ = index ⟨5 * k + 4, Division.ceilDiv d.box d.elementStride⟩ * d.elementStride +
        index ⟨5 * k + 5, d.elementStride⟩ := by
  constructor
  · exact fun h k d hd => ⟨h _ (mem_stridedIn_steps.2 ⟨k, d, hd, .inl rfl⟩), h _ (mem_stridedIn_steps.2 ⟨k, d, hd, .inr rfl⟩)⟩
  · intro h st hst
    obtain ⟨k, d, hd, rfl | rfl⟩ := mem_stridedIn_steps.1 hst
    · exact (h k d hd).1
    · exact (h k d hd).2

/-- The indices of an item whose other dimensions are at their origin. -/
def stridedInAt (k box stride : Nat) (c s t : Int) : Indices := fun a =>
  if a.name = 5 * k + 1 then c * box + (t * stride + s) else if a.name = 5 * k + 2 then c
  else if a.name = 5 * k + 3 then t * stride + s else if a.name = 5 * k + 4 then t
  else if a.name = 5 * k + 5 then s else 0

theorem stridedInAt_self (k box stride : Nat) (c s t : Int) (e₁ e₂ e₃ e₄ e₅ : Nat) :
    stridedInAt k box stride c s t ⟨5 * k + 1, e₁⟩ = c * box + (t * stride + s) ∧
      stridedInAt k box stride c s t ⟨5 * k + 2, e₂⟩ = c ∧ stridedInAt k box stride c s t ⟨5 * k + 3, e₃⟩ = t * stride + s ∧
      stridedInAt k box stride c s t ⟨5 * k + 4, e₄⟩ = t ∧ stridedInAt k box stride c s t ⟨5 * k + 5, e₅⟩ = s := by
  refine ⟨?_, ?_, ?_, ?_, ?_⟩ <;> simp [stridedInAt]

theorem stridedInAt_other {k j : Nat} (h : j ≠ k) (box stride : Nat) (c s t : Int) (r e : Nat) (hr : 1 ≤ r ∧ r ≤ 5) :
    stridedInAt k box stride c s t ⟨5 * j + r, e⟩ = 0 := by
  simp only [stridedInAt]
  rw [if_neg (by omega), if_neg (by omega), if_neg (by omega), if_neg (by omega), if_neg (by omega)]

/-- **The fundamental theorem is about schedules, in any number of dimensions: where each is split into boxes and each box by its
element stride, some choice of the tiles to load makes every valid item its element and every hole 0, exactly when no dimension
violates the condition.**
Source: nvFuser TMA Theorem 6 (FTTC), of the schedule that it stands for -/
theorem stridedIn_iff_fttc {D : Descriptor} (hD : ∀ d ∈ D, 0 < d.size ∧ 0 < d.box ∧ 0 < d.elementStride) :
    (∃ issue, StronglyCorrectIfIn D issue) ↔ ∀ d ∈ D, d.violates = false := by
  have hDk : ∀ {k : Nat} {d : Dim}, D[k]? = some d → 0 < d.size ∧ 0 < d.box ∧ 0 < d.elementStride := fun h =>
    hD _ (List.mem_of_getElem? h)
  constructor
  · rintro ⟨issue, h⟩ d₀ hd₀
    rw [← Bool.not_eq_true]
    intro hv
    obtain ⟨k, hk⟩ := List.mem_iff_getElem?.1 hd₀
    obtain ⟨p1, p2, p3⟩ := hDk hk
    obtain ⟨s, c, t₁, t₂, hs, hc, ht₁, ht₂, h1, h2, h3, h4⟩ := (mixed_iff_fttc p1 p2 p3).2 hv
    have cons : ∀ t : Int, (stridedIn D).Consistent (stridedInAt k d₀.box d₀.elementStride c s t) := fun t => by
      rw [stridedIn_consistent]
      intro j d hd
      by_cases hj : j = k
      · subst hj
        obtain rfl : d₀ = d := Option.some.inj (hk.symm.trans hd)
        obtain ⟨g1, g2, g3, g4, g5⟩ := stridedInAt_self j d₀.box d₀.elementStride c s t d₀.size
          (Division.ceilDiv d₀.size d₀.box) d₀.box (Division.ceilDiv d₀.box d₀.elementStride) d₀.elementStride
        rw [g1, g2, g3, g4, g5]
        exact ⟨rfl, rfl⟩
      · rw [stridedInAt_other hj _ _ c s t 1 _ (by omega), stridedInAt_other hj _ _ c s t 2 _ (by omega),
          stridedInAt_other hj _ _ c s t 3 _ (by omega), stridedInAt_other hj _ _ c s t 4 _ (by omega),
          stridedInAt_other hj _ _ c s t 5 _ (by omega)]
        simp
    have lv : ∀ t : Int, 0 ≤ t ∧ t < Division.ceilDiv d₀.box d₀.elementStride →
        (stridedIn D).leaves.all (inBoundary (stridedInAt k d₀.box d₀.elementStride c s t)) = true := fun t ht => by
      rw [stridedIn_leaves]
      intro j d hd
      simp only [inBoundary_iff]
      by_cases hj : j = k
      · subst hj
        obtain rfl : d₀ = d := Option.some.inj (hk.symm.trans hd)
        obtain ⟨-, g2, -, g4, g5⟩ := stridedInAt_self j d₀.box d₀.elementStride c s t d₀.size
          (Division.ceilDiv d₀.size d₀.box) d₀.box (Division.ceilDiv d₀.box d₀.elementStride) d₀.elementStride
        rw [g2, g4, g5]
        exact ⟨hc, ht, hs⟩
      · obtain ⟨q1, q2, q3⟩ := hDk hd
        have r1 := Division.ceilDiv_pos q1 q2
        have r2 := Division.ceilDiv_pos q2 q3
        rw [stridedInAt_other hj _ _ c s t 2 _ (by omega), stridedInAt_other hj _ _ c s t 4 _ (by omega),
          stridedInAt_other hj _ _ c s t 5 _ (by omega)]
        omega
    have sizeOk : ∀ t : Int, (0 ≤ c * d₀.box + (t * d₀.elementStride + s) ∧ c * d₀.box + (t * d₀.elementStride + s) < d₀.size) →
        ∀ j d, D[j]? = some d → inBoundary (stridedInAt k d₀.box d₀.elementStride c s t) ⟨5 * j + 1, d.size⟩ = true :=
      fun t ht j d hd => by
        rw [inBoundary_iff]
        by_cases hj : j = k
        · subst hj
          obtain rfl : d₀ = d := Option.some.inj (hk.symm.trans hd)
          rw [(stridedInAt_self j d₀.box d₀.elementStride c s t d₀.size 0 0 0 0).1]
          exact ht
        · obtain ⟨q1, _⟩ := hDk hd
          rw [stridedInAt_other hj _ _ c s t 1 _ (by omega)]
          simp only
          omega
    have v1 : (stridedIn D).isValid (stridedInAt k d₀.box d₀.elementStride c s t₁) = true := by
      rw [stridedIn_valid (lv t₁ ht₁)]
      refine fun j d hd => ⟨sizeOk t₁ (by omega) j d hd, ?_⟩
      rw [inBoundary_iff]
      by_cases hj : j = k
      · subst hj
        obtain rfl : d₀ = d := Option.some.inj (hk.symm.trans hd)
        rw [(stridedInAt_self j d₀.box d₀.elementStride c s t₁ 0 0 d₀.box 0 0).2.2.1]
        simp only
        omega
      · obtain ⟨_, q2, _⟩ := hDk hd
        rw [stridedInAt_other hj _ _ c s t₁ 3 _ (by omega)]
        simp only
        omega
    have v2 : ¬ (stridedIn D).isValid (stridedInAt k d₀.box d₀.elementStride c s t₂) = true := by
      rw [stridedIn_valid (lv t₂ ht₂)]
      intro hall
      have := (hall k d₀ hk).2
      rw [inBoundary_iff, (stridedInAt_self k d₀.box d₀.elementStride c s t₂ 0 0 d₀.box 0 0).2.2.1] at this
      simp only at this
      omega
    have b2 : (stridedIn D).builtin (stridedInAt k d₀.box d₀.elementStride c s t₂) = true := by
      rw [stridedIn_builtin]
      exact sizeOk t₂ (by omega)
    have tiles : tileOf D (stridedInAt k d₀.box d₀.elementStride c s t₁) = tileOf D (stridedInAt k d₀.box d₀.elementStride c s t₂) := by
      refine List.map_congr_left fun p _ => ?_
      by_cases hj : p.2 = k
      · rw [hj, (stridedInAt_self k _ _ c s t₁ 0 _ 0 0 0).2.1, (stridedInAt_self k _ _ c s t₂ 0 _ 0 0 0).2.1,
          (stridedInAt_self k _ _ c s t₁ 0 0 0 0 _).2.2.2.2, (stridedInAt_self k _ _ c s t₂ 0 0 0 0 _).2.2.2.2]
      · rw [stridedInAt_other hj _ _ c s t₁ 2 _ (by omega), stridedInAt_other hj _ _ c s t₂ 2 _ (by omega),
          stridedInAt_other hj _ _ c s t₁ 5 _ (by omega), stridedInAt_other hj _ _ c s t₂ 5 _ (by omega)]
    have e1 := h (fun _ => 1) _ (cons t₁) (lv t₁ ht₁)
    have e2 := h (fun _ => 1) _ (cons t₂) (lv t₂ ht₂)
    rw [if_pos v1] at e1
    rw [← tiles, if_neg v2, held, if_pos b2] at e2
    cases hi : issue (tileOf D (stridedInAt k d₀.box d₀.elementStride c s t₁)) with
    | false => rw [hi] at e1; simp at e1
    | true => rw [hi] at e2; simp at e2
  · intro hm
    classical
    refine ⟨fun T => decide (∃ index, tileOf D index = T ∧ (stridedIn D).Consistent index ∧
      (stridedIn D).leaves.all (inBoundary index) = true ∧ (stridedIn D).isValid index = true), fun tensor index hcons hl => ?_⟩
    by_cases hval : (stridedIn D).isValid index = true
    · have hb : (stridedIn D).builtin index = true :=
        stridedIn_builtin.2 fun k d hd => ((stridedIn_valid hl).1 hval k d hd).1
      rw [if_pos hval, if_pos (decide_eq_true ⟨index, rfl, hcons, hl, hval⟩), held, if_pos hb]
    · rw [if_neg hval]
      split
      · rename_i hex
        obtain ⟨other, ht, hc', hl', hv'⟩ := of_decide_eq_true hex
        rw [held]
        split
        · rename_i hbt
          exfalso
          refine hval ((stridedIn_valid hl).2 fun k d hd => ⟨stridedIn_builtin.1 hbt k d hd, ?_⟩)
          obtain ⟨q1, q2, q3⟩ := hDk hd
          have hin := stridedIn_builtin.1 hbt k d hd
          obtain ⟨a1, a2⟩ := stridedIn_consistent.1 hcons k d hd
          obtain ⟨b1, b2⟩ := stridedIn_consistent.1 hc' k d hd
          obtain ⟨l1, l2, l3⟩ := stridedIn_leaves.1 hl k d hd
          obtain ⟨m1, m2, m3⟩ := stridedIn_leaves.1 hl' k d hd
          obtain ⟨v1, v3⟩ := (stridedIn_valid hl').1 hv' k d hd
          have hk : k < D.length := (List.getElem?_eq_some_iff.1 hd).1
          have et : (other ⟨5 * k + 2, Division.ceilDiv d.size d.box⟩, other ⟨5 * k + 5, d.elementStride⟩) =
              (index ⟨5 * k + 2, Division.ceilDiv d.size d.box⟩, index ⟨5 * k + 5, d.elementStride⟩) := by
            have e := congrArg (fun l : List (Int × Int) => l[k]?) ht
            simpa [tileOf, hd] using e
          obtain ⟨et1, et2⟩ := Prod.mk.injEq _ _ _ _ ▸ et
          rw [et1] at b1
          rw [et2] at b2
          simp only [inBoundary_iff] at hin l1 l2 l3 m1 m2 m3 v1 v3 ⊢
          have hnm : ¬ Mixed d.size d.box d.elementStride := fun hmix => by
            have h1 := (mixed_iff_fttc q1 q2 q3).1 hmix
            have h2 : fttc d.size d.box d.elementStride = false := hm d (List.mem_of_getElem? hd)
            rw [h2] at h1
            cases h1
          have hte : 0 ≤ index ⟨5 * k + 4, Division.ceilDiv d.box d.elementStride⟩ * d.elementStride :=
            Int.mul_nonneg l2.1 (Int.natCast_nonneg _)
          refine ⟨by omega, Int.not_le.1 fun hge => hnm ⟨index ⟨5 * k + 5, d.elementStride⟩,
            index ⟨5 * k + 2, Division.ceilDiv d.size d.box⟩, other ⟨5 * k + 4, Division.ceilDiv d.box d.elementStride⟩,
            index ⟨5 * k + 4, Division.ceilDiv d.box d.elementStride⟩, l3, l1, m2, l2, ?_, ?_, ?_, ?_⟩⟩ <;> omega
        · rfl
      · rfl

end DomainGraph

end Tma

end Razorgirl
