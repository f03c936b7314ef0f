module

public import Razorgirl.Spec.LinearLayout.Elimination

@[expose] public section

/-!
# Linear layouts: F2-linear maps between named dimensions

A linear layout takes a point (a number for each input dimension) to a point (a number for each output dimension).
Every dimension has a power of two of values, here given by its number of bits. The image of a point is, in each output
dimension, the exclusive or of the *bases* that the set bits of the point select.

A point over a list of dimensions is packed into one number, first dimension lowest. So a layout is kept as its
dimensions and one column for each input bit, packed likewise. Named forms are views: `eval`.
Source: Triton `LinearLayout.h`; «Linear Layouts» (arXiv 2505.23819), section 4.
-/

namespace Razorgirl

namespace LinearLayout

/-- Dimensions, minor first: name and number of bits.
Rust: `razorgirl::linear_layout::Dims` -/
abbrev Dims := List (String × Nat)

/-- A number for each name; names without a meaning there have any. -/
abbrev Point := String → Nat

namespace Dims

/-- The names in order.
Rust: `razorgirl::linear_layout::Dims::names` -/
def names (D : Dims) : List String := D.map Prod.fst

/-- All bits together.
Rust: `razorgirl::linear_layout::Dims::total` -/
def total : Dims → Nat
  | [] => 0
  | (_, k) :: D => k + total D

/-- The bits of the dimension of that name, 0 where there is none.
Rust: `razorgirl::linear_layout::Dims::bits` -/
def bits : Dims → String → Nat
  | [], _ => 0
  | (d, k) :: D, n => if d = n then k else bits D n

/-- Whether there is a dimension of that name.
Rust: `razorgirl::linear_layout::Dims::has` -/
def has : Dims → String → Bool
  | [], _ => false
  | (d, _) :: D, n => d == n || has D n

/-- No name twice. -/
def distinct : Dims → Bool
  | [] => true
  | (d, _) :: D => !has D d && distinct D

/-- One number for a point: the first dimension in the lowest bits. A coordinate counts modulo the size.
Rust: `razorgirl::linear_layout::Dims::pack` -/
def pack : (D : Dims) → (p : Point) → Nat
  | [], _ => 0
  | (d, k) :: D, p => p d % 2 ^ k + 2 ^ k * pack D p

/-- The point of a packed number; 0 in every other name.
Rust: `razorgirl::linear_layout::Dims::unpack` -/
def unpack : (D : Dims) → (x : Nat) → Point
  | [], _, _ => 0
  | (d, k) :: D, x, n => if d = n then x % 2 ^ k else unpack D (x / 2 ^ k) n

/-- The dimensions of these names, in their order. -/
def only (D : Dims) (names : List String) : Dims := D.filter fun d => names.elem d.1

/-- The dimensions of other names. -/
def without (D : Dims) (names : List String) : Dims := D.filter fun d => !names.elem d.1

/-- Dimensions of these names in this order, as large as they are here. -/
def inOrder (D : Dims) (names : List String) : Dims := names.map fun n => (n, D.bits n)

/-- The same names in any order.
Rust: `razorgirl::linear_layout::Dims::same_names` -/
def sameNames (D E : Dims) : Bool :=
  D.all (fun d => E.has d.1) && E.all fun e => D.has e.1

end Dims

end LinearLayout

/-- A linear layout: its dimensions, minor first, and the packed image of each input bit, lowest bit of the first input
dimension first.
Rust: `razorgirl::LinearLayout` -/
structure LinearLayout where
  /-- the input dimensions -/
  ins : LinearLayout.Dims
  /-- the output dimensions -/
  outs : LinearLayout.Dims
  /-- the packed image of each input bit -/
  cols : List Nat
deriving DecidableEq

namespace LinearLayout

/-- Every column is below `2^n`. -/
def below (n : Nat) : List Nat → Bool
  | [] => true
  | c :: cs => decide (c < 2 ^ n) && below n cs

/-- Names are distinct on each side, there is a column for each input bit, and each fits the output. -/
def wellFormed (L : LinearLayout) : Bool :=
  L.ins.distinct && L.outs.distinct && L.cols.length == L.ins.total && below L.outs.total L.cols

/-- The image of a packed point.
Rust: `razorgirl::LinearLayout::apply_packed` -/
def applyPacked (L : LinearLayout) (x : Nat) : Nat := F2.apply L.cols x

/-- The image of a point; coordinates count modulo the sizes, and a name that is no output dimension gets 0. -/
def eval (L : LinearLayout) (p : Point) : Point := L.outs.unpack (F2.apply L.cols (L.ins.pack p))

/-- The image of a point that is given as a list of coordinates; none unless the list has each input dimension once, and no
other name.
Rust: `razorgirl::LinearLayout::apply` -/
def applyTo (L : LinearLayout) (coords : List (String × Nat)) : Option (List (String × Nat)) :=
  if Dims.distinct coords && L.ins.sameNames coords then
    some (L.outs.map fun d => (d.1, L.eval (fun n => Dims.bits coords n) d.1))
  else none

/-- The layout over these dimensions whose basis at each input bit is what `g` gives there. -/
def ofEval (ins outs : Dims) (g : Point → Point) : LinearLayout :=
  ⟨ins, outs, F2.columnsOf (fun x => outs.pack (g (ins.unpack x))) ins.total⟩

/-- The exclusive or of points. -/
def xorPoints (p q : Point) : Point := fun n => p n ^^^ q n

/-- A function of points that respects exclusive or. -/
def LinearPoints (g : Point → Point) : Prop := ∀ p q n, g (xorPoints p q) n = g p n ^^^ g q n

/-- A point with every coordinate modulo the size of its dimension, and 0 where there is none. -/
def restrict (D : Dims) (p : Point) : Point := fun n => p n % 2 ^ D.bits n

/-- The dimension of the image.
Rust: `razorgirl::LinearLayout::rank` -/
def rank (L : LinearLayout) : Nat := F2.rank L.cols.reverse

/-- Every output point is reached.
Rust: `razorgirl::LinearLayout::is_surjective` -/
def isSurjective (L : LinearLayout) : Bool := L.rank == L.outs.total

/-- No output point is reached twice.
Rust: `razorgirl::LinearLayout::is_injective` -/
def isInjective (L : LinearLayout) : Bool := L.rank == L.ins.total

/-- Every output point is reached exactly once.
Rust: `razorgirl::LinearLayout::is_invertible` -/
def isInvertible (L : LinearLayout) : Bool := L.isSurjective && L.ins.total == L.outs.total

/-- A layout whose output dimensions have just the bits that its bases need, if that is surjective: `bases` has for each
input dimension its bases, a component for each name of `outs`.
Rust: `razorgirl::LinearLayout::from_bases` -/
def fromBases (bases : List (String × List (List Nat))) (outs : List String) : Option LinearLayout :=
  let width (c : Nat) : Nat := if c = 0 then 0 else c.log2 + 1
  let rows := bases.flatMap Prod.snd
  let sizes := rows.foldl (fun ws r => ws.zipWith max (r.map width)) (outs.map fun _ => 0)
  let out : Dims := outs.zip sizes
  let packed := rows.map fun r => out.pack fun n => ((outs.zip r).find? fun c => c.1 == n).elim 0 Prod.snd
  let L : LinearLayout := ⟨bases.map fun b => (b.1, b.2.length), out, packed⟩
  if L.isSurjective then some L else none

/-- One input and one output dimension: `n` bits, each times `2^s`.
Rust: `razorgirl::LinearLayout::strided_1d` -/
def strided1D (n s : Nat) (i o : String) : LinearLayout :=
  ofEval [(i, n)] [(o, n + s)] fun p m => if m = o then 2 ^ s * p i else 0

/-- One input and one output dimension, the same number.
Rust: `razorgirl::LinearLayout::identity_1d` -/
def identity1D (n : Nat) (i o : String) : LinearLayout := strided1D n 0 i o

/-- One input dimension of `n` bits that changes nothing in an output dimension of `m` bits.
Rust: `razorgirl::LinearLayout::zeros_1d` -/
def zeros1D (n m : Nat) (i o : String) : LinearLayout := ofEval [(i, n)] [(o, m)] fun _ _ => 0

/-- No dimensions.
Rust: `razorgirl::LinearLayout::empty` -/
def empty : LinearLayout := ⟨[], [], []⟩

/-- The matrix: a row for each output bit, an entry for each input bit.
Rust: `razorgirl::LinearLayout::matrix` -/
def matrix (L : LinearLayout) : List (List Nat) :=
  (List.range L.outs.total).map fun i => L.cols.map fun c => c / 2 ^ i % 2

-- two registers of 4 columns, lane bit 0 on rows: (r, l) goes to (l, 2r)
def example1 : LinearLayout := ⟨[("r", 1), ("l", 1)], [("x", 1), ("y", 2)], [4, 1]⟩
example : example1.wellFormed = true ∧ example1.rank = 2 ∧ example1.isSurjective = false := by decide +kernel
example : (example1.eval fun n => if n = "r" then 1 else 0) "y" = 2 := by decide +kernel
example : example1.applyTo [("l", 1), ("r", 1)] = some [("x", 1), ("y", 2)] ∧
    example1.applyTo [("l", 1), ("r", 1), ("w", 3)] = none ∧ example1.applyTo [("l", 1)] = none := by decide +kernel
example : identity1D 2 "i" "o" = ⟨[("i", 2)], [("o", 2)], [1, 2]⟩ ∧ zeros1D 1 1 "i" "o" = ⟨[("i", 1)], [("o", 1)], [0]⟩ := by
  decide +kernel
example : fromBases [("r", [[1], [2]]), ("l", [])] ["y"] = some ⟨[("r", 2), ("l", 0)], [("y", 2)], [1, 2]⟩ := by
  decide +kernel

end LinearLayout

end Razorgirl
