module

public import Razorgirl.Thm.Layout.Basic.Nested
public import Razorgirl.Thm.Layout.Composition.Exact

@[expose] public section

/-!
# Composition: worked examples

The cases that shipping implementations and published theorems get wrong, and those that they refuse needlessly.
`nest [a:b, …]` is a tuple of modes, or a bare mode if there is only one.
-/

namespace Razorgirl

namespace Layout
open HTuple
open FlatLayout (nest)

instance : DecidableEq Layout := fun A B =>
  if h : A.modes = B.modes ∧ A.profile = B.profile then
    isTrue (by cases A; cases B; simp_all)
  else isFalse fun e => h (by rw [e]; exact ⟨rfl, rfl⟩)

/-! ## Carries between modes of B -/

/-- The smallest carry: `(6,2):(1,7) ∘ (3,2):(2,3)`, where 4 + 3 leaves the first mode of A. Every CuTe and
tensor-layouts return `(3,2):(2,3)`. Refused. -/
example : composition (nest [⟨6, 1⟩, ⟨2, 7⟩]) (nest [⟨3, 2⟩, ⟨2, 3⟩]) = none := by decide +kernel
/-- And no layout at all is the composite, though each mode of B has one: the counterexample to composing mode by mode
(Cecka 3.3.2). -/
theorem two_modes_carry : (¬ ∃ R, IsComposite (nest [⟨6, 1⟩, ⟨2, 7⟩]) (nest [⟨3, 2⟩, ⟨2, 3⟩]) R) ∧
    composition (nest [⟨6, 1⟩, ⟨2, 7⟩]) (nest [⟨3, 2⟩]) = some (nest [⟨3, 2⟩]) ∧
    composition (nest [⟨6, 1⟩, ⟨2, 7⟩]) (nest [⟨2, 3⟩]) = some (nest [⟨2, 3⟩]) :=
  ⟨(compositionComplete_eq_none_iff (by decide +kernel)).1 (by decide +kernel), by decide +kernel⟩
/-- Mode by mode gives `(3,2):(2,3)`, which at index 5 is 7; A there is 8. -/
example : FlatLayout.atIndex [⟨3, 2⟩, ⟨2, 3⟩] 5 = 7 ∧
    FlatLayout.atIndex [⟨6, 1⟩, ⟨2, 7⟩] (FlatLayout.atIndex [⟨3, 2⟩, ⟨2, 3⟩] 5) = 8 := by decide +kernel
/-- Shah's Theorem 2.18 is false for three modes: all modes of `(2,2,2):(1,2,3)` are admissible for
`(6,2):(1,7)` and their intervals `[1,1]`, `[2,2]`, `[3,3]` disjoint, but 1 + 2 + 3 carries: A(6) = 7, not 6. -/
example : composition (nest [⟨6, 1⟩, ⟨2, 7⟩]) (nest [⟨2, 1⟩, ⟨2, 2⟩, ⟨2, 3⟩]) = none ∧
    FlatLayout.atIndex [⟨2, 1⟩, ⟨2, 2⟩, ⟨2, 3⟩] 7 = 6 ∧ FlatLayout.atIndex [⟨6, 1⟩, ⟨2, 7⟩] 6 = 7 := by
  decide +kernel
/-- No layout at all is the composite: the counterexample to Shah 2.18. -/
theorem three_modes_carry : ¬ ∃ R, IsComposite (nest [⟨6, 1⟩, ⟨2, 7⟩]) (nest [⟨2, 1⟩, ⟨2, 2⟩, ⟨2, 3⟩]) R :=
  (compositionComplete_eq_none_iff (by decide +kernel)).1 (by decide +kernel)
/-- The same with CuTe's strong divisibility in every mode: every CuTe tried returns `(2,2,3):(2,3,4)`, 13 for 14
at index 11. -/
example : composition (nest [⟨12, 1⟩, ⟨2, 13⟩]) (nest [⟨2, 2⟩, ⟨2, 3⟩, ⟨3, 4⟩]) = none ∧
    compositionComplete (nest [⟨12, 1⟩, ⟨2, 13⟩]) (nest [⟨2, 2⟩, ⟨2, 3⟩, ⟨3, 4⟩]) = none ∧
    strongDivisibility [12, 2] 2 2 = true ∧ strongDivisibility [12, 2] 2 3 = true ∧
    strongDivisibility [12, 2] 3 4 = true ∧
    FlatLayout.atIndex [⟨2, 2⟩, ⟨2, 3⟩, ⟨3, 4⟩] 11 = 13 ∧
    FlatLayout.atIndex [⟨12, 1⟩, ⟨2, 13⟩] 13 = 14 := by decide +kernel
/-- The two leaves `4:8` of `(2,4):(4,8)` and `8:8` carry; every CuTe returns a layout that is wrong from index 10
on. -/
example : compositionComplete (nest [⟨4, 2⟩, ⟨4, 4⟩, ⟨4, 8⟩, ⟨4, 16⟩])
    ⟨[⟨2, 4⟩, ⟨4, 8⟩, ⟨8, 8⟩], .node [.node [.leaf (), .leaf ()], .leaf ()]⟩ = none := by decide +kernel

/-! ## Modes that do not split -/

/-- The weak stride check of CuTe (C++, and the DSL since 4.6) accepts this one and returns `(2,3):(6,3)`. -/
example : composition (nest [⟨4, 2⟩, ⟨6, 3⟩, ⟨8, 5⟩]) (nest [⟨6, 3⟩]) = none ∧
    compositionComplete (nest [⟨4, 2⟩, ⟨6, 3⟩, ⟨8, 5⟩]) (nest [⟨6, 3⟩]) = none := by decide +kernel
/-- And this one, returning `(2,2):(2,1)`. -/
example : composition (nest [⟨3, 1⟩, ⟨3, 1⟩]) (nest [⟨4, 2⟩]) = none ∧
    compositionComplete (nest [⟨3, 1⟩, ⟨3, 1⟩]) (nest [⟨4, 2⟩]) = none := by decide +kernel
/-- B must stay inside A: CuTe lets the last mode grow. -/
example : composition (nest [⟨4, 1⟩]) (nest [⟨5, 1⟩]) = none ∧
    compositionComplete (nest [⟨4, 1⟩]) (nest [⟨5, 1⟩]) = none := by decide +kernel

/-! ## Accepted, with no divisibility test -/

/-- CuTe 4.2.1 and 4.5.3 refuse it. -/
example : composition (nest [⟨4, 2⟩, ⟨6, 3⟩, ⟨8, 5⟩, ⟨10, 7⟩]) (nest [⟨6, 12⟩]) =
    some ⟨[⟨2, 9⟩, ⟨3, 5⟩], .node [.leaf (), .leaf ()]⟩ := by decide +kernel
/-- An apparent violation (Cecka): 3 neither divides nor is divided by 4. -/
example : composition (nest [⟨4, 3⟩, ⟨2, 12⟩, ⟨8, 97⟩]) (nest [⟨3, 3⟩]) = some (nest [⟨3, 9⟩]) := by decide +kernel
/-- Truncation: the walk ends inside a mode of A, and the composite is not tractable. -/
example : composition (nest [⟨6, 21⟩, ⟨3, 7⟩]) (nest [⟨4, 3⟩]) =
    some ⟨[⟨2, 63⟩, ⟨2, 7⟩], .node [.leaf (), .leaf ()]⟩ := by decide +kernel
/-- Two points are always on a line. -/
example : composition (nest [⟨2, 1⟩, ⟨2, 50⟩]) (nest [⟨2, 3⟩]) = some (nest [⟨2, 51⟩]) := by decide +kernel
/-- A is coalesced first, and that matters: `(2,2):(1,2) ∘ 3:1` is `4:1 ∘ 3:1`; with strides that do not merge
there is no composite. -/
example : composition (nest [⟨2, 1⟩, ⟨2, 2⟩]) (nest [⟨3, 1⟩]) = some (nest [⟨3, 1⟩]) ∧
    composition (nest [⟨2, 1⟩, ⟨2, 50⟩]) (nest [⟨3, 1⟩]) = none ∧
    compositionComplete (nest [⟨2, 1⟩, ⟨2, 50⟩]) (nest [⟨3, 1⟩]) = none := by decide +kernel

/-! ## An accident of the strides -/

/-- `(2,2,3):(1,1,3) ∘ 3:3` happens to be `3:2`; for other strides of A there is no composite. -/
example : composition (nest [⟨2, 1⟩, ⟨2, 1⟩, ⟨3, 3⟩]) (nest [⟨3, 3⟩]) = none ∧
    compositionComplete (nest [⟨2, 1⟩, ⟨2, 1⟩, ⟨3, 3⟩]) (nest [⟨3, 3⟩]) = some (nest [⟨3, 2⟩]) ∧
    compositionComplete (nest [⟨2, 1⟩, ⟨2, 1⟩, ⟨3, 4⟩]) (nest [⟨3, 3⟩]) = none := by decide +kernel

/-! ## From the literature -/

/-- The blog's worked example with the A that its text means, and with the one that it prints. -/
example : composition (nest [⟨12, 1⟩, ⟨3, 72⟩, ⟨6, 12⟩]) (nest [⟨6, 6⟩, ⟨6, 1⟩]) =
      some ⟨[⟨2, 6⟩, ⟨3, 72⟩, ⟨6, 1⟩], .node [.node [.leaf (), .leaf ()], .leaf ()]⟩ ∧
    composition (nest [⟨12, 1⟩, ⟨3, 72⟩, ⟨6, 12⟩]) (nest [⟨6, 1⟩, ⟨6, 6⟩]) =
      some ⟨[⟨6, 1⟩, ⟨2, 6⟩, ⟨3, 72⟩], .node [.leaf (), .node [.leaf (), .leaf ()]]⟩ := by decide +kernel
/-- «Categorical Foundations», worked examples of composition. -/
example : composition (nest [⟨10, 2⟩, ⟨360, 60⟩]) (nest [⟨6, 5⟩, ⟨6, 60⟩]) =
      some ⟨[⟨2, 10⟩, ⟨3, 60⟩, ⟨6, 360⟩], .node [.node [.leaf (), .leaf ()], .leaf ()]⟩ ∧
    composition (nest [⟨5, 1⟩, ⟨2, 25⟩, ⟨5, 5⟩, ⟨2, 50⟩]) (nest [⟨2, 5⟩, ⟨2, 50⟩]) =
      some (nest [⟨2, 25⟩, ⟨2, 50⟩]) ∧
    composition (nest [⟨6, 8⟩, ⟨2, 2⟩]) (nest [⟨4, 3⟩, ⟨3, 1⟩]) =
      some ⟨[⟨2, 24⟩, ⟨2, 2⟩, ⟨3, 8⟩], .node [.node [.leaf (), .leaf ()], .leaf ()]⟩ := by decide +kernel
example : composition (nest [⟨9, 24⟩, ⟨8, 3⟩, ⟨3, 1⟩, ⟨8, 384⟩])
    ⟨[⟨3, 3⟩, ⟨2, 9⟩, ⟨2, 18⟩, ⟨24, 72⟩], .node [.node [.leaf (), .node [.leaf (), .leaf ()]], .leaf ()]⟩ =
    some ⟨[⟨3, 72⟩, ⟨2, 3⟩, ⟨2, 6⟩, ⟨3, 1⟩, ⟨8, 384⟩],
      .node [.node [.leaf (), .node [.leaf (), .leaf ()]], .node [.leaf (), .leaf ()]]⟩ := by decide +kernel
/-- The published algorithm needs more than cosize(B) ≤ size(A) and refuses `10:1 ∘ 4:3`. -/
example : composition (nest [⟨10, 1⟩]) (nest [⟨4, 3⟩]) = some (nest [⟨4, 3⟩]) := by decide +kernel
/-- The stride of a mode of extent 1 is lost: the composite of identities on one point is `1:0` (the published
theorem on morphisms needs that, too). -/
example : composition (nest [⟨1, 1⟩]) ⟨[⟨1, 1⟩], .leaf ()⟩ = some ⟨[⟨1, 0⟩], .leaf ()⟩ := by decide +kernel
/-- Hieu's distributivity: `A = (3,2):(1,7)`, `B = 2:1`, `C = 3:2`. There is no `A ∘ C` of the exact size, so
nothing to distribute. -/
theorem nothing_to_distribute : composition (nest [⟨3, 1⟩, ⟨2, 7⟩]) (nest [⟨2, 1⟩]) = some (nest [⟨2, 1⟩]) ∧
    compositionComplete (nest [⟨3, 1⟩, ⟨2, 7⟩]) (nest [⟨3, 2⟩]) = none := by decide +kernel

/-- **The other way round fails: (A ∘ B) ∘ C may exist where A ∘ (B ∘ C) does not.** For C = 6:7, B ∘ C is (2,3):(31,70),
and A has 0, 16, 61 at 0, 70, 140; but (A ∘ B) ∘ C is (3,2):(8,53). Three loops of B are one for C where A ∘ B has two others.
Rust: `razorgirl::Layout::composition`
Source: none; Cecka (arXiv 2603.02298) and Colfax 2.3.7 take associativity as a law -/
theorem assoc_counterexample :
    composition (nest [⟨2, 1⟩, ⟨5, 1000⟩, ⟨3, 2⟩, ⟨3, 7⟩, ⟨2, 50⟩]) (nest [⟨2, 1⟩, ⟨3, 10⟩, ⟨3, 30⟩, ⟨2, 90⟩]) =
        some (nest [⟨2, 1⟩, ⟨3, 2⟩, ⟨3, 7⟩, ⟨2, 50⟩]) ∧
      composition (nest [⟨2, 1⟩, ⟨3, 10⟩, ⟨3, 30⟩, ⟨2, 90⟩]) (nest [⟨6, 7⟩]) = some (nest [⟨2, 31⟩, ⟨3, 70⟩]) ∧
      composition (nest [⟨2, 1⟩, ⟨3, 2⟩, ⟨3, 7⟩, ⟨2, 50⟩]) (nest [⟨6, 7⟩]) = some (nest [⟨3, 8⟩, ⟨2, 53⟩]) ∧
      ¬ ∃ R, IsComposite (nest [⟨2, 1⟩, ⟨5, 1000⟩, ⟨3, 2⟩, ⟨3, 7⟩, ⟨2, 50⟩]) (nest [⟨2, 31⟩, ⟨3, 70⟩]) R :=
  ⟨by decide +kernel, by decide +kernel, by decide +kernel,
    (compositionComplete_eq_none_iff (by decide +kernel)).1 (by decide +kernel)⟩

end Layout

end Razorgirl
