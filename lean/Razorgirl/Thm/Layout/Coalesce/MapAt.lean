module

public import Razorgirl.Spec.Layout.Coalesce
public import Razorgirl.Spec.Layout.MapAt
public import Razorgirl.Thm.Layout.Lemmas

@[expose] public section

/-!
# An operation at each leaf of a target profile

`mapAt f p t` applies `f` to what lies at each leaf of `p`. When it exists, what it keeps of the function if `f`
keeps it, and where it leaves the layout alone. Coalescing and filtering by profile are instances.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout

/-! ## Lemmas -/

theorem Same.refl (A : FlatLayout) : Same A A := ⟨rfl, fun _ => rfl⟩

theorem Same.append (A A' B B' : FlatLayout) (h : Same A A') (h' : Same B B') :
    Same (A ++ B) (A' ++ B') := by
  refine ⟨by rw [size_append, size_append, h.1, h'.1], fun x => ?_⟩
  rw [atIndex_append, atIndex_append, h.1, h.2, h'.2]

mutual
theorem fits_map {α β : Type} (f : α → β) : (p : Profile) → (t : HTuple α) → fits p (map f t) = fits p t
  | .leaf _, _ => by simp [fits]
  | .node ps, .node ts => by simp [fits, map, fitsList_map f ps ts]
  | .node ps, .leaf a => by
    have := fitsList_map f ps [.leaf a]
    simpa [fits, map, mapList] using this
theorem fitsList_map {α β : Type} (f : α → β) : (ps : List Profile) → (ts : List (HTuple α)) →
    fitsList ps (mapList f ts) = fitsList ps ts
  | [], _ => by simp [fitsList]
  | _ :: _, [] => by simp [fitsList, mapList]
  | p :: ps, t :: ts => by simp [fitsList, mapList, fits_map f p t, fitsList_map f ps ts]
end

mutual
theorem fitsInside_map {α β : Type} (f : α → β) : (p : Profile) → (t : HTuple α) →
    fitsInside p (map f t) = fitsInside p t
  | .leaf _, _ => by simp [fitsInside]
  | .node ps, .node ts => by simp [fitsInside, map, fitsInsideList_map f ps ts]
  | .node ps, .leaf a => by simp [fitsInside, map]
theorem fitsInsideList_map {α β : Type} (f : α → β) : (ps : List Profile) → (ts : List (HTuple α)) →
    fitsInsideList ps (mapList f ts) = fitsInsideList ps ts
  | [], _ => by simp [fitsInsideList]
  | _ :: _, [] => by simp [fitsInsideList, mapList]
  | p :: ps, t :: ts => by
    simp [fitsInsideList, mapList, fitsInside_map f p t, fitsInsideList_map f ps ts]
end

mutual
theorem isSome_mapAt (f : HTuple Mode → HTuple Mode) : (p : Profile) → (t : HTuple Mode) →
    (mapAt f p t).isSome = fits p t
  | .leaf _, _ => by simp [mapAt, fits]
  | .node ps, .node ts => by simp [mapAt, fits, children, isSome_mapAtList f ps ts]
  | .node ps, .leaf a => by simp [mapAt, fits, children, isSome_mapAtList f ps [.leaf a]]
theorem isSome_mapAtList (f : HTuple Mode → HTuple Mode) : (ps : List Profile) →
    (ts : List (HTuple Mode)) → (mapAtList f ps ts).isSome = fitsList ps ts
  | [], _ => by simp [mapAtList, fitsList]
  | _ :: _, [] => by simp [mapAtList, fitsList]
  | p :: ps, t :: ts => by
    simp only [mapAtList, fitsList, ← isSome_mapAt f p t, ← isSome_mapAtList f ps ts]
    cases mapAt f p t <;> cases mapAtList f ps ts <;> rfl
end

theorem mapAtList_cons {f : HTuple Mode → HTuple Mode} {p : Profile} {ps : List Profile} {t : HTuple Mode}
    {ts us : List (HTuple Mode)} (h : mapAtList f (p :: ps) (t :: ts) = some us) :
    ∃ t' ts', mapAt f p t = some t' ∧ mapAtList f ps ts = some ts' ∧ us = t' :: ts' := by
  simp only [mapAtList] at h
  cases h1 : mapAt f p t with
  | none => simp [h1] at h
  | some t' =>
    cases h2 : mapAtList f ps ts with
    | none => simp [h1, h2] at h
    | some ts' =>
      simp only [h1, h2, Option.some.injEq] at h
      exact ⟨t', ts', rfl, rfl, h.symm⟩

mutual
theorem mapAt_rel {R : FlatLayout → FlatLayout → Prop} (hr : ∀ A, R A A)
    (happ : ∀ A A' B B', R A A' → R B B' → R (A ++ B) (A' ++ B')) {f : HTuple Mode → HTuple Mode}
    (hf : ∀ t, R t.flatten (f t).flatten) : (p : Profile) → (t t' : HTuple Mode) →
    mapAt f p t = some t' → R t.flatten t'.flatten
  | .leaf _, t, t', h => by
    simp only [mapAt, Option.some.injEq] at h
    rw [← h]; exact hf t
  | .node ps, t, t', h => by
    simp only [mapAt, Option.map_eq_some_iff] at h
    obtain ⟨us, hus, rfl⟩ := h
    have := mapAtList_rel hr happ hf ps (children t) us hus
    rw [flattenList_children] at this
    simpa only [HTuple.flatten] using this
theorem mapAtList_rel {R : FlatLayout → FlatLayout → Prop} (hr : ∀ A, R A A)
    (happ : ∀ A A' B B', R A A' → R B B' → R (A ++ B) (A' ++ B')) {f : HTuple Mode → HTuple Mode}
    (hf : ∀ t, R t.flatten (f t).flatten) : (ps : List Profile) → (ts ts' : List (HTuple Mode)) →
    mapAtList f ps ts = some ts' → R (flattenList ts) (flattenList ts')
  | [], ts, ts', h => by
    simp only [mapAtList, Option.some.injEq] at h
    rw [← h]; exact hr _
  | _ :: _, [], _, h => by simp [mapAtList] at h
  | p :: ps, t :: ts, us, h => by
    obtain ⟨t', ts', h1, h2, rfl⟩ := mapAtList_cons h
    simp only [flattenList]
    exact happ _ _ _ _ (mapAt_rel hr happ hf p t t' h1) (mapAtList_rel hr happ hf ps ts ts' h2)
end

mutual
theorem mapAt_idempotent {f : HTuple Mode → HTuple Mode} (hf : ∀ t, f (f t) = f t) :
    (p : Profile) → (t t' : HTuple Mode) → mapAt f p t = some t' → mapAt f p t' = some t'
  | .leaf _, t, t', h => by
    simp only [mapAt, Option.some.injEq] at h ⊢
    rw [← h, hf]
  | .node ps, t, t', h => by
    simp only [mapAt, Option.map_eq_some_iff] at h
    obtain ⟨us, hus, rfl⟩ := h
    simp [mapAt, children, mapAtList_idempotent hf ps _ us hus]
theorem mapAtList_idempotent {f : HTuple Mode → HTuple Mode} (hf : ∀ t, f (f t) = f t) :
    (ps : List Profile) → (ts ts' : List (HTuple Mode)) → mapAtList f ps ts = some ts' →
    mapAtList f ps ts' = some ts'
  | [], ts, ts', _ => by simp [mapAtList]
  | _ :: _, [], _, h => by simp [mapAtList] at h
  | p :: ps, t :: ts, us, h => by
    obtain ⟨t', ts', h1, h2, rfl⟩ := mapAtList_cons h
    simp [mapAtList, mapAt_idempotent hf p t t' h1, mapAtList_idempotent hf ps ts ts' h2]
end

mutual
theorem mapAt_atLeaves {P : HTuple Mode → Prop} {f : HTuple Mode → HTuple Mode} (hf : ∀ t, P (f t)) :
    (p : Profile) → (t t' : HTuple Mode) → mapAt f p t = some t' → AtLeaves P p t'
  | .leaf _, t, t', h => by
    simp only [mapAt, Option.some.injEq] at h
    rw [← h, AtLeaves]; exact hf t
  | .node ps, t, t', h => by
    simp only [mapAt, Option.map_eq_some_iff] at h
    obtain ⟨us, hus, rfl⟩ := h
    simp only [AtLeaves, children]
    exact mapAtList_atLeaves hf ps _ us hus
theorem mapAtList_atLeaves {P : HTuple Mode → Prop} {f : HTuple Mode → HTuple Mode} (hf : ∀ t, P (f t)) :
    (ps : List Profile) → (ts ts' : List (HTuple Mode)) → mapAtList f ps ts = some ts' →
    AtLeavesList P ps ts'
  | [], _, _, _ => by simp [AtLeavesList]
  | _ :: _, [], _, h => by simp [mapAtList] at h
  | p :: ps, t :: ts, us, h => by
    obtain ⟨t', ts', h1, h2, rfl⟩ := mapAtList_cons h
    exact ⟨mapAt_atLeaves hf p t t' h1, mapAtList_atLeaves hf ps ts ts' h2⟩
end

mutual
theorem mapAt_sameBeyond {f : HTuple Mode → HTuple Mode} : (p : Profile) → (t t' : HTuple Mode) →
    mapAt f p t = some t' → SameBeyond p t t'
  | .leaf _, t, t', _ => by simp [SameBeyond]
  | .node ps, t, t', h => by
    simp only [mapAt, Option.map_eq_some_iff] at h
    obtain ⟨us, hus, rfl⟩ := h
    simp only [SameBeyond]
    exact mapAtList_sameBeyond ps _ us hus
theorem mapAtList_sameBeyond {f : HTuple Mode → HTuple Mode} : (ps : List Profile) →
    (ts ts' : List (HTuple Mode)) → mapAtList f ps ts = some ts' → SameBeyondList ps ts ts'
  | [], ts, ts', h => by
    simp only [mapAtList, Option.some.injEq] at h
    simp [SameBeyondList, h]
  | _ :: _, [], _, h => by simp [mapAtList] at h
  | p :: ps, t :: ts, us, h => by
    obtain ⟨t', ts', h1, h2, rfl⟩ := mapAtList_cons h
    exact ⟨mapAt_sameBeyond p t t' h1, mapAtList_sameBeyond ps ts ts' h2⟩
end

/-! ## Coordinates -/

theorem toFlat_index (x : Nat) (t : HTuple Mode) : Coord.toFlat (.leaf (some x)) (t.map Mode.extent) =
    if x < FlatLayout.size t.flatten then some (idx2crd (FlatLayout.shape t.flatten) x) else none := by
  rw [Coord.toFlat, IntTuple.size_eq_prod, flatten_map]
  rfl

theorem toFlatList_cons {c : Coord} {cs : List Coord} {s : IntTuple} {ss : List IntTuple} {v : List Nat}
    (h : Coord.toFlatList (c :: cs) (s :: ss) = some v) :
    ∃ a b, Coord.toFlat c s = some a ∧ Coord.toFlatList cs ss = some b ∧ v = a ++ b := by
  simp only [Coord.toFlatList] at h
  cases h1 : Coord.toFlat c s with
  | none => simp [h1] at h
  | some a =>
    cases h2 : Coord.toFlatList cs ss with
    | none => simp [h1, h2] at h
    | some b =>
      simp only [h1, h2, Option.some.injEq] at h
      exact ⟨a, b, rfl, rfl, h.symm⟩

theorem length_toFlat_modes {c : Coord} {t : HTuple Mode} {v : List Nat}
    (h : Coord.toFlat c (t.map Mode.extent) = some v) : v.length = t.flatten.length := by
  rw [Coord.length_toFlat h, flatten_map, List.length_map]

mutual
theorem mapAt_toFlat {f : HTuple Mode → HTuple Mode} (hf : ∀ t, Same t.flatten (f t).flatten) :
    (p : Profile) → (c : Coord) → (t t' : HTuple Mode) → (v : List Nat) → mapAt f p t = some t' →
    noFiner c p = true → Coord.toFlat c (t.map Mode.extent) = some v →
    ∃ v', Coord.toFlat c (t'.map Mode.extent) = some v' ∧ eval t'.flatten v' = eval t.flatten v
  | p, .leaf none, t, t', v, _, _, hv => by
    simp only [Coord.toFlat, Option.some.injEq] at hv ⊢
    exact ⟨_, rfl, by rw [← hv, eval_replicate_zero, eval_replicate_zero]⟩
  | p, .leaf (some x), t, t', v, h, _, hv => by
    have hs := mapAt_rel Same.refl Same.append hf p t t' h
    rw [toFlat_index] at hv ⊢
    rw [hs.1]
    split at hv
    · cases hv
      rename_i hx
      exact ⟨_, if_pos hx, hs.2 x⟩
    · cases hv
  | .leaf _, .node cs, _, _, _, _, hc, _ => by simp [noFiner] at hc
  | .node ps, .node cs, .leaf a, _, _, _, _, hv => by simp [map, Coord.toFlat] at hv
  | .node ps, .node cs, .node ts, t', v, h, hc, hv => by
    simp only [mapAt, Option.map_eq_some_iff, children] at h
    obtain ⟨us, hus, rfl⟩ := h
    simp only [map, Coord.toFlat, noFiner, HTuple.flatten] at hv hc ⊢
    exact mapAtList_toFlat hf ps cs ts us v hus hc hv
theorem mapAtList_toFlat {f : HTuple Mode → HTuple Mode} (hf : ∀ t, Same t.flatten (f t).flatten) :
    (ps : List Profile) → (cs : List Coord) → (ts ts' : List (HTuple Mode)) → (v : List Nat) →
    mapAtList f ps ts = some ts' → noFinerList cs ps = true →
    Coord.toFlatList cs (mapList Mode.extent ts) = some v →
    ∃ v', Coord.toFlatList cs (mapList Mode.extent ts') = some v' ∧
      eval (flattenList ts') v' = eval (flattenList ts) v
  | [], cs, ts, ts', v, h, _, hv => by
    simp only [mapAtList, Option.some.injEq] at h
    rw [← h]; exact ⟨v, hv, rfl⟩
  | _ :: _, _, [], _, _, h, _, _ => by simp [mapAtList] at h
  | _ :: _, [], _ :: _, _, _, _, _, hv => by simp [mapList, Coord.toFlatList] at hv
  | p :: ps, c :: cs, t :: ts, us, v, h, hc, hv => by
    obtain ⟨t', ts', h1, h2, rfl⟩ := mapAtList_cons h
    simp only [noFinerList, Bool.and_eq_true] at hc
    obtain ⟨a, b, ha, hb, rfl⟩ := toFlatList_cons hv
    obtain ⟨a', ha', ea⟩ := mapAt_toFlat hf p c t t' a h1 hc.1 ha
    obtain ⟨b', hb', eb⟩ := mapAtList_toFlat hf ps cs ts ts' b h2 hc.2 hb
    refine ⟨a' ++ b', by simp [mapList, Coord.toFlatList, ha', hb'], ?_⟩
    simp only [flattenList]
    rw [eval_append (length_toFlat_modes ha'), eval_append (length_toFlat_modes ha), ea, eb]
end

mutual
theorem mapAt_toFlat_isSome {f : HTuple Mode → HTuple Mode} (hf : ∀ t, Same t.flatten (f t).flatten) :
    (p : Profile) → (c : Coord) → (t t' : HTuple Mode) → mapAt f p t = some t' →
    fitsInside p t = true → noFiner c p = true → (Coord.toFlat c (t'.map Mode.extent)).isSome = true →
    (Coord.toFlat c (t.map Mode.extent)).isSome = true
  | p, .leaf none, t, t', _, _, _, _ => by simp [Coord.toFlat]
  | p, .leaf (some x), t, t', h, _, _, hv => by
    have hs := mapAt_rel Same.refl Same.append hf p t t' h
    rw [toFlat_index] at hv ⊢
    rw [hs.1] at hv
    split at hv
    · rename_i hx; simp [hx]
    · simp at hv
  | .leaf _, .node cs, _, _, _, _, hc, _ => by simp [noFiner] at hc
  | .node ps, .node cs, .leaf a, _, _, hi, _, _ => by simp [fitsInside] at hi
  | .node ps, .node cs, .node ts, t', h, hi, hc, hv => by
    simp only [mapAt, Option.map_eq_some_iff, children] at h
    obtain ⟨us, hus, rfl⟩ := h
    simp only [map, Coord.toFlat, noFiner, fitsInside] at hv hc hi ⊢
    exact mapAtList_toFlat_isSome hf ps cs ts us hus hi hc hv
theorem mapAtList_toFlat_isSome {f : HTuple Mode → HTuple Mode}
    (hf : ∀ t, Same t.flatten (f t).flatten) :
    (ps : List Profile) → (cs : List Coord) → (ts ts' : List (HTuple Mode)) →
    mapAtList f ps ts = some ts' → fitsInsideList ps ts = true → noFinerList cs ps = true →
    (Coord.toFlatList cs (mapList Mode.extent ts')).isSome = true →
    (Coord.toFlatList cs (mapList Mode.extent ts)).isSome = true
  | [], cs, ts, ts', h, _, _, hv => by
    simp only [mapAtList, Option.some.injEq] at h
    rw [h]; exact hv
  | _ :: _, _, [], _, h, _, _, _ => by simp [mapAtList] at h
  | p :: ps, [], t :: ts, us, h, _, _, hv => by
    obtain ⟨t', ts', h1, h2, rfl⟩ := mapAtList_cons h
    simp [mapList, Coord.toFlatList] at hv
  | p :: ps, c :: cs, t :: ts, us, h, hi, hc, hv => by
    obtain ⟨t', ts', h1, h2, rfl⟩ := mapAtList_cons h
    simp only [noFinerList, fitsInsideList, Bool.and_eq_true] at hc hi
    obtain ⟨v, hv⟩ := Option.isSome_iff_exists.mp hv
    obtain ⟨a, b, ha, hb, rfl⟩ := toFlatList_cons hv
    have h3 := mapAt_toFlat_isSome hf p c t t' h1 hi.1 hc.1 (by rw [ha]; rfl)
    have h4 := mapAtList_toFlat_isSome hf ps cs ts ts' h2 hi.2 hc.2 (by rw [hb]; rfl)
    obtain ⟨a', ha'⟩ := Option.isSome_iff_exists.mp h3
    obtain ⟨b', hb'⟩ := Option.isSome_iff_exists.mp h4
    simp [mapList, Coord.toFlatList, ha', hb']
end

end Layout

end Razorgirl
