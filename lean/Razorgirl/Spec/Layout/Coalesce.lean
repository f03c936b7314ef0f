module

public import Razorgirl.Spec.Layout.Basic
public import Razorgirl.Spec.Layout.MapAt

@[expose] public section

/-!
# Coalesce

The fewest modes with the same function of the linear index («Categorical Foundations» 2.1.3 and 2.3.3,
Villa Straylight part II, CuTe `coalesce`). Three local rules do it: a mode of extent 1 disappears, on the
right or on the left of another, and `s:d` followed by `t:(s·d)` becomes `(s·t):d`.
-/

namespace Razorgirl

namespace FlatLayout

/-- Two neighbouring modes as one, if one of the three rules applies (Villa Straylight II.1 `tryCoalesce`). -/
def merge? (m n : Mode) : Option Mode :=
  if n.extent = 1 then some m
  else if m.extent = 1 then some n
  else if n.stride = m.extent * m.stride then some ⟨m.extent * n.extent, m.stride⟩
  else none

/-- Puts a mode in front of a coalesced layout and keeps it coalesced. -/
def push (m : Mode) : FlatLayout → FlatLayout
  | [] => if m.extent = 1 then [] else [m]
  | n :: L =>
    if m.extent = 1 then n :: L
    else if n.stride = m.extent * m.stride then ⟨m.extent * n.extent, m.stride⟩ :: L
    else m :: n :: L

/-- The coalesced modes, from right to left: `[2:1, 1:7, 6:2] ↦ [12:1]`, `[1:3] ↦ []`. -/
def coalesce : FlatLayout → FlatLayout
  | [] => []
  | m :: L => push m (coalesce L)

/-- No extent 1 and no neighbours that merge («Categorical Foundations» 2.1.3). -/
def Coalesced : FlatLayout → Prop
  | [] => True
  | [m] => m.extent ≠ 1
  | m :: n :: L => m.extent ≠ 1 ∧ n.stride ≠ m.extent * m.stride ∧ Coalesced (n :: L)

/-- One application of a rule: two neighbours become one, or a lone mode of extent 1 disappears. -/
inductive Rewrite : FlatLayout → FlatLayout → Prop where
  /-- one of the three rules of Villa Straylight II.1, anywhere in the layout -/
  | merge (A : FlatLayout) (m n r : Mode) (B : FlatLayout) (h : merge? m n = some r) :
      Rewrite (A ++ m :: n :: B) (A ++ r :: B)
  /-- a mode of extent 1 without neighbours -/
  | lone (m : Mode) (h : m.extent = 1) : Rewrite [m] []

/-- `L` becomes `N` by `k` rules, one after the other. -/
inductive Rewrites : Nat → FlatLayout → FlatLayout → Prop where
  /-- no rule -/
  | done (L : FlatLayout) : Rewrites 0 L L
  /-- one more rule in front -/
  | step {k : Nat} {L M N : FlatLayout} (h : Rewrite L M) (t : Rewrites k M N) : Rewrites (k + 1) L N

/-- The same modes as a nested layout: none is `1:0`, a single one is a leaf, more are a tuple of depth 1
(«Categorical Foundations» 2.3.3). -/
def nest : FlatLayout → Layout
  | [] => ⟨[⟨1, 0⟩], .leaf ()⟩
  | [m] => ⟨[m], .leaf ()⟩
  | L => ⟨L, .node (L.map fun _ => .leaf ())⟩

end FlatLayout

namespace Layout
open HTuple

/-- The layout of least rank with the same function of the linear index. CuTe `coalesce(L)`.
Rust: `razorgirl::Layout::coalesce` -/
def coalesce (L : Layout) : Layout := (FlatLayout.coalesce L.modes).nest

/-- The normal form of nested layouts («Categorical Foundations» 2.3.3): `1:0`, or one mode of another extent
as a leaf, or a tuple of two or more modes that do not merge. -/
def Coalesced (L : Layout) : Prop :=
  (L.modes = [⟨1, 0⟩] ∧ L.profile = .leaf ()) ∨
  (∃ m : Mode, m.extent ≠ 1 ∧ L.modes = [m] ∧ L.profile = .leaf ()) ∨
  (2 ≤ L.modes.length ∧ FlatLayout.Coalesced L.modes ∧ L.profile = .node (L.modes.map fun _ => .leaf ()))

/-- The nested view of `coalesce`. -/
def coalesceTree (t : HTuple Mode) : HTuple Mode := (FlatLayout.coalesce t.flatten).nest.tree

/-- Coalesces at each leaf of `target`, further modes untouched. CuTe `coalesce(L, profile)`.
Rust: `razorgirl::Layout::coalesce_by` -/
def coalesceBy (target : Profile) (L : Layout) : Option Layout :=
  (mapAt coalesceTree target L.tree).map ofTree

end Layout

end Razorgirl
