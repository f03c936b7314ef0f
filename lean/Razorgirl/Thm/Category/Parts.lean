module

public import Razorgirl.Thm.Category.Operations
public import Razorgirl.Thm.Category.Tractable
public import Razorgirl.Thm.Layout.Sort

@[expose] public section

/-!
# Sum, restriction, factorization, squeeze and sort

What these operations on morphisms do to the layouts that they encode («Categorical Foundations» 3.1.5).
-/

namespace Razorgirl

namespace Category

namespace PartsAux

open TupleMorphism TupleAux TractableAux

/-- A list is its entries at the places 1, 2, …. -/
theorem map_places (l : List Nat) : (FinMap.identity l.length).values.map (nth 0 l) = l := by
  have h := listed_nth l
  simp only [FinMap.identity, List.map_map, listed] at h ⊢
  exact h

theorem nth_append_left {T : List Nat} (U : List Nat) {v : Nat} (hv : v ≤ T.length) : nth 0 (T ++ U) v = nth 0 T v := by
  induction T generalizing v with
  | nil =>
    have : v = 0 := by simpa using hv
    rw [this, nth_zero, nth_zero]
  | cons t T ih =>
    match v with
    | 0 => rfl
    | 1 => rfl
    | v + 2 => exact ih (v := v + 1) (by simpa using hv)

theorem nth_append_right (T U : List Nat) {v : Nat} (h0 : v ≠ 0) : nth 0 (T ++ U) (v + T.length) = nth 0 U v := by
  obtain ⟨w, rfl⟩ : ∃ w, v = w + 1 := ⟨v - 1, by omega⟩
  induction T with
  | nil => rfl
  | cons t T ih => rw [List.length_cons, show w + 1 + (T.length + 1) = (w + T.length) + 2 by omega, List.cons_append, nth_succ,
      show w + T.length + 1 = w + 1 + T.length by omega, ih]

theorem stride_append_left {T : List Nat} (U : List Nat) {v : Nat} (hv : v ≤ T.length) : stride (T ++ U) v = stride T v := by
  induction T generalizing v with
  | nil =>
    have : v = 0 := by simpa using hv
    rw [this, stride_zero, stride_zero]
  | cons t T ih =>
    match v with
    | 0 => rfl
    | 1 => rfl
    | v + 2 => simp only [List.cons_append, stride, ih (v := v + 1) (by simpa using hv)]

theorem stride_append_right (T U : List Nat) {v : Nat} (h0 : v ≠ 0) : stride (T ++ U) (v + T.length) = prod T * stride U v := by
  obtain ⟨w, rfl⟩ : ∃ w, v = w + 1 := ⟨v - 1, by omega⟩
  induction T with
  | nil => simp [prod]
  | cons t T ih => rw [List.length_cons, show w + 1 + (T.length + 1) = (w + T.length) + 2 by omega, List.cons_append, stride,
      show w + T.length + 1 = w + 1 + T.length by omega, ih, prod, Nat.mul_assoc]

theorem matches_append_left {T : List Nat} (U : List Nat) : {S α : List Nat} → Matches T S α → (∀ v ∈ α, v ≤ T.length) →
    Matches (T ++ U) S α
  | [], [], _, _ => trivial
  | [], _ :: _, h, _ => by simp [Matches] at h
  | _ :: _, [], h, _ => by simp [Matches] at h
  | _ :: _, v :: _, h, hl =>
    ⟨h.1.imp_right fun e => by rw [nth_append_left U (hl v (by simp)), e], matches_append_left U h.2 fun w hw => hl w (by simp [hw])⟩

/-- Where an image stands behind `n` other places. -/
def behind (n v : Nat) : Nat := if v = 0 then 0 else v + n

theorem matches_append_right (T : List Nat) {U : List Nat} : {S α : List Nat} → Matches U S α →
    Matches (T ++ U) S (α.map (behind T.length))
  | [], [], _ => trivial
  | [], _ :: _, h => by simp [Matches] at h
  | _ :: _, [], h => by simp [Matches] at h
  | _ :: _, v :: _, h => by
    refine ⟨?_, matches_append_right T h.2⟩
    by_cases h0 : v = 0
    · exact .inl (by simp [behind, h0])
    · exact .inr (by rw [behind, if_neg h0, nth_append_right T U h0]; exact h.1.resolve_left h0)

theorem once_map_of_injective {g : Nat → Nat} : {l : List Nat} → once l = true →
    (∀ v ∈ l, ∀ w ∈ l, g v = g w → g v ≠ 0 → v = w) → (∀ v, v = 0 → g v = 0) → once (l.map g) = true
  | [], _, _, _ => rfl
  | v :: l, h, hg, h0 => by
    simp only [once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true'] at h
    simp only [List.map_cons, once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true']
    refine ⟨?_, once_map_of_injective h.2 (fun a ha b hb => hg a (by simp [ha]) b (by simp [hb])) h0⟩
    by_cases e : g v = 0
    · exact .inl e
    · refine .inr (Bool.eq_false_iff.mpr fun hm => ?_)
      obtain ⟨w, hw, hwv⟩ := List.mem_map.mp (List.contains_iff_mem.mp hm)
      have := hg v (by simp) w (by simp [hw]) hwv.symm e
      subst this
      rcases h.1 with h1 | h1
      · exact e (h0 _ h1)
      · rw [List.contains_iff_mem.mpr hw] at h1; cases h1

end PartsAux

open PartsAux TupleAux TractableAux

namespace TupleMorphism

/-- **The sum of two morphisms is one, and encodes the layout of f and, behind it, that of g with its strides times the product
of f's codomain.**
Rust: `razorgirl::category::TupleMorphism::sum`
Source: Categorical Foundations 3.1.5 -/
theorem encodedLayout_sum {f g : TupleMorphism} (hf : f.Valid) (hg : g.Valid) :
    (f.sum g).Valid ∧
      (f.sum g).encodedLayout = f.encodedLayout ++ g.encodedLayout.map fun m => ⟨m.extent, prod f.codomain * m.stride⟩ := by
  have hmap : (f.fin.sum g.fin).values = f.map ++ g.map.map (behind f.codomain.length) := rfl
  refine ⟨⟨fun s hs => ?_, fun t ht => ?_, ⟨fun v hv => ?_, ?_⟩, ?_⟩, ?_⟩
  · exact (List.mem_append.mp hs).elim (hf.1 s) (hg.1 s)
  · exact (List.mem_append.mp ht).elim (hf.2.1 t) (hg.2.1 t)
  · simp only [fin, sum, List.length_append] at hv ⊢
    change v ∈ f.map ++ g.map.map (behind f.codomain.length) at hv
    rcases List.mem_append.mp hv with h | h
    · have := hf.2.2.1.1 v h
      simp only [fin] at this
      omega
    · obtain ⟨w, hw, rfl⟩ := List.mem_map.mp h
      have := hg.2.2.1.1 w hw
      simp only [fin] at this
      simp only [behind]
      split <;> omega
  · refine once_append hf.2.2.1.2 (once_map_of_injective (g := behind f.codomain.length) hg.2.2.1.2 (fun v _ w _ e h0 => ?_)
      fun v h => by simp [behind, h]) ?_
    · simp only [behind] at e h0
      grind
    · simp only [List.all_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true']
      intro v hv
      obtain ⟨w, hw, rfl⟩ := List.mem_map.mp hv
      by_cases h0 : w = 0
      · exact .inl (by simp only [if_pos h0])
      · refine .inr (Bool.eq_false_iff.mpr fun hm => ?_)
        have := hf.2.2.1.1 _ (List.contains_iff_mem.mp hm)
        simp only [fin] at this
        simp only [if_neg h0] at this
        omega
  · exact matches_append (matches_append_left _ hf.2.2.2 hf.2.2.1.1) (matches_append_right _ hg.2.2.2)
  · simp only [encodedLayout, sum, hmap, List.map_append]
    rw [List.zipWith_append (by simp [length_map_of_matches hf.2.2.2]), List.map_zipWith, List.map_map]
    congr 1
    · congr 1
      exact List.map_congr_left fun v hv => stride_append_left _ (hf.2.2.1.1 v hv)
    · rw [List.zipWith_map_right, List.zipWith_map_right]
      congr 1
      funext s v
      simp only [Function.comp_apply, behind]
      split
      · rename_i h0; rw [h0, stride_zero, stride_zero, Nat.mul_zero]
      · rename_i h0; rw [stride_append_right _ _ h0]

/-! ## Restriction and factorization -/

theorem increasing_iff {low high : Nat} {ps : List Nat} :
    increasing low high ps = true ↔ ps.Pairwise (· < ·) ∧ ∀ p ∈ ps, low < p ∧ p ≤ high := by
  induction ps generalizing low with
  | nil => simp [increasing]
  | cons p ps ih =>
    simp only [increasing, Bool.and_eq_true, decide_eq_true_eq, ih, List.pairwise_cons, List.mem_cons]
    constructor
    · rintro ⟨⟨h1, h2⟩, h3, h4⟩
      refine ⟨⟨fun q hq => (h4 q hq).1, h3⟩, fun q hq => ?_⟩
      rcases hq with rfl | hq
      · exact ⟨h1, h2⟩
      · have := h4 q hq; omega
    · rintro ⟨⟨h1, h2⟩, h3⟩
      exact ⟨h3 p (.inl rfl), h2, fun q hq => ⟨h1 q hq, (h3 q (.inr hq)).2⟩⟩

/-- **A morphism is restricted exactly to places of its domain in increasing order.**
Rust: `razorgirl::category::TupleMorphism::restrict`
Source: Categorical Foundations 3.1.5 -/
theorem restrict_isSome_iff (f : TupleMorphism) (places : List Nat) :
    (f.restrict places).isSome = true ↔ places.Pairwise (· < ·) ∧ ∀ p ∈ places, 0 < p ∧ p ≤ f.domain.length := by
  rw [← increasing_iff, restrict]
  split <;> simp_all

theorem restrict_eq_some {f g : TupleMorphism} {places : List Nat} (h : f.restrict places = some g) :
    increasing 0 f.domain.length places = true ∧ g = ⟨places.map (nth 0 f.domain), f.codomain, places.map (nth 0 f.map)⟩ := by
  simp only [restrict] at h
  split at h
  · exact ⟨‹_›, (Option.some.inj h).symm⟩
  · cases h

theorem matches_places {T S α : List Nat} (h : Matches T S α) {ps : List Nat} (hp : ∀ p ∈ ps, 0 < p ∧ p ≤ S.length) :
    Matches T (ps.map (nth 0 S)) (ps.map (nth 0 α)) := by
  induction ps with
  | nil => trivial
  | cons p ps ih =>
    refine ⟨?_, ih fun q hq => hp q (by simp [hq])⟩
    obtain ⟨h1, h2⟩ := hp p (by simp)
    obtain ⟨i, rfl⟩ : ∃ i, p = i + 1 := ⟨p - 1, by omega⟩
    have hl := length_map_of_matches h
    rw [nth_getElem (by omega), nth_getElem (by omega)]
    exact matches_getElem h (by omega) (by omega)

theorem once_places {α : List Nat} (h : once α = true) {ps : List Nat} (hp : ps.Pairwise (· < ·)) :
    once (ps.map (nth 0 α)) = true := by
  refine once_map_of_injective (once_of_increasing hp) (fun v _ w _ e h0 => nth_injective h e h0) fun v hv => ?_
  rw [hv, nth_zero]

/-- **A restriction is a morphism, and encodes the modes at its places, as they were.**
Rust: `razorgirl::category::TupleMorphism::restrict`
Source: Categorical Foundations 3.1.5 -/
theorem encodedLayout_restrict {f g : TupleMorphism} (hf : f.Valid) {places : List Nat} (h : f.restrict places = some g) :
    g.Valid ∧ g.encodedLayout.map some = places.map fun p => f.encodedLayout[p - 1]? := by
  obtain ⟨hi, rfl⟩ := restrict_eq_some h
  obtain ⟨hp, hb⟩ := increasing_iff.mp hi
  refine ⟨⟨fun s hs => ?_, hf.2.1, ⟨fun v hv => ?_, once_places hf.2.2.1.2 hp⟩, matches_places hf.2.2.2 hb⟩, ?_⟩
  · obtain ⟨p, hp', rfl⟩ := List.mem_map.mp hs
    exact pos_nth hf.1 (by have := hb p hp'; omega) (hb p hp').2
  · obtain ⟨p, hp', rfl⟩ := List.mem_map.mp hv
    exact nth_le hf.2.2.1.1 p
  · simp only [encodedLayout, List.map_map, List.zipWith_map, List.zipWith_self, List.map_map]
    refine List.map_congr_left fun p hp' => ?_
    obtain ⟨h1, h2⟩ := hb p hp'
    obtain ⟨i, rfl⟩ : ∃ i, p = i + 1 := ⟨p - 1, by omega⟩
    have hl := length_map_of_matches hf.2.2.2
    simp only [Function.comp_apply]
    rw [nth_getElem (by omega : i < f.domain.length), nth_getElem (by omega : i < f.map.length)]
    have hi' : i < (f.domain.zipWith Mode.mk (f.map.map (stride f.codomain))).length := by
      simp only [List.length_zipWith, List.length_map]
      omega
    rw [Nat.add_sub_cancel, List.getElem?_eq_getElem hi', List.getElem_zipWith, List.getElem_map]

theorem placeOf_eq_zero_iff {v : Nat} {l : List Nat} : placeOf v l = 0 ↔ v ∉ l := by
  induction l with
  | nil => simp [placeOf]
  | cons x l ih =>
    simp only [placeOf]
    split
    · simp_all
    · split <;> simp_all [eq_comm]

theorem nth_placeOf {v : Nat} {l : List Nat} (h : v ∈ l) : nth 0 l (placeOf v l) = v ∧ placeOf v l ≤ l.length := by
  induction l with
  | nil => simp at h
  | cons x l ih =>
    simp only [placeOf]
    split
    · rename_i e; exact ⟨e, by simp⟩
    · rename_i e
      have hm : v ∈ l := (List.mem_cons.mp h).resolve_left (Ne.symm e)
      have h0 : placeOf v l ≠ 0 := fun e => placeOf_eq_zero_iff.mp e hm
      obtain ⟨h1, h2⟩ := ih hm
      rw [if_neg h0]
      obtain ⟨w, hw⟩ : ∃ w, placeOf v l = w + 1 := ⟨placeOf v l - 1, by omega⟩
      rw [hw] at h1 h2 ⊢
      exact ⟨h1, by simpa using h2⟩

/-- **A morphism factors exactly through places of its codomain in increasing order that hold every image; then it is the
factor, followed by the inclusion of those places.**
Rust: `razorgirl::category::TupleMorphism::factorize`
Source: Categorical Foundations 3.1.5 -/
theorem factorize_spec {f : TupleMorphism} (hf : f.Valid) (places : List Nat) :
    ((f.factorize places).isSome = true ↔ (places.Pairwise (· < ·) ∧ ∀ p ∈ places, 0 < p ∧ p ≤ f.codomain.length) ∧
      ∀ v ∈ f.map, v = 0 ∨ v ∈ places) ∧
    ∀ g, f.factorize places = some g →
      g.Valid ∧ ∃ i, (identity f.codomain).restrict places = some i ∧ g.comp i = some f := by
  constructor
  · rw [← increasing_iff, factorize]
    split
    · rename_i h; simpa using h
    · rename_i h; simpa using h
  · intro g h
    simp only [factorize] at h
    split at h
    · rename_i hc
      cases h
      simp only [Bool.and_eq_true, List.all_eq_true, Bool.or_eq_true, beq_iff_eq, List.contains_iff_mem] at hc
      obtain ⟨hi, hm⟩ := hc
      obtain ⟨hp, hb⟩ := increasing_iff.mp hi
      have h0p : ∀ v ∈ f.map, v ∉ places → v = 0 := fun v hv h => (hm v hv).resolve_right h
      have hn0 : (0 : Nat) ∉ places := fun h => by have := hb 0 h; omega
      have back : ∀ v ∈ f.map, nth 0 places (placeOf v places) = v := fun v hv => by
        rcases hm v hv with rfl | h
        · rw [placeOf_eq_zero_iff.mpr hn0, nth_zero]
        · exact (nth_placeOf h).1
      refine ⟨⟨hf.1, fun t ht => ?_, ⟨fun v hv => ?_, ?_⟩, ?_⟩, ⟨places.map (nth 0 f.codomain), f.codomain, places⟩, ?_, ?_⟩
      · obtain ⟨p, hp', rfl⟩ := List.mem_map.mp ht
        exact pos_nth hf.2.1 (by have := hb p hp'; omega) (hb p hp').2
      · obtain ⟨w, hw, rfl⟩ := List.mem_map.mp hv
        simp only [fin, List.length_map]
        by_cases h : w ∈ places
        · exact (nth_placeOf h).2
        · rw [placeOf_eq_zero_iff.mpr h]; omega
      · refine once_map_of_injective hf.2.2.1.2 (fun v hv w hw e _ => ?_) fun v hv => ?_
        · rw [← back v hv, ← back w hw, e]
        · rw [hv]; exact placeOf_eq_zero_iff.mpr hn0
      · have hz := hf.2.2.2
        clear h0p
        generalize f.domain = S at hz ⊢
        generalize f.map = α at hz hm back ⊢
        induction α generalizing S with
        | nil => cases S <;> simp_all [Matches]
        | cons v α ih =>
          cases S with
          | nil => simp [Matches] at hz
          | cons s S =>
            refine ⟨?_, ih S hz.2 (fun w hw => hm w (by simp [hw])) fun w hw => back w (by simp [hw])⟩
            rcases hm v (by simp) with rfl | h
            · exact .inl (placeOf_eq_zero_iff.mpr hn0)
            · by_cases h0 : v = 0
              · exact absurd (h0 ▸ h) hn0
              · right
                rw [nth_map _ (nth_zero _ _), back v (by simp)]
                exact hz.1.resolve_left h0
      · have hid : (identity f.codomain).map = (FinMap.identity f.codomain.length).values := rfl
        simp only [restrict, identity, hi, if_true, Option.some.injEq, TupleMorphism.mk.injEq, true_and]
        refine Eq.trans (List.map_congr_left fun p hp' => ?_) (List.map_id places)
        obtain ⟨h1, h2⟩ := hb p hp'
        have e : (FinMap.identity f.codomain.length).values = listed f.codomain.length id := by
          simp [FinMap.identity, listed]
        rw [e]
        exact nth_listed _ _ p (by omega) h2
      · have e : (f.map.map fun v => placeOf v places).map (nth 0 places) = f.map := by
          rw [List.map_map]
          exact Eq.trans (List.map_congr_left fun v hv => back v hv) (List.map_id _)
        simp only [comp, if_true, e]
    · cases h

/-! ## Sort -/

/-- **Sorting a morphism sorts the modes of its layout.**
Rust: `razorgirl::category::TupleMorphism::sort`
Source: Categorical Foundations 3.1.5 -/
theorem encodedLayout_sort {f : TupleMorphism} (hf : f.Valid) : f.sort.encodedLayout = FlatLayout.sort f.encodedLayout := by
  -- each mode with its image for a stride
  generalize hK : f.domain.zipWith Mode.mk f.map = K
  let φ : Mode → Mode := fun m => ⟨m.extent, stride f.codomain m.stride⟩
  have h1 : f.encodedLayout = K.map φ := by
    rw [← hK, List.map_zipWith, encodedLayout, List.zipWith_map_right]
  have h2 : f.sort.encodedLayout = (FlatLayout.sort K).map φ := by
    simp only [sort, hK, encodedLayout, FlatLayout.shape, FlatLayout.strides, List.map_map, List.zipWith_map, List.zipWith_self]
    rfl
  have hmem : ∀ m ∈ FlatLayout.sort K, (m.stride = 0 ∨ nth 0 f.codomain m.stride = m.extent) ∧
      m.stride ≤ f.codomain.length ∧ 0 < m.extent := fun m hm => by
    have hm := (FlatLayout.sort_perm K).mem_iff.mp hm
    rw [← hK] at hm
    obtain ⟨i, hi, rfl⟩ := List.getElem_of_mem hm
    have hl := length_map_of_matches hf.2.2.2
    have h3 : i < f.domain.length := by simp only [List.length_zipWith] at hi; omega
    have h4 : i < f.map.length := by omega
    simp only [List.getElem_zipWith]
    exact ⟨matches_getElem hf.2.2.2 h3 h4, hf.2.2.1.1 _ (List.getElem_mem h4), hf.1 _ (List.getElem_mem h3)⟩
  have hs : FlatLayout.Sorted ((FlatLayout.sort K).map φ) := by
    simp only [FlatLayout.Sorted, List.pairwise_map]
    refine (FlatLayout.sort_sorted K).imp_of_mem fun {a b} ha hb hab => ?_
    obtain ⟨a1, a2, a3⟩ := hmem a ha
    obtain ⟨b1, b2, b3⟩ := hmem b hb
    rw [FlatLayout.before_iff] at hab ⊢
    simp only [φ]
    rcases hab with h | ⟨h, h'⟩
    · by_cases a0 : a.stride = 0
      · left
        rw [a0, stride_zero]
        exact stride_pos hf.2.1 (by omega) b2
      · have hd := Nat.le_of_dvd (stride_pos hf.2.1 (by omega) b2) (stride_dvd a0 h b2)
        rw [a1.resolve_left a0] at hd
        have hp := stride_pos hf.2.1 a0 a2
        by_cases he : a.extent = 1
        · rw [he, Nat.one_mul] at hd
          omega
        · have : 2 * stride f.codomain a.stride ≤ a.extent * stride f.codomain a.stride := Nat.mul_le_mul_right _ (by omega)
          omega
    · right; exact ⟨by rw [h], h'⟩
  rw [h1, h2]
  have e := FlatLayout.sort_eq_iff_perm.mpr ((FlatLayout.sort_perm K).map φ)
  rw [← e, FlatLayout.sort_eq_self_iff.mpr hs]

end TupleMorphism

end Category

end Razorgirl
