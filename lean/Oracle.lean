module

public import Oracle.Table

@[expose] public section

/-- The oracle: the definitions of `Spec`, as a program. -/
def main : IO Unit := Oracle.serve Oracle.table
