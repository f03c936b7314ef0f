module

public import Razorgirl.Spec.IterDomain.Axes
public import Razorgirl.Thm.IterDomain.Covers
public import Razorgirl.Thm.Layout.Divide.Chain
public import Razorgirl.Thm.Layout.Divide.Tiler
public import Razorgirl.Thm.Layout.Partition.Rows

@[expose] public section

/-!
# Schedules as layout operations: what is proved

Where each split divides its axis as a layout, the loops of a schedule are the layouts that `logical_divide` and
concatenation make, and there are no holes.
-/

namespace Razorgirl.IterDomain
open FlatLayout Layout HTuple Transform

/-! ## One axis -/

theorem parts_of_run {A D : Layout} {d : Nat} (hd : 0 < d) (h : logicalDivide A ⟨[⟨d, 1⟩], .leaf ()⟩ = some D) :
    ∃ x y, D.tree = .node [x, y] ∧ (ofTree x).Valid ∧ (ofTree y).Valid ∧ (ofTree x).size = d ∧
      (ofTree y).size = A.size / d ∧ d ∣ A.size ∧ ∀ p k, p < d → k < A.size / d →
        d * k + p < A.size ∧ atIndex y.flatten k + atIndex x.flatten p = atIndex A.modes (d * k + p) := by
  have hT : (⟨[⟨d, 1⟩], .leaf ()⟩ : Layout).Valid := ⟨rfl, hd, trivial⟩
  have hTs : (⟨[⟨d, 1⟩], .leaf ()⟩ : Layout).size = d := by simp [Layout.size, size_cons, size_nil]
  obtain ⟨C, R₀, R₁, hC, h0, h1, rfl⟩ := isDivision_modes hT (logicalDivide_sound hT h)
  have ht := tree_concat_pair h0.1.1 h1.1.1
  have hCv := complementIn_valid hT hC
  have hdvd : d ∣ A.size :=
    ((tiling_int_ne_none_iff hd).1 (by rw [tiling, hC]; simp)).2
  refine ⟨R₀.tree, R₁.tree, ht, ?_, ?_, ?_, ?_, hdvd, fun p k hp hk => ?_⟩
  · rw [Layout.ofTree_tree_of_length h0.1.1]; exact h0.1
  · rw [Layout.ofTree_tree_of_length h1.1.1]; exact h1.1
  · rw [Layout.ofTree_tree_of_length h0.1.1, isComposite_size hT h0, hTs]
  · rw [Layout.ofTree_tree_of_length h1.1.1, isComposite_size hCv h1, (atIndex_complement_run hd hC).1]
  · obtain ⟨hlt, hc⟩ := logicalDivide_run_call h hp hk
    refine ⟨hlt, ?_⟩
    have hs0 : R₀.size = d := by rw [isComposite_size hT h0, hTs]
    have hs1 : R₁.size = A.size / d := by rw [isComposite_size hCv h1, (atIndex_complement_run hd hC).1]
    rw [call_concat (fun L hL => by
      rcases List.mem_cons.1 hL with rfl | hL
      · exact h0.1
      · rw [List.mem_singleton.1 hL]; exact h1.1)] at hc
    simp only [sumCalls, call_index h0.1 (hs0 ▸ hp), call_index h1.1 (hs1 ▸ hk), Option.some.injEq] at hc
    rw [Layout.flatten_tree h0.1.1, Layout.flatten_tree h1.1.1]
    omega

theorem splitAxis_spec {A : Layout} {d : Nat} {M : List Layout} (hd : 0 < d) (h : splitAxis A d = some M) :
    ∃ O I, M = [O, I] ∧ O.Valid ∧ I.Valid ∧ I.size = d ∧ O.size = A.size / d ∧ d ∣ A.size ∧
      ∀ p k, p < d → k < A.size / d →
        d * k + p < A.size ∧ atIndex O.modes k + atIndex I.modes p = atIndex A.modes (d * k + p) := by
  rw [splitAxis] at h
  cases hD : logicalDivide A ⟨[⟨d, 1⟩], .leaf ()⟩ with
  | none => simp [hD] at h
  | some D =>
    obtain ⟨x, y, ht, vx, vy, sx, sy, hdvd, hv⟩ := parts_of_run hd hD
    simp only [hD, ht, Option.some.injEq] at h
    exact ⟨ofTree y, ofTree x, h.symm, vy, vx, sx, sy, hdvd, hv⟩

theorem isSome_splitAxis {A : Layout} {d : Nat} (hd : 0 < d) :
    (splitAxis A d).isSome = (logicalDivide A ⟨[⟨d, 1⟩], .leaf ()⟩).isSome := by
  rw [splitAxis]
  cases hD : logicalDivide A ⟨[⟨d, 1⟩], .leaf ()⟩ with
  | none => rfl
  | some D =>
    obtain ⟨x, y, ht, _⟩ := parts_of_run hd hD
    simp [ht]

/-- **An axis can be split as a layout exactly where it has a division by runs of that length: no layout does, where
`logical_divide` refuses.**
Source: nvFuser `Split`; CuTe `logical_divide` -/
theorem splitAxis_isSome_iff {A : Layout} {d : Nat} (hA : A.Valid) (hd : 0 < d) :
    (splitAxis A d).isSome = true ↔ ∃ R, IsDivision A ⟨[⟨d, 1⟩], .leaf ()⟩ R := by
  have hT : (⟨[⟨d, 1⟩], .leaf ()⟩ : Layout).Valid := ⟨rfl, hd, trivial⟩
  rw [isSome_splitAxis hd, logicalDivide_eq_complete hA hT, Option.isSome_iff_exists]
  exact exists_congr fun R => divideWith_complete_eq_some_iff hT

/-! ## Points -/

theorem sizes_append (As Bs : List Layout) : sizes (As ++ Bs) = sizes As ++ sizes Bs := by simp [sizes]

theorem length_sizes (As : List Layout) : (sizes As).length = As.length := by simp [sizes]

theorem offsetAt_append {As : List Layout} {i : List Int} (h : i.length = As.length) (Bs : List Layout) (k : List Int) :
    offsetAt (As ++ Bs) (i ++ k) = offsetAt As i + offsetAt Bs k := by
  induction As generalizing i with
  | nil =>
    obtain rfl : i = [] := by simpa using h
    simp [offsetAt]
  | cons A As ih =>
    cases i with
    | nil => simp at h
    | cons a i =>
      rw [List.cons_append, List.cons_append, offsetAt, offsetAt, ih (by simpa using h)]
      omega

theorem offsetAt_eq_sum {Ls : List Layout} {i : List Int} (h : i.length = Ls.length) :
    offsetAt Ls i = ((List.range Ls.length).map fun k =>
      atIndex (Ls.getD k ⟨[], .node []⟩).modes (i.getD k 0).toNat).sum := by
  induction Ls generalizing i with
  | nil =>
    obtain rfl : i = [] := by simpa using h
    simp [offsetAt]
  | cons A Ls ih =>
    cases i with
    | nil => simp at h
    | cons x i =>
      rw [offsetAt, ih (by simpa using h), List.length_cons, List.range_succ_eq_map, List.map_cons, List.sum_cons,
        List.map_map]
      simp [Function.comp_def]

theorem offsetAt_pick {Ls : List Layout} {i : List Int} {p : List Nat} (h : isOrder Ls.length p = true)
    (hi : i.length = Ls.length) : offsetAt (pick ⟨[], .node []⟩ p Ls) (pick 0 p i) = offsetAt Ls i := by
  rw [offsetAt_eq_sum (by rw [length_pick, length_pick]), offsetAt_eq_sum hi, length_pick]
  rw [show (List.range p.length).map (fun k => atIndex ((pick ⟨[], .node []⟩ p Ls).getD k ⟨[], .node []⟩).modes
      ((pick 0 p i).getD k 0).toNat) =
    p.map fun k => atIndex (Ls.getD k ⟨[], .node []⟩).modes (i.getD k 0).toNat by
      refine List.ext_getElem (by simp) fun k h1 h2 => ?_
      have hk : k < p.length := by simpa using h2
      simp only [List.getElem_map, List.getElem_range]
      rw [getD_pick _ _ hk, getD_pick _ _ hk, List.getD_eq_getElem?_getD (l := p), List.getElem?_eq_getElem hk]
      rfl]
  exact ((isOrder_perm h).map _).sum_nat

/-! ## One operation -/

theorem split_back {A O I : Layout} {d : Nat} {j : List Int} (hI : I.size = d)
    (hO : O.size = A.size / d) (hv : ∀ p k, p < d → k < A.size / d →
      d * k + p < A.size ∧ atIndex O.modes k + atIndex I.modes p = atIndex A.modes (d * k + p))
    (hj : InBox (sizes [O, I]) j) :
    ∃ o i : Int, j = [o, i] ∧ InBox (sizes [A]) [o * d + i] ∧ offsetAt [A] [o * d + i] = offsetAt [O, I] [o, i] := by
  have hj : InBox [(O.size : Int), (I.size : Int)] j := hj
  obtain ⟨o, i, rfl, ⟨ho0, ho⟩, hi0, hi⟩ := hj.cases_two
  obtain ⟨k, rfl⟩ := Int.eq_ofNat_of_zero_le ho0
  obtain ⟨p, rfl⟩ := Int.eq_ofNat_of_zero_le hi0
  rw [hI] at hi
  rw [hO] at ho
  obtain ⟨h1, h2⟩ := hv p k (by omega) (by omega)
  have e : ((k : Int) * d + p) = ((d * k + p : Nat) : Int) := by
    rw [Nat.mul_comm]
    push_cast
    rfl
  refine ⟨k, p, rfl, ?_, ?_⟩
  · rw [e]
    show InBox [(A.size : Int)] _
    rw [inBox_one]
    omega
  · rw [e]
    simp only [offsetAt, Int.toNat_natCast]
    omega

theorem cdiv_natCast_of_dvd {n d : Nat} (h : d ∣ n) : Division.cdiv (n : Int) (d : Int) = ((n / d : Nat) : Int) := by
  rw [Division.cdiv_natCast, Division.ceilDiv_of_dvd h]

theorem Op.onAxes_spec {op : Op} {Ls M : List Layout} (hv : ∀ A ∈ Ls, A.Valid) (hop : op.valid (sizes Ls) = true)
    (h : op.onAxes Ls = some M) :
    op.transform.ext (sizes Ls) = sizes M ∧ (∀ A ∈ M, A.Valid) ∧
      ∀ j, InBox (sizes M) j → InBox (sizes Ls) (op.transform.bwd (sizes Ls) j) ∧
        offsetAt Ls (op.transform.bwd (sizes Ls) j) = offsetAt M j := by
  match op, Ls, h with
  | .split d, [A], h =>
    have hd : 0 < d := by simpa [Op.valid] using hop
    obtain ⟨n, rfl⟩ := Int.eq_ofNat_of_zero_le (Int.le_of_lt hd)
    have hn : 0 < n := by omega
    rw [Op.onAxes, Int.toNat_natCast] at h
    obtain ⟨O, I, rfl, vO, vI, sI, sO, hdvd, hval⟩ := splitAxis_spec hn h
    refine ⟨?_, by simp [vO, vI], fun j hj => ?_⟩
    · show [Division.cdiv (A.size : Int) (n : Int), (n : Int)] = [(O.size : Int), (I.size : Int)]
      rw [cdiv_natCast_of_dvd hdvd, sO, sI]
    · obtain ⟨o, i, rfl, h1, h2⟩ := split_back sI sO hval hj
      exact ⟨h1, h2⟩
  | .splitOuter k, [A], h =>
    have hk : 0 < k := by simpa [Op.valid] using hop
    obtain ⟨n, rfl⟩ := Int.eq_ofNat_of_zero_le (Int.le_of_lt hk)
    have hn : 0 < n := by omega
    rw [Op.onAxes, Int.toNat_natCast] at h
    split at h
    · rename_i hmod
      have hdvd := Nat.dvd_of_mod_eq_zero hmod
      have hpos : 0 < A.size := (hv A (by simp)).2.size_pos
      have hm : 0 < A.size / n := Nat.div_pos (Nat.le_of_dvd hpos hdvd) hn
      obtain ⟨O, I, rfl, vO, vI, sI, sO, _, hval⟩ := splitAxis_spec hm h
      have hO : O.size = n := by
        rw [sO, Nat.div_div_self hdvd (by omega)]
      refine ⟨?_, by simp [vO, vI], fun j hj => ?_⟩
      · show [(n : Int), Division.cdiv (A.size : Int) (n : Int)] = [(O.size : Int), (I.size : Int)]
        rw [cdiv_natCast_of_dvd hdvd, hO, sI]
      · obtain ⟨o, i, rfl, h1, h2⟩ := split_back sI sO hval hj
        have e : (outerSplit (n : Int)).bwd (sizes [A]) [o, i] = [o * ((A.size / n : Nat) : Int) + i] := by
          show [o * Division.cdiv (A.size : Int) (n : Int) + i] = _
          rw [cdiv_natCast_of_dvd hdvd]
        rw [Op.transform, e]
        exact ⟨h1, h2⟩
    · cases h
  | .merge, [A, B], h =>
    rw [Op.onAxes, Option.some.injEq] at h
    rw [← h]
    have vA := hv A (by simp)
    have vB := hv B (by simp)
    have hm : (Layout.concat [B, A]).modes = B.modes ++ A.modes := by simp [Layout.concat, concatModes]
    have hs : (Layout.concat [B, A]).size = B.size * A.size := by
      rw [Layout.size, hm, size_append]
      rfl
    have hBp : 0 < B.size := vB.2.size_pos
    refine ⟨?_, ?_, fun j hj => ?_⟩
    · show [(A.size : Int) * (B.size : Int)] = [((Layout.concat [B, A]).size : Int)]
      rw [hs, Nat.mul_comm]
      push_cast
      rfl
    · intro L hL
      rw [List.mem_singleton.1 hL]
      refine valid_concat fun L hL => ?_
      rcases List.mem_cons.1 hL with rfl | hL
      · exact vB
      · rwa [List.mem_singleton.1 hL]
    · have hj : InBox [((Layout.concat [B, A]).size : Int)] j := hj
      obtain ⟨i, rfl, hi0, hi⟩ := hj.cases_one
      obtain ⟨x, rfl⟩ := Int.eq_ofNat_of_zero_le hi0
      rw [hs] at hi
      have hx : x < B.size * A.size := by exact_mod_cast hi
      have e : Transform.merge.bwd (sizes [A, B]) [(x : Int)] = [((x / B.size : Nat) : Int), ((x % B.size : Nat) : Int)] := by
        show [(x : Int) / (B.size : Int), (x : Int) % (B.size : Int)] = _
        push_cast
        rfl
      rw [Op.transform, e]
      refine ⟨?_, ?_⟩
      · show InBox [(A.size : Int), (B.size : Int)] _
        rw [inBox_two]
        have h1 := Nat.div_lt_of_lt_mul hx
        have h2 := Nat.mod_lt x hBp
        exact ⟨⟨Int.natCast_nonneg _, by exact_mod_cast h1⟩, Int.natCast_nonneg _, by exact_mod_cast h2⟩
      · have : atIndex (Layout.concat [B, A]).modes x = atIndex B.modes (x % B.size) + atIndex A.modes (x / B.size) := by
          rw [hm, atIndex_append]
          rfl
        simp only [offsetAt, Int.toNat_natCast, this]
        omega
  | .split _, [], h => simp [Op.onAxes] at h
  | .split _, _ :: _ :: _, h => simp [Op.onAxes] at h
  | .splitOuter _, [], h => simp [Op.onAxes] at h
  | .splitOuter _, _ :: _ :: _, h => simp [Op.onAxes] at h
  | .merge, [], h => simp [Op.onAxes] at h
  | .merge, [_], h => simp [Op.onAxes] at h
  | .merge, _ :: _ :: _ :: _, h => simp [Op.onAxes] at h
  | .resize _ _, _, h => simp [Op.onAxes] at h
  | .swizzle _, _, h => simp [Op.onAxes] at h

/-! ## One move -/

theorem Move.onAxes_spec {m : Move} {Ls M : List Layout} (hv : ∀ A ∈ Ls, A.Valid) (hm : m.valid (sizes Ls) = true)
    (h : m.onAxes Ls = some M) :
    m.ext (sizes Ls) = sizes M ∧ (∀ A ∈ M, A.Valid) ∧
      ∀ j, InBox (sizes M) j →
        InBox (sizes Ls) ((m.transform (sizes Ls).length).bwd (sizes Ls) j) ∧
          offsetAt Ls ((m.transform (sizes Ls).length).bwd (sizes Ls) j) = offsetAt M j := by
  cases m with
  | apply k op =>
    simp only [Move.valid, Bool.and_eq_true, decide_eq_true_eq, length_sizes] at hm
    obtain ⟨a, b, c, rfl, rfl, hb⟩ : ∃ a b c, Ls = a ++ b ++ c ∧ a.length = k ∧ b.length = op.transform.inRank := by
      refine ⟨Ls.take k, (Ls.drop k).take op.transform.inRank, (Ls.drop k).drop op.transform.inRank, ?_, ?_, ?_⟩
      · rw [List.append_assoc, List.take_append_drop, List.take_append_drop]
      · simp; omega
      · simp; omega
    rw [Move.onAxes, Aux.mid_three rfl hb, Aux.take_three rfl, Aux.drop_three rfl hb] at h
    obtain ⟨M', hM', rfl⟩ := Option.map_eq_some_iff.1 h
    have hbs : (sizes b).length = op.transform.inRank := by rw [length_sizes, hb]
    have hop : op.valid (sizes b) = true := by
      have := hm.2
      rwa [sizes_append, sizes_append, Aux.mid_three (length_sizes a) hbs] at this
    obtain ⟨e1, e2, e3⟩ := Op.onAxes_spec (fun A hA => hv A (by simp [hA])) hop hM'
    have hext : (Move.apply a.length op).ext (sizes (a ++ b ++ c)) = sizes (a ++ M' ++ c) := by
      have := Move.ext_apply (a := sizes a) (sizes c) hbs
      rw [length_sizes] at this
      rw [sizes_append, sizes_append, sizes_append, sizes_append, this, e1]
    refine ⟨hext, fun A hA => ?_, fun j hj => ?_⟩
    · rcases List.mem_append.1 hA with hA | hA
      · rcases List.mem_append.1 hA with hA | hA
        · exact hv A (by simp [hA])
        · exact e2 A hA
      · exact hv A (by simp [hA])
    · rw [sizes_append, sizes_append] at hj
      obtain ⟨jab, jc, rfl, hab, hc⟩ := hj.split
      obtain ⟨ja, jb, rfl, ha, hb'⟩ := hab.split
      obtain ⟨f1, f2⟩ := e3 jb hb'
      have hl : jb.length = op.transform.outRank := by
        rw [hb'.length_eq, ← e1, (op.ranked _ hbs).1]
      have hla : ja.length = a.length := by rw [ha.length_eq, length_sizes]
      have hlb := f1.length_eq
      have ebwd : ((Move.apply a.length op).transform (sizes (a ++ b ++ c)).length).bwd (sizes (a ++ b ++ c))
          (ja ++ jb ++ jc) = ja ++ op.transform.bwd (sizes b) jb ++ jc := by
        rw [Move.transform, sizes_append, sizes_append, ← length_sizes a, embed_bwd _ _ _ ha.length_eq hbs hl]
      rw [ebwd]
      refine ⟨?_, ?_⟩
      · rw [sizes_append, sizes_append, inBox_append_iff (by simp [ha.length_eq, hlb]), inBox_append_iff ha.length_eq]
        exact ⟨⟨ha, f1⟩, hc⟩
      · rw [length_sizes] at hlb
        have hlM : jb.length = M'.length := by rw [hb'.length_eq, length_sizes]
        rw [offsetAt_append (by simp [hla, hlb]), offsetAt_append hla, offsetAt_append (by simp [hla, hlM]),
          offsetAt_append hla, f2]
  | reorder p =>
    have ho : isOrder (sizes Ls).length p = true := hm
    rw [length_sizes] at ho
    rw [Move.onAxes, Option.some.injEq] at h
    rw [← h]
    have hpl := isOrder_length ho
    have hsz : sizes (pick ⟨[], .node []⟩ p Ls) = pick 0 p (sizes Ls) := by
      rw [sizes, pick, pick, List.map_map]
      refine List.map_congr_left fun k hk => ?_
      have hk' := isOrder_lt ho k hk
      simp [sizes, List.getD_eq_getElem?_getD, hk']
    refine ⟨hsz.symm, fun A hA => ?_, fun j hj => ?_⟩
    · obtain ⟨k, hk, rfl⟩ := List.mem_map.1 hA
      have hk' := isOrder_lt ho k hk
      rw [List.getD_eq_getElem?_getD, List.getElem?_eq_getElem hk']
      exact hv _ (List.getElem_mem hk')
    · rw [hsz] at hj
      have hjl : j.length = Ls.length := by rw [hj.length_eq, length_pick, hpl]
      have hb : pick 0 p (pick 0 (invert p) j) = j := pick_pick_invert 0 (by rw [hjl]; exact ho)
      have hil : (pick 0 (invert p) j).length = Ls.length := by rw [length_pick, length_invert, hpl]
      show InBox (sizes Ls) (pick 0 (invert p) j) ∧ offsetAt Ls (pick 0 (invert p) j) = _
      refine ⟨?_, ?_⟩
      · rw [← inBox_pick_iff (by rw [length_sizes]; exact ho) (by rw [hil, length_sizes]), hb]
        exact hj
      · conv => rhs; rw [← hb]
        exact (offsetAt_pick ho hil).symm

/-! ## All moves -/

theorem trace_axes {ms : List Move} : {Ls M : List Layout} → (next : Nat) → (∀ A ∈ Ls, A.Valid) →
    validMoves (sizes Ls) ms = true → movesOnAxes Ls ms = some M →
    (chain (sizes Ls).length ms).ext (sizes Ls) = sizes M ∧
      ∀ j, InBox (sizes M) j → InBox (sizes Ls) (trace (sizes Ls) next ms j).1 ∧
        (∀ d ∈ (trace (sizes Ls) next ms j).2, d.inRange = true) ∧
        offsetAt Ls (trace (sizes Ls) next ms j).1 = offsetAt M j := by
  induction ms with
  | nil =>
    intro Ls M next _ _ h
    obtain rfl := Option.some.inj h
    exact ⟨rfl, fun j hj => ⟨hj, by simp [trace], rfl⟩⟩
  | cons m ms ih =>
    intro Ls M next hv hval h
    obtain ⟨-, hm, hr⟩ := validMoves_cons hval
    rw [movesOnAxes] at h
    split at h
    · rename_i L1 h1
      obtain ⟨e1, e2, e3⟩ := Move.onAxes_spec hv hm h1
      rw [e1] at hr
      obtain ⟨f1, f2⟩ := ih (next + m.made) e2 hr h
      refine ⟨?_, fun j hj => ?_⟩
      · rw [chain_cons ms hm, e1]
        show (chain (sizes L1).length ms).ext (m.ext (sizes Ls)) = _
        rw [e1]
        exact f1
      · obtain ⟨g1, g2, g3⟩ := f2 j hj
        obtain ⟨k1, k2⟩ := e3 _ g1
        have e : trace (sizes Ls) next (m :: ms) j =
            ((m.transform (sizes Ls).length).bwd (sizes Ls) (trace (sizes L1) (next + m.made) ms j).1,
              m.domains next (sizes L1) (trace (sizes L1) (next + m.made) ms j).1 ++
                (trace (sizes L1) (next + m.made) ms j).2) := by
          rw [← e1]
          rfl
        rw [e]
        refine ⟨k1, fun d hd => ?_, by rw [k2, g3]⟩
        rcases List.mem_append.1 hd with hd | hd
        · exact Move.inRange_domains next g1 d hd
        · exact g2 d hd
    · cases h

/-! ## Row-major axes -/

theorem sizes_rowMajorAxes {N : List Int} (h : positive N = true) : sizes (rowMajorAxes N) = N := by
  induction N with
  | nil => rfl
  | cons n N ih =>
    rw [positive_iff] at h
    have hn := h n (by simp)
    have := ih ((positive_iff N).2 fun m hm => h m (by simp [hm]))
    rw [rowMajorAxes, sizes, List.map_cons, ← sizes, this]
    simp [Layout.size, size_cons, size_nil]
    omega

theorem valid_rowMajorAxes {N : List Int} (h : positive N = true) : ∀ A ∈ rowMajorAxes N, A.Valid := by
  induction N with
  | nil => simp [rowMajorAxes]
  | cons n N ih =>
    rw [positive_iff] at h
    have hn := h n (by simp)
    intro A hA
    rw [rowMajorAxes] at hA
    rcases List.mem_cons.1 hA with rfl | hA
    · exact ⟨rfl, by show 0 < n.toNat; omega, trivial⟩
    · exact ih ((positive_iff N).2 fun m hm => h m (by simp [hm])) A hA

theorem offsetAt_rowMajorAxes {N i : List Int} (h : positive N = true) (hi : InBox N i) :
    (offsetAt (rowMajorAxes N) i : Int) = rowMajor N i := by
  induction N generalizing i with
  | nil =>
    obtain rfl : i = [] := by simpa using hi.length_eq
    rfl
  | cons n N ih =>
    cases i with
    | nil => exact hi.elim
    | cons a i =>
      rw [positive_iff] at h
      have hN := (positive_iff N).2 fun m hm => h m (by simp [hm])
      obtain ⟨⟨h0, h1⟩, hi⟩ := hi
      obtain ⟨x, rfl⟩ := Int.eq_ofNat_of_zero_le h0
      obtain ⟨y, hy⟩ := Int.eq_ofNat_of_zero_le (Int.le_of_lt (boxSize_pos hN))
      rw [rowMajorAxes, offsetAt, rowMajor, ← ih hN hi, atIndex_singleton, hy]
      simp only [Int.toNat_natCast]
      rw [Nat.mod_eq_of_lt (by omega)]
      push_cast
      rfl

/-! ## The theorem -/

/-- **A schedule is a layout operation: where each of its steps is one on the axes (splits by `logical_divide`, merges by
concatenation, reorders), its loops are as long as the layouts that come out, no loop point is a hole, and each computes the
element at the sum of their offsets.**
Source: nvFuser `Split`, `Merge`, `reorder`; CuTe `logical_divide` -/
theorem axes_spec {s : Schedule} {Ls : List Layout} (hs : s.valid = true) (h : s.axes = some Ls) :
    s.loops = sizes Ls ∧ ∀ j, InBox s.loops j → s.element j = some (offsetAt Ls j : Int) := by
  have hp := validMoves_positive (N := s.extents) hs
  have hz := sizes_rowMajorAxes hp
  have hs' : validMoves (sizes (rowMajorAxes s.extents)) s.moves = true := by rw [hz]; exact hs
  obtain ⟨h1, h2⟩ := trace_axes s.extents.length (valid_rowMajorAxes hp) hs' h
  rw [hz] at h1 h2
  have hl : s.loops = sizes Ls := h1
  refine ⟨hl, fun j hj => ?_⟩
  rw [hl] at hj
  obtain ⟨g1, g2, g3⟩ := h2 j hj
  have hr : rowMajor s.extents (trace s.extents s.extents.length s.moves j).1 = (offsetAt Ls j : Int) := by
    rw [← offsetAt_rowMajorAxes hp g1, g3]
  have ha : (numbered 0 s.extents (trace s.extents s.extents.length s.moves j).1).all Domain.inRange = true :=
    List.all_eq_true.2 (numbered_inRange 0 g1)
  have hb : (trace s.extents s.extents.length s.moves j).2.all Domain.inRange = true := List.all_eq_true.2 g2
  rw [Schedule.element]
  simp only [ha, hb, hr, Bool.and_self, if_true]

/-- **Not every dividing schedule is one: 12 by 3, merged the other way round, is the axis (4,3):(3,1). 6 divides its 12
rounds, but the first 6, elements 0, 3, 6, 9, 1 and 4, are no layout, and `logical_divide` refuses.**
Source: nvFuser `Split`, `Merge`; CuTe `logical_divide` -/
theorem axes_counterexample : Schedule.valid ⟨[12], [.split 0 3, .merge 1 0, .split 0 6]⟩ = true ∧
    (Schedule.axes ⟨[12], [.split 0 3, .merge 1 0, .split 0 6]⟩).isNone = true ∧
    Schedule.elements ⟨[12], [.split 0 3, .merge 1 0, .split 0 6]⟩ =
      [some 0, some 3, some 6, some 9, some 1, some 4, some 7, some 10, some 2, some 5, some 8, some 11] := by
  decide +kernel

end Razorgirl.IterDomain
