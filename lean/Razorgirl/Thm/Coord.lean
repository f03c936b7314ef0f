module

public import Razorgirl.Thm.IntTuple

@[expose] public section

/-!
# Coordinates: what is proved

`idx2crd` and `crd2idx` are inverse to each other between `[0,size)` and the bounded coordinates of a shape;
they respect concatenation, and hence any grouping of modes: a nested shape numbers its coordinates as its
flattening does, and a coarser compatible shape as the finer one.
-/

namespace Razorgirl

/-! ## Bounded coordinates -/

/-- Whether a coordinate lies in a shape can be decided. -/
def InBounds.decide : (s c : List Nat) → Decidable (InBounds s c)
  | [], [] => isTrue trivial
  | [], _ :: _ => isFalse (fun h => h)
  | _ :: _, [] => isFalse (fun h => h)
  | s :: ss, c :: cs => match InBounds.decide ss cs with
    | isTrue h => if h' : c < s then isTrue ⟨h', h⟩ else isFalse (fun h'' => h' h''.1)
    | isFalse h => isFalse (fun h'' => h h''.2)

instance (s c : List Nat) : Decidable (InBounds s c) := InBounds.decide s c

theorem inBounds_nil_iff (c : List Nat) : InBounds [] c ↔ c = [] := by
  cases c <;> simp [InBounds]

theorem inBounds_cons_iff (s : Nat) (ss : List Nat) (c : Nat) (cs : List Nat) :
    InBounds (s :: ss) (c :: cs) ↔ c < s ∧ InBounds ss cs := Iff.rfl

theorem InBounds.length_eq : {s c : List Nat} → InBounds s c → c.length = s.length
  | [], [], _ => rfl
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | s :: ss, c :: cs, h => by simp [InBounds.length_eq h.2]

theorem inBounds_append : {s c : List Nat} → {t d : List Nat} → InBounds s c → InBounds t d →
    InBounds (s ++ t) (c ++ d)
  | [], [], _, _, _, h => h
  | [], _ :: _, _, _, h, _ => h.elim
  | _ :: _, [], _, _, h, _ => h.elim
  | _ :: _, _ :: _, _, _, h, h' => ⟨h.1, inBounds_append h.2 h'⟩

theorem inBounds_append_iff {s c t d : List Nat} (h : c.length = s.length) :
    InBounds (s ++ t) (c ++ d) ↔ InBounds s c ∧ InBounds t d := by
  induction s generalizing c with
  | nil =>
    cases c with
    | nil => simp [InBounds]
    | cons c cs => simp at h
  | cons s ss ih =>
    cases c with
    | nil => simp at h
    | cons c cs => simp [InBounds, ih (c := cs) (by simpa using h), and_assoc]

theorem inBounds_iff_getElem (s c : List Nat) :
    InBounds s c ↔ c.length = s.length ∧ ∀ i (h : i < c.length) (h' : i < s.length), c[i] < s[i] := by
  induction s generalizing c with
  | nil => cases c <;> simp [InBounds]
  | cons s ss ih =>
    cases c with
    | nil => simp [InBounds]
    | cons c cs =>
      rw [inBounds_cons_iff, ih]
      constructor
      · rintro ⟨h0, hl, h⟩
        refine ⟨by simp [hl], fun i hi hi' => ?_⟩
        cases i with
        | zero => simpa using h0
        | succ i => simpa using h i (by simpa using hi) (by simpa using hi')
      · rintro ⟨hl, h⟩
        refine ⟨by simpa using h 0 (by simp) (by simp), by simpa using hl, fun i hi hi' => ?_⟩
        simpa using h (i + 1) (by simpa using hi) (by simpa using hi')

theorem prod_pos_of_inBounds : {s c : List Nat} → InBounds s c → 0 < prod s
  | [], _, _ => by simp [prod]
  | s :: ss, [], h => h.elim
  | s :: ss, c :: cs, h => Nat.mul_pos (Nat.zero_lt_of_lt h.1) (prod_pos_of_inBounds h.2)

theorem inBounds_replicate_zero {s : List Nat} (h : 0 < prod s) :
    InBounds s (List.replicate s.length 0) := by
  induction s with
  | nil => trivial
  | cons s ss ih =>
    have h1 : 0 < s := Nat.pos_of_mul_pos_right h
    have h2 : 0 < prod ss := Nat.pos_of_mul_pos_left h
    exact ⟨h1, ih h2⟩

/-! ## Recursion, step by step -/

theorem idx2crd_nil (x : Nat) : idx2crd [] x = [] := rfl

theorem idx2crd_cons (s : Nat) (ss : List Nat) (x : Nat) :
    idx2crd (s :: ss) x = x % s :: idx2crd ss (x / s) := rfl

theorem crd2idx_nil (c : List Nat) : crd2idx [] c = 0 := rfl

theorem crd2idx_nil_right (s : List Nat) : crd2idx s [] = 0 := by cases s <;> rfl

theorem crd2idx_cons (s : Nat) (ss : List Nat) (c : Nat) (cs : List Nat) :
    crd2idx (s :: ss) (c :: cs) = c + s * crd2idx ss cs := rfl

/-- **A coordinate has one entry for each mode of the shape.**
Rust: `razorgirl::Shape::idx2crd`
Source: Categorical Foundations 2.1.2; CuTe `idx2crd`. -/
theorem length_idx2crd (s : List Nat) (x : Nat) : (idx2crd s x).length = s.length := by
  induction s generalizing x with
  | nil => rfl
  | cons s ss ih => simp [idx2crd, ih]

theorem idx2crd_zero (s : List Nat) : idx2crd s 0 = List.replicate s.length 0 := by
  induction s with
  | nil => rfl
  | cons s ss ih => simp [idx2crd, ih, List.replicate_succ]

theorem crd2idx_replicate_zero (s : List Nat) (n : Nat) : crd2idx s (List.replicate n 0) = 0 := by
  induction s generalizing n with
  | nil => rfl
  | cons s ss ih => cases n <;> simp [crd2idx, List.replicate_succ, ih]

/-! ## The bijection -/

/-- **The coordinate of a linear index lies in the shape.**
Rust: `razorgirl::Shape::idx2crd`
Source: Categorical Foundations 2.1.2; Villa Straylight I.4; CuTe `idx2crd`. -/
theorem inBounds_idx2crd {s : List Nat} (h : ∀ n ∈ s, 0 < n) (x : Nat) : InBounds s (idx2crd s x) := by
  induction s generalizing x with
  | nil => trivial
  | cons s ss ih =>
    exact ⟨Nat.mod_lt _ (h s (by simp)), ih (fun n hn => h n (by simp [hn])) _⟩

theorem inBounds_idx2crd_of_lt {s : List Nat} {x : Nat} (h : x < prod s) : InBounds s (idx2crd s x) :=
  inBounds_idx2crd ((prod_pos_iff s).1 (by omega)) x

/-- **The linear index of a coordinate in the shape is below the size of the shape.**
Rust: `razorgirl::Shape::crd2idx`
Source: Categorical Foundations 2.1.2; Villa Straylight I.4; CuTe `crd2idx`. -/
theorem crd2idx_lt : {s c : List Nat} → InBounds s c → crd2idx s c < prod s
  | [], [], _ => by simp [crd2idx, prod]
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | s :: ss, c :: cs, h => by
    have h1 := h.1
    have h2 := Nat.mul_le_mul_left s (crd2idx_lt h.2)
    rw [Nat.mul_succ] at h2
    simp only [crd2idx, prod]
    omega

theorem crd2idx_idx2crd_mod (s : List Nat) (x : Nat) : crd2idx s (idx2crd s x) = x % prod s := by
  induction s generalizing x with
  | nil => simp [crd2idx, prod, Nat.mod_one]
  | cons s ss ih => simp [idx2crd, crd2idx, prod, ih, Nat.mod_mul]

/-- **Going from a linear index to its coordinate and back gives the index.**
Rust: `razorgirl::Shape::idx2crd`
Source: Categorical Foundations 2.1.2; Villa Straylight I.4; CuTe `idx2crd`, `crd2idx`. -/
theorem crd2idx_idx2crd {s : List Nat} {x : Nat} (h : x < prod s) : crd2idx s (idx2crd s x) = x := by
  rw [crd2idx_idx2crd_mod, Nat.mod_eq_of_lt h]

/-- **Going from a coordinate in the shape to its linear index and back gives the coordinate.**
Rust: `razorgirl::Shape::crd2idx`
Source: Categorical Foundations 2.1.2; Villa Straylight I.4; CuTe `idx2crd`, `crd2idx`. -/
theorem idx2crd_crd2idx : {s c : List Nat} → InBounds s c → idx2crd s (crd2idx s c) = c
  | [], [], _ => rfl
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | s :: ss, c :: cs, h => by
    have h1 := h.1
    have hs : 0 < s := by omega
    rw [crd2idx, idx2crd, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt h1, Nat.add_mul_div_left _ _ hs,
      Nat.div_eq_of_lt h1, Nat.zero_add, idx2crd_crd2idx h.2]

/-- **A shape numbers its coordinates without gaps or repetitions: every coordinate is that of exactly one
linear index below the size, and every linear index below the size that of exactly one coordinate.**
Rust: `razorgirl::Shape::idx2crd`
Source: Categorical Foundations 2.1.2; Villa Straylight I.4; CuTe `idx2crd`, `crd2idx`. -/
theorem idx2crd_bijective (s : List Nat) :
    (∀ c, InBounds s c → ∃ x, (x < prod s ∧ idx2crd s x = c) ∧
      ∀ y, y < prod s → idx2crd s y = c → y = x) ∧
    (∀ x, x < prod s → ∃ c, (InBounds s c ∧ crd2idx s c = x) ∧
      ∀ d, InBounds s d → crd2idx s d = x → d = c) := by
  refine ⟨fun c hc => ⟨crd2idx s c, ⟨crd2idx_lt hc, idx2crd_crd2idx hc⟩, fun y hy e => ?_⟩,
    fun x hx => ⟨idx2crd s x, ⟨inBounds_idx2crd_of_lt hx, crd2idx_idx2crd hx⟩, fun d hd e => ?_⟩⟩
  · rw [← e, crd2idx_idx2crd hy]
  · rw [← e, idx2crd_crd2idx hd]

/-- **Different linear indices below the size have different coordinates.**
Rust: `razorgirl::Shape::idx2crd`
Source: Categorical Foundations 2.1.2. -/
theorem idx2crd_injective {s : List Nat} {x y : Nat} (hx : x < prod s) (hy : y < prod s)
    (h : idx2crd s x = idx2crd s y) : x = y := by
  rw [← crd2idx_idx2crd hx, h, crd2idx_idx2crd hy]

/-- **Different coordinates of a shape have different linear indices.**
Rust: `razorgirl::Shape::crd2idx`
Source: Categorical Foundations 2.1.2. -/
theorem crd2idx_injective {s c d : List Nat} (hc : InBounds s c) (hd : InBounds s d)
    (h : crd2idx s c = crd2idx s d) : c = d := by
  rw [← idx2crd_crd2idx hc, h, idx2crd_crd2idx hd]

/-! ## One entry -/

theorem idx2crd_getElem? (s : List Nat) (x i : Nat) (h : i < s.length) :
    (idx2crd s x)[i]? = some (x / prod (s.take i) % s[i]) := by
  induction s generalizing x i with
  | nil => simp at h
  | cons s ss ih =>
    cases i with
    | zero => simp [idx2crd, prod]
    | succ i =>
      simp only [idx2crd, List.getElem?_cons_succ, List.take_succ_cons, prod, List.getElem_cons_succ]
      rw [ih _ _ (by simpa using h), Nat.div_div_eq_div_mul]

/-- **The i-th entry of the coordinate of `x` is `x` divided by the product of the extents before it,
modulo the i-th extent.**
Rust: `razorgirl::Shape::idx2crd`
Source: Categorical Foundations 2.1.2; CuTe `idx2crd`. -/
theorem idx2crd_getElem (s : List Nat) (x i : Nat) (h : i < s.length) :
    (idx2crd s x)[i]'(by rw [length_idx2crd]; exact h) = x / prod (s.take i) % s[i] := by
  have := idx2crd_getElem? s x i h
  rw [List.getElem?_eq_getElem (by rw [length_idx2crd]; exact h)] at this
  simpa using this

/-! ## Concatenation -/

theorem idx2crd_mod (s : List Nat) (x : Nat) : idx2crd s (x % prod s) = idx2crd s x := by
  induction s generalizing x with
  | nil => rfl
  | cons s ss ih => simp [idx2crd, prod, Nat.mod_mul_right_mod, Nat.mod_mul_right_div_self, ih]

/-- **The coordinate in a concatenated shape is the coordinate of the remainder in the first part, followed
by that of the quotient in the second.**
Rust: `razorgirl::Shape::idx2crd`
Source: Categorical Foundations 2.1.2 (associativity); CuTe `idx2crd`. -/
theorem idx2crd_append (s t : List Nat) (x : Nat) :
    idx2crd (s ++ t) x = idx2crd s (x % prod s) ++ idx2crd t (x / prod s) := by
  rw [idx2crd_mod]
  induction s generalizing x with
  | nil => simp [idx2crd, prod]
  | cons s ss ih => simp [idx2crd, prod, ih, Nat.div_div_eq_div_mul]

/-- **The linear index in a concatenated shape is that in the first part plus the size of the first part times
that in the second.**
Rust: `razorgirl::Shape::crd2idx`
Source: Categorical Foundations 2.1.2 (associativity); CuTe `crd2idx`. -/
theorem crd2idx_append {s c : List Nat} (h : c.length = s.length) (t d : List Nat) :
    crd2idx (s ++ t) (c ++ d) = crd2idx s c + prod s * crd2idx t d := by
  induction s generalizing c with
  | nil =>
    cases c with
    | nil => simp [crd2idx, prod]
    | cons c cs => simp at h
  | cons s ss ih =>
    cases c with
    | nil => simp at h
    | cons c cs =>
      simp only [List.cons_append, crd2idx, prod, ih (c := cs) (by simpa using h)]
      grind

/-- **Numbering grouped modes: the coordinate in a list of shapes joined together is found by first splitting
the index over the sizes of the shapes, and then each part in its own shape.**
Rust: `razorgirl::Shape::idx2crd`
Source: Categorical Foundations 2.1.2 (associativity). -/
theorem idx2crd_flatten (ss : List (List Nat)) (x : Nat) :
    idx2crd ss.flatten x = (List.zipWith idx2crd ss (idx2crd (ss.map prod) x)).flatten := by
  induction ss generalizing x with
  | nil => rfl
  | cons s ss ih => simp [idx2crd_append, idx2crd, ih]

/-- **Numbering grouped modes: the linear index in a list of shapes joined together is the index, over the
sizes of the shapes, of the indices in each shape.**
Rust: `razorgirl::Shape::crd2idx`
Source: Categorical Foundations 2.1.2 (associativity). -/
theorem crd2idx_flatten {ss cs : List (List Nat)} (h : cs.map List.length = ss.map List.length) :
    crd2idx ss.flatten cs.flatten = crd2idx (ss.map prod) (List.zipWith crd2idx ss cs) := by
  induction ss generalizing cs with
  | nil => simp [crd2idx]
  | cons s ss ih =>
    cases cs with
    | nil => simp at h
    | cons c cs =>
      simp only [List.map_cons, List.cons.injEq] at h
      simp [crd2idx_append h.1, crd2idx, ih h.2]

/-! ## The list of all coordinates -/

/-- **The coordinates of a shape are listed completely: exactly those in bounds occur.**
Source: Categorical Foundations 2.1.2. -/
theorem mem_coords (s c : List Nat) : c ∈ coords s ↔ InBounds s c := by
  simp only [coords, List.mem_map, List.mem_range]
  exact ⟨fun ⟨x, hx, e⟩ => e ▸ inBounds_idx2crd_of_lt hx,
    fun h => ⟨crd2idx s c, crd2idx_lt h, idx2crd_crd2idx h⟩⟩

/-- **The coordinates of a shape are as many as its size.**
Source: Categorical Foundations 2.1.2; CuTe `size`. -/
theorem length_coords (s : List Nat) : (coords s).length = prod s := by simp [coords]

/-- **No coordinate is listed twice.**
Source: Categorical Foundations 2.1.2. -/
theorem nodup_coords (s : List Nat) : (coords s).Nodup :=
  (nodup_map_iff (idx2crd s) _ List.nodup_range).2 fun _ hx _ hy e =>
    idx2crd_injective (by simpa using hx) (by simpa using hy) e

example : idx2crd [4, 2, 8] 13 = [1, 1, 1] := by decide +kernel
example : crd2idx [4, 2, 8] [1, 1, 1] = 13 := by decide +kernel
example : coords [2, 3] = [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2], [1, 2]] := by decide +kernel

end Razorgirl
