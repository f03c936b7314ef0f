module

public import Razorgirl.Spec.Tma.Basic

@[expose] public section

/-!
# The fundamental theorem of TMA correctness: the model

A tensor is covered by boxes, box `c` starting at `c·B`. Where the element stride `e` is above 1, a box is read by
`e` instructions, one for each *phase* `s < e`; the instruction that starts at `c·B + s` takes the elements
`c·B + s + t·e`, where `t` runs over the tile and belongs to the hardware. All of this holds in each dimension:
`c`, `s` and `t` are vectors, innermost dimension first.

An item `(c,s,t)` of shared memory is *valid* if in every dimension it lies in its box (`t·e + s < B`) and in the
tensor; otherwise it is a *hole*. A hole outside the tensor gets 0 from the hardware. A hole inside the tensor gets
an element of the next box, unless its whole tile is made 0.

A schedule is *weakly correct* if every valid item gets its element, and *strongly correct* if moreover every hole
gets 0. What is assumed of it, here and nowhere else:

- it is a load, and holes shall be 0;
- the boxes lie on the grid `c·B`, from the first to the last that touches the tensor;
- a program controls instructions, not single items: it chooses, for each `(c,s)`, whether to issue the load of that
  tile, to fill it with zeros, or, in the widest sense (`Plan`), where the load starts;
- the tile is not split or resized further: `t` is the hardware's, in every dimension.

Source: nvFuser «TMA Modeling In Depth», «The unachievability of strong correctness», and «Divisibility of Split»,
«Allocation and correctness model».
-/

namespace Razorgirl

namespace Tma

/-! ## The condition -/

/-- The dimension makes strong correctness impossible: the element stride is below the box and does not divide it,
and the box is smaller than the tensor. -/
def fttc (S B e : Nat) : Bool := decide (e < B) && decide (B % e ≠ 0) && decide (B < S)

-- (S, B, e) from the source's table
example : [fttc 8 4 3, fttc 8 4 2, fttc 8 4 4, fttc 8 4 5, fttc 4 4 3, fttc 5 4 3] =
    [true, false, false, false, false, true] := by decide
example : [fttc 16 6 4, fttc 16 8 3, fttc 3 8 3, fttc 100 7 7, fttc 100 7 8, fttc 2 1 3] =
    [true, true, false, false, false, false] := by decide

/-- `fttc` of a dimension. -/
def Dim.violates (d : Dim) : Bool := fttc d.size d.box d.elementStride

/-- The numbers of the dimensions that violate, the first being number `i`. -/
def violationsFrom (i : Nat) : Descriptor → List Nat
  | [] => []
  | d :: D => if d.violates then i :: violationsFrom (i + 1) D else violationsFrom (i + 1) D

/-- The dimensions that make strong correctness impossible, innermost = 0.
Rust: `razorgirl::tma::fttc`, `razorgirl::tma::Descriptor::fttc` -/
def violations (D : Descriptor) : List Nat := violationsFrom 0 D

example : violations figure5 = [1] := by decide
example : violations [⟨2, 2, 1, 1⟩, ⟨8, 4, 5, 2⟩] = [] := by decide

/-- One tile holds a valid item (`t₁`) and a hole inside the tensor (`t₂`): equation 1 of the source's proof. -/
def Mixed (S B e : Nat) : Prop := ∃ s c t₁ t₂ : Int,
  (0 ≤ s ∧ s < e) ∧ (0 ≤ c ∧ c < Division.ceilDiv S B) ∧
    (0 ≤ t₁ ∧ t₁ < Division.ceilDiv B e) ∧ (0 ≤ t₂ ∧ t₂ < Division.ceilDiv B e) ∧
  (0 ≤ c * B + t₁ * e + s ∧ c * B + t₁ * e + s < S) ∧ (0 ≤ c * B + t₂ * e + s ∧ c * B + t₂ * e + s < S) ∧
  (0 ≤ t₁ * e + s ∧ t₁ * e + s < B) ∧ B ≤ t₂ * e + s

/-! ## Tiles and items -/

/-- How many boxes touch the tensor, in each dimension. -/
def grid (D : Descriptor) : List Nat := D.map fun d => Division.ceilDiv d.size d.box

/-- How many phases a box has, in each dimension. -/
def phases (D : Descriptor) : List Nat := D.map Dim.elementStride

/-- Where tile `(c,s)` starts: `c·B + s`. -/
def tileStart : Descriptor → (c s : List Nat) → List Int
  | d :: D, c :: cs, s :: ss => (c * d.box + s : Nat) :: tileStart D cs ss
  | _, _, _ => []

/-- Item `(c,s,t)` lies in its box and in the tensor. -/
def valid : Descriptor → (c s t : List Nat) → Bool
  | d :: D, c :: cs, s :: ss, t :: ts =>
    decide (t * d.elementStride + s < d.box) && decide (c * d.box + (t * d.elementStride + s) < d.size) &&
      valid D cs ss ts
  | _, _, _, _ => true

/-- What a valid item shall hold. -/
def datum (D : Descriptor) (mem : Memory) (c s t : List Nat) : Int :=
  mem (address D (position D (tileStart D c s) t))

-- in the second box of Figure 5, phase 1, the second element is row 4 + 1 + 3 = 8, outside the tensor; in the first
-- box it is row 4, inside the tensor but not in the box
example : valid figure5 [0, 1] [0, 1] [0, 0] = true ∧ valid figure5 [0, 0] [0, 1] [0, 1] = false := by decide

/-! ## Strategies -/

/-- Where the load starts that writes tile `(c,s)` last. -/
abbrev Plan := (c s : List Nat) → List Int

/-- Loads the tile where `issue` says so, and fills it with zeros elsewhere: `if (…) tma(x) else tma(-B)`. (Shared
memory that was cleared before comes to the same.) -/
def planOf (D : Descriptor) (issue : (c s : List Nat) → Bool) : Plan :=
  fun c s => if issue c s then tileStart D c s else fillStart D

/-- Every valid item gets its element, whatever the tensor holds, and whatever shared memory held `before`, where
tiles that are not issued stay as they are. -/
def WeaklyCorrect (D : Descriptor) (issue : (c s : List Nat) → Bool) : Prop :=
  ∀ (mem : Memory) (before : (c s t : List Nat) → Int) (c s t : List Nat),
    InBounds (grid D) c → InBounds (phases D) s → InBounds (tileShape D) t → valid D c s t = true →
    (if issue c s then loadItem D mem (tileStart D c s) t else before c s t) = datum D mem c s t

/-- Every valid item gets its element and every hole gets 0, whatever the tensor holds. -/
def StronglyCorrect (D : Descriptor) (plan : Plan) : Prop :=
  ∀ (mem : Memory) (c s t : List Nat),
    InBounds (grid D) c → InBounds (phases D) s → InBounds (tileShape D) t →
    loadItem D mem (plan c s) t = if valid D c s t then datum D mem c s t else 0

/-- The predicate of level 2: `s < B` in the dimensions where the tile has one element. The box index of a longer
tile depends on the hardware's `t` and is left out; the source does not say so. -/
def issues : Descriptor → (s : List Nat) → Bool
  | d :: D, s :: ss => (decide (2 ≤ d.tile) || decide (s < d.box)) && issues D ss
  | _, _ => true

-- element stride 5 over a box of 4: phase 4 is all holes; with element stride 3 the predicate says nothing
example : (List.range 5).map (fun s => issues [⟨2, 2, 1, 1⟩, ⟨8, 4, 5, 2⟩] [0, s]) = [true, true, true, true, false]
  ∧ issues figure5 [0, 2] = true := by decide

/-- The element stride divides the box in every dimension: the striding split makes no holes. -/
def divides (D : Descriptor) : Bool := D.all fun d => decide (d.box % d.elementStride = 0)

/-- What sizes, boxes and element strides alone decide: 1 where every element stride divides its box, so that the striding
splits make no holes; 3 where strong correctness is impossible; else 2. The source's levels are of schedules: they ask
whether the inputs that create holes are protected. -/
def level (D : Descriptor) : Nat := if violations D = [] then if divides D then 1 else 2 else 3

example : [level figure1, level [⟨8, 4, 5, 1⟩], level figure5] = [1, 2, 3] := by decide

/-- For which phases to issue the load, the others being filled with zeros; `none` where no strategy is strongly
correct. -/
def strategy (D : Descriptor) : Option (List Nat → Bool) := if violations D = [] then some (issues D) else none

end Tma

end Razorgirl
