module

public import Razorgirl.Thm.Layout.Coalesce
public import Razorgirl.Thm.Layout.Complement.Packed

@[expose] public section

/-!
# The gaps of a layout: lemmas

Sorted modes whose strides divide one another in turn, woven with their gaps, are a column-major layout; and
whatever completes sorted modes to a column-major layout is their gaps, up to coalescing.
-/

namespace Razorgirl

namespace FlatLayout

/-- Whether the strides divide in turn can be decided. -/
def Divides.decide : (cur : Nat) → (L : FlatLayout) → Decidable (Divides cur L)
  | _, [] => isTrue trivial
  | cur, m :: L => match Divides.decide (m.extent * m.stride) L with
    | isTrue h =>
      if h' : 0 < m.stride ∧ cur ∣ m.stride then isTrue ⟨h'.1, h'.2, h⟩ else isFalse fun h'' => h' ⟨h''.1, h''.2.1⟩
    | isFalse h => isFalse fun h'' => h h''.2.2

instance (cur : Nat) (L : FlatLayout) : Decidable (Divides cur L) := Divides.decide cur L

theorem Divides.weaken {c c' : Nat} {L : FlatLayout} (h : c ∣ c') (hL : Divides c' L) : Divides c L := by
  cases L with
  | nil => trivial
  | cons m L => exact ⟨hL.1, Nat.dvd_trans h hL.2.1, hL.2.2⟩

theorem Divides.tail {c : Nat} {m : Mode} {L : FlatLayout} (h : Divides c (m :: L)) : Divides m.stride L :=
  h.2.2.weaken (Nat.dvd_mul_left _ _)

theorem Divides.of_mem {c : Nat} {L : FlatLayout} (h : Divides c L) {n : Mode} (hn : n ∈ L) :
    0 < n.stride ∧ c ∣ n.stride := by
  induction L generalizing c with
  | nil => simp at hn
  | cons m L ih =>
    rcases List.mem_cons.1 hn with rfl | hn
    · exact ⟨h.1, h.2.1⟩
    · exact ih (h.tail.weaken h.2.1) hn

/-- Divisibility in turn, for the first mode and for neighbours. -/
theorem divides_iff_forall {c : Nat} {L : FlatLayout} (hs : Sorted L) : Divides c L ↔
    (∀ m Q, L = m :: Q → 0 < m.stride ∧ c ∣ m.stride) ∧
      ∀ P m n Q, L = P ++ m :: n :: Q → m.extent * m.stride ∣ n.stride := by
  induction L generalizing c with
  | nil => simp [Divides]
  | cons k L ih =>
    rw [Divides, ih (List.pairwise_cons.1 hs).2]
    constructor
    · rintro ⟨h1, h2, h3, h4⟩
      refine ⟨fun m Q e => ?_, fun P m n Q e => ?_⟩
      · obtain ⟨rfl, rfl⟩ := List.cons.inj e
        exact ⟨h1, h2⟩
      · cases P with
        | nil =>
          obtain ⟨rfl, rfl⟩ := List.cons.inj e
          exact (h3 n Q rfl).2
        | cons p P =>
          obtain ⟨rfl, rfl⟩ := List.cons.inj e
          exact h4 P m n Q rfl
    · rintro ⟨h1, h2⟩
      obtain ⟨h3, h4⟩ := h1 k L rfl
      refine ⟨h3, h4, fun m Q e => ⟨?_, h2 [] k m Q (by rw [e]; rfl)⟩,
        fun P m n Q e => h2 (k :: P) m n Q (by rw [e]; rfl)⟩
      have := (before_iff _ _).1 ((List.pairwise_cons.1 hs).1 m (by simp [e]))
      omega

theorem blockFrom_append (c : Nat) (P : FlatLayout) (m : Mode) :
    blockFrom c (P ++ [m]) = m.extent * m.stride := by
  induction P generalizing c with
  | nil => rfl
  | cons p P ih => exact ih _

theorem blockFrom_pos {c : Nat} {L : FlatLayout} (hc : 0 < c) (h : Divides c L) (hv : Valid L) :
    0 < blockFrom c L := by
  induction L generalizing c with
  | nil => exact hc
  | cons m L ih => exact ih (Nat.mul_pos hv.1 h.1) h.2.2 hv.2

/-! ## Gaps up to N -/

/-- The gaps below each mode and the one from the last mode to `N`. -/
def gapsTo (cur : Nat) : FlatLayout → (N : Nat) → FlatLayout
  | [], N => [⟨N / cur, cur⟩]
  | m :: L, N => ⟨m.stride / cur, cur⟩ :: gapsTo (m.extent * m.stride) L N

theorem gaps_eq_some {c : Nat} {L G : FlatLayout} (h : gaps c L = some G) :
    Divides c L ∧ ∀ N, G ++ [⟨N / blockFrom c L, blockFrom c L⟩] = gapsTo c L N := by
  induction L generalizing c G with
  | nil =>
    cases h
    exact ⟨trivial, fun N => rfl⟩
  | cons m L ih =>
    simp only [gaps] at h
    split at h
    · rename_i hd
      cases hg : gaps (m.extent * m.stride) L with
      | none => simp [hg] at h
      | some G' =>
        simp only [hg, Option.map_some, Option.some.injEq] at h
        subst h
        obtain ⟨h1, h2⟩ := ih hg
        exact ⟨⟨hd.1, Nat.dvd_of_mod_eq_zero hd.2, h1⟩, fun N => congrArg (_ :: ·) (h2 N)⟩
    · cases h

theorem exists_gaps {c : Nat} {L : FlatLayout} (h : Divides c L) : ∃ G, gaps c L = some G := by
  induction L generalizing c with
  | nil => exact ⟨[], rfl⟩
  | cons m L ih =>
    obtain ⟨G, hG⟩ := ih h.2.2
    exact ⟨⟨m.stride / c, c⟩ :: G, by simp only [gaps, hG]; rw [if_pos ⟨h.1, Nat.mod_eq_zero_of_dvd h.2.1⟩]; rfl⟩

theorem gaps_isSome_iff (c : Nat) (L : FlatLayout) : (gaps c L).isSome = true ↔ Divides c L := by
  rw [Option.isSome_iff_exists]
  exact ⟨fun ⟨_, h⟩ => (gaps_eq_some h).1, exists_gaps⟩

theorem divides_gapsTo {c N : Nat} {L : FlatLayout} (hc : 0 < c) (h : Divides c L) (hv : Valid L) :
    Divides c (gapsTo c L N) := by
  induction L generalizing c with
  | nil => exact ⟨hc, Nat.dvd_refl _, trivial⟩
  | cons m L ih =>
    refine ⟨hc, Nat.dvd_refl _, ?_⟩
    rw [Nat.div_mul_cancel h.2.1]
    exact (ih (Nat.mul_pos hv.1 h.1) h.2.2 hv.2).weaken (Nat.dvd_mul_left _ _)

/-! ## Modes and gaps woven together -/

/-- Gap, mode, gap, mode, …, and the gap to `N`. -/
def weave (cur : Nat) : FlatLayout → (N : Nat) → FlatLayout
  | [], N => [⟨N / cur, cur⟩]
  | m :: L, N => ⟨m.stride / cur, cur⟩ :: m :: weave (m.extent * m.stride) L N

theorem weave_perm (c : Nat) (L : FlatLayout) (N : Nat) : (weave c L N).Perm (L ++ gapsTo c L N) := by
  induction L generalizing c with
  | nil => exact .refl _
  | cons m L ih =>
    exact (((ih _).cons m).cons _).trans
      ((List.Perm.swap m _ _).trans (List.Perm.cons m (List.perm_middle.symm)))

theorem packed_weave {c N : Nat} {L : FlatLayout} (h : Divides c L) : Packed c (weave c L N) := by
  induction L generalizing c with
  | nil => exact ⟨rfl, trivial⟩
  | cons m L ih =>
    have e := Nat.div_mul_cancel h.2.1
    exact ⟨rfl, e.symm, by rw [e]; exact ih h.2.2⟩

theorem size_weave {c N : Nat} {L : FlatLayout} (hc : 0 < c) (h : Divides c L) (hv : Valid L)
    (hb : blockFrom c L ∣ N) : c * size (weave c L N) = N := by
  induction L generalizing c with
  | nil =>
    rw [weave, size_cons, size_nil, Nat.mul_one]
    exact Nat.mul_div_cancel' hb
  | cons m L ih =>
    rw [weave, size_cons, size_cons, ← Nat.mul_assoc, Nat.mul_div_cancel' h.2.1, ← Nat.mul_assoc,
      Nat.mul_comm m.stride]
    exact ih (Nat.mul_pos hv.1 h.1) h.2.2 hv.2 hb

theorem valid_weave {N : Nat} {L : FlatLayout} (h : Divides 1 L) (hv : Valid L) (hb : blockFrom 1 L ∣ N)
    (hN : 0 < N) : Valid (weave 1 L N) := by
  have := size_weave Nat.one_pos h hv hb
  rw [valid_iff_size_pos]
  omega

theorem valid_gapsTo {N : Nat} {L : FlatLayout} (h : Divides 1 L) (hv : Valid L) (hb : blockFrom 1 L ∣ N)
    (hN : 0 < N) : Valid (gapsTo 1 L N) :=
  ((valid_append_iff _ _).1 ((valid_perm (weave_perm 1 L N)).1 (valid_weave h hv hb hN))).2

theorem contiguous_append_gapsTo {N : Nat} {L : FlatLayout} (h : Divides 1 L) (hv : Valid L)
    (hb : blockFrom 1 L ∣ N) (hN : 0 < N) :
    Contiguous (L ++ gapsTo 1 L N) ∧ size (L ++ gapsTo 1 L N) = N := by
  have h1 := size_weave Nat.one_pos h hv hb
  rw [Nat.one_mul] at h1
  exact ⟨(contiguous_perm (weave_perm 1 L N)).1 (contiguous_of_packed (packed_weave h) (valid_weave h hv hb hN)),
    by rw [← size_perm (weave_perm 1 L N), h1]⟩

/-! ## Nothing else fills the gaps -/

theorem merge_split (e f c : Nat) : merge? ⟨e, c⟩ ⟨f, e * c⟩ = some ⟨e * f, c⟩ := by
  unfold merge?
  split
  · rename_i h
    simp only at h
    simp [h]
  · split
    · rename_i h
      simp only at h
      simp [h]
    · simp

theorem coalesce_gapsTo {c e N : Nat} {P : FlatLayout} (hc : 0 < c) (he : 0 < e) (hP : Divides (e * c) P)
    (hb : blockFrom (e * c) P ∣ N) :
    coalesce (gapsTo c P N) = push ⟨e, c⟩ (coalesce (gapsTo (e * c) P N)) := by
  have key : ∀ x, e * c ∣ x → e * (x / (e * c)) = x / c := by
    rintro x ⟨k, rfl⟩
    rw [Nat.mul_div_cancel_left _ (Nat.mul_pos he hc), Nat.mul_comm e c, Nat.mul_assoc,
      Nat.mul_div_cancel_left _ hc]
  cases P with
  | nil =>
    simp only [gapsTo, coalesce]
    rw [push_push (merge_split _ _ _), key N hb]
  | cons p P =>
    simp only [gapsTo, coalesce]
    rw [push_push (merge_split _ _ _), key _ hP.2.1]

theorem head_of_sorted {w : Mode} {W P : FlatLayout} (hP : Sorted P) (hw : w ∈ P)
    (hlt : ∀ n ∈ W, w.stride < n.stride) (hsub : ∀ p ∈ P, p ∈ w :: W) : ∃ P', P = w :: P' := by
  cases P with
  | nil => simp at hw
  | cons p P =>
    rcases List.mem_cons.1 (hsub p (by simp)) with rfl | hp
    · exact ⟨P, rfl⟩
    · have h1 := hlt p hp
      rcases List.mem_cons.1 hw with rfl | hw
      · omega
      · have := (before_iff _ _).1 ((List.pairwise_cons.1 hP).1 w hw)
        omega

/-- If `P` and `Q` together are the modes of a column-major layout, then the strides of `P` divide in turn, and `Q`
is the gaps of `P`. -/
theorem split_of_packed {c : Nat} {W P Q : FlatLayout} (hc : 0 < c) (hW : Packed c W)
    (h2 : ∀ m ∈ W, 2 ≤ m.extent) (hP : Sorted P) (hQ : Sorted Q) (h : (P ++ Q).Perm W) :
    Divides c P ∧ blockFrom c P ∣ c * size W ∧ coalesce (gapsTo c P (c * size W)) = coalesce Q := by
  induction W generalizing c P Q with
  | nil =>
    obtain ⟨rfl, rfl⟩ := List.append_eq_nil_iff.1 h.eq_nil
    refine ⟨trivial, by simp [blockFrom, size_nil], ?_⟩
    simp [gapsTo, size_nil, coalesce, push, Nat.div_self hc]
  | cons w W ih =>
    have hw1 : w.stride = c := hW.1
    have hw2 := h2 w (by simp)
    have hwc : 0 < w.extent * c := Nat.mul_pos (by omega) hc
    have hv : Valid W := (valid_iff_forall _).2 fun n hn => by
      have := h2 n (by simp [hn])
      omega
    have hlt : ∀ n ∈ W, w.stride < n.stride := fun n hn => by
      have h3 := le_stride_of_packed hW.2 hv hn
      have h4 := Nat.mul_le_mul_right c hw2
      omega
    have hsz : w.extent * c * size W = c * size (w :: W) := by rw [size_cons]; grind
    have h2' : ∀ m ∈ W, 2 ≤ m.extent := fun m hm => h2 m (by simp [hm])
    rcases List.mem_append.1 (h.mem_iff.2 (List.mem_cons_self (a := w) (l := W))) with hw | hw
    · obtain ⟨P', rfl⟩ := head_of_sorted hP hw hlt fun p hp => h.mem_iff.1 (List.mem_append_left _ hp)
      obtain ⟨i1, i2, i3⟩ := ih hwc hW.2 h2' (List.pairwise_cons.1 hP).2 hQ ((List.perm_cons w).1 h)
      rw [hsz] at i2 i3
      refine ⟨⟨by omega, by rw [hw1]; exact Nat.dvd_refl _, by rw [hw1]; exact i1⟩,
        by rw [blockFrom, hw1]; exact i2, ?_⟩
      rw [gapsTo, coalesce, hw1, Nat.div_self hc, push_unit rfl, i3]
    · obtain ⟨Q', rfl⟩ := head_of_sorted hQ hw hlt fun p hp => h.mem_iff.1 (List.mem_append_right _ hp)
      obtain ⟨i1, i2, i3⟩ := ih hwc hW.2 h2' hP (List.pairwise_cons.1 hQ).2
        ((List.perm_cons w).1 (List.perm_middle.symm.trans h))
      rw [hsz] at i2 i3
      refine ⟨i1.weaken (Nat.dvd_mul_left _ _), ?_, ?_⟩
      · cases P with
        | nil => exact Nat.dvd_trans (Nat.dvd_mul_left _ _) i2
        | cons p P => exact i2
      · rw [coalesce_gapsTo hc (by omega) i1 i2, i3, coalesce]
        cases w
        subst hw1
        rfl

/-! ## Strides that divide in turn give an increasing function -/

theorem dvd_atIndex_of_divides {c : Nat} {L : FlatLayout} (h : Divides c L) (x : Nat) : c ∣ atIndex L x := by
  induction L generalizing c x with
  | nil => exact Nat.dvd_zero c
  | cons m L ih =>
    rw [atIndex_cons]
    exact Nat.dvd_add (Nat.dvd_trans h.2.1 (Nat.dvd_mul_left _ _))
      (ih (h.tail.weaken h.2.1) _)

theorem atIndex_lt_of_divides {c : Nat} {L : FlatLayout} (h : Divides c L) {x y : Nat} (hxy : x < y)
    (hy : y < size L) : atIndex L x < atIndex L y := by
  induction L generalizing c x y with
  | nil =>
    rw [size_nil] at hy
    omega
  | cons m L ih =>
    have he : 0 < m.extent := (valid_of_lt_size hy).1
    have hd := h.1
    rw [atIndex_cons, atIndex_cons]
    have h1 := Nat.div_add_mod x m.extent
    have h2 := Nat.div_add_mod y m.extent
    have h3 := Nat.mod_lt x he
    have h4 : x / m.extent ≤ y / m.extent := Nat.div_le_div_right (Nat.le_of_lt hxy)
    rcases Nat.lt_or_eq_of_le h4 with hlt | heq
    · have h5 := ih h.2.2 hlt (Nat.div_lt_of_lt_mul (by rw [size_cons] at hy; exact hy))
      obtain ⟨a, ha⟩ := dvd_atIndex_of_divides h.2.2 (x / m.extent)
      obtain ⟨b, hb⟩ := dvd_atIndex_of_divides h.2.2 (y / m.extent)
      rw [ha, hb] at h5 ⊢
      have h6 : a < b := Nat.lt_of_mul_lt_mul_left h5
      have h7 := Nat.mul_le_mul_left (m.extent * m.stride) h6
      rw [Nat.mul_succ] at h7
      have h8 := Nat.mul_lt_mul_of_pos_right h3 hd
      omega
    · have h5 : x % m.extent < y % m.extent := by
        rw [heq] at h1
        omega
      have h6 := Nat.mul_lt_mul_of_pos_right h5 hd
      rw [heq]
      omega

theorem strides_increasing_of_divides {c : Nat} {L : FlatLayout} (h : Divides c L)
    (h2 : ∀ m ∈ L, 2 ≤ m.extent) : L.Pairwise fun m n => m.stride < n.stride := by
  induction L generalizing c with
  | nil => exact .nil
  | cons m L ih =>
    refine List.pairwise_cons.2 ⟨fun n hn => ?_, ih h.2.2 fun n hn => h2 n (by simp [hn])⟩
    have h3 := h.2.2.of_mem hn
    have h4 := Nat.le_of_dvd h3.1 h3.2
    have h5 := Nat.mul_le_mul_right m.stride (h2 m (by simp))
    have := h.1
    omega

theorem sorted_of_strides_increasing {L : FlatLayout} (h : L.Pairwise fun m n => m.stride < n.stride) :
    Sorted L := h.imp fun hlt => (before_iff _ _).2 (.inl hlt)

theorem divides_push {c : Nat} {m : Mode} {L : FlatLayout} (h : Divides c (m :: L)) : Divides c (push m L) := by
  cases L with
  | nil =>
    simp only [push]
    split
    · trivial
    · exact h
  | cons n L =>
    simp only [push]
    split
    · exact h.tail.weaken h.2.1
    · split
      · rename_i h1
        refine ⟨h.1, h.2.1, ?_⟩
        have := h.2.2.2.2
        rw [h1] at this
        rwa [Nat.mul_comm m.extent, Nat.mul_assoc]
      · exact h

theorem divides_coalesce {c : Nat} {L : FlatLayout} (h : Divides c L) : Divides c (coalesce L) := by
  induction L generalizing c with
  | nil => trivial
  | cons m L ih => exact divides_push ⟨h.1, h.2.1, ih h.2.2⟩

theorem two_le_of_coalesced {L : FlatLayout} (hv : Valid L) (hc : Coalesced L) : ∀ m ∈ L, 2 ≤ m.extent :=
  fun m hm => by
    have h1 := extent_ne_one_of_coalesced hc hm
    have h2 := (valid_iff_forall L).1 hv m hm
    omega

end FlatLayout

end Razorgirl
