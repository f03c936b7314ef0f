module

public import Razorgirl.Spec.Layout.Slice
public import Razorgirl.Thm.Layout.Sort

@[expose] public section

/-!
# Slice and dice: what is proved

A coordinate with `_` in it splits the modes in two: those that `slice` keeps and those that `dice` keeps. The
layout at the coordinate with its `_` filled in is the offset of the fixed part plus the slice at what was filled
in.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout

/-! ## Which modes are kept -/

theorem keptList_cons {α : Type} {c : Coord} {cs : List Coord} {t : HTuple α} {ts us : List (HTuple α)}
    (h : keptList (c :: cs) (t :: ts) = some us) :
    ∃ x y, kept c t = some x ∧ keptList cs ts = some y ∧ us = x ++ y := by
  simp only [keptList] at h
  cases h1 : kept c t with
  | none => simp [h1] at h
  | some x =>
    cases h2 : keptList cs ts with
    | none => simp [h1, h2] at h
    | some y =>
      simp only [h1, h2, Option.some.injEq] at h
      exact ⟨x, y, rfl, rfl, h.symm⟩

mutual
theorem isSome_kept {α : Type} : (c : Coord) → (t : HTuple α) → (kept c t).isSome = weaklyCongruent c t
  | .leaf none, t => by simp [kept, weaklyCongruent]
  | .leaf (some _), t => by simp [kept, weaklyCongruent]
  | .node cs, .node ts => by simp [kept, weaklyCongruent, isSome_keptList cs ts]
  | .node _, .leaf _ => by simp [kept, weaklyCongruent]
theorem isSome_keptList {α : Type} : (cs : List Coord) → (ts : List (HTuple α)) →
    (keptList cs ts).isSome = weaklyCongruentList cs ts
  | [], [] => by simp [keptList, weaklyCongruentList]
  | [], _ :: _ => by simp [keptList, weaklyCongruentList]
  | _ :: _, [] => by simp [keptList, weaklyCongruentList]
  | c :: cs, t :: ts => by
    simp only [keptList, weaklyCongruentList, ← isSome_kept c t, ← isSome_keptList cs ts]
    cases kept c t <;> cases keptList cs ts <;> rfl
end

mutual
theorem weaklyCongruent_map {α β γ : Type} (f : β → γ) : (c : HTuple α) → (t : HTuple β) →
    weaklyCongruent c (map f t) = weaklyCongruent c t
  | .leaf _, _ => by simp [weaklyCongruent]
  | .node cs, .node ts => by simp [weaklyCongruent, map, weaklyCongruentList_map f cs ts]
  | .node _, .leaf _ => by simp [weaklyCongruent, map]
theorem weaklyCongruentList_map {α β γ : Type} (f : β → γ) : (cs : List (HTuple α)) →
    (ts : List (HTuple β)) → weaklyCongruentList cs (mapList f ts) = weaklyCongruentList cs ts
  | [], [] => by simp [weaklyCongruentList, mapList]
  | [], _ :: _ => by simp [weaklyCongruentList, mapList]
  | _ :: _, [] => by simp [weaklyCongruentList, mapList]
  | c :: cs, t :: ts => by
    simp [weaklyCongruentList, mapList, weaklyCongruent_map f c t, weaklyCongruentList_map f cs ts]
end

mutual
theorem weaklyCongruent_map_left {α β γ : Type} (f : α → γ) : (c : HTuple α) → (t : HTuple β) →
    weaklyCongruent (map f c) t = weaklyCongruent c t
  | .leaf _, _ => by simp [weaklyCongruent, map]
  | .node cs, .node ts => by simp [weaklyCongruent, map, weaklyCongruentList_map_left f cs ts]
  | .node _, .leaf _ => by simp [weaklyCongruent, map]
theorem weaklyCongruentList_map_left {α β γ : Type} (f : α → γ) : (cs : List (HTuple α)) →
    (ts : List (HTuple β)) → weaklyCongruentList (mapList f cs) ts = weaklyCongruentList cs ts
  | [], [] => by simp [weaklyCongruentList, mapList]
  | [], _ :: _ => by simp [weaklyCongruentList, mapList]
  | _ :: _, [] => by simp [weaklyCongruentList, mapList]
  | c :: cs, t :: ts => by
    simp [weaklyCongruentList, mapList, weaklyCongruent_map_left f c t, weaklyCongruentList_map_left f cs ts]
end

mutual
theorem length_kept {α : Type} : (c : Coord) → (t : HTuple α) → (us : List (HTuple α)) →
    kept c t = some us → us.length = holes c
  | .leaf none, t, us, h => by
    simp only [kept, Option.some.injEq] at h
    simp [← h, holes]
  | .leaf (some _), t, us, h => by
    simp only [kept, Option.some.injEq] at h
    simp [← h, holes]
  | .node cs, .node ts, us, h => by
    simp only [kept] at h
    simp only [holes]
    exact length_keptList cs ts us h
  | .node _, .leaf _, _, h => by simp [kept] at h
theorem length_keptList {α : Type} : (cs : List Coord) → (ts us : List (HTuple α)) →
    keptList cs ts = some us → us.length = holesList cs
  | [], [], us, h => by
    simp only [keptList, Option.some.injEq] at h
    simp [← h, holesList]
  | [], _ :: _, _, h => by simp [keptList] at h
  | _ :: _, [], _, h => by simp [keptList] at h
  | c :: cs, t :: ts, us, h => by
    obtain ⟨x, y, hx, hy, rfl⟩ := keptList_cons h
    rw [List.length_append, length_kept c t x hx, length_keptList cs ts y hy, holesList]
end

mutual
theorem kept_sublist {α : Type} : (c : Coord) → (t : HTuple α) → (us : List (HTuple α)) →
    kept c t = some us → (flattenList us).Sublist t.flatten
  | .leaf none, t, us, h => by
    simp only [kept, Option.some.injEq] at h
    simp [← h, flattenList]
  | .leaf (some _), t, us, h => by
    simp only [kept, Option.some.injEq] at h
    simp [← h, flattenList]
  | .node cs, .node ts, us, h => by
    simp only [kept] at h
    simp only [HTuple.flatten]
    exact keptList_sublist cs ts us h
  | .node _, .leaf _, _, h => by simp [kept] at h
theorem keptList_sublist {α : Type} : (cs : List Coord) → (ts us : List (HTuple α)) →
    keptList cs ts = some us → (flattenList us).Sublist (flattenList ts)
  | [], [], us, h => by
    simp only [keptList, Option.some.injEq] at h
    simp [← h, flattenList]
  | [], _ :: _, _, h => by simp [keptList] at h
  | _ :: _, [], _, h => by simp [keptList] at h
  | c :: cs, t :: ts, us, h => by
    obtain ⟨x, y, hx, hy, rfl⟩ := keptList_cons h
    simp only [flattenList, flattenList_eq_flatMap, List.flatMap_append]
    have h1 := kept_sublist c t x hx
    have h2 := keptList_sublist cs ts y hy
    simp only [flattenList_eq_flatMap] at h1 h2
    exact h1.append h2
end

theorem perm_append_swap {α : Type} (a b c d : List α) :
    ((a ++ b) ++ (c ++ d)).Perm ((a ++ c) ++ (b ++ d)) := by
  rw [List.append_assoc, List.append_assoc]
  refine List.Perm.append_left a ?_
  rw [← List.append_assoc, ← List.append_assoc]
  exact List.perm_append_comm.append_right d

mutual
theorem kept_perm {α : Type} : (c : Coord) → (t : HTuple α) → (us vs : List (HTuple α)) →
    kept c t = some us → kept (swapped c) t = some vs →
    (flattenList us ++ flattenList vs).Perm t.flatten
  | .leaf none, t, us, vs, h, h' => by
    simp only [swapped, map, kept, Option.some.injEq] at h h'
    simp [← h, ← h', flattenList]
  | .leaf (some _), t, us, vs, h, h' => by
    simp only [swapped, map, kept, Option.some.injEq] at h h'
    simp [← h, ← h', flattenList]
  | .node cs, .node ts, us, vs, h, h' => by
    simp only [swapped, map, kept] at h h'
    simp only [HTuple.flatten]
    exact keptList_perm cs ts us vs h h'
  | .node _, .leaf _, _, _, h, _ => by simp [kept] at h
theorem keptList_perm {α : Type} : (cs : List Coord) → (ts us vs : List (HTuple α)) →
    keptList cs ts = some us →
    keptList (mapList (fun o => match o with | none => some 0 | some _ => none) cs) ts = some vs →
    (flattenList us ++ flattenList vs).Perm (flattenList ts)
  | [], [], us, vs, h, h' => by
    simp only [mapList, keptList, Option.some.injEq] at h h'
    simp [← h, ← h', flattenList]
  | [], _ :: _, _, _, h, _ => by simp [keptList] at h
  | _ :: _, [], _, _, h, _ => by simp [keptList] at h
  | c :: cs, t :: ts, us, vs, h, h' => by
    obtain ⟨x, y, hx, hy, rfl⟩ := keptList_cons h
    obtain ⟨x', y', hx', hy', rfl⟩ := keptList_cons h'
    have h1 := kept_perm c t x x' hx hx'
    have h2 := keptList_perm cs ts y y' hy hy'
    simp only [flattenList_eq_flatMap, List.flatMap_append, List.flatMap_cons] at h1 h2 ⊢
    exact (perm_append_swap _ _ _ _).trans (h1.append h2)
end

/-! ## The theorems -/

theorem weaklyCongruent_tree (c : Coord) (L : Layout) :
    weaklyCongruent c L.tree = weaklyCongruent c L.profile := by
  rw [← profile_tree L, HTuple.profile, weaklyCongruent_map]

theorem sliceModes_isSome (c : Coord) (L : Layout) :
    (sliceModes c L).isSome = weaklyCongruent c L.profile := by
  rw [sliceModes, Option.isSome_map, isSome_kept, weaklyCongruent_tree]

/-- **A slice exists exactly when the coordinate is nested no deeper than the layout, with the same ranks.**
Rust: `razorgirl::Layout::slice`
Source: CuTe `slice` -/
theorem slice_isSome (c : Coord) (L : Layout) : (slice c L).isSome = weaklyCongruent c L.profile := by
  unfold slice
  split
  · simp [weaklyCongruent]
  · exact sliceModes_isSome c L

theorem weaklyCongruent_swapped {α : Type} (c : Coord) (t : HTuple α) :
    weaklyCongruent (swapped c) t = weaklyCongruent c t := weaklyCongruent_map_left _ _ _

/-- **A dice exists exactly when the slice does.**
Rust: `razorgirl::Layout::dice`
Source: CuTe `dice` -/
theorem dice_isSome (c : Coord) (L : Layout) : (dice c L).isSome = weaklyCongruent c L.profile := by
  unfold dice
  split
  · simp [weaklyCongruent]
  · rw [sliceModes_isSome, weaklyCongruent_swapped]

theorem sliceModes_eq_some {c : Coord} {L S : Layout} (h : sliceModes c L = some S) :
    ∃ us, kept c L.tree = some us ∧ S = ofTree (.node us) ∧ S.modes = flattenList us := by
  obtain ⟨us, hus, rfl⟩ := Option.map_eq_some_iff.mp h
  exact ⟨us, hus, rfl, rfl⟩

theorem slice_modes {c : Coord} {L S : Layout} (hv : L.Valid) (h : slice c L = some S) :
    ∃ us, kept c L.tree = some us ∧ S.modes = flattenList us := by
  unfold slice at h
  split at h
  · cases h
    exact ⟨[L.tree], by simp [kept], by simp [flattenList, flatten_tree hv.1]⟩
  · obtain ⟨us, h1, _, h2⟩ := sliceModes_eq_some h
    exact ⟨us, h1, h2⟩

theorem dice_modes {c : Coord} {L D : Layout} (hv : L.Valid) (h : dice c L = some D) :
    ∃ us, kept (swapped c) L.tree = some us ∧ D.modes = flattenList us := by
  unfold dice at h
  split at h
  · cases h
    exact ⟨[L.tree], by simp [swapped, map, kept], by simp [flattenList, flatten_tree hv.1]⟩
  · obtain ⟨us, h1, _, h2⟩ := sliceModes_eq_some h
    exact ⟨us, h1, h2⟩

/-- **The modes of a slice are modes of the layout, in order.**
Rust: `razorgirl::Layout::slice`
Source: CuTe `slice` -/
theorem slice_sublist {c : Coord} {L S : Layout} (hv : L.Valid) (h : slice c L = some S) :
    S.modes.Sublist L.modes := by
  obtain ⟨us, h1, h2⟩ := slice_modes hv h
  rw [h2, ← flatten_tree hv.1]
  exact kept_sublist _ _ _ h1

/-- **The modes of a dice are modes of the layout, in order.**
Rust: `razorgirl::Layout::dice`
Source: CuTe `dice` -/
theorem dice_sublist {c : Coord} {L D : Layout} (hv : L.Valid) (h : dice c L = some D) :
    D.modes.Sublist L.modes := by
  obtain ⟨us, h1, h2⟩ := dice_modes hv h
  rw [h2, ← flatten_tree hv.1]
  exact kept_sublist _ _ _ h1

/-- **Slice and dice share out the modes: together they have each mode of the layout once.**
Rust: `razorgirl::Layout::slice`
Source: CuTe `slice`, `dice` -/
theorem slice_dice_perm {c : Coord} {L S D : Layout} (hv : L.Valid) (hS : slice c L = some S)
    (hD : dice c L = some D) : (S.modes ++ D.modes).Perm L.modes := by
  obtain ⟨us, h1, h2⟩ := slice_modes hv hS
  obtain ⟨vs, h3, h4⟩ := dice_modes hv hD
  rw [h2, h4, ← flatten_tree hv.1]
  exact kept_perm _ _ _ _ h1 h3

/-- **The size of the layout is the size of the slice times the size of the dice.**
Rust: `razorgirl::Layout::slice`
Source: CuTe `slice`, `dice` -/
theorem slice_size_mul_dice_size {c : Coord} {L S D : Layout} (hv : L.Valid) (hS : slice c L = some S)
    (hD : dice c L = some D) : S.size * D.size = L.size := by
  rw [size, size, size, ← size_append, size_perm (slice_dice_perm hv hS hD)]

theorem valid_of_sublist {A B : FlatLayout} (h : A.Sublist B) (hB : FlatLayout.Valid B) :
    FlatLayout.Valid A := by
  rw [valid_iff_forall] at *
  exact fun m hm => hB m (h.mem hm)

/-- **A slice of a valid layout is a valid layout.**
Rust: `razorgirl::Layout::slice`
Source: CuTe `slice` -/
theorem slice_valid {c : Coord} {L S : Layout} (hv : L.Valid) (h : slice c L = some S) : S.Valid := by
  refine ⟨?_, valid_of_sublist (slice_sublist hv h) hv.2⟩
  unfold slice at h
  split at h
  · cases h; exact hv.1
  · obtain ⟨us, _, rfl, _⟩ := sliceModes_eq_some h
    exact Aux.profile_length_ofTree _

/-- **A dice of a valid layout is a valid layout.**
Rust: `razorgirl::Layout::dice`
Source: CuTe `dice` -/
theorem dice_valid {c : Coord} {L D : Layout} (hv : L.Valid) (h : dice c L = some D) : D.Valid := by
  refine ⟨?_, valid_of_sublist (dice_sublist hv h) hv.2⟩
  unfold dice at h
  split at h
  · cases h; exact hv.1
  · obtain ⟨us, _, rfl, _⟩ := sliceModes_eq_some h
    exact Aux.profile_length_ofTree _

/-- **The cosizes of slice and dice add up to one more than the cosize of the layout.**
Rust: `razorgirl::Layout::slice`
Source: CuTe `slice`, `dice`; Colfax 2.1.2 -/
theorem slice_cosize_add_dice_cosize {c : Coord} {L S D : Layout} (hv : L.Valid) (hS : slice c L = some S)
    (hD : dice c L = some D) : S.cosize + D.cosize = L.cosize + 1 := by
  have h1 := cosize_perm (slice_dice_perm hv hS hD)
  have h2 := cosize_append (slice_valid hv hS).2 (dice_valid hv hD).2
  simp only [cosize]
  omega

/-- **A slice of an injective layout is injective.**
Rust: `razorgirl::Layout::slice`
Source: CuTe `slice`; Villa Straylight I.3 -/
theorem slice_injective {c : Coord} {L S : Layout} (hv : L.Valid) (hS : slice c L = some S)
    (hi : Injective L.modes) : Injective S.modes := by
  obtain ⟨D, hD⟩ : ∃ D, dice c L = some D := by
    rw [← Option.isSome_iff_exists, dice_isSome, ← slice_isSome, hS]
    rfl
  exact injective_of_append_left (dice_valid hv hD).2 ((injective_perm (slice_dice_perm hv hS hD)).mpr hi)

/-! ## Evaluation -/

theorem toFlatList_cons_eq (c : Coord) (cs : List Coord) (s : IntTuple) (ss : List IntTuple) :
    Coord.toFlatList (c :: cs) (s :: ss) =
      (Coord.toFlat c s).bind fun x => (Coord.toFlatList cs ss).map fun y => x ++ y := by
  simp only [Coord.toFlatList]
  cases Coord.toFlat c s <;> cases Coord.toFlatList cs ss <;> rfl

/-- The offset of coordinates in a list of trees. -/
def callTrees (ts : List (HTuple Mode)) (cs : List Coord) : Option Nat :=
  (Coord.toFlatList cs (mapList Mode.extent ts)).map (eval (flattenList ts))

/-- The offset of a coordinate in a tree. -/
def callTree (t : HTuple Mode) (c : Coord) : Option Nat :=
  (Coord.toFlat c (t.map Mode.extent)).map (eval t.flatten)

theorem callTrees_nil : callTrees [] [] = some 0 := rfl

theorem callTrees_cons (t : HTuple Mode) (ts : List (HTuple Mode)) (c : Coord) (cs : List Coord) :
    callTrees (t :: ts) (c :: cs) =
      (callTree t c).bind fun a => (callTrees ts cs).map fun b => a + b := by
  unfold callTrees callTree
  rw [mapList, toFlatList_cons_eq]
  cases h1 : Coord.toFlat c (t.map Mode.extent) with
  | none => rfl
  | some x =>
    have hx : x.length = t.flatten.length := by
      rw [Coord.length_toFlat h1, flatten_map, List.length_map]
    cases Coord.toFlatList cs (mapList Mode.extent ts) with
    | none => rfl
    | some y =>
      simp only [Option.bind_some, Option.map_some, flattenList]
      rw [eval_append hx]

theorem callTrees_append (ts ts' : List (HTuple Mode)) (cs cs' : List Coord) (h : cs.length = ts.length) :
    callTrees (ts ++ ts') (cs ++ cs') =
      (callTrees ts cs).bind fun a => (callTrees ts' cs').map fun b => a + b := by
  induction ts generalizing cs with
  | nil =>
    obtain rfl := List.eq_nil_of_length_eq_zero h
    rw [List.nil_append, List.nil_append, callTrees_nil]
    cases callTrees ts' cs' <;> simp
  | cons t ts ih =>
    cases cs with
    | nil => simp at h
    | cons c cs =>
      rw [List.cons_append, List.cons_append, callTrees_cons, callTrees_cons, ih cs (by simpa using h)]
      cases callTree t c <;> cases callTrees ts cs <;> cases callTrees ts' cs' <;>
        simp [Nat.add_assoc]

theorem callTree_node (ts : List (HTuple Mode)) (cs : List Coord) :
    callTree (.node ts) (.node cs) = callTrees ts cs := by
  simp only [callTree, callTrees, map, Coord.toFlat, HTuple.flatten]

theorem callTree_hole (t : HTuple Mode) : callTree t (.leaf none) = some 0 := by
  simp only [callTree, Coord.toFlat, Option.map_some, eval_replicate_zero]

theorem call_eq_callTree {L : Layout} (hv : L.profile.length = L.modes.length) (c : Coord) :
    L.call c = callTree L.tree c := by
  rw [call, callTree, flatten_tree hv, shape]

theorem call_ofTree (t : HTuple Mode) (c : Coord) : (ofTree t).call c = callTree t c := by
  rw [call_eq_callTree (Aux.profile_length_ofTree t), tree_ofTree]

mutual
theorem fillHoles_snd : (c : Coord) → (ds rest : List Coord) → ds.length = holes c →
    (fillHoles c (ds ++ rest)).2 = rest
  | .leaf none, [], _, h => by simp [holes] at h
  | .leaf none, d :: ds, rest, h => by
    have : ds = [] := List.eq_nil_of_length_eq_zero (by simpa [holes] using h)
    simp [this, fillHoles]
  | .leaf (some _), ds, rest, h => by
    have : ds = [] := List.eq_nil_of_length_eq_zero (by simpa [holes] using h)
    simp [this, fillHoles]
  | .node cs, ds, rest, h => by
    simp only [fillHoles]
    exact fillHolesList_snd cs ds rest (by simpa only [holes] using h)
theorem fillHolesList_snd : (cs : List Coord) → (ds rest : List Coord) → ds.length = holesList cs →
    (fillHolesList cs (ds ++ rest)).2 = rest
  | [], ds, rest, h => by
    have : ds = [] := List.eq_nil_of_length_eq_zero (by simpa [holesList] using h)
    simp [this, fillHolesList]
  | c :: cs, ds, rest, h => by
    simp only [holesList] at h
    have e : ds ++ rest = ds.take (holes c) ++ (ds.drop (holes c) ++ rest) := by
      rw [← List.append_assoc, List.take_append_drop]
    simp only [fillHolesList]
    rw [e, fillHoles_snd c _ _ (by rw [List.length_take]; omega)]
    exact fillHolesList_snd cs _ _ (by rw [List.length_drop]; omega)
end

mutual
theorem callTree_fillHoles : (c : Coord) → (t : HTuple Mode) → (us : List (HTuple Mode)) → (o : Nat) →
    (ds rest : List Coord) → kept c t = some us → callTree t c = some o → ds.length = holes c →
    callTree t (fillHoles c (ds ++ rest)).1 = (callTrees us ds).map fun a => o + a
  | .leaf none, _, _, _, [], _, _, _, h => by simp [holes] at h
  | .leaf none, t, us, o, d :: ds, rest, hk, ho, h => by
    have : ds = [] := List.eq_nil_of_length_eq_zero (by simpa [holes] using h)
    rw [callTree_hole] at ho
    cases ho
    simp only [kept, Option.some.injEq] at hk
    rw [← hk, this, callTrees_cons, callTrees_nil, List.cons_append, fillHoles]
    cases callTree t d <;> simp
  | .leaf (some x), t, us, o, ds, rest, hk, ho, h => by
    have : ds = [] := List.eq_nil_of_length_eq_zero (by simpa [holes] using h)
    simp only [kept, Option.some.injEq] at hk
    rw [← hk, this, callTrees_nil, List.nil_append, fillHoles, ho]
    rfl
  | .node cs, .node ts, us, o, ds, rest, hk, ho, h => by
    simp only [kept, holes] at hk h
    rw [callTree_node] at ho
    rw [fillHoles, callTree_node]
    exact callTrees_fillHoles cs ts us o ds rest hk ho h
  | .node _, .leaf _, _, _, _, _, hk, _, _ => by simp [kept] at hk
theorem callTrees_fillHoles : (cs : List Coord) → (ts us : List (HTuple Mode)) → (o : Nat) →
    (ds rest : List Coord) → keptList cs ts = some us → callTrees ts cs = some o →
    ds.length = holesList cs →
    callTrees ts (fillHolesList cs (ds ++ rest)).1 = (callTrees us ds).map fun a => o + a
  | [], [], us, o, ds, rest, hk, ho, h => by
    have : ds = [] := List.eq_nil_of_length_eq_zero (by simpa [holesList] using h)
    simp only [keptList, Option.some.injEq] at hk
    rw [callTrees_nil] at ho
    cases ho
    rw [← hk, this, fillHolesList, callTrees_nil]
    rfl
  | [], _ :: _, _, _, _, _, hk, _, _ => by simp [keptList] at hk
  | _ :: _, [], _, _, _, _, hk, _, _ => by simp [keptList] at hk
  | c :: cs, t :: ts, us, o, ds, rest, hk, ho, h => by
    obtain ⟨x, y, hx, hy, rfl⟩ := keptList_cons hk
    simp only [holesList] at h
    have hl : (ds.take (holes c)).length = holes c := by rw [List.length_take]; omega
    have hr : (ds.drop (holes c)).length = holesList cs := by rw [List.length_drop]; omega
    have e : ds ++ rest = ds.take (holes c) ++ (ds.drop (holes c) ++ rest) := by
      rw [← List.append_assoc, List.take_append_drop]
    have e' : ds = ds.take (holes c) ++ ds.drop (holes c) := (List.take_append_drop _ _).symm
    rw [callTrees_cons] at ho
    cases h1 : callTree t c with
    | none => simp [h1] at ho
    | some a =>
      cases h2 : callTrees ts cs with
      | none => simp [h1, h2] at ho
      | some b =>
        simp only [h1, h2, Option.bind_some, Option.map_some, Option.some.injEq] at ho
        have i1 := callTree_fillHoles c t x a _ (ds.drop (holes c) ++ rest) hx h1 hl
        have i2 := callTrees_fillHoles cs ts y b _ rest hy h2 hr
        simp only [fillHolesList]
        rw [e, fillHoles_snd c _ _ hl, callTrees_cons, i1, i2]
        conv => rhs; rw [e', callTrees_append _ _ _ _ (by rw [hl, length_kept c t x hx])]
        rw [← ho]
        cases callTrees x (ds.take (holes c)) <;> cases callTrees y (ds.drop (holes c)) <;>
          simp [Nat.add_assoc, Nat.add_left_comm]
end

/-- **`slice_and_offset` exists exactly when the coordinate with its `_` read as 0 lies in the layout.**
Rust: `razorgirl::Layout::slice_and_offset`
Source: CuTe `slice_and_offset` -/
theorem sliceAndOffset_isSome (c : Coord) (L : Layout) :
    (sliceAndOffset c L).isSome = (L.call c).isSome := by
  unfold sliceAndOffset
  cases ho : L.call c with
  | none => cases sliceModes c L <;> rfl
  | some o =>
    have h1 : (sliceModes c L).isSome = true := by
      rw [sliceModes_isSome]
      have h2 := (isSome_call_iff L c).mp (by rw [ho]; rfl)
      have h3 := Coord.weaklyCongruent_of_within h2
      rwa [shape, weaklyCongruent_map, weaklyCongruent_tree] at h3
    obtain ⟨S, hS⟩ := Option.isSome_iff_exists.mp h1
    rw [hS]
    rfl

/-- **The offset that comes with a slice is the layout's offset of the coordinate, its `_` read as 0.**
Rust: `razorgirl::Layout::slice_and_offset`
Source: CuTe `slice_and_offset` -/
theorem sliceAndOffset_offset {c : Coord} {L S : Layout} {o : Nat}
    (h : sliceAndOffset c L = some (S, o)) : L.call c = some o ∧ sliceModes c L = some S := by
  unfold sliceAndOffset at h
  cases h1 : sliceModes c L with
  | none => simp [h1] at h
  | some S' =>
    cases h2 : L.call c with
    | none => simp [h1, h2] at h
    | some o' =>
      simp only [h1, h2, Option.some.injEq, Prod.mk.injEq] at h
      rw [h.1, h.2]
      exact ⟨rfl, rfl⟩

/-- **The layout that comes with the offset is the slice (a bare `_` is the exception: there it has one more
level).**
Rust: `razorgirl::Layout::slice_and_offset`
Source: CuTe `slice_and_offset` -/
theorem sliceAndOffset_slice {c : Coord} {L S : Layout} {o : Nat} (hc : c ≠ .leaf none)
    (h : sliceAndOffset c L = some (S, o)) : slice c L = some S := by
  unfold slice
  split
  · exact absurd rfl hc
  · exact (sliceAndOffset_offset h).2

/-- **Slicing is partial evaluation: the layout with the `_` filled in is the offset of the fixed part plus the
slice at what was filled in, and out of range exactly where the slice is.**
Rust: `razorgirl::Layout::slice_and_offset`
Source: CuTe `slice_and_offset` -/
theorem sliceAndOffset_call {c : Coord} {L S : Layout} {o : Nat} (hv : L.Valid)
    (h : sliceAndOffset c L = some (S, o)) {ds : List Coord} (hd : ds.length = holes c) :
    L.call (plug c ds) = (S.call (.node ds)).map fun a => o + a := by
  obtain ⟨ho, hS⟩ := sliceAndOffset_offset h
  obtain ⟨us, hus, rfl, _⟩ := sliceModes_eq_some hS
  rw [call_eq_callTree hv.1] at ho ⊢
  rw [call_ofTree, callTree_node]
  have := callTree_fillHoles c L.tree us o ds [] hus ho hd
  rwa [List.append_nil] at this

/-- **A slice has one top-level mode for each `_`.**
Rust: `razorgirl::Layout::slice_and_offset`
Source: CuTe `slice` -/
theorem sliceAndOffset_rank {c : Coord} {L S : Layout} {o : Nat} (h : sliceAndOffset c L = some (S, o)) :
    S.rank = holes c := by
  obtain ⟨us, hus, rfl, _⟩ := sliceModes_eq_some (sliceAndOffset_offset h).2
  rw [rank, ofTree, HTuple.profile, map, HTuple.rank, length_mapList, length_kept _ _ _ hus]

/-! ## Worked examples -/

/-- The row 1 of `(4,8):(1,4)`, and column 3; the offsets are 1 and 12. -/
example : sliceAndOffset (.node [.leaf (some 1), .leaf none]) ⟨[⟨4, 1⟩, ⟨8, 4⟩], .node [.leaf (), .leaf ()]⟩ =
    some (⟨[⟨8, 4⟩], .node [.leaf ()]⟩, 1) := rfl
example : sliceAndOffset (.node [.leaf none, .leaf (some 3)]) ⟨[⟨4, 1⟩, ⟨8, 4⟩], .node [.leaf (), .leaf ()]⟩ =
    some (⟨[⟨4, 1⟩], .node [.leaf ()]⟩, 12) := rfl
/-- What is kept below a nested coordinate is spliced: `((_,1),_)` of `((2,3),4):((1,2),6)`. -/
example : slice (.node [.node [.leaf none, .leaf (some 1)], .leaf none])
    ⟨[⟨2, 1⟩, ⟨3, 2⟩, ⟨4, 6⟩], .node [.node [.leaf (), .leaf ()], .leaf ()]⟩ =
    some ⟨[⟨2, 1⟩, ⟨4, 6⟩], .node [.leaf (), .leaf ()]⟩ := rfl
/-- A bare `_` is the layout itself; a coordinate of another rank is refused. -/
example : slice (.leaf none) ⟨[⟨4, 1⟩], .leaf ()⟩ = some ⟨[⟨4, 1⟩], .leaf ()⟩ ∧
    slice (.node [.leaf none]) ⟨[⟨4, 1⟩, ⟨8, 4⟩], .node [.leaf (), .leaf ()]⟩ = none := ⟨rfl, rfl⟩

end Layout

end Razorgirl
