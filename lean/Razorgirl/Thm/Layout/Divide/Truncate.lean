module

public import Razorgirl.Thm.Layout.Divide.Ceil
public import Razorgirl.Thm.Layout.Divide.Chain

@[expose] public section

/-!
# Bijections of the first indices

What was shown of bijections of all indices of A holds for bijections of the first N of them, which is what division
with padding composes with: if a composite exists, A cut off at N is a layout, with the first modes of A's coalesced
shape and a part of the next; and whether that lines up does not depend on strides.
-/

namespace Razorgirl

namespace FlatLayout

/-- A coalesced layout that continues another one has its modes, the last one perhaps longer. -/
theorem exists_prefix : {G L : FlatLayout} → Valid G → Valid L → Coalesced G → Coalesced L → size G ≤ size L →
    (∀ x, x < size G → atIndex G x = atIndex L x) →
    G = [] ∨ ∃ X m Y t, L = X ++ m :: Y ∧ G = X ++ [⟨t, m.stride⟩] ∧ t ≤ m.extent
  | [], _, _, _, _, _, _, _ => .inl rfl
  | g :: G, [], vG, _, cG, _, hs, _ => by
    have h1 := two_le_extent vG cG
    have h2 := Valid.size_pos vG.2
    rw [size_cons, size_nil] at hs
    have := Nat.mul_le_mul h1 h2
    omega
  | g :: G, m :: L, vG, vL, cG, cL, hs, hf => by
    have hg := two_le_extent vG cG
    have hm := two_le_extent vL cL
    have pG := Valid.size_pos vG.2
    have pL := Valid.size_pos vL.2
    have lG : g.extent ≤ size (g :: G) := Nat.le_mul_of_pos_right _ pG
    have e1 : g.stride = m.stride := by
      have := hf 1 (by omega)
      rwa [atIndex_cons, atIndex_cons, Nat.mod_eq_of_lt (by omega), Nat.mod_eq_of_lt (by omega),
        Nat.div_eq_of_lt (by omega), Nat.div_eq_of_lt (by omega), atIndex_zero, atIndex_zero, Nat.one_mul,
        Nat.one_mul, Nat.add_zero, Nat.add_zero] at this
    rcases Nat.lt_trichotomy g.extent m.extent with hlt | heq | hgt
    · cases G with
      | nil => exact .inr ⟨[], m, L, g.extent, rfl, by rw [← e1]; rfl, by omega⟩
      | cons n G =>
        exfalso
        have hn := two_le_extent vG.2 (coalesced_tail cG)
        have ln : g.extent < size (g :: n :: G) := by
          have h1 : n.extent ≤ size (n :: G) := Nat.le_mul_of_pos_right _ (Valid.size_pos vG.2.2)
          have h2 := Nat.mul_le_mul_left g.extent (Nat.le_trans hn h1)
          rw [size_cons]
          omega
        have := hf g.extent ln
        rw [atIndex_cons, atIndex_cons m, Nat.mod_self, Nat.div_self (by omega), Nat.mod_eq_of_lt hlt,
          Nat.div_eq_of_lt hlt, atIndex_zero, atIndex_cons, Nat.mod_eq_of_lt (by omega),
          Nat.div_eq_of_lt (by omega), atIndex_zero] at this
        refine cG.2.1 ?_
        rw [e1]
        omega
    · have hsz : size G ≤ size L := by
        rw [size_cons, size_cons, heq] at hs
        exact Nat.le_of_mul_le_mul_left hs (by omega)
      have ih := exists_prefix (G := G) (L := L) vG.2 vL.2 (coalesced_tail cG) (coalesced_tail cL) hsz
        fun y hy => by
          have := hf (g.extent * y) ((Nat.mul_lt_mul_left (by omega)).2 hy)
          rw [atIndex_cons, atIndex_cons, ← heq, Nat.mul_mod_right, Nat.mul_div_cancel_left _ (by omega)] at this
          omega
      have e2 : g = m := by
        cases g; cases m
        simp_all
      subst e2
      rcases ih with rfl | ⟨X, k, Y, t, rfl, rfl, ht⟩
      · exact .inr ⟨[], g, L, g.extent, rfl, rfl, Nat.le_refl _⟩
      · exact .inr ⟨g :: X, k, Y, t, rfl, rfl, ht⟩
    · exfalso
      cases L with
      | nil =>
        rw [size_cons m, size_nil] at hs
        omega
      | cons n L =>
        have hn := two_le_extent vL.2 (coalesced_tail cL)
        have := hf m.extent (by omega)
        rw [atIndex_cons, atIndex_cons, Nat.mod_self, Nat.div_self (by omega), Nat.mod_eq_of_lt hgt,
          Nat.div_eq_of_lt hgt, atIndex_zero, atIndex_cons, Nat.mod_eq_of_lt (by omega),
          Nat.div_eq_of_lt (by omega), atIndex_zero] at this
        refine cL.2.1 ?_
        rw [← e1]
        omega

theorem atIndex_prefix {X Y : FlatLayout} {m : Mode} {t : Nat} (ht : t ≤ m.extent) {x : Nat}
    (hx : x < size (X ++ [⟨t, m.stride⟩])) :
    atIndex (X ++ m :: Y) x = atIndex (X ++ [⟨t, m.stride⟩]) x := by
  rw [size_append, size_cons, size_nil, Nat.mul_one] at hx
  have h1 : x / size X < t := Nat.div_lt_of_lt_mul hx
  rw [atIndex_append, atIndex_append, atIndex_cons, atIndex_singleton, Nat.mod_eq_of_lt h1,
    Nat.mod_eq_of_lt (Nat.lt_of_lt_of_le h1 ht), Nat.div_eq_of_lt (Nat.lt_of_lt_of_le h1 ht), atIndex_zero,
    Nat.add_zero]

theorem Grouped.congr {f g : Nat → Nat} {n k : Nat} {B : FlatLayout} (h : Grouped f n B)
    (hfg : ∀ x, x < size B → atIndex B x < k ∧ f (atIndex B x) = g (atIndex B x)) : Grouped g k B := by
  obtain ⟨gs, hg, hf⟩ := h
  exact ⟨gs, hg, fun x hx => ⟨(hfg x hx).1, by rw [(hf x hx).2, (hfg x hx).2]⟩⟩

end FlatLayout

namespace Layout
open HTuple FlatLayout Layout.Aux

theorem composition_isSome_of_grouped {A B : Layout} (hA : FlatLayout.Valid A.modes) (hB : B.Valid)
    (hc : Contiguous B.modes) (hs : B.size ≤ A.size) (h : Grouped (atIndex A.modes) A.size B.modes) :
    (composition A B).isSome = true := by
  have hlt : ∀ x, x < FlatLayout.size B.modes → atIndex B.modes x < B.size := fun x hx =>
    atIndex_lt_size_of_contiguous hc hx
  obtain ⟨gs, hg, hf⟩ := grouped_chain_iff.2 h
  have vG := FlatLayout.coalesce_valid hg.valid
  have sG : FlatLayout.size (FlatLayout.coalesce gs.flatten) = B.size := by
    rw [FlatLayout.coalesce_size, hg.size_eq, size_chain, Layout.size]
  have fG : ∀ x, x < B.size → atIndex (FlatLayout.coalesce gs.flatten) x = atIndex A.modes x := fun x hx => by
    have := (hf x (by rw [size_chain]; exact hx)).2
    rwa [atIndex_chain_of_contiguous hc hx, ← FlatLayout.coalesce_atIndex] at this
  have hup : LinesUp (FlatLayout.coalesce gs.flatten) B.modes := by
    have := linesUp_of_grouped vG hc sG.symm (h.congr (g := atIndex (FlatLayout.coalesce gs.flatten))
      (k := FlatLayout.size (FlatLayout.coalesce gs.flatten)) fun x hx => by
        rw [sG]
        exact ⟨hlt x hx, (fG _ (hlt x hx)).symm⟩)
    rwa [FlatLayout.coalesce_idempotent] at this
  rw [composition_isSome_iff hB]
  intro D hD
  have e : D.length = (FlatLayout.shape (FlatLayout.coalesce A.modes)).length := by rw [hD, length_shape]
  have sD : FlatLayout.size (ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D) = A.size := by
    rw [size_ofShape e, prod_shape_coalesce]
  rw [exists_composite_iff_grouped hB]
  show Grouped (atIndex (ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D))
    (FlatLayout.size (ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D)) B.modes
  -- a layout of size N with these extents lines up as the one that was found does
  have finish : ∀ K : FlatLayout, FlatLayout.shape K = FlatLayout.shape (FlatLayout.coalesce gs.flatten) →
      (∀ x, x < B.size → atIndex K x =
        atIndex (ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D) x) →
      Grouped (atIndex (ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D))
        (FlatLayout.size (ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D)) B.modes := by
    intro K hK hKf
    have sK : FlatLayout.size K = B.size := by rw [FlatLayout.size, hK, ← FlatLayout.size, sG]
    have vK : FlatLayout.Valid K := by
      rw [valid_iff_size_pos, sK]
      exact hB.2.size_pos
    have := grouped_of_linesUp vK hc sK.symm (by rw [LinesUp, hK]; exact hup)
    refine this.congr fun x hx => ⟨?_, hKf _ (hlt x hx)⟩
    rw [sD]
    exact Nat.lt_of_lt_of_le (hlt x hx) hs
  rcases exists_prefix vG (FlatLayout.coalesce_valid hA) (FlatLayout.coalesce_coalesced _)
      (FlatLayout.coalesce_coalesced _) (by rw [sG, FlatLayout.coalesce_size]; exact hs) (fun x hx => by
        rw [fG x (by rwa [← sG]), FlatLayout.coalesce_atIndex]) with hnil | ⟨X, m, Y, t, hL, hG, ht⟩
  · refine finish [] (by rw [hnil]) fun x hx => ?_
    rw [← sG, hnil, FlatLayout.size_nil] at hx
    obtain rfl : x = 0 := by omega
    rw [atIndex_zero, atIndex_zero]
  · have hsh := shape_ofShape e
    generalize ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D = K at hsh finish ⊢
    rw [hL, shape_append, shape_cons, FlatLayout.shape] at hsh
    obtain ⟨X', K', rfl, h1, h2⟩ := List.map_eq_append_iff.1 hsh
    obtain ⟨m', Y', rfl, h3, h4⟩ := List.map_eq_cons_iff.1 h2
    have hK : FlatLayout.shape (X' ++ [⟨t, m'.stride⟩]) = FlatLayout.shape (FlatLayout.coalesce gs.flatten) := by
      rw [hG, shape_append, shape_append]
      exact congrArg (· ++ [t]) h1
    refine finish _ hK fun x hx => (atIndex_prefix (by rw [h3]; exact ht) ?_).symm
    rwa [FlatLayout.size, hK, ← FlatLayout.size, sG]

/-- **With a bijection of the first indices of A, strict and complete composition are the same: no composite exists
only by a coincidence of strides.**
Rust: `razorgirl::Layout::composition`, `razorgirl::Layout::composition_complete`
Source: ours -/
theorem composition_eq_compositionComplete_of_contiguous_le {A B : Layout} (hA : FlatLayout.Valid A.modes)
    (hB : B.Valid) (hc : Contiguous B.modes) (hs : B.size ≤ A.size) : composition A B = compositionComplete A B := by
  cases h : compositionComplete A B with
  | none =>
    cases h' : composition A B with
    | none => rfl
    | some R => rw [compositionComplete_of_composition hB h'] at h; cases h
  | some R =>
    have hR := (compositionComplete_eq_some_iff hB).1 h
    obtain ⟨S, hS⟩ := Option.isSome_iff_exists.1
      (composition_isSome_of_grouped hA hB hc hs ((exists_composite_iff_grouped hB).1 ⟨R, hR⟩))
    rw [hS, isComposite_unique hB hR (composition_sound hB hS)]

/-- **With padding too, division with strict and with complete composition is the same.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: ours -/
theorem logicalDivideCeil_eq_complete {A T : Layout} (hA : A.Valid) (hT : T.Valid) :
    logicalDivideCeil A T = divideCeilWith compositionComplete A T := by
  rw [logicalDivideCeil, divideCeilWith, divideCeilWith]
  cases hI : ceilIndex A T with
  | none => rfl
  | some I =>
    have hv := ceilIndex_valid hT hI
    have hg := (grown_spec hA (cosizeFormula I.modes)).1
    have hp := cosizeFormula_pos I.modes
    refine composition_eq_compositionComplete_of_contiguous_le ?_ hv
      (contiguous_tiling hT (by rw [← ceilIndex_eq_tiling, hI])) ?_
    · rw [valid_iff_size_pos]
      exact Nat.lt_of_lt_of_le hp hg
    · rw [← cosizeFormula_of_ceilIndex hT hI]
      exact hg

/-- **By tilers with padding, division with strict and with complete composition is the same.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: ours -/
theorem logicalDivideCeilBy_eq_complete {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid) :
    logicalDivideCeilBy A b = transformBy (divideCeilWith compositionComplete) A b := by
  rw [logicalDivideCeilBy, transformBy, transformBy,
    transform_congr (f := logicalDivideCeil) (g := divideCeilWith compositionComplete)
      (fun _ _ hA hB => logicalDivideCeil_eq_complete hA hB) b A.tree hb
      (by rw [Layout.flatten_tree hA.1]; exact hA.2)]

end Layout

end Razorgirl
