module

public import Oracle.Algebra

@[expose] public section

/-- The oracle: the definitions of `Spec`, as a program. -/
def main : IO Unit := Oracle.serve (Oracle.table ++ Oracle.algebra)
