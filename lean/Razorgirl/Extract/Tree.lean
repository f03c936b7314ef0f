module

public import Razorgirl.Extract.Lang

@[expose] public section

/-!
# A program as a tree

What a Rust program is compared with: every program as a tree of names and numbers, printed as JSON arrays. Nothing is lost:
`decode` reads the program back, which `Fn.decode_encode` proves.
-/

namespace Razorgirl.Extract

/-- What a node of a tree is. -/
inductive Tag where
  | u64
  | i64
  | bool
  | mode
  | pair
  | list
  | var
  | lit
  | litI64
  | nil
  | op1
  | op2
  | mulIs
  | and
  | or
  | call
  | skip
  | seq
  | bind
  | set
  | push
  | ite
  | each
  | range
  | ret
  | refuse
  | fn
deriving DecidableEq

/-- The name of a kind of node. -/
def Tag.name : Tag → String
  | .u64 => "u64"
  | .i64 => "i64"
  | .bool => "bool"
  | .mode => "mode"
  | .pair => "pair"
  | .list => "list"
  | .var => "var"
  | .lit => "lit"
  | .litI64 => "lit_i64"
  | .nil => "nil"
  | .op1 => "op1"
  | .op2 => "op2"
  | .mulIs => "mul_is"
  | .and => "and"
  | .or => "or"
  | .call => "call"
  | .skip => "skip"
  | .seq => "seq"
  | .bind => "let"
  | .set => "set"
  | .push => "push"
  | .ite => "if"
  | .each => "for"
  | .range => "range"
  | .ret => "return"
  | .refuse => "refuse"
  | .fn => "fn"

/-- JSON without objects: the kind of a node, a string, a natural number, an array (`nil`, `cons`). -/
inductive Tree where
  | tag (t : Tag)
  | text (s : String)
  | number (n : Nat)
  | nil
  | cons (head tail : Tree)
deriving DecidableEq

mutual
/-- The tree as JSON. Strings hold no quotation marks, backslashes or line breaks. -/
def Tree.json : Tree → String
  | .tag t => "\"" ++ t.name ++ "\""
  | .text s => "\"" ++ s ++ "\""
  | .number n => toString n
  | .nil => "[]"
  | .cons h t => "[" ++ h.json ++ t.jsonRest ++ "]"
/-- The entries of an array after the first. -/
def Tree.jsonRest : Tree → String
  | .cons h t => "," ++ h.json ++ t.jsonRest
  | _ => ""
end

/-- `["tag"]` -/
@[reducible] def Tree.node0 (tag : Tag) : Tree := .cons (.tag tag) .nil
/-- `["tag", a]` -/
@[reducible] def Tree.node1 (tag : Tag) (a : Tree) : Tree := .cons (.tag tag) (.cons a .nil)
/-- `["tag", a, b]` -/
@[reducible] def Tree.node2 (tag : Tag) (a b : Tree) : Tree := .cons (.tag tag) (.cons a (.cons b .nil))
/-- `["tag", a, b, c]` -/
@[reducible] def Tree.node3 (tag : Tag) (a b c : Tree) : Tree :=
  .cons (.tag tag) (.cons a (.cons b (.cons c .nil)))

/-! ## Types, variables, primitives -/

/-- A type as a tree. -/
def Ty.encode : Ty → Tree
  | .nat => .node0 .u64
  | .int => .node0 .i64
  | .bool => .node0 .bool
  | .mode => .node0 .mode
  | .pair a b => .node2 .pair a.encode b.encode
  | .list a => .node1 .list a.encode

/-- The type of a tree. -/
def Ty.decode : Tree → Option Ty
  | .cons (.tag .u64) .nil => some .nat
  | .cons (.tag .i64) .nil => some .int
  | .cons (.tag .bool) .nil => some .bool
  | .cons (.tag .mode) .nil => some .mode
  | .cons (.tag .pair) (.cons a (.cons b .nil)) => (Ty.decode a).bind fun a => (Ty.decode b).map fun b => .pair a b
  | .cons (.tag .list) (.cons a .nil) => (Ty.decode a).map .list
  | _ => none

/-- Parameters with their types. -/
def encodeCtx : Ctx → Tree
  | [] => .nil
  | (n, t) :: Γ => .cons (.cons (.text n) (.cons t.encode .nil)) (encodeCtx Γ)

/-- Parameters of a tree. -/
def decodeCtx : Tree → Option Ctx
  | .nil => some []
  | .cons (.cons (.text n) (.cons t .nil)) Γ => (Ty.decode t).bind fun t => (decodeCtx Γ).map fun Γ => (n, t) :: Γ
  | _ => none

/-- The place of a variable in the context. -/
def Var.index : {Γ : Ctx} → {t : Ty} → Var Γ t → Nat
  | _, _, .here => 0
  | _, _, .next x => x.index + 1

/-- The variable at a place. -/
def Var.at? : (i : Nat) → (Γ : Ctx) → (t : Ty) → Option (Var Γ t)
  | 0, (_, s) :: _, t => if h : t = s then some (h ▸ .here) else none
  | i + 1, _ :: Γ, t => (Var.at? i Γ t).map .next
  | _, [], _ => none

/-- The name of a primitive. -/
def Op1.name : {a b : Ty} → Op1 a b → String
  | _, _, .extent => "extent"
  | _, _, .stride => "stride"
  | _, _, .not => "not"
  | _, _, .len => "len"
  | _, _, .fst => "fst"
  | _, _, .snd => "snd"

/-- The primitive of a name. -/
def Op1.named (s : String) : (a b : Ty) → Option (Op1 a b)
  | .mode, .nat => if s = "extent" then some .extent else if s = "stride" then some .stride else none
  | .bool, .bool => if s = "not" then some .not else none
  | .list _, .nat => if s = "len" then some .len else none
  | .pair a b, c =>
    if s = "fst" then if h : c = a then some (h ▸ .fst) else none
    else if s = "snd" then if h : c = b then some (h ▸ .snd) else none
    else none
  | _, _ => none

/-- The name of a primitive. -/
def Op2.name : {a b c : Ty} → Op2 a b c → String
  | _, _, _, .add => "add"
  | _, _, _, .sub => "sub"
  | _, _, _, .mul => "mul"
  | _, _, _, .div => "div"
  | _, _, _, .mod => "rem"
  | _, _, _, .eq => "eq"
  | _, _, _, .ne => "ne"
  | _, _, _, .lt => "lt"
  | _, _, _, .le => "le"
  | _, _, _, .mode => "mode"
  | _, _, _, .pair => "pair"
  | _, _, _, .get => "get"
  | _, _, _, .addI => "add"
  | _, _, _, .subI => "sub"
  | _, _, _, .mulI => "mul"
  | _, _, _, .divT => "div"
  | _, _, _, .eqI => "eq"
  | _, _, _, .ltI => "lt"

/-- A primitive on numbers by its name. -/
def Op2.onNumbers (s : String) : (a b c : Ty) → Option (Op2 a b c)
  | .nat, .nat, .nat =>
    if s = "add" then some .add else if s = "sub" then some .sub else if s = "mul" then some .mul
    else if s = "div" then some .div else if s = "rem" then some .mod else none
  | .nat, .nat, .bool =>
    if s = "eq" then some .eq else if s = "ne" then some .ne else if s = "lt" then some .lt
    else if s = "le" then some .le else none
  | .nat, .nat, .mode => if s = "mode" then some .mode else none
  | .int, .int, .int =>
    if s = "add" then some .addI else if s = "sub" then some .subI else if s = "mul" then some .mulI
    else if s = "div" then some .divT else none
  | .int, .int, .bool => if s = "eq" then some .eqI else if s = "lt" then some .ltI else none
  | _, _, _ => none

/-- `get`, if the types are right. -/
def Op2.asGet : (a b c : Ty) → Option (Op2 a b c)
  | .list a, .nat, c => if h : c = a then some (h ▸ .get) else none
  | _, _, _ => none

/-- `pair`, if the types are right. -/
def Op2.asPair (a b : Ty) : (c : Ty) → Option (Op2 a b c)
  | .pair c d => if h : a = c ∧ b = d then some (h.1 ▸ h.2 ▸ .pair) else none
  | _ => none

/-- The primitive of a name. -/
def Op2.named (s : String) (a b c : Ty) : Option (Op2 a b c) :=
  if s = "get" then Op2.asGet a b c else if s = "pair" then Op2.asPair a b c else Op2.onNumbers s a b c

/-! ## Programs -/

mutual
/-- An expression as a tree; primitives with the types of their operands, since names are shared. -/
def Exp.encode : {Γ : Ctx} → {t : Ty} → Exp Γ t → Tree
  | _, _, .var x => .node1 .var (.number x.index)
  | _, _, .lit n => .node1 .lit (.number n)
  | _, _, .litI n => .node1 .litI64 (.number n)
  | _, _, .bool b => .node1 .bool (.number (if b then 1 else 0))
  | _, _, .nil => .node0 .nil
  | _, _, .op1 (a := a) o x => .node3 .op1 (.text o.name) a.encode x.encode
  | _, _, .op2 (a := a) (b := b) o x y => .node3 .op2 (.text o.name) (.cons a.encode b.encode) (.cons x.encode y.encode)
  | _, _, .mulIs x y z => .node3 .mulIs x.encode y.encode z.encode
  | _, _, .and x y => .node2 .and x.encode y.encode
  | _, _, .or x y => .node2 .or x.encode y.encode
  | _, _, .call (Δ := Δ) f xs => .node3 .call (encodeCtx Δ) f.encode xs.encode
/-- Arguments as a tree. -/
def Args.encode : {Γ Δ : Ctx} → Args Γ Δ → Tree
  | _, _, .nil => .nil
  | _, _, .cons x xs => .cons x.encode xs.encode
/-- A statement as a tree. -/
def Stmt.encode : {Γ : Ctx} → {r : Ty} → Stmt Γ r → Tree
  | _, _, .skip => .node0 .skip
  | _, _, .seq a b => .node2 .seq a.encode b.encode
  | _, _, .bind (t := t) n x b => .node3 .bind (.cons (.text n) t.encode) x.encode b.encode
  | _, _, .set (t := t) x e => .node3 .set (.number x.index) t.encode e.encode
  | _, _, .push (t := t) x e => .node3 .push (.number x.index) t.encode e.encode
  | _, _, .ite c a b => .node3 .ite c.encode a.encode b.encode
  | _, _, .each (t := t) n xs b => .node3 .each (.cons (.text n) t.encode) xs.encode b.encode
  | _, _, .upto n m b => .node3 .range (.text n) m.encode b.encode
  | _, _, .ret e => .node1 .ret e.encode
  | _, _, .refuse c => .node1 .refuse (.text c)
/-- A function as a tree. -/
def Fn.encode : {Δ : Ctx} → {r : Ty} → Fn Δ r → Tree
  | _, _, .mk n doc b => .node3 .fn (.text n) (.text doc) b.encode
end

mutual
/-- The expression of a tree, of a given type. -/
def Exp.decode : Tree → (Γ : Ctx) → (t : Ty) → Option (Exp Γ t)
  | .cons (.tag .var) (.cons (.number n) .nil), Γ, t => (Var.at? n Γ t).map .var
  | .cons (.tag .lit) (.cons (.number n) .nil), _, .nat => some (.lit n)
  | .cons (.tag .litI64) (.cons (.number n) .nil), _, .int => some (.litI n)
  | .cons (.tag .bool) (.cons (.number n) .nil), _, .bool => some (.bool (n = 1))
  | .cons (.tag .nil) .nil, _, .list _ => some .nil
  | .cons (.tag .op1) (.cons (.text s) (.cons a (.cons x .nil))), Γ, t =>
    (Ty.decode a).bind fun a => (Op1.named s a t).bind fun o => (Exp.decode x Γ a).map fun x => .op1 o x
  | .cons (.tag .op2) (.cons (.text s) (.cons (.cons a b) (.cons (.cons x y) .nil))), Γ, t =>
    (Ty.decode a).bind fun a => (Ty.decode b).bind fun b => (Op2.named s a b t).bind fun o =>
      (Exp.decode x Γ a).bind fun x => (Exp.decode y Γ b).map fun y => .op2 o x y
  | .cons (.tag .mulIs) (.cons x (.cons y (.cons z .nil))), Γ, .bool =>
    (Exp.decode x Γ .nat).bind fun x => (Exp.decode y Γ .nat).bind fun y => (Exp.decode z Γ .nat).map fun z =>
      .mulIs x y z
  | .cons (.tag .and) (.cons x (.cons y .nil)), Γ, .bool =>
    (Exp.decode x Γ .bool).bind fun x => (Exp.decode y Γ .bool).map fun y => .and x y
  | .cons (.tag .or) (.cons x (.cons y .nil)), Γ, .bool =>
    (Exp.decode x Γ .bool).bind fun x => (Exp.decode y Γ .bool).map fun y => .or x y
  | .cons (.tag .call) (.cons d (.cons f (.cons xs .nil))), Γ, t =>
    (decodeCtx d).bind fun Δ => (Fn.decode f Δ t).bind fun f => (Args.decode xs Γ Δ).map fun xs => .call f xs
  | _, _, _ => none
/-- The arguments of a tree. -/
def Args.decode : Tree → (Γ Δ : Ctx) → Option (Args Γ Δ)
  | .nil, _, [] => some .nil
  | .cons x xs, Γ, (_, t) :: Δ => (Exp.decode x Γ t).bind fun x => (Args.decode xs Γ Δ).map fun xs => .cons x xs
  | _, _, _ => none
/-- The statement of a tree. -/
def Stmt.decode : Tree → (Γ : Ctx) → (r : Ty) → Option (Stmt Γ r)
  | .cons (.tag .skip) .nil, _, _ => some .skip
  | .cons (.tag .seq) (.cons a (.cons b .nil)), Γ, r =>
    (Stmt.decode a Γ r).bind fun a => (Stmt.decode b Γ r).map fun b => .seq a b
  | .cons (.tag .bind) (.cons (.cons (.text n) t) (.cons x (.cons b .nil))), Γ, r =>
    (Ty.decode t).bind fun t => (Exp.decode x Γ t).bind fun x => (Stmt.decode b ((n, t) :: Γ) r).map fun b => .bind n x b
  | .cons (.tag .set) (.cons (.number i) (.cons t (.cons e .nil))), Γ, _ =>
    (Ty.decode t).bind fun t => (Var.at? i Γ t).bind fun x => (Exp.decode e Γ t).map fun e => .set x e
  | .cons (.tag .push) (.cons (.number i) (.cons t (.cons e .nil))), Γ, _ =>
    (Ty.decode t).bind fun t => (Var.at? i Γ (.list t)).bind fun x => (Exp.decode e Γ t).map fun e => .push x e
  | .cons (.tag .ite) (.cons c (.cons a (.cons b .nil))), Γ, r =>
    (Exp.decode c Γ .bool).bind fun c => (Stmt.decode a Γ r).bind fun a => (Stmt.decode b Γ r).map fun b => .ite c a b
  | .cons (.tag .each) (.cons (.cons (.text n) t) (.cons x (.cons b .nil))), Γ, r =>
    (Ty.decode t).bind fun t => (Exp.decode x Γ (.list t)).bind fun x =>
      (Stmt.decode b ((n, t) :: Γ) r).map fun b => .each n x b
  | .cons (.tag .range) (.cons (.text n) (.cons m (.cons b .nil))), Γ, r =>
    (Exp.decode m Γ .nat).bind fun m => (Stmt.decode b ((n, .nat) :: Γ) r).map fun b => .upto n m b
  | .cons (.tag .ret) (.cons e .nil), Γ, r => (Exp.decode e Γ r).map .ret
  | .cons (.tag .refuse) (.cons (.text c) .nil), _, _ => some (.refuse c)
  | _, _, _ => none
/-- The function of a tree. -/
def Fn.decode : Tree → (Δ : Ctx) → (r : Ty) → Option (Fn Δ r)
  | .cons (.tag .fn) (.cons (.text n) (.cons (.text doc) (.cons b .nil))), Δ, r =>
    (Stmt.decode b Δ r).map fun b => .mk n doc b
  | _, _, _ => none
end

end Razorgirl.Extract
