module

public import Razorgirl.Spec.Layout.Composition.Tiled
public import Razorgirl.Thm.Layout.Divide.Lemmas
public import Razorgirl.Thm.Layout.Slice
public import Razorgirl.Thm.Layout.Tiler

@[expose] public section

/-!
# Composition by any tiler: what is proved

For every tiler, with `_` and tuples inside tuples: what the composite is in terms of A, and when it is there.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout Layout.Aux

/-! ## Shapes -/

theorem size_map_extent (t : HTuple Mode) : IntTuple.size (t.map Mode.extent) = FlatLayout.size t.flatten := by
  rw [IntTuple.size_eq_prod, flatten_map]
  rfl

mutual
theorem compatible_of_overBy : (b : Tiler) → (t r : HTuple Mode) → OverBy b t r →
    IntTuple.compatible (shapeBy b t) (r.map Mode.extent) = true
  | .keep, t, r, h => by
    rw [OverBy] at h
    rw [h, shapeBy]
    exact IntTuple.compatible_refl _
  | .layout B, t, r, h => by
    rw [OverBy] at h
    rw [shapeBy]
    exact compatible_of_over _ _ h
  | .modes bs, t, .node rs, h => by
    rw [OverBy] at h
    rw [shapeBy, map, IntTuple.compatible]
    exact compatibleList_of_overAllBy bs _ rs h
  | .modes _, _, .leaf _, h => h.elim
theorem compatibleList_of_overAllBy : (bs : List Tiler) → (ts rs : List (HTuple Mode)) → OverAllBy bs ts rs →
    IntTuple.compatibleList (shapesBy bs ts) (mapList Mode.extent rs) = true
  | [], ts, [], _ => by simp [shapesBy, mapList, IntTuple.compatibleList]
  | b :: bs, t :: ts, r :: rs, h => by
    rw [OverAllBy] at h
    rw [shapesBy, mapList, IntTuple.compatibleList, Bool.and_eq_true]
    exact ⟨compatible_of_overBy b t r h.1, compatibleList_of_overAllBy bs ts rs h.2⟩
  | [], _, _ :: _, h => by simp [OverAllBy] at h
  | _ :: _, [], _, h => by simp [OverAllBy] at h
  | _ :: _, _ :: _, [], h => by simp [OverAllBy] at h
end

theorem size_of_overBy {b : Tiler} {t r : HTuple Mode} (h : OverBy b t r) :
    FlatLayout.size r.flatten = IntTuple.size (shapeBy b t) := by
  rw [← size_map_extent]
  exact (IntTuple.size_eq_of_compatible (compatible_of_overBy b t r h)).symm

theorem size_of_overAllBy {bs : List Tiler} {ts rs : List (HTuple Mode)} (h : OverAllBy bs ts rs) :
    FlatLayout.size (flattenList rs) = IntTuple.sizeList (shapesBy bs ts) := by
  have h1 := IntTuple.sizeList_eq_of_compatibleList (compatibleList_of_overAllBy bs ts rs h)
  rw [h1, ← IntTuple.size]
  exact (size_map_extent (.node rs)).symm

mutual
theorem indexBy_zero : (b : Tiler) → (t : HTuple Mode) → indexBy b t 0 = 0
  | .keep, _ => by rw [indexBy]
  | .layout B, _ => by rw [indexBy, atIndex_zero]
  | .modes bs, t => by rw [indexBy, indicesBy_zero]
theorem indicesBy_zero : (bs : List Tiler) → (ts : List (HTuple Mode)) → indicesBy bs ts 0 = 0
  | [], _ => by simp [indicesBy]
  | _ :: _, [] => by simp [indicesBy]
  | b :: bs, t :: ts => by
    rw [indicesBy, Nat.zero_mod, Nat.zero_div, indexBy_zero, indicesBy_zero, Nat.mul_zero]
end

theorem digit_lt {a b m n : Nat} (ha : a < m) (hb : b < n) : a + m * b < m * n :=
  calc a + m * b < m + m * b := Nat.add_lt_add_right ha _
    _ = m * (b + 1) := by rw [Nat.mul_succ, Nat.add_comm]
    _ ≤ m * n := Nat.mul_le_mul_left _ hb

mutual
/-- A tiler that stays inside the modes names indices of A. -/
theorem indexBy_lt : (b : Tiler) → (t : HTuple Mode) → b.Valid → FlatLayout.Valid t.flatten → Inside b t →
    {x : Nat} → x < IntTuple.size (shapeBy b t) → indexBy b t x < FlatLayout.size t.flatten
  | .keep, t, _, _, _, x, hx => by
    rw [shapeBy, size_map_extent] at hx
    rwa [indexBy]
  | .layout B, t, hb, _, hi, x, hx => by
    rw [shapeBy, size_shape hb] at hx
    rw [indexBy]
    exact hi x hx
  | .modes bs, t, hb, ht, hi, x, hx => by
    rw [shapeBy, IntTuple.size] at hx
    rw [indexBy, ← flattenList_children]
    exact indicesBy_lt bs _ hb (by rwa [flattenList_children]) hi hx
theorem indicesBy_lt : (bs : List Tiler) → (ts : List (HTuple Mode)) → Tiler.ValidList bs →
    FlatLayout.Valid (flattenList ts) → InsideAll bs ts → {x : Nat} → x < IntTuple.sizeList (shapesBy bs ts) →
    indicesBy bs ts x < FlatLayout.size (flattenList ts)
  | [], ts, _, ht, _, x, _ => by
    rw [indicesBy]
    · exact ht.size_pos
    · simp
  | _ :: _, [], _, _, hi, _, _ => hi.elim
  | b :: bs, t :: ts, hb, ht, hi, x, hx => by
    rw [flattenList, valid_append_iff] at ht
    rw [shapesBy, IntTuple.sizeList] at hx
    have hn : 0 < IntTuple.size (shapeBy b t) := by
      rcases Nat.eq_zero_or_pos (IntTuple.size (shapeBy b t)) with h | h
      · rw [h, Nat.zero_mul] at hx; omega
      · exact h
    rw [indicesBy, flattenList, size_append]
    exact digit_lt (indexBy_lt b t hb.1 ht.1 hi.1 (Nat.mod_lt _ hn))
      (indicesBy_lt bs ts hb.2 ht.2 hi.2 (Nat.div_lt_of_lt_mul hx))
end

/-! ## What is accepted -/

section
variable {f : Layout → Layout → Option Layout}

mutual
theorem overBy_of_byTiler (hf : ∀ A B R, B.Valid → f A B = some R → IsComposite A B R) :
    (b : Tiler) → (t r : HTuple Mode) → b.Valid → FlatLayout.Valid t.flatten → byTiler f b t = some r →
    FlatLayout.Valid r.flatten ∧ Inside b t ∧ OverBy b t r ∧
      ∀ x, x < IntTuple.size (shapeBy b t) → atIndex r.flatten x = atIndex t.flatten (indexBy b t x)
  | .keep, t, r, _, ht, h => by
    rw [byTiler, Option.some.injEq] at h
    rw [← h]
    exact ⟨ht, trivial, rfl, fun x _ => by rw [indexBy]⟩
  | .layout B, t, r, hb, _, h => by
    rw [byTiler] at h
    obtain ⟨R, hR, rfl⟩ := Option.map_eq_some_iff.1 h
    have hc := hf _ _ _ hb hR
    have hl : R.tree.flatten = R.modes := Layout.flatten_tree hc.1.1
    rw [hl]
    refine ⟨hc.1.2, fun x hx => (hc.2.2 x hx).1, hc.2.1, fun x hx => ?_⟩
    rw [shapeBy, size_shape hb] at hx
    rw [indexBy]
    exact (hc.2.2 x hx).2
  | .modes bs, t, r, hb, ht, h => by
    rw [byTiler] at h
    obtain ⟨rs, hrs, rfl⟩ := Option.map_eq_some_iff.1 h
    have ht' : FlatLayout.Valid (flattenList (children t)) := by rwa [flattenList_children]
    obtain ⟨h1, h2, h3, h4⟩ := overAllBy_of_byTilers hf bs _ rs hb ht' hrs
    rw [HTuple.flatten]
    refine ⟨h1, h2, h3, fun x hx => ?_⟩
    rw [indexBy, ← flattenList_children t]
    exact h4 x hx
theorem overAllBy_of_byTilers (hf : ∀ A B R, B.Valid → f A B = some R → IsComposite A B R) :
    (bs : List Tiler) → (ts rs : List (HTuple Mode)) → Tiler.ValidList bs → FlatLayout.Valid (flattenList ts) →
    byTilers f bs ts = some rs → FlatLayout.Valid (flattenList rs) ∧ InsideAll bs ts ∧ OverAllBy bs ts rs ∧
      ∀ x, x < IntTuple.sizeList (shapesBy bs ts) →
        atIndex (flattenList rs) x = atIndex (flattenList ts) (indicesBy bs ts x)
  | [], ts, rs, _, _, h => by
    rw [byTilers, Option.some.injEq] at h
    rw [← h]
    refine ⟨trivial, trivial, by simp [OverAllBy], fun x _ => ?_⟩
    rw [indicesBy, atIndex_zero]
    · rfl
    · simp
  | _ :: _, [], _, _, _, h => by simp [byTilers] at h
  | b :: bs, t :: ts, rs, hb, ht, h => by
    rw [flattenList, valid_append_iff] at ht
    rw [byTilers] at h
    split at h
    · rename_i r rs' h1 h2
      obtain rfl := Option.some.inj h
      obtain ⟨v1, i1, o1, e1⟩ := overBy_of_byTiler hf b t r hb.1 ht.1 h1
      obtain ⟨v2, i2, o2, e2⟩ := overAllBy_of_byTilers hf bs ts rs' hb.2 ht.2 h2
      have hn : 0 < IntTuple.size (shapeBy b t) := by rw [← size_of_overBy o1]; exact v1.size_pos
      refine ⟨(valid_append_iff _ _).2 ⟨v1, v2⟩, ⟨i1, i2⟩, ⟨o1, o2⟩, fun x hx => ?_⟩
      rw [shapesBy, IntTuple.sizeList] at hx
      have hm := Nat.mod_lt x hn
      rw [flattenList, flattenList, indicesBy, atIndex_append_add (indexBy_lt b t hb.1 ht.1 i1 hm), atIndex_append,
        size_of_overBy o1, e1 _ hm, e2 _ (Nat.div_lt_of_lt_mul hx)]
    · cases h
end

mutual
theorem byTiler_of_overBy (hf : ∀ A B R, B.Valid → IsComposite A B R → f A B = some R) :
    (b : Tiler) → (t r : HTuple Mode) → b.Valid → FlatLayout.Valid t.flatten → FlatLayout.Valid r.flatten →
    Inside b t → OverBy b t r →
    (∀ x, x < IntTuple.size (shapeBy b t) → atIndex r.flatten x = atIndex t.flatten (indexBy b t x)) →
    byTiler f b t = some r
  | .keep, t, r, _, _, _, _, ho, _ => by
    rw [OverBy] at ho
    rw [byTiler, ho]
  | .layout B, t, r, hb, _, hr, hi, ho, he => by
    have hc : IsComposite (ofTree t) B (ofTree r) := by
      refine ⟨(valid_ofTree_iff r).2 hr, ?_, fun x hx => ⟨hi x hx, ?_⟩⟩
      · rw [tree_ofTree]; exact ho
      · have := he x (by rwa [shapeBy, size_shape hb])
        rwa [indexBy] at this
    rw [byTiler, hf _ _ _ hb hc, Option.map_some, tree_ofTree]
  | .modes bs, t, .node rs, hb, ht, hr, hi, ho, he => by
    have ht' : FlatLayout.Valid (flattenList (children t)) := by rwa [flattenList_children]
    rw [HTuple.flatten] at hr he
    rw [byTiler, byTilers_of_overAllBy hf bs _ rs hb ht' hr hi ho fun x hx => ?_, Option.map_some]
    have := he x hx
    rwa [indexBy, ← flattenList_children t] at this
  | .modes _, _, .leaf _, _, _, _, _, ho, _ => ho.elim
theorem byTilers_of_overAllBy (hf : ∀ A B R, B.Valid → IsComposite A B R → f A B = some R) :
    (bs : List Tiler) → (ts rs : List (HTuple Mode)) → Tiler.ValidList bs → FlatLayout.Valid (flattenList ts) →
    FlatLayout.Valid (flattenList rs) → InsideAll bs ts → OverAllBy bs ts rs →
    (∀ x, x < IntTuple.sizeList (shapesBy bs ts) →
      atIndex (flattenList rs) x = atIndex (flattenList ts) (indicesBy bs ts x)) → byTilers f bs ts = some rs
  | [], _, [], _, _, _, _, _, _ => by rw [byTilers]
  | b :: bs, t :: ts, r :: rs, hb, ht, hr, hi, ho, he => by
    rw [flattenList, valid_append_iff] at ht hr
    rw [OverAllBy] at ho
    have hn := hr.1.size_pos
    have hm := hr.2.size_pos
    rw [size_of_overBy ho.1] at hn
    rw [size_of_overAllBy ho.2] at hm
    rw [shapesBy, IntTuple.sizeList] at he
    have key : ∀ x, x < IntTuple.size (shapeBy b t) * IntTuple.sizeList (shapesBy bs ts) →
        atIndex r.flatten (x % IntTuple.size (shapeBy b t)) +
          atIndex (flattenList rs) (x / IntTuple.size (shapeBy b t)) =
        atIndex t.flatten (indexBy b t (x % IntTuple.size (shapeBy b t))) +
          atIndex (flattenList ts) (indicesBy bs ts (x / IntTuple.size (shapeBy b t))) := fun x hx => by
      have := he x hx
      rwa [flattenList, flattenList, indicesBy, atIndex_append_add (indexBy_lt b t hb.1 ht.1 hi.1 (Nat.mod_lt _ hn)),
        atIndex_append, size_of_overBy ho.1] at this
    have h1 := byTiler_of_overBy hf b t r hb.1 ht.1 hr.1 hi.1 ho.1 fun x hx => by
      have := key x (Nat.lt_of_lt_of_le hx (Nat.le_mul_of_pos_right _ hm))
      rwa [Nat.mod_eq_of_lt hx, Nat.div_eq_of_lt hx, indicesBy_zero, atIndex_zero, atIndex_zero, Nat.add_zero,
        Nat.add_zero] at this
    have h2 := byTilers_of_overAllBy hf bs ts rs hb.2 ht.2 hr.2 hi.2 ho.2 fun y hy => by
      have := key (IntTuple.size (shapeBy b t) * y) ((Nat.mul_lt_mul_left hn).2 hy)
      rwa [Nat.mul_mod_right, Nat.mul_div_cancel_left _ hn, indexBy_zero, atIndex_zero, atIndex_zero, Nat.zero_add,
        Nat.zero_add] at this
    rw [byTilers, h1, h2]
  | [], _, _ :: _, _, _, _, _, ho, _ => by simp [OverAllBy] at ho
  | _ :: _, [], _, _, _, _, _, ho, _ => by simp [OverAllBy] at ho
  | _ :: _, _ :: _, [], _, _, _, _, ho, _ => by simp [OverAllBy] at ho
end

mutual
theorem byTiler_isSome : (b : Tiler) → (t : HTuple Mode) →
    ((byTiler f b t).isSome = true ↔ EachLayout (fun A B => (f A B).isSome = true) b t)
  | .keep, t => by simp [byTiler, EachLayout]
  | .layout B, t => by simp [byTiler, EachLayout]
  | .modes bs, t => by rw [byTiler, EachLayout, Option.isSome_map]; exact byTilers_isSome bs (children t)
theorem byTilers_isSome : (bs : List Tiler) → (ts : List (HTuple Mode)) →
    ((byTilers f bs ts).isSome = true ↔ EachLayoutOf (fun A B => (f A B).isSome = true) bs ts)
  | [], ts => by simp [byTilers, EachLayoutOf]
  | _ :: _, [] => by simp [byTilers, EachLayoutOf]
  | b :: bs, t :: ts => by
    rw [byTilers, EachLayoutOf, ← byTiler_isSome b t, ← byTilers_isSome bs ts]
    cases byTiler f b t <;> cases byTilers f bs ts <;> simp
end

end

theorem compositeBy_of_byTiler {f : Layout → Layout → Option Layout}
    (hf : ∀ A B R, B.Valid → f A B = some R → IsComposite A B R) {A R : Layout} {b : Tiler} (hA : A.Valid)
    (hb : b.Valid) (h : (byTiler f b A.tree).map ofTree = some R) : IsCompositeBy A b R := by
  obtain ⟨r, hr, rfl⟩ := Option.map_eq_some_iff.1 h
  have ht : A.tree.flatten = A.modes := Layout.flatten_tree hA.1
  obtain ⟨h1, h2, h3, h4⟩ := overBy_of_byTiler hf b _ r hb (by rw [ht]; exact hA.2) hr
  refine ⟨(valid_ofTree_iff r).2 h1, h2, by rwa [tree_ofTree], fun x hx => ?_⟩
  have := h4 x (by rwa [← size_of_overBy h3])
  rwa [ht] at this

/-- **What strict composition with a tiler returns is the composite: A at the index that the tiler names, whatever `_`
and tuples the tiler has inside tuples.**
Rust: `razorgirl::Layout::composition_by`
Source: CuTe `composition` with a tiler; Cecka (arXiv 2603.02298), by-mode composition -/
theorem compositionBy_sound {A R : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    (h : compositionBy A b = some R) : IsCompositeBy A b R :=
  compositeBy_of_byTiler (fun _ _ _ hB h => composition_sound hB h) hA hb h

/-- **Complete composition with a tiler accepts exactly where a composite with it exists, and returns it.**
Rust: `razorgirl::Layout::composition_complete_by`
Source: CuTe `composition` with a tiler -/
theorem compositionCompleteBy_eq_some_iff {A R : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid) :
    compositionCompleteBy A b = some R ↔ IsCompositeBy A b R := by
  refine ⟨compositeBy_of_byTiler (fun _ _ _ hB h => (compositionComplete_eq_some_iff hB).1 h) hA hb, ?_⟩
  rintro ⟨h1, h2, h3, h4⟩
  have ht : A.tree.flatten = A.modes := Layout.flatten_tree hA.1
  have hr : R.tree.flatten = R.modes := Layout.flatten_tree h1.1
  have hs := size_of_overBy h3
  rw [compositionCompleteBy, byTiler_of_overBy (fun _ _ _ hB h => (compositionComplete_eq_some_iff hB).2 h) b A.tree
    R.tree hb (by rw [ht]; exact hA.2) (by rw [hr]; exact h1.2) h2 h3 fun x hx => ?_, Option.map_some,
    Layout.ofTree_tree_of_length h1.1]
  rw [ht, hr]
  rw [hr] at hs
  exact h4 x (by rw [Layout.size, hs]; exact hx)

/-- **Complete composition with a tiler refuses exactly where no composite with it exists.**
Rust: `razorgirl::Layout::composition_complete_by`
Source: CuTe `composition` with a tiler -/
theorem compositionCompleteBy_eq_none_iff {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid) :
    compositionCompleteBy A b = none ↔ ¬ ∃ R, IsCompositeBy A b R := by
  simp only [← compositionCompleteBy_eq_some_iff hA hb]
  cases compositionCompleteBy A b <;> simp

/-- **A layout has at most one composite with a tiler.**
Rust: `razorgirl::Layout::composition_by`
Source: CuTe `composition` with a tiler -/
theorem isCompositeBy_unique {A R S : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid) (hR : IsCompositeBy A b R)
    (hS : IsCompositeBy A b S) : R = S := by
  have h1 := (compositionCompleteBy_eq_some_iff hA hb).2 hR
  rw [(compositionCompleteBy_eq_some_iff hA hb).2 hS] at h1
  exact (Option.some.inj h1).symm

/-- **What strict composition with a tiler accepts, complete composition accepts with the same result.**
Rust: `razorgirl::Layout::composition_by`, `razorgirl::Layout::composition_complete_by`
Source: CuTe `composition` with a tiler -/
theorem compositionCompleteBy_of_compositionBy {A R : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    (h : compositionBy A b = some R) : compositionCompleteBy A b = some R :=
  (compositionCompleteBy_eq_some_iff hA hb).2 (compositionBy_sound hA hb h)

/-- **Strict composition with a tiler accepts exactly where the tiler has nowhere more modes than A and each of its
layouts composes with its mode; so does complete composition, each in its own sense.**
Rust: `razorgirl::Layout::composition_by`, `razorgirl::Layout::composition_complete_by`
Source: CuTe `composition` with a tiler -/
theorem compositionBy_isSome_iff (A : Layout) (b : Tiler) :
    ((compositionBy A b).isSome = true ↔
        EachLayout (fun A B => (composition A B).isSome = true) b A.tree) ∧
      ((compositionCompleteBy A b).isSome = true ↔
        EachLayout (fun A B => (compositionComplete A B).isSome = true) b A.tree) := by
  rw [compositionBy, compositionCompleteBy, Option.isSome_map, Option.isSome_map]
  exact ⟨byTiler_isSome b A.tree, byTiler_isSome b A.tree⟩

/-- **The composite with a tiler has the coordinates of the tiler's shape.**
Rust: `razorgirl::Layout::composition_by`
Source: CuTe `composition` with a tiler; Cecka, composition post-conditions -/
theorem isCompositeBy_refines {A R : Layout} {b : Tiler} (h : IsCompositeBy A b R) :
    IntTuple.refines R.shape (shapeBy b A.tree) = true ∧ R.size = IntTuple.size (shapeBy b A.tree) := by
  have h1 := compatible_of_overBy b _ _ h.2.2.1
  refine ⟨h1, ?_⟩
  rw [IntTuple.size_eq_of_compatible h1, ← size_shape_of_length h.1.1]
  rfl

/-! ## At a coordinate -/

theorem sumCalls_zeros : (ts : List (HTuple Mode)) →
    sumCalls (ts.map ofTree) (ts.map fun _ => (HTuple.leaf none : Coord)) = some 0
  | [] => rfl
  | t :: ts => by
    rw [List.map_cons, List.map_cons, sumCalls_cons, sumCalls_zeros ts, plus_zero, call_ofTree, callTree_hole]

theorem call_coordOf : (t : HTuple Mode) → (ds : List Coord) → ds.length = (children t).length →
    (ofTree t).call (coordOf t ds) = sumCalls ((children t).map ofTree) ds
  | .leaf m, [d], _ => by
    rw [coordOf, children, List.map_cons, sumCalls_cons]
    exact (plus_zero _).symm
  | .leaf m, [], h => by simp [children] at h
  | .leaf m, _ :: _ :: _, h => by simp [children] at h
  | .node ts, ds, _ => by
    have : coordOf (.node ts) ds = .node ds := by simp [coordOf]
    rw [this, call_node, children]

theorem length_coordsBy : (bs : List Tiler) → (ts : List (HTuple Mode)) → (cs ds : List Coord) →
    coordsBy bs ts cs = some ds → ds.length = ts.length
  | [], ts, [], ds, h => by
    rw [coordsBy, Option.some.injEq] at h
    rw [← h, List.length_map]
  | [], _, _ :: _, _, h => by simp [coordsBy] at h
  | _ :: _, [], _, _, h => by simp [coordsBy] at h
  | _ :: _, _ :: _, [], _, h => by simp [coordsBy] at h
  | b :: bs, t :: ts, c :: cs, ds, h => by
    rw [coordsBy] at h
    split at h
    · rename_i d ds' _ h2
      obtain rfl := Option.some.inj h
      rw [List.length_cons, List.length_cons, length_coordsBy bs ts cs ds' h2]
    · cases h

mutual
theorem call_byTiler : (b : Tiler) → (t r : HTuple Mode) → (c d : Coord) → b.Valid → FlatLayout.Valid t.flatten →
    byTiler compositionComplete b t = some r → coordBy b t c = some d →
    (ofTree r).call c = (ofTree t).call d ∧ ((ofTree t).call d).isSome = true
  | .keep, t, r, c, d, _, ht, h, hd => by
    rw [byTiler, Option.some.injEq] at h
    rw [coordBy] at hd
    obtain ⟨y, hy, rfl⟩ := Option.map_eq_some_iff.1 hd
    refine ⟨by rw [h], ?_⟩
    rw [call, shape_ofTree, hy]
    rfl
  | .layout B, t, r, c, d, hb, ht, h, hd => by
    rw [byTiler] at h
    obtain ⟨R, hR, rfl⟩ := Option.map_eq_some_iff.1 h
    have hc := (compositionComplete_eq_some_iff hb).1 hR
    rw [coordBy] at hd
    obtain ⟨o, ho, rfl⟩ := Option.map_eq_some_iff.1 hd
    obtain ⟨h1, h2⟩ := isComposite_call hb hc ho
    rw [Layout.ofTree_tree_of_length hc.1.1, h2, call_index ((valid_ofTree_iff t).2 ht) h1]
    exact ⟨rfl, rfl⟩
  | .modes bs, t, r, .leaf none, d, _, _, _, hd => by
    rw [coordBy, Option.some.injEq] at hd
    rw [← hd, call_ofTree, callTree_hole, call_ofTree, callTree_hole]
    exact ⟨rfl, rfl⟩
  | .modes bs, t, r, .leaf (some x), d, hb, ht, h, hd => by
    rw [coordBy] at hd
    split at hd
    · rename_i hx
      obtain rfl := Option.some.inj hd
      obtain ⟨h1, h2, h3, h4⟩ := overBy_of_byTiler (fun _ _ _ hB h => (compositionComplete_eq_some_iff hB).1 h)
        (.modes bs) t r hb ht h
      have hx' : x < IntTuple.size (shapeBy (.modes bs) t) := by rwa [shapeBy, IntTuple.size]
      have hlt := indexBy_lt (.modes bs) t hb ht h2 hx'
      have e := h4 x hx'
      rw [indexBy] at hlt e
      rw [call_index ((valid_ofTree_iff r).2 h1) (by rw [← size_of_overBy h3] at hx'; exact hx'),
        call_index ((valid_ofTree_iff t).2 ht) hlt]
      exact ⟨congrArg some e, rfl⟩
    · cases hd
  | .modes bs, t, r, .node cs, d, hb, ht, h, hd => by
    rw [byTiler] at h
    obtain ⟨rs, hrs, rfl⟩ := Option.map_eq_some_iff.1 h
    rw [coordBy] at hd
    obtain ⟨ds, hds, rfl⟩ := Option.map_eq_some_iff.1 hd
    rw [call_node, call_coordOf t ds (length_coordsBy bs _ cs ds hds)]
    exact sumCalls_byTilers bs (children t) rs cs ds hb (by rwa [flattenList_children]) hrs hds
theorem sumCalls_byTilers : (bs : List Tiler) → (ts rs : List (HTuple Mode)) → (cs ds : List Coord) →
    Tiler.ValidList bs → FlatLayout.Valid (flattenList ts) → byTilers compositionComplete bs ts = some rs →
    coordsBy bs ts cs = some ds → sumCalls (rs.map ofTree) cs = sumCalls (ts.map ofTree) ds ∧
      (sumCalls (ts.map ofTree) ds).isSome = true
  | [], ts, rs, [], ds, _, _, h, hd => by
    rw [byTilers, Option.some.injEq] at h
    rw [coordsBy, Option.some.injEq] at hd
    rw [← h, ← hd, sumCalls_zeros]
    exact ⟨rfl, rfl⟩
  | [], _, _, _ :: _, _, _, _, _, hd => by simp [coordsBy] at hd
  | _ :: _, [], _, _, _, _, _, _, hd => by simp [coordsBy] at hd
  | _ :: _, _ :: _, _, [], _, _, _, _, hd => by simp [coordsBy] at hd
  | b :: bs, t :: ts, rs, c :: cs, ds, hb, ht, h, hd => by
    rw [flattenList, valid_append_iff] at ht
    rw [byTilers] at h
    rw [coordsBy] at hd
    split at h
    · rename_i r rs' h1 h2
      obtain rfl := Option.some.inj h
      split at hd
      · rename_i d ds' h3 h4
        obtain rfl := Option.some.inj hd
        obtain ⟨e1, s1⟩ := call_byTiler b t r c d hb.1 ht.1 h1 h3
        obtain ⟨e2, s2⟩ := sumCalls_byTilers bs ts rs' cs ds' hb.2 ht.2 h2 h4
        rw [List.map_cons, List.map_cons, sumCalls_cons, sumCalls_cons, e1, e2]
        refine ⟨rfl, ?_⟩
        obtain ⟨a, ha⟩ := Option.isSome_iff_exists.1 s1
        obtain ⟨a', ha'⟩ := Option.isSome_iff_exists.1 s2
        rw [ha, ha']
        rfl
      · cases hd
    · cases h
end

/-- **The composite with a tiler at a coordinate is A at the coordinate that the tiler names.**
Rust: `razorgirl::Layout::composition_by`, `razorgirl::Layout::composition_complete_by`
Source: CuTe `composition` with a tiler -/
theorem isCompositeBy_call {A R : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid) (h : IsCompositeBy A b R)
    {c d : Coord} (hd : coordBy b A.tree c = some d) : R.call c = A.call d ∧ (A.call d).isSome = true := by
  have h1 := (compositionCompleteBy_eq_some_iff hA hb).2 h
  rw [compositionCompleteBy] at h1
  obtain ⟨r, hr, rfl⟩ := Option.map_eq_some_iff.1 h1
  have := call_byTiler b A.tree r c d hb (by rw [Layout.flatten_tree hA.1]; exact hA.2) hr hd
  rwa [Layout.ofTree_tree_of_length hA.1] at this

mutual
theorem coordBy_isSome : (b : Tiler) → (t : HTuple Mode) → (c : Coord) → Inside b t →
    ((coordBy b t c).isSome = true ↔ Coord.Within c (shapeBy b t))
  | .keep, t, c, _ => by rw [coordBy, Option.isSome_map, Coord.isSome_toFlat_iff, shapeBy]
  | .layout B, t, c, _ => by rw [coordBy, Option.isSome_map, isSome_call_iff, shapeBy]
  | .modes bs, t, .leaf none, _ => by simp [coordBy, Coord.Within]
  | .modes bs, t, .leaf (some x), _ => by
    rw [coordBy, shapeBy, Coord.Within, IntTuple.size]
    split <;> simp_all
  | .modes bs, t, .node cs, h => by
    rw [coordBy, shapeBy, Coord.Within, Option.isSome_map]
    exact coordsBy_isSome bs (children t) cs h
theorem coordsBy_isSome : (bs : List Tiler) → (ts : List (HTuple Mode)) → (cs : List Coord) → InsideAll bs ts →
    ((coordsBy bs ts cs).isSome = true ↔ Coord.WithinList cs (shapesBy bs ts))
  | [], ts, [], _ => by simp [coordsBy, shapesBy, Coord.WithinList]
  | [], ts, _ :: _, _ => by simp [coordsBy, shapesBy, Coord.WithinList]
  | _ :: _, [], _, h => h.elim
  | _ :: _, _ :: _, [], _ => by simp [coordsBy, shapesBy, Coord.WithinList]
  | b :: bs, t :: ts, c :: cs, h => by
    rw [coordsBy, shapesBy, Coord.WithinList, ← coordBy_isSome b t c h.1, ← coordsBy_isSome bs ts cs h.2]
    cases coordBy b t c <;> cases coordsBy bs ts cs <;> simp
end

/-- **The tiler names a coordinate of A at every coordinate of its shape, and at no other.**
Rust: `razorgirl::Layout::composition_by`
Source: CuTe `composition` with a tiler -/
theorem coordBy_isSome_iff {A R : Layout} {b : Tiler} (h : IsCompositeBy A b R) (c : Coord) :
    (coordBy b A.tree c).isSome = true ↔ Coord.Within c (shapeBy b A.tree) := coordBy_isSome b A.tree c h.2.1

/-! ## Worked examples -/

/-- `((4,2),6):((1,40),5)` by `⟨⟨_⟩,3:2⟩` is `((4),3):((1),10)`: mode 1 of the first tuple is dropped. -/
example : (compositionBy ⟨[⟨4, 1⟩, ⟨2, 40⟩, ⟨6, 5⟩], .node [.node [.leaf (), .leaf ()], .leaf ()]⟩
      (.modes [.modes [.keep], .layout ⟨[⟨3, 2⟩], .leaf ()⟩])).map modes = some [⟨4, 1⟩, ⟨3, 10⟩] := by decide +kernel

/-- `(4,6):(1,4)` by `⟨3:2⟩` is refused, since the first mode has no index 4; the whole layout composes with `3:2`. -/
example : (compositionBy ⟨[⟨4, 1⟩, ⟨6, 4⟩], .node [.leaf (), .leaf ()]⟩ (.modes [.layout ⟨[⟨3, 2⟩], .leaf ()⟩])).isNone =
      true ∧
    (compositionBy ⟨[⟨4, 1⟩, ⟨6, 4⟩], .node [.leaf (), .leaf ()]⟩ (.layout ⟨[⟨3, 2⟩], .leaf ()⟩)).map modes =
      some [⟨3, 2⟩] := by decide +kernel

end Layout

end Razorgirl
