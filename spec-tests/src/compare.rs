//! `compare`: the library against the extracted functions, in one process.
//!
//! What the extracted functions answer is proved; the library is tuned by hand. Both get the same random layouts, and the
//! first on which they differ is made as small as it goes.

use std::fmt;
use std::io::{IsTerminal, Write as _};
use std::time::{Duration, Instant};

use razorgirl::Layout;
use razorgirl_extracted::{Fault, Mode, functions};

/// What both are asked about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// A list of modes; not always a layout that fits.
    pub modes: Vec<Mode>,
    /// A number for operations that want one more: an index, a change of an offset.
    pub number: u64,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let modes: Vec<String> = self.modes.iter().map(|m| format!("{}:{}", m.extent, m.stride)).collect();
        write!(f, "[{}] with {}", modes.join(", "), self.number)
    }
}

impl Case {
    /// The modes as a layout of the library, if they fit.
    fn layout(&self) -> Option<Layout> {
        Layout::from_modes(self.modes.iter().map(|m| razorgirl::Mode::new(m.extent, m.stride))).ok()
    }
}

/// An operation that both have. `run` says how they differ.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// Its name.
    pub name: &'static str,
    /// Asks both; the difference in words.
    pub run: fn(&Case) -> Result<(), String>,
}

/// All of them.
pub const OPERATIONS: &[Operation] = &[
    Operation { name: "size", run: size },
    Operation { name: "coalesce", run: coalesce },
    Operation { name: "complement", run: complement },
    Operation { name: "sort", run: sort },
    Operation { name: "index", run: index },
    Operation { name: "find_layout", run: find_layout },
];

/// The library's modes as those of the extracted functions.
fn modes(layout: &Layout) -> razorgirl_extracted::List<Mode> {
    let mut modes = razorgirl_extracted::List::new();
    for mode in layout.modes() {
        modes.push(Mode { extent: mode.extent(), stride: mode.stride() });
    }
    modes
}

/// A nested result writes no modes as `1:0`.
fn same(layout: &Layout, extracted: &[Mode]) -> bool {
    let pairs = layout.modes().iter().zip(extracted);
    let equal = || pairs.clone().all(|(a, b)| (a.extent(), a.stride()) == (b.extent, b.stride));
    match extracted {
        [] => matches!(layout.modes(), [one] if (one.extent(), one.stride()) == (1, 0)),
        _ => layout.modes().len() == extracted.len() && equal(),
    }
}

fn differ(library: impl fmt::Debug, extracted: impl fmt::Debug) -> Result<(), String> {
    Err(format!("the library says {library:?}, the extracted function {extracted:?}"))
}

fn size(case: &Case) -> Result<(), String> {
    let extracted = (functions::size(&case.modes), functions::cosize(&case.modes));
    let library = case.layout().map(|layout| (layout.size(), layout.cosize()));
    match (library, extracted) {
        (Some((size, cosize)), (Ok(s), Ok(c))) if (size, cosize) == (s, c) => Ok(()),
        // A layout has to fit as a whole.
        (None, (Err(Fault::Overflow), _) | (_, Err(Fault::Overflow))) => Ok(()),
        _ => differ(library, extracted),
    }
}

fn coalesce(case: &Case) -> Result<(), String> {
    let Some(layout) = case.layout() else { return Ok(()) };
    let (library, extracted) = (layout.coalesce(), functions::coalesce(&case.modes));
    if extracted.as_ref().is_ok_and(|modes| same(&library, modes)) { Ok(()) } else { differ(library, extracted) }
}

fn complement(case: &Case) -> Result<(), String> {
    let Some(layout) = case.layout() else { return Ok(()) };
    let (library, extracted) = (layout.complement(), functions::complement(&case.modes));
    match (&library, &extracted) {
        (Ok(library), Ok(extracted)) if same(library, extracted) => Ok(()),
        (Err(error), Err(Fault::Refuse(code))) if *code != "not_injective" || error.kind().code() == *code => Ok(()),
        _ => differ(library, extracted),
    }
}

fn sort(case: &Case) -> Result<(), String> {
    let Some(layout) = case.layout() else { return Ok(()) };
    let (library, extracted) = (layout.sort(), functions::sort(&modes(&layout)));
    let equal = |extracted: &[Mode]| extracted.is_empty() && library.modes().is_empty() || same(&library, extracted);
    if extracted.as_ref().is_ok_and(|modes| equal(modes)) { Ok(()) } else { differ(library, extracted) }
}

fn index(case: &Case) -> Result<(), String> {
    let Some(layout) = case.layout() else { return Ok(()) };
    let index = case.number % layout.size();
    let (library, extracted) = (layout.at(index), functions::at_index(&case.modes, index));
    if library.as_ref().is_ok_and(|offset| extracted == Ok(*offset)) { Ok(()) } else { differ(library, extracted) }
}

/// Offsets of the layout, often one of them changed.
fn find_layout(case: &Case) -> Result<(), String> {
    let Some(layout) = case.layout().filter(|layout| layout.size() <= 256) else { return Ok(()) };
    let mut offsets: Vec<u64> = (0..layout.size()).map(|index| layout.at(index).unwrap_or_default()).collect();
    let place = usize::try_from(case.number % layout.size()).unwrap_or_default();
    offsets[place] = offsets[place].wrapping_add(case.number % 5 / 3);
    let (library, extracted) = (Layout::find_layout(&offsets), functions::find_layout(&offsets));
    match (&library, &extracted) {
        (Ok(Some(library)), Ok(extracted)) if same(library, extracted) => Ok(()),
        (Ok(None), Err(Fault::Refuse("none"))) => Ok(()),
        // A layout that has these offsets, but whose cosize is 2^64: the library refuses it.
        (Err(_), Ok(_)) if offsets.contains(&u64::MAX) => Ok(()),
        _ => differ(library, extracted),
    }
}

/// Numbers that look random (xorshift64*).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// Up to four modes. Most strides continue what is there, so that much coalesces and has complements; some numbers are
    /// at the end of 64 bits.
    pub fn fill(&mut self, case: &mut Case) {
        case.modes.clear();
        case.number = self.next();
        let (mut reach, rank) = (1_u64, self.below(5));
        for _ in 0..rank {
            let kind = self.next();
            let extent = if kind % 64 == 0 { u64::MAX - (kind >> 8 & 3) } else { 1 + (kind >> 8) % 7 };
            let stride = match kind >> 16 & 15 {
                0 => 0,
                1..=8 => reach,
                9..=11 => reach.wrapping_mul(1 + (kind >> 24) % 4),
                12 => 1 << (kind >> 24 & 63),
                13 => u64::MAX - (kind >> 24 & 3),
                _ => (kind >> 24) % 20,
            };
            case.modes.push(Mode { extent, stride });
            reach = extent.saturating_mul(stride).max(1);
        }
        if self.next() & 1 == 0 {
            case.modes.reverse();
        }
    }
}

/// What the comparison of one operation found.
#[derive(Clone, Debug)]
pub struct Compared {
    /// How many cases both answered alike.
    pub cases: u64,
    /// How long it took.
    pub time: Duration,
    /// The smallest case found on which they differ, and how.
    pub difference: Option<(Case, String)>,
}

/// Asks both about `cases` cases, up to the first difference.
pub fn compare(operation: Operation, cases: u64, seed: u64) -> Compared {
    let (mut random, mut case, start) = (Random::new(seed), Case::default(), Instant::now());
    let shows = std::io::stderr().is_terminal();
    for n in 0..cases {
        random.fill(&mut case);
        if (operation.run)(&case).is_err() {
            let case = shrunk(operation, case);
            let how = (operation.run)(&case).err().unwrap_or_default();
            return Compared { cases: n, time: start.elapsed(), difference: Some((case, how)) };
        }
        if shows && n % (1 << 20) == 0 {
            let _ = write!(std::io::stderr(), "\r{} {:3} %", operation.name, 100 * n / cases);
        }
    }
    if shows {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    Compared { cases, time: start.elapsed(), difference: None }
}

/// As small as single steps make it: a mode less, a number halved, a number one less.
fn shrunk(operation: Operation, mut case: Case) -> Case {
    let differs = |case: &Case| (operation.run)(case).is_err();
    loop {
        let smaller = smaller(&case).into_iter().find(differs);
        match smaller {
            Some(smaller) => case = smaller,
            None => return case,
        }
    }
}

fn smaller(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    for place in 0..case.modes.len() {
        let mut less = case.clone();
        less.modes.remove(place);
        all.push(less);
    }
    let less = |n: u64| [n / 2, n.saturating_sub(1)].into_iter().filter(move |&m| m < n);
    for place in 0..case.modes.len() {
        for extent in less(case.modes[place].extent).filter(|&extent| extent > 0) {
            let mut less = case.clone();
            less.modes[place].extent = extent;
            all.push(less);
        }
        for stride in less(case.modes[place].stride) {
            let mut less = case.clone();
            less.modes[place].stride = stride;
            all.push(less);
        }
    }
    all.extend(less(case.number).map(|number| Case { number, ..case.clone() }));
    all
}
