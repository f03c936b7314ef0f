module

public import Lean.Environment
public import Lean.Util.FoldConsts

@[expose] public section

/-!
# What compiled proofs use

Run with module names as arguments. Prints, for each constant of these modules, a line of its kind, its name, and
those constants in its type and value that are of these modules too, or axioms that Lean itself declares; at last `end`.
Fields are separated by tabs. The closure over these lines is taken elsewhere.

The modules are imported whole, with their proofs. The library is not: what it proves is taken as proved.
-/

open Lean

/-- Every component is printed, private prefixes too; `Name.toString` cannot be run everywhere. -/
def nameText (name : Name) : String :=
  match name with
  | .anonymous => ""
  | .str .anonymous s => s
  | .num .anonymous n => toString n
  | .str p s => nameText p ++ "." ++ s
  | .num p n => nameText p ++ "." ++ toString n

def kind (c : ConstantInfo) : String :=
  match c with
  | .thmInfo _ => "theorem"
  | .axiomInfo _ => "axiom"
  | _ => "definition"

/-- A constant's value; a theorem's is its proof. -/
def value (c : ConstantInfo) : Option Expr :=
  match c with
  | .thmInfo v => some v.value
  | .defnInfo v => some v.value
  | .opaqueInfo v => some v.value
  | _ => none

/-- Axioms of Lean's own that a proof can use. -/
def isLeansAxiom (name : Name) : Bool :=
  name == ``propext || name == ``Classical.choice || name == ``Quot.sound || name == ``sorryAx
    || name == ``Lean.ofReduceBool || name == ``Lean.ofReduceNat || name == ``Lean.trustCompiler

/-- Whether `name` is declared in a module that `ours` marks. -/
def isOurs (env : Environment) (ours : Array Bool) (name : Name) : Bool :=
  match env.getModuleIdxFor? name with
  | some i => ours.getD i.toNat false
  | none => false

partial def usesText (env : Environment) (ours : Array Bool) (names : Array Name) (i : Nat) (text : String) : String :=
  if h : i < names.size then
    let name := names[i]
    if isOurs env ours name || isLeansAxiom name then usesText env ours names (i + 1) (text ++ "\t" ++ nameText name)
    else usesText env ours names (i + 1) text
  else text

partial def printConstants (env : Environment) (ours : Array Bool) (names : Array Name) (i : Nat) : IO Unit := do
  if h : i < names.size then
    let name := names[i]
    match env.find? name with
    | none => IO.println ("missing\t" ++ nameText name)
    | some c =>
      let inType := usesText env ours c.type.getUsedConstants 0 ""
      let inValue := match value c with
        | none => ""
        | some v => usesText env ours v.getUsedConstants 0 ""
      IO.println (kind c ++ "\t" ++ nameText name ++ inType ++ inValue)
    printConstants env ours names (i + 1)

partial def printModules (env : Environment) (ours : Array Bool) (i : Nat) : IO Unit := do
  if h : i < env.header.moduleData.size then
    if ours.getD i false then
      IO.println ("module\t" ++ nameText (env.header.moduleNames.getD i .anonymous))
      printConstants env ours env.header.moduleData[i].constNames 0
    printModules env ours (i + 1)

def contains (names : List Name) (name : Name) : Bool :=
  match names with
  | [] => false
  | other :: rest => other == name || contains rest name

partial def mark (wanted : List Name) (names : Array Name) (i : Nat) (ours : Array Bool) : Array Bool :=
  if h : i < names.size then mark wanted names (i + 1) (ours.push (contains wanted names[i])) else ours

def readNames (texts : List String) : List Name :=
  match texts with
  | [] => []
  | text :: rest => text.toName :: readNames rest

def importsOf (names : List Name) (imports : Array Import) : Array Import :=
  match names with
  | [] => imports
  | name :: rest => importsOf rest (imports.push { module := name, importAll := true })

def list (args : List String) : IO Unit := do
  let names := readNames args
  let env ← importModules (loadExts := false) (importsOf names #[]) {}
  printModules env (mark names env.header.moduleNames 0 #[]) 0

def main (args : List String) : IO Unit := do
  let task ← IO.asTask (list args) .dedicated
  IO.ofExcept task.get
  IO.println "end"
  (← IO.getStdout).flush
  IO.Process.exit 0
