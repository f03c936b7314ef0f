module

public import Razorgirl.Spec.Layout.Complement
public import Razorgirl.Spec.Layout.Composition
public import Razorgirl.Spec.Layout.Filter
public import Razorgirl.Spec.Layout.Ordered
public import Razorgirl.Spec.Layout.Tiler

@[expose] public section

/-!
# Products

`A ⊗ T` repeats A: mode 0 is A, mode 1 moves it from copy to copy, and which copy comes at which coordinate is said
by T («Categorical Foundations» 2.3.9, Cecka 3.3.4, CuTe `logical_product`). The copies sit at the offsets of the
complement C of A, numbered upwards, so copy number n is A moved by C(n), and copies of different numbers never
overlap. C is taken in the least multiple of A's block that is at least `size A · cosize T`: that number itself,
which the sources name, need not be a multiple of the block.
-/

namespace Razorgirl

namespace Layout
open HTuple

/-! ## By a layout -/

/-- Where the copies of A may start, upwards from 0, and enough of them for T. Broadcasts of A take no room. -/
def origins (A T : Layout) : Option Layout :=
  complementCeil (filter A) (A.size * FlatLayout.cosizeFormula T.modes)

/-- The least multiple of A's block that is at least `size A · cosize T`. -/
def room (A T : Layout) : Nat :=
  FlatLayout.block (filter A).modes *
    Division.ceilDiv (A.size * FlatLayout.cosizeFormula T.modes) (FlatLayout.block (filter A).modes)

/-- The product with a layout, with `comp` for composition. -/
def productWith (comp : Layout → Layout → Option Layout) (A T : Layout) : Option Layout :=
  match origins A T with
  | some C => (comp C T).map fun R => concat [A, R]
  | none => none

/-- `(A, C ∘ T)`. Complete composition finds no more here (`logicalProduct_eq_complete`). CuTe
`logical_product(A, T)` with a layout T.
Rust: `razorgirl::Layout::logical_product` -/
def logicalProduct (A T : Layout) : Option Layout := productWith composition A T

/-- `R` has the modes A, and the places of the copies composed with T. -/
def IsProduct (A T R : Layout) : Prop :=
  ∃ C S, origins A T = some C ∧ IsComposite C T S ∧ R = concat [A, S]

/-! ## By tiler -/

/-- Mode by mode; `_` and further modes stay. CuTe `logical_product(A, tiler)`.
Rust: `razorgirl::Layout::logical_product` -/
def logicalProductBy (A : Layout) (b : Tiler) : Option Layout := transformBy logicalProduct A b

/-- `((A's modes …), (repetitions …, further modes …))`. CuTe `zipped_product(A, tiler)`.
Rust: `razorgirl::Layout::zipped_product` -/
def zippedProduct (A : Layout) (b : Tiler) : Option Layout := arrange zippedForm allTile logicalProduct A b

/-- `((A's modes …), repetition, …, further mode, …)`. CuTe `tiled_product(A, tiler)`.
Rust: `razorgirl::Layout::tiled_product` -/
def tiledProduct (A : Layout) (b : Tiler) : Option Layout := arrange tiledForm allTile logicalProduct A b

/-- `(A's mode, …, repetition, …, further mode, …)`. CuTe `flat_product(A, tiler)`.
Rust: `razorgirl::Layout::flat_product` -/
def flatProduct (A : Layout) (b : Tiler) : Option Layout := arrange flatForm allTile logicalProduct A b

/-! ## Mode against mode -/

/-- At least `n` top-level modes: as many modes `1:0` behind as are missing. CuTe `append<n>(L)`. -/
def padModes (n : Nat) (L : Layout) : Layout :=
  ofTree (.node (children L.tree ++ List.replicate (n - L.rank) (.leaf ⟨1, 0⟩)))

/-- The modes of two tuples in pairs, those of the first tuple first. -/
def pairModes : (xs ys : List (HTuple Mode)) → List (HTuple Mode)
  | x :: xs, y :: ys => .node [x, y] :: pairModes xs ys
  | _, _ => []

/-- A layout of two modes, each mode of the one beside the mode of the other. CuTe `zip`. -/
def zipWith (pairs : (xs ys : List (HTuple Mode)) → List (HTuple Mode)) (R : Layout) : Option Layout :=
  match children R.tree with
  | [x, y] => some (ofTree (.node (pairs (children x) (children y))))
  | _ => none

/-- Both padded to the same number of modes, their product, and then mode against mode; `prod` is the product. -/
def interleave (prod : Layout → Layout → Option Layout)
    (pairs : (xs ys : List (HTuple Mode)) → List (HTuple Mode)) (A T : Layout) : Option Layout :=
  match prod (padModes (max A.rank T.rank) A) (padModes (max A.rank T.rank) T) with
  | some R => zipWith pairs R
  | none => none

/-- `((A₀, T₀'), (A₁, T₁'), …)`: whole blocks beside each other. CuTe `blocked_product(A, T)`.
Rust: `razorgirl::Layout::blocked_product` -/
def blockedProduct (A T : Layout) : Option Layout := interleave logicalProduct pairModes A T

/-- `((T₀', A₀), (T₁', A₁), …)`: the blocks interleaved element by element. CuTe `raked_product(A, T)`.
Rust: `razorgirl::Layout::raked_product` -/
def rakedProduct (A T : Layout) : Option Layout := interleave logicalProduct (fun xs ys => pairModes ys xs) A T

/-- Coordinates in pairs. -/
def pairCoords : (as ts : List Coord) → List Coord
  | a :: as, t :: ts => .node [a, t] :: pairCoords as ts
  | _, _ => []

/-- `B` is the blocked and `K` the raked product of A and T, from the product `R` of the padded A and T. -/
def AreInterleaved (A T R B K : Layout) : Prop :=
  logicalProduct (padModes (max A.rank T.rank) A) (padModes (max A.rank T.rank) T) = some R ∧
    blockedProduct A T = some B ∧ rakedProduct A T = some K

/-! ## Up to a shape -/

/-- The sizes of the top-level modes. CuTe `product_each(shape(L))`. -/
def modeSizes (L : Layout) : List Nat := (children L.tree).map fun t => (ofTree t).size

/-- How many blocks of sizes `bs` fit into extents `ss`, mode by mode, 1 for what the block lacks; `none` where a
size does not divide its extent, or where the block has more modes. -/
def repetitions : (bs ss : List Nat) → Option (List Nat)
  | [], ss => some ss
  | _ :: _, [] => none
  | b :: bs, s :: ss =>
    if s % b = 0 then (repetitions bs ss).map fun rs => (s / b) :: rs else none

/-- The sizes divide the extents one by one, and there are no more of them. -/
def EachDivides : (bs ss : List Nat) → Prop
  | [], _ => True
  | _ :: _, [] => False
  | b :: bs, s :: ss => b ∣ s ∧ EachDivides bs ss

/-- The copies of the block that fill a shape, numbered by an order of the modes. -/
def fillers (block : Layout) (shape order : IntTuple) : Option Layout :=
  match repetitions (modeSizes block) ((children shape).map IntTuple.size) with
  | some rs => ordered (.node (rs.map .leaf)) order
  | none => none

/-- The block repeated to a shape, mode by mode. CuTe `tile_to_shape(block, shape, order)`.
Rust: `razorgirl::Layout::tile_to_shape` -/
def tileToShape (block : Layout) (shape order : IntTuple) : Option Layout :=
  match fillers block shape order with
  | some T => blockedProduct block T
  | none => none

/-- The order `0, 1, 2, …` of the modes of a shape: column-major, CuTe's default. -/
def columnOrder (shape : IntTuple) : IntTuple := .node ((List.range (children shape).length).map .leaf)

/-! ## Worked examples -/

/-- `(2,2):(5,10) ⊗ (3,5):(5,1)` is `((2,2),(3,5)):((5,10),(20,1))`. -/
example : (logicalProduct ⟨[⟨2, 5⟩, ⟨2, 10⟩], .node [.leaf (), .leaf ()]⟩
      ⟨[⟨3, 5⟩, ⟨5, 1⟩], .node [.leaf (), .leaf ()]⟩).map modes =
    some [⟨2, 5⟩, ⟨2, 10⟩, ⟨3, 20⟩, ⟨5, 1⟩] := by decide +kernel
/-- An example of «Categorical Foundations» (2.3.9.4) for which the N of its definition, `9 · 239 = 2151`, is no
multiple of the block 18. -/
example : (logicalProduct ⟨[⟨3, 6⟩, ⟨3, 1⟩], .node [.leaf (), .leaf ()]⟩
      ⟨[⟨10, 24⟩, ⟨12, 2⟩], .node [.leaf (), .leaf ()]⟩).map modes =
    some [⟨3, 6⟩, ⟨3, 1⟩, ⟨10, 216⟩, ⟨12, 18⟩] ∧
    complementIn ⟨[⟨3, 6⟩, ⟨3, 1⟩], .node [.leaf (), .leaf ()]⟩ (9 * 239) = none := by decide +kernel

end Layout

end Razorgirl
