module

public import Razorgirl.Thm.Layout.Partition.ThreadValue
public import Razorgirl.Thm.Layout.Product.Exact
public import Razorgirl.Thm.Layout.Product.Room

@[expose] public section

/-!
# Threads and values that are bijections make a thread-value layout

The inverse of a tile, below the number of threads, is a layout: that of the threads, put where their modes lie in the
tile. So is every T-th value of it: that of the values. A layout that is one on both sides of a split is their
concatenation, so the composition that `make_layout_tv` asks for exists.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Modes with a second stride -/

/-- The modes of a list of modes with second strides. -/
def firsts (Z : List (Mode × Nat)) : FlatLayout := Z.map Prod.fst

/-- The same extents with the second strides. -/
def seconds (Z : List (Mode × Nat)) : FlatLayout := Z.map fun z => ⟨z.1.extent, z.2⟩

theorem size_seconds (Z : List (Mode × Nat)) : size (seconds Z) = size (firsts Z) := by
  induction Z with
  | nil => rfl
  | cons z Z ih =>
    show size (_ :: seconds Z) = size (_ :: firsts Z)
    rw [size_cons, size_cons, ih]

theorem firsts_append (Y Z : List (Mode × Nat)) : firsts (Y ++ Z) = firsts Y ++ firsts Z := List.map_append

theorem seconds_append (Y Z : List (Mode × Nat)) : seconds (Y ++ Z) = seconds Y ++ seconds Z := List.map_append

/-- Rearranged alike, the modes take the same values together. -/
theorem exists_index_of_perm {Z Z' : List (Mode × Nat)} (h : Z.Perm Z') :
    ∀ x, x < size (firsts Z) → ∃ y, y < size (firsts Z') ∧
      atIndex (firsts Z) x = atIndex (firsts Z') y ∧ atIndex (seconds Z) x = atIndex (seconds Z') y := by
  induction h with
  | nil => exact fun x hx => ⟨x, hx, rfl, rfl⟩
  | @cons z Y Y' _ ih =>
    intro x hx
    have hx : x < size (z.1 :: firsts Y) := hx
    have he : 0 < z.1.extent := (valid_of_lt_size hx).1
    rw [size_cons] at hx
    obtain ⟨y, hy, e1, e2⟩ := ih (x / z.1.extent) (Nat.div_lt_of_lt_mul hx)
    have hr := Nat.mod_lt x he
    refine ⟨x % z.1.extent + z.1.extent * y, ?_, ?_, ?_⟩
    · show _ < size (z.1 :: firsts Y')
      rw [size_cons]
      have := Nat.mul_le_mul_left z.1.extent (show y + 1 ≤ size (firsts Y') from hy)
      rw [Nat.mul_succ] at this
      omega
    · show atIndex (z.1 :: firsts Y) x = atIndex (z.1 :: firsts Y') _
      rw [atIndex_cons, atIndex_cons, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hr, Nat.add_mul_div_left _ _ he,
        Nat.div_eq_of_lt hr, Nat.zero_add, e1]
    · show atIndex (⟨z.1.extent, z.2⟩ :: seconds Y) x = atIndex (⟨z.1.extent, z.2⟩ :: seconds Y') _
      rw [atIndex_cons, atIndex_cons]
      simp only [Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hr, Nat.add_mul_div_left _ _ he, Nat.div_eq_of_lt hr,
        Nat.zero_add, e2]
  | swap z w Y =>
    intro x hx
    obtain ⟨y, hy, e⟩ := exists_swap [] [w.1] [z.1] (firsts Y) (x := x) hx
    refine ⟨y, hy, e [] [w.1] [z.1] (firsts Y) rfl rfl rfl, ?_⟩
    exact e [] [⟨w.1.extent, w.2⟩] [⟨z.1.extent, z.2⟩] (seconds Y) rfl (by simp [size_cons]) (by simp [size_cons])
  | trans _ _ h1 h2 =>
    intro x hx
    obtain ⟨y, hy, e1, e2⟩ := h1 x hx
    obtain ⟨w, hw, e3, e4⟩ := h2 y hy
    exact ⟨w, hw, e1.trans e3, e2.trans e4⟩

/-- Modes of extent 1 take no part. -/
theorem atIndex_filter_ne_one (Z : List (Mode × Nat)) :
    firsts (Z.filter fun z => z.1.extent != 1) = squeeze (firsts Z) ∧
      ∀ x, atIndex (seconds (Z.filter fun z => z.1.extent != 1)) x = atIndex (seconds Z) x := by
  induction Z with
  | nil => exact ⟨rfl, fun _ => rfl⟩
  | cons z Z ih =>
    by_cases h : z.1.extent = 1
    · rw [List.filter_cons_of_neg (by simp [h])]
      refine ⟨?_, fun x => ?_⟩
      · show _ = squeeze (z.1 :: firsts Z)
        rw [squeeze, if_pos h, ih.1]
      · show _ = atIndex (⟨z.1.extent, z.2⟩ :: seconds Z) x
        rw [ih.2, atIndex_cons]
        simp [h, Nat.mod_one]
    · rw [List.filter_cons_of_pos (by simp [h])]
      refine ⟨?_, fun x => ?_⟩
      · show z.1 :: firsts _ = squeeze (z.1 :: firsts Z)
        rw [squeeze, if_neg h, ih.1]
      · show atIndex (⟨z.1.extent, z.2⟩ :: seconds _) x = atIndex (⟨z.1.extent, z.2⟩ :: seconds Z) x
        rw [atIndex_cons, atIndex_cons, ih.2]

/-- Where the first strides are a one-to-one numbering by multiples of `c`, the second strides are a layout as a
function of the number. -/
theorem exists_layout_of_number {Z : List (Mode × Nat)} {c : Nat} (hc : 0 < c) (hv : Valid (firsts Z))
    (hi : Injective (firsts Z)) (ho : ∀ o, o ∈ offsets (firsts Z) ↔ ∃ y, y < size (firsts Z) ∧ o = c * y) :
    ∃ K, Valid K ∧ size K = size (firsts Z) ∧ ∀ x y, x < size (firsts Z) → y < size (firsts Z) →
      atIndex (firsts Z) x = c * y → atIndex K y = atIndex (seconds Z) x := by
  have hf := atIndex_filter_ne_one Z
  have hs : size (firsts (Z.filter fun z => z.1.extent != 1)) = size (firsts Z) := by rw [hf.1, size_squeeze]
  have hp := List.mergeSort_perm (Z.filter fun z => z.1.extent != 1) fun z w => z.1.before w.1
  have hsort : Sorted (firsts ((Z.filter fun z => z.1.extent != 1).mergeSort fun z w => z.1.before w.1)) := by
    rw [Sorted, firsts, List.pairwise_map]
    exact List.pairwise_mergeSort (le := fun z w : Mode × Nat => z.1.before w.1)
      (fun _ _ _ hab hbc => before_trans hab hbc) (fun a b => by
        rw [Bool.or_eq_true]
        by_cases h : a.1.before b.1 = true
        · exact .inl h
        · exact .inr (before_total h)) _
  have hperm : (firsts ((Z.filter fun z => z.1.extent != 1).mergeSort fun z w => z.1.before w.1)).Perm
      (squeeze (firsts Z)) := by
    have h1 := hp.map Prod.fst
    have h2 := hf.1
    rw [firsts] at h2
    rwa [h2] at h1
  generalize (Z.filter fun z => z.1.extent != 1).mergeSort (fun z w => z.1.before w.1) = W at hp hsort hperm
  have hsW : size (firsts W) = size (firsts Z) := by rw [size_perm hperm, size_squeeze]
  have hpk : Packed c (firsts W) := by
    refine packed_of_multiples hc (fun m hm => ?_) hsort ((injective_perm hperm).2 ((injective_squeeze_iff _).2 hi)) ?_
    · have h1 := (hperm.mem_iff).1 hm
      rw [squeeze_eq_filter, List.mem_filter] at h1
      have h2 := (valid_iff_forall _).1 hv m h1.1
      have h3 : m.extent ≠ 1 := by simpa using h1.2
      omega
    · intro o
      rw [mem_offsets_perm hperm, offsets_squeeze, ho, hsW]
  rw [packed_iff_columnMajor] at hpk
  refine ⟨seconds W, ?_, by rw [size_seconds, hsW], fun x y hx hy e => ?_⟩
  · rw [valid_iff_size_pos, size_seconds, hsW]
    exact hv.size_pos
  · obtain ⟨w, hw, e1, e2⟩ := exists_index_of_perm hp.symm x (by rw [hs]; exact hx)
    rw [hf.1, atIndex_squeeze, e, hpk, atIndex, shape_columnMajor, eval_columnMajor,
      crd2idx_idx2crd (by simpa [size] using hw)] at e1
    have : w = y := (Nat.eq_of_mul_eq_mul_left hc e1).symm
    rw [← this, ← e2, hf.2]

/-- A permutation of what a list is mapped to comes from a permutation of the list. -/
theorem exists_perm_of_map_perm {α β : Type} (f : α → β) {l : List α} {m : List β} (h : (l.map f).Perm m) :
    ∃ l', l.Perm l' ∧ l'.map f = m := by
  generalize e : l.map f = k at h
  induction h generalizing l with
  | nil => exact ⟨l, .refl _, e⟩
  | cons b _ ih =>
    match l, e with
    | a :: l, e =>
      rw [List.map_cons, List.cons.injEq] at e
      obtain ⟨l', h1, h2⟩ := ih e.2
      exact ⟨a :: l', h1.cons a, by rw [List.map_cons, e.1, h2]⟩
  | swap b d _ =>
    match l, e with
    | a :: c :: l, e =>
      rw [List.map_cons, List.map_cons, List.cons.injEq, List.cons.injEq] at e
      exact ⟨c :: a :: l, .swap _ _ _, by rw [List.map_cons, List.map_cons, e.1, e.2.1, e.2.2]⟩
  | trans _ _ h1 h2 =>
    obtain ⟨l', p1, e1⟩ := h1 e
    obtain ⟨l'', p2, e2⟩ := h2 e1
    exact ⟨l'', p1.trans p2, e2⟩

theorem packed_snoc {c k : Nat} {L : FlatLayout} (h : Packed c L) : Packed c (L ++ [⟨k, c * size L⟩]) := by
  induction L generalizing c with
  | nil => exact ⟨by simp [size_nil], trivial⟩
  | cons m L ih =>
    refine ⟨h.1, ?_⟩
    have := ih h.2
    rw [size_cons, ← Nat.mul_assoc, Nat.mul_comm c]
    exact this

end FlatLayout

namespace Layout
open HTuple FlatLayout FlatLayout.Aux Layout.Aux

/-! ## Places of copies of a bijection -/

theorem completes_line {A : Layout} (hA : A.Valid) (hc : Contiguous A.modes) {k : Nat} (hk : 0 < k) :
    Completes (filter A).modes [⟨k, A.size⟩] (A.size * k) := by
  have hf : offsets (filter A).modes = offsets A.modes := by
    rw [filter, filter_eq_coalesce_of_injective hA.2 hc.1, offsets_nest, FlatLayout.coalesce_offsets]
  have hs : FlatLayout.size (filter A).modes = A.size := by
    rw [← length_offsets, hf, length_offsets]
    rfl
  have hfc : Contiguous (filter A).modes := (contiguous_congr hf).2 hc
  have hfv := (filter_valid hA).2
  rw [← completes_chain_iff, completes_iff_size]
  refine ⟨contiguous_of_packed ?_ ?_, by rw [size_chain, hs, size_cons, size_nil, Nat.mul_one]⟩
  · have := packed_snoc (k := k) ((contiguous_iff_packed _).1 hfc).2
    rwa [size_chain, hs, Nat.one_mul] at this
  · rw [valid_append_iff]
    exact ⟨valid_chain hfv, hk, trivial⟩

/-- **The copies of a bijection onto `[0,n)` lie at `0, n, 2n, …`.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.1.5, 2.3.9 -/
theorem origins_of_contiguous {A T : Layout} (hA : A.Valid) (hc : Contiguous A.modes) :
    ∃ C k, origins A T = some C ∧ FlatLayout.coalesce C.modes = FlatLayout.coalesce [⟨k, A.size⟩] ∧ C.size = k ∧
      ∀ n, n < k → atIndex C.modes n = A.size * n := by
  have hne : origins A T ≠ none := by
    rw [origins_ne_none_iff hA, complement_ne_none_iff (filter_valid hA)]
    have := completes_line hA hc Nat.one_pos
    exact ⟨_, ⟨[⟨1, A.size⟩], .leaf ()⟩, ⟨rfl, Nat.one_pos, trivial⟩, this⟩
  obtain ⟨C, hC⟩ := Option.ne_none_iff_exists'.1 hne
  have h1 := origins_completes hA hC
  have hpos : 0 < A.size := hA.2.size_pos
  have hf : offsets (filter A).modes = offsets A.modes := by
    rw [filter, filter_eq_coalesce_of_injective hA.2 hc.1, offsets_nest, FlatLayout.coalesce_offsets]
  have hs : FlatLayout.size (filter A).modes = A.size := by
    rw [← length_offsets, hf, length_offsets]
    rfl
  have hr : A.size * C.size = room A T := by
    rw [← h1.size_mul, hs]
    rfl
  have hCp : 0 < C.size := (origins_valid hA hC).2.size_pos
  have h2 := completes_line hA hc hCp
  have h3 : (filter A).complementIn (room A T) = some (nest (FlatLayout.coalesce [⟨C.size, A.size⟩])) := by
    rw [Layout.complementIn_eq_some_iff]
    refine ⟨_, ?_, rfl⟩
    rw [← hr]
    exact FlatLayout.complementIn_of_completes h2
  have e := Option.some.inj (h3.symm.trans (by rw [← origins_eq, hC]))
  have hm : C.modes = (nest (FlatLayout.coalesce [⟨C.size, A.size⟩])).modes := congrArg Layout.modes e.symm
  refine ⟨C, C.size, hC, ?_, rfl, fun n hn => ?_⟩
  · rw [hm, coalesce_nest_modes, FlatLayout.coalesce_idempotent]
  · rw [hm, atIndex_nest, FlatLayout.coalesce_atIndex, atIndex_singleton, Nat.mod_eq_of_lt hn, Nat.mul_comm]

theorem sizesMatch_scaled (d : Nat) : {B : FlatLayout} → FlatLayout.Valid B →
    SizesMatch B (B.map fun m => [⟨m.extent, m.stride * d⟩]) ∧
      ∀ x, atIndex (B.map fun m => ([⟨m.extent, m.stride * d⟩] : FlatLayout)).flatten x = atIndex B x * d
  | [], _ => ⟨trivial, fun x => by simp [atIndex_nil]⟩
  | m :: B, h => by
    obtain ⟨h1, h2⟩ := sizesMatch_scaled d h.2
    refine ⟨⟨⟨⟨h.1, trivial⟩, by simp [size_cons, size_nil]⟩, h1⟩, fun x => ?_⟩
    rw [List.map_cons, List.flatten_cons, List.singleton_append, atIndex_cons, atIndex_cons, h2, Nat.add_mul,
      Nat.mul_assoc]

/-- **A bijection has a product with every layout.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9 -/
theorem logicalProduct_isSome_of_contiguous {A T : Layout} (hA : A.Valid) (hT : T.Valid) (hc : Contiguous A.modes) :
    (logicalProduct A T).isSome = true := by
  obtain ⟨C, k, hC, he, hk, _⟩ := origins_of_contiguous (T := T) hA hc
  have hd := cosize_le_size_origins hA hC
  rw [logicalProduct, productWith, hC]
  simp only [Option.isSome_map]
  rw [composition_isSome_iff hT, he, shape_coalesce_singleton]
  intro D hD
  have hD : D.length = (lastShape k).length := by
    rw [hD, ← length_shape, shape_coalesce_singleton]
  obtain ⟨h1, h2⟩ := sizesMatch_scaled (D.headD 0) hT.2
  refine ⟨_, (isComposite_iff_groups hT).2 ⟨_, h1, rfl, fun x hx => ?_⟩⟩
  have hlt := (atIndex_lt_iff hT.2).2 hd x hx
  have hsz : (ofFlat (ofShape (lastShape k) D)).size = k := by
    rw [Layout.size, ofFlat, size_ofShape hD, prod_lastShape]
  refine ⟨by rw [hsz, ← hk]; exact hlt, ?_⟩
  rw [h2, ofFlat, atIndex_lastShape hD (by rw [← hk]; exact hlt)]

/-! ## Acceptance -/

theorem inverse_spec {L I : Layout} (hL : L.Valid) (hI : inverse L = some I) : I.Valid ∧ I.size = L.size := by
  have hc := (inverse_ne_none_iff hL).1 (by rw [hI]; simp)
  have hv : I.Valid := by
    obtain ⟨R, hR, rfl⟩ := inverse_eq_some_iff.1 hI
    rw [FlatLayout.inverse] at hR
    split at hR
    · exact (leftInverse_valid (R := nest R) hL (leftInverse_eq_some_iff.2 ⟨R, hR, rfl⟩)).1
    · cases hR
  refine ⟨hv, Nat.le_antisymm (Nat.le_of_not_lt fun hlt => ?_) (Nat.le_of_not_lt fun hlt => ?_)⟩
  · have h1 := (call_index_eq_some_iff hL).1 ((inverse_call_iff hL hI _ _).2 (call_index hv hlt))
    have h2 := atIndex_lt_cosize h1.1
    rw [((contiguous_iff_injective _).1 hc).2, h1.2] at h2
    exact Nat.lt_irrefl _ h2
  · obtain ⟨h1, h2⟩ := inverse_lt hL hI hlt
    have h3 := (inverse_call_iff hL hI _ _).1 (by rw [call_index hL h1, h2])
    exact Nat.lt_irrefl _ ((call_index_eq_some_iff hv).1 h3).1

theorem cosize_of_contiguous {A : Layout} (hA : A.Valid) (hc : Contiguous A.modes) :
    cosizeFormula A.modes = A.size := by
  rw [← cosize_eq_formula hA.2, ((contiguous_iff_injective _).1 hc).2]
  rfl

theorem mem_offsets_of_contiguous {L : FlatLayout} (hc : Contiguous L) (o : Nat) :
    o ∈ offsets L ↔ o < FlatLayout.size L := by
  have h := ((contiguous_iff_injective _).1 hc).2
  constructor
  · intro ho
    obtain ⟨x, hx, rfl⟩ := (mem_offsets _ _).1 ho
    have := atIndex_lt_cosize hx
    omega
  · intro ho
    exact (covers_iff_mem _).1 hc.2 o (by omega)

/-- **Threads and values that are bijections are never refused: `make_layout_tv` accepts them, by shapes alone.**
Rust: `razorgirl::Layout::make_layout_tv`
Source: CuTe DSL `make_layout_tv` -/
theorem makeLayoutTV_isSome_of_contiguous {thr val : Layout} (hT : thr.Valid) (hV : val.Valid)
    (cT : Contiguous thr.modes) (cV : Contiguous val.modes) : (makeLayoutTV thr val).isSome = true := by
  have hsome := logicalProduct_isSome_of_contiguous (T := val) hT hV cT
  have hb := (blockedProduct_isSome hT hV).1
  have hk := (blockedProduct_isSome hT hV).2
  rw [hsome] at hb hk
  obtain ⟨B, hB⟩ := Option.isSome_iff_exists.1 hb
  obtain ⟨K, hK⟩ := Option.isSome_iff_exists.1 hk
  obtain ⟨R, hR⟩ : ∃ R, logicalProduct (padModes (max thr.rank val.rank) thr) (padModes (max thr.rank val.rank) val) =
      some R := by
    rw [← Option.isSome_iff_exists, product_padModes_isSome hT hV _ _, hsome]
  have hi : AreInterleaved thr val R B K := ⟨hR, hB, hK⟩
  obtain ⟨hp, xs, ys, hRt, hx, hy, hxs, _, _, eK⟩ := hi.parts hT hV
  have hKc := (interleaved_contiguous hT hV hi cT cV).2
  obtain ⟨hKv, hKs⟩ := rakedProduct_size hT hV hK
  obtain ⟨I, hI⟩ := Option.ne_none_iff_exists'.1 ((inverse_ne_none_iff hKv).2 hKc)
  -- the tile's modes with the indices at which they begin, in order of threads and values
  have hRv := isProduct_valid (padModes_valid hT _) hp
  have hm : R.modes = flattenList xs ++ flattenList ys := by
    rw [← Layout.flatten_tree hRv.1, hRt]
    simp [HTuple.flatten, flattenList]
  have hperm : K.modes.Perm (flattenList xs ++ flattenList ys) := by
    rw [eK]
    exact (flattenList_pairModes_perm (hy.trans hx.symm)).trans List.perm_append_comm
  have hZ1 : firsts (List.zip K.modes (FlatLayout.strides (FlatLayout.columnMajor 1 (FlatLayout.shape K.modes)))) =
      K.modes := by
    rw [firsts]
    refine List.map_fst_zip ?_
    rw [FlatLayout.strides, List.length_map, ← length_shape (FlatLayout.columnMajor _ _), shape_columnMajor,
      length_shape]
    exact Nat.le_refl _
  have hZ2 : ∀ (L : FlatLayout) (d : Nat),
      seconds (List.zip L (FlatLayout.strides (FlatLayout.columnMajor d (FlatLayout.shape L)))) =
        FlatLayout.columnMajor d (FlatLayout.shape L) := by
    intro L
    induction L with
    | nil => intro d; rfl
    | cons m L ih =>
      intro d
      rw [shape_cons, FlatLayout.columnMajor, strides_cons, List.zip_cons_cons]
      show _ :: seconds _ = _
      rw [ih]
  have hZ2 := hZ2 K.modes 1
  generalize List.zip K.modes (FlatLayout.strides (FlatLayout.columnMajor 1 (FlatLayout.shape K.modes))) = Z at hZ1 hZ2
  rw [← hZ1] at hperm
  obtain ⟨W, hW, hW'⟩ := exists_perm_of_map_perm Prod.fst hperm
  obtain ⟨Wx, Wy, rfl, hWx, hWy⟩ := List.map_eq_append_iff.1 hW'
  have hWx : firsts Wx = flattenList xs := hWx
  have hWy : firsts Wy = flattenList ys := hWy
  -- sizes
  have sx : FlatLayout.size (firsts Wx) = thr.size := by
    have h1 : flattenList xs = (padModes (max thr.rank val.rank) thr).modes := by
      rw [← Layout.flatten_tree (padModes_valid hT _).1, ← hxs, HTuple.flatten]
    rw [hWx, h1, ← padModes_size hT (max thr.rank val.rank)]
    rfl
  have sR : R.size = thr.size * val.size := by
    rw [isProduct_size (padModes_valid hV _) hp, padModes_size hT, padModes_size hV]
  have hpx : 0 < thr.size := hT.2.size_pos
  have sy : FlatLayout.size (firsts Wy) = val.size := by
    have h1 : FlatLayout.size R.modes = thr.size * val.size := sR
    rw [hm, size_append, ← hWx, ← hWy, sx] at h1
    exact Nat.eq_of_mul_eq_mul_left hpx h1
  have ox : offsets (firsts Wx) = offsets thr.modes := by
    have h1 : flattenList xs = (padModes (max thr.rank val.rank) thr).modes := by
      rw [← Layout.flatten_tree (padModes_valid hT _).1, ← hxs, HTuple.flatten]
    rw [hWx, h1, padModes_offsets hT]
  obtain ⟨C, k, hC, _, hCk, hCn⟩ := origins_of_contiguous (T := val) hT cT
  have oy : ∀ j, j < val.size → atIndex (firsts Wy) j = thr.size * atIndex val.modes j := by
    intro j hj
    have hC' : origins (padModes (max thr.rank val.rank) thr) (padModes (max thr.rank val.rank) val) = some C := by
      rw [origins_padModes hT hV, hC]
    have h1 := isProduct_atIndex hp hC' (i := 0) (y := j) (by rw [padModes_size hT]; exact hpx)
      (by rw [padModes_size hV]; exact hj)
    rw [padModes_size hT, Nat.zero_add, atIndex_zero, Nat.zero_add, hm, ← hWx, ← hWy, atIndex_append, sx,
      Nat.mul_mod_right, atIndex_zero, Nat.zero_add, Nat.mul_div_cancel_left _ hpx] at h1
    have h2 := ((offsets_eq_iff _ _).1 (padModes_offsets hV (max thr.rank val.rank))).2 j (by
      rw [← Layout.size, padModes_size hV]; exact hj)
    rw [h1, h2, hCn]
    have h3 := (mem_offsets_of_contiguous cV _).1 ((mem_offsets val.modes _).2 ⟨j, hj, rfl⟩)
    have h4 := cosize_le_size_origins hT hC
    rw [cosize_of_contiguous hV cV, hCk] at h4
    exact Nat.lt_of_lt_of_le h3 h4
  have vx : FlatLayout.Valid (firsts Wx) := by rw [valid_iff_size_pos, sx]; exact hpx
  have vy : FlatLayout.Valid (firsts Wy) := by rw [valid_iff_size_pos, sy]; exact hV.2.size_pos
  have cX : Contiguous (firsts Wx) := (contiguous_congr ox).2 cT
  -- the inverse at the number of a place is the place
  have inv : ∀ y, y < thr.size * val.size →
      atIndex I.modes (atIndex (firsts (Wx ++ Wy)) y) = atIndex (seconds (Wx ++ Wy)) y := by
    intro y hy
    obtain ⟨p, hp, e1, e2⟩ := exists_index_of_perm hW.symm y (by
      rw [firsts_append, size_append, sx, sy]; exact hy)
    rw [e1, e2, hZ2, hZ1]
    rw [hZ1] at hp
    have h1 : K.call (.leaf (some p)) = some (atIndex K.modes p) := call_index hKv hp
    have h2 := (inverse_call_iff hKv hI p _).1 h1
    have hIv := (inverse_spec hKv hI).1
    rw [call_index_eq_some_iff hIv] at h2
    rw [h2.2, atIndex_columnMajor hp]
  -- on both sides of the split
  obtain ⟨L₁, v₁, s₁, h₁⟩ := exists_layout_of_number (c := 1) Nat.one_pos vx cX.1 (fun o => by
    simp only [Nat.one_mul, exists_eq_right']
    exact mem_offsets_of_contiguous cX o)
  have iY : Injective (firsts Wy) := by
    rw [injective_iff_atIndex]
    intro a b ha hb e
    rw [sy] at ha hb
    rw [oy a ha, oy b hb] at e
    exact (injective_iff_atIndex _).1 cV.1 a b ha hb (Nat.eq_of_mul_eq_mul_left hpx e)
  obtain ⟨L₂, v₂, s₂, h₂⟩ := exists_layout_of_number (c := thr.size) hpx vy iY (fun o => by
    rw [mem_offsets, sy]
    constructor
    · rintro ⟨j, hj, rfl⟩
      exact ⟨_, (mem_offsets_of_contiguous cV _).1 ((mem_offsets val.modes _).2 ⟨j, hj, rfl⟩), oy j hj⟩
    · rintro ⟨y, hy, rfl⟩
      obtain ⟨j, hj, e⟩ := (mem_offsets _ _).1 ((mem_offsets_of_contiguous cV y).2 hy)
      exact ⟨j, hj, by rw [oy j hj, e]⟩)
  rw [sx] at s₁
  rw [sy] at s₂
  have hvp : 0 < val.size := hV.2.size_pos
  have key : ∀ x, x < thr.size * val.size → atIndex (L₁ ++ L₂) x = atIndex I.modes x := by
    intro x hx
    have ha := Nat.mod_lt x hpx
    have hb : x / thr.size < val.size := Nat.div_lt_of_lt_mul hx
    obtain ⟨i, hi, ei⟩ := (mem_offsets _ _).1 ((mem_offsets_of_contiguous cX (x % thr.size)).2 (by rw [sx]; exact ha))
    obtain ⟨j, hj, ej⟩ := (mem_offsets _ _).1 ((mem_offsets_of_contiguous cV (x / thr.size)).2 hb)
    have hi' : i < thr.size := by rw [← sx]; exact hi
    have hij : i + thr.size * j < thr.size * val.size := by
      have h5 := Nat.mul_le_mul_left thr.size (show j + 1 ≤ val.size from hj)
      rw [Nat.mul_succ] at h5
      omega
    have h3 := inv _ hij
    have hi2 : i < FlatLayout.size (seconds Wx) := by rw [size_seconds]; exact hi
    rw [firsts_append, seconds_append] at h3
    have e3 := atIndex_append_add hi (firsts Wy) j
    have e4 := atIndex_append_add hi2 (seconds Wy) j
    rw [sx] at e3
    rw [size_seconds, sx] at e4
    rw [e3, e4, ei, oy j hj, ej, Nat.mod_add_div] at h3
    rw [h3, atIndex_append, s₁, h₁ i _ hi (by rw [sx]; exact ha) (by rw [ei, Nat.one_mul]),
      h₂ j _ (by rw [sy]; exact hj) (by rw [sy]; exact hb) (by rw [oy j hj, ej])]
  obtain ⟨hIv, hIs⟩ := inverse_spec hKv hI
  rw [hKs] at hIs
  have hTP := threadPairs_valid hpx hvp
  have hTPc : Contiguous (threadPairs thr.size val.size).modes := by
    have e : (threadPairs thr.size val.size).modes = FlatLayout.columnMajor 1 [thr.size, val.size] := by
      simp [threadPairs, FlatLayout.columnMajor]
    rw [e]
    refine contiguous_columnMajor fun n hn => ?_
    simp only [List.mem_cons, List.not_mem_nil, or_false] at hn
    rcases hn with rfl | rfl
    · exact hpx
    · exact hvp
  have hcomp : (compositionComplete I (threadPairs thr.size val.size)).isSome = true := by
    rw [Option.isSome_iff_exists]
    refine ⟨_, (compositionComplete_eq_some_iff hTP).2 ((isComposite_iff_groups hTP).2 ⟨[L₁, L₂],
      ⟨⟨v₁, s₁⟩, ⟨v₂, s₂⟩, trivial⟩, rfl, fun x hx => ?_⟩)⟩
    rw [threadPairs_size] at hx
    rw [threadPairs_atIndex hx, hIs]
    refine ⟨hx, ?_⟩
    rw [← key x hx]
    simp
  rw [← composition_eq_compositionComplete_of_contiguous hIv hTP hTPc (by rw [threadPairs_size, hIs])] at hcomp
  obtain ⟨S, hS⟩ := Option.isSome_iff_exists.1 hcomp
  rw [makeLayoutTV, hK]
  simp only [threadValueWith, hI, hS, Option.map_some, Option.isSome_some]

/-- **Value `val(v)` of thread `thr(t)` is the tile element at `((v₀,t₀), (v₁,t₁), …)`.**
Rust: `razorgirl::Layout::make_layout_tv`
Source: CuTe DSL `make_layout_tv` -/
theorem makeLayoutTV_call {thr val : Layout} {r : ThreadValue} (hT : thr.Valid) (hV : val.Valid)
    (cT : Contiguous thr.modes) (cV : Contiguous val.modes) (h : makeLayoutTV thr val = some r)
    {ts vs : List Coord} (ht : ts.length = max thr.rank val.rank) (hv : vs.length = max thr.rank val.rank)
    {i j : Nat} (hi : (padModes (max thr.rank val.rank) thr).call (.node ts) = some i)
    (hj : (padModes (max thr.rank val.rank) val).call (.node vs) = some j) :
    ∃ K p, rakedProduct thr val = some K ∧ Coord.crd2idx (.node (pairCoords vs ts)) K.shape = some p ∧
      r.layout.call (.node [.leaf (some i), .leaf (some j)]) = some p := by
  have hsome := logicalProduct_isSome_of_contiguous (T := val) hT hV cT
  have hb := (blockedProduct_isSome hT hV).1
  rw [hsome] at hb
  obtain ⟨B, hB⟩ := Option.isSome_iff_exists.1 hb
  obtain ⟨R, hR⟩ : ∃ R, logicalProduct (padModes (max thr.rank val.rank) thr) (padModes (max thr.rank val.rank) val) =
      some R := by
    rw [← Option.isSome_iff_exists, product_padModes_isSome hT hV _ _, hsome]
  rw [makeLayoutTV] at h
  split at h
  · rename_i K hK
    have hi' : AreInterleaved thr val R B K := ⟨hR, hB, hK⟩
    obtain ⟨C, k, hC, _, hCk, hCn⟩ := origins_of_contiguous (T := val) hT cT
    have h1 := (interleaved_call_eq hT hV hi' hC ht hv hi hj).2
    obtain ⟨hKv, hKs⟩ := rakedProduct_size hT hV hK
    have hit : i < thr.size := by
      have h2 := mem_offsets_of_call (padModes_valid hT _) hi
      rw [padModes_offsets hT] at h2
      exact (mem_offsets_of_contiguous cT i).1 h2
    have hjv : j < val.size := by
      have h2 := mem_offsets_of_call (padModes_valid hV _) hj
      rw [padModes_offsets hV] at h2
      exact (mem_offsets_of_contiguous cV j).1 h2
    have hjk : j < k := by
      have h4 := cosize_le_size_origins hT hC
      rw [cosize_of_contiguous hV cV, hCk] at h4
      omega
    rw [hCn j hjk, call_eq_atIndex hKv] at h1
    obtain ⟨p, hp, e⟩ := Option.map_eq_some_iff.1 h1
    have hlt := Coord.crd2idx_lt_size (positive_shape hKv) hp
    rw [size_shape hKv] at hlt
    have ht' := isThreadValue_of_threadValueWith hT.2.size_pos hV.2.size_pos h
    obtain ⟨q, hq1, hq2⟩ := isThreadValue_call hKv hKs ht' hit hjv
    refine ⟨K, p, hK, hp, ?_⟩
    rw [hq1]
    rw [call_index_eq_some_iff hKv] at hq2
    have hKc := (interleaved_contiguous hT hV hi' cT cV).2
    exact congrArg some ((injective_iff_atIndex _).1 hKc.1 q p hq2.1 hlt (hq2.2.trans e.symm))
  · cases h

/-! ## Nothing is gained by enumeration -/

/-- **`make_layout_tv` with strict and with complete composition is the same.**
Rust: `razorgirl::Layout::make_layout_tv`
Source: ours -/
theorem makeLayoutTV_eq_complete {thr val : Layout} (hT : thr.Valid) (hV : val.Valid) :
    makeLayoutTV thr val =
      (rakedProduct thr val).bind fun L => threadValueWith compositionComplete L thr.size val.size := by
  rw [makeLayoutTV]
  cases hK : rakedProduct thr val with
  | none => rfl
  | some K =>
    obtain ⟨hKv, hKs⟩ := rakedProduct_size hT hV hK
    show threadValueWith composition K _ _ = threadValueWith compositionComplete K _ _
    rw [threadValueWith, threadValueWith]
    cases hI : inverse K with
    | none => rfl
    | some I =>
      obtain ⟨hIv, hIs⟩ := inverse_spec hKv hI
      have hpx : 0 < thr.size := hT.2.size_pos
      have hvp : 0 < val.size := hV.2.size_pos
      have hTPc : Contiguous (threadPairs thr.size val.size).modes := by
        have e : (threadPairs thr.size val.size).modes = FlatLayout.columnMajor 1 [thr.size, val.size] := by
          simp [threadPairs, FlatLayout.columnMajor]
        rw [e]
        refine contiguous_columnMajor fun n hn => ?_
        simp only [List.mem_cons, List.not_mem_nil, or_false] at hn
        rcases hn with rfl | rfl
        · exact hpx
        · exact hvp
      simp only
      rw [composition_eq_compositionComplete_of_contiguous hIv (threadPairs_valid hpx hvp) hTPc
        (by rw [threadPairs_size, hIs, hKs])]

end Layout

end Razorgirl
