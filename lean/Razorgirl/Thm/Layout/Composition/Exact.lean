module

public import Razorgirl.Thm.Layout.Composition.Generic

@[expose] public section

/-!
# Digit composition is exact

It looks at shapes only, and refuses nothing that exists for all strides: if a mode of B does not split, or
digits carry, then there are strides of A's coalesced shape for which A and B have no composite. One such choice
of strides, powers of the size, decides.
-/

namespace Razorgirl

open FlatLayout FlatLayout.Aux

theorem splitModes_of_findModes {M : List Nat} {B : FlatLayout} (hB : Valid B)
    (hdom : cosizeFormula B ≤ prod M) : {gs : List FlatLayout} →
    Layout.findModes (ofShape M (powers (prod M) 1 M.length)) B = some gs →
    ∃ ps, splitModes M B = some ps ∧
      cosizeFormula (Layout.ofDigits (powers (prod M) 1 M.length) (pieces ps)) =
        cosizeFormula gs.flatten := by
  induction B with
  | nil => intro gs h; cases h; exact ⟨[], rfl, rfl⟩
  | cons m B ih =>
    intro gs h
    rw [cosizeFormula] at hdom
    have hpos := cosizeFormula_pos B
    rw [Layout.findModes] at h
    split at h
    · rename_i g gs' hg hgs
      cases h
      obtain ⟨qs, h1, h2⟩ := ih hB.2 (by omega) hgs
      have hc : findLayout (fun k => atIndex (ofShape M (powers (prod M) 1 M.length)) (k * m.stride)) m.extent =
          findLayout (fun x => dot (digits M (x * m.stride)) (powers (prod M) 1 M.length)) m.extent :=
        findLayout_congr fun x hx => by
          have : x * m.stride ≤ (m.extent - 1) * m.stride := Nat.mul_le_mul_right _ (by omega)
          exact atIndex_ofShape (length_powers _ _ _) (by omega)
      rw [hc] at hg
      obtain ⟨p, h3, h4⟩ := splitMode_of_findLayout hB.1 (by omega) hg
      refine ⟨p :: qs, by rw [splitModes, h3, h1], ?_⟩
      have h5 := cosizeFormula_append (Layout.ofDigits (powers (prod M) 1 M.length) p)
        (Layout.ofDigits (powers (prod M) 1 M.length) (pieces qs))
      have h6 := cosizeFormula_append g gs'.flatten
      rw [pieces, ofDigits_append, List.flatten_cons]
      omega
    · cases h

theorem atIndex_coalesceGroups (gs : List FlatLayout) (x : Nat) :
    atIndex (gs.map coalesce).flatten x = atIndex gs.flatten x := by
  induction gs generalizing x with
  | nil => rfl
  | cons g gs ih =>
    rw [List.map_cons, List.flatten_cons, List.flatten_cons, atIndex_append, atIndex_append, ih, coalesce_size,
      coalesce_atIndex]

/-- If groups exist for the generic strides, digit composition succeeds. -/
theorem digitComposition_of_groups {M : List Nat} {B : FlatLayout} (hB : Valid B)
    (hdom : cosizeFormula B ≤ prod M) {gs : List FlatLayout} (hg : Layout.SizesMatch B gs)
    (hf : ∀ x, x < size B → atIndex gs.flatten x =
      atIndex (ofShape M (powers (prod M) 1 M.length)) (atIndex B x)) :
    (digitComposition M B).isSome = true := by
  obtain ⟨ps, h1, h2⟩ := splitModes_of_findModes hB hdom (Layout.findModes_complete hg hf)
  obtain ⟨h3, _, h5, _⟩ := splitModes_spec hB hdom h1
  have hlast := atIndex_last (L := (gs.map coalesce).flatten) hg.coalesce.valid
  have hBlast := atIndex_last hB
  have hload := crd2idx_load h3
  have hdot := dot_load (powers (prod M) 1 M.length) h3
  have hpos := Valid.size_pos hB
  rw [hg.coalesce.size_eq, atIndex_coalesceGroups, hf _ (by omega),
    atIndex_ofShape (length_powers _ _ _) (by omega)] at hlast
  have hb : below M (load M (pieces ps)) = true := by
    refine below_of_dot_eq (length_load h3) (by omega) ?_
    rw [show crd2idx M (load M (pieces ps)) = atIndex B (size B - 1) by omega]
    omega
  rw [digitComposition, h1]
  simp [hb]

namespace Layout
open Layout.Aux

/-- **Digit composition accepts B over a shape M exactly when a composite exists for all strides of M.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.7.1, Shah 2.18 (repaired: `Layout.three_modes_carry`), CuTe `composition`; the criterion is ours -/
theorem digitComposition_isSome_iff {M : List Nat} {B : Layout} (hB : B.Valid)
    (hdom : cosizeFormula B.modes ≤ prod M) :
    (digitComposition M B.modes).isSome = true ↔
      ∀ D, D.length = M.length → ∃ R, IsComposite (ofFlat (ofShape M D)) B R := by
  constructor
  · intro h D hD
    obtain ⟨ps, hps⟩ := Option.isSome_iff_exists.1 h
    have ⟨h1, h2⟩ := digitComposition_spec hB.2 hdom hps D
    refine ⟨_, (isComposite_iff_groups hB).2 ⟨_, h1, rfl, fun x hx => ?_⟩⟩
    have hlt := (atIndex_lt_iff hB.2).2 hdom x hx
    exact ⟨by rw [Layout.size, ofFlat, size_ofShape hD]; exact hlt, by
      rw [h2, ofFlat, atIndex_ofShape hD hlt]⟩
  · intro h
    obtain ⟨R, hR⟩ := h _ (length_powers (prod M) 1 M.length)
    obtain ⟨gs, hg, _, hf⟩ := (isComposite_iff_groups hB).1 hR
    exact digitComposition_of_groups hB.2 hdom hg fun x hx => (hf x hx).2

/-- **One choice of strides decides: digit composition accepts exactly when a composite exists for powers of the size of
A as strides.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.7.1; ours -/
theorem digitComposition_isSome_iff_generic {M : List Nat} {B : Layout} (hB : B.Valid)
    (hdom : cosizeFormula B.modes ≤ prod M) :
    (digitComposition M B.modes).isSome = true ↔
      ∃ R, IsComposite (ofFlat (ofShape M (powers (prod M) 1 M.length))) B R := by
  constructor
  · intro h
    exact (digitComposition_isSome_iff hB hdom).1 h _ (length_powers _ _ _)
  · rintro ⟨R, hR⟩
    obtain ⟨gs, hg, _, hf⟩ := (isComposite_iff_groups hB).1 hR
    exact digitComposition_of_groups hB.2 hdom hg fun x hx => (hf x hx).2

theorem composition_isSome_iff_digits {A B : Layout} : (composition A B).isSome = true ↔
    cosizeFormula B.modes ≤ A.size ∧
      (digitComposition (FlatLayout.shape (FlatLayout.coalesce A.modes)) B.modes).isSome = true := by
  rw [composition]
  split
  · rename_i h
    cases digitComposition (FlatLayout.shape (FlatLayout.coalesce A.modes)) B.modes <;> simp [h]
  · rename_i h
    simp [h]

theorem prod_shape_coalesce (A : Layout) :
    prod (FlatLayout.shape (FlatLayout.coalesce A.modes)) = A.size := FlatLayout.coalesce_size A.modes

/-- **Strict composition accepts exactly when a composite exists for all strides of A's coalesced shape.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.7.1, Shah 2.18 (repaired: `Layout.three_modes_carry`), CuTe `composition`; the criterion is ours -/
theorem composition_isSome_iff {A B : Layout} (hB : B.Valid) : (composition A B).isSome = true ↔
    ∀ D, D.length = (FlatLayout.coalesce A.modes).length →
      ∃ R, IsComposite (ofFlat (ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D)) B R := by
  rw [composition_isSome_iff_digits, ← length_shape (FlatLayout.coalesce A.modes), ← prod_shape_coalesce A]
  constructor
  · rintro ⟨h1, h2⟩
    exact (digitComposition_isSome_iff hB h1).1 h2
  · intro h
    have hdom : cosizeFormula B.modes ≤ prod (FlatLayout.shape (FlatLayout.coalesce A.modes)) := by
      have hl := length_powers 1 1 (FlatLayout.shape (FlatLayout.coalesce A.modes)).length
      obtain ⟨R, hR⟩ := h _ hl
      have := isComposite_domain hB hR
      rwa [Layout.size, ofFlat, size_ofShape hl] at this
    exact ⟨hdom, (digitComposition_isSome_iff hB hdom).2 h⟩

/-- **A refusal of strict composition inside A's domain is never spurious: some strides of A's coalesced shape
have no composite with B at all.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.7.1; ours -/
theorem exists_strides_of_composition_eq_none {A B : Layout} (hB : B.Valid)
    (hdom : cosizeFormula B.modes ≤ A.size) (h : composition A B = none) :
    ∃ D, D.length = (FlatLayout.coalesce A.modes).length ∧
      ¬ ∃ R, IsComposite (ofFlat (ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D)) B R := by
  refine ⟨_, (length_powers A.size 1 _), fun he => ?_⟩
  have := composition_isSome_iff_digits (A := A) (B := B)
  rw [h] at this
  have h2 := (digitComposition_isSome_iff_generic hB (prod_shape_coalesce A ▸ hdom)).2
    (by rw [prod_shape_coalesce, length_shape]; exact he)
  exact absurd (this.2 ⟨hdom, h2⟩) (by simp)

/-- **Where strict composition accepts, a composite exists for any other strides of A's coalesced shape, too.**
Rust: `razorgirl::Layout::composition`
Source: Colfax 2.3.7.1; ours -/
theorem exists_composite_of_composition {A B R : Layout} (hB : B.Valid) (h : composition A B = some R) {D : List Nat}
    (hD : D.length = (FlatLayout.coalesce A.modes).length) :
    ∃ R', IsComposite (ofFlat (ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D)) B R' :=
  (composition_isSome_iff hB).1 (by rw [h]; rfl) D hD

/-! ## CuTe's divisibility rule -/

theorem exists_of_strongDivisibility : {M D : List Nat} → D.length = M.length → {s d : Nat} → 0 < s →
    (s - 1) * d < prod M → strongDivisibility M s d = true →
    ∃ g, FlatLayout.Valid g ∧ FlatLayout.size g = s ∧
      ∀ x, x < s → FlatLayout.atIndex g x = FlatLayout.atIndex (ofShape M D) (x * d)
  | [], D, _, s, d, hs, hdom, _ => by
    refine ⟨[⟨s, 0⟩], ⟨hs, trivial⟩, by simp [FlatLayout.size_cons, FlatLayout.size_nil], fun x hx => ?_⟩
    rw [atIndex_singleton, Nat.mul_zero]
    rfl
  | [_], [], h, _, _, _, _, _ => by simp at h
  | [m], e :: D, _, s, d, hs, hdom, _ => by
    refine ⟨[⟨s, d * e⟩], ⟨hs, trivial⟩, by simp [FlatLayout.size_cons, FlatLayout.size_nil], fun x hx => ?_⟩
    have h1 : x * d ≤ (s - 1) * d := Nat.mul_le_mul_right _ (by omega)
    simp only [prod, Nat.mul_one] at hdom
    have : ofShape [m] (e :: D) = [⟨m, e⟩] := by simp [ofShape]
    rw [this, atIndex_singleton, atIndex_singleton, Nat.mod_eq_of_lt hx,
      Nat.mod_eq_of_lt (show x * d < m by omega), Nat.mul_assoc]
  | _ :: _ :: _, [], h, _, _, _, _, _ => by simp at h
  | m :: m' :: M, e :: D, h, s, d, hs, hdom, hr => by
    have hM := pos_of_lt_prod hdom
    have hm := hM m (by simp)
    have hD : D.length = (m' :: M).length := by simpa using h
    have hcons : ∀ y, FlatLayout.atIndex (ofShape (m :: m' :: M) (e :: D)) y =
        y % m * e + FlatLayout.atIndex (ofShape (m' :: M) D) (y / m) := fun y => atIndex_cons _ _ y
    rw [strongDivisibility] at hr
    split at hr
    · rename_i h0
      refine ⟨[⟨s, 0⟩], ⟨hs, trivial⟩, by simp [FlatLayout.size_cons, FlatLayout.size_nil], fun x hx => ?_⟩
      have h1 : x * d = 0 := by
        rcases h0 with h0 | h0
        · rw [show x = 0 by omega, Nat.zero_mul]
        · rw [h0, Nat.mul_zero]
      rw [h1, atIndex_zero, atIndex_singleton, Nat.mul_zero]
    · split at hr
      · rename_i h1
        obtain ⟨q, rfl⟩ : ∃ q, d = m * q := ⟨d / m, (Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero h1)).symm⟩
        rw [Nat.mul_div_cancel_left _ hm] at hr
        have hdom' : (s - 1) * q < prod (m' :: M) := by
          rw [prod, Nat.mul_left_comm] at hdom
          exact Nat.lt_of_mul_lt_mul_left hdom
        obtain ⟨g, h2, h3, h4⟩ := exists_of_strongDivisibility hD hs hdom' hr
        refine ⟨g, h2, h3, fun x hx => ?_⟩
        rw [h4 x hx, hcons, Nat.mul_left_comm, Nat.mul_mod_right, Nat.mul_div_cancel_left _ hm, Nat.zero_mul,
          Nat.zero_add]
      · split at hr
        · rename_i h0 h1 h2
          obtain ⟨t, rfl⟩ : ∃ t, m = d * t := ⟨m / d, (Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero h2)).symm⟩
          have hd : 0 < d := by omega
          have ht : 0 < t := Nat.pos_of_mul_pos_left hm
          rw [Nat.mul_div_cancel_left _ hd] at hr
          have hval : ∀ x, x * d % (d * t) = x % t * d ∧ x * d / (d * t) = x / t := fun x => by
            rw [Nat.mul_comm x d, Nat.mul_mod_mul_left, Nat.mul_div_mul_left _ _ hd, Nat.mul_comm d]
            exact ⟨rfl, rfl⟩
          split at hr
          · rename_i h3
            refine ⟨[⟨s, d * e⟩], ⟨hs, trivial⟩, by simp [FlatLayout.size_cons, FlatLayout.size_nil],
              fun x hx => ?_⟩
            rw [hcons, (hval x).1, (hval x).2, Nat.mod_eq_of_lt (by omega : x < t),
              Nat.div_eq_of_lt (by omega : x < t), atIndex_zero, atIndex_singleton, Nat.mod_eq_of_lt hx,
              Nat.mul_assoc, Nat.add_zero]
          · split at hr
            · rename_i h4
              obtain ⟨u, rfl⟩ : ∃ u, s = t * u :=
                ⟨s / t, (Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero h4)).symm⟩
              have hu : 0 < u := Nat.pos_of_mul_pos_left hs
              rw [Nat.mul_div_cancel_left _ ht] at hr
              have hdom' : (u - 1) * 1 < prod (m' :: M) := by
                rw [prod] at hdom
                have h5 : d * t * (u - 1) ≤ (t * u - 1) * d := by
                  have h6 : t * (u - 1) ≤ t * u - 1 := by rw [Nat.mul_sub, Nat.mul_one]; omega
                  rw [Nat.mul_assoc, Nat.mul_comm]
                  exact Nat.mul_le_mul_right d h6
                rw [Nat.mul_one]
                exact Nat.lt_of_mul_lt_mul_left (Nat.lt_of_le_of_lt h5 hdom)
              obtain ⟨g, h5, h6, h7⟩ := exists_of_strongDivisibility hD hu hdom' hr
              refine ⟨⟨t, d * e⟩ :: g, ⟨ht, h5⟩, by rw [FlatLayout.size_cons, h6], fun x hx => ?_⟩
              rw [hcons, (hval x).1, (hval x).2, atIndex_cons, h7 _ (Nat.div_lt_of_lt_mul hx), Nat.mul_one,
                Nat.mul_assoc]
            · cases hr
        · cases hr

/-- **CuTe's strong divisibility rule for one mode of B inside A's domain suffices: strict composition accepts
all that it accepts.**
Rust: `razorgirl::Layout::composition`
Source: CuTe `composition` (static checks of `composition_impl`); Cecka, stride and shape divisibility -/
theorem composition_isSome_of_strongDivisibility {A : Layout} {s d : Nat} (hs : 0 < s)
    (hdom : (s - 1) * d < A.size)
    (h : strongDivisibility (FlatLayout.shape (FlatLayout.coalesce A.modes)) s d = true) :
    (composition A ⟨[⟨s, d⟩], .leaf ()⟩).isSome = true := by
  have hB : (⟨[⟨s, d⟩], .leaf ()⟩ : Layout).Valid := ⟨rfl, hs, trivial⟩
  rw [composition_isSome_iff hB]
  intro D hD
  rw [← length_shape] at hD
  rw [← prod_shape_coalesce] at hdom
  obtain ⟨g, h1, h2, h3⟩ := exists_of_strongDivisibility hD hs hdom h
  refine ⟨_, (isComposite_iff_groups hB).2 ⟨[g], ⟨⟨h1, h2⟩, trivial⟩, rfl, fun x hx => ?_⟩⟩
  have hx : x < s := by simpa [Layout.size, FlatLayout.size_cons, FlatLayout.size_nil] using hx
  have hle : x * d ≤ (s - 1) * d := Nat.mul_le_mul_right _ (by omega)
  rw [atIndex_singleton, Nat.mod_eq_of_lt hx, Layout.size, ofFlat, size_ofShape hD]
  exact ⟨show x * d < _ by omega, by rw [List.flatten_cons, List.flatten_nil, List.append_nil, h3 x hx]⟩

end Layout

end Razorgirl
