module

public import Razorgirl.Thm.Layout.Composition.Digits
public import Razorgirl.Thm.Layout.Find

@[expose] public section

/-!
# Composites are groups of modes: lemmas

A layout that refines the shape of B and is coalesced over it is one flat layout for each mode of B, coalesced
and put into B's profile. So a composite is a list of such groups (`isComposite_iff_groups`), and everything
else about composition is about flat layouts.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout FlatLayout.Aux Layout.Aux

/-! ## Trees of trees -/

mutual
theorem flatten_join : (t : HTuple (HTuple Mode)) → (assemble.join t).flatten = flattenList t.flatten
  | .leaf t => by simp [assemble.join, HTuple.flatten, flattenList]
  | .node ts => by simp [assemble.join, HTuple.flatten, flattenList_joinList ts]
theorem flattenList_joinList : (ts : List (HTuple (HTuple Mode))) →
    flattenList (assemble.joinList ts) = flattenList (flattenList ts)
  | [] => rfl
  | t :: ts => by
    simp [assemble.joinList, flattenList, flattenList_append, flatten_join t, flattenList_joinList ts]
end

/-- A coalesced tree of the right size for each mode. -/
def AllOver : FlatLayout → List (HTuple Mode) → Prop
  | [], [] => True
  | m :: B, t :: ts => CoalescedOver m t ∧ AllOver B ts
  | _, _ => False

theorem AllOver.length_eq : {B : FlatLayout} → {ts : List (HTuple Mode)} → AllOver B ts →
    ts.length = B.length
  | [], [], _ => rfl
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | _ :: _, _ :: _, h => by simp [AllOver.length_eq h.2]

theorem AllOver.append : {B C : FlatLayout} → {ts us : List (HTuple Mode)} → AllOver B ts →
    AllOver C us → AllOver (B ++ C) (ts ++ us)
  | [], _, [], _, _, h' => h'
  | [], _, _ :: _, _, h, _ => h.elim
  | _ :: _, _, [], _, h, _ => h.elim
  | _ :: _, _, _ :: _, _, h, h' => ⟨h.1, AllOver.append h.2 h'⟩

theorem AllOver.of_append : {B C : FlatLayout} → {ts : List (HTuple Mode)} → AllOver (B ++ C) ts →
    ∃ us vs, ts = us ++ vs ∧ AllOver B us ∧ AllOver C vs
  | [], _, ts, h => ⟨[], ts, rfl, trivial, h⟩
  | _ :: _, _, [], h => h.elim
  | _ :: _, _, t :: _, h => by
    obtain ⟨us, vs, rfl, h1, h2⟩ := AllOver.of_append h.2
    exact ⟨t :: us, vs, rfl, ⟨h.1, h1⟩, h2⟩

mutual
theorem over_join (d : HTuple Mode) : (b : HTuple Mode) → (ts us : List (HTuple Mode)) →
    AllOver b.flatten ts → Over b (assemble.join (fill d (map (fun _ => ()) b) (ts ++ us)).1)
  | .leaf _, [], _, h => h.elim
  | .leaf _, t :: ts, us, h => by
    simp only [map, List.cons_append, fill, assemble.join, Over]
    exact h.1
  | .node bs, ts, us, h => by
    simp only [map, fill, assemble.join, Over]
    exact overList_joinList d bs ts us h
theorem overList_joinList (d : HTuple Mode) : (bs : List (HTuple Mode)) → (ts us : List (HTuple Mode)) →
    AllOver (flattenList bs) ts →
    OverList bs (assemble.joinList (fillList d (mapList (fun _ => ()) bs) (ts ++ us)).1)
  | [], _, _, _ => by simp only [mapList, fillList, assemble.joinList, OverList]
  | b :: bs, ts, us, h => by
    obtain ⟨ts, vs, rfl, h1, h2⟩ := AllOver.of_append h
    have e : (fill d (map (fun _ => ()) b) (ts ++ (vs ++ us))).2 = vs ++ us := by
      rw [fill_snd, length_map, ← length_flatten, ← h1.length_eq, List.drop_left]
    simp only [mapList, fillList, assemble.joinList, OverList, List.append_assoc, e]
    exact ⟨over_join d b ts (vs ++ us) h1, overList_joinList d bs vs us h2⟩
end

mutual
theorem exists_of_over (d : HTuple Mode) : (b r : HTuple Mode) → Over b r →
    ∃ ts, AllOver b.flatten ts ∧ ∀ us, assemble.join (fill d (map (fun _ => ()) b) (ts ++ us)).1 = r
  | .leaf _, r, h => ⟨[r], ⟨h, trivial⟩, fun us => by simp [map, fill, assemble.join]⟩
  | .node _, .leaf _, h => h.elim
  | .node bs, .node rs, h => by
    obtain ⟨ts, h1, h2⟩ := exists_of_overList d bs rs h
    exact ⟨ts, h1, fun us => by simp [map, fill, assemble.join, h2 us]⟩
theorem exists_of_overList (d : HTuple Mode) : (bs rs : List (HTuple Mode)) → OverList bs rs →
    ∃ ts, AllOver (flattenList bs) ts ∧
      ∀ us, assemble.joinList (fillList d (mapList (fun _ => ()) bs) (ts ++ us)).1 = rs
  | [], [], _ => ⟨[], trivial, fun us => by simp [mapList, fillList, assemble.joinList]⟩
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | b :: bs, r :: rs, h => by
    obtain ⟨ts, h1, h2⟩ := exists_of_over d b r h.1
    obtain ⟨vs, h3, h4⟩ := exists_of_overList d bs rs h.2
    refine ⟨ts ++ vs, h1.append h3, fun us => ?_⟩
    have e : (fill d (map (fun _ => ()) b) (ts ++ (vs ++ us))).2 = vs ++ us := by
      rw [fill_snd, length_map, ← length_flatten, ← h1.length_eq, List.drop_left]
    simp only [mapList, fillList, assemble.joinList, List.append_assoc, e, h2, h4]
end

/-! ## Groups -/

/-- A group coalesced, as a tree. -/
def groupTree (g : FlatLayout) : HTuple Mode := (FlatLayout.coalesce g).nest.tree

theorem groupTree_flatten (g : FlatLayout) : (groupTree g).flatten = (nest (FlatLayout.coalesce g)).modes :=
  Layout.flatten_tree (profile_length_nest _)

theorem groupTree_of_coalesce_eq {g g' : FlatLayout} (h : FlatLayout.coalesce g = FlatLayout.coalesce g') :
    groupTree g = groupTree g' := by rw [groupTree, h, groupTree]

theorem coalescedOver_groupTree {m : Mode} {g : FlatLayout} (h : FlatLayout.size g = m.extent) :
    CoalescedOver m (groupTree g) := by
  refine ⟨?_, ?_⟩
  · rw [coalesceTree, groupTree_flatten, coalesce_nest_modes, FlatLayout.coalesce_idempotent, groupTree]
  · rw [groupTree_flatten, ← h, ← FlatLayout.coalesce_size g]
    exact size_nest _

theorem map_groupTree_flatten {B : FlatLayout} {ts : List (HTuple Mode)} (h : AllOver B ts) :
    (ts.map HTuple.flatten).map groupTree = ts := by
  induction B generalizing ts with
  | nil => cases ts with
    | nil => rfl
    | cons t ts => exact h.elim
  | cons m B ih => cases ts with
    | nil => rfl
    | cons t ts =>
      have := h.1.1
      rw [coalesceTree] at this
      rw [List.map_cons, List.map_cons, ih h.2, groupTree, this]

theorem valid_groupTree {g : FlatLayout} (h : FlatLayout.Valid g) :
    FlatLayout.Valid (groupTree g).flatten := by
  rw [groupTree_flatten, nest_modes]
  split
  · exact ⟨Nat.one_pos, trivial⟩
  · exact FlatLayout.coalesce_valid h

theorem size_groupTrees (gs : List FlatLayout) :
    FlatLayout.size (flattenList (gs.map groupTree)) = FlatLayout.size gs.flatten := by
  induction gs with
  | nil => rfl
  | cons g gs ih =>
    have : FlatLayout.size (groupTree g).flatten = FlatLayout.size g := by
      rw [groupTree_flatten, ← FlatLayout.coalesce_size g]; exact size_nest _
    rw [List.map_cons, flattenList, List.flatten_cons, FlatLayout.size_append, FlatLayout.size_append, ih, this]

theorem atIndex_groupTrees (gs : List FlatLayout) (x : Nat) :
    atIndex (flattenList (gs.map groupTree)) x = atIndex gs.flatten x := by
  induction gs generalizing x with
  | nil => rfl
  | cons g gs ih =>
    have : FlatLayout.size (groupTree g).flatten = FlatLayout.size g := by
      rw [groupTree_flatten, ← FlatLayout.coalesce_size g]; exact size_nest _
    rw [List.map_cons, flattenList, List.flatten_cons, atIndex_append, atIndex_append, ih, this,
      groupTree_flatten, atIndex_nest, FlatLayout.coalesce_atIndex]

theorem valid_groupTrees : {gs : List FlatLayout} → FlatLayout.Valid gs.flatten →
    FlatLayout.Valid (flattenList (gs.map groupTree))
  | [], _ => trivial
  | g :: gs, h => by
    rw [List.flatten_cons, valid_append_iff] at h
    rw [List.map_cons, flattenList, valid_append_iff]
    exact ⟨valid_groupTree h.1, valid_groupTrees h.2⟩

theorem SizesMatch.length_eq : {B : FlatLayout} → {gs : List FlatLayout} → SizesMatch B gs →
    gs.length = B.length
  | [], [], _ => rfl
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | _ :: _, _ :: _, h => by simp [SizesMatch.length_eq h.2]

theorem SizesMatch.valid : {B : FlatLayout} → {gs : List FlatLayout} → SizesMatch B gs →
    FlatLayout.Valid gs.flatten
  | [], [], _ => trivial
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | _ :: _, _ :: _, h => by
    rw [List.flatten_cons, valid_append_iff]
    exact ⟨h.1.1, SizesMatch.valid h.2⟩

theorem SizesMatch.size_eq : {B : FlatLayout} → {gs : List FlatLayout} → SizesMatch B gs →
    FlatLayout.size gs.flatten = FlatLayout.size B
  | [], [], _ => rfl
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | _ :: _, _ :: _, h => by
    rw [List.flatten_cons, FlatLayout.size_append, size_cons, h.1.2, SizesMatch.size_eq h.2]

theorem SizesMatch.allOver : {B : FlatLayout} → {gs : List FlatLayout} → SizesMatch B gs →
    AllOver B (gs.map groupTree)
  | [], [], _ => trivial
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | _ :: _, _ :: _, h => ⟨coalescedOver_groupTree h.1.2, SizesMatch.allOver h.2⟩

theorem SizesMatch.coalesce : {B : FlatLayout} → {gs : List FlatLayout} → SizesMatch B gs →
    SizesMatch B (gs.map FlatLayout.coalesce)
  | [], [], _ => trivial
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | _ :: _, _ :: _, h =>
    ⟨⟨FlatLayout.coalesce_valid h.1.1, by rw [FlatLayout.coalesce_size, h.1.2]⟩, SizesMatch.coalesce h.2⟩

theorem sizesMatch_of_allOver {B : FlatLayout} : {ts : List (HTuple Mode)} → AllOver B ts →
    FlatLayout.Valid (flattenList ts) → SizesMatch B (ts.map HTuple.flatten) := by
  induction B with
  | nil =>
    intro ts h _
    cases ts with
    | nil => trivial
    | cons t ts => exact h.elim
  | cons m B ih =>
    intro ts h hv
    cases ts with
    | nil => exact h.elim
    | cons t ts =>
      rw [flattenList, valid_append_iff] at hv
      exact ⟨⟨hv.1, h.1.2⟩, ih h.2 hv.2⟩

/-- Groups with the same function on the same modes coalesce to the same groups. -/
theorem groups_unique {B : FlatLayout} : {gs gs' : List FlatLayout} → SizesMatch B gs → SizesMatch B gs' →
    (∀ x, x < FlatLayout.size B → atIndex gs.flatten x = atIndex gs'.flatten x) →
    gs.map FlatLayout.coalesce = gs'.map FlatLayout.coalesce := by
  induction B with
  | nil =>
    intro gs gs' h h' _
    cases gs with
    | nil => cases gs' with
      | nil => rfl
      | cons => exact h'.elim
    | cons => exact h.elim
  | cons m B ih =>
    intro gs gs' h h' hf
    match gs, gs', h, h' with
    | g :: gs, g' :: gs', h, h' =>
      have hB : 0 < FlatLayout.size B := h.2.size_eq ▸ h.2.valid.size_pos
      have hm : 0 < m.extent := h.1.2 ▸ h.1.1.size_pos
      rw [size_cons] at hf
      simp only [List.flatten_cons, atIndex_append, h.1.2, h'.1.2] at hf
      rw [List.map_cons, List.map_cons, ih h.2 h'.2 fun y hy => ?_]
      · rw [(FlatLayout.coalesce_eq_iff h.1.1 h'.1.1).2 ⟨h.1.2.trans h'.1.2.symm, fun x hx => ?_⟩]
        rw [h.1.2] at hx
        have := hf x (Nat.lt_of_lt_of_le hx (Nat.le_mul_of_pos_right _ hB))
        rwa [Nat.mod_eq_of_lt hx, Nat.div_eq_of_lt hx, atIndex_zero, atIndex_zero] at this
      · have := hf (m.extent * y) ((Nat.mul_lt_mul_left hm).2 hy)
        rwa [Nat.mul_mod_right, Nat.mul_div_cancel_left _ hm, atIndex_zero, atIndex_zero, Nat.zero_add,
          Nat.zero_add] at this

/-! ## What is assembled from groups -/

theorem assemble_eq (p : Profile) (gs : List FlatLayout) :
    assemble p gs = ofTree (assemble.join (unflatten (.leaf ⟨1, 0⟩) p (gs.map groupTree))) := rfl

theorem assemble_congr (p : Profile) {gs gs' : List FlatLayout}
    (h : gs.map FlatLayout.coalesce = gs'.map FlatLayout.coalesce) : assemble p gs = assemble p gs' := by
  have : ∀ gs : List FlatLayout, gs.map groupTree = (gs.map FlatLayout.coalesce).map fun g => (nest g).tree := by
    intro gs; simp [groupTree]
  rw [assemble_eq, assemble_eq, this, this, h]

theorem assemble_modes {p : Profile} {gs : List FlatLayout} (h : p.length = gs.length) :
    (assemble p gs).modes = flattenList (gs.map groupTree) := by
  rw [assemble_eq, ofTree, flatten_join, flatten_unflatten _ _ _ (by simpa using h)]

theorem atIndex_assemble {p : Profile} {gs : List FlatLayout} (h : p.length = gs.length) (x : Nat) :
    atIndex (assemble p gs).modes x = atIndex gs.flatten x := by
  rw [assemble_modes h, atIndex_groupTrees]

/-- A composite of `A` after `B` is a flat layout for each mode of `B`, of the size of that mode, coalesced and
put into the profile of `B`. -/
theorem isComposite_iff_groups {A B R : Layout} (hB : B.Valid) : IsComposite A B R ↔
    ∃ gs, SizesMatch B.modes gs ∧ R = assemble B.profile gs ∧ ∀ x, x < B.size →
      atIndex B.modes x < A.size ∧ atIndex gs.flatten x = atIndex A.modes (atIndex B.modes x) := by
  constructor
  · rintro ⟨hR, hover, hf⟩
    obtain ⟨ts, h1, h2⟩ := exists_of_over (.leaf ⟨1, 0⟩) _ _ hover
    have h2 := h2 []
    rw [Layout.flatten_tree hB.1] at h1
    have e : map (fun _ => ()) B.tree = B.profile := Layout.profile_tree B
    rw [e, List.append_nil] at h2
    have hlen : B.profile.length = ts.length := by rw [hB.1, h1.length_eq]
    have hRt : R = ofTree (assemble.join (unflatten (.leaf ⟨1, 0⟩) B.profile ts)) := by
      rw [← ofTree_tree_of_length hR.1, ← h2]; rfl
    have hm : R.modes = flattenList ts := by
      rw [hRt, ofTree, flatten_join, flatten_unflatten _ _ _ hlen]
    have hg := sizesMatch_of_allOver h1 (hm ▸ hR.2)
    have ha : R = assemble B.profile (ts.map HTuple.flatten) := by
      rw [assemble_eq, map_groupTree_flatten h1, hRt]
    refine ⟨ts.map HTuple.flatten, hg, ha, fun x hx => ⟨(hf x hx).1, ?_⟩⟩
    rw [← (hf x hx).2, ha, atIndex_assemble (by rw [List.length_map]; exact hlen)]
  · rintro ⟨gs, hg, rfl, hf⟩
    have hlen : B.profile.length = gs.length := by rw [hB.1, hg.length_eq]
    refine ⟨⟨profile_length_ofTree _, ?_⟩, ?_, fun x hx => ⟨(hf x hx).1, ?_⟩⟩
    · rw [assemble_modes hlen]
      exact valid_groupTrees hg.valid
    · have := over_join (.leaf ⟨1, 0⟩) B.tree (gs.map groupTree) []
        (by rw [Layout.flatten_tree hB.1]; exact hg.allOver)
      have e : map (fun _ => ()) B.tree = B.profile := Layout.profile_tree B
      rw [e, List.append_nil] at this
      rw [assemble_eq, tree_ofTree]
      exact this
    · rw [atIndex_assemble hlen, (hf x hx).2]

/-- `B` stays inside `n` exactly when its closed cosize does. -/
theorem atIndex_lt_iff {B : FlatLayout} (hB : FlatLayout.Valid B) {n : Nat} :
    (∀ x, x < FlatLayout.size B → atIndex B x < n) ↔ cosizeFormula B ≤ n := by
  rw [← cosize_eq_formula hB]
  have ⟨h1, x, hx, h2⟩ := cosize_is_maximum hB
  constructor
  · intro h
    have := h x hx
    omega
  · intro h y hy
    have := h1 y hy
    omega

end Layout

end Razorgirl
