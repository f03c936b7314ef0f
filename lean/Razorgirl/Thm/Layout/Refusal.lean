module

public import Razorgirl.Spec.Layout.Refusal
public import Razorgirl.Thm.Layout.Divide.Refusal
public import Razorgirl.Thm.Layout.Tiler.Refusal

@[expose] public section

/-!
# Refusals are true

Each refusal that an operation gives says what is so. With the theorems on where there is one, no routine that refuses too
much, or that names a constant, has these properties.
-/

namespace Razorgirl

open HTuple

/-- **What the search for a layout over a shape names is so.**
Rust: `razorgirl::Witness`
Source: none known -/
theorem FindOver.witness_holds {S : IntTuple} (hS : IntTuple.Positive S) {f : List Nat → Int} {w : FindOver.Witness}
    (h : findOver S f = .error w) : w.Holds S f := by
  cases w with
  | axis i x =>
    obtain ⟨h1, h2, h3, _⟩ := findOver_eq_axis hS h
    exact ⟨h1, h2, h3⟩
  | coordinate c =>
    obtain ⟨h1, h2, _⟩ := findOver_eq_coordinate h
    exact ⟨h1, h2⟩

namespace FlatLayout

/-- **What the refusal of a complement names is so.**
Rust: `razorgirl::Layout::complement`
Source: Colfax 2.1.6.11, 2.1.6.21 -/
theorem complementFault_holds {L : FlatLayout} (hL : Valid L) {r : ComplementRefusal} (h : complementFault L = some r) :
    r.Holds L none := by
  cases r with
  | collides i j => exact complementFault_eq_collides h
  | indivisible d b => exact complementFault_eq_indivisible hL h
  | uneven b => obtain ⟨_, _, _, ⟨_, _, _, e⟩ | ⟨_, e⟩⟩ := complementFault_cases h <;> cases e

/-- **What the refusal of a complement in `[0,N)` names is so.**
Rust: `razorgirl::Layout::complement_in`
Source: Colfax 2.1.6.11, 2.1.6.21, 2.1.6.32 -/
theorem complementInFault_holds {L : FlatLayout} (hL : Valid L) {N : Nat} {r : ComplementRefusal}
    (h : complementInFault L N = some r) : r.Holds L (some N) := by
  cases r with
  | uneven b =>
    obtain ⟨h1, h2, h3⟩ := complementInFault_eq_uneven h
    exact ⟨h1, h2, N, rfl, h3⟩
  | collides i j =>
    rcases complementInFault_cases h with h | ⟨_, _, e⟩
    · exact complementFault_holds hL h
    · cases e
  | indivisible d b =>
    rcases complementInFault_cases h with h | ⟨_, _, e⟩
    · exact complementFault_holds hL h
    · cases e

end FlatLayout

namespace Layout

theorem refusalFor_holds {A C B : Layout} (hB : B.Valid) {r : CompositionRefusal} (h : refusalFor A C B = some r) :
    r.Holds A C B := by
  rcases refusalFor_cases h with ⟨hd, e⟩ | ⟨w, hd, hw, e⟩
  · subst e
    exact refusalFor_eq_outside hB h
  · have hh := FindOver.witness_holds (positive_shape hB) hw
    subst e
    rw [refusalOf]
    split
    · rename_i hs; exact ⟨hd, hh, hs⟩
    · rename_i hs; exact ⟨hd, hh, by rw [hs]; simp⟩

/-- **What the refusal of a composition names is so, for strict and for complete composition.**
Rust: `razorgirl::Layout::composition`, `razorgirl::Layout::composition_complete`
Source: none known -/
theorem compositionRefusal_holds {A B : Layout} (hB : B.Valid) {r : CompositionRefusal} :
    (compositionRefusal A B = some r → r.Holds A A.apart B) ∧
      (compositionCompleteRefusal A B = some r → r.Holds A A B) :=
  ⟨refusalFor_holds hB, refusalFor_holds hB⟩

/-- **What the refusal of a division names is so.**
Rust: `razorgirl::Layout::logical_divide`
Source: Cecka 3.3.5; CuTe `logical_divide` -/
theorem divisionRefusal_holds {A T : Layout} (hT : T.Valid) {r : DivisionRefusal} (h : divisionRefusal A T = some r) :
    r.Holds A T := by
  have h' := divisionRefusal_eq_some hT h
  cases r with
  | outside c => exact h'
  | tile w => exact ⟨h'.1, FlatLayout.complementInFault_holds hT.2 h'.2⟩
  | parts w =>
    obtain ⟨I, hI, hw⟩ := h'
    exact ⟨I, hI, (compositionRefusal_holds (tiling_valid hT hI)).1 hw⟩

/-- **What the refusal of a product names is so.**
Rust: `razorgirl::Layout::logical_product`
Source: Colfax 2.3.9; CuTe `logical_product` -/
theorem productRefusal_holds {A T : Layout} (hA : A.Valid) (hT : T.Valid) {r : ProductRefusal}
    (h : productRefusal A T = some r) : r.Holds A T := by
  have h' := productRefusal_eq_some hA h
  cases r with
  | room w => exact FlatLayout.complementFault_holds (filter_valid hA).2 h'
  | order w =>
    obtain ⟨C, hC, hw⟩ := h'
    exact ⟨C, hC, (compositionRefusal_holds hT).1 hw⟩

/-! ## By tiler -/

/-- What stands at a place is valid where the whole is. -/
theorem valid_of_tilerAt {b b' : Tiler} {t s : HTuple Mode} {p : List Nat} (h : TilerAt b t p b' s) :
    b.Valid → FlatLayout.Valid t.flatten → b'.Valid ∧ FlatLayout.Valid s.flatten := by
  induction h with
  | here b t => exact fun h1 h2 => ⟨h1, h2⟩
  | @inside bs t i b s p b' s' hb hs _ ih =>
    intro h1 h2
    refine ih ?_ ?_
    · have key : ∀ (bs : List Tiler) (i : Nat), Tiler.ValidList bs → bs[i]? = some b → b.Valid := by
        intro bs
        induction bs with
        | nil => intro i _ h; simp at h
        | cons c bs ihb =>
          intro i hv h
          cases i with
          | zero => simp only [List.getElem?_cons_zero, Option.some.injEq] at h; exact h ▸ hv.1
          | succ i => exact ihb i hv.2 (by simpa using h)
      exact key bs i h1 hb
    · have hm : s ∈ children t := List.mem_of_getElem? hs
      rw [FlatLayout.valid_iff_forall] at h2 ⊢
      intro m hm'
      refine h2 m ?_
      cases t with
      | leaf a =>
        obtain rfl := List.mem_singleton.1 hm
        exact hm'
      | node ts =>
        rw [HTuple.flatten, flattenList_eq_flatMap, List.mem_flatMap]
        exact ⟨s, hm, hm'⟩

/-- The layout at a place of a valid tiler, and the mode under it, are valid. -/
theorem valid_of_layoutAt {A B : Layout} {b : Tiler} {s : HTuple Mode} {p : List Nat} (hA : A.Valid) (hb : b.Valid)
    (h : TilerAt b A.tree p (.layout B) s) : B.Valid ∧ (ofTree s).Valid := by
  obtain ⟨h1, h2⟩ := valid_of_tilerAt h hb (by rw [Layout.flatten_tree hA.1]; exact hA.2)
  exact ⟨h1, (valid_ofTree_iff s).2 h2⟩

theorem transformRefusal_tree_eq_none_iff {ε : Type} {why : Layout → Layout → Option ε}
    {f : Layout → Layout → Option Layout} {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    (h : ∀ A B, A.Valid → B.Valid → (why A B = none ↔ ∃ R, f A B = some R)) :
    transformRefusal why b A.tree = none ↔ (transform f b A.tree).isSome := by
  refine transformRefusal_eq_none_iff fun p B s hp => ?_
  obtain ⟨h1, h2⟩ := valid_of_layoutAt hA hb hp
  rw [h _ _ h2 h1, Option.isSome_iff_exists]

theorem transformRefusal_holds {ε : Type} {why : Layout → Layout → Option ε} {P : Layout → Layout → ε → Prop}
    {A : Layout} {b : Tiler} (hA : A.Valid) (hb : b.Valid)
    (h : ∀ A B r, A.Valid → B.Valid → why A B = some r → P A B r) {r : TilerRefusal ε}
    (hr : transformRefusal why b A.tree = some r) : r.Holds P b A.tree := by
  have := transformRefusal_eq_some hr
  cases r with
  | longer p => exact this
  | part p e =>
    obtain ⟨⟨B, s, hp, he⟩, hn⟩ := this
    obtain ⟨h1, h2⟩ := valid_of_layoutAt hA hb hp
    exact ⟨⟨B, s, hp, h _ _ _ h2 h1 he⟩, hn⟩

end Layout

end Razorgirl
