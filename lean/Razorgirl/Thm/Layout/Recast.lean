module

public import Razorgirl.Spec.Layout.Recast
public import Razorgirl.Thm.Layout.Complement.Packed

@[expose] public section

/-!
# Layouts of larger and smaller elements: what is proved

The element of `n` that holds the offset `o` is `o / n`, and part `r` of element `e` is `n·e + r`. Both follow from
the same thing: a coordinate splits into the element's and a rest that stays inside it.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Larger elements -/

/-- The first coordinate that lies in the element of this coordinate. -/
def firstCoord (n : Nat) : FlatLayout → (coord : List Nat) → List Nat
  | m :: L, c :: cs => steps n m * c :: firstCoord n L cs
  | _, _ => []

namespace Aux

theorem upcastModes_cons {n : Nat} {m : Mode} {L U : FlatLayout} (h : upcastModes n (m :: L) = some U) :
    ∃ m' L', upcastMode n m = some m' ∧ upcastModes n L = some L' ∧ U = m' :: L' := by
  rw [upcastModes] at h
  split at h
  · rename_i m' L' h1 h2
    exact ⟨m', L', h1, h2, (Option.some.inj h).symm⟩
  · cases h

theorem inside_iff {n : Nat} {m : Mode} : inside n m = true ↔ m.extent ≠ 1 ∧ m.stride % n ≠ 0 := by
  simp [inside]

/-- One step of a mode, split into whole elements and a rest inside one. -/
theorem upcastMode_spec {n : Nat} (hn : 0 < n) {m m' : Mode} (h : upcastMode n m = some m') {c : Nat}
    (hc : c < m.extent) : c / steps n m < m'.extent ∧ ∃ low, c * m.stride = n * (c / steps n m * m'.stride) + low ∧
      low ≤ if inside n m then (min m.extent (n / m.stride) - 1) * m.stride else 0 := by
  unfold upcastMode at h
  unfold steps
  by_cases hi : inside n m = true
  · rw [if_pos hi, if_pos hi] at *
    split at h
    · rename_i hd
      have hdpos : 0 < m.stride := by
        rcases Nat.eq_zero_or_pos m.stride with h0 | h0
        · rw [inside_iff, h0] at hi; simp at hi
        · exact h0
      have hq : n / m.stride * m.stride = n := Nat.div_mul_cancel (Nat.dvd_of_mod_eq_zero hd)
      have hqpos : 0 < n / m.stride := Nat.pos_of_ne_zero fun h0 => by rw [h0] at hq; omega
      generalize hqd : n / m.stride = q at *
      have hsplit : c * m.stride = n * (c / q) + c % q * m.stride := by
        conv => lhs; rw [← Nat.mod_add_div c q]
        rw [← hq]
        grind
      have hlow : c % q * m.stride ≤ (min m.extent q - 1) * m.stride := by
        refine Nat.mul_le_mul_right _ ?_
        have h1 := Nat.mod_lt c hqpos
        have h2 := Nat.mod_le c q
        omega
      split at h
      · rename_i hs
        obtain rfl := Option.some.inj h
        have hlt : c / q < m.extent / q :=
          Nat.div_lt_of_lt_mul (by rw [Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hs)]; exact hc)
        refine ⟨hlt, c % q * m.stride, ?_, hlow⟩
        show c * m.stride = n * (c / q * if m.extent = q then 0 else 1) + _
        split
        · rename_i he
          rw [he, Nat.div_self hqpos] at hlt
          rw [hsplit, Nat.lt_one_iff.1 hlt]
        · rw [Nat.mul_one]; exact hsplit
      · split at h
        · rename_i hs
          obtain rfl := Option.some.inj h
          have hle : m.extent ≤ q := Nat.le_of_dvd hqpos (Nat.dvd_of_mod_eq_zero hs)
          have h0 : c / q = 0 := Nat.div_eq_of_lt (by omega)
          refine ⟨by rw [h0]; exact Nat.one_pos, c % q * m.stride, ?_, hlow⟩
          rw [hsplit, h0]
          simp
        · cases h
    · cases h
  · rw [if_neg hi] at h
    rw [if_neg hi, Nat.div_one, if_neg hi]
    obtain rfl := Option.some.inj h
    refine ⟨hc, 0, ?_, Nat.le_refl _⟩
    show c * m.stride = n * (c * if m.extent = 1 then 0 else m.stride / n) + 0
    split
    · rename_i h1
      have : c = 0 := by omega
      simp [this]
    · rename_i h1
      have hd : m.stride % n = 0 := by
        rw [inside_iff] at hi
        exact Classical.byContradiction fun h => hi ⟨h1, h⟩
      rw [Nat.add_zero, Nat.mul_left_comm, Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hd)]

theorem upcastModes_spec {n : Nat} (hn : 0 < n) {L U : FlatLayout} (h : upcastModes n L = some U) {c : List Nat}
    (hc : InBounds (shape L) c) : InBounds (shape U) (unitCoord n L c) ∧
      ∃ low, eval L c = n * eval U (unitCoord n L c) + low ∧ low ≤ span n L := by
  induction L generalizing U c with
  | nil =>
    obtain rfl := Option.some.inj h
    obtain rfl := (inBounds_nil_iff c).1 hc
    exact ⟨trivial, 0, rfl, Nat.le_refl _⟩
  | cons m L ih =>
    obtain ⟨m', L', h1, h2, rfl⟩ := upcastModes_cons h
    cases c with
    | nil => exact absurd hc (by simp [shape, InBounds])
    | cons x c =>
      obtain ⟨hb, low, e, hle⟩ := ih h2 hc.2
      obtain ⟨hx, l, e', hle'⟩ := upcastMode_spec hn h1 hc.1
      refine ⟨⟨hx, hb⟩, l + low, ?_, ?_⟩
      · rw [unitCoord, eval_cons, eval_cons, e, e', Nat.mul_add]
        omega
      · rw [span]
        omega

theorem firstCoord_mode {n : Nat} (hn : 0 < n) {m m' : Mode} (h : upcastMode n m = some m') {c : Nat}
    (hc : c < m'.extent) (hp : 0 < m.extent) :
    steps n m * c < m.extent ∧ steps n m * c * m.stride = n * (c * m'.stride) := by
  unfold upcastMode at h
  unfold steps
  by_cases hi : inside n m = true
  · rw [if_pos hi] at h ⊢
    split at h
    · rename_i hd
      have hq : n / m.stride * m.stride = n := Nat.div_mul_cancel (Nat.dvd_of_mod_eq_zero hd)
      have hqpos : 0 < n / m.stride := Nat.pos_of_ne_zero fun h0 => by rw [h0] at hq; omega
      generalize n / m.stride = q at *
      split at h
      · rename_i hs
        obtain rfl := Option.some.inj h
        have hlt : q * c < m.extent := by
          have := Nat.mul_lt_mul_of_pos_left hc hqpos
          rwa [Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hs)] at this
        refine ⟨hlt, ?_⟩
        show q * c * m.stride = n * (c * if m.extent = q then 0 else 1)
        split
        · rename_i he
          have : c = 0 := by
            change c < m.extent / q at hc
            rw [he, Nat.div_self hqpos] at hc
            omega
          simp [this]
        · rw [Nat.mul_one, Nat.mul_right_comm, hq]
      · split at h
        · obtain rfl := Option.some.inj h
          have : c = 0 := Nat.lt_one_iff.1 hc
          simp [this, hp]
        · cases h
    · cases h
  · rw [if_neg hi] at h ⊢
    rw [Nat.one_mul]
    obtain rfl := Option.some.inj h
    refine ⟨hc, ?_⟩
    show c * m.stride = n * (c * if m.extent = 1 then 0 else m.stride / n)
    split
    · rename_i h1
      have : c = 0 := by
        change c < m.extent at hc
        omega
      simp [this]
    · rename_i h1
      have hd : m.stride % n = 0 := by
        rw [inside_iff] at hi
        exact Classical.byContradiction fun h => hi ⟨h1, h⟩
      rw [Nat.mul_left_comm, Nat.mul_div_cancel' (Nat.dvd_of_mod_eq_zero hd)]

theorem firstCoord_spec {n : Nat} (hn : 0 < n) {L U : FlatLayout} (hv : Valid L) (h : upcastModes n L = some U)
    {c : List Nat} (hc : InBounds (shape U) c) :
    InBounds (shape L) (firstCoord n L c) ∧ eval L (firstCoord n L c) = n * eval U c := by
  induction L generalizing U c with
  | nil =>
    obtain rfl := Option.some.inj h
    exact ⟨trivial, by simp [eval_nil]⟩
  | cons m L ih =>
    obtain ⟨m', L', h1, h2, rfl⟩ := upcastModes_cons h
    cases c with
    | nil => exact absurd hc (by simp [shape, InBounds])
    | cons x c =>
      obtain ⟨hb, e⟩ := ih hv.2 h2 hc.2
      obtain ⟨hx, e'⟩ := firstCoord_mode hn h1 hc.1 hv.1
      refine ⟨⟨hx, hb⟩, ?_⟩
      rw [firstCoord, eval_cons, eval_cons, e, e', Nat.mul_add]

theorem upcast_eq_some {n : Nat} {L U : FlatLayout} (h : upcast n L = some U) :
    0 < n ∧ span n L < n ∧ fills n L = true ∧ upcastModes n L = some U := by
  rw [upcast] at h
  split at h
  · rename_i hc
    exact ⟨hc.1, hc.2.1, hc.2.2, h⟩
  · cases h

end Aux
open Aux

/-- **The offset divided by `n` is the offset of the element of `n` that holds it.**
Rust: `razorgirl::Layout::upcast`
Source: CuTe `upcast` (where neither extents nor steps inside an element are looked at) -/
theorem upcast_eval {n : Nat} {L U : FlatLayout} (h : upcast n L = some U) {c : List Nat}
    (hc : InBounds (shape L) c) :
    InBounds (shape U) (unitCoord n L c) ∧ eval U (unitCoord n L c) = eval L c / n := by
  obtain ⟨hn, hs, _, hm⟩ := upcast_eq_some h
  obtain ⟨hb, low, e, hle⟩ := upcastModes_spec hn hm hc
  refine ⟨hb, ?_⟩
  rw [e, Nat.mul_add_div hn, Nat.div_eq_of_lt (by omega), Nat.add_zero]

/-- **Each element of `n` begins at the offset of one coordinate: `n` times its own offset.**
Rust: `razorgirl::Layout::upcast`
Source: CuTe `upcast` -/
theorem upcast_first {n : Nat} {L U : FlatLayout} (hv : Valid L) (h : upcast n L = some U) {c : List Nat}
    (hc : InBounds (shape U) c) :
    InBounds (shape L) (firstCoord n L c) ∧ eval L (firstCoord n L c) = n * eval U c := by
  obtain ⟨hn, _, _, hm⟩ := upcast_eq_some h
  exact firstCoord_spec hn hv hm hc

/-! ## Smaller elements -/

/-- The element of a part: the coordinate in the modes where parts lie divided by `n`. -/
def wholeCoord (n : Nat) (kind : Mode → Bool) : FlatLayout → (coord : List Nat) → List Nat
  | m :: L, c :: cs => (if kind m then c / n else c) :: wholeCoord n kind L cs
  | _, _ => []

/-- Which part of its element a coordinate is. -/
def partOf (n : Nat) (kind : Mode → Bool) : FlatLayout → (coord : List Nat) → Nat
  | m :: L, c :: cs => (if kind m then c % n else 0) + partOf n kind L cs
  | _, _ => 0

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

/-! ## Any two sizes -/

/-- **Where an element of the new size begins an element of the old size begins, at the same address: offset times
size is the same.**
Rust: `razorgirl::Layout::recast`
Source: CuTe `recast_layout` -/
theorem recast_address {old new : Nat} {L R : FlatLayout} (ho : 0 < old) (hv : Valid L)
    (h : recast old new L = some R) :
    ∃ U, upcast (new / Nat.gcd old new) L = some U ∧ downcast (old / Nat.gcd old new) U = some R ∧
      ∀ c u, InBounds (shape R) c → InBounds (shape U) u →
        eval R c = old / Nat.gcd old new * eval U u →
        InBounds (shape L) (firstCoord (new / Nat.gcd old new) L u) ∧
          new * eval R c = old * eval L (firstCoord (new / Nat.gcd old new) L u) := by
  rw [recast] at h
  split at h
  · rename_i U hU
    refine ⟨U, hU, h, fun c u _ hu e => ?_⟩
    obtain ⟨hb, e'⟩ := upcast_first hv hU hu
    refine ⟨hb, ?_⟩
    rw [e, e']
    have hg := Nat.gcd_pos_of_pos_left new ho
    obtain ⟨a, ha⟩ := Nat.gcd_dvd_left old new
    obtain ⟨b, hb⟩ := Nat.gcd_dvd_right old new
    generalize Nat.gcd old new = g at *
    subst ha hb
    rw [Nat.mul_div_cancel_left _ hg, Nat.mul_div_cancel_left _ hg]
    grind
  · cases h

/-! ## Alignment -/

namespace Aux

theorem takeRun_spec {run : Nat} {L K : FlatLayout} {m : Mode} (h : takeRun run L = some (m, K)) :
    L.Perm (m :: K) ∧ m.stride = run := by
  induction L generalizing K with
  | nil => simp [takeRun] at h
  | cons n L ih =>
    rw [takeRun] at h
    split at h
    · rename_i hn
      cases h
      exact ⟨.refl _, hn.2⟩
    · obtain ⟨⟨a, K⟩, hp, h⟩ := Option.map_eq_some_iff.1 h
      cases h
      obtain ⟨h1, h2⟩ := ih hp
      exact ⟨(h1.cons n).trans (.swap ..), h2⟩

theorem runFrom_spec (fuel run : Nat) (L : FlatLayout) :
    ∃ K, L.Perm (K ++ (runFrom fuel run L).2) ∧ Packed run K ∧ (runFrom fuel run L).1 = run * size K := by
  induction fuel generalizing run L with
  | zero => exact ⟨[], .refl _, trivial, by rw [size_nil, Nat.mul_one]; rfl⟩
  | succ fuel ih =>
    rw [runFrom]
    split
    · rename_i m rest h
      obtain ⟨h1, h2⟩ := takeRun_spec h
      obtain ⟨K, hK, hp, e⟩ := ih (m.extent * run) rest
      refine ⟨m :: K, h1.trans (hK.cons m), ⟨h2, hp⟩, ?_⟩
      rw [e, size_cons]
      grind
    · exact ⟨[], .refl _, trivial, by rw [size_nil, Nat.mul_one]⟩

theorem gcdStrides_dvd (n : Nat) (L : FlatLayout) : gcdStrides n L ∣ n ∧
    ∀ m ∈ L, m.extent ≠ 1 → gcdStrides n L ∣ m.stride := by
  induction L generalizing n with
  | nil => exact ⟨Nat.dvd_refl _, by simp⟩
  | cons m L ih =>
    rw [gcdStrides]
    obtain ⟨h1, h2⟩ := ih (if m.extent = 1 then n else Nat.gcd n m.stride)
    split at h1
    · rename_i h
      rw [if_pos h] at h2 ⊢
      refine ⟨h1, fun p hp hp1 => ?_⟩
      rcases List.mem_cons.1 hp with rfl | hp
      · exact absurd h hp1
      · exact h2 p hp hp1
    · rename_i h
      rw [if_neg h] at h2 ⊢
      refine ⟨Nat.dvd_trans h1 (Nat.gcd_dvd_left ..), fun p hp hp1 => ?_⟩
      rcases List.mem_cons.1 hp with rfl | hp
      · exact Nat.dvd_trans h1 (Nat.gcd_dvd_right ..)
      · exact h2 p hp hp1

theorem dvd_eval {n : Nat} {L : FlatLayout} (h : ∀ m ∈ L, m.extent ≠ 1 → n ∣ m.stride) {c : List Nat}
    (hc : InBounds (shape L) c) : n ∣ eval L c := by
  induction L generalizing c with
  | nil => rw [eval_nil]; exact Nat.dvd_zero _
  | cons m L ih =>
    cases c with
    | nil => rw [eval_nil_right]; exact Nat.dvd_zero _
    | cons x c =>
      have hx : x < m.extent := hc.1
      rw [eval_cons]
      refine Nat.dvd_add ?_ (ih (fun p hp => h p (by simp [hp])) hc.2)
      by_cases h1 : m.extent = 1
      · have : x = 0 := by omega
        rw [this, Nat.zero_mul]
        exact Nat.dvd_zero _
      · exact Nat.dvd_trans (h m (by simp) h1) (Nat.dvd_mul_left ..)

end Aux
open FlatLayout.Aux

/-- **Every aligned block of `max_alignment` offsets is hit wholly or not at all.**
Rust: `razorgirl::Layout::max_alignment`
Source: CuTe `max_alignment` -/
theorem maxAlignment_block {L : FlatLayout} (hv : Valid L) {o r : Nat} (ho : o ∈ offsets L)
    (hr : r < maxAlignment L) : o / maxAlignment L * maxAlignment L + r ∈ offsets L := by
  obtain ⟨K, hperm, hpacked, hrun⟩ := runFrom_spec L.length 1 L
  unfold maxAlignment at hr ⊢
  obtain ⟨hd1, hd2⟩ := gcdStrides_dvd (runFrom L.length 1 L).1 (runFrom L.length 1 L).2
  generalize (runFrom L.length 1 L).1 = run at *
  generalize (runFrom L.length 1 L).2 = rest at *
  generalize gcdStrides run rest = n at *
  rw [Nat.one_mul] at hrun
  have hv' := (valid_append_iff _ _).1 ((valid_perm hperm).1 hv)
  have hcont := contiguous_of_packed hpacked hv'.1
  have hco := ((contiguous_iff_injective _).1 hcont).2
  rw [mem_offsets_perm hperm, mem_offsets_append] at ho ⊢
  obtain ⟨a, ha, b, hb, rfl⟩ := ho
  obtain ⟨cb, hcb, hb'⟩ := (mem_offsets_iff_eval rest b).1 hb
  have hnb : n ∣ b := hb' ▸ dvd_eval hd2 hcb
  have hn : 0 < n := by omega
  obtain ⟨k, rfl⟩ := hnb
  obtain ⟨j, hj⟩ := hd1
  have hlt : a < run := by
    obtain ⟨x, hx, rfl⟩ := (mem_offsets K a).1 ha
    rw [hrun]
    exact atIndex_lt_size_of_contiguous hcont hx
  refine ⟨a / n * n + r, ?_, n * k, hb, ?_⟩
  · refine (covers_iff_mem _).1 hcont.2 _ ?_
    rw [hco, ← hrun, hj]
    have : a / n < j := Nat.div_lt_of_lt_mul (by rw [← hj]; exact hlt)
    have := Nat.mul_le_mul_right n (Nat.succ_le_of_lt this)
    rw [Nat.succ_mul] at this
    rw [Nat.mul_comm n j]
    omega
  · rw [Nat.add_mul_div_left _ _ hn, Nat.add_mul, Nat.mul_comm k n]
    omega

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
