module

public import Razorgirl.Spec.Layout.Divide

@[expose] public section

/-!
# The nearest tile that divides

Where a tile does not divide a layout, one that differs from it in a single number may. The numbers are tried by their distance,
so the first tile that divides is the nearest. Modes of extent 1 stay as they are, and no other mode becomes one.
-/

namespace Razorgirl

/-- The numbers from `least` on that differ from `n` by `k`, the smaller one first; `k` is positive. -/
def atDistance (least n k : Nat) : List Nat := if least + k ≤ n then [n - k, n + k] else [n + k]

/-- The modes that differ from one of extent above 1 by `k` in the extent or in the stride, extents first. -/
def Mode.changedBy (k : Nat) (m : Mode) : List Mode :=
  if m.extent ≤ 1 then []
  else ((atDistance 2 m.extent k).map fun e => ⟨e, m.stride⟩) ++ (atDistance 1 m.stride k).map fun d => ⟨m.extent, d⟩

namespace FlatLayout

/-- The layouts that differ by `k` in one number, leaf by leaf. -/
def changedBy (k : Nat) : FlatLayout → List FlatLayout
  | [] => []
  | m :: A => (m.changedBy k).map (· :: A) ++ (changedBy k A).map (m :: ·)

/-- `B` is `A` but for one number of a mode of extent above 1, which differs by `k`: an extent that stays above 1, or a stride that
is not 0. -/
def ChangedBy (A B : FlatLayout) (k : Nat) : Prop :=
  ∃ P m n Q, A = P ++ m :: Q ∧ B = P ++ n :: Q ∧ 1 < m.extent ∧
    ((n.stride = m.stride ∧ 1 < n.extent ∧ (n.extent = m.extent + k ∨ m.extent = n.extent + k)) ∨
      (n.extent = m.extent ∧ 0 < n.stride ∧ (n.stride = m.stride + k ∨ m.stride = n.stride + k)))

/-- The largest of `N` and the numbers of a layout. -/
def largest (N : Nat) : FlatLayout → Nat
  | [] => N
  | m :: A => max (max m.extent m.stride) (largest N A)

/-- All modes of extent above 1 have a stride and an extent that divide `N`, as those of a tile of `N` indices do. -/
def mayTile (N : Nat) : FlatLayout → Bool
  | [] => true
  | m :: A => (decide (m.extent ≤ 1) || N % m.extent == 0 && N % m.stride == 0) && mayTile N A

end FlatLayout

namespace Layout

/-- The first of some modes in the place of those of T that divide A. -/
def firstTile (A T : Layout) : List FlatLayout → Option Layout
  | [] => none
  | B :: Bs =>
    if FlatLayout.mayTile A.size B && (logicalDivide A ⟨B, T.profile⟩).isSome then some ⟨B, T.profile⟩ else firstTile A T Bs

/-- The first tile that divides A among those that differ from T by `k`, `k + 1`, …: `fuel` distances. -/
def nearestFrom (A T : Layout) (k : Nat) : (fuel : Nat) → Option Layout
  | 0 => none
  | fuel + 1 =>
    match firstTile A T (FlatLayout.changedBy k T.modes) with
    | some B => some B
    | none => nearestFrom A T (k + 1) fuel

/-- The tile that divides A: T if it does, else the nearest one that differs from T in one number; as near, the first in the order of
the leaves, extents before strides, smaller before larger.
Rust: `razorgirl::Layout::nearest_tile` -/
def nearestTile (A T : Layout) : Option Layout :=
  if (logicalDivide A T).isSome then some T else nearestFrom A T 1 (FlatLayout.largest A.size T.modes)

-- 5 does not divide 16, and 4 is nearer than 8; 7:1 has neither of its neighbours, and 8 is nearer than 4
example : (nearestTile ⟨[⟨16, 1⟩], .leaf ()⟩ ⟨[⟨5, 1⟩], .leaf ()⟩).map modes = some [⟨4, 1⟩] := by decide +kernel
example : (nearestTile ⟨[⟨16, 1⟩], .leaf ()⟩ ⟨[⟨7, 1⟩], .leaf ()⟩).map modes = some [⟨8, 1⟩] := by decide +kernel
-- of 4:3 in 8 the stride has to change: 4:2
example : (nearestTile ⟨[⟨8, 1⟩], .leaf ()⟩ ⟨[⟨4, 3⟩], .leaf ()⟩).map modes = some [⟨4, 2⟩] := by decide +kernel
-- one number is not enough here
example : nearestTile ⟨[⟨7, 1⟩], .leaf ()⟩ ⟨[⟨3, 2⟩, ⟨5, 9⟩], .node [.leaf (), .leaf ()]⟩ = none := by decide +kernel

end Layout

end Razorgirl
