module

public import Oracle.Algebra
public import Oracle.Int
public import Oracle.IterDomain
public import Oracle.Product
public import Oracle.Structure
public import Oracle.Tma

@[expose] public section

/-- The oracle: the definitions of `Spec`, as a program. -/
def main : IO Unit := Oracle.serve (Oracle.table ++ Oracle.algebra ++ Oracle.tiling ++ Oracle.product ++ Oracle.structureOps ++
  Oracle.intOps ++ Oracle.iterDomainOps ++ Oracle.tmaOps)
