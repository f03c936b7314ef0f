module

public import Razorgirl.Spec.Layout.Zip
public import Razorgirl.Thm.Layout.Modes

@[expose] public section

/-!
# Zip and unzip: what is proved

Both permute the modes and keep every offset, if the coordinate is zipped or unzipped as well.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout

namespace Aux

/-! ## Rows and columns -/

/-- The sum of the offsets of several lists of trees. -/
def callLists : List (List (HTuple Mode)) → List (List Coord) → Option Nat
  | [], [] => some 0
  | ts :: tss, cs :: css =>
    match callTrees ts cs, callLists tss css with
    | some a, some b => some (a + b)
    | _, _ => none
  | _, _ => none

theorem consEach_cons {α : Type} {t : HTuple α} {ts : List (HTuple α)} {us : List (HTuple α)}
    {uss vss : List (List (HTuple α))} (h : consEach (t :: ts) (us :: uss) = some vss) :
    ∃ wss, consEach ts uss = some wss ∧ vss = (t :: us) :: wss := by
  obtain ⟨wss, hw, rfl⟩ := Option.map_eq_some_iff.1 h
  exact ⟨wss, hw, rfl⟩

theorem callLists_consEach {ts : List (HTuple Mode)} {cs : List Coord} {tss vss : List (List (HTuple Mode))}
    {css wss : List (List Coord)} {a b : Nat} (h : consEach ts tss = some vss) (hc : consEach cs css = some wss)
    (ha : callTrees ts cs = some a) (hb : callLists tss css = some b) : callLists vss wss = some (a + b) := by
  induction ts generalizing cs tss vss css wss a b with
  | nil =>
    cases tss with
    | cons _ _ => simp [consEach] at h
    | nil =>
      cases cs with
      | cons _ _ => have := length_of_callTrees ha; simp at this
      | nil =>
        cases css with
        | cons _ _ => simp [consEach] at hc
        | nil =>
          obtain rfl := Option.some.inj h
          obtain rfl := Option.some.inj hc
          obtain rfl := Option.some.inj ha
          obtain rfl := Option.some.inj hb
          rfl
  | cons t ts ih =>
    cases tss with
    | nil => simp [consEach] at h
    | cons us tss =>
      cases cs with
      | nil => have := length_of_callTrees ha; simp at this
      | cons c cs =>
        cases css with
        | nil => simp [consEach] at hc
        | cons ds css =>
          obtain ⟨vss, hv, rfl⟩ := consEach_cons h
          obtain ⟨wss, hw, rfl⟩ := consEach_cons hc
          rw [callTrees_cons] at ha
          obtain ⟨x, hx, ha⟩ := Option.bind_eq_some_iff.1 ha
          obtain ⟨y, hy, rfl⟩ := Option.map_eq_some_iff.1 ha
          rw [callLists] at hb
          split at hb
          · rename_i p q hp hq
            obtain rfl := Option.some.inj hb
            rw [callLists, ih hv hw hy hq, callTrees_cons, hx, hp]
            simp
            omega
          · cases hb

theorem callLists_empty (r : Nat) : callLists (List.replicate r []) (List.replicate r []) = some 0 := by
  induction r with
  | zero => rfl
  | succ r ih =>
    rw [List.replicate_succ, List.replicate_succ, callLists, callTrees_nil, ih]

theorem columns_cons {α : Type} {r : Nat} {t : HTuple α} {ts : List (HTuple α)} {vss : List (List (HTuple α))}
    (h : columns r (t :: ts) = some vss) :
    ∃ us uss, t = .node us ∧ columns r ts = some uss ∧ consEach us uss = some vss := by
  cases t with
  | leaf a => cases h
  | node us =>
    rw [columns] at h
    split at h
    · rename_i uss hu
      exact ⟨us, uss, rfl, hu, h⟩
    · cases h

theorem callLists_columns {r : Nat} {ts : List (HTuple Mode)} {cs : List Coord} {tss : List (List (HTuple Mode))}
    {css : List (List Coord)} {o : Nat} (h : columns r ts = some tss) (hc : columns r cs = some css)
    (ho : callTrees ts cs = some o) : callLists tss css = some o := by
  induction ts generalizing cs tss css o with
  | nil =>
    cases cs with
    | cons _ _ => have := length_of_callTrees ho; simp at this
    | nil =>
      obtain rfl := Option.some.inj h
      obtain rfl := Option.some.inj hc
      obtain rfl := Option.some.inj ho
      exact callLists_empty r
  | cons t ts ih =>
    cases cs with
    | nil => have := length_of_callTrees ho; simp at this
    | cons c cs =>
      obtain ⟨us, uss, rfl, hu, h1⟩ := columns_cons h
      obtain ⟨ds, dss, rfl, hd, h2⟩ := columns_cons hc
      rw [callTrees_cons, callTree_node] at ho
      obtain ⟨x, hx, ho⟩ := Option.bind_eq_some_iff.1 ho
      obtain ⟨y, hy, rfl⟩ := Option.map_eq_some_iff.1 ho
      exact callLists_consEach h1 h2 hx (ih hu hd hy)

theorem callTrees_map_node {tss : List (List (HTuple Mode))} {css : List (List Coord)} :
    callTrees (tss.map .node) (css.map .node) = callLists tss css := by
  induction tss generalizing css with
  | nil =>
    cases css with
    | nil => rfl
    | cons _ _ => simp [callTrees, mapList, Coord.toFlatList, callLists]
  | cons ts tss ih =>
    cases css with
    | nil => simp [callTrees, mapList, Coord.toFlatList, callLists]
    | cons cs css =>
      rw [List.map_cons, List.map_cons, callTrees_cons, callTree_node, ih, callLists]
      cases callTrees ts cs <;> cases callLists tss css <;> rfl

theorem zip_call_tree {t u : HTuple Mode} {c d : Coord} {o : Nat} (h : HTuple.zip t = some u)
    (hc : HTuple.zip c = some d) (hp : congruent c t = true) (ho : callTree t c = some o) :
    callTree u d = some o := by
  cases t with
  | leaf m =>
    cases c with
    | node _ => simp [congruent] at hp
    | leaf x =>
      obtain rfl := Option.some.inj h
      obtain rfl := Option.some.inj hc
      exact ho
  | node ts =>
    cases c with
    | leaf _ => simp [congruent] at hp
    | node cs =>
      rw [callTree_node] at ho
      cases ts with
      | nil => simp [HTuple.zip] at h
      | cons t ts =>
        cases cs with
        | nil => have := length_of_callTrees ho; simp at this
        | cons c cs =>
          simp only [congruent, congruentList, Bool.and_eq_true] at hp
          cases t with
          | leaf m =>
            cases c with
            | node _ => simp [congruent] at hp
            | leaf x =>
              obtain rfl := Option.some.inj h
              obtain rfl := Option.some.inj hc
              rw [callTree_node, callTrees_cons, callTrees_nil, callTree_node, ho]
              rfl
          | node us =>
            cases c with
            | leaf _ => simp [congruent] at hp
            | node ds =>
              obtain ⟨tss, ht, rfl⟩ := Option.map_eq_some_iff.1 h
              obtain ⟨css, hs, rfl⟩ := Option.map_eq_some_iff.1 hc
              have hl : ds.length = us.length := by
                rw [callTrees_cons, callTree_node] at ho
                obtain ⟨x, hx, _⟩ := Option.bind_eq_some_iff.1 ho
                exact length_of_callTrees hx
              rw [hl] at hs
              rw [callTree_node, callTrees_map_node]
              exact callLists_columns ht hs ho

/-! ## Permutations of the leaves -/

theorem flattenList_consEach {α : Type} {ts : List (HTuple α)} {tss vss : List (List (HTuple α))}
    (h : consEach ts tss = some vss) :
    (vss.flatMap flattenList).Perm (flattenList ts ++ tss.flatMap flattenList) := by
  induction ts generalizing tss vss with
  | nil =>
    cases tss with
    | cons _ _ => simp [consEach] at h
    | nil => obtain rfl := Option.some.inj h; exact .refl _
  | cons t ts ih =>
    cases tss with
    | nil => simp [consEach] at h
    | cons us tss =>
      obtain ⟨wss, hw, rfl⟩ := consEach_cons h
      rw [List.flatMap_cons, List.flatMap_cons, flattenList, flattenList, List.append_assoc, List.append_assoc]
      refine List.Perm.append_left _ (((ih hw).append_left _).trans ?_)
      rw [← List.append_assoc, ← List.append_assoc]
      exact List.perm_append_comm.append_right _

theorem flattenList_columns {α : Type} {r : Nat} {ts : List (HTuple α)} {tss : List (List (HTuple α))}
    (h : columns r ts = some tss) : (tss.flatMap flattenList).Perm (flattenList ts) := by
  induction ts generalizing tss with
  | nil =>
    obtain rfl := Option.some.inj h
    clear h
    induction r with
    | zero => exact .refl _
    | succ r ih => rw [List.replicate_succ, List.flatMap_cons]; exact ih
  | cons t ts ih =>
    obtain ⟨us, uss, rfl, hu, h1⟩ := columns_cons h
    rw [flattenList, HTuple.flatten]
    exact (flattenList_consEach h1).trans ((ih hu).append_left _)

theorem flattenList_map_node {α : Type} (tss : List (List (HTuple α))) :
    flattenList (tss.map .node) = tss.flatMap flattenList := by
  rw [flattenList_eq_flatMap, List.flatMap_map]
  congr 1

theorem flatten_zip {α : Type} {t u : HTuple α} (h : HTuple.zip t = some u) : u.flatten.Perm t.flatten := by
  cases t with
  | leaf a => obtain rfl := Option.some.inj h; exact .refl _
  | node ts =>
    cases ts with
    | nil => simp [HTuple.zip] at h
    | cons t ts =>
      cases t with
      | leaf a =>
        obtain rfl := Option.some.inj h
        rw [flatten_node, flattenList, flattenList, List.append_nil]
      | node us =>
        obtain ⟨tss, ht, rfl⟩ := Option.map_eq_some_iff.1 h
        rw [flatten_node, flattenList_map_node, flatten_node]
        exact flattenList_columns ht

mutual
theorem flatten_unzipBy {α : Type} : (g : Profile) → (t : HTuple α) → (a b : HTuple α) →
    HTuple.unzipBy g t = some (a, b) → (a.flatten ++ b.flatten).Perm t.flatten
  | .leaf _, .node [x, y], a, b, h => by
    simp only [HTuple.unzipBy, Option.some.injEq, Prod.mk.injEq] at h
    rw [← h.1, ← h.2, flatten_node, flattenList, flattenList, flattenList, List.append_nil]
  | .leaf _, .leaf _, _, _, h => by simp [HTuple.unzipBy] at h
  | .leaf _, .node [], _, _, h => by simp [HTuple.unzipBy] at h
  | .leaf _, .node [_], _, _, h => by simp [HTuple.unzipBy] at h
  | .leaf _, .node (_ :: _ :: _ :: _), _, _, h => by simp [HTuple.unzipBy] at h
  | .node gs, .node ts, a, b, h => by
    simp only [HTuple.unzipBy] at h
    obtain ⟨p, hp, h⟩ := Option.map_eq_some_iff.1 h
    cases h
    rw [flatten_node, flatten_node, flatten_node]
    exact flatten_unzipByList gs ts p.1 p.2 hp
  | .node _, .leaf _, _, _, h => by simp [HTuple.unzipBy] at h
theorem flatten_unzipByList {α : Type} : (gs : List Profile) → (ts as bs : List (HTuple α)) →
    HTuple.unzipByList gs ts = some (as, bs) → (flattenList as ++ flattenList bs).Perm (flattenList ts)
  | [], ts, as, bs, h => by
    simp only [HTuple.unzipByList, Option.some.injEq, Prod.mk.injEq] at h
    rw [← h.1, ← h.2]
    exact .refl _
  | _ :: _, [], _, _, h => by simp [HTuple.unzipByList] at h
  | g :: gs, t :: ts, as, bs, h => by
    simp only [HTuple.unzipByList] at h
    split at h
    · rename_i x y xs ys h1 h2
      simp only [Option.some.injEq, Prod.mk.injEq] at h
      rw [← h.1, ← h.2, flattenList, flattenList, flattenList]
      exact (perm_append_swap _ _ _ _).trans
        ((flatten_unzipBy g t x y h1).append (flatten_unzipByList gs ts xs ys h2))
    · cases h
end

mutual
theorem unzipBy_call : (g : Profile) → (t : HTuple Mode) → (c : Coord) → (a b : HTuple Mode) → (x y : Coord) →
    (o : Nat) → HTuple.unzipBy g t = some (a, b) → HTuple.unzipBy g c = some (x, y) →
    callTree t c = some o → ∃ p q, callTree a x = some p ∧ callTree b y = some q ∧ o = p + q
  | .leaf _, .node [t, u], c, a, b, x, y, o, h, hc, ho => by
    simp only [HTuple.unzipBy, Option.some.injEq, Prod.mk.injEq] at h
    match c, hc with
    | .node [c, d], hc =>
      simp only [HTuple.unzipBy, Option.some.injEq, Prod.mk.injEq] at hc
      rw [callTree_node, callTrees_cons, callTrees_cons, callTrees_nil] at ho
      obtain ⟨p, hp, ho⟩ := Option.bind_eq_some_iff.1 ho
      obtain ⟨q, hq, rfl⟩ := Option.map_eq_some_iff.1 ho
      obtain ⟨q, hq, hz⟩ := Option.bind_eq_some_iff.1 hq
      simp only [Option.map_some, Nat.add_zero, Option.some.injEq] at hz
      rw [← h.1, ← h.2, ← hc.1, ← hc.2]
      exact ⟨p, q, hp, hq, by omega⟩
    | .leaf _, hc => simp [HTuple.unzipBy] at hc
    | .node [], hc => simp [HTuple.unzipBy] at hc
    | .node [_], hc => simp [HTuple.unzipBy] at hc
    | .node (_ :: _ :: _ :: _), hc => simp [HTuple.unzipBy] at hc
  | .leaf _, .leaf _, _, _, _, _, _, _, h, _, _ => by simp [HTuple.unzipBy] at h
  | .leaf _, .node [], _, _, _, _, _, _, h, _, _ => by simp [HTuple.unzipBy] at h
  | .leaf _, .node [_], _, _, _, _, _, _, h, _, _ => by simp [HTuple.unzipBy] at h
  | .leaf _, .node (_ :: _ :: _ :: _), _, _, _, _, _, _, h, _, _ => by simp [HTuple.unzipBy] at h
  | .node _, .leaf _, _, _, _, _, _, _, h, _, _ => by simp [HTuple.unzipBy] at h
  | .node _, .node _, .leaf _, _, _, _, _, _, _, hc, _ => by simp [HTuple.unzipBy] at hc
  | .node gs, .node ts, .node cs, a, b, x, y, o, h, hc, ho => by
    simp only [HTuple.unzipBy] at h hc
    obtain ⟨u, hu, h⟩ := Option.map_eq_some_iff.1 h
    obtain ⟨d, hd, hc⟩ := Option.map_eq_some_iff.1 hc
    cases h
    cases hc
    rw [callTree_node] at ho
    obtain ⟨p, q, hp, hq, he⟩ := unzipByList_call gs ts cs u.1 u.2 d.1 d.2 o hu hd ho
    exact ⟨p, q, by rw [callTree_node, hp], by rw [callTree_node, hq], he⟩
theorem unzipByList_call : (gs : List Profile) → (ts : List (HTuple Mode)) → (cs : List Coord) →
    (as bs : List (HTuple Mode)) → (xs ys : List Coord) → (o : Nat) →
    HTuple.unzipByList gs ts = some (as, bs) → HTuple.unzipByList gs cs = some (xs, ys) →
    callTrees ts cs = some o → ∃ p q, callTrees as xs = some p ∧ callTrees bs ys = some q ∧ o = p + q
  | [], ts, cs, as, bs, xs, ys, o, h, hc, ho => by
    simp only [HTuple.unzipByList, Option.some.injEq, Prod.mk.injEq] at h hc
    rw [← h.1, ← h.2, ← hc.1, ← hc.2]
    exact ⟨0, o, callTrees_nil, ho, by omega⟩
  | _ :: _, [], _, _, _, _, _, _, h, _, _ => by simp [HTuple.unzipByList] at h
  | _ :: _, _ :: _, [], _, _, _, _, _, _, hc, _ => by simp [HTuple.unzipByList] at hc
  | g :: gs, t :: ts, c :: cs, as, bs, xs, ys, o, h, hc, ho => by
    simp only [HTuple.unzipByList] at h hc
    split at h
    · rename_i a b as' bs' h1 h2
      split at hc
      · rename_i x y xs' ys' hc1 hc2
        simp only [Option.some.injEq, Prod.mk.injEq] at h hc
        rw [callTrees_cons] at ho
        obtain ⟨m, hm, ho⟩ := Option.bind_eq_some_iff.1 ho
        obtain ⟨n, hn, rfl⟩ := Option.map_eq_some_iff.1 ho
        obtain ⟨p, q, hp, hq, he⟩ := unzipBy_call g t c a b x y m h1 hc1 hm
        obtain ⟨p', q', hp', hq', he'⟩ := unzipByList_call gs ts cs as' bs' xs' ys' n h2 hc2 hn
        rw [← h.1, ← h.2, ← hc.1, ← hc.2, callTrees_cons, callTrees_cons, hp, hp', hq, hq']
        exact ⟨p + p', q + q', rfl, rfl, by omega⟩
      · cases hc
    · cases h
end

end Aux
open Aux

/-- **Zipping permutes the modes: the offsets are the same, each hit as often.**
Rust: `razorgirl::Layout::zip`
Source: CuTe `zip` -/
theorem zip_perm {L R : Layout} (hL : L.Valid) (h : zip L = some R) :
    R.modes.Perm L.modes ∧ R.size = L.size ∧ (offsets R.modes).Perm (offsets L.modes) := by
  obtain ⟨t, ht, rfl⟩ := onTree_eq_some h
  have h1 := flatten_zip ht
  rw [flatten_tree hL.1] at h1
  exact ⟨h1, size_perm h1, offsets_perm h1⟩

/-- **Zipped alike, layout and coordinate give the offset they gave before.**
Rust: `razorgirl::Layout::zip`
Source: CuTe `zip` -/
theorem zip_call {L R : Layout} {c c' : Coord} {o : Nat} (hL : L.Valid) (h : zip L = some R)
    (hp : congruent c L.profile = true) (hc : HTuple.zip c = some c') (ho : L.call c = some o) :
    R.call c' = some o := by
  obtain ⟨t, ht, rfl⟩ := onTree_eq_some h
  rw [call_eq_callTree hL.1] at ho
  rw [call_ofTree]
  rw [congruent_iff_profile_eq, profile_of_profile, ← profile_tree, ← congruent_iff_profile_eq] at hp
  exact zip_call_tree ht hc hp ho

/-- **Two layouts zipped are the pair of them zipped: each mode of one beside the mode of the other in its place.**
Rust: `razorgirl::Layout::zip_with`
Source: CuTe `zip` -/
theorem zipPair_eq_zip {A B : Layout} (hA : A.Valid) (hB : B.Valid) : zipPair A B = zip (concat [A, B]) := by
  have hv : ∀ L ∈ [A, B], L.Valid := by simp [hA, hB]
  rw [zipPair, zip, onTree, tree_concat hv]
  rfl

/-- **Unzipping permutes the modes: the offsets are the same, each hit as often.**
Rust: `razorgirl::Layout::unzip`
Source: CuTe `zip2_by`, `tile_unzip` -/
theorem unzipBy_perm {g : Profile} {L R : Layout} (hL : L.Valid) (h : unzipBy g L = some R) :
    R.modes.Perm L.modes ∧ R.size = L.size ∧ (offsets R.modes).Perm (offsets L.modes) := by
  obtain ⟨t, ht, rfl⟩ := onTree_eq_some h
  obtain ⟨p, hp, rfl⟩ := Option.map_eq_some_iff.1 ht
  have h1 := flatten_unzipBy g L.tree p.1 p.2 hp
  rw [flatten_tree hL.1] at h1
  have h2 : (ofTree (.node [p.1, p.2])).modes = p.1.flatten ++ p.2.flatten := by
    rw [ofTree, flatten_node, flattenList, flattenList, flattenList, List.append_nil]
  rw [← h2] at h1
  exact ⟨h1, size_perm h1, offsets_perm h1⟩

/-- **Unzipped alike, layout and coordinate give the offset they gave before.**
Rust: `razorgirl::Layout::unzip`
Source: CuTe `zip2_by`, `tile_unzip` -/
theorem unzipBy_call {g : Profile} {L R : Layout} {c c' : Coord} {o : Nat} (hL : L.Valid)
    (h : unzipBy g L = some R) (hc : HTuple.unzip g c = some c') (ho : L.call c = some o) :
    R.call c' = some o := by
  obtain ⟨t, ht, rfl⟩ := onTree_eq_some h
  obtain ⟨p, hp, rfl⟩ := Option.map_eq_some_iff.1 ht
  obtain ⟨d, hd, rfl⟩ := Option.map_eq_some_iff.1 hc
  rw [call_eq_callTree hL.1] at ho
  obtain ⟨x, y, hx, hy, rfl⟩ := Aux.unzipBy_call g L.tree c p.1 p.2 d.1 d.2 o hp hd ho
  rw [call_ofTree, callTree_node, callTrees_cons, callTrees_cons, callTrees_nil, hx, hy]
  rfl

end Layout

end Razorgirl
