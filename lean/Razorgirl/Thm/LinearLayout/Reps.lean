module

public import Razorgirl.Spec.LinearLayout.Query
public import Razorgirl.Thm.LinearLayout.Inverse.Compose
public import Razorgirl.Thm.LinearLayout.Product

@[expose] public section

/-!
# Repetitions of a tile: what is proved

A layout is repetitions of a tile exactly where it is the exclusive or of the tile, at the low bits of each input, and of
a layout that is 0 there, and the images of the two have no bit in common. Where a left division by the tile is answered,
the repetitions are the quotient behind the tile.
-/

namespace Razorgirl

namespace LinearLayout

open F2

theorem unpack_and (D : Dims) (x y : Nat) (n : String) : D.unpack (x &&& y) n = D.unpack x n &&& D.unpack y n := by
  induction D generalizing x y with
  | nil => exact (Nat.and_self 0).symm
  | cons d D ih =>
    simp only [Dims.unpack, Nat.and_mod_two_pow, Nat.and_div_two_pow]
    split
    · rfl
    · exact ih _ _

theorem apply_and_zero {cs : List Nat} {y : Nat} (h : ∀ c ∈ cs, c &&& y = 0) (x : Nat) : F2.apply cs x &&& y = 0 := by
  have lin : Linear (· &&& y) := fun a b => Nat.and_xor_distrib_right
  rw [← F2.apply_map lin]
  apply apply_of_allZero
  rw [allZero_iff]
  intro c hc
  obtain ⟨a, ha, rfl⟩ := List.mem_map.1 hc
  exact h a ha

theorem col_eq_pack {L : LinearLayout} (hL : L.wellFormed = true) {c : Nat} (hc : c ∈ L.cols) :
    ∃ p, c = L.outs.pack (L.eval p) := by
  obtain ⟨i, hi, rfl⟩ := List.mem_iff_getElem.1 hc
  refine ⟨L.ins.unpack (2 ^ i), ?_⟩
  have l : 2 ^ i < 2 ^ L.ins.total := Nat.pow_lt_pow_right (by omega) (length_cols hL ▸ hi)
  rw [pack_eval hL, pack_unpack (distinct_ins hL) l, apply_two_pow, List.getD_eq_getElem?_getD, List.getElem?_eq_getElem hi,
    Option.getD_some]

theorem and_cols_iff {A B : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true) (ho : A.outs = B.outs) :
    (A.cols.all fun c => B.cols.all fun r => c &&& r == 0) = true ↔ ∀ p q n, A.eval p n &&& B.eval q n = 0 := by
  simp only [List.all_eq_true, beq_iff_eq]
  constructor
  · intro h p q n
    have e : F2.apply A.cols (A.ins.pack p) &&& F2.apply B.cols (B.ins.pack q) = 0 := by
      apply apply_and_zero
      intro c hc
      rw [Nat.and_comm]
      apply apply_and_zero
      intro r hr
      rw [Nat.and_comm]
      exact h c hc r hr
    rw [eval, eval, ← ho, ← unpack_and, e]
    have := unpack_xor A.outs 0 0
    rw [Nat.xor_self] at this
    rw [this]
    exact Nat.xor_self _
  · intro h c hc r hr
    obtain ⟨p, hp⟩ := col_eq_pack hA hc
    obtain ⟨q, hq⟩ := col_eq_pack hB hr
    have l : c &&& r < 2 ^ A.outs.total := Nat.lt_of_le_of_lt Nat.and_le_left (cols_lt hA c hc)
    rw [← pack_unpack (distinct_outs hA) l]
    have z : A.outs.unpack (c &&& r) = xorPoints (A.eval p) (A.eval p) := by
      funext n
      rw [unpack_and, hp, hq, unpack_pack, ← ho, unpack_pack, restrict_eval, xorPoints, Nat.xor_self,
        ← h p q n, ho, restrict_eval]
    rw [z, pack_xor, Nat.xor_self]

theorem all_bits_le {D : Dims} (hD : D.distinct = true) (E : Dims) :
    (D.all fun d => decide (d.2 ≤ E.bits d.1)) = true ↔ ∀ n, D.bits n ≤ E.bits n := by
  induction D with
  | nil => simp [Dims.bits]
  | cons d D ih =>
    simp only [Dims.distinct, Bool.and_eq_true, Bool.not_eq_true'] at hD
    simp only [List.all_cons, Bool.and_eq_true, decide_eq_true_eq, ih hD.2, Dims.bits]
    constructor
    · rintro ⟨h₁, h₂⟩ n
      split
      · rename_i e
        exact e ▸ h₁
      · exact h₂ n
    · intro h
      refine ⟨by simpa using h d.1, fun n => ?_⟩
      have := h n
      split at this
      · rename_i e
        rw [← e, bits_of_not_has hD.1]
        exact Nat.zero_le _
      · exact this

theorem restrict_xor (D : Dims) (p q : Point) : restrict D (xorPoints p q) = xorPoints (restrict D p) (restrict D q) :=
  funext fun _ => Nat.xor_mod_two_pow

theorem linear_reps (L : LinearLayout) (D : Dims) :
    LinearPoints fun p n => L.eval p n ^^^ L.eval (restrict D p) n := by
  intro p q n
  simp only [restrict_xor, L.eval_xor _ _ n]
  ac_rfl

/-- **The repetitions of a tile are answered exactly where the tile has no more bits in any input, and the layout is, at
every point, the exclusive or of the tile and of the answer, a layout over the same dimensions that is 0 at the points of
the tile, of which no image has a bit in common with an image of the tile.**
So there is at most one answer, and it is found where there is one.
Source: Triton `getReps`; stated otherwise: of the function, where the source speaks of bases -/
theorem repsOf_eq_some_iff {L T R : LinearLayout} (hL : L.wellFormed = true) (hT : T.wellFormed = true) :
    repsOf L T = some R ↔ (R.wellFormed = true ∧ R.ins = L.ins ∧ R.outs = L.outs) ∧
      (∀ d, T.ins.bits d ≤ L.ins.bits d) ∧ (∀ p n, L.eval p n = T.eval p n ^^^ R.eval p n) ∧
      (∀ p n, R.eval (restrict T.ins p) n = 0) ∧ ∀ p q n, T.eval p n &&& R.eval q n = 0 := by
  have wR : (ofEval L.ins L.outs fun p n => L.eval p n ^^^ L.eval (restrict T.ins p) n).wellFormed = true :=
    wellFormed_ofEval (distinct_ins hL) (distinct_outs hL) _
  have wO (g) : (ofEval T.ins L.outs g).wellFormed = true := wellFormed_ofEval (distinct_ins hT) (distinct_outs hL) _
  have wT : (ofEval T.ins T.outs L.eval).wellFormed = true := wellFormed_ofEval (distinct_ins hT) (distinct_outs hT) _
  have eR (b : ∀ d, T.ins.bits d ≤ L.ins.bits d) (p : Point) (n : String) :
      (ofEval L.ins L.outs fun p n => L.eval p n ^^^ L.eval (restrict T.ins p) n).eval p n =
        L.eval p n ^^^ L.eval (restrict T.ins p) n := by
    have e : restrict T.ins (restrict L.ins p) = restrict T.ins p := by
      funext m
      rw [restrict_restrict, Nat.min_eq_left (b m), restrict]
    rw [eval_ofEval (linear_reps L T.ins), e, eval_restrict hL, restrict, Nat.xor_mod_two_pow,
      Nat.mod_eq_of_lt (L.eval_lt _ n), Nat.mod_eq_of_lt (L.eval_lt _ n)]
  have own (a : ∀ p n, L.eval (restrict T.ins p) n = T.eval p n) (p : Point) (n : String) :
      (ofEval T.ins L.outs T.eval).eval p n = T.eval p n := by
    rw [eval_ofEval T.eval_xor, eval_restrict hT, restrict, ← a p n]
    exact Nat.mod_eq_of_lt (L.eval_lt _ n)
  unfold repsOf
  constructor
  · intro h
    simp only at h
    split at h
    · rename_i q
      cases h
      simp only [Bool.and_eq_true, beq_iff_eq] at q
      obtain ⟨⟨low, same₁, same₂⟩, apart⟩ := q
      have b := (all_bits_le (distinct_ins hT) L.ins).1 low
      have a (p : Point) (n : String) : L.eval (restrict T.ins p) n = T.eval p n := by
        have e₁ : T = ofEval T.ins T.outs L.eval := by
          show LinearLayout.mk _ _ _ = LinearLayout.mk _ _ _
          rw [LinearLayout.mk.injEq]
          exact ⟨rfl, rfl, same₁⟩
        have e₂ : ofEval T.ins L.outs T.eval = ofEval T.ins L.outs L.eval := by
          show LinearLayout.mk _ _ _ = LinearLayout.mk _ _ _
          rw [LinearLayout.mk.injEq]
          exact ⟨rfl, rfl, same₂⟩
        have h₁ : T.eval p n = L.eval (restrict T.ins p) n % 2 ^ T.outs.bits n := by
          have : T.eval p n = (ofEval T.ins T.outs L.eval).eval p n := by rw [← e₁]
          rw [this, eval_ofEval L.eval_xor, restrict]
        have h₂ : T.eval p n % 2 ^ L.outs.bits n = L.eval (restrict T.ins p) n := by
          have : (ofEval T.ins L.outs T.eval).eval p n = (ofEval T.ins L.outs L.eval).eval p n := by rw [e₂]
          rw [eval_ofEval T.eval_xor, eval_ofEval L.eval_xor, restrict, restrict, eval_restrict hT,
            Nat.mod_eq_of_lt (L.eval_lt _ n)] at this
          exact this
        apply Nat.le_antisymm
        · rw [← h₂]; exact Nat.mod_le _ _
        · rw [h₁]; exact Nat.mod_le _ _
      refine ⟨⟨wR, rfl, rfl⟩, b, fun p n => ?_, fun p n => ?_, fun p q n => ?_⟩
      · rw [eR b, a, Nat.xor_comm (L.eval p n), ← Nat.xor_assoc, Nat.xor_self, Nat.zero_xor]
      · rw [eR b, a, a, eval_restrict hT, Nat.xor_self]
      · rw [← own a]
        exact (and_cols_iff (wO _) wR rfl).1 apart p q n
    · cases h
  · rintro ⟨⟨w, hi, ho⟩, b, e, z, d⟩
    have a (p : Point) (n : String) : L.eval (restrict T.ins p) n = T.eval p n := by
      rw [e, z, Nat.xor_zero, eval_restrict hT]
    have same : (ofEval L.ins L.outs fun p n => L.eval p n ^^^ L.eval (restrict T.ins p) n) = R := by
      apply eq_of_eval wR w hi.symm ho.symm
      intro p n
      rw [eR b, a, e, Nat.xor_comm (T.eval p n), Nat.xor_assoc, Nat.xor_self, Nat.xor_zero]
    have same₁ : T = ofEval T.ins T.outs L.eval := by
      apply eq_of_eval hT wT rfl rfl
      intro p n
      rw [eval_ofEval L.eval_xor, restrict, a]
      exact (Nat.mod_eq_of_lt (T.eval_lt p n)).symm
    have same₂ : ofEval T.ins L.outs T.eval = ofEval T.ins L.outs L.eval := by
      apply eq_of_eval (wO T.eval) (wO L.eval) rfl rfl
      intro p n
      rw [eval_ofEval L.eval_xor, restrict, a, eval_ofEval T.eval_xor, restrict, eval_restrict hT]
    have apart := (and_cols_iff (wO T.eval) wR rfl).2 fun p q n => by
      rw [own a, same]
      exact d p q n
    simp only
    rw [if_pos, same]
    simp only [Bool.and_eq_true, beq_iff_eq]
    exact ⟨⟨(all_bits_le (distinct_ins hT) L.ins).2 b, congrArg LinearLayout.cols same₁, congrArg LinearLayout.cols same₂⟩,
      apart⟩

theorem and_high {a n : Nat} (x : Nat) (h : a < 2 ^ n) : a &&& 2 ^ n * x = 0 := by
  apply Nat.eq_of_testBit_eq
  intro i
  rw [Nat.testBit_and, Nat.zero_testBit, Nat.testBit_two_pow_mul]
  by_cases q : n ≤ i
  · rw [Nat.testBit_lt_two_pow (Nat.lt_of_lt_of_le h (Nat.pow_le_pow_right (by omega) q)), Bool.false_and]
  · simp [q]

theorem bits_product {A B C : LinearLayout} (h : product A B = some C) (n : String) :
    C.ins.bits n = A.ins.bits n + B.ins.bits n ∧ C.outs.bits n = A.outs.bits n + B.outs.bits n := by
  have zero {D E : Dims} {names : List String} (m : ∀ k, k ∈ names ↔ k ∈ D.names ∨ k ∈ E.names) :
      (addDims D E names).bits n = D.bits n + E.bits n := by
    rw [bits_addDims]
    split
    · rfl
    · rename_i q
      have a : D.has n = false := by
        rw [← Bool.not_eq_true, has_iff_names]; exact fun e => q ((m n).2 (.inl e))
      have b : E.has n = false := by
        rw [← Bool.not_eq_true, has_iff_names]; exact fun e => q ((m n).2 (.inr e))
      rw [bits_of_not_has a, bits_of_not_has b]
  unfold product at h
  split at h
  · rename_i ins outs hi ho
    cases h
    exact ⟨zero fun k => (joinNames_mem hi k), zero fun k => (joinNames_mem ho k)⟩
  · cases h

/-- **A product is repetitions of its first factor: these take the high bits of each coordinate through the second factor,
and stand behind the bits of the first.**
Source: Triton `getReps` -/
theorem repsOf_product {T C L : LinearLayout} (hT : T.wellFormed = true) (hC : C.wellFormed = true)
    (hL : L.wellFormed = true) (h : product T C = some L) : ∃ R, repsOf L T = some R ∧
      ∀ p n, R.eval p n = 2 ^ T.outs.bits n * C.eval (fun i => p i / 2 ^ T.ins.bits i) n := by
  have lin : LinearPoints fun p n => 2 ^ T.outs.bits n * C.eval (fun i => p i / 2 ^ T.ins.bits i) n := by
    intro p q n
    have e : (fun i => xorPoints p q i / 2 ^ T.ins.bits i) =
        xorPoints (fun i => p i / 2 ^ T.ins.bits i) (fun i => q i / 2 ^ T.ins.bits i) := by
      funext i; exact Nat.xor_div_two_pow
    simp only [e, C.eval_xor _ _ n, mul_xor]
  have e (p : Point) (n : String) := eval_product hT hC h p n
  have v (p : Point) (n : String) :
      (ofEval L.ins L.outs fun p n => 2 ^ T.outs.bits n * C.eval (fun i => p i / 2 ^ T.ins.bits i) n).eval p n =
        2 ^ T.outs.bits n * C.eval (fun i => p i / 2 ^ T.ins.bits i) n := by
    have s : C.eval (fun i => restrict L.ins p i / 2 ^ T.ins.bits i) = C.eval (fun i => p i / 2 ^ T.ins.bits i) := by
      apply eval_congr (distinct_ins hC)
      intro m
      rw [restrict, restrict, restrict, (bits_product h m).1, Nat.pow_add, Nat.mod_mul_right_div_self, Nat.mod_mod]
    rw [eval_ofEval lin, restrict, s]
    apply Nat.mod_eq_of_lt
    have := L.eval_lt p n
    have := e p n
    omega
  refine ⟨ofEval L.ins L.outs fun p n => 2 ^ T.outs.bits n * C.eval (fun i => p i / 2 ^ T.ins.bits i) n, ?_, v⟩
  rw [repsOf_eq_some_iff hL hT]
  refine ⟨⟨wellFormed_ofEval (distinct_ins hL) (distinct_outs hL) _, rfl, rfl⟩, fun d => ?_, fun p n => ?_, fun p n => ?_,
    fun p q n => ?_⟩
  · rw [(bits_product h d).1]
    exact Nat.le_add_right _ _
  · rw [e, v, low_xor_high _ (T.eval_lt p n)]
  · have z : (fun i => restrict T.ins p i / 2 ^ T.ins.bits i) = fun _ => 0 := by
      funext i
      exact Nat.div_eq_of_lt (Nat.mod_lt _ (Nat.two_pow_pos _))
    have zero := C.eval_xor (fun _ => 0) (fun _ => 0) n
    rw [show xorPoints (fun _ => 0) (fun _ => 0) = fun _ => 0 from funext fun _ => Nat.xor_self 0, Nat.xor_self] at zero
    rw [v, z, zero, Nat.mul_zero]
  · rw [v]
    exact and_high _ (T.eval_lt p n)

/-- **Where a left division by the tile is answered, there are repetitions: the quotient behind the tile.**
Source: Triton `getReps`, `divideLeft` -/
theorem repsOf_of_divideLeft {L T C : LinearLayout} (hL : L.wellFormed = true) (hT : T.wellFormed = true)
    (h : divideLeft L T = some C) : ∃ R, repsOf L T = some R ∧
      ∀ p n, R.eval p n = 2 ^ T.outs.bits n * C.eval (fun i => p i / 2 ^ T.ins.bits i) n :=
  have ⟨_, hC, _, _, p⟩ := (divideLeft_eq_some_iff hL hT).1 h
  repsOf_product hT hC hL p

end LinearLayout

end Razorgirl
