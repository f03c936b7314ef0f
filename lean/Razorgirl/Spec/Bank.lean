module

public import Razorgirl.Spec.LinearLayout.Inverse
public import Razorgirl.Spec.Most

@[expose] public section

/-!
# Shared-memory banks, and the sectors of global memory

Shared memory has 32 banks of 4 bytes: word w lies in bank w mod 32. A warp's access of v bytes a lane is served in
*phases*: all 32 lanes at once up to 4 bytes, 16 lanes of 8 bytes, 8 lanes of 16 bytes; 128 bytes a phase. In a phase a
bank gives one word at a time, to every lane that asks for it. So a phase takes as many *wavefronts* as the most
different words that it asks of one bank. Nothing here is a formula: words are listed and counted. What the counts are
for lanes that are F2-linear or evenly spaced is proved.

Global memory is read in sectors of 32 bytes, four to a cache line.
Source: CUDA C++ Programming Guide, «Shared Memory»; «Linear Layouts» (arXiv 2505.23819).
-/

namespace Razorgirl

namespace Bank

/-- Each value once. -/
def distinct : List Nat → List Nat
  | [] => []
  | a :: l => if l.elem a then distinct l else a :: distinct l

/-- The units of `u` bytes that `v` bytes from address `a` touch. -/
def touched (u v a : Nat) : List Nat := (List.range ((a + v - 1) / u + 1 - a / u)).map (a / u + ·)

/-- How many different words lie in bank `k`. -/
def inBank (words : List Nat) (k : Nat) : Nat := (distinct words).countP fun w => w % 32 == k

/-- Wavefronts for these words: the most different words in one bank, `inBank`. -/
def wavefronts (words : List Nat) : Nat :=
  let different := distinct words
  most (fun k => different.countP fun w => w % 32 == k) 32

/-- Wavefronts of one phase: lanes that read `v` bytes each at these byte addresses.
Rust: `razorgirl::bank::phase` -/
def phase (v : Nat) (addresses : List Nat) : Nat := wavefronts (addresses.flatMap (touched 4 v))

/-- Lanes of one phase, for `v` bytes a lane: 32, 16 for 8 bytes and 8 for 16 bytes.
Rust: `razorgirl::bank::lanes_of_phase` -/
def lanesOfPhase (v : Nat) : Nat := 128 / max 4 v

/-- The wavefronts of each of at most `n` phases, `k` lanes a phase. -/
def phasesOf (v k : Nat) : (n : Nat) → (addresses : List Nat) → List Nat
  | n + 1, a :: as => phase v ((a :: as).take k) :: phasesOf v k n ((a :: as).drop k)
  | _, _ => []

/-- A whole access: the wavefronts of each phase, for the byte addresses of the lanes in order.
Rust: `razorgirl::bank::access` -/
def access (v : Nat) (addresses : List Nat) : List Nat := phasesOf v (lanesOfPhase v) addresses.length addresses

/-- How many units of `u` bytes all these accesses of `v` bytes touch. -/
def unitsTouched (u v : Nat) (addresses : List Nat) : Nat := (distinct (addresses.flatMap (touched u v))).length

/-- Sectors of 32 bytes.
Rust: `razorgirl::bank::sectors` -/
def sectors (v : Nat) (addresses : List Nat) : Nat := unitsTouched 32 v addresses

/-- Cache lines of 128 bytes.
Rust: `razorgirl::bank::lines` -/
def lines (v : Nat) (addresses : List Nat) : Nat := unitsTouched 128 v addresses

/-- The images of all lanes, for the columns of the lane bits, highest first. -/
def lanes (cols : List Nat) : List Nat := (List.range (2 ^ cols.length)).map (F2.applyHigh cols)

/-- Lanes that are evenly spaced. -/
def strided (base stride n : Nat) : List Nat := (List.range n).map fun i => base + i * stride

/-- The formula for lanes that are F2-linear in byte offsets, reading `2^d` bytes each: 2 to the rank of the word bits
less the rank of the bank bits, with words of `2^e = max(4, 2^d)` bytes.
Rust: `razorgirl::bank::linear_wavefronts` -/
def linearWavefronts (cols : List Nat) (d : Nat) : Nat :=
  let e := max 2 d
  2 ^ (F2.rank (cols.map (· / 2 ^ e)) - F2.rank (cols.map fun c => c / 2 ^ e % 2 ^ (7 - e)))

/-! ## Registers and shared memory as linear layouts -/

/-- The packed offset in shared memory of each basis of an input dimension: the least preimage. -/
def offsetsOf (reg smem : LinearLayout) (d : String) : List Nat :=
  let rows := F2.eliminate smem.cols.reverse
  (reg.columnsAt d).map fun c => (F2.reduce rows (smem.outs.pack (reg.outs.unpack c))).2

/-- Whether every offset is in the span of what shared memory holds. -/
def reaches (reg smem : LinearLayout) : Bool := F2.spans smem.cols.reverse (reg.repacked smem.outs)

/-- The list without the first `n` in it. -/
def removeOne (n : Nat) : List Nat → List Nat
  | [] => []
  | c :: cs => if c = n then cs else c :: removeOne n cs

/-- The register offsets left when 1, 2, …, 2^(k-1) are taken away; `none` where one lacks. -/
def withoutUnits (regs : List Nat) : (k : Nat) → Option (List Nat)
  | 0 => some regs
  | k + 1 =>
    match withoutUnits regs k with
    | some rest => if rest.elem (2 ^ k) then some (removeOne (2 ^ k) rest) else none
    | none => none

/-- Whether `2^k` elements can be one access: registers have the offsets 1, 2, …, 2^(k-1), and every other offset is a
multiple of `2^k`. -/
def vectorizes (regs others : List Nat) (k : Nat) : Bool :=
  match withoutUnits regs k with
  | some rest => (rest ++ others).all fun c => c % 2 ^ k == 0
  | none => false

/-- The largest `k` of at most `n` for which `2^k` elements can be one access; 0 always can. -/
def vectorBits (regs others : List Nat) : (n : Nat) → Nat
  | 0 => 0
  | n + 1 => if vectorizes regs others (n + 1) then n + 1 else vectorBits regs others n

/-- Elements of one access and wavefronts of one phase, for registers that go to shared memory, `2^w` bytes an element.
`none` where shared memory lacks an element.
Rust: `razorgirl::bank::linear_conflicts` -/
def conflicts (reg smem : LinearLayout) (w : Nat) : Option (Nat × Nat) :=
  if reaches reg smem then
    let lane := offsetsOf reg smem "lane"
    let k := vectorBits (offsetsOf reg smem "register") (lane ++ offsetsOf reg smem "warp") (4 - w)
    let v := 2 ^ (w + k)
    let cols := (lane.take (lanesOfPhase v).log2).map (2 ^ w * ·)
    some (2 ^ k, phase v (lanes cols.reverse))
  else none

-- The kernel counts these, so they are small: 32 lanes take it a minute, and the tests compare them.
-- a column of 128-byte rows, 4 bytes each: all words in one bank; with rows of 132 bytes: none together
example : phase 4 (strided 0 128 6) = 6 ∧ phase 4 (strided 0 132 6) = 1 := by decide +kernel
-- 16 bytes a lane, phases of 8 lanes: every 64 bytes, and nine lanes that read the same
example : access 16 (strided 0 64 4) = [2] ∧ access 16 (strided 0 0 9) = [1, 1] := by decide +kernel
-- all lanes read one word
example : access 4 (strided 64 0 32) = [1] := by decide +kernel
example : sectors 4 (strided 0 4 32) = 4 ∧ sectors 4 (strided 0 128 5) = 5 ∧ lines 4 (strided 0 4 32) = 1 := by
  decide +kernel
-- bytes at 32, 64, 128 and 256, and their sums: 16 words in 4 banks
example : linearWavefronts [256, 128, 64, 32] 0 = 4 ∧ phase 1 (lanes [256, 128, 64, 32]) = 4 := by decide +kernel

end Bank

end Razorgirl
