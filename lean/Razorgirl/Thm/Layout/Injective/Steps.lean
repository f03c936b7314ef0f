module

public import Razorgirl.Spec.Layout.Injective.Steps
public import Razorgirl.Thm.Layout.Injective
public import Razorgirl.Thm.Layout.Sort

@[expose] public section

/-!
# Injectivity without enumeration: what is proved

Layouts are injective exactly where no steps lead nowhere; the search over steps finds some exactly where there are any.
Two modes are decided by one division.
-/

namespace Razorgirl.FlatLayout

/-! ## Steps and coordinates -/

theorem forward_spec : {S : List Nat} → {Z : List Int} → StepsIn S Z →
    InBounds S (forward Z) ∧ InBounds S (backward Z)
  | [], [], _ => ⟨trivial, trivial⟩
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | s :: S, z :: Z, h => by
    have ih := forward_spec h.2
    have := h.1
    exact ⟨⟨by omega, ih.1⟩, ⟨by omega, ih.2⟩⟩

theorem eval_forward : (L : FlatLayout) → (Z : List Int) → StepsIn (shape L) Z →
    (eval L (forward Z) : Int) = eval L (backward Z) + stepsEval L Z
  | [], [], _ => by simp [eval, stepsEval]
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | m :: L, z :: Z, h => by
    have ih := eval_forward L Z h.2
    have e : (z.toNat : Int) * m.stride = (-z).toNat * m.stride + z * m.stride := by
      have h1 : (z.toNat : Int) = (-z).toNat + z := by omega
      rw [h1, Int.add_mul]
    simp only [forward, backward, eval, stepsEval, Int.natCast_add, Int.natCast_mul]
    omega

theorem forward_eq_backward {S : List Nat} : {Z : List Int} → forward Z = backward Z → ∀ z ∈ Z, z = 0
  | [], _, _, h => by simp at h
  | z :: Z, e, w, h => by
    simp only [forward, backward, List.cons.injEq] at e
    rcases List.mem_cons.1 h with rfl | h
    · omega
    · exact forward_eq_backward (S := S) e.2 w h

/-- The steps from one coordinate to another. -/
def stepsFrom : (c c' : List Nat) → List Int
  | x :: c, x' :: c' => ((x' : Int) - x) :: stepsFrom c c'
  | _, _ => []

theorem stepsFrom_spec : (L : FlatLayout) → {c c' : List Nat} → InBounds (shape L) c → InBounds (shape L) c' →
    StepsIn (shape L) (stepsFrom c c') ∧ stepsEval L (stepsFrom c c') = (eval L c' : Int) - eval L c ∧
      ((∀ z ∈ stepsFrom c c', z = 0) → c = c')
  | [], [], [], _, _ => by simp [stepsFrom, StepsIn, stepsEval, eval, shape]
  | [], [], _ :: _, _, h => h.elim
  | [], _ :: _, _, h, _ => h.elim
  | _ :: _, [], _, h, _ => h.elim
  | _ :: _, _ :: _, [], _, h => h.elim
  | m :: L, x :: c, x' :: c', h, h' => by
    obtain ⟨h1, h2, h3⟩ := stepsFrom_spec L h.2 h'.2
    have e1 := h.1
    have e2 := h'.1
    refine ⟨⟨by omega, h1⟩, ?_, fun hz => ?_⟩
    · simp only [stepsFrom, stepsEval, eval, h2, Int.natCast_add, Int.natCast_mul, Int.sub_mul]
      omega
    · have := hz _ (by simp only [stepsFrom]; exact List.mem_cons_self)
      rw [h3 fun z hz' => hz z (by simp only [stepsFrom]; exact List.mem_cons_of_mem _ hz')]
      congr 1
      omega

/-- **A layout is injective exactly where no steps within its shape lead nowhere, but for no steps at all.**
Rust: `razorgirl::Layout::injectivity`
Source: none -/
theorem injective_iff_steps (L : FlatLayout) :
    Injective L ↔ ∀ Z, StepsIn (shape L) Z → stepsEval L Z = 0 → ∀ z ∈ Z, z = 0 := by
  constructor
  · intro h Z hZ e
    have h1 := forward_spec hZ
    have h2 := eval_forward L Z hZ
    exact forward_eq_backward (S := shape L) (h _ _ h1.1 h1.2 (by omega))
  · intro h c c' hc hc' e
    obtain ⟨h1, h2, h3⟩ := stepsFrom_spec L hc hc'
    exact h3 (h _ h1 (by omega))

/-! ## What steps can undo -/

theorem natAbs_stepsEval_le : (L : FlatLayout) → (Z : List Int) → StepsIn (shape L) Z → (stepsEval L Z).natAbs ≤ farthest L
  | [], [], _ => by simp [stepsEval]
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | m :: L, z :: Z, h => by
    have ih := natAbs_stepsEval_le L Z h.2
    have h1 : z.natAbs * m.stride ≤ (m.extent - 1) * m.stride := Nat.mul_le_mul_right _ (by have := h.1; omega)
    have h2 : (z * (m.stride : Int)).natAbs = z.natAbs * m.stride := by rw [Int.natAbs_mul, Int.natAbs_natCast]
    simp only [stepsEval, farthest]
    omega

theorem strideGcd_dvd_stepsEval : (L : FlatLayout) → (Z : List Int) → (strideGcd L : Int) ∣ stepsEval L Z
  | [], Z => by cases Z <;> simp [stepsEval]
  | _ :: _, [] => by simp [stepsEval]
  | m :: L, z :: Z => by
    have ih := strideGcd_dvd_stepsEval L Z
    have h1 : (strideGcd (m :: L) : Int) ∣ strideGcd L := Int.natCast_dvd_natCast.2 (Nat.gcd_dvd_right _ _)
    have h2 : (strideGcd (m :: L) : Int) ∣ m.stride := Int.natCast_dvd_natCast.2 (Nat.gcd_dvd_left _ _)
    exact Int.dvd_add (Int.dvd_trans h2 (Int.dvd_mul_left _ _)) (Int.dvd_trans h1 ih)

theorem mayUndo_of_steps {L : FlatLayout} {Z : List Int} (h : StepsIn (shape L) Z) {r : Int} (e : r + stepsEval L Z = 0) :
    mayUndo L r = true := by
  have h1 := natAbs_stepsEval_le L Z h
  have h2 : strideGcd L ∣ (stepsEval L Z).natAbs := Int.ofNat_dvd_left.1 (strideGcd_dvd_stepsEval L Z)
  have h3 : r.natAbs = (stepsEval L Z).natAbs := by omega
  simp only [mayUndo, Bool.and_eq_true, decide_eq_true_eq, beq_iff_eq, h3]
  exact ⟨h1, Nat.mod_eq_zero_of_dvd h2⟩

theorem mem_stepsOf {b : Bool} {n : Nat} {z : Int} :
    z ∈ stepsOf b n ↔ z.natAbs < n ∧ (b = true → 0 ≤ z) := by
  induction n with
  | zero => simp [stepsOf]
  | succ n ih =>
    cases n with
    | zero =>
      simp only [stepsOf, List.mem_singleton]
      omega
    | succ n =>
      simp only [stepsOf, List.mem_append, ih]
      cases b
      · simp only [Bool.false_eq_true, if_false, List.mem_cons, List.not_mem_nil, or_false, false_implies, and_true]
        omega
      · simp only [if_true, List.mem_singleton, true_implies]
        omega

theorem firstSteps_eq_some {f : Int → Option (List Int)} {l : List Int} {a : List Int} (h : firstSteps f l = some a) :
    ∃ z, z ∈ l ∧ f z = some a := by
  induction l with
  | nil => simp [firstSteps] at h
  | cons z l ih =>
    simp only [firstSteps] at h
    cases e : f z with
    | some b =>
      rw [e] at h
      exact ⟨z, List.mem_cons_self, by rw [e]; exact h⟩
    | none =>
      rw [e] at h
      obtain ⟨w, hw, h⟩ := ih h
      exact ⟨w, List.mem_cons_of_mem _ hw, h⟩

theorem firstSteps_eq_none {f : Int → Option (List Int)} {l : List Int} (h : firstSteps f l = none) : ∀ z ∈ l, f z = none := by
  induction l with
  | nil => simp
  | cons z l ih =>
    simp only [firstSteps] at h
    cases e : f z with
    | some b => simp [e] at h
    | none =>
      rw [e] at h
      intro w hw
      rcases List.mem_cons.1 hw with rfl | hw
      · exact e
      · exact ih h w hw

/-! ## The search -/

theorem undoing_sound : (L : FlatLayout) → {r : Int} → {fresh : Bool} → {Z : List Int} → undoing L r fresh = some Z →
    StepsIn (shape L) Z ∧ r + stepsEval L Z = 0 ∧ (fresh = true → ∃ z ∈ Z, z ≠ 0)
  | [], r, fresh, Z, h => by
    simp only [undoing] at h
    split at h
    · rename_i h1
      cases h
      simp [StepsIn, shape, stepsEval, h1.1, h1.2]
    · simp at h
  | m :: L, r, fresh, Z, h => by
    simp only [undoing] at h
    obtain ⟨z, hz, h⟩ := firstSteps_eq_some h
    split at h
    · cases e : undoing L (r + z * m.stride) (fresh && z == 0) with
      | none => simp [e] at h
      | some zs =>
        rw [e] at h
        cases h
        obtain ⟨h1, h2, h3⟩ := undoing_sound L e
        refine ⟨⟨(mem_stepsOf.1 hz).1, h1⟩, by simp only [stepsEval]; omega, fun hf => ?_⟩
        by_cases hz0 : z = 0
        · obtain ⟨w, hw, h4⟩ := h3 (by simp [hf, hz0])
          exact ⟨w, List.mem_cons_of_mem _ hw, h4⟩
        · exact ⟨z, List.mem_cons_self, hz0⟩
    · simp at h

/-- The first step that moves goes forward. -/
def Leads : List Int → Prop
  | [] => False
  | z :: Z => 0 < z ∨ z = 0 ∧ Leads Z

theorem undoing_complete : (L : FlatLayout) → {r : Int} → {fresh : Bool} → {Z : List Int} → StepsIn (shape L) Z →
    r + stepsEval L Z = 0 → (fresh = true → Leads Z) → undoing L r fresh ≠ none
  | [], r, fresh, [], _, e, hf => by
    have h1 : fresh = false := by cases fresh <;> simp_all [Leads]
    have h2 : r = 0 := by simpa [stepsEval] using e
    simp [undoing, h1, h2]
  | [], _, _, _ :: _, h, _, _ => h.elim
  | _ :: _, _, _, [], h, _, _ => h.elim
  | m :: L, r, fresh, z :: Z, h, e, hf => by
    intro hn
    simp only [undoing] at hn
    simp only [stepsEval] at e
    have hz : z ∈ stepsOf fresh m.extent := mem_stepsOf.2 ⟨h.1, fun hb => by
      rcases hf hb with h1 | h1
      · omega
      · omega⟩
    have h1 := firstSteps_eq_none hn z hz
    have h2 : mayUndo L (r + z * m.stride) = true := mayUndo_of_steps h.2 (by omega)
    have h3 := undoing_complete L (r := r + z * m.stride) (fresh := fresh && z == 0) h.2 (by omega) (fun hb => by
      simp only [Bool.and_eq_true, beq_iff_eq] at hb
      rcases hf hb.1 with h4 | h4
      · omega
      · exact h4.2)
    rw [if_pos h2] at h1
    cases h4 : undoing L (r + z * m.stride) (fresh && z == 0) with
    | none => exact h3 h4
    | some zs => simp [h4] at h1

/-- The steps back. -/
def turned : List Int → List Int
  | [] => []
  | z :: Z => -z :: turned Z

theorem turned_spec : (L : FlatLayout) → {Z : List Int} → StepsIn (shape L) Z →
    StepsIn (shape L) (turned Z) ∧ stepsEval L (turned Z) = -stepsEval L Z
  | [], [], _ => by simp [turned, StepsIn, shape, stepsEval]
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | m :: L, z :: Z, h => by
    have ih := turned_spec L h.2
    refine ⟨⟨by have := h.1; omega, ih.1⟩, ?_⟩
    simp only [turned, stepsEval, ih.2, Int.neg_mul]
    omega

theorem leads_or : {Z : List Int} → {w : Int} → w ∈ Z → w ≠ 0 → Leads Z ∨ Leads (turned Z)
  | z :: Z, w, h, hw => by
    simp only [Leads, turned]
    rcases Int.lt_trichotomy z 0 with h1 | h1 | h1
    · right; left; omega
    · rcases List.mem_cons.1 h with rfl | h
      · exact absurd h1 hw
      · rcases leads_or h hw with h2 | h2
        · left; right; exact ⟨h1, h2⟩
        · right; right; exact ⟨by omega, h2⟩
    · left; left; exact h1

/-- **The search over steps finds none exactly where the layout is injective, in whichever order its modes are searched.**
Rust: `razorgirl::Layout::injectivity`
Source: none -/
theorem nowhere_eq_none_iff {L M : FlatLayout} (h : M.Perm L) : nowhere M = none ↔ Injective L := by
  rw [← injective_perm h, injective_iff_steps]
  constructor
  · intro hn Z hZ e z hz
    by_cases h0 : z = 0
    · exact h0
    · exfalso
      rcases leads_or hz h0 with h1 | h1
      · exact undoing_complete M hZ (r := 0) (fresh := true) (by omega) (fun _ => h1) hn
      · have h2 := turned_spec M hZ
        exact undoing_complete M h2.1 (r := 0) (fresh := true) (by omega) (fun _ => h1) hn
  · intro hi
    cases e : nowhere M with
    | none => rfl
    | some Z =>
      obtain ⟨h1, h2, h3⟩ := undoing_sound M e
      obtain ⟨z, hz, h4⟩ := h3 rfl
      exact absurd (hi Z h1 (by omega) z hz) h4

/-- **Steps that the search finds are a collision: the coordinate of the steps forward and that of the steps back lie in the
layout, differ, and have the same offset.**
Rust: `razorgirl::Layout::injectivity`
Source: none -/
theorem nowhere_eq_some {L : FlatLayout} {Z : List Int} (h : nowhere L = some Z) :
    InBounds (shape L) (forward Z) ∧ InBounds (shape L) (backward Z) ∧ forward Z ≠ backward Z ∧
      eval L (forward Z) = eval L (backward Z) := by
  obtain ⟨h1, h2, h3⟩ := undoing_sound L h
  obtain ⟨z, hz, h4⟩ := h3 rfl
  have h5 := forward_spec h1
  have h6 := eval_forward L Z h1
  exact ⟨h5.1, h5.2, fun e => h4 (forward_eq_backward (S := shape L) e z hz), by omega⟩

/-! ## Two modes -/

/-- **Two modes, not both of stride 0, are injective exactly where one stride, divided by their greatest common divisor,
reaches the extent of the other mode.** `(2,3):(3,2)` is, as 3/1 ≥ 3; `(3,4):(3,2)` has offset 6 twice.
Rust: `razorgirl::Layout::injectivity`
Source: none; PyTorch's DeviceMesh tests it otherwise, and refuses `(2,3):(3,2)` -/
theorem injective_pair_iff (m n : Mode) (h : 0 < m.stride ∨ 0 < n.stride) :
    Injective [m, n] ↔
      m.extent ≤ n.stride / Nat.gcd m.stride n.stride ∨ n.extent ≤ m.stride / Nat.gcd m.stride n.stride := by
  have hg : 0 < Nat.gcd m.stride n.stride := Nat.gcd_pos_iff.2 h
  obtain ⟨a, ha⟩ := Nat.gcd_dvd_left m.stride n.stride
  obtain ⟨b, hb⟩ := Nat.gcd_dvd_right m.stride n.stride
  have hc : Nat.gcd a b = 1 := by
    have h1 : Nat.gcd (Nat.gcd m.stride n.stride * a) (Nat.gcd m.stride n.stride * b) =
        Nat.gcd m.stride n.stride * Nat.gcd a b := Nat.gcd_mul_left _ _ _
    rw [← ha, ← hb] at h1
    exact (Nat.mul_left_cancel hg (by rw [Nat.mul_one]; exact h1)).symm
  generalize Nat.gcd m.stride n.stride = g at *
  have e1 : m.stride / g = a := by rw [ha]; exact Nat.mul_div_cancel_left _ hg
  have e2 : n.stride / g = b := by rw [hb]; exact Nat.mul_div_cancel_left _ hg
  rw [e1, e2, injective_iff_steps]
  constructor
  · intro hi
    rcases Nat.lt_or_ge b m.extent with h1 | h1
    · rcases Nat.lt_or_ge a n.extent with h2 | h2
      · exfalso
        have h3 := hi [(b : Int), -(a : Int)] ⟨by simpa using h1, by simpa using h2, trivial⟩ (by
          simp only [stepsEval, ha, hb, Int.natCast_mul]
          grind)
        have h4 := h3 b (by simp)
        have h5 := h3 (-(a : Int)) (by simp)
        have h6 : a = 0 := by omega
        have h7 : b = 0 := by omega
        simp [h6, h7] at hc
      · exact .inr h2
    · exact .inl h1
  · intro ho Z hZ e
    match Z, hZ with
    | [x, y], hZ =>
      have hx : x.natAbs < m.extent := hZ.1
      have hy : y.natAbs < n.extent := hZ.2.1
      have e3 : x * a = -(y * b) := by
        have h1 : (g : Int) * (x * a + y * b) = 0 := by
          simp only [stepsEval, ha, hb, Int.natCast_mul] at e
          grind
        have h2 : x * (a : Int) + y * b = 0 := by
          rcases Int.mul_eq_zero.1 h1 with h | h
          · omega
          · exact h
        omega
      have e4 : x.natAbs * a = y.natAbs * b := by
        have := congrArg Int.natAbs e3
        simpa [Int.natAbs_mul] using this
      have d1 : b ∣ x.natAbs := by
        have : b ∣ x.natAbs * a := ⟨y.natAbs, by rw [e4, Nat.mul_comm]⟩
        exact Nat.Coprime.dvd_of_dvd_mul_right (by rw [Nat.Coprime, Nat.gcd_comm]; exact hc) this
      have d2 : a ∣ y.natAbs := by
        have : a ∣ y.natAbs * b := ⟨x.natAbs, by rw [← e4, Nat.mul_comm]⟩
        exact Nat.Coprime.dvd_of_dvd_mul_right hc this
      have hab : 0 < a ∨ 0 < b := by
        rcases Nat.eq_zero_or_pos a with h1 | h1
        · rcases Nat.eq_zero_or_pos b with h2 | h2
          · simp [h1, h2] at hc
          · exact .inr h2
        · exact .inl h1
      have hz : x = 0 ∧ y = 0 := by
        rcases ho with h1 | h1
        · have h2 : x.natAbs = 0 := Nat.eq_zero_of_dvd_of_lt d1 (by omega)
          rw [h2, Nat.zero_mul] at e4
          have h3 : y.natAbs = 0 := by
            rcases Nat.mul_eq_zero.1 e4.symm with h | h
            · exact h
            · subst h; omega
          omega
        · have h2 : y.natAbs = 0 := Nat.eq_zero_of_dvd_of_lt d2 (by omega)
          rw [h2, Nat.zero_mul] at e4
          have h3 : x.natAbs = 0 := by
            rcases Nat.mul_eq_zero.1 e4 with h | h
            · exact h
            · subst h; omega
          omega
      intro z hz'
      simp only [List.mem_cons, List.not_mem_nil, or_false] at hz'
      rcases hz' with rfl | rfl
      · exact hz.1
      · exact hz.2

/-- PyTorch's example: the offsets 0, 3, 2, 5, 4, 7 differ. -/
example : nowhere [⟨2, 3⟩, ⟨3, 2⟩] = none ∧ nowhere [⟨3, 3⟩, ⟨4, 2⟩] = some [2, -3] := by decide +kernel

end Razorgirl.FlatLayout
