module

public import Razorgirl.Spec.Coord

@[expose] public section

/-!
# Transformations of iteration domains

An iteration domain (IterDomain) of extent `N` stands for a loop `for i in 0..N`. A transformation turns the
extents of some domains into the extents of others, takes the indices of the former to those of the latter
(*forward*), and back (*backward*). Generated code runs over the box of the output extents and finds the
original indices by the backward map.

nvFuser, `doc/reading/iterdomain.md`, gives a transformation one extent map and one index map. That cannot say
what merging does, whose index map needs an extent: here both index maps are also given the input extents.
Extents and indices are integers, as in the document: an index outside `[0,N)` is a *hole*, and what happens to
holes on their way back matters.
-/

namespace Razorgirl.IterDomain

/-- Each index lies in `[0, extent)`, and there are as many of them as extents. -/
def InBox : (extents indices : List Int) → Prop
  | [], [] => True
  | n :: ns, i :: is => (0 ≤ i ∧ i < n) ∧ InBox ns is
  | _, _ => False

/-- `InBox`, as a test. -/
def inBox : (extents indices : List Int) → Bool
  | [], [] => true
  | n :: ns, i :: is => decide (0 ≤ i) && decide (i < n) && inBox ns is
  | _, _ => false

/-- A transformation of `inRank` iteration domains into `outRank` (nvFuser Definition 1.1, with index maps that
see the input extents). -/
structure Transform where
  /-- how many domains go in -/
  inRank : Nat
  /-- how many come out -/
  outRank : Nat
  /-- output extents of input extents -/
  ext : List Int → List Int
  /-- output indices, of the input extents and the input indices -/
  fwd : List Int → List Int → List Int
  /-- input indices, of the input extents and the output indices -/
  bwd : List Int → List Int → List Int

namespace Transform

/-- Nothing happens to `n` domains. -/
def identity (n : Nat) : Transform where
  inRank := n
  outRank := n
  ext N := N
  fwd _ i := i
  bwd _ j := j

/-- `u.after t`: first `t`, then `u` on what it made (nvFuser Definition 1.4, `u ∘ t`). -/
def after (u t : Transform) : Transform where
  inRank := t.inRank
  outRank := u.outRank
  ext N := u.ext (t.ext N)
  fwd N i := u.fwd (t.ext N) (t.fwd N i)
  bwd N j := t.bwd N (u.bwd (t.ext N) j)

/-- `t.embed l r`: `t` with `l` further domains before it and `r` behind it, which stay as they are (nvFuser
Definition 1.3, `t[l..]`; the document leaves `r` to the context). -/
def embed (t : Transform) (l r : Nat) : Transform where
  inRank := l + t.inRank + r
  outRank := l + t.outRank + r
  ext N := N.take l ++ t.ext ((N.drop l).take t.inRank) ++ N.drop (l + t.inRank)
  fwd N i := i.take l ++ t.fwd ((N.drop l).take t.inRank) ((i.drop l).take t.inRank) ++ i.drop (l + t.inRank)
  bwd N j := j.take l ++ t.bwd ((N.drop l).take t.inRank) ((j.drop l).take t.outRank) ++ j.drop (l + t.outRank)

/-- The maps of `t` give as many extents and indices as its ranks say. -/
def Ranked (t : Transform) : Prop :=
  ∀ N, N.length = t.inRank → (t.ext N).length = t.outRank ∧
    (∀ i, i.length = t.inRank → (t.fwd N i).length = t.outRank) ∧
    ∀ j, j.length = t.outRank → (t.bwd N j).length = t.inRank

/-! ## When two transformations are the same

The document has one equality. Four are worth having, each at given input extents `N`:
`E0` (the document's), `E1` (where the input exists), `E2` (where the generated loops run, holes included) and
`Same` (everywhere, in both directions). `Same` gives the others; `E2` is what two programs need to be the same. -/

/-- Equal extents, and equal forward maps on all integers (nvFuser Definition 1.2). -/
def E0 (N : List Int) (t u : Transform) : Prop :=
  t.ext N = u.ext N ∧ ∀ i, i.length = N.length → t.fwd N i = u.fwd N i

/-- Equal extents, and equal forward maps on the indices that exist. -/
def E1 (N : List Int) (t u : Transform) : Prop :=
  t.ext N = u.ext N ∧ ∀ i, InBox N i → t.fwd N i = u.fwd N i

/-- Equal extents, and equal backward maps on the whole box of the loops, holes included. -/
def E2 (N : List Int) (t u : Transform) : Prop :=
  t.ext N = u.ext N ∧ ∀ j, InBox (t.ext N) j → t.bwd N j = u.bwd N j

/-- Equal extents, and equal maps both ways on all integers. -/
def Same (N : List Int) (t u : Transform) : Prop :=
  t.ext N = u.ext N ∧ (∀ i, i.length = N.length → t.fwd N i = u.fwd N i) ∧
    ∀ j, j.length = (t.ext N).length → t.bwd N j = u.bwd N j

/-- The forward map is a bijection from the box of the inputs onto the box of the outputs: no holes, nothing
lost. -/
def Bijective (N : List Int) (t : Transform) : Prop :=
  (∀ i, InBox N i → InBox (t.ext N) (t.fwd N i)) ∧
  (∀ i i', InBox N i → InBox N i' → t.fwd N i = t.fwd N i' → i = i') ∧
  ∀ j, InBox (t.ext N) j → ∃ i, InBox N i ∧ t.fwd N i = j

end Transform

end Razorgirl.IterDomain
