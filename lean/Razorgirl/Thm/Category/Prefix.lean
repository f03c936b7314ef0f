module

public import Razorgirl.Data.List
public import Razorgirl.Spec.Category.Prefix
public import Razorgirl.Thm.Category.Refinement

@[expose] public section

/-!
# Mutual refinements by prefix products

Two tuples have a mutual refinement exactly where their prefix products, together, are a chain of divisors and the first has no
larger product. The quotients of that chain are the refinement, so there is a coarsest one, and the greedy loop finds it.
-/

namespace Razorgirl

namespace Category

namespace PrefixAux

theorem one_mem (xs : List Nat) : 1 ∈ prefixProducts xs := by cases xs <;> simp [prefixProducts]

theorem mem_cons {p x : Nat} {xs : List Nat} : p ∈ prefixProducts (x :: xs) ↔ p = 1 ∨ ∃ q ∈ prefixProducts xs, p = x * q := by
  simp only [prefixProducts, List.mem_cons, List.mem_map]
  constructor
  · rintro (h | ⟨q, hq, rfl⟩)
    · exact .inl h
    · exact .inr ⟨q, hq, rfl⟩
  · rintro (h | ⟨q, hq, rfl⟩)
    · exact .inl h
    · exact .inr ⟨q, hq, rfl⟩

theorem mul_mem {x q : Nat} {xs : List Nat} (h : q ∈ prefixProducts xs) : x * q ∈ prefixProducts (x :: xs) :=
  mem_cons.mpr (.inr ⟨q, h, rfl⟩)

theorem prod_mem (xs : List Nat) : prod xs ∈ prefixProducts xs := by
  induction xs with
  | nil => simp [prefixProducts, prod]
  | cons x xs ih => exact mul_mem ih

theorem mem_append {p : Nat} {xs ys : List Nat} :
    p ∈ prefixProducts (xs ++ ys) ↔ p ∈ prefixProducts xs ∨ ∃ q ∈ prefixProducts ys, p = prod xs * q := by
  induction xs generalizing p with
  | nil =>
    simp only [List.nil_append, prod, Nat.one_mul, prefixProducts, List.mem_singleton]
    constructor
    · exact fun h => .inr ⟨p, h, rfl⟩
    · rintro (rfl | ⟨q, h, rfl⟩)
      · exact one_mem _
      · exact h
  | cons x xs ih =>
    simp only [List.cons_append, mem_cons, ih, prod]
    constructor
    · rintro (h | ⟨q, h | ⟨r, hr, rfl⟩, rfl⟩)
      · exact .inl (.inl h)
      · exact .inl (.inr ⟨q, h, rfl⟩)
      · exact .inr ⟨r, hr, (Nat.mul_assoc ..).symm⟩
    · rintro ((h | ⟨q, h, rfl⟩) | ⟨r, hr, rfl⟩)
      · exact .inl h
      · exact .inr ⟨q, .inl h, rfl⟩
      · exact .inr ⟨_, .inr ⟨r, hr, rfl⟩, Nat.mul_assoc ..⟩

/-- What a list is cut into has its prefix products. -/
theorem mem_of_cut {p : Nat} : {a : List (List Nat)} → p ∈ prefixProducts (a.map prod) → p ∈ prefixProducts a.flatten
  | [], h => h
  | g :: a, h => by
    simp only [List.map_cons] at h
    simp only [List.flatten_cons]
    rcases mem_cons.mp h with rfl | ⟨q, hq, rfl⟩
    · exact one_mem _
    · exact mem_append.mpr (.inr ⟨q, mem_of_cut hq, rfl⟩)

/-- Of two prefix products of one list one divides the other. -/
theorem comparable_self (zs : List Nat) : Comparable zs zs := by
  induction zs with
  | nil =>
    intro p hp q _
    simp only [prefixProducts, List.mem_singleton] at hp
    exact .inl (hp ▸ Nat.one_dvd q)
  | cons z zs ih =>
    intro p hp q hq
    rcases mem_cons.mp hp with rfl | ⟨p', hp', rfl⟩
    · exact .inl (Nat.one_dvd q)
    rcases mem_cons.mp hq with rfl | ⟨q', hq', rfl⟩
    · exact .inr (Nat.one_dvd _)
    exact (ih p' hp' q' hq').imp (Nat.mul_dvd_mul_left z) (Nat.mul_dvd_mul_left z)

theorem prod_ne_zero {xs : List Nat} (h : ∀ x ∈ xs, x ≠ 0) : prod xs ≠ 0 :=
  Nat.ne_of_gt (prod_pos fun x hx => Nat.pos_of_ne_zero (h x hx))

theorem ones_of_prod {xs : List Nat} (h : ∀ x ∈ xs, x ≠ 0) (hp : prod xs ≤ 1) : ∀ x ∈ xs, x = 1 := by
  induction xs with
  | nil => simp
  | cons x xs ih =>
    have h1 := prod_ne_zero h
    simp only [prod] at hp h1
    have h2 : x * prod xs = 1 := by omega
    intro y hy
    rcases List.mem_cons.mp hy with rfl | hy
    · exact Nat.eq_one_of_mul_eq_one_right h2
    · exact ih (fun z hz => h z (by simp [hz])) (by rw [Nat.eq_one_of_mul_eq_one_left h2]; exact Nat.le_refl 1) y hy

theorem comparable_symm {xs ys : List Nat} (h : Comparable xs ys) : Comparable ys xs := fun p hp q hq => (h q hq p hp).symm

/-- Both lists without a first entry that they share. -/
theorem comparable_tail {x : Nat} {xs ys : List Nat} (hx : x ≠ 0) (h : Comparable (x :: xs) (x :: ys)) : Comparable xs ys :=
  fun p hp q hq => (h _ (mul_mem hp) _ (mul_mem hq)).imp (Nat.dvd_of_mul_dvd_mul_left (by omega)) (Nat.dvd_of_mul_dvd_mul_left (by omega))

/-- The first entry of the one list, cut off the other. -/
theorem comparable_cut {x k : Nat} {xs ys : List Nat} (hx : x ≠ 0) (h : Comparable (x :: xs) (x * k :: ys)) :
    Comparable xs (k :: ys) := by
  refine comparable_tail hx fun p hp q hq => ?_
  rcases mem_cons.mp hq with h1 | ⟨q', hq', rfl⟩
  · exact .inr (h1 ▸ Nat.one_dvd p)
  rcases mem_cons.mp hq' with rfl | ⟨r, hr, rfl⟩
  · rw [Nat.mul_one]
    rcases mem_cons.mp hp with rfl | ⟨p, _, rfl⟩
    · exact .inl (Nat.one_dvd x)
    · exact .inr (Nat.dvd_mul_right x p)
  · rw [show x * (k * r) = x * k * r from (Nat.mul_assoc ..).symm]
    exact h p hp _ (mul_mem (x := x * k) hr)

theorem cuts_isSome : {fuel : Nat} → {xs ys : List Nat} → xs.length + ys.length ≤ fuel → (∀ x ∈ xs, x ≠ 0) → (∀ y ∈ ys, y ≠ 0) →
    Comparable xs ys → prod xs ≤ prod ys → ∃ a b rest, cuts fuel xs ys = some (a, b, rest) ∧ ∀ r ∈ rest, r = 1
  | 0, [], ys, _, _, _, _, _ => ⟨[], ys.map fun y => [y], [], by simp only [cuts], by simp⟩
  | _ + 1, [], ys, _, _, _, _, _ => ⟨[], ys.map fun y => [y], [], by simp only [cuts], by simp⟩
  | 0, x :: xs, [], _, hx, _, _, hp => ⟨[], [], x :: xs, by simp only [cuts], ones_of_prod hx hp⟩
  | _ + 1, x :: xs, [], _, hx, _, _, hp => ⟨[], [], x :: xs, by simp only [cuts], ones_of_prod hx hp⟩
  | 0, _ :: _, _ :: _, hf, _, _, _, _ => by simp at hf
  | fuel + 1, x :: xs, y :: ys, hf, hx, hy, hc, hp => by
    have hx0 := hx x (by simp)
    have hy0 := hy y (by simp)
    have hxs : ∀ z ∈ xs, z ≠ 0 := fun z hz => hx z (by simp [hz])
    have hys : ∀ z ∈ ys, z ≠ 0 := fun z hz => hy z (by simp [hz])
    simp only [List.length_cons] at hf
    simp only [prod] at hp
    simp only [cuts]
    by_cases e : x = y
    · subst e
      obtain ⟨a, b, rest, h, h1⟩ := cuts_isSome (fuel := fuel) (by omega) hxs hys (comparable_tail hx0 hc)
        (Nat.le_of_mul_le_mul_left hp (by omega))
      exact ⟨[x] :: a, [x] :: b, rest, by simp only [if_true, h], h1⟩
    simp only [if_neg e]
    have hxy := hc x (mem_cons.mpr (.inr ⟨1, one_mem _, by simp⟩)) y (mem_cons.mpr (.inr ⟨1, one_mem _, by simp⟩))
    by_cases hd : y % x = 0
    · obtain ⟨k, rfl⟩ := Nat.dvd_of_mod_eq_zero hd
      have hk : k ≠ 0 := fun e => by simp [e] at hy0
      simp only [if_pos hd, Nat.mul_div_cancel_left k (Nat.pos_of_ne_zero hx0)]
      obtain ⟨a, b, rest, h, h1⟩ := cuts_isSome (fuel := fuel) (xs := xs) (ys := k :: ys) (by simp only [List.length_cons]; omega)
        hxs (fun z hz => by
          rcases List.mem_cons.mp hz with rfl | hz
          · exact hk
          · exact hys z hz) (comparable_cut hx0 hc)
        (Nat.le_of_mul_le_mul_left (by rw [prod, ← Nat.mul_assoc]; exact hp) (Nat.pos_of_ne_zero hx0))
      exact ⟨[x] :: a, cutFirst x b, rest, by simp only [h], h1⟩
    · have hyx : y ∣ x := hxy.resolve_left fun h => hd (Nat.mod_eq_zero_of_dvd h)
      obtain ⟨k, rfl⟩ := hyx
      have hk : k ≠ 0 := fun e => by simp [e] at hx0
      simp only [if_neg hd, Nat.mul_mod_right, if_true, Nat.mul_div_cancel_left k (Nat.pos_of_ne_zero hy0)]
      obtain ⟨a, b, rest, h, h1⟩ := cuts_isSome (fuel := fuel) (xs := k :: xs) (ys := ys) (by simp only [List.length_cons]; omega)
        (fun z hz => by
          rcases List.mem_cons.mp hz with rfl | hz
          · exact hk
          · exact hxs z hz) hys (comparable_symm (comparable_cut hy0 (comparable_symm hc)))
        (Nat.le_of_mul_le_mul_left (by rw [prod, ← Nat.mul_assoc]; exact hp) (Nat.pos_of_ne_zero hy0))
      exact ⟨cutFirst y a, [y] :: b, rest, by simp only [h], h1⟩

/-- The loop makes no cut that neither list has. -/
theorem mem_cuts {p : Nat} : {fuel : Nat} → {xs ys : List Nat} → {a b : List (List Nat)} → {rest : List Nat} →
    cuts fuel xs ys = some (a, b, rest) → p ∈ prefixProducts b.flatten → p ∈ prefixProducts xs ∨ p ∈ prefixProducts ys
  | 0, [], ys, a, b, rest, h, hp => by
    simp only [cuts, Option.some.injEq, Prod.mk.injEq] at h
    rw [← h.2.1, RefinementAux.flatten_singletons] at hp
    exact .inr hp
  | _ + 1, [], ys, a, b, rest, h, hp => by
    simp only [cuts, Option.some.injEq, Prod.mk.injEq] at h
    rw [← h.2.1, RefinementAux.flatten_singletons] at hp
    exact .inr hp
  | 0, x :: xs, [], a, b, rest, h, hp => by
    simp only [cuts, Option.some.injEq, Prod.mk.injEq] at h
    rw [← h.2.1] at hp
    exact .inr hp
  | _ + 1, x :: xs, [], a, b, rest, h, hp => by
    simp only [cuts, Option.some.injEq, Prod.mk.injEq] at h
    rw [← h.2.1] at hp
    exact .inr hp
  | 0, _ :: _, _ :: _, _, _, _, h, _ => by simp [cuts] at h
  | fuel + 1, x :: xs, y :: ys, a, b, rest, h, hp => by
    simp only [cuts] at h
    split at h
    · rename_i e
      subst e
      split at h
      · rename_i a' b' r' hc
        cases h
        simp only [List.flatten_cons, List.singleton_append] at hp
        rcases mem_cons.mp hp with rfl | ⟨q, hq, rfl⟩
        · exact .inl (one_mem _)
        · exact (mem_cuts hc hq).imp mul_mem mul_mem
      · cases h
    · split at h
      · rename_i hd
        obtain ⟨k, rfl⟩ := Nat.dvd_of_mod_eq_zero hd
        split at h
        · rename_i a' b' r' hc
          cases h
          rw [RefinementAux.flatten_cutFirst] at hp
          rcases mem_cons.mp hp with rfl | ⟨q, hq, rfl⟩
          · exact .inl (one_mem _)
          · by_cases hx0 : x = 0
            · rw [hx0, Nat.zero_mul, Nat.zero_mul]
              exact .inr (mem_cons.mpr (.inr ⟨1, one_mem _, rfl⟩))
            · rw [Nat.mul_div_cancel_left k (Nat.pos_of_ne_zero hx0)] at hc
              rcases mem_cuts hc hq with h | h
              · exact .inl (mul_mem h)
              · rcases mem_cons.mp h with rfl | ⟨r, hr, rfl⟩
                · rw [Nat.mul_one]; exact .inl (mem_cons.mpr (.inr ⟨1, one_mem _, by simp⟩))
                · rw [← Nat.mul_assoc]; exact .inr (mul_mem hr)
        · cases h
      · split at h
        · rename_i hd
          obtain ⟨k, rfl⟩ := Nat.dvd_of_mod_eq_zero hd
          split at h
          · rename_i a' b' r' hc
            cases h
            simp only [List.flatten_cons, List.singleton_append] at hp
            rcases mem_cons.mp hp with rfl | ⟨q, hq, rfl⟩
            · exact .inl (one_mem _)
            · by_cases hy0 : y = 0
              · rw [hy0, Nat.zero_mul, Nat.zero_mul]
                exact .inl (mem_cons.mpr (.inr ⟨1, one_mem _, rfl⟩))
              · rw [Nat.mul_div_cancel_left k (Nat.pos_of_ne_zero hy0)] at hc
                rcases mem_cuts hc hq with h | h
                · rcases mem_cons.mp h with rfl | ⟨r, hr, rfl⟩
                  · rw [Nat.mul_one]; exact .inr (mem_cons.mpr (.inr ⟨1, one_mem _, by simp⟩))
                  · rw [← Nat.mul_assoc]; exact .inl (mul_mem hr)
                · exact .inr (mul_mem h)
          · cases h
        · cases h

theorem flatten_onesLast {ones : List Nat} : {b c : List (List Nat)} → onesLast ones b = some c → c.flatten = b.flatten ++ ones
  | [], c, h => by
    simp only [onesLast] at h
    split at h
    · rename_i e; cases h; simp [e]
    · cases h
  | [g], c, h => by
    simp only [onesLast] at h
    cases h
    simp
  | g :: k :: b, c, h => by
    simp only [onesLast] at h
    split at h
    · rename_i gs hg
      cases h
      simp only [List.flatten_cons, List.append_assoc]
      rw [flatten_onesLast hg, List.flatten_cons, List.append_assoc]
    · cases h

theorem mem_ones {p : Nat} {ones : List Nat} (h : ∀ r ∈ ones, r = 1) (hp : p ∈ prefixProducts ones) : p = 1 := by
  induction ones generalizing p with
  | nil => simpa [prefixProducts] using hp
  | cons r ones ih =>
    rcases mem_cons.mp hp with rfl | ⟨q, hq, rfl⟩
    · rfl
    · rw [h r (by simp), ih (fun s hs => h s (by simp [hs])) hq]

/-- Each mutual refinement has the prefix products of both. -/
theorem mem_of_isFlatRefinement {xs ys : List Nat} {a b : List (List Nat)} (h : IsFlatRefinement xs ys a b) {p : Nat}
    (hp : p ∈ prefixProducts xs ∨ p ∈ prefixProducts ys) : p ∈ prefixProducts b.flatten := by
  obtain ⟨h1, h2, l, h3⟩ := h
  rcases hp with hp | hp
  · rw [← h3]
    exact mem_append.mpr (.inl (mem_of_cut (h1 ▸ hp)))
  · exact mem_of_cut (h2 ▸ hp)

end PrefixAux

open PrefixAux

/-- **Entries of at least 1 have a mutual refinement exactly where the prefix products of both are a chain of divisors and T has
no larger product, if U has an entry or T none.**
Rust: `razorgirl::category::mutual_refinement`
Source: Categorical Foundations 4.1.1; the criterion is ours -/
theorem flatRefinement_isSome_iff_comparable {xs ys : List Nat} (hx : ∀ x ∈ xs, x ≠ 0) (hy : ∀ y ∈ ys, y ≠ 0)
    (h : ys ≠ [] ∨ xs = []) : (flatRefinement xs ys).isSome = true ↔ prod xs ≤ prod ys ∧ Comparable xs ys := by
  constructor
  · intro hs
    obtain ⟨a, b, hab⟩ := (flatRefinement_isSome_iff hx hy h).mp hs
    refine ⟨?_, fun p hp q hq => comparable_self b.flatten p (mem_of_isFlatRefinement hab (.inl hp)) q
      (mem_of_isFlatRefinement hab (.inr hq))⟩
    have key : prod xs ∣ prod ys ∨ prod ys ∣ prod xs := comparable_self b.flatten _ (mem_of_isFlatRefinement hab (.inl (prod_mem xs)))
      _ (mem_of_isFlatRefinement hab (.inr (prod_mem ys)))
    rcases key with k | k
    · exact Nat.le_of_dvd (Nat.pos_of_ne_zero (prod_ne_zero hy)) k
    · obtain ⟨h1, h2, l, h3⟩ := hab
      have e1 : ∀ c : List (List Nat), prod c.flatten = prod (c.map prod) := fun c => by
        induction c with
        | nil => rfl
        | cons g c ih => rw [List.flatten_cons, prod_append, ih]; rfl
      have e2 : prod ys = prod xs * prod l := by
        rw [← h1, ← h2, ← e1, ← e1, ← h3, prod_append]
      rw [e2]
      have : prod l ≠ 0 := fun e => prod_ne_zero hy (by rw [e2, e, Nat.mul_zero])
      exact Nat.le_mul_of_pos_right _ (Nat.pos_of_ne_zero this)
  · rintro ⟨hp, hc⟩
    obtain ⟨a, b, rest, hcut, ho⟩ := cuts_isSome (Nat.le_refl _) hx hy hc hp
    have hb : b ≠ [] ∨ rest = [] := by
      obtain ⟨done, e1, e2, _, _⟩ := RefinementAux.cuts_sound hcut ho
      rcases h with h | h
      · left; intro e; rw [e] at e2; exact h e2.symm
      · right; subst h; exact (List.append_eq_nil_iff.mp e1).2
    obtain ⟨c, hl⟩ := Option.isSome_iff_exists.mp (RefinementAux.onesLast_isSome (ones := rest) hb)
    simp only [flatRefinement, hcut, List.all_eq_true.mpr fun r hr => beq_iff_eq.mpr (ho r hr), if_true, hl]
    rfl

/-- **The prefix products of what the greedy loop cuts U into are those of T and of U, and no others; every mutual refinement has
these. So it is the coarsest, and the chain of prefix products is the refinement.**
Rust: `razorgirl::category::mutual_refinement`
Source: Categorical Foundations 4.1.1; the criterion is ours -/
theorem flatRefinement_coarsest {xs ys : List Nat} {a b : List (List Nat)} (h : flatRefinement xs ys = some (a, b)) :
    (∀ p, p ∈ prefixProducts b.flatten ↔ p ∈ prefixProducts xs ∨ p ∈ prefixProducts ys) ∧
      ∀ a' b', IsFlatRefinement xs ys a' b' → ∀ p ∈ prefixProducts b.flatten, p ∈ prefixProducts b'.flatten := by
  have key : ∀ p, p ∈ prefixProducts b.flatten → p ∈ prefixProducts xs ∨ p ∈ prefixProducts ys := fun p hp => by
    simp only [flatRefinement] at h
    split at h
    · rename_i a' b' rest hc
      split at h
      · rename_i ho
        have ho : ∀ r ∈ rest, r = 1 := by simpa using ho
        split at h
        · rename_i c hl
          cases h
          rw [flatten_onesLast hl] at hp
          rcases mem_append.mp hp with hp | ⟨q, hq, rfl⟩
          · exact mem_cuts hc hp
          · rw [mem_ones ho hq, Nat.mul_one]
            exact mem_cuts hc (prod_mem _)
        · cases h
      · cases h
    · cases h
  exact ⟨fun p => ⟨key p, mem_of_isFlatRefinement (flatRefinement_sound h)⟩, fun a' b' h' p hp =>
    mem_of_isFlatRefinement h' (key p hp)⟩

/-- **For entries above 1 the refinement is determined by its prefix products: two that have the same ones are the same.**
Rust: `razorgirl::category::mutual_refinement`
Source: Categorical Foundations 4.1.1; ours -/
theorem eq_of_prefixProducts {xs ys : List Nat} (hx : ∀ x ∈ xs, 1 < x) (hy : ∀ y ∈ ys, 1 < y)
    (h : ∀ p, p ∈ prefixProducts xs ↔ p ∈ prefixProducts ys) : xs = ys := by
  -- the least prefix product above 1 is the first entry
  have pos : ∀ {zs : List Nat}, (∀ z ∈ zs, 1 < z) → ∀ p ∈ prefixProducts zs, 0 < p := by
    intro zs
    induction zs with
    | nil => intro _ p hp; simp [prefixProducts] at hp; omega
    | cons z zs ih =>
      intro hz p hp
      rcases mem_cons.mp hp with rfl | ⟨q, hq, rfl⟩
      · exact Nat.one_pos
      · exact Nat.mul_pos (by have := hz z (by simp); omega) (ih (fun w hw => hz w (by simp [hw])) q hq)
  have least : ∀ {z : Nat} {zs : List Nat}, (∀ w ∈ z :: zs, 1 < w) → ∀ p ∈ prefixProducts (z :: zs), p = 1 ∨ z ≤ p := by
    intro z zs hz p hp
    rcases mem_cons.mp hp with rfl | ⟨q, hq, rfl⟩
    · exact .inl rfl
    · exact .inr (Nat.le_mul_of_pos_right z (pos (fun w hw => hz w (by simp [hw])) q hq))
  have first : ∀ (z : Nat) (zs : List Nat), z ∈ prefixProducts (z :: zs) := fun z zs => by
    have := mul_mem (x := z) (one_mem zs)
    rwa [Nat.mul_one] at this
  induction xs generalizing ys with
  | nil =>
    cases ys with
    | nil => rfl
    | cons y ys =>
      have h1 := (h y).mpr (first y ys)
      have h2 := hy y (by simp)
      simp [prefixProducts] at h1
      omega
  | cons x xs ih =>
    cases ys with
    | nil =>
      have h1 := (h x).mp (first x xs)
      have h2 := hx x (by simp)
      simp [prefixProducts] at h1
      omega
    | cons y ys =>
      have hx1 := hx x (by simp)
      have hy1 := hy y (by simp)
      have e1 := (least hy x ((h x).mp (first x xs))).resolve_left (by omega)
      have e2 := (least hx y ((h y).mpr (first y ys))).resolve_left (by omega)
      have e : x = y := Nat.le_antisymm e2 e1
      subst e
      refine congrArg _ (ih (fun z hz => hx z (by simp [hz])) (fun z hz => hy z (by simp [hz])) fun p => ?_)
      have back : ∀ {us vs : List Nat}, (∀ q, q ∈ prefixProducts (x :: us) → q ∈ prefixProducts (x :: vs)) →
          p ∈ prefixProducts us → p ∈ prefixProducts vs := fun {us vs} hs hp => by
        rcases mem_cons.mp (hs _ (mul_mem hp)) with h1 | ⟨q, hq, e⟩
        · have := Nat.eq_one_of_mul_eq_one_right h1
          omega
        · rwa [Nat.eq_of_mul_eq_mul_left (by omega) e]
      exact ⟨back fun q => (h q).mp, back fun q => (h q).mpr⟩

end Category

end Razorgirl
