module

public import Razorgirl.Spec.LinearLayout.Product
public import Razorgirl.Thm.LinearLayout.Dims

@[expose] public section

/-!
# Product and division: what is proved

The product takes the low bits of each coordinate through the first layout and the high bits through the second. Left
and right division are sound and complete for it: they answer exactly the one layout over the dimensions of A that
multiplies to A. A product is there where the orders of the names agree.
-/

namespace Razorgirl

namespace LinearLayout

theorem bits_addDims (A B : Dims) (names : List String) (n : String) :
    (addDims A B names).bits n = if n ∈ names then A.bits n + B.bits n else 0 := by
  induction names with
  | nil => rfl
  | cons m names ih =>
    simp only [addDims, List.map_cons, Dims.bits, List.mem_cons] at ih ⊢
    by_cases h : m = n
    · subst h; simp
    · rw [if_neg h, ih]
      simp [show ¬ n = m from fun e => h e.symm]

theorem bits_subDims (A B : Dims) (n : String) : (subDims A B).bits n = A.bits n - B.bits n := by
  induction A with
  | nil => simp [subDims, Dims.bits]
  | cons d A ih =>
    simp only [subDims, List.map_cons, Dims.bits] at ih ⊢
    by_cases h : d.1 = n
    · subst h; simp
    · rw [if_neg h, if_neg h, ih]

theorem linear_product (A B : LinearLayout) : LinearPoints fun p n =>
    A.eval p n ^^^ 2 ^ A.outs.bits n * B.eval (fun i => p i / 2 ^ A.ins.bits i) n := by
  intro p q n
  have e : (fun i => xorPoints p q i / 2 ^ A.ins.bits i) =
      xorPoints (fun i => p i / 2 ^ A.ins.bits i) (fun i => q i / 2 ^ A.ins.bits i) := by
    funext i; exact Nat.xor_div_two_pow
  simp only [e, A.eval_xor p q n, B.eval_xor _ _ n, mul_xor]
  ac_rfl

/-- **The product: in each dimension the first layout takes the low bits of the coordinate to the low bits of the result,
the second the high bits to the high bits.** The names must be all those of both.
Source: Triton `LinearLayout::operator*` -/
theorem eval_productOver {A B : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true)
    {ins outs : List String} (hi : ∀ n, A.ins.has n = true ∨ B.ins.has n = true → n ∈ ins)
    (ho : ∀ n, A.outs.has n = true ∨ B.outs.has n = true → n ∈ outs) (p : Point) (n : String) :
    (productOver A B ins outs).eval p n =
      A.eval p n + 2 ^ A.outs.bits n * B.eval (fun i => p i / 2 ^ A.ins.bits i) n := by
  have zero : ∀ {D E : Dims} {names : List String}, (∀ n, D.has n = true ∨ E.has n = true → n ∈ names) → ∀ n,
      (addDims D E names).bits n = D.bits n + E.bits n := by
    intro D E names h n
    rw [bits_addDims]
    split
    · rfl
    · rename_i q
      have a : D.has n = false := by
        rw [← Bool.not_eq_true]; exact fun e => q (h n (.inl e))
      have b : E.has n = false := by
        rw [← Bool.not_eq_true]; exact fun e => q (h n (.inr e))
      rw [bits_of_not_has a, bits_of_not_has b]
  have eA : A.eval (restrict (addDims A.ins B.ins ins) p) = A.eval p := by
    apply eval_congr (distinct_ins hA)
    intro m
    rw [restrict_restrict, zero hi, Nat.min_eq_left (by omega), restrict]
  have eB : B.eval (fun i => restrict (addDims A.ins B.ins ins) p i / 2 ^ A.ins.bits i) =
      B.eval (fun i => p i / 2 ^ A.ins.bits i) := by
    apply eval_congr (distinct_ins hB)
    intro m
    simp only [restrict, zero hi, Nat.pow_add, Nat.mod_mul_right_div_self, Nat.mod_mod]
  rw [productOver, eval_ofEval (linear_product A B)]
  simp only [restrict, zero ho]
  have eA' := congrFun eA n
  have eB' := congrFun eB n
  simp only [restrict] at eA' eB'
  rw [eA', eB']
  have lA := A.eval_lt p n
  have lB := B.eval_lt (fun i => p i / 2 ^ A.ins.bits i) n
  rw [low_xor_high _ lA]
  apply Nat.mod_eq_of_lt
  rw [Nat.pow_add]
  have := Nat.mul_le_mul_left (2 ^ A.outs.bits n)
    (show B.eval (fun i => p i / 2 ^ A.ins.bits i) n + 1 ≤ 2 ^ B.outs.bits n from lB)
  rw [Nat.mul_add] at this
  omega

/-! ## Orders -/

theorem joinNames_mem {fuel : Nat} {a b r : List String} (h : joinNames fuel a b = some r) (n : String) :
    n ∈ r ↔ n ∈ a ∨ n ∈ b := by
  induction fuel generalizing a b r with
  | zero => cases h
  | succ fuel ih =>
    match a, b with
    | a, [] => simp only [joinNames, Option.some.injEq] at h; subst h; simp
    | [], b :: bs => simp only [joinNames, Option.some.injEq] at h; subst h; simp
    | a :: as, b :: bs =>
      simp only [joinNames] at h
      split at h
      · rename_i e; subst e
        cases q : joinNames fuel as bs with
        | none => simp [q] at h
        | some r' =>
          simp only [q, Option.map_some, Option.some.injEq] at h; subst h
          simp only [List.mem_cons, ih q]
          constructor
          · rintro (h | h | h) <;> simp [h]
          · rintro ((h | h) | (h | h)) <;> simp [h]
      · split at h
        · cases q : joinNames fuel as (b :: bs) with
          | none => simp [q] at h
          | some r' =>
            simp only [q, Option.map_some, Option.some.injEq] at h; subst h
            simp only [List.mem_cons, ih q, or_assoc]
        · split at h
          · cases q : joinNames fuel (a :: as) bs with
            | none => simp [q] at h
            | some r' =>
              simp only [q, Option.map_some, Option.some.injEq] at h; subst h
              simp only [List.mem_cons, ih q]
              constructor
              · rintro (h | (h | h) | h) <;> simp [h]
              · rintro ((h | h) | (h | h)) <;> simp [h]
          · cases h

theorem not_both_orders {l : List String} (hl : l.Nodup) {a b : String} (h₁ : [a, b].Sublist l)
    (h₂ : [b, a].Sublist l) : False := by
  induction l with
  | nil => cases h₁
  | cons x l ih =>
    obtain ⟨hx, hl⟩ := List.nodup_cons.1 hl
    have mem : ∀ {c : String}, [c].Sublist l → c ∈ l := fun h => List.singleton_sublist.1 h
    cases h₁ with
    | cons _ h₁ =>
      cases h₂ with
      | cons _ h₂ => exact ih hl h₁ h₂
      | cons₂ _ h₂ => exact hx (mem ((List.sublist_cons_self a [b]).trans h₁))
    | cons₂ _ h₁ =>
      cases h₂ with
      | cons _ h₂ => exact hx (mem ((List.sublist_cons_self b [a]).trans h₂))
      | cons₂ _ h₂ => exact hx (mem h₁)

theorem joinNames_isSome {fuel : Nat} {a b l : List String} (hf : a.length + b.length < fuel) (hl : l.Nodup)
    (ha : a.Sublist l) (hb : b.Sublist l) : (joinNames fuel a b).isSome = true := by
  induction fuel generalizing a b with
  | zero => omega
  | succ fuel ih =>
    match a, b with
    | a, [] => simp [joinNames]
    | [], b :: bs => simp [joinNames]
    | a :: as, b :: bs =>
      simp only [List.length_cons] at hf
      have ha' := (List.sublist_cons_self a as).trans ha
      have hb' := (List.sublist_cons_self b bs).trans hb
      simp only [joinNames]
      split
      · rw [Option.isSome_map]; exact ih (by omega) ha' hb'
      · rename_i ne
        split
        · rw [Option.isSome_map]; exact ih (by simp only [List.length_cons]; omega) ha' hb
        · rename_i h₁
          split
          · rw [Option.isSome_map]; exact ih (by simp only [List.length_cons]; omega) ha hb'
          · rename_i h₂
            have m₁ : a ∈ bs := by simpa using h₁
            have m₂ : b ∈ as := by simpa using h₂
            exact (not_both_orders hl (((List.singleton_sublist.2 m₂).cons₂ a).trans ha)
              (((List.singleton_sublist.2 m₁).cons₂ b).trans hb)).elim

theorem joinNames_order {fuel : Nat} {a b l : List String} (ha : a.Nodup) (hb : b.Nodup)
    (h : joinNames fuel a b = some l) : l.Nodup ∧ a.Sublist l ∧ b.Sublist l := by
  induction fuel generalizing a b l with
  | zero => cases h
  | succ fuel ih =>
    match a, b with
    | a, [] =>
      simp only [joinNames, Option.some.injEq] at h; subst h
      exact ⟨ha, List.Sublist.refl _, List.nil_sublist _⟩
    | [], b :: bs =>
      simp only [joinNames, Option.some.injEq] at h; subst h
      exact ⟨hb, List.nil_sublist _, List.Sublist.refl _⟩
    | a :: as, b :: bs =>
      obtain ⟨ha₁, ha₂⟩ := List.nodup_cons.1 ha
      obtain ⟨hb₁, hb₂⟩ := List.nodup_cons.1 hb
      simp only [joinNames] at h
      split at h
      · rename_i e; subst e
        obtain ⟨r, q, rfl⟩ := Option.map_eq_some_iff.1 h
        obtain ⟨i₁, i₂, i₃⟩ := ih ha₂ hb₂ q
        refine ⟨List.nodup_cons.2 ⟨fun m => ?_, i₁⟩, i₂.cons₂ a, i₃.cons₂ a⟩
        exact ((joinNames_mem q a).1 m).elim ha₁ hb₁
      · rename_i ne
        split at h
        · rename_i na
          have na : a ∉ bs := by simpa using na
          obtain ⟨r, q, rfl⟩ := Option.map_eq_some_iff.1 h
          obtain ⟨i₁, i₂, i₃⟩ := ih ha₂ hb q
          refine ⟨List.nodup_cons.2 ⟨fun m => ?_, i₁⟩, i₂.cons₂ a, i₃.cons a⟩
          rcases (joinNames_mem q a).1 m with m | m
          · exact ha₁ m
          · exact (List.mem_cons.1 m).elim ne na
        · split at h
          · rename_i nb
            have nb : b ∉ as := by simpa using nb
            obtain ⟨r, q, rfl⟩ := Option.map_eq_some_iff.1 h
            obtain ⟨i₁, i₂, i₃⟩ := ih ha hb₂ q
            refine ⟨List.nodup_cons.2 ⟨fun m => ?_, i₁⟩, i₂.cons b, i₃.cons₂ b⟩
            rcases (joinNames_mem q b).1 m with m | m
            · exact (List.mem_cons.1 m).elim (fun e => ne e.symm) nb
            · exact hb₁ m
          · cases h

theorem orderOf_isSome_iff {a b : List String} (ha : a.Nodup) (hb : b.Nodup) :
    (orderOf a b).isSome = true ↔ ∃ l : List String, l.Nodup ∧ a.Sublist l ∧ b.Sublist l := by
  constructor
  · intro h
    obtain ⟨l, e⟩ := Option.isSome_iff_exists.1 h
    exact ⟨l, joinNames_order ha hb e⟩
  · rintro ⟨l, h₁, h₂, h₃⟩
    exact joinNames_isSome (by omega) h₁ h₂ h₃

theorem nodup_names {D : Dims} (h : D.distinct = true) : D.names.Nodup := by
  induction D with
  | nil => exact List.nodup_nil
  | cons d D ih =>
    simp only [Dims.distinct, Bool.and_eq_true, Bool.not_eq_true'] at h
    refine List.nodup_cons.2 ⟨fun m => ?_, ih h.2⟩
    rw [(has_iff_names D d.1).2 m] at h
    exact Bool.noConfusion h.1

/-- **There is a product exactly where, on either side, the dimensions of both layouts stand in an order that some list of
distinct names has.**
Source: Triton `LinearLayout::operator*`, `supremum`; stated otherwise: Triton does not test it -/
theorem product_isSome_iff {A B : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true) :
    (product A B).isSome = true ↔
      (∃ l : List String, l.Nodup ∧ A.ins.names.Sublist l ∧ B.ins.names.Sublist l) ∧
        ∃ l : List String, l.Nodup ∧ A.outs.names.Sublist l ∧ B.outs.names.Sublist l := by
  rw [← orderOf_isSome_iff (nodup_names (distinct_ins hA)) (nodup_names (distinct_ins hB)),
    ← orderOf_isSome_iff (nodup_names (distinct_outs hA)) (nodup_names (distinct_outs hB)), product]
  cases orderOf A.ins.names B.ins.names <;> cases orderOf A.outs.names B.outs.names <;> simp

/-- **A product that is given takes the low bits of each coordinate through the first layout and the high bits through the
second.**
Source: Triton `LinearLayout::operator*` -/
theorem eval_product {A B C : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true)
    (h : product A B = some C) (p : Point) (n : String) :
    C.eval p n = A.eval p n + 2 ^ A.outs.bits n * B.eval (fun i => p i / 2 ^ A.ins.bits i) n := by
  unfold product at h
  split at h
  · rename_i ins outs hi ho
    cases h
    refine eval_productOver hA hB ?_ ?_ p n
    · intro m
      rw [has_iff_names, has_iff_names]
      exact (joinNames_mem hi m).2
    · intro m
      rw [has_iff_names, has_iff_names]
      exact (joinNames_mem ho m).2
  · cases h

/-! ## Division -/

theorem has_subDims (A B : Dims) (n : String) : (subDims A B).has n = A.has n := by
  induction A with
  | nil => rfl
  | cons d A ih => simp only [subDims, List.map_cons, Dims.has] at ih ⊢; rw [ih]

theorem distinct_subDims {A : Dims} (h : A.distinct = true) (B : Dims) : (subDims A B).distinct = true := by
  induction A with
  | nil => rfl
  | cons d A ih =>
    simp only [Dims.distinct, Bool.and_eq_true, Bool.not_eq_true'] at h
    have := has_subDims A B d.1
    simp only [subDims] at this
    simp only [subDims, List.map_cons, Dims.distinct, Bool.and_eq_true, Bool.not_eq_true', this]
    exact ⟨h.1, ih h.2⟩

theorem linear_high (A B : LinearLayout) : LinearPoints fun p n =>
    A.eval (fun i => 2 ^ B.ins.bits i * p i) n / 2 ^ B.outs.bits n := by
  intro p q n
  have e : (fun i => 2 ^ B.ins.bits i * xorPoints p q i) =
      xorPoints (fun i => 2 ^ B.ins.bits i * p i) (fun i => 2 ^ B.ins.bits i * q i) := by
    funext i; exact mul_xor _ _ _
  simp only [e, A.eval_xor _ _ n]
  exact Nat.xor_div_two_pow

/-- **Left division answers C exactly where C is a layout over the dimensions of A, less the bits of B, with `B * C = A`.**
So there is at most one, and it is found where there is one.
Source: Triton `LinearLayout::divideLeft` -/
theorem divideLeft_eq_some_iff {A B C : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true) :
    divideLeft A B = some C ↔
      (fitsIn B.ins A.ins = true ∧ fitsIn B.outs A.outs = true) ∧ C.wellFormed = true ∧
        C.ins = subDims A.ins B.ins ∧ C.outs = subDims A.outs B.outs ∧ product B C = some A := by
  have w : (highPart A B).wellFormed = true :=
    wellFormed_ofEval (distinct_subDims (distinct_ins hA) _) (distinct_subDims (distinct_outs hA) _) _
  unfold divideLeft
  constructor
  · intro h
    split at h
    · rename_i q
      simp only [Bool.and_eq_true, beq_iff_eq] at q
      cases h
      exact ⟨q.1, w, rfl, rfl, q.2⟩
    · cases h
  · rintro ⟨⟨f₁, f₂⟩, hC, hi, ho, h⟩
    have e : highPart A B = C := by
      apply eq_of_eval w hC hi.symm ho.symm
      intro p n
      rw [highPart, eval_ofEval (linear_high A B)]
      simp only [restrict]
      rw [eval_product hB hC h]
      have l := B.eval_lt (fun i => 2 ^ B.ins.bits i * (p i % 2 ^ (subDims A.ins B.ins).bits i)) n
      rw [Nat.add_mul_div_left _ _ (Nat.two_pow_pos _), Nat.div_eq_of_lt l, Nat.zero_add]
      have e₁ : (fun i => 2 ^ B.ins.bits i * (p i % 2 ^ (subDims A.ins B.ins).bits i) / 2 ^ B.ins.bits i) =
          restrict C.ins p := by
        funext i
        rw [Nat.mul_div_cancel_left _ (Nat.two_pow_pos _), restrict, hi]
      rw [e₁, ← ho]
      have e₂ : C.eval (restrict C.ins p) = C.eval p := by
        apply eval_congr (distinct_ins hC)
        intro m
        rw [restrict_restrict, Nat.min_self, restrict]
      rw [e₂]
      exact Nat.mod_eq_of_lt (C.eval_lt p n)
    rw [e, if_pos]
    simp only [f₁, f₂, h, Bool.and_true, beq_self_eq_true]

/-- **Right division answers C exactly where C is a layout over the dimensions of A, less the bits of B, with `C * B = A`.**
Source: Triton `LinearLayout::divideRight`; stated otherwise: where the source aborts, too -/
theorem divideRight_eq_some_iff {A B C : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true) :
    divideRight A B = some C ↔
      (fitsIn B.ins A.ins = true ∧ fitsIn B.outs A.outs = true) ∧ C.wellFormed = true ∧
        C.ins = subDims A.ins B.ins ∧ C.outs = subDims A.outs B.outs ∧ product C B = some A := by
  have w : (lowPart A B).wellFormed = true :=
    wellFormed_ofEval (distinct_subDims (distinct_ins hA) _) (distinct_subDims (distinct_outs hA) _) _
  unfold divideRight
  constructor
  · intro h
    split at h
    · rename_i q
      simp only [Bool.and_eq_true, beq_iff_eq] at q
      cases h
      exact ⟨q.1, w, rfl, rfl, q.2⟩
    · cases h
  · rintro ⟨⟨f₁, f₂⟩, hC, hi, ho, h⟩
    have e : lowPart A B = C := by
      apply eq_of_eval w hC hi.symm ho.symm
      intro p n
      rw [lowPart, eval_ofEval A.eval_xor, ← hi, ← ho]
      have z : (fun i => restrict C.ins p i / 2 ^ C.ins.bits i) = fun _ => 0 := by
        funext i
        exact Nat.div_eq_of_lt (Nat.mod_lt _ (Nat.two_pow_pos _))
      have zB : B.eval (fun _ => 0) n = 0 := by
        have := B.eval_xor (fun _ => 0) (fun _ => 0) n
        rw [show xorPoints (fun _ => 0) (fun _ => 0) = fun _ => 0 from funext fun i => Nat.xor_self 0, Nat.xor_self] at this
        exact this
      rw [restrict, eval_product hC hB h, z, zB, Nat.mul_zero, Nat.add_zero]
      have e₂ : C.eval (restrict C.ins p) = C.eval p := by
        apply eval_congr (distinct_ins hC)
        intro m
        rw [restrict_restrict, Nat.min_self, restrict]
      rw [e₂]
      exact Nat.mod_eq_of_lt (C.eval_lt p n)
    rw [e, if_pos]
    simp only [f₁, f₂, h, Bool.and_true, beq_self_eq_true]

end LinearLayout

end Razorgirl
