module

public import Razorgirl.Spec.IterDomain.Axes.Splits
public import Razorgirl.Thm.IterDomain.Axes
public import Razorgirl.Thm.Layout.Find

@[expose] public section

/-!
# Splits first, merges last: what is proved

Such a schedule is a layout operation.
-/

namespace Razorgirl.IterDomain
open FlatLayout Layout HTuple Transform

/-- The axis goes through memory in even steps. -/
def Line (A : Layout) : Prop := ∃ s, ∀ x, x < A.size → atIndex A.modes x = x * s

theorem isSome_of_line {A : Layout} {d : Nat} (hA : A.Valid) (hl : Line A) (hd : 0 < d) (hdvd : d ∣ A.size) :
    (splitAxis A d).isSome = true := by
  obtain ⟨s, hs⟩ := hl
  have hT : (⟨[⟨d, 1⟩], .leaf ()⟩ : Layout).Valid := ⟨rfl, hd, trivial⟩
  have hpos : 0 < A.size := hA.2.size_pos
  rw [isSome_splitAxis hd, logicalDivide_isSome_iff_linesUp hA hT]
  refine ⟨(tiling_int_ne_none_iff hd).2 ⟨hpos, hdvd⟩, ?_⟩
  have hc : FlatLayout.coalesce A.modes = FlatLayout.coalesce [⟨A.size, s⟩] := by
    have h1 : FlatLayout.Valid [⟨A.size, s⟩] := ⟨hpos, trivial⟩
    refine (FlatLayout.coalesce_eq_iff hA.2 h1).2 ⟨by simp [size_cons, size_nil, Layout.size], fun x hx => ?_⟩
    rw [hs x hx, atIndex_singleton]
    exact congrArg (· * s) (Nat.mod_eq_of_lt hx).symm
  have hb : ∀ P ∈ boundaries (FlatLayout.shape (FlatLayout.coalesce A.modes)), P = 1 ∨ P = A.size := by
    rw [hc, FlatLayout.coalesce, FlatLayout.coalesce, push]
    intro P hP
    split at hP
    · exact .inl (by simpa [FlatLayout.shape, boundaries] using hP)
    · simpa [FlatLayout.shape, boundaries] using hP
  intro P hP m hm _
  rw [List.mem_singleton.1 hm]
  rcases hb P hP with rfl | rfl
  · exact ⟨.inl (Nat.one_dvd _), .inl (Nat.one_dvd _)⟩
  · exact ⟨.inr (Nat.one_dvd _), .inr (by simpa using hdvd)⟩

theorem lines_of_splitAxis {A : Layout} {d : Nat} {M : List Layout} (hA : A.Valid) (hl : Line A) (hd : 0 < d)
    (h : splitAxis A d = some M) : ∀ B ∈ M, Line B := by
  obtain ⟨s, hs⟩ := hl
  obtain ⟨O, I, rfl, _, _, sI, sO, hdvd, hv⟩ := splitAxis_spec hd h
  have hk : 0 < A.size / d := Nat.div_pos (Nat.le_of_dvd hA.2.size_pos hdvd) hd
  intro B hB
  rcases List.mem_cons.1 hB with rfl | hB
  · refine ⟨d * s, fun x hx => ?_⟩
    rw [sO] at hx
    obtain ⟨h1, h2⟩ := hv 0 x hd hx
    rw [hs _ h1, atIndex_zero, Nat.add_zero, Nat.add_zero] at h2
    rw [h2, Nat.mul_comm d x, Nat.mul_assoc]
  · rw [List.mem_singleton.1 hB]
    refine ⟨s, fun x hx => ?_⟩
    rw [sI] at hx
    obtain ⟨h1, h2⟩ := hv x 0 hx hk
    rwa [hs _ h1, atIndex_zero, Nat.zero_add, Nat.mul_zero, Nat.zero_add] at h2

theorem Op.onAxes_of_divides {op : Op} {Ls : List Layout} (hv : ∀ A ∈ Ls, A.Valid) (hl : ∀ A ∈ Ls, Line A)
    (hop : op.valid (sizes Ls) = true) (h : op.divides (sizes Ls) = true) :
    ∃ M, op.onAxes Ls = some M ∧ ∀ A ∈ M, Line A := by
  match op, Ls, h with
  | .split d, [A], h =>
    have hd : 0 < d := by simpa [Op.valid] using hop
    obtain ⟨n, rfl⟩ := Int.eq_ofNat_of_zero_le (Int.le_of_lt hd)
    have hn : 0 < n := by omega
    have h : decide ((A.size : Int) % (n : Int) = 0) = true := h
    have hdvd : n ∣ A.size := Nat.dvd_of_mod_eq_zero (by exact_mod_cast of_decide_eq_true h)
    obtain ⟨M, hM⟩ := Option.isSome_iff_exists.1 (isSome_of_line (hv A (by simp)) (hl A (by simp)) hn hdvd)
    exact ⟨M, hM, lines_of_splitAxis (hv A (by simp)) (hl A (by simp)) hn hM⟩
  | .splitOuter k, [A], h =>
    have hk : 0 < k := by simpa [Op.valid] using hop
    obtain ⟨n, rfl⟩ := Int.eq_ofNat_of_zero_le (Int.le_of_lt hk)
    have hn : 0 < n := by omega
    have h : decide ((A.size : Int) % (n : Int) = 0) = true := h
    have hmod : A.size % n = 0 := by exact_mod_cast of_decide_eq_true h
    have hdvd := Nat.dvd_of_mod_eq_zero hmod
    have hm : 0 < A.size / n := Nat.div_pos (Nat.le_of_dvd (hv A (by simp)).2.size_pos hdvd) hn
    obtain ⟨M, hM⟩ := Option.isSome_iff_exists.1
      (isSome_of_line (hv A (by simp)) (hl A (by simp)) hm (Nat.div_dvd_of_dvd hdvd))
    refine ⟨M, ?_, lines_of_splitAxis (hv A (by simp)) (hl A (by simp)) hm hM⟩
    rw [Op.onAxes, Int.toNat_natCast, if_pos hmod]
    exact hM
  | .split _, [], h => simp [sizes, Op.divides] at h
  | .split _, _ :: _ :: _, h => simp [sizes, Op.divides] at h
  | .splitOuter _, [], h => simp [sizes, Op.divides] at h
  | .splitOuter _, _ :: _ :: _, h => simp [sizes, Op.divides] at h
  | .merge, _, h => simp [Op.divides] at h
  | .resize _ _, _, h => simp [Op.divides] at h
  | .swizzle _, _, h => simp [Op.divides] at h

theorem movesOnAxes_of_merges {ms : List Move} : {Ls : List Layout} → (∀ A ∈ Ls, A.Valid) →
    validMoves (sizes Ls) ms = true → mergesOnly ms = true → (movesOnAxes Ls ms).isSome = true := by
  induction ms with
  | nil => intro Ls _ _ _; rfl
  | cons m ms ih =>
    intro Ls hv hval h
    obtain ⟨-, hm, hr⟩ := validMoves_cons hval
    have key : ∃ M, m.onAxes Ls = some M ∧ mergesOnly ms = true := by
      match m, h, hm with
      | .apply k .merge, h, hm =>
        simp only [Move.valid, Bool.and_eq_true, decide_eq_true_eq, length_sizes] at hm
        obtain ⟨A, B, e⟩ : ∃ A B, (Ls.drop k).take 2 = [A, B] := by
          have hl : ((Ls.drop k).take 2).length = 2 := by
            have : k + 2 ≤ Ls.length := hm.1
            simp
            omega
          generalize (Ls.drop k).take 2 = t at hl
          match t, hl with
          | [A, B], _ => exact ⟨A, B, rfl⟩
        refine ⟨Ls.take k ++ [Layout.concat [B, A]] ++ Ls.drop (k + 2), ?_, h⟩
        show ((Op.merge.onAxes ((Ls.drop k).take 2)).map _) = _
        rw [e, Op.onAxes, Option.map_some]
        rfl
      | .reorder p, h, _ => exact ⟨_, rfl, h⟩
    obtain ⟨M, hM, h'⟩ := key
    obtain ⟨e1, e2, _⟩ := Move.onAxes_spec hv hm hM
    rw [e1] at hr
    rw [movesOnAxes, hM]
    exact ih e2 hr h'

theorem movesOnAxes_of_splits {ms : List Move} : {Ls : List Layout} → (∀ A ∈ Ls, A.Valid) → (∀ A ∈ Ls, Line A) →
    validMoves (sizes Ls) ms = true → splitsFirst (sizes Ls) ms = true → (movesOnAxes Ls ms).isSome = true := by
  induction ms with
  | nil => intro Ls _ _ _ _; rfl
  | cons m ms ih =>
    intro Ls hv hl hval h
    obtain ⟨-, hm, hr⟩ := validMoves_cons hval
    have go : ∀ M, m.onAxes Ls = some M → (∀ A ∈ M, Line A) → splitsFirst (m.ext (sizes Ls)) ms = true →
        (movesOnAxes Ls (m :: ms)).isSome = true := fun M hM hlM hs => by
      obtain ⟨e1, e2, _⟩ := Move.onAxes_spec hv hm hM
      rw [e1] at hr hs
      rw [movesOnAxes, hM]
      exact ih e2 hlM hr hs
    cases m with
    | reorder p =>
      refine go _ rfl (fun A hA => ?_) h
      have ho : isOrder (sizes Ls).length p = true := hm
      rw [length_sizes] at ho
      obtain ⟨k, hk, rfl⟩ := List.mem_map.1 hA
      have hk' := isOrder_lt ho k hk
      rw [List.getD_eq_getElem?_getD, List.getElem?_eq_getElem hk']
      exact hl _ (List.getElem_mem hk')
    | apply k op =>
      rw [splitsFirst, Bool.or_eq_true, Bool.and_eq_true] at h
      rcases h with ⟨hd, hs⟩ | h
      · have hm' := hm
        simp only [Move.valid, Bool.and_eq_true, decide_eq_true_eq] at hm'
        have e : ((sizes Ls).drop k).take op.transform.inRank = sizes ((Ls.drop k).take op.transform.inRank) := by
          simp [sizes, List.map_drop, List.map_take]
        rw [e] at hd hm'
        have sub : ∀ A ∈ (Ls.drop k).take op.transform.inRank, A ∈ Ls := fun A hA =>
          List.mem_of_mem_drop (List.mem_of_mem_take hA)
        obtain ⟨M, hM, hlM⟩ := Op.onAxes_of_divides (fun A hA => hv A (sub A hA)) (fun A hA => hl A (sub A hA)) hm'.2 hd
        refine go (Ls.take k ++ M ++ Ls.drop (k + op.transform.inRank)) (by rw [Move.onAxes, hM, Option.map_some])
          (fun A hA => ?_) hs
        rcases List.mem_append.1 hA with hA | hA
        · rcases List.mem_append.1 hA with hA | hA
          · exact hl A (List.mem_of_mem_take hA)
          · exact hlM A hA
        · exact hl A (List.mem_of_mem_drop hA)
      · exact movesOnAxes_of_merges hv hval h

theorem line_rowMajorAxes : (N : List Int) → ∀ A ∈ rowMajorAxes N, Line A
  | [], A, h => by simp [rowMajorAxes] at h
  | n :: N, A, h => by
    rw [rowMajorAxes] at h
    rcases List.mem_cons.1 h with rfl | h
    · refine ⟨(boxSize N).toNat, fun x hx => ?_⟩
      have hx : x < n.toNat := by simpa [Layout.size, size_cons, size_nil] using hx
      rw [atIndex_singleton, Nat.mod_eq_of_lt hx]
    · exact line_rowMajorAxes N A h

/-- **A schedule whose splits divide, with no split after a merge, is a layout operation, whatever the extents: its loops are
the layouts that `logical_divide` and concatenation make.**
Source: nvFuser `Split`, `Merge`, `reorder`; CuTe `logical_divide` -/
theorem axes_isSome_of_splitsFirst {s : Schedule} (hs : s.valid = true) (h : s.splitsFirst = true) :
    ∃ Ls, s.axes = some Ls ∧ s.loops = sizes Ls ∧
      ∀ j, InBox s.loops j → s.element j = some (offsetAt Ls j : Int) := by
  have hp := validMoves_positive (N := s.extents) hs
  have hz := sizes_rowMajorAxes hp
  obtain ⟨Ls, hL⟩ := Option.isSome_iff_exists.1 (movesOnAxes_of_splits (valid_rowMajorAxes hp)
    (line_rowMajorAxes s.extents) (by rw [hz]; exact hs) (by rw [hz]; exact h))
  exact ⟨Ls, hL, axes_spec hs hL⟩

end Razorgirl.IterDomain
