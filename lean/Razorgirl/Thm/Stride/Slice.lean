module

public import Razorgirl.Thm.Layout.Slice
public import Razorgirl.Thm.Stride.Coord

@[expose] public section

/-!
# Slices of layouts of coordinates: what is proved

In each number a layout of coordinates is the start plus a layout of integers, and a slice is the slice of that.
-/

namespace Razorgirl

namespace CoordLayout
open HTuple StrideModule

variable {r : Nat}

mutual
theorem kept_map {α β : Type} (f : α → β) : (c : Coord) → (t : HTuple α) →
    Layout.kept c (map f t) = (Layout.kept c t).map (List.map (map f))
  | .leaf none, t => by simp [Layout.kept]
  | .leaf (some _), t => by simp [Layout.kept]
  | .node cs, .node ts => by simp only [map, Layout.kept]; exact keptList_map f cs ts
  | .node _, .leaf _ => by simp [Layout.kept, map]
theorem keptList_map {α β : Type} (f : α → β) : (cs : List Coord) → (ts : List (HTuple α)) →
    Layout.keptList cs (mapList f ts) = (Layout.keptList cs ts).map (List.map (map f))
  | [], [] => by simp [Layout.keptList, mapList]
  | [], _ :: _ => by simp [Layout.keptList, mapList]
  | _ :: _, [] => by simp [Layout.keptList, mapList]
  | c :: cs, t :: ts => by
    simp only [mapList, Layout.keptList, kept_map f c t, keptList_map f cs ts]
    cases Layout.kept c t <;> cases Layout.keptList cs ts <;> simp
end

/-- A mode in dimension `i`. -/
def modeAt (i : Nat) (m : Nat × Point r) : Mode := ⟨m.1, m.2.get i⟩

/-- What dimension `i` is without the start, nested. -/
def along (R : CoordLayout r) (i : Nat) : Layout := ⟨R.modes.map (modeAt i), R.profile⟩

/-- The value of a coordinate without the start. -/
def beyond (R : CoordLayout r) (c : Coord) : Option (Point r) :=
  (c.toFlat R.shape).map fun xs => Stride.dot xs (Stride.strides R.modes)

theorem call_eq_beyond (R : CoordLayout r) (c : Coord) : R.call c = (R.beyond c).map (add R.start) := by
  rw [call, beyond, Option.map_map]; rfl

theorem along_valid {R : CoordLayout r} (hv : R.Valid) (i : Nat) : (R.along i).Valid := by
  refine ⟨by rw [along, List.length_map]; exact hv.1, ?_⟩
  rw [FlatLayout.valid_iff_forall]
  intro m hm
  obtain ⟨n, hn, rfl⟩ := List.mem_map.1 hm
  exact hv.2 n hn

theorem along_tree {R : CoordLayout r} (hv : R.Valid) (i : Nat) :
    (R.along i).tree = map (modeAt i) (unflatten (1, zero) R.profile R.modes) :=
  (map_unflatten (modeAt i) (1, zero) ⟨1, 0⟩ R.profile R.modes hv.1).symm

theorem along_shape {R : CoordLayout r} (hv : R.Valid) (i : Nat) : (R.along i).shape = R.shape := by
  rw [Layout.shape, along_tree hv, map_map, shape, Stride.shape]
  exact map_unflatten (fun m => m.1) (1, zero) 1 R.profile R.modes hv.1

theorem along_call {R : CoordLayout r} (hv : R.Valid) (c : Coord) (i : Nat) :
    (R.along i).call c = (R.beyond c).map fun p => p.get i := by
  rw [Layout.call, along_shape hv, beyond, Option.map_map]
  congr 1
  funext xs
  simp only [Function.comp_def, Point.get_dot, eval_axis]
  rfl

theorem slice_eq_some_iff {R S : CoordLayout r} {c : Coord} : R.slice c = some S ↔
    ∃ ts p, Layout.kept c (unflatten (1, zero) R.profile R.modes) = some ts ∧ R.call c = some p ∧
      S = ⟨p, flattenList ts, .node (ts.map HTuple.profile)⟩ := by
  unfold slice
  cases Layout.kept c (unflatten (1, zero) R.profile R.modes) with
  | none => simp
  | some ts =>
    cases R.call c with
    | none => simp
    | some p => simp [eq_comm]

theorem along_slice {R S : CoordLayout r} {c : Coord} {q : Point r} (hv : R.Valid) (h : R.slice c = some S)
    (hq : R.beyond c = some q) (i : Nat) : (R.along i).sliceAndOffset c = some (S.along i, q.get i) := by
  obtain ⟨ts, p, hk, _, rfl⟩ := slice_eq_some_iff.1 h
  have e : Layout.sliceModes c (R.along i) = some (along ⟨p, flattenList ts, .node (ts.map HTuple.profile)⟩ i) := by
    rw [Layout.sliceModes, along_tree hv, kept_map, hk]
    simp only [Option.map_some, Option.some.injEq, Layout.ofTree, along, Layout.mk.injEq]
    constructor
    · rw [HTuple.flatten, ← mapList_eq_map, flattenList_mapList]
    · rw [HTuple.profile, map, mapList_eq_map, List.map_map]
      congr 1
      apply List.map_congr_left
      intro t _
      exact profile_map (modeAt i) t
  simp only [Layout.sliceAndOffset, e, along_call hv, hq, Option.map_some]

theorem slice_valid {R S : CoordLayout r} {c : Coord} (hv : R.Valid) (h : R.slice c = some S) : S.Valid := by
  have hs := h
  obtain ⟨ts, p, _, hp, rfl⟩ := slice_eq_some_iff.1 hs
  rw [call_eq_beyond] at hp
  obtain ⟨q, hq, _⟩ := Option.map_eq_some_iff.1 hp
  obtain ⟨us, hus, e, _⟩ := Layout.sliceModes_eq_some (Layout.sliceAndOffset_offset (along_slice hv h hq 0)).2
  have w : (along ⟨p, flattenList ts, .node (ts.map HTuple.profile)⟩ 0).Valid := by
    by_cases hc : c = .leaf none
    · subst hc
      simp only [Layout.kept, Option.some.injEq] at hus
      rw [e, ← hus]
      have v := along_valid hv 0
      refine ⟨?_, ?_⟩
      · rw [Layout.ofTree]; simp [HTuple.profile, length_map, HTuple.length, HTuple.flatten, lengthList, flattenList, length_flatten]
      · rw [Layout.ofTree, HTuple.flatten, flattenList, flattenList, List.append_nil, Layout.tree,
          flatten_unflatten _ _ _ v.1]
        exact v.2
    · exact Layout.slice_valid (along_valid hv 0) (Layout.sliceAndOffset_slice hc (along_slice hv h hq 0))
  refine ⟨by have := w.1; rwa [along, List.length_map] at this, fun m hm => ?_⟩
  have := (FlatLayout.valid_iff_forall _).1 w.2
  exact this _ (List.mem_map_of_mem hm)

/-- **The start of a slice is the value of the coordinate, its `_` read as 0.**
Source: CuTe `slice_and_offset` -/
theorem slice_start {R S : CoordLayout r} {c : Coord} (h : R.slice c = some S) : R.call c = some S.start := by
  obtain ⟨ts, p, _, hp, rfl⟩ := slice_eq_some_iff.1 h
  exact hp

/-- **A slice is answered exactly where the coordinate with its `_` read as 0 lies in the layout.**
Source: CuTe `slice_and_offset` -/
theorem slice_isSome {R : CoordLayout r} (hv : R.Valid) (c : Coord) : (R.slice c).isSome = (R.call c).isSome := by
  have h := Layout.sliceAndOffset_isSome c (R.along 0)
  rw [along_call hv, Option.isSome_map] at h
  rw [call_eq_beyond, Option.isSome_map, ← h]
  have k : (Layout.sliceModes c (R.along 0)).isSome = (Layout.kept c (unflatten (1, zero) R.profile R.modes)).isSome := by
    rw [Layout.sliceModes, along_tree hv, kept_map, Option.map_map, Option.isSome_map]
  unfold slice Layout.sliceAndOffset
  rw [call_eq_beyond, along_call hv]
  cases e : Layout.kept c (unflatten (1, zero) R.profile R.modes) with
  | none =>
    rw [e] at k
    cases e' : Layout.sliceModes c (R.along 0) with
    | none => cases R.beyond c <;> rfl
    | some _ => rw [e'] at k; cases k
  | some ts =>
    rw [e] at k
    cases e' : Layout.sliceModes c (R.along 0) with
    | none => rw [e'] at k; cases k
    | some _ => cases R.beyond c <;> rfl

/-- **Slicing is partial evaluation: the slice at what fills the `_`, which is its start plus the steps to there, is the
layout at the whole coordinate, and out of range exactly where that is.**
Source: CuTe `slice_and_offset` of an identity tensor -/
theorem slice_call {R S : CoordLayout r} {c : Coord} (hv : R.Valid) (h : R.slice c = some S) {ds : List Coord}
    (hd : ds.length = Layout.holes c) : R.call (Layout.plug c ds) = S.call (.node ds) := by
  have hs := slice_start h
  rw [call_eq_beyond] at hs
  obtain ⟨q, hq, e⟩ := Option.map_eq_some_iff.1 hs
  have sv := slice_valid hv h
  have key : ∀ i, ((R.beyond (Layout.plug c ds)).map fun p => p.get i) =
      ((S.beyond (.node ds)).map fun p => p.get i).map fun a => q.get i + a := by
    intro i
    rw [← along_call hv, ← along_call sv]
    exact Layout.sliceAndOffset_call (along_valid hv i) (along_slice hv h hq i) hd
  rw [call_eq_beyond, call_eq_beyond]
  cases ea : R.beyond (Layout.plug c ds) with
  | none =>
    cases eb : S.beyond (.node ds) with
    | none => rfl
    | some b => have := key 0; rw [ea, eb] at this; cases this
  | some a =>
    cases eb : S.beyond (.node ds) with
    | none => have := key 0; rw [ea, eb] at this; cases this
    | some b =>
      simp only [Option.map_some, Option.some.injEq]
      apply Point.ext
      intro i _
      have := key i
      rw [ea, eb] at this
      simp only [Option.map_some, Option.some.injEq] at this
      rw [← e, Point.get_add, Point.get_add, Point.get_add, this, Nat.add_assoc]

end CoordLayout

end Razorgirl
