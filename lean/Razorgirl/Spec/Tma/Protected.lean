module

public import Razorgirl.Spec.IterDomain.Steps
public import Razorgirl.Spec.Tma.Basic

@[expose] public section

/-!
# Schedules of TMA loads, and what the hardware's test protects

A load is scheduled by splitting, merging, resizing and swizzling iteration domains, from the *partitioned* ones (the
dimensions of the tensor as the descriptor has them) to those that shared memory is allocated by. Indices are found
backwards: an item of the allocation fixes the index of every domain before it. The item is *valid* if every index
is in its domain, else a *hole*. The hardware tests the partitioned domains only, and puts 0 where one is left:
*strong correctness* says that every hole is caught by that test.

A domain is *TMA-protected* (Definition 1) if leaving it means leaving a partitioned one. Theorem 5 of the source then
promises strong correctness if whatever makes holes has protected inputs. With swizzles and resizes to the left
together that is false, see the last example; `Thm/Tma/Protected.lean` has it repaired.
Source: nvFuser «TMA Modeling In Depth», Definition 1, Theorems 1, 4 and 5; the steps are those of
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

/-- Inputs whose index can leave its domain while those of the outputs are in theirs: of a split that is not exact, a
resize that adds indices, and the second of a swizzle whose extents do not fit. (The source counts every resize, and
no swizzle.) -/
def holeInputs : Step → List IterDom
  | split i o n => if i.extent = o.extent * n.extent then [] else [i]
  | merge _ _ _ => []
  | resize i _ l r => if l ≤ 0 ∧ r ≤ 0 then [] else [i]
  | swizzle x y _ _ => if y.extent % IterDomain.nextPow2 x.extent = 0 then [] else [y]

/-- A resize that adds indices in front: only there do indices become negative. -/
def growsLeft : Step → Bool
  | resize _ _ l _ => decide (0 < l)
  | _ => false

/-- The first input of a swizzle. -/
def swizzleX : Step → List IterDom
  | swizzle x _ _ _ => [x]
  | _ => []

end Step

/-! ## Schedules -/

/-- A schedule: the domains of the tensor, and the steps from there, in order. -/
structure Schedule where
  /-- the domains that the hardware tests -/
  partitioned : List IterDom
  /-- the transformations -/
  steps : List Step
deriving DecidableEq, Repr

namespace Schedule

/-- No domain occurs twice. -/
def distinct : List IterDom → Bool
  | [] => true
  | a :: as => !as.contains a && distinct as

/-- No step uses what it or a later one makes. -/
def ordered : List Step → Bool
  | [] => true
  | s :: rest => s.inputs.all (fun a => !((s :: rest).flatMap Step.outputs).contains a) && ordered rest

/-- Every domain is made at most once and used at most once, made before it is used, and the extents fit. -/
def wellFormed (S : Schedule) : Bool :=
  distinct (S.steps.flatMap Step.inputs) && distinct (S.partitioned ++ S.steps.flatMap Step.outputs) &&
    ordered S.steps && S.steps.all Step.fits

/-- All domains. -/
def doms (S : Schedule) : List IterDom :=
  S.partitioned ++ S.steps.flatMap Step.inputs ++ S.steps.flatMap Step.outputs

/-- The domains that are not transformed further: the loops, and what shared memory is allocated by. -/
def leaves (S : Schedule) : List IterDom :=
  S.doms.filter fun a => !(S.steps.flatMap Step.inputs).contains a

/-- The indices belong together at every step. -/
def Consistent (S : Schedule) (index : Indices) : Prop := ∀ s ∈ S.steps, s.Relates index

/-- All indices, from those of the leaves: the steps backwards. -/
def indices (S : Schedule) (leaf : Indices) : Indices := S.steps.foldr Step.back leaf

/-! ## Correctness -/

/-- The hardware's test: every partitioned domain is in boundary. -/
def builtin (S : Schedule) (index : Indices) : Bool := S.partitioned.all (inBoundary index)

/-- The item is no hole: every domain is in boundary. -/
def isValid (S : Schedule) (index : Indices) : Bool := S.doms.all (inBoundary index)

/-- What a load leaves at the item, where the tensor holds `tensor g` at coordinate `g`. -/
def held (S : Schedule) (tensor : List Int → Int) (index : Indices) : Int :=
  if S.builtin index then tensor (S.partitioned.map index) else 0

/-- Every valid item holds its element, whatever the tensor holds. -/
def WeaklyCorrect (S : Schedule) : Prop := ∀ (tensor : List Int → Int) (index : Indices), S.Consistent index →
  S.isValid index = true → S.held tensor index = tensor (S.partitioned.map index)

/-- Of the items of the allocation, every valid one holds its element and every hole holds 0, whatever the tensor
holds. -/
def StronglyCorrect (S : Schedule) : Prop := ∀ (tensor : List Int → Int) (index : Indices), S.Consistent index →
  S.leaves.all (inBoundary index) = true →
  S.held tensor index = if S.isValid index then tensor (S.partitioned.map index) else 0

/-- **TMA-protected** (Definition 1): the least set of domains that contains the partitioned ones and is closed under
four rules. -/
inductive Protected (S : Schedule) : IterDom → Prop
  /-- a partitioned domain -/
  | partitioned {a : IterDom} (h : a ∈ S.partitioned) : Protected S a
  /-- the outer output of a split of a protected domain -/
  | split {i o n : IterDom} (h : Step.split i o n ∈ S.steps) (hi : Protected S i) : Protected S o
  /-- the output of a merge whose outer input is protected -/
  | merge {o n m : IterDom} (h : Step.merge o n m ∈ S.steps) (ho : Protected S o) : Protected S m
  /-- the output of a resize of a protected domain that cuts nothing off -/
  | resize {i m : IterDom} {l r : Int} (h : Step.resize i m l r ∈ S.steps) (hl : 0 ≤ l) (hr : 0 ≤ r)
      (hi : Protected S i) : Protected S m
  /-- the first output of a swizzle whose first input is protected -/
  | swizzle {x y x' y' : IterDom} (h : Step.swizzle x y x' y' ∈ S.steps) (hx : Protected S x) : Protected S x'

/-- What a step makes protected, given what is. -/
def protects (known : List IterDom) : Step → List IterDom
  | .split i o _ => if known.contains i then [o] else []
  | .merge o _ m => if known.contains o then [m] else []
  | .resize i m l r => if known.contains i ∧ 0 ≤ l ∧ 0 ≤ r then [m] else []
  | .swizzle x _ x' _ => if known.contains x then [x'] else []

/-- The protected domains: `known`, and what the steps in turn add. -/
def protectedFrom (known : List IterDom) : List Step → List IterDom
  | [] => known
  | s :: rest => protectedFrom (protects known s ++ known) rest

/-- The protected domains, computed. -/
def protectedDoms (S : Schedule) : List IterDom := protectedFrom S.partitioned S.steps

/-- Every step that makes holes has protected inputs, and either no swizzle has a protected first input or nothing is
resized to the left. -/
def provesStrong (S : Schedule) : Bool :=
  S.steps.all (fun s => s.holeInputs.all S.protectedDoms.contains) &&
    (S.steps.all (fun s => s.swizzleX.all fun x => !S.protectedDoms.contains x) ||
      S.steps.all fun s => !s.growsLeft)

/-! ## Examples

The tensor holds at every coordinate its row-major number. -/

/-- All items of an allocation, outermost domain first, row by row. -/
def items : List IterDom → List Indices
  | [] => [fun _ => 0]
  | a :: as => (List.range a.extent).flatMap fun (v : Nat) => (items as).map fun index => Step.set index a v

/-- What shared memory holds. -/
def contents (S : Schedule) (alloc : List IterDom) (tensor : List Int → Int) : List Int :=
  (items alloc).map fun leaf => S.held tensor (S.indices leaf)

/-- What it shall hold to be strongly correct. -/
def wanted (S : Schedule) (alloc : List IterDom) (tensor : List Int → Int) : List Int :=
  (items alloc).map fun leaf =>
    if S.isValid (S.indices leaf) then tensor (S.partitioned.map (S.indices leaf)) else 0

/-- nvFuser Figure 2: `I1{12}` by 2, the outer output by 2, the inner of that by 4. -/
def figure2 : Schedule where
  partitioned := [⟨1, 12⟩]
  steps := [.split ⟨1, 12⟩ ⟨2, 6⟩ ⟨3, 2⟩, .split ⟨2, 6⟩ ⟨4, 3⟩ ⟨5, 2⟩, .split ⟨5, 2⟩ ⟨6, 1⟩ ⟨7, 4⟩]

-- `I5` is split with holes and is not protected; eight holes hold elements
example : figure2.wellFormed = true ∧ figure2.protectedDoms = [⟨4, 3⟩, ⟨2, 6⟩, ⟨1, 12⟩] ∧
    figure2.provesStrong = false := by decide +kernel
example : figure2.contents [⟨4, 3⟩, ⟨6, 1⟩, ⟨7, 4⟩, ⟨3, 2⟩] (fun g => g.getD 0 0) =
    [0, 1, 2, 3, 4, 5, 6, 7,   4, 5, 6, 7, 8, 9, 10, 11,   8, 9, 10, 11, 0, 0, 0, 0] := by decide +kernel
example : figure2.wanted [⟨4, 3⟩, ⟨6, 1⟩, ⟨7, 4⟩, ⟨3, 2⟩] (fun g => g.getD 0 0) =
    [0, 1, 2, 3, 0, 0, 0, 0,   4, 5, 6, 7, 0, 0, 0, 0,   8, 9, 10, 11, 0, 0, 0, 0] := by decide +kernel

/-- nvFuser Figure 3: a 6 × 6 tensor, boxes of 2 × 4, the boxes numbered and split by 4. -/
def figure3 : Schedule where
  partitioned := [⟨1, 6⟩, ⟨2, 6⟩]
  steps := [.split ⟨1, 6⟩ ⟨3, 3⟩ ⟨4, 2⟩, .split ⟨2, 6⟩ ⟨5, 2⟩ ⟨6, 4⟩, .merge ⟨3, 3⟩ ⟨5, 2⟩ ⟨7, 6⟩,
    .merge ⟨4, 2⟩ ⟨6, 4⟩ ⟨8, 8⟩, .split ⟨7, 6⟩ ⟨9, 2⟩ ⟨10, 4⟩]

-- the two splits with holes, of `I2` and `I7`, have protected inputs: every hole is 0
example : figure3.wellFormed = true ∧
    figure3.protectedDoms = [⟨9, 2⟩, ⟨7, 6⟩, ⟨5, 2⟩, ⟨3, 3⟩, ⟨1, 6⟩, ⟨2, 6⟩] ∧
    figure3.provesStrong = true := by decide +kernel
example : figure3.contents [⟨9, 2⟩, ⟨10, 4⟩, ⟨8, 8⟩] (fun g => g.getD 0 0 * 6 + g.getD 1 0) =
    [0, 1, 2, 3, 6, 7, 8, 9,           4, 5, 0, 0, 10, 11, 0, 0,
     12, 13, 14, 15, 18, 19, 20, 21,   16, 17, 0, 0, 22, 23, 0, 0,
     24, 25, 26, 27, 30, 31, 32, 33,   28, 29, 0, 0, 34, 35, 0, 0,
     0, 0, 0, 0, 0, 0, 0, 0,           0, 0, 0, 0, 0, 0, 0, 0] := by decide +kernel

/-- nvFuser Figure 4: as Figure 3, but pairs of rows of boxes are taken apart and put together otherwise. -/
def figure4 : Schedule where
  partitioned := [⟨1, 6⟩, ⟨2, 6⟩]
  steps := [.split ⟨1, 6⟩ ⟨3, 3⟩ ⟨4, 2⟩, .split ⟨2, 6⟩ ⟨5, 2⟩ ⟨6, 4⟩, .split ⟨3, 3⟩ ⟨7, 2⟩ ⟨8, 2⟩,
    .merge ⟨4, 2⟩ ⟨6, 4⟩ ⟨9, 8⟩, .merge ⟨5, 2⟩ ⟨8, 2⟩ ⟨10, 4⟩, .split ⟨10, 4⟩ ⟨11, 2⟩ ⟨12, 3⟩]

-- of the twelve rows of eight, these: two of holes, and the fourth with a column of holes
example : figure4.wellFormed = true ∧ figure4.provesStrong = true ∧
    ((figure4.contents [⟨7, 2⟩, ⟨11, 2⟩, ⟨12, 3⟩, ⟨9, 8⟩] (fun g => g.getD 0 0 * 6 + g.getD 1 0)).drop 16).take 32 =
    [4, 5, 0, 0, 10, 11, 0, 0,   16, 17, 0, 0, 22, 23, 0, 0,
     0, 0, 0, 0, 0, 0, 0, 0,     0, 0, 0, 0, 0, 0, 0, 0] := by decide +kernel

/-- nvFuser Figures 5 and 6: an 8 × 2 tensor, boxes of 4 rows, every third of them in a tile. -/
def figure5 : Schedule where
  partitioned := [⟨1, 8⟩, ⟨2, 2⟩]
  steps := [.split ⟨1, 8⟩ ⟨3, 2⟩ ⟨4, 4⟩, .split ⟨4, 4⟩ ⟨5, 2⟩ ⟨6, 3⟩]

example : figure5.provesStrong = false ∧
    figure5.contents [⟨3, 2⟩, ⟨6, 3⟩, ⟨5, 2⟩, ⟨2, 2⟩] (fun g => g.getD 0 0 * 2 + g.getD 1 0) =
    [0, 1, 6, 7,   2, 3, 8, 9,   4, 5, 10, 11,   8, 9, 14, 15,   10, 11, 0, 0,   12, 13, 0, 0] := by decide +kernel

/-- The condition of Theorem 5 is only sufficient: of four elements in one box of 4 by stride 3 every hole is 0, though
the box is split with holes and is not protected. -/
def oneBox : Schedule where
  partitioned := [⟨1, 4⟩]
  steps := [.split ⟨1, 4⟩ ⟨2, 1⟩ ⟨3, 4⟩, .split ⟨3, 4⟩ ⟨4, 2⟩ ⟨5, 3⟩]

example : oneBox.provesStrong = false ∧ oneBox.contents [⟨2, 1⟩, ⟨5, 3⟩, ⟨4, 2⟩] (fun g => 7 + g.getD 0 0) =
    oneBox.wanted [⟨2, 1⟩, ⟨5, 3⟩, ⟨4, 2⟩] (fun g => 7 + g.getD 0 0) := by decide +kernel

/-- Theorem 5 as the source has it is false: two domains of 8, split 2 × 4 and 4 × 2, each inner part swizzled by the
other's outer part, the outer parts padded, one to the left and one to the right. Whatever makes holes has protected
inputs, and the swizzles fit. -/
def crossed : Schedule where
  partitioned := [⟨1, 8⟩, ⟨2, 8⟩]
  steps := [.split ⟨1, 8⟩ ⟨3, 2⟩ ⟨4, 4⟩, .split ⟨2, 8⟩ ⟨5, 4⟩ ⟨6, 2⟩,
    .swizzle ⟨5, 4⟩ ⟨4, 4⟩ ⟨7, 4⟩ ⟨8, 4⟩, .swizzle ⟨3, 2⟩ ⟨6, 2⟩ ⟨9, 2⟩ ⟨10, 2⟩,
    .resize ⟨9, 2⟩ ⟨11, 3⟩ 1 0, .resize ⟨7, 4⟩ ⟨12, 5⟩ 0 1]

example : crossed.wellFormed = true ∧
    crossed.steps.all (fun s => s.holeInputs.all crossed.protectedDoms.contains) = true := by decide +kernel
-- at the first index of the left padding and the last of the right one, I3 is -1 and I5 is 4, but I1 and I2 are 0 and 7
example :
    let index := crossed.indices (Step.set (fun _ => 0) ⟨12, 5⟩ 4)
    [index ⟨3, 2⟩, index ⟨5, 4⟩, index ⟨1, 8⟩, index ⟨2, 8⟩] = [-1, 4, 0, 7] ∧
      crossed.isValid index = false ∧ crossed.held (fun _ => 1) index = 1 := by decide +kernel

end Schedule

end Tma

end Razorgirl
