module

public import Razorgirl.Spec.Bank.Optimal
public import Razorgirl.Thm.Bank.Bytes
public import Razorgirl.Thm.LinearLayout.Elimination.Solve

@[expose] public section

/-!
# A layout without conflicts for two patterns: what is proved

Two spans of one dimension have a common complement, which is constructed; a layout whose high bits are that complement
has no conflicts for either.
-/

namespace Razorgirl

namespace Bank

open F2

theorem missing_succ (cs : List Nat) (d : Nat) :
    missing cs (d + 1) = if Span cs (2 ^ d) then missing cs d else some (2 ^ d) := by
  simp only [missing, missingFrom, reduce_span]

theorem outside_eq (A B : List Nat) (d : Nat) : outside A B d =
    if Span B ((missing A d).getD 0) then
      (if Span A ((missing B d).getD 0) then (missing A d).getD 0 ^^^ (missing B d).getD 0 else (missing B d).getD 0)
    else (missing A d).getD 0 := by
  simp only [outside, inSpan_iff]

theorem missing_some {cs d v} (h : missing cs d = some v) : ¬ Span cs v ∧ v < 2 ^ d := by
  induction d with
  | zero => cases h
  | succ d ih =>
    have P : 2 ^ (d + 1) = 2 ^ d + 2 ^ d := by rw [Nat.pow_succ, Nat.mul_two]
    have p := Nat.two_pow_pos d
    simp only [missing_succ] at h
    split at h
    · have := ih h; exact ⟨this.1, by omega⟩
    · rename_i n; cases h; exact ⟨n, by omega⟩

theorem missing_none {cs d} (h : missing cs d = none) (i) (hi : i < d) : Span cs (2 ^ i) := by
  induction d with
  | zero => omega
  | succ d ih =>
    simp only [missing_succ] at h
    split at h
    · rename_i s
      by_cases e : i = d
      · subst e; exact s
      · exact ih h (by omega)
    · cases h

/-- **Where two lists of columns have ranks below d, the vector that `outside` constructs is below 2^d and in neither span.**
Source: «Linear Layouts» (arXiv 2505.23819) -/
theorem outside_spec {A B : List Nat} {d} (hA : rank A < d) (hB : rank B < d) :
    ¬ Span A (outside A B d) ∧ ¬ Span B (outside A B d) ∧ outside A B d < 2 ^ d := by
  have get : ∀ {X : List Nat}, rank X < d → ¬ Span X ((missing X d).getD 0) ∧ (missing X d).getD 0 < 2 ^ d := by
    intro X hX
    cases e : missing X d with
    | none => exact absurd (rank_of_full (full_units (missing_none e))) (by omega)
    | some v => exact missing_some e
  obtain ⟨a1, a2⟩ := get hA
  obtain ⟨b1, b2⟩ := get hB
  simp only [outside_eq]
  generalize (missing A d).getD 0 = u at *
  generalize (missing B d).getD 0 = w at *
  split
  · rename_i hu
    split
    · rename_i hw
      refine ⟨fun h => a1 ?_, fun h => b1 ?_, Nat.xor_lt_two_pow a2 b2⟩
      · have := h.xor hw; rwa [Nat.xor_assoc, Nat.xor_self, Nat.xor_zero] at this
      · have := hu.xor h; rwa [xor_self_left] at this
    · rename_i hw; exact ⟨hw, b1, b2⟩
  · rename_i hu; exact ⟨a1, hu, a2⟩

/-- **Two independent lists of one length have a common complement: the constructed vectors, as many as lack, are independent of either.**
Source: «Linear Layouts» (arXiv 2505.23819); stated otherwise: spans in place of lists of basis vectors -/
theorem complement_spec {d n A B} (hA : Indep A) (hB : Indep B) (lA : A.length + n = d) (lB : B.length + n = d) :
    Indep (complement d n A B ++ A) ∧ Indep (complement d n A B ++ B) ∧ (complement d n A B).length = n
      ∧ ∀ c ∈ complement d n A B, c < 2 ^ d := by
  induction n generalizing A B with
  | zero => simp [complement, hA, hB]
  | succ n ih =>
    obtain ⟨h1, h2, h3⟩ := outside_spec (A := A) (B := B) (d := d)
      (by rw [hA]; omega) (by rw [hB]; omega)
    obtain ⟨k1, k2, k3, k4⟩ := ih (indep_cons.2 ⟨hA, h1⟩) (indep_cons.2 ⟨hB, h2⟩)
      (by simp only [List.length_cons]; omega) (by simp only [List.length_cons]; omega)
    simp only [complement, List.append_assoc, List.singleton_append]
    refine ⟨k1, k2, by simp [k3], ?_⟩
    intro c hc
    rcases List.mem_append.1 hc with h | h
    · exact k4 c h
    · simp only [List.mem_singleton] at h; rw [h]; exact h3

theorem applyHigh_coord {cs v} (h : Span cs v) : applyHigh cs (coordinates cs v) = v := by
  have e := (reduce_apply cs v).1
  rwa [(reduce_span cs v).2 h, Nat.zero_xor] at e

theorem coordinates_app {cs x} (h : Indep cs) (hx : x < 2 ^ cs.length) : coordinates cs (applyHigh cs x) = x := by
  exact (inj_iff_rank cs).2 h _ _ (reduce_apply cs _).2 hx (applyHigh_coord ⟨x, rfl⟩)

theorem conflict_free {d k n : Nat} {A B2 V T : List Nat}
    (hA : Indep A) (hB : Indep (B2 ++ V)) (lA : A.length = k) (lB : (B2 ++ V).length = k) (hd : k + n = d)
    (bB : ∀ c ∈ B2 ++ V, c < 2 ^ d) (bT : ∀ c ∈ T, c < 2 ^ d)
    (hV : ∀ c ∈ V, Span A c) (hT : ∀ c ∈ T, Span A c) :
    rank ((T.map (coordinates (complement d n A (B2 ++ V) ++ (B2 ++ V)))).map (· / 2 ^ V.length))
      = rank ((T.map (coordinates (complement d n A (B2 ++ V) ++ (B2 ++ V)))).map fun o => o / 2 ^ V.length % 2 ^ (k - V.length)) := by
  obtain ⟨iA, iB, lC, bC⟩ := complement_spec (n := n) (d := d) hA hB (by omega) (by omega)
  have full := full_of_rank (cs := complement d n A (B2 ++ V) ++ (B2 ++ V)) (d := d)
    (fun c hc => (List.mem_append.1 hc).elim (bC c) (bB c))
    (by rw [iB, List.length_append, lC, lB]; omega)
  generalize complement d n A (B2 ++ V) = C at *
  have lL : Linear (coordinates (C ++ (B2 ++ V))) := red2_lin _
  have le := fun x => applyHigh_coord (full _ (applyHigh_bound bT x))
  have lb : ∀ v, coordinates (C ++ (B2 ++ V)) v < 2 ^ (C ++ (B2 ++ V)).length := fun v => (reduce_apply _ v).2
  generalize coordinates (C ++ (B2 ++ V)) = L at *
  have ll : V.length ≤ k := by rw [← lB, List.length_append]; omega
  have := rank_map_eq (lin_mod (k - V.length)) ((T.map L).map (· / 2 ^ V.length)) ?_
  · rw [List.map_map] at this; exact this.symm
  rintro v ⟨x, rfl⟩
  rw [applyHigh_map (lin_div _), applyHigh_map lL]
  have sx : Span A (applyHigh T x) := span_app hT x
  have e := le x
  have bound := lb (applyHigh T x)
  generalize L (applyHigh T x) = y at *
  intro h0
  have hm : y % 2 ^ k < 2 ^ V.length := by
    have : k = V.length + (k - V.length) := by omega
    rw [this, Nat.pow_add, Nat.mod_mul, h0, Nat.mul_zero, Nat.add_zero]
    exact Nat.mod_lt _ (Nat.two_pow_pos _)
  rw [applyHigh_append, lB] at e
  have eV : applyHigh (B2 ++ V) y = applyHigh V y := by
    rw [← applyHigh_mod _ y k (by omega), applyHigh_append, Nat.div_eq_of_lt hm, applyHigh_zero, Nat.zero_xor, applyHigh_mod _ _ _ ll]
  rw [eV] at e
  have sC : Span A (applyHigh C (y / 2 ^ k)) := by
    have := sx.xor (span_app hV y)
    rwa [← e, Nat.xor_assoc, Nat.xor_self, Nat.xor_zero] at this
  -- independence of C and A
  obtain ⟨z, hz⟩ := sC
  have yb : y / 2 ^ k < 2 ^ C.length := by
    rw [Nat.div_lt_iff_lt_mul (Nat.two_pow_pos _), ← Nat.pow_add]
    simpa [List.length_append, ← lB, Nat.add_assoc] using bound
  have key := (inj_iff_kernel _).1 ((inj_iff_rank (C ++ A)).2 iA)
    (2 ^ k * (y / 2 ^ k) + z % 2 ^ k) (by
      rw [List.length_append, lA, Nat.pow_add]
      have := Nat.mul_comm (2 ^ C.length) (2 ^ k)
      have := Nat.mul_le_mul_left (2 ^ k) (show y / 2 ^ k + 1 ≤ 2 ^ C.length from yb)
      have := Nat.mod_lt z (Nat.two_pow_pos k)
      rw [Nat.mul_add] at *; omega) (by
      rw [applyHigh_append, lA, Nat.mul_add_div (Nat.two_pow_pos k), Nat.div_eq_of_lt (Nat.mod_lt _ (Nat.two_pow_pos k)),
        Nat.add_zero, ← hz, ← applyHigh_mod A (_ + _) k (by omega), Nat.mul_add_mod, Nat.mod_mod,
        applyHigh_mod A z k (by omega), Nat.xor_self])
  have y0 : y / 2 ^ k = 0 := by
    have p := Nat.two_pow_pos k
    have : 2 ^ k * (y / 2 ^ k) = 0 := by omega
    rcases Nat.mul_eq_zero.1 this with h | h
    · omega
    · exact h
  have : y = y % 2 ^ k := by have := Nat.div_add_mod y (2 ^ k); rw [y0] at this; omega
  rw [this]; exact Nat.div_eq_of_lt hm

/-- **For three patterns there may be no layout without conflicts: the three lines of F2^2 leave no vector outside all of
them.**
Source: none known -/
theorem three_lines : ¬ ∃ v, v < 4 ∧ ¬ Span [1] v ∧ ¬ Span [2] v ∧ ¬ Span [3] v := by
  rintro ⟨v, hv, h⟩; revert h; revert v; decide +kernel

/-! ## The layout -/

/-- **A column stays exactly where it does not depend on the columns before it.**
Source: Gaussian elimination -/
theorem independent_cons (c : Nat) (cs : List Nat) :
    independent (c :: cs) = if Span cs c then independent cs else c :: independent cs := by
  simp only [independent, eliminate, List.zip_cons_cons, List.filter_cons, ← reduce_span]
  by_cases h : (reduce (eliminate cs) c).1 = 0 <;> simp [h]

theorem span_independent {cs : List Nat} {v : Nat} : Span (independent cs) v ↔ Span cs v := by
  induction cs generalizing v with
  | nil => rfl
  | cons c cs ih =>
    simp only [independent_cons]
    split
    · rename_i h
      rw [ih, span_cons]
      refine ⟨.inl, fun k => k.elim id fun k => ?_⟩
      simpa [Nat.xor_assoc] using k.xor h
    · rw [span_cons, span_cons, ih, ih]

theorem indep_independent (cs : List Nat) : Indep (independent cs) := by
  induction cs with
  | nil => rfl
  | cons c cs ih =>
    simp only [independent_cons]
    split
    · exact ih
    · rename_i h
      exact indep_cons.2 ⟨ih, fun k => h (span_independent.1 k)⟩

theorem rank_independent (cs : List Nat) : rank cs = (independent cs).length := by
  induction cs with
  | nil => rfl
  | cons c cs ih =>
    simp only [rank_cons, independent_cons, ih]
    split <;> simp

theorem independent_of_indep {cs : List Nat} (h : Indep cs) : independent cs = cs := by
  induction cs with
  | nil => rfl
  | cons c cs ih =>
    obtain ⟨h₁, h₂⟩ := indep_cons.1 h
    simp only [independent_cons, ih h₁, if_neg h₂]

theorem independent_append (T : List Nat) {V : List Nat} (h : Indep V) : ∃ T', independent (T ++ V) = T' ++ V := by
  induction T with
  | nil => exact ⟨[], independent_of_indep h⟩
  | cons t T ih =>
    obtain ⟨T', e⟩ := ih
    simp only [List.cons_append, independent_cons]
    split
    · exact ⟨T', e⟩
    · exact ⟨t :: T', by rw [e]; rfl⟩

theorem mem_independent {cs : List Nat} {c : Nat} (h : c ∈ independent cs) : c ∈ cs := by
  induction cs with
  | nil => exact h
  | cons d cs ih =>
    simp only [independent_cons] at h
    split at h
    · exact List.mem_cons_of_mem _ (ih h)
    · rcases List.mem_cons.1 h with rfl | h
      · exact List.mem_cons_self
      · exact List.mem_cons_of_mem _ (ih h)

theorem extend_spec {d n : Nat} {cs : List Nat} (hi : Indep cs) (hl : cs.length + n ≤ d) (hb : ∀ c ∈ cs, c < 2 ^ d) :
    Indep (extend d n cs) ∧ (∃ E, extend d n cs = E ++ cs ∧ E.length = n) ∧ ∀ c ∈ extend d n cs, c < 2 ^ d := by
  induction n generalizing cs with
  | zero => exact ⟨hi, ⟨[], rfl, rfl⟩, hb⟩
  | succ n ih =>
    cases e : missing cs d with
    | none => exact absurd (rank_of_full (full_units (missing_none e))) (by rw [hi]; omega)
    | some v =>
      obtain ⟨h₁, h₂⟩ := missing_some e
      obtain ⟨k₁, ⟨E, k₂, k₃⟩, k₄⟩ := ih (cs := v :: cs) (indep_cons.2 ⟨hi, h₁⟩)
        (by simp only [List.length_cons]; omega)
        (fun c hc => (List.mem_cons.1 hc).elim (fun q => q ▸ h₂) (hb c))
      simp only [extend, e, Option.getD_some]
      exact ⟨k₁, ⟨E ++ [v], by rw [k₂, List.append_assoc]; rfl, by simp [k₃]⟩, k₄⟩

theorem completed_spec {d n : Nat} {T V : List Nat} (hV : Indep V) (hn : rank (T ++ V) ≤ n) (hd : n ≤ d)
    (hb : ∀ c ∈ T ++ V, c < 2 ^ d) :
    Indep (completed d n (T ++ V)) ∧ (completed d n (T ++ V)).length = n ∧
      (∃ E, completed d n (T ++ V) = E ++ V) ∧ (∀ c ∈ completed d n (T ++ V), c < 2 ^ d) ∧
      ∀ v, Span (T ++ V) v → Span (completed d n (T ++ V)) v := by
  rw [rank_independent] at hn
  obtain ⟨h₁, ⟨E, h₂, h₃⟩, h₄⟩ := extend_spec (d := d) (n := n - (independent (T ++ V)).length)
    (indep_independent (T ++ V)) (by omega) (fun c hc => hb c (mem_independent hc))
  obtain ⟨T', e⟩ := independent_append T hV
  rw [completed]
  refine ⟨h₁, by rw [h₂, List.length_append, h₃]; omega, ⟨E ++ T', by rw [h₂, e, List.append_assoc]⟩, h₄, ?_⟩
  intro v hv
  rw [h₂]
  exact span_append_right (span_independent.2 hv)

theorem span_mem {cs : List Nat} {c : Nat} (h : c ∈ cs) : Span cs c := by
  obtain ⟨x, _, e⟩ := applyHigh_col h
  exact ⟨x, e⟩

theorem span_append_left {C B : List Nat} {v : Nat} (h : Span C v) : Span (C ++ B) v := by
  obtain ⟨x, rfl⟩ := h
  refine ⟨2 ^ B.length * x, ?_⟩
  rw [applyHigh_append, Nat.mul_div_cancel_left _ (Nat.two_pow_pos _), ← applyHigh_mod B _ _ (Nat.le_refl _),
    Nat.mul_mod_right, applyHigh_zero, Nat.xor_zero]

/-- **The constructed layout names each of the 2^d elements once: its d columns are independent and below 2^d, and the vector
stands lowest.**
Source: «Linear Layouts» (arXiv 2505.23819), optimal swizzling -/
theorem optimal_bijective {d k : Nat} {V first second : List Nat} (hV : Indep V) (h₁ : rank (first ++ V) ≤ min k d)
    (h₂ : rank (second ++ V) ≤ min k d) (b₁ : ∀ c ∈ first ++ V, c < 2 ^ d) (b₂ : ∀ c ∈ second ++ V, c < 2 ^ d) :
    Indep (optimal d k V first second) ∧ (optimal d k V first second).length = d ∧
      (∃ E, optimal d k V first second = E ++ V) ∧ ∀ c ∈ optimal d k V first second, c < 2 ^ d := by
  obtain ⟨a₁, a₂, _, _, _⟩ := completed_spec hV h₁ (Nat.min_le_right _ _) b₁
  obtain ⟨c₁, c₂, ⟨E, c₃⟩, c₄, _⟩ := completed_spec hV h₂ (Nat.min_le_right _ _) b₂
  obtain ⟨s₁, s₂, s₃, s₄⟩ := complement_spec (d := d) (n := d - min k d) a₁ c₁ (by omega) (by omega)
  rw [optimal]
  refine ⟨s₂, by rw [List.length_append, s₃, c₂]; omega, ?_, fun c hc => (List.mem_append.1 hc).elim (s₄ c) (c₄ c)⟩
  simp only [c₃]
  exact ⟨_, (List.append_assoc _ _ _).symm⟩

/-- **In the constructed layout both patterns are free of conflicts: no two different words that a phase of either reads lie
in one bank.** A word is a vector `V` of elements, `k` bits of elements make all banks, and coordinates are offsets.
Source: «Linear Layouts» (arXiv 2505.23819), optimal swizzling -/
theorem optimal_conflict_free {d k : Nat} {V first second T : List Nat} (hV : Indep V)
    (h₁ : rank (first ++ V) ≤ min k d) (h₂ : rank (second ++ V) ≤ min k d)
    (b₁ : ∀ c ∈ first ++ V, c < 2 ^ d) (b₂ : ∀ c ∈ second ++ V, c < 2 ^ d) (hT : T = first ∨ T = second) :
    rank ((T.map (coordinates (optimal d k V first second))).map (· / 2 ^ V.length)) =
      rank ((T.map (coordinates (optimal d k V first second))).map fun o =>
        o / 2 ^ V.length % 2 ^ (min k d - V.length)) := by
  obtain ⟨a₁, a₂, _, _, a₅⟩ := completed_spec hV h₁ (Nat.min_le_right _ _) b₁
  obtain ⟨c₁, c₂, ⟨E, c₃⟩, c₄, c₅⟩ := completed_spec hV h₂ (Nat.min_le_right _ _) b₂
  have bT : ∀ c ∈ T, c < 2 ^ d := by
    rcases hT with rfl | rfl
    · exact fun c hc => b₁ c (List.mem_append_left _ hc)
    · exact fun c hc => b₂ c (List.mem_append_left _ hc)
  rcases hT with rfl | rfl
  · have sT : ∀ c ∈ T, Span (completed d (min k d) (T ++ V)) c := fun c hc => a₅ _ (span_append_left (span_mem hc))
    have sV : ∀ c ∈ V, Span (completed d (min k d) (T ++ V)) c := fun c hc => a₅ _ (span_append_right (span_mem hc))
    rw [optimal]
    simp only [c₃] at c₁ c₂ c₄ ⊢
    exact conflict_free a₁ c₁ a₂ c₂ (by omega) c₄ bT sV sT
  · -- the second pattern lies in the lowest bits: its words are below the number of banks
    have L : Linear (coordinates (optimal d k V first T)) := red2_lin _
    have lt : ∀ x, coordinates (optimal d k V first T) (applyHigh T x) < 2 ^ min k d := by
      intro x
      obtain ⟨i₁, i₂, _⟩ := optimal_bijective hV h₁ h₂ b₁ b₂
      obtain ⟨y, hy⟩ : Span (completed d (min k d) (T ++ V)) (applyHigh T x) :=
        c₅ _ (span_append_left ⟨x, rfl⟩)
      have e : applyHigh (optimal d k V first T) (y % 2 ^ min k d) = applyHigh T x := by
        rw [optimal, applyHigh_append, c₂, Nat.div_eq_of_lt (Nat.mod_lt _ (Nat.two_pow_pos _)), applyHigh_zero,
          Nat.zero_xor, applyHigh_mod _ _ _ (by omega), hy]
      have lt : y % 2 ^ min k d < 2 ^ min k d := Nat.mod_lt _ (Nat.two_pow_pos _)
      rw [← e, coordinates_app i₁ (by rw [i₂]; exact Nat.lt_of_lt_of_le lt (Nat.pow_le_pow_right (by omega) (by omega)))]
      exact lt
    have := rank_map_eq (lin_mod (min k d - V.length)) ((T.map (coordinates (optimal d k V first T))).map (· / 2 ^ V.length)) ?_
    · rw [List.map_map] at this; exact this.symm
    rintro v ⟨x, rfl⟩
    rw [applyHigh_map (lin_div _), applyHigh_map L]
    have lt := lt x
    generalize coordinates (optimal d k V first T) (applyHigh T x) = o at *
    intro h0
    have ll : V.length ≤ min k d := by rw [← c₂, c₃, List.length_append]; omega
    have : o / 2 ^ V.length < 2 ^ (min k d - V.length) := by
      rw [Nat.div_lt_iff_lt_mul (Nat.two_pow_pos _), ← Nat.pow_add, Nat.sub_add_cancel ll]
      exact lt
    rwa [Nat.mod_eq_of_lt this] at h0

end Bank

end Razorgirl
