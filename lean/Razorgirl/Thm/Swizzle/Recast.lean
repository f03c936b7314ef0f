module

public import Razorgirl.Data.List
public import Razorgirl.Data.Perm
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

/-- Below M nothing changes. -/
theorem testBit_apply_below {B M : Nat} {S : Int} {i : Nat} (h : i < M) (x : Nat) :
    (apply ⟨B, M, S⟩ x).testBit i = x.testBit i := by
  rw [apply_eq, testBit_swz]
  simp only [show ¬ (M + (-S).toNat ≤ i ∧ i < M + (-S).toNat + B) by omega, decide_false, Bool.false_and, Bool.xor_false]

/-- **Units of `2^k` are kept exactly where the parts of each go to different parts of one unit.**
Rust: `razorgirl::Swizzle::keeps_units`
Source: none known -/
theorem keepsUnits_iff (s : Swizzle) (k : Nat) : s.keepsUnits k = true ↔
    ∀ x y, x / 2 ^ k = y / 2 ^ k → s.apply x / 2 ^ k = s.apply y / 2 ^ k ∧ (s.apply x = s.apply y → x = y) := by
  constructor
  · intro h x y e
    refine ⟨by rw [upcastOuter_apply h, upcastOuter_apply h, e], fun he => ?_⟩
    obtain ⟨B, M, S⟩ := s
    by_cases hb : S ≠ 0 ∨ B = 0
    · exact ((bijective_iff B M S).2 hb).1 x y he
    · simp only [keepsUnits, decide_eq_true_eq] at h
      have hk : k ≤ M := by omega
      apply Nat.eq_of_testBit_eq; intro i
      by_cases hi : i < k
      · rw [← testBit_apply_below (B := B) (S := S) (Nat.lt_of_lt_of_le hi hk) x, he, testBit_apply_below (by omega)]
      · have := congrArg (Nat.testBit · (i - k)) e
        simpa only [Nat.testBit_div_two_pow, Nat.sub_add_cancel (Nat.le_of_not_lt hi)] using this
  · intro h
    apply Classical.byContradiction; intro hn
    obtain ⟨B, M, S⟩ := s
    simp only [keepsUnits, decide_eq_true_eq, not_or, not_and] at hn
    obtain ⟨hB, hk, hS, hup⟩ := hn
    have zero := (apply_linear B M S).zero
    by_cases h0 : S = 0
    · subst h0
      have image : apply ⟨B, M, 0⟩ (2 ^ M) = 0 := by
        rw [apply_eq]; apply Nat.eq_of_testBit_eq; intro i
        simp only [testBit_swz, Nat.testBit_two_pow, Nat.zero_testBit]
        by_cases q : M = i
        · subst q; simp [Nat.pos_of_ne_zero hB]
        · simp [q]; omega
      have unit : 2 ^ M / 2 ^ k = 0 / 2 ^ k := by
        rw [Nat.zero_div, Nat.div_eq_of_lt (Nat.pow_lt_pow_right (by omega) (by omega))]
      have := (h (2 ^ M) 0 unit).2 (image.trans zero.symm)
      have := Nat.two_pow_pos M
      omega
    · have hup := hup (by omega)
      -- the highest bit that is read below k is put at k or above
      obtain ⟨j, hj, hjk, hjs⟩ : ∃ j, j < B ∧ M + j < k ∧ k ≤ M + S.natAbs + j :=
        ⟨min (B - 1) (k - 1 - M), by omega, by omega, by omega⟩
      have unit : 2 ^ (M + j) / 2 ^ k = 0 / 2 ^ k := by
        rw [Nat.zero_div, Nat.div_eq_of_lt (Nat.pow_lt_pow_right (by omega) hjk)]
      have := (h (2 ^ (M + j)) 0 unit).1
      rw [zero, Nat.zero_div] at this
      have bit := congrArg (Nat.testBit · (M + S.natAbs + j - k)) this
      simp only [Nat.testBit_div_two_pow, Nat.sub_add_cancel hjs, Nat.zero_testBit, apply_eq, testBit_swz,
        Nat.testBit_two_pow] at bit
      rw [show M + S.toNat + (M + S.natAbs + j - (M + (-S).toNat)) = M + j by omega] at bit
      simp [show M + (-S).toNat ≤ M + S.natAbs + j by omega,
        show M + S.natAbs + j < M + (-S).toNat + B by omega] at bit
      exact h0 bit

/-- Where units stay whole, the parts of one are in another, all of them. -/
theorem apply_unit {s : Swizzle} {k : Nat} (h : s.keepsUnits k = true) (u : Nat) :
    ((List.range (2 ^ k)).map fun r => s.apply (2 ^ k * u + r)).Perm
      ((List.range (2 ^ k)).map fun r => 2 ^ k * (s.upcastOuter k).apply u + r) := by
  have p := Nat.two_pow_pos k
  have unit : ∀ r, r < 2 ^ k → (2 ^ k * u + r) / 2 ^ k = u := fun r hr => by
    rw [Nat.mul_add_div p, Nat.div_eq_of_lt hr, Nat.add_zero]
  have nodup : ((List.range (2 ^ k)).map fun r => s.apply (2 ^ k * u + r)).Nodup := by
    refine (nodup_map_iff _ _ List.nodup_range).2 fun a ha b hb e => ?_
    rw [List.mem_range] at ha hb
    have := ((keepsUnits_iff s k).1 h _ _ ((unit a ha).trans (unit b hb).symm)).2 e
    omega
  have nodup' : ((List.range (2 ^ k)).map fun r => 2 ^ k * (s.upcastOuter k).apply u + r).Nodup :=
    (nodup_map_iff _ _ List.nodup_range).2 fun a _ b _ e => by omega
  have sub : ∀ y ∈ (List.range (2 ^ k)).map fun r => s.apply (2 ^ k * u + r),
      y ∈ (List.range (2 ^ k)).map fun r => 2 ^ k * (s.upcastOuter k).apply u + r := by
    intro y hy
    obtain ⟨r, hr, rfl⟩ := List.mem_map.1 hy
    have e := upcastOuter_apply h (2 ^ k * u + r)
    rw [unit r (List.mem_range.1 hr)] at e
    refine List.mem_map.2 ⟨s.apply (2 ^ k * u + r) % 2 ^ k, List.mem_range.2 (Nat.mod_lt _ p), ?_⟩
    rw [← e, Nat.div_add_mod]
  exact perm_of_nodup nodup nodup' fun y => ⟨sub y, subset_of_nodup_of_length_le nodup sub (by simp) y⟩

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

theorem flatMap_perm {f g : Nat → List Nat} (l : List Nat) (h : ∀ a, (f a).Perm (g a)) :
    (l.flatMap f).Perm (l.flatMap g) := by
  induction l with
  | nil => exact .refl _
  | cons a l ih =>
    rw [List.flatMap_cons, List.flatMap_cons]
    exact (h a).append ih

/-- **The parts of the larger elements are the offsets, each as often.**
Rust: `razorgirl::SwizzledLayout::upcast`
Source: CuTe `upcast` of a composed layout, which answers for swizzles that break units as well -/
theorem upcast_offsets {R S : SwizzledLayout} {k : Nat} (hv : R.layout.Valid) (h : R.upcast k = some S) :
    (FlatLayout.partsOf (2 ^ k) S.offsets).Perm R.offsets := by
  rw [upcast] at h
  split at h
  · rename_i hc
    obtain ⟨U, hU, rfl⟩ := Option.map_eq_some_iff.1 h
    obtain ⟨modes, hm, rfl⟩ := Option.map_eq_some_iff.1 hU
    obtain ⟨q, hq⟩ := Nat.dvd_of_mod_eq_zero hc.1
    have key := (FlatLayout.upcast_offsets hv.2 hm).map fun y => R.swizzle.apply (R.offset + y)
    rw [offsets_eq, offsets_eq]
    refine .trans ?_ key
    simp only [FlatLayout.partsOf, List.map_flatMap, List.flatMap_map, List.map_map]
    refine flatMap_perm _ fun o => ?_
    have e : ∀ r, 2 ^ k * q + (2 ^ k * o + r) = 2 ^ k * (q + o) + r := fun r => by
      rw [Nat.mul_add, Nat.add_assoc]
    have unit := (Swizzle.apply_unit hc.2 (q + o)).symm
    simpa only [Function.comp_def, e, hq, Nat.mul_div_cancel_left _ (Nat.two_pow_pos k)] using unit
  · cases h

/-- **Parts are answered exactly where the layout inside has them.**
Rust: `razorgirl::SwizzledLayout::downcast`
Source: CuTe `downcast` of a composed layout -/
theorem downcast_isSome (R : SwizzledLayout) (k : Nat) :
    (R.downcast k).isSome = (R.layout.downcast (2 ^ k)).isSome := by
  rw [downcast, Option.isSome_map]

/-- **To elements `2^k` times as large, a recast is `upcast`.**
Rust: `razorgirl::SwizzledLayout::recast`
Source: CuTe `recast_layout` -/
theorem recast_up {old : Nat} (ho : 0 < old) (k : Nat) (R : SwizzledLayout) :
    R.recast old (old * 2 ^ k) = R.upcast k := by
  have e : old * 2 ^ k / old = 2 ^ k := Nat.mul_div_cancel_left _ ho
  simp only [recast, e, Nat.log2_two_pow, ho, and_self, if_true]

/-- **To elements of which `2^k` make one, a recast is `downcast`.**
Rust: `razorgirl::SwizzledLayout::recast`
Source: CuTe `recast_layout` -/
theorem recast_down {new k : Nat} (hn : 0 < new) (hk : 0 < k) (R : SwizzledLayout) :
    R.recast (new * 2 ^ k) new = R.downcast k := by
  have e : new * 2 ^ k / new = 2 ^ k := Nat.mul_div_cancel_left _ hn
  have two : 1 < 2 ^ k := Nat.one_lt_two_pow (by omega)
  have less : new < new * 2 ^ k := (Nat.lt_mul_iff_one_lt_right hn).2 two
  have no : ¬ (0 < new * 2 ^ k ∧ new = new * 2 ^ k * 2 ^ (new / (new * 2 ^ k)).log2) := fun h => by
    have := Nat.le_mul_of_pos_right (new * 2 ^ k) (Nat.two_pow_pos (new / (new * 2 ^ k)).log2)
    omega
  simp only [recast, if_neg no, e, Nat.log2_two_pow, hn, and_self, if_true]

/-- **Of sizes that are no power of two apart, a recast answers nothing.**
Rust: `razorgirl::SwizzledLayout::recast`
Source: none known: what is exclusive-ored is bits -/
theorem recast_none {old new : Nat} (h : ∀ k, new ≠ old * 2 ^ k ∧ old ≠ new * 2 ^ k) (R : SwizzledLayout) :
    R.recast old new = none := by
  rw [recast, if_neg fun c => (h _).1 c.2, if_neg fun c => (h _).2 c.2]

/-- **A recast swizzled layout reaches the bits of the swizzled layout, each as often.**
Rust: `razorgirl::SwizzledLayout::recast`
Source: CuTe `recast_layout`; cutlass 2634 asks for it -/
theorem recast_bits {old new : Nat} {R S : SwizzledLayout} (hv : R.layout.Valid) (h : R.recast old new = some S) :
    (FlatLayout.partsOf new S.offsets).Perm (FlatLayout.partsOf old R.offsets) := by
  rw [recast] at h
  split at h
  · rename_i hc
    have := FlatLayout.Aux.partsOf_perm (n := old) (upcast_offsets hv h)
    rwa [FlatLayout.Aux.partsOf_partsOf, Nat.mul_comm, ← hc.2] at this
  · split at h
    · rename_i hc
      have := FlatLayout.Aux.partsOf_perm (n := new) (downcast_offsets hv h)
      rwa [FlatLayout.Aux.partsOf_partsOf, Nat.mul_comm, ← hc.2] at this
    · cases h

end SwizzledLayout

end Razorgirl
