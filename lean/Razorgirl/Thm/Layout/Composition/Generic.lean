module

public import Razorgirl.Spec.Layout.Composition.Generic
public import Razorgirl.Thm.Int.Nat
public import Razorgirl.Thm.Layout.Composition

@[expose] public section

/-!
# Generic strides: lemmas

With the powers of a large base as strides, a dot product is a number written in that base, so it determines the
digit vector. For such strides of A the search for a layout along a mode of B takes the same steps as
`splitMode`.
-/

namespace Razorgirl

open FlatLayout FlatLayout.Aux

/-! ## A shape with strides -/

theorem shape_ofShape : {M D : List Nat} → D.length = M.length → shape (ofShape M D) = M
  | [], _, _ => rfl
  | _ :: _, [], h => by simp at h
  | m :: M, d :: D, h => by
    have := shape_ofShape (M := M) (D := D) (by simpa using h)
    rw [ofShape] at this
    rw [ofShape, List.zipWith_cons_cons, shape_cons, this]

theorem strides_ofShape : {M D : List Nat} → D.length = M.length → strides (ofShape M D) = D
  | [], [], _ => rfl
  | [], _ :: _, h => by simp at h
  | _ :: _, [], h => by simp at h
  | m :: M, d :: D, h => by
    have := strides_ofShape (M := M) (D := D) (by simpa using h)
    rw [ofShape] at this
    rw [ofShape, List.zipWith_cons_cons, strides_cons, this]

theorem size_ofShape {M D : List Nat} (h : D.length = M.length) : size (ofShape M D) = prod M := by
  rw [size, shape_ofShape h]

theorem ofShape_shape_strides (L : FlatLayout) : ofShape (shape L) (strides L) = L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    rw [ofShape] at ih
    rw [ofShape, shape_cons, strides_cons, List.zipWith_cons_cons, ih]

theorem atIndex_ofShape {M D : List Nat} (h : D.length = M.length) {x : Nat} (hx : x < prod M) :
    atIndex (ofShape M D) x = dot (digits M x) D := by
  rw [atIndex_eq_dot (by rwa [size_ofShape h]), shape_ofShape h, strides_ofShape h]

/-! ## Powers -/

theorem length_powers (N b n : Nat) : (powers N b n).length = n := by
  induction n generalizing b with
  | zero => rfl
  | succ n ih => rw [powers, List.length_cons, ih]

theorem dot_powers (N b : Nat) (v : List Nat) :
    dot v (powers N b v.length) = b * crd2idx (List.replicate v.length N) v := by
  induction v generalizing b with
  | nil => rfl
  | cons x v ih =>
    rw [List.length_cons, powers, dot, ih, List.replicate_succ, crd2idx]
    grind

theorem inBounds_replicate {N : Nat} {v : List Nat} (h : ∀ x ∈ v, x < N) :
    InBounds (List.replicate v.length N) v := by
  induction v with
  | nil => trivial
  | cons x v ih => exact ⟨h x (by simp), ih fun y hy => h y (by simp [hy])⟩

/-- A dot product with powers of `N` determines the entries below `N`. -/
theorem eq_of_dot_powers {N n : Nat} {v w : List Nat} (hv : v.length = n) (hw : w.length = n)
    (bv : ∀ x ∈ v, x < N) (bw : ∀ x ∈ w, x < N) (h : dot v (powers N 1 n) = dot w (powers N 1 n)) :
    v = w := by
  have h1 := dot_powers N 1 v
  have h2 := dot_powers N 1 w
  have iv := inBounds_replicate bv
  have iw := inBounds_replicate bw
  rw [hv] at h1 iv
  rw [hw] at h2 iw
  exact crd2idx_injective iv iw (by omega)

theorem pos_of_lt_prod {M : List Nat} {x : Nat} (h : x < prod M) : ∀ m ∈ M, 0 < m :=
  (prod_pos_iff M).1 (by omega)

theorem entry_lt_prod {M v : List Nat} (hv : v.length = M.length) (h : crd2idx M v < prod M) :
    ∀ x ∈ v, x < prod M := fun x hx =>
  Nat.lt_of_le_of_lt (le_crd2idx (pos_of_lt_prod h) hv x hx) h

theorem eq_nil_imp {M : List Nat} {x : Nat} (h : x < prod M) : M = [] → x = 0 := by
  rintro rfl
  simp only [prod] at h
  omega

/-- If the dot product with generic strides is that of the digits of the value, nothing carried. -/
theorem below_of_dot_eq {M v : List Nat} (hv : v.length = M.length) (h : crd2idx M v < prod M)
    (hd : dot v (powers (prod M) 1 M.length) =
      dot (digits M (crd2idx M v)) (powers (prod M) 1 M.length)) : below M v = true := by
  have e := crd2idx_digits M (crd2idx M v) (eq_nil_imp h)
  rw [eq_of_dot_powers hv (length_digits M _) (entry_lt_prod hv h)
    (entry_lt_prod (length_digits M _) (by rwa [e])) hd]
  exact below_digits M (pos_of_lt_prod h) _

/-! ## Where a digit wraps -/

theorem crd2idx_times (k : Nat) : (M v : List Nat) → crd2idx M (v.map (k * ·)) = k * crd2idx M v
  | [], _ => by simp [crd2idx]
  | _ :: _, [] => by simp [crd2idx]
  | s :: ss, x :: xs => by
    rw [List.map_cons, crd2idx, crd2idx, crd2idx_times k ss xs]
    grind

theorem dot_times (k : Nat) : (v D : List Nat) → dot (v.map (k * ·)) D = k * dot v D
  | [], _ => by simp [dot]
  | _ :: _, [] => by simp [dot_nil_right]
  | x :: xs, d :: D => by
    rw [List.map_cons, dot, dot, dot_times k xs D]
    grind

/-- `k` steps of `g` keep all bounded digits exactly below the wrap point. -/
theorem below_times_iff (k : Nat) : {M : List Nat} → (∀ m ∈ M, 0 < m) → (g : List Nat) →
    (below M (g.map (k * ·)) = true ↔ wrapAt M g = 0 ∨ k < wrapAt M g)
  | [], _, _ => by simp [below, wrapAt]
  | [_], _, _ => by simp [below, wrapAt]
  | _ :: _ :: _, _, [] => by simp [below, wrapAt]
  | s :: s' :: ss, h, x :: xs => by
    have ih := below_times_iff k (M := s' :: ss) (fun m hm => h m (by simp [hm])) xs
    have hs := h s (by simp)
    rw [List.map_cons, below, wrapAt, Bool.and_eq_true, decide_eq_true_eq, ih]
    split
    · rename_i hx
      simp only [hx, Nat.mul_zero, hs, true_and]
    · rename_i hx
      have hc := Division.ceilDiv_pos hs (Nat.pos_of_ne_zero hx)
      rw [← Division.lt_ceilDiv_iff (Nat.pos_of_ne_zero hx)]
      generalize Division.ceilDiv s x = c at *
      generalize wrapAt (s' :: ss) xs = w at *
      split <;> omega

/-- For generic strides of A, A is linear for `k` steps of `d` exactly if no digit wraps. -/
theorem linear_iff {M : List Nat} {k d : Nat} (h : k * d < prod M) (hd : d < prod M) :
    dot (digits M (k * d)) (powers (prod M) 1 M.length) =
        k * dot (digits M d) (powers (prod M) 1 M.length) ↔
      wrapAt M (digits M d) = 0 ∨ k < wrapAt M (digits M d) := by
  rw [← below_times_iff k (pos_of_lt_prod h), ← dot_times]
  have e : crd2idx M ((digits M d).map (k * ·)) = k * d := by
    rw [crd2idx_times, crd2idx_digits M d (eq_nil_imp hd)]
  have hl : ((digits M d).map (k * ·)).length = M.length := by rw [List.length_map, length_digits]
  constructor
  · intro hdot
    exact below_of_dot_eq hl (by rwa [e]) (by rw [e, hdot])
  · intro hb
    have := digits_crd2idx M _ hl hb
    rw [e] at this
    rw [this]

theorem atIndex_last {L : FlatLayout} (h : Valid L) : atIndex L (size L - 1) + 1 = cosizeFormula L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    have hm := h.1
    have hL := Valid.size_pos (L := L) h.2
    have e : m.extent * size L - 1 = m.extent - 1 + m.extent * (size L - 1) := by
      obtain ⟨b, hb⟩ : ∃ b, size L = b + 1 := ⟨size L - 1, by omega⟩
      rw [hb, Nat.mul_succ, Nat.add_sub_cancel]
      omega
    rw [size_cons, e, atIndex_cons, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt (by omega),
      Nat.add_mul_div_left _ _ hm, Nat.div_eq_of_lt (by omega), Nat.zero_add, cosizeFormula, ← ih h.2,
      Nat.add_assoc]

/-- For generic strides, finding a layout along `s:d` is splitting `s:d`. -/
theorem splitMode_of_findLayout {M : List Nat} {s d : Nat} (hs : 0 < s) (hdom : (s - 1) * d < prod M)
    {L : FlatLayout}
    (h : findLayout (fun x => dot (digits M (x * d)) (powers (prod M) 1 M.length)) s = some L) :
    ∃ ps, splitMode M s d = some ps ∧
      cosizeFormula (Layout.ofDigits (powers (prod M) 1 M.length) ps) = cosizeFormula L := by
  generalize hD : powers (prod M) 1 M.length = D at h
  have key : ∀ k, k < s → s ≤ 1 ∨ d = 0 ∨ (k * d < prod M ∧ d < prod M) := fun k hk => by
    have h1 : k * d ≤ (s - 1) * d := Nat.mul_le_mul_right d (by omega)
    rcases Nat.lt_or_ge 1 s with h2 | h2
    · have h3 : 1 * d ≤ (s - 1) * d := Nat.mul_le_mul_right d (by omega)
      omega
    · exact .inl h2
  have hsound := findLayout_sound h
  have hlast := atIndex_last hsound.1
  rw [hsound.2.2.1, hsound.2.2.2 _ (by omega)] at hlast
  fun_induction splitMode M s d generalizing L with
  | case1 s d h1 =>
    refine ⟨_, rfl, ?_⟩
    have h2 : (s - 1) * d = 0 := by
      rcases h1 with h1 | h1
      · rw [show s - 1 = 0 by omega, Nat.zero_mul]
      · rw [h1, Nat.mul_zero]
    rw [h2] at hlast
    rw [← hlast, Layout.ofDigits, Layout.ofDigits, dot_digits_zero]
    simp [cosizeFormula]
  | case2 s d h1 h2 =>
    refine ⟨_, rfl, ?_⟩
    have h3 := key (s - 1) (by omega)
    have h4 := (linear_iff (M := M) (k := s - 1) (d := d) (by omega) (by omega)).2 (by omega)
    rw [hD] at h4
    rw [← hlast, h4, Layout.ofDigits, Layout.ofDigits]
    simp [cosizeFormula]
  | case3 s d h1 h2 h3 ih =>
    have hb : breakAt (fun x => dot (digits M (x * d)) D) (dot (digits M (1 * d)) D) 0 s =
        wrapAt M (digits M d) := by
      refine breakAt_eq (Nat.zero_le _) (by omega) (fun j _ hj => ?_) (.inr ?_)
      · have := key j (by omega)
        rw [Nat.one_mul, ← hD]
        exact (linear_iff (by omega) (by omega)).2 (.inr hj)
      · have := key (wrapAt M (digits M d)) (by omega)
        rw [Nat.one_mul, ← hD]
        exact fun e => by have := (linear_iff (by omega) (by omega)).1 e; omega
    rw [findLayout_of_two_le (by omega) hb] at h
    split at h
    · rename_i hc
      obtain ⟨L', hL', rfl⟩ := Option.map_eq_some_iff.1 h
      generalize wrapAt M (digits M d) = t at *
      obtain ⟨u, rfl⟩ : ∃ u, s = t * u :=
        ⟨s / t, (Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hc.2.1)).symm⟩
      have hu : 0 < u := Nat.pos_of_mul_pos_left hs
      rw [Nat.mul_div_cancel_left _ (by omega)] at ih hL'
      have hfun : (fun x => dot (digits M (x * (d * t))) D) = fun x => dot (digits M (t * x * d)) D := by
        funext x
        rw [Nat.mul_comm d t, ← Nat.mul_assoc, Nat.mul_comm x t]
      rw [← hfun] at hL'
      have hle : (u - 1) * (d * t) ≤ (t * u - 1) * d := by
        have h5 : (u - 1) * t ≤ t * u - 1 := by
          rw [Nat.sub_mul, Nat.mul_comm u t]
          omega
        rw [Nat.mul_comm d t, ← Nat.mul_assoc]
        exact Nat.mul_le_mul_right d h5
      have hs' := findLayout_sound hL'
      have hl' := atIndex_last hs'.1
      rw [hs'.2.2.1, hs'.2.2.2 _ (by omega)] at hl'
      have hkey' : ∀ k, k < u → u ≤ 1 ∨ d * t = 0 ∨ (k * (d * t) < prod M ∧ d * t < prod M) := fun k hk => by
        have h1 : k * (d * t) ≤ (u - 1) * (d * t) := Nat.mul_le_mul_right _ (by omega)
        rcases Nat.lt_or_ge 1 u with h2 | h2
        · have h3 : 1 * (d * t) ≤ (u - 1) * (d * t) := Nat.mul_le_mul_right _ (by omega)
          omega
        · exact .inl h2
      obtain ⟨ps, h6, h7⟩ := ih hu (by omega) hL' hkey' hs' hl'
      refine ⟨_, by rw [Nat.mul_div_cancel_left _ (show 0 < t by omega), h6]; rfl, ?_⟩
      rw [Layout.ofDigits, cosizeFormula, cosizeFormula, h7, Nat.one_mul]
    · cases h
  | case4 s d h1 h2 h3 =>
    have hb : breakAt (fun x => dot (digits M (x * d)) D) (dot (digits M (1 * d)) D) 0 s =
        wrapAt M (digits M d) := by
      refine breakAt_eq (Nat.zero_le _) (by omega) (fun j _ hj => ?_) (.inr ?_)
      · have := key j (by omega)
        rw [Nat.one_mul, ← hD]
        exact (linear_iff (by omega) (by omega)).2 (.inr hj)
      · have := key (wrapAt M (digits M d)) (by omega)
        rw [Nat.one_mul, ← hD]
        exact fun e => by have := (linear_iff (by omega) (by omega)).1 e; omega
    rw [findLayout_of_two_le (by omega) hb] at h
    split at h
    · rename_i hc
      exact absurd ⟨hc.1, hc.2.1⟩ h3
    · cases h

end Razorgirl
