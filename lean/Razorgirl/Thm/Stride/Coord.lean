module

public import Razorgirl.Spec.Stride.Coord
public import Razorgirl.Thm.Stride.ForAll

@[expose] public section

/-!
# Layouts of coordinates: what is proved

Each number of a value is the start plus the offset of a layout of integers. Coalescing and composition are those of strides in
a module. The identity layout has each coordinate at itself.
-/

namespace Razorgirl

namespace Point

open StrideModule

variable {r : Nat}

theorem get_zero (i : Nat) : (zero : Point r).get i = 0 := by
  simp only [get, zero, List.getD_eq_getElem?_getD, List.getElem?_replicate]
  split <;> rfl

theorem get_add (a b : Point r) (i : Nat) : (add a b).get i = a.get i + b.get i := by
  simp only [get, add, List.getD_eq_getElem?_getD, List.getElem?_zipWith]
  have ha := a.rank_eq
  have hb := b.rank_eq
  by_cases h : i < r
  · rw [List.getElem?_eq_getElem (show i < a.entries.length by omega), List.getElem?_eq_getElem (show i < b.entries.length by omega)]
    exact Nat.add_comm _ _
  · rw [List.getElem?_eq_none (show a.entries.length ≤ i by omega), List.getElem?_eq_none (show b.entries.length ≤ i by omega)]
    rfl

theorem get_times (n : Nat) (a : Point r) (i : Nat) : (times n a).get i = n * a.get i := by
  simp only [get, times, List.getD_eq_getElem?_getD, List.getElem?_map]
  cases a.entries[i]? <;> simp

theorem ext {a b : Point r} (h : ∀ i, i < r → a.get i = b.get i) : a = b := by
  apply eq_of_entries
  apply List.ext_getElem (by rw [a.rank_eq, b.rank_eq])
  intro i ha hb
  have := h i (by rw [← a.rank_eq]; exact ha)
  simpa only [get, List.getD_eq_getElem?_getD, List.getElem?_eq_getElem ha, List.getElem?_eq_getElem hb, Option.getD_some] using this

theorem get_unit {d i : Nat} (hi : i < r) : (unit r d).get i = if i = d then 1 else 0 := by
  simp only [get, unit, List.getD_eq_getElem?_getD, List.getElem?_map, List.getElem?_range hi, Option.map_some, Option.getD_some]

theorem get_dot (xs : List Nat) (ds : List (Point r)) (i : Nat) :
    (Stride.dot xs ds).get i = Razorgirl.dot xs (ds.map fun d => d.get i) := by
  induction xs generalizing ds with
  | nil => exact get_zero i
  | cons x xs ih =>
    cases ds with
    | nil => exact get_zero i
    | cons d ds => rw [Stride.dot, get_add, get_times, ih, List.map_cons, Razorgirl.dot]

end Point

namespace Stride

/-- **With coordinates as strides composition by digits is exact: for every shape of A, all strides have a composite exactly
where it answers. As many numbers as the shape has modes show it.**
Source: CuTe, TMA tensors; stated otherwise: exactness is not claimed there -/
theorem composition_exact_points {M : List Nat} {B : FlatLayout} (hB : FlatLayout.Valid B) :
    (∀ A : Modes (Point M.length), shape A = M → ∃ R, IsComposite A B R) ↔
      ∀ A : Modes (Point M.length), shape A = M → (composition A B).isSome = true := by
  constructor
  · intro h A sA
    have sU : shape (M.zip ((List.range M.length).map (Point.unit M.length))) = M := zip_fst _ _ (by simp)
    have dU : strides (M.zip ((List.range M.length).map (Point.unit M.length))) =
        (List.range M.length).map (Point.unit M.length) := zip_snd _ _ (by simp)
    have lU : (M.zip ((List.range M.length).map (Point.unit M.length))).length = M.length := by simp
    obtain ⟨R, hR⟩ := h _ sU
    have u := composition_exact hB (fun u v hu hv e => ?_) hR
    · unfold composition at u ⊢
      rw [show size A = size (M.zip ((List.range M.length).map (Point.unit M.length))) by rw [size, size, sA, sU], sA]
      rw [sU] at u
      split
      · rename_i q
        rw [if_pos q, Option.isSome_map] at u
        rw [Option.isSome_map]; exact u
      · rename_i q
        rw [if_neg q] at u
        exact u
    · rw [lU] at hu hv
      rw [dU] at e
      have unitDot : ∀ w : List Nat, w.length = M.length → ∀ i, i < M.length →
          Razorgirl.dot w (((List.range M.length).map (Point.unit M.length)).map fun d => d.get i) = w.getD i 0 := by
        intro w hw i hi
        have key : ∀ (w : List Nat) (k : Nat), Razorgirl.dot w ((List.range' k w.length).map fun d => if i = d then 1 else 0) =
            if k ≤ i then w.getD (i - k) 0 else 0 := by
          intro w
          induction w with
          | nil => intro k; simp [Razorgirl.dot]
          | cons x w ih =>
            intro k
            rw [List.length_cons, List.range'_succ, List.map_cons, Razorgirl.dot, ih]
            by_cases q : i = k
            · subst q; simp [show ¬(i + 1 ≤ i) by omega]
            · by_cases q' : k ≤ i
              · rw [if_neg q, if_pos (by omega), if_pos q', show i - k = i - (k + 1) + 1 by omega]; simp
              · rw [if_neg q, if_neg (by omega), if_neg q']; simp
        have := key w 0
        rw [if_pos (Nat.zero_le _), Nat.sub_zero] at this
        rw [← this, hw, List.map_map, List.range_eq_range']
        congr 1
        apply List.map_congr_left
        intro d _
        exact Point.get_unit hi
      apply List.ext_getElem (hu.trans hv.symm)
      intro i h₁ h₂
      have eu := unitDot u hu i (by omega)
      have ev := unitDot v hv i (by omega)
      rw [← Point.get_dot] at eu ev
      rw [e, ev] at eu
      simpa [List.getD_eq_getElem?_getD, List.getElem?_eq_getElem h₁, List.getElem?_eq_getElem h₂] using eu.symm
  · intro h A sA
    obtain ⟨R, e⟩ := Option.isSome_iff_exists.1 (h A sA)
    exact ⟨R, composition_sound hB e⟩

end Stride

namespace Stride

theorem coalesce_valid {r : Nat} {L : Modes (Point r)} (h : Valid L) : Valid (coalesce L) := by
  have pos : ∀ (m : Nat × Point r) (K : Modes (Point r)), 0 < m.1 → (∀ n ∈ K, 0 < n.1) → ∀ n ∈ push m K, 0 < n.1 := by
    intro m K hm hK
    unfold push
    split
    · exact hK
    · split
      · intro n hn; rw [List.mem_singleton.1 hn]; exact hm
      · rename_i n K
        split
        · intro k hk
          rcases List.mem_cons.1 hk with rfl | hk
          · exact Nat.mul_pos hm (hK n List.mem_cons_self)
          · exact hK k (List.mem_cons_of_mem _ hk)
        · intro k hk
          rcases List.mem_cons.1 hk with rfl | hk
          · exact hm
          · exact hK k hk
  induction L with
  | nil => intro n hn; cases hn
  | cons m L ih =>
    exact pos m _ (h m List.mem_cons_self) (ih fun n hn => h n (List.mem_cons_of_mem _ hn))

end Stride

namespace CoordLayout
open StrideModule

variable {r : Nat}

/-- **Each number of a value is the start plus the offset in a layout of integers: digits times strides, added up.**
Source: CuTe documentation, «TMA tensors» -/
theorem atIndex_get (R : CoordLayout r) (x i : Nat) :
    (R.atIndex x).get i = R.start.get i + FlatLayout.atIndex (R.axis i) x := by
  have key : ∀ (L : Stride.Modes (Point r)) (x : Nat), (Stride.atIndex L x).get i =
      FlatLayout.atIndex (L.map fun m => ⟨m.1, m.2.get i⟩) x := by
    intro L
    induction L with
    | nil => intro x; rw [Stride.atIndex_nil]; exact Point.get_zero i
    | cons m L ih =>
      intro x
      rw [Stride.atIndex_cons, Point.get_add, Point.get_times, ih]
      rfl
  rw [atIndex, Point.get_add, key]
  rfl

/-- **Two layouts of coordinates have the same value at an index exactly where all numbers are the same.**
Source: CuTe documentation, «TMA tensors» -/
theorem atIndex_eq_iff (R S : CoordLayout r) (x y : Nat) : R.atIndex x = S.atIndex y ↔
    ∀ i, i < r → R.start.get i + FlatLayout.atIndex (R.axis i) x = S.start.get i + FlatLayout.atIndex (S.axis i) y := by
  constructor
  · intro h i _
    rw [← atIndex_get, ← atIndex_get, h]
  · intro h
    apply Point.ext
    intro i hi
    rw [atIndex_get, atIndex_get, h i hi]

theorem eval_axis (L : Stride.Modes (Point r)) (xs : List Nat) (i : Nat) :
    Razorgirl.dot xs ((Stride.strides L).map fun d => d.get i) = FlatLayout.eval (L.map fun m => ⟨m.1, m.2.get i⟩) xs := by
  induction L generalizing xs with
  | nil => cases xs <;> rfl
  | cons m L ih =>
    cases xs with
    | nil => rfl
    | cons x xs => exact congrArg (x * m.2.get i + ·) (ih xs)

/-- **A call answers exactly for the coordinates of the shape, coarser ones too, and each number of the value is the start
plus the offset of the coordinate in a layout of integers.**
Source: CuTe `Layout::operator()` -/
theorem call_eq_some_iff {R : CoordLayout r} {c : Coord} {p : Point r} : R.call c = some p ↔
    ∃ xs, c.toFlat R.shape = some xs ∧ ∀ i, i < r → p.get i = R.start.get i + FlatLayout.eval (R.axis i) xs := by
  rw [call, Option.map_eq_some_iff]
  constructor
  · rintro ⟨xs, h, rfl⟩
    exact ⟨xs, h, fun i _ => by rw [Point.get_add, Point.get_dot, eval_axis]; rfl⟩
  · rintro ⟨xs, h, e⟩
    refine ⟨xs, h, Point.ext fun i hi => ?_⟩
    rw [e i hi, Point.get_add, Point.get_dot, eval_axis]
    rfl

theorem atIndex_some1 (L : Stride.Modes (Point r)) (x : Nat) : Stride.atIndex (some1 L) x = Stride.atIndex L x := by
  unfold some1
  split
  · rename_i h
    subst h
    rw [Stride.atIndex_cons, Stride.times_zero, Stride.atIndex_nil, Stride.atIndex_nil, zero_add]
  · rfl

theorem size_some1 (L : Stride.Modes (Point r)) : Stride.size (some1 L) = Stride.size L := by
  unfold some1
  split
  · rename_i h; subst h; rfl
  · rfl

/-- **Coalescing keeps every value.**
Source: CuTe `coalesce` -/
theorem coalesce_atIndex (R : CoordLayout r) (x : Nat) : R.coalesce.atIndex x = R.atIndex x := by
  rw [atIndex, atIndex, coalesce, atIndex_some1, Stride.coalesce_atIndex]

/-- **Coalescing keeps the number of coordinates.**
Source: CuTe `coalesce` -/
theorem coalesce_size (R : CoordLayout r) : R.coalesce.size = R.size := by
  rw [size, size, coalesce, size_some1, Stride.coalesce_size]

/-- **Two layouts from one start, of equally many coordinates, have the same values exactly where they coalesce to the same
layout.**
Source: CuTe `coalesce`; stated otherwise: for coordinates as values -/
theorem coalesce_eq_iff {R S : CoordLayout r} (hR : R.Valid) (hS : S.Valid) (h0 : R.start = S.start)
    (hs : R.size = S.size) : R.coalesce = S.coalesce ↔ ∀ x, x < R.size → R.atIndex x = S.atIndex x := by
  constructor
  · intro h x _
    rw [← coalesce_atIndex, ← coalesce_atIndex S, h]
  · intro h
    have e : Stride.coalesce R.modes = Stride.coalesce S.modes := by
      refine Stride.coalesced_unique (Stride.coalesce_valid hR.2) (Stride.coalesce_valid hS.2)
        (Stride.coalesce_coalesced hR.2) (Stride.coalesce_coalesced hS.2) ?_ ?_
      · rw [Stride.coalesce_size, Stride.coalesce_size]; exact hs
      · intro x hx
        rw [Stride.coalesce_size] at hx
        rw [Stride.coalesce_atIndex, Stride.coalesce_atIndex]
        have a := h x hx
        rw [atIndex, atIndex, h0] at a
        apply Point.ext
        intro i _
        have b := congrArg (fun p => Point.get p i) a
        simp only [Point.get_add] at b
        exact Nat.add_left_cancel b
    rw [coalesce, coalesce, e, h0]

/-- **A composite has the values of the outer layout at the offsets of the inner one, which lie in its domain.**
Source: CuTe `composition` -/
theorem composition_atIndex {R S : CoordLayout r} {B : Layout} (hB : B.Valid) (h : R.composition B = some S) {x : Nat}
    (hx : x < B.size) : FlatLayout.atIndex B.modes x < R.size ∧ S.atIndex x = R.atIndex (FlatLayout.atIndex B.modes x) := by
  obtain ⟨gs, hgs, rfl⟩ := Option.map_eq_some_iff.1 h
  obtain ⟨_, _, at'⟩ := Stride.composition_sound hB.2 hgs
  obtain ⟨lt, e⟩ := at' x hx
  rw [Stride.coalesce_size] at lt
  refine ⟨lt, ?_⟩
  have key : ∀ (gs : List (Stride.Modes (Point r))) (x : Nat),
      Stride.atIndex (Stride.concat (gs.map fun g => some1 (Stride.coalesce g))) x = Stride.atIndex (Stride.concat gs) x := by
    intro gs
    have app : ∀ (K L L' : Stride.Modes (Point r)), (∀ x, Stride.atIndex L x = Stride.atIndex L' x) →
        ∀ x, Stride.atIndex (K ++ L) x = Stride.atIndex (K ++ L') x := by
      intro K L L' h
      induction K with
      | nil => exact h
      | cons m K ih => intro x; rw [List.cons_append, List.cons_append, Stride.atIndex_cons, Stride.atIndex_cons, ih]
    have app' : ∀ (K K' L : Stride.Modes (Point r)), Stride.size K = Stride.size K' →
        (∀ x, Stride.atIndex K x = Stride.atIndex K' x) → ∀ x, Stride.atIndex (K ++ L) x = Stride.atIndex (K' ++ L) x := by
      have split : ∀ (K L : Stride.Modes (Point r)) (x : Nat), Stride.atIndex (K ++ L) x =
          add (Stride.atIndex K x) (Stride.atIndex L (x / Stride.size K)) := by
        intro K L
        induction K with
        | nil => intro x; rw [List.nil_append, Stride.atIndex_nil, zero_add]; simp [Stride.size, Stride.shape, prod]
        | cons m K ih =>
          intro x
          rw [List.cons_append, Stride.atIndex_cons, Stride.atIndex_cons, ih, add_assoc, Stride.size_cons,
            Nat.div_div_eq_div_mul]
      intro K K' L hs h x
      rw [split, split, h, hs]
    induction gs with
    | nil => intro x; rfl
    | cons g gs ih =>
      intro x
      rw [List.map_cons, Stride.concat, Stride.concat, app _ _ _ ih]
      exact app' _ _ _ (by rw [size_some1, Stride.coalesce_size]) (fun y => by rw [atIndex_some1, Stride.coalesce_atIndex]) x
  rw [atIndex, atIndex, key, e, Stride.coalesce_atIndex]

/-- **Composition answers exactly where every layout of coordinates with the coalesced shape, whatever its strides are, has a
composite.**
Source: none known -/
theorem composition_isSome_iff {R : CoordLayout r} {B : Layout} (hB : B.Valid) : (R.composition B).isSome = true ↔
    ∀ A : Stride.Modes (Point (Stride.coalesce R.modes).length), Stride.shape A = Stride.shape (Stride.coalesce R.modes) →
      ∃ S, Stride.IsComposite A B.modes S := by
  have l : (Stride.shape (Stride.coalesce R.modes)).length = (Stride.coalesce R.modes).length := List.length_map _
  have ex := Stride.composition_exact_points (M := Stride.shape (Stride.coalesce R.modes)) hB.2
  rw [l] at ex
  rw [ex, composition, Option.isSome_map]
  have same : ∀ {s : Nat} (A : Stride.Modes (Point s)), Stride.shape A = Stride.shape (Stride.coalesce R.modes) →
      (Stride.composition A B.modes).isSome = (Stride.composition (Stride.coalesce R.modes) B.modes).isSome := by
    intro s A sA
    unfold Stride.composition
    rw [show Stride.size A = Stride.size (Stride.coalesce R.modes) by rw [Stride.size, Stride.size, sA], sA]
    split
    · rw [Option.isSome_map, Option.isSome_map]
    · rfl
  constructor
  · intro h A sA
    rw [same A sA]; exact h
  · intro h
    have sA : Stride.shape ((Stride.shape (Stride.coalesce R.modes)).map fun n =>
        (n, (zero : Point (Stride.coalesce R.modes).length))) = Stride.shape (Stride.coalesce R.modes) := by
      simp [Stride.shape]
    rw [← same _ sA]
    exact h _ sA

/-- **The identity layout has each coordinate of its shape at that coordinate: the number in dimension i of the value is
the coordinate's.**
Source: CuTe `make_identity_layout` -/
theorem identity_atIndex (s : IntTuple) (x i : Nat) (hi : i < s.flatten.length) :
    ((identity s).atIndex x).get i = (idx2crd s.flatten x).getD i 0 := by
  have key : ∀ (l : List Nat) (k x : Nat), k + l.length = s.flatten.length →
      FlatLayout.atIndex ((l.zipWith (fun n d => (n, Point.unit s.flatten.length d)) (List.range' k l.length)).map
        fun m => ⟨m.1, m.2.get i⟩) x = if k ≤ i then (idx2crd l x).getD (i - k) 0 else 0 := by
    intro l
    induction l with
    | nil => intro k x _; simp [idx2crd, FlatLayout.atIndex, FlatLayout.shape, FlatLayout.eval]
    | cons n l ih =>
      intro k x hk
      rw [List.length_cons] at hk
      rw [List.length_cons, List.range'_succ, List.zipWith_cons_cons, List.map_cons]
      have step : ∀ (m : Mode) (L : FlatLayout), FlatLayout.atIndex (m :: L) x =
          x % m.extent * m.stride + FlatLayout.atIndex L (x / m.extent) := fun _ _ => rfl
      rw [step, ih (k + 1) _ (by omega), idx2crd, Point.get_unit hi]
      by_cases q : i = k
      · subst q; simp [show ¬(i + 1 ≤ i) by omega]
      · by_cases q' : k ≤ i
        · rw [if_neg q, if_pos (by omega), if_pos q', show i - k = i - (k + 1) + 1 by omega]; simp
        · rw [if_neg q, if_neg (by omega), if_neg q']; simp
  rw [atIndex_get, identity, Point.get_zero, Nat.zero_add, axis, List.range_eq_range']
  have := key s.flatten 0 x (Nat.zero_add _)
  rwa [if_pos (Nat.zero_le _), Nat.sub_zero] at this

end CoordLayout

end Razorgirl
