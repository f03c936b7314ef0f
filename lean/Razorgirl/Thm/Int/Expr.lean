module

public import Razorgirl.Spec.Int.Expr
public import Razorgirl.Thm.Int.Compare

@[expose] public section

/-!
# Index expressions: what is proved

The range computed for an expression contains its value, and the laws of division for both kinds at once.
-/

namespace Razorgirl.Index

open Razorgirl.Division

/-! ## Both divisions at once -/

/-- **For a dividend of at least 0, an index computed by C's division is the one that layout algebra means.**
Source: nvFuser integer division, section 3 -/
theorem Kind.agree {a : Int} (b : Int) (h : 0 ≤ a) :
    Kind.trunc.div a b = Kind.euclid.div a b ∧ Kind.trunc.mod a b = Kind.euclid.mod a b :=
  ⟨Int.tdiv_eq_ediv_of_nonneg h, Int.tmod_eq_emod_of_nonneg h⟩

theorem Kind.div_add_mod (k : Kind) (a b : Int) : b * k.div a b + k.mod a b = a := by
  cases k
  · exact Int.mul_ediv_add_emod a b
  · exact Int.mul_tdiv_add_tmod a b

theorem Kind.of_small {k : Kind} {a d : Int} (h0 : 0 ≤ a) (h1 : a < d) : k.div a d = 0 ∧ k.mod a d = a := by
  have h := emod_ediv_of_lt (r := a) (a := d) h0 (by omega)
  cases k
  · exact h.symm
  · have := Kind.agree d h0
    exact ⟨this.1.trans h.2, this.2.trans h.1⟩

theorem Kind.mod_mul_add {k : Kind} {d q r : Int} (h : k.Separable (d * q) r) : k.mod (d * q + r) d = k.mod r d := by
  cases k
  · exact add_emod_of_emod_eq_zero r (Int.mul_emod_right d q)
  · rcases h with h | h
    · cases h
    · exact add_tmod_of_tmod_eq_zero h (Int.mul_tmod_right d q)

theorem Kind.div_mul_add {k : Kind} {d q r : Int} (hd : d ≠ 0) (h : k.Separable (d * q) r) :
    k.div (d * q + r) d = q + k.div r d := by
  cases k
  · simp only [Kind.div]
    rw [add_ediv_of_emod_eq_zero r (Int.mul_emod_right d q), Int.mul_ediv_cancel_left q hd]
  · rcases h with h | h
    · cases h
    · simp only [Kind.div]
      rw [add_tdiv_of_tmod_eq_zero h (Int.mul_tmod_right d q), Int.mul_tdiv_cancel_left q hd]

theorem Kind.div_div {k : Kind} {y : Int} (x d : Int) (h : k = .trunc ∨ 0 ≤ y) :
    k.div (k.div x y) d = k.div x (y * d) := by
  cases k
  · rcases h with h | h
    · cases h
    · exact (ediv_mul x d h).symm
  · exact (tdiv_mul x y d).symm

theorem Kind.mod_mod {k : Kind} {y d : Int} (x : Int) (h : d ∣ y) : k.mod (k.mod x y) d = k.mod x d := by
  cases k
  · exact Int.emod_emod_of_dvd x h
  · exact Int.tmod_tmod_of_dvd x h

theorem Kind.div_cancel {k : Kind} {g s r : Int} (d : Int) (h0 : 0 ≤ r) (h1 : r < g)
    (h : k.Separable (g * s) r) : k.div (g * s + r) (g * d) = k.div s d := by
  rw [← Kind.div_div _ d (Or.inr (by omega)), Kind.div_mul_add (by omega) h, (Kind.of_small h0 h1).1, Int.add_zero]

theorem Kind.mod_cancel {k : Kind} {g s r : Int} (d : Int) (h0 : 0 ≤ r) (h1 : r < g)
    (h : k.Separable (g * s) r) : k.mod (g * s + r) (g * d) = g * k.mod s d + r := by
  have e1 := k.div_add_mod (g * s + r) (g * d)
  have e2 := k.div_add_mod s d
  rw [Kind.div_cancel d h0 h1 h] at e1
  have e3 : g * d * k.div s d + g * k.mod s d = g * s := by
    rw [Int.mul_assoc, ← Int.mul_add, e2]
  omega

theorem Kind.div_mono {k : Kind} {a b d : Int} (hd : 0 < d) (h : a ≤ b) : k.div a d ≤ k.div b d := by
  have := quotient_mono hd h
  cases k
  · exact this.1
  · exact this.2.1

/-! ## Ranges -/

namespace Range

theorem contains_iff {r : Range} {v : Int} : r.Contains v ↔ (∀ l, r.lo = some l → l ≤ v) ∧ ∀ h, r.hi = some h → v ≤ h := by
  simp [Contains]

theorem Contains.of_from? {r : Range} {v n : Int} (h : r.Contains v) (hn : r.from? n = true) : n ≤ v := by
  unfold from? at hn
  split at hn
  · rename_i l e
    have := h.1 l e
    simp at hn
    omega
  · cases hn

theorem Contains.of_upTo? {r : Range} {v n : Int} (h : r.Contains v) (hn : r.upTo? n = true) : v ≤ n := by
  unfold upTo? at hn
  split at hn
  · rename_i l e
    have := h.2 l e
    simp at hn
    omega
  · cases hn

theorem contains_all (v : Int) : all.Contains v := by simp [all, Contains]

theorem contains_point (n : Int) : (point n).Contains n := by simp [point, Contains]

theorem contains_below {n v : Int} : (below n).Contains v ↔ 0 ≤ v ∧ v < n := by
  simp [below, Contains]
  omega

theorem addBounds_eq_some {a b : Option Int} {c : Int} (h : addBounds a b = some c) :
    ∃ x y, a = some x ∧ b = some y ∧ x + y = c := by
  cases a <;> cases b <;> simp [addBounds] at h
  exact ⟨_, _, rfl, rfl, h⟩

theorem mulBounds_eq_some {a b : Option Int} {c : Int} (h : mulBounds a b = some c) :
    ∃ x y, a = some x ∧ b = some y ∧ x * y = c := by
  cases a <;> cases b <;> simp [mulBounds] at h
  exact ⟨_, _, rfl, rfl, h⟩

theorem le_of_least {v : Int} {a b : Option Int} (ha : ∀ h, a = some h → v ≤ h) (hb : ∀ h, b = some h → v ≤ h) {c : Int}
    (h : least a b = some c) : v ≤ c := by
  cases a <;> cases b <;> simp [least] at h ha hb <;> omega

theorem le_of_greatest {v : Int} {a b : Option Int} (ha : ∀ h, a = some h → h ≤ v) (hb : ∀ h, b = some h → h ≤ v)
    {c : Int} (h : greatest a b = some c) : c ≤ v := by
  cases a <;> cases b <;> simp [greatest] at h ha hb <;> omega

theorem Contains.meet {r s : Range} {v : Int} (h : r.Contains v) (h' : s.Contains v) : (r.meet s).Contains v :=
  contains_iff.2 ⟨fun _ e => le_of_greatest h.1 h'.1 e, fun _ e => le_of_least h.2 h'.2 e⟩

theorem Contains.add {r s : Range} {v w : Int} (h : r.Contains v) (h' : s.Contains w) :
    (r.add s).Contains (v + w) := by
  refine contains_iff.2 ⟨fun l e => ?_, fun l e => ?_⟩ <;> obtain ⟨x, y, ex, ey, rfl⟩ := addBounds_eq_some e
  · have := h.1 x ex
    have := h'.1 y ey
    omega
  · have := h.2 x ex
    have := h'.2 y ey
    omega

theorem Contains.scale {r : Range} {v : Int} (c : Int) (h : r.Contains v) : (r.scale c).Contains (c * v) := by
  unfold Range.scale
  split
  · rename_i hc
    refine contains_iff.2 ⟨fun l e => ?_, fun l e => ?_⟩ <;>
      obtain ⟨x, ex, rfl⟩ := Option.map_eq_some_iff.1 e
    · exact Int.mul_le_mul_of_nonneg_left (h.1 x ex) hc
    · exact Int.mul_le_mul_of_nonneg_left (h.2 x ex) hc
  · rename_i hc
    refine contains_iff.2 ⟨fun l e => ?_, fun l e => ?_⟩ <;>
      obtain ⟨x, ex, rfl⟩ := Option.map_eq_some_iff.1 e
    · exact Int.mul_le_mul_of_nonpos_left (by omega) (h.2 x ex)
    · exact Int.mul_le_mul_of_nonpos_left (by omega) (h.1 x ex)

theorem Contains.of_value? {r : Range} {v n : Int} (h : r.Contains v) (hn : r.value? = some n) : v = n := by
  unfold value? at hn
  split at hn
  · rename_i l u el eu
    split at hn
    · cases hn
      have := h.1 _ el
      have := h.2 _ eu
      omega
    · cases hn
  · cases hn

theorem Contains.mul {r s : Range} {v w : Int} (h : r.Contains v) (h' : s.Contains w) :
    (r.mul s).Contains (v * w) := by
  unfold Range.mul
  split
  · rename_i e
    rw [h.of_value? e]
    exact h'.scale _
  · rename_i e _
    rw [h'.of_value? e, Int.mul_comm]
    exact h.scale _
  · split
    · rename_i e
      rw [Bool.and_eq_true] at e
      have hv := h.of_from? e.1
      have hw := h'.of_from? e.2
      refine contains_iff.2 ⟨fun l e' => ?_, fun l e' => ?_⟩ <;> obtain ⟨x, y, ex, ey, rfl⟩ := mulBounds_eq_some e'
      · have hy := e.2
        rw [from?, ey] at hy
        exact Int.mul_le_mul (h.1 x ex) (h'.1 y ey) (by simpa using hy) hv
      · exact Int.mul_le_mul (h.2 x ex) (h'.2 y ey) hw (by have := h.2 x ex; omega)
    · exact contains_all _

theorem Contains.div {k : Kind} {r s : Range} {v w : Int} (h : r.Contains v) (h' : s.Contains w) :
    (Range.div k r s).Contains (k.div v w) := by
  unfold Range.div
  split
  · rename_i d ed
    split
    · rename_i hd
      rw [h'.of_value? ed]
      refine contains_iff.2 ⟨fun l e => ?_, fun l e => ?_⟩ <;> obtain ⟨x, ex, rfl⟩ := Option.map_eq_some_iff.1 e
      · exact Kind.div_mono hd (h.1 x ex)
      · exact Kind.div_mono hd (h.2 x ex)
    · exact contains_all _
  · rename_i d _ ed
    split
    · rename_i e
      simp only [Bool.and_eq_true, decide_eq_true_eq] at e
      have hd := e.1
      have hw := h'.1 d ed
      have hv := h.of_from? e.2
      have key (a : Int) (ha : 0 ≤ a) (b : Int) : k.div a b = a / b := by
        cases k
        · rfl
        · exact (Kind.agree b ha).1
      rw [key v hv]
      refine contains_iff.2 ⟨fun l e => ?_, fun l e => ?_⟩
      · cases e
        exact Int.ediv_nonneg hv (by omega)
      · obtain ⟨x, ex, rfl⟩ := Option.map_eq_some_iff.1 e
        have hx := h.2 x ex
        rw [key x (by omega)]
        have h1 : v / w ≤ x / w := Int.ediv_le_ediv (by omega) hx
        have h2 : x / w ≤ x / d := by
          rw [Int.le_ediv_iff_mul_le hd]
          have h3 := Int.mul_le_mul_of_nonneg_left (a := d) (b := w) (c := x / w) hw
            (Int.ediv_nonneg (by omega) (by omega))
          have h4 := Int.mul_ediv_add_emod x w
          have h5 := Int.emod_nonneg x (b := w) (by omega)
          rw [Int.mul_comm w] at h4
          omega
        omega
    · exact contains_all _
  · exact contains_all _

theorem Contains.mod {k : Kind} {r s : Range} {v w : Int} (h : r.Contains v) (h' : s.Contains w) :
    (Range.mod k r s).Contains (k.mod v w) := by
  unfold Range.mod
  split
  · rename_i e
    have hw := h'.of_from? e
    split
    · rename_i e'
      have hv := h.of_from? e'
      have key : k.mod v w = v % w := by
        cases k
        · rfl
        · exact (Kind.agree w hv).2
      have h0 := Int.emod_nonneg v (b := w) (by omega)
      rw [key]
      refine contains_iff.2 ⟨fun l e => by cases e; exact h0, fun l e => ?_⟩
      refine le_of_least (fun x ex => ?_) (fun x ex => ?_) e
      · have := h.2 x ex
        have := Int.mul_ediv_add_emod v w
        have := Int.mul_nonneg (a := w) (b := v / w) (by omega) (Int.ediv_nonneg hv (by omega))
        omega
      · obtain ⟨y, ey, rfl⟩ := Option.map_eq_some_iff.1 ex
        have := h'.2 y ey
        have := Int.emod_lt_of_pos v (b := w) (by omega)
        omega
    · cases k
      · have h0 := Int.emod_nonneg v (b := w) (by omega)
        have h1 := Int.emod_lt_of_pos v (b := w) (by omega)
        refine contains_iff.2 ⟨fun l e => by cases e; exact h0, fun l e => ?_⟩
        obtain ⟨y, ey, rfl⟩ := Option.map_eq_some_iff.1 e
        have := h'.2 y ey
        simp only [Kind.mod]
        omega
      · have h1 := (natAbs_remainder_lt v (b := w) (by omega)).2.1
        refine contains_iff.2 ⟨fun l e => ?_, fun l e => ?_⟩ <;>
          obtain ⟨y, ey, rfl⟩ := Option.map_eq_some_iff.1 e <;> have := h'.2 y ey <;> simp only [Kind.mod] <;> omega
  · exact contains_all _

end Range

/-- **The range computed for an index expression contains its value, whatever the variables within their bounds.**
Source: ours -/
theorem Expr.contains_range {k : Kind} {B : Bounds} {env : Nat → Int} (h : Within B env) (e : Expr) :
    (e.range k B).Contains (e.eval k env) := by
  induction e with
  | var x => exact h x
  | const n => exact Range.contains_point n
  | add a b ha hb => exact ha.add hb
  | mul a b ha hb => exact ha.mul hb
  | div a b ha hb => exact ha.div hb
  | mod a b ha hb => exact ha.mod hb

end Razorgirl.Index
