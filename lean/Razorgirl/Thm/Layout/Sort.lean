module

public import Razorgirl.Spec.Layout.Sort
public import Razorgirl.Thm.Layout.Injective
public import Razorgirl.Thm.Layout.Basic.Nested
public import Razorgirl.Thm.Layout.Lemmas

@[expose] public section

/-!
# Sorting modes: what is proved

Permuting modes permutes the offsets, so everything that does not depend on their order stays: size, cosize,
image, injectivity, contiguity. Sorting is the permutation that depends only on which modes there are. Ties are
equal modes, so there is no stability to speak of.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Any permutation of the modes -/

theorem range_mul (a n : Nat) : List.range (a * n) =
    (List.range n).flatMap fun q => (List.range a).map fun k => k + a * q := by
  induction n with
  | zero => simp
  | succ n ih =>
    rw [Nat.mul_succ, List.range_add, ih, List.range_succ, List.flatMap_append]
    simp [Nat.add_comm]

theorem offsets_cons (m : Mode) (L : FlatLayout) : offsets (m :: L) =
    (offsets L).flatMap fun o => (List.range m.extent).map fun k => k * m.stride + o := by
  simp only [offsets, size_cons, range_mul, List.map_flatMap, List.flatMap_map, List.map_map]
  congr 1
  funext q
  refine List.map_congr_left fun k hk => ?_
  have hk : k < m.extent := by simpa using hk
  simp only [Function.comp, atIndex_cons]
  rw [Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hk, Nat.add_mul_div_left _ _ (by omega),
    Nat.div_eq_of_lt hk, Nat.zero_add]

theorem flatMap_perm_of_forall {α β : Type} {f g : α → List β} (h : ∀ a, (f a).Perm (g a)) (l : List α) :
    (l.flatMap f).Perm (l.flatMap g) := by
  induction l with
  | nil => exact .refl _
  | cons a l ih => rw [List.flatMap_cons, List.flatMap_cons]; exact (h a).append ih

theorem flatMap_cons_perm {α β : Type} (f : α → β) (g : α → List β) (l : List α) :
    (l.flatMap fun a => f a :: g a).Perm (l.map f ++ l.flatMap g) := by
  induction l with
  | nil => exact .refl _
  | cons a l ih =>
    simp only [List.flatMap_cons, List.map_cons, List.cons_append]
    refine .cons _ ((ih.append_left (g a)).trans ?_)
    rw [← List.append_assoc, ← List.append_assoc]
    exact List.perm_append_comm.append_right _

theorem flatMap_map_comm {α β γ : Type} (h : α → β → γ) (A : List α) (B : List β) :
    (A.flatMap fun a => B.map (h a)).Perm (B.flatMap fun b => A.map fun a => h a b) := by
  induction A with
  | nil => simp
  | cons a A ih =>
    simp only [List.flatMap_cons, List.map_cons]
    exact (ih.append_left _).trans (flatMap_cons_perm (h a) (fun b => A.map fun a => h a b) B).symm

/-- **Permuting the modes permutes the offsets: each is hit as often as before.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.3 -/
theorem offsets_perm {A B : FlatLayout} (h : A.Perm B) : (offsets A).Perm (offsets B) := by
  induction h with
  | nil => exact .refl _
  | cons m _ ih => rw [offsets_cons, offsets_cons]; exact ih.flatMap_right _
  | swap m n L =>
    simp only [offsets_cons, List.flatMap_assoc, List.flatMap_map]
    refine flatMap_perm_of_forall (fun o => ?_) _
    refine (flatMap_map_comm _ _ _).trans (.of_eq ?_)
    congr 1
    funext k
    refine List.map_congr_left fun j _ => ?_
    omega
  | trans _ _ h1 h2 => exact h1.trans h2

/-- **Permuting the modes keeps the size.**
Source: Colfax 2.1.3 -/
theorem size_perm {A B : FlatLayout} (h : A.Perm B) : size A = size B := by
  rw [← length_offsets, ← length_offsets, (offsets_perm h).length_eq]

/-- **Permuting the modes keeps the set of offsets.**
Source: Colfax 2.1.3 -/
theorem mem_offsets_perm {A B : FlatLayout} (h : A.Perm B) (o : Nat) : o ∈ offsets A ↔ o ∈ offsets B :=
  (offsets_perm h).mem_iff

/-- **Permuting the modes keeps the cosize.**
Source: Colfax 2.1.3 -/
theorem cosize_perm {A B : FlatLayout} (h : A.Perm B) : cosize A = cosize B :=
  Aux.cosize_congr (mem_offsets_perm h)

/-- **Permuting the modes keeps the closed form of the cosize.**
Source: Colfax 2.1.3 -/
theorem cosizeFormula_perm {A B : FlatLayout} (h : A.Perm B) : cosizeFormula A = cosizeFormula B := by
  induction h with
  | nil => rfl
  | cons m _ ih => rw [cosizeFormula, ih, cosizeFormula]
  | swap m n L => simp only [cosizeFormula]; omega
  | trans _ _ h1 h2 => exact h1.trans h2

theorem valid_perm {A B : FlatLayout} (h : A.Perm B) : Valid A ↔ Valid B := by
  rw [valid_iff_size_pos, valid_iff_size_pos, size_perm h]

/-- **Permuting the modes keeps injectivity.**
Source: Colfax 2.1.5 -/
theorem injective_perm {A B : FlatLayout} (h : A.Perm B) : Injective A ↔ Injective B := by
  rw [injective_iff_nodup, injective_iff_nodup, (offsets_perm h).nodup_iff]

/-- **Permuting the modes keeps contiguity.**
Source: Colfax 2.1.5 -/
theorem contiguous_perm {A B : FlatLayout} (h : A.Perm B) : Contiguous A ↔ Contiguous B := by
  rw [contiguous_iff_injective, contiguous_iff_injective, injective_perm h, cosize_perm h, size_perm h]

/-! ## Sorting -/

theorem before_iff (m n : Mode) :
    m.before n = true ↔ m.stride < n.stride ∨ m.stride = n.stride ∧ m.extent ≤ n.extent := by
  simp [Mode.before]

theorem before_refl (m : Mode) : m.before m = true := by rw [before_iff]; omega

theorem before_total {m n : Mode} (h : ¬ m.before n = true) : n.before m = true := by
  rw [before_iff] at h ⊢; omega

theorem before_trans {a b c : Mode} (h : a.before b = true) (h' : b.before c = true) :
    a.before c = true := by
  rw [before_iff] at *; omega

theorem before_antisymm {m n : Mode} (h : m.before n = true) (h' : n.before m = true) : m = n := by
  rw [before_iff] at h h'
  cases m; cases n
  simp only at h h'
  simp only [Mode.mk.injEq]
  omega

theorem insert_perm (m : Mode) (L : FlatLayout) : (insert m L).Perm (m :: L) := by
  induction L with
  | nil => exact .refl _
  | cons n L ih =>
    simp only [insert]
    split
    · exact .refl _
    · exact (ih.cons n).trans (.swap m n L)

/-- **Sorting permutes the modes.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.3 -/
theorem sort_perm (L : FlatLayout) : (sort L).Perm L := by
  induction L with
  | nil => exact .refl _
  | cons m L ih => exact (insert_perm m _).trans (ih.cons m)

theorem sorted_insert {m : Mode} {L : FlatLayout} (h : Sorted L) : Sorted (insert m L) := by
  unfold Sorted at *
  induction L with
  | nil => simp [insert]
  | cons n L ih =>
    simp only [insert]
    split
    · rename_i hmn
      refine List.pairwise_cons.mpr ⟨fun k hk => ?_, h⟩
      rcases List.mem_cons.mp hk with rfl | hk
      · exact hmn
      · exact before_trans hmn ((List.pairwise_cons.mp h).1 k hk)
    · rename_i hmn
      refine List.pairwise_cons.mpr ⟨fun k hk => ?_, ih (List.pairwise_cons.mp h).2⟩
      rcases List.mem_cons.mp ((insert_perm m L).mem_iff.mp hk) with rfl | hk
      · exact before_total hmn
      · exact (List.pairwise_cons.mp h).1 k hk

/-- **After sorting, strides do not fall, nor extents where strides are equal.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.3 -/
theorem sort_sorted (L : FlatLayout) : Sorted (sort L) := by
  induction L with
  | nil => exact .nil
  | cons m L ih => exact sorted_insert ih

/-- **The sorted order depends only on which modes there are, not on the order they came in.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.3 -/
theorem sort_eq_iff_perm {A B : FlatLayout} : sort A = sort B ↔ A.Perm B := by
  constructor
  · intro h; exact (sort_perm A).symm.trans (h ▸ sort_perm B)
  · intro h
    exact ((sort_perm A).trans (h.trans (sort_perm B).symm)).eq_of_pairwise
      (fun _ _ _ _ => before_antisymm) (sort_sorted A) (sort_sorted B)

/-- **A sorted layout stays as it is.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.3 -/
theorem sort_eq_self_iff {L : FlatLayout} : sort L = L ↔ Sorted L := by
  constructor
  · intro h; exact h ▸ sort_sorted L
  · intro h
    exact (sort_perm L).eq_of_pairwise (fun _ _ _ _ => before_antisymm) (sort_sorted L) h

/-- **Sorting twice is sorting once.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.3 -/
theorem sort_idempotent (L : FlatLayout) : sort (sort L) = sort L := sort_eq_self_iff.mpr (sort_sorted L)

/-- **Sorting permutes the offsets: each is hit as often as before.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.3 -/
theorem sort_offsets_perm (L : FlatLayout) : (offsets (sort L)).Perm (offsets L) :=
  offsets_perm (sort_perm L)

/-- **Sorting keeps the set of offsets.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.3 -/
theorem sort_mem_offsets (L : FlatLayout) (o : Nat) : o ∈ offsets (sort L) ↔ o ∈ offsets L :=
  mem_offsets_perm (sort_perm L) o

/-- **Sorting keeps the size.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.3 -/
theorem sort_size (L : FlatLayout) : size (sort L) = size L := size_perm (sort_perm L)

/-- **Sorting keeps the cosize.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.3 -/
theorem sort_cosize (L : FlatLayout) : cosize (sort L) = cosize L := cosize_perm (sort_perm L)

/-- **A valid layout stays valid when sorted.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.3 -/
theorem sort_valid {L : FlatLayout} (h : Valid L) : Valid (sort L) := (valid_perm (sort_perm L)).mpr h

/-- **Sorting neither makes nor removes collisions.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.5 -/
theorem sort_injective (L : FlatLayout) : Injective (sort L) ↔ Injective L := injective_perm (sort_perm L)

/-- **A layout is contiguous exactly when it is so with its modes sorted.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.5 -/
theorem sort_contiguous (L : FlatLayout) : Contiguous (sort L) ↔ Contiguous L :=
  contiguous_perm (sort_perm L)

theorem sort_length (L : FlatLayout) : (sort L).length = L.length := (sort_perm L).length_eq

end FlatLayout

namespace Layout
open HTuple

/-- **Sorting a valid nested layout gives a valid one.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.3.3 -/
theorem sort_valid {L : Layout} (h : L.Valid) : (sort L).Valid := by
  refine ⟨?_, FlatLayout.sort_valid h.2⟩
  have := (valid_flatten h).1
  rw [modes_flatten] at this
  simp only [sort, FlatLayout.sort_length, this]

/-- **Sorting a nested layout permutes its offsets: each is hit as often as before.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.3 -/
theorem sort_offsets_perm (L : Layout) :
    (FlatLayout.offsets (sort L).modes).Perm (FlatLayout.offsets L.modes) :=
  FlatLayout.sort_offsets_perm L.modes

/-- **Sorting a nested layout keeps its size.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.3 -/
theorem sort_size (L : Layout) : (sort L).size = L.size := FlatLayout.sort_size L.modes

/-- **Sorting a nested layout keeps its cosize.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.3 -/
theorem sort_cosize (L : Layout) : (sort L).cosize = L.cosize := FlatLayout.sort_cosize L.modes

/-- **Sorting a nested layout twice is sorting it once.**
Rust: `razorgirl::Layout::sort`
Source: Colfax 2.1.3 -/
theorem sort_idempotent (L : Layout) : sort (sort L) = sort L := by
  obtain ⟨ms, p⟩ := L
  cases p with
  | leaf a => simp only [sort, Layout.flatten, FlatLayout.sort_idempotent]
  | node ps =>
    simp only [sort, Layout.flatten, FlatLayout.sort_idempotent, List.map_const', FlatLayout.sort_length]

end Layout

/-! ## Worked examples -/

namespace FlatLayout

/-- Row-major becomes column-major: the function of the index changes, the set of offsets does not. -/
example : sort [⟨2, 3⟩, ⟨3, 1⟩] = [⟨3, 1⟩, ⟨2, 3⟩] ∧ offsets [⟨2, 3⟩, ⟨3, 1⟩] = [0, 3, 1, 4, 2, 5] ∧
    offsets [⟨3, 1⟩, ⟨2, 3⟩] = [0, 1, 2, 3, 4, 5] := by decide +kernel
/-- «Categorical Foundations» 2.1.3.29 as printed says that a layout with nondecreasing function is sorted.
These three are not sorted; their functions are 0,1, then 0,2,4, then all 0. -/
example : sort [⟨1, 5⟩, ⟨2, 1⟩] ≠ [⟨1, 5⟩, ⟨2, 1⟩] ∧ offsets [⟨1, 5⟩, ⟨2, 1⟩] = [0, 1] ∧
    sort [⟨3, 2⟩, ⟨1, 2⟩] ≠ [⟨3, 2⟩, ⟨1, 2⟩] ∧ offsets [⟨3, 2⟩, ⟨1, 2⟩] = [0, 2, 4] ∧
    sort [⟨3, 0⟩, ⟨2, 0⟩] ≠ [⟨3, 0⟩, ⟨2, 0⟩] ∧ offsets [⟨3, 0⟩, ⟨2, 0⟩] = [0, 0, 0, 0, 0, 0] := by
  decide +kernel

end FlatLayout

end Razorgirl
