module

public import Razorgirl.Spec.Layout.Filter
public import Razorgirl.Thm.Layout.Injective
public import Razorgirl.Thm.Layout.Basic.Nested
public import Razorgirl.Thm.Layout.Coalesce
public import Razorgirl.Thm.Layout.Coalesce.MapAt

@[expose] public section

/-!
# Filter: what is proved

Removing the modes of stride 0 keeps which offsets are hit, and the cosize; it does not keep the function of the
index. What is left is injective exactly when the only collisions came from those modes.
-/

namespace Razorgirl

namespace FlatLayout
open Aux

/-! ## `filterZeros` -/

theorem filterZeros_nil : filterZeros [] = [] := rfl

theorem filterZeros_cons (m : Mode) (L : FlatLayout) :
    filterZeros (m :: L) = filterZero m :: filterZeros L := rfl

theorem filterZeros_append (A B : FlatLayout) :
    filterZeros (A ++ B) = filterZeros A ++ filterZeros B := by simp [filterZeros]

theorem stride_filterZero (m : Mode) : (filterZero m).stride = m.stride := by
  unfold filterZero
  split
  · simp [*]
  · rfl

/-- **Filtering zeros keeps the number of modes and their strides.**
Rust: `razorgirl::Layout::filter_zeros`
Source: CuTe `filter_zeros` -/
theorem filterZeros_strides (L : FlatLayout) : strides (filterZeros L) = strides L := by
  simp [strides, filterZeros, Function.comp_def, stride_filterZero]

/-- **Filtering zeros keeps the offset of every coordinate (with fewer coordinates left).**
Rust: `razorgirl::Layout::filter_zeros`
Source: CuTe `filter_zeros` -/
theorem filterZeros_eval (L : FlatLayout) (c : List Nat) : eval (filterZeros L) c = eval L c := by
  induction L generalizing c with
  | nil => rfl
  | cons m L ih => cases c with
    | nil => rfl
    | cons k c => rw [filterZeros_cons, eval_cons, eval_cons, stride_filterZero, ih]

/-- **Filtering zeros of a valid layout gives a valid one.**
Rust: `razorgirl::Layout::filter_zeros`
Source: CuTe `filter_zeros` -/
theorem filterZeros_valid {L : FlatLayout} (h : Valid L) : Valid (filterZeros L) := by
  induction L with
  | nil => trivial
  | cons m L ih =>
    refine ⟨?_, ih h.2⟩
    unfold filterZero
    split
    · exact Nat.one_pos
    · exact h.1

/-- **Filtering zeros keeps the set of offsets.**
Rust: `razorgirl::Layout::filter_zeros`
Source: CuTe `filter_zeros` -/
theorem filterZeros_mem_offsets {L : FlatLayout} (h : Valid L) (o : Nat) :
    o ∈ offsets (filterZeros L) ↔ o ∈ offsets L := by
  induction L generalizing o with
  | nil => rfl
  | cons m L ih =>
    rw [filterZeros_cons, mem_offsets_cons, mem_offsets_cons, stride_filterZero]
    simp only [ih h.2]
    by_cases hs : m.stride = 0
    · simp only [filterZero, hs, if_true, Nat.mul_zero, Nat.zero_add]
      constructor
      · rintro ⟨_, _, ho⟩; exact ⟨0, h.1, ho⟩
      · rintro ⟨_, _, ho⟩; exact ⟨0, Nat.one_pos, ho⟩
    · simp only [filterZero, hs, if_false]

/-- **Filtering zeros keeps the cosize.**
Rust: `razorgirl::Layout::filter_zeros`
Source: CuTe `filter_zeros` -/
theorem filterZeros_cosize {L : FlatLayout} (h : Valid L) : cosize (filterZeros L) = cosize L :=
  cosize_congr (filterZeros_mem_offsets h)

theorem filterZeros_cosizeFormula (L : FlatLayout) :
    cosizeFormula (filterZeros L) = cosizeFormula L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    rw [filterZeros_cons, cosizeFormula, cosizeFormula, ih]
    unfold filterZero
    split
    · simp [*]
    · rfl

theorem filterZeros_eq_self {L : FlatLayout} (h : ∀ m ∈ L, m.stride = 0 → m.extent = 1) :
    filterZeros L = L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    rw [filterZeros_cons, ih fun n hn => h n (List.mem_cons_of_mem _ hn)]
    unfold filterZero
    split
    · rename_i hs
      have := h m (by simp) hs
      cases m
      simp_all
    · rfl

theorem extent_of_mem_filterZeros {L : FlatLayout} {m : Mode} (hm : m ∈ filterZeros L)
    (hs : m.stride = 0) : m.extent = 1 := by
  obtain ⟨n, _, rfl⟩ := List.mem_map.mp hm
  rw [stride_filterZero] at hs
  simp [filterZero, hs]

/-- **Filtering zeros twice is filtering zeros once.**
Rust: `razorgirl::Layout::filter_zeros`
Source: CuTe `filter_zeros` -/
theorem filterZeros_idempotent (L : FlatLayout) : filterZeros (filterZeros L) = filterZeros L :=
  filterZeros_eq_self fun _ => extent_of_mem_filterZeros

/-! ## `filter` -/

/-- **Filtering a valid layout gives a valid one.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter` -/
theorem filter_valid {L : FlatLayout} (h : Valid L) : Valid (filter L) :=
  coalesce_valid (filterZeros_valid h)

/-- **Filtering keeps the set of offsets.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter`; Colfax 2.1.3 -/
theorem filter_mem_offsets {L : FlatLayout} (h : Valid L) (o : Nat) :
    o ∈ offsets (filter L) ↔ o ∈ offsets L := by
  rw [filter, coalesce_offsets, filterZeros_mem_offsets h]

/-- **Filtering keeps the cosize.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter`; Colfax 2.1.3 -/
theorem filter_cosize {L : FlatLayout} (h : Valid L) : cosize (filter L) = cosize L :=
  cosize_congr (filter_mem_offsets h)

/-- **The result of filtering is coalesced: no extent 1, no neighbours that merge.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter` -/
theorem filter_coalesced (L : FlatLayout) : Coalesced (filter L) := coalesce_coalesced _

theorem stride_ne_zero_push {m : Mode} {L : FlatLayout} (hm : m.stride = 0 → m.extent = 1)
    (h : ∀ n ∈ L, n.stride ≠ 0) : ∀ n ∈ push m L, n.stride ≠ 0 := by
  by_cases h1 : m.extent = 1
  · rw [push_unit h1]; exact h
  · have hs : m.stride ≠ 0 := fun e => h1 (hm e)
    cases L with
    | nil =>
      intro n hn
      simp only [push, h1, if_false, List.mem_singleton] at hn
      rw [hn]; exact hs
    | cons k L =>
      simp only [push, h1, if_false]
      split
      · intro n hn
        rcases List.mem_cons.mp hn with rfl | hn
        · exact hs
        · exact h n (List.mem_cons_of_mem _ hn)
      · intro n hn
        rcases List.mem_cons.mp hn with rfl | hn
        · exact hs
        · exact h n hn

/-- **The result of filtering has no mode of stride 0.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter`; Colfax 2.1.3 -/
theorem stride_ne_zero_of_mem_filter {L : FlatLayout} {m : Mode} (hm : m ∈ filter L) : m.stride ≠ 0 := by
  have key : ∀ K : FlatLayout, (∀ n ∈ K, n.stride = 0 → n.extent = 1) →
      ∀ n ∈ coalesce K, n.stride ≠ 0 := by
    intro K
    induction K with
    | nil => intro _ n hn; simp [coalesce] at hn
    | cons k K ih =>
      intro h
      exact stride_ne_zero_push (h k (by simp)) (ih fun n hn => h n (List.mem_cons_of_mem _ hn))
  exact key _ (fun _ => extent_of_mem_filterZeros) m hm

/-- **Filtering twice is filtering once.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter` -/
theorem filter_idempotent (L : FlatLayout) : filter (filter L) = filter L := by
  rw [filter, filterZeros_eq_self fun m hm hs => absurd hs (stride_ne_zero_of_mem_filter hm)]
  exact coalesce_of_coalesced (filter_coalesced L)

/-- **Filtering a layout without broadcasts is coalescing it.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter` -/
theorem filter_eq_coalesce {L : FlatLayout} (h : ∀ m ∈ L, m.stride = 0 → m.extent = 1) :
    filter L = coalesce L := by rw [filter, filterZeros_eq_self h]

/-- **Filtering an injective layout is coalescing it.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter` -/
theorem filter_eq_coalesce_of_injective {L : FlatLayout} (hv : Valid L) (h : Injective L) :
    filter L = coalesce L := by
  refine filter_eq_coalesce fun m hm hs => ?_
  have h0 := (valid_iff_forall L).mp hv m hm
  rcases Nat.lt_or_ge 1 m.extent with h1 | h1
  · have := stride_pos_of_injective hv h hm h1
    omega
  · omega

/-! ## When the filtered layout is injective -/

/-- The coordinate with 0 in every mode of stride 0. -/
def still : FlatLayout → (c : List Nat) → List Nat
  | m :: L, x :: c => (if m.stride = 0 then 0 else x) :: still L c
  | _, _ => []

theorem eval_still (L : FlatLayout) (c : List Nat) : eval L (still L c) = eval L c := by
  induction L generalizing c with
  | nil => rfl
  | cons m L ih => cases c with
    | nil => rfl
    | cons x c =>
      rw [still, eval_cons, eval_cons, ih]
      split <;> simp [*]

theorem inBounds_still {L : FlatLayout} {c : List Nat} (h : InBounds (shape L) c) :
    InBounds (shape (filterZeros L)) (still L c) := by
  induction L generalizing c with
  | nil => trivial
  | cons m L ih => cases c with
    | nil => exact h.elim
    | cons x c =>
      refine ⟨?_, ih h.2⟩
      by_cases hs : m.stride = 0
      · simp [filterZero, hs]
      · simp only [filterZero, hs, if_false]; exact h.1

theorem inBounds_of_filterZeros {L : FlatLayout} (hv : Valid L) {c : List Nat}
    (h : InBounds (shape (filterZeros L)) c) : InBounds (shape L) c ∧ still L c = c := by
  induction L generalizing c with
  | nil => cases c with
    | nil => exact ⟨trivial, rfl⟩
    | cons => exact h.elim
  | cons m L ih => cases c with
    | nil => exact h.elim
    | cons x c =>
      obtain ⟨h1, h2⟩ := ih hv.2 h.2
      have h3 : x < (filterZero m).extent := h.1
      have h4 : 0 < m.extent := hv.1
      by_cases hs : m.stride = 0
      · simp only [filterZero, hs, if_true] at h3
        obtain rfl : x = 0 := by omega
        exact ⟨⟨h4, h1⟩, by simp [still, h2]⟩
      · simp only [filterZero, hs, if_false] at h3
        exact ⟨⟨h3, h1⟩, by simp [still, h2, hs]⟩

theorem still_eq_iff {L : FlatLayout} {c c' : List Nat} (h : InBounds (shape L) c)
    (h' : InBounds (shape L) c') : still L c = still L c' ↔ AgreeWhereMoving L c c' := by
  induction L generalizing c c' with
  | nil => simp [still, AgreeWhereMoving]
  | cons m L ih => cases c with
    | nil => exact h.elim
    | cons x c => cases c' with
      | nil => exact h'.elim
      | cons y c' =>
        simp only [still, AgreeWhereMoving, List.cons.injEq, ih h.2 h'.2]
        by_cases hs : m.stride = 0 <;> simp [hs]

/-- **Without the modes of stride 0 a layout is injective exactly when its colliding coordinates differ in such
modes only.**
Rust: `razorgirl::Layout::filter_zeros`
Source: CuTe `filter_zeros`; Colfax 2.1.6 -/
theorem filterZeros_injective_iff {L : FlatLayout} (hv : Valid L) : Injective (filterZeros L) ↔
    ∀ c c', InBounds (shape L) c → InBounds (shape L) c' → eval L c = eval L c' →
      AgreeWhereMoving L c c' := by
  constructor
  · intro h c c' hc hc' e
    rw [← still_eq_iff hc hc']
    refine h _ _ (inBounds_still hc) (inBounds_still hc') ?_
    rw [filterZeros_eval, filterZeros_eval, eval_still, eval_still, e]
  · intro h c c' hc hc' e
    obtain ⟨h1, h2⟩ := inBounds_of_filterZeros hv hc
    obtain ⟨h3, h4⟩ := inBounds_of_filterZeros hv hc'
    rw [filterZeros_eval, filterZeros_eval] at e
    rw [← h2, ← h4, still_eq_iff h1 h3]
    exact h c c' h1 h3 e

/-- **The filtered layout is injective exactly when colliding coordinates differ in modes of stride 0 only.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter`; Colfax 2.1.6 -/
theorem filter_injective_iff {L : FlatLayout} (hv : Valid L) : Injective (filter L) ↔
    ∀ c c', InBounds (shape L) c → InBounds (shape L) c' → eval L c = eval L c' →
      AgreeWhereMoving L c c' := by
  rw [filter, coalesce_injective, filterZeros_injective_iff hv]

/-- **An injective layout stays injective when filtered.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter` -/
theorem filter_injective {L : FlatLayout} (hv : Valid L) (h : Injective L) : Injective (filter L) := by
  rw [filter_eq_coalesce_of_injective hv h, coalesce_injective]
  exact h

end FlatLayout

/-! ## Nested layouts -/

namespace Layout
open HTuple FlatLayout FlatLayout.Aux Layout.Aux

/-- Filtering zeros keeps the nesting. -/
theorem filterZeros_profile (L : Layout) : (filterZeros L).profile = L.profile := rfl

/-- **Filtering zeros of a valid nested layout gives a valid one.**
Rust: `razorgirl::Layout::filter_zeros`
Source: CuTe `filter_zeros` -/
theorem filterZeros_valid {L : Layout} (h : L.Valid) : (filterZeros L).Valid :=
  ⟨by simp [filterZeros, FlatLayout.filterZeros, h.1], FlatLayout.filterZeros_valid h.2⟩

/-- **Filtering zeros of a nested layout keeps the set of offsets.**
Rust: `razorgirl::Layout::filter_zeros`
Source: CuTe `filter_zeros` -/
theorem filterZeros_mem_offsets {L : Layout} (h : L.Valid) (o : Nat) :
    o ∈ offsets (filterZeros L).modes ↔ o ∈ offsets L.modes := FlatLayout.filterZeros_mem_offsets h.2 o

/-- **Filtering zeros of a nested layout keeps the cosize.**
Rust: `razorgirl::Layout::filter_zeros`
Source: CuTe `filter_zeros` -/
theorem filterZeros_cosize {L : Layout} (h : L.Valid) : (filterZeros L).cosize = L.cosize :=
  FlatLayout.filterZeros_cosize h.2

theorem offsets_nest (L : FlatLayout) : offsets (nest L).modes = offsets L :=
  (offsets_eq_iff _ _).mpr ⟨size_nest L, fun x _ => atIndex_nest L x⟩

theorem valid_nest {L : FlatLayout} (h : FlatLayout.Valid L) : (nest L).Valid := by
  refine ⟨profile_length_nest L, ?_⟩
  rw [nest_modes]
  split
  · simp [FlatLayout.Valid]
  · exact h

/-- **Filtering a valid nested layout gives a valid one.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter` -/
theorem filter_valid {L : Layout} (h : L.Valid) : (filter L).Valid :=
  valid_nest (FlatLayout.filter_valid h.2)

/-- **Filtering a nested layout keeps the set of offsets.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter` -/
theorem filter_mem_offsets {L : Layout} (h : L.Valid) (o : Nat) :
    o ∈ offsets (filter L).modes ↔ o ∈ offsets L.modes := by
  rw [filter, offsets_nest, FlatLayout.filter_mem_offsets h.2]

/-- **Filtering a nested layout keeps the cosize.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter` -/
theorem filter_cosize {L : Layout} (h : L.Valid) : (filter L).cosize = L.cosize :=
  cosize_congr (filter_mem_offsets h)

/-- **The filtered layout is in normal form.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter` -/
theorem filter_coalesced (L : Layout) : Coalesced (filter L) := coalesced_nest (FlatLayout.filter_coalesced _)

/-- **The filtered layout has no mode of stride 0, unless nothing is left and it is `1:0`.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter` -/
theorem filter_stride_ne_zero {L : Layout} {m : Mode} (hm : m ∈ (filter L).modes) :
    m.stride ≠ 0 ∨ (filter L).modes = [⟨1, 0⟩] := by
  rw [filter, nest_modes] at hm ⊢
  split at hm
  · right; rw [if_pos ‹_›]
  · left; exact stride_ne_zero_of_mem_filter hm

/-- **Filtering a nested layout twice is filtering it once.**
Rust: `razorgirl::Layout::filter`
Source: CuTe `filter` -/
theorem filter_idempotent (L : Layout) : filter (filter L) = filter L := by
  have : FlatLayout.filter (nest (FlatLayout.filter L.modes)).modes = FlatLayout.filter L.modes := by
    rw [nest_modes]
    split
    · rename_i h; rw [h]; rfl
    · exact FlatLayout.filter_idempotent _
  rw [filter, filter, this]

/-! ## By profile -/

theorem flatten_filterTree (t : HTuple Mode) :
    (filterTree t).flatten = (nest (FlatLayout.filter t.flatten)).modes :=
  flatten_tree (profile_length_nest _)

theorem filterTree_idempotent (t : HTuple Mode) : filterTree (filterTree t) = filterTree t := by
  have := filter_idempotent ⟨t.flatten, t.profile⟩
  unfold filterTree
  rw [flatten_tree (profile_length_nest _)]
  exact congrArg tree this

theorem filterBy_eq_some {target : Profile} {L R : Layout} (h : filterBy target L = some R) :
    ∃ t, mapAt filterTree target L.tree = some t ∧ R = ofTree t ∧ R.tree = t := by
  obtain ⟨t, ht, rfl⟩ := Option.map_eq_some_iff.mp h
  exact ⟨t, ht, rfl, tree_ofTree t⟩

/-- **Filtering by a target exists exactly when the target has nowhere more modes than the layout.**
Rust: `razorgirl::Layout::filter_by`
Source: CuTe `filter(L, profile)` -/
theorem filterBy_isSome (target : Profile) (L : Layout) :
    (filterBy target L).isSome = fits target L.profile := by
  rw [filterBy, Option.isSome_map, isSome_mapAt, ← profile_tree L, HTuple.profile, fits_map]

/-- **Filtering by a target of one leaf is filtering.**
Rust: `razorgirl::Layout::filter_by`
Source: CuTe `filter(L, profile)` -/
theorem filterBy_leaf {L : Layout} (hv : L.Valid) : filterBy (.leaf ()) L = some (filter L) := by
  simp only [filterBy, mapAt, Option.map_some, filterTree, flatten_tree hv.1, filter]
  rw [Layout.ofTree_tree (valid_nest (FlatLayout.filter_valid hv.2))]

theorem filterBy_rel {target : Profile} {L R : Layout} (hv : L.Valid) (h : filterBy target L = some R) :
    FlatLayout.Valid R.modes ∧ ∀ o, o ∈ offsets R.modes ↔ o ∈ offsets L.modes := by
  obtain ⟨t, ht, rfl, _⟩ := filterBy_eq_some h
  have := mapAt_rel (R := fun A B => FlatLayout.Valid A →
      FlatLayout.Valid B ∧ ∀ o, o ∈ offsets B ↔ o ∈ offsets A) (fun _ h => ⟨h, fun _ => Iff.rfl⟩)
    (fun A A' B B' h1 h2 h => by
      rw [valid_append_iff] at h ⊢
      obtain ⟨v1, o1⟩ := h1 h.1
      obtain ⟨v2, o2⟩ := h2 h.2
      exact ⟨⟨v1, v2⟩, fun o => by simp only [mem_offsets_append, o1, o2]⟩)
    (fun t h => by
      rw [flatten_filterTree, offsets_nest]
      exact ⟨(valid_nest (FlatLayout.filter_valid h)).2, FlatLayout.filter_mem_offsets h⟩) _ _ _ ht
  rw [flatten_tree hv.1] at this
  exact this hv.2

/-- **Filtering a valid layout by a target gives a valid one.**
Rust: `razorgirl::Layout::filter_by`
Source: CuTe `filter(L, profile)` -/
theorem filterBy_valid {target : Profile} {L R : Layout} (hv : L.Valid)
    (h : filterBy target L = some R) : R.Valid := by
  obtain ⟨t, _, e, _⟩ := filterBy_eq_some h
  exact ⟨e ▸ profile_length_ofTree t, (filterBy_rel hv h).1⟩

/-- **Filtering by a target keeps the set of offsets.**
Rust: `razorgirl::Layout::filter_by`
Source: CuTe `filter(L, profile)` -/
theorem filterBy_mem_offsets {target : Profile} {L R : Layout} (hv : L.Valid)
    (h : filterBy target L = some R) (o : Nat) : o ∈ offsets R.modes ↔ o ∈ offsets L.modes :=
  (filterBy_rel hv h).2 o

/-- **Filtering by a target keeps the cosize.**
Rust: `razorgirl::Layout::filter_by`
Source: CuTe `filter(L, profile)` -/
theorem filterBy_cosize {target : Profile} {L R : Layout} (hv : L.Valid)
    (h : filterBy target L = some R) : R.cosize = L.cosize := cosize_congr (filterBy_mem_offsets hv h)

/-- **Filtering twice by the same target is filtering once.**
Rust: `razorgirl::Layout::filter_by`
Source: CuTe `filter(L, profile)` -/
theorem filterBy_idempotent {target : Profile} {L R : Layout} (h : filterBy target L = some R) :
    filterBy target R = some R := by
  obtain ⟨t, ht, rfl, ht'⟩ := filterBy_eq_some h
  rw [filterBy, ht', mapAt_idempotent filterTree_idempotent _ _ _ ht]
  rfl

/-- **What lies at each leaf of the target is filtered: `filter` leaves it as it is.**
Rust: `razorgirl::Layout::filter_by`
Source: CuTe `filter(L, profile)` -/
theorem filterBy_filtered {target : Profile} {L R : Layout} (h : filterBy target L = some R) :
    AtLeaves (fun t => filterTree t = t) target R.tree := by
  obtain ⟨t, ht, rfl, ht'⟩ := filterBy_eq_some h
  rw [ht']
  exact mapAt_atLeaves filterTree_idempotent _ _ _ ht

/-- **The modes that the target does not reach stay as they are, at every level.**
Rust: `razorgirl::Layout::filter_by`
Source: CuTe `filter(L, profile)` -/
theorem filterBy_beyond {target : Profile} {L R : Layout} (h : filterBy target L = some R) :
    SameBeyond target L.tree R.tree := by
  obtain ⟨t, ht, rfl, ht'⟩ := filterBy_eq_some h
  rw [ht']
  exact mapAt_sameBeyond _ _ _ ht

end Layout

/-! ## Worked examples -/

namespace FlatLayout

/-- A broadcast in front of a packed pair. -/
example : filter [⟨4, 0⟩, ⟨2, 1⟩, ⟨3, 2⟩] = [⟨6, 1⟩] ∧
    filterZeros [⟨4, 0⟩, ⟨2, 1⟩] = [⟨1, 0⟩, ⟨2, 1⟩] := by decide +kernel
/-- «Categorical Foundations» 3.1.2.19 says that filter keeps the function of the index. It does not: (2,3):(0,1)
becomes 3:1. Only the set of offsets stays. -/
example : filter [⟨2, 0⟩, ⟨3, 1⟩] = [⟨3, 1⟩] ∧ offsets [⟨2, 0⟩, ⟨3, 1⟩] = [0, 0, 1, 1, 2, 2] ∧
    offsets [⟨3, 1⟩] = [0, 1, 2] := by decide +kernel
/-- A filtered layout need not be injective: `(2,2):(1,1)` collides without any stride 0. -/
example : filter [⟨2, 1⟩, ⟨2, 1⟩] = [⟨2, 1⟩, ⟨2, 1⟩] ∧ isInjective [⟨2, 1⟩, ⟨2, 1⟩] = false := by
  decide +kernel
/-- Nothing left: a layout of broadcasts only is `1:0`. -/
example : Layout.filter ⟨[⟨4, 0⟩, ⟨1, 3⟩], .node [.leaf (), .leaf ()]⟩ = ⟨[⟨1, 0⟩], .leaf ()⟩ := rfl
/-- By profile: `((4,2),(3,5)):((0,1),(2,0))` by `(*,*)` is `(2,3):(1,2)`; as a whole it is `6:1`. -/
example : Layout.filterBy (.node [.leaf (), .leaf ()]) ⟨[⟨4, 0⟩, ⟨2, 1⟩, ⟨3, 2⟩, ⟨5, 0⟩],
    .node [.node [.leaf (), .leaf ()], .node [.leaf (), .leaf ()]]⟩ =
    some ⟨[⟨2, 1⟩, ⟨3, 2⟩], .node [.leaf (), .leaf ()]⟩ := rfl

end FlatLayout

end Razorgirl
