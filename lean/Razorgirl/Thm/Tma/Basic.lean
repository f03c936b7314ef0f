module

public import Razorgirl.Spec.Tma.Basic
public import Razorgirl.Thm.Int.Nat
public import Razorgirl.Thm.Layout.Basic

@[expose] public section

/-!
# One TMA instruction: what is proved

No instruction touches memory outside the tensor, whatever its start; a start of `-B` fills with zeros; what a
store writes, and that storing back what was loaded changes nothing.
-/

namespace Razorgirl

namespace Tma

/-! ## The tile -/

theorem length_tileShape (D : Descriptor) : (tileShape D).length = D.length := by simp [tileShape]

theorem inBounds_tileShape_cons {d : Dim} {D : Descriptor} {k : List Nat} (h : InBounds (tileShape (d :: D)) k) :
    ∃ k₀ ks, k = k₀ :: ks ∧ k₀ < d.tile ∧ InBounds (tileShape D) ks := by
  match k, h with
  | k₀ :: ks, h => exact ⟨k₀, ks, rfl, h.1, h.2⟩

/-- **A load fills the whole tile: as many elements as the tile has, inside or outside the tensor.**
Source: nvFuser TMA modelling, code block 1 -/
theorem length_load (D : Descriptor) (mem : Memory) (x : List Int) : (load D mem x).length = prod (tileShape D) := by
  rw [load, List.length_map, length_coords]

/-- **The elements of the tile come innermost dimension first: element `k` is at its colexicographic index.**
Source: nvFuser TMA modelling, code block 1 -/
theorem load_at {D : Descriptor} {k : List Nat} (hk : InBounds (tileShape D) k) (mem : Memory) (x : List Int) :
    (load D mem x)[crd2idx (tileShape D) k]? = some (loadItem D mem x k) := by
  have h := crd2idx_lt hk
  simp [load, coords, h, idx2crd_crd2idx hk]

/-! ## No access outside the tensor -/

theorem within_iff {D : Descriptor} {g : List Int} :
    within D g = true ↔ ∃ c, InBounds (sizes D) c ∧ g = c.map Int.ofNat := by
  induction D generalizing g with
  | nil =>
    cases g with
    | nil => simp [within, sizes, inBounds_nil_iff]
    | cons g gs => simp [within, sizes, inBounds_nil_iff]
  | cons d D ih =>
    cases g with
    | nil =>
      simp only [within, Bool.false_eq_true, false_iff]
      rintro ⟨c, hc, h⟩
      have := hc.length_eq
      cases c <;> simp_all [sizes]
    | cons g gs =>
      simp only [within, Bool.and_eq_true, decide_eq_true_eq, ih]
      constructor
      · rintro ⟨⟨h0, h1⟩, c, hc, rfl⟩
        refine ⟨g.toNat :: c, ⟨by omega, hc⟩, ?_⟩
        simp only [List.map_cons, Int.ofNat_eq_natCast, List.cons.injEq, and_true]
        omega
      · rintro ⟨c, hc, h⟩
        match c, hc with
        | c₀ :: cs, hc =>
          simp only [List.map_cons, List.cons.injEq] at h
          have := hc.1
          simp only [Int.ofNat_eq_natCast] at h
          exact ⟨⟨by omega, by omega⟩, cs, hc.2, by simpa using h.2⟩

theorem address_natural (D : Descriptor) (c : List Nat) :
    address D (c.map Int.ofNat) = FlatLayout.eval (tensor D) c := by
  simp [address, Function.comp_def]

theorem shape_tensor (D : Descriptor) : FlatLayout.shape (tensor D) = sizes D := by
  simp [tensor, FlatLayout.shape, sizes, Function.comp_def]

/-- **A load reads the tensor and nothing else: wherever it starts, memory outside the tensor does not matter.**
Source: nvFuser TMA Theorem 1 (repaired: `store_counterexample`, this is what holds of every schedule) -/
theorem load_congr {D : Descriptor} {mem mem' : Memory}
    (h : ∀ c, InBounds (sizes D) c → mem (FlatLayout.eval (tensor D) c) = mem' (FlatLayout.eval (tensor D) c))
    (x : List Int) : load D mem x = load D mem' x := by
  refine List.map_congr_left fun k _ => ?_
  rw [loadItem, loadItem]
  split
  · rename_i hw
    obtain ⟨c, hc, hg⟩ := within_iff.1 hw
    rw [hg, address_natural, h c hc]
  · rfl

theorem storeItems_other {D : Descriptor} {x : List Int} {p : Nat}
    (h : ∀ c, InBounds (sizes D) c → FlatLayout.eval (tensor D) c ≠ p) :
    (ks : List (List Nat)) → (tile : List Int) → (mem : Memory) → storeItems D x ks tile mem p = mem p
  | [], _, _ => by simp [storeItems]
  | _ :: _, [], _ => by simp [storeItems]
  | k :: ks, v :: vs, mem => by
    rw [storeItems, storeItems_other h ks vs]
    split
    · rename_i hw
      obtain ⟨c, hc, hg⟩ := within_iff.1 hw
      rw [hg, address_natural, write, if_neg (fun e => h c hc e.symm)]
    · rfl

/-- **A store writes into the tensor and nowhere else: wherever it starts, memory outside the tensor stays.**
Source: nvFuser TMA Theorem 1 (repaired: `store_counterexample`, this is what holds of every schedule) -/
theorem store_other {D : Descriptor} {p : Nat} (h : ∀ c, InBounds (sizes D) c → FlatLayout.eval (tensor D) c ≠ p)
    (mem : Memory) (x tile : List Int) : store D mem x tile p = mem p :=
  storeItems_other h _ _ _

/-! ## Filling with zeros -/

theorem within_position_fill {d : Dim} {D : Descriptor} (hd : d.Valid) {k : List Nat} {x₀ : Int} {xs : List Int}
    (hx : x₀ ≤ -(d.box : Int)) (hk : InBounds (tileShape (d :: D)) k) :
    within (d :: D) (position (d :: D) (x₀ :: xs) k) = false := by
  obtain ⟨k₀, ks, rfl, hk₀, -⟩ := inBounds_tileShape_cons hk
  have := (Division.lt_ceilDiv_iff hd.2.2 k₀ d.box).1 hk₀
  have : (k₀ : Int) * d.elementStride < d.box := by exact_mod_cast this
  simp only [position, within, Bool.and_eq_false_iff, decide_eq_false_iff_not]
  omega

theorem loadItem_fill {D : Descriptor} (hD : Valid D) (hne : D ≠ []) {k : List Nat} (hk : InBounds (tileShape D) k)
    (mem : Memory) : loadItem D mem (fillStart D) k = 0 := by
  match D, hD, hne with
  | d :: D, hD, _ =>
    rw [loadItem, fillStart, List.map_cons, within_position_fill hD.1 (Int.le_refl _) hk]
    rfl

/-- **A load that starts at minus the box size in every dimension fills its tile with zeros.**
Source: nvFuser TMA modelling, the fill by `x = -bs` (the test has a lower bound, which the source's code lacks) -/
theorem load_fillStart {D : Descriptor} (hD : Valid D) (hne : D ≠ []) (mem : Memory) :
    load D mem (fillStart D) = List.replicate (prod (tileShape D)) 0 := by
  rw [List.eq_replicate_iff]
  refine ⟨length_load .., fun v hv => ?_⟩
  obtain ⟨k, hk, rfl⟩ := List.mem_map.1 hv
  exact loadItem_fill hD hne ((mem_coords _ _).1 hk) mem

/-! ## What a store writes -/

theorem storeItems_right {D : Descriptor} {x : List Int} {f : List Nat → Int} {want : Memory} :
    (ks : List (List Nat)) → (mem : Memory) →
    (∀ k ∈ ks, within D (position D x k) = true → f k = want (address D (position D x k))) → (p : Nat) →
    storeItems D x ks (ks.map f) mem p =
      if ∃ k ∈ ks, within D (position D x k) = true ∧ address D (position D x k) = p then want p else mem p
  | [], mem, _, p => by simp [storeItems]
  | k :: ks, mem, h, p => by
    rw [List.map_cons, storeItems, storeItems_right ks _ (fun k' hk' => h k' (List.mem_cons_of_mem _ hk'))]
    have hk := h k List.mem_cons_self
    simp only [List.mem_cons, exists_eq_or_imp]
    by_cases h' : ∃ k ∈ ks, within D (position D x k) = true ∧ address D (position D x k) = p
    · rw [if_pos h', if_pos (Or.inr h')]
    · rw [if_neg h']
      by_cases hw : within D (position D x k) = true
      · rw [if_pos hw]
        by_cases ha : address D (position D x k) = p
        · rw [if_pos (Or.inl ⟨hw, ha⟩), write, if_pos ha.symm, hk hw, ha]
        · rw [if_neg, write, if_neg (fun e => ha e.symm)]
          rintro (⟨-, e⟩ | e)
          · exact ha e
          · exact h' e
      · rw [if_neg hw, if_neg]
        rintro (⟨e, -⟩ | e)
        · exact hw e
        · exact h' e

/-- **A store is right if every element of the tile that falls inside the tensor, hole or not, holds what is wanted
there: then the elements that are reached hold it, and no other element changes.**
Source: nvFuser TMA Theorem 1 (repaired: `store_counterexample`, of stores it needs this hypothesis) -/
theorem store_right {D : Descriptor} {x : List Int} {f : List Nat → Int} {want : Memory}
    (h : ∀ k, InBounds (tileShape D) k → within D (position D x k) = true → f k = want (address D (position D x k)))
    (mem : Memory) :
    (∀ k, InBounds (tileShape D) k → within D (position D x k) = true →
      store D mem x ((coords (tileShape D)).map f) (address D (position D x k)) =
        want (address D (position D x k))) ∧
    ∀ p, (∀ k, InBounds (tileShape D) k → within D (position D x k) = true → address D (position D x k) ≠ p) →
      store D mem x ((coords (tileShape D)).map f) p = mem p := by
  have key := storeItems_right (want := want) (coords (tileShape D)) mem fun k hk => h k ((mem_coords _ _).1 hk)
  constructor
  · intro k hk hw
    rw [store, key, if_pos ⟨k, (mem_coords _ _).2 hk, hw, rfl⟩]
  · intro p hp
    rw [store, key, if_neg]
    rintro ⟨k, hk, hw, ha⟩
    exact hp k ((mem_coords _ _).1 hk) hw ha

/-- **Storing what was just loaded from the same place changes nothing, even where the tensor overlaps itself.**
Source: nvFuser TMA modelling, code block 1 -/
theorem store_load (D : Descriptor) (mem : Memory) (x : List Int) : store D mem x (load D mem x) = mem := by
  funext p
  rw [load, store, storeItems_right (want := mem)]
  · split <;> rfl
  · intro k _ hw
    rw [loadItem, if_pos hw]

/-- **Of stores Theorem 1 is false: figure 2's schedule, its tiles in reverse order, leaves holes where elements 4 to 11
belong.**
Source: nvFuser TMA Theorem 1 (refuted) -/
theorem store_counterexample :
    figure2Stored figure2Tiles.reverse = [0, 1, 2, 3, 99, 99, 99, 99, 99, 99, 99, 99] := by decide +kernel

end Tma

end Razorgirl
