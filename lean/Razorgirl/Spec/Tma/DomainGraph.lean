module

public import Razorgirl.Spec.IterDomain.Steps
public import Razorgirl.Spec.Tma.Basic

@[expose] public section

/-!
# How the domains of a TMA load hang together

A load is scheduled by splitting, merging, resizing and swizzling iteration domains, from the *partitioned* ones (the
dimensions of the tensor as the descriptor has them) to those that shared memory is allocated by. Indices are found
backwards: an item of the allocation fixes the index of every domain before it. The item is *valid* if every index
is in its domain, else a *hole*. The hardware tests the partitioned domains only, and puts 0 where one is left:
*strong correctness* says that every hole is caught by that test.

Of loads, with 0 in holes, and of tiles that shared memory holds in the hardware's order (`Spec/Tma/Smem.lean`).
Source: nvFuser «TMA Modeling In Depth» and «Divisibility of Split»; the steps are those of
`Spec/IterDomain/Steps.lean`, with names for what goes in and out.
-/

namespace Razorgirl

namespace Tma

/-- An iteration domain, `I4{3}` in the source's figures: its number and its extent. -/
structure IterDom where
  /-- its number -/
  name : Nat
  /-- its extent -/
  extent : Nat
deriving DecidableEq, Repr

/-- The index of every domain. -/
abbrev Indices := IterDom → Int

/-- The index is in the domain: `0 ≤ i < extent`. -/
def inBoundary (index : Indices) (a : IterDom) : Bool := decide (0 ≤ index a) && decide (index a < a.extent)

/-! ## Steps -/

/-- One transformation of a schedule. -/
inductive Step where
  /-- an inner split (outer extent rounded up) or an outer split (inner extent rounded up) -/
  | split (input outer inner : IterDom)
  /-- all pairs, the inner index fastest -/
  | merge (outer inner output : IterDom)
  /-- `left` indices more in front, `right` behind; fewer where they are negative -/
  | resize (input output : IterDom) (left right : Int)
  /-- `y` exclusive-ored with `x`, the only swizzle that nvFuser generates -/
  | swizzle (x y x' y' : IterDom)
deriving DecidableEq, Repr

namespace Step

/-- What goes in. -/
def inputs : Step → List IterDom
  | split i _ _ => [i]
  | merge o n _ => [o, n]
  | resize i _ _ _ => [i]
  | swizzle x y _ _ => [x, y]

/-- What comes out. -/
def outputs : Step → List IterDom
  | split _ o n => [o, n]
  | merge _ _ m => [m]
  | resize _ m _ _ => [m]
  | swizzle _ _ x' y' => [x', y']

/-- The extents fit: a split covers its input, and nothing is divided by 0. -/
def fits : Step → Bool
  | split i o n => decide (0 < n.extent) && decide (i.extent ≤ o.extent * n.extent)
  | merge o n m => decide (0 < n.extent) && decide (m.extent = o.extent * n.extent)
  | resize i m l r => decide ((m.extent : Int) = i.extent + l + r)
  | swizzle x y x' y' => decide (x'.extent = x.extent) && decide (y'.extent = y.extent)

/-- The indices belong together: inputs are found from outputs. -/
def Relates (index : Indices) : Step → Prop
  | split i o n => index i = index o * n.extent + index n
  | merge o n m => index o = index m / n.extent ∧ index n = index m % n.extent
  | resize i m l _ => index i = index m - l
  | swizzle x y x' y' => index x = index x' ∧ index y = IterDomain.xorInt (index x') (index y')

/-- One index set. -/
def set (index : Indices) (a : IterDom) (v : Int) : Indices := fun b => if b = a then v else index b

/-- The indices of the inputs put in, from those of the outputs. -/
def back : Step → Indices → Indices
  | split i o n, index => set index i (index o * n.extent + index n)
  | merge o n m, index => set (set index o (index m / n.extent)) n (index m % n.extent)
  | resize i m l _, index => set index i (index m - l)
  | swizzle x y x' y', index => set (set index x (index x')) y (IterDomain.xorInt (index x') (index y'))

end Step

/-! ## Graphs of domains -/

/-- The schedule of a load as a graph of numbered domains: those of the tensor, and the steps from there, in order. A
`IterDomain.Schedule` numbers no domains: its steps act on positions of a list. -/
structure DomainGraph where
  /-- the domains that the hardware tests -/
  partitioned : List IterDom
  /-- the transformations -/
  steps : List Step
deriving DecidableEq, Repr

namespace DomainGraph

/-- No domain occurs twice. -/
def distinct : List IterDom → Bool
  | [] => true
  | a :: as => !as.contains a && distinct as

/-- No step uses what it or a later one makes. -/
def ordered : List Step → Bool
  | [] => true
  | s :: rest => s.inputs.all (fun a => !((s :: rest).flatMap Step.outputs).contains a) && ordered rest

/-- Every domain is made at most once and used at most once, made before it is used, and the extents fit. -/
def wellFormed (S : DomainGraph) : Bool :=
  distinct (S.steps.flatMap Step.inputs) && distinct (S.partitioned ++ S.steps.flatMap Step.outputs) &&
    ordered S.steps && S.steps.all Step.fits

/-- All domains. -/
def doms (S : DomainGraph) : List IterDom :=
  S.partitioned ++ S.steps.flatMap Step.inputs ++ S.steps.flatMap Step.outputs

/-- The domains that are not transformed further: the loops, and what shared memory is allocated by. -/
def leaves (S : DomainGraph) : List IterDom :=
  S.doms.filter fun a => !(S.steps.flatMap Step.inputs).contains a

/-- The indices belong together at every step. -/
def Consistent (S : DomainGraph) (index : Indices) : Prop := ∀ s ∈ S.steps, s.Relates index

/-- All indices, from those of the leaves: the steps backwards. -/
def indices (S : DomainGraph) (leaf : Indices) : Indices := S.steps.foldr Step.back leaf

/-! ## Correctness -/

/-- The hardware's test: every partitioned domain is in boundary. -/
def builtin (S : DomainGraph) (index : Indices) : Bool := S.partitioned.all (inBoundary index)

/-- The item is no hole: every domain is in boundary. -/
def isValid (S : DomainGraph) (index : Indices) : Bool := S.doms.all (inBoundary index)

/-- What a load leaves at the item, where the tensor holds `tensor g` at coordinate `g`. -/
def held (S : DomainGraph) (tensor : List Int → Int) (index : Indices) : Int :=
  if S.builtin index then tensor (S.partitioned.map index) else 0

/-- Every valid item holds its element, whatever the tensor holds. -/
def WeaklyCorrect (S : DomainGraph) : Prop := ∀ (tensor : List Int → Int) (index : Indices), S.Consistent index →
  S.isValid index = true → S.held tensor index = tensor (S.partitioned.map index)

/-- Of the items of the allocation, every valid one holds its element and every hole holds 0, whatever the tensor
holds. -/
def StronglyCorrect (S : DomainGraph) : Prop := ∀ (tensor : List Int → Int) (index : Indices), S.Consistent index →
  S.leaves.all (inBoundary index) = true →
  S.held tensor index = if S.isValid index then tensor (S.partitioned.map index) else 0

/-! ## Examples

The tensor holds at every coordinate its row-major number. -/

/-- All items of an allocation, outermost domain first, row by row. -/
def items : List IterDom → List Indices
  | [] => [fun _ => 0]
  | a :: as => (List.range a.extent).flatMap fun (v : Nat) => (items as).map fun index => Step.set index a v

/-- What shared memory holds. -/
def contents (S : DomainGraph) (alloc : List IterDom) (tensor : List Int → Int) : List Int :=
  (items alloc).map fun leaf => S.held tensor (S.indices leaf)

/-- What it shall hold to be strongly correct. -/
def wanted (S : DomainGraph) (alloc : List IterDom) (tensor : List Int → Int) : List Int :=
  (items alloc).map fun leaf =>
    if S.isValid (S.indices leaf) then tensor (S.partitioned.map (S.indices leaf)) else 0

/-- nvFuser Figure 2: `I1{12}` by 2, the outer output by 2, the inner of that by 4. -/
def figure2 : DomainGraph where
  partitioned := [⟨1, 12⟩]
  steps := [.split ⟨1, 12⟩ ⟨2, 6⟩ ⟨3, 2⟩, .split ⟨2, 6⟩ ⟨4, 3⟩ ⟨5, 2⟩, .split ⟨5, 2⟩ ⟨6, 1⟩ ⟨7, 4⟩]

-- the last four of each eight are holes; those of the first two eights hold elements
example : figure2.wellFormed = true := by decide +kernel
example : figure2.contents [⟨4, 3⟩, ⟨6, 1⟩, ⟨7, 4⟩, ⟨3, 2⟩] (fun g => g.getD 0 0) =
    [0, 1, 2, 3, 4, 5, 6, 7,   4, 5, 6, 7, 8, 9, 10, 11,   8, 9, 10, 11, 0, 0, 0, 0] := by decide +kernel
example : figure2.wanted [⟨4, 3⟩, ⟨6, 1⟩, ⟨7, 4⟩, ⟨3, 2⟩] (fun g => g.getD 0 0) =
    [0, 1, 2, 3, 0, 0, 0, 0,   4, 5, 6, 7, 0, 0, 0, 0,   8, 9, 10, 11, 0, 0, 0, 0] := by decide +kernel

/-- nvFuser Figure 3: a 6 × 6 tensor, boxes of 2 × 4, the boxes numbered and split by 4. -/
def figure3 : DomainGraph where
  partitioned := [⟨1, 6⟩, ⟨2, 6⟩]
  steps := [.split ⟨1, 6⟩ ⟨3, 3⟩ ⟨4, 2⟩, .split ⟨2, 6⟩ ⟨5, 2⟩ ⟨6, 4⟩, .merge ⟨3, 3⟩ ⟨5, 2⟩ ⟨7, 6⟩,
    .merge ⟨4, 2⟩ ⟨6, 4⟩ ⟨8, 8⟩, .split ⟨7, 6⟩ ⟨9, 2⟩ ⟨10, 4⟩]

example : figure3.wellFormed = true := by decide +kernel
-- the first and the last two of eight boxes
example : (figure3.contents [⟨9, 2⟩, ⟨10, 4⟩, ⟨8, 8⟩] (fun g => g.getD 0 0 * 6 + g.getD 1 0)).take 16 =
    [0, 1, 2, 3, 6, 7, 8, 9,   4, 5, 0, 0, 10, 11, 0, 0] := by decide +kernel
example : (figure3.contents [⟨9, 2⟩, ⟨10, 4⟩, ⟨8, 8⟩] (fun g => g.getD 0 0 * 6 + g.getD 1 0)).drop 48 =
    [0, 0, 0, 0, 0, 0, 0, 0,   0, 0, 0, 0, 0, 0, 0, 0] := by decide +kernel

/-- nvFuser Figure 4: as Figure 3, but pairs of rows of boxes are taken apart and put together otherwise. -/
def figure4 : DomainGraph where
  partitioned := [⟨1, 6⟩, ⟨2, 6⟩]
  steps := [.split ⟨1, 6⟩ ⟨3, 3⟩ ⟨4, 2⟩, .split ⟨2, 6⟩ ⟨5, 2⟩ ⟨6, 4⟩, .split ⟨3, 3⟩ ⟨7, 2⟩ ⟨8, 2⟩,
    .merge ⟨4, 2⟩ ⟨6, 4⟩ ⟨9, 8⟩, .merge ⟨5, 2⟩ ⟨8, 2⟩ ⟨10, 4⟩, .split ⟨10, 4⟩ ⟨11, 2⟩ ⟨12, 3⟩]

-- of the twelve rows of eight, the fourth and the fifth: one of elements and holes, one of holes
example : figure4.wellFormed = true ∧
    ((figure4.contents [⟨7, 2⟩, ⟨11, 2⟩, ⟨12, 3⟩, ⟨9, 8⟩] (fun g => g.getD 0 0 * 6 + g.getD 1 0)).drop 24).take 16 =
    [16, 17, 0, 0, 22, 23, 0, 0,   0, 0, 0, 0, 0, 0, 0, 0] := by decide +kernel

/-- nvFuser Figures 5 and 6: an 8 × 2 tensor, boxes of 4 rows, every third of them in a tile. -/
def figure5 : DomainGraph where
  partitioned := [⟨1, 8⟩, ⟨2, 2⟩]
  steps := [.split ⟨1, 8⟩ ⟨3, 2⟩ ⟨4, 4⟩, .split ⟨4, 4⟩ ⟨5, 2⟩ ⟨6, 3⟩]

example : figure5.contents [⟨3, 2⟩, ⟨6, 3⟩, ⟨5, 2⟩, ⟨2, 2⟩] (fun g => g.getD 0 0 * 2 + g.getD 1 0) =
    [0, 1, 6, 7,   2, 3, 8, 9,   4, 5, 10, 11,   8, 9, 14, 15,   10, 11, 0, 0,   12, 13, 0, 0] := by decide +kernel

end DomainGraph

end Tma

end Razorgirl
