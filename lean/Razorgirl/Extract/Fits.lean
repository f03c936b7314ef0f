module

public import Razorgirl.Extract.Lang

@[expose] public section

/-! # Values that fit 64 bits -/

namespace Razorgirl.Extract

/-- All numbers inside fit `u64`, or `i64` where they are signed. -/
def Ty.Fits : (t : Ty) → t.den → Prop
  | .nat, n => n < 2 ^ 64
  | .int, n => -2 ^ 63 ≤ n ∧ n < 2 ^ 63
  | .bool, _ => True
  | .mode, m => m.extent < 2 ^ 64 ∧ m.stride < 2 ^ 64
  | .pair a b, p => a.Fits p.1 ∧ b.Fits p.2
  | .list t, l => ∀ a ∈ l, t.Fits a

/-- The values of all variables fit. -/
def Env.Fits : (Γ : Ctx) → Env Γ → Prop
  | [], _ => True
  | (_, t) :: Γ, e => t.Fits e.1 ∧ Env.Fits Γ e.2

/-- A value, if there is one, is as `P` says. -/
def EFits {α : Type} (P : α → Prop) (x : Except Fault α) : Prop := ∀ a, x = .ok a → P a

/-- A state is as `S` says, a result as `R` says. -/
def OFits {σ ρ : Type} (S : σ → Prop) (R : ρ → Prop) : Out σ ρ → Prop
  | .next s => S s | .ret r => R r | .fault _ => True

end Razorgirl.Extract
