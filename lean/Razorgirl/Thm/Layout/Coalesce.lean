module

public import Razorgirl.Thm.Layout.Coalesce.Lemmas

@[expose] public section

/-!
# Coalesce: what is proved

First the flat layouts: the three local rules, what they keep, and that they end in one normal form whatever
the order of application. Then `coalesce` of a nested layout. Coalescing by profile is in `Coalesce/By`.

None of the statements about values needs the extents to be positive, or the index to be in range.
-/

namespace Razorgirl

namespace FlatLayout
open Aux

/-! ## The three rules -/

/-- **The two coordinates of a packed pair of modes count as one: `x₀·d₀ + x₁·(n₀·d₀) = (x₀ + x₁·n₀)·d₀`.**
Source: Villa Straylight II.3 `packed_merge_arith` -/
theorem packed_merge_arith (n₀ d₀ x₀ x₁ : Nat) : x₀ * d₀ + x₁ * (n₀ * d₀) = (x₀ + x₁ * n₀) * d₀ := by
  rw [Nat.add_mul, Nat.mul_assoc]

/-- **Right unit: a mode of extent 1 to the right of another mode can go; the value at every index stays.**
Source: Villa Straylight II.1, rule 1 -/
theorem rule_right_unit (A B : FlatLayout) (m : Mode) (d x : Nat) :
    atIndex (A ++ m :: ⟨1, d⟩ :: B) x = atIndex (A ++ m :: B) x := by
  rw [atIndex_append, atIndex_append]
  simp [atIndex_cons, Nat.mod_one]

/-- **Left unit: a mode of extent 1 to the left of another mode can go; the value at every index stays.**
Source: Villa Straylight II.1, rule 2 -/
theorem rule_left_unit (A B : FlatLayout) (n : Mode) (d x : Nat) :
    atIndex (A ++ ⟨1, d⟩ :: n :: B) x = atIndex (A ++ n :: B) x := by
  rw [atIndex_append, atIndex_append]
  simp [atIndex_cons, Nat.mod_one]

/-- **Packed merge: `s:d` followed by `t:(s·d)` is `(s·t):d`; the value at every index stays.**
Source: Villa Straylight II.1, rule 3; Colfax 2.1.3 -/
theorem rule_packed_merge (A B : FlatLayout) (s t d x : Nat) :
    atIndex (A ++ ⟨s, d⟩ :: ⟨t, s * d⟩ :: B) x = atIndex (A ++ ⟨s * t, d⟩ :: B) x := by
  rw [atIndex_append, atIndex_append]
  generalize x / size A = y
  simp only [atIndex_cons]
  rw [Nat.mod_mul, Nat.div_div_eq_div_mul, Nat.add_mul, Nat.mul_comm s (_ % _), Nat.mul_assoc]
  omega

/-- **Each of the three rules keeps the value at every index, read as `atIndex` reads it.**
Source: Villa Straylight II.3 -/
theorem rewrite_atIndex {L N : FlatLayout} (h : Rewrite L N) (x : Nat) : atIndex N x = atIndex L x := by
  cases h with
  | merge A m n r B h => rw [atIndex_append, atIndex_append, atIndex_of_merge h]
  | lone m h => simp [atIndex_nil, atIndex_cons, h, Nat.mod_one]

/-- **Each of the three rules keeps the size.**
Source: Villa Straylight II.3 -/
theorem rewrite_size {L N : FlatLayout} (h : Rewrite L N) : size N = size L := by
  cases h with
  | merge A m n r B h =>
    rw [size_append, size_append, size_cons, size_cons_cons, extent_of_merge h]
  | lone m h => simp [size_nil, size_cons, h]

/-- **Each rule removes exactly one mode, so coalescing terminates.**
Source: Villa Straylight II.4 -/
theorem rewrite_length {L N : FlatLayout} (h : Rewrite L N) : N.length + 1 = L.length := by
  cases h with
  | merge A m n r B h => simp only [List.length_append, List.length_cons]; omega
  | lone m h => simp

/-- **`k` rules remove `k` modes: no sequence of rules is longer than the layout.**
Source: Villa Straylight II.4 -/
theorem rewrites_length {k : Nat} {L N : FlatLayout} (h : Rewrites k L N) : N.length + k = L.length := by
  induction h with
  | done => rfl
  | step h _ ih => have := rewrite_length h; omega

/-! ## Values -/

/-- **Coalescing keeps the size.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3; CuTe `coalesce` -/
theorem coalesce_size (L : FlatLayout) : size (coalesce L) = size L := by
  induction L with
  | nil => rfl
  | cons m L ih => rw [coalesce, size_push, ih, size_cons]

/-- **Coalescing keeps the offset of every linear index, read as `atIndex` reads it: past the end, from the start
again.** (CuTe lets the last mode grow there, which this does not speak of.)
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3; Villa Straylight II.3; CuTe `coalesce` -/
theorem coalesce_atIndex (L : FlatLayout) (x : Nat) : atIndex (coalesce L) x = atIndex L x := by
  induction L generalizing x with
  | nil => rfl
  | cons m L ih => rw [coalesce, atIndex_push, atIndex_cons, ih, atIndex_cons]

/-- **Coalescing keeps the offset of corresponding coordinates: those with the same linear index.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3 -/
theorem coalesce_eval_idx2crd (L : FlatLayout) (x : Nat) :
    eval (coalesce L) (idx2crd (shape (coalesce L)) x) = eval L (idx2crd (shape L) x) :=
  coalesce_atIndex L x

/-- **The offset of a coordinate is that of the coalesced layout at the coordinate's linear index.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3 -/
theorem coalesce_eval (L : FlatLayout) (c : List Nat) (h : InBounds (shape L) c) :
    eval (coalesce L) (idx2crd (shape (coalesce L)) (crd2idx (shape L) c)) = eval L c := by
  rw [eval_idx2crd, coalesce_atIndex, atIndex_crd2idx h]

/-- **Coalescing keeps the whole table of offsets in linear order.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3 -/
theorem coalesce_offsets (L : FlatLayout) : offsets (coalesce L) = offsets L :=
  (offsets_eq_iff _ _).mpr ⟨coalesce_size L, fun x _ => coalesce_atIndex L x⟩

/-- **Coalescing keeps the cosize.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3; CuTe `coalesce` -/
theorem coalesce_cosize (L : FlatLayout) : cosize (coalesce L) = cosize L := by
  rw [cosize_eq_offsets, cosize_eq_offsets, coalesce_offsets]

/-- **Coalescing a valid layout gives a valid layout.**
Rust: `razorgirl::Layout::coalesce`
Source: Villa Straylight II.2 -/
theorem coalesce_valid {L : FlatLayout} (h : Valid L) : Valid (coalesce L) := by
  induction L with
  | nil => trivial
  | cons m L ih => exact valid_push h.1 (ih h.2)

/-- **Coalescing keeps the closed form of the cosize, `1 + Σ (s-1)·d`.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3 -/
theorem coalesce_cosizeFormula {L : FlatLayout} (h : Valid L) :
    cosizeFormula (coalesce L) = cosizeFormula L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    rw [coalesce, cosizeFormula_push h.1 (coalesce_valid h.2), cosizeFormula, ih h.2, cosizeFormula]

/-- **Coalescing neither makes nor removes collisions.**
Rust: `razorgirl::Layout::coalesce`
Source: Villa Straylight I.3, II.3 -/
theorem coalesce_injective (L : FlatLayout) : Injective (coalesce L) ↔ Injective L := by
  simp only [injective_iff_atIndex, coalesce_size, coalesce_atIndex]

/-- **A layout is contiguous exactly when its coalesced form is.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.5; Villa Straylight I.3 -/
theorem coalesce_contiguous (L : FlatLayout) : Contiguous (coalesce L) ↔ Contiguous L := by
  simp only [Contiguous, coalesce_injective, covers_iff_mem, coalesce_cosize, coalesce_offsets]

/-! ## Normal form -/

/-- **The result of coalescing is in normal form: no mode of extent 1, no neighbours that merge.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3; Villa Straylight II -/
theorem coalesce_coalesced (L : FlatLayout) : Coalesced (coalesce L) := by
  induction L with
  | nil => trivial
  | cons m L ih => exact coalesced_push m ih

/-- **A coalesced layout stays as it is.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3 -/
theorem coalesce_of_coalesced {L : FlatLayout} (h : Coalesced L) : coalesce L = L := by
  induction L with
  | nil => rfl
  | cons m L ih => rw [coalesce, ih (coalesced_tail h), push_of_coalesced h]

/-- **The fixpoints of coalescing are exactly the coalesced layouts.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3 -/
theorem coalesce_eq_self_iff {L : FlatLayout} : coalesce L = L ↔ Coalesced L :=
  ⟨fun h => h ▸ coalesce_coalesced L, coalesce_of_coalesced⟩

/-- **Coalescing twice is coalescing once.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3 -/
theorem coalesce_idempotent (L : FlatLayout) : coalesce (coalesce L) = coalesce L :=
  coalesce_of_coalesced (coalesce_coalesced L)

/-- **Coalescing never adds a mode.**
Rust: `razorgirl::Layout::coalesce`
Source: Villa Straylight II.4 -/
theorem coalesce_length_le (L : FlatLayout) : (coalesce L).length ≤ L.length := by
  induction L with
  | nil => simp [coalesce]
  | cons m L ih =>
    have := length_push m (coalesce L)
    simp only [coalesce, List.length_cons]
    omega

theorem coalesce_of_length {L : FlatLayout} (h : (coalesce L).length = L.length) : coalesce L = L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    have h1 := length_push m (coalesce L)
    have h2 := coalesce_length_le L
    simp only [coalesce, List.length_cons] at h ⊢
    have h3 : (coalesce L).length = L.length := by omega
    rw [push_of_length (by omega), ih h3]

/-- **Coalescing removes at least one mode unless the layout is coalesced already.**
Rust: `razorgirl::Layout::coalesce`
Source: Villa Straylight II.4 -/
theorem coalesce_length_lt_iff {L : FlatLayout} : (coalesce L).length < L.length ↔ ¬ Coalesced L := by
  constructor
  · intro h hc
    rw [coalesce_of_coalesced hc] at h
    omega
  · intro h
    rcases Nat.lt_or_eq_of_le (coalesce_length_le L) with h1 | h1
    · exact h1
    · exact absurd (coalesce_eq_self_iff.mp (coalesce_of_length h1)) h

/-- **A coalesced layout has no mode of extent 1.**
Source: Colfax 2.1.3 -/
theorem extent_ne_one_of_coalesced {L : FlatLayout} (h : Coalesced L) {m : Mode} (hm : m ∈ L) :
    m.extent ≠ 1 := by
  obtain ⟨A, B, rfl⟩ := List.append_of_mem hm
  exact coalesced_head (coalesced_of_append h)

/-- **No rule applies to neighbours in a coalesced layout.**
Source: Villa Straylight II.1; Colfax 2.1.3 -/
theorem merge_eq_none_of_coalesced {A B : FlatLayout} {m n : Mode} (h : Coalesced (A ++ m :: n :: B)) :
    merge? m n = none := by
  have h := coalesced_of_append h
  simp [merge?, h.1, h.2.1, coalesced_head h.2.2]

/-- **A coalesced layout has no two neighbouring broadcast modes (stride 0).**
Source: Colfax 2.1.3 -/
theorem stride_zero_apart_of_coalesced {A B : FlatLayout} {m n : Mode}
    (h : Coalesced (A ++ m :: n :: B)) : m.stride ≠ 0 ∨ n.stride ≠ 0 := by
  have h := (coalesced_of_append h).2.1
  rcases Nat.eq_zero_or_pos m.stride with h0 | h0
  · right; intro h1; exact h (by rw [h0, h1, Nat.mul_zero])
  · left; omega

/-! ## One normal form, whatever the order of the rules -/

/-- **Coalescing parts first does not matter: the pieces coalesced and joined coalesce to the same layout.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3 -/
theorem coalesce_append (A B : FlatLayout) :
    coalesce (A ++ B) = coalesce (coalesce A ++ coalesce B) := by
  rw [coalesce_append_congr (A := coalesce A) (coalesce_idempotent B)]
  induction A with
  | nil => rfl
  | cons m A ih =>
    conv => rhs; rw [coalesce]
    rw [coalesce_push_append, ← ih]
    rfl

/-- **Applying a rule anywhere first does not change what the layout coalesces to.**
Rust: `razorgirl::Layout::coalesce`
Source: Villa Straylight II -/
theorem coalesce_rewrite {L N : FlatLayout} (h : Rewrite L N) : coalesce N = coalesce L := by
  cases h with
  | merge A m n r B h => exact coalesce_append_congr (by simp only [coalesce]; exact (push_push h _).symm)
  | lone m h => simp [coalesce, push, h]

theorem coalesce_rewrites {k : Nat} {L N : FlatLayout} (h : Rewrites k L N) : coalesce N = coalesce L := by
  induction h with
  | done => rfl
  | step h _ ih => rw [ih, coalesce_rewrite h]

theorem exists_rewrite {L : FlatLayout} (h : ¬ Coalesced L) : ∃ N, Rewrite L N := by
  induction L with
  | nil => exact absurd trivial h
  | cons m L ih =>
    cases L with
    | nil =>
      by_cases h1 : m.extent = 1
      · exact ⟨[], .lone m h1⟩
      · exact absurd h1 h
    | cons n L =>
      rcases hr : merge? m n with _ | r
      · have h1 : n.extent ≠ 1 := fun e => by simp [merge?, e] at hr
        have h2 : m.extent ≠ 1 := fun e => by simp [merge?, h1, e] at hr
        have h3 : n.stride ≠ m.extent * m.stride := fun e => by simp [merge?, h1, h2, e] at hr
        have h4 : ¬ Coalesced (n :: L) := fun hc => h ⟨h2, h3, hc⟩
        obtain ⟨N, hN⟩ := ih h4
        generalize hX : n :: L = X at hN
        cases hN with
        | merge A a b r B hr => exact ⟨_, .merge (m :: A) a b r B hr⟩
        | lone a ha =>
          obtain ⟨rfl, rfl⟩ := List.cons.inj hX
          exact absurd ha h1
      · exact ⟨_, .merge [] m n r L hr⟩

/-- **Coalesced means that no rule applies anywhere.**
Source: Villa Straylight II; Colfax 2.1.3 -/
theorem coalesced_iff_no_rewrite {L : FlatLayout} : Coalesced L ↔ ∀ N, ¬ Rewrite L N := by
  constructor
  · intro h N hN
    have h1 := coalesce_rewrite hN
    have h2 := rewrite_length hN
    have h3 := coalesce_length_le N
    rw [h1, coalesce_of_coalesced h] at h3
    omega
  · intro h
    apply Classical.byContradiction
    intro hc
    obtain ⟨N, hN⟩ := exists_rewrite hc
    exact h N hN

/-- **The rules reach the coalesced layout, in as many steps as modes disappear.**
Rust: `razorgirl::Layout::coalesce`
Source: Villa Straylight II -/
theorem rewrites_coalesce (L : FlatLayout) :
    Rewrites (L.length - (coalesce L).length) L (coalesce L) := by
  generalize hk : L.length - (coalesce L).length = k
  induction k generalizing L with
  | zero =>
    have := coalesce_length_le L
    rw [coalesce_of_length (by omega)]
    exact .done L
  | succ k ih =>
    have h1 : ¬ Coalesced L := coalesce_length_lt_iff.mp (by omega)
    obtain ⟨N, hN⟩ := exists_rewrite h1
    have h2 := rewrite_length hN
    have h3 := coalesce_rewrite hN
    rw [← h3] at hk ⊢
    exact .step hN (ih N (by omega))

/-- **Whatever the order in which the rules are applied, the end is the same: the coalesced layout.**
Rust: `razorgirl::Layout::coalesce`
Source: Villa Straylight II; Colfax 2.1.3 -/
theorem rewrites_unique {k : Nat} {L N : FlatLayout} (h : Rewrites k L N) (hN : ∀ M, ¬ Rewrite N M) :
    N = coalesce L := by
  rw [← coalesce_rewrites h, coalesce_of_coalesced (coalesced_iff_no_rewrite.mpr hN)]

end FlatLayout

/-! ## Nested layouts -/

namespace Layout
open HTuple FlatLayout FlatLayout.Aux Layout.Aux

theorem coalesced_nest {L : FlatLayout} (h : FlatLayout.Coalesced L) : Coalesced (nest L) := by
  match L with
  | [] => exact .inl ⟨rfl, rfl⟩
  | [m] => exact .inr (.inl ⟨m, h, rfl, rfl⟩)
  | m :: n :: L => exact .inr (.inr ⟨by simp [nest], h, rfl⟩)

/-- **Coalescing a nested layout keeps its size.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.3.3; CuTe `coalesce` -/
theorem coalesce_size (L : Layout) : (coalesce L).size = L.size := by
  rw [coalesce, size_nest, FlatLayout.coalesce_size]
  rfl

/-- **Coalescing a nested layout keeps the offset of every linear index, read as `atIndex` reads it: past the end, from
the start again.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.3.3; CuTe `coalesce` -/
theorem coalesce_atIndex (L : Layout) (x : Nat) : atIndex (coalesce L).modes x = atIndex L.modes x := by
  rw [coalesce, atIndex_nest, FlatLayout.coalesce_atIndex]

theorem coalesce_offsets (L : Layout) : offsets (coalesce L).modes = offsets L.modes :=
  (offsets_eq_iff _ _).mpr ⟨coalesce_size L, fun x _ => coalesce_atIndex L x⟩

/-- **Coalescing a nested layout keeps its cosize.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.3.3; CuTe `coalesce` -/
theorem coalesce_cosize (L : Layout) : (coalesce L).cosize = L.cosize := by
  rw [Layout.cosize, Layout.cosize, cosize_eq_offsets, cosize_eq_offsets, coalesce_offsets]

/-- **Coalescing a valid nested layout gives a valid one.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.3.3 -/
theorem coalesce_valid {L : Layout} (h : L.Valid) : (coalesce L).Valid := by
  refine ⟨profile_length_nest _, ?_⟩
  rw [coalesce, nest_modes]
  split
  · simp [FlatLayout.Valid]
  · exact FlatLayout.coalesce_valid h.2

/-- **A layout and its coalesced form, called with an integer, give the same answer, in range or not.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.3.3; CuTe `coalesce` -/
theorem coalesce_call {L : Layout} (h : L.Valid) (x : Nat) :
    (coalesce L).call (.leaf (some x)) = L.call (.leaf (some x)) := by
  rw [call_index_eq_ite (coalesce_valid h).1, call_index_eq_ite h.1, coalesce_size, coalesce_atIndex]

/-- **The offset of a coordinate of the flattened shape is that of the coalesced layout at its linear index.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.3.3; CuTe `coalesce` -/
theorem coalesce_eval {L : Layout} (h : L.Valid) (c : List Nat)
    (hc : InBounds L.shape.flatten c) :
    (coalesce L).call (.leaf (some (Razorgirl.crd2idx L.shape.flatten c))) =
      some (eval L.modes c) := by
  rw [flatten_shape_of_length h.1] at hc ⊢
  rw [coalesce_call h, call_index_eq_ite h.1, atIndex_crd2idx hc]
  exact if_pos (crd2idx_lt hc)

/-- **The coalesced layout is flat: an integer or a tuple of integers.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.3.3; Cecka, coalesce post-conditions -/
theorem coalesce_depth_le (L : Layout) : (coalesce L).depth ≤ 1 := by
  unfold coalesce
  match FlatLayout.coalesce L.modes with
  | [] => simp [nest, Layout.depth, HTuple.depth]
  | [m] => simp [nest, Layout.depth, HTuple.depth]
  | m :: n :: L =>
    have : (nest (m :: n :: L)).depth = 1 + 0 := congrArg (1 + ·) (depthList_leaves (m :: n :: L))
    omega

/-- **The result of coalescing is in normal form: `1:0`, one leaf, or a flat tuple that nothing merges in.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.3.3; CuTe `coalesce` -/
theorem coalesce_coalesced (L : Layout) : Coalesced (coalesce L) :=
  coalesced_nest (FlatLayout.coalesce_coalesced _)

/-- **A nested layout is its own coalesced form exactly when it is in normal form.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.3.3 -/
theorem coalesce_eq_self_iff {L : Layout} : coalesce L = L ↔ Coalesced L := by
  constructor
  · intro h; exact h ▸ coalesce_coalesced L
  · rintro (⟨hm, hp⟩ | ⟨m, h1, hm, hp⟩ | ⟨hl, hc, hp⟩)
    · exact ext' (by rw [coalesce, hm]; rfl) (by rw [coalesce, hm, hp]; rfl)
    · have : FlatLayout.coalesce [m] = [m] := coalesce_of_coalesced h1
      exact ext' (by rw [coalesce, hm, this]; rfl) (by rw [coalesce, hm, hp, this]; rfl)
    · have h1 : coalesce L = nest L.modes := by rw [coalesce, coalesce_of_coalesced hc]
      rw [h1]
      match hm : L.modes with
      | [] => simp [hm] at hl
      | [m] => simp [hm] at hl
      | m :: n :: M => exact ext' (by rw [hm]; rfl) (by rw [hp, hm]; rfl)

/-- **Coalescing a nested layout twice is coalescing it once.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.3.3 -/
theorem coalesce_idempotent (L : Layout) : coalesce (coalesce L) = coalesce L :=
  coalesce_eq_self_iff.mpr (coalesce_coalesced L)

/-- **Coalescing never has more modes than the layout has leaves (the empty layout becomes `1:0`).**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.3.3; Villa Straylight II.4 -/
theorem coalesce_length_le (L : Layout) : (coalesce L).modes.length ≤ max 1 L.modes.length := by
  have := FlatLayout.coalesce_length_le L.modes
  rw [coalesce, nest_modes]
  split
  · simp; omega
  · omega

/-- Only the modes decide what a layout coalesces to; the nesting does not. -/
theorem coalesce_nesting (M : FlatLayout) (p q : Profile) : coalesce ⟨M, p⟩ = coalesce ⟨M, q⟩ := rfl

end Layout

/-! ## Worked examples -/

namespace FlatLayout

/-- Villa Straylight II.5: `(8,4):(1,8)` is `32:1`. -/
example : coalesce [⟨8, 1⟩, ⟨4, 8⟩] = [⟨32, 1⟩] := by decide +kernel
/-- Villa Straylight II, exercise 1: `(2,4):(1,2)` is `8:1`. -/
example : coalesce [⟨2, 1⟩, ⟨4, 2⟩] = [⟨8, 1⟩] := by decide +kernel
/-- Villa Straylight II, exercise 2: modes of extent 1 vanish, whatever their strides. -/
example : coalesce [⟨1, 7⟩, ⟨2, 1⟩, ⟨1, 9⟩, ⟨1, 0⟩, ⟨6, 2⟩, ⟨1, 5⟩] = [⟨12, 1⟩] := by decide +kernel
/-- Villa Straylight II, exercise 3: with stride 0 the rules still hold (`0 = s·0`: broadcasts merge), but a
layout need not be injective any more: nothing here is one-to-one. -/
example : coalesce [⟨2, 0⟩, ⟨3, 0⟩] = [⟨6, 0⟩] ∧ offsets [⟨6, 0⟩] = [0, 0, 0, 0, 0, 0] ∧
    isInjective [⟨6, 0⟩] = false := by decide +kernel
/-- Removing an extent 1 can be what lets the neighbours merge: one pass from right to left finds it. -/
example : coalesce [⟨2, 1⟩, ⟨1, 7⟩, ⟨6, 2⟩] = [⟨12, 1⟩] ∧ coalesce [⟨1, 3⟩] = [] := by decide +kernel
/-- CuTe's documentation: `(2,(1,6)):(1,(6,2))` is `12:1`. -/
example : (Layout.coalesce ⟨[⟨2, 1⟩, ⟨1, 6⟩, ⟨6, 2⟩], .node [.leaf (), .node [.leaf (), .leaf ()]]⟩).modes
    = [⟨12, 1⟩] := by decide +kernel
/-- A row-major matrix does not coalesce: `(2,3):(3,1)` has no packed neighbours. -/
example : Coalesced [⟨2, 3⟩, ⟨3, 1⟩] := by simp [Coalesced]
/-- `()` coalesces to `1:0`. -/
example : Layout.coalesce ⟨[], .node []⟩ = ⟨[⟨1, 0⟩], .leaf ()⟩ := rfl

end FlatLayout

end Razorgirl
