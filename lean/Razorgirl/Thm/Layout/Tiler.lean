module

public import Razorgirl.Spec.Layout.Tiler
public import Razorgirl.Thm.Layout.Composition

@[expose] public section

/-!
# Composition by tiler, and beyond the domain: what is proved

A tuple of layouts composes mode by mode. The extended composition is the composition where that is defined, and
otherwise agrees with it wherever the inner layout stays inside the outer one.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout

/-! ## Mode by mode -/

/-- The top-level modes as layouts. -/
def topLayouts (A : Layout) : List Layout := (topModes A.tree).map ofTree

/-- `f` for each pair of layouts; `none` if there are more of the second. -/
def eachMode (f : Layout → Layout → Option Layout) : (As Bs : List Layout) → Option (List Layout)
  | _, [] => some []
  | [], _ :: _ => none
  | A :: As, B :: Bs =>
    match f A B, eachMode f As Bs with
    | some R, some Rs => some (R :: Rs)
    | _, _ => none

/-- Each of `Rs` is the composite of its partners; further layouts of `As` have none. -/
def EachComposite : (As Bs Rs : List Layout) → Prop
  | _, [], [] => True
  | A :: As, B :: Bs, R :: Rs => IsComposite A B R ∧ EachComposite As Bs Rs
  | _, _, _ => False

theorem profile_length_of_compose {A B R : Layout} (h : compose A B = some R) :
    R.profile.length = R.modes.length := by
  rw [compose] at h
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
      rw [List.map_cons, flattenList, concatModes, Aux.tree_flatten (h R (by simp)),
        ih fun S hS => h S (by simp [hS])]
  refine Aux.ext' h1 ?_
  show HTuple.node (mapList (fun _ => ()) (Rs.map tree)) = .node (Rs.map profile)
  rw [mapList_eq_map, List.map_map]
  exact congrArg HTuple.node (List.map_congr_left fun R _ => Aux.tree_profile R)

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
theorem composeBy_layouts (A : Layout) (Bs : List Layout) :
    composeBy A (.modes (Bs.map .layout)) = (eachMode compose (topLayouts A) Bs).map concat := by
  rw [composeBy, byTiler, byTilers_layouts, topLayouts]
  cases h : eachMode compose ((topModes A.tree).map ofTree) Bs with
  | none => rfl
  | some Rs =>
    exact congrArg some (ofTree_node_map_tree (profile_length_of_eachMode
      (fun _ _ _ hc => profile_length_of_compose hc) h))

theorem eachComposite_of_eachMode {As Bs Rs : List Layout} (hB : ∀ B ∈ Bs, B.Valid)
    (h : eachMode compose As Bs = some Rs) : EachComposite As Bs Rs := by
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
        exact ⟨compose_sound (hB B (by simp)) hS, ih (fun C hC => hB C (by simp [hC])) hSs⟩
      · cases h

/-- **Each mode of the result of composing with a tuple of layouts is the composite of that mode with its layout.**
Rust: `razorgirl::Layout::composition_by`
Source: CuTe `composition` with a tiler; Cecka (arXiv 2603.02298), by-mode composition -/
theorem composeBy_layouts_sound {A R : Layout} {Bs : List Layout} (hB : ∀ B ∈ Bs, B.Valid)
    (h : composeBy A (.modes (Bs.map .layout)) = some R) :
    ∃ Rs, R = concat Rs ∧ EachComposite (topLayouts A) Bs Rs := by
  rw [composeBy_layouts] at h
  obtain ⟨Rs, h1, rfl⟩ := Option.map_eq_some_iff.1 h
  exact ⟨Rs, rfl, eachComposite_of_eachMode hB h1⟩

/-- **Composing with a layout as a tiler is composing with it.**
Rust: `razorgirl::Layout::composition_by`
Source: CuTe `composition` -/
theorem composeBy_layout {A : Layout} (hA : A.Valid) (B : Layout) : composeBy A (.layout B) = compose A B := by
  rw [composeBy, byTiler, Aux.ofTree_tree hA.1]
  cases h : compose A B with
  | none => rfl
  | some R => exact congrArg some (Aux.ofTree_tree (profile_length_of_compose h))

/-- **`_` keeps a layout as it is.**
Rust: `razorgirl::Layout::composition_by`
Source: CuTe `composition` -/
theorem composeBy_keep {A : Layout} (hA : A.Valid) : composeBy A .keep = some A := by
  rw [composeBy, byTiler, Option.map_some, Aux.ofTree_tree hA.1]

/-! ## Beyond the domain -/

/-- **Where the inner layout stays in the domain, the extended composition is the composition.**
Rust: `razorgirl::Layout::composition_extended`
Source: CuTe `composition` -/
theorem composeExtended_of_le {A B : Layout} (h : cosizeFormula B.modes ≤ A.size) :
    composeExtended A B = compose A B := by
  rw [composeExtended, if_pos h]

theorem composeExtended_of_compose {A B R : Layout} (h : compose A B = some R) : composeExtended A B = some R := by
  have hle : cosizeFormula B.modes ≤ A.size := by
    rw [compose] at h
    split at h
    · assumption
    · cases h
  rw [composeExtended_of_le hle, h]

theorem size_of_growLast_none {n : Nat} {A : FlatLayout} (hv : FlatLayout.Valid A) (h : growLast n A = none) :
    FlatLayout.size A = 1 := by
  induction A generalizing n with
  | nil => rfl
  | cons m A ih =>
    rw [growLast] at h
    split at h
    · cases h
    · rename_i hA
      split at h
      · have := hv.1
        rw [size_cons, ih hv.2 hA, show m.extent = 1 by omega]
      · cases h

/-- **Growing the last mode adds coordinates and changes no offset of those that were there.**
Rust: `razorgirl::Layout::composition_extended`
Source: CuTe `composition`, where the last mode grows silently -/
theorem growLast_spec {n : Nat} {A A' : FlatLayout} (hv : FlatLayout.Valid A) (hn : FlatLayout.size A < n)
    (h : growLast n A = some A') :
    n ≤ FlatLayout.size A' ∧ ∀ x, x < FlatLayout.size A → atIndex A' x = atIndex A x := by
  induction A generalizing n A' with
  | nil => simp [growLast] at h
  | cons m A ih =>
    have hm : 0 < m.extent := hv.1
    rw [size_cons] at hn
    rw [growLast] at h
    split at h
    · rename_i B hB
      obtain rfl := Option.some.inj h
      have h1 := Nat.div_add_mod (n + m.extent - 1) m.extent
      have h2 := Nat.mod_lt (n + m.extent - 1) hm
      generalize (n + m.extent - 1) / m.extent = q at hB h1
      have h3 : n ≤ m.extent * q := by omega
      obtain ⟨i1, i2⟩ := ih hv.2 (Nat.lt_of_mul_lt_mul_left (Nat.lt_of_lt_of_le hn h3)) hB
      refine ⟨Nat.le_trans h3 (Nat.mul_le_mul_left _ i1), fun x hx => ?_⟩
      rw [atIndex_cons, atIndex_cons, i2 _ (Nat.div_lt_of_lt_mul (by rwa [size_cons] at hx))]
    · rename_i hB
      split at h
      · cases h
      · obtain rfl := Option.some.inj h
        have h1 := size_of_growLast_none hv.2 hB
        rw [size_cons, size_cons, h1]
        rw [h1] at hn
        refine ⟨by simp, fun x hx => ?_⟩
        have hx1 : x < m.extent := by omega
        have hx2 : x < n := by omega
        rw [atIndex_cons, atIndex_cons, Nat.mod_eq_of_lt hx1, Nat.div_eq_of_lt hx1]
        simp only [Nat.mod_eq_of_lt hx2, Nat.div_eq_of_lt hx2]

/-- **Whatever the extended composition accepts equals A after B at every coordinate that B keeps inside A.**
Rust: `razorgirl::Layout::composition_extended`
Source: CuTe `composition`, where the last mode grows silently -/
theorem composeExtended_atIndex {A B R : Layout} (hA : A.Valid) (hB : B.Valid) (h : composeExtended A B = some R)
    {x : Nat} (hx : x < B.size) (hin : atIndex B.modes x < A.size) :
    atIndex R.modes x = atIndex A.modes (atIndex B.modes x) := by
  rw [composeExtended] at h
  split at h
  · exact isComposite_atIndex (compose_sound hB h) hx
  · rename_i hc
    split at h
    · rename_i ms hms
      rw [isComposite_atIndex (compose_sound hB h) hx]
      have hc : FlatLayout.size A.modes < cosizeFormula B.modes := Nat.lt_of_not_le hc
      exact (growLast_spec hA.2 hc hms).2 _ hin
    · cases h

/-- **Whatever the extended composition accepts is the composite of B with A itself, or with A after its last mode of
extent above 1 has grown.**
Rust: `razorgirl::Layout::composition_extended`
Source: CuTe `composition`, where the last mode grows silently -/
theorem composeExtended_isComposite {A B R : Layout} (hB : B.Valid) (h : composeExtended A B = some R) :
    IsComposite A B R ∨ A.size < cosizeFormula B.modes ∧
      ∃ ms, growLast (cosizeFormula B.modes) A.modes = some ms ∧ IsComposite ⟨ms, A.profile⟩ B R := by
  rw [composeExtended] at h
  split at h
  · exact .inl (compose_sound hB h)
  · rename_i hc
    split at h
    · rename_i ms hms
      exact .inr ⟨Nat.lt_of_not_le hc, ms, hms, compose_sound hB h⟩
    · cases h

/-! ## Worked examples -/

/-- `(4,6):(1,40)` by `⟨2:1, 3:2⟩`: each mode by its own. -/
example : (composeBy ⟨[⟨4, 1⟩, ⟨6, 40⟩], .node [.leaf (), .leaf ()]⟩
      (.modes [.layout ⟨[⟨2, 1⟩], .leaf ()⟩, .layout ⟨[⟨3, 2⟩], .leaf ()⟩])).map modes =
    some [⟨2, 1⟩, ⟨3, 80⟩] := by decide +kernel
/-- Modes beyond the tuple are dropped, and `_` keeps one. -/
example : (composeBy ⟨[⟨4, 1⟩, ⟨6, 40⟩], .node [.leaf (), .leaf ()]⟩ (.modes [.keep])).map modes =
    some [⟨4, 1⟩] := by decide +kernel
/-- 8 coordinates from a layout of 6: refused, or with the last mode grown to 2×4. -/
example : (compose ⟨[⟨2, 1⟩, ⟨3, 10⟩], .node [.leaf (), .leaf ()]⟩ ⟨[⟨8, 1⟩], .leaf ()⟩).isNone = true ∧
    (composeExtended ⟨[⟨2, 1⟩, ⟨3, 10⟩], .node [.leaf (), .leaf ()]⟩ ⟨[⟨8, 1⟩], .leaf ()⟩).map modes =
      some [⟨2, 1⟩, ⟨4, 10⟩] := by decide +kernel

end Layout

end Razorgirl
