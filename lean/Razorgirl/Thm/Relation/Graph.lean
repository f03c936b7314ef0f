module

public import Razorgirl.Thm.Relation.Basic

@[expose] public section

/-!
# Functions as relations

The relation of a function on the numbers below n. Equality, composition and inverse of such relations say what they say of the
functions.
-/

namespace Razorgirl

namespace Relation

theorem mem_graph {n : Nat} {f : Nat → Nat} {a b : List Int} :
    (a, b) ∈ graph n f ↔ ∃ x, x < n ∧ a = [(x : Int)] ∧ b = [(f x : Int)] := by
  simp only [graph, List.mem_map, List.mem_range, Prod.mk.injEq]
  constructor
  · rintro ⟨x, hx, rfl, rfl⟩; exact ⟨x, hx, rfl, rfl⟩
  · rintro ⟨x, hx, rfl, rfl⟩; exact ⟨x, hx, rfl, rfl⟩

theorem mem_graph_pair {n : Nat} {f : Nat → Nat} {x y : Nat} :
    ([(x : Int)], [(y : Int)]) ∈ graph n f ↔ x < n ∧ y = f x := by
  rw [mem_graph]
  constructor
  · rintro ⟨z, hz, h1, h2⟩
    simp only [List.cons.injEq, Int.natCast_inj, and_true] at h1 h2
    subst h1
    exact ⟨hz, h2⟩
  · rintro ⟨hx, rfl⟩
    exact ⟨x, hx, rfl, rfl⟩

/-- **Whether two lists hold the same pairs is decided.**
Source: isl `is_equal` -/
theorem same_iff {r s : Relation} : same r s = true ↔ Same r s := by
  simp only [same, Bool.and_eq_true, List.all_eq_true, List.contains_iff_mem]
  exact ⟨fun ⟨h1, h2⟩ p => ⟨h1 p, h2 p⟩, fun h => ⟨fun p => (h p).1, fun p => (h p).2⟩⟩

/-- **The relations of two functions are the same exactly if the functions have one domain and the same values there.**
Source: «Modeling Layout Abstractions Using Integer Set Relations» -/
theorem same_graph_iff {n m : Nat} {f g : Nat → Nat} :
    Same (graph n f) (graph m g) ↔ n = m ∧ ∀ x, x < n → f x = g x := by
  constructor
  · intro h
    have fwd : ∀ x, x < n → x < m ∧ f x = g x := fun x hx => mem_graph_pair.mp ((h _).mp (mem_graph_pair.mpr ⟨hx, rfl⟩))
    have bwd : ∀ x, x < m → x < n := fun x hx => (mem_graph_pair.mp ((h _).mpr (mem_graph_pair.mpr ⟨hx, rfl⟩))).1
    refine ⟨Nat.le_antisymm (Nat.le_of_not_lt fun l => ?_) (Nat.le_of_not_lt fun l => ?_), fun x hx => (fwd x hx).2⟩
    · exact Nat.lt_irrefl _ (fwd m l).1
    · exact Nat.lt_irrefl _ (bwd n l)
  · rintro ⟨rfl, h⟩ ⟨a, b⟩
    rw [mem_graph, mem_graph]
    constructor
    · rintro ⟨x, hx, rfl, rfl⟩; exact ⟨x, hx, rfl, by rw [h x hx]⟩
    · rintro ⟨x, hx, rfl, rfl⟩; exact ⟨x, hx, rfl, by rw [h x hx]⟩

/-- **A pair is in the composite of two functions exactly if the inner one takes its input into the domain of the outer one, and the
outer one takes it on.** Inputs that leave the domain have no image.
Source: «Modeling Layout Abstractions Using Integer Set Relations», composition -/
theorem mem_after_graph {n m : Nat} {f g : Nat → Nat} {x y : Nat} :
    ([(x : Int)], [(y : Int)]) ∈ after (graph m g) (graph n f) ↔ x < n ∧ f x < m ∧ y = g (f x) := by
  rw [mem_after]
  constructor
  · rintro ⟨b, h1, h2⟩
    obtain ⟨z, hz, e1, rfl⟩ := mem_graph.mp h1
    simp only [List.cons.injEq, Int.natCast_inj, and_true] at e1
    subst e1
    exact ⟨hz, mem_graph_pair.mp h2⟩
  · rintro ⟨hx, hf, rfl⟩
    exact ⟨_, mem_graph_pair.mpr ⟨hx, rfl⟩, mem_graph_pair.mpr ⟨hf, rfl⟩⟩

/-- What is in the composite of two functions is a pair of numbers. -/
theorem natural_of_mem_after_graph {n m : Nat} {f g : Nat → Nat} {a c : List Int}
    (h : (a, c) ∈ after (graph m g) (graph n f)) : ∃ x y : Nat, a = [(x : Int)] ∧ c = [(y : Int)] := by
  obtain ⟨b, h1, h2⟩ := mem_after.mp h
  obtain ⟨x, _, rfl, _⟩ := mem_graph.mp h1
  obtain ⟨y, _, _, rfl⟩ := mem_graph.mp h2
  exact ⟨x, _, rfl, rfl⟩

/-- **A function's relation is the composite of two others exactly if the inner one stays in the domain of the outer one, and the
values are those of one after the other.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», composition -/
theorem same_after_graph_iff {n m : Nat} {f g h : Nat → Nat} :
    Same (graph n h) (after (graph m g) (graph n f)) ↔ ∀ x, x < n → f x < m ∧ h x = g (f x) := by
  constructor
  · intro e x hx
    exact (mem_after_graph.mp ((e _).mp (mem_graph_pair.mpr ⟨hx, rfl⟩))).2
  · rintro k ⟨a, c⟩
    constructor
    · intro hp
      obtain ⟨x, hx, rfl, rfl⟩ := mem_graph.mp hp
      exact mem_after_graph.mpr ⟨hx, k x hx⟩
    · intro hp
      obtain ⟨x, y, rfl, rfl⟩ := natural_of_mem_after_graph hp
      obtain ⟨hx, _, rfl⟩ := mem_after_graph.mp hp
      exact mem_graph_pair.mpr ⟨hx, (k x hx).2.symm⟩

/-- **One function's relation is the inverse of another's exactly if they undo each other, each on its own domain.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», inverse -/
theorem same_inverse_graph_iff {n m : Nat} {f g : Nat → Nat} :
    Same (graph m g) (inverse (graph n f)) ↔
      (∀ x, x < n → f x < m ∧ g (f x) = x) ∧ ∀ o, o < m → g o < n ∧ f (g o) = o := by
  constructor
  · intro h
    constructor
    · intro x hx
      have := mem_graph_pair.mp ((h ([(f x : Int)], [(x : Int)])).mpr (mem_inverse.mpr (mem_graph_pair.mpr ⟨hx, rfl⟩)))
      exact ⟨this.1, this.2.symm⟩
    · intro o ho
      have := mem_graph_pair.mp (mem_inverse.mp ((h ([(o : Int)], [(g o : Int)])).mp (mem_graph_pair.mpr ⟨ho, rfl⟩)))
      exact ⟨this.1, this.2.symm⟩
  · rintro ⟨h1, h2⟩ ⟨a, b⟩
    rw [mem_inverse, mem_graph, mem_graph]
    constructor
    · rintro ⟨o, ho, rfl, rfl⟩
      exact ⟨g o, (h2 o ho).1, rfl, by rw [(h2 o ho).2]⟩
    · rintro ⟨x, hx, rfl, rfl⟩
      exact ⟨f x, (h1 x hx).1, rfl, by rw [(h1 x hx).2]⟩

/-- **A function's relation is injective exactly if no two numbers of its domain have one value.**
Source: «Modeling Layout Abstractions Using Integer Set Relations» -/
theorem injective_graph_iff {n : Nat} {f : Nat → Nat} :
    injective (graph n f) = true ↔ ∀ x y, x < n → y < n → f x = f y → x = y := by
  rw [(decided _).2.1]
  constructor
  · intro h x y hx hy e
    have := h _ _ _ (mem_graph_pair.mpr ⟨hx, rfl⟩) (mem_graph_pair.mpr ⟨hy, e⟩)
    simp only [List.cons.injEq, Int.natCast_inj, and_true] at this
    exact this
  · intro h a b c ha hb
    obtain ⟨x, hx, rfl, rfl⟩ := mem_graph.mp ha
    obtain ⟨y, hy, rfl, e⟩ := mem_graph.mp hb
    simp only [List.cons.injEq, Int.natCast_inj, and_true] at e
    rw [h x y hx hy e]

theorem functional_graph (n : Nat) (f : Nat → Nat) : functional (graph n f) = true := by
  rw [(decided _).1]
  intro a b c hb hc
  obtain ⟨x, hx, rfl, rfl⟩ := mem_graph.mp hb
  obtain ⟨y, hy, e, rfl⟩ := mem_graph.mp hc
  simp only [List.cons.injEq, Int.natCast_inj, and_true] at e
  rw [e]

/-- **Where a relation is that of a function, the image listed of a number in the domain is the function's value, and the number of
inputs is the size of the domain.**
Source: ours -/
theorem valueAt_of_same {n : Nat} {f : Nat → Nat} {r : Relation} (h : Same (graph n f) r) :
    (∀ x, x < n → valueAt r x = some (f x)) ∧ inputs r = n := by
  constructor
  · intro x hx
    have hm : ([(x : Int)], [(f x : Int)]) ∈ r := (h _).mp (mem_graph_pair.mpr ⟨hx, rfl⟩)
    obtain ⟨p, hp⟩ := Option.isSome_iff_exists.mp
      (List.find?_isSome (xs := r) (p := fun p => p.1 == [(x : Int)]) |>.mpr ⟨_, hm, by simp⟩)
    have h1 := List.find?_some hp
    have h2 := List.mem_of_find?_eq_some hp
    obtain ⟨y, hy, e1, e2⟩ := mem_graph.mp ((h (p.1, p.2)).mpr h2)
    obtain ⟨a, b⟩ := p
    simp only [beq_iff_eq] at h1 e1 e2
    subst e1 e2
    simp only [List.cons.injEq, Int.natCast_inj, and_true] at h1
    subst h1
    simp only [valueAt, hp, Int.natCast_nonneg, if_true, Int.toNat_natCast]
  · have up : ∀ s : Relation, (∀ p, p ∈ s → p ∈ graph n f) → inputs s ≤ n := by
      intro s
      induction s with
      | nil => intro _; exact Nat.zero_le _
      | cons p s ih =>
        intro hs
        have i := ih fun q hq => hs q (List.mem_cons_of_mem _ hq)
        obtain ⟨a, b⟩ := p
        obtain ⟨x, hx, rfl, rfl⟩ := mem_graph.mp (hs (a, b) List.mem_cons_self)
        simp only [inputs, Int.toNat_natCast]
        omega
    have low : ∀ (s : Relation) (x : Nat) (b : List Int), ([(x : Int)], b) ∈ s → x < inputs s := by
      intro s
      induction s with
      | nil => intro x b hb; cases hb
      | cons p s ih =>
        intro x b hb
        rcases List.mem_cons.mp hb with e | hb
        · subst e
          simp only [inputs, Int.toNat_natCast]
          omega
        · have i := ih x b hb
          obtain ⟨a, c⟩ := p
          rcases a with _ | ⟨y, _ | ⟨z, l⟩⟩ <;> simp only [inputs] <;> omega
    refine Nat.le_antisymm (up r fun p hp => (h p).mpr hp) ?_
    cases n with
    | zero => exact Nat.zero_le _
    | succ n => exact low r n _ ((h _).mp (mem_graph_pair.mpr ⟨Nat.lt_succ_self n, rfl⟩))

theorem lt_inputs_iff : {r : Relation} → {x : Nat} → (x < inputs r ↔ ∃ y b, ([y], b) ∈ r ∧ x ≤ y.toNat)
  | [], x => by simp [inputs]
  | (a, b) :: r, x => by
    have ih := lt_inputs_iff (r := r) (x := x)
    rcases a with _ | ⟨y, _ | ⟨z, l⟩⟩
    · simpa [inputs] using ih
    · simp only [inputs, List.mem_cons, Prod.mk.injEq, List.cons.injEq, and_true]
      constructor
      · intro h
        by_cases hy : x < y.toNat + 1
        · exact ⟨y, b, .inl ⟨rfl, rfl⟩, by omega⟩
        · obtain ⟨w, c, h1, h2⟩ := ih.mp (by omega)
          exact ⟨w, c, .inr h1, h2⟩
      · rintro ⟨w, c, ⟨rfl, rfl⟩ | h1, h2⟩
        · omega
        · have := ih.mpr ⟨w, c, h1, h2⟩
          omega
    · simpa [inputs] using ih

theorem before_iff : {a b : List Int} → (before a b = true ↔ a < b)
  | [], [] => by simp [before]
  | [], _ :: _ => by simp [before]
  | _ :: _, [] => by simp [before]
  | x :: xs, y :: ys => by
    rw [before, List.cons_lt_cons_iff, Bool.or_eq_true, Bool.and_eq_true, before_iff, decide_eq_true_eq, beq_iff_eq]

/-- **A pair of an image and an input is listed exactly if the input has that image, and none that is smaller in its last entry where
they differ has.**
Rust: `razorgirl::relation::Relation::least_preimages`
Source: isl `lexmin`, of coordinates whose first one is fastest -/
theorem mem_leastPreimages {r : Relation} {y x : List Int} :
    (y, x) ∈ leastPreimages r ↔ (x, y) ∈ r ∧ ∀ w, (w, y) ∈ r → ¬ w.reverse < x.reverse := by
  rw [leastPreimages, mem_inverse, List.mem_filter]
  refine and_congr_right fun _ => ?_
  constructor
  · intro h w hw l
    have := List.all_eq_true.mp h (w, y) hw
    simp [before_iff.mpr l] at this
  · intro h
    refine List.all_eq_true.mpr fun p hp => ?_
    rw [Bool.not_eq_true', Bool.and_eq_false_imp]
    intro e
    rw [← Bool.not_eq_true, before_iff]
    have e : p.2 = y := beq_iff_eq.mp e
    exact h p.1 (by rw [← e]; exact hp)

/-- **A gap is a number that no input has as its image, below or at some image.**
Rust: `razorgirl::relation::Relation::gaps`
Source: «Modeling Layout Abstractions Using Integer Set Relations», right inverse -/
theorem mem_gaps {r : Relation} {o : Nat} :
    o ∈ gaps r ↔ (∃ x v, (x, [v]) ∈ r ∧ o ≤ v.toNat) ∧ ∀ x, (x, [(o : Int)]) ∉ r := by
  simp only [gaps, List.mem_filter, List.mem_range, lt_inputs_iff, mem_inverse, Bool.not_eq_true', List.any_eq_false, beq_iff_eq]
  refine and_congr ⟨fun ⟨v, x, h⟩ => ⟨x, v, h⟩, fun ⟨x, v, h⟩ => ⟨v, x, h⟩⟩ ?_
  exact ⟨fun h x hx => h _ hx rfl, fun h p hp e => h p.1 (e ▸ hp)⟩

/-- **Something is promoted exactly if an image of the inner relation has no image in the outer one; nothing is exactly if the composite
has the whole domain of the inner one, pair by pair.**
Rust: `razorgirl::relation::Relation::promotes`
Source: «Modeling Layout Abstractions Using Integer Set Relations», promotion -/
theorem promotes_iff {g f : Relation} : (promotes g f = true ↔ ∃ x y, (x, y) ∈ f ∧ ∀ z, (y, z) ∉ g) ∧
    (promotes g f = false ↔ ∀ x y, (x, y) ∈ f → ∃ z, (y, z) ∈ g ∧ (x, z) ∈ after g f) := by
  have key : promotes g f = true ↔ ∃ x y, (x, y) ∈ f ∧ ∀ z, (y, z) ∉ g := by
    simp only [promotes, List.any_eq_true, Bool.not_eq_true', List.any_eq_false, beq_iff_eq]
    constructor
    · rintro ⟨⟨x, y⟩, h1, h2⟩
      exact ⟨x, y, h1, fun z hz => h2 _ hz rfl⟩
    · rintro ⟨x, y, h1, h2⟩
      exact ⟨(x, y), h1, fun q hq e => h2 q.2 (by
        have e : q.1 = y := e
        rw [← e]
        exact hq)⟩
  refine ⟨key, ?_⟩
  rw [← Bool.not_eq_true, key]
  constructor
  · intro h x y hxy
    apply Classical.byContradiction
    intro n
    exact h ⟨x, y, hxy, fun z hz => n ⟨z, hz, mem_after.mpr ⟨y, hxy, hz⟩⟩⟩
  · rintro h ⟨x, y, hxy, n⟩
    obtain ⟨z, hz, _⟩ := h x y hxy
    exact n z hz

end Relation

end Razorgirl
