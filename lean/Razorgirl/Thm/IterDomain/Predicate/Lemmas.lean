module

public import Razorgirl.Spec.IterDomain.Predicate
public import Razorgirl.Thm.IterDomain.Schedule

@[expose] public section

/-!
# Lemmas: the predicate rule, from the loops back and forward again
-/

namespace Razorgirl.IterDomain
open Transform

/-! ## Doubt, domain by domain -/

/-- Every domain that is not in doubt is in range. -/
def Safe : (doubt : List Bool) → (extents indices : List Int) → Prop
  | [], [], [] => True
  | u :: us, n :: ns, i :: is => (u = false → 0 ≤ i ∧ i < n) ∧ Safe us ns is
  | _, _, _ => False

theorem safe_of_inBox {N i : List Int} (h : InBox N i) : Safe (N.map fun _ => false) N i := by
  induction N generalizing i with
  | nil => cases i <;> simp_all [InBox, Safe]
  | cons n N ih =>
    cases i with
    | nil => exact h.elim
    | cons a i => exact ⟨fun _ => h.1, ih h.2⟩

theorem Safe.length {u : List Bool} {N i : List Int} (h : Safe u N i) :
    u.length = N.length ∧ i.length = N.length := by
  induction N generalizing u i with
  | nil => cases u <;> cases i <;> simp_all [Safe]
  | cons n N ih =>
    cases u with
    | nil => exact h.elim
    | cons b u =>
      cases i with
      | nil => exact h.elim
      | cons a i => simpa using ih h.2

theorem Safe.split {A B : List Int} {u : List Bool} {i : List Int} (h : Safe u (A ++ B) i) :
    ∃ u₁ u₂ i₁ i₂, u = u₁ ++ u₂ ∧ i = i₁ ++ i₂ ∧ Safe u₁ A i₁ ∧ Safe u₂ B i₂ := by
  induction A generalizing u i with
  | nil => exact ⟨[], u, [], i, rfl, rfl, trivial, h⟩
  | cons n A ih =>
    cases u with
    | nil => exact h.elim
    | cons b u =>
      cases i with
      | nil => exact h.elim
      | cons a i =>
        obtain ⟨u₁, u₂, i₁, i₂, rfl, rfl, h₁, h₂⟩ := ih h.2
        exact ⟨b :: u₁, u₂, a :: i₁, i₂, rfl, rfl, ⟨h.1, h₁⟩, h₂⟩

theorem Safe.append {A B : List Int} {u₁ u₂ : List Bool} {i₁ i₂ : List Int} (h₁ : Safe u₁ A i₁) (h₂ : Safe u₂ B i₂) :
    Safe (u₁ ++ u₂) (A ++ B) (i₁ ++ i₂) := by
  induction A generalizing u₁ i₁ with
  | nil =>
    cases u₁ <;> cases i₁ <;> first | exact h₂ | exact h₁.elim
  | cons n A ih =>
    cases u₁ with
    | nil => exact h₁.elim
    | cons b u₁ =>
      cases i₁ with
      | nil => exact h₁.elim
      | cons a i₁ => exact ⟨h₁.1, ih h₁.2⟩

theorem safe_iff_getD (u : List Bool) (N i : List Int) : Safe u N i ↔
    u.length = N.length ∧ i.length = N.length ∧
      ∀ k, k < N.length → u.getD k false = false → 0 ≤ i.getD k 0 ∧ i.getD k 0 < N.getD k 0 := by
  induction N generalizing u i with
  | nil => cases u <;> cases i <;> simp [Safe]
  | cons n N ih =>
    cases u with
    | nil => simp [Safe]
    | cons b u =>
      cases i with
      | nil => simp [Safe]
      | cons a i =>
        rw [Safe, ih]
        constructor
        · rintro ⟨h0, hu, hl, h⟩
          refine ⟨by simp [hu], by simp [hl], fun k hk => ?_⟩
          cases k with
          | zero => simpa using h0
          | succ k => simpa using h k (by simpa using hk)
        · rintro ⟨hu, hl, h⟩
          refine ⟨by simpa using h 0 (by simp), by simpa using hu, by simpa using hl, fun k hk => ?_⟩
          simpa using h (k + 1) (by simpa using hk)

/-- What is undone by a permutation. -/
theorem safe_unpick {N : List Int} {p : List Nat} {u : List Bool} {i : List Int} (h : isOrder N.length p = true)
    (hs : Safe u (pick 0 p N) i) : Safe (pick false (invert p) u) N (pick 0 (invert p) i) := by
  have hl := isOrder_length h
  obtain ⟨hu, hi, hs⟩ := (safe_iff_getD _ _ _).1 hs
  rw [length_pick] at hu hi hs
  refine (safe_iff_getD _ _ _).2 ⟨by rw [length_pick, length_invert, hl], by rw [length_pick, length_invert, hl], ?_⟩
  intro k hk hd
  have hk' : k < (invert p).length := by rw [length_invert, hl]; exact hk
  have hm := isOrder_mem h hk
  have hq := (position_lt_iff k p).2 hm
  rw [getD_pick false false hk', getD_invert (hl ▸ hk)] at hd
  have := hs _ hq hd
  rwa [getD_pick 0 0 hq, getD_position hm, ← getD_invert (hl ▸ hk), ← getD_pick 0 0 hk'] at this

/-! ## Tests -/

theorem numbered_nil (first : Nat) (i : List Int) : numbered first [] i = [] := by cases i <;> rfl

theorem numbered_cons (first : Nat) (n a : Int) (N i : List Int) :
    numbered first (n :: N) (a :: i) = ⟨first, n, a⟩ :: numbered (first + 1) N i := rfl

theorem numbered_inRange {N i : List Int} (first : Nat) (h : InBox N i) :
    ∀ d ∈ numbered first N i, d.inRange = true := by
  induction N generalizing i first with
  | nil => simp [numbered_nil]
  | cons n N ih =>
    cases i with
    | nil => exact h.elim
    | cons a i =>
      intro d hd
      rcases List.mem_cons.1 hd with rfl | hd
      · simp [Domain.inRange, h.1]
      · exact ih _ h.2 d hd

theorem inBox_of_numbered {N i : List Int} (first : Nat) (hl : i.length = N.length)
    (h : ∀ d ∈ numbered first N i, d.inRange = true) : InBox N i := by
  induction N generalizing i first with
  | nil =>
    obtain rfl : i = [] := by simpa using hl
    trivial
  | cons n N ih =>
    cases i with
    | nil => simp at hl
    | cons a i =>
      refine ⟨?_, ih (first + 1) (by simpa using hl) fun d hd => h d (List.mem_cons_of_mem _ hd)⟩
      simpa [Domain.inRange] using h ⟨first, n, a⟩ (by simp [numbered_cons])

/-- Domains whose tests are passed are in range. -/
theorem safe_of_tests {t : List Bool} {E i : List Int} (first : Nat) (ht : t.length = E.length)
    (hi : i.length = E.length)
    (h : ∀ d ∈ numbered first E i, d.number ∈ chosen first t → d.inRange = true) : Safe (t.map (!·)) E i := by
  induction t generalizing E i first with
  | nil =>
    obtain rfl : E = [] := by simpa using ht.symm
    obtain rfl : i = [] := by simpa using hi
    trivial
  | cons b t ih =>
    cases E with
    | nil => simp at ht
    | cons n E =>
      cases i with
      | nil => simp at hi
      | cons a i =>
        refine ⟨fun hb => ?_, ih (first + 1) (by simpa using ht) (by simpa using hi) fun d hd hc => ?_⟩
        · have := h ⟨first, n, a⟩ (by simp [numbered_cons]) (by
            have : b = true := by simpa using hb
            simp [chosen, this])
          simpa [Domain.inRange] using this
        · refine h d (List.mem_cons_of_mem _ hd) ?_
          rw [chosen]
          split
          · exact List.mem_cons_of_mem _ hc
          · exact hc

/-! ## One operation -/

theorem Op.length_tests {r : Bool} {op : Op} {u : List Bool} (h : u.length = op.transform.outRank) :
    (op.tests r u).length = op.transform.outRank := by
  cases op with
  | merge | resize =>
    obtain ⟨x, rfl⟩ := List.length_eq_one_iff.1 (show u.length = 1 from h)
    rfl
  | split | splitOuter =>
    match u, h with
    | [_, _], _ => rfl
  | swizzle kind =>
    cases kind <;>
    · match u, h with
      | [_, _], _ => rfl

theorem SwizzleKind.bwd_inBox {kind : SwizzleKind} {Nx Ny x y : Int} (hf : kind.fits Nx Ny = true)
    (hx : 0 ≤ x ∧ x < Nx) (hy : 0 ≤ y ∧ y < Ny) :
    InBox [Nx, Ny] ((Op.swizzle kind).transform.bwd [Nx, Ny] [x, y]) := by
  cases kind with
  | xor =>
    have h1 : Ny % (nextPow2 Nx.toNat : Int) = 0 := by simpa [SwizzleKind.fits] using hf
    refine inBox_two.2 ⟨hx, xor_inBox ?_ hx hy⟩
    rw [← Int.ofNat_dvd, Int.toNat_of_nonneg (by omega)]
    exact Int.dvd_of_emod_eq_zero h1
  | cyclicShift =>
    have h1 : Nx ≤ Ny := by simpa [SwizzleKind.fits] using hf
    have h2 := Int.emod_lt_of_pos (Nx + y - x) (show 0 < Nx by omega)
    exact inBox_two.2 ⟨hx, Int.emod_nonneg _ (by omega), by omega⟩
  | zShape =>
    refine inBox_two.2 ⟨hx, ?_⟩
    split <;> omega

/-- What is in range after a swizzle has its first index in range before it. -/
theorem SwizzleKind.bwd_first {kind : SwizzleKind} (Nx Ny x y : Int) :
    ∃ y', (Op.swizzle kind).transform.bwd [Nx, Ny] [x, y] = [x, y'] := by
  cases kind <;> exact ⟨_, rfl⟩

/-- Back over one operation: what is not in doubt before it is in range. -/
theorem Op.safe_back {op : Op} {b ib : List Int} {u : List Bool} (hv : op.valid b = true) (hp : positive b = true)
    (hb : b.length = op.transform.inRank) (hs : Safe u (op.transform.ext b) ib)
    (ht : Safe ((op.tests true u).map (!·)) (op.transform.ext b) ib) :
    Safe (op.doubt true b u) b (op.transform.bwd b ib) := by
  have hl := hs.length
  rw [(op.ranked b hb).1] at hl
  cases op with
  | split d =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    obtain ⟨o, j, rfl⟩ := length_eq_two (show ib.length = 2 from hl.2)
    match u, hl.1 with
    | [uo, uj], _ =>
      have hd : 0 < d := by simpa [Op.valid] using hv
      have hs : (uo = false → 0 ≤ o ∧ o < Division.cdiv N d) ∧ (uj = false → 0 ≤ j ∧ j < d) ∧ True := hs
      have ht : ((!false) = false → 0 ≤ o ∧ o < Division.cdiv N d) ∧ ((!uj) = false → 0 ≤ j ∧ j < d) ∧ True := ht
      show ((uo || !decide (N % d = 0)) = false → 0 ≤ o * d + j ∧ o * d + j < N) ∧ True
      refine ⟨fun h => ?_, trivial⟩
      simp only [Bool.or_eq_false_iff, Bool.not_eq_false', decide_eq_true_eq] at h
      have hj : 0 ≤ j ∧ j < d := by
        cases uj
        · exact hs.2.1 rfl
        · exact ht.2.1 rfl
      exact split_input_inRange ((Division.cdiv_mul_eq_iff hd).2 (Int.dvd_of_emod_eq_zero h.2)) (hs.1 h.1) hj
  | splitOuter k =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    obtain ⟨o, j, rfl⟩ := length_eq_two (show ib.length = 2 from hl.2)
    match u, hl.1 with
    | [uo, uj], _ =>
      have hk : 0 < k := by simpa [Op.valid] using hv
      have hs : (uo = false → 0 ≤ o ∧ o < k) ∧ (uj = false → 0 ≤ j ∧ j < Division.cdiv N k) ∧ True := hs
      have ht : ((!false) = false → 0 ≤ o ∧ o < k) ∧ ((!uj) = false → 0 ≤ j ∧ j < Division.cdiv N k) ∧ True := ht
      show ((uo || !decide (N % k = 0)) = false → 0 ≤ o * Division.cdiv N k + j ∧ o * Division.cdiv N k + j < N) ∧ True
      refine ⟨fun h => ?_, trivial⟩
      simp only [Bool.or_eq_false_iff, Bool.not_eq_false', decide_eq_true_eq] at h
      have hj : 0 ≤ j ∧ j < Division.cdiv N k := by
        cases uj
        · exact hs.2.1 rfl
        · exact ht.2.1 rfl
      refine split_input_inRange ?_ (hs.1 h.1) hj
      rw [Int.mul_comm]
      exact (Division.cdiv_mul_eq_iff hk).2 (Int.dvd_of_emod_eq_zero h.2)
  | merge =>
    obtain ⟨N₀, N₁, rfl⟩ := length_eq_two (show b.length = 2 from hb)
    obtain ⟨i, rfl⟩ := List.length_eq_one_iff.1 (show ib.length = 1 from hl.2)
    obtain ⟨w, rfl⟩ := List.length_eq_one_iff.1 (show u.length = 1 from hl.1)
    have h₁ : 0 < N₁ := (positive_iff _).1 hp N₁ (by simp)
    have hs : (w = false → 0 ≤ i ∧ i < N₀ * N₁) ∧ True := hs
    obtain ⟨h1, h2⟩ := merge_inRange_iff (N₀ := N₀) (i := i) h₁
    exact ⟨fun h => h1.2 (hs.1 h), fun _ => h2, trivial⟩
  | resize L R =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    obtain ⟨i, rfl⟩ := List.length_eq_one_iff.1 (show ib.length = 1 from hl.2)
    obtain ⟨w, rfl⟩ := List.length_eq_one_iff.1 (show u.length = 1 from hl.1)
    have hs : (w = false → 0 ≤ i ∧ i < N + L + R) ∧ True := hs
    have ht : ((!(w && (decide (L < 0) || decide (R < 0)))) = false → 0 ≤ i ∧ i < N + L + R) ∧ True := ht
    show ((w && !(decide (L < 0) || decide (R < 0)) || decide (0 < L) || decide (0 < R)) = false →
      0 ≤ i - L ∧ i - L < N) ∧ True
    refine ⟨fun h => ?_, trivial⟩
    have hL : ¬ 0 < L := by
      intro hL
      simp [hL] at h
    have hR : ¬ 0 < R := by
      intro hR
      simp [hR] at h
    refine resize_input_inRange (R := R) (by omega) (by omega) ?_
    cases w
    · exact hs.1 rfl
    · refine ht.1 ?_
      simp [hL, hR] at h ⊢
      exact h
  | swizzle kind =>
    obtain ⟨Nx, Ny, rfl⟩ := length_eq_two (show b.length = 2 by cases kind <;> exact hb)
    obtain ⟨x, y, rfl⟩ := length_eq_two (show ib.length = 2 by cases kind <;> exact hl.2)
    have he : (Op.swizzle kind).transform.ext [Nx, Ny] = [Nx, Ny] := by cases kind <;> rfl
    rw [he] at hs ht
    match u, (show u.length = 2 by cases kind <;> exact hl.1) with
    | [ux, uy], _ =>
      have hs : (ux = false → 0 ≤ x ∧ x < Nx) ∧ (uy = false → 0 ≤ y ∧ y < Ny) ∧ True := hs
      have ht : ((!ux) = false → 0 ≤ x ∧ x < Nx) ∧ ((!uy) = false → 0 ≤ y ∧ y < Ny) ∧ True := ht
      have hx : 0 ≤ x ∧ x < Nx := by
        cases ux
        · exact hs.1 rfl
        · exact ht.1 rfl
      have hy : 0 ≤ y ∧ y < Ny := by
        cases uy
        · exact hs.2.1 rfl
        · exact ht.2.1 rfl
      obtain ⟨y', e⟩ := SwizzleKind.bwd_first (kind := kind) Nx Ny x y
      rw [e]
      refine ⟨fun _ => hx, fun h => ?_, trivial⟩
      have hf : kind.fits Nx Ny = true := by simpa using h
      have := SwizzleKind.bwd_inBox hf hx hy
      rw [e] at this
      exact this.2.1

/-- Forward again over one operation: where its inputs are in range and its tests are passed, so are its outputs. -/
theorem Op.inBox_forth {op : Op} {b ib : List Int} {u : List Bool} (hv : op.valid b = true)
    (hp : positive b = true) (hb : b.length = op.transform.inRank) (hs : Safe u (op.transform.ext b) ib)
    (ht : Safe ((op.tests true u).map (!·)) (op.transform.ext b) ib)
    (hi : InBox b (op.transform.bwd b ib)) : InBox (op.transform.ext b) ib := by
  have hl := hs.length
  rw [(op.ranked b hb).1] at hl
  cases op with
  | split d =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    obtain ⟨o, j, rfl⟩ := length_eq_two (show ib.length = 2 from hl.2)
    match u, hl.1 with
    | [uo, uj], _ =>
      have hd : 0 < d := by simpa [Op.valid] using hv
      have hs : (uo = false → 0 ≤ o ∧ o < Division.cdiv N d) ∧ (uj = false → 0 ≤ j ∧ j < d) ∧ True := hs
      have ht : ((!false) = false → 0 ≤ o ∧ o < Division.cdiv N d) ∧ ((!uj) = false → 0 ≤ j ∧ j < d) ∧ True := ht
      have hj : 0 ≤ j ∧ j < d := by
        cases uj
        · exact hs.2.1 rfl
        · exact ht.2.1 rfl
      exact ⟨split_outer_inRange (Division.le_cdiv_mul hd) hj (inBox_one.1 hi), hj, trivial⟩
  | splitOuter k =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    obtain ⟨o, j, rfl⟩ := length_eq_two (show ib.length = 2 from hl.2)
    match u, hl.1 with
    | [uo, uj], _ =>
      have hk : 0 < k := by simpa [Op.valid] using hv
      have hs : (uo = false → 0 ≤ o ∧ o < k) ∧ (uj = false → 0 ≤ j ∧ j < Division.cdiv N k) ∧ True := hs
      have ht : ((!false) = false → 0 ≤ o ∧ o < k) ∧ ((!uj) = false → 0 ≤ j ∧ j < Division.cdiv N k) ∧ True := ht
      have hj : 0 ≤ j ∧ j < Division.cdiv N k := by
        cases uj
        · exact hs.2.1 rfl
        · exact ht.2.1 rfl
      have hc := Division.le_cdiv_mul (a := N) hk
      rw [Int.mul_comm] at hc
      exact ⟨split_outer_inRange hc hj (inBox_one.1 hi), hj, trivial⟩
  | merge =>
    obtain ⟨N₀, N₁, rfl⟩ := length_eq_two (show b.length = 2 from hb)
    obtain ⟨i, rfl⟩ := List.length_eq_one_iff.1 (show ib.length = 1 from hl.2)
    have h₁ : 0 < N₁ := (positive_iff _).1 hp N₁ (by simp)
    exact ⟨(merge_inRange_iff (N₀ := N₀) (i := i) h₁).1.1 hi.1, trivial⟩
  | resize L R =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    obtain ⟨i, rfl⟩ := List.length_eq_one_iff.1 (show ib.length = 1 from hl.2)
    obtain ⟨w, rfl⟩ := List.length_eq_one_iff.1 (show u.length = 1 from hl.1)
    have hs : (w = false → 0 ≤ i ∧ i < N + L + R) ∧ True := hs
    have ht : ((!(w && (decide (L < 0) || decide (R < 0)))) = false → 0 ≤ i ∧ i < N + L + R) ∧ True := ht
    have hi : 0 ≤ i - L ∧ i - L < N := inBox_one.1 hi
    refine ⟨?_, trivial⟩
    by_cases hc : L < 0 ∨ R < 0
    · cases w
      · exact hs.1 rfl
      · exact ht.1 (by rcases hc with hc | hc <;> simp [hc])
    · exact resize_inRange (by omega) (by omega) hi
  | swizzle kind =>
    obtain ⟨Nx, Ny, rfl⟩ := length_eq_two (show b.length = 2 by cases kind <;> exact hb)
    obtain ⟨x, y, rfl⟩ := length_eq_two (show ib.length = 2 by cases kind <;> exact hl.2)
    have he : (Op.swizzle kind).transform.ext [Nx, Ny] = [Nx, Ny] := by cases kind <;> rfl
    rw [he] at hs ht ⊢
    match u, (show u.length = 2 by cases kind <;> exact hl.1) with
    | [ux, uy], _ =>
      have hs : (ux = false → 0 ≤ x ∧ x < Nx) ∧ (uy = false → 0 ≤ y ∧ y < Ny) ∧ True := hs
      have ht : ((!ux) = false → 0 ≤ x ∧ x < Nx) ∧ ((!uy) = false → 0 ≤ y ∧ y < Ny) ∧ True := ht
      refine inBox_two.2 ⟨?_, ?_⟩
      · cases ux
        · exact hs.1 rfl
        · exact ht.1 rfl
      · cases uy
        · exact hs.2.1 rfl
        · exact ht.2.1 rfl

/-! ## One move, and all of them -/

theorem Move.parts {a b c : List Int} {op : Op} {next : Nat} {u : List Bool} {i : List Int} (n : Nat)
    (hb : b.length = op.transform.inRank) (hs : Safe u (a ++ op.transform.ext b ++ c) i) :
    ∃ ua ub uc ia ib ic, u = ua ++ ub ++ uc ∧ i = ia ++ ib ++ ic ∧ Safe ua a ia ∧ Safe ub (op.transform.ext b) ib ∧
      Safe uc c ic ∧
      (Move.apply a.length op).doubt true (a ++ b ++ c) u = ua ++ op.doubt true b ub ++ uc ∧
      (Move.apply a.length op).tests true next u = chosen next (op.tests true ub) ∧
      ((Move.apply a.length op).transform n).bwd (a ++ b ++ c) i = ia ++ op.transform.bwd b ib ++ ic ∧
      (Move.apply a.length op).domains next (a ++ op.transform.ext b ++ c) i =
        numbered next (op.transform.ext b) ib := by
  have hr := (op.ranked b hb).1
  obtain ⟨uab, uc, iab, ic, rfl, rfl, hab, hc⟩ := hs.split
  obtain ⟨ua, ub, ia, ib, rfl, rfl, ha, hb'⟩ := hab.split
  have l1 := ha.length
  have l2 := hb'.length
  rw [hr] at l2
  refine ⟨ua, ub, uc, ia, ib, ic, rfl, rfl, ha, hb', hc, ?_, ?_, ?_, ?_⟩
  · simp only [Move.doubt]
    rw [Aux.take_three l1.1, Aux.mid_three rfl hb, Aux.mid_three l1.1 l2.1, Aux.drop_three l1.1 l2.1]
  · simp only [Move.tests]
    rw [Aux.mid_three l1.1 l2.1]
  · rw [Move.transform, embed_bwd _ _ _ l1.2 hb l2.2]
  · simp only [Move.domains]
    rw [Aux.mid_three rfl hr, Aux.mid_three l1.2 l2.2]

/-- Back over all moves, and forward again. -/
theorem rule_sound {ms : List Move} {N : List Int} (next : Nat) {j : List Int} (hv : validMoves N ms = true)
    (hj : InBox ((chain N.length ms).ext N) j)
    (ht : ∀ d ∈ (trace N next ms j).2, d.number ∈ (rule true N next ms).2 → d.inRange = true) :
    Safe (rule true N next ms).1 N (trace N next ms j).1 ∧
      (InBox N (trace N next ms j).1 → ∀ d ∈ (trace N next ms j).2, d.inRange = true) := by
  induction ms generalizing N next with
  | nil => exact ⟨safe_of_inBox hj, fun _ d hd => by simp [trace] at hd⟩
  | cons m ms ih =>
    obtain ⟨hp, hm, hr⟩ := validMoves_cons hv
    rw [chain_cons ms hm] at hj
    obtain ⟨hs, hf⟩ := ih (N := m.ext N) (next + m.made) hr hj fun d hd hn =>
      ht d (List.mem_append_right _ hd) (List.mem_append_right _ hn)
    rw [trace, rule] at *
    generalize trace (m.ext N) (next + m.made) ms j = tr at *
    generalize rule true (m.ext N) (next + m.made) ms = ru at *
    simp only at *
    cases m with
    | apply k op =>
      obtain ⟨a, b, c, rfl, rfl, hb, hov⟩ := Move.cut hm
      rw [Move.ext_apply c hb] at hs hf ht ⊢
      have hpb : positive b = true := by
        rw [positive_append, positive_append] at hp
        simp only [Bool.and_eq_true] at hp
        exact hp.1.2
      obtain ⟨ua, ub, uc, ia, ib, ic, hu, hi, ha, hb', hc, e1, e2, e3, e4⟩ :=
        Move.parts (next := next) (a ++ b ++ c).length hb hs
      rw [e2, e4] at ht
      rw [e1, e3, e4]
      have htb : Safe ((op.tests true ub).map (!·)) (op.transform.ext b) ib := by
        refine safe_of_tests next ?_ hb'.length.2 fun d hd hn =>
          ht d (List.mem_append_left _ hd) (List.mem_append_left _ hn)
        rw [(op.ranked b hb).1]
        exact Op.length_tests (hb'.length.1.trans (op.ranked b hb).1)
      refine ⟨(ha.append (Op.safe_back hov hpb hb hb' htb)).append hc, fun hbox d hd => ?_⟩
      have hlb := ((op.ranked b hb).2.2 ib (hb'.length.2.trans (op.ranked b hb).1)).trans hb.symm
      rw [inBox_append_iff (by simp [ha.length.2, hlb]), inBox_append_iff ha.length.2] at hbox
      have hmid := Op.inBox_forth hov hpb hb hb' htb hbox.1.2
      rcases List.mem_append.1 hd with hd | hd
      · exact numbered_inRange next hmid d hd
      · refine hf ?_ d hd
        rw [hi, inBox_append_iff (by simp [ha.length.2, hb'.length.2]), inBox_append_iff ha.length.2]
        exact ⟨⟨hbox.1.1, hmid⟩, hbox.2⟩
    | reorder p =>
      have ho : isOrder N.length p = true := hm
      have hs : Safe ru.1 (pick 0 p N) tr.1 := hs
      have hl := hs.length.2
      rw [length_pick, isOrder_length ho] at hl
      refine ⟨safe_unpick ho hs, fun hbox d hd => ?_⟩
      have hbox : InBox N (pick 0 (invert p) tr.1) := hbox
      rw [← inBox_pick_iff ho hbox.length_eq, pick_pick_invert 0 (by rw [hl]; exact ho)] at hbox
      rcases List.mem_append.1 hd with hd | hd
      · simp [Move.domains] at hd
      · exact hf hbox d hd

end Razorgirl.IterDomain
