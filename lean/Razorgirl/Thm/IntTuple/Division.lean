module

public import Razorgirl.Spec.IntTuple.Division
public import Razorgirl.Thm.Coord
public import Razorgirl.Thm.Int.Nat

@[expose] public section

/-!
# Shapes divided by shapes: what is proved

As many tiles as the quotient says cover the shape, exactly where nothing was rounded.
-/

namespace Razorgirl

namespace IntTuple
open HTuple

namespace Aux

theorem length_ceilQuots (s : List Nat) (n : Nat) : (ceilQuots s n).length = s.length := by
  induction s generalizing n with
  | nil => rfl
  | cons a s ih => rw [ceilQuots, List.length_cons, List.length_cons, ih]

theorem length_shapeQuots {s q : List Nat} {n : Nat} (h : shapeQuots s n = some q) : q.length = s.length := by
  induction s generalizing n q with
  | nil => obtain rfl := Option.some.inj h; rfl
  | cons a s ih =>
    rw [shapeQuots] at h
    split at h
    · obtain ⟨p, hp, rfl⟩ := Option.map_eq_some_iff.1 h
      rw [List.length_cons, List.length_cons, ih hp]
    · cases h

theorem flatten_quot {a : IntTuple} {q : List Nat} (h : q.length = a.flatten.length) :
    (unflatten 0 a.profile q).flatten = q :=
  flatten_unflatten _ _ _ (by rw [h, length_profile, length_flatten])

theorem size_ceilDivLeaf {a q : IntTuple} {n : Nat} (h : ceilDivLeaf a n = some q) :
    q.profile = a.profile ∧ size a ≤ n * size q ∧ size q = prod (ceilQuots a.flatten n) := by
  rw [ceilDivLeaf] at h
  split at h
  · rename_i hc
    obtain rfl := Option.some.inj h
    have e : size (unflatten 0 a.profile (ceilQuots a.flatten n)) = prod (ceilQuots a.flatten n) := by
      rw [size_eq_prod, flatten_quot (length_ceilQuots _ _)]
    exact ⟨profile_unflatten _ _ _, by rw [e]; exact hc, e⟩
  · cases h

theorem ceilDiv_leaf (a : IntTuple) (n : Nat) : ceilDiv a (.leaf n) = ceilDivLeaf a n := by
  cases a <;> rfl

mutual
theorem size_ceilDiv : (a b : IntTuple) → (q : IntTuple) → Positive b → ceilDiv a b = some q →
    size a ≤ size b * size q
  | a, .leaf n, q, _, h => by
    rw [ceilDiv_leaf] at h
    exact (size_ceilDivLeaf h).2.1
  | .leaf s, .node bs, q, hb, h => by
    simp only [ceilDiv, Option.some.injEq] at h
    rw [← h]
    exact Division.le_mul_ceilDiv ((positive_iff_size_pos _).1 hb)
  | .node as, .node bs, q, hb, h => by
    simp only [ceilDiv] at h
    obtain ⟨qs, hq, rfl⟩ := Option.map_eq_some_iff.1 h
    simp only [Positive] at hb
    simp only [size]
    exact size_ceilDivList as bs qs hb hq
theorem size_ceilDivList : (as bs : List IntTuple) → (qs : List IntTuple) → PositiveList bs →
    ceilDivList as bs = some qs → sizeList as ≤ sizeList bs * sizeList qs
  | as, [], qs, _, h => by
    simp only [ceilDivList, Option.some.injEq] at h
    rw [← h, sizeList, Nat.one_mul]
    exact Nat.le_refl _
  | [], _ :: _, _, _, h => by simp [ceilDivList] at h
  | a :: as, b :: bs, qs, hb, h => by
    simp only [ceilDivList] at h
    simp only [PositiveList] at hb
    split at h
    · rename_i q qs' h1 h2
      obtain rfl := Option.some.inj h
      have i1 := size_ceilDiv a b q hb.1 h1
      have i2 := size_ceilDivList as bs qs' hb.2 h2
      simp only [sizeList]
      have := Nat.mul_le_mul i1 i2
      grind
    · cases h
end

end Aux
open Aux

/-- **As many tiles as `ceil_div` says cover the shape: size of the tile times size of the quotient is at least the
size.**
Rust: `razorgirl::Shape::ceil_div`
Source: CuTe `ceil_div` (which also answers where they do not) -/
theorem le_size_mul_ceilDiv {a b q : IntTuple} (hb : Positive b) (h : ceilDiv a b = some q) :
    size a ≤ size b * size q := size_ceilDiv a b q hb h

/-- The quotient that CuTe gives by an integer need not cover: 6 · 3 < 4 · 5. -/
example : ¬ prod [4, 5] ≤ 6 * prod (ceilQuots [4, 5] 6) := by decide

/-- **Dividing by an integer, `ceil_div` exists exactly where CuTe's quotient covers, and it is exact exactly where
`evenly_divides` says so.**
Rust: `razorgirl::Shape::ceil_div`
Source: CuTe `ceil_div`, `evenly_divides` -/
theorem ceilDiv_leaf_spec (a : IntTuple) (n : Nat) :
    ((ceilDiv a (.leaf n)).isSome = true ↔ size a ≤ n * prod (ceilQuots a.flatten n)) ∧
      (evenlyDivides a (.leaf n) = true ↔ ∃ q, ceilDiv a (.leaf n) = some q ∧ n * size q = size a) := by
  rw [ceilDiv_leaf]
  have he : evenlyDivides a (.leaf n) = true ↔ size a = n * prod (ceilQuots a.flatten n) := by
    cases a <;> simp [evenlyDivides]
  constructor
  · rw [ceilDivLeaf]
    split <;> simp_all
  · rw [he]
    constructor
    · intro h
      have hs : ceilDivLeaf a n = some (unflatten 0 a.profile (ceilQuots a.flatten n)) := by
        rw [ceilDivLeaf, if_pos (Nat.le_of_eq h)]
      exact ⟨_, hs, by rw [(size_ceilDivLeaf hs).2.2, h]⟩
    · rintro ⟨q, hq, e⟩
      rw [← e, (size_ceilDivLeaf hq).2.2]

/-! ## Rounding up -/

mutual
theorem roundUp_spec : (a b : IntTuple) → (r : IntTuple) → Positive b → roundUp a b = some r →
    evenlyDivides r b = true ∧ size a ≤ size r ∧ (evenlyDivides a b = true → r = a)
  | .leaf s, .leaf n, r, hb, h => by
    simp only [roundUp, Option.some.injEq] at h
    subst h
    simp only [Positive] at hb
    simp only [evenlyDivides, size, HTuple.flatten, ceilQuots, prod, Nat.mul_one, beq_iff_eq]
    refine ⟨?_, ?_, fun h => ?_⟩
    · rw [Division.ceilDiv_of_dvd (Nat.dvd_mul_left ..), Nat.mul_div_cancel _ hb, Nat.mul_comm]
    · rw [Nat.mul_comm]; exact Division.le_mul_ceilDiv hb
    · rw [Nat.mul_comm, ← h]
  | .node as, .node bs, r, hb, h => by
    simp only [roundUp] at h
    obtain ⟨rs, hr, rfl⟩ := Option.map_eq_some_iff.1 h
    simp only [Positive] at hb
    simp only [evenlyDivides, size, children, HTuple.node.injEq]
    exact roundUpList_spec as bs rs hb hr
  | .leaf _, .node _, _, _, h => by simp [roundUp] at h
  | .node _, .leaf _, _, _, h => by simp [roundUp] at h
theorem roundUpList_spec : (as bs : List IntTuple) → (rs : List IntTuple) → PositiveList bs →
    roundUpList as bs = some rs →
    evenlyDividesList rs bs = true ∧ sizeList as ≤ sizeList rs ∧ (evenlyDividesList as bs = true → rs = as)
  | as, [], rs, _, h => by
    simp only [roundUpList, Option.some.injEq] at h
    subst h
    exact ⟨by cases as <;> simp [evenlyDividesList], Nat.le_refl _, fun _ => rfl⟩
  | [], _ :: _, _, _, h => by simp [roundUpList] at h
  | a :: as, b :: bs, rs, hb, h => by
    simp only [roundUpList] at h
    simp only [PositiveList] at hb
    split at h
    · rename_i r rs' h1 h2
      obtain rfl := Option.some.inj h
      have ⟨i1, i2, i3⟩ := roundUp_spec a b r hb.1 h1
      have ⟨j1, j2, j3⟩ := roundUpList_spec as bs rs' hb.2 h2
      simp only [evenlyDividesList, sizeList, Bool.and_eq_true, List.cons.injEq]
      exact ⟨⟨i1, j1⟩, Nat.mul_le_mul i2 j2, fun h => ⟨i3 h.1, j3 h.2⟩⟩
    · cases h
end

/-- **Rounded up, a shape is evenly divided and no smaller; a shape that was evenly divided stays as it was.**
Rust: `razorgirl::Shape::round_up`
Source: CuTe `round_up` -/
theorem roundUp_evenlyDivides {a b r : IntTuple} (hb : Positive b) (h : roundUp a b = some r) :
    evenlyDivides r b = true ∧ size a ≤ size r ∧ (evenlyDivides a b = true → r = a) := roundUp_spec a b r hb h

/-- **An extent is rounded up to the least multiple: it is below the extent plus the tile.**
Rust: `razorgirl::Shape::round_up`
Source: CuTe `round_up` -/
theorem roundUp_leaf {s n : Nat} (hn : 0 < n) : ∃ r, roundUp (.leaf s) (.leaf n) = some (.leaf r) ∧ n ∣ r ∧
    s ≤ r ∧ r < s + n := by
  refine ⟨Division.ceilDiv s n * n, by simp [roundUp], Nat.dvd_mul_left .., ?_, ?_⟩
  · rw [Nat.mul_comm]; exact Division.le_mul_ceilDiv hn
  · rw [Division.ceilDiv]
    have := Nat.div_mul_le_self (s + n - 1) n
    omega

/-! ## Evenly -/

mutual
theorem size_dvd_met : (a b : IntTuple) → evenlyDivides a b = true → size b ∣ met a b
  | a, .leaf n, h => by
    have he : size a = n * prod (ceilQuots a.flatten n) := by cases a <;> simpa [evenlyDivides] using h
    have hm : met a (.leaf n) = size a := by cases a <;> rfl
    rw [hm, he]
    exact Nat.dvd_mul_right ..
  | a, .node bs, h => by
    have hl : evenlyDividesList a.children bs = true := by cases a <;> simpa [evenlyDivides] using h
    have hm : met a (.node bs) = metList a.children bs := by cases a <;> rfl
    rw [hm, size]
    exact sizeList_dvd_metList a.children bs hl
theorem sizeList_dvd_metList : (as bs : List IntTuple) → evenlyDividesList as bs = true →
    sizeList bs ∣ metList as bs
  | _, [], _ => by simp [sizeList]
  | [], _ :: _, h => by simp [evenlyDividesList] at h
  | a :: as, b :: bs, h => by
    simp only [evenlyDividesList, Bool.and_eq_true] at h
    simp only [sizeList, metList]
    exact Nat.mul_dvd_mul (size_dvd_met a b h.1) (sizeList_dvd_metList as bs h.2)
end

/-- **Where a tiler evenly divides a shape, the size of a tile divides the size of the modes that it meets.**
Rust: `razorgirl::Shape::evenly_divided_by`
Source: CuTe `evenly_divides` -/
theorem evenlyDivides_dvd {a b : IntTuple} (h : evenlyDivides a b = true) : size b ∣ met a b :=
  size_dvd_met a b h

/-- **A tile of `n` evenly divides an extent exactly when `n` divides it.**
Rust: `razorgirl::Shape::evenly_divided_by`
Source: CuTe `evenly_divides` -/
theorem evenlyDivides_leaf {s n : Nat} : evenlyDivides (.leaf s) (.leaf n) = true ↔ n ∣ s := by
  simp only [evenlyDivides, size, HTuple.flatten, ceilQuots, prod, Nat.mul_one, beq_iff_eq]
  constructor
  · intro h
    rw [h]
    exact Nat.dvd_mul_right ..
  · intro h
    rw [Division.ceilDiv_of_dvd h, Nat.mul_div_cancel' h]

/-! ## Without remainder -/

namespace Aux

theorem shapeQuots_spec {s q : List Nat} {n : Nat} (hs : ∀ e ∈ s, 0 < e) (hn : 0 < n)
    (h : shapeQuots s n = some q) :
    q = ceilQuots s n ∧ ∃ r, n * prod q = prod s * r ∧ (r = 1 ∨ prod q = 1) := by
  induction s generalizing n q with
  | nil =>
    obtain rfl := Option.some.inj h
    exact ⟨rfl, n, by simp [prod], .inr rfl⟩
  | cons a s ih =>
    rw [shapeQuots] at h
    have ha := hs a (by simp)
    split at h
    · rename_i hd
      obtain ⟨p, hp, rfl⟩ := Option.map_eq_some_iff.1 h
      obtain ⟨e, r, hr, hr'⟩ := ih (fun e he => hs e (by simp [he])) (Division.ceilDiv_pos hn ha) hp
      refine ⟨by rw [ceilQuots, e], ?_⟩
      rcases hd with hd | hd
      · -- the rest of the divisor ends here
        have hdvd := Nat.dvd_of_mod_eq_zero hd
        have hle := Nat.le_of_dvd ha hdvd
        rw [Division.ceilDiv_of_le hn hle, Nat.one_mul] at hr
        have hr1 : r = 1 := by
          rcases hr' with h | h
          · exact h
          · rw [h] at hr
            exact Nat.eq_one_of_mul_eq_one_left hr.symm
        refine ⟨1, ?_, .inl rfl⟩
        rw [prod, prod, hr, hr1, Division.ceilDiv_of_dvd hdvd, Nat.mul_one, Nat.mul_one, ← Nat.mul_assoc,
          Nat.mul_div_cancel' hdvd]
      · have hdvd := Nat.dvd_of_mod_eq_zero hd
        have hle := Nat.le_of_dvd hn hdvd
        rw [Division.ceilDiv_of_dvd hdvd] at hr
        refine ⟨r, ?_, ?_⟩
        · rw [prod, prod, Division.ceilDiv_of_le ha hle, Nat.one_mul, Nat.mul_assoc, ← hr, ← Nat.mul_assoc,
            Nat.mul_div_cancel' hdvd]
        · rw [prod, Division.ceilDiv_of_le ha hle, Nat.one_mul]
          exact hr'
    · cases h

end Aux

/-- **Dividing by an integer without remainder, divisor times quotient is the size, or all extents are used up and the
size divides the divisor. It is the quotient of `ceil_div`.**
Rust: `razorgirl::Shape::shape_div`
Source: CuTe `shape_div` -/
theorem shapeDiv_leaf_spec {a q : IntTuple} {n : Nat} (ha : Positive a) (hn : 0 < n)
    (h : shapeDiv a (.leaf n) = some q) :
    q.profile = a.profile ∧ ceilDiv a (.leaf n) = some q ∧
      (n * size q = size a ∨ size q = 1 ∧ size a ∣ n) := by
  have h' : shapeDivLeaf a n = some q := by cases a <;> exact h
  obtain ⟨p, hp, rfl⟩ := Option.map_eq_some_iff.1 h'
  have hs := (positive_iff_mem a).1 ha
  obtain ⟨e, r, hr, hr'⟩ := shapeQuots_spec hs hn hp
  have hl := length_shapeQuots hp
  have hsize : size (unflatten 0 a.profile p) = prod p := by rw [size_eq_prod, flatten_quot hl]
  have hlaw : n * prod p = size a ∨ prod p = 1 ∧ size a ∣ n := by
    rw [size_eq_prod a]
    rcases hr' with h1 | h1
    · rw [h1, Nat.mul_one] at hr
      exact .inl hr
    · rw [h1, Nat.mul_one] at hr
      exact .inr ⟨h1, hr ▸ Nat.dvd_mul_right ..⟩
  refine ⟨profile_unflatten _ _ _, ?_, by rw [hsize]; exact hlaw⟩
  rw [ceilDiv_leaf, ceilDivLeaf, ← e, if_pos]
  rcases hlaw with h1 | ⟨h1, h2⟩
  · exact Nat.le_of_eq h1.symm
  · rw [h1, Nat.mul_one]
    exact Nat.le_of_dvd hn h2

end IntTuple

end Razorgirl
