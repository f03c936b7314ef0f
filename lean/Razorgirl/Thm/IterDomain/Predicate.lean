module

public import Razorgirl.Thm.IterDomain.Predicate.Lemmas

@[expose] public section

/-!
# The predicate rule: what is proved

If every domain that the repaired rule names is in range, all are. nvFuser's own rule has the same property for splits,
merges, reorders and swizzles that fit, and not beyond.
-/

namespace Razorgirl.IterDomain
open Transform

theorem inBox_of_safe {u : List Bool} {N i : List Int} (h : Safe u N i) (h' : Safe (u.map (!·)) N i) : InBox N i := by
  induction N generalizing u i with
  | nil =>
    obtain rfl : i = [] := by simpa using h.length.2
    trivial
  | cons n N ih =>
    cases u with
    | nil => exact h.elim
    | cons b u =>
      cases i with
      | nil => exact h.elim
      | cons a i =>
        refine ⟨?_, ih h.2 h'.2⟩
        cases b
        · exact h.1 rfl
        · exact h'.1 rfl

theorem chosen_range {x : Nat} {first : Nat} {t : List Bool} (h : x ∈ chosen first t) :
    first ≤ x ∧ x < first + t.length := by
  induction t generalizing first with
  | nil => simp [chosen] at h
  | cons b t ih =>
    rw [List.length_cons]
    rw [chosen] at h
    split at h
    · rcases List.mem_cons.1 h with rfl | h
      · omega
      · have := ih h
        omega
    · have := ih h
      omega

theorem Op.length_doubt {r : Bool} {op : Op} {b : List Int} {u : List Bool} (hb : b.length = op.transform.inRank)
    (hu : u.length = op.transform.outRank) : (op.doubt r b u).length = op.transform.inRank := by
  cases op with
  | merge =>
    obtain ⟨n, m, rfl⟩ := length_eq_two (show b.length = 2 from hb)
    obtain ⟨w, rfl⟩ := List.length_eq_one_iff.1 (show u.length = 1 from hu)
    rfl
  | resize =>
    obtain ⟨n, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    obtain ⟨w, rfl⟩ := List.length_eq_one_iff.1 (show u.length = 1 from hu)
    cases r <;> rfl
  | split | splitOuter =>
    obtain ⟨n, rfl⟩ := List.length_eq_one_iff.1 (show b.length = 1 from hb)
    match u, hu with
    | [_, _], _ => rfl
  | swizzle kind =>
    cases kind <;>
    · obtain ⟨n, m, rfl⟩ := length_eq_two (show b.length = 2 from hb)
      match u, hu with
      | [_, _], _ => rfl

theorem length_rule {ms : List Move} (r : Bool) {N : List Int} (next : Nat) (h : validMoves N ms = true) :
    (rule r N next ms).1.length = N.length := by
  induction ms generalizing N next with
  | nil => simp [rule]
  | cons m ms ih =>
    obtain ⟨-, hm, hr⟩ := validMoves_cons h
    have hl := ih (next + m.made) hr
    rw [rule]
    generalize rule r (m.ext N) (next + m.made) ms = ru at hl
    cases m with
    | apply k op =>
      obtain ⟨a, b, c, rfl, rfl, hb, -⟩ := Move.cut hm
      rw [Move.ext_apply c hb] at hl
      have hb' := (op.ranked b hb).1
      simp only [List.length_append, hb'] at hl
      have h1 : ((ru.1.drop a.length).take op.transform.outRank).length = op.transform.outRank := by
        simp
        omega
      simp only [Move.doubt, Aux.mid_three (c := c) (rfl : a.length = a.length) hb, List.length_append,
        List.length_take, List.length_drop, Op.length_doubt hb h1, hl, hb]
      omega
    | reorder p =>
      show (pick false (invert p) ru.1).length = N.length
      rw [length_pick, length_invert, isOrder_length hm]

/-! ## Where nvFuser's rule is right -/

theorem Op.doubt_plain {op : Op} {b : List Int} (h : op.plain b = true) (u : List Bool) :
    op.doubt false b u = op.doubt true b u ∧ op.tests false u = op.tests true u := by
  cases op with
  | split | splitOuter | merge =>
    match b, u with
    | [], [] => exact ⟨rfl, rfl⟩
    | [], [_] => exact ⟨rfl, rfl⟩
    | [], [_, _] => exact ⟨rfl, rfl⟩
    | [], _ :: _ :: _ :: _ => exact ⟨rfl, rfl⟩
    | [_], [] => exact ⟨rfl, rfl⟩
    | [_], [_] => exact ⟨rfl, rfl⟩
    | [_], [_, _] => exact ⟨rfl, rfl⟩
    | [_], _ :: _ :: _ :: _ => exact ⟨rfl, rfl⟩
    | [_, _], [] => exact ⟨rfl, rfl⟩
    | [_, _], [_] => exact ⟨rfl, rfl⟩
    | [_, _], [_, _] => exact ⟨rfl, rfl⟩
    | [_, _], _ :: _ :: _ :: _ => exact ⟨rfl, rfl⟩
    | _ :: _ :: _ :: _, [] => exact ⟨rfl, rfl⟩
    | _ :: _ :: _ :: _, [_] => exact ⟨rfl, rfl⟩
    | _ :: _ :: _ :: _, [_, _] => exact ⟨rfl, rfl⟩
    | _ :: _ :: _ :: _, _ :: _ :: _ :: _ => exact ⟨rfl, rfl⟩
  | resize L R =>
    obtain ⟨rfl, rfl⟩ : L = 0 ∧ R = 0 := by simpa [Op.plain] using h
    constructor
    · match b, u with
      | [], _ => rfl
      | _ :: _ :: _, _ => rfl
      | [_], [] => rfl
      | [_], _ :: _ :: _ => rfl
      | [_], [w] => cases w <;> rfl
    · match u with
      | [] => rfl
      | _ :: _ :: _ => rfl
      | [w] => cases w <;> rfl
  | swizzle kind =>
    refine ⟨?_, by
      match u with
      | [] => rfl
      | [_] => rfl
      | [_, _] => rfl
      | _ :: _ :: _ :: _ => rfl⟩
    match b, u with
    | [], _ => rfl
    | [_], _ => rfl
    | _ :: _ :: _ :: _, _ => rfl
    | [_, _], [] => rfl
    | [_, _], [_] => rfl
    | [_, _], _ :: _ :: _ :: _ => rfl
    | [Nx, Ny], [x, y] =>
      have hf : kind.fits Nx Ny = true := h
      show [false, false && !kind.fits Nx Ny] = [false, true && !kind.fits Nx Ny]
      rw [hf]
      rfl

/-- **On splits, merges, reorders and swizzles that fit, nvFuser's rule and the repaired one walk alike.**
Rust: `razorgirl::iter_domain::Schedule::predicates`
Source: nvFuser `non_divisible_split` -/
theorem rule_plain {ms : List Move} {N : List Int} (next : Nat) (h : plainMoves N ms = true) :
    rule false N next ms = rule true N next ms := by
  induction ms generalizing N next with
  | nil => rfl
  | cons m ms ih =>
    cases m with
    | apply k op =>
      simp only [plainMoves, Bool.and_eq_true] at h
      simp only [rule, ih _ h.2, Move.doubt, Move.tests, (Op.doubt_plain h.1 _).1, (Op.doubt_plain (u := _) h.1).2]
    | reorder p =>
      have h : plainMoves ((Move.reorder p).ext N) ms = true := h
      simp only [rule, ih _ h, Move.doubt, Move.tests]

namespace Schedule

/-! ## Soundness -/

/-- **If every domain that the repaired rule names is in range at a loop point, all domains are.**
Rust: `razorgirl::iter_domain::Schedule::predicates`
Source: nvFuser `non_divisible_split` (repaired: `nvfuserPredicates_resize`); divisibility of split, 4.4 -/
theorem predicates_sound {s : Schedule} {j : List Int} (hv : s.valid = true) (hj : InBox s.loops j)
    (h : ∀ d ∈ s.domains j, d.number ∈ s.predicates → d.inRange = true) : ∀ d ∈ s.domains j, d.inRange = true := by
  simp only [domains, predicates] at h ⊢
  obtain ⟨hs, hf⟩ := rule_sound s.extents.length hv hj fun d hd hn =>
    h d (List.mem_append_right _ hd) (List.mem_append_right _ hn)
  have hbox := inBox_of_safe hs (safe_of_tests 0 hs.length.1 hs.length.2 fun d hd hn =>
    h d (List.mem_append_left _ hd) (List.mem_append_left _ hn))
  intro d hd
  rcases List.mem_append.1 hd with hd | hd
  · exact numbered_inRange 0 hbox d hd
  · exact hf hbox d hd

/-- **The tests that the repaired rule asks for pass exactly at the loop points that are no holes.**
Rust: `razorgirl::iter_domain::Schedule::predicates`
Source: nvFuser `non_divisible_split` (repaired: `nvfuserPredicates_resize`); divisibility of split, 4.4 -/
theorem predicates_iff {s : Schedule} {j : List Int} (hv : s.valid = true) (hj : InBox s.loops j) :
    (∀ d ∈ s.domains j, d.number ∈ s.predicates → d.inRange = true) ↔ s.isHole j = false := by
  have : s.isHole j = false ↔ ∀ d ∈ s.domains j, d.inRange = true := by simp [isHole]
  rw [this]
  exact ⟨predicates_sound hv hj, fun h d hd _ => h d hd⟩

/-- **What the loops compute is an element exactly at the loop points that are no holes.**
Rust: `razorgirl::iter_domain::Schedule::predicates`
Source: nvFuser divisibility of split, 4.1 -/
theorem element_eq_none_iff (s : Schedule) (j : List Int) : s.element j = none ↔ s.isHole j = true := by
  simp only [element, isHole, domains, List.all_append]
  cases (numbered 0 s.extents (trace s.extents s.extents.length s.moves j).1).all Domain.inRange <;>
    cases (trace s.extents s.extents.length s.moves j).2.all Domain.inRange <;> simp

/-- **On splits, merges, reorders and swizzles that fit, the tests of nvFuser's rule pass exactly at the loop points
that are no holes.**
Rust: `razorgirl::iter_domain::Schedule::predicates`
Source: nvFuser `non_divisible_split`; divisibility of split, 4.4 -/
theorem nvfuserPredicates_iff {s : Schedule} {j : List Int} (hv : s.valid = true) (hp : s.plain = true)
    (hj : InBox s.loops j) :
    (∀ d ∈ s.domains j, d.number ∈ s.nvfuserPredicates → d.inRange = true) ↔ s.isHole j = false := by
  rw [← predicates_iff hv hj]
  constructor
  · intro h d hd hn
    refine h d hd ?_
    simp only [nvfuserPredicates, predicates, rule_plain _ hp] at hn ⊢
    rcases List.mem_append.1 hn with hn | hn
    · refine List.mem_append_left _ (List.mem_range.2 ?_)
      have := chosen_range hn
      have := length_rule true s.extents.length hv
      omega
    · exact List.mem_append_right _ hn
  · intro h d hd _
    exact predicates_sound hv hj h d hd

/-! ## Where nvFuser's rule is wrong -/

/-- **nvFuser's rule misses the holes of a resize. Padding the inner part of a split: at loop point (0,3) both domains that
came in are in range, but domain 4, the inner part of the split of 12 by 3, is at 3.**
Rust: `razorgirl::iter_domain::Schedule::predicates`
Source: nvFuser `non_divisible_split` (refuted) -/
theorem nvfuserPredicates_resize : nvfuserPredicates ⟨[4, 3], [.merge 0 1, .split 0 3, .resize 1 0 1]⟩ = [0, 1] ∧
    domains ⟨[4, 3], [.merge 0 1, .split 0 3, .resize 1 0 1]⟩ [0, 3] =
      [⟨0, 4, 1⟩, ⟨1, 3, 0⟩, ⟨2, 12, 3⟩, ⟨3, 4, 0⟩, ⟨4, 3, 3⟩, ⟨5, 4, 3⟩] := by decide
/-- Cutting off and splitting what is left: 10 without the last 5, by 3, at loop point (1,2): domain 0 is in range,
domain 1 of extent 5 is at 5. -/
example : nvfuserPredicates ⟨[10], [.resize 0 0 (-5), .split 0 3]⟩ = [0] ∧
    predicates ⟨[10], [.resize 0 0 (-5), .split 0 3]⟩ = [1] ∧
    domains ⟨[10], [.resize 0 0 (-5), .split 0 3]⟩ [1, 2] = [⟨0, 10, 5⟩, ⟨1, 5, 5⟩, ⟨2, 2, 1⟩, ⟨3, 3, 2⟩] := by decide
/-- **And those of a swizzle that does not fit. XOR in a 3×3 box: at loop point (1,2) the domain that came in is at 6 of 9, but domain 2 of extent 3 is at 3.**
Rust: `razorgirl::iter_domain::Schedule::predicates`
Source: nvFuser `non_divisible_split` (refuted) -/
theorem nvfuserPredicates_xor : nvfuserPredicates ⟨[9], [.split 0 3, .swizzle .xor 0 1]⟩ = [0] ∧
    predicates ⟨[9], [.split 0 3, .swizzle .xor 0 1]⟩ = [2] ∧
    domains ⟨[9], [.split 0 3, .swizzle .xor 0 1]⟩ [1, 2] =
      [⟨0, 9, 6⟩, ⟨1, 3, 1⟩, ⟨2, 3, 3⟩, ⟨3, 3, 1⟩, ⟨4, 3, 2⟩] := by decide

end Schedule

end Razorgirl.IterDomain
