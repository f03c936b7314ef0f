module

public import Razorgirl.Spec.Layout.Complement.Refusal
public import Razorgirl.Thm.Layout.Complement
public import Razorgirl.Thm.Layout.Injective.Collision

@[expose] public section

/-!
# Why a layout has no complement: what is proved

A refusal is there exactly where there is no complement, and what it names is so. The nearest cotargets are the nearest.
-/

namespace Razorgirl

namespace FlatLayout

theorem firstIndivisible_eq_none_iff {cur : Nat} {A : FlatLayout} : firstIndivisible cur A = none ↔ Divides cur A := by
  induction A generalizing cur with
  | nil => simp [firstIndivisible, Divides]
  | cons m A ih =>
    rw [firstIndivisible, Divides, ← and_assoc, Nat.dvd_iff_mod_eq_zero]
    split
    · rename_i h
      rw [ih]
      exact ⟨fun e => ⟨h, e⟩, fun e => e.2⟩
    · rename_i h
      exact ⟨(fun e => by cases e), fun e => absurd e.1 h⟩

theorem firstIndivisible_eq_some {cur d b : Nat} {A : FlatLayout} (h : firstIndivisible cur A = some (d, b)) :
    ∃ P m Q, A = P ++ m :: Q ∧ m.stride = d ∧ Divides cur P ∧ blockFrom cur P = b ∧ ¬ (0 < d ∧ b ∣ d) := by
  induction A generalizing cur with
  | nil => cases h
  | cons m A ih =>
    rw [firstIndivisible] at h
    split at h
    · rename_i q
      obtain ⟨P, n, Q, h1, h2, h3, h4, h5⟩ := ih h
      exact ⟨m :: P, n, Q, by rw [h1]; rfl, h2, ⟨q.1, Nat.dvd_of_mod_eq_zero q.2, h3⟩, h4, h5⟩
    · rename_i q
      cases h
      exact ⟨[], m, A, rfl, rfl, trivial, rfl, fun e => q ⟨e.1, Nat.mod_eq_zero_of_dvd e.2⟩⟩

/-- **A refusal is there exactly where there is no complement.**
Rust: `razorgirl::Layout::complement`
Source: none known -/
theorem complementFault_eq_none_iff (A : FlatLayout) : complementFault A = none ↔ ∃ C, complement A = some C := by
  rw [← Option.isSome_iff_exists, ← Option.ne_none_iff_isSome, complement_ne_none_iff_divides,
    ← firstIndivisible_eq_none_iff, complementFault]
  split
  · rename_i h
    simp [h]
  · rename_i d b h
    rw [h]
    split <;> simp

/-- **A refusal is there exactly where there is no complement in `[0,N)`.**
Rust: `razorgirl::Layout::complement_in`
Source: none known -/
theorem complementInFault_eq_none_iff (A : FlatLayout) (N : Nat) :
    complementInFault A N = none ↔ ∃ C, complementIn A N = some C := by
  rw [← Option.isSome_iff_exists, ← Option.ne_none_iff_isSome, complementIn_ne_none_iff_block,
    Option.ne_none_iff_isSome, Option.isSome_iff_exists, ← complementFault_eq_none_iff, complementInFault]
  cases h : complementFault A with
  | some r => simp
  | none => simp [Nat.dvd_iff_mod_eq_zero]

theorem mem_of_mem_squeeze {m : Mode} {L : FlatLayout} (h : m ∈ squeeze L) : m ∈ L := by
  induction L with
  | nil => exact h
  | cons n L ih =>
    rw [squeeze] at h
    split at h
    · exact List.mem_cons_of_mem _ (ih h)
    · rcases List.mem_cons.1 h with e | e
      · exact e ▸ List.mem_cons_self
      · exact List.mem_cons_of_mem _ (ih e)

theorem complementFault_cases {A : FlatLayout} {r : ComplementRefusal} (h : complementFault A = some r) :
    ∃ d b, firstIndivisible 1 (chain A) = some (d, b) ∧
      ((∃ i j, collision A = some (i, j) ∧ r = .collides i j) ∨ (collision A = none ∧ r = .indivisible d b)) := by
  rw [complementFault] at h
  split at h
  · cases h
  · rename_i d b hd
    refine ⟨d, b, hd, ?_⟩
    split at h
    · rename_i i j hc
      cases h
      exact .inl ⟨i, j, hc, rfl⟩
    · rename_i hc
      cases h
      exact .inr ⟨hc, rfl⟩

theorem complementInFault_cases {A : FlatLayout} {N : Nat} {r : ComplementRefusal} (h : complementInFault A N = some r) :
    complementFault A = some r ∨ (complementFault A = none ∧ ¬ (0 < N ∧ N % block A = 0) ∧ r = .uneven (block A)) := by
  rw [complementInFault] at h
  split at h
  · rename_i r' hr
    cases h
    exact .inl hr
  · rename_i hn
    split at h
    · cases h
    · rename_i q
      cases h
      exact .inr ⟨hn, q, rfl⟩

/-- **The two indices of a refusal differ, are indices of the layout, and have one offset.**
Rust: `razorgirl::Witness`
Source: none known -/
theorem complementFault_eq_collides {A : FlatLayout} {i j : Nat} (h : complementFault A = some (.collides i j)) :
    i < j ∧ j < size A ∧ atIndex A i = atIndex A j := by
  obtain ⟨_, _, _, ⟨i', j', hc, e⟩ | ⟨_, e⟩⟩ := complementFault_cases h
  · cases e
    exact collision_eq_some hc
  · cases e

/-- **Where two indices have one offset, no layout completes the layout in any `[0,N)`.**
Rust: `razorgirl::Witness`
Source: none known -/
theorem not_completes_of_collision {A : FlatLayout} {i j : Nat} (hij : i < j) (hj : j < size A)
    (e : atIndex A i = atIndex A j) : ¬ ∃ N B, Valid B ∧ Completes A B N := by
  rintro ⟨N, B, hB, h⟩
  have := injective_of_append_left hB h.1.1
  rw [injective_iff_atIndex] at this
  have := this i j (by omega) hj e
  omega

/-- **The stride of a refusal is that of a mode of extent above 1; the modes before it in order of stride divide in turn and fill the
block with their copies; the block does not divide the stride. The layout is injective, so that this is the reason.**
Rust: `razorgirl::Witness`
Source: Colfax 2.1.6.11, 2.1.6.21 (the condition) -/
theorem complementFault_eq_indivisible {A : FlatLayout} (hA : Valid A) {d b : Nat}
    (h : complementFault A = some (.indivisible d b)) : Injective A ∧
      ∃ P m Q, chain A = P ++ m :: Q ∧ m.stride = d ∧ Divides 1 P ∧ blockFrom 1 P = b ∧ ¬ b ∣ d := by
  obtain ⟨d', b', hd, ⟨i', j', _, e⟩ | ⟨hc, e⟩⟩ := complementFault_cases h
  · cases e
  · cases e
    have hi := (collision_eq_none_iff A).1 hc
    obtain ⟨P, m, Q, h1, h2, h3, h4, h5⟩ := firstIndivisible_eq_some hd
    refine ⟨hi, P, m, Q, h1, h2, h3, h4, fun hb => h5 ⟨?_, hb⟩⟩
    have hm : m ∈ chain A := by rw [h1]; simp
    have hms : m ∈ squeeze A := (chain_perm A).mem_iff.1 hm
    have he := two_le_of_mem_chain hA hm
    have hmA : m ∈ A := mem_of_mem_squeeze hms
    rw [← h2]
    exact stride_pos_of_injective hA hi hmA (by omega)

/-- **Where a stride is no multiple of the block that the modes before it fill, no layout completes the layout in any `[0,N)`.**
Rust: `razorgirl::Witness`
Source: Colfax 2.1.6.21 -/
theorem not_completes_of_indivisible {A P Q : FlatLayout} {m : Mode} (hA : Valid A) (h : chain A = P ++ m :: Q)
    (hb : ¬ blockFrom 1 P ∣ m.stride) : ¬ ∃ N B, Valid B ∧ Completes A B N := by
  rw [← complement_ne_none_iff hA, complement_ne_none_iff_divides, h]
  intro hd
  have key : ∀ (c : Nat) (P : FlatLayout), Divides c (P ++ m :: Q) → blockFrom c P ∣ m.stride := by
    intro c P
    induction P generalizing c with
    | nil => exact fun e => e.2.1
    | cons p P ih => exact fun e => ih _ e.2.2
  exact hb (key 1 P hd)

/-- **The block of a refusal is that of the layout, which has a complement, and it does not divide the cotarget, which may be 0.**
Rust: `razorgirl::Witness`
Source: Colfax 2.1.6.32 -/
theorem complementInFault_eq_uneven {A : FlatLayout} {N b : Nat} (h : complementInFault A N = some (.uneven b)) :
    b = block A ∧ (∃ C, complement A = some C) ∧ (N = 0 ∨ ¬ b ∣ N) := by
  rcases complementInFault_cases h with h | ⟨hn, q, e⟩
  · obtain ⟨_, _, _, ⟨_, _, _, e⟩ | ⟨_, e⟩⟩ := complementFault_cases h <;> cases e
  · cases e
    refine ⟨rfl, (complementFault_eq_none_iff A).1 hn, ?_⟩
    rcases Nat.eq_zero_or_pos N with h0 | h0
    · exact .inl h0
    · exact .inr fun hd => q ⟨h0, Nat.mod_eq_zero_of_dvd hd⟩

/-! ## The nearest cotargets -/

/-- **Up to N, the largest cotarget in which the layout has a complement is the nearest one below, where that is not 0; if it is 0,
there is none.**
Rust: `razorgirl::Layout::complement_in`
Source: none known -/
theorem cotargetBelow_spec {A : FlatLayout} (h : complement A ≠ none) (N : Nat) : cotargetBelow A N ≤ N ∧
    (0 < cotargetBelow A N → complementIn A (cotargetBelow A N) ≠ none) ∧
      ∀ M, M ≤ N → complementIn A M ≠ none → M ≤ cotargetBelow A N := by
  have hb : block A ∣ cotargetBelow A N := Nat.dvd_sub_mod N
  refine ⟨Nat.sub_le _ _, fun h0 => (complementIn_ne_none_iff_block A _).2 ⟨h, h0, hb⟩, fun M hM hc => ?_⟩
  obtain ⟨_, h0, q, rfl⟩ := (complementIn_ne_none_iff_block A M).1 hc
  have e : cotargetBelow A N = block A * (N / block A) := by
    have := Nat.mod_add_div N (block A)
    rw [cotargetBelow]
    omega
  have hp : 0 < block A := Nat.pos_of_mul_pos_right h0
  rw [e]
  exact Nat.mul_le_mul_left _ ((Nat.le_div_iff_mul_le hp).2 (by rw [Nat.mul_comm]; exact hM))

/-- **From N on, the least cotarget in which the layout has a complement is the nearest one above.**
Rust: `razorgirl::Layout::complement_in`
Source: none known -/
theorem cotargetAbove_spec {A : FlatLayout} (hA : Valid A) (h : complement A ≠ none) (N : Nat) : N ≤ cotargetAbove A N ∧
    complementIn A (cotargetAbove A N) ≠ none ∧ ∀ M, N ≤ M → complementIn A M ≠ none → cotargetAbove A N ≤ M := by
  have hp : 0 < block A := by
    have := (complement_ne_none_iff_divides A).1 h
    exact blockFrom_pos Nat.one_pos this (valid_chain hA)
  have hm := Nat.mod_lt N hp
  rw [cotargetAbove]
  split
  · rename_i q
    exact ⟨Nat.le_refl _, (complementIn_ne_none_iff_block A _).2 ⟨h, q.2, Nat.dvd_of_mod_eq_zero q.1⟩, fun M hM _ => hM⟩
  · rename_i q
    refine ⟨by omega, (complementIn_ne_none_iff_block A _).2 ⟨h, by omega, ?_⟩, fun M hM hc => ?_⟩
    · exact (Nat.dvd_add_right (Nat.dvd_sub_mod N)).2 (Nat.dvd_refl _)
    · obtain ⟨_, h0, k, rfl⟩ := (complementIn_ne_none_iff_block A M).1 hc
      have e := Nat.mod_add_div N (block A)
      have hlt : N / block A < k := by
        rcases Nat.lt_or_ge (N / block A) k with hk | hk
        · exact hk
        · exfalso
          have h1 : block A * k ≤ block A * (N / block A) := Nat.mul_le_mul_left _ hk
          exact q ⟨by omega, by omega⟩
      have h2 : block A * (N / block A + 1) ≤ block A * k := Nat.mul_le_mul_left _ hlt
      rw [Nat.mul_succ] at h2
      omega

end FlatLayout

end Razorgirl
