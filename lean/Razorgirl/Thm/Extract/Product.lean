module

public import Razorgirl.Thm.Extract.ComplementCeil
public import Razorgirl.Thm.Extract.Composition.Groups
public import Razorgirl.Thm.Extract.Divide
public import Razorgirl.Thm.Layout.Product.Room

@[expose] public section

/-! # What the program `logicalProduct` returns -/

namespace Razorgirl.Extract
open FlatLayout FlatLayout.Aux

/-! ## Filter -/

theorem filterStep_run (m : Mode) (o L : List Mode) :
    filterStep.run (m, o, L, ()) = .next (m, o ++ [filterZero m], L, ()) := by
  by_cases h : m.stride = 0 <;> simp [filterStep, filterZero, h, check]

theorem filter_loop {f : Mode → List Mode × List Mode × Unit → Out (Mode × List Mode × List Mode × Unit) (List Mode)}
    (hf : ∀ m o L, f m (o, L, ()) = .next (m, o ++ [filterZero m], L, ())) (X o L : List Mode) :
    Out.each f X (o, L, ()) = .next (o ++ filterZeros X, L, ()) := by
  induction X generalizing o with
  | nil => simp [Out.each, filterZeros]
  | cons m X ih => rw [Out.each, hf]; simp only [Out.andThen]; rw [ih]; simp [filterZeros]

theorem size_filter_lt {L : FlatLayout} (h : Valid L) (hs : FlatLayout.size L < 2 ^ 64) :
    FlatLayout.size (FlatLayout.filter L) < 2 ^ 64 := by
  rw [FlatLayout.filter, coalesce_size]
  exact Nat.lt_of_le_of_lt (size_filterZeros_le h) hs

theorem cosizeFormula_filter {L : FlatLayout} (h : Valid L) : cosizeFormula (FlatLayout.filter L) = cosizeFormula L := by
  rw [FlatLayout.filter, coalesce_cosizeFormula (filterZeros_valid h), filterZeros_cosizeFormula]

/-- **The extracted `filter` returns the modes without those of stride 0, coalesced, of a valid layout of size below 2^64.**
Source: `Razorgirl.FlatLayout.filter` -/
theorem filter_run {L : List Mode} (hL : Valid L) (hs : FlatLayout.size L < 2 ^ 64) :
    filter.run (L, ()) = .ok (FlatLayout.filter L) := by
  have h1 := filter_loop (f := fun a s => filterStep.run (a, s)) filterStep_run L [] L
  have h2 := coalesce_run (filterZeros_valid hL) (Nat.lt_of_le_of_lt (size_filterZeros_le hL) hs)
  simp only [filter, Fn.run, Stmt.run, Exp.run, Args.run, Var.get, bindE, Out.ofExp]
  rw [h1]
  simp only [List.nil_append, Out.andThen]
  rw [h2]
  rfl

/-! ## Places -/

theorem stride_lt_of_coalesced {L : FlatLayout} (h : ∀ m ∈ L, 2 ≤ m.extent) (hc : cosizeFormula L ≤ 2 ^ 64) :
    ∀ m ∈ L, m.stride < 2 ^ 64 := fun m hm => by
  have h1 := reach_le_cosize hm
  have h2 := h m hm
  have h3 : 1 * m.stride ≤ (m.extent - 1) * m.stride := Nat.mul_le_mul_right _ (by omega)
  omega

theorem two_le_ceilDiv {n d : Nat} (hd : 0 < d) (h : d < n) : 2 ≤ Division.ceilDiv n d := by
  rw [Division.ceilDiv, Nat.le_div_iff_mul_le hd]
  omega

/-- **The extracted `places` returns where copies of a valid layout may start if that is a layout of size and cosize below
2^64, else overflow; or the refusal of its kind. Sizes and cosize of the layout and the number of copies are below 2^64.**
Source: `Razorgirl.Extract.placesOf` -/
theorem places_run {A : List Mode} {n : Nat} (hA : Valid A) (hs : FlatLayout.size A < 2 ^ 64)
    (hc : FlatLayout.cosize A < 2 ^ 64) (hn : n < 2 ^ 64) :
    places.run (A, n, ()) = fitted (placesOf A n) (complementRefusal (FlatLayout.filter A)) := by
  have hF := filter_valid hA
  have hsF := size_filter_lt hA hs
  have h2F : ∀ m ∈ FlatLayout.filter A, 2 ≤ m.extent :=
    two_le_of_coalesced hF (coalesce_coalesced (filterZeros A))
  have hd : ∀ m ∈ FlatLayout.filter A, m.stride < 2 ^ 64 := by
    refine stride_lt_of_coalesced h2F ?_
    rw [cosizeFormula_filter hA, ← cosize_eq_formula hA]
    omega
  have h0 := filter_run hA hs
  have h1 := chain_run_of_lt hF hsF
  have h2 := gaps_run_chain hF hd
  have h3 := last_run (FlatLayout.chain (FlatLayout.filter A))
  simp only [places, Fn.run, Stmt.run, Exp.run, Args.run, Op1.run, Op2.run, Var.get, Var.put, bindE, Out.ofExp, placesOf]
  rw [h0]
  simp only []
  rw [h1]
  simp only []
  rw [h2]
  cases hg : FlatLayout.gaps 1 (FlatLayout.chain (FlatLayout.filter A)) with
  | none => simp [answer, fitted]
  | some G =>
    have hG := valid_gaps Nat.one_pos hg (valid_chain hF)
    have hGs : FlatLayout.size G < 2 ^ 64 := by
      rcases size_gaps (N := 2 ^ 64 - 1) hg (valid_chain hF) (fun m h => by have := hd m (mem_chain h); omega) with
        ⟨_, rfl⟩ | h
      · decide
      · omega
    have h4 := size_run_of_lt hG hGs
    have hb : block (FlatLayout.filter A) = _ := blockFrom_eq_last (FlatLayout.chain (FlatLayout.filter A)) ⟨1, 1⟩
    have hz := Valid.size_pos hG
    have h5 := ceilDiv_run (n := n) hn hz
    simp only [answer, Option.map]
    rw [h3]
    simp only []
    rw [h4]
    generalize (FlatLayout.chain (FlatLayout.filter A)).getLastD ⟨1, 1⟩ = q at *
    by_cases hlt : FlatLayout.size G < n
    · have h6 := two_le_ceilDiv hz hlt
      have hv : Valid (G ++ [⟨Division.ceilDiv n (FlatLayout.size G), block (FlatLayout.filter A)⟩]) :=
        (valid_append_iff _ _).2 ⟨hG, by simp only; omega, trivial⟩
      have h7 := fit_run hv
      simp only [hlt, decide_true, if_true]
      rw [h5]
      simp only []
      by_cases hb' : block (FlatLayout.filter A) < 2 ^ 64
      · have h8 : check (block (FlatLayout.filter A)) = .ok (block (FlatLayout.filter A)) := if_pos hb'
        simp only [← hb, h8, Out.andThen]
        rw [h7]
        generalize FlatLayout.coalesce (G ++ [⟨Division.ceilDiv n (FlatLayout.size G), block (FlatLayout.filter A)⟩]) = R
        change _ = fitted (some R) ""
        generalize fitted (some R) "" = y
        cases y <;> rfl
      · have h8 : check (block (FlatLayout.filter A)) = .error .overflow := if_neg hb'
        have h9 := reach_le_cosize (P := G ++ [⟨Division.ceilDiv n (FlatLayout.size G), block (FlatLayout.filter A)⟩])
          (p := ⟨Division.ceilDiv n (FlatLayout.size G), block (FlatLayout.filter A)⟩) (by simp)
        have h10 : 1 * block (FlatLayout.filter A) ≤
            (Division.ceilDiv n (FlatLayout.size G) - 1) * block (FlatLayout.filter A) :=
          Nat.mul_le_mul_right _ (by omega)
        simp only at h9
        simp only [← hb, h8, fitted, Out.andThen, Out.value]
        rw [if_neg]
        intro h
        rw [coalesce_cosize, cosize_eq_formula hv] at h
        omega
    · have h7 := fit_run hG
      simp only [hlt, decide_false, Bool.false_eq_true, if_false, Out.andThen]
      rw [h7]
      change _ = fitted (some (FlatLayout.coalesce G)) ""
      generalize fitted (some (FlatLayout.coalesce G)) "" = y
      cases y <;> rfl

/-! ## The product -/

/-- `logicalProduct`, call by call. -/
theorem logicalProduct_eq (A T : List Mode) : logicalProduct.run (A, T, ()) =
    bindE (cosize.run (T, ())) fun c => bindE (places.run (A, c, ())) fun C => composition.run (C, T, ()) := by
  rw [logicalProduct, Fn.run]
  simp only [Stmt.run, Exp.run, Args.run, Var.get, bindE, Out.ofExp, Out.andThen]
  cases cosize.run (T, ()) with
  | error f => rfl
  | ok c =>
    simp only []
    cases places.run (A, c, ()) with
    | error f => rfl
    | ok C =>
      simp only []
      cases composition.run (C, T, ()) <;> rfl

/-- **The extracted `logical_product` returns the modes of the copies for each mode of T in a row, and how many each has, or
the refusal of its kind, of valid layouts whose sizes and cosizes are below 2^64; overflow if the places where copies may
start are not a layout of size and cosize below 2^64.**
Source: `Razorgirl.Layout.logicalProduct` -/
theorem logicalProduct_run {A T : FlatLayout} (hA : Valid A) (hT : Valid T) (hsA : FlatLayout.size A < 2 ^ 64)
    (hcA : FlatLayout.cosize A < 2 ^ 64) (hsT : FlatLayout.size T < 2 ^ 64) (hcT : FlatLayout.cosize T < 2 ^ 64) :
    logicalProduct.run (A, T, ()) =
      match fitted (placesOf A (cosizeFormula T)) (complementRefusal (FlatLayout.filter A)) with
      | .error f => .error f
      | .ok C => answer ((productGroups A T).map fun gs => (gs.flatten, gs.map List.length)) (compositionRefusal C T) := by
  rw [logicalProduct_eq, cosize_run hT, if_pos hcT]
  simp only [bindE, places_run (n := FlatLayout.cosize T) hA hsA hcA hcT, productGroups]
  rw [cosize_eq_formula hT]
  cases hp : placesOf A (cosizeFormula T) with
  | none => rfl
  | some C =>
    simp only [fitted]
    by_cases hf : FlatLayout.size C < 2 ^ 64 ∧ FlatLayout.cosize C < 2 ^ 64
    · rw [if_pos hf]
      have hC : Valid C := by
        rw [placesOf] at hp
        obtain ⟨G, hg, rfl⟩ := Option.map_eq_some_iff.1 hp
        have hG := valid_gaps Nat.one_pos hg (valid_chain (filter_valid hA))
        refine coalesce_valid ?_
        split
        · rename_i hlt
          have := two_le_ceilDiv (Valid.size_pos hG) hlt
          exact (valid_append_iff _ _).2 ⟨hG, by simp only; omega, trivial⟩
        · exact hG
      exact composition_run hC hT hf.1 hf.2 hsT hcT
    · rw [if_neg hf]

/-- The places are a complement. -/
theorem placesOf_eq {A C : FlatLayout} {n : Nat} (hA : Valid A) (h : placesOf A n = some C) :
    (∃ N, FlatLayout.complementIn (FlatLayout.filter A) N = some C) ∧ n ≤ FlatLayout.size C := by
  rw [placesOf] at h
  obtain ⟨G, hg, rfl⟩ := Option.map_eq_some_iff.1 h
  have hF := filter_valid hA
  have hG := valid_gaps Nat.one_pos hg (valid_chain hF)
  have hz := Valid.size_pos hG
  have hpos : 0 < block (FlatLayout.filter A) :=
    blockFrom_pos Nat.one_pos (gaps_eq_some hg).1 (valid_chain hF)
  rw [coalesce_size]
  by_cases hlt : FlatLayout.size G < n
  · have h6 := two_le_ceilDiv hz hlt
    rw [if_pos hlt]
    refine ⟨⟨block (FlatLayout.filter A) * Division.ceilDiv n (FlatLayout.size G), ?_⟩, ?_⟩
    · rw [FlatLayout.complementIn, if_pos ⟨Nat.mul_pos hpos (by omega), Nat.mul_mod_right _ _⟩, hg,
        Nat.mul_div_cancel_left _ hpos]
      rfl
    · rw [size_append, size_cons, size_nil, Nat.mul_one]
      exact Division.le_mul_ceilDiv hz
  · rw [if_neg hlt]
    refine ⟨⟨block (FlatLayout.filter A), ?_⟩, by omega⟩
    rw [FlatLayout.complementIn, if_pos ⟨hpos, Nat.mod_self _⟩, hg, Nat.div_self hpos]
    exact congrArg some (coalesce_append_unit rfl)

/-- The gaps reach no further than the modes between which they lie. -/
theorem cosizeFormula_gaps_le {F G : FlatLayout} (hF : Valid F) (hg : FlatLayout.gaps 1 (FlatLayout.chain F) = some G) :
    cosizeFormula (FlatLayout.coalesce G) ≤ cosizeFormula F ∧ Completes F (FlatLayout.coalesce G) (block F) := by
  have hpos : 0 < block F := blockFrom_pos Nat.one_pos (gaps_eq_some hg).1 (valid_chain hF)
  have h1 : FlatLayout.complementIn F (block F) = some (FlatLayout.coalesce G) := by
    rw [FlatLayout.complementIn, if_pos ⟨hpos, Nat.mod_self _⟩, hg, Nat.div_self hpos]
    exact congrArg some (coalesce_append_unit rfl)
  have h2 := complementIn_completes hF h1
  refine ⟨?_, h2⟩
  have h3 := h2.2
  rw [cosize_eq_formula ((valid_append_iff _ _).2 h2.valid)] at h3
  have h4 := cosizeFormula_append F (FlatLayout.coalesce G)
  have h5 := cosizeFormula_pos F
  have h6 := cosizeFormula_pos (FlatLayout.coalesce G)
  have hb : block F = _ := blockFrom_eq_last (FlatLayout.chain F) ⟨1, 1⟩
  have hm : (FlatLayout.chain F).getLastD ⟨1, 1⟩ ∈ (⟨1, 1⟩ : Mode) :: FlatLayout.chain F := List.getLastD_mem_cons
  have hf : cosizeFormula (FlatLayout.chain F) = cosizeFormula F := by
    rw [← cosize_eq_formula (valid_chain hF), ← cosize_eq_formula hF, ← cosize_squeeze F]
    exact cosize_perm (chain_perm F)
  generalize (FlatLayout.chain F).getLastD ⟨1, 1⟩ = q at *
  rcases List.mem_cons.1 hm with rfl | hm
  · simp only [Nat.mul_one] at hb
    omega
  · have h7 := two_le_of_mem_chain hF hm
    have h8 := reach_le_cosize hm
    have h9 : 1 * q.stride ≤ (q.extent - 1) * q.stride := Nat.mul_le_mul_right _ (by omega)
    have h10 : (q.extent - 1) * q.stride + q.stride = q.extent * q.stride := by
      rw [← Nat.succ_mul, Nat.succ_eq_add_one, Nat.sub_add_cancel (by omega)]
    omega

/-- **Where the extracted `places` overflows, the last copy would end at 2^64 or beyond: it begins at `C(n - 1)`, where C says
where copies may start, and ends the cosize of the layout later.**
Source: `Razorgirl.Layout.origins` -/
theorem places_overflow {A C : FlatLayout} {n : Nat} (hA : Valid A) (hc : FlatLayout.cosize A < 2 ^ 64) (hn : n < 2 ^ 64)
    (h : placesOf A n = some C) (hf : ¬ (FlatLayout.size C < 2 ^ 64 ∧ FlatLayout.cosize C < 2 ^ 64)) :
    2 ^ 64 ≤ FlatLayout.atIndex C (n - 1) + FlatLayout.cosize A := by
  rw [placesOf] at h
  obtain ⟨G, hg, rfl⟩ := Option.map_eq_some_iff.1 h
  have hF := filter_valid hA
  have hG := valid_gaps Nat.one_pos hg (valid_chain hF)
  have hz := Valid.size_pos hG
  obtain ⟨h1, h2⟩ := cosizeFormula_gaps_le hF hg
  have h3 := coalesce_cosizeFormula hG
  have h4 := h2.size_mul
  have h5 := size_le_cosize (injective_of_append_right hF h2.1.1)
  rw [cosize_eq_formula h2.valid.2, coalesce_size] at h5
  rw [coalesce_size] at h4
  rw [cosizeFormula_filter hA] at h1
  rw [cosize_eq_formula hA] at hc ⊢
  by_cases hlt : FlatLayout.size G < n
  · have h6 := two_le_ceilDiv hz hlt
    have hk : (n - 1) / FlatLayout.size G = Division.ceilDiv n (FlatLayout.size G) - 1 := by
      rw [Division.ceilDiv, show n + FlatLayout.size G - 1 = n - 1 + FlatLayout.size G by omega, Nat.add_div_right _ hz]
      rfl
    rw [if_pos hlt] at hf ⊢
    generalize Division.ceilDiv n (FlatLayout.size G) = k at *
    have hv : Valid (G ++ [⟨k, block (FlatLayout.filter A)⟩]) := (valid_append_iff _ _).2 ⟨hG, by simp only; omega, trivial⟩
    have h7 := cosizeFormula_append G [⟨k, block (FlatLayout.filter A)⟩]
    simp only [cosizeFormula] at h7
    rw [coalesce_size, coalesce_cosize, cosize_eq_formula hv, size_append, size_cons, size_nil, Nat.mul_one] at hf
    rw [coalesce_atIndex, atIndex_append, hk, atIndex_singleton]
    dsimp only at hf ⊢
    rw [Nat.mod_eq_of_lt (show k - 1 < k by omega)]
    by_cases h8 : FlatLayout.size G * k < 2 ^ 64
    · have h9 : ¬ cosizeFormula (G ++ [⟨k, block (FlatLayout.filter A)⟩]) < 2 ^ 64 := fun h9 => hf ⟨h8, h9⟩
      omega
    · have h9 : 2 ≤ FlatLayout.size (FlatLayout.filter A) := by
        cases hE : FlatLayout.filter A with
        | nil =>
          rw [hE] at h4
          have h10 : block [] = 1 := rfl
          rw [size_nil, h10, Nat.one_mul] at h4
          rw [h4, Nat.div_one] at hk
          rw [h4, Nat.one_mul] at h8
          omega
        | cons m E =>
          have h10 : Coalesced (m :: E) := hE ▸ coalesce_coalesced (filterZeros A)
          have h11 := two_le_of_coalesced (hE ▸ hF) h10 m (by simp)
          rw [size_cons]
          exact Nat.le_trans h11 (Nat.le_mul_of_pos_right _ (Valid.size_pos (hE ▸ hF : Valid (m :: E)).2))
      have h10 : 2 * FlatLayout.size G ≤ block (FlatLayout.filter A) := by rw [← h4]; exact Nat.mul_le_mul_right _ h9
      have h11 : (k - 1) * (2 * FlatLayout.size G) ≤ (k - 1) * block (FlatLayout.filter A) := Nat.mul_le_mul_left _ h10
      have h12 : FlatLayout.size G * k ≤ (k - 1) * (2 * FlatLayout.size G) := by
        rw [← Nat.mul_assoc, Nat.mul_comm (FlatLayout.size G)]
        exact Nat.mul_le_mul_right _ (by omega)
      omega
  · rw [if_neg hlt, coalesce_size, cosize_eq_formula h2.valid.2] at hf
    exact absurd ⟨by omega, by omega⟩ hf

theorem chain_nest (F : FlatLayout) : FlatLayout.chain (FlatLayout.nest F).modes = FlatLayout.chain F := by
  cases F with
  | nil => rfl
  | cons m F => rw [nest_modes_of_ne (by simp)]

theorem complementIn_nest (F : FlatLayout) (N : Nat) :
    FlatLayout.complementIn (FlatLayout.nest F).modes N = FlatLayout.complementIn F N := by
  rw [FlatLayout.complementIn, FlatLayout.complementIn, block, block, chain_nest]

/-- **The product is the layout beside what the groups make that the extracted `logical_product` returns.**
Source: `Razorgirl.Layout.logicalProduct` -/
theorem logicalProduct_eq_groups {A T : Layout} (hA : A.Valid) (hT : T.Valid) : Layout.logicalProduct A T =
    (productGroups A.modes T.modes).map fun gs => Layout.concat [A, Layout.assemble T.profile gs] := by
  rw [productGroups]
  cases hp : placesOf A.modes (cosizeFormula T.modes) with
  | none =>
    have h1 : FlatLayout.gaps 1 (FlatLayout.chain (FlatLayout.filter A.modes)) = none := by
      rw [placesOf, Option.map_eq_none_iff] at hp; exact hp
    have h2 : Layout.origins A T = none := by
      cases h3 : Layout.origins A T with
      | none => rfl
      | some C =>
        refine absurd ?_ ((Layout.origins_ne_none_iff (T := T) hA).1 (by rw [h3]; exact Option.some_ne_none _))
        rw [Layout.complement, FlatLayout.complement, Layout.filter, chain_nest, h1]
        rfl
    rw [Layout.logicalProduct, Layout.productWith, h2]
    rfl
  | some C =>
    obtain ⟨⟨N, h1⟩, h2⟩ := placesOf_eq hA.2 hp
    have h3 : (Layout.filter A).complementIn N = some (FlatLayout.nest C) := by
      rw [Layout.complementIn, Layout.filter, complementIn_nest, h1]; rfl
    rw [Layout.logicalProduct_eq_of_complementIn hA hT h3 (by rw [Layout.size_nest]; exact h2), composition_eq_groups,
      compositionGroups_coalesce (Layout.coalesce_nest_modes C), Option.map_map]
    rfl

end Razorgirl.Extract
