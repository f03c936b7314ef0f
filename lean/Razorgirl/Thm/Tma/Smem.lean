module

public import Razorgirl.Spec.Tma.Smem
public import Razorgirl.Data.List

@[expose] public section

/-!
# Tiles in shared memory: what is proved

The test decides what it says: every tile whole, in one run, in order. And then the allocation is a whole number of
tiles.
-/

namespace Razorgirl

namespace Tma

theorem ValidAxes.tail {a : Axis} {A : List Axis} (h : ValidAxes (a :: A)) : ValidAxes A :=
  fun b hb => h b (List.mem_cons_of_mem _ hb)

theorem allocated_cons (a : Axis) (A : List Axis) : allocated (a :: A) = a.extent * allocated A := rfl

theorem allocated_pos {A : List Axis} (h : ValidAxes A) : 0 < allocated A :=
  prod_pos fun n hn => by
    obtain ⟨a, ha, rfl⟩ := List.mem_map.1 hn
    exact (h a ha).1

/-! ## Rows -/

theorem row_div {n q r : Nat} (hr : r < n) : (q * n + r) / n = q := by
  rw [Nat.mul_comm, Nat.mul_add_div (by omega), Nat.div_eq_of_lt hr, Nat.add_zero]

theorem row_mod {n q r : Nat} (hr : r < n) : (q * n + r) % n = r := by
  rw [Nat.mul_comm, Nat.mul_add_mod, Nat.mod_eq_of_lt hr]

theorem row_lt {n q r N : Nat} (hq : q < N) (hr : r < n) : q * n + r < N * n := by
  have : (q + 1) * n ≤ N * n := Nat.mul_le_mul_right _ hq
  rw [Nat.add_mul] at this
  omega

/-- A number below `N·n` is a row below `N` and a place below `n`. -/
theorem exists_row {n N p : Nat} (hp : p < N * n) : ∃ q r, q < N ∧ r < n ∧ p = q * n + r := by
  have hn : 0 < n := by
    refine Nat.pos_of_ne_zero ?_
    rintro rfl
    simp at hp
  refine ⟨p / n, p % n, (Nat.div_lt_iff_lt_mul hn).2 hp, Nat.mod_lt _ hn, ?_⟩
  have := Nat.div_add_mod p n
  rw [Nat.mul_comm] at this
  exact this.symm

theorem tileOf_row (a : Axis) {A : List Axis} {q r : Nat} (hr : r < allocated A) :
    tileOf (a :: A) (q * allocated A + r) = q / a.share :: tileOf A r := by
  rw [tileOf, row_div hr, row_mod hr]

theorem itemOf_row (a : Axis) {A : List Axis} {q r : Nat} (hr : r < allocated A) :
    itemOf (a :: A) (q * allocated A + r) = q % a.share * a.step + itemOf A r := by
  rw [itemOf, row_div hr, row_mod hr]

theorem tileOf_first (a : Axis) {A : List Axis} {r : Nat} (hr : r < allocated A) :
    tileOf (a :: A) r = 0 :: tileOf A r := by
  have := tileOf_row a (q := 0) hr
  simpa using this

theorem itemOf_first (a : Axis) {A : List Axis} {r : Nat} (hr : r < allocated A) :
    itemOf (a :: A) r = itemOf A r := by
  have := itemOf_row a (q := 0) hr
  simpa using this

/-! ## Shares -/

theorem div_share {a : Axis} {q : Nat} (hq : q < a.extent) : q / a.share = q / a.part := by
  rw [Axis.part]
  by_cases h : a.share ≤ a.extent
  · rw [Nat.min_eq_left h]
  · rw [Nat.min_eq_right (by omega), Nat.div_eq_of_lt (by omega), Nat.div_eq_of_lt hq]

theorem mod_share {a : Axis} {q : Nat} (hq : q < a.extent) : q % a.share = q % a.part := by
  rw [Axis.part]
  by_cases h : a.share ≤ a.extent
  · rw [Nat.min_eq_left h]
  · rw [Nat.min_eq_right (by omega), Nat.mod_eq_of_lt (by omega), Nat.mod_eq_of_lt hq]

theorem part_pos {a : Axis} (h : a.Valid) : 0 < a.part := by
  have := h.1
  have := h.2
  rw [Axis.part]
  omega

theorem part_le (a : Axis) : a.part ≤ a.extent := Nat.min_le_right _ _

/-! ## One tile -/

theorem compactTile_eq_some_iff {A : List Axis} (hA : ValidAxes A) {n : Nat} : compactTile A = some n ↔
    n = allocated A ∧ ∀ p, p < allocated A → tileOf A p = tileOf A 0 ∧ itemOf A p = p := by
  induction A generalizing n with
  | nil =>
    simp only [compactTile, Option.some.injEq, allocated, List.map_nil, prod, tileOf, itemOf]
    constructor
    · rintro rfl
      exact ⟨rfl, fun p hp => ⟨trivial, by omega⟩⟩
    · exact fun h => h.1.symm
  | cons a A ih =>
    have ih' := fun n => ih hA.tail (n := n)
    have ha := hA a List.mem_cons_self
    have hpos := allocated_pos hA.tail
    have h0 := tileOf_first a hpos
    constructor
    · intro h
      rw [compactTile] at h
      obtain ⟨r, hr, h⟩ := Option.bind_eq_some_iff.1 h
      obtain ⟨rfl, hone⟩ := (ih' r).1 hr
      rw [allocated_cons]
      split at h
      · rename_i h1
        rw [h1, Nat.one_mul]
        refine ⟨(Option.some.inj h).symm, fun p hp => ?_⟩
        rw [tileOf_first a hp, h0, itemOf_first a hp, (hone p hp).1, (hone p hp).2]
        exact ⟨rfl, rfl⟩
      · split at h
        · rename_i h1 h2
          refine ⟨(Option.some.inj h).symm, fun p hp => ?_⟩
          obtain ⟨q, r, hq, hr, rfl⟩ := exists_row hp
          rw [tileOf_row a hr, h0, itemOf_row a hr, (hone r hr).1, (hone r hr).2, div_share hq, mod_share hq, h2.1,
            h2.2, Nat.div_eq_of_lt hq, Nat.mod_eq_of_lt hq]
          exact ⟨rfl, rfl⟩
        · cases h
    · rintro ⟨rfl, h⟩
      rw [allocated_cons] at h ⊢
      have hin {r : Nat} (hr : r < allocated A) : r < a.extent * allocated A := by
        have := row_lt (q := 0) ha.1 hr
        omega
      have hrest : compactTile A = some (allocated A) := by
        rw [ih']
        refine ⟨rfl, fun p hp => ?_⟩
        have := h p (hin hp)
        rw [tileOf_first a hp, h0, itemOf_first a hp] at this
        exact ⟨by simpa using this.1, this.2⟩
      rw [compactTile, hrest, Option.bind_some]
      split
      · rename_i h1
        rw [h1, Nat.one_mul]
      · rename_i h1
        have hext := ha.1
        -- the last row and the second one
        have hlast := (h ((a.extent - 1) * allocated A + 0) (row_lt (by omega) hpos)).1
        rw [tileOf_row a hpos, h0, List.cons.injEq] at hlast
        have hshare : a.extent ≤ a.share := by
          have := (Nat.div_eq_zero_iff_lt ha.2).1 hlast.1
          omega
        have hsecond := (h (1 * allocated A + 0) (row_lt (by omega) hpos)).2
        rw [itemOf_row a hpos, Nat.mod_eq_of_lt (by omega)] at hsecond
        have hzero := (h (0 * allocated A + 0) (row_lt (by omega) hpos)).2
        rw [itemOf_row a hpos] at hzero
        rw [if_pos]
        refine ⟨Nat.min_eq_right hshare, ?_⟩
        simp at hzero hsecond
        omega

/-! ## Many tiles -/

/-- An axis that only numbers tiles does not matter. -/
theorem contiguous_cons_free {a : Axis} {A : List Axis} (hA : ValidAxes (a :: A)) (h1 : a.part = 1) {tile : Nat} :
    Contiguous (a :: A) tile ↔ Contiguous A tile := by
  have ha := hA a List.mem_cons_self
  have hpos := allocated_pos hA.tail
  have hdiv {q : Nat} (hq : q < a.extent) : q / a.share = q := by rw [div_share hq, h1, Nat.div_one]
  have hmod {q : Nat} (hq : q < a.extent) : q % a.share = 0 := by rw [mod_share hq, h1, Nat.mod_one]
  have hin {r : Nat} (hr : r < allocated A) : r < a.extent * allocated A := by
    have := row_lt (q := 0) ha.1 hr
    omega
  constructor
  · intro h p hp
    obtain ⟨b, hb, hrun, hitem⟩ := h p (hin hp)
    rw [allocated_cons] at hb hrun
    have hmem := (hrun p (hin hp)).1 rfl
    -- the whole run lies in the first row
    have hfirst : b + tile ≤ allocated A := by
      have hlt : b + tile - 1 < a.extent * allocated A := by omega
      have hrow := (hrun _ hlt).2 ⟨by omega, by omega⟩
      obtain ⟨q, r, hq, hr, heq⟩ := exists_row hlt
      rw [heq, tileOf_row a hr, tileOf_first a hp, List.cons.injEq, hdiv hq] at hrow
      rw [hrow.1] at heq
      omega
    refine ⟨b, hfirst, fun q hq => ?_, fun k hk => ?_⟩
    · rw [← hrun q (hin hq), tileOf_first a hq, tileOf_first a hp, List.cons.injEq]
      simp
    · rw [← itemOf_first a (by omega), hitem k hk]
  · intro h p hp
    rw [allocated_cons] at hp
    obtain ⟨q, r, hq, hr, rfl⟩ := exists_row hp
    obtain ⟨b, hb, hrun, hitem⟩ := h r hr
    have hend : q * allocated A + allocated A ≤ a.extent * allocated A := by
      have : (q + 1) * allocated A ≤ a.extent * allocated A := Nat.mul_le_mul_right _ hq
      rwa [Nat.add_mul, Nat.one_mul] at this
    refine ⟨q * allocated A + b, by rw [allocated_cons]; omega, fun p' hp' => ?_, fun k hk => ?_⟩
    · rw [allocated_cons] at hp'
      obtain ⟨q', r', hq', hr', rfl⟩ := exists_row hp'
      rw [tileOf_row a hr', tileOf_row a hr, List.cons.injEq, hdiv hq, hdiv hq', hrun r' hr']
      constructor
      · rintro ⟨rfl, h⟩
        omega
      · intro h
        have hqq : q' = q := by
          rcases Nat.lt_trichotomy q' q with hlt | heq | hgt
          · have : (q' + 1) * allocated A ≤ q * allocated A := Nat.mul_le_mul_right _ hlt
            rw [Nat.add_mul] at this
            omega
          · exact heq
          · have : (q + 1) * allocated A ≤ q' * allocated A := Nat.mul_le_mul_right _ hgt
            rw [Nat.add_mul] at this
            omega
        subst hqq
        exact ⟨rfl, by omega⟩
    · rw [Nat.add_assoc, itemOf_row a (by omega), hmod hq, hitem k hk]
      omega

/-- An axis that the tile cuts must cut it evenly, and everything below it must be inside the tile. -/
theorem contiguous_cons_cut {a : Axis} {A : List Axis} (hA : ValidAxes (a :: A)) (h1 : a.part ≠ 1) {tile : Nat} :
    Contiguous (a :: A) tile ↔
      a.extent % a.part = 0 ∧ compactTile A = some a.step ∧ tile = a.part * a.step := by
  have ha := hA a List.mem_cons_self
  have hext := ha.1
  have hpos := allocated_pos hA.tail
  have hpart := part_pos ha
  have hle := part_le a
  have hcomm := Nat.mul_comm a.part (allocated A)
  constructor
  · intro h
    obtain ⟨b, hb, hrun, hitem⟩ := h 0 (by rw [allocated_cons]; exact Nat.mul_pos hext hpos)
    rw [allocated_cons] at hb hrun
    have hb0 : b = 0 := by
      have := (hrun 0 (Nat.mul_pos hext hpos)).1 rfl
      omega
    subst hb0
    simp only [Nat.zero_add, Nat.zero_le, true_and] at hb hrun hitem
    have h0 := tileOf_first a hpos
    -- the second row begins in the first tile
    have hone : (1 : Nat) / a.share = 0 := by rw [div_share (by omega), Nat.div_eq_of_lt (by omega)]
    have hone' : (1 : Nat) % a.share = 1 := by rw [mod_share (by omega), Nat.mod_eq_of_lt (by omega)]
    have hsecond : allocated A < tile := by
      have := (hrun (1 * allocated A + 0) (row_lt (by omega) hpos)).1 (by rw [tileOf_row a hpos, h0, hone])
      omega
    have hrest : compactTile A = some (allocated A) := by
      rw [compactTile_eq_some_iff hA.tail]
      refine ⟨rfl, fun p hp => ?_⟩
      have hp' : p < a.extent * allocated A := by
        have := row_lt (q := 0) hext hp
        omega
      have h₁ := (hrun p hp').2 (by omega)
      rw [tileOf_first a hp, h0] at h₁
      have h₂ := hitem p (by omega)
      rw [itemOf_first a hp] at h₂
      exact ⟨by simpa using h₁, h₂⟩
    have hsame := ((compactTile_eq_some_iff hA.tail).1 hrest).2
    have hstep : a.step = allocated A := by
      have h₁ := hitem (1 * allocated A + 0) (by omega)
      rw [itemOf_row a hpos, hone', (hsame 0 hpos).2] at h₁
      omega
    have hcut {q r : Nat} (hq : q < a.extent) (hr : r < allocated A) :
        q * allocated A + r < tile ↔ q < a.part := by
      rw [← hrun _ (row_lt hq hr), tileOf_row a hr, h0, (hsame r hr).1, List.cons.injEq, div_share hq,
        Nat.div_eq_zero_iff_lt hpart]
      simp
    have htile : tile = a.part * allocated A := by
      have h₁ := (hcut (q := a.part - 1) (r := allocated A - 1) (by omega) (by omega)).2 (by omega)
      have h₂ : (a.part - 1) * allocated A + allocated A = a.part * allocated A := by
        rw [← Nat.succ_mul, Nat.succ_eq_add_one, Nat.sub_add_cancel hpart]
      by_cases hlt : a.part < a.extent
      · have h₃ := mt (hcut (q := a.part) (r := 0) hlt hpos).1 (by omega)
        omega
      · have : a.part = a.extent := by omega
        rw [this] at h₁ h₂ ⊢
        omega
    refine ⟨?_, by rw [hrest, hstep], by rw [htile, hstep]⟩
    -- the last tile is whole
    let u := (a.extent - 1) / a.part
    have hu : u * a.part ≤ a.extent - 1 := Nat.div_mul_le_self _ _
    have hu' : a.extent - 1 < (u + 1) * a.part := by
      rw [Nat.mul_comm]
      exact Nat.lt_mul_div_succ _ hpart
    have hq : u * a.part < a.extent := by omega
    obtain ⟨b, hb, hrun', -⟩ := h (u * a.part * allocated A + 0) (by rw [allocated_cons]; exact row_lt hq hpos)
    rw [allocated_cons] at hb hrun'
    have hmem := (hrun' _ (row_lt hq hpos)).1 rfl
    have hblt : b < a.extent * allocated A := by omega
    have hbrow := (hrun' b hblt).2 ⟨Nat.le_refl _, by omega⟩
    obtain ⟨q', r', hq', hr', rfl⟩ := exists_row hblt
    rw [tileOf_row a hr', tileOf_row a hpos, List.cons.injEq, div_share hq', div_share hq,
      Nat.mul_div_cancel _ hpart] at hbrow
    have hq'u : u * a.part ≤ q' := by
      rw [← hbrow.1]
      exact Nat.div_mul_le_self _ _
    have h₁ : u * a.part * allocated A ≤ q' * allocated A := Nat.mul_le_mul_right _ hq'u
    have h₂ : (u * a.part + a.part) * allocated A ≤ a.extent * allocated A := by
      rw [Nat.add_mul]
      omega
    have h₃ := Nat.le_of_mul_le_mul_right h₂ hpos
    rw [Nat.add_mul, Nat.one_mul] at hu'
    have : a.extent = (u + 1) * a.part := by rw [Nat.add_mul, Nat.one_mul]; omega
    rw [this, Nat.mul_mod_left]
  · rintro ⟨hdvd, hrest, rfl⟩
    obtain ⟨hstep, hsame⟩ := (compactTile_eq_some_iff hA.tail).1 hrest
    intro p hp
    rw [allocated_cons] at hp
    obtain ⟨q, r, hq, hr, rfl⟩ := exists_row hp
    obtain ⟨m, hm⟩ := Nat.dvd_of_mod_eq_zero hdvd
    have hu : q / a.part < m := by
      rw [Nat.div_lt_iff_lt_mul hpart, Nat.mul_comm, ← hm]
      exact hq
    have hend : (q / a.part * a.part + a.part) * allocated A ≤ a.extent * allocated A := by
      refine Nat.mul_le_mul_right _ ?_
      have : (q / a.part + 1) * a.part ≤ m * a.part := Nat.mul_le_mul_right _ hu
      rw [Nat.add_mul, Nat.one_mul] at this
      rw [hm, Nat.mul_comm a.part m]
      exact this
    rw [Nat.add_mul] at hend
    refine ⟨q / a.part * a.part * allocated A, by rw [allocated_cons, hstep]; exact hend, fun p' hp' => ?_,
      fun k hk => ?_⟩
    · rw [allocated_cons] at hp'
      obtain ⟨q', r', hq', hr', rfl⟩ := exists_row hp'
      rw [tileOf_row a hr', tileOf_row a hr, (hsame r' hr').1, (hsame r hr).1, List.cons.injEq, div_share hq',
        div_share hq, hstep]
      simp only [and_true]
      constructor
      · intro h
        have h₁ : q' / a.part * a.part ≤ q' := Nat.div_mul_le_self _ _
        have h₂ := Nat.lt_mul_div_succ q' hpart
        rw [Nat.mul_comm, Nat.add_mul] at h₂
        rw [h] at h₁ h₂
        have h₃ : q / a.part * a.part * allocated A ≤ q' * allocated A := Nat.mul_le_mul_right _ h₁
        have h₄ : (q' + 1) * allocated A ≤ (q / a.part * a.part + a.part) * allocated A :=
          Nat.mul_le_mul_right _ (by omega)
        rw [Nat.add_mul, Nat.add_mul] at h₄
        omega
      · rintro ⟨h₁, h₂⟩
        have h₃ : q / a.part * a.part ≤ q' := by
          refine Nat.le_of_not_lt fun hlt => ?_
          have : (q' + 1) * allocated A ≤ q / a.part * a.part * allocated A := Nat.mul_le_mul_right _ hlt
          rw [Nat.add_mul] at this
          omega
        have h₄ : q' < q / a.part * a.part + a.part := by
          refine Nat.lt_of_not_le fun hge => ?_
          have : (q / a.part * a.part + a.part) * allocated A ≤ q' * allocated A := Nat.mul_le_mul_right _ hge
          rw [Nat.add_mul] at this
          omega
        refine Nat.div_eq_of_lt_le h₃ ?_
        rw [Nat.add_mul]
        omega
    · rw [hstep] at hk
      obtain ⟨x, y, hx, hy, rfl⟩ := exists_row hk
      have hlt : q / a.part * a.part + x < a.extent := by
        refine Nat.lt_of_not_le fun hge => ?_
        have : a.extent * allocated A ≤ (q / a.part * a.part + x) * allocated A := Nat.mul_le_mul_right _ hge
        rw [Nat.add_mul] at this
        have := row_lt (N := a.part) hx hy
        omega
      rw [← Nat.add_assoc, ← Nat.add_mul, itemOf_row a hy, mod_share hlt, Nat.mul_comm (q / a.part),
        Nat.mul_add_mod, Nat.mod_eq_of_lt hx, hstep, (hsame y hy).2]

/-! ## The test -/

/-- **The test is right: it says yes exactly when every tile is whole, in one run of shared memory, and in order.**
Source: nvFuser TMA tutorial, step 4, Figures 13 to 15 -/
theorem isContiguous_iff {A : List Axis} (hA : ValidAxes A) {tile : Nat} :
    isContiguous A tile = true ↔ Contiguous A tile := by
  induction A with
  | nil =>
    simp only [isContiguous, decide_eq_true_eq, Contiguous, allocated, List.map_nil, prod, tileOf, itemOf, true_iff]
    constructor
    · rintro rfl p hp
      exact ⟨0, by omega, fun q hq => by omega, fun k hk => by omega⟩
    · intro h
      obtain ⟨b, hb, hrun, -⟩ := h 0 (by omega)
      have := hrun 0 (by omega)
      omega
  | cons a A ih =>
    rw [isContiguous]
    split
    · rename_i h1
      rw [ih hA.tail, contiguous_cons_free hA h1]
    · rename_i h1
      rw [contiguous_cons_cut hA h1]
      simp [and_assoc]

/-- **Where the test says yes, the allocation is a whole number of tiles.**
Source: nvFuser TMA tutorial, step 4 -/
theorem tile_dvd_allocated {A : List Axis} (hA : ValidAxes A) {tile : Nat} (h : isContiguous A tile = true) :
    tile ∣ allocated A := by
  induction A with
  | nil =>
    simp only [isContiguous, decide_eq_true_eq] at h
    rw [h]
    exact Nat.one_dvd _
  | cons a A ih =>
    rw [isContiguous] at h
    rw [allocated_cons]
    split at h
    · exact Nat.dvd_trans (ih hA.tail h) (Nat.dvd_mul_left _ _)
    · simp only [Bool.and_eq_true, decide_eq_true_eq, beq_iff_eq] at h
      obtain ⟨⟨hdvd, hrest⟩, rfl⟩ := h
      have hstep := ((compactTile_eq_some_iff hA.tail).1 hrest).1
      rw [← hstep]
      exact Nat.mul_dvd_mul_right (Nat.dvd_of_mod_eq_zero hdvd) _

end Tma

end Razorgirl
