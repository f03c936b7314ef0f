module

public import Razorgirl.Thm.Layout.Product

@[expose] public section

/-!
# Products do not depend on the room

The complement in a larger block begins with the complement in a smaller one, and whether T has a composite with it is
decided below the cosize of T. So every block in which T finds its copies gives the same product, for strict
composition too: the last mode of the complement, which N makes longer or lets vanish, is the one that never wraps.
-/

namespace Razorgirl

namespace FlatLayout
namespace Aux

theorem push_append (m : Mode) {L : FlatLayout} (h : L ≠ []) (X : FlatLayout) : push m (L ++ X) = push m L ++ X := by
  match L, h with
  | n :: L, _ =>
    simp only [List.cons_append, push]
    split
    · rfl
    · split <;> rfl

/-- A last mode of whatever extent only ends up as the last mode, or as part of it. -/
theorem coalesce_snoc (G : FlatLayout) (hG : Valid G) (b : Nat) : ∃ Q c e, 0 < c ∧
    ∀ k, 0 < k → coalesce (G ++ [⟨k, b⟩]) = Q ++ coalesce [⟨c * k, e⟩] := by
  induction G with
  | nil => exact ⟨[], 1, b, Nat.one_pos, fun k _ => by simp⟩
  | cons g G ih =>
    obtain ⟨Q, c, e, hc, h⟩ := ih hG.2
    match Q, h with
    | q :: Q, h =>
      refine ⟨push g (q :: Q), c, e, hc, fun k hk => ?_⟩
      rw [List.cons_append, coalesce, h k hk, push_append g (by simp)]
    | [], h =>
      have hg : 0 < g.extent := hG.1
      simp only [List.nil_append] at h
      by_cases h1 : g.extent = 1
      · refine ⟨[], c, e, hc, fun k hk => ?_⟩
        rw [List.cons_append, coalesce, h k hk, List.nil_append, coalesce, coalesce, push]
        split
        · rw [push, if_pos h1]
        · rw [push, if_pos h1]
      · by_cases he : e = g.extent * g.stride
        · refine ⟨[], g.extent * c, g.stride, Nat.mul_pos hg hc, fun k hk => ?_⟩
          have hne : g.extent * c * k ≠ 1 := fun h' => h1 (Nat.eq_one_of_mul_eq_one_right
            (by rwa [Nat.mul_assoc] at h'))
          rw [List.cons_append, coalesce, h k hk, List.nil_append, coalesce, coalesce, push, coalesce, coalesce,
            push]
          simp only [if_neg hne]
          split
          · rename_i h2
            rw [push, if_neg h1, Nat.mul_assoc, h2, Nat.mul_one]
          · rw [push, if_neg h1, if_pos he, Nat.mul_assoc]
        · refine ⟨[g], c, e, hc, fun k hk => ?_⟩
          rw [List.cons_append, coalesce, h k hk, coalesce, coalesce, push]
          split
          · rw [push, if_neg h1]; rfl
          · rw [push, if_neg h1, if_neg he]; rfl

/-- The shape of a last mode of extent `n`, which is not there if `n` is 1. -/
def lastShape (n : Nat) : List Nat := if n = 1 then [] else [n]

theorem shape_coalesce_singleton (n e : Nat) : shape (coalesce [⟨n, e⟩]) = lastShape n := by
  rw [coalesce, coalesce, push, lastShape]
  split <;> rfl

theorem prod_lastShape (n : Nat) : prod (lastShape n) = n := by
  rw [lastShape]
  split
  · rename_i h; rw [h]; rfl
  · simp [prod]

theorem atIndex_lastShape {n y : Nat} {D : List Nat} (hD : D.length = (lastShape n).length) (hy : y < n) :
    atIndex (ofShape (lastShape n) D) y = y * D.headD 0 := by
  rw [lastShape] at hD ⊢
  split at hD
  · rename_i h
    obtain rfl : y = 0 := by omega
    rw [if_pos h, Nat.zero_mul]
    exact atIndex_zero _
  · rename_i h
    match D, hD with
    | [d], _ =>
      rw [if_neg h]
      simp [ofShape, atIndex_singleton, Nat.mod_eq_of_lt hy]

theorem ofShape_append {P E D D' : List Nat} (h : D.length = P.length) :
    ofShape (P ++ E) (D ++ D') = ofShape P D ++ ofShape E D' := by
  rw [ofShape, ofShape, ofShape, List.zipWith_append h.symm]

/-- Strides for a last mode of one extent serve, as far as both reach, for a last mode of another extent. -/
theorem exists_strides {P : List Nat} {n n' : Nat} {D : List Nat} (hD : D.length = (P ++ lastShape n).length) :
    ∃ D', D'.length = (P ++ lastShape n').length ∧ ∀ x, x < prod P * n → x < prod P * n' →
      atIndex (ofShape (P ++ lastShape n) D) x = atIndex (ofShape (P ++ lastShape n') D') x := by
  rw [List.length_append] at hD
  have h1 : (D.take P.length).length = P.length := by rw [List.length_take]; omega
  have h2 : (D.drop P.length).length = (lastShape n).length := by rw [List.length_drop]; omega
  have h3 : ((lastShape n').map fun _ => (D.drop P.length).headD 0).length = (lastShape n').length :=
    List.length_map _
  refine ⟨D.take P.length ++ (lastShape n').map fun _ => (D.drop P.length).headD 0, by
    rw [List.length_append, List.length_append, h1, h3], fun x hx hx' => ?_⟩
  have hy := Nat.div_lt_of_lt_mul hx
  have hy' := Nat.div_lt_of_lt_mul hx'
  conv => lhs; rw [← List.take_append_drop P.length D]
  rw [ofShape_append h1, ofShape_append h1, atIndex_append, atIndex_append, size_ofShape h1,
    atIndex_lastShape h2 hy, atIndex_lastShape h3 hy']
  congr 1
  rw [lastShape]
  split
  · rename_i h
    have e : x / prod P = 0 := Nat.lt_one_iff.1 (h ▸ hy')
    rw [e, Nat.zero_mul, Nat.zero_mul]
  · rfl

end Aux
end FlatLayout

namespace Layout
open HTuple FlatLayout FlatLayout.Aux Layout.Aux

/-- A composite looks at the outer layout below the cosize of the inner one only. -/
theorem isComposite_congr_below {A A' B R : Layout} (hB : B.Valid) (h : cosizeFormula B.modes ≤ A.size)
    (h' : cosizeFormula B.modes ≤ A'.size)
    (he : ∀ x, x < cosizeFormula B.modes → atIndex A.modes x = atIndex A'.modes x) :
    IsComposite A B R ↔ IsComposite A' B R := by
  have hlt := (atIndex_lt_iff hB.2).2 (Nat.le_refl (cosizeFormula B.modes))
  refine and_congr_right fun _ => and_congr_right fun _ => forall_congr' fun x => forall_congr' fun hx => ?_
  have := hlt x hx
  rw [he _ this]
  exact and_congr_left fun _ => ⟨fun _ => by omega, fun _ => by omega⟩

theorem shape_coalesce_complementIn {A C : Layout} {N : Nat} {G : FlatLayout}
    (hG : gaps 1 (chain A.modes) = some G) (h : A.complementIn N = some C) :
    0 < N / block A.modes ∧ FlatLayout.coalesce C.modes =
      FlatLayout.coalesce (G ++ [⟨N / block A.modes, block A.modes⟩]) := by
  obtain ⟨C', h', rfl⟩ := Layout.complementIn_eq_some_iff.1 h
  rw [FlatLayout.complementIn] at h'
  split at h'
  · rename_i hN
    rw [hG] at h'
    obtain rfl := Option.some.inj h'
    refine ⟨Nat.div_pos (Nat.le_of_dvd hN.1 (Nat.dvd_of_mod_eq_zero hN.2)) ?_, ?_⟩
    · exact Nat.pos_of_dvd_of_pos (Nat.dvd_of_mod_eq_zero hN.2) hN.1
    · rw [coalesce_nest_modes, FlatLayout.coalesce_idempotent]
  · cases h'

theorem atIndex_complementIn {A C₁ C₂ : Layout} {N₁ N₂ : Nat} (h₁ : A.complementIn N₁ = some C₁)
    (h₂ : A.complementIn N₂ = some C₂) {x : Nat} (hx₁ : x < C₁.size) (hx₂ : x < C₂.size) :
    atIndex C₁.modes x = atIndex C₂.modes x := by
  obtain ⟨C₁', h₁', rfl⟩ := Layout.complementIn_eq_some_iff.1 h₁
  obtain ⟨C₂', h₂', rfl⟩ := Layout.complementIn_eq_some_iff.1 h₂
  rw [size_nest] at hx₁ hx₂
  rw [atIndex_nest, atIndex_nest]
  rcases Nat.le_total N₁ N₂ with h | h
  · exact FlatLayout.complementIn_restrict h₁' h₂' h hx₁
  · exact (FlatLayout.complementIn_restrict h₂' h₁' h hx₂).symm

theorem composition_isSome_of_complementIn {A T C₁ C₂ : Layout} {N₁ N₂ : Nat} (hA : A.Valid) (hT : T.Valid)
    (h₁ : A.complementIn N₁ = some C₁) (h₂ : A.complementIn N₂ = some C₂)
    (hd₁ : cosizeFormula T.modes ≤ C₁.size) (hd₂ : cosizeFormula T.modes ≤ C₂.size)
    (h : (composition C₁ T).isSome = true) : (composition C₂ T).isSome = true := by
  have hd : Divides 1 (chain A.modes) := by
    obtain ⟨C', h', _⟩ := Layout.complementIn_eq_some_iff.1 h₁
    exact (FlatLayout.complementIn_eq_some_iff.1 h').1.2.2
  obtain ⟨G, hG⟩ := exists_gaps hd
  obtain ⟨k₁, e₁⟩ := shape_coalesce_complementIn hG h₁
  obtain ⟨k₂, e₂⟩ := shape_coalesce_complementIn hG h₂
  have hv : FlatLayout.Valid G := by
    have h1 : FlatLayout.Valid (gapsTo 1 (chain A.modes) (block A.modes)) :=
      valid_gapsTo hd (valid_chain hA.2) (Nat.dvd_refl _) (blockFrom_pos Nat.one_pos hd (valid_chain hA.2))
    rw [← (gaps_eq_some hG).2, valid_append_iff] at h1
    exact h1.1
  obtain ⟨Q, c, e, hc, hs⟩ := coalesce_snoc G hv (block A.modes)
  rw [hs _ k₁] at e₁
  rw [hs _ k₂] at e₂
  have s₁ := prod_shape_coalesce C₁
  have s₂ := prod_shape_coalesce C₂
  rw [e₁, shape_append, shape_coalesce_singleton, prod_append, prod_lastShape] at s₁
  rw [e₂, shape_append, shape_coalesce_singleton, prod_append, prod_lastShape] at s₂
  rw [composition_isSome_iff hT] at h ⊢
  intro D hD
  rw [e₂, ← length_shape, shape_append, shape_coalesce_singleton] at hD
  obtain ⟨D', hD', he⟩ := exists_strides (n' := c * (N₁ / block A.modes)) hD
  obtain ⟨R, hR⟩ := h D' (by rw [e₁, ← length_shape, shape_append, shape_coalesce_singleton]; exact hD')
  rw [e₁, shape_append, shape_coalesce_singleton] at hR
  refine ⟨R, ?_⟩
  rw [e₂, shape_append, shape_coalesce_singleton]
  refine (isComposite_congr_below hT ?_ ?_ fun x hx => ?_).2 hR
  · rw [Layout.size, ofFlat, size_ofShape hD, prod_append, prod_lastShape, s₂]; exact hd₂
  · rw [Layout.size, ofFlat, size_ofShape hD', prod_append, prod_lastShape, s₁]; exact hd₁
  · exact he x (by omega) (by omega)

/-- **As long as T finds its copies, strict composition with the complement of A in one block or another is the same.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.1.6.33, 2.3.9 -/
theorem composition_complementIn {A T C₁ C₂ : Layout} {N₁ N₂ : Nat} (hA : A.Valid) (hT : T.Valid)
    (h₁ : A.complementIn N₁ = some C₁) (h₂ : A.complementIn N₂ = some C₂)
    (hd₁ : cosizeFormula T.modes ≤ C₁.size) (hd₂ : cosizeFormula T.modes ≤ C₂.size) :
    composition C₁ T = composition C₂ T := by
  have hs := fun R => isComposite_congr_below (R := R) hT hd₁ hd₂ fun x hx =>
    atIndex_complementIn h₁ h₂ (Nat.lt_of_lt_of_le hx hd₁) (Nat.lt_of_lt_of_le hx hd₂)
  cases c₁ : composition C₁ T with
  | none =>
    cases c₂ : composition C₂ T with
    | none => rfl
    | some R =>
      have := composition_isSome_of_complementIn hA hT h₂ h₁ hd₂ hd₁ (by rw [c₂]; rfl)
      rw [c₁] at this
      cases this
  | some R =>
    obtain ⟨R', hR'⟩ := Option.isSome_iff_exists.1
      (composition_isSome_of_complementIn hA hT h₁ h₂ hd₁ hd₂ (by rw [c₁]; rfl))
    rw [hR']
    exact congrArg some (isComposite_unique hT ((hs R).1 (composition_sound hT c₁)) (composition_sound hT hR'))

/-- **As long as T finds its copies, complete composition with the complement of A in one block or another is the
same.**
Rust: `razorgirl::Layout::composition_complete`
Source: Colfax 2.1.6.33, 2.3.9 -/
theorem compositionComplete_complementIn {A T C₁ C₂ : Layout} {N₁ N₂ : Nat} (hT : T.Valid)
    (h₁ : A.complementIn N₁ = some C₁) (h₂ : A.complementIn N₂ = some C₂)
    (hd₁ : cosizeFormula T.modes ≤ C₁.size) (hd₂ : cosizeFormula T.modes ≤ C₂.size) :
    compositionComplete C₁ T = compositionComplete C₂ T := by
  refine Option.ext fun R => ?_
  rw [compositionComplete_eq_some_iff hT, compositionComplete_eq_some_iff hT]
  exact isComposite_congr_below hT hd₁ hd₂ fun x hx =>
    atIndex_complementIn h₁ h₂ (Nat.lt_of_lt_of_le hx hd₁) (Nat.lt_of_lt_of_le hx hd₂)

/-- **Every multiple N of A's block in which T finds its copies gives the same product: the least one of the
definition, and any larger one.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9.1, «any valid N» -/
theorem logicalProduct_eq_of_complementIn {A T C : Layout} {N : Nat} (hA : A.Valid) (hT : T.Valid)
    (h : (filter A).complementIn N = some C) (hd : cosizeFormula T.modes ≤ C.size) :
    logicalProduct A T = (composition C T).map fun S => concat [A, S] := by
  rw [logicalProduct, productWith]
  have hne : origins A T ≠ none := by
    rw [origins_ne_none_iff hA, complement_ne_none_iff (filter_valid hA)]
    exact ⟨N, C, complementIn_valid (filter_valid hA) h, complementIn_completes (filter_valid hA) h⟩
  obtain ⟨C', hC'⟩ := Option.ne_none_iff_exists'.1 hne
  rw [hC']
  have h' := hC'
  rw [origins_eq] at h'
  show (composition C' T).map _ = _
  rw [composition_complementIn (filter_valid hA) hT h' h (cosize_le_size_origins hA hC') hd]

end Layout

end Razorgirl
