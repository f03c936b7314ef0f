module

public import Razorgirl.Spec.Coord

@[expose] public section

/-!
# Lists: products, and counting arguments

Products of extents, and the pigeonhole principle in the forms that injectivity and covering need: a list
without repetition that is contained in another is no longer than it, and what follows from equal lengths.
-/

namespace Razorgirl

/-! ## Products -/

theorem prod_nil : prod [] = 1 := rfl

theorem prod_cons (s : Nat) (ss : List Nat) : prod (s :: ss) = s * prod ss := rfl

theorem prod_append (s t : List Nat) : prod (s ++ t) = prod s * prod t := by
  induction s with
  | nil => simp [prod]
  | cons a s ih => simp [prod, ih, Nat.mul_assoc]

theorem prod_flatten (ss : List (List Nat)) : prod ss.flatten = prod (ss.map prod) := by
  induction ss with
  | nil => rfl
  | cons s ss ih => simp [prod_append, prod, ih]

theorem prod_pos_iff (s : List Nat) : 0 < prod s ↔ ∀ n ∈ s, 0 < n := by
  induction s with
  | nil => simp [prod]
  | cons a s ih =>
    rw [prod, Nat.pos_iff_ne_zero, Nat.mul_ne_zero_iff, ← Nat.pos_iff_ne_zero, ← Nat.pos_iff_ne_zero, ih]
    simp

theorem prod_pos {s : List Nat} (h : ∀ n ∈ s, 0 < n) : 0 < prod s := (prod_pos_iff s).2 h

theorem prod_replicate_one (n : Nat) : prod (List.replicate n 1) = 1 := by
  induction n with
  | zero => rfl
  | succ n ih => simp [List.replicate_succ, prod, ih]

/-! ## Pigeonhole -/

theorem length_le_of_nodup_of_subset {α : Type} [DecidableEq α] {l m : List α} (hl : l.Nodup)
    (h : ∀ x ∈ l, x ∈ m) : l.length ≤ m.length := by
  induction l generalizing m with
  | nil => simp
  | cons a l ih =>
    have ha : a ∈ m := h a (by simp)
    have hal := (List.nodup_cons.1 hl).1
    have := ih (m := m.erase a) (List.nodup_cons.1 hl).2 (fun x hx => by
      have hne : x ≠ a := fun he => hal (he ▸ hx)
      exact (List.mem_erase_of_ne hne).2 (h x (by simp [hx])))
    have hp : 0 < m.length := List.length_pos_of_mem ha
    rw [List.length_erase_of_mem ha] at this
    simp only [List.length_cons]
    omega

theorem length_le_of_nodup_of_lt {l : List Nat} {n : Nat} (hl : l.Nodup) (h : ∀ x ∈ l, x < n) :
    l.length ≤ n := by
  have := length_le_of_nodup_of_subset (m := List.range n) hl (fun x hx => by simpa using h x hx)
  simpa using this

/-- A list without repetition, contained in one that is no longer, contains it. -/
theorem subset_of_nodup_of_length_le {α : Type} [DecidableEq α] {l m : List α} (hl : l.Nodup)
    (h : ∀ x ∈ l, x ∈ m) (hlen : m.length ≤ l.length) : ∀ x ∈ m, x ∈ l := by
  intro x hx
  by_cases hxl : x ∈ l
  · exact hxl
  · have := length_le_of_nodup_of_subset (l := x :: l) (m := m) (List.nodup_cons.2 ⟨hxl, hl⟩)
      (fun y hy => by
        rcases List.mem_cons.1 hy with rfl | hy
        · exact hx
        · exact h y hy)
    simp only [List.length_cons] at this
    omega

/-- Pairwise different numbers below `n`, `n` of them, are all numbers below `n`. -/
theorem mem_of_nodup_of_lt_of_length {l : List Nat} {n : Nat} (hl : l.Nodup) (h : ∀ x ∈ l, x < n)
    (hlen : l.length = n) : ∀ x, x < n → x ∈ l := fun x hx =>
  subset_of_nodup_of_length_le (m := List.range n) hl (fun y hy => by simpa using h y hy)
    (by simp [hlen]) x (by simpa using hx)

/-- A list that contains one without repetition and is no longer has no repetition either. -/
theorem nodup_of_subset_of_length_le {α : Type} [DecidableEq α] {l m : List α} (hm : m.Nodup)
    (h : ∀ x ∈ m, x ∈ l) (hlen : l.length ≤ m.length) : l.Nodup := by
  induction l generalizing m with
  | nil => simp
  | cons a l ih =>
    by_cases ha : a ∈ l
    · have := length_le_of_nodup_of_subset (m := l) hm (fun x hx => by
        rcases List.mem_cons.1 (h x hx) with rfl | hx
        · exact ha
        · exact hx)
      simp only [List.length_cons] at hlen
      omega
    · refine List.nodup_cons.2 ⟨ha, ih (m := m.erase a) (hm.erase a) (fun x hx => ?_) ?_⟩
      · have hx' := (hm.mem_erase_iff).1 hx
        rcases List.mem_cons.1 (h x hx'.2) with rfl | hx''
        · exact absurd rfl hx'.1
        · exact hx''
      · by_cases ham : a ∈ m
        · rw [List.length_erase_of_mem ham]
          simp only [List.length_cons] at hlen
          omega
        · have := length_le_of_nodup_of_subset (m := l) hm (fun x hx => by
            rcases List.mem_cons.1 (h x hx) with rfl | hx
            · exact absurd hx ham
            · exact hx)
          simp only [List.length_cons] at hlen
          omega

theorem nodup_map_iff {α β : Type} (f : α → β) (l : List α) (hl : l.Nodup) :
    (l.map f).Nodup ↔ ∀ x ∈ l, ∀ y ∈ l, f x = f y → x = y := by
  induction l with
  | nil => simp
  | cons a l ih =>
    have ⟨ha, hl⟩ := List.nodup_cons.1 hl
    rw [List.map_cons, List.nodup_cons, ih hl]
    constructor
    · rintro ⟨h, h'⟩ x hx y hy e
      rcases List.mem_cons.1 hx with hx' | hx' <;> rcases List.mem_cons.1 hy with hy' | hy'
      · rw [hx', hy']
      · exact absurd (List.mem_map.2 ⟨y, hy', by rw [← hx', e]⟩) h
      · exact absurd (List.mem_map.2 ⟨x, hx', by rw [← hy', e]⟩) h
      · exact h' x hx' y hy' e
    · intro h
      refine ⟨fun hm => ?_, fun x hx y hy e => h x (by simp [hx]) y (by simp [hy]) e⟩
      obtain ⟨y, hy, e⟩ := List.mem_map.1 hm
      have := h y (by simp [hy]) a (by simp) e
      exact ha (this ▸ hy)

end Razorgirl
