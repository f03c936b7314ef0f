module

public import Razorgirl.Extract.Fits

@[expose] public section

/-!
# Values fit

Every number that a program meets fits `u64` or `i64`, if those in its arguments do: so `Nat` and `Int` in the meaning of
a program are what Rust computes.
-/

namespace Razorgirl.Extract

theorem EFits.ok {α : Type} {P : α → Prop} {a : α} (h : P a) : EFits P (.ok a) := by
  intro b hb; cases hb; exact h
theorem EFits.error {α : Type} {P : α → Prop} {f : Fault} : EFits P (.error f) := by intro b hb; cases hb

theorem EFits.bind {α β : Type} {P : α → Prop} {Q : β → Prop} {x : Except Fault α} {k : α → Except Fault β}
    (h : EFits P x) (hk : ∀ a, P a → EFits Q (k a)) : EFits Q (bindE x k) := by
  cases x with
  | ok a => exact hk a (h a rfl)
  | error f => exact .error

theorem OFits.ofExp {α σ ρ : Type} {P : α → Prop} {S : σ → Prop} {R : ρ → Prop} {x : Except Fault α}
    {k : α → Out σ ρ} (h : EFits P x) (hk : ∀ a, P a → OFits S R (k a)) : OFits S R (.ofExp x k) := by
  cases x with
  | ok a => exact hk a (h a rfl)
  | error f => trivial

theorem OFits.andThen {σ τ ρ : Type} {S : σ → Prop} {T : τ → Prop} {R : ρ → Prop} {o : Out σ ρ}
    {k : σ → Out τ ρ} (h : OFits S R o) (hk : ∀ s, S s → OFits T R (k s)) : OFits T R (o.andThen k) := by
  cases o with
  | next s => exact hk s h
  | ret r => exact h
  | fault f => trivial

theorem OFits.each {α σ ρ : Type} {P : α → Prop} {S : σ → Prop} {R : ρ → Prop} {f : α → σ → Out (α × σ) ρ}
    (hf : ∀ a s, P a → S s → OFits (fun p => S p.2) R (f a s)) (l : List α) (s : σ)
    (hl : ∀ a ∈ l, P a) (hs : S s) : OFits S R (Out.each f l s) := by
  induction l generalizing s with
  | nil => exact hs
  | cons a l ih =>
    exact .andThen (hf a s (hl a (by simp)) hs) fun p hp => ih p.2 (fun b hb => hl b (by simp [hb])) hp

theorem OFits.upto {σ ρ : Type} {S : σ → Prop} {R : ρ → Prop} {f : Nat → σ → Out (Nat × σ) ρ} {N : Nat}
    (hf : ∀ i s, i < N → S s → OFits (fun p => S p.2) R (f i s)) (i n : Nat) (s : σ)
    (hi : i + n ≤ N) (hs : S s) : OFits S R (Out.upto f i n s) := by
  induction n generalizing i s with
  | zero => exact hs
  | succ n ih => exact .andThen (hf i s (by omega) hs) fun p hp => ih (i + 1) p.2 (by omega) hp

theorem check_fits (n : Nat) : EFits (Ty.Fits .nat) (check n) := by
  unfold check; split
  · exact .ok (by assumption)
  · exact .error

theorem checkInt_fits (n : Int) : EFits (Ty.Fits .int) (checkInt n) := by
  unfold checkInt; split
  · exact .ok (by assumption)
  · exact .error

theorem Var.get_fits {Γ : Ctx} {t : Ty} (x : Var Γ t) (e : Env Γ) (h : Env.Fits Γ e) : t.Fits (x.get e) := by
  induction x with
  | here => exact h.1
  | next x ih => exact ih e.2 h.2

theorem Var.put_fits {Γ : Ctx} {t : Ty} (x : Var Γ t) (e : Env Γ) (a : t.den) (h : Env.Fits Γ e) (ha : t.Fits a) :
    Env.Fits Γ (x.put a e) := by
  induction x with
  | here => exact ⟨ha, h.2⟩
  | next x ih => exact ⟨h.1, ih e.2 a h.2 ha⟩

theorem getC_fits {α : Type} {P : α → Prop} (l : List α) (i : Nat) (h : ∀ a ∈ l, P a) : EFits P (getC l i) := by
  induction l generalizing i with
  | nil => exact .error
  | cons a l ih =>
    cases i with
    | zero => exact .ok (h a (by simp))
    | succ i => exact ih i fun b hb => h b (by simp [hb])

theorem Op1.run_fits {a b : Ty} (o : Op1 a b) (x : a.den) (h : a.Fits x) : EFits b.Fits (o.run x) := by
  cases o with
  | extent => exact .ok h.1
  | stride => exact .ok h.2
  | not => exact .ok trivial
  | len => exact check_fits _
  | fst => exact .ok h.1
  | snd => exact .ok h.2

theorem Op2.run_fits {a b c : Ty} (o : Op2 a b c) (x : a.den) (y : b.den) (h : a.Fits x) (h' : b.Fits y) :
    EFits c.Fits (o.run x y) := by
  cases o with
  | add => exact check_fits _
  | mul => exact check_fits _
  | sub =>
    simp only [Op2.run, subC]
    split
    · exact .ok (Nat.lt_of_le_of_lt (Nat.sub_le _ _) h)
    · exact .error
  | div =>
    simp only [Op2.run, divC]
    split
    · exact .error
    · exact .ok (Nat.lt_of_le_of_lt (Nat.div_le_self _ _) h)
  | mod =>
    simp only [Op2.run, modC]
    split
    · exact .error
    · exact .ok (Nat.lt_of_le_of_lt (Nat.mod_le _ _) h)
  | eq => exact .ok trivial
  | ne => exact .ok trivial
  | lt => exact .ok trivial
  | le => exact .ok trivial
  | mode => exact .ok ⟨h, h'⟩
  | pair => exact .ok ⟨h, h'⟩
  | get =>
    exact getC_fits x y h
  | addI => exact checkInt_fits _
  | subI => exact checkInt_fits _
  | mulI => exact checkInt_fits _
  | divT =>
    simp only [Op2.run, tdivC]
    split
    · exact .error
    · exact checkInt_fits _
  | eqI => exact .ok trivial
  | ltI => exact .ok trivial

mutual
theorem Exp.run_fits : {Γ : Ctx} → {t : Ty} → (x : Exp Γ t) → (e : Env Γ) → Env.Fits Γ e → EFits t.Fits (x.run e)
  | _, _, .var x, e, h => .ok (x.get_fits e h)
  | _, _, .lit n, _, _ => check_fits n
  | _, _, .litI n, _, _ => checkInt_fits n
  | _, _, .bool _, _, _ => .ok trivial
  | _, _, .nil, _, _ => .ok (by intro a ha; cases ha)
  | _, _, .op1 o x, e, h => by simp only [Exp.run]; exact .bind (x.run_fits e h) fun a ha => o.run_fits a ha
  | _, _, .op2 o x y, e, h => by
    simp only [Exp.run]
    exact .bind (x.run_fits e h) fun a ha => .bind (y.run_fits e h) fun b hb => o.run_fits a b ha hb
  | _, _, .mulIs x y z, e, h => by
    simp only [Exp.run]
    exact .bind (x.run_fits e h) fun a _ => .bind (y.run_fits e h) fun b _ => .bind (z.run_fits e h) fun c _ => .ok trivial
  | _, _, .and x y, e, h => fun _ _ => trivial
  | _, _, .or x y, e, h => fun _ _ => trivial
  | _, _, .call f xs, e, h => by simp only [Exp.run]; exact .bind (xs.run_fits e h) fun a ha => f.run_fits a ha
theorem Args.run_fits : {Γ Δ : Ctx} → (xs : Args Γ Δ) → (e : Env Γ) → Env.Fits Γ e → EFits (Env.Fits Δ) (xs.run e)
  | _, _, .nil, _, _ => .ok trivial
  | _, _, .cons x xs, e, h => by
    simp only [Args.run]
    exact .bind (x.run_fits e h) fun a ha => .bind (xs.run_fits e h) fun as has => .ok ⟨ha, has⟩
theorem Stmt.run_fits : {Γ : Ctx} → {r : Ty} → (s : Stmt Γ r) → (e : Env Γ) → Env.Fits Γ e →
    OFits (Env.Fits Γ) r.Fits (s.run e)
  | _, _, .skip, _, h => h
  | _, _, .seq a b, e, h => by simp only [Stmt.run]; exact .andThen (a.run_fits e h) fun s hs => b.run_fits s hs
  | _, _, .bind _ x b, e, h => by
    simp only [Stmt.run]
    exact .ofExp (x.run_fits e h) fun v hv => .andThen (b.run_fits (v, e) ⟨hv, h⟩) fun p hp => hp.2
  | _, _, .set x v, e, h => by
    simp only [Stmt.run]; exact .ofExp (v.run_fits e h) fun v hv => x.put_fits e v h hv
  | _, _, .push x v, e, h => by
    simp only [Stmt.run]
    refine .ofExp (v.run_fits e h) fun v hv => x.put_fits e _ h ?_
    intro a ha
    rcases List.mem_append.1 ha with ha | ha
    · exact x.get_fits e h a ha
    · rw [List.mem_singleton.1 ha]; exact hv
  | _, _, .ite c a b, e, h => by
    simp only [Stmt.run]
    refine .ofExp (c.run_fits e h) fun c _ => ?_
    split
    · exact a.run_fits e h
    · exact b.run_fits e h
  | _, _, .each _ xs b, e, h => by
    simp only [Stmt.run]
    refine .ofExp (xs.run_fits e h) fun l hl => OFits.each ?_ l e hl h
    intro a s ha hs
    have := b.run_fits (a, s) ⟨ha, hs⟩
    revert this; cases b.run (a, s) with
    | next p => exact fun h => h.2
    | ret r => exact id
    | fault f => exact id
  | _, _, .upto _ m b, e, h => by
    simp only [Stmt.run]
    refine .ofExp (m.run_fits e h) fun m hm => OFits.upto (N := m) ?_ 0 m e (by simp) h
    intro a s ha hs
    have := b.run_fits (a, s) ⟨Nat.lt_trans ha hm, hs⟩
    revert this; cases b.run (a, s) with
    | next p => exact fun h => h.2
    | ret r => exact id
    | fault f => exact id
  | _, _, .ret v, e, h => by simp only [Stmt.run]; exact .ofExp (v.run_fits e h) fun v hv => hv
  | _, _, .refuse _, _, _ => trivial
/-- **Arguments that fit 64 bits give a result that does, whatever the function: numbers below 2^64, signed ones in ±2^63.**
Source: the ranges of `u64` and `i64` -/
theorem Fn.run_fits : {Δ : Ctx} → {r : Ty} → (f : Fn Δ r) → (e : Env Δ) → Env.Fits Δ e → EFits r.Fits (f.run e)
  | _, _, .mk _ _ b, e, h => by
    simp only [Fn.run]
    have := b.run_fits e h
    revert this; cases b.run e with
    | next p => exact fun _ => .error
    | ret r => exact fun h => .ok h
    | fault f => exact fun _ => .error
end

end Razorgirl.Extract
