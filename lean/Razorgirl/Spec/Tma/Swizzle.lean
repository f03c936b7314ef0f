module

@[expose] public section

/-!
# The swizzle of TMA tiles in shared memory

A tile whose innermost dimension is N = 32, 64 or 128 bytes wide can be stored swizzled, so that reading a column
does not meet one bank over and over. A row of N bytes has `s = N/16` units of 16 bytes; `8/s` rows make a *unit row*
of 128 bytes, the width of all 32 banks. Unit `j` of a row in unit row `i` goes to unit `j xor (i mod s)` of the same
row. Three ways to say so are defined here, and proved equal: on addresses by bits, as the hardware is described; by
division into unit rows, rows and units; and by the source's procedure of swapping pairs.

The innermost dimension must be exactly N bytes: with fewer units the exclusive or leaves the row (the driver would
accept them). Addresses count from a multiple of 8·N bytes, which is the alignment that a swizzled tile needs.
Source: nvFuser «Introduction to TMA Support», «Data swizzle»; CuTe `Swizzle<1|2|3,4,3>` on byte addresses.
-/

namespace Razorgirl

namespace Tma

/-- The swizzle of a descriptor.
Rust: `razorgirl::tma::Swizzle` -/
inductive SwizzleMode where
  /-- no swizzle -/
  | plain
  /-- rows of 32 bytes -/
  | bytes32
  /-- rows of 64 bytes -/
  | bytes64
  /-- rows of 128 bytes -/
  | bytes128
deriving DecidableEq, Repr

namespace SwizzleMode

/-- How many address bits are swizzled. -/
def bits : SwizzleMode → Nat
  | plain => 0
  | bytes32 => 1
  | bytes64 => 2
  | bytes128 => 3

/-- Units of 16 bytes in a row. -/
def units (m : SwizzleMode) : Nat := 2 ^ m.bits

/-- Bytes in a row. -/
def bytes (m : SwizzleMode) : Nat := 16 * m.units

example : [plain, bytes32, bytes64, bytes128].map bytes = [16, 32, 64, 128] := by decide

end SwizzleMode

/-- By bits of the byte address: bits 7 and up are exclusive-ored onto bits 4 and up, as many as the mode has.
Rust: `razorgirl::tma::Swizzle::apply` -/
def swizzleAddress (m : SwizzleMode) (a : Nat) : Nat := a ^^^ ((a >>> 3) &&& (16 * (m.units - 1)))

example : [SwizzleMode.bytes32, .bytes64, .bytes128].map (fun m => 16 * (m.units - 1)) = [0x10, 0x30, 0x70] := by
  decide

/-- Where a byte lies, with row `r` of unit row `i`, unit `j` of it, byte `b` of that. -/
def place (m : SwizzleMode) (i r j b : Nat) : Nat := 128 * i + m.bytes * r + 16 * j + b

/-- By exclusive or: the view `[-1, s, 8/s, s, 16 B]`, axis 1 exclusive-ored into axis 3. -/
def swizzleXor (m : SwizzleMode) (a : Nat) : Nat :=
  place m (a / 128) (a / m.bytes % (8 / m.units)) ((a / 16 % m.units) ^^^ (a / 128 % m.units)) (a % 16)

/-- Step 1 of the procedure at level `l`, where a unit is `2^l` units high and wide: in every other unit row each pair
of units is swapped. Where column `j` goes in unit row `i`. -/
def swapPairs (l i j : Nat) : Nat :=
  if i / 2 ^ l % 2 = 1 then (if j / 2 ^ l % 2 = 0 then j + 2 ^ l else j - 2 ^ l) else j

/-- The procedure: levels 0 to `n - 1` in turn. -/
def swapUp : (n i j : Nat) → Nat
  | 0, _, j => j
  | n + 1, i, j => swapPairs n i (swapUp n i j)

/-- By the procedure: swap pairs on every other unit row, take 2 × 2 units as a new unit, repeat until there is only
one column. -/
def swizzleSteps (m : SwizzleMode) (a : Nat) : Nat :=
  place m (a / 128) (a / m.bytes % (8 / m.units)) (swapUp m.bits (a / 128) (a / 16 % m.units)) (a % 16)

-- 128 bytes: unit row 5 holds the units 5 4 7 6 1 0 3 2
example : (List.range 8).map (fun j => swizzleAddress .bytes128 (128 * 5 + 16 * j) / 16 % 8) =
    [5, 4, 7, 6, 1, 0, 3, 2] := by decide +kernel
-- 64 bytes: two rows make a unit row; rows 2 and 3 swap neighbouring units
example : (List.range 16).map (fun u => swizzleAddress .bytes64 (16 * u) / 16) =
    [0, 1, 2, 3, 4, 5, 6, 7, 9, 8, 11, 10, 13, 12, 15, 14] := by decide +kernel
-- 32 bytes: the second four of eight rows are swapped
example : (List.range 16).map (fun u => swizzleXor .bytes32 (16 * u) / 16) =
    [0, 1, 2, 3, 4, 5, 6, 7, 9, 8, 11, 10, 13, 12, 15, 14] := by decide +kernel
-- a box of 2 units under the 64-byte swizzle would leave its row: unit 1 of unit row 2 goes to unit 3
example : swapUp 2 2 1 = 3 := by decide

/-! ## Banks -/

/-- Which of the 8 groups of 4 banks a 16-byte access at address `a` uses. -/
def bankGroup (a : Nat) : Nat := a / 16 % 8

/-- The groups that reading unit `j` of rows `8k` to `8k + 7` uses, swizzled. -/
def columnBanks (m : SwizzleMode) (k j : Nat) : List Nat :=
  (List.range 8).map fun r => bankGroup (swizzleAddress m (m.bytes * (8 * k + r) + 16 * j))

example : columnBanks .bytes128 0 3 = [3, 2, 1, 0, 7, 6, 5, 4] := by decide +kernel
example : columnBanks .bytes64 1 3 = [3, 7, 2, 6, 1, 5, 0, 4] := by decide +kernel
-- without the swizzle a column of 128-byte rows meets one group eight times
example : (List.range 8).map (fun r => bankGroup (128 * r + 16 * 3)) = [3, 3, 3, 3, 3, 3, 3, 3] := by decide +kernel

end Tma

end Razorgirl
