module

public import Razorgirl.Spec.Layout.Injective
public import Razorgirl.Thm.Tma.Fttc.Dimension

@[expose] public section

/-!
# The fundamental theorem of TMA correctness

In any number of dimensions, both directions: a strongly correct strategy exists exactly when no dimension violates the
condition, and then the strategy of level 2 is one. The assumptions are those of the model (`Spec/Tma/Fttc.lean`).
-/

namespace Razorgirl

namespace Tma

/-! ## Which dimensions violate -/

theorem mem_violationsFrom {n i : Nat} {D : Descriptor} :
    i ∈ violationsFrom n D ↔ ∃ j d, D[j]? = some d ∧ d.violates = true ∧ i = n + j := by
  induction D generalizing n with
  | nil => simp [violationsFrom]
  | cons d D ih =>
    have step : i ∈ violationsFrom (n + 1) D ↔
        ∃ j d', (d :: D)[j + 1]? = some d' ∧ d'.violates = true ∧ i = n + (j + 1) := by
      rw [ih]; simp [Nat.add_assoc, Nat.add_comm 1]
    have split : (∃ j d', (d :: D)[j]? = some d' ∧ d'.violates = true ∧ i = n + j) ↔
        (d.violates = true ∧ i = n) ∨ ∃ j d', (d :: D)[j + 1]? = some d' ∧ d'.violates = true ∧ i = n + (j + 1) := by
      constructor
      · rintro ⟨j, d', h⟩
        cases j with
        | zero =>
          obtain ⟨h₁, h₂, h₃⟩ := h
          obtain rfl : d = d' := by simpa using h₁
          exact Or.inl ⟨h₂, h₃⟩
        | succ j => exact Or.inr ⟨j, d', h⟩
      · rintro (⟨h₁, h₂⟩ | ⟨j, d', h⟩)
        · exact ⟨0, d, by simp, h₁, by simpa using h₂⟩
        · exact ⟨j + 1, d', h⟩
    rw [split, violationsFrom]
    split
    · rename_i hv
      rw [List.mem_cons, step]
      simp [hv]
    · rename_i hv
      rw [step]
      simp [hv]

/-- **The violations are the numbers, innermost 0, of the dimensions that violate the condition.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 6 (FTTC) -/
theorem mem_violations_iff {D : Descriptor} {i : Nat} :
    i ∈ violations D ↔ ∃ d, D[i]? = some d ∧ d.violates = true := by
  rw [violations, mem_violationsFrom]
  constructor
  · rintro ⟨j, d, h₁, h₂, rfl⟩
    exact ⟨d, by simpa using h₁, h₂⟩
  · rintro ⟨d, h₁, h₂⟩
    exact ⟨i, d, h₁, h₂, by simp⟩

theorem violations_eq_nil_iff {D : Descriptor} : violations D = [] ↔ ∀ d ∈ D, d.violates = false := by
  rw [List.eq_nil_iff_forall_not_mem]
  simp only [mem_violations_iff]
  constructor
  · intro h d hd
    obtain ⟨i, hi⟩ := List.mem_iff_getElem?.1 hd
    have := h i
    cases hv : d.violates with
    | false => rfl
    | true => exact absurd ⟨d, hi, hv⟩ this
  · rintro h i ⟨d, hd, hv⟩
    have := h d (List.mem_of_getElem? hd)
    rw [hv] at this
    cases this

/-! ## Vectors of indices -/

theorem cons_of_inBounds {s : Nat} {ss c : List Nat} (h : InBounds (s :: ss) c) :
    ∃ c₀ cs, c = c₀ :: cs ∧ c₀ < s ∧ InBounds ss cs := by
  match c, h with
  | c₀ :: cs, h => exact ⟨c₀, cs, rfl, h.1, h.2⟩

theorem nil_of_inBounds {c : List Nat} (h : InBounds [] c) : c = [] := (inBounds_nil_iff c).1 h

theorem within_tile_cons {d : Dim} {D : Descriptor} {c₀ s₀ t₀ : Nat} {cs ss ts : List Nat} :
    within (d :: D) (position (d :: D) (tileStart (d :: D) (c₀ :: cs) (s₀ :: ss)) (t₀ :: ts)) = true ↔
      c₀ * d.box + (t₀ * d.elementStride + s₀) < d.size ∧
        within D (position D (tileStart D cs ss) ts) = true := by
  simp only [tileStart, position, within, Bool.and_eq_true, decide_eq_true_eq]
  have e : (((c₀ * d.box + s₀ : Nat) : Int) + (t₀ : Int) * d.elementStride) =
      ((c₀ * d.box + (t₀ * d.elementStride + s₀) : Nat) : Int) := by
    rw [show (t₀ : Int) * d.elementStride = ((t₀ * d.elementStride : Nat) : Int) by simp]
    omega
  rw [e]
  constructor
  · rintro ⟨⟨-, h⟩, h'⟩
    exact ⟨by omega, h'⟩
  · rintro ⟨h, h'⟩
    exact ⟨⟨by omega, by omega⟩, h'⟩

/-- A valid item passes the hardware's test. -/
theorem within_of_valid : {D : Descriptor} → {c s t : List Nat} → InBounds (grid D) c → InBounds (phases D) s →
    InBounds (tileShape D) t → valid D c s t = true → within D (position D (tileStart D c s) t) = true
  | [], c, s, t, hc, hs, ht, _ => by
    rw [nil_of_inBounds hc, nil_of_inBounds hs, nil_of_inBounds ht]; rfl
  | d :: D, c, s, t, hc, hs, ht, hv => by
    obtain ⟨c₀, cs, rfl, -, hc'⟩ := cons_of_inBounds hc
    obtain ⟨s₀, ss, rfl, -, hs'⟩ := cons_of_inBounds hs
    obtain ⟨t₀, ts, rfl, -, ht'⟩ := cons_of_inBounds ht
    simp only [valid, Bool.and_eq_true, decide_eq_true_eq] at hv
    exact within_tile_cons.2 ⟨hv.1.2, within_of_valid hc' hs' ht' hv.2⟩

/-- The origin: box 0, phase 0, first item. -/
theorem origin_valid : {D : Descriptor} → Valid D → ∃ c s t, InBounds (grid D) c ∧ InBounds (phases D) s ∧
    InBounds (tileShape D) t ∧ valid D c s t = true
  | [], _ => ⟨[], [], [], trivial, trivial, trivial, rfl⟩
  | d :: D, hD => by
    obtain ⟨c, s, t, hc, hs, ht, hv⟩ := origin_valid hD.2
    refine ⟨0 :: c, 0 :: s, 0 :: t, ⟨Division.ceilDiv_pos hD.1.1 hD.1.2.1, hc⟩, ⟨hD.1.2.2, hs⟩,
      ⟨Division.ceilDiv_pos hD.1.2.1 hD.1.2.2, ht⟩, ?_⟩
    simp [valid, hv, hD.1.1, hD.1.2.1]

/-! ## Impossible -/

/-- A tile that holds a valid item and a hole inside the tensor, where a dimension violates. -/
theorem mixed_tile : {D : Descriptor} → Valid D → (∃ d ∈ D, d.violates = true) → ∃ c s t₁ t₂,
    InBounds (grid D) c ∧ InBounds (phases D) s ∧ InBounds (tileShape D) t₁ ∧ InBounds (tileShape D) t₂ ∧
    valid D c s t₁ = true ∧ valid D c s t₂ = false ∧ within D (position D (tileStart D c s) t₂) = true
  | [], _, h => by simp at h
  | d :: D, hD, h => by
    have hd := hD.1
    by_cases hv : d.violates = true
    · obtain ⟨heB, hdvd, hBS⟩ := (fttc_iff ..).1 hv
      obtain ⟨c, s, t, hc, hs, ht, hvalid⟩ := origin_valid hD.2
      have hm := Nat.div_add_mod d.box d.elementStride
      have hpos : d.box % d.elementStride ≠ 0 := fun h => hdvd (Nat.dvd_of_mod_eq_zero h)
      have hlt := Nat.mod_lt d.box hd.2.2
      have hmul := Nat.mul_comm d.elementStride (d.box / d.elementStride)
      refine ⟨0 :: c, d.box % d.elementStride :: s, 0 :: t, d.box / d.elementStride :: t,
        ⟨Division.ceilDiv_pos hd.1 hd.2.1, hc⟩, ⟨hlt, hs⟩, ⟨Division.ceilDiv_pos hd.2.1 hd.2.2, ht⟩,
        ⟨?_, ht⟩, ?_, ?_, ?_⟩
      · exact (Division.lt_ceilDiv_iff hd.2.2 _ _).2 (by omega)
      · simp only [valid, Bool.and_eq_true, decide_eq_true_eq]
        exact ⟨⟨by omega, by omega⟩, hvalid⟩
      · simp only [valid, Bool.and_eq_false_iff, decide_eq_false_iff_not]
        exact Or.inl (Or.inl (by omega))
      · exact within_tile_cons.2 ⟨by omega, within_of_valid hc hs ht hvalid⟩
    · obtain ⟨d', hd', hv'⟩ := h
      have hmem : d' ∈ D := by
        rcases List.mem_cons.1 hd' with rfl | h'
        · exact absurd hv' hv
        · exact h'
      obtain ⟨c, s, t₁, t₂, hc, hs, ht₁, ht₂, hv₁, hv₂, hw⟩ := mixed_tile hD.2 ⟨d', hmem, hv'⟩
      refine ⟨0 :: c, 0 :: s, 0 :: t₁, 0 :: t₂, ⟨Division.ceilDiv_pos hd.1 hd.2.1, hc⟩, ⟨hd.2.2, hs⟩,
        ⟨Division.ceilDiv_pos hd.2.1 hd.2.2, ht₁⟩, ⟨Division.ceilDiv_pos hd.2.1 hd.2.2, ht₂⟩, ?_, ?_, ?_⟩
      · simp [valid, hv₁, hd.1, hd.2.1]
      · simp [valid, hv₂]
      · exact within_tile_cons.2 ⟨by simpa using hd.1, hw⟩

theorem position_eq_of_eq : {D : Descriptor} → {x y : List Int} → {t t' : List Nat} →
    t.length = D.length → t'.length = D.length → x.length = D.length → y.length = D.length →
    position D x t = position D y t → position D x t' = position D y t'
  | [], _, _, _, _, _, _, _, _, _ => by simp [position]
  | d :: D, [], _, _, _, _, _, hx, _, _ => by simp at hx
  | d :: D, _ :: _, [], _, _, _, _, _, hy, _ => by simp at hy
  | d :: D, _ :: _, _ :: _, [], _, ht, _, _, _, _ => by simp at ht
  | d :: D, _ :: _, _ :: _, _ :: _, [], _, ht', _, _, _ => by simp at ht'
  | d :: D, x :: xs, y :: ys, t :: ts, t' :: ts', ht, ht', hx, hy, h => by
    simp only [position, List.cons.injEq] at h ⊢
    exact ⟨by omega, position_eq_of_eq (by simpa using ht) (by simpa using ht') (by simpa using hx)
      (by simpa using hy) h.2⟩

/-- Only as many entries of a start count as there are dimensions. -/
theorem position_take (D : Descriptor) (x : List Int) (t : List Nat) :
    position D (x.take D.length) t = position D x t := by
  induction D generalizing x t with
  | nil => simp [position]
  | cons d D ih =>
    cases x with
    | nil => simp [position]
    | cons x xs =>
      cases t with
      | nil => simp [position]
      | cons t ts => simp [position, ih]

theorem length_of_within : {D : Descriptor} → {x : List Int} → {t : List Nat} →
    within D (position D x t) = true → D.length ≤ x.length
  | [], _, _, _ => by simp
  | d :: D, [], _, h => by simp [position, within] at h
  | d :: D, _ :: _, [], h => by simp [position, within] at h
  | d :: D, x :: xs, t :: ts, h => by
    simp only [position, within, Bool.and_eq_true] at h
    simpa using length_of_within h.2

theorem length_tileStart : {D : Descriptor} → {c s : List Nat} → InBounds (grid D) c → InBounds (phases D) s →
    (tileStart D c s).length = D.length
  | [], c, s, hc, hs => by rw [nil_of_inBounds hc, nil_of_inBounds hs]; rfl
  | d :: D, c, s, hc, hs => by
    obtain ⟨c₀, cs, rfl, -, hc'⟩ := cons_of_inBounds hc
    obtain ⟨s₀, ss, rfl, -, hs'⟩ := cons_of_inBounds hs
    simp [tileStart, length_tileStart hc' hs']

/-- **Where a dimension violates, no choice of starting points whatever makes the load strongly correct: some tile
would have to hold an element of the tensor and a zero where the hardware puts another element. The tensor may not
overlap itself.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 6 (FTTC), impossible direction, in n dimensions -/
theorem no_plan {D : Descriptor} (hD : Valid D) (hinj : FlatLayout.Injective (tensor D)) (h : violations D ≠ [])
    (plan : Plan) : ¬ StronglyCorrect D plan := by
  intro hplan
  have hex : ∃ d ∈ D, d.violates = true := by
    rw [ne_eq, violations_eq_nil_iff] at h
    simpa using h
  obtain ⟨c, s, t₁, t₂, hc, hs, ht₁, ht₂, hv₁, hv₂, hw₂⟩ := mixed_tile hD hex
  have hw₁ := within_of_valid hc hs ht₁ hv₁
  -- the valid item pins the start down
  have h₁ := hplan (fun p => if p = address D (position D (tileStart D c s) t₁) then 1 else 0) c s t₁ hc hs ht₁
  rw [if_pos hv₁, datum, if_pos rfl, loadItem] at h₁
  have hx : within D (position D (plan c s) t₁) = true := by
    cases hh : within D (position D (plan c s) t₁) with
    | true => rfl
    | false => rw [hh] at h₁; simp at h₁
  rw [if_pos hx] at h₁
  have haddr : address D (position D (plan c s) t₁) = address D (position D (tileStart D c s) t₁) := by
    by_cases he : address D (position D (plan c s) t₁) = address D (position D (tileStart D c s) t₁)
    · exact he
    · rw [if_neg he] at h₁; simp at h₁
  obtain ⟨g, hg, hgx⟩ := within_iff.1 hx
  obtain ⟨g', hg', hgy⟩ := within_iff.1 hw₁
  rw [hgx, hgy, address_natural, address_natural] at haddr
  have hgg := hinj g g' (by rwa [shape_tensor]) (by rwa [shape_tensor]) haddr
  have hpos : position D (plan c s) t₁ = position D (tileStart D c s) t₁ := by rw [hgx, hgy, hgg]
  have hlen {t : List Nat} (ht : InBounds (tileShape D) t) : t.length = D.length := by
    rw [ht.length_eq, length_tileShape]
  have hall : position D (plan c s) t₂ = position D (tileStart D c s) t₂ := by
    rw [← position_take D (plan c s) t₂]
    rw [← position_take D (plan c s) t₁] at hpos
    refine position_eq_of_eq (hlen ht₁) (hlen ht₂) ?_ (length_tileStart hc hs) hpos
    rw [List.length_take]
    have := length_of_within hx
    omega
  -- so the hole gets what the tensor holds
  have h₂ := hplan (fun _ => 1) c s t₂ hc hs ht₂
  rw [hv₂, loadItem, hall, if_pos hw₂] at h₂
  simp at h₂

/-- **Where a dimension violates, no choice between loading a tile and filling it with zeros is strongly correct, even
of a tensor that overlaps itself.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 6 (FTTC), impossible direction, in n dimensions -/
theorem no_issue {D : Descriptor} (hD : Valid D) (h : violations D ≠ []) (issue : (c s : List Nat) → Bool) :
    ¬ StronglyCorrect D (planOf D issue) := by
  intro hplan
  have hex : ∃ d ∈ D, d.violates = true := by
    rw [ne_eq, violations_eq_nil_iff] at h
    simpa using h
  obtain ⟨c, s, t₁, t₂, hc, hs, ht₁, ht₂, hv₁, hv₂, hw₂⟩ := mixed_tile hD hex
  have h₁ := hplan (fun _ => 1) c s t₁ hc hs ht₁
  have h₂ := hplan (fun _ => 1) c s t₂ hc hs ht₂
  have hne : D ≠ [] := by rintro rfl; simp at hex
  cases hi : issue c s with
  | true =>
    rw [planOf, hi, if_pos rfl, loadItem, if_pos hw₂, hv₂] at h₂
    simp at h₂
  | false =>
    rw [planOf, hi, if_neg (by simp), loadItem_fill hD hne ht₁, if_pos hv₁, datum] at h₁
    simp at h₁

/-! ## Possible -/

/-- Of an issued tile without violations, the items inside the tensor are the valid ones. -/
theorem valid_of_within : {D : Descriptor} → Valid D → (∀ d ∈ D, d.violates = false) → {c s t : List Nat} →
    InBounds (grid D) c → InBounds (phases D) s → InBounds (tileShape D) t → issues D s = true →
    within D (position D (tileStart D c s) t) = true → valid D c s t = true
  | [], _, _, c, s, t, hc, hs, ht, _, _ => by
    rw [nil_of_inBounds hc, nil_of_inBounds hs, nil_of_inBounds ht]; rfl
  | d :: D, hD, hno, c, s, t, hc, hs, ht, hi, hw => by
    obtain ⟨c₀, cs, rfl, hc₀, hc'⟩ := cons_of_inBounds hc
    obtain ⟨s₀, ss, rfl, hs₀, hs'⟩ := cons_of_inBounds hs
    obtain ⟨t₀, ts, rfl, ht₀, ht'⟩ := cons_of_inBounds ht
    rw [within_tile_cons] at hw
    simp only [issues, Bool.and_eq_true, Bool.or_eq_true, decide_eq_true_eq] at hi
    have hrest := valid_of_within hD.2 (fun d' hd' => hno d' (List.mem_cons_of_mem _ hd')) hc' hs' ht' hi.2 hw.2
    simp only [valid, Bool.and_eq_true, decide_eq_true_eq]
    refine ⟨⟨?_, hw.1⟩, hrest⟩
    have hd := hD.1
    have htB := (Division.lt_ceilDiv_iff hd.2.2 t₀ d.box).1 ht₀
    have hcS := (Division.lt_ceilDiv_iff hd.2.1 c₀ d.size).1 hc₀
    by_cases heB : d.elementStride < d.box
    · by_cases hdvd : d.elementStride ∣ d.box
      · -- no hole inside the box
        obtain ⟨m, hm⟩ := hdvd
        rw [hm, Nat.mul_comm] at htB
        have h₃ : t₀ < m := Nat.lt_of_mul_lt_mul_left htB
        have h₄ : d.elementStride * (t₀ + 1) ≤ d.elementStride * m := Nat.mul_le_mul_left _ h₃
        rw [Nat.mul_add, Nat.mul_comm d.elementStride t₀, ← hm] at h₄
        have hs₁ : s₀ < d.elementStride := hs₀
        omega
      · -- one box covers the tensor
        have hBS : ¬ d.box < d.size := by
          intro hBS
          have := hno d List.mem_cons_self
          rw [Dim.violates, (fttc_iff ..).2 ⟨heB, hdvd, hBS⟩] at this
          cases this
        have := hw.1
        omega
    · -- one element in the tile
      have ht0 : t₀ = 0 := by
        refine Nat.eq_zero_of_not_pos fun hpos => ?_
        have : d.elementStride ≤ t₀ * d.elementStride := Nat.le_mul_of_pos_left _ hpos
        omega
      have : ¬ 2 ≤ d.tile := fun h2 => by
        have := (Division.lt_ceilDiv_iff hd.2.2 1 d.box).1 h2
        omega
      subst ht0
      have := hi.1
      omega

/-- A valid item is in an issued tile. -/
theorem issues_of_valid : {D : Descriptor} → {c s t : List Nat} → InBounds (grid D) c → InBounds (phases D) s →
    InBounds (tileShape D) t → valid D c s t = true → issues D s = true
  | [], c, s, t, hc, hs, ht, _ => by rw [nil_of_inBounds hs]; rfl
  | d :: D, c, s, t, hc, hs, ht, hv => by
    obtain ⟨c₀, cs, rfl, -, hc'⟩ := cons_of_inBounds hc
    obtain ⟨s₀, ss, rfl, -, hs'⟩ := cons_of_inBounds hs
    obtain ⟨t₀, ts, rfl, -, ht'⟩ := cons_of_inBounds ht
    simp only [valid, Bool.and_eq_true, decide_eq_true_eq] at hv
    simp only [issues, Bool.and_eq_true, Bool.or_eq_true, decide_eq_true_eq]
    exact ⟨Or.inr (by omega), issues_of_valid hc' hs' ht' hv.2⟩

/-- **Where no dimension violates, the strategy of level 2 is strongly correct: load the tile if its phase lies in the
box in every dimension whose tile has one element, else fill it with zeros.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 6 (FTTC), lowering strategy of level 2; box indices of longer tiles are left out of the
predicate, which the source does not say -/
theorem issues_stronglyCorrect {D : Descriptor} (hD : Valid D) (h : violations D = []) :
    StronglyCorrect D (planOf D fun _ s => issues D s) := by
  intro mem c s t hc hs ht
  cases hi : issues D s with
  | true =>
    have e : planOf D (fun _ s => issues D s) c s = tileStart D c s := by simp [planOf, hi]
    rw [e, loadItem, datum]
    cases hv : valid D c s t with
    | true => rw [if_pos (within_of_valid hc hs ht hv), if_pos rfl]
    | false =>
      rw [if_neg, if_neg (by simp)]
      intro hw
      rw [valid_of_within hD (violations_eq_nil_iff.1 h) hc hs ht hi hw] at hv
      cases hv
  | false =>
    have hne : D ≠ [] := by rintro rfl; simp [issues] at hi
    have e : planOf D (fun _ s => issues D s) c s = fillStart D := by simp [planOf, hi]
    rw [e, loadItem_fill hD hne ht, if_neg]
    intro hv
    rw [issues_of_valid hc hs ht hv] at hi
    cases hi

/-! ## The theorem -/

/-- **The fundamental theorem of TMA correctness, in any number of dimensions: some choice between loading a tile and
filling it with zeros makes every valid item its element and every hole 0, exactly when no dimension has an element
stride below its box and not dividing it and a box smaller than the tensor.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 6 (FTTC) -/
theorem fundamental {D : Descriptor} (hD : Valid D) :
    (∃ issue, StronglyCorrect D (planOf D issue)) ↔
      ∀ d ∈ D, ¬ (d.elementStride < d.box ∧ ¬ d.elementStride ∣ d.box ∧ d.box < d.size) := by
  have hcond : (∀ d ∈ D, ¬ (d.elementStride < d.box ∧ ¬ d.elementStride ∣ d.box ∧ d.box < d.size)) ↔
      violations D = [] := by
    rw [violations_eq_nil_iff]
    refine forall_congr' fun d => imp_congr_right fun _ => ?_
    rw [← fttc_iff, ← Dim.violates, Bool.not_eq_true]
  rw [hcond]
  constructor
  · rintro ⟨issue, h⟩
    by_cases hv : violations D = []
    · exact hv
    · exact absurd h (no_issue hD hv issue)
  · exact fun h => ⟨_, issues_stronglyCorrect hD h⟩

/-- **The freedom to start each load anywhere adds nothing, if the tensor does not overlap itself.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 6 (FTTC) -/
theorem fundamental_any_start {D : Descriptor} (hD : Valid D) (hinj : FlatLayout.Injective (tensor D)) :
    (∃ plan, StronglyCorrect D plan) ↔ violations D = [] := by
  constructor
  · rintro ⟨plan, h⟩
    by_cases hv : violations D = []
    · exact hv
    · exact absurd h (no_plan hD hinj hv plan)
  · exact fun h => ⟨_, issues_stronglyCorrect hD h⟩

/-- **A strategy is given exactly when one exists, and then it is strongly correct.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 6 (FTTC), levels 1 to 3 -/
theorem strategy_correct {D : Descriptor} (hD : Valid D) :
    (∀ f, strategy D = some f → StronglyCorrect D (planOf D fun _ s => f s)) ∧
    (strategy D = none → ¬ ∃ issue, StronglyCorrect D (planOf D issue)) := by
  constructor
  · intro f hf
    rw [strategy] at hf
    split at hf
    · rename_i h
      obtain rfl := Option.some.inj hf
      exact issues_stronglyCorrect hD h
    · cases hf
  · intro hf
    rw [strategy] at hf
    split at hf
    · cases hf
    · rename_i h
      rintro ⟨issue, hi⟩
      exact no_issue hD h issue hi

end Tma

end Razorgirl
