module

public import Razorgirl.Extract.Lang

@[expose] public section

/-! # Size and cosize, as programs -/

namespace Razorgirl.Extract

/-- One turn of `size`. -/
def sizeStep : Stmt [("m", .mode), ("product", .nat), ("modes", .list .mode)] .nat :=
  set "product" (.op2 .mul (v "product") (.op1 .extent (v "m")))

/-- The product of the extents. -/
def size : Fn [("modes", .list .mode)] .nat :=
  .mk "size" "The number of coordinates: the product of the extents." <|
  .bind "product" (.lit 1) <|
  .seq (.each "m" (v "modes") sizeStep) <|
  .ret (v "product")

/-- One turn of `cosize`. -/
def cosizeStep : Stmt [("m", .mode), ("sum", .nat), ("modes", .list .mode)] .nat :=
  set "sum" (.op2 .add (v "sum") (.op2 .mul (.op2 .sub (.op1 .extent (v "m")) (.lit 1)) (.op1 .stride (v "m"))))

/-- 1 + the largest offset. -/
def cosize : Fn [("modes", .list .mode)] .nat :=
  .mk "cosize" "One more than the largest offset: `1 + Σ (extent - 1) * stride`." <|
  .bind "sum" (.lit 1) <|
  .seq (.each "m" (v "modes") cosizeStep) <|
  .ret (v "sum")

end Razorgirl.Extract
