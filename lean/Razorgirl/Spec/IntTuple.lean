module

@[expose] public section

/-!
# Nested tuples

Shapes, strides, coordinates and layouts are all nested tuples: a tree whose leaves carry the values and
whose inner nodes carry nothing. CuTe calls them `IntTuple`, Cecka (arXiv 2603.02298) `HTuple(T)`, and
«Categorical Foundations for CuTe Layouts» nested tuples (2.2). Everything below is a function of the
flattened values, of the nesting (the *profile*), or of both.
-/

namespace Razorgirl

/-- A nested tuple with values in `α` at its leaves. `leaf a` has depth 0, `node []` is `()`.
Rust: `razorgirl::HTuple` -/
inductive HTuple (α : Type) where
  /-- a value: CuTe's bare integer -/
  | leaf (a : α)
  /-- a tuple of nested tuples, its modes -/
  | node (ts : List (HTuple α))
deriving Inhabited

/-- A nested tuple of natural numbers: a shape, a stride, a bounded coordinate.
Rust: `razorgirl::IntTuple` -/
abbrev IntTuple := HTuple Nat

/-- The nesting of a tuple, without its values.
Rust: `razorgirl::Profile` -/
abbrev Profile := HTuple Unit

namespace HTuple

mutual
/-- The leaves in order: `flatten ((4,2),8) = [4,2,8]`. CuTe `flatten_to_tuple`.
Rust: `razorgirl::HTuple::flatten` -/
def flatten {α : Type} : HTuple α → List α
  | leaf a => [a]
  | node ts => flattenList ts
/-- The leaves of several tuples in order. -/
def flattenList {α : Type} : List (HTuple α) → List α
  | [] => []
  | t :: ts => flatten t ++ flattenList ts
end

mutual
/-- The number of leaves: `length ((4,2),8) = 3`.
Rust: `razorgirl::Profile::leaf_count` -/
def length {α : Type} : HTuple α → Nat
  | leaf _ => 1
  | node ts => lengthList ts
/-- The number of leaves of several tuples. -/
def lengthList {α : Type} : List (HTuple α) → Nat
  | [] => 0
  | t :: ts => length t + lengthList ts
end

/-- The number of top-level modes: `rank ((4,2),8) = 2`, and 1 for a leaf. CuTe `rank`.
Rust: `razorgirl::HTuple::rank` -/
def rank {α : Type} : HTuple α → Nat
  | leaf _ => 1
  | node ts => ts.length

/-- The top-level modes; a leaf is its own only mode.
Rust: `razorgirl::HTuple::modes` -/
def children {α : Type} : HTuple α → List (HTuple α)
  | leaf a => [leaf a]
  | node ts => ts

mutual
/-- 0 for a leaf, else one more than the deepest mode: `depth ((4,2),8) = 2`, `depth () = 1`. CuTe `depth`.
Rust: `razorgirl::HTuple::depth` -/
def depth {α : Type} : HTuple α → Nat
  | leaf _ => 0
  | node ts => 1 + depthList ts
/-- The depth of the deepest of several tuples, 0 if there is none. -/
def depthList {α : Type} : List (HTuple α) → Nat
  | [] => 0
  | t :: ts => max (depth t) (depthList ts)
end

mutual
/-- The same nesting with `f` applied to every value.
Rust: `razorgirl::HTuple::map` -/
def map {α β : Type} (f : α → β) : HTuple α → HTuple β
  | leaf a => leaf (f a)
  | node ts => node (mapList f ts)
/-- `map` over several tuples. -/
def mapList {α β : Type} (f : α → β) : List (HTuple α) → List (HTuple β)
  | [] => []
  | t :: ts => map f t :: mapList f ts
end

/-- The nesting alone: `profile ((4,2),8) = ((*,*),*)`.
Rust: `razorgirl::HTuple::profile` -/
def profile {α : Type} (t : HTuple α) : Profile := map (fun _ => ()) t

mutual
/-- Puts the values of a list into a profile from left to right and returns what is left of the list;
`d` stands where values run out. -/
def fill {α : Type} (d : α) : Profile → List α → HTuple α × List α
  | leaf _, [] => (leaf d, [])
  | leaf _, x :: xs => (leaf x, xs)
  | node ps, xs => (node (fillList d ps xs).1, (fillList d ps xs).2)
/-- `fill` for several profiles in turn. -/
def fillList {α : Type} (d : α) : List Profile → List α → List (HTuple α) × List α
  | [], xs => ([], xs)
  | p :: ps, xs =>
    ((fill d p xs).1 :: (fillList d ps (fill d p xs).2).1, (fillList d ps (fill d p xs).2).2)
end

/-- The tuple with this profile and these values: `unflatten d ((*,*),*) [4,2,8] = ((4,2),8)`.
`d` matters only when the list is too short. CuTe `unflatten`.
Rust: `razorgirl::HTuple::nested` -/
def unflatten {α : Type} (d : α) (p : Profile) (xs : List α) : HTuple α := (fill d p xs).1

mutual
/-- Same nesting. CuTe `congruent`.
Rust: `razorgirl::HTuple::congruent` -/
def congruent {α β : Type} : HTuple α → HTuple β → Bool
  | leaf _, leaf _ => true
  | node as, node bs => congruentList as bs
  | _, _ => false
/-- Same length, and congruent in pairs. -/
def congruentList {α β : Type} : List (HTuple α) → List (HTuple β) → Bool
  | [], [] => true
  | a :: as, b :: bs => congruent a b && congruentList as bs
  | _, _ => false
end

mutual
/-- `a` is a coarsening of the nesting of `b`: a leaf coarsens everything. CuTe `weakly_congruent`.
Rust: `razorgirl::Profile::weakly_congruent` -/
def weaklyCongruent {α β : Type} : HTuple α → HTuple β → Bool
  | leaf _, _ => true
  | node as, node bs => weaklyCongruentList as bs
  | node _, leaf _ => false
/-- Same length, and weakly congruent in pairs. -/
def weaklyCongruentList {α β : Type} : List (HTuple α) → List (HTuple β) → Bool
  | [], [] => true
  | a :: as, b :: bs => weaklyCongruent a b && weaklyCongruentList as bs
  | _, _ => false
end

end HTuple

open HTuple

namespace IntTuple

mutual
/-- The product of all leaves: `size ((4,2),8) = 64`, `size () = 1`. CuTe `size`, `product`.
Rust: `razorgirl::Shape::size` -/
def size : IntTuple → Nat
  | .leaf n => n
  | .node ts => sizeList ts
/-- The product of the sizes of several tuples. -/
def sizeList : List IntTuple → Nat
  | [] => 1
  | t :: ts => size t * sizeList ts
end

mutual
/-- Every coordinate of `coarse` is a coordinate of `fine`: where `coarse` has a leaf, `fine` has that size.
`compatible 24 (4,6)` and `compatible 24 (24)` hold, `compatible (24) 24` does not. CuTe `compatible`.
Rust: `razorgirl::Shape::compatible` -/
def compatible : (coarse fine : IntTuple) → Bool
  | .leaf n, t => n == size t
  | .node as, .node bs => compatibleList as bs
  | .node _, .leaf _ => false
/-- Same length, and compatible in pairs. -/
def compatibleList : List IntTuple → List IntTuple → Bool
  | [], [] => true
  | a :: as, b :: bs => compatible a b && compatibleList as bs
  | _, _ => false
end

/-- `fine` refines `coarse` («Categorical Foundations» 2.2.2): the same relation as `compatible`.
Rust: `razorgirl::Shape::refines` -/
def refines (fine coarse : IntTuple) : Bool := compatible coarse fine

mutual
/-- Every extent is at least 1. -/
def Positive : IntTuple → Prop
  | .leaf n => 0 < n
  | .node ts => PositiveList ts
/-- Every extent of several shapes is at least 1. -/
def PositiveList : List IntTuple → Prop
  | [] => True
  | t :: ts => Positive t ∧ PositiveList ts
end

end IntTuple

end Razorgirl
