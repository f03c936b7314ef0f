module

public import Razorgirl.Spec.Relation.Recover
public import Razorgirl.Thm.Layout.Basic
public import Razorgirl.Thm.Layout.Injective
public import Razorgirl.Thm.Relation.Graph

@[expose] public section

/-!
# Layouts recovered from relations: what is proved

From a shape there is one answer or none; from strides there may be several, and the shape that comes first is answered. Both refuse
exactly where no layout is.
-/

namespace Razorgirl

namespace FlatLayout

theorem stridesFrom_spec {r : Relation} : {P : Nat} → {L : FlatLayout} → Valid L → normalize L = L →
    (∀ x, x < size L → r.valueAt (P * x) = some (atIndex L x)) → stridesFrom r P (shape L) = some L
  | _, [], _, _, _ => rfl
  | P, m :: L, hv, hn, h => by
    rw [normalize_cons, List.cons.injEq] at hn
    have ih := stridesFrom_spec (P := P * m.extent) (L := L) hv.2 hn.2 fun x hx => by
      have := h (m.extent * x) (by rw [size_cons]; exact Nat.mul_lt_mul_of_pos_left hx hv.1)
      rw [Nat.mul_assoc, this, atIndex_cons, Nat.mul_mod_right, Nat.mul_div_cancel_left _ hv.1, Nat.zero_mul, Nat.zero_add]
    change stridesFrom r P (m.extent :: shape L) = _
    simp only [stridesFrom, ih]
    by_cases h1 : m.extent = 1
    · rw [if_pos h1] at hn ⊢
      rw [hn.1]
    · have hp : 0 < m.extent := hv.1
      have hs : 0 < size L := Valid.size_pos hv.2
      have := h 1 (by
        rw [size_cons]
        exact Nat.lt_of_lt_of_le (show 1 < m.extent by omega) (Nat.le_mul_of_pos_right _ hs))
      rw [Nat.mul_one, atIndex_cons, Nat.mod_eq_of_lt (show 1 < m.extent by omega), Nat.div_eq_of_lt (show 1 < m.extent by omega),
        atIndex_zero, Nat.one_mul, Nat.add_zero] at this
      rw [if_neg h1, this]
      rfl

theorem of_stridesFrom {r : Relation} : {P : Nat} → {s : List Nat} → {L : FlatLayout} → stridesFrom r P s = some L →
    shape L = s ∧ normalize L = L
  | _, [], L, h => by
    obtain rfl := Option.some.inj h
    exact ⟨rfl, rfl⟩
  | P, s :: ss, L, h => by
    simp only [stridesFrom] at h
    split at h
    · cases h
    · rename_i K hK
      obtain ⟨i1, i2⟩ := of_stridesFrom hK
      split at h
      · rename_i h1
        obtain rfl := Option.some.inj h
        subst h1
        exact ⟨by rw [← i1]; rfl, by rw [normalize_cons, i2]; rfl⟩
      · rename_i h1
        obtain ⟨d, _, rfl⟩ := Option.map_eq_some_iff.mp h
        exact ⟨by rw [← i1]; rfl, by rw [normalize_cons, i2, if_neg h1]⟩

/-- **From mapping and shape: a layout is answered exactly if it has this shape and this mapping; modes of extent 1 have stride 0.**
So there is one answer at most, and a refusal says that no layout of the shape has the mapping.
Rust: `razorgirl::relation::Relation::with_shape`
Source: «Modeling Layout Abstractions Using Integer Set Relations», from mapping and shape; there extents of 1 are refused -/
theorem fromShape_eq_some_iff {s : List Nat} {r : Relation} {L : FlatLayout} (hs : ∀ n ∈ s, 0 < n) :
    fromShape s r = some L ↔ shape L = s ∧ normalize L = L ∧ Relation.Same (relation L) r := by
  constructor
  · intro h
    simp only [fromShape] at h
    split at h
    · cases h
    · rename_i K hK
      split at h
      · rename_i hr
        obtain rfl := Option.some.inj h
        obtain ⟨h1, h2⟩ := of_stridesFrom hK
        exact ⟨h1, h2, Relation.same_iff.mp hr⟩
      · cases h
  · rintro ⟨rfl, hn, hr⟩
    have hv : Valid L := (valid_iff_forall L).mpr fun m hm => hs _ (List.mem_map.mpr ⟨m, hm, rfl⟩)
    have := stridesFrom_spec (P := 1) hv hn fun x hx => by
      rw [Nat.one_mul]
      exact (Relation.valueAt_of_same hr).1 x hx
    simp only [fromShape, this, Relation.same_iff.mpr hr, if_true]

/-! ## From mapping and strides -/

theorem prod_pos_of_forall : {s : List Nat} → (∀ n ∈ s, 0 < n) → 0 < prod s
  | [], _ => Nat.one_pos
  | n :: _, h => Nat.mul_pos (h n List.mem_cons_self) (prod_pos_of_forall fun m hm => h m (List.mem_cons_of_mem _ hm))

/-- **The shapes that are tried are all those with so many extents, all positive, and that product.**
Source: ours -/
theorem mem_shapesOf : {k n : Nat} → {s : List Nat} → s ∈ shapesOf k n ↔ s.length = k ∧ (∀ m ∈ s, 0 < m) ∧ prod s = n
  | 0, n, s => by
    simp only [shapesOf]
    split
    · rename_i h
      subst h
      simp only [List.mem_singleton, List.length_eq_zero_iff]
      constructor
      · rintro rfl; exact ⟨rfl, by simp, rfl⟩
      · exact fun h => h.1
    · rename_i h
      simp only [List.not_mem_nil, false_iff, List.length_eq_zero_iff]
      rintro ⟨rfl, _, e⟩
      exact h e.symm
  | k + 1, n, s => by
    simp only [shapesOf, List.mem_flatMap, List.mem_range]
    constructor
    · rintro ⟨a, _, ht⟩
      split at ht
      · rename_i ha
        obtain ⟨t, hm, rfl⟩ := List.mem_map.mp ht
        obtain ⟨h1, h2, h3⟩ := mem_shapesOf.mp hm
        refine ⟨by rw [List.length_cons, h1], ?_, ?_⟩
        · intro m hm
          rcases List.mem_cons.mp hm with rfl | hm
          · exact ha.1
          · exact h2 m hm
        · rw [prod, h3]
          exact Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero ha.2)
      · cases ht
    · rintro ⟨h1, h2, h3⟩
      cases s with
      | nil => cases h1
      | cons a t =>
        have ha := h2 a List.mem_cons_self
        have ht : ∀ m ∈ t, 0 < m := fun m hm => h2 m (List.mem_cons_of_mem _ hm)
        have hp := prod_pos_of_forall ht
        rw [prod] at h3
        refine ⟨a, ?_, ?_⟩
        · have := Nat.le_mul_of_pos_right a hp
          omega
        · rw [if_pos ⟨ha, by rw [← h3]; exact Nat.mul_mod_right _ _⟩]
          exact List.mem_map.mpr ⟨t, mem_shapesOf.mpr ⟨by simpa using h1, ht, by rw [← h3, Nat.mul_div_cancel_left _ ha]⟩, rfl⟩

/-- **They are tried in lexicographic order.**
Source: ours -/
theorem pairwise_shapesOf : (k n : Nat) → (shapesOf k n).Pairwise (· < ·)
  | 0, n => by
    simp only [shapesOf]
    split
    · exact List.pairwise_singleton _ _
    · exact List.Pairwise.nil
  | k + 1, n => by
    rw [shapesOf, List.pairwise_flatMap]
    refine ⟨fun a _ => ?_, List.pairwise_lt_range.imp fun {a b} hab s hs t ht => ?_⟩
    · split
      · exact List.pairwise_map.mpr ((pairwise_shapesOf k _).imp fun h => List.cons_lt_cons_self.mpr h)
      · exact List.Pairwise.nil
    · split at hs
      · split at ht
        · obtain ⟨s', _, rfl⟩ := List.mem_map.mp hs
          obtain ⟨t', _, rfl⟩ := List.mem_map.mp ht
          exact List.cons_lt_cons_iff.mpr (.inl hab)
        · cases ht
      · cases hs

theorem shape_ofShapeStride : {s d : List Nat} → s.length = d.length → shape (ofShapeStride s d) = s
  | [], [], _ => rfl
  | [], _ :: _, h => by cases h
  | _ :: _, [], h => by cases h
  | s :: ss, d :: ds, h => by
    change s :: shape (ofShapeStride ss ds) = _
    rw [shape_ofShapeStride (by simpa using h)]

/-- **From mapping and strides: a layout is answered exactly if it has these strides (0 where the extent is 1), this mapping, and the
lexicographically first of the shapes with which they have it.** So the answer is one that fits, and it is refused only where none
does; (2,2,2), (4,1,2) and (8,1,1) over strides (1,2,4) have one mapping, and (2,2,2) is answered.
Rust: `razorgirl::relation::Relation::with_stride`
Source: «Modeling Layout Abstractions Using Integer Set Relations», from mapping and strides; there a stride of 0 does not end, and
which shape is answered is left open -/
theorem fromStride_eq_some_iff {d : List Nat} {r : Relation} {L : FlatLayout} :
    fromStride d r = some L ↔ ∃ s : List Nat, (s.length = d.length ∧ (∀ n ∈ s, 0 < n) ∧ Relation.Same (relation (ofShapeStride s d)) r) ∧
      L = ofShapeStride s d ∧ ∀ t : List Nat, t.length = d.length → (∀ n ∈ t, 0 < n) →
        Relation.Same (relation (ofShapeStride t d)) r → s = t ∨ s < t := by
  have tried : ∀ t : List Nat, t.length = d.length → (∀ n ∈ t, 0 < n) → Relation.Same (relation (ofShapeStride t d)) r →
      t ∈ shapesOf d.length r.inputs ∧ fitsStride d r t = true := fun t h1 h2 h3 =>
    ⟨mem_shapesOf.mpr ⟨h1, h2, by
      have := (Relation.valueAt_of_same h3).2
      rw [this, size, shape_ofShapeStride h1]⟩, Relation.same_iff.mpr h3⟩
  have first : ∀ s, (shapesOf d.length r.inputs).find? (fitsStride d r) = some s →
      (s.length = d.length ∧ (∀ n ∈ s, 0 < n) ∧ Relation.Same (relation (ofShapeStride s d)) r) ∧
      ∀ t : List Nat, t.length = d.length → (∀ n ∈ t, 0 < n) →
        Relation.Same (relation (ofShapeStride t d)) r → s = t ∨ s < t := by
    intro s hs
    obtain ⟨hf, pre, suf, e, hpre⟩ := List.find?_eq_some_iff_append.mp hs
    have hm := mem_shapesOf.mp (List.mem_of_find?_eq_some hs)
    refine ⟨⟨hm.1, hm.2.1, Relation.same_iff.mp hf⟩, fun t h1 h2 h3 => ?_⟩
    obtain ⟨ht, hft⟩ := tried t h1 h2 h3
    rw [e] at ht
    rcases List.mem_append.mp ht with ht | ht
    · have := hpre t ht
      simp [hft] at this
    · rcases List.mem_cons.mp ht with rfl | ht
      · exact .inl rfl
      · have hp := pairwise_shapesOf d.length r.inputs
        rw [e] at hp
        exact .inr ((List.pairwise_cons.mp (List.pairwise_append.mp hp).2.1).1 t ht)
  constructor
  · intro h
    obtain ⟨s, hs, rfl⟩ := Option.map_eq_some_iff.mp h
    exact ⟨s, (first s hs).1, rfl, (first s hs).2⟩
  · rintro ⟨s, ⟨h1, h2, h3⟩, rfl, hfirst⟩
    obtain ⟨hm, hf⟩ := tried s h1 h2 h3
    obtain ⟨t, ht⟩ := Option.isSome_iff_exists.mp (List.find?_isSome.mpr ⟨s, hm, hf⟩)
    obtain ⟨⟨t1, t2, t3⟩, tfirst⟩ := first t ht
    have : t = s := by
      rcases tfirst s h1 h2 h3 with e | l
      · exact e
      · rcases hfirst t t1 t2 t3 with e | l'
        · exact e.symm
        · exact absurd l' (List.lt_asymm l)
    subst this
    rw [fromStride, ht]
    rfl

/-- Three shapes over the strides (1,2,4) have one mapping: the choice has to be said. -/
theorem fromStride_counterexample :
    Relation.same (relation (ofShapeStride [2, 2, 2] [1, 2, 4])) (relation (ofShapeStride [4, 1, 2] [1, 2, 4])) = true ∧
    Relation.same (relation (ofShapeStride [2, 2, 2] [1, 2, 4])) (relation (ofShapeStride [8, 1, 1] [1, 2, 4])) = true := by
  decide +kernel

end FlatLayout

end Razorgirl
