//! Which thread holds which element: the register fragments of `mma.sync` and `wgmma`, as data.
//!
//! Source: the PTX ISA manual, "Matrix Fragments for `mma.*`" and "Register Fragments for `wgmma.mma_async`"; `source` is the
//! section's anchor, without `warp-level-matrix-fragment-` or `asynchronous-warpgroup-level-matrix-register-fragment-`. The manual
//! prints formulas for `mma`; for `wgmma` it has figures, which CUTLASS 4.2 and Triton give alike. Where it misprints:
//!
//! - `mma-168256`, A of b1: the column for i < 64 adds `i`, which hits 3,840 of 4,096 elements. It must be `i & 0x1F`, as in its line
//!   for i >= 64.
//! - `mma-1684` and `mma-16816-float`, A of f64: a spare bracket in the formula, which changes nothing.
//!
//! Left out: sparse instructions, `wmma`, and `tcgen05`, whose operands are in shared and tensor memory. b1 of `wgmma` is left out
//! too: nobody but the common law gives it.

use razorgirl::Layout;

use crate::survey::Matrix;

/// Who executes an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Eight threads of a warp, two quads: `mma.m8n8k4` of f16.
    QuadPair,
    /// A warp: every other `mma`.
    Warp,
    /// Four warps: `wgmma`.
    Warpgroup,
}

impl Unit {
    /// From the instruction's thread to its lane.
    pub const fn threads(self) -> &'static str {
        match self {
            Self::QuadPair => "(4,2):(1,16)",
            Self::Warp => "32:1",
            Self::Warpgroup => "128:1",
        }
    }
}

/// What tells fragments apart that only `mma.m8n8k4` of f16 has several of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: there is one.
    Only,
    /// The matrix is row-major.
    Row,
    /// The matrix is column-major.
    Column,
    /// Accumulators of 16 bits.
    Half,
    /// Accumulators of 32 bits.
    Single,
}

/// A fragment: (thread, value) to row + rows · column.
#[derive(Debug)]
pub struct Row {
    /// Who executes the instruction.
    pub unit: Unit,
    /// Which matrix.
    pub matrix: Matrix,
    /// M, N and K; 0 where the fragment is the same for all.
    pub shape: [u64; 3],
    /// Bits of an element of A and B; 0 where the fragment is the same for all.
    pub bits: u64,
    /// Which of several.
    pub kind: Kind,
    /// The fragment; `N/8` stands for that number.
    pub layout: &'static str,
    /// The section of the manual.
    pub source: &'static str,
}

const fn row(
    unit: Unit,
    matrix: Matrix,
    shape: [u64; 3],
    bits: u64,
    kind: Kind,
    layout: &'static str,
    source: &'static str,
) -> Row {
    Row { unit, matrix, shape, bits, kind, layout, source }
}

use Kind::{Column, Half, Only, Single};
use Matrix::{A, B, C};
use Unit::{QuadPair, Warp, Warpgroup};

/// All of them.
#[rustfmt::skip]
pub static ROWS: [Row; 46] = [
    row(QuadPair, A, [8, 8, 4], 16, Kind::Row, "(8,4):(1,8)", "mma-884-f16"),
    row(QuadPair, A, [8, 8, 4], 16, Column, "((4,2),4):((8,4),1)", "mma-884-f16"),
    row(QuadPair, B, [8, 8, 4], 16, Kind::Row, "((4,2),4):((8,4),1)", "mma-884-f16"),
    row(QuadPair, B, [8, 8, 4], 16, Column, "(8,4):(1,8)", "mma-884-f16"),
    row(QuadPair, C, [8, 8, 4], 16, Half, "(8,8):(1,8)", "mma-884-f16"),
    row(QuadPair, C, [8, 8, 4], 16, Single, "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))", "mma-884-f16"),

    row(Warp, C, [8, 8, 0], 0, Only, "((4,8),2):((16,1),8)", "mma-8816"),
    row(Warp, C, [16, 8, 0], 0, Only, "((4,8),(2,2)):((32,1),(16,8))", "mma-16816-float"),

    row(Warp, A, [8, 8, 4], 64, Only, "((4,8),1):((8,1),0)", "mma-884-f64"),
    row(Warp, B, [8, 8, 4], 64, Only, "((4,8),1):((8,1),0)", "mma-884-f64"),
    row(Warp, A, [8, 8, 16], 8, Only, "((4,8),4):((32,1),8)", "mma-8816"),
    row(Warp, B, [8, 8, 16], 8, Only, "((4,8),4):((32,1),8)", "mma-8816"),
    row(Warp, A, [8, 8, 32], 4, Only, "((4,8),8):((64,1),8)", "mma-8832"),
    row(Warp, B, [8, 8, 32], 4, Only, "((4,8),8):((64,1),8)", "mma-8832"),
    row(Warp, A, [8, 8, 128], 1, Only, "((4,8),32):((256,1),8)", "mma-88128"),
    row(Warp, B, [8, 8, 128], 1, Only, "((4,8),32):((256,1),8)", "mma-88128"),

    row(Warp, A, [16, 8, 4], 32, Only, "((4,8),2):((16,1),8)", "mma-1684"),
    row(Warp, B, [16, 8, 4], 32, Only, "((4,8),1):((8,1),0)", "mma-1684"),
    row(Warp, A, [16, 8, 4], 64, Only, "((4,8),2):((16,1),8)", "mma-1684"),
    row(Warp, B, [16, 8, 4], 64, Only, "((4,8),1):((8,1),0)", "mma-1684"),
    row(Warp, A, [16, 8, 8], 16, Only, "((4,8),(2,2)):((32,1),(16,8))", "mma-1688"),
    row(Warp, B, [16, 8, 8], 16, Only, "((4,8),2):((16,1),8)", "mma-1688"),
    row(Warp, A, [16, 8, 8], 32, Only, "((4,8),(2,2)):((16,1),(8,64))", "mma-1688"),
    row(Warp, B, [16, 8, 8], 32, Only, "((4,8),2):((8,1),32)", "mma-1688"),
    row(Warp, A, [16, 8, 8], 64, Only, "((4,8),(2,2)):((16,1),(8,64))", "mma-1688"),
    row(Warp, B, [16, 8, 8], 64, Only, "((4,8),2):((8,1),32)", "mma-1688"),
    row(Warp, A, [16, 8, 16], 16, Only, "((4,8),(2,2,2)):((32,1),(16,8,128))", "mma-16816-float"),
    row(Warp, B, [16, 8, 16], 16, Only, "((4,8),(2,2)):((16,1),(8,64))", "mma-16816-float"),
    row(Warp, A, [16, 8, 16], 64, Only, "((4,8),(2,4)):((16,1),(8,64))", "mma-16816-float"),
    row(Warp, B, [16, 8, 16], 64, Only, "((4,8),4):((8,1),32)", "mma-16816-float"),
    row(Warp, A, [16, 8, 16], 8, Only, "((4,8),(4,2)):((64,1),(16,8))", "mma-16816-i8-f8"),
    row(Warp, B, [16, 8, 16], 8, Only, "((4,8),4):((32,1),8)", "mma-16816-i8-f8"),
    row(Warp, A, [16, 8, 32], 4, Only, "((4,8),(8,2)):((128,1),(16,8))", "mma-16832"),
    row(Warp, B, [16, 8, 32], 4, Only, "((4,8),8):((64,1),8)", "mma-16832"),
    row(Warp, A, [16, 8, 32], 8, Only, "((4,8),(4,2,2)):((64,1),(16,8,256))", "mma-16832"),
    row(Warp, B, [16, 8, 32], 8, Only, "((4,8),(4,2)):((32,1),(8,128))", "mma-16832"),
    row(Warp, A, [16, 8, 64], 4, Only, "((4,8),(8,2,2)):((128,1),(16,8,512))", "mma-16864"),
    row(Warp, B, [16, 8, 64], 4, Only, "((4,8),(8,2)):((64,1),(8,256))", "mma-16864"),
    row(Warp, A, [16, 8, 128], 1, Only, "((4,8),(32,2)):((512,1),(16,8))", "mma-168128"),
    row(Warp, B, [16, 8, 128], 1, Only, "((4,8),32):((256,1),8)", "mma-168128"),
    row(Warp, A, [16, 8, 256], 1, Only, "((4,8),(32,2,2)):((512,1),(16,8,2048))", "mma-168256"),
    row(Warp, B, [16, 8, 256], 1, Only, "((4,8),(32,2)):((256,1),(8,1024))", "mma-168256"),

    row(Warpgroup, C, [64, 0, 0], 0, Only, "((4,8,4),(2,2,N/8)):((128,1,16),(64,8,512))", "wgmma-64n16"),
    row(Warpgroup, A, [64, 0, 8], 32, Only, "((4,8,4),(2,2)):((64,1,16),(8,256))", "wgmma-64n8"),
    row(Warpgroup, A, [64, 0, 16], 16, Only, "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))", "wgmma-64n16"),
    row(Warpgroup, A, [64, 0, 32], 8, Only, "((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))", "wgmma-64n32"),
];

/// An instruction, as the name of its operation says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instruction {
    /// Who executes it.
    pub unit: Unit,
    /// M, N and K.
    pub shape: [u64; 3],
    /// Bits of an element of A and B.
    pub bits: u64,
    /// For `mma.m8n8k4` of f16: which fragments A, B and C have.
    kinds: [Kind; 3],
    /// Whether A is in registers too.
    a_in_registers: bool,
}

/// Types of elements as CUTLASS names them in operations, and their bits. Longer names come before their beginnings.
const TYPES: [(&str, u64); 20] = [
    ("TF32", 32),
    ("BF16", 16),
    ("GC64", 64),
    ("C64", 64),
    ("F16", 16),
    ("F32", 32),
    ("F64", 64),
    ("S32", 32),
    ("U32", 32),
    ("S16", 16),
    ("E4M3", 8),
    ("E5M2", 8),
    ("E3M2", 8),
    ("E2M3", 8),
    ("S8", 8),
    ("U8", 8),
    ("S4", 4),
    ("U4", 4),
    ("U1", 1),
    ("B1", 1),
];

/// What CUTLASS' names say behind the types. With another word it is an operation of somebody's own, which may do more than the
/// instruction: exchange its registers, say.
const FLAGS: [&str; 11] = ["TN", "NT", "TT", "NN", "SS", "RS", "SATURATE", "XORPOPC", "ANDPOPC", "VS", "NVFP4"];

/// The bits of the types in a word like `F32F16F16F32`; none when it is no such word.
fn types(mut word: &str) -> Option<Vec<u64>> {
    let mut found = Vec::new();
    while !word.is_empty() {
        let (name, bits) = TYPES.iter().find(|(name, _)| word.starts_with(name))?;
        word = word.get(name.len()..)?;
        found.push(*bits);
    }
    (found.len() == 3 || found.len() == 4).then_some(found)
}

fn shape(word: &str) -> Option<[u64; 3]> {
    let numbers: Vec<u64> = word.split('x').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

/// The generation in `SM80_16x8x16_…` or `SM90::GMMA::MMA_64x…`.
fn generation(path: &str) -> Option<u64> {
    let digits = path.split(['_', ':']).find_map(|word| word.strip_prefix("SM"))?;
    digits.parse().ok()
}

impl Instruction {
    /// The instruction of `MMA_Traits<SM80_16x8x16_F32F16F16F32_TN>`, by its operation's name in CUTLASS' spelling. None for every other
    /// name: what is not known is not judged.
    pub fn of(title: &str) -> Option<Self> {
        let operation = title.split_once('<')?.1.split(['<', ',', '>']).next()?.trim();
        let generation = generation(operation)?;
        let name = operation.rsplit("::").next()?;
        let words: Vec<&str> = name.split('_').collect();
        if words.contains(&"SPARSE") || words.contains(&"SP") || operation.contains("SPARSE") {
            return None;
        }
        let at = words.iter().position(|word| shape(word).is_some())?;
        let shape = shape(words.get(at)?)?;
        let types = words.get(at + 1).and_then(|word| types(word));
        let flags = words.get(at + 1 + usize::from(types.is_some())..)?;
        let head = |word: &&str| matches!(*word, "MMA" | "GMMA") || self::generation(word).is_some();
        if !flags.iter().all(|flag| FLAGS.contains(flag)) || !words.iter().take(at).all(head) {
            return None;
        }
        let has = |flag: &str| words.contains(&flag);
        let bits = match (&types, generation, shape) {
            // The accumulator comes first, then A and B.
            (Some(types), _, _) if types.get(1) == types.get(2) => *types.get(1)?,
            // Types are parameters, and elements of 4 and 6 bits take 8 with k32.
            (None, 120 | 121, [16, 8, 32]) => 8,
            (None, 120 | 121, [16, 8, 64]) => 4,
            _ => return None,
        };
        let mut kinds = [Only; 3];
        let unit = match (generation, shape, bits) {
            (70, [8, 8, 4], 16) => {
                let flags = ["TT", "TN", "NT", "NN"].into_iter().find(|flag| has(flag))?;
                let accumulator = if types?.first() == Some(&16) { Half } else { Single };
                let a = if flags.starts_with('T') { Kind::Row } else { Column };
                let b = if flags.ends_with('N') { Column } else { Kind::Row };
                kinds = [a, b, accumulator];
                QuadPair
            }
            // A by rows and B by columns, as all instructions of a warp but the first have them.
            // Before SM80 there are fewer, and a larger one is put together from several.
            (75..=79, [16, 8, k], _) if k > 8 => return None,
            (75..=89 | 90 | 120 | 121, [8 | 16, 8, _], _) if !["NT", "TT", "NN"].into_iter().any(has) => Warp,
            (90, [64, n, _], _) if n % 8 == 0 => Warpgroup,
            _ => return None,
        };
        Some(Self { unit, shape, bits, kinds, a_in_registers: unit != Warpgroup || has("RS") })
    }

    /// Its name in PTX.
    pub fn name(&self) -> String {
        let [m, n, k] = self.shape;
        let family = if self.unit == Warpgroup { "wgmma" } else { "mma" };
        format!("{family}.m{m}n{n}k{k}")
    }

    /// Where the fragment of a matrix is.
    pub fn fragment(&self, matrix: Matrix) -> Fragment {
        if matrix == B && self.unit == Warpgroup || matrix == A && !self.a_in_registers {
            return Fragment::Memory;
        }
        let kind = self.kinds.get(matrix as usize).copied().unwrap_or(Only);
        let fits = |row: &&Row| {
            let shape = row.shape.iter().zip(&self.shape).all(|(row, own)| *row == 0 || row == own);
            row.unit == self.unit
                && row.matrix == matrix
                && shape
                && (row.bits == 0 || row.bits == self.bits)
                && row.kind == kind
        };
        let Some(row) = ROWS.iter().find(fits) else { return Fragment::Unknown };
        let layout = row.layout.replace("N/8", &(self.shape[1] / 8).to_string());
        match (layout.parse(), self.unit.threads().parse()) {
            (Ok(layout), Ok(threads)) => {
                Fragment::Registers(Box::new(Registers { threads, layout, source: row.source }))
            }
            _ => Fragment::Unknown,
        }
    }
}

/// Where an instruction has a matrix.
#[derive(Debug, Clone)]
pub enum Fragment {
    /// In registers.
    Registers(Box<Registers>),
    /// In shared memory: no thread holds any of it.
    Memory,
    /// This table does not say.
    Unknown,
}

/// Who holds which element.
#[derive(Debug, Clone)]
pub struct Registers {
    /// Thread of the instruction to lane.
    pub threads: Layout,
    /// (thread, value) to row + rows · column.
    pub layout: Layout,
    /// The section of the manual.
    pub source: &'static str,
}

impl Registers {
    /// What each lane holds: `None` for lanes that take no part.
    pub fn held(&self) -> Option<Vec<Option<Vec<u64>>>> {
        held(&self.threads, &self.layout)
    }

    /// Whether a trait with these threads and this layout says the same.
    pub fn is(&self, threads: &Layout, layout: &Layout) -> bool {
        let same = |index: usize| {
            let coalesced = |layout: &Layout| layout.mode(index).map(|mode| mode.coalesce());
            coalesced(&self.layout).is_some_and(|mode| Some(mode) == coalesced(layout))
        };
        if threads.coalesce() == self.threads.coalesce() && layout.rank() == 2 && same(0) && same(1) {
            return true;
        }
        self.held().is_some_and(|own| held(threads, layout).as_ref() == Some(&own))
    }
}

/// Lanes of a warpgroup, and values of a thread: no instruction has more.
const MAX_LANES: u64 = 128;
const MAX_VALUES: u64 = 256;

/// What each lane holds, in the order of its values, by a `ThrID` and a layout of (thread, value). None when two threads have one
/// lane, or when it is too large for an instruction.
pub fn held(threads: &Layout, layout: &Layout) -> Option<Vec<Option<Vec<u64>>>> {
    let count = threads.size();
    if layout.rank() != 2 || layout.mode(0)?.size() != count || count > MAX_LANES || threads.cosize() > MAX_LANES {
        return None;
    }
    let values = layout.mode(1)?.size();
    if values > MAX_VALUES {
        return None;
    }
    let mut lanes = vec![None; usize::try_from(MAX_LANES).ok()?];
    for thread in 0..count {
        let lane = usize::try_from(threads.at(thread).ok()?).ok()?;
        let own = (0..values).map(|value| layout.at(thread + count * value).ok()).collect::<Option<Vec<u64>>>()?;
        if lanes.get_mut(lane)?.replace(own).is_some() {
            return None;
        }
    }
    Some(lanes)
}

#[cfg(test)]
mod tests;
