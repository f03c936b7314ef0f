module

public import Razorgirl.Thm.Layout.Composition.Distribute

@[expose] public section

/-!
# A layout that is a layout on both sides of a split is their concatenation

Let `L` have size `P·Q`. If the first `P` values of `L` are a layout of size `P`, and every `P`-th value is one of
size `Q`, then `L` is their concatenation, wherever the modes of `L` end. So composition is left-distributive for
exact sizes, without any condition on shapes.
-/

namespace Razorgirl

namespace FlatLayout
open Aux

theorem conditions_of_findLayout {f : Nat → Nat} {M t : Nat} (h : 2 ≤ M) (ht : breakAt f (f 1) 0 M = t)
    (hs : (findLayout f M).isSome = true) :
    1 < t ∧ M % t = 0 ∧ splits f (f 1) t M = true ∧
      (findLayout (fun x => f (t * x)) (M / t)).isSome = true := by
  rw [findLayout_of_two_le h ht] at hs
  split at hs
  · rename_i hc
    exact ⟨hc.1, hc.2.1, hc.2.2, by simpa using hs⟩
  · simp at hs

/-- The first mode of a coalesced layout with more modes is where its values leave the line. -/
theorem breakAt_coalesced {m n : Mode} {L : FlatLayout} (hv : Valid (m :: n :: L))
    (hc : Coalesced (m :: n :: L)) {P : Nat} (hP : m.extent ≤ P) :
    breakAt (atIndex (m :: n :: L)) (atIndex (m :: n :: L) 1) 0 P = m.extent := by
  have hm := two_le_extent hv hc
  rw [atIndex_one hm]
  refine breakAt_eq (Nat.zero_le _) (by omega) (fun j _ hj => ?_) (.inr ?_)
  · rw [atIndex_cons, Nat.mod_eq_of_lt hj, Nat.div_eq_of_lt hj, atIndex_zero, Nat.add_zero]
  · rw [atIndex_cons, Nat.mod_self, Nat.div_self (by omega), atIndex_one (two_le_extent hv.2 hc.2.2),
      Nat.zero_mul, Nat.zero_add]
    exact hc.2.1

/-- The case that cannot be: the split falls inside the first mode and does not divide it. -/
theorem not_findLayout_of_not_dvd {m n : Mode} {L : FlatLayout} (hv : Valid (m :: n :: L))
    (hc : Coalesced (m :: n :: L)) {P Q : Nat} (hs : size (m :: n :: L) = P * Q) (hP : P < m.extent)
    (hd : m.extent % P ≠ 0) (h0 : 0 < P) :
    (findLayout (fun y => atIndex (m :: n :: L) (P * y)) Q).isSome = false := by
  rcases h : (findLayout (fun y => atIndex (m :: n :: L) (P * y)) Q).isSome with _ | _
  · rfl
  exfalso
  have hn := two_le_extent hv.2 hc.2.2
  have hne := hc.2.1
  have hk : 0 < size L := Valid.size_pos hv.2.2
  have hrest : ∀ y, atIndex (m :: n :: L) y = y % m.extent * m.stride + atIndex (n :: L) (y / m.extent) :=
    fun y => atIndex_cons _ _ y
  have hone : atIndex (n :: L) 1 = n.stride := atIndex_one hn L
  have htwo : atIndex (n :: L) (size (n :: L) - 1) = n.stride + atIndex (n :: L) (size (n :: L) - 2) := by
    obtain ⟨k, hk'⟩ : ∃ k, size L = k + 1 := ⟨size L - 1, by omega⟩
    have e1 : size (n :: L) - 1 = n.extent - 1 + n.extent * k := by
      rw [size_cons, hk', Nat.mul_succ]; omega
    have e2 : size (n :: L) - 2 = n.extent - 2 + n.extent * k := by
      rw [size_cons, hk', Nat.mul_succ]; omega
    rw [e1, e2, atIndex_cons, atIndex_cons, Nat.add_mul_mod_self_left, Nat.add_mul_mod_self_left,
      Nat.mod_eq_of_lt (by omega), Nat.mod_eq_of_lt (by omega), Nat.add_mul_div_left _ _ (by omega),
      Nat.add_mul_div_left _ _ (by omega), Nat.div_eq_of_lt (by omega), Nat.div_eq_of_lt (by omega)]
    obtain ⟨a, ha⟩ : ∃ a, n.extent = a + 2 := ⟨n.extent - 2, by omega⟩
    rw [ha, show a + 2 - 1 = a + 1 by omega, show a + 2 - 2 = a by omega, Nat.succ_mul]
    omega
  have hK : 2 ≤ size (n :: L) := by
    rw [size_cons]; exact Nat.le_trans hn (Nat.le_mul_of_pos_right _ hk)
  rw [size_cons] at hs
  generalize size (n :: L) = K at *
  generalize hB : atIndex (n :: L) = B at *
  generalize hA : atIndex (m :: n :: L) = A at *
  have hB0 : B 0 = 0 := by rw [← hB, atIndex_zero]
  generalize m.extent = e at *
  generalize m.stride = d at *
  -- the first multiple of `P` past the first mode
  have hq := Nat.div_add_mod e P
  have hr := Nat.mod_lt e h0
  generalize e % P = r at *
  generalize e / P = q at *
  -- values
  have hlow : ∀ x, x < e → A x = x * d := fun x hx => by
    rw [hrest, Nat.mod_eq_of_lt hx, Nat.div_eq_of_lt hx, hB0, Nat.add_zero]
  have hblock : ∀ x k, x < e → A (x + e * k) = x * d + B k := fun x k hx => by
    rw [hrest, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hx, Nat.add_mul_div_left _ _ (by omega),
      Nat.div_eq_of_lt hx, Nat.zero_add]
  have hPe : P * (q + 1) = e + (P - r) := by rw [Nat.mul_succ]; omega
  have hNe : e * 2 ≤ P * Q := by rw [← hs]; exact Nat.mul_le_mul_left e hK
  have hQ : q + 1 < Q := by
    apply Nat.lt_of_mul_lt_mul_left (a := P)
    omega
  have hP1 : 1 < P := by omega
  have ht : breakAt (fun y => A (P * y)) (A (P * 1)) 0 Q = q + 1 := by
    refine breakAt_eq (Nat.zero_le _) (by omega) (fun j _ hj => ?_) (.inr ?_)
    · have h1 : P * j ≤ P * q := Nat.mul_le_mul_left P (by omega)
      rw [hlow _ (by omega), hlow _ (by omega), Nat.mul_one, Nat.mul_comm P j, Nat.mul_assoc]
    · have h1 := hblock (P - r) 1 (by omega)
      rw [Nat.mul_one, hone] at h1
      rw [hPe, Nat.add_comm e, h1, hlow _ (by omega), Nat.mul_one]
      have h2 : (q + 1) * (P * d) = (P - r) * d + e * d := by
        rw [← Nat.mul_assoc, Nat.mul_comm (q + 1), hPe, Nat.add_mul]; omega
      omega
  obtain ⟨_, h2, h3, _⟩ := conditions_of_findLayout (by omega) ht h
  obtain ⟨w, rfl⟩ : ∃ w, Q = (q + 1) * w := ⟨Q / (q + 1), (Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero h2)).symm⟩
  obtain ⟨v, rfl⟩ : ∃ v, w = v + 1 := by
    cases w with
    | zero => simp at hQ
    | succ v => exact ⟨v, rfl⟩
  have hlast := splits_iff.1 h3 (q + (q + 1) * v) (by rw [Nat.mul_succ]; omega)
  rw [Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt (by omega), Nat.add_mul_div_left _ _ (by omega),
    Nat.div_eq_of_lt (by omega), Nat.zero_add] at hlast
  -- the last multiple of `P` and the first one of its group
  obtain ⟨K, rfl⟩ : ∃ k, K = k + 2 := ⟨K - 2, by omega⟩
  have hN : P * ((q + 1) * (v + 1)) = e * K + e * 2 := by rw [← hs, Nat.mul_add]
  have hN' : P * ((q + 1) * (v + 1)) = P * ((q + 1) * v) + (e + (P - r)) := by
    rw [Nat.mul_succ, Nat.mul_add, hPe]
  have e1 : P * (q + (q + 1) * v) = e - P + e * (K + 1) := by
    rw [Nat.mul_add, Nat.mul_succ]; omega
  have e2 : P * ((q + 1) * v) = r + e - P + e * K := by omega
  have h5 := hblock (e - P) (K + 1) (by omega)
  have h6 := hblock (r + e - P) K (by omega)
  rw [← e1] at h5
  rw [← e2] at h6
  rw [h5, h6, hlow _ (by omega), Nat.mul_one] at hlast
  simp only [show K + 2 - 1 = K + 1 by omega, show K + 2 - 2 = K by omega] at htwo
  have h7 : P * d * q = (e - r) * d := by rw [← hq, Nat.add_sub_cancel]; grind
  have h8 : (r + e - P) * d + (e - r) * d = (e - P) * d + e * d := by
    rw [← Nat.add_mul, ← Nat.add_mul]; congr 1; omega
  omega

theorem split_coalesced {L : FlatLayout} (hv : Valid L) (hc : Coalesced L) {P Q : Nat}
    (hs : size L = P * Q) (h1 : (findLayout (atIndex L) P).isSome = true)
    (h2 : (findLayout (fun y => atIndex L (P * y)) Q).isSome = true) :
    ∀ x, x < P → ∀ y, y < Q → atIndex L (x + P * y) = atIndex L x + atIndex L (P * y) := by
  induction L generalizing P Q with
  | nil => intros; simp only [atIndex_nil]
  | cons m L ih =>
    intro x hx y hy
    have hm := two_le_extent hv hc
    have hcons : ∀ z, atIndex (m :: L) z = z % m.extent * m.stride + atIndex L (z / m.extent) :=
      fun z => atIndex_cons _ _ z
    have hL : 0 < size L := Valid.size_pos hv.2
    have hss := hs
    rw [size_cons] at hss
    by_cases hd : P % m.extent = 0
    · -- the split falls between two modes, or further inside
      obtain ⟨p, rfl⟩ : ∃ p, P = m.extent * p :=
        ⟨P / m.extent, (Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hd)).symm⟩
      have hp : 0 < p := Nat.pos_of_mul_pos_left (a := m.extent) (by omega)
      rw [Nat.mul_assoc] at hss
      have hss := Nat.eq_of_mul_eq_mul_left (by omega) hss
      have h1' : (findLayout (atIndex L) p).isSome = true := by
        rcases Nat.lt_or_ge p 2 with hp2 | hp2
        · obtain rfl : p = 1 := by omega
          rw [findLayout_one, atIndex_zero]
          rfl
        · match L, hv, hc, hss, hL with
          | [], _, _, hss, _ =>
            rw [size_nil] at hss
            have := Nat.eq_one_of_mul_eq_one_right hss.symm
            omega
          | n :: L, hv, hc, _, _ =>
            have hle : m.extent ≤ m.extent * p := Nat.le_mul_of_pos_right _ hp
            obtain ⟨_, _, _, h⟩ := conditions_of_findLayout (by omega) (breakAt_coalesced hv hc hle) h1
            rw [Nat.mul_div_cancel_left _ (by omega)] at h
            rw [← h]
            congr 1
            exact findLayout_congr fun z _ => by
              rw [hcons, Nat.mul_mod_right, Nat.mul_div_cancel_left _ (by omega), Nat.zero_mul, Nat.zero_add]
      have h2' : (findLayout (fun y => atIndex L (p * y)) Q).isSome = true := by
        rw [← h2]
        congr 1
        exact findLayout_congr fun z _ => by
          rw [hcons, Nat.mul_assoc, Nat.mul_mod_right, Nat.mul_div_cancel_left _ (by omega), Nat.zero_mul,
            Nat.zero_add]
      have := ih hv.2 (coalesced_tail hc) hss h1' h2' (x / m.extent) (Nat.div_lt_of_lt_mul hx) y hy
      rw [hcons, hcons x, hcons (m.extent * p * y), Nat.mul_assoc, Nat.add_mul_mod_self_left,
        Nat.add_mul_div_left _ _ (by omega), this, Nat.mul_mod_right, Nat.mul_div_cancel_left _ (by omega),
        Nat.zero_mul, Nat.zero_add, Nat.add_assoc]
    · by_cases hlt : P < m.extent
      · by_cases hd' : m.extent % P = 0
        · -- the split falls inside the first mode and divides it
          obtain ⟨t, ht⟩ : ∃ t, m.extent = P * t :=
            ⟨m.extent / P, (Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hd')).symm⟩
          have hP : 0 < P := by omega
          have ht0 : 0 < t := Nat.pos_of_mul_pos_left (a := P) (by omega)
          have hmod : (x + P * y) % (P * t) = x + P * (y % t) := by
            rw [Nat.mod_mul, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hx, Nat.add_mul_div_left _ _ hP,
              Nat.div_eq_of_lt hx, Nat.zero_add]
          have hdiv : (x + P * y) / (P * t) = y / t := by
            rw [← Nat.div_div_eq_div_mul, Nat.add_mul_div_left _ _ hP, Nat.div_eq_of_lt hx, Nat.zero_add]
          rw [hcons, hcons x, hcons (P * y), ht, hmod, hdiv, Nat.mul_mod_mul_left, Nat.mul_div_mul_left _ _ hP,
            Nat.mod_eq_of_lt (by omega : x < P * t), Nat.div_eq_of_lt (by omega : x < P * t), atIndex_zero,
            Nat.add_mul]
          omega
        · exfalso
          match L, hv, hc, hs, h2, hss with
          | [], _, _, _, _, hss =>
            rw [size_nil, Nat.mul_one] at hss
            rw [hss, Nat.mul_mod_right] at hd'
            exact hd' rfl
          | n :: L, hv, hc, hs, h2, _ =>
            rw [not_findLayout_of_not_dvd hv hc hs hlt hd' (by omega)] at h2
            cases h2
      · exfalso
        match L, hv, hc, h1, hss with
        | [], _, _, _, hss =>
          rw [size_nil, Nat.mul_one] at hss
          have : P * 1 ≤ P * Q := Nat.mul_le_mul_left P (by omega)
          exact hd (by rw [show m.extent = P by omega, Nat.mod_self])
        | n :: L, hv, hc, h1, _ =>
          obtain ⟨_, h, _, _⟩ := conditions_of_findLayout (by omega) (breakAt_coalesced hv hc (by omega)) h1
          exact hd h

/-- **A layout whose first P values are a layout, and whose every P-th value is a layout, coalesces to the same as the
concatenation of the two, wherever its own modes end.**
Rust: `razorgirl::Layout::concat`
Source: Hieu's blog, left distributivity (repaired: `Layout.nothing_to_distribute`); ours -/
theorem coalesce_eq_of_restrictions {L L₁ L₂ : FlatLayout} (h : Valid L) (h₁ : Valid L₁) (h₂ : Valid L₂)
    (hs : size L = size L₁ * size L₂) (hf : ∀ x, x < size L₁ → atIndex L₁ x = atIndex L x)
    (hg : ∀ y, y < size L₂ → atIndex L₂ y = atIndex L (size L₁ * y)) :
    coalesce L = coalesce (L₁ ++ L₂) := by
  refine (coalesce_eq_iff h ((valid_append_iff _ _).2 ⟨h₁, h₂⟩)).2 ⟨by rw [size_append, hs], fun x hx => ?_⟩
  have e1 := findLayout_complete (f := atIndex (coalesce L)) h₁ rfl fun x hx => by
    rw [coalesce_atIndex, hf x hx]
  have e2 := findLayout_complete (f := fun y => atIndex (coalesce L) (size L₁ * y)) h₂ rfl fun y hy => by
    rw [hg y hy]
    exact (coalesce_atIndex _ _).symm
  have hP := Valid.size_pos h₁
  rw [hs] at hx
  have hdiv := Nat.div_lt_of_lt_mul hx
  have hmod := Nat.mod_lt x hP
  have := split_coalesced (coalesce_valid h) (coalesce_coalesced L) (by rw [coalesce_size, hs])
    (by rw [e1]; rfl) (by rw [e2]; rfl) _ hmod _ hdiv
  rw [Nat.mod_add_div, coalesce_atIndex, coalesce_atIndex, coalesce_atIndex] at this
  rw [atIndex_append, hf _ hmod, hg _ hdiv, this]

/-- **Left distributivity for exact sizes: if A ∘ B, A ∘ C and A ∘ (B, C) are layouts as functions of the linear index,
the third coalesces to the same as the concatenation of the first two.**
Rust: `razorgirl::Layout::composition`
Source: Hieu's blog, left distributivity (repaired: `Layout.nothing_to_distribute`); ours -/
theorem left_distributive {A B C R S T : FlatLayout} (hR : Valid R) (hS : Valid S) (hT : Valid T)
    (sR : size R = size B) (sS : size S = size C) (sT : size T = size B * size C)
    (fR : ∀ x, x < size B → atIndex R x = atIndex A (atIndex B x))
    (fS : ∀ x, x < size C → atIndex S x = atIndex A (atIndex C x))
    (fT : ∀ x, x < size B * size C → atIndex T x = atIndex A (atIndex (B ++ C) x)) :
    coalesce T = coalesce (R ++ S) := by
  have hB := Valid.size_pos hR
  have hC := Valid.size_pos hS
  rw [sR] at hB
  rw [sS] at hC
  refine coalesce_eq_of_restrictions hT hR hS (by rw [sT, sR, sS]) (fun x hx => ?_) fun y hy => ?_
  · rw [sR] at hx
    rw [fR x hx, fT x (Nat.lt_of_lt_of_le hx (Nat.le_mul_of_pos_right _ hC)), atIndex_append,
      Nat.mod_eq_of_lt hx, Nat.div_eq_of_lt hx, atIndex_zero, Nat.add_zero]
  · rw [sS] at hy
    rw [sR, fS y hy, fT _ ((Nat.mul_lt_mul_left hB).2 hy), atIndex_append, Nat.mul_mod_right,
      Nat.mul_div_cancel_left _ hB, atIndex_zero, Nat.zero_add]

end FlatLayout

end Razorgirl
