module

public import Razorgirl.Thm.LinearLayout.Inverse
public import Razorgirl.Thm.LinearLayout.Quotient

@[expose] public section

/-!
# `invertAndCompose`: what is proved

It answers wherever there is a layout C with `A after C = B`. On the identity dimensions the answer is the identity; on
points that are 0 there it is the least solution of all, not only among those that leave these dimensions 0. The reason is
that identity dimensions have output bits of their own: what B does on the other dimensions needs nothing from them.
-/

namespace Razorgirl

namespace LinearLayout

open F2

/-- The point with `x` at one name, and 0 elsewhere. -/
def pointAt (d : String) (x : Nat) : Point := fun n => if n = d then x else 0

theorem onlyAt_cons {d : String} {S : List String} (p : Point) (h : d ∉ S) :
    onlyAt (d :: S) p = xorPoints (pointAt d (p d)) (onlyAt S p) := by
  funext n
  simp only [onlyAt, xorPoints, pointAt, List.mem_cons]
  by_cases e : n = d
  · subst e; simp [h]
  · simp [e]

theorem onlyAt_cons_mem {d : String} {S : List String} (p : Point) (h : d ∈ S) : onlyAt (d :: S) p = onlyAt S p := by
  funext n
  simp only [onlyAt, List.mem_cons]
  by_cases e : n = d
  · subst e; simp [h]
  · simp [e]

theorem LinearPoints.zero {g : Point → Point} (hg : LinearPoints g) (n : String) : g (fun _ => 0) n = 0 := by
  have := hg (fun _ => 0) (fun _ => 0) n
  rw [show xorPoints (fun _ => 0) (fun _ => 0) = fun _ => 0 from funext fun i => Nat.xor_self 0, Nat.xor_self] at this
  exact this

/-- Two functions that respect exclusive or agree on a point of some dimensions where they do on each of these. -/
theorem agree_onlyAt {g h : Point → Point} (hg : LinearPoints g) (hh : LinearPoints h) {S : List String} {p : Point}
    (e : ∀ d ∈ S, ∀ n, g (pointAt d (p d)) n = h (pointAt d (p d)) n) (n : String) :
    g (onlyAt S p) n = h (onlyAt S p) n := by
  induction S with
  | nil =>
    have z : onlyAt [] p = fun _ => 0 := by funext m; simp [onlyAt]
    rw [z, hg.zero, hh.zero]
  | cons d S ih =>
    have i := ih fun d hd => e d (List.mem_cons_of_mem _ hd)
    by_cases m : d ∈ S
    · rw [onlyAt_cons_mem p m, i]
    · rw [onlyAt_cons p m, hg, hh, i, e d List.mem_cons_self]

/-- A layout is the exclusive or of what it does on some dimensions and on the others. -/
theorem eval_split {L : LinearLayout} (hL : L.wellFormed = true) (names : List String) (p : Point) :
    L.eval p = xorPoints (L.eval (onlyAt names p)) (L.eval (onlyAt (L.ins.without names).names p)) := by
  rw [← show L.eval (xorPoints (onlyAt names p) (onlyAt (L.ins.without names).names p)) =
    xorPoints (L.eval (onlyAt names p)) (L.eval (onlyAt (L.ins.without names).names p)) from
    funext fun m => L.eval_xor _ _ m]
  apply eval_congr (distinct_ins hL)
  intro m
  simp only [restrict, xorPoints, onlyAt, mem_without]
  by_cases a : m ∈ names
  · simp [a]
  · cases b : L.ins.has m
    · rw [bits_of_not_has b, Nat.pow_zero, Nat.mod_one, Nat.mod_one]
    · simp [a]

theorem linear_pointAt (L : LinearLayout) (D : Dims) (d : String) : Linear fun x => D.pack (L.eval (pointAt d x)) := by
  intro x y
  have e : pointAt d (x ^^^ y) = xorPoints (pointAt d x) (pointAt d y) := by
    funext n
    simp only [pointAt, xorPoints]
    split <;> simp
  have e' : L.eval (pointAt d (x ^^^ y)) = xorPoints (L.eval (pointAt d x)) (L.eval (pointAt d y)) := by
    rw [e]; exact funext fun n => L.eval_xor _ _ n
  simp only [e', pack_xor]

theorem eval_pointAt_mod {L : LinearLayout} (hL : L.wellFormed = true) (d : String) (x : Nat) :
    L.eval (pointAt d (x % 2 ^ L.ins.bits d)) = L.eval (pointAt d x) := by
  apply eval_congr (distinct_ins hL)
  intro n
  simp only [restrict, pointAt]
  by_cases e : n = d
  · subst e; simp
  · simp [e]

/-- The columns of an input, packed over other outputs, are those of the function. -/
theorem columnsAt_map (L : LinearLayout) (D : Dims) (d : String) :
    (L.columnsAt d).map (fun c => D.pack (L.outs.unpack c)) =
      columnsOf (fun x => D.pack (L.eval (pointAt d x))) (L.ins.bits d) := by
  simp only [columnsAt, columnsOf, List.map_map]
  apply List.map_congr_left
  intro i _
  simp only [Function.comp_def, unpack_pack, restrict_eval]
  rfl

theorem pack_pointAt {L : LinearLayout} (hL : L.wellFormed = true) (D : Dims) (d : String) (x : Nat) :
    D.pack (L.eval (pointAt d x)) =
      F2.apply ((L.columnsAt d).map fun c => D.pack (L.outs.unpack c)) (x % 2 ^ L.ins.bits d) := by
  rw [columnsAt_map, apply_colsOf (linear_pointAt L D d) _ _ (Nat.mod_lt _ (Nat.two_pow_pos _)), eval_pointAt_mod hL]

/-! ## Bits that are touched -/

theorem testBit_apply {cs : List Nat} {x i : Nat} (h : (F2.apply cs x).testBit i = true) : ∃ c ∈ cs, c.testBit i = true := by
  induction cs generalizing x with
  | nil => simp [F2.apply] at h
  | cons c cs ih =>
    simp only [F2.apply, Nat.testBit_xor] at h
    cases e : (F2.apply cs (x / 2)).testBit i
    · rw [e, Bool.xor_false] at h
      unfold sel at h
      split at h
      · exact ⟨c, List.mem_cons_self, h⟩
      · simp at h
    · obtain ⟨b, hb, q⟩ := ih e
      exact ⟨b, List.mem_cons_of_mem _ hb, q⟩

theorem testBit_foldl_or {α : Type} (f : α → Nat) (l : List α) (m i : Nat) :
    (l.foldl (fun m c => m ||| f c) m).testBit i = true ↔ m.testBit i = true ∨ ∃ c ∈ l, (f c).testBit i = true := by
  induction l generalizing m with
  | nil => simp
  | cons c l ih => simp [ih, or_assoc]

theorem testBit_touched (L : LinearLayout) (D : Dims) (d : String) (i : Nat) :
    (L.touched D d).testBit i = true ↔
      ∃ c ∈ (L.columnsAt d).map fun c => D.pack (L.outs.unpack c), c.testBit i = true := by
  rw [touched, testBit_foldl_or]
  simp only [Nat.zero_testBit, Bool.false_eq_true, false_or, List.mem_map]
  constructor
  · rintro ⟨c, hc, h⟩; exact ⟨_, ⟨c, hc, rfl⟩, h⟩
  · rintro ⟨_, ⟨c, hc, rfl⟩, h⟩; exact ⟨c, hc, h⟩

theorem touched_of_pointAt {L : LinearLayout} (hL : L.wellFormed = true) {D : Dims} {d : String} {x i : Nat}
    (h : (D.pack (L.eval (pointAt d x))).testBit i = true) : (L.touched D d).testBit i = true := by
  rw [pack_pointAt hL] at h
  exact (testBit_touched L D d i).2 (testBit_apply h)

theorem touched_of_onlyAt {L : LinearLayout} (hL : L.wellFormed = true) {D : Dims} {S : List String} {p : Point} {i : Nat}
    (h : (D.pack (L.eval (onlyAt S p))).testBit i = true) : ∃ d ∈ S, (L.touched D d).testBit i = true := by
  induction S with
  | nil =>
    have z : L.eval (onlyAt [] p) = fun _ => 0 := by
      funext n
      rw [show onlyAt [] p = fun _ => 0 from funext fun m => by simp [onlyAt]]
      exact LinearPoints.zero L.eval_xor n
    rw [z, pack_zero] at h
    simp at h
  | cons d S ih =>
    by_cases m : d ∈ S
    · rw [onlyAt_cons_mem p m] at h
      obtain ⟨e, he, q⟩ := ih h
      exact ⟨e, List.mem_cons_of_mem _ he, q⟩
    · rw [onlyAt_cons p m, show L.eval (xorPoints (pointAt d (p d)) (onlyAt S p)) =
        xorPoints (L.eval (pointAt d (p d))) (L.eval (onlyAt S p)) from funext fun n => L.eval_xor _ _ n,
        pack_xor, Nat.testBit_xor] at h
      cases e : (D.pack (L.eval (onlyAt S p))).testBit i
      · rw [e, Bool.xor_false] at h
        exact ⟨d, List.mem_cons_self, touched_of_pointAt hL h⟩
      · obtain ⟨b, hb, q⟩ := ih e
        exact ⟨b, List.mem_cons_of_mem _ hb, q⟩

theorem touchedByOthers_of_onlyAt {L : LinearLayout} (hL : L.wellFormed = true) {D : Dims} {d : String} {p : Point}
    {i : Nat} (h : (D.pack (L.eval (onlyAt (L.ins.without [d]).names p))).testBit i = true) :
    (L.touchedByOthers D d).testBit i = true := by
  obtain ⟨e, he, q⟩ := touched_of_onlyAt hL h
  rw [touchedByOthers, testBit_foldl_or]
  obtain ⟨e', he', rfl⟩ := List.mem_map.1 he
  exact .inr ⟨e', he', q⟩

/-! ## Identity dimensions -/

/-- What the test for an identity dimension says. -/
theorem identityDim_spec {A B : LinearLayout} {d : String} (h : isIdentityDim A B d = true) :
    A.ins.bits d = B.ins.bits d ∧
      A.columnsAt d = (B.columnsAt d).map (fun c => A.outs.pack (B.outs.unpack c)) ∧
      A.touched A.outs d &&& A.touchedByOthers A.outs d = 0 ∧ B.touched A.outs d &&& B.touchedByOthers A.outs d = 0 := by
  simp only [isIdentityDim, Bool.and_eq_true, beq_iff_eq] at h
  exact ⟨h.1.1.1.2, h.1.1.2, h.1.2, h.2⟩

theorem mem_identityDims {A B : LinearLayout} {d : String} (h : d ∈ identityDims A B) :
    isIdentityDim A B d = true := (List.mem_filter.1 h).2

theorem columnsAt_repack (A : LinearLayout) (d : String) :
    (A.columnsAt d).map (fun c => A.outs.pack (A.outs.unpack c)) = A.columnsAt d := by
  rw [columnsAt_map]; rfl

theorem agree_identity {A B : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true) {d : String}
    (h : isIdentityDim A B d = true) (x : Nat) :
    A.eval (pointAt d x) = restrict A.outs (B.eval (pointAt d x)) := by
  obtain ⟨hb, hc, _, _⟩ := identityDim_spec h
  have a := pack_pointAt hA A.outs d x
  have b := pack_pointAt hB A.outs d x
  rw [columnsAt_repack, hc, hb, ← b] at a
  rw [← restrict_eval A, ← unpack_pack, a, unpack_pack]

theorem linear_restrict (D : Dims) (L : LinearLayout) : LinearPoints fun p => restrict D (L.eval p) := by
  intro p q n
  simp only [restrict, L.eval_xor p q n, Nat.xor_mod_two_pow]

/-- What B does on the other dimensions needs nothing from the identity dimensions. -/
theorem identity_needs_nothing {A B : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true)
    {q r : Point} (hq : ∀ n ∈ identityDims A B, q n = 0) (h : A.eval r = restrict A.outs (B.eval q)) (n : String) :
    A.eval (onlyAt (identityDims A B) r) n = 0 := by
  refine agree_onlyAt (h := fun _ _ => 0) A.eval_xor (fun _ _ _ => (Nat.xor_self 0).symm) ?_ n
  intro d hd
  obtain ⟨_, hc, tA, tB⟩ := identityDim_spec (mem_identityDims hd)
  have one : ∀ p : Point, onlyAt [d] p = pointAt d (p d) := by
    intro p; funext m; simp only [onlyAt, pointAt, List.mem_singleton]
    split
    · rename_i e; rw [e]
    · rfl
  have sA := eval_split hA [d] r
  have sB := eval_split hB [d] q
  rw [one] at sA sB
  have z : B.eval (pointAt d (q d)) = fun _ => 0 := by
    rw [hq d hd, show pointAt d 0 = fun _ => 0 from funext fun m => by simp [pointAt]]
    exact funext fun m => LinearPoints.zero B.eval_xor m
  have sB' : B.eval q = B.eval (onlyAt (B.ins.without [d]).names q) := by
    rw [sB, z]
    exact funext fun m => Nat.zero_xor _
  have same : A.touched A.outs d = B.touched A.outs d := by
    apply Nat.eq_of_testBit_eq
    intro i
    rw [Bool.eq_iff_iff, testBit_touched, testBit_touched, columnsAt_repack, hc]
  -- packed, what d does is the exclusive or of what the others do and of B
  have key : A.outs.pack (A.eval (pointAt d (r d))) =
      A.outs.pack (B.eval (onlyAt (B.ins.without [d]).names q)) ^^^
        A.outs.pack (A.eval (onlyAt (A.ins.without [d]).names r)) := by
    have e : A.outs.pack (A.eval r) = A.outs.pack (B.eval q) := by
      rw [h, pack_restrict (distinct_outs hA)]
    rw [sA, pack_xor, sB'] at e
    exact xor_eq_iff.1 e
  have none : A.outs.pack (A.eval (pointAt d (r d))) = 0 := by
    apply Nat.eq_of_testBit_eq
    intro i
    rw [Nat.zero_testBit, ← Bool.not_eq_true]
    intro t
    have td := touched_of_pointAt hA t
    rw [key, Nat.testBit_xor] at t
    have off : ∀ {x y : Nat}, x &&& y = 0 → x.testBit i = true → y.testBit i = true → False := by
      intro x y e hx hy
      have := congrArg (fun z => z.testBit i) e
      simp [hx, hy] at this
    cases e : (A.outs.pack (B.eval (onlyAt (B.ins.without [d]).names q))).testBit i
    · rw [e, Bool.false_xor] at t
      exact off tA td (touchedByOthers_of_onlyAt hA t)
    · exact off tB (same ▸ td) (touchedByOthers_of_onlyAt hB e)
  intro m
  have := congrFun (congrArg A.outs.unpack none) m
  rw [unpack_pack, restrict_eval] at this
  rw [this, unpack_zero]

/-! ## The rest -/

theorem eval_restrict {L : LinearLayout} (hL : L.wellFormed = true) (p : Point) : L.eval (restrict L.ins p) = L.eval p := by
  apply eval_congr (distinct_ins hL)
  intro n
  rw [restrict_restrict, Nat.min_self, restrict]

theorem wellFormed_rest {L : LinearLayout} (hL : L.wellFormed = true) (S : List String) :
    (L.sublayout (L.ins.without S).names L.outs.names).wellFormed = true :=
  wellFormed_ofEval (distinct_filter (distinct_ins hL) _) (distinct_filter (distinct_outs hL) _) _

theorem eval_rest {L : LinearLayout} (hL : L.wellFormed = true) (S : List String) (p : Point) :
    (L.sublayout (L.ins.without S).names L.outs.names).eval p = L.eval (onlyAt (L.ins.without S).names p) := by
  funext n
  rw [eval_sublayout hL]
  split
  · rfl
  · rename_i h
    have : L.outs.has n = false := by
      rw [← Bool.not_eq_true, has_iff_names]; exact h
    rw [eval_of_bits_zero (bits_of_not_has this)]

theorem bits_rest (L : LinearLayout) {S : List String} {n : String} (h : n ∈ S) :
    (L.sublayout (L.ins.without S).names L.outs.names).ins.bits n = 0 := by
  show (L.ins.only _).bits n = 0
  rw [bits_only, if_neg]
  intro m
  exact ((mem_without _ _ _).1 m).2 h

/-- A point that is 0 on some dimensions may be taken on the others alone. -/
theorem eval_zero_on {L : LinearLayout} (hL : L.wellFormed = true) {S : List String} {p : Point}
    (h : ∀ n ∈ S, p n = 0) : L.eval (onlyAt (L.ins.without S).names p) = L.eval p := by
  have z : onlyAt S p = fun _ => 0 := by
    funext n
    simp only [onlyAt]
    split
    · rename_i m; exact h n m
    · rfl
  rw [eval_split hL S p, z]
  funext n
  rw [xorPoints, LinearPoints.zero L.eval_xor, Nat.zero_xor]

/-! ## The least solution -/

/-- **Of all points that `A` takes to where `B` takes a point, the least solution has the least: packed, the first input of A
lowest.**
Source: Triton `lstsq`; stated otherwise: the least one -/
theorem leastSquares_least {A B X : LinearLayout} (hA : A.wellFormed = true) (h : leastSquares A B = some X) {p r : Point}
    (hr : A.eval r = restrict A.outs (B.eval p)) : A.ins.pack (X.eval p) ≤ A.ins.pack r := by
  unfold leastSquares at h
  split at h
  · obtain ⟨Y, hY, rfl⟩ := Option.map_eq_some_iff.1 h
    rw [leastSolutions_eq] at hY
    split at hY
    · cases hY
      have b : F2.apply A.cols (A.ins.pack r) = F2.apply (B.repacked A.outs) (B.ins.pack p) := by
        rw [← pack_eval hA, hr, pack_restrict (distinct_outs hA), apply_repacked]; rfl
      rw [apply_eq_app A.cols] at b
      have least : (reduce (eliminate A.cols.reverse) (F2.apply (B.repacked A.outs) (B.ins.pack p))).2 ≤ A.ins.pack r := by
        have s : solve A.cols.reverse (F2.apply (B.repacked A.outs) (B.ins.pack p)) =
            some (reduce (eliminate A.cols.reverse) (F2.apply (B.repacked A.outs) (B.ins.pack p))).2 := by
          simp only [solve]
          rw [if_pos ((reduce_span _ _).2 ⟨_, b⟩)]
        exact (solve_some.1 s).2 _ b
      have lt := (reduce_apply A.cols.reverse (F2.apply (B.repacked A.outs) (B.ins.pack p))).2
      rw [List.length_reverse, length_cols hA] at lt
      show A.ins.pack (A.ins.unpack (F2.apply ((B.repacked A.outs).map fun b => (reduce (eliminate A.cols.reverse) b).2)
        (B.ins.pack p))) ≤ _
      rw [F2.apply_map (red2_lin _), pack_unpack (distinct_ins hA) lt]
      exact least
    · cases hY
  · cases h

theorem leastSquares_outs {A B X : LinearLayout} (h : leastSquares A B = some X) : X.outs = A.ins := by
  unfold leastSquares at h
  split at h
  · obtain ⟨Y, _, rfl⟩ := Option.map_eq_some_iff.1 h; rfl
  · cases h

theorem pack_only_le {D : Dims} {names : List String} {u v : Point} (hu : ∀ n, D.has n = true → n ∉ names → u n = 0) :
    ((D.only names).pack u ≤ (D.only names).pack v → D.pack u ≤ D.pack v) ∧
      ((D.only names).pack u < (D.only names).pack v → D.pack u < D.pack v) := by
  induction D with
  | nil => exact ⟨id, id⟩
  | cons d D ih =>
    obtain ⟨i₁, i₂⟩ := ih fun n hn => hu n (by simp [Dims.has, hn])
    have p := Nat.two_pow_pos d.2
    have hv := Nat.mod_lt (v d.1) p
    have hw := Nat.mod_lt (u d.1) p
    simp only [Dims.only, List.filter_cons, List.elem_eq_mem, decide_eq_true_eq] at i₁ i₂ ⊢
    by_cases m : d.1 ∈ names
    · rw [if_pos m]
      simp only [Dims.pack]
      generalize Dims.pack (List.filter (fun d => decide (d.1 ∈ names)) D) u = a at *
      generalize Dims.pack (List.filter (fun d => decide (d.1 ∈ names)) D) v = b at *
      have grow : ∀ x y : Nat, x < y → 2 ^ d.2 * x + 2 ^ d.2 ≤ 2 ^ d.2 * y := by
        intro x y h
        have := Nat.mul_le_mul_left (2 ^ d.2) h
        rwa [Nat.mul_succ] at this
      rcases Nat.lt_trichotomy a b with h | h | h
      · have := grow _ _ (i₂ h)
        exact ⟨fun _ => by omega, fun _ => by omega⟩
      · subst h
        have := Nat.mul_le_mul_left (2 ^ d.2) (i₁ (Nat.le_refl _))
        exact ⟨fun _ => by omega, fun _ => by omega⟩
      · have := grow _ _ h
        exact ⟨fun _ => by omega, fun _ => by omega⟩
    · rw [if_neg m]
      simp only [Dims.pack]
      rw [hu d.1 (by simp [Dims.has]) m, Nat.zero_mod]
      constructor
      · intro h
        have := Nat.mul_le_mul_left (2 ^ d.2) (i₁ h)
        omega
      · intro h
        have := Nat.mul_lt_mul_of_pos_left (i₂ h) p
        omega

/-! ## `invertAndCompose` -/

theorem bits_le_of_fits {D E : Dims} (h : fitsNames D E = true) (n : String) : D.bits n ≤ E.bits n := by
  simp only [fitsNames, Bool.and_eq_true] at h
  have f := h.2
  clear h
  induction D with
  | nil => exact Nat.zero_le _
  | cons d D ih =>
    simp only [fitsIn, List.all_cons, Bool.and_eq_true, decide_eq_true_eq] at f ih
    simp only [Dims.bits]
    split
    · rename_i e; subst e; exact f.1.2
    · exact ih f.2

theorem restrict_of_fits {B : LinearLayout} {E : Dims} (h : fitsNames B.outs E = true) (p : Point) :
    restrict E (B.eval p) = B.eval p := by
  funext n
  exact Nat.mod_eq_of_lt (Nat.lt_of_lt_of_le (B.eval_lt p n) (Nat.pow_le_pow_right (by omega) (bits_le_of_fits h n)))

theorem linear_identityOr (S : List String) (X : LinearLayout) :
    LinearPoints fun p n => if S.elem n then p n else X.eval p n := by
  intro p q n
  simp only [X.eval_xor p q n]
  split <;> rfl

theorem rest_outs (L : LinearLayout) (S : List String) :
    (L.sublayout (L.ins.without S).names L.outs.names).outs = L.outs := only_names L.outs

theorem fits_of_invertAndCompose {A B C : LinearLayout} (h : invertAndCompose B A = some C) :
    fitsNames B.outs A.outs = true := by
  obtain ⟨X, hX, _⟩ := Option.map_eq_some_iff.1 h
  unfold leastSquares at hX
  split at hX
  · rename_i f; rwa [rest_outs, rest_outs] at f
  · cases hX

/-- **What `invertAndCompose` answers, followed by `A`, is `B`.**
Source: Triton `invertAndCompose` -/
theorem eval_invertAndCompose {A B C : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true)
    (h : invertAndCompose B A = some C) (p : Point) : A.eval (C.eval p) = B.eval p := by
  rw [← restrict_of_fits (fits_of_invertAndCompose h)]
  obtain ⟨X, hX, rfl⟩ := Option.map_eq_some_iff.1 h
  have x0 : ∀ p n, n ∈ identityDims A B → X.eval p n = 0 := fun p n hn =>
    eval_of_bits_zero (by rw [leastSquares_outs hX]; exact bits_rest A hn) p
  have eX := eval_leastSquares (wellFormed_rest hA _) hX (restrict B.ins p)
  rw [eval_rest hA, eval_rest hB, rest_outs] at eX
  rw [eval_ofEval (linear_identityOr _ X), eval_restrict hA, ← eval_restrict hB p]
  generalize restrict B.ins p = q at *
  have parts : (fun n => if (identityDims A B).elem n then q n else X.eval q n) =
      xorPoints (onlyAt (identityDims A B) q) (X.eval q) := by
    funext n
    simp only [xorPoints, onlyAt, List.elem_eq_mem, decide_eq_true_eq]
    split
    · rename_i m; rw [x0 q n m, Nat.xor_zero]
    · rw [Nat.zero_xor]
  have s : A.eval (onlyAt (identityDims A B) q) = restrict A.outs (B.eval (onlyAt (identityDims A B) q)) :=
    funext fun n => agree_onlyAt (h := fun p => restrict A.outs (B.eval p)) A.eval_xor (linear_restrict _ _)
      (fun d hd n => congrFun (agree_identity hA hB (mem_identityDims hd) (q d)) n) n
  rw [eval_zero_on hA (x0 q)] at eX
  rw [parts, show A.eval (xorPoints (onlyAt (identityDims A B) q) (X.eval q)) =
    xorPoints (A.eval (onlyAt (identityDims A B) q)) (A.eval (X.eval q)) from funext fun n => A.eval_xor _ _ n,
    s, eX, eval_split hB (identityDims A B) q]
  funext n
  simp only [xorPoints, restrict, Nat.xor_mod_two_pow]

/-- **What `invertAndCompose` answers is a layout from the inputs of B to those of A.**
Source: Triton `invertAndCompose` -/
theorem invertAndCompose_dims {A B C : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true)
    (h : invertAndCompose B A = some C) : C.wellFormed = true ∧ C.ins = B.ins ∧ C.outs = A.ins := by
  obtain ⟨X, _, rfl⟩ := Option.map_eq_some_iff.1 h
  exact ⟨wellFormed_ofEval (distinct_ins hB) (distinct_ins hA) _, rfl, rfl⟩

/-- **What `invertAndCompose` answers leaves the identity dimensions as they are.**
Source: Triton `invertAndCompose` -/
theorem invertAndCompose_identity {A B C : LinearLayout} (h : invertAndCompose B A = some C) {n : String}
    (hn : n ∈ identityDims A B) (p : Point) : C.eval p n = p n % 2 ^ A.ins.bits n := by
  obtain ⟨X, _, rfl⟩ := Option.map_eq_some_iff.1 h
  have e : (identityDims A B).elem n = true := elem_iff.2 hn
  rw [eval_ofEval (linear_identityOr _ X)]
  simp only [restrict, e, if_true]
  rw [← (identityDim_spec (mem_identityDims hn)).1, Nat.mod_mod]

/-- **On points that are 0 in the identity dimensions, `invertAndCompose` gives the least of all points that `A` takes to the
same: packed, the first input of A lowest.**
Source: Triton `invertAndCompose`; stated otherwise: the least one -/
theorem invertAndCompose_least {A B C : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true)
    (h : invertAndCompose B A = some C) {p r : Point} (hp : ∀ n ∈ identityDims A B, p n = 0)
    (hr : A.eval r = B.eval p) : A.ins.pack (C.eval p) ≤ A.ins.pack r := by
  rw [← restrict_of_fits (fits_of_invertAndCompose h)] at hr
  obtain ⟨X, hX, rfl⟩ := Option.map_eq_some_iff.1 h
  rw [eval_ofEval (linear_identityOr _ X), pack_restrict (distinct_ins hA)]
  rw [← eval_restrict hB p] at hr
  have hq : ∀ n ∈ identityDims A B, restrict B.ins p n = 0 := fun n hn => by rw [restrict, hp n hn, Nat.zero_mod]
  generalize restrict B.ins p = q at *
  have hr' : (A.sublayout (A.ins.without (identityDims A B)).names A.outs.names).eval r =
      restrict (A.sublayout (A.ins.without (identityDims A B)).names A.outs.names).outs
        ((B.sublayout (B.ins.without (identityDims A B)).names B.outs.names).eval q) := by
    rw [rest_outs, eval_rest hA, eval_rest hB, eval_zero_on hB hq, ← hr, eval_split hA (identityDims A B) r]
    funext n
    rw [xorPoints, identity_needs_nothing hA hB hq hr n, Nat.zero_xor]
  have l := leastSquares_least (wellFormed_rest hA _) hX hr'
  have same : ∀ D : Dims, (∀ n, D.has n = true → n ∉ identityDims A B) →
      D.pack (fun n => if (identityDims A B).elem n then q n else X.eval q n) = D.pack (X.eval q) := by
    intro D hD
    apply pack_congr
    intro n hn
    rw [if_neg]
    rw [elem_iff]
    exact hD n hn
  refine (pack_only_le (names := (A.ins.without (identityDims A B)).names) fun n hn hm => ?_).1 ?_
  · have m : n ∈ identityDims A B := by
      rcases Classical.em (n ∈ identityDims A B) with m | m
      · exact m
      · exact absurd ((mem_without _ _ _).2 ⟨hn, m⟩) hm
    rw [if_pos (elem_iff.2 m)]
    exact hq n m
  · rw [same]
    · exact l
    · intro n hn m
      rw [has_iff_names] at hn
      obtain ⟨d, hd, rfl⟩ := List.mem_map.1 hn
      have := (List.mem_filter.1 hd).2
      exact ((mem_without _ _ _).1 (elem_iff.1 this)).2 m

theorem apply_mod {cs : List Nat} {n : Nat} (h : cs.length ≤ n) (x : Nat) : F2.apply cs (x % 2 ^ n) = F2.apply cs x := by
  rw [apply_eq_app, apply_eq_app, applyHigh_mod _ _ _ (by rw [List.length_reverse]; exact h)]

theorem invertAndCompose_isSome_of {A B : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true)
    (hn : fitsNames B.outs A.outs = true) {g : Point → Point} (hg : LinearPoints g)
    (h : ∀ p, A.eval (g p) = B.eval p) : (invertAndCompose B A).isSome = true := by
  rw [invertAndCompose, Option.isSome_map, Option.isSome_iff_ne_none]
  intro e
  have none : leastSquares (A.sublayout (A.ins.without (identityDims A B)).names A.outs.names)
    (B.sublayout (B.ins.without (identityDims A B)).names B.outs.names) = none := e
  clear e
  have wA := wellFormed_rest hA (identityDims A B)
  have wB := wellFormed_rest hB (identityDims A B)
  have oA := rest_outs A (identityDims A B)
  have oB := rest_outs B (identityDims A B)
  have bB : ∀ n ∈ identityDims A B, (B.sublayout (B.ins.without (identityDims A B)).names B.outs.names).ins.bits n = 0 :=
    fun n hn => bits_rest B hn
  have eA := eval_rest hA (identityDims A B)
  have eB := eval_rest hB (identityDims A B)
  generalize B.sublayout (B.ins.without (identityDims A B)).names B.outs.names = B' at *
  generalize A.sublayout (A.ins.without (identityDims A B)).names A.outs.names = A' at *
  refine (leastSquares_eq_none_iff (by rw [oA, oB]; exact hn)).1 none
    ⟨columnsOf (fun x => A'.ins.pack (g (B'.ins.unpack x))) B'.ins.total, by simp [columnsOf, length_cols wB], fun x => ?_⟩
  have lin : Linear fun x => A'.ins.pack (g (B'.ins.unpack x)) := by
    intro x y
    have e : g (B'.ins.unpack (x ^^^ y)) = xorPoints (g (B'.ins.unpack x)) (g (B'.ins.unpack y)) := by
      rw [unpack_xor]; exact funext fun n => hg _ _ n
    simp only [e, pack_xor]
  have lt := Nat.mod_lt x (Nat.two_pow_pos B'.ins.total)
  rw [← apply_mod (cs := columnsOf _ _) (n := B'.ins.total) (by simp [columnsOf]) x, apply_colsOf lin _ _ lt,
    ← apply_mod (cs := B'.repacked A'.outs) (n := B'.ins.total) (by simp [repacked, length_cols wB]) x, apply_repacked,
    ← pack_eval wA]
  have q0 : ∀ n ∈ identityDims A B, B'.ins.unpack (x % 2 ^ B'.ins.total) n = 0 := by
    intro n hn
    have := unpack_lt B'.ins (x % 2 ^ B'.ins.total) n
    rw [bB n hn] at this
    omega
  have ev : B'.outs.unpack (F2.apply B'.cols (x % 2 ^ B'.ins.total)) = B'.eval (B'.ins.unpack (x % 2 ^ B'.ins.total)) := by
    rw [eval, pack_unpack (distinct_ins wB) lt]
  rw [ev, eB, eval_zero_on hB q0, ← h, eA]
  generalize B'.ins.unpack (x % 2 ^ B'.ins.total) = q at *
  congr 1
  rw [eval_split hA (identityDims A B) (g q)]
  funext n
  rw [xorPoints, identity_needs_nothing hA hB q0 (by rw [restrict_of_fits hn]; exact h q) n, Nat.zero_xor]

/-- **For outputs of the same names, none larger in B than in A, `invertAndCompose` answers exactly where some linear layout C
from the inputs of B to those of A has `A after C = B`.**
Source: Triton `invertAndCompose`; stated otherwise: Triton aborts where there is none -/
theorem invertAndCompose_isSome_iff {A B : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true)
    (hn : fitsNames B.outs A.outs = true) : (invertAndCompose B A).isSome = true ↔
      ∃ C : LinearLayout, C.wellFormed = true ∧ C.ins = B.ins ∧ C.outs = A.ins ∧ ∀ p, A.eval (C.eval p) = B.eval p := by
  constructor
  · intro h
    obtain ⟨C, e⟩ := Option.isSome_iff_exists.1 h
    obtain ⟨w, i, o⟩ := invertAndCompose_dims hA hB e
    exact ⟨C, w, i, o, eval_invertAndCompose hA hB e⟩
  · rintro ⟨C, _, _, _, h⟩
    exact invertAndCompose_isSome_of hA hB hn C.eval_xor h

end LinearLayout

end Razorgirl
