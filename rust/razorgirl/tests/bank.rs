//! Bank conflicts against a simulation that lists the words of every lane, and layouts without conflicts.

use razorgirl::bank::{LinearConflicts, linear_conflicts, linear_wavefronts, optimal_swizzle};
use razorgirl::{ErrorKind, LinearLayout};
use std::collections::BTreeSet;

fn layout(bases: &[(&str, &[u64])], size: u64) -> LinearLayout {
    let bases: Vec<_> =
        bases.iter().map(|(name, at)| ((*name).to_owned(), at.iter().map(|x| vec![*x]).collect())).collect();
    LinearLayout::new(&bases, vec![("x".to_owned(), size)]).expect("a layout")
}

/// Wavefronts of a phase: the most different words of 4 bytes in one of 32 banks.
fn simulated_phase(addresses: &[u64], bytes: u64) -> u64 {
    let words: BTreeSet<u64> = addresses.iter().flat_map(|address| address / 4..=(address + bytes - 1) / 4).collect();
    (0..32).map(|bank| words.iter().filter(|word| *word % 32 == bank).count() as u64).max().unwrap_or(0)
}

/// The sum of the offsets that the bits of `x` select.
fn offset(offsets: &[u64], x: usize) -> u64 {
    offsets.iter().enumerate().filter(|(bit, _)| x >> bit & 1 == 1).fold(0, |sum, (_, offset)| sum ^ offset)
}

/// All orders of three.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// By trying all orders of the registers, and by listing words.
fn simulated(registers: [u64; 3], lanes: [u64; 5], bits: u64) -> LinearConflicts {
    let bytes = bits / 8;
    let fits = |k: &u32| {
        let vector = 1_u64 << k;
        vector * bytes <= 16
            && ORDERS.iter().any(|order| {
                let sorted = order.map(|place| registers[place]);
                let (units, rest) = sorted.split_at(*k as usize);
                units.iter().zip(0..).all(|(unit, bit)| *unit == 1 << bit)
                    && rest.iter().chain(&lanes).all(|offset| offset % vector == 0)
            })
    };
    let vector = 1 << (0..=3).rev().find(fits).unwrap_or(0);
    let together = usize::try_from(128 / (vector * bytes).max(4)).unwrap_or(1);
    // every phase takes as long as the first
    let all: Vec<u64> = (0..32).map(|lane| offset(&lanes, lane) * bytes).collect();
    let phases: Vec<u64> = all.chunks(together).map(|phase| simulated_phase(phase, vector * bytes)).collect();
    assert!(phases.iter().all(|wavefronts| *wavefronts == phases[0]), "{registers:?} {lanes:?} {bits}: {phases:?}");
    LinearConflicts { vector, wavefronts: phases[0] }
}

#[test]
fn every_access_over_small_bases_is_counted_as_the_simulation_counts_it() {
    let memory = LinearLayout::identity_1d(1 << 10, "offset", "x").unwrap();
    let (some_registers, some_lanes) = ([0, 1, 2, 4, 36], [0, 2, 32, 64, 513]);
    let mut counts = BTreeSet::new();
    let mut cases = 0_u64;
    for code in 0..5_usize.pow(8) {
        let digit = |place: u32| code / 5_usize.pow(place) % 5;
        // lanes in ascending order of their bases: the order changes nothing but which of them are in the first phase
        let lanes = [3, 4, 5, 6, 7].map(|place| some_lanes[digit(place)]);
        let registers = [0, 1, 2].map(|place| some_registers[digit(place)]);
        if !registers.is_sorted() {
            continue;
        }
        let accessing = layout(&[("register", &registers), ("lane", &lanes)], 1 << 10);
        for bits in [8, 32, 64] {
            let found = linear_conflicts(&accessing, &memory, bits).unwrap().unwrap();
            assert_eq!(found, simulated(registers, lanes, bits), "{registers:?} {lanes:?} {bits}");
            counts.insert((found.vector, found.wavefronts));
            cases += 1;
        }
    }
    assert!(cases > 300_000 && counts.len() > 8, "{cases} {counts:?}");
}

/// splitmix64
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// An invertible list of columns.
fn invertible(state: &mut u64, bits: u32) -> Vec<u64> {
    let mut columns: Vec<u64> = (0..bits).map(|bit| 1 << bit).collect();
    for _ in 0..4 * bits {
        let (a, b) = (random(state) % u64::from(bits), random(state) % u64::from(bits));
        let (a, b) = (usize::try_from(a).unwrap(), usize::try_from(b).unwrap());
        if a != b {
            columns[a] ^= columns[b];
        }
    }
    columns
}

#[test]
fn accesses_of_swizzled_memory_are_counted_as_the_simulation_counts_them() {
    let mut state = 7;
    for case in 0..20_000 {
        let columns = invertible(&mut state, 10);
        let memory = layout(&[("offset", &columns)], 1 << 10);
        let mut place = || if case % 2 == 0 { random(&mut state) % 1024 } else { 1 << (random(&mut state) % 10) };
        let (registers, lanes) = ([place(), place(), place()], [place(), place(), place(), place(), place()]);
        let accessing = layout(&[("register", &registers), ("lane", &lanes)], 1 << 10);
        // where each element lies, by going through all of memory
        let at = |x: u64| (0..1024).find(|offset| memory.apply_packed(*offset) == x).unwrap();
        let bits = [8, 16, 32, 64, 128][case % 5];
        let found = linear_conflicts(&accessing, &memory, bits).unwrap().unwrap();
        assert_eq!(found, simulated(registers.map(at), lanes.map(at), bits), "{registers:?} {lanes:?} {columns:?}");
    }
}

#[test]
fn what_shared_memory_lacks_is_not_counted() {
    let memory = layout(&[("offset", &[1, 2])], 8);
    assert_eq!(linear_conflicts(&layout(&[("lane", &[4])], 8), &memory, 32).unwrap(), None);
    assert_eq!(linear_conflicts(&layout(&[("lane", &[3])], 4), &memory, 32).unwrap().unwrap().wavefronts, 1);
    let refused = |registers: &LinearLayout, bits| linear_conflicts(registers, &memory, bits).unwrap_err();
    assert_eq!(refused(&memory, 4).kind(), ErrorKind::OutOfDomain);
    assert_eq!(refused(&memory, 4).help(), ["use 8, 16, 32, 64 or 128 bits"]);
    assert_eq!(refused(&layout(&[("lane", &[8])], 16), 32).kind(), ErrorKind::Incongruent);
}

#[test]
fn lanes_at_large_offsets_do_not_overflow() {
    let memory = LinearLayout::identity_1d(1 << 63, "offset", "x").unwrap();
    let lanes = [1 << 62, 1 << 61, 1 << 60, 1 << 59, 1 << 58];
    let found = linear_conflicts(&layout(&[("lane", &lanes)], 1 << 63), &memory, 128).unwrap().unwrap();
    assert_eq!(found, LinearConflicts { vector: 1, wavefronts: 8 });
    assert_eq!(linear_wavefronts(&[u64::MAX; 5], 2), 1);
}

/// A layout of warps: bases that reach everything, dealt to registers, lanes and warps.
fn dealt(state: &mut u64, bits: u32, permuted: bool) -> LinearLayout {
    let mut columns = invertible(state, bits);
    if permuted {
        columns = (0..bits).map(|bit| 1 << bit).collect();
        for i in (1..columns.len()).rev() {
            let j = usize::try_from(random(state) % (i as u64 + 1)).unwrap();
            columns.swap(i, j);
        }
    }
    let registers = usize::try_from(random(state) % 4).unwrap().min(columns.len());
    let lanes = (registers + 5).min(columns.len());
    layout(
        &[("register", &columns[..registers]), ("lane", &columns[registers..lanes]), ("warp", &columns[lanes..])],
        1 << bits,
    )
}

#[test]
fn suggested_memory_has_no_conflicts() {
    let mut state = 11;
    let mut widest = BTreeSet::new();
    for case in 0..6_000_u32 {
        let bits = 1 + case % 12;
        let (src, dst) = (dealt(&mut state, bits, case % 3 == 0), dealt(&mut state, bits, case % 3 == 0));
        let width = [8, 16, 32, 64, 128][case as usize % 5];
        let memory = optimal_swizzle(&src, &dst, width).unwrap();
        assert!(memory.is_invertible(), "{memory:?}");
        let inverse = memory.invert().unwrap();
        for pattern in [&src, &dst] {
            let found = linear_conflicts(pattern, &memory, width).unwrap().unwrap();
            assert_eq!(found.wavefronts, 1, "{src:?}\n{dst:?}\n{width} {memory:?}");
            // and by listing the words of the first phase
            let bytes = found.vector * width / 8;
            let lanes: Vec<u64> = pattern.columns_at("lane").iter().map(|x| inverse.apply_packed(*x)).collect();
            let together = usize::try_from(128 / bytes.max(4)).unwrap().min(1 << lanes.len());
            let addresses: Vec<u64> = (0..together).map(|lane| offset(&lanes, lane) * width / 8).collect();
            assert_eq!(simulated_phase(&addresses, bytes), 1);
            widest.insert(found.vector);
        }
    }
    assert!(widest.len() >= 4, "{widest:?}");
}

#[test]
fn suggestions_are_for_one_block_and_one_tensor() {
    let one = layout(&[("lane", &[1])], 2);
    assert_eq!(optimal_swizzle(&one, &layout(&[("lane", &[1])], 4), 32).unwrap_err().kind(), ErrorKind::Incongruent);
    let blocks = layout(&[("block", &[1])], 2);
    assert_eq!(optimal_swizzle(&one, &blocks, 32).unwrap_err().kind(), ErrorKind::OutOfDomain);
    assert_eq!(optimal_swizzle(&one, &one, 1).unwrap_err().kind(), ErrorKind::OutOfDomain);
}
