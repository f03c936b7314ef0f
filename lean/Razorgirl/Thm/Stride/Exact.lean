module

public import Razorgirl.Thm.Layout.Composition.Exact
public import Razorgirl.Thm.Stride

@[expose] public section

/-!
# Composition by digits is exact where digits can be read off

Where different digit vectors have different offsets, a composite shows its digits, and so digits do not carry in it.
Coordinates with unit strides are such: there composition by digits answers exactly where a composite exists.
-/

namespace Razorgirl

namespace Stride

open StrideModule

variable {α : Type} [StrideModule α]

/-- The modes with digit vectors in place of strides: the digits at the index of one step of the mode. -/
def lift (M : List Nat) (f : Nat → List Nat) : (p : Nat) → Modes α → List DigitMode
  | _, [] => []
  | p, m :: L => ⟨m.1, if m.1 = 1 then digits M 0 else f p⟩ :: lift M f (p * m.1) L

/-- `lift` for modes in groups. -/
def liftGroups (M : List Nat) (f : Nat → List Nat) : (p : Nat) → List (Modes α) → List (List DigitMode)
  | _, [] => []
  | p, L :: Ls => lift M f p L :: liftGroups M f (p * size L) Ls

omit [StrideModule α] in
theorem lift_append (M : List Nat) (f : Nat → List Nat) (p : Nat) (L K : Modes α) :
    lift M f p (L ++ K) = lift M f p L ++ lift M f (p * size L) K := by
  induction L generalizing p with
  | nil => simp [lift, size, shape, prod]
  | cons m L ih => simp only [List.cons_append, lift, ih, size_cons, Nat.mul_assoc]

omit [StrideModule α] in
theorem pieces_liftGroups (M : List Nat) (f : Nat → List Nat) (p : Nat) (R : List (Modes α)) :
    pieces (liftGroups M f p R) = lift M f p (concat R) := by
  induction R generalizing p with
  | nil => rfl
  | cons L R ih => rw [liftGroups, pieces, ih, concat, lift_append]

omit [StrideModule α] in
theorem wellFormed_lift {M : List Nat} {f : Nat → List Nat} (hf : ∀ x, (f x).length = M.length) (p : Nat) {L : Modes α}
    (h : Valid L) : WellFormed M (lift M f p L) := by
  induction L generalizing p with
  | nil => trivial
  | cons m L ih =>
    refine ⟨⟨h m List.mem_cons_self, ?_⟩, ih _ fun n hn => h n (List.mem_cons_of_mem _ hn)⟩
    simp only
    split
    · exact length_digits M 0
    · exact hf p

theorem atIndex_lift {M : List Nat} {D : List α} {f : Nat → List Nat} {p : Nat} {L : Modes α} (v : Valid L)
    (h : ∀ x, x < size L → atIndex L x = dot (f (p * x)) D) {x : Nat} (hx : x < size L) :
    atIndex (ofDigits D (lift M f p L)) x = atIndex L x := by
  induction L generalizing p x with
  | nil => rfl
  | cons m L ih =>
    have hm : 0 < m.1 := v m List.mem_cons_self
    have vL : Valid L := fun n hn => v n (List.mem_cons_of_mem _ hn)
    have sL := size_pos vL
    have hx' := hx
    rw [size_cons] at hx'
    have i := ih (p := p * m.1) vL (fun y hy => by
      rw [← atIndex_mul hm, h _ (by rw [size_cons]; exact Nat.mul_lt_mul_of_pos_left hy hm), Nat.mul_assoc])
      (Nat.div_lt_of_lt_mul hx')
    have e : atIndex (ofDigits D (lift M f p (m :: L))) x =
        add (times (x % m.1) (dot (if m.1 = 1 then digits M 0 else f p) D))
          (atIndex (ofDigits D (lift M f (p * m.1) L)) (x / m.1)) := rfl
    rw [e, i, atIndex_cons]
    by_cases one : m.1 = 1
    · rw [one, Nat.mod_one, zero_times, zero_times]
    · rw [if_neg one]
      have := h 1 (by rw [size_cons]; exact Nat.lt_of_lt_of_le (show 1 < m.1 by omega) (Nat.le_mul_of_pos_right _ sL))
      rw [atIndex_of_lt (by omega), one_times, Nat.mul_one] at this
      rw [this]

omit [StrideModule α] in
theorem sizesMatch_liftGroups {M E : List Nat} {f : Nat → List Nat} (hf : ∀ x, (f x).length = M.length) (p : Nat)
    {B : FlatLayout} {R : List (Modes α)} (hs : R.map size = FlatLayout.shape B) (hv : ∀ L ∈ R, Valid L) :
    Layout.SizesMatch B ((liftGroups M f p R).map (Layout.ofDigits E)) := by
  induction B generalizing p R with
  | nil =>
    cases R with
    | nil => trivial
    | cons L R => simp [FlatLayout.shape] at hs
  | cons m B ih =>
    cases R with
    | nil => simp [FlatLayout.shape] at hs
    | cons L R =>
      simp only [List.map_cons, FlatLayout.shape, List.cons.injEq] at hs
      have w := wellFormed_lift hf p (hv L List.mem_cons_self)
      refine ⟨⟨valid_ofDigits E w, ?_⟩, ih _ hs.2 fun K hK => hv K (List.mem_cons_of_mem _ hK)⟩
      rw [← hs.1]
      have : ∀ (p : Nat) (L : Modes α), FlatLayout.size (Layout.ofDigits E (lift M f p L)) = size L := by
        intro p L
        induction L generalizing p with
        | nil => rfl
        | cons n L ih => exact congrArg (n.1 * ·) (ih _)
      exact this p L

omit [StrideModule α] in
theorem size_concat (R : List (Modes α)) : size (concat R) = prod (R.map size) := by
  induction R with
  | nil => rfl
  | cons L R ih => rw [concat, size_append, ih]; rfl

/-- **Where different digit vectors have different offsets, composition by digits answers whenever a composite exists.**
Source: none known; Cecka (arXiv 2603.02298) has integer strides -/
theorem composition_exact {A : Modes α} {B : FlatLayout} {R : List (Modes α)} (hB : FlatLayout.Valid B)
    (inj : ∀ u v : List Nat, u.length = A.length → v.length = A.length →
      dot u (strides A) = dot v (strides A) → u = v)
    (h : IsComposite A B R) : (composition A B).isSome = true := by
  obtain ⟨hs, hv, hf⟩ := h
  have hdom : FlatLayout.cosizeFormula B ≤ size A := (Layout.atIndex_lt_iff hB).1 fun x hx => (hf x hx).1
  have lM : (shape A).length = A.length := List.length_map _
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
  have val : ∀ x, x < FlatLayout.size B →
      atIndex (concat R) x = dot (digits (shape A) (FlatLayout.atIndex B x)) (strides A) := by
    intro x hx
    rw [(hf x hx).2, digits_eq_idx2crd _ _ (hf x hx).1]
    rfl
  have w := wellFormed_lift lf 1 vR
  have dig : ∀ x, x < FlatLayout.size B →
      digitsAt (shape A) (lift (shape A) (fun x => digits (shape A) (FlatLayout.atIndex B x)) 1 (concat R)) x =
        digits (shape A) (FlatLayout.atIndex B x) := by
    intro x hx
    apply inj
    · rw [length_digitsAt w, lM]
    · rw [length_digits, lM]
    · rw [dot_digitsAt _ w, atIndex_lift vR (fun y hy => by rw [Nat.one_mul]; exact val y (by rw [← sz]; exact hy))
        (by rw [sz]; exact hx), val x hx]
  have := digitComposition_of_groups (M := shape A) hB hdom
    (sizesMatch_liftGroups (E := powers (prod (shape A)) 1 (shape A).length) lf 1 hs hv) fun x hx => by
      rw [← ofDigits_pieces, pieces_liftGroups, ← _root_.Razorgirl.dot_digitsAt _ w, dig x hx,
        atIndex_ofShape (length_powers _ _ _) (hf x hx).1]
  unfold composition
  rw [if_pos hdom, Option.isSome_map, this]

theorem dot_units (k : Nat) (u : List Nat) (i : Nat) :
    (dot u ((List.range' k u.length).map fun d => basis d 1) : Coordinates) i =
      if k ≤ i then ((u.getD (i - k) 0 : Nat) : Int) else 0 := by
  induction u generalizing k with
  | nil => simp [dot, StrideModule.zero]
  | cons x u ih =>
    have e : (dot (x :: u) ((List.range' k (x :: u).length).map fun d => basis d 1) : Coordinates) i =
        (x : Int) * basis k 1 i + (dot u ((List.range' (k + 1) u.length).map fun d => basis d 1) : Coordinates) i := rfl
    rw [e, ih, basis]
    by_cases h : i = k
    · subst h
      rw [if_pos rfl, if_neg (by omega), if_pos (Nat.le_refl _), Nat.sub_self]
      simp
    · rw [if_neg h, Int.mul_zero, Int.zero_add]
      by_cases q : k + 1 ≤ i
      · rw [if_pos q, if_pos (by omega), show i - k = i - (k + 1) + 1 by omega]
        simp
      · rw [if_neg q, if_neg (by omega)]

/-- **With unit strides in as many dimensions as there are modes, composition by digits answers exactly where a composite
exists.** These are CuTe's identity layouts, and the coordinates of TMA tensors.
Source: CuTe, TMA tensors; stated otherwise: exactness is not claimed there -/
theorem composition_units_iff {A : Modes Coordinates} {B : FlatLayout} (hB : FlatLayout.Valid B)
    (hA : strides A = (List.range' 0 A.length).map fun d => basis d 1) :
    (composition A B).isSome = true ↔ ∃ R, IsComposite A B R := by
  constructor
  · intro h
    obtain ⟨R, e⟩ := Option.isSome_iff_exists.1 h
    exact ⟨R, composition_sound hB e⟩
  · rintro ⟨R, h⟩
    refine composition_exact hB (fun u v hu hv e => ?_) h
    apply List.ext_getElem (hu.trans hv.symm)
    intro i h₁ h₂
    have eu := dot_units 0 u i
    have ev := dot_units 0 v i
    rw [hu, ← hA, if_pos (Nat.zero_le _)] at eu
    rw [hv, ← hA, if_pos (Nat.zero_le _)] at ev
    rw [e, ev] at eu
    simp only [Nat.sub_zero, List.getD_eq_getElem?_getD, List.getElem?_eq_getElem h₁, List.getElem?_eq_getElem h₂,
      Option.getD_some] at eu
    omega

end Stride

end Razorgirl
