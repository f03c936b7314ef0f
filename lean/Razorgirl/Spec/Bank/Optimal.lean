module

public import Razorgirl.Spec.Bank

@[expose] public section

/-!
# A layout of shared memory without conflicts for two patterns of access

Two patterns access elements of F2^d, each with its lanes, and with vectors that are nested. The layout has the vector in
the lowest bits, completes the banks by the second pattern, and fills the rest with a common complement of both
patterns: vectors outside of both, one after another. Such a vector always exists while both patterns span less than
everything: a unit vector outside the first, another outside the second, or their exclusive or.

Columns stand highest first.
Source: «Linear Layouts» (arXiv 2505.23819), optimal swizzling; Triton `optimalSwizzlingLdSt` (repaired: spans are
compared, not lists of vectors).
-/

namespace Razorgirl

namespace Bank

open F2

/-- The highest unit vector below `2^d` of which these rows leave something. -/
def missingFrom (rows : List (Nat × Nat)) : (d : Nat) → Option Nat
  | 0 => none
  | d + 1 => if (reduce rows (2 ^ d)).1 = 0 then missingFrom rows d else some (2 ^ d)

/-- The highest unit vector below `2^d` outside the span. -/
def missing (cols : List Nat) (d : Nat) : Option Nat := missingFrom (eliminate cols) d

/-- The highest unit vector below `2^d` outside the span of A if that of B lacks it too; else the highest outside that of B
if that of A lacks it; else their exclusive or. A vector outside both spans, where each leaves out some unit vector. -/
def outside (A B : List Nat) (d : Nat) : Nat :=
  let u := (missing A d).getD 0
  let w := (missing B d).getD 0
  if inSpan B u then (if inSpan A w then u ^^^ w else w) else u

/-- `n` vectors that are independent of A, and of B. -/
def complement (d : Nat) : (n : Nat) → (A B : List Nat) → List Nat
  | 0, _, _ => []
  | n + 1, A, B => complement d n (outside A B d :: A) (outside A B d :: B) ++ [outside A B d]

/-- Unit vectors put before the columns until there are as many more as `n`. -/
def extend (d : Nat) : (n : Nat) → (cols : List Nat) → List Nat
  | 0, cols => cols
  | n + 1, cols => extend d n ((missing cols d).getD 0 :: cols)

/-- The columns that are independent, completed to `n`. -/
def completed (d n : Nat) (cols : List Nat) : List Nat :=
  extend d (n - (independent cols).length) (independent cols)

/-- The layout of `2^d` elements: `V` lowest, then what completes the second pattern to `k` bits, then the common
complement. `k` bits of elements make 128 bytes. -/
def optimal (d k : Nat) (V first second : List Nat) : List Nat :=
  let A := completed d (min k d) (first ++ V)
  let B := completed d (min k d) (second ++ V)
  complement d (d - min k d) A B ++ B

/-- The coordinates of a vector in the columns. -/
def coordinates (cols : List Nat) (v : Nat) : Nat := (reduce (eliminate cols) v).2

/-- Vectors without their part in V, the rest of the space being completed from `others`. -/
def awayFrom (d : Nat) (V others vs : List Nat) : List Nat :=
  let rows := eliminate (completed d d (others ++ V))
  vs.map fun v => v ^^^ applyHigh V ((reduce rows v).2 % 2 ^ V.length)

/-- Entries of the first list that the second has. -/
def both (a b : List Nat) : List Nat := a.filter fun c => b.elem c

/-- A list without one copy of each entry of another. -/
def removeAll (V : List Nat) (l : List Nat) : List Nat := V.foldl (fun r v => removeOne v r) l

/-- Vectors that fill the lowest bits up to a word: units, as many as lack. -/
def fillWord (d n : Nat) (V : List Nat) : List Nat := extend d (n - V.length) V

/-- A layout of shared memory for elements of `2^w` bytes that are written in the layout `src` and read in the layout
`dst`: every access of either takes one wavefront a phase. `none` where outputs differ.
Rust: `razorgirl::bank::optimal_swizzle` -/
def optimalSwizzle (src dst : LinearLayout) (w : Nat) : Option LinearLayout :=
  if LinearLayout.fitsNames src.outs dst.outs && LinearLayout.fitsNames dst.outs src.outs then
    let d := src.outs.total
    let over (L : LinearLayout) (i : String) : List Nat := (L.columnsAt i).map fun c => src.outs.pack (L.outs.unpack c)
    let common := distinct (both (over src "register") (over dst "register"))
    let rest (V : List Nat) : List Nat :=
      removeAll V (over src "register") ++ removeAll V (over dst "register") ++ over src "lane" ++ over src "warp"
        ++ over dst "lane" ++ over dst "warp"
    let V := (List.range (4 - w)).foldl (fun V k =>
      let U := common.take (k + 1)
      if rank ((rest U).reverse ++ U.reverse) = rank (rest U).reverse + (k + 1) then U.reverse else V) []
    let word := fillWord d (min d (2 - w)) V
    let phase := 5 - (w + V.length - 2)
    let tile (L : LinearLayout) : List Nat := ((over L "lane").take phase).reverse
    let cols := optimal d (7 - w) word (tile src) (tile dst)
    let moved := cols.take (cols.length - V.length)
    some ⟨[("offset", d), ("block", 0)], src.outs, (awayFrom d V (rest V).reverse moved ++ V).reverse⟩
  else none

-- rows and columns of an 8 x 8 tile of 16-byte units (elements of 16 bytes): unit j of row i goes to i xor j
example : optimal 6 3 [] [4, 2, 1] [32, 16, 8] = [9, 18, 36, 32, 16, 8] := by decide +kernel

end Bank

end Razorgirl
