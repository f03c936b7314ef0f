module

public import Razorgirl.Spec.Layout.Composition

@[expose] public section

/-!
# Strides in a module

Strides need not be numbers. What an offset is made of has to be added and multiplied by natural numbers: a commutative
monoid. Integers (with a sign), coordinates (CuTe's `E<i>`, written `1@0`: as many numbers as there are dimensions) and
F2^n (exclusive or adds; n times a stride is the stride for odd n, else 0) are such. Coalescing asks whether strides are
equal and nothing else. Composition splits by shapes alone and multiplies digits with strides.
Source: CuTe documentation, «TMA tensors»; Cecka (arXiv 2603.02298), section 2.4.
-/

namespace Razorgirl

/-- What strides may be: a commutative monoid, with its multiples by natural numbers. -/
class StrideModule (α : Type) where
  /-- the stride that goes nowhere -/
  zero : α
  /-- one step after another -/
  add : α → α → α
  /-- so many steps -/
  times : Nat → α → α
  add_comm : ∀ a b, add a b = add b a
  add_assoc : ∀ a b c, add (add a b) c = add a (add b c)
  zero_add : ∀ a, add zero a = a
  zero_times : ∀ a, times 0 a = zero
  succ_times : ∀ n a, times (n + 1) a = add (times n a) a

namespace Stride

open StrideModule

/-- Natural numbers. -/
noncomputable instance : StrideModule Nat where
  zero := 0
  add := (· + ·)
  times := (· * ·)
  add_comm := Nat.add_comm
  add_assoc := Nat.add_assoc
  zero_add := Nat.zero_add
  zero_times := Nat.zero_mul
  succ_times := Nat.succ_mul

/-- Integers. -/
noncomputable instance : StrideModule Int where
  zero := 0
  add := (· + ·)
  times n d := (n : Int) * d
  add_comm := Int.add_comm
  add_assoc := Int.add_assoc
  zero_add := Int.zero_add
  zero_times := Int.zero_mul
  succ_times n d := by rw [Int.natCast_add, Int.add_mul]; simp

/-- Numbers for each dimension: CuTe's coordinate strides. `1@0` is 1 in dimension 0 and 0 elsewhere. -/
abbrev Coordinates := Nat → Int

/-- Coordinates add in each dimension. -/
noncomputable instance : StrideModule Coordinates where
  zero := fun _ => 0
  add a b := fun i => a i + b i
  times n a := fun i => (n : Int) * a i
  add_comm a b := by funext i; exact Int.add_comm _ _
  add_assoc a b c := by funext i; exact Int.add_assoc _ _ _
  zero_add a := by funext i; exact Int.zero_add _
  zero_times a := by funext i; exact Int.zero_mul _
  succ_times n a := by funext i; rw [Int.natCast_add, Int.add_mul]; simp

/-- `k@d`: k in dimension d. -/
def basis (d : Nat) (k : Int) : Coordinates := fun i => if i = d then k else 0

/-- A bit vector as a stride: exclusive or adds. -/
structure Bits where
  /-- the bits -/
  val : Nat
deriving DecidableEq

/-- Bit vectors: an odd multiple is the vector itself, an even one 0. -/
noncomputable instance : StrideModule Bits where
  zero := ⟨0⟩
  add a b := ⟨a.val ^^^ b.val⟩
  times n a := ⟨if n % 2 = 1 then a.val else 0⟩
  add_comm a b := by rw [Bits.mk.injEq]; exact Nat.xor_comm _ _
  add_assoc a b c := by rw [Bits.mk.injEq]; exact Nat.xor_assoc _ _ _
  zero_add a := by rw [Nat.zero_xor]
  zero_times a := by simp
  succ_times n a := by
    rw [Bits.mk.injEq]
    rcases Nat.mod_two_eq_zero_or_one n with h | h
    · simp [Nat.add_mod, h]
    · simp [Nat.add_mod, h]

/-- Truth values: `or` adds, and every multiple but the 0th is the value itself. -/
instance : StrideModule Bool where
  zero := false
  add := or
  times n a := decide (n ≠ 0) && a
  add_comm a b := by cases a <;> cases b <;> rfl
  add_assoc a b c := by cases a <;> cases b <;> cases c <;> rfl
  zero_add _ := rfl
  zero_times _ := rfl
  succ_times n a := by cases a <;> simp

/-- Modes with strides of any kind. -/
abbrev Modes (α : Type) := List (Nat × α)

variable {α : Type} [StrideModule α]

/-- Multiples of strides, added. -/
def dot : (digits : List Nat) → (strides : List α) → α
  | x :: xs, d :: ds => add (times x d) (dot xs ds)
  | _, _ => zero

/-- The extents. -/
def shape (L : Modes α) : List Nat := L.map Prod.fst

/-- The strides. -/
def strides (L : Modes α) : List α := L.map Prod.snd

/-- How many coordinates. -/
def size (L : Modes α) : Nat := prod (shape L)

/-- Every extent is at least 1. -/
def Valid (L : Modes α) : Prop := ∀ m ∈ L, 0 < m.1

/-- The offset of a linear index. -/
def atIndex (L : Modes α) (x : Nat) : α := dot (idx2crd (shape L) x) (strides L)

/-- Strides for digit vectors: the dot product with the strides of the outer layout. -/
def ofDigits (ds : List α) (ps : List DigitMode) : Modes α := ps.map fun p => (p.extent, dot p.digits ds)

/-- The composite of `A` after `B` that exists for all strides of A's shape: one list of modes for each mode of B.
`none` where B leaves the domain of A, a mode of B does not split, or digits carry. -/
def composition (A : Modes α) (B : FlatLayout) : Option (List (Modes α)) :=
  if FlatLayout.cosizeFormula B ≤ size A then
    (digitComposition (shape A) B).map fun ps => ps.map (ofDigits (strides A))
  else none

/-- All modes of several lists in a row. -/
def concat : List (Modes α) → Modes α
  | [] => []
  | L :: Ls => L ++ concat Ls

/-- `R` has for each mode of `B` modes of its size, and is `A` after `B`. -/
def IsComposite (A : Modes α) (B : FlatLayout) (R : List (Modes α)) : Prop :=
  R.map size = FlatLayout.shape B ∧ (∀ L ∈ R, Valid L) ∧
    ∀ x, x < FlatLayout.size B →
      FlatLayout.atIndex B x < size A ∧ atIndex (concat R) x = atIndex A (FlatLayout.atIndex B x)

/-- Two neighbouring modes as one, where the second goes on where the first ends. -/
def push [DecidableEq α] (m : Nat × α) (L : Modes α) : Modes α :=
  if m.1 = 1 then L
  else
    match L with
    | [] => [m]
    | n :: L => if n.2 = times m.1 m.2 then (m.1 * n.1, m.2) :: L else m :: n :: L

/-- The fewest modes of the same function: modes of extent 1 dropped, neighbours merged. Only equality of strides is
asked. -/
def coalesce [DecidableEq α] : Modes α → Modes α
  | [] => []
  | m :: L => push m (coalesce L)

/-- No mode of extent 1, and no two neighbours that could be one. -/
def Coalesced : Modes α → Prop
  | [] => True
  | [m] => m.1 ≠ 1
  | m :: n :: L => m.1 ≠ 1 ∧ n.2 ≠ times m.1 m.2 ∧ Coalesced (n :: L)

-- 2@1 over an extent of 3, then 1@0 over 2
example : (List.range 6).map (fun x => (atIndex [(3, basis 1 2), (2, basis 0 1)] x 0, atIndex [(3, basis 1 2), (2, basis 0 1)] x 1)) =
    [(0, 0), (0, 2), (0, 4), (1, 0), (1, 2), (1, 4)] := by decide +kernel
-- extent 4 with exclusive-or stride 5
example : (List.range 4).map (fun x => (atIndex [(4, (⟨5⟩ : Bits))] x).val) = [0, 5, 0, 5] := by decide +kernel
example : coalesce [(2, (3 : Int)), (1, 7), (2, 6), (2, -1)] = [(4, 3), (2, -1)] := by decide +kernel

end Stride

end Razorgirl
