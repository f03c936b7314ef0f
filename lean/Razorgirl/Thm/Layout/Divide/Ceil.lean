module

public import Razorgirl.Spec.Layout.Divide.Ceil
public import Razorgirl.Thm.Layout.Composition.Extended
public import Razorgirl.Thm.Layout.Divide.Tiler

@[expose] public section

/-!
# Division with padding: what is proved

Where the tile does not divide A, the number of indices is rounded up to a multiple of the tile's block. The index
layout tells the coordinates that stand for an index of A from those that are padding; the former show A exactly
once, the latter are as few as the tile allows. Where the tile divides A, nothing is padded and the result is that of
the exact division.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout Layout.Aux

/-! ## The indices, rounded up -/

/-- The least multiple of T's block that is at least the size of A and reaches over the tile. -/
def ceilSize (A T : Layout) : Nat :=
  block T.modes * Division.ceilDiv (max A.size (cosizeFormula T.modes)) (block T.modes)

theorem ceilIndex_eq_tiling (A T : Layout) : ceilIndex A T = tiling T (ceilSize A T) := rfl

/-- **A tile can be used with padding exactly when it has a complement at all, whatever the size of A.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: Colfax 2.1.6; CuTe `logical_divide` -/
theorem ceilIndex_ne_none_iff {T : Layout} (hT : T.Valid) (A : Layout) :
    ceilIndex A T ≠ none ↔ T.complement ≠ none := by
  rw [ceilIndex, Ne, Option.map_eq_none_iff, ← Ne, complementCeil_ne_none_iff hT]
  have := cosizeFormula_pos T.modes
  exact and_iff_right (by omega)

theorem block_pos_of_ceilIndex {A T I : Layout} (hT : T.Valid) (h : ceilIndex A T = some I) :
    0 < block T.modes ∧ cosizeFormula T.modes ≤ block T.modes := by
  have h1 := (ceilIndex_ne_none_iff hT A).1 (by rw [h]; simp)
  obtain ⟨C, hC⟩ := Option.isSome_iff_exists.1 (Option.isSome_iff_ne_none.2 h1)
  rw [complement_eq_complementIn hT] at hC
  have hc := complementIn_completes hT hC
  refine ⟨hc.pos, ?_⟩
  have h2 := cosize_append hT.2 (complementIn_valid hT hC).2
  rw [hc.2] at h2
  rw [← cosize_eq_formula hT.2]
  have := cosize_pos C.modes
  omega

/-- **The padded division has the least number of coordinates that is a multiple of the tile's block and not below
the size of A.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide`, `ceil_div` -/
theorem ceilIndex_size {A T I : Layout} (hT : T.Valid) (h : ceilIndex A T = some I) :
    A.size ≤ I.size ∧ block T.modes ∣ I.size ∧ (A.Valid → I.size < A.size + block T.modes) ∧
      ∀ M, 0 < M → block T.modes ∣ M → A.size ≤ M → I.size ≤ M := by
  obtain ⟨hb, hc⟩ := block_pos_of_ceilIndex hT h
  obtain ⟨h1, _, h3⟩ := ceil_block hb (max A.size (cosizeFormula T.modes))
  have hs : I.size = ceilSize A T := tiling_size hT (by rw [← ceilIndex_eq_tiling, h])
  have least : ∀ M, 0 < M → block T.modes ∣ M → A.size ≤ M → I.size ≤ M := fun M hM hd hA => by
    have := Nat.le_of_dvd hM hd
    rw [hs]
    exact h3 M hd (by omega)
  refine ⟨by rw [hs]; exact Nat.le_trans (Nat.le_max_left _ _) h1, by rw [hs]; exact Nat.dvd_mul_right _ _,
    fun hA => ?_, least⟩
  obtain ⟨h4, h5, _⟩ := ceil_block hb A.size
  have hpos : 0 < A.size := hA.2.size_pos
  have := least _ (by omega) (Nat.dvd_mul_right _ _) h4
  omega

theorem ceilIndex_valid {A T I : Layout} (hT : T.Valid) (h : ceilIndex A T = some I) : I.Valid :=
  tiling_valid hT (by rw [← ceilIndex_eq_tiling, h])

/-- **Every index of A, and every index of the padding, belongs to exactly one coordinate.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: Colfax 2.1.6, 2.3.8; CuTe `logical_divide` -/
theorem ceilIndex_exists_unique {A T I : Layout} (hT : T.Valid) (h : ceilIndex A T = some I) :
    (∀ x, x < I.size → atIndex I.modes x < I.size) ∧
      ∀ o, o < I.size → ∃ x, (x < I.size ∧ atIndex I.modes x = o) ∧
        ∀ y, y < I.size → atIndex I.modes y = o → y = x := by
  have ht : tiling T (ceilSize A T) = some I := by rw [← ceilIndex_eq_tiling, h]
  have := tiling_exists_unique hT ht
  have e := tiling_size hT ht
  rw [← e] at this
  exact this

theorem ceilIndex_offsets_perm {A T I : Layout} (hT : T.Valid) (h : ceilIndex A T = some I) :
    (offsets I.modes).Perm (List.range I.size) := by
  have ht : tiling T (ceilSize A T) = some I := by rw [← ceilIndex_eq_tiling, h]
  rw [tiling_size hT ht]
  exact tiling_offsets_perm hT ht

theorem cosizeFormula_of_ceilIndex {A T I : Layout} (hT : T.Valid) (h : ceilIndex A T = some I) :
    cosizeFormula I.modes = I.size := by
  have ht : tiling T (ceilSize A T) = some I := by rw [← ceilIndex_eq_tiling, h]
  obtain ⟨C, hC, rfl⟩ := tiling_eq_some_iff.1 ht
  have := complementIn_concat_size hT hC
  rw [this.1, ← cosize_eq_formula (tiling_valid hT ht).2]
  exact this.2

/-- **Growing A to n coordinates changes none of its offsets.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `composition`, where the last mode grows silently -/
theorem grown_spec {A : Layout} (hA : A.Valid) (n : Nat) :
    n ≤ (grown A n).size ∧ ∀ x, x < A.size → atIndex (grown A n).modes x = atIndex A.modes x := by
  rw [grown]
  split
  · rename_i h
    exact ⟨h, fun _ _ => rfl⟩
  · rename_i h
    split
    · rename_i ms hms
      exact growLast_spec hA.2 (Nat.lt_of_not_le h) hms
    · rename_i hms
      refine ⟨by simp [Layout.size, FlatLayout.size_cons, FlatLayout.size_nil], fun x hx => ?_⟩
      have h1 : A.size = 1 := size_of_growLast_none hA.2 hms
      have : x = 0 := by omega
      rw [this, atIndex_zero, atIndex_zero]

/-! ## What a padded division is -/

/-- **What division with padding returns is the padded division.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` -/
theorem logicalDivideCeil_sound {A T R : Layout} (hT : T.Valid) (h : logicalDivideCeil A T = some R) :
    IsCeilDivision A T R := by
  rw [logicalDivideCeil, divideCeilWith] at h
  cases hI : ceilIndex A T with
  | none => simp [hI] at h
  | some I =>
    rw [hI] at h
    exact ⟨I, hI, composition_sound (ceilIndex_valid hT hI) h⟩

theorem profile_length_of_logicalDivideCeil {A T R : Layout}
    (h : logicalDivideCeil A T = some R) : R.profile.length = R.modes.length := by
  rw [logicalDivideCeil, divideCeilWith] at h
  split at h
  · exact profile_length_of_composition h
  · cases h

/-- **A padded division has as many coordinates as its index layout.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` -/
theorem isCeilDivision_size {A T I R : Layout} (hT : T.Valid) (h : IsCeilDivision A T R)
    (hI : ceilIndex A T = some I) : R.size = I.size := by
  obtain ⟨J, hJ, h⟩ := h
  obtain rfl := Option.some.inj (hI.symm.trans hJ)
  exact isComposite_size (ceilIndex_valid hT hI) h

/-- **Off the padding, a padded division is A at the index of the coordinate.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` -/
theorem isCeilDivision_atIndex {A T I R : Layout} (hA : A.Valid) (h : IsCeilDivision A T R)
    (hI : ceilIndex A T = some I) {x : Nat} (hx : x < I.size) (hin : atIndex I.modes x < A.size) :
    atIndex R.modes x = atIndex A.modes (atIndex I.modes x) := by
  obtain ⟨J, hJ, h⟩ := h
  obtain rfl := Option.some.inj (hI.symm.trans hJ)
  rw [(h.2.2 x hx).2, (grown_spec hA _).2 _ hin]

/-- **Called with any coordinate whose index i is below the size of A, a padded division gives the offset A(i).**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` -/
theorem isCeilDivision_call {A T I R : Layout} (hA : A.Valid) (hT : T.Valid) (h : IsCeilDivision A T R)
    (hI : ceilIndex A T = some I) {c : Coord} {i : Nat} (hc : I.call c = some i) (hi : i < A.size) :
    R.call c = some (atIndex A.modes i) := by
  obtain ⟨J, hJ, h⟩ := h
  obtain rfl := Option.some.inj (hI.symm.trans hJ)
  rw [(isComposite_call (ceilIndex_valid hT hI) h hc).2, (grown_spec hA _).2 _ hi]

/-- **Every index of A is met at exactly one coordinate of a padded division, with its offset.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` -/
theorem isCeilDivision_exists_unique {A T I R : Layout} (hA : A.Valid) (hT : T.Valid) (h : IsCeilDivision A T R)
    (hI : ceilIndex A T = some I) {i : Nat} (hi : i < A.size) :
    ∃ x, (x < R.size ∧ atIndex I.modes x = i ∧ atIndex R.modes x = atIndex A.modes i) ∧
      ∀ y, y < R.size → atIndex I.modes y = i → y = x := by
  have hs := isCeilDivision_size hT h hI
  obtain ⟨x, ⟨hx, e⟩, hu⟩ := (ceilIndex_exists_unique hT hI).2 i
    (Nat.lt_of_lt_of_le hi (ceilIndex_size hT hI).1)
  rw [← hs] at hx hu
  exact ⟨x, ⟨hx, e, by rw [isCeilDivision_atIndex hA h hI (hs ▸ hx) (e.symm ▸ hi), e]⟩, hu⟩

theorem filter_range_lt {n : Nat} : {N : Nat} → n ≤ N →
    (List.range N).filter (fun i => decide (i < n)) = List.range n
  | 0, h => by
    obtain rfl : n = 0 := by omega
    rfl
  | N + 1, h => by
    rw [List.range_succ, List.filter_append]
    by_cases hn : n ≤ N
    · rw [filter_range_lt hn]
      simp [Nat.not_lt.2 hn]
    · obtain rfl : n = N + 1 := by omega
      rw [List.range_succ]
      congr 1
      · refine List.filter_eq_self.2 fun i hi => ?_
        have := List.mem_range.1 hi
        simp
        omega
      · simp

theorem length_filter_add {α : Type} (p : α → Bool) (l : List α) :
    (l.filter p).length + (l.filter fun x => !p x).length = l.length := by
  induction l with
  | nil => rfl
  | cons x l ih => cases h : p x <;> simp [h] <;> omega

theorem unpadded_perm {A T I : Layout} (hT : T.Valid) (hI : ceilIndex A T = some I) :
    ((unpadded A I).map (atIndex I.modes)).Perm (List.range A.size) := by
  have h := (ceilIndex_offsets_perm hT hI).filter fun i => decide (i < A.size)
  rw [filter_range_lt (ceilIndex_size hT hI).1, offsets, List.filter_map] at h
  exact h

/-- **Off the padding, a padded division has the offsets of A, each as often, in another order.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` -/
theorem isCeilDivision_offsets_perm {A T I R : Layout} (hA : A.Valid) (hT : T.Valid) (h : IsCeilDivision A T R)
    (hI : ceilIndex A T = some I) : ((unpadded A I).map (atIndex R.modes)).Perm (offsets A.modes) := by
  have e : (unpadded A I).map (atIndex R.modes) = ((unpadded A I).map (atIndex I.modes)).map (atIndex A.modes) := by
    rw [List.map_map]
    refine List.map_congr_left fun x hx => ?_
    obtain ⟨h1, h2⟩ := List.mem_filter.1 hx
    exact isCeilDivision_atIndex hA h hI (List.mem_range.1 h1) (of_decide_eq_true h2)
  rw [e]
  exact (unpadded_perm hT hI).map _

/-- **Exactly size(R) − size(A) coordinates of a padded division R are padding.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` -/
theorem isCeilDivision_padded {A T I R : Layout} (hT : T.Valid) (h : IsCeilDivision A T R)
    (hI : ceilIndex A T = some I) :
    ((List.range R.size).filter fun x => decide (A.size ≤ atIndex I.modes x)).length = R.size - A.size := by
  have h1 : (unpadded A I).length = A.size := by
    have := (unpadded_perm hT hI).length_eq
    rwa [List.length_map, List.length_range] at this
  rw [isCeilDivision_size hT h hI]
  have h2 := length_filter_add (fun x => decide (atIndex I.modes x < A.size)) (List.range I.size)
  rw [List.length_range] at h2
  have e : (fun x => decide (A.size ≤ atIndex I.modes x)) = fun x => !decide (atIndex I.modes x < A.size) := by
    funext x
    rw [← decide_not]
    exact decide_eq_decide.2 Nat.not_lt.symm
  rw [e]
  rw [unpadded] at h1
  omega

/-! ## Where nothing is padded -/

theorem grown_of_le {A : Layout} {n : Nat} (h : n ≤ A.size) : grown A n = A := by rw [grown, if_pos h]

/-- **If the tile's block divides the size of A, the padded division is the exact one.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` -/
theorem logicalDivideCeil_of_dvd {A T : Layout} (hA : A.Valid) (hT : T.Valid) (hd : block T.modes ∣ A.size) :
    ceilIndex A T = tiling T A.size ∧ logicalDivideCeil A T = logicalDivide A T := by
  have hp : 0 < A.size := hA.2.size_pos
  have key : ceilIndex A T = tiling T A.size := by
    cases h : ceilIndex A T with
    | some I =>
      have hs : I.size = ceilSize A T := tiling_size hT (by rw [← ceilIndex_eq_tiling, h])
      obtain ⟨h1, _, _, h4⟩ := ceilIndex_size hT h
      have := h4 _ hp hd (Nat.le_refl _)
      rw [← h, ceilIndex_eq_tiling, ← hs, Nat.le_antisymm this h1]
    | none =>
      have : ¬ tiling T A.size ≠ none := by
        rw [tiling, Ne, Option.map_eq_none_iff, ← Ne, Layout.complementIn, Ne, Option.map_eq_none_iff, ← Ne,
          FlatLayout.complementIn_ne_none_iff_block]
        rintro ⟨h1, _⟩
        refine (ceilIndex_ne_none_iff hT A).2 ?_ h
        rw [Layout.complement, Ne, Option.map_eq_none_iff]
        exact h1
      exact (Classical.not_not.1 this).symm
  have same : logicalDivideCeil A T = logicalDivide A T := by
    rw [logicalDivideCeil, logicalDivide, divideCeilWith, divideWith, key]
    cases h : tiling T A.size with
    | none => rfl
    | some I =>
      have e : cosizeFormula I.modes = A.size := by
        rw [cosizeFormula_of_ceilIndex hT (key.trans h), tiling_size hT h]
      simp only [e, grown_of_le (Nat.le_refl _)]
  exact ⟨key, same⟩

/-- **Wherever the exact division is there, the padded division is the same, and no coordinate is padding.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` -/
theorem logicalDivideCeil_of_logicalDivide {A T R : Layout} (hA : A.Valid) (hT : T.Valid)
    (h : logicalDivide A T = some R) :
    logicalDivideCeil A T = some R ∧ ∃ I, ceilIndex A T = some I ∧ I.size = A.size ∧
      ∀ x, x < R.size → atIndex I.modes x < A.size := by
  have hd := logicalDivide_sound hT h
  have ⟨I, hI, _⟩ := hd
  obtain ⟨C, hC, _⟩ := tiling_eq_some_iff.1 hI
  obtain ⟨h1, h2⟩ := logicalDivideCeil_of_dvd hA hT (block_dvd_of_completes (complementIn_completes hT hC))
  refine ⟨h2.trans h, I, h1.trans hI, tiling_size hT hI, ?_⟩
  rw [isDivision_size hT hd]
  have := (tiling_exists_unique hT hI).1
  rwa [tiling_size hT hI] at this

/-! ## By tiler -/

/-- **A tuple of layouts divides each mode by its layout, with padding, and leaves further modes as they are.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` -/
theorem logicalDivideCeilBy_layouts (A : Layout) (Ts : List Layout) :
    logicalDivideCeilBy A (.modes (Ts.map .layout)) =
        (eachModeKeep logicalDivideCeil (topLayouts A) Ts).map concat :=
  transformBy_layouts (fun _ _ _ => profile_length_of_logicalDivideCeil) A Ts

/-- **Dividing with padding by a layout as a tiler is dividing by it; the integer `n` is the layout `n:1`.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` -/
theorem logicalDivideCeilBy_layout {A : Layout} (hA : A.Valid) (T : Layout) :
    logicalDivideCeilBy A (.layout T) = logicalDivideCeil A T :=
  transformBy_layout (fun _ _ _ => profile_length_of_logicalDivideCeil) hA T

theorem valid_of_eachModeKeep {f : Layout → Layout → Option Layout}
    (hf : ∀ A T R, T.Valid → f A T = some R → R.Valid) {As Ts Rs : List Layout} (hA : ∀ A ∈ As, A.Valid)
    (hT : ∀ T ∈ Ts, T.Valid) (h : eachModeKeep f As Ts = some Rs) : ∀ R ∈ Rs, R.Valid := by
  induction Ts generalizing As Rs with
  | nil =>
    obtain rfl : As = Rs := by cases As <;> simpa [eachModeKeep] using h
    exact hA
  | cons T Ts ih =>
    cases As with
    | nil => simp [eachModeKeep] at h
    | cons A As =>
      rw [eachModeKeep] at h
      split at h
      · rename_i S Ss hS hSs
        obtain rfl := Option.some.inj h
        intro R hR
        rcases List.mem_cons.1 hR with rfl | hR
        · exact hf _ _ _ (hT T (by simp)) hS
        · exact ih (fun A hA' => hA A (by simp [hA'])) (fun B hB => hT B (by simp [hB])) hSs R hR
      · cases h

theorem ceilPartsList_layouts (ts : List (HTuple Mode)) (Ts : List Layout) :
    ceilPartsList (Ts.map .layout) ts = eachIndex (ts.map ofTree) Ts := by
  induction Ts generalizing ts with
  | nil => cases ts <;> rfl
  | cons T Ts ih =>
    cases ts with
    | nil => rfl
    | cons t ts =>
      rw [List.map_cons, List.map_cons, ceilPartsList, eachIndex, ceilParts, ih]
      cases ceilIndex (ofTree t) T <;> cases eachIndex (ts.map ofTree) Ts <;> rfl

/-- **The index layouts and bounds of a division by tiler are those of the modes.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` -/
theorem ceilPartsBy_layouts (A : Layout) (Ts : List Layout) :
    ceilPartsBy A (.modes (Ts.map .layout)) = eachIndex (topLayouts A) Ts := by
  rw [ceilPartsBy, ceilParts, ceilPartsList_layouts, topLayouts]

theorem sumCalls_unpadCoords {f : Layout → Layout → Option Layout}
    (hf : ∀ A T R, T.Valid → f A T = some R → IsCeilDivision A T R) :
    (As Ts Rs : List Layout) → (Is : List (Layout × Nat)) → (cs ds : List Coord) → (∀ A ∈ As, A.Valid) →
    (∀ T ∈ Ts, T.Valid) → eachModeKeep f As Ts = some Rs → eachIndex As Ts = some Is →
    unpadCoords Is cs = some ds → sumCalls Rs cs = sumCalls As ds
  | As, [], Rs, Is, cs, ds, _, _, hR, hI, hd => by
    obtain rfl : As = Rs := by cases As <;> simpa [eachModeKeep] using hR
    obtain rfl : [] = Is := by cases As <;> simpa [eachIndex] using hI
    obtain rfl : cs = ds := by simpa [unpadCoords] using hd
    rfl
  | [], _ :: _, _, _, _, _, _, _, hR, _, _ => by simp [eachModeKeep] at hR
  | A :: As, T :: Ts, Rs, Is, cs, ds, hA, hT, hR, hI, hd => by
    rw [eachModeKeep] at hR
    rw [eachIndex] at hI
    split at hR
    · rename_i R Rs' h1 h2
      obtain rfl := Option.some.inj hR
      split at hI
      · rename_i I Is' h3 h4
        obtain rfl := Option.some.inj hI
        cases cs with
        | nil => simp [unpadCoords] at hd
        | cons c cs =>
          rw [unpadCoords] at hd
          split at hd
          · rename_i i ds' h5 h6
            split at hd
            · rename_i hi
              obtain rfl := Option.some.inj hd
              rw [sumCalls_cons, sumCalls_cons, isCeilDivision_call (hA A (by simp)) (hT T (by simp))
                (hf _ _ _ (hT T (by simp)) h1) h3 h5 hi, call_index (hA A (by simp)) hi,
                sumCalls_unpadCoords hf As Ts Rs' Is' cs ds' (fun B hB => hA B (by simp [hB]))
                  (fun B hB => hT B (by simp [hB])) h2 h4 h6]
            · cases hd
          · cases hd
      · cases hI
    · cases hR

/-- **Off the padding of every mode, a padded division by tiler is A at the indices of its modes.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` -/
theorem logicalDivideCeilBy_call {As Ts : List Layout} {R : Layout} {Is : List (Layout × Nat)}
    (hA : ∀ A ∈ As, A.Valid) (hT : ∀ T ∈ Ts, T.Valid)
    (h : logicalDivideCeilBy (concat As) (.modes (Ts.map .layout)) = some R)
    (hI : ceilPartsBy (concat As) (.modes (Ts.map .layout)) = some Is) {cs ds : List Coord}
    (hd : unpadCoords Is cs = some ds) : R.call (.node cs) = (concat As).call (.node ds) := by
  rw [logicalDivideCeilBy_layouts, topLayouts_concat hA] at h
  rw [ceilPartsBy_layouts, topLayouts_concat hA] at hI
  obtain ⟨Rs, hRs, rfl⟩ := Option.map_eq_some_iff.1 h
  rw [call_concat hA, call_concat (valid_of_eachModeKeep (fun A T R hT h => (logicalDivideCeil_sound hT h).elim
    fun _ h => h.2.1) hA hT hRs)]
  exact sumCalls_unpadCoords (fun _ _ _ hT h => logicalDivideCeil_sound hT h) As Ts Rs Is cs ds hA hT hRs hI hd

end Layout

end Razorgirl
