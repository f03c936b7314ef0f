module

public import Razorgirl.Thm.Layout.Partition

@[expose] public section

/-!
# A row of tiles: what is proved

`local_tile` may leave modes of the rests open: at `(m,_)` a thread block has all tiles of row m, one behind the other.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout Layout.Aux

/-! ## Any open coordinate -/

/-- **What `local_tile` answers, moved to where it starts, is the zipped division at the tile's coordinates and the fixed
coordinate, its `_` filled in.**
Rust: `razorgirl::Layout::local_tile`, `razorgirl::Layout::inner_partition`
Source: CuTe `local_tile` -/
theorem localTile_call {A Z S : Layout} {b : Tiler} {c : Coord} {t r : HTuple Mode} {o : Nat}
    (hZ : zippedDivide A b = some Z) (ht : Z.tree = .node [t, r]) (hv : Z.Valid) (h : localTile A b c = some (S, o))
    {ds : List Coord} (hd : ds.length = holes (.node [keepAll t, padCoord c r])) :
    Z.call (plug (.node [keepAll t, padCoord c r]) ds) = (S.call (.node ds)).map fun a => o + a := by
  rw [localTile, innerPartition, hZ] at h
  simp only [innerAt, ht] at h
  exact sliceAndOffset_call hv h hd

/-! ## A row of tiles of a matrix -/

/-- Runs of n indices have their copies at 0, n, 2n, …. -/
theorem atIndex_complement_run {n N : Nat} {C : Layout} (hn : 0 < n)
    (h : Layout.complementIn ⟨[⟨n, 1⟩], .leaf ()⟩ N = some C) :
    C.size = N / n ∧ ∀ x, x < N / n → atIndex C.modes x = n * x := by
  obtain ⟨D, hD, rfl⟩ := complementIn_eq_some_iff.1 h
  have hm : FlatLayout.size (nest D).modes = FlatLayout.size D ∧ ∀ x, atIndex (nest D).modes x = atIndex D x := by
    match D with
    | [] => exact ⟨rfl, fun x => by rw [nest, atIndex_singleton, atIndex_nil, Nat.mul_zero]⟩
    | [_] => exact ⟨rfl, fun _ => rfl⟩
    | _ :: _ :: _ => exact ⟨rfl, fun _ => rfl⟩
  rw [FlatLayout.complementIn] at hD
  split at hD
  · by_cases h1 : n = 1
    · subst h1
      have ec : chain [⟨1, 1⟩] = [] := by
        rw [chain, squeeze, if_pos rfl]
        rfl
      have e : gaps 1 (chain [⟨1, 1⟩]) = some [] := by rw [ec, gaps]
      have e' : block [⟨1, 1⟩] = 1 := by rw [block, ec, blockFrom]
      rw [e, e'] at hD
      obtain rfl := Option.some.inj hD
      rw [Layout.size, hm.1, FlatLayout.coalesce_size]
      refine ⟨by simp [size_cons, size_nil], fun x hx => ?_⟩
      rw [hm.2, FlatLayout.coalesce_atIndex, List.nil_append, atIndex_singleton, Nat.mod_eq_of_lt hx]
      exact Nat.mul_comm _ _
    · have ec : chain [⟨n, 1⟩] = [⟨n, 1⟩] := by
        rw [chain, squeeze, if_neg h1]
        rfl
      have e : gaps 1 (chain [⟨n, 1⟩]) = some [⟨1, 1⟩] := by simp [ec, gaps]
      have e' : block [⟨n, 1⟩] = n := by simp [block, ec, blockFrom]
      rw [e, e'] at hD
      obtain rfl := Option.some.inj hD
      rw [Layout.size, hm.1, FlatLayout.coalesce_size]
      refine ⟨by simp [size_cons, size_nil], fun x hx => ?_⟩
      rw [hm.2, FlatLayout.coalesce_atIndex, List.singleton_append, atIndex_cons, atIndex_singleton]
      simp only [Nat.mod_one, Nat.zero_mul, Nat.zero_add, Nat.div_one]
      rw [Nat.mod_eq_of_lt hx, Nat.mul_comm]
  · cases hD

/-- Place p of tile k of a layout in runs of n is its element k·n + p. -/
theorem logicalDivide_run_call {A D : Layout} {n p k : Nat} (h : logicalDivide A ⟨[⟨n, 1⟩], .leaf ()⟩ = some D)
    (hp : p < n) (hk : k < A.size / n) :
    n * k + p < A.size ∧ D.call (.node [.leaf (some p), .leaf (some k)]) = some (atIndex A.modes (n * k + p)) := by
  have hn : 0 < n := by omega
  have hT : (⟨[⟨n, 1⟩], .leaf ()⟩ : Layout).Valid := ⟨rfl, hn, trivial⟩
  have hd := logicalDivide_sound hT h
  obtain ⟨C, _, _, hC, _, _, _⟩ := isDivision_modes hT hd
  obtain ⟨hs, ha⟩ := atIndex_complement_run hn hC
  have h1 : (⟨[⟨n, 1⟩], .leaf ()⟩ : Layout).call (.leaf (some p)) = some p := by
    rw [call_index hT (by simpa [Layout.size, size_cons, size_nil] using hp), atIndex_singleton, Nat.mod_eq_of_lt hp,
      Nat.mul_one]
  have h2 : C.call (.leaf (some k)) = some (n * k) := by
    rw [call_index (complementIn_valid hT hC) (by rwa [hs]), ha k hk]
  have := isDivision_call hT hd hC h1 h2
  rwa [Nat.add_comm p] at this

/-- **At `(m,_)` a matrix in tiles of n₀ × n₁ gives row m of its tiles: at place (p₀,p₁) of the k-th of them it is the matrix
at (m·n₀ + p₀, k·n₁ + p₁).**
Rust: `razorgirl::Layout::local_tile`
Source: CuTe `local_tile` with `_` -/
theorem localTile_row {A₀ A₁ S : Layout} {n₀ n₁ m p₀ p₁ k o : Nat} (h₀ : A₀.Valid) (h₁ : A₁.Valid)
    (h : localTile (concat [A₀, A₁]) (runs [n₀, n₁]) (.node [.leaf (some m), .leaf none]) = some (S, o))
    (hp₀ : p₀ < n₀) (hp₁ : p₁ < n₁) (hm : m < A₀.size / n₀) (hk : k < A₁.size / n₁) :
    ∃ a, S.call (.node [.leaf (some p₀), .leaf (some p₁), .leaf (some k)]) = some a ∧
      (concat [A₀, A₁]).call (.node [.leaf (some (n₀ * m + p₀)), .leaf (some (n₁ * k + p₁))]) = some (o + a) := by
  have hA : ∀ A ∈ [A₀, A₁], A.Valid := by
    intro A hA
    rcases List.mem_cons.1 hA with rfl | hA
    · exact h₀
    · rwa [List.mem_singleton.1 hA]
  have hT₀ : (⟨[⟨n₀, 1⟩], .leaf ()⟩ : Layout).Valid := ⟨rfl, by show 0 < n₀; omega, trivial⟩
  have hT₁ : (⟨[⟨n₁, 1⟩], .leaf ()⟩ : Layout).Valid := ⟨rfl, by show 0 < n₁; omega, trivial⟩
  have hb : (runs [n₀, n₁]).Valid := ⟨hT₀, hT₁, trivial⟩
  have hr : runs [n₀, n₁] = .modes ([⟨[⟨n₀, 1⟩], .leaf ()⟩, ⟨[⟨n₁, 1⟩], .leaf ()⟩].map .layout) := rfl
  have h' := h
  rw [localTile, innerPartition] at h'
  cases hZ : zippedDivide (concat [A₀, A₁]) (runs [n₀, n₁]) with
  | none => simp [hZ] at h'
  | some Z =>
    clear h'
    have hsome := (divide_forms_isSome_iff (A := concat [A₀, A₁]) hb).1
    rw [hZ, Option.isSome_some] at hsome
    obtain ⟨L, hL⟩ := Option.isSome_iff_exists.1 hsome.symm
    obtain ⟨p, hu, rfl, hval⟩ := arrange_divide hb hL hZ
    have hL' := hL
    rw [hr, logicalDivideBy_concat hA] at hL'
    obtain ⟨Ds, hDs, rfl⟩ := Option.map_eq_some_iff.1 hL'
    have hpair : ∃ D₀ D₁, logicalDivide A₀ ⟨[⟨n₀, 1⟩], .leaf ()⟩ = some D₀ ∧
        logicalDivide A₁ ⟨[⟨n₁, 1⟩], .leaf ()⟩ = some D₁ ∧ Ds = [D₀, D₁] := by
      simp only [eachModeKeep] at hDs
      cases e₀ : logicalDivide A₀ ⟨[⟨n₀, 1⟩], .leaf ()⟩ with
      | none => simp [e₀] at hDs
      | some D₀ =>
        cases e₁ : logicalDivide A₁ ⟨[⟨n₁, 1⟩], .leaf ()⟩ with
        | none => simp [e₀, e₁] at hDs
        | some D₁ =>
          simp only [e₀, e₁, Option.some.injEq] at hDs
          exact ⟨D₀, D₁, rfl, rfl, hDs.symm⟩
    obtain ⟨D₀, D₁, e₀, e₁, rfl⟩ := hpair
    have v₀ := (isDivision_valid (logicalDivide_sound hT₀ e₀))
    have v₁ := (isDivision_valid (logicalDivide_sound hT₁ e₁))
    obtain ⟨x₀, y₀, t₀⟩ := pairs_of_logicalDivide _ _ _ hT₀ e₀
    obtain ⟨x₁, y₁, t₁⟩ := pairs_of_logicalDivide _ _ _ hT₁ e₁
    have hD : ∀ A ∈ [D₀, D₁], A.Valid := by
      intro A hA
      rcases List.mem_cons.1 hA with rfl | hA
      · exact v₀
      · rwa [List.mem_singleton.1 hA]
    rw [tree_concat hD, List.map_cons, List.map_cons, List.map_nil, t₀, t₁] at hu
    have hp : p = (.node [x₀, x₁], .node [y₀, y₁]) := by
      simp [runs, unzip, unzipList] at hu
      exact hu.symm
    subst hp
    have hform : (ofTree (zippedForm (.node [x₀, x₁], .node [y₀, y₁]))).tree =
        .node [.node [x₀, x₁], .node [y₀, y₁]] := Layout.tree_ofTree _
    have hvZ : (ofTree (zippedForm (.node [x₀, x₁], .node [y₀, y₁]))).Valid := by
      have f₀ : FlatLayout.Valid D₀.tree.flatten := by rw [Layout.flatten_tree v₀.1]; exact v₀.2
      have f₁ : FlatLayout.Valid D₁.tree.flatten := by rw [Layout.flatten_tree v₁.1]; exact v₁.2
      rw [t₀] at f₀
      rw [t₁] at f₁
      rw [valid_ofTree_iff]
      simp only [zippedForm, HTuple.flatten, flattenList, List.append_nil, valid_append_iff] at f₀ f₁ ⊢
      exact ⟨⟨f₀.1, f₁.1⟩, f₀.2, f₁.2⟩
    have hcall := localTile_call hZ hform hvZ h
      (ds := [.leaf (some p₀), .leaf (some p₁), .leaf (some k)]) rfl
    have hplug : plug (.node [keepAll (.node [x₀, x₁]), padCoord (.node [.leaf (some m), .leaf none]) (.node [y₀, y₁])])
        [.leaf (some p₀), .leaf (some p₁), .leaf (some k)] =
        .node [.node [.leaf (some p₀), .leaf (some p₁)], .node [.leaf (some m), .leaf (some k)]] := rfl
    have hz := zippedDivide_call hb (a := .node [.leaf (some p₀), .leaf (some p₁)])
      (c := .node [.leaf (some m), .leaf (some k)]) ⟨trivial, trivial, trivial⟩ hL hZ
    have hdc : divideCoord (runs [n₀, n₁]) (.node [.leaf (some p₀), .leaf (some p₁)])
        (.node [.leaf (some m), .leaf (some k)]) =
        .node [.node [.leaf (some p₀), .leaf (some m)], .node [.leaf (some p₁), .leaf (some k)]] := by
      simp [runs, zipCoord, zipCoords]
    obtain ⟨l₀, c₀⟩ := logicalDivide_run_call e₀ hp₀ hm
    obtain ⟨l₁, c₁⟩ := logicalDivide_run_call e₁ hp₁ hk
    rw [hdc, call_concat hD] at hz
    simp only [sumCalls, c₀, c₁] at hz
    rw [hplug, hz] at hcall
    cases hS : S.call (.node [.leaf (some p₀), .leaf (some p₁), .leaf (some k)]) with
    | none => simp [hS] at hcall
    | some a =>
      refine ⟨a, rfl, ?_⟩
      rw [hS, Option.map_some] at hcall
      rw [call_concat hA]
      simp only [sumCalls, call_index h₀ l₀, call_index h₁ l₁]
      exact hcall

end Layout

end Razorgirl
