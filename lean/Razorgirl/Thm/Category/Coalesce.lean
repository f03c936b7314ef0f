module

public import Razorgirl.Thm.Category.Parts
public import Razorgirl.Thm.Category.Standard
public import Razorgirl.Thm.Layout.Complement.Completes

@[expose] public section

/-!
# Squeezing and coalescing morphisms

Entries of 1 go, and neighbours become one, in the morphism as in the layout that it encodes («Categorical Foundations» 3.1.5).
-/

namespace Razorgirl

namespace Category

namespace CoalesceAux

open TupleMorphism TupleAux TractableAux

/-- Where place `v` is when entries of 1 have gone. -/
def kept (T : List Nat) (v : Nat) : Nat := ((T.take v).filter (· != 1)).length

theorem kept_zero (T : List Nat) : kept T 0 = 0 := by simp [kept]

theorem kept_succ (t : Nat) (T : List Nat) (v : Nat) : kept (t :: T) (v + 1) = (if t = 1 then 0 else 1) + kept T v := by
  by_cases h : t = 1
  · simp [kept, h]
  · simp [kept, h, Nat.add_comm]

theorem kept_spec {T : List Nat} {v : Nat} (h0 : v ≠ 0) (hv : v ≤ T.length) (h1 : nth 0 T v ≠ 1) :
    kept T v ≠ 0 ∧ nth 0 (T.filter (· != 1)) (kept T v) = nth 0 T v ∧ stride (T.filter (· != 1)) (kept T v) = stride T v := by
  induction T generalizing v with
  | nil => simp at hv; exact absurd hv h0
  | cons t T ih =>
    obtain ⟨w, rfl⟩ : ∃ w, v = w + 1 := ⟨v - 1, by omega⟩
    rw [kept_succ]
    by_cases hw : w = 0
    · subst hw
      have ht : t ≠ 1 := h1
      simp only [if_neg ht, kept_zero]
      rw [List.filter_cons_of_pos (by simpa using ht)]
      simp [nth, stride]
    · obtain ⟨u, rfl⟩ : ∃ u, w = u + 1 := ⟨w - 1, by omega⟩
      obtain ⟨a, b, c⟩ := ih hw (by simpa using hv) (by simpa only [nth_succ] using h1)
      by_cases ht : t = 1
      · subst ht
        rw [List.filter_cons_of_neg (by simp)]
        simp only [if_true, Nat.zero_add, nth_succ, stride, Nat.one_mul]
        exact ⟨a, b, c⟩
      · rw [List.filter_cons_of_pos (by simpa using ht)]
        obtain ⟨k, hk⟩ : ∃ k, kept T (u + 1) = k + 1 := ⟨kept T (u + 1) - 1, by omega⟩
        rw [hk] at b c ⊢
        simp only [if_neg ht, show 1 + (k + 1) = k + 2 by omega, nth_succ, stride, b, c]
        exact ⟨by omega, trivial, trivial⟩

theorem kept_lt {T : List Nat} {v w : Nat} (hvw : v < w) (hw : w ≤ T.length) (h1 : nth 0 T w ≠ 1) : kept T v < kept T w := by
  induction T generalizing v w with
  | nil => simp at hw; omega
  | cons t T ih =>
    obtain ⟨w, rfl⟩ : ∃ u, w = u + 1 := ⟨w - 1, by omega⟩
    by_cases hw0 : w = 0
    · subst hw0
      have ht : t ≠ 1 := h1
      have : v = 0 := by omega
      subst this
      rw [kept_succ, kept_zero, if_neg ht]
      omega
    · obtain ⟨u, rfl⟩ : ∃ u, w = u + 1 := ⟨w - 1, by omega⟩
      have h1' : nth 0 T (u + 1) ≠ 1 := by simpa only [nth_succ] using h1
      have hw' : u + 1 ≤ T.length := by simpa using hw
      cases v with
      | zero =>
        rw [kept_zero, kept_succ]
        have := (kept_spec hw0 hw' h1').1
        omega
      | succ v =>
        rw [kept_succ, kept_succ]
        have := ih (v := v) (w := u + 1) (by omega) hw' h1'
        omega

theorem once_filter {α : List Nat} {S : List Nat} {q : Nat × Nat → Bool} (h : once α = true) :
    once (((S.zip α).filter q).map (·.2)) = true := by
  induction α generalizing S with
  | nil => simp [once]
  | cons v α ih =>
    cases S with
    | nil => simp [once]
    | cons s S =>
      simp only [once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true'] at h
      simp only [List.zip_cons_cons, List.filter_cons]
      split
      · simp only [List.map_cons, once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true']
        refine ⟨h.1.imp_right fun h1 => Bool.eq_false_iff.mpr fun hm => ?_, ih h.2⟩
        obtain ⟨p, hp, rfl⟩ := List.mem_map.mp (List.contains_iff_mem.mp hm)
        rw [List.contains_iff_mem.mpr (List.of_mem_zip (List.mem_filter.mp hp).1).2] at h1
        cases h1
      · exact ih h.2

theorem matches_pairs {U : List Nat} {κ : Nat → Nat} {L : List (Nat × Nat)} (h : ∀ p ∈ L, κ p.2 = 0 ∨ nth 0 U (κ p.2) = p.1) :
    Matches U (L.map (·.1)) (L.map fun p => κ p.2) := by
  induction L with
  | nil => trivial
  | cons p L ih => exact ⟨h p (by simp), ih fun q hq => h q (by simp [hq])⟩

theorem matches_mem {T : List Nat} : {S α : List Nat} → Matches T S α → ∀ p ∈ S.zip α, p.2 = 0 ∨ nth 0 T p.2 = p.1
  | [], _, _, _, hp => by simp at hp
  | _ :: _, [], _, _, hp => by simp at hp
  | s :: S, v :: α, h, p, hp => by
    rcases List.mem_cons.mp hp with rfl | hp
    · exact h.1
    · exact matches_mem h.2 p hp

theorem squeeze_eq_filter (L : FlatLayout) : FlatLayout.squeeze L = List.filter (fun m : Mode => m.extent != 1) L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    simp only [FlatLayout.squeeze, List.filter_cons, ih, bne_iff_ne]
    by_cases h : m.extent = 1 <;> simp [h]

end CoalesceAux

open CoalesceAux TupleAux TractableAux StandardAux PartsAux

namespace TupleMorphism

/-- **Squeezing a morphism squeezes its layout: the result is a morphism, no entry is 1, and the modes of other extents stay
as they are.**
Rust: `razorgirl::category::TupleMorphism::squeeze`
Source: Categorical Foundations 3.1.5 -/
theorem encodedLayout_squeeze {f : TupleMorphism} (hf : f.Valid) :
    f.squeeze.Valid ∧ (∀ s ∈ f.squeeze.domain, s ≠ 1) ∧ (∀ t ∈ f.squeeze.codomain, t ≠ 1) ∧
      f.squeeze.encodedLayout = FlatLayout.squeeze f.encodedLayout := by
  have hz := matches_mem hf.2.2.2
  have hle : ∀ p ∈ f.domain.zip f.map, p.2 ≤ f.codomain.length := fun p hp => hf.2.2.1.1 _ (List.of_mem_zip hp).2
  have hk : ∀ p ∈ (f.domain.zip f.map).filter (fun p => p.1 != 1), p ∈ f.domain.zip f.map ∧ p.1 ≠ 1 := fun p hp => by
    simpa using List.mem_filter.mp hp
  have hmap : f.squeeze.map = (((f.domain.zip f.map).filter fun p => p.1 != 1).map (·.2)).map (kept f.codomain) := by
    simp only [squeeze, List.map_map]; rfl
  refine ⟨⟨fun s hs => ?_, fun t ht => ?_, ⟨fun v hv => ?_, ?_⟩, ?_⟩, fun s hs => ?_, fun t ht => ?_, ?_⟩
  · obtain ⟨p, hp, rfl⟩ := List.mem_map.mp hs
    exact hf.1 _ (List.of_mem_zip (hk p hp).1).1
  · exact hf.2.1 _ (List.mem_filter.mp ht).1
  · obtain ⟨p, hp, rfl⟩ := List.mem_map.mp hv
    exact ((List.take_sublist ..).filter _).length_le
  · change once f.squeeze.map = true
    rw [hmap]
    refine once_map_of_injective (once_filter hf.2.2.1.2) (fun v hv w hw e h0 => ?_) fun v hv => by rw [hv, kept_zero]
    obtain ⟨p, hp, rfl⟩ := List.mem_map.mp hv
    obtain ⟨q, hq, rfl⟩ := List.mem_map.mp hw
    obtain ⟨hp1, hp2⟩ := hk p hp
    obtain ⟨hq1, hq2⟩ := hk q hq
    have p0 : p.2 ≠ 0 := fun e' => h0 (by rw [e', kept_zero])
    have q0 : q.2 ≠ 0 := fun e' => h0 (by rw [e, e', kept_zero])
    have hp3 := (hz p hp1).resolve_left p0
    have hq3 := (hz q hq1).resolve_left q0
    rcases Nat.lt_trichotomy p.2 q.2 with h | h | h
    · have := kept_lt h (hle q hq1) (by rw [hq3]; exact hq2)
      omega
    · exact h
    · have := kept_lt h (hle p hp1) (by rw [hp3]; exact hp2)
      omega
  · refine matches_pairs (κ := kept f.codomain) fun p hp => ?_
    obtain ⟨hp1, hp2⟩ := hk p hp
    by_cases p0 : p.2 = 0
    · left; rw [p0, kept_zero]
    · have hp3 := (hz p hp1).resolve_left p0
      right
      exact (kept_spec p0 (hle p hp1) (by rw [hp3]; exact hp2)).2.1.trans hp3
  · obtain ⟨p, hp, rfl⟩ := List.mem_map.mp hs
    exact (hk p hp).2
  · simpa using (List.mem_filter.mp ht).2
  · have e1 : f.encodedLayout = (f.domain.zip f.map).map fun p => ⟨p.1, stride f.codomain p.2⟩ := by
      simp only [encodedLayout, List.zipWith_map_right, List.zip, List.map_zipWith]
    rw [squeeze_eq_filter, e1, List.filter_map]
    simp only [encodedLayout, squeeze, List.map_map, List.zipWith_map, List.zipWith_self]
    refine List.map_congr_left fun p hp => ?_
    obtain ⟨hp1, hp2⟩ := hk p hp
    change (⟨p.1, stride (f.codomain.filter (· != 1)) (kept f.codomain p.2)⟩ : Mode) = ⟨p.1, stride f.codomain p.2⟩
    by_cases p0 : p.2 = 0
    · rw [p0, kept_zero, stride_zero, stride_zero]
    · have hp3 := (hz p hp1).resolve_left p0
      rw [(kept_spec p0 (hle p hp1) (by rw [hp3]; exact hp2)).2.2]

end TupleMorphism

/-! ## Neighbours become one -/

namespace CoalesceAux

open TupleMorphism

/-- With entries above 1, an image's stride times its entry is the stride of another image exactly if that comes next. -/
theorem stride_eq_mul_iff {T : List Nat} (hT : ∀ t ∈ T, 1 < t) {s v w : Nat} (hs : 1 < s) (hv : v ≤ T.length) (hw : w ≤ T.length)
    (hm : v = 0 ∨ nth 0 T v = s) : stride T w = s * stride T v ↔ (v = 0 ∧ w = 0) ∨ (v ≠ 0 ∧ w = v + 1) := by
  have hT0 : ∀ t ∈ T, 0 < t := fun t ht => by have := hT t ht; omega
  constructor
  · intro h
    by_cases v0 : v = 0
    · left
      refine ⟨v0, ?_⟩
      rw [v0, stride_zero, Nat.mul_zero, ← stride_zero T] at h
      exact stride_injective hT hw (by omega) h
    · right
      refine ⟨v0, ?_⟩
      have hm := hm.resolve_left v0
      have hp := stride_pos hT0 v0 hv
      have h2 : 2 * stride T v ≤ s * stride T v := Nat.mul_le_mul_right _ hs
      have w0 : w ≠ 0 := fun e => by rw [e, stride_zero] at h; omega
      rcases Nat.lt_trichotomy v w with h' | h' | h'
      · rw [← hm, Nat.mul_comm, ← stride_next v0 (by omega)] at h
        exact stride_injective hT hw (by omega) h
      · subst h'; omega
      · have := Nat.le_of_dvd hp (stride_dvd w0 h' hv)
        have hn : 0 < nth 0 T w := pos_nth hT0 w0 hw
        have : 1 * stride T w ≤ nth 0 T w * stride T w := Nat.mul_le_mul_right _ hn
        omega
  · rintro (⟨rfl, rfl⟩ | ⟨v0, rfl⟩)
    · rw [stride_zero, Nat.mul_zero]
    · rw [stride_next v0 (by omega), hm.resolve_left v0, Nat.mul_comm]

/-- The modes of entries and images, merged. -/
def mergedModes (S α : List Nat) : List Mode := (S.zipWith Mode.mk α).foldr mergeFront []

theorem mergedModes_cons (s v : Nat) (S α : List Nat) :
    mergedModes (s :: S) (v :: α) = mergeFront ⟨s, v⟩ (mergedModes S α) := rfl

/-- What is left begins with the first image, and leaves images out. -/
theorem mergedModes_images : {S α : List Nat} → S.length = α.length →
    ((mergedModes S α).map (·.stride)).Sublist α ∧ ((mergedModes S α).map (·.stride)).head? = α.head?
  | [], [], _ => ⟨.slnil, rfl⟩
  | [], _ :: _, h => by simp at h
  | _ :: _, [], h => by simp at h
  | s :: S, v :: α, h => by
    obtain ⟨h1, h2⟩ := mergedModes_images (S := S) (α := α) (by simpa using h)
    rw [mergedModes_cons]
    generalize mergedModes S α = K at h1 h2
    cases K with
    | nil =>
      simp only [mergeFront, List.map_cons, List.map_nil, List.head?_cons, and_true]
      exact .cons₂ v h1
    | cons n L =>
      simp only [mergeFront]
      split
      · exact ⟨.cons₂ v ((List.sublist_cons_self _ _).trans h1), rfl⟩
      · exact ⟨.cons₂ v h1, rfl⟩

theorem map_mergedModes {T : List Nat} (hT : ∀ t ∈ T, 1 < t) : {S α : List Nat} → Matches T S α → (∀ s ∈ S, 1 < s) →
    (∀ v ∈ α, v ≤ T.length) →
    (mergedModes S α).map (fun m => ⟨m.extent, stride T m.stride⟩) = FlatLayout.coalesce (S.zipWith Mode.mk (α.map (stride T)))
  | [], [], _, _, _ => rfl
  | [], _ :: _, h, _, _ => by simp [Matches] at h
  | _ :: _, [], h, _, _ => by simp [Matches] at h
  | s :: S, v :: α, h, hS, hα => by
    have ih := map_mergedModes hT h.2 (fun u hu => hS u (by simp [hu])) fun u hu => hα u (by simp [hu])
    have hs := hS s (by simp)
    have hh := (mergedModes_images (length_map_of_matches h.2)).2
    simp only [List.map_cons, List.zipWith_cons_cons, FlatLayout.coalesce, mergedModes_cons, ← ih]
    generalize mergedModes S α = K at hh
    cases K with
    | nil => simp [mergeFront, FlatLayout.push, show s ≠ 1 by omega]
    | cons n L =>
      have hn : n.stride ≤ T.length := by
        cases α with
        | nil => simp at hh
        | cons w α =>
          simp only [List.map_cons, List.head?_cons, Option.some.injEq] at hh
          rw [hh]
          exact hα w (by simp)
      have key := stride_eq_mul_iff hT hs (hα v (by simp)) hn h.1
      simp only [mergeFront, List.map_cons, FlatLayout.push, if_neg (show s ≠ 1 by omega), key]
      split <;> rfl

theorem mem_joins {w : Nat} : {α : List Nat} → w ∈ joins α → w ∈ α.tail ∧ 2 ≤ w
  | [], h => by simp [joins] at h
  | [_], h => by simp [joins] at h
  | v :: u :: α, h => by
    simp only [joins] at h
    have key : w ∈ joins (u :: α) → w ∈ u :: α ∧ 2 ≤ w := fun hw => by
      obtain ⟨h1, h2⟩ := mem_joins hw
      exact ⟨by simp at h1; simp [h1], h2⟩
    split at h
    · rename_i hc
      rcases List.mem_cons.mp h with rfl | h
      · exact ⟨by simp, by omega⟩
      · exact key h
    · exact key h

theorem nodup_of_once {l : List Nat} (h : once l = true) (h0 : ∀ v ∈ l, v ≠ 0) : l.Nodup := by
  induction l with
  | nil => exact List.nodup_nil
  | cons v l ih =>
    simp only [once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true'] at h
    refine List.nodup_cons.mpr ⟨fun hm => ?_, ih h.2 fun w hw => h0 w (by simp [hw])⟩
    have := h.1.resolve_left (h0 v (by simp))
    rw [List.contains_iff_mem.mpr hm] at this
    cases this

theorem joins_sublist : (α : List Nat) → (joins α).Sublist α.tail
  | [] => .slnil
  | [_] => .slnil
  | v :: u :: α => by
    have ih := joins_sublist (u :: α)
    simp only [joins, List.tail_cons] at ih ⊢
    split
    · exact .cons₂ u ih
    · exact .cons u ih

theorem once_sublist {a b : List Nat} (hs : a.Sublist b) (h : once b = true) : once a = true := by
  induction hs with
  | slnil => rfl
  | cons v _ ih =>
    simp only [once, Bool.and_eq_true] at h
    exact ih h.2
  | cons₂ v hs ih =>
    simp only [once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true'] at h ⊢
    refine ⟨h.1.imp_right fun h1 => Bool.eq_false_iff.mpr fun hm => ?_, ih h.2⟩
    rw [List.contains_iff_mem.mpr (hs.subset (List.contains_iff_mem.mp hm))] at h1
    cases h1

theorem not_mem_of_once {v : Nat} {l : List Nat} (h : once (v :: l) = true) (h0 : v ≠ 0) : v ∉ l := fun hm => by
  simp only [once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true'] at h
  have := h.1.resolve_left h0
  rw [List.contains_iff_mem.mpr hm] at this
  cases this

/-- An image that is left does not join the one before it. -/
theorem not_joined : {S α : List Nat} → S.length = α.length → once α = true →
    ∀ m ∈ mergedModes S α, m.stride = 0 ∨ m.stride ∉ joins α
  | [], [], _, _ => by simp [mergedModes]
  | [], _ :: _, h, _ => by simp at h
  | _ :: _, [], h, _ => by simp at h
  | s :: S, [v], h, _ => by simp [joins]
  | s :: S, v :: w :: α, h, ho => by
    have ho' : once (w :: α) = true := by simp only [once, Bool.and_eq_true] at ho ⊢; exact ho.2
    have hl : S.length = (w :: α).length := by simpa using h
    have ih := not_joined hl ho'
    obtain ⟨h1, h2⟩ := mergedModes_images hl
    rw [mergedModes_cons]
    have hv : v = 0 ∨ v ∉ joins (v :: w :: α) := by
      by_cases v0 : v = 0
      · exact .inl v0
      · exact .inr fun hm => not_mem_of_once ho v0 (mem_joins hm).1
    generalize mergedModes S (w :: α) = K at ih h1 h2
    cases K with
    | nil => simp at h2
    | cons n L =>
      simp only [List.map_cons, List.head?_cons, Option.some.injEq] at h2
      simp only [List.map_cons, h2] at h1
      have hL : ∀ m ∈ L, m.stride = 0 ∨ m.stride ≠ w := fun m hm => by
        by_cases h0 : m.stride = 0
        · exact .inl h0
        · refine .inr fun e => ?_
          have hw : w ∉ α := not_mem_of_once ho' (by omega)
          refine hw ((List.cons_sublist_cons.mp h1).subset ?_)
          rw [← e]
          exact List.mem_map_of_mem hm
      have rest : ∀ m ∈ L, m.stride = 0 ∨ m.stride ∉ joins (v :: w :: α) := fun m hm => by
        rcases ih m (by simp [hm]) with h0 | h0
        · exact .inl h0
        · rcases hL m hm with h3 | h3
          · exact .inl h3
          · right
            simp only [joins]
            split
            · simp [h0, h3]
            · exact h0
      simp only [mergeFront]
      split
      · intro m hm
        rcases List.mem_cons.mp hm with rfl | hm
        · exact hv
        · exact rest m hm
      · rename_i hc
        intro m hm
        rcases List.mem_cons.mp hm with rfl | hm
        · exact hv
        rcases List.mem_cons.mp hm with rfl | hm
        · rcases ih m (by simp) with h0 | h0
          · exact .inl h0
          · right
            simp only [joins]
            split
            · rename_i hj
              exact absurd (.inr ⟨hj.1, by rw [h2]; exact hj.2⟩) hc
            · exact h0
        · exact rest m hm

/-- How many places join from behind `p` to `b`. -/
def joinedIn (J : List Nat) (p b : Nat) : Nat := (J.filter fun j => decide (p < j) && decide (j ≤ b)).length

theorem joinedIn_step {J : List Nat} (hJ : J.Nodup) {p b : Nat} (h : p < b) :
    joinedIn J p b = joinedIn J (p + 1) b + if p + 1 ∈ J then 1 else 0 := by
  induction J with
  | nil => simp [joinedIn]
  | cons j J ih =>
    rw [List.nodup_cons] at hJ
    have ih := ih hJ.2
    simp only [joinedIn, List.filter_cons, List.mem_cons] at ih ⊢
    by_cases e : p + 1 = j
    · subst e
      have h1 : p + 1 ∉ J := hJ.1
      simp only [if_neg h1] at ih
      simp [ih, show p + 1 ≤ b by omega]
    · have h2 : (decide (p < j) && decide (j ≤ b)) = (decide (p + 1 < j) && decide (j ≤ b)) := by
        have : p < j ↔ p + 1 < j := by omega
        simp [this]
      have h3 : (p + 1 = j ∨ p + 1 ∈ J) ↔ p + 1 ∈ J := by simp [e]
      simp only [h2, h3]
      split <;> simp [ih] <;> omega

theorem joinedIn_self (J : List Nat) (p : Nat) : joinedIn J p p = 0 := by
  simp only [joinedIn, List.length_eq_zero_iff, List.filter_eq_nil_iff]
  intro j _
  simp only [Bool.and_eq_true, decide_eq_true_eq]
  omega

/-- In the merged codomain, a place that does not join has its stride, as many places further in front as join before it. -/
theorem stride_mergeCodomain {J : List Nat} (hJ : J.Nodup) : {T : List Nat} → (∀ t ∈ T, 1 < t) → {p k : Nat} → k < T.length →
    (k = 0 ∨ p + k ∉ J) → stride (mergeCodomain J p T) (k + 1 - joinedIn J p (p + k)) = stride T (k + 1)
  | [], _, _, _, h, _ => by simp at h
  | [t], _, p, k, h, _ => by
    have : k = 0 := by simpa using h
    subst this
    simp [mergeCodomain, stride, joinedIn_self]
  | t :: u :: T, hT, p, 0, _, _ => by
    change stride _ (1 - joinedIn J p p) = _
    rw [joinedIn_self]
    simp only [mergeCodomain]
    split <;> (try split) <;> rfl
  | t :: u :: T, hT, p, k + 1, h, hk => by
    have hT' : ∀ x ∈ u :: T, 1 < x := fun x hx => hT x (by simp [hx])
    have hk' : p + 1 + k ∉ J := by
      have := hk.resolve_left (by omega)
      rwa [show p + (k + 1) = p + 1 + k by omega] at this
    have ih := stride_mergeCodomain hJ hT' (p := p + 1) (k := k) (by simpa using h) (.inr hk')
    have hpos : 0 < stride (u :: T) (k + 1) :=
      stride_pos (fun x hx => by have := hT' x hx; omega) (by omega) (by simp only [List.length_cons] at h ⊢; omega)
    have hstep := joinedIn_step hJ (p := p) (b := p + 1 + k) (by omega)
    rw [show p + (k + 1) = p + 1 + k by omega, hstep]
    have hi : k + 1 - joinedIn J (p + 1) (p + 1 + k) ≠ 0 := fun e => by
      rw [e, stride_zero] at ih
      omega
    rw [mergeCodomain]
    generalize hM : mergeCodomain J (p + 1) (u :: T) = M at ih
    generalize joinedIn J (p + 1) (p + 1 + k) = c at ih hi
    obtain ⟨i, hi⟩ : ∃ i, k + 1 - c = i + 1 := ⟨k + 1 - c - 1, by omega⟩
    rw [hi] at ih
    cases M with
    | nil => simp [stride] at ih; omega
    | cons x U =>
      simp only [List.contains_eq_mem, decide_eq_true_eq]
      by_cases hj : p + 1 ∈ J
      · simp only [if_pos hj]
        have hk0 : k ≠ 0 := fun e => by rw [e, Nat.add_zero] at hk'; exact hk' hj
        rw [show k + 1 + 1 - (c + 1) = i + 1 by omega]
        cases i with
        | zero =>
          -- the first stride of all is 1, and this one is not
          exfalso
          obtain ⟨k', rfl⟩ : ∃ k', k = k' + 1 := ⟨k - 1, by omega⟩
          cases T with
          | nil => simp only [List.length_cons, List.length_nil] at h; omega
          | cons y T =>
            have h1 : 0 < stride (y :: T) (k' + 1) :=
              stride_pos (fun x hx => by have := hT' x (by simp [hx]); omega) (by omega) (by simp only [List.length_cons] at h ⊢; omega)
            have h2 := hT' u (by simp)
            have h3 : u * 1 ≤ u * stride (y :: T) (k' + 1) := Nat.mul_le_mul_left _ h1
            simp only [stride] at ih h3
            omega
        | succ i =>
          simp only [stride] at ih ⊢
          rw [← ih, Nat.mul_assoc]
      · simp only [if_neg hj, Nat.add_zero]
        rw [show k + 1 + 1 - c = i + 2 by omega]
        simp only [stride] at ih ⊢
        rw [ih]

end CoalesceAux

namespace TupleMorphism

/-- **Coalescing a morphism coalesces its layout.** The source's rule, as printed on the blog, leaves entries of 1 where they
are, and then this does not hold.
Rust: `razorgirl::category::TupleMorphism::coalesce`
Source: Categorical Foundations, theorem C (3.2.6.13; repaired: `coalesce_counterexample`) -/
theorem encodedLayout_coalesce {f : TupleMorphism} (hf : f.Valid) :
    f.coalesce.encodedLayout = FlatLayout.coalesce f.encodedLayout := by
  obtain ⟨hg, hS, hT, hsq⟩ := encodedLayout_squeeze hf
  rw [← FlatLayout.coalesce_squeeze f.encodedLayout, ← hsq, coalesce]
  generalize f.squeeze = g at hg hS hT
  have hT' : ∀ t ∈ g.codomain, 1 < t := fun t ht => by have := hg.2.1 t ht; have := hT t ht; omega
  have hS' : ∀ s ∈ g.domain, 1 < s := fun s hs => by have := hg.1 s hs; have := hS s hs; omega
  have hlen := length_map_of_matches hg.2.2.2
  have ho : once g.map = true := hg.2.2.1.2
  have hJ : (joins g.map).Nodup := nodup_of_once
    (once_sublist ((joins_sublist g.map).trans (List.tail_sublist _)) ho) fun v hv => by have := (mem_joins hv).2; omega
  have hm := map_mergedModes hT' hg.2.2.2 hS' hg.2.2.1.1
  rw [show FlatLayout.coalesce g.encodedLayout = _ from hm.symm]
  simp only [merged, encodedLayout, List.map_map, List.zipWith_map, List.zipWith_self]
  refine List.map_congr_left fun m hmem => ?_
  simp only [Function.comp_apply, Mode.mk.injEq, true_and]
  have hmα : m.stride ∈ g.map := (mergedModes_images hlen).1.subset (List.mem_map_of_mem hmem)
  have hle : m.stride ≤ g.codomain.length := hg.2.2.1.1 _ hmα
  by_cases h0 : m.stride = 0
  · simp [h0, stride_zero]
  · obtain ⟨k, hk⟩ : ∃ k, m.stride = k + 1 := ⟨m.stride - 1, by omega⟩
    have hn := (not_joined hlen ho m hmem).resolve_left h0
    have hc : ((joins g.map).filter fun j => decide (j ≤ m.stride)).length = joinedIn (joins g.map) 1 (1 + k) := by
      simp only [joinedIn]
      congr 1
      refine List.filter_congr fun j hj => ?_
      have := (mem_joins hj).2
      simp [show 1 < j by omega, hk, Nat.add_comm]
    rw [hc, hk]
    exact stride_mergeCodomain hJ hT' (by omega) (.inr (by rw [hk, Nat.add_comm] at hn; exact hn))

/-- K6: without squeezing first, the entry of 1 stays, and the layout of what is left, (2,1):(1,0), is not coalesced. -/
theorem coalesce_counterexample :
    (merged ⟨[2, 1], [2], [1, 0]⟩ []).encodedLayout = [⟨2, 1⟩, ⟨1, 0⟩] ∧ FlatLayout.coalesce [⟨2, 1⟩, ⟨1, 0⟩] = [⟨2, 1⟩] ∧
      (coalesce ⟨[2, 1], [2], [1, 0]⟩).encodedLayout = [⟨2, 1⟩] := by decide

end TupleMorphism

end Category

end Razorgirl
