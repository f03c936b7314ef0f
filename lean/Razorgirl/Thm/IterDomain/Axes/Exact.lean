module

public import Razorgirl.Spec.IterDomain.Axes.Exact
public import Razorgirl.Thm.IterDomain.Axes
public import Razorgirl.Thm.Layout.Find

@[expose] public section

/-!
# Which schedules are layout operations: what is proved

The steps find layouts for the loops exactly where there are any, after every move.
-/

namespace Razorgirl.IterDomain
open FlatLayout Layout HTuple Transform

/-- **An axis can be split as a layout exactly where there are two layouts, of the parts and of a part, whose offsets add up to
those of the axis.**
Source: nvFuser `Split`; CuTe `logical_divide` -/
theorem splitAxis_isSome_iff_sum {A : Layout} {d : Nat} (hA : A.Valid) (hd : 0 < d) :
    (splitAxis A d).isSome = true ↔ ∃ O I : Layout, O.Valid ∧ I.Valid ∧ I.size = d ∧ d * O.size = A.size ∧
      ∀ p k, p < d → k < O.size → atIndex O.modes k + atIndex I.modes p = atIndex A.modes (d * k + p) := by
  constructor
  · intro h
    obtain ⟨M, hM⟩ := Option.isSome_iff_exists.1 h
    obtain ⟨O, I, rfl, vO, vI, sI, sO, hdvd, hv⟩ := splitAxis_spec hd hM
    exact ⟨O, I, vO, vI, sI, by rw [sO, Nat.mul_div_cancel' hdvd], fun p k hp hk => (hv p k hp (by rwa [← sO])).2⟩
  · rintro ⟨O, I, vO, vI, sI, sO, hv⟩
    have hT : (⟨[⟨d, 1⟩], .leaf ()⟩ : Layout).Valid := ⟨rfl, hd, trivial⟩
    rw [isSome_splitAxis hd, logicalDivide_isSome_iff_linesUp hA hT]
    have hdvd : d ∣ A.size := ⟨_, sO.symm⟩
    refine ⟨(tiling_int_ne_none_iff hd).2 ⟨hA.2.size_pos, hdvd⟩, ?_⟩
    have hV : FlatLayout.Valid (I.modes ++ O.modes) := (valid_append_iff _ _).2 ⟨vI.2, vO.2⟩
    have hI : FlatLayout.size I.modes = d := sI
    have hO : FlatLayout.size O.modes = O.size := rfl
    have hAs : FlatLayout.size A.modes = A.size := rfl
    have hc : FlatLayout.coalesce A.modes = FlatLayout.coalesce (I.modes ++ O.modes) := by
      refine (FlatLayout.coalesce_eq_iff hA.2 hV).2 ⟨by rw [size_append, hI, hO, hAs, sO], fun x hx => ?_⟩
      have hk : x / d < O.size := Nat.div_lt_of_lt_mul (by rw [sO]; exact hx)
      have e := hv (x % d) (x / d) (Nat.mod_lt x hd) hk
      rw [Nat.div_add_mod] at e
      rw [atIndex_append, hI, ← e, Nat.add_comm, ← hI, atIndex_mod_size]
    have hb : d ∈ boundaries (FlatLayout.shape (I.modes ++ O.modes)) := by
      have h1 := mul_mem_boundaries_append (FlatLayout.shape I.modes) (FlatLayout.shape O.modes)
        (one_mem_boundaries (FlatLayout.shape O.modes))
      rw [Nat.mul_one, ← FlatLayout.shape_append] at h1
      have h2 : prod (FlatLayout.shape I.modes) = d := by rw [← hI, FlatLayout.size]
      rwa [h2] at h1
    intro P hP m hm _
    rw [List.mem_singleton.1 hm]
    rw [hc] at hP
    have h1 := dvd_or_dvd_of_mem_boundaries (mem_boundaries_of_coalesce hP) hb
    exact ⟨.inr (Nat.one_dvd _), by simpa using h1⟩

/-! ## One move -/

theorem offsetAt_zeros : (Ls : List Layout) → (n : Nat) → offsetAt Ls (List.replicate n 0) = 0
  | [], n => by simp [offsetAt]
  | _ :: _, 0 => by simp [offsetAt]
  | A :: Ls, n + 1 => by simp [List.replicate_succ, offsetAt, offsetAt_zeros Ls n, atIndex_zero]

theorem inBox_zeros : {Ls : List Layout} → (∀ A ∈ Ls, A.Valid) → InBox (sizes Ls) (List.replicate Ls.length 0)
  | [], _ => trivial
  | A :: Ls, h => by
    refine ⟨⟨Int.le_refl _, ?_⟩, inBox_zeros fun B hB => h B (by simp [hB])⟩
    have := (h A (by simp)).2.size_pos
    show (0 : Int) < ((A.size : Nat) : Int)
    have : 0 < A.size := this
    omega

theorem onAxes_split_isSome {A : Layout} {a c Ms : List Layout} {op : Op} {n d : Nat} (hv : ∀ B ∈ a ++ [A] ++ c, B.Valid)
    (hMs : ∀ B ∈ Ms, B.Valid) (hd : 0 < d) (he : sizes Ms = sizes a ++ [(n : Int), (d : Int)] ++ sizes c)
    (hle : A.size ≤ n * d)
    (hb : ∀ o i : Int, op.transform.bwd (sizes [A]) [o, i] = [o * d + i]) (hr : op.transform.inRank = 1)
    (ho : op.transform.outRank = 2)
    (h : ∀ j, InBox (sizes Ms) j →
      InBox (sizes (a ++ [A] ++ c)) (((Move.apply a.length op).transform (sizes (a ++ [A] ++ c)).length).bwd
        (sizes (a ++ [A] ++ c)) j) ∧
      offsetAt (a ++ [A] ++ c) (((Move.apply a.length op).transform (sizes (a ++ [A] ++ c)).length).bwd
        (sizes (a ++ [A] ++ c)) j) = offsetAt Ms j) : n * d = A.size ∧ (splitAxis A d).isSome = true := by
  have hl : Ms.length = a.length + 2 + c.length := by
    have := congrArg List.length he
    simp [length_sizes] at this
    omega
  obtain ⟨a', O, I, c', rfl, la, lc⟩ : ∃ a' O I c', Ms = a' ++ [O, I] ++ c' ∧ a'.length = a.length ∧ c'.length = c.length := by
    match hc : Ms.drop a.length, (show (Ms.drop a.length).length = 2 + c.length by simp; omega) with
    | O :: I :: c', lc =>
      refine ⟨Ms.take a.length, O, I, c', ?_, by simp; omega, by simp at lc; omega⟩
      rw [List.append_assoc, List.cons_append, List.cons_append, List.nil_append, ← hc, List.take_append_drop]
    | [], lc => simp at lc; omega
    | [_], lc => simp at lc; omega
  rw [sizes_append, sizes_append] at he
  have e1 := List.append_inj he (by simp [length_sizes, la])
  have e2 := List.append_inj e1.1 (by simp [length_sizes, la])
  have e3 : (O.size : Int) = n ∧ (I.size : Int) = d := by simpa [sizes] using e2.2
  have sO : O.size = n := by omega
  have sI : I.size = d := by omega
  have vO := hMs O (by simp)
  have vI := hMs I (by simp)
  have vA := hv A (by simp)
  have key : ∀ k p, k < n → p < d → d * k + p < A.size ∧
      atIndex O.modes k + atIndex I.modes p = atIndex A.modes (d * k + p) := by
    intro k p hk hp
    have za : InBox (sizes a') (List.replicate a'.length 0) := inBox_zeros fun B hB => hMs B (by simp [hB])
    have zc : InBox (sizes c') (List.replicate c'.length 0) := inBox_zeros fun B hB => hMs B (by simp [hB])
    have hbox : InBox (sizes (a' ++ [O, I] ++ c'))
        (List.replicate a'.length 0 ++ [(k : Int), (p : Int)] ++ List.replicate c'.length 0) := by
      rw [sizes_append, sizes_append, inBox_append_iff (by simp [length_sizes]), inBox_append_iff (by simp [length_sizes])]
      refine ⟨⟨za, ?_⟩, zc⟩
      show InBox [(O.size : Int), (I.size : Int)] _
      rw [inBox_two]
      omega
    obtain ⟨g1, g2⟩ := h _ hbox
    have ebwd : ((Move.apply a.length op).transform (sizes (a ++ [A] ++ c)).length).bwd (sizes (a ++ [A] ++ c))
        (List.replicate a'.length 0 ++ [(k : Int), (p : Int)] ++ List.replicate c'.length 0) =
          List.replicate a'.length 0 ++ [((d * k + p : Nat) : Int)] ++ List.replicate c'.length 0 := by
      rw [Move.transform, sizes_append, sizes_append, ← length_sizes a,
        embed_bwd _ _ _ (by simp [length_sizes, la]) (by simp [hr, sizes]) (by simp [ho]), hb]
      congr 3
      rw [Nat.mul_comm]
      push_cast
      rfl
    rw [ebwd] at g1 g2
    rw [sizes_append, sizes_append, inBox_append_iff (by simp [la, sizes]),
      inBox_append_iff (by simp [length_sizes, la])] at g1
    have g3 : InBox [(A.size : Int)] [((d * k + p : Nat) : Int)] := g1.1.2
    rw [inBox_one] at g3
    refine ⟨by omega, ?_⟩
    rw [offsetAt_append (by simp [la]), offsetAt_append (by simp [la]), offsetAt_append (by simp),
      offsetAt_append (by simp), offsetAt_zeros, offsetAt_zeros, offsetAt_zeros, offsetAt_zeros] at g2
    simp only [offsetAt, Int.toNat_natCast] at g2
    omega
  have hn : 0 < n := by rw [← sO]; exact vO.2.size_pos
  have hsz : n * d = A.size := by
    have := (key (n - 1) (d - 1) (by omega) (by omega)).1
    have e : d * (n - 1) + (d - 1) + 1 = n * d := by
      obtain ⟨n, rfl⟩ : ∃ q, n = q + 1 := ⟨n - 1, by omega⟩
      rw [Nat.add_sub_cancel, Nat.succ_mul, Nat.mul_comm]
      omega
    omega
  refine ⟨hsz, (splitAxis_isSome_iff_sum vA hd).2 ⟨O, I, vO, vI, sI, by rw [sO, Nat.mul_comm, hsz], fun p k hp hk => ?_⟩⟩
  exact (key k p (by omega) hp).2

/-- Where a move that splits, merges or reorders leaves layouts, it is one on the axes. -/
theorem onAxes_isSome {Ls Ms : List Layout} {m : Move} (hv : ∀ A ∈ Ls, A.Valid) (hm : m.valid (sizes Ls) = true)
    (ht : m.tiles = true) (hMs : ∀ A ∈ Ms, A.Valid) (he : m.ext (sizes Ls) = sizes Ms)
    (h : ∀ j, InBox (sizes Ms) j → InBox (sizes Ls) ((m.transform (sizes Ls).length).bwd (sizes Ls) j) ∧
      offsetAt Ls ((m.transform (sizes Ls).length).bwd (sizes Ls) j) = offsetAt Ms j) : (m.onAxes Ls).isSome = true := by
  cases m with
  | reorder p => rfl
  | apply k op =>
    have hm' := hm
    simp only [Move.valid, Bool.and_eq_true, decide_eq_true_eq, length_sizes] at hm'
    obtain ⟨a, b, c, rfl, rfl, hb⟩ : ∃ a b c, Ls = a ++ b ++ c ∧ a.length = k ∧ b.length = op.transform.inRank := by
      refine ⟨Ls.take k, (Ls.drop k).take op.transform.inRank, (Ls.drop k).drop op.transform.inRank, ?_, ?_, ?_⟩
      · rw [List.append_assoc, List.take_append_drop, List.take_append_drop]
      · simp; omega
      · simp; omega
    have hbs : (sizes b).length = op.transform.inRank := by rw [length_sizes, hb]
    have hop : op.valid (sizes b) = true := by
      have := hm'.2
      rwa [sizes_append, sizes_append, Aux.mid_three (length_sizes a) hbs] at this
    have hext : (Move.apply a.length op).ext (sizes (a ++ b ++ c)) = sizes a ++ op.transform.ext (sizes b) ++ sizes c := by
      have := Move.ext_apply (a := sizes a) (sizes c) hbs
      rw [length_sizes] at this
      rw [sizes_append, sizes_append, this]
    rw [Move.onAxes, Aux.mid_three rfl hb, Option.isSome_map]
    rw [hext] at he
    cases op with
    | split d =>
      have hd : 0 < d := by simpa [Op.valid] using hop
      obtain ⟨n, rfl⟩ := Int.eq_ofNat_of_zero_le (Int.le_of_lt hd)
      obtain ⟨A, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
      rw [Op.onAxes, Int.toNat_natCast]
      have e : (Op.split (n : Int)).transform.ext (sizes [A]) = [((Division.ceilDiv A.size n : Nat) : Int), (n : Int)] := by
        show [Division.cdiv (A.size : Int) (n : Int), (n : Int)] = _
        rw [Division.cdiv_natCast]
      rw [e] at he
      exact (onAxes_split_isSome hv hMs (by omega) he.symm (Division.ceilDiv_mul_bounds A.size (by omega)).1 (fun _ _ => rfl) rfl rfl h).2
    | splitOuter k =>
      have hk : 0 < k := by simpa [Op.valid] using hop
      obtain ⟨n, rfl⟩ := Int.eq_ofNat_of_zero_le (Int.le_of_lt hk)
      obtain ⟨A, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
      have hAp : 0 < A.size := (hv A (by simp)).2.size_pos
      have e : (Op.splitOuter (n : Int)).transform.ext (sizes [A]) = [(n : Int), ((Division.ceilDiv A.size n : Nat) : Int)] := by
        show [(n : Int), Division.cdiv (A.size : Int) (n : Int)] = _
        rw [Division.cdiv_natCast]
      rw [e] at he
      have hle := (Division.ceilDiv_mul_bounds A.size (d := n) (by omega)).1
      have hpos : 0 < Division.ceilDiv A.size n := Division.ceilDiv_pos hAp (by omega)
      obtain ⟨h1, h2⟩ := onAxes_split_isSome hv hMs hpos he.symm (by rw [Nat.mul_comm]; exact hle)
        (fun o i => by
          show [o * Division.cdiv (A.size : Int) (n : Int) + i] = _
          rw [Division.cdiv_natCast]) rfl rfl h
      have hdvd : n ∣ A.size := ⟨_, h1.symm⟩
      have e2 : A.size / n = Division.ceilDiv A.size n := by
        have := Nat.mul_div_cancel_left (Division.ceilDiv A.size n) (show 0 < n by omega)
        rwa [h1] at this
      rw [Op.onAxes, Int.toNat_natCast, if_pos (Nat.mod_eq_zero_of_dvd hdvd), e2]
      exact h2
    | merge =>
      match b, hb with
      | [A, B], _ => rfl
    | resize L R => simp [Move.tiles] at ht
    | swizzle kind => simp [Move.tiles] at ht

/-! ## All moves -/

theorem validMoves_prefix {p ms : List Move} (hp : p <+: ms) : {N : List Int} → validMoves N ms = true →
    validMoves N p = true := by
  obtain ⟨rest, rfl⟩ := hp
  induction p with
  | nil => exact validMoves_positive
  | cons m p ih =>
    intro N h
    obtain ⟨h1, h2, h3⟩ := validMoves_cons h
    simp [validMoves, h1, h2, ih h3]

theorem movesOnAxes_append (ms ns : List Move) : (Ls : List Layout) →
    movesOnAxes Ls (ms ++ ns) = (movesOnAxes Ls ms).bind fun M => movesOnAxes M ns := by
  induction ms with
  | nil => intro Ls; rfl
  | cons m ms ih =>
    intro Ls
    rw [List.cons_append, movesOnAxes, movesOnAxes]
    split
    · exact ih _
    · rfl

theorem movesOnAxes_tiles {ms : List Move} : {Ls M : List Layout} → movesOnAxes Ls ms = some M →
    ∀ m ∈ ms, m.tiles = true := by
  induction ms with
  | nil => intro Ls M _ m hm; cases hm
  | cons m ms ih =>
    intro Ls M h x hx
    rw [movesOnAxes] at h
    split at h
    · rename_i L1 h1
      rcases List.mem_cons.1 hx with rfl | hx
      · match x, h1 with
        | .reorder _, _ => rfl
        | .apply _ (.split _), _ => rfl
        | .apply _ (.splitOuter _), _ => rfl
        | .apply _ .merge, _ => rfl
        | .apply _ (.resize _ _), h1 => simp [Move.onAxes, Op.onAxes] at h1
        | .apply _ (.swizzle _), h1 => simp [Move.onAxes, Op.onAxes] at h1
      · exact ih h x hx
    · cases h

theorem movesOnAxes_valid {ms : List Move} : {Ls M : List Layout} → (∀ A ∈ Ls, A.Valid) →
    validMoves (sizes Ls) ms = true → movesOnAxes Ls ms = some M → ∀ A ∈ M, A.Valid := by
  induction ms with
  | nil =>
    intro Ls M hv _ h
    obtain rfl := Option.some.inj h
    exact hv
  | cons m ms ih =>
    intro Ls M hv hval h
    obtain ⟨-, hm, hr⟩ := validMoves_cons hval
    rw [movesOnAxes] at h
    split at h
    · rename_i L1 h1
      obtain ⟨e1, e2, -⟩ := Move.onAxes_spec hv hm h1
      rw [e1] at hr
      exact ih e2 hr h
    · cases h

theorem movesOnAxes_isSome {ms : List Move} : {Ls : List Layout} → (next : Nat) → (∀ A ∈ Ls, A.Valid) →
    validMoves (sizes Ls) ms = true → (∀ m ∈ ms, m.tiles = true) →
    (∀ p, p <+: ms → ∃ Ms : List Layout, (∀ A ∈ Ms, A.Valid) ∧ (chain (sizes Ls).length p).ext (sizes Ls) = sizes Ms ∧
      ∀ j, InBox (sizes Ms) j → InBox (sizes Ls) (trace (sizes Ls) next p j).1 ∧
        (∀ d ∈ (trace (sizes Ls) next p j).2, d.inRange = true) ∧
        offsetAt Ls (trace (sizes Ls) next p j).1 = offsetAt Ms j) →
    (movesOnAxes Ls ms).isSome = true := by
  induction ms with
  | nil => intros; rfl
  | cons m ms ih =>
    intro Ls next hv hval ht h
    obtain ⟨-, hm, hr⟩ := validMoves_cons hval
    obtain ⟨Ms, v1, s1, o1⟩ := h [m] ⟨ms, rfl⟩
    rw [chain_cons [] hm] at s1
    have s1 : m.ext (sizes Ls) = sizes Ms := s1
    have h1 := onAxes_isSome hv hm (ht m (by simp)) v1 s1 fun j hj => ⟨(o1 j hj).1, (o1 j hj).2.2⟩
    obtain ⟨L1, hL1⟩ := Option.isSome_iff_exists.1 h1
    obtain ⟨e1, e2, e3⟩ := Move.onAxes_spec hv hm hL1
    rw [movesOnAxes, hL1]
    rw [e1] at hr
    refine ih (next + m.made) e2 hr (fun x hx => ht x (by simp [hx])) fun p hp => ?_
    obtain ⟨Ms', v2, s2, o2⟩ := h (m :: p) (List.cons_prefix_cons.2 ⟨rfl, hp⟩)
    rw [chain_cons p hm, e1] at s2
    have s2 : (chain (sizes L1).length p).ext (m.ext (sizes Ls)) = sizes Ms' := s2
    rw [e1] at s2
    refine ⟨Ms', v2, s2, fun j hj => ?_⟩
    obtain ⟨b1, b2, b3⟩ := o2 j hj
    have e : trace (sizes Ls) next (m :: p) j =
        ((m.transform (sizes Ls).length).bwd (sizes Ls) (trace (sizes L1) (next + m.made) p j).1,
          m.domains next (sizes L1) (trace (sizes L1) (next + m.made) p j).1 ++
            (trace (sizes L1) (next + m.made) p j).2) := by
      rw [← e1]
      rfl
    rw [e] at b1 b2 b3
    have hk : keepsMoves (sizes Ls) [m] = true := by
      have := ht m (by simp)
      match m, this with
      | .reorder _, _ => rfl
      | .apply _ (.split _), _ => simp [keepsMoves, Op.keeps]
      | .apply _ (.splitOuter _), _ => simp [keepsMoves, Op.keeps]
      | .apply _ .merge, _ => simp [keepsMoves, Op.keeps]
    have hlen : (trace (sizes L1) (next + m.made) p j).1.length = (m.ext (sizes Ls)).length := by
      rw [e1]
      exact length_trace (next + m.made) (validMoves_prefix hp hr) (by rw [s2]; exact hj.length_eq)
    obtain ⟨-, hin, -⟩ := Move.back (next := next) hm hk hlen b1
      (fun d hd => b2 d (List.mem_append.2 (.inl (by rwa [e1] at hd))))
    rw [e1] at hin
    exact ⟨hin, fun d hd => b2 d (List.mem_append.2 (.inr hd)), by rw [← (e3 _ hin).2, b3]⟩

/-- **The steps on layouts answer exactly where the schedule only splits, merges and reorders, and after each of its moves there
are layouts, one for each loop, whose offsets add up to the number of the element at every loop point, none of which is a hole.**
Source: nvFuser `Split`, `Merge`, `reorder`; CuTe `logical_divide` -/
theorem axes_isSome_iff {s : Schedule} (hs : s.valid = true) : s.axes.isSome = true ↔
    (∀ m ∈ s.moves, m.tiles = true) ∧ ∀ ms, ms <+: s.moves → ∃ Ls, AreLayouts s.extents ms Ls := by
  have hp := validMoves_positive (N := s.extents) hs
  have hz := sizes_rowMajorAxes hp
  have hv := valid_rowMajorAxes hp
  constructor
  · intro h
    obtain ⟨Ls, hL⟩ := Option.isSome_iff_exists.1 h
    refine ⟨movesOnAxes_tiles hL, fun ms hms => ?_⟩
    obtain ⟨rest, hrest⟩ := hms
    have hval : validMoves s.extents ms = true := validMoves_prefix ⟨rest, hrest⟩ hs
    rw [Schedule.axes, ← hrest, movesOnAxes_append] at hL
    obtain ⟨M, hM, -⟩ := Option.bind_eq_some_iff.1 hL
    obtain ⟨f1, f2⟩ := trace_axes s.extents.length hv (by rw [hz]; exact hval) hM
    rw [hz] at f1 f2
    refine ⟨M, movesOnAxes_valid hv (by rw [hz]; exact hval) hM, f1, fun j hj => ?_⟩
    obtain ⟨g1, g2, g3⟩ := f2 j hj
    exact ⟨g1, g2, by rw [← offsetAt_rowMajorAxes hp g1, g3]⟩
  · rintro ⟨ht, h⟩
    refine movesOnAxes_isSome s.extents.length hv (by rw [hz]; exact hs) ht fun p hp' => ?_
    obtain ⟨Ls, v, e, o⟩ := h p hp'
    rw [hz]
    refine ⟨Ls, v, e, fun j hj => ?_⟩
    obtain ⟨g1, g2, g3⟩ := o j hj
    refine ⟨g1, g2, ?_⟩
    have := offsetAt_rowMajorAxes hp g1
    omega

end Razorgirl.IterDomain
