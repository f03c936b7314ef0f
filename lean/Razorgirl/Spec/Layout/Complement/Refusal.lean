module

public import Razorgirl.Spec.Layout.Complement

@[expose] public section

/-!
# Why a layout has no complement

Two of its coordinates share an offset; or a stride is no multiple of the block that the modes of smaller strides fill with
their copies, so that copies overlap the mode or leave a gap before it; or the block of the whole layout does not divide the
cotarget.
-/

namespace Razorgirl

namespace FlatLayout

/-- Why A has no complement.
Rust: `razorgirl::Witness` -/
inductive ComplementRefusal where
  /-- two linear indices with one offset: code `not_injective` -/
  | collides (i j : Nat)
  /-- the stride of a mode, and the block that the modes before it fill, which does not divide it: code `not_divisible` -/
  | indivisible (stride block : Nat)
  /-- the block of the layout, which does not divide the cotarget: code `not_divisible` -/
  | uneven (block : Nat)
deriving Repr, DecidableEq

/-- The first stride of a sorted layout that the block before it does not divide, or that is 0, and that block. -/
def firstIndivisible (cur : Nat) : FlatLayout → Option (Nat × Nat)
  | [] => none
  | m :: A =>
    if 0 < m.stride ∧ m.stride % cur = 0 then firstIndivisible (m.extent * m.stride) A else some (m.stride, cur)

/-- Why A has no complement in its own block, if it has none. Lists the offsets where it has none.
Rust: `razorgirl::Layout::complement` -/
def complementFault (A : FlatLayout) : Option ComplementRefusal :=
  match firstIndivisible 1 (chain A) with
  | none => none
  | some (d, b) =>
    match collision A with
    | some (i, j) => some (.collides i j)
    | none => some (.indivisible d b)

/-- Why A has no complement in `[0,N)`, if it has none.
Rust: `razorgirl::Layout::complement_in` -/
def complementInFault (A : FlatLayout) (N : Nat) : Option ComplementRefusal :=
  match complementFault A with
  | some r => some r
  | none => if 0 < N ∧ N % block A = 0 then none else some (.uneven (block A))

/-- The largest cotarget up to N in which a layout with a complement has one; 0 if there is none. -/
def cotargetBelow (A : FlatLayout) (N : Nat) : Nat := N - N % block A

/-- The least positive cotarget from N on in which a layout with a complement has one. -/
def cotargetAbove (A : FlatLayout) (N : Nat) : Nat :=
  if N % block A = 0 ∧ 0 < N then N else N - N % block A + block A

example : complementFault [⟨2, 1⟩, ⟨2, 3⟩] = some (.indivisible 3 2) := by decide +kernel
example : complementFault [⟨2, 1⟩, ⟨2, 1⟩] = some (.collides 1 2) := by decide +kernel
example : complementInFault [⟨4, 2⟩] 20 = some (.uneven 8) := by decide +kernel
example : cotargetBelow [⟨4, 2⟩] 20 = 16 ∧ cotargetAbove [⟨4, 2⟩] 20 = 24 := by decide +kernel

end FlatLayout

end Razorgirl
