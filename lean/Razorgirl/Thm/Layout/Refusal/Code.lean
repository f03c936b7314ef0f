module

public import Razorgirl.Spec.Layout.Refusal.Code
public import Razorgirl.Thm.Layout.Divide.CeilRefusal
public import Razorgirl.Thm.Layout.Product.Refusal
public import Razorgirl.Thm.Layout.Tiler.Operations

@[expose] public section

/-!
# Codes of refusals: what is proved

The code that is found without the witness is the code of the refusal.
-/

namespace Razorgirl

namespace Layout
open HTuple

/-- A refusal with its code: they are there together. -/
theorem refusalFor_code {A C B : Layout} {r : CompositionRefusal} (h : refusalFor A C B = some r) :
    r.code = (if FlatLayout.cosizeFormula B.modes ≤ A.size then
      match splitModes (FlatLayout.shape (FlatLayout.coalesce A.modes)) B.modes with
      | some _ => .carries
      | none => .notDivisible
    else .outOfDomain) := by
  rcases refusalFor_cases h with ⟨hd, rfl⟩ | ⟨w, hd, _, rfl⟩
  · rw [if_neg hd]; rfl
  · rw [if_pos hd, refusalOf]
    cases splitModes (FlatLayout.shape (FlatLayout.coalesce A.modes)) B.modes <;> rfl

theorem compositionCode_eq_none_iff {A B : Layout} : compositionCode A B = none ↔ ∃ R, composition A B = some R := by
  rw [compositionCode, composition]
  split
  · rw [digitComposition]
    cases splitModes (FlatLayout.shape (FlatLayout.coalesce A.modes)) B.modes with
    | none => simp
    | some ps => dsimp only; split <;> simp
  · simp

theorem compositionCode_eq_some {A B : Layout} {c : RefusalCode} (h : compositionCode A B = some c) :
    c = (if FlatLayout.cosizeFormula B.modes ≤ A.size then
      match splitModes (FlatLayout.shape (FlatLayout.coalesce A.modes)) B.modes with
      | some _ => .carries
      | none => .notDivisible
    else .outOfDomain) := by
  rw [compositionCode] at h
  split at h
  · rename_i hd
    rw [if_pos hd]
    revert h
    cases splitModes (FlatLayout.shape (FlatLayout.coalesce A.modes)) B.modes with
    | none => intro h; cases h; rfl
    | some ps =>
      dsimp only
      split
      · intro h; cases h
      · intro h; cases h; rfl
  · rename_i hd
    cases h
    rw [if_neg hd]

/-- **Where composition is refused, the code that is found without a witness is that of the refusal; elsewhere there is none.
Strict and complete.**
Rust: `razorgirl::Layout::composition`, `razorgirl::Layout::composition_complete`
Source: none known -/
theorem compositionCode_eq {A B : Layout} (hB : B.Valid) :
    compositionCode A B = (compositionRefusal A B).map CompositionRefusal.code ∧
      compositionCompleteCode A B = (compositionCompleteRefusal A B).map CompositionRefusal.code := by
  constructor
  · cases hr : compositionRefusal A B with
    | none => exact compositionCode_eq_none_iff.2 ((compositionRefusal_eq_none_iff hB).1 hr)
    | some r =>
      cases hc : compositionCode A B with
      | none =>
        rw [(compositionRefusal_eq_none_iff hB).2 (compositionCode_eq_none_iff.1 hc)] at hr
        cases hr
      | some c => rw [Option.map_some, refusalFor_code hr, compositionCode_eq_some hc]
  · rw [compositionCompleteCode]
    cases hr : compositionCompleteRefusal A B with
    | none =>
      obtain ⟨R, hR⟩ := (compositionCompleteRefusal_eq_none_iff hB).1 hr
      rw [hR]
      rfl
    | some r =>
      cases hR : compositionComplete A B with
      | some R => rw [(compositionCompleteRefusal_eq_none_iff hB).2 ⟨R, hR⟩] at hr; cases hr
      | none =>
        cases hc : compositionCode A B with
        | none =>
          obtain ⟨R, hs⟩ := compositionCode_eq_none_iff.1 hc
          rw [(compositionComplete_eq_some_iff hB).2 (composition_sound hB hs)] at hR
          cases hR
        | some c =>
          simp only [Option.map_some]
          rw [refusalFor_code hr, compositionCode_eq_some hc]

/-- **The code of a division that is found without a witness is that of the refusal.**
Rust: `razorgirl::Layout::logical_divide`
Source: CuTe `logical_divide` -/
theorem divisionCode_eq {A T : Layout} (hT : T.Valid) :
    divisionCode A T = (divisionRefusal A T).map DivisionRefusal.code := by
  rw [divisionCode, divisionRefusal]
  split
  · cases hf : FlatLayout.complementInFault T.modes A.size with
    | some r => rfl
    | none =>
      cases hI : tiling T A.size with
      | none => rfl
      | some I =>
        simp only [(compositionCode_eq (A := A) (tiling_valid hT hI)).1, Option.map_map]
        rfl
  · rfl

/-- **The code of a division with padding that is found without a witness is that of the refusal.**
Rust: `razorgirl::Layout::logical_divide_ceil`
Source: CuTe `logical_divide` -/
theorem ceilDivisionCode_eq {A T : Layout} (hT : T.Valid) :
    ceilDivisionCode A T = (ceilDivisionRefusal A T).map CeilDivisionRefusal.code := by
  rw [ceilDivisionCode, ceilDivisionRefusal]
  cases hf : FlatLayout.complementFault T.modes with
  | some r => rfl
  | none =>
    cases hI : ceilIndex A T with
    | none => rfl
    | some I =>
      simp only [(compositionCode_eq (ceilIndex_valid hT hI)).1, Option.map_map]
      rfl

/-- **The code of a product that is found without a witness is that of the refusal.**
Rust: `razorgirl::Layout::logical_product`
Source: CuTe `logical_product` -/
theorem productCode_eq {A T : Layout} (hT : T.Valid) :
    productCode A T = (productRefusal A T).map ProductRefusal.code := by
  rw [productCode, productRefusal]
  cases hf : FlatLayout.complementFault (filter A).modes with
  | some r => rfl
  | none =>
    cases hC : origins A T with
    | none => rfl
    | some C =>
      simp only [(compositionCode_eq hT).1, Option.map_map]
      rfl

/-- **The code of a block up to a shape that is found without a witness is that of the refusal.**
Rust: `razorgirl::Layout::tile_to_shape`
Source: CuTe `tile_to_shape` -/
theorem tileToShapeCode_eq {A : Layout} {shape order : IntTuple} (hs : IntTuple.Positive shape) :
    tileToShapeCode A shape order = (tileToShapeRefusal A shape order).map FillRefusal.code := by
  rw [tileToShapeCode, tileToShapeRefusal]
  split
  · rfl
  · split
    · cases hu : firstUneven 0 (modeSizes A) ((children shape).map IntTuple.size) with
      | some u => rfl
      | none =>
        cases hT : fillers A shape order with
        | none => rfl
        | some T =>
          simp only [productCode_eq (fillers_valid hs hT).1, Option.map_map]
          rfl
    · rfl

/-! ## By tiler -/

theorem TilerRefusal_map_under {ε δ : Type} (f : ε → δ) (i : Nat) (r : TilerRefusal ε) :
    (r.under i).map f = (r.map f).under i := by cases r <;> rfl

mutual
theorem firstRefusal_map {ε δ : Type} {why : Layout → Layout → Option ε} {code : Layout → Layout → Option δ} {f : ε → δ} :
    (b : Tiler) → (t : HTuple Mode) →
    (∀ p B s, TilerAt b t p (.layout B) s → code (ofTree s) B = (why (ofTree s) B).map f) →
    firstRefusal code b t = (firstRefusal why b t).map (TilerRefusal.map f)
  | .keep, t, _ => by rw [firstRefusal, firstRefusal]; rfl
  | .layout B, t, h => by
    rw [firstRefusal, firstRefusal, h [] B t (.here _ _), Option.map_map, Option.map_map]
    rfl
  | .modes bs, t, h => by
    rw [firstRefusal, firstRefusal]
    exact firstRefusals_map bs (children t) 0 fun i b s hb hs p B s' ht => h (i :: p) B s' (.inside hb hs ht)
theorem firstRefusals_map {ε δ : Type} {why : Layout → Layout → Option ε} {code : Layout → Layout → Option δ} {f : ε → δ} :
    (bs : List Tiler) → (ts : List (HTuple Mode)) → (k : Nat) →
    (∀ (i : Nat) (b : Tiler) (s : HTuple Mode), bs[i]? = some b → ts[i]? = some s → ∀ p B s',
      TilerAt b s p (.layout B) s' → code (ofTree s') B = (why (ofTree s') B).map f) →
    firstRefusals code k bs ts = (firstRefusals why k bs ts).map (TilerRefusal.map f)
  | [], ts, k, _ => by rw [firstRefusals, firstRefusals]; rfl
  | b :: bs, [], k, _ => by rw [firstRefusals, firstRefusals]; rfl
  | b :: bs, t :: ts, k, h => by
    rw [firstRefusals, firstRefusals, firstRefusal_map b t (h 0 b t rfl rfl),
      firstRefusals_map bs ts (k + 1) fun i b s hb hs => h (i + 1) b s hb hs]
    cases firstRefusal why b t with
    | none => rfl
    | some r => simp only [Option.map_some, TilerRefusal_map_under]
end

theorem transformRefusal_map {ε δ : Type} {why : Layout → Layout → Option ε} {code : Layout → Layout → Option δ}
    {f : ε → δ} {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    (h : ∀ A B, A.Valid → B.Valid → code A B = (why A B).map f) :
    transformRefusal code b A.tree = (transformRefusal why b A.tree).map (TilerRefusal.map f) := by
  have h1 : firstRefusal (fun _ _ => (none : Option δ)) b A.tree =
      (firstRefusal (fun _ _ => (none : Option ε)) b A.tree).map (TilerRefusal.map f) :=
    firstRefusal_map b A.tree fun _ _ _ _ => rfl
  have h2 : firstRefusal code b A.tree = (firstRefusal why b A.tree).map (TilerRefusal.map f) :=
    firstRefusal_map b A.tree fun p B s hp => by
      obtain ⟨hB, hs⟩ := valid_of_layoutAt hA hb hp
      exact h _ _ hs hB
  rw [transformRefusal, transformRefusal, h1, h2]
  cases firstRefusal (fun _ _ => (none : Option ε)) b A.tree <;> rfl

/-- **By tiler, too, place and code that are found without a witness are those of the refusal: of composition, strict and
complete, of division, with padding and without, and of the product.**
Rust: `razorgirl::Tiler`
Source: CuTe `transform_layout` -/
theorem transformRefusal_codes {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid) :
    transformRefusal compositionCode b A.tree =
        (compositionByRefusal A b).map (TilerRefusal.map CompositionRefusal.code) ∧
      transformRefusal compositionCompleteCode b A.tree =
        (compositionCompleteByRefusal A b).map (TilerRefusal.map CompositionRefusal.code) ∧
      transformRefusal divisionCode b A.tree = (divisionByRefusal A b).map (TilerRefusal.map DivisionRefusal.code) ∧
      transformRefusal ceilDivisionCode b A.tree =
        (ceilDivisionByRefusal A b).map (TilerRefusal.map CeilDivisionRefusal.code) ∧
      transformRefusal productCode b A.tree = (productByRefusal A b).map (TilerRefusal.map ProductRefusal.code) :=
  ⟨transformRefusal_map hA hb fun _ _ _ hB => (compositionCode_eq hB).1,
    transformRefusal_map hA hb fun _ _ _ hB => (compositionCode_eq hB).2,
    transformRefusal_map hA hb fun _ _ _ hT => divisionCode_eq hT,
    transformRefusal_map hA hb fun _ _ _ hT => ceilDivisionCode_eq hT,
    transformRefusal_map hA hb fun _ _ _ hT => productCode_eq hT⟩

end Layout

end Razorgirl
