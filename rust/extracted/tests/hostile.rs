//! What no theorem speaks of: extents of 0, numbers at the end of 64 bits, a hundred thousand modes, none at all. Every
//! function answers, or has a fault with a name; none panics or runs out of stack.

use razorgirl_extracted::{Fault, List, Mode, functions as f};

/// A function that takes a list of modes, and up to two numbers; how long its answer is.
type OfModes = fn(&[Mode], u64, u64) -> Result<usize, Fault>;

/// A function that takes a list of numbers, and up to two more; how long its answer is.
type OfNumbers = fn(&[u64], u64, u64) -> Result<usize, Fault>;

fn one<T>(found: Result<T, Fault>) -> Result<usize, Fault> {
    found.map(|_| 1)
}

fn many<T: Copy + Default>(found: Result<List<T>, Fault>) -> Result<usize, Fault> {
    found.map(|list| list.len())
}

/// The longest list that `sort` gets here: it inserts, and is quadratic.
fn short(modes: &[Mode]) -> &[Mode] {
    modes.get(..500).unwrap_or(modes)
}

/// Starts for these modes, whose indices nothing has to match.
fn starts(modes: &[Mode], index: u64) -> Vec<(Mode, u64)> {
    modes.iter().map(|mode| (*mode, index)).collect()
}

/// Starts that reach so far.
fn table(modes: &[Mode], reach: u64) -> Vec<((Mode, u64), u64)> {
    modes.iter().map(|mode| ((*mode, reach), reach)).collect()
}

/// As many modes as a layout can have that are not all of extent 1.
fn few(modes: &[Mode]) -> &[Mode] {
    modes.get(..63).unwrap_or(modes)
}

/// At most 63 modes of a size below 2^64 are sorted; only an extent of 0 lets more of them fit.
fn fit(modes: &[Mode]) -> &[Mode] {
    if modes.iter().any(|mode| mode.extent == 0) { short(modes) } else { modes }
}

/// As [`fit`], for what looks at each of these modes for each.
fn fit_few(modes: &[Mode]) -> &[Mode] {
    if modes.iter().any(|mode| mode.extent == 0) { few(modes) } else { modes }
}

const OF_MODES: &[(&str, OfModes)] = &[
    ("size", |modes, _, _| one(f::size(modes))),
    ("cosize", |modes, _, _| one(f::cosize(modes))),
    ("coalesce", |modes, _, _| many(f::coalesce(modes))),
    ("before", |_, x, y| one(f::before(Mode { extent: x, stride: y }, Mode { extent: y, stride: x }))),
    ("insert", |modes, x, y| many(f::insert(Mode { extent: x, stride: y }, modes))),
    ("sort", |modes, _, _| many(f::sort(short(modes)))),
    ("at_index", |modes, x, _| one(f::at_index(modes, x))),
    ("chain", |modes, _, _| many(f::chain(fit(modes)))),
    ("gaps", |modes, _, _| many(f::gaps(modes))),
    ("complement", |modes, _, _| many(f::complement(fit(modes)))),
    ("last", |modes, _, _| one(f::last(modes))),
    ("complement_in", |modes, x, _| many(f::complement_in(fit(modes), x))),
    ("all_but_last", |modes, _, _| many(f::all_but_last(modes))),
    ("wrap_at", |modes, x, _| one(f::wrap_at(modes, x))),
    ("split_mode", |modes, x, y| many(f::split_mode(modes, Mode { extent: x, stride: y }))),
    ("load", |modes, x, y| one(f::load(modes, x, y))),
    ("carries", |modes, x, y| one(f::carries(modes, &[Mode { extent: x, stride: y }]))),
    ("carries", |modes, x, y| one(f::carries(&[Mode { extent: x, stride: y }], modes))),
    ("group", |modes, x, y| many(f::group(&[Mode { extent: x, stride: y }], modes))),
    ("group", |modes, x, y| many(f::group(modes, &[Mode { extent: x, stride: y }]))),
    ("composition", |modes, x, y| {
        many(f::composition(&[Mode { extent: x, stride: y }], modes).map(|(found, _)| found))
    }),
    ("composition", |modes, x, y| {
        many(f::composition(modes, &[Mode { extent: x, stride: y }]).map(|(found, _)| found))
    }),
    ("at_coord", |modes, x, y| one(f::at_coord(modes, &vec![x.min(y); modes.len()]))),
    ("ceil_div", |_, x, y| one(f::ceil_div(x, y))),
    ("fit", |modes, _, _| many(f::fit(modes))),
    ("complement_ceil", |modes, x, _| many(f::complement_ceil(fit(modes), x))),
    ("tiling", |modes, x, _| many(f::tiling(fit(modes), x))),
    ("logical_divide", |modes, x, y| {
        many(f::logical_divide(&[Mode { extent: x, stride: y }], fit(modes)).map(|(found, _)| found))
    }),
    ("logical_divide", |modes, x, y| {
        many(f::logical_divide(modes, &[Mode { extent: x, stride: y }]).map(|(found, _)| found))
    }),
    ("filter", |modes, _, _| many(f::filter(modes))),
    ("places", |modes, x, _| many(f::places(fit(modes), x))),
    ("logical_product", |modes, x, y| {
        many(f::logical_product(fit(modes), &[Mode { extent: x, stride: y }]).map(|(found, _)| found))
    }),
    ("logical_product", |modes, x, y| {
        many(f::logical_product(&[Mode { extent: x, stride: y }], modes).map(|(found, _)| found))
    }),
    ("spreads", |modes, _, _| one(f::spreads(fit(modes)))),
    ("trunc", |_, x, y| one(f::trunc(x.cast_signed(), y.cast_signed()))),
    ("euclid", |_, x, y| one(f::euclid(x.cast_signed(), y.cast_signed()))),
    ("ceil", |_, x, y| one(f::ceil(x.cast_signed(), y.cast_signed()))),
    ("starts", |modes, _, _| many(f::starts(modes))),
    ("insert_start", |modes, x, y| many(f::insert_start((Mode { extent: x, stride: y }, x), &starts(modes, y)))),
    ("sort_starts", |modes, x, _| many(f::sort_starts(&starts(short(modes), x)))),
    ("undo", |modes, x, _| many(f::undo(&starts(modes, x)))),
    ("sorted_starts", |modes, _, _| many(f::sorted_starts(fit(modes)))),
    ("left_inverse", |modes, _, _| many(f::left_inverse(fit(modes)))),
    ("undo_packed", |modes, x, _| many(f::undo_packed(&starts(modes, x)))),
    ("inverse", |modes, _, _| many(f::inverse(fit(modes)))),
    ("follow", |modes, x, y| one(f::follow(&table(modes, x), Mode { extent: x, stride: y }))),
    ("extend", |modes, x, _| many(f::extend(&table(few(modes), x)))),
    ("reaches", |modes, x, _| many(f::reaches(&starts(few(modes), x)))),
    ("walk", |modes, x, _| many(f::walk(&table(few(modes), x)))),
    ("right_inverse", |modes, _, _| many(f::right_inverse(fit_few(modes)))),
];

const OF_NUMBERS: &[(&str, OfNumbers)] = &[
    ("idx2crd", |list, x, _| many(f::idx2crd(list, x))),
    ("crd2idx", |list, x, y| one(f::crd2idx(list, &vec![x.min(y); list.len()]))),
    ("break_at", |list, x, y| one(f::break_at(list, x, y))),
    ("splits", |list, x, y| one(f::splits(list, x, y.min(7), y))),
    ("find_layout", |list, _, _| many(f::find_layout(list))),
    ("fttc_violations", |list, x, y| {
        let mut dims = Vec::new();
        for size in list {
            dims.push((*size, (x, y)));
        }
        many(f::fttc_violations(&dims))
    }),
];

const NUMBERS: [u64; 9] = [0, 1, 2, 3, (1 << 32) - 1, 1 << 32, (1 << 63) - 1, 1 << 63, u64::MAX];

const LONG: usize = 100_000;

/// Whoever adds a function adds a line above, or one for each list that it takes.
#[test]
fn every_function_is_here() {
    let text = include_str!("../src/functions.rs");
    let printed = text.lines().filter_map(|line| Some(line.strip_prefix("pub fn ")?.split_once('(')?.0));
    let mut printed: Vec<&str> = printed.collect();
    let mut here: Vec<&str> = OF_MODES.iter().map(|(name, _)| *name).collect();
    here.extend(OF_NUMBERS.iter().map(|(name, _)| *name));
    printed.sort_unstable();
    here.sort_unstable();
    here.dedup();
    assert_eq!(printed, here);
}

#[test]
fn every_pair_of_numbers() {
    let mut lists = vec![Vec::new()];
    for extent in NUMBERS {
        for stride in NUMBERS {
            let mode = Mode { extent, stride };
            lists.extend([vec![mode], vec![mode; 2], vec![mode; 3], vec![Mode { extent: 2, stride: 1 }, mode]]);
        }
    }
    for modes in &lists {
        for x in NUMBERS {
            for y in [0, 1, u64::MAX] {
                for (name, ask) in OF_MODES {
                    named(name, ask(modes, x, y));
                }
            }
        }
    }
    let mut lists = vec![Vec::new()];
    for a in NUMBERS {
        for b in NUMBERS {
            lists.extend([vec![a], vec![a, b], vec![a, b, a], vec![0, a, b, a.wrapping_add(b)]]);
        }
    }
    for list in &lists {
        for x in NUMBERS {
            for y in [0, 1, 4, 9] {
                for (name, ask) in OF_NUMBERS {
                    named(name, ask(list, x, y));
                }
            }
        }
    }
}

#[test]
fn a_hundred_thousand_modes() {
    for extent in [0, 1, 2, u64::MAX] {
        for stride in [0, 1, u64::MAX] {
            let modes = vec![Mode { extent, stride }; LONG];
            for (name, ask) in OF_MODES {
                named(name, ask(&modes, u64::MAX, u64::MAX));
            }
        }
    }
    for list in [vec![0; LONG], vec![1; LONG], vec![u64::MAX; LONG], (0..LONG as u64).collect()] {
        for (name, ask) in OF_NUMBERS {
            named(name, ask(&list, 1, LONG as u64));
        }
    }
}

/// What is known of some of these.
#[test]
fn answers_are_the_ones_that_must_be() {
    let ones = vec![Mode { extent: 1, stride: u64::MAX }; LONG];
    let twos = vec![Mode { extent: 2, stride: u64::MAX }; LONG];
    let line: Vec<u64> = (0..LONG as u64).map(|n| 3 * n).collect();
    assert_eq!((f::size(&ones), f::size(&twos)), (Ok(1), Err(Fault::Overflow)));
    assert_eq!((f::cosize(&ones), f::cosize(&twos)), (Ok(1), Err(Fault::Overflow)));
    assert_eq!(f::coalesce(&ones).unwrap()[..], []);
    assert_eq!(f::coalesce(&twos).unwrap()[..], twos);
    assert_eq!(f::complement(&ones).unwrap()[..], []);
    assert_eq!(f::complement(&twos), Err(Fault::Overflow));
    let unit = [Mode { extent: 1, stride: 0 }];
    // of a mode of extent 1 nothing is left
    assert_eq!(
        f::composition(&ones, &unit).map(|(found, counts)| (found.len(), counts[..].to_vec())),
        Ok((0, vec![0]))
    );
    assert_eq!(f::composition(&unit, &ones).map(|(found, counts)| (found.len(), counts.len())), Ok((0, LONG)));
    assert_eq!(f::composition(&twos, &unit), Err(Fault::Overflow));
    assert_eq!(f::logical_divide(&twos, &unit), Err(Fault::Overflow));
    assert_eq!(f::logical_product(&twos, &unit), Err(Fault::Overflow));
    assert_eq!((f::right_inverse(&ones).unwrap().len(), f::right_inverse(&twos)), (0, Err(Fault::Overflow)));
    assert_eq!((f::left_inverse(&ones).unwrap().len(), f::left_inverse(&twos)), (0, Err(Fault::Overflow)));
    assert_eq!((f::inverse(&ones).unwrap().len(), f::inverse(&twos)), (0, Err(Fault::Overflow)));
    assert_eq!((f::spreads(&ones), f::spreads(&twos)), (Ok(true), Err(Fault::Overflow)));
    assert_eq!(f::at_index(&[Mode { extent: 0, stride: 1 }], 1), Err(Fault::DivZero));
    assert_eq!(f::at_index(&ones, u64::MAX), Ok(0));
    assert_eq!(f::idx2crd(&[0, 2], 1), Err(Fault::DivZero));
    assert_eq!(f::idx2crd(&vec![2; LONG], u64::MAX).unwrap().iter().sum::<u64>(), 64);
    assert_eq!(f::find_layout(&[]), Err(Fault::Refuse("none")));
    assert_eq!(f::find_layout(&line).unwrap()[..], [Mode { extent: LONG as u64, stride: 3 }]);
}

/// Kinds of refusal have names: those of the library, and that there is nothing to find.
#[track_caller]
fn named(function: &str, found: Result<usize, Fault>) {
    if let Err(Fault::Refuse(code)) = found {
        let known = [
            "none",
            "not_injective",
            "not_divisible",
            "not_contiguous",
            "extent",
            "carries",
            "out_of_domain",
            "incongruent",
        ];
        assert!(known.contains(&code), "{function}: {code}");
    }
}
