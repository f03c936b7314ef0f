module

public import Razorgirl.Spec.Layout.Divide.Ceil
public import Razorgirl.Spec.Layout.Partition

@[expose] public section

/-!
# Which element a place of a tile is

A tensor in tiles, and each tile dealt out to threads: a place of a tile, in which tile, is an element of the tensor or
padding. Defined from the index layouts of the modes, for every tiler, whatever the strides of the tensor are.
-/

namespace Razorgirl

namespace Layout
open HTuple

/-- The padded division in zipped form: `((tiles …), (rests …, further modes …))`.
Rust: `razorgirl::Layout::zipped_divide_ceil` -/
def zippedDivideCeil (A : Layout) (b : Tiler) : Option Layout := arrange zippedForm allRest logicalDivideCeil A b

mutual
/-- How many places a tile has: 1 under `_`. -/
def tileSize : Tiler → Nat
  | .keep => 1
  | .layout T => T.size
  | .modes bs => tileSizes bs
/-- `tileSize` mode by mode. -/
def tileSizes : List Tiler → Nat
  | [] => 1
  | b :: bs => tileSize b * tileSizes bs
end

mutual
/-- How many tiles there are, the last of them perhaps in part padding; a mode under `_`, and each further mode, has as
many as coordinates. -/
def tileCount : Tiler → HTuple Mode → Nat
  | .keep, t => FlatLayout.size t.flatten
  | .layout T, t =>
    match ceilIndex (ofTree t) T with
    | some I => I.size / T.size
    | none => 0
  | .modes bs, t => tileCounts bs (children t)
/-- `tileCount` mode by mode. -/
def tileCounts : List Tiler → List (HTuple Mode) → Nat
  | [], ts => FlatLayout.size (flattenList ts)
  | _ :: _, [] => 0
  | b :: bs, t :: ts => tileCount b t * tileCounts bs ts
end

mutual
/-- The linear index of the tensor that place `p` of tile `k` stands for, `none` if it is padding. -/
def elementAt : Tiler → HTuple Mode → (p k : Nat) → Option Nat
  | .keep, t, _, k => if k < FlatLayout.size t.flatten then some k else none
  | .layout T, t, p, k =>
    match ceilIndex (ofTree t) T with
    | some I =>
      if FlatLayout.atIndex I.modes (p + T.size * k) < FlatLayout.size t.flatten then
        some (FlatLayout.atIndex I.modes (p + T.size * k))
      else none
    | none => none
  | .modes bs, t, p, k => elementsAt bs (children t) p k
/-- `elementAt` mode by mode, the first mode fastest. -/
def elementsAt : List Tiler → List (HTuple Mode) → (p k : Nat) → Option Nat
  | [], ts, _, k => if k < FlatLayout.size (flattenList ts) then some k else none
  | _ :: _, [], _, _ => none
  | b :: bs, t :: ts, p, k =>
    match elementAt b t (p % tileSize b) (k % tileCount b t), elementsAt bs ts (p / tileSize b) (k / tileCount b t) with
    | some i, some j => some (i + FlatLayout.size t.flatten * j)
    | _, _ => none
end

/-- The linear index of the tensor that value `j` of thread `i` is in tile `k`; `none` if that is padding, or no place of
the tile. -/
def elementOf (A : Layout) (b : Tiler) (R : Layout) (k i j : Nat) : Option Nat :=
  match R.call (.node [.leaf (some i), .leaf (some j)]) with
  | some p => elementAt b A.tree p k
  | none => none

/-- 5 × 3 in tiles of 2 × 2: place 3 of tile 4 is (1,1) of the tile at (1,1), element (3,3), which is padding; place 1 is
(3,2), element 13. -/
example :
    let A : Layout := ⟨[⟨5, 1⟩, ⟨3, 5⟩], .node [.leaf (), .leaf ()]⟩
    tileSize (runs [2, 2]) = 4 ∧ tileCount (runs [2, 2]) A.tree = 6 ∧ elementAt (runs [2, 2]) A.tree 3 4 = none ∧
      elementAt (runs [2, 2]) A.tree 1 4 = some 13 := by decide +kernel

end Layout

end Razorgirl
