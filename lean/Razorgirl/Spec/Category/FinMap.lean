module

@[expose] public section

/-!
# Maps of pointed finite sets

A map {∗,1,…,m} → {∗,1,…,n} that sends the basepoint ∗ to itself and no two elements to one, but to the basepoint
(«Categorical Foundations» 3.1.1). Elements are counted from 1, and 0 stands for the basepoint.
-/

namespace Razorgirl

namespace Category

/-- The entry of a list at a place counted from 1; `d` at 0, the basepoint, and beyond the end. -/
def nth (d : Nat) : List Nat → Nat → Nat
  | [], _ => d
  | _ :: _, 0 => d
  | x :: _, 1 => x
  | _ :: xs, i + 2 => nth d xs (i + 1)

/-- No number but 0 stands twice in the list. -/
def once : List Nat → Bool
  | [] => true
  | v :: vs => (v == 0 || !vs.contains v) && once vs

/-- A map of {∗,1,…,m} to {∗,1,…,n}: n, and the value of each of 1,…,m.
Rust: `razorgirl::category::FinMap` -/
structure FinMap where
  /-- n, the number of elements of the codomain without the basepoint -/
  codomain : Nat
  /-- the value of each element of the domain: an element of the codomain, or 0 -/
  values : List Nat
deriving DecidableEq, Repr, Inhabited

namespace FinMap

/-- Every value lies in the codomain, and none but the basepoint is taken twice. -/
def Valid (f : FinMap) : Prop := (∀ v ∈ f.values, v ≤ f.codomain) ∧ once f.values = true

/-- The map that leaves every element where it is.
Rust: `razorgirl::category::FinMap::identity` -/
def identity (n : Nat) : FinMap := ⟨n, (List.range n).map (· + 1)⟩

/-- `g` after `f`.
Rust: `razorgirl::category::FinMap::compose` -/
def comp (f g : FinMap) : Option FinMap :=
  if f.codomain = g.values.length then some ⟨g.codomain, f.values.map (nth 0 g.values)⟩ else none

/-- `f` and `g` side by side, into their codomains side by side.
Rust: `razorgirl::category::FinMap::sum` -/
def sum (f g : FinMap) : FinMap :=
  ⟨f.codomain + g.codomain, f.values ++ g.values.map fun v => if v = 0 then 0 else v + f.codomain⟩

/-- No element but the basepoint is a value of both. -/
def disjoint (f g : FinMap) : Bool := g.values.all fun v => v == 0 || !f.values.contains v

/-- `f` and `g` side by side, into the one codomain of both.
Rust: `razorgirl::category::FinMap::wedge` -/
def wedge (f g : FinMap) : Option FinMap :=
  if f.codomain = g.codomain ∧ f.disjoint g = true then some ⟨f.codomain, f.values ++ g.values⟩ else none

end FinMap

example : FinMap.comp ⟨2, [2, 0, 1]⟩ ⟨4, [4, 1]⟩ = some ⟨4, [1, 0, 4]⟩ := by decide
example : FinMap.wedge ⟨3, [3, 0]⟩ ⟨3, [3]⟩ = none := by decide

end Category

end Razorgirl
