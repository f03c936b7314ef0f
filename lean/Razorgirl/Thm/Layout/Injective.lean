module

public import Razorgirl.Spec.Layout.Compact
public import Razorgirl.Spec.Layout.Injective
public import Razorgirl.Thm.Layout.Basic

@[expose] public section

/-!
# Injective and contiguous layouts; modes of extent 1: what is proved

Both properties depend only on the list of offsets, so everything that keeps the list keeps them: setting the
strides of modes of extent 1 to 0, or dropping these modes.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Injective -/

/-- **No two coordinates share an offset exactly when no two linear indices below the size do.**
Rust: `razorgirl::Layout::injectivity`
Source: Villa Straylight I.3; Categorical Foundations 2.1.5. -/
theorem injective_iff_atIndex (L : FlatLayout) :
    Injective L ↔ ∀ x y, x < size L → y < size L → atIndex L x = atIndex L y → x = y := by
  constructor
  · intro h x y hx hy e
    exact idx2crd_injective hx hy
      (h _ _ (inBounds_idx2crd_of_lt hx) (inBounds_idx2crd_of_lt hy) e)
  · intro h c d hc hd e
    refine crd2idx_injective hc hd (h _ _ (crd2idx_lt hc) (crd2idx_lt hd) ?_)
    rw [atIndex_crd2idx hc, atIndex_crd2idx hd, e]

theorem occurs_iff_mem (x : Nat) (l : List Nat) : occurs x l = true ↔ x ∈ l := by
  induction l with
  | nil => simp [occurs]
  | cons y l ih => simp [occurs, ih]

theorem distinct_iff_nodup (l : List Nat) : distinct l = true ↔ l.Nodup := by
  induction l with
  | nil => simp [distinct]
  | cons x l ih =>
    rw [distinct, List.nodup_cons, Bool.and_eq_true, ih, Bool.not_eq_true', ← Bool.not_eq_true,
      occurs_iff_mem]

theorem injective_iff_nodup (L : FlatLayout) : Injective L ↔ (offsets L).Nodup := by
  rw [injective_iff_atIndex, offsets, nodup_map_iff _ _ List.nodup_range]
  simp only [List.mem_range]
  exact ⟨fun h x hx y hy => h x y hx hy, fun h x y hx hy => h x hx y hy⟩

/-- **Listing the offsets and looking for a repetition decides injectivity.**
Rust: `razorgirl::Layout::injectivity`
Source: Villa Straylight I.3. -/
theorem isInjective_iff (L : FlatLayout) : isInjective L = true ↔ Injective L := by
  rw [isInjective, distinct_iff_nodup, injective_iff_nodup]

instance (L : FlatLayout) : Decidable (Injective L) := decidable_of_iff _ (isInjective_iff L)

/-- **An injective layout reaches at least as far as it has coordinates.**
Rust: `razorgirl::Layout::injectivity`
Source: Villa Straylight I.3. -/
theorem size_le_cosize {L : FlatLayout} (h : Injective L) : size L ≤ cosize L := by
  rw [← length_offsets L]
  refine length_le_of_nodup_of_lt ((injective_iff_nodup L).1 h) fun o ho => ?_
  obtain ⟨x, hx, rfl⟩ := (mem_offsets L o).1 ho
  exact atIndex_lt_cosize hx

/-- **If a concatenation is injective, so is its first part.**
Rust: `razorgirl::Layout::injectivity`
Source: Categorical Foundations 2.1.6. -/
theorem injective_of_append_left {A B : FlatLayout} (hB : Valid B) (h : Injective (A ++ B)) :
    Injective A := by
  rw [injective_iff_atIndex] at h ⊢
  intro x y hx hy e
  have hp := hB.size_pos
  have hlt : ∀ z, z < size A → z < size (A ++ B) := fun z hz => by
    rw [size_append]
    exact Nat.lt_of_lt_of_le hz (Nat.le_mul_of_pos_right _ hp)
  refine h x y (hlt x hx) (hlt y hy) ?_
  have h1 := atIndex_append_add hx B 0
  have h2 := atIndex_append_add hy B 0
  simp only [Nat.mul_zero, Nat.add_zero] at h1 h2
  rw [h1, h2, e]

/-- **If a concatenation is injective, so is its second part.**
Rust: `razorgirl::Layout::injectivity`
Source: Categorical Foundations 2.1.6. -/
theorem injective_of_append_right {A B : FlatLayout} (hA : Valid A) (h : Injective (A ++ B)) :
    Injective B := by
  rw [injective_iff_atIndex] at h ⊢
  intro x y hx hy e
  have hp := hA.size_pos
  have hlt : ∀ z, z < size B → 0 + size A * z < size (A ++ B) := fun z hz => by
    rw [size_append, Nat.zero_add]
    exact Nat.mul_lt_mul_of_pos_left hz hp
  have h1 := h (0 + size A * x) (0 + size A * y) (hlt x hx) (hlt y hy)
    (by rw [atIndex_append_add hp, atIndex_append_add hp, e])
  rw [Nat.zero_add, Nat.zero_add] at h1
  exact Nat.eq_of_mul_eq_mul_left hp h1

/-- **An injective layout has no broadcast: a mode with two or more coordinates has a stride of at least 1.**
Rust: `razorgirl::Layout::injectivity`
Source: Categorical Foundations 2.1.6. -/
theorem stride_pos_of_injective {L : FlatLayout} {m : Mode} (hL : Valid L) (h : Injective L) (hm : m ∈ L)
    (he : 1 < m.extent) : 0 < m.stride := by
  obtain ⟨A, B, rfl⟩ := List.append_of_mem hm
  have hv := (valid_append_iff A (m :: B)).1 hL
  have h1 := injective_of_append_right hv.1 h
  have h2 : Injective [m] := injective_of_append_left (A := [m]) hv.2.2 h1
  rw [injective_iff_atIndex] at h2
  have hs : size [m] = m.extent := by simp [size_cons, size_nil]
  rcases Nat.eq_zero_or_pos m.stride with h0 | h0
  · have := h2 0 1 (by omega) (by omega) (by simp [atIndex_singleton, h0])
    omega
  · exact h0

/-! ## Contiguous -/

theorem covers_iff_mem (L : FlatLayout) : Covers L ↔ ∀ o, o < cosize L → o ∈ offsets L := by
  simp only [Covers, mem_offsets_iff_eval]

theorem mem_range_of_mem_offsets {L : FlatLayout} {o : Nat} (h : o ∈ offsets L) :
    o ∈ List.range (cosize L) := by
  obtain ⟨x, hx, rfl⟩ := (mem_offsets L o).1 h
  simpa using atIndex_lt_cosize hx

/-- **A layout that hits every offset below its cosize has at least as many coordinates.**
Rust: `razorgirl::Layout::is_contiguous`
Source: Villa Straylight I.3. -/
theorem cosize_le_size {L : FlatLayout} (h : Covers L) : cosize L ≤ size L := by
  have := length_le_of_nodup_of_subset (l := List.range (cosize L)) (m := offsets L) List.nodup_range
    (fun o ho => (covers_iff_mem L).1 h o (by simpa using ho))
  simpa [length_offsets] using this

/-- **A layout is a bijection onto `[0, cosize)` exactly when it is injective and its cosize is its size.**
Rust: `razorgirl::Layout::is_contiguous`
Source: Villa Straylight I.3; Categorical Foundations 2.1.5. -/
theorem contiguous_iff_injective (L : FlatLayout) : Contiguous L ↔ Injective L ∧ cosize L = size L := by
  constructor
  · intro ⟨hi, hc⟩
    exact ⟨hi, Nat.le_antisymm (cosize_le_size hc) (size_le_cosize hi)⟩
  · intro ⟨hi, hs⟩
    refine ⟨hi, (covers_iff_mem L).2 ?_⟩
    exact mem_of_nodup_of_lt_of_length ((injective_iff_nodup L).1 hi)
      (fun o ho => by simpa using mem_range_of_mem_offsets ho) (by rw [length_offsets, hs])

/-- **A layout is a bijection onto `[0, cosize)` exactly when it hits every offset below its cosize and its cosize
is its size.**
Rust: `razorgirl::Layout::is_contiguous`
Source: Villa Straylight I.3; Categorical Foundations 2.1.5. -/
theorem contiguous_iff_covers (L : FlatLayout) : Contiguous L ↔ Covers L ∧ cosize L = size L := by
  constructor
  · intro h
    exact ⟨h.2, ((contiguous_iff_injective L).1 h).2⟩
  · intro ⟨hc, hs⟩
    refine ⟨(injective_iff_nodup L).2 (nodup_of_subset_of_length_le (m := List.range (cosize L))
      List.nodup_range (fun o ho => (covers_iff_mem L).1 hc o (by simpa using ho)) ?_), hc⟩
    rw [length_offsets, List.length_range, hs]
    exact Nat.le_refl _

theorem valid_of_contiguous {L : FlatLayout} (h : Contiguous L) : Valid L := by
  rw [valid_iff_size_pos, ← ((contiguous_iff_injective L).1 h).2]
  exact cosize_pos L

/-- **Comparing the cosize with the size and looking for a repeated offset decides contiguity.**
Rust: `razorgirl::Layout::is_contiguous`
Source: Villa Straylight I.3; Categorical Foundations 2.1.5. -/
theorem isContiguous_iff (L : FlatLayout) : isContiguous L = true ↔ Contiguous L := by
  rw [isContiguous, Bool.and_eq_true, beq_iff_eq, isInjective_iff]
  constructor
  · intro ⟨hs, hi⟩
    have hv : Valid L := (valid_iff_size_pos L).2 (by rw [← hs]; exact cosizeFormula_pos L)
    exact (contiguous_iff_injective L).2 ⟨hi, by rw [cosize_eq_formula hv, hs]⟩
  · intro h
    have hc := (contiguous_iff_injective L).1 h
    rw [← cosize_eq_formula (valid_of_contiguous h)]
    exact ⟨hc.2, hc.1⟩

instance (L : FlatLayout) : Decidable (Contiguous L) := decidable_of_iff _ (isContiguous_iff L)

/-- **A contiguous layout hits every offset below its size exactly once.**
Rust: `razorgirl::Layout::is_contiguous`
Source: Villa Straylight I.3; Categorical Foundations 2.1.5. -/
theorem exists_unique_of_contiguous {L : FlatLayout} (h : Contiguous L) {o : Nat} (ho : o < size L) :
    ∃ x, (x < size L ∧ atIndex L x = o) ∧ ∀ y, y < size L → atIndex L y = o → y = x := by
  have hs := ((contiguous_iff_injective L).1 h).2
  obtain ⟨x, hx, e⟩ := (mem_offsets L o).1 ((covers_iff_mem L).1 h.2 o (by omega))
  exact ⟨x, ⟨hx, e⟩, fun y hy e' => (injective_iff_atIndex L).1 h.1 y x hy hx (by rw [e, e'])⟩

/-- **A contiguous layout maps linear indices below its size to offsets below its size.**
Rust: `razorgirl::Layout::is_contiguous`
Source: Villa Straylight I.3; Categorical Foundations 2.1.5. -/
theorem atIndex_lt_size_of_contiguous {L : FlatLayout} (h : Contiguous L) {x : Nat} (hx : x < size L) :
    atIndex L x < size L := by
  rw [← ((contiguous_iff_injective L).1 h).2]
  exact atIndex_lt_cosize hx

/-! ## The offsets decide everything -/

theorem size_eq_of_offsets_eq {A B : FlatLayout} (h : offsets A = offsets B) : size A = size B :=
  ((offsets_eq_iff A B).1 h).1

/-- **Layouts with the same offsets in linear order are injective together.**
Rust: `razorgirl::Layout::injectivity`
Source: Categorical Foundations 2.1.5. -/
theorem injective_congr {A B : FlatLayout} (h : offsets A = offsets B) : Injective A ↔ Injective B := by
  rw [injective_iff_nodup, injective_iff_nodup, h]

/-- **Layouts with the same offsets in linear order are contiguous together.**
Rust: `razorgirl::Layout::is_contiguous`
Source: Categorical Foundations 2.1.5. -/
theorem contiguous_congr {A B : FlatLayout} (h : offsets A = offsets B) : Contiguous A ↔ Contiguous B := by
  rw [contiguous_iff_injective, contiguous_iff_injective, injective_congr h, cosize_eq_of_offsets_eq h,
    size_eq_of_offsets_eq h]

/-! ## Dropping modes of extent 1 -/

theorem squeeze_cons (m : Mode) (L : FlatLayout) :
    squeeze (m :: L) = if m.extent = 1 then squeeze L else m :: squeeze L := rfl

theorem valid_squeeze {L : FlatLayout} (h : Valid L) : Valid (squeeze L) := by
  induction L with
  | nil => trivial
  | cons m L ih =>
    rw [squeeze_cons]
    split
    · exact ih h.2
    · exact ⟨h.1, ih h.2⟩

theorem extent_ne_one_of_mem_squeeze {L : FlatLayout} {m : Mode} (h : m ∈ squeeze L) : m.extent ≠ 1 := by
  induction L with
  | nil => simp [squeeze] at h
  | cons n L ih =>
    rw [squeeze_cons] at h
    split at h
    · exact ih h
    · rcases List.mem_cons.1 h with rfl | h
      · assumption
      · exact ih h

theorem squeeze_eq_self {L : FlatLayout} (h : ∀ m ∈ L, m.extent ≠ 1) : squeeze L = L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    rw [squeeze_cons, if_neg (h m (by simp)), ih fun n hn => h n (by simp [hn])]

theorem squeeze_squeeze (L : FlatLayout) : squeeze (squeeze L) = squeeze L :=
  squeeze_eq_self fun _ => extent_ne_one_of_mem_squeeze

/-- **Dropping the modes of extent 1 keeps the size.**
Source: Categorical Foundations 2.1.3. -/
theorem size_squeeze (L : FlatLayout) : size (squeeze L) = size L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    rw [squeeze_cons]
    split
    · rename_i h
      rw [ih, size_cons, h, Nat.one_mul]
    · rw [size_cons, size_cons, ih]

/-- **Dropping the modes of extent 1 keeps the offset of every linear index.**
Source: Categorical Foundations 2.1.3. -/
theorem atIndex_squeeze (L : FlatLayout) (x : Nat) : atIndex (squeeze L) x = atIndex L x := by
  induction L generalizing x with
  | nil => rfl
  | cons m L ih =>
    rw [squeeze_cons]
    split
    · rename_i h
      rw [ih, atIndex_cons, h, Nat.mod_one, Nat.zero_mul, Nat.zero_add, Nat.div_one]
    · rw [atIndex_cons, atIndex_cons, ih]

theorem offsets_squeeze (L : FlatLayout) : offsets (squeeze L) = offsets L :=
  (offsets_eq_iff _ _).2 ⟨size_squeeze L, fun x _ => atIndex_squeeze L x⟩

/-- **Dropping the modes of extent 1 keeps the cosize.**
Source: Categorical Foundations 2.1.3. -/
theorem cosize_squeeze (L : FlatLayout) : cosize (squeeze L) = cosize L :=
  cosize_eq_of_offsets_eq (offsets_squeeze L)

/-- **A layout is injective exactly when it is so without its modes of extent 1.**
Rust: `razorgirl::Layout::injectivity`
Source: Categorical Foundations 2.1.3. -/
theorem injective_squeeze_iff (L : FlatLayout) : Injective (squeeze L) ↔ Injective L :=
  injective_congr (offsets_squeeze L)

/-- **A layout is contiguous exactly when it is so without its modes of extent 1.**
Rust: `razorgirl::Layout::is_contiguous`
Source: Categorical Foundations 2.1.5. -/
theorem contiguous_squeeze_iff (L : FlatLayout) : Contiguous (squeeze L) ↔ Contiguous L :=
  contiguous_congr (offsets_squeeze L)

theorem inBounds_squeezeCoord : {L : FlatLayout} → {c : List Nat} → InBounds (shape L) c →
    InBounds (shape (squeeze L)) (squeezeCoord (shape L) c)
  | [], _, _ => trivial
  | _ :: _, [], h => h.elim
  | m :: L, c :: cs, h => by
    have ih := inBounds_squeezeCoord (L := L) h.2
    rw [squeeze_cons, shape_cons, squeezeCoord]
    split
    · exact ih
    · exact ⟨h.1, ih⟩

/-- **The offset of a coordinate is that of the coordinate without its entries over extents of 1, in the layout
without these modes.**
Rust: `razorgirl::Layout::at_flat`
Source: Categorical Foundations 2.1.3. -/
theorem eval_squeeze : {L : FlatLayout} → {c : List Nat} → InBounds (shape L) c →
    eval (squeeze L) (squeezeCoord (shape L) c) = eval L c
  | [], c, _ => by rw [eval_nil, squeeze, eval_nil]
  | _ :: _, [], h => h.elim
  | m :: L, c :: cs, h => by
    have ih := eval_squeeze (L := L) h.2
    rw [squeeze_cons, shape_cons, squeezeCoord]
    split
    · rename_i h1
      have : c < m.extent := h.1
      have h0 : c = 0 := by omega
      rw [ih, eval_cons, h0, Nat.zero_mul, Nat.zero_add]
    · rw [eval_cons, eval_cons, ih]

/-! ## Setting the strides of modes of extent 1 to 0 -/

theorem normalize_cons (m : Mode) (L : FlatLayout) :
    normalize (m :: L) = (if m.extent = 1 then ⟨1, 0⟩ else m) :: normalize L := rfl

theorem length_normalize (L : FlatLayout) : (normalize L).length = L.length := by
  induction L with
  | nil => rfl
  | cons m L ih => simp [normalize_cons, ih]

theorem shape_normalize (L : FlatLayout) : shape (normalize L) = shape L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    rw [normalize_cons, shape_cons, shape_cons, ih]
    split
    · rename_i h
      rw [h]
    · rfl

/-- **Setting the stride of the modes of extent 1 to 0 keeps the size.**
Rust: `razorgirl::Layout::new`
Source: Categorical Foundations 2.1.2 (non-degenerate layouts). -/
theorem size_normalize (L : FlatLayout) : size (normalize L) = size L := by
  rw [size, shape_normalize, size]

theorem valid_normalize_iff (L : FlatLayout) : Valid (normalize L) ↔ Valid L := by
  rw [valid_iff_size_pos, valid_iff_size_pos, size_normalize]

/-- **Setting the stride of the modes of extent 1 to 0 keeps the offset of every coordinate.**
Rust: `razorgirl::Layout::new`
Source: Categorical Foundations 2.1.2 (non-degenerate layouts). -/
theorem eval_normalize : {L : FlatLayout} → {c : List Nat} → InBounds (shape L) c →
    eval (normalize L) c = eval L c
  | [], _, _ => rfl
  | _ :: _, [], h => h.elim
  | m :: L, c :: cs, h => by
    rw [normalize_cons, eval_cons, eval_cons, eval_normalize (L := L) h.2]
    split
    · rename_i h1
      have : c < m.extent := h.1
      have h0 : c = 0 := by omega
      rw [h0, Nat.zero_mul, Nat.zero_mul]
    · rfl

/-- **Setting the stride of the modes of extent 1 to 0 keeps the offset of every linear index.**
Rust: `razorgirl::Layout::new`
Source: Categorical Foundations 2.1.2 (non-degenerate layouts). -/
theorem atIndex_normalize (L : FlatLayout) (x : Nat) : atIndex (normalize L) x = atIndex L x := by
  induction L generalizing x with
  | nil => rfl
  | cons m L ih =>
    rw [normalize_cons, atIndex_cons, atIndex_cons]
    split
    · rename_i h
      rw [h, ih, Nat.mod_one, Nat.zero_mul, Nat.zero_mul]
    · rw [ih]

theorem offsets_normalize (L : FlatLayout) : offsets (normalize L) = offsets L :=
  (offsets_eq_iff _ _).2 ⟨size_normalize L, fun x _ => atIndex_normalize L x⟩

/-- **Setting the stride of the modes of extent 1 to 0 keeps the cosize.**
Rust: `razorgirl::Layout::new`
Source: Categorical Foundations 2.1.2 (non-degenerate layouts). -/
theorem cosize_normalize (L : FlatLayout) : cosize (normalize L) = cosize L :=
  cosize_eq_of_offsets_eq (offsets_normalize L)

/-- **Setting the stride of the modes of extent 1 to 0 keeps injectivity.**
Rust: `razorgirl::Layout::new`
Source: Categorical Foundations 2.1.2 (non-degenerate layouts). -/
theorem injective_normalize_iff (L : FlatLayout) : Injective (normalize L) ↔ Injective L :=
  injective_congr (offsets_normalize L)

/-- **Setting the stride of the modes of extent 1 to 0 keeps contiguity.**
Rust: `razorgirl::Layout::new`
Source: Categorical Foundations 2.1.2 (non-degenerate layouts). -/
theorem contiguous_normalize_iff (L : FlatLayout) : Contiguous (normalize L) ↔ Contiguous L :=
  contiguous_congr (offsets_normalize L)

theorem normalize_normalize (L : FlatLayout) : normalize (normalize L) = normalize L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    rw [normalize_cons, normalize_cons, ih]
    split <;> simp_all

/-! ## Column-major layouts -/

theorem shape_columnMajor (d : Nat) (s : List Nat) : shape (columnMajor d s) = s := by
  induction s generalizing d with
  | nil => rfl
  | cons s ss ih => rw [columnMajor, shape_cons, ih]

/-- **A coordinate's linear index is its offset in the column-major layout of the shape.**
Rust: `razorgirl::Layout::column_major`
Source: Categorical Foundations 2.1.2; CuTe `crd2idx`, `LayoutLeft`. -/
theorem eval_columnMajor (d : Nat) (s c : List Nat) : eval (columnMajor d s) c = d * crd2idx s c := by
  induction s generalizing d c with
  | nil => simp [columnMajor, eval_nil, crd2idx]
  | cons s ss ih =>
    cases c with
    | nil => simp [eval_nil_right, crd2idx]
    | cons c cs =>
      rw [columnMajor, eval_cons, ih, crd2idx]
      grind

/-- **The column-major layout of a shape sends every linear index to itself.**
Rust: `razorgirl::Layout::column_major`
Source: Categorical Foundations 2.1.2; CuTe `LayoutLeft`. -/
theorem atIndex_columnMajor {s : List Nat} {x : Nat} (h : x < prod s) :
    atIndex (columnMajor 1 s) x = x := by
  rw [atIndex, shape_columnMajor, eval_columnMajor, crd2idx_idx2crd h, Nat.one_mul]

/-- **The column-major layout of a shape is contiguous.**
Rust: `razorgirl::Layout::column_major`
Source: Categorical Foundations 2.1.5; CuTe `LayoutLeft`. -/
theorem contiguous_columnMajor {s : List Nat} (h : ∀ n ∈ s, 0 < n) : Contiguous (columnMajor 1 s) := by
  have hs : size (columnMajor 1 s) = prod s := by rw [size, shape_columnMajor]
  have hp := prod_pos h
  have hi : Injective (columnMajor 1 s) := by
    rw [injective_iff_atIndex]
    intro x y hx hy e
    rwa [atIndex_columnMajor (hs ▸ hx), atIndex_columnMajor (hs ▸ hy)] at e
  refine (contiguous_iff_injective _).2 ⟨hi, ?_⟩
  obtain ⟨x, hx, e⟩ := (cosize_is_maximum ((valid_iff_size_pos (columnMajor 1 s)).2 (by rw [hs]; exact hp))).2
  have h1 := size_le_cosize hi
  rw [atIndex_columnMajor (by omega)] at e
  omega

example : Contiguous [⟨4, 2⟩, ⟨2, 1⟩] := by decide +kernel
example : Injective [⟨4, 2⟩, ⟨2, 9⟩] ∧ ¬ Contiguous [⟨4, 2⟩, ⟨2, 9⟩] := by decide +kernel
example : ¬ Injective [⟨3, 1⟩, ⟨2, 2⟩] := by decide +kernel
example : columnMajor 1 [4, 2, 8] = [⟨4, 1⟩, ⟨2, 4⟩, ⟨8, 8⟩] := by decide +kernel
example : squeeze [⟨1, 7⟩, ⟨4, 2⟩, ⟨1, 0⟩] = [⟨4, 2⟩] := by decide +kernel

end FlatLayout

end Razorgirl
