module

public import Razorgirl.Spec.LinearLayout.Dims
public import Razorgirl.Thm.LinearLayout.Basic

@[expose] public section

/-!
# Rearranging dimensions: what is proved

What each rearrangement is as a function of points: a transposition and a rename change nothing, a reshape keeps the
packed point, a sublayout sets the other inputs to 0.
-/

namespace Razorgirl

namespace LinearLayout

open F2

theorem elem_iff {l : List String} {n : String} : l.elem n = true ↔ n ∈ l := by simp

theorem has_iff_names (D : Dims) (n : String) : D.has n = true ↔ n ∈ D.names := by
  induction D with
  | nil => simp [Dims.has, Dims.names]
  | cons d D ih =>
    simp only [Dims.has, Bool.or_eq_true, beq_iff_eq, ih, Dims.names, List.map_cons, List.mem_cons]
    exact or_congr_left eq_comm

theorem bits_inOrder (D : Dims) (names : List String) (n : String) :
    (D.inOrder names).bits n = if n ∈ names then D.bits n else 0 := by
  induction names with
  | nil => rfl
  | cons m names ih =>
    simp only [Dims.inOrder, List.map_cons, Dims.bits, List.mem_cons] at ih ⊢
    by_cases h : m = n
    · subst h; simp
    · rw [if_neg h, ih]
      simp [show ¬ n = m from fun e => h e.symm]

theorem bits_only (D : Dims) (names : List String) (n : String) :
    (D.only names).bits n = if n ∈ names then D.bits n else 0 := by
  induction D with
  | nil => simp [Dims.only, Dims.bits]
  | cons d D ih =>
    simp only [Dims.only, List.filter_cons, List.elem_eq_mem, decide_eq_true_eq] at ih ⊢
    by_cases h : d.1 ∈ names
    · rw [if_pos h]
      simp only [Dims.bits, ih]
      by_cases e : d.1 = n
      · subst e; simp [h]
      · simp [e]
    · rw [if_neg h, ih]
      by_cases e : d.1 = n
      · subst e; simp [h]
      · simp [Dims.bits, e]

theorem bits_without (D : Dims) (names : List String) (n : String) :
    (D.without names).bits n = if n ∈ names then 0 else D.bits n := by
  induction D with
  | nil => simp [Dims.without, Dims.bits]
  | cons d D ih =>
    simp only [Dims.without, List.filter_cons, List.elem_eq_mem, Bool.not_eq_true', decide_eq_false_iff_not] at ih ⊢
    by_cases h : d.1 ∈ names
    · rw [if_neg (by simpa using h), ih]
      by_cases e : d.1 = n
      · subst e; simp [h]
      · simp [Dims.bits, e]
    · rw [if_pos h]
      simp only [Dims.bits, ih]
      by_cases e : d.1 = n
      · subst e; simp [h]
      · simp [e]

theorem has_filter (D : Dims) (p : String × Nat → Bool) (n : String) (h : D.has n = false) :
    Dims.has (D.filter p) n = false := by
  induction D with
  | nil => rfl
  | cons d D ih =>
    simp only [Dims.has, Bool.or_eq_false_iff] at h
    simp only [List.filter_cons]
    split
    · simp only [Dims.has, h.1, ih h.2, Bool.or_self]
    · exact ih h.2

theorem distinct_filter {D : Dims} (h : D.distinct = true) (p : String × Nat → Bool) :
    Dims.distinct (D.filter p) = true := by
  induction D with
  | nil => rfl
  | cons d D ih =>
    simp only [Dims.distinct, Bool.and_eq_true, Bool.not_eq_true'] at h
    simp only [List.filter_cons]
    split
    · simp only [Dims.distinct, Bool.and_eq_true, Bool.not_eq_true']
      exact ⟨has_filter D p _ h.1, ih h.2⟩
    · exact ih h.2

theorem restrict_restrict (D E : Dims) (p : Point) (n : String) :
    restrict D (restrict E p) n = p n % 2 ^ min (D.bits n) (E.bits n) := by
  rw [restrict, restrict]
  rcases Nat.le_total (D.bits n) (E.bits n) with h | h
  · rw [Nat.min_eq_left h, Nat.mod_mod_of_dvd _ (Nat.pow_dvd_pow 2 h)]
  · rw [Nat.min_eq_right h]
    exact Nat.mod_eq_of_lt (Nat.lt_of_lt_of_le (Nat.mod_lt _ (Nat.two_pow_pos _)) (Nat.pow_le_pow_right (by omega) h))

/-! ## Transposition -/

/-- **Input dimensions in another order are the same function, where every one of them is kept.**
Source: Triton `LinearLayout::transposeIns` -/
theorem eval_transposeIns {L : LinearLayout} (hL : L.wellFormed = true) {names : List String}
    (h : ∀ n, L.ins.has n = true → n ∈ names) (p : Point) : (L.transposeIns names).eval p = L.eval p := by
  rw [transposeIns, eval_ofEval L.eval_xor, restrict_eval]
  apply eval_congr (distinct_ins hL)
  intro n
  rw [restrict_restrict, bits_inOrder, restrict]
  split
  · rw [Nat.min_self]
  · rename_i q
    cases e : L.ins.has n
    · rw [bits_of_not_has e, Nat.min_self]
    · exact absurd (h n e) q

/-- **Output dimensions in another order give the same coordinates by name; a name that is left out gets 0.**
Source: Triton `LinearLayout::transposeOuts` -/
theorem eval_transposeOuts {L : LinearLayout} (hL : L.wellFormed = true) (names : List String) (p : Point) (n : String) :
    (L.transposeOuts names).eval p n = if n ∈ names then L.eval p n else 0 := by
  have e : L.eval (restrict L.ins p) = L.eval p := by
    apply eval_congr (distinct_ins hL)
    intro n
    rw [restrict_restrict, Nat.min_self, restrict]
  rw [transposeOuts, eval_ofEval L.eval_xor, e, restrict, bits_inOrder]
  split
  · exact Nat.mod_eq_of_lt (L.eval_lt p n)
  · rw [Nat.pow_zero, Nat.mod_one]

/-! ## Reshape -/

/-- **Reshaping both sides keeps the function of packed points.**
Source: Triton `LinearLayout::reshapeIns`, `reshapeOuts` -/
theorem pack_reshape {L : LinearLayout} (hL : L.wellFormed = true) {I O : Dims} (hI : I.total = L.ins.total)
    (hO : O.distinct = true) (hOt : O.total = L.outs.total) (p q : Point) (h : I.pack p = L.ins.pack q) :
    O.pack (((L.reshapeIns I).reshapeOuts O).eval p) = L.outs.pack (L.eval q) := by
  have _ := hI
  rw [pack_eval hL, ← h]
  show O.pack (O.unpack (F2.apply L.cols (I.pack p))) = _
  rw [pack_unpack hO (by rw [hOt]; exact apply_lt (cols_lt hL) _)]

theorem total_flattenDims (D : Dims) : (flattenDims D).total = D.total := by
  cases D with
  | nil => rfl
  | cons d D => simp [flattenDims, Dims.total]

/-- **A flattened layout takes the packed input to the packed output.**
Source: Triton `LinearLayout::flattenIns`, `flattenOuts` -/
theorem flatten_applyPacked (L : LinearLayout) (x : Nat) : L.flattenIns.flattenOuts.applyPacked x = L.applyPacked x := rfl

/-! ## Sublayout and quotient -/

/-- **A sublayout is the layout with all other inputs 0, seen in the kept outputs.**
Source: Triton `LinearLayout::sublayout` -/
theorem eval_sublayout {L : LinearLayout} (hL : L.wellFormed = true) (ins outs : List String) (p : Point) (n : String) :
    (L.sublayout ins outs).eval p n = if n ∈ outs then L.eval (onlyAt ins p) n else 0 := by
  have e : L.eval (restrict (L.ins.only ins) p) = L.eval (onlyAt ins p) := by
    apply eval_congr (distinct_ins hL)
    intro n
    rw [restrict_restrict, bits_only, restrict, onlyAt]
    split
    · rw [Nat.min_self]
    · rw [Nat.min_zero, Nat.pow_zero, Nat.mod_one, Nat.zero_mod]
  rw [sublayout, eval_ofEval L.eval_xor, e, restrict, bits_only]
  split
  · exact Nat.mod_eq_of_lt (L.eval_lt _ n)
  · rw [Nat.pow_zero, Nat.mod_one]

/-- **An input dimension of another size is the same function, the coordinate taken modulo the smaller size.**
Source: Triton `LinearLayout::resizeInDim` -/
theorem eval_resizeIn {L : LinearLayout} (d : String) (k : Nat) (p : Point) :
    (L.resizeIn d k).eval p = L.eval (restrict (resizeDims L.ins d k) p) := by
  rw [resizeIn, eval_ofEval L.eval_xor, restrict_eval]

theorem bits_append (D E : Dims) (n : String) : Dims.bits (D ++ E) n = if D.has n then D.bits n else E.bits n := by
  induction D with
  | nil => simp [Dims.has]
  | cons d D ih =>
    simp only [List.cons_append, Dims.bits, Dims.has, Bool.or_eq_true, beq_iff_eq, ih]
    by_cases h : d.1 = n <;> simp [h]

/-- **Outputs side by side: each name has the coordinate of the layout that has the name.**
Source: Triton `LinearLayout::concatOuts` -/
theorem eval_concatOuts {A B : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true) (hi : A.ins = B.ins)
    (hd : ∀ n, A.outs.has n = true → B.outs.has n = false) (p : Point) (n : String) :
    (A.concatOuts B).eval p n = if A.outs.has n then A.eval p n else B.eval p n := by
  have lin : LinearPoints fun p n => A.eval p n ^^^ B.eval p n := by
    intro p q n
    simp only [A.eval_xor p q n, B.eval_xor p q n]
    ac_rfl
  have e : ∀ {L : LinearLayout}, L.wellFormed = true → L.eval (restrict L.ins p) = L.eval p := by
    intro L hL
    apply eval_congr (distinct_ins hL)
    intro n
    rw [restrict_restrict, Nat.min_self, restrict]
  rw [concatOuts, eval_ofEval lin]
  simp only [restrict, bits_append]
  have eA := congrFun (e hA) n
  have eB := congrFun (e hB) n
  rw [← hi] at eB
  show (A.eval (restrict A.ins p) n ^^^ B.eval (restrict A.ins p) n) % _ = _
  rw [show A.eval (restrict A.ins p) n = A.eval p n from eA, show B.eval (restrict A.ins p) n = B.eval p n from eB]
  cases h : A.outs.has n
  · rw [eval_of_bits_zero (bits_of_not_has h), Nat.zero_xor]
    exact Nat.mod_eq_of_lt (B.eval_lt p n)
  · rw [eval_of_bits_zero (L := B) (bits_of_not_has (hd n h)), Nat.xor_zero]
    exact Nat.mod_eq_of_lt (A.eval_lt p n)

theorem unpack_zero (D : Dims) (n : String) : D.unpack 0 n = 0 := by
  induction D with
  | nil => rfl
  | cons d D ih => simp [Dims.unpack, ih]

theorem pack_zero (D : Dims) : D.pack (fun _ => 0) = 0 := by
  induction D with
  | nil => rfl
  | cons d D ih => simp [Dims.pack, ih]

theorem allZero_iff (cs : List Nat) : allZero cs = true ↔ ∀ c ∈ cs, c = 0 := by
  induction cs with
  | nil => simp [allZero]
  | cons c cs ih => simp [allZero, ih]

theorem apply_of_allZero {cs : List Nat} (h : allZero cs = true) (x : Nat) : F2.apply cs x = 0 := by
  rw [allZero_iff] at h
  rw [show cs = cs.map (fun _ => 0) from (List.map_id cs).symm.trans (List.map_congr_left h)]
  exact F2.apply_map (g := fun _ => 0) (fun _ _ => by simp) cs x

/-- **`sublayoutIsZero` holds exactly where these inputs, the others being 0, give 0 in these outputs.**
Source: Triton `LinearLayout::sublayoutIsZero` -/
theorem sublayoutIsZero_iff {L : LinearLayout} (hL : L.wellFormed = true) (ins outs : List String) :
    L.sublayoutIsZero ins outs = true ↔ ∀ p n, n ∈ outs → L.eval (onlyAt ins p) n = 0 := by
  have w : (L.sublayout ins outs).wellFormed = true :=
    wellFormed_ofEval (distinct_filter (distinct_ins hL) _) (distinct_filter (distinct_outs hL) _) _
  constructor
  · intro h p n hn
    have := eval_sublayout hL ins outs p n
    rw [if_pos hn] at this
    rw [← this, eval, apply_of_allZero h]
    exact unpack_zero _ _
  · intro h
    rw [sublayoutIsZero, allZero_iff]
    intro c hc
    obtain ⟨i, hi, rfl⟩ := List.getElem_of_mem hc
    have hx : 2 ^ i < 2 ^ (L.sublayout ins outs).ins.total :=
      (Nat.pow_lt_pow_iff_right (by omega)).2 (by rw [← length_cols w]; exact hi)
    have a := pack_eval w ((L.sublayout ins outs).ins.unpack (2 ^ i))
    rw [pack_unpack (distinct_ins w) hx, apply_two_pow, List.getD_eq_getElem?_getD, List.getElem?_eq_getElem hi,
      Option.getD_some] at a
    rw [← a]
    have z : (L.sublayout ins outs).eval ((L.sublayout ins outs).ins.unpack (2 ^ i)) = fun _ => 0 := by
      funext n
      rw [eval_sublayout hL]
      split
      · rename_i q; exact h _ n q
      · rfl
    rw [z, pack_zero]

theorem sameNames_iff (D E : Dims) : D.sameNames E = true ↔ ∀ n, n ∈ D.names ↔ n ∈ E.names := by
  simp only [Dims.sameNames, Bool.and_eq_true, List.all_eq_true, has_iff_names]
  constructor
  · intro ⟨h1, h2⟩ n
    constructor
    · intro h
      obtain ⟨d, hd, rfl⟩ := List.mem_map.1 h
      exact h1 d hd
    · intro h
      obtain ⟨d, hd, rfl⟩ := List.mem_map.1 h
      exact h2 d hd
  · intro h
    exact ⟨fun d hd => (h d.1).1 (List.mem_map.2 ⟨d, hd, rfl⟩), fun d hd => (h d.1).2 (List.mem_map.2 ⟨d, hd, rfl⟩)⟩

/-- **A point that is given as coordinates has an image exactly where it names each input dimension once and nothing else;
the image has each output dimension, with the value that `eval` gives.**
Rust: `razorgirl::LinearLayout::apply`
Source: Triton `LinearLayout::apply` -/
theorem applyTo_eq_some_iff (L : LinearLayout) (coords image : List (String × Nat)) :
    L.applyTo coords = some image ↔
      Dims.distinct coords = true ∧ (∀ n, n ∈ L.ins.names ↔ n ∈ Dims.names coords) ∧
        image = L.outs.map fun d => (d.1, L.eval (fun n => Dims.bits coords n) d.1) := by
  rw [← sameNames_iff, applyTo, ← and_assoc, ← Bool.and_eq_true]
  by_cases c : (Dims.distinct coords && L.ins.sameNames coords) = true
  · rw [if_pos c]
    exact ⟨fun e => ⟨c, (Option.some.inj e).symm⟩, fun e => congrArg some e.2.symm⟩
  · rw [if_neg c]
    exact ⟨fun e => absurd e (by simp), fun e => absurd e.1 c⟩

/-- **A coordinate of a dimension that the layout has not is refused, not dropped.**
Rust: `razorgirl::LinearLayout::apply`
Source: Triton `LinearLayout::apply` -/
theorem applyTo_unknown {L : LinearLayout} {coords : List (String × Nat)} {n : String} (h : n ∈ Dims.names coords)
    (hn : n ∉ L.ins.names) : L.applyTo coords = none := by
  cases e : L.applyTo coords with
  | none => rfl
  | some image => exact absurd (((applyTo_eq_some_iff L coords image).1 e).2.1 n |>.2 h) hn

end LinearLayout

end Razorgirl
