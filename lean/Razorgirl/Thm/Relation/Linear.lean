module

public import Razorgirl.Spec.Relation.Linear
public import Razorgirl.Spec.Relation.Swizzle
public import Razorgirl.Thm.LinearLayout.Carry.Swizzle
public import Razorgirl.Thm.LinearLayout.Inverse
public import Razorgirl.Thm.Relation.Graph

@[expose] public section

/-!
# Linear layouts as relations: what is proved

Composition, inverses and what is decided of linear layouts are those of their relations; layouts and swizzles that are linear layouts
have one relation with them.
-/

namespace Razorgirl

namespace LinearLayout

theorem mem_relation {L : LinearLayout} {x y : Nat} :
    ([(x : Int)], [(y : Int)]) ∈ relation L ↔ x < 2 ^ L.ins.total ∧ y = L.applyPacked x := Relation.mem_graph_pair

theorem applyPacked_lt {L : LinearLayout} (hL : L.wellFormed = true) (x : Nat) : L.applyPacked x < 2 ^ L.outs.total :=
  apply_lt (cols_lt hL) x

/-- **Where the inputs of the second layout are the outputs of the first, in one order, the relation of the composition is that of the
second after that of the first.**
Rust: `razorgirl::LinearLayout::compose`
Source: «Modeling Layout Abstractions Using Integer Set Relations», linear layouts and composition; Triton `LinearLayout::compose` -/
theorem relation_compose {L outer : LinearLayout} (hL : L.wellFormed = true) (ho : outer.wellFormed = true)
    (h : outer.ins = L.outs) :
    Relation.Same (relation (L.compose outer)) (Relation.after (relation outer) (relation L)) := by
  have ins : (L.compose outer).ins = L.ins := rfl
  rw [relation, relation, relation, ins, Relation.same_after_graph_iff]
  intro x hx
  refine ⟨by rw [h]; exact applyPacked_lt hL x, ?_⟩
  have hc := wellFormed_compose hL ho
  have e := pack_eval hc (L.ins.unpack x)
  rw [ins, pack_unpack (distinct_ins hL) hx, eval_compose hL] at e
  have outs : (L.compose outer).outs = outer.outs := rfl
  rw [outs, pack_eval ho, h, pack_eval hL, pack_unpack (distinct_ins hL) hx] at e
  exact e.symm

/-- **A linear layout is injective exactly if its relation is, surjective exactly if every packed output is in the range, and
invertible exactly if both.**
Rust: `razorgirl::LinearLayout::is_injective`, `razorgirl::LinearLayout::is_surjective`, `razorgirl::LinearLayout::is_invertible`
Source: «Modeling Layout Abstractions Using Integer Set Relations»; Triton `LinearLayout` -/
theorem relation_decided {L : LinearLayout} (hL : L.wellFormed = true) :
    (Relation.injective (relation L) = L.isInjective) ∧
    (L.isSurjective = true ↔ ∀ y : Nat, y < 2 ^ L.outs.total → [(y : Int)] ∈ Relation.range (relation L)) ∧
    (L.isInvertible = true ↔ Relation.bijective (relation L) = true ∧
      ∀ y : Nat, y < 2 ^ L.outs.total → [(y : Int)] ∈ Relation.range (relation L)) := by
  have inj : Relation.injective (relation L) = L.isInjective := by
    rw [Bool.eq_iff_iff, isInjective_iff hL, relation, Relation.injective_graph_iff]
  have sur : L.isSurjective = true ↔ ∀ y : Nat, y < 2 ^ L.outs.total → [(y : Int)] ∈ Relation.range (relation L) := by
    rw [isSurjective_iff hL]
    refine forall_congr' fun y => forall_congr' fun _ => ?_
    rw [Relation.mem_domain_range.2]
    constructor
    · rintro ⟨x, hx, rfl⟩
      exact ⟨_, mem_relation.mpr ⟨hx, rfl⟩⟩
    · rintro ⟨a, h⟩
      obtain ⟨x, hx, rfl, e⟩ := Relation.mem_graph.mp h
      simp only [List.cons.injEq, Int.natCast_inj, and_true] at e
      exact ⟨x, hx, e.symm⟩
  have bij : Relation.bijective (relation L) = L.isInjective := by
    rw [Relation.bijective, inj, relation, Relation.functional_graph, Bool.true_and]
  exact ⟨inj, sur, by rw [isInvertible_iff, bij, sur]⟩

/-- **The inverse's relation is the layout's, turned round.**
Rust: `razorgirl::LinearLayout::invert`
Source: «Modeling Layout Abstractions Using Integer Set Relations», inverse; Triton `LinearLayout::invert` -/
theorem relation_invert {L P : LinearLayout} (hL : L.wellFormed = true) (h : L.invert = some P) :
    Relation.Same (relation P) (Relation.inverse (relation L)) := by
  obtain ⟨h1, h2⟩ := invert_apply hL h
  obtain ⟨inj, sur⟩ := (invert_isSome_iff L).mp (by rw [h]; rfl)
  have dims : P.ins = L.outs ∧ P.outs = L.ins := by
    unfold invert at h
    split at h
    · cases h; exact ⟨rfl, rfl⟩
    · cases h
  rw [relation, relation, Relation.same_inverse_graph_iff, dims.1]
  refine ⟨fun x hx => ⟨applyPacked_lt hL x, h2 x hx⟩, fun y hy => ⟨?_, h1 y hy⟩⟩
  obtain ⟨x, hx, rfl⟩ := (isSurjective_iff hL).mp sur y hy
  rw [h2 x hx]
  exact hx

/-- **The pseudo-inverse's relation is that of least preimages.**
Rust: `razorgirl::LinearLayout::pseudoinvert`, `razorgirl::relation::Relation::least_preimages`
Source: isl `lexmin`; Triton `LinearLayout::pseudoinvert` -/
theorem relation_pseudoinvert {L P : LinearLayout} (hL : L.wellFormed = true) (h : L.pseudoinvert = some P) :
    Relation.Same (relation P) (Relation.leastPreimages (relation L)) := by
  have least := fun {y} => pseudoinvert_least (y := y) hL h
  have sur := (pseudoinvert_isSome_iff L).mp (by rw [h]; rfl)
  have dims : P.ins = L.outs := by
    rw [pseudoinvert, if_pos sur] at h
    cases h
    rfl
  have lt : ∀ {a b : Nat}, ([(a : Int)] : List Int).reverse < [(b : Int)].reverse ↔ a < b := fun {a b} => by
    simp only [List.reverse_cons, List.reverse_nil, List.nil_append, List.cons_lt_cons_iff, List.lt_irrefl, and_false, or_false,
      Int.ofNat_lt]
  rintro ⟨b, a⟩
  rw [Relation.mem_leastPreimages, relation, Relation.mem_graph, dims]
  constructor
  · rintro ⟨y, hy, rfl, rfl⟩
    obtain ⟨e, l⟩ := least hy
    have hx : P.applyPacked y < 2 ^ L.ins.total := by
      obtain ⟨x, hx, e⟩ := (isSurjective_iff hL).mp sur y hy
      exact Nat.lt_of_le_of_lt (l x e) hx
    refine ⟨mem_relation.mpr ⟨hx, e.symm⟩, fun w hw => ?_⟩
    obtain ⟨z, hz, rfl, k⟩ := Relation.mem_graph.mp hw
    simp only [List.cons.injEq, Int.natCast_inj, and_true] at k
    rw [lt]
    exact Nat.not_lt.mpr (l z k.symm)
  · rintro ⟨hm, hl⟩
    obtain ⟨x, hx, rfl, rfl⟩ := Relation.mem_graph.mp hm
    have hy := applyPacked_lt hL x
    obtain ⟨e, l⟩ := least hy
    refine ⟨_, hy, rfl, ?_⟩
    have k := hl _ (mem_relation.mpr ⟨Nat.lt_of_le_of_lt (l x rfl) hx, e.symm⟩)
    rw [lt] at k
    have := l x rfl
    rw [show P.applyPacked (L.applyPacked x) = x by omega]

/-! ## Layouts and swizzles -/

/-- **A layout that is converted has the relation of the linear layout with these columns, and so has one that columns are converted
to.**
Rust: `razorgirl::linear_layout::columns_of_layout`, `razorgirl::linear_layout::layout_of_columns`
Source: «Modeling Layout Abstractions Using Integer Set Relations», linear layouts -/
theorem relation_of_columns {L : LinearLayout} {A : FlatLayout} (hL : L.wellFormed = true)
    (h : columnsOfLayout A = some L.cols ∨ layoutOfColumns L.cols = some A) :
    Relation.Same (FlatLayout.relation A) (relation L) := by
  have key : FlatLayout.size A = 2 ^ L.cols.length ∧ ∀ x, FlatLayout.atIndex A x = F2.apply L.cols x := by
    rcases h with h | h
    · exact columnsOfLayout_apply h
    · exact (layoutOfColumns_atIndex.2 A h).2
  rw [FlatLayout.relation, relation, Relation.same_graph_iff, key.1, length_cols hL]
  exact ⟨rfl, fun x _ => key.2 x⟩

/-- **A layout has the relation of some linear layout exactly if, of extents that are powers of two, its strides do not carry: exactly
where it is converted.**
Rust: `razorgirl::linear_layout::columns_of_layout`
Source: none known -/
theorem exists_relation_iff {A : FlatLayout} (hA : ∀ m ∈ A, ∃ k, m.extent = 2 ^ k) :
    (∃ L : LinearLayout, L.wellFormed = true ∧ Relation.Same (FlatLayout.relation A) (relation L)) ↔
      (columnsOfLayout A).isSome = true := by
  constructor
  · rintro ⟨L, hL, h⟩
    rw [FlatLayout.relation, relation, Relation.same_graph_iff] at h
    refine (columnsOfLayout_isSome_iff A).mpr ⟨hA, fun x y hx hy => ?_⟩
    have hxy : x ^^^ y < FlatLayout.size A := by
      rw [h.1] at hx hy ⊢
      exact Nat.xor_lt_two_pow hx hy
    rw [h.2 _ hxy, h.2 x hx, h.2 y hy]
    exact F2.apply_xor _ _ _
  · intro h
    obtain ⟨cs, hc⟩ := Option.isSome_iff_exists.mp h
    refine ⟨⟨[("i", cs.length)], [("o", width cs)], cs⟩, ?_, ?_⟩
    · simp only [wellFormed, Dims.distinct, Dims.has, Dims.total, Nat.add_zero, BEq.rfl, Bool.not_false, Bool.true_and]
      exact (below_iff _ _).mpr fun c h => lt_width h
    · rw [FlatLayout.relation, relation, Relation.same_graph_iff, (columnsOfLayout_apply hc).1]
      exact ⟨by simp [Dims.total], fun x _ => (columnsOfLayout_apply hc).2 x⟩

/-- **A swizzle of the numbers of n bits has the relation of the linear layout of its columns.**
Rust: `razorgirl::Swizzle::apply`
Source: «Modeling Layout Abstractions Using Integer Set Relations», swizzles and linear layouts -/
theorem relation_swizzle {L : LinearLayout} {s : Swizzle} {n : Nat} (hL : L.wellFormed = true) (h : L.cols = s.columns n) :
    Relation.Same (Swizzle.relation s n) (relation L) := by
  have l : L.ins.total = n := by rw [← length_cols hL, h, Swizzle.columns, F2.columnsOf, List.length_map, List.length_range]
  rw [Swizzle.relation, relation, Relation.same_graph_iff, l]
  refine ⟨rfl, fun x hx => ?_⟩
  rw [applyPacked, h, Swizzle.apply_columns s hx]

/-- **A swizzle after a layout that is found for columns has the relation of the linear layout.**
Rust: `razorgirl::linear_layout::swizzled_of_columns`
Source: none known -/
theorem relation_swizzledOfColumns {L : LinearLayout} {R : SwizzledLayout} (hL : L.wellFormed = true)
    (h : swizzledOfColumns L.cols = some R) : Relation.Same R.relation (relation L) := by
  obtain ⟨_, _, _, hs, ha⟩ := swizzledOfColumns_atIndex h
  rw [SwizzledLayout.relation, relation, Relation.same_graph_iff, hs, length_cols hL]
  exact ⟨rfl, fun x _ => ha x⟩

end LinearLayout

end Razorgirl
