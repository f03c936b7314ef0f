module

public import Razorgirl.Spec.Layout.Composition.Weak
public import Razorgirl.Thm.Layout.Coalesce.By
public import Razorgirl.Thm.Layout.Divide.Lemmas
public import Razorgirl.Thm.Layout.Filter

@[expose] public section

/-!
# Laws of composition

Composing with all indices coalesces; a composite needs no normal form to exist; what of B and of A a composite keeps; when
composing with a concatenation succeeds; associativity.
-/

namespace Razorgirl.Layout
open HTuple FlatLayout FlatLayout.Aux Layout.Aux

/-! ## Composites in any form -/

mutual
theorem over_of_compatible : (b r : HTuple Mode) →
    IntTuple.compatible (map Mode.extent b) (map Mode.extent r) = true →
    ∃ t, mapAt coalesceTree (map (fun _ => ()) b) r = some t ∧ Over b t
  | .leaf m, r, h => by
    refine ⟨coalesceTree r, by simp [map, mapAt], coalesceTree_idempotent r, ?_⟩
    simp only [map, IntTuple.compatible, beq_iff_eq] at h
    have h1 := (same_coalesceTree r).1
    rw [h1, h, IntTuple.size_eq_prod, flatten_map]
    rfl
  | .node _, .leaf _, h => by simp [map, IntTuple.compatible] at h
  | .node bs, .node rs, h => by
    simp only [map, IntTuple.compatible] at h
    obtain ⟨ts, h1, h2⟩ := overList_of_compatibleList bs rs h
    exact ⟨.node ts, by simp [map, mapAt, children, h1], h2⟩
theorem overList_of_compatibleList : (bs rs : List (HTuple Mode)) →
    IntTuple.compatibleList (mapList Mode.extent bs) (mapList Mode.extent rs) = true →
    ∃ ts, mapAtList coalesceTree (mapList (fun _ => ()) bs) rs = some ts ∧ OverList bs ts
  | [], [], _ => ⟨[], by simp [mapList, mapAtList], trivial⟩
  | [], _ :: _, h => by simp [mapList, IntTuple.compatibleList] at h
  | _ :: _, [], h => by simp [mapList, IntTuple.compatibleList] at h
  | b :: bs, r :: rs, h => by
    simp only [mapList, IntTuple.compatibleList, Bool.and_eq_true] at h
    obtain ⟨t, h1, h2⟩ := over_of_compatible b r h.1
    obtain ⟨ts, h3, h4⟩ := overList_of_compatibleList bs rs h.2
    refine ⟨t :: ts, ?_, h2, h4⟩
    simp [mapList, mapAtList, h1, h3]
end

/-- **Any layout whose shape refines that of B and which is A after B everywhere is the composite, once it is coalesced over
the modes of B.**
Rust: `razorgirl::Layout::composition_complete`
Source: Cecka (arXiv 2603.02298), composition post-conditions; none for the converse -/
theorem isComposite_of_weak {A B W : Layout} (h : WeakComposite A B W) :
    ∃ R, coalesceBy B.profile W = some R ∧ IsComposite A B R := by
  obtain ⟨hW, hr, hf⟩ := h
  obtain ⟨t, h1, h2⟩ := over_of_compatible B.tree W.tree hr
  have h3 : coalesceBy B.profile W = some (ofTree t) := by
    rw [← profile_tree B, coalesceBy, HTuple.profile, h1]
    rfl
  refine ⟨ofTree t, h3, coalesceBy_valid hW h3, by rw [tree_ofTree]; exact h2, fun x hx => ⟨(hf x hx).1, ?_⟩⟩
  rw [coalesceBy_atIndex hW h3]
  exact (hf x hx).2

/-- **Some layout whose shape refines that of B is A after B exactly where the composite exists: coalescing costs nothing.**
Rust: `razorgirl::Layout::composition_complete`
Source: none -/
theorem exists_weakComposite_iff {A B : Layout} :
    (∃ W, WeakComposite A B W) ↔ ∃ R, IsComposite A B R := by
  constructor
  · rintro ⟨W, hW⟩
    obtain ⟨R, _, hR⟩ := isComposite_of_weak hW
    exact ⟨R, hR⟩
  · rintro ⟨R, hR⟩
    exact ⟨R, hR.1, isComposite_refines hR, hR.2.2⟩

/-! ## All indices of A -/

theorem isComposite_all {A : Layout} (hA : FlatLayout.Valid A.modes) :
    IsComposite A ⟨[⟨A.size, 1⟩], .leaf ()⟩ (coalesce A) := by
  have hv : (coalesce A).Valid := valid_nest (FlatLayout.coalesce_valid hA)
  refine ⟨hv, ⟨?_, ?_⟩, fun x hx => ?_⟩
  · rw [coalesceTree, Layout.flatten_tree hv.1]
    exact congrArg tree (coalesce_idempotent A)
  · rw [Layout.flatten_tree hv.1]
    exact coalesce_size A
  · have hx' : x < A.size := by simpa [Layout.size, FlatLayout.size, FlatLayout.shape, prod] using hx
    rw [atIndex_singleton, Nat.mod_eq_of_lt hx', Nat.mul_one]
    exact ⟨hx', coalesce_atIndex A x⟩

/-- **Composing with all indices of A is coalescing A.** As B is the leaf `(size A):1`, the result has one mode to refine.
Rust: `razorgirl::Layout::composition`
Source: CuTe `coalesce`, which `composition` with a leaf does -/
theorem composition_all {A : Layout} (hA : A.Valid) : composition A ⟨[⟨A.size, 1⟩], .leaf ()⟩ = some (coalesce A) := by
  have hp : 0 < A.size := FlatLayout.Valid.size_pos hA.2
  have hB : (⟨[⟨A.size, 1⟩], .leaf ()⟩ : Layout).Valid := ⟨rfl, hp, trivial⟩
  have h1 : (composition A ⟨[⟨A.size, 1⟩], .leaf ()⟩).isSome = true := by
    refine (composition_isSome_iff hB).2 fun D hD => ?_
    rw [← length_shape] at hD
    have hs : (ofFlat (ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D)).size = A.size := by
      rw [Layout.size, ofFlat, size_ofShape hD, prod_shape_coalesce]
    have hv : FlatLayout.Valid (ofFlat (ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D)).modes :=
      valid_of_lt_size (x := 0) (by rw [← Layout.size, hs]; exact hp)
    rw [← hs]
    exact ⟨_, isComposite_all hv⟩
  obtain ⟨R, hR⟩ := Option.isSome_iff_exists.1 h1
  rw [hR, isComposite_unique hB (composition_sound hB hR) (isComposite_all hA.2)]

/-! ## What a composite keeps -/

/-- **The offsets of a composite are what A makes of the offsets of B, in the same order.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.7.1 -/
theorem isComposite_offsets {A B R : Layout} (hB : B.Valid) (h : IsComposite A B R) :
    offsets R.modes = (offsets B.modes).map (atIndex A.modes) := by
  have hs := isComposite_size hB h
  rw [Layout.size, Layout.size] at hs
  rw [offsets, offsets, hs, List.map_map]
  exact List.map_congr_left fun x hx => isComposite_atIndex h (List.mem_range.1 hx)

/-- **A composite is injective exactly where B is, and A is on the offsets of B.**
Rust: `razorgirl::Layout::composition`
Source: none -/
theorem isComposite_injective_iff {A B R : Layout} (hB : B.Valid) (h : IsComposite A B R) :
    Injective R.modes ↔ Injective B.modes ∧
      ∀ o ∈ offsets B.modes, ∀ o' ∈ offsets B.modes, atIndex A.modes o = atIndex A.modes o' → o = o' := by
  have hs := isComposite_size hB h
  rw [Layout.size, Layout.size] at hs
  simp only [injective_iff_atIndex, hs, mem_offsets]
  constructor
  · intro hi
    refine ⟨fun x y hx hy e => hi x y hx hy ?_, ?_⟩
    · rw [isComposite_atIndex h hx, isComposite_atIndex h hy, e]
    · rintro o ⟨x, hx, rfl⟩ o' ⟨y, hy, rfl⟩ e
      rw [← isComposite_atIndex h hx, ← isComposite_atIndex h hy] at e
      rw [hi x y hx hy e]
  · rintro ⟨h1, h2⟩ x y hx hy e
    rw [isComposite_atIndex h hx, isComposite_atIndex h hy] at e
    exact h1 x y hx hy (h2 _ ⟨x, hx, rfl⟩ _ ⟨y, hy, rfl⟩ e)

/-- **A composite with an injective layout is injective exactly where B is.**
Rust: `razorgirl::Layout::composition`
Source: none -/
theorem isComposite_injective {A B R : Layout} (hB : B.Valid) (hA : Injective A.modes) (h : IsComposite A B R) :
    Injective R.modes ↔ Injective B.modes := by
  rw [isComposite_injective_iff hB h, and_iff_left_iff_imp]
  intro _ o ho o' ho' e
  obtain ⟨x, hx, rfl⟩ := (mem_offsets _ _).1 ho
  obtain ⟨y, hy, rfl⟩ := (mem_offsets _ _).1 ho'
  exact (injective_iff_atIndex _).1 hA _ _ (h.2.2 x hx).1 (h.2.2 y hy).1 e

/-- **A composite of a contiguous layout with a layout of its size is contiguous exactly where that is.**
Rust: `razorgirl::Layout::composition`
Source: none -/
theorem isComposite_contiguous {A B R : Layout} (hB : B.Valid) (hA : Contiguous A.modes) (hs : B.size = A.size)
    (h : IsComposite A B R) : Contiguous R.modes ↔ Contiguous B.modes := by
  have h1 := isComposite_injective hB hA.1 h
  have h2 := isComposite_size hB h
  have hR : ∀ x, x < FlatLayout.size R.modes → atIndex R.modes x < FlatLayout.size R.modes := fun x hx => by
    have hx' : x < B.size := h2 ▸ hx
    rw [isComposite_atIndex h hx', show FlatLayout.size R.modes = FlatLayout.size A.modes from h2.trans hs]
    exact atIndex_lt_size_of_contiguous hA (h.2.2 x hx').1
  have hB' : ∀ x, x < FlatLayout.size B.modes → atIndex B.modes x < FlatLayout.size B.modes := fun x hx => by
    have := (h.2.2 x hx).1
    rwa [← hs] at this
  have key : ∀ {L : FlatLayout}, FlatLayout.Valid L → (∀ x, x < FlatLayout.size L → atIndex L x < FlatLayout.size L) →
      (Contiguous L ↔ Injective L) := fun {L} hv hl => by
    rw [contiguous_iff_injective]
    refine ⟨fun h => h.1, fun hi => ⟨hi, Nat.le_antisymm ?_ (size_le_cosize hi)⟩⟩
    rw [cosize_eq_formula hv]
    exact (atIndex_lt_iff hv).1 hl
  rw [key h.1.2 hR, key hB.2 hB', h1]

/-! ## Concatenations -/

theorem exists_composites {A : Layout} : {Bs : List Layout} → (∀ B ∈ Bs, ∃ R, IsComposite A B R) →
    ∃ Rs, Composites A Bs Rs
  | [], _ => ⟨[], trivial⟩
  | B :: Bs, h => by
    obtain ⟨R, hR⟩ := h B (by simp)
    obtain ⟨Rs, hRs⟩ := exists_composites fun C hC => h C (List.mem_cons_of_mem B hC)
    exact ⟨R :: Rs, hR, hRs⟩

/-- **Strict composition accepts a concatenation exactly where it accepts each part, no digit carries between the parts, and
the whole stays inside A.**
Rust: `razorgirl::Layout::composition`
Source: CuTe `composition` (mode by mode), which asks for the first only; Shah 2.18 -/
theorem composition_concat_isSome_iff {A : Layout} {Bs : List Layout} (hB : ∀ B ∈ Bs, B.Valid) :
    (composition A (concat Bs)).isSome = true ↔
      (∀ B ∈ Bs, (composition A B).isSome = true) ∧
        NoCarry (FlatLayout.shape (FlatLayout.coalesce A.modes)) (Bs.map Layout.modes) ∧
          cosizeFormula (concat Bs).modes ≤ A.size := by
  constructor
  · intro h
    obtain ⟨R, hR⟩ := Option.isSome_iff_exists.1 h
    exact ⟨fun B hb => composition_isSome_of_concat hB h hb, noCarry_of_composition hB hR,
      isComposite_domain (valid_concat hB) (composition_sound (valid_concat hB) hR)⟩
  · rintro ⟨h1, h2, h3⟩
    refine (composition_isSome_iff (valid_concat hB)).2 fun D hD => ?_
    rw [← length_shape] at hD
    obtain ⟨Rs, hRs⟩ := exists_composites fun B hb => (composition_isSome_iff (hB B hb)).1 (h1 B hb) D (by
      rw [← length_shape]; exact hD)
    have hm : (concat Bs).modes = (Bs.map Layout.modes).flatten := concatModes_eq Bs
    have hs : (ofFlat (ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D)).size = A.size := by
      rw [Layout.size, ofFlat, size_ofShape hD, prod_shape_coalesce]
    refine ⟨_, (isComposite_concat_iff hB (by rw [hs]; exact h3) hRs).2 ?_⟩
    refine (noCarry_iff_distributes ?_).1 h2 D hD
    rw [prod_shape_coalesce, ← hm]
    exact h3

/-! ## Three layouts -/

/-- **Associativity: where A ∘ B, B ∘ C and A ∘ (B ∘ C) exist, so does (A ∘ B) ∘ C, and it is A ∘ (B ∘ C) coalesced over the
modes of C.**
Rust: `razorgirl::Layout::composition`
Source: Cecka (arXiv 2603.02298), Colfax 2.3.7 (associativity; repaired: `Layout.assoc_counterexample`) -/
theorem isComposite_assoc {A B C P Q R : Layout} (hB : B.Valid) (hC : C.Valid) (hP : IsComposite A B P)
    (hQ : IsComposite B C Q) (hR : IsComposite A Q R) :
    ∃ T, coalesceBy C.profile R = some T ∧ IsComposite P C T := by
  have e1 := isComposite_size hB hP
  have e2 := isComposite_size hC hQ
  refine isComposite_of_weak ⟨hR.1, IntTuple.refines_trans (isComposite_refines hR) (isComposite_refines hQ),
    fun x hx => ?_⟩
  have hx' : x < Q.size := by omega
  have h1 := hQ.2.2 x hx
  refine ⟨by omega, ?_⟩
  rw [isComposite_atIndex hR hx', h1.2, isComposite_atIndex hP h1.1]

mutual
theorem over_of_extents : (b b' r : HTuple Mode) → map Mode.extent b = map Mode.extent b' → Over b r → Over b' r
  | .leaf m, .leaf m', r, e, h => by
    simp only [map, HTuple.leaf.injEq] at e
    exact ⟨h.1, h.2.trans e⟩
  | .leaf _, .node _, _, e, _ => by simp [map] at e
  | .node _, .leaf _, _, e, _ => by simp [map] at e
  | .node _, .node _, .leaf _, _, h => h.elim
  | .node bs, .node bs', .node rs, e, h => by
    simp only [map, HTuple.node.injEq] at e
    exact overList_of_extents bs bs' rs e h
theorem overList_of_extents : (bs bs' rs : List (HTuple Mode)) → mapList Mode.extent bs = mapList Mode.extent bs' →
    OverList bs rs → OverList bs' rs
  | [], [], _, _, h => h
  | [], _ :: _, _, e, _ => by simp [mapList] at e
  | _ :: _, [], _, e, _ => by simp [mapList] at e
  | _ :: _, _ :: _, [], _, h => h.elim
  | b :: bs, b' :: bs', r :: rs, e, h => by
    simp only [mapList, List.cons.injEq] at e
    exact ⟨over_of_extents b b' r e.1 h.1, overList_of_extents bs bs' rs e.2 h.2⟩
end

/-- **Where B ∘ C has the shape of C, both orders are the same: one triple exists exactly where the other does, and they are
equal.** So it is where each mode of C steps inside one mode of B.
Rust: `razorgirl::Layout::composition`
Source: Cecka (arXiv 2603.02298), Colfax 2.3.7 (associativity), without the condition (repaired:
`Layout.assoc_counterexample`) -/
theorem isComposite_assoc_iff {A B C P Q T : Layout} (hB : B.Valid) (hC : C.Valid) (hP : IsComposite A B P)
    (hQ : IsComposite B C Q) (hs : Q.shape = C.shape) : IsComposite A Q T ↔ IsComposite P C T := by
  have e1 := isComposite_size hB hP
  have e2 := isComposite_size hC hQ
  constructor
  · intro h
    refine ⟨h.1, over_of_extents _ _ _ hs h.2.1, fun x hx => ?_⟩
    have h1 := hQ.2.2 x hx
    rw [isComposite_atIndex h (by omega), h1.2, isComposite_atIndex hP h1.1]
    exact ⟨by omega, rfl⟩
  · intro h
    refine ⟨h.1, over_of_extents _ _ _ hs.symm h.2.1, fun x hx => ?_⟩
    have hx' : x < C.size := by omega
    have h1 := hQ.2.2 x hx'
    rw [isComposite_atIndex h hx', h1.2, ← isComposite_atIndex hP h1.1]
    exact ⟨(hP.2.2 _ h1.1).1, rfl⟩

end Razorgirl.Layout
