module

public import Razorgirl.Data.Most
public import Razorgirl.Spec.Swizzle.Layout
public import Razorgirl.Thm.Layout.Composition
public import Razorgirl.Thm.Layout.Find
public import Razorgirl.Thm.Layout.Slice
public import Razorgirl.Thm.Stride
public import Razorgirl.Thm.Swizzle.Period

@[expose] public section

/-!
# Swizzle after offset after layout: what is proved

Composition on the right and slicing act inside. A swizzled layout is plain exactly where one is found. An offset moves
through the swizzle of every layout exactly where the period divides it.
-/

namespace Razorgirl

namespace SwizzledLayout

/-- **Composing on the right: the swizzled layout at the offsets of B.**
Source: CuTe `composition` of a composed layout -/
theorem composition_atIndex {R S : SwizzledLayout} {B : Layout} (hB : B.Valid) (h : R.composition B = some S) {x : Nat}
    (hx : x < B.size) : S.atIndex x = R.atIndex (FlatLayout.atIndex B.modes x) := by
  obtain ⟨L, hL, rfl⟩ := Option.map_eq_some_iff.1 h
  have := (Layout.composition_sound hB hL).2.2 x hx
  simp only [atIndex, this.2]

/-- **Composing on the right answers exactly where the layout inside composes; the composite of the layouts stands behind the
same swizzle and offset.**
Source: CuTe `composition` of a composed layout -/
theorem composition_eq_some_iff {R S : SwizzledLayout} {B : Layout} : R.composition B = some S ↔
    S.swizzle = R.swizzle ∧ S.offset = R.offset ∧ R.layout.composition B = some S.layout := by
  rw [composition, Option.map_eq_some_iff]
  constructor
  · rintro ⟨L, hL, rfl⟩; exact ⟨rfl, rfl, hL⟩
  · rintro ⟨h₁, h₂, h⟩; exact ⟨_, h, by rw [← h₁, ← h₂]⟩

/-- **There is a composite on the right exactly where the layout inside has one.**
Source: CuTe `composition` of a composed layout -/
theorem composition_isSome_iff (R : SwizzledLayout) (B : Layout) :
    (R.composition B).isSome = true ↔ (R.layout.composition B).isSome = true := by
  rw [composition, Option.isSome_map]

/-- **A call is the swizzle of the offset plus the offset of the coordinate.**
Source: CuTe `ComposedLayout::operator()` -/
theorem call_eq_some_iff {R : SwizzledLayout} {c : Coord} {y : Nat} :
    R.call c = some y ↔ ∃ x, R.layout.call c = some x ∧ R.swizzle.apply (R.offset + x) = y := by
  rw [call, Option.map_eq_some_iff]

/-- **Slicing is partial evaluation: the slice at what fills the `_` is the swizzled layout at the whole coordinate, and out of
range exactly where that is.** What the integers select is added before the swizzle, not after it.
Source: CuTe `slice_and_offset` of a composed layout; cutlass 3160 adds it after -/
theorem slice_call {R S : SwizzledLayout} {c : Coord} (hv : R.layout.Valid) (h : slice c R = some S) {ds : List Coord}
    (hd : ds.length = Layout.holes c) : R.call (Layout.plug c ds) = S.call (.node ds) := by
  obtain ⟨P, hP, rfl⟩ := Option.map_eq_some_iff.1 h
  rw [call, call, Layout.sliceAndOffset_call hv hP hd, Option.map_map]
  congr 1
  funext x
  simp only [Function.comp_def, Nat.add_assoc]

/-- **A slice is answered exactly where the coordinate with its `_` read as 0 lies in the layout.**
Source: CuTe `slice_and_offset` of a composed layout -/
theorem slice_isSome (c : Coord) (R : SwizzledLayout) : (slice c R).isSome = (R.call c).isSome := by
  rw [slice, call, Option.isSome_map, Option.isSome_map, Layout.sliceAndOffset_isSome]

/-- **An offset may be moved out of the swizzle of every layout exactly where the period of the swizzle divides it.** The
layouts of one coordinate decide this already.
Source: none known; cutlass 3160 moves other offsets -/
theorem move_all_iff (s : Swizzle) (p : Nat) :
    (∀ (o : Nat) (L : Layout) (x : Nat), x < L.size →
      atIndex ⟨s, o + p, L⟩ x = atIndex ⟨s, o, L⟩ x + p) ↔ s.period ∣ p := by
  rw [← Swizzle.period_dvd_iff]
  constructor
  · intro h c
    have := h c ⟨[], .leaf ()⟩ 0 Nat.one_pos
    simpa [atIndex, FlatLayout.atIndex, FlatLayout.eval, FlatLayout.shape] using this
  · intro h o L x _
    simp only [atIndex]
    rw [show o + p + FlatLayout.atIndex L.modes x = o + FlatLayout.atIndex L.modes x + p by omega]
    exact h _

theorem apply_of_source {s : Swizzle} {p : Nat} (h : p &&& s.source = 0) : s.apply p = p := by
  unfold Swizzle.apply
  rw [h]
  split <;> simp

theorem apply_add_of_disjoint {s : Swizzle} {p c : Nat} (h₁ : p &&& s.source = 0) (h₂ : p &&& s.target = 0)
    (h₃ : p &&& c = 0) : s.apply (p + c) = p + s.apply c := by
  have l := Swizzle.apply_linear s.bits s.base s.shift
  have e : s.apply (p + c) = p ^^^ s.apply c := by
    rw [add_eq_xor.2 h₃]
    have := l p c
    rw [show s.apply (p ^^^ c) = s.apply p ^^^ s.apply c from this, apply_of_source h₁]
  rw [e]
  refine (add_eq_xor.2 ?_).symm
  apply Nat.eq_of_testBit_eq
  intro i
  have b₂ := congrArg (·.testBit i) h₂
  have b₃ := congrArg (·.testBit i) h₃
  simp only [Nat.testBit_and, Nat.zero_testBit] at b₂ b₃ ⊢
  have e : s.apply c = Swizzle.swz s.bits (s.base + s.shift.toNat) (s.base + (-s.shift).toNat) c :=
    Swizzle.apply_eq s.bits s.base s.shift c
  rw [e, Swizzle.testBit_swz]
  cases hp : p.testBit i
  · rfl
  · rw [hp] at b₂ b₃
    have c0 : c.testBit i = false := by simpa using b₃
    have t0 : s.target.testBit i = false := by simpa using b₂
    simp only [Swizzle.target, Nat.testBit_shiftLeft, Nat.testBit_two_pow_sub_one] at t0
    have : ¬ (s.base + (-s.shift).toNat ≤ i ∧ i < s.base + (-s.shift).toNat + s.bits) := by
      intro q
      simp [q.1] at t0
      omega
    simp [c0, this]

theorem and_reach {n c : Nat} (h : c ≤ n) : c &&& reach n = c := by
  unfold reach
  split
  · have : c = 0 := by omega
    simp [this]
  · rename_i q
    have : c < 2 ^ (n.log2 + 1) := Nat.lt_of_le_of_lt h ((Nat.log2_lt q).1 (by omega))
    rw [Nat.and_two_pow_sub_one_eq_mod, Nat.mod_eq_of_lt this]

/-- **An offset may be moved out of the swizzle of one layout where the test says so: it has no bit that the swizzle reads or
changes, and none that the inner offsets can have.**
Source: none known -/
theorem move_of_mayMove {s : Swizzle} {o p n : Nat} {L : Layout} (h : mayMove s p n = true) {x : Nat}
    (hn : o + FlatLayout.atIndex L.modes x ≤ n) : atIndex ⟨s, o + p, L⟩ x = atIndex ⟨s, o, L⟩ x + p := by
  have h : p &&& (s.source ||| s.target ||| reach n) = 0 := by simpa [mayMove] using h
  have bit : ∀ i, p.testBit i = true →
      s.source.testBit i = false ∧ s.target.testBit i = false ∧ (reach n).testBit i = false := by
    intro i hi
    have := congrArg (·.testBit i) h
    simp only [Nat.testBit_and, Nat.testBit_or, hi, Bool.true_and, Nat.zero_testBit, Bool.or_eq_false_iff] at this
    exact ⟨this.1.1, this.1.2, this.2⟩
  have none_of : ∀ m : Nat, (∀ i, p.testBit i = true → m.testBit i = false) → p &&& m = 0 := by
    intro m hm
    apply Nat.eq_of_testBit_eq
    intro i
    rw [Nat.testBit_and, Nat.zero_testBit]
    cases hp : p.testBit i
    · rfl
    · rw [hm i hp]; rfl
  simp only [atIndex]
  rw [show o + p + FlatLayout.atIndex L.modes x = p + (o + FlatLayout.atIndex L.modes x) by omega,
    apply_add_of_disjoint (none_of _ fun i hi => (bit i hi).1) (none_of _ fun i hi => (bit i hi).2.1), Nat.add_comm]
  apply none_of
  intro i hi
  rw [← and_reach hn, Nat.testBit_and, (bit i hi).2.2, Bool.and_false]

/-! ## Plain or not -/

theorem size_lessLinear (K p : Nat) (L : FlatLayout) : Stride.size (lessLinear K p L) = FlatLayout.size L := by
  induction L generalizing p with
  | nil => rfl
  | cons m L ih => exact congrArg (m.extent * ·) (ih _)

theorem atIndex_lessLinear (K p : Nat) (L : FlatLayout) {x : Nat} (hx : x < FlatLayout.size L) :
    Stride.atIndex (lessLinear K p L) x = (FlatLayout.atIndex L x : Int) - (K * (p * x) : Nat) := by
  induction L generalizing p x with
  | nil =>
    have : x = 0 := by simp only [FlatLayout.size, FlatLayout.shape, List.map_nil, prod] at hx; omega
    subst this
    simp [lessLinear, Stride.atIndex, Stride.dot, FlatLayout.atIndex, FlatLayout.eval, Stride.shape, idx2crd,
      StrideModule.zero]
  | cons m L ih =>
    rw [FlatLayout.size_cons] at hx
    have hm : 0 < m.extent := Nat.pos_of_mul_pos_right (Nat.lt_of_le_of_lt (Nat.zero_le _) hx)
    have hd : x / m.extent < FlatLayout.size L := Nat.div_lt_of_lt_mul hx
    have e : Stride.atIndex (lessLinear K p (m :: L)) x =
        ((x % m.extent : Nat) : Int) * ((m.stride : Int) - (K * p : Nat)) +
          Stride.atIndex (lessLinear K (p * m.extent) L) (x / m.extent) := rfl
    rw [e, ih (p * m.extent) hd, FlatLayout.atIndex_cons]
    have d := Nat.mod_add_div x m.extent
    generalize x % m.extent = r at *
    generalize x / m.extent = q at *
    subst d
    push_cast
    grind

/-- **A layout that is found has the size, and the differences from the first offset, on all indices.**
Source: none known -/
theorem findSigned_sound {f : Nat → Nat} {n : Nat} {L : Stride.Modes Int} (h : findSigned f n = some L) :
    Stride.size L = n ∧ ∀ x, x < n → Stride.atIndex L x = (f x : Int) - f 0 := by
  unfold findSigned at h
  obtain ⟨N, hN, rfl⟩ := Option.map_eq_some_iff.1 h
  obtain ⟨_, _, hs, hf⟩ := findLayout_sound hN
  refine ⟨by rw [size_lessLinear, hs], fun x hx => ?_⟩
  rw [atIndex_lessLinear _ _ _ (by rw [hs]; exact hx), hf x hx, Nat.one_mul]
  have : f 0 ≤ f x + (f 0 + most f n) * x := by
    rcases Nat.eq_zero_or_pos x with rfl | h
    · omega
    · have := Nat.le_mul_of_pos_right (f 0 + most f n) h
      omega
  omega

/-- **A plain swizzled layout is the constant plus the layout that are answered.**
Source: CuTe, slicing of swizzled layouts -/
theorem plain?_sound {R : SwizzledLayout} {k : Nat} {L : Stride.Modes Int} (h : R.plain? = some (k, L)) :
    Stride.size L = R.size ∧ ∀ x, x < R.size → (R.atIndex x : Int) = k + Stride.atIndex L x := by
  unfold plain? at h
  obtain ⟨N, hN, e⟩ := Option.map_eq_some_iff.1 h
  cases e
  obtain ⟨s, a⟩ := findSigned_sound hN
  exact ⟨s, fun x hx => by rw [a x hx]; omega⟩

/-- The layout with `K` times the linear index added to its strides. -/
def plusLinear (K : Nat) : (p : Nat) → Stride.Modes Int → FlatLayout
  | _, [] => []
  | p, m :: L => ⟨m.1, if m.1 = 1 then 0 else (m.2 + (K * p : Nat)).toNat⟩ :: plusLinear K (p * m.1) L

theorem size_plusLinear (K p : Nat) (L : Stride.Modes Int) : FlatLayout.size (plusLinear K p L) = Stride.size L := by
  induction L generalizing p with
  | nil => rfl
  | cons m L ih => exact congrArg (m.1 * ·) (ih _)

theorem valid_plusLinear (K p : Nat) {L : Stride.Modes Int} (h : Stride.Valid L) :
    FlatLayout.Valid (plusLinear K p L) := by
  induction L generalizing p with
  | nil => trivial
  | cons m L ih => exact ⟨h m List.mem_cons_self, ih _ fun n hn => h n (List.mem_cons_of_mem _ hn)⟩

theorem atIndex_plusLinear {K p : Nat} (hp : 0 < p) {L : Stride.Modes Int} (v : Stride.Valid L)
    (h : ∀ x, x < Stride.size L → -(K : Int) ≤ Stride.atIndex L x) {x : Nat} (hx : x < Stride.size L) :
    (FlatLayout.atIndex (plusLinear K p L) x : Int) = Stride.atIndex L x + (K * (p * x) : Nat) := by
  induction L generalizing p x with
  | nil =>
    have : x = 0 := by simp only [Stride.size, Stride.shape, List.map_nil, prod] at hx; omega
    subst this
    rw [Stride.atIndex_nil]
    simp [plusLinear, FlatLayout.atIndex, FlatLayout.eval, FlatLayout.shape, idx2crd, StrideModule.zero]
  | cons m L ih =>
    have hm : 0 < m.1 := v m List.mem_cons_self
    have vL : Stride.Valid L := fun n hn => v n (List.mem_cons_of_mem _ hn)
    have sL := Stride.size_pos vL
    have hx' := hx
    rw [Stride.size_cons] at hx'
    have hd : x / m.1 < Stride.size L := Nat.div_lt_of_lt_mul hx'
    have hL : ∀ y, y < Stride.size L → -(K : Int) ≤ Stride.atIndex L y := by
      intro y hy
      rw [← Stride.atIndex_mul hm]
      exact h _ (by rw [Stride.size_cons]; exact Nat.mul_lt_mul_of_pos_left hy hm)
    have i := ih (Nat.mul_pos hp hm) vL hL hd
    have e : Stride.atIndex (m :: L) x = ((x % m.1 : Nat) : Int) * m.2 + Stride.atIndex L (x / m.1) := rfl
    rw [plusLinear, FlatLayout.atIndex_cons, e, Int.natCast_add, i]
    have d := Nat.mod_add_div x m.1
    by_cases one : m.1 = 1
    · simp only [one, Nat.mod_one, if_true, Nat.zero_mul, Nat.div_one, Nat.mul_one]
      simp
    · have step : -(K : Int) ≤ m.2 := by
        have := h 1 (by rw [Stride.size_cons]; exact Nat.lt_of_lt_of_le (show 1 < m.1 by omega) (Nat.le_mul_of_pos_right _ sL))
        rw [Stride.atIndex_of_lt (by omega), Stride.one_times] at this
        exact this
      have big : K ≤ K * p := Nat.le_mul_of_pos_right K hp
      have pos : 0 ≤ m.2 + (K * p : Nat) := by omega
      simp only [if_neg one]
      rw [Int.natCast_mul, Int.toNat_of_nonneg pos]
      generalize x % m.1 = r at *
      generalize x / m.1 = q at *
      subst d
      push_cast
      grind

/-- **A layout is found wherever some layout with strides of any sign has the differences from the first offset.**
Source: none known -/
theorem findSigned_complete {f : Nat → Nat} {n : Nat} {L : Stride.Modes Int} (v : Stride.Valid L)
    (hs : Stride.size L = n) (h : ∀ x, x < n → Stride.atIndex L x = (f x : Int) - f 0) :
    (findSigned f n).isSome = true := by
  subst hs
  have low : ∀ x, x < Stride.size L → -((f 0 + most f (Stride.size L) : Nat) : Int) ≤ Stride.atIndex L x := by
    intro x hx
    rw [h x hx]
    omega
  have := findLayout_complete (f := fun x => f x + (f 0 + most f (Stride.size L)) * x - f 0)
    (L := plusLinear (f 0 + most f (Stride.size L)) 1 L) (valid_plusLinear _ _ v) (size_plusLinear _ _ _) fun x hx => by
      have a := atIndex_plusLinear Nat.one_pos v low hx
      rw [h x hx, Nat.one_mul] at a
      show _ = f x + (f 0 + most f (Stride.size L)) * x - f 0
      omega
  unfold findSigned
  simp only [this, Option.map_some, Option.isSome_some]

/-- **A swizzled layout is a constant plus a layout exactly where one is answered.**
Source: none known; cutlass 3454, 3468 and 3605 are slices of which this decides -/
theorem plain?_isSome_iff (R : SwizzledLayout) : R.plain?.isSome = true ↔
    ∃ (k : Int) (L : Stride.Modes Int), Stride.Valid L ∧ Stride.size L = R.size ∧
      ∀ x, x < R.size → (R.atIndex x : Int) = k + Stride.atIndex L x := by
  constructor
  · intro h
    obtain ⟨⟨k, L⟩, e⟩ := Option.isSome_iff_exists.1 h
    obtain ⟨s, a⟩ := plain?_sound e
    refine ⟨k, L, ?_, s, a⟩
    unfold plain? at e
    obtain ⟨N, hN, e⟩ := Option.map_eq_some_iff.1 e
    cases e
    unfold findSigned at hN
    obtain ⟨M, hM, rfl⟩ := Option.map_eq_some_iff.1 hN
    have v := (findLayout_sound hM).1
    clear hM s a h
    have key : ∀ (K p : Nat) (M : FlatLayout), FlatLayout.Valid M → Stride.Valid (lessLinear K p M) := by
      intro K p M
      induction M generalizing p with
      | nil => intro _ n hn; cases hn
      | cons m M ih =>
        intro hv n hn
        rcases List.mem_cons.1 hn with rfl | hn
        · exact hv.1
        · exact ih _ hv.2 n hn
    exact key _ _ _ v
  · rintro ⟨k, L, v, s, a⟩
    have pos := Stride.size_pos v
    have k0 : Stride.atIndex L 0 = 0 := by
      have z : ∀ L : Stride.Modes Int, Stride.atIndex L 0 = 0 := by
        intro L
        induction L with
        | nil => rfl
        | cons m L ih => rw [Stride.atIndex_cons, Nat.zero_mod, Nat.zero_div, ih]; simp [StrideModule.times, StrideModule.add]
      exact z L
    have a0 := a 0 (by omega)
    have := findSigned_complete (f := R.atIndex) v s fun x hx => by
      have := a x hx
      omega
    rw [plain?, Option.isSome_map, this]

end SwizzledLayout

end Razorgirl
