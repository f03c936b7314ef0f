module

public import Razorgirl.Spec.Tma.Copies
public import Razorgirl.Thm.Layout.Basic
public import Razorgirl.Thm.Tma.Tile

@[expose] public section

/-!
# What copies leave in shared memory: what is proved

Where tiles fit the copies, shared memory read through its layout holds what was copied.
-/

namespace Razorgirl

namespace Tma
open FlatLayout

theorem afterCopies_other {tiles : FlatLayout} {n : Nat} {data : (tile item : Nat) → Int} {memory : Nat → Int} {a : Nat} :
    {order : List Nat} → (∀ y ∈ order, ¬ (atIndex tiles y ≤ a ∧ a < atIndex tiles y + n)) →
      afterCopies tiles n data memory order a = memory a
  | [], _ => rfl
  | y :: ys, h => by
    rw [afterCopies, writeRun, if_neg (h y (by simp)), afterCopies_other fun z hz => h z (by simp [hz])]

/-- **Contiguous tiles and loads give the contents of memory: where the tiles fit the copies, element x of tile y, read
through the layout of shared memory, is what the copy of tile y brought as its element x, in whatever order the copies come,
and however often.**
Source: nvFuser TMA tutorial, step 4 -/
theorem contents_of_tilesFit {tile tiles : FlatLayout} {n : Nat} (h : TilesFit tile tiles n)
    (data : (tile item : Nat) → Int) (memory : Nat → Int) {order : List Nat}
    (hord : ∀ y ∈ order, y < FlatLayout.size tiles) {x y : Nat} (hx : x < n) (hy : y ∈ order) :
    afterCopies tiles n data memory order (atIndex (tile ++ tiles) (x + n * y)) = data y x := by
  have hsz := h.1
  have hxs : x < FlatLayout.size tile := by rw [hsz]; exact hx
  have e : atIndex (tile ++ tiles) (x + n * y) = atIndex tiles y + x := by
    have := atIndex_append_add hxs tiles y
    rw [hsz, h.2.1 x hx] at this
    omega
  rw [e]
  induction order with
  | nil => simp at hy
  | cons z zs ih =>
    rw [afterCopies, writeRun]
    by_cases hz : atIndex tiles z ≤ atIndex tiles y + x ∧ atIndex tiles y + x < atIndex tiles z + n
    · rw [if_pos hz]
      have hlt : atIndex tiles y + x - atIndex tiles z < n := by omega
      have := h.disjoint hx hlt (hord y hy) (hord z (by simp)) (by rw [h.2.1 x hx, h.2.1 _ hlt]; omega)
      rw [← this.1, ← this.2]
    · rw [if_neg hz]
      have hne : y ≠ z := fun e' => hz (by rw [e']; omega)
      exact ih (fun w hw => hord w (by simp [hw])) ((List.mem_cons.1 hy).resolve_left hne)

/-- **Copies leave the rest of memory as it was.**
Source: nvFuser TMA tutorial, step 4 -/
theorem contents_of_tilesFit_other {tile tiles : FlatLayout} {n : Nat} (h : TilesFit tile tiles n)
    (data : (tile item : Nat) → Int) (memory : Nat → Int) {order : List Nat} {a : Nat}
    (ha : ∀ x y, x < n → y ∈ order → a ≠ atIndex (tile ++ tiles) (x + n * y)) :
    afterCopies tiles n data memory order a = memory a := by
  refine afterCopies_other fun y hy hin => ?_
  have hx : a - atIndex tiles y < n := by omega
  have hxs : a - atIndex tiles y < FlatLayout.size tile := by rw [h.1]; exact hx
  refine ha _ y hx hy ?_
  have := atIndex_append_add hxs tiles y
  rw [h.1, h.2.1 _ hx] at this
  omega

end Tma

end Razorgirl
