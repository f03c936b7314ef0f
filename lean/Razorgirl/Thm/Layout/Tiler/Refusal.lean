module

public import Razorgirl.Spec.Layout.Tiler.Refusal

@[expose] public section

/-!
# Refusals by tiler

The refusal is there exactly where the operation answers nothing, if that is so for each layout of the tiler and the mode
under it; and what it names is true.
-/

namespace Razorgirl

namespace Layout
open HTuple

mutual
theorem firstRefusal_eq_none_iff {ε : Type} {why : Layout → Layout → Option ε} {f : Layout → Layout → Option Layout} :
    (b : Tiler) → (t : HTuple Mode) →
    (∀ p B s, TilerAt b t p (.layout B) s → (why (ofTree s) B = none ↔ (f (ofTree s) B).isSome)) →
    (firstRefusal why b t = none ↔ (transform f b t).isSome)
  | .keep, t, _ => by simp [firstRefusal, transform]
  | .layout B, t, h => by
    rw [firstRefusal, transform, Option.map_eq_none_iff, Option.isSome_map]
    exact h [] B t (.here _ _)
  | .modes bs, t, h => by
    rw [firstRefusal, transform, Option.isSome_map]
    exact firstRefusals_eq_none_iff bs (children t) 0 fun i b s hb hs p B s' ht =>
      h (i :: p) B s' (.inside hb hs ht)
theorem firstRefusals_eq_none_iff {ε : Type} {why : Layout → Layout → Option ε}
    {f : Layout → Layout → Option Layout} :
    (bs : List Tiler) → (ts : List (HTuple Mode)) → (k : Nat) →
    (∀ (i : Nat) (b : Tiler) (s : HTuple Mode), bs[i]? = some b → ts[i]? = some s → ∀ p B s',
      TilerAt b s p (.layout B) s' → (why (ofTree s') B = none ↔ (f (ofTree s') B).isSome)) →
    (firstRefusals why k bs ts = none ↔ (transformList f bs ts).isSome)
  | [], ts, k, _ => by simp [firstRefusals, transformList]
  | b :: bs, [], k, _ => by simp [firstRefusals, transformList]
  | b :: bs, t :: ts, k, h => by
    have h1 := firstRefusal_eq_none_iff (why := why) (f := f) b t (h 0 b t rfl rfl)
    have h2 := firstRefusals_eq_none_iff (why := why) (f := f) bs ts (k + 1) fun i b s hb hs => h (i + 1) b s hb hs
    rw [firstRefusals, transformList]
    cases hr : firstRefusal why b t <;> cases hx : transform f b t <;> cases hy : transformList f bs ts <;>
      simp_all
end

mutual
theorem firstRefusal_eq_some {ε : Type} {why : Layout → Layout → Option ε} : (b : Tiler) → (t : HTuple Mode) →
    (r : TilerRefusal ε) → firstRefusal why b t = some r →
    match r with
    | .longer p => ∃ bs s, TilerAt b t p (.modes bs) s ∧ (children s).length < bs.length
    | .part p e => ∃ B s, TilerAt b t p (.layout B) s ∧ why (ofTree s) B = some e
  | .keep, t, r, h => by simp [firstRefusal] at h
  | .layout B, t, r, h => by
    rw [firstRefusal, Option.map_eq_some_iff] at h
    obtain ⟨e, he, rfl⟩ := h
    exact ⟨B, t, .here _ _, he⟩
  | .modes bs, t, r, h => by
    rw [firstRefusal] at h
    rcases firstRefusals_eq_some bs (children t) 0 r h with ⟨rfl, hlen⟩ | ⟨i, b, s, r', hb, hs, rfl, hr⟩
    · exact ⟨bs, t, .here _ _, hlen⟩
    · rw [Nat.zero_add]
      cases r' with
      | longer p => obtain ⟨bs', s', ht, hl⟩ := hr; exact ⟨bs', s', .inside hb hs ht, hl⟩
      | part p e => obtain ⟨B, s', ht, he⟩ := hr; exact ⟨B, s', .inside hb hs ht, he⟩
theorem firstRefusals_eq_some {ε : Type} {why : Layout → Layout → Option ε} : (bs : List Tiler) →
    (ts : List (HTuple Mode)) → (k : Nat) → (r : TilerRefusal ε) → firstRefusals why k bs ts = some r →
    (r = .longer [] ∧ ts.length < bs.length) ∨
    ∃ (i : Nat) (b : Tiler) (s : HTuple Mode) (r' : TilerRefusal ε), bs[i]? = some b ∧ ts[i]? = some s ∧
      r = r'.under (k + i) ∧
      match r' with
      | .longer p => ∃ bs s', TilerAt b s p (.modes bs) s' ∧ (children s').length < bs.length
      | .part p e => ∃ B s', TilerAt b s p (.layout B) s' ∧ why (ofTree s') B = some e
  | [], ts, k, r, h => by simp [firstRefusals] at h
  | b :: bs, [], k, r, h => by
    rw [firstRefusals, Option.some.injEq] at h
    exact .inl ⟨h.symm, by simp⟩
  | b :: bs, t :: ts, k, r, h => by
    rw [firstRefusals] at h
    cases hr : firstRefusal why b t with
    | some r' =>
      rw [hr] at h
      exact .inr ⟨0, b, t, r', rfl, rfl, (Option.some.inj h).symm, firstRefusal_eq_some b t r' hr⟩
    | none =>
      rw [hr] at h
      rcases firstRefusals_eq_some bs ts (k + 1) r h with ⟨e, hl⟩ | ⟨i, b', s, r', hb, hs, e, ht⟩
      · exact .inl ⟨e, by simpa using hl⟩
      · exact .inr ⟨i + 1, b', s, r', hb, hs, by rw [e]; congr 1; omega, ht⟩
end

mutual
theorem transform_isSome_of_isSome {f : Layout → Layout → Option Layout} : (b : Tiler) → (t : HTuple Mode) →
    (transform f b t).isSome → (transform (fun A _ => some A) b t).isSome
  | .keep, t, _ => by simp [transform]
  | .layout B, t, _ => by simp [transform]
  | .modes bs, t, h => by
    rw [transform, Option.isSome_map] at h ⊢
    exact transformList_isSome_of_isSome bs (children t) h
theorem transformList_isSome_of_isSome {f : Layout → Layout → Option Layout} : (bs : List Tiler) →
    (ts : List (HTuple Mode)) → (transformList f bs ts).isSome → (transformList (fun A _ => some A) bs ts).isSome
  | [], ts, _ => by simp [transformList]
  | b :: bs, [], h => by simp [transformList] at h
  | b :: bs, t :: ts, h => by
    have h1 := transform_isSome_of_isSome (f := f) b t
    have h2 := transformList_isSome_of_isSome (f := f) bs ts
    rw [transformList] at h ⊢
    cases hx : transform f b t <;> cases hy : transformList f bs ts <;>
      cases hx' : transform (fun A _ => some A) b t <;> cases hy' : transformList (fun A _ => some A) bs ts <;>
      simp_all
end

/-- **An operation by tiler is refused exactly where it answers nothing, if that is so for each layout of the tiler and
the mode under it.**
Rust: `razorgirl::Tiler`
Source: CuTe `transform_layout` -/
theorem transformRefusal_eq_none_iff {ε : Type} {why : Layout → Layout → Option ε}
    {f : Layout → Layout → Option Layout} {b : Tiler} {t : HTuple Mode}
    (h : ∀ p B s, TilerAt b t p (.layout B) s → (why (ofTree s) B = none ↔ (f (ofTree s) B).isSome)) :
    transformRefusal why b t = none ↔ (transform f b t).isSome := by
  rw [transformRefusal, ← firstRefusal_eq_none_iff b t h]
  cases hn : firstRefusal (fun _ _ => (none : Option ε)) b t with
  | none => rfl
  | some r =>
    have hr := firstRefusal_eq_some b t r hn
    cases r with
    | part p e => obtain ⟨B, s, _, he⟩ := hr; cases he
    | longer p =>
      -- a tuple that is too long is so whatever the numbers are
      refine ⟨fun h' => (by cases h'), fun h' => ?_⟩
      have hs := (firstRefusal_eq_none_iff (f := f) b t h).1 h'
      have hx := (firstRefusal_eq_none_iff (why := fun _ _ => (none : Option ε)) (f := fun A _ => some A) b t
        (fun _ _ _ _ => by simp)).2 (transform_isSome_of_isSome b t hs)
      rw [hn] at hx; cases hx

/-- **What a refusal by tiler names is true: at the place stands a tuple with more modes than the layout has there; or
no tuple is too long, and the layout at the place refuses the mode under it so.**
Rust: `razorgirl::Tiler`
Source: CuTe `transform_layout` -/
theorem transformRefusal_eq_some {ε : Type} {why : Layout → Layout → Option ε} {b : Tiler} {t : HTuple Mode}
    {r : TilerRefusal ε} (h : transformRefusal why b t = some r) :
    match r with
    | .longer p => ∃ bs s, TilerAt b t p (.modes bs) s ∧ (children s).length < bs.length
    | .part p e => (∃ B s, TilerAt b t p (.layout B) s ∧ why (ofTree s) B = some e) ∧
      (transform (fun A _ => some A) b t).isSome := by
  rw [transformRefusal] at h
  cases hn : firstRefusal (fun _ _ => (none : Option ε)) b t with
  | some r' =>
    rw [hn] at h
    cases h
    have hr := firstRefusal_eq_some b t r hn
    cases r with
    | part p e => obtain ⟨B, s, _, he⟩ := hr; cases he
    | longer p => exact hr
  | none =>
    rw [hn] at h
    have hr := firstRefusal_eq_some b t r h
    cases r with
    | longer p => exact hr
    | part p e =>
      exact ⟨hr, (firstRefusal_eq_none_iff (why := fun _ _ => (none : Option ε)) b t (fun _ _ _ _ => by simp)).1 hn⟩

end Layout

end Razorgirl
