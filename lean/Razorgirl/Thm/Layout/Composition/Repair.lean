module

public import Razorgirl.Spec.Layout.Composition.Repair
public import Razorgirl.Thm.Layout.Composition.Exact

@[expose] public section

/-!
# The largest extent that composes: what is proved

With it the composite exists for all strides, and with no larger one up to the extent that was asked for.
-/

namespace Razorgirl

open FlatLayout FlatLayout.Aux

theorem addTimes_comm (j k : Nat) : (x y u : List Nat) → addTimes j x (addTimes k y u) = addTimes k y (addTimes j x u)
  | [], [], _ => rfl
  | [], _ :: _, [] => rfl
  | [], _ :: _, _ :: _ => rfl
  | _ :: _, [], [] => rfl
  | _ :: _, [], _ :: _ => rfl
  | _ :: _, _ :: _, [] => rfl
  | x :: xs, y :: ys, u :: us => by
    simp only [addTimes, addTimes_comm j k xs ys us]
    rw [Nat.add_left_comm]

/-- The largest digits of pieces, on top of those of others. -/
def loadOn (u : List Nat) : List DigitMode → List Nat
  | [] => u
  | p :: ps => addTimes (p.extent - 1) p.digits (loadOn u ps)

theorem load_eq_loadOn (M : List Nat) (ps : List DigitMode) : load M ps = loadOn (digits M 0) ps := by
  induction ps with
  | nil => rfl
  | cons p ps ih => rw [load, loadOn, ih]

theorem loadOn_addTimes (k : Nat) (x u : List Nat) (ps : List DigitMode) :
    loadOn (addTimes k x u) ps = addTimes k x (loadOn u ps) := by
  induction ps with
  | nil => rfl
  | cons p ps ih => rw [loadOn, loadOn, ih, addTimes_comm]

theorem loadOn_append (u : List Nat) (ps qs : List DigitMode) : loadOn u (ps ++ qs) = loadOn (loadOn u qs) ps := by
  induction ps with
  | nil => rfl
  | cons p ps ih => rw [List.cons_append, loadOn, loadOn, ih]

theorem loadOn_loadOn (u : List Nat) (ps qs : List DigitMode) : loadOn (loadOn u ps) qs = loadOn (loadOn u qs) ps := by
  induction ps with
  | nil => rfl
  | cons p ps ih => rw [loadOn, loadOn, loadOn_addTimes, ih]

theorem length_loadOn {M u : List Nat} (hu : u.length = M.length) {ps : List DigitMode} (h : WellFormed M ps) :
    (loadOn u ps).length = M.length := by
  induction ps with
  | nil => exact hu
  | cons p ps ih => rw [loadOn, length_addTimes _ (by rw [h.1.2, ih h.2]), ih h.2]

theorem le_stepsIn_iff {s k : Nat} (hk : 0 < k) : {M u g : List Nat} → u.length = M.length → g.length = M.length →
    below M u = true → (k ≤ stepsIn s M u g ↔ k ≤ s ∧ below M (addTimes (k - 1) g u) = true)
  | [], _, _, _, _, _ => by simp [stepsIn, below]
  | [_], _, _, _, _, _ => by simp [stepsIn, below]
  | _ :: _ :: _, [], _, h, _, _ => by simp at h
  | _ :: _ :: _, _ :: _, [], _, h, _ => by simp at h
  | m :: m' :: M, u :: us, x :: xs, hu, hg, hb => by
    simp only [below, Bool.and_eq_true, decide_eq_true_eq] at hb
    have ih := le_stepsIn_iff (s := s) hk (M := m' :: M) (u := us) (g := xs) (by simpa using hu) (by simpa using hg) hb.2
    rw [stepsIn, addTimes, below, Nat.le_min, ih, Bool.and_eq_true, decide_eq_true_eq]
    have key : (k ≤ if x = 0 then s else (m - 1 - u) / x + 1) ∧ k ≤ s ↔ (k - 1) * x + u < m ∧ k ≤ s := by
      split
      · rename_i hx
        subst hx
        rw [Nat.mul_zero]
        omega
      · rename_i hx
        have := Nat.le_div_iff_mul_le (x := k - 1) (y := m - 1 - u) (Nat.pos_of_ne_zero hx)
        generalize (m - 1 - u) / x = q at *
        generalize (k - 1) * x = p at *
        omega
    constructor
    · rintro ⟨a, b, c⟩
      exact ⟨b, (key.1 ⟨a, b⟩).1, c⟩
    · rintro ⟨a, b, c⟩
      exact ⟨(key.2 ⟨b, a⟩).1, a, c⟩

theorem one_le_stepsIn {s : Nat} (hs : 0 < s) {M u g : List Nat} (hu : u.length = M.length) (hg : g.length = M.length)
    (hb : below M u = true) : 1 ≤ stepsIn s M u g := by
  refine (le_stepsIn_iff Nat.one_pos hu hg hb).2 ⟨hs, ?_⟩
  have z : ∀ {g u : List Nat}, g.length = u.length → addTimes 0 g u = u := by
    intro g
    induction g with
    | nil => intro u h; cases u with | nil => rfl | cons => simp at h
    | cons a g ih =>
      intro u h
      cases u with
      | nil => simp at h
      | cons b u => rw [addTimes, ih (by simpa using h), Nat.zero_mul, Nat.zero_add]
  rw [Nat.sub_self, z (by rw [hg, hu])]
  exact hb

/-- A mode `s:d` splits, and its digits fit on top of `u`. -/
def FitsOn (M u : List Nat) (s d : Nat) : Prop := ∃ ps, splitMode M s d = some ps ∧ below M (loadOn u ps) = true

theorem placeLe_addTimes_self {k : Nat} : {g u : List Nat} → g.length = u.length → PlaceLe u (addTimes k g u)
  | [], [], _ => trivial
  | [], _ :: _, h => by simp at h
  | _ :: _, [], h => by simp at h
  | _ :: _, _ :: _, h => ⟨Nat.le_add_left _ _, placeLe_addTimes_self (by simpa using h)⟩

theorem placeLe_trans : {a b c : List Nat} → PlaceLe a b → PlaceLe b c → PlaceLe a c
  | [], [], _, _, h => h
  | [], _ :: _, _, h, _ => h.elim
  | _ :: _, [], _, h, _ => h.elim
  | _ :: _, _ :: _, [], _, h => h.elim
  | _ :: _, _ :: _, _ :: _, h, h' => ⟨Nat.le_trans h.1 h'.1, placeLe_trans h.2 h'.2⟩

theorem placeLe_loadOn {M u : List Nat} (hu : u.length = M.length) {ps : List DigitMode} (h : WellFormed M ps) :
    PlaceLe u (loadOn u ps) := by
  induction ps with
  | nil => exact PlaceLe.refl u
  | cons p ps ih =>
    exact placeLe_trans (ih h.2) (placeLe_addTimes_self (by rw [h.1.2, length_loadOn hu h.2]))

/-- A mode that fits begins with as many steps as its first digits allow. -/
theorem fitsOn_iff {M u : List Nat} {s d : Nat} (hs : 1 < s) (hd : d ≠ 0) : FitsOn M u s d ↔
    ((wrapAt M (digits M d) = 0 ∨ s ≤ wrapAt M (digits M d)) ∧ below M (addTimes (s - 1) (digits M d) u) = true) ∨
    (wrapAt M (digits M d) < s ∧ 1 < wrapAt M (digits M d) ∧ s % wrapAt M (digits M d) = 0 ∧
      FitsOn M (addTimes (wrapAt M (digits M d) - 1) (digits M d) u) (s / wrapAt M (digits M d)) (d * wrapAt M (digits M d))) := by
  have h0 : ¬ (s ≤ 1 ∨ d = 0) := by omega
  constructor
  · rintro ⟨ps, h1, h2⟩
    rw [splitMode, if_neg h0] at h1
    split at h1
    · rename_i hw
      cases h1
      exact .inl ⟨hw, h2⟩
    · rename_i hw
      split at h1
      · rename_i ht
        obtain ⟨q, hq, rfl⟩ := Option.map_eq_some_iff.1 h1
        refine .inr ⟨by omega, ht.1, ht.2, q, hq, ?_⟩
        rw [loadOn_addTimes]
        exact h2
      · cases h1
  · rintro (⟨hw, hb⟩ | ⟨h1, h2, h3, q, hq, hb⟩)
    · refine ⟨[⟨s, digits M d⟩], ?_, hb⟩
      rw [splitMode, if_neg h0, if_pos hw]
    · refine ⟨⟨wrapAt M (digits M d), digits M d⟩ :: q, ?_, ?_⟩
      · rw [splitMode, if_neg h0, if_neg (by omega), if_pos ⟨h2, h3⟩, hq]
        rfl
      · rw [loadOn_addTimes] at hb
        exact hb

theorem fitsOn_trivial {M u : List Nat} {s d : Nat} (hu : u.length = M.length) (hb : below M u = true)
    (h : s ≤ 1 ∨ d = 0) : FitsOn M u s d := by
  refine ⟨[⟨s, digits M 0⟩], by rw [splitMode, if_pos h], ?_⟩
  have e : ∀ (k : Nat) {n : Nat} {v : List Nat}, v.length = n → addTimes k (List.replicate n 0) v = v := by
    intro k n v hv
    subst hv
    induction v with
    | nil => rfl
    | cons a v ih => rw [List.length_cons, List.replicate_succ, addTimes, ih, Nat.mul_zero, Nat.zero_add]
  rw [loadOn, loadOn, digits_zero, e _ hu]
  exact hb

theorem wrapAt_ne_one {M : List Nat} (hM : ∀ m ∈ M, 0 < m) (d : Nat) : wrapAt M (digits M d) ≠ 1 := by
  intro h
  have hb := below_digits M hM d
  have e : (digits M d).map (1 * ·) = digits M d := by
    simp
  have := (below_times_iff 1 hM (digits M d)).1 (by rw [e]; exact hb)
  omega

theorem largestExtent_spec {M u : List Nat} (hM : ∀ m ∈ M, 0 < m) (hu : u.length = M.length) (hb : below M u = true)
    {s d : Nat} (hs : 0 < s) : 0 < largestExtent M u s d ∧ largestExtent M u s d ≤ s ∧
      FitsOn M u (largestExtent M u s d) d ∧ ∀ r, largestExtent M u s d < r → r ≤ s → ¬ FitsOn M u r d := by
  fun_induction largestExtent M u s d with
  | case1 u s d h => exact ⟨hs, Nat.le_refl _, fitsOn_trivial hu hb h, fun r h1 h2 => by omega⟩
  | case2 u s d h h' =>
    have hg := length_digits M d
    have h1 := one_le_stepsIn (g := digits M d) hs hu hg hb
    have hk := fun {k} (h : 0 < k) => le_stepsIn_iff (s := s) h hu hg hb
    have hw := wrapAt_ne_one hM d
    obtain ⟨hle, hfit⟩ := (hk h1).1 (Nat.le_refl _)
    refine ⟨h1, hle, ?_, fun r hr hrs hf => ?_⟩
    · rcases Nat.lt_or_ge 1 (stepsIn s M u (digits M d)) with h2 | h2
      · exact (fitsOn_iff h2 (by omega)).2 (.inl ⟨by omega, hfit⟩)
      · exact fitsOn_trivial hu hb (.inl h2)
    · rcases (fitsOn_iff (by omega) (by omega)).1 hf with ⟨_, hbr⟩ | ⟨ha, hc, _, q, hq, hbq⟩
      · have := (hk (k := r) (by omega)).2 ⟨hrs, hbr⟩
        omega
      · have hq' : 0 < r / wrapAt M (digits M d) := Nat.div_pos (Nat.le_of_lt ha) (by omega)
        have hwf := (splitMode_spec hq' (fun e => by subst e; simp [wrapAt] at hc) hq).1
        have hlen : (addTimes (wrapAt M (digits M d) - 1) (digits M d) u).length = M.length := by
          rw [length_addTimes _ (by rw [hg, hu]), hu]
        have := (hk (k := wrapAt M (digits M d)) (by omega)).2 ⟨by omega, below_of_placeLe (placeLe_loadOn hlen hwf) hbq⟩
        omega
  | case3 u s d h h' ih =>
    have hg := length_digits M d
    have hk := fun {k} (h : 0 < k) => le_stepsIn_iff (s := s) h hu hg hb
    have hlen : (addTimes (wrapAt M (digits M d) - 1) (digits M d) u).length = M.length := by
      rw [length_addTimes _ (by rw [hg, hu]), hu]
    obtain ⟨hts, hbt⟩ := (hk (k := wrapAt M (digits M d)) (by omega)).1 (by omega)
    obtain ⟨i1, i2, i3, i4⟩ := ih hlen hbt (Nat.div_pos hts (by omega))
    generalize hT : wrapAt M (digits M d) = t at *
    generalize hR : largestExtent M (addTimes (t - 1) (digits M d) u) (s / t) (d * t) = w at *
    have ht : 0 < t := by omega
    have hle : t * w ≤ s := Nat.le_trans (Nat.mul_le_mul_left _ i2) (Nat.mul_div_le s t)
    have hpos : t * 1 ≤ t * w := Nat.mul_le_mul_left _ i1
    refine ⟨by omega, hle, ?_, fun r hr hrs hf => ?_⟩
    · refine (fitsOn_iff (by omega) (by omega)).2 ?_
      rw [hT]
      rcases Nat.lt_or_ge 1 w with h1 | h1
      · have h2 : t * 2 ≤ t * w := Nat.mul_le_mul_left _ h1
        refine .inr ⟨by omega, by omega, Nat.mul_mod_right _ _, ?_⟩
        rw [Nat.mul_div_cancel_left _ ht]
        exact i3
      · have e : w = 1 := by omega
        rw [e, Nat.mul_one]
        exact .inl ⟨.inr (Nat.le_refl _), hbt⟩
    · rcases (fitsOn_iff (by omega) (by omega)).1 hf with ⟨ha, _⟩ | ⟨ha, hc, hd', hq⟩
      · rw [hT] at ha
        omega
      · rw [hT] at ha hc hd' hq
        obtain ⟨v, rfl⟩ : ∃ v, r = t * v := ⟨r / t, (Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hd')).symm⟩
        rw [Nat.mul_div_cancel_left _ ht] at hq
        exact i4 v (Nat.lt_of_mul_lt_mul_left hr) ((Nat.le_div_iff_mul_le ht).2 (by rw [Nat.mul_comm]; exact hrs)) hq

theorem splitModes_append_iff {M : List Nat} {P Q : FlatLayout} {ps : List (List DigitMode)} :
    splitModes M (P ++ Q) = some ps ↔ ∃ a b, splitModes M P = some a ∧ splitModes M Q = some b ∧ ps = a ++ b := by
  induction P generalizing ps with
  | nil =>
    constructor
    · exact fun h => ⟨[], ps, rfl, h, rfl⟩
    · rintro ⟨a, b, h1, h2, rfl⟩
      cases h1
      exact h2
  | cons m P ih =>
    rw [List.cons_append, splitModes, splitModes]
    constructor
    · intro h
      split at h
      · rename_i p qs hp hq
        cases h
        obtain ⟨a, b, h1, h2, rfl⟩ := ih.1 hq
        exact ⟨p :: a, b, by rw [hp, h1], h2, rfl⟩
      · cases h
    · rintro ⟨a, b, h1, h2, rfl⟩
      split at h1
      · rename_i p qs hp hq
        cases h1
        rw [hp, ih.2 ⟨qs, b, hq, h2, rfl⟩]
        rfl
      · cases h1

theorem pieces_append (a b : List (List DigitMode)) : pieces (a ++ b) = pieces a ++ pieces b := by
  induction a with
  | nil => rfl
  | cons p a ih => rw [List.cons_append, pieces, pieces, ih, List.append_assoc]

theorem digitComposition_insert_iff {M : List Nat} {P Q : FlatLayout} {r d : Nat} :
    (digitComposition M (P ++ ⟨r, d⟩ :: Q)).isSome = true ↔
      ∃ ps, splitModes M (P ++ Q) = some ps ∧ FitsOn M (load M (pieces ps)) r d := by
  have key : ∀ (a b : List (List DigitMode)) (p : List DigitMode),
      load M (pieces (a ++ p :: b)) = loadOn (load M (pieces (a ++ b))) p := by
    intro a b p
    rw [load_eq_loadOn, load_eq_loadOn, pieces_append, pieces_append, pieces, loadOn_append, loadOn_append, loadOn_append,
      loadOn_loadOn]
  constructor
  · intro h
    obtain ⟨qs, h⟩ := Option.isSome_iff_exists.1 h
    rw [digitComposition] at h
    split at h
    · rename_i ps hps
      split at h
      · rename_i hb
        obtain ⟨a, b, h1, h2, rfl⟩ := splitModes_append_iff.1 hps
        rw [splitModes] at h2
        split at h2
        · rename_i p b' hp hb'
          cases h2
          exact ⟨a ++ b', splitModes_append_iff.2 ⟨a, b', h1, hb', rfl⟩, p, hp, by rw [← key]; exact hb⟩
        · cases h2
      · cases h
    · cases h
  · rintro ⟨ps, hps, p, hp, hb⟩
    obtain ⟨a, b, h1, h2, rfl⟩ := splitModes_append_iff.1 hps
    have h3 : splitModes M (P ++ ⟨r, d⟩ :: Q) = some (a ++ p :: b) :=
      splitModes_append_iff.2 ⟨a, p :: b, h1, by rw [splitModes, hp, h2], rfl⟩
    rw [← key] at hb
    rw [digitComposition, h3]
    simp [hb]

namespace Layout

theorem composition_insert_iff {A : Layout} {P Q : FlatLayout} {r d : Nat} (p : Profile) :
    (composition A ⟨P ++ ⟨r, d⟩ :: Q, p⟩).isSome = true ↔
      (r - 1) * d + cosizeFormula (P ++ Q) ≤ A.size ∧
        ∃ ps, splitModes (FlatLayout.shape (FlatLayout.coalesce A.modes)) (P ++ Q) = some ps ∧
          FitsOn (FlatLayout.shape (FlatLayout.coalesce A.modes))
            (load (FlatLayout.shape (FlatLayout.coalesce A.modes)) (pieces ps)) r d := by
  rw [composition_isSome_iff_digits, digitComposition_insert_iff]
  have h1 := cosizeFormula_append P (⟨r, d⟩ :: Q)
  have h2 := cosizeFormula_append P Q
  rw [cosizeFormula] at h1
  have h3 := cosizeFormula_pos P
  have h4 := cosizeFormula_pos Q
  refine and_congr_left fun _ => ?_
  show cosizeFormula (P ++ ⟨r, d⟩ :: Q) ≤ A.size ↔ _
  simp only at h1
  omega

end Layout

namespace FlatLayout

/-- **The repaired extent composes beside the other modes, and no larger one up to the extent that was asked for does.** However the
modes are nested.
Rust: `razorgirl::Layout::largest_extent`
Source: ours -/
theorem extentFor_eq_some {A : Layout} {P Q : FlatLayout} {m : Mode} (hB : FlatLayout.Valid (P ++ m :: Q)) {r : Nat}
    (h : extentFor A.modes P m Q = some r) (p : Profile) : 0 < r ∧ r ≤ m.extent ∧
      (∃ R, Layout.composition A ⟨P ++ ⟨r, m.stride⟩ :: Q, p⟩ = some R) ∧
      ∀ r', r < r' → r' ≤ m.extent → Layout.composition A ⟨P ++ ⟨r', m.stride⟩ :: Q, p⟩ = none := by
  rw [extentFor] at h
  split at h
  · cases h
  · rename_i ps hps
    split at h
    · rename_i hb
      have hPQ : FlatLayout.Valid (P ++ Q) := by
        rw [valid_append_iff] at hB ⊢
        exact ⟨hB.1, hB.2.2⟩
      have hm : 0 < m.extent := ((valid_append_iff _ _).1 hB).2.1
      have hs : cosizeFormula (P ++ Q) ≤ prod (FlatLayout.shape (FlatLayout.coalesce A.modes)) := by
        rw [Layout.prod_shape_coalesce]
        exact hb.2
      have hc := cosizeFormula_pos (P ++ Q)
      have hM : ∀ n ∈ FlatLayout.shape (FlatLayout.coalesce A.modes), 0 < n := pos_of_lt_prod (x := 0) (by omega)
      have hl := length_load (splitModes_spec hPQ hs hps).1
      have hroom : 0 < (if m.stride = 0 then m.extent
          else min m.extent ((FlatLayout.size A.modes - cosizeFormula (P ++ Q)) / m.stride + 1)) := by
        split
        · exact hm
        · exact Nat.lt_min.2 ⟨hm, Nat.succ_pos _⟩
      have hle : (if m.stride = 0 then m.extent
          else min m.extent ((FlatLayout.size A.modes - cosizeFormula (P ++ Q)) / m.stride + 1)) ≤ m.extent := by
        split
        · exact Nat.le_refl _
        · exact Nat.min_le_left _ _
      have hdom : ∀ k, 0 < k → k ≤ m.extent → (k ≤ (if m.stride = 0 then m.extent
          else min m.extent ((FlatLayout.size A.modes - cosizeFormula (P ++ Q)) / m.stride + 1)) ↔
            (k - 1) * m.stride + cosizeFormula (P ++ Q) ≤ A.size) := by
        intro k hk hkm
        have hA : A.size = FlatLayout.size A.modes := rfl
        have hb2 := hb.2
        split
        · rename_i h0
          rw [h0, Nat.mul_zero, hA]
          omega
        · rename_i h0
          have := Nat.le_div_iff_mul_le (x := k - 1) (y := FlatLayout.size A.modes - cosizeFormula (P ++ Q))
            (Nat.pos_of_ne_zero h0)
          rw [hA, Nat.le_min]
          generalize (FlatLayout.size A.modes - cosizeFormula (P ++ Q)) / m.stride = q at *
          generalize (k - 1) * m.stride = t at *
          omega
      obtain ⟨h1, h2, h3, h4⟩ := largestExtent_spec hM hl hb.1 (d := m.stride) hroom
      simp only [Option.some.injEq] at h
      rw [h] at h1 h2 h3 h4
      generalize (if m.stride = 0 then m.extent
          else min m.extent ((FlatLayout.size A.modes - cosizeFormula (P ++ Q)) / m.stride + 1)) = room at *
      have hre : r ≤ m.extent := by omega
      refine ⟨h1, hre, Option.isSome_iff_exists.1 ((Layout.composition_insert_iff p).2 ⟨(hdom r h1 hre).1 h2, ps, hps, h3⟩),
        fun r' hr hr' => ?_⟩
      cases hcomp : Layout.composition A ⟨P ++ ⟨r', m.stride⟩ :: Q, p⟩ with
      | none => rfl
      | some R =>
        obtain ⟨hd, ps', hps', hf⟩ := (Layout.composition_insert_iff p).1 (by rw [hcomp]; rfl)
        rw [hps] at hps'
        cases hps'
        exact absurd hf (h4 r' hr ((hdom r' (by omega) hr').2 hd))
    · cases h

/-- **Where no extent is found, none composes: the other modes do not compose by themselves.**
Rust: `razorgirl::Layout::largest_extent`
Source: ours -/
theorem extentFor_eq_none {A : Layout} {P Q : FlatLayout} {m : Mode} (hB : FlatLayout.Valid (P ++ m :: Q))
    (h : extentFor A.modes P m Q = none) {r : Nat} (hr : 0 < r) (p : Profile) :
    Layout.composition A ⟨P ++ ⟨r, m.stride⟩ :: Q, p⟩ = none := by
  cases hcomp : Layout.composition A ⟨P ++ ⟨r, m.stride⟩ :: Q, p⟩ with
  | none => rfl
  | some R =>
    exfalso
    obtain ⟨hd, ps, hps, q, hq, hb⟩ := (Layout.composition_insert_iff p).1 (by rw [hcomp]; rfl)
    have hPQ : FlatLayout.Valid (P ++ Q) := by
      rw [valid_append_iff] at hB ⊢
      exact ⟨hB.1, hB.2.2⟩
    have hc := cosizeFormula_pos (P ++ Q)
    have hl := length_load (splitModes_spec hPQ (by rw [Layout.prod_shape_coalesce]; omega) hps).1
    have hwf := (splitMode_spec hr (fun e => by
      have h1 := Layout.prod_shape_coalesce A
      rw [e, prod] at h1
      have : (r - 1) * m.stride = 0 := by omega
      rcases Nat.mul_eq_zero.1 this with h2 | h2 <;> omega) hq).1
    have hu := below_of_placeLe (placeLe_loadOn hl hwf) hb
    rw [extentFor, hps] at h
    simp only at h
    rw [if_pos ⟨hu, by show _ ≤ A.size; omega⟩] at h
    cases h

end FlatLayout

end Razorgirl
