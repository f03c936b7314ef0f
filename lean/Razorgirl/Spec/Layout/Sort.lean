module

public import Razorgirl.Spec.Layout.Basic

@[expose] public section

/-!
# Sorting modes

By stride, then by extent («Categorical Foundations» 2.1.3). Sorting permutes the coordinates: the image and
how often each offset is hit stay the same, the function of the linear index does not.
-/

namespace Razorgirl

namespace Mode

/-- The order of modes: by stride, ties by extent. -/
def before (m n : Mode) : Bool := m.stride < n.stride || m.stride == n.stride && m.extent ≤ n.extent

end Mode

namespace FlatLayout

/-- Puts a mode in front of the first one that does not come before it. -/
def insert (m : Mode) : FlatLayout → FlatLayout
  | [] => [m]
  | n :: L => if m.before n then m :: n :: L else n :: insert m L

/-- The modes in order of (stride, extent). -/
def sort : FlatLayout → FlatLayout
  | [] => []
  | m :: L => insert m (sort L)

/-- Each mode comes before all later ones, by (stride, extent). -/
def Sorted (L : FlatLayout) : Prop := L.Pairwise fun m n => m.before n = true

end FlatLayout

namespace Layout

/-- The flattened layout with its modes in order of (stride, extent).
Rust: `razorgirl::Layout::sort` -/
def sort (L : Layout) : Layout := ⟨FlatLayout.sort L.modes, L.flatten.profile⟩

end Layout

end Razorgirl
