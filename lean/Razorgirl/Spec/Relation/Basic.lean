module

@[expose] public section

/-!
# Finite relations on integer tuples

What isl calls a map: pairs of a tuple and a tuple, listed. Two lists are the same relation if they hold the same pairs.
-/

namespace Razorgirl

/-- Pairs of tuples.
Rust: `razorgirl::relation::Relation` -/
abbrev Relation := List (List Int × List Int)

namespace Relation

/-- The same pairs, however often and in whatever order they are listed. -/
def Same (r s : Relation) : Prop := ∀ p, p ∈ r ↔ p ∈ s

/-- `g` after `f`: isl's `apply_range`.
Rust: `razorgirl::relation::Relation::after` -/
def after (g f : Relation) : Relation :=
  f.flatMap fun p => (g.filter fun q => q.1 == p.2).map fun q => (p.1, q.2)

/-- The pairs turned round: isl's `reverse`.
Rust: `razorgirl::relation::Relation::inverse` -/
def inverse (r : Relation) : Relation := r.map fun p => (p.2, p.1)

/-- The tuples that have an image.
Rust: `razorgirl::relation::Relation::domain` -/
def domain (r : Relation) : List (List Int) := r.map (·.1)

/-- The images.
Rust: `razorgirl::relation::Relation::range` -/
def range (r : Relation) : List (List Int) := r.map (·.2)

/-- The pairs of either.
Rust: `razorgirl::relation::Relation::union` -/
def union (r s : Relation) : Relation := r ++ s

/-- The pairs of both.
Rust: `razorgirl::relation::Relation::intersection` -/
def inter (r s : Relation) : Relation := r.filter s.contains

/-- The pairs of the first that are not of the second.
Rust: `razorgirl::relation::Relation::difference` -/
def diff (r s : Relation) : Relation := r.filter fun p => !s.contains p

/-- No tuple has two images.
Rust: `razorgirl::relation::Relation::is_functional` -/
def functional (r : Relation) : Bool := r.all fun p => r.all fun q => p.1 != q.1 || p.2 == q.2

/-- No two tuples have one image.
Rust: `razorgirl::relation::Relation::is_injective` -/
def injective (r : Relation) : Bool := r.all fun p => r.all fun q => p.2 != q.2 || p.1 == q.1

/-- A function that takes each value once.
Rust: `razorgirl::relation::Relation::is_bijective` -/
def bijective (r : Relation) : Bool := r.functional && r.injective

/-- Whether two lists hold the same pairs. -/
def same (r s : Relation) : Bool := r.all s.contains && s.all r.contains

/-- A function on the numbers below `n`, as pairs of 1-tuples. -/
def graph (n : Nat) (f : Nat → Nat) : Relation := (List.range n).map fun (x : Nat) => ([(x : Int)], [((f x : Nat) : Int)])

/-- The image of `x`, if it is listed and a natural number; of several the one listed first. -/
def valueAt (r : Relation) (x : Nat) : Option Nat :=
  match r.find? fun p => p.1 == [(x : Int)] with
  | some (_, [v]) => if 0 ≤ v then some v.toNat else none
  | _ => none

/-- How many numbers there are up to the largest that is listed as an input; tuples of another length count nothing. -/
def inputs : Relation → Nat
  | [] => 0
  | ([x], _) :: r => max (x.toNat + 1) (inputs r)
  | _ :: r => inputs r

/-- Lexicographic order, which `<` on lists is, computed. -/
def before : List Int → List Int → Bool
  | [], [] => false
  | [], _ :: _ => true
  | _ :: _, [] => false
  | x :: xs, y :: ys => decide (x < y) || x == y && before xs ys

/-- The pairs of an image and an input that has it, the input being the colexicographically least: of the coordinates of a shape, those of
the least linear index. Of single numbers it is isl's `lexmin` of `reverse`.
Rust: `razorgirl::relation::Relation::least_preimages` -/
def leastPreimages (r : Relation) : Relation :=
  inverse (r.filter fun p => r.all fun q => !(q.2 == p.2 && before q.1.reverse p.1.reverse))

/-- The numbers from 0 up to the largest image that are no image.
Rust: `razorgirl::relation::Relation::gaps` -/
def gaps (r : Relation) : List Nat := (List.range (inputs (inverse r))).filter fun o => !r.any fun p => p.2 == [(o : Int)]

/-- Whether an image of `f` is not in the domain of `g`. There `g` after `f` has no pair; where both are layouts, CuTe lets the last
mode of the outer one grow.
Rust: `razorgirl::relation::Relation::promotes` -/
def promotes (g f : Relation) : Bool := f.any fun p => !g.any fun q => q.1 == p.2

example : leastPreimages [([3], [1]), ([2], [1]), ([5], [0])] = [([1], [2]), ([0], [5])] := by decide
-- (1,0) and (0,1) have the image 4: index 1 and index 2 of (2,2)
example : leastPreimages [([1, 0], [4]), ([0, 1], [4])] = [([4], [1, 0])] := by decide
example : gaps [([0], [3]), ([1], [1])] = [0, 2] := by decide
example : same [([0], [1]), ([0], [1])] [([0], [1])] = true := by decide
example : after [([1], [7]), ([2], [8])] [([0], [2]), ([5], [3])] = [([0], [8])] := by decide
example : injective [([0], [1]), ([2], [1])] = false := by decide

end Relation

end Razorgirl
