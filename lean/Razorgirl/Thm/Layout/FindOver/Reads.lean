module

public import Razorgirl.Spec.Layout.FindOver.Reads
public import Razorgirl.Thm.Layout.FindOver.Scan

@[expose] public section

/-!
# What the search reads: what is proved

Each entry at most once, and none behind the one that it refuses at; all of them where it answers, as every program has to whose
answers are right.
-/

namespace Razorgirl

namespace FindOver

namespace Asks

theorem result_map {α β : Type} (f : Nat → Int) (g : α → β) : (p : Asks α) → (p.map g).result f = g (p.result f)
  | answer _ => rfl
  | read x next => result_map f g (next (f x))

theorem reads_map {α β : Type} (f : Nat → Int) (g : α → β) : (p : Asks α) → (p.map g).reads f = p.reads f
  | answer _ => rfl
  | read x next => congrArg (x :: ·) (reads_map f g (next (f x)))

/-- Where two functions agree on what is read, the program answers the same. -/
theorem result_congr {α : Type} {f g : Nat → Int} : (p : Asks α) → (∀ x ∈ p.reads f, f x = g x) → p.result f = p.result g
  | answer _, _ => rfl
  | read x next, h => by
    rw [reads, List.forall_mem_cons] at h
    rw [result, result, ← h.1]
    exact result_congr (next (f x)) h.2

end Asks

theorem scanAsks_spec (n : Nat) (first : Int) (f : Nat → Int) : (more : Nat) → (starts : List Start) → (x : Nat) → (before : Int) →
    (scanAsks n first more starts x before).result f = scan n first starts x before ((List.range' x more).map f) ∧
      ((∃ found, scan n first starts x before ((List.range' x more).map f) = .ok found ∧
        (scanAsks n first more starts x before).reads f = List.range' x more) ∨
      ∃ y, scan n first starts x before ((List.range' x more).map f) = .error (x + y) ∧
        (scanAsks n first more starts x before).reads f = List.range' x (y + 1))
  | 0, starts, x, before => ⟨rfl, .inl ⟨starts, rfl, rfl⟩⟩
  | more + 1, starts, x, before => by
    rw [List.range'_succ, List.map_cons, scan, scanAsks, Asks.result, Asks.reads]
    have step : ∀ s, let p := scanAsks n first more s (x + 1) (f x)
        let vs := (List.range' (x + 1) more).map f
        p.result f = scan n first s (x + 1) (f x) vs ∧
          ((∃ found, scan n first s (x + 1) (f x) vs = .ok found ∧ x :: p.reads f = x :: List.range' (x + 1) more) ∨
            ∃ y, scan n first s (x + 1) (f x) vs = .error (x + y) ∧ x :: p.reads f = List.range' x (y + 1)) := by
      intro s
      obtain ⟨h1, ⟨found, h2, h3⟩ | ⟨y, h2, h3⟩⟩ := scanAsks_spec n first f more s (x + 1) (f x)
      · exact ⟨h1, .inl ⟨found, h2, by rw [h3]⟩⟩
      · exact ⟨h1, .inr ⟨y + 1, by rw [h2]; congr 1; omega, by rw [h3, ← List.range'_succ]⟩⟩
    split
    · exact step starts
    · split
      · exact step _
      · exact ⟨rfl, .inr ⟨0, rfl, rfl⟩⟩

/-- **The program that has to ask for each entry answers what the search of an axis does.**
Rust: `razorgirl::find_modes`
Source: ours -/
theorem axisAsks_result (f : Nat → Int) : (n : Nat) → (axisAsks n).result f = axisAnswer n f
  | 0 => rfl
  | 1 => rfl
  | n + 2 => by
    have h := (scanAsks_spec (n + 2) (f 0) f n [⟨1, f 1 - f 0, f 1 - f 0⟩] 2 (f 1)).1
    have e : (List.range (n + 2)).map f = f 0 :: f 1 :: (List.range' 2 n).map f := by
      rw [List.range_eq_range', List.range'_succ, List.range'_succ]
      rfl
    rw [axisAsks, Asks.result, Asks.result, Asks.result_map, h, axisAnswer, e, findAxis, List.length_map, List.length_range']
    generalize scan (n + 2) (f 0) [⟨1, f 1 - f 0, f 1 - f 0⟩] 2 (f 1) ((List.range' 2 n).map f) = found
    cases found <;> rfl

/-- **It reads the entries from the first on, each once: all of them where it answers, and where it refuses none behind the index that
it names.**
Rust: `razorgirl::find_modes`
Source: simplified-layout (An and Zhou, Rocq), whose scan reads entries up to three times -/
theorem axisAsks_reads {n : Nat} (hn : 0 < n) (f : Nat → Int) :
    (∀ kg, axisAnswer n f = .ok kg → (axisAsks n).reads f = List.range n) ∧
      ∀ x, axisAnswer n f = .error x → (axisAsks n).reads f = List.range (x + 1) := by
  match n, hn with
  | 1, _ => exact ⟨fun _ _ => rfl, fun x h => by cases h⟩
  | n + 2, _ =>
    have e : (List.range (n + 2)).map f = f 0 :: f 1 :: (List.range' 2 n).map f := by
      rw [List.range_eq_range', List.range'_succ, List.range'_succ]
      rfl
    have e2 : ∀ m, List.range (m + 2) = 0 :: 1 :: List.range' 2 m := fun m => by
      rw [List.range_eq_range', List.range'_succ, List.range'_succ]
    rw [axisAnswer, e, findAxis, List.length_map, List.length_range', axisAsks, Asks.reads, Asks.reads, Asks.reads_map]
    obtain ⟨-, ⟨found, h2, h3⟩ | ⟨y, h2, h3⟩⟩ := scanAsks_spec (n + 2) (f 0) f n [⟨1, f 1 - f 0, f 1 - f 0⟩] 2 (f 1)
    · rw [h2, h3]
      exact ⟨fun _ _ => (e2 n).symm, fun x h => by cases h⟩
    · rw [h2, h3]
      refine ⟨fun _ h => by (cases h), fun x h => ?_⟩
      simp only [Except.error.injEq] at h
      rw [show x + 1 = y + 1 + 2 by omega, e2]

/-- **To read every entry where it answers is optimal: so does any program whose answers are right.**
Rust: `razorgirl::find_modes`
Source: ours -/
theorem reads_of_answersRightly {n : Nat} {p : Asks (Except Nat (Int × Stride.Modes Int))} (hp : AnswersRightly n p) {f : Nat → Int}
    {kg : Int × Stride.Modes Int} (h : p.result f = .ok kg) {x : Nat} (hx : x < n) : x ∈ p.reads f := by
  rcases Decidable.em (x ∈ p.reads f) with hm | hm
  · exact hm
  · exfalso
    have e : p.result f = p.result fun y => if y = x then f x + 1 else f y := by
      refine Asks.result_congr p fun y hy => ?_
      have hne : y ≠ x := fun e => hm (e ▸ hy)
      simp [hne]
    have h1 := hp f kg.1 kg.2 h x hx
    have h2 := hp _ kg.1 kg.2 (e ▸ h) x hx
    simp only [if_true] at h2
    omega

/-- **The program that has to ask for each entry answers nothing wrong, and refuses where there is no layout only.**
Rust: `razorgirl::find_modes`
Source: ours -/
theorem axisAsks_answersRightly {n : Nat} (hn : 0 < n) : AnswersRightly n (axisAsks n) ∧
    ∀ f x, (axisAsks n).result f = .error x →
      ¬ ∃ k g, Stride.Valid g ∧ Stride.size g = n ∧ ∀ y, y < n → f y = k + Stride.atIndex g y := by
  constructor
  · intro f k g h
    rw [axisAsks_result, axisAnswer] at h
    split at h
    · rename_i L hL
      simp only [Except.ok.injEq, Prod.mk.injEq] at h
      obtain ⟨rfl, rfl⟩ := h
      exact ((findAxis_eq_ok_iff hn).1 hL).2.2.2
    · cases h
  · rintro f x h ⟨k, g, vg, sg, ag⟩
    rw [axisAsks_result, axisAnswer] at h
    split at h
    · cases h
    · rename_i y hy
      obtain ⟨hlt, no, -⟩ := (findAxis_eq_error_iff hn).1 hy
      refine no ⟨g, vg, sg, fun z hz => ?_⟩
      have h0 := ag 0 hn
      have hz' := ag z (by omega)
      have : Stride.atIndex g 0 = 0 := at_zero g
      omega

end FindOver

end Razorgirl
