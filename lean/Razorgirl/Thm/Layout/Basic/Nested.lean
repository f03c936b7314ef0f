module

public import Razorgirl.Thm.Coord.Nested
public import Razorgirl.Thm.Layout.Injective

@[expose] public section

/-!
# Nested layouts: what is proved

A layout takes coordinates of its own shape, of any coarser compatible shape, and linear indices; all agree. So
the nesting decides only which coordinates are accepted, never an offset.
-/

namespace Razorgirl

namespace Layout
open HTuple

instance (L : Layout) : Decidable (Valid L) :=
  inferInstanceAs (Decidable (L.profile.length = L.modes.length ∧ FlatLayout.Valid L.modes))

/-! ## Tree and modes -/

theorem flatten_tree {L : Layout} (h : L.profile.length = L.modes.length) : L.tree.flatten = L.modes :=
  flatten_unflatten _ _ _ h

theorem profile_tree (L : Layout) : L.tree.profile = L.profile := profile_unflatten _ _ _

/-- **A layout is its tree of modes: flattening the tree gives the layout back.**
Rust: `razorgirl::Layout::new`
Source: Categorical Foundations 2.3. -/
theorem ofTree_tree {L : Layout} (h : L.Valid) : ofTree L.tree = L := by
  rw [ofTree, flatten_tree h.1, profile_tree]

/-- **A tree of modes is the tree of its layout.**
Rust: `razorgirl::Layout::new`
Source: Categorical Foundations 2.3. -/
theorem tree_ofTree (t : HTuple Mode) : (ofTree t).tree = t := unflatten_flatten _ t

theorem valid_ofTree_iff (t : HTuple Mode) : (ofTree t).Valid ↔ FlatLayout.Valid t.flatten := by
  simp [Valid, ofTree, length_profile, length_flatten]

/-- **The shape of a layout is nested like the layout.**
Rust: `razorgirl::Layout::shape`
Source: CuTe `shape`. -/
theorem profile_shape (L : Layout) : L.shape.profile = L.profile := by
  rw [shape, profile_map, profile_tree]

/-- **The stride of a layout is nested like the layout.**
Rust: `razorgirl::Layout::stride`
Source: CuTe `stride`. -/
theorem profile_stride (L : Layout) : L.stride.profile = L.profile := by
  rw [stride, profile_map, profile_tree]

/-- **The shape and the stride of a layout are congruent.**
Rust: `razorgirl::HTuple::congruent`
Source: Categorical Foundations 2.3; CuTe `congruent`. -/
theorem congruent_shape_stride (L : Layout) : congruent L.shape L.stride = true := by
  rw [congruent_iff_profile_eq, profile_shape, profile_stride]

/-- **Flattening the shape gives the extents of the modes.**
Rust: `razorgirl::Layout::shape`
Source: CuTe `shape`, `flatten`. -/
theorem flatten_shape {L : Layout} (h : L.Valid) : L.shape.flatten = FlatLayout.shape L.modes := by
  rw [shape, flatten_map, flatten_tree h.1, FlatLayout.shape]

/-- **Flattening the stride gives the strides of the modes.**
Rust: `razorgirl::Layout::stride`
Source: CuTe `stride`, `flatten`. -/
theorem flatten_stride {L : Layout} (h : L.Valid) : L.stride.flatten = FlatLayout.strides L.modes := by
  rw [stride, flatten_map, flatten_tree h.1, FlatLayout.strides]

/-- **The size of a layout is the size of its shape.**
Rust: `razorgirl::Layout::size`
Source: CuTe `size`. -/
theorem size_shape {L : Layout} (h : L.Valid) : IntTuple.size L.shape = L.size := by
  rw [IntTuple.size_eq_prod, flatten_shape h, size, FlatLayout.size]

theorem rank_shape (L : Layout) : L.shape.rank = L.rank := by
  rw [← rank_profile, profile_shape, rank]

theorem depth_shape (L : Layout) : L.shape.depth = L.depth := by
  rw [← depth_profile, profile_shape, depth]

theorem positive_shape {L : Layout} (h : L.Valid) : IntTuple.Positive L.shape := by
  rw [IntTuple.positive_iff_size_pos, size_shape h]
  exact h.2.size_pos

/-! ## Every form of evaluation agrees -/

/-- **A layout accepts exactly the coordinates that coarsen its nesting and stay in range.**
Rust: `razorgirl::Layout::call`
Source: Cecka (arXiv 2603.02298); CuTe `L(c)`. -/
theorem isSome_call_iff (L : Layout) (c : Coord) : (L.call c).isSome = true ↔ c.Within L.shape := by
  rw [call, Option.isSome_map, Coord.isSome_toFlat_iff]

/-- **The offset of a coordinate, of whatever coarseness, is the offset of its linear index.**
Rust: `razorgirl::Layout::call`
Source: Villa Straylight I.4; Cecka (arXiv 2603.02298); CuTe `L(c)`. -/
theorem call_eq_atIndex {L : Layout} (h : L.Valid) (c : Coord) :
    L.call c = (Coord.crd2idx c L.shape).map (FlatLayout.atIndex L.modes) := by
  rw [call, Coord.toFlat_eq_idx2crd (positive_shape h), Option.map_map, flatten_shape h]
  rfl

/-- **Calling a layout with an integer gives the offset of that linear index.**
Rust: `razorgirl::Layout::call`
Source: Villa Straylight I.4; CuTe `L(i)`. -/
theorem call_index {L : Layout} (h : L.Valid) {x : Nat} (hx : x < L.size) :
    L.call (.leaf (some x)) = some (FlatLayout.atIndex L.modes x) := by
  rw [call_eq_atIndex h, Coord.crd2idx_leaf (by rw [size_shape h]; exact hx), Option.map_some]

theorem call_index_of_ge {L : Layout} (h : L.Valid) {x : Nat} (hx : L.size ≤ x) :
    L.call (.leaf (some x)) = none := by
  rw [call_eq_atIndex h, Coord.crd2idx_leaf_of_ge (by rw [size_shape h]; exact hx), Option.map_none]

/-- **Calling a layout with a coordinate nested like its shape gives the dot product of the coordinate with the
strides.**
Rust: `razorgirl::Layout::call`
Source: Villa Straylight I.4; CuTe `L(c)`. -/
theorem call_map_some {L : Layout} {c : IntTuple} (hc : congruent c L.shape = true)
    (hb : InBounds L.shape.flatten c.flatten) :
    L.call (map some c) = some (FlatLayout.eval L.modes c.flatten) := by
  rw [call, Coord.toFlat_map_some hc hb, Option.map_some]

/-- **Every offset is below the cosize.**
Rust: `razorgirl::Layout::cosize`
Source: Villa Straylight I.2; CuTe `cosize`. -/
theorem call_lt_cosize {L : Layout} (h : L.Valid) {c : Coord} {o : Nat} (hc : L.call c = some o) :
    o < L.cosize := by
  rw [call_eq_atIndex h] at hc
  cases h1 : Coord.crd2idx c L.shape with
  | none => simp [h1] at hc
  | some x =>
    have hx := Coord.crd2idx_lt_size (positive_shape h) h1
    rw [size_shape h] at hx
    simp only [h1, Option.map_some, Option.some.injEq] at hc
    rw [← hc]
    exact FlatLayout.atIndex_lt_cosize hx

/-- **Calling a layout with a coordinate of a coarser compatible shape gives the offset of the linear index of the
coordinate in that coarser shape.**
Rust: `razorgirl::Layout::call`
Source: Cecka (arXiv 2603.02298); CuTe `L(c)`, `compatible`. -/
theorem call_of_compatible {L : Layout} (h : L.Valid) {coarse : IntTuple} {c : Coord}
    (hs : IntTuple.compatible coarse L.shape = true) (hc : weaklyCongruent c coarse = true) :
    L.call c = (Coord.crd2idx c coarse).map (FlatLayout.atIndex L.modes) := by
  rw [call_eq_atIndex h, Coord.crd2idx_eq_of_compatible hs hc]

/-- **Calling a layout with the coordinate of a linear index, taken in any coarser compatible shape, gives the offset
of the index.**
Rust: `razorgirl::Layout::call`
Source: Cecka (arXiv 2603.02298); CuTe `L(c)`, `idx2crd`, `compatible`. -/
theorem call_idx2crd_of_compatible {L : Layout} (h : L.Valid) {coarse c : IntTuple} {x : Nat}
    (hs : IntTuple.compatible coarse L.shape = true) (hc : Coord.idx2crd x coarse = some c) :
    L.call (map some c) = some (FlatLayout.atIndex L.modes x) := by
  rw [call_eq_atIndex h, Coord.crd2idx_idx2crd_of_compatible hs hc, Option.map_some]

/-- **Calling a layout with the coordinate of a linear index in its own shape gives the offset of the index.**
Rust: `razorgirl::Layout::call`
Source: Villa Straylight I.4; CuTe `L(c)`, `idx2crd`. -/
theorem call_idx2crd {L : Layout} (h : L.Valid) {c : IntTuple} {x : Nat}
    (hc : Coord.idx2crd x L.shape = some c) :
    L.call (map some c) = some (FlatLayout.atIndex L.modes x) :=
  call_idx2crd_of_compatible h (IntTuple.compatible_refl _) hc

/-- **Two layouts with the same offsets in linear order agree on every coordinate of every shape that is compatible
with both.**
Rust: `razorgirl::Layout::call`
Source: Categorical Foundations 2.3; Cecka (arXiv 2603.02298). -/
theorem call_eq_of_offsets_eq {A B : Layout} (hA : A.Valid) (hB : B.Valid)
    (h : FlatLayout.offsets A.modes = FlatLayout.offsets B.modes) {coarse : IntTuple} {c : Coord}
    (hsA : IntTuple.compatible coarse A.shape = true) (hsB : IntTuple.compatible coarse B.shape = true)
    (hc : weaklyCongruent c coarse = true) : A.call c = B.call c := by
  have ho := (FlatLayout.offsets_eq_iff _ _).1 h
  rw [call_eq_atIndex hA, call_eq_atIndex hB, ← Coord.crd2idx_eq_of_compatible hsA hc,
    ← Coord.crd2idx_eq_of_compatible hsB hc]
  cases h1 : Coord.crd2idx c coarse with
  | none => rfl
  | some x =>
    have hp : IntTuple.Positive coarse := by
      rw [IntTuple.positive_iff_size_pos, IntTuple.size_eq_of_compatible hsA, size_shape hA]
      exact hA.2.size_pos
    have hx := Coord.crd2idx_lt_size hp h1
    rw [IntTuple.size_eq_of_compatible hsA, size_shape hA] at hx
    rw [Option.map_some, Option.map_some, ho.2 x hx]

/-! ## Independence of nesting -/

/-- **Nesting does not change the function of the linear index: two layouts with the same modes agree on every
integer.**
Rust: `razorgirl::Layout::call`
Source: Categorical Foundations 2.3; CuTe `L(i)`. -/
theorem call_index_eq_of_modes_eq {A B : Layout} (hA : A.Valid) (hB : B.Valid) (h : A.modes = B.modes)
    (x : Nat) : A.call (.leaf (some x)) = B.call (.leaf (some x)) := by
  have hs : A.size = B.size := by rw [size, h, size]
  by_cases hx : x < A.size
  · rw [call_index hA hx, call_index hB (by omega), h]
  · rw [call_index_of_ge hA (by omega), call_index_of_ge hB (by omega)]

/-- **Re-nesting a layout and its coordinates alike changes no offset.**
Rust: `razorgirl::Layout::call`
Source: Categorical Foundations 2.3; CuTe `L(c)`. -/
theorem call_eq_of_flatten_eq {A B : Layout} (hA : A.Valid) (hB : B.Valid) (h : A.modes = B.modes)
    {c d : IntTuple} (hc : congruent c A.shape = true) (hd : congruent d B.shape = true)
    (hcd : c.flatten = d.flatten) : A.call (map some c) = B.call (map some d) := by
  have hs : A.shape.flatten = B.shape.flatten := by rw [flatten_shape hA, flatten_shape hB, h]
  by_cases hb : InBounds A.shape.flatten c.flatten
  · rw [call_map_some hc hb, call_map_some hd (by rw [← hs, ← hcd]; exact hb), h, hcd]
  · have h1 : ¬ (A.call (map some c)).isSome = true := by
      rw [isSome_call_iff, Coord.within_map_some_iff hc]
      exact hb
    have h2 : ¬ (B.call (map some d)).isSome = true := by
      rw [isSome_call_iff, Coord.within_map_some_iff hd, ← hs, ← hcd]
      exact hb
    rw [Option.not_isSome_iff_eq_none] at h1 h2
    rw [h1, h2]

theorem modes_flatten (L : Layout) : L.flatten.modes = L.modes := by
  cases L with
  | mk ms p => cases p <;> rfl

theorem lengthList_map_leaf {α : Type} (l : List α) :
    lengthList (l.map fun _ => (HTuple.leaf () : Profile)) = l.length := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    rw [List.map_cons, lengthList, ih, HTuple.length, List.length_cons, Nat.add_comm]

theorem valid_flatten {L : Layout} (h : L.Valid) : L.flatten.Valid := by
  cases L with
  | mk ms p =>
    cases p with
    | leaf u => exact h
    | node ps => exact ⟨lengthList_map_leaf ms, h.2⟩

/-- **Flattening a layout keeps the offset of every linear index.**
Rust: `razorgirl::Layout::flatten`
Source: Categorical Foundations 2.3; CuTe `flatten`. -/
theorem call_index_flatten {L : Layout} (h : L.Valid) (x : Nat) :
    L.flatten.call (.leaf (some x)) = L.call (.leaf (some x)) :=
  call_index_eq_of_modes_eq (valid_flatten h) h (modes_flatten L) x

/-- **Flattening a layout together with a coordinate nested like it keeps the offset.**
Rust: `razorgirl::Layout::flatten`
Source: Categorical Foundations 2.3; CuTe `flatten`. -/
theorem call_flatten {L : Layout} (h : L.Valid) {c d : IntTuple} (hc : congruent c L.shape = true)
    (hd : congruent d L.flatten.shape = true) (hcd : d.flatten = c.flatten) :
    L.flatten.call (map some d) = L.call (map some c) :=
  call_eq_of_flatten_eq (valid_flatten h) h (modes_flatten L) hd hc hcd

/-- **Flattening a layout keeps its size.**
Rust: `razorgirl::Layout::flatten`
Source: CuTe `flatten`, `size`. -/
theorem size_flatten (L : Layout) : L.flatten.size = L.size := by rw [size, modes_flatten, size]

/-- **Flattening a layout keeps its cosize.**
Rust: `razorgirl::Layout::flatten`
Source: CuTe `flatten`, `cosize`. -/
theorem cosize_flatten (L : Layout) : L.flatten.cosize = L.cosize := by rw [cosize, modes_flatten, cosize]

/-! ## Setting the strides of modes of extent 1 to 0 -/

theorem valid_normalize {L : Layout} (h : L.Valid) : L.normalize.Valid :=
  ⟨by rw [normalize, FlatLayout.length_normalize]; exact h.1, (FlatLayout.valid_normalize_iff _).2 h.2⟩

/-- **Setting the stride of the modes of extent 1 to 0 keeps the nested shape.**
Rust: `razorgirl::Layout::new`
Source: Categorical Foundations 2.1.2 (non-degenerate layouts). -/
theorem shape_normalize {L : Layout} (h : L.Valid) : L.normalize.shape = L.shape := by
  apply eq_of_profile_eq_of_flatten_eq
  · rw [profile_shape, profile_shape, normalize]
  · rw [flatten_shape (valid_normalize h), flatten_shape h, normalize, FlatLayout.shape_normalize]

/-- **Setting the stride of the modes of extent 1 to 0 changes no offset, whatever the form of the coordinate.**
Rust: `razorgirl::Layout::new`
Source: Categorical Foundations 2.1.2 (non-degenerate layouts). -/
theorem call_normalize {L : Layout} (h : L.Valid) (c : Coord) : L.normalize.call c = L.call c := by
  have hm : FlatLayout.atIndex L.normalize.modes = FlatLayout.atIndex L.modes := by
    funext x
    exact FlatLayout.atIndex_normalize L.modes x
  rw [call_eq_atIndex (valid_normalize h), call_eq_atIndex h, shape_normalize h, hm]

/-! ## Concatenation -/

theorem flattenList_map_tree : {Ls : List Layout} → (∀ L ∈ Ls, L.Valid) →
    flattenList (Ls.map tree) = concatModes Ls
  | [], _ => rfl
  | L :: Ls, h => by
    rw [List.map_cons, flattenList, concatModes, flatten_tree (h L (by simp)).1,
      flattenList_map_tree fun K hK => h K (by simp [hK])]

theorem lengthList_map_profile : {Ls : List Layout} → (∀ L ∈ Ls, L.Valid) →
    lengthList (Ls.map profile) = (concatModes Ls).length
  | [], _ => rfl
  | L :: Ls, h => by
    rw [List.map_cons, lengthList, concatModes, List.length_append, (h L (by simp)).1,
      lengthList_map_profile fun K hK => h K (by simp [hK])]

theorem valid_concatModes : {Ls : List Layout} → (∀ L ∈ Ls, L.Valid) → FlatLayout.Valid (concatModes Ls)
  | [], _ => trivial
  | L :: Ls, h => (FlatLayout.valid_append_iff _ _).2
    ⟨(h L (by simp)).2, valid_concatModes fun K hK => h K (by simp [hK])⟩

/-- **The concatenation of valid layouts is a valid layout.**
Rust: `razorgirl::Layout::concat`
Source: Categorical Foundations 2.3; CuTe `make_layout`. -/
theorem valid_concat {Ls : List Layout} (h : ∀ L ∈ Ls, L.Valid) : (concat Ls).Valid :=
  ⟨lengthList_map_profile h, valid_concatModes h⟩

theorem tree_concat {Ls : List Layout} (h : ∀ L ∈ Ls, L.Valid) :
    (concat Ls).tree = .node (Ls.map tree) := by
  apply eq_of_profile_eq_of_flatten_eq
  · rw [profile_tree, concat, HTuple.profile, map, mapList_eq_map, List.map_map]
    exact congrArg HTuple.node (List.map_inj_left.2 fun L _ => (profile_tree L).symm)
  · rw [flatten_tree (valid_concat h).1, HTuple.flatten, flattenList_map_tree h, concat]

/-- **The modes of a concatenation are the concatenated layouts: its shape is the tuple of their shapes.**
Rust: `razorgirl::Layout::concat`
Source: Categorical Foundations 2.3; CuTe `make_layout`. -/
theorem shape_concat {Ls : List Layout} (h : ∀ L ∈ Ls, L.Valid) :
    (concat Ls).shape = .node (Ls.map shape) := by
  rw [shape, tree_concat h, map, mapList_eq_map, List.map_map]
  rfl

/-- **The stride of a concatenation is the tuple of the strides.**
Rust: `razorgirl::Layout::concat`
Source: Categorical Foundations 2.3; CuTe `make_layout`. -/
theorem stride_concat {Ls : List Layout} (h : ∀ L ∈ Ls, L.Valid) :
    (concat Ls).stride = .node (Ls.map stride) := by
  rw [stride, tree_concat h, map, mapList_eq_map, List.map_map]
  rfl

theorem rank_concat (Ls : List Layout) : (concat Ls).rank = Ls.length := by
  simp [concat, rank, HTuple.rank]

/-- **The size of a concatenation is the product of the sizes.**
Rust: `razorgirl::Layout::concat`
Source: Categorical Foundations 2.1.2; CuTe `make_layout`, `size`. -/
theorem size_concat (Ls : List Layout) : (concat Ls).size = prod (Ls.map size) := by
  induction Ls with
  | nil => rfl
  | cons L Ls ih =>
    have : (concat (L :: Ls)).size = FlatLayout.size (L.modes ++ concatModes Ls) := rfl
    rw [this, FlatLayout.size_append, List.map_cons, prod, ← ih]
    rfl

/-- **The cosize of a concatenation of k layouts is 1 - k plus the sum of the cosizes.**
Rust: `razorgirl::Layout::concat`
Source: Categorical Foundations 2.1.2; CuTe `make_layout`, `cosize`. -/
theorem cosize_concat {Ls : List Layout} (h : ∀ L ∈ Ls, L.Valid) :
    (concat Ls).cosize + Ls.length = 1 + (Ls.map cosize).sum := by
  induction Ls with
  | nil => rfl
  | cons L Ls ih =>
    have ih := ih fun K hK => h K (by simp [hK])
    have h1 := FlatLayout.cosize_append (h L (by simp)).2
      (valid_concatModes fun K hK => h K (List.mem_cons_of_mem _ hK))
    have h2 : (concat (L :: Ls)).cosize = FlatLayout.cosize (L.modes ++ concatModes Ls) := rfl
    have h3 : (concat Ls).cosize = FlatLayout.cosize (concatModes Ls) := rfl
    have h4 : L.cosize = FlatLayout.cosize L.modes := rfl
    simp only [List.map_cons, List.sum_cons, List.length_cons]
    omega

/-- **The offset of a linear index in a concatenation is the sum of the offsets that the layouts have at the parts of
the index.**
Rust: `razorgirl::Layout::concat`
Source: Categorical Foundations 2.1.2; CuTe `make_layout`. -/
theorem atIndex_concat (Ls : List Layout) (x : Nat) :
    FlatLayout.atIndex (concat Ls).modes x =
      (List.zipWith (fun L i => FlatLayout.atIndex L.modes i) Ls (idx2crd (Ls.map size) x)).sum := by
  induction Ls generalizing x with
  | nil => rfl
  | cons L Ls ih =>
    have : (concat (L :: Ls)).modes = L.modes ++ (concat Ls).modes := rfl
    rw [this, FlatLayout.atIndex_append, ih]
    rfl

theorem sumCalls_eq : {Ls : List Layout} → (∀ L ∈ Ls, L.Valid) → (cs : List Coord) →
    (Coord.toFlatList cs (Ls.map shape)).map (FlatLayout.eval (concatModes Ls)) = sumCalls Ls cs
  | [], _, [] => rfl
  | [], _, _ :: _ => rfl
  | _ :: _, _, [] => rfl
  | L :: Ls, h, c :: cs => by
    have hL := h L (by simp)
    rw [sumCalls, ← sumCalls_eq (fun K hK => h K (by simp [hK])) cs, List.map_cons, Coord.toFlatList, call]
    cases h1 : Coord.toFlat c L.shape with
    | none => simp
    | some a =>
      cases h2 : Coord.toFlatList cs (Ls.map shape) with
      | none => simp
      | some b =>
        have hl : a.length = L.modes.length := by
          rw [Coord.length_toFlat h1, flatten_shape hL, FlatLayout.length_shape]
        simp [concatModes, FlatLayout.eval_append hl]

/-- **Calling a concatenation with a tuple of coordinates, one for each layout, gives the sum of the offsets.**
Rust: `razorgirl::Layout::concat`
Source: Categorical Foundations 2.1.2; Cecka (arXiv 2603.02298); CuTe `make_layout`. -/
theorem call_concat {Ls : List Layout} (h : ∀ L ∈ Ls, L.Valid) (cs : List Coord) :
    (concat Ls).call (.node cs) = sumCalls Ls cs := by
  rw [call, shape_concat h, Coord.toFlat, ← sumCalls_eq h cs, concat]

example : (concat [⟨[⟨4, 1⟩], .leaf ()⟩, ⟨[⟨2, 4⟩, ⟨2, 16⟩], .node [.leaf (), .leaf ()]⟩]).call
    (.node [.leaf (some 3), .leaf (some 2)]) = some 19 := by decide +kernel
example : (⟨[⟨4, 2⟩, ⟨2, 16⟩, ⟨2, 1⟩, ⟨4, 8⟩],
    .node [.node [.leaf (), .leaf ()], .node [.leaf (), .leaf ()]]⟩ : Layout).call
    (.node [.leaf (some 5), .leaf (some 3)]) = some (2 + 16 + 1 + 8) := by decide +kernel

end Layout

end Razorgirl
