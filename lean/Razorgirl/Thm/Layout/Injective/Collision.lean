module

public import Razorgirl.Spec.Layout.Injective
public import Razorgirl.Thm.Layout.Injective

@[expose] public section

/-!
# Collisions: what is proved

A collision is a witness against injectivity, the first one in the order of indices; without one the layout is
injective.
-/

namespace Razorgirl

namespace FlatLayout

theorem placeOf_eq_some {x k j : Nat} {l : List Nat} (h : placeOf x k l = some j) :
    ∃ i, j = k + i ∧ l[i]? = some x ∧ ∀ i', i' < i → l[i']? ≠ some x := by
  induction l generalizing k with
  | nil => cases h
  | cons y ys ih =>
    simp only [placeOf] at h
    split at h
    · rename_i e
      cases h
      exact ⟨0, rfl, by simp [e], fun i' hi' => by omega⟩
    · rename_i e
      obtain ⟨i, e1, h1, h2⟩ := ih h
      refine ⟨i + 1, by omega, by simpa using h1, fun i' hi' => ?_⟩
      cases i' with
      | zero => simpa using fun e' => e e'.symm
      | succ i' => simpa using h2 i' (by omega)

theorem placeOf_eq_none_iff {x k : Nat} {l : List Nat} : placeOf x k l = none ↔ x ∉ l := by
  induction l generalizing k with
  | nil => simp [placeOf]
  | cons y ys ih =>
    simp only [placeOf]
    split
    · simp [*]
    · rw [ih]
      simp [*]

theorem firstRepeat_eq_some {k i j : Nat} {l : List Nat} (h : firstRepeat k l = some (i, j)) :
    ∃ a b, i = k + a ∧ j = k + b ∧ a < b ∧ (∃ v, l[a]? = some v ∧ l[b]? = some v) ∧
      ∀ a' b' v, a' < b' → l[a']? = some v → l[b']? = some v → a < a' ∨ a = a' ∧ b ≤ b' := by
  induction l generalizing k with
  | nil => cases h
  | cons x xs ih =>
    simp only [firstRepeat] at h
    split at h
    · rename_i j' hj'
      cases h
      obtain ⟨b, e, h1, h2⟩ := placeOf_eq_some hj'
      refine ⟨0, b + 1, rfl, by omega, by omega, ⟨x, by simp, by simpa using h1⟩, fun a' b' v hab ha hb => ?_⟩
      cases a' with
      | succ a' => left; omega
      | zero =>
        right
        refine ⟨rfl, ?_⟩
        cases b' with
        | zero => omega
        | succ b' =>
          simp only [List.getElem?_cons_zero, Option.some.injEq] at ha
          simp only [List.getElem?_cons_succ] at hb
          rcases Nat.lt_or_ge b' b with hlt | hge
          · exact absurd (by rw [hb, ha]) (h2 b' hlt)
          · omega
    · rename_i hn
      obtain ⟨a, b, e1, e2, hab, ⟨v, h1, h2⟩, h3⟩ := ih h
      refine ⟨a + 1, b + 1, by omega, by omega, by omega, ⟨v, by simpa using h1, by simpa using h2⟩,
        fun a' b' w hab' ha hb => ?_⟩
      cases b' with
      | zero => omega
      | succ b' =>
        simp only [List.getElem?_cons_succ] at hb
        cases a' with
        | zero =>
          simp only [List.getElem?_cons_zero, Option.some.injEq] at ha
          exact absurd (ha ▸ List.mem_of_getElem? hb) (placeOf_eq_none_iff.1 hn)
        | succ a' =>
          have := h3 a' b' w (by omega) (by simpa using ha) hb
          omega

theorem firstRepeat_eq_none_iff {k : Nat} {l : List Nat} : firstRepeat k l = none ↔ l.Nodup := by
  induction l generalizing k with
  | nil => simp [firstRepeat]
  | cons x xs ih =>
    simp only [firstRepeat, List.nodup_cons]
    split
    · rename_i j hj
      have : ¬ x ∉ xs := fun hx => by rw [placeOf_eq_none_iff.2 hx] at hj; cases hj
      simp [this]
    · rename_i hn
      rw [ih, and_iff_right (placeOf_eq_none_iff.1 hn)]

theorem offsets_getElem?_eq_some_iff {L : FlatLayout} {i o : Nat} :
    (offsets L)[i]? = some o ↔ i < size L ∧ atIndex L i = o := by
  rw [offsets, List.getElem?_map]
  by_cases h : i < size L
  · simp [h]
  · simp [h]

/-- **A reported collision is one: two different indices in range with the same offset.**
Rust: `razorgirl::Layout::injectivity`
Source: Villa Straylight I.3 -/
theorem collision_eq_some {L : FlatLayout} {i j : Nat} (h : collision L = some (i, j)) :
    i < j ∧ j < size L ∧ atIndex L i = atIndex L j := by
  obtain ⟨a, b, e1, e2, hab, ⟨v, h1, h2⟩, _⟩ := firstRepeat_eq_some h
  rw [Nat.zero_add] at e1 e2
  subst e1 e2
  rw [offsets_getElem?_eq_some_iff] at h1 h2
  exact ⟨hab, h2.1, by rw [h1.2, h2.2]⟩

/-- **The reported collision is the first: no collision starts earlier, and none with the same start ends
earlier.**
Rust: `razorgirl::Layout::injectivity`
Source: Villa Straylight I.3 -/
theorem collision_first {L : FlatLayout} {i j : Nat} (h : collision L = some (i, j)) {i' j' : Nat}
    (hij : i' < j') (hj : j' < size L) (e : atIndex L i' = atIndex L j') : i < i' ∨ i = i' ∧ j ≤ j' := by
  obtain ⟨a, b, e1, e2, _, _, h3⟩ := firstRepeat_eq_some h
  have := h3 i' j' (atIndex L j') hij (offsets_getElem?_eq_some_iff.2 ⟨by omega, e⟩)
    (offsets_getElem?_eq_some_iff.2 ⟨hj, rfl⟩)
  omega

/-- **No collision is reported exactly when no two coordinates share an offset.**
Rust: `razorgirl::Layout::injectivity`
Source: Villa Straylight I.3 -/
theorem collision_eq_none_iff (L : FlatLayout) : collision L = none ↔ Injective L := by
  rw [collision, firstRepeat_eq_none_iff, injective_iff_nodup]

/-- **A collision is reported exactly when the check for injectivity fails.**
Rust: `razorgirl::Layout::injectivity`
Source: Villa Straylight I.3 -/
theorem collision_eq_none_iff_isInjective (L : FlatLayout) : collision L = none ↔ isInjective L = true := by
  rw [collision_eq_none_iff, isInjective_iff]

/-- **A layout that is not injective has a collision to show.**
Rust: `razorgirl::Layout::injectivity`
Source: Villa Straylight I.3 -/
theorem exists_collision {L : FlatLayout} (h : ¬ Injective L) : ∃ i j, collision L = some (i, j) := by
  rcases hc : collision L with _ | ⟨i, j⟩
  · exact absurd ((collision_eq_none_iff L).1 hc) h
  · exact ⟨i, j, rfl⟩

example : collision [⟨3, 1⟩, ⟨2, 2⟩] = some (2, 3) := by decide +kernel
example : collision [⟨4, 0⟩] = some (0, 1) := by decide +kernel
example : collision [⟨4, 2⟩, ⟨2, 1⟩] = none := by decide +kernel

end FlatLayout

end Razorgirl
