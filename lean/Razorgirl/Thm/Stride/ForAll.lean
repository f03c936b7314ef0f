module

public import Razorgirl.Spec.Layout.Composition.Generic
public import Razorgirl.Thm.Stride.Exact

@[expose] public section

/-!
# Composition by digits is exact for all strides

Composition by digits looks at the shape of the outer layout alone. Where some strides of that shape show every carry, it
answers exactly where all strides have a composite. Powers of a large number are such integers, single bits are such bit
vectors. Bit vectors cannot tell 2 from 0, and yet they see a carry: what is carried into a digit changes its parity,
unless that digit carries on, and the last one cannot.
-/

namespace Razorgirl

namespace Stride

open StrideModule

variable {α : Type} [StrideModule α]

/-- The strides show every carry: where the offset of a sum is the sum of the offsets, the digits add up. -/
def ShowsCarries (A : Modes α) : Prop :=
  ∀ x y, x + y < size A → atIndex A (x + y) = add (atIndex A x) (atIndex A y) →
    digits (shape A) (x + y) = addTimes 1 (digits (shape A) x) (digits (shape A) y)

/-- `b` adds up over the digits of the modes, of which the first counts by `p`. -/
def AddsUp (b : Nat → Nat) : (p : Nat) → Modes α → Prop
  | _, [] => True
  | p, m :: L =>
    (∀ k y, k < m.1 → y < size L → b (p * (k + m.1 * y)) = k * b p + b (p * m.1 * y)) ∧ AddsUp b (p * m.1) L

theorem addTimes_none {xs ys : List Nat} (h : xs.length = ys.length) : addTimes 0 xs ys = ys := by
  induction xs generalizing ys with
  | nil => cases ys with
    | nil => rfl
    | cons y ys => cases h
  | cons x xs ih =>
    cases ys with
    | nil => cases h
    | cons y ys => rw [addTimes, ih (by simpa using h), Nat.zero_mul, Nat.zero_add]

theorem addTimes_more (k : Nat) (xs ys : List Nat) : addTimes (k + 1) xs ys = addTimes 1 xs (addTimes k xs ys) := by
  induction xs generalizing ys with
  | nil => rfl
  | cons x xs ih =>
    cases ys with
    | nil => rfl
    | cons y ys => simp only [addTimes, ih, Nat.succ_mul, Nat.zero_mul]; congr 1; omega

theorem digitsAt_of_addsUp {A : Modes α} (hA : ShowsCarries A) {b : Nat → Nat} (b0 : b 0 = 0) {p : Nat} {L : Modes α}
    (v : Valid L) (st : AddsUp b p L) (bd : ∀ x, x < size L → b (p * x) < size A)
    (hv : ∀ x, x < size L → atIndex L x = atIndex A (b (p * x))) {x : Nat} (hx : x < size L) :
    digitsAt (shape A) (lift (shape A) (fun x => digits (shape A) (b x)) p L) x = digits (shape A) (b (p * x)) := by
  induction L generalizing p x with
  | nil =>
    have : x = 0 := by simp only [size, shape, List.map_nil, prod] at hx; omega
    rw [this, Nat.mul_zero, b0]
    rfl
  | cons m L ih =>
    have hm : 0 < m.1 := v m List.mem_cons_self
    have vL : Valid L := fun n hn => v n (List.mem_cons_of_mem _ hn)
    rw [size_cons] at hx
    have hy : x / m.1 < size L := Nat.div_lt_of_lt_mul hx
    have within : ∀ {k y}, k < m.1 → y < size L → k + m.1 * y < size (m :: L) := by
      intro k y hk hy
      rw [size_cons]
      have := Nat.mul_le_mul_left m.1 (show y + 1 ≤ size L from hy)
      rw [Nat.mul_succ] at this
      omega
    have i := ih (p := p * m.1) vL st.2
      (fun y hy => by
        have := bd (0 + m.1 * y) (within hm hy)
        rwa [Nat.zero_add, ← Nat.mul_assoc] at this)
      (fun y hy => by
        have := hv (0 + m.1 * y) (within hm hy)
        rwa [Nat.zero_add, atIndex_mul hm, ← Nat.mul_assoc] at this) hy
    show addTimes (x % m.1) (if m.1 = 1 then digits (shape A) 0 else digits (shape A) (b p))
      (digitsAt (shape A) (lift (shape A) (fun x => digits (shape A) (b x)) (p * m.1) L) (x / m.1)) = _
    rw [i]
    by_cases one : m.1 = 1
    · rw [if_pos one, one, Nat.mod_one, Nat.div_one, Nat.mul_one, addTimes_none (by simp only [length_digits])]
    · rw [if_neg one]
      have step : ∀ k, k < m.1 → addTimes k (digits (shape A) (b p)) (digits (shape A) (b (p * m.1 * (x / m.1)))) =
          digits (shape A) (b (p * (k + m.1 * (x / m.1)))) := by
        intro k
        induction k with
        | zero =>
          intro _
          rw [addTimes_none (by simp only [length_digits]), Nat.zero_add, Nat.mul_assoc]
        | succ k ihk =>
          intro hk
          have e₀ := st.1 k (x / m.1) (by omega) hy
          have e₁ := st.1 (k + 1) (x / m.1) hk hy
          have sum : b p + b (p * (k + m.1 * (x / m.1))) = b (p * (k + 1 + m.1 * (x / m.1))) := by
            rw [e₀, e₁, Nat.succ_mul]; omega
          have offset : ∀ j, j < m.1 → atIndex (m :: L) (j + m.1 * (x / m.1)) =
              add (times j m.2) (atIndex L (x / m.1)) := by
            intro j hj
            rw [atIndex_cons, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hj, Nat.add_mul_div_left _ _ hm,
              Nat.div_eq_of_lt hj, Nat.zero_add]
          have first : atIndex A (b p) = m.2 := by
            have := hv 1 (by
              have := within (k := 1) (y := 0) (by omega) (Nat.lt_of_le_of_lt (Nat.zero_le _) hy)
              rwa [Nat.mul_zero, Nat.add_zero] at this)
            rw [Nat.mul_one] at this
            rw [← this, atIndex_of_lt (by omega), one_times]
          rw [addTimes_more, ihk (by omega), ← sum]
          refine (hA _ _ ?_ ?_).symm
          · rw [sum]; exact bd _ (within hk hy)
          · rw [sum, ← hv _ (within hk hy), ← hv _ (within (show k < m.1 by omega) hy), offset _ hk, offset _ (by omega),
              first, succ_times, add_comm (times k m.2), add_assoc]
      rw [step _ (Nat.mod_lt _ hm), Nat.mod_add_div]

omit [StrideModule α] in
theorem addsUp_scale {b b' : Nat → Nat} {n : Nat} (h : ∀ z, b (n * z) = b' z) {q : Nat} {K : Modes α}
    (hK : AddsUp b' q K) : AddsUp b (n * q) K := by
  induction K generalizing q with
  | nil => trivial
  | cons m K ih =>
    refine ⟨fun k y hk hy => ?_, ?_⟩
    · rw [Nat.mul_assoc n q, Nat.mul_assoc n q, Nat.mul_assoc n (q * m.1), h, h, h]
      exact hK.1 k y hk hy
    · rw [Nat.mul_assoc]; exact ih hK.2

omit [StrideModule α] in
theorem addsUp_group {b b' : Nat → Nat} {n d : Nat} (hb : ∀ x, b x = x % n * d + b' (x / n)) (b0 : b' 0 = 0) (hn : 0 < n)
    {p : Nat} {G K : Modes α} (vG : Valid G) (hp : p * size G = n) (hK : AddsUp b' 1 K) : AddsUp b p (G ++ K) := by
  induction G generalizing p with
  | nil =>
    have e : p = n * 1 := by rw [← hp]; simp [size, shape, prod]
    rw [e]
    refine addsUp_scale (fun z => ?_) hK
    rw [hb, Nat.mul_mod_right, Nat.zero_mul, Nat.zero_add, Nat.mul_div_cancel_left _ hn]
  | cons m G ih =>
    have vG' : Valid G := fun k hk => vG k (List.mem_cons_of_mem _ hk)
    have hm : 0 < m.1 := vG m List.mem_cons_self
    have s0 := size_pos vG'
    rw [size_cons, ← Nat.mul_assoc] at hp
    refine ⟨fun k y hk _ => ?_, ih vG' hp⟩
    have N0 : 0 < p * m.1 := Nat.pos_of_ne_zero fun e => by rw [e, Nat.zero_mul] at hp; omega
    have p0 : 0 < p := Nat.pos_of_ne_zero fun e => by rw [e, Nat.zero_mul] at N0; omega
    have pk : p * k + p ≤ p * m.1 := by rw [← Nat.mul_succ]; exact Nat.mul_le_mul_left p hk
    have low := Nat.mod_lt y s0
    have room : p * m.1 * (y % size G) + p * m.1 ≤ n := by
      rw [← hp, ← Nat.mul_succ]; exact Nat.mul_le_mul_left _ low
    have whole : p * m.1 * y = p * m.1 * (y % size G) + n * (y / size G) := by
      rw [← hp, Nat.mul_assoc (p * m.1) (size G), ← Nat.mul_add, Nat.mod_add_div]
    have e₁ : p * (k + m.1 * y) = (p * k + p * m.1 * (y % size G)) + n * (y / size G) := by
      rw [Nat.mul_add, ← Nat.mul_assoc, whole, Nat.add_assoc]
    have l₁ : p * k + p * m.1 * (y % size G) < n := by omega
    have l₂ : p * m.1 * (y % size G) < n := by omega
    rw [e₁, whole, hb, hb (_ + _), Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt l₁, Nat.add_mul_div_left _ _ hn,
      Nat.div_eq_of_lt l₁, Nat.zero_add, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt l₂, Nat.add_mul_div_left _ _ hn,
      Nat.div_eq_of_lt l₂, Nat.zero_add, Nat.add_mul, Nat.add_assoc]
    congr 1
    rcases Nat.eq_zero_or_pos k with z | pos
    · rw [z, Nat.mul_zero, Nat.zero_mul, Nat.zero_mul]
    · have pn : p < n := by
        have : p * 1 ≤ p * k := Nat.mul_le_mul_left p pos
        omega
      rw [hb p, Nat.mod_eq_of_lt pn, Nat.div_eq_of_lt pn, b0, Nat.add_zero, Nat.mul_comm p k, Nat.mul_assoc]

omit [StrideModule α] in
theorem addsUp_concat {B : FlatLayout} {R : List (Modes α)} (hB : FlatLayout.Valid B)
    (hs : R.map size = FlatLayout.shape B) (hv : ∀ L ∈ R, Valid L) : AddsUp (FlatLayout.atIndex B) 1 (concat R) := by
  induction B generalizing R with
  | nil =>
    cases R with
    | nil => trivial
    | cons L R => simp [FlatLayout.shape] at hs
  | cons m B ih =>
    cases R with
    | nil => simp [FlatLayout.shape] at hs
    | cons L R =>
      simp only [List.map_cons, FlatLayout.shape, List.cons.injEq] at hs
      refine addsUp_group (d := m.stride) (b' := FlatLayout.atIndex B) (n := m.extent) (fun x => FlatLayout.atIndex_cons m B x)
        (FlatLayout.atIndex_zero B) hB.1 (hv L List.mem_cons_self) (by rw [Nat.one_mul, hs.1])
        (ih hB.2 hs.2 fun K hK => hv K (List.mem_cons_of_mem _ hK))

/-- Where the strides show carries, composition by digits answers whenever a composite exists. -/
theorem composition_of_showsCarries {A : Modes α} {B : FlatLayout} {R : List (Modes α)} (hB : FlatLayout.Valid B)
    (hA : ShowsCarries A) (h : IsComposite A B R) : (composition A B).isSome = true := by
  obtain ⟨hs, hv, hf⟩ := h
  have hdom : FlatLayout.cosizeFormula B ≤ size A := (Layout.atIndex_lt_iff hB).1 fun x hx => (hf x hx).1
  have lf : ∀ x, (digits (shape A) (FlatLayout.atIndex B x)).length = (shape A).length := fun x => length_digits _ _
  have sz : size (concat R) = FlatLayout.size B := by rw [size_concat, hs]; rfl
  have vR : Valid (concat R) := by
    clear hs hf sz
    induction R with
    | nil => intro m hm; cases hm
    | cons L R ih =>
      intro m hm
      rcases List.mem_append.1 hm with hm | hm
      · exact hv L List.mem_cons_self m hm
      · exact ih (fun K hK => hv K (List.mem_cons_of_mem _ hK)) m hm
  have w := wellFormed_lift lf 1 vR
  have dig : ∀ x, x < FlatLayout.size B →
      digitsAt (shape A) (lift (shape A) (fun x => digits (shape A) (FlatLayout.atIndex B x)) 1 (concat R)) x =
        digits (shape A) (FlatLayout.atIndex B x) := by
    intro x hx
    have := digitsAt_of_addsUp hA (FlatLayout.atIndex_zero B) vR (addsUp_concat hB hs hv)
      (fun y hy => by rw [Nat.one_mul]; exact (hf y (by rwa [sz] at hy)).1)
      (fun y hy => by rw [Nat.one_mul]; exact (hf y (by rwa [sz] at hy)).2) (x := x) (by rwa [sz])
    rwa [Nat.one_mul] at this
  have := digitComposition_of_groups (M := shape A) hB hdom
    (sizesMatch_liftGroups (E := powers (prod (shape A)) 1 (shape A).length) lf 1 hs hv) fun x hx => by
      rw [← ofDigits_pieces, pieces_liftGroups, ← _root_.Razorgirl.dot_digitsAt _ w, dig x hx,
        atIndex_ofShape (length_powers _ _ _) (hf x hx).1]
  unfold composition
  rw [if_pos hdom, Option.isSome_map, this]

/-- Some strides of the shape that show carries make composition exact for all strides. -/
theorem exact_of_showsCarries {M : List Nat} {B : FlatLayout} (hB : FlatLayout.Valid B) {U : Modes α} (sU : shape U = M)
    (hU : ShowsCarries U) : (∀ A : Modes α, shape A = M → ∃ R, IsComposite A B R) ↔
      ∀ A : Modes α, shape A = M → (composition A B).isSome = true := by
  constructor
  · intro h A sA
    obtain ⟨R, hR⟩ := h U sU
    have u := composition_of_showsCarries hB hU hR
    unfold composition at u ⊢
    rw [show size A = size U by rw [size, size, sA, sU], sA, ← sU]
    split at u
    · rename_i d
      rw [if_pos d, Option.isSome_map]
      rwa [Option.isSome_map] at u
    · cases u
  · intro h A sA
    obtain ⟨R, e⟩ := Option.isSome_iff_exists.1 (h A sA)
    exact ⟨R, composition_sound hB e⟩

/-! ## Bit vectors -/

/-- Digits whose parities add up do not carry. -/
theorem no_carry {M : List Nat} {x y c : Nat} (h : x + y + c < prod M) (hc : c ≤ 1)
    (par : ∀ i, (digits M (x + y + c)).getD i 0 % 2 = ((digits M x).getD i 0 + (digits M y).getD i 0) % 2) :
    c = 0 ∧ digits M (x + y + c) = addTimes 1 (digits M x) (digits M y) := by
  induction M generalizing x y c with
  | nil => simp only [prod] at h; exact ⟨by omega, rfl⟩
  | cons s M ih =>
    cases M with
    | nil =>
      have := par 0
      simp only [digits, List.getD_cons_zero] at this
      have : c = 0 := by omega
      subst this
      exact ⟨rfl, by simp [digits, addTimes]⟩
    | cons s' M =>
      have hs : 0 < s := Nat.pos_of_ne_zero fun e => by rw [e, prod, Nat.zero_mul] at h; omega
      have hx := Nat.mod_lt x hs
      have hy := Nat.mod_lt y hs
      have ex := Nat.mod_add_div x s
      have ey := Nat.mod_add_div y s
      have whole : x + y + c = (x % s + y % s + c) + s * (x / s + y / s) := by rw [Nat.mul_add]; omega
      have q : (x + y + c) / s = x / s + y / s + (x % s + y % s + c) / s := by
        rw [whole, Nat.add_mul_div_left _ _ hs, Nat.add_comm]
      have r : (x + y + c) % s = (x % s + y % s + c) % s := by rw [whole, Nat.add_mul_mod_self_left]
      have c' : (x % s + y % s + c) / s ≤ 1 := by
        have : (x % s + y % s + c) / s < 2 := by
          rw [Nat.div_lt_iff_lt_mul hs]; omega
        omega
      have lt : x / s + y / s + (x % s + y % s + c) / s < prod (s' :: M) := by
        rw [← q]; exact Nat.div_lt_of_lt_mul h
      obtain ⟨i₁, i₂⟩ := ih lt c' fun i => by
        have := par (i + 1)
        simpa only [digits, List.getD_cons_succ, q] using this
      have small : x % s + y % s + c < s := by
        rcases Nat.lt_or_ge (x % s + y % s + c) s with g | g
        · exact g
        · have := Nat.div_pos g hs
          omega
      have head := par 0
      simp only [digits, List.getD_cons_zero, r, Nat.mod_eq_of_lt small] at head
      have : c = 0 := by omega
      subst this
      refine ⟨rfl, ?_⟩
      rw [i₁] at i₂
      simp only [digits, addTimes, Nat.one_mul]
      rw [r, q, i₁, i₂, Nat.mod_eq_of_lt small]
      rfl

theorem testBit_dot_bits (k : Nat) (u : List Nat) (i : Nat) :
    (dot u ((List.range' k u.length).map fun d => (⟨2 ^ d⟩ : Bits))).val.testBit i =
      (decide (k ≤ i) && decide (u.getD (i - k) 0 % 2 = 1)) := by
  induction u generalizing k with
  | nil => simp [dot, StrideModule.zero]
  | cons x u ih =>
    have e : (dot (x :: u) ((List.range' k (x :: u).length).map fun d => (⟨2 ^ d⟩ : Bits))).val =
        (if x % 2 = 1 then 2 ^ k else 0) ^^^ (dot u ((List.range' (k + 1) u.length).map fun d => (⟨2 ^ d⟩ : Bits))).val := rfl
    rw [e, Nat.testBit_xor, ih]
    by_cases h : i = k
    · subst h
      rw [decide_eq_false (show ¬ i + 1 ≤ i by omega), Bool.false_and, Bool.xor_false, Nat.sub_self,
        List.getD_cons_zero, decide_eq_true (Nat.le_refl i), Bool.true_and]
      split <;> rename_i p <;> simp [p]
    · have z : (if x % 2 = 1 then 2 ^ k else 0).testBit i = false := by
        split
        · rw [Nat.testBit_two_pow, decide_eq_false (fun q => h q.symm)]
        · exact Nat.zero_testBit i
      rw [z, Bool.false_xor]
      by_cases q : k + 1 ≤ i
      · rw [decide_eq_true q, decide_eq_true (show k ≤ i by omega), show i - k = i - (k + 1) + 1 by omega,
          List.getD_cons_succ]
      · rw [decide_eq_false q, decide_eq_false (show ¬ k ≤ i by omega), Bool.false_and, Bool.false_and]

/-- A bit of its own for each mode. -/
def bitUnits (M : List Nat) : Modes Bits := M.zip ((List.range' 0 M.length).map fun d => ⟨2 ^ d⟩)

theorem zip_fst {β γ : Type} (l : List β) (k : List γ) (h : l.length = k.length) : (l.zip k).map Prod.fst = l := by
  rw [List.map_fst_zip (by omega)]

theorem zip_snd {β γ : Type} (l : List β) (k : List γ) (h : l.length = k.length) : (l.zip k).map Prod.snd = k := by
  rw [List.map_snd_zip (by omega)]

theorem showsCarries_bits (M : List Nat) : ShowsCarries (bitUnits M) := by
  have sM : shape (bitUnits M) = M := zip_fst _ _ (by simp)
  have sD : strides (bitUnits M) = (List.range' 0 M.length).map fun d => ⟨2 ^ d⟩ := zip_snd _ _ (by simp)
  intro x y hxy h
  have at' : ∀ z, z < size (bitUnits M) → ∀ i, (atIndex (bitUnits M) z).val.testBit i =
      decide ((digits M z).getD i 0 % 2 = 1) := by
    intro z hz i
    rw [size, sM] at hz
    have := testBit_dot_bits 0 (digits M z) i
    rw [length_digits, ← sD, decide_eq_true (Nat.zero_le i), Bool.true_and, Nat.sub_zero, digits_eq_idx2crd M z hz] at this
    rw [digits_eq_idx2crd M z hz, ← this, atIndex, sM]
  rw [sM]
  refine (no_carry (c := 0) (by rw [size, sM] at hxy; exact hxy) (Nat.zero_le 1) fun i => ?_).2
  have e := congrArg (fun b => b.val.testBit i) h
  have e' : (atIndex (bitUnits M) (x + y)).val.testBit i =
      ((atIndex (bitUnits M) x).val.testBit i ^^ (atIndex (bitUnits M) y).val.testBit i) := by
    rw [h, ← Nat.testBit_xor]; rfl
  rw [at' _ hxy, at' _ (by omega), at' _ (by omega)] at e'
  rw [Nat.add_zero]
  generalize (digits M (x + y)).getD i 0 = a at *
  generalize (digits M x).getD i 0 = b at *
  generalize (digits M y).getD i 0 = c at *
  rcases Nat.mod_two_eq_zero_or_one a with ha | ha <;> rcases Nat.mod_two_eq_zero_or_one b with hb | hb <;>
    rcases Nat.mod_two_eq_zero_or_one c with hc | hc <;> simp [ha, hb, hc] at e' <;> omega

/-- **With bit vectors as strides, which exclusive or adds, composition by digits is exact: for every shape of A, all strides
have a composite exactly where it answers.**
Source: none known -/
theorem composition_exact_bits {M : List Nat} {B : FlatLayout} (hB : FlatLayout.Valid B) :
    (∀ A : Modes Bits, shape A = M → ∃ R, IsComposite A B R) ↔
      ∀ A : Modes Bits, shape A = M → (composition A B).isSome = true :=
  exact_of_showsCarries hB (zip_fst _ _ (by simp)) (showsCarries_bits M)

/-! ## Integers -/

theorem dot_powers_injective {K b : Nat} (hb : 0 < b) {u v : List Nat} (hl : u.length = v.length) (hu : ∀ n ∈ u, n < K)
    (hv : ∀ n ∈ v, n < K) (h : Razorgirl.dot u (powers K b u.length) = Razorgirl.dot v (powers K b v.length)) : u = v := by
  have scale : ∀ (w : List Nat) (b : Nat), Razorgirl.dot w (powers K b w.length) = b * Razorgirl.dot w (powers K 1 w.length) := by
    intro w
    induction w with
    | nil => intro b; rfl
    | cons n w ih =>
      intro b
      simp only [List.length_cons, powers, Razorgirl.dot]
      rw [ih (b * K), ih (1 * K), Nat.mul_add, Nat.one_mul, Nat.mul_one, Nat.mul_comm n b, Nat.mul_assoc]
  induction u generalizing v with
  | nil =>
    cases v with
    | nil => rfl
    | cons n v => cases hl
  | cons n u ih =>
    cases v with
    | nil => cases hl
    | cons m v =>
      have hn := hu n List.mem_cons_self
      have hm := hv m List.mem_cons_self
      simp only [List.length_cons, powers, Razorgirl.dot] at h
      rw [scale u, scale v, Nat.mul_comm n b, Nat.mul_comm m b, Nat.mul_assoc, Nat.mul_assoc, ← Nat.mul_add, ← Nat.mul_add] at h
      have h := Nat.eq_of_mul_eq_mul_left hb h
      have r := congrArg (· % K) h
      simp only [Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hn, Nat.mod_eq_of_lt hm] at r
      subst r
      have t := Nat.eq_of_mul_eq_mul_left (show 0 < K by omega) (Nat.add_left_cancel h)
      rw [ih (by simpa using hl) (fun k hk => hu k (List.mem_cons_of_mem _ hk))
        (fun k hk => hv k (List.mem_cons_of_mem _ hk)) (by rw [scale u b, scale v b, t])]

theorem dot_cast (u D : List Nat) : (dot u (D.map fun d : Nat => (d : Int)) : Int) = (Razorgirl.dot u D : Nat) := by
  induction u generalizing D with
  | nil => rfl
  | cons x u ih =>
    cases D with
    | nil => rfl
    | cons d D =>
      have e : (dot (x :: u) ((d :: D).map fun d : Nat => (d : Int)) : Int) =
          (x : Int) * d + dot u (D.map fun d : Nat => (d : Int)) := rfl
      rw [e, ih, Razorgirl.dot]
      simp

theorem digits_mem_lt {M : List Nat} {x : Nat} (h : x < prod M) : ∀ n ∈ digits M x, n < M.foldr (fun a b => a + b) 0 + 1 := by
  induction M generalizing x with
  | nil => intro n hn; cases hn
  | cons s M ih =>
    have hs : 0 < s := Nat.pos_of_ne_zero fun e => by rw [e, prod, Nat.zero_mul] at h; omega
    intro n hn
    rw [List.foldr_cons]
    cases M with
    | nil =>
      simp only [digits, List.mem_singleton] at hn
      simp only [prod, Nat.mul_one] at h
      omega
    | cons s' M =>
      rcases List.mem_cons.1 hn with e | hn
      · have := Nat.mod_lt x hs
        omega
      · have := ih (Nat.div_lt_of_lt_mul h) n hn
        omega

theorem addTimes_one_lt {K : Nat} {u v : List Nat} (hu : ∀ n ∈ u, n < K) (hv : ∀ n ∈ v, n < K) :
    ∀ n ∈ addTimes 1 u v, n < 2 * K := by
  induction u generalizing v with
  | nil => intro n hn; cases hn
  | cons x u ih =>
    cases v with
    | nil => intro n hn; cases hn
    | cons y v =>
      intro n hn
      rcases List.mem_cons.1 hn with e | hn
      · have := hu x List.mem_cons_self
        have := hv y List.mem_cons_self
        omega
      · exact ih (fun k hk => hu k (List.mem_cons_of_mem _ hk)) (fun k hk => hv k (List.mem_cons_of_mem _ hk)) n hn

/-- Powers of a number larger than twice every digit. -/
def powerUnits (M : List Nat) : Modes Int :=
  M.zip ((powers (2 * (M.foldr (fun a b => a + b) 0 + 1)) 1 M.length).map fun d : Nat => (d : Int))

theorem showsCarries_int (M : List Nat) : ShowsCarries (powerUnits M) := by
  have sM : shape (powerUnits M) = M := zip_fst _ _ (by simp [length_powers])
  have sD : strides (powerUnits M) = (powers (2 * (M.foldr (fun a b => a + b) 0 + 1)) 1 M.length).map fun d : Nat => (d : Int) :=
    zip_snd _ _ (by simp [length_powers])
  intro x y hxy h
  have at' : ∀ z, z < size (powerUnits M) → atIndex (powerUnits M) z =
      ((Razorgirl.dot (digits M z) (powers (2 * (M.foldr (fun a b => a + b) 0 + 1)) 1 M.length) : Nat) : Int) := by
    intro z hz
    rw [size, sM] at hz
    rw [digits_eq_idx2crd M z hz, ← dot_cast, atIndex, sM, sD]
  have hxy' := hxy
  rw [size, sM] at hxy'
  rw [at' _ hxy, at' _ (by omega), at' _ (by omega)] at h
  have h : Razorgirl.dot (digits M (x + y)) (powers (2 * (M.foldr (fun a b => a + b) 0 + 1)) 1 M.length) =
      Razorgirl.dot (digits M x) (powers (2 * (M.foldr (fun a b => a + b) 0 + 1)) 1 M.length) +
        Razorgirl.dot (digits M y) (powers (2 * (M.foldr (fun a b => a + b) 0 + 1)) 1 M.length) := by
    exact Int.ofNat_inj.1 (h.trans rfl)
  have len : (digits M x).length = (digits M y).length := by rw [length_digits, length_digits]
  have sum := _root_.Razorgirl.dot_addTimes 1 (xs := digits M x) (ys := digits M y)
    (powers (2 * (M.foldr (fun a b => a + b) 0 + 1)) 1 M.length) len
  rw [Nat.one_mul, ← h] at sum
  have la : (addTimes 1 (digits M x) (digits M y)).length = M.length := by
    rw [length_addTimes 1 len, length_digits]
  rw [sM]
  apply dot_powers_injective (K := 2 * (M.foldr (fun a b => a + b) 0 + 1)) Nat.one_pos
  · rw [la, length_digits]
  · intro n hn
    have := digits_mem_lt hxy' n hn
    omega
  · exact addTimes_one_lt (digits_mem_lt (by omega)) (digits_mem_lt (by omega))
  · rw [la, length_digits, sum]

/-- **With integers as strides, of any sign, composition by digits is exact: for every shape of A, all strides have a composite
exactly where it answers.**
Source: Cecka (arXiv 2603.02298); stated otherwise: for strides of any sign -/
theorem composition_exact_int {M : List Nat} {B : FlatLayout} (hB : FlatLayout.Valid B) :
    (∀ A : Modes Int, shape A = M → ∃ R, IsComposite A B R) ↔
      ∀ A : Modes Int, shape A = M → (composition A B).isSome = true :=
  exact_of_showsCarries hB (zip_fst _ _ (by simp [length_powers])) (showsCarries_int M)

end Stride

end Razorgirl
