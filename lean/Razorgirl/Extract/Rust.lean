module

public import Razorgirl.Extract.Tree

@[expose] public section

/-!
# A program as Rust

Text that `rustfmt` then lays out. It is not trusted: a checker reads the Rust back and compares it with the tree of the
program (`Tree.lean`).
-/

namespace Razorgirl.Extract

/-- The name of a variable. -/
def Var.name : {Γ : Ctx} → {t : Ty} → Var Γ t → String
  | _, _, .here (x := n) => n
  | _, _, .next x => x.name

/-- A type. -/
def Ty.rust : Ty → String
  | .nat => "u64"
  | .int => "i64"
  | .bool => "bool"
  | .mode => "Mode"
  | .pair a b => "(" ++ a.rust ++ ", " ++ b.rust ++ ")"
  | .list a => "List<" ++ a.rust ++ ">"

/-- The type of a parameter. -/
def Ty.param : Ty → String
  | .list a => "&[" ++ a.rust ++ "]"
  | a => a.rust

/-- A primitive with one operand. -/
def Op1.rust : {a b : Ty} → Op1 a b → String → String
  | _, _, .extent, x => x ++ ".extent"
  | _, _, .stride, x => x ++ ".stride"
  | _, _, .not, x => "!" ++ x
  | _, _, .len, x => "len(&" ++ x ++ ")"
  | _, _, .fst, x => x ++ ".0"
  | _, _, .snd, x => x ++ ".1"

/-- A primitive with two operands. -/
def Op2.rust : {a b c : Ty} → Op2 a b c → String → String → String
  | _, _, _, .add, x, y => "add(" ++ x ++ ", " ++ y ++ ")?"
  | _, _, _, .sub, x, y => "sub(" ++ x ++ ", " ++ y ++ ")?"
  | _, _, _, .mul, x, y => "mul(" ++ x ++ ", " ++ y ++ ")?"
  | _, _, _, .div, x, y => "div(" ++ x ++ ", " ++ y ++ ")?"
  | _, _, _, .mod, x, y => "rem(" ++ x ++ ", " ++ y ++ ")?"
  | _, _, _, .eq, x, y => x ++ " == " ++ y
  | _, _, _, .ne, x, y => x ++ " != " ++ y
  | _, _, _, .lt, x, y => x ++ " < " ++ y
  | _, _, _, .le, x, y => x ++ " <= " ++ y
  | _, _, _, .mode, x, y => "Mode { extent: " ++ x ++ ", stride: " ++ y ++ " }"
  | _, _, _, .pair, x, y => "(" ++ x ++ ", " ++ y ++ ")"
  | _, _, _, .get, x, y => "get(&" ++ x ++ ", " ++ y ++ ")?"
  | _, _, _, .addI, x, y => "add_i64(" ++ x ++ ", " ++ y ++ ")?"
  | _, _, _, .subI, x, y => "sub_i64(" ++ x ++ ", " ++ y ++ ")?"
  | _, _, _, .mulI, x, y => "mul_i64(" ++ x ++ ", " ++ y ++ ")?"
  | _, _, _, .divT, x, y => "div_i64(" ++ x ++ ", " ++ y ++ ")?"
  | _, _, _, .eqI, x, y => x ++ " == " ++ y
  | _, _, _, .ltI, x, y => x ++ " < " ++ y

/-- The name of a function. -/
def Fn.name : {Δ : Ctx} → {r : Ty} → Fn Δ r → String
  | _, _, .mk n _ _ => n

/-- `(x)` -/
def paren (x : String) : String := "(" ++ x ++ ")"

mutual
/-- An expression. -/
def Exp.rust : {Γ : Ctx} → {t : Ty} → Exp Γ t → String
  | _, _, .var x => x.name
  | _, _, .lit n => toString n
  | _, _, .litI n => toString n
  | _, _, .bool b => if b then "true" else "false"
  | _, _, .nil => "List::new()"
  | _, _, .op1 o x => o.rust x.inner
  | _, _, .op2 o x y => o.rust x.rust y.rust
  | _, _, .mulIs x y z => "mul_is(" ++ x.rust ++ ", " ++ y.rust ++ ", " ++ z.rust ++ ")"
  | _, _, .and x y => x.inner ++ " && " ++ y.inner
  | _, _, .or x y => x.inner ++ " || " ++ y.inner
  | _, _, .call f xs => f.name ++ "(" ++ xs.rust ++ ")?"
/-- An expression as an operand: parentheses around what binds less than a comparison of names. -/
def Exp.inner : {Γ : Ctx} → {t : Ty} → Exp Γ t → String
  | _, _, .and x y => paren (x.inner ++ " && " ++ y.inner)
  | _, _, .or x y => paren (x.inner ++ " || " ++ y.inner)
  | _, _, .op2 .eq x y => paren (x.rust ++ " == " ++ y.rust)
  | _, _, .op2 .ne x y => paren (x.rust ++ " != " ++ y.rust)
  | _, _, .op2 .lt x y => paren (x.rust ++ " < " ++ y.rust)
  | _, _, .op2 .le x y => paren (x.rust ++ " <= " ++ y.rust)
  | _, _, .op2 .eqI x y => paren (x.rust ++ " == " ++ y.rust)
  | _, _, .op2 .ltI x y => paren (x.rust ++ " < " ++ y.rust)
  | _, _, .op2 o x y => o.rust x.rust y.rust
  | _, _, .op1 o x => o.rust x.inner
  | _, _, .var x => x.name
  | _, _, .lit n => toString n
  | _, _, .litI n => toString n
  | _, _, .bool b => if b then "true" else "false"
  | _, _, .nil => "List::new()"
  | _, _, .mulIs x y z => "mul_is(" ++ x.rust ++ ", " ++ y.rust ++ ", " ++ z.rust ++ ")"
  | _, _, .call f xs => f.name ++ "(" ++ xs.rust ++ ")?"
/-- Arguments: lists by reference. -/
def Args.rust : {Γ Δ : Ctx} → Args Γ Δ → String
  | _, _, .nil => ""
  | _, _, .cons (t := .list _) x xs => "&" ++ x.rust ++ ", " ++ xs.rust
  | _, _, .cons x xs => x.rust ++ ", " ++ xs.rust
end

/-- Whether a statement changes the variable at a place. -/
def Stmt.sets : {Γ : Ctx} → {r : Ty} → (i : Nat) → Stmt Γ r → Bool
  | _, _, i, .seq a b => a.sets i || b.sets i
  | _, _, i, .bind _ _ b => b.sets (i + 1)
  | _, _, i, .set x _ => Nat.beq x.index i
  | _, _, i, .push x _ => Nat.beq x.index i
  | _, _, i, .ite _ a b => a.sets i || b.sets i
  | _, _, i, .each _ _ b => b.sets (i + 1)
  | _, _, i, .upto _ _ b => b.sets (i + 1)
  | _, _, _, _ => false

/-- Whether nothing is done. -/
def Stmt.isSkip : {Γ : Ctx} → {r : Ty} → Stmt Γ r → Bool
  | _, _, .skip => true
  | _, _, _ => false

/-- How many variables are in scope. -/
def depth : Ctx → Nat
  | [] => 0
  | _ :: Γ => depth Γ + 1

/-- A value that is kept: a list that another variable holds is copied. -/
def Exp.kept : {Γ : Ctx} → {t : Ty} → Exp Γ t → String
  | _, .list _, .var x => "List::from(&" ++ x.name ++ "[..])"
  | _, _, e => e.rust

/-- A value that is returned: a list moves out of its variable, but a parameter is copied. -/
def Exp.returned (params : Nat) : {Γ : Ctx} → {t : Ty} → Exp Γ t → String
  | Γ, .list _, .var x => if depth Γ ≤ x.index + params then "List::from(" ++ x.name ++ ")" else x.name
  | _, _, e => e.rust

/-- The statements of a block; `params` of the variables in scope are parameters, and `tail` is true where the block ends
the function. -/
def Stmt.rust (params : Nat) : {Γ : Ctx} → {r : Ty} → (tail : Bool) → Stmt Γ r → String
  | _, _, _, .skip => ""
  | _, _, tail, .seq (.bind (t := t) n x b) c =>
    "{ let " ++ (if b.sets 0 then "mut " else "") ++ n ++ ": " ++ t.rust ++ " = " ++ x.kept ++ ";\n" ++
      b.rust params false ++ "}\n" ++ c.rust params tail
  | _, _, tail, .seq a b => a.rust params false ++ b.rust params tail
  | _, _, tail, .bind (t := t) n x b =>
    "let " ++ (if b.sets 0 then "mut " else "") ++ n ++ ": " ++ t.rust ++ " = " ++ x.kept ++ ";\n" ++
      b.rust params tail
  | _, _, _, .set x e => x.name ++ " = " ++ e.kept ++ ";\n"
  | _, _, _, .push x e => x.name ++ ".push(" ++ e.rust ++ ");\n"
  | _, _, tail, .ite c a b =>
    "if " ++ c.rust ++ " {\n" ++ a.rust params tail ++
      (if b.isSkip then "}\n" else "} else {\n" ++ b.rust params tail ++ "}\n")
  | _, _, _, .each n xs b => "for &" ++ n ++ " in " ++ xs.rust ++ ".iter() {\n" ++ b.rust params false ++ "}\n"
  | _, _, _, .upto n m b => "for " ++ n ++ " in 0.." ++ m.rust ++ " {\n" ++ b.rust params false ++ "}\n"
  | _, _, true, .ret e => "Ok(" ++ e.returned params ++ ")\n"
  | _, _, false, .ret e => "return Ok(" ++ e.returned params ++ ");\n"
  | _, _, true, .refuse c => "Err(Fault::Refuse(\"" ++ c ++ "\"))\n"
  | _, _, false, .refuse c => "return Err(Fault::Refuse(\"" ++ c ++ "\"));\n"

/-- The parameters in order. -/
def paramsRust : Ctx → String
  | [] => ""
  | (n, t) :: Γ => n ++ ": " ++ t.param ++ ", " ++ paramsRust Γ

/-- A function; `theorems` is named in its documentation. -/
def Fn.rust (theorems : String) : {Δ : Ctx} → {r : Ty} → Fn Δ r → String
  | Δ, r, .mk n doc b =>
    "/// " ++ doc ++ "\n///\n/// Proved in Lean: `" ++ theorems ++ "`.\n#[inline(always)]\npub fn " ++ n ++ "(" ++ paramsRust Δ ++
      ") -> Result<" ++ r.rust ++ ", Fault> {\n" ++ b.rust (depth Δ) true ++ "}\n"

end Razorgirl.Extract
