module

public import Razorgirl.Spec.LinearLayout.Carry
public import Razorgirl.Thm.Layout.Coalesce
public import Razorgirl.Thm.Layout.Find
public import Razorgirl.Thm.LinearLayout.Elimination.Solve

@[expose] public section

/-!
# Carries: what is proved

A layout of powers of two adds its columns. It is F2-linear exactly where no two columns have a bit in common, and then
it is the linear layout of these columns.
-/

namespace Razorgirl

namespace LinearLayout

open F2 SwizzledLayout

/-- The columns that the bits of `x` select, added: column 0 first. -/
def addColumns : (cols : List Nat) → (x : Nat) → Nat
  | [], _ => 0
  | c :: cs, x => x % 2 * c + addColumns cs (x / 2)

theorem addColumns_zero (cs : List Nat) : addColumns cs 0 = 0 := by
  induction cs with
  | nil => rfl
  | cons c cs ih => simp [addColumns, ih]

theorem addColumns_range (s k : Nat) (cs : List Nat) (x : Nat) :
    addColumns ((List.range k).map (fun j => s * 2 ^ j) ++ cs) x = x % 2 ^ k * s + addColumns cs (x / 2 ^ k) := by
  induction k generalizing s x with
  | zero => simp [Nat.mod_one]
  | succ k ih =>
    have e : (List.range (k + 1)).map (fun j => s * 2 ^ j) = s :: (List.range k).map (fun j => 2 * s * 2 ^ j) := by
      rw [List.range_succ_eq_map, List.map_cons, List.map_map, Nat.pow_zero, Nat.mul_one]
      congr 1
      apply List.map_congr_left
      intro j _
      simp only [Function.comp_def, Nat.succ_eq_add_one, Nat.pow_succ]
      rw [Nat.mul_comm 2 s, Nat.mul_assoc, Nat.mul_comm 2]
    rw [e, List.cons_append, addColumns, ih, Nat.pow_succ, Nat.mul_comm (2 ^ k) 2, Nat.mod_mul, Nat.div_div_eq_div_mul]
    rw [Nat.add_mul, ← Nat.add_assoc]
    congr 2
    rw [Nat.mul_comm 2 (x / 2 % 2 ^ k), Nat.mul_assoc]

theorem bitColumns_spec {L : FlatLayout} {cs : List Nat} (h : bitColumns L = some cs) :
    FlatLayout.size L = 2 ^ cs.length ∧ ∀ x, FlatLayout.atIndex L x = addColumns cs x := by
  induction L generalizing cs with
  | nil => cases h; exact ⟨rfl, fun _ => rfl⟩
  | cons m L ih =>
    unfold bitColumns at h
    split at h
    · rename_i e
      obtain ⟨ds, hd, rfl⟩ := Option.map_eq_some_iff.1 h
      obtain ⟨i₁, i₂⟩ := ih hd
      refine ⟨?_, fun x => ?_⟩
      · rw [FlatLayout.size_cons, i₁, List.length_append, List.length_map, List.length_range, Nat.pow_add, ← e]
      · rw [FlatLayout.atIndex_cons, i₂, addColumns_range, ← e]
    · cases h

theorem disjoint_cons {c : Nat} {cs : List Nat} : disjoint (c :: cs) = true ↔
    (∀ d ∈ cs, c &&& d = 0) ∧ disjoint cs = true := by
  simp only [disjoint, Bool.and_eq_true, List.all_eq_true, beq_iff_eq]

theorem apply_and {c : Nat} {cs : List Nat} (h : ∀ d ∈ cs, c &&& d = 0) (x : Nat) : c &&& F2.apply cs x = 0 := by
  induction cs generalizing x with
  | nil => simp [F2.apply]
  | cons d cs ih =>
    have i := ih (fun e he => h e (List.mem_cons_of_mem _ he)) (x / 2)
    have hd := h d List.mem_cons_self
    simp only [F2.apply, Nat.and_xor_distrib_left, i, Nat.xor_zero]
    cases x % 2 == 1
    · simp
    · simpa using hd

theorem addColumns_of_disjoint {cs : List Nat} (h : disjoint cs = true) (x : Nat) :
    addColumns cs x = F2.apply cs x := by
  induction cs generalizing x with
  | nil => rfl
  | cons c cs ih =>
    obtain ⟨h₁, h₂⟩ := disjoint_cons.1 h
    simp only [addColumns, F2.apply, ih h₂]
    rcases Nat.mod_two_eq_zero_or_one x with e | e
    · simp [e]
    · have := add_eq_xor.2 (apply_and h₁ (x / 2))
      simp [e, this]

theorem addColumns_even (c : Nat) (cs : List Nat) (x : Nat) : addColumns (c :: cs) (2 * x) = addColumns cs x := by
  simp [addColumns]

theorem addColumns_odd (c : Nat) (cs : List Nat) (x : Nat) : addColumns (c :: cs) (2 * x + 1) = c + addColumns cs x := by
  have h₁ : (2 * x + 1) % 2 = 1 := by omega
  have h₂ : (2 * x + 1) / 2 = x := by omega
  simp [addColumns, h₁, h₂]

theorem addColumns_mem {cs : List Nat} {c : Nat} (h : c ∈ cs) : ∃ x, x < 2 ^ cs.length ∧ addColumns cs x = c := by
  induction cs with
  | nil => cases h
  | cons d cs ih =>
    have p := Nat.two_pow_pos cs.length
    rcases List.mem_cons.1 h with rfl | h
    · refine ⟨1, ?_, ?_⟩
      · rw [List.length_cons, Nat.pow_succ]; omega
      · have := addColumns_odd c cs 0
        rw [addColumns_zero] at this
        simpa using this
    · obtain ⟨x, hx, e⟩ := ih h
      exact ⟨2 * x, by rw [List.length_cons, Nat.pow_succ]; omega, by rw [addColumns_even, e]⟩

theorem disjoint_of_linear {cs : List Nat}
    (h : ∀ x y, x < 2 ^ cs.length → y < 2 ^ cs.length →
      addColumns cs (x ^^^ y) = addColumns cs x ^^^ addColumns cs y) : disjoint cs = true := by
  induction cs with
  | nil => rfl
  | cons c cs ih =>
    have p := Nat.two_pow_pos cs.length
    have two : ∀ x y : Nat, (2 * x) ^^^ (2 * y) = 2 * (x ^^^ y) := by
      intro x y
      apply Nat.eq_of_testBit_eq
      intro i
      cases i with
      | zero => simp [Nat.testBit_zero]
      | succ i => simp [Nat.testBit_succ, Nat.xor_div_two]
    have odd : ∀ x : Nat, (2 * x) ^^^ 1 = 2 * x + 1 := by
      intro x
      apply Nat.eq_of_testBit_eq
      intro i
      cases i with
      | zero => simp [Nat.testBit_zero]
      | succ i => simp [Nat.testBit_succ, Nat.xor_div_two, show (2 * x + 1) / 2 = x by omega]
    refine disjoint_cons.2 ⟨?_, ih fun x y hx hy => ?_⟩
    · intro d hd
      obtain ⟨x, hx, e⟩ := addColumns_mem hd
      have := h (2 * x) 1 (by rw [List.length_cons, Nat.pow_succ]; omega)
        (by rw [List.length_cons, Nat.pow_succ]; omega)
      rw [odd, addColumns_odd, addColumns_even, e] at this
      have o := addColumns_odd c cs 0
      rw [addColumns_zero, Nat.mul_zero, Nat.zero_add, Nat.add_zero] at o
      rw [o, Nat.xor_comm] at this
      exact add_eq_xor.1 this
    · have := h (2 * x) (2 * y) (by rw [List.length_cons, Nat.pow_succ]; omega)
        (by rw [List.length_cons, Nat.pow_succ]; omega)
      rwa [two, addColumns_even, addColumns_even, addColumns_even] at this

/-- **A layout whose extents are powers of two respects exclusive or exactly where no two of its columns, the multiples of its
strides by powers of two, have a bit in common.**
Source: none known (the criterion of `linear_isl`, tested there) -/
theorem linear_iff_disjoint {L : FlatLayout} {cs : List Nat} (h : bitColumns L = some cs) :
    (∀ x y, x < FlatLayout.size L → y < FlatLayout.size L →
      FlatLayout.atIndex L (x ^^^ y) = FlatLayout.atIndex L x ^^^ FlatLayout.atIndex L y) ↔ disjoint cs = true := by
  obtain ⟨s, a⟩ := bitColumns_spec h
  simp only [s, a]
  constructor
  · exact disjoint_of_linear
  · intro d x y _ _
    rw [addColumns_of_disjoint d, addColumns_of_disjoint d, addColumns_of_disjoint d, apply_xor]

/-- **A layout that is converted is the linear layout of the columns that are answered.**
Source: none known -/
theorem columnsOfLayout_apply {L : FlatLayout} {cs : List Nat} (h : columnsOfLayout L = some cs) :
    FlatLayout.size L = 2 ^ cs.length ∧ ∀ x, FlatLayout.atIndex L x = F2.apply cs x := by
  unfold columnsOfLayout at h
  split at h
  · rename_i ds e
    split at h
    · rename_i d
      cases h
      obtain ⟨s, a⟩ := bitColumns_spec e
      exact ⟨s, fun x => by rw [a, addColumns_of_disjoint d]⟩
    · cases h
  · cases h

theorem atIndex_twos (cs : List Nat) (x : Nat) :
    FlatLayout.atIndex (cs.map fun c => ⟨2, c⟩) x = addColumns cs x := by
  induction cs generalizing x with
  | nil => rfl
  | cons c cs ih => rw [List.map_cons, FlatLayout.atIndex_cons, ih]; rfl

theorem size_twos (cs : List Nat) : FlatLayout.size (cs.map fun c => ⟨2, c⟩) = 2 ^ cs.length := by
  induction cs with
  | nil => rfl
  | cons c cs ih => rw [List.map_cons, FlatLayout.size_cons, ih, List.length_cons, Nat.pow_succ, Nat.mul_comm]

theorem valid_twos (cs : List Nat) : FlatLayout.Valid (cs.map fun c => ⟨2, c⟩) := by
  induction cs with
  | nil => trivial
  | cons c cs ih => exact ⟨Nat.zero_lt_two, ih⟩

/-- **Columns without common bits are converted to a coalesced layout that is their linear layout; columns with common bits
are not converted.**
Source: none known -/
theorem layoutOfColumns_atIndex {cs : List Nat} :
    (layoutOfColumns cs).isSome = disjoint cs ∧ ∀ L, layoutOfColumns cs = some L →
      FlatLayout.Valid L ∧ FlatLayout.size L = 2 ^ cs.length ∧ ∀ x, FlatLayout.atIndex L x = F2.apply cs x := by
  unfold layoutOfColumns
  cases d : disjoint cs
  · exact ⟨rfl, fun L h => by cases h⟩
  · refine ⟨rfl, fun L h => ?_⟩
    cases h
    refine ⟨FlatLayout.coalesce_valid (valid_twos cs), ?_, fun x => ?_⟩
    · rw [FlatLayout.coalesce_size, size_twos]
    · rw [FlatLayout.coalesce_atIndex, atIndex_twos, addColumns_of_disjoint d]

theorem getD_eq_of_apply {cs ds : List Nat} (hl : cs.length = ds.length)
    (h : ∀ x, x < 2 ^ cs.length → F2.apply cs x = F2.apply ds x) : cs = ds := by
  have two : ∀ (cs : List Nat) (i : Nat), F2.apply cs (2 ^ i) = cs.getD i 0 := by
    intro cs
    induction cs with
    | nil => intro i; simp [F2.apply]
    | cons c cs ih =>
      intro i
      cases i with
      | zero => simp [F2.apply, F2.apply_zero]
      | succ i =>
        have h₁ : 2 ^ (i + 1) / 2 = 2 ^ i := by rw [Nat.pow_succ]; omega
        have h₂ : 2 ^ (i + 1) % 2 = 0 := by rw [Nat.pow_succ]; omega
        simp [F2.apply, h₁, h₂, ih]
  apply List.ext_getElem hl
  intro i h₁ h₂
  have := h (2 ^ i) ((Nat.pow_lt_pow_iff_right (by omega)).2 h₁)
  rw [two, two] at this
  simpa [List.getD_eq_getElem?_getD, h₁, h₂] using this

theorem bitColumns_isSome_iff (L : FlatLayout) :
    (bitColumns L).isSome = true ↔ ∀ m ∈ L, ∃ k, m.extent = 2 ^ k := by
  induction L with
  | nil => simp [bitColumns]
  | cons m L ih =>
    have e : m.extent = 2 ^ m.extent.log2 ↔ ∃ k, m.extent = 2 ^ k :=
      ⟨fun h => ⟨_, h⟩, fun ⟨k, h⟩ => by rw [h, Nat.log2_two_pow]⟩
    rw [List.forall_mem_cons, ← ih, ← e, bitColumns]
    by_cases h : m.extent = 2 ^ m.extent.log2
    · rw [if_pos h, Option.isSome_map]
      exact ⟨fun i => ⟨h, i⟩, fun i => i.2⟩
    · rw [if_neg h]
      exact ⟨fun i => absurd i Bool.false_ne_true, fun i => absurd i.1 h⟩

/-- **A layout is converted exactly where its extents are powers of two and it respects exclusive or.**
Source: none known -/
theorem columnsOfLayout_isSome_iff (L : FlatLayout) : (columnsOfLayout L).isSome = true ↔
    (∀ m ∈ L, ∃ k, m.extent = 2 ^ k) ∧ ∀ x y, x < FlatLayout.size L → y < FlatLayout.size L →
      FlatLayout.atIndex L (x ^^^ y) = FlatLayout.atIndex L x ^^^ FlatLayout.atIndex L y := by
  rw [← bitColumns_isSome_iff, columnsOfLayout]
  cases h : bitColumns L with
  | none => simp
  | some cs =>
    have := linear_iff_disjoint h
    simp only [Option.isSome_some, true_and, this]
    split <;> rename_i d <;> simp [d]

theorem powers_push {m : Mode} {L : FlatLayout} (hm : ∃ k, m.extent = 2 ^ k) (hL : ∀ n ∈ L, ∃ k, n.extent = 2 ^ k) :
    ∀ n ∈ FlatLayout.push m L, ∃ k, n.extent = 2 ^ k := by
  cases L with
  | nil =>
    intro n hn
    simp only [FlatLayout.push] at hn
    split at hn
    · cases hn
    · rw [List.mem_singleton.1 hn]; exact hm
  | cons p L =>
    intro n hn
    simp only [FlatLayout.push] at hn
    split at hn
    · exact hL n hn
    · split at hn
      · rcases List.mem_cons.1 hn with rfl | hn
        · obtain ⟨i, hi⟩ := hm
          obtain ⟨j, hj⟩ := hL p List.mem_cons_self
          exact ⟨i + j, by rw [Nat.pow_add, hi, hj]⟩
        · exact hL n (List.mem_cons_of_mem _ hn)
      · rcases List.mem_cons.1 hn with rfl | hn
        · exact hm
        · exact hL n hn

theorem powers_coalesce {L : FlatLayout} (h : ∀ m ∈ L, ∃ k, m.extent = 2 ^ k) :
    ∀ m ∈ FlatLayout.coalesce L, ∃ k, m.extent = 2 ^ k := by
  induction L with
  | nil => exact h
  | cons m L ih =>
    exact powers_push (h m List.mem_cons_self) (ih fun n hn => h n (List.mem_cons_of_mem _ hn))

/-- **Where columns are converted to a layout, converting that layout gives the columns.**
Source: none known -/
theorem columnsOfLayout_layoutOfColumns {cs : List Nat} {L : FlatLayout} (h : layoutOfColumns cs = some L) :
    columnsOfLayout L = some cs := by
  obtain ⟨_, s, a⟩ := layoutOfColumns_atIndex.2 L h
  have answered : (columnsOfLayout L).isSome = true := by
    refine (columnsOfLayout_isSome_iff L).2 ⟨?_, fun x y _ _ => by rw [a, a, a, apply_xor]⟩
    unfold layoutOfColumns at h
    split at h
    · cases h
      apply powers_coalesce
      intro m hm
      obtain ⟨c, _, rfl⟩ := List.mem_map.1 hm
      exact ⟨1, rfl⟩
    · cases h
  obtain ⟨ds, hd⟩ := Option.isSome_iff_exists.1 answered
  rw [hd]
  congr 1
  obtain ⟨s', a'⟩ := columnsOfLayout_apply hd
  have l : ds.length = cs.length := by
    rw [s] at s'
    exact Nat.le_antisymm ((Nat.pow_le_pow_iff_right (Nat.lt_succ_self 1)).1 (Nat.le_of_eq s'.symm))
      ((Nat.pow_le_pow_iff_right (Nat.lt_succ_self 1)).1 (Nat.le_of_eq s'))
  exact getD_eq_of_apply l fun x _ => by rw [← a', a]

/-- **Where a layout is converted to columns, converting the columns gives the coalesced layout.**
Source: none known -/
theorem layoutOfColumns_columnsOfLayout {L : FlatLayout} {cs : List Nat} (hL : FlatLayout.Valid L)
    (h : columnsOfLayout L = some cs) : layoutOfColumns cs = some (FlatLayout.coalesce L) := by
  obtain ⟨s, a⟩ := columnsOfLayout_apply h
  have d : disjoint cs = true := by
    unfold columnsOfLayout at h
    split at h
    · split at h
      · rename_i d; cases h; exact d
      · cases h
    · cases h
  rw [layoutOfColumns, if_pos d, Option.some.injEq, FlatLayout.coalesce_eq_iff (valid_twos cs) hL]
  exact ⟨by rw [size_twos, s], fun x _ => by rw [atIndex_twos, addColumns_of_disjoint d, a]⟩

end LinearLayout

end Razorgirl
