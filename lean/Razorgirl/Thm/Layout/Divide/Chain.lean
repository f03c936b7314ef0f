module

public import Razorgirl.Thm.Layout.Divide.Tiler

@[expose] public section

/-!
# Which tiles divide, in plain arithmetic

Composition with a bijection of the indices is decided by divisibility alone: wherever a mode of A's coalesced shape
ends and wherever a mode of the inner layout begins or ends, one of the two numbers must divide the other. Strides of
A do not matter, so strict and complete division accept the same.
-/

namespace Razorgirl

/-! ## Boundaries -/

theorem mem_boundaries_cons {s P : Nat} {ss : List Nat} :
    P ∈ boundaries (s :: ss) ↔ P = 1 ∨ ∃ Q, Q ∈ boundaries ss ∧ s * Q = P := by
  rw [boundaries, List.mem_cons, List.mem_map]

theorem one_mem_boundaries (M : List Nat) : 1 ∈ boundaries M := by cases M <;> simp [boundaries]

theorem dvd_prod_of_mem_boundaries {M : List Nat} {P : Nat} (h : P ∈ boundaries M) : P ∣ prod M := by
  induction M generalizing P with
  | nil => simp [boundaries] at h; simp [h]
  | cons s ss ih =>
    rcases mem_boundaries_cons.1 h with rfl | ⟨Q, hQ, rfl⟩
    · exact Nat.one_dvd _
    · exact Nat.mul_dvd_mul_left s (ih hQ)

theorem prod_mem_boundaries (M : List Nat) : prod M ∈ boundaries M := by
  induction M with
  | nil => simp [boundaries, prod]
  | cons s ss ih => exact mem_boundaries_cons.2 (.inr ⟨_, ih, rfl⟩)

/-- The boundaries of one shape divide one another in turn. -/
theorem dvd_or_dvd_of_mem_boundaries {M : List Nat} {P Q : Nat} (hP : P ∈ boundaries M) (hQ : Q ∈ boundaries M) :
    P ∣ Q ∨ Q ∣ P := by
  induction M generalizing P Q with
  | nil =>
    simp only [boundaries, List.mem_singleton] at hP hQ
    exact .inl (by rw [hP, hQ]; exact Nat.dvd_refl _)
  | cons s ss ih =>
    rcases mem_boundaries_cons.1 hP with rfl | ⟨P', hP', rfl⟩
    · exact .inl (Nat.one_dvd _)
    · rcases mem_boundaries_cons.1 hQ with rfl | ⟨Q', hQ', rfl⟩
      · exact .inr (Nat.one_dvd _)
      · exact (ih hP' hQ').imp (Nat.mul_dvd_mul_left s) (Nat.mul_dvd_mul_left s)

theorem mul_mem_boundaries_append {Q : Nat} : (X Y : List Nat) → Q ∈ boundaries Y →
    prod X * Q ∈ boundaries (X ++ Y)
  | [], _, h => by rwa [prod, Nat.one_mul]
  | s :: X, Y, h => mem_boundaries_cons.2
      (.inr ⟨_, mul_mem_boundaries_append X Y h, by rw [prod, Nat.mul_assoc]⟩)

namespace FlatLayout

/-- Coalescing only takes boundaries away. -/
theorem mem_boundaries_of_coalesce {L : FlatLayout} {P : Nat} (h : P ∈ boundaries (shape (coalesce L))) :
    P ∈ boundaries (shape L) := by
  induction L generalizing P with
  | nil => exact h
  | cons m L ih =>
    have drop : m.extent = 1 → P ∈ boundaries (shape (coalesce L)) → P ∈ boundaries (shape (m :: L)) :=
      fun he hP => mem_boundaries_cons.2 (.inr ⟨P, ih hP, by rw [he, Nat.one_mul]⟩)
    have keep : P ∈ boundaries (shape (m :: coalesce L)) → P ∈ boundaries (shape (m :: L)) := fun hP => by
      rcases mem_boundaries_cons.1 hP with rfl | ⟨Q, hQ, rfl⟩
      · exact one_mem_boundaries _
      · exact mem_boundaries_cons.2 (.inr ⟨Q, ih hQ, rfl⟩)
    rw [coalesce] at h
    generalize coalesce L = K at h drop keep ih
    cases K with
    | nil =>
      rw [push] at h
      split at h
      · rename_i he
        exact drop he h
      · exact keep h
    | cons n K =>
      rw [push] at h
      split at h
      · rename_i he
        exact drop he h
      · split at h
        · rcases mem_boundaries_cons.1 h with rfl | ⟨Q, hQ, rfl⟩
          · exact one_mem_boundaries _
          · exact keep (mem_boundaries_cons.2 (.inr ⟨n.extent * Q, mem_boundaries_cons.2 (.inr ⟨Q, hQ, rfl⟩),
              (Nat.mul_assoc _ _ _).symm⟩))
        · exact keep h

/-- Where a mode ends, its group ends. -/
theorem mem_boundaries_of_sizesMatch : {K : FlatLayout} → {gs : List FlatLayout} → {Q : Nat} →
    Layout.SizesMatch K gs → Q ∈ boundaries (shape K) → Q ∈ boundaries (shape gs.flatten)
  | [], [], _, _, h => h
  | [], _ :: _, _, h, _ => h.elim
  | _ :: _, [], _, h, _ => h.elim
  | m :: K, g :: gs, Q, h, hQ => by
    rw [List.flatten_cons, shape_append]
    rcases mem_boundaries_cons.1 hQ with rfl | ⟨Q', hQ', rfl⟩
    · exact one_mem_boundaries _
    · rw [← h.1.2]
      exact mul_mem_boundaries_append _ _ (mem_boundaries_of_sizesMatch h.2 hQ')

theorem mem_boundaries_of_packed {K : FlatLayout} {c : Nat} (h : Packed c K) {m : Mode} (hm : m ∈ K) :
    (∃ Q, Q ∈ boundaries (shape K) ∧ m.stride = Q * c) ∧
      ∃ Q, Q ∈ boundaries (shape K) ∧ m.extent * m.stride = Q * c := by
  induction K generalizing c with
  | nil => simp at hm
  | cons k K ih =>
    rcases List.mem_cons.1 hm with rfl | hm
    · exact ⟨⟨1, one_mem_boundaries _, by rw [h.1, Nat.one_mul]⟩,
        m.extent, mem_boundaries_cons.2 (.inr ⟨1, one_mem_boundaries _, Nat.mul_one _⟩), by rw [h.1]⟩
    · obtain ⟨⟨Q, hQ, e⟩, Q', hQ', e'⟩ := ih h.2 hm
      exact ⟨⟨k.extent * Q, mem_boundaries_cons.2 (.inr ⟨Q, hQ, rfl⟩), by rw [e]; ac_rfl⟩,
        k.extent * Q', mem_boundaries_cons.2 (.inr ⟨Q', hQ', rfl⟩), by rw [e']; ac_rfl⟩

theorem exists_stride_of_mem_boundaries {K : FlatLayout} {c Q : Nat} (h : Packed c K)
    (hQ : Q ∈ boundaries (shape K)) : Q = size K ∨ ∃ m, m ∈ K ∧ m.stride = Q * c := by
  induction K generalizing c Q with
  | nil =>
    simp only [shape_nil, boundaries, List.mem_singleton] at hQ
    exact .inl hQ
  | cons k K ih =>
    rcases mem_boundaries_cons.1 hQ with rfl | ⟨Q', hQ', rfl⟩
    · exact .inr ⟨k, by simp, by rw [h.1, Nat.one_mul]⟩
    · rcases ih h.2 hQ' with rfl | ⟨m, hm, e⟩
      · exact .inl rfl
      · exact .inr ⟨m, by simp [hm], by rw [e]; ac_rfl⟩

/-! ## Splitting along boundaries -/

theorem dvd_or_dvd_of_mul {s P Q : Nat} (hs : 0 < s) (h : s * P ∣ s * Q ∨ s * Q ∣ s * P) : P ∣ Q ∨ Q ∣ P :=
  h.imp (Nat.dvd_of_mul_dvd_mul_left hs) (Nat.dvd_of_mul_dvd_mul_left hs)

/-- A layout splits after `s` indices if `s` and the boundaries divide one another. -/
theorem exists_split {L : FlatLayout} (hL : Valid L) {s n : Nat} (hs : size L = s * n)
    (h : ∀ P, P ∈ boundaries (shape L) → P ∣ s ∨ s ∣ P) :
    ∃ L₁ L₂, Valid L₁ ∧ Valid L₂ ∧ size L₁ = s ∧ size L₂ = n ∧
      (∀ x, atIndex (L₁ ++ L₂) x = atIndex L x) ∧
      ∀ Q, Q ∈ boundaries (shape L₂) → Q = 1 ∨ s * Q ∈ boundaries (shape L) := by
  induction L generalizing s with
  | nil =>
    rw [size_nil] at hs
    have h1 := Nat.eq_one_of_mul_eq_one_right hs.symm
    have h2 := Nat.eq_one_of_mul_eq_one_left hs.symm
    refine ⟨[], [], trivial, trivial, h1.symm, h2.symm, fun _ => rfl, fun Q hQ => .inl ?_⟩
    simpa [boundaries, shape] using hQ
  | cons m L ih =>
    have hm := hL.1
    rw [size_cons] at hs
    have he : m.extent ∈ boundaries (shape (m :: L)) :=
      mem_boundaries_cons.2 (.inr ⟨1, one_mem_boundaries _, Nat.mul_one _⟩)
    have hpos : 0 < s * n := by
      rw [← hs]
      exact Nat.mul_pos hm (Valid.size_pos hL.2)
    rcases h _ he with ⟨k, hk⟩ | ⟨k, hk⟩
    · subst hk
      have e1 : size L = k * n := Nat.eq_of_mul_eq_mul_left hm (by rw [hs, Nat.mul_assoc])
      obtain ⟨L₁, L₂, v1, v2, s1, s2, hf, hQ⟩ := ih hL.2 e1 fun P hP =>
        dvd_or_dvd_of_mul hm (h _ (mem_boundaries_cons.2 (.inr ⟨P, hP, rfl⟩)))
      refine ⟨m :: L₁, L₂, ⟨hm, v1⟩, v2, by rw [size_cons, s1], s2, fun x => ?_, fun Q hq => ?_⟩
      · rw [List.cons_append, atIndex_cons, atIndex_cons, hf]
      · rcases hQ Q hq with h1 | h1
        · exact .inl h1
        · exact .inr (mem_boundaries_cons.2 (.inr ⟨_, h1, (Nat.mul_assoc _ _ _).symm⟩))
    · have hs0 : 0 < s := Nat.pos_of_mul_pos_right hpos
      have hk0 : 0 < k := by
        rw [hk] at hm
        exact Nat.pos_of_mul_pos_left hm
      have e1 : k * size L = n := Nat.eq_of_mul_eq_mul_left hs0 (by rw [← hs, hk, Nat.mul_assoc])
      refine ⟨[⟨s, m.stride⟩], ⟨k, s * m.stride⟩ :: L, ⟨hs0, trivial⟩, ⟨hk0, hL.2⟩, by
        rw [size_cons, size_nil, Nat.mul_one], by rw [size_cons, e1], fun x => ?_, fun Q hq => ?_⟩
      · rw [List.singleton_append]
        simp only [atIndex_cons]
        rw [hk, Nat.mod_mul, Nat.div_div_eq_div_mul, Nat.add_mul]
        have : x / s % k * (s * m.stride) = s * (x / s % k) * m.stride := by ac_rfl
        omega
      · rcases mem_boundaries_cons.1 hq with h1 | ⟨Q', hQ', rfl⟩
        · exact .inl h1
        · exact .inr (mem_boundaries_cons.2 (.inr ⟨Q', hQ', by
            show m.extent * Q' = s * (k * Q')
            rw [hk, Nat.mul_assoc]⟩))

/-- A layout falls into groups of given sizes if the boundaries of the two divide one another. -/
theorem exists_groups : {K L : FlatLayout} → Valid L → size L = size K →
    (∀ P, P ∈ boundaries (shape L) → ∀ Q, Q ∈ boundaries (shape K) → P ∣ Q ∨ Q ∣ P) →
    ∃ gs, Layout.SizesMatch K gs ∧ ∀ x, x < size L → atIndex gs.flatten x = atIndex L x
  | [], L, _, hs, _ => ⟨[], trivial, fun x hx => by
      rw [hs, size_nil] at hx
      obtain rfl : x = 0 := by omega
      rw [atIndex_zero, atIndex_zero]⟩
  | m :: K, L, hL, hs, h => by
    rw [size_cons] at hs
    have hpos : 0 < m.extent * size K := by
      rw [← hs]
      exact hL.size_pos
    have hm : 0 < m.extent := Nat.pos_of_mul_pos_right hpos
    obtain ⟨L₁, L₂, v1, v2, s1, s2, hf, hQ⟩ := exists_split hL hs fun P hP => h P hP _
      (mem_boundaries_cons.2 (.inr ⟨1, one_mem_boundaries _, Nat.mul_one _⟩))
    obtain ⟨gs, hg, hgf⟩ := exists_groups v2 s2 fun P hP Q hQ' => by
      rcases hQ P hP with rfl | h1
      · exact .inl (Nat.one_dvd _)
      · exact dvd_or_dvd_of_mul hm (h _ h1 _ (mem_boundaries_cons.2 (.inr ⟨Q, hQ', rfl⟩)))
    refine ⟨L₁ :: gs, ⟨⟨v1, s1⟩, hg⟩, fun x hx => ?_⟩
    rw [← hf, List.flatten_cons, atIndex_append, atIndex_append, hgf]
    rw [s2, s1]
    exact Nat.div_lt_of_lt_mul (by rwa [← hs])

/-! ## Composition with a bijection -/

theorem Grouped.squeeze {f : Nat → Nat} {n : Nat} : {X B : FlatLayout} → Grouped f n (X ++ B) →
    Grouped f n (X ++ squeeze B)
  | _, [], h => h
  | X, m :: B, h => by
    rw [squeeze_cons]
    split
    · rename_i he
      have := h.push
      rw [push_unit he] at this
      exact Grouped.squeeze this
    · have := Grouped.squeeze (X := X ++ [m]) (B := B) (by simpa using h)
      simpa using this

theorem Grouped.cons_unit {f : Nat → Nat} {n : Nat} {X B : FlatLayout} {m : Mode} (hm : m.extent = 1)
    (h : Grouped f n (X ++ B)) : Grouped f n (X ++ m :: B) := by
  obtain ⟨gs, hg, hf⟩ := h
  obtain ⟨gX, gB, rfl, h1, h2⟩ := sizesMatch_of_append hg
  refine ⟨gX ++ [] :: gB, sizesMatch_append h1 ⟨⟨trivial, by rw [hm, size_nil]⟩, h2⟩, fun x hx => ?_⟩
  have hs : size (X ++ m :: B) = size (X ++ B) := by rw [size_append, size_append, size_cons, hm, Nat.one_mul]
  have e : atIndex (X ++ m :: B) x = atIndex (X ++ B) x := by
    rw [atIndex_append, atIndex_append, atIndex_cons, hm, Nat.mod_one, Nat.zero_mul, Nat.div_one, Nat.zero_add]
  rw [e]
  simpa using hf x (hs ▸ hx)

theorem Grouped.of_squeeze {f : Nat → Nat} {n : Nat} : {X B : FlatLayout} → Grouped f n (X ++ FlatLayout.squeeze B) →
    Grouped f n (X ++ B)
  | _, [], h => h
  | X, m :: B, h => by
    rw [squeeze_cons] at h
    split at h
    · rename_i he
      exact Grouped.cons_unit he (Grouped.of_squeeze h)
    · have := Grouped.of_squeeze (X := X ++ [m]) (B := B) (by simpa using h)
      simpa using this

theorem grouped_chain_iff {f : Nat → Nat} {n : Nat} {B : FlatLayout} : Grouped f n (chain B) ↔ Grouped f n B :=
  ⟨fun h => Grouped.of_squeeze (X := []) (Grouped.perm (chain_perm B) (X := []) h),
    fun h => Grouped.perm (chain_perm B).symm (X := []) (Grouped.squeeze (X := []) h)⟩

theorem mem_chain_iff {B : FlatLayout} (hB : Valid B) {m : Mode} : m ∈ chain B ↔ m ∈ B ∧ 1 < m.extent := by
  rw [(chain_perm B).mem_iff, squeeze_eq_filter, List.mem_filter]
  refine and_congr_right fun hm => ?_
  have := (valid_iff_forall B).1 hB m hm
  simp
  omega

theorem atIndex_chain_of_contiguous {B : FlatLayout} (hc : Contiguous B) {x : Nat} (hx : x < size B) :
    atIndex (chain B) x = x := by
  rw [((contiguous_iff_columnMajor B).1 hc).2]
  refine atIndex_columnMajor ?_
  rw [← size_chain] at hx
  exact hx

theorem grouped_of_linesUp {L B : FlatLayout} (hL : Valid L) (hc : Contiguous B) (hs : size B = size L)
    (h : LinesUp L B) : Grouped (atIndex L) (size L) B := by
  obtain ⟨hv, hp⟩ := (contiguous_iff_packed B).1 hc
  rw [← grouped_chain_iff]
  obtain ⟨gs, hg, hf⟩ := exists_groups (K := chain B) hL (by rw [size_chain, hs]) fun P hP Q hQ => by
    rcases exists_stride_of_mem_boundaries hp hQ with rfl | ⟨m, hm, e⟩
    · rw [size_chain, hs]
      exact .inl (dvd_prod_of_mem_boundaries hP)
    · rw [Nat.mul_one] at e
      obtain ⟨h1, h2⟩ := (mem_chain_iff hv).1 hm
      rw [← e]
      exact (h P hP m h1 h2).1
  refine ⟨gs, hg, fun x hx => ?_⟩
  rw [size_chain] at hx
  rw [atIndex_chain_of_contiguous hc hx, ← hs]
  exact ⟨hx, hf x (hs ▸ hx)⟩

theorem linesUp_of_grouped {L B : FlatLayout} (hL : Valid L) (hc : Contiguous B) (hs : size B = size L)
    (h : Grouped (atIndex L) (size L) B) : LinesUp (coalesce L) B := by
  obtain ⟨hv, hp⟩ := (contiguous_iff_packed B).1 hc
  rw [← grouped_chain_iff] at h
  obtain ⟨gs, hg, hf⟩ := h
  have e : coalesce gs.flatten = coalesce L := by
    refine (coalesce_eq_iff hg.valid hL).2 ⟨by rw [hg.size_eq, size_chain, hs], fun x hx => ?_⟩
    rw [hg.size_eq] at hx
    have := (hf x hx).2
    rwa [atIndex_chain_of_contiguous hc (by rwa [size_chain] at hx)] at this
  intro P hP m hm h1
  rw [← e] at hP
  have hP := mem_boundaries_of_coalesce hP
  obtain ⟨⟨Q, hQ, e1⟩, Q', hQ', e2⟩ := mem_boundaries_of_packed hp ((mem_chain_iff hv).2 ⟨hm, h1⟩)
  rw [e2, e1, Nat.mul_one, Nat.mul_one]
  exact ⟨dvd_or_dvd_of_mem_boundaries hP (mem_boundaries_of_sizesMatch hg hQ),
    dvd_or_dvd_of_mem_boundaries hP (mem_boundaries_of_sizesMatch hg hQ')⟩

end FlatLayout

namespace Layout
open HTuple FlatLayout Layout.Aux

/-- **Composition with a bijection B of the indices of A exists exactly when, wherever a mode of A's coalesced shape
ends and wherever a mode of B begins or ends, one of the two numbers divides the other. The strides of A do not
matter.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.7.1, 4.1 (mutual refinements); ours -/
theorem composition_isSome_iff_linesUp {A B : Layout} (hA : A.Valid) (hB : B.Valid) (hc : Contiguous B.modes)
    (hs : B.size = A.size) :
    (composition A B).isSome = true ↔ LinesUp (FlatLayout.coalesce A.modes) B.modes := by
  rw [composition_isSome_iff hB]
  constructor
  · intro h
    have e1 : (FlatLayout.strides (FlatLayout.coalesce A.modes)).length = (FlatLayout.coalesce A.modes).length := by
      simp [FlatLayout.strides]
    have := h _ e1
    rw [ofShape_shape_strides, exists_composite_iff_grouped hB] at this
    have := linesUp_of_grouped (FlatLayout.coalesce_valid hA.2) hc (hs.trans (FlatLayout.coalesce_size _).symm) this
    rwa [FlatLayout.coalesce_idempotent] at this
  · intro h D hD
    have e : D.length = (FlatLayout.shape (FlatLayout.coalesce A.modes)).length := by rw [hD, length_shape]
    have hsz : FlatLayout.size (ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D) = A.size := by
      rw [size_ofShape e, prod_shape_coalesce]
    rw [exists_composite_iff_grouped hB]
    refine grouped_of_linesUp (L := ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D) ?_ hc
      (hs.trans hsz.symm) ?_
    · rw [valid_iff_size_pos, hsz]
      exact hA.2.size_pos
    · rw [LinesUp, shape_ofShape e]
      exact h

/-- **With a bijection of the indices of A, strict and complete composition are the same: no composite exists only
by a coincidence of strides.**
Rust: `razorgirl::Layout::composition`, `razorgirl::Layout::composition_complete`
Source: ours -/
theorem composition_eq_compositionComplete_of_contiguous {A B : Layout} (hA : A.Valid) (hB : B.Valid)
    (hc : Contiguous B.modes) (hs : B.size = A.size) : composition A B = compositionComplete A B := by
  cases h : compositionComplete A B with
  | none =>
    cases h' : composition A B with
    | none => rfl
    | some R => rw [compositionComplete_of_composition hB h'] at h; cases h
  | some R =>
    have hR := (compositionComplete_eq_some_iff hB).1 h
    have := linesUp_of_grouped hA.2 hc hs ((exists_composite_iff_grouped hB).1 ⟨R, hR⟩)
    obtain ⟨S, hS⟩ := Option.isSome_iff_exists.1 ((composition_isSome_iff_linesUp hA hB hc hs).2 this)
    rw [hS, isComposite_unique hB hR (composition_sound hB hS)]

/-! ## Division -/

theorem exists_of_mem_coalesce {L : FlatLayout} {m : Mode} (h : m ∈ FlatLayout.coalesce L) :
    (∃ n, n ∈ L ∧ m.stride = n.stride) ∧ ∃ n, n ∈ L ∧ m.extent * m.stride = n.extent * n.stride := by
  induction L generalizing m with
  | nil => simp [FlatLayout.coalesce] at h
  | cons k L ih =>
    have up : m ∈ FlatLayout.coalesce L → (∃ n, n ∈ k :: L ∧ m.stride = n.stride) ∧
        ∃ n, n ∈ k :: L ∧ m.extent * m.stride = n.extent * n.stride := fun hm => by
      obtain ⟨⟨n, h1, h2⟩, n', h3, h4⟩ := ih hm
      exact ⟨⟨n, by simp [h1], h2⟩, n', by simp [h3], h4⟩
    have here : m = k → (∃ n, n ∈ k :: L ∧ m.stride = n.stride) ∧
        ∃ n, n ∈ k :: L ∧ m.extent * m.stride = n.extent * n.stride := fun hm =>
      ⟨⟨k, by simp, by rw [hm]⟩, k, by simp, by rw [hm]⟩
    rw [FlatLayout.coalesce] at h
    generalize hK : FlatLayout.coalesce L = K at h up ih
    cases K with
    | nil =>
      rw [push] at h
      split at h
      · simp at h
      · exact here (List.mem_singleton.1 h)
    | cons n K =>
      rw [push] at h
      split at h
      · exact up h
      · split at h
        · rename_i hn
          rcases List.mem_cons.1 h with rfl | h
          · obtain ⟨_, n', h3, h4⟩ := ih (m := n) (by simp)
            refine ⟨⟨k, by simp, rfl⟩, n', by simp [h3], ?_⟩
            show k.extent * n.extent * k.stride = n'.extent * n'.stride
            rw [← h4, hn]
            ac_rfl
          · exact up (by simp [h])
        · rcases List.mem_cons.1 h with rfl | h
          · exact here rfl
          · exact up h

theorem exists_of_mem_gapsTo {c N : Nat} {L : FlatLayout} (h : Divides c L) (hb : blockFrom c L ∣ N) {n : Mode}
    (hn : n ∈ gapsTo c L N) : (n.stride = c ∨ ∃ m, m ∈ L ∧ n.stride = m.extent * m.stride) ∧
      (n.extent * n.stride = N ∨ ∃ m, m ∈ L ∧ n.extent * n.stride = m.stride) := by
  induction L generalizing c with
  | nil =>
    rw [gapsTo, List.mem_singleton] at hn
    subst hn
    exact ⟨.inl rfl, .inl (Nat.div_mul_cancel hb)⟩
  | cons m L ih =>
    rw [gapsTo] at hn
    rcases List.mem_cons.1 hn with rfl | hn
    · exact ⟨.inl rfl, .inr ⟨m, by simp, Nat.div_mul_cancel h.2.1⟩⟩
    · obtain ⟨h1, h2⟩ := ih h.2.2 hb hn
      refine ⟨.inr ?_, h2.imp id fun ⟨k, hk, e⟩ => ⟨k, by simp [hk], e⟩⟩
      rcases h1 with e | ⟨k, hk, e⟩
      · exact ⟨m, by simp, e⟩
      · exact ⟨k, by simp [hk], e⟩

/-- If A lines up with the tile, it lines up with the complement of the tile. -/
theorem linesUp_complement {L T C : FlatLayout} {N : Nat} (hT : FlatLayout.Valid T)
    (hC : FlatLayout.complementIn T N = some C) (hN : FlatLayout.size L = N) (h : LinesUp L T) : LinesUp L C := by
  obtain ⟨⟨_, hb, hd⟩, rfl⟩ := FlatLayout.complementIn_eq_some_iff.1 hC
  have end_of : ∀ P, P ∈ boundaries (FlatLayout.shape L) → ∀ m, m ∈ chain T →
      (P ∣ m.stride ∨ m.stride ∣ P) ∧ (P ∣ m.extent * m.stride ∨ m.extent * m.stride ∣ P) := fun P hP m hm =>
    have ⟨h1, h2⟩ := (mem_chain_iff hT).1 hm
    h P hP m h1 h2
  intro P hP m hm _
  obtain ⟨⟨n, hn, e⟩, n', hn', e'⟩ := exists_of_mem_coalesce hm
  rw [e', e]
  constructor
  · rcases (exists_of_mem_gapsTo hd hb hn).1 with h1 | ⟨k, hk, h1⟩
    · exact .inr (by rw [h1]; exact Nat.one_dvd _)
    · rw [h1]
      exact (end_of P hP k hk).2
  · rcases (exists_of_mem_gapsTo hd hb hn').2 with h1 | ⟨k, hk, h1⟩
    · rw [h1, ← hN]
      exact .inl (dvd_prod_of_mem_boundaries hP)
    · rw [h1]
      exact (end_of P hP k hk).1

theorem linesUp_tiling_iff {A T I : Layout} (hT : T.Valid) (hI : tiling T A.size = some I) :
    LinesUp (FlatLayout.coalesce A.modes) I.modes ↔ LinesUp (FlatLayout.coalesce A.modes) T.modes := by
  obtain ⟨C, hC, rfl⟩ := tiling_eq_some_iff.1 hI
  rw [concat_pair_modes]
  constructor
  · exact fun h P hP m hm => h P hP m (by simp [hm])
  · intro h P hP m hm h1
    rcases List.mem_append.1 hm with hm | hm
    · exact h P hP m hm h1
    · obtain ⟨C', hC', rfl⟩ := Layout.complementIn_eq_some_iff.1 hC
      rw [nest_modes] at hm
      split at hm
      · rw [List.mem_singleton.1 hm] at h1
        simp at h1
      · exact linesUp_complement hT.2 hC' (FlatLayout.coalesce_size _) h P hP m hm h1

theorem contiguous_tiling {T I : Layout} {N : Nat} (hT : T.Valid) (hI : tiling T N = some I) :
    Contiguous I.modes := by
  obtain ⟨C, hC, rfl⟩ := tiling_eq_some_iff.1 hI
  rw [concat_pair_modes]
  exact (complementIn_completes hT hC).1

/-- **A tile divides a layout exactly when it tiles the indices of the layout, and wherever a mode of the coalesced
layout ends and wherever a mode `s:d` of the tile begins or ends (at d and at s·d), one of the two numbers divides the
other.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.8, 4.1 (mutual refinements); CuTe `logical_divide`; ours -/
theorem logicalDivide_isSome_iff_linesUp {A T : Layout} (hA : A.Valid) (hT : T.Valid) :
    (logicalDivide A T).isSome = true ↔
      tiling T A.size ≠ none ∧ LinesUp (FlatLayout.coalesce A.modes) T.modes := by
  rw [logicalDivide_isSome_iff]
  constructor
  · rintro ⟨I, hI, h⟩
    rw [composition_isSome_iff_linesUp hA (tiling_valid hT hI) (contiguous_tiling hT hI) (tiling_size hT hI),
      linesUp_tiling_iff hT hI] at h
    exact ⟨by rw [hI]; simp, h⟩
  · rintro ⟨h1, h⟩
    obtain ⟨I, hI⟩ := Option.isSome_iff_exists.1 (Option.isSome_iff_ne_none.2 h1)
    refine ⟨I, hI, ?_⟩
    rwa [composition_isSome_iff_linesUp hA (tiling_valid hT hI) (contiguous_tiling hT hI) (tiling_size hT hI),
      linesUp_tiling_iff hT hI]

/-- **Division with strict and with complete composition is the same: whatever a tile can divide at all, it divides for
all strides of the coalesced layout.**
Rust: `razorgirl::Layout::logical_divide`
Source: ours -/
theorem logicalDivide_eq_complete {A T : Layout} (hA : A.Valid) (hT : T.Valid) :
    logicalDivide A T = divideWith compositionComplete A T := by
  rw [logicalDivide, divideWith, divideWith]
  cases hI : tiling T A.size with
  | none => rfl
  | some I =>
    exact composition_eq_compositionComplete_of_contiguous hA (tiling_valid hT hI) (contiguous_tiling hT hI)
      (tiling_size hT hI)

/-- **Division accepts exactly when some layout completes T in the indices of A and has, beside T, a composite
with A.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.8; Cecka, logical divide; ours -/
theorem logicalDivide_ne_none_iff_exists {A T : Layout} (hA : A.Valid) (hT : T.Valid) :
    logicalDivide A T ≠ none ↔
      ∃ C R, C.Valid ∧ Completes T.modes C.modes A.size ∧ IsComposite A (concat [T, C]) R := by
  rw [logicalDivide_eq_complete hA hT, ← Option.isSome_iff_ne_none, Option.isSome_iff_exists,
    ← exists_isDivision_iff hT]
  exact exists_congr fun R => divideWith_complete_eq_some_iff hT

mutual
theorem transform_congr {f g : Layout → Layout → Option Layout}
    (h : ∀ A B : Layout, A.Valid → B.Valid → f A B = g A B) : (b : Tiler) → (t : HTuple Mode) → b.Valid →
    FlatLayout.Valid t.flatten → transform f b t = transform g b t
  | .keep, _, _, _ => rfl
  | .layout B, t, hB, ht => by
    rw [transform, transform, h _ _ ((valid_ofTree_iff t).2 ht) hB]
  | .modes bs, .leaf m, hB, ht => by
    rw [transform, transform, children, transformList_congr h bs [.leaf m] hB (by simpa [flattenList] using ht)]
  | .modes bs, .node ts, hB, ht => by
    rw [transform, transform, children, transformList_congr h bs ts hB ht]
theorem transformList_congr {f g : Layout → Layout → Option Layout}
    (h : ∀ A B : Layout, A.Valid → B.Valid → f A B = g A B) : (bs : List Tiler) → (ts : List (HTuple Mode)) →
    Tiler.ValidList bs → FlatLayout.Valid (flattenList ts) → transformList f bs ts = transformList g bs ts
  | [], _, _, _ => rfl
  | _ :: _, [], _, _ => rfl
  | b :: bs, t :: ts, hB, ht => by
    have ht := (valid_append_iff _ _).1 ht
    rw [transformList, transformList, transform_congr h b t hB.1 ht.1, transformList_congr h bs ts hB.2 ht.2]
end

/-- **By tilers too, and in every form, division with strict and with complete composition is the same.**
Rust: `razorgirl::Layout::logical_divide`, `razorgirl::Layout::zipped_divide`
Source: ours -/
theorem logicalDivideBy_eq_complete {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid) :
    logicalDivideBy A b = transformBy (divideWith compositionComplete) A b ∧
      ∀ form, arrange form allRest logicalDivide A b = arrange form allRest (divideWith compositionComplete) A b := by
  have e := transform_congr (f := logicalDivide) (g := divideWith compositionComplete)
    (fun _ _ hA hB => logicalDivide_eq_complete hA hB) b A.tree hb
    (by rw [Layout.flatten_tree hA.1]; exact hA.2)
  exact ⟨by rw [logicalDivideBy, transformBy, transformBy, e], fun form => by rw [arrange, arrange, e]⟩

end Layout

end Razorgirl
