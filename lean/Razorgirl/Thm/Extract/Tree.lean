module

public import Razorgirl.Extract.Tree

@[expose] public section

/-! # The tree of a program says which program it is -/

namespace Razorgirl.Extract

theorem Ty.decode_encode : (t : Ty) → Ty.decode t.encode = some t
  | .nat => by simp [Ty.encode, Ty.decode]
  | .int => by simp [Ty.encode, Ty.decode]
  | .bool => by simp [Ty.encode, Ty.decode]
  | .mode => by simp [Ty.encode, Ty.decode]
  | .pair a b => by simp [Ty.encode, Ty.decode, Ty.decode_encode a, Ty.decode_encode b]
  | .list a => by simp [Ty.encode, Ty.decode, Ty.decode_encode a]

theorem decodeCtx_encodeCtx : (Γ : Ctx) → decodeCtx (encodeCtx Γ) = some Γ
  | [] => by simp [encodeCtx, decodeCtx]
  | (n, t) :: Γ => by simp [encodeCtx, decodeCtx, Ty.decode_encode t, decodeCtx_encodeCtx Γ]

theorem Var.at?_index : {Γ : Ctx} → {t : Ty} → (x : Var Γ t) → Var.at? x.index Γ t = some x
  | _, _, .here => by simp [Var.index, Var.at?]
  | _, _, .next x => by simp [Var.index, Var.at?, Var.at?_index x]

theorem Op1.named_name {a b : Ty} (o : Op1 a b) : Op1.named o.name a b = some o := by
  cases o <;> simp [Op1.name, Op1.named]

theorem Op2.named_name {a b c : Ty} (o : Op2 a b c) : Op2.named o.name a b c = some o := by
  cases o <;> simp [Op2.name, Op2.named, Op2.asGet, Op2.asPair, Op2.onNumbers]

mutual
theorem Exp.decode_encode : {Γ : Ctx} → {t : Ty} → (x : Exp Γ t) → Exp.decode x.encode Γ t = some x
  | _, _, .var x => by simp [Exp.encode, Exp.decode, Var.at?_index]
  | _, _, .lit n => by simp [Exp.encode, Exp.decode]
  | _, _, .litI n => by simp [Exp.encode, Exp.decode]
  | _, _, .bool b => by cases b <;> simp [Exp.encode, Exp.decode]
  | _, _, .nil => by simp [Exp.encode, Exp.decode]
  | _, _, .op1 o x => by
    simp [Exp.encode, Exp.decode, Ty.decode_encode, Op1.named_name, x.decode_encode]
  | _, _, .op2 o x y => by
    simp [Exp.encode, Exp.decode, Ty.decode_encode, Op2.named_name, x.decode_encode, y.decode_encode]
  | _, _, .mulIs x y z => by
    simp [Exp.encode, Exp.decode, x.decode_encode, y.decode_encode, z.decode_encode]
  | _, _, .and x y => by simp [Exp.encode, Exp.decode, x.decode_encode, y.decode_encode]
  | _, _, .or x y => by simp [Exp.encode, Exp.decode, x.decode_encode, y.decode_encode]
  | _, _, .call f xs => by
    simp [Exp.encode, Exp.decode, decodeCtx_encodeCtx, f.decode_encode, xs.decode_encode]
theorem Args.decode_encode : {Γ Δ : Ctx} → (xs : Args Γ Δ) → Args.decode xs.encode Γ Δ = some xs
  | _, _, .nil => by simp [Args.encode, Args.decode]
  | _, _, .cons x xs => by simp [Args.encode, Args.decode, x.decode_encode, xs.decode_encode]
theorem Stmt.decode_encode : {Γ : Ctx} → {r : Ty} → (s : Stmt Γ r) → Stmt.decode s.encode Γ r = some s
  | _, _, .skip => by simp [Stmt.encode, Stmt.decode]
  | _, _, .seq a b => by simp [Stmt.encode, Stmt.decode, a.decode_encode, b.decode_encode]
  | _, _, .bind n x b => by simp [Stmt.encode, Stmt.decode, Ty.decode_encode, x.decode_encode, b.decode_encode]
  | _, _, .set x e => by simp [Stmt.encode, Stmt.decode, Ty.decode_encode, Var.at?_index, e.decode_encode]
  | _, _, .push x e => by simp [Stmt.encode, Stmt.decode, Ty.decode_encode, Var.at?_index, e.decode_encode]
  | _, _, .ite c a b => by simp [Stmt.encode, Stmt.decode, c.decode_encode, a.decode_encode, b.decode_encode]
  | _, _, .each n xs b => by simp [Stmt.encode, Stmt.decode, Ty.decode_encode, xs.decode_encode, b.decode_encode]
  | _, _, .upto n m b => by simp [Stmt.encode, Stmt.decode, m.decode_encode, b.decode_encode]
  | _, _, .ret e => by simp [Stmt.encode, Stmt.decode, e.decode_encode]
  | _, _, .refuse c => by simp [Stmt.encode, Stmt.decode]
/-- **The tree of an extracted function says which function it is: reading it gives the function back.**
Source: this extraction -/
theorem Fn.decode_encode : {Δ : Ctx} → {r : Ty} → (f : Fn Δ r) → Fn.decode f.encode Δ r = some f
  | _, _, .mk n doc b => by simp [Fn.encode, Fn.decode, b.decode_encode]
end

end Razorgirl.Extract
