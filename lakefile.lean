import Lake
open Lake DSL

package razorgirl where
  -- A warning is a failure: `sorry` is only a warning otherwise.
  leanOptions := #[⟨`warningAsError, true⟩]

@[default_target]
lean_lib Razorgirl where
  srcDir := "lean"

-- The modules behind the executable's root; `Oracle.Prelude` is not among what it imports.
lean_lib Oracle where
  srcDir := "lean"

@[default_target]
lean_exe oracle where
  root := `Oracle
  srcDir := "lean"
