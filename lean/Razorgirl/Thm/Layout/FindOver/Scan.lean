module

public import Razorgirl.Spec.Layout.FindOver
public import Razorgirl.Thm.Stride

@[expose] public section

/-!
# One axis: what is proved

The pass over the entries of an axis finds the coalesced layout with strides of any sign wherever one has these entries, and else
ends at the first entry that excludes all. In a layout an entry exceeds the one before it by as much as at the largest start of a
mode that divides its index; so where the starts so far do not explain an entry, every layout has a start there.
-/

namespace Razorgirl

namespace FindOver

/-! ## Offsets of neighbours -/

theorem at_nil (x : Nat) : Stride.atIndex ([] : Stride.Modes Int) x = 0 := Stride.atIndex_nil x

theorem at_cons (m : Nat × Int) (L : Stride.Modes Int) (x : Nat) :
    Stride.atIndex (m :: L) x = ((x % m.1 : Nat) : Int) * m.2 + Stride.atIndex L (x / m.1) := rfl

theorem at_zero (L : Stride.Modes Int) : Stride.atIndex L 0 = 0 := by
  induction L with
  | nil => exact at_nil 0
  | cons m L ih =>
    rw [at_cons, Nat.zero_mod, Nat.zero_div, ih]
    have : ((0 : Nat) : Int) * m.2 = 0 := Int.zero_mul _
    omega

theorem sub_one_of_not_dvd {e x : Nat} (he : 0 < e) (h : x % e ≠ 0) :
    (x - 1) % e = x % e - 1 ∧ (x - 1) / e = x / e := by
  have hl := Nat.mod_lt x he
  have hx : x - 1 = (x % e - 1) + e * (x / e) := by have := Nat.mod_add_div x e; omega
  constructor
  · rw [hx, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt (by omega)]
  · rw [hx, Nat.add_mul_div_left _ _ he, Nat.div_eq_of_lt (by omega), Nat.zero_add]

theorem sub_one_of_dvd {e x : Nat} (he : 0 < e) (hx : 0 < x) (h : x % e = 0) :
    (x - 1) % e = e - 1 ∧ (x - 1) / e = x / e - 1 := by
  have q : 0 < x / e := Nat.div_pos (Nat.le_of_dvd hx (Nat.dvd_of_mod_eq_zero h)) he
  have hx' : x - 1 = (e - 1) + e * (x / e - 1) := by
    have h1 : e * (x / e) = e * (x / e - 1) + e := by rw [← Nat.mul_succ]; congr 1; omega
    have := Nat.mod_add_div x e
    omega
  constructor
  · rw [hx', Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt (by omega)]
  · rw [hx', Nat.add_mul_div_left _ _ he, Nat.div_eq_of_lt (by omega), Nat.zero_add]

/-- How much an offset exceeds the one before it. -/
def jump (L : Stride.Modes Int) (x : Nat) : Int := Stride.atIndex L x - Stride.atIndex L (x - 1)

theorem jump_inside {m : Nat × Int} {L : Stride.Modes Int} {x : Nat} (hm : 0 < m.1) (h : x % m.1 ≠ 0) :
    jump (m :: L) x = m.2 := by
  obtain ⟨h1, h2⟩ := sub_one_of_not_dvd hm h
  rw [jump, at_cons, at_cons, h1, h2]
  obtain ⟨r, hr⟩ : ∃ r, x % m.1 = r + 1 := ⟨x % m.1 - 1, by omega⟩
  rw [hr, Nat.add_sub_cancel]
  have : ((r + 1 : Nat) : Int) * m.2 = (r : Int) * m.2 + m.2 := by
    rw [Int.natCast_add, Int.add_mul]; simp
  omega

theorem jump_start {m : Nat × Int} {L : Stride.Modes Int} {x : Nat} (hm : 0 < m.1) (hx : 0 < x) (h : x % m.1 = 0) :
    jump (m :: L) x = jump L (x / m.1) - ((m.1 - 1 : Nat) : Int) * m.2 := by
  obtain ⟨h1, h2⟩ := sub_one_of_dvd hm hx h
  rw [jump, jump, at_cons, at_cons, h, h1, h2]
  have : ((0 : Nat) : Int) * m.2 = 0 := Int.zero_mul _
  omega

/-- Below the size, an offset exceeds the one before it by as much as at the largest start that divides its index. -/
theorem exists_start {L : Stride.Modes Int} (vL : Stride.Valid L) {x : Nat} (h1 : 0 < x) (hx : x < Stride.size L) :
    ∃ p ∈ starts L, 0 < p ∧ p ∣ x ∧ (∀ q ∈ starts L, q ∣ x → q ∣ p) ∧ jump L x = jump L p := by
  induction L generalizing x with
  | nil => simp only [Stride.size, Stride.shape, List.map_nil, prod] at hx; omega
  | cons m L ih =>
    have hm : 0 < m.1 := vL m List.mem_cons_self
    by_cases h : x % m.1 = 0
    · have xe : x = m.1 * (x / m.1) := (Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero h)).symm
      have z : 0 < x / m.1 := Nat.div_pos (Nat.le_of_dvd h1 (Nat.dvd_of_mod_eq_zero h)) hm
      rw [Stride.size_cons] at hx
      obtain ⟨p, hp, p0, pd, pq, e⟩ := ih (fun n hn => vL n (List.mem_cons_of_mem _ hn)) z (Nat.div_lt_of_lt_mul hx)
      refine ⟨m.1 * p, List.mem_cons_of_mem _ (List.mem_map_of_mem hp), Nat.mul_pos hm p0, ?_, ?_, ?_⟩
      · rw [xe]; exact Nat.mul_dvd_mul_left _ pd
      · intro q hq hd
        rcases List.mem_cons.1 hq with rfl | hq
        · exact Nat.one_dvd _
        · obtain ⟨q', hq', rfl⟩ := List.mem_map.1 hq
          rw [xe] at hd
          exact Nat.mul_dvd_mul_left _ (pq q' hq' (Nat.dvd_of_mul_dvd_mul_left hm hd))
      · rw [jump_start hm h1 h, jump_start hm (Nat.mul_pos hm p0) (Nat.mul_mod_right _ _),
          Nat.mul_div_cancel_left _ hm, e]
    · have m1 : m.1 ≠ 1 := fun e => h (by rw [e, Nat.mod_one])
      refine ⟨1, List.mem_cons_self, Nat.one_pos, Nat.one_dvd _, ?_, ?_⟩
      · intro q hq hd
        rcases List.mem_cons.1 hq with rfl | hq
        · exact Nat.dvd_refl _
        · obtain ⟨q', _, rfl⟩ := List.mem_map.1 hq
          exact absurd (Nat.mod_eq_zero_of_dvd (Nat.dvd_trans (Nat.dvd_mul_right m.1 q') hd)) h
      · rw [jump_inside hm h, jump_inside hm (by rw [Nat.mod_eq_of_lt (by omega)]; omega)]

/-! ## Starts -/

theorem starts_chain {L : Stride.Modes Int} {p q : Nat} (hp : p ∈ starts L) (hq : q ∈ starts L) : p ∣ q ∨ q ∣ p := by
  induction L generalizing p q with
  | nil => cases hp
  | cons m L ih =>
    rcases List.mem_cons.1 hp with rfl | hp
    · exact .inl (Nat.one_dvd _)
    · rcases List.mem_cons.1 hq with rfl | hq
      · exact .inr (Nat.one_dvd _)
      · obtain ⟨p', hp', rfl⟩ := List.mem_map.1 hp
        obtain ⟨q', hq', rfl⟩ := List.mem_map.1 hq
        rcases ih hp' hq' with h | h
        · exact .inl (Nat.mul_dvd_mul_left _ h)
        · exact .inr (Nat.mul_dvd_mul_left _ h)

theorem dvd_size {L : Stride.Modes Int} {p : Nat} (hp : p ∈ starts L) : p ∣ Stride.size L := by
  induction L generalizing p with
  | nil => cases hp
  | cons m L ih =>
    rw [Stride.size_cons]
    rcases List.mem_cons.1 hp with rfl | hp
    · exact Nat.one_dvd _
    · obtain ⟨p', hp', rfl⟩ := List.mem_map.1 hp
      exact Nat.mul_dvd_mul_left _ (ih hp')

theorem starts_append (L K : Stride.Modes Int) :
    starts (L ++ K) = starts L ++ (starts K).map (Stride.size L * ·) := by
  induction L with
  | nil => simp [starts, Stride.size, Stride.shape, prod]
  | cons m L ih =>
    simp only [List.cons_append, starts, ih, List.map_append, List.map_map, Stride.size_cons]
    congr 2
    apply List.map_congr_left
    intro p _
    simp only [Function.comp, Nat.mul_assoc]

theorem at_append (L K : Stride.Modes Int) (x : Nat) :
    Stride.atIndex (L ++ K) x = Stride.atIndex L x + Stride.atIndex K (x / Stride.size L) := by
  induction L generalizing x with
  | nil =>
    rw [List.nil_append, at_nil, Int.zero_add]
    simp [Stride.size, Stride.shape, prod]
  | cons m L ih => rw [List.cons_append, at_cons, at_cons, ih, Stride.size_cons, Nat.div_div_eq_div_mul, Int.add_assoc]

theorem at_mod (L : Stride.Modes Int) (x : Nat) : Stride.atIndex L (x % Stride.size L) = Stride.atIndex L x := by
  induction L generalizing x with
  | nil => rw [at_nil, at_nil]
  | cons m L ih =>
    rw [at_cons, at_cons, Stride.size_cons, Nat.mod_mul_right_mod, Nat.mod_mul_right_div_self, ih]

theorem valid_of_size_pos {L : Stride.Modes Int} (h : 0 < Stride.size L) : Stride.Valid L := by
  induction L with
  | nil => intro m hm; cases hm
  | cons m L ih =>
    rw [Stride.size_cons] at h
    intro n hn
    rcases List.mem_cons.1 hn with rfl | hn
    · exact Nat.pos_of_mul_pos_right h
    · exact ih (Nat.pos_of_mul_pos_left h) n hn

/-! ## What a pass has built -/

theorem stepAt_congr {ws : List Start} {x y : Nat} (h : ∀ s ∈ ws, (x % s.index = 0 ↔ y % s.index = 0)) :
    stepAt ws x = stepAt ws y := by
  induction ws with
  | nil => rfl
  | cons s ws ih =>
    have h1 := h s List.mem_cons_self
    rw [stepAt, stepAt, ih fun t ht => h t (List.mem_cons_of_mem _ ht)]
    by_cases q : x % s.index = 0
    · rw [if_pos q, if_pos (h1.1 q)]
    · rw [if_neg q, if_neg fun e => q (h1.2 e)]

/-- The starts that a pass over the entries of `g` has after some of them. -/
inductive Built (g : Nat → Int) : List Start → Prop where
  /-- the first mode starts at index 1 -/
  | one : Built g [⟨1, g 1 - g 0, g 1 - g 0⟩]
  /-- the entries are as the starts so far say, up to one that is not -/
  | more {t : Start} {ws : List Start} {x : Nat} (h : Built g (t :: ws)) (lt : t.index < x) (d : t.index ∣ x)
      (line : ∀ y, 0 < y → y < x → g y - g (y - 1) = stepAt (t :: ws) y)
      (off : g x - g (x - 1) ≠ stepAt (t :: ws) x) : Built g (⟨x, g x - g (x - 1), g x - g 0⟩ :: t :: ws)

theorem Built.facts {g : Nat → Int} {t : Start} {ws : List Start} (h : Built g (t :: ws)) :
    ∀ s ∈ t :: ws, 0 < s.index ∧ s.index ≤ t.index ∧ s.stride = g s.index - g 0 ∧
      s.step = g s.index - g (s.index - 1) := by
  generalize e : t :: ws = us at h
  induction h generalizing t ws with
  | one =>
    cases e
    intro s hs
    rw [List.mem_singleton.1 hs]
    exact ⟨Nat.one_pos, Nat.le_refl _, rfl, rfl⟩
  | more h lt d line off ih =>
    cases e
    intro s hs
    rcases List.mem_cons.1 hs with rfl | hs
    · exact ⟨by simp only; omega, Nat.le_refl _, rfl, rfl⟩
    · obtain ⟨h1, h2, h3, h4⟩ := ih rfl s hs
      exact ⟨h1, by simp only; omega, h3, h4⟩

/-- Where the starts so far do not explain the next offset, the layout has a start there. -/
theorem fork {L : Stride.Modes Int} (vL : Stride.Valid L) {ws : List Start} (hw : ∀ s ∈ ws, s.index ∈ starts L) {x : Nat}
    (x0 : 0 < x) (hx : x < Stride.size L) (line : ∀ y, 0 < y → y < x → jump L y = stepAt ws y)
    (off : jump L x ≠ stepAt ws x) : x ∈ starts L := by
  obtain ⟨p, hp, p0, pd, pq, e⟩ := exists_start vL x0 hx
  rcases Nat.lt_or_eq_of_le (Nat.le_of_dvd x0 pd) with lt | rfl
  · refine absurd ?_ off
    rw [e, line p p0 lt]
    refine stepAt_congr fun s hs => ⟨fun h => ?_, fun h => ?_⟩
    · exact Nat.mod_eq_zero_of_dvd (Nat.dvd_trans (Nat.dvd_of_mod_eq_zero h) pd)
    · exact Nat.mod_eq_zero_of_dvd (pq _ (hw s hs) (Nat.dvd_of_mod_eq_zero h))
  · exact hp

theorem jump_of_agree {g : Nat → Int} {L : Stride.Modes Int} {x : Nat} (h : ∀ y, y ≤ x → g y = g 0 + Stride.atIndex L y)
    {y : Nat} (hy : y ≤ x) : jump L y = g y - g (y - 1) := by
  have h1 := h y hy
  have h2 := h (y - 1) (by omega)
  rw [jump]
  omega

/-- All starts of a pass are starts of every layout that has the entries up to the last one. -/
theorem Built.forced {g : Nat → Int} {L : Stride.Modes Int} (vL : Stride.Valid L) {t : Start} {ws : List Start}
    (h : Built g (t :: ws)) (hs : t.index < Stride.size L)
    (ha : ∀ y, y ≤ t.index → g y = g 0 + Stride.atIndex L y) : ∀ s ∈ t :: ws, s.index ∈ starts L := by
  generalize e : t :: ws = us at h
  induction h generalizing t ws with
  | one =>
    cases e
    intro s hs'
    rw [List.mem_singleton.1 hs']
    cases L with
    | nil => simp only [Stride.size, Stride.shape, List.map_nil, prod] at hs; omega
    | cons m L => exact List.mem_cons_self
  | more h lt d line off ih =>
    cases e
    simp only at hs ha
    have i := ih (by omega) (fun y hy => ha y (by omega)) rfl
    intro s hs'
    rcases List.mem_cons.1 hs' with rfl | hs'
    · refine fork vL i (by simp only; omega) hs (fun y y0 hy => ?_) ?_
      · rw [jump_of_agree ha (by simp only at hy ⊢; omega), line y y0 hy]
      · rw [jump_of_agree ha (Nat.le_refl _)]; exact off
    · exact i s hs'

/-! ## The modes between starts -/

theorem between_append (n : Nat) (ws : List Start) (K : Stride.Modes Int) : between n ws K = between n ws [] ++ K := by
  induction ws generalizing n K with
  | nil => rfl
  | cons s ws ih => rw [between, between, ih, ih (K := [_]), List.append_assoc]; rfl

theorem size_single (m : Nat × Int) : Stride.size [m] = m.1 := by
  simp [Stride.size, Stride.shape, prod]

theorem at_single (m : Nat × Int) (x : Nat) : Stride.atIndex [m] x = ((x % m.1 : Nat) : Int) * m.2 := by
  rw [at_cons, at_nil, Int.add_zero]

theorem two_le_div {n x : Nat} (hd : x ∣ n) (hl : x < n) : 2 ≤ n / x := by
  obtain ⟨k, rfl⟩ := hd
  have hx : 0 < x := by
    rcases Nat.eq_zero_or_pos x with rfl | h
    · simp at hl
    · exact h
  rw [Nat.mul_div_cancel_left _ hx]
  match k, hl with
  | 0, hl => simp at hl
  | 1, hl => simp at hl
  | k + 2, _ => omega

theorem Built.size_between {g : Nat → Int} {t : Start} {ws : List Start} (h : Built g (t :: ws)) {n : Nat}
    (hn : t.index ∣ n) : Stride.size (between n (t :: ws) []) = n := by
  generalize e : t :: ws = us at h
  induction h generalizing t ws n with
  | one => rw [between, between, size_single, Nat.div_one]
  | more h lt d line off ih =>
    cases e
    rw [between, between_append, Stride.size_append, ih d rfl, size_single]
    exact Nat.mul_div_cancel' hn

theorem Built.mem_starts {g : Nat → Int} {t : Start} {ws : List Start} (h : Built g (t :: ws)) {n p : Nat}
    (hp : p ∈ starts (between n (t :: ws) [])) : ∃ s ∈ t :: ws, s.index = p := by
  generalize e : t :: ws = us at h
  induction h generalizing t ws n with
  | one =>
    cases e
    rw [between, between] at hp
    exact ⟨_, List.mem_cons_self, (List.mem_singleton.1 hp).symm⟩
  | more h lt d line off ih =>
    cases e
    rw [between, between_append, starts_append, h.size_between d] at hp
    rcases List.mem_append.1 hp with hp | hp
    · obtain ⟨s, hs, e⟩ := ih hp rfl
      exact ⟨s, List.mem_cons_of_mem _ hs, e⟩
    · obtain ⟨q, hq, rfl⟩ := List.mem_map.1 hp
      rw [List.mem_singleton.1 hq]
      exact ⟨_, List.mem_cons_self, (Nat.mul_one _).symm⟩

theorem Built.at_start {g : Nat → Int} {t : Start} {ws : List Start} (h : Built g (t :: ws)) {n : Nat}
    (hn : t.index ∣ n) (hl : t.index < n) : ∀ s ∈ t :: ws, Stride.atIndex (between n (t :: ws) []) s.index = s.stride := by
  generalize e : t :: ws = us at h
  induction h generalizing t ws n with
  | one =>
    cases e
    intro s hs
    rw [List.mem_singleton.1 hs, between, between, at_single]
    simp only at hl ⊢
    rw [Nat.div_one, Nat.mod_eq_of_lt hl]
    exact Int.one_mul _
  | @more u ws x h lt d line off ih =>
    cases e
    simp only at hn hl
    intro s hs
    rw [between, between_append, at_append, h.size_between d, at_single]
    simp only
    rcases List.mem_cons.1 hs with rfl | hs
    · have := two_le_div hn hl
      have x0 : 0 < x := by omega
      have z : Stride.atIndex (between x (u :: ws) []) x = 0 := by
        rw [← at_mod, h.size_between d, Nat.mod_self, at_zero]
      simp only at z ⊢
      rw [z, Nat.div_self (by omega), Nat.mod_eq_of_lt (by omega), Int.zero_add]
      exact Int.one_mul _
    · have := (h.facts s hs).2.1
      rw [ih d lt rfl s hs, Nat.div_eq_of_lt (by omega), Nat.zero_mod]
      have : ((0 : Nat) : Int) * (g x - g 0) = 0 := Int.zero_mul _
      omega

theorem Built.agree {g : Nat → Int} {t : Start} {ws : List Start} (h : Built g (t :: ws)) {n N : Nat}
    (hn : t.index ∣ n) (hl : t.index < n) (hN : N ≤ n)
    (line : ∀ y, 0 < y → y < N → g y - g (y - 1) = stepAt (t :: ws) y) :
    ∀ y, y < N → Stride.atIndex (between n (t :: ws) []) y = g y - g 0 := by
  have sz := h.size_between hn
  have vL : Stride.Valid (between n (t :: ws) []) := valid_of_size_pos (by omega)
  have all : ∀ s ∈ t :: ws, s.index ∈ starts (between n (t :: ws) []) := by
    clear line hN sz vL hl hn
    generalize e : t :: ws = us at h
    induction h generalizing t ws n with
    | one => cases e; intro s hs; rw [List.mem_singleton.1 hs, between, between]; exact List.mem_cons_self
    | more h lt d line off ih =>
      cases e
      intro s hs
      rw [between, between_append, starts_append, h.size_between d]
      rcases List.mem_cons.1 hs with rfl | hs
      · exact List.mem_append_right _ (List.mem_map.2 ⟨1, List.mem_cons_self, Nat.mul_one _⟩)
      · exact List.mem_append_left _ (ih rfl s hs)
  intro y
  induction y using Nat.strongRecOn with
  | ind y ih =>
    intro hy
    rcases Nat.eq_zero_or_pos y with rfl | y0
    · rw [at_zero]; omega
    · obtain ⟨p, hp, p0, pd, pq, e⟩ := exists_start vL y0 (by omega)
      rcases Nat.lt_or_eq_of_le (Nat.le_of_dvd y0 pd) with lt | rfl
      · have a := ih p lt (by omega)
        have b := ih (p - 1) (by omega) (by omega)
        have c := ih (y - 1) (by omega) (by omega)
        have s : stepAt (t :: ws) p = stepAt (t :: ws) y := stepAt_congr fun s hs =>
          ⟨fun h => Nat.mod_eq_zero_of_dvd (Nat.dvd_trans (Nat.dvd_of_mod_eq_zero h) pd),
            fun h => Nat.mod_eq_zero_of_dvd (pq _ (all s hs) (Nat.dvd_of_mod_eq_zero h))⟩
        have l := line p p0 (by omega)
        have l' := line y y0 hy
        rw [jump, jump] at e
        omega
      · obtain ⟨s, hs, rfl⟩ := h.mem_starts hp
        rw [h.at_start hn hl s hs, (h.facts s hs).2.2.1]

theorem Built.coalesced {g : Nat → Int} {t : Start} {ws : List Start} (h : Built g (t :: ws)) {n : Nat}
    {K : Stride.Modes Int} (hK : Stride.Coalesced ((n / t.index, t.stride) :: K)) :
    Stride.Coalesced (between n (t :: ws) K) := by
  generalize e : t :: ws = us at h
  induction h generalizing t ws n K with
  | one => cases e; exact hK
  | @more u ws x h lt d line off ih =>
    cases e
    rw [between]
    simp only at hK ⊢
    refine ih ⟨?_, ?_, hK⟩ rfl
    · have := two_le_div d lt
      simp only
      omega
    · intro e
      have e : g x - g 0 = ((x / u.index : Nat) : Int) * u.stride := e
      apply off
      obtain ⟨u0, -, us, ustep⟩ := h.facts u List.mem_cons_self
      rw [stepAt, if_pos (Nat.mod_eq_zero_of_dvd d), ustep]
      have ag := h.agree d lt (Nat.le_refl x) line
      have a1 := ag (x - 1) (by omega)
      have a2 := ag (u.index - 1) (by omega)
      obtain ⟨b1, b2⟩ := sub_one_of_dvd u0 (by omega) (Nat.mod_eq_zero_of_dvd d)
      have two := two_le_div d lt
      have su : Stride.size (between u.index ws []) = u.index := by
        have := h.size_between (Nat.dvd_refl u.index)
        rw [between, between_append, Stride.size_append, size_single] at this
        simp only at this
        rwa [Nat.div_self u0, Nat.mul_one] at this
      rw [between, between_append, at_append, su, at_single, ← at_mod, su, b1, b2] at a1
      rw [between, between_append, at_append, su, at_single, ← at_mod, su, Nat.mod_eq_of_lt (show u.index - 1 < u.index by omega),
        Nat.div_eq_of_lt (show u.index - 1 < u.index by omega), Nat.zero_mod] at a2
      simp only at a1 a2
      rw [Nat.mod_eq_of_lt (by omega)] at a1
      have z : ((0 : Nat) : Int) * u.stride = 0 := Int.zero_mul _
      obtain ⟨k, hk⟩ : ∃ k, x / u.index = k + 1 := ⟨x / u.index - 1, by omega⟩
      rw [hk] at e a1
      rw [Nat.add_sub_cancel] at a1
      have e' : ((k + 1 : Nat) : Int) * u.stride = (k : Int) * u.stride + u.stride := by
        rw [Int.natCast_add, Int.add_mul]; simp
      omega

/-! ## The pass -/

theorem scan_spec {g : Nat → Int} {n k : Nat} {t : Start} {ws : List Start} {x : Nat} (hb : Built g (t :: ws))
    (tn : t.index ∣ n) (tx : t.index < x) (line : ∀ y, 0 < y → y < x → g y - g (y - 1) = stepAt (t :: ws) y)
    (hk : x + k = n) :
    (∃ t' ws', scan n (g 0) (t :: ws) x (g (x - 1)) ((List.range' x k).map g) = .ok (t' :: ws') ∧ Built g (t' :: ws') ∧
      t'.index ∣ n ∧ t'.index < n ∧ ∀ y, 0 < y → y < n → g y - g (y - 1) = stepAt (t' :: ws') y) ∨
    (∃ y t' ws', scan n (g 0) (t :: ws) x (g (x - 1)) ((List.range' x k).map g) = .error y ∧ y < n ∧
      Built g (t' :: ws') ∧ t'.index ∣ n ∧ t'.index < y ∧
      (∀ z, 0 < z → z < y → g z - g (z - 1) = stepAt (t' :: ws') z) ∧
      g y - g (y - 1) ≠ stepAt (t' :: ws') y ∧ ¬(y % t'.index = 0 ∧ n % y = 0)) := by
  induction k generalizing x t ws with
  | zero =>
    left
    exact ⟨t, ws, rfl, hb, tn, by omega, fun y y0 hy => line y y0 (by omega)⟩
  | succ k ih =>
    rw [List.range'_succ, List.map_cons, scan]
    by_cases h : g x - g (x - 1) = stepAt (t :: ws) x
    · rw [if_pos h]
      have i := ih (x := x + 1) hb tn (by omega) (fun y y0 hy => by
        rcases Nat.lt_or_eq_of_le (Nat.le_of_lt_succ hy) with lt | rfl
        · exact line y y0 lt
        · exact h) (by omega)
      rw [Nat.add_sub_cancel] at i
      exact i
    · rw [if_neg h]
      by_cases q : x % lastIndex (t :: ws) = 0 ∧ n % x = 0
      · rw [if_pos q]
        have b := Built.more hb tx (Nat.dvd_of_mod_eq_zero q.1) line h
        have i := ih (x := x + 1) b (Nat.dvd_of_mod_eq_zero q.2) (Nat.lt_succ_self x) (fun y y0 hy => by
          rw [stepAt]
          rcases Nat.lt_or_eq_of_le (Nat.le_of_lt_succ hy) with lt | rfl
          · rw [if_neg (by simp only; rw [Nat.mod_eq_of_lt lt]; omega)]
            exact line y y0 lt
          · rw [if_pos (Nat.mod_self _)]) (by omega)
        rw [Nat.add_sub_cancel] at i
        exact i
      · rw [if_neg q]
        right
        exact ⟨x, t, ws, rfl, by omega, hb, tn, tx, line, h, q⟩

/-- What a layout of `n` coordinates has: valid modes of that size. -/
theorem findAxis_cases (g : Nat → Int) {n : Nat} (hn : 0 < n) :
    (∃ L, findAxis ((List.range n).map g) = .ok L ∧ Stride.Valid L ∧ Stride.Coalesced L ∧ Stride.size L = n ∧
      ∀ x, x < n → g x = g 0 + Stride.atIndex L x) ∨
    (∃ x, findAxis ((List.range n).map g) = .error x ∧ x < n ∧
      (¬ ∃ L, Stride.Valid L ∧ Stride.size L = n ∧ ∀ y, y ≤ x → g y = g 0 + Stride.atIndex L y) ∧
      ∃ L, Stride.Valid L ∧ Stride.size L = n ∧ ∀ y, y < x → g y = g 0 + Stride.atIndex L y) := by
  match n, hn with
  | 1, _ =>
    left
    refine ⟨[], rfl, (fun m hm => by cases hm), trivial, rfl, fun x hx => ?_⟩
    obtain rfl : x = 0 := by omega
    rw [at_nil]; omega
  | k + 2, _ =>
    have e : (List.range (k + 2)).map g = g 0 :: g 1 :: (List.range' 2 k).map g := by
      rw [List.range_eq_range', List.range'_succ, List.range'_succ]; rfl
    have len : ((List.range' 2 k).map g).length = k := by simp
    rw [e, findAxis, len]
    have line : ∀ y, 0 < y → y < 2 → g y - g (y - 1) = stepAt [⟨1, g 1 - g 0, g 1 - g 0⟩] y := by
      intro y y0 hy
      obtain rfl : y = 1 := by omega
      simp [stepAt]
    rcases scan_spec (n := k + 2) (k := k) (x := 2) Built.one (Nat.one_dvd _) (by simp) line (by omega) with
      ⟨t, ws, h, b, tn, tl, l⟩ | ⟨y, t, ws, h, yn, b, tn, ty, l, off, no⟩
    · left
      rw [show g (2 - 1) = g 1 from rfl] at h
      rw [h]
      have sz := b.size_between tn
      refine ⟨_, rfl, valid_of_size_pos (by omega), b.coalesced ?_, sz, fun x hx => ?_⟩
      · have := two_le_div tn tl
        show (k + 2) / t.index ≠ 1
        omega
      · have := b.agree tn tl (Nat.le_refl _) l x hx
        omega
    · right
      rw [show g (2 - 1) = g 1 from rfl] at h
      rw [h]
      have sz := b.size_between tn
      refine ⟨y, rfl, yn, ?_, _, valid_of_size_pos (by omega), sz, fun z hz => ?_⟩
      · rintro ⟨L, vL, sL, ha⟩
        have fo := b.forced vL (by omega) (fun z hz => ha z (by omega))
        have ys : y ∈ starts L := fork vL fo (by omega) (by omega)
          (fun z z0 hz => by rw [jump_of_agree ha (by omega), l z z0 hz])
          (by rw [jump_of_agree ha (Nat.le_refl _)]; exact off)
        refine no ⟨?_, ?_⟩
        · rcases starts_chain (fo t List.mem_cons_self) ys with h | h
          · exact Nat.mod_eq_zero_of_dvd h
          · have := Nat.le_of_dvd (b.facts t List.mem_cons_self).1 h
            omega
        · rw [← sL]; exact Nat.mod_eq_zero_of_dvd (dvd_size ys)
      · have := b.agree tn (by omega) (Nat.le_of_lt yn) l z hz
        omega

/-! ## The theorems -/

/-- **The pass over an axis answers exactly the coalesced modes of its size whose offsets, strides of any sign, are the entries
less the first one.**
Rust: `razorgirl::find_modes`
Source: simplified-layout (flat shapes); uniqueness of the coalesced form is ours -/
theorem findAxis_eq_ok_iff {g : Nat → Int} {n : Nat} (hn : 0 < n) {L : Stride.Modes Int} :
    findAxis ((List.range n).map g) = .ok L ↔
      Stride.Valid L ∧ Stride.Coalesced L ∧ Stride.size L = n ∧ ∀ x, x < n → g x = g 0 + Stride.atIndex L x := by
  rcases findAxis_cases g hn with ⟨K, h, vK, cK, sK, aK⟩ | ⟨x, h, xn, no, _⟩
  · rw [h]
    constructor
    · intro e; cases e; exact ⟨vK, cK, sK, aK⟩
    · rintro ⟨vL, cL, sL, aL⟩
      congr 1
      refine Stride.coalesced_unique vK vL cK cL (sK.trans sL.symm) fun x hx => ?_
      have h1 := aK x (by omega)
      have h2 := aL x (by omega)
      omega
  · rw [h]
    constructor
    · intro e; cases e
    · rintro ⟨vL, _, sL, aL⟩
      exact absurd ⟨L, vL, sL, fun y hy => aL y (by omega)⟩ no

/-- **The pass over an axis refuses exactly at the first entry such that no layout of that size, coalesced or not, has the
entries up to it.**
Rust: `razorgirl::find_modes`
Source: none known -/
theorem findAxis_eq_error_iff {g : Nat → Int} {n : Nat} (hn : 0 < n) {x : Nat} :
    findAxis ((List.range n).map g) = .error x ↔ x < n ∧
      (¬ ∃ L, Stride.Valid L ∧ Stride.size L = n ∧ ∀ y, y ≤ x → g y = g 0 + Stride.atIndex L y) ∧
      ∃ L, Stride.Valid L ∧ Stride.size L = n ∧ ∀ y, y < x → g y = g 0 + Stride.atIndex L y := by
  rcases findAxis_cases g hn with ⟨K, h, vK, cK, sK, aK⟩ | ⟨x', h, xn, no, K, vK, sK, aK⟩
  · rw [h]
    constructor
    · intro e; cases e
    · rintro ⟨hx, no, _⟩
      exact absurd ⟨K, vK, sK, fun y hy => aK y (by omega)⟩ no
  · rw [h]
    constructor
    · intro e; cases e; exact ⟨xn, no, K, vK, sK, aK⟩
    · rintro ⟨_, no', L, vL, sL, aL⟩
      congr 1
      rcases Nat.lt_trichotomy x' x with lt | e | gt
      · exact absurd ⟨L, vL, sL, fun y hy => aL y (by omega)⟩ no
      · exact e
      · exact absurd ⟨K, vK, sK, fun y hy => aK y (by omega)⟩ no'

/-- **A refusal depends on the entries up to the index that it names: those behind it may be any others, and need not be read.**
Rust: `razorgirl::find_modes`
Source: none known -/
theorem findAxis_error_congr {g g' : Nat → Int} {n : Nat} (hn : 0 < n) {x : Nat} (h : ∀ y, y ≤ x → g y = g' y)
    (e : findAxis ((List.range n).map g) = .error x) : findAxis ((List.range n).map g') = .error x := by
  obtain ⟨hx, no, L, vL, sL, aL⟩ := (findAxis_eq_error_iff hn).1 e
  refine (findAxis_eq_error_iff hn).2 ⟨hx, fun ⟨K, vK, sK, aK⟩ => no ⟨K, vK, sK, fun y hy => ?_⟩, L, vL, sL, fun y hy => ?_⟩
  · rw [h y hy, h 0 (Nat.zero_le _)]; exact aK y hy
  · rw [← h y (by omega), ← h 0 (Nat.zero_le _)]; exact aL y hy

/-- **Where modes of the coalesced layout start, modes of every layout with the same size and offsets start: its prefix products
occur among theirs. Strides have any sign.**
Rust: `razorgirl::find_modes`
Source: simplified-layout (for the layout that its scan finds) -/
theorem starts_coalesce_subset {L : Stride.Modes Int} (vL : Stride.Valid L) :
    ∀ p ∈ starts (Stride.coalesce L), p ∈ starts L := by
  have s0 := Stride.size_pos vL
  have sc := Stride.coalesce_size L
  have vc : Stride.Valid (Stride.coalesce L) := valid_of_size_pos (by omega)
  have cc := Stride.coalesce_coalesced vL
  have h := (findAxis_eq_ok_iff (g := Stride.atIndex L) s0 (L := Stride.coalesce L)).2
    ⟨vc, cc, sc, fun x _ => by rw [at_zero, Stride.coalesce_atIndex]; omega⟩
  rcases Nat.lt_or_ge 1 (Stride.size L) with two | one
  · obtain ⟨k, hk⟩ : ∃ k, Stride.size L = k + 2 := ⟨Stride.size L - 2, by omega⟩
    have e : (List.range (k + 2)).map (Stride.atIndex L) =
        Stride.atIndex L 0 :: Stride.atIndex L 1 :: (List.range' 2 k).map (Stride.atIndex L) := by
      rw [List.range_eq_range', List.range'_succ, List.range'_succ]; rfl
    have len : ((List.range' 2 k).map (Stride.atIndex L)).length = k := by simp
    rw [hk, e, findAxis, len] at h
    have line : ∀ y, 0 < y → y < 2 → Stride.atIndex L y - Stride.atIndex L (y - 1) =
        stepAt [⟨1, Stride.atIndex L 1 - Stride.atIndex L 0, Stride.atIndex L 1 - Stride.atIndex L 0⟩] y := by
      intro y y0 hy
      obtain rfl : y = 1 := by omega
      simp [stepAt]
    rcases scan_spec (g := Stride.atIndex L) (n := k + 2) (k := k) (x := 2) Built.one (Nat.one_dvd _) (by simp) line (by omega) with
      ⟨t, ws, h', b, tn, tl, l⟩ | ⟨y, t, ws, h', _⟩
    · rw [show Stride.atIndex L (2 - 1) = Stride.atIndex L 1 from rfl] at h'
      rw [h'] at h
      simp only [Except.ok.injEq] at h
      intro p hp
      rw [← h] at hp
      obtain ⟨s, hs, rfl⟩ := b.mem_starts hp
      exact b.forced vL (by omega) (fun y _ => by rw [at_zero]; omega) s hs
    · rw [show Stride.atIndex L (2 - 1) = Stride.atIndex L 1 from rfl] at h'
      rw [h'] at h
      cases h
  · have : Stride.coalesce L = [] := by
      refine Stride.coalesced_unique vc (fun m hm => by cases hm) cc trivial ?_ fun x hx => ?_
      · simp only [Stride.size, Stride.shape, List.map_nil, prod] at *; omega
      · obtain rfl : x = 0 := by omega
        rw [at_zero, at_zero]
    rw [this]
    intro p hp
    cases hp

end FindOver

end Razorgirl
