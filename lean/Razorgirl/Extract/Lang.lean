module

public import Razorgirl.Spec.Layout.Basic

@[expose] public section

/-!
# The language of extracted functions

Programs in this language are printed to Rust (`rust/extracted`), and a theorem for each says what it computes. The
language is first-order, typed and total. A program is data, so that what is proved and what is printed are one object.
Variables have names, which only the printer reads; which variable is meant is a place in the context.

Numbers are `Nat` and `Int` here and `u64` and `i64` in Rust. Every operation that could leave that range is checked, and
`run_fits` proves that no value does.
-/

namespace Razorgirl.Extract

/-! ## Types and values -/

/-- The types: `u64`, `i64`, `bool`, `Mode`, a pair, a list. -/
inductive Ty where
  | nat
  | int
  | bool
  | mode
  | pair (a b : Ty)
  | list (a : Ty)
deriving DecidableEq

/-- The values of a type. -/
@[reducible] def Ty.den : Ty → Type
  | .nat => Nat
  | .int => Int
  | .bool => Bool
  | .mode => Mode
  | .pair a b => a.den × b.den
  | .list a => List a.den

/-- Why a function has no value. -/
inductive Fault where
  /-- a number would be 2^64 or more, or below 0 (signed: outside ±2^63) -/
  | overflow
  /-- a divisor is 0 -/
  | divZero
  /-- no entry at that place of a list -/
  | bounds
  /-- the end was reached without a result -/
  | noReturn
  /-- the question has no answer; the kind of refusal, as the library names it -/
  | refuse (code : String)
deriving DecidableEq

/-- The variables in scope with their names, the latest first. -/
abbrev Ctx := List (String × Ty)

/-- A value for each variable. -/
@[reducible] def Env : Ctx → Type
  | [] => Unit
  | (_, t) :: Γ => t.den × Env Γ

/-- A variable of type `t` in scope. -/
inductive Var : Ctx → Ty → Type where
  | here {x : String} {t : Ty} {Γ : Ctx} : Var ((x, t) :: Γ) t
  | next {p : String × Ty} {Γ : Ctx} {t : Ty} (x : Var Γ t) : Var (p :: Γ) t

/-- The value of a variable. -/
@[simp] def Var.get : {Γ : Ctx} → {t : Ty} → Var Γ t → Env Γ → t.den
  | _, _, .here, e => e.1
  | _, _, .next x, e => x.get e.2

/-- Changes the value of a variable. -/
@[simp] def Var.put : {Γ : Ctx} → {t : Ty} → Var Γ t → t.den → Env Γ → Env Γ
  | _, _, .here, v, e => (v, e.2)
  | _, _, .next x, v, e => (e.1, x.put v e.2)

/-! ## Primitives -/

/-- A number, if it fits `u64`. -/
def check (n : Nat) : Except Fault Nat := if n < 2 ^ 64 then .ok n else .error .overflow

/-- A number, if it fits `i64`. -/
def checkInt (n : Int) : Except Fault Int := if -2 ^ 63 ≤ n ∧ n < 2 ^ 63 then .ok n else .error .overflow

/-- A difference that is not negative. -/
@[simp] def subC (x y : Nat) : Except Fault Nat := if y ≤ x then .ok (x - y) else .error .overflow

/-- A quotient, rounded down. -/
@[simp] def divC (x y : Nat) : Except Fault Nat := if y = 0 then .error .divZero else .ok (x / y)

/-- A remainder. -/
@[simp] def modC (x y : Nat) : Except Fault Nat := if y = 0 then .error .divZero else .ok (x % y)

/-- An entry of a list. -/
def getC {α : Type} : List α → Nat → Except Fault α
  | [], _ => .error .bounds
  | a :: _, 0 => .ok a
  | _ :: l, i + 1 => getC l i

/-- A truncated quotient, as in C. -/
def tdivC (x y : Int) : Except Fault Int := if y = 0 then .error .divZero else checkInt (x.tdiv y)

/-- Primitives with one operand. -/
inductive Op1 : Ty → Ty → Type where
  | extent : Op1 .mode .nat
  | stride : Op1 .mode .nat
  | not : Op1 .bool .bool
  | len {a : Ty} : Op1 (.list a) .nat
  | fst {a b : Ty} : Op1 (.pair a b) a
  | snd {a b : Ty} : Op1 (.pair a b) b

/-- Primitives with two operands. -/
inductive Op2 : Ty → Ty → Ty → Type where
  | add : Op2 .nat .nat .nat
  | sub : Op2 .nat .nat .nat
  | mul : Op2 .nat .nat .nat
  | div : Op2 .nat .nat .nat
  | mod : Op2 .nat .nat .nat
  | eq : Op2 .nat .nat .bool
  | ne : Op2 .nat .nat .bool
  | lt : Op2 .nat .nat .bool
  | le : Op2 .nat .nat .bool
  | mode : Op2 .nat .nat .mode
  | pair {a b : Ty} : Op2 a b (.pair a b)
  | get {a : Ty} : Op2 (.list a) .nat a
  | addI : Op2 .int .int .int
  | subI : Op2 .int .int .int
  | mulI : Op2 .int .int .int
  | divT : Op2 .int .int .int
  | eqI : Op2 .int .int .bool
  | ltI : Op2 .int .int .bool

/-- What a primitive computes. -/
@[simp] def Op1.run : {a b : Ty} → Op1 a b → a.den → Except Fault b.den
  | _, _, .extent, m => .ok m.extent
  | _, _, .stride, m => .ok m.stride
  | _, _, .not, b => .ok (!b)
  | _, _, .len, l => check l.length
  | _, _, .fst, p => .ok p.1
  | _, _, .snd, p => .ok p.2

/-- What a primitive computes. -/
@[simp] def Op2.run : {a b c : Ty} → Op2 a b c → a.den → b.den → Except Fault c.den
  | _, _, _, .add, x, y => check (x + y)
  | _, _, _, .sub, x, y => subC x y
  | _, _, _, .mul, x, y => check (x * y)
  | _, _, _, .div, x, y => divC x y
  | _, _, _, .mod, x, y => modC x y
  | _, _, _, .eq, x, y => .ok (decide (x = y))
  | _, _, _, .ne, x, y => .ok (decide (x ≠ y))
  | _, _, _, .lt, x, y => .ok (decide (x < y))
  | _, _, _, .le, x, y => .ok (decide (x ≤ y))
  | _, _, _, .mode, x, y => .ok ⟨x, y⟩
  | _, _, _, .pair, x, y => .ok (x, y)
  | _, _, _, .get, l, i => getC l i
  | _, _, _, .addI, x, y => checkInt (x + y)
  | _, _, _, .subI, x, y => checkInt (x - y)
  | _, _, _, .mulI, x, y => checkInt (x * y)
  | _, _, _, .divT, x, y => tdivC x y
  | _, _, _, .eqI, x, y => .ok (decide (x = y))
  | _, _, _, .ltI, x, y => .ok (decide (x < y))

/-! ## Programs -/

mutual
/-- Expressions. -/
inductive Exp : Ctx → Ty → Type where
  | var {Γ : Ctx} {t : Ty} (x : Var Γ t) : Exp Γ t
  | lit {Γ : Ctx} (n : Nat) : Exp Γ .nat
  /-- a literal of `i64` that is not negative -/
  | litI {Γ : Ctx} (n : Nat) : Exp Γ .int
  | bool {Γ : Ctx} (b : Bool) : Exp Γ .bool
  | nil {Γ : Ctx} {t : Ty} : Exp Γ (.list t)
  | op1 {Γ : Ctx} {a b : Ty} (o : Op1 a b) (x : Exp Γ a) : Exp Γ b
  | op2 {Γ : Ctx} {a b c : Ty} (o : Op2 a b c) (x : Exp Γ a) (y : Exp Γ b) : Exp Γ c
  /-- `x * y = z` as natural numbers: never a fault, however large the product -/
  | mulIs {Γ : Ctx} (x y z : Exp Γ .nat) : Exp Γ .bool
  | and {Γ : Ctx} (x y : Exp Γ .bool) : Exp Γ .bool
  | or {Γ : Ctx} (x y : Exp Γ .bool) : Exp Γ .bool
  /-- a call; the function called is part of the program -/
  | call {Γ Δ : Ctx} {r : Ty} (f : Fn Δ r) (xs : Args Γ Δ) : Exp Γ r
/-- One expression for each parameter. -/
inductive Args : Ctx → Ctx → Type where
  | nil {Γ : Ctx} : Args Γ []
  | cons {Γ : Ctx} {n : String} {t : Ty} {Δ : Ctx} (x : Exp Γ t) (xs : Args Γ Δ) : Args Γ ((n, t) :: Δ)
/-- Statements of a function with result `r`. -/
inductive Stmt : Ctx → Ty → Type where
  | skip {Γ : Ctx} {r : Ty} : Stmt Γ r
  | seq {Γ : Ctx} {r : Ty} (a b : Stmt Γ r) : Stmt Γ r
  /-- `let n = x;` and the rest of the block -/
  | bind {Γ : Ctx} {r t : Ty} (n : String) (x : Exp Γ t) (body : Stmt ((n, t) :: Γ) r) : Stmt Γ r
  | set {Γ : Ctx} {r t : Ty} (x : Var Γ t) (e : Exp Γ t) : Stmt Γ r
  | push {Γ : Ctx} {r t : Ty} (x : Var Γ (.list t)) (e : Exp Γ t) : Stmt Γ r
  | ite {Γ : Ctx} {r : Ty} (c : Exp Γ .bool) (a b : Stmt Γ r) : Stmt Γ r
  /-- `for n in xs` -/
  | each {Γ : Ctx} {r t : Ty} (n : String) (xs : Exp Γ (.list t)) (body : Stmt ((n, t) :: Γ) r) : Stmt Γ r
  /-- `for n in 0..m` -/
  | upto {Γ : Ctx} {r : Ty} (n : String) (m : Exp Γ .nat) (body : Stmt ((n, .nat) :: Γ) r) : Stmt Γ r
  | ret {Γ : Ctx} {r : Ty} (e : Exp Γ r) : Stmt Γ r
  /-- ends the function without an answer -/
  | refuse {Γ : Ctx} {r : Ty} (code : String) : Stmt Γ r
/-- A function with parameters `Δ` and result `r`. -/
inductive Fn : Ctx → Ty → Type where
  | mk {Δ : Ctx} {r : Ty} (name doc : String) (body : Stmt Δ r) : Fn Δ r
end

/-! ## What a program means -/

/-- How a statement ends: it goes on, it returns, or it has no value. -/
inductive Out (σ ρ : Type) where
  | next (s : σ)
  | ret (r : ρ)
  | fault (f : Fault)

/-- One statement after the other. -/
@[simp] def Out.andThen {σ τ ρ : Type} (o : Out σ ρ) (k : σ → Out τ ρ) : Out τ ρ :=
  match o with
  | .next s => k s
  | .ret r => .ret r
  | .fault f => .fault f

/-- A statement that uses the value of an expression. -/
@[simp] def Out.ofExp {α σ ρ : Type} (x : Except Fault α) (k : α → Out σ ρ) : Out σ ρ :=
  match x with
  | .ok a => k a
  | .error f => .fault f

/-- `for a in l`. -/
def Out.each {α σ ρ : Type} (f : α → σ → Out (α × σ) ρ) : List α → σ → Out σ ρ
  | [], s => .next s
  | a :: as, s => (f a s).andThen fun p => Out.each f as p.2

/-- `for i in start..start + n`. -/
def Out.upto {σ ρ : Type} (f : Nat → σ → Out (Nat × σ) ρ) : (start n : Nat) → σ → Out σ ρ
  | _, 0, s => .next s
  | i, n + 1, s => (f i s).andThen fun p => Out.upto f (i + 1) n p.2

/-- An expression that uses the value of another. -/
@[simp] def bindE {α β : Type} (x : Except Fault α) (k : α → Except Fault β) : Except Fault β :=
  match x with
  | .ok a => k a
  | .error f => .error f

/-- The value of a call. -/
@[simp] def Out.value {σ ρ : Type} : Out σ ρ → Except Fault ρ
  | .next _ => .error .noReturn
  | .ret r => .ok r
  | .fault f => .error f

mutual
/-- The value of an expression. -/
@[simp] def Exp.run : {Γ : Ctx} → {t : Ty} → Exp Γ t → Env Γ → Except Fault t.den
  | _, _, .var x, e => .ok (x.get e)
  | _, _, .lit n, _ => check n
  | _, _, .litI n, _ => checkInt n
  | _, _, .bool b, _ => .ok b
  | _, _, .nil, _ => .ok []
  | _, _, .op1 o x, e => bindE (x.run e) o.run
  | _, _, .op2 o x y, e => bindE (x.run e) fun a => bindE (y.run e) fun b => o.run a b
  | _, _, .mulIs x y z, e =>
    bindE (x.run e) fun a => bindE (y.run e) fun b => bindE (z.run e) fun c => .ok (decide (a * b = c))
  | _, _, .and x y, e => bindE (x.run e) fun a => if a then y.run e else .ok false
  | _, _, .or x y, e => bindE (x.run e) fun a => if a then .ok true else y.run e
  | _, _, .call f xs, e => bindE (xs.run e) f.run
/-- The values of arguments, from left to right. -/
@[simp] def Args.run : {Γ Δ : Ctx} → Args Γ Δ → Env Γ → Except Fault (Env Δ)
  | _, _, .nil, _ => .ok ()
  | _, _, .cons x xs, e => bindE (x.run e) fun a => bindE (xs.run e) fun as => .ok (a, as)
/-- What a statement does. -/
@[simp] def Stmt.run : {Γ : Ctx} → {r : Ty} → Stmt Γ r → Env Γ → Out (Env Γ) r.den
  | _, _, .skip, e => .next e
  | _, _, .seq a b, e => (a.run e).andThen b.run
  | _, _, .bind _ x b, e => .ofExp (x.run e) fun v => (b.run (v, e)).andThen fun p => .next p.2
  | _, _, .set x v, e => .ofExp (v.run e) fun v => .next (x.put v e)
  | _, _, .push x v, e => .ofExp (v.run e) fun v => .next (x.put (x.get e ++ [v]) e)
  | _, _, .ite c a b, e => .ofExp (c.run e) fun c => if c then a.run e else b.run e
  | _, _, .each _ xs b, e => .ofExp (xs.run e) fun l => Out.each (fun a s => b.run (a, s)) l e
  | _, _, .upto _ m b, e => .ofExp (m.run e) fun m => Out.upto (fun i s => b.run (i, s)) 0 m e
  | _, _, .ret v, e => .ofExp (v.run e) .ret
  | _, _, .refuse c, _ => .fault (.refuse c)
/-- The meaning of a function. -/
@[simp] def Fn.run : {Δ : Ctx} → {r : Ty} → Fn Δ r → Env Δ → Except Fault r.den
  | _, _, .mk _ _ b, e => (b.run e).value
end

/-! ## Writing programs -/

/-- Finds the latest variable of a name. -/
class Has (x : String) (Γ : Ctx) (t : outParam Ty) where
  /-- where it is -/
  var : Var Γ t

@[reducible] instance {x : String} {t : Ty} {Γ : Ctx} : Has x ((x, t) :: Γ) t := ⟨.here⟩
@[reducible] instance (priority := low) {x : String} {t : Ty} {Γ : Ctx} {p : String × Ty} [h : Has x Γ t] :
    Has x (p :: Γ) t := ⟨.next h.var⟩

/-- A variable by name. -/
@[reducible] def v {Γ : Ctx} {t : Ty} (x : String) [h : Has x Γ t] : Exp Γ t := .var h.var

/-- `x = e;` -/
@[reducible] def set {Γ : Ctx} {r t : Ty} (x : String) [h : Has x Γ t] (e : Exp Γ t) : Stmt Γ r := .set h.var e

/-- `x.push(e);` -/
@[reducible] def push {Γ : Ctx} {r t : Ty} (x : String) [h : Has x Γ (.list t)] (e : Exp Γ t) : Stmt Γ r :=
  .push h.var e

/-- `if c { s }` -/
@[reducible] def when {Γ : Ctx} {r : Ty} (c : Exp Γ .bool) (s : Stmt Γ r) : Stmt Γ r := .ite c s .skip

/-- A call with one argument. -/
@[reducible] def call1 {Γ : Ctx} {n : String} {a r : Ty} (f : Fn [(n, a)] r) (x : Exp Γ a) : Exp Γ r :=
  .call f (.cons x .nil)

/-- A call with two arguments. -/
@[reducible] def call2 {Γ : Ctx} {n m : String} {a b r : Ty} (f : Fn [(n, a), (m, b)] r) (x : Exp Γ a)
    (y : Exp Γ b) : Exp Γ r := .call f (.cons x (.cons y .nil))

end Razorgirl.Extract
