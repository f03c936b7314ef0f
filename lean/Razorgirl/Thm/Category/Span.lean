module

public import Razorgirl.Spec.Category.Span
public import Razorgirl.Thm.Category.Nest

@[expose] public section

/-!
# Spans are a category, and realization is a functor on them
-/

namespace Razorgirl

namespace Category

open HTuple

namespace SpanAux

mutual
theorem regroup {α β : Type} (φ : α → β) : (t : HTuple (HTuple β)) → (u : HTuple α) → map φ u = flattenNesting t →
    ∃ w : HTuple (HTuple α), flattenNesting w = u ∧ map (map φ) w = t
  | .leaf x, u, h => ⟨.leaf u, rfl, by rw [map]; exact congrArg HTuple.leaf h⟩
  | .node ts, .node us, h => by
    simp only [map, flattenNesting, HTuple.node.injEq] at h
    obtain ⟨ws, h1, h2⟩ := regroups φ ts us h
    exact ⟨.node ws, by simp only [flattenNesting, h1], by simp only [map, h2]⟩
  | .node _, .leaf _, h => by simp [map, flattenNesting] at h
theorem regroups {α β : Type} (φ : α → β) : (ts : List (HTuple (HTuple β))) → (us : List (HTuple α)) →
    mapList φ us = flattenNestings ts → ∃ ws : List (HTuple (HTuple α)), flattenNestings ws = us ∧ mapList (map φ) ws = ts
  | [], [], _ => ⟨[], rfl, rfl⟩
  | [], _ :: _, h => by simp [mapList, flattenNestings] at h
  | _ :: _, [], h => by simp [mapList, flattenNestings] at h
  | t :: ts, u :: us, h => by
    simp only [mapList, flattenNestings, List.cons.injEq] at h
    obtain ⟨w, h1, h2⟩ := regroup φ t u h.1
    obtain ⟨ws, h3, h4⟩ := regroups φ ts us h.2
    exact ⟨w :: ws, by simp only [flattenNestings, h1, h3], by simp only [mapList, h2, h4]⟩
end

open TupleMorphism TupleAux TractableAux PartsAux NestAux NestMorphism

theorem eq_of_same {s t : IntTuple} (h : same s t = true) : s = t := by
  simp only [same, Bool.and_eq_true, beq_iff_eq] at h
  exact eq_of_profile_eq_of_flatten_eq ((congruent_iff_profile_eq s t).mp h.1) h.2

theorem same_refl (s : IntTuple) : same s s = true := by
  simp only [same, Bool.and_eq_true, beq_iff_eq, and_true]
  exact congruent_refl s

/-! ## Places -/

/-- The places of the leaves of some parts, behind those of the parts before. -/
theorem spread_run (pre ts post : List IntTuple) :
    (((List.range ts.length).map fun i => pre.length + i + 1).zipWith
      (fun v t => spread (pre ++ (ts ++ post)) v t.length) ts).flatten
      = (List.range (lengthList ts)).map fun k => lengthList pre + k + 1 := by
  induction ts generalizing pre with
  | nil => rfl
  | cons t ts ih =>
    have ih := ih (pre ++ [t])
    have e0 : lengthList (pre ++ [t]) = lengthList pre + t.length := by
      clear ih
      induction pre with
      | nil => simp [lengthList]
      | cons p pre ih => simp only [List.cons_append, lengthList, ih]; omega
    simp only [List.append_assoc, List.cons_append, List.nil_append, List.length_append, List.length_cons, List.length_nil, e0] at ih
    simp only [List.length_cons, List.range_succ_eq_map, List.map_cons, List.map_map, List.zipWith_cons_cons, List.flatten_cons,
      List.cons_append, lengthList]
    have e1 : ((List.range ts.length).map ((fun i => pre.length + i + 1) ∘ Nat.succ))
        = (List.range ts.length).map fun i => pre.length + (0 + 1) + i + 1 := by
      refine List.map_congr_left fun i _ => ?_
      simp only [Function.comp_apply]
      omega
    rw [e1, ih, List.range_add, List.map_append, List.map_map]
    congr 1
    · have e2 : leavesBefore (pre ++ t :: (ts ++ post)) (pre.length + 0 + 1) = lengthList pre := by
        simp only [leavesBefore, Nat.add_zero, Nat.add_sub_cancel, List.take_left']
      rw [spread, if_neg (by omega), e2]
    · refine List.map_congr_left fun k _ => ?_
      simp only [Function.comp_apply]
      omega

theorem lengthList_eq (ts : List IntTuple) : lengthList ts = (ts.flatMap flatten).length := by
  induction ts with
  | nil => rfl
  | cons t ts ih => simp [lengthList, length_flatten, ih]

/-- The places 1, 2, … of all leaves, part by part. -/
theorem spreads_identity (ts : List IntTuple) :
    spreads ts (FinMap.identity ts.length).values ts = (FinMap.identity (ts.flatMap flatten).length).values := by
  have := spread_run [] ts []
  simp only [List.nil_append, List.append_nil, List.length_nil, Nat.zero_add, lengthList, lengthList_eq ts] at this
  exact this

/-- The entries of a list from one place on. -/
theorem map_nth_append (Z B Y : List Nat) :
    ((List.range B.length).map fun k => Z.length + k + 1).map (nth 0 (Z ++ (B ++ Y))) = B := by
  induction B generalizing Z with
  | nil => rfl
  | cons b B ih =>
    simp only [List.length_cons, List.range_succ_eq_map, List.map_cons, List.map_map]
    congr 1
    · rw [Nat.add_zero, List.cons_append]
      exact nth_append Z b (B ++ Y)
    · have := ih (Z ++ [b])
      simp only [List.append_assoc, List.cons_append, List.nil_append, List.length_append, List.length_cons, List.length_nil,
        List.map_map] at this
      refine Eq.trans (List.map_congr_left fun k _ => ?_) this
      simp only [Function.comp_apply, List.cons_append]
      congr 1
      omega

/-- The images of the part at one place, among those of all parts. -/
theorem spreads_split {parts : List IntTuple} : {β : List Nat} → {ts : List IntTuple} → β.length = ts.length → {i : Nat} →
    (hi : i < ts.length) → (hβ : i < β.length) → ∃ Z Y, spreads parts β ts = Z ++ (spread parts β[i] ts[i].length ++ Y) ∧
      Z.length = lengthList (ts.take i)
  | [], _ :: _, h, _, _, _ => by simp at h
  | _, [], _, _, hi, _ => by simp at hi
  | v :: β, t :: ts, h, 0, _, _ => ⟨[], spreads parts β ts, by simp [spreads], rfl⟩
  | v :: β, t :: ts, h, i + 1, hi, hβ => by
    obtain ⟨Z, Y, h1, h2⟩ := spreads_split (parts := parts) (β := β) (ts := ts) (by simpa using h) (i := i) (by simpa using hi)
      (by simpa using hβ)
    refine ⟨spread parts v t.length ++ Z, Y, ?_, ?_⟩
    · simp only [spreads] at h1
      simp only [spreads, List.zipWith_cons_cons, List.flatten_cons, h1, List.append_assoc, List.getElem_cons_succ]
    · simp only [List.length_append, length_spread, h2, List.take_succ_cons, lengthList]

/-- Spreading twice is spreading along the composite. -/
theorem spreads_comp {parts mid : List IntTuple} {β : List Nat} (hβ : β.length = mid.length) : {S α : List Nat} → {mine : List IntTuple} →
    Lifts mid S α mine →
    (spreads mid α mine).map (nth 0 (spreads parts β mid)) = spreads parts (α.map (nth 0 β)) mine
  | [], [], [], _ => rfl
  | s :: S, v :: α, t :: ts, h => by
    have ih := spreads_comp (parts := parts) hβ h.2.2
    simp only [spreads] at ih
    simp only [spreads, List.zipWith_cons_cons, List.flatten_cons, List.map_append, List.map_cons, ih]
    congr 1
    by_cases h0 : v = 0
    · subst h0
      simp only [spread, if_true, nth_zero, List.map_replicate]
    · obtain ⟨i, rfl⟩ : ∃ i, v = i + 1 := ⟨v - 1, by omega⟩
      have ht := h.2.1 h0
      rw [Nat.add_sub_cancel] at ht
      obtain ⟨hi, rfl⟩ := List.getElem?_eq_some_iff.mp ht
      obtain ⟨Z, Y, h1, h2⟩ := spreads_split (parts := parts) hβ hi (by omega)
      simp only [spreads] at h1
      have h3 : spread mid (i + 1) mid[i].length = (List.range mid[i].length).map fun k => Z.length + k + 1 := by
        rw [spread, if_neg h0, leavesBefore, Nat.add_sub_cancel, h2]
      rw [h1, h3, nth_getElem (by omega : i < β.length)]
      have := map_nth_append Z (spread parts (β[i]'(by omega)) mid[i].length) Y
      rw [length_spread] at this
      exact this
  | [], [], _ :: _, h => by simp [Lifts] at h
  | [], _ :: _, _, h => by simp [Lifts] at h
  | _ :: _, [], _, h => by simp [Lifts] at h
  | _ :: _, _ :: _, [], h => by simp [Lifts] at h

/-! ## Pullbacks -/

/-- A refinement is its parts in the places of what it refines. -/
theorem substitute_over {fine coarse : IntTuple} {parts : List IntTuple} (h : over fine coarse = some parts) :
    substitute coarse parts = fine := by
  obtain ⟨t, rfl, rfl, rfl⟩ := over_eq_some_iff.mp h
  rw [substitute, profile_map, unflatten_flatten]

theorem pullback_eq {f : NestMorphism} {fine : IntTuple} {parts : List IntTuple} (h : over fine f.codomain = some parts) :
    f.pullback fine = some ⟨substitute f.domain (f.domain.flatten.zipWith (partAt parts) f.map), fine,
      spreads parts f.map (f.domain.flatten.zipWith (partAt parts) f.map)⟩ := by
  simp only [pullback, h]
  rfl

theorem nest_comp_eq {f g : NestMorphism} (h : f.codomain = g.domain) :
    f.comp g = some ⟨f.domain, g.codomain, f.map.map (nth 0 g.map)⟩ := by
  simp only [NestMorphism.comp, h, same_refl, if_true]

/-- Pulling a composite back is pulling back one after the other. -/
theorem pullback_comp {f g : NestMorphism} (hf : f.flat.Valid) (hg : g.flat.Valid) (h : f.codomain = g.domain) {v : IntTuple}
    {g' : NestMorphism} (hv : g.pullback v = some g') :
    ∃ f', f.pullback g'.domain = some f' ∧
      NestMorphism.pullback ⟨f.domain, g.codomain, f.map.map (nth 0 g.map)⟩ v
        = some ⟨f'.domain, g'.codomain, f'.map.map (nth 0 g'.map)⟩ := by
  obtain ⟨parts, ho⟩ := Option.isSome_iff_exists.mp ((over_isSome_iff v g.codomain).mpr
    ((pullback_isSome_iff g v).mp (by rw [hv]; rfl)))
  rw [pullback_eq ho] at hv
  cases hv
  obtain ⟨p1, _⟩ := over_sizes ho
  have hlg : g.domain.flatten.length = g.map.length := length_map_of_matches hg.2.2.2
  have lg : Lifts parts g.domain.flatten g.map (g.domain.flatten.zipWith (partAt parts) g.map) :=
    lifts_partAt (p1 ▸ hg.2.2.2) fun w hw => by
      have := hg.2.2.1.1 w hw
      simp only [fin, NestMorphism.flat] at this
      rwa [← p1, List.length_map] at this
  generalize hG : g.domain.flatten.zipWith (partAt parts) g.map = G at lg
  have sG := sizes_of_lifts lg
  have hGlen : G.length = g.domain.flatten.length := by rw [← sG, List.length_map]
  have oG : over (substitute g.domain G) f.codomain = some G := by rw [h]; exact (over_substitute sG).1
  refine ⟨_, pullback_eq oG, ?_⟩
  rw [pullback_eq (f := ⟨f.domain, g.codomain, f.map.map (nth 0 g.map)⟩) ho]
  have hm : Matches (G.map IntTuple.size) f.domain.flatten f.map := by
    rw [sG, ← h]; exact hf.2.2.2
  have hle : ∀ w ∈ f.map, w ≤ G.length := fun w hw => by
    have := hf.2.2.1.1 w hw
    simp only [fin, NestMorphism.flat, h] at this
    rwa [hGlen]
  have same : f.domain.flatten.zipWith (partAt parts) (f.map.map (nth 0 g.map)) = f.domain.flatten.zipWith (partAt G) f.map := by
    have hm' : Matches g.domain.flatten f.domain.flatten f.map := by rw [← h]; exact hf.2.2.2
    clear hm
    generalize f.domain.flatten = S at hm'
    generalize f.map = α at hm' hle
    induction α generalizing S with
    | nil => cases S <;> rfl
    | cons w α ih =>
      cases S with
      | nil => rfl
      | cons s S =>
        simp only [List.map_cons, List.zipWith_cons_cons]
        rw [ih S hm'.2 fun u hu => hle u (by simp [hu])]
        congr 1
        by_cases h0 : w = 0
        · subst h0; simp only [nth_zero, partAt, if_true]
        · obtain ⟨i, rfl⟩ : ∃ i, w = i + 1 := ⟨w - 1, by omega⟩
          have hi : i < G.length := by have := hle (i + 1) (by simp); omega
          have e := hm'.1.resolve_left h0
          rw [nth_getElem (by omega)] at e
          have hGi : G[i] = partAt parts s (nth 0 g.map (i + 1)) := by
            rw [nth_getElem (by omega : i < g.map.length), ← e]
            have := List.getElem_of_eq hG.symm hi
            rw [this, List.getElem_zipWith]
          rw [partAt.eq_def G, if_neg h0, Nat.add_sub_cancel, List.getD, List.getElem?_eq_getElem hi, Option.getD_some, hGi]
  simp only [same]
  congr 2
  exact (spreads_comp (by rw [hGlen, hlg]) (lifts_partAt hm hle)).symm

/-- A refinement of a refinement: the parts of the parts over each entry. -/
theorem over_trans {fine mid coarse : IntTuple} {ps qs : List IntTuple} (h1 : over mid coarse = some ps) (h2 : over fine mid = some qs) :
    ∃ Q : List (HTuple IntTuple), ps = Q.map (map IntTuple.size) ∧ qs = Q.flatMap flatten ∧
      over fine coarse = some (Q.map flattenNesting) := by
  obtain ⟨t1, rfl, rfl, rfl⟩ := over_eq_some_iff.mp h1
  obtain ⟨t2, h3, rfl, rfl⟩ := over_eq_some_iff.mp h2
  obtain ⟨w, rfl, rfl⟩ := regroup _ t1 t2 h3
  refine ⟨w.flatten, flatten_map _ w, (flattenNesting_flatten w).1, over_eq_some_iff.mpr ⟨map flattenNesting w, ?_, ?_, ?_⟩⟩
  · rw [map_map, map_map]
    congr 1
    funext t
    exact size_flattenNesting t
  · exact flattenNesting_assoc w
  · exact flatten_map _ w

/-- What stands over an entry, in groups. -/
def groupAt (Q : List (HTuple IntTuple)) (entry v : Nat) : HTuple IntTuple :=
  if v = 0 then .leaf (.leaf entry) else Q.getD (v - 1) (.leaf (.leaf entry))

theorem partAt_map (g : HTuple IntTuple → IntTuple) (Q : List (HTuple IntTuple)) (entry v : Nat)
    (hg : g (.leaf (.leaf entry)) = .leaf entry) : partAt (Q.map g) entry v = g (groupAt Q entry v) := by
  simp only [partAt, groupAt]
  split
  · exact hg.symm
  · simp only [List.getD, List.getElem?_map]
    cases Q[v - 1]? <;> simp [hg]

theorem zipWith_partAt_map (g : HTuple IntTuple → IntTuple) (Q : List (HTuple IntTuple)) (hg : ∀ s, g (.leaf (.leaf s)) = .leaf s)
    (S α : List Nat) : S.zipWith (partAt (Q.map g)) α = (S.zipWith (groupAt Q) α).map g := by
  rw [List.map_zipWith]
  congr 1
  funext s v
  exact partAt_map g Q s v (hg s)

theorem length_map_size (m : HTuple IntTuple) : (map IntTuple.size m).length = m.length := length_map _ m

/-- The groups before a place. -/
theorem groups_split {Q : List (HTuple IntTuple)} {v : Nat} (h0 : v ≠ 0) (hv : v ≤ Q.length) :
    ∃ A B, Q.flatMap flatten = A ++ ((Q[v - 1]'(by omega)).flatten ++ B) ∧
      A.length = leavesBefore (Q.map (map IntTuple.size)) v ∧ lengthList A = leavesBefore (Q.map flattenNesting) v := by
  have key : ∀ (Q : List (HTuple IntTuple)) (i : Nat) (hi : i < Q.length), ∃ A B, Q.flatMap flatten = A ++ (Q[i].flatten ++ B) ∧
      A.length = lengthList ((Q.map (map IntTuple.size)).take i) ∧ lengthList A = lengthList ((Q.map flattenNesting).take i) := by
    intro Q
    induction Q with
    | nil => intro i hi; simp at hi
    | cons q Q ih =>
      intro i hi
      cases i with
      | zero => exact ⟨[], Q.flatMap flatten, by simp, rfl, rfl⟩
      | succ i =>
        obtain ⟨A, B, h1, h2, h3⟩ := ih i (by simpa using hi)
        refine ⟨q.flatten ++ A, B, by simp [h1], ?_, ?_⟩
        · simp only [List.length_append, h2, List.map_cons, List.take_succ_cons, lengthList, length_map, length_flatten]
        · have : ∀ (X Y : List IntTuple), lengthList (X ++ Y) = lengthList X + lengthList Y := fun X Y => by
            induction X with
            | nil => simp [lengthList]
            | cons x X ih => simp only [List.cons_append, lengthList, ih]; omega
          rw [this, h3, List.map_cons, List.take_succ_cons, lengthList, lengthList_eq, ← length_flatten, (flattenNesting_flatten q).1]
  exact key Q (v - 1) (by omega)

/-- The parts over the leaves of one group are its own. -/
theorem block_groups {Q : List (HTuple IntTuple)} {s v : Nat} (hv : v ≤ Q.length) :
    ((map IntTuple.size (groupAt Q s v)).flatten.zipWith (partAt (Q.flatMap flatten))
        (spread (Q.map (map IntTuple.size)) v (groupAt Q s v).length) = (groupAt Q s v).flatten) ∧
      ((spread (Q.map (map IntTuple.size)) v (groupAt Q s v).length).zipWith (fun w t => spread (Q.flatMap flatten) w t.length)
        (groupAt Q s v).flatten).flatten = spread (Q.map flattenNesting) v (flattenNesting (groupAt Q s v)).length := by
  by_cases h0 : v = 0
  · subst h0
    simp [groupAt, spread, HTuple.length, HTuple.flatten, HTuple.map, flattenNesting, partAt, IntTuple.size]
  · obtain ⟨A, B, h1, h2, h3⟩ := groups_split h0 hv
    have hq : groupAt Q s v = Q[v - 1]'(by omega) := by
      rw [groupAt, if_neg h0, List.getD, List.getElem?_eq_getElem (by omega : v - 1 < Q.length), Option.getD_some]
    rw [hq]
    generalize Q[v - 1]'(by omega) = q at h1
    have hs : spread (Q.map (map IntTuple.size)) v q.length = (List.range q.flatten.length).map fun k => A.length + k + 1 := by
      rw [spread, if_neg h0, h2, length_flatten]
    constructor
    · rw [hs, flatten_map]
      refine List.ext_getElem (by simp) fun k hk hk' => ?_
      rw [List.getElem_zipWith]
      simp only [List.getElem_map, List.getElem_range, partAt, if_neg (Nat.succ_ne_zero _), Nat.add_sub_cancel]
      have hk2 : (Q.flatMap flatten)[A.length + k]? = some q.flatten[k] := by
        rw [h1, List.getElem?_append_right (by omega), Nat.add_sub_cancel_left, List.getElem?_append_left hk',
          List.getElem?_eq_getElem hk']
      rw [List.getD, hk2, Option.getD_some]
    · rw [hs, h1, spread_run, spread, if_neg h0, h3, lengthList_eq, ← length_flatten, (flattenNesting_flatten q).1]

/-- All blocks. -/
theorem blocks_groups {Q : List (HTuple IntTuple)} : {S α : List Nat} → S.length = α.length → (∀ v ∈ α, v ≤ Q.length) →
    (((S.zipWith (groupAt Q) α).map (map IntTuple.size)).flatMap flatten).zipWith (partAt (Q.flatMap flatten))
        (spreads (Q.map (map IntTuple.size)) α ((S.zipWith (groupAt Q) α).map (map IntTuple.size)))
      = (S.zipWith (groupAt Q) α).flatMap flatten ∧
    spreads (Q.flatMap flatten) (spreads (Q.map (map IntTuple.size)) α ((S.zipWith (groupAt Q) α).map (map IntTuple.size)))
        ((S.zipWith (groupAt Q) α).flatMap flatten)
      = spreads (Q.map flattenNesting) α ((S.zipWith (groupAt Q) α).map flattenNesting)
  | [], [], _, _ => ⟨rfl, rfl⟩
  | [], _ :: _, h, _ => by simp at h
  | _ :: _, [], h, _ => by simp at h
  | s :: S, v :: α, h, hv => by
    obtain ⟨b1, b2⟩ := block_groups (Q := Q) (s := s) (hv v (by simp))
    obtain ⟨i1, i2⟩ := blocks_groups (Q := Q) (S := S) (α := α) (by simpa using h) fun w hw => hv w (by simp [hw])
    simp only [spreads] at i1 i2 ⊢
    simp only [List.zipWith_cons_cons, List.map_cons, List.flatMap_cons, List.flatten_cons, length_map]
    constructor
    · rw [List.zipWith_append (by rw [length_spread, length_flatten, length_map]), b1, i1]
    · rw [List.zipWith_append (by rw [length_spread, length_flatten]), List.flatten_append, b2, i2]

/-- Pulling back along a refinement of a refinement is pulling back along both in turn. -/
theorem pullback_pullback {f f1 : NestMorphism} (hf : f.flat.Valid) {t1 t2 : IntTuple} (h1 : f.pullback t1 = some f1)
    (h2 : IntTuple.refines t2 t1 = true) : f1.pullback t2 = f.pullback t2 := by
  obtain ⟨ps, o1⟩ := Option.isSome_iff_exists.mp ((over_isSome_iff t1 f.codomain).mpr
    ((pullback_isSome_iff f t1).mp (by rw [h1]; rfl)))
  obtain ⟨qs, o2⟩ := Option.isSome_iff_exists.mp ((over_isSome_iff t2 t1).mpr h2)
  obtain ⟨Q, rfl, rfl, o3⟩ := over_trans o1 o2
  rw [pullback_eq o1] at h1
  cases h1
  obtain ⟨p1, _⟩ := over_sizes o1
  have hlen : f.domain.flatten.length = f.map.length := length_map_of_matches hf.2.2.2
  have hle : ∀ v ∈ f.map, v ≤ Q.length := fun v hv => by
    have := hf.2.2.1.1 v hv
    simp only [fin, NestMorphism.flat] at this
    rw [← p1, List.length_map, List.length_map] at this
    exact this
  have z1 := zipWith_partAt_map (map IntTuple.size) Q (fun s => rfl) f.domain.flatten f.map
  have z2 := zipWith_partAt_map flattenNesting Q (fun s => rfl) f.domain.flatten f.map
  obtain ⟨b1, b2⟩ := blocks_groups (Q := Q) hlen hle
  have lp : Lifts (Q.map (map IntTuple.size)) f.domain.flatten f.map (f.domain.flatten.zipWith (partAt (Q.map (map IntTuple.size))) f.map) :=
    lifts_partAt (p1 ▸ hf.2.2.2) (by simpa using hle)
  have hflat := (over_substitute (sizes_of_lifts lp)).2.2
  have hl2 : f.domain.profile.length = (f.domain.flatten.zipWith (groupAt Q) f.map).length := by
    rw [HTuple.profile, length_map, ← length_flatten, List.length_zipWith, hlen, Nat.min_self]
  rw [z1] at hflat
  rw [pullback_eq o3, pullback_eq (f := ⟨_, t1, _⟩) o2]
  simp only [z1, z2, hflat, b1, b2, Option.some.injEq, NestMorphism.mk.injEq, and_true]
  -- the domains: groups put in together, or one after the other
  generalize f.domain.flatten.zipWith (groupAt Q) f.map = M at hl2
  have e1 : substitute f.domain (M.map (map IntTuple.size))
      = map IntTuple.size (flattenNesting (unflatten (.leaf (.leaf 1)) f.domain.profile M)) := by
    rw [substitute, ← map_unflatten (map IntTuple.size) (.leaf (.leaf 1)) (.leaf 1) _ _ hl2, SubstitutionAux.map_nesting]
  have e2 : M.flatMap flatten = (flattenNesting (unflatten (HTuple.leaf (.leaf 1)) f.domain.profile M)).flatten := by
    rw [(flattenNesting_flatten _).1, flatten_unflatten _ _ _ hl2]
  rw [e1, e2, substitute, profile_map, unflatten_flatten, substitute,
    ← map_unflatten flattenNesting (.leaf (.leaf 1)) (.leaf 1) _ _ hl2, flattenNesting_assoc]

/-! ## Identities -/

/-- An identity, pulled back along a refinement, is the identity of that. -/
theorem pullback_identity {S fine : IntTuple} (h : IntTuple.refines fine S = true) :
    (NestMorphism.identity S).pullback fine = some (NestMorphism.identity fine) := by
  obtain ⟨parts, ho⟩ := Option.isSome_iff_exists.mp ((over_isSome_iff fine S).mpr h)
  obtain ⟨p1, p2⟩ := over_sizes ho
  have hl : parts.length = S.flatten.length := by rw [← p1, List.length_map]
  have hm : S.flatten.zipWith (partAt parts) (FinMap.identity S.length).values = parts := by
    rw [← length_flatten]
    refine List.ext_getElem (by simp [FinMap.identity, hl]) fun i hi hi' => ?_
    simp [FinMap.identity, partAt, List.getD, List.getElem?_eq_getElem hi']
  rw [pullback_eq (f := NestMorphism.identity S) ho]
  simp only [NestMorphism.identity, hm, substitute_over ho, Option.some.injEq, NestMorphism.mk.injEq, true_and]
  rw [← length_flatten S, ← hl, spreads_identity, ← p2, length_flatten]

/-- A morphism, pulled back along its own codomain, stays. -/
theorem pullback_self {f : NestMorphism} (hf : f.flat.Valid) : f.pullback f.codomain = some f := by
  have ho : over f.codomain f.codomain = some (f.codomain.flatten.map HTuple.leaf) :=
    over_eq_some_iff.mpr ⟨HTuple.map HTuple.leaf f.codomain, by
      rw [map_map]
      exact HTuple.map_id f.codomain, (flattenNesting_unit f.codomain).2, flatten_map _ _⟩
  rw [pullback_eq ho]
  have key : ∀ {S α : List Nat}, Matches f.codomain.flatten S α → (∀ v ∈ α, v ≤ f.codomain.flatten.length) →
      S.zipWith (partAt (f.codomain.flatten.map HTuple.leaf)) α = S.map HTuple.leaf ∧
        spreads (f.codomain.flatten.map HTuple.leaf) α (S.map HTuple.leaf) = α := by
    intro S α
    induction α generalizing S with
    | nil => intro hm _; cases S <;> simp_all [Matches, spreads]
    | cons v α ih =>
      intro hm hv
      cases S with
      | nil => simp [Matches] at hm
      | cons s S =>
        obtain ⟨i1, i2⟩ := ih hm.2 fun w hw => hv w (by simp [hw])
        simp only [spreads] at i2
        simp only [spreads, List.zipWith_cons_cons, List.map_cons, List.flatten_cons, i1, i2]
        by_cases h0 : v = 0
        · subst h0
          exact ⟨rfl, rfl⟩
        · obtain ⟨i, rfl⟩ : ∃ i, v = i + 1 := ⟨v - 1, by omega⟩
          have hi : i < f.codomain.flatten.length := by have := hv (i + 1) (by simp); omega
          have e := hm.1.resolve_left h0
          rw [nth_getElem hi] at e
          constructor
          · rw [partAt, if_neg h0, Nat.add_sub_cancel, List.getD, List.getElem?_map, List.getElem?_eq_getElem hi]
            simp [e]
          · have e2 : ∀ l : List Nat, lengthList (l.map HTuple.leaf) = l.length := fun l => by
              induction l with
              | nil => rfl
              | cons x l ih => simp only [List.map_cons, lengthList, HTuple.length, ih, List.length_cons]; omega
            simp only [spread, if_neg h0, leavesBefore, Nat.add_sub_cancel, ← List.map_take, e2, HTuple.length, List.range_one,
              List.map_cons, List.map_nil, List.length_take]
            rw [Nat.min_eq_left (by omega)]
            rfl
  obtain ⟨k1, k2⟩ := key hf.2.2.2 hf.2.2.1.1
  have hd : substitute f.domain (f.domain.flatten.map HTuple.leaf) = f.domain := by
    refine substitute_over (over_eq_some_iff.mpr ⟨HTuple.map HTuple.leaf f.domain, by
      rw [map_map]
      exact HTuple.map_id f.domain, (flattenNesting_unit f.domain).2, flatten_map _ _⟩)
  have k1' : f.domain.flatten.zipWith (partAt (f.codomain.flatten.map HTuple.leaf)) f.map = f.domain.flatten.map HTuple.leaf := k1
  have k2' : spreads (f.codomain.flatten.map HTuple.leaf) f.map (f.domain.flatten.map HTuple.leaf) = f.map := k2
  rw [k1', k2', hd]

end SpanAux

open SpanAux NestAux

namespace TupleMorphism

/-- **The identity moves no index.**
Rust: `razorgirl::category::TupleMorphism::identity`
Source: Categorical Foundations 3.1.4.5 -/
theorem realization_identity {S : List Nat} {x : Nat} (hx : x < prod S) : (identity S).realization x = x := by
  have key : ∀ (n : Nat) (c : List Nat), c.length = n → (FinMap.identity n).values.map (fun j => moved j (FinMap.identity n).values c) = c :=
    fun n c hc => map_moved (by simp [FinMap.identity, hc]) (once_of_increasing (places_increasing n)) fun v hv => (mem_places.mp hv).1
  rw [realization, show (identity S).move (idx2crd (identity S).domain x) = idx2crd S x from
    key S.length _ (by rw [length_idx2crd]; rfl), show (identity S).codomain = S from rfl]
  exact crd2idx_idx2crd hx

end TupleMorphism

namespace NestMorphism

/-- **Pulling back along a refinement of a refinement is pulling back along both in turn.**
Rust: `razorgirl::category::NestMorphism::pullback`
Source: Categorical Foundations 3.2.5.11 -/
theorem pullback_trans {f f' : NestMorphism} (hf : f.flat.Valid) {mid fine : IntTuple} (h : f.pullback mid = some f')
    (hr : IntTuple.refines fine mid = true) : f'.pullback fine = f.pullback fine := pullback_pullback hf h hr

/-- **Pulling back a composite is pulling back g, and f along what that made of the tuple between.**
Rust: `razorgirl::category::NestMorphism::pullback`, `razorgirl::category::NestMorphism::compose`
Source: Categorical Foundations 3.2.5.11 -/
theorem pullback_of_comp {f g h g' : NestMorphism} (hf : f.flat.Valid) (hg : g.flat.Valid) (hc : f.comp g = some h) {fine : IntTuple}
    (hv : g.pullback fine = some g') : ∃ f', f.pullback g'.domain = some f' ∧ h.pullback fine = f'.comp g' := by
  simp only [comp] at hc
  split at hc
  · rename_i hs
    cases hc
    obtain ⟨f', h1, h2⟩ := pullback_comp hf hg (eq_of_same hs) hv
    exact ⟨f', h1, by rw [h2, nest_comp_eq (atIndex_pullback hf h1).2.1]⟩
  · cases hc

/-- **The identity, pulled back, is the identity; and a morphism stays along its own codomain.**
Rust: `razorgirl::category::NestMorphism::pullback`
Source: Categorical Foundations 3.2.5.11 -/
theorem pullback_units {f : NestMorphism} (hf : f.flat.Valid) {S fine : IntTuple} (h : IntTuple.refines fine S = true) :
    (identity S).pullback fine = some (identity fine) ∧ f.pullback f.codomain = some f := ⟨pullback_identity h, pullback_self hf⟩

end NestMorphism

namespace Span

theorem comp_eq_some {a b c : Span} (h : a.comp b = some c) : a.arrow.codomain = b.source ∧
    ∃ f, a.arrow.pullback b.arrow.domain = some f ∧ c = ⟨a.source, ⟨f.domain, b.arrow.codomain, f.map.map (nth 0 b.arrow.map)⟩⟩ ∧
      f.comp b.arrow = some c.arrow := by
  simp only [comp] at h
  split at h
  · rename_i hs
    split at h
    · rename_i f hf
      split at h
      · rename_i k hk
        cases h
        refine ⟨eq_of_same hs, f, hf, ?_, hk⟩
        simp only [NestMorphism.comp] at hk
        split at hk
        · cases hk; rfl
        · cases hk
      · cases h
    · cases h
  · cases h

/-- **Spans compose exactly where the codomain of the one is the source of the other.**
Source: the blog on categorical foundations, last section; Categorical Foundations 4.1 -/
theorem comp_isSome_iff {a b : Span} (ha : a.Valid) (hb : b.Valid) : (a.comp b).isSome = true ↔ a.arrow.codomain = b.source := by
  constructor
  · intro h
    obtain ⟨c, hc⟩ := Option.isSome_iff_exists.mp h
    exact (comp_eq_some hc).1
  · intro h
    obtain ⟨f, hf⟩ := Option.isSome_iff_exists.mp ((NestMorphism.pullback_isSome_iff a.arrow b.arrow.domain).mpr (by
      rw [h]; exact hb.1))
    have hc := (NestMorphism.atIndex_pullback ha.2 hf).2.1
    simp only [comp, h, same_refl, if_true, hf, nest_comp_eq hc]
    rfl

/-- **What spans compose to is a span.**
Source: the blog on categorical foundations, last section; Categorical Foundations 4.1 -/
theorem valid_comp {a b c : Span} (ha : a.Valid) (hb : b.Valid) (h : a.comp b = some c) : c.Valid := by
  obtain ⟨_, f, hf, rfl, hk⟩ := comp_eq_some h
  obtain ⟨f1, f2, f3, _⟩ := NestMorphism.atIndex_pullback ha.2 hf
  refine ⟨IntTuple.refines_trans f3 ha.1, ?_⟩
  exact TupleMorphism.valid_comp f1 hb.2 (NestMorphism.comp_flat hk).1

/-- **Realization is a functor on spans: what a composite does to an index is what b does after a.** So every chain of
refinements and morphisms composes layouts.
Source: the blog on categorical foundations, last section; Categorical Foundations 4.1.3.1 -/
theorem realization_comp {a b c : Span} (ha : a.Valid) (hb : b.Valid) (h : a.comp b = some c) (x : Nat) :
    c.realization x = b.realization (a.realization x) := by
  obtain ⟨_, f, hf, e, hk⟩ := comp_eq_some h
  obtain ⟨f1, f2, _, f4⟩ := NestMorphism.atIndex_pullback ha.2 hf
  have := TupleMorphism.realization_comp f1 hb.2 (NestMorphism.comp_flat hk).1 x
  rw [realization, realization, realization, this, TupleMorphism.realization_eq f1, f4, ← TupleMorphism.realization_eq ha.2]

/-- **Identities change nothing, before and after.**
Source: the blog on categorical foundations, last section -/
theorem comp_identity {a : Span} (ha : a.Valid) :
    (identity a.source).comp a = some a ∧ a.comp (identity a.arrow.codomain) = some a := by
  constructor
  · have h1 : same (identity a.source).arrow.codomain a.source = true := same_refl _
    have h2 : (identity a.source).arrow.pullback a.arrow.domain = some (NestMorphism.identity a.arrow.domain) := pullback_identity ha.1
    have h3 : (NestMorphism.identity a.arrow.domain).comp a.arrow = some a.arrow := by
      rw [nest_comp_eq rfl]
      simp only [NestMorphism.identity]
      have hl : a.arrow.map.length = a.arrow.domain.length :=
        (TupleMorphism.length_map_of_matches ha.2.2.2.2).symm.trans (length_flatten _)
      rw [← hl, PartsAux.map_places]
    simp only [comp, h1, h2, h3, if_true]
    rfl
  · have h1 : same a.arrow.codomain (identity a.arrow.codomain).source = true := same_refl _
    have h2 : a.arrow.pullback (identity a.arrow.codomain).arrow.domain = some a.arrow := pullback_self ha.2
    have h3 : a.arrow.comp (identity a.arrow.codomain).arrow = some a.arrow := by
      rw [nest_comp_eq rfl]
      have e : a.arrow.map.map (nth 0 (FinMap.identity a.arrow.codomain.length).values) = a.arrow.map := by
        refine Eq.trans (List.map_congr_left fun v hv => ?_) (List.map_id _)
        have hl := ha.2.2.2.1.1 v hv
        have e1 : (FinMap.identity a.arrow.codomain.length).values = TupleAux.listed a.arrow.codomain.length id := by
          simp [FinMap.identity, TupleAux.listed]
        rw [e1]
        by_cases h0 : v = 0
        · rw [h0, TupleAux.nth_zero]; rfl
        · exact TupleMorphism.nth_listed _ _ v h0 (by
            simpa only [TupleMorphism.fin, NestMorphism.flat, length_flatten] using hl)
      simp only [identity, NestMorphism.identity, e]
    simp only [comp, h1, h2, h3, if_true]

/-- **Composition of spans is associative.**
Source: the blog on categorical foundations, last section -/
theorem comp_assoc {a b c ab bc : Span} (ha : a.Valid) (hb : b.Valid) (hab : a.comp b = some ab) (hbc : b.comp c = some bc) :
    ab.comp c = a.comp bc := by
  obtain ⟨e1, f1, hf1, rfl, k1⟩ := comp_eq_some hab
  obtain ⟨e2, g1, hg1, rfl, k2⟩ := comp_eq_some hbc
  obtain ⟨v1, c1, _, _⟩ := NestMorphism.atIndex_pullback ha.2 hf1
  obtain ⟨w1, d1, r1, _⟩ := NestMorphism.atIndex_pullback hb.2 hg1
  obtain ⟨f2, h2, h3⟩ := pullback_comp v1 hb.2 c1 hg1
  have h4 : a.arrow.pullback g1.domain = some f2 := by rw [← pullback_pullback ha.2 hf1 r1]; exact h2
  have s1 : same b.arrow.codomain c.source = true := by rw [e2]; exact same_refl _
  have s2 : same a.arrow.codomain b.source = true := by rw [e1]; exact same_refl _
  have c2 : f2.codomain = g1.domain := (NestMorphism.atIndex_pullback ha.2 h4).2.1
  have n1 : NestMorphism.comp ⟨f2.domain, g1.codomain, f2.map.map (nth 0 g1.map)⟩ c.arrow
      = some ⟨f2.domain, c.arrow.codomain, (f2.map.map (nth 0 g1.map)).map (nth 0 c.arrow.map)⟩ := nest_comp_eq d1
  have n2 : f2.comp ⟨g1.domain, c.arrow.codomain, g1.map.map (nth 0 c.arrow.map)⟩
      = some ⟨f2.domain, c.arrow.codomain, f2.map.map (nth 0 (g1.map.map (nth 0 c.arrow.map)))⟩ := nest_comp_eq c2
  simp only [comp, s1, s2, if_true, h3, h4, n1, n2, List.map_map]
  congr 3
  refine List.map_congr_left fun v _ => ?_
  rw [Function.comp_apply, TupleAux.nth_map _ (TupleAux.nth_zero _ _)]

/-- **A refinement alone moves no index, and morphisms alone compose as they do without refinements.**
Source: the blog on categorical foundations, last section -/
theorem of_spec :
    (∀ fine coarse : IntTuple, ∀ x, x < IntTuple.size fine → (ofRefinement fine coarse).realization x = x) ∧
    ∀ f g h : NestMorphism, f.flat.Valid → f.comp g = some h → (ofMorphism f).comp (ofMorphism g) = some (ofMorphism h) := by
  refine ⟨fun fine coarse x hx => ?_, fun f g h hf hc => ?_⟩
  · have hv : (NestMorphism.identity fine).flat = TupleMorphism.identity fine.flatten := by
      simp only [NestMorphism.flat, NestMorphism.identity, TupleMorphism.identity, length_flatten]
    rw [IntTuple.size_eq_prod_flatten] at hx
    change (NestMorphism.identity fine).flat.realization x = x
    rw [hv]
    exact TupleMorphism.realization_identity hx
  · have hs : f.codomain = g.domain := by
      simp only [NestMorphism.comp] at hc
      split at hc
      · exact eq_of_same ‹_›
      · cases hc
    have h1 : same (ofMorphism f).arrow.codomain (ofMorphism g).source = true := by
      change same f.codomain g.domain = true
      rw [hs]; exact same_refl _
    have h2 : (ofMorphism f).arrow.pullback (ofMorphism g).arrow.domain = some f := by
      change f.pullback g.domain = some f
      rw [← hs]; exact pullback_self hf
    have h3 : f.comp (ofMorphism g).arrow = some h := hc
    have h4 : h.domain = f.domain := (NestMorphism.comp_flat hc).2.1
    simp only [comp, h1, if_true, h2, h3]
    simp only [ofMorphism, h4]

end Span

end Category

end Razorgirl
