module

public import Razorgirl.Thm.Layout.Recast

@[expose] public section

/-!
# Larger elements: exactly which layouts have them

`upcast` is accepted exactly where any division of the modes and any layout of elements reach the same parts.
-/

namespace Razorgirl

namespace FlatLayout

namespace Aux

/-- The sum of the residues of what each mode adds. -/
def residue (n : Nat) : FlatLayout → List Nat → Nat
  | m :: L, x :: c => x * m.stride % n + residue n L c
  | _, _ => 0

/-- The coordinate 0. -/
def origin (L : FlatLayout) : List Nat := L.map fun _ => 0

theorem origin_spec {L : FlatLayout} (hv : Valid L) : InBounds (shape L) (origin L) ∧ eval L (origin L) = 0 := by
  induction L with
  | nil => exact ⟨trivial, rfl⟩
  | cons m L ih =>
    obtain ⟨h1, h2⟩ := ih hv.2
    refine ⟨⟨hv.1, h1⟩, ?_⟩
    rw [origin, List.map_cons, eval_cons, ← origin, h2, Nat.zero_mul]

/-- The elements add up, so the residues do. -/
theorem residue_eq {n : Nat} {L U : FlatLayout} {ts : List Nat} (hv : Valid L)
    (hs : Splits (shape L) ts (shape U))
    (he : ∀ c, InBounds (shape L) c → eval U (divideCoord ts c) = eval L c / n) {c : List Nat}
    (hc : InBounds (shape L) c) : residue n L c = eval L c % n := by
  induction L generalizing U ts c with
  | nil =>
    rw [eval_nil, Nat.zero_mod]
    cases c <;> rfl
  | cons m L ih =>
    cases c with
    | nil => exact absurd hc (by simp [shape, InBounds])
    | cons x c =>
      cases ts with
      | nil => exact absurd hs (by simp [shape, Splits])
      | cons t ts =>
        cases U with
        | nil => exact absurd hs (by simp [shape, Splits])
        | cons u U =>
          rw [shape_cons, shape_cons] at hs
          have ho := origin_spec hv.2
          have tail : ∀ c, InBounds (shape L) c → eval U (divideCoord ts c) = eval L c / n := by
            intro c hc
            have := he (0 :: c) ⟨hv.1, hc⟩
            rw [divideCoord, eval_cons, eval_cons, Nat.zero_div, Nat.zero_mul, Nat.zero_mul, Nat.zero_add,
              Nat.zero_add] at this
            exact this
          have head := he (x :: origin L) ⟨hc.1, ho.1⟩
          have all := he (x :: c) hc
          rw [divideCoord, eval_cons, eval_cons, tail _ ho.1, ho.2, Nat.zero_div, Nat.add_zero, Nat.add_zero] at head
          rw [divideCoord, eval_cons, eval_cons, tail _ hc.2, head] at all
          rw [residue, ih hv.2 hs.2 tail hc.2, eval_cons]
          have h1 := Nat.div_add_mod (x * m.stride) n
          have h2 := Nat.div_add_mod (eval L c) n
          have h3 := Nat.div_add_mod (x * m.stride + eval L c) n
          rw [← all, Nat.mul_add] at h3
          omega

/-- Where the residues reach `n-1` together, none of them can grow. -/
theorem residue_max {n base : Nat} {L : FlatLayout} {c : List Nat} (hc : InBounds (shape L) c)
    (hn : ∀ c, InBounds (shape L) c → residue n L c + base < n) (h : residue n L c + base + 1 = n) {m : Mode}
    (hm : m ∈ L) : ∃ k, k < m.extent ∧ k * m.stride ≤ eval L c ∧
      (c = L.map (fun m => m.extent - 1) → k = m.extent - 1) ∧
      ∀ x, x < m.extent → x * m.stride % n ≤ k * m.stride % n := by
  induction L generalizing c base with
  | nil => cases hm
  | cons a L ih =>
    cases c with
    | nil => exact absurd hc (by simp [shape, InBounds])
    | cons y c =>
      rw [residue] at h
      rw [eval_cons]
      rcases List.mem_cons.1 hm with rfl | hm
      · refine ⟨y, hc.1, Nat.le_add_right _ _, fun e => (List.cons.inj e).1, fun x hx => ?_⟩
        have := hn (x :: c) ⟨hx, hc.2⟩
        rw [residue] at this
        omega
      · obtain ⟨k, h1, h2, h3, h4⟩ := ih (base := base + y * a.stride % n) hc.2 (fun c' hc' => by
          have := hn (y :: c') ⟨hc.1, hc'⟩
          rw [residue] at this
          omega) (by omega) hm
        exact ⟨k, h1, by omega, fun e => h3 (List.cons.inj e).2, h4⟩

/-- How many steps of a mode stay below `n`. -/
def low (n : Nat) (m : Mode) : Nat := if m.stride = 0 then m.extent else min m.extent ((n - 1) / m.stride + 1)

theorem lt_low_iff {n : Nat} (hn : 0 < n) {m : Mode} {k : Nat} : k < low n m ↔ k < m.extent ∧ k * m.stride < n := by
  rw [low]
  split
  · rename_i h
    rw [h, Nat.mul_zero]
    exact ⟨fun h => ⟨h, hn⟩, fun h => h.1⟩
  · rename_i h
    have := @Nat.le_div_iff_mul_le m.stride k (n - 1) (by omega)
    omega

theorem filter_range_below (s a : Nat) : (List.range s).filter (fun k => decide (k < a)) = List.range (min s a) := by
  induction s with
  | zero => simp
  | succ s ih =>
    rw [List.range_succ, List.filter_append, ih]
    by_cases h : s < a
    · rw [show min (s + 1) a = min s a + 1 by omega, List.range_succ, show min s a = s by omega]
      simp [h]
    · rw [show min (s + 1) a = min s a by omega]
      simp [h]

theorem flatMap_filter_of {α β : Type} {p : α → Bool} {f : α → List β} (l : List α)
    (h : ∀ a, p a = false → f a = []) :
    l.flatMap f = (l.filter p).flatMap f := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    rw [List.flatMap_cons, ih]
    by_cases ha : p a = true
    · rw [List.filter_cons_of_pos ha, List.flatMap_cons]
    · rw [List.filter_cons_of_neg ha, h a (by simpa using ha), List.nil_append]

theorem flatMap_congr_mem {α β : Type} {f g : α → List β} {l : List α} (h : ∀ a, a ∈ l → f a = g a) :
    l.flatMap f = l.flatMap g := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    rw [List.flatMap_cons, List.flatMap_cons, h a (by simp), ih fun b hb => h b (by simp [hb])]

theorem residue_small {n : Nat} {L : FlatLayout} {c : List Nat} (hc : InBounds (shape L) c) (h : eval L c < n) :
    residue n L c = eval L c := by
  induction L generalizing c with
  | nil => rw [eval_nil]; cases c <;> rfl
  | cons m L ih =>
    cases c with
    | nil => exact absurd hc (by simp [shape, InBounds])
    | cons x c =>
      rw [eval_cons] at h ⊢
      rw [residue, ih hc.2 (by omega), Nat.mod_eq_of_lt (by omega)]

/-- The offsets below `n` are those of the steps below `n`. -/
theorem offsets_below {n : Nat} (hn : 0 < n) {L : FlatLayout} (hv : Valid L)
    (hc : ∀ c, InBounds (shape L) c → residue n L c < n) :
    (offsets L).filter (fun o => decide (o < n)) = offsets (L.map fun m => ⟨low n m, m.stride⟩) := by
  induction L with
  | nil => simp [offsets, size_nil, atIndex_nil, hn]
  | cons m L ih =>
    have tail : ∀ c, InBounds (shape L) c → residue n L c < n := fun c h => by
      have := hc (0 :: c) ⟨hv.1, h⟩
      rw [residue] at this
      omega
    rw [List.map_cons, offsets_cons, offsets_cons, ← ih hv.2 tail, List.filter_flatMap]
    rw [flatMap_filter_of (p := fun o => decide (o < n))]
    · refine flatMap_congr_mem fun o ho => ?_
      obtain ⟨hmem, hlt⟩ := List.mem_filter.1 ho
      have hlt : o < n := by simpa using hlt
      obtain ⟨c, hb, e⟩ := (mem_offsets_iff_eval _ _).1 hmem
      have key : ∀ k, k < m.extent → (k * m.stride + o < n ↔ k < low n m) := by
        intro k hk
        rw [lt_low_iff hn]
        constructor
        · intro h
          exact ⟨hk, by omega⟩
        · rintro ⟨_, h⟩
          have h1 := hc (k :: c) ⟨hk, hb⟩
          rw [residue, Nat.mod_eq_of_lt h, residue_small hb (by omega)] at h1
          omega
      rw [List.filter_map]
      congr 1
      rw [← show min m.extent (low n m) = low n m by
        have := @lt_low_iff n hn m m.extent
        omega, ← filter_range_below]
      refine List.filter_congr fun k hk => ?_
      simp only [Function.comp_apply, key k (List.mem_range.1 hk)]
    · intro o ho
      rw [List.filter_eq_nil_iff]
      intro a ha
      obtain ⟨k, _, rfl⟩ := List.mem_map.1 ha
      have : ¬o < n := by simpa using ho
      simp only [decide_eq_true_eq]
      omega

theorem count_partsOf {n v : Nat} (hv : v < n) (l : List Nat) : (partsOf n l).count v = l.count 0 := by
  induction l with
  | nil => rfl
  | cons o l ih =>
    rw [partsOf, List.flatMap_cons, List.count_append, ← partsOf, ih, List.count_cons]
    by_cases ho : o = 0
    · have : ((List.range n).map fun r => n * o + r) = List.range n := by
        rw [ho]
        simp
      rw [this, List.nodup_range.count, if_pos (List.mem_range.2 hv)]
      simp only [ho, beq_self_eq_true, if_true]
      omega
    · rw [List.count_eq_zero.2]
      · simp [ho]
      · intro h
        obtain ⟨r, _, e⟩ := List.mem_map.1 h
        have := Nat.le_mul_of_pos_right n (Nat.pos_of_ne_zero ho)
        omega

theorem count_flatMap_replicate (z v : Nat) (l : List Nat) :
    (l.flatMap fun o => List.replicate z o).count v = z * l.count v := by
  induction l with
  | nil => rfl
  | cons o l ih =>
    rw [List.flatMap_cons, List.count_append, ih, List.count_replicate, List.count_cons, Nat.mul_add]
    by_cases h : o = v <;> simp [h] <;> omega

/-- Modes of stride 0 repeat the offsets. -/
theorem offsets_dead (L : FlatLayout) :
    (offsets L).Perm ((offsets (List.filter (fun m => m.stride != 0) L)).flatMap
      fun o => List.replicate (size (List.filter (fun m => !(m.stride != 0)) L)) o) := by
  have h : L.Perm (List.filter (fun m => !(m.stride != 0)) L ++ List.filter (fun m => m.stride != 0) L) :=
    (List.filter_append_perm (fun m : Mode => m.stride != 0) L).symm.trans List.perm_append_comm
  refine (offsets_perm h).trans (.of_eq ?_)
  rw [offsets_append]
  have dead : ∀ D : FlatLayout, (∀ m, m ∈ D → m.stride = 0) → ∀ x, atIndex D x = 0 := by
    intro D
    induction D with
    | nil => intro _ x; exact atIndex_nil x
    | cons m D ih =>
      intro hD x
      rw [atIndex_cons, hD m (by simp), Nat.mul_zero, ih (fun k hk => hD k (by simp [hk]))]
  refine flatMap_congr_mem fun o _ => ?_
  rw [List.eq_replicate_iff]
  refine ⟨by rw [List.length_map, length_offsets], fun b hb => ?_⟩
  obtain ⟨a, ha, rfl⟩ := List.mem_map.1 hb
  obtain ⟨x, _, rfl⟩ := (mem_offsets _ _).1 ha
  rw [dead _ (fun m hm => by simpa using (List.mem_filter.1 hm).2), Nat.zero_add]

/-- Where every stride moves, offset 0 is hit once at most. -/
theorem count_zero_le {L : FlatLayout} (h : ∀ m, m ∈ L → m.stride ≠ 0) : (offsets L).count 0 ≤ 1 := by
  induction L with
  | nil => simp [offsets, size_nil, atIndex_nil]
  | cons m L ih =>
    have hd := h m (by simp)
    refine Nat.le_trans ?_ (ih fun k hk => h k (by simp [hk]))
    rw [offsets_cons]
    induction offsets L with
    | nil => simp
    | cons o l ih =>
      rw [List.flatMap_cons, List.count_append, List.count_cons]
      have : ((List.range m.extent).map fun k => k * m.stride + o).count 0 ≤ if o == 0 then 1 else 0 := by
        by_cases ho : o = 0
        · rw [if_pos (by simpa using ho)]
          generalize m.extent = s
          cases s with
          | zero => simp
          | succ s =>
            rw [List.range_succ_eq_map, List.map_cons, List.count_cons, List.count_eq_zero.2]
            · split <;> omega
            · intro h
              obtain ⟨k, hk, e⟩ := List.mem_map.1 h
              obtain ⟨j, _, rfl⟩ := List.mem_map.1 hk
              have := Nat.le_mul_of_pos_left m.stride (Nat.succ_pos j)
              omega
        · rw [if_neg (by simpa using ho), List.count_eq_zero.2]
          · exact Nat.le_refl _
          · intro h
            obtain ⟨k, _, e⟩ := List.mem_map.1 h
            omega
      omega

/-- The modes of steps below `n` that move. -/
def movingBelow (n : Nat) (L : FlatLayout) : FlatLayout :=
  List.filter (fun m => m.stride != 0) (L.map fun m => ⟨low n m, m.stride⟩)

theorem movingBelow_perm {n : Nat} (hn : 0 < n) {L : FlatLayout} {O : List Nat} (hv : Valid L)
    (hc : ∀ c, InBounds (shape L) c → residue n L c < n) (hp : (partsOf n O).Perm (offsets L)) :
    (offsets (movingBelow n L)).Perm (List.range n) := by
  have hb := offsets_below hn hv hc
  have hd := offsets_dead (L.map fun m => ⟨low n m, m.stride⟩)
  rw [← hb, ← movingBelow] at hd
  have hvl : Valid (L.map fun m => ⟨low n m, m.stride⟩) := by
    rw [valid_iff_forall] at hv ⊢
    intro k hk
    obtain ⟨m, hm, rfl⟩ := List.mem_map.1 hk
    exact (lt_low_iff hn).2 ⟨hv m hm, by rw [Nat.zero_mul]; exact hn⟩
  have hvm : Valid (movingBelow n L) := by
    rw [valid_iff_forall] at hvl ⊢
    exact fun m hm => hvl m (List.mem_filter.1 hm).1
  have hz : 0 < size (List.filter (fun m : Mode => !(m.stride != 0)) (L.map fun m => ⟨low n m, m.stride⟩)) := by
    rw [← valid_iff_size_pos]
    rw [valid_iff_forall] at hvl ⊢
    exact fun m hm => hvl m (List.mem_filter.1 hm).1
  generalize size (List.filter (fun m : Mode => !(m.stride != 0)) (L.map fun m => ⟨low n m, m.stride⟩)) = z at *
  have cnt : ∀ v, v < n → z * (offsets (movingBelow n L)).count v = O.count 0 := by
    intro v hv
    rw [← count_flatMap_replicate, ← hd.count_eq, List.count_filter (by simpa using hv), ← hp.count_eq,
      count_partsOf hv]
  have small : ∀ o, o ∈ offsets (movingBelow n L) → o < n := by
    intro o ho
    have : o ∈ (offsets L).filter (fun o => decide (o < n)) :=
      hd.mem_iff.2 (List.mem_flatMap.2 ⟨o, ho, List.mem_replicate.2 ⟨by omega, rfl⟩⟩)
    simpa using (List.mem_filter.1 this).2
  have eq : ∀ v, v < n → (offsets (movingBelow n L)).count v = (offsets (movingBelow n L)).count 0 := fun v hv =>
    Nat.eq_of_mul_eq_mul_left hz ((cnt v hv).trans (cnt 0 hn).symm)
  have h0 : 0 < (offsets (movingBelow n L)).count 0 := List.count_pos_iff.2 (zero_mem_offsets hvm)
  have h1 := count_zero_le (L := movingBelow n L) fun m hm => by simpa using (List.mem_filter.1 hm).2
  rw [List.perm_iff_count]
  intro v
  rw [List.nodup_range.count]
  by_cases hv : v < n
  · rw [if_pos (List.mem_range.2 hv), eq v hv]
    omega
  · rw [if_neg (by rwa [List.mem_range]), List.count_eq_zero]
    exact fun h => hv (small v h)

/-- Modes that count off `0, …, n-1` form a chain. -/
theorem packed_of_perm_range {n : Nat} {W : FlatLayout} (h2 : ∀ m ∈ W, 2 ≤ m.extent)
    (h : (offsets W).Perm (List.range n)) : Packed 1 (sort W) ∧ size (sort W) = n := by
  have hs : size (sort W) = n := by rw [sort_size, ← length_offsets, h.length_eq, List.length_range]
  refine ⟨packed_of_multiples Nat.one_pos (fun m hm => h2 m ((sort_perm W).mem_iff.1 hm)) (sort_sorted W) ?_ ?_, hs⟩
  · rw [sort_injective, injective_iff_nodup]
    exact h.nodup_iff.2 List.nodup_range
  · intro o
    rw [sort_mem_offsets, h.mem_iff, List.mem_range, hs]
    exact ⟨fun h => ⟨o, h, by omega⟩, fun ⟨y, h, e⟩ => by omega⟩

theorem dvd_of_packed {c : Nat} {L : FlatLayout} (h : Packed c L) {m : Mode} (hm : m ∈ L) :
    m.extent * m.stride ∣ c * size L := by
  induction L generalizing c with
  | nil => cases hm
  | cons a L ih =>
    rw [size_cons]
    rcases List.mem_cons.1 hm with rfl | hm
    · rw [h.1]
      exact ⟨size L, by grind⟩
    · obtain ⟨q, e⟩ := ih h.2 hm
      exact ⟨q, by rw [← e]; grind⟩

theorem countsTo_of_packed {n c : Nat} {L : FlatLayout} (h : Packed c L) (hs : c * size L = n) :
    countsTo n c L = true := by
  induction L generalizing c with
  | nil => simpa [countsTo, size_nil] using hs
  | cons a L ih =>
    rw [countsTo, Bool.and_eq_true, beq_iff_eq]
    have := ih h.2 (by rw [← hs, size_cons]; grind)
    rw [Nat.mul_comm] at this
    exact ⟨h.1, this⟩

theorem offsets_filter_single (L : FlatLayout) :
    offsets (List.filter (fun m => m.extent != 1) L) = offsets L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    by_cases h : m.extent = 1
    · rw [List.filter_cons_of_neg (by simp [h]), ih, offsets_cons, h]
      simp
    · rw [List.filter_cons_of_pos (by simp [h]), offsets_cons, offsets_cons, ih]

theorem eval_le_last {L : FlatLayout} {c : List Nat} (hc : InBounds (shape L) c) :
    eval L c ≤ eval L (L.map fun m => m.extent - 1) := by
  induction L generalizing c with
  | nil => rw [eval_nil]; exact Nat.zero_le _
  | cons m L ih =>
    cases c with
    | nil => exact absurd hc (by simp [shape, InBounds])
    | cons x c =>
      rw [List.map_cons, eval_cons, eval_cons]
      have hx := hc.1
      exact Nat.add_le_add (Nat.mul_le_mul_right _ (by omega)) (ih hc.2)

theorem last_inBounds {L : FlatLayout} (hv : Valid L) : InBounds (shape L) (L.map fun m => m.extent - 1) := by
  induction L with
  | nil => trivial
  | cons m L ih => exact ⟨Nat.sub_lt hv.1 Nat.one_pos, ih hv.2⟩

/-- A mode that steps inside an element, where offset `n-1` is hit with `k` of its steps, and the last step has the
greatest residue too. -/
theorem fits_inside {n k : Nat} {m : Mode} (hn : 0 < n) (he : 0 < m.extent) (hi : inside n m = true)
    (hd : 2 ≤ low n m → low n m * m.stride ∣ n) (hk : k < m.extent) (hkn : k * m.stride < n)
    (hmax : ∀ x, x < m.extent → x * m.stride % n ≤ k * m.stride)
    (hlast : k * m.stride ≤ (m.extent - 1) * m.stride % n) :
    fits n m = true ∧ steps n m = low n m ∧ 2 ≤ low n m ∧ m.stride ≠ 0 := by
  obtain ⟨h1, h2⟩ := inside_iff.1 hi
  have h0 : m.stride ≠ 0 := fun h => h2 (by rw [h, Nat.zero_mod])
  have hx := hmax 1 (by omega)
  rw [Nat.one_mul] at hx
  have hk0 : k ≠ 0 := fun h => by
    rw [h, Nat.zero_mul] at hx
    omega
  have hkl := (lt_low_iff hn).2 ⟨hk, hkn⟩
  have h2l : 2 ≤ low n m := by omega
  have hd := hd h2l
  have hlow : k + 1 = low n m := by
    obtain ⟨a1, a2⟩ := (lt_low_iff hn).1 (show low n m - 1 < low n m by omega)
    have := hmax _ a1
    rw [Nat.mod_eq_of_lt a2] at this
    have := Nat.le_of_mul_le_mul_right this (Nat.pos_of_ne_zero h0)
    omega
  have hle : low n m ≤ m.extent := by
    have := @lt_low_iff n hn m m.extent
    omega
  have hdn : m.stride ∣ n := Nat.dvd_trans (Nat.dvd_mul_left ..) hd
  have hq : n / m.stride * m.stride = n := Nat.div_mul_cancel hdn
  rcases Nat.lt_or_ge (low n m) m.extent with hlt | hge
  · have hnot : ¬low n m * m.stride < n := fun h => by
      have := (lt_low_iff hn).2 ⟨hlt, h⟩
      omega
    have hfull : low n m * m.stride = n := by
      have := Nat.le_of_dvd hn hd
      omega
    have hdiv : n / m.stride = low n m :=
      Nat.eq_of_mul_eq_mul_right (Nat.pos_of_ne_zero h0) (hq.trans hfull.symm)
    have hmod : (m.extent - 1) * m.stride % n = (m.extent - 1) % low n m * m.stride := by
      have h := Nat.mul_mod_mul_right m.stride (m.extent - 1) (low n m)
      rwa [hfull] at h
    rw [hmod] at hlast
    have h3 := Nat.le_of_mul_le_mul_right hlast (Nat.pos_of_ne_zero h0)
    have h4 := Nat.mod_lt (m.extent - 1) (show 0 < low n m by omega)
    have h5 : m.extent % low n m = 0 := by
      have h6 := Nat.div_add_mod (m.extent - 1) (low n m)
      have h7 : m.extent = low n m * ((m.extent - 1) / low n m + 1) := by
        rw [Nat.mul_add, Nat.mul_one]
        omega
      rw [h7, Nat.mul_mod_right]
    have hf : fills n m = true := by
      rw [fills, hdiv, h5, Nat.mod_eq_zero_of_dvd hdn]
      rfl
    refine ⟨by rw [fits, hf]; simp, ?_, h2l, h0⟩
    rw [steps, if_pos hi, if_pos hf, hdiv]
  · have heq : low n m = m.extent := by omega
    rw [heq] at hd
    refine ⟨by rw [fits, Nat.mod_eq_zero_of_dvd hd]; simp, ?_, h2l, h0⟩
    rw [steps, if_pos hi, heq]
    split
    · rename_i hf
      simp only [fills, Bool.and_eq_true, beq_iff_eq] at hf
      refine Nat.dvd_antisymm (Nat.dvd_of_mod_eq_zero hf.2) ?_
      obtain ⟨q, e⟩ := hd
      refine ⟨q, Nat.eq_of_mul_eq_mul_right (Nat.pos_of_ne_zero h0) ?_⟩
      rw [hq, e]
      grind
    · rfl

theorem low_of_not_inside {n : Nat} (hn : 0 < n) {m : Mode} (he : 0 < m.extent) (hi : ¬inside n m = true)
    (h0 : m.stride ≠ 0) : low n m = 1 := by
  have h1 : 0 < low n m := (lt_low_iff hn).2 ⟨he, by rw [Nat.zero_mul]; exact hn⟩
  refine Nat.le_antisymm (Nat.le_of_not_lt fun h => ?_) h1
  obtain ⟨a, b⟩ := (lt_low_iff hn).1 h
  rw [Nat.one_mul] at b
  exact hi (inside_iff.2 ⟨by omega, by rw [Nat.mod_eq_of_lt b]; exact h0⟩)

theorem splits_steps {n : Nat} (hn : 0 < n) {L : FlatLayout} (hv : Valid L) :
    Splits (shape L) (L.map (steps n)) (shape (L.map (upcastMode n))) := by
  induction L with
  | nil => trivial
  | cons m L ih =>
    refine ⟨?_, ih hv.2⟩
    show m.extent = steps n m * (m.extent / steps n m)
    by_cases hi : inside n m = true
    · exact (steps_spec hn hv.1 hi).2.1.symm
    · rw [steps, if_neg hi, Nat.div_one, Nat.one_mul]

end Aux
open Aux

/-- **Larger elements are refused only where there are none: `upcast` is accepted exactly where some steps `t` divide
the extents, and some layout of elements `U` has `U(c div t) = L(c) div n` at every coordinate and holds exactly the
offsets of `L`, each as often.**
Rust: `razorgirl::Layout::upcast`
Source: none; CuTe `upcast` looks at strides only -/
theorem upcast_ne_none_iff {n : Nat} {L : FlatLayout} (hn : 0 < n) (hv : Valid L) :
    upcast n L ≠ none ↔ ∃ ts U, Splits (shape L) ts (shape U) ∧
      (∀ c, InBounds (shape L) c → eval U (divideCoord ts c) = eval L c / n) ∧
      (partsOf n (offsets U)).Perm (offsets L) := by
  constructor
  · intro h
    obtain ⟨U, hU⟩ := Option.ne_none_iff_exists'.1 h
    refine ⟨L.map (steps n), U, ?_, fun c hc => (upcast_eval hv hU hc).2, upcast_offsets hv hU⟩
    obtain ⟨_, _, rfl⟩ := upcast_eq_some hU
    exact splits_steps hn hv
  · rintro ⟨ts, U, hs, he, hp⟩
    have res : ∀ c, InBounds (shape L) c → residue n L c = eval L c % n := fun c hc => residue_eq hv hs he hc
    have bound : ∀ c, InBounds (shape L) c → residue n L c < n := fun c hc => by
      rw [res c hc]
      exact Nat.mod_lt _ hn
    have hm := movingBelow_perm hn hv bound hp
    -- the chain of the modes that move below n
    have hW : (offsets (List.filter (fun m => m.extent != 1) (movingBelow n L))).Perm (List.range n) := by
      rw [offsets_filter_single]
      exact hm
    have lowpos : ∀ m ∈ L, 0 < low n m := fun m h =>
      (lt_low_iff hn).2 ⟨(valid_iff_forall _).1 hv m h, by rw [Nat.zero_mul]; exact hn⟩
    have h2 : ∀ m ∈ List.filter (fun m => m.extent != 1) (movingBelow n L), 2 ≤ m.extent := by
      intro m hm
      obtain ⟨h1, h3⟩ := List.mem_filter.1 hm
      obtain ⟨a, ha, rfl⟩ := List.mem_map.1 (List.mem_filter.1 h1).1
      have := lowpos a ha
      have h3 : low n a ≠ 1 := by simpa using h3
      show 2 ≤ low n a
      omega
    have hpk := packed_of_perm_range h2 hW
    have dvd : ∀ m ∈ L, m.stride ≠ 0 → 2 ≤ low n m → low n m * m.stride ∣ n := by
      intro m hm h0 hl
      have hmem : (⟨low n m, m.stride⟩ : Mode) ∈ sort (List.filter (fun m => m.extent != 1) (movingBelow n L)) := by
        refine (sort_perm _).mem_iff.2 (List.mem_filter.2 ⟨List.mem_filter.2 ⟨List.mem_map.2 ⟨m, hm, rfl⟩, ?_⟩, ?_⟩)
        · simpa using h0
        · have : low n m ≠ 1 := by omega
          simpa using this
      have := dvd_of_packed hpk.1 hmem
      rwa [hpk.2, Nat.one_mul] at this
    -- offset n-1 is hit
    have hlast : n - 1 ∈ offsets L := by
      have h0 : 0 ∈ offsets U := by
        have := hp.mem_iff.2 (zero_mem_offsets hv)
        obtain ⟨o, ho, h⟩ := List.mem_flatMap.1 this
        obtain ⟨r, _, e⟩ := List.mem_map.1 h
        have h1 : n * o = 0 := by omega
        rcases Nat.mul_eq_zero.1 h1 with h1 | h1
        · omega
        · rwa [h1] at ho
      exact hp.mem_iff.1 (List.mem_flatMap.2 ⟨0, h0, List.mem_map.2 ⟨n - 1, List.mem_range.2 (by omega), by omega⟩⟩)
    obtain ⟨c, hc, ec⟩ := (mem_offsets_iff_eval _ _).1 hlast
    -- the last offset is the last part of its element
    have hl := last_inBounds hv
    have htop : eval L (L.map fun m => m.extent - 1) % n + 1 = n := by
      have hmem := (mem_offsets_iff_eval L _).2 ⟨_, hl, rfl⟩
      obtain ⟨o, ho, h⟩ := List.mem_flatMap.1 (hp.mem_iff.2 hmem)
      obtain ⟨r, hr, e⟩ := List.mem_map.1 h
      have hr := List.mem_range.1 hr
      obtain ⟨c', hc', e'⟩ := (mem_offsets_iff_eval L _).1
        (hp.mem_iff.1 (List.mem_flatMap.2 ⟨o, ho, List.mem_map.2 ⟨n - 1, List.mem_range.2 (by omega), rfl⟩⟩))
      have := eval_le_last hc'
      rw [← e, Nat.mul_add_mod, Nat.mod_eq_of_lt hr]
      omega
    have each : ∀ m ∈ L, inside n m = true →
        fits n m = true ∧ steps n m = low n m ∧ 2 ≤ low n m ∧ m.stride ≠ 0 := by
      intro m hm hi
      obtain ⟨k, k1, k2, _, k4⟩ := residue_max (n := n) (base := 0) hc (fun c hc => by have := bound c hc; omega)
        (by rw [res c hc, ec, Nat.mod_eq_of_lt (by omega)]; omega) hm
      obtain ⟨j, j1, _, j3, j4⟩ := residue_max (n := n) (base := 0) hl (fun c hc => by have := bound c hc; omega)
        (by rw [res _ hl]; omega) hm
      rw [j3 rfl] at j4
      have hkn : k * m.stride < n := by omega
      rw [Nat.mod_eq_of_lt hkn] at k4
      have := j4 k k1
      rw [Nat.mod_eq_of_lt hkn] at this
      have h0 : m.stride ≠ 0 := fun h => (inside_iff.1 hi).2 (by rw [h, Nat.zero_mod])
      exact fits_inside hn ((valid_iff_forall _).1 hv m hm) hi (dvd m hm h0) k1 hkn k4 this
    have hwithin : within n L = List.filter (fun m => m.extent != 1) (movingBelow n L) := by
      rw [within, movingBelow, List.filter_filter, List.filter_map]
      have hf : List.filter (inside n) L = List.filter
          ((fun m : Mode => (m.extent != 1) && (m.stride != 0)) ∘ fun m => ⟨low n m, m.stride⟩) L := by
        refine List.filter_congr fun m hm => ?_
        simp only [Function.comp_apply]
        by_cases hi : inside n m = true
        · obtain ⟨_, _, h3, h4⟩ := each m hm hi
          rw [hi]
          have h3 : low n m ≠ 1 := by omega
          simp [h3, h4]
        · by_cases h0 : m.stride = 0
          · simp [h0, inside]
          · rw [low_of_not_inside hn ((valid_iff_forall _).1 hv m hm) hi h0]
            simpa using hi
      rw [← hf]
      refine List.map_congr_left fun m hm => ?_
      obtain ⟨h3, h4⟩ := List.mem_filter.1 hm
      rw [(each m h3 h4).2.1]
    rw [upcast, if_pos]
    · exact Option.some_ne_none _
    · refine ⟨hn, List.all_eq_true.2 fun m hm => ?_, ?_⟩
      · by_cases hi : inside n m = true
        · exact (each m hm hi).1
        · simp [fits, hi]
      · rw [hwithin]
        exact countsTo_of_packed hpk.1 (by rw [Nat.one_mul]; exact hpk.2)

end FlatLayout

end Razorgirl
