module

public import Razorgirl.Spec.Category.Tuple
public import Razorgirl.Spec.Layout.Sort

@[expose] public section

/-!
# Operations on morphisms of tuples

Sum, restriction, factorization, squeeze, sort, coalesce, concatenation, complement, division and product
(«Categorical Foundations» 3.1.5). Places are counted from 1.
-/

namespace Razorgirl

namespace Category

namespace TupleMorphism

/-- f and g side by side, into their codomains side by side.
Rust: `razorgirl::category::TupleMorphism::sum` -/
def sum (f g : TupleMorphism) : TupleMorphism :=
  ⟨f.domain ++ g.domain, f.codomain ++ g.codomain, (f.fin.sum g.fin).values⟩

/-- Places that increase, the first above `low`, the last at most `high`. -/
def increasing (low high : Nat) : List Nat → Bool
  | [] => true
  | p :: ps => decide (low < p) && decide (p ≤ high) && increasing p high ps

/-- The entries of the domain at some places.
Rust: `razorgirl::category::TupleMorphism::restrict` -/
def restrict (f : TupleMorphism) (places : List Nat) : Option TupleMorphism :=
  if increasing 0 f.domain.length places then
    some ⟨places.map (nth 0 f.domain), f.codomain, places.map (nth 0 f.map)⟩
  else none

/-- Where a number stands in a list, counted from 1; 0 if nowhere. -/
def placeOf (v : Nat) : List Nat → Nat
  | [] => 0
  | x :: xs => if x = v then 1 else if placeOf v xs = 0 then 0 else placeOf v xs + 1

/-- f into the entries of the codomain at some places, which hold every image.
Rust: `razorgirl::category::TupleMorphism::factorize` -/
def factorize (f : TupleMorphism) (places : List Nat) : Option TupleMorphism :=
  if increasing 0 f.codomain.length places && f.map.all fun v => v == 0 || places.contains v then
    some ⟨f.domain, places.map (nth 0 f.codomain), f.map.map fun v => placeOf v places⟩
  else none

/-- f without the entries of 1 in domain and codomain.
Rust: `razorgirl::category::TupleMorphism::squeeze` -/
def squeeze (f : TupleMorphism) : TupleMorphism :=
  let kept := (f.domain.zip f.map).filter fun p => p.1 != 1
  ⟨kept.map (·.1), f.codomain.filter (· != 1), kept.map fun p => ((f.codomain.take p.2).filter (· != 1)).length⟩

/-- The domain in order: what goes to the basepoint by size, then the others by their images.
Rust: `razorgirl::category::TupleMorphism::sort` -/
def sort (f : TupleMorphism) : TupleMorphism :=
  let L := FlatLayout.sort (f.domain.zipWith Mode.mk f.map)
  ⟨L.shape, f.codomain, L.strides⟩

/-- Puts an entry (extent) with its image (stride) in front, as one with the entry behind it where both go to the basepoint or
the image of that one comes next. -/
def mergeFront (m : Mode) : List Mode → List Mode
  | [] => [m]
  | n :: L =>
    if (m.stride = 0 ∧ n.stride = 0) ∨ (m.stride ≠ 0 ∧ n.stride = m.stride + 1) then ⟨m.extent * n.extent, m.stride⟩ :: L
    else m :: n :: L

/-- The images that join the one before them. -/
def joins : List Nat → List Nat
  | [] => []
  | [_] => []
  | v :: w :: α => if v ≠ 0 ∧ w = v + 1 then w :: joins (w :: α) else joins (w :: α)

/-- The codomain from place `p` on, with places that join multiplied into the one before them. -/
def mergeCodomain (joined : List Nat) (p : Nat) : List Nat → List Nat
  | [] => []
  | t :: T =>
    match mergeCodomain joined (p + 1) T with
    | [] => [t]
    | u :: U => if joined.contains (p + 1) then t * u :: U else t :: u :: U

/-- f with neighbours made one that go to the basepoint or to neighbours, and the places `joined` of the codomain joined to
those before them. -/
def merged (f : TupleMorphism) (joined : List Nat) : TupleMorphism :=
  let L := (f.domain.zipWith Mode.mk f.map).foldr mergeFront []
  ⟨L.map (·.extent), mergeCodomain joined 1 f.codomain,
    L.map fun m => m.stride - (joined.filter fun j => decide (j ≤ m.stride)).length⟩

/-- f squeezed, then neighbours made one that go to the basepoint or to neighbours («Categorical Foundations» 3.1.5, with the
squeeze that the blog leaves out, see K6).
Rust: `razorgirl::category::TupleMorphism::coalesce` -/
def coalesce (f : TupleMorphism) : TupleMorphism := f.squeeze.merged (joins f.squeeze.map)

/-- The places of the codomain that are no image. -/
def free (f : TupleMorphism) : List Nat :=
  (FinMap.identity f.codomain.length).values.filter fun j => !f.map.contains j

/-- As `coalesce`, with neighbours of the codomain made one that are no image. The companion package's, not the paper's (T7).
Rust: `razorgirl::category::TupleMorphism::strong_coalesce` -/
def strongCoalesce (f : TupleMorphism) : TupleMorphism :=
  let g := f.squeeze
  g.merged (joins g.map ++ g.free.filter fun j => g.free.contains (j - 1))

/-- f and g side by side, into the one codomain of both; their images are disjoint.
Rust: `razorgirl::category::TupleMorphism::concat` -/
def concat (f g : TupleMorphism) : Option TupleMorphism :=
  if f.codomain = g.codomain ∧ f.fin.disjoint g.fin = true then
    some ⟨f.domain ++ g.domain, f.codomain, f.map ++ g.map⟩
  else none

/-- The entries of the codomain that are no image, in order; nothing may go to the basepoint.
Rust: `razorgirl::category::TupleMorphism::complement` -/
def complement (f : TupleMorphism) : Option TupleMorphism :=
  if f.isComplementable then some ⟨f.free.map (nth 0 f.codomain), f.codomain, f.free⟩ else none

/-- f after g and the complement of g (f ⊘ g). The source leaves out that nothing of g may go to the basepoint (E10).
Rust: `razorgirl::category::TupleMorphism::flat_divide` -/
def flatDivide (f g : TupleMorphism) : Option TupleMorphism :=
  match g.complement with
  | some c =>
    match g.concat c with
    | some h => h.comp f
    | none => none
  | none => none

/-- f, and g into the complement of f (f ⊗ g).
Rust: `razorgirl::category::TupleMorphism::flat_product` -/
def flatProduct (f g : TupleMorphism) : Option TupleMorphism :=
  match f.complement with
  | some c =>
    match g.comp c with
    | some h => f.concat h
    | none => none
  | none => none

example : coalesce ⟨[2, 3, 5, 7], [2, 1, 3], [1, 3, 0, 0]⟩ = ⟨[6, 35], [6], [1, 0]⟩ := by decide
example : strongCoalesce ⟨[4], [2, 3, 4, 5, 6], [3]⟩ = ⟨[4], [6, 4, 30], [2]⟩ := by decide
example : flatDivide ⟨[2, 6], [5, 6, 2], [0, 2]⟩ ⟨[6], [2, 6], [2]⟩ = some ⟨[6, 2], [5, 6, 2], [2, 0]⟩ := by decide
example : flatProduct ⟨[2], [3, 2, 5], [2]⟩ ⟨[5], [3, 5], [2]⟩ = some ⟨[2, 5], [3, 2, 5], [2, 3]⟩ := by decide
example : sort ⟨[2, 7, 3, 5], [5, 2], [2, 0, 0, 1]⟩ = ⟨[3, 7, 5, 2], [5, 2], [0, 0, 1, 2]⟩ := by decide

end TupleMorphism

end Category

end Razorgirl
