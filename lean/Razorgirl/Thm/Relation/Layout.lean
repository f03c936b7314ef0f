module

public import Razorgirl.Spec.Relation.Layout
public import Razorgirl.Thm.Layout.Find
public import Razorgirl.Thm.Relation.Graph
public import Razorgirl.Thm.Relation.QuasiAffine

@[expose] public section

/-!
# Layouts as relations: what is proved

The expression of a layout is its function and quasi-affine, so a few points decide whether two layouts are one. The layout mapping
is the index mapping after the coordinate mapping.
-/

namespace Razorgirl

namespace FlatLayout

open Index

theorem quasiAffine_exprFrom : {P : Nat} → {L : FlatLayout} → 0 < P → Valid L → (exprFrom P L).quasiAffine = true
  | _, [], _, _ => rfl
  | P, [m], hP, _ => by
    simp only [exprFrom, Expr.quasiAffine, Bool.or_eq_true, Bool.and_eq_true, Expr.isConst, decide_eq_true_eq, true_and, and_true]
    right
    omega
  | P, m :: n :: L, hP, h => by
    have ih := quasiAffine_exprFrom (P := P * m.extent) (L := n :: L) (Nat.mul_pos hP h.1) h.2
    have h1 := h.1
    simp only [exprFrom, Expr.quasiAffine, Bool.or_eq_true, Bool.and_eq_true, Expr.isConst, decide_eq_true_eq, true_and, and_true, ih]
    right
    omega

theorem at_exprFrom : {P : Nat} → {L : FlatLayout} → (x : Nat) → x / P < size L →
    (exprFrom P L).at (fun _ => x) = (atIndex L (x / P) : Nat)
  | _, [], _, _ => rfl
  | P, [m], x, hx => by
    have hx : x / P < m.extent := by simpa [size, shape, prod] using hx
    simp only [exprFrom, Expr.at, Expr.eval, Kind.div, atIndex_singleton, Nat.mod_eq_of_lt hx, Int.natCast_mul, Int.natCast_ediv]
  | P, m :: n :: L, x, hx => by
    have hd : x / (P * m.extent) = x / P / m.extent := (Nat.div_div_eq_div_mul ..).symm
    have ih := at_exprFrom (P := P * m.extent) (L := n :: L) x (by
      rw [hd]
      exact Nat.div_lt_of_lt_mul (by rwa [size_cons] at hx))
    rw [hd] at ih
    simp only [Expr.at] at ih
    simp only [exprFrom, Expr.at, Expr.eval, Kind.div, Kind.mod, ih, atIndex_cons m (n :: L), Int.natCast_add, Int.natCast_mul,
      Int.natCast_emod, Int.natCast_ediv]

/-- **The expression of a layout has the layout's offset at every index, and is quasi-affine.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», layout mapping -/
theorem expr_spec {L : FlatLayout} (hL : Valid L) : (expr L).quasiAffine = true ∧
    ∀ x, x < size L → (expr L).at (fun _ => x) = (atIndex L x : Nat) := by
  refine ⟨quasiAffine_exprFrom Nat.one_pos hL, fun x hx => ?_⟩
  have := at_exprFrom (P := 1) (L := L) x (by rwa [Nat.div_one])
  rwa [Nat.div_one] at this

/-- **Two layouts of one size have the same function exactly if they agree on the indices up to the product of the divisors of both
expressions.**
Source: ours -/
theorem same_function_iff {A B : FlatLayout} (hA : Valid A) (hB : Valid B) (h : size A = size B) :
    (∀ x, x < size A → atIndex A x = atIndex B x) ↔
      ∀ x, x < size A → x ≤ (expr A).periodOf 0 * (expr B).periodOf 0 → atIndex A x = atIndex B x := by
  refine ⟨fun h x hx _ => h x hx, fun few x hx => ?_⟩
  obtain ⟨qa, ea⟩ := expr_spec hA
  obtain ⟨qb, eb⟩ := expr_spec hB
  have only : ∀ {L : FlatLayout} {P : Nat} {y z : Nat → Nat}, y 0 = z 0 → (exprFrom P L).at y = (exprFrom P L).at z := by
    intro L
    induction L with
    | nil => intro P y z _; rfl
    | cons m L ih =>
      intro P y z e
      cases L with
      | nil => simp only [exprFrom, Expr.at, Expr.eval, e]
      | cons n L =>
        have := ih (P := P * m.extent) e
        simp only [Expr.at] at this
        simp only [exprFrom, Expr.at, Expr.eval, e, this]
  have key := (eq_on_box_iff qa qb [size A]).mpr fun y hy => by
    have h0 := hy 0
    rw [QuasiAffineAux.getD_deciding] at h0
    simp only [List.length_cons, List.length_nil, Nat.zero_add, Nat.one_pos, if_true, List.getD_cons_zero] at h0
    have hx0 : y 0 < size A := by omega
    have e := few (y 0) hx0 (by omega)
    rw [expr, expr, only (L := A) (z := fun _ => y 0) rfl, only (L := B) (z := fun _ => y 0) rfl]
    have e1 := ea (y 0) hx0
    have e2 := eb (y 0) (h ▸ hx0)
    simp only [expr] at e1 e2
    rw [e1, e2, e]
  have k := key (fun i => if i = 0 then x else 0) fun i => by
    cases i with
    | zero => simpa using hx
    | succ i => simp
  rw [expr, expr, only (L := A) (z := fun _ => x) rfl, only (L := B) (z := fun _ => x) rfl] at k
  have e1 := ea x hx
  have e2 := eb x (h ▸ hx)
  simp only [expr] at e1 e2
  rw [e1, e2] at k
  exact_mod_cast k

/-- **The expression of the coalesced layout is a normal form: two layouts of one size are the same function exactly if their coalesced
layouts have one expression.**
Source: ours -/
theorem expr_coalesce_eq_iff {A B : FlatLayout} (hA : Valid A) (hB : Valid B) (h : size A = size B) :
    expr (coalesce A) = expr (coalesce B) ↔ ∀ x, x < size A → atIndex A x = atIndex B x := by
  constructor
  · intro e x hx
    have ea := (expr_spec (coalesce_valid hA)).2 x (by rwa [coalesce_size])
    have eb := (expr_spec (coalesce_valid hB)).2 x (by rwa [coalesce_size, ← h])
    rw [e, eb, coalesce_atIndex, coalesce_atIndex] at ea
    exact (Int.natCast_inj.mp ea).symm
  · intro k
    rw [(coalesce_eq_iff hA hB).mpr ⟨h, k⟩]

theorem mem_indexRelation {L : FlatLayout} {a b : List Int} :
    (a, b) ∈ indexRelation L ↔ ∃ c, c ∈ coords (shape L) ∧ a = c.map (fun (x : Nat) => (x : Int)) ∧ b = [((eval L c : Nat) : Int)] := by
  simp only [indexRelation, List.mem_map, Prod.mk.injEq]
  exact ⟨fun ⟨c, h, e1, e2⟩ => ⟨c, h, e1.symm, e2.symm⟩, fun ⟨c, h, e1, e2⟩ => ⟨c, h, e1.symm, e2.symm⟩⟩

theorem mem_coordRelation {s : List Nat} {a b : List Int} :
    (a, b) ∈ coordRelation s ↔ ∃ x, x < prod s ∧ a = [(x : Int)] ∧ b = (idx2crd s x).map (fun (c : Nat) => (c : Int)) := by
  simp only [coordRelation, List.mem_map, List.mem_range, Prod.mk.injEq]
  exact ⟨fun ⟨c, h, e1, e2⟩ => ⟨c, h, e1.symm, e2.symm⟩, fun ⟨c, h, e1, e2⟩ => ⟨c, h, e1.symm, e2.symm⟩⟩

/-- **The layout mapping is the index mapping after the coordinate mapping, for every shape and stride.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», layout mapping -/
theorem relation_eq_after (L : FlatLayout) :
    Relation.Same (relation L) (Relation.after (indexRelation L) (coordRelation (shape L))) := by
  rintro ⟨a, b⟩
  rw [Relation.mem_after, relation, Relation.mem_graph]
  constructor
  · rintro ⟨x, hx, rfl, rfl⟩
    exact ⟨_, mem_coordRelation.mpr ⟨x, hx, rfl, rfl⟩,
      mem_indexRelation.mpr ⟨_, List.mem_map.mpr ⟨x, List.mem_range.mpr hx, rfl⟩, rfl, rfl⟩⟩
  · rintro ⟨c, h1, h2⟩
    obtain ⟨x, hx, rfl, rfl⟩ := mem_coordRelation.mp h1
    obtain ⟨d, _, e, rfl⟩ := mem_indexRelation.mp h2
    have inj : ∀ {s t : List Nat}, s.map (fun (c : Nat) => (c : Int)) = t.map (fun (c : Nat) => (c : Int)) → s = t := by
      intro s
      induction s with
      | nil => intro t h; cases t <;> simp at h ⊢
      | cons x s ih =>
        intro t h
        cases t with
        | nil => simp at h
        | cons y t =>
          simp only [List.map_cons, List.cons.injEq, Int.natCast_inj] at h
          rw [h.1, ih h.2]
    exact ⟨x, hx, rfl, by rw [← inj e]; rfl⟩

/-- **The index mapping may be had from the layout mapping: it is the layout mapping after the inverse of the coordinate mapping.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», index mapping of a compatible shape -/
theorem indexRelation_eq_after (L : FlatLayout) :
    Relation.Same (indexRelation L) (Relation.after (relation L) (Relation.inverse (coordRelation (shape L)))) := by
  rintro ⟨a, b⟩
  rw [Relation.mem_after, mem_indexRelation]
  constructor
  · rintro ⟨c, hc, rfl, rfl⟩
    obtain ⟨x, hx, rfl⟩ := List.mem_map.mp hc
    exact ⟨_, Relation.mem_inverse.mpr (mem_coordRelation.mpr ⟨x, List.mem_range.mp hx, rfl, rfl⟩),
      Relation.mem_graph.mpr ⟨x, List.mem_range.mp hx, rfl, rfl⟩⟩
  · rintro ⟨y, h1, h2⟩
    obtain ⟨x, hx, rfl, rfl⟩ := mem_coordRelation.mp (Relation.mem_inverse.mp h1)
    obtain ⟨z, _, e, rfl⟩ := Relation.mem_graph.mp h2
    simp only [List.cons.injEq, Int.natCast_inj, and_true] at e
    subst e
    exact ⟨_, List.mem_map.mpr ⟨x, List.mem_range.mpr hx, rfl⟩, rfl, rfl⟩

end FlatLayout

end Razorgirl
