module

@[expose] public section

/-!
# Matrices over two elements, by their columns

A vector over F2 is a natural number: bit i is its i-th entry, and exclusive or adds. A matrix is the list of its
columns. Applied to x it is the exclusive or of the columns that the bits of x select: column i is the image of 2^i.

Two orders are in use. JSON and people write column 0 first (`apply`). Recursions take the highest column first
(`applyHigh`): the tail of the list is then the matrix of the earlier columns. One is the other on the reversed list.
Source: «Linear Layouts» (arXiv 2505.23819), section 3.
-/

namespace Razorgirl

namespace F2

/-- `c` where the bit is set, else 0. -/
def sel (b : Bool) (c : Nat) : Nat := if b then c else 0

/-- The exclusive or of the columns that the bits of `x` select, column 0 first. Bits beyond the columns select nothing. -/
def apply : (cols : List Nat) → (x : Nat) → Nat
  | [], _ => 0
  | c :: cs, x => sel (x % 2 == 1) c ^^^ apply cs (x / 2)

/-- The same with the highest column first. -/
def applyHigh : (cols : List Nat) → (x : Nat) → Nat
  | [], _ => 0
  | c :: cs, x => sel (x.testBit cs.length) c ^^^ applyHigh cs x

/-- The columns of `outer` after `inner`: each column of the inner, mapped. -/
def comp (outer inner : List Nat) : List Nat := inner.map (apply outer)

/-- The columns of a function on `n` bits: the images of 1, 2, 4, … -/
def columnsOf (f : Nat → Nat) (n : Nat) : List Nat := (List.range n).map fun i => f (2 ^ i)

/-- A function that respects exclusive or. -/
def Linear (f : Nat → Nat) : Prop := ∀ x y, f (x ^^^ y) = f x ^^^ f y

/-- Some selection of the columns (highest first) gives `v`. -/
def Span (cols : List Nat) (v : Nat) : Prop := ∃ x, applyHigh cols x = v

/-- No two numbers of as many bits as there are columns have the same image. -/
def Injective (cols : List Nat) : Prop :=
  ∀ x y, x < 2 ^ cols.length → y < 2 ^ cols.length → applyHigh cols x = applyHigh cols y → x = y

/-- A function on as many bits, repeated `n` times. -/
def iterate (f : Nat → Nat) : (n : Nat) → (x : Nat) → Nat
  | 0, x => x
  | n + 1, x => f (iterate f n x)

-- 4 x 4, swizzled: bits 2 and 3 are exclusive-ored onto bits 0 and 1
example : (List.range 16).map (apply [1, 2, 5, 10]) = [0, 1, 2, 3, 5, 4, 7, 6, 10, 11, 8, 9, 15, 14, 13, 12] := by
  decide +kernel
example : apply [1, 2, 5, 10] 6 = 7 ∧ applyHigh [10, 5, 2, 1] 6 = 7 := by decide +kernel
example : comp [1, 2, 5, 10] [4, 8] = [5, 10] ∧ columnsOf (fun x => 3 * x) 2 = [3, 6] := by decide +kernel

end F2

end Razorgirl
