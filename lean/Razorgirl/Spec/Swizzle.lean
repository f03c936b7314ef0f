module

public import Razorgirl.Spec.LinearLayout.Columns

@[expose] public section

/-!
# Swizzle<B,M,S>

B bits of a number, taken M + max(S,0) up, are exclusive-ored onto the B bits M + max(-S,0) up: towards lower bits for
S > 0, towards higher ones for S < 0. The swizzle is defined for all B and M and every S; CuTe asks for |S| >= B.

It acts on whatever is counted: elements, bytes or bits. Where a number counts units of `2^k`, the same map of the
smaller things has M + k, and that of larger things M - k; so recasting elements moves M. The swizzles of TMA
(`Tma.swizzleAddress`) are Swizzle<1|2|3,4,3> of byte addresses.
Source: CuTe `Swizzle<B,M,S>` (`swizzle.hpp`), `upcast`, `downcast`.
-/

namespace Razorgirl

/-- CuTe's `Swizzle<B,M,S>`.
Rust: `razorgirl::Swizzle` -/
structure Swizzle where
  /-- how many bits are exclusive-ored -/
  bits : Nat
  /-- how many low bits are left alone -/
  base : Nat
  /-- how far the bits move down; up where it is below 0 -/
  shift : Int
deriving DecidableEq, Repr

namespace Swizzle

/-- The bits that are read: `yyy`. -/
def source (s : Swizzle) : Nat := (2 ^ s.bits - 1) <<< (s.base + s.shift.toNat)

/-- The bits that are changed: `zzz`. -/
def target (s : Swizzle) : Nat := (2 ^ s.bits - 1) <<< (s.base + (-s.shift).toNat)

/-- CuTe's formula: the read bits, moved, exclusive-ored onto the number.
Rust: `razorgirl::Swizzle::apply` -/
def apply (s : Swizzle) (x : Nat) : Nat :=
  if 0 ≤ s.shift then x ^^^ ((x &&& s.source) >>> s.shift.toNat)
  else x ^^^ ((x &&& s.source) <<< (-s.shift).toNat)

/-- `B` bits of a number from bit `from` up, put at bit `to`. -/
def move (B «from» «to» x : Nat) : Nat := ((x >>> «from») % 2 ^ B) <<< «to»

/-- Undoing it repeats it: the `2^B - 1`-th power, which is the inverse wherever there is one. -/
def undo (s : Swizzle) (y : Nat) : Nat := F2.iterate s.apply (2 ^ s.bits - 1) y

/-- What CuTe asks for.
Rust: `razorgirl::Swizzle::is_usual` -/
def isUsual (s : Swizzle) : Bool := decide (s.bits ≤ s.shift.natAbs)

/-- The same map of addresses that count parts: `2^k` parts for each unit. From elements to bytes, for elements of `2^k`
bytes.
Rust: `razorgirl::Swizzle::downcast` -/
def downcast (s : Swizzle) (k : Nat) : Swizzle := ⟨s.bits, s.base + k, s.shift⟩

/-- The same map of addresses that count units of `2^k`, where it leaves the parts inside a unit alone.
Rust: `razorgirl::Swizzle::upcast` -/
def upcast (s : Swizzle) (k : Nat) : Option Swizzle :=
  if k ≤ s.base then some ⟨s.bits, s.base - k, s.shift⟩ else none

/-- The map of the units of `2^k`, whatever it does inside them: with fewer bits where M is below k, as CuTe's `upcast`.
Rust: `razorgirl::Swizzle::upcast_outer` -/
def upcastOuter (s : Swizzle) (k : Nat) : Swizzle :=
  if k ≤ s.base then ⟨s.bits, s.base - k, s.shift⟩ else ⟨s.bits - (k - s.base), 0, s.shift⟩

/-- No two numbers have one image, and every number is one. -/
def Bijective (f : Nat → Nat) : Prop := (∀ x y, f x = f y → x = y) ∧ ∀ y, ∃ x, f x = y

/-- The numbers after which it repeats: adding a multiple commutes with it.
Rust: `razorgirl::Swizzle::period` -/
def period (s : Swizzle) : Nat := if s.bits = 0 then 1 else 2 ^ (s.bits + s.base + s.shift.natAbs)

/-- Whether bit `j`, counted below both shifts, is one of those exclusive-ored. -/
def inMask (B M j : Nat) : Bool := decide (M ≤ j ∧ j < M + B)

/-- The interval of two masks exclusive-ored, as its length and begin, if it is one. -/
def xorInterval (B₁ M₁ B₂ M₂ : Nat) : Option (Nat × Nat) :=
  if B₁ = 0 then some (B₂, M₂)
  else if B₂ = 0 then some (B₁, M₁)
  else if M₁ = M₂ ∧ B₁ = B₂ then some (0, 0)
  else if M₁ = M₂ then some (max B₁ B₂ - min B₁ B₂, M₁ + min B₁ B₂)
  else if M₁ + B₁ = M₂ + B₂ then some (max B₁ B₂ - min B₁ B₂, min M₁ M₂)
  else if M₁ + B₁ = M₂ then some (B₁ + B₂, M₁)
  else if M₂ + B₂ = M₁ then some (B₁ + B₂, M₂)
  else none

/-- The one swizzle that is `outer` after `inner`, both of one shift other than 0, if that is a swizzle of this shift:
the exclusive or of the masks is an interval, and no bit that the inner changes is read by the outer. -/
def compose? (outer inner : Swizzle) : Option Swizzle :=
  if outer.shift = inner.shift ∧ outer.source &&& inner.target = 0 then
    (xorInterval outer.bits outer.base inner.bits inner.base).map fun i => ⟨i.1, i.2, outer.shift⟩
  else none

/-- The columns of the swizzle on numbers of `n` bits. -/
def columns (s : Swizzle) (n : Nat) : List Nat := F2.columnsOf s.apply n

-- Swizzle<3,4,3> of a byte address: unit 5 of unit row 2 is unit 7 there
example : apply ⟨3, 4, 3⟩ (128 * 2 + 16 * 5) = 128 * 2 + 16 * 7 := by decide +kernel
-- towards higher bits
example : (List.range 8).map (apply ⟨1, 0, -2⟩) = [0, 5, 2, 7, 4, 1, 6, 3] := by decide +kernel
-- S = 0 clears bits
example : (List.range 8).map (apply ⟨2, 1, 0⟩) = [0, 1, 0, 1, 0, 1, 0, 1] := by decide +kernel
-- elements of 2 bytes: Swizzle<3,4,3> of bytes is Swizzle<3,3,3> of elements
example : upcast ⟨3, 4, 3⟩ 1 = some ⟨3, 3, 3⟩ ∧ downcast ⟨3, 3, 3⟩ 1 = ⟨3, 4, 3⟩ ∧ upcast ⟨3, 0, 3⟩ 1 = none := by decide +kernel
example : period ⟨3, 4, 3⟩ = 1024 := by decide +kernel
example : compose? ⟨1, 0, 3⟩ ⟨1, 1, 3⟩ = some ⟨2, 0, 3⟩ ∧ compose? ⟨2, 0, 1⟩ ⟨2, 0, 1⟩ = none := by decide +kernel
-- Swizzle<2,0,1> twice is Swizzle<1,0,2>
example : (List.range 16).map (fun x => apply ⟨2, 0, 1⟩ (apply ⟨2, 0, 1⟩ x)) = (List.range 16).map (apply ⟨1, 0, 2⟩) := by
  decide +kernel

end Swizzle

end Razorgirl
