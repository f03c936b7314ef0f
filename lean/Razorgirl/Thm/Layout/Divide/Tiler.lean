module

public import Razorgirl.Thm.Layout.Divide
public import Razorgirl.Thm.Layout.Tiler

@[expose] public section

/-!
# Division by tilers: what is proved

Mode by mode, each mode is divided on its own, and the offsets stay those of A, each as often. The zipped, tiled and
flat forms only move coordinates: `divideCoord` says where to.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout Layout.Aux

/-! ## Mode by mode -/

theorem profile_length_of_logicalDivide {A T R : Layout} (h : logicalDivide A T = some R) :
    R.profile.length = R.modes.length := by
  rw [logicalDivide, divideWith] at h
  split at h
  · exact profile_length_of_composition h
  · cases h

/-- **Dividing by a layout as a tiler is dividing by it; the integer `n` is the layout `n:1`.**
Rust: `razorgirl::Layout::logical_divide`
Source: CuTe `logical_divide` -/
theorem logicalDivideBy_layout {A : Layout} (hA : A.Valid) (T : Layout) :
    logicalDivideBy A (.layout T) = logicalDivide A T :=
  transformBy_layout (fun _ _ _ => profile_length_of_logicalDivide) hA T

/-- **`_` keeps a layout as it is.**
Rust: `razorgirl::Layout::logical_divide`
Source: CuTe `logical_divide` -/
theorem logicalDivideBy_keep {A : Layout} (hA : A.Valid) :
    logicalDivideBy A .keep = some A := transformBy_keep _ hA

/-- **A tuple of layouts divides each mode by its layout and leaves further modes as they are.**
Rust: `razorgirl::Layout::logical_divide`
Source: CuTe `logical_divide`; Cecka, by-mode division -/
theorem logicalDivideBy_layouts (A : Layout) (Ts : List Layout) :
    logicalDivideBy A (.modes (Ts.map .layout)) = (eachModeKeep logicalDivide (topLayouts A) Ts).map concat :=
  transformBy_layouts (fun _ _ _ => profile_length_of_logicalDivide) A Ts

/-- **A concatenation divided by a tuple of layouts is the concatenation of the divisions.**
Rust: `razorgirl::Layout::logical_divide`
Source: CuTe `logical_divide`; Cecka, by-mode division -/
theorem logicalDivideBy_concat {As : List Layout} (hA : ∀ A ∈ As, A.Valid) (Ts : List Layout) :
    logicalDivideBy (concat As) (.modes (Ts.map .layout)) = (eachModeKeep logicalDivide As Ts).map concat := by
  have := logicalDivideBy_layouts (concat As) Ts
  rwa [topLayouts_concat hA] at this

theorem tree_of_isDivision {A T R : Layout} (hT : T.Valid) (h : IsDivision A T R) :
    ∃ x y, R.tree = .node [x, y] := by
  obtain ⟨C, R₀, R₁, _, h0, h1, rfl⟩ := isDivision_modes hT h
  refine ⟨R₀.tree, R₁.tree, tree_concat fun L hL => ?_⟩
  rcases List.mem_cons.1 hL with rfl | hL
  · exact h0.1
  · rw [List.mem_singleton.1 hL]; exact h1.1

/-- **A division by any tiler has the same offsets as A, each as often, in another order.**
Rust: `razorgirl::Layout::logical_divide`
Source: CuTe `logical_divide` (which may lose offsets); Cecka, by-mode division -/
theorem logicalDivideBy_offsets_perm {A R : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    (h : logicalDivideBy A b = some R) : (offsets R.modes).Perm (offsets A.modes) := by
  rw [logicalDivideBy, transformBy] at h
  obtain ⟨t, ht, rfl⟩ := Option.map_eq_some_iff.1 h
  have := offsets_perm_of_transform (fun A T R hT hR => by
    have hd := logicalDivide_sound hT hR
    exact ⟨(isDivision_valid hd).1, isDivision_offsets_perm hT hd⟩) b A.tree t hb ht
  rwa [Layout.flatten_tree hA.1] at this

/-- **A division by any tiler has as many coordinates as A.**
Rust: `razorgirl::Layout::logical_divide`
Source: CuTe `logical_divide` (which may lose coordinates, or add some) -/
theorem logicalDivideBy_size {A R : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    (h : logicalDivideBy A b = some R) : R.size = A.size :=
  size_eq_of_offsets_perm (logicalDivideBy_offsets_perm hA hb h)

/-! ## The forms -/

theorem pairs_of_logicalDivide :
    ∀ A B R, B.Valid → logicalDivide A B = some R → ∃ x y, R.tree = .node [x, y] :=
  fun _ _ _ hB h => tree_of_isDivision hB (logicalDivide_sound hB h)

/-- **The zipped, the tiled and the flat division are refused exactly when the mode-by-mode division is.**
Rust: `razorgirl::Layout::zipped_divide`, `razorgirl::Layout::tiled_divide`, `razorgirl::Layout::flat_divide`
Source: CuTe `zipped_divide`, `tiled_divide`, `flat_divide` -/
theorem divide_forms_isSome_iff {A : Layout} {b : Tiler} (hb : b.Valid) :
    (zippedDivide A b).isSome = (logicalDivideBy A b).isSome ∧
      (tiledDivide A b).isSome = (logicalDivideBy A b).isSome ∧
      (flatDivide A b).isSome = (logicalDivideBy A b).isSome :=
  have s := pairs_of_logicalDivide
  ⟨arrange_isSome_iff s _ hb, arrange_isSome_iff s _ hb, arrange_isSome_iff s _ hb⟩

/-- A division in one of the forms, in terms of its parts. -/
theorem arrange_divide {form : HTuple Mode × HTuple Mode → HTuple Mode} {A L Z : Layout} {b : Tiler} (hb : b.Valid)
    (hL : logicalDivideBy A b = some L) (hZ : arrange form allRest logicalDivide A b = some Z) :
    ∃ p, unzip allRest b L.tree = some p ∧ Z = ofTree (form p) ∧
      ∀ a c, FollowsTiler b a c →
        plus ((ofTree p.1).call a) ((ofTree p.2).call c) = L.call (divideCoord b a c) := by
  obtain ⟨p, hp, h⟩ := arrange_eq (kept := allRest) pairs_of_logicalDivide form hb hL
  rw [h] at hZ
  refine ⟨p, hp, (Option.some.inj hZ).symm, fun a c hac => ?_⟩
  have hl : ofTree L.tree = L := by
    rw [logicalDivideBy, transformBy] at hL
    obtain ⟨t, _, rfl⟩ := Option.map_eq_some_iff.1 hL
    rw [tree_ofTree]
  rw [← hl]
  exact plus_call_of_unzip (fun t a c h => by rw [allRest, call_unit h, zero_plus]) b _ p a c hp hac

/-- **The zipped division at (tile coordinates, rest coordinates) is the mode-by-mode division at the pairs of them:
`zipped((t₀,t₁),(r₀,r₁,x)) = logical((t₀,r₀),(t₁,r₁),x)`.**
Rust: `razorgirl::Layout::zipped_divide`
Source: CuTe `zipped_divide` -/
theorem zippedDivide_call {A L Z : Layout} {b : Tiler} (hb : b.Valid) {a c : Coord} (h : FollowsTiler b a c)
    (hL : logicalDivideBy A b = some L) (hZ : zippedDivide A b = some Z) :
    Z.call (.node [a, c]) = L.call (divideCoord b a c) := by
  obtain ⟨p, _, rfl, hp⟩ := arrange_divide hb hL hZ
  rw [call_zippedForm, hp a c h]

/-- **The zipped, the tiled and the flat division have the same modes in the same order: at a linear index they
agree. They differ in nesting only.**
Rust: `razorgirl::Layout::tiled_divide`, `razorgirl::Layout::flat_divide`
Source: CuTe `zipped_divide`, `tiled_divide`, `flat_divide` -/
theorem divide_forms_modes {A Z D F : Layout} {b : Tiler}
    (hZ : zippedDivide A b = some Z) (hD : tiledDivide A b = some D) (hF : flatDivide A b = some F) :
    D.modes = Z.modes ∧ F.modes = Z.modes := by
  rw [zippedDivide, arrange] at hZ
  rw [tiledDivide, arrange] at hD
  rw [flatDivide, arrange] at hF
  split at hZ
  · rename_i t ht
    rw [ht] at hD hF
    obtain ⟨p, hp, rfl⟩ := Option.map_eq_some_iff.1 hZ
    simp only [hp, Option.map_some, Option.some.injEq] at hD hF
    rw [← hD, ← hF]
    exact (flatten_forms p).2
  · cases hZ

/-- **The tiled division is the zipped one with the coordinates of the rests side by side, and the flat division also
with those of the tiles.**
Rust: `razorgirl::Layout::tiled_divide`, `razorgirl::Layout::flat_divide`
Source: CuTe `tiled_divide`, `flat_divide` -/
theorem divide_forms_call {A Z D F : Layout} {b : Tiler}
    (hZ : zippedDivide A b = some Z) (hD : tiledDivide A b = some D) (hF : flatDivide A b = some F) :
    ∃ p : HTuple Mode × HTuple Mode, Z = ofTree (.node [p.1, p.2]) ∧ (∀ a c, Opens p.2 c →
        D.call (.node (a :: spreadCoord p.2 c)) = Z.call (.node [a, c])) ∧
      ∀ a c, Opens p.1 a → Opens p.2 c →
        F.call (.node (spreadCoord p.1 a ++ spreadCoord p.2 c)) = Z.call (.node [a, c]) := by
  have key : ∃ p, Z = ofTree (zippedForm p) ∧ D = ofTree (tiledForm p) ∧ F = ofTree (flatForm p) := by
    rw [zippedDivide, arrange] at hZ
    rw [tiledDivide, arrange] at hD
    rw [flatDivide, arrange] at hF
    split at hZ
    · rename_i t ht
      rw [ht] at hD hF
      obtain ⟨p, hp, rfl⟩ := Option.map_eq_some_iff.1 hZ
      simp only [hp, Option.map_some, Option.some.injEq] at hD hF
      exact ⟨p, rfl, hD.symm, hF.symm⟩
    · cases hZ
  obtain ⟨p, rfl, rfl, rfl⟩ := key
  exact ⟨p, rfl, fun a c h => call_tiledForm p a h, fun a c ha hc => call_flatForm p ha hc⟩

theorem unzipList_cons {b : Tiler} {bs : List Tiler} {ts : List (HTuple Mode)}
    {q : List (HTuple Mode) × List (HTuple Mode)} (h : unzipList allRest (b :: bs) ts = some q) :
    ∃ x y r us, unzipList allRest bs us = some r ∧ q = (x :: r.1, y :: r.2) := by
  cases ts with
  | nil => simp [unzipList] at h
  | cons t us =>
    rw [unzipList] at h
    split at h
    · rename_i x y xs ys _ h2
      exact ⟨x, y, (xs, ys), us, h2, (Option.some.inj h).symm⟩
    · cases h

/-- **By a tuple of two layouts, the four divisions are one function: mode by mode at `((t₀,r₀),(t₁,r₁),x…)`, zipped
at `((t₀,t₁),(r₀,r₁,x…))`, tiled at `((t₀,t₁),r₀,r₁,x…)`, flat at `(t₀,t₁,r₀,r₁,x…)`.**
Rust: `razorgirl::Layout::zipped_divide`, `razorgirl::Layout::tiled_divide`, `razorgirl::Layout::flat_divide`
Source: CuTe `zipped_divide`, `tiled_divide`, `flat_divide` -/
theorem divide_pair_call {A L Z D F S T : Layout} (hS : S.Valid) (hT : T.Valid)
    (hL : logicalDivideBy A (.modes [.layout S, .layout T]) = some L)
    (hZ : zippedDivide A (.modes [.layout S, .layout T]) = some Z)
    (hD : tiledDivide A (.modes [.layout S, .layout T]) = some D)
    (hF : flatDivide A (.modes [.layout S, .layout T]) = some F) (t₀ t₁ r₀ r₁ : Coord) (xs : List Coord) :
    Z.call (.node [.node [t₀, t₁], .node (r₀ :: r₁ :: xs)]) = L.call (.node (.node [t₀, r₀] :: .node [t₁, r₁] :: xs)) ∧
      D.call (.node (.node [t₀, t₁] :: r₀ :: r₁ :: xs)) = L.call (.node (.node [t₀, r₀] :: .node [t₁, r₁] :: xs)) ∧
      F.call (.node (t₀ :: t₁ :: r₀ :: r₁ :: xs)) = L.call (.node (.node [t₀, r₀] :: .node [t₁, r₁] :: xs)) := by
  have hb : Tiler.Valid (.modes [.layout S, .layout T]) := ⟨hS, hT, trivial⟩
  obtain ⟨p, hu, rfl, hp⟩ := arrange_divide hb hL hZ
  obtain ⟨q, hv, rfl, _⟩ := arrange_divide hb hL hD
  obtain rfl : p = q := Option.some.inj (hu.symm.trans hv)
  obtain ⟨q, hv, rfl, _⟩ := arrange_divide hb hL hF
  obtain rfl : p = q := Option.some.inj (hu.symm.trans hv)
  have e := hp (.node [t₀, t₁]) (.node (r₀ :: r₁ :: xs)) ⟨trivial, trivial, trivial⟩
  have ec : divideCoord (.modes [.layout S, .layout T]) (.node [t₀, t₁]) (.node (r₀ :: r₁ :: xs)) =
      .node (.node [t₀, r₀] :: .node [t₁, r₁] :: xs) := by simp [zipCoord, zipCoords]
  rw [ec] at e
  have hform : ∃ x₀ x₁ y₀ y₁ ys, p = (.node [x₀, x₁], .node (y₀ :: y₁ :: ys)) := by
    generalize L.tree = t at hu
    match t, hu with
    | .leaf _, hu => simp [unzip] at hu
    | .node ts, hu =>
      rw [unzip] at hu
      obtain ⟨q, hq, rfl⟩ := Option.map_eq_some_iff.1 hu
      obtain ⟨x₀, y₀, r, us, h2, rfl⟩ := unzipList_cons hq
      obtain ⟨x₁, y₁, r, vs, h3, rfl⟩ := unzipList_cons h2
      rw [unzipList, Option.some.injEq] at h3
      rw [← h3]
      exact ⟨x₀, x₁, y₀, y₁, vs, rfl⟩
  obtain ⟨x₀, x₁, y₀, y₁, ys, rfl⟩ := hform
  rw [← e, call_zippedForm]
  refine ⟨rfl, ?_, ?_⟩
  · rw [tiledForm, call_node, List.map_cons, sumCalls_cons, spread, call_node (y₀ :: y₁ :: ys)]
    simp
  · rw [flatForm, spread, spread, call_node, call_node, call_node]
    · exact sumCalls_append (Ks := [ofTree x₀, ofTree x₁]) (cs := [t₀, t₁]) rfl _ _
    · simp
    · simp

/-- **Zipped, tiled and flat divisions have the offsets of A, each as often, and as many coordinates.**
Rust: `razorgirl::Layout::zipped_divide`, `razorgirl::Layout::tiled_divide`, `razorgirl::Layout::flat_divide`
Source: CuTe `zipped_divide`, `tiled_divide`, `flat_divide` (which may lose offsets) -/
theorem divide_forms_offsets_perm {A Z : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    (h : zippedDivide A b = some Z ∨ tiledDivide A b = some Z ∨ flatDivide A b = some Z) :
    (offsets Z.modes).Perm (offsets A.modes) ∧ Z.size = A.size := by
  have key : ∀ form, (∀ p, (form p).flatten = (zippedForm p).flatten) →
      arrange form allRest logicalDivide A b = some Z → (offsets Z.modes).Perm (offsets A.modes) := by
    intro form hform hZ
    rw [arrange] at hZ
    split at hZ
    · rename_i t ht
      obtain ⟨p, hp, rfl⟩ := Option.map_eq_some_iff.1 hZ
      have h1 := offsets_perm_of_unzip offsets_allRest b t p hp
      have h2 : (offsets t.flatten).Perm (offsets A.modes) :=
        logicalDivideBy_offsets_perm hA hb (R := ofTree t)
          (by rw [logicalDivideBy, transformBy, ht, Option.map_some])
      rw [ofTree, hform, (flatten_forms p).1]
      exact h1.trans h2
    · cases hZ
  have hp : (offsets Z.modes).Perm (offsets A.modes) := by
    rcases h with h | h | h
    · exact key zippedForm (fun _ => rfl) h
    · exact key tiledForm (fun p => (flatten_forms p).2.1) h
    · exact key flatForm (fun p => (flatten_forms p).2.2) h
  exact ⟨hp, size_eq_of_offsets_perm hp⟩

end Layout

end Razorgirl
