module

public import Razorgirl.Spec.Tma.Tile

@[expose] public section

/-!
# Tiles in a layout of shared memory: what is proved

No fault is found exactly where the tiles fit; every fault that is found is one; and where the tiles fit, no two elements
of any tiles share a place.
-/

namespace Razorgirl

namespace Tma
open FlatLayout

theorem firstFrom_eq_none_iff (p : Nat → Bool) (fuel x : Nat) :
    firstFrom p fuel x = none ↔ ∀ y, x ≤ y → y < x + fuel → p y = false := by
  induction fuel generalizing x with
  | zero => simp [firstFrom]; omega
  | succ fuel ih =>
    rw [firstFrom]
    split
    · rename_i he
      simp only [reduceCtorEq, false_iff]
      intro h
      have := h x (Nat.le_refl _) (by omega)
      rw [he] at this
      cases this
    · rename_i he
      rw [ih]
      constructor
      · intro h y h1 h2
        by_cases hy : y = x
        · rw [hy]; simpa using he
        · exact h y (by omega) (by omega)
      · exact fun h y h1 h2 => h y (by omega) (by omega)

theorem firstFrom_spec {p : Nat → Bool} {fuel x y : Nat} (h : firstFrom p fuel x = some y) :
    x ≤ y ∧ y < x + fuel ∧ p y = true := by
  induction fuel generalizing x with
  | zero => simp [firstFrom] at h
  | succ fuel ih =>
    rw [firstFrom] at h
    split at h
    · rename_i he
      obtain rfl := Option.some.inj h
      exact ⟨Nat.le_refl _, by omega, he⟩
    · obtain ⟨h1, h2, h3⟩ := ih h
      exact ⟨by omega, by omega, h3⟩

theorem beginsTwice_iff (tiles : FlatLayout) (y : Nat) :
    beginsTwice tiles y = true ↔ ∃ z, z < y ∧ atIndex tiles z = atIndex tiles y := by
  rw [beginsTwice]
  split
  · rename_i z hz
    obtain ⟨-, h1, h2⟩ := firstFrom_spec hz
    simp only [true_iff]
    exact ⟨z, by omega, by simpa using h2⟩
  · rename_i hz
    rw [firstFrom_eq_none_iff] at hz
    simp only [Bool.false_eq_true, false_iff]
    rintro ⟨z, h1, h2⟩
    have := hz z (Nat.zero_le _) (by omega)
    simp [h2] at this

/-- **No fault is found exactly where the tile is one run in order, every tile begins at a multiple of its size, and no two
tiles begin at the same place.**
Rust: `razorgirl::tma::tile_fault`
Source: nvFuser TMA tutorial, step 4 -/
theorem tileFault_eq_none_iff (tile tiles : FlatLayout) (n : Nat) :
    tileFault tile tiles n = none ↔ TilesFit tile tiles n := by
  have hrun : firstFrom (fun x => atIndex tile x != x) n 0 = none ↔ ∀ x, x < n → atIndex tile x = x := by
    rw [firstFrom_eq_none_iff]
    simp
  have hat : firstFrom (fun y => atIndex tiles y % n != 0) (FlatLayout.size tiles) 0 = none ↔
      ∀ y, y < FlatLayout.size tiles → n ∣ atIndex tiles y := by
    rw [firstFrom_eq_none_iff]
    simp [Nat.dvd_iff_mod_eq_zero]
  have htwo : firstFrom (beginsTwice tiles) (FlatLayout.size tiles) 0 = none ↔
      ∀ y z, y < FlatLayout.size tiles → z < FlatLayout.size tiles → atIndex tiles y = atIndex tiles z → y = z := by
    rw [firstFrom_eq_none_iff]
    have hb : ∀ y, beginsTwice tiles y = false ↔ ∀ z, z < y → atIndex tiles z ≠ atIndex tiles y := by
      intro y
      rw [← Bool.not_eq_true, beginsTwice_iff]
      simp
    simp only [hb, Nat.zero_add]
    constructor
    · intro h y z hy hz he
      rcases Nat.lt_trichotomy y z with hl | hl | hl
      · exact absurd he (h z (Nat.zero_le _) hz y hl)
      · exact hl
      · exact absurd he.symm (h y (Nat.zero_le _) hy z hl)
    · intro h y _ hy z hz he
      have := h z y (by omega) hy he
      omega
  rw [TilesFit, ← hrun, ← hat, ← htwo, tileFault]
  split
  · rename_i hs
    split
    · simp_all
    · split
      · simp_all
      · split <;> simp_all
  · simp_all

/-- **A fault that is found is one: the tile has another size; or its element `x` lies elsewhere; or a tile begins at no
multiple of the size; or two tiles begin at one place.**
Rust: `razorgirl::tma::tile_fault`
Source: nvFuser TMA tutorial, step 4 -/
theorem tileFault_spec {tile tiles : FlatLayout} {n : Nat} {f : TileFault} (h : tileFault tile tiles n = some f) :
    match f with
    | .size k => k = FlatLayout.size tile ∧ k ≠ n
    | .scattered x o => x < n ∧ o = atIndex tile x ∧ o ≠ x
    | .straddles o => ¬ n ∣ o ∧ ∃ y, y < FlatLayout.size tiles ∧ atIndex tiles y = o
    | .shared o => ∃ y z, z < y ∧ y < FlatLayout.size tiles ∧ atIndex tiles y = o ∧ atIndex tiles z = o := by
  rw [tileFault] at h
  split at h
  · split at h
    · rename_i x hx
      obtain ⟨-, h1, h2⟩ := firstFrom_spec hx
      obtain rfl := Option.some.inj h
      exact ⟨by omega, rfl, by simpa using h2⟩
    · split at h
      · rename_i y hy
        obtain ⟨-, h1, h2⟩ := firstFrom_spec hy
        obtain rfl := Option.some.inj h
        exact ⟨by simpa [Nat.dvd_iff_mod_eq_zero] using h2, y, by omega, rfl⟩
      · split at h
        · rename_i y hy
          obtain ⟨-, h1, h2⟩ := firstFrom_spec hy
          obtain ⟨z, hz, he⟩ := (beginsTwice_iff tiles y).1 h2
          obtain rfl := Option.some.inj h
          exact ⟨y, z, hz, by omega, rfl, he⟩
        · cases h
  · rename_i hs
    obtain rfl := Option.some.inj h
    exact ⟨rfl, hs⟩

/-- **Where the tiles fit, no place is written twice: elements `x` and `x'` of tiles `y` and `y'` share a place only if
they are the same element of the same tile.**
Rust: `razorgirl::tma::tile_fault`
Source: nvFuser TMA tutorial, step 4 -/
theorem TilesFit.disjoint {tile tiles : FlatLayout} {n x x' y y' : Nat} (h : TilesFit tile tiles n) (hx : x < n)
    (hx' : x' < n) (hy : y < FlatLayout.size tiles) (hy' : y' < FlatLayout.size tiles)
    (he : atIndex tiles y + atIndex tile x = atIndex tiles y' + atIndex tile x') : x = x' ∧ y = y' := by
  obtain ⟨-, hrun, hat, htwo⟩ := h
  rw [hrun x hx, hrun x' hx'] at he
  obtain ⟨a, ha⟩ := hat y hy
  obtain ⟨b, hb⟩ := hat y' hy'
  have hm : x = x' := by
    have : (n * a + x) % n = (n * b + x') % n := by rw [← ha, ← hb, he]
    rwa [Nat.mul_add_mod, Nat.mul_add_mod, Nat.mod_eq_of_lt hx, Nat.mod_eq_of_lt hx'] at this
  refine ⟨hm, htwo y y' hy hy' ?_⟩
  omega

end Tma

end Razorgirl
