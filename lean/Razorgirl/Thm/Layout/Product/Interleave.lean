module

public import Razorgirl.Thm.Layout.Product.Tiler

@[expose] public section

/-!
# Blocked and raked products: what is proved

Padding with `1:0` changes neither A nor T, so a blocked or raked product is there exactly when the product is, and it
is the product with its coordinates in pairs: `blocked((a₀,t₀),(a₁,t₁),…) = product((a₀,a₁,…),(t₀,t₁,…))`.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Modes of extent 1 behind -/

/-- Modes `1:0`. -/
def ones (k : Nat) : FlatLayout := List.replicate k ⟨1, 0⟩

theorem size_ones (k : Nat) : size (ones k) = 1 := by
  induction k with
  | zero => rfl
  | succ k ih =>
    rw [ones, List.replicate_succ, size_cons]
    rw [ones] at ih
    rw [ih]
    rfl

theorem atIndex_ones (k x : Nat) : atIndex (ones k) x = 0 := by
  induction k generalizing x with
  | zero => rfl
  | succ k ih =>
    rw [ones, List.replicate_succ, atIndex_cons]
    rw [ones] at ih
    rw [ih]
    simp [Nat.mod_one]

theorem offsets_append_ones (A : FlatLayout) (k : Nat) : offsets (A ++ ones k) = offsets A := by
  refine (offsets_eq_iff _ _).2 ⟨by rw [size_append, size_ones, Nat.mul_one], fun x _ => ?_⟩
  rw [atIndex_append, atIndex_ones, Nat.add_zero, atIndex_mod_size]

theorem valid_append_ones {A : FlatLayout} (hA : Valid A) (k : Nat) : Valid (A ++ ones k) := by
  rw [valid_iff_size_pos, size_append, size_ones, Nat.mul_one]
  exact hA.size_pos

theorem cosizeFormula_append_ones (A : FlatLayout) (k : Nat) :
    cosizeFormula (A ++ ones k) = cosizeFormula A := by
  have h1 := cosizeFormula_append A (ones k)
  have h2 : cosizeFormula (ones k) = 1 := by
    clear h1
    induction k with
    | zero => rfl
    | succ k ih =>
      rw [ones, List.replicate_succ, cosizeFormula]
      rw [ones] at ih
      simp [ih]
  omega

theorem filter_append_ones (A : FlatLayout) (k : Nat) : filter (A ++ ones k) = filter A := by
  have e : filterZeros (ones k) = ones k := by
    rw [filterZeros, ones, List.map_replicate]
    rfl
  have e2 : coalesce (ones k) = [] := by
    clear e
    induction k with
    | zero => rfl
    | succ k ih =>
      rw [ones, List.replicate_succ, coalesce]
      rw [ones] at ih
      rw [ih]
      rfl
  rw [filter, filterZeros_append, e, coalesce_append_congr (B := ones k) (B' := []) (by rw [e2]; rfl),
    List.append_nil, filter]

theorem grouped_append_ones {f : Nat → Nat} {n : Nat} {B : FlatLayout} (k : Nat) :
    Grouped f n (B ++ ones k) ↔ Grouped f n B := by
  induction k with
  | zero => rw [ones, List.replicate_zero, List.append_nil]
  | succ k ih =>
    rw [← ih, ones, List.replicate_succ', ← List.append_assoc]
    have hs : size (B ++ ones k ++ [⟨1, 0⟩]) = size (B ++ ones k) := by
      rw [size_append (B ++ ones k), size_cons, size_nil, Nat.mul_one, Nat.mul_one]
    have hb : ∀ x, atIndex (B ++ ones k ++ [⟨1, 0⟩]) x = atIndex (B ++ ones k) x := fun x => by
      rw [atIndex_append (B ++ ones k), atIndex_singleton, Nat.mul_zero, Nat.add_zero, atIndex_mod_size]
    show Grouped f n (B ++ ones k ++ [⟨1, 0⟩]) ↔ Grouped f n (B ++ ones k)
    constructor
    · rintro ⟨gs, hg, hf⟩
      obtain ⟨g₁, g₂, rfl, h1, h2⟩ := sizesMatch_of_append hg
      match g₂, h2 with
      | [u], h2 =>
        refine ⟨g₁, h1, fun x hx => ?_⟩
        have := hf x (hs.symm ▸ hx)
        rw [hb, List.flatten_append, atIndex_append g₁.flatten, h1.size_eq, Nat.mod_eq_of_lt hx, Nat.div_eq_of_lt hx,
          atIndex_zero, Nat.add_zero] at this
        exact this
    · rintro ⟨gs, hg, hf⟩
      refine ⟨gs ++ [[]], sizesMatch_append hg ⟨⟨trivial, rfl⟩, trivial⟩, fun x hx => ?_⟩
      have hx' : x < size (B ++ ones k) := hs ▸ hx
      have := hf x hx'
      rw [hb, List.flatten_append, show ([[]] : List FlatLayout).flatten = [] from rfl, List.append_nil]
      exact this

end FlatLayout

namespace Layout
open HTuple FlatLayout Layout.Aux

/-! ## Padding -/

theorem length_children_tree {L : Layout} : (children L.tree).length = L.rank := by
  have h : (children L.tree).length = L.tree.rank := by
    cases L.tree <;> rfl
  rw [h, ← rank_profile, Layout.profile_tree, rank]

theorem padModes_tree (n : Nat) (L : Layout) :
    (padModes n L).tree = .node (children L.tree ++ List.replicate (n - L.rank) (.leaf ⟨1, 0⟩)) := Layout.tree_ofTree _

theorem padModes_modes {L : Layout} (hL : L.Valid) (n : Nat) :
    (padModes n L).modes = L.modes ++ ones (n - L.rank) := by
  have h : ∀ k, flattenList (List.replicate k (HTuple.leaf (⟨1, 0⟩ : Mode))) = ones k := by
    intro k
    induction k with
    | zero => rfl
    | succ k ih => rw [List.replicate_succ, flattenList, ih]; rfl
  rw [padModes, ofTree, HTuple.flatten, flattenList_append, flattenList_children, h, Layout.flatten_tree hL.1]

/-- **Padding with `1:0` leaves the offset of every linear index as it is.**
Rust: `razorgirl::Layout::blocked_product`
Source: CuTe `append` -/
theorem padModes_offsets {L : Layout} (hL : L.Valid) (n : Nat) : offsets (padModes n L).modes = offsets L.modes := by
  rw [padModes_modes hL, offsets_append_ones]

theorem padModes_valid {L : Layout} (hL : L.Valid) (n : Nat) : (padModes n L).Valid :=
  ⟨Aux.profile_length_ofTree _, by rw [padModes_modes hL]; exact valid_append_ones hL.2 _⟩

theorem padModes_size {L : Layout} (hL : L.Valid) (n : Nat) : (padModes n L).size = L.size := by
  rw [Layout.size, ← length_offsets, padModes_offsets hL, length_offsets]
  rfl

theorem padModes_rank {L : Layout} {n : Nat} (h : L.rank ≤ n) :
    (children L.tree ++ List.replicate (n - L.rank) (HTuple.leaf (⟨1, 0⟩ : Mode))).length = n := by
  rw [List.length_append, length_children_tree, List.length_replicate]
  omega

theorem origins_padModes {A T : Layout} (hA : A.Valid) (hT : T.Valid) (m n : Nat) :
    origins (padModes m A) (padModes n T) = origins A T := by
  rw [origins, origins, filter, filter, padModes_size hA, padModes_modes hA, padModes_modes hT, filter_append_ones,
    cosizeFormula_append_ones]

/-- Whether there is a composite does not depend on modes `1:0` behind. -/
theorem exists_composite_padModes {C T : Layout} (hT : T.Valid) (n : Nat) :
    (∃ S, IsComposite C (padModes n T) S) ↔ ∃ S, IsComposite C T S := by
  rw [exists_composite_iff_grouped (padModes_valid hT n), exists_composite_iff_grouped hT, padModes_modes hT,
    grouped_append_ones]

theorem product_padModes_isSome {A T : Layout} (hA : A.Valid) (hT : T.Valid) (m n : Nat) :
    (logicalProduct (padModes m A) (padModes n T)).isSome = (logicalProduct A T).isSome := by
  rw [logicalProduct, logicalProduct, productWith, productWith, origins_padModes hA hT]
  cases origins A T with
  | none => rfl
  | some C =>
    simp only [Option.isSome_map]
    rw [Bool.eq_iff_iff, composition_isSome_iff (padModes_valid hT n), composition_isSome_iff hT]
    exact forall_congr' fun D => forall_congr' fun _ => exists_composite_padModes hT n

theorem isProduct_padModes_offsets {A T R R' : Layout} (hA : A.Valid) (hT : T.Valid) {m n : Nat}
    (h : IsProduct A T R) (h' : IsProduct (padModes m A) (padModes n T) R') : offsets R'.modes = offsets R.modes := by
  have hs := isProduct_size hT h
  have hs' := isProduct_size (padModes_valid hT n) h'
  rw [padModes_size hA, padModes_size hT] at hs'
  obtain ⟨C, S, hC, _⟩ := id h
  have hC' : origins (padModes m A) (padModes n T) = some C := by rw [origins_padModes hA hT, hC]
  refine (offsets_eq_iff _ _).2 ⟨hs'.trans hs.symm, fun z hz => ?_⟩
  have hz : z < A.size * T.size := by
    have : z < R'.size := hz
    rwa [hs'] at this
  have hp : 0 < A.size := hA.2.size_pos
  have hi : z % A.size < A.size := Nat.mod_lt _ hp
  have hy : z / A.size < T.size := Nat.div_lt_of_lt_mul hz
  have eA := ((offsets_eq_iff _ _).1 (padModes_offsets hA m)).2
  have eT := ((offsets_eq_iff _ _).1 (padModes_offsets hT n)).2
  have h1 := isProduct_atIndex h hC hi hy
  have h2 := isProduct_atIndex h' hC' (i := z % A.size) (y := z / A.size) (by rwa [padModes_size hA])
    (by rwa [padModes_size hT])
  rw [padModes_size hA, eA _ (by rw [← Layout.size, padModes_size hA]; exact hi),
    eT _ (by rw [← Layout.size, padModes_size hT]; exact hy)] at h2
  rw [Nat.mod_add_div] at h1 h2
  rw [h1, h2]

/-! ## Pairs of modes -/

theorem sumCalls_pairModes : {xs ys : List (HTuple Mode)} → {as ts : List Coord} → xs.length = ys.length →
    as.length = xs.length → ts.length = xs.length →
    sumCalls ((pairModes xs ys).map ofTree) (pairCoords as ts) =
      plus (sumCalls (xs.map ofTree) as) (sumCalls (ys.map ofTree) ts)
  | [], [], [], [], _, _, _ => rfl
  | [], _ :: _, _, _, h, _, _ => by simp at h
  | _ :: _, [], _, _, h, _, _ => by simp at h
  | [], [], _ :: _, _, _, h, _ => by simp at h
  | [], [], [], _ :: _, _, _, h => by simp at h
  | _ :: _, _ :: _, [], _, _, h, _ => by simp at h
  | _ :: _, _ :: _, _ :: _, [], _, _, h => by simp at h
  | x :: xs, y :: ys, a :: as, t :: ts, h, ha, ht => by
    rw [pairModes, pairCoords]
    simp only [List.map_cons, sumCalls_cons]
    rw [sumCalls_pairModes (by simpa using h) (by simpa using ha) (by simpa using ht), call_node]
    simp only [List.map_cons, List.map_nil, sumCalls_cons]
    rw [show sumCalls [] [] = some 0 from rfl, plus_zero, plus_plus_plus_comm]

theorem flattenList_pairModes_perm : {xs ys : List (HTuple Mode)} → xs.length = ys.length →
    (flattenList (pairModes xs ys)).Perm (flattenList xs ++ flattenList ys)
  | [], [], _ => .refl _
  | [], _ :: _, h => by simp at h
  | _ :: _, [], h => by simp at h
  | x :: xs, y :: ys, h => by
    have ih := flattenList_pairModes_perm (xs := xs) (ys := ys) (by simpa using h)
    rw [pairModes]
    simp only [flattenList, HTuple.flatten, List.append_nil, List.append_assoc]
    refine .append_left _ ?_
    refine (ih.append_left _).trans ?_
    rw [← List.append_assoc, ← List.append_assoc]
    exact List.perm_append_comm.append_right _

theorem length_pairModes : {xs ys : List (HTuple Mode)} → xs.length = ys.length →
    (pairModes xs ys).length = xs.length
  | [], [], _ => rfl
  | [], _ :: _, h => by simp at h
  | _ :: _, [], h => by simp at h
  | _ :: xs, _ :: ys, h => by
    rw [pairModes, List.length_cons, List.length_cons, length_pairModes (xs := xs) (ys := ys) (by simpa using h)]

/-- The modes of what lies over a tuple: as many, of the same sizes. -/
theorem node_of_overList : {ts ys : List (HTuple Mode)} → OverList ts ys →
    ys.length = ts.length ∧ ys.map (fun t => (ofTree t).size) = ts.map fun t => (ofTree t).size
  | [], [], _ => ⟨rfl, rfl⟩
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | t :: ts, y :: ys, h => by
    obtain ⟨h1, h2⟩ := node_of_overList h.2
    have h3 := IntTuple.size_eq_of_compatible (compatible_of_over t y h.1)
    rw [IntTuple.size_eq_prod, IntTuple.size_eq_prod, flatten_map, flatten_map] at h3
    have h3 : (ofTree t).size = (ofTree y).size := h3
    exact ⟨by simp [h1], by simp [h2, h3]⟩

/-- What an interleaved product is made of: A padded to modes `xs`, and as many modes `ys` for the copies. -/
theorem interleave_parts {A T R : Layout} (hA : A.Valid) (hT : T.Valid)
    (h : logicalProduct (padModes (max A.rank T.rank) A) (padModes (max A.rank T.rank) T) = some R) :
    ∃ xs ys, R.tree = .node [.node xs, .node ys] ∧ xs.length = max A.rank T.rank ∧
      ys.length = max A.rank T.rank ∧ .node xs = (padModes (max A.rank T.rank) A).tree ∧
      ys.map (fun t => (ofTree t).size) = modeSizes (padModes (max A.rank T.rank) T) := by
  have hp := logicalProduct_sound (padModes_valid hT _) h
  obtain ⟨C, S, _, hS, rfl⟩ := hp
  have hv := padModes_valid hA (max A.rank T.rank)
  have hover := hS.2.1
  rw [padModes_tree] at hover
  generalize hs : S.tree = s at hover
  match s, hover with
  | .node ys, hover =>
    obtain ⟨h1, h2⟩ := node_of_overList hover
    refine ⟨_, ys, ?_, padModes_rank (Nat.le_max_left _ _), ?_, (padModes_tree _ A).symm, ?_⟩
    · rw [tree_concat_pair hv.1 hS.1.1, hs, padModes_tree]
    · rw [h1, padModes_rank (Nat.le_max_right _ _)]
    · rw [modeSizes, padModes_tree, children, h2]

/-! ## Blocked and raked products -/

theorem interleave_eq (pairs : (xs ys : List (HTuple Mode)) → List (HTuple Mode)) {A T R : Layout} (hA : A.Valid)
    (hT : T.Valid) (h : logicalProduct (padModes (max A.rank T.rank) A) (padModes (max A.rank T.rank) T) = some R) :
    ∃ xs ys, R.tree = .node [.node xs, .node ys] ∧ xs.length = ys.length ∧
      interleave logicalProduct pairs A T = some (ofTree (.node (pairs xs ys))) := by
  obtain ⟨xs, ys, h1, h2, h3, _⟩ := interleave_parts hA hT h
  refine ⟨xs, ys, h1, by rw [h2, h3], ?_⟩
  rw [interleave, h]
  show zipWith pairs R = _
  rw [zipWith, h1]
  rfl

theorem interleave_isSome (pairs : (xs ys : List (HTuple Mode)) → List (HTuple Mode)) {A T : Layout} (hA : A.Valid)
    (hT : T.Valid) : (interleave logicalProduct pairs A T).isSome = (logicalProduct A T).isSome := by
  have hp := product_padModes_isSome hA hT (max A.rank T.rank) (max A.rank T.rank)
  cases h : logicalProduct (padModes (max A.rank T.rank) A) (padModes (max A.rank T.rank) T) with
  | none => rw [interleave, h, ← hp, h]
  | some R =>
    obtain ⟨_, _, _, _, e⟩ := interleave_eq pairs hA hT h
    rw [e, ← hp, h]
    rfl

/-- **Blocked and raked products are refused exactly when the product is.**
Rust: `razorgirl::Layout::blocked_product`, `razorgirl::Layout::raked_product`
Source: CuTe `blocked_product`, `raked_product` -/
theorem blockedProduct_isSome {A T : Layout} (hA : A.Valid) (hT : T.Valid) :
    (blockedProduct A T).isSome = (logicalProduct A T).isSome ∧
      (rakedProduct A T).isSome = (logicalProduct A T).isSome :=
  ⟨interleave_isSome _ hA hT, interleave_isSome _ hA hT⟩

theorem parts_of_interleave {A T R B K : Layout} (hA : A.Valid) (hT : T.Valid)
    (hR : logicalProduct (padModes (max A.rank T.rank) A) (padModes (max A.rank T.rank) T) = some R)
    (hB : blockedProduct A T = some B) (hK : rakedProduct A T = some K) :
    IsProduct (padModes (max A.rank T.rank) A) (padModes (max A.rank T.rank) T) R ∧
      ∃ xs ys, R.tree = .node [.node xs, .node ys] ∧ xs.length = max A.rank T.rank ∧
        ys.length = max A.rank T.rank ∧ .node xs = (padModes (max A.rank T.rank) A).tree ∧
        ys.map (fun t => (ofTree t).size) = modeSizes (padModes (max A.rank T.rank) T) ∧
        B = ofTree (.node (pairModes xs ys)) ∧ K = ofTree (.node (pairModes ys xs)) := by
  refine ⟨logicalProduct_sound (padModes_valid hT _) hR, ?_⟩
  obtain ⟨xs, ys, h1, h2, h3, h4, h5⟩ := interleave_parts hA hT hR
  obtain ⟨xs', ys', h1', _, e1⟩ := interleave_eq pairModes hA hT hR
  obtain ⟨xs'', ys'', h1'', _, e2⟩ := interleave_eq (fun xs ys => pairModes ys xs) hA hT hR
  rw [h1] at h1' h1''
  simp only [HTuple.node.injEq, List.cons.injEq, and_true] at h1' h1''
  obtain ⟨rfl, rfl⟩ := h1'
  obtain ⟨rfl, rfl⟩ := h1''
  exact ⟨xs, ys, h1, h2, h3, h4, h5, Option.some.inj (hB.symm.trans e1), Option.some.inj (hK.symm.trans e2)⟩

theorem AreInterleaved.parts {A T R B K : Layout} (hA : A.Valid) (hT : T.Valid) (h : AreInterleaved A T R B K) :
    IsProduct (padModes (max A.rank T.rank) A) (padModes (max A.rank T.rank) T) R ∧
      ∃ xs ys, R.tree = .node [.node xs, .node ys] ∧ xs.length = max A.rank T.rank ∧
        ys.length = max A.rank T.rank ∧ .node xs = (padModes (max A.rank T.rank) A).tree ∧
        ys.map (fun t => (ofTree t).size) = modeSizes (padModes (max A.rank T.rank) T) ∧
        B = ofTree (.node (pairModes xs ys)) ∧ K = ofTree (.node (pairModes ys xs)) :=
  parts_of_interleave hA hT h.1 h.2.1 h.2.2

/-- **A blocked product is the product with the coordinates in pairs, `((a₀,t₀),(a₁,t₁),…)`, a raked product with
the pairs the other way round, `((t₀,a₀),(t₁,a₁),…)`.**
Rust: `razorgirl::Layout::blocked_product`, `razorgirl::Layout::raked_product`
Source: CuTe `blocked_product`, `raked_product` -/
theorem interleaved_call {A T R B K : Layout} (hA : A.Valid) (hT : T.Valid) (h : AreInterleaved A T R B K)
    {as ts : List Coord} (ha : as.length = max A.rank T.rank) (ht : ts.length = max A.rank T.rank) :
    B.call (.node (pairCoords as ts)) = R.call (.node [.node as, .node ts]) ∧
      K.call (.node (pairCoords ts as)) = R.call (.node [.node as, .node ts]) := by
  obtain ⟨hp, xs, ys, h1, h2, h3, _, _, rfl, rfl⟩ := h.parts hA hT
  have hv := isProduct_valid (padModes_valid hA _) hp
  have e : R.call (.node [.node as, .node ts]) =
      plus (sumCalls (xs.map ofTree) as) (sumCalls (ys.map ofTree) ts) := by
    rw [← Layout.ofTree_tree_of_length hv.1, h1, call_node]
    simp only [List.map_cons, List.map_nil, sumCalls_cons]
    rw [show sumCalls [] [] = some 0 from rfl, plus_zero, call_node, call_node]
  rw [e, call_node, call_node]
  refine ⟨sumCalls_pairModes (by rw [h2, h3]) (by rw [ha, h2]) (by rw [ht, h2]), ?_⟩
  rw [sumCalls_pairModes (by rw [h2, h3]) (by rw [ht, h3]) (by rw [ha, h3])]
  cases sumCalls (ys.map ofTree) ts <;> cases sumCalls (xs.map ofTree) as <;>
    first | rfl | exact congrArg some (Nat.add_comm _ _)

/-- **Blocked and raked product at `((a₀,t₀),…)` and `((t₀,a₀),…)` are element a of A, moved to the place of copy
number `T(t)`.**
Rust: `razorgirl::Layout::blocked_product`, `razorgirl::Layout::raked_product`
Source: CuTe `blocked_product`, `raked_product` -/
theorem interleaved_call_eq {A T C R B K : Layout} (hA : A.Valid) (hT : T.Valid) (h : AreInterleaved A T R B K)
    (hC : origins A T = some C) {as ts : List Coord} (ha : as.length = max A.rank T.rank)
    (ht : ts.length = max A.rank T.rank) {x n : Nat}
    (hx : (padModes (max A.rank T.rank) A).call (.node as) = some x)
    (hn : (padModes (max A.rank T.rank) T).call (.node ts) = some n) :
    B.call (.node (pairCoords as ts)) = some (x + atIndex C.modes n) ∧
      K.call (.node (pairCoords ts as)) = some (x + atIndex C.modes n) := by
  obtain ⟨e1, e2⟩ := interleaved_call hA hT h ha ht
  have hC' : origins (padModes (max A.rank T.rank) A) (padModes (max A.rank T.rank) T) = some C := by
    rw [origins_padModes hA hT, hC]
  have := (isProduct_call (padModes_valid hA _) (padModes_valid hT _) (h.parts hA hT).1 hC' hx hn).2
  exact ⟨e1.trans this, e2.trans this⟩

/-- **Blocked and raked products have the same modes in another order; their offsets are those of the product, each
as often.**
Rust: `razorgirl::Layout::blocked_product`, `razorgirl::Layout::raked_product`
Source: CuTe `blocked_product`, `raked_product` -/
theorem interleaved_perm {A T P R B K : Layout} (hA : A.Valid) (hT : T.Valid) (h : AreInterleaved A T R B K)
    (hP : IsProduct A T P) : B.modes.Perm K.modes ∧ (offsets B.modes).Perm (offsets P.modes) ∧
      (offsets K.modes).Perm (offsets P.modes) := by
  obtain ⟨hp, xs, ys, h1, h2, h3, _, _, rfl, rfl⟩ := h.parts hA hT
  have hv := isProduct_valid (padModes_valid hA _) hp
  have e1 := flattenList_pairModes_perm (xs := xs) (ys := ys) (by rw [h2, h3])
  have e2 := flattenList_pairModes_perm (xs := ys) (ys := xs) (by rw [h2, h3])
  have hR : R.modes = flattenList xs ++ flattenList ys := by
    rw [← Layout.flatten_tree hv.1, h1]
    simp [HTuple.flatten, flattenList]
  have hbk : (flattenList (pairModes xs ys)).Perm (flattenList (pairModes ys xs)) :=
    e1.trans (List.perm_append_comm.trans e2.symm)
  have h4 : (offsets (flattenList (pairModes xs ys))).Perm (offsets P.modes) := by
    rw [← isProduct_padModes_offsets hA hT hP hp, hR]
    exact FlatLayout.offsets_perm e1
  exact ⟨hbk, h4, (FlatLayout.offsets_perm hbk.symm).trans h4⟩

/-- **A blocked or raked product is injective exactly when A and T are.**
Rust: `razorgirl::Layout::blocked_product`, `razorgirl::Layout::raked_product`
Source: CuTe `blocked_product`, `raked_product` -/
theorem interleaved_injective_iff {A T R B K : Layout} (hA : A.Valid) (hT : T.Valid) (h : AreInterleaved A T R B K) :
    (Injective B.modes ↔ Injective A.modes ∧ Injective T.modes) ∧
      (Injective K.modes ↔ Injective A.modes ∧ Injective T.modes) := by
  obtain ⟨hp, xs, ys, h1, h2, h3, _, _, rfl, rfl⟩ := h.parts hA hT
  have hv := isProduct_valid (padModes_valid hA _) hp
  have e1 := flattenList_pairModes_perm (xs := xs) (ys := ys) (by rw [h2, h3])
  have e2 := flattenList_pairModes_perm (xs := ys) (ys := xs) (by rw [h2, h3])
  have hR : R.modes = flattenList xs ++ flattenList ys := by
    rw [← Layout.flatten_tree hv.1, h1]
    simp [HTuple.flatten, flattenList]
  have h4 := isProduct_injective_iff (padModes_valid hA _) (padModes_valid hT _) hp
  rw [injective_congr (padModes_offsets hA _), injective_congr (padModes_offsets hT _), hR] at h4
  exact ⟨(injective_perm e1).trans h4, (injective_perm (e2.trans List.perm_append_comm)).trans h4⟩

/-- **A blocked or raked product of two bijections onto their offsets is one.**
Rust: `razorgirl::Layout::blocked_product`, `razorgirl::Layout::raked_product`
Source: Colfax 2.1.5; CuTe `blocked_product`, `raked_product` -/
theorem interleaved_contiguous {A T R B K : Layout} (hA : A.Valid) (hT : T.Valid) (h : AreInterleaved A T R B K)
    (hAc : Contiguous A.modes) (hTc : Contiguous T.modes) : Contiguous B.modes ∧ Contiguous K.modes := by
  obtain ⟨hp, xs, ys, h1, h2, h3, _, _, rfl, rfl⟩ := h.parts hA hT
  have hv := isProduct_valid (padModes_valid hA _) hp
  have e1 := flattenList_pairModes_perm (xs := xs) (ys := ys) (by rw [h2, h3])
  have e2 := flattenList_pairModes_perm (xs := ys) (ys := xs) (by rw [h2, h3])
  have hR : R.modes = flattenList xs ++ flattenList ys := by
    rw [← Layout.flatten_tree hv.1, h1]
    simp [HTuple.flatten, flattenList]
  have h4 := isProduct_contiguous ((contiguous_congr (padModes_offsets hA _)).2 hAc) (padModes_valid hA _)
    (padModes_valid hT _) ((contiguous_congr (padModes_offsets hT _)).2 hTc) hp
  rw [hR] at h4
  exact ⟨(contiguous_perm e1).2 h4, (contiguous_perm (e2.trans List.perm_append_comm)).2 h4⟩

theorem modeSizes_pairModes : {xs ys : List (HTuple Mode)} → xs.length = ys.length →
    (pairModes xs ys).map (fun t => (ofTree t).size) =
      List.zipWith (· * ·) (xs.map fun t => (ofTree t).size) (ys.map fun t => (ofTree t).size)
  | [], [], _ => rfl
  | [], _ :: _, h => by simp at h
  | _ :: _, [], h => by simp at h
  | x :: xs, y :: ys, h => by
    rw [pairModes]
    simp only [List.map_cons, List.zipWith_cons_cons]
    rw [modeSizes_pairModes (by simpa using h)]
    congr 1
    simp [Layout.size, ofTree, HTuple.flatten, flattenList, size_append]

/-- **Each mode of a blocked or raked product has the sizes of the modes of A and of T multiplied.**
Rust: `razorgirl::Layout::blocked_product`, `razorgirl::Layout::raked_product`
Source: CuTe `blocked_product`, `raked_product` -/
theorem interleaved_modeSizes {A T R B K : Layout} (hA : A.Valid) (hT : T.Valid) (h : AreInterleaved A T R B K) :
    modeSizes B = List.zipWith (· * ·) (modeSizes (padModes (max A.rank T.rank) A))
        (modeSizes (padModes (max A.rank T.rank) T)) ∧
      modeSizes K = modeSizes B := by
  obtain ⟨hp, xs, ys, h1, h2, h3, h4, h5, rfl, rfl⟩ := h.parts hA hT
  have hx : modeSizes (padModes (max A.rank T.rank) A) = xs.map fun t => (ofTree t).size := by
    rw [modeSizes, ← h4]
    rfl
  have e1 : modeSizes (ofTree (.node (pairModes xs ys))) = List.zipWith (· * ·)
      (modeSizes (padModes (max A.rank T.rank) A)) (modeSizes (padModes (max A.rank T.rank) T)) := by
    rw [modeSizes, Layout.tree_ofTree, children, modeSizes_pairModes (by rw [h2, h3]), h5, hx]
  refine ⟨e1, ?_⟩
  rw [e1, modeSizes, Layout.tree_ofTree, children, modeSizes_pairModes (by rw [h2, h3]), h5, hx,
    List.zipWith_comm_of_comm Nat.mul_comm]

end Layout

end Razorgirl
