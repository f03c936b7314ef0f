module

public import Oracle.Algebra
public import Oracle.Product

@[expose] public section

/-- The oracle: the definitions of `Spec`, as a program. -/
def main : IO Unit := Oracle.serve (Oracle.table ++ Oracle.algebra ++ Oracle.tiling ++ Oracle.product)
