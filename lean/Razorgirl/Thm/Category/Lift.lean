module

public import Razorgirl.Spec.Category.Nest
public import Razorgirl.Thm.Category.Parts

@[expose] public section

/-!
# A morphism cut into parts

Every entry of the codomain becomes its parts, and every entry of the domain the same ones as its image. The function of the index
stays: the parts of an entry count on from its stride.
-/

namespace Razorgirl

namespace Category

open HTuple

namespace NestAux

open TupleMorphism TupleAux TractableAux PartsAux NestMorphism

/-- The parts of each entry of S: of the entry's size, and those over its image where it has one. -/
def Lifts (parts : List IntTuple) : (S α : List Nat) → (mine : List IntTuple) → Prop
  | [], [], [] => True
  | s :: S, v :: α, t :: ts => IntTuple.size t = s ∧ (v ≠ 0 → parts[v - 1]? = some t) ∧ Lifts parts S α ts
  | _, _, _ => False

/-- The images of all parts. -/
def spreads (parts : List IntTuple) (α : List Nat) (mine : List IntTuple) : List Nat :=
  (α.zipWith (fun v t => spread parts v t.length) mine).flatten

/-- The morphism of the parts. -/
def lift (parts : List IntTuple) (α : List Nat) (mine : List IntTuple) : TupleMorphism :=
  ⟨mine.flatMap flatten, parts.flatMap flatten, spreads parts α mine⟩

theorem leavesBefore_add {parts : List IntTuple} {v w : Nat} (h0 : v ≠ 0) (hvw : v < w) {t : IntTuple} (ht : parts[v - 1]? = some t) :
    leavesBefore parts v + t.length ≤ leavesBefore parts w := by
  have key : ∀ (ts : List IntTuple) (i j : Nat), i < j → ts[i]? = some t →
      lengthList (ts.take i) + t.length ≤ lengthList (ts.take j) := by
    intro ts
    induction ts with
    | nil => intro i j _ h; simp at h
    | cons x ts ih =>
      intro i j hij h
      obtain ⟨j, rfl⟩ : ∃ k, j = k + 1 := ⟨j - 1, by omega⟩
      cases i with
      | zero =>
        simp only [List.getElem?_cons_zero, Option.some.injEq] at h
        subst h
        simp only [List.take_zero, List.take_succ_cons, lengthList]
        omega
      | succ i =>
        have := ih i j (by omega) (by simpa using h)
        simp only [List.take_succ_cons, lengthList]
        omega
  exact key parts (v - 1) (w - 1) (by omega) ht

theorem leavesBefore_le {parts : List IntTuple} {v : Nat} {t : IntTuple} (ht : parts[v - 1]? = some t) :
    leavesBefore parts v + t.length ≤ (parts.flatMap flatten).length := by
  have key : ∀ (ts : List IntTuple) (i : Nat), ts[i]? = some t → lengthList (ts.take i) + t.length ≤ (ts.flatMap flatten).length := by
    intro ts
    induction ts with
    | nil => intro i h; simp at h
    | cons x ts ih =>
      intro i h
      simp only [List.flatMap_cons, List.length_append, length_flatten]
      cases i with
      | zero =>
        simp only [List.getElem?_cons_zero, Option.some.injEq] at h
        subst h
        simp only [List.take_zero, lengthList]
        omega
      | succ i =>
        have := ih i (by simpa using h)
        simp only [List.take_succ_cons, lengthList]
        omega
  exact key parts (v - 1) ht

/-- The parts before a place and the part there, among all leaves. -/
theorem split_at {parts : List IntTuple} {v : Nat} (h0 : v ≠ 0) {t : IntTuple} (ht : parts[v - 1]? = some t) :
    ∃ P Q, parts.flatMap flatten = P ++ (t.flatten ++ Q) ∧ P.length = leavesBefore parts v ∧
      prod P = stride (parts.map IntTuple.size) v := by
  have key : ∀ (ts : List IntTuple) (i : Nat), ts[i]? = some t →
      ∃ P Q, ts.flatMap flatten = P ++ (t.flatten ++ Q) ∧ P.length = lengthList (ts.take i) ∧
        prod P = stride (ts.map IntTuple.size) (i + 1) := by
    intro ts
    induction ts with
    | nil => intro i h; simp at h
    | cons x ts ih =>
      intro i h
      cases i with
      | zero =>
        simp only [List.getElem?_cons_zero, Option.some.injEq] at h
        subst h
        exact ⟨[], ts.flatMap flatten, by simp, rfl, rfl⟩
      | succ i =>
        obtain ⟨P, Q, h1, h2, h3⟩ := ih i (by simpa using h)
        refine ⟨x.flatten ++ P, Q, by simp [h1], by simp [h2, lengthList, length_flatten], ?_⟩
        rw [prod_append, h3, List.map_cons, stride, IntTuple.size_eq_prod_flatten]
  obtain ⟨P, Q, h1, h2, h3⟩ := key parts (v - 1) ht
  exact ⟨P, Q, h1, h2, by rw [h3, show v - 1 + 1 = v by omega]⟩

theorem length_spread (parts : List IntTuple) (v n : Nat) : (spread parts v n).length = n := by
  simp only [spread]
  split <;> simp

theorem mem_spread {parts : List IntTuple} {v n w : Nat} (h : w ∈ spread parts v n) :
    (v = 0 ∧ w = 0) ∨ (v ≠ 0 ∧ leavesBefore parts v < w ∧ w ≤ leavesBefore parts v + n) := by
  simp only [spread] at h
  split at h
  · exact .inl ⟨‹_›, List.eq_of_mem_replicate h⟩
  · obtain ⟨k, hk, rfl⟩ := List.mem_map.mp h
    have := List.mem_range.mp hk
    exact .inr ⟨‹_›, by omega, by omega⟩

theorem mem_spreads {parts : List IntTuple} {w : Nat} : {S α : List Nat} → {mine : List IntTuple} → Lifts parts S α mine →
    w ∈ spreads parts α mine → w = 0 ∨ ∃ v ∈ α, v ≠ 0 ∧ ∃ t, parts[v - 1]? = some t ∧ leavesBefore parts v < w ∧
      w ≤ leavesBefore parts v + t.length
  | [], [], [], _, hw => by simp [spreads] at hw
  | s :: S, v :: α, t :: ts, h, hw => by
    simp only [spreads, List.zipWith_cons_cons, List.flatten_cons, List.mem_append] at hw
    rcases hw with hw | hw
    · rcases mem_spread hw with ⟨_, h0⟩ | ⟨h0, h1, h2⟩
      · exact .inl h0
      · exact .inr ⟨v, by simp, h0, t, h.2.1 h0, h1, h2⟩
    · rcases mem_spreads h.2.2 hw with h0 | ⟨u, hu, h1⟩
      · exact .inl h0
      · exact .inr ⟨u, by simp [hu], h1⟩
  | [], [], _ :: _, h, _ => by simp [Lifts] at h
  | [], _ :: _, _, h, _ => by simp [Lifts] at h
  | _ :: _, [], _, h, _ => by simp [Lifts] at h
  | _ :: _, _ :: _, [], h, _ => by simp [Lifts] at h

theorem once_spread (parts : List IntTuple) (v n : Nat) : once (spread parts v n) = true := by
  simp only [spread]
  split
  · induction n with
    | zero => rfl
    | succ n ih => simpa [List.replicate_succ, once] using ih
  · refine once_of_increasing ?_
    simp only [List.pairwise_map]
    exact List.pairwise_lt_range.imp fun h => by omega

theorem once_spreads {parts : List IntTuple} : {S α : List Nat} → {mine : List IntTuple} → Lifts parts S α mine → once α = true →
    once (spreads parts α mine) = true
  | [], [], [], _, _ => rfl
  | s :: S, v :: α, t :: ts, h, ho => by
    simp only [once, Bool.and_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true'] at ho
    simp only [spreads, List.zipWith_cons_cons, List.flatten_cons]
    refine once_append (once_spread _ _ _) (once_spreads h.2.2 ho.2) ?_
    simp only [List.all_eq_true, Bool.or_eq_true, beq_iff_eq, Bool.not_eq_true']
    intro w hw
    rcases mem_spreads h.2.2 hw with h0 | ⟨u, hu, hu0, t', ht', h1, h2⟩
    · exact .inl h0
    · refine .inr (Bool.eq_false_iff.mpr fun hm => ?_)
      rcases mem_spread (List.contains_iff_mem.mp hm) with ⟨_, h3⟩ | ⟨hv0, h3, h4⟩
      · omega
      · have hne : v ≠ u := fun e => by
          have := ho.1.resolve_left hv0
          rw [e, List.contains_iff_mem.mpr hu] at this
          cases this
        rcases Nat.lt_or_gt_of_ne hne with h5 | h5
        · have := leavesBefore_add hv0 h5 (h.2.1 hv0)
          omega
        · have := leavesBefore_add hu0 h5 ht'
          omega
  | [], [], _ :: _, h, _ => by simp [Lifts] at h
  | [], _ :: _, _, h, _ => by simp [Lifts] at h
  | _ :: _, [], _, h, _ => by simp [Lifts] at h
  | _ :: _, _ :: _, [], h, _ => by simp [Lifts] at h

/-- The images of one part, in the leaves of all. -/
theorem matches_spread {parts : List IntTuple} {v : Nat} {t : IntTuple} (h : v ≠ 0 → parts[v - 1]? = some t) :
    Matches (parts.flatMap flatten) t.flatten (spread parts v t.length) := by
  have key : ∀ (U P Q : List Nat), Matches (P ++ (U ++ Q)) U ((List.range U.length).map fun k => P.length + k + 1) := by
    intro U
    induction U with
    | nil => intro P Q; trivial
    | cons u U ih =>
      intro P Q
      simp only [List.length_cons, List.range_succ_eq_map, List.map_cons, List.map_map]
      refine ⟨.inr ?_, ?_⟩
      · rw [Nat.add_zero, List.cons_append]; exact nth_append P u (U ++ Q)
      · have := ih (P ++ [u]) Q
        simp only [List.append_assoc, List.cons_append, List.nil_append, List.length_append, List.length_cons,
          List.length_nil] at this
        refine Eq.mp ?_ this
        congr 1
        refine List.map_congr_left fun k _ => ?_
        simp only [Function.comp_apply]
        omega
  by_cases h0 : v = 0
  · simp only [spread, if_pos h0, ← length_flatten]
    induction t.flatten with
    | nil => trivial
    | cons u U ih => exact ⟨.inl rfl, ih⟩
  · obtain ⟨P, Q, h1, h2, _⟩ := split_at h0 (h h0)
    rw [spread, if_neg h0, h1, ← h2, ← length_flatten]
    exact key _ _ _

theorem matches_spreads {parts : List IntTuple} : {S α : List Nat} → {mine : List IntTuple} → Lifts parts S α mine →
    Matches (parts.flatMap flatten) (mine.flatMap flatten) (spreads parts α mine)
  | [], [], [], _ => trivial
  | s :: S, v :: α, t :: ts, h => by
    simp only [spreads, List.zipWith_cons_cons, List.flatten_cons, List.flatMap_cons]
    exact matches_append (matches_spread h.2.1) (matches_spreads h.2.2)
  | [], [], _ :: _, h => by simp [Lifts] at h
  | [], _ :: _, _, h => by simp [Lifts] at h
  | _ :: _, [], _, h => by simp [Lifts] at h
  | _ :: _, _ :: _, [], h => by simp [Lifts] at h

theorem pos_of_size {t : IntTuple} (h : 0 < IntTuple.size t) : ∀ n ∈ t.flatten, 0 < n :=
  (prod_pos_iff _).mp (IntTuple.size_eq_prod_flatten t ▸ h)

theorem sizes_of_lifts {parts : List IntTuple} : {S α : List Nat} → {mine : List IntTuple} → Lifts parts S α mine →
    mine.map IntTuple.size = S
  | [], [], [], _ => rfl
  | s :: S, v :: α, t :: ts, h => by rw [List.map_cons, h.1, sizes_of_lifts h.2.2]
  | [], [], _ :: _, h => by simp [Lifts] at h
  | [], _ :: _, _, h => by simp [Lifts] at h
  | _ :: _, [], _, h => by simp [Lifts] at h
  | _ :: _, _ :: _, [], h => by simp [Lifts] at h

theorem pos_flatMap {ts : List IntTuple} (h : ∀ s ∈ ts.map IntTuple.size, 0 < s) : ∀ n ∈ ts.flatMap flatten, 0 < n := fun n hn => by
  obtain ⟨t, ht, hn⟩ := List.mem_flatMap.mp hn
  exact pos_of_size (h _ (List.mem_map_of_mem ht)) n hn

theorem valid_lift {parts : List IntTuple} {S α : List Nat} {mine : List IntTuple} (hl : Lifts parts S α mine)
    (hf : Valid ⟨S, parts.map IntTuple.size, α⟩) : (lift parts α mine).Valid := by
  refine ⟨pos_flatMap fun s hs => hf.1 s (sizes_of_lifts hl ▸ hs), pos_flatMap hf.2.1,
    ⟨fun w hw => ?_, once_spreads hl hf.2.2.1.2⟩, matches_spreads hl⟩
  rcases mem_spreads hl hw with h0 | ⟨v, _, _, t, ht, _, h2⟩
  · rw [h0]; exact Nat.zero_le _
  · exact Nat.le_trans h2 (leavesBefore_le ht)

/-- A block of modes that counts from `d` on is one mode of stride `d`. -/
theorem atIndex_columnMajor (d : Nat) (U : List Nat) (x : Nat) : FlatLayout.atIndex (FlatLayout.columnMajor d U) x = x % prod U * d := by
  rw [FlatLayout.atIndex, FlatLayout.shape_columnMajor, FlatLayout.eval_columnMajor, crd2idx_idx2crd_mod, Nat.mul_comm]

/-- The modes of one part: its leaves count on from the stride of the entry. -/
theorem block_spread {parts : List IntTuple} {v : Nat} {t : IntTuple} (h : v ≠ 0 → parts[v - 1]? = some t) (x : Nat) :
    FlatLayout.atIndex (t.flatten.zipWith Mode.mk ((spread parts v t.length).map (stride (parts.flatMap flatten)))) x =
      x % IntTuple.size t * stride (parts.map IntTuple.size) v := by
  have key : ∀ (U P Q : List Nat), U.zipWith Mode.mk (((List.range U.length).map fun k => P.length + k + 1).map (stride (P ++ (U ++ Q))))
      = FlatLayout.columnMajor (prod P) U := by
    intro U
    induction U with
    | nil => intro P Q; rfl
    | cons u U ih =>
      intro P Q
      simp only [List.length_cons, List.range_succ_eq_map, List.map_cons, List.map_map, List.zipWith_cons_cons, FlatLayout.columnMajor]
      congr 1
      · rw [Nat.add_zero, List.cons_append, stride_append P u (U ++ Q)]
      · have := ih (P ++ [u]) Q
        simp only [List.append_assoc, List.cons_append, List.nil_append, List.length_append, List.length_cons,
          List.length_nil, prod_append, prod, Nat.mul_one, List.map_map] at this
        rw [Nat.mul_comm u (prod P), ← this]
        congr 1
        refine List.map_congr_left fun k _ => ?_
        simp only [Function.comp_apply]
        congr 1
        omega
  by_cases h0 : v = 0
  · subst h0
    have z : ∀ (U : List Nat) (x : Nat), FlatLayout.atIndex (U.zipWith Mode.mk ((List.replicate U.length 0).map
        (stride (parts.flatMap flatten)))) x = 0 := by
      intro U
      induction U with
      | nil => intro x; rfl
      | cons u U ih =>
        intro x
        simp only [List.length_cons, List.replicate_succ, List.map_cons, List.zipWith_cons_cons, FlatLayout.atIndex_cons, ih,
          stride_zero, Nat.mul_zero, Nat.add_zero]
    rw [spread, if_pos rfl, ← length_flatten, z, stride_zero, Nat.mul_zero]
  · obtain ⟨P, Q, h1, h2, h3⟩ := split_at h0 (h h0)
    rw [spread, if_neg h0, h1, ← h2, ← length_flatten, key, atIndex_columnMajor, h3, IntTuple.size_eq_prod_flatten]

theorem atIndex_spreads {parts : List IntTuple} : {S α : List Nat} → {mine : List IntTuple} → Lifts parts S α mine → (x : Nat) →
    FlatLayout.atIndex ((mine.flatMap flatten).zipWith Mode.mk ((spreads parts α mine).map (stride (parts.flatMap flatten)))) x =
      FlatLayout.atIndex (S.zipWith Mode.mk (α.map (stride (parts.map IntTuple.size)))) x
  | [], [], [], _, _ => rfl
  | s :: S, v :: α, t :: ts, h, x => by
    have ih := fun y => atIndex_spreads h.2.2 y
    simp only [spreads] at ih ⊢
    simp only [List.flatMap_cons, List.zipWith_cons_cons, List.flatten_cons, List.map_append, List.map_cons, FlatLayout.atIndex_cons]
    have hz : FlatLayout.size (t.flatten.zipWith Mode.mk ((spread parts v t.length).map (stride (parts.flatMap flatten)))) = s := by
      rw [FlatLayout.size, shape_zipWith (by simp [length_spread, length_flatten]), ← IntTuple.size_eq_prod_flatten, h.1]
    rw [List.zipWith_append (by simp [length_spread, length_flatten]), FlatLayout.atIndex_append, block_spread h.2.1, hz, ih, h.1,
      Nat.mod_mod]
  | [], [], _ :: _, h, _ => by simp [Lifts] at h
  | [], _ :: _, _, h, _ => by simp [Lifts] at h
  | _ :: _, [], _, h, _ => by simp [Lifts] at h
  | _ :: _, _ :: _, [], h, _ => by simp [Lifts] at h

theorem atIndex_lift {parts : List IntTuple} {S α : List Nat} {mine : List IntTuple} (hl : Lifts parts S α mine) (x : Nat) :
    FlatLayout.atIndex (lift parts α mine).encodedLayout x =
      FlatLayout.atIndex (encodedLayout ⟨S, parts.map IntTuple.size, α⟩) x := atIndex_spreads hl x

end NestAux

end Category

end Razorgirl
