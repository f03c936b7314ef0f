module

public import Razorgirl.Spec.LinearLayout.Encoding
public import Razorgirl.Thm.LinearLayout.Fit
public import Razorgirl.Thm.LinearLayout.Quotient

@[expose] public section

/-!
# Triton's blocked encoding by digits: what is proved

Before it is fitted to a shape, the blocked encoding puts the digits of the register lowest in each dimension of the tensor,
those of the lane above them, and those of the warp highest.
-/

namespace Razorgirl

namespace LinearLayout

namespace Encoding

/-! ## Products in another order -/

theorem nodup_join {a b : List String} (ha : a.Nodup) (hb : b.Nodup) (h : ∀ n ∈ b, n ∉ a) : (a ++ b).Nodup :=
  List.nodup_append.2 ⟨ha, hb, fun _ hx _ hy e => h _ hy (e ▸ hx)⟩

theorem nodup_without {B : Dims} (h : B.distinct = true) (names : List String) : (B.without names).names.Nodup :=
  nodup_names (distinct_filter h _)

theorem covers (A B : Dims) (n : String) (h : A.has n = true ∨ B.has n = true) :
    n ∈ A.names ++ (B.without A.names).names := by
  rw [List.mem_append]
  by_cases q : n ∈ A.names
  · exact .inl q
  · rcases h with h | h
    · exact absurd ((has_iff_names A n).1 h) q
    · exact .inr ((mem_without _ _ _).2 ⟨h, q⟩)

theorem eval_times {A B : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true) (p : Point) (n : String) :
    (times A B).eval p n = A.eval p n + 2 ^ A.outs.bits n * B.eval (fun i => p i / 2 ^ A.ins.bits i) n :=
  eval_productOver hA hB (covers _ _) (covers _ _) p n

theorem wellFormed_times {A B : LinearLayout} (hA : A.wellFormed = true) (hB : B.wellFormed = true) :
    (times A B).wellFormed = true := by
  have side : ∀ {D E : Dims}, D.distinct = true → E.distinct = true →
      (addDims D E (D.names ++ (E.without D.names).names)).distinct = true := by
    intro D E hD hE
    apply distinct_of_nodup
    rw [names_addDims]
    exact nodup_join (nodup_names hD) (nodup_without hE _) fun n hn => ((mem_without _ _ _).1 hn).2
  exact wellFormed_ofEval (side (distinct_ins hA) (distinct_ins hB)) (side (distinct_outs hA) (distinct_outs hB)) _

theorem bits_joined (D E : Dims) (n : String) :
    (addDims D E (D.names ++ (E.without D.names).names)).bits n = D.bits n + E.bits n := by
  rw [bits_addDims]
  split
  · rfl
  · rename_i h
    have a : D.has n = false := by rw [← Bool.not_eq_true]; exact fun e => h (covers D E n (.inl e))
    have b : E.has n = false := by rw [← Bool.not_eq_true]; exact fun e => h (covers D E n (.inr e))
    rw [bits_of_not_has a, bits_of_not_has b]

theorem bits_times_ins (A B : LinearLayout) (n : String) : (times A B).ins.bits n = A.ins.bits n + B.ins.bits n :=
  bits_joined _ _ _

theorem bits_times_outs (A B : LinearLayout) (n : String) : (times A B).outs.bits n = A.outs.bits n + B.outs.bits n :=
  bits_joined _ _ _

/-! ## Counting through dimensions -/

theorem eval_zeros1D (k m : Nat) (i o : String) (p : Point) (n : String) : (zeros1D k m i o).eval p n = 0 := by
  have lin : LinearPoints fun (_ : Point) (_ : String) => 0 := fun _ _ _ => (Nat.xor_self 0).symm
  rw [zeros1D, eval_ofEval lin, restrict, Nat.zero_mod]

/-- One dimension of `spread`. -/
def spreadStep (i : String) (sizes : List Nat) (still : Option Nat) (d : Nat) : LinearLayout :=
  if still = some d then zeros1D (log (sizes.getD d 1)) 0 i (dimName d)
  else identity1D (log (sizes.getD d 1)) i (dimName d)

theorem spreadStep_spec (i : String) (sizes : List Nat) (still : Option Nat) (d : Nat) :
    (spreadStep i sizes still d).wellFormed = true ∧
      (∀ j, (spreadStep i sizes still d).ins.bits j = if j = i then log (sizes.getD d 1) else 0) ∧
      (∀ m, (spreadStep i sizes still d).outs.bits m =
        if still = some d then 0 else if m = dimName d then log (sizes.getD d 1) else 0) ∧
      ∀ p m, (spreadStep i sizes still d).eval p m =
        if still = some d then 0 else if m = dimName d then p i % 2 ^ log (sizes.getD d 1) else 0 := by
  unfold spreadStep
  split
  · refine ⟨wellFormed_ofEval rfl rfl _, fun j => bits_one i j _, fun m => ?_, fun p m => eval_zeros1D _ _ _ _ p m⟩
    show Dims.bits [(dimName d, 0)] m = 0
    rw [bits_one, ite_self]
  · exact ⟨wellFormed_identity1D _ _ _, fun j => bits_one i j _, fun m => bits_one (dimName d) m _,
      fun p m => eval_identity1D _ _ _ p m⟩

theorem fold_spread (i : String) (sizes : List Nat) (still : Option Nat) {order : List Nat} {L : LinearLayout}
    (hL : L.wellFormed = true) (hn : (order.map dimName).Nodup) (hz : ∀ e ∈ order, L.outs.bits (dimName e) = 0) :
    ∃ R, R = order.foldl (fun L d => times L (spreadStep i sizes still d)) L ∧ R.wellFormed = true ∧
      (∀ j, j ≠ i → R.ins.bits j = L.ins.bits j) ∧
      (∀ d ∈ order, R.outs.bits (dimName d) = if still = some d then 0 else log (sizes.getD d 1)) ∧
      (∀ m, m ∉ order.map dimName → ∀ p, R.eval p m = L.eval p m) ∧
      ∀ p, ∀ d ∈ order, R.eval p (dimName d) =
        if still = some d then 0 else digitOf sizes order d (p i / 2 ^ L.ins.bits i) := by
  induction order generalizing L with
  | nil => exact ⟨L, rfl, hL, fun _ _ => rfl, fun _ h => absurd h List.not_mem_nil, fun _ _ _ => rfl,
      fun _ _ h => absurd h List.not_mem_nil⟩
  | cons e order ih =>
    obtain ⟨w, bi, bo, ev⟩ := spreadStep_spec i sizes still e
    rw [List.map_cons] at hn
    obtain ⟨hn₁, hn₂⟩ := List.nodup_cons.1 hn
    have other : ∀ d ∈ order, dimName d ≠ dimName e := fun d hd q => hn₁ (q ▸ List.mem_map_of_mem hd)
    have wT := wellFormed_times hL w
    obtain ⟨R, eR, wR, iR, oR, mR, vR⟩ := ih wT hn₂ fun d hd => by
      rw [bits_times_outs, hz d (List.mem_cons_of_mem _ hd), bo]
      simp [other d hd]
    -- the outputs named so far are those of the product
    have here : ∀ p, (times L (spreadStep i sizes still e)).eval p (dimName e) =
        if still = some e then 0 else p i / 2 ^ L.ins.bits i % 2 ^ log (sizes.getD e 1) := by
      intro p
      rw [eval_times hL w, ev, if_pos rfl, eval_of_bits_zero (hz e List.mem_cons_self), hz e List.mem_cons_self, Nat.pow_zero,
        Nat.one_mul, Nat.zero_add]
    have elsewhere : ∀ m, m ≠ dimName e → ∀ p, (times L (spreadStep i sizes still e)).eval p m = L.eval p m := by
      intro m hm p
      rw [eval_times hL w, ev, if_neg hm, ite_self, Nat.mul_zero, Nat.add_zero]
    have first : order.foldl (fun L d => times L (spreadStep i sizes still d)) (times L (spreadStep i sizes still e)) = R :=
      eR.symm
    refine ⟨R, eR, wR, fun j hj => ?_, fun d hd => ?_, fun m hm p => ?_, fun p d hd => ?_⟩
    · rw [iR j hj, bits_times_ins, bi, if_neg hj, Nat.add_zero]
    · rcases List.mem_cons.1 hd with rfl | hd
      · -- its bits are those of the product: later dimensions have other names
        have keep : ∀ (order : List Nat) (T : LinearLayout), dimName d ∉ order.map dimName →
            (order.foldl (fun L d => times L (spreadStep i sizes still d)) T).outs.bits (dimName d) =
              T.outs.bits (dimName d) := by
          intro order
          induction order with
          | nil => intro T _; rfl
          | cons c order ihk =>
            intro T hc
            rw [List.map_cons, List.mem_cons, not_or] at hc
            rw [List.foldl_cons, ihk _ hc.2, bits_times_outs, (spreadStep_spec i sizes still c).2.2.1, if_neg hc.1, ite_self,
              Nat.add_zero]
        rw [← first, keep order _ hn₁, bits_times_outs, hz d List.mem_cons_self, bo, if_pos rfl, Nat.zero_add]
      · exact oR d hd
    · rw [List.map_cons, List.mem_cons, not_or] at hm
      rw [mR m hm.2, elsewhere m hm.1]
    · rcases List.mem_cons.1 hd with rfl | hd
      · rw [mR _ hn₁, here, digitOf, if_pos rfl]
      · rw [vR p d hd, digitOf, if_neg (show ¬ e = d from fun q => other d hd (congrArg dimName q.symm)),
          bits_times_ins, bi, if_pos rfl,
          Nat.pow_add, Nat.div_div_eq_div_mul]

theorem spread_spec (i : String) (sizes : List Nat) (still : Option Nat) {order : List Nat}
    (hn : (order.map dimName).Nodup) : (spread i sizes order still).wellFormed = true ∧
      (∀ j, j ≠ i → (spread i sizes order still).ins.bits j = 0) ∧
      (∀ d ∈ order, (spread i sizes order still).outs.bits (dimName d) =
        if still = some d then 0 else log (sizes.getD d 1)) ∧
      ∀ p, ∀ d ∈ order, (spread i sizes order still).eval p (dimName d) =
        if still = some d then 0 else digitOf sizes order d (p i) := by
  obtain ⟨R, eR, wR, iR, oR, _, vR⟩ := fold_spread i sizes still (L := empty) (by decide +kernel) hn fun _ _ => rfl
  have e : spread i sizes order still = R := by
    rw [eR]; rfl
  rw [e]
  refine ⟨wR, iR, oR, fun p d hd => ?_⟩
  have := vR p d hd
  rwa [show (empty.ins.bits i) = 0 from rfl, Nat.pow_zero, Nat.div_one] at this

/-- **Before it is fitted, the blocked encoding puts an element at the digits of register, lane and warp: in each dimension the
register's digit lowest, above it the lane's, and the warp's highest.** The names of the dimensions in the order must differ, as
those of different numbers do.
Source: Triton `BlockedEncodingAttr::toLinearLayout`; «Linear Layouts» (arXiv 2505.23819) -/
theorem blockedBase_eval (sizePerThread threadsPerWarp warpsPerCta : List Nat) {order : List Nat}
    (hn : (order.map dimName).Nodup) (p : Point) {d : Nat} (hd : d ∈ order) :
    (blockedBase sizePerThread threadsPerWarp warpsPerCta order none).eval p (dimName d) =
      digitOf sizePerThread order d (p "register") + 2 ^ log (sizePerThread.getD d 1) *
        (digitOf threadsPerWarp order d (p "lane") + 2 ^ log (threadsPerWarp.getD d 1) *
          digitOf warpsPerCta order d (p "warp")) := by
  obtain ⟨wr, ir, br, er⟩ := spread_spec "register" sizePerThread none hn
  obtain ⟨wl, il, bl, el⟩ := spread_spec "lane" threadsPerWarp none hn
  obtain ⟨ww, _, _, ew⟩ := spread_spec "warp" warpsPerCta none hn
  have none_ne : (none : Option Nat) ≠ some d := nofun
  rw [blockedBase, eval_times (wellFormed_times wr wl) ww, eval_times wr wl, er p d hd, el _ d hd, ew _ d hd, bits_times_outs,
    br d hd, bl d hd, bits_times_ins, ir "lane" (by decide), ir "warp" (by decide), il "warp" (by decide)]
  simp only [if_neg none_ne, Nat.add_zero, Nat.pow_zero, Nat.div_one, Nat.pow_add]
  rw [Nat.mul_add, Nat.add_assoc, Nat.mul_assoc]

/-- The names of the usual orders differ. -/
example : ([1, 0].map dimName).Nodup ∧ ([2, 1, 0].map dimName).Nodup ∧ ([0, 1].map dimName).Nodup := by decide +kernel

end Encoding

end LinearLayout

end Razorgirl
