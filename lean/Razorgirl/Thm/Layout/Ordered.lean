module

public import Razorgirl.Spec.Layout.Ordered
public import Razorgirl.Thm.Layout.Complement.Packed
public import Razorgirl.Thm.Layout.Filter

@[expose] public section

/-!
# Compact layouts by order: what is proved

Whatever the ranks are, the layout is a bijection onto `[0, size)`, and the strides follow the ranks. The proof gives
every mode a key, rank first and place second, and sorts by it: sorted, the layout is column-major.
-/

namespace Razorgirl

namespace FlatLayout
namespace Aux

/-! ## Keys -/

/-- The product of the extents whose keys are below `k`. -/
def underKey (k : Nat) : List (Nat × Nat) → Nat
  | [] => 1
  | p :: K => (if p.1 < k then p.2 else 1) * underKey k K

theorem underKey_append (k : Nat) (K K' : List (Nat × Nat)) :
    underKey k (K ++ K') = underKey k K * underKey k K' := by
  induction K with
  | nil => simp [underKey]
  | cons p K ih => rw [List.cons_append, underKey, ih, underKey, Nat.mul_assoc]

theorem underKey_perm (k : Nat) {K K' : List (Nat × Nat)} (h : K.Perm K') : underKey k K = underKey k K' := by
  induction h with
  | nil => rfl
  | cons p _ ih => rw [underKey, underKey, ih]
  | swap p q K => rw [underKey, underKey, underKey, underKey, Nat.mul_left_comm]
  | trans _ _ h h' => exact h.trans h'

theorem underKey_dvd {k k' : Nat} (h : k ≤ k') (K : List (Nat × Nat)) : underKey k K ∣ underKey k' K := by
  induction K with
  | nil => exact Nat.dvd_refl _
  | cons p K ih =>
    rw [underKey, underKey]
    refine Nat.mul_dvd_mul ?_ ih
    split
    · rw [if_pos (by omega)]; exact Nat.dvd_refl _
    · exact Nat.one_dvd _

theorem underKey_of_forall_lt {k : Nat} {K : List (Nat × Nat)} (h : ∀ p ∈ K, p.1 < k) :
    underKey k K = prod (K.map Prod.snd) := by
  induction K with
  | nil => rfl
  | cons p K ih =>
    rw [underKey, if_pos (h p (by simp)), ih fun q hq => h q (by simp [hq])]
    rfl

theorem underKey_of_forall_le {k : Nat} {K : List (Nat × Nat)} (h : ∀ p ∈ K, k ≤ p.1) : underKey k K = 1 := by
  induction K with
  | nil => rfl
  | cons p K ih =>
    have := h p (by simp)
    rw [underKey, if_neg (by omega), ih fun q hq => h q (by simp [hq])]

/-- The modes of keyed extents. -/
def keyedModes (K : List (Nat × Nat)) : FlatLayout := K.map fun p => ⟨p.2, underKey p.1 K⟩

theorem keyedModes_perm {K K' : List (Nat × Nat)} (h : K.Perm K') : (keyedModes K).Perm (keyedModes K') := by
  have e : keyedModes K = K.map fun p => ⟨p.2, underKey p.1 K'⟩ :=
    List.map_congr_left fun p _ => by rw [underKey_perm p.1 h]
  rw [e]
  exact h.map _

theorem map_mode_of_sorted (Q K : List (Nat × Nat)) (h : (Q ++ K).Pairwise fun p q => p.1 < q.1) :
    (K.map fun p => (⟨p.2, underKey p.1 (Q ++ K)⟩ : Mode)) =
      columnMajor (prod (Q.map Prod.snd)) (K.map Prod.snd) := by
  induction K generalizing Q with
  | nil => rfl
  | cons p K ih =>
    obtain ⟨_, hpK, hQ⟩ := List.pairwise_append.1 h
    have hp := (List.pairwise_cons.1 hpK).1
    have e : underKey p.1 (Q ++ p :: K) = prod (Q.map Prod.snd) := by
      rw [underKey_append, underKey_of_forall_lt fun q hq => hQ q hq p (by simp), underKey_of_forall_le, Nat.mul_one]
      intro q hq
      rcases List.mem_cons.1 hq with rfl | hq
      · exact Nat.le_refl _
      · exact Nat.le_of_lt (hp q hq)
    have h' : (Q ++ [p] ++ K).Pairwise fun p q => p.1 < q.1 := by simpa using h
    have := ih (Q ++ [p]) h'
    rw [List.append_assoc, List.singleton_append, List.map_append, prod_append] at this
    rw [List.map_cons, List.map_cons, columnMajor, e, this]
    simp [prod, Nat.mul_comm]

theorem exists_sorted {K : List (Nat × Nat)} (h : (K.map Prod.fst).Nodup) :
    ∃ S, K.Perm S ∧ S.Pairwise fun p q => p.1 < q.1 := by
  refine ⟨K.mergeSort fun p q => decide (p.1 ≤ q.1), (List.mergeSort_perm _ _).symm, ?_⟩
  have h1 : (K.mergeSort fun p q => decide (p.1 ≤ q.1)).Pairwise fun p q => decide (p.1 ≤ q.1) = true :=
    List.pairwise_mergeSort (fun a b c hab hbc => by simp only [decide_eq_true_eq] at *; omega)
      (fun a b => by simp only [Bool.or_eq_true, decide_eq_true_eq]; omega) K
  have h2 : ((K.mergeSort fun p q => decide (p.1 ≤ q.1)).map Prod.fst).Nodup :=
    ((List.mergeSort_perm _ _).map Prod.fst).nodup_iff.2 h
  rw [List.Nodup, List.pairwise_map] at h2
  exact (h1.and h2).imp fun ⟨ha, hb⟩ => by simp only [decide_eq_true_eq] at ha; omega

theorem keyedModes_perm_columnMajor {K : List (Nat × Nat)} (h : (K.map Prod.fst).Nodup) :
    ∃ S, K.Perm S ∧ (keyedModes K).Perm (columnMajor 1 (S.map Prod.snd)) := by
  obtain ⟨S, h1, h2⟩ := exists_sorted h
  have h3 := map_mode_of_sorted [] S (by simpa using h2)
  refine ⟨S, h1, (keyedModes_perm h1).trans ?_⟩
  rw [keyedModes]
  simp only [List.nil_append, List.map_nil, prod] at h3
  rw [h3]

/-! ## The keys of ranks and places -/

theorem key_lt_iff_of_lt {n a b o p : Nat} (h : a < b) (hb : b < n) : o * n + a < p * n + b ↔ o ≤ p := by
  constructor
  · intro hk
    refine Nat.le_of_not_lt fun hc => ?_
    have : (p + 1) * n ≤ o * n := Nat.mul_le_mul_right n hc
    rw [Nat.succ_mul] at this
    omega
  · intro hk
    have := Nat.mul_le_mul_right n hk
    omega

theorem key_lt_iff_of_gt {n a b o p : Nat} (h : b < a) (ha : a < n) : o * n + a < p * n + b ↔ o < p := by
  have := key_lt_iff_of_lt (o := p) (p := o) h ha
  constructor
  · intro hk
    exact Nat.lt_of_not_le fun hc => by have := this.2 hc; omega
  · intro hk
    have h1 : ¬ p ≤ o := by omega
    rw [← this] at h1
    have h2 := Nat.mul_le_mul_right n (show o + 1 ≤ p from hk)
    rw [Nat.succ_mul] at h2
    omega

theorem key_inj {n a b o p : Nat} (ha : a < n) (hb : b < n) (h : o * n + a = p * n + b) : a = b ∧ o = p := by
  have h1 := congrArg (· % n) h
  simp only [Nat.mul_add_mod', Nat.mod_eq_of_lt ha, Nat.mod_eq_of_lt hb] at h1
  have hn : 0 < n := by omega
  refine ⟨h1, ?_⟩
  have h2 : o * n = p * n := by omega
  exact Nat.eq_of_mul_eq_mul_right hn h2

/-- The extents keyed by rank and place, places from `j` on. -/
def keyed (n j : Nat) : (shape order : List Nat) → List (Nat × Nat)
  | s :: ss, o :: os => (o * n + j, s) :: keyed n (j + 1) ss os
  | _, _ => []

/-- The extents to the left of place `j`, from right to left. -/
def keyedLeft (n : Nat) : (j : Nat) → (shape order : List Nat) → List (Nat × Nat)
  | j + 1, s :: ss, o :: os => (o * n + j, s) :: keyedLeft n j ss os
  | _, _, _ => []

theorem underKey_keyed {n a j o : Nat} (ha : a < j) : {ss os : List Nat} → j + ss.length ≤ n →
    underKey (o * n + a) (keyed n j ss os) = under false o ss os
  | [], _, _ => rfl
  | _ :: _, [], _ => rfl
  | s :: ss, p :: os, h => by
    rw [List.length_cons] at h
    rw [keyed, underKey, under, underKey_keyed (by omega) (by omega)]
    simp only [key_lt_iff_of_gt ha (show j < n by omega), Bool.false_and, Bool.or_false, decide_eq_true_eq]

theorem underKey_keyedLeft {n a o : Nat} (ha : a < n) : {j : Nat} → {ls lo : List Nat} → ls.length = j → j ≤ a →
    underKey (o * n + a) (keyedLeft n j ls lo) = under true o ls lo
  | _, [], _, _, _ => by simp [keyedLeft, underKey, under]
  | j + 1, s :: ls, [], _, _ => rfl
  | j + 1, s :: ls, p :: lo, h, hj => by
    rw [List.length_cons] at h
    rw [keyedLeft, underKey, under, underKey_keyedLeft ha (by omega) (by omega)]
    simp only [key_lt_iff_of_lt (show j < a by omega) ha, Bool.true_and, Bool.or_eq_true, decide_eq_true_eq,
      beq_iff_eq, Nat.le_iff_lt_or_eq]

theorem orderedFrom_eq {n : Nat} : {j : Nat} → {ls lo ss os : List Nat} → ls.length = j → j + ss.length ≤ n →
    orderedFrom ls lo ss os =
      (keyed n j ss os).map fun p => ⟨p.2, underKey p.1 (keyedLeft n j ls lo ++ keyed n j ss os)⟩
  | _, _, _, [], _, _, _ => by simp [orderedFrom, keyed]
  | _, _, _, _ :: _, [], _, _ => by simp [orderedFrom, keyed]
  | j, ls, lo, s :: ss, o :: os, hl, h => by
    rw [List.length_cons] at h
    rw [orderedFrom, keyed, List.map_cons,
      orderedFrom_eq (n := n) (j := j + 1) (by rw [List.length_cons, hl]) (by omega)]
    congr 1
    · rw [underKey_append, underKey, if_neg (Nat.lt_irrefl _), Nat.one_mul,
        underKey_keyed (Nat.lt_succ_self j) (by omega), underKey_keyedLeft (by omega) hl (Nat.le_refl _)]
    · refine List.map_congr_left fun p _ => ?_
      congr 1
      refine underKey_perm _ ?_
      rw [keyedLeft]
      exact List.perm_middle.symm

theorem orderedFrom_eq_keyedModes (shape order : List Nat) :
    orderedFrom [] [] shape order = keyedModes (keyed shape.length 0 shape order) := by
  rw [orderedFrom_eq (n := shape.length) (j := 0) rfl (by omega), keyedModes]
  simp [keyedLeft]

theorem exists_of_mem_keyed {n : Nat} {p : Nat × Nat} : {j : Nat} → {ss os : List Nat} → p ∈ keyed n j ss os →
    ∃ i o, j ≤ i ∧ i < j + ss.length ∧ p.1 = o * n + i
  | _, [], _, h => by simp [keyed] at h
  | _, _ :: _, [], h => by simp [keyed] at h
  | j, s :: ss, o :: os, h => by
    rw [List.length_cons]
    rcases List.mem_cons.1 h with rfl | h
    · exact ⟨j, o, Nat.le_refl _, by omega, rfl⟩
    · obtain ⟨i, o, h1, h2, h3⟩ := exists_of_mem_keyed h
      exact ⟨i, o, by omega, by omega, h3⟩

theorem nodup_keyed {n : Nat} : {j : Nat} → {ss os : List Nat} → j + ss.length ≤ n →
    ((keyed n j ss os).map Prod.fst).Nodup
  | _, [], _, _ => by simp [keyed]
  | _, _ :: _, [], _ => by simp [keyed]
  | j, s :: ss, o :: os, h => by
    rw [List.length_cons] at h
    rw [keyed, List.map_cons, List.nodup_cons]
    refine ⟨fun hm => ?_, nodup_keyed (by omega)⟩
    obtain ⟨p, hp, e⟩ := List.mem_map.1 hm
    obtain ⟨i, q, h1, h2, h3⟩ := exists_of_mem_keyed hp
    have := (key_inj (by omega) (by omega) (h3.symm.trans e)).1
    omega

theorem map_snd_keyed {n : Nat} : {j : Nat} → {ss os : List Nat} → ss.length = os.length →
    (keyed n j ss os).map Prod.snd = ss
  | _, [], _, _ => by simp [keyed]
  | _, _ :: _, [], h => by simp at h
  | _, s :: ss, o :: os, h => by
    rw [keyed, List.map_cons, map_snd_keyed (by simpa using h)]

theorem keyed_getElem? {n : Nat} : {j : Nat} → {ss os : List Nat} → (i : Nat) →
    (keyed n j ss os)[i]? = (os[i]?).bind fun o => (ss[i]?).map fun s => (o * n + (j + i), s)
  | _, [], _, _ => by simp [keyed]
  | _, _ :: _, [], _ => by simp [keyed]
  | j, s :: ss, o :: os, 0 => by simp [keyed]
  | j, s :: ss, o :: os, i + 1 => by
    rw [keyed, List.getElem?_cons_succ, keyed_getElem? i]
    simp [Nat.add_assoc, Nat.add_comm 1]

theorem normalize_eq_map (L : FlatLayout) :
    normalize L = L.map fun m => if m.extent = 1 then ⟨1, 0⟩ else m := by
  induction L with
  | nil => rfl
  | cons m L ih => rw [normalize, ih, List.map_cons]

end Aux

open Aux

/-! ## A bijection, whatever the ranks -/

theorem shape_ordered {shape order : List Nat} (h : shape.length = order.length) :
    FlatLayout.shape (ordered shape order) = shape := by
  have e : FlatLayout.shape (orderedFrom [] [] shape order) = shape := by
    rw [orderedFrom_eq_keyedModes, FlatLayout.shape, keyedModes, List.map_map]
    exact map_snd_keyed h
  rw [ordered, shape_normalize, e]

/-- **An ordered layout is a bijection of its coordinates onto `[0, size)`, whatever the ranks are, equal ones
included.**
Rust: `razorgirl::Layout::ordered`
Source: CuTe `make_ordered_layout` (where modes of equal rank overlap) -/
theorem contiguous_ordered {shape order : List Nat} (h : shape.length = order.length) (hs : ∀ s ∈ shape, 0 < s) :
    Contiguous (ordered shape order) := by
  rw [ordered, contiguous_normalize_iff, orderedFrom_eq_keyedModes]
  obtain ⟨S, h1, h2⟩ := keyedModes_perm_columnMajor
    (nodup_keyed (n := shape.length) (j := 0) (ss := shape) (os := order) (by omega))
  rw [contiguous_perm h2]
  refine contiguous_columnMajor fun n hn => hs n ?_
  rw [← map_snd_keyed (n := shape.length) (j := 0) h]
  exact (h1.map Prod.snd).mem_iff.2 hn

/-- **A mode of extent above 1 and smaller rank comes first: its extent times its stride divides the stride of every
mode of larger rank, and of every later mode of equal rank.**
Rust: `razorgirl::Layout::ordered`
Source: CuTe `make_ordered_layout`, `compact_order` -/
theorem ordered_stride_dvd {shape order : List Nat} (h : shape.length = order.length) {i j a b : Nat} {m n : Mode}
    (hm : (ordered shape order)[i]? = some m) (hn : (ordered shape order)[j]? = some n)
    (ha : order[i]? = some a) (hb : order[j]? = some b) (hab : a < b ∨ a = b ∧ i < j) (h1 : m.extent ≠ 1) :
    m.extent * m.stride ∣ n.stride := by
  have hlen : (keyed shape.length 0 shape order).length = shape.length := by
    rw [← List.length_map (f := Prod.snd), map_snd_keyed h]
  have key : ∀ {k c : Nat} {p : Mode}, (ordered shape order)[k]? = some p → order[k]? = some c →
      ∃ s, k < shape.length ∧ (keyed shape.length 0 shape order)[k]? = some (c * shape.length + k, s) ∧
        p = if s = 1 then ⟨1, 0⟩
          else ⟨s, underKey (c * shape.length + k) (keyed shape.length 0 shape order)⟩ := by
    intro k c p hp hc
    rw [ordered, orderedFrom_eq_keyedModes, normalize_eq_map, keyedModes, List.map_map, List.getElem?_map] at hp
    obtain ⟨q, hq, hp⟩ := Option.map_eq_some_iff.1 hp
    have hk : k < shape.length := by
      rw [← hlen]
      exact (List.getElem?_eq_some_iff.1 hq).1
    rw [keyed_getElem?, hc] at hq
    simp only [Option.bind_some, Option.map_eq_some_iff, Nat.zero_add] at hq
    obtain ⟨s, hs, hq⟩ := hq
    subst hq
    refine ⟨s, hk, ?_, hp.symm⟩
    rw [keyed_getElem?, hc, hs]
    simp
  obtain ⟨s, hi, hs, em⟩ := key hm ha
  obtain ⟨t, hj, _, en⟩ := key hn hb
  have hs1 : s ≠ 1 := by
    intro hs1
    rw [if_pos hs1] at em
    exact h1 (by rw [em])
  rw [if_neg hs1] at em
  by_cases ht : t = 1
  · rw [if_pos ht] at en
    rw [en]
    exact Nat.dvd_zero _
  · rw [if_neg ht] at en
    have hk : a * shape.length + i < b * shape.length + j := by
      rcases hab with hab | ⟨rfl, hij⟩
      · by_cases hij : i < j
        · exact (key_lt_iff_of_lt hij hj).2 (Nat.le_of_lt hab)
        · by_cases e : i = j
          · have := Nat.mul_le_mul_right shape.length (show a + 1 ≤ b from hab)
            rw [Nat.succ_mul] at this
            omega
          · exact (key_lt_iff_of_gt (by omega) hi).2 hab
      · omega
    obtain ⟨K₁, K₂, e⟩ := List.append_of_mem (List.mem_of_getElem? hs)
    rw [em, en, e, underKey_append, underKey_append, underKey, underKey, if_neg (Nat.lt_irrefl _), if_pos hk,
      Nat.one_mul, Nat.mul_left_comm s]
    exact Nat.mul_dvd_mul (underKey_dvd (Nat.le_of_lt hk) _)
      (Nat.mul_dvd_mul_left s (underKey_dvd (Nat.le_of_lt hk) _))

end FlatLayout

namespace Layout
open HTuple FlatLayout

mutual
theorem ranks_isSome : (order shape : IntTuple) → (ranks order shape).isSome = weaklyCongruent order shape
  | .leaf _, _ => by simp [ranks, weaklyCongruent]
  | .node os, .node ss => by rw [ranks, weaklyCongruent]; exact ranksList_isSome os ss
  | .node _, .leaf _ => rfl
theorem ranksList_isSome : (orders shapes : List IntTuple) →
    (ranksList orders shapes).isSome = weaklyCongruentList orders shapes
  | [], [] => rfl
  | [], _ :: _ => rfl
  | _ :: _, [] => rfl
  | o :: os, s :: ss => by
    rw [ranksList, weaklyCongruentList, ← ranks_isSome o s, ← ranksList_isSome os ss]
    cases ranks o s <;> cases ranksList os ss <;> rfl
end

mutual
theorem length_ranks : (order shape : IntTuple) → {r : List Nat} → ranks order shape = some r →
    r.length = shape.length
  | .leaf _, s, _, h => by obtain rfl := Option.some.inj h; simp
  | .node os, .node ss, _, h => by rw [HTuple.length]; exact length_ranksList os ss h
  | .node _, .leaf _, _, h => by cases h
theorem length_ranksList : (orders shapes : List IntTuple) → {r : List Nat} → ranksList orders shapes = some r →
    r.length = lengthList shapes
  | [], [], _, h => by obtain rfl := Option.some.inj h; rfl
  | [], _ :: _, _, h => by cases h
  | _ :: _, [], _, h => by cases h
  | o :: os, s :: ss, _, h => by
    rw [ranksList] at h
    split at h
    · rename_i x y hx hy
      obtain rfl := Option.some.inj h
      rw [List.length_append, length_ranks o s hx, length_ranksList os ss hy, lengthList]
    · cases h
end

/-- **An order is accepted exactly when it is nested like the shape or less.**
Rust: `razorgirl::Layout::ordered`
Source: CuTe `make_ordered_layout` -/
theorem ordered_isSome (shape order : IntTuple) : (ordered shape order).isSome = weaklyCongruent order shape := by
  rw [ordered, Option.isSome_map, ranks_isSome]

/-- **An ordered layout has the shape it was made for.**
Rust: `razorgirl::Layout::ordered`
Source: CuTe `make_ordered_layout` -/
theorem ordered_shape {shape order : IntTuple} {L : Layout} (h : ordered shape order = some L) : L.shape = shape := by
  rw [ordered] at h
  obtain ⟨r, hr, rfl⟩ := Option.map_eq_some_iff.1 h
  have hl : shape.flatten.length = r.length := by rw [length_ranks _ _ hr, length_flatten]
  have hm := shape_ordered hl
  have hp : shape.profile.length = (FlatLayout.ordered shape.flatten r).length := by
    rw [← length_shape, hm, length_profile, length_flatten]
  refine eq_of_profile_eq_of_flatten_eq ?_ ?_
  · rw [profile_shape]
  · rw [Layout.flatten_shape_of_length hp]; exact hm

/-- **An ordered layout is valid.**
Rust: `razorgirl::Layout::ordered`
Source: CuTe `make_ordered_layout` -/
theorem ordered_valid {shape order : IntTuple} {L : Layout} (hs : IntTuple.Positive shape)
    (h : ordered shape order = some L) : L.Valid := by
  rw [ordered] at h
  obtain ⟨r, hr, rfl⟩ := Option.map_eq_some_iff.1 h
  have hl : shape.flatten.length = r.length := by rw [length_ranks _ _ hr, length_flatten]
  have hm := shape_ordered hl
  refine ⟨by rw [← length_shape, hm, length_profile, length_flatten], ?_⟩
  rw [FlatLayout.valid_iff_forall]
  intro m hmem
  refine (IntTuple.positive_iff_mem shape).1 hs _ ?_
  rw [← hm]
  exact List.mem_map_of_mem hmem

/-- **A nested ordered layout is a bijection of its coordinates onto `[0, size)`.**
Rust: `razorgirl::Layout::ordered`
Source: CuTe `make_ordered_layout` (where modes of equal rank overlap) -/
theorem ordered_contiguous {shape order : IntTuple} {L : Layout} (hs : IntTuple.Positive shape)
    (h : ordered shape order = some L) : Contiguous L.modes := by
  rw [ordered] at h
  obtain ⟨r, hr, rfl⟩ := Option.map_eq_some_iff.1 h
  exact contiguous_ordered (by rw [length_ranks _ _ hr, length_flatten]) ((IntTuple.positive_iff_mem shape).1 hs)

end Layout

end Razorgirl
