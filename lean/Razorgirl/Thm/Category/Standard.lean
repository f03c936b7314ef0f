module

public import Razorgirl.Thm.Category.Operations
public import Razorgirl.Thm.Category.Prefix
public import Razorgirl.Thm.Category.Tractable

@[expose] public section

/-!
# The standard form is unique

Tractable layouts without strides under extents of 1, and morphisms of standard form that send entries of 1 to the basepoint, are the
same thing.
-/

namespace Razorgirl

namespace Category

namespace StandardAux

open PrefixAux TractableAux TupleMorphism

theorem stride_mem {T : List Nat} {v : Nat} (h0 : v ≠ 0) (hv : v ≤ T.length) :
    stride T v ∈ prefixProducts T ∧ stride T v * nth 0 T v ∈ prefixProducts T := by
  induction T generalizing v with
  | nil => simp at hv; exact absurd hv h0
  | cons t T ih =>
    match v with
    | 0 => exact absurd rfl h0
    | 1 =>
      refine ⟨one_mem _, ?_⟩
      rw [show stride (t :: T) 1 * nth 0 (t :: T) 1 = t * 1 by simp [stride, nth, Nat.mul_comm]]
      exact mul_mem (one_mem _)
    | v + 2 =>
      obtain ⟨h1, h2⟩ := ih (v := v + 1) (by omega) (by simpa using hv)
      refine ⟨mul_mem h1, ?_⟩
      rw [show stride (t :: T) (v + 2) * nth 0 (t :: T) (v + 2) = t * (stride T (v + 1) * nth 0 T (v + 1)) by
        simp only [stride, nth, Nat.mul_assoc]]
      exact mul_mem h2

theorem of_mem {T : List Nat} {p : Nat} (h : p ∈ prefixProducts T) :
    p = 1 ∨ ∃ v, v ≠ 0 ∧ v ≤ T.length ∧ p = stride T v * nth 0 T v := by
  induction T generalizing p with
  | nil => left; simpa [prefixProducts] using h
  | cons t T ih =>
    rcases mem_cons.mp h with rfl | ⟨q, hq, rfl⟩
    · exact .inl rfl
    · right
      rcases ih hq with rfl | ⟨v, h0, hv, rfl⟩
      · exact ⟨1, by omega, by simp, by simp [stride, nth]⟩
      · obtain ⟨w, rfl⟩ : ∃ w, v = w + 1 := ⟨v - 1, by omega⟩
        refine ⟨w + 2, by omega, by simpa using hv, ?_⟩
        simp only [stride, nth, Nat.mul_assoc]

theorem stride_next {T : List Nat} {v : Nat} (h0 : v ≠ 0) (hv : v < T.length) : stride T (v + 1) = stride T v * nth 0 T v := by
  induction T generalizing v with
  | nil => simp at hv
  | cons t T ih =>
    match v with
    | 0 => exact absurd rfl h0
    | 1 =>
      cases T with
      | nil => simp at hv
      | cons u T => simp [stride, nth]
    | v + 2 =>
      have := ih (v := v + 1) (by omega) (by simp only [List.length_cons] at hv; omega)
      simp only [stride, nth] at this ⊢
      rw [this, Nat.mul_assoc]

theorem stride_injective {T : List Nat} (hT : ∀ t ∈ T, 1 < t) {v w : Nat} (hv : v ≤ T.length) (hw : w ≤ T.length)
    (h : stride T v = stride T w) : v = w := by
  have hT0 : ∀ t ∈ T, 0 < t := fun t ht => by have := hT t ht; omega
  have key : ∀ {v w : Nat}, v ≠ 0 → w ≤ T.length → v < w → stride T v ≠ stride T w := fun {v w} h0 hw hvw e => by
    have hd := stride_dvd h0 hvw hw
    rw [← e] at hd
    have hp := stride_pos hT0 h0 (by omega : v ≤ T.length)
    have hn : 1 < nth 0 T v := by
      obtain ⟨u, rfl⟩ : ∃ u, v = u + 1 := ⟨v - 1, by omega⟩
      rw [nth_getElem (by omega : u < T.length)]
      exact hT _ (List.getElem_mem _)
    have h1 := Nat.le_of_dvd hp hd
    have h2 : 2 * stride T v ≤ nth 0 T v * stride T v := Nat.mul_le_mul_right _ hn
    omega
  by_cases hv0 : v = 0
  · by_cases hw0 : w = 0
    · omega
    · have := stride_pos hT0 hw0 hw
      rw [hv0, stride_zero] at h
      omega
  · by_cases hw0 : w = 0
    · have := stride_pos hT0 hv0 hv
      rw [hw0, stride_zero] at h
      omega
    · rcases Nat.lt_trichotomy v w with h' | h' | h'
      · exact absurd h (key hv0 hw h')
      · exact h'
      · exact absurd h.symm (key hw0 hv h')

/-- An image is the image of an entry of that size, whose mode has its stride. -/
theorem mode_of_image {f : TupleMorphism} (h : f.Valid) {v : Nat} (h0 : v ≠ 0) (hv : v ∈ f.map) :
    (⟨nth 0 f.codomain v, stride f.codomain v⟩ : Mode) ∈ f.encodedLayout ∧ (nth 0 f.codomain v, v) ∈ f.domain.zip f.map := by
  obtain ⟨i, hi, rfl⟩ := List.getElem_of_mem hv
  have hl := length_map_of_matches h.2.2.2
  have hi' : i < f.domain.length := by omega
  have hm := (matches_getElem h.2.2.2 hi' hi).resolve_left h0
  constructor
  · refine List.mem_of_getElem (i := i) (h := by simp [encodedLayout]; omega) ?_
    simp [encodedLayout, hm]
  · refine List.mem_of_getElem (i := i) (h := by simp; omega) ?_
    simp [hm]

theorem image_of_mode {f : TupleMorphism} (h : f.Valid) {m : Mode} (hm : m ∈ f.encodedLayout) (h0 : m.stride ≠ 0) :
    ∃ v, v ≠ 0 ∧ v ∈ f.map ∧ v ≤ f.codomain.length ∧ m = ⟨nth 0 f.codomain v, stride f.codomain v⟩ := by
  obtain ⟨i, hi, rfl⟩ := List.getElem_of_mem hm
  have hl := length_map_of_matches h.2.2.2
  have hi1 : i < f.domain.length := by simp [encodedLayout] at hi; omega
  have hi2 : i < f.map.length := by omega
  simp only [encodedLayout, List.getElem_zipWith, List.getElem_map] at h0 ⊢
  have hv0 : f.map[i] ≠ 0 := fun e => h0 (by rw [e, stride_zero])
  exact ⟨f.map[i], hv0, List.getElem_mem _, h.2.2.1.1 _ (List.getElem_mem _), by
    rw [(matches_getElem h.2.2.2 hi1 hi2).resolve_left hv0]⟩

theorem one_lt_codomain {f : TupleMorphism} (h : f.Valid) (hs : f.isStandard = true) (hn : f.isNonDegenerate = true) :
    ∀ t ∈ f.codomain, 1 < t := by
  intro t ht
  obtain ⟨i, hi, rfl⟩ := List.getElem_of_mem ht
  have hp := h.2.1 _ (List.getElem_mem hi)
  suffices f.codomain[i] ≠ 1 by omega
  intro e
  simp only [isStandard, List.all_eq_true, Bool.or_eq_true, Bool.and_eq_true, bne_iff_ne] at hs
  have hj := nth_getElem hi
  rcases hs (i + 1) (mem_places.mpr ⟨by omega, by omega⟩) with h1 | ⟨h1, _⟩
  · have h2 := (mode_of_image h (by omega) (List.contains_iff_mem.mp h1)).2
    simp only [isNonDegenerate, List.all_eq_true, Bool.or_eq_true, bne_iff_ne, beq_iff_eq] at hn
    rcases hn _ h2 with h3 | h3
    · exact h3 (hj.trans e)
    · simp at h3
  · exact h1 (hj.trans e)

/-- The prefix products of the codomain are read off the layout. -/
theorem mem_codomain {f : TupleMorphism} (h : f.Valid) (hs : f.isStandard = true) {p : Nat} :
    p ∈ prefixProducts f.codomain ↔
      p = 1 ∨ ∃ m ∈ f.encodedLayout, m.stride ≠ 0 ∧ (p = m.stride ∨ p = m.stride * m.extent) := by
  constructor
  · intro hp
    rcases of_mem hp with rfl | ⟨v, h0, hv, rfl⟩
    · exact .inl rfl
    right
    have hpos : ∀ w, w ≠ 0 → w ≤ f.codomain.length → stride f.codomain w ≠ 0 := fun w a b => by
      have := stride_pos h.2.1 a b
      omega
    simp only [isStandard, List.all_eq_true, Bool.or_eq_true, Bool.and_eq_true, bne_iff_ne] at hs
    rcases hs v (mem_places.mpr ⟨h0, hv⟩) with h1 | ⟨_, h1⟩
    · exact ⟨_, (mode_of_image h h0 (List.contains_iff_mem.mp h1)).1, hpos v h0 hv, .inr rfl⟩
    · have h2 := List.contains_iff_mem.mp h1
      have h3 := h.2.2.1.1 _ h2
      exact ⟨_, (mode_of_image h (by omega) h2).1, hpos _ (by omega) h3, .inl (stride_next h0 h3).symm⟩
  · rintro (rfl | ⟨m, hm, h0, hp⟩)
    · exact one_mem _
    obtain ⟨v, hv0, _, hv, rfl⟩ := image_of_mode h hm h0
    rcases hp with rfl | rfl
    · exact (stride_mem hv0 hv).1
    · exact (stride_mem hv0 hv).2

theorem map_injective_on {P : Nat → Prop} {g : Nat → Nat} (hg : ∀ v w, P v → P w → g v = g w → v = w) :
    {α β : List Nat} → (∀ v ∈ α, P v) → (∀ v ∈ β, P v) → α.map g = β.map g → α = β
  | [], [], _, _, _ => rfl
  | [], _ :: _, _, _, h => by simp at h
  | _ :: _, [], _, _, h => by simp at h
  | v :: α, w :: β, ha, hb, h => by
    simp only [List.map_cons, List.cons.injEq] at h
    rw [hg v w (ha v (by simp)) (hb w (by simp)) h.1,
      map_injective_on hg (fun u hu => ha u (by simp [hu])) (fun u hu => hb u (by simp [hu])) h.2]

end StandardAux

open StandardAux TractableAux

/-- **Two morphisms of standard form that send entries of 1 to the basepoint and encode the same layout are the same.**
Rust: `razorgirl::category::TupleMorphism::is_standard`, `razorgirl::category::TupleMorphism::is_non_degenerate`
Source: Categorical Foundations, theorem A (3.1.2.21; repaired: `standard_counterexample`) -/
theorem standard_unique {f g : TupleMorphism} (hf : f.Valid) (hg : g.Valid) (sf : f.isStandard = true) (sg : g.isStandard = true)
    (nf : f.isNonDegenerate = true) (ng : g.isNonDegenerate = true) (h : f.encodedLayout = g.encodedLayout) : f = g := by
  have hT : f.codomain = g.codomain := eq_of_prefixProducts (one_lt_codomain hf sf nf) (one_lt_codomain hg sg ng) fun p => by
    rw [mem_codomain hf sf, mem_codomain hg sg, h]
  have hS : f.domain = g.domain := by
    rw [← TupleMorphism.shape_encodedLayout hf, ← TupleMorphism.shape_encodedLayout hg, h]
  have hα : f.map = g.map := by
    have e := congrArg FlatLayout.strides h
    rw [TupleMorphism.strides_encodedLayout hf, TupleMorphism.strides_encodedLayout hg, ← hT] at e
    exact map_injective_on (P := (· ≤ f.codomain.length)) (fun v w hv hw => stride_injective (one_lt_codomain hf sf nf) hv hw)
      hf.2.2.1.1 (fun v hv => hT ▸ hg.2.2.1.1 v hv) e
  cases f; cases g
  simp_all

/-- **The standard representation of the layout of a morphism of standard form is that morphism, if entries of 1 go to the basepoint.
With `encodedLayout_standardRepresentation`, layouts and such morphisms correspond one to one.**
Rust: `razorgirl::category::TupleMorphism::standard_representation`, `razorgirl::category::TupleMorphism::encoded_layout`
Source: Categorical Foundations, theorem A (3.1.2.21; repaired: `standard_counterexample`) -/
theorem standardRepresentation_encodedLayout {f : TupleMorphism} (hf : f.Valid) (sf : f.isStandard = true)
    (nf : f.isNonDegenerate = true) : standardRepresentation f.encodedLayout = some f := by
  obtain ⟨g, hg⟩ := Option.isSome_iff_exists.mp
    ((standardRepresentation_isSome_iff f.encodedLayout).mpr (isTractable_encodedLayout hf))
  have hL := TupleMorphism.valid_encodedLayout hf
  have hv := (valid_standardRepresentation hL hg).1
  obtain ⟨sg, ng⟩ := isStandard_standardRepresentation hL hg
  rw [hg, standard_unique hv hf sg sf (ng fun m hm h1 => ?_) nf (encodedLayout_standardRepresentation hL hg)]
  by_cases h0 : m.stride = 0
  · exact h0
  obtain ⟨v, hv0, hvm, _, rfl⟩ := image_of_mode hf hm h0
  have h2 := (mode_of_image hf hv0 hvm).2
  simp only [TupleMorphism.isNonDegenerate, List.all_eq_true, Bool.or_eq_true, bne_iff_ne, beq_iff_eq] at nf
  rcases nf _ h2 with h3 | h3
  · exact absurd h1 h3
  · exact absurd h3 hv0

/-- Two degenerate morphisms of standard form encode 1:1, 1:1: the correspondence needs that entries of 1 go to the basepoint. -/
theorem correspondence_counterexample :
    TupleMorphism.encodedLayout ⟨[1, 1], [1, 1], [1, 2]⟩ = TupleMorphism.encodedLayout ⟨[1, 1], [1, 1], [2, 1]⟩ ∧
      TupleMorphism.isStandard ⟨[1, 1], [1, 1], [1, 2]⟩ = true ∧ TupleMorphism.isStandard ⟨[1, 1], [1, 1], [2, 1]⟩ = true := by
  decide

end Category

end Razorgirl
