module

public import Razorgirl.Thm.IterDomain.Predicate.Lemmas

@[expose] public section

/-!
# Every element once: what the loops visit

If nothing is cut off and every swizzle is a bijection, then each element of the input box is computed at exactly one
loop point that is no hole. Holes are the only waste.
-/

namespace Razorgirl.IterDomain
open Transform

/-! ## One operation -/

/-- An index that exists goes forward into the box and comes back. -/
theorem Op.forth {op : Op} {b i : List Int} (hv : op.valid b = true) (hk : op.keeps b = true)
    (hb : b.length = op.transform.inRank) (hi : InBox b i) :
    InBox (op.transform.ext b) (op.transform.fwd b i) ∧ op.transform.bwd b (op.transform.fwd b i) = i := by
  cases op with
  | split d =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    obtain ⟨x, rfl, h0, h1⟩ := hi.cases_one
    exact ⟨innerSplit_inBox (by simpa [Op.valid] using hv) h0 h1, innerSplit_bwd_fwd d N x⟩
  | splitOuter k =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    obtain ⟨x, rfl, h0, h1⟩ := hi.cases_one
    exact ⟨outerSplit_inBox (by simpa [Op.valid] using hv) h0 h1, innerSplit_bwd_fwd (Division.cdiv N k) N x⟩
  | merge =>
    obtain ⟨N₀, N₁, rfl⟩ := length_eq_two (show b.length = 2 from hb)
    obtain ⟨x, y, rfl, hx, hy⟩ := hi.cases_two
    exact ⟨merge_inBox hx hy, merge_bwd_fwd N₀ x hy.1 hy.2⟩
  | resize L R =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    obtain ⟨x, rfl, h0, h1⟩ := hi.cases_one
    have hk : 0 ≤ L ∧ 0 ≤ R := by simpa [Op.keeps] using hk
    refine ⟨inBox_one.2 (by omega), ?_⟩
    show [x + L - L] = [x]
    rw [Int.add_sub_cancel]
  | swizzle kind =>
    obtain ⟨Nx, Ny, rfl⟩ := length_eq_two (show b.length = 2 by cases kind <;> exact hb)
    obtain ⟨x, y, rfl, hx, hy⟩ := hi.cases_two
    cases kind with
    | xor =>
      have h1 : Ny % (nextPow2 Nx.toNat : Int) = 0 := by simpa [Op.keeps] using hk
      refine ⟨inBox_two.2 ⟨hx, xor_inBox ?_ hx hy⟩, ?_⟩
      · rw [← Int.ofNat_dvd, Int.toNat_of_nonneg (by omega)]
        exact Int.dvd_of_emod_eq_zero h1
      · show [x, xorInt x (xorInt x y)] = [x, y]
        rw [xorInt_xorInt]
    | cyclicShift =>
      obtain rfl : Nx = Ny := by simpa [Op.keeps] using hk
      refine ⟨inBox_two.2 ⟨hx, Int.emod_nonneg _ (by omega), Int.emod_lt_of_pos _ (by omega)⟩, ?_⟩
      show [x, (Nx + (x + y) % Nx - x) % Nx] = [x, y]
      rw [show Nx + (x + y) % Nx - x = (x + y) % Nx + (Nx - x) by omega, Int.emod_add_emod,
        show x + y + (Nx - x) = y + Nx by omega, Int.add_emod_right, Int.emod_eq_of_lt hy.1 hy.2]
    | zShape =>
      refine ⟨inBox_two.2 ⟨hx, ?_⟩, congrArg (fun z => [x, z]) ?_⟩
      · split <;> omega
      · show (if x % 2 = 0 then (if x % 2 = 0 then y else Ny - 1 - y) else
          Ny - 1 - (if x % 2 = 0 then y else Ny - 1 - y)) = y
        split <;> omega

/-- An index in the box that goes back to one that exists comes forward again. -/
theorem Op.back {op : Op} {b j : List Int} (hk : op.keeps b = true) (hb : b.length = op.transform.inRank)
    (hj : InBox (op.transform.ext b) j) : op.transform.fwd b (op.transform.bwd b j) = j := by
  cases op with
  | split d =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    obtain ⟨o, r, rfl, -, hr⟩ := hj.cases_two (n := Division.cdiv N d) (m := d)
    exact innerSplit_fwd_bwd N o hr.1 hr.2
  | splitOuter k =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    obtain ⟨o, r, rfl, -, hr⟩ := hj.cases_two (n := k) (m := Division.cdiv N k)
    exact innerSplit_fwd_bwd N o hr.1 hr.2
  | merge =>
    obtain ⟨N₀, N₁, rfl⟩ := length_eq_two (show b.length = 2 from hb)
    obtain ⟨x, rfl, -⟩ := hj.cases_one (n := N₀ * N₁)
    exact merge_fwd_bwd N₀ N₁ x
  | resize L R =>
    obtain ⟨N, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    obtain ⟨x, rfl, -⟩ := hj.cases_one (n := N + L + R)
    show [x - L + L] = [x]
    rw [Int.sub_add_cancel]
  | swizzle kind =>
    obtain ⟨Nx, Ny, rfl⟩ := length_eq_two (show b.length = 2 by cases kind <;> exact hb)
    have hj : InBox [Nx, Ny] j := by cases kind <;> exact hj
    obtain ⟨x, y, rfl, hx, hy⟩ := hj.cases_two
    cases kind with
    | xor =>
      show [x, xorInt x (xorInt x y)] = [x, y]
      rw [xorInt_xorInt]
    | cyclicShift =>
      obtain rfl : Nx = Ny := by simpa [Op.keeps] using hk
      show [x, (x + (Nx + y - x) % Nx) % Nx] = [x, y]
      rw [Int.add_emod_emod, show x + (Nx + y - x) = y + Nx by omega, Int.add_emod_right, Int.emod_eq_of_lt hy.1 hy.2]
    | zShape =>
      refine congrArg (fun z => [x, z]) ?_
      show (if x % 2 = 0 then (if x % 2 = 0 then y else Ny - 1 - y) else
        Ny - 1 - (if x % 2 = 0 then y else Ny - 1 - y)) = y
      split <;> omega

/-! ## One move -/

theorem InBox.part {N i : List Int} (h : InBox N i) (k r : Nat) : InBox ((N.drop k).take r) ((i.drop k).take r) := by
  have hl := h.length_eq
  rw [← List.take_append_drop k N, ← List.take_append_drop k i, inBox_append_iff (by simp [hl])] at h
  have h := h.2
  rw [← List.take_append_drop r (N.drop k), ← List.take_append_drop r (i.drop k),
    inBox_append_iff (by simp [hl])] at h
  exact h.1

theorem Move.forth {m : Move} {ms : List Move} {N i : List Int} (hv : m.valid N = true)
    (hk : keepsMoves N (m :: ms) = true) (hi : InBox N i) :
    keepsMoves (m.ext N) ms = true ∧ InBox (m.ext N) ((m.transform N.length).fwd N i) ∧
      (m.transform N.length).bwd N ((m.transform N.length).fwd N i) = i := by
  cases m with
  | apply k op =>
    simp only [keepsMoves, Bool.and_eq_true] at hk
    refine ⟨hk.2, ?_⟩
    obtain ⟨a, b, c, rfl, rfl, hb, hov⟩ := Move.cut hv
    have hk := hk.1
    rw [Aux.mid_three rfl hb] at hk
    obtain ⟨iab, ic, rfl, hab, hc⟩ := hi.split
    obtain ⟨ia, ib, rfl, ha, hb'⟩ := hab.split
    obtain ⟨h1, h2⟩ := Op.forth hov hk hb hb'
    have hlb := hb'.length_eq.trans hb
    have hle := (op.ranked b hb).2.1 ib hlb
    rw [Move.ext_apply c hb, Move.transform, embed_fwd _ _ _ ha.length_eq hb hlb,
      embed_bwd _ _ _ ha.length_eq hb hle, h2]
    refine ⟨?_, rfl⟩
    rw [inBox_append_iff (by simp [ha.length_eq, h1.length_eq]), inBox_append_iff ha.length_eq]
    exact ⟨⟨ha, h1⟩, hc⟩
  | reorder p =>
    have ho : isOrder N.length p = true := hv
    exact ⟨hk, (inBox_pick_iff ho hi.length_eq).2 hi, pick_invert_pick 0 (by rw [hi.length_eq]; exact ho)⟩

theorem Move.inRange_domains {m : Move} {N i : List Int} (next : Nat) (h : InBox N i) :
    ∀ d ∈ m.domains next N i, d.inRange = true := by
  cases m with
  | apply k op => exact numbered_inRange next (h.part k _)
  | reorder p => simp [Move.domains]

theorem Move.back {m : Move} {ms : List Move} {N i : List Int} {next : Nat} (hv : m.valid N = true)
    (hk : keepsMoves N (m :: ms) = true) (hl : i.length = (m.ext N).length)
    (hi : InBox N ((m.transform N.length).bwd N i))
    (hd : ∀ d ∈ m.domains next (m.ext N) i, d.inRange = true) :
    keepsMoves (m.ext N) ms = true ∧ InBox (m.ext N) i ∧
      (m.transform N.length).fwd N ((m.transform N.length).bwd N i) = i := by
  cases m with
  | apply k op =>
    simp only [keepsMoves, Bool.and_eq_true] at hk
    refine ⟨hk.2, ?_⟩
    obtain ⟨a, b, c, rfl, rfl, hb, hov⟩ := Move.cut hv
    have hk := hk.1
    rw [Aux.mid_three rfl hb] at hk
    rw [Move.ext_apply c hb] at hl hd ⊢
    have hr := (op.ranked b hb).1
    obtain ⟨ia, ib, ic, rfl, la, lb, lc⟩ := Aux.cut_three (x := a) (y := op.transform.ext b) (z := c) (l := i)
      (by simpa using hl)
    have lb' := lb.trans hr
    have lbb := (op.ranked b hb).2.2 ib lb'
    simp only [Move.domains] at hd
    rw [Aux.mid_three rfl hr, Aux.mid_three la lb'] at hd
    rw [Move.transform, embed_bwd _ _ _ la hb lb'] at hi ⊢
    rw [inBox_append_iff (by simp [la, lbb, hb]), inBox_append_iff la] at hi
    have hmid := inBox_of_numbered next lb hd
    rw [embed_fwd _ _ _ la hb lbb, Op.back hk hb hmid]
    refine ⟨?_, rfl⟩
    rw [inBox_append_iff (by simp [la, lb]), inBox_append_iff la]
    exact ⟨⟨hi.1.1, hmid⟩, hi.2⟩
  | reorder p =>
    have ho : isOrder N.length p = true := hv
    have hl : i.length = N.length := by rw [hl, Move.length_ext hv]; exact isOrder_length ho
    have hi : InBox N (pick 0 (invert p) i) := hi
    have hb : pick 0 p (pick 0 (invert p) i) = i := pick_pick_invert 0 (by rw [hl]; exact ho)
    refine ⟨hk, ?_, hb⟩
    show InBox (pick 0 p N) i
    rw [← hb, inBox_pick_iff ho hi.length_eq]
    exact hi

theorem Move.length_bwd {m : Move} {N i : List Int} (hv : m.valid N = true) (hl : i.length = (m.ext N).length) :
    ((m.transform N.length).bwd N i).length = N.length := by
  cases m with
  | apply k op =>
    obtain ⟨a, b, c, rfl, rfl, hb, hov⟩ := Move.cut hv
    rw [Move.ext_apply c hb] at hl
    obtain ⟨ia, ib, ic, rfl, la, lb, lc⟩ := Aux.cut_three (x := a) (y := op.transform.ext b) (z := c) (l := i)
      (by simpa using hl)
    have lb' := lb.trans (op.ranked b hb).1
    rw [Move.transform, embed_bwd _ _ _ la hb lb']
    simp [la, lc, (op.ranked b hb).2.2 ib lb', hb]
  | reorder p =>
    show (pick 0 (invert p) i).length = N.length
    rw [length_pick, length_invert, isOrder_length hv]

/-! ## All moves -/

theorem length_trace {ms : List Move} {N : List Int} (next : Nat) {j : List Int} (hv : validMoves N ms = true)
    (hj : j.length = ((chain N.length ms).ext N).length) : (trace N next ms j).1.length = N.length := by
  induction ms generalizing N next with
  | nil => exact hj
  | cons m ms ih =>
    obtain ⟨-, hm, hr⟩ := validMoves_cons hv
    rw [chain_cons ms hm] at hj
    exact Move.length_bwd hm (ih (next + m.made) hr hj)

theorem chain_forth {ms : List Move} {N : List Int} (next : Nat) {i : List Int} (hv : validMoves N ms = true)
    (hk : keepsMoves N ms = true) (hi : InBox N i) :
    InBox ((chain N.length ms).ext N) ((chain N.length ms).fwd N i) ∧
      (trace N next ms ((chain N.length ms).fwd N i)).1 = i ∧
      ∀ d ∈ (trace N next ms ((chain N.length ms).fwd N i)).2, d.inRange = true := by
  induction ms generalizing N next i with
  | nil => exact ⟨hi, rfl, fun d hd => by simp [trace] at hd⟩
  | cons m ms ih =>
    obtain ⟨-, hm, hr⟩ := validMoves_cons hv
    obtain ⟨hk', h1, h2⟩ := Move.forth hm hk hi
    obtain ⟨h3, h4, h5⟩ := ih (next + m.made) hr hk' h1
    rw [chain_cons ms hm]
    refine ⟨h3, ?_, fun d hd => ?_⟩
    · show (m.transform N.length).bwd N (trace (m.ext N) (next + m.made) ms _).1 = i
      exact (congrArg _ h4).trans h2
    · rcases List.mem_append.1 hd with hd | hd
      · refine Move.inRange_domains next ?_ d hd
        exact h4.symm ▸ h1
      · exact h5 d hd

theorem chain_back {ms : List Move} {N : List Int} (next : Nat) {j : List Int} (hv : validMoves N ms = true)
    (hk : keepsMoves N ms = true) (hj : j.length = ((chain N.length ms).ext N).length)
    (hi : InBox N (trace N next ms j).1) (hd : ∀ d ∈ (trace N next ms j).2, d.inRange = true) :
    (chain N.length ms).fwd N (trace N next ms j).1 = j := by
  induction ms generalizing N next with
  | nil => rfl
  | cons m ms ih =>
    obtain ⟨-, hm, hr⟩ := validMoves_cons hv
    rw [chain_cons ms hm] at hj ⊢
    have hl := length_trace (next + m.made) hr hj
    obtain ⟨hk', h1, h2⟩ := Move.back (next := next) hm hk hl hi fun d hd' => hd d (List.mem_append_left _ hd')
    have h3 := ih (next + m.made) hr hk' hj h1 fun d hd' => hd d (List.mem_append_right _ hd')
    show (chain (m.ext N).length ms).fwd (m.ext N) ((m.transform N.length).fwd N
      ((m.transform N.length).bwd N (trace (m.ext N) (next + m.made) ms j).1)) = j
    rw [h2]
    exact h3

namespace Schedule

/-- **If nothing is cut off and every swizzle is a bijection, each element is computed at exactly one loop point that is
no hole.**
Source: nvFuser divisibility of split, Definition 1 (weak correctness) -/
theorem visits_once {s : Schedule} {i : List Int} (hv : s.valid = true) (hk : s.keeps = true)
    (hi : InBox s.extents i) :
    ∃ j, (InBox s.loops j ∧ s.isHole j = false ∧ s.transform.bwd s.extents j = i) ∧
      ∀ j', InBox s.loops j' → s.isHole j' = false → s.transform.bwd s.extents j' = i → j' = j := by
  obtain ⟨h1, h2, h3⟩ := chain_forth s.extents.length hv hk hi
  refine ⟨s.transform.fwd s.extents i, ⟨h1, ?_, ?_⟩, fun j' hj' hh hb => ?_⟩
  · simp only [isHole, domains, Bool.not_eq_false', List.all_append, Bool.and_eq_true, List.all_eq_true]
    refine ⟨fun d hd => numbered_inRange 0 ?_ d hd, h3⟩
    exact h2.symm ▸ hi
  · exact (trace_fst s.extents.length _ hv).symm.trans h2
  · have hb' : (trace s.extents s.extents.length s.moves j').1 = i := (trace_fst _ _ hv).trans hb
    simp only [isHole, domains, Bool.not_eq_false', List.all_append, Bool.and_eq_true, List.all_eq_true] at hh
    have := chain_back s.extents.length hv hk hj'.length_eq (by rw [hb']; exact hi) hh.2
    rw [hb'] at this
    exact this.symm

/-- A cyclic shift in a 2×3 box computes elements 0 and 4 twice, 2 and 5 never. -/
example : elements ⟨[2, 3], [.swizzle .cyclicShift 0 1]⟩ = [some 0, some 1, some 0, some 4, some 3, some 4] := by
  decide

end Schedule

end Razorgirl.IterDomain
