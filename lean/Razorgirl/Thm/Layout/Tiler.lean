module

public import Razorgirl.Spec.Layout.Tiler
public import Razorgirl.Spec.Layout.Tiler.Coord
public import Razorgirl.Thm.Layout.Composition.By
public import Razorgirl.Thm.Layout.Divide.Lemmas

@[expose] public section

/-!
# Unzipping: what is proved

Collecting the tiles in one mode and the rests in another moves coordinates and loses nothing: `zipCoord` says to
which coordinate of the mode-by-mode result a coordinate of the zipped form belongs, and the values agree. The
zipped, tiled and flat forms have the same modes in the same order, nested differently.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout Layout.Aux

/-! ## Calls of trees -/

theorem plus_zero (o : Option Nat) : plus o (some 0) = o := by cases o <;> rfl

theorem zero_plus (o : Option Nat) : plus (some 0) o = o := by
  cases o with
  | none => rfl
  | some a => exact congrArg some (Nat.zero_add a)

theorem plus_assoc (o p q : Option Nat) : plus (plus o p) q = plus o (plus p q) := by
  cases o <;> cases p <;> cases q <;> first | rfl | exact congrArg some (Nat.add_assoc _ _ _)

theorem plus_plus_plus_comm (o p q r : Option Nat) : plus (plus o p) (plus q r) = plus (plus o q) (plus p r) := by
  cases o <;> cases p <;> cases q <;> cases r <;> first | rfl | exact congrArg some (by omega)

theorem sumCalls_cons (L : Layout) (Ls : List Layout) (c : Coord) (cs : List Coord) :
    sumCalls (L :: Ls) (c :: cs) = plus (L.call c) (sumCalls Ls cs) := by
  rw [sumCalls]
  cases L.call c <;> cases sumCalls Ls cs <;> rfl

theorem sumCalls_append : {Ks : List Layout} → {cs : List Coord} → cs.length = Ks.length →
    (Ls : List Layout) → (ds : List Coord) → sumCalls (Ks ++ Ls) (cs ++ ds) = plus (sumCalls Ks cs) (sumCalls Ls ds)
  | [], [], _, Ls, ds => (zero_plus _).symm
  | [], _ :: _, h, _, _ => by simp at h
  | _ :: _, [], h, _, _ => by simp at h
  | K :: Ks, c :: cs, h, Ls, ds => by
    rw [List.cons_append, List.cons_append, sumCalls_cons, sumCalls_cons,
      sumCalls_append (by simpa using h), plus_assoc]

theorem toFlatList_eval : (ts : List (HTuple Mode)) → (cs : List Coord) →
    (Coord.toFlatList cs (mapList Mode.extent ts)).map (FlatLayout.eval (flattenList ts)) =
      sumCalls (ts.map ofTree) cs
  | [], [] => rfl
  | [], _ :: _ => rfl
  | _ :: _, [] => rfl
  | t :: ts, c :: cs => by
    rw [List.map_cons, sumCalls_cons, ← toFlatList_eval ts cs, mapList, Coord.toFlatList, call, shape_ofTree]
    cases h1 : Coord.toFlat c (map Mode.extent t) with
    | none => rfl
    | some a =>
      cases h2 : Coord.toFlatList cs (mapList Mode.extent ts) with
      | none => rfl
      | some b =>
        have hl : a.length = t.flatten.length := by
          rw [Coord.length_toFlat h1, flatten_map, List.length_map]
        simp [flattenList, FlatLayout.eval_append hl, ofTree, plus]

/-- **Calling a tuple of modes with a tuple of coordinates adds up the calls of the modes.**
Rust: `razorgirl::Layout::call`
Source: CuTe `crd2idx` -/
theorem call_node (ts : List (HTuple Mode)) (cs : List Coord) :
    (ofTree (.node ts)).call (.node cs) = sumCalls (ts.map ofTree) cs := by
  rw [call, shape_ofTree, map, Coord.toFlat, ← toFlatList_eval]
  rfl

theorem call_unit {c : Coord} (h : IsUnit c) : (ofTree (.leaf ⟨1, 0⟩)).call c = some 0 := by
  rcases h with rfl | rfl <;> rfl

section
variable {kept : HTuple Mode → HTuple Mode × HTuple Mode} {keptAt : Coord → Coord → Coord}
  {keptOk : Coord → Coord → Prop}

mutual
theorem plus_call_of_unzip (hk : ∀ t a c, keptOk a c →
      plus ((ofTree (kept t).1).call a) ((ofTree (kept t).2).call c) = (ofTree t).call (keptAt a c)) :
    (b : Tiler) → (t : HTuple Mode) → (p : HTuple Mode × HTuple Mode) → (a c : Coord) → unzip kept b t = some p →
    Follows keptOk b a c →
      plus ((ofTree p.1).call a) ((ofTree p.2).call c) = (ofTree t).call (zipCoord keptAt b a c)
  | .keep, t, p, a, c, h, hf => by
    rw [unzip, Option.some.injEq] at h
    rw [← h, zipCoord]
    exact hk t a c hf
  | .layout B, .leaf m, p, a, c, h, _ => by simp [unzip] at h
  | .layout B, .node ts, p, a, c, h, _ => by
    match ts, h with
    | [], h => simp [unzip] at h
    | [_], h => simp [unzip] at h
    | _ :: _ :: _ :: _, h => simp [unzip] at h
    | [x, y], h =>
      rw [unzip, Option.some.injEq] at h
      rw [← h, zipCoord, call_node, List.map_cons, List.map_cons, sumCalls_cons, sumCalls_cons]
      exact congrArg _ (plus_zero _).symm
  | .modes bs, .leaf m, p, a, c, h, _ => by simp [unzip] at h
  | .modes bs, .node ts, p, .node as, .node cs, h, hf => by
    rw [unzip] at h
    obtain ⟨q, hq, rfl⟩ := Option.map_eq_some_iff.1 h
    rw [zipCoord, call_node, call_node, call_node]
    exact plus_sumCalls_of_unzipList hk bs ts q as cs hq hf
  | .modes _, .node _, _, .leaf _, _, _, hf => by simp [Follows] at hf
  | .modes _, .node _, _, .node _, .leaf _, _, hf => by simp [Follows] at hf
theorem plus_sumCalls_of_unzipList (hk : ∀ t a c, keptOk a c →
      plus ((ofTree (kept t).1).call a) ((ofTree (kept t).2).call c) = (ofTree t).call (keptAt a c)) :
    (bs : List Tiler) → (ts : List (HTuple Mode)) → (p : List (HTuple Mode) × List (HTuple Mode)) →
    (as cs : List Coord) → unzipList kept bs ts = some p → FollowsList keptOk bs as cs →
      plus (sumCalls (p.1.map ofTree) as) (sumCalls (p.2.map ofTree) cs) =
        sumCalls (ts.map ofTree) (zipCoords keptAt bs as cs)
  | [], ts, p, [], cs, h, _ => by
    rw [unzipList, Option.some.injEq] at h
    rw [← h, zipCoords]
    · exact zero_plus _
    · simp
  | [], _, _, _ :: _, _, _, hf => by simp [FollowsList] at hf
  | _ :: _, [], _, _, _, h, _ => by simp [unzipList] at h
  | _ :: _, _ :: _, _, [], _, _, hf => by simp [FollowsList] at hf
  | _ :: _, _ :: _, _, _ :: _, [], _, hf => by simp [FollowsList] at hf
  | b :: bs, t :: ts, p, a :: as, c :: cs, h, hf => by
    rw [unzipList] at h
    split at h
    · rename_i x y xs ys h1 h2
      obtain rfl := Option.some.inj h
      rw [FollowsList] at hf
      rw [zipCoords]
      simp only [List.map_cons, sumCalls_cons]
      rw [plus_plus_plus_comm, plus_call_of_unzip hk b t _ a c h1 hf.1,
        plus_sumCalls_of_unzipList hk bs ts _ as cs h2 hf.2]
    · cases h
end

end

/-! ## Three forms -/

theorem length_spreadCoord : {t : HTuple Mode} → {c : Coord} → Opens t c →
    (spreadCoord t c).length = (spread t).length
  | .leaf _, .leaf _, _ => rfl
  | .leaf _, .node _, _ => rfl
  | .node [_], .leaf _, _ => rfl
  | .node [_], .node _, _ => rfl
  | .node [], .node _, h => h
  | .node (_ :: _ :: _), .node _, h => h
  | .node [], .leaf _, h => h.elim
  | .node (_ :: _ :: _), .leaf _, h => h.elim

theorem sumCalls_spread : {t : HTuple Mode} → {c : Coord} → Opens t c →
    sumCalls ((spread t).map ofTree) (spreadCoord t c) = (ofTree t).call c
  | .leaf m, .leaf x, _ => by
    rw [spread, spreadCoord, List.map_cons, sumCalls_cons]
    · exact plus_zero _
    · simp
    · simp
  | .leaf m, .node x, _ => by
    rw [spread, spreadCoord, List.map_cons, sumCalls_cons]
    · exact plus_zero _
    · simp
    · simp
  | .node [t], c, _ => by
    rw [spread, spreadCoord, List.map_cons, sumCalls_cons]
    exact plus_zero _
  | .node [], .node cs, _ => (call_node _ _).symm
  | .node (_ :: _ :: _), .node cs, _ => (call_node _ _).symm
  | .node [], .leaf _, h => h.elim
  | .node (_ :: _ :: _), .leaf _, h => h.elim

/-- **The zipped form at (tile coordinate, rest coordinate) is the tiles at the one plus the rests at the other.**
Rust: `razorgirl::Layout::zipped_divide`, `razorgirl::Layout::zipped_product`
Source: CuTe `zip2_by`, `zipped_divide` -/
theorem call_zippedForm (p : HTuple Mode × HTuple Mode) (a c : Coord) :
    (ofTree (zippedForm p)).call (.node [a, c]) = plus ((ofTree p.1).call a) ((ofTree p.2).call c) := by
  rw [zippedForm, call_node, List.map_cons, List.map_cons, sumCalls_cons, sumCalls_cons]
  exact congrArg _ (plus_zero _)

/-- **The tiled form is the zipped form with the coordinates of the rests side by side.**
Rust: `razorgirl::Layout::tiled_divide`, `razorgirl::Layout::tiled_product`
Source: CuTe `tiled_divide`, `tiled_product` -/
theorem call_tiledForm (p : HTuple Mode × HTuple Mode) (a : Coord) {c : Coord} (h : Opens p.2 c) :
    (ofTree (tiledForm p)).call (.node (a :: spreadCoord p.2 c)) = (ofTree (zippedForm p)).call (.node [a, c]) := by
  rw [call_zippedForm, tiledForm, call_node, List.map_cons, sumCalls_cons, sumCalls_spread h]

/-- **The flat form is the zipped form with the coordinates of the tiles and of the rests side by side.**
Rust: `razorgirl::Layout::flat_divide`, `razorgirl::Layout::flat_product`
Source: CuTe `flat_divide`, `flat_product` -/
theorem call_flatForm (p : HTuple Mode × HTuple Mode) {a c : Coord} (ha : Opens p.1 a) (hc : Opens p.2 c) :
    (ofTree (flatForm p)).call (.node (spreadCoord p.1 a ++ spreadCoord p.2 c)) =
      (ofTree (zippedForm p)).call (.node [a, c]) := by
  rw [call_zippedForm, flatForm, call_node, List.map_append,
    sumCalls_append (by rw [List.length_map, length_spreadCoord ha]), sumCalls_spread ha, sumCalls_spread hc]

theorem flattenList_spread : (t : HTuple Mode) → flattenList (spread t) = t.flatten
  | .leaf _ => rfl
  | .node [_] => List.append_nil _
  | .node [] => rfl
  | .node (_ :: _ :: _) => rfl

/-- **The zipped, the tiled and the flat form have the same modes in the same order: at a linear index they agree.**
Rust: `razorgirl::Layout::tiled_divide`, `razorgirl::Layout::flat_divide`
Source: CuTe `zipped_divide`, `tiled_divide`, `flat_divide` -/
theorem flatten_forms (p : HTuple Mode × HTuple Mode) :
    (zippedForm p).flatten = p.1.flatten ++ p.2.flatten ∧ (tiledForm p).flatten = (zippedForm p).flatten ∧
      (flatForm p).flatten = (zippedForm p).flatten := by
  have h : (zippedForm p).flatten = p.1.flatten ++ p.2.flatten := by
    simp [zippedForm, HTuple.flatten, flattenList]
  rw [h]
  refine ⟨rfl, ?_, ?_⟩
  · rw [tiledForm, HTuple.flatten, flattenList, flattenList_spread]
  · rw [flatForm, HTuple.flatten, flattenList_append, flattenList_spread, flattenList_spread]

/-! ## Nothing is lost -/

mutual
theorem offsets_perm_of_unzip {kept : HTuple Mode → HTuple Mode × HTuple Mode}
    (hk : ∀ t, offsets ((kept t).1.flatten ++ (kept t).2.flatten) = offsets t.flatten) :
    (b : Tiler) → (t : HTuple Mode) → (p : HTuple Mode × HTuple Mode) → unzip kept b t = some p →
      (offsets (p.1.flatten ++ p.2.flatten)).Perm (offsets t.flatten)
  | .keep, t, p, h => by
    rw [unzip, Option.some.injEq] at h
    rw [← h, hk]
  | .layout B, .leaf m, p, h => by simp [unzip] at h
  | .layout B, .node ts, p, h => by
    match ts, h with
    | [], h => simp [unzip] at h
    | [_], h => simp [unzip] at h
    | _ :: _ :: _ :: _, h => simp [unzip] at h
    | [x, y], h =>
      rw [unzip, Option.some.injEq] at h
      rw [← h]
      simp [HTuple.flatten, flattenList]
  | .modes bs, .leaf m, p, h => by simp [unzip] at h
  | .modes bs, .node ts, p, h => by
    rw [unzip] at h
    obtain ⟨q, hq, rfl⟩ := Option.map_eq_some_iff.1 h
    exact offsets_perm_of_unzipList hk bs ts q hq
theorem offsets_perm_of_unzipList {kept : HTuple Mode → HTuple Mode × HTuple Mode}
    (hk : ∀ t, offsets ((kept t).1.flatten ++ (kept t).2.flatten) = offsets t.flatten) :
    (bs : List Tiler) → (ts : List (HTuple Mode)) → (p : List (HTuple Mode) × List (HTuple Mode)) →
    unzipList kept bs ts = some p →
      (offsets (flattenList p.1 ++ flattenList p.2)).Perm (offsets (flattenList ts))
  | [], ts, p, h => by
    rw [unzipList, Option.some.injEq] at h
    rw [← h]
    exact .refl _
  | _ :: _, [], _, h => by simp [unzipList] at h
  | b :: bs, t :: ts, p, h => by
    rw [unzipList] at h
    split at h
    · rename_i x y xs ys h1 h2
      obtain rfl := Option.some.inj h
      have e1 := offsets_perm_of_unzip hk b t _ h1
      have e2 := offsets_perm_of_unzipList hk bs ts _ h2
      refine .trans (FlatLayout.offsets_perm ?_) (offsets_append_perm e1 e2)
      simp only [flattenList, List.append_assoc]
      refine .append_left _ ?_
      rw [← List.append_assoc, ← List.append_assoc]
      exact List.perm_append_comm.append_right _
    · cases h
end

theorem offsets_allRest (t : HTuple Mode) :
    offsets ((allRest t).1.flatten ++ (allRest t).2.flatten) = offsets t.flatten := by
  refine (offsets_eq_iff _ _).2 ⟨?_, fun x _ => ?_⟩
  · simp [allRest, HTuple.flatten, FlatLayout.size_cons]
  · simp [allRest, HTuple.flatten, FlatLayout.atIndex_cons, Nat.mod_one]

theorem offsets_allTile (t : HTuple Mode) :
    offsets ((allTile t).1.flatten ++ (allTile t).2.flatten) = offsets t.flatten := by
  have hs : FlatLayout.size ([⟨1, 0⟩] : FlatLayout) = 1 := rfl
  refine (offsets_eq_iff _ _).2 ⟨?_, fun x _ => ?_⟩
  · simp only [allTile, HTuple.flatten, size_append, hs, Nat.mul_one]
  · simp only [allTile, HTuple.flatten, atIndex_append, atIndex_singleton, Nat.mod_one, Nat.zero_mul, Nat.add_zero,
      atIndex_mod_size]

mutual
theorem offsets_perm_of_transform {f : Layout → Layout → Option Layout}
    (hf : ∀ A B R, B.Valid → f A B = some R →
      R.profile.length = R.modes.length ∧ (offsets R.modes).Perm (offsets A.modes)) :
    (b : Tiler) → (t r : HTuple Mode) → b.Valid → transform f b t = some r →
      (offsets r.flatten).Perm (offsets t.flatten)
  | .keep, t, r, _, h => by
    rw [transform, Option.some.injEq] at h
    rw [h]
  | .layout B, t, r, hB, h => by
    rw [transform] at h
    obtain ⟨R, hR, rfl⟩ := Option.map_eq_some_iff.1 h
    have := hf _ _ _ hB hR
    rw [Layout.flatten_tree this.1]
    exact this.2
  | .modes bs, .leaf m, r, hB, h => by
    rw [transform] at h
    obtain ⟨rs, hrs, rfl⟩ := Option.map_eq_some_iff.1 h
    exact offsets_perm_of_transformList hf bs _ rs hB hrs
  | .modes bs, .node ts, r, hB, h => by
    rw [transform] at h
    obtain ⟨rs, hrs, rfl⟩ := Option.map_eq_some_iff.1 h
    exact offsets_perm_of_transformList hf bs _ rs hB hrs
theorem offsets_perm_of_transformList {f : Layout → Layout → Option Layout}
    (hf : ∀ A B R, B.Valid → f A B = some R →
      R.profile.length = R.modes.length ∧ (offsets R.modes).Perm (offsets A.modes)) :
    (bs : List Tiler) → (ts rs : List (HTuple Mode)) → Tiler.ValidList bs → transformList f bs ts = some rs →
      (offsets (flattenList rs)).Perm (offsets (flattenList ts))
  | [], ts, rs, _, h => by
    rw [transformList, Option.some.injEq] at h
    rw [h]
  | _ :: _, [], _, _, h => by simp [transformList] at h
  | b :: bs, t :: ts, rs, hB, h => by
    rw [transformList] at h
    split at h
    · rename_i x xs h1 h2
      obtain rfl := Option.some.inj h
      exact offsets_append_perm (offsets_perm_of_transform hf b t x hB.1 h1)
        (offsets_perm_of_transformList hf bs ts xs hB.2 h2)
    · cases h
end

/-! ## Every result has a form -/

mutual
theorem unzip_isSome_of_transform {f : Layout → Layout → Option Layout}
    {kept : HTuple Mode → HTuple Mode × HTuple Mode}
    (hf : ∀ A B R, B.Valid → f A B = some R → ∃ x y, R.tree = .node [x, y]) :
    (b : Tiler) → (t r : HTuple Mode) → b.Valid → transform f b t = some r → (unzip kept b r).isSome = true
  | .keep, t, r, _, h => rfl
  | .layout B, t, r, hB, h => by
    rw [transform] at h
    obtain ⟨R, hR, rfl⟩ := Option.map_eq_some_iff.1 h
    obtain ⟨x, y, e⟩ := hf _ _ _ hB hR
    rw [e]
    rfl
  | .modes bs, t, r, hB, h => by
    rw [transform] at h
    obtain ⟨rs, hrs, rfl⟩ := Option.map_eq_some_iff.1 h
    rw [unzip, Option.isSome_map]
    exact unzipList_isSome_of_transformList hf bs _ rs hB hrs
theorem unzipList_isSome_of_transformList {f : Layout → Layout → Option Layout}
    {kept : HTuple Mode → HTuple Mode × HTuple Mode}
    (hf : ∀ A B R, B.Valid → f A B = some R → ∃ x y, R.tree = .node [x, y]) :
    (bs : List Tiler) → (ts rs : List (HTuple Mode)) → Tiler.ValidList bs → transformList f bs ts = some rs →
      (unzipList kept bs rs).isSome = true
  | [], ts, rs, _, h => rfl
  | _ :: _, [], _, _, h => by simp [transformList] at h
  | b :: bs, t :: ts, rs, hB, h => by
    rw [transformList] at h
    split at h
    · rename_i x xs h1 h2
      obtain rfl := Option.some.inj h
      obtain ⟨p, hp⟩ := Option.isSome_iff_exists.1 (unzip_isSome_of_transform (kept := kept) hf b t x hB.1 h1)
      obtain ⟨q, hq⟩ := Option.isSome_iff_exists.1
        (unzipList_isSome_of_transformList (kept := kept) hf bs ts xs hB.2 h2)
      rw [unzipList, hp, hq]
      rfl
    · cases h
end

/-- Where `f` makes pairs, every form is there as soon as the mode-by-mode result is, and comes from its parts. -/
theorem arrange_eq {f : Layout → Layout → Option Layout} {kept : HTuple Mode → HTuple Mode × HTuple Mode}
    (hf : ∀ A B R, B.Valid → f A B = some R → ∃ x y, R.tree = .node [x, y])
    (form : HTuple Mode × HTuple Mode → HTuple Mode) {A L : Layout} {b : Tiler} (hb : b.Valid)
    (h : transformBy f A b = some L) :
    ∃ p, unzip kept b L.tree = some p ∧ arrange form kept f A b = some (ofTree (form p)) := by
  rw [transformBy] at h
  obtain ⟨t, ht, rfl⟩ := Option.map_eq_some_iff.1 h
  obtain ⟨p, hp⟩ := Option.isSome_iff_exists.1 (unzip_isSome_of_transform (kept := kept) hf b _ t hb ht)
  refine ⟨p, by rw [tree_ofTree, hp], ?_⟩
  rw [arrange, ht]
  simp only [hp, Option.map_some]

theorem arrange_eq_none {f : Layout → Layout → Option Layout} {kept : HTuple Mode → HTuple Mode × HTuple Mode}
    {form : HTuple Mode × HTuple Mode → HTuple Mode} {A : Layout} {b : Tiler}
    (h : transformBy f A b = none) : arrange form kept f A b = none := by
  rw [transformBy, Option.map_eq_none_iff] at h
  rw [arrange, h]

/-- **A form is refused exactly when the mode-by-mode result is.**
Rust: `razorgirl::Layout::zipped_divide`, `razorgirl::Layout::tiled_divide`, `razorgirl::Layout::flat_divide`
Source: CuTe `zipped_divide`, `tiled_divide`, `flat_divide` -/
theorem arrange_isSome_iff {f : Layout → Layout → Option Layout} {kept : HTuple Mode → HTuple Mode × HTuple Mode}
    (hf : ∀ A B R, B.Valid → f A B = some R → ∃ x y, R.tree = .node [x, y])
    (form : HTuple Mode × HTuple Mode → HTuple Mode) {A : Layout} {b : Tiler} (hb : b.Valid) :
    (arrange form kept f A b).isSome = (transformBy f A b).isSome := by
  cases h : transformBy f A b with
  | none => rw [arrange_eq_none h]
  | some L =>
    obtain ⟨p, _, hp⟩ := arrange_eq (kept := kept) hf form hb h
    rw [hp]
    rfl

/-! ## Mode by mode -/

theorem transformList_layouts (f : Layout → Layout → Option Layout) (ts : List (HTuple Mode)) (Bs : List Layout) :
    transformList f (Bs.map .layout) ts = (eachModeKeep f (ts.map ofTree) Bs).map (List.map tree) := by
  induction Bs generalizing ts with
  | nil =>
    cases ts with
    | nil => rfl
    | cons t ts =>
      rw [List.map_nil, transformList, eachModeKeep, Option.map_some, List.map_map]
      exact congrArg some (by
        rw [show (tree ∘ ofTree) = id from funext tree_ofTree, List.map_id])
  | cons B Bs ih =>
    cases ts with
    | nil => rfl
    | cons t ts =>
      rw [List.map_cons, List.map_cons, transformList, eachModeKeep, transform, ih]
      cases f (ofTree t) B <;> cases eachModeKeep f (ts.map ofTree) Bs <;> rfl

theorem profile_length_of_eachModeKeep {f : Layout → Layout → Option Layout}
    (hf : ∀ A B R, f A B = some R → R.profile.length = R.modes.length) {As Bs Rs : List Layout}
    (hA : ∀ A ∈ As, A.profile.length = A.modes.length) (h : eachModeKeep f As Bs = some Rs) :
    ∀ R ∈ Rs, R.profile.length = R.modes.length := by
  induction Bs generalizing As Rs with
  | nil =>
    obtain rfl : As = Rs := by cases As <;> simpa [eachModeKeep] using h
    exact hA
  | cons B Bs ih =>
    cases As with
    | nil => simp [eachModeKeep] at h
    | cons A As =>
      rw [eachModeKeep] at h
      split at h
      · rename_i S Ss hS hSs
        obtain rfl := Option.some.inj h
        intro R hR
        rcases List.mem_cons.1 hR with rfl | hR
        · exact hf _ _ _ hS
        · exact ih (fun A hA' => hA A (by simp [hA'])) hSs R hR
      · cases h

/-- A tuple of layouts acts on each mode with its layout, and leaves further modes. -/
theorem transformBy_layouts {f : Layout → Layout → Option Layout}
    (hf : ∀ A B R, f A B = some R → R.profile.length = R.modes.length) (A : Layout) (Bs : List Layout) :
    transformBy f A (.modes (Bs.map .layout)) = (eachModeKeep f (topLayouts A) Bs).map concat := by
  rw [transformBy, transform, transformList_layouts, topLayouts]
  cases h : eachModeKeep f ((children A.tree).map ofTree) Bs with
  | none => rfl
  | some Rs =>
    refine congrArg some (ofTree_node_map_tree (profile_length_of_eachModeKeep hf ?_ h))
    intro L hL
    obtain ⟨t, _, rfl⟩ := List.mem_map.1 hL
    exact profile_length_ofTree t

/-- A layout as a tiler acts on the whole. -/
theorem transformBy_layout {f : Layout → Layout → Option Layout}
    (hf : ∀ A B R, f A B = some R → R.profile.length = R.modes.length) {A : Layout} (hA : A.Valid) (B : Layout) :
    transformBy f A (.layout B) = f A B := by
  rw [transformBy, transform, Layout.ofTree_tree_of_length hA.1]
  cases h : f A B with
  | none => rfl
  | some R => exact congrArg some (Layout.ofTree_tree_of_length (hf _ _ _ h))

theorem transformBy_keep (f : Layout → Layout → Option Layout) {A : Layout} (hA : A.Valid) :
    transformBy f A .keep = some A := by
  rw [transformBy, transform, Option.map_some, Layout.ofTree_tree_of_length hA.1]

/-- The modes of a concatenation. -/
theorem topLayouts_concat {As : List Layout} (h : ∀ A ∈ As, A.Valid) : topLayouts (concat As) = As := by
  rw [topLayouts, tree_concat h, children, List.map_map]
  refine (List.map_congr_left fun A hA => ?_).trans (List.map_id As)
  exact Layout.ofTree_tree_of_length (h A hA).1

end Layout

end Razorgirl
