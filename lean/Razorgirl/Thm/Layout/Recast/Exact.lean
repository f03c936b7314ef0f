module

public import Razorgirl.Thm.Layout.Recast.Parts

@[expose] public section

/-!
# Recasting is exact

Each of `upcast`, `downcast` and `recast` answers the layout that addresses define, and answers wherever there is one. So
neither always refusing nor other bits would do.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Larger elements -/

namespace Aux

theorem divideCoord_eq_zero {ts c : List Nat} (h : ∀ x ∈ c, x = 0) : ∀ y ∈ divideCoord ts c, y = 0 := by
  induction ts generalizing c with
  | nil => cases c <;> simp [divideCoord]
  | cons t ts ih =>
    cases c with
    | nil => simp [divideCoord]
    | cons x c =>
      rw [divideCoord, h x List.mem_cons_self, Nat.zero_div]
      exact List.forall_mem_cons.2 ⟨rfl, ih fun y hy => h y (List.mem_cons_of_mem _ hy)⟩

/-- One mode of a layout of elements: never more steps than `steps`, and with as many it is the mode of `upcast`. -/
theorem steps_le {n t u : Nat} {m k : Mode} (hn : 0 < n) (hm : 0 < m.extent)
    (hin : inside n m = false → t = 1) (hs : m.extent = t * k.extent)
    (hk : k = if k.extent = 1 then ⟨1, 0⟩ else k)
    (he : ∀ x, x < m.extent → x / t * k.stride = x * m.stride / n) (hu : u = steps n m) :
    t ≤ u ∧ (t = u → k = upcastMode n m) := by
  subst hu
  have ht : 0 < t := Nat.pos_of_ne_zero fun h => by rw [h, Nat.zero_mul] at hs; omega
  have hke : 0 < k.extent := Nat.pos_of_ne_zero fun h => by rw [h, Nat.mul_zero] at hs; omega
  have hle : t ≤ m.extent := hs ▸ Nat.le_mul_of_pos_right t hke
  -- the stride of `k` where it moves
  have hst : k.extent ≠ 1 → k.stride = t * m.stride / n := fun h1 => by
    have h2 : t < m.extent := by
      rw [hs]
      have := Nat.mul_le_mul_left t (show 2 ≤ k.extent by omega)
      omega
    have := he t h2
    rwa [Nat.div_self ht, Nat.one_mul] at this
  have finish : t = steps n m → (k.extent ≠ 1 → k.stride = if inside n m then 1 else m.stride / n) →
      k = upcastMode n m := fun e hstr => by
    have h1 : m.extent / steps n m = k.extent := by rw [hs, ← e, Nat.mul_div_cancel_left _ ht]
    rw [upcastMode, h1, ← e]
    by_cases h2 : k.extent = 1
    · have : m.extent = t := by rw [hs, h2, Nat.mul_one]
      rw [if_pos this, h2]
      rw [if_pos h2] at hk
      exact hk
    · have : m.extent ≠ t := fun h => h2 (Nat.eq_of_mul_eq_mul_left ht (by rw [← hs, h, Nat.mul_one]))
      rw [if_neg this, ← hstr h2]
  by_cases hi : inside n m = true
  · obtain ⟨h1, h2, h3⟩ := steps_spec hn hm hi
    by_cases h4 : steps n m = m.extent
    · refine ⟨h4 ▸ hle, fun e => finish e fun h5 => absurd ?_ h5⟩
      exact Nat.eq_of_mul_eq_mul_left ht (by rw [← hs, ← h4, e, Nat.mul_one])
    · have h3 : steps n m * m.stride = n := by
        rcases h3 with h | h
        · exact h
        · exact absurd h h4
      have hlt : steps n m < m.extent := by
        have := Nat.le_of_dvd hm ⟨_, h2.symm⟩
        omega
      refine ⟨Nat.le_of_not_lt fun h => ?_, fun e => finish e fun h5 => ?_⟩
      · have := he _ hlt
        rw [Nat.div_eq_of_lt h, Nat.zero_mul, h3, Nat.div_self hn] at this
        cases this
      · rw [if_pos hi, hst h5, e, h3, Nat.div_self hn]
  · have hi' : inside n m = false := by simpa using hi
    have h1 : steps n m = 1 := by rw [steps, if_neg hi]
    refine ⟨by rw [h1, hin hi']; exact Nat.le_refl _, fun e => finish e fun h5 => ?_⟩
    rw [if_neg hi, hst h5, hin hi', Nat.one_mul]

theorem elements_unique {n : Nat} (hn : 0 < n) {L U : FlatLayout} {ts : List Nat} (hv : Valid L)
    (hi : OnlyInside n L ts) (hs : Splits (shape L) ts (shape U))
    (hU : normalize U = U) (he : ∀ c, InBounds (shape L) c → eval U (divideCoord ts c) = eval L c / n) :
    0 < prod ts ∧ prod ts ≤ prod (L.map (steps n)) ∧
      (prod ts = prod (L.map (steps n)) → U = L.map (upcastMode n)) := by
  induction L generalizing U ts with
  | nil =>
    match ts, U, hs with
    | [], [], _ => exact ⟨Nat.one_pos, Nat.le_refl _, fun _ => rfl⟩
  | cons m L ih =>
    match ts, U, hs with
    | t :: ts, k :: U, hs =>
      obtain ⟨h1, h2⟩ := hs
      rw [normalize, List.cons.injEq] at hU
      have tail := ih hv.2 hi.2 h2 hU.2 fun c hc => by
        have := he (0 :: c) ⟨hv.1, hc⟩
        rw [divideCoord, eval_cons, eval_cons, Nat.zero_div, Nat.zero_mul, Nat.zero_add, Nat.zero_mul,
          Nat.zero_add] at this
        exact this
      have hx : ∀ x, x < m.extent → x / t * k.stride = x * m.stride / n := fun x hx => by
        have := he (x :: origin L) ⟨hx, (origin_spec hv.2).1⟩
        rw [divideCoord, eval_cons, eval_cons, eval_eq_zero (divideCoord_eq_zero (origin_eq_zero L)),
          eval_eq_zero (origin_eq_zero L), Nat.add_zero, Nat.add_zero] at this
        exact this
      have head := steps_le hn hv.1 hi.1 h1 hU.1.symm hx rfl
      have ht : 0 < t := Nat.pos_of_ne_zero fun h => by
        have := hv.1
        rw [h1, h, Nat.zero_mul] at this
        omega
      obtain ⟨a1, a2, a3⟩ := tail
      obtain ⟨b1, b2⟩ := head
      rw [List.map_cons, List.map_cons, prod, prod]
      refine ⟨Nat.mul_pos ht a1, Nat.mul_le_mul b1 a2, fun e => ?_⟩
      have e1 : t = steps n m := by
        refine Nat.le_antisymm b1 (Nat.le_of_mul_le_mul_right (c := prod (L.map (steps n))) ?_ (by omega))
        rw [← e]
        exact Nat.mul_le_mul_left t a2
      rw [e1] at e
      have e2 := Nat.eq_of_mul_eq_mul_left (e1 ▸ ht) e
      rw [b2 e1, a3 e2]

theorem size_of_splits {L U : FlatLayout} {ts : List Nat} (hs : Splits (shape L) ts (shape U)) :
    size L = prod ts * size U := by
  induction L generalizing U ts with
  | nil =>
    match ts, U, hs with
    | [], [], _ => rfl
  | cons m L ih =>
    match ts, U, hs with
    | t :: ts, k :: U, hs =>
      rw [size_cons, size_cons, prod, ih hs.2, hs.1]
      grind

theorem length_partsOf (n : Nat) (l : List Nat) : (partsOf n l).length = n * l.length := by
  rw [partsOf]
  induction l with
  | nil => rfl
  | cons o l ih =>
    rw [List.flatMap_cons, List.length_append, ih, List.length_map, List.length_range, List.length_cons, Nat.mul_succ]
    omega

theorem onlyInside_steps (n : Nat) (L : FlatLayout) : OnlyInside n L (L.map (steps n)) := by
  induction L with
  | nil => trivial
  | cons m L ih => exact ⟨fun h => by rw [steps, h]; rfl, ih⟩

theorem normalize_upcastMode {n : Nat} {L : FlatLayout} (hv : Valid L) :
    normalize (L.map (upcastMode n)) = L.map (upcastMode n) := by
  induction L with
  | nil => rfl
  | cons m L ih =>
    rw [List.map_cons, normalize, ih hv.2]
    congr 1
    split
    · rename_i h
      have h : m.extent / steps n m = 1 := h
      rw [upcastMode, h]
      by_cases h1 : m.extent = steps n m
      · rw [if_pos h1]
      · exfalso
        by_cases hi : inside n m = true
        · have hn : n ≠ 0 := fun h0 => by
            subst h0
            rw [steps, if_pos hi] at h h1
            split at h
            · rename_i hf
              rw [Nat.zero_div, Nat.div_zero] at h
              cases h
            · rename_i hf
              rw [if_neg hf] at h1
              exact h1 rfl
          obtain ⟨_, h2, _⟩ := steps_spec (Nat.pos_of_ne_zero hn) hv.1 hi
          rw [h, Nat.mul_one] at h2
          exact h1 h2.symm
        · rw [steps, if_neg hi, Nat.div_one] at h
          rw [steps, if_neg hi] at h1
          exact h1 h
    · rfl

end Aux
open Aux

/-- **`upcast` answers the layout of larger elements and nothing else, wherever there is one: the element that contains
each offset, steps inside an element only where a mode takes such, and the same offsets as parts, each as often.**
Rust: `razorgirl::Layout::upcast`
Source: none; CuTe `upcast` looks at strides only -/
theorem upcast_eq_some_iff {n : Nat} {L U : FlatLayout} (hn : 0 < n) (hv : Valid L) :
    upcast n L = some U ↔ IsElements n L U := by
  constructor
  · intro h
    obtain ⟨_, _, e⟩ := upcast_eq_some h
    refine ⟨by rw [e]; exact normalize_upcastMode hv, L.map (steps n), onlyInside_steps n L, ?_,
      fun c hc => (upcast_eval hv h hc).2, upcast_offsets hv h⟩
    rw [e]
    exact splits_steps hn hv
  · rintro ⟨hU, ts, hi, hs, he, hp⟩
    obtain ⟨U₀, h₀⟩ := Option.ne_none_iff_exists'.1 ((upcast_ne_none_iff hn hv).2 ⟨ts, U, hs, he, hp⟩)
    obtain ⟨_, _, e⟩ := upcast_eq_some h₀
    have key := elements_unique hn hv hi hs hU he
    have l1 := hp.length_eq
    have l2 := (upcast_offsets hv h₀).length_eq
    rw [length_partsOf, length_offsets, length_offsets] at l1 l2
    have s1 := size_of_splits hs
    have s2 := size_of_splits (splits_steps hn hv)
    rw [← e] at s2
    have hL := hv.size_pos
    have p1 : prod ts = n := by
      rw [← l1] at s1 hL
      exact (Nat.eq_of_mul_eq_mul_right (Nat.pos_of_mul_pos_left hL) s1).symm
    have p2 : prod (L.map (steps n)) = n := by
      rw [← l2] at s2 hL
      exact (Nat.eq_of_mul_eq_mul_right (Nat.pos_of_mul_pos_left hL) s2).symm
    rw [h₀, e, key.2.2 (p1.trans p2.symm)]

/-! ## Any two sizes -/

/-- **`recast` answers the parts of the larger elements and nothing else, wherever there are such: with `g` the greatest
common divisor of both sizes, the layout of elements of `new / g`, and of its `old / g`-th parts where these are more than
one.**
Rust: `razorgirl::Layout::recast`
Source: none; CuTe `recast_layout` looks at strides only -/
theorem recast_eq_some_iff {old new : Nat} {L R : FlatLayout} (ho : 0 < old) (hw : 0 < new) (hv : Valid L) :
    recast old new L = some R ↔ ∃ U, IsElements (new / Nat.gcd old new) L U ∧
      (old ∣ new ∧ R = U ∨ ¬old ∣ new ∧ normalize R = R ∧
        ∃ p, IsPartMode (old / Nat.gcd old new) p U ∧ IsParts (old / Nat.gcd old new) p U R) := by
  have hg := Nat.gcd_pos_of_pos_left new ho
  have hb : 0 < new / Nat.gcd old new := Nat.div_pos (Nat.le_of_dvd hw (Nat.gcd_dvd_right old new)) hg
  have ha : 0 < old / Nat.gcd old new := Nat.div_pos (Nat.le_of_dvd ho (Nat.gcd_dvd_left old new)) hg
  have hd : old ∣ new ↔ old / Nat.gcd old new = 1 := by
    rw [← Nat.gcd_eq_left_iff_dvd]
    constructor
    · intro h
      rw [h, Nat.div_self ho]
    · intro h
      have := Nat.div_mul_cancel (Nat.gcd_dvd_left old new)
      rw [h, Nat.one_mul] at this
      exact this
  have two : ∀ U, recast old new L = some R ∧ upcast (new / Nat.gcd old new) L = some U ↔
      upcast (new / Nat.gcd old new) L = some U ∧ downcast (old / Nat.gcd old new) U = some R := fun U => by
    rw [recast]
    constructor
    · rintro ⟨h1, h2⟩
      rw [h2] at h1
      exact ⟨h2, h1⟩
    · rintro ⟨h1, h2⟩
      rw [h1]
      exact ⟨h2, rfl⟩
  have steps : recast old new L = some R ↔ ∃ U, upcast (new / Nat.gcd old new) L = some U ∧
      downcast (old / Nat.gcd old new) U = some R := by
    constructor
    · intro h
      have hU : ∃ U, upcast (new / Nat.gcd old new) L = some U := by
        rw [recast] at h
        split at h
        · exact ⟨_, by assumption⟩
        · cases h
      obtain ⟨U, hU⟩ := hU
      exact ⟨U, (two U).1 ⟨h, hU⟩⟩
    · rintro ⟨U, h⟩
      exact ((two U).2 h).1
  rw [steps]
  refine exists_congr fun U => ?_
  rw [upcast_eq_some_iff hb hv]
  refine and_congr_right fun hU => ?_
  have hvU := valid_upcast hv ((upcast_eq_some_iff hb hv).2 hU)
  by_cases h : old ∣ new
  · rw [hd.1 h, downcast_one]
    simp only [h, true_and, not_true, false_and, or_false, Option.some.injEq, eq_comm]
  · have h1 : 1 < old / Nat.gcd old new := by
      have : old / Nat.gcd old new ≠ 1 := fun e => h (hd.2 e)
      omega
    rw [downcast_eq_some_iff h1 hvU]
    simp only [h, false_and, not_false_eq_true, true_and, false_or]

/-- **A recast layout has the footprint of the layout, counted in bits, and as many bits.**
Rust: `razorgirl::Layout::recast`
Source: none; in CuTe `recast_layout` triples the footprint of `(2,3,2):(3,6,18)` from 4 to 6 bits -/
theorem recast_footprint {old new : Nat} {L R : FlatLayout} (ho : 0 < old) (hw : 0 < new) (hv : Valid L)
    (h : recast old new L = some R) : new * cosize R = old * cosize L ∧ new * size R = old * size L := by
  have hp := recast_bits ho hv h
  have hs := hp.length_eq
  rw [length_partsOf, length_partsOf, length_offsets, length_offsets] at hs
  have hR : Valid R := (valid_iff_size_pos R).2 (Nat.pos_of_mul_pos_left (hs ▸ Nat.mul_pos ho hv.size_pos))
  have le : ∀ {s t : Nat} {A B : FlatLayout}, 0 < s → 0 < t → Valid A → Valid B →
      (partsOf s (offsets A)).Perm (partsOf t (offsets B)) → s * cosize A ≤ t * cosize B := by
    intro s t A B hs ht hA hB hp
    obtain ⟨x, hx, e⟩ := (cosize_is_maximum hA).2
    have hm : s * atIndex A x + (s - 1) ∈ partsOf s (offsets A) :=
      List.mem_flatMap.2 ⟨_, (mem_offsets A _).2 ⟨x, hx, rfl⟩, List.mem_map.2 ⟨s - 1, List.mem_range.2 (by omega), rfl⟩⟩
    obtain ⟨o, ho, h1⟩ := List.mem_flatMap.1 (hp.mem_iff.1 hm)
    obtain ⟨r, hr, h1⟩ := List.mem_map.1 h1
    have hr := List.mem_range.1 hr
    obtain ⟨y, hy, rfl⟩ := (mem_offsets B _).1 ho
    have h2 := Nat.mul_le_mul_left t (show atIndex B y + 1 ≤ cosize B from (cosize_is_maximum hB).1 y hy)
    rw [← e]
    rw [Nat.mul_add, Nat.mul_one] at h2 ⊢
    omega
  exact ⟨Nat.le_antisymm (le hw ho hR hv hp) (le ho hw hv hR hp.symm), hs⟩

end FlatLayout

namespace Layout

/-- **`upcast` of a nested layout is exact, and keeps the nesting.**
Rust: `razorgirl::Layout::upcast`
Source: none; CuTe `upcast` looks at strides only -/
theorem upcast_eq_some_iff {n : Nat} {L U : Layout} (hn : 0 < n) (hL : L.Valid) :
    upcast n L = some U ↔ U.profile = L.profile ∧ FlatLayout.IsElements n L.modes U.modes := by
  rw [upcast, Option.map_eq_some_iff]
  simp only [FlatLayout.upcast_eq_some_iff hn hL.2]
  constructor
  · rintro ⟨M, hM, rfl⟩
    exact ⟨rfl, hM⟩
  · rintro ⟨hp, h⟩
    exact ⟨U.modes, h, by rw [← hp]⟩

/-- **`downcast` of a nested layout is exact, and keeps the nesting.**
Rust: `razorgirl::Layout::downcast`
Source: none; CuTe `downcast` makes every mode of stride 1 longer -/
theorem downcast_eq_some_iff {n : Nat} {L D : Layout} (hn : 1 < n) (hL : L.Valid) :
    downcast n L = some D ↔ D.profile = L.profile ∧ FlatLayout.normalize D.modes = D.modes ∧
      ∃ p, FlatLayout.IsPartMode n p L.modes ∧ FlatLayout.IsParts n p L.modes D.modes := by
  rw [downcast, Option.map_eq_some_iff]
  simp only [FlatLayout.downcast_eq_some_iff hn hL.2]
  constructor
  · rintro ⟨M, hM, rfl⟩
    exact ⟨rfl, hM⟩
  · rintro ⟨hp, h⟩
    exact ⟨D.modes, h, by rw [← hp]⟩

/-- **`recast` of a nested layout is exact, and keeps the nesting.**
Rust: `razorgirl::Layout::recast`
Source: none; CuTe `recast_layout` looks at strides only -/
theorem recast_eq_some_iff {old new : Nat} {L R : Layout} (ho : 0 < old) (hw : 0 < new) (hL : L.Valid) :
    recast old new L = some R ↔ R.profile = L.profile ∧
      ∃ U, FlatLayout.IsElements (new / Nat.gcd old new) L.modes U ∧
        (old ∣ new ∧ R.modes = U ∨ ¬old ∣ new ∧ FlatLayout.normalize R.modes = R.modes ∧
          ∃ p, FlatLayout.IsPartMode (old / Nat.gcd old new) p U ∧
            FlatLayout.IsParts (old / Nat.gcd old new) p U R.modes) := by
  rw [recast, Option.map_eq_some_iff]
  simp only [FlatLayout.recast_eq_some_iff ho hw hL.2]
  constructor
  · rintro ⟨M, hM, rfl⟩
    exact ⟨rfl, hM⟩
  · rintro ⟨hp, h⟩
    exact ⟨R.modes, h, by rw [← hp]⟩

end Layout

end Razorgirl
