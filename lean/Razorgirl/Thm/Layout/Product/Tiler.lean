module

public import Razorgirl.Thm.Layout.Divide.Tiler
public import Razorgirl.Thm.Layout.Product

@[expose] public section

/-!
# Products by tilers: what is proved

Mode by mode, each mode is multiplied on its own. The zipped, tiled and flat forms only move coordinates:
`productCoord` says where to. (Copies of one mode know nothing of the other modes: by tiler, copies may overlap.)
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout Layout.Aux

/-! ## Mode by mode -/

theorem concat_of_product {A T R : Layout} (h : logicalProduct A T = some R) :
    ∃ S : Layout, S.profile.length = S.modes.length ∧ R = concat [A, S] := by
  obtain ⟨_, S, _, hS, rfl⟩ := logicalProduct_eq_some_iff.1 h
  exact ⟨S, profile_length_of_composition hS, rfl⟩

/-- A concatenation of two layouts, each with a leaf for each of its modes, as a tree. -/
theorem tree_concat_pair {A S : Layout} (hA : A.profile.length = A.modes.length)
    (hS : S.profile.length = S.modes.length) : (concat [A, S]).tree = .node [A.tree, S.tree] := by
  have e : ofTree (.node [A.tree, S.tree]) = concat [A, S] := by
    have := ofTree_node_map_tree (Rs := [A, S]) fun L hL => by
      rcases List.mem_cons.1 hL with rfl | hL
      · exact hA
      · rw [List.mem_singleton.1 hL]; exact hS
    simpa using this
  rw [← e, Layout.tree_ofTree]

theorem pair_of_product {A T R : Layout} (hA : A.profile.length = A.modes.length) (h : logicalProduct A T = some R) :
    R.profile.length = R.modes.length ∧ ∃ x y, R.tree = .node [x, y] := by
  obtain ⟨S, hS, rfl⟩ := concat_of_product h
  have e := tree_concat_pair hA hS
  refine ⟨?_, _, _, e⟩
  have h1 := congrArg (fun t => t.flatten.length) e
  simp only [concat, List.map_cons, List.map_nil, HTuple.length, lengthList, concatModes, List.length_append,
    List.length_nil, hA, hS]

mutual
theorem transform_product_tree {kept : HTuple Mode → HTuple Mode × HTuple Mode} :
    (b : Tiler) → (t r : HTuple Mode) → transform logicalProduct b t = some r → (unzip kept b r).isSome = true
  | .keep, _, _, _ => rfl
  | .layout B, t, r, h => by
    rw [transform] at h
    obtain ⟨R, hR, rfl⟩ := Option.map_eq_some_iff.1 h
    obtain ⟨_, x, y, e⟩ := pair_of_product (Aux.profile_length_ofTree t) hR
    rw [e]
    rfl
  | .modes bs, t, r, h => by
    rw [transform] at h
    obtain ⟨rs, hrs, rfl⟩ := Option.map_eq_some_iff.1 h
    rw [unzip, Option.isSome_map]
    exact transformList_product_tree bs _ rs hrs
theorem transformList_product_tree {kept : HTuple Mode → HTuple Mode × HTuple Mode} :
    (bs : List Tiler) → (ts rs : List (HTuple Mode)) → transformList logicalProduct bs ts = some rs →
      (unzipList kept bs rs).isSome = true
  | [], _, _, _ => rfl
  | _ :: _, [], _, h => by simp [transformList] at h
  | b :: bs, t :: ts, rs, h => by
    rw [transformList] at h
    split at h
    · rename_i x xs h1 h2
      obtain rfl := Option.some.inj h
      obtain ⟨p, hp⟩ := Option.isSome_iff_exists.1 (transform_product_tree (kept := kept) b t x h1)
      obtain ⟨q, hq⟩ := Option.isSome_iff_exists.1 (transformList_product_tree (kept := kept) bs ts xs h2)
      rw [unzipList, hp, hq]
      rfl
    · cases h
end

/-- **The product with a layout as a tiler is the product with it; the integer `n` is the layout `n:1`.**
Rust: `razorgirl::Layout::logical_product`
Source: CuTe `logical_product` (pycute divides where the tiler is an integer) -/
theorem logicalProductBy_layout {A : Layout} (hA : A.Valid) (T : Layout) :
    logicalProductBy A (.layout T) = logicalProduct A T := by
  rw [logicalProductBy, transformBy, transform, Layout.ofTree_tree_of_length hA.1]
  cases h : logicalProduct A T with
  | none => rfl
  | some R => exact congrArg some (Layout.ofTree_tree_of_length (pair_of_product hA.1 h).1)

/-- **`_` keeps a layout as it is.**
Rust: `razorgirl::Layout::logical_product`
Source: CuTe `logical_product` -/
theorem logicalProductBy_keep {A : Layout} (hA : A.Valid) :
    logicalProductBy A .keep = some A := transformBy_keep _ hA

/-- **A tuple of layouts multiplies each mode by its layout and leaves further modes as they are.**
Rust: `razorgirl::Layout::logical_product`
Source: CuTe `logical_product`; Cecka, by-mode product -/
theorem logicalProductBy_layouts {A : Layout} {Ts : List Layout} :
    logicalProductBy A (.modes (Ts.map .layout)) = (eachModeKeep logicalProduct (topLayouts A) Ts).map concat := by
  have each : ∀ {As Bs Rs : List Layout}, (∀ A ∈ As, A.profile.length = A.modes.length) →
      eachModeKeep logicalProduct As Bs = some Rs → ∀ R ∈ Rs, R.profile.length = R.modes.length := by
    intro As Bs
    induction Bs generalizing As with
    | nil =>
      intro Rs hA h
      obtain rfl : As = Rs := by cases As <;> simpa [eachModeKeep] using h
      exact hA
    | cons B Bs ih =>
      intro Rs hA h
      cases As with
      | nil => simp [eachModeKeep] at h
      | cons A As =>
        rw [eachModeKeep] at h
        split at h
        · rename_i S Ss hS hSs
          obtain rfl := Option.some.inj h
          intro R hR
          rcases List.mem_cons.1 hR with rfl | hR
          · exact (pair_of_product (hA A (by simp)) hS).1
          · exact ih (fun A hA' => hA A (by simp [hA'])) hSs R hR
        · cases h
  rw [logicalProductBy, transformBy, transform, transformList_layouts, topLayouts]
  cases h : eachModeKeep logicalProduct ((children A.tree).map ofTree) Ts with
  | none => rfl
  | some Rs =>
    refine congrArg some (ofTree_node_map_tree (each ?_ h))
    intro L hL
    obtain ⟨t, _, rfl⟩ := List.mem_map.1 hL
    exact profile_length_ofTree t

/-! ## The forms -/

/-- A product in one of the forms, in terms of its parts. -/
theorem arrange_product (form : HTuple Mode × HTuple Mode → HTuple Mode) {A L : Layout} {b : Tiler}
    (hL : logicalProductBy A b = some L) :
    ∃ p, unzip allTile b L.tree = some p ∧ arrange form allTile logicalProduct A b = some (ofTree (form p)) := by
  rw [logicalProductBy, transformBy] at hL
  obtain ⟨t, ht, rfl⟩ := Option.map_eq_some_iff.1 hL
  obtain ⟨p, hp⟩ := Option.isSome_iff_exists.1 (transform_product_tree (kept := allTile) b _ t ht)
  refine ⟨p, by rw [Layout.tree_ofTree, hp], ?_⟩
  rw [arrange, ht]
  simp only [hp, Option.map_some]

/-- **The zipped, the tiled and the flat product are refused exactly when the mode-by-mode product is.**
Rust: `razorgirl::Layout::zipped_product`, `razorgirl::Layout::tiled_product`, `razorgirl::Layout::flat_product`
Source: CuTe `zipped_product`, `tiled_product`, `flat_product` -/
theorem product_forms_isSome_iff (A : Layout) (b : Tiler) :
    (zippedProduct A b).isSome = (logicalProductBy A b).isSome ∧
      (tiledProduct A b).isSome = (logicalProductBy A b).isSome ∧
      (flatProduct A b).isSome = (logicalProductBy A b).isSome := by
  have key : ∀ form, (arrange form allTile logicalProduct A b).isSome = (logicalProductBy A b).isSome := by
    intro form
    cases h : logicalProductBy A b with
    | none => rw [arrange_eq_none h]
    | some L =>
      obtain ⟨p, _, hp⟩ := arrange_product form h
      rw [hp]
      rfl
  exact ⟨key _, key _, key _⟩

theorem product_parts_call {A L : Layout} {b : Tiler} {p : HTuple Mode × HTuple Mode}
    (hL : logicalProductBy A b = some L) (hp : unzip allTile b L.tree = some p)
    {a c : Coord} (h : FollowsProduct b a c) :
    plus ((ofTree p.1).call a) ((ofTree p.2).call c) = L.call (productCoord b a c) := by
  have hl : ofTree L.tree = L := by
    rw [logicalProductBy, transformBy] at hL
    obtain ⟨t, _, rfl⟩ := Option.map_eq_some_iff.1 hL
    rw [Layout.tree_ofTree]
  conv => rhs; rw [← hl]
  exact plus_call_of_unzip (fun t a c h => by rw [allTile, call_unit h, plus_zero]) b _ p a c hp h

/-- **The zipped product at (coordinates within A, coordinates of the repetitions) is the mode-by-mode product at the
pairs of them: `zipped((a₀,a₁),(t₀,t₁,x)) = logical((a₀,t₀),(a₁,t₁),x)`.**
Rust: `razorgirl::Layout::zipped_product`
Source: CuTe `zipped_product` -/
theorem zippedProduct_call {A L Z : Layout} {b : Tiler} {a c : Coord} (h : FollowsProduct b a c)
    (hL : logicalProductBy A b = some L) (hZ : zippedProduct A b = some Z) :
    Z.call (.node [a, c]) = L.call (productCoord b a c) := by
  obtain ⟨p, hp, e⟩ := arrange_product zippedForm hL
  rw [← Option.some.inj (e.symm.trans hZ), call_zippedForm, product_parts_call hL hp h]

/-- **The tiled product is the zipped one with the coordinates of the repetitions side by side, the flat product also
with those of A's modes; at a linear index all three agree.**
Rust: `razorgirl::Layout::tiled_product`, `razorgirl::Layout::flat_product`
Source: CuTe `zipped_product`, `tiled_product`, `flat_product` -/
theorem product_forms_call {A L Z D F : Layout} {b : Tiler}
    (hL : logicalProductBy A b = some L) (hZ : zippedProduct A b = some Z) (hD : tiledProduct A b = some D)
    (hF : flatProduct A b = some F) :
    D.modes = Z.modes ∧ F.modes = Z.modes ∧
    ∃ p : HTuple Mode × HTuple Mode, Z = ofTree (.node [p.1, p.2]) ∧ (∀ a c, Opens p.2 c →
        D.call (.node (a :: spreadCoord p.2 c)) = Z.call (.node [a, c])) ∧
      ∀ a c, Opens p.1 a → Opens p.2 c →
        F.call (.node (spreadCoord p.1 a ++ spreadCoord p.2 c)) = Z.call (.node [a, c]) := by
  have key : ∃ p, Z = ofTree (zippedForm p) ∧ D = ofTree (tiledForm p) ∧ F = ofTree (flatForm p) := by
    obtain ⟨p, h1, e⟩ := arrange_product zippedForm hL
    obtain ⟨q, h2, e2⟩ := arrange_product tiledForm hL
    obtain ⟨r, h3, e3⟩ := arrange_product flatForm hL
    obtain rfl : p = q := Option.some.inj (h1.symm.trans h2)
    obtain rfl : p = r := Option.some.inj (h1.symm.trans h3)
    exact ⟨p, Option.some.inj (hZ.symm.trans e), Option.some.inj (hD.symm.trans e2),
      Option.some.inj (hF.symm.trans e3)⟩
  obtain ⟨p, rfl, rfl, rfl⟩ := key
  exact ⟨(flatten_forms p).2.1, (flatten_forms p).2.2, p, rfl, fun a c h => call_tiledForm p a h,
    fun a c ha hc => call_flatForm p ha hc⟩

/-- **The zipped, the tiled and the flat product have the offsets of the mode-by-mode product, each as often.**
Rust: `razorgirl::Layout::zipped_product`, `razorgirl::Layout::tiled_product`, `razorgirl::Layout::flat_product`
Source: CuTe `zipped_product`, `tiled_product`, `flat_product` -/
theorem product_forms_offsets_perm {A L Z D F : Layout} {b : Tiler}
    (hL : logicalProductBy A b = some L) (hZ : zippedProduct A b = some Z) (hD : tiledProduct A b = some D)
    (hF : flatProduct A b = some F) :
    (offsets Z.modes).Perm (offsets L.modes) ∧ (offsets D.modes).Perm (offsets L.modes) ∧
      (offsets F.modes).Perm (offsets L.modes) := by
  obtain ⟨e1, e2, _⟩ := product_forms_call hL hZ hD hF
  rw [e1, e2]
  have this : (offsets Z.modes).Perm (offsets L.modes) := by
    obtain ⟨p, hp, e⟩ := arrange_product zippedForm hL
    rw [← Option.some.inj (e.symm.trans hZ), ofTree, (flatten_forms p).1]
    have h1 := offsets_perm_of_unzip offsets_allTile b L.tree p hp
    have h2 : L.tree.flatten = L.modes := by
      rw [logicalProductBy, transformBy] at hL
      obtain ⟨t, _, rfl⟩ := Option.map_eq_some_iff.1 hL
      rw [Layout.tree_ofTree]
      rfl
    rwa [h2] at h1
  exact ⟨this, this, this⟩

end Layout

end Razorgirl
