module

public import Razorgirl.Extract.Composition
public import Razorgirl.Spec.Layout.Divide
public import Razorgirl.Spec.Layout.Product

@[expose] public section

/-!
# Logical division and product, as programs

Both compose with a complement. What comes back are groups of modes, as from `composition`: for each mode of the tile and
then of its complement, or for each mode of the layout that says where the copies go.
-/

namespace Razorgirl.Extract

/-! ## Division -/

/-- Appends a mode to the tiling. -/
def tilingStep : Stmt [("m", .mode), ("out", .list .mode), ("rest", .list .mode), ("tile", .list .mode), ("n", .nat)]
    (.list .mode) := push "out" (v "m")

/-- The tile and its complement side by side. -/
def tiling : Fn [("tile", .list .mode), ("n", .nat)] (.list .mode) :=
  .mk "tiling" "All indices below `n`, those of a tile first: the modes of the tile and of its complement." <|
  .bind "rest" (call2 complementIn (v "tile") (v "n")) <|
  .bind "out" .nil <|
  .seq (.each "m" (v "tile") tilingStep) <|
  .seq (.each "m" (v "rest") tilingStep) <|
  .seq (when (.op2 .eq (.op1 .len (v "rest")) (.lit 0)) (push "out" (.op2 .mode (.lit 1) (.lit 0)))) <|
  .ret (v "out")

/-- The division by a layout. -/
def logicalDivide : Fn [("a", .list .mode), ("tile", .list .mode)] (.pair (.list .mode) (.list .nat)) :=
  .mk "logical_divide" "A in tiles: A after the tile and its complement, the modes in a row, and how many each of theirs has." <|
  .bind "n" (call1 size (v "a")) <|
  .seq (when (.op2 .lt (v "n") (call1 cosize (v "tile"))) (.refuse "out_of_domain")) <|
  .bind "inner" (call2 tiling (v "tile") (v "n")) <|
  .ret (call2 composition (v "a") (v "inner"))

/-! ## Product -/

/-- One turn of `filter`. -/
def filterStep : Stmt [("m", .mode), ("out", .list .mode), ("modes", .list .mode)] (.list .mode) :=
  .ite (.op2 .eq (.op1 .stride (v "m")) (.lit 0)) (push "out" (.op2 .mode (.lit 1) (.lit 0))) (push "out" (v "m"))

/-- The modes that move the offset. -/
def filter : Fn [("modes", .list .mode)] (.list .mode) :=
  .mk "filter" "The modes without those of stride 0, coalesced." <|
  .bind "out" .nil <|
  .seq (.each "m" (v "modes") filterStep) <|
  .ret (call1 coalesce (v "out"))

/-- Where copies may start. -/
def places : Fn [("block", .list .mode), ("count", .nat)] (.list .mode) :=
  .mk "places" "Where `count` copies of a block may start, stride-0 modes left out: its gaps, and then whole blocks." <|
  .bind "moving" (call1 filter (v "block")) <|
  .bind "chain" (call1 chain (v "moving")) <|
  .bind "out" (call1 gaps (v "chain")) <|
  .bind "last" (call1 last (v "chain")) <|
  .bind "found" (call1 size (v "out")) <|
  .seq (when (.op2 .lt (v "found") (v "count"))
    (push "out" (.op2 .mode (call2 ceilDiv (v "count") (v "found"))
      (.op2 .mul (.op1 .extent (v "last")) (.op1 .stride (v "last")))))) <|
  .ret (call1 fit (v "out"))

/-- The places of the copies in a product. -/
def logicalProduct : Fn [("block", .list .mode), ("tiles", .list .mode)] (.pair (.list .mode) (.list .nat)) :=
  .mk "logical_product" "Where the copies of a block go that another layout arranges: the modes in a row, and how many each of its modes has." <|
  .bind "places" (call2 places (v "block") (call1 cosize (v "tiles"))) <|
  .ret (call2 composition (v "places") (v "tiles"))

/-! ## What they answer -/

/-- The modes of the quotient for each mode of the tile and then of its complement, before they are nested. -/
def divideGroups (A T : FlatLayout) : Option (List FlatLayout) :=
  (FlatLayout.complementIn T (FlatLayout.size A)).bind fun C => compositionGroups A (T ++ (FlatLayout.nest C).modes)

/-- Why there are none. -/
def divideRefusal (A T : FlatLayout) : String :=
  if FlatLayout.size A < FlatLayout.cosizeFormula T then "out_of_domain"
  else match FlatLayout.complementIn T (FlatLayout.size A) with
    | none => FlatLayout.complementInRefusal T (FlatLayout.size A)
    | some C => compositionRefusal A (T ++ (FlatLayout.nest C).modes)

/-- Where `n` copies of a block may start: gaps, and then so many whole blocks as are needed. -/
def placesOf (A : FlatLayout) (n : Nat) : Option FlatLayout :=
  (FlatLayout.gaps 1 (FlatLayout.chain (FlatLayout.filter A))).map fun G =>
    FlatLayout.coalesce (if FlatLayout.size G < n then
      G ++ [⟨Division.ceilDiv n (FlatLayout.size G), FlatLayout.block (FlatLayout.filter A)⟩] else G)

/-- The modes of the copies for each mode of T, before they are nested. -/
def productGroups (A T : FlatLayout) : Option (List FlatLayout) :=
  (placesOf A (FlatLayout.cosizeFormula T)).bind fun C => compositionGroups C T

end Razorgirl.Extract
