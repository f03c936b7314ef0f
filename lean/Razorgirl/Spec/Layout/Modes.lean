module

public import Razorgirl.Spec.IntTuple.Modes
public import Razorgirl.Spec.Layout.Basic

@[expose] public section

/-!
# The modes of a layout rearranged

`HTuple`'s rearrangements, applied to the tree of modes (CuTe `layout.hpp`). Shape and stride are rearranged alike.
-/

namespace Razorgirl

namespace Layout

/-- A rearrangement of trees as one of layouts. -/
def onTree (f : HTuple Mode → Option (HTuple Mode)) (L : Layout) : Option Layout := (f L.tree).map ofTree

/-- Rank `n` by copies of `X` behind. CuTe `append<n>(L, X)`, with `X = 1:0` by default.
Rust: `razorgirl::Layout::append_with` -/
def append (n : Nat) (X L : Layout) : Option Layout := onTree (HTuple.appendTo n X.tree) L

/-- Rank `n` by copies of `X` in front. CuTe `prepend<n>(L, X)`.
Rust: `razorgirl::Layout::prepend_with` -/
def prepend (n : Nat) (X L : Layout) : Option Layout := onTree (HTuple.prependTo n X.tree) L

/-- The modes `[b,e)` as one. CuTe `group<b,e>(L)`.
Rust: `razorgirl::Layout::group` -/
def group (b e : Nat) (L : Layout) : Option Layout := onTree (HTuple.group b e) L

/-- Mode `i` of a layout, as a layout.
Rust: `razorgirl::Layout::mode` -/
def modeAt (L : Layout) (i : Nat) : Option Layout := (HTuple.mode? L.tree.children i).map ofTree

/-- The modes at these places. CuTe `select<is…>(L)`.
Rust: `razorgirl::Layout::select` -/
def select (is : List Nat) (L : Layout) : Option Layout := onTree (HTuple.select is) L

/-- The modes `[b,e)`. CuTe `take<b,e>(L)`, which refuses an empty range.
Rust: `razorgirl::Layout::take` -/
def take (b e : Nat) (L : Layout) : Option Layout := onTree (HTuple.take b e) L

/-- `X` in place of mode `n`. CuTe `replace<n>(L, X)`.
Rust: `razorgirl::Layout::replace` -/
def replace (n : Nat) (X L : Layout) : Option Layout := onTree (HTuple.replace n X.tree) L

end Layout

end Razorgirl
