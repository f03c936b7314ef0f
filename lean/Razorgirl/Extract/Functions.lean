module

public import Razorgirl.Extract.Divide
public import Razorgirl.Extract.Find
public import Razorgirl.Extract.Fttc
public import Razorgirl.Extract.Injective
public import Razorgirl.Extract.Int
public import Razorgirl.Extract.Inverse
public import Razorgirl.Extract.Rust

@[expose] public section

/-!
# What is extracted

The functions of `rust/extracted` in the order in which they are printed, each after those that it calls. The theorem about
the function `f` is called `f_run`; `cargo run -p spec-tests -- extract --check` refuses a function without one.
-/

namespace Razorgirl.Extract

/-- A function and its name in Lean. -/
structure Entry where
  /-- the name below `Razorgirl.Extract` -/
  name : String
  /-- its parameters -/
  params : Ctx
  /-- its result -/
  result : Ty
  /-- the function -/
  fn : Fn params result

/-- All functions. -/
def functions : List Entry := [
  ⟨"size", _, _, size⟩,
  ⟨"cosize", _, _, cosize⟩,
  ⟨"coalesce", _, _, coalesce⟩,
  ⟨"before", _, _, before⟩,
  ⟨"insert", _, _, insert⟩,
  ⟨"sort", _, _, sort⟩,
  ⟨"atIndex", _, _, atIndex⟩,
  ⟨"idx2crd", _, _, idx2crd⟩,
  ⟨"crd2idx", _, _, crd2idx⟩,
  ⟨"atCoord", _, _, atCoord⟩,
  ⟨"chain", _, _, chain⟩,
  ⟨"gaps", _, _, gaps⟩,
  ⟨"complement", _, _, complement⟩,
  ⟨"last", _, _, last⟩,
  ⟨"complementIn", _, _, complementIn⟩,
  ⟨"ceilDiv", _, _, ceilDiv⟩,
  ⟨"fit", _, _, fit⟩,
  ⟨"complementCeil", _, _, complementCeil⟩,
  ⟨"allButLast", _, _, allButLast⟩,
  ⟨"wrapAt", _, _, wrapAt⟩,
  ⟨"splitMode", _, _, splitMode⟩,
  ⟨"load", _, _, load⟩,
  ⟨"carries", _, _, carries⟩,
  ⟨"group", _, _, group⟩,
  ⟨"composition", _, _, composition⟩,
  ⟨"tiling", _, _, tiling⟩,
  ⟨"logicalDivide", _, _, logicalDivide⟩,
  ⟨"filter", _, _, filter⟩,
  ⟨"places", _, _, places⟩,
  ⟨"logicalProduct", _, _, logicalProduct⟩,
  ⟨"breakAt", _, _, breakAt⟩,
  ⟨"splits", _, _, splits⟩,
  ⟨"findLayout", _, _, findLayout⟩,
  ⟨"violations", _, _, violations⟩,
  ⟨"starts", _, _, starts⟩,
  ⟨"insertStart", _, _, insertStart⟩,
  ⟨"sortStarts", _, _, sortStarts⟩,
  ⟨"undo", _, _, undo⟩,
  ⟨"sortedStarts", _, _, sortedStarts⟩,
  ⟨"leftInverse", _, _, leftInverse⟩,
  ⟨"undoPacked", _, _, undoPacked⟩,
  ⟨"inverse", _, _, inverse⟩,
  ⟨"follow", _, _, follow⟩,
  ⟨"extend", _, _, extend⟩,
  ⟨"reaches", _, _, reaches⟩,
  ⟨"walk", _, _, walk⟩,
  ⟨"rightInverse", _, _, rightInverse⟩,
  ⟨"spreads", _, _, spreads⟩,
  ⟨"trunc", _, _, trunc⟩,
  ⟨"euclid", _, _, euclid⟩,
  ⟨"ceil", _, _, ceil⟩]

/-- A function as a line: its name in Lean, and its tree with parameters and result. -/
def Entry.line (e : Entry) : String :=
  "tree " ++ (Tree.cons (.text e.name) (.cons (encodeCtx e.params) (.cons e.result.encode (.cons e.fn.encode .nil)))).json

/-- A function as Rust. -/
def Entry.rust (e : Entry) : String := e.fn.rust ("Razorgirl.Extract." ++ e.name ++ "_run")

/-- Each line on its own. -/
def printEach (text : Entry → String) : List Entry → IO Unit
  | [] => pure ()
  | e :: es => do
    IO.println (text e)
    printEach text es

/-- Prints the trees, one a line, then the Rust text. -/
def printAll : IO Unit := do
  printEach Entry.line functions
  IO.println "rust"
  printEach Entry.rust functions
  IO.println "end"

end Razorgirl.Extract
