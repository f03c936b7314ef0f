module

public import Razorgirl.Spec.Layout.Basic

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

/-- The same modes as a nested layout: none is `1:0`, a single one is a leaf, more are a tuple of depth 1
(«Categorical Foundations» 2.3.3). -/
def nest : FlatLayout → Layout
  | [] => ⟨[⟨1, 0⟩], .leaf ()⟩
  | [m] => ⟨[m], .leaf ()⟩
  | L => ⟨L, .node (L.map fun _ => .leaf ())⟩

end FlatLayout

namespace Layout
open HTuple

/-- The layout of least rank with the same function of the linear index. CuTe `coalesce(L)`. -/
def coalesce (L : Layout) : Layout := (FlatLayout.coalesce L.modes).nest

/-- The nested view of `coalesce`. -/
def coalesceTree (t : HTuple Mode) : HTuple Mode := (FlatLayout.coalesce t.flatten).nest.tree

mutual
/-- Applies `f` to what lies at each leaf of `p`; the modes that `p` does not reach stay as they are.
`none` if `p` has more modes somewhere than the layout. CuTe `transform_layout(L, p, f)`. -/
def mapAt (f : HTuple Mode → HTuple Mode) : (p : Profile) → HTuple Mode → Option (HTuple Mode)
  | .leaf _, t => some (f t)
  | .node ps, t => (mapAtList f ps (children t)).map .node
/-- `mapAt` mode by mode. -/
def mapAtList (f : HTuple Mode → HTuple Mode) :
    List Profile → List (HTuple Mode) → Option (List (HTuple Mode))
  | [], ts => some ts
  | _ :: _, [] => none
  | p :: ps, t :: ts =>
    match mapAt f p t, mapAtList f ps ts with
    | some t', some ts' => some (t' :: ts')
    | _, _ => none
end

/-- Coalesces at each leaf of `target`, further modes untouched. CuTe `coalesce(L, profile)`. -/
def coalesceBy (target : Profile) (L : Layout) : Option Layout :=
  (mapAt coalesceTree target L.tree).map ofTree

end Layout

end Razorgirl
