module

public import Razorgirl.Thm.Layout.Basic.Nested
public import Razorgirl.Thm.Layout.Coalesce.MapAt
public import Razorgirl.Thm.Layout.Find

@[expose] public section

/-!
# Coalesce by profile: what is proved

`coalesceBy target L` coalesces what lies at each leaf of the target, so that coordinates with one integer for
each leaf stay coordinates of the result. The target's leaf values play no part; it is a profile.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout Layout.Aux

theorem flatten_coalesceTree (t : HTuple Mode) :
    (coalesceTree t).flatten = (nest (FlatLayout.coalesce t.flatten)).modes :=
  Layout.flatten_tree (profile_length_nest _)

theorem ofTree_coalesceTree (t : HTuple Mode) :
    ofTree (coalesceTree t) = nest (FlatLayout.coalesce t.flatten) :=
  Layout.ofTree_tree_of_length (profile_length_nest _)

theorem same_coalesceTree (t : HTuple Mode) : Same t.flatten (coalesceTree t).flatten := by
  rw [flatten_coalesceTree]
  refine ⟨?_, fun x => by rw [atIndex_nest, FlatLayout.coalesce_atIndex]⟩
  have := size_nest (FlatLayout.coalesce t.flatten)
  rw [FlatLayout.coalesce_size] at this
  exact this

theorem valid_coalesceTree {t : HTuple Mode} (h : FlatLayout.Valid t.flatten) :
    FlatLayout.Valid (coalesceTree t).flatten := by
  rw [flatten_coalesceTree, nest_modes]
  split
  · simp [FlatLayout.Valid]
  · exact FlatLayout.coalesce_valid h

theorem coalesceTree_idempotent (t : HTuple Mode) : coalesceTree (coalesceTree t) = coalesceTree t := by
  unfold coalesceTree
  rw [Layout.flatten_tree (profile_length_nest _), coalesce_nest_modes, FlatLayout.coalesce_idempotent]

theorem coalesceBy_eq_some {target : Profile} {L R : Layout} (h : coalesceBy target L = some R) :
    ∃ t, mapAt coalesceTree target L.tree = some t ∧ R = ofTree t ∧ R.tree = t := by
  obtain ⟨t, ht, rfl⟩ := Option.map_eq_some_iff.mp h
  exact ⟨t, ht, rfl, tree_ofTree t⟩

theorem coalesceBy_same {target : Profile} {L R : Layout} (hv : L.Valid)
    (h : coalesceBy target L = some R) : Same L.modes R.modes := by
  obtain ⟨t, ht, rfl, _⟩ := coalesceBy_eq_some h
  have := mapAt_rel Same.refl Same.append same_coalesceTree _ _ _ ht
  rwa [Layout.flatten_tree hv.1] at this

/-- **Coalescing by a target exists exactly when the target has nowhere more modes than the layout.**
Rust: `razorgirl::Layout::coalesce_by`
Source: CuTe `coalesce(L, profile)`; Colfax 2.3.3 -/
theorem coalesceBy_isSome (target : Profile) (L : Layout) :
    (coalesceBy target L).isSome = fits target L.profile := by
  rw [coalesceBy, Option.isSome_map, isSome_mapAt, ← Layout.profile_tree L, HTuple.profile, fits_map]

/-- **Coalescing by a target of one leaf is coalescing.**
Rust: `razorgirl::Layout::coalesce_by`
Source: CuTe `coalesce(L, profile)` -/
theorem coalesceBy_leaf {L : Layout} (hv : L.Valid) : coalesceBy (.leaf ()) L = some (coalesce L) := by
  simp only [coalesceBy, mapAt, Option.map_some, ofTree_coalesceTree, Layout.flatten_tree hv.1, coalesce]

/-- **Coalescing by a target keeps the size.**
Rust: `razorgirl::Layout::coalesce_by`
Source: CuTe `coalesce(L, profile)`; Colfax 2.3.3 -/
theorem coalesceBy_size {target : Profile} {L R : Layout} (hv : L.Valid)
    (h : coalesceBy target L = some R) : R.size = L.size := (coalesceBy_same hv h).1

/-- **Coalescing by a target keeps the offset of every linear index, read as `atIndex` reads it: past the end, from the
start again.**
Rust: `razorgirl::Layout::coalesce_by`
Source: CuTe `coalesce(L, profile)`; Colfax 2.3.3 -/
theorem coalesceBy_atIndex {target : Profile} {L R : Layout} (hv : L.Valid)
    (h : coalesceBy target L = some R) (x : Nat) : atIndex R.modes x = atIndex L.modes x :=
  (coalesceBy_same hv h).2 x

/-- **Coalescing by a target keeps the table of offsets.**
Rust: `razorgirl::Layout::coalesce_by`
Source: CuTe `coalesce(L, profile)`; Colfax 2.3.3 -/
theorem coalesceBy_offsets {target : Profile} {L R : Layout} (hv : L.Valid)
    (h : coalesceBy target L = some R) : offsets R.modes = offsets L.modes :=
  (offsets_eq_iff _ _).mpr ⟨coalesceBy_size hv h, fun x _ => coalesceBy_atIndex hv h x⟩

/-- **Coalescing by a target keeps the cosize.**
Rust: `razorgirl::Layout::coalesce_by`
Source: CuTe `coalesce(L, profile)`; Colfax 2.3.3 -/
theorem coalesceBy_cosize {target : Profile} {L R : Layout} (hv : L.Valid)
    (h : coalesceBy target L = some R) : R.cosize = L.cosize :=
  cosize_eq_of_offsets_eq (coalesceBy_offsets hv h)

/-- **Coalescing a valid layout by a target gives a valid layout.**
Rust: `razorgirl::Layout::coalesce_by`
Source: CuTe `coalesce(L, profile)` -/
theorem coalesceBy_valid {target : Profile} {L R : Layout} (hv : L.Valid)
    (h : coalesceBy target L = some R) : R.Valid := by
  obtain ⟨t, ht, rfl, _⟩ := coalesceBy_eq_some h
  refine ⟨profile_length_ofTree t, ?_⟩
  have := mapAt_rel (R := fun A B => FlatLayout.Valid A → FlatLayout.Valid B) (fun _ h => h)
    (fun A A' B B' h1 h2 h => by
      rw [valid_append_iff] at h ⊢
      exact ⟨h1 h.1, h2 h.2⟩) (fun t => valid_coalesceTree (t := t)) _ _ _ ht
  rw [Layout.flatten_tree hv.1] at this
  exact this hv.2

/-- **A layout and its form coalesced by a target, called with an integer, give the same answer.**
Rust: `razorgirl::Layout::coalesce_by`
Source: CuTe `coalesce(L, profile)` -/
theorem coalesceBy_call_index {target : Profile} {L R : Layout} (hv : L.Valid)
    (h : coalesceBy target L = some R) (x : Nat) :
    R.call (.leaf (some x)) = L.call (.leaf (some x)) := by
  rw [call_index_eq_ite (coalesceBy_valid hv h).1, call_index_eq_ite hv.1, coalesceBy_size hv h,
    coalesceBy_atIndex hv h]

/-- **Coordinates with an integer for each leaf of the target keep their offset.**
Rust: `razorgirl::Layout::coalesce_by`
Source: CuTe `coalesce(L, profile)`; Colfax 2.3.3 -/
theorem coalesceBy_call {target : Profile} {L R : Layout} (hv : L.Valid)
    (h : coalesceBy target L = some R) {c : Coord} (hc : noFiner c target = true) {o : Nat}
    (ho : L.call c = some o) : R.call c = some o := by
  obtain ⟨t, ht, rfl, _⟩ := coalesceBy_eq_some h
  obtain ⟨v, hv', rfl⟩ := Option.map_eq_some_iff.mp ho
  obtain ⟨v', hv'', e⟩ := mapAt_toFlat same_coalesceTree _ c _ _ v ht hc hv'
  rw [call, shape_ofTree, hv'', Option.map_some, ← Layout.flatten_tree hv.1, ← e]
  rfl

/-- **Where every tuple of the target meets a tuple of the layout, such coordinates get the same answer from
both, in range or not.**
Rust: `razorgirl::Layout::coalesce_by`
Source: CuTe `coalesce(L, profile)`; Colfax 2.3.3 -/
theorem coalesceBy_call_eq {target : Profile} {L R : Layout} (hv : L.Valid)
    (h : coalesceBy target L = some R) (hi : fitsInside target L.profile = true) {c : Coord}
    (hc : noFiner c target = true) : R.call c = L.call c := by
  rcases ho : L.call c with _ | o
  · rcases hr : R.call c with _ | r
    · rfl
    · obtain ⟨t, ht, rfl, _⟩ := coalesceBy_eq_some h
      rw [← Layout.profile_tree L, HTuple.profile, fitsInside_map] at hi
      have h1 : (Coord.toFlat c (t.map Mode.extent)).isSome = true := by
        obtain ⟨v, hv, _⟩ := Option.map_eq_some_iff.mp hr
        rw [← shape_ofTree, hv]; rfl
      have h2 := mapAt_toFlat_isSome same_coalesceTree _ c _ _ ht hi hc h1
      obtain ⟨v, hv⟩ := Option.isSome_iff_exists.mp h2
      rw [call, shape, hv] at ho
      cases ho
  · exact coalesceBy_call hv h hc ho

/-- **Coalescing twice by the same target is coalescing once.**
Rust: `razorgirl::Layout::coalesce_by`
Source: CuTe `coalesce(L, profile)`; Colfax 2.3.3 -/
theorem coalesceBy_idempotent {target : Profile} {L R : Layout} (h : coalesceBy target L = some R) :
    coalesceBy target R = some R := by
  obtain ⟨t, ht, rfl, ht'⟩ := coalesceBy_eq_some h
  rw [coalesceBy, ht', mapAt_idempotent coalesceTree_idempotent _ _ _ ht]
  rfl

/-- **What lies at each leaf of the target is coalesced.**
Rust: `razorgirl::Layout::coalesce_by`
Source: CuTe `coalesce(L, profile)`; Colfax 2.3.3 -/
theorem coalesceBy_coalesced {target : Profile} {L R : Layout} (h : coalesceBy target L = some R) :
    AtLeaves (fun t => Coalesced (ofTree t)) target R.tree := by
  obtain ⟨t, ht, rfl, ht'⟩ := coalesceBy_eq_some h
  rw [ht']
  refine mapAt_atLeaves (fun u => ?_) _ _ _ ht
  rw [ofTree_coalesceTree]
  exact coalesced_nest (FlatLayout.coalesce_coalesced _)

/-- **The modes that the target does not reach stay as they are, at every level.**
Rust: `razorgirl::Layout::coalesce_by`
Source: CuTe `coalesce(L, profile)` -/
theorem coalesceBy_beyond {target : Profile} {L R : Layout} (h : coalesceBy target L = some R) :
    SameBeyond target L.tree R.tree := by
  obtain ⟨t, ht, rfl, ht'⟩ := coalesceBy_eq_some h
  rw [ht']
  exact mapAt_sameBeyond _ _ _ ht

/-! ## Two layouts over one shape -/

mutual
theorem fits_of_compatible : (s : IntTuple) → (t : HTuple Mode) →
    IntTuple.compatible s (t.map Mode.extent) = true → fits s.profile t = true
  | .leaf _, _, _ => by simp [HTuple.profile, map, fits]
  | .node ss, .node ts, h => by
    simp only [map, IntTuple.compatible] at h
    simp only [HTuple.profile, map, fits]
    exact fitsList_of_compatible ss ts h
  | .node _, .leaf _, h => by simp [map, IntTuple.compatible] at h
theorem fitsList_of_compatible : (ss : List IntTuple) → (ts : List (HTuple Mode)) →
    IntTuple.compatibleList ss (mapList Mode.extent ts) = true →
    fitsList (mapList (fun _ => ()) ss) ts = true
  | [], _, _ => by simp [mapList, fitsList]
  | _ :: _, [], h => by simp [mapList, IntTuple.compatibleList] at h
  | s :: ss, t :: ts, h => by
    simp only [mapList, IntTuple.compatibleList, Bool.and_eq_true] at h
    have := fits_of_compatible s t h.1
    rw [HTuple.profile] at this
    simp [mapList, fitsList, this, fitsList_of_compatible ss ts h.2]
end

theorem offsets_append_inj {A A' B B' : FlatLayout} (hA : FlatLayout.Valid A) (hB : FlatLayout.Valid B)
    (hs : FlatLayout.size A = FlatLayout.size A') (h : offsets (A ++ B) = offsets (A' ++ B')) :
    offsets A = offsets A' ∧ offsets B = offsets B' := by
  obtain ⟨h1, h2⟩ := (offsets_eq_iff _ _).mp h
  rw [size_append, size_append, ← hs] at h1
  have pA := hA.size_pos
  have pB := hB.size_pos
  have h3 : FlatLayout.size B = FlatLayout.size B' := Nat.eq_of_mul_eq_mul_left pA h1
  have key : ∀ x y, x < FlatLayout.size A → y < FlatLayout.size B →
      atIndex A x + atIndex B y = atIndex A' x + atIndex B' y := fun x y hx hy => by
    have hxy : x + FlatLayout.size A * y < FlatLayout.size (A ++ B) := by
      rw [size_append]
      calc x + FlatLayout.size A * y < FlatLayout.size A * (y + 1) := by rw [Nat.mul_succ]; omega
        _ ≤ _ := Nat.mul_le_mul_left _ hy
    have := h2 _ hxy
    rw [atIndex_append_add hx] at this
    rw [hs] at hx this
    rw [atIndex_append_add hx] at this
    exact this
  refine ⟨(offsets_eq_iff _ _).mpr ⟨hs, fun x hx => ?_⟩, (offsets_eq_iff _ _).mpr ⟨h3, fun y hy => ?_⟩⟩
  · have := key x 0 hx pB
    rwa [atIndex_zero, atIndex_zero] at this
  · have := key 0 y pA hy
    rwa [atIndex_zero, atIndex_zero, Nat.zero_add, Nat.zero_add] at this

theorem size_of_compatible {s : IntTuple} {t : HTuple Mode}
    (h : IntTuple.compatible s (t.map Mode.extent) = true) :
    FlatLayout.size t.flatten = IntTuple.size s := by
  rw [IntTuple.size_eq_of_compatible h, IntTuple.size_eq_prod, flatten_map]
  rfl

mutual
theorem mapAt_coalesceTree_unique : (s : IntTuple) → (t u : HTuple Mode) →
    IntTuple.compatible s (t.map Mode.extent) = true → IntTuple.compatible s (u.map Mode.extent) = true →
    FlatLayout.Valid t.flatten → FlatLayout.Valid u.flatten → offsets t.flatten = offsets u.flatten →
    mapAt coalesceTree s.profile t = mapAt coalesceTree s.profile u
  | .leaf _, t, u, _, _, ht, hu, h => by
    simp only [HTuple.profile, map, mapAt, coalesceTree, (coalesce_eq_iff_offsets ht hu).mpr h]
  | .node ss, .node ts, .node us, h1, h2, ht, hu, h => by
    simp only [map, IntTuple.compatible, HTuple.flatten] at h1 h2 ht hu h
    simp only [HTuple.profile, map, mapAt, children]
    rw [mapAtList_coalesceTree_unique ss ts us h1 h2 ht hu h]
  | .node _, .leaf _, _, h, _, _, _, _ => by simp [map, IntTuple.compatible] at h
  | .node _, _, .leaf _, _, h, _, _, _ => by simp [map, IntTuple.compatible] at h
theorem mapAtList_coalesceTree_unique : (ss : List IntTuple) → (ts us : List (HTuple Mode)) →
    IntTuple.compatibleList ss (mapList Mode.extent ts) = true →
    IntTuple.compatibleList ss (mapList Mode.extent us) = true →
    FlatLayout.Valid (flattenList ts) → FlatLayout.Valid (flattenList us) →
    offsets (flattenList ts) = offsets (flattenList us) →
    mapAtList coalesceTree (mapList (fun _ => ()) ss) ts = mapAtList coalesceTree (mapList (fun _ => ()) ss) us
  | [], [], [], _, _, _, _, _ => rfl
  | [], _ :: _, _, h, _, _, _, _ => by simp [mapList, IntTuple.compatibleList] at h
  | [], _, _ :: _, _, h, _, _, _ => by simp [mapList, IntTuple.compatibleList] at h
  | _ :: _, [], _, h, _, _, _, _ => by simp [mapList, IntTuple.compatibleList] at h
  | _ :: _, _, [], _, h, _, _, _ => by simp [mapList, IntTuple.compatibleList] at h
  | s :: ss, t :: ts, u :: us, h1, h2, ht, hu, h => by
    simp only [mapList, IntTuple.compatibleList, Bool.and_eq_true, flattenList, valid_append_iff]
      at h1 h2 ht hu h
    obtain ⟨ha, hb⟩ := offsets_append_inj ht.1 ht.2
      (by rw [size_of_compatible h1.1, size_of_compatible h2.1]) h
    have e1 := mapAt_coalesceTree_unique s t u h1.1 h2.1 ht.1 hu.1 ha
    have e2 := mapAtList_coalesceTree_unique ss ts us h1.2 h2.2 ht.2 hu.2 hb
    rw [HTuple.profile] at e1
    simp only [mapList, mapAtList, e1, e2]
end

/-- **Two layouts over one coarser shape are the same function exactly when they coalesce to the same layout
over that shape.**
Rust: `razorgirl::Layout::coalesce_by`
Source: Colfax 2.3.3 -/
theorem coalesceBy_eq_iff {S : IntTuple} {A B : Layout} (hA : A.Valid) (hB : B.Valid)
    (cA : IntTuple.compatible S A.shape = true) (cB : IntTuple.compatible S B.shape = true) :
    coalesceBy S.profile A = coalesceBy S.profile B ↔ offsets A.modes = offsets B.modes := by
  constructor
  · intro h
    have hs : (coalesceBy S.profile A).isSome = true := by
      rw [coalesceBy, Option.isSome_map, isSome_mapAt]
      exact fits_of_compatible S A.tree cA
    obtain ⟨R, hR⟩ := Option.isSome_iff_exists.mp hs
    rw [← coalesceBy_offsets hA hR, coalesceBy_offsets hB (h ▸ hR)]
  · intro h
    rw [coalesceBy, coalesceBy, mapAt_coalesceTree_unique S A.tree B.tree cA cB]
    · rw [Layout.flatten_tree hA.1]; exact hA.2
    · rw [Layout.flatten_tree hB.1]; exact hB.2
    · rw [Layout.flatten_tree hA.1, Layout.flatten_tree hB.1]; exact h

mutual
theorem mapAt_compatible {f : HTuple Mode → HTuple Mode} (hf : ∀ t, Same t.flatten (f t).flatten) :
    (s : IntTuple) → (t t' : HTuple Mode) → mapAt f s.profile t = some t' →
    IntTuple.compatible s (t.map Mode.extent) = true → IntTuple.compatible s (t'.map Mode.extent) = true
  | .leaf n, t, t', h, hc => by
    simp only [HTuple.profile, map, mapAt, Option.some.injEq] at h
    have h1 := size_of_compatible hc
    have h2 := (hf t).1
    simp only [IntTuple.size] at h1
    simp only [IntTuple.compatible, beq_iff_eq]
    rw [← h, IntTuple.size_eq_prod, flatten_map, ← h1, ← h2]
    rfl
  | .node ss, .node ts, t', h, hc => by
    simp only [HTuple.profile, map, mapAt, children, Option.map_eq_some_iff] at h
    obtain ⟨us, hus, rfl⟩ := h
    simp only [map, IntTuple.compatible] at hc ⊢
    exact mapAtList_compatible hf ss ts us hus hc
  | .node _, .leaf _, _, _, hc => by simp [map, IntTuple.compatible] at hc
theorem mapAtList_compatible {f : HTuple Mode → HTuple Mode} (hf : ∀ t, Same t.flatten (f t).flatten) :
    (ss : List IntTuple) → (ts ts' : List (HTuple Mode)) →
    mapAtList f (mapList (fun _ => ()) ss) ts = some ts' →
    IntTuple.compatibleList ss (mapList Mode.extent ts) = true →
    IntTuple.compatibleList ss (mapList Mode.extent ts') = true
  | [], [], ts', h, _ => by
    simp only [mapList, mapAtList, Option.some.injEq] at h
    simp [← h, mapList, IntTuple.compatibleList]
  | [], _ :: _, _, _, hc => by simp [mapList, IntTuple.compatibleList] at hc
  | _ :: _, [], _, _, hc => by simp [mapList, IntTuple.compatibleList] at hc
  | s :: ss, t :: ts, us, h, hc => by
    obtain ⟨t', ts', h1, h2, rfl⟩ := mapAtList_cons h
    simp only [mapList, IntTuple.compatibleList, Bool.and_eq_true] at hc ⊢
    exact ⟨mapAt_compatible hf s t t' h1 hc.1, mapAtList_compatible hf ss ts ts' h2 hc.2⟩
end

/-- **A layout whose shape refines `S` can be coalesced over `S`.**
Rust: `razorgirl::Layout::coalesce_by`
Source: Colfax 2.3.3 -/
theorem coalesceBy_isSome_of_compatible {S : IntTuple} {L : Layout}
    (hc : IntTuple.compatible S L.shape = true) : (coalesceBy S.profile L).isSome = true := by
  rw [coalesceBy, Option.isSome_map, isSome_mapAt]
  exact fits_of_compatible S L.tree hc

/-- **Coalescing over `S` keeps every coordinate of `S`: the shape of the result still refines `S`.**
Rust: `razorgirl::Layout::coalesce_by`
Source: Colfax 2.3.3 -/
theorem coalesceBy_compatible {S : IntTuple} {L R : Layout} (hc : IntTuple.compatible S L.shape = true)
    (h : coalesceBy S.profile L = some R) : IntTuple.compatible S R.shape = true := by
  obtain ⟨t, ht, rfl, _⟩ := coalesceBy_eq_some h
  rw [shape_ofTree]
  exact mapAt_compatible same_coalesceTree S _ _ ht hc

/-- **Coalescing over `S` keeps the offset of every coordinate of `S`, and which are out of range.**
Rust: `razorgirl::Layout::coalesce_by`
Source: Colfax 2.3.3 -/
theorem coalesceBy_call_of_compatible {S : IntTuple} {L R : Layout} (hv : L.Valid)
    (hc : IntTuple.compatible S L.shape = true) (h : coalesceBy S.profile L = some R) {c : Coord}
    (hw : weaklyCongruent c S = true) : R.call c = L.call c :=
  call_eq_of_offsets_eq (coalesceBy_valid hv h) hv (coalesceBy_offsets hv h) (coalesceBy_compatible hc h) hc hw

/-! ## Worked examples -/

/-- CuTe's documentation: `(2,(1,6)):(1,(6,2))` coalesced by `(*,*)` is `(2,6):(1,2)`. -/
example : coalesceBy (.node [.leaf (), .leaf ()])
    ⟨[⟨2, 1⟩, ⟨1, 6⟩, ⟨6, 2⟩], .node [.leaf (), .node [.leaf (), .leaf ()]]⟩ =
    some ⟨[⟨2, 1⟩, ⟨6, 2⟩], .node [.leaf (), .leaf ()]⟩ := rfl
/-- A target with fewer modes leaves the further ones as they are: `((2,2),(2,2)):((1,2),(4,8))` by `(*)`. -/
example : (coalesceBy (.node [.leaf ()])
    ⟨[⟨2, 1⟩, ⟨2, 2⟩, ⟨2, 4⟩, ⟨2, 8⟩], .node [.node [.leaf (), .leaf ()], .node [.leaf (), .leaf ()]]⟩) =
    some ⟨[⟨4, 1⟩, ⟨2, 4⟩, ⟨2, 8⟩], .node [.leaf (), .node [.leaf (), .leaf ()]]⟩ := rfl
/-- A target with more modes than the layout is refused. -/
example : coalesceBy (.node [.leaf (), .leaf ()]) ⟨[⟨4, 1⟩], .node [.leaf ()]⟩ = none := rfl

end Layout

end Razorgirl
