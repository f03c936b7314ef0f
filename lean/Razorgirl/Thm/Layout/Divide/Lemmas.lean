module

public import Razorgirl.Data.Perm
public import Razorgirl.Spec.Layout.Divide
public import Razorgirl.Thm.Layout.Complement
public import Razorgirl.Thm.Layout.Complement.Nested
public import Razorgirl.Thm.Layout.Composition.Distribute

@[expose] public section

/-!
# What the proofs about division share

Offsets of concatenations up to their order, composites taken apart into the composites of the parts, and what may
be exchanged in the inner layout without losing the composite: the order of its modes, and coalescing some of them.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Offsets of concatenations -/

theorem offsets_append (A B : FlatLayout) :
    offsets (A ++ B) = (offsets B).flatMap fun b => (offsets A).map fun a => a + b := by
  simp only [offsets, size_append, range_mul, List.map_flatMap, List.flatMap_map, List.map_map]
  congr 1
  funext q
  refine List.map_congr_left fun k hk => ?_
  simp only [Function.comp_apply]
  rw [atIndex_append_add (List.mem_range.1 hk)]

/-- What one side does in another order, the concatenation does in another order. -/
theorem offsets_append_perm {A A' B B' : FlatLayout} (hA : (offsets A).Perm (offsets A'))
    (hB : (offsets B).Perm (offsets B')) : (offsets (A ++ B)).Perm (offsets (A' ++ B')) := by
  rw [offsets_append, offsets_append]
  exact (hB.flatMap_right _).trans (flatMap_perm_of_forall (fun b => hA.map _) _)

theorem size_eq_of_offsets_perm {A B : FlatLayout} (h : (offsets A).Perm (offsets B)) : size A = size B := by
  rw [← length_offsets, ← length_offsets, h.length_eq]

/-- The offsets of two layouts that complete each other are the numbers below N in some order. -/
theorem Completes.offsets_perm {A B : FlatLayout} {N : Nat} (h : Completes A B N) :
    (offsets (A ++ B)).Perm (List.range N) := by
  refine perm_of_nodup ((injective_iff_nodup _).1 h.1.1) List.nodup_range fun o => ?_
  obtain ⟨_, h2, h3⟩ := (completes_iff_exists_unique A B N).1 h
  rw [mem_offsets, List.mem_range]
  constructor
  · rintro ⟨x, hx, rfl⟩
    exact h2 x hx
  · intro ho
    obtain ⟨x, hx, _⟩ := h3 o ho
    exact ⟨x, hx⟩

/-! ## Groups -/

/-- There is a layout for each mode of `B` such that together they are `f` after `B`, and `B` stays below `n`. -/
def Grouped (f : Nat → Nat) (n : Nat) (B : FlatLayout) : Prop :=
  ∃ gs, Layout.SizesMatch B gs ∧ ∀ x, x < size B →
    atIndex B x < n ∧ atIndex gs.flatten x = f (atIndex B x)

theorem sizesMatch_append : {B C : FlatLayout} → {gs hs : List FlatLayout} → Layout.SizesMatch B gs →
    Layout.SizesMatch C hs → Layout.SizesMatch (B ++ C) (gs ++ hs)
  | [], _, [], _, _, h => h
  | [], _, _ :: _, _, h, _ => h.elim
  | _ :: _, _, [], _, h, _ => h.elim
  | _ :: _, _, _ :: _, _, h, h' => ⟨h.1, sizesMatch_append h.2 h'⟩

/-- Swapping two stretches of modes sends every index to another one with the same offset, in every layout with
these sizes. -/
theorem exists_swap (X P Q Y : FlatLayout) {x : Nat} (hx : x < size (X ++ (P ++ (Q ++ Y)))) :
    ∃ y, y < size (X ++ (Q ++ (P ++ Y))) ∧ ∀ X' P' Q' Y' : FlatLayout, size X' = size X → size P' = size P →
      size Q' = size Q → atIndex (X' ++ (P' ++ (Q' ++ Y'))) x = atIndex (X' ++ (Q' ++ (P' ++ Y'))) y := by
  have hv := valid_of_lt_size hx
  simp only [valid_append_iff] at hv
  have pX := hv.1.size_pos
  have pP := hv.2.1.size_pos
  have pQ := hv.2.2.1.size_pos
  simp only [size_append] at hx
  have h1 := Nat.mod_lt x pX
  have h2 := Nat.mod_lt (x / size X) pP
  have h3 := Nat.mod_lt (x / size X / size P) pQ
  have h4 : x / size X / size P / size Q < size Y := by
    refine Nat.div_lt_of_lt_mul (Nat.div_lt_of_lt_mul (Nat.div_lt_of_lt_mul ?_))
    exact hx
  refine ⟨x % size X + size X * (x / size X / size P % size Q + size Q * (x / size X % size P +
    size P * (x / size X / size P / size Q))), ?_, fun X' P' Q' Y' eX eP eQ => ?_⟩
  · simp only [size_append]
    generalize x % size X = a at *
    generalize x / size X % size P = b at *
    generalize x / size X / size P % size Q = c at *
    generalize x / size X / size P / size Q = d at *
    have e1 : b + size P * d < size P * size Y := by
      have := Nat.mul_le_mul_left (size P) h4
      rw [Nat.mul_succ] at this
      omega
    have e2 : c + size Q * (b + size P * d) < size Q * (size P * size Y) := by
      have := Nat.mul_le_mul_left (size Q) e1
      rw [Nat.mul_succ] at this
      omega
    have := Nat.mul_le_mul_left (size X) e2
    rw [Nat.mul_succ] at this
    omega
  · have e1 : x % size X < size X' := eX ▸ h1
    have e2 : x / size X / size P % size Q < size Q' := eQ ▸ h3
    have e3 : x / size X % size P < size P' := eP ▸ h2
    rw [← eX, ← eP, ← eQ] at *
    rw [atIndex_append_add e1, atIndex_append_add e2, atIndex_append_add e3, atIndex_append, atIndex_append,
      atIndex_append]
    omega

theorem Grouped.swap {f : Nat → Nat} {n : Nat} {X Y : FlatLayout} {p q : Mode}
    (h : Grouped f n (X ++ p :: q :: Y)) : Grouped f n (X ++ q :: p :: Y) := by
  obtain ⟨gs, hg, hf⟩ := h
  obtain ⟨gX, hs, rfl, h1, h2⟩ := sizesMatch_of_append hg
  match hs, h2 with
  | gp :: gq :: gY, h2 =>
    refine ⟨gX ++ gq :: gp :: gY, sizesMatch_append h1 ⟨h2.2.1, h2.1, h2.2.2⟩, fun x hx => ?_⟩
    obtain ⟨y, hy, e⟩ := exists_swap X [q] [p] Y hx
    have e1 := e X [q] [p] Y rfl rfl rfl
    have e2 := e gX.flatten gq gp gY.flatten h1.size_eq
      (by rw [h2.2.1.2, size_cons, size_nil, Nat.mul_one]) (by rw [h2.1.2, size_cons, size_nil, Nat.mul_one])
    simp only [List.singleton_append] at e1 hy
    simp only [List.flatten_append, List.flatten_cons] at hf ⊢
    rw [e1, e2]
    exact hf y hy

/-- The order of the modes does not matter to the existence of groups. -/
theorem Grouped.perm {f : Nat → Nat} {n : Nat} {B B' : FlatLayout} (hp : B.Perm B') :
    ∀ {X : FlatLayout}, Grouped f n (X ++ B) → Grouped f n (X ++ B') := by
  induction hp with
  | nil => exact id
  | cons m _ ih =>
    intro X h
    have := ih (X := X ++ [m]) (by simpa using h)
    simpa using this
  | swap m k L => exact fun h => h.swap
  | trans _ _ h1 h2 => exact fun h => h2 (h1 h)

theorem Grouped.push {f : Nat → Nat} {n : Nat} {X L : FlatLayout} {m : Mode} (h : Grouped f n (X ++ m :: L)) :
    Grouped f n (X ++ push m L) := by
  obtain ⟨gs, hg, hf⟩ := h
  obtain ⟨gX, hs, rfl, h1, h2⟩ := sizesMatch_of_append hg
  have key : ∀ hs', Layout.SizesMatch (FlatLayout.push m L) hs' →
      (∀ x, atIndex hs'.flatten x = atIndex hs.flatten x) → Grouped f n (X ++ FlatLayout.push m L) := by
    intro hs' h3 h4
    refine ⟨gX ++ hs', sizesMatch_append h1 h3, fun x hx => ?_⟩
    have hx' : x < size (X ++ m :: L) := by rwa [size_append, size_push, ← size_cons, ← size_append] at hx
    have := hf x hx'
    simp only [List.flatten_append, atIndex_append X, atIndex_append gX.flatten] at this ⊢
    rw [atIndex_push, h4]
    exact this
  match hs, h2 with
  | g :: hs, h2 =>
    have drop : m.extent = 1 → ∀ x, atIndex hs.flatten x = atIndex (g :: hs).flatten x := fun he x => by
      rw [List.flatten_cons, atIndex_append, h2.1.2, he, Nat.mod_one, Nat.div_one, atIndex_zero, Nat.zero_add]
    match L, hs, h2 with
    | [], [], h2 =>
      by_cases he : m.extent = 1
      · exact key [] (by rw [FlatLayout.push, if_pos he]; trivial) (drop he)
      · exact key [g] (by rw [FlatLayout.push, if_neg he]; exact h2) fun _ => rfl
    | k :: L, g' :: hs, h2 =>
      by_cases he : m.extent = 1
      · exact key _ (by rw [FlatLayout.push, if_pos he]; exact h2.2) (drop he)
      · by_cases hk : k.stride = m.extent * m.stride
        · refine key ((g ++ g') :: hs) ?_ fun x => by simp
          rw [FlatLayout.push, if_neg he, if_pos hk]
          exact ⟨⟨(valid_append_iff _ _).2 ⟨h2.1.1, h2.2.1.1⟩, by rw [size_append, h2.1.2, h2.2.1.2]⟩, h2.2.2⟩
        · exact key _ (by rw [FlatLayout.push, if_neg he, if_neg hk]; exact h2) fun _ => rfl

/-- Coalescing modes does not matter to the existence of groups. -/
theorem Grouped.coalesce {f : Nat → Nat} {n : Nat} : {X B : FlatLayout} → Grouped f n (X ++ B) →
    Grouped f n (X ++ coalesce B)
  | _, [], h => h
  | X, m :: B, h => by
    have := Grouped.coalesce (X := X ++ [m]) (B := B) (by simpa using h)
    rw [FlatLayout.coalesce]
    exact Grouped.push (by simpa using this)

theorem Grouped.nest {f : Nat → Nat} {n : Nat} {X : FlatLayout} : {B : FlatLayout} → Grouped f n (X ++ B) →
    Grouped f n (X ++ B.nest.modes)
  | [], h => by
    obtain ⟨gs, hg, hf⟩ := h
    rw [List.append_nil] at hg hf
    refine ⟨gs ++ [[]], sizesMatch_append hg ⟨⟨trivial, rfl⟩, trivial⟩, fun x hx => ?_⟩
    have hs : size (X ++ (FlatLayout.nest []).modes) = size X := by rw [size_append]; exact Nat.mul_one _
    have hx' : x < size X := hs ▸ hx
    have := hf x hx'
    rw [List.flatten_append, show ([[]] : List FlatLayout).flatten = [] from rfl, List.append_nil, atIndex_append,
      Nat.mod_eq_of_lt hx', Nat.div_eq_of_lt hx', atIndex_zero, Nat.add_zero]
    exact this
  | [_], h => h
  | _ :: _ :: _, h => h

end FlatLayout

namespace Layout
open HTuple FlatLayout Layout.Aux

/-! ## Composites of concatenations -/

theorem exists_composite_iff_grouped {A B : Layout} (hB : B.Valid) :
    (∃ R, IsComposite A B R) ↔ Grouped (atIndex A.modes) A.size B.modes := by
  constructor
  · rintro ⟨R, h⟩
    obtain ⟨gs, h1, _, h2⟩ := (isComposite_iff_groups hB).1 h
    exact ⟨gs, h1, h2⟩
  · rintro ⟨gs, h1, h2⟩
    exact ⟨_, (isComposite_iff_groups hB).2 ⟨gs, h1, rfl, h2⟩⟩

theorem exists_composites_of_groups {A : Layout} : (Bs : List Layout) → (∀ B ∈ Bs, B.Valid) →
    Grouped (atIndex A.modes) A.size (concatModes Bs) → ∃ Rs, Composites A Bs Rs
  | [], _, _ => ⟨[], trivial⟩
  | B :: Bs, hB, ⟨gs, hg, hf⟩ => by
    have hv : FlatLayout.Valid B.modes := (hB B (by simp)).2
    have hw := valid_concatModes fun C hC => hB C (List.mem_cons_of_mem B hC)
    rw [concatModes] at hg hf
    obtain ⟨gB, gC, rfl, h1, h2⟩ := sizesMatch_of_append hg
    have hs := h1.size_eq
    rw [size_append] at hf
    have hp := hv.size_pos
    have e1 : Grouped (atIndex A.modes) A.size B.modes := ⟨gB, h1, fun x hx => by
      have := hf x (Nat.lt_of_lt_of_le hx (Nat.le_mul_of_pos_right _ hw.size_pos))
      rwa [List.flatten_append, atIndex_append, atIndex_append, hs, Nat.mod_eq_of_lt hx, Nat.div_eq_of_lt hx,
        atIndex_zero, atIndex_zero, Nat.add_zero, Nat.add_zero] at this⟩
    have e2 : Grouped (atIndex A.modes) A.size (concatModes Bs) := ⟨gC, h2, fun y hy => by
      have := hf (FlatLayout.size B.modes * y) ((Nat.mul_lt_mul_left hp).2 hy)
      rwa [List.flatten_append, atIndex_append, atIndex_append, hs, Nat.mul_mod_right,
        Nat.mul_div_cancel_left _ hp, atIndex_zero, atIndex_zero, Nat.zero_add, Nat.zero_add] at this⟩
    obtain ⟨R, hR⟩ := (exists_composite_iff_grouped (hB B (by simp))).2 e1
    obtain ⟨Rs, hRs⟩ := exists_composites_of_groups Bs (fun C hC => hB C (by simp [hC])) e2
    exact ⟨R :: Rs, hR, hRs⟩

/-- **A composite with a concatenation is the concatenation of composites, one with each part.**
Rust: `razorgirl::Layout::composition`
Source: CuTe `composition` (mode by mode); Colfax 2.3.7.1 -/
theorem composites_of_isComposite_concat {A R : Layout} {Bs : List Layout} (hB : ∀ B ∈ Bs, B.Valid)
    (h : IsComposite A (concat Bs) R) : ∃ Rs, Composites A Bs Rs ∧ R = concat Rs := by
  obtain ⟨Rs, hRs⟩ := exists_composites_of_groups Bs hB
    ((exists_composite_iff_grouped (valid_concat hB)).1 ⟨R, h⟩)
  exact ⟨Rs, hRs, composite_concat hB hRs h⟩

/-- **What strict composition accepts of a concatenation, it accepts of each part.**
Rust: `razorgirl::Layout::composition`
Source: CuTe `composition` (mode by mode) -/
theorem composition_isSome_of_concat {A B : Layout} {Bs : List Layout} (hB : ∀ B ∈ Bs, B.Valid)
    (h : (composition A (concat Bs)).isSome = true) (hb : B ∈ Bs) : (composition A B).isSome = true := by
  rw [composition_isSome_iff (valid_concat hB)] at h
  refine (composition_isSome_iff (hB B hb)).2 fun D hD => ?_
  obtain ⟨R, hR⟩ := h D hD
  obtain ⟨Rs, hRs, -⟩ := composites_of_isComposite_concat hB hR
  clear hR h
  induction Bs generalizing Rs with
  | nil => simp at hb
  | cons C Bs ih =>
    match Rs, hRs with
    | S :: Rs, hRs =>
      rcases List.mem_cons.1 hb with rfl | hb
      · exact ⟨S, hRs.1⟩
      · exact ih (fun C hC => hB C (by simp [hC])) hb Rs hRs.2

/-- **A composite, called with any coordinate of B, is A at B's offset of that coordinate.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.7.1; Cecka, composition post-conditions; CuTe `composition` -/
theorem isComposite_call {A B R : Layout} (hB : B.Valid) (h : IsComposite A B R) {c : Coord} {o : Nat}
    (hc : B.call c = some o) : o < A.size ∧ R.call c = some (atIndex A.modes o) := by
  have hw : Coord.Within c B.shape := (isSome_call_iff B c).1 (by rw [hc]; rfl)
  rw [call_eq_atIndex hB] at hc
  rw [call_of_compatible h.1 (coarse := B.shape) (isComposite_refines h) (Coord.weaklyCongruent_of_within hw)]
  obtain ⟨x, hx, e⟩ := Option.map_eq_some_iff.1 hc
  have hlt := Coord.crd2idx_lt_size (positive_shape hB) hx
  rw [size_shape hB] at hlt
  have := h.2.2 x hlt
  rw [e] at this
  exact ⟨this.1, by rw [hx, Option.map_some, this.2]⟩

/-- A composite with a layout that runs once through all indices of A runs once through all offsets of A. -/
theorem isComposite_offsets_perm {A I R : Layout} (hI : I.Valid) (h : IsComposite A I R)
    (hp : (offsets I.modes).Perm (List.range A.size)) : (offsets R.modes).Perm (offsets A.modes) := by
  have e : offsets R.modes = (offsets I.modes).map (atIndex A.modes) := by
    rw [offsets, offsets, List.map_map]
    have : FlatLayout.size R.modes = FlatLayout.size I.modes := isComposite_size hI h
    rw [this]
    exact List.map_congr_left fun x hx => (h.2.2 x (List.mem_range.1 hx)).2
  rw [e]
  exact hp.map _

end Layout

end Razorgirl
