module

public import Razorgirl.Spec.Category.Refinement
public import Razorgirl.Thm.Coord

@[expose] public section

/-!
# Mutual refinement: the greedy loop finds one exactly where there is any
-/

namespace Razorgirl

namespace Category

namespace RefinementAux

theorem flatten_cutFirst (n : Nat) (b : List (List Nat)) : (cutFirst n b).flatten = n :: b.flatten := by
  cases b <;> rfl

theorem prod_cutFirst {n y : Nat} {b : List (List Nat)} {ys : List Nat} (h : b.map prod = y :: ys) :
    (cutFirst n b).map prod = n * y :: ys := by
  match b with
  | [] => simp at h
  | g :: b =>
    simp only [List.map_cons, List.cons.injEq] at h
    simp only [cutFirst, List.map_cons, prod, h.1, h.2]

/-- What the loop answers: the parts of both, and what is left of the first. -/
theorem cuts_sound : {fuel : Nat} → {xs ys : List Nat} → {a b : List (List Nat)} → {rest : List Nat} →
    cuts fuel xs ys = some (a, b, rest) → (∀ r ∈ rest, r = 1) →
    (∃ done, a.map prod ++ rest = xs ∧ b.map prod = ys ∧ b.flatten = a.flatten ++ done ∧ (rest ≠ [] → done = []))
  | _, [], ys, a, b, rest, h, _ => by
    simp only [cuts, Option.some.injEq, Prod.mk.injEq] at h
    obtain ⟨rfl, rfl, rfl⟩ := h
    refine ⟨(ys.map fun y => [y]).flatten, rfl, ?_, rfl, fun h => absurd rfl h⟩
    simp [List.map_map, Function.comp_def, prod]
  | fuel, x :: xs, [], a, b, rest, h, _ => by
    cases fuel <;>
    · simp only [cuts, Option.some.injEq, Prod.mk.injEq] at h
      obtain ⟨rfl, rfl, rfl⟩ := h
      exact ⟨[], rfl, rfl, rfl, fun _ => rfl⟩
  | 0, _ :: _, _ :: _, _, _, _, h, _ => by simp [cuts] at h
  | fuel + 1, x :: xs, y :: ys, a, b, rest, h, ho => by
    simp only [cuts] at h
    split at h
    · rename_i e
      split at h
      · rename_i a' b' r' h'
        simp only [Option.some.injEq, Prod.mk.injEq] at h
        obtain ⟨rfl, rfl, rfl⟩ := h
        obtain ⟨done, h1, h2, h3, h4⟩ := cuts_sound h' ho
        refine ⟨done, ?_, ?_, ?_, h4⟩
        · simp only [List.map_cons, prod, Nat.mul_one, List.cons_append, h1]
        · simp only [List.map_cons, prod, Nat.mul_one, h2]
        · simp only [List.flatten_cons, List.cons_append, List.nil_append, h3, e]
      · cases h
    · split at h
      · rename_i hd
        split at h
        · rename_i a' b' r' h'
          simp only [Option.some.injEq, Prod.mk.injEq] at h
          obtain ⟨rfl, rfl, rfl⟩ := h
          obtain ⟨done, h1, h2, h3, h4⟩ := cuts_sound h' ho
          refine ⟨done, ?_, ?_, ?_, h4⟩
          · simp only [List.map_cons, prod, Nat.mul_one, List.cons_append, h1]
          · rw [prod_cutFirst h2, Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hd)]
          · simp only [flatten_cutFirst, List.flatten_cons, List.cons_append, List.nil_append, h3]
        · cases h
      · split at h
        · rename_i hd
          split at h
          · rename_i a' b' r' h'
            simp only [Option.some.injEq, Prod.mk.injEq] at h
            obtain ⟨rfl, rfl, rfl⟩ := h
            obtain ⟨done, h1, h2, h3, h4⟩ := cuts_sound h' ho
            match a', h1 with
            | [], h1 =>
              simp only [List.map_nil, List.nil_append] at h1
              have h5 := ho (x / y) (by rw [h1]; simp)
              have := Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hd)
              rw [h5, Nat.mul_one] at this
              exact absurd this.symm (by assumption)
            | g :: a', h1 =>
              simp only [List.map_cons, List.cons_append, List.cons.injEq] at h1
              refine ⟨done, ?_, ?_, ?_, h4⟩
              · rw [prod_cutFirst (y := x / y) (ys := a'.map prod) (by simp [h1.1]),
                  Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hd)]
                simp [h1.2]
              · simp only [List.map_cons, prod, Nat.mul_one, h2]
              · simp only [flatten_cutFirst, List.flatten_cons, List.cons_append, List.nil_append, h3]
          · cases h
        · cases h

theorem flatten_singletons (l : List Nat) : (l.map fun n => [n]).flatten = l := by
  induction l with
  | nil => rfl
  | cons n l ih => simp only [List.map_cons, List.flatten_cons, ih, List.cons_append, List.nil_append]

theorem onesLast_sound {ones : List Nat} (ho : ∀ r ∈ ones, r = 1) : {b c : List (List Nat)} → onesLast ones b = some c →
    c.map prod = b.map prod ∧ c.flatten = b.flatten ++ ones
  | [], c, h => by
    simp only [onesLast] at h
    split at h
    · rename_i e
      cases h
      simp [e]
    · cases h
  | [g], c, h => by
    cases h
    have : prod ones = 1 := by
      induction ones with
      | nil => rfl
      | cons r ones ih =>
        rw [prod, ho r (by simp), ih fun s hs => ho s (by simp [hs])]
    simp [prod_append, this]
  | g :: g' :: b, c, h => by
    simp only [onesLast] at h
    split at h
    · rename_i d hd
      cases h
      obtain ⟨h1, h2⟩ := onesLast_sound ho hd
      simp only [List.map_cons, List.flatten_cons, List.append_assoc] at h1 h2 ⊢
      rw [h1, h2]
      exact ⟨rfl, rfl⟩
    · cases h

theorem onesLast_isSome {ones : List Nat} : {b : List (List Nat)} → b ≠ [] ∨ ones = [] → (onesLast ones b).isSome = true
  | [], h => by simp [onesLast, h.resolve_left (fun h => h rfl)]
  | [g], _ => rfl
  | g :: g' :: b, _ => by
    have := onesLast_isSome (ones := ones) (b := g' :: b) (.inl (by simp))
    simp only [onesLast]
    split
    · rfl
    · rename_i e
      rw [e] at this
      cases this

/-- Parts without ones. -/
def strip (a : List (List Nat)) : List (List Nat) := a.map (List.filter (· != 1))

theorem prod_filter (g : List Nat) : prod (g.filter (· != 1)) = prod g := by
  induction g with
  | nil => rfl
  | cons n g ih =>
    by_cases h : n = 1
    · simp [h, prod, ih]
    · simp [h, prod, ih]

theorem prod_strip (a : List (List Nat)) : (strip a).map prod = a.map prod := by
  simp only [strip, List.map_map]
  exact List.map_congr_left fun g _ => prod_filter g

theorem flatten_strip (a : List (List Nat)) : (strip a).flatten = a.flatten.filter (· != 1) := by
  induction a with
  | nil => rfl
  | cons g a ih => simp only [strip, List.map_cons, List.flatten_cons, List.filter_append] at ih ⊢; rw [ih]

theorem one_lt_prod {g : List Nat} (h0 : prod g ≠ 0) (h : ∀ n ∈ g, n ≠ 1) (hg : g ≠ []) : 1 < prod g := by
  match g with
  | [] => exact absurd rfl hg
  | n :: g =>
    simp only [prod] at h0 ⊢
    have hn := h n (by simp)
    have h1 : n ≠ 0 := fun e => h0 (by rw [e, Nat.zero_mul])
    have h2 : prod g ≠ 0 := fun e => h0 (by rw [e, Nat.mul_zero])
    exact Nat.lt_of_lt_of_le (by omega : 1 < n) (Nat.le_mul_of_pos_right n (by omega))

/-- Where there are any cuts without ones, of which the first begin the second, the loop goes through, and leaves only ones. -/
theorem cuts_complete : {fuel : Nat} → {xs ys : List Nat} → {a b : List (List Nat)} → xs.length + ys.length ≤ fuel →
    (∀ x ∈ xs, x ≠ 0) → (∀ y ∈ ys, y ≠ 0) → (∀ g ∈ a, ∀ n ∈ g, n ≠ 1) → (∀ g ∈ b, ∀ n ∈ g, n ≠ 1) →
    a.map prod = xs → b.map prod = ys → a.flatten <+: b.flatten →
    ∃ a' b' rest, cuts fuel xs ys = some (a', b', rest) ∧ ∀ r ∈ rest, r = 1
  | _, [], ys, _, _, _, _, _, _, _, _, _, _ => ⟨[], ys.map fun y => [y], [], by simp [cuts], by simp⟩
  | fuel, x :: xs, [], a, b, _, hx, _, ha, _, h1, h2, h3 => by
    refine ⟨[], [], x :: xs, by cases fuel <;> simp [cuts], fun r hr => ?_⟩
    rw [List.map_eq_nil_iff] at h2
    rw [h2, List.flatten_nil, List.prefix_nil, List.flatten_eq_nil_iff] at h3
    rw [← h1] at hr
    obtain ⟨g, hg, rfl⟩ := List.mem_map.mp hr
    rw [h3 g hg]; rfl
  | 0, _ :: _, _ :: _, _, _, h, _, _, _, _, _, _, _ => by simp at h
  | fuel + 1, x :: xs, y :: ys, a, b, hf, hx, hy, ha, hb, h1, h2, h3 => by
    match a, b, h1, h2 with
    | [], _, h1, _ => simp at h1
    | _, [], _, h2 => simp at h2
    | g :: a, h :: b, h1, h2 =>
      simp only [List.map_cons, List.cons.injEq] at h1 h2
      obtain ⟨hg, ha'⟩ := h1
      obtain ⟨hh, hb'⟩ := h2
      simp only [List.flatten_cons] at h3
      have hx0 := hx x (by simp)
      have hy0 := hy y (by simp)
      have hxs : ∀ x ∈ xs, x ≠ 0 := fun x h => hx x (by simp [h])
      have hys : ∀ y ∈ ys, y ≠ 0 := fun y h => hy y (by simp [h])
      have has : ∀ g ∈ a, ∀ n ∈ g, n ≠ 1 := fun g h => ha g (by simp [h])
      have hbs : ∀ g ∈ b, ∀ n ∈ g, n ≠ 1 := fun g h => hb g (by simp [h])
      simp only [List.length_cons] at hf
      obtain ⟨done, hdone⟩ := h3
      simp only [List.append_assoc] at hdone
      simp only [cuts]
      rcases List.append_eq_append_iff.mp hdone with ⟨k, hk, hk'⟩ | ⟨k, hk, hk'⟩
      · -- h = g ++ k
        by_cases hk0 : k = []
        · subst hk0
          rw [List.append_nil] at hk
          have e : x = y := by rw [← hg, ← hh, hk]
          rw [if_pos e]
          obtain ⟨a', b', rest, he, hr⟩ := cuts_complete (fuel := fuel) (a := a) (b := b) (by omega) hxs hys has hbs ha' hb'
            ⟨done, by simpa using hk'⟩
          exact ⟨_, _, rest, by rw [he], hr⟩
        · have hp : prod k * x = y := by rw [← hg, ← hh, hk, prod_append, Nat.mul_comm]
          have hk1 : 1 < prod k := one_lt_prod (fun e => hy0 (by rw [← hp, e, Nat.zero_mul]))
            (fun n hn => hb h (by simp) n (by rw [hk]; simp [hn])) hk0
          have hne : x ≠ y := fun e => by
            have : 1 * x < prod k * x := Nat.mul_lt_mul_of_pos_right hk1 (by omega)
            omega
          rw [if_neg hne, if_pos (by rw [← hp]; exact Nat.mul_mod_left _ _)]
          have hdiv : y / x = prod k := by rw [← hp]; exact Nat.mul_div_cancel _ (by omega)
          obtain ⟨a', b', rest, he, hr⟩ := cuts_complete (fuel := fuel) (xs := xs) (ys := y / x :: ys) (a := a) (b := k :: b)
            (by simp only [List.length_cons]; omega) hxs
            (fun z hz => (List.mem_cons.mp hz).elim (fun e => by rw [e, hdiv]; omega) (hys z)) has
            (fun g' hg' n hn => (List.mem_cons.mp hg').elim
              (fun e => hb h (by simp) n (by rw [hk]; simp [← e, hn])) fun h' => hbs g' h' n hn)
            ha' (by simp [hdiv, hb']) ⟨done, by simpa using hk'⟩
          exact ⟨_, _, rest, by rw [he], hr⟩
      · -- g = h ++ k
        by_cases hk0 : k = []
        · subst hk0
          rw [List.append_nil] at hk
          have e : x = y := by rw [← hg, ← hh, hk]
          rw [if_pos e]
          obtain ⟨a', b', rest, he, hr⟩ := cuts_complete (fuel := fuel) (a := a) (b := b) (by omega) hxs hys has hbs ha' hb'
            ⟨done, by simpa using hk'.symm⟩
          exact ⟨_, _, rest, by rw [he], hr⟩
        · have hp : prod k * y = x := by rw [← hg, ← hh, hk, prod_append, Nat.mul_comm]
          have hk1 : 1 < prod k := one_lt_prod (fun e => hx0 (by rw [← hp, e, Nat.zero_mul]))
            (fun n hn => ha g (by simp) n (by rw [hk]; simp [hn])) hk0
          have hlt : y < x := by
            have : 1 * y < prod k * y := Nat.mul_lt_mul_of_pos_right hk1 (by omega)
            omega
          rw [if_neg (by omega), if_neg (by rw [Nat.mod_eq_of_lt hlt]; exact hy0),
            if_pos (by rw [← hp]; exact Nat.mul_mod_left _ _)]
          have hdiv : x / y = prod k := by rw [← hp]; exact Nat.mul_div_cancel _ (by omega)
          obtain ⟨a', b', rest, he, hr⟩ := cuts_complete (fuel := fuel) (xs := x / y :: xs) (ys := ys) (a := k :: a) (b := b)
            (by simp only [List.length_cons]; omega)
            (fun z hz => (List.mem_cons.mp hz).elim (fun e => by rw [e, hdiv]; omega) (hxs z)) hys
            (fun g' hg' n hn => (List.mem_cons.mp hg').elim
              (fun e => ha g (by simp) n (by rw [hk]; simp [← e, hn])) fun h' => has g' h' n hn) hbs
            (by simp [hdiv, ha']) hb' ⟨done, by simpa using hk'.symm⟩
          exact ⟨_, _, rest, by rw [he], hr⟩

end RefinementAux

open RefinementAux

/-- **What the greedy loop answers cuts the entries of both, and the parts of T begin those of U.**
Rust: `razorgirl::category::mutual_refinement`
Source: Categorical Foundations 4.1.1 (repaired: `refinement_counterexample`) -/
theorem flatRefinement_sound {xs ys : List Nat} {a b : List (List Nat)} (h : flatRefinement xs ys = some (a, b)) :
    IsFlatRefinement xs ys a b := by
  simp only [flatRefinement] at h
  split at h
  · rename_i a' b' rest hc
    split at h
    · rename_i ho
      have ho : ∀ r ∈ rest, r = 1 := by simpa using ho
      split at h
      · rename_i c hl
        cases h
        obtain ⟨done, h1, h2, h3, h4⟩ := cuts_sound hc ho
        obtain ⟨h5, h6⟩ := onesLast_sound ho hl
        refine ⟨?_, h5.trans h2, ?_⟩
        · have e : (rest.map fun n => [n]).map prod = rest := by simp [List.map_map, Function.comp_def, prod]
          rw [List.map_append, e, h1]
        · have e : (rest.map fun n => [n]).flatten = rest := flatten_singletons rest
          by_cases hr : rest = []
          · subst hr
            exact ⟨done, by simp [h6, h3]⟩
          · exact ⟨[], by rw [List.append_nil, h6, h3, h4 hr, List.flatten_append, e, List.append_nil]⟩
      · cases h
    · cases h
  · cases h

/-- **Entries of at least 1 have a mutual refinement exactly where the greedy loop finds one, if U has an entry or T has none:
entries of 1 included.** The source's loop is incomplete there.
Rust: `razorgirl::category::mutual_refinement`
Source: Categorical Foundations 4.1.1 (repaired: `refinement_counterexample`) -/
theorem flatRefinement_isSome_iff {xs ys : List Nat} (hx : ∀ x ∈ xs, x ≠ 0) (hy : ∀ y ∈ ys, y ≠ 0) (h : ys ≠ [] ∨ xs = []) :
    (flatRefinement xs ys).isSome = true ↔ ∃ a b, IsFlatRefinement xs ys a b := by
  constructor
  · intro hs
    obtain ⟨⟨a, b⟩, hab⟩ := Option.isSome_iff_exists.mp hs
    exact ⟨a, b, flatRefinement_sound hab⟩
  · rintro ⟨a, b, h1, h2, h3⟩
    have none : ∀ c : List (List Nat), ∀ g ∈ strip c, ∀ n ∈ g, n ≠ 1 := fun c g hg n hn => by
      obtain ⟨k, _, rfl⟩ := List.mem_map.mp hg
      simpa using (List.mem_filter.mp hn).2
    obtain ⟨a', b', rest, hc, ho⟩ := cuts_complete (Nat.le_refl _) hx hy (none a) (none b) (by rw [prod_strip, h1])
      (by rw [prod_strip, h2]) (by rw [flatten_strip, flatten_strip]; exact h3.filter _)
    have hb : b' ≠ [] ∨ rest = [] := by
      obtain ⟨done, e1, e2, _, _⟩ := cuts_sound hc ho
      rcases h with h | h
      · left; intro e; rw [e] at e2; exact h e2.symm
      · right
        subst h
        exact (List.append_eq_nil_iff.mp e1).2
    obtain ⟨c, hl⟩ := Option.isSome_iff_exists.mp (onesLast_isSome (ones := rest) hb)
    simp only [flatRefinement, hc, List.all_eq_true.mpr fun r hr => beq_iff_eq.mpr (ho r hr), if_true, hl]
    rfl

/-- **Nested tuples have a mutual refinement exactly where their entries have one, and it is that, in their nesting.**
Rust: `razorgirl::category::mutual_refinement`
Source: Categorical Foundations 4.1.1 (repaired: `refinement_counterexample`) -/
theorem mutualRefinement_isSome_iff {t u : IntTuple} : (mutualRefinement t u).isSome = true ↔
      ∃ a b, IsFlatRefinement t.flatten u.flatten a b ∧
        mutualRefinement t u = some (substitute t (a.map partTuple), substitute u (b.map partTuple)) := by
  have hm : ∀ a b, flatRefinement t.flatten u.flatten = some (a, b) →
      mutualRefinement t u = some (substitute t (a.map partTuple), substitute u (b.map partTuple)) := fun a b e => by
    simp only [mutualRefinement, e]
  constructor
  · intro hs
    cases e : flatRefinement t.flatten u.flatten with
    | none => simp [mutualRefinement, e] at hs
    | some r => exact ⟨r.1, r.2, flatRefinement_sound e, hm _ _ e⟩
  · rintro ⟨a, b, hab, e⟩
    rw [e]; rfl

/-- **Two nested tuples are refused exactly where their entries have no mutual refinement.**
Rust: `razorgirl::category::mutual_refinement`
Source: Categorical Foundations 4.1.1 (repaired: `refinement_counterexample`) -/
theorem mutualRefinement_eq_none_iff {t u : IntTuple} (ht : ∀ x ∈ t.flatten, x ≠ 0) (hu : ∀ y ∈ u.flatten, y ≠ 0)
    (h : u.flatten ≠ [] ∨ t.flatten = []) :
    mutualRefinement t u = none ↔ ¬ ∃ a b, IsFlatRefinement t.flatten u.flatten a b := by
  rw [← flatRefinement_isSome_iff ht hu h]
  cases e : flatRefinement t.flatten u.flatten <;> simp [mutualRefinement, e]

end Category

end Razorgirl
