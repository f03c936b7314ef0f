module

public import Oracle.Ops

@[expose] public section

/-- The oracle: the definitions of `Spec`, as a program. -/
def main : IO Unit := Oracle.serve Oracle.table
