module

public import Razorgirl.Spec.Swizzle.Layout
public import Razorgirl.Thm.Layout.Recast
public import Razorgirl.Thm.Swizzle

@[expose] public section

/-!
# Swizzled layouts of larger and smaller elements, and offsets that move: what is proved
-/

namespace Razorgirl

namespace Swizzle

/-- Two bits of a number are met under equal conditions. -/
theorem and_testBit_congr {A A' : Prop} [Decidable A] [Decidable A'] {x a a' : Nat} (h : A ↔ A') (e : A → a = a') :
    (decide A && x.testBit a) = (decide A' && x.testBit a') := by
  by_cases p : A
  · simp [p, h.1 p, e p]
  · have p' : ¬ A' := fun q => p (h.2 q)
    simp [p, p']

/-- **Where units of `2^k` stay whole, the unit of an image is the image of the unit, by the swizzle that CuTe answers:
without the bits below k.**
Rust: `razorgirl::Swizzle::keeps_units`
Source: CuTe `upcast` of a swizzle, which answers it for S below 0 as well; `Swizzle<3,0,-3>` takes part 1 of unit 0 of 4 to
unit 2, and part 0 to unit 0 -/
theorem upcastOuter_apply {s : Swizzle} {k : Nat} (h : s.keepsUnits k = true) (x : Nat) :
    s.apply x / 2 ^ k = (s.upcastOuter k).apply (x / 2 ^ k) := by
  obtain ⟨B, M, S⟩ := s
  simp only [keepsUnits, decide_eq_true_eq] at h
  apply Nat.eq_of_testBit_eq; intro i
  by_cases hk : k ≤ M
  · simp only [upcastOuter, if_pos hk, apply_eq, Nat.testBit_div_two_pow, testBit_swz]
    congr 1
    exact and_testBit_congr (by omega) (by omega)
  · simp only [upcastOuter, if_neg hk, apply_eq, Nat.testBit_div_two_pow, testBit_swz]
    congr 1
    exact and_testBit_congr (by omega) (by omega)

/-- **An upward swizzle that leaves a unit breaks it.**
Source: none known -/
theorem upcastOuter_up : apply ⟨3, 0, -3⟩ 1 / 4 ≠ apply ⟨3, 0, -3⟩ 0 / 4 ∧ keepsUnits ⟨3, 0, -3⟩ 2 = false := by
  decide +kernel

end Swizzle

namespace SwizzledLayout

/-- **The offset moves through the swizzle exactly where every offset is the offset before it plus what there is without it.**
Rust: `razorgirl::SwizzledLayout::offset_moves`
Source: none known; cutlass 3160 moves a pointer without asking -/
theorem offsetMoves_iff (R : SwizzledLayout) : R.offsetMoves = true ↔
    ∀ x, x < R.size → R.atIndex x = R.offset + atIndex ⟨R.swizzle, 0, R.layout⟩ x := by
  simp only [offsetMoves, atIndex, List.all_eq_true, List.mem_range, beq_iff_eq, Nat.zero_add]

/-- The offsets are those of the layout inside, moved and swizzled. -/
theorem offsets_eq (R : SwizzledLayout) :
    R.offsets = (FlatLayout.offsets R.layout.modes).map fun y => R.swizzle.apply (R.offset + y) := by
  rw [offsets, FlatLayout.offsets, List.map_map]
  rfl

/-- **The offsets of the parts are the `2^k` parts of every swizzled element, each as often.**
Rust: `razorgirl::SwizzledLayout::downcast`
Source: CuTe `downcast` of a composed layout -/
theorem downcast_offsets {R S : SwizzledLayout} {k : Nat} (hv : R.layout.Valid) (h : R.downcast k = some S) :
    S.offsets.Perm (FlatLayout.partsOf (2 ^ k) R.offsets) := by
  obtain ⟨D, hD, rfl⟩ := Option.map_eq_some_iff.1 h
  obtain ⟨modes, hm, rfl⟩ := Option.map_eq_some_iff.1 hD
  have key := (FlatLayout.downcast_offsets hv.2 hm).map fun y => (R.swizzle.downcast k).apply (2 ^ k * R.offset + y)
  rw [offsets_eq, offsets_eq]
  refine key.trans (.of_eq ?_)
  simp only [FlatLayout.partsOf, List.map_flatMap, List.flatMap_map, List.map_map]
  congr 1
  funext o
  refine List.map_congr_left fun r hr => ?_
  have e : 2 ^ k * R.offset + (2 ^ k * o + r) = 2 ^ k * (R.offset + o) + r := by rw [Nat.mul_add, Nat.add_assoc]
  rw [Function.comp_apply, e, Swizzle.downcast_apply _ _ _ _ (List.mem_range.1 hr)]

/-- **Larger elements are answered exactly where the offset and the swizzle leave them whole and the layout does.**
Rust: `razorgirl::SwizzledLayout::upcast`
Source: CuTe `upcast` of a composed layout, which checks neither -/
theorem upcast_isSome_iff (R : SwizzledLayout) (k : Nat) : (R.upcast k).isSome = true ↔
    2 ^ k ∣ R.offset ∧ R.swizzle.keepsUnits k = true ∧ (R.layout.upcast (2 ^ k)).isSome = true := by
  rw [upcast]
  split
  · rename_i hc
    rw [Option.isSome_map]
    exact ⟨fun h => ⟨Nat.dvd_of_mod_eq_zero hc.1, hc.2, h⟩, fun h => h.2.2⟩
  · rename_i hc
    exact ⟨fun h => by simp at h, fun h => absurd ⟨Nat.mod_eq_zero_of_dvd h.1, h.2.1⟩ hc⟩

/-- **The element of a swizzled offset is the swizzled element: where the layout inside has `2^k` times an element plus a part,
the larger elements have at that element what the offset is divided by `2^k`.**
Rust: `razorgirl::SwizzledLayout::upcast`
Source: CuTe `upcast` of a composed layout -/
theorem upcast_apply {R S : SwizzledLayout} {k : Nat} (h : R.upcast k = some S) {u r : Nat} (hr : r < 2 ^ k) :
    R.swizzle.apply (R.offset + (2 ^ k * u + r)) / 2 ^ k = S.swizzle.apply (S.offset + u) := by
  rw [upcast] at h
  split at h
  · rename_i hc
    obtain ⟨U, _, rfl⟩ := Option.map_eq_some_iff.1 h
    rw [Swizzle.upcastOuter_apply hc.2]
    obtain ⟨q, hq⟩ := Nat.dvd_of_mod_eq_zero hc.1
    have p := Nat.two_pow_pos k
    show (R.swizzle.upcastOuter k).apply _ = (R.swizzle.upcastOuter k).apply (R.offset / 2 ^ k + u)
    rw [hq, Nat.mul_div_cancel_left _ p, ← Nat.add_assoc, ← Nat.mul_add, Nat.mul_add_div p, Nat.div_eq_of_lt hr,
      Nat.add_zero]
  · cases h

end SwizzledLayout

end Razorgirl
