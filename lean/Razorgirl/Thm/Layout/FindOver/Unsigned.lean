module

public import Razorgirl.Spec.Layout.FindOver.Unsigned
public import Razorgirl.Thm.Layout.Composition
public import Razorgirl.Thm.Layout.Find
public import Razorgirl.Thm.Layout.FindOver
public import Razorgirl.Thm.Layout.WithShape

@[expose] public section

/-!
# One search for all

`findLayout` is the pass over one axis for a function that begins with 0 and has no stride below 0. Complete composition and complete
`with_shape` are the search over the shape of the inner layout for the function that they compose.
-/

namespace Razorgirl

namespace FindOver
open HTuple

theorem at_withSigns (L : FlatLayout) (x : Nat) : Stride.atIndex (withSigns L) x = (FlatLayout.atIndex L x : Int) := by
  induction L generalizing x with
  | nil => exact at_nil x
  | cons m L ih =>
    show Stride.atIndex ((m.extent, (m.stride : Int)) :: withSigns L) x = _
    rw [at_cons, ih, FlatLayout.atIndex_cons]
    simp

theorem size_withSigns (L : FlatLayout) : Stride.size (withSigns L) = FlatLayout.size L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    show Stride.size ((m.extent, (m.stride : Int)) :: withSigns L) = _
    rw [Stride.size_cons, ih, FlatLayout.size_cons]

theorem valid_of_pos {L : FlatLayout} (h : 0 < FlatLayout.size L) : FlatLayout.Valid L := by
  induction L with
  | nil => trivial
  | cons m L ih =>
    rw [FlatLayout.size_cons] at h
    exact ⟨Nat.pos_of_mul_pos_right h, ih (Nat.pos_of_mul_pos_left h)⟩

theorem packed_iff (m n : Mode) :
    ((n.stride : Int) = (m.extent : Int) * (m.stride : Int)) ↔ n.stride = m.extent * m.stride := by
  rw [← Int.natCast_mul]
  exact Int.ofNat_inj

theorem coalesce_withSigns (L : FlatLayout) : Stride.coalesce (withSigns L) = withSigns (FlatLayout.coalesce L) := by
  have push : ∀ (m : Mode) (K : FlatLayout), Stride.push (withSign m) (withSigns K) = withSigns (FlatLayout.push m K) := by
    intro m K
    cases K with
    | nil =>
      show Stride.push (m.extent, (m.stride : Int)) [] = withSigns (if m.extent = 1 then [] else [m])
      unfold Stride.push
      by_cases h : m.extent = 1
      · rw [if_pos h, if_pos h]; rfl
      · rw [if_neg h, if_neg h]; rfl
    | cons n K =>
      show Stride.push (m.extent, (m.stride : Int)) ((n.extent, (n.stride : Int)) :: withSigns K) =
        withSigns (if m.extent = 1 then n :: K
          else if n.stride = m.extent * m.stride then ⟨m.extent * n.extent, m.stride⟩ :: K else m :: n :: K)
      unfold Stride.push
      by_cases h : m.extent = 1
      · rw [if_pos h, if_pos h]; rfl
      · rw [if_neg h, if_neg h]
        by_cases q : n.stride = m.extent * m.stride
        · rw [if_pos q]
          exact if_pos ((packed_iff m n).2 q)
        · rw [if_neg q]
          exact if_neg fun e => q ((packed_iff m n).1 e)
  induction L with
  | nil => rfl
  | cons m L ih =>
    show Stride.push (withSign m) (Stride.coalesce (withSigns L)) = withSigns (FlatLayout.push m (FlatLayout.coalesce L))
    rw [ih, push]

theorem coalesced_withSigns : (L : FlatLayout) → (Stride.Coalesced (withSigns L) ↔ FlatLayout.Coalesced L)
  | [] => Iff.rfl
  | [_] => Iff.rfl
  | m :: n :: L => and_congr Iff.rfl (and_congr (not_congr (packed_iff m n)) (coalesced_withSigns (n :: L)))

theorem nest_withSigns (L : FlatLayout) : nest (withSigns L) = (FlatLayout.nest L).tree.map withSign := by
  match L with
  | [] => rfl
  | [m] => rfl
  | m :: n :: L =>
    refine eq_of_profile_eq_of_flatten_eq ?_ ?_
    · rw [profile_map, Layout.profile_tree]
      have key : ∀ K : FlatLayout, mapList (fun _ => ()) ((withSigns K).map HTuple.leaf) =
          K.map fun _ => (.leaf () : Profile) := by
        intro K
        induction K with
        | nil => rfl
        | cons k K ih =>
          show .leaf () :: mapList (fun _ => ()) ((withSigns K).map HTuple.leaf) = _
          rw [ih]
          rfl
      show HTuple.node (mapList (fun _ => ()) ((withSigns (m :: n :: L)).map HTuple.leaf)) = _
      rw [key]
      rfl
    · rw [flatten_map, Layout.flatten_tree (Layout.profile_length_nest _), nest_flatten]
      rfl

theorem withSign_injective {a b : HTuple Mode} (h : a.map withSign = b.map withSign) : a = b := by
  have key : ∀ t : HTuple Mode, (t.map withSign).map (fun p => (⟨p.1, p.2.toNat⟩ : Mode)) = t := by
    intro t
    rw [map_map]
    exact map_id t
  rw [← key a, h, key]

mutual
theorem over_iff : (b r : HTuple Mode) → (Layout.Over b r ↔ CoalescedOver (b.map Mode.extent) (r.map withSign))
  | .leaf m, r => by
    have e : (r.map withSign).flatten = withSigns r.flatten := flatten_map _ _
    show Layout.CoalescedOver m r ↔ CoalescedAxis m.extent (r.map withSign)
    rw [Layout.CoalescedOver, CoalescedAxis, e, size_withSigns, coalesce_withSigns, nest_withSigns, Layout.coalesceTree]
    exact ⟨fun ⟨h1, h2⟩ => ⟨h2, by rw [h1]⟩, fun ⟨h1, h2⟩ => ⟨withSign_injective h2, h1⟩⟩
  | .node _, .leaf _ => Iff.rfl
  | .node bs, .node rs => overList_iff bs rs
theorem overList_iff : (bs rs : List (HTuple Mode)) →
    (Layout.OverList bs rs ↔ CoalescedOverList (mapList Mode.extent bs) (mapList withSign rs))
  | [], [] => Iff.rfl
  | [], _ :: _ => Iff.rfl
  | _ :: _, [] => Iff.rfl
  | b :: bs, r :: rs => and_congr (over_iff b r) (overList_iff bs rs)
end

end FindOver

open FindOver

/-- **`findLayout` is the pass over one axis, asked for a first entry of 0 and for strides that are natural numbers.**
Rust: `razorgirl::Layout::find_layout`, `razorgirl::find_modes`
Source: none known -/
theorem findLayout_eq_some_iff_findAxis {f : Nat → Nat} {M : Nat} (hM : 0 < M) {L : FlatLayout} :
    findLayout f M = some L ↔
      f 0 = 0 ∧ findAxis ((List.range M).map fun x => (f x : Int)) = .ok (withSigns L) := by
  rw [findLayout_eq_some_iff, findAxis_eq_ok_iff (g := fun x => (f x : Int)) hM, coalesced_withSigns, size_withSigns]
  simp only [at_withSigns]
  constructor
  · rintro ⟨_, c, s, h⟩
    have h0 : f 0 = 0 := by rw [← h 0 hM, FlatLayout.atIndex_zero]
    refine ⟨h0, valid_of_size_pos (by rw [size_withSigns]; omega), c, s, fun x hx => ?_⟩
    rw [h x hx, h0]
    omega
  · rintro ⟨h0, _, c, s, h⟩
    refine ⟨valid_of_pos (by omega), c, s, fun x hx => ?_⟩
    have := h x hx
    omega

/-- **Where modes of the coalesced layout start, modes of every layout with the same offsets start: the prefix products of
`coalesce L` occur among those of all of them.**
Rust: `razorgirl::Layout::coalesce`
Source: simplified-layout (for the layout that its scan finds) -/
theorem FlatLayout.starts_coalesce_subset {A L : FlatLayout} (hA : Valid A) (hL : Valid L) (h : offsets A = offsets L) :
    ∀ p ∈ FindOver.starts (withSigns (coalesce L)), p ∈ FindOver.starts (withSigns A) := by
  have vA : Stride.Valid (withSigns A) := valid_of_size_pos (by rw [size_withSigns]; exact hA.size_pos)
  rw [← (coalesce_eq_iff_offsets hA hL).2 h, ← coalesce_withSigns]
  exact FindOver.starts_coalesce_subset vA

namespace Layout
open HTuple FlatLayout.Aux

theorem value_signedTree {R : Layout} (hR : R.Valid) (x : Nat) : value (signedTree R) x = (FlatLayout.atIndex R.modes x : Int) := by
  have e : (signedTree R).flatten = withSigns R.modes := by
    rw [signedTree, flatten_map, Layout.flatten_tree hR.1]; rfl
  rw [value, e, at_withSigns]

/-- **A composite is what is found over the shape of B for the function A after B, as a layout with strides from 0; B stays inside
A.**
Rust: `razorgirl::Layout::composition_complete`
Source: none known -/
theorem isComposite_iff_findOver {A B R : Layout} (hB : B.Valid) : IsComposite A B R ↔
    R.Valid ∧ FlatLayout.cosizeFormula B.modes ≤ A.size ∧
      findOver B.shape (fun c => (FlatLayout.atIndex A.modes (FlatLayout.atIndex B.modes (crd2idx B.shape.flatten c)) : Int)) =
        .ok (0, signedTree R) := by
  have pos : IntTuple.Positive B.shape := by
    rw [IntTuple.positive_iff_size_pos, size_shape_of_length hB.1]
    exact hB.2.size_pos
  have sz : prod B.shape.flatten = B.size := by rw [← IntTuple.size_eq_prod, size_shape_of_length hB.1]
  rw [findOver_eq_ok_iff pos, IsComposite]
  constructor
  · rintro ⟨hR, ho, hf⟩
    refine ⟨hR, (atIndex_lt_iff hB.2).1 fun x hx => (hf x hx).1, (over_iff _ _).1 ho, fun c hc => ?_⟩
    rw [value_signedTree hR, (hf _ (by rw [← sz]; exact crd2idx_lt hc)).2]
    omega
  · rintro ⟨hR, hd, ho, hf⟩
    refine ⟨hR, (over_iff _ _).2 ho, fun x hx => ⟨(atIndex_lt_iff hB.2).2 hd x hx, ?_⟩⟩
    have hx' : x < prod B.shape.flatten := by rw [sz]; exact hx
    have := hf _ (inBounds_idx2crd_of_lt hx')
    rw [crd2idx_idx2crd hx', value_signedTree hR] at this
    omega

/-- **Complete composition is the search over the shape of B for the function A after B.**
Rust: `razorgirl::Layout::composition_complete`
Source: none known -/
theorem compositionComplete_eq_some_iff_findOver {A B R : Layout} (hB : B.Valid) : compositionComplete A B = some R ↔
    R.Valid ∧ FlatLayout.cosizeFormula B.modes ≤ A.size ∧
      findOver B.shape (fun c => (FlatLayout.atIndex A.modes (FlatLayout.atIndex B.modes (crd2idx B.shape.flatten c)) : Int)) =
        .ok (0, signedTree R) := by
  rw [compositionComplete_eq_some_iff hB, isComposite_iff_findOver hB]

/-- **A layout under another shape is the search over that shape for the offset at each linear index; the shape is no larger than the
layout.**
Rust: `razorgirl::Layout::with_shape_complete`
Source: none known -/
theorem withShapeComplete_eq_some_iff_findOver {L R : Layout} {s : IntTuple} (hs : IntTuple.Positive s) :
    withShapeComplete L s = some R ↔ R.Valid ∧ IntTuple.size s ≤ L.size ∧
      findOver s (fun c => (FlatLayout.atIndex L.modes (crd2idx s.flatten c) : Int)) = .ok (0, signedTree R) := by
  have hB := columnMajor_valid hs
  have sz : (columnMajor s).size = IntTuple.size s := by
    rw [← size_shape_of_length hB.1, columnMajor_shape]
  have s0 := (IntTuple.positive_iff_size_pos s).1 hs
  have dom : FlatLayout.cosizeFormula (columnMajor s).modes ≤ L.size ↔ IntTuple.size s ≤ L.size := by
    rw [← atIndex_lt_iff hB.2]
    constructor
    · intro h
      have hx : IntTuple.size s - 1 < IntTuple.size s := by omega
      have := h (IntTuple.size s - 1) (by show _ < (columnMajor s).size; omega)
      rw [columnMajor_atIndex hx] at this
      omega
    · intro h x hx
      have hx : x < IntTuple.size s := by rw [← sz]; exact hx
      rw [columnMajor_atIndex hx]
      omega
  rw [withShapeComplete, compositionComplete_eq_some_iff_findOver hB, dom, columnMajor_shape, findOver_eq_ok_iff hs,
    findOver_eq_ok_iff hs]
  have same : ∀ c, InBounds s.flatten c →
      FlatLayout.atIndex (columnMajor s).modes (crd2idx s.flatten c) = crd2idx s.flatten c := fun c hc =>
    columnMajor_atIndex (by rw [IntTuple.size_eq_prod]; exact crd2idx_lt hc)
  refine and_congr Iff.rfl (and_congr Iff.rfl (and_congr Iff.rfl ?_))
  exact forall_congr' fun c => ⟨fun h hc => by rw [← h hc, same c hc], fun h hc => by rw [← h hc, same c hc]⟩

end Layout

end Razorgirl
