module

public import Razorgirl.Spec.Relation.Linear
public import Razorgirl.Thm.Coord
public import Razorgirl.Thm.LinearLayout.Basic
public import Razorgirl.Thm.Relation.Layout

@[expose] public section

/-!
# Linear layouts between coordinates and between bits: what is proved

Coordinates are those of `eval`, and bits are multiplied by the matrix, modulo 2. Both are the relation of packed numbers, between
coordinate mappings: what the paper composes.
-/

namespace Razorgirl

theorem Relation.mem_between {s t : List Nat} {f : Nat → Nat} {a b : List Int} : (a, b) ∈ between s t f ↔ ∃ x, x < prod s ∧
    a = (idx2crd s x).map (fun (c : Nat) => (c : Int)) ∧ b = (idx2crd t (f x)).map (fun (c : Nat) => (c : Int)) := by
  simp only [between, List.mem_map, List.mem_range, Prod.mk.injEq]
  exact ⟨fun ⟨x, h, e1, e2⟩ => ⟨x, h, e1.symm, e2.symm⟩, fun ⟨x, h, e1, e2⟩ => ⟨x, h, e1.symm, e2.symm⟩⟩

/-- **Between the coordinates of two shapes, a function is its relation of numbers, after the coordinate mapping of the first shape
turned round and before that of the second.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», linear layouts: natural to integral index, there to natural -/
theorem Relation.between_eq_after {s t : List Nat} {f : Nat → Nat} (h : ∀ x, x < prod s → f x < prod t) :
    Same (between s t f) (after (coordRelation t) (after (graph (prod s) f) (inverse (coordRelation s)))) := by
  rintro ⟨a, b⟩
  simp only [mem_between, mem_after, mem_inverse, mem_graph, FlatLayout.mem_coordRelation]
  constructor
  · rintro ⟨x, hx, rfl, rfl⟩
    exact ⟨_, ⟨_, ⟨x, hx, rfl, rfl⟩, ⟨x, hx, rfl, rfl⟩⟩, ⟨f x, h x hx, rfl, rfl⟩⟩
  · rintro ⟨_, ⟨_, ⟨x, hx, rfl, rfl⟩, ⟨y, _, e, rfl⟩⟩, ⟨z, _, k, rfl⟩⟩
    simp only [List.cons.injEq, Int.natCast_inj, and_true] at e k
    subst e k
    exact ⟨x, hx, rfl, rfl⟩

namespace LinearLayout

theorem prod_shape (D : Dims) : prod D.shape = 2 ^ D.total := by
  induction D with
  | nil => rfl
  | cons d D ih =>
    rw [Dims.shape, List.map_cons, prod, Dims.total, Nat.pow_add, ← ih]
    rfl

theorem idx2crd_pack (D : Dims) (p : Point) : idx2crd D.shape (D.pack p) = D.map fun d => p d.1 % 2 ^ d.2 := by
  induction D with
  | nil => rfl
  | cons d D ih =>
    have h := Nat.mod_lt (p d.1) (Nat.two_pow_pos d.2)
    rw [Dims.shape, List.map_cons, List.map_cons, idx2crd_cons, Dims.pack, Nat.add_mul_mod_self_left, Nat.mod_mod,
      Nat.add_mul_div_left _ _ (Nat.two_pow_pos _), Nat.div_eq_of_lt h, Nat.zero_add, ← ih]
    rfl

/-- **The pairs of coordinates are those of a point, each modulo its size, and of its image.**
Rust: `razorgirl::LinearLayout::apply`
Source: «Modeling Layout Abstractions Using Integer Set Relations», linear layouts, layout mapping -/
theorem mem_pointRelation {L : LinearLayout} (hL : L.wellFormed = true) {a b : List Int} : (a, b) ∈ pointRelation L ↔
    ∃ p : Point, a = L.ins.map (fun d => ((p d.1 % 2 ^ d.2 : Nat) : Int)) ∧
      b = L.outs.map (fun d => ((L.eval p d.1 % 2 ^ d.2 : Nat) : Int)) := by
  have image : ∀ p, (idx2crd L.outs.shape (L.applyPacked (L.ins.pack p))).map (fun (c : Nat) => (c : Int)) =
      L.outs.map fun d => ((L.eval p d.1 % 2 ^ d.2 : Nat) : Int) := fun p => by
    rw [applyPacked, ← pack_eval hL, idx2crd_pack, List.map_map]
    rfl
  have point : ∀ p, (idx2crd L.ins.shape (L.ins.pack p)).map (fun (c : Nat) => (c : Int)) =
      L.ins.map fun d => ((p d.1 % 2 ^ d.2 : Nat) : Int) := fun p => by
    rw [idx2crd_pack, List.map_map]
    rfl
  rw [pointRelation, Relation.mem_between, prod_shape]
  constructor
  · rintro ⟨x, hx, rfl, rfl⟩
    refine ⟨L.ins.unpack x, ?_, ?_⟩
    · rw [← point, pack_unpack (distinct_ins hL) hx]
    · rw [← image, pack_unpack (distinct_ins hL) hx]
  · rintro ⟨p, rfl, rfl⟩
    exact ⟨L.ins.pack p, pack_lt _ _, (point p).symm, (image p).symm⟩

theorem prod_twos (n : Nat) : prod (List.replicate n 2) = 2 ^ n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [List.replicate_succ, prod, ih, Nat.pow_succ, Nat.mul_comm]

theorem idx2crd_twos (n x : Nat) : idx2crd (List.replicate n 2) x = (List.range n).map fun i => x / 2 ^ i % 2 := by
  induction n generalizing x with
  | zero => rfl
  | succ n ih =>
    rw [List.replicate_succ, idx2crd_cons, ih, List.range_succ_eq_map, List.map_cons, List.map_map, Nat.pow_zero, Nat.div_one]
    congr 1
    refine List.map_congr_left fun i _ => ?_
    simp only [Function.comp_def, Nat.succ_eq_add_one, Nat.pow_succ]
    rw [Nat.div_div_eq_div_mul, Nat.mul_comm]

/-- Lists of zeros and ones are the bits of numbers. -/
theorem bits_iff {n : Nat} {a : List Int} : (a.length = n ∧ ∀ v ∈ a, v = 0 ∨ v = 1) ↔
    ∃ x, x < 2 ^ n ∧ a = (idx2crd (List.replicate n 2) x).map fun (c : Nat) => (c : Int) := by
  constructor
  · induction n generalizing a with
    | zero =>
      rintro ⟨h, _⟩
      exact ⟨0, Nat.one_pos, List.length_eq_zero_iff.mp h⟩
    | succ n ih =>
      rintro ⟨h, hv⟩
      cases a with
      | nil => cases h
      | cons v a =>
        obtain ⟨x, hx, e⟩ := ih ⟨by simpa using h, fun w hw => hv w (List.mem_cons_of_mem _ hw)⟩
        rw [Nat.pow_succ]
        rcases hv v List.mem_cons_self with rfl | rfl
        · refine ⟨2 * x, by omega, ?_⟩
          rw [List.replicate_succ, idx2crd_cons, List.map_cons, show 2 * x / 2 = x by omega, ← e, show 2 * x % 2 = 0 by omega]
          rfl
        · refine ⟨2 * x + 1, by omega, ?_⟩
          rw [List.replicate_succ, idx2crd_cons, List.map_cons, show (2 * x + 1) / 2 = x by omega, ← e,
            show (2 * x + 1) % 2 = 1 by omega]
          rfl
  · rintro ⟨x, _, rfl⟩
    refine ⟨by rw [List.length_map, length_idx2crd, List.length_replicate], fun v hv => ?_⟩
    rw [idx2crd_twos, List.map_map] at hv
    obtain ⟨i, _, rfl⟩ := List.mem_map.mp hv
    simp only [Function.comp_def]
    omega

theorem bit_xor (x y i : Nat) : (x ^^^ y) / 2 ^ i % 2 = (x / 2 ^ i % 2 + y / 2 ^ i % 2) % 2 := by
  rw [Nat.xor_div_two_pow]
  have h := Nat.xor_mod_two_pow (a := x / 2 ^ i) (b := y / 2 ^ i) (n := 1)
  rw [Nat.pow_one] at h
  rw [h]
  rcases Nat.mod_two_eq_zero_or_one (x / 2 ^ i) with e | e <;> rcases Nat.mod_two_eq_zero_or_one (y / 2 ^ i) with k | k <;>
    rw [e, k] <;> rfl

theorem dotBits_row (cs : List Nat) (i x : Nat) :
    dotBits (cs.map fun c => c / 2 ^ i % 2) ((idx2crd (List.replicate cs.length 2) x).map fun (c : Nat) => (c : Int)) =
      ((F2.apply cs x / 2 ^ i % 2 : Nat) : Int) := by
  induction cs generalizing x with
  | nil => simp [dotBits, F2.apply]
  | cons c cs ih =>
    rw [List.map_cons, List.length_cons, List.replicate_succ, idx2crd_cons, List.map_cons, dotBits, ih, F2.apply, bit_xor]
    rcases Nat.mod_two_eq_zero_or_one x with e | e
    · rw [e]
      simp
    · rw [e]
      simp

/-- **The pairs of bits are those of every bit string, as long as the input has bits, and of the matrix times it, modulo 2.**
Rust: `razorgirl::LinearLayout::matrix`
Source: «Modeling Layout Abstractions Using Integer Set Relations», linear layouts, binary vector space mapping -/
theorem mem_bitRelation {L : LinearLayout} (hL : L.wellFormed = true) {a b : List Int} : (a, b) ∈ bitRelation L ↔
    (a.length = L.ins.total ∧ ∀ v ∈ a, v = 0 ∨ v = 1) ∧ b = L.matrix.map fun row => dotBits row a := by
  have image : ∀ x, (idx2crd (List.replicate L.outs.total 2) (L.applyPacked x)).map (fun (c : Nat) => (c : Int)) =
      L.matrix.map fun row => dotBits row ((idx2crd (List.replicate L.ins.total 2) x).map fun (c : Nat) => (c : Int)) := fun x => by
    rw [idx2crd_twos, matrix, List.map_map, List.map_map, ← length_cols hL]
    refine List.map_congr_left fun i _ => ?_
    simp only [Function.comp_def]
    rw [dotBits_row]
    rfl
  rw [bitRelation, Relation.mem_between, prod_twos, bits_iff]
  constructor
  · rintro ⟨x, hx, rfl, rfl⟩
    exact ⟨⟨x, hx, rfl⟩, image x⟩
  · rintro ⟨⟨x, hx, rfl⟩, rfl⟩
    exact ⟨x, hx, rfl, (image x).symm⟩

/-- **Coordinates and bits are two ways of writing one relation: that of packed numbers between the coordinate mappings of the sizes, or
of as many twos as there are bits.**
Source: «Modeling Layout Abstractions Using Integer Set Relations», linear layouts -/
theorem pointRelation_eq_after {L : LinearLayout} (hL : L.wellFormed = true) :
    Relation.Same (pointRelation L)
      (Relation.after (coordRelation L.outs.shape) (Relation.after (relation L) (Relation.inverse (coordRelation L.ins.shape)))) ∧
    Relation.Same (bitRelation L) (Relation.after (coordRelation (List.replicate L.outs.total 2))
      (Relation.after (relation L) (Relation.inverse (coordRelation (List.replicate L.ins.total 2))))) := by
  have lt := fun x => apply_lt (cols_lt hL) x
  rw [relation]
  constructor
  · rw [← prod_shape L.ins]
    exact Relation.between_eq_after fun x _ => by rw [prod_shape]; exact lt x
  · rw [← prod_twos L.ins.total]
    exact Relation.between_eq_after fun x _ => by rw [prod_twos]; exact lt x

end LinearLayout

end Razorgirl
