module

public import Razorgirl.Spec.Category.TupleOperations
public import Razorgirl.Thm.Category.Composition
public import Razorgirl.Thm.Layout.Complement

@[expose] public section

/-!
# Operations on morphisms and on their layouts

Concatenation, complement, division and product of morphisms are those of the layouts they encode.
-/

namespace Razorgirl

namespace Category

namespace TupleMorphism

open TupleAux

theorem once_append {α β : List Nat} (hα : once α = true) (hβ : once β = true)
    (hd : (β.all fun v => v == 0 || !α.contains v) = true) : once (α ++ β) = true := by
  induction α with
  | nil => exact hβ
  | cons v α ih =>
    simp only [once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true'] at hα
    simp only [List.all_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true', List.contains_cons, Bool.or_eq_false_iff,
      beq_eq_false_iff_ne] at hd
    simp only [List.cons_append, once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true']
    refine ⟨?_, ih hα.2 ?_⟩
    · by_cases h0 : v = 0
      · exact .inl h0
      · refine .inr (Bool.eq_false_iff.mpr fun hm => ?_)
        rcases List.mem_append.mp (List.contains_iff_mem.mp hm) with h | h
        · have := hα.1.resolve_left h0
          rw [List.contains_iff_mem.mpr h] at this
          cases this
        · rcases hd v h with h' | h'
          · exact h0 h'
          · exact h'.1 rfl
    · simp only [List.all_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true']
      exact fun w hw => (hd w hw).imp_right And.right

theorem matches_append {T : List Nat} : {S α : List Nat} → Matches T S α → {U β : List Nat} → Matches T U β →
    Matches T (S ++ U) (α ++ β)
  | [], [], _, _, _, h => h
  | [], _ :: _, h, _, _, _ => by simp [Matches] at h
  | _ :: _, [], h, _, _, _ => by simp [Matches] at h
  | _ :: _, _ :: _, h, _, _, h' => ⟨h.1, matches_append h.2 h'⟩

theorem concat_eq_some {f g h : TupleMorphism} (hc : f.concat g = some h) :
    f.codomain = g.codomain ∧ f.fin.disjoint g.fin = true ∧ h = ⟨f.domain ++ g.domain, f.codomain, f.map ++ g.map⟩ := by
  simp only [concat] at hc
  split at hc
  · rename_i h'
    exact ⟨h'.1, h'.2, (Option.some.inj hc).symm⟩
  · cases hc

/-- **Two morphisms are joined exactly where their codomains are one and their images are disjoint.**
Rust: `razorgirl::category::TupleMorphism::concat`
Source: Categorical Foundations 3.1.5 -/
theorem concat_isSome_iff (f g : TupleMorphism) :
    (f.concat g).isSome = true ↔ f.codomain = g.codomain ∧ ∀ v ∈ g.map, v = 0 ∨ f.map.contains v = false := by
  simp only [concat, FinMap.disjoint, fin, List.all_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true']
  split <;> simp_all

/-- **What joins two morphisms is one, and encodes their layouts side by side.**
Rust: `razorgirl::category::TupleMorphism::concat`
Source: Categorical Foundations 3.1.5 -/
theorem encodedLayout_concat {f g h : TupleMorphism} (hf : f.Valid) (hg : g.Valid) (hc : f.concat g = some h) :
    h.Valid ∧ h.encodedLayout = f.encodedLayout ++ g.encodedLayout := by
  obtain ⟨hT, hd, rfl⟩ := concat_eq_some hc
  refine ⟨⟨fun s hs => ?_, hf.2.1, ⟨fun v hv => ?_, once_append hf.2.2.1.2 hg.2.2.1.2 hd⟩,
    matches_append hf.2.2.2 (hT ▸ hg.2.2.2)⟩, ?_⟩
  · exact (List.mem_append.mp hs).elim (hf.1 s) (hg.1 s)
  · rcases List.mem_append.mp hv with h | h
    · exact hf.2.2.1.1 v h
    · have := hg.2.2.1.1 v h
      simpa only [fin, hT] using this
  · simp only [encodedLayout, List.map_append]
    rw [List.zipWith_append (by simp [length_map_of_matches hf.2.2.2]), hT]

/-! ## Complement -/

theorem mem_places {n j : Nat} : j ∈ (FinMap.identity n).values ↔ j ≠ 0 ∧ j ≤ n := by
  simp only [FinMap.identity, List.mem_map, List.mem_range]
  constructor
  · rintro ⟨i, hi, rfl⟩; omega
  · rintro ⟨h0, h⟩; exact ⟨j - 1, by omega, by omega⟩

theorem once_of_increasing {l : List Nat} (h : l.Pairwise (· < ·)) : once l = true := by
  induction l with
  | nil => rfl
  | cons v l ih =>
    rw [List.pairwise_cons] at h
    simp only [once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true']
    refine ⟨.inr (Bool.eq_false_iff.mpr fun hm => ?_), ih h.2⟩
    have := h.1 v (List.contains_iff_mem.mp hm)
    omega

theorem places_increasing (n : Nat) : (FinMap.identity n).values.Pairwise (· < ·) := by
  simp only [FinMap.identity, List.pairwise_map]
  exact List.pairwise_lt_range.imp fun h => by omega

theorem matches_map {T : List Nat} (α : List Nat) : Matches T (α.map (nth 0 T)) α := by
  induction α with
  | nil => trivial
  | cons v α ih => exact ⟨.inr rfl, ih⟩

theorem complement_eq_some {f c : TupleMorphism} (h : f.complement = some c) :
    f.isComplementable = true ∧ c = ⟨f.free.map (nth 0 f.codomain), f.codomain, f.free⟩ := by
  simp only [complement] at h
  split at h
  · exact ⟨‹_›, (Option.some.inj h).symm⟩
  · cases h

/-- **A morphism has a complement exactly where nothing goes to the basepoint.**
Rust: `razorgirl::category::TupleMorphism::complement`
Source: Categorical Foundations 3.1.5 -/
theorem complement_isSome_iff (f : TupleMorphism) : f.complement.isSome = true ↔ ∀ v ∈ f.map, v ≠ 0 := by
  have : f.isComplementable = true ↔ ∀ v ∈ f.map, v ≠ 0 := by simp [isComplementable]
  rw [← this, complement]
  split <;> simp_all

theorem mem_free {f : TupleMorphism} {j : Nat} : j ∈ f.free ↔ j ≠ 0 ∧ j ≤ f.codomain.length ∧ f.map.contains j = false := by
  simp only [free, List.mem_filter, mem_places, Bool.not_eq_true', and_assoc]

/-- **The complement of a morphism is a morphism into the same codomain, and its image is what is left there.**
Rust: `razorgirl::category::TupleMorphism::complement`
Source: Categorical Foundations 3.1.5 -/
theorem complement_valid {f c : TupleMorphism} (hf : f.Valid) (h : f.complement = some c) :
    c.Valid ∧ c.codomain = f.codomain ∧
      ∀ j, j ∈ c.map ↔ j ≠ 0 ∧ j ≤ f.codomain.length ∧ f.map.contains j = false := by
  obtain ⟨_, rfl⟩ := complement_eq_some h
  refine ⟨⟨fun s hs => ?_, hf.2.1, ⟨fun v hv => (mem_free.mp hv).2.1, ?_⟩, matches_map _⟩, rfl, fun j => mem_free⟩
  · obtain ⟨v, hv, rfl⟩ := List.mem_map.mp hs
    exact pos_nth hf.2.1 (mem_free.mp hv).1 (mem_free.mp hv).2.1
  · exact once_of_increasing ((places_increasing _).filter _)

/-! ## Isomorphisms are bijections -/

theorem nth_listed' (n : Nat) (g : Nat → Nat) {v : Nat} (h0 : v ≠ 0) (hv : v ≤ n) : nth 0 (listed n g) v = g v :=
  nth_listed n g v h0 hv

theorem moved_map {d : List Nat} {j : Nat} : {α : List Nat} → α.contains j = true → moved j α (α.map (nth 0 d)) = nth 0 d j
  | [], h => by simp at h
  | v :: α, h => by
    simp only [List.map_cons, moved]
    split
    · rename_i e; rw [e]
    · rename_i e
      refine moved_map ?_
      simp only [List.contains_cons, Bool.or_eq_true, beq_iff_eq] at h
      exact h.resolve_left (Ne.symm e)

theorem map_moved : {α c : List Nat} → α.length = c.length → once α = true → (∀ v ∈ α, v ≠ 0) →
    α.map (fun v => moved v α c) = c
  | [], [], _, _, _ => rfl
  | [], _ :: _, h, _, _ => by simp at h
  | _ :: _, [], h, _, _ => by simp at h
  | v :: α, c :: cs, h, ho, h0 => by
    simp only [once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true'] at ho
    have hv := ho.1.resolve_left (h0 v (by simp))
    simp only [List.map_cons, moved, if_true]
    congr 1
    refine Eq.trans (List.map_congr_left fun w hw => ?_) (map_moved (by simpa using h) ho.2 fun w hw => h0 w (by simp [hw]))
    have : v ≠ w := fun e => by
      rw [e, List.contains_iff_mem.mpr hw] at hv
      cases hv
    simp only [if_neg this]

theorem length_of_inBounds : {S c : List Nat} → InBounds S c → S.length = c.length
  | [], [], _ => rfl
  | [], _ :: _, h => by simp [InBounds] at h
  | _ :: _, [], h => by simp [InBounds] at h
  | _ :: _, _ :: _, h => by simp [length_of_inBounds h.2]

theorem nth_lt : {T d : List Nat} → InBounds T d → {v : Nat} → v ≠ 0 → v ≤ T.length → nth 0 d v < nth 0 T v
  | [], _, _, _, h0, h => by simp at h; exact absurd h h0
  | _ :: _, [], h, _, _, _ => by simp [InBounds] at h
  | t :: T, d :: ds, h, v, h0, hv =>
    match v with
    | 0 => absurd rfl h0
    | 1 => h.1
    | v + 2 => nth_lt h.2 (v := v + 1) (by omega) (by simpa using hv)

theorem inBounds_map {T d : List Nat} (hd : InBounds T d) : {S α : List Nat} → Matches T S α → (∀ v ∈ α, v ≠ 0) →
    (∀ v ∈ α, v ≤ T.length) → InBounds S (α.map (nth 0 d))
  | [], [], _, _, _ => trivial
  | [], _ :: _, h, _, _ => by simp [Matches] at h
  | _ :: _, [], h, _, _ => by simp [Matches] at h
  | s :: S, v :: α, h, h0, hl => by
    refine ⟨?_, inBounds_map hd h.2 (fun w hw => h0 w (by simp [hw])) fun w hw => hl w (by simp [hw])⟩
    have := nth_lt hd (h0 v (by simp)) (hl v (by simp))
    rwa [h.1.resolve_left (h0 v (by simp))] at this

/-- **Where nothing goes to the basepoint, the realization is injective.**
Rust: `razorgirl::category::TupleMorphism::is_complementable`
Source: Categorical Foundations 3.1.4 -/
theorem realization_injective {f : TupleMorphism} (hf : f.Valid) (h0 : f.isComplementable = true) {x y : Nat}
    (hx : x < prod f.domain) (hy : y < prod f.domain) (h : f.realization x = f.realization y) : x = y := by
  have h0 : ∀ v ∈ f.map, v ≠ 0 := by simpa [isComplementable] using h0
  have back : ∀ c, InBounds f.domain c → f.map.map (nth 0 (f.move c)) = c := fun c hc => by
    refine Eq.trans (List.map_congr_left fun v hv => ?_)
      (map_moved ((length_map_of_matches hf.2.2.2).symm.trans (length_of_inBounds hc)) hf.2.2.1.2 h0)
    rw [move_eq_listed]
    exact nth_listed _ _ v (h0 v hv) (hf.2.2.1.1 v hv)
  have ix := inBounds_idx2crd hf.1 x
  have iy := inBounds_idx2crd hf.1 y
  have hm := crd2idx_injective (inBounds_move hf ix) (inBounds_move hf iy) h
  have := back _ ix
  rw [hm, back _ iy] at this
  exact idx2crd_injective hx hy this.symm

/-- **Where moreover every entry of the codomain is an image, every number below its product is reached, once.**
Rust: `razorgirl::category::TupleMorphism::realization`
Source: Categorical Foundations 3.1.4 -/
theorem realization_surjective {f : TupleMorphism} (hf : f.Valid) (h0 : f.isComplementable = true)
    (hit : ∀ j, j ≠ 0 → j ≤ f.codomain.length → f.map.contains j = true) {o : Nat} (ho : o < prod f.codomain) :
    ∃ x, x < prod f.domain ∧ f.realization x = o := by
  have h0 : ∀ v ∈ f.map, v ≠ 0 := by simpa [isComplementable] using h0
  have hd := inBounds_idx2crd_of_lt ho
  have hc := inBounds_map hd hf.2.2.2 h0 hf.2.2.1.1
  refine ⟨_, crd2idx_lt hc, ?_⟩
  rw [realization, idx2crd_crd2idx hc]
  have : f.move (f.map.map (nth 0 (idx2crd f.codomain o))) = idx2crd f.codomain o := by
    rw [move_eq_listed]
    have e : (listed f.codomain.length fun j => moved j f.map (f.map.map (nth 0 (idx2crd f.codomain o))))
        = listed f.codomain.length (nth 0 (idx2crd f.codomain o)) := by
      simp only [listed]
      refine List.map_congr_left fun j hj => ?_
      exact moved_map (hit (j + 1) (by omega) (by have := List.mem_range.mp hj; omega))
    rw [e]
    have := listed_nth (idx2crd f.codomain o)
    rwa [length_idx2crd] at this
  rw [this, crd2idx_idx2crd ho]

/-- **The layout of the complement completes that of f: side by side they hit every offset below the product of the codomain
exactly once.**
Rust: `razorgirl::category::TupleMorphism::complement`
Source: Categorical Foundations, theorem D (3.2.6.20) -/
theorem completes_complement {f c : TupleMorphism} (hf : f.Valid) (h : f.complement = some c) :
    FlatLayout.Completes f.encodedLayout c.encodedLayout (prod f.codomain) := by
  obtain ⟨hv, hcod, hm⟩ := complement_valid hf h
  obtain ⟨h0, _⟩ := complement_eq_some h
  have hd : f.fin.disjoint c.fin = true := by
    simp only [FinMap.disjoint, fin, List.all_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true']
    exact fun v hv => .inr ((hm v).mp hv).2.2
  have hk : f.concat c = some ⟨f.domain ++ c.domain, f.codomain, f.map ++ c.map⟩ := by
    simp only [concat, hcod, hd, and_self, if_true]
  obtain ⟨hkv, hke⟩ := encodedLayout_concat hf hv hk
  have hz : TupleMorphism.isComplementable ⟨f.domain ++ c.domain, f.codomain, f.map ++ c.map⟩ = true := by
    have h1 : ∀ v ∈ f.map, v ≠ 0 := by simpa [isComplementable] using h0
    have h2 : ∀ v ∈ c.map, v ≠ 0 := fun v hv => ((hm v).mp hv).1
    simp only [isComplementable, List.all_eq_true, bne_iff_ne]
    exact fun v hv => (List.mem_append.mp hv).elim (h1 v) (h2 v)
  have hit : ∀ j, j ≠ 0 → j ≤ f.codomain.length → (f.map ++ c.map).contains j = true := fun j j0 jl => by
    refine List.contains_iff_mem.mpr (List.mem_append.mpr ?_)
    by_cases hj : f.map.contains j = true
    · exact .inl (List.contains_iff_mem.mp hj)
    · exact .inr ((hm j).mpr ⟨j0, jl, by simpa using hj⟩)
  have hsz : FlatLayout.size (f.encodedLayout ++ c.encodedLayout) = prod (f.domain ++ c.domain) := by
    rw [← hke, FlatLayout.size, shape_encodedLayout hkv]
  refine (FlatLayout.completes_iff_exists_unique _ _ _).mpr ⟨?_, fun x _ => ?_, fun o ho => ?_⟩
  · exact Nat.lt_of_le_of_lt (Nat.zero_le _) (realization_lt hf 0)
  · rw [← hke, ← realization_eq hkv]; exact realization_lt hkv x
  · obtain ⟨x, hx, e⟩ := realization_surjective hkv hz hit ho
    rw [← hke]
    refine ⟨x, ⟨by rw [hke, hsz]; exact hx, by rw [← realization_eq hkv]; exact e⟩, fun y hy ey => ?_⟩
    rw [hke, hsz] at hy
    rw [← realization_eq hkv] at ey
    exact realization_injective hkv hz hy hx (ey.trans e.symm)

/-- **The complement of the layout in the product of the codomain is the layout of the complement, sorted and coalesced.** The
source leaves out to coalesce.
Rust: `razorgirl::category::TupleMorphism::complement`, `razorgirl::Layout::complement_in`
Source: Categorical Foundations, theorem D (3.2.6.20), 3.1.5.44 (repaired: `complement_counterexample`) -/
theorem complementIn_encodedLayout {f c : TupleMorphism} (hf : f.Valid) (h : f.complement = some c) :
    FlatLayout.complementIn f.encodedLayout (prod f.codomain) = some (FlatLayout.coalesce (FlatLayout.sort c.encodedLayout)) :=
  FlatLayout.complementIn_of_completes (completes_complement hf h)

/-- K4, E2: the complement of (1,3) to (2,1,2,3) by (2,4) encodes (2,2):(1,2), and the layout (1,3):(2,4) has the complement 4:1. -/
theorem complement_counterexample :
    (complement ⟨[1, 3], [2, 1, 2, 3], [2, 4]⟩).map encodedLayout = some [⟨2, 1⟩, ⟨2, 2⟩] ∧
      FlatLayout.complementIn [⟨1, 2⟩, ⟨3, 4⟩] 12 = some [⟨4, 1⟩] := by decide

/-! ## Division and product -/

/-- E10: g = (3) to (3,2) by (0) has the codomain (3,2), and no complement; the source asks for no more than the codomain. -/
theorem divide_counterexample : flatDivide (identity [3, 2]) ⟨[3], [3, 2], [0]⟩ = none := by decide

/-- E9: f = (2) to (3,2,5) by (2), g = (5) to (3,5) by (2) have the product 2:3 beside 5:6, though 2:3 has no complement in
size · cosize = 2 · 13 = 26, which the source takes. -/
theorem product_counterexample :
    (flatProduct ⟨[2], [3, 2, 5], [2]⟩ ⟨[5], [3, 5], [2]⟩).map encodedLayout = some [⟨2, 3⟩, ⟨5, 6⟩] ∧
      FlatLayout.complementIn [⟨2, 3⟩] 26 = none := by decide

/-- **Division composes: f ⊘ g encodes the layout of f after that of g beside its complement.**
Rust: `razorgirl::category::TupleMorphism::flat_divide`
Source: Categorical Foundations, theorem E (3.2.6.26; repaired: `divide_counterexample`) -/
theorem weakComposite_flatDivide {f g h : TupleMorphism} (hf : f.Valid) (hg : g.Valid) (hd : f.flatDivide g = some h) :
    ∃ c, g.complement = some c ∧ ∀ p q : Profile, p.length = h.domain.length →
      Layout.WeakComposite ⟨f.encodedLayout, q⟩ ⟨g.encodedLayout ++ c.encodedLayout, p⟩ ⟨h.encodedLayout, p⟩ := by
  simp only [flatDivide] at hd
  split at hd
  · rename_i c hc
    split at hd
    · rename_i k hk
      refine ⟨c, hc, fun p q hp => ?_⟩
      obtain ⟨hkv, hke⟩ := encodedLayout_concat hg (complement_valid hg hc).1 hk
      have e : h.domain = k.domain := by rw [(comp_eq_some hd).2]
      rw [← hke]
      exact weakComposite_comp hkv hf hd (e ▸ hp)
    · cases hd
  · cases hd

/-- **Division answers exactly where the codomain of g is the domain of f and nothing of g goes to the basepoint.**
Rust: `razorgirl::category::TupleMorphism::flat_divide`
Source: Categorical Foundations 3.1.5 (repaired: `divide_counterexample`) -/
theorem flatDivide_isSome_iff {f g : TupleMorphism} (hg : g.Valid) :
    (f.flatDivide g).isSome = true ↔ g.codomain = f.domain ∧ ∀ v ∈ g.map, v ≠ 0 := by
  rw [← complement_isSome_iff, flatDivide]
  cases hc : g.complement with
  | none => simp
  | some c =>
    obtain ⟨_, hcod, hm⟩ := complement_valid hg hc
    have hk : (g.concat c).isSome = true := (concat_isSome_iff g c).mpr ⟨hcod.symm, fun v hv => .inr ((hm v).mp hv).2.2⟩
    obtain ⟨k, hk⟩ := Option.isSome_iff_exists.mp hk
    obtain ⟨_, _, e⟩ := concat_eq_some hk
    simp only [hk, comp_isSome_iff, e, Option.isSome_some, and_true]

/-- **A product is answered exactly where f has a complement and the codomain of g is its domain.**
Rust: `razorgirl::category::TupleMorphism::flat_product`
Source: Categorical Foundations 3.1.5 -/
theorem flatProduct_isSome_iff {f g : TupleMorphism} (hf : f.Valid) :
    (f.flatProduct g).isSome = true ↔ ∃ c, f.complement = some c ∧ g.codomain = c.domain := by
  rw [flatProduct]
  cases hc : f.complement with
  | none => simp
  | some c =>
    obtain ⟨_, hcod, hm⟩ := complement_valid hf hc
    simp only [Option.some.injEq, exists_eq_left', ← comp_isSome_iff g c]
    cases hk : g.comp c with
    | none => simp
    | some k =>
      obtain ⟨_, e⟩ := comp_eq_some hk
      refine iff_of_true ((concat_isSome_iff f k).mpr ⟨by rw [e]; exact hcod.symm, fun v hv => ?_⟩) rfl
      rw [e] at hv
      obtain ⟨w, _, rfl⟩ := List.mem_map.mp hv
      by_cases h0 : nth 0 c.map w = 0
      · exact .inl h0
      · exact .inr ((hm _).mp (List.contains_iff_mem.mp (nth_mem h0))).2.2

/-- **A product encodes f beside the complement of f after g.**
Rust: `razorgirl::category::TupleMorphism::flat_product`
Source: Categorical Foundations, theorem F (3.2.6.31; repaired: `product_counterexample`) -/
theorem weakComposite_flatProduct {f g h : TupleMorphism} (hf : f.Valid) (hg : g.Valid) (hd : f.flatProduct g = some h) :
    ∃ c k, f.complement = some c ∧ g.comp c = some k ∧ h.encodedLayout = f.encodedLayout ++ k.encodedLayout ∧
      ∀ p q : Profile, p.length = g.domain.length →
        Layout.WeakComposite ⟨c.encodedLayout, q⟩ ⟨g.encodedLayout, p⟩ ⟨k.encodedLayout, p⟩ := by
  simp only [flatProduct] at hd
  split at hd
  · rename_i c hc
    split at hd
    · rename_i k hk
      have hcv := (complement_valid hf hc).1
      exact ⟨c, k, hc, hk, (encodedLayout_concat hf (valid_comp hg hcv hk) hd).2,
        fun p q hp => weakComposite_comp hg hcv hk hp⟩
    · cases hd
  · cases hd

end TupleMorphism

end Category

end Razorgirl
