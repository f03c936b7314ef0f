module

public import Razorgirl.Spec.Layout.Basic
public import Razorgirl.Thm.Coord

@[expose] public section

/-!
# Flat layouts: what is proved

Size, offsets, cosize and concatenation of lists of modes. Injectivity and contiguity are in `Basic/Injective`, the
nested view in `Basic/Nested`.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Recursion, step by step -/

theorem shape_nil : shape [] = [] := rfl

theorem shape_cons (m : Mode) (L : FlatLayout) : shape (m :: L) = m.extent :: shape L := rfl

theorem shape_append (A B : FlatLayout) : shape (A ++ B) = shape A ++ shape B := by simp [shape]

theorem length_shape (L : FlatLayout) : (shape L).length = L.length := by simp [shape]

theorem strides_cons (m : Mode) (L : FlatLayout) : strides (m :: L) = m.stride :: strides L := rfl

theorem strides_append (A B : FlatLayout) : strides (A ++ B) = strides A ++ strides B := by simp [strides]

theorem size_nil : size [] = 1 := rfl

theorem size_cons (m : Mode) (L : FlatLayout) : size (m :: L) = m.extent * size L := rfl

/-- **The size of a concatenation is the product of the sizes.**
Rust: `razorgirl::Layout::concat`
Source: Categorical Foundations 2.1.2; CuTe `make_layout`, `size`. -/
theorem size_append (A B : FlatLayout) : size (A ++ B) = size A * size B := by
  simp [size, shape_append, prod_append]

theorem valid_nil : Valid [] := trivial

theorem valid_cons_iff (m : Mode) (L : FlatLayout) : Valid (m :: L) ↔ 0 < m.extent ∧ Valid L := Iff.rfl

/-- Whether every extent is at least 1 can be decided. -/
def Valid.decide : (L : FlatLayout) → Decidable (Valid L)
  | [] => isTrue trivial
  | m :: L => match Valid.decide L with
    | isTrue h => if h' : 0 < m.extent then isTrue ⟨h', h⟩ else isFalse (fun h'' => h' h''.1)
    | isFalse h => isFalse (fun h'' => h h''.2)

instance (L : FlatLayout) : Decidable (Valid L) := Valid.decide L

theorem valid_iff_forall (L : FlatLayout) : Valid L ↔ ∀ m ∈ L, 0 < m.extent := by
  induction L with
  | nil => simp [Valid]
  | cons m L ih => simp [Valid, ih]

theorem valid_append_iff (A B : FlatLayout) : Valid (A ++ B) ↔ Valid A ∧ Valid B := by
  induction A with
  | nil => simp [Valid]
  | cons m A ih => simp [Valid, ih, and_assoc]

theorem valid_iff_size_pos (L : FlatLayout) : Valid L ↔ 0 < size L := by
  induction L with
  | nil => simp [Valid, size_nil]
  | cons m L ih =>
    rw [Valid, ih, size_cons]
    exact ⟨fun h => Nat.mul_pos h.1 h.2, fun h => ⟨Nat.pos_of_mul_pos_right h, Nat.pos_of_mul_pos_left h⟩⟩

theorem Valid.size_pos {L : FlatLayout} (h : Valid L) : 0 < size L := (valid_iff_size_pos L).1 h

theorem valid_of_lt_size {L : FlatLayout} {x : Nat} (h : x < size L) : Valid L :=
  (valid_iff_size_pos L).2 (by omega)

theorem eval_nil (c : List Nat) : eval [] c = 0 := by cases c <;> rfl

theorem eval_nil_right (L : FlatLayout) : eval L [] = 0 := by cases L <;> rfl

theorem eval_cons (m : Mode) (L : FlatLayout) (c : Nat) (cs : List Nat) :
    eval (m :: L) (c :: cs) = c * m.stride + eval L cs := rfl

theorem atIndex_nil (x : Nat) : atIndex [] x = 0 := rfl

/-- The offset of a linear index is the remainder by the first extent times the first stride, plus the offset
of the quotient in the remaining modes. -/
theorem atIndex_cons (m : Mode) (L : FlatLayout) (x : Nat) :
    atIndex (m :: L) x = x % m.extent * m.stride + atIndex L (x / m.extent) := rfl

theorem atIndex_singleton (m : Mode) (x : Nat) : atIndex [m] x = x % m.extent * m.stride := rfl

theorem atIndex_zero (L : FlatLayout) : atIndex L 0 = 0 := by
  induction L with
  | nil => rfl
  | cons m L ih => simp [atIndex_cons, ih]

theorem eval_append {A : FlatLayout} {c : List Nat} (h : c.length = A.length) (B : FlatLayout)
    (d : List Nat) : eval (A ++ B) (c ++ d) = eval A c + eval B d := by
  induction A generalizing c with
  | nil =>
    cases c with
    | nil => simp [eval_nil]
    | cons c cs => simp at h
  | cons m A ih =>
    cases c with
    | nil => simp at h
    | cons c cs =>
      simp only [List.cons_append, eval_cons, ih (c := cs) (by simpa using h)]
      omega

theorem eval_replicate_zero (L : FlatLayout) (n : Nat) : eval L (List.replicate n 0) = 0 := by
  induction L generalizing n with
  | nil => exact eval_nil _
  | cons m L ih => cases n <;> simp [eval_nil_right, eval_cons, List.replicate_succ, ih]

/-- The offset of the coordinate of a linear index is the offset of that index. -/
theorem eval_idx2crd (L : FlatLayout) (x : Nat) : eval L (idx2crd (shape L) x) = atIndex L x := rfl

/-- **The offset of the linear index of a coordinate is the offset of that coordinate.**
Rust: `razorgirl::Layout::at_flat`
Source: Villa Straylight I.4; Categorical Foundations 2.1.2; CuTe `L(i)`. -/
theorem atIndex_crd2idx {L : FlatLayout} {c : List Nat} (h : InBounds (shape L) c) :
    atIndex L (crd2idx (shape L) c) = eval L c := by
  rw [atIndex, idx2crd_crd2idx h]

theorem atIndex_mod_size (L : FlatLayout) (x : Nat) : atIndex L (x % size L) = atIndex L x := by
  rw [atIndex, size, idx2crd_mod, atIndex]

/-- **The offset in a concatenation is the offset of the remainder in the first layout plus that of the quotient
in the second.**
Rust: `razorgirl::Layout::concat`
Source: Categorical Foundations 2.1.2; CuTe `make_layout`. -/
theorem atIndex_append (A B : FlatLayout) (x : Nat) :
    atIndex (A ++ B) x = atIndex A (x % size A) + atIndex B (x / size A) := by
  rw [atIndex, shape_append, idx2crd_append, eval_append (by rw [length_idx2crd, length_shape])]
  rfl

theorem atIndex_append_add {A : FlatLayout} {x : Nat} (hx : x < size A) (B : FlatLayout) (y : Nat) :
    atIndex (A ++ B) (x + size A * y) = atIndex A x + atIndex B y := by
  rw [atIndex_append, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hx,
    Nat.add_mul_div_left _ _ (by omega), Nat.div_eq_of_lt hx, Nat.zero_add]

/-! ## The list of offsets -/

theorem length_offsets (L : FlatLayout) : (offsets L).length = size L := by simp [offsets]

theorem mem_offsets (L : FlatLayout) (o : Nat) : o ∈ offsets L ↔ ∃ x, x < size L ∧ atIndex L x = o := by
  simp [offsets]

theorem offsets_eq_map_eval_coords (L : FlatLayout) : offsets L = (coords (shape L)).map (eval L) := by
  simp [offsets, coords, size, atIndex]

theorem mem_offsets_iff_eval (L : FlatLayout) (o : Nat) :
    o ∈ offsets L ↔ ∃ c, InBounds (shape L) c ∧ eval L c = o := by
  simp [offsets_eq_map_eval_coords, mem_coords]

/-- **Two layouts have the same list of offsets exactly when they have the same size and the same function on
linear indices.**
Rust: `razorgirl::Layout::offsets`
Source: Categorical Foundations 2.1.2. -/
theorem offsets_eq_iff (A B : FlatLayout) :
    offsets A = offsets B ↔ size A = size B ∧ ∀ x, x < size A → atIndex A x = atIndex B x := by
  constructor
  · intro h
    have hs : size A = size B := by rw [← length_offsets, h, length_offsets]
    refine ⟨hs, fun x hx => ?_⟩
    rw [offsets, offsets, ← hs, List.map_inj_left] at h
    exact h x (by simpa using hx)
  · intro ⟨hs, h⟩
    rw [offsets, offsets, ← hs, List.map_inj_left]
    exact fun x hx => h x (by simpa using hx)

/-! ## Cosize -/

theorem le_maximum {l : List Nat} {x : Nat} (h : x ∈ l) : x ≤ maximum l := by
  induction l with
  | nil => simp at h
  | cons y l ih =>
    simp only [maximum]
    rcases List.mem_cons.1 h with rfl | h
    · omega
    · have := ih h
      omega

theorem maximum_le {l : List Nat} {n : Nat} (h : ∀ x ∈ l, x ≤ n) : maximum l ≤ n := by
  induction l with
  | nil => simp [maximum]
  | cons y l ih =>
    have h1 := h y (by simp)
    have h2 := ih (fun x hx => h x (by simp [hx]))
    simp only [maximum]
    omega

theorem maximum_mem {l : List Nat} (h : l ≠ []) : maximum l ∈ l := by
  induction l with
  | nil => exact absurd rfl h
  | cons y l ih =>
    simp only [maximum]
    by_cases hl : l = []
    · simp [hl, maximum]
    · have := ih hl
      rcases Nat.le_total y (maximum l) with h | h
      · rw [Nat.max_eq_right h]
        exact List.mem_cons_of_mem _ this
      · rw [Nat.max_eq_left h]
        simp

theorem cosize_eq_offsets (L : FlatLayout) : cosize L = 1 + maximum (offsets L) := by
  rw [cosize, offsets_eq_map_eval_coords]

theorem cosize_pos (L : FlatLayout) : 0 < cosize L := by
  rw [cosize]
  omega

/-- **Every offset of a coordinate in the shape is below the cosize.**
Rust: `razorgirl::Layout::cosize`
Source: Villa Straylight I.2; CuTe `cosize`. -/
theorem eval_lt_cosize {L : FlatLayout} {c : List Nat} (h : InBounds (shape L) c) :
    eval L c < cosize L := by
  have := le_maximum ((mem_offsets_iff_eval L (eval L c)).2 ⟨c, h, rfl⟩)
  rw [cosize_eq_offsets]
  omega

/-- **Every offset of a linear index below the size is below the cosize.**
Rust: `razorgirl::Layout::cosize`
Source: Villa Straylight I.2; CuTe `cosize`. -/
theorem atIndex_lt_cosize {L : FlatLayout} {x : Nat} (h : x < size L) : atIndex L x < cosize L :=
  eval_lt_cosize (inBounds_idx2crd_of_lt h)

theorem cosizeFormula_pos (L : FlatLayout) : 0 < cosizeFormula L := by
  induction L with
  | nil => simp [cosizeFormula]
  | cons m L ih =>
    rw [cosizeFormula]
    omega

theorem eval_lt_cosizeFormula : {L : FlatLayout} → {c : List Nat} → InBounds (shape L) c →
    eval L c < cosizeFormula L
  | [], c, _ => by simp [eval_nil, cosizeFormula]
  | _ :: _, [], h => h.elim
  | m :: L, c :: cs, h => by
    have h1 : c ≤ m.extent - 1 := by
      have := h.1
      omega
    have h2 := Nat.mul_le_mul_right m.stride h1
    have h3 := eval_lt_cosizeFormula (L := L) h.2
    rw [eval_cons, cosizeFormula]
    omega

theorem inBounds_lastCoord {L : FlatLayout} (h : Valid L) : InBounds (shape L) (lastCoord L) := by
  induction L with
  | nil => trivial
  | cons m L ih =>
    have := h.1
    exact ⟨show m.extent - 1 < m.extent by omega, ih h.2⟩

theorem eval_lastCoord_succ (L : FlatLayout) : eval L (lastCoord L) + 1 = cosizeFormula L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    have : lastCoord (m :: L) = (m.extent - 1) :: lastCoord L := rfl
    rw [this, eval_cons, cosizeFormula, ← ih]
    omega

/-- **The cosize, one more than the largest offset, is one more than the sum of (extent - 1) times stride.**
Rust: `razorgirl::Layout::cosize`
Source: Villa Straylight I.2; Categorical Foundations 2.1.2; CuTe `cosize`. -/
theorem cosize_eq_formula {L : FlatLayout} (h : Valid L) : cosize L = cosizeFormula L := by
  have h1 := eval_lt_cosize (inBounds_lastCoord h)
  have h2 := eval_lastCoord_succ L
  have h3 : maximum (offsets L) ≤ cosizeFormula L - 1 := maximum_le (fun o ho => by
    obtain ⟨c, hc, rfl⟩ := (mem_offsets_iff_eval L o).1 ho
    have := eval_lt_cosizeFormula hc
    omega)
  rw [cosize_eq_offsets] at h1 ⊢
  omega

/-- **The last coordinate has the largest offset.**
Rust: `razorgirl::Layout::cosize`
Source: Villa Straylight I.2. -/
theorem eval_lastCoord {L : FlatLayout} (h : Valid L) : eval L (lastCoord L) + 1 = cosize L := by
  rw [eval_lastCoord_succ, cosize_eq_formula h]

/-- **The cosize is one more than the largest offset over all linear indices: no offset reaches it, and the
one below it occurs.**
Rust: `razorgirl::Layout::cosize`
Source: Villa Straylight I.2; CuTe `cosize`. -/
theorem cosize_is_maximum {L : FlatLayout} (h : Valid L) :
    (∀ x, x < size L → atIndex L x < cosize L) ∧ ∃ x, x < size L ∧ atIndex L x + 1 = cosize L := by
  refine ⟨fun x hx => atIndex_lt_cosize hx, crd2idx (shape L) (lastCoord L),
    crd2idx_lt (inBounds_lastCoord h), ?_⟩
  rw [atIndex_crd2idx (inBounds_lastCoord h), eval_lastCoord h]

theorem cosize_nil : cosize [] = 1 := rfl

theorem cosize_cons {m : Mode} {L : FlatLayout} (h : Valid (m :: L)) :
    cosize (m :: L) = (m.extent - 1) * m.stride + cosize L := by
  rw [cosize_eq_formula h, cosize_eq_formula h.2, cosizeFormula]

theorem cosizeFormula_append (A B : FlatLayout) :
    cosizeFormula (A ++ B) + 1 = cosizeFormula A + cosizeFormula B := by
  induction A with
  | nil => simp [cosizeFormula, Nat.add_comm]
  | cons m A ih =>
    simp only [List.cons_append, cosizeFormula]
    omega

/-- **The cosize of a concatenation is the sum of the cosizes less one.**
Rust: `razorgirl::Layout::concat`
Source: Categorical Foundations 2.1.2; CuTe `make_layout`, `cosize`. -/
theorem cosize_append {A B : FlatLayout} (hA : Valid A) (hB : Valid B) :
    cosize (A ++ B) + 1 = cosize A + cosize B := by
  rw [cosize_eq_formula ((valid_append_iff A B).2 ⟨hA, hB⟩), cosize_eq_formula hA, cosize_eq_formula hB,
    cosizeFormula_append]

theorem cosize_eq_of_offsets_eq {A B : FlatLayout} (h : offsets A = offsets B) : cosize A = cosize B := by
  rw [cosize_eq_offsets, h, cosize_eq_offsets]

end FlatLayout

end Razorgirl
