module

public import Razorgirl.Spec.Layout.Find
public import Razorgirl.Thm.Layout.Coalesce

@[expose] public section

/-!
# From a function to its layout: what is proved

`findLayout f M` returns a layout exactly when one of size `M` has the offsets `f 0, …, f (M-1)`, and then it
returns the coalesced one. So a function has one coalesced layout, and coalescing decides whether two layouts
are the same function.
-/

namespace Razorgirl
open FlatLayout FlatLayout.Aux

/-! ## The two loops -/

theorem breakAt_spec (f : Nat → Nat) (s k n : Nat) :
    k ≤ breakAt f s k n ∧ breakAt f s k n ≤ k + n ∧
    (∀ j, k ≤ j → j < breakAt f s k n → f j = j * s) ∧
    (breakAt f s k n = k + n ∨ f (breakAt f s k n) ≠ breakAt f s k n * s) := by
  induction n generalizing k with
  | zero => simp only [breakAt]; exact ⟨by omega, by omega, fun j h1 h2 => by omega, .inl rfl⟩
  | succ n ih =>
    simp only [breakAt]
    split
    · rename_i h
      obtain ⟨h1, h2, h3, h4⟩ := ih (k + 1)
      refine ⟨by omega, by omega, fun j hk hj => ?_, ?_⟩
      · rcases Nat.eq_or_lt_of_le hk with rfl | hlt
        · exact h
        · exact h3 j hlt hj
      · rcases h4 with h4 | h4
        · left; omega
        · exact .inr h4
    · rename_i h
      exact ⟨by omega, by omega, fun j h1 h2 => by omega, .inr h⟩

theorem breakAt_eq {f : Nat → Nat} {s k n b : Nat} (hk : k ≤ b) (hb : b ≤ k + n)
    (h : ∀ j, k ≤ j → j < b → f j = j * s) (he : b = k + n ∨ f b ≠ b * s) : breakAt f s k n = b := by
  obtain ⟨h1, h2, h3, h4⟩ := breakAt_spec f s k n
  rcases Nat.lt_trichotomy (breakAt f s k n) b with hlt | heq | hgt
  · rcases h4 with h4 | h4
    · omega
    · exact absurd (h _ h1 hlt) h4
  · exact heq
  · rcases he with he | he
    · omega
    · exact absurd (h3 _ hk hgt) he

theorem breakAt_congr {f g : Nat → Nat} {s k n : Nat} (h : ∀ x, x < k + n → f x = g x) :
    breakAt f s k n = breakAt g s k n := by
  induction n generalizing k with
  | zero => rfl
  | succ n ih => rw [breakAt, breakAt, h k (by omega), ih fun x hx => h x (by omega)]

theorem splits_iff {f : Nat → Nat} {s t n : Nat} :
    splits f s t n = true ↔ ∀ x, x < n → f x = f (t * (x / t)) + s * (x % t) := by
  induction n with
  | zero => simp [splits]
  | succ n ih =>
    simp only [splits, Bool.and_eq_true, beq_iff_eq, ih]
    constructor
    · rintro ⟨h1, h2⟩ x hx
      rcases Nat.lt_or_eq_of_le (Nat.le_of_lt_succ hx) with hlt | rfl
      · exact h2 x hlt
      · exact h1
    · intro h
      exact ⟨h n (by omega), fun x hx => h x (by omega)⟩

theorem splits_congr {f g : Nat → Nat} {s t n : Nat} (h : ∀ x, x < n → f x = g x) :
    splits f s t n = splits g s t n := by
  rw [Bool.eq_iff_iff, splits_iff, splits_iff]
  have key : ∀ x, x < n → f (t * (x / t)) = g (t * (x / t)) := fun x hx =>
    h _ (Nat.lt_of_le_of_lt (Nat.mul_div_le x t) hx)
  constructor
  · intro h1 x hx; rw [← h x hx, ← key x hx, h1 x hx]
  · intro h1 x hx; rw [h x hx, key x hx, h1 x hx]

theorem findLayout_of_two_le {f : Nat → Nat} {M t : Nat} (h : 2 ≤ M) (ht : breakAt f (f 1) 0 M = t) :
    findLayout f M = if 1 < t ∧ M % t = 0 ∧ splits f (f 1) t M = true then
      (findLayout (fun x => f (t * x)) (M / t)).map fun L => ⟨t, f 1⟩ :: L else none := by
  subst ht
  conv => lhs; rw [findLayout]
  rw [if_neg (by omega), if_neg (by omega)]

theorem findLayout_zero (f : Nat → Nat) : findLayout f 0 = none := by
  rw [findLayout]; rfl

theorem findLayout_one (f : Nat → Nat) : findLayout f 1 = if f 0 = 0 then some [] else none := by
  rw [findLayout]; rfl

theorem mul_lt_of_lt_div {t x M : Nat} (h : x < M / t) : t * x < M := by
  have ht : 0 < t := by
    rcases Nat.eq_zero_or_pos t with rfl | ht
    · simp at h
    · exact ht
  rw [Nat.mul_comm]
  exact (Nat.lt_div_iff_mul_lt ht).mp h |> fun h => by omega

/-- **Only the values below `M` matter to what is found.**
Rust: `razorgirl::Layout::find_layout`
Source: Hieu's blog -/
theorem findLayout_congr {f g : Nat → Nat} {M : Nat} (h : ∀ x, x < M → f x = g x) :
    findLayout f M = findLayout g M := by
  induction M using Nat.strongRecOn generalizing f g with
  | ind M ih =>
    rcases Nat.lt_or_ge M 2 with hM | hM
    · match M, hM with
      | 0, _ => rw [findLayout_zero, findLayout_zero]
      | 1, _ => rw [findLayout_one, findLayout_one, h 0 (by omega)]
    · have h1 : g 1 = f 1 := (h 1 (by omega)).symm
      have hb : breakAt g (g 1) 0 M = breakAt f (f 1) 0 M := by
        rw [h1]; exact breakAt_congr fun x hx => (h x (by omega)).symm
      rw [findLayout_of_two_le hM rfl, findLayout_of_two_le hM hb, h1, splits_congr h]
      generalize breakAt f (f 1) 0 M = t
      split
      · rename_i hc
        rw [ih (M / t) (Nat.div_lt_self (by omega) hc.1) fun x hx => h (t * x) (mul_lt_of_lt_div hx)]
      · rfl

theorem two_le_extent {m : Mode} {L : FlatLayout} (hv : Valid (m :: L)) (hc : Coalesced (m :: L)) :
    2 ≤ m.extent := by
  have h1 := coalesced_head hc
  have h2 := hv.1
  omega

theorem atIndex_one {m : Mode} (h : 2 ≤ m.extent) (L : FlatLayout) : atIndex (m :: L) 1 = m.stride := by
  rw [atIndex_cons, Nat.mod_eq_of_lt (by omega), Nat.div_eq_of_lt (by omega), atIndex_zero, Nat.one_mul,
    Nat.add_zero]

theorem two_le_size {m : Mode} {L : FlatLayout} (hv : Valid (m :: L)) (hc : Coalesced (m :: L)) :
    2 ≤ size (m :: L) := by
  have h1 := two_le_extent hv hc
  have h2 := Valid.size_pos (L := L) hv.2
  rw [size_cons]
  exact Nat.le_trans h1 (Nat.le_mul_of_pos_right _ h2)

/-! ## The theorems -/

/-- **A layout that is found is valid and coalesced, has size `M`, and is the function on all `M` indices.**
Rust: `razorgirl::Layout::find_layout`
Source: Hieu's blog (the question); Colfax 2.1.3 -/
theorem findLayout_sound {f : Nat → Nat} {M : Nat} {L : FlatLayout} (h : findLayout f M = some L) :
    Valid L ∧ Coalesced L ∧ size L = M ∧ ∀ x, x < M → atIndex L x = f x := by
  induction M using Nat.strongRecOn generalizing f L with
  | ind M ih =>
    rcases Nat.lt_or_ge M 2 with hM | hM
    · match M, hM with
      | 0, _ => rw [findLayout_zero] at h; cases h
      | 1, _ =>
        rw [findLayout_one] at h
        split at h
        · rename_i h0
          cases h
          refine ⟨trivial, trivial, rfl, fun x hx => ?_⟩
          obtain rfl : x = 0 := by omega
          rw [h0]; rfl
        · cases h
    · rw [findLayout_of_two_le hM rfl] at h
      obtain ⟨_, _, _, hbreak⟩ := breakAt_spec f (f 1) 0 M
      generalize breakAt f (f 1) 0 M = t at h hbreak
      split at h
      · rename_i hc
        obtain ⟨ht, hdvd, hsplit⟩ := hc
        obtain ⟨L', hL', rfl⟩ := Option.map_eq_some_iff.mp h
        obtain ⟨hv, hco, hs, hf⟩ := ih (M / t) (Nat.div_lt_self (by omega) ht) hL'
        have hMt : t * (M / t) = M := Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hdvd)
        refine ⟨⟨by simp only; omega, hv⟩, ?_, by rw [size_cons, hs]; exact hMt, fun x hx => ?_⟩
        · cases L' with
          | nil => simp only [Coalesced]; omega
          | cons n L'' =>
            refine ⟨by simp only; omega, ?_, hco⟩
            have h2 := two_le_size hv hco
            have h3 := hf 1 (by omega)
            rw [atIndex_one (two_le_extent hv hco), Nat.mul_one] at h3
            rcases hbreak with hb | hb
            · rw [hb, Nat.zero_add, Nat.div_self (by omega)] at hs
              omega
            · rw [h3]; exact hb
        · rw [atIndex_cons, hf (x / t) (Nat.div_lt_of_lt_mul (by rw [hMt]; exact hx)),
            splits_iff.mp hsplit x hx, Nat.mul_comm (f 1), Nat.add_comm]
      · cases h

/-- **Every coalesced layout is found again from its offsets.**
Rust: `razorgirl::Layout::find_layout`
Source: Hieu's blog (the question); Colfax 2.1.3 -/
theorem findLayout_of_coalesced {L : FlatLayout} (hv : Valid L) (hc : Coalesced L) :
    findLayout (atIndex L) (size L) = some L := by
  induction L with
  | nil => rw [size_nil, findLayout_one]; rfl
  | cons m L ih =>
    have hm := two_le_extent hv hc
    have h1 : atIndex (m :: L) 1 = m.stride := atIndex_one hm L
    have hpos := Valid.size_pos (L := L) hv.2
    have ht : breakAt (atIndex (m :: L)) (atIndex (m :: L) 1) 0 (size (m :: L)) = m.extent := by
      rw [h1]
      refine breakAt_eq (Nat.zero_le _) ?_ (fun j _ hj => ?_) ?_
      · rw [size_cons, Nat.zero_add]; exact Nat.le_mul_of_pos_right _ hpos
      · rw [atIndex_cons, Nat.mod_eq_of_lt hj, Nat.div_eq_of_lt hj, atIndex_zero, Nat.add_zero]
      · cases L with
        | nil => left; simp [size_cons, size_nil]
        | cons n L =>
          right
          rw [atIndex_cons, Nat.mod_self, Nat.div_self (by omega),
            atIndex_one (two_le_extent hv.2 hc.2.2), Nat.zero_mul, Nat.zero_add]
          exact hc.2.1
    rw [findLayout_of_two_le (two_le_size hv hc) ht, h1, if_pos]
    · have hsize : size (m :: L) / m.extent = size L := by
        rw [size_cons, Nat.mul_div_cancel_left _ (by omega)]
      have hcongr : findLayout (fun x => atIndex (m :: L) (m.extent * x)) (size L) =
          findLayout (atIndex L) (size L) := findLayout_congr fun x _ => by
        rw [atIndex_cons, Nat.mul_mod_right, Nat.mul_div_cancel_left _ (by omega), Nat.zero_mul,
          Nat.zero_add]
      rw [hsize, hcongr, ih hv.2 (coalesced_tail hc)]
      rfl
    · refine ⟨by omega, by rw [size_cons]; exact Nat.mul_mod_right _ _, splits_iff.mpr fun x _ => ?_⟩
      rw [atIndex_cons, atIndex_cons, Nat.mul_mod_right, Nat.mul_div_cancel_left _ (by omega),
        Nat.mul_comm m.stride]
      omega

/-- **If any valid layout of size `M` has these offsets, its coalesced form is found.**
Rust: `razorgirl::Layout::find_layout`
Source: Hieu's blog (the question); Colfax 2.1.3 -/
theorem findLayout_complete {f : Nat → Nat} {M : Nat} {L : FlatLayout} (hv : Valid L) (hs : size L = M)
    (hf : ∀ x, x < M → atIndex L x = f x) : findLayout f M = some (coalesce L) := by
  have h := findLayout_of_coalesced (coalesce_valid hv) (coalesce_coalesced L)
  rw [coalesce_size, hs] at h
  rw [← h]
  exact findLayout_congr fun x hx => by rw [coalesce_atIndex, hf x hx]

/-- **What is found is exactly the coalesced layout of size `M` with these offsets.**
Rust: `razorgirl::Layout::find_layout`
Source: Hieu's blog (the question); Colfax 2.1.3 -/
theorem findLayout_eq_some_iff {f : Nat → Nat} {M : Nat} {L : FlatLayout} :
    findLayout f M = some L ↔
      Valid L ∧ Coalesced L ∧ size L = M ∧ ∀ x, x < M → atIndex L x = f x := by
  constructor
  · exact findLayout_sound
  · rintro ⟨hv, hc, hs, hf⟩
    rw [findLayout_complete hv hs hf, coalesce_of_coalesced hc]

/-- **Nothing is found exactly when no valid layout of size `M` has these offsets.**
Rust: `razorgirl::Layout::find_layout`
Source: Hieu's blog (the question) -/
theorem findLayout_eq_none_iff {f : Nat → Nat} {M : Nat} :
    findLayout f M = none ↔ ¬ ∃ L, Valid L ∧ size L = M ∧ ∀ x, x < M → atIndex L x = f x := by
  constructor
  · rintro h ⟨L, hv, hs, hf⟩
    rw [findLayout_complete hv hs hf] at h
    cases h
  · intro h
    rcases hL : findLayout f M with _ | L
    · rfl
    · obtain ⟨hv, _, hs, hf⟩ := findLayout_sound hL
      exact absurd ⟨L, hv, hs, hf⟩ h

/-- **A table of offsets yields a layout exactly when it is the table of that coalesced layout.**
Rust: `razorgirl::Layout::find_layout`
Source: Hieu's blog (the question) -/
theorem findLayout_table_iff {fs : List Nat} {L : FlatLayout} :
    findLayout (fun x => fs.getD x 0) fs.length = some L ↔ Valid L ∧ Coalesced L ∧ offsets L = fs := by
  rw [findLayout_eq_some_iff]
  constructor
  · rintro ⟨hv, hc, hs, hf⟩
    refine ⟨hv, hc, List.ext_getElem (by rw [length_offsets, hs]) fun x h1 h2 => ?_⟩
    have := hf x h2
    simp only [List.getD_eq_getElem?_getD, List.getElem?_eq_getElem h2, Option.getD_some] at this
    simpa [offsets] using this
  · rintro ⟨hv, hc, rfl⟩
    refine ⟨hv, hc, (length_offsets L).symm, fun x hx => ?_⟩
    simp only [List.getD_eq_getElem?_getD, List.getElem?_eq_getElem hx, Option.getD_some]
    simp [offsets]

namespace FlatLayout

/-- **A function has at most one coalesced layout of a given size.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3 -/
theorem coalesced_unique {A B : FlatLayout} (hA : Valid A) (hB : Valid B) (cA : Coalesced A)
    (cB : Coalesced B) (h : offsets A = offsets B) : A = B := by
  obtain ⟨hs, hf⟩ := (offsets_eq_iff A B).mp h
  have h1 := findLayout_of_coalesced hA cA
  rw [findLayout_complete hB hs.symm fun x hx => (hf x hx).symm, coalesce_of_coalesced cB] at h1
  exact (Option.some.inj h1).symm

/-- **Two layouts are the same function on the same indices exactly when they coalesce to the same layout.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3 -/
theorem coalesce_eq_iff {A B : FlatLayout} (hA : Valid A) (hB : Valid B) :
    coalesce A = coalesce B ↔ size A = size B ∧ ∀ x, x < size A → atIndex A x = atIndex B x := by
  rw [← offsets_eq_iff]
  constructor
  · intro h; rw [← coalesce_offsets A, h, coalesce_offsets]
  · intro h
    exact coalesced_unique (coalesce_valid hA) (coalesce_valid hB) (coalesce_coalesced A)
      (coalesce_coalesced B) (by rw [coalesce_offsets, coalesce_offsets, h])

/-- **Two layouts have the same table of offsets exactly when they coalesce to the same layout.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3 -/
theorem coalesce_eq_iff_offsets {A B : FlatLayout} (hA : Valid A) (hB : Valid B) :
    coalesce A = coalesce B ↔ offsets A = offsets B := by
  rw [coalesce_eq_iff hA hB, offsets_eq_iff]

/-- **No layout of the same function has fewer modes than the coalesced one.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3 -/
theorem coalesce_least_rank {A L : FlatLayout} (hA : Valid A) (hL : Valid L) (h : offsets A = offsets L) :
    (coalesce L).length ≤ A.length := by
  rw [← (coalesce_eq_iff_offsets hA hL).mpr h]
  exact coalesce_length_le A

/-- **The coalesced layout is the only one of its function with so few modes.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.1.3 -/
theorem coalesce_least_rank_unique {A L : FlatLayout} (hA : Valid A) (hL : Valid L)
    (h : offsets A = offsets L) (hl : A.length = (coalesce L).length) : A = coalesce L := by
  rw [← (coalesce_eq_iff_offsets hA hL).mpr h] at hl ⊢
  exact (coalesce_of_length hl.symm).symm

/-- **A layout counts 0, 1, 2, … up to `n` exactly when it coalesces to `n:1`.**
Rust: `razorgirl::Layout::coalesce`
Source: Villa Straylight II.5; Colfax 2.1.3 -/
theorem coalesce_eq_identity_iff {L : FlatLayout} (hL : Valid L) {n : Nat} (hn : 2 ≤ n) :
    coalesce L = [⟨n, 1⟩] ↔ size L = n ∧ ∀ x, x < n → atIndex L x = x := by
  have hc : coalesce [⟨n, 1⟩] = [⟨n, 1⟩] := coalesce_of_coalesced (by simp only [Coalesced]; omega)
  have hv : Valid [⟨n, 1⟩] := ⟨by simp only; omega, trivial⟩
  have hs : size [⟨n, 1⟩] = n := by rw [size_cons, size_nil, Nat.mul_one]
  rw [← hc, coalesce_eq_iff hL hv, hs]
  have key : ∀ x, x < n → atIndex [⟨n, 1⟩] x = x := fun x hx => by
    rw [atIndex_singleton, Nat.mod_eq_of_lt hx, Nat.mul_one]
  constructor
  · rintro ⟨h1, h2⟩
    exact ⟨h1, fun x hx => by rw [h2 x (by omega), key x hx]⟩
  · rintro ⟨h1, h2⟩
    exact ⟨h1, fun x hx => by rw [h2 x (by omega), key x (by omega)]⟩

end FlatLayout

namespace Layout

theorem modes_nest_injective {A B : FlatLayout} (cA : FlatLayout.Coalesced A) (cB : FlatLayout.Coalesced B)
    (h : nest A = nest B) : A = B := by
  have := coalesce_nest_modes A
  rw [h, coalesce_nest_modes, coalesce_of_coalesced cA, coalesce_of_coalesced cB] at this
  exact this.symm

/-- **Two nested layouts have the same table of offsets exactly when they coalesce to the same layout.**
Rust: `razorgirl::Layout::coalesce`
Source: Colfax 2.3.3 -/
theorem coalesce_eq_iff {A B : Layout} (hA : A.Valid) (hB : B.Valid) :
    coalesce A = coalesce B ↔ offsets A.modes = offsets B.modes := by
  rw [← coalesce_eq_iff_offsets hA.2 hB.2]
  constructor
  · exact modes_nest_injective (FlatLayout.coalesce_coalesced _) (FlatLayout.coalesce_coalesced _)
  · intro h; rw [coalesce, coalesce, h]

end Layout

/-! ## Worked examples -/

/-- The blog searches the first extent strictly below the first break; it is the break itself. Its own tests: -/
example : findLayout (atIndex [⟨3, 10⟩, ⟨2, 13⟩]) 6 = some [⟨3, 10⟩, ⟨2, 13⟩] := by decide +kernel
example : findLayout (atIndex [⟨3, 4⟩, ⟨5, 9⟩, ⟨7, 8⟩]) 105 = some [⟨3, 4⟩, ⟨5, 9⟩, ⟨7, 8⟩] := by
  decide +kernel
/-- The blog's program takes (0,1,1,0) for `(2,2):(1,1)`, which is (0,1,1,2); no layout has it. -/
example : findLayout (fun x => [0, 1, 1, 0].getD x 0) 4 = none ∧
    offsets [⟨2, 1⟩, ⟨2, 1⟩] = [0, 1, 1, 2] := by decide +kernel
/-- The blog's program never ends on this one. -/
example : findLayout (fun x => [0, 1, 0, 0, 0, 0, 0, 0].getD x 0) 8 = none := by decide +kernel
/-- The blog's program crashes when `f 1 = 0`, and when there is one index only. -/
example : findLayout (fun x => [0, 0, 1, 1].getD x 0) 4 = some [⟨2, 0⟩, ⟨2, 1⟩] ∧
    findLayout (fun _ => 0) 1 = some [] ∧ findLayout (fun _ => 5) 1 = none := by decide +kernel
/-- The size is exact. The blog lets a layout be longer than the function and so calls `x ↦ A(2x)`, x < 3, a
layout for `A = (3,2):(1,7)`; its distributive law then fails: `A(1) + A(2) = 3`, `A(1 + 2) = 7`. -/
example : findLayout (fun x => atIndex [⟨3, 1⟩, ⟨2, 7⟩] (2 * x)) 3 = none ∧
    atIndex [⟨3, 1⟩, ⟨2, 7⟩] 1 + atIndex [⟨3, 1⟩, ⟨2, 7⟩] 2 = 3 ∧ atIndex [⟨3, 1⟩, ⟨2, 7⟩] 3 = 7 := by
  decide +kernel
/-- Squares are no layout, twice is one. -/
example : findLayout (fun x => x * x) 3 = none ∧ findLayout (2 * ·) 3 = some [⟨3, 2⟩] := by decide +kernel

end Razorgirl
