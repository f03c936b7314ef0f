module

public import Razorgirl.Thm.Layout.Ordered
public import Razorgirl.Thm.Layout.Product.Interleave

@[expose] public section

/-!
# A block repeated to a shape: what is proved

`tile_to_shape` is a blocked product with a compact layout of copies, so it inherits everything from there; its own
part is which shapes a block fills: those whose modes its modes divide.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout Layout.Aux

theorem repetitions_isSome_iff : (bs ss : List Nat) → ((repetitions bs ss).isSome = true ↔ EachDivides bs ss)
  | [], _ => by simp [repetitions, EachDivides]
  | _ :: _, [] => by simp [repetitions, EachDivides]
  | b :: bs, s :: ss => by
    rw [repetitions, EachDivides, ← repetitions_isSome_iff bs ss, Nat.dvd_iff_mod_eq_zero]
    split
    · rename_i h
      rw [Option.isSome_map]
      exact (and_iff_right h).symm
    · rename_i h
      simp [h]

theorem repetitions_spec : {bs ss rs : List Nat} → repetitions bs ss = some rs →
    rs.length = ss.length ∧ bs.length ≤ ss.length ∧
      List.zipWith (· * ·) (bs ++ List.replicate (ss.length - bs.length) 1) rs = ss
  | [], ss, rs, h => by
    obtain rfl := Option.some.inj h
    refine ⟨rfl, Nat.zero_le _, ?_⟩
    rw [List.nil_append, List.length_nil, Nat.sub_zero]
    clear h
    induction ss with
    | nil => rfl
    | cons s ss ih => rw [List.length_cons, List.replicate_succ, List.zipWith_cons_cons, ih, Nat.one_mul]
  | _ :: _, [], _, h => by simp [repetitions] at h
  | b :: bs, s :: ss, rs, h => by
    rw [repetitions] at h
    split at h
    · rename_i hb
      obtain ⟨qs, hq, rfl⟩ := Option.map_eq_some_iff.1 h
      obtain ⟨h1, h2, h3⟩ := repetitions_spec hq
      refine ⟨by simp [h1], by simpa using h2, ?_⟩
      rw [List.cons_append, List.zipWith_cons_cons, Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hb), List.length_cons,
        List.length_cons, Nat.add_sub_add_right, h3]
    · cases h

/-- A shape of `n` numbers, as far as its nesting goes. -/
theorem weaklyCongruent_flat (order : IntTuple) {as bs : List Nat} (h : as.length = bs.length) :
    weaklyCongruent order (.node (as.map HTuple.leaf) : IntTuple) =
      weaklyCongruent order (.node (bs.map HTuple.leaf) : IntTuple) := by
  cases order with
  | leaf _ => simp [weaklyCongruent]
  | node os =>
    simp only [weaklyCongruent]
    induction os generalizing as bs with
    | nil =>
      cases as <;> cases bs <;> simp_all [weaklyCongruentList]
    | cons o os ih =>
      match as, bs, h with
      | [], [], _ => rfl
      | [], _ :: _, h => simp at h
      | _ :: _, [], h => simp at h
      | a :: as, b :: bs, h =>
        simp only [List.map_cons, weaklyCongruentList]
        rw [ih (as := as) (bs := bs) (by simpa using h)]
        cases o <;> rfl

theorem fillers_eq_some_iff {A T : Layout} {shape order : IntTuple} : fillers A shape order = some T ↔
    ∃ rs, repetitions (modeSizes A) ((children shape).map IntTuple.size) = some rs ∧
      ordered (.node (rs.map .leaf)) order = some T := by
  rw [fillers]
  cases repetitions (modeSizes A) ((children shape).map IntTuple.size) <;> simp

/-- **A block fills a shape exactly when it has at most as many modes, the size of each divides that of the mode of
the shape, and the order is one number, or one for each mode of the shape.**
Rust: `razorgirl::Layout::tile_to_shape`
Source: CuTe `tile_to_shape` -/
theorem fillers_isSome_iff (A : Layout) (shape order : IntTuple) : (fillers A shape order).isSome = true ↔
    EachDivides (modeSizes A) ((children shape).map IntTuple.size) ∧
      weaklyCongruent order (.node (((children shape).map IntTuple.size).map HTuple.leaf) : IntTuple) = true := by
  rw [← repetitions_isSome_iff, Option.isSome_iff_exists]
  simp only [fillers_eq_some_iff]
  constructor
  · rintro ⟨T, rs, h1, h2⟩
    rw [h1]
    refine ⟨rfl, ?_⟩
    rw [← weaklyCongruent_flat order (repetitions_spec h1).1, ← ordered_isSome, h2]
    rfl
  · rintro ⟨h1, h2⟩
    obtain ⟨rs, h1⟩ := Option.isSome_iff_exists.1 h1
    rw [← weaklyCongruent_flat order (repetitions_spec h1).1, ← ordered_isSome] at h2
    obtain ⟨T, h2⟩ := Option.isSome_iff_exists.1 h2
    exact ⟨T, rs, h1, h2⟩

theorem positive_repetitions : {bs ss rs : List Nat} → (∀ s ∈ ss, 0 < s) → repetitions bs ss = some rs →
    ∀ r ∈ rs, 0 < r
  | [], ss, rs, hs, h => by
    obtain rfl := Option.some.inj h
    exact hs
  | _ :: _, [], _, _, h => by simp [repetitions] at h
  | b :: bs, s :: ss, rs, hs, h => by
    rw [repetitions] at h
    split at h
    · rename_i hb
      obtain ⟨qs, hq, rfl⟩ := Option.map_eq_some_iff.1 h
      intro r hr
      rcases List.mem_cons.1 hr with rfl | hr
      · have h1 := hs s (by simp)
        have h2 := Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hb)
        refine Nat.pos_of_ne_zero fun h0 => ?_
        rw [h0, Nat.mul_zero] at h2
        omega
      · exact positive_repetitions (fun s hs' => hs s (by simp [hs'])) hq r hr
    · cases h

theorem positive_children {shape : IntTuple} (h : IntTuple.Positive shape) :
    ∀ s ∈ (children shape).map IntTuple.size, 0 < s := by
  intro s hs
  obtain ⟨t, ht, rfl⟩ := List.mem_map.1 hs
  rw [← IntTuple.positive_iff_size_pos, IntTuple.positive_iff_mem]
  intro n hn
  rw [IntTuple.positive_iff_mem] at h
  refine h n ?_
  cases shape with
  | leaf m =>
    obtain rfl := List.mem_singleton.1 ht
    exact hn
  | node ss =>
    rw [HTuple.flatten, flattenList_eq_flatMap, List.mem_flatMap]
    exact ⟨t, ht, hn⟩

theorem fillers_valid {A T : Layout} {shape order : IntTuple} (hs : IntTuple.Positive shape)
    (h : fillers A shape order = some T) : T.Valid ∧ Contiguous T.modes := by
  obtain ⟨rs, h1, h2⟩ := fillers_eq_some_iff.1 h
  have hp : IntTuple.Positive (.node (rs.map HTuple.leaf)) := by
    rw [IntTuple.positive_iff_mem]
    intro n hn
    rw [HTuple.flatten, flattenList_eq_flatMap, List.mem_flatMap] at hn
    obtain ⟨t, ht, hn⟩ := hn
    obtain ⟨r, hr, rfl⟩ := List.mem_map.1 ht
    obtain rfl := List.mem_singleton.1 hn
    exact positive_repetitions (positive_children hs) h1 _ hr
  exact ⟨ordered_valid hp h2, ordered_contiguous hp h2⟩

/-- **`tile_to_shape` refuses exactly when the block does not fill the shape, or when there is no product of the block
with the copies that do.**
Rust: `razorgirl::Layout::tile_to_shape`
Source: CuTe `tile_to_shape` -/
theorem tileToShape_isSome_iff {A : Layout} {shape order : IntTuple} (hA : A.Valid)
    (hs : IntTuple.Positive shape) :
    (tileToShape A shape order).isSome = true ↔
      ∃ T, fillers A shape order = some T ∧ (logicalProduct A T).isSome = true := by
  rw [tileToShape]
  cases h : fillers A shape order with
  | none => simp
  | some T =>
    simp [(blockedProduct_isSome hA (fillers_valid hs h).1).1]

/-- The result of `tile_to_shape` as a blocked product with copies that lie compactly. -/
theorem tileToShape_parts {A B : Layout} {shape order : IntTuple} (hA : A.Valid) (hs : IntTuple.Positive shape)
    (h : tileToShape A shape order = some B) :
    ∃ T R K, fillers A shape order = some T ∧ AreInterleaved A T R B K := by
  rw [tileToShape] at h
  split at h
  · rename_i T hT
    have h1 := blockedProduct_isSome hA (fillers_valid hs hT).1
    have h2 := product_padModes_isSome hA (fillers_valid hs hT).1 (max A.rank T.rank) (max A.rank T.rank)
    rw [h, Option.isSome_some] at h1
    obtain ⟨K, hK⟩ := Option.isSome_iff_exists.1 (h1.2.trans h1.1.symm)
    obtain ⟨R, hR⟩ := Option.isSome_iff_exists.1 (h2.trans h1.1.symm)
    exact ⟨T, R, K, hT, hR, h, hK⟩
  · cases h

theorem modeSizes_padModes {L : Layout} (n : Nat) :
    modeSizes (padModes n L) = modeSizes L ++ List.replicate (n - L.rank) 1 := by
  rw [modeSizes, padModes_tree, children, List.map_append, List.map_replicate]
  rfl

theorem length_modeSizes (L : Layout) : (modeSizes L).length = L.rank := by
  rw [modeSizes, List.length_map, length_children_tree]

/-- **The modes of the result have the sizes of the modes of the shape.**
Rust: `razorgirl::Layout::tile_to_shape`
Source: CuTe `tile_to_shape` -/
theorem tileToShape_modeSizes {A B : Layout} {shape order : IntTuple} (hA : A.Valid) (hs : IntTuple.Positive shape)
    (h : tileToShape A shape order = some B) :
    modeSizes B = (children shape).map IntTuple.size := by
  obtain ⟨T, R, K, hT, hi⟩ := tileToShape_parts hA hs h
  obtain ⟨rs, h1, h2⟩ := fillers_eq_some_iff.1 hT
  obtain ⟨e1, e2, e3⟩ := repetitions_spec h1
  have hTs : T.shape = .node (rs.map .leaf) := ordered_shape h2
  have hTr : T.rank = rs.length := by
    rw [← rank_shape, hTs, HTuple.rank, List.length_map]
  have hTm : modeSizes T = rs := by
    have ht : mapList Mode.extent (children T.tree) = rs.map HTuple.leaf := by
      have hTs : map Mode.extent T.tree = .node (rs.map .leaf) := hTs
      generalize T.tree = t at hTs
      cases t with
      | leaf m => simp [map] at hTs
      | node ts =>
        rw [map, HTuple.node.injEq] at hTs
        exact hTs
    rw [modeSizes]
    generalize children T.tree = ts at ht
    clear h1 h2 e1 e2 e3 hTs hTr hT hi
    induction ts generalizing rs with
    | nil => cases rs <;> simp_all [mapList]
    | cons t ts ih =>
      cases rs with
      | nil => simp [mapList] at ht
      | cons r rs =>
        rw [mapList, List.map_cons, List.cons.injEq] at ht
        rw [List.map_cons, ih rs ht.2]
        congr 1
        have := congrArg HTuple.flatten ht.1
        rw [flatten_map] at this
        rw [Layout.size, FlatLayout.size, ofTree, FlatLayout.shape, this]
        simp [HTuple.flatten, prod]
  have hA1 : (modeSizes A).length = A.rank := length_modeSizes A
  have hmax : max A.rank T.rank = T.rank := by
    rw [List.length_map] at e1 e2
    omega
  rw [(interleaved_modeSizes hA (fillers_valid hs hT).1 hi).1, hmax, modeSizes_padModes, modeSizes_padModes, hTm,
    Nat.sub_self, List.replicate_zero, List.append_nil, ← hA1, hTr, e1]
  exact e3

/-- **Every coordinate of the shape, mode by mode, is a coordinate of the result.**
Rust: `razorgirl::Layout::tile_to_shape`
Source: CuTe `tile_to_shape`, post-condition -/
theorem tileToShape_compatible {A B : Layout} {shape order : IntTuple} (hA : A.Valid) (hs : IntTuple.Positive shape)
    (h : tileToShape A shape order = some B) :
    IntTuple.compatible (.node (((children shape).map IntTuple.size).map .leaf)) B.shape = true := by
  have h1 := tileToShape_modeSizes hA hs h
  obtain ⟨T, R, K, hT, hi⟩ := tileToShape_parts hA hs h
  obtain ⟨_, xs, ys, _, _, _, _, _, rfl, _⟩ := hi.parts hA (fillers_valid hs hT).1
  rw [modeSizes, Layout.tree_ofTree, children] at h1
  rw [← h1, shape_ofTree, map, IntTuple.compatible]
  generalize pairModes xs ys = ts
  clear h1 h hi
  induction ts with
  | nil => rfl
  | cons t ts ih =>
    rw [List.map_cons, List.map_cons, mapList, IntTuple.compatibleList, ih, Bool.and_true,
      IntTuple.compatible_leaf_iff, IntTuple.size_eq_prod, flatten_map]
    rfl

/-- **A block repeated to a shape is injective exactly when the block is.**
Rust: `razorgirl::Layout::tile_to_shape`
Source: CuTe `tile_to_shape` (where modes of equal order overlap) -/
theorem tileToShape_injective_iff {A B : Layout} {shape order : IntTuple} (hA : A.Valid)
    (hs : IntTuple.Positive shape)
    (h : tileToShape A shape order = some B) :
    Injective B.modes ↔ Injective A.modes := by
  obtain ⟨T, R, K, hT, hi⟩ := tileToShape_parts hA hs h
  have hv := fillers_valid hs hT
  rw [(interleaved_injective_iff hA hv.1 hi).1]
  exact and_iff_left hv.2.1

/-- **A bijection onto its offsets, repeated to a shape, is one again.**
Rust: `razorgirl::Layout::tile_to_shape`
Source: CuTe `tile_to_shape` -/
theorem tileToShape_contiguous {A B : Layout} {shape order : IntTuple} (hA : A.Valid)
    (hs : IntTuple.Positive shape) (hc : Contiguous A.modes)
    (h : tileToShape A shape order = some B) :
    Contiguous B.modes := by
  obtain ⟨T, R, K, hT, hi⟩ := tileToShape_parts hA hs h
  have hv := fillers_valid hs hT
  exact (interleaved_contiguous hA hv.1 hi hc hv.2).1

/-- `8:1` repeated to `(24,4)`; 3 copies along the first mode, 4 along the second. -/
example : (tileToShape ⟨[⟨8, 1⟩], .leaf ()⟩ (.node [.leaf 24, .leaf 4])
      (columnOrder (.node [.leaf 24, .leaf 4]))).map modes =
    some [⟨8, 1⟩, ⟨3, 8⟩, ⟨1, 0⟩, ⟨4, 24⟩] := by decide +kernel
/-- Copies numbered along the second mode first. -/
example : (tileToShape ⟨[⟨8, 8⟩, ⟨8, 1⟩], .node [.leaf (), .leaf ()]⟩ (.node [.leaf 16, .leaf 16])
      (.node [.leaf 1, .leaf 0])).map modes = some [⟨8, 8⟩, ⟨2, 128⟩, ⟨8, 1⟩, ⟨2, 64⟩] := by decide +kernel

end Layout

end Razorgirl
