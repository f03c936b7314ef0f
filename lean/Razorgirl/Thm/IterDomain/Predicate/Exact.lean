module

public import Razorgirl.Thm.IterDomain.Covers
public import Razorgirl.Thm.IterDomain.Predicate

@[expose] public section

/-!
# Every test that the predicate rule asks for fails somewhere

On splits, merges, reorders and exclusive ors that fit, every domain that the rule has tested really is out of range
at some loop point. That does not make the tests irredundant: one may imply another. With resizes a test may never fail:
an index that was padded may be cut off again.
-/

namespace Razorgirl.IterDomain
open Transform

theorem Op.keeps_of_sharp {op : Op} {b : List Int} (hb : b.length = op.transform.inRank) (h : op.sharp b = true) :
    op.keeps b = true := by
  cases op with
  | split | splitOuter | merge => rfl
  | resize => simp [Op.sharp] at h
  | swizzle kind =>
    obtain ⟨Nx, Ny, rfl⟩ := length_eq_two (show b.length = 2 by cases kind <;> exact hb)
    cases kind with
    | xor => exact h
    | cyclicShift => cases h
    | zShape => cases h

theorem keepsMoves_of_sharp {ms : List Move} {N : List Int} (hv : validMoves N ms = true)
    (h : sharpMoves N ms = true) : keepsMoves N ms = true := by
  induction ms generalizing N with
  | nil => rfl
  | cons m ms ih =>
    obtain ⟨-, hm, hr⟩ := validMoves_cons hv
    cases m with
    | apply k op =>
      simp only [sharpMoves, Bool.and_eq_true] at h
      simp only [keepsMoves, Bool.and_eq_true]
      refine ⟨Op.keeps_of_sharp ?_ h.1, ih hr h.2⟩
      obtain ⟨a, b, c, rfl, rfl, hb, -⟩ := Move.cut hm
      rw [Aux.mid_three rfl hb, hb]
    | reorder p => exact ih hr h

/-! ## Nothing is below 0 -/

theorem xorInt_nonneg {x y : Int} (hx : 0 ≤ x) (hy : 0 ≤ y) : 0 ≤ xorInt x y := by
  obtain ⟨a, rfl⟩ := Int.eq_ofNat_of_zero_le hx
  obtain ⟨b, rfl⟩ := Int.eq_ofNat_of_zero_le hy
  exact Int.natCast_nonneg (a ^^^ b)

theorem Op.bwd_nonneg {op : Op} {b i : List Int} (hv : op.valid b = true) (hp : positive b = true)
    (hs : op.sharp b = true) (hb : b.length = op.transform.inRank) (hl : i.length = op.transform.outRank)
    (hi : ∀ x ∈ i, 0 ≤ x) : ∀ x ∈ op.transform.bwd b i, 0 ≤ x := by
  cases op with
  | split d =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    obtain ⟨o, r, rfl⟩ := length_eq_two (show i.length = 2 from hl)
    have hd : 0 < d := by simpa [Op.valid] using hv
    have := Int.mul_nonneg (hi o (by simp)) (Int.le_of_lt hd)
    have := hi r (by simp)
    show ∀ x ∈ [o * d + r], 0 ≤ x
    simp
    omega
  | splitOuter k =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    obtain ⟨o, r, rfl⟩ := length_eq_two (show i.length = 2 from hl)
    have hk : 0 < k := by simpa [Op.valid] using hv
    have hM := Division.cdiv_pos ((positive_iff _).1 hp N (by simp)) hk
    have := Int.mul_nonneg (hi o (by simp)) (Int.le_of_lt hM)
    have := hi r (by simp)
    show ∀ x ∈ [o * Division.cdiv N k + r], 0 ≤ x
    simp
    omega
  | merge =>
    obtain ⟨N₀, N₁, rfl⟩ := length_eq_two (show b.length = 2 from hb)
    obtain ⟨r, rfl⟩ := List.length_eq_one_iff.1 (show i.length = 1 from hl)
    have h₁ : 0 < N₁ := (positive_iff _).1 hp N₁ (by simp)
    have h1 := Int.ediv_nonneg (hi r (by simp)) (Int.le_of_lt h₁)
    have h2 := Int.emod_nonneg r (b := N₁) (by omega)
    show ∀ x ∈ [r / N₁, r % N₁], 0 ≤ x
    simp only [List.mem_cons, List.not_mem_nil, or_false]
    rintro x (rfl | rfl)
    · exact h1
    · exact h2
  | resize => simp [Op.sharp] at hs
  | swizzle kind =>
    obtain ⟨Nx, Ny, rfl⟩ := length_eq_two (show b.length = 2 by cases kind <;> exact hb)
    obtain ⟨x, y, rfl⟩ := length_eq_two (show i.length = 2 by cases kind <;> exact hl)
    cases kind with
    | xor =>
      have h1 := xorInt_nonneg (hi x (by simp)) (hi y (by simp))
      show ∀ z ∈ [x, xorInt x y], 0 ≤ z
      simp only [List.mem_cons, List.not_mem_nil, or_false]
      rintro z (rfl | rfl)
      · exact hi _ (by simp)
      · exact h1
    | cyclicShift => cases hs
    | zShape => cases hs

/-! ## One operation -/

/-- What is tested is in doubt. -/
theorem Op.tests_doubt {op : Op} {b : List Int} {u : List Bool} (hs : op.sharp b = true)
    (hu : u.length = op.transform.outRank) {q : Nat} (h : (op.tests true u).getD q false = true) :
    q < op.transform.outRank ∧ u.getD q false = true := by
  cases op with
  | split | splitOuter =>
    match u, hu, q with
    | [_, _], _, 0 => cases h
    | [_, _], _, 1 => exact ⟨Nat.lt_succ_self 1, h⟩
    | [_, _], _, q + 2 => cases h
  | merge =>
    match u, hu, q with
    | [_], _, 0 => cases h
    | [_], _, q + 1 => cases h
  | resize => simp [Op.sharp] at hs
  | swizzle kind =>
    cases kind <;>
    · match u, hu, q with
      | [_, _], _, 0 => exact ⟨Nat.zero_lt_succ 1, h⟩
      | [_, _], _, 1 => exact ⟨Nat.lt_succ_self 1, h⟩
      | [_, _], _, q + 2 => cases h

/-- An input in doubt can be driven past its extent, if every point of the output box, and any output in doubt past
its extent, is among the points `M`. -/
theorem Op.exceed {op : Op} {b : List Int} {u : List Bool} {M : List Int → Prop} (hv : op.valid b = true)
    (hp : positive b = true) (hs : op.sharp b = true) (hb : b.length = op.transform.inRank)
    (hu : u.length = op.transform.outRank) (hM : ∀ i, M i → i.length = op.transform.outRank ∧ ∀ x ∈ i, 0 ≤ x)
    (hc : ∀ i, InBox (op.transform.ext b) i → M i)
    (he : ∀ q, q < op.transform.outRank → u.getD q false = true →
      ∃ i, M i ∧ (op.transform.ext b).getD q 0 ≤ i.getD q 0) :
    ∀ q, (op.doubt true b u).getD q false = true → ∃ i, M i ∧ b.getD q 0 ≤ (op.transform.bwd b i).getD q 0 := by
  cases op with
  | split d =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    have hd : 0 < d := by simpa [Op.valid] using hv
    have hC := Division.cdiv_pos ((positive_iff _).1 hp N (by simp)) hd
    have hle := Division.le_cdiv_mul (a := N) hd
    match u, hu with
    | [uo, uj], _ =>
      intro q hq
      match q with
      | q + 1 => cases hq
      | 0 =>
        have hq : (uo || !decide (N % d = 0)) = true := hq
        cases huo : uo with
        | true =>
          obtain ⟨i, hi, h1⟩ := he 0 (Nat.zero_lt_succ 1) huo
          obtain ⟨hl, hn⟩ := hM i hi
          obtain ⟨o, r, rfl⟩ := length_eq_two (show i.length = 2 from hl)
          refine ⟨_, hi, ?_⟩
          have h1 : Division.cdiv N d ≤ o := h1
          have h2 : Division.cdiv N d * d ≤ o * d := Int.mul_le_mul_of_nonneg_right h1 (Int.le_of_lt hd)
          have h3 := hn r (by simp)
          show N ≤ o * d + r
          omega
        | false =>
          rw [huo] at hq
          refine ⟨[Division.cdiv N d - 1, d - 1], hc _ (inBox_two (n := Division.cdiv N d) (m := d).2 (by omega)), ?_⟩
          have h1 : Division.cdiv N d * d ≠ N := by
            rw [Ne, Division.cdiv_mul_eq_iff hd]
            intro h
            simp [Int.emod_eq_zero_of_dvd h] at hq
          show N ≤ (Division.cdiv N d - 1) * d + (d - 1)
          rw [Int.sub_mul]
          omega
  | splitOuter k =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    have hk : 0 < k := by simpa [Op.valid] using hv
    have hC := Division.cdiv_pos ((positive_iff _).1 hp N (by simp)) hk
    have hle := Division.le_cdiv_mul (a := N) hk
    match u, hu with
    | [uo, uj], _ =>
      intro q hq
      match q with
      | q + 1 => cases hq
      | 0 =>
        have hq : (uo || !decide (N % k = 0)) = true := hq
        cases huo : uo with
        | true =>
          obtain ⟨i, hi, h1⟩ := he 0 (Nat.zero_lt_succ 1) huo
          obtain ⟨hl, hn⟩ := hM i hi
          obtain ⟨o, r, rfl⟩ := length_eq_two (show i.length = 2 from hl)
          refine ⟨_, hi, ?_⟩
          have h1 : k ≤ o := h1
          have h2 : k * Division.cdiv N k ≤ o * Division.cdiv N k := Int.mul_le_mul_of_nonneg_right h1 (Int.le_of_lt hC)
          have h3 := hn r (by simp)
          rw [Int.mul_comm] at h2
          show N ≤ o * Division.cdiv N k + r
          omega
        | false =>
          rw [huo] at hq
          refine ⟨[k - 1, Division.cdiv N k - 1], hc _ (inBox_two (n := k) (m := Division.cdiv N k).2 (by omega)), ?_⟩
          have h1 : Division.cdiv N k * k ≠ N := by
            rw [Ne, Division.cdiv_mul_eq_iff hk]
            intro h
            simp [Int.emod_eq_zero_of_dvd h] at hq
          show N ≤ (k - 1) * Division.cdiv N k + (Division.cdiv N k - 1)
          rw [Int.sub_mul, Int.mul_comm k]
          omega
  | merge =>
    obtain ⟨N₀, N₁, rfl⟩ := length_eq_two (show b.length = 2 from hb)
    obtain ⟨w, rfl⟩ := List.length_eq_one_iff.1 (show u.length = 1 from hu)
    have h₁ : 0 < N₁ := (positive_iff _).1 hp N₁ (by simp)
    intro q hq
    match q with
    | 0 =>
      obtain ⟨i, hi, h1⟩ := he 0 (Nat.zero_lt_succ 0) hq
      obtain ⟨r, rfl⟩ := List.length_eq_one_iff.1 (show i.length = 1 from (hM i hi).1)
      exact ⟨_, hi, (Int.le_ediv_iff_mul_le h₁).2 h1⟩
    | 1 => cases hq
    | q + 2 => cases hq
  | resize => simp [Op.sharp] at hs
  | swizzle kind =>
    obtain ⟨Nx, Ny, rfl⟩ := length_eq_two (show b.length = 2 by cases kind <;> exact hb)
    match u, (show u.length = 2 by cases kind <;> exact hu) with
    | [ux, uy], _ =>
      cases kind with
      | xor =>
        have hf : (SwizzleKind.xor).fits Nx Ny = true := hs
        intro q hq
        match q with
        | 0 => cases hq
        | 1 =>
          have hq : (true && !(SwizzleKind.xor).fits Nx Ny) = true := hq
          rw [hf] at hq
          cases hq
        | q + 2 => cases hq
      | cyclicShift => cases hs
      | zShape => cases hs

/-! ## All moves -/

theorem numbered_mem {N i : List Int} (first : Nat) (hl : i.length = N.length) {q : Nat} (hq : q < N.length) :
    ⟨first + q, N.getD q 0, i.getD q 0⟩ ∈ numbered first N i := by
  induction N generalizing i first q with
  | nil => simp at hq
  | cons n N ih =>
    cases i with
    | nil => simp at hl
    | cons a i =>
      cases q with
      | zero => simp [numbered_cons]
      | succ q =>
        have := ih (first + 1) (i := i) (by simpa using hl) (q := q) (by simpa using hq)
        rw [numbered_cons, List.getD_cons_succ, List.getD_cons_succ, show first + (q + 1) = first + 1 + q by omega]
        exact List.mem_cons_of_mem _ this

theorem chosen_getD {x first : Nat} {t : List Bool} (h : x ∈ chosen first t) :
    first ≤ x ∧ t.getD (x - first) false = true := by
  induction t generalizing first with
  | nil => simp [chosen] at h
  | cons b t ih =>
    have tail : ∀ h : x ∈ chosen (first + 1) t, first ≤ x ∧ (b :: t).getD (x - first) false = true := by
      intro h
      obtain ⟨h1, h2⟩ := ih h
      refine ⟨by omega, ?_⟩
      rw [show x - first = (x - (first + 1)) + 1 by omega, List.getD_cons_succ]
      exact h2
    rw [chosen] at h
    split at h
    · rename_i hb
      rcases List.mem_cons.1 h with rfl | h
      · simpa using hb
      · exact tail h
    · exact tail h

theorem inBox_zero {N : List Int} (h : positive N = true) : InBox N (N.map fun _ => 0) := by
  induction N with
  | nil => trivial
  | cons n N ih =>
    rw [positive_iff] at h
    exact ⟨⟨Int.le_refl 0, h n (by simp)⟩, ih ((positive_iff N).2 fun m hm => h m (by simp [hm]))⟩

theorem trace_nonneg {ms : List Move} {N : List Int} (next : Nat) {j : List Int} (hv : validMoves N ms = true)
    (hs : sharpMoves N ms = true) (hj : InBox ((chain N.length ms).ext N) j) :
    ∀ x ∈ (trace N next ms j).1, 0 ≤ x := by
  induction ms generalizing N next with
  | nil =>
    intro x hx
    obtain ⟨k, hk, rfl⟩ := List.getElem_of_mem hx
    have h := (inBox_iff_getD _ _).1 hj
    have hk : k < j.length := hk
    have := (h.2 k (h.1 ▸ hk)).1
    rwa [List.getD_eq_getElem?_getD, List.getElem?_eq_getElem hk] at this
  | cons m ms ih =>
    obtain ⟨hp, hm, hr⟩ := validMoves_cons hv
    rw [chain_cons ms hm] at hj
    have hl := length_trace (next + m.made) hr hj.length_eq
    cases m with
    | apply k op =>
      simp only [sharpMoves, Bool.and_eq_true] at hs
      have hn := ih (next + (Move.apply k op).made) hr hs.2 hj
      rw [trace]
      generalize trace ((Move.apply k op).ext N) (next + (Move.apply k op).made) ms j = tr at *
      obtain ⟨a, b, c, rfl, rfl, hb, hov⟩ := Move.cut hm
      have hsb := hs.1
      rw [Aux.mid_three rfl hb] at hsb
      rw [positive_append, positive_append] at hp
      simp only [Bool.and_eq_true] at hp
      rw [Move.ext_apply c hb] at hl
      obtain ⟨ia, ib, ic, e, la, lb, -⟩ := Aux.cut_three (x := a) (y := op.transform.ext b) (z := c) (l := tr.1)
        (by simpa using hl)
      have lb' := lb.trans (op.ranked b hb).1
      show ∀ x ∈ ((Move.apply a.length op).transform (a ++ b ++ c).length).bwd (a ++ b ++ c) tr.1, 0 ≤ x
      rw [e] at hn ⊢
      rw [Move.transform, embed_bwd _ _ _ la hb lb']
      have h1 := Op.bwd_nonneg hov hp.1.2 hsb hb lb' fun x hx => hn x (by simp [hx])
      intro x hx
      rcases List.mem_append.1 hx with hx | hx
      · rcases List.mem_append.1 hx with hx | hx
        · exact hn x (by simp [hx])
        · exact h1 x hx
      · exact hn x (by simp [hx])
    | reorder p =>
      have hn := ih (next + (Move.reorder p).made) hr hs hj
      intro x hx
      have hx : x ∈ pick 0 (invert p) (trace ((Move.reorder p).ext N) (next + (Move.reorder p).made) ms j).1 := hx
      obtain ⟨k, -, rfl⟩ := List.mem_map.1 hx
      rw [List.getD_eq_getElem?_getD]
      cases h : (trace ((Move.reorder p).ext N) (next + (Move.reorder p).made) ms j).1[k]? with
      | none => exact Int.le_refl 0
      | some y => exact hn y (List.mem_of_getElem? h)

theorem cut_lengths {α : Type} {l : List α} {n m k : Nat} (h : l.length = n + (m + k)) :
    ∃ a b c, l = a ++ b ++ c ∧ a.length = n ∧ b.length = m ∧ c.length = k := by
  refine ⟨l.take n, (l.drop n).take m, (l.drop n).drop m, ?_, ?_, ?_, ?_⟩
  · rw [List.append_assoc, List.take_append_drop, List.take_append_drop]
  all_goals simp; omega

theorem getD_left {α : Type} {d : α} {x y z : List α} {n k : Nat} (hx : x.length = n) (hk : k < n) :
    (x ++ y ++ z).getD k d = x.getD k d := by
  rw [List.getD_eq_getElem?_getD, List.append_assoc, List.getElem?_append_left (by omega),
    ← List.getD_eq_getElem?_getD]

theorem getD_mid {α : Type} {d : α} {x y z : List α} {n q : Nat} (hx : x.length = n) (hq : q < y.length) :
    (x ++ y ++ z).getD (n + q) d = y.getD q d := by
  rw [List.getD_eq_getElem?_getD, List.append_assoc, List.getElem?_append_right (by omega),
    List.getElem?_append_left (by omega), ← List.getD_eq_getElem?_getD, show n + q - x.length = q by omega]

theorem getD_right {α : Type} {d : α} {x y z : List α} {n m q : Nat} (hx : x.length = n) (hy : y.length = m) :
    (x ++ y ++ z).getD (n + m + q) d = z.getD q d := by
  rw [List.getD_eq_getElem?_getD, List.getElem?_append_right (by simp; omega), ← List.getD_eq_getElem?_getD,
    show n + m + q - (x ++ y).length = q by simp; omega]

/-- One operation among others: what holds of the indices `tr j` after it, over the loop points `L`, holds before it. -/
theorem exact_apply {a b c : List Int} {op : Op} {u : List Bool} {tr : List Int → List Int} {L : List Int → Prop}
    (n next : Nat) (hv : op.valid b = true) (hpb : positive b = true) (hsb : op.sharp b = true)
    (hb : b.length = op.transform.inRank) (hp : positive (a ++ op.transform.ext b ++ c) = true)
    (hu : u.length = (a ++ op.transform.ext b ++ c).length)
    (hcov : ∀ i, InBox (a ++ op.transform.ext b ++ c) i → ∃ j, L j ∧ tr j = i)
    (hnn : ∀ j, L j → ∀ x ∈ tr j, 0 ≤ x)
    (hlen : ∀ j, L j → (tr j).length = (a ++ op.transform.ext b ++ c).length)
    (hd : ∀ k, u.getD k false = true → ∃ j, L j ∧ (a ++ op.transform.ext b ++ c).getD k 0 ≤ (tr j).getD k 0) :
    (∀ k, ((Move.apply a.length op).doubt true (a ++ b ++ c) u).getD k false = true →
      ∃ j, L j ∧ (a ++ b ++ c).getD k 0 ≤
        (((Move.apply a.length op).transform n).bwd (a ++ b ++ c) (tr j)).getD k 0) ∧
    ∀ x ∈ (Move.apply a.length op).tests true next u, ∃ j, L j ∧
      ∃ d ∈ (Move.apply a.length op).domains next (a ++ op.transform.ext b ++ c) (tr j),
        d.number = x ∧ d.inRange = false := by
  have hr := (op.ranked b hb).1
  obtain ⟨ua, ub, uc, rfl, hua, hub, huc⟩ := cut_lengths (l := u) (n := a.length) (m := op.transform.outRank)
    (k := c.length) (by simpa [hr] using hu)
  have parts : ∀ j, L j → ∃ ia ib ic, tr j = ia ++ ib ++ ic ∧ ia.length = a.length ∧
      ib.length = op.transform.outRank ∧ ic.length = c.length := fun j hj =>
    cut_lengths (by simpa [hr] using hlen j hj)
  have hdl := Op.length_doubt (r := true) hb hub
  have hex : ∀ q, q < op.transform.outRank → ub.getD q false = true →
      ∃ i, (∃ j, L j ∧ ((tr j).drop a.length).take op.transform.outRank = i) ∧
        (op.transform.ext b).getD q 0 ≤ i.getD q 0 := by
    intro q hq hq'
    obtain ⟨j, hj, hle⟩ := hd (a.length + q) (by rw [getD_mid hua (by omega)]; exact hq')
    refine ⟨_, ⟨j, hj, rfl⟩, ?_⟩
    obtain ⟨ia, ib, ic, e, l1, l2, -⟩ := parts j hj
    rw [e, getD_mid rfl (by omega), getD_mid l1 (by omega)] at hle
    rwa [e, Aux.mid_three l1 l2]
  constructor
  · intro k hk
    simp only [Move.doubt] at hk
    rw [Aux.take_three hua, Aux.mid_three rfl hb, Aux.mid_three hua hub, Aux.drop_three hua hub] at hk
    by_cases h1 : k < a.length
    · rw [getD_left hua h1] at hk
      obtain ⟨j, hj, hle⟩ := hd k (by rw [getD_left hua h1]; exact hk)
      obtain ⟨ia, ib, ic, e, l1, l2, -⟩ := parts j hj
      refine ⟨j, hj, ?_⟩
      rw [e, getD_left rfl h1, getD_left l1 h1] at hle
      rwa [e, Move.transform, embed_bwd _ _ _ l1 hb l2, getD_left rfl h1, getD_left l1 h1]
    · by_cases h2 : k < a.length + op.transform.inRank
      · obtain ⟨q, rfl⟩ : ∃ q, k = a.length + q := ⟨k - a.length, by omega⟩
        rw [getD_mid hua (by omega)] at hk
        obtain ⟨i, ⟨j, hj, hi⟩, hle⟩ := Op.exceed
          (M := fun i => ∃ j, L j ∧ ((tr j).drop a.length).take op.transform.outRank = i) hv hpb hsb hb hub
          (fun i ⟨j, hj, hi⟩ => by
            obtain ⟨ia, ib, ic, e, l1, l2, -⟩ := parts j hj
            have := hnn j hj
            rw [e] at hi this
            rw [Aux.mid_three l1 l2] at hi
            subst hi
            exact ⟨l2, fun x hx => this x (by simp [hx])⟩)
          (fun i hi => by
            rw [positive_append, positive_append] at hp
            simp only [Bool.and_eq_true] at hp
            have h3 : InBox (a ++ op.transform.ext b ++ c) (a.map (fun _ => 0) ++ i ++ c.map fun _ => 0) := by
              rw [inBox_append_iff (by simp [hi.length_eq]), inBox_append_iff (by simp)]
              exact ⟨⟨inBox_zero hp.1.1, hi⟩, inBox_zero hp.2⟩
            obtain ⟨j, hj, e⟩ := hcov _ h3
            refine ⟨j, hj, ?_⟩
            rw [e, Aux.mid_three (by simp) (hi.length_eq.trans hr)])
          hex q hk
        obtain ⟨ia, ib, ic, e, l1, l2, -⟩ := parts j hj
        rw [e, Aux.mid_three l1 l2] at hi
        subst hi
        refine ⟨j, hj, ?_⟩
        have hl := (op.ranked b hb).2.2 ib l2
        rwa [e, Move.transform, embed_bwd _ _ _ l1 hb l2, getD_mid rfl (by omega), getD_mid l1 (by omega)]
      · obtain ⟨q, rfl⟩ : ∃ q, k = a.length + op.transform.inRank + q := ⟨k - a.length - op.transform.inRank, by omega⟩
        rw [getD_right hua hdl] at hk
        obtain ⟨j, hj, hle⟩ := hd (a.length + op.transform.outRank + q) (by rw [getD_right hua hub]; exact hk)
        obtain ⟨ia, ib, ic, e, l1, l2, -⟩ := parts j hj
        refine ⟨j, hj, ?_⟩
        rw [e, getD_right rfl hr, getD_right l1 l2] at hle
        rwa [e, Move.transform, embed_bwd _ _ _ l1 hb l2, getD_right rfl hb,
          getD_right l1 ((op.ranked b hb).2.2 ib l2)]
  · intro x hx
    simp only [Move.tests] at hx
    rw [Aux.mid_three hua hub] at hx
    obtain ⟨h1, h2⟩ := chosen_getD hx
    obtain ⟨h3, h4⟩ := Op.tests_doubt hsb hub h2
    obtain ⟨i, ⟨j, hj, hi⟩, hle⟩ := hex _ h3 h4
    refine ⟨j, hj, ?_⟩
    obtain ⟨ia, ib, ic, e, l1, l2, -⟩ := parts j hj
    rw [e, Aux.mid_three l1 l2] at hi
    subst hi
    refine ⟨⟨x, (op.transform.ext b).getD (x - next) 0, ib.getD (x - next) 0⟩, ?_, ?_⟩
    · simp only [Move.domains]
      rw [e, Aux.mid_three rfl hr, Aux.mid_three l1 l2]
      have := numbered_mem next (l2.trans hr.symm) (q := x - next) (by omega)
      rwa [show next + (x - next) = x by omega] at this
    · refine ⟨rfl, ?_⟩
      simp only [Domain.inRange, Bool.and_eq_false_imp, decide_eq_true_eq, decide_eq_false_iff_not]
      omega

/-- Every domain in doubt can be driven past its extent, and so can every domain that is tested. -/
theorem rule_exact {ms : List Move} {N : List Int} (next : Nat) (hv : validMoves N ms = true)
    (hs : sharpMoves N ms = true) :
    (∀ k, (rule true N next ms).1.getD k false = true → ∃ j, InBox ((chain N.length ms).ext N) j ∧
      N.getD k 0 ≤ (trace N next ms j).1.getD k 0) ∧
    ∀ x ∈ (rule true N next ms).2, ∃ j, InBox ((chain N.length ms).ext N) j ∧
      ∃ d ∈ (trace N next ms j).2, d.number = x ∧ d.inRange = false := by
  induction ms generalizing N next with
  | nil =>
    refine ⟨fun k hk => ?_, fun x hx => by simp [rule] at hx⟩
    have : (N.map fun _ => false).getD k false = true := hk
    rw [List.getD_eq_getElem?_getD, List.getElem?_map] at this
    cases h : N[k]? <;> simp [h] at this
  | cons m ms ih =>
    obtain ⟨hp, hm, hr⟩ := validMoves_cons hv
    have hpe := validMoves_positive hr
    have hlr := length_rule true (next + m.made) hr
    rw [chain_cons ms hm]
    have later : ∀ x, (∃ j, InBox ((chain (m.ext N).length ms).ext (m.ext N)) j ∧
        ∃ d ∈ (trace (m.ext N) (next + m.made) ms j).2, d.number = x ∧ d.inRange = false) →
        ∃ j, InBox (((chain (m.ext N).length ms).after (m.transform N.length)).ext N) j ∧
          ∃ d ∈ (trace N next (m :: ms) j).2, d.number = x ∧ d.inRange = false := by
      rintro x ⟨j, hj, d, hd, h⟩
      exact ⟨j, hj, d, List.mem_append_right _ hd, h⟩
    cases m with
    | apply k₀ op =>
      simp only [sharpMoves, Bool.and_eq_true] at hs
      obtain ⟨hd, ht⟩ := ih (next + (Move.apply k₀ op).made) hr hs.2
      have hcov : ∀ i, InBox ((Move.apply k₀ op).ext N) i → ∃ j,
          InBox ((chain ((Move.apply k₀ op).ext N).length ms).ext ((Move.apply k₀ op).ext N)) j ∧
          (trace ((Move.apply k₀ op).ext N) (next + (Move.apply k₀ op).made) ms j).1 = i := fun i hi =>
        have h := chain_forth (next + (Move.apply k₀ op).made) hr (keepsMoves_of_sharp hr hs.2) hi
        ⟨_, h.1, h.2.1⟩
      have hnn := fun j hj => trace_nonneg (next + (Move.apply k₀ op).made) (j := j) hr hs.2 hj
      have hlen := fun j (hj : InBox _ j) => length_trace (next + (Move.apply k₀ op).made) hr hj.length_eq
      obtain ⟨a, b, c, rfl, rfl, hb, hov⟩ := Move.cut hm
      have hsb := hs.1
      rw [Aux.mid_three rfl hb] at hsb
      rw [positive_append, positive_append] at hp
      simp only [Bool.and_eq_true] at hp
      have he := Move.ext_apply (a := a) c hb
      obtain ⟨h1, h2⟩ := exact_apply (c := c) (L := fun j => InBox ((chain ((Move.apply a.length op).ext
        (a ++ b ++ c)).length ms).ext ((Move.apply a.length op).ext (a ++ b ++ c))) j)
        (tr := fun j => (trace ((Move.apply a.length op).ext (a ++ b ++ c)) (next + (Move.apply a.length op).made) ms
          j).1)
        (a ++ b ++ c).length next hov hp.1.2 hsb hb (he ▸ hpe) (hlr.trans (congrArg List.length he)) (fun i hi => hcov i (he.symm ▸ hi)) hnn
        (fun j hj => (hlen j hj).trans (congrArg List.length he)) (fun k hk => by
          obtain ⟨j, hj, hle⟩ := hd k hk
          exact ⟨j, hj, by rw [← he]; exact hle⟩)
      refine ⟨h1, fun x hx => ?_⟩
      rcases List.mem_append.1 hx with hx | hx
      · obtain ⟨j, hj, d, hdm, h⟩ := h2 x hx
        refine ⟨j, hj, d, List.mem_append_left _ ?_, h⟩
        rw [he]
        rw [he] at hdm
        exact hdm
      · exact later x (ht x hx)
    | reorder p =>
      obtain ⟨hd, ht⟩ := ih (next + (Move.reorder p).made) hr hs
      have ho : isOrder N.length p = true := hm
      have hl := isOrder_length ho
      refine ⟨fun k hk => ?_, fun x hx => ?_⟩
      · have hk : (pick false (invert p) (rule true ((Move.reorder p).ext N) (next + (Move.reorder p).made)
          ms).1).getD k false = true := hk
        by_cases hkp : k < (invert p).length
        · rw [getD_pick false false hkp, getD_invert (by rwa [length_invert] at hkp)] at hk
          obtain ⟨j, hj, hle⟩ := hd _ hk
          refine ⟨j, hj, ?_⟩
          have hkp' : k < p.length := by rwa [length_invert] at hkp
          have hmem := isOrder_mem ho (hl ▸ hkp')
          show N.getD k 0 ≤ (pick 0 (invert p) (trace ((Move.reorder p).ext N) (next + (Move.reorder p).made) ms
            j).1).getD k 0
          rw [getD_pick 0 0 hkp, getD_invert hkp']
          have hle : (pick 0 p N).getD (position k p) 0 ≤ _ := hle
          rwa [getD_pick 0 0 ((position_lt_iff k p).2 hmem), getD_position hmem] at hle
        · rw [List.getD_eq_getElem?_getD, List.getElem?_eq_none (by rw [length_pick]; omega)] at hk
          cases hk
      · exact later x (ht x hx)

namespace Schedule

/-- **On splits, merges, reorders and exclusive ors that fit, every domain that the repaired rule has tested is out of
range at some loop point.**
Rust: `razorgirl::iter_domain::Schedule::predicates`
Source: nvFuser `non_divisible_split` (repaired: `nvfuserPredicates_resize`); divisibility of split, 4.4 -/
theorem predicates_exact {s : Schedule} {x : Nat} (hv : s.valid = true) (hs : s.sharp = true)
    (hx : x ∈ s.predicates) :
    ∃ j, InBox s.loops j ∧ ∃ d ∈ s.domains j, d.number = x ∧ d.inRange = false := by
  obtain ⟨h1, h2⟩ := rule_exact s.extents.length hv hs
  rcases List.mem_append.1 hx with hx | hx
  · obtain ⟨-, hq⟩ := chosen_getD hx
    have hr := chosen_range hx
    rw [length_rule true s.extents.length hv] at hr
    obtain ⟨j, hj, hle⟩ := h1 _ hq
    refine ⟨j, hj, _, List.mem_append_left _ (numbered_mem 0 (length_trace s.extents.length hv hj.length_eq)
      (q := x - 0) (by omega)), by simp, ?_⟩
    simp only [Domain.inRange, Bool.and_eq_false_imp, decide_eq_true_eq, decide_eq_false_iff_not]
    exact fun _ => Int.not_lt.2 hle
  · obtain ⟨j, hj, d, hd, h⟩ := h2 x hx
    exact ⟨j, hj, d, List.mem_append_right _ hd, h⟩

/-- **The tests need not all be needed: of 2 by 3, its inner part by 2, domains 0 and 2 are tested, though domain 0 is in
range at no hole.**
Rust: `razorgirl::iter_domain::Schedule::predicates`
Source: nvFuser `non_divisible_split`; divisibility of split, 4.4 -/
theorem predicates_redundant : predicates ⟨[2], [.split 0 3, .split 1 2]⟩ = [0, 2] ∧
    loops ⟨[2], [.split 0 3, .split 1 2]⟩ = [1, 2, 2] ∧
    (List.range 4).all (fun (x : Nat) =>
      ((domains ⟨[2], [.split 0 3, .split 1 2]⟩ (pointAt [1, 2, 2] x)).all fun d => d.number != 0 || d.inRange) ==
        !isHole ⟨[2], [.split 0 3, .split 1 2]⟩ (pointAt [1, 2, 2] x)) = true := by decide

/-- With a resize the rule may be cautious: what was padded by 1 may be cut off again. -/
example : predicates ⟨[4], [.resize 0 0 1, .resize 0 0 (-1)]⟩ = [0] ∧
    elements ⟨[4], [.resize 0 0 1, .resize 0 0 (-1)]⟩ = [some 0, some 1, some 2, some 3] := by decide

end Schedule

end Razorgirl.IterDomain
