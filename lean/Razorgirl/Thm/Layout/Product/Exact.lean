module

public import Razorgirl.Thm.Layout.Divide.Chain
public import Razorgirl.Thm.Layout.Product.Shape

@[expose] public section

/-!
# Strict and complete products are the same

A complement leaps at every carry: each of its strides is more than extent times stride of the mode before, since a
mode of A lies between. So `C(a) + C(b) ≤ C(a + b)`, with equality only where no digit carries; and where no digit
carries, every choice of strides is additive. Hence nothing composes with a complement by accident.
-/

namespace Razorgirl

namespace FlatLayout
namespace Aux

theorem atIndex_one_of_two_le {m : Mode} (h : 2 ≤ m.extent) (L : FlatLayout) : atIndex (m :: L) 1 = m.stride := by
  rw [atIndex_cons, Nat.mod_eq_of_lt (by omega), Nat.div_eq_of_lt (by omega), atIndex_zero, Nat.one_mul, Nat.add_zero]

/-- Adding two indices adds the offsets, or more; and the same exactly where no digit carries. -/
theorem atIndex_add_le {c : Nat} {L : FlatLayout} (hv : Valid L) (hd : Divides c L) (hc : Coalesced L) :
    ∀ a b, a + b < size L → atIndex L a + atIndex L b ≤ atIndex L (a + b) ∧
      (atIndex L a + atIndex L b = atIndex L (a + b) → ∀ D, D.length = L.length →
        atIndex (ofShape (shape L) D) a + atIndex (ofShape (shape L) D) b = atIndex (ofShape (shape L) D) (a + b)) := by
  induction L generalizing c with
  | nil =>
    intro a b _
    refine ⟨by simp [atIndex_nil], fun _ D _ => ?_⟩
    simp [ofShape, shape_nil, atIndex_nil]
  | cons m L ih =>
    intro a b hab
    have h2 := two_le_of_coalesced hv hc
    have hm : 2 ≤ m.extent := h2 m (by simp)
    have ih := ih hv.2 hd.2.2 (coalesced_tail hc)
    rw [size_cons] at hab
    have hpos : 0 < m.extent := by omega
    have ha := Nat.mod_lt a hpos
    have hb := Nat.mod_lt b hpos
    have ea := Nat.mod_add_div a m.extent
    have eb := Nat.mod_add_div b m.extent
    by_cases hcarry : a % m.extent + b % m.extent < m.extent
    · have e1 : (a + b) % m.extent = a % m.extent + b % m.extent := by
        rw [Nat.add_mod, Nat.mod_eq_of_lt hcarry]
      have e2 : (a + b) / m.extent = a / m.extent + b / m.extent := by
        have h := Nat.mod_add_div (a + b) m.extent
        rw [e1] at h
        refine Nat.eq_of_mul_eq_mul_left hpos ?_
        rw [Nat.mul_add]
        omega
      have hlt : a / m.extent + b / m.extent < size L := e2 ▸ Nat.div_lt_of_lt_mul hab
      obtain ⟨i1, i2⟩ := ih _ _ hlt
      refine ⟨?_, fun heq D hD => ?_⟩
      · rw [atIndex_cons, atIndex_cons m L b, atIndex_cons m L (a + b), e1, e2, Nat.add_mul]
        omega
      · rw [atIndex_cons, atIndex_cons m L b, atIndex_cons m L (a + b), e1, e2, Nat.add_mul] at heq
        match D, hD with
        | d :: D, hD =>
          have := i2 (by omega) D (by simpa using hD)
          simp only [ofShape] at this
          simp only [shape_cons, ofShape, List.zipWith_cons_cons, atIndex_cons, e1, e2, Nat.add_mul]
          omega
    · have e1 : a % m.extent + b % m.extent = (a + b) % m.extent + m.extent := by
        have h := Nat.add_mod a b m.extent
        rw [Nat.mod_eq_sub_mod (by omega : m.extent ≤ a % m.extent + b % m.extent),
          Nat.mod_eq_of_lt (show a % m.extent + b % m.extent - m.extent < m.extent by omega)] at h
        omega
      have e2 : (a + b) / m.extent = a / m.extent + b / m.extent + 1 := by
        have h := Nat.mod_add_div (a + b) m.extent
        refine Nat.eq_of_mul_eq_mul_left hpos ?_
        rw [Nat.mul_add, Nat.mul_add, Nat.mul_one]
        omega
      have hlt : a / m.extent + b / m.extent + 1 < size L := e2 ▸ Nat.div_lt_of_lt_mul hab
      match L, hc, hd, h2, ih, hlt with
      | [], _, _, _, _, hlt =>
        rw [size_nil] at hlt
        exact absurd hlt (Nat.not_lt.2 (Nat.le_add_left 1 _))
      | n :: L, hc, hd, h2, ih, hlt =>
        have hn : 2 ≤ n.extent := h2 n (by simp)
        obtain ⟨i1, _⟩ := ih _ _ (show a / m.extent + b / m.extent < size (n :: L) by omega)
        obtain ⟨i3, _⟩ := ih _ 1 hlt
        rw [atIndex_one_of_two_le hn] at i3
        obtain ⟨g, hg⟩ := hd.2.2.2.1
        have hstrict : m.extent * m.stride < n.stride := by
          have h3 : n.stride ≠ m.extent * m.stride := hc.2.1
          have h4 : 0 < n.stride := hd.2.2.1
          refine Nat.lt_of_le_of_ne (Nat.le_of_dvd h4 ⟨g, hg⟩) fun h5 => h3 h5.symm
        have hkey : atIndex (m :: n :: L) a + atIndex (m :: n :: L) b < atIndex (m :: n :: L) (a + b) := by
          rw [atIndex_cons, atIndex_cons m _ b, atIndex_cons m _ (a + b), e2]
          have h6 : (a % m.extent + b % m.extent) * m.stride =
              ((a + b) % m.extent + m.extent) * m.stride := by rw [e1]
          rw [Nat.add_mul, Nat.add_mul] at h6
          omega
        exact ⟨Nat.le_of_lt hkey, fun heq => absurd heq (Nat.ne_of_lt hkey)⟩

/-- The same for a sum of equal indices. -/
theorem mul_atIndex_le {L : FlatLayout} (hv : Valid L) (hd : Divides 1 L) (hc : Coalesced L) (k u : Nat)
    (h : k * u < size L) : k * atIndex L u ≤ atIndex L (k * u) ∧
      (k * atIndex L u = atIndex L (k * u) → ∀ D, D.length = L.length →
        k * atIndex (ofShape (shape L) D) u = atIndex (ofShape (shape L) D) (k * u)) := by
  induction k with
  | zero =>
    refine ⟨by simp, fun _ D _ => ?_⟩
    rw [Nat.zero_mul, Nat.zero_mul, atIndex_zero]
  | succ k ih =>
    rw [Nat.succ_mul] at h
    obtain ⟨i1, i2⟩ := ih (by omega)
    obtain ⟨j1, j2⟩ := atIndex_add_le hv hd hc _ _ h
    rw [Nat.succ_mul, Nat.succ_mul]
    refine ⟨by omega, fun heq D hD => ?_⟩
    have e1 := i2 (by omega) D hD
    have e2 := j2 (by omega) D hD
    rw [Nat.succ_mul, e1, e2]

/-- The modes with `F` applied to the strides. -/
def mapStrides (F : Nat → Nat) (U : FlatLayout) : FlatLayout := U.map fun m => ⟨m.extent, F m.stride⟩

theorem shape_mapStrides (F : Nat → Nat) (U : FlatLayout) : shape (mapStrides F U) = shape U := by
  rw [shape, mapStrides, List.map_map]
  rfl

theorem size_mapStrides (F : Nat → Nat) (U : FlatLayout) : size (mapStrides F U) = size U := by
  rw [size, shape_mapStrides, size]

/-- The same for the offset of any coordinate. -/
theorem eval_mapStrides_le {L : FlatLayout} (hv : Valid L) (hd : Divides 1 L) (hc : Coalesced L) :
    (U : FlatLayout) → (x : List Nat) → eval U x < size L →
      eval (mapStrides (atIndex L) U) x ≤ atIndex L (eval U x) ∧
      (eval (mapStrides (atIndex L) U) x = atIndex L (eval U x) → ∀ D, D.length = L.length →
        eval (mapStrides (atIndex (ofShape (shape L) D)) U) x = atIndex (ofShape (shape L) D) (eval U x))
  | [], x, _ => by simp [mapStrides, eval_nil, atIndex_zero]
  | m :: U, [], _ => by simp [mapStrides, eval_nil_right, atIndex_zero]
  | m :: U, k :: x, h => by
    rw [eval_cons] at h
    obtain ⟨i1, i2⟩ := eval_mapStrides_le hv hd hc U x (by omega)
    obtain ⟨j1, j2⟩ := mul_atIndex_le hv hd hc k m.stride (by omega)
    obtain ⟨l1, l2⟩ := atIndex_add_le hv hd hc _ _ h
    have e : ∀ F : Nat → Nat, eval (mapStrides F (m :: U)) (k :: x) = k * F m.stride + eval (mapStrides F U) x :=
      fun F => by
        rw [mapStrides, List.map_cons, eval_cons]
        rfl
    rw [e, eval_cons]
    refine ⟨by omega, fun heq D hD => ?_⟩
    rw [e, j2 (by omega) D hD, i2 (by omega) D hD, l2 (by omega) D hD]

/-- The strides of a layout are its offsets at the products of the extents. -/
theorem eq_mapStrides {F : Nat → Nat} : {g : FlatLayout} → {d : Nat} → (∀ m ∈ g, 2 ≤ m.extent) →
    (∀ k, k < size g → atIndex g k = F (k * d)) → g = mapStrides F (columnMajor d (shape g))
  | [], _, _, _ => rfl
  | m :: g, d, h2, h => by
    have hm := h2 m (by simp)
    have hg : Valid g := (valid_iff_forall g).2 fun n hn => by have := h2 n (by simp [hn]); omega
    rw [size_cons] at h
    have h1 := h 1 (by have := Nat.le_mul_of_pos_right m.extent hg.size_pos; omega)
    rw [atIndex_one_of_two_le hm, Nat.one_mul] at h1
    have ih := eq_mapStrides (F := F) (g := g) (d := m.extent * d) (fun n hn => h2 n (by simp [hn])) fun k hk => by
      have := h (m.extent * k) ((Nat.mul_lt_mul_left (by omega)).2 hk)
      rw [atIndex_cons, Nat.mul_mod_right, Nat.mul_div_cancel_left _ (by omega), Nat.zero_mul, Nat.zero_add] at this
      rw [this]
      congr 1
      rw [Nat.mul_left_comm, Nat.mul_comm m.extent, Nat.mul_assoc]
      exact Nat.mul_left_comm _ _ _
    rw [shape_cons, columnMajor, mapStrides, List.map_cons]
    rw [mapStrides] at ih
    rw [← ih, ← h1]

/-- The groups of a composite are the modes of B cut into pieces, with the outer layout applied to the strides. -/
theorem exists_pieces {F : Nat → Nat} (hF : F 0 = 0) : {B : FlatLayout} → {gs : List FlatLayout} →
    Layout.SizesMatch B gs → (∀ g ∈ gs, ∀ m ∈ g, 2 ≤ m.extent) →
    (∀ x, x < size B → atIndex gs.flatten x = F (atIndex B x)) →
    ∃ Us : List FlatLayout, gs = Us.map (mapStrides F) ∧ Layout.SizesMatch B Us ∧
      ∀ x, atIndex Us.flatten x = atIndex B x
  | [], [], _, _, _ => ⟨[], rfl, trivial, fun _ => rfl⟩
  | [], _ :: _, h, _, _ => h.elim
  | _ :: _, [], h, _, _ => h.elim
  | m :: B, g :: gs, h, h2, hf => by
    have hB : 0 < size B := h.2.size_eq ▸ h.2.valid.size_pos
    have hm : 0 < m.extent := h.1.2 ▸ h.1.1.size_pos
    rw [size_cons] at hf
    simp only [List.flatten_cons, atIndex_append, h.1.2, atIndex_cons] at hf
    have e1 : g = mapStrides F (columnMajor m.stride (shape g)) := by
      refine eq_mapStrides (h2 g (by simp)) fun k hk => ?_
      rw [h.1.2] at hk
      have := hf k (Nat.lt_of_lt_of_le hk (Nat.le_mul_of_pos_right _ hB))
      rwa [Nat.mod_eq_of_lt hk, Nat.div_eq_of_lt hk, atIndex_zero, atIndex_zero] at this
    obtain ⟨Us, e2, h3, h4⟩ := exists_pieces hF h.2 (fun g hg => h2 g (by simp [hg])) fun y hy => by
      have := hf (m.extent * y) ((Nat.mul_lt_mul_left hm).2 hy)
      rwa [Nat.mul_mod_right, Nat.mul_div_cancel_left _ hm, atIndex_zero, Nat.zero_mul, Nat.zero_add,
        Nat.zero_add] at this
    have hs : size (columnMajor m.stride (shape g)) = m.extent := by
      rw [size, shape_columnMajor]
      exact h.1.2
    refine ⟨columnMajor m.stride (shape g) :: Us, by rw [List.map_cons, ← e1, ← e2], ⟨⟨?_, hs⟩, h3⟩, fun x => ?_⟩
    · rw [valid_iff_size_pos, hs]
      exact hm
    · rw [List.flatten_cons, atIndex_append, hs, h4, atIndex_cons]
      congr 1
      have hlt : x % m.extent < prod (shape g) := by
        have := Nat.mod_lt x hm
        have h5 : prod (shape g) = m.extent := h.1.2
        omega
      rw [atIndex, shape_columnMajor, eval_columnMajor, crd2idx_idx2crd hlt, Nat.mul_comm]

theorem flatten_map_mapStrides (F : Nat → Nat) (Us : List FlatLayout) :
    (Us.map (mapStrides F)).flatten = mapStrides F Us.flatten := by
  induction Us with
  | nil => rfl
  | cons U Us ih =>
    rw [List.map_cons, List.flatten_cons, ih, List.flatten_cons, mapStrides, mapStrides, mapStrides, List.map_append]

theorem sizesMatch_mapStrides (F : Nat → Nat) : {B : FlatLayout} → {Us : List FlatLayout} →
    Layout.SizesMatch B Us → Layout.SizesMatch B (Us.map (mapStrides F))
  | [], [], _ => trivial
  | [], _ :: _, h => h.elim
  | _ :: _, [], h => h.elim
  | _ :: _, U :: _, h => by
    refine ⟨⟨?_, by rw [size_mapStrides, h.1.2]⟩, sizesMatch_mapStrides F h.2⟩
    rw [valid_iff_size_pos, size_mapStrides]
    exact h.1.1.size_pos

end Aux
end FlatLayout

namespace Layout
open HTuple FlatLayout FlatLayout.Aux Layout.Aux

/-- **Where strides leap at every carry, as those of a complement do, a composite that exists at all exists for all
strides.**
Rust: `razorgirl::Layout::composition`, `razorgirl::Layout::composition_complete`
Source: ours -/
theorem composition_eq_compositionComplete_of_divides {C T : Layout} (hC : C.Valid) (hT : T.Valid)
    (hd : Divides 1 (FlatLayout.coalesce C.modes)) : composition C T = compositionComplete C T := by
  cases h : compositionComplete C T with
  | none =>
    cases h' : composition C T with
    | none => rfl
    | some R => rw [compositionComplete_of_composition hT h'] at h; cases h
  | some R =>
    have hR := (compositionComplete_eq_some_iff hT).1 h
    have hv := FlatLayout.coalesce_valid hC.2
    have hc := FlatLayout.coalesce_coalesced C.modes
    have hs : FlatLayout.size (FlatLayout.coalesce C.modes) = C.size := FlatLayout.coalesce_size _
    have hsome : (composition C T).isSome = true := by
      rw [composition_isSome_iff hT]
      intro D hD
      obtain ⟨gs, hg, _, hf⟩ := (isComposite_iff_groups hT).1 hR
      obtain ⟨Us, e1, h1, h2⟩ := exists_pieces (F := atIndex (FlatLayout.coalesce C.modes)) (atIndex_zero _)
        hg.coalesce (fun g hg' m hm => by
          obtain ⟨g', hg'', rfl⟩ := List.mem_map.1 hg'
          have hv' : FlatLayout.Valid g' := by
            have := hg.valid
            rw [valid_iff_forall] at this ⊢
            exact fun m hm => this m (List.mem_flatten.2 ⟨g', hg'', hm⟩)
          exact two_le_of_coalesced (FlatLayout.coalesce_valid hv') (FlatLayout.coalesce_coalesced g') m hm)
        (fun x hx => by rw [atIndex_coalesceGroups, (hf x hx).2, FlatLayout.coalesce_atIndex])
      refine ⟨_, (isComposite_iff_groups hT).2 ⟨_, sizesMatch_mapStrides
        (atIndex (ofShape (FlatLayout.shape (FlatLayout.coalesce C.modes)) D)) h1, rfl, fun x hx => ?_⟩⟩
      have hlt := (hf x hx).1
      have hD' : D.length = (FlatLayout.shape (FlatLayout.coalesce C.modes)).length := by rw [hD, length_shape]
      refine ⟨by rw [Layout.size, ofFlat, size_ofShape hD', prod_shape_coalesce]; exact hlt, ?_⟩
      have hU : eval Us.flatten (idx2crd (FlatLayout.shape Us.flatten) x) = atIndex T.modes x := h2 x
      have hgs : eval (mapStrides (atIndex (FlatLayout.coalesce C.modes)) Us.flatten)
          (idx2crd (FlatLayout.shape Us.flatten) x) =
          atIndex (FlatLayout.coalesce C.modes) (eval Us.flatten (idx2crd (FlatLayout.shape Us.flatten) x)) := by
        have h3 := (hf x hx).2
        rw [← atIndex_coalesceGroups, e1, flatten_map_mapStrides, atIndex, shape_mapStrides] at h3
        rw [h3, hU, FlatLayout.coalesce_atIndex]
      have := (eval_mapStrides_le hv hd hc Us.flatten _ (by rw [hU, hs]; exact hlt)).2 hgs D hD
      rw [flatten_map_mapStrides, atIndex, shape_mapStrides, ofFlat, ← hU]
      exact this
    obtain ⟨S, hS⟩ := Option.isSome_iff_exists.1 hsome
    rw [hS, isComposite_unique hT hR (composition_sound hT hS)]

/-- **The product with strict and with complete composition is the same: whatever product exists at all is found by
shapes alone.**
Rust: `razorgirl::Layout::logical_product`
Source: ours -/
theorem logicalProduct_eq_complete {A T : Layout} (hA : A.Valid) (hT : T.Valid) :
    logicalProduct A T = productWith compositionComplete A T := by
  rw [logicalProduct, productWith, productWith]
  cases hC : origins A T with
  | none => rfl
  | some C =>
    have hv := origins_valid hA hC
    rw [origins_eq] at hC
    obtain ⟨C', hC', rfl⟩ := Layout.complementIn_eq_some_iff.1 hC
    simp only
    rw [composition_eq_compositionComplete_of_divides hv hT]
    rw [coalesce_nest_modes]
    exact divides_coalesce (divides_of_complementIn (filter_valid hA).2 hC')

/-- **`logicalProduct` returns R exactly when R is the product of A and T.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9; ours -/
theorem logicalProduct_eq_some_iff_isProduct {A T R : Layout} (hA : A.Valid) (hT : T.Valid) :
    logicalProduct A T = some R ↔ IsProduct A T R := by
  rw [logicalProduct_eq_complete hA hT, productWith_complete_eq_some_iff hT]

/-- **By tilers, in every form, and mode against mode, the product with strict and with complete composition is the
same.**
Rust: `razorgirl::Layout::logical_product`, `razorgirl::Layout::zipped_product`,
`razorgirl::Layout::tiled_product`, `razorgirl::Layout::flat_product`, `razorgirl::Layout::blocked_product`,
`razorgirl::Layout::raked_product`
Source: ours -/
theorem product_forms_eq_complete {A T : Layout} {b : Tiler} (hA : A.Valid) (hT : T.Valid) (hb : b.Valid) :
    logicalProductBy A b = transformBy (productWith compositionComplete) A b ∧
      (∀ form, arrange form allTile logicalProduct A b = arrange form allTile (productWith compositionComplete) A b) ∧
      ∀ pairs, interleave logicalProduct pairs A T = interleave (productWith compositionComplete) pairs A T := by
  have e := transform_congr (f := logicalProduct) (g := productWith compositionComplete)
    (fun _ _ hA hB => logicalProduct_eq_complete hA hB) b A.tree hb
    (by rw [Layout.flatten_tree hA.1]; exact hA.2)
  exact ⟨by rw [logicalProductBy, transformBy, transformBy, e], fun form => by rw [arrange, arrange, e], fun pairs => by
    rw [interleave, interleave, logicalProduct_eq_complete (padModes_valid hA _) (padModes_valid hT _)]⟩

end Layout

end Razorgirl
