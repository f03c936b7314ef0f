module

public import Razorgirl.Spec.Layout.Slice
public import Razorgirl.Spec.Stride

@[expose] public section

/-!
# Layouts of coordinates

CuTe's identity layouts and TMA tensors: strides are steps in a coordinate, `1@0` one in dimension 0, and values are
coordinates. `(4,8):(1@0,1@1)` has (2,3) at (2,3). The value of the first coordinate, the start, is printed before the
layout: `ArithTuple(0,64) o (8,16):(1@0,1@1)`. Values are flat here; how they are nested (`1@1@0`) is the same for all values
of a layout, and no operation changes it.
Source: CuTe documentation, «TMA tensors»; `arithmetic_tuple.hpp`.
-/

namespace Razorgirl

/-- `r` numbers: a coordinate, or a step in it. -/
structure Point (r : Nat) where
  /-- the numbers -/
  entries : List Nat
  /-- as many as there are dimensions -/
  rank_eq : entries.length = r

namespace Point

theorem eq_of_entries {r : Nat} {a b : Point r} (h : a.entries = b.entries) : a = b := by
  cases a; cases b; cases h; rfl

instance {r : Nat} : DecidableEq (Point r) := fun a b =>
  if h : a.entries = b.entries then isTrue (eq_of_entries h) else isFalse fun e => h (by rw [e])

/-- Points add in each dimension. The sum is `y + x`: a Lean without code for `Nat.add` as a function can compile it. -/
instance {r : Nat} : StrideModule (Point r) where
  zero := ⟨List.replicate r 0, List.length_replicate⟩
  add a b := ⟨List.zipWith (fun x y => y + x) a.entries b.entries, by rw [List.length_zipWith, a.rank_eq, b.rank_eq, Nat.min_self]⟩
  times n a := ⟨a.entries.map (n * ·), by rw [List.length_map, a.rank_eq]⟩
  add_comm a b := eq_of_entries (List.zipWith_comm_of_comm (f := fun x y => y + x) fun x y => Nat.add_comm y x)
  add_assoc a b c := eq_of_entries (by
    apply List.ext_getElem
    · simp [a.rank_eq, b.rank_eq, c.rank_eq]
    · intro i _ _; simp [Nat.add_assoc])
  zero_add a := eq_of_entries (by
    apply List.ext_getElem
    · simp [a.rank_eq]
    · intro i _ _; simp)
  zero_times a := eq_of_entries (by
    apply List.ext_getElem
    · simp [a.rank_eq]
    · intro i _ _; simp)
  succ_times n a := eq_of_entries (by
    apply List.ext_getElem
    · simp
    · intro i _ _
      simp only [List.getElem_map, List.getElem_zipWith, Nat.add_one_mul]
      exact Nat.add_comm _ _)

/-- One step in dimension `d`: CuTe's `E<d>`, printed as `1@d`.
Rust: `razorgirl::Basis` -/
def unit (r d : Nat) : Point r := ⟨(List.range r).map fun i => if i = d then 1 else 0, by simp⟩

/-- The number in dimension `i`. -/
def get {r : Nat} (p : Point r) (i : Nat) : Nat := p.entries.getD i 0

end Point

/-- A layout with coordinates of `r` numbers as values.
Rust: `razorgirl::CoordLayout` -/
structure CoordLayout (r : Nat) where
  /-- the value of the first coordinate -/
  start : Point r
  /-- extents with their strides -/
  modes : Stride.Modes (Point r)
  /-- the nesting of the shape; as many leaves as there are modes -/
  profile : Profile

namespace CoordLayout
open HTuple StrideModule

variable {r : Nat}

/-- As many leaves as modes, and every extent at least 1. -/
def Valid (R : CoordLayout r) : Prop := R.profile.length = R.modes.length ∧ Stride.Valid R.modes

/-- The nested extents. -/
def shape (R : CoordLayout r) : IntTuple := unflatten 1 R.profile (Stride.shape R.modes)

/-- How many coordinates.
Rust: `razorgirl::CoordLayout::size` -/
def size (R : CoordLayout r) : Nat := Stride.size R.modes

/-- The value of a linear index.
Rust: `razorgirl::CoordLayout::at` -/
def atIndex (R : CoordLayout r) (x : Nat) : Point r := add R.start (Stride.atIndex R.modes x)

/-- All values in linear order.
Rust: `razorgirl::CoordLayout::values` -/
def values (R : CoordLayout r) : List (Point r) := (List.range R.size).map R.atIndex

/-- The value of a coordinate of any coarser shape. `none` outside the shape.
Rust: `razorgirl::CoordLayout::value_of` -/
def call (R : CoordLayout r) (c : Coord) : Option (Point r) :=
  (c.toFlat R.shape).map fun xs => add R.start (Stride.dot xs (Stride.strides R.modes))

/-- The modes under a `_` as one tuple; what the integers select is the start.
Rust: `razorgirl::CoordLayout::slice` -/
def slice (c : Coord) (R : CoordLayout r) : Option (CoordLayout r) :=
  match Layout.kept c (unflatten (1, zero) R.profile R.modes), R.call c with
  | some ts, some p => some ⟨p, flattenList ts, .node (ts.map HTuple.profile)⟩
  | _, _ => none

/-- One mode at least: of extent 1 where there is none. -/
def some1 (L : Stride.Modes (Point r)) : Stride.Modes (Point r) := if L = [] then [(1, zero)] else L

/-- A leaf where there is one mode, else a tuple of all. -/
def nesting (L : Stride.Modes (Point r)) : Profile :=
  match L with
  | [_] => .leaf ()
  | L => .node (L.map fun _ => .leaf ())

/-- The fewest modes of the same function; a leaf where there is one.
Rust: `razorgirl::CoordLayout::coalesce` -/
def coalesce (R : CoordLayout r) : CoordLayout r :=
  ⟨R.start, some1 (Stride.coalesce R.modes), nesting (some1 (Stride.coalesce R.modes))⟩

mutual
/-- A profile with other profiles in place of its leaves, and what is left of these. -/
def graft : Profile → List Profile → Profile × List Profile
  | .leaf _, [] => (.leaf (), [])
  | .leaf _, q :: qs => (q, qs)
  | .node ps, qs => (.node (graftList ps qs).1, (graftList ps qs).2)
/-- `graft` for several profiles in turn. -/
def graftList : List Profile → List Profile → List Profile × List Profile
  | [], qs => ([], qs)
  | p :: ps, qs => ((graft p qs).1 :: (graftList ps (graft p qs).2).1, (graftList ps (graft p qs).2).2)
end

/-- `R` after `B`: coalesced groups of modes, each where B had a mode. It exists for all strides of R's coalesced shape, or
is refused.
Rust: `razorgirl::CoordLayout::composition` -/
def composition (R : CoordLayout r) (B : Layout) : Option (CoordLayout r) :=
  (Stride.composition (Stride.coalesce R.modes) B.modes).map fun groups =>
    ⟨R.start, Stride.concat (groups.map fun g => some1 (Stride.coalesce g)),
      (graft B.profile (groups.map fun g => nesting (some1 (Stride.coalesce g)))).1⟩

/-- The layout that has each coordinate of a shape at that coordinate. CuTe `make_identity_layout(shape)`.
Rust: `razorgirl::CoordLayout::identity` -/
def identity (s : IntTuple) : CoordLayout s.flatten.length :=
  ⟨zero, s.flatten.zipWith (fun n d => (n, Point.unit _ d)) (List.range s.flatten.length), s.profile⟩

/-- What dimension `i` is without the start: a layout with integers as offsets. -/
def axis (R : CoordLayout r) (i : Nat) : FlatLayout := R.modes.map fun m => ⟨m.1, m.2.get i⟩

-- (4,8):(1@1,1@0) at (1,2)
example : (atIndex ⟨zero, [(4, Point.unit 2 1), (8, Point.unit 2 0)], .node [.leaf (), .leaf ()]⟩ 9).entries = [2, 1] := by
  decide +kernel
-- the diagonal of it: 4:1@0+1@1
example : ((composition ⟨zero, [(4, Point.unit 2 1), (8, Point.unit 2 0)], .node [.leaf (), .leaf ()]⟩
    ⟨[⟨4, 5⟩], .leaf ()⟩).map fun R => R.modes.map fun m => (m.1, m.2.entries)) = some [(4, [1, 1])] := by decide +kernel
example : (identity (.node [.leaf 2, .leaf 3])).values.map Point.entries =
    [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2], [1, 2]] := by decide +kernel

end CoordLayout

end Razorgirl
