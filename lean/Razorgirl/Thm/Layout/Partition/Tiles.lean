module

public import Razorgirl.Spec.Layout.Partition.Tiles
public import Razorgirl.Thm.Layout.Composition.Tiled
public import Razorgirl.Thm.Layout.Divide.Ceil
public import Razorgirl.Thm.Layout.Partition.ThreadValue

@[expose] public section

/-!
# Tiles, threads, values: what is proved

A tensor divided into tiles by any tiler, and each tile dealt out by a thread-value layout: every element belongs to
exactly one value of one thread in one tile, and the offset there is its own. So it is with padding too.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout Layout.Aux

/-! ## A padded division of one mode -/

theorem size_of_ceilIndex {A T I : Layout} (hT : T.Valid) (h : ceilIndex A T = some I) :
    0 < I.size / T.size ∧ I.size = T.size * (I.size / T.size) := by
  have ht : tiling T (ceilSize A T) = some I := by rw [← ceilIndex_eq_tiling, h]
  obtain ⟨C, hC, rfl⟩ := tiling_eq_some_iff.1 ht
  have e : (concat [T, C]).size = T.size * C.size := by
    simp [Layout.size, concat, concatModes, size_append]
  have hp : 0 < T.size := hT.2.size_pos
  rw [e, Nat.mul_div_cancel_left _ hp]
  exact ⟨(complementIn_valid hT hC).2.size_pos, rfl⟩

theorem pair_of_isCeilDivision {A T I R : Layout} (hT : T.Valid) (hI : ceilIndex A T = some I)
    (h : IsCeilDivision A T R) : ∃ x y, R.tree = .node [x, y] ∧ FlatLayout.Valid x.flatten ∧
      FlatLayout.Valid y.flatten ∧ FlatLayout.size x.flatten = T.size ∧
      FlatLayout.size y.flatten = I.size / T.size := by
  obtain ⟨J, hJ, hc⟩ := h
  obtain rfl := Option.some.inj (hI.symm.trans hJ)
  have ht : tiling T (ceilSize A T) = some I := by rw [← ceilIndex_eq_tiling, hI]
  obtain ⟨C, hC, rfl⟩ := tiling_eq_some_iff.1 ht
  have hCv := complementIn_valid hT hC
  have e : (concat [T, C]).size = T.size * C.size := by
    simp [Layout.size, concat, concatModes, size_append]
  obtain ⟨Rs, hs, rfl⟩ := composites_of_isComposite_concat (fun L hL => by
    rcases List.mem_cons.1 hL with rfl | hL
    · exact hT
    · rw [List.mem_singleton.1 hL]; exact hCv) hc
  match Rs, hs with
  | [R₀, R₁], hs =>
    have h0 := hs.1
    have h1 := hs.2.1
    refine ⟨R₀.tree, R₁.tree, tree_concat_pair h0.1.1 h1.1.1, ?_, ?_, ?_, ?_⟩
    · rw [Layout.flatten_tree h0.1.1]; exact h0.1.2
    · rw [Layout.flatten_tree h1.1.1]; exact h1.1.2
    · rw [Layout.flatten_tree h0.1.1]; exact isComposite_size hT h0
    · have hp : 0 < T.size := hT.2.size_pos
      rw [Layout.flatten_tree h1.1.1, e, Nat.mul_div_cancel_left _ hp]
      exact isComposite_size hCv h1

/-! ## Every tiler -/

mutual
theorem elementAt_lt : (b : Tiler) → (t : HTuple Mode) → {p k x : Nat} → elementAt b t p k = some x →
    x < FlatLayout.size t.flatten
  | .keep, t, p, k, x, h => by
    rw [elementAt] at h
    split at h
    · cases h; assumption
    · cases h
  | .layout T, t, p, k, x, h => by
    rw [elementAt] at h
    split at h
    · split at h
      · cases h; assumption
      · cases h
    · cases h
  | .modes bs, t, p, k, x, h => by
    rw [elementAt] at h
    rw [← flattenList_children]
    exact elementsAt_lt bs (children t) h
theorem elementsAt_lt : (bs : List Tiler) → (ts : List (HTuple Mode)) → {p k x : Nat} →
    elementsAt bs ts p k = some x → x < FlatLayout.size (flattenList ts)
  | [], ts, p, k, x, h => by
    rw [elementsAt] at h
    split at h
    · cases h; assumption
    · cases h
  | _ :: _, [], _, _, _, h => by simp [elementsAt] at h
  | b :: bs, t :: ts, p, k, x, h => by
    rw [elementsAt] at h
    split at h
    · rename_i i j h1 h2
      cases h
      rw [flattenList, size_append]
      exact digit_lt (elementAt_lt b t h1) (elementsAt_lt bs ts h2)
    · cases h
end

theorem digit_mod {a b m : Nat} (ha : a < m) : (a + m * b) % m = a := by
  rw [Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt ha]

theorem digit_div {a b m : Nat} (ha : a < m) : (a + m * b) / m = b := by
  rw [Nat.add_mul_div_left _ _ (by omega), Nat.div_eq_of_lt ha, Nat.zero_add]

section
variable {f : Layout → Layout → Option Layout}

mutual
/-- The parts of a zipped division, and their offsets. -/
theorem parts_of_divide (hf : ∀ A T R, A.Valid → T.Valid → f A T = some R → IsCeilDivision A T R) :
    (b : Tiler) → (t r : HTuple Mode) → (q : HTuple Mode × HTuple Mode) → b.Valid → FlatLayout.Valid t.flatten →
    transform f b t = some r → unzip allRest b r = some q →
    FlatLayout.Valid q.1.flatten ∧ FlatLayout.Valid q.2.flatten ∧ FlatLayout.size q.1.flatten = tileSize b ∧
      FlatLayout.size q.2.flatten = tileCount b t ∧
      ∀ p k x, p < tileSize b → k < tileCount b t → elementAt b t p k = some x →
        atIndex q.1.flatten p + atIndex q.2.flatten k = atIndex t.flatten x
  | .keep, t, r, q, _, ht, h, hu => by
    rw [transform, Option.some.injEq] at h
    rw [unzip, Option.some.injEq] at hu
    rw [← hu, ← h, allRest]
    refine ⟨by simp [HTuple.flatten, FlatLayout.Valid], ht, by simp [HTuple.flatten, size_cons, size_nil, tileSize],
      by rw [tileCount], fun p k x _ _ he => ?_⟩
    rw [elementAt] at he
    split at he
    · cases he
      simp [HTuple.flatten, atIndex_singleton]
    · cases he
  | .layout T, t, r, q, hT, ht, h, hu => by
    rw [transform] at h
    obtain ⟨R, hR, rfl⟩ := Option.map_eq_some_iff.1 h
    have hA : (ofTree t).Valid := (valid_ofTree_iff t).2 ht
    have hd := hf _ _ _ hA hT hR
    have ⟨I, hI, _⟩ := hd
    obtain ⟨x, y, hxy, vx, vy, sx, sy⟩ := pair_of_isCeilDivision hT hI hd
    rw [hxy, unzip, Option.some.injEq] at hu
    rw [← hu]
    refine ⟨vx, vy, sx, by rw [tileCount, hI]; exact sy, fun p k z hp hk he => ?_⟩
    rw [tileSize] at hp
    rw [tileCount, hI] at hk
    rw [elementAt, hI] at he
    simp only at he hk
    have hlt : p + T.size * k < I.size := by
      rw [(size_of_ceilIndex hT hI).2]
      exact digit_lt hp hk
    split at he
    · rename_i hin
      cases he
      have e := isCeilDivision_atIndex hA hd hI hlt hin
      rw [← Layout.flatten_tree (hd.elim fun _ h => h.2.1.1), hxy] at e
      rw [HTuple.flatten, flattenList, flattenList, flattenList, List.append_nil, ← sx,
        atIndex_append_add (by rwa [sx]), sx] at e
      exact e
    · cases he
  | .modes bs, t, r, q, hb, ht, h, hu => by
    rw [transform] at h
    obtain ⟨rs, hrs, rfl⟩ := Option.map_eq_some_iff.1 h
    rw [unzip] at hu
    obtain ⟨qs, hqs, rfl⟩ := Option.map_eq_some_iff.1 hu
    have := parts_of_divides hf bs (children t) rs qs hb (by rwa [flattenList_children]) hrs hqs
    rw [tileSize, tileCount]
    simp only [HTuple.flatten]
    refine ⟨this.1, this.2.1, this.2.2.1, this.2.2.2.1, fun p k x hp hk he => ?_⟩
    rw [elementAt] at he
    rw [← flattenList_children t]
    exact this.2.2.2.2 p k x hp hk he
theorem parts_of_divides (hf : ∀ A T R, A.Valid → T.Valid → f A T = some R → IsCeilDivision A T R) :
    (bs : List Tiler) → (ts rs : List (HTuple Mode)) → (q : List (HTuple Mode) × List (HTuple Mode)) →
    Tiler.ValidList bs → FlatLayout.Valid (flattenList ts) →
    transformList f bs ts = some rs → unzipList allRest bs rs = some q →
    FlatLayout.Valid (flattenList q.1) ∧ FlatLayout.Valid (flattenList q.2) ∧
      FlatLayout.size (flattenList q.1) = tileSizes bs ∧ FlatLayout.size (flattenList q.2) = tileCounts bs ts ∧
      ∀ p k x, p < tileSizes bs → k < tileCounts bs ts → elementsAt bs ts p k = some x →
        atIndex (flattenList q.1) p + atIndex (flattenList q.2) k = atIndex (flattenList ts) x
  | [], ts, rs, q, _, ht, h, hu => by
    rw [transformList, Option.some.injEq] at h
    rw [unzipList, Option.some.injEq] at hu
    rw [← hu, ← h]
    refine ⟨trivial, ht, by simp [flattenList, size_nil, tileSizes], by rw [tileCounts], fun p k x _ _ he => ?_⟩
    rw [elementsAt] at he
    split at he
    · cases he
      simp [flattenList, atIndex_nil]
    · cases he
  | _ :: _, [], _, _, _, _, h, _ => by simp [transformList] at h
  | b :: bs, t :: ts, rs, q, hb, ht, h, hu => by
    rw [flattenList, valid_append_iff] at ht
    rw [transformList] at h
    split at h
    · rename_i r rs' h1 h2
      obtain rfl := Option.some.inj h
      rw [unzipList] at hu
      split at hu
      · rename_i x y xs ys h3 h4
        obtain rfl := Option.some.inj hu
        obtain ⟨v1, v2, s1, s2, e1⟩ := parts_of_divide hf b t r _ hb.1 ht.1 h1 h3
        obtain ⟨w1, w2, z1, z2, e2⟩ := parts_of_divides hf bs ts rs' _ hb.2 ht.2 h2 h4
        have p1 := v1.size_pos
        have p2 := v2.size_pos
        rw [s1] at p1
        rw [s2] at p2
        simp only at s1 s2 z1 z2 e1 e2
        refine ⟨(valid_append_iff _ _).2 ⟨v1, w1⟩, (valid_append_iff _ _).2 ⟨v2, w2⟩, ?_, ?_, fun p k z hp hk he => ?_⟩
        · rw [flattenList, size_append, s1, z1, tileSizes]
        · rw [flattenList, size_append, s2, z2, tileCounts]
        · rw [tileSizes] at hp
          rw [tileCounts] at hk
          rw [elementsAt] at he
          split at he
          · rename_i i j h5 h6
            cases he
            have g1 := e1 _ _ i (Nat.mod_lt _ p1) (Nat.mod_lt _ p2) h5
            have g2 := e2 _ _ j (Nat.div_lt_of_lt_mul hp) (Nat.div_lt_of_lt_mul hk) h6
            simp only [flattenList]
            rw [atIndex_append, atIndex_append, s1, s2, atIndex_append_add (elementAt_lt b t h5), ← g1, ← g2]
            omega
          · cases he
      · cases hu
    · cases h
end

mutual
/-- Every index of the tensor is met at one place of one tile. -/
theorem elementAt_unique (hf : ∀ A T R, A.Valid → T.Valid → f A T = some R → IsCeilDivision A T R) :
    (b : Tiler) → (t r : HTuple Mode) → b.Valid → FlatLayout.Valid t.flatten → transform f b t = some r →
    {x : Nat} → x < FlatLayout.size t.flatten → ∃ p k, (p < tileSize b ∧ k < tileCount b t ∧ elementAt b t p k = some x) ∧
      ∀ p' k', p' < tileSize b → k' < tileCount b t → elementAt b t p' k' = some x → p' = p ∧ k' = k
  | .keep, t, r, _, ht, h, x, hx => by
    refine ⟨0, x, ⟨by rw [tileSize]; omega, by rwa [tileCount], by rw [elementAt, if_pos hx]⟩, fun p' k' hp _ he => ?_⟩
    rw [tileSize] at hp
    rw [elementAt] at he
    split at he
    · cases he
      exact ⟨by omega, rfl⟩
    · cases he
  | .layout T, t, r, hT, ht, h, x, hx => by
    rw [transform] at h
    obtain ⟨R, hR, rfl⟩ := Option.map_eq_some_iff.1 h
    have hA : (ofTree t).Valid := (valid_ofTree_iff t).2 ht
    have ⟨I, hI, _⟩ := hf _ _ _ hA hT hR
    have hs := size_of_ceilIndex hT hI
    have hp : 0 < T.size := hT.2.size_pos
    obtain ⟨y, ⟨hy, ey⟩, uy⟩ := (ceilIndex_exists_unique hT hI).2 x
      (Nat.lt_of_lt_of_le hx (ceilIndex_size hT hI).1)
    have hy' : y < T.size * (I.size / T.size) := by rw [← hs.2]; exact hy
    simp only [tileSize, tileCount, elementAt, hI]
    refine ⟨y % T.size, y / T.size, ⟨Nat.mod_lt _ hp, Nat.div_lt_of_lt_mul hy', ?_⟩, fun p' k' hp' hk' he => ?_⟩
    · rw [Nat.mod_add_div, ey, if_pos hx]
    · split at he
      · have := Option.some.inj he
        have e := uy _ (by rw [hs.2]; exact digit_lt hp' hk') this
        rw [← e, digit_mod hp', digit_div hp']
        exact ⟨rfl, rfl⟩
      · cases he
  | .modes bs, t, r, hb, ht, h, x, hx => by
    rw [transform] at h
    obtain ⟨rs, hrs, rfl⟩ := Option.map_eq_some_iff.1 h
    simp only [tileSize, tileCount, elementAt]
    exact elementsAt_unique hf bs (children t) rs hb (by rwa [flattenList_children]) hrs
      (by rwa [flattenList_children])
theorem elementsAt_unique (hf : ∀ A T R, A.Valid → T.Valid → f A T = some R → IsCeilDivision A T R) :
    (bs : List Tiler) → (ts rs : List (HTuple Mode)) → Tiler.ValidList bs → FlatLayout.Valid (flattenList ts) →
    transformList f bs ts = some rs → {x : Nat} → x < FlatLayout.size (flattenList ts) →
    ∃ p k, (p < tileSizes bs ∧ k < tileCounts bs ts ∧ elementsAt bs ts p k = some x) ∧
      ∀ p' k', p' < tileSizes bs → k' < tileCounts bs ts → elementsAt bs ts p' k' = some x → p' = p ∧ k' = k
  | [], ts, rs, _, ht, h, x, hx => by
    refine ⟨0, x, ⟨by rw [tileSizes]; omega, by rwa [tileCounts], by rw [elementsAt, if_pos hx]⟩,
      fun p' k' hp _ he => ?_⟩
    rw [tileSizes] at hp
    rw [elementsAt] at he
    split at he
    · cases he
      exact ⟨by omega, rfl⟩
    · cases he
  | _ :: _, [], _, _, _, h, _, _ => by simp [transformList] at h
  | b :: bs, t :: ts, rs, hb, ht, h, x, hx => by
    rw [flattenList, valid_append_iff] at ht
    rw [flattenList, size_append] at hx
    rw [transformList] at h
    split at h
    · rename_i r rs' h1 h2
      have hn := ht.1.size_pos
      obtain ⟨p0, k0, ⟨a1, a2, a3⟩, u0⟩ := elementAt_unique hf b t r hb.1 ht.1 h1 (Nat.mod_lt x hn)
      obtain ⟨p1, k1, ⟨b1, b2, b3⟩, u1⟩ := elementsAt_unique hf bs ts rs' hb.2 ht.2 h2 (Nat.div_lt_of_lt_mul hx)
      refine ⟨p0 + tileSize b * p1, k0 + tileCount b t * k1, ⟨?_, ?_, ?_⟩, fun p' k' hp' hk' he => ?_⟩
      · rw [tileSizes]; exact digit_lt a1 b1
      · rw [tileCounts]; exact digit_lt a2 b2
      · rw [elementsAt, digit_mod a1, digit_mod a2, digit_div a1, digit_div a2, a3, b3]
        exact congrArg some (Nat.mod_add_div x _)
      · rw [tileSizes] at hp'
        rw [tileCounts] at hk'
        rw [elementsAt] at he
        split at he
        · rename_i i j h5 h6
          have e := Option.some.inj he
          have hi := elementAt_lt b t h5
          have ei : x % FlatLayout.size t.flatten = i := by rw [← e, digit_mod hi]
          have ej : x / FlatLayout.size t.flatten = j := by rw [← e, digit_div hi]
          obtain ⟨q1, q2⟩ := u0 _ _ (Nat.mod_lt p' (by omega)) (Nat.mod_lt k' (by omega)) (by rw [ei]; exact h5)
          obtain ⟨q3, q4⟩ := u1 _ _ (Nat.div_lt_of_lt_mul hp') (Nat.div_lt_of_lt_mul hk') (by rw [ej]; exact h6)
          rw [← q1, ← q2, ← q3, ← q4, Nat.mod_add_div, Nat.mod_add_div]
          exact ⟨rfl, rfl⟩
        · cases he
    · cases h
end

mutual
/-- Where the tiles divide, no place is padding. -/
theorem elementAt_isSome : (b : Tiler) → (t r : HTuple Mode) → b.Valid → FlatLayout.Valid t.flatten →
    transform logicalDivide b t = some r → {p k : Nat} → p < tileSize b → k < tileCount b t →
    (elementAt b t p k).isSome = true
  | .keep, t, r, _, _, _, p, k, _, hk => by
    rw [tileCount] at hk
    rw [elementAt, if_pos hk]
    rfl
  | .layout T, t, r, hT, ht, h, p, k, hp, hk => by
    rw [transform] at h
    obtain ⟨R, hR, rfl⟩ := Option.map_eq_some_iff.1 h
    have hA : (ofTree t).Valid := (valid_ofTree_iff t).2 ht
    obtain ⟨h1, I, hI, _, h2⟩ := logicalDivideCeil_of_logicalDivide hA hT hR
    rw [isCeilDivision_size hT (logicalDivideCeil_sound hT h1) hI] at h2
    rw [tileSize] at hp
    simp only [tileCount, hI] at hk
    simp only [elementAt, hI]
    have hin : atIndex I.modes (p + T.size * k) < FlatLayout.size t.flatten :=
      h2 _ (by rw [(size_of_ceilIndex hT hI).2]; exact digit_lt hp hk)
    rw [if_pos hin]
    rfl
  | .modes bs, t, r, hb, ht, h, p, k, hp, hk => by
    rw [transform] at h
    obtain ⟨rs, hrs, rfl⟩ := Option.map_eq_some_iff.1 h
    rw [elementAt]
    exact elementsAt_isSome bs (children t) rs hb (by rwa [flattenList_children]) hrs hp hk
theorem elementsAt_isSome : (bs : List Tiler) → (ts rs : List (HTuple Mode)) → Tiler.ValidList bs →
    FlatLayout.Valid (flattenList ts) → transformList logicalDivide bs ts = some rs → {p k : Nat} →
    p < tileSizes bs → k < tileCounts bs ts → (elementsAt bs ts p k).isSome = true
  | [], ts, rs, _, _, _, p, k, _, hk => by
    rw [tileCounts] at hk
    rw [elementsAt, if_pos hk]
    rfl
  | _ :: _, [], _, _, _, h, _, _, _, _ => by simp [transformList] at h
  | b :: bs, t :: ts, rs, hb, ht, h, p, k, hp, hk => by
    rw [flattenList, valid_append_iff] at ht
    rw [transformList] at h
    split at h
    · rename_i r rs' h1 h2
      rw [tileSizes] at hp
      rw [tileCounts] at hk
      have p1 : 0 < tileSize b := Nat.pos_of_ne_zero fun h0 => by rw [h0, Nat.zero_mul] at hp; omega
      have p2 : 0 < tileCount b t := Nat.pos_of_ne_zero fun h0 => by rw [h0, Nat.zero_mul] at hk; omega
      obtain ⟨i, hi⟩ := Option.isSome_iff_exists.1
        (elementAt_isSome b t r hb.1 ht.1 h1 (Nat.mod_lt p p1) (Nat.mod_lt k p2))
      obtain ⟨j, hj⟩ := Option.isSome_iff_exists.1 (elementsAt_isSome bs ts rs' hb.2 ht.2 h2
        (Nat.div_lt_of_lt_mul hp) (Nat.div_lt_of_lt_mul hk))
      rw [elementsAt, hi, hj]
      rfl
    · cases h
end

end

/-! ## The theorems -/

theorem ceilDivision_of_logicalDivide {A T R : Layout} (hA : A.Valid) (hT : T.Valid) (h : logicalDivide A T = some R) :
    IsCeilDivision A T R := logicalDivideCeil_sound hT (logicalDivideCeil_of_logicalDivide hA hT h).1

theorem zipped_call_of_arrange {f : Layout → Layout → Option Layout}
    (hf : ∀ A T R, A.Valid → T.Valid → f A T = some R → IsCeilDivision A T R) {A Z : Layout} {b : Tiler} (hA : A.Valid)
    (hb : b.Valid) (h : arrange zippedForm allRest f A b = some Z) {p k x : Nat} (hp : p < tileSize b)
    (hk : k < tileCount b A.tree) (hx : elementAt b A.tree p k = some x) :
    x < A.size ∧ Z.call (.node [.leaf (some p), .leaf (some k)]) = some (atIndex A.modes x) := by
  rw [arrange] at h
  split at h
  · rename_i t ht
    obtain ⟨q, hq, rfl⟩ := Option.map_eq_some_iff.1 h
    have hl : A.tree.flatten = A.modes := Layout.flatten_tree hA.1
    obtain ⟨v1, v2, s1, s2, e⟩ := parts_of_divide hf b _ t q hb (by rw [hl]; exact hA.2) ht hq
    have hlt := elementAt_lt b _ hx
    rw [hl] at e hlt
    refine ⟨hlt, ?_⟩
    rw [call_zippedForm, call_tree_index (by rwa [s1]), call_tree_index (by rwa [s2]), ← e p k x hp hk hx]
    rfl
  · cases h

/-- **Place p of tile k of a zipped division, padded or not, has the offset of the element that it stands for, unless it is
padding.**
Rust: `razorgirl::Layout::zipped_divide`, `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `zipped_divide` -/
theorem zippedDivideCeil_call {A Z : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    (h : zippedDivideCeil A b = some Z ∨ zippedDivide A b = some Z) {p k x : Nat} (hp : p < tileSize b)
    (hk : k < tileCount b A.tree) (hx : elementAt b A.tree p k = some x) :
    x < A.size ∧ Z.call (.node [.leaf (some p), .leaf (some k)]) = some (atIndex A.modes x) := by
  rcases h with h | h
  · exact zipped_call_of_arrange (fun _ _ _ _ hT h => logicalDivideCeil_sound hT h) hA hb h hp hk hx
  · exact zipped_call_of_arrange (fun _ _ _ hA hT h => ceilDivision_of_logicalDivide hA hT h) hA hb h hp hk hx

/-- **The padded zipped division is refused exactly when the mode-by-mode division with padding is. It has as many coordinates
as there are places in a tile times tiles.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `zipped_divide` -/
theorem zippedDivideCeil_isSome {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid) :
    (zippedDivideCeil A b).isSome = (logicalDivideCeilBy A b).isSome ∧
      ∀ Z, zippedDivideCeil A b = some Z → Z.size = tileSize b * tileCount b A.tree := by
  refine ⟨arrange_isSome_iff (fun A T R hT h => ?_) _ hb, fun Z h => ?_⟩
  · have hd := logicalDivideCeil_sound hT h
    have ⟨I, hI, _⟩ := hd
    obtain ⟨x, y, e, _⟩ := pair_of_isCeilDivision hT hI hd
    exact ⟨x, y, e⟩
  · rw [zippedDivideCeil, arrange] at h
    split at h
    · rename_i t ht
      obtain ⟨q, hq, rfl⟩ := Option.map_eq_some_iff.1 h
      have hl : A.tree.flatten = A.modes := Layout.flatten_tree hA.1
      obtain ⟨_, _, s1, s2, _⟩ := parts_of_divide (fun _ _ _ _ hT h => logicalDivideCeil_sound hT h) b _ t q hb
        (by rw [hl]; exact hA.2) ht hq
      have e : (ofTree (zippedForm q)).modes = q.1.flatten ++ q.2.flatten := by
        simp [ofTree, zippedForm, HTuple.flatten, flattenList]
      rw [Layout.size, e, size_append, s1, s2]
    · cases h

/-- **Each element of a tensor belongs to exactly one place of one tile, for every tiler, padded or not.**
Rust: `razorgirl::Layout::zipped_divide`, `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `zipped_divide` -/
theorem elementAt_exists_unique {A Z : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    (h : zippedDivideCeil A b = some Z ∨ zippedDivide A b = some Z) {x : Nat} (hx : x < A.size) :
    ∃ p k, (p < tileSize b ∧ k < tileCount b A.tree ∧ elementAt b A.tree p k = some x) ∧
      ∀ p' k', p' < tileSize b → k' < tileCount b A.tree → elementAt b A.tree p' k' = some x → p' = p ∧ k' = k := by
  have hl : A.tree.flatten = A.modes := Layout.flatten_tree hA.1
  have hv : FlatLayout.Valid A.tree.flatten := by rw [hl]; exact hA.2
  have hx' : x < FlatLayout.size A.tree.flatten := by rw [hl]; exact hx
  rcases h with h | h
  · rw [zippedDivideCeil, arrange] at h
    split at h
    · rename_i t ht
      exact elementAt_unique (fun _ _ _ _ hT h => logicalDivideCeil_sound hT h) b _ t hb hv ht hx'
    · cases h
  · rw [zippedDivide, arrange] at h
    split at h
    · rename_i t ht
      exact elementAt_unique (fun _ _ _ hA hT h => ceilDivision_of_logicalDivide hA hT h) b _ t hb hv ht hx'
    · cases h

/-- **Where the tiles divide, no place of a tile is padding.**
Rust: `razorgirl::Layout::zipped_divide`
Source: CuTe `zipped_divide` -/
theorem elementAt_isSome_of_zippedDivide {A Z : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    (h : zippedDivide A b = some Z) {p k : Nat} (hp : p < tileSize b) (hk : k < tileCount b A.tree) :
    (elementAt b A.tree p k).isSome = true := by
  rw [zippedDivide, arrange] at h
  split at h
  · rename_i t ht
    exact elementAt_isSome b _ t hb (by rw [Layout.flatten_tree hA.1]; exact hA.2) ht hp hk
  · cases h

/-- **Dealt out by a thread-value layout that is a bijection onto the tile, each element of the tensor is exactly one value
of one thread in one tile, for every tiler, padded or not.**
Rust: `razorgirl::Layout::zipped_divide`, `razorgirl::Layout::logical_divide_ceil`, `razorgirl::Layout::make_layout_tv`
Source: CuTe, TV layouts over `zipped_divide` -/
theorem elementOf_exists_unique {A Z R : Layout} {b : Tiler} {t v : Nat} (hA : A.Valid) (hb : b.Valid)
    (h : zippedDivideCeil A b = some Z ∨ zippedDivide A b = some Z) (hR : R.Valid)
    (hc : IntTuple.compatible (.node [.leaf t, .leaf v]) R.shape = true) (hbij : Contiguous R.modes)
    (hs : R.size = tileSize b) {x : Nat} (hx : x < A.size) :
    ∃ k i j, (k < tileCount b A.tree ∧ i < t ∧ j < v ∧ elementOf A b R k i j = some x) ∧
      ∀ k' i' j', k' < tileCount b A.tree → i' < t → j' < v → elementOf A b R k' i' j' = some x →
        k' = k ∧ i' = i ∧ j' = j := by
  have hrs : FlatLayout.size R.modes = t * v := size_of_compatible_pair hR hc
  obtain ⟨p, k, ⟨hp, hk, he⟩, hu⟩ := elementAt_exists_unique hA hb h hx
  obtain ⟨y, ⟨hy, ey⟩, uy⟩ := exists_unique_of_contiguous hbij (o := p) (by rw [← hs] at hp; exact hp)
  rw [hrs] at hy uy
  have ht : 0 < t := Nat.pos_of_ne_zero fun h0 => by rw [h0, Nat.zero_mul] at hy; omega
  have hi : y % t < t := Nat.mod_lt _ ht
  have hj : y / t < v := Nat.div_lt_of_lt_mul hy
  refine ⟨k, y % t, y / t, ⟨hk, hi, hj, ?_⟩, fun k' i' j' hk' hi' hj' he' => ?_⟩
  · rw [elementOf, call_pair hR hc hi hj, Nat.mod_add_div, ey]
    exact he
  · rw [elementOf, call_pair hR hc hi' hj'] at he'
    have hlt : i' + t * j' < t * v := digit_lt hi' hj'
    have hp' : atIndex R.modes (i' + t * j') < tileSize b := by
      rw [← hs]
      exact atIndex_lt_size_of_contiguous hbij (by rw [hrs]; exact hlt)
    obtain ⟨q1, q2⟩ := hu _ _ hp' hk' he'
    have := uy _ hlt q1
    rw [← this, digit_mod hi', digit_div hi']
    exact ⟨q2, rfl, rfl⟩

/-- **Its offset there, through the thread-value layout and the zipped division, is its offset in the tensor.**
Rust: `razorgirl::Layout::zipped_divide`, `razorgirl::Layout::logical_divide_ceil`, `razorgirl::Layout::make_layout_tv`
Source: CuTe, TV layouts over `zipped_divide` -/
theorem elementOf_call {A Z R : Layout} {b : Tiler} {t v k i j x : Nat} (hA : A.Valid) (hb : b.Valid)
    (h : zippedDivideCeil A b = some Z ∨ zippedDivide A b = some Z) (hR : R.Valid)
    (hc : IntTuple.compatible (.node [.leaf t, .leaf v]) R.shape = true) (hbij : Contiguous R.modes)
    (hs : R.size = tileSize b) (hk : k < tileCount b A.tree) (hi : i < t) (hj : j < v)
    (hx : elementOf A b R k i j = some x) : x < A.size ∧
      ∃ p, R.call (.node [.leaf (some i), .leaf (some j)]) = some p ∧
        Z.call (.node [.leaf (some p), .leaf (some k)]) = some (atIndex A.modes x) := by
  rw [elementOf, call_pair hR hc hi hj] at hx
  have hrs : FlatLayout.size R.modes = t * v := size_of_compatible_pair hR hc
  have hp : atIndex R.modes (i + t * j) < tileSize b := by
    rw [← hs]
    exact atIndex_lt_size_of_contiguous hbij (by rw [hrs]; exact digit_lt hi hj)
  obtain ⟨h1, h2⟩ := zippedDivideCeil_call hA hb h hp hk hx
  exact ⟨h1, _, call_pair hR hc hi hj, h2⟩

end Layout

end Razorgirl
