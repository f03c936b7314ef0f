module

public import Razorgirl.Spec.Relation.Swizzle.Bits
public import Razorgirl.Thm.Relation.Linear.Bits
public import Razorgirl.Thm.Relation.Swizzle

@[expose] public section

/-!
# Swizzles as relations of bits: what is proved

The bits of a swizzled number are what the paper's relation of bits says, for every B, M and S.
-/

namespace Razorgirl

namespace Swizzle

theorem getD_bits {k x : Nat} (hx : x < 2 ^ k) (i : Nat) :
    ((idx2crd (List.replicate k 2) x).map fun (c : Nat) => (c : Int)).getD i 0 = ((x.testBit i).toNat : Int) := by
  rw [LinearLayout.idx2crd_twos, List.map_map, List.getD_eq_getElem?_getD, List.getElem?_map]
  by_cases h : i < k
  · rw [List.getElem?_range h]
    simp only [Option.map_some, Option.getD_some, Function.comp_def, Nat.toNat_testBit]
  · rw [List.getElem?_eq_none (by rw [List.length_range]; omega),
      Nat.testBit_lt_two_pow (Nat.lt_of_lt_of_le hx (Nat.pow_le_pow_right Nat.two_pos (by omega)))]
    rfl

theorem bit_apply {s : Swizzle} {k x : Nat} (hx : x < 2 ^ k) (j : Nat) :
    ((s.apply x / 2 ^ j % 2 : Nat) : Int) =
      bitAfter s ((idx2crd (List.replicate k 2) x).map fun (c : Nat) => (c : Int)) j := by
  obtain ⟨B, M, S⟩ := s
  rw [← Nat.toNat_testBit, apply_eq, testBit_swz, bitAfter, getD_bits hx, getD_bits hx]
  by_cases h : M + (-S).toNat ≤ j ∧ j < M + (-S).toNat + B
  · rw [if_pos h, decide_eq_true h, Bool.true_and]
    cases x.testBit j <;> cases x.testBit (M + S.toNat + (j - (M + (-S).toNat))) <;> rfl
  · rw [if_neg h, decide_eq_false h, Bool.false_and, Bool.xor_false]

/-- **The pairs of bits are those of every bit string, and of the string in which each changed bit has the read bit added, modulo 2.**
Rust: `razorgirl::Swizzle::apply`
Source: «Modeling Layout Abstractions Using Integer Set Relations», swizzles -/
theorem mem_bitRelation {s : Swizzle} {k : Nat} {a b : List Int} : (a, b) ∈ bitRelation s k ↔
    (a.length = k ∧ ∀ v ∈ a, v = 0 ∨ v = 1) ∧ b = (List.range k).map (bitAfter s a) := by
  have image : ∀ x, x < 2 ^ k → (idx2crd (List.replicate k 2) (s.apply x)).map (fun (c : Nat) => (c : Int)) =
      (List.range k).map (bitAfter s ((idx2crd (List.replicate k 2) x).map fun (c : Nat) => (c : Int))) := fun x hx => by
    rw [LinearLayout.idx2crd_twos, List.map_map]
    exact List.map_congr_left fun j _ => bit_apply hx j
  rw [bitRelation, Relation.mem_between, LinearLayout.prod_twos, LinearLayout.bits_iff]
  constructor
  · rintro ⟨x, hx, rfl, rfl⟩
    exact ⟨⟨x, hx, rfl⟩, image x hx⟩
  · rintro ⟨⟨x, hx, rfl⟩, rfl⟩
    exact ⟨x, hx, rfl, (image x hx).symm⟩

/-- **Where the swizzle reads and changes bits below k, the relation of bits is that of numbers, between numbers and their bits.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», swizzles -/
theorem bitRelation_eq_after {s : Swizzle} {k : Nat} (h : s.bits + s.base + s.shift.natAbs ≤ k) :
    Relation.Same (bitRelation s k) (Relation.after (coordRelation (List.replicate k 2))
      (Relation.after (relation s k) (Relation.inverse (coordRelation (List.replicate k 2))))) := by
  rw [relation, ← LinearLayout.prod_twos k]
  exact Relation.between_eq_after fun x hx => by
    rw [LinearLayout.prod_twos] at hx ⊢
    exact apply_lt_two_pow h hx

end Swizzle

end Razorgirl
