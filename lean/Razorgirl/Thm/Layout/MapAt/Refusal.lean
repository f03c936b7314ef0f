module

public import Razorgirl.Spec.Layout.MapAt.Refusal
public import Razorgirl.Thm.Layout.Coalesce.MapAt

@[expose] public section

/-!
# Why a layout is not coalesced or filtered by a profile: what is proved
-/

namespace Razorgirl

namespace Layout
open HTuple

mutual
theorem firstLonger_eq_none_iff {α : Type} : (p : Profile) → (t : HTuple α) →
    (firstLonger p t = none ↔ fits p t = true)
  | .leaf _, _ => by simp [firstLonger, fits]
  | .node ps, .node ts => by rw [firstLonger, fits]; exact firstLongers_eq_none_iff 0 ps ts
  | .node ps, .leaf a => by rw [firstLonger, fits]; exact firstLongers_eq_none_iff 0 ps [.leaf a]
theorem firstLongers_eq_none_iff {α : Type} (i : Nat) : (ps : List Profile) → (ts : List (HTuple α)) →
    (firstLongers i ps ts = none ↔ fitsList ps ts = true)
  | [], _ => by simp [firstLongers, fitsList]
  | _ :: _, [] => by simp [firstLongers, fitsList]
  | p :: ps, t :: ts => by
    have h1 := firstLonger_eq_none_iff p t
    have h2 := firstLongers_eq_none_iff (i + 1) ps ts
    rw [firstLongers, fitsList, Bool.and_eq_true, ← h1, ← h2]
    cases firstLonger p t <;> simp
end

mutual
theorem firstLonger_eq_some {α : Type} : (p : Profile) → (t : HTuple α) → (place : List Nat) →
    firstLonger p t = some place →
    ∃ ps s, atPlace p place = some (.node ps) ∧ atPlace t place = some s ∧ (children s).length < ps.length
  | .leaf _, _, _, h => by simp [firstLonger] at h
  | .node ps, t, place, h => by
    rw [firstLonger] at h
    rcases firstLongers_eq_some 0 ps (children t) place h with ⟨rfl, hl⟩ | ⟨i, q, s, rest, hq, hs, rfl, qs, s', h1, h2, h3⟩
    · exact ⟨ps, t, rfl, rfl, hl⟩
    · refine ⟨qs, s', ?_, ?_, h3⟩
      · rw [Nat.zero_add, atPlace]
        simp only [children, hq]
        exact h1
      · rw [Nat.zero_add, atPlace]
        simp only [hs]
        exact h2
theorem firstLongers_eq_some {α : Type} (k : Nat) : (ps : List Profile) → (ts : List (HTuple α)) → (place : List Nat) →
    firstLongers k ps ts = some place → (place = [] ∧ ts.length < ps.length) ∨
    ∃ (i : Nat) (q : Profile) (s : HTuple α) (rest : List Nat), ps[i]? = some q ∧ ts[i]? = some s ∧
      place = (k + i) :: rest ∧
      ∃ qs s', atPlace q rest = some (.node qs) ∧ atPlace s rest = some s' ∧ (children s').length < qs.length
  | [], _, _, h => by simp [firstLongers] at h
  | _ :: _, [], _, h => by
    rw [firstLongers, Option.some.injEq] at h
    exact .inl ⟨h.symm, by simp⟩
  | p :: ps, t :: ts, place, h => by
    rw [firstLongers] at h
    cases hr : firstLonger p t with
    | some rest =>
      rw [hr] at h
      exact .inr ⟨0, p, t, rest, rfl, rfl, (Option.some.inj h).symm, firstLonger_eq_some p t rest hr⟩
    | none =>
      rw [hr] at h
      rcases firstLongers_eq_some (k + 1) ps ts place h with ⟨e, hl⟩ | ⟨i, q, s, rest, hq, hs, e, hx⟩
      · exact .inl ⟨e, by simpa using hl⟩
      · exact .inr ⟨i + 1, q, s, rest, hq, hs, by rw [e]; congr 1; omega, hx⟩
end

/-- **Coalescing and filtering by a profile are refused exactly where they answer nothing.**
Rust: `razorgirl::Layout::coalesce_by`, `razorgirl::Layout::filter_by`
Source: CuTe `coalesce(L, profile)`, `filter(L, profile)` -/
theorem coalesceByRefusal_eq_none_iff (target : Profile) (L : Layout) :
    (coalesceByRefusal target L = none ↔ ∃ R, coalesceBy target L = some R) ∧
      (filterByRefusal target L = none ↔ ∃ R, filterBy target L = some R) := by
  rw [← Option.isSome_iff_exists, ← Option.isSome_iff_exists, coalesceBy, filterBy, Option.isSome_map, Option.isSome_map,
    isSome_mapAt, isSome_mapAt]
  exact ⟨firstLonger_eq_none_iff target L.tree, firstLonger_eq_none_iff target L.tree⟩

/-- **Where coalescing or filtering by a profile is refused, a tuple of the profile stands at the place that is named, and has
more modes than what stands there in the layout.**
Rust: `razorgirl::Layout::coalesce_by`, `razorgirl::Layout::filter_by`
Source: CuTe `coalesce(L, profile)`, `filter(L, profile)` -/
theorem coalesceByRefusal_eq_some {target : Profile} {L : Layout} {place : List Nat}
    (h : coalesceByRefusal target L = some place ∨ filterByRefusal target L = some place) :
    ∃ ps s, atPlace target place = some (.node ps) ∧ atPlace L.tree place = some s ∧
      (children s).length < ps.length := firstLonger_eq_some target L.tree place (h.elim id id)

end Layout

end Razorgirl
