module

public import Razorgirl.Thm.Layout.Inverse.Digits

@[expose] public section

/-!
# Left inverses: what is proved

A left inverse reads the coordinates of an offset in the radix of the strides. It exists exactly for injective
layouts whose strides, sorted, divide in turn; then it undoes the layout. The quasi-inverse does the same for the
modes that move the offset, and the inverse of a contiguous layout is two-sided.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Reading coordinates off an offset -/

theorem undo_spec {p : Start} {ps : List Start} {R : FlatLayout} (h : undo (p :: ps) = some R)
    (hp : 0 < p.mode.stride) (w : Start → Nat) (hw : ∀ q ∈ p :: ps, w q < q.mode.extent) :
    ∃ k, k < size R ∧ total (fun q => w q * q.mode.stride) (p :: ps) = p.mode.stride * k ∧
      atIndex R k = total (fun q => w q * q.index) (p :: ps) := by
  induction ps generalizing p R with
  | nil =>
    obtain rfl : [⟨p.mode.extent, p.index⟩] = R := by simpa [undo] using h
    have h0 := hw p (by simp)
    refine ⟨w p, by simpa [size_cons, size_nil] using h0, ?_, ?_⟩
    · simp only [total, Nat.add_zero, Nat.mul_comm]
    · simp only [total, Nat.add_zero, atIndex_singleton, Nat.mod_eq_of_lt h0]
  | cons q ps ih =>
    simp only [undo] at h
    split at h
    · rename_i hc
      obtain ⟨R', hR', rfl⟩ := Option.map_eq_some_iff.1 h
      have h0 := hw p (by simp)
      have hq : 0 < q.mode.stride := Nat.lt_of_lt_of_le (Nat.mul_pos (by omega) hp) hc.2
      obtain ⟨k, hk, e1, e2⟩ := ih hR' hq fun s hs => hw s (by simp [hs])
      obtain ⟨g, hg⟩ := Nat.dvd_of_mod_eq_zero hc.1
      have hdiv : q.mode.stride / p.mode.stride = g := by rw [hg, Nat.mul_div_cancel_left _ hp]
      have hle : p.mode.extent ≤ g := by
        have := hc.2
        rw [hg, Nat.mul_comm] at this
        exact Nat.le_of_mul_le_mul_left this hp
      rw [hdiv]
      refine ⟨w p + g * k, ?_, ?_, ?_⟩
      · have := Nat.mul_le_mul_left g hk
        rw [Nat.mul_succ] at this
        show w p + g * k < g * size R'
        omega
      · rw [total, e1, hg]
        grind
      · rw [total, atIndex_cons, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt (by omega),
          Nat.add_mul_div_left _ _ (by omega), Nat.div_eq_of_lt (by omega), Nat.zero_add, e2]
    · cases h

theorem undoFrom_spec {ps : List Start} {R : FlatLayout} (h : undoFrom ps = some R) (w : Start → Nat)
    (hw : ∀ q ∈ ps, w q < q.mode.extent) :
    total (fun q => w q * q.mode.stride) ps < size R ∧
      atIndex R (total (fun q => w q * q.mode.stride) ps) = total (fun q => w q * q.index) ps := by
  cases ps with
  | nil =>
    obtain rfl : [] = R := by simpa [undoFrom] using h
    exact ⟨by simp [total, size_nil], rfl⟩
  | cons p ps =>
    simp only [undoFrom] at h
    split at h
    · rename_i hp
      obtain ⟨R', hR', rfl⟩ := Option.map_eq_some_iff.1 h
      obtain ⟨k, hk, e1, e2⟩ := undo_spec hR' hp w hw
      rw [coalesce_size, coalesce_atIndex, size_cons, atIndex_cons, e1, Nat.mul_zero, Nat.zero_add,
        Nat.mul_div_cancel_left _ hp, e2]
      exact ⟨Nat.mul_lt_mul_of_pos_left hk hp, rfl⟩
    · cases h

/-! ## When strides can be read off -/

/-- Neighbouring strides divide, and each mode ends below the next. -/
def Apart : FlatLayout → Prop
  | m :: n :: L => (n.stride % m.stride = 0 ∧ m.extent * m.stride ≤ n.stride) ∧ Apart (n :: L)
  | _ => True

theorem isSome_undo_iff (ps : List Start) : (undo ps).isSome = true ↔ Apart (ps.map Start.mode) := by
  induction ps with
  | nil => simp [undo, Apart]
  | cons p ps ih =>
    cases ps with
    | nil => simp [undo, Apart]
    | cons q ps =>
      simp only [undo, List.map_cons, Apart]
      simp only [List.map_cons] at ih
      split
      · rename_i hc
        rw [Option.isSome_map, ih]
        exact ⟨fun h => ⟨hc, h⟩, fun h => h.2⟩
      · rename_i hc
        simp only [Option.isSome_none, Bool.false_eq_true, false_iff]
        exact fun h => hc h.1

theorem isSome_undoFrom_iff (ps : List Start) : (undoFrom ps).isSome = true ↔
    (∀ m L, ps.map Start.mode = m :: L → 0 < m.stride) ∧ Apart (ps.map Start.mode) := by
  cases ps with
  | nil => simp [undoFrom, Apart]
  | cons p ps =>
    simp only [undoFrom, List.map_cons, List.cons.injEq]
    split
    · rename_i hp
      rw [Option.isSome_map, isSome_undo_iff, List.map_cons]
      exact ⟨fun h => ⟨fun m L e => e.1 ▸ hp, h⟩, fun h => h.2⟩
    · rename_i hp
      simp only [Option.isSome_none, Bool.false_eq_true, false_iff]
      exact fun h => hp (h.1 _ _ ⟨rfl, rfl⟩)

/-- Whether the strides divide in turn can be decided. -/
def DivideInTurn.decide : (cur : Nat) → (L : FlatLayout) → Decidable (DivideInTurn cur L)
  | _, [] => isTrue trivial
  | cur, m :: L => match DivideInTurn.decide m.stride L with
    | isTrue h => if h' : 0 < m.stride ∧ cur ∣ m.stride then isTrue ⟨h', h⟩ else isFalse fun h'' => h' h''.1
    | isFalse h => isFalse fun h'' => h h''.2

instance (cur : Nat) (L : FlatLayout) : Decidable (DivideInTurn cur L) := DivideInTurn.decide cur L

theorem divideInTurn_of_apart {m : Mode} {L : FlatLayout} {c : Nat} (hv : Valid (m :: L)) (hp : 0 < m.stride)
    (hc : c ∣ m.stride) (h : Apart (m :: L)) : DivideInTurn c (m :: L) := by
  induction L generalizing m c with
  | nil => exact ⟨⟨hp, hc⟩, trivial⟩
  | cons n L ih =>
    exact ⟨⟨hp, hc⟩, ih hv.2 (Nat.lt_of_lt_of_le (Nat.mul_pos hv.1 hp) h.1.2) (Nat.dvd_of_mod_eq_zero h.1.1) h.2⟩

theorem apart_of_divideInTurn {c : Nat} {L : FlatLayout} (h2 : ∀ m ∈ L, 2 ≤ m.extent) (hi : Injective L)
    (h : DivideInTurn c L) : Apart L := by
  induction L generalizing c with
  | nil => trivial
  | cons m L ih =>
    cases L with
    | nil => trivial
    | cons n L =>
      have hv : Valid (n :: L) := (valid_iff_forall _).2 fun k hk => by
        have := h2 k (by simp [hk])
        omega
      have hm := h2 m (by simp)
      have hi' := injective_of_append_right (A := [m]) ⟨by omega, trivial⟩ hi
      refine ⟨⟨Nat.mod_eq_zero_of_dvd h.2.1.2, ?_⟩, ih (fun k hk => h2 k (by simp [hk])) hi' h.2⟩
      obtain ⟨g, hg⟩ := h.2.1.2
      have hp := h.1.1
      have hn := h.2.1.1
      rcases Nat.lt_or_ge g m.extent with hlt | hge
      · exfalso
        have := first_coordinate_unique hi hlt (k' := 0) (by omega) (zero_mem_offsets hv)
          (stride_mem_offsets hv (m := n) (by simp) (h2 n (by simp))) (by rw [hg, Nat.mul_comm]; omega)
        rw [this, Nat.mul_zero] at hg
        omega
      · rw [hg, Nat.mul_comm]
        exact Nat.mul_le_mul_left _ hge

/-! ## Left inverse -/

/-- **A left inverse undoes the layout: the offset of every index lies in its domain and leads back to the index.**
Rust: `razorgirl::Layout::left_inverse`
Source: Cecka (arXiv 2603.02298), left inverse; CuTe `left_inverse` -/
theorem leftInverse_undoes {L R : FlatLayout} (hv : Valid L) (h : leftInverse L = some R) {x : Nat}
    (hx : x < size L) : atIndex L x < size R ∧ atIndex R (atIndex L x) = x := by
  have hs := undoFrom_spec h (startDigit x) fun q hq =>
    place_lt hv x (mem_moving.1 ((sortStarts_perm _).mem_iff.1 hq)).1
  rw [total_perm (sortStarts_perm _), total_perm (sortStarts_perm _),
    total_moving _ _ (fun _ _ h => place_eq_zero h), total_moving _ _ (fun _ _ h => place_eq_zero h),
    total_place_stride, total_place_index_of_lt hx, Nat.div_one] at hs
  exact hs

/-- **Only an injective layout has a left inverse.**
Rust: `razorgirl::Layout::left_inverse`
Source: Cecka (arXiv 2603.02298), left inverse -/
theorem injective_of_leftInverse {L R : FlatLayout} (hv : Valid L) (h : leftInverse L = some R) : Injective L := by
  rw [injective_iff_atIndex]
  intro x y hx hy e
  rw [← (leftInverse_undoes hv h hx).2, e, (leftInverse_undoes hv h hy).2]

/-- **A left inverse is found exactly when the layout is injective and the strides of its modes of extent above 1,
sorted, are positive and divide one another in turn.**
Rust: `razorgirl::Layout::left_inverse`
Source: CuTe `left_inverse`, «Left inverse divisibility condition» -/
theorem leftInverse_ne_none_iff {L : FlatLayout} (hv : Valid L) :
    leftInverse L ≠ none ↔ Injective L ∧ DivideInTurn 1 (chain L) := by
  rw [← Option.isSome_iff_ne_none, leftInverse, isSome_undoFrom_iff, map_mode_sortStarts_moving]
  have hc : Injective (chain L) ↔ Injective L := by rw [injective_perm (chain_perm L), injective_squeeze_iff]
  constructor
  · intro h
    have hs : (leftInverse L).isSome = true := by
      rw [leftInverse, isSome_undoFrom_iff, map_mode_sortStarts_moving]
      exact h
    obtain ⟨R, hR⟩ := Option.isSome_iff_exists.1 hs
    refine ⟨injective_of_leftInverse hv hR, ?_⟩
    have hvc := valid_chain hv
    cases hL : chain L with
    | nil => trivial
    | cons m C => exact divideInTurn_of_apart (hL ▸ hvc) (h.1 m C hL) (Nat.one_dvd _) (hL ▸ h.2)
  · rintro ⟨hi, hd⟩
    refine ⟨fun m C hL => ?_, apart_of_divideInTurn (fun m hm => two_le_of_mem_chain hv hm) (hc.2 hi) hd⟩
    rw [hL] at hd
    exact hd.1.1

theorem size_undo {p : Start} {ps : List Start} {R : FlatLayout} (h : undo (p :: ps) = some R) :
    p.mode.stride * size R = blockFrom 1 ((p :: ps).map Start.mode) := by
  induction ps generalizing p R with
  | nil =>
    obtain rfl : [⟨p.mode.extent, p.index⟩] = R := by simpa [undo] using h
    simp [size_cons, size_nil, blockFrom, Nat.mul_comm]
  | cons q ps ih =>
    simp only [undo] at h
    split at h
    · rename_i hc
      obtain ⟨R', hR', rfl⟩ := Option.map_eq_some_iff.1 h
      rw [size_cons, ← Nat.mul_assoc, Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hc.1), ih hR']
      rfl
    · cases h

theorem size_undoFrom {ps : List Start} {R : FlatLayout} (h : undoFrom ps = some R) :
    size R = blockFrom 1 (ps.map Start.mode) := by
  cases ps with
  | nil =>
    obtain rfl : [] = R := by simpa [undoFrom] using h
    rfl
  | cons p ps =>
    simp only [undoFrom] at h
    split at h
    · obtain ⟨R', hR', rfl⟩ := Option.map_eq_some_iff.1 h
      rw [coalesce_size, size_cons, size_undo hR']
    · cases h

/-- **The domain of a left inverse is the block of the layout: extent times stride of its mode of largest stride.**
Rust: `razorgirl::Layout::left_inverse`
Source: CuTe `left_inverse` -/
theorem leftInverse_size {L R : FlatLayout} (h : leftInverse L = some R) : size R = block L := by
  rw [size_undoFrom h, map_mode_sortStarts_moving, block]

theorem coalesced_undoFrom {ps : List Start} {R : FlatLayout} (h : undoFrom ps = some R) : Coalesced R := by
  cases ps with
  | nil =>
    obtain rfl : [] = R := by simpa [undoFrom] using h
    trivial
  | cons p ps =>
    simp only [undoFrom] at h
    split at h
    · obtain ⟨R', hR', rfl⟩ := Option.map_eq_some_iff.1 h
      exact coalesce_coalesced _
    · cases h

/-- **A left inverse is valid and coalesced.**
Rust: `razorgirl::Layout::left_inverse`
Source: CuTe `left_inverse` -/
theorem leftInverse_valid {L R : FlatLayout} (hv : Valid L) (h : leftInverse L = some R) :
    Valid R ∧ Coalesced R :=
  ⟨valid_of_lt_size (leftInverse_undoes hv h hv.size_pos).1, coalesced_undoFrom h⟩

/-! ## Quasi-inverse -/

theorem quasiLeftInverse_spec {L R : FlatLayout} (hv : Valid L) (h : quasiLeftInverse L = some R)
    (x : Nat) : atIndex L x < size R ∧ atIndex R (atIndex L x) < size L ∧
      atIndex L (atIndex R (atIndex L x)) = atIndex L x := by
  have hs := undoFrom_spec h (startDigit x) fun q hq =>
    place_lt hv x (mem_moving.1 (List.mem_filter.1 ((sortStarts_perm _).mem_iff.1 hq)).1).1
  rw [total_perm (sortStarts_perm _), total_perm (sortStarts_perm _),
    total_filter (fun p _ hc => by rw [show p.mode.stride = 0 by simpa using hc, Nat.mul_zero]),
    total_moving _ _ (fun _ _ h => place_eq_zero h), total_place_stride, Nat.div_one] at hs
  have hw : ∀ p ∈ starts 1 L,
      (if p.mode.extent ≠ 1 ∧ p.mode.stride ≠ 0 then startDigit x p else 0) < p.mode.extent := by
    intro p hp
    have := place_lt hv x hp
    split <;> omega
  obtain ⟨k, hk, e1, e2⟩ := exists_index (fun p => if p.mode.extent ≠ 1 ∧ p.mode.stride ≠ 0 then startDigit x p else 0) hw
  have i1 : atIndex R (atIndex L x) = k := by
    rw [hs.2, ← Nat.one_mul k, ← e1, moving, List.filter_filter]
    rw [← total_filter (ps := starts 1 L) (c := fun p => p.mode.stride != 0 && p.mode.extent != 1)]
    · refine total_congr fun p hp => ?_
      have := (List.mem_filter.1 hp).2
      simp only [bne_iff_ne, ne_eq, Bool.and_eq_true] at this
      rw [if_pos ⟨this.2, this.1⟩]
    · intro p _ hc
      rw [if_neg, Nat.zero_mul]
      intro h'
      simp [h'.1, h'.2] at hc
  refine ⟨hs.1, by rw [i1]; exact hk, ?_⟩
  rw [i1, e2, ← Nat.div_one x, ← total_place_stride 1 L x, Nat.div_one]
  refine total_congr fun p _ => ?_
  split
  · rfl
  · rename_i hc
    rcases Decidable.em (p.mode.extent = 1) with h1 | h1
    · rw [place_eq_zero h1]
    · have h2 : p.mode.stride = 0 := Decidable.byContradiction fun h2 => hc ⟨h1, h2⟩
      rw [h2, Nat.mul_zero, Nat.mul_zero]

/-- **A quasi-inverse leads from an offset back to an index with the same offset.**
Rust: `razorgirl::Layout::quasi_left_inverse`
Source: Cecka (arXiv 2603.02298), left pseudo-inverse -/
theorem quasiLeftInverse_returns {L R : FlatLayout} (hv : Valid L) (h : quasiLeftInverse L = some R)
    (x : Nat) : atIndex L (atIndex R (atIndex L x)) = atIndex L x := (quasiLeftInverse_spec hv h x).2.2

/-- **Every offset of the layout lies in the domain of a quasi-inverse, and the index it leads to is one of the
layout.**
Rust: `razorgirl::Layout::quasi_left_inverse`
Source: Cecka (arXiv 2603.02298), left pseudo-inverse -/
theorem quasiLeftInverse_domain {L R : FlatLayout} (hv : Valid L) (h : quasiLeftInverse L = some R)
    (x : Nat) : atIndex L x < size R ∧ atIndex R (atIndex L x) < size L :=
  ⟨(quasiLeftInverse_spec hv h x).1, (quasiLeftInverse_spec hv h x).2.1⟩

/-- **A quasi-inverse is valid and coalesced.**
Rust: `razorgirl::Layout::quasi_left_inverse`
Source: CuTe `left_inverse` -/
theorem quasiLeftInverse_valid {L R : FlatLayout} (hv : Valid L) (h : quasiLeftInverse L = some R) :
    Valid R ∧ Coalesced R :=
  ⟨valid_of_lt_size (quasiLeftInverse_spec hv h 0).1, coalesced_undoFrom h⟩

/-- **Where there is a left inverse, the quasi-inverse is the same.**
Rust: `razorgirl::Layout::quasi_left_inverse`
Source: Cecka (arXiv 2603.02298), left pseudo-inverse -/
theorem quasiLeftInverse_of_leftInverse {L R : FlatLayout} (hv : Valid L) (h : leftInverse L = some R) :
    quasiLeftInverse L = some R := by
  have hi := injective_of_leftInverse hv h
  rw [quasiLeftInverse, List.filter_eq_self.2 (fun p hp => ?_)]
  · exact h
  · obtain ⟨h1, h2⟩ := mem_moving.1 hp
    have h3 := extent_pos_of_mem_starts hv h1
    have := stride_pos_of_injective hv hi (mode_mem_of_mem_starts h1) (by omega)
    simp only [bne_iff_ne, ne_eq]
    omega

/-! ## Two-sided inverse -/

theorem divideInTurn_of_packed {c d : Nat} {L : FlatLayout} (hc : 0 < c) (hd : d ∣ c) (hv : Valid L)
    (h : Packed c L) : DivideInTurn d L := by
  induction L generalizing c d with
  | nil => trivial
  | cons m L ih =>
    obtain ⟨h1, h2⟩ := h
    subst h1
    exact ⟨⟨hc, hd⟩, ih (Nat.mul_pos hv.1 hc) (Nat.dvd_mul_left _ _) hv.2 h2⟩

theorem blockFrom_of_packed {c : Nat} {L : FlatLayout} (h : Packed c L) : blockFrom c L = c * size L := by
  induction L generalizing c with
  | nil => simp [blockFrom, size_nil]
  | cons m L ih =>
    rw [blockFrom, h.1, ih h.2, size_cons]
    grind

/-- **The block of a contiguous layout is its size.**
Rust: `razorgirl::Layout::is_contiguous`
Source: Colfax 2.1.5 -/
theorem block_of_contiguous {L : FlatLayout} (h : Contiguous L) : block L = size L := by
  rw [block, blockFrom_of_packed ((contiguous_iff_packed L).1 h).2, size_chain, Nat.one_mul]

theorem inverse_eq_some_iff {L R : FlatLayout} :
    inverse L = some R ↔ cosizeFormula L = size L ∧ leftInverse L = some R := by
  rw [inverse]
  split
  · rename_i h
    simp [h]
  · rename_i h
    simp [h]

/-- **An inverse is found exactly for contiguous layouts.**
Rust: `razorgirl::Layout::inverse`
Source: Colfax 2.1.5; Cecka (arXiv 2603.02298) -/
theorem inverse_ne_none_iff {L : FlatLayout} (hv : Valid L) : inverse L ≠ none ↔ Contiguous L := by
  rw [contiguous_iff_injective, cosize_eq_formula hv]
  constructor
  · intro h
    obtain ⟨R, hR⟩ := Option.ne_none_iff_exists'.1 h
    obtain ⟨h1, h2⟩ := inverse_eq_some_iff.1 hR
    exact ⟨injective_of_leftInverse hv h2, h1⟩
  · rintro ⟨h1, h2⟩
    have hp := ((contiguous_iff_packed L).1
      ((contiguous_iff_injective L).2 ⟨h1, by rw [cosize_eq_formula hv, h2]⟩)).2
    rw [inverse, if_pos h2]
    exact (leftInverse_ne_none_iff hv).2
      ⟨h1, divideInTurn_of_packed Nat.one_pos (Nat.one_dvd _) (valid_chain hv) hp⟩

theorem contiguous_of_inverse {L R : FlatLayout} (hv : Valid L) (h : inverse L = some R) : Contiguous L :=
  (inverse_ne_none_iff hv).1 (by rw [h]; exact Option.some_ne_none R)

/-- **An inverse has the size of the layout.**
Rust: `razorgirl::Layout::inverse`
Source: Colfax 2.1.5 -/
theorem inverse_size {L R : FlatLayout} (hv : Valid L) (h : inverse L = some R) : size R = size L := by
  rw [leftInverse_size (inverse_eq_some_iff.1 h).2, block_of_contiguous (contiguous_of_inverse hv h)]

/-- **An inverse undoes the layout, and the layout undoes its inverse, for all indices below the size.**
Rust: `razorgirl::Layout::inverse`
Source: Colfax 2.1.5; Cecka (arXiv 2603.02298) -/
theorem inverse_undoes {L R : FlatLayout} (hv : Valid L) (h : inverse L = some R) {x : Nat} (hx : x < size L) :
    (atIndex L x < size L ∧ atIndex R (atIndex L x) = x) ∧ (atIndex R x < size L ∧ atIndex L (atIndex R x) = x) := by
  have hc := contiguous_of_inverse hv h
  have hl := (inverse_eq_some_iff.1 h).2
  refine ⟨⟨atIndex_lt_size_of_contiguous hc hx, (leftInverse_undoes hv hl hx).2⟩, ?_⟩
  obtain ⟨y, ⟨hy, rfl⟩, _⟩ := exists_unique_of_contiguous hc hx
  rw [(leftInverse_undoes hv hl hy).2]
  exact ⟨hy, rfl⟩

/-- **An inverse is contiguous itself.**
Rust: `razorgirl::Layout::inverse`
Source: Colfax 2.1.5 -/
theorem inverse_contiguous {L R : FlatLayout} (hv : Valid L) (h : inverse L = some R) : Contiguous R := by
  have hs := inverse_size hv h
  have hR := (leftInverse_valid hv (inverse_eq_some_iff.1 h).2).1
  have hi : Injective R := by
    rw [injective_iff_atIndex]
    intro x y hx hy e
    rw [← (inverse_undoes hv h (x := x) (by omega)).2.2, e, (inverse_undoes hv h (by omega)).2.2]
  refine (contiguous_iff_injective R).2 ⟨hi, Nat.le_antisymm ?_ (size_le_cosize hi)⟩
  obtain ⟨x, hx, e⟩ := (cosize_is_maximum hR).2
  have := (inverse_undoes hv h (x := x) (by omega)).2.1
  omega

end FlatLayout

end Razorgirl
