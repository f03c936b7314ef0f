module

public import Razorgirl.Spec.Relation.Linear
public import Razorgirl.Thm.Relation.Linear
public import Razorgirl.Thm.Relation.Linear.Bits

@[expose] public section

/-!
# Least preimages and gaps of linear layouts, between coordinates: what is proved

The order of coordinates is that of packed numbers: the first dimension is fastest.
-/

namespace Razorgirl

theorem lt_concat_iff : {a b : List Int} → a.length = b.length → {u v : Int} → (a ++ [u] < b ++ [v] ↔ a < b ∨ a = b ∧ u < v)
  | [], [], _, u, v => by simp [List.cons_lt_cons_iff]
  | x :: a, y :: b, h, u, v => by
    have h : a.length = b.length := by simpa using h
    rw [List.cons_append, List.cons_append, List.cons_lt_cons_iff, List.cons_lt_cons_iff, lt_concat_iff h, List.cons.injEq]
    constructor
    · rintro (l | ⟨e, l | ⟨k, l⟩⟩)
      · exact .inl (.inl l)
      · exact .inl (.inr ⟨e, l⟩)
      · exact .inr ⟨⟨e, k⟩, l⟩
    · rintro ((l | ⟨e, l⟩) | ⟨⟨e, k⟩, l⟩)
      · exact .inl l
      · exact .inr ⟨e, .inl l⟩
      · exact .inr ⟨e, .inr ⟨k, l⟩⟩

/-- The coordinates of a number as integers. -/
theorem reverse_coord (d : Nat) (s : List Nat) (x : Nat) : ((idx2crd (d :: s) x).map fun (c : Nat) => (c : Int)).reverse =
    ((idx2crd s (x / d)).map fun (c : Nat) => (c : Int)).reverse ++ [((x % d : Nat) : Int)] := by
  rw [idx2crd_cons, List.map_cons, List.reverse_cons]

theorem coord_inj {s : List Nat} {x y : Nat} (hx : x < prod s) (hy : y < prod s)
    (e : (idx2crd s x).map (fun (c : Nat) => (c : Int)) = (idx2crd s y).map (fun (c : Nat) => (c : Int))) : x = y :=
  idx2crd_injective hx hy ((List.map_inj_right fun _ _ => Int.ofNat_inj.mp).mp e)

/-- Coordinates are ordered as the numbers whose coordinates they are. -/
theorem coord_lt_iff : {s : List Nat} → {x y : Nat} → x < prod s → y < prod s →
    (((idx2crd s x).map fun (c : Nat) => (c : Int)).reverse < ((idx2crd s y).map fun (c : Nat) => (c : Int)).reverse ↔ x < y)
  | [], x, y, hx, hy => by
    have e : ((idx2crd [] x).map fun (c : Nat) => (c : Int)).reverse = [] := rfl
    have k : ((idx2crd [] y).map fun (c : Nat) => (c : Int)).reverse = [] := rfl
    simp only [prod] at hx hy
    rw [e, k]
    simp only [List.lt_irrefl, false_iff]
    omega
  | d :: s, x, y, hx, hy => by
    have dx := Nat.div_lt_of_lt_mul hx
    have dy := Nat.div_lt_of_lt_mul hy
    have hd : 0 < d := Nat.pos_of_ne_zero fun e => by simp [e, prod] at hx
    rw [reverse_coord, reverse_coord, lt_concat_iff (by simp [length_idx2crd]), coord_lt_iff dx dy, Int.ofNat_lt]
    have mx := Nat.mod_add_div x d
    have my := Nat.mod_add_div y d
    have lx := Nat.mod_lt x hd
    have ly := Nat.mod_lt y hd
    constructor
    · rintro (l | ⟨e, l⟩)
      · have : d * (x / d) + d ≤ d * (y / d) := by
          rw [← Nat.mul_succ]
          exact Nat.mul_le_mul_left d l
        omega
      · rw [List.reverse_inj] at e
        rw [coord_inj dx dy e] at mx
        omega
    · intro l
      rcases Nat.lt_trichotomy (x / d) (y / d) with k | k | k
      · exact .inl k
      · rw [k] at mx
        exact .inr ⟨by rw [k], by omega⟩
      · exfalso
        have : d * (y / d) + d ≤ d * (x / d) := by
          rw [← Nat.mul_succ]
          exact Nat.mul_le_mul_left d k
        omega

namespace LinearLayout

/-- **Between coordinates, too, the pseudo-inverse's relation is that of least preimages, the first dimension being the fastest.**
Rust: `razorgirl::LinearLayout::pseudoinvert`, `razorgirl::relation::Relation::least_preimages`
Source: isl `lexmin`; Triton `LinearLayout::pseudoinvert` -/
theorem pointRelation_pseudoinvert {L P : LinearLayout} (hL : L.wellFormed = true) (h : L.pseudoinvert = some P) :
    Relation.Same (pointRelation P) (Relation.leastPreimages (pointRelation L)) := by
  have same := relation_pseudoinvert hL h
  have sur := (pseudoinvert_isSome_iff L).mp (by rw [h]; rfl)
  have dims : P.ins = L.outs ∧ P.outs = L.ins := by
    rw [pseudoinvert, if_pos sur] at h
    cases h
    exact ⟨rfl, rfl⟩
  have single : ∀ {a b : Nat}, ([(a : Int)] : List Int).reverse < [(b : Int)].reverse ↔ a < b := fun {a b} => by
    simp only [List.reverse_cons, List.reverse_nil, List.nil_append, List.cons_lt_cons_iff, List.lt_irrefl, and_false, or_false,
      Int.ofNat_lt]
  -- what the packed relations say of numbers
  have packed : ∀ {x y : Nat}, (y < 2 ^ L.outs.total ∧ x = P.applyPacked y) ↔
      (x < 2 ^ L.ins.total ∧ y = L.applyPacked x) ∧ ∀ w, w < 2 ^ L.ins.total → y = L.applyPacked w → ¬ w < x := fun {x y} => by
    have s := same ([(y : Int)], [(x : Int)])
    rw [mem_relation, dims.1, Relation.mem_leastPreimages, mem_relation] at s
    rw [s]
    refine and_congr_right fun _ => ⟨fun l w hw e => ?_, fun l w hw => ?_⟩
    · rw [← single]
      exact l _ (mem_relation.mpr ⟨hw, e⟩)
    · obtain ⟨z, hz, rfl, k⟩ := Relation.mem_graph.mp hw
      simp only [List.cons.injEq, Int.natCast_inj, and_true] at k
      rw [single]
      exact l z hz k
  have image : ∀ {x : Nat}, L.applyPacked x < prod L.outs.shape := fun {x} => by
    rw [prod_shape]
    exact applyPacked_lt hL x
  rintro ⟨b, a⟩
  rw [Relation.mem_leastPreimages, pointRelation, pointRelation, Relation.mem_between, Relation.mem_between, dims.1, dims.2]
  constructor
  · rintro ⟨y, hy, rfl, rfl⟩
    rw [prod_shape] at hy
    obtain ⟨⟨hx, e⟩, l⟩ := packed.mp ⟨hy, rfl⟩
    refine ⟨⟨_, by rwa [prod_shape], rfl, by rw [← e]⟩, fun w hw => ?_⟩
    obtain ⟨z, hz, rfl, k⟩ := Relation.mem_between.mp hw
    rw [prod_shape] at hz
    rw [coord_lt_iff (by rwa [prod_shape]) (by rwa [prod_shape])]
    exact l z hz (coord_inj (by rwa [prod_shape]) image k)
  · rintro ⟨⟨x, hx, rfl, rfl⟩, l⟩
    have hx' := hx
    rw [prod_shape] at hx'
    refine ⟨L.applyPacked x, image, rfl, ?_⟩
    have := (packed (x := x) (y := L.applyPacked x)).mpr ⟨⟨hx', rfl⟩, fun w hw e => ?_⟩
    · rw [← this.2]
    · have hw' : w < prod L.ins.shape := by rwa [prod_shape]
      rw [← coord_lt_iff hw' hx]
      exact l _ (Relation.mem_between.mpr ⟨w, hw', rfl, by rw [e]⟩)

/-- **A gap of a linear layout is a point of its outputs that no input has as its image.**
Rust: `razorgirl::LinearLayout::gaps`
Source: «Modeling Layout Abstractions Using Integer Set Relations», linear layouts -/
theorem mem_pointGaps {L : LinearLayout} {b : List Int} : b ∈ pointGaps L ↔
    (∃ y, y < 2 ^ L.outs.total ∧ b = (idx2crd L.outs.shape y).map fun (c : Nat) => (c : Int)) ∧ ∀ a, (a, b) ∉ pointRelation L := by
  simp only [pointGaps, List.mem_filter, List.mem_map, List.mem_range, Bool.not_eq_true', List.any_eq_false, beq_iff_eq]
  refine and_congr ⟨fun ⟨y, h, e⟩ => ⟨y, h, e.symm⟩, fun ⟨y, h, e⟩ => ⟨y, h, e.symm⟩⟩ ?_
  exact ⟨fun h a m => h (a, b) m rfl, fun h p m e => h p.1 (by rw [← e]; exact m)⟩

/-- **A linear layout has no gap exactly if it is surjective.**
Rust: `razorgirl::LinearLayout::is_surjective`, `razorgirl::LinearLayout::gaps`
Source: Triton `LinearLayout::isSurjective` -/
theorem pointGaps_eq_nil_iff {L : LinearLayout} (hL : L.wellFormed = true) : pointGaps L = [] ↔ L.isSurjective = true := by
  rw [List.eq_nil_iff_forall_not_mem, isSurjective_iff hL]
  constructor
  · intro h y hy
    refine Classical.byContradiction fun none => h ((idx2crd L.outs.shape y).map fun (c : Nat) => (c : Int)) ?_
    refine mem_pointGaps.mpr ⟨⟨y, hy, rfl⟩, fun a m => ?_⟩
    obtain ⟨x, hx, _, e⟩ := Relation.mem_between.mp m
    rw [prod_shape] at hx
    have hy' : y < prod L.outs.shape := by rwa [prod_shape]
    exact none ⟨x, hx, (coord_inj hy' (by rw [prod_shape]; exact applyPacked_lt hL x) e).symm⟩
  · intro h b hb
    obtain ⟨⟨y, hy, rfl⟩, none⟩ := mem_pointGaps.mp hb
    obtain ⟨x, hx, e⟩ := h y hy
    exact none _ (Relation.mem_between.mpr ⟨x, by rwa [prod_shape], rfl, by rw [← e]⟩)

end LinearLayout

end Razorgirl
