module

public import Razorgirl.Spec.Int.Ceil
public import Razorgirl.Spec.Layout.Find

@[expose] public section

/-!
# Composition

`A ∘ B` sends a coordinate `c` of B to `A(B(c))`; A is the outer layout, as in CuTe's `composition(A, B)`.
Often no layout does that, and often one does only for particular strides of A. Three things are defined:

- `IsComposite A B R`: what a composite is («Categorical Foundations» 2.3.7.1);
- `compositionComplete`: the composite if there is one, by enumeration: one `findLayout` for each mode of B, then a
  check that the modes add up;
- `composition`: the composite that exists whatever the strides of A are, from shapes alone («digit composition»):
  write B's strides in the mixed radix of A's shape, split where a digit wraps, refuse where digits carry.

Every shipping implementation composes B mode by mode and looks at no carry; `(6,2):(1,7) ∘ (3,2):(2,3)` is the
smallest witness that this is wrong.
-/

namespace Razorgirl

/-! ## What a composite is -/

namespace Layout
open HTuple

/-- `r` is coalesced and has the size of the mode `m`. -/
def CoalescedOver (m : Mode) (r : HTuple Mode) : Prop :=
  coalesceTree r = r ∧ FlatLayout.size r.flatten = m.extent

mutual
/-- Where `b` has a mode, `r` has a coalesced layout of that size; the nesting above is the same. -/
def Over : (b r : HTuple Mode) → Prop
  | .leaf m, r => CoalescedOver m r
  | .node bs, .node rs => OverList bs rs
  | .node _, .leaf _ => False
/-- `Over` mode by mode. -/
def OverList : (bs rs : List (HTuple Mode)) → Prop
  | [], [] => True
  | b :: bs, r :: rs => Over b r ∧ OverList bs rs
  | _, _ => False
end

/-- `R` is the composite of `A` after `B`: B stays inside the domain of A, R refines the shape of B by profile
and is coalesced over it, and `R(c) = A(B(c))` everywhere. There is at most one. -/
def IsComposite (A B R : Layout) : Prop :=
  R.Valid ∧ Over B.tree R.tree ∧
    ∀ x, x < B.size →
      FlatLayout.atIndex B.modes x < A.size ∧
        FlatLayout.atIndex R.modes x = FlatLayout.atIndex A.modes (FlatLayout.atIndex B.modes x)

end Layout

/-! ## Digits -/

/-- The digits of `x` in the mixed radix of `M`, the last one unbounded: `digits [6,2] 7 = [1,1]`,
`digits [4] 9 = [9]`. -/
def digits : (M : List Nat) → (x : Nat) → List Nat
  | [], _ => []
  | [_], x => [x]
  | s :: ss, x => x % s :: digits ss (x / s)

/-- The dot product of two lists. -/
def dot : List Nat → List Nat → Nat
  | x :: xs, y :: ys => x * y + dot xs ys
  | _, _ => 0

/-- After how many steps of `g` the first bounded digit wraps: the least `⌈Mᵢ/gᵢ⌉` over `gᵢ > 0` and all but the
last place; `0` if none ever does. -/
def wrapAt : (M g : List Nat) → Nat
  | s :: s' :: ss, x :: xs =>
    if x = 0 then wrapAt (s' :: ss) xs
    else
      if wrapAt (s' :: ss) xs = 0 then Division.ceilDiv s x
      else min (Division.ceilDiv s x) (wrapAt (s' :: ss) xs)
  | _, _ => 0

/-- A mode whose stride is a digit vector of the outer layout. -/
structure DigitMode where
  /-- how many coordinates -/
  extent : Nat
  /-- the stride, as a step in each mode of the outer layout -/
  digits : List Nat
deriving Repr

/-- The modes into which the mode `s:d` of B falls, with their strides as digit vectors of A's shape `M`; `none`
if a digit wraps in the middle of a mode. -/
def splitMode (M : List Nat) (s d : Nat) : Option (List DigitMode) :=
  if s ≤ 1 ∨ d = 0 then some [⟨s, digits M 0⟩]
  else
    if wrapAt M (digits M d) = 0 ∨ s ≤ wrapAt M (digits M d) then some [⟨s, digits M d⟩]
    else if 1 < wrapAt M (digits M d) ∧ s % wrapAt M (digits M d) = 0 then
      (splitMode M (s / wrapAt M (digits M d)) (d * wrapAt M (digits M d))).map
        fun rest => ⟨wrapAt M (digits M d), digits M d⟩ :: rest
    else none
termination_by s
decreasing_by exact Nat.div_lt_self (by omega) (by omega)

/-- `splitMode` for all modes of B; one list of modes for each. -/
def splitModes (M : List Nat) : FlatLayout → Option (List (List DigitMode))
  | [] => some []
  | m :: B =>
    match splitMode M m.extent m.stride, splitModes M B with
    | some p, some ps => some (p :: ps)
    | _, _ => none

/-- Adds `k` times one list to another, place by place. -/
def addTimes (k : Nat) : (xs ys : List Nat) → List Nat
  | x :: xs, y :: ys => (k * x + y) :: addTimes k xs ys
  | _, _ => []

/-- The largest value of each digit over all coordinates: `Σ (extent-1)·digits`. -/
def load (M : List Nat) : List DigitMode → List Nat
  | [] => digits M 0
  | p :: ps => addTimes (p.extent - 1) p.digits (load M ps)

/-- Every digit but the last stays below its extent. -/
def below : (M v : List Nat) → Bool
  | s :: s' :: ss, x :: xs => decide (x < s) && below (s' :: ss) xs
  | _, _ => true

/-- All pieces of several modes in a row. -/
def pieces : List (List DigitMode) → List DigitMode
  | [] => []
  | p :: ps => p ++ pieces ps

/-- **Digit composition**: the pieces of each mode of `B` over the outer shape `M`, if every mode splits and no
digit carries. -/
def digitComposition (M : List Nat) (B : FlatLayout) : Option (List (List DigitMode)) :=
  match splitModes M B with
  | some ps => if below M (load M (pieces ps)) then some ps else none
  | none => none

/-! ## From pieces to layouts -/

namespace Layout
open HTuple

/-- Strides for the digit vectors: the dot product with the strides of the outer layout. -/
def ofDigits (strides : List Nat) : List DigitMode → FlatLayout
  | [] => []
  | p :: ps => ⟨p.extent, dot p.digits strides⟩ :: ofDigits strides ps

/-- Coalesces each group of modes and puts it where B had a mode. -/
def assemble (p : Profile) (groups : List FlatLayout) : Layout :=
  ofTree (join (unflatten (.leaf ⟨1, 0⟩) p (groups.map fun g => (FlatLayout.coalesce g).nest.tree)))
where
  /-- A tree of trees as one tree. -/
  join : HTuple (HTuple Mode) → HTuple Mode
    | .leaf t => t
    | .node ts => .node (joinList ts)
  /-- `join` for each of several trees. -/
  joinList : List (HTuple (HTuple Mode)) → List (HTuple Mode)
    | [] => []
    | t :: ts => join t :: joinList ts

/-- The composite that exists for all strides of A's coalesced shape; `none` if B leaves the domain of A, if a
mode of B does not split, or if digits carry. O(rank × modes), no enumeration.
Rust: `razorgirl::Layout::composition` -/
def composition (A B : Layout) : Option Layout :=
  if FlatLayout.cosizeFormula B.modes ≤ A.size then
    match digitComposition (FlatLayout.shape (FlatLayout.coalesce A.modes)) B.modes with
    | some ps =>
      some (assemble B.profile (ps.map (ofDigits (FlatLayout.strides (FlatLayout.coalesce A.modes)))))
    | none => none
  else none

/-- `findLayout` for `A` along each mode of `B` alone. -/
def findModes (A : FlatLayout) : FlatLayout → Option (List FlatLayout)
  | [] => some []
  | m :: B =>
    match findLayout (fun k => FlatLayout.atIndex A (k * m.stride)) m.extent, findModes A B with
    | some g, some gs => some (g :: gs)
    | _, _ => none

/-- `f` and `g` agree below `n`. -/
def agree (f g : Nat → Nat) : (n : Nat) → Bool
  | 0 => true
  | n + 1 => f n == g n && agree f g n

/-- The composite if there is any. Enumerates the coordinates of B.
Rust: `razorgirl::Layout::composition_complete` -/
def compositionComplete (A B : Layout) : Option Layout :=
  if FlatLayout.cosizeFormula B.modes ≤ A.size then
    match findModes A.modes B.modes with
    | some gs =>
      if agree (FlatLayout.atIndex (assemble B.profile gs).modes)
          (fun x => FlatLayout.atIndex A.modes (FlatLayout.atIndex B.modes x)) B.size
      then some (assemble B.profile gs) else none
    | none => none
  else none

end Layout

end Razorgirl
