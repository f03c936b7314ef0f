module

public import Razorgirl.Spec.IntTuple
public import Razorgirl.Spec.Coord
public import Razorgirl.Spec.Layout.Basic
public import Razorgirl.Spec.Layout.Coalesce
public import Razorgirl.Spec.Layout.Collision
public import Razorgirl.Spec.Layout.Find
public import Razorgirl.Spec.Layout.Filter
public import Razorgirl.Spec.Layout.Sort
public import Razorgirl.Spec.Layout.Slice
