module

public import Razorgirl.Spec.Layout.Recast.Exact
public import Razorgirl.Thm.Layout.Recast.Accepted

@[expose] public section

/-!
# Smaller elements are exact

`downcast` answers the layout of the parts of elements that addresses define, wherever it is said in which mode they lie.
-/

namespace Razorgirl

namespace FlatLayout

namespace Aux

theorem eval_eq_zero {L : FlatLayout} {c : List Nat} (h : ∀ x ∈ c, x = 0) : eval L c = 0 := by
  induction L generalizing c with
  | nil => exact eval_nil c
  | cons m L ih =>
    cases c with
    | nil => rfl
    | cons x c =>
      rw [eval_cons, ih fun y hy => h y (List.mem_cons_of_mem _ hy), h x List.mem_cons_self, Nat.zero_mul]

theorem origin_eq_zero (L : FlatLayout) : ∀ x ∈ origin L, x = 0 := by
  intro x hx
  obtain ⟨_, _, rfl⟩ := List.mem_map.1 hx
  rfl

/-- The mode with every step `n` times as far. -/
def wider (n : Nat) (m : Mode) : Mode := ⟨m.extent, if m.extent = 1 then 0 else n * m.stride⟩

/-- The parts of the elements in mode `p`. -/
def partsAt (n : Nat) : (p : Nat) → FlatLayout → FlatLayout
  | _, [] => []
  | 0, m :: L => ⟨m.extent * n, 1⟩ :: L.map (wider n)
  | p + 1, m :: L => wider n m :: partsAt n p L

theorem eq_wider_iff {n : Nat} {L D : FlatLayout} (hv : Valid L) : D = L.map (wider n) ↔
    normalize D = D ∧ shape D = shape L ∧ ∀ c, InBounds (shape L) c → eval D c = n * eval L c := by
  induction L generalizing D with
  | nil =>
    cases D with
    | nil => simp [normalize, eval_nil]
    | cons k D => simp [shape]
  | cons m L ih =>
    cases D with
    | nil => simp [shape]
    | cons k D =>
      rw [List.map_cons, List.cons.injEq, ih hv.2, normalize, List.cons.injEq, shape_cons, shape_cons,
        List.cons.injEq]
      constructor
      · rintro ⟨rfl, h1, h2, h3⟩
        refine ⟨⟨?_, h1⟩, ⟨rfl, h2⟩, ?_⟩
        · simp only [wider]
          split <;> simp [*]
        · rintro (_ | ⟨x, c⟩) hc
          · simp [InBounds] at hc
          · rw [eval_cons, eval_cons, h3 c hc.2, wider]
            have := hc.1
            simp only
            split
            · have : x = 0 := by omega
              simp [this]
            · grind
      · rintro ⟨⟨h1, h2⟩, ⟨h3, h4⟩, h5⟩
        refine ⟨?_, h2, h4, fun c hc => ?_⟩
        · have hx : m.extent ≠ 1 → k.stride = n * m.stride := fun hne => by
            have hpos := hv.1
            have := h5 (1 :: origin L) ⟨by omega, (origin_spec hv.2).1⟩
            rw [eval_cons, eval_cons, eval_eq_zero (origin_eq_zero L), eval_eq_zero (origin_eq_zero L)] at this
            simpa using this
          rw [wider]
          rw [h3] at h1
          by_cases hne : m.extent = 1
          · rw [if_pos hne] at h1 ⊢
            rw [← h1, hne]
          · rw [if_neg hne, ← hx hne, ← h3]
        · have := h5 (0 :: c) ⟨hv.1, hc⟩
          rw [eval_cons, eval_cons, Nat.zero_mul, Nat.zero_add, Nat.zero_mul, Nat.zero_add] at this
          exact this

theorem inBounds_length {s c : List Nat} (h : InBounds s c) : c.length = s.length := by
  induction s generalizing c with
  | nil => cases c with
    | nil => rfl
    | cons => simp [InBounds] at h
  | cons a s ih => cases c with
    | nil => simp [InBounds] at h
    | cons x c => rw [List.length_cons, List.length_cons, ih h.2]

theorem changeAt_eq_zero {n p : Nat} {c : List Nat} (h : ∀ x ∈ c, x = 0) :
    (∀ x ∈ changeAt (· / n) p c, x = 0) ∧ c.getD p 0 % n = 0 := by
  induction c generalizing p with
  | nil => cases p <;> simp [changeAt]
  | cons x c ih =>
    have hx := h x List.mem_cons_self
    have hc := fun y hy => h y (List.mem_cons_of_mem _ hy)
    cases p with
    | zero =>
      refine ⟨List.forall_mem_cons.2 ⟨by simp [hx], hc⟩, ?_⟩
      rw [List.getD_cons_zero, hx, Nat.zero_mod]
    | succ p =>
      refine ⟨List.forall_mem_cons.2 ⟨hx, (ih hc).1⟩, ?_⟩
      rw [List.getD_cons_succ]
      exact (ih hc).2

theorem inBounds_zero {n p : Nat} {L : FlatLayout} (hn : 0 < n) (hv : Valid L) :
    InBounds (changeAt (n * ·) p (shape L)) (origin L) := by
  induction L generalizing p with
  | nil => cases p <;> exact trivial
  | cons m L ih =>
    cases p with
    | zero => exact ⟨Nat.mul_pos hn hv.1, (origin_spec hv.2).1⟩
    | succ p => exact ⟨hv.1, ih hv.2⟩

/-- The layout of parts is this one, and exists exactly for modes that step by 1 or not at all. -/
theorem isParts_iff {n p : Nat} (hn : 1 < n) {L D : FlatLayout} (hv : Valid L) :
    IsParts n p L D ∧ normalize D = D ↔
      (∃ m, L[p]? = some m ∧ (m.extent = 1 ∨ m.stride = 1)) ∧ D = partsAt n p L := by
  induction L generalizing p D with
  | nil => simp [IsParts]
  | cons m L ih =>
    cases D with
    | nil =>
      constructor
      · rintro ⟨⟨_, h, _⟩, _⟩
        cases p <;> simp [shape, changeAt] at h
      · rintro ⟨_, h⟩
        cases p <;> simp [partsAt] at h
    | cons k D =>
      have hm := hv.1
      cases p with
      | zero =>
        rw [partsAt, List.cons.injEq, eq_wider_iff hv.2, normalize, List.cons.injEq]
        simp only [IsParts, shape_cons, changeAt, List.cons.injEq, List.length_cons, Nat.zero_lt_succ, true_and,
          List.getElem?_cons_zero, Option.some.injEq, exists_eq_left']
        constructor
        · rintro ⟨⟨⟨h1, h2⟩, h3⟩, h4, h5⟩
          have hlt : n ≤ n * m.extent := Nat.le_mul_of_pos_right n hm
          have at0 : ∀ x, x < n * m.extent → x * k.stride = n * (x / n * m.stride) + x % n := fun x hx => by
            have := h3 (x :: origin L) ⟨by omega, by rw [h2]; exact (origin_spec hv.2).1⟩
            rw [List.getD_cons_zero, changeAt, eval_cons, eval_cons, eval_eq_zero (origin_eq_zero L),
              eval_eq_zero (origin_eq_zero L)] at this
            simpa using this
          have hk : k.stride = 1 := by
            have := at0 1 (by omega)
            rwa [Nat.div_eq_of_lt hn, Nat.mod_eq_of_lt hn, Nat.one_mul, Nat.zero_mul, Nat.mul_zero,
              Nat.zero_add] at this
          refine ⟨?_, ?_, h5, h2, fun c hc => ?_⟩
          · by_cases h6 : m.extent = 1
            · exact .inl h6
            · right
              have h7 : n < n * m.extent := by
                have := Nat.mul_le_mul_left n (show 2 ≤ m.extent by omega)
                omega
              have := at0 n h7
              rw [Nat.div_self (by omega), Nat.mod_self, Nat.one_mul, Nat.add_zero, hk] at this
              exact (Nat.eq_of_mul_eq_mul_left (show 0 < n by omega) this).symm
          · rw [← hk, Nat.mul_comm, ← h1]
          · have := h3 (0 :: c) ⟨by have := Nat.mul_pos (show 0 < n by omega) hm; omega, by rwa [h2]⟩
            rw [List.getD_cons_zero, changeAt, eval_cons, eval_cons] at this
            simpa using this
        · rintro ⟨h1, rfl, h3, h4, h5⟩
          have hne : m.extent * n ≠ 1 := by
            have := Nat.mul_le_mul hm (show 2 ≤ n by omega)
            omega
          refine ⟨⟨⟨Nat.mul_comm _ _, h4⟩, ?_⟩, by simp only [if_neg hne], h3⟩
          rintro (_ | ⟨x, c⟩) hc
          · simp [InBounds] at hc
          · have hx : x < m.extent * n := hc.1
            rw [changeAt, eval_cons, eval_cons, List.getD_cons_zero, h5 c (h4 ▸ hc.2)]
            have key : x = n * (x / n * m.stride) + x % n := by
              rcases h1 with h1 | h1
              · rw [h1, Nat.one_mul] at hx
                rw [Nat.div_eq_of_lt hx, Nat.mod_eq_of_lt hx, Nat.zero_mul, Nat.mul_zero, Nat.zero_add]
              · rw [h1, Nat.mul_one, Nat.div_add_mod]
            show x * 1 + n * eval L c = n * (x / n * m.stride + eval L c) + x % n
            rw [Nat.mul_add]
            omega
      | succ p =>
        have ih := ih (p := p) (D := D) hv.2
        rw [partsAt, List.cons.injEq, List.getElem?_cons_succ, and_left_comm, ← ih, normalize, List.cons.injEq]
        simp only [IsParts, shape_cons, changeAt, List.cons.injEq, List.length_cons, Nat.add_lt_add_iff_right]
        constructor
        · rintro ⟨⟨h1, ⟨h2, h3⟩, h4⟩, h5, h6⟩
          refine ⟨?_, ⟨h1, h3, fun c hc => ?_⟩, h6⟩
          · have hx : m.extent ≠ 1 → k.stride = n * m.stride := fun hne => by
              have := h4 (1 :: origin L) ⟨by omega, by rw [h3]; exact inBounds_zero (by omega) hv.2⟩
              rw [changeAt, eval_cons, eval_cons, List.getD_cons_succ,
                (changeAt_eq_zero (n := n) (p := p) (origin_eq_zero L)).2,
                eval_eq_zero (origin_eq_zero L),
                eval_eq_zero (changeAt_eq_zero (n := n) (p := p) (origin_eq_zero L)).1] at this
              simpa using this
            rw [wider]
            rw [h2] at h5
            by_cases hne : m.extent = 1
            · rw [if_pos hne] at h5 ⊢
              rw [← h5, hne]
            · rw [if_neg hne, ← hx hne, ← h2]
          · have := h4 (0 :: c) ⟨by omega, hc⟩
            rw [changeAt, eval_cons, eval_cons, List.getD_cons_succ, Nat.zero_mul, Nat.zero_add, Nat.zero_mul,
              Nat.zero_add] at this
            exact this
        · rintro ⟨rfl, ⟨h1, h2, h3⟩, h4⟩
          refine ⟨⟨h1, ⟨rfl, h2⟩, ?_⟩, ?_, h4⟩
          · rintro (_ | ⟨x, c⟩) hc
            · simp [InBounds] at hc
            · rw [changeAt, eval_cons, eval_cons, List.getD_cons_succ, h3 c hc.2, wider]
              have := hc.1
              simp only [wider] at this ⊢
              split
              · have : x = 0 := by omega
                simp [this]
              · grind
          · simp only [wider]
            split <;> simp [*]

theorem exists_normalize {n p : Nat} {L D : FlatLayout} (h : IsParts n p L D) :
    ∃ D', IsParts n p L D' ∧ normalize D' = D' := by
  refine ⟨normalize D, ?_, ?_⟩
  · obtain ⟨h1, h2, h3⟩ := h
    have hs : shape (normalize D) = shape D := by
      clear h1 h2 h3
      induction D with
      | nil => rfl
      | cons k D ih =>
        rw [normalize, shape_cons, shape_cons, ih]
        split <;> simp [*]
    have he : ∀ {D : FlatLayout} {c : List Nat}, InBounds (shape D) c → eval (normalize D) c = eval D c := by
      intro D
      induction D with
      | nil => intro c _; rfl
      | cons k D ih =>
        rintro (_ | ⟨x, c⟩) hc
        · rfl
        · rw [normalize, eval_cons, eval_cons, ih hc.2]
          split
          · rename_i h1
            have := hc.1
            have : x = 0 := by omega
            simp [this]
          · rfl
    refine ⟨h1, hs.trans h2, fun c hc => ?_⟩
    rw [hs] at hc
    rw [he hc, h3 c hc]
  · clear h
    induction D with
    | nil => rfl
    | cons k D ih =>
      rw [normalize, normalize, ih]
      split <;> simp [*]

theorem holdsParts_iff {n p : Nat} (hn : 1 < n) {L : FlatLayout} (hv : Valid L) :
    HoldsParts n p L ↔ ∃ m, L[p]? = some m ∧ (m.extent = 1 ∨ m.stride = 1) := by
  constructor
  · rintro ⟨D, hD⟩
    obtain ⟨D', h⟩ := exists_normalize hD
    exact ((isParts_iff hn hv).1 h).1
  · intro h
    exact ⟨_, ((isParts_iff hn hv).2 ⟨h, rfl⟩).1⟩

theorem countOf_eq_zero {kind : Mode → Bool} {L : FlatLayout} :
    countOf kind L = 0 ↔ ∀ (q : Nat) (m : Mode), L[q]? = some m → kind m = false := by
  induction L with
  | nil => simp [countOf]
  | cons m L ih =>
    rw [countOf, Nat.add_eq_zero_iff, ih]
    constructor
    · rintro ⟨h1, h2⟩ (_ | q) k hk
      · obtain rfl := Option.some.inj hk
        by_cases h : kind m = true
        · rw [if_pos h] at h1
          cases h1
        · simpa using h
      · exact h2 q k hk
    · intro h
      have h0 := h 0 m rfl
      exact ⟨by rw [h0]; rfl, fun q k hk => h (q + 1) k hk⟩

theorem parts_eq_map {n : Nat} {kind : Mode → Bool} {L : FlatLayout} (h : countOf kind L = 0) :
    parts n kind L = L.map (wider n) := by
  refine List.map_congr_left fun m hm => ?_
  obtain ⟨q, hq⟩ := List.getElem?_of_mem hm
  rw [countOf_eq_zero.1 h q m hq]
  rfl

theorem parts_eq_partsAt {n p : Nat} {kind : Mode → Bool} {L : FlatLayout} {m : Mode} (hp : L[p]? = some m)
    (hm : kind m = true) (h : ∀ (q : Nat) (k : Mode), L[q]? = some k → kind k = true → q = p) :
    parts n kind L = partsAt n p L := by
  induction L generalizing p with
  | nil => cases hp
  | cons k L ih =>
    cases p with
    | zero =>
      obtain rfl := Option.some.inj hp
      have h0 : countOf kind L = 0 := countOf_eq_zero.2 fun q k hk => by
        by_cases hkk : kind k = true
        · have := h (q + 1) k hk hkk
          omega
        · simpa using hkk
      rw [partsAt, ← parts_eq_map h0, parts, List.map_cons, if_pos hm]
      rfl
    | succ p =>
      have hk : ¬kind k = true := fun hk => by
        have := h 0 k rfl hk
        omega
      rw [partsAt, ← ih hp fun q k' hk' hkk => by
        have := h (q + 1) k' hk' hkk
        omega]
      rw [parts, List.map_cons, if_neg hk]
      rfl

theorem countOf_eq_one {kind : Mode → Bool} {L : FlatLayout} : countOf kind L = 1 ↔
    ∃ (p : Nat) (m : Mode), L[p]? = some m ∧ kind m = true ∧
      ∀ (q : Nat) (k : Mode), L[q]? = some k → kind k = true → q = p := by
  induction L with
  | nil => simp [countOf]
  | cons m L ih =>
    rw [countOf]
    by_cases hm : kind m = true
    · rw [if_pos hm]
      constructor
      · intro h
        have h0 : countOf kind L = 0 := by omega
        refine ⟨0, m, rfl, hm, ?_⟩
        rintro (_ | q) k hk hkk
        · rfl
        · have := countOf_eq_zero.1 h0 q k hk
          rw [this] at hkk
          cases hkk
      · rintro ⟨p, k, _, _, h3⟩
        have h0 := h3 0 m rfl hm
        have : countOf kind L = 0 := countOf_eq_zero.2 fun q k hk => by
          by_cases h : kind k = true
          · have := h3 (q + 1) k hk h
            omega
          · simpa using h
        omega
    · rw [if_neg hm, Nat.zero_add, ih]
      constructor
      · rintro ⟨p, k, h1, h2, h3⟩
        refine ⟨p + 1, k, h1, h2, ?_⟩
        rintro (_ | q) k' hk' hkk
        · obtain rfl := Option.some.inj hk'
          exact absurd hkk hm
        · rw [h3 q k' hk' hkk]
      · rintro ⟨p, k, h1, h2, h3⟩
        cases p with
        | zero =>
          obtain rfl := Option.some.inj h1
          exact absurd h2 hm
        | succ p =>
          refine ⟨p, k, h1, h2, fun q k' hk' hkk => ?_⟩
          have := h3 (q + 1) k' hk' hkk
          omega

theorem getD_shape {L : FlatLayout} {p : Nat} {m : Mode} (h : L[p]? = some m) : (shape L).getD p 1 = m.extent := by
  rw [shape, List.getD_eq_getElem?_getD, List.getElem?_map, h]
  rfl

theorem adjacent_iff {m : Mode} : adjacent m = true ↔ m.extent ≠ 1 ∧ m.stride = 1 := by
  simp [adjacent]

theorem single_iff {m : Mode} : single m = true ↔ m.extent = 1 := by
  simp [single]

end Aux
open Aux

/-- **`downcast` answers the layout of the parts and nothing else, wherever it is said in which mode they lie: in the only
one of extent above 1 where they can, or without such in the only one at all.**
Rust: `razorgirl::Layout::downcast`
Source: none; CuTe `downcast` makes every mode of stride 1 longer -/
theorem downcast_eq_some_iff {n : Nat} {L D : FlatLayout} (hn : 1 < n) (hv : Valid L) :
    downcast n L = some D ↔ normalize D = D ∧ ∃ p, IsPartMode n p L ∧ IsParts n p L D := by
  have hk : ∀ {q : Nat} {k : Mode}, L[q]? = some k → (HoldsParts n q L ↔ k.extent = 1 ∨ k.stride = 1) :=
    fun {q k} h => by
      rw [holdsParts_iff hn hv, h]
      simp
  have exists_mode : ∀ {q : Nat}, HoldsParts n q L → ∃ k, L[q]? = some k := fun h => by
    obtain ⟨k, h1, _⟩ := (holdsParts_iff hn hv).1 h
    exact ⟨k, h1⟩
  rw [downcast, if_neg (by omega), if_neg (by omega), Option.map_eq_some_iff]
  constructor
  · rintro ⟨kind, hkind, rfl⟩
    rw [partMode] at hkind
    split at hkind
    · rename_i h1
      obtain rfl := Option.some.inj hkind
      obtain ⟨p, m, h2, h3, h4⟩ := countOf_eq_one.1 h1
      have h5 := parts_eq_partsAt (n := n) h2 h3 h4
      have h3 := adjacent_iff.1 h3
      obtain ⟨h6, h7⟩ := (isParts_iff hn hv).2 ⟨⟨m, h2, .inr h3.2⟩, h5⟩
      refine ⟨h7, p, ⟨⟨_, h6⟩, fun q hq hne => ?_, .inl (by rw [getD_shape h2]; exact h3.1)⟩, h6⟩
      obtain ⟨k, hkq⟩ := exists_mode hq
      rw [getD_shape hkq] at hne
      refine h4 q k hkq (adjacent_iff.2 ⟨hne, ?_⟩)
      rcases (hk hkq).1 hq with h | h
      · exact absurd h hne
      · exact h
    · split at hkind
      · rename_i h0 h1
        obtain rfl := Option.some.inj hkind
        obtain ⟨p, m, h2, h3, h4⟩ := countOf_eq_one.1 h1.2
        have h5 := parts_eq_partsAt (n := n) h2 h3 h4
        obtain ⟨h6, h7⟩ := (isParts_iff hn hv).2 ⟨⟨m, h2, .inl (single_iff.1 h3)⟩, h5⟩
        have all : ∀ q, HoldsParts n q L → q = p := fun q hq => by
          obtain ⟨k, hkq⟩ := exists_mode hq
          refine h4 q k hkq (single_iff.2 ?_)
          rcases (hk hkq).1 hq with h | h
          · exact h
          · apply Classical.byContradiction
            intro hne
            have := countOf_eq_zero.1 h1.1 q k hkq
            rw [adjacent_iff.2 ⟨hne, h⟩] at this
            cases this
        exact ⟨h7, p, ⟨⟨_, h6⟩, fun q hq _ => all q hq, .inr all⟩, h6⟩
      · cases hkind
  · rintro ⟨h7, p, ⟨h1, h2, h3⟩, h6⟩
    obtain ⟨⟨m, hm, hms⟩, hD⟩ := (isParts_iff hn hv).1 ⟨h6, h7⟩
    rw [getD_shape hm] at h3
    by_cases hne : m.extent = 1
    · have all := h3.resolve_left fun h => h hne
      have none : countOf adjacent L = 0 := countOf_eq_zero.2 fun q k hkq => by
        by_cases ha : adjacent k = true
        · have ha' := adjacent_iff.1 ha
          have hq := (hk hkq).2 (.inr ha'.2)
          obtain rfl := all q hq
          rw [hm] at hkq
          obtain rfl := Option.some.inj hkq
          exact absurd hne ha'.1
        · simpa using ha
      have one : ∀ (q : Nat) (k : Mode), L[q]? = some k → single k = true → q = p := fun q k hkq hs =>
        all q ((hk hkq).2 (.inl (single_iff.1 hs)))
      refine ⟨single, ?_, ?_⟩
      · rw [partMode, if_neg (by omega), if_pos ⟨none, countOf_eq_one.2 ⟨p, m, hm, single_iff.2 hne, one⟩⟩]
      · rw [hD]
        exact parts_eq_partsAt hm (single_iff.2 hne) one
    · have hs : m.stride = 1 := hms.resolve_left hne
      have one : ∀ (q : Nat) (k : Mode), L[q]? = some k → adjacent k = true → q = p := fun q k hkq ha => by
        have ha' := adjacent_iff.1 ha
        exact h2 q ((hk hkq).2 (.inr ha'.2)) (by rw [getD_shape hkq]; exact ha'.1)
      have ha : adjacent m = true := adjacent_iff.2 ⟨hne, hs⟩
      refine ⟨adjacent, ?_, ?_⟩
      · rw [partMode, if_pos]
        exact countOf_eq_one.2 ⟨p, m, hm, ha, one⟩
      · rw [hD]
        exact parts_eq_partsAt hm ha one

/-- **`downcast` is accepted exactly where it is said in which mode the parts of an element lie.**
Rust: `razorgirl::Layout::downcast`
Source: none; CuTe `downcast` makes every mode of stride 1 longer -/
theorem downcast_ne_none_iff {n : Nat} {L : FlatLayout} (hn : 1 < n) (hv : Valid L) :
    downcast n L ≠ none ↔ ∃ p, IsPartMode n p L := by
  constructor
  · intro h
    obtain ⟨D, hD⟩ := Option.ne_none_iff_exists'.1 h
    obtain ⟨_, p, hp, _⟩ := (downcast_eq_some_iff hn hv).1 hD
    exact ⟨p, hp⟩
  · rintro ⟨p, hp⟩
    obtain ⟨D, hD⟩ := hp.1
    obtain ⟨D', h1, h2⟩ := exists_normalize hD
    rw [(downcast_eq_some_iff hn hv).2 ⟨h2, p, hp, h1⟩]
    exact Option.some_ne_none _

/-- **One part of an element is the element.**
Rust: `razorgirl::Layout::downcast`
Source: none -/
theorem downcast_one (L : FlatLayout) : downcast 1 L = some L := by
  rw [downcast, if_neg (by omega), if_pos rfl]

end FlatLayout

end Razorgirl
