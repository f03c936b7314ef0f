module

public import Razorgirl.Spec.IterDomain.Schedule

@[expose] public section

/-!
# Predicates: which domains the generated code must test

A loop point must do nothing if it is a hole. Testing every domain would be right and wasteful. The rule walks from the
loops back to the domains that came in and keeps, for each domain, whether it is *in doubt*: perhaps outside its extent
though all that is tested further on is inside. The loops themselves are not in doubt.

* A split puts its input in doubt if it does not divide it, or if its outer part is in doubt. An inner part in doubt
  must be tested.
* A merge puts its outer input in doubt if its output is; the inner input is a remainder, hence fine.
* A swizzle has its outputs tested where they are in doubt.
* A resize passes doubt on.

nvFuser's rule (`csrc/device_lower/analysis/non_divisible_split`) is this, and tests besides all domains that came in.
It is unsound with resizes, which make holes of their own (4.1 of nvFuser's `divisibility-of-split.md` says that they
do), and with swizzles whose extents do not fit. The repaired rule:

* A resize puts its input in doubt if it adds indices, and has an output in doubt tested if it cuts any off.
* A swizzle puts its second input in doubt if the extents do not fit.
* Of the domains that came in, only those in doubt need a test.
-/

namespace Razorgirl.IterDomain

/-- The swizzle takes every point of an `Nx` by `Ny` box back into it. -/
def SwizzleKind.fits (Nx Ny : Int) : SwizzleKind → Bool
  | .xor => decide (Ny % (nextPow2 Nx.toNat : Int) = 0)
  | .cyclicShift => decide (Nx ≤ Ny)
  | .zShape => true

namespace Op

/-- Which inputs are in doubt, of the input extents and of which outputs are; by the repaired rule if `repaired`. -/
def doubt (repaired : Bool) : Op → (extents : List Int) → (outputs : List Bool) → List Bool
  | .split d, [N], [o, _] => [o || !decide (N % d = 0)]
  | .splitOuter k, [N], [o, _] => [o || !decide (N % k = 0)]
  | .merge, [_, _], [u] => [u, false]
  | .resize L R, [_], [u] =>
    if repaired then [u && !(decide (L < 0) || decide (R < 0)) || decide (0 < L) || decide (0 < R)] else [u]
  | .swizzle kind, [Nx, Ny], [_, _] => [false, repaired && !kind.fits Nx Ny]
  | _, _, _ => []

/-- Which outputs must be tested, of which are in doubt. -/
def tests (repaired : Bool) : Op → (outputs : List Bool) → List Bool
  | .split _, [_, i] => [false, i]
  | .splitOuter _, [_, i] => [false, i]
  | .merge, [_] => [false]
  | .resize L R, [u] => [repaired && u && (decide (L < 0) || decide (R < 0))]
  | .swizzle _, [x, y] => [x, y]
  | _, _ => []

end Op

/-- The numbers of the entries that are true, counted from `first` on. -/
def chosen (first : Nat) : List Bool → List Nat
  | [] => []
  | b :: bs => if b then first :: chosen (first + 1) bs else chosen (first + 1) bs

example : chosen 3 [true, false, true] = [3, 5] := by decide +kernel

namespace Move

/-- Which domains are in doubt before a move, of those after it. -/
def doubt (repaired : Bool) (N : List Int) (u : List Bool) : Move → List Bool
  | apply k op => u.take k ++
      op.doubt repaired ((N.drop k).take op.transform.inRank) ((u.drop k).take op.transform.outRank) ++
      u.drop (k + op.transform.outRank)
  | reorder p => pick false (invert p) u

/-- The numbers of the domains that the move makes and that must be tested. -/
def tests (repaired : Bool) (next : Nat) (u : List Bool) : Move → List Nat
  | apply k op => chosen next (op.tests repaired ((u.drop k).take op.transform.outRank))
  | reorder _ => []

end Move

/-- The rule: which domains are in doubt before the moves, and which of those that the moves make must be tested. -/
def rule (repaired : Bool) (N : List Int) (next : Nat) : List Move → List Bool × List Nat
  | [] => (N.map fun _ => false, [])
  | m :: ms =>
    let r := rule repaired (m.ext N) (next + m.made) ms
    (m.doubt repaired N r.1, m.tests repaired next r.1 ++ r.2)

/-! ## Kinds of schedules

Of which more can be said: that keep every index, on which nvFuser's rule is right, and on which each test can fail. -/

/-- The operation keeps every index: it cuts nothing off, and swizzles by a bijection. -/
def Op.keeps : Op → (extents : List Int) → Bool
  | .resize L R, _ => decide (0 ≤ L) && decide (0 ≤ R)
  | .swizzle .xor, [Nx, Ny] => decide (Ny % (nextPow2 Nx.toNat : Int) = 0)
  | .swizzle .cyclicShift, [Nx, Ny] => decide (Nx = Ny)
  | _, _ => true

/-- All operations keep every index. -/
def keepsMoves (N : List Int) : List Move → Bool
  | [] => true
  | .apply k op :: ms =>
    op.keeps ((N.drop k).take op.transform.inRank) && keepsMoves ((Move.apply k op).ext N) ms
  | .reorder p :: ms => keepsMoves ((Move.reorder p).ext N) ms

/-- The operation neither adds nor cuts off indices, and swizzles only what fits. -/
def Op.plain : Op → (extents : List Int) → Bool
  | .resize L R, _ => decide (L = 0) && decide (R = 0)
  | .swizzle kind, [Nx, Ny] => kind.fits Nx Ny
  | _, _ => true

/-- All operations are plain. -/
def plainMoves (N : List Int) : List Move → Bool
  | [] => true
  | .apply k op :: ms =>
    op.plain ((N.drop k).take op.transform.inRank) && plainMoves ((Move.apply k op).ext N) ms
  | .reorder p :: ms => plainMoves ((Move.reorder p).ext N) ms

/-- A split, a merge, or an exclusive or that fits. -/
def Op.sharp : Op → (extents : List Int) → Bool
  | .split _, _ => true
  | .splitOuter _, _ => true
  | .merge, _ => true
  | .swizzle .xor, [Nx, Ny] => decide (Ny % (nextPow2 Nx.toNat : Int) = 0)
  | _, _ => false

/-- All operations are of that kind. -/
def sharpMoves (N : List Int) : List Move → Bool
  | [] => true
  | .apply k op :: ms =>
    op.sharp ((N.drop k).take op.transform.inRank) && sharpMoves ((Move.apply k op).ext N) ms
  | .reorder p :: ms => sharpMoves ((Move.reorder p).ext N) ms

namespace Schedule

/-- The schedule cuts nothing off and swizzles by bijections only. -/
def keeps (s : Schedule) : Bool := keepsMoves s.extents s.moves

/-- The schedule has no resize and only swizzles that fit. -/
def plain (s : Schedule) : Bool := plainMoves s.extents s.moves

/-- The schedule has only splits, merges, reorders, and exclusive ors that fit. -/
def sharp (s : Schedule) : Bool := sharpMoves s.extents s.moves

/-! ## Which domains to test -/

/-- The numbers of the domains to test, in increasing order.
Rust: `razorgirl::iter_domain::Schedule::predicates` -/
def predicates (s : Schedule) : List Nat :=
  let r := rule true s.extents s.extents.length s.moves
  chosen 0 r.1 ++ r.2

/-- What nvFuser's rule has tested: every domain that came in, and what the walk finds. -/
def nvfuserPredicates (s : Schedule) : List Nat :=
  List.range s.extents.length ++ (rule false s.extents s.extents.length s.moves).2

/-! ## Worked examples, from the comments in nvFuser's header and its document -/

/-- 10 by 3: only the domain itself. -/
example : predicates ⟨[10], [.split 0 3]⟩ = [0] := by decide +kernel
/-- The inner 3 by 5: domain 2 as well. -/
example : predicates ⟨[10], [.split 0 3, .split 1 5]⟩ = [0, 2] := by decide +kernel
/-- 15 by 6, then 3 by 2 and 6 by 4: domains 0 and 2, not the outer 1. -/
example : predicates ⟨[15], [.split 0 6, .split 0 2, .split 2 4]⟩ = [0, 2] := by decide +kernel
/-- Where everything divides, nothing. -/
example : predicates ⟨[12], [.split 0 6, .split 0 2, .split 2 3]⟩ = [] := by decide +kernel
/-- Padding makes holes that nvFuser's rule does not see: here the inner domain of a merge, whose index runs into
the next row. -/
example : nvfuserPredicates ⟨[4, 3], [.merge 0 1, .split 0 3, .resize 1 0 1]⟩ = [0, 1] ∧
    predicates ⟨[4, 3], [.merge 0 1, .split 0 3, .resize 1 0 1]⟩ = [4] := by decide +kernel

end Schedule

end Razorgirl.IterDomain
