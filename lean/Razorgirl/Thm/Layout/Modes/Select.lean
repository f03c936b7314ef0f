module

public import Razorgirl.Spec.Layout.Modes.Alone
public import Razorgirl.Thm.Layout.Modes

@[expose] public section

/-!
# What a selection answers: what is proved

Modes may be chosen in any order, and more than once: the offset is a sum of offsets of the layout, with one mode at a time
away from 0.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout

theorem sumCalls_eq_sumAlone {L : Layout} (hL : L.Valid) (hr : L.profile.depth ≠ 0) : (is : List Nat) →
    (Ls : List Layout) → (ds : List Coord) → Ls.map some = is.map L.modeAt → sumCalls Ls ds = sumAlone L is ds
  | [], [], [], _ => rfl
  | [], [], _ :: _, _ => rfl
  | [], _ :: _, _, h => by simp at h
  | _ :: _, [], _, h => by simp at h
  | i :: is, M :: Ls, [], _ => rfl
  | i :: is, M :: Ls, d :: ds, h => by
    rw [List.map_cons, List.map_cons, List.cons.injEq] at h
    rw [sumCalls, sumAlone, sumCalls_eq_sumAlone hL hr is Ls ds h.2, alone, modeAt_call hL hr h.1.symm]
    cases M.call d <;> cases sumAlone L is ds <;> rfl

/-- **A selection at a coordinate is the sum of the layout at each of its entries alone, in the mode that was chosen for it,
whatever the order of the modes, and also where one is chosen twice.**
Rust: `razorgirl::Layout::select`
Source: CuTe `select` -/
theorem select_call {is : List Nat} {L R : Layout} (hL : L.Valid) (hr : L.profile.depth ≠ 0)
    (h : select is L = some R) (ds : List Coord) : R.call (.node ds) = sumAlone L is ds := by
  obtain ⟨Ls, h1, rfl⟩ := select_concat h
  have hv : ∀ M ∈ Ls, M.Valid := fun M hM => by
    have : some M ∈ is.map L.modeAt := by rw [← h1]; exact List.mem_map_of_mem hM
    obtain ⟨i, _, hi⟩ := List.mem_map.1 this
    obtain ⟨t, ht, rfl⟩ := Option.map_eq_some_iff.1 hi
    obtain ⟨hs, _⟩ := Aux.mode?_eq_some ht
    exact (valid_ofTree_iff t).2 (Aux.valid_children hL t (by rw [hs]; simp))
  rw [call_concat hv]
  exact sumCalls_eq_sumAlone hL hr is Ls ds h1

/-- `(4,8):(1,4)` with its modes exchanged: (2,3) has the offset 8 + 3. -/
example : (select [1, 0] ⟨[⟨4, 1⟩, ⟨8, 4⟩], .node [.leaf (), .leaf ()]⟩).map
    (fun R => R.call (.node [.leaf (some 2), .leaf (some 3)])) = some (some 11) := by decide +kernel

end Layout

end Razorgirl
