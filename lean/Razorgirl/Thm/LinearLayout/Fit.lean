module

public import Razorgirl.Spec.LinearLayout.Query
public import Razorgirl.Thm.LinearLayout.Query

@[expose] public section

/-!
# A layout made no smaller than a shape: what is proved

New bits of the first input dimension, above those that it has, count through what each output lacks, one output after
another.
-/

namespace Razorgirl

namespace LinearLayout

open F2

theorem distinct_of_nodup {D : Dims} (h : D.names.Nodup) : D.distinct = true := by
  induction D with
  | nil => rfl
  | cons d D ih =>
    obtain ⟨h₁, h₂⟩ := List.nodup_cons.1 h
    simp only [Dims.distinct, Bool.and_eq_true, Bool.not_eq_true']
    refine ⟨?_, ih h₂⟩
    rw [← Bool.not_eq_true, has_iff_names]
    exact h₁

theorem names_addDims (A B : Dims) (names : List String) : (addDims A B names).names = names := by
  simp only [Dims.names, addDims, List.map_map]
  exact List.map_id' names

theorem joinNames_single {fuel : Nat} {a : List String} {n : String} (hf : a.length < fuel) (h : n ∈ a) :
    joinNames fuel a [n] = some a := by
  induction fuel generalizing a with
  | zero => omega
  | succ fuel ih =>
    cases a with
    | nil => cases h
    | cons b a =>
      simp only [List.length_cons] at hf
      have done : joinNames fuel a [] = some a := by
        cases fuel with
        | zero => omega
        | succ fuel => cases a <;> rfl
      simp only [joinNames]
      split
      · rw [done]; rfl
      · rename_i ne
        have m : n ∈ a := (List.mem_cons.1 h).resolve_left fun e => ne e.symm
        simp [ih (by omega) m]

theorem orderOf_single {a : List String} {n : String} (h : n ∈ a) : orderOf a [n] = some a :=
  joinNames_single (by simp only [List.length_cons, List.length_nil]; omega) h

/-- Growing one output: the new bits of the first input are the new bits of the output. -/
theorem growTo_spec {R : LinearLayout} (hR : R.wellFormed = true) {i d : String} {k b : Nat} {I : Dims}
    (hi : R.ins = (i, k) :: I) (hd : d ∈ R.outs.names) :
    (R.growTo d b).wellFormed = true ∧ (∃ I', (R.growTo d b).ins = (i, k + (b - R.outs.bits d)) :: I') ∧
      (R.growTo d b).outs.names = R.outs.names ∧
      (∀ m, (R.growTo d b).outs.bits m = R.outs.bits m + if m = d then b - R.outs.bits d else 0) ∧
      ∀ p m, (R.growTo d b).eval p m =
        R.eval p m + 2 ^ R.outs.bits m * if m = d then p i / 2 ^ k % 2 ^ (b - R.outs.bits d) else 0 := by
  have oi : orderOf R.ins.names (identity1D (b - R.outs.bits d) i d).ins.names = some R.ins.names :=
    orderOf_single (by rw [hi]; exact List.mem_cons_self)
  have oo : orderOf R.outs.names (identity1D (b - R.outs.bits d) i d).outs.names = some R.outs.names := orderOf_single hd
  have e : R.product (identity1D (b - R.outs.bits d) i d) =
      some (productOver R (identity1D (b - R.outs.bits d) i d) R.ins.names R.outs.names) := by
    rw [product, oi, oo]
  have g : R.growTo d b = productOver R (identity1D (b - R.outs.bits d) i d) R.ins.names R.outs.names := by
    unfold growTo
    split
    · rename_i z; rw [hi] at z; cases z
    · rename_i j l J q
      rw [hi, List.cons.injEq, Prod.mk.injEq] at q
      obtain ⟨⟨rfl, rfl⟩, rfl⟩ := q
      rw [e]
  have bo : ∀ m, (identity1D (b - R.outs.bits d) i d).outs.bits m = if m = d then b - R.outs.bits d else 0 := by
    intro m
    show Dims.bits [(d, b - R.outs.bits d + 0)] m = _
    rw [bits_one, Nat.add_zero]
  have bits : ∀ m, (addDims R.outs (identity1D (b - R.outs.bits d) i d).outs R.outs.names).bits m =
      R.outs.bits m + if m = d then b - R.outs.bits d else 0 := by
    intro m
    rw [bits_addDims, bo]
    split
    · rfl
    · rename_i n
      have z : R.outs.bits m = 0 := bits_of_not_has (by rw [← Bool.not_eq_true, has_iff_names]; exact n)
      rw [z, if_neg (show ¬ m = d from fun q => n (q ▸ hd))]
  rw [g]
  refine ⟨wellFormed_ofEval (distinct_of_nodup (by rw [names_addDims]; exact nodup_names (distinct_ins hR)))
    (distinct_of_nodup (by rw [names_addDims]; exact nodup_names (distinct_outs hR))) _, ?_, names_addDims _ _ _, bits, ?_⟩
  · have bi : R.ins.bits i = k := by rw [hi]; simp [Dims.bits]
    have nm : R.ins.names = i :: Dims.names I := by rw [hi]; rfl
    refine ⟨addDims R.ins [(i, b - R.outs.bits d)] (Dims.names I), ?_⟩
    show addDims R.ins [(i, b - R.outs.bits d)] R.ins.names = _
    rw [nm]
    show (i, R.ins.bits i + Dims.bits [(i, b - R.outs.bits d)] i) :: addDims R.ins _ _ = _
    rw [bi, bits_one, if_pos rfl]
  · intro p m
    rw [eval_product hR (wellFormed_identity1D _ i d) e, eval_identity1D]
    have bi : R.ins.bits i = k := by rw [hi]; simp [Dims.bits]
    rw [bi]

theorem fold_grow {R : LinearLayout} (D : Dims) (hR : R.wellFormed = true) {i : String} {k : Nat} {I : Dims}
    (hi : R.ins = (i, k) :: I) {N : List String} (hN : N.Nodup) (hm : ∀ n ∈ N, n ∈ R.outs.names) :
    ∃ R', R' = N.foldl (fun R n => if R.outs.bits n < D.bits n then R.growTo n (D.bits n) else R) R ∧
      R'.wellFormed = true ∧ (∃ k' I', R'.ins = (i, k') :: I') ∧ R'.outs.names = R.outs.names ∧
      (∀ m, R'.outs.bits m = R.outs.bits m + if m ∈ N then lacks R D m else 0) ∧
      ∀ p m, R'.eval p m = R.eval p m + 2 ^ R.outs.bits m *
        if m ∈ N then p i / 2 ^ (k + lacksBefore R D m N) % 2 ^ lacks R D m else 0 := by
  induction N generalizing R k I with
  | nil => exact ⟨R, rfl, hR, ⟨k, I, hi⟩, rfl, fun m => by simp, fun p m => by simp⟩
  | cons n N ih =>
    obtain ⟨hn, hN⟩ := List.nodup_cons.1 hN
    -- one step, whether anything lacks or not
    have one : ∃ R₁, R₁ = (if R.outs.bits n < D.bits n then R.growTo n (D.bits n) else R) ∧ R₁.wellFormed = true ∧
        (∃ I', R₁.ins = (i, k + lacks R D n) :: I') ∧ R₁.outs.names = R.outs.names ∧
        (∀ m, R₁.outs.bits m = R.outs.bits m + if m = n then lacks R D n else 0) ∧
        ∀ p m, R₁.eval p m = R.eval p m + 2 ^ R.outs.bits m * if m = n then p i / 2 ^ k % 2 ^ lacks R D n else 0 := by
      by_cases q : R.outs.bits n < D.bits n
      · rw [if_pos q]
        exact ⟨_, rfl, growTo_spec hR hi (hm n List.mem_cons_self)⟩
      · rw [if_neg q]
        have z : lacks R D n = 0 := by unfold lacks; omega
        refine ⟨R, rfl, hR, ⟨I, by rw [z, Nat.add_zero, hi]⟩, rfl, fun m => ?_, fun p m => ?_⟩
        · rw [z, ite_self, Nat.add_zero]
        · rw [z, Nat.pow_zero, Nat.mod_one, ite_self, Nat.mul_zero, Nat.add_zero]
    obtain ⟨R₁, e₁, w₁, ⟨I₁, i₁⟩, n₁, b₁, v₁⟩ := one
    obtain ⟨R', e', w', i', n', b', v'⟩ := ih w₁ i₁ hN fun m h => by rw [n₁]; exact hm m (List.mem_cons_of_mem _ h)
    have other : ∀ m, m ∈ N → m ≠ n := fun m h q => hn (q ▸ h)
    have keep : ∀ m, m ∈ N → R₁.outs.bits m = R.outs.bits m := fun m h => by
      rw [b₁, if_neg (other m h), Nat.add_zero]
    have same : ∀ m, m ∈ N → lacks R₁ D m = lacks R D m := fun m h => by rw [lacks, lacks, keep m h]
    have before : ∀ (K : List String) (m : String), (∀ a ∈ K, a ∈ N) → lacksBefore R₁ D m K = lacksBefore R D m K := by
      intro K m hK
      induction K with
      | nil => rfl
      | cons a K ihK =>
        rw [lacksBefore, lacksBefore, same a (hK a List.mem_cons_self), ihK fun c hc => hK c (List.mem_cons_of_mem _ hc)]
    refine ⟨R', by rw [e', List.foldl_cons, e₁], w', i', n'.trans n₁, fun m => ?_, fun p m => ?_⟩
    · rw [b']
      by_cases h : m ∈ N
      · rw [if_pos h, if_pos (List.mem_cons_of_mem _ h), keep m h, same m h]
      · rw [if_neg h, b₁, Nat.add_zero]
        by_cases q : m = n
        · subst q; rw [if_pos rfl, if_pos List.mem_cons_self]
        · rw [if_neg q, if_neg fun c => (List.mem_cons.1 c).elim q h]
    · rw [v', v₁]
      by_cases h : m ∈ N
      · rw [if_pos h, if_pos (List.mem_cons_of_mem _ h), if_neg (other m h), Nat.mul_zero, Nat.add_zero, keep m h, same m h,
          lacksBefore, if_neg fun q => other m h q.symm, before N m fun _ c => c, Nat.add_assoc]
      · rw [if_neg h, Nat.mul_zero, Nat.add_zero]
        by_cases q : m = n
        · subst q
          rw [if_pos rfl, if_pos List.mem_cons_self, lacksBefore, if_pos rfl, Nat.add_zero]
        · rw [if_neg q, if_neg fun c => (List.mem_cons.1 c).elim q h]

/-- **`growOuts` gives every output the bits that it lacks, and fills them with the bits of the first input from its
old size on, those of one output after those of the outputs before it; below, the layout is what it was.**
Source: Triton `ensureLayoutNotSmallerThan` -/
theorem growOuts_spec {L : LinearLayout} (hL : L.wellFormed = true) (D : Dims) {i : String} {k : Nat} {I : Dims}
    (hi : L.ins = (i, k) :: I) : (L.growOuts D).wellFormed = true ∧
      (L.growOuts D).outs.names = L.outs.names ∧
      (∀ m ∈ L.outs.names, (L.growOuts D).outs.bits m = max (L.outs.bits m) (D.bits m)) ∧
      ∀ p, ∀ m ∈ L.outs.names, (L.growOuts D).eval p m = L.eval p m + 2 ^ L.outs.bits m *
        (p i / 2 ^ (k + lacksBefore L D m L.outs.names) % 2 ^ lacks L D m) := by
  obtain ⟨R, e, w, _, n, b, v⟩ := fold_grow D hL hi (nodup_names (distinct_outs hL)) fun _ h => h
  rw [growOuts, ← e]
  refine ⟨w, n, fun m h => ?_, fun p m h => ?_⟩
  · rw [b, if_pos h, lacks]; omega
  · rw [v, if_pos h]

theorem bits_of_mem {D : Dims} (hD : D.distinct = true) {d : String × Nat} (h : d ∈ D) : D.bits d.1 = d.2 := by
  induction D with
  | nil => exact absurd h (by simp)
  | cons e D ih =>
    simp only [Dims.distinct, Bool.and_eq_true, Bool.not_eq_true'] at hD
    rw [Dims.bits]
    rcases List.mem_cons.1 h with rfl | h
    · rw [if_pos rfl]
    · by_cases q : e.1 = d.1
      · have : d.1 ∈ Dims.names D := List.mem_map.2 ⟨d, h, rfl⟩
        exact absurd ((has_iff_names D d.1).2 this) (by rw [← q, hD.1]; simp)
      · rw [if_neg q]; exact ih hD.2 h

/-- **`ensureNotSmaller` refuses exactly where an output lacks bits and there is no input dimension to append them to.**
Rust: `razorgirl::LinearLayout::ensure_not_smaller`
Source: Triton `ensureLayoutNotSmallerThan` (repaired: `growOuts_no_inputs`) -/
theorem ensureNotSmaller_eq_none_iff {L : LinearLayout} (hL : L.wellFormed = true) (D : Dims) :
    L.ensureNotSmaller D = none ↔ L.ins = [] ∧ ∃ m ∈ L.outs.names, L.outs.bits m < D.bits m := by
  have h : (L.outs.any fun d => decide (d.2 < D.bits d.1)) = true ↔ ∃ m ∈ L.outs.names, L.outs.bits m < D.bits m := by
    simp only [List.any_eq_true, decide_eq_true_eq, Dims.names, List.mem_map]
    constructor
    · rintro ⟨d, hd, hl⟩
      exact ⟨d.1, ⟨d, hd, rfl⟩, by rw [bits_of_mem (distinct_outs hL) hd]; exact hl⟩
    · rintro ⟨-, ⟨d, hd, rfl⟩, hl⟩
      exact ⟨d, hd, by rw [bits_of_mem (distinct_outs hL) hd] at hl; exact hl⟩
  rw [ensureNotSmaller, ← h, ← List.isEmpty_iff]
  by_cases c : (L.ins.isEmpty && L.outs.any fun d => decide (d.2 < D.bits d.1)) = true
  · rw [if_pos c]
    exact ⟨fun _ => by simpa using c, fun _ => rfl⟩
  · rw [if_neg c]
    exact ⟨fun e => absurd e (by simp), fun e => absurd (by simpa using e) c⟩

/-- **What `ensureNotSmaller` answers has the same outputs, each as large as before or as was asked, whichever is more; so
none is smaller than was asked.**
Rust: `razorgirl::LinearLayout::ensure_not_smaller`
Source: Triton `ensureLayoutNotSmallerThan` (repaired: `growOuts_no_inputs`) -/
theorem ensureNotSmaller_bits {L R : LinearLayout} (hL : L.wellFormed = true) {D : Dims}
    (h : L.ensureNotSmaller D = some R) : R.wellFormed = true ∧ R.outs.names = L.outs.names ∧
      ∀ m ∈ L.outs.names, R.outs.bits m = max (L.outs.bits m) (D.bits m) := by
  have hn : ¬ (L.ins = [] ∧ ∃ m ∈ L.outs.names, L.outs.bits m < D.bits m) := by
    rw [← ensureNotSmaller_eq_none_iff hL D, h]
    simp
  have hr : L.growOuts D = R := by
    rw [ensureNotSmaller] at h
    by_cases c : (L.ins.isEmpty && L.outs.any fun d => decide (d.2 < D.bits d.1)) = true
    · rw [if_pos c] at h
      exact absurd h (by simp)
    · rw [if_neg c] at h
      exact Option.some.inj h
  cases hi : L.ins with
  | cons d I =>
    obtain ⟨w, n, b, -⟩ := growOuts_spec hL D hi
    exact hr ▸ ⟨w, n, b⟩
  | nil =>
    have enough : ∀ m ∈ L.outs.names, ¬ L.outs.bits m < D.bits m := fun m hm hl => hn ⟨hi, m, hm, hl⟩
    have stays : ∀ N : List String, (∀ m ∈ N, m ∈ L.outs.names) →
        N.foldl (fun R n => if R.outs.bits n < D.bits n then R.growTo n (D.bits n) else R) L = L := by
      intro N hN
      induction N with
      | nil => rfl
      | cons n N ih =>
        rw [List.foldl_cons, if_neg (enough n (hN n List.mem_cons_self))]
        exact ih fun m hm => hN m (List.mem_cons_of_mem _ hm)
    have e : L.growOuts D = L := stays L.outs.names fun _ h => h
    rw [← hr, e]
    refine ⟨hL, rfl, fun m hm => ?_⟩
    have := enough m hm
    omega

/-- **`ensureNotSmaller` answers for every layout with an input, and keeps it: below the old size of the first input every point
has the image that it had, and the bits from there on fill what the outputs lack, one output after another.**
Rust: `razorgirl::LinearLayout::ensure_not_smaller`
Source: Triton `ensureLayoutNotSmallerThan` -/
theorem ensureNotSmaller_spec {L : LinearLayout} (hL : L.wellFormed = true) (D : Dims) {i : String} {k : Nat} {I : Dims}
    (hi : L.ins = (i, k) :: I) : ∃ R, L.ensureNotSmaller D = some R ∧
      ∀ p, ∀ m ∈ L.outs.names, R.eval p m = L.eval p m + 2 ^ L.outs.bits m *
        (p i / 2 ^ (k + lacksBefore L D m L.outs.names) % 2 ^ lacks L D m) := by
  refine ⟨L.growOuts D, ?_, (growOuts_spec hL D hi).2.2.2⟩
  simp [ensureNotSmaller, hi]

/-- **Without an input dimension the outputs cannot grow: `growOuts` leaves x at one value where four were asked for, and
`ensureNotSmaller` refuses.**
Rust: `razorgirl::LinearLayout::ensure_not_smaller`
Source: Triton `ensureLayoutNotSmallerThan` -/
theorem growOuts_no_inputs : (growOuts ⟨[], [("x", 0)], []⟩ [("x", 2)]).outs = [("x", 0)] ∧
    ensureNotSmaller ⟨[], [("x", 0)], []⟩ [("x", 2)] = none := by decide +kernel

end LinearLayout

end Razorgirl
