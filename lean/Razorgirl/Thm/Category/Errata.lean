module

public import Razorgirl.Spec.Category.Tractable
public import Razorgirl.Spec.Layout.Filter

@[expose] public section

/-!
# Errors of the sources

Counterexamples to what «Categorical Foundations» (E) and its blog (K) say, where no theorem of ours stands beside them: E3, E4, E6,
E11, K2, K3 and K5.
-/

namespace Razorgirl

namespace Category

/-- E3: 3.1.2.19 says that `filter` keeps the function. (2,3):(0,1) has 0 at index 1, and its filter 3:1 has 1. -/
theorem filter_counterexample :
    FlatLayout.filter [⟨2, 0⟩, ⟨3, 1⟩] = [⟨3, 1⟩] ∧ FlatLayout.atIndex [⟨2, 0⟩, ⟨3, 1⟩] 1 = 0 ∧ FlatLayout.atIndex [⟨3, 1⟩] 1 = 1 := by
  decide

/-- E4: 2.1.3.29 says that layouts whose values do not decrease are sorted. (3,2):(0,0) and (1,2):(5,1) are not. -/
theorem sorted_counterexample :
    FlatLayout.offsets [⟨3, 0⟩, ⟨2, 0⟩] = [0, 0, 0, 0, 0, 0] ∧ FlatLayout.sort [⟨3, 0⟩, ⟨2, 0⟩] ≠ [⟨3, 0⟩, ⟨2, 0⟩] ∧
      FlatLayout.offsets [⟨1, 5⟩, ⟨2, 1⟩] = [0, 1] ∧ FlatLayout.sort [⟨1, 5⟩, ⟨2, 1⟩] ≠ [⟨1, 5⟩, ⟨2, 1⟩] := by decide

/-- E6: 2.1.8.11 says that a layout is tractable if its filter has a complement. (1,1):(2,3) is not tractable, and its filter, with no
mode, has one. The layout without modes has the same function, so tractability is no property of the function. -/
theorem tractable_filter_counterexample :
    isTractable [⟨1, 2⟩, ⟨1, 3⟩] = false ∧ FlatLayout.filter [⟨1, 2⟩, ⟨1, 3⟩] = [] ∧
      (FlatLayout.complementIn [] 1).isSome = true ∧ FlatLayout.offsets [⟨1, 2⟩, ⟨1, 3⟩] = FlatLayout.offsets [] ∧
      isTractable [] = true := by decide

/-- E11: 2.1.6.34 says that the complements of 2:1 in 4 and in 8 agree below 4. They are 2:2 and 4:2; at 2 the first wraps to 0 and the
second has 4. They agree below 2, the size of the first. -/
theorem complement_restriction_counterexample :
    FlatLayout.complementIn [⟨2, 1⟩] 4 = some [⟨2, 2⟩] ∧ FlatLayout.complementIn [⟨2, 1⟩] 8 = some [⟨4, 2⟩] ∧
      FlatLayout.atIndex [⟨2, 2⟩] 2 = 0 ∧ FlatLayout.atIndex [⟨4, 2⟩] 2 = 4 := by decide

/-- K2: the blog takes the quotient modulo s₁⋯sᵢ. For (2,2,2) at 6 that gives 3 for the second entry, where 1 is right. -/
theorem idx2crd_counterexample : 6 / 2 % (2 * 2) = 3 ∧ idx2crd [2, 2, 2] 6 = [0, 1, 1] := by decide

/-- K3: the blog calls a layout compact if it is injective. Then 2:2 and 2:8 would be complements: (2,2):(2,8) is injective, and does
not reach 1. -/
theorem compact_counterexample :
    FlatLayout.offsets [⟨2, 2⟩, ⟨2, 8⟩] = [0, 2, 8, 10] ∧ (FlatLayout.offsets [⟨2, 2⟩, ⟨2, 8⟩]).contains 1 = false := by decide

/-- K5: the blog's example is (12,3,6):(1,72,12) after (6,6):(1,6), which is (6,(2,3)):(1,(6,72)). The answer that it shows is that after
(6,6):(6,1): the modes change places. -/
theorem composition_order_counterexample :
    FlatLayout.offsets [⟨6, 1⟩, ⟨2, 6⟩, ⟨3, 72⟩]
        = (FlatLayout.offsets [⟨6, 1⟩, ⟨6, 6⟩]).map (FlatLayout.atIndex [⟨12, 1⟩, ⟨3, 72⟩, ⟨6, 12⟩]) ∧
      FlatLayout.offsets [⟨2, 6⟩, ⟨3, 72⟩, ⟨6, 1⟩]
        = (FlatLayout.offsets [⟨6, 6⟩, ⟨6, 1⟩]).map (FlatLayout.atIndex [⟨12, 1⟩, ⟨3, 72⟩, ⟨6, 12⟩]) := by decide

end Category

end Razorgirl
