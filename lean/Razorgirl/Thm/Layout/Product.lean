module

public import Razorgirl.Spec.Layout.Product
public import Razorgirl.Thm.Layout.Divide
public import Razorgirl.Thm.Layout.Composition.By

@[expose] public section

/-!
# Products: what is proved

The copies of A find room exactly when A, its broadcasts apart, is complementable; then mode 0 is A, copies of
different numbers share no offset, and the product is injective exactly when A and T are. That a larger N changes
nothing is in `Product/Room`, tilers and the zipped, tiled and flat forms in `Product/Tiler`, blocked and raked
products and `tile_to_shape` in `Product/Interleave`.
-/

namespace Razorgirl

namespace FlatLayout

theorem size_filterZeros_le {L : FlatLayout} (h : Valid L) : size (filterZeros L) ≤ size L := by
  induction L with
  | nil => exact Nat.le_refl _
  | cons m L ih =>
    rw [filterZeros_cons, size_cons, size_cons]
    refine Nat.mul_le_mul ?_ (ih h.2)
    rw [filterZero]
    split
    · exact h.1
    · exact Nat.le_refl _

end FlatLayout

namespace Layout
open HTuple FlatLayout Layout.Aux

/-! ## Room for the copies -/

theorem origins_eq (A T : Layout) : origins A T = (filter A).complementIn (room A T) :=
  complementCeil_eq_complementIn _ _

/-- **The copies of A find room exactly when A, its broadcasts apart, has a complement: the N of the definition,
rounded up to a multiple of the block, always serves.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9.1, whose N need not be a multiple of the block; CuTe `logical_product` -/
theorem origins_ne_none_iff {A T : Layout} (hA : A.Valid) : origins A T ≠ none ↔ (filter A).complement ≠ none := by
  rw [origins, complementCeil_ne_none_iff (filter_valid hA)]
  exact and_iff_right (Nat.mul_pos hA.2.size_pos (cosizeFormula_pos _))

/-- **The copies find room exactly when, of the modes of A of extent above 1 and stride above 0, coalesced and sorted
by stride, each extent × stride divides the next stride.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.1.6.21, 2.3.9; Shah, admissible for complementation -/
theorem origins_exists_iff {A T : Layout} (hA : A.Valid) : origins A T ≠ none ↔
    ∀ P m n Q, chain (filter A).modes = P ++ m :: n :: Q → m.extent * m.stride ∣ n.stride := by
  rw [origins_ne_none_iff hA, complement, Ne, Option.map_eq_none_iff, ← Ne, complement_exists_iff]
  refine and_iff_right fun m Q h => Nat.pos_of_ne_zero fun h0 => ?_
  have hm : m ∈ chain (filter A).modes := by rw [h]; simp
  have h2 := two_le_of_mem_chain (filter_valid hA).2 hm
  have hs : m ∈ squeeze (filter A).modes := (chain_perm _).mem_iff.1 hm
  rw [squeeze_eq_filter, List.mem_filter, filter, nest_modes] at hs
  split at hs
  · obtain rfl := List.mem_singleton.1 hs.1
    simp at h2
  · exact stride_ne_zero_of_mem_filter hs.1 h0

theorem origins_completes {A T C : Layout} (hA : A.Valid) (h : origins A T = some C) :
    Completes (filter A).modes C.modes (room A T) := by
  rw [origins_eq] at h
  exact complementIn_completes (filter_valid hA) h

theorem origins_valid {A T C : Layout} (hA : A.Valid) (h : origins A T = some C) : C.Valid := by
  rw [origins_eq] at h
  exact complementIn_valid (filter_valid hA) h

/-- **The room is the least multiple of A's block that is at least size A · cosize T.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9.1; CuTe `logical_product` -/
theorem room_least {A T C : Layout} (hA : A.Valid) (h : origins A T = some C) :
    block (filter A).modes ∣ room A T ∧ A.size * cosizeFormula T.modes ≤ room A T ∧
      ∀ N, block (filter A).modes ∣ N → A.size * cosizeFormula T.modes ≤ N → room A T ≤ N := by
  have hp : 0 < block (filter A).modes :=
    Nat.pos_of_dvd_of_pos (block_dvd_of_completes (origins_completes hA h)) (origins_completes hA h).pos
  obtain ⟨h1, _, h2⟩ := ceil_block hp (A.size * cosizeFormula T.modes)
  exact ⟨Nat.dvd_mul_right _ _, h1, h2⟩

theorem size_filter_le {A : Layout} (hA : A.Valid) : (filter A).size ≤ A.size := by
  rw [filter, Layout.size, Layout.size, ← Layout.size, size_nest, FlatLayout.filter, FlatLayout.coalesce_size]
  exact size_filterZeros_le hA.2

/-- **There are enough places for all copies that T can ask for: T never reaches past the complement.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9.1; CuTe `logical_product` -/
theorem cosize_le_size_origins {A T C : Layout} (hA : A.Valid) (h : origins A T = some C) :
    cosizeFormula T.modes ≤ C.size := by
  have h1 := (origins_completes hA h).size_mul
  have h2 := (room_least hA h).2.1
  have h3 := Nat.mul_le_mul_right C.size (size_filter_le hA)
  exact Nat.le_of_mul_le_mul_left (Nat.le_trans h2 (Nat.le_trans (Nat.le_of_eq h1.symm) h3)) hA.2.size_pos

/-- **The places of the copies are numbered upwards: a later copy starts at a larger offset.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.1.6, 2.3.9; CuTe `logical_product` -/
theorem origins_increasing {A T C : Layout} (hA : A.Valid) (h : origins A T = some C) {i j a b : Nat} (hij : i < j)
    (hi : C.call (.leaf (some i)) = some a) (hj : C.call (.leaf (some j)) = some b) : a < b := by
  rw [origins_eq] at h
  exact complementIn_increasing (filter_valid hA) h hij hi hj

/-! ## What a product is -/

/-- **A product with complete composition accepts exactly when the product exists, and returns it.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9; CuTe `logical_product` -/
theorem productWith_complete_eq_some_iff {A T R : Layout} (hT : T.Valid) :
    productWith compositionComplete A T = some R ↔ IsProduct A T R := by
  rw [productWith, IsProduct]
  cases h : origins A T with
  | none => simp
  | some C =>
    simp only [Option.map_eq_some_iff, compositionComplete_eq_some_iff hT, Option.some.injEq]
    constructor
    · rintro ⟨S, hS, rfl⟩
      exact ⟨C, S, rfl, hS, rfl⟩
    · rintro ⟨_, S, rfl, hS, rfl⟩
      exact ⟨S, hS, rfl⟩

theorem logicalProduct_eq_some_iff {A T R : Layout} : logicalProduct A T = some R ↔
    ∃ C S, origins A T = some C ∧ composition C T = some S ∧ R = concat [A, S] := by
  rw [logicalProduct, productWith]
  cases h : origins A T with
  | none => simp
  | some C =>
    simp only [Option.map_eq_some_iff, Option.some.injEq]
    constructor
    · rintro ⟨S, hS, rfl⟩
      exact ⟨C, S, rfl, hS, rfl⟩
    · rintro ⟨_, S, rfl, hS, rfl⟩
      exact ⟨S, hS, rfl⟩

/-- **What `logicalProduct` returns is the product.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9; CuTe `logical_product` -/
theorem logicalProduct_sound {A T R : Layout} (hT : T.Valid) (h : logicalProduct A T = some R) :
    IsProduct A T R := by
  obtain ⟨C, S, hC, hS, rfl⟩ := logicalProduct_eq_some_iff.1 h
  exact ⟨C, S, hC, composition_sound hT hS, rfl⟩

/-- **There is at most one product of A and T.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.4.10, 2.3.9 -/
theorem isProduct_unique {A T R R' : Layout} (hT : T.Valid) (h : IsProduct A T R) (h' : IsProduct A T R') :
    R = R' := by
  rw [← productWith_complete_eq_some_iff hT] at h h'
  rw [h] at h'
  exact Option.some.inj h'

/-- A product exists exactly when A, its broadcasts apart, has a complement, and that has a composite with T. -/
theorem exists_isProduct_iff {A T : Layout} (hA : A.Valid) : (∃ R, IsProduct A T R) ↔
    (filter A).complement ≠ none ∧ ∀ C, origins A T = some C → ∃ S, IsComposite C T S := by
  rw [← origins_ne_none_iff (T := T) hA]
  constructor
  · rintro ⟨R, C, S, hC, hS, rfl⟩
    refine ⟨by simp [hC], fun C' hC' => ?_⟩
    obtain rfl := Option.some.inj (hC.symm.trans hC')
    exact ⟨S, hS⟩
  · rintro ⟨h1, h2⟩
    obtain ⟨C, hC⟩ := Option.ne_none_iff_exists'.1 h1
    obtain ⟨S, hS⟩ := h2 C hC
    exact ⟨_, C, S, hC, hS, rfl⟩

/-- **Strict product refuses only where A, its broadcasts apart, has no complement, or where T has no composite with
the coalesced shape of the complement for some choice of strides.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9; ours -/
theorem logicalProduct_ne_none_iff {A T : Layout} (hA : A.Valid) (hT : T.Valid) :
    logicalProduct A T ≠ none ↔ (filter A).complement ≠ none ∧
      ∀ C, origins A T = some C → ∀ D, D.length = (FlatLayout.coalesce C.modes).length →
        ∃ S, IsComposite (ofFlat (ofShape (FlatLayout.shape (FlatLayout.coalesce C.modes)) D)) T S := by
  rw [← origins_ne_none_iff (T := T) hA, ← Option.isSome_iff_ne_none, Option.isSome_iff_exists]
  simp only [logicalProduct_eq_some_iff]
  constructor
  · rintro ⟨R, C, S, hC, hS, rfl⟩
    refine ⟨by simp [hC], fun C' hC' => ?_⟩
    obtain rfl := Option.some.inj (hC.symm.trans hC')
    exact (composition_isSome_iff hT).1 (by rw [hS]; rfl)
  · rintro ⟨h1, h2⟩
    obtain ⟨C, hC⟩ := Option.ne_none_iff_exists'.1 h1
    obtain ⟨S, hS⟩ := Option.isSome_iff_exists.1 ((composition_isSome_iff hT).2 (h2 C hC))
    exact ⟨_, C, S, hC, hS, rfl⟩

theorem isProduct_valid {A T R : Layout} (hA : A.Valid) (h : IsProduct A T R) : R.Valid := by
  obtain ⟨C, S, _, hS, rfl⟩ := h
  exact valid_concat_pair hA hS.1

/-- **The first mode of a product is A itself; the second has the shape of T, refined.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9; Cecka, logical product; CuTe `logical_product` -/
theorem isProduct_modes {A T R : Layout} (hA : A.Valid) (h : IsProduct A T R) :
    ∃ S, topLayouts R = [A, S] ∧ IntTuple.refines S.shape T.shape = true := by
  obtain ⟨C, S, _, hS, rfl⟩ := h
  have hv : ∀ L ∈ [A, S], L.Valid := fun L hL => by
    rcases List.mem_cons.1 hL with rfl | hL
    · exact hA
    · rw [List.mem_singleton.1 hL]; exact hS.1
  refine ⟨S, ?_, isComposite_refines hS⟩
  rw [topLayouts, tree_concat hv]
  simp [children, Layout.ofTree_tree_of_length hA.1, Layout.ofTree_tree_of_length hS.1.1]

/-- **A product has as many coordinates as A times those of T.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9; CuTe `logical_product` -/
theorem isProduct_size {A T R : Layout} (hT : T.Valid) (h : IsProduct A T R) : R.size = A.size * T.size := by
  obtain ⟨C, S, _, hS, rfl⟩ := h
  rw [← isComposite_size hT hS, Layout.size, concat_pair_modes, size_append]
  rfl

/-! ## Copies of A -/

/-- **Coordinate `(a, t)` of a product is coordinate `a` of A, moved to the place of copy number `T(t)`.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9; Cecka, logical product; CuTe `logical_product` -/
theorem isProduct_call {A T C R : Layout} (hA : A.Valid) (hT : T.Valid) (h : IsProduct A T R)
    (hC : origins A T = some C) {a t : Coord} {x n : Nat} (ha : A.call a = some x) (ht : T.call t = some n) :
    n < C.size ∧ R.call (.node [a, t]) = some (x + atIndex C.modes n) := by
  obtain ⟨C', S, hC', hS, rfl⟩ := h
  obtain rfl := Option.some.inj (hC.symm.trans hC')
  obtain ⟨h1, h2⟩ := isComposite_call hT hS ht
  exact ⟨h1, call_concat_pair hA hS.1 ha h2⟩

/-- An offset of A in one copy is an offset of A in another copy only where both are the same offset and copy. -/
theorem add_origins_inj {A T C : Layout} (hA : A.Valid) (hC : origins A T = some C) {x x' n n' : Nat}
    (hx : x ∈ offsets A.modes) (hx' : x' ∈ offsets A.modes) (hn : n < C.size) (hn' : n' < C.size) :
    x + atIndex C.modes n = x' + atIndex C.modes n' ↔ x = x' ∧ n = n' := by
  constructor
  · intro e
    have hc := origins_completes hA hC
    rw [← filter_mem_offsets hA] at hx hx'
    obtain ⟨i, hi, rfl⟩ := (mem_offsets _ _).1 hx
    obtain ⟨i', hi', rfl⟩ := (mem_offsets _ _).1 hx'
    have hlt := ((completes_iff_exists_unique _ _ _).1 hc).2.1 (i + FlatLayout.size (filter A).modes * n) (by
      rw [size_append]
      have h1 := Nat.mul_le_mul_left (FlatLayout.size (filter A).modes) (show n + 1 ≤ FlatLayout.size C.modes from hn)
      rw [Nat.mul_succ] at h1
      omega)
    rw [atIndex_append_add hi] at hlt
    obtain ⟨u, v, _, hu⟩ := hc.exists_unique_pair hlt
    obtain ⟨h1, h2⟩ := hu i n hi hn rfl
    obtain ⟨h3, h4⟩ := hu i' n' hi' hn' e.symm
    exact ⟨by rw [h1, h3], by rw [h2, h4]⟩
  · rintro ⟨rfl, rfl⟩
    rfl

theorem mem_offsets_of_call {L : Layout} (hL : L.Valid) {c : Coord} {o : Nat} (h : L.call c = some o) :
    o ∈ offsets L.modes := by
  rw [call_eq_atIndex hL] at h
  obtain ⟨x, hx, rfl⟩ := Option.map_eq_some_iff.1 h
  have := Coord.crd2idx_lt_size (positive_shape hL) hx
  rw [size_shape hL] at this
  exact (mem_offsets _ _).2 ⟨x, this, rfl⟩

/-- **Two coordinates of a product share an offset exactly when they share the offset within A and the number of the
copy.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9; CuTe `logical_product` (whose copies may overlap) -/
theorem isProduct_call_eq_iff {A T R : Layout} (hA : A.Valid) (hT : T.Valid) (h : IsProduct A T R)
    {a a' t t' : Coord} {x x' n n' : Nat} (ha : A.call a = some x) (ha' : A.call a' = some x')
    (ht : T.call t = some n) (ht' : T.call t' = some n') :
    R.call (.node [a, t]) = R.call (.node [a', t']) ↔ x = x' ∧ n = n' := by
  obtain ⟨C, S, hC, hS, rfl⟩ := id h
  obtain ⟨h1, h2⟩ := isProduct_call hA hT h hC ha ht
  obtain ⟨h3, h4⟩ := isProduct_call hA hT h hC ha' ht'
  rw [h2, h4, Option.some.injEq]
  exact add_origins_inj hA hC (mem_offsets_of_call hA ha) (mem_offsets_of_call hA ha') h1 h3

/-- **Copies of different numbers never overlap: they share no offset.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9; CuTe `logical_product` (whose copies may overlap) -/
theorem isProduct_disjoint {A T R : Layout} (hA : A.Valid) (hT : T.Valid) (h : IsProduct A T R)
    {a a' t t' : Coord} {x x' n n' : Nat} (ha : A.call a = some x) (ha' : A.call a' = some x')
    (ht : T.call t = some n) (ht' : T.call t' = some n') (hn : n ≠ n') :
    R.call (.node [a, t]) ≠ R.call (.node [a', t']) :=
  fun e => hn ((isProduct_call_eq_iff hA hT h ha ha' ht ht').1 e).2

theorem isProduct_atIndex {A T C R : Layout} (h : IsProduct A T R) (hC : origins A T = some C)
    {i y : Nat} (hi : i < A.size) (hy : y < T.size) :
    atIndex R.modes (i + A.size * y) = atIndex A.modes i + atIndex C.modes (atIndex T.modes y) := by
  obtain ⟨C', S, hC', hS, rfl⟩ := h
  obtain rfl := Option.some.inj (hC.symm.trans hC')
  rw [concat_pair_modes, Layout.size, atIndex_append_add hi, isComposite_atIndex hS hy]

/-- **Every offset of a product lies in the room for the copies.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9; CuTe `logical_product` -/
theorem isProduct_lt_room {A T R : Layout} (hA : A.Valid) (hT : T.Valid) (h : IsProduct A T R) {z : Nat}
    (hz : z < R.size) : atIndex R.modes z < room A T := by
  obtain ⟨C, S, hC, hS, _⟩ := id h
  rw [isProduct_size hT h] at hz
  have hp : 0 < A.size := hA.2.size_pos
  have hi : z % A.size < A.size := Nat.mod_lt _ hp
  have hy : z / A.size < T.size := Nat.div_lt_of_lt_mul hz
  rw [← Nat.mod_add_div z A.size, isProduct_atIndex h hC hi hy]
  have hx : atIndex A.modes (z % A.size) ∈ offsets (filter A).modes :=
    (filter_mem_offsets hA _).2 ((mem_offsets _ _).2 ⟨_, hi, rfl⟩)
  obtain ⟨j, hj, e⟩ := (mem_offsets _ _).1 hx
  have hn : atIndex T.modes (z / A.size) < FlatLayout.size C.modes := (hS.2.2 _ hy).1
  rw [← e]
  have := ((completes_iff_exists_unique _ _ _).1 (origins_completes hA hC)).2.1
    (j + FlatLayout.size (filter A).modes * atIndex T.modes (z / A.size)) (by
      rw [size_append]
      have h1 := Nat.mul_le_mul_left (FlatLayout.size (filter A).modes) (show _ + 1 ≤ _ from hn)
      rw [Nat.mul_succ] at h1
      omega)
  rwa [atIndex_append_add hj] at this

/-- **A product is injective exactly when A and T are.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9 -/
theorem isProduct_injective_iff {A T R : Layout} (hA : A.Valid) (hT : T.Valid) (h : IsProduct A T R) :
    Injective R.modes ↔ Injective A.modes ∧ Injective T.modes := by
  obtain ⟨C, S, hC, hS, e⟩ := id h
  have hp : 0 < A.size := hA.2.size_pos
  have hs : FlatLayout.size R.modes = A.size * T.size := isProduct_size hT h
  have key : ∀ {i i' y y'}, i < A.size → i' < A.size → y < T.size → y' < T.size →
      (atIndex R.modes (i + A.size * y) = atIndex R.modes (i' + A.size * y') ↔
        atIndex A.modes i = atIndex A.modes i' ∧ atIndex T.modes y = atIndex T.modes y') := by
    intro i i' y y' hi hi' hy hy'
    rw [isProduct_atIndex h hC hi hy, isProduct_atIndex h hC hi' hy']
    exact add_origins_inj hA hC ((mem_offsets _ _).2 ⟨i, hi, rfl⟩) ((mem_offsets _ _).2 ⟨i', hi', rfl⟩)
      (hS.2.2 y hy).1 (hS.2.2 y' hy').1
  constructor
  · intro hi
    rw [e, concat_pair_modes] at hi
    refine ⟨injective_of_append_left hS.1.2 hi, ?_⟩
    have h2 := injective_of_append_right hA.2 hi
    rw [injective_iff_atIndex] at h2 ⊢
    intro x y hx hy exy
    have hsz : FlatLayout.size S.modes = FlatLayout.size T.modes := isComposite_size hT hS
    refine h2 x y (by omega) (by omega) ?_
    rw [isComposite_atIndex hS hx, isComposite_atIndex hS hy, exy]
  · rintro ⟨h1, h2⟩
    rw [injective_iff_atIndex] at h1 h2 ⊢
    intro z z' hz hz' ez
    rw [hs] at hz hz'
    have hi := Nat.mod_lt z hp
    have hi' := Nat.mod_lt z' hp
    have hy : z / A.size < T.size := Nat.div_lt_of_lt_mul hz
    have hy' : z' / A.size < T.size := Nat.div_lt_of_lt_mul hz'
    rw [← Nat.mod_add_div z A.size, ← Nat.mod_add_div z' A.size, key hi hi' hy hy'] at ez
    rw [← Nat.mod_add_div z A.size, ← Nat.mod_add_div z' A.size, h1 _ _ hi hi' ez.1, h2 _ _ hy hy' ez.2]

/-- **A product of bijections onto their offsets is one: contiguous times contiguous is contiguous.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.1.5, 2.3.9 -/
theorem isProduct_contiguous {A T R : Layout} (hA : Contiguous A.modes) (hAv : A.Valid) (hTv : T.Valid)
    (hT : Contiguous T.modes) (h : IsProduct A T R) : Contiguous R.modes := by
  obtain ⟨C, S, hC, hS, e⟩ := id h
  have hRv := isProduct_valid hAv h
  have hi := (isProduct_injective_iff hAv hTv h).2 ⟨hA.1, hT.1⟩
  refine (contiguous_iff_injective _).2 ⟨hi, Nat.le_antisymm ?_ (size_le_cosize hi)⟩
  have h1 : A.size * cosizeFormula T.modes = FlatLayout.size R.modes := by
    have e1 : FlatLayout.size R.modes = A.size * T.size := isProduct_size hTv h
    rw [e1, ← cosize_eq_formula hTv.2, ((contiguous_iff_injective _).1 hT).2]
    rfl
  have hf : (filter A).modes = (nest (FlatLayout.coalesce A.modes)).modes := by
    rw [filter, filter_eq_coalesce_of_injective hAv.2 hA.1]
  have hco : Completes (filter A).modes [] A.size := by
    rw [completes_iff_size, hf]
    have e1 : offsets (nest (FlatLayout.coalesce A.modes)).modes = offsets A.modes := by
      rw [offsets_nest, FlatLayout.coalesce_offsets]
    refine ⟨(contiguous_congr (by rw [List.append_nil, e1])).2 hA, ?_⟩
    rw [size_nil, Nat.mul_one, ← length_offsets, e1, length_offsets]
    rfl
  have hb : block (filter A).modes ∣ A.size := block_dvd_of_completes hco
  have h2 := (room_least hAv hC).2.2 (A.size * cosizeFormula T.modes) (Nat.dvd_mul_right_of_dvd hb _)
    (Nat.le_refl _)
  obtain ⟨z, hz, ez⟩ := (cosize_is_maximum hRv.2).2
  have h3 := isProduct_lt_room hAv hTv h hz
  omega

/-! ## Worked examples -/

/-- pycute answers `((2,2),(2,1)):((3,4),(1,1))`, where both copies hold offset 4. A has no complement, since 6 does
not divide 4. -/
example : (logicalProduct ⟨[⟨2, 3⟩, ⟨2, 4⟩], .node [.leaf (), .leaf ()]⟩
      ⟨[⟨2, 1⟩, ⟨1, 0⟩], .node [.leaf (), .leaf ()]⟩).isNone = true ∧
    FlatLayout.isInjective [⟨2, 3⟩, ⟨2, 4⟩] = true ∧ FlatLayout.isInjective [⟨2, 3⟩, ⟨2, 4⟩, ⟨2, 1⟩] = false := by
  decide +kernel
/-- Carries: the free places of `(2,8):(24,3)` are `(3,5):(1,48)`, and copies 0, 2, 4, … of them lie on no line. CuTe
answers `((2,8),(1,(2,4))):((24,3),(48,(2,48)))`, which puts copy number 4 at 48, the place of copy number 3. -/
example : (productWith compositionComplete ⟨[⟨2, 24⟩, ⟨8, 3⟩], .node [.leaf (), .leaf ()]⟩
      ⟨[⟨1, 0⟩, ⟨8, 2⟩], .node [.leaf (), .leaf ()]⟩).isNone = true ∧
    (origins ⟨[⟨2, 24⟩, ⟨8, 3⟩], .node [.leaf (), .leaf ()]⟩
      ⟨[⟨1, 0⟩, ⟨8, 2⟩], .node [.leaf (), .leaf ()]⟩).map modes = some [⟨3, 1⟩, ⟨5, 48⟩] := by decide +kernel
/-- Broadcasts of A take no room: `(4,2):(0,1) ⊗ 3:1` is `((4,2),3):((0,1),2)`. -/
example : (logicalProduct ⟨[⟨4, 0⟩, ⟨2, 1⟩], .node [.leaf (), .leaf ()]⟩ ⟨[⟨3, 1⟩], .leaf ()⟩).map modes =
    some [⟨4, 0⟩, ⟨2, 1⟩, ⟨3, 2⟩] := by decide +kernel

end Layout

end Razorgirl
