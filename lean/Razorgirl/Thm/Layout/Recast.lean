module

public import Razorgirl.Spec.Layout.Recast
public import Razorgirl.Thm.Layout.Divide.Lemmas
public import Razorgirl.Thm.Layout.Inverse.Right

@[expose] public section

/-!
# Layouts of larger and smaller elements: what is proved

An accepted `upcast` reaches the bits of the layout, each as often, and its element at a coordinate is the one that holds
the offset there; so do `downcast` and `recast`. `upcastContaining` is accepted exactly where every offset is a multiple.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Larger elements -/

namespace Aux

theorem inside_iff {n : Nat} {m : Mode} : inside n m = true ↔ m.extent ≠ 1 ∧ m.stride % n ≠ 0 := by
  simp [inside]

theorem packed_of_countsTo {n run : Nat} {L : FlatLayout} (h : countsTo n run L = true) :
    Packed run L ∧ run * size L = n := by
  induction L generalizing run with
  | nil => exact ⟨trivial, by simpa [countsTo, size_nil] using h⟩
  | cons m L ih =>
    simp only [countsTo, Bool.and_eq_true, beq_iff_eq] at h
    obtain ⟨h1, h2⟩ := ih h.2
    exact ⟨⟨h.1, by rwa [Nat.mul_comm]⟩, by rw [size_cons, ← Nat.mul_assoc]; exact h2⟩

theorem upcast_eq_some {n : Nat} {L U : FlatLayout} (h : upcast n L = some U) :
    0 < n ∧ (Packed 1 (sort (within n L)) ∧ size (sort (within n L)) = n) ∧
      U = L.map (upcastMode n) := by
  rw [upcast] at h
  split at h
  · rename_i hc
    obtain ⟨h1, h2⟩ := packed_of_countsTo hc.2.2
    exact ⟨hc.1, ⟨h1, by rwa [Nat.one_mul] at h2⟩, (Option.some.inj h).symm⟩
  · cases h

/-- What the steps of a mode inside an element are: they divide its extent, and either fill an element or are all. -/
theorem steps_spec {n : Nat} {m : Mode} (hn : 0 < n) (hm : 0 < m.extent)
    (hi : inside n m = true) : 0 < steps n m ∧ steps n m * (m.extent / steps n m) = m.extent ∧
      (steps n m * m.stride = n ∨ steps n m = m.extent) := by
  have hd : 0 < m.stride := by
    rcases Nat.eq_zero_or_pos m.stride with h0 | h0
    · rw [inside_iff, h0] at hi
      simp at hi
    · exact h0
  rw [steps, if_pos hi]
  split
  · rename_i h
    simp only [fills, Bool.and_eq_true, beq_iff_eq] at h
    have h1 := Nat.div_mul_cancel (Nat.dvd_of_mod_eq_zero h.1)
    refine ⟨Nat.pos_of_ne_zero fun h0 => ?_, Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero h.2), .inl h1⟩
    rw [h0] at h1
    omega
  · exact ⟨hm, by rw [Nat.div_self hm, Nat.mul_one], .inr rfl⟩

/-- Two modes in place of one. -/
theorem offsets_split (t q d : Nat) (L : FlatLayout) :
    offsets (⟨t * q, d⟩ :: L) = offsets (⟨t, d⟩ :: ⟨q, t * d⟩ :: L) := by
  rw [offsets_eq_iff]
  refine ⟨by simp only [size_cons, Nat.mul_assoc], fun x _ => ?_⟩
  simp only [atIndex_cons]
  rw [Nat.mod_mul, Nat.div_div_eq_div_mul, Nat.add_mul]
  grind

theorem offsets_cons_congr {A B : FlatLayout} (m : Mode) (h : offsets A = offsets B) :
    offsets (m :: A) = offsets (m :: B) := by
  rw [offsets_cons, offsets_cons, h]

/-- The stride of a mode of extent 1 does not matter. -/
theorem offsets_single (d e : Nat) (L : FlatLayout) : offsets (⟨1, d⟩ :: L) = offsets (⟨1, e⟩ :: L) := by
  rw [offsets_eq_iff]
  exact ⟨rfl, fun x _ => by simp only [atIndex_cons, Nat.mod_one, Nat.zero_mul]⟩

/-- All strides times `n`. -/
def scaled (n : Nat) (L : FlatLayout) : FlatLayout := L.map fun m => ⟨m.extent, n * m.stride⟩

theorem offsets_scaled (n : Nat) (L : FlatLayout) : offsets (scaled n L) = (offsets L).map (n * ·) := by
  have h : ∀ x, atIndex (scaled n L) x = n * atIndex L x := by
    induction L with
    | nil => intro x; simp [scaled, atIndex_nil]
    | cons m L ih =>
      intro x
      rw [scaled, List.map_cons, atIndex_cons, atIndex_cons]
      have := ih (x / m.extent)
      rw [scaled] at this
      rw [this]
      grind
  have hs : size (scaled n L) = size L := by
    rw [size, size, shape, shape, scaled, List.map_map]
    rfl
  rw [offsets, offsets, hs, List.map_map]
  exact List.map_congr_left fun x _ => h x

/-- The layout of a packed chain of size `n`, in any order, counts off `0, …, n-1`. -/
theorem offsets_perm_range {n : Nat} {W : FlatLayout} (hv : Valid W) (hp : Packed 1 (sort W)) (hs : size (sort W) = n) :
    (offsets W).Perm (List.range n) := by
  have hc := contiguous_of_packed hp ((valid_perm (sort_perm W)).2 hv)
  refine (offsets_perm (sort_perm W)).symm.trans ?_
  have h2 := (contiguous_iff_injective _).1 hc
  refine perm_of_nodup ((injective_iff_nodup _).1 h2.1) List.nodup_range fun o => ?_
  rw [List.mem_range]
  constructor
  · intro h
    obtain ⟨x, hx, rfl⟩ := (mem_offsets _ o).1 h
    rw [← hs]
    exact atIndex_lt_size_of_contiguous hc hx
  · intro h
    exact (covers_iff_mem _).1 hc.2 o (by rw [h2.2, hs]; exact h)

theorem partsOf_perm {n : Nat} {a b : List Nat} (h : a.Perm b) : (partsOf n a).Perm (partsOf n b) := h.flatMap_right _

/-- Parts of parts. -/
theorem partsOf_partsOf (a b : Nat) (l : List Nat) : partsOf b (partsOf a l) = partsOf (a * b) l := by
  rw [partsOf, partsOf, partsOf, List.flatMap_assoc]
  congr 1
  funext o
  rw [List.flatMap_map, Nat.mul_comm a b, range_mul, List.map_flatMap]
  congr 1
  funext r
  rw [List.map_map]
  refine List.map_congr_left fun s _ => ?_
  simp only [Function.comp_apply]
  grind

/-- The offsets of a layout, split into the elements and the steps inside one. -/
theorem offsets_perm_split {n : Nat} (hn : 0 < n) {L : FlatLayout} (hv : Valid L) :
    (offsets L).Perm (offsets (within n L ++ scaled n (L.map (upcastMode n)))) := by
  induction L with
  | nil => exact .refl _
  | cons m L ih =>
    have ih := ih hv.2
    by_cases hi : inside n m = true
    · obtain ⟨h1, h2, h3⟩ := steps_spec hn hv.1 hi
      have hw : within n (m :: L) = ⟨steps n m, m.stride⟩ :: within n L := by
        rw [within, within, List.filter_cons_of_pos hi, List.map_cons]
      have e : offsets (m :: L) = offsets ([⟨steps n m, m.stride⟩,
          ⟨m.extent / steps n m, n * (upcastMode n m).stride⟩] ++ L) := by
        have := offsets_split (steps n m) (m.extent / steps n m) m.stride L
        rw [h2] at this
        rw [show (m :: L) = (⟨m.extent, m.stride⟩ :: L) from rfl, this]
        by_cases he : m.extent = steps n m
        · rw [← he, Nat.div_self hv.1]
          exact offsets_cons_congr _ (offsets_single _ _ _)
        · have h4 : steps n m * m.stride = n := h3.resolve_right fun h => he h.symm
          rw [upcastMode, if_neg he, if_pos hi, Nat.mul_one, h4]
          rfl
      rw [e, hw, List.map_cons]
      refine (offsets_append_perm (.refl _) ih).trans (offsets_perm ?_)
      simp only [scaled, List.map_cons, List.cons_append, List.nil_append]
      exact List.Perm.cons _ List.perm_middle.symm
    · have hw : within n (m :: L) = within n L := by
        rw [within, within, List.filter_cons_of_neg hi]
      have e : offsets (m :: L) = offsets ([⟨(upcastMode n m).extent, n * (upcastMode n m).stride⟩] ++ L) := by
        have h1 : steps n m = 1 := by rw [steps, if_neg hi]
        rw [upcastMode, h1, Nat.div_one]
        by_cases he : m.extent = 1
        · rw [if_pos he, show (m :: L) = (⟨m.extent, m.stride⟩ :: L) from rfl, he]
          exact offsets_single _ _ _
        · rw [if_neg he, if_neg hi]
          have hd : m.stride % n = 0 := by
            rw [inside_iff] at hi
            exact Classical.byContradiction fun h => hi ⟨he, h⟩
          rw [Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hd)]
          rfl
      rw [e, hw, List.map_cons]
      refine (offsets_append_perm (.refl _) ih).trans (offsets_perm ?_)
      simp only [scaled, List.map_cons, List.cons_append, List.nil_append]
      exact List.perm_middle.symm

theorem valid_within {n : Nat} (hn : 0 < n) {L : FlatLayout} (hv : Valid L) :
    Valid (within n L) := by
  rw [valid_iff_forall] at hv ⊢
  intro k hk
  obtain ⟨m, hm, rfl⟩ := List.mem_map.1 hk
  obtain ⟨hm, hi⟩ := List.mem_filter.1 hm
  exact (steps_spec hn (hv m hm) hi).1

/-- One step of a mode, split into whole elements and a rest inside one. -/
theorem split_coord {n : Nat} (hn : 0 < n) {L : FlatLayout} (hv : Valid L)
    {c : List Nat} (hc : InBounds (shape L) c) :
    InBounds (shape (L.map (upcastMode n))) (divideCoord (L.map (steps n)) c) ∧
      ∃ low, low ∈ offsets (within n L) ∧
        eval L c = n * eval (L.map (upcastMode n)) (divideCoord (L.map (steps n)) c) + low := by
  induction L generalizing c with
  | nil => exact ⟨trivial, 0, mem_offsets_nil.2 rfl, by simp [eval_nil]⟩
  | cons m L ih =>
    cases c with
    | nil => exact absurd hc (by simp [shape, InBounds])
    | cons x c =>
      have hx : x < m.extent := hc.1
      obtain ⟨hb, low, hlow, e⟩ := ih hv.2 hc.2
      rw [List.map_cons, List.map_cons, divideCoord, eval_cons, eval_cons, e]
      by_cases hi : inside n m = true
      · obtain ⟨h1, h2, h3⟩ := steps_spec hn hv.1 hi
        have hw : within n (m :: L) = ⟨steps n m, m.stride⟩ :: within n L := by
          rw [within, within, List.filter_cons_of_pos hi, List.map_cons]
        refine ⟨⟨Nat.div_lt_of_lt_mul (by rw [show (upcastMode n m).extent = m.extent / steps n m from rfl, h2]; exact hx),
          hb⟩, x % steps n m * m.stride + low, ?_, ?_⟩
        · rw [hw, mem_offsets_cons]
          exact ⟨x % steps n m, Nat.mod_lt _ h1, low, hlow, rfl⟩
        · have hx2 := Nat.mod_add_div x (steps n m)
          have key : x * m.stride = n * (x / steps n m * (upcastMode n m).stride) + x % steps n m * m.stride := by
            by_cases he : m.extent = steps n m
            · have h0 : x / steps n m = 0 := Nat.div_eq_of_lt (by omega)
              rw [h0, Nat.mod_eq_of_lt (by omega)]
              omega
            · have h4 : steps n m * m.stride = n := h3.resolve_right fun h => he h.symm
              rw [upcastMode, if_neg he, if_pos hi, Nat.mul_one]
              conv => lhs; rw [← hx2]
              rw [← h4]
              grind
          rw [key, Nat.mul_add]
          omega
      · have hw : within n (m :: L) = within n L := by
          rw [within, within, List.filter_cons_of_neg hi]
        have h1 : steps n m = 1 := by rw [steps, if_neg hi]
        rw [h1, Nat.div_one]
        refine ⟨⟨by rw [show (upcastMode n m).extent = m.extent / steps n m from rfl, h1, Nat.div_one]; exact hx, hb⟩,
          low, by rw [hw]; exact hlow, ?_⟩
        have key : x * m.stride = n * (x * (upcastMode n m).stride) := by
          rw [upcastMode, h1]
          by_cases he : m.extent = 1
          · have : x = 0 := by omega
            simp [this]
          · rw [if_neg he, if_neg hi]
            have hd : m.stride % n = 0 := by
              rw [inside_iff] at hi
              exact Classical.byContradiction fun h => hi ⟨he, h⟩
            rw [Nat.mul_left_comm, Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hd)]
        rw [key, Nat.mul_add]
        omega

end Aux
open Aux

/-- **The element at a coordinate divided by the steps in one is the one that holds the offset there: its offset is the
offset of the layout divided by `n`.**
Rust: `razorgirl::Layout::upcast`
Source: CuTe `upcast` (where neither extents nor steps inside an element are looked at) -/
theorem upcast_eval {n : Nat} {L U : FlatLayout} (hv : Valid L) (h : upcast n L = some U) {c : List Nat}
    (hc : InBounds (shape L) c) : InBounds (shape U) (divideCoord (L.map (steps n)) c) ∧
      eval U (divideCoord (L.map (steps n)) c) = eval L c / n := by
  obtain ⟨hn, ⟨hp, hs⟩, rfl⟩ := upcast_eq_some h
  obtain ⟨hb, low, hlow, e⟩ := split_coord hn hv hc
  refine ⟨hb, ?_⟩
  have hlt := List.mem_range.1 ((offsets_perm_range (valid_within hn hv) hp hs).mem_iff.1 hlow)
  rw [e, Nat.mul_add_div hn, Nat.div_eq_of_lt hlt, Nat.add_zero]

/-- **The elements of `n` hold exactly the offsets of the layout, each as often.**
Rust: `razorgirl::Layout::upcast`
Source: none; in CuTe `upcast<4>(1:1) = 1:1` has four offsets where the layout has one -/
theorem upcast_offsets {n : Nat} {L U : FlatLayout} (hv : Valid L) (h : upcast n L = some U) :
    (partsOf n (offsets U)).Perm (offsets L) := by
  obtain ⟨hn, ⟨hp, hs⟩, rfl⟩ := upcast_eq_some h
  refine .symm ((offsets_perm_split hn hv).trans ?_)
  rw [offsets_append, offsets_scaled, List.flatMap_map, partsOf]
  refine flatMap_perm_of_forall (fun o => ?_) _
  refine ((offsets_perm_range (valid_within hn hv) hp hs).map _).trans (.of_eq ?_)
  exact List.map_congr_left fun r _ => Nat.add_comm _ _

/-- **The element that contains each offset is answered exactly where every offset is a multiple of `n`: the layout of
the same extents whose offsets are these divided by `n`.**
Rust: `razorgirl::Layout::upcast_containing`
Source: CuTe `upcast` where no mode steps inside an element -/
theorem upcastContaining_ne_none_iff {n : Nat} {L : FlatLayout} (hn : 0 < n) (hv : Valid L) :
    upcastContaining n L ≠ none ↔ ∀ c, InBounds (shape L) c → n ∣ eval L c := by
  rw [upcastContaining]
  constructor
  · intro h
    split at h
    · rename_i hc
      clear h
      intro c hb
      induction L generalizing c with
      | nil => rw [eval_nil]; exact Nat.dvd_zero _
      | cons m L ih =>
        cases c with
        | nil => exact absurd hb (by simp [shape, InBounds])
        | cons x c =>
          have hx : x < m.extent := hb.1
          simp only [List.any_cons, Bool.or_eq_false_iff] at hc
          rw [eval_cons]
          refine Nat.dvd_add ?_ (ih hv.2 ⟨hn, hc.2.2⟩ c hb.2)
          have hm := hc.2.1
          by_cases h1 : m.extent = 1
          · have : x = 0 := by omega
            rw [this, Nat.zero_mul]
            exact Nat.dvd_zero _
          · have hd : m.stride % n = 0 := Classical.byContradiction fun hd => by
              rw [inside_iff.2 ⟨h1, hd⟩] at hm
              cases hm
            exact Nat.dvd_trans (Nat.dvd_of_mod_eq_zero hd) (Nat.dvd_mul_left ..)
    · exact absurd rfl h
  · intro h
    rw [if_pos]
    · exact Option.some_ne_none _
    · refine ⟨hn, List.any_eq_false.2 fun m hm hi => ?_⟩
      obtain ⟨h1, h2⟩ := inside_iff.1 hi
      have hp := (valid_iff_forall _).1 hv m hm
      obtain ⟨c, hc, e⟩ := (mem_offsets_iff_eval L m.stride).1 (stride_mem_offsets hv hm (by omega))
      have := h c hc
      rw [e] at this
      exact h2 (Nat.mod_eq_zero_of_dvd this)

/-- **The element that contains the offset at a coordinate is that offset divided by `n`, at the same coordinate.**
Rust: `razorgirl::Layout::upcast_containing`
Source: CuTe `upcast` where no mode steps inside an element -/
theorem upcastContaining_eval {n : Nat} {L U : FlatLayout} (h : upcastContaining n L = some U) {c : List Nat}
    (hc : InBounds (shape L) c) : shape U = shape L ∧ n * eval U c = eval L c := by
  rw [upcastContaining] at h
  split at h
  · rename_i hi
    obtain rfl := Option.some.inj h
    refine ⟨by rw [shape, shape, List.map_map]; rfl, ?_⟩
    clear h
    induction L generalizing c with
    | nil => simp [eval_nil]
    | cons m L ih =>
      cases c with
      | nil => exact absurd hc (by simp [shape, InBounds])
      | cons x c =>
        have hx : x < m.extent := hc.1
        simp only [List.any_cons, Bool.or_eq_false_iff] at hi
        rw [List.map_cons, eval_cons, eval_cons, Nat.mul_add, ih hc.2 ⟨hi.1, hi.2.2⟩]
        congr 1
        by_cases h1 : m.extent = 1
        · have : x = 0 := by omega
          simp [this]
        · have hd : m.stride % n = 0 := Classical.byContradiction fun hd => by
            have := hi.2.1
            rw [inside_iff.2 ⟨h1, hd⟩] at this
            cases this
          simp only [if_neg h1]
          rw [Nat.mul_left_comm, Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hd)]
  · cases h

/-! ## Smaller elements -/

namespace Aux

/-- The modes where parts lie step by 1 or not at all. -/
def Unit (kind : Mode → Bool) : Prop := ∀ m, kind m = true → m.extent = 1 ∨ m.stride = 1

theorem unit_of_partMode {L : FlatLayout} {kind : Mode → Bool} (h : partMode L = some kind) :
    Unit kind ∧ countOf kind L = 1 := by
  rw [partMode] at h
  split at h
  · rename_i h1
    obtain rfl := Option.some.inj h
    exact ⟨fun m hm => .inr (by simp only [adjacent, Bool.and_eq_true, beq_iff_eq] at hm; exact hm.2), h1⟩
  · split at h
    · rename_i h1
      obtain rfl := Option.some.inj h
      exact ⟨fun m hm => .inl (by simpa [single] using hm), h1.2⟩
    · cases h

theorem parts_spec {n : Nat} (hn : 0 < n) {kind : Mode → Bool} (hk : Unit kind) {L : FlatLayout} {c : List Nat}
    (hc : InBounds (shape (parts n kind L)) c) :
    InBounds (shape L) (wholeCoord n kind L c) ∧
      eval (parts n kind L) c = n * eval L (wholeCoord n kind L c) + partOf n kind L c ∧
      partOf n kind L c ≤ countOf kind L * (n - 1) := by
  induction L generalizing c with
  | nil => exact ⟨trivial, by simp [parts, eval_nil, partOf], by simp [partOf]⟩
  | cons m L ih =>
    cases c with
    | nil => exact absurd hc (by simp [shape, parts, InBounds])
    | cons x c =>
      rw [parts, List.map_cons, shape_cons] at hc
      obtain ⟨hb, e, hle⟩ := ih hc.2
      have hx := hc.1
      rw [parts] at e
      rw [parts, List.map_cons, wholeCoord, eval_cons, eval_cons, partOf, countOf, shape_cons, e]
      by_cases hm : kind m = true
      · simp only [hm, if_true] at hx ⊢
        have h1 : x / n < m.extent := Nat.div_lt_of_lt_mul (by rw [Nat.mul_comm]; exact hx)
        have h2 : n * (x / n * m.stride) + x % n = x := by
          rcases hk m hm with h | h
          · have : x / n = 0 := Nat.lt_one_iff.1 (h ▸ h1)
            have h3 := Nat.mod_add_div x n
            rw [this] at h3 ⊢
            simpa using h3
          · rw [h, Nat.mul_one]
            exact Nat.div_add_mod x n
        have h3 := Nat.mod_lt x hn
        refine ⟨⟨h1, hb⟩, ?_, ?_⟩
        · rw [Nat.mul_add]; omega
        · rw [Nat.add_mul, Nat.one_mul]; omega
      · simp only [hm, Bool.false_eq_true, if_false] at hx ⊢
        refine ⟨⟨hx, hb⟩, ?_, by simpa using hle⟩
        have : x * (if m.extent = 1 then 0 else n * m.stride) = n * (x * m.stride) := by
          split
          · have : x = 0 := by omega
            simp [this]
          · rw [Nat.mul_left_comm]
        rw [this, Nat.mul_add]
        omega

theorem size_parts {n : Nat} {kind : Mode → Bool} (L : FlatLayout) :
    size (parts n kind L) = n ^ countOf kind L * size L := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    rw [parts] at ih
    rw [parts, List.map_cons, size_cons, ih, size_cons, countOf]
    by_cases hm : kind m = true
    · simp only [hm, if_true]
      rw [Nat.pow_add, Nat.pow_one]
      grind
    · simp only [hm, Bool.false_eq_true, if_false, Nat.zero_add]
      grind

/-- The offsets of parts: the modes of a kind contribute the number of the part. -/
theorem offsets_parts {n : Nat} {kind : Mode → Bool} (hk : Unit kind) {L : FlatLayout} (hv : Valid L)
    (hcount : countOf kind L = 1) : (offsets (parts n kind L)).Perm (offsets (⟨n, 1⟩ :: scaled n L)) := by
  have none : ∀ {L : FlatLayout}, countOf kind L = 0 → offsets (parts n kind L) = offsets (scaled n L) := by
    intro L
    induction L with
    | nil => intro _; rfl
    | cons m L ih =>
      intro h
      have hm : ¬kind m = true := fun hm => by rw [countOf, if_pos hm] at h; omega
      have hL : countOf kind L = 0 := by rw [countOf] at h; omega
      have ih := ih hL
      rw [parts] at ih
      rw [scaled] at ih
      rw [parts, scaled, List.map_cons, List.map_cons, if_neg hm, offsets_cons, offsets_cons, ih]
      by_cases h1 : m.extent = 1
      · simp [h1]
      · simp only [if_neg h1]
  induction L with
  | nil => simp [countOf] at hcount
  | cons m L ih =>
    by_cases hm : kind m = true
    · have hL : countOf kind L = 0 := by rw [countOf, if_pos hm] at hcount; omega
      have e := none hL
      rw [parts] at e
      rw [parts, List.map_cons, if_pos hm, scaled, List.map_cons]
      have e1 := offsets_split n m.extent 1 (scaled n L)
      rw [Nat.mul_comm n m.extent, Nat.mul_one] at e1
      refine .of_eq ?_
      rw [offsets_cons, e, ← offsets_cons, e1]
      rcases hk m hm with h | h
      · rw [h]
        exact offsets_cons_congr _ (offsets_single _ _ _)
      · rw [h, Nat.mul_one]
        rfl
    · have hL : countOf kind L = 1 := by rw [countOf, if_neg hm] at hcount; omega
      have ih := ih hv.2 hL
      have e : offsets (parts n kind (m :: L)) = offsets ([⟨m.extent, n * m.stride⟩] ++ parts n kind L) := by
        rw [parts, List.map_cons, if_neg hm, parts, List.cons_append, List.nil_append]
        by_cases h1 : m.extent = 1
        · rw [if_pos h1, h1]
          exact offsets_single _ _ _
        · rw [if_neg h1]
      rw [e]
      refine (offsets_append_perm (.refl _) ih).trans (offsets_perm ?_)
      exact List.Perm.swap ..

theorem valid_upcast {n : Nat} {L U : FlatLayout} (hv : Valid L) (h : upcast n L = some U) : Valid U := by
  obtain ⟨hn, _, rfl⟩ := upcast_eq_some h
  rw [valid_iff_forall] at hv ⊢
  intro k hk
  obtain ⟨m, hm, rfl⟩ := List.mem_map.1 hk
  have hp := hv m hm
  show 0 < m.extent / steps n m
  by_cases hi : inside n m = true
  · obtain ⟨h1, h2, _⟩ := steps_spec hn hp hi
    refine Nat.pos_of_ne_zero fun h0 => ?_
    rw [h0] at h2
    omega
  · rw [steps, if_neg hi, Nat.div_one]
    exact hp

end Aux

/-- **The offset of a part is `n` times the offset of its element, plus the number of the part, which is below `n`.**
Rust: `razorgirl::Layout::downcast`
Source: CuTe `downcast` (where every mode of stride 1 is made longer) -/
theorem downcast_eval {n : Nat} {L D : FlatLayout} (h1 : n ≠ 1) (h : downcast n L = some D) {c : List Nat}
    (hc : InBounds (shape D) c) : ∃ kind, partMode L = some kind ∧ InBounds (shape L) (wholeCoord n kind L c) ∧
      eval D c = n * eval L (wholeCoord n kind L c) + partOf n kind L c ∧ partOf n kind L c < n := by
  rw [downcast] at h
  split at h
  · cases h
  · rename_i h0
    obtain ⟨kind, hk, rfl⟩ := Option.map_eq_some_iff.1 h
    obtain ⟨hu, hcount⟩ := unit_of_partMode hk
    obtain ⟨hb, e, hle⟩ := parts_spec (by omega) hu hc
    rw [hcount, Nat.one_mul] at hle
    exact ⟨kind, hk, hb, e, by omega⟩

/-- **There are `n` parts of every element.**
Rust: `razorgirl::Layout::downcast`
Source: CuTe `downcast` -/
theorem downcast_size {n : Nat} {L D : FlatLayout} (h : downcast n L = some D) : size D = n * size L := by
  rw [downcast] at h
  split at h
  · cases h
  · split at h
    · rename_i h1
      obtain rfl := Option.some.inj h
      rw [h1, Nat.one_mul]
    · obtain ⟨kind, hk, rfl⟩ := Option.map_eq_some_iff.1 h
      rw [size_parts, (unit_of_partMode hk).2, Nat.pow_one]

/-- **The offsets of the parts are the `n` parts of every element, each as often.**
Rust: `razorgirl::Layout::downcast`
Source: CuTe `downcast` (where every mode of stride 1 is made longer) -/
theorem downcast_offsets {n : Nat} {L D : FlatLayout} (hv : Valid L) (h : downcast n L = some D) :
    (offsets D).Perm (partsOf n (offsets L)) := by
  rw [downcast] at h
  split at h
  · cases h
  · split at h
    · rename_i h1
      obtain rfl := Option.some.inj h
      rw [h1, partsOf]
      refine .of_eq ?_
      simp [List.flatMap_singleton']
    · obtain ⟨kind, hk, rfl⟩ := Option.map_eq_some_iff.1 h
      obtain ⟨hu, hcount⟩ := unit_of_partMode hk
      have key := offsets_parts (n := n) hu hv hcount
      refine key.trans (.of_eq ?_)
      rw [offsets_cons, offsets_scaled, List.flatMap_map, partsOf]
      congr 1
      funext o
      refine List.map_congr_left fun r _ => ?_
      rw [Nat.mul_one, Nat.add_comm]

/-! ## Any two sizes -/

/-- **A recast layout reaches the bits of the layout, each as often: an element of size `s` at offset `o` has the bits
from `s·o` on.**
Rust: `razorgirl::Layout::recast`
Source: none; in CuTe `recast_layout` makes 24 bits of 3 (`1:1` from 3 to 8) -/
theorem recast_bits {old new : Nat} {L R : FlatLayout} (ho : 0 < old) (hv : Valid L) (h : recast old new L = some R) :
    (partsOf new (offsets R)).Perm (partsOf old (offsets L)) := by
  rw [recast] at h
  split at h
  · rename_i U hU
    have hg := Nat.gcd_pos_of_pos_left new ho
    obtain ⟨a, ha⟩ := Nat.gcd_dvd_left old new
    obtain ⟨b, hb⟩ := Nat.gcd_dvd_right old new
    generalize Nat.gcd old new = g at *
    subst ha hb
    rw [Nat.mul_div_cancel_left _ hg] at hU h
    have hvU : Valid U := valid_upcast hv hU
    have h1 := partsOf_perm (n := g * b) (downcast_offsets hvU h)
    have h2 := partsOf_perm (n := g * a) (upcast_offsets hv hU)
    rw [partsOf_partsOf] at h1 h2
    refine h1.trans (.trans (.of_eq ?_) h2)
    rw [show a * (g * b) = b * (g * a) by grind]
  · cases h

end FlatLayout

namespace Layout
open HTuple

/-- **Recasting changes numbers and no nesting.**
Rust: `razorgirl::Layout::recast`
Source: CuTe `upcast`, `downcast`, `recast_layout` -/
theorem recast_profile {n old new : Nat} {L U D R : Layout} (hU : upcast n L = some U) (hD : downcast n L = some D)
    (hR : recast old new L = some R) : U.profile = L.profile ∧ D.profile = L.profile ∧ R.profile = L.profile := by
  obtain ⟨_, _, rfl⟩ := Option.map_eq_some_iff.1 hU
  obtain ⟨_, _, rfl⟩ := Option.map_eq_some_iff.1 hD
  obtain ⟨_, _, rfl⟩ := Option.map_eq_some_iff.1 hR
  exact ⟨rfl, rfl, rfl⟩

end Layout

end Razorgirl
