module

public import Razorgirl.Data.Xor
public import Razorgirl.Spec.LinearLayout.Basic
public import Razorgirl.Thm.LinearLayout.Elimination.Solve

@[expose] public section

/-!
# Linear layouts: what is proved

Packing and unpacking points are inverse and respect exclusive or. So a layout is a linear function of points, and a
layout built from such a function is that function, coordinates taken modulo the sizes. Layouts over the same dimensions
with the same function are equal.
-/

namespace Razorgirl

namespace LinearLayout

open F2

theorem xor_add_mul {a b x y n : Nat} (ha : a < 2 ^ n) (hb : b < 2 ^ n) :
    (a + 2 ^ n * x) ^^^ (b + 2 ^ n * y) = (a ^^^ b) + 2 ^ n * (x ^^^ y) := by
  have p := Nat.two_pow_pos n
  have h1 : ((a + 2 ^ n * x) ^^^ (b + 2 ^ n * y)) % 2 ^ n = a ^^^ b := by
    rw [Nat.xor_mod_two_pow, Nat.add_mul_mod_self_left, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt ha,
      Nat.mod_eq_of_lt hb]
  have h2 : ((a + 2 ^ n * x) ^^^ (b + 2 ^ n * y)) / 2 ^ n = x ^^^ y := by
    rw [Nat.xor_div_two_pow, Nat.add_mul_div_left _ _ p, Nat.add_mul_div_left _ _ p, Nat.div_eq_of_lt ha,
      Nat.div_eq_of_lt hb, Nat.zero_add, Nat.zero_add]
  have := Nat.mod_add_div ((a + 2 ^ n * x) ^^^ (b + 2 ^ n * y)) (2 ^ n)
  rw [h1, h2] at this
  exact this.symm

theorem mul_xor (n x y : Nat) : 2 ^ n * (x ^^^ y) = 2 ^ n * x ^^^ 2 ^ n * y := by
  have := xor_add_mul (x := x) (y := y) (Nat.two_pow_pos n) (Nat.two_pow_pos n)
  simpa using this.symm

theorem low_xor_high {a n : Nat} (x : Nat) (ha : a < 2 ^ n) : a ^^^ 2 ^ n * x = a + 2 ^ n * x := by
  have := xor_add_mul (x := 0) (y := x) ha (Nat.two_pow_pos n)
  simpa using this

/-! ## Packing -/

theorem pack_lt (D : Dims) (p : Point) : D.pack p < 2 ^ D.total := by
  induction D with
  | nil => exact Nat.one_pos
  | cons d D ih =>
    have h := Nat.mod_lt (p d.1) (Nat.two_pow_pos d.2)
    have := Nat.mul_le_mul_left (2 ^ d.2) (show Dims.pack D p + 1 ≤ 2 ^ Dims.total D from ih)
    simp only [Dims.pack, Dims.total, Nat.pow_add]
    rw [Nat.mul_add] at this
    omega

theorem unpack_xor (D : Dims) (x y : Nat) : D.unpack (x ^^^ y) = xorPoints (D.unpack x) (D.unpack y) := by
  funext n
  induction D generalizing x y with
  | nil => simp [Dims.unpack, xorPoints]
  | cons d D ih =>
    simp only [Dims.unpack, xorPoints, Nat.xor_mod_two_pow, Nat.xor_div_two_pow] at ih ⊢
    split
    · rfl
    · exact ih _ _

theorem pack_xor (D : Dims) (p q : Point) : D.pack (xorPoints p q) = D.pack p ^^^ D.pack q := by
  induction D with
  | nil => simp [Dims.pack]
  | cons d D ih =>
    have h₁ := Nat.mod_lt (p d.1) (Nat.two_pow_pos d.2)
    have h₂ := Nat.mod_lt (q d.1) (Nat.two_pow_pos d.2)
    simp only [Dims.pack, ih]
    rw [xor_add_mul h₁ h₂, xorPoints, Nat.xor_mod_two_pow]

theorem unpack_lt (D : Dims) (x : Nat) (n : String) : D.unpack x n < 2 ^ D.bits n := by
  induction D generalizing x with
  | nil => exact Nat.one_pos
  | cons d D ih =>
    simp only [Dims.unpack, Dims.bits]
    split
    · exact Nat.mod_lt _ (Nat.two_pow_pos _)
    · exact ih _

/-- **Unpacking a packed point gives its coordinates modulo the sizes, and 0 for other names.**
Source: Triton `LinearLayout::apply` -/
theorem unpack_pack (D : Dims) (p : Point) : D.unpack (D.pack p) = restrict D p := by
  funext n
  induction D with
  | nil => simp [Dims.unpack, restrict, Dims.bits, Nat.mod_one]
  | cons d D ih =>
    have h := Nat.mod_lt (p d.1) (Nat.two_pow_pos d.2)
    simp only [Dims.unpack, Dims.pack, restrict, Dims.bits] at ih ⊢
    split
    · rename_i e; subst e
      rw [Nat.add_mul_mod_self_left, Nat.mod_mod]
    · rw [Nat.add_mul_div_left _ _ (Nat.two_pow_pos _), Nat.div_eq_of_lt h, Nat.zero_add]
      exact ih

theorem pack_congr {D : Dims} {p q : Point} (h : ∀ n, D.has n = true → p n = q n) : D.pack p = D.pack q := by
  induction D with
  | nil => rfl
  | cons d D ih =>
    simp only [Dims.pack]
    rw [h d.1 (by simp [Dims.has]), ih fun n hn => h n (by simp [Dims.has, hn])]

/-- **Packing an unpacked number gives the number, where no name stands twice.**
Source: Triton `LinearLayout` -/
theorem pack_unpack {D : Dims} (hD : D.distinct = true) {x : Nat} (hx : x < 2 ^ D.total) : D.pack (D.unpack x) = x := by
  induction D generalizing x with
  | nil => simp only [Dims.total] at hx; simp only [Dims.pack]; omega
  | cons d D ih =>
    simp only [Dims.distinct, Bool.and_eq_true, Bool.not_eq_true'] at hD
    simp only [Dims.total, Nat.pow_add] at hx
    have e : Dims.pack D (Dims.unpack (d :: D) x) = Dims.pack D (Dims.unpack D (x / 2 ^ d.2)) := by
      apply pack_congr
      intro n hn
      simp only [Dims.unpack]
      split
      · rename_i q; subst q; rw [hD.1] at hn; cases hn
      · rfl
    simp only [Dims.pack, e]
    rw [ih hD.2 (Nat.div_lt_of_lt_mul hx)]
    simp only [Dims.unpack, if_pos, Nat.mod_mod]
    exact Nat.mod_add_div _ _

theorem bits_of_not_has {D : Dims} {n : String} (h : D.has n = false) : D.bits n = 0 := by
  induction D with
  | nil => rfl
  | cons d D ih =>
    simp only [Dims.has, Bool.or_eq_false_iff, beq_eq_false_iff_ne] at h
    simp only [Dims.bits, if_neg h.1, ih h.2]

theorem pack_restrict {D : Dims} (hD : D.distinct = true) (p : Point) : D.pack (restrict D p) = D.pack p := by
  rw [← unpack_pack, pack_unpack hD (pack_lt D p)]

theorem distinct_ins {L : LinearLayout} (h : L.wellFormed = true) : L.ins.distinct = true := by
  simp only [wellFormed, Bool.and_eq_true] at h
  exact h.1.1.1

theorem distinct_outs {L : LinearLayout} (h : L.wellFormed = true) : L.outs.distinct = true := by
  simp only [wellFormed, Bool.and_eq_true] at h
  exact h.1.1.2

theorem length_cols {L : LinearLayout} (h : L.wellFormed = true) : L.cols.length = L.ins.total := by
  simp only [wellFormed, Bool.and_eq_true, beq_iff_eq] at h
  exact h.1.2

theorem below_iff (n : Nat) (cs : List Nat) : below n cs = true ↔ ∀ c ∈ cs, c < 2 ^ n := by
  induction cs with
  | nil => simp [below]
  | cons c cs ih => simp [below, ih]

theorem cols_lt {L : LinearLayout} (h : L.wellFormed = true) : ∀ c ∈ L.cols, c < 2 ^ L.outs.total := by
  simp only [wellFormed, Bool.and_eq_true] at h
  exact (below_iff _ _).1 h.2

/-! ## The function of points -/

theorem eval_lt (L : LinearLayout) (p : Point) (n : String) : L.eval p n < 2 ^ L.outs.bits n := unpack_lt _ _ _

theorem eval_of_bits_zero {L : LinearLayout} {n : String} (h : L.outs.bits n = 0) (p : Point) : L.eval p n = 0 := by
  have := L.eval_lt p n
  rw [h] at this
  omega

/-- **The image of an exclusive or of points is the exclusive or of their images, in every dimension.**
Source: «Linear Layouts» (arXiv 2505.23819), section 4 -/
theorem eval_xor (L : LinearLayout) : LinearPoints L.eval := by
  intro p q n
  rw [eval, pack_xor, apply_xor, unpack_xor]
  rfl

/-- **A layout looks at coordinates modulo the sizes of its input dimensions, and at no other names.**
Source: Triton `LinearLayout::apply` -/
theorem eval_congr {L : LinearLayout} (hL : L.ins.distinct = true) {p q : Point}
    (h : ∀ n, restrict L.ins p n = restrict L.ins q n) : L.eval p = L.eval q := by
  rw [eval, eval, ← pack_restrict hL p, ← pack_restrict hL q, show restrict L.ins p = restrict L.ins q from funext h]

theorem restrict_eval (L : LinearLayout) (p : Point) : restrict L.outs (L.eval p) = L.eval p :=
  funext fun n => Nat.mod_eq_of_lt (L.eval_lt p n)

/-- **A layout that is built from a function of points is that function, coordinates taken modulo the sizes, where the
function respects exclusive or.**
Source: Triton `LinearLayout` -/
theorem eval_ofEval {ins outs : Dims} {g : Point → Point} (hg : LinearPoints g) (p : Point) :
    (ofEval ins outs g).eval p = restrict outs (g (restrict ins p)) := by
  have lin : Linear fun x => outs.pack (g (ins.unpack x)) := by
    intro x y
    have e : g (ins.unpack (x ^^^ y)) = xorPoints (g (ins.unpack x)) (g (ins.unpack y)) := by
      rw [unpack_xor]; exact funext fun n => hg _ _ n
    simp only [e, pack_xor]
  show outs.unpack (F2.apply (columnsOf (fun x => outs.pack (g (ins.unpack x))) ins.total) (ins.pack p)) = _
  rw [apply_colsOf lin _ _ (pack_lt ins p), unpack_pack, unpack_pack]

theorem wellFormed_ofEval {ins outs : Dims} (hi : ins.distinct = true) (ho : outs.distinct = true) (g : Point → Point) :
    (ofEval ins outs g).wellFormed = true := by
  simp only [wellFormed, ofEval, Bool.and_eq_true, beq_iff_eq, below_iff]
  refine ⟨⟨⟨hi, ho⟩, by simp [columnsOf]⟩, ?_⟩
  intro c hc
  simp only [columnsOf, List.mem_map] at hc
  obtain ⟨i, _, rfl⟩ := hc
  exact pack_lt _ _

theorem apply_lt {cs : List Nat} {d : Nat} (h : ∀ c ∈ cs, c < 2 ^ d) (x : Nat) : F2.apply cs x < 2 ^ d := by
  rw [apply_eq_app]
  exact applyHigh_bound (fun c hc => h c (List.mem_reverse.1 hc)) x

theorem apply_two_pow (cs : List Nat) (i : Nat) : F2.apply cs (2 ^ i) = cs.getD i 0 := by
  induction cs generalizing i with
  | nil => simp [F2.apply]
  | cons c cs ih =>
    cases i with
    | zero => simp [F2.apply, F2.apply_zero]
    | succ i =>
      have h₁ : 2 ^ (i + 1) / 2 = 2 ^ i := by rw [Nat.pow_succ]; omega
      have h₂ : 2 ^ (i + 1) % 2 = 0 := by rw [Nat.pow_succ]; omega
      simp [F2.apply, h₁, h₂, ih]

theorem columnsOf_apply (cs : List Nat) : columnsOf (F2.apply cs) cs.length = cs := by
  apply List.ext_getElem
  · simp [columnsOf]
  · intro i h₁ h₂
    simp [columnsOf, apply_two_pow, List.getD_eq_getElem?_getD, h₂]

theorem pack_eval {L : LinearLayout} (h : L.wellFormed = true) (p : Point) :
    L.outs.pack (L.eval p) = F2.apply L.cols (L.ins.pack p) := by
  rw [eval, pack_unpack (distinct_outs h) (apply_lt (cols_lt h) _)]

/-- **Layouts over the same dimensions with the same function of points are equal.**
Source: Triton `LinearLayout::operator==` -/
theorem eq_of_eval {L M : LinearLayout} (hL : L.wellFormed = true) (hM : M.wellFormed = true) (hi : L.ins = M.ins)
    (ho : L.outs = M.outs) (h : ∀ p n, L.eval p n = M.eval p n) : L = M := by
  have e : ∀ x, x < 2 ^ L.ins.total → F2.apply L.cols x = F2.apply M.cols x := by
    intro x hx
    have a := pack_eval hL (L.ins.unpack x)
    have b := pack_eval hM (L.ins.unpack x)
    rw [pack_unpack (distinct_ins hL) hx] at a
    rw [← hi, pack_unpack (distinct_ins hL) hx] at b
    rw [← a, ← b, ho, show L.eval (L.ins.unpack x) = M.eval (L.ins.unpack x) from funext (h _)]
  have c : L.cols = M.cols := by
    rw [← columnsOf_apply L.cols, ← columnsOf_apply M.cols, length_cols hL, length_cols hM, ← hi]
    apply List.map_congr_left
    intro i hi
    exact e _ ((Nat.pow_lt_pow_iff_right (by omega)).2 (List.mem_range.1 hi))
  cases L; cases M
  simp only [mk.injEq]
  exact ⟨hi, ho, c⟩

/-! ## Surjective, injective, invertible -/

theorem rank_le_outs {L : LinearLayout} (h : L.wellFormed = true) : L.rank ≤ L.outs.total := by
  rw [rank]
  have b : ∀ c ∈ L.cols.reverse, c < 2 ^ L.outs.total := fun c hc => cols_lt h c (List.mem_reverse.1 hc)
  have := (spanValues L.cols.reverse).length
  have P : (spanValues L.cols.reverse).Perm
      ((List.range (2 ^ L.outs.total)).filter (fun v => decide (Span L.cols.reverse v))) := by
    apply perm_of_nodup (nodup_vals _) (List.nodup_range.filter _)
    intro a
    simp only [List.mem_filter, mem_vals, decide_eq_true_eq, List.mem_range]
    exact ⟨fun q => ⟨by obtain ⟨x, rfl⟩ := q; exact applyHigh_bound b x, q⟩, And.right⟩
  have l := P.length_eq
  have u := List.length_filter_le (fun v => decide (Span L.cols.reverse v)) (List.range (2 ^ L.outs.total))
  rw [length_vals] at l
  rw [← l, List.length_range] at u
  exact (Nat.pow_le_pow_iff_right (by omega)).1 u

/-- **`isSurjective` holds exactly where every packed output is the image of some packed input.**
Source: Triton `LinearLayout::isSurjective` -/
theorem isSurjective_iff {L : LinearLayout} (h : L.wellFormed = true) :
    L.isSurjective = true ↔ ∀ y, y < 2 ^ L.outs.total → ∃ x, x < 2 ^ L.ins.total ∧ L.applyPacked x = y := by
  have b : ∀ c ∈ L.cols.reverse, c < 2 ^ L.outs.total := fun c hc => cols_lt h c (List.mem_reverse.1 hc)
  rw [isSurjective, beq_iff_eq, rank, ← surj_iff b]
  constructor
  · intro H y hy
    obtain ⟨x, hx⟩ := H y hy
    refine ⟨x % 2 ^ L.ins.total, Nat.mod_lt _ (Nat.two_pow_pos _), ?_⟩
    rw [applyPacked, apply_eq_app, applyHigh_mod _ _ _ (by rw [List.length_reverse, length_cols h]; omega), hx]
  · intro H y hy
    obtain ⟨x, _, hx⟩ := H y hy
    exact ⟨x, by rw [← apply_eq_app]; exact hx⟩

/-- **`isInjective` holds exactly where no two packed inputs have one image.**
Source: Triton `LinearLayout::isInjective` -/
theorem isInjective_iff {L : LinearLayout} (h : L.wellFormed = true) :
    L.isInjective = true ↔
      ∀ x y, x < 2 ^ L.ins.total → y < 2 ^ L.ins.total → L.applyPacked x = L.applyPacked y → x = y := by
  have l : L.cols.reverse.length = L.ins.total := by rw [List.length_reverse, length_cols h]
  rw [isInjective, beq_iff_eq, rank, ← l, ← inj_iff_rank]
  simp only [F2.Injective, applyPacked, apply_eq_app]

/-- **`isInvertible` holds exactly where a layout is injective and surjective.**
Source: Triton `LinearLayout::isInvertible`; stated otherwise: sizes are not computed in 32 bits -/
theorem isInvertible_iff (L : LinearLayout) :
    L.isInvertible = true ↔ L.isInjective = true ∧ L.isSurjective = true := by
  simp only [isInvertible, isInjective, isSurjective, Bool.and_eq_true, beq_iff_eq]
  omega

end LinearLayout

end Razorgirl
