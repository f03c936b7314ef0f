module

public import Razorgirl.Thm.Layout.Divide.Lemmas

@[expose] public section

/-!
# Division: what is proved

The tile and its complement number the indices of A once each, so a division shows every coordinate of A exactly
once: nothing is lost and nothing repeated. Division refuses only where no tiling by T is there at all;
strict division only where some strides of A have none, and that is the same (`Divide/Chain`, with the condition in
plain arithmetic; `Divide/Truncate` for rounding up). Tilers and the zipped, tiled and flat forms are in
`Divide/Tiler`, rounding up in `Divide/Ceil`.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout Layout.Aux

/-! ## The tiling of the indices -/

theorem tiling_eq_some_iff {T I : Layout} {N : Nat} :
    tiling T N = some I ↔ ∃ C, T.complementIn N = some C ∧ I = concat [T, C] := by
  rw [tiling, Option.map_eq_some_iff]
  exact exists_congr fun C => and_congr_right fun _ => eq_comm

theorem tiling_valid {T I : Layout} {N : Nat} (hT : T.Valid) (h : tiling T N = some I) : I.Valid := by
  obtain ⟨C, hC, rfl⟩ := tiling_eq_some_iff.1 h
  exact valid_concat_pair hT (complementIn_valid hT hC)

/-- **The tile and its rest have N coordinates together.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.8; CuTe `logical_divide` -/
theorem tiling_size {T I : Layout} {N : Nat} (hT : T.Valid) (h : tiling T N = some I) : I.size = N := by
  obtain ⟨C, hC, rfl⟩ := tiling_eq_some_iff.1 h
  exact (complementIn_concat_size hT hC).1

/-- **The tile and its rest number the indices: every coordinate gives an index below N, and every index below N is
given by exactly one coordinate.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.8; Cecka, logical divide; CuTe `logical_divide` -/
theorem tiling_exists_unique {T I : Layout} {N : Nat} (hT : T.Valid) (h : tiling T N = some I) :
    (∀ x, x < I.size → atIndex I.modes x < N) ∧
      ∀ o, o < N → ∃ x, (x < I.size ∧ atIndex I.modes x = o) ∧
        ∀ y, y < I.size → atIndex I.modes y = o → y = x := by
  obtain ⟨C, hC, rfl⟩ := tiling_eq_some_iff.1 h
  rw [Layout.size, concat_pair_modes]
  exact ((completes_iff_exists_unique _ _ _).1 (complementIn_completes hT hC)).2

theorem tiling_offsets_perm {T I : Layout} {N : Nat} (hT : T.Valid) (h : tiling T N = some I) :
    (offsets I.modes).Perm (List.range N) := by
  obtain ⟨C, hC, rfl⟩ := tiling_eq_some_iff.1 h
  rw [concat_pair_modes]
  exact (complementIn_completes hT hC).offsets_perm

/-- **A tiling is found exactly when any layout at all completes T in `[0,N)`.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.1.6.21, 2.3.8 -/
theorem tiling_ne_none_iff {T : Layout} (hT : T.Valid) (N : Nat) :
    tiling T N ≠ none ↔ ∃ C : Layout, C.Valid ∧ Completes T.modes C.modes N := by
  rw [← complementIn_ne_none_iff hT, tiling, Ne, Option.map_eq_none_iff]

/-- **T tiles N indices exactly when, of its modes of extent above 1 by stride, the first stride is positive, each
extent × stride divides the next stride, the last one divides N, and N is positive.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.1.6.21, 2.3.8; Shah, admissible for complementation -/
theorem tiling_exists_iff (T : Layout) (N : Nat) : tiling T N ≠ none ↔
    (∀ m Q, chain T.modes = m :: Q → 0 < m.stride) ∧
      (∀ P m n Q, chain T.modes = P ++ m :: n :: Q → m.extent * m.stride ∣ n.stride) ∧
      (∀ P m, chain T.modes = P ++ [m] → m.extent * m.stride ∣ N) ∧ 0 < N := by
  rw [← complementIn_exists_iff, tiling, Ne, Option.map_eq_none_iff, complementIn, Option.map_eq_none_iff]

theorem call_concat_pair {T C : Layout} (hT : T.Valid) (hC : C.Valid) {t r : Coord} {a b : Nat}
    (ht : T.call t = some a) (hr : C.call r = some b) : (concat [T, C]).call (.node [t, r]) = some (a + b) := by
  rw [call_concat (fun L hL => by
    rcases List.mem_cons.1 hL with rfl | hL
    · exact hT
    · rw [List.mem_singleton.1 hL]; exact hC)]
  simp [sumCalls, ht, hr]

/-! ## What a division is -/

/-- **Division with complete composition accepts exactly when the division exists, and returns it.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.8; CuTe `logical_divide` -/
theorem divideWith_complete_eq_some_iff {A T R : Layout} (hT : T.Valid) :
    divideWith compositionComplete A T = some R ↔ IsDivision A T R := by
  rw [divideWith, IsDivision]
  cases h : tiling T A.size with
  | none => simp
  | some I =>
    simp only [compositionComplete_eq_some_iff (tiling_valid hT h), Option.some.injEq, exists_eq_left']

/-- **What strict division returns is the division.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.8; CuTe `logical_divide` -/
theorem logicalDivide_sound {A T R : Layout} (hT : T.Valid) (h : logicalDivide A T = some R) :
    IsDivision A T R := by
  rw [logicalDivide, divideWith] at h
  cases hI : tiling T A.size with
  | none => simp [hI] at h
  | some I =>
    rw [hI] at h
    exact ⟨I, hI, composition_sound (tiling_valid hT hI) h⟩

/-- **There is at most one division of A by T.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.4.10, 2.3.8 -/
theorem isDivision_unique {A T R R' : Layout} (hT : T.Valid) (h : IsDivision A T R) (h' : IsDivision A T R') :
    R = R' := by
  rw [← divideWith_complete_eq_some_iff hT] at h h'
  rw [h] at h'
  exact Option.some.inj h'

theorem isDivision_valid {A T R : Layout} (h : IsDivision A T R) : R.Valid := by
  obtain ⟨I, _, h⟩ := h
  exact h.1

/-- **A division has as many coordinates as A.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.8; CuTe `logical_divide` (which may lose coordinates, or add some) -/
theorem isDivision_size {A T R : Layout} (hT : T.Valid) (h : IsDivision A T R) : R.size = A.size := by
  obtain ⟨I, hI, h⟩ := h
  rw [isComposite_size (tiling_valid hT hI) h, tiling_size hT hI]

/-- **A division has two modes: A composed with the tile, and A composed with the complement of the tile in the
indices of A.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.8; CuTe `logical_divide` -/
theorem isDivision_modes {A T R : Layout} (hT : T.Valid) (h : IsDivision A T R) :
    ∃ C R₀ R₁, T.complementIn A.size = some C ∧ IsComposite A T R₀ ∧ IsComposite A C R₁ ∧ R = concat [R₀, R₁] := by
  obtain ⟨I, hI, h⟩ := h
  obtain ⟨C, hC, rfl⟩ := tiling_eq_some_iff.1 hI
  obtain ⟨Rs, hRs, rfl⟩ := composites_of_isComposite_concat (fun L hL => by
    rcases List.mem_cons.1 hL with rfl | hL
    · exact hT
    · rw [List.mem_singleton.1 hL]; exact complementIn_valid hT hC) h
  match Rs, hRs with
  | [R₀, R₁], hRs => exact ⟨C, R₀, R₁, hC, hRs.1, hRs.2.1, rfl⟩

/-- **Strict division is strict composition with the tile beside strict composition with its complement.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.8; CuTe `logical_divide` -/
theorem logicalDivide_modes {A T R : Layout} (hT : T.Valid) (h : logicalDivide A T = some R) :
    ∃ C R₀ R₁, T.complementIn A.size = some C ∧ composition A T = some R₀ ∧ composition A C = some R₁ ∧
      R = concat [R₀, R₁] := by
  obtain ⟨C, R₀, R₁, hC, h0, h1, rfl⟩ := isDivision_modes hT (logicalDivide_sound hT h)
  have hCv := complementIn_valid hT hC
  have hI : tiling T A.size = some (concat [T, C]) := tiling_eq_some_iff.2 ⟨C, hC, rfl⟩
  rw [logicalDivide, divideWith, hI] at h
  have h : composition A (concat [T, C]) = some (concat [R₀, R₁]) := h
  have hs := fun B hb => composition_isSome_of_concat (A := A) (B := B) (Bs := [T, C]) (fun L hL => by
    rcases List.mem_cons.1 hL with rfl | hL
    · exact hT
    · rw [List.mem_singleton.1 hL]; exact hCv) (by rw [h]; rfl) hb
  have key : ∀ B S, B.Valid → (composition A B).isSome = true → IsComposite A B S → composition A B = some S := by
    intro B S hB h2 h3
    obtain ⟨S', h4⟩ := Option.isSome_iff_exists.1 h2
    rw [h4, isComposite_unique hB h3 (composition_sound hB h4)]
  exact ⟨C, R₀, R₁, hC, key T R₀ hT (hs T (by simp)) h0, key C R₁ hCv (hs C (by simp)) h1, rfl⟩

/-- **A tile that covers A leaves one rest, `1:0`.**
Rust: `razorgirl::Layout::logical_divide`
Source: CuTe `logical_divide` -/
theorem isDivision_rest_of_size_eq {A T R : Layout} (hT : T.Valid) (h : IsDivision A T R) (hs : T.size = A.size) :
    ∃ R₀, IsComposite A T R₀ ∧ R = concat [R₀, ⟨[⟨1, 0⟩], .leaf ()⟩] := by
  obtain ⟨C, R₀, R₁, hC, h0, h1, rfl⟩ := isDivision_modes hT h
  have hCv := complementIn_valid hT hC
  have hsz := complementIn_size hT hC
  rw [hs] at hsz
  have hpos : 0 < A.size := hs ▸ hT.2.size_pos
  have hC1 : C.size = 1 := Nat.eq_of_mul_eq_mul_left hpos (by rw [hsz, Nat.mul_one])
  have e : C = ⟨[⟨1, 0⟩], .leaf ()⟩ := by
    obtain ⟨C', hC', rfl⟩ := complementIn_eq_some_iff.1 hC
    have hv := FlatLayout.complementIn_valid hT.2 hC'
    have hc := two_le_of_coalesced hv (FlatLayout.complementIn_coalesced hC')
    rw [size_nest] at hC1
    match C', hC1, hv, hc with
    | [], _, _, _ => rfl
    | m :: L, hC1, hv, hc =>
      have h2 := hc m (by simp)
      have h3 := Nat.eq_one_of_mul_eq_one_right (size_cons m L ▸ hC1)
      omega
  subst e
  refine ⟨R₀, h0, ?_⟩
  have : IsComposite A ⟨[⟨1, 0⟩], .leaf ()⟩ ⟨[⟨1, 0⟩], .leaf ()⟩ := by
    refine ⟨hCv, ⟨rfl, rfl⟩, fun x hx => ?_⟩
    have : x = 0 := by
      have : x < 1 := hx
      omega
    subst this
    exact ⟨hpos, by rw [atIndex_zero, atIndex_zero]⟩
  rw [isComposite_unique hCv h1 this]

/-! ## Nothing is lost, nothing repeated -/

/-- **Coordinate `(t, r)` of a division is coordinate `T(t) + C(r)` of A, where C is the complement of the tile T.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.8; CuTe `logical_divide` -/
theorem isDivision_call {A T C R : Layout} (hT : T.Valid) (h : IsDivision A T R)
    (hC : T.complementIn A.size = some C) {t r : Coord} {a b : Nat} (ht : T.call t = some a)
    (hr : C.call r = some b) : a + b < A.size ∧ R.call (.node [t, r]) = some (atIndex A.modes (a + b)) := by
  obtain ⟨I, hI, h⟩ := h
  obtain ⟨C', hC', rfl⟩ := tiling_eq_some_iff.1 hI
  obtain rfl := Option.some.inj (hC.symm.trans hC')
  have hCv := complementIn_valid hT hC
  exact isComposite_call (valid_concat_pair hT hCv) h (call_concat_pair hT hCv ht hr)

/-- **Every index of A is met at exactly one place of a division: one coordinate of the tile and one of the rest.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.8; CuTe `logical_divide` -/
theorem isDivision_exists_unique {A T C R : Layout} (hT : T.Valid) (h : IsDivision A T R)
    (hC : T.complementIn A.size = some C) {i : Nat} (hi : i < A.size) :
    ∃ t r, (∃ a b, T.call (.leaf (some t)) = some a ∧ C.call (.leaf (some r)) = some b ∧ a + b = i ∧
        R.call (.node [.leaf (some t), .leaf (some r)]) = some (atIndex A.modes i)) ∧
      ∀ t' r' a b, T.call (.leaf (some t')) = some a → C.call (.leaf (some r')) = some b → a + b = i →
        t' = t ∧ r' = r := by
  obtain ⟨t, r, ⟨a, b, ht, hr, e⟩, hu⟩ := complementIn_exists_unique_call_pair hT hC hi
  refine ⟨t, r, ⟨a, b, ht, hr, e, ?_⟩, hu⟩
  rw [(isDivision_call hT h hC ht hr).2, e]

/-- **A division is A after a one-to-one renumbering of its indices.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.8; Cecka, logical divide -/
theorem isDivision_atIndex {A T R : Layout} (hT : T.Valid) (h : IsDivision A T R) :
    ∃ I, tiling T A.size = some I ∧ I.size = A.size ∧ R.size = A.size ∧
      (∀ x, x < A.size → atIndex I.modes x < A.size ∧
        atIndex R.modes x = atIndex A.modes (atIndex I.modes x)) ∧
      ∀ i, i < A.size → ∃ x, (x < A.size ∧ atIndex I.modes x = i) ∧
        ∀ y, y < A.size → atIndex I.modes y = i → y = x := by
  have hs := isDivision_size hT h
  obtain ⟨I, hI, h⟩ := h
  have e := tiling_size hT hI
  have hu := tiling_exists_unique hT hI
  rw [e] at hu
  exact ⟨I, hI, e, hs, fun x hx => h.2.2 x (e.symm ▸ hx), hu.2⟩

/-- **A division has the same offsets as A, each as often, in another order: nothing is lost and nothing repeated.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.8; CuTe `logical_divide` (which may lose offsets) -/
theorem isDivision_offsets_perm {A T R : Layout} (hT : T.Valid) (h : IsDivision A T R) :
    (offsets R.modes).Perm (offsets A.modes) := by
  obtain ⟨I, hI, h⟩ := h
  exact isComposite_offsets_perm (tiling_valid hT hI) h (tiling_offsets_perm hT hI)

/-- **Every offset occurs in a division exactly as often as in A.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.8; CuTe `logical_divide` -/
theorem isDivision_count {A T R : Layout} (hT : T.Valid) (h : IsDivision A T R) (o : Nat) :
    (offsets R.modes).count o = (offsets A.modes).count o := (isDivision_offsets_perm hT h).count_eq o

/-- **Later tiles start later: the first index of a tile grows with its place in mode 1.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.1.6, 2.3.8; Cecka, complement post-conditions -/
theorem tiling_rest_increasing {T I : Layout} {N : Nat} (hT : T.Valid) (h : tiling T N = some I) {r r' i j : Nat}
    (hr : r < r') (hi : I.call (.node [.leaf (some 0), .leaf (some r)]) = some i)
    (hj : I.call (.node [.leaf (some 0), .leaf (some r')]) = some j) : i < j := by
  obtain ⟨C, hC, rfl⟩ := tiling_eq_some_iff.1 h
  have hCv := complementIn_valid hT hC
  have h0 : T.call (.leaf (some 0)) = some 0 := by rw [call_index hT hT.2.size_pos, atIndex_zero]
  have key : ∀ k o, (concat [T, C]).call (.node [.leaf (some 0), .leaf (some k)]) = some o →
      C.call (.leaf (some k)) = some o := by
    intro k o hk
    rw [call_concat (fun L hL => by
      rcases List.mem_cons.1 hL with rfl | hL
      · exact hT
      · rw [List.mem_singleton.1 hL]; exact hCv)] at hk
    simp only [sumCalls, h0] at hk
    cases hc : C.call (.leaf (some k)) with
    | none => simp [hc] at hk
    | some b => simpa [hc] using hk
  exact complementIn_increasing hT hC hr (key _ _ hi) (key _ _ hj)

/-! ## When there is a division -/

/-- What completes T some way or other and has a composite with A shows that the division is there. -/
theorem exists_isComposite_tiling {A T C : Layout} (hT : T.Valid) (hC : C.Valid)
    (h : Completes T.modes C.modes A.size) (hR : ∃ R, IsComposite A (concat [T, C]) R) :
    tiling T A.size = some (concat [T, C.sort.coalesce]) ∧
      ∃ R, IsComposite A (concat [T, C.sort.coalesce]) R := by
  have hv := coalesce_valid (Layout.sort_valid hC)
  refine ⟨tiling_eq_some_iff.2 ⟨_, complementIn_of_completes h, rfl⟩, ?_⟩
  rw [exists_composite_iff_grouped (valid_concat_pair hT hC), concat_pair_modes] at hR
  rw [exists_composite_iff_grouped (valid_concat_pair hT hv), concat_pair_modes]
  exact (hR.perm (sort_perm C.modes).symm).coalesce.nest

/-- A division exists exactly when some layout completes T in the indices of A and has, beside T, a composite with A. -/
theorem exists_isDivision_iff {A T : Layout} (hT : T.Valid) : (∃ R, IsDivision A T R) ↔
    ∃ C R, C.Valid ∧ Completes T.modes C.modes A.size ∧ IsComposite A (concat [T, C]) R := by
  constructor
  · rintro ⟨R, I, hI, h⟩
    obtain ⟨C, hC, rfl⟩ := tiling_eq_some_iff.1 hI
    exact ⟨C, R, complementIn_valid hT hC, complementIn_completes hT hC, h⟩
  · rintro ⟨C, R, hC, h, hR⟩
    obtain ⟨hI, R', hR'⟩ := exists_isComposite_tiling hT hC h ⟨R, hR⟩
    exact ⟨R', _, hI, hR'⟩

theorem logicalDivide_isSome_iff (A T : Layout) : (logicalDivide A T).isSome = true ↔
    ∃ I, tiling T A.size = some I ∧ (composition A I).isSome = true := by
  rw [logicalDivide, divideWith]
  cases tiling T A.size <;> simp

/-- **Strict division refuses only where there is no tiling for some strides of A's coalesced shape: it accepts
exactly when for all such strides some layout completes T in the indices of A and has, beside T, a composite.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.3.8; Cecka, logical divide; ours -/
theorem logicalDivide_ne_none_iff {A T : Layout} (hT : T.Valid) : logicalDivide A T ≠ none ↔
    ∀ D, D.length = (FlatLayout.coalesce A.modes).length →
      ∃ C R, C.Valid ∧ Completes T.modes C.modes A.size ∧
        IsComposite (ofFlat (ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D)) (concat [T, C]) R := by
  rw [← Option.isSome_iff_ne_none, logicalDivide_isSome_iff]
  constructor
  · rintro ⟨I, hI, h⟩ D hD
    obtain ⟨C, hC, rfl⟩ := tiling_eq_some_iff.1 hI
    have hCv := complementIn_valid hT hC
    obtain ⟨R, hR⟩ := (composition_isSome_iff (valid_concat_pair hT hCv)).1 h D hD
    exact ⟨C, R, hCv, complementIn_completes hT hC, hR⟩
  · intro h
    obtain ⟨C, _, hC, hc, _⟩ := h (List.replicate (FlatLayout.coalesce A.modes).length 0) (by simp)
    obtain ⟨I, hI⟩ := Option.isSome_iff_exists.1
      (Option.isSome_iff_ne_none.2 ((tiling_ne_none_iff hT A.size).2 ⟨C, hC, hc⟩))
    refine ⟨I, hI, (composition_isSome_iff (tiling_valid hT hI)).2 fun D hD => ?_⟩
    obtain ⟨C', R', hC', hc', hR'⟩ := h D hD
    have hs : (ofFlat (ofShape (FlatLayout.shape (FlatLayout.coalesce A.modes)) D)).size = A.size := by
      have e : D.length = (FlatLayout.shape (FlatLayout.coalesce A.modes)).length := by rw [hD, length_shape]
      rw [Layout.size, ofFlat, size_ofShape e, prod_shape_coalesce]
    rw [← hs] at hc'
    obtain ⟨hI', hR''⟩ := exists_isComposite_tiling hT hC' hc' ⟨R', hR'⟩
    rw [hs, hI] at hI'
    rwa [Option.some.inj hI']

/-- **Runs of n indices tile N indices exactly when n divides N, and N is positive.**
Rust: `razorgirl::Layout::logical_divide`
Source: CuTe `logical_divide` (which rounds up) -/
theorem tiling_int_ne_none_iff {n N : Nat} (hn : 0 < n) :
    tiling ⟨[⟨n, 1⟩], .leaf ()⟩ N ≠ none ↔ 0 < N ∧ n ∣ N := by
  rw [tiling, Ne, Option.map_eq_none_iff, complementIn, Option.map_eq_none_iff, ← Ne,
    complementIn_ne_none_iff_divides]
  have e : chain [⟨n, 1⟩] = if n = 1 then [] else [⟨n, 1⟩] := by
    rw [chain, squeeze]
    split <;> rfl
  rw [block, e]
  split
  · rename_i h1
    subst h1
    simp [blockFrom, Divides]
  · simp [blockFrom, Divides]

end Layout

end Razorgirl
