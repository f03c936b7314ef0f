module

public import Razorgirl.Spec.Layout.Slice.Fixed
public import Razorgirl.Thm.Layout.Slice

@[expose] public section

/-!
# What `dice` answers: what is proved

A slice leaves the modes under `_`; `dice` leaves the others, and is the offset of what the slice fixes.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout

mutual
theorem length_fixed : (c : Coord) → (fixed c).length = holes (swapped c)
  | .leaf none => rfl
  | .leaf (some _) => rfl
  | .node cs => by rw [fixed, length_fixedList cs]
theorem length_fixedList : (cs : List Coord) → (fixedList cs).length = holes (swapped (.node cs))
  | [] => rfl
  | c :: cs => by
    rw [fixedList, List.length_append, length_fixed c, length_fixedList cs]
    rfl
end

mutual
theorem callTree_fixed : (c : Coord) → (t : HTuple Mode) → (us : List (HTuple Mode)) →
    kept (swapped c) t = some us → callTree t c = callTrees us (fixed c)
  | .leaf none, t, us, h => by
    simp only [swapped, map, kept, Option.some.injEq] at h
    rw [← h, fixed, callTrees_nil, callTree_hole]
  | .leaf (some x), t, us, h => by
    simp only [swapped, map, kept, Option.some.injEq] at h
    rw [← h, fixed, callTrees_cons, callTrees_nil]
    cases callTree t (.leaf (some x)) <;> simp
  | .node cs, .node ts, us, h => by
    rw [callTree_node, fixed]
    exact callTrees_fixed cs ts us h
  | .node _, .leaf _, _, h => by simp [swapped, map, kept] at h
theorem callTrees_fixed : (cs : List Coord) → (ts us : List (HTuple Mode)) →
    kept (swapped (.node cs)) (.node ts) = some us → callTrees ts cs = callTrees us (fixedList cs)
  | [], [], us, h => by
    simp only [swapped, map, mapList, kept, keptList, Option.some.injEq] at h
    rw [← h, fixedList]
  | [], _ :: _, _, h => by simp [swapped, map, mapList, kept, keptList] at h
  | _ :: _, [], _, h => by simp [swapped, map, mapList, kept, keptList] at h
  | c :: cs, t :: ts, us, h => by
    have h' : keptList (swapped c :: children (swapped (.node cs))) (t :: ts) = some us := h
    obtain ⟨x, y, hx, hy, rfl⟩ := keptList_cons h'
    have hy' : kept (swapped (.node cs)) (.node ts) = some y := hy
    have hl : (fixed c).length = x.length := by rw [length_fixed, length_kept _ t x hx]
    rw [callTrees_cons, callTree_fixed c t x hx, callTrees_fixed cs ts y hy', fixedList, callTrees_append _ _ _ _ hl]
end

/-- **`dice` is the offset of what a slice fixes: at the integers of the coordinate it is the layout at the coordinate with
its `_` read as 0.**
Rust: `razorgirl::Layout::dice`
Source: CuTe `dice` -/
theorem dice_call {c : Coord} {L D : Layout} (hv : L.Valid) (hc : ∀ x, c ≠ .leaf (some x)) (h : dice c L = some D) :
    D.call (.node (fixed c)) = L.call c := by
  unfold dice at h
  split at h
  · exact absurd rfl (hc _)
  · obtain ⟨us, hus, rfl, _⟩ := sliceModes_eq_some h
    rw [call_eq_callTree hv.1, call_ofTree, callTree_node, callTree_fixed c _ us hus]

/-- **A slice and what `dice` leaves make up the layout: filled in, a coordinate has the offset of `dice` at its integers plus
that of the slice at what was filled in.**
Rust: `razorgirl::Layout::dice`, `razorgirl::Layout::slice_and_offset`
Source: CuTe `dice`, `slice_and_offset` -/
theorem dice_slice_call {c : Coord} {L S D : Layout} {o : Nat} (hv : L.Valid) (hc : ∀ x, c ≠ .leaf (some x))
    (hD : dice c L = some D) (hS : sliceAndOffset c L = some (S, o)) {ds : List Coord} (hd : ds.length = holes c) :
    D.call (.node (fixed c)) = some o ∧ L.call (plug c ds) = (S.call (.node ds)).map fun a => o + a := by
  rw [dice_call hv hc hD]
  exact ⟨(sliceAndOffset_offset hS).1, sliceAndOffset_call hv hS hd⟩

/-- `dice` of `((4,2),6)` by `((1,_),2)` keeps the modes 4 and 6: at (1,2) they have the offset of `((1,0),2)`. -/
example : (dice (.node [.node [.leaf (some 1), .leaf none], .leaf (some 2)])
      ⟨[⟨4, 1⟩, ⟨2, 4⟩, ⟨6, 8⟩], .node [.node [.leaf (), .leaf ()], .leaf ()]⟩).map modes = some [⟨4, 1⟩, ⟨6, 8⟩] := by
  decide +kernel

end Layout

end Razorgirl
