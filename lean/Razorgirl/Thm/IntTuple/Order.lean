module

public import Razorgirl.Thm.IntTuple

@[expose] public section

/-!
# Weak congruence orders the nestings

`congruent` is its equality, and a leaf is below everything.
-/

namespace Razorgirl

namespace HTuple

/-- **Weak congruence is a partial order of nestings: every nesting coarsens itself, a coarsening of a coarsening is
one, and two that coarsen each other are congruent. Congruent tuples are weakly congruent.**
Rust: `razorgirl::Profile::weakly_congruent`
Source: CuTe `weakly_congruent` -/
theorem weaklyCongruent_order {α : Type} :
    (∀ a : HTuple α, weaklyCongruent a a = true) ∧
      (∀ a b c : HTuple α, weaklyCongruent a b = true → weaklyCongruent b c = true → weaklyCongruent a c = true) ∧
      (∀ a b : HTuple α, weaklyCongruent a b = true → weaklyCongruent b a = true → congruent a b = true) ∧
      ∀ a b : HTuple α, congruent a b = true → weaklyCongruent a b = true :=
  ⟨fun a => ((congruent_iff_weaklyCongruent a a).1 (congruent_refl a)).1,
    fun _ _ _ => weaklyCongruent_trans,
    fun a b h h' => (congruent_iff_weaklyCongruent a b).2 ⟨h, h'⟩,
    fun a b h => ((congruent_iff_weaklyCongruent a b).1 h).1⟩

/-- It is coarser than congruence: a leaf is weakly congruent to a tuple. -/
example : weaklyCongruent (.leaf 0) (node [leaf 0, leaf 1]) = true ∧
    congruent (.leaf 0) (node [leaf 0, leaf 1]) = false := by decide

end HTuple

end Razorgirl
