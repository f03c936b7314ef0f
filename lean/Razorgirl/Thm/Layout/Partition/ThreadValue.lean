module

public import Razorgirl.Thm.Layout.Partition

@[expose] public section

/-!
# Thread-value layouts: what is proved

The raked product numbers the elements of a tile by thread and value; the thread-value layout is its inverse. So every
element of the tile belongs to exactly one thread as exactly one of its values. What it takes to be accepted is in
`Partition/Accepted`.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout Layout.Aux

/-! ## Owners -/

theorem call_pair {R : Layout} {t v : Nat} (hR : R.Valid)
    (hc : IntTuple.compatible (.node [.leaf t, .leaf v]) R.shape = true) {i j : Nat} (hi : i < t) (hj : j < v) :
    R.call (.node [.leaf (some i), .leaf (some j)]) = some (atIndex R.modes (i + t * j)) := by
  have e := crd2idx_ints [t, v] [i, j] ⟨hi, hj, trivial⟩
  have h1 : Razorgirl.crd2idx [t, v] [i, j] = i + t * j := by simp [Razorgirl.crd2idx]
  rw [h1] at e
  rw [call_of_compatible hR hc (by simp [weaklyCongruent, weaklyCongruentList])]
  have e : Coord.crd2idx (.node [.leaf (some i), .leaf (some j)]) (.node [.leaf t, .leaf v]) = some (i + t * j) := e
  rw [e, Option.map_some]

theorem size_of_compatible_pair {R : Layout} {t v : Nat} (hR : R.Valid)
    (hc : IntTuple.compatible (.node [.leaf t, .leaf v]) R.shape = true) : R.size = t * v := by
  rw [← size_shape hR, ← IntTuple.size_eq_of_compatible hc]
  simp [IntTuple.size, IntTuple.sizeList]

/-- **An element of a tile has as many owners as the thread-value layout hits it: the pairs (thread, value) that own it
are its preimages.**
Rust: `razorgirl::Layout::make_layout_tv`
Source: CuTe, TV layouts -/
theorem owners_length {R : Layout} {t v : Nat} (hR : R.Valid)
    (hc : IntTuple.compatible (.node [.leaf t, .leaf v]) R.shape = true) (p : Nat) :
    (owners R t v p).length = (offsets R.modes).count p := by
  have hs : FlatLayout.size R.modes = t * v := size_of_compatible_pair hR hc
  have e : offsets R.modes =
      (((List.range v).flatMap fun j => (List.range t).map fun i => (i, j)).map
        fun q : Nat × Nat => atIndex R.modes (q.1 + t * q.2)) := by
    rw [offsets, hs, range_mul, List.map_flatMap, List.map_flatMap]
    simp only [List.map_map]
    rfl
  rw [owners, e, ← List.countP_eq_length_filter, List.count, List.countP_map]
  refine List.countP_congr fun q hq => ?_
  obtain ⟨j, hj, hq⟩ := List.mem_flatMap.1 hq
  obtain ⟨i, hi, rfl⟩ := List.mem_map.1 hq
  rw [call_pair hR hc (List.mem_range.1 hi) (List.mem_range.1 hj)]
  simp

/-- **Every element that a thread-value layout reaches has exactly one owner, and none is left out, exactly when the
layout is a bijection.**
Rust: `razorgirl::Layout::make_layout_tv`
Source: CuTe, TV layouts -/
theorem owners_one_iff {R : Layout} {t v : Nat} (hR : R.Valid)
    (hc : IntTuple.compatible (.node [.leaf t, .leaf v]) R.shape = true) :
    (∀ p, p < R.cosize → (owners R t v p).length = 1) ↔ Contiguous R.modes := by
  simp only [owners_length hR hc]
  constructor
  · intro h
    refine ⟨(injective_iff_nodup _).2 (List.nodup_iff_count.2 fun p => ?_), (covers_iff_mem _).2 fun o ho => ?_⟩
    · by_cases hp : p < R.cosize
      · exact Nat.le_of_eq (h p hp)
      · rw [List.count_eq_zero_of_not_mem fun hm => hp ?_]
        · exact Nat.zero_le 1
        · obtain ⟨x, hx, rfl⟩ := (mem_offsets _ _).1 hm
          exact atIndex_lt_cosize hx
    · exact List.count_pos_iff.1 (by rw [h o ho]; exact Nat.one_pos)
  · rintro ⟨h1, h2⟩ p hp
    have hm := (covers_iff_mem _).1 h2 p hp
    rw [((injective_iff_nodup _).1 h1).count, if_pos hm]

/-! ## The inverse of a tile, as threads and values -/

theorem threadPairs_valid {t v : Nat} (ht : 0 < t) (hv : 0 < v) : (threadPairs t v).Valid :=
  ⟨rfl, ht, hv, trivial⟩

theorem threadPairs_size (t v : Nat) : (threadPairs t v).size = t * v := by
  simp [threadPairs, Layout.size, size_cons, size_nil]

theorem threadPairs_atIndex {t v x : Nat} (hx : x < t * v) : atIndex (threadPairs t v).modes x = x := by
  have e : (threadPairs t v).modes = FlatLayout.columnMajor 1 [t, v] := by simp [threadPairs, FlatLayout.columnMajor]
  rw [e, atIndex_columnMajor (by simpa [prod] using hx)]

theorem threadPairs_call {t v i j : Nat} (hi : i < t) (hj : j < v) :
    (threadPairs t v).call (.node [.leaf (some i), .leaf (some j)]) = some (i + t * j) := by
  have hv : (threadPairs t v).Valid := threadPairs_valid (by omega) (by omega)
  have hc : IntTuple.compatible (.node [.leaf t, .leaf v]) (threadPairs t v).shape = true := by
    simp [threadPairs, shape, tree, unflatten, fill, fillList, map, mapList, IntTuple.compatible,
      IntTuple.compatibleList, IntTuple.size]
  rw [call_pair hv hc hi hj, threadPairs_atIndex]
  have := Nat.mul_le_mul_left t (show j + 1 ≤ v from hj)
  rw [Nat.mul_succ] at this
  omega

theorem isThreadValue_of_threadValueWith {L : Layout} {t v : Nat} (ht : 0 < t) (hv : 0 < v) {r : ThreadValue}
    (h : threadValueWith composition L t v = some r) : IsThreadValue L t v r := by
  rw [threadValueWith] at h
  split at h
  · rename_i I hI
    obtain ⟨R, hR, rfl⟩ := Option.map_eq_some_iff.1 h
    exact ⟨I, hI, composition_sound (threadPairs_valid ht hv) hR, rfl⟩
  · cases h

theorem isThreadValue_compatible {L : Layout} {t v : Nat} {r : ThreadValue} (h : IsThreadValue L t v r) :
    r.layout.Valid ∧ IntTuple.compatible (.node [.leaf t, .leaf v]) r.layout.shape = true := by
  obtain ⟨I, _, hR, _⟩ := h
  exact ⟨hR.1, isComposite_refines hR⟩

/-- **The place that a thread-value layout gives to value j of thread i is the place whose number in the tile is
`i + threads · j`.**
Rust: `razorgirl::Layout::make_layout_tv`
Source: CuTe DSL `make_layout_tv` -/
theorem isThreadValue_call {L : Layout} {t v : Nat} {r : ThreadValue} (hL : L.Valid) (hs : L.size = t * v)
    (h : IsThreadValue L t v r) {i j : Nat} (hi : i < t) (hj : j < v) :
    ∃ p, r.layout.call (.node [.leaf (some i), .leaf (some j)]) = some p ∧
      L.call (.leaf (some p)) = some (i + t * j) := by
  obtain ⟨I, hI, hR, _⟩ := h
  have hv : (threadPairs t v).Valid := threadPairs_valid (by omega) (by omega)
  obtain ⟨h1, h2⟩ := isComposite_call hv hR (threadPairs_call hi hj)
  have hlt : i + t * j < L.size := by
    rw [hs]
    have := Nat.mul_le_mul_left t (show j + 1 ≤ v from hj)
    rw [Nat.mul_succ] at this
    omega
  obtain ⟨h3, h4⟩ := inverse_lt hL hI hlt
  exact ⟨_, h2, by rw [call_index hL h3, h4]⟩

/-- **A thread-value layout is a bijection from (thread, value) onto the elements of the tile.**
Rust: `razorgirl::Layout::make_layout_tv`
Source: CuTe DSL `make_layout_tv` -/
theorem isThreadValue_contiguous {L : Layout} {t v : Nat} {r : ThreadValue} (hL : L.Valid) (hs : L.size = t * v)
    (h : IsThreadValue L t v r) : Contiguous r.layout.modes ∧ r.layout.size = L.size := by
  obtain ⟨hv, hc⟩ := isThreadValue_compatible h
  have hsz := size_of_compatible_pair hv hc
  obtain ⟨I, hI, hR, _⟩ := h
  have e : offsets r.layout.modes = (List.range L.size).map (atIndex I.modes) := by
    have hsz' : FlatLayout.size r.layout.modes = L.size := by rw [hs]; exact hsz
    rw [offsets, hsz']
    refine List.map_congr_left fun x hx => ?_
    have hx : x < t * v := by rw [← hs]; exact List.mem_range.1 hx
    rw [isComposite_atIndex hR (by rw [threadPairs_size]; exact hx), threadPairs_atIndex hx]
  have hp := map_inverse_perm hL hI
  rw [← e] at hp
  refine ⟨(contiguous_iff_injective _).2 ⟨(injective_iff_nodup _).2 (hp.nodup_iff.2 List.nodup_range), ?_⟩,
    hsz.trans hs.symm⟩
  have hsz' : FlatLayout.size r.layout.modes = L.size := by rw [hs]; exact hsz
  refine Nat.le_antisymm ?_ (size_le_cosize ((injective_iff_nodup _).2 (hp.nodup_iff.2 List.nodup_range)))
  obtain ⟨x, hx, ex⟩ := (cosize_is_maximum hv.2).2
  have := List.mem_range.1 (hp.mem_iff.1 ((mem_offsets _ _).2 ⟨x, hx, rfl⟩))
  omega

/-- **Every element of a tile belongs to exactly one thread, as exactly one of its values.**
Rust: `razorgirl::Layout::make_layout_tv`
Source: CuTe DSL `make_layout_tv` -/
theorem isThreadValue_exists_unique {L : Layout} {t v : Nat} {r : ThreadValue} (hL : L.Valid) (hs : L.size = t * v)
    (h : IsThreadValue L t v r) {p : Nat} (hp : p < L.size) :
    ∃ i j, (i < t ∧ j < v ∧ r.layout.call (.node [.leaf (some i), .leaf (some j)]) = some p) ∧
      ∀ i' j', i' < t → j' < v → r.layout.call (.node [.leaf (some i'), .leaf (some j')]) = some p →
        i' = i ∧ j' = j := by
  obtain ⟨hv, hc⟩ := isThreadValue_compatible h
  obtain ⟨hcon, hsz⟩ := isThreadValue_contiguous hL hs h
  have hp' : p ∈ offsets r.layout.modes := (covers_iff_mem _).1 hcon.2 p (by
    rw [((contiguous_iff_injective _).1 hcon).2]
    have : FlatLayout.size r.layout.modes = L.size := hsz
    omega)
  obtain ⟨x, hx, e⟩ := (mem_offsets _ _).1 hp'
  have hx' : x < t * v := by
    have : FlatLayout.size r.layout.modes = t * v := hsz.trans hs
    omega
  have ht : 0 < t := Nat.pos_of_ne_zero fun h0 => by rw [h0, Nat.zero_mul] at hx'; omega
  have hi : x % t < t := Nat.mod_lt _ ht
  have hj : x / t < v := Nat.div_lt_of_lt_mul hx'
  refine ⟨x % t, x / t, ⟨hi, hj, ?_⟩, fun i' j' hi' hj' e' => ?_⟩
  · rw [call_pair hv hc hi hj, Nat.mod_add_div, e]
  · rw [call_pair hv hc hi' hj', Option.some.injEq, ← e] at e'
    have hlt : i' + t * j' < FlatLayout.size r.layout.modes := by
      have h1 : FlatLayout.size r.layout.modes = t * v := hsz.trans hs
      have := Nat.mul_le_mul_left t (show j' + 1 ≤ v from hj')
      rw [Nat.mul_succ] at this
      omega
    have := (injective_iff_atIndex _).1 hcon.1 _ _ hlt hx e'
    rw [← this]
    constructor
    · rw [Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hi']
    · rw [Nat.add_mul_div_left _ _ ht, Nat.div_eq_of_lt hi', Nat.zero_add]

/-! ## Threads raked over values -/

theorem rakedProduct_size {thr val K : Layout} (hT : thr.Valid) (hV : val.Valid)
    (hK : rakedProduct thr val = some K) : K.Valid ∧ K.size = thr.size * val.size := by
  cases hR : logicalProduct (padModes (max thr.rank val.rank) thr) (padModes (max thr.rank val.rank) val) with
  | none => rw [rakedProduct, interleave, hR] at hK; cases hK
  | some R =>
    obtain ⟨xs, ys, h1, h2, e⟩ := interleave_eq (fun xs ys => pairModes ys xs) hT hV hR
    obtain rfl := Option.some.inj (e.symm.trans hK)
    have hp := logicalProduct_sound (padModes_valid hV _) hR
    have hv := isProduct_valid (padModes_valid hT _) hp
    have hm : R.modes = flattenList xs ++ flattenList ys := by
      rw [← Layout.flatten_tree hv.1, h1]
      simp [HTuple.flatten, flattenList]
    have hperm := (flattenList_pairModes_perm (xs := ys) (ys := xs) h2.symm).trans List.perm_append_comm
    rw [← hm] at hperm
    refine ⟨⟨Aux.profile_length_ofTree _, (valid_perm hperm).2 hv.2⟩, ?_⟩
    have hs := isProduct_size (padModes_valid hV _) hp
    rw [padModes_size hT, padModes_size hV] at hs
    rw [← hs]
    exact size_perm hperm

/-- What `make_layout_tv` returns comes from the inverse of the raked product. -/
theorem makeLayoutTV_spec {thr val : Layout} {r : ThreadValue} (hT : thr.Valid) (hV : val.Valid)
    (h : makeLayoutTV thr val = some r) :
    ∃ K, rakedProduct thr val = some K ∧ K.Valid ∧ K.size = thr.size * val.size ∧
      IsThreadValue K thr.size val.size r := by
  rw [makeLayoutTV] at h
  split at h
  · rename_i K hK
    obtain ⟨h1, h2⟩ := rakedProduct_size hT hV hK
    exact ⟨K, hK, h1, h2, isThreadValue_of_threadValueWith hT.2.size_pos hV.2.size_pos h⟩
  · cases h

/-- **Whatever `make_layout_tv` accepts gives each element of the tile to exactly one thread, as exactly one of its
values; the tile has as many elements as there are threads times values.**
Rust: `razorgirl::Layout::make_layout_tv`
Source: CuTe DSL `make_layout_tv` -/
theorem makeLayoutTV_exists_unique {thr val : Layout} {r : ThreadValue} (hT : thr.Valid) (hV : val.Valid)
    (h : makeLayoutTV thr val = some r) :
    prod r.tiler = thr.size * val.size ∧ ∀ p, p < thr.size * val.size →
      ∃ i j, (i < thr.size ∧ j < val.size ∧
          r.layout.call (.node [.leaf (some i), .leaf (some j)]) = some p) ∧
        ∀ i' j', i' < thr.size → j' < val.size →
          r.layout.call (.node [.leaf (some i'), .leaf (some j')]) = some p → i' = i ∧ j' = j := by
  obtain ⟨K, _, hK, hs, ht⟩ := makeLayoutTV_spec hT hV h
  obtain ⟨_, _, _, e⟩ := id ht
  refine ⟨by rw [e, prod_modeSizes hK, hs], fun p hp => isThreadValue_exists_unique hK hs ht (hs ▸ hp)⟩

/-- **`make_layout_tv` refuses threads and values whose raked product leaves elements out or has one twice.**
Rust: `razorgirl::Layout::make_layout_tv`
Source: CuTe DSL `make_layout_tv` (which does not check) -/
theorem makeLayoutTV_contiguous {thr val : Layout} {r : ThreadValue} (hT : thr.Valid) (hV : val.Valid)
    (h : makeLayoutTV thr val = some r) : ∃ K, rakedProduct thr val = some K ∧ Contiguous K.modes := by
  obtain ⟨K, h1, hK, _, I, hI, _⟩ := makeLayoutTV_spec hT hV h
  exact ⟨K, h1, (inverse_ne_none_iff hK).1 (by rw [hI]; simp)⟩

end Layout

end Razorgirl
