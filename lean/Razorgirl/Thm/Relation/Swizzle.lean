module

public import Razorgirl.Spec.Relation.Layout
public import Razorgirl.Spec.Relation.Swizzle
public import Razorgirl.Thm.Relation.Graph
public import Razorgirl.Thm.Swizzle

@[expose] public section

/-!
# Swizzles as relations: what is proved

The paper says that every swizzle is bijective and undoes itself. It does where no bit is read that is changed, |S| ≥ B; else there are
counterexamples to both.
-/

namespace Razorgirl

namespace Swizzle

/-- **A swizzle of the numbers of k bits makes numbers of k bits, if it reads and changes bits below k.**
Source: CuTe `Swizzle<B,M,S>` -/
theorem apply_lt_two_pow {s : Swizzle} {k x : Nat} (h : s.bits + s.base + s.shift.natAbs ≤ k) (hx : x < 2 ^ k) : s.apply x < 2 ^ k := by
  rw [apply]
  split
  · refine Nat.xor_lt_two_pow hx (Nat.lt_of_le_of_lt ?_ hx)
    rw [Nat.shiftRight_eq_div_pow]
    exact Nat.le_trans (Nat.div_le_self _ _) Nat.and_le_left
  · rename_i hs
    refine Nat.xor_lt_two_pow hx ?_
    have e : s.shift.toNat = 0 := by omega
    have hn : (-s.shift).toNat = s.shift.natAbs := by omega
    rw [Nat.shiftLeft_eq, hn]
    have h1 : x &&& s.source ≤ s.source := Nat.and_le_right
    have h2 : s.source < 2 ^ (s.bits + s.base) := by
      rw [source, e, Nat.add_zero, Nat.shiftLeft_eq, Nat.pow_add]
      exact Nat.mul_lt_mul_of_pos_right (Nat.sub_lt (Nat.two_pow_pos _) Nat.one_pos) (Nat.two_pow_pos _)
    calc (x &&& s.source) * 2 ^ s.shift.natAbs < 2 ^ (s.bits + s.base) * 2 ^ s.shift.natAbs :=
          Nat.mul_lt_mul_of_pos_right (Nat.lt_of_le_of_lt h1 h2) (Nat.two_pow_pos _)
      _ = 2 ^ (s.bits + s.base + s.shift.natAbs) := by rw [← Nat.pow_add]
      _ ≤ 2 ^ k := Nat.pow_le_pow_right Nat.two_pos h

/-- **Where |S| ≥ B, a swizzle of the numbers of k bits is a bijection that undoes itself: its relation after itself is the identity.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», swizzle, stated there for all B, M and S (repaired:
`involution_counterexample`) -/
theorem relation_involutive {s : Swizzle} {k : Nat} (h : s.bits + s.base + s.shift.natAbs ≤ k) (hs : s.bits ≤ s.shift.natAbs) :
    Relation.Same (Relation.graph (2 ^ k) id) (Relation.after (relation s k) (relation s k)) ∧
      Relation.bijective (relation s k) = true := by
  have inv : ∀ c, s.apply (s.apply c) = c := (involutive_iff s.bits s.base s.shift).mpr (.inr hs)
  refine ⟨?_, ?_⟩
  · rw [relation, Relation.same_after_graph_iff]
    exact fun x hx => ⟨apply_lt_two_pow h hx, (inv x).symm⟩
  · rw [(Relation.decided _).2.2]
    refine ⟨Relation.functional_graph _ _, ?_⟩
    rw [relation, Relation.injective_graph_iff]
    intro x y _ _ e
    rw [← inv x, e, inv]

/-- Swizzle<1,0,0> takes 0 and 1 to 0, and Swizzle<2,0,1> is a bijection of 8 numbers that does not undo itself: 4 goes to 6, 6 to 5. -/
theorem involution_counterexample :
    Relation.injective (relation ⟨1, 0, 0⟩ 1) = false ∧ Relation.bijective (relation ⟨2, 0, 1⟩ 3) = true ∧
      Relation.same (Relation.graph 8 id) (Relation.after (relation ⟨2, 0, 1⟩ 3) (relation ⟨2, 0, 1⟩ 3)) = false := by
  decide

end Swizzle

/-- **A swizzled layout's relation is that of the swizzle after that of the layout, where the offset is 0 and offsets have k bits.**
Rust: `razorgirl::SwizzledLayout::at`
Source: CuTe `ComposedLayout`; «Modeling Layout Abstractions Using Integer Set Relations», composition with a swizzle -/
theorem SwizzledLayout.relation_eq_after {R : SwizzledLayout} {k : Nat} (h0 : R.offset = 0)
    (h : ∀ x, x < R.size → FlatLayout.atIndex R.layout.modes x < 2 ^ k) :
    Relation.Same R.relation (Relation.after (R.swizzle.relation k) R.layout.relation) := by
  rw [SwizzledLayout.relation, Swizzle.relation, Layout.relation, FlatLayout.relation]
  refine Relation.same_after_graph_iff.mpr fun x hx => ⟨h x hx, ?_⟩
  rw [SwizzledLayout.atIndex, h0, Nat.zero_add]

end Razorgirl
