module

public import Razorgirl.Spec.Category.Tuple
public import Razorgirl.Thm.Layout.Injective

@[expose] public section

/-!
# Morphisms of tuples: a category, and its realization

The laws of a category, what an encoded layout is as a function, and that composing morphisms composes layouts.
-/

namespace Razorgirl

namespace Category

namespace TupleAux

/-- What a function gives at the places 1 to `n`. -/
def listed (n : Nat) (g : Nat → Nat) : List Nat := (List.range n).map fun j => g (j + 1)

theorem listed_succ (n : Nat) (g : Nat → Nat) : listed (n + 1) g = g 1 :: listed n fun j => g (j + 1) := by
  simp only [listed, List.range_succ_eq_map, List.map_cons, List.map_map]
  rfl

theorem listed_zero (n : Nat) : listed n (fun _ => 0) = List.replicate n 0 := by
  simp only [listed, List.map_const', List.length_range]

theorem nth_nil (d v : Nat) : nth d [] v = d := by cases v <;> rfl

theorem nth_zero (d : Nat) (l : List Nat) : nth d l 0 = d := by cases l <;> rfl

theorem nth_succ (d x : Nat) (l : List Nat) (v : Nat) : nth d (x :: l) (v + 2) = nth d l (v + 1) := rfl

theorem nth_map (h : Nat → Nat) (h0 : h 0 = 0) (l : List Nat) (v : Nat) : nth 0 (l.map h) v = h (nth 0 l v) := by
  induction l generalizing v with
  | nil => simp [nth_nil, h0]
  | cons x l ih =>
    match v with
    | 0 => simp [nth_zero, h0]
    | 1 => rfl
    | v + 2 => exact ih (v + 1)

/-- One more entry adds its place's stride. -/
theorem eval_listed (L : FlatLayout) (v x : Nat) (g : Nat → Nat) (hg : v ≠ 0 → g v = 0) :
    FlatLayout.eval L (listed L.length fun j => if v = j then x else g j) =
      x * nth 0 L.strides v + FlatLayout.eval L (listed L.length g) := by
  induction L generalizing v g with
  | nil => simp [FlatLayout.eval, FlatLayout.strides, nth_nil]
  | cons m L ih =>
    simp only [List.length_cons, listed_succ, FlatLayout.eval_cons, FlatLayout.strides, List.map_cons]
    match v with
    | 0 => simp [nth_zero]
    | 1 =>
      have := hg (by omega)
      simp only [if_pos, this, Nat.zero_mul, Nat.zero_add]
      have h : (listed L.length fun j => if 1 = j + 1 then x else g (j + 1)) = listed L.length fun j => g (j + 1) := by
        simp only [listed]
        refine List.map_congr_left fun j _ => ?_
        simp
      rw [h]; rfl
    | v + 2 =>
      have h := ih (v + 1) (fun j => g (j + 1)) (fun _ => hg (by omega))
      have e : (listed L.length fun j => if v + 2 = j + 1 then x else g (j + 1))
          = listed L.length fun j => if v + 1 = j then x else g (j + 1) := by
        simp only [listed]
        refine List.map_congr_left fun j _ => ?_
        simp only [Nat.add_right_cancel_iff, show ∀ a b : Nat, (a + 2 = b + 1 + 1) = (a + 1 = b + 1) from by intros; simp]
      rw [e, h, nth_succ]
      simp only [FlatLayout.strides]
      have : (if v + 2 = 1 then x else g 1) = g 1 := by simp
      rw [this]
      omega

theorem moved_nil (j : Nat) (c : List Nat) : TupleMorphism.moved j [] c = 0 := rfl

theorem moved_nil_right (j : Nat) (α : List Nat) : TupleMorphism.moved j α [] = 0 := by cases α <;> rfl

theorem moved_of_not_mem {j : Nat} : {α : List Nat} → (c : List Nat) → α.contains j = false → TupleMorphism.moved j α c = 0
  | [], _, _ => rfl
  | _ :: _, [], _ => rfl
  | v :: α, c :: cs, h => by
    simp only [List.contains_cons, Bool.or_eq_false_iff, beq_eq_false_iff_ne] at h
    simp only [TupleMorphism.moved, if_neg (Ne.symm h.1)]
    exact moved_of_not_mem cs h.2

/-- What a layout of the codomain gives for a moved coordinate: each entry counts with the stride of its image. -/
theorem eval_moved (L : FlatLayout) : (S α c : List Nat) → S.length = α.length → once α = true →
    FlatLayout.eval L (listed L.length fun j => TupleMorphism.moved j α c) =
      FlatLayout.eval (S.zipWith Mode.mk (α.map (nth 0 L.strides))) c
  | S, [], c, _, _ => by simp [moved_nil, listed_zero, FlatLayout.eval_replicate_zero, FlatLayout.eval_nil]
  | [], _ :: _, _, h, _ => by simp at h
  | s :: S, v :: α, [], _, _ => by
    simp [moved_nil_right, listed_zero, FlatLayout.eval_replicate_zero, FlatLayout.eval_nil_right]
  | s :: S, v :: α, c :: cs, h, hα => by
    simp only [once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true'] at hα
    have hg : v ≠ 0 → TupleMorphism.moved v α cs = 0 := fun hv =>
      moved_of_not_mem cs (hα.1.resolve_left hv)
    have ih := eval_moved L S α cs (by simpa using h) hα.2
    have e := eval_listed L v c (fun j => TupleMorphism.moved j α cs) hg
    simp only [List.map_cons, List.zipWith_cons_cons, FlatLayout.eval_cons, ← ih, ← e]
    rfl

end TupleAux

open TupleAux

namespace TupleMorphism

theorem move_eq_listed (f : TupleMorphism) (c : List Nat) :
    f.move c = listed f.codomain.length fun j => moved j f.map c := by
  simp only [move, FinMap.identity, listed, List.map_map]
  rfl

theorem length_map_of_matches {T : List Nat} : {S α : List Nat} → Matches T S α → S.length = α.length
  | [], [], _ => rfl
  | [], _ :: _, h => by simp [Matches] at h
  | _ :: _, [], h => by simp [Matches] at h
  | _ :: _, _ :: _, h => by simp [length_map_of_matches h.2]

theorem strides_columnMajor (d : Nat) (T : List Nat) (v : Nat) :
    nth 0 (FlatLayout.strides (FlatLayout.columnMajor d T)) v = d * stride T v := by
  induction T generalizing d v with
  | nil => simp [FlatLayout.columnMajor, FlatLayout.strides, nth_nil, stride]
  | cons t T ih =>
    match v with
    | 0 => simp [nth_zero, stride]
    | 1 => simp [FlatLayout.columnMajor, FlatLayout.strides, nth, stride]
    | v + 2 =>
      have := ih (t * d) (v + 1)
      simp only [FlatLayout.columnMajor, FlatLayout.strides, List.map_cons, nth_succ, stride] at this ⊢
      rw [this]
      grind

theorem stride_zero (T : List Nat) : stride T 0 = 0 := by cases T <;> rfl

theorem length_columnMajor (d : Nat) (T : List Nat) : (FlatLayout.columnMajor d T).length = T.length := by
  induction T generalizing d with
  | nil => rfl
  | cons t T ih => simp [FlatLayout.columnMajor, ih]

theorem shape_zipWith : {S D : List Nat} → S.length = D.length → FlatLayout.shape (S.zipWith Mode.mk D) = S
  | [], _, _ => rfl
  | _ :: _, [], h => by simp at h
  | s :: S, d :: D, h => by
    have := shape_zipWith (S := S) (D := D) (by simpa using h)
    simp only [FlatLayout.shape, List.zipWith_cons_cons, List.map_cons] at this ⊢
    rw [this]

theorem strides_zipWith : {S D : List Nat} → S.length = D.length → FlatLayout.strides (S.zipWith Mode.mk D) = D
  | [], [], _ => rfl
  | [], _ :: _, h => by simp at h
  | _ :: _, [], h => by simp at h
  | s :: S, d :: D, h => by
    have := strides_zipWith (S := S) (D := D) (by simpa using h)
    simp only [FlatLayout.strides, List.zipWith_cons_cons, List.map_cons] at this ⊢
    rw [this]

theorem shape_encodedLayout {f : TupleMorphism} (h : f.Valid) : f.encodedLayout.shape = f.domain :=
  shape_zipWith (by simp [length_map_of_matches h.2.2.2])

theorem strides_encodedLayout {f : TupleMorphism} (h : f.Valid) :
    f.encodedLayout.strides = f.map.map (stride f.codomain) :=
  strides_zipWith (by simp [length_map_of_matches h.2.2.2])

/-- **Moving the entries of a coordinate to their images and counting in the codomain is the encoded layout.**
Rust: `razorgirl::category::TupleMorphism::realization`
Source: Categorical Foundations 3.1.4.5 -/
theorem crd2idx_move {f : TupleMorphism} (h : f.Valid) (c : List Nat) :
    crd2idx f.codomain (f.move c) = FlatLayout.eval f.encodedLayout c := by
  have e := FlatLayout.eval_columnMajor 1 f.codomain (f.move c)
  rw [Nat.one_mul] at e
  rw [← e, move_eq_listed, ← length_columnMajor 1 f.codomain,
    eval_moved _ f.domain f.map c (length_map_of_matches h.2.2.2) h.2.2.1.2]
  congr 2
  refine List.map_congr_left fun v _ => ?_
  rw [strides_columnMajor, Nat.one_mul]

/-- **The realization of a morphism is the function of its encoded layout, at every index.**
Rust: `razorgirl::category::TupleMorphism::realization`, `razorgirl::category::TupleMorphism::encoded_layout`
Source: Categorical Foundations 3.1.4.5 -/
theorem realization_eq {f : TupleMorphism} (h : f.Valid) (x : Nat) :
    f.realization x = FlatLayout.atIndex f.encodedLayout x := by
  rw [realization, crd2idx_move h, FlatLayout.atIndex, shape_encodedLayout h]

/-! ## Composition -/

theorem comp_eq_some {f g h : TupleMorphism} (hc : f.comp g = some h) :
    f.codomain = g.domain ∧ h = ⟨f.domain, g.codomain, f.map.map (nth 0 g.map)⟩ := by
  simp only [comp] at hc
  split at hc
  · exact ⟨‹_›, (Option.some.inj hc).symm⟩
  · cases hc

theorem eval_comp {f g h : TupleMorphism} (hf : f.Valid) (hg : g.Valid) (hc : f.comp g = some h) (c : List Nat) :
    FlatLayout.eval h.encodedLayout c = FlatLayout.eval g.encodedLayout (f.move c) := by
  obtain ⟨hT, rfl⟩ := comp_eq_some hc
  have hl : g.encodedLayout.length = f.codomain.length := by
    rw [hT, ← shape_encodedLayout hg, FlatLayout.shape, List.length_map]
  rw [move_eq_listed, ← hl, eval_moved _ f.domain f.map c (length_map_of_matches hf.2.2.2) hf.2.2.1.2]
  simp only [encodedLayout, List.map_map]
  congr 2
  refine List.map_congr_left fun v _ => ?_
  have hs := strides_encodedLayout hg
  simp only [encodedLayout] at hs
  rw [hs, nth_map _ (stride_zero _)]
  rfl

theorem pos_nth {T : List Nat} (hT : ∀ t ∈ T, 0 < t) : {j : Nat} → j ≠ 0 → j ≤ T.length → 0 < nth 0 T j := by
  induction T with
  | nil => intro j h0 h; simp at h; exact absurd h h0
  | cons t T ih =>
    intro j h0 h
    match j with
    | 0 => exact absurd rfl h0
    | 1 => exact hT t (by simp)
    | j + 2 => exact ih (fun t ht => hT t (by simp [ht])) (by omega) (by simpa using h)

theorem moved_lt {T : List Nat} (hT : ∀ t ∈ T, 0 < t) {j : Nat} (h0 : j ≠ 0) (hj : j ≤ T.length) :
    {S α c : List Nat} → Matches T S α → InBounds S c → moved j α c < nth 0 T j
  | [], [], _, _, _ => pos_nth hT h0 hj
  | [], _ :: _, _, h, _ => by simp [Matches] at h
  | _ :: _, [], _, h, _ => by simp [Matches] at h
  | _ :: _, _ :: _, [], _, hc => by simp [InBounds] at hc
  | s :: S, v :: α, c :: cs, h, hc => by
    simp only [moved]
    split
    · rename_i hv
      rw [← hv, h.1.resolve_left (hv ▸ h0)]
      exact hc.1
    · exact moved_lt hT h0 hj h.2 hc.2

theorem inBounds_listed : {T : List Nat} → {g : Nat → Nat} → (∀ j, j ≠ 0 → j ≤ T.length → g j < nth 0 T j) →
    InBounds T (listed T.length g)
  | [], _, _ => trivial
  | t :: T, g, h => by
    rw [List.length_cons, listed_succ]
    refine ⟨h 1 (by omega) (by simp), inBounds_listed fun j h0 hj => ?_⟩
    have := h (j + 1) (by omega) (by simpa using hj)
    match j with
    | 0 => exact absurd rfl h0
    | j + 1 => exact this

theorem inBounds_move {f : TupleMorphism} (h : f.Valid) {c : List Nat} (hc : InBounds f.domain c) :
    InBounds f.codomain (f.move c) := by
  rw [move_eq_listed]
  exact inBounds_listed fun j h0 hj => moved_lt h.2.1 h0 hj h.2.2.2 hc

/-! ## A category -/

theorem nth_mem {l : List Nat} {v : Nat} (h : nth 0 l v ≠ 0) : l.contains (nth 0 l v) = true := by
  induction l generalizing v with
  | nil => exact absurd (nth_nil 0 v) h
  | cons x l ih =>
    match v with
    | 0 => exact absurd rfl h
    | 1 => simp [nth]
    | v + 2 =>
      rw [nth_succ] at h ⊢
      rw [List.contains_cons, ih h, Bool.or_true]

theorem nth_injective {l : List Nat} (hl : once l = true) {v w : Nat} (h : nth 0 l v = nth 0 l w) (h0 : nth 0 l v ≠ 0) : v = w := by
  induction l generalizing v w with
  | nil => exact absurd (nth_nil 0 v) h0
  | cons x l ih =>
    simp only [once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true'] at hl
    match v, w with
    | 0, _ => exact absurd (nth_zero 0 _) h0
    | _ + 1, 0 => exact absurd (h.trans (nth_zero 0 _)) h0
    | 1, 1 => rfl
    | 1, w + 2 =>
      have e : x = nth 0 l (w + 1) := h
      have hx : x ≠ 0 := h0
      have := nth_mem (l := l) (v := w + 1) (e ▸ hx)
      rw [← e, hl.1.resolve_left hx] at this
      cases this
    | v + 2, 1 =>
      have e : nth 0 l (v + 1) = x := h
      have hx : nth 0 l (v + 1) ≠ 0 := h0
      have := nth_mem hx
      rw [e, hl.1.resolve_left (e ▸ hx)] at this
      cases this
    | v + 2, w + 2 =>
      have := ih hl.2 (v := v + 1) (w := w + 1) h h0
      omega

theorem once_map {α β : List Nat} (hα : once α = true) (hβ : once β = true) : once (α.map (nth 0 β)) = true := by
  induction α with
  | nil => rfl
  | cons v α ih =>
    simp only [once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true'] at hα
    simp only [List.map_cons, once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true']
    refine ⟨?_, ih hα.2⟩
    by_cases h0 : nth 0 β v = 0
    · exact .inl h0
    · refine .inr (Bool.eq_false_iff.mpr fun hm => ?_)
      obtain ⟨w, hw, e⟩ := List.mem_map.mp (List.contains_iff_mem.mp hm)
      have := nth_injective hβ e.symm h0
      subst this
      rcases hα.1 with h | h
      · exact h0 (h ▸ nth_zero 0 β)
      · exact absurd (List.contains_iff_mem.mpr hw) (by rw [h]; decide)

theorem matches_nth {U : List Nat} : {T β : List Nat} → Matches U T β → (v : Nat) →
    nth 0 β v = 0 ∨ nth 0 U (nth 0 β v) = nth 0 T v
  | [], [], _, v => .inl (nth_nil 0 v)
  | [], _ :: _, h, _ => by simp [Matches] at h
  | _ :: _, [], h, _ => by simp [Matches] at h
  | t :: T, b :: β, h, v =>
    match v with
    | 0 => .inl (nth_zero 0 _)
    | 1 => h.1
    | v + 2 => matches_nth h.2 (v + 1)

theorem matches_comp {T U β : List Nat} (hβ : Matches U T β) : {S α : List Nat} → Matches T S α →
    Matches U S (α.map (nth 0 β))
  | [], [], _ => trivial
  | [], _ :: _, h => by simp [Matches] at h
  | _ :: _, [], h => by simp [Matches] at h
  | s :: S, v :: α, h => by
    refine ⟨?_, matches_comp hβ h.2⟩
    rcases matches_nth hβ v with h' | h'
    · exact .inl h'
    · rcases h.1 with hv | hv
      · exact .inl (hv ▸ nth_zero 0 β)
      · exact .inr (h'.trans hv)

theorem nth_le {l : List Nat} {n : Nat} (h : ∀ v ∈ l, v ≤ n) (v : Nat) : nth 0 l v ≤ n := by
  by_cases h0 : nth 0 l v = 0
  · omega
  · exact h _ (List.contains_iff_mem.mp (nth_mem h0))

/-- **What composes two morphisms is one.**
Rust: `razorgirl::category::TupleMorphism::compose`
Source: Categorical Foundations 3.1.1 -/
theorem valid_comp {f g h : TupleMorphism} (hf : f.Valid) (hg : g.Valid) (hc : f.comp g = some h) : h.Valid := by
  obtain ⟨hT, rfl⟩ := comp_eq_some hc
  refine ⟨hf.1, hg.2.1, ⟨fun v hv => ?_, once_map hf.2.2.1.2 hg.2.2.1.2⟩, matches_comp hg.2.2.2 (hT ▸ hf.2.2.2)⟩
  obtain ⟨w, _, rfl⟩ := List.mem_map.mp hv
  exact nth_le hg.2.2.1.1 w

/-- **Two morphisms compose exactly where the codomain of the one is the domain of the other.**
Rust: `razorgirl::category::TupleMorphism::compose`
Source: Categorical Foundations 3.1.1 -/
theorem comp_isSome_iff (f g : TupleMorphism) : (f.comp g).isSome = true ↔ f.codomain = g.domain := by
  simp only [comp]
  split <;> simp_all

/-- **Composition is associative.**
Rust: `razorgirl::category::TupleMorphism::compose`
Source: Categorical Foundations 3.1.1 -/
theorem comp_assoc {f g h fg gh : TupleMorphism} (hfg : f.comp g = some fg) (hgh : g.comp h = some gh) :
    fg.comp h = f.comp gh := by
  obtain ⟨h1, rfl⟩ := comp_eq_some hfg
  obtain ⟨h2, rfl⟩ := comp_eq_some hgh
  simp only [comp, h1, h2, if_pos, List.map_map]
  congr 2
  refine List.map_congr_left fun v _ => ?_
  exact (nth_map _ (nth_zero 0 _) g.map v).symm

theorem nth_listed (n : Nat) (g : Nat → Nat) (v : Nat) (h0 : v ≠ 0) (hv : v ≤ n) : nth 0 (listed n g) v = g v := by
  induction n generalizing g v with
  | zero => omega
  | succ n ih =>
    rw [listed_succ]
    match v with
    | 0 => exact absurd rfl h0
    | 1 => rfl
    | v + 2 => exact ih (fun j => g (j + 1)) (v + 1) (by omega) (by omega)

theorem listed_nth (l : List Nat) : listed l.length (nth 0 l) = l := by
  induction l with
  | nil => rfl
  | cons x l ih =>
    rw [List.length_cons, listed_succ]
    congr 1

/-- **The identity changes nothing, on either side.**
Rust: `razorgirl::category::TupleMorphism::identity`
Source: Categorical Foundations 3.1.1 -/
theorem comp_identity {f : TupleMorphism} (h : f.Valid) :
    (identity f.domain).comp f = some f ∧ f.comp (identity f.codomain) = some f := by
  have hl := length_map_of_matches h.2.2.2
  refine ⟨?_, ?_⟩
  · simp only [comp, identity, FinMap.identity, if_pos, List.map_map]
    congr
    rw [hl]
    exact listed_nth f.map
  · simp only [comp, identity, FinMap.identity, if_pos]
    congr
    refine (List.map_congr_left (g := id) fun v hv => ?_).trans (List.map_id _)
    by_cases h0 : v = 0
    · simp [h0, nth_zero]
    · exact nth_listed _ id v h0 (h.2.2.1.1 v hv)

/-! ## The realization is a functor -/

/-- **The realization of a composite is the composite of the realizations.**
Rust: `razorgirl::category::TupleMorphism::compose`, `razorgirl::category::TupleMorphism::realization`
Source: Categorical Foundations 3.1.4 -/
theorem realization_comp {f g h : TupleMorphism} (hf : f.Valid) (hg : g.Valid) (hc : f.comp g = some h) (x : Nat) :
    h.realization x = g.realization (f.realization x) := by
  have hh := valid_comp hf hg hc
  obtain ⟨hT, e⟩ := comp_eq_some hc
  have hd : h.domain = f.domain := by rw [e]
  rw [realization_eq hh, FlatLayout.atIndex, shape_encodedLayout hh, hd, eval_comp hf hg hc, ← crd2idx_move hg]
  simp only [realization]
  rw [← hT, idx2crd_crd2idx (inBounds_move hf (inBounds_idx2crd hf.1 x))]

/-- **The offsets of the encoded layout lie in the codomain.**
Rust: `razorgirl::category::TupleMorphism::realization`
Source: Categorical Foundations 3.1.4 -/
theorem realization_lt {f : TupleMorphism} (h : f.Valid) (x : Nat) : f.realization x < prod f.codomain :=
  crd2idx_lt (inBounds_move h (inBounds_idx2crd h.1 x))

end TupleMorphism

end Category

end Razorgirl
