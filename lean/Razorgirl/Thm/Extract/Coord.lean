module

public import Razorgirl.Extract.Coord
public import Razorgirl.Thm.Layout.Basic

@[expose] public section

/-! # What the programs for offsets and coordinates return -/

namespace Razorgirl.Extract
open FlatLayout

/-- The variables of `atIndex`. -/
abbrev IndexState := Nat × Nat × List Mode × Nat × Unit

/-- What one turn does. -/
def IndexStep (f : Mode → IndexState → Out (Mode × IndexState) Nat) : Prop := ∀ (m : Mode) (s x : Nat) (L : List Mode) (y : Nat),
  0 < m.extent → f m (s, x, L, y, ()) =
    if s + x % m.extent * m.stride < 2 ^ 64 then
      if x < m.extent then .ret (s + x % m.extent * m.stride)
      else .next (m, s + x % m.extent * m.stride, x / m.extent, L, y, ())
    else .fault .overflow

theorem atIndexStep_run : IndexStep fun m s => atIndexStep.run (m, s) := by
  intro m s x L y h
  have h' : m.extent ≠ 0 := by omega
  simp only [atIndexStep, Stmt.run, Exp.run, Op1.run, Op2.run, divC, modC, Var.get, Var.put, bindE, Out.ofExp, check,
    decide_eq_true_eq]
  by_cases h0 : x < m.extent
  · rw [Nat.mod_eq_of_lt h0]
    by_cases h1 : x * m.stride < 2 ^ 64
    · by_cases h2 : s + x * m.stride < 2 ^ 64 <;> simp only [h0, h1, h2, if_true, if_false, Out.andThen]
    · have h2 : ¬ s + x * m.stride < 2 ^ 64 := by omega
      simp only [h0, h1, h2, if_true, if_false, Out.andThen]
  by_cases h1 : x % m.extent * m.stride < 2 ^ 64
  · by_cases h2 : s + x % m.extent * m.stride < 2 ^ 64 <;> simp only [h0, h', h1, h2, if_true, if_false, Out.andThen]
  · have h2 : ¬ s + x % m.extent * m.stride < 2 ^ 64 := by omega
    simp only [h0, h', h1, h2, if_false, Out.andThen]

theorem atIndex_loop {f : Mode → IndexState → Out (Mode × IndexState) Nat} (hf : IndexStep f) (X : List Mode) (s x : Nat)
    (L : List Mode) (y : Nat) (hX : Valid X) (hs : s < 2 ^ 64) :
    if s + FlatLayout.atIndex X x < 2 ^ 64 then
      Out.each f X (s, x, L, y, ()) = .ret (s + FlatLayout.atIndex X x) ∨
        ∃ x', Out.each f X (s, x, L, y, ()) = .next (s + FlatLayout.atIndex X x, x', L, y, ())
    else Out.each f X (s, x, L, y, ()) = .fault .overflow := by
  induction X generalizing s x with
  | nil => simp only [atIndex_nil, Nat.add_zero, hs, if_true, Out.each]; exact .inr ⟨x, rfl⟩
  | cons m X ih =>
    rw [Out.each, hf _ _ _ _ _ hX.1, atIndex_cons, ← Nat.add_assoc]
    by_cases h : s + x % m.extent * m.stride < 2 ^ 64
    · by_cases h0 : x < m.extent
      · rw [Nat.div_eq_of_lt h0, atIndex_zero, Nat.add_zero, if_pos h, if_pos h, if_pos h0]; exact .inl rfl
      · simpa only [h, h0, if_true, if_false, Out.andThen] using ih (s + x % m.extent * m.stride) (x / m.extent) hX.2 h
    · rw [if_neg h, if_neg (by omega)]; rfl

/-- **The extracted `at_index` returns the offset of a linear index of a valid layout if it is below 2^64, else overflow.**
Source: `Razorgirl.FlatLayout.atIndex` -/
theorem atIndex_run {L : List Mode} (x : Nat) (hL : Valid L) : atIndex.run (L, x, ()) =
    if FlatLayout.atIndex L x < 2 ^ 64 then .ok (FlatLayout.atIndex L x) else .error .overflow := by
  have h := atIndex_loop atIndexStep_run L 0 x L x hL (by decide)
  simp only [atIndex, Fn.run, Stmt.run, Exp.run, Var.get, Out.ofExp, show check 0 = .ok 0 by rfl]
  rw [Nat.zero_add] at h
  by_cases h1 : FlatLayout.atIndex L x < 2 ^ 64
  · rw [if_pos h1] at h ⊢
    rcases h with h | ⟨x', h⟩ <;> · rw [h]; simp
  · rw [if_neg h1] at h ⊢
    rw [h]; simp

theorem idx2crd_loop {f : Nat → Nat × List Nat × List Nat × Nat × Unit → Out (Nat × Nat × List Nat × List Nat × Nat × Unit) (List Nat)}
    (hf : ∀ s r o L y, 0 < s → f s (r, o, L, y, ()) = .next (s, r / s, o ++ [r % s], L, y, ()))
    (X : List Nat) (hX : ∀ s ∈ X, 0 < s) (r : Nat) (o L : List Nat) (y : Nat) :
    ∃ r', Out.each f X (r, o, L, y, ()) = .next (r', o ++ Razorgirl.idx2crd X r, L, y, ()) := by
  induction X generalizing r o with
  | nil => exact ⟨r, by simp [Out.each, Razorgirl.idx2crd]⟩
  | cons s X ih =>
    obtain ⟨r', h⟩ := ih (fun t ht => hX t (by simp [ht])) (r / s) (o ++ [r % s])
    exact ⟨r', by rw [Out.each, hf _ _ _ _ _ (hX s (by simp))]; simp only [Out.andThen]; rw [h]; simp [Razorgirl.idx2crd]⟩

theorem idx2crdStep_run (s r : Nat) (o L : List Nat) (y : Nat) (h : 0 < s) :
    idx2crdStep.run (s, r, o, L, y, ()) = .next (s, r / s, o ++ [r % s], L, y, ()) := by
  have h' : s ≠ 0 := by omega
  simp [idx2crdStep, h']

/-- **The extracted `idx2crd` returns the coordinate of any linear index, in any shape of extents of at least 1.**
Source: `Razorgirl.idx2crd` -/
theorem idx2crd_run {S : List Nat} (hS : ∀ s ∈ S, 0 < s) (x : Nat) :
    idx2crd.run (S, x, ()) = .ok (Razorgirl.idx2crd S x) := by
  obtain ⟨r', h⟩ := idx2crd_loop (f := fun a s => idx2crdStep.run (a, s)) idx2crdStep_run S hS x [] S x
  simp only [idx2crd, Fn.run, Stmt.run, Exp.run, Var.get, Out.ofExp]
  rw [h]; simp

/-! ## Coordinates to indices and offsets -/

theorem getC_append {α : Type} (X Y : List α) (a : α) : getC (X ++ a :: Y) X.length = .ok a := by
  induction X with
  | nil => rfl
  | cons b X ih => exact ih

theorem crd2idxStep_run (s k w n : Nat) (S P Q : List Nat) (c : Nat) (hk : P.length = k) (h : c < s → w * s < 2 ^ 64)
    (hn : c < s → n + c * w < 2 ^ 64) (hl : k + 1 < 2 ^ 64) : crd2idxStep.run (s, k, w, n, S, P ++ c :: Q, ()) =
      if c < s then .next (s, k + 1, w * s, n + c * w, S, P ++ c :: Q, ()) else .fault (.refuse "out_of_domain") := by
  subst hk
  simp only [crd2idxStep, Stmt.run, Exp.run, Op2.run, Var.get, Var.put, bindE, Out.ofExp, Out.andThen, getC_append,
    show check 1 = .ok 1 by rfl]
  by_cases h1 : c < s
  · have h2 : ¬ s ≤ c := by omega
    have h3 : c * w < 2 ^ 64 := by have := hn h1; omega
    have h4 : check (c * w) = .ok (c * w) := if_pos h3
    have h5 : check (n + c * w) = .ok (n + c * w) := if_pos (hn h1)
    have h6 : check (w * s) = .ok (w * s) := if_pos (h h1)
    have h7 : check (P.length + 1) = .ok (P.length + 1) := if_pos hl
    simp [h1, h2, h4, h5, h6, h7]
  · have h2 : s ≤ c := by omega
    simp [h1, h2]

/-- The variables of `crd2idx`. -/
abbrev Crd2idxState := Nat × Nat × Nat × List Nat × List Nat × Unit

theorem crd2idx_loop {f : Nat → Crd2idxState → Out (Nat × Crd2idxState) Nat} {S C : List Nat}
    (hf : ∀ s k w n P Q c, C = P ++ c :: Q → P.length = k → (c < s → w * s < 2 ^ 64) → (c < s → n + c * w < 2 ^ 64) →
      f s (k, w, n, S, C, ()) =
        if c < s then .next (s, k + 1, w * s, n + c * w, S, C, ()) else .fault (.refuse "out_of_domain"))
    (X : List Nat) (hX : ∀ s ∈ X, 0 < s) (P Q : List Nat) (hC : C = P ++ Q) (hl : X.length = Q.length) (w n : Nat)
    (hn : n < w) (hw : w * prod X < 2 ^ 64) :
    (InBounds X Q ∧ ∃ k w', Out.each f X (P.length, w, n, S, C, ()) = .next (k, w', n + w * Razorgirl.crd2idx X Q, S, C, ())) ∨
      (¬ InBounds X Q ∧ Out.each f X (P.length, w, n, S, C, ()) = .fault (.refuse "out_of_domain")) := by
  induction X generalizing P Q w n with
  | nil =>
    obtain rfl := List.length_eq_zero_iff.1 hl.symm
    exact .inl ⟨trivial, P.length, w, by simp [Out.each, Razorgirl.crd2idx]⟩
  | cons s X ih =>
    cases Q with
    | nil => simp at hl
    | cons c Q =>
      have hX' : ∀ t ∈ X, 0 < t := fun t ht => hX t (by simp [ht])
      have hp : 0 < prod X := (prod_pos_iff X).2 hX'
      rw [prod, ← Nat.mul_assoc] at hw
      have h1 : w * s < 2 ^ 64 := Nat.lt_of_le_of_lt (Nat.le_mul_of_pos_right _ hp) hw
      have h2 : c < s → n + c * w < w * s := fun h => by
        have := Nat.mul_le_mul_right w (show c + 1 ≤ s by omega)
        rw [Nat.succ_mul, Nat.mul_comm s w] at this
        omega
      rw [Out.each, hf s P.length w n P Q c hC rfl (fun _ => h1) (fun h => by have := h2 h; omega), InBounds]
      by_cases h : c < s
      · rw [if_pos h]
        simp only [Out.andThen]
        have h3 := ih hX' (P ++ [c]) Q (by rw [hC]; simp) (by simpa using hl) (w * s) (n + c * w) (h2 h) hw
        rw [List.length_append, List.length_singleton] at h3
        rcases h3 with ⟨h4, k, w', h5⟩ | ⟨h4, h5⟩
        · refine .inl ⟨⟨h, h4⟩, k, w', ?_⟩
          rw [h5, Razorgirl.crd2idx, Nat.mul_add, Nat.mul_comm w c, Nat.mul_assoc, Nat.add_assoc]
        · exact .inr ⟨fun hb => h4 hb.2, h5⟩
      · rw [if_neg h]
        exact .inr ⟨fun hb => h hb.1, rfl⟩

/-- **The extracted `crd2idx` returns the linear index of a coordinate that lies in a shape of extents of at least 1 and size
below 2^64; it refuses others as outside of the domain, and those of another length as incongruent.**
Source: `Razorgirl.crd2idx` -/
theorem crd2idx_run {S C : List Nat} (hS : ∀ s ∈ S, 0 < s) (hs : prod S < 2 ^ 64) (hl : S.length < 2 ^ 64)
    (hC : C.length < 2 ^ 64) : crd2idx.run (S, C, ()) =
      if S.length = C.length then
        if InBounds S C then .ok (Razorgirl.crd2idx S C) else .error (.refuse "out_of_domain")
      else .error (.refuse "incongruent") := by
  have h1 : check S.length = .ok S.length := if_pos hl
  have h2 : check C.length = .ok C.length := if_pos hC
  simp only [crd2idx, Fn.run, Stmt.run, Exp.run, Op1.run, Op2.run, Var.get, bindE, Out.ofExp, h1, h2,
    show check 0 = .ok 0 by rfl, show check 1 = .ok 1 by rfl]
  by_cases h : S.length = C.length
  · rw [if_pos h]
    have h3 := crd2idx_loop (f := fun a s => crd2idxStep.run (a, s)) (S := S) (C := C)
      (fun s k w n P Q c e hk a b => by
        have hlen : k + 1 < 2 ^ 64 := by rw [e, List.length_append, List.length_cons] at hC; omega
        rw [e]; exact crd2idxStep_run s k w n S P Q c hk a b hlen) S hS [] C rfl h 1 0 Nat.one_pos (by omega)
    simp only [h, ne_eq, not_true, decide_false, Bool.false_eq_true, if_false, Out.andThen]
    rcases h3 with ⟨h4, k, w', h5⟩ | ⟨h4, h5⟩
    · rw [if_pos h4]; erw [h5]; simp
    · rw [if_neg h4]; erw [h5]; rfl
  · rw [if_neg h]; simp [h]

theorem atCoordStep_run (m : Mode) (k n : Nat) (L : List Mode) (P Q : List Nat) (c : Nat) (hk : P.length = k)
    (hl : k + 1 < 2 ^ 64) : atCoordStep.run (m, k, n, L, P ++ c :: Q, ()) =
      if c < m.extent then
        if n + c * m.stride < 2 ^ 64 then .next (m, k + 1, n + c * m.stride, L, P ++ c :: Q, ()) else .fault .overflow
      else .fault (.refuse "out_of_domain") := by
  subst hk
  simp only [atCoordStep, Stmt.run, Exp.run, Op1.run, Op2.run, Var.get, Var.put, bindE, Out.ofExp, Out.andThen, getC_append,
    show check 1 = .ok 1 by rfl]
  by_cases h1 : c < m.extent
  · have h2 : ¬ m.extent ≤ c := by omega
    have h7 : check (P.length + 1) = .ok (P.length + 1) := if_pos hl
    by_cases h5 : n + c * m.stride < 2 ^ 64
    · have h4 : check (c * m.stride) = .ok (c * m.stride) := if_pos (by omega)
      have h6 : check (n + c * m.stride) = .ok (n + c * m.stride) := if_pos h5
      simp [h1, h2, h4, h5, h6, h7]
    · have h6 : check (n + c * m.stride) = .error .overflow := if_neg h5
      by_cases h4 : c * m.stride < 2 ^ 64
      · have h8 : check (c * m.stride) = .ok (c * m.stride) := if_pos h4
        simp [h1, h2, h5, h6, h8]
      · have h8 : check (c * m.stride) = .error .overflow := if_neg h4
        simp [h1, h2, h5, h8]
  · have h2 : m.extent ≤ c := by omega
    simp [h1, h2]

/-- The variables of `atCoord`. -/
abbrev AtCoordState := Nat × Nat × List Mode × List Nat × Unit

theorem atCoord_loop {f : Mode → AtCoordState → Out (Mode × AtCoordState) Nat} {L : List Mode} {C : List Nat}
    (hf : ∀ m k n P Q c, C = P ++ c :: Q → P.length = k → f m (k, n, L, C, ()) =
      if c < m.extent then
        if n + c * m.stride < 2 ^ 64 then .next (m, k + 1, n + c * m.stride, L, C, ()) else .fault .overflow
      else .fault (.refuse "out_of_domain"))
    (X : List Mode) (P Q : List Nat) (hC : C = P ++ Q) (hl : X.length = Q.length) (n : Nat)
    (hn : n + cosizeFormula X ≤ 2 ^ 64) :
    (InBounds (shape X) Q ∧ ∃ k, Out.each f X (P.length, n, L, C, ()) = .next (k, n + eval X Q, L, C, ())) ∨
      (¬ InBounds (shape X) Q ∧ Out.each f X (P.length, n, L, C, ()) = .fault (.refuse "out_of_domain")) := by
  induction X generalizing P Q n with
  | nil =>
    obtain rfl := List.length_eq_zero_iff.1 hl.symm
    exact .inl ⟨trivial, P.length, by simp [Out.each, eval]⟩
  | cons m X ih =>
    cases Q with
    | nil => simp at hl
    | cons c Q =>
      have h1 := cosizeFormula_pos X
      rw [cosizeFormula] at hn
      rw [Out.each, hf m P.length n P Q c hC rfl, shape_cons, InBounds]
      by_cases h : c < m.extent
      · have h2 : c * m.stride ≤ (m.extent - 1) * m.stride := Nat.mul_le_mul_right _ (by omega)
        rw [if_pos h, if_pos (by omega)]
        simp only [Out.andThen]
        have h3 := ih (P ++ [c]) Q (by rw [hC]; simp) (by simpa using hl) (n + c * m.stride) (by omega)
        rw [List.length_append, List.length_singleton] at h3
        rcases h3 with ⟨h4, k, h5⟩ | ⟨h4, h5⟩
        · exact .inl ⟨⟨h, h4⟩, k, by rw [h5, eval, Nat.add_assoc]⟩
        · exact .inr ⟨fun hb => h4 hb.2, h5⟩
      · rw [if_neg h]
        exact .inr ⟨fun hb => h hb.1, rfl⟩

/-- **The extracted `at_coord` returns the offset of a coordinate that lies in the shape of a valid layout of cosize at most
2^64; it refuses others as outside of the domain, and those of another length as incongruent.**
Source: `Razorgirl.FlatLayout.eval` -/
theorem atCoord_run {L : List Mode} {C : List Nat} (hc : cosizeFormula L ≤ 2 ^ 64) (hl : L.length < 2 ^ 64)
    (hC : C.length < 2 ^ 64) : atCoord.run (L, C, ()) =
      if L.length = C.length then
        if InBounds (shape L) C then .ok (eval L C) else .error (.refuse "out_of_domain")
      else .error (.refuse "incongruent") := by
  have h1 : check L.length = .ok L.length := if_pos hl
  have h2 : check C.length = .ok C.length := if_pos hC
  simp only [atCoord, Fn.run, Stmt.run, Exp.run, Op1.run, Op2.run, Var.get, bindE, Out.ofExp, h1, h2,
    show check 0 = .ok 0 by rfl]
  by_cases h : L.length = C.length
  · rw [if_pos h]
    have h3 := atCoord_loop (f := fun a s => atCoordStep.run (a, s)) (L := L) (C := C)
      (fun m k n P Q c e hk => by
        have hlen : k + 1 < 2 ^ 64 := by rw [e, List.length_append, List.length_cons] at hC; omega
        rw [e]; exact atCoordStep_run m k n L P Q c hk hlen) L [] C rfl h 0 (by omega)
    simp only [h, ne_eq, not_true, decide_false, Bool.false_eq_true, if_false, Out.andThen]
    rcases h3 with ⟨h4, k, h5⟩ | ⟨h4, h5⟩
    · rw [if_pos h4]; erw [h5]; simp
    · rw [if_neg h4]; erw [h5]; rfl
  · rw [if_neg h]; simp [h]

end Razorgirl.Extract
