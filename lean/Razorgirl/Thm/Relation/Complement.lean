module

public import Razorgirl.Spec.Relation.Layout
public import Razorgirl.Spec.Relation.Sum
public import Razorgirl.Thm.Layout.Complement.Nested
public import Razorgirl.Thm.Relation.Layout

@[expose] public section

/-!
# Complement as a property of relations

A layout completes another if the sum of their relations takes each number below N once. The complement that is answered is the only
increasing relation of a layout that does, and where none is answered no layout's relation does.
-/

namespace Razorgirl

namespace Relation

/-- **The sum of two relations has the pairs of inputs side by side and of sums of images.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», complement -/
theorem mem_sum {r s : Relation} {a b : List Int} : (a, b) ∈ sum r s ↔
    ∃ p q, p ∈ r ∧ q ∈ s ∧ a = p.1 ++ q.1 ∧ b = List.zipWith (· + ·) p.2 q.2 := by
  simp only [sum, List.mem_flatMap, List.mem_map, Prod.mk.injEq]
  exact ⟨fun ⟨p, hp, q, hq, e1, e2⟩ => ⟨p, q, hp, hq, e1.symm, e2.symm⟩,
    fun ⟨p, q, hp, hq, e1, e2⟩ => ⟨p, hp, q, hq, e1.symm, e2.symm⟩⟩

/-- **Whether the images are the numbers below n, and whether smaller inputs have smaller images, is decided.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», complement -/
theorem fills_iff {r : Relation} {n : Nat} :
    (fills r n = true ↔ ∀ y, y ∈ range r ↔ ∃ o : Nat, o < n ∧ y = [(o : Int)]) ∧
    (increasing r = true ↔ ∀ p q, p ∈ r → q ∈ r → p.1 < q.1 → p.2 < q.2) := by
  constructor
  · simp only [fills, Bool.and_eq_true, List.all_eq_true, List.mem_range, List.contains_iff_mem]
    constructor
    · rintro ⟨h1, h2⟩ y
      constructor
      · intro hy
        have := h2 y hy
        rcases y with _ | ⟨v, _ | ⟨w, l⟩⟩
        · simp at this
        · simp only [Bool.and_eq_true, decide_eq_true_eq] at this
          exact ⟨v.toNat, by omega, by rw [Int.toNat_of_nonneg this.1]⟩
        · simp at this
      · rintro ⟨o, ho, rfl⟩
        exact h1 o ho
    · intro h
      refine ⟨fun o ho => (h _).mpr ⟨o, ho, rfl⟩, fun y hy => ?_⟩
      obtain ⟨o, ho, rfl⟩ := (h y).mp hy
      simp only [Bool.and_eq_true, decide_eq_true_eq]
      omega
  · simp only [increasing, List.all_eq_true, Bool.or_eq_true, Bool.not_eq_true', ← Bool.not_eq_true, before_iff]
    constructor
    · intro h p q hp hq l
      exact (h p hp q hq).resolve_left fun k => k l
    · intro h p hp q hq
      by_cases l : p.1 < q.1
      · exact .inr (h p q hp hq l)
      · exact .inl l

theorem singleton_lt {a b : Nat} : ([(a : Int)] : List Int) < [(b : Int)] ↔ a < b := by
  rw [List.cons_lt_cons_iff]
  simp

theorem increasing_graph {n : Nat} {f : Nat → Nat} :
    increasing (graph n f) = true ↔ ∀ x y, x < y → y < n → f x < f y := by
  rw [fills_iff (n := 0).2]
  constructor
  · intro h x y hxy hy
    exact singleton_lt.mp (h ([(x : Int)], [(f x : Int)]) ([(y : Int)], [(f y : Int)])
      (mem_graph_pair.mpr ⟨by omega, rfl⟩) (mem_graph_pair.mpr ⟨hy, rfl⟩) (singleton_lt.mpr hxy))
  · rintro h ⟨a, b⟩ ⟨c, d⟩ hp hq l
    obtain ⟨x, hx, rfl, rfl⟩ := mem_graph.mp hp
    obtain ⟨y, hy, rfl, rfl⟩ := mem_graph.mp hq
    exact singleton_lt.mpr (h x y (singleton_lt.mp l) hy)

theorem mem_sum_graph {n m : Nat} {f g : Nat → Nat} {a b : List Int} : (a, b) ∈ sum (graph n f) (graph m g) ↔
    ∃ x y, x < n ∧ y < m ∧ a = [(x : Int), (y : Int)] ∧ b = [((f x + g y : Nat) : Int)] := by
  rw [mem_sum]
  constructor
  · rintro ⟨⟨p, u⟩, ⟨q, v⟩, hp, hq, rfl, rfl⟩
    obtain ⟨x, hx, rfl, rfl⟩ := mem_graph.mp hp
    obtain ⟨y, hy, rfl, rfl⟩ := mem_graph.mp hq
    exact ⟨x, y, hx, hy, rfl, by simp⟩
  · rintro ⟨x, y, hx, hy, rfl, rfl⟩
    exact ⟨_, _, mem_graph_pair.mpr ⟨hx, rfl⟩, mem_graph_pair.mpr ⟨hy, rfl⟩, rfl, by simp⟩

/-- The sum of two functions takes each number below N once exactly if each is a sum in one way. -/
theorem completes_graph {n m N : Nat} {f g : Nat → Nat} : completes (graph n f) (graph m g) N = true ↔
    (∀ x y, x < n → y < m → f x + g y < N) ∧
      ∀ o, o < N → ∃ x y, (x < n ∧ y < m ∧ f x + g y = o) ∧
        ∀ x' y', x' < n → y' < m → f x' + g y' = o → x' = x ∧ y' = y := by
  rw [completes, Bool.and_eq_true, (decided _).2.2, (decided _).1, (decided _).2.1, fills_iff.1]
  simp only [mem_domain_range.2, mem_sum_graph]
  constructor
  · rintro ⟨⟨_, hi⟩, hf⟩
    refine ⟨fun x y hx hy => ?_, fun o ho => ?_⟩
    · obtain ⟨o, ho, e⟩ := (hf [((f x + g y : Nat) : Int)]).mp ⟨_, x, y, hx, hy, rfl, rfl⟩
      simp only [List.cons.injEq, Int.natCast_inj, and_true] at e
      omega
    · obtain ⟨_, x, y, hx, hy, _, e⟩ := (hf [(o : Int)]).mpr ⟨o, ho, rfl⟩
      simp only [List.cons.injEq, Int.natCast_inj, and_true] at e
      refine ⟨x, y, ⟨hx, hy, e.symm⟩, fun x' y' hx' hy' e' => ?_⟩
      have := hi _ _ [(o : Int)] ⟨x', y', hx', hy', rfl, by rw [e']⟩ ⟨x, y, hx, hy, rfl, by rw [e]⟩
      simpa only [List.cons.injEq, Int.natCast_inj, and_true] using this
  · rintro ⟨h1, h2⟩
    refine ⟨⟨?_, ?_⟩, fun y => ?_⟩
    · rintro a b c ⟨x, y, _, _, rfl, rfl⟩ ⟨x', y', _, _, e, rfl⟩
      simp only [List.cons.injEq, Int.natCast_inj, and_true] at e
      rw [e.1, e.2]
    · rintro a b c ⟨x, y, hx, hy, rfl, rfl⟩ ⟨x', y', hx', hy', rfl, e⟩
      simp only [List.cons.injEq, Int.natCast_inj, and_true] at e
      obtain ⟨u, v, _, huv⟩ := h2 _ (h1 x y hx hy)
      rw [(huv x y hx hy rfl).1, (huv x y hx hy rfl).2, (huv x' y' hx' hy' e.symm).1, (huv x' y' hx' hy' e.symm).2]
    · constructor
      · rintro ⟨_, x, z, hx, hz, _, rfl⟩
        exact ⟨_, h1 x z hx hz, rfl⟩
      · rintro ⟨o, ho, rfl⟩
        obtain ⟨x, z, ⟨hx, hz, e⟩, _⟩ := h2 o ho
        exact ⟨_, x, z, hx, hz, rfl, by rw [e]⟩

end Relation

namespace FlatLayout

/-- **The sum of the relations of two layouts is the relation of the layouts side by side, between the coordinates in each and the
offset.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», complement -/
theorem relation_append {A B : FlatLayout} : Relation.Same (Relation.sum (relation A) (relation B))
    (Relation.after (relation (A ++ B)) (Relation.inverse (coordRelation [size A, size B]))) := by
  rintro ⟨a, b⟩
  rw [relation, relation, Relation.mem_sum_graph, Relation.mem_after]
  simp only [Relation.mem_inverse, mem_coordRelation, relation, Relation.mem_graph, prod, Nat.mul_one]
  constructor
  · rintro ⟨x, y, hx, hy, rfl, rfl⟩
    have l : x + size A * y < size A * size B := by
      have := Nat.mul_le_mul_left (size A) (show y + 1 ≤ size B from hy)
      rw [Nat.mul_add] at this
      omega
    refine ⟨_, ⟨x + size A * y, l, rfl, ?_⟩, ⟨_, by rwa [size_append], rfl, by rw [atIndex_append_add hx]⟩⟩
    rw [idx2crd_cons, idx2crd_cons, idx2crd_nil, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hx,
      Nat.add_mul_div_left _ _ (by omega), Nat.div_eq_of_lt hx, Nat.zero_add, Nat.mod_eq_of_lt hy]
    rfl
  · rintro ⟨_, ⟨z, hz, rfl, rfl⟩, ⟨w, hw, e, rfl⟩⟩
    simp only [List.cons.injEq, Int.natCast_inj, and_true] at e
    subst e
    have hA : 0 < size A := Nat.pos_of_mul_pos_right (by omega : 0 < size A * size B)
    have hd : z / size A < size B := Nat.div_lt_of_lt_mul hz
    refine ⟨z % size A, z / size A, Nat.mod_lt _ hA, hd, ?_, ?_⟩
    · rw [idx2crd_cons, idx2crd_cons, idx2crd_nil, Nat.mod_eq_of_lt hd]
      rfl
    · rw [atIndex_append]

/-- **One layout completes another in `[0,N)` exactly if the sum of their relations takes each number below N once, and no other.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», complement; Colfax 2.1.6 -/
theorem completes_iff_relation {A B : FlatLayout} {N : Nat} :
    Completes A B N ↔ 0 < N ∧ Relation.completes (relation A) (relation B) N = true := by
  rw [relation, relation, Relation.completes_graph]
  constructor
  · intro h
    refine ⟨h.pos, fun x y hx hy => ?_, fun o ho => h.exists_unique_pair ho⟩
    have l : x + size A * y < size (A ++ B) := by
      rw [size_append]
      have := Nat.mul_le_mul_left (size A) (show y + 1 ≤ size B from hy)
      rw [Nat.mul_add] at this
      omega
    have := ((completes_iff_exists_unique A B N).1 h).2.1 _ l
    rwa [atIndex_append_add hx] at this
  · rintro ⟨hN, h1, h2⟩
    refine (completes_iff_exists_unique A B N).2 ⟨hN, fun z hz => ?_, fun o ho => ?_⟩
    · rw [size_append] at hz
      rw [atIndex_append]
      exact h1 _ _ (Nat.mod_lt _ (Nat.pos_of_mul_pos_right (by omega : 0 < size A * size B))) (Nat.div_lt_of_lt_mul hz)
    · obtain ⟨x, y, ⟨hx, hy, e⟩, u⟩ := h2 o ho
      refine ⟨x + size A * y, ⟨?_, by rw [atIndex_append_add hx, e]⟩, fun z hz k => ?_⟩
      · rw [size_append]
        have := Nat.mul_le_mul_left (size A) (show y + 1 ≤ size B from hy)
        rw [Nat.mul_add] at this
        omega
      · rw [size_append] at hz
        rw [atIndex_append] at k
        have := u _ _ (Nat.mod_lt _ (Nat.pos_of_mul_pos_right (by omega : 0 < size A * size B))) (Nat.div_lt_of_lt_mul hz) k
        rw [← this.1, ← this.2]
        exact (Nat.mod_add_div z (size A)).symm

end FlatLayout

namespace Layout
open FlatLayout

/-- **The complement's relation is increasing, and its sum with the layout's takes each number below N once; every layout of which both
hold has the same relation.**
Rust: `razorgirl::Layout::complement_in`
Source: «Modeling Layout Abstractions Using Integer Set Relations», complement, stated there as what an algorithm answers (repaired:
`Relation.Tables.complement_overlap_counterexample`) -/
theorem relation_complementIn {A C : Layout} {N : Nat} (hA : A.Valid) (h : A.complementIn N = some C) :
    (Relation.completes (relation A) (relation C) N = true ∧ Relation.increasing (relation C) = true) ∧
      ∀ B : Layout, Relation.completes (relation A) (relation B) N = true → Relation.increasing (relation B) = true →
        Relation.Same (relation B) (relation C) := by
  have hc := Layout.complementIn_completes hA h
  refine ⟨⟨(completes_iff_relation.mp hc).2, ?_⟩, fun B h1 h2 => ?_⟩
  · rw [relation, FlatLayout.relation, Relation.increasing_graph]
    obtain ⟨C', h', rfl⟩ := Layout.complementIn_eq_some_iff.1 h
    intro x y hxy hy
    rw [atIndex_nest, atIndex_nest]
    exact FlatLayout.complementIn_increasing hA.2 h' hxy (by rwa [← size_nest])
  · rw [relation, FlatLayout.relation, Relation.increasing_graph] at h2
    obtain ⟨C', h', rfl⟩ := Layout.complementIn_eq_some_iff.1 h
    have hB : Completes A.modes B.modes N := completes_iff_relation.mpr ⟨hc.pos, h1⟩
    have hB' : Completes A.modes (FlatLayout.coalesce B.modes) N := (completes_coalesce_iff _ _ _).mpr hB
    have := FlatLayout.complementIn_unique_of_increasing (FlatLayout.coalesce_coalesced _) (fun x y hxy hy => by
      rw [FlatLayout.coalesce_atIndex, FlatLayout.coalesce_atIndex]
      exact h2 x y hxy (by rwa [FlatLayout.coalesce_size] at hy)) hB'
    rw [h', Option.some.injEq] at this
    subst this
    rw [relation, relation, FlatLayout.relation, FlatLayout.relation, Relation.same_graph_iff]
    exact ⟨((size_nest _).trans (FlatLayout.coalesce_size _)).symm, fun x _ => by rw [atIndex_nest, FlatLayout.coalesce_atIndex]⟩

/-- **No complement is answered exactly where the sum with no layout's relation takes each number below N once.**
Rust: `razorgirl::Layout::complement_in`
Source: «Modeling Layout Abstractions Using Integer Set Relations», complement -/
theorem complementIn_eq_none_iff_relation {A : Layout} {N : Nat} (hA : A.Valid) (hN : 0 < N) :
    A.complementIn N = none ↔ ¬ ∃ B : Layout, B.Valid ∧ Relation.completes (relation A) (relation B) N = true := by
  have key : A.complementIn N ≠ none ↔ ∃ B : Layout, B.Valid ∧ Relation.completes (relation A) (relation B) N = true :=
    (Layout.complementIn_ne_none_iff hA N).trans (exists_congr fun B => and_congr_right fun _ =>
      ⟨fun h => (completes_iff_relation.mp h).2, fun h => completes_iff_relation.mpr ⟨hN, h⟩⟩)
  constructor
  · exact fun h e => key.mpr e h
  · intro h
    cases hc : A.complementIn N with
    | none => rfl
    | some C => exact absurd (key.mp (by rw [hc]; exact Option.some_ne_none C)) h

end Layout

end Razorgirl
