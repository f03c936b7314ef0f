module

public import Razorgirl.Spec.Layout.Composition.By
public import Razorgirl.Spec.Layout.Tiler.Coord
public import Razorgirl.Thm.Layout.Composition

@[expose] public section

/-!
# Composition by tiler: what is proved

A tuple of layouts composes mode by mode.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout

/-! ## Mode by mode -/

theorem profile_length_of_composition {A B R : Layout} (h : composition A B = some R) :
    R.profile.length = R.modes.length := by
  rw [composition] at h
  split at h
  · split at h
    · obtain rfl := Option.some.inj h
      exact Aux.profile_length_ofTree _
    · cases h
  · cases h

theorem ofTree_node_map_tree {Rs : List Layout} (h : ∀ R ∈ Rs, R.profile.length = R.modes.length) :
    ofTree (.node (Rs.map tree)) = concat Rs := by
  have h1 : flattenList (Rs.map tree) = concatModes Rs := by
    induction Rs with
    | nil => rfl
    | cons R Rs ih =>
      rw [List.map_cons, flattenList, concatModes, Layout.flatten_tree (h R (by simp)),
        ih fun S hS => h S (by simp [hS])]
  refine Aux.ext' h1 ?_
  show HTuple.node (mapList (fun _ => ()) (Rs.map tree)) = .node (Rs.map profile)
  rw [mapList_eq_map, List.map_map]
  exact congrArg HTuple.node (List.map_congr_left fun R _ => Layout.profile_tree R)

theorem byTilers_layouts (f : Layout → Layout → Option Layout) (ts : List (HTuple Mode)) (Bs : List Layout) :
    byTilers f (Bs.map .layout) ts = (eachMode f (ts.map ofTree) Bs).map (List.map tree) := by
  induction Bs generalizing ts with
  | nil => cases ts <;> rfl
  | cons B Bs ih =>
    cases ts with
    | nil => rfl
    | cons t ts =>
      rw [List.map_cons, List.map_cons, byTilers, eachMode, byTiler, ih]
      cases f (ofTree t) B <;> cases eachMode f (ts.map ofTree) Bs <;> rfl

theorem profile_length_of_eachMode {f : Layout → Layout → Option Layout}
    (hf : ∀ A B R, f A B = some R → R.profile.length = R.modes.length) {As Bs Rs : List Layout}
    (h : eachMode f As Bs = some Rs) : ∀ R ∈ Rs, R.profile.length = R.modes.length := by
  induction Bs generalizing As Rs with
  | nil =>
    obtain rfl : [] = Rs := by cases As <;> simpa [eachMode] using h
    simp
  | cons B Bs ih =>
    cases As with
    | nil => simp [eachMode] at h
    | cons A As =>
      rw [eachMode] at h
      split at h
      · rename_i S Ss hS hSs
        obtain rfl := Option.some.inj h
        intro R hR
        rcases List.mem_cons.1 hR with rfl | hR
        · exact hf _ _ _ hS
        · exact ih hSs R hR
      · cases h

/-- **Composing with a tuple of layouts composes each mode with its layout and puts the results side by side; modes
beyond the tuple are dropped.**
Rust: `razorgirl::Layout::composition_by`
Source: CuTe `composition` with a tiler; Cecka (arXiv 2603.02298), by-mode composition -/
theorem compositionBy_layouts (A : Layout) (Bs : List Layout) :
    compositionBy A (.modes (Bs.map .layout)) = (eachMode composition (topLayouts A) Bs).map concat := by
  rw [compositionBy, byTiler, byTilers_layouts, topLayouts]
  cases h : eachMode composition ((children A.tree).map ofTree) Bs with
  | none => rfl
  | some Rs =>
    exact congrArg some (ofTree_node_map_tree (profile_length_of_eachMode
      (fun _ _ _ hc => profile_length_of_composition hc) h))

theorem eachComposite_of_eachMode {As Bs Rs : List Layout} (hB : ∀ B ∈ Bs, B.Valid)
    (h : eachMode composition As Bs = some Rs) : EachComposite As Bs Rs := by
  induction Bs generalizing As Rs with
  | nil =>
    obtain rfl : [] = Rs := by cases As <;> simpa [eachMode] using h
    cases As <;> trivial
  | cons B Bs ih =>
    cases As with
    | nil => simp [eachMode] at h
    | cons A As =>
      rw [eachMode] at h
      split at h
      · rename_i S Ss hS hSs
        obtain rfl := Option.some.inj h
        exact ⟨composition_sound (hB B (by simp)) hS, ih (fun C hC => hB C (by simp [hC])) hSs⟩
      · cases h

/-- **Each mode of the result of composing with a tuple of layouts is the composite of that mode with its layout.**
Rust: `razorgirl::Layout::composition_by`
Source: CuTe `composition` with a tiler; Cecka (arXiv 2603.02298), by-mode composition -/
theorem compositionBy_layouts_sound {A R : Layout} {Bs : List Layout} (hB : ∀ B ∈ Bs, B.Valid)
    (h : compositionBy A (.modes (Bs.map .layout)) = some R) :
    ∃ Rs, R = concat Rs ∧ EachComposite (topLayouts A) Bs Rs := by
  rw [compositionBy_layouts] at h
  obtain ⟨Rs, h1, rfl⟩ := Option.map_eq_some_iff.1 h
  exact ⟨Rs, rfl, eachComposite_of_eachMode hB h1⟩

/-- **Composing with a layout as a tiler is composing with it.**
Rust: `razorgirl::Layout::composition_by`
Source: CuTe `composition` -/
theorem compositionBy_layout {A : Layout} (hA : A.Valid) (B : Layout) :
    compositionBy A (.layout B) = composition A B := by
  rw [compositionBy, byTiler, Layout.ofTree_tree_of_length hA.1]
  cases h : composition A B with
  | none => rfl
  | some R => exact congrArg some (Layout.ofTree_tree_of_length (profile_length_of_composition h))

/-- **`_` keeps a layout as it is.**
Rust: `razorgirl::Layout::composition_by`
Source: CuTe `composition` -/
theorem compositionBy_keep {A : Layout} (hA : A.Valid) : compositionBy A .keep = some A := by
  rw [compositionBy, byTiler, Option.map_some, Layout.ofTree_tree_of_length hA.1]

/-! ## Worked examples -/

/-- `(4,6):(1,40)` by `⟨2:1, 3:2⟩`: each mode by its own. -/
example : (compositionBy ⟨[⟨4, 1⟩, ⟨6, 40⟩], .node [.leaf (), .leaf ()]⟩
      (.modes [.layout ⟨[⟨2, 1⟩], .leaf ()⟩, .layout ⟨[⟨3, 2⟩], .leaf ()⟩])).map modes =
    some [⟨2, 1⟩, ⟨3, 80⟩] := by decide +kernel
/-- Modes beyond the tuple are dropped, and `_` keeps one. -/
example : (compositionBy ⟨[⟨4, 1⟩, ⟨6, 40⟩], .node [.leaf (), .leaf ()]⟩ (.modes [.keep])).map modes =
    some [⟨4, 1⟩] := by decide +kernel
end Layout

end Razorgirl
