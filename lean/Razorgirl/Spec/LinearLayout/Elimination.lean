module

public import Razorgirl.Spec.LinearLayout.Columns

@[expose] public section

/-!
# Elimination over two elements

Columns stand highest first. Elimination goes from the earliest column to the highest and keeps for each what is left
of it after the earlier ones (0 where it depends on them), with the selection of columns that gives what is left. A
vector is reduced in the same way. Nothing is sorted and no pivot is chosen but the highest bit of what is left.

A column that depends on earlier ones is *free*: the solver leaves its coordinate 0. Solutions are therefore the least
numbers that solve.
Source: Triton `LinearLayout.cpp` (`lstsq`, `getFreeVariableMasks`).
-/

namespace Razorgirl

namespace F2

/-- What is left of `v` after the rows, and the selection of columns that was subtracted. -/
def reduce : (rows : List (Nat × Nat)) → (v : Nat) → Nat × Nat
  | [], v => (v, 0)
  | (r, m) :: rows, v =>
    let left := reduce rows v
    if r ≠ 0 ∧ left.1.testBit r.log2 then (left.1 ^^^ r, left.2 ^^^ m) else left

/-- One row for each column: what is left of it after the earlier columns, and the selection that gives this. -/
def eliminate : (cols : List Nat) → List (Nat × Nat)
  | [] => []
  | c :: cs =>
    let rows := eliminate cs
    let left := reduce rows c
    (left.1, left.2 ^^^ 2 ^ cs.length) :: rows

/-- Whether `v` is in the span of the columns. -/
def inSpan (cols : List Nat) (v : Nat) : Bool := (reduce (eliminate cols) v).1 == 0

/-- The least selection of columns that gives `v`. -/
def solve (cols : List Nat) (v : Nat) : Option Nat :=
  let left := reduce (eliminate cols) v
  if left.1 = 0 then some left.2 else none

/-- What is left of `v` after rows other than 0. -/
def leave : (rows : List Nat) → (v : Nat) → Nat
  | [], v => v
  | r :: rows, v =>
    let left := leave rows v
    if left.testBit r.log2 then left ^^^ r else left

/-- What is left of the columns that depend on no earlier ones. -/
def basis : (cols : List Nat) → List Nat
  | [] => []
  | c :: cs =>
    let rows := basis cs
    let left := leave rows c
    if left = 0 then rows else left :: rows

/-- How many columns depend on no earlier ones: the dimension of the span. -/
def rank (cols : List Nat) : Nat := (basis cols).length

/-- No column depends on the earlier ones. -/
def Indep (cs : List Nat) : Prop := rank cs = cs.length

/-- Which columns depend on earlier ones, highest first. -/
def free (cols : List Nat) : List Bool := (eliminate cols).map fun row => row.1 == 0

/-- The coordinates of each unit vector below `2^m` in the columns, column 0 first: applied to what is in the span, the
least preimage. -/
def pseudoInverse (cols : List Nat) (m : Nat) : List Nat :=
  let rows := eliminate cols
  columnsOf (fun v => (reduce rows v).2) m

/-- Whether every column of `B` is in the span of `A`. -/
def spans (A B : List Nat) : Bool :=
  let rows := eliminate A
  B.all fun b => (reduce rows b).1 == 0

/-- The matrix `X` with `A` after `X` equal to `B` that has in each column the least selection. -/
def leastSolutions (A B : List Nat) : Option (List Nat) :=
  let rows := eliminate A
  if spans A B then some (B.map fun b => (reduce rows b).2) else none

/-- The columns that are independent of the earlier ones, highest first. -/
def independent (cols : List Nat) : List Nat :=
  (((eliminate cols).zip cols).filter fun row => row.1.1 != 0).map Prod.snd

/-- All of the span, each value once. -/
def spanValues : (cols : List Nat) → List Nat
  | [] => [0]
  | c :: cs => if inSpan cs c then spanValues cs else spanValues cs ++ (spanValues cs).map (· ^^^ c)

example : rank [10, 5, 2, 1] = 4 ∧ rank [3, 2, 1] = 2 ∧ free [3, 2, 1] = [true, false, false] := by decide +kernel
-- 6 = 3 xor 5: columns 0 and 1
example : solve [6, 5, 3] 6 = some 3 ∧ solve [6, 5, 3] 1 = none := by decide +kernel
example : pseudoInverse [10, 5, 2, 1] 4 = [1, 2, 5, 10] := by decide +kernel
example : leastSolutions [3, 2, 1] [1, 3] = some [1, 3] ∧ leastSolutions [2, 4] [1] = none := by decide +kernel

end F2

end Razorgirl
