module

public import Razorgirl.Spec.Stride
public import Razorgirl.Thm.Layout.Composition.Assemble

@[expose] public section

/-!
# Strides in a module: what is proved

Digits speak of shapes only. So composition by digits is sound for strides of every kind, and where it refuses, some
strides have no composite. Coalescing keeps the function.
-/

namespace Razorgirl

namespace Stride

open StrideModule

variable {α : Type} [StrideModule α]

/-! ## The laws of multiples -/

theorem add_zero (a : α) : add a zero = a := by rw [add_comm, zero_add]

theorem add_left_comm (a b c : α) : add a (add b c) = add b (add a c) := by
  rw [← add_assoc, add_comm a b, add_assoc]

theorem times_zero (n : Nat) : times n (zero : α) = zero := by
  induction n with
  | zero => exact zero_times _
  | succ n ih => rw [succ_times, ih, zero_add]

theorem add_times (m n : Nat) (a : α) : times (m + n) a = add (times m a) (times n a) := by
  induction n with
  | zero => rw [Nat.add_zero, zero_times, add_zero]
  | succ n ih => rw [← Nat.add_assoc, succ_times, ih, succ_times, add_assoc]

theorem times_add (n : Nat) (a b : α) : times n (add a b) = add (times n a) (times n b) := by
  induction n with
  | zero => rw [zero_times, zero_times, zero_times, zero_add]
  | succ n ih =>
    rw [succ_times, succ_times, succ_times, ih, add_assoc, add_assoc, add_left_comm (times n b) a b]

theorem mul_times (m n : Nat) (a : α) : times (m * n) a = times m (times n a) := by
  induction m with
  | zero => rw [Nat.zero_mul, zero_times, zero_times]
  | succ m ih => rw [Nat.succ_mul, add_times, ih, succ_times]

theorem one_times (a : α) : times 1 a = a := by rw [succ_times, zero_times, zero_add]

/-! ## Digit vectors -/

theorem dot_nil_right (v : List Nat) : dot v ([] : List α) = zero := by cases v <;> rfl

theorem dot_replicate_zero (n : Nat) (D : List α) : dot (List.replicate n 0) D = zero := by
  induction n generalizing D with
  | zero => rfl
  | succ n ih =>
    cases D with
    | nil => rfl
    | cons d D => rw [List.replicate_succ, dot, ih, zero_times, zero_add]

theorem dot_digits_zero (M : List Nat) (D : List α) : dot (digits M 0) D = zero := by
  rw [digits_zero, dot_replicate_zero]

theorem dot_addTimes (k : Nat) : {xs ys : List Nat} → (D : List α) → xs.length = ys.length →
    dot (addTimes k xs ys) D = add (times k (dot xs D)) (dot ys D)
  | [], [], _, _ => by simp only [addTimes, dot, times_zero, zero_add]
  | [], _ :: _, _, h => by simp at h
  | _ :: _, [], _, h => by simp at h
  | x :: xs, y :: ys, [], _ => by simp only [addTimes, dot, times_zero, zero_add]
  | x :: xs, y :: ys, d :: D, h => by
    rw [addTimes, dot, dot, dot, dot_addTimes k D (by simpa using h), add_times, mul_times, times_add]
    rw [add_assoc, add_assoc, add_left_comm (times y d)]

theorem atIndex_nil (x : Nat) : atIndex ([] : Modes α) x = zero := by
  rw [atIndex]; exact dot_nil_right _

theorem atIndex_cons (m : Nat × α) (L : Modes α) (x : Nat) :
    atIndex (m :: L) x = add (times (x % m.1) m.2) (atIndex L (x / m.1)) := rfl

omit [StrideModule α] in
theorem size_cons (m : Nat × α) (L : Modes α) : size (m :: L) = m.1 * size L := rfl

omit [StrideModule α] in
theorem size_append (L K : Modes α) : size (L ++ K) = size L * size K := by
  induction L with
  | nil => rw [List.nil_append]; exact (Nat.one_mul _).symm
  | cons m L ih => rw [List.cons_append, size_cons, size_cons, ih, Nat.mul_assoc]

theorem ofDigits_append (D : List α) (ps qs : List DigitMode) :
    ofDigits D (ps ++ qs) = ofDigits D ps ++ ofDigits D qs := List.map_append

theorem concat_ofDigits (D : List α) (ps : List (List DigitMode)) :
    concat (ps.map (ofDigits D)) = ofDigits D (pieces ps) := by
  induction ps with
  | nil => rfl
  | cons p ps ih => rw [List.map_cons, concat, ih, pieces, ofDigits_append]

theorem dot_digitsAt {M : List Nat} (D : List α) {ps : List DigitMode} (h : WellFormed M ps) (x : Nat) :
    dot (digitsAt M ps x) D = atIndex (ofDigits D ps) x := by
  induction ps generalizing x with
  | nil => rw [digitsAt, dot_digits_zero]; exact (atIndex_nil x).symm
  | cons p ps ih =>
    rw [digitsAt, dot_addTimes _ D (by rw [h.1.2, length_digitsAt h.2]), ih h.2]
    rfl

theorem size_ofDigits (D : List α) (E : List Nat) (ps : List DigitMode) :
    size (ofDigits D ps) = FlatLayout.size (Layout.ofDigits E ps) := by
  induction ps with
  | nil => rfl
  | cons p ps ih => exact congrArg (p.extent * ·) ih

theorem sizes_of_sizesMatch (D : List α) {B : FlatLayout} {ps : List (List DigitMode)}
    (h : Layout.SizesMatch B (ps.map (Layout.ofDigits []))) :
    (ps.map (ofDigits D)).map size = FlatLayout.shape B ∧ ∀ L ∈ ps.map (ofDigits D), Valid L := by
  induction B generalizing ps with
  | nil =>
    cases ps with
    | nil => exact ⟨rfl, by simp⟩
    | cons p ps => exact h.elim
  | cons m B ih =>
    cases ps with
    | nil => exact h.elim
    | cons p ps =>
      obtain ⟨⟨h₁, h₂⟩, h₃⟩ := h
      obtain ⟨k₁, k₂⟩ := ih h₃
      refine ⟨?_, ?_⟩
      · simp only [List.map_cons, FlatLayout.shape] at k₁ ⊢
        rw [k₁, size_ofDigits D [], h₂]
      · intro L hL
        rcases List.mem_cons.1 hL with rfl | hL
        · clear h₂ h₃ k₁ k₂ ih hL
          induction p with
          | nil => intro n hn; cases hn
          | cons q p ih =>
            intro n hn
            rcases List.mem_cons.1 hn with rfl | hn
            · exact h₁.1
            · exact ih h₁.2 n hn
        · exact k₂ L hL

/-- **Composition by digits is right for strides in every module: what it answers has for each mode of B modes of its size,
and is A after B.**
Source: Cecka (arXiv 2603.02298); the general statement is not known to be published -/
theorem composition_sound {A : Modes α} {B : FlatLayout} {R : List (Modes α)} (hB : FlatLayout.Valid B)
    (h : composition A B = some R) : IsComposite A B R := by
  unfold composition at h
  split at h
  · rename_i hdom
    obtain ⟨ps, hps, rfl⟩ := Option.map_eq_some_iff.1 h
    obtain ⟨s₁, s₂⟩ := sizes_of_sizesMatch (strides A) (digitComposition_spec hB hdom hps []).1
    refine ⟨s₁, s₂, fun x hx => ?_⟩
    have lt : FlatLayout.atIndex B x < size A := (Layout.atIndex_lt_iff hB).2 hdom x hx
    refine ⟨lt, ?_⟩
    rw [digitComposition] at hps
    split at hps
    · rename_i q hq
      split at hps
      · rename_i hb
        cases hps
        obtain ⟨w, v, _, _⟩ := splitModes_spec hB hdom hq
        rw [concat_ofDigits, ← dot_digitsAt _ w, ← digits_valued w hb, v, digits_eq_idx2crd _ _ lt]
        rfl
      · cases hps
    · cases hps
  · cases h

/-- **Composition by digits is not exact in every module: with strides that `or` adds, (6,2):(1,1) after (3,2):(2,3) is
(3,2):(1,1), and digits refuse it.**
Source: none known -/
theorem composition_not_exact_or : composition [(6, true), (2, true)] [⟨3, 2⟩, ⟨2, 3⟩] = none ∧
    IsComposite [(6, true), (2, true)] [⟨3, 2⟩, ⟨2, 3⟩] [[(3, true)], [(2, true)]] := by
  refine ⟨by decide +kernel, rfl, ?_, ?_⟩
  · simp [Valid]
  · intro x hx
    have : ∀ x, x < 6 → FlatLayout.atIndex [⟨3, 2⟩, ⟨2, 3⟩] x < size [(6, true), (2, true)] ∧
        atIndex (concat [[(3, true)], [(2, true)]]) x =
          atIndex [(6, true), (2, true)] (FlatLayout.atIndex [⟨3, 2⟩, ⟨2, 3⟩] x) := by decide +kernel
    exact this x hx

/-! ## Coalescing -/

section Coalesce

variable [DecidableEq α]

/-- **Coalescing keeps every offset, whatever the strides are.**
Source: CuTe `coalesce` -/
theorem coalesce_atIndex (L : Modes α) (x : Nat) : atIndex (coalesce L) x = atIndex L x := by
  have key : ∀ (m : Nat × α) (K : Modes α) (x : Nat), atIndex (push m K) x = atIndex (m :: K) x := by
    intro m K x
    unfold push
    split
    · rename_i h
      rw [atIndex_cons, h, Nat.mod_one, zero_times, zero_add, Nat.div_one]
    · split
      · rfl
      · rename_i n K
        split
        · rename_i h
          rw [atIndex_cons, atIndex_cons, atIndex_cons, h]
          simp only
          rw [Nat.mod_mul, add_times, add_assoc, Nat.mul_comm m.1 (x / m.1 % n.1), mul_times, Nat.div_div_eq_div_mul]
        · rfl
  induction L generalizing x with
  | nil => rfl
  | cons m L ih => rw [coalesce, key, atIndex_cons, atIndex_cons, ih]

/-- **Coalescing keeps the number of coordinates.**
Source: CuTe `coalesce` -/
theorem coalesce_size (L : Modes α) : size (coalesce L) = size L := by
  have key : ∀ (m : Nat × α) (K : Modes α), size (push m K) = m.1 * size K := by
    intro m K
    unfold push
    split
    · rename_i h; rw [h, Nat.one_mul]
    · split
      · rfl
      · split
        · rw [size_cons, size_cons, Nat.mul_assoc]
        · rfl
  induction L with
  | nil => rfl
  | cons m L ih => rw [coalesce, key, ih, size_cons]

/-- **What is coalesced has no mode of extent 1 and no two neighbours that could be one.**
Source: CuTe `coalesce` -/
theorem coalesce_coalesced {L : Modes α} (h : Valid L) : Coalesced (coalesce L) := by
  have key : ∀ (m : Nat × α) (K : Modes α), 0 < m.1 → (∀ n ∈ K, 0 < n.1) → Coalesced K → Coalesced (push m K) := by
    intro m K hm hK h
    unfold push
    split
    · exact h
    · rename_i q
      split
      · exact q
      · rename_i n K
        have hn := hK n List.mem_cons_self
        have n1 : n.1 ≠ 1 := by
          cases K with
          | nil => exact h
          | cons k K => exact h.1
        split
        · rename_i e
          have big : m.1 * n.1 ≠ 1 := by
            intro he
            exact q (Nat.eq_one_of_mul_eq_one_right he)
          cases K with
          | nil => exact big
          | cons k K =>
            refine ⟨big, ?_, h.2.2⟩
            simp only
            rw [Nat.mul_comm, mul_times, ← e]
            exact h.2.1
        · rename_i e
          exact ⟨q, e, h⟩
  have pos : ∀ (m : Nat × α) (K : Modes α), 0 < m.1 → (∀ n ∈ K, 0 < n.1) → ∀ n ∈ push m K, 0 < n.1 := by
    intro m K hm hK
    unfold push
    split
    · exact hK
    · split
      · intro n hn; rw [List.mem_singleton.1 hn]; exact hm
      · rename_i n K
        split
        · intro k hk
          rcases List.mem_cons.1 hk with rfl | hk
          · exact Nat.mul_pos hm (hK n List.mem_cons_self)
          · exact hK k (List.mem_cons_of_mem _ hk)
        · intro k hk
          rcases List.mem_cons.1 hk with rfl | hk
          · exact hm
          · exact hK k hk
  have both : ∀ {L : Modes α}, (∀ n ∈ L, 0 < n.1) → Coalesced (coalesce L) ∧ ∀ n ∈ coalesce L, 0 < n.1 := by
    intro L
    induction L with
    | nil => intro _; exact ⟨trivial, by simp [coalesce]⟩
    | cons m L ih =>
      intro h
      obtain ⟨i₁, i₂⟩ := ih fun n hn => h n (List.mem_cons_of_mem _ hn)
      have hm := h m List.mem_cons_self
      exact ⟨key m _ hm i₂ i₁, pos m _ hm i₂⟩
  exact (both h).1

end Coalesce

theorem Coalesced.tail {m : Nat × α} {L : Modes α} (h : Coalesced (m :: L)) : Coalesced L := by
  cases L with
  | nil => trivial
  | cons n L => exact h.2.2

theorem Coalesced.head {m : Nat × α} {L : Modes α} (h : Coalesced (m :: L)) : m.1 ≠ 1 := by
  cases L with
  | nil => exact h
  | cons n L => exact h.1

omit [StrideModule α] in
theorem size_pos {L : Modes α} (h : Valid L) : 0 < size L := by
  induction L with
  | nil => exact Nat.one_pos
  | cons m L ih =>
    exact Nat.mul_pos (h m List.mem_cons_self) (ih fun n hn => h n (List.mem_cons_of_mem _ hn))

theorem atIndex_of_lt {m : Nat × α} {L : Modes α} {x : Nat} (h : x < m.1) : atIndex (m :: L) x = times x m.2 := by
  rw [atIndex_cons, Nat.mod_eq_of_lt h, Nat.div_eq_of_lt h]
  have z : ∀ L : Modes α, atIndex L 0 = zero := by
    intro L
    induction L with
    | nil => exact atIndex_nil 0
    | cons m L ih => rw [atIndex_cons, Nat.zero_mod, Nat.zero_div, zero_times, zero_add, ih]
  rw [z, add_zero]

theorem atIndex_mul {m : Nat × α} {L : Modes α} (hm : 0 < m.1) (x : Nat) :
    atIndex (m :: L) (m.1 * x) = atIndex L x := by
  rw [atIndex_cons, Nat.mul_mod_right, Nat.mul_div_cancel_left _ hm, zero_times, zero_add]

theorem extent_le {m n : Nat × α} {L K : Modes α} (vL : Valid (m :: L)) (vK : Valid (n :: K))
    (cK : Coalesced (n :: K)) (hs : size (m :: L) = size (n :: K))
    (h : ∀ x, x < size (m :: L) → atIndex (m :: L) x = atIndex (n :: K) x) (hd : m.2 = n.2) : m.1 ≤ n.1 := by
  apply Nat.le_of_not_lt
  intro lt
  have hn := vK n List.mem_cons_self
  have sL := size_pos (L := L) fun k hk => vL k (List.mem_cons_of_mem _ hk)
  have inL : n.1 < size (m :: L) := by
    rw [size_cons]
    exact Nat.lt_of_lt_of_le lt (Nat.le_mul_of_pos_right _ sL)
  have e := h n.1 inL
  rw [atIndex_of_lt lt] at e
  have e' := atIndex_mul (L := K) hn 1
  rw [Nat.mul_one] at e'
  rw [e'] at e
  cases K with
  | nil => rw [hs, size_cons] at inL; simp [size, shape, prod] at inL
  | cons k K =>
    have k1 := Coalesced.head cK.tail
    have kp := vK k (by simp)
    rw [atIndex_of_lt (show 1 < k.1 by omega), one_times] at e
    exact cK.2.1 (by rw [← e, hd])

/-- **Coalesced modes are determined by their size and their function, in every module.**
Source: CuTe `coalesce`; stated otherwise: for strides of every kind -/
theorem coalesced_unique {L K : Modes α} (vL : Valid L) (vK : Valid K) (cL : Coalesced L) (cK : Coalesced K)
    (hs : size L = size K) (h : ∀ x, x < size L → atIndex L x = atIndex K x) : L = K := by
  induction L generalizing K with
  | nil =>
    cases K with
    | nil => rfl
    | cons n K =>
      have := size_pos (L := K) fun k hk => vK k (List.mem_cons_of_mem _ hk)
      have hn := vK n List.mem_cons_self
      have := cK.head
      rw [size_cons] at hs
      have : n.1 = 1 := Nat.eq_one_of_mul_eq_one_right hs.symm
      contradiction
  | cons m L ih =>
    cases K with
    | nil =>
      have := cL.head
      rw [size_cons] at hs
      have : m.1 = 1 := Nat.eq_one_of_mul_eq_one_right hs
      contradiction
    | cons n K =>
      have hm := vL m List.mem_cons_self
      have hn := vK n List.mem_cons_self
      have m1 := cL.head
      have n1 := cK.head
      have sL := size_pos (L := L) fun k hk => vL k (List.mem_cons_of_mem _ hk)
      have big : 1 < size (m :: L) := by
        rw [size_cons]
        exact Nat.lt_of_lt_of_le (show 1 < m.1 by omega) (Nat.le_mul_of_pos_right _ sL)
      have d : m.2 = n.2 := by
        have := h 1 big
        rwa [atIndex_of_lt (by omega), atIndex_of_lt (by omega), one_times, one_times] at this
      have e : m.1 = n.1 := Nat.le_antisymm (extent_le vL vK cK hs h d)
        (extent_le vK vL cL hs.symm (fun x hx => (h x (by rw [hs]; exact hx)).symm) d.symm)
      have mn : m = n := Prod.ext e d
      subst mn
      rw [size_cons, size_cons] at hs
      congr 1
      refine ih (fun k hk => vL k (List.mem_cons_of_mem _ hk)) (fun k hk => vK k (List.mem_cons_of_mem _ hk))
        cL.tail cK.tail (Nat.eq_of_mul_eq_mul_left hm hs) fun x hx => ?_
      rw [← atIndex_mul hm, ← atIndex_mul (L := K) hm]
      exact h _ (by rw [size_cons]; exact Nat.mul_lt_mul_of_pos_left hx hm)

end Stride

end Razorgirl
