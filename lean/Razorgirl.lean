module

public import Razorgirl.Data.List
public import Razorgirl.Spec.Coord
public import Razorgirl.Spec.IntTuple
public import Razorgirl.Spec.Layout.Basic
public import Razorgirl.Spec.Layout.Coalesce
public import Razorgirl.Spec.Layout.Collision
public import Razorgirl.Spec.Layout.Complement
public import Razorgirl.Spec.Layout.Composition
public import Razorgirl.Spec.Layout.Filter
public import Razorgirl.Spec.Layout.Find
public import Razorgirl.Spec.Layout.Inverse
public import Razorgirl.Spec.Layout.Slice
public import Razorgirl.Spec.Layout.Sort
public import Razorgirl.Thm.Coord
public import Razorgirl.Thm.Coord.Nested
public import Razorgirl.Thm.IntTuple
public import Razorgirl.Thm.Layout.Basic
public import Razorgirl.Thm.Layout.Basic.Injective
public import Razorgirl.Thm.Layout.Basic.Nested
public import Razorgirl.Thm.Layout.Coalesce
public import Razorgirl.Thm.Layout.Coalesce.By
public import Razorgirl.Thm.Layout.Coalesce.Lemmas
public import Razorgirl.Thm.Layout.Coalesce.MapAt
public import Razorgirl.Thm.Layout.Find
public import Razorgirl.Thm.Layout.Lemmas
public import Razorgirl.Thm.Layout.Sort
