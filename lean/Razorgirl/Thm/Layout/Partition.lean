module

public import Razorgirl.Spec.Layout.Partition
public import Razorgirl.Thm.Layout.Inverse
public import Razorgirl.Thm.Layout.Product.Interleave
public import Razorgirl.Thm.Layout.Slice

@[expose] public section

/-!
# Partitions: what is proved

Fixing the rest of a zipped division at each of its coordinates in turn, or the tile at each of its, goes through
every element of A exactly once; and so do the threads of `local_partition`. Thread-value layouts are in
`Partition/ThreadValue`.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout Layout.Aux

/-! ## One coordinate fixed -/

theorem keptList_none {α : Type} : (ts : List (HTuple α)) →
    keptList (ts.map fun _ => (HTuple.leaf none : Coord)) ts = some ts
  | [] => rfl
  | t :: ts => by
    rw [List.map_cons, keptList, kept, keptList_none ts]
    rfl

theorem sumCalls_none : (Ls : List Layout) → sumCalls Ls (Ls.map fun _ => (HTuple.leaf none : Coord)) = some 0
  | [] => rfl
  | L :: Ls => by
    rw [List.map_cons, sumCalls_cons, sumCalls_none Ls, plus_zero, call, Coord.toFlat, Option.map_some,
      eval_replicate_zero]

theorem keepAll_spec (t : HTuple Mode) : (∃ us, kept (keepAll t) t = some us ∧ flattenList us = t.flatten) ∧
    (ofTree t).call (keepAll t) = some 0 := by
  have hnone : ∀ t : HTuple Mode, (ofTree t).call (.leaf none) = some 0 := fun t => by
    rw [call, Coord.toFlat, Option.map_some, eval_replicate_zero]
  have hleaf : ∀ t : HTuple Mode, kept (.leaf none) t = some [t] := fun t => by simp [kept]
  match t with
  | .leaf m => exact ⟨⟨[.leaf m], hleaf _, by simp [flattenList]⟩, hnone _⟩
  | .node [t] => exact ⟨⟨[.node [t]], hleaf _, by simp [flattenList]⟩, hnone _⟩
  | .node [] => exact ⟨⟨[], rfl, rfl⟩, rfl⟩
  | .node (t :: u :: ts) =>
    refine ⟨⟨t :: u :: ts, keptList_none (t :: u :: ts), rfl⟩, ?_⟩
    show (ofTree (.node (t :: u :: ts))).call (.node ((t :: u :: ts).map fun _ => .leaf none)) = some 0
    rw [call_node]
    have := sumCalls_none ((t :: u :: ts).map ofTree)
    rwa [List.map_map] at this

theorem sliceAndOffset_pair {Z : Layout} {t r : HTuple Mode} (hZ : Z.profile.length = Z.modes.length)
    (h : Z.tree = .node [t, r]) {c d : Coord} {us vs : List (HTuple Mode)} {a b : Nat}
    (hc : kept c t = some us) (hd : kept d r = some vs) (ha : (ofTree t).call c = some a)
    (hb : (ofTree r).call d = some b) :
    sliceAndOffset (.node [c, d]) Z = some (ofTree (.node (us ++ vs)), a + b) := by
  have h1 : sliceModes (.node [c, d]) Z = some (ofTree (.node (us ++ vs))) := by
    rw [sliceModes, h, kept, keptList, keptList, hc, hd]
    simp [keptList]
  have h2 : Z.call (.node [c, d]) = some (a + b) := by
    rw [← Layout.ofTree_tree_of_length hZ, h, call_node]
    simp only [List.map_cons, List.map_nil, sumCalls_cons]
    rw [show sumCalls [] [] = some 0 from rfl, plus_zero, ha, hb]
    rfl
  rw [sliceAndOffset, h1, h2]

theorem call_tree_index {t : HTuple Mode} {i : Nat} (hi : i < FlatLayout.size t.flatten) :
    (ofTree t).call (.leaf (some i)) = some (atIndex t.flatten i) := by
  rw [Layout.call_index_eq_ite (Aux.profile_length_ofTree t)]
  exact if_pos hi

theorem call_tree_index_of_ge {t : HTuple Mode} {i : Nat} (hi : FlatLayout.size t.flatten ≤ i) :
    (ofTree t).call (.leaf (some i)) = none := by
  rw [Layout.call_index_eq_ite (Aux.profile_length_ofTree t)]
  exact if_neg (Nat.not_lt.2 hi)

/-- **The part of a zipped division at coordinate i of the rests is the tile, moved to where tile i starts.**
Rust: `razorgirl::Layout::inner_partition`
Source: CuTe `inner_partition` -/
theorem innerAt_index {Z : Layout} {t r : HTuple Mode} (hZ : Z.profile.length = Z.modes.length)
    (h : Z.tree = .node [t, r]) {i : Nat} (hi : i < FlatLayout.size r.flatten) :
    ∃ S, innerAt Z (.leaf (some i)) = some (S, atIndex r.flatten i) ∧ S.modes = t.flatten := by
  obtain ⟨⟨us, h1, h2⟩, h3⟩ := keepAll_spec t
  have := sliceAndOffset_pair (us := us) (vs := []) hZ h h1 (d := .leaf (some i)) (by simp [kept]) h3
    (call_tree_index hi)
  refine ⟨ofTree (.node (us ++ [])), ?_, ?_⟩
  · rw [innerAt, h]
    simp only [padCoord]
    rw [this, Nat.zero_add]
  · rw [List.append_nil, ← h2]
    rfl

/-- **The part of a zipped division at coordinate i of the tile is one element of every tile: the rests, moved to
element i of the first tile.**
Rust: `razorgirl::Layout::outer_partition`
Source: CuTe `outer_partition` -/
theorem outerAt_index {Z : Layout} {t r : HTuple Mode} (hZ : Z.profile.length = Z.modes.length)
    (h : Z.tree = .node [t, r]) {i : Nat} (hi : i < FlatLayout.size t.flatten) :
    ∃ S, outerAt Z (.leaf (some i)) = some (S, atIndex t.flatten i) ∧ S.modes = r.flatten := by
  obtain ⟨⟨us, h1, h2⟩, h3⟩ := keepAll_spec r
  have := sliceAndOffset_pair (us := []) (vs := us) hZ h (c := .leaf (some i)) (by simp [kept]) h1
    (call_tree_index hi) h3
  refine ⟨ofTree (.node ([] ++ us)), ?_, ?_⟩
  · rw [outerAt, h]
    simp only [padCoord]
    rw [this, Nat.add_zero]
  · rw [List.nil_append, ← h2]
    rfl

theorem sliceAndOffset_isSome_pair {Z : Layout} {t r : HTuple Mode} (hZ : Z.profile.length = Z.modes.length)
    (h : Z.tree = .node [t, r]) (c d : Coord) (hs : (sliceAndOffset (.node [c, d]) Z).isSome = true) :
    ((ofTree t).call c).isSome = true ∧ ((ofTree r).call d).isSome = true := by
  rw [sliceAndOffset_isSome, ← Layout.ofTree_tree_of_length hZ, h, call_node] at hs
  simp only [List.map_cons, List.map_nil, sumCalls_cons] at hs
  cases h1 : (ofTree t).call c with
  | none => rw [h1] at hs; cases hs
  | some a =>
    cases h2 : (ofTree r).call d with
    | none => rw [h1, h2] at hs; cases hs
    | some b => exact ⟨rfl, rfl⟩

theorem innerAt_index_of_ge {Z : Layout} {t r : HTuple Mode} (hZ : Z.profile.length = Z.modes.length)
    (h : Z.tree = .node [t, r]) {i : Nat} (hi : FlatLayout.size r.flatten ≤ i) :
    innerAt Z (.leaf (some i)) = none := by
  rw [← Option.not_isSome_iff_eq_none]
  intro hs
  rw [innerAt, h] at hs
  have := (sliceAndOffset_isSome_pair hZ h _ _ hs).2
  simp only [padCoord, call_tree_index_of_ge hi] at this
  cases this

theorem outerAt_index_of_ge {Z : Layout} {t r : HTuple Mode} (hZ : Z.profile.length = Z.modes.length)
    (h : Z.tree = .node [t, r]) {i : Nat} (hi : FlatLayout.size t.flatten ≤ i) :
    outerAt Z (.leaf (some i)) = none := by
  rw [← Option.not_isSome_iff_eq_none]
  intro hs
  rw [outerAt, h] at hs
  have := (sliceAndOffset_isSome_pair hZ h _ _ hs).1
  simp only [padCoord, call_tree_index_of_ge hi] at this
  cases this

/-! ## All coordinates in turn -/

theorem flatMap_eq_of_forall {α β : Type} {f g : α → List β} {l : List α} (h : ∀ a ∈ l, f a = g a) :
    l.flatMap f = l.flatMap g := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    rw [List.flatMap_cons, List.flatMap_cons, h a (by simp), ih fun b hb => h b (by simp [hb])]

theorem modes_of_tree {Z : Layout} {t r : HTuple Mode} (hZ : Z.profile.length = Z.modes.length)
    (h : Z.tree = .node [t, r]) : Z.modes = t.flatten ++ r.flatten := by
  rw [← Layout.flatten_tree hZ, h]
  simp [HTuple.flatten, flattenList]

theorem flatMap_innerAt {Z : Layout} {t r : HTuple Mode} (hZ : Z.profile.length = Z.modes.length)
    (h : Z.tree = .node [t, r]) :
    ((List.range (FlatLayout.size r.flatten)).flatMap fun i => addresses (innerAt Z (.leaf (some i)))) =
      offsets Z.modes := by
  rw [modes_of_tree hZ h, offsets_append]
  rw [show offsets r.flatten = (List.range (FlatLayout.size r.flatten)).map (atIndex r.flatten) from rfl,
    List.flatMap_map]
  refine flatMap_eq_of_forall fun i hi => ?_
  obtain ⟨S, h1, h2⟩ := innerAt_index hZ h (List.mem_range.1 hi)
  rw [h1, addresses, h2]
  exact List.map_congr_left fun a _ => Nat.add_comm _ _

theorem flatMap_outerAt_perm {Z : Layout} {t r : HTuple Mode} (hZ : Z.profile.length = Z.modes.length)
    (h : Z.tree = .node [t, r]) :
    ((List.range (FlatLayout.size t.flatten)).flatMap fun i => addresses (outerAt Z (.leaf (some i)))).Perm
      (offsets Z.modes) := by
  rw [modes_of_tree hZ h, offsets_append]
  refine List.Perm.trans (.of_eq ?_) (flatMap_map_comm (fun a b => a + b) (offsets t.flatten) (offsets r.flatten))
  rw [show offsets t.flatten = (List.range (FlatLayout.size t.flatten)).map (atIndex t.flatten) from rfl,
    List.flatMap_map]
  refine flatMap_eq_of_forall fun i hi => ?_
  obtain ⟨S, h1, h2⟩ := outerAt_index hZ h (List.mem_range.1 hi)
  rw [h1, addresses, h2]

theorem pair_of_zippedDivide {f : Layout → Layout → Option Layout} {A Z : Layout} {b : Tiler}
    (h : arrange zippedForm allRest f A b = some Z) :
    ∃ t r, Z.tree = .node [t, r] ∧ Z.profile.length = Z.modes.length := by
  rw [arrange] at h
  split at h
  · obtain ⟨p, _, rfl⟩ := Option.map_eq_some_iff.1 h
    exact ⟨p.1, p.2, Layout.tree_ofTree _, Aux.profile_length_ofTree _⟩
  · cases h

/-- **The tiles, one for each coordinate of the rests, hold every element of A exactly once: together they have the
offsets of A, each as often.**
Rust: `razorgirl::Layout::inner_partition`, `razorgirl::Layout::local_tile`
Source: CuTe `inner_partition`, `local_tile` -/
theorem innerPartition_perm {A Z : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    (h : zippedDivide A b = some Z) : ∃ n, (∀ i, (innerPartition A b (.leaf (some i))).isSome = true ↔ i < n) ∧
      ((List.range n).flatMap fun i => addresses (innerPartition A b (.leaf (some i)))).Perm (offsets A.modes) := by
  obtain ⟨t, r, ht, hZ⟩ := pair_of_zippedDivide h
  have e : ∀ c, innerPartition A b c = innerAt Z c := fun c => by rw [innerPartition, h]
  refine ⟨FlatLayout.size r.flatten, fun i => ?_, ?_⟩
  · rw [e]
    rcases Nat.lt_or_ge i (FlatLayout.size r.flatten) with hi | hi
    · obtain ⟨S, h1, _⟩ := innerAt_index hZ ht hi
      simp [h1, hi]
    · rw [innerAt_index_of_ge hZ ht hi]
      simp only [Option.isSome_none, Bool.false_eq_true, false_iff]
      omega
  · simp only [e]
    rw [flatMap_innerAt hZ ht]
    exact (divide_forms_offsets_perm hA hb (.inl h)).1

/-- **The parts at all coordinates of the tile hold every element of A exactly once.**
Rust: `razorgirl::Layout::outer_partition`
Source: CuTe `outer_partition` -/
theorem outerPartition_perm {A Z : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    (h : zippedDivide A b = some Z) : ∃ n, (∀ i, (outerPartition A b (.leaf (some i))).isSome = true ↔ i < n) ∧
      ((List.range n).flatMap fun i => addresses (outerPartition A b (.leaf (some i)))).Perm (offsets A.modes) := by
  obtain ⟨t, r, ht, hZ⟩ := pair_of_zippedDivide h
  have e : ∀ c, outerPartition A b c = outerAt Z c := fun c => by rw [outerPartition, h]
  refine ⟨FlatLayout.size t.flatten, fun i => ?_, ?_⟩
  · rw [e]
    rcases Nat.lt_or_ge i (FlatLayout.size t.flatten) with hi | hi
    · obtain ⟨S, h1, _⟩ := outerAt_index hZ ht hi
      simp [h1, hi]
    · rw [outerAt_index_of_ge hZ ht hi]
      simp only [Option.isSome_none, Bool.false_eq_true, false_iff]
      omega
  · simp only [e]
    exact (flatMap_outerAt_perm hZ ht).trans (divide_forms_offsets_perm hA hb (.inl h)).1

/-! ## Coordinates and their indices -/

/-- A coordinate that fixes everything is as good as its linear index. -/
theorem outerAt_coord {Z : Layout} {t r : HTuple Mode} (hZ : Z.profile.length = Z.modes.length)
    (h : Z.tree = .node [t, r]) {cs : List Coord} {ts : List (HTuple Mode)} (ht : t = .node ts)
    (hl : cs.length = ts.length) (hk : kept (.node cs) t = some []) {x : Nat}
    (hx : Coord.crd2idx (.node cs) (ofTree t).shape = some x) (hv : FlatLayout.Valid t.flatten) :
    outerAt Z (.node cs) = outerAt Z (.leaf (some x)) := by
  obtain ⟨⟨us, h1, h2⟩, h3⟩ := keepAll_spec r
  have hvt : (ofTree t).Valid := (valid_ofTree_iff t).2 hv
  have hlt := Coord.crd2idx_lt_size (positive_shape hvt) hx
  rw [size_shape hvt] at hlt
  have hc : (ofTree t).call (.node cs) = some (atIndex t.flatten x) := by
    rw [call_eq_atIndex hvt, hx]
    rfl
  have hp : padCoord (.node cs) t = .node cs := by
    rw [ht, padCoord, hl, Nat.sub_self, List.replicate_zero, List.append_nil]
  have e1 := sliceAndOffset_pair (us := []) (vs := us) hZ h hk h1 hc h3
  have e2 := sliceAndOffset_pair (us := []) (vs := us) hZ h (c := .leaf (some x)) (by simp [kept]) h1
    (call_tree_index hlt) h3
  have p1 : outerAt Z (.node cs) = sliceAndOffset (.node [.node cs, keepAll r]) Z := by
    rw [outerAt, h]
    simp only [hp]
  have p2 : outerAt Z (.leaf (some x)) = sliceAndOffset (.node [.leaf (some x), keepAll r]) Z := by
    rw [outerAt, h]
    simp only [padCoord]
  rw [p1, p2, e1, e2]

/-! ## Threads -/

theorem kept_ints : (xs : List Nat) → (ts : List (HTuple Mode)) → xs.length = ts.length →
    kept (.node (xs.map fun x => (HTuple.leaf (some x) : Coord))) (.node ts) = some []
  | [], [], _ => rfl
  | [], _ :: _, h => by simp at h
  | _ :: _, [], h => by simp at h
  | x :: xs, t :: ts, h => by
    have := kept_ints xs ts (by simpa using h)
    rw [kept] at this ⊢
    rw [List.map_cons, keptList, this, kept]
    rfl

/-- The tiles of a division in runs have the sizes of the runs. -/
theorem tiles_of_runs :
    (ns : List Nat) → (∀ n ∈ ns, 0 < n) → (ts rs : List (HTuple Mode)) →
    (p : List (HTuple Mode) × List (HTuple Mode)) →
    transformList logicalDivide (ns.map fun n => .layout ⟨[⟨n, 1⟩], .leaf ()⟩) ts = some rs →
    unzipList allRest (ns.map fun n => .layout ⟨[⟨n, 1⟩], .leaf ()⟩) rs = some p →
      p.1.map (fun t => (ofTree t).size) = ns ∧ FlatLayout.Valid (flattenList p.1)
  | [], _, ts, rs, p, h, hu => by
    rw [List.map_nil, unzipList, Option.some.injEq] at hu
    rw [← hu]
    exact ⟨rfl, trivial⟩
  | n :: ns, hn, [], rs, p, h, _ => by simp [transformList] at h
  | n :: ns, hn, t :: ts, rs, p, h, hu => by
    rw [List.map_cons, transformList] at h
    split at h
    · rename_i x xs h1 h2
      obtain rfl := Option.some.inj h
      rw [transform] at h1
      obtain ⟨R, hR, rfl⟩ := Option.map_eq_some_iff.1 h1
      have hT : (⟨[⟨n, 1⟩], .leaf ()⟩ : Layout).Valid := ⟨rfl, hn n (by simp), trivial⟩
      obtain ⟨C, R₀, R₁, _, h0, h1', rfl⟩ := isDivision_modes hT (logicalDivide_sound hT hR)
      rw [List.map_cons, unzipList, tree_concat_pair h0.1.1 h1'.1.1, unzip] at hu
      split at hu
      · rename_i y z ys zs h3 h4
        obtain rfl := Option.some.inj hu
        simp only [Option.some.injEq, Prod.mk.injEq] at h3
        obtain ⟨rfl, rfl⟩ := h3
        obtain ⟨i1, i2⟩ := tiles_of_runs ns (fun n hn' => hn n (by simp [hn'])) ts xs _ h2 h4
        refine ⟨?_, ?_⟩
        · rw [List.map_cons, i1, Layout.ofTree_tree_of_length h0.1.1, isComposite_size hT h0]
          simp [Layout.size, size_cons, size_nil]
        · rw [flattenList, valid_append_iff, Layout.flatten_tree h0.1.1]
          exact ⟨h0.1.2, i2⟩
      · cases hu
    · cases h

theorem mapList_extent_size {ts : List (HTuple Mode)} {ns : List Nat}
    (h : ts.map (fun t => (ofTree t).size) = ns) :
    IntTuple.compatibleList (ns.map HTuple.leaf) (mapList Mode.extent ts) = true := by
  induction ts generalizing ns with
  | nil =>
    obtain rfl := h
    rfl
  | cons t ts ih =>
    obtain rfl := h
    rw [List.map_cons, List.map_cons, mapList, IntTuple.compatibleList, ih rfl, Bool.and_true,
      IntTuple.compatible_leaf_iff, IntTuple.size_eq_prod, flatten_map]
    rfl

theorem crd2idx_ints : (ss cs : List Nat) → InBounds ss cs →
    Coord.crd2idx (.node (cs.map fun x => (HTuple.leaf (some x) : Coord))) (.node (ss.map HTuple.leaf)) =
      some (Razorgirl.crd2idx ss cs) := by
  intro ss cs h
  have hflat : ∀ l : List Nat, flattenList (l.map HTuple.leaf) = l := by
    intro l
    induction l with
    | nil => rfl
    | cons a l ih => simp [flattenList, HTuple.flatten, ih]
  have e : (HTuple.node (cs.map fun x => (HTuple.leaf (some x) : Coord)) : Coord) =
      map some (.node (cs.map HTuple.leaf)) := by
    rw [map, mapList_eq_map, List.map_map]
    rfl
  have hc : congruent (HTuple.node (cs.map HTuple.leaf) : IntTuple) (HTuple.node (ss.map HTuple.leaf) : IntTuple) =
      true := by
    rw [congruent_iff_profile_eq]
    simp only [HTuple.profile, map, mapList_eq_map, List.map_map]
    have hl := h.length_eq
    refine congrArg HTuple.node (List.ext_getElem (by simpa using hl) fun i _ _ => ?_)
    simp [map]
  rw [e, Coord.crd2idx_map_some hc (by simpa only [HTuple.flatten, hflat] using h)]
  simp only [HTuple.flatten, hflat]

theorem prod_modeSizes {L : Layout} (hL : L.Valid) : prod (modeSizes L) = L.size := by
  have h : ∀ ts : List (HTuple Mode), prod (ts.map fun t => (ofTree t).size) = FlatLayout.size (flattenList ts) := by
    intro ts
    induction ts with
    | nil => rfl
    | cons t ts ih =>
      rw [List.map_cons, prod, ih, flattenList, size_append]
      rfl
  rw [modeSizes, h, flattenList_children, Layout.flatten_tree hL.1]
  rfl

theorem modeSizes_pos {L : Layout} (hL : L.Valid) : ∀ n ∈ modeSizes L, 0 < n := by
  refine (prod_pos_iff _).1 ?_
  rw [prod_modeSizes hL]
  exact hL.2.size_pos

theorem valid_runs {ns : List Nat} (h : ∀ n ∈ ns, 0 < n) : (runs ns).Valid := by
  rw [runs, Tiler.Valid]
  induction ns with
  | nil => trivial
  | cons n ns ih => exact ⟨⟨rfl, h n (by simp), trivial⟩, ih fun m hm => h m (by simp [hm])⟩

theorem threadCoord_eq {thr : Layout} {i : Nat} {c : Coord} (h : threadCoord thr i = some c) :
    ∃ I, inverse thr = some I ∧ i < thr.size ∧
      c = .node ((Razorgirl.idx2crd (modeSizes thr) (atIndex I.modes i)).map fun x => .leaf (some x)) := by
  rw [threadCoord] at h
  split at h
  · rename_i I hI
    split at h
    · rename_i hi
      exact ⟨I, hI, hi, (Option.some.inj h).symm⟩
    · cases h
  · cases h

theorem inverse_lt {thr I : Layout} (hT : thr.Valid) (hI : inverse thr = some I) {i : Nat} (hi : i < thr.size) :
    atIndex I.modes i < thr.size ∧ atIndex thr.modes (atIndex I.modes i) = i := by
  have hc : Contiguous thr.modes := (inverse_ne_none_iff hT).1 (by rw [hI]; simp)
  obtain ⟨x, hx, e⟩ := hc.2 i (by rw [((contiguous_iff_injective _).1 hc).2]; exact hi) |>.elim fun c hc' =>
    (⟨Razorgirl.crd2idx (FlatLayout.shape thr.modes) c, crd2idx_lt hc'.1, by
      rw [atIndex_crd2idx hc'.1]; exact hc'.2⟩ :
      ∃ x, x < prod (FlatLayout.shape thr.modes) ∧ atIndex thr.modes x = i)
  have h1 : thr.call (.leaf (some x)) = some i := by rw [call_index hT hx, e]
  have h2 := (inverse_call_iff hT hI x i).1 h1
  have hIv : I.Valid := by
    obtain ⟨R', hR', rfl⟩ := inverse_eq_some_iff.1 hI
    rw [FlatLayout.inverse] at hR'
    split at hR'
    · have := leftInverse_valid (R := nest R') hT (leftInverse_eq_some_iff.2 ⟨R', hR', rfl⟩)
      exact this.1
    · cases hR'
  rw [call_index_eq_some_iff hIv] at h2
  rw [h2.2]
  exact ⟨hx, e⟩

theorem map_inverse_perm {thr I : Layout} (hT : thr.Valid) (hI : inverse thr = some I) :
    ((List.range thr.size).map (atIndex I.modes)).Perm (List.range thr.size) := by
  have hn : ((List.range thr.size).map (atIndex I.modes)).Nodup := by
    rw [nodup_map_iff _ _ List.nodup_range]
    intro i hi j hj e
    rw [← (inverse_lt hT hI (List.mem_range.1 hi)).2, ← (inverse_lt hT hI (List.mem_range.1 hj)).2, e]
  have hsub : ∀ x ∈ (List.range thr.size).map (atIndex I.modes), x ∈ List.range thr.size := by
    intro x hx
    obtain ⟨i, hi, rfl⟩ := List.mem_map.1 hx
    exact List.mem_range.2 (inverse_lt hT hI (List.mem_range.1 hi)).1
  refine perm_of_nodup hn List.nodup_range fun x => ⟨hsub x, fun hx => ?_⟩
  exact subset_of_nodup_of_length_le hn hsub (by simp) x hx

/-- What a thread gets is the part at the linear index of its coordinate. -/
theorem outerAt_threadCoord {A thr Z I : Layout} (hT : thr.Valid)
    (hI : inverse thr = some I) (hZ : zippedDivide A (runs (modeSizes thr)) = some Z) {i : Nat}
    (hi : i < thr.size) :
    ∃ t r, Z.tree = .node [t, r] ∧ Z.profile.length = Z.modes.length ∧
      FlatLayout.size t.flatten = thr.size ∧
      (threadCoord thr i).isSome = true ∧ ∀ c, threadCoord thr i = some c →
        outerAt Z c = outerAt Z (.leaf (some (atIndex I.modes i))) := by
  rw [zippedDivide, arrange] at hZ
  split at hZ
  · rename_i u hu
    obtain ⟨p, hp, rfl⟩ := Option.map_eq_some_iff.1 hZ
    rw [runs, transform] at hu
    obtain ⟨rs, hrs, rfl⟩ := Option.map_eq_some_iff.1 hu
    rw [runs, unzip] at hp
    obtain ⟨q, hq, rfl⟩ := Option.map_eq_some_iff.1 hp
    obtain ⟨h1, h2⟩ := tiles_of_runs _ (modeSizes_pos hT) _ _ q hrs hq
    have hsz : FlatLayout.size (flattenList q.1) = thr.size := by
      have : ∀ ts : List (HTuple Mode),
          prod (ts.map fun t => (ofTree t).size) = FlatLayout.size (flattenList ts) := by
        intro ts
        induction ts with
        | nil => rfl
        | cons t ts ih =>
          rw [List.map_cons, prod, ih, flattenList, size_append]
          rfl
      rw [← this, h1, prod_modeSizes hT]
    refine ⟨.node q.1, .node q.2, Layout.tree_ofTree _, Aux.profile_length_ofTree _, hsz, ?_, fun c hc => ?_⟩
    · rw [threadCoord, hI]
      simp [hi]
    · obtain ⟨I', hI', _, rfl⟩ := threadCoord_eq hc
      obtain rfl := Option.some.inj (hI.symm.trans hI')
      have hlt := (inverse_lt hT hI hi).1
      have hb : InBounds (modeSizes thr) (Razorgirl.idx2crd (modeSizes thr) (atIndex I.modes i)) :=
        inBounds_idx2crd_of_lt (by rw [prod_modeSizes hT]; exact hlt)
      have hlen : (Razorgirl.idx2crd (modeSizes thr) (atIndex I.modes i)).length = q.1.length := by
        rw [length_idx2crd, ← h1, List.length_map]
      refine outerAt_coord (Aux.profile_length_ofTree _) (Layout.tree_ofTree _) rfl (by simpa using hlen)
        (kept_ints _ _ hlen) ?_ h2
      have hcomp : IntTuple.compatible (.node ((modeSizes thr).map HTuple.leaf)) (ofTree (.node q.1)).shape = true := by
        rw [Aux.shape_ofTree, map, IntTuple.compatible]
        exact mapList_extent_size h1
      refine Coord.crd2idx_of_compatible hcomp ?_
      rw [crd2idx_ints _ _ hb, Razorgirl.crd2idx_idx2crd (by rw [prod_modeSizes hT]; exact hlt)]
  · cases hZ

theorem flatMap_threads_perm {A thr Z I : Layout} (hT : thr.Valid)
    (hI : inverse thr = some I) (hZ : zippedDivide A (runs (modeSizes thr)) = some Z) :
    ((List.range thr.size).flatMap fun i => addresses ((threadCoord thr i).bind (outerAt Z))).Perm
      (offsets Z.modes) := by
  obtain ⟨t, r, ht, hl, hs, _, _⟩ := outerAt_threadCoord hT hI hZ hT.2.size_pos
  refine List.Perm.trans (.of_eq ?_) ((List.Perm.flatMap_right _ (map_inverse_perm hT hI)).trans
    (hs ▸ flatMap_outerAt_perm hl ht))
  rw [List.flatMap_map]
  refine flatMap_eq_of_forall fun i hi => ?_
  obtain ⟨_, _, _, _, _, h1, h2⟩ := outerAt_threadCoord hT hI hZ (List.mem_range.1 hi)
  obtain ⟨c, hc⟩ := Option.isSome_iff_exists.1 h1
  rw [hc, Option.bind_some, h2 c hc]

/-- **A thread gets its part exactly when the threads are a bijection onto their numbers, it is one of them, and A can
be divided by runs of the threads' extents.**
Rust: `razorgirl::Layout::local_partition`
Source: CuTe `local_partition` -/
theorem localPartition_isSome_iff {A thr : Layout} (hT : thr.Valid) (i : Nat) :
    (localPartition A thr i).isSome = true ↔
      Contiguous thr.modes ∧ i < thr.size ∧ (zippedDivide A (runs (modeSizes thr))).isSome = true := by
  have e1 : localPartition A thr i = (threadCoord thr i).bind fun c =>
      (zippedDivide A (runs (modeSizes thr))).bind fun Z => outerAt Z c := by
    rw [localPartition]
    cases threadCoord thr i with
    | none => rfl
    | some c =>
      simp only [Option.bind_some, outerPartition]
      cases zippedDivide A (runs (modeSizes thr)) <;> rfl
  rw [e1]
  constructor
  · intro h
    obtain ⟨p, hp⟩ := Option.isSome_iff_exists.1 h
    obtain ⟨c, hc, hp⟩ := Option.bind_eq_some_iff.1 hp
    obtain ⟨Z, hZ, hp⟩ := Option.bind_eq_some_iff.1 hp
    obtain ⟨I, hI, hi, _⟩ := threadCoord_eq hc
    exact ⟨(inverse_ne_none_iff hT).1 (by rw [hI]; simp), hi, by rw [hZ]; rfl⟩
  · rintro ⟨h1, h2, h3⟩
    obtain ⟨I, hI⟩ := Option.ne_none_iff_exists'.1 ((inverse_ne_none_iff hT).2 h1)
    obtain ⟨Z, hZ⟩ := Option.isSome_iff_exists.1 h3
    obtain ⟨t, r, ht, hl, hs, h4, h5⟩ := outerAt_threadCoord hT hI hZ h2
    obtain ⟨c, hc⟩ := Option.isSome_iff_exists.1 h4
    obtain ⟨S, h6, _⟩ := outerAt_index hl ht (i := atIndex I.modes i) (hs ▸ (inverse_lt hT hI h2).1)
    rw [hc, Option.bind_some, hZ, Option.bind_some, h5 c hc, h6]
    rfl

/-- **All threads together get every element of A exactly once: their offsets are those of A, each as often.**
Rust: `razorgirl::Layout::local_partition`
Source: CuTe `local_partition` (which does not check that the threads are a bijection) -/
theorem localPartition_perm {A thr Z : Layout} (hA : A.Valid) (hT : thr.Valid) (hc : Contiguous thr.modes)
    (h : zippedDivide A (runs (modeSizes thr)) = some Z) :
    ((List.range thr.size).flatMap fun i => addresses (localPartition A thr i)).Perm (offsets A.modes) := by
  obtain ⟨I, hI⟩ := Option.ne_none_iff_exists'.1 ((inverse_ne_none_iff hT).2 hc)
  have e : ∀ i, localPartition A thr i = (threadCoord thr i).bind (outerAt Z) := by
    intro i
    rw [localPartition]
    cases threadCoord thr i with
    | none => rfl
    | some c => simp only [Option.bind_some, outerPartition, h]
  simp only [e]
  exact (flatMap_threads_perm hT hI h).trans
    (divide_forms_offsets_perm hA (valid_runs (modeSizes_pos hT)) (.inl h)).1

end Layout

end Razorgirl
