module

public import Razorgirl.Spec.Layout.Modes
public import Razorgirl.Thm.Layout.Slice

@[expose] public section

/-!
# The modes of a layout rearranged: what is proved

One law for all of them: rearrange a layout and its coordinate alike, and the offset stays the same. Adding modes
`1:0` and grouping also keep the function of the linear index; zipping and unzipping permute the modes.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout

namespace Aux

/-! ## Modes and coordinates of a tuple -/

theorem flatten_node {α : Type} (ts : List (HTuple α)) : (HTuple.node ts).flatten = flattenList ts := by
  rw [HTuple.flatten]

theorem callTree_node_leaf (ts : List (HTuple Mode)) (x : Option Nat) (t : HTuple Mode) (h : ts = [t]) :
    callTree (.node ts) (.leaf x) = callTree t (.leaf x) := by
  subst h
  have h1 : (HTuple.node [t]).flatten = t.flatten := by simp [HTuple.flatten, flattenList]
  have h2 : (map Mode.extent (.node [t])).flatten = (map Mode.extent t).flatten := by
    rw [flatten_map, flatten_map, h1]
  unfold callTree
  rw [h1]
  cases x with
  | none => rw [Coord.toFlat, Coord.toFlat, ← length_flatten, ← length_flatten, h2]
  | some x => rw [Coord.toFlat, Coord.toFlat, IntTuple.size_eq_prod, IntTuple.size_eq_prod, h2]

theorem callTree_children {t : HTuple Mode} {c : Coord} {o : Nat} (h : callTree t c = some o)
    (hc : c.rank = t.rank) : callTrees t.children c.children = some o := by
  cases t with
  | leaf m =>
    cases c with
    | leaf x => rw [children, children, callTrees_cons, callTrees_nil, h]; rfl
    | node cs => simp [callTree, map, Coord.toFlat] at h
  | node ts =>
    cases c with
    | node cs => rwa [callTree_node] at h
    | leaf x =>
      obtain ⟨t, rfl⟩ := List.length_eq_one_iff.1 hc.symm
      rw [callTree_node_leaf _ x t rfl] at h
      rw [children, children, callTrees_cons, callTrees_nil, h]
      rfl

theorem length_of_callTrees {ts : List (HTuple Mode)} {cs : List Coord} {o : Nat} (h : callTrees ts cs = some o) :
    cs.length = ts.length := by
  induction ts generalizing cs o with
  | nil =>
    cases cs with
    | nil => rfl
    | cons c cs => simp [callTrees, mapList, Coord.toFlatList] at h
  | cons t ts ih =>
    cases cs with
    | nil => simp [callTrees, mapList, Coord.toFlatList] at h
    | cons c cs =>
      rw [callTrees_cons] at h
      obtain ⟨a, _, h⟩ := Option.bind_eq_some_iff.1 h
      obtain ⟨b, h, _⟩ := Option.map_eq_some_iff.1 h
      rw [List.length_cons, List.length_cons, ih h]

theorem callTrees_append_some {ts us : List (HTuple Mode)} {cs ds : List Coord} {a b : Nat}
    (h : callTrees ts cs = some a) (h' : callTrees us ds = some b) :
    callTrees (ts ++ us) (cs ++ ds) = some (a + b) := by
  rw [callTrees_append _ _ _ _ (length_of_callTrees h), h, h']
  rfl

theorem callTrees_split {ts us : List (HTuple Mode)} {cs ds : List Coord} {o : Nat}
    (h : callTrees (ts ++ us) (cs ++ ds) = some o) (hl : cs.length = ts.length) :
    ∃ a b, callTrees ts cs = some a ∧ callTrees us ds = some b ∧ o = a + b := by
  rw [callTrees_append _ _ _ _ hl] at h
  obtain ⟨a, ha, h⟩ := Option.bind_eq_some_iff.1 h
  obtain ⟨b, hb, h⟩ := Option.map_eq_some_iff.1 h
  exact ⟨a, b, ha, hb, h.symm⟩

theorem callTree_zero {t : HTuple Mode} (h : FlatLayout.Valid t.flatten) :
    callTree t (.leaf (some 0)) = some 0 := by
  have h1 := h.size_pos
  rw [callTree, Coord.toFlat, IntTuple.size_eq_prod, flatten_map]
  rw [FlatLayout.size, FlatLayout.shape] at h1
  rw [if_pos h1, Option.map_some]
  show some (FlatLayout.atIndex t.flatten 0) = some 0
  rw [atIndex_zero]

theorem valid_flattenList {ts : List (HTuple Mode)} (h : FlatLayout.Valid (flattenList ts)) :
    ∀ t ∈ ts, FlatLayout.Valid t.flatten := by
  intro t ht
  rw [flattenList_eq_flatMap, valid_iff_forall] at h
  rw [valid_iff_forall]
  exact fun m hm => h m (List.mem_flatMap.2 ⟨t, ht, hm⟩)

theorem callTrees_zero {ts : List (HTuple Mode)} (h : FlatLayout.Valid (flattenList ts)) :
    callTrees ts (List.replicate ts.length (.leaf (some 0))) = some 0 := by
  induction ts with
  | nil => rfl
  | cons t ts ih =>
    rw [flattenList, valid_append_iff] at h
    rw [List.length_cons, List.replicate_succ, callTrees_cons, callTree_zero h.1, ih h.2]
    rfl

theorem onTree_eq_some {f : HTuple Mode → Option (HTuple Mode)} {L R : Layout} (h : onTree f L = some R) :
    ∃ t, f L.tree = some t ∧ R = ofTree t := by
  obtain ⟨t, ht, rfl⟩ := Option.map_eq_some_iff.1 h
  exact ⟨t, ht, rfl⟩

theorem rank_tree (L : Layout) : L.tree.rank = L.rank := by
  rw [← rank_profile, profile_tree, rank]

theorem replicate_flatten {α : Type} (n : Nat) (x : HTuple α) :
    flattenList (List.replicate n x) = (List.replicate n x.flatten).flatten := by
  induction n with
  | zero => rfl
  | succ n ih => rw [List.replicate_succ, flattenList, ih, List.replicate_succ, List.flatten_cons]

end Aux
open Aux

/-! ## Append and prepend -/

theorem append_modes {n : Nat} {X L R : Layout} (hX : X.Valid) (hL : L.Valid) (h : append n X L = some R) :
    R.modes = L.modes ++ (List.replicate (n - L.rank) X.modes).flatten := by
  obtain ⟨t, ht, rfl⟩ := onTree_eq_some h
  rw [appendTo, rank_tree] at ht
  split at ht
  · cases ht
  · split at ht
    · rename_i hn
      obtain rfl := Option.some.inj ht
      rw [hn, Nat.sub_self]
      simp [ofTree, flatten_tree hL.1]
    · obtain rfl := Option.some.inj ht
      rw [ofTree, flatten_node, flattenList_append, flattenList_children, replicate_flatten, flatten_tree hL.1,
        flatten_tree hX.1]

theorem prepend_modes {n : Nat} {X L R : Layout} (hX : X.Valid) (hL : L.Valid) (h : prepend n X L = some R) :
    R.modes = (List.replicate (n - L.rank) X.modes).flatten ++ L.modes := by
  obtain ⟨t, ht, rfl⟩ := onTree_eq_some h
  rw [prependTo, rank_tree] at ht
  split at ht
  · cases ht
  · split at ht
    · rename_i hn
      obtain rfl := Option.some.inj ht
      rw [hn, Nat.sub_self]
      simp [ofTree, flatten_tree hL.1]
    · obtain rfl := Option.some.inj ht
      rw [ofTree, flatten_node, flattenList_append, flattenList_children, replicate_flatten, flatten_tree hL.1,
        flatten_tree hX.1]

/-- **Appending exists exactly when the rank asked for is not below the rank.**
Rust: `razorgirl::Layout::append`
Source: CuTe `append` -/
theorem append_isSome (n : Nat) (X L : Layout) : (append n X L).isSome = true ↔ L.rank ≤ n := by
  unfold append onTree appendTo
  rw [rank_tree, Option.isSome_map]
  by_cases h : n < L.rank
  · simp [h]
  · by_cases h' : n = L.rank <;> simp [h, h'] <;> omega

/-- **Appending gives the rank that was asked for.**
Rust: `razorgirl::Layout::append`
Source: CuTe `append` -/
theorem append_rank {n : Nat} {X L R : Layout} (h : append n X L = some R) : R.rank = n := by
  obtain ⟨t, ht, rfl⟩ := onTree_eq_some h
  rw [appendTo, rank_tree] at ht
  rw [← rank_tree, tree_ofTree]
  split at ht
  · cases ht
  · split at ht
    · obtain rfl := Option.some.inj ht
      rw [rank_tree]
      omega
    · obtain rfl := Option.some.inj ht
      rw [HTuple.rank, List.length_append, length_children, List.length_replicate, rank_tree]
      omega

/-- **At 0 in the appended modes, the offset is that of the layout.**
Rust: `razorgirl::Layout::append`
Source: CuTe `append` -/
theorem append_call {n : Nat} {X L R : Layout} {c c' : Coord} {o : Nat} (hX : X.Valid) (hL : L.Valid)
    (h : append n X L = some R) (hc : c.rank = L.rank) (hc' : HTuple.appendTo n (.leaf (some 0)) c = some c')
    (ho : L.call c = some o) : R.call c' = some o := by
  obtain ⟨t, ht, rfl⟩ := onTree_eq_some h
  rw [call_eq_callTree hL.1] at ho
  rw [call_ofTree]
  rw [appendTo, rank_tree] at ht
  rw [appendTo, hc] at hc'
  split at ht
  · cases ht
  · split at ht
    · rename_i hn
      simp only [hn, if_true] at hc'
      rw [if_neg (by omega)] at hc'
      obtain rfl := Option.some.inj ht
      obtain rfl := Option.some.inj hc'
      exact ho
    · rename_i h1 h2
      rw [if_neg h1, if_neg h2] at hc'
      obtain rfl := Option.some.inj ht
      obtain rfl := Option.some.inj hc'
      rw [callTree_node]
      have hz : callTrees (List.replicate (n - L.rank) X.tree)
          (List.replicate (n - L.rank) (.leaf (some 0))) = some 0 := by
        have := callTrees_zero (ts := List.replicate (n - L.rank) X.tree) (by
          rw [replicate_flatten, flatten_tree hX.1, valid_iff_forall]
          intro m hm
          obtain ⟨l, hl, hm⟩ := List.mem_flatten.1 hm
          rw [(List.mem_replicate.1 hl).2] at hm
          exact (valid_iff_forall _).1 hX.2 m hm)
        rwa [List.length_replicate] at this
      exact callTrees_append_some (callTree_children ho (by rw [hc, rank_tree])) hz

/-- **At 0 in the prepended modes, the offset is that of the layout.**
Rust: `razorgirl::Layout::prepend`
Source: CuTe `prepend` -/
theorem prepend_call {n : Nat} {X L R : Layout} {c c' : Coord} {o : Nat} (hX : X.Valid) (hL : L.Valid)
    (h : prepend n X L = some R) (hc : c.rank = L.rank)
    (hc' : HTuple.prependTo n (.leaf (some 0)) c = some c')
    (ho : L.call c = some o) : R.call c' = some o := by
  obtain ⟨t, ht, rfl⟩ := onTree_eq_some h
  rw [call_eq_callTree hL.1] at ho
  rw [call_ofTree]
  rw [prependTo, rank_tree] at ht
  rw [prependTo, hc] at hc'
  split at ht
  · cases ht
  · split at ht
    · rename_i hn
      simp only [hn, if_true] at hc'
      rw [if_neg (by omega)] at hc'
      obtain rfl := Option.some.inj ht
      obtain rfl := Option.some.inj hc'
      exact ho
    · rename_i h1 h2
      rw [if_neg h1, if_neg h2] at hc'
      obtain rfl := Option.some.inj ht
      obtain rfl := Option.some.inj hc'
      rw [callTree_node]
      have hz : callTrees (List.replicate (n - L.rank) X.tree)
          (List.replicate (n - L.rank) (.leaf (some 0))) = some 0 := by
        have := callTrees_zero (ts := List.replicate (n - L.rank) X.tree) (by
          rw [replicate_flatten, flatten_tree hX.1, valid_iff_forall]
          intro m hm
          obtain ⟨l, hl, hm⟩ := List.mem_flatten.1 hm
          rw [(List.mem_replicate.1 hl).2] at hm
          exact (valid_iff_forall _).1 hX.2 m hm)
        rwa [List.length_replicate] at this
      have := callTrees_append_some hz (callTree_children ho (by rw [hc, rank_tree]))
      rwa [Nat.zero_add] at this

namespace Aux

theorem ones_flatten (k : Nat) : (List.replicate k [(⟨1, 0⟩ : Mode)]).flatten = List.replicate k ⟨1, 0⟩ := by
  induction k with
  | zero => rfl
  | succ k ih => rw [List.replicate_succ, List.flatten_cons, ih]; rfl

theorem size_ones (k : Nat) : FlatLayout.size (List.replicate k (⟨1, 0⟩ : Mode)) = 1 := by
  induction k with
  | zero => rfl
  | succ k ih => rw [List.replicate_succ, size_cons, ih, Nat.mul_one]

theorem atIndex_ones (k x : Nat) : FlatLayout.atIndex (List.replicate k (⟨1, 0⟩ : Mode)) x = 0 := by
  induction k generalizing x with
  | zero => rfl
  | succ k ih => rw [List.replicate_succ, atIndex_cons, ih, Nat.mul_zero]

/-- The mode that CuTe pads with. -/
def one : Layout := ⟨[⟨1, 0⟩], .leaf ()⟩

theorem valid_one : one.Valid := ⟨rfl, by decide⟩

end Aux

/-- **Appending modes `1:0` changes neither the size nor the function of the linear index.**
Rust: `razorgirl::Layout::append`
Source: CuTe `append` -/
theorem append_atIndex {n : Nat} {L R : Layout} (hL : L.Valid)
    (h : append n ⟨[⟨1, 0⟩], .leaf ()⟩ L = some R) :
    R.size = L.size ∧ ∀ x, atIndex R.modes x = atIndex L.modes x := by
  have hm := append_modes valid_one hL h
  rw [show one.modes = [⟨1, 0⟩] from rfl, ones_flatten] at hm
  refine ⟨by rw [Layout.size, hm, size_append, Aux.size_ones, Nat.mul_one]; rfl, fun x => ?_⟩
  rw [hm, atIndex_append, Aux.atIndex_ones, Nat.add_zero, atIndex_mod_size]

/-- **Prepending modes `1:0` changes neither the size nor the function of the linear index.**
Rust: `razorgirl::Layout::prepend`
Source: CuTe `prepend` -/
theorem prepend_atIndex {n : Nat} {L R : Layout} (hL : L.Valid)
    (h : prepend n ⟨[⟨1, 0⟩], .leaf ()⟩ L = some R) :
    R.size = L.size ∧ ∀ x, atIndex R.modes x = atIndex L.modes x := by
  have hm := prepend_modes valid_one hL h
  rw [show one.modes = [⟨1, 0⟩] from rfl, ones_flatten] at hm
  refine ⟨by rw [Layout.size, hm, size_append, Aux.size_ones, Nat.one_mul]; rfl, fun x => ?_⟩
  rw [hm, atIndex_append, Aux.atIndex_ones, Aux.size_ones, Nat.zero_add, Nat.div_one]

/-! ## Group -/

namespace Aux

theorem group_eq_some {α : Type} {b e : Nat} {t u : HTuple α} (h : HTuple.group b e t = some u) :
    b ≤ e ∧ e ≤ t.rank ∧ u = .node (t.children.take b ++
      (if b < e then [.node ((t.children.take e).drop b)] else []) ++ t.children.drop e) := by
  rw [HTuple.group] at h
  split at h
  · rename_i hb
    exact ⟨hb.1, hb.2, (Option.some.inj h).symm⟩
  · cases h

theorem take_drop_drop {α : Type} {b e : Nat} (h : b ≤ e) (l : List α) :
    l = l.take b ++ ((l.take e).drop b ++ l.drop e) := by
  have h1 : l.drop b = (l.take e).drop b ++ l.drop e := by
    conv => lhs; rw [← List.take_append_drop e l]
    rw [List.drop_append, List.length_take]
    congr 1
    rcases Nat.le_total e l.length with h2 | h2
    · rw [Nat.min_eq_left h2, Nat.sub_eq_zero_of_le h, List.drop_zero]
    · rw [List.drop_of_length_le h2, List.drop_nil]
  rw [← h1, List.take_append_drop]

end Aux

/-- **Grouping changes the nesting only: same modes, so the same function of the linear index.**
Rust: `razorgirl::Layout::group`
Source: CuTe `group` -/
theorem group_modes {b e : Nat} {L R : Layout} (hL : L.Valid) (h : group b e L = some R) :
    R.modes = L.modes := by
  obtain ⟨t, ht, rfl⟩ := onTree_eq_some h
  obtain ⟨hb, _, rfl⟩ := group_eq_some ht
  rw [ofTree, flatten_node, flattenList_append, flattenList_append]
  have : flattenList (if b < e then [HTuple.node ((L.tree.children.take e).drop b)] else []) =
      flattenList ((L.tree.children.take e).drop b) := by
    split
    · simp [flattenList, HTuple.flatten]
    · rename_i hbe
      have : b = e := by omega
      subst this
      rw [List.drop_eq_nil_of_le (by rw [List.length_take]; omega)]
  rw [this, List.append_assoc, ← flattenList_append, ← flattenList_append, ← take_drop_drop hb,
    flattenList_children, flatten_tree hL.1]

/-- **Grouped alike, layout and coordinate give the offset they gave before.**
Rust: `razorgirl::Layout::group`
Source: CuTe `group` -/
theorem group_call {b e : Nat} {L R : Layout} {c c' : Coord} {o : Nat} (hL : L.Valid)
    (h : group b e L = some R) (hc : c.rank = L.rank) (hc' : HTuple.group b e c = some c')
    (ho : L.call c = some o) : R.call c' = some o := by
  obtain ⟨t, ht, rfl⟩ := onTree_eq_some h
  obtain ⟨hb, he, rfl⟩ := group_eq_some ht
  obtain ⟨_, _, rfl⟩ := group_eq_some hc'
  rw [call_eq_callTree hL.1] at ho
  rw [call_ofTree, callTree_node]
  have h1 := callTree_children ho (by rw [hc, rank_tree])
  have hl := length_of_callTrees h1
  rw [take_drop_drop hb L.tree.children, take_drop_drop hb c.children] at h1
  obtain ⟨x, y, hx, hy, rfl⟩ := callTrees_split h1 (by simp only [List.length_take, hl])
  obtain ⟨y, z, hw, hz, rfl⟩ := callTrees_split hy (by simp only [List.length_take, List.length_drop, hl])
  rw [List.append_assoc, List.append_assoc]
  refine callTrees_append_some hx (callTrees_append_some ?_ hz)
  split
  · rw [callTrees_cons, callTrees_nil, callTree_node, hw]
    rfl
  · rename_i hbe
    rw [List.drop_eq_nil_of_le (by rw [List.length_take]; omega),
      List.drop_eq_nil_of_le (by rw [List.length_take]; omega)] at hw
    exact hw

/-! ## Modes picked and exchanged -/

namespace Aux

theorem mode?_eq_some {α : Type} {ts : List (HTuple α)} {i : Nat} {t : HTuple α} (h : mode? ts i = some t) :
    ts = ts.take i ++ t :: ts.drop (i + 1) ∧ i < ts.length := by
  induction ts generalizing i with
  | nil => simp [mode?] at h
  | cons u ts ih =>
    cases i with
    | zero =>
      obtain rfl := Option.some.inj h
      simp
    | succ i =>
      have := ih (i := i) h
      refine ⟨?_, by simpa using this.2⟩
      rw [List.take_succ_cons, List.drop_succ_cons, List.cons_append, ← this.1]

theorem mode?_isSome {α : Type} (ts : List (HTuple α)) (i : Nat) :
    (mode? ts i).isSome = true ↔ i < ts.length := by
  induction ts generalizing i with
  | nil => simp [mode?]
  | cons u ts ih => cases i <;> simp [mode?, ih]

theorem modes?_eq_some {α : Type} {ts us : List (HTuple α)} {is : List Nat} (h : modes? ts is = some us) :
    us.map some = is.map (mode? ts) := by
  induction is generalizing us with
  | nil => obtain rfl := Option.some.inj h; rfl
  | cons i is ih =>
    rw [modes?] at h
    split at h
    · rename_i u vs hu hvs
      obtain rfl := Option.some.inj h
      rw [List.map_cons, List.map_cons, ih hvs, hu]
    · cases h

theorem modes?_isSome {α : Type} (ts : List (HTuple α)) (is : List Nat) :
    (modes? ts is).isSome = true ↔ ∀ i ∈ is, i < ts.length := by
  induction is with
  | nil => simp [modes?]
  | cons i is ih =>
    rw [List.forall_mem_cons, ← ih, ← mode?_isSome, modes?]
    cases mode? ts i <;> cases modes? ts is <;> simp

theorem mem_of_modes? {α : Type} {ts us : List (HTuple α)} {is : List Nat} (h : modes? ts is = some us) :
    ∀ u ∈ us, u ∈ ts := by
  intro u hu
  have h1 : some u ∈ us.map some := List.mem_map.2 ⟨u, hu, rfl⟩
  rw [modes?_eq_some h] at h1
  obtain ⟨i, _, hi⟩ := List.mem_map.1 h1
  rw [(mode?_eq_some hi).1]
  simp

theorem valid_children {L : Layout} (hL : L.Valid) : ∀ t ∈ L.tree.children, FlatLayout.Valid t.flatten :=
  valid_flattenList (by rw [flattenList_children, flatten_tree hL.1]; exact hL.2)

theorem valid_flattenList_of_mem {ts us : List (HTuple Mode)} (h : ∀ t ∈ ts, FlatLayout.Valid t.flatten)
    (hu : ∀ u ∈ us, u ∈ ts) : FlatLayout.Valid (flattenList us) := by
  rw [valid_iff_forall]
  intro m hm
  rw [flattenList_eq_flatMap] at hm
  obtain ⟨u, hu', hm⟩ := List.mem_flatMap.1 hm
  exact (valid_iff_forall _).1 (h u (hu u hu')) m hm

end Aux

/-- **Selecting exists exactly when every place is below the rank.**
Rust: `razorgirl::Layout::select`
Source: CuTe `select` -/
theorem select_isSome (is : List Nat) (L : Layout) :
    (select is L).isSome = true ↔ ∀ i ∈ is, i < L.rank := by
  unfold select onTree HTuple.select
  rw [Option.isSome_map, Option.isSome_map, modes?_isSome, length_children, rank_tree]

/-- **A selection is the chosen modes side by side.**
Rust: `razorgirl::Layout::select`
Source: CuTe `select` -/
theorem select_concat {is : List Nat} {L R : Layout} (h : select is L = some R) :
    ∃ Ls, Ls.map some = is.map L.modeAt ∧ R = concat Ls := by
  obtain ⟨t, ht, rfl⟩ := onTree_eq_some h
  obtain ⟨us, hus, rfl⟩ := Option.map_eq_some_iff.1 ht
  refine ⟨us.map ofTree, ?_, ?_⟩
  · have := congrArg (List.map (Option.map ofTree)) (modes?_eq_some hus)
    simpa [List.map_map, modeAt, Function.comp_def] using this
  · have hm : flattenList us = concatModes (us.map ofTree) := by
      clear ht hus h
      induction us with
      | nil => rfl
      | cons u us ih => rw [flattenList, List.map_cons, concatModes, ih]; rfl
    refine Aux.ext' hm ?_
    show HTuple.node (mapList (fun _ => ()) us) = _
    rw [mapList_eq_map, concat, List.map_map]
    rfl

/-- **A mode of a tuple, by itself, has the offsets of the tuple at 0 in all other modes.**
Rust: `razorgirl::Layout::mode`
Source: CuTe `get`, `select` -/
theorem modeAt_call {i : Nat} {L M : Layout} {d : Coord} (hL : L.Valid) (hr : L.profile.depth ≠ 0)
    (h : L.modeAt i = some M) :
    L.call (.node (List.replicate i (.leaf (some 0)) ++ d ::
      List.replicate (L.rank - (i + 1)) (.leaf (some 0)))) = M.call d := by
  obtain ⟨t, ht, rfl⟩ := Option.map_eq_some_iff.1 h
  obtain ⟨hs, hi⟩ := mode?_eq_some ht
  have hv := valid_children hL
  have hnode : L.tree = .node L.tree.children := by
    cases hT : L.tree with
    | leaf m => rw [← profile_tree, hT] at hr; exact absurd rfl hr
    | node ts => rfl
  have hz := fun (us : List (HTuple Mode)) (hu : ∀ u ∈ us, u ∈ L.tree.children) =>
    callTrees_zero (valid_flattenList_of_mem hv hu)
  rw [call_eq_callTree hL.1, call_ofTree]
  conv => lhs; rw [hnode, callTree_node, hs]
  have h1 := hz (L.tree.children.take i) fun u hu => List.mem_of_mem_take hu
  have h2 := hz (L.tree.children.drop (i + 1)) fun u hu => List.mem_of_mem_drop hu
  rw [List.length_take, Nat.min_eq_left (by omega)] at h1
  rw [List.length_drop, length_children, rank_tree] at h2
  rw [callTrees_append _ _ _ _ (by rw [List.length_replicate, List.length_take]; omega), h1, callTrees_cons, h2]
  cases callTree t d <;> simp

/-- **Taking exists exactly for ranges `b ≤ e ≤ rank`.**
Rust: `razorgirl::Layout::take`
Source: CuTe `take`, which asks for `b < e` -/
theorem take_isSome (b e : Nat) (L : Layout) : (take b e L).isSome = true ↔ b ≤ e ∧ e ≤ L.rank := by
  unfold take onTree HTuple.take
  rw [Option.isSome_map, rank_tree]
  split <;> simp_all

/-- **The modes taken of a tuple have the offsets of the tuple at 0 in the modes left out.**
Rust: `razorgirl::Layout::take`
Source: CuTe `take` -/
theorem take_call {b e : Nat} {L R : Layout} {ds : List Coord} (hL : L.Valid) (hr : L.profile.depth ≠ 0)
    (h : take b e L = some R) (hd : ds.length = e - b) :
    L.call (.node (List.replicate b (.leaf (some 0)) ++ (ds ++
      List.replicate (L.rank - e) (.leaf (some 0))))) = R.call (.node ds) := by
  obtain ⟨t, ht, rfl⟩ := onTree_eq_some h
  rw [HTuple.take, rank_tree] at ht
  split at ht
  · rename_i hb
    obtain rfl := Option.some.inj ht
    have hv := valid_children hL
    have hlen : L.tree.children.length = L.rank := by rw [length_children, rank_tree]
    have hnode : L.tree = .node L.tree.children := by
      cases hT : L.tree with
      | leaf m => rw [← profile_tree, hT] at hr; exact absurd rfl hr
      | node ts => rfl
    have hz := fun (us : List (HTuple Mode)) (hu : ∀ u ∈ us, u ∈ L.tree.children) =>
      callTrees_zero (valid_flattenList_of_mem hv hu)
    rw [call_eq_callTree hL.1, call_ofTree, callTree_node]
    conv => lhs; rw [hnode, callTree_node, take_drop_drop hb.1 L.tree.children]
    have h1 := hz (L.tree.children.take b) fun u hu => List.mem_of_mem_take hu
    have h2 := hz (L.tree.children.drop e) fun u hu => List.mem_of_mem_drop hu
    rw [List.length_take, Nat.min_eq_left (by omega)] at h1
    rw [List.length_drop, hlen] at h2
    rw [callTrees_append _ _ _ _ (by rw [List.length_replicate, List.length_take]; omega), h1,
      callTrees_append _ _ _ _ (by rw [hd, List.length_drop, List.length_take]; omega), h2]
    cases callTrees ((L.tree.children.take e).drop b) ds <;> simp
  · cases ht

/-- **Replacing a mode of a tuple keeps the others: the offset is that of the tuple at 0 in the replaced mode plus that
of the new one.**
Rust: `razorgirl::Layout::replace`
Source: CuTe `replace` -/
theorem replace_call {n : Nat} {X L R : Layout} {cs ds : List Coord} {d : Coord} {o : Nat} (hX : X.Valid)
    (hL : L.Valid) (hr : L.profile.depth ≠ 0) (h : replace n X L = some R) (hc : cs.length = n)
    (ho : L.call (.node (cs ++ .leaf (some 0) :: ds)) = some o) :
    R.call (.node (cs ++ d :: ds)) = (X.call d).map fun x => o + x := by
  obtain ⟨t, ht, rfl⟩ := onTree_eq_some h
  rw [call_eq_callTree hL.1] at ho
  rw [call_ofTree, call_eq_callTree hX.1]
  cases hT : L.tree with
  | leaf m => rw [← profile_tree, hT] at hr; exact absurd rfl hr
  | node ts =>
    have hv := valid_children hL
    rw [hT] at ho ht hv
    rw [HTuple.replace] at ht
    split at ht
    · rename_i hn
      obtain rfl := Option.some.inj ht
      obtain ⟨pre, u, post, rfl, hp⟩ : ∃ pre u post, ts = pre ++ u :: post ∧ pre.length = n :=
        ⟨ts.take n, ts[n], ts.drop (n + 1), by simp, by rw [List.length_take]; omega⟩
      rw [callTree_node] at ho ⊢
      obtain ⟨a, b, ha, hb, rfl⟩ := callTrees_split ho (by omega)
      rw [callTrees_cons, callTree_zero (hv u (by simp [children]))] at hb
      obtain ⟨b, hw, rfl⟩ := Option.map_eq_some_iff.1 hb
      have : (pre ++ u :: post).set n X.tree = pre ++ X.tree :: post := by
        rw [List.set_append_right _ _ (by omega), hp, Nat.sub_self]
        rfl
      rw [this, callTrees_append _ _ _ _ (by omega), ha, callTrees_cons, hw]
      cases callTree X.tree d
      · rfl
      · simp
        omega
    · cases ht

end Layout

end Razorgirl
