module

public import Razorgirl.Spec.Relation.Basic

@[expose] public section

/-!
# Relations: what the operations hold

Each operation by its pairs; composition is associative, and inverses turn it round.
-/

namespace Razorgirl

namespace Relation

/-- **A pair is in the composite exactly if something lies between: f takes the first there, and g takes it on.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», composition -/
theorem mem_after {g f : Relation} {a c : List Int} : (a, c) ∈ after g f ↔ ∃ b, (a, b) ∈ f ∧ (b, c) ∈ g := by
  simp only [after, List.mem_flatMap, List.mem_map, List.mem_filter, beq_iff_eq, Prod.mk.injEq, Prod.exists]
  constructor
  · rintro ⟨a', b, hf, b', c', ⟨hg, rfl⟩, rfl, rfl⟩
    exact ⟨b', hf, hg⟩
  · rintro ⟨b, hf, hg⟩
    exact ⟨a, b, hf, b, c, ⟨hg, rfl⟩, rfl, rfl⟩

/-- **The inverse holds the pairs turned round.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», inverse -/
theorem mem_inverse {r : Relation} {a b : List Int} : (a, b) ∈ inverse r ↔ (b, a) ∈ r := by
  simp only [inverse, List.mem_map, Prod.mk.injEq, Prod.exists]
  constructor
  · rintro ⟨x, y, h, rfl, rfl⟩; exact h
  · exact fun h => ⟨b, a, h, rfl, rfl⟩

/-- **Union, intersection and difference hold what either, both, or the first alone holds.**
Source: isl -/
theorem mem_union_inter_diff {r s : Relation} {p : List Int × List Int} :
    (p ∈ union r s ↔ p ∈ r ∨ p ∈ s) ∧ (p ∈ inter r s ↔ p ∈ r ∧ p ∈ s) ∧ (p ∈ diff r s ↔ p ∈ r ∧ p ∉ s) := by
  simp [union, inter, diff, List.mem_append, List.mem_filter]

/-- **The domain is what has an image, and the range what is one.**
Source: isl -/
theorem mem_domain_range {r : Relation} {a : List Int} :
    (a ∈ domain r ↔ ∃ b, (a, b) ∈ r) ∧ (a ∈ range r ↔ ∃ b, (b, a) ∈ r) := by
  simp [domain, range, List.mem_map]

/-- **Functional, injective and bijective are decided.**
Source: isl -/
theorem decided (r : Relation) :
    (functional r = true ↔ ∀ a b c, (a, b) ∈ r → (a, c) ∈ r → b = c) ∧
    (injective r = true ↔ ∀ a b c, (a, c) ∈ r → (b, c) ∈ r → a = b) ∧
    (bijective r = true ↔ functional r = true ∧ injective r = true) := by
  refine ⟨?_, ?_, by simp [bijective]⟩
  · simp only [functional, List.all_eq_true, Bool.or_eq_true, bne_iff_ne, beq_iff_eq]
    constructor
    · intro h a b c hb hc
      exact (h (a, b) hb (a, c) hc).resolve_left fun h => h rfl
    · rintro h ⟨a, b⟩ hp ⟨a', c⟩ hq
      by_cases e : a = a'
      · subst e; exact .inr (h a b c hp hq)
      · exact .inl e
  · simp only [injective, List.all_eq_true, Bool.or_eq_true, bne_iff_ne, beq_iff_eq]
    constructor
    · intro h a b c ha hb
      exact (h (a, c) ha (b, c) hb).resolve_left fun h => h rfl
    · rintro h ⟨a, c⟩ hp ⟨b, c'⟩ hq
      by_cases e : c = c'
      · subst e; exact .inr (h a b c hp hq)
      · exact .inl e

/-- **Composition is associative, and the inverse of a composite is that of the inverses, turned round.**
Source: «Modeling Layout Abstractions Using Integer Set Relations» -/
theorem after_laws (h g f : Relation) :
    Same (after h (after g f)) (after (after h g) f) ∧ Same (inverse (after g f)) (after (inverse f) (inverse g)) := by
  constructor
  · rintro ⟨a, d⟩
    simp only [mem_after]
    constructor
    · rintro ⟨c, ⟨b, h1, h2⟩, h3⟩; exact ⟨b, h1, c, h2, h3⟩
    · rintro ⟨b, h1, c, h2, h3⟩; exact ⟨c, ⟨b, h1, h2⟩, h3⟩
  · rintro ⟨c, a⟩
    simp only [mem_inverse, mem_after]
    constructor
    · rintro ⟨b, h1, h2⟩; exact ⟨b, h2, h1⟩
    · rintro ⟨b, h1, h2⟩; exact ⟨b, h2, h1⟩

/-- **Composites of functions are functions, of injective relations injective; and a relation is injective exactly if its inverse is
functional.**
Source: «Modeling Layout Abstractions Using Integer Set Relations» -/
theorem functional_after {g f : Relation} :
    (functional g = true → functional f = true → functional (after g f) = true) ∧
    (injective g = true → injective f = true → injective (after g f) = true) ∧
    (injective f = true ↔ functional (inverse f) = true) := by
  refine ⟨fun hg hf => (decided _).1.mpr ?_, fun hg hf => (decided _).2.1.mpr ?_, ?_⟩
  · intro a c c' h h'
    obtain ⟨b, h1, h2⟩ := mem_after.mp h
    obtain ⟨b', h3, h4⟩ := mem_after.mp h'
    have e := (decided f).1.mp hf a b b' h1 h3
    subst e
    exact (decided g).1.mp hg b c c' h2 h4
  · intro a a' c h h'
    obtain ⟨b, h1, h2⟩ := mem_after.mp h
    obtain ⟨b', h3, h4⟩ := mem_after.mp h'
    have e := (decided g).2.1.mp hg b b' c h2 h4
    subst e
    exact (decided f).2.1.mp hf a a' b h1 h3
  · rw [(decided f).2.1, (decided (inverse f)).1]
    constructor
    · intro h a b c hb hc
      exact h b c a (mem_inverse.mp hb) (mem_inverse.mp hc)
    · intro h a b c ha hb
      exact h c a b (mem_inverse.mpr ha) (mem_inverse.mpr hb)

end Relation

end Razorgirl
