module

public import Razorgirl.Spec.Layout.Divide
public import Razorgirl.Spec.Layout.Inverse
public import Razorgirl.Spec.Layout.Product
public import Razorgirl.Spec.Layout.Slice

@[expose] public section

/-!
# Threads, values, and parts of a tensor

Which elements belong to whom. A thread-value layout sends (thread, value) to a place in a tile (CuTe DSL
`make_layout_tv`); a partition fixes one coordinate of a zipped division and keeps the other (CuTe
`inner_partition`, `outer_partition`, `local_tile`, `local_partition`).
-/

namespace Razorgirl

namespace Layout
open HTuple

/-! ## Threads and values -/

/-- The numbers of the pairs (thread, value), threads first: `(t,v):(1,t)`. -/
def threadPairs (t v : Nat) : Layout := ⟨[⟨t, 1⟩, ⟨v, t⟩], .node [.leaf (), .leaf ()]⟩

/-- A tile and who holds which of its elements.
Rust: `razorgirl::ThreadValue` -/
structure ThreadValue where
  /-- the extents of the tile -/
  tiler : List Nat
  /-- from (thread, value) to a linear index of the tile -/
  layout : Layout

/-- The inverse of `L`, from offsets to places of the tile, read as a function of `t` threads with `v` values each;
`comp` for composition. `none` unless L is a bijection onto `[0, size)`. -/
def threadValueWith (comp : Layout → Layout → Option Layout) (L : Layout) (t v : Nat) : Option ThreadValue :=
  match inverse L with
  | some I => (comp I (threadPairs t v)).map fun R => ⟨modeSizes L, R⟩
  | none => none

/-- `r` comes from the inverse of `L`, read as threads and values. -/
def IsThreadValue (L : Layout) (t v : Nat) (r : ThreadValue) : Prop :=
  ∃ I, inverse L = some I ∧ IsComposite I (threadPairs t v) r.layout ∧ r.tiler = modeSizes L

/-- The pairs (thread, value) that a thread-value layout sends to `p`. -/
def owners (R : Layout) (t v p : Nat) : List (Nat × Nat) :=
  ((List.range v).flatMap fun j => (List.range t).map fun i => (i, j)).filter fun q =>
    R.call (.node [.leaf (some q.1), .leaf (some q.2)]) == some p

/-- Threads raked over the values: the tile element at `((v₀,t₀), (v₁,t₁), …)` is value `val(v)` of thread `thr(t)`.
CuTe DSL `make_layout_tv(thr_layout, val_layout)`.
Rust: `razorgirl::Layout::make_layout_tv` -/
def makeLayoutTV (thr val : Layout) : Option ThreadValue :=
  match rakedProduct thr val with
  | some L => threadValueWith composition L thr.size val.size
  | none => none

/-! ## Parts of a division -/

/-- A coordinate that keeps all modes of `t`: one `_` for each mode that `spread` shows. -/
def keepAll (t : HTuple Mode) : Coord :=
  match spread t with
  | [_] => .leaf none
  | ts => .node (ts.map fun _ => .leaf none)

/-- A coordinate with `_` for the modes of `t` that it does not reach. -/
def padCoord : Coord → HTuple Mode → Coord
  | .node cs, .node ts => .node (cs ++ List.replicate (ts.length - cs.length) (.leaf none))
  | c, _ => c

/-- The modes of the tile and of what `c` keeps of the rest, and the offset of what it fixes. -/
def innerAt (Z : Layout) (c : Coord) : Option (Layout × Nat) :=
  match Z.tree with
  | .node [t, r] => sliceAndOffset (.node [keepAll t, padCoord c r]) Z
  | _ => none

/-- The modes of what `c` keeps of the tile and of the rest, and the offset of what it fixes. -/
def outerAt (Z : Layout) (c : Coord) : Option (Layout × Nat) :=
  match Z.tree with
  | .node [t, r] => sliceAndOffset (.node [padCoord c t, keepAll r]) Z
  | _ => none

/-- One tile of A, the one at coordinate `c` of the rests, and the offset where it starts. CuTe
`inner_partition(A, tiler, c)`.
Rust: `razorgirl::Layout::inner_partition` -/
def innerPartition (A : Layout) (b : Tiler) (c : Coord) : Option (Layout × Nat) :=
  match zippedDivide A b with
  | some Z => innerAt Z c
  | none => none

/-- The elements at coordinate `c` of every tile of A, and the offset of the first. CuTe
`outer_partition(A, tiler, c)`.
Rust: `razorgirl::Layout::outer_partition` -/
def outerPartition (A : Layout) (b : Tiler) (c : Coord) : Option (Layout × Nat) :=
  match zippedDivide A b with
  | some Z => outerAt Z c
  | none => none

/-- The tile of a thread block. CuTe `local_tile(A, tiler, c)`.
Rust: `razorgirl::Layout::local_tile` -/
def localTile (A : Layout) (b : Tiler) (c : Coord) : Option (Layout × Nat) := innerPartition A b c

/-- The offsets of a part of a tensor: those of its layout, from where it starts. -/
def addresses : Option (Layout × Nat) → List Nat
  | some (S, o) => (FlatLayout.offsets S.modes).map fun a => o + a
  | none => []

/-- Runs of `n` indices for each `n` of a list. -/
def runs (ns : List Nat) : Tiler := .modes (ns.map fun n => .layout ⟨[⟨n, 1⟩], .leaf ()⟩)

/-- The coordinate that a bijection `thr` sends to `i`, one integer for each top-level mode. CuTe
`thr.get_flat_coord(i)`, which is right for bijections only. -/
def threadCoord (thr : Layout) (i : Nat) : Option Coord :=
  match inverse thr with
  | some I =>
    if i < thr.size then
      some (.node ((Razorgirl.idx2crd (modeSizes thr) (FlatLayout.atIndex I.modes i)).map fun x => .leaf (some x)))
    else none
  | none => none

/-- What thread `i` gets of A when the threads are laid over it again and again. CuTe `local_partition(A, thr, i)`.
Rust: `razorgirl::Layout::local_partition` -/
def localPartition (A thr : Layout) (i : Nat) : Option (Layout × Nat) :=
  match threadCoord thr i with
  | some c => outerPartition A (runs (modeSizes thr)) c
  | none => none

/-! ## Worked examples -/

/-- 4 × 2 threads with 1 × 2 values each over a tile of 4 × 4. -/
example : (makeLayoutTV ⟨[⟨4, 1⟩, ⟨2, 4⟩], .node [.leaf (), .leaf ()]⟩
      ⟨[⟨1, 0⟩, ⟨2, 1⟩], .node [.leaf (), .leaf ()]⟩).map (fun r => (r.tiler, r.layout.modes)) =
    some ([4, 4], [⟨4, 1⟩, ⟨2, 8⟩, ⟨2, 4⟩]) := by decide +kernel
/-- Tile (1,0) of 4 × 2 tiles of `(8,6):(1,8)`. -/
example : (localTile ⟨[⟨8, 1⟩, ⟨6, 8⟩], .node [.leaf (), .leaf ()]⟩ (runs [4, 2])
      (.node [.leaf (some 1), .leaf (some 0)])).map (fun p => (p.1.modes, p.2)) =
    some ([⟨4, 1⟩, ⟨2, 8⟩], 4) := by decide +kernel
/-- Thread 5 of `(4,2):(2,1)` over `(8,6):(1,8)` stands at (2,1). -/
example : (localPartition ⟨[⟨8, 1⟩, ⟨6, 8⟩], .node [.leaf (), .leaf ()]⟩
      ⟨[⟨4, 2⟩, ⟨2, 1⟩], .node [.leaf (), .leaf ()]⟩ 5).map (fun p => (p.1.modes, p.2)) =
    some ([⟨2, 4⟩, ⟨3, 16⟩], 10) := by decide +kernel

/-- In `(2,2):(1,0)` place 1 belongs to thread 1, as both of its values. -/
example : owners ⟨[⟨2, 1⟩, ⟨2, 0⟩], .node [.leaf (), .leaf ()]⟩ 2 2 1 = [(1, 0), (1, 1)] ∧
    addresses (some (⟨[⟨2, 3⟩], .leaf ()⟩, 4)) = [4, 7] := by decide +kernel

end Layout

end Razorgirl
