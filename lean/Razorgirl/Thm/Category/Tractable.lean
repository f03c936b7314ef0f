module

public import Razorgirl.Spec.Category.Tractable
public import Razorgirl.Thm.Category.Tuple

@[expose] public section

/-!
# Tractable layouts are what morphisms encode
-/

namespace Razorgirl

namespace Category

namespace TractableAux

open TupleAux

/-! ## The modes in order -/

theorem mem_insertPlaced {x y : Mode × Nat} {Z : List (Mode × Nat)} : y ∈ insertPlaced x Z ↔ y = x ∨ y ∈ Z := by
  induction Z with
  | nil => simp [insertPlaced]
  | cons z Z ih =>
    simp only [insertPlaced]
    split
    · simp
    · simp only [List.mem_cons, ih]
      grind

theorem placed_ge {p : Nat} {L : FlatLayout} {x : Mode × Nat} (h : x ∈ placed p L) : p ≤ x.2 := by
  induction L generalizing p with
  | nil => simp [placed] at h
  | cons m L ih =>
    simp only [placed, mem_insertPlaced] at h
    rcases h with rfl | h
    · exact Nat.le_refl _
    · have := ih h
      omega

theorem getElem_mem_placed {p : Nat} {L : FlatLayout} {i : Nat} (h : i < L.length) : (L[i], p + i) ∈ placed p L := by
  induction L generalizing p i with
  | nil => simp at h
  | cons m L ih =>
    simp only [placed, mem_insertPlaced]
    match i with
    | 0 => exact .inl rfl
    | i + 1 =>
      right
      have := ih (p := p + 1) (i := i) (by simpa using h)
      simpa only [List.getElem_cons_succ, show p + 1 + i = p + (i + 1) by omega] using this

theorem mem_of_mem_placed {p : Nat} {L : FlatLayout} {x : Mode × Nat} (h : x ∈ placed p L) :
    ∃ i, ∃ hi : i < L.length, x = (L[i], p + i) := by
  induction L generalizing p with
  | nil => simp [placed] at h
  | cons m L ih =>
    simp only [placed, mem_insertPlaced] at h
    rcases h with rfl | h
    · exact ⟨0, by simp, rfl⟩
    · obtain ⟨i, hi, rfl⟩ := ih h
      exact ⟨i + 1, by simpa using hi, by simp; omega⟩

theorem before_stride {m n : Mode} (h : m.before n = true) : m.stride ≤ n.stride := by
  simp only [Mode.before, Bool.or_eq_true, decide_eq_true_eq, Bool.and_eq_true, beq_iff_eq] at h
  omega

theorem not_before_stride {m n : Mode} (h : m.before n = false) : n.stride ≤ m.stride := by
  simp only [Mode.before, Bool.or_eq_false_iff, decide_eq_false_iff_not] at h
  omega

theorem pairwise_insertPlaced {R : Mode × Nat → Mode × Nat → Prop} {x : Mode × Nat} {Z : List (Mode × Nat)}
    (h : Z.Pairwise R) (h1 : ∀ y ∈ Z, x.1.before y.1 = true → R x y ∧ ∀ z ∈ Z, R y z → R x z)
    (h2 : ∀ y ∈ Z, x.1.before y.1 = false → R y x) : (insertPlaced x Z).Pairwise R := by
  induction Z with
  | nil => simp [insertPlaced]
  | cons z Z ih =>
    rw [List.pairwise_cons] at h
    simp only [insertPlaced]
    split
    · rename_i hb
      refine List.pairwise_cons.mpr ⟨fun y hy => ?_, List.pairwise_cons.mpr h⟩
      obtain ⟨a, b⟩ := h1 z (by simp) hb
      rcases List.mem_cons.mp hy with rfl | hy'
      · exact a
      · exact b y hy (h.1 y hy')
    · rename_i hb
      refine List.pairwise_cons.mpr ⟨fun y hy => ?_, ih h.2 (fun y hy hb => ?_) fun y hy => h2 y (by simp [hy])⟩
      · rcases mem_insertPlaced.mp hy with rfl | hy'
        · exact h2 z (by simp) (by simpa using hb)
        · exact h.1 y hy'
      · obtain ⟨a, b⟩ := h1 y (by simp [hy]) hb
        exact ⟨a, fun w hw => b w (by simp [hw])⟩

theorem placed_sorted (p : Nat) (L : FlatLayout) : (placed p L).Pairwise fun x y => x.1.stride ≤ y.1.stride := by
  induction L generalizing p with
  | nil => exact List.Pairwise.nil
  | cons m L ih =>
    exact pairwise_insertPlaced (ih (p + 1))
      (fun y _ hb => ⟨before_stride hb, fun z _ hz => Nat.le_trans (before_stride hb) hz⟩) fun y _ hb => not_before_stride hb

theorem placed_distinct (p : Nat) (L : FlatLayout) : (placed p L).Pairwise fun x y => x.2 ≠ y.2 := by
  induction L generalizing p with
  | nil => exact List.Pairwise.nil
  | cons m L ih =>
    have far : ∀ y ∈ placed (p + 1) L, p ≠ y.2 := fun y hy => by have := placed_ge hy; omega
    exact pairwise_insertPlaced (ih (p + 1)) (fun y hy _ => ⟨far y hy, fun z hz _ => far z hz⟩)
      fun y hy _ => (far y hy).symm

/-! ## Blocks that divide in turn -/

/-- The block divides each stride that is not 0, which with its extent is the next block. -/
def Chained (block : Nat) : List (Mode × Nat) → Prop
  | [] => True
  | x :: Z =>
    if x.1.stride = 0 then Chained block Z else x.1.stride % block = 0 ∧ Chained (x.1.stride * x.1.extent) Z

theorem chained_of_breaks : {x : Mode × Nat} → {Z : List (Mode × Nat)} → (∀ y ∈ x :: Z, 0 < y.1.extent) →
    (x :: Z).Pairwise (fun x y => x.1.stride ≤ y.1.stride) → breaks (x :: Z) = none → x.1.stride ≠ 0 →
    Chained (x.1.stride * x.1.extent) Z
  | _, [], _, _, _, _ => trivial
  | x, y :: Z, hpos, hs, hb, h0 => by
    have hx := hpos x (by simp)
    have hxy := (List.pairwise_cons.mp hs).1 y (by simp)
    have hne : x.1.extent * x.1.stride ≠ 0 := Nat.mul_ne_zero (by omega) h0
    simp only [breaks, hne, false_or] at hb
    split at hb
    · rename_i hd
      simp only [Chained, if_neg (show y.1.stride ≠ 0 by omega)]
      exact ⟨by rw [Nat.mul_comm]; exact hd, chained_of_breaks (fun z hz => hpos z (by simp [hz]))
        (List.pairwise_cons.mp hs).2 hb (by omega)⟩
    · cases hb

theorem chained_one : {Z : List (Mode × Nat)} → (∀ y ∈ Z, 0 < y.1.extent) →
    Z.Pairwise (fun x y => x.1.stride ≤ y.1.stride) → breaks Z = none → Chained 1 Z
  | [], _, _, _ => trivial
  | x :: Z, hpos, hs, hb => by
    simp only [Chained]
    split
    · rename_i h0
      refine chained_one (fun y hy => hpos y (by simp [hy])) (List.pairwise_cons.mp hs).2 ?_
      match Z, hb with
      | [], _ => rfl
      | y :: Z, hb => simpa only [breaks, h0, Nat.mul_zero, true_or, if_true] using hb
    · rename_i h0
      exact ⟨Nat.mod_one _, chained_of_breaks hpos hs hb h0⟩

/-! ## The standard representation -/

theorem stride_append (T : List Nat) (t : Nat) (U : List Nat) : TupleMorphism.stride (T ++ t :: U) (T.length + 1) = prod T := by
  induction T with
  | nil => rfl
  | cons x T ih => simp only [List.cons_append, List.length_cons, TupleMorphism.stride, ih, prod]

theorem nth_append (T : List Nat) (t : Nat) (U : List Nat) : nth 0 (T ++ t :: U) (T.length + 1) = t := by
  induction T with
  | nil => rfl
  | cons x T ih => simpa only [List.cons_append, List.length_cons, nth_succ] using ih

theorem imageOf_of_not_mem {p : Nat} : {Z : List (Mode × Nat)} → (block n : Nat) → (∀ y ∈ Z, y.2 ≠ p) →
    imageOf p block n Z = 0
  | [], _, _, _ => rfl
  | x :: Z, block, n, h => by
    have hx := h x (by simp)
    have hZ : ∀ y ∈ Z, y.2 ≠ p := fun y hy => h y (by simp [hy])
    simp only [imageOf, if_neg hx]
    split
    · exact imageOf_of_not_mem block n hZ
    · exact imageOf_of_not_mem _ _ hZ

/-- Each mode has its stride before its image, and its extent there. -/
theorem image_right : {Z : List (Mode × Nat)} → (T : List Nat) → Z.Pairwise (fun x y => x.2 ≠ y.2) → Chained (prod T) Z →
    ∀ x ∈ Z, TupleMorphism.stride (T ++ blocks (prod T) Z) (imageOf x.2 (prod T) T.length Z) = x.1.stride ∧
      (imageOf x.2 (prod T) T.length Z = 0 ∨
        nth 0 (T ++ blocks (prod T) Z) (imageOf x.2 (prod T) T.length Z) = x.1.extent)
  | [], _, _, _, x, hx => by simp at hx
  | z :: Z, T, hd, hc, x, hx => by
    rw [List.pairwise_cons] at hd
    simp only [Chained] at hc
    simp only [blocks, imageOf]
    by_cases h0 : z.1.stride = 0
    · simp only [h0, if_true] at hc ⊢
      rcases List.mem_cons.mp hx with rfl | hx'
      · rw [imageOf_of_not_mem _ _ fun y hy => (hd.1 y hy).symm]
        exact ⟨by rw [TupleMorphism.stride_zero, h0], .inl rfl⟩
      · exact image_right T hd.2 hc x hx'
    · simp only [h0, if_false] at hc ⊢
      by_cases hb : z.1.stride = prod T
      · simp only [hb, if_true]
        by_cases hp : z.2 = x.2
        · have e : z = x := by
            rcases List.mem_cons.mp hx with h | h
            · exact h.symm
            · exact absurd hp (hd.1 x h)
          subst e
          simp only [if_true]
          exact ⟨(stride_append T _ _).trans hb.symm, .inr (nth_append T _ _)⟩
        · rw [if_neg hp]
          have hx' : x ∈ Z := (List.mem_cons.mp hx).resolve_left fun e => hp (e ▸ rfl)
          have hT : prod (T ++ [z.1.extent]) = prod T * z.1.extent := by simp [prod_append, prod]
          have := image_right (T ++ [z.1.extent]) hd.2 (by rw [hT, ← hb]; exact hc.2) x hx'
          simpa only [hT, List.length_append, List.length_cons, List.length_nil, Nat.zero_add, List.append_assoc,
            List.cons_append, List.nil_append] using this
      · simp only [hb, if_false]
        have hq : prod T * (z.1.stride / prod T) = z.1.stride := Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hc.1)
        by_cases hp : z.2 = x.2
        · have e : z = x := by
            rcases List.mem_cons.mp hx with h | h
            · exact h.symm
            · exact absurd hp (hd.1 x h)
          subst e
          simp only [if_true]
          have hT : prod (T ++ [z.1.stride / prod T]) = z.1.stride := by simp [prod_append, prod, hq]
          have h1 := stride_append (T ++ [z.1.stride / prod T]) z.1.extent (blocks (z.1.stride * z.1.extent) Z)
          have h2 := nth_append (T ++ [z.1.stride / prod T]) z.1.extent (blocks (z.1.stride * z.1.extent) Z)
          simp only [List.length_append, List.length_cons, List.length_nil, Nat.zero_add, List.append_assoc, List.cons_append,
            List.nil_append] at h1 h2
          exact ⟨h1.trans hT, .inr h2⟩
        · rw [if_neg hp]
          have hx' : x ∈ Z := (List.mem_cons.mp hx).resolve_left fun e => hp (e ▸ rfl)
          have hT : prod (T ++ [z.1.stride / prod T, z.1.extent]) = z.1.stride * z.1.extent := by
            simp only [prod_append, prod, Nat.mul_one, ← Nat.mul_assoc, hq]
          have := image_right (T ++ [z.1.stride / prod T, z.1.extent]) hd.2 (by rw [hT]; exact hc.2) x hx'
          simpa only [hT, List.length_append, List.length_cons, List.length_nil, Nat.zero_add, List.append_assoc,
            List.cons_append, List.nil_append] using this

theorem zipWith_listed {L : FlatLayout} {g : Nat → Nat} (h : ∀ i (hi : i < L.length), g (i + 1) = L[i].stride) :
    L.shape.zipWith Mode.mk (listed L.length g) = L := by
  induction L generalizing g with
  | nil => rfl
  | cons m L ih =>
    rw [List.length_cons, listed_succ]
    have h0 := h 0 (by simp)
    have := ih (g := fun j => g (j + 1)) fun i hi => h (i + 1) (by simpa using hi)
    simp only [FlatLayout.shape, List.map_cons, List.zipWith_cons_cons] at this ⊢
    rw [this]
    congr 1
    simp only [h0, List.getElem_cons_zero]

theorem matches_listed {T : List Nat} {L : FlatLayout} {g : Nat → Nat}
    (h : ∀ i (hi : i < L.length), g (i + 1) = 0 ∨ nth 0 T (g (i + 1)) = L[i].extent) :
    TupleMorphism.Matches T L.shape (listed L.length g) := by
  induction L generalizing g with
  | nil => trivial
  | cons m L ih =>
    rw [List.length_cons, listed_succ]
    exact ⟨h 0 (by simp), ih (g := fun j => g (j + 1)) fun i hi => h (i + 1) (by simpa using hi)⟩

theorem once_listed {n : Nat} {g : Nat → Nat}
    (h : ∀ i j, 0 < i → i < j → j ≤ n → g i = g j → g i = 0) : once (listed n g) = true := by
  induction n generalizing g with
  | zero => rfl
  | succ n ih =>
    rw [listed_succ]
    simp only [once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true']
    refine ⟨?_, ih (g := fun j => g (j + 1)) fun i j h0 hij hj e => h (i + 1) (j + 1) (by omega) (by omega) (by omega) e⟩
    by_cases h0 : g 1 = 0
    · exact .inl h0
    · refine .inr (Bool.eq_false_iff.mpr fun hm => ?_)
      obtain ⟨j, hj, e⟩ := List.mem_map.mp (List.contains_iff_mem.mp hm)
      exact h0 (h 1 (j + 1 + 1) (by omega) (by omega) (by have := List.mem_range.mp hj; omega) e.symm)

theorem imageOf_gt {p : Nat} : {Z : List (Mode × Nat)} → (block n : Nat) →
    imageOf p block n Z = 0 ∨ n < imageOf p block n Z
  | [], _, _ => .inl rfl
  | x :: Z, block, n => by
    simp only [imageOf]
    split
    · exact imageOf_gt block n
    · split
      · right; split <;> omega
      · rcases imageOf_gt (p := p) (Z := Z) (x.1.stride * x.1.extent) (if x.1.stride = block then n + 1 else n + 2) with h | h
        · exact .inl h
        · right
          refine Nat.lt_trans ?_ h
          split <;> omega

theorem imageOf_injective {p q : Nat} : {Z : List (Mode × Nat)} → (block n : Nat) →
    imageOf p block n Z = imageOf q block n Z → imageOf p block n Z ≠ 0 → p = q
  | [], _, _, _, h0 => absurd rfl h0
  | x :: Z, block, n, h, h0 => by
    simp only [imageOf] at h h0
    split at h
    · rename_i hz
      simp only [hz, if_true] at h0
      exact imageOf_injective block n h h0
    · rename_i hz
      simp only [hz, if_false] at h0
      have gt := fun r => imageOf_gt (p := r) (Z := Z) (x.1.stride * x.1.extent) (if x.1.stride = block then n + 1 else n + 2)
      by_cases hp : x.2 = p <;> by_cases hq : x.2 = q
      · exact hp.symm.trans hq
      · simp only [hp, if_true, if_neg (hp ▸ hq)] at h h0
        have := gt q
        omega
      · simp only [hq, if_true, if_neg (hq ▸ hp)] at h h0
        have := gt p
        omega
      · simp only [if_neg hp, if_neg hq] at h h0
        exact imageOf_injective _ _ h h0

theorem blocks_pos : {Z : List (Mode × Nat)} → {block : Nat} → 0 < block → (∀ y ∈ Z, 0 < y.1.extent) → Chained block Z →
    ∀ t ∈ blocks block Z, 0 < t
  | [], _, _, _, _, t, ht => by simp [blocks] at ht
  | x :: Z, block, hb, hpos, hc, t, ht => by
    have hx := hpos x (by simp)
    have hZ : ∀ y ∈ Z, 0 < y.1.extent := fun y hy => hpos y (by simp [hy])
    simp only [Chained] at hc
    simp only [blocks] at ht
    split at ht
    · rename_i h0
      rw [if_pos h0] at hc
      exact blocks_pos hb hZ hc t ht
    · rename_i h0
      rw [if_neg h0] at hc
      have hn : 0 < x.1.stride * x.1.extent := Nat.mul_pos (by omega) hx
      split at ht
      · rcases List.mem_cons.mp ht with rfl | ht
        · exact hx
        · exact blocks_pos hn hZ hc.2 t ht
      · rcases List.mem_cons.mp ht with rfl | ht
        · exact Nat.div_pos (Nat.le_of_dvd (by omega) (Nat.dvd_of_mod_eq_zero hc.1)) hb
        · rcases List.mem_cons.mp ht with rfl | ht
          · exact hx
          · exact blocks_pos hn hZ hc.2 t ht

theorem le_of_nth {T : List Nat} {v : Nat} (h : nth 0 T v ≠ 0) : v ≤ T.length := by
  induction T generalizing v with
  | nil => exact absurd (nth_nil 0 v) h
  | cons t T ih =>
    match v with
    | 0 => omega
    | 1 => simp
    | v + 2 =>
      have := ih (v := v + 1) h
      simp only [List.length_cons]
      omega

/-- What a tractable layout's modes in order satisfy. -/
theorem ready {L : FlatLayout} (hL : FlatLayout.Valid L) (h : isTractable L = true) :
    (∀ y ∈ placed 1 L, 0 < y.1.extent) ∧ Chained 1 (placed 1 L) := by
  have hpos : ∀ y ∈ placed 1 L, 0 < y.1.extent := fun y hy => by
    obtain ⟨i, hi, rfl⟩ := mem_of_mem_placed hy
    exact (FlatLayout.valid_iff_forall L).mp hL _ (List.getElem_mem hi)
  refine ⟨hpos, chained_one hpos (placed_sorted 1 L) ?_⟩
  simp only [isTractable, obstruction, Option.isNone_iff_eq_none, Option.map_eq_none_iff] at h
  exact h

theorem stride_pos {T : List Nat} (hT : ∀ t ∈ T, 0 < t) {v : Nat} (h0 : v ≠ 0) (hv : v ≤ T.length) :
    0 < TupleMorphism.stride T v := by
  induction T generalizing v with
  | nil => simp at hv; exact absurd hv h0
  | cons t T ih =>
    match v with
    | 0 => exact absurd rfl h0
    | 1 => exact Nat.one_pos
    | v + 2 =>
      exact Nat.mul_pos (hT t (by simp)) (ih (fun t ht => hT t (by simp [ht])) (v := v + 1) (by omega) (by simpa using hv))

theorem imageOf_cons_ne {p block n : Nat} {z : Mode × Nat} {Z : List (Mode × Nat)} (h : z.2 ≠ p) :
    imageOf p block n (z :: Z) = if z.1.stride = 0 then imageOf p block n Z
      else imageOf p (z.1.stride * z.1.extent) (if z.1.stride = block then n + 1 else n + 2) Z := by
  simp only [imageOf, if_neg h]

/-- Each further entry of the codomain is an image, or is not 1 and stands right before one. -/
theorem image_hits : {Z : List (Mode × Nat)} → (T : List Nat) → Z.Pairwise (fun x y => x.2 ≠ y.2) → 0 < prod T →
    (∀ y ∈ Z, 0 < y.1.extent) → Chained (prod T) Z → ∀ j, T.length < j → j ≤ (T ++ blocks (prod T) Z).length →
      (∃ x ∈ Z, imageOf x.2 (prod T) T.length Z = j) ∨
        (nth 0 (T ++ blocks (prod T) Z) j ≠ 1 ∧ ∃ x ∈ Z, imageOf x.2 (prod T) T.length Z = j + 1)
  | [], T, _, _, _, _, j, h1, h2 => by simp [blocks] at h2; omega
  | z :: Z, T, hd, hp, he, hc, j, h1, h2 => by
    rw [List.pairwise_cons] at hd
    have hez : ∀ y ∈ Z, 0 < y.1.extent := fun y hy => he y (by simp [hy])
    have hz := he z (by simp)
    simp only [Chained] at hc
    have lift : ∀ {k : Nat}, (∃ x ∈ Z, (if z.1.stride = 0 then imageOf x.2 (prod T) T.length Z
        else imageOf x.2 (z.1.stride * z.1.extent) (if z.1.stride = prod T then T.length + 1 else T.length + 2) Z) = k) →
        ∃ x ∈ z :: Z, imageOf x.2 (prod T) T.length (z :: Z) = k := fun ⟨x, hx, e⟩ =>
      ⟨x, by simp [hx], by rw [imageOf_cons_ne (hd.1 x hx)]; exact e⟩
    by_cases h0 : z.1.stride = 0
    · simp only [h0, if_true] at hc lift
      have hb : blocks (prod T) (z :: Z) = blocks (prod T) Z := by simp only [blocks, h0, if_true]
      rw [hb] at h2 ⊢
      rcases image_hits T hd.2 hp hez hc j h1 h2 with h | ⟨h, h'⟩
      · exact .inl (lift h)
      · exact .inr ⟨h, lift h'⟩
    · simp only [h0, if_false] at hc lift
      by_cases hb : z.1.stride = prod T
      · simp only [hb, if_true] at lift
        have hp0 : prod T ≠ 0 := by omega
        have hT : prod (T ++ [z.1.extent]) = prod T * z.1.extent := by simp [prod_append, prod]
        have hbl : T ++ blocks (prod T) (z :: Z) = (T ++ [z.1.extent]) ++ blocks (prod (T ++ [z.1.extent])) Z := by
          simp only [blocks, hb, hp0, if_false, if_true, hT, List.append_assoc, List.cons_append, List.nil_append]
        by_cases hj : j = T.length + 1
        · refine .inl ⟨z, by simp, ?_⟩
          simp only [imageOf, hb, hp0, if_false, if_true, hj]
        · rw [hbl] at h2 ⊢
          have hl : (T ++ [z.1.extent]).length = T.length + 1 := by simp
          have := image_hits (T ++ [z.1.extent]) hd.2 (by rw [hT]; exact Nat.mul_pos hp hz) hez
            (by rw [hT, ← hb]; exact hc.2) j (by omega) h2
          rw [hl, hT] at this
          rcases this with h | ⟨h, h'⟩
          · exact .inl (lift h)
          · exact .inr ⟨by rw [hT]; exact h, lift h'⟩
      · simp only [hb, if_false] at lift
        have hq : prod T * (z.1.stride / prod T) = z.1.stride := Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hc.1)
        have hT : prod (T ++ [z.1.stride / prod T, z.1.extent]) = z.1.stride * z.1.extent := by
          simp only [prod_append, prod, Nat.mul_one, ← Nat.mul_assoc, hq]
        have hbl : T ++ blocks (prod T) (z :: Z)
            = (T ++ [z.1.stride / prod T, z.1.extent]) ++ blocks (prod (T ++ [z.1.stride / prod T, z.1.extent])) Z := by
          simp only [blocks, h0, if_false, hb, hT, List.append_assoc, List.cons_append, List.nil_append]
        have hzi : imageOf z.2 (prod T) T.length (z :: Z) = T.length + 2 := by
          simp only [imageOf, h0, if_false, if_true, hb]
        by_cases hj : j = T.length + 1
        · refine .inr ⟨?_, z, by simp, by rw [hzi]; omega⟩
          have hn : nth 0 (T ++ blocks (prod T) (z :: Z)) (T.length + 1) = z.1.stride / prod T := by
            simp only [blocks, h0, if_false, hb]
            exact nth_append T _ _
          rw [hj, hn]
          intro e
          rw [e, Nat.mul_one] at hq
          exact hb hq.symm
        · by_cases hj' : j = T.length + 2
          · exact .inl ⟨z, by simp, by rw [hzi, hj']⟩
          · rw [hbl] at h2 ⊢
            have hl : (T ++ [z.1.stride / prod T, z.1.extent]).length = T.length + 2 := by simp
            have := image_hits (T ++ [z.1.stride / prod T, z.1.extent]) hd.2
              (by rw [hT]; exact Nat.mul_pos (by omega) hz) hez (by rw [hT]; exact hc.2) j (by omega) h2
            rw [hl, hT] at this
            rcases this with h | ⟨h, h'⟩
            · exact .inl (lift h)
            · exact .inr ⟨by rw [hT]; exact h, lift h'⟩

/-! ## Encoded layouts are tractable -/

theorem breaks_of_pairwise : {Z : List (Mode × Nat)} →
    Z.Pairwise (fun x y => x.1.extent * x.1.stride = 0 ∨ y.1.stride % (x.1.extent * x.1.stride) = 0) → breaks Z = none
  | [], _ => rfl
  | [_], _ => rfl
  | x :: y :: Z, h => by
    rw [List.pairwise_cons] at h
    simp only [breaks, if_pos (h.1 y (by simp))]
    exact breaks_of_pairwise h.2

theorem nth_getElem {l : List Nat} {i : Nat} (h : i < l.length) : nth 0 l (i + 1) = l[i] := by
  induction l generalizing i with
  | nil => simp at h
  | cons x l ih =>
    match i with
    | 0 => rfl
    | i + 1 => exact ih (i := i) (by simpa using h)

theorem matches_getElem {T : List Nat} : {S α : List Nat} → TupleMorphism.Matches T S α → {i : Nat} →
    (h : i < S.length) → (h' : i < α.length) → α[i] = 0 ∨ nth 0 T α[i] = S[i]
  | [], _, _, _, h, _ => by simp at h
  | _ :: _, [], _, _, _, h => by simp at h
  | s :: S, v :: α, hm, i, h, h' =>
    match i with
    | 0 => hm.1
    | i + 1 => matches_getElem hm.2 (i := i) (by simpa using h) (by simpa using h')

theorem stride_dvd {T : List Nat} {v w : Nat} (h0 : v ≠ 0) (hvw : v < w) (hw : w ≤ T.length) :
    nth 0 T v * TupleMorphism.stride T v ∣ TupleMorphism.stride T w := by
  induction T generalizing v w with
  | nil => simp at hw; omega
  | cons t T ih =>
    match v, w with
    | 0, _ => exact absurd rfl h0
    | _ + 1, 0 => omega
    | _ + 1, 1 => omega
    | 1, w + 2 => exact ⟨TupleMorphism.stride T (w + 1), by simp [nth, TupleMorphism.stride]⟩
    | v + 2, w + 2 =>
      have := ih (v := v + 1) (w := w + 1) (by omega) (by omega) (by simpa using hw)
      simp only [nth_succ, TupleMorphism.stride]
      rw [Nat.mul_left_comm]
      exact Nat.mul_dvd_mul_left t this

/-- Of two modes of which one comes before the other, the block of the first divides the stride of the second. -/
theorem blocks_divide {T : List Nat} (hT : ∀ t ∈ T, 0 < t) {s v u w : Nat} (hv : v ≤ T.length) (hw : w ≤ T.length)
    (hs : v = 0 ∨ nth 0 T v = s) (hu : w = 0 ∨ nth 0 T w = u) (hvw : v = w → v = 0)
    (hb : Mode.before ⟨s, TupleMorphism.stride T v⟩ ⟨u, TupleMorphism.stride T w⟩ = true) :
    s * TupleMorphism.stride T v = 0 ∨ TupleMorphism.stride T w % (s * TupleMorphism.stride T v) = 0 := by
  by_cases h0 : v = 0
  · left; rw [h0, TupleMorphism.stride_zero, Nat.mul_zero]
  by_cases h1 : w = 0
  · right; rw [h1, TupleMorphism.stride_zero, Nat.zero_mod]
  right
  have hs := hs.resolve_left h0
  have hu := hu.resolve_left h1
  apply Nat.mod_eq_zero_of_dvd
  rcases Nat.lt_trichotomy v w with h | h | h
  · rw [← hs]; exact stride_dvd h0 h hw
  · exact absurd (hvw h) h0
  · obtain ⟨k, hk⟩ := stride_dvd h1 h hv
    have hp := stride_pos hT h0 hv
    have hq := stride_pos hT h1 hw
    simp only [Mode.before, Bool.or_eq_true, decide_eq_true_eq, Bool.and_eq_true, beq_iff_eq] at hb
    rw [hu, Nat.mul_right_comm] at hk
    have hk0 : u * k ≠ 0 := fun e => by rw [e, Nat.zero_mul] at hk; omega
    have h1 : u * k = 1 := by
      refine Nat.le_antisymm (Nat.le_of_mul_le_mul_right (?_ : _ ≤ 1 * _) hq) (by omega)
      rw [← hk]; omega
    have he : TupleMorphism.stride T v = TupleMorphism.stride T w := by rw [hk, h1, Nat.one_mul]
    have hu1 : u = 1 := Nat.eq_one_of_mul_eq_one_right h1
    have : s ≤ 1 := by omega
    have hs1 : s = 1 := by
      have := TupleMorphism.pos_nth hT h0 hv
      omega
    rw [hs1, Nat.one_mul, he]
    exact Nat.dvd_refl _

theorem placed_before (p : Nat) (L : FlatLayout) : (placed p L).Pairwise fun x y => x.1.before y.1 = true := by
  have tr : ∀ a b c : Mode, a.before b = true → b.before c = true → a.before c = true := fun a b c h1 h2 => by
    simp only [Mode.before, Bool.or_eq_true, decide_eq_true_eq, Bool.and_eq_true, beq_iff_eq] at *
    omega
  have tot : ∀ a b : Mode, a.before b = false → b.before a = true := fun a b h => by
    simp only [Mode.before, Bool.or_eq_false_iff, decide_eq_false_iff_not, Bool.and_eq_false_iff, beq_eq_false_iff_ne,
      Bool.or_eq_true, decide_eq_true_eq, Bool.and_eq_true, beq_iff_eq] at *
    omega
  induction L generalizing p with
  | nil => exact List.Pairwise.nil
  | cons m L ih => exact pairwise_insertPlaced (ih (p + 1)) (fun y _ hb => ⟨hb, fun z _ hz => tr _ _ _ hb hz⟩) fun y _ hb => tot _ _ hb

end TractableAux

open TractableAux TupleAux

/-- **A layout has a standard representation exactly when it is tractable.**
Rust: `razorgirl::category::TupleMorphism::standard_representation`, `razorgirl::category::WrittenLayout::is_tractable`
Source: Categorical Foundations 3.1.2 -/
theorem standardRepresentation_isSome_iff (L : FlatLayout) :
    (standardRepresentation L).isSome = true ↔ isTractable L = true := by
  simp only [standardRepresentation]
  split <;> simp_all

/-- **What it answers is a morphism from the shape of the layout.**
Rust: `razorgirl::category::TupleMorphism::standard_representation`
Source: Categorical Foundations 3.1.2 -/
theorem valid_standardRepresentation {L : FlatLayout} (hL : FlatLayout.Valid L) {f : TupleMorphism}
    (h : standardRepresentation L = some f) : f.Valid ∧ f.domain = L.shape := by
  simp only [standardRepresentation] at h
  split at h
  · rename_i ht
    cases h
    obtain ⟨hpos, hc⟩ := ready hL ht
    have hr := image_right [] (placed_distinct 1 L) hc
    have hv : (FinMap.identity L.length).values.map (fun p => imageOf p 1 0 (placed 1 L))
        = listed L.length fun p => imageOf p 1 0 (placed 1 L) := by
      simp only [FinMap.identity, List.map_map, listed]; rfl
    have hm : ∀ i (hi : i < L.length), imageOf (i + 1) 1 0 (placed 1 L) = 0 ∨
        nth 0 (blocks 1 (placed 1 L)) (imageOf (i + 1) 1 0 (placed 1 L)) = L[i].extent := fun i hi => by
      have := (hr _ (getElem_mem_placed (p := 1) hi)).2
      simpa only [Nat.add_comm] using this
    have hpL := (FlatLayout.valid_iff_forall L).mp hL
    refine ⟨⟨fun s hs => ?_, blocks_pos (by omega) hpos hc, ⟨fun v hv' => ?_, ?_⟩, ?_⟩, rfl⟩
    · obtain ⟨m, hm', rfl⟩ := List.mem_map.mp hs
      exact hpL m hm'
    · simp only [TupleMorphism.fin, hv] at hv' ⊢
      obtain ⟨i, hi, rfl⟩ := List.mem_map.mp hv'
      have hi := List.mem_range.mp hi
      change imageOf (i + 1) 1 0 (placed 1 L) ≤ _
      rcases hm i hi with h0 | h1
      · omega
      · exact le_of_nth (by rw [h1]; have := hpL _ (List.getElem_mem hi); omega)
    · simp only [TupleMorphism.fin, hv]
      refine once_listed fun i j h0 hij hj e => ?_
      by_cases hz : imageOf i 1 0 (placed 1 L) = 0
      · exact hz
      · have := imageOf_injective _ _ e hz
        omega
    · simp only [hv]
      exact matches_listed hm
  · cases h

/-- **The standard representation of a tractable layout encodes that layout, strides under extents of 1 included.**
Rust: `razorgirl::category::TupleMorphism::standard_representation`
Source: Categorical Foundations 3.1.2 -/
theorem encodedLayout_standardRepresentation {L : FlatLayout} (hL : FlatLayout.Valid L) {f : TupleMorphism}
    (h : standardRepresentation L = some f) : f.encodedLayout = L := by
  simp only [standardRepresentation] at h
  split at h
  · rename_i ht
    cases h
    obtain ⟨hpos, hc⟩ := ready hL ht
    refine Eq.trans ?_ (zipWith_listed (g := fun p => TupleMorphism.stride (blocks 1 (placed 1 L)) (imageOf p 1 0 (placed 1 L)))
      fun i hi => ?_)
    · simp only [TupleMorphism.encodedLayout, FinMap.identity, List.map_map, listed]
      rfl
    · have := (image_right [] (placed_distinct 1 L) hc _ (getElem_mem_placed (p := 1) hi)).1
      simpa only [Nat.add_comm] using this
  · cases h

/-- **The standard representation is of standard form, and sends entries of 1 to the basepoint where their strides are 0.**
Rust: `razorgirl::category::TupleMorphism::standard_representation`, `razorgirl::category::TupleMorphism::is_standard`
Source: Categorical Foundations 3.1.2.12 (repaired: `standard_counterexample`) -/
theorem isStandard_standardRepresentation {L : FlatLayout} (hL : FlatLayout.Valid L) {f : TupleMorphism}
    (h : standardRepresentation L = some f) :
    f.isStandard = true ∧ ((∀ m ∈ L, m.extent = 1 → m.stride = 0) → f.isNonDegenerate = true) := by
  have hv := valid_standardRepresentation hL h
  simp only [standardRepresentation] at h
  split at h
  · rename_i ht
    cases h
    obtain ⟨hpos, hc⟩ := ready hL ht
    refine ⟨?_, fun hdeg => ?_⟩
    · have mem : ∀ {k : Nat}, (∃ x ∈ placed 1 L, imageOf x.2 1 0 (placed 1 L) = k) →
          ((FinMap.identity L.length).values.map fun p => imageOf p 1 0 (placed 1 L)).contains k = true := fun ⟨x, hx, e⟩ => by
        obtain ⟨i, hi, rfl⟩ := mem_of_mem_placed hx
        refine List.contains_iff_mem.mpr (List.mem_map.mpr ⟨1 + i, ?_, e⟩)
        simp only [FinMap.identity, List.mem_map, List.mem_range]
        exact ⟨i, hi, by omega⟩
      simp only [TupleMorphism.isStandard, List.all_eq_true, Bool.or_eq_true, Bool.and_eq_true, bne_iff_ne]
      intro j hj
      simp only [FinMap.identity, List.mem_map, List.mem_range] at hj
      obtain ⟨k, hk, rfl⟩ := hj
      rcases image_hits [] (placed_distinct 1 L) Nat.one_pos hpos hc (k + 1) (by simp) (by simpa [prod] using hk) with h | ⟨h, h'⟩
      · exact .inl (mem h)
      · exact .inr ⟨h, mem h'⟩
    · simp only [TupleMorphism.isNonDegenerate, List.all_eq_true, Bool.or_eq_true, bne_iff_ne, beq_iff_eq]
      rintro ⟨s, v⟩ hsv
      by_cases hs : s = 1
      · right
        -- its stride is 0, which only the basepoint has
        obtain ⟨i, hi, e⟩ := List.getElem_of_mem hsv
        simp only [List.getElem_zip, Prod.mk.injEq, FinMap.identity, List.map_map, List.getElem_map, List.getElem_range,
          FlatLayout.shape, Function.comp_apply] at e
        have hi' : i < L.length := by simp [FlatLayout.shape, FinMap.identity] at hi; omega
        have h0 := hdeg L[i] (List.getElem_mem hi') (e.1.trans hs)
        have h1 : TupleMorphism.stride (blocks 1 (placed 1 L)) v = 0 := by
          have := (image_right [] (placed_distinct 1 L) hc _ (getElem_mem_placed (p := 1) hi')).1
          refine Eq.trans ?_ h0
          rw [← e.2]
          simpa only [Nat.add_comm] using this
        by_cases hv0 : v = 0
        · exact hv0
        · have hvl : v ≤ (blocks 1 (placed 1 L)).length := hv.1.2.2.1.1 v (by
            refine List.mem_map.mpr ⟨i + 1, ?_, e.2⟩
            simp only [FinMap.identity, List.mem_map, List.mem_range]
            exact ⟨i, hi', rfl⟩)
          have h2 : 0 < TupleMorphism.stride (blocks 1 (placed 1 L)) v := stride_pos hv.1.2.1 hv0 hvl
          omega
      · exact .inl hs
  · cases h

/-- **What a morphism encodes is tractable.**
Rust: `razorgirl::category::WrittenLayout::is_tractable`, `razorgirl::category::TupleMorphism::encoded_layout`
Source: Categorical Foundations 3.1.2.10 (the blog's condition: repaired: `tractable_counterexample`) -/
theorem isTractable_encodedLayout {f : TupleMorphism} (hf : f.Valid) : isTractable f.encodedLayout = true := by
  have hl := TupleMorphism.length_map_of_matches hf.2.2.2
  have hL : ∀ i (hi : i < f.encodedLayout.length), ∃ (h1 : i < f.domain.length) (h2 : i < f.map.length),
      f.encodedLayout[i] = ⟨f.domain[i], TupleMorphism.stride f.codomain f.map[i]⟩ := fun i hi => by
    have hi' : i < f.domain.length := by simpa [TupleMorphism.encodedLayout, hl] using hi
    exact ⟨hi', hl ▸ hi', by simp [TupleMorphism.encodedLayout]⟩
  have key : breaks (placed 1 f.encodedLayout) = none := by
    refine breaks_of_pairwise (((placed_before 1 f.encodedLayout).and (placed_distinct 1 f.encodedLayout)).imp_of_mem
      fun {x y} hx hy h => ?_)
    obtain ⟨i, hi, rfl⟩ := mem_of_mem_placed hx
    obtain ⟨j, hj, rfl⟩ := mem_of_mem_placed hy
    obtain ⟨i1, i2, ei⟩ := hL i hi
    obtain ⟨j1, j2, ej⟩ := hL j hj
    have hb := h.1
    simp only [ei, ej] at hb ⊢
    refine blocks_divide hf.2.1 (hf.2.2.1.1 _ (List.getElem_mem i2)) (hf.2.2.1.1 _ (List.getElem_mem j2))
      (matches_getElem hf.2.2.2 i1 i2) (matches_getElem hf.2.2.2 j1 j2) (fun e => ?_) hb
    by_cases h0 : f.map[i] = 0
    · exact h0
    · rw [← nth_getElem i2, ← nth_getElem j2] at e
      rw [← nth_getElem i2] at h0
      have := TupleMorphism.nth_injective hf.2.2.1.2 e h0
      exact absurd (by omega) h.2
  simp only [isTractable, obstruction, key, Option.map_none, Option.isNone_none]

/-- **A layout is tractable exactly when some morphism encodes it.**
Rust: `razorgirl::category::WrittenLayout::is_tractable`, `razorgirl::category::TupleMorphism::standard_representation`
Source: Categorical Foundations 2.1.8.11 and 3.1.2.10 (repaired: `tractable_counterexample`) -/
theorem isTractable_iff {L : FlatLayout} (hL : FlatLayout.Valid L) :
    isTractable L = true ↔ ∃ f : TupleMorphism, f.Valid ∧ f.encodedLayout = L := by
  constructor
  · intro h
    obtain ⟨f, hf⟩ := Option.isSome_iff_exists.mp ((standardRepresentation_isSome_iff L).mpr h)
    exact ⟨f, (valid_standardRepresentation hL hf).1, encodedLayout_standardRepresentation hL hf⟩
  · rintro ⟨f, hf, rfl⟩
    exact isTractable_encodedLayout hf

end Category

end Razorgirl
