module

public import Razorgirl.Thm.Coord.Nested
public import Razorgirl.Thm.Layout.FindOver.Scan

@[expose] public section

/-!
# From a function on a shape to its layout: what is proved

A function is a constant plus a layout over a refinement of a shape exactly where each axis has a layout and the function is the
sum of what it is along the axes. Then there is one that is coalesced on each axis, it is found, and none has fewer modes on any
axis. What is told with a refusal excludes every layout over every refinement.
-/

namespace Razorgirl

namespace FindOver
open HTuple

/-! ## Axes together -/

/-- The sum of the offsets on each axis. -/
def sumAt : List (Stride.Modes Int) → List Nat → Int
  | g :: gs, x :: c => Stride.atIndex g x + sumAt gs c
  | _, _ => 0

theorem sumAt_zeros (gs : List (Stride.Modes Int)) (ss : List Nat) : sumAt gs (zeros ss) = 0 := by
  induction gs generalizing ss with
  | nil => cases ss <;> rfl
  | cons g gs ih =>
    cases ss with
    | nil => rfl
    | cons s ss =>
      have := ih ss
      show Stride.atIndex g 0 + sumAt gs (zeros ss) = 0
      rw [at_zero]
      omega

theorem inBounds_zeros {ss : List Nat} (h : ∀ s ∈ ss, 0 < s) : InBounds ss (zeros ss) := by
  induction ss with
  | nil => trivial
  | cons s ss ih => exact ⟨h s List.mem_cons_self, ih fun t ht => h t (List.mem_cons_of_mem _ ht)⟩

theorem inBounds_onAxis {ss : List Nat} (h : ∀ s ∈ ss, 0 < s) {i y : Nat} (hy : y < ss.getD i 0) :
    InBounds ss (onAxis ss i y) := by
  induction ss generalizing i with
  | nil => simp at hy
  | cons s ss ih =>
    have h' : ∀ t ∈ ss, 0 < t := fun t ht => h t (List.mem_cons_of_mem _ ht)
    cases i with
    | zero => exact ⟨by simpa using hy, inBounds_zeros h'⟩
    | succ i => exact ⟨h s List.mem_cons_self, ih h' (by simpa using hy)⟩

theorem crd2idx_zeros (ss : List Nat) : crd2idx ss (zeros ss) = 0 := by
  induction ss with
  | nil => rfl
  | cons s ss ih =>
    show 0 + s * crd2idx ss (zeros ss) = 0
    rw [ih, Nat.mul_zero]

theorem sumAt_eq {gs : List (Stride.Modes Int)} {ss : List Nat} (hs : gs.map Stride.size = ss) {c : List Nat}
    (hc : InBounds ss c) : Stride.atIndex gs.flatten (crd2idx ss c) = sumAt gs c := by
  induction gs generalizing ss c with
  | nil =>
    subst hs
    cases c with
    | nil => exact at_nil _
    | cons x c => exact hc.elim
  | cons g gs ih =>
    subst hs
    cases c with
    | nil => exact hc.elim
    | cons x c =>
      have hx : x < Stride.size g := hc.1
      show Stride.atIndex (g :: gs).flatten (x + Stride.size g * crd2idx (gs.map Stride.size) c) = _
      rw [List.flatten_cons, at_append, ← at_mod g, Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hx,
        Nat.add_mul_div_left _ _ (by omega), Nat.div_eq_of_lt hx, Nat.zero_add, ih rfl hc.2]
      rfl

theorem coalesce_facts {g : Stride.Modes Int} (h : 0 < Stride.size g) :
    Stride.Valid (Stride.coalesce g) ∧ Stride.Coalesced (Stride.coalesce g) ∧
      Stride.size (Stride.coalesce g) = Stride.size g ∧ ∀ x, Stride.atIndex (Stride.coalesce g) x = Stride.atIndex g x := by
  have sz := Stride.coalesce_size g
  exact ⟨valid_of_size_pos (by omega), Stride.coalesce_coalesced (valid_of_size_pos h), sz, Stride.coalesce_atIndex g⟩

theorem findAxes_complete {ss : List Nat} (pos : ∀ s ∈ ss, 0 < s) {gs : List (Stride.Modes Int)}
    (hs : gs.map Stride.size = ss) {k : Int} {f : List Nat → Int} (h : ∀ c, InBounds ss c → f c = k + sumAt gs c) :
    findAxes f ss = .ok (gs.map Stride.coalesce) ∧ ∀ c, InBounds ss c → sumAlong f ss c = f c - f (zeros ss) := by
  induction gs generalizing ss f with
  | nil =>
    subst hs
    refine ⟨rfl, fun c hc => ?_⟩
    cases c with
    | nil => show (0 : Int) = f [] - f []; omega
    | cons x c => exact hc.elim
  | cons g gs ih =>
    subst hs
    have g0 : 0 < Stride.size g := pos _ List.mem_cons_self
    have pos' : ∀ s ∈ gs.map Stride.size, 0 < s := fun s hs => pos s (List.mem_cons_of_mem _ hs)
    have z := inBounds_zeros pos'
    obtain ⟨vc, cc, sc, ac⟩ := coalesce_facts g0
    have hx : ∀ x c, x < Stride.size g → InBounds (gs.map Stride.size) c →
        f (x :: c) = k + (Stride.atIndex g x + sumAt gs c) := fun x c h1 h2 => h (x :: c) ⟨h1, h2⟩
    have hz : ∀ x, x < Stride.size g → f (x :: zeros (gs.map Stride.size)) = k + Stride.atIndex g x := fun x h1 => by
      have := hx x _ h1 z
      rw [sumAt_zeros] at this
      omega
    have first : findAxis (entries f (Stride.size g) (gs.map Stride.size)) = .ok (Stride.coalesce g) := by
      refine (findAxis_eq_ok_iff (g := fun x => f (x :: zeros (gs.map Stride.size))) g0).2 ⟨vc, cc, sc, fun x h1 => ?_⟩
      have a := hz x h1
      have b := hz 0 g0
      rw [at_zero] at b
      rw [ac]
      omega
    obtain ⟨rest, sums⟩ := ih (f := fun c => f (0 :: c)) pos' rfl (fun c hc => by
      have := hx 0 c g0 hc
      rw [at_zero] at this
      simp only
      omega)
    refine ⟨?_, fun c hc => ?_⟩
    · rw [List.map_cons, findAxes, first]
      simp only
      rw [rest]
      rfl
    · cases c with
      | nil => exact hc.elim
      | cons x c =>
        show f (x :: zeros _) - f (0 :: zeros _) + sumAlong (fun d => f (0 :: d)) _ c = f (x :: c) - f (0 :: zeros _)
        have s := sums c hc.2
        simp only at s
        rw [s]
        have a := hx x c hc.1 hc.2
        have b := hx 0 c g0 hc.2
        have d := hz x hc.1
        have e := hz 0 g0
        rw [at_zero] at b e
        omega

theorem findAxes_sound {ss : List Nat} (pos : ∀ s ∈ ss, 0 < s) {f : List Nat → Int} {gs : List (Stride.Modes Int)}
    (h : findAxes f ss = .ok gs) : gs.map Stride.size = ss ∧ (∀ g ∈ gs, Stride.Valid g ∧ Stride.Coalesced g) ∧
      ∀ c, InBounds ss c → sumAlong f ss c = sumAt gs c := by
  induction ss generalizing f gs with
  | nil =>
    cases h
    refine ⟨rfl, (fun g hg => by cases hg), fun c _ => ?_⟩
    cases c <;> rfl
  | cons s ss ih =>
    have s0 := pos s List.mem_cons_self
    rw [findAxes] at h
    split at h
    · cases h
    · rename_i g hg
      split at h
      · cases h
      · rename_i gs' hgs
        cases h
        obtain ⟨i1, i2, i3⟩ := ih (fun t ht => pos t (List.mem_cons_of_mem _ ht)) hgs
        obtain ⟨vg, cg, sg, ag⟩ := (findAxis_eq_ok_iff (g := fun x => f (x :: zeros ss)) s0).1 hg
        refine ⟨by rw [List.map_cons, sg, i1], fun k hk => ?_, fun c hc => ?_⟩
        · rcases List.mem_cons.1 hk with rfl | hk
          · exact ⟨vg, cg⟩
          · exact i2 k hk
        · cases c with
          | nil => exact hc.elim
          | cons x c =>
            show f (x :: zeros ss) - f (0 :: zeros ss) + sumAlong (fun d => f (0 :: d)) ss c = Stride.atIndex g x + sumAt gs' c
            rw [i3 c hc.2]
            have := ag x hc.1
            simp only at this
            omega

theorem firstMixed_eq_none_iff {f : List Nat → Int} {ss : List Nat} {x n : Nat} : firstMixed f ss x n = none ↔
    ∀ y, x ≤ y → y < x + n → f (idx2crd ss y) - f (zeros ss) = sumAlong f ss (idx2crd ss y) := by
  induction n generalizing x with
  | zero => exact ⟨(fun _ y h1 h2 => by omega), fun _ => rfl⟩
  | succ n ih =>
    rw [firstMixed]
    split
    · rename_i h
      rw [ih]
      constructor
      · intro a y h1 h2
        rcases Nat.eq_or_lt_of_le h1 with rfl | lt
        · exact h
        · exact a y lt (by omega)
      · exact fun a y h1 h2 => a y (by omega) (by omega)
    · rename_i h
      exact ⟨(fun e => by cases e), fun a => absurd (a x (Nat.le_refl _) (by omega)) h⟩

theorem firstMixed_eq_some {f : List Nat → Int} {ss : List Nat} {x n : Nat} {c : List Nat}
    (h : firstMixed f ss x n = some c) :
    ∃ y, x ≤ y ∧ y < x + n ∧ c = idx2crd ss y ∧ f c - f (zeros ss) ≠ sumAlong f ss c := by
  induction n generalizing x with
  | zero => cases h
  | succ n ih =>
    rw [firstMixed] at h
    split at h
    · obtain ⟨y, h1, h2, h3⟩ := ih h
      exact ⟨y, by omega, by omega, h3⟩
    · rename_i q
      cases h
      exact ⟨x, Nat.le_refl _, by omega, rfl, q⟩

theorem findAxes_error {ss : List Nat} (pos : ∀ s ∈ ss, 0 < s) {f : List Nat → Int} {i x : Nat}
    (h : findAxes f ss = .error (i, x)) : i < ss.length ∧ x < ss.getD i 0 ∧
      (∀ gs k, gs.map Stride.size = ss → ∃ y, y ≤ x ∧ f (onAxis ss i y) ≠ k + sumAt gs (onAxis ss i y)) ∧
      ∃ L, Stride.Valid L ∧ Stride.size L = ss.getD i 0 ∧
        ∀ y, y < x → f (onAxis ss i y) = f (zeros ss) + Stride.atIndex L y := by
  induction ss generalizing f i x with
  | nil => cases h
  | cons s ss ih =>
    have s0 := pos s List.mem_cons_self
    rw [findAxes] at h
    split at h
    · rename_i y hy
      cases h
      obtain ⟨yn, no, L, vL, sL, aL⟩ := (findAxis_eq_error_iff (g := fun x => f (x :: zeros ss)) s0).1 hy
      refine ⟨by simp, by simpa using yn, fun gs k hs => ?_, L, vL, by simpa using sL, fun z hz => aL z hz⟩
      apply Classical.byContradiction
      intro con
      have con : ∀ z, z ≤ x → f (z :: zeros ss) = k + sumAt gs (z :: zeros ss) := fun z hz =>
        Classical.byContradiction fun e => con ⟨z, hz, e⟩
      cases gs with
      | nil => cases hs
      | cons g gs =>
        simp only [List.map_cons, List.cons.injEq] at hs
        refine no ⟨g, valid_of_size_pos (by omega), hs.1, fun z hz => ?_⟩
        have a := con z hz
        have b := con 0 (Nat.zero_le _)
        simp only [sumAt, sumAt_zeros, at_zero] at a b
        omega
    · rename_i g hg
      split at h
      · rename_i j y hj
        cases h
        obtain ⟨h1, h2, h3, L, vL, sL, aL⟩ := ih (fun t ht => pos t (List.mem_cons_of_mem _ ht)) hj
        refine ⟨by simpa using h1, by simpa using h2, fun gs k hs => ?_, L, vL, by simpa using sL, fun z hz => aL z hz⟩
        cases gs with
        | nil => cases hs
        | cons g' gs =>
          simp only [List.map_cons, List.cons.injEq] at hs
          obtain ⟨z, hz, e⟩ := h3 gs k hs.2
          refine ⟨z, hz, fun q => e ?_⟩
          simp only [onAxis, sumAt, at_zero] at q
          omega
      · cases h

/-! ## Nested shapes -/

mutual
theorem axes_spec : (s : IntTuple) → (R : HTuple (Nat × Int)) → IntTuple.compatible s (R.map Prod.fst) = true →
    (axes s R).map Stride.size = s.flatten ∧ (axes s R).flatten = R.flatten
  | .leaf n, R, h => by
    simp only [IntTuple.compatible, beq_iff_eq] at h
    rw [IntTuple.size_eq_prod, flatten_map] at h
    simp only [axes, List.map_cons, List.map_nil, HTuple.flatten, List.flatten_cons, List.flatten_nil, List.append_nil, and_true]
    rw [h]
    rfl
  | .node _, .leaf _, h => by simp [HTuple.map, IntTuple.compatible] at h
  | .node ss, .node Rs, h => by
    simp only [HTuple.map, IntTuple.compatible] at h
    simpa only [axes, HTuple.flatten] using axesList_spec ss Rs h
theorem axesList_spec : (ss : List IntTuple) → (Rs : List (HTuple (Nat × Int))) →
    IntTuple.compatibleList ss (mapList Prod.fst Rs) = true →
    (axesList ss Rs).map Stride.size = flattenList ss ∧ (axesList ss Rs).flatten = flattenList Rs
  | [], [], _ => ⟨rfl, rfl⟩
  | [], _ :: _, h => by simp [mapList, IntTuple.compatibleList] at h
  | _ :: _, [], h => by simp [mapList, IntTuple.compatibleList] at h
  | s :: ss, R :: Rs, h => by
    simp only [mapList, IntTuple.compatibleList, Bool.and_eq_true] at h
    obtain ⟨a1, a2⟩ := axes_spec s R h.1
    obtain ⟨b1, b2⟩ := axesList_spec ss Rs h.2
    simp only [axesList, List.map_append, List.flatten_append, a1, a2, b1, b2, flattenList, and_self]
end

theorem nest_flatten (L : Stride.Modes Int) : (nest L).flatten = if L = [] then [(1, 0)] else L := by
  match L with
  | [] => rfl
  | [m] => rfl
  | m :: n :: L =>
    have key : ∀ L : Stride.Modes Int, flattenList (L.map HTuple.leaf) = L := by
      intro L
      induction L with
      | nil => rfl
      | cons m L ih => simp [flattenList, HTuple.flatten, ih]
    simp only [nest, HTuple.flatten, key]
    simp

theorem size_nest (L : Stride.Modes Int) : Stride.size (nest L).flatten = Stride.size L := by
  rw [nest_flatten]
  split
  · rename_i h; subst h; rfl
  · rfl

theorem at_nest (L : Stride.Modes Int) (x : Nat) : Stride.atIndex (nest L).flatten x = Stride.atIndex L x := by
  rw [nest_flatten]
  split
  · rename_i h
    subst h
    rw [at_single, at_nil]
    exact Int.mul_zero _
  · rfl

theorem coalesce_nest {L : Stride.Modes Int} (v : Stride.Valid L) (c : Stride.Coalesced L) :
    Stride.coalesce (nest L).flatten = L := by
  have s0 := Stride.size_pos v
  have sn := size_nest L
  obtain ⟨v1, c1, s1, a1⟩ := coalesce_facts (g := (nest L).flatten) (by omega)
  exact Stride.coalesced_unique v1 v c1 c (by omega) fun x _ => by rw [a1, at_nest]

mutual
theorem coalescedOver_plant : (s : IntTuple) → (gs : List (Stride.Modes Int)) → (us : List (HTuple (Nat × Int))) →
    gs.map Stride.size = s.flatten → (∀ g ∈ gs, Stride.Valid g ∧ Stride.Coalesced g) →
    ∃ R, plant s (gs.map nest ++ us) = (R, us) ∧ CoalescedOver s R ∧ axes s R = gs.map fun g => (nest g).flatten
  | .leaf n, gs, us, hs, hg => by
    match gs, hs with
    | [], hs => simp [HTuple.flatten] at hs
    | _ :: _ :: _, hs => simp [HTuple.flatten] at hs
    | [g], hs =>
      simp only [List.map_cons, List.map_nil, HTuple.flatten, List.cons.injEq, and_true] at hs
      obtain ⟨v, c⟩ := hg g List.mem_cons_self
      refine ⟨nest g, rfl, ?_, rfl⟩
      rw [CoalescedOver, CoalescedAxis, size_nest, coalesce_nest v c]
      exact ⟨hs, rfl⟩
  | .node ss, gs, us, hs, hg => by
    obtain ⟨Rs, h1, h2, h3⟩ := coalescedOverList_plant ss gs us (by simpa only [HTuple.flatten] using hs) hg
    exact ⟨.node Rs, by rw [plant, h1], h2, h3⟩
theorem coalescedOverList_plant : (ss : List IntTuple) → (gs : List (Stride.Modes Int)) → (us : List (HTuple (Nat × Int))) →
    gs.map Stride.size = flattenList ss → (∀ g ∈ gs, Stride.Valid g ∧ Stride.Coalesced g) →
    ∃ Rs, plantList ss (gs.map nest ++ us) = (Rs, us) ∧ CoalescedOverList ss Rs ∧
      axesList ss Rs = gs.map fun g => (nest g).flatten
  | [], gs, us, hs, _ => by
    simp only [flattenList, List.map_eq_nil_iff] at hs
    subst hs
    exact ⟨[], rfl, trivial, rfl⟩
  | s :: ss, gs, us, hs, hg => by
    rw [flattenList] at hs
    obtain ⟨as, bs, rfl, ha, hb⟩ := List.map_eq_append_iff.1 hs
    obtain ⟨R, h1, h2, h3⟩ := coalescedOver_plant s as (bs.map nest ++ us) ha
      fun g hg' => hg g (List.mem_append_left _ hg')
    obtain ⟨Rs, k1, k2, k3⟩ := coalescedOverList_plant ss bs us hb fun g hg' => hg g (List.mem_append_right _ hg')
    refine ⟨R :: Rs, ?_, ⟨h2, k2⟩, by rw [axesList, h3, k3, List.map_append]⟩
    rw [List.map_append, List.append_assoc, plantList, h1, k1]
end

mutual
theorem plant_of_coalescedOver : (s : IntTuple) → (R : HTuple (Nat × Int)) → (us : List (HTuple (Nat × Int))) →
    CoalescedOver s R → IntTuple.compatible s (R.map Prod.fst) = true ∧
      plant s (((axes s R).map Stride.coalesce).map nest ++ us) = (R, us)
  | .leaf n, R, us, h => by
    rw [CoalescedOver] at h
    obtain ⟨h1, h2⟩ := h
    refine ⟨?_, ?_⟩
    · simp only [IntTuple.compatible, beq_iff_eq]
      rw [IntTuple.size_eq_prod, flatten_map, ← h1]
      rfl
    · show (nest (Stride.coalesce R.flatten), us) = (R, us)
      rw [h2]
  | .node _, .leaf _, _, h => h.elim
  | .node ss, .node Rs, us, h => by
    obtain ⟨h1, h2⟩ := plantList_of_coalescedOverList ss Rs us h
    refine ⟨by simpa only [HTuple.map, IntTuple.compatible] using h1, ?_⟩
    rw [axes, plant, h2]
theorem plantList_of_coalescedOverList : (ss : List IntTuple) → (Rs : List (HTuple (Nat × Int))) →
    (us : List (HTuple (Nat × Int))) → CoalescedOverList ss Rs →
    IntTuple.compatibleList ss (mapList Prod.fst Rs) = true ∧
      plantList ss (((axesList ss Rs).map Stride.coalesce).map nest ++ us) = (Rs, us)
  | [], [], _, _ => ⟨rfl, rfl⟩
  | [], _ :: _, _, h => h.elim
  | _ :: _, [], _, h => h.elim
  | s :: ss, R :: Rs, us, h => by
    obtain ⟨a1, a2⟩ := plant_of_coalescedOver s R (((axesList ss Rs).map Stride.coalesce).map nest ++ us) h.1
    obtain ⟨b1, b2⟩ := plantList_of_coalescedOverList ss Rs us h.2
    refine ⟨by simp only [mapList, IntTuple.compatibleList, a1, b1, Bool.and_self], ?_⟩
    rw [axesList, List.map_append, List.map_append, List.append_assoc, plantList, a2, b2]
end

/-- In terms of axes: a layout over a refinement is a sum of layouts of the axes. -/
theorem isLayout_axes {S : IntTuple} {f : List Nat → Int} {k : Int} {R : HTuple (Nat × Int)} (h : IsLayout S f k R) :
    (axes S R).map Stride.size = S.flatten ∧ ∀ c, InBounds S.flatten c → f c = k + sumAt (axes S R) c := by
  obtain ⟨hr, hf⟩ := h
  obtain ⟨h1, h2⟩ := axes_spec S R hr
  refine ⟨h1, fun c hc => ?_⟩
  rw [hf c hc, value, ← h2, sumAt_eq h1 hc]

/-- Any layout is found, coalesced on each axis. -/
theorem findOver_of_isLayout {S : IntTuple} (hS : IntTuple.Positive S) {f : List Nat → Int} {k : Int}
    {R : HTuple (Nat × Int)} (h : IsLayout S f k R) :
    findOver S f = .ok (k, (plant S (((axes S R).map Stride.coalesce).map nest)).1) := by
  have pos := (IntTuple.positive_iff_mem S).1 hS
  obtain ⟨hs, hf⟩ := isLayout_axes h
  obtain ⟨h1, h2⟩ := findAxes_complete pos hs hf
  have h3 : firstMixed f S.flatten 0 (prod S.flatten) = none := firstMixed_eq_none_iff.2 fun y _ hy =>
    (h2 _ (inBounds_idx2crd_of_lt (by omega))).symm
  have h4 : f (zeros S.flatten) = k := by
    rw [hf _ (inBounds_zeros pos), sumAt_zeros, Int.add_zero]
  rw [findOver, h1]
  simp only
  rw [h3, h4]

end FindOver

open FindOver HTuple

/-! ## The theorems -/

/-- **What is found is exactly the constant and the layout, coalesced on each axis of the shape, whose sum is the function at every
coordinate of the shape.**
Rust: `razorgirl::Layout::find_layout_over`
Source: simplified-layout (flat shapes, some layout); nested shapes and the coalesced layout are ours -/
theorem findOver_eq_ok_iff {S : IntTuple} (hS : IntTuple.Positive S) {f : List Nat → Int} {k : Int}
    {R : HTuple (Nat × Int)} : findOver S f = .ok (k, R) ↔
      CoalescedOver S R ∧ ∀ c, InBounds S.flatten c → f c = k + value R (crd2idx S.flatten c) := by
  have pos := (IntTuple.positive_iff_mem S).1 hS
  constructor
  · intro h
    rw [findOver] at h
    split at h
    · cases h
    · rename_i gs hgs
      split at h
      · cases h
      · rename_i hm
        cases h
        obtain ⟨h1, h2, h3⟩ := findAxes_sound pos hgs
        obtain ⟨R, e, co, ax⟩ := coalescedOver_plant S gs [] h1 h2
        rw [List.append_nil] at e
        rw [e]
        refine ⟨co, fun c hc => ?_⟩
        have mixed := firstMixed_eq_none_iff.1 hm (crd2idx S.flatten c) (Nat.zero_le _) (by have := crd2idx_lt hc; omega)
        rw [idx2crd_crd2idx hc, h3 c hc] at mixed
        obtain ⟨_, fl⟩ := axes_spec S R (plant_of_coalescedOver S R [] co).1
        have sm : (axes S R).map Stride.size = S.flatten := (axes_spec S R (plant_of_coalescedOver S R [] co).1).1
        have same : sumAt (axes S R) c = sumAt gs c := by
          rw [ax]
          clear mixed e ax hgs h1 h2 h3 sm hc
          induction gs generalizing c with
          | nil => rfl
          | cons g gs ih =>
            cases c with
            | nil => rfl
            | cons x c => rw [List.map_cons, sumAt, sumAt, at_nest, ih]
        rw [value, ← fl, sumAt_eq sm hc, same]
        omega
  · rintro ⟨co, hf⟩
    obtain ⟨h1, h2⟩ := plant_of_coalescedOver S R [] co
    rw [findOver_of_isLayout hS ⟨h1, hf⟩]
    rw [List.append_nil] at h2
    rw [h2]

/-- **There is at most one constant and one layout coalesced on each axis.**
Rust: `razorgirl::Layout::find_layout_over`
Source: none known -/
theorem findOver_unique {S : IntTuple} (hS : IntTuple.Positive S) {f : List Nat → Int} {k k' : Int}
    {R R' : HTuple (Nat × Int)} (h : CoalescedOver S R) (h' : CoalescedOver S R')
    (hf : ∀ c, InBounds S.flatten c → f c = k + value R (crd2idx S.flatten c))
    (hf' : ∀ c, InBounds S.flatten c → f c = k' + value R' (crd2idx S.flatten c)) : k = k' ∧ R = R' := by
  have a := (findOver_eq_ok_iff hS).2 ⟨h, hf⟩
  rw [(findOver_eq_ok_iff hS).2 ⟨h', hf'⟩] at a
  simp only [Except.ok.injEq, Prod.mk.injEq] at a
  exact ⟨a.1.symm, a.2.symm⟩

/-- **What is found is a layout over a refinement of the shape, in the sense in which refusals say that there is none.**
Rust: `razorgirl::Layout::find_layout_over`
Source: none known -/
theorem findOver_isLayout {S : IntTuple} (hS : IntTuple.Positive S) {f : List Nat → Int} {k : Int} {R : HTuple (Nat × Int)}
    (h : findOver S f = .ok (k, R)) : IsLayout S f k R := by
  obtain ⟨co, hf⟩ := (findOver_eq_ok_iff hS).1 h
  exact ⟨(plant_of_coalescedOver S R [] co).1, hf⟩

/-- **It answers exactly where some constant and some layout over some refinement of the shape, coalesced or not, have the values,
with any signs of strides.**
Rust: `razorgirl::Layout::find_layout_over`
Source: simplified-layout (flat shapes) -/
theorem findOver_isOk_iff {S : IntTuple} (hS : IntTuple.Positive S) {f : List Nat → Int} :
    (∃ kR, findOver S f = .ok kR) ↔ ∃ k R, IsLayout S f k R := by
  constructor
  · rintro ⟨⟨k, R⟩, h⟩
    exact ⟨k, R, findOver_isLayout hS h⟩
  · rintro ⟨k, R, h⟩
    exact ⟨_, findOver_of_isLayout hS h⟩

namespace FindOver

theorem modeCount_push (m : Nat × Int) (L : Stride.Modes Int) :
    modeCount (Stride.push m L) ≤ modeCount (m :: L) := by
  unfold Stride.push
  split
  · simp only [modeCount]; omega
  · rename_i h
    split
    · exact Nat.le_refl _
    · split
      · simp only [modeCount]
        rw [if_neg h]
        split <;> split <;> omega
      · exact Nat.le_refl _

theorem modeCount_coalesce (L : Stride.Modes Int) : modeCount (Stride.coalesce L) ≤ modeCount L := by
  induction L with
  | nil => exact Nat.le_refl _
  | cons m L ih =>
    have := modeCount_push m (Stride.coalesce L)
    simp only [modeCount] at this
    rw [Stride.coalesce, modeCount]
    omega

theorem modeCount_nest (L : Stride.Modes Int) : modeCount (nest L).flatten = modeCount L := by
  rw [nest_flatten]
  split
  · rename_i h; subst h; rfl
  · rfl

end FindOver

/-- **No layout over any refinement that has the values has fewer modes on any axis. Modes of extent 1 are not counted.**
Rust: `razorgirl::Layout::find_layout_over`
Source: simplified-layout (its scan's shape is the coarsest) -/
theorem findOver_fewest {S : IntTuple} (hS : IntTuple.Positive S) {f : List Nat → Int} {k k' : Int}
    {R R' : HTuple (Nat × Int)} (h : findOver S f = .ok (k, R)) (h' : IsLayout S f k' R') (i : Nat) :
    modeCount ((axes S R).getD i []) ≤ modeCount ((axes S R').getD i []) := by
  have pos := (IntTuple.positive_iff_mem S).1 hS
  rw [findOver_of_isLayout hS h'] at h
  simp only [Except.ok.injEq, Prod.mk.injEq] at h
  obtain ⟨hs, _⟩ := isLayout_axes h'
  obtain ⟨Q, e, _, ax⟩ := coalescedOver_plant S ((axes S R').map Stride.coalesce) [] (by
      rw [List.map_map, ← hs]
      exact List.map_congr_left fun g _ => Stride.coalesce_size g)
    (fun g hg => by
      obtain ⟨g', hg', rfl⟩ := List.mem_map.1 hg
      have : 0 < Stride.size g' := pos _ (by rw [← hs]; exact List.mem_map_of_mem hg')
      exact ⟨(coalesce_facts this).1, (coalesce_facts this).2.1⟩)
  rw [List.append_nil] at e
  rw [← h.2, e, ax]
  simp only [List.map_map, List.getD_eq_getElem?_getD, List.getElem?_map]
  cases (axes S R')[i]? with
  | none => exact Nat.le_refl _
  | some g =>
    simp only [Option.map_some, Option.getD_some, Function.comp, modeCount_nest]
    exact modeCount_coalesce g

/-! ## Refusals -/

/-- **Where the value at a coordinate is not what the axes by themselves add up to, no constant and layout over any refinement of
the shape has the values.**
Rust: `razorgirl::Witness`
Source: simplified-layout (flat shapes) -/
theorem not_isLayout_of_not_separable {S : IntTuple} (hS : IntTuple.Positive S) {f : List Nat → Int} {c : List Nat}
    (hc : InBounds S.flatten c) (h : f c - f (zeros S.flatten) ≠ sumAlong f S.flatten c) : ¬ ∃ k R, IsLayout S f k R := by
  rintro ⟨k, R, hR⟩
  obtain ⟨hs, hf⟩ := isLayout_axes hR
  exact h ((findAxes_complete ((IntTuple.positive_iff_mem S).1 hS) hs hf).2 c hc).symm

/-- **A refusal that names a coordinate is right: it lies in the shape, and the value there is not what the axes add up to. Each
axis by itself has a layout.**
Rust: `razorgirl::Witness`
Source: none known -/
theorem findOver_eq_coordinate {S : IntTuple} {f : List Nat → Int} {c : List Nat}
    (h : findOver S f = .error (.coordinate c)) : InBounds S.flatten c ∧
      f c - f (zeros S.flatten) ≠ sumAlong f S.flatten c ∧ ∃ gs, findAxes f S.flatten = .ok gs := by
  rw [findOver] at h
  split at h
  · cases h
  · rename_i gs hgs
    split at h
    · rename_i d hd
      cases h
      obtain ⟨y, _, hy, e, ne⟩ := firstMixed_eq_some hd
      exact ⟨by rw [e]; exact inBounds_idx2crd_of_lt (by omega), ne, gs, hgs⟩
    · cases h

/-- **A refusal that names an axis and an index is right: the index lies on the axis; every constant and layout over every
refinement differs from the values at an entry of that axis up to the index; and some layout of that many coordinates has all
entries of the axis before the index.**
Rust: `razorgirl::Witness`
Source: none known -/
theorem findOver_eq_axis {S : IntTuple} (hS : IntTuple.Positive S) {f : List Nat → Int} {i x : Nat}
    (h : findOver S f = .error (.axis i x)) : i < S.flatten.length ∧ x < S.flatten.getD i 0 ∧
      (∀ k R, IntTuple.refines (R.map Prod.fst) S = true →
        ∃ y, y ≤ x ∧ f (onAxis S.flatten i y) ≠ k + value R (crd2idx S.flatten (onAxis S.flatten i y))) ∧
      ∃ L, Stride.Valid L ∧ Stride.size L = S.flatten.getD i 0 ∧
        ∀ y, y < x → f (onAxis S.flatten i y) = f (zeros S.flatten) + Stride.atIndex L y := by
  have pos := (IntTuple.positive_iff_mem S).1 hS
  rw [findOver] at h
  split at h
  · rename_i j y hj
    cases h
    obtain ⟨h1, h2, h3, h4⟩ := findAxes_error pos hj
    refine ⟨h1, h2, fun k R hR => ?_, h4⟩
    obtain ⟨a1, a2⟩ := axes_spec S R hR
    obtain ⟨z, hz, e⟩ := h3 _ k a1
    refine ⟨z, hz, ?_⟩
    rw [value, ← a2, sumAt_eq a1 (inBounds_onAxis pos (by omega))]
    exact e
  · split at h <;> cases h

/-- **A refusal, of either kind, proves that no constant and layout over any refinement of the shape has the values.**
Rust: `razorgirl::Layout::find_layout_over`
Source: none known -/
theorem findOver_eq_error {S : IntTuple} (hS : IntTuple.Positive S) {f : List Nat → Int} {w : Witness}
    (h : findOver S f = .error w) : ¬ ∃ k R, IsLayout S f k R := by
  intro e
  obtain ⟨kR, h'⟩ := (findOver_isOk_iff hS).2 e
  rw [h] at h'
  cases h'

/-- **How a shape is nested shows only in the nesting of the layout: the constant, the modes and the reason of a refusal are those
for the flattened shape.**
Rust: `razorgirl::Layout::find_layout_over`
Source: none known -/
theorem findOver_flatten {S T : IntTuple} (hS : IntTuple.Positive S) (e : S.flatten = T.flatten) {f : List Nat → Int} :
    (∀ w, findOver S f = .error w ↔ findOver T f = .error w) ∧
      ∀ k R, findOver S f = .ok (k, R) → ∃ R', findOver T f = .ok (k, R') ∧ R'.flatten = R.flatten := by
  have pos := (IntTuple.positive_iff_mem S).1 hS
  constructor
  · intro w
    rw [findOver, findOver, e]
    split
    · exact Iff.rfl
    · split
      · exact Iff.rfl
      · exact ⟨(fun h => by cases h), (fun h => by cases h)⟩
  · intro k R h
    rw [findOver] at h ⊢
    rw [e] at h
    split at h
    · cases h
    · rename_i gs hgs
      split at h
      · cases h
      · rename_i hm
        cases h
        rw [← e] at hgs
        obtain ⟨h1, h2, h3⟩ := findAxes_sound pos hgs
        obtain ⟨R, e1, co, ax⟩ := coalescedOver_plant S gs [] h1 h2
        obtain ⟨R', e2, co', ax'⟩ := coalescedOver_plant T gs [] (h1.trans e) h2
        rw [List.append_nil] at e1 e2
        rw [e] at hgs
        simp only [e1, e2]
        refine ⟨R', rfl, ?_⟩
        rw [← (axes_spec S R (plant_of_coalescedOver S R [] co).1).2, ← (axes_spec T R' (plant_of_coalescedOver T R' [] co').1).2,
          ax, ax']

/-! ## Worked examples -/

-- 3 + ((2,2),(2)):((5,-1),(7)) over (4,2): the axis of 4 needs two modes
example : FindOver.findAxis [3, 8, 2, 7] = .ok [(2, 5), (2, -1)] := rfl
-- 0 1 1 0 is a layout up to index 2, and index 3 excludes all
example : FindOver.findAxis [0, 1, 1, 0] = .error 3 := rfl
-- the blog's program never ends here: a mode cannot start at 2 with 0 and go on with 0 at 3
example : FindOver.findAxis [0, 1, 0, 0, 0, 0, 0, 0] = .error 3 := rfl
-- a product is layouts along its axes, and no layout
example : findOver (.node [.leaf 2, .leaf 2]) (fun c => (c.getD 0 0 * c.getD 1 0 : Nat)) = .error (.coordinate [1, 1]) :=
  rfl

end Razorgirl
