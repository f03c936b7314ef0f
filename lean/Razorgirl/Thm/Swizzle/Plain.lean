module

public import Razorgirl.Thm.LinearLayout.Carry
public import Razorgirl.Thm.Swizzle.Layout

@[expose] public section

/-!
# Plain or not, by columns: what is proved

For a layout of powers of two without carries, and an offset without common bits: the swizzled layout is a constant plus
a layout exactly where no two swizzled columns have a bit in common.
-/

namespace Razorgirl

namespace SwizzledLayout

open F2

/-- How much an exclusive or with `e` changes `a`. -/
def change (a e : Nat) : Int := ((a ^^^ e : Nat) : Int) - a

theorem change_eq (a e : Nat) : change a e = (e : Int) - 2 * (a &&& e : Nat) := by
  have := add_eq_xor_add_and a e
  unfold change
  omega

theorem change_xor (a c d : Nat) : change a (c ^^^ d) =
    change a c + change a d - 2 * (c &&& d : Nat) + 4 * (a &&& (c &&& d) : Nat) := by
  have h₁ := add_eq_xor_add_and c d
  have h₂ := add_eq_xor_add_and (a &&& c) (a &&& d)
  have h₃ : (a &&& c) &&& (a &&& d) = a &&& (c &&& d) := by
    apply Nat.eq_of_testBit_eq
    intro i
    simp only [Nat.testBit_and]
    cases a.testBit i <;> simp
  rw [← Nat.and_xor_distrib_left, h₃] at h₂
  rw [change_eq, change_eq, change_eq]
  omega

theorem zero_of_double (m a : Nat) (h : m = 2 * (a &&& m)) : m = 0 := by
  induction m using Nat.strongRecOn generalizing a with
  | _ m ih =>
    by_cases z : m = 0
    · exact z
    · have y : (a &&& m) % 2 = 1 ↔ a % 2 = 1 ∧ m % 2 = 1 := Nat.and_mod_two_eq_one
      have q : (a &&& m) / 2 = a / 2 &&& m / 2 := Nat.and_div_two
      have := ih (m / 2) (by omega) (a / 2) (by omega)
      omega

theorem change_add_iff (a c d : Nat) : change a (c ^^^ d) = change a c + change a d ↔ c &&& d = 0 := by
  rw [change_xor]
  constructor
  · intro h
    exact zero_of_double _ a (by omega)
  · intro h
    rw [h, Nat.and_zero]
    omega

/-! ## Disjoint columns -/

theorem change_columns {cs : List Nat} (h : disjoint cs = true) (a x : Nat) :
    change a (F2.apply cs x) = Stride.atIndex (cs.map fun c => (2, change a c)) x := by
  induction cs generalizing x with
  | nil =>
    rw [List.map_nil, Stride.atIndex_nil]
    simp [change, F2.apply, StrideModule.zero]
  | cons c cs ih =>
    obtain ⟨h₁, h₂⟩ := LinearLayout.disjoint_cons.1 h
    have e : Stride.atIndex ((c :: cs).map fun c => (2, change a c)) x =
        ((x % 2 : Nat) : Int) * change a c + Stride.atIndex (cs.map fun c => (2, change a c)) (x / 2) := rfl
    rw [e, ← ih h₂, F2.apply]
    rcases Nat.mod_two_eq_zero_or_one x with q | q
    · simp [q]
    · simp only [q, beq_self_eq_true, sel_true, Int.natCast_one, Int.one_mul]
      exact (change_add_iff a c _).2 (LinearLayout.apply_and h₁ _)

theorem apply_offset {s : Swizzle} {o c : Nat} (h : o &&& c = 0) : s.apply (o + c) = s.apply o ^^^ s.apply c := by
  rw [add_eq_xor.2 h]
  exact Swizzle.apply_linear s.bits s.base s.shift o c

theorem atIndex_columns {R : SwizzledLayout} {cols : List Nat} (hb : bitColumns R.layout.modes = some cols)
    (hd : disjoint (R.offset :: cols) = true) (x : Nat) :
    R.atIndex x = R.swizzle.apply R.offset ^^^ F2.apply (cols.map R.swizzle.apply) x := by
  obtain ⟨h₁, h₂⟩ := LinearLayout.disjoint_cons.1 hd
  rw [atIndex, (LinearLayout.bitColumns_spec hb).2, LinearLayout.addColumns_of_disjoint h₂,
    apply_offset (LinearLayout.apply_and h₁ x),
    F2.apply_map (Swizzle.apply_linear R.swizzle.bits R.swizzle.base R.swizzle.shift)]

theorem step_eq {s : Swizzle} {o c : Nat} (h : o &&& c = 0) : step s o c = change (s.apply o) (s.apply c) := by
  rw [step, change, apply_offset h]

/-- **Where the swizzled columns have no common bits, the swizzled layout is the constant plus the layout that are answered.**
Source: CuTe, slicing of swizzled layouts -/
theorem plainColumns_sound {R : SwizzledLayout} {cols : List Nat} (hb : bitColumns R.layout.modes = some cols)
    (hd : disjoint (R.offset :: cols) = true) {k : Nat} {P : Stride.Modes Int}
    (h : R.plainColumns cols = some (k, P)) (x : Nat) : (R.atIndex x : Int) = k + Stride.atIndex P x := by
  unfold plainColumns at h
  split at h
  · rename_i d
    simp only [Option.some.injEq, Prod.mk.injEq] at h
    obtain ⟨rfl, rfl⟩ := h
    have e : (cols.map fun c => (2, step R.swizzle R.offset c)) =
        (cols.map R.swizzle.apply).map fun c => (2, change (R.swizzle.apply R.offset) c) := by
      rw [List.map_map]
      apply List.map_congr_left
      intro c hc
      simp only [Function.comp_def, step_eq ((LinearLayout.disjoint_cons.1 hd).1 c hc)]
    rw [e, ← change_columns d, atIndex_columns hb hd, change]
    omega
  · cases h

/-! ## Only then -/

theorem two_pow_of_dvd {n e : Nat} (h : e ∣ 2 ^ n) : ∃ k, e = 2 ^ k := by
  induction n generalizing e with
  | zero => exact ⟨0, Nat.dvd_one.1 h⟩
  | succ n ih =>
    by_cases q : e % 2 = 1
    · have co : Nat.Coprime e 2 := by
        have : Nat.gcd e 2 ∣ 2 := Nat.gcd_dvd_right e 2
        have l := Nat.le_of_dvd (by omega) this
        have d := Nat.gcd_dvd_left e 2
        rw [Nat.Coprime]
        have g0 : 0 < Nat.gcd e 2 := Nat.gcd_pos_of_pos_right e (by omega)
        have : Nat.gcd e 2 ≠ 2 := by
          intro g
          rw [g] at d
          omega
        omega
      rw [Nat.pow_succ] at h
      exact ih (co.dvd_of_dvd_mul_right h)
    · obtain ⟨e', rfl⟩ : ∃ e', e = 2 * e' := ⟨e / 2, by omega⟩
      rw [Nat.pow_succ, Nat.mul_comm (2 ^ n)] at h
      obtain ⟨k, rfl⟩ := ih (Nat.dvd_of_mul_dvd_mul_left (by omega) h)
      exact ⟨k + 1, by rw [Nat.pow_succ, Nat.mul_comm]⟩

theorem atIndex_xor {P : Stride.Modes Int} {n : Nat} (hs : Stride.size P ∣ 2 ^ n) {x y : Nat} (h : x &&& y = 0) :
    Stride.atIndex P (x ^^^ y) = Stride.atIndex P x + Stride.atIndex P y := by
  induction P generalizing x y with
  | nil => simp only [Stride.atIndex_nil, StrideModule.zero]; omega
  | cons m P ih =>
    rw [Stride.size_cons] at hs
    obtain ⟨k, hk⟩ := two_pow_of_dvd (Nat.dvd_trans (Nat.dvd_mul_right m.1 _) hs)
    have i := ih (Nat.dvd_trans (Nat.dvd_mul_left _ m.1) hs) (x := x / m.1) (y := y / m.1)
      (by rw [hk, ← Nat.and_div_two_pow, h, Nat.zero_div])
    have e : ∀ z, Stride.atIndex (m :: P) z = ((z % m.1 : Nat) : Int) * m.2 + Stride.atIndex P (z / m.1) := fun _ => rfl
    have d : (x ^^^ y) / m.1 = x / m.1 ^^^ y / m.1 := by rw [hk]; exact Nat.xor_div_two_pow
    have r : (x ^^^ y) % m.1 = x % m.1 + y % m.1 := by
      rw [hk, Nat.xor_mod_two_pow]
      refine (add_eq_xor.2 ?_).symm
      rw [← Nat.and_mod_two_pow, h, Nat.zero_mod]
    rw [e, e, e, d, i, r, Int.natCast_add, Int.add_mul]
    omega

theorem disjoint_of_change {a : Nat} {cs : List Nat}
    (h : ∀ x y, x < 2 ^ cs.length → y < 2 ^ cs.length → x &&& y = 0 →
      change a (F2.apply cs (x ^^^ y)) = change a (F2.apply cs x) + change a (F2.apply cs y)) : disjoint cs = true := by
  induction cs with
  | nil => rfl
  | cons c cs ih =>
    have P : 2 ^ (c :: cs).length = 2 * 2 ^ cs.length := by rw [List.length_cons, Nat.pow_succ, Nat.mul_comm]
    have p := Nat.two_pow_pos cs.length
    have even : ∀ x, F2.apply (c :: cs) (2 * x) = F2.apply cs x := by
      intro x
      simp [F2.apply]
    have one : F2.apply (c :: cs) 1 = c := by
      simp [F2.apply, F2.apply_zero]
    have two : ∀ x y : Nat, (2 * x) ^^^ (2 * y) = 2 * (x ^^^ y) := by
      intro x y
      apply Nat.eq_of_testBit_eq
      intro i
      cases i with
      | zero => simp [Nat.testBit_zero]
      | succ i => simp [Nat.testBit_succ, Nat.xor_div_two]
    have and2 : ∀ x y : Nat, (2 * x) &&& (2 * y) = 2 * (x &&& y) := by
      intro x y
      apply Nat.eq_of_testBit_eq
      intro i
      cases i with
      | zero => simp [Nat.testBit_zero]
      | succ i => simp [Nat.testBit_succ, Nat.and_div_two]
    have and1 : ∀ x : Nat, (2 * x) &&& 1 = 0 := by
      intro x
      rw [Nat.and_one_is_mod]
      omega
    refine LinearLayout.disjoint_cons.2 ⟨?_, ih fun x y hx hy hxy => ?_⟩
    · intro d hd
      obtain ⟨x, hx, e⟩ := applyHigh_col (List.mem_reverse.2 hd)
      rw [List.length_reverse] at hx
      rw [← apply_eq_app] at e
      have := h (2 * x) 1 (by omega) (by omega) (and1 x)
      rw [even, one, apply_xor, even, one, e, change_add_iff, Nat.and_comm] at this
      exact this
    · have := h (2 * x) (2 * y) (by omega) (by omega) (by rw [and2, hxy])
      rwa [two, even, even, even] at this

/-- **For a layout of powers of two whose columns have no bit in common with each other or with the offset, the swizzled layout
is a constant plus some layout exactly where the swizzled columns have no bit in common.**
Source: none known -/
theorem plainColumns_isSome_iff {R : SwizzledLayout} {cols : List Nat} (hb : bitColumns R.layout.modes = some cols)
    (hd : disjoint (R.offset :: cols) = true) : (R.plainColumns cols).isSome = true ↔
      ∃ (k : Int) (P : Stride.Modes Int), Stride.Valid P ∧ Stride.size P = R.size ∧
        ∀ x, x < R.size → (R.atIndex x : Int) = k + Stride.atIndex P x := by
  have s : R.size = 2 ^ cols.length := (LinearLayout.bitColumns_spec hb).1
  constructor
  · intro h
    obtain ⟨⟨k, P⟩, e⟩ := Option.isSome_iff_exists.1 h
    refine ⟨k, P, ?_, ?_, fun x _ => plainColumns_sound hb hd e x⟩
    · unfold plainColumns at e
      split at e
      · simp only [Option.some.injEq, Prod.mk.injEq] at e
        obtain ⟨_, rfl⟩ := e
        intro m hm
        obtain ⟨c, _, rfl⟩ := List.mem_map.1 hm
        exact Nat.zero_lt_two
      · cases e
    · unfold plainColumns at e
      split at e
      · simp only [Option.some.injEq, Prod.mk.injEq] at e
        obtain ⟨_, rfl⟩ := e
        rw [s]
        clear s hb hd h
        induction cols with
        | nil => rfl
        | cons c cols ih =>
          rw [List.map_cons, Stride.size_cons, ih (by simp_all [disjoint]), List.length_cons, Nat.pow_succ, Nat.mul_comm]
      · cases e
  · rintro ⟨k, P, v, hs, a⟩
    have zero : Stride.atIndex P 0 = 0 := by
      have := atIndex_xor (P := P) (n := cols.length) (by rw [hs, s]; exact Nat.dvd_refl _) (Nat.and_self 0)
      rw [Nat.xor_self] at this
      omega
    have key : ∀ x, x < 2 ^ cols.length →
        change (R.swizzle.apply R.offset) (F2.apply (cols.map R.swizzle.apply) x) = Stride.atIndex P x := by
      intro x hx
      have a₀ := a 0 (by rw [s]; exact Nat.two_pow_pos _)
      have a₁ := a x (by rw [s]; exact hx)
      rw [atIndex_columns hb hd] at a₀ a₁
      rw [F2.apply_zero, Nat.xor_zero, zero] at a₀
      rw [change]
      omega
    have d : disjoint (cols.map R.swizzle.apply) = true := by
      apply disjoint_of_change (a := R.swizzle.apply R.offset)
      intro x y hx hy hxy
      rw [List.length_map] at hx hy
      rw [key _ (Nat.xor_lt_two_pow hx hy), key x hx, key y hy]
      exact atIndex_xor (by rw [hs, s]; exact Nat.dvd_refl _) hxy
    rw [plainColumns, if_pos d]
    rfl

end SwizzledLayout

end Razorgirl
