//! `find_modes` and `find_layout_over` against all ways to factor an axis.

use razorgirl::{ErrorKind, Layout, Shape, Witness, find_modes};
use std::cell::Cell;

/// The fewest modes with these entries less the first, and the largest index at which a chain of factors fails that has all
/// entries before.
fn chains(g: &[i64], block: usize, modes: &[(usize, i64)], best: &mut Option<Vec<(usize, i64)>>, furthest: &mut usize) {
    let n = g.len();
    if block == n {
        if best.as_ref().is_none_or(|best| modes.len() < best.len()) {
            *best = Some(modes.to_vec());
        }
        return;
    }
    let stride = g[block] - g[0];
    for extent in (2..=n / block).filter(|extent| (n / block).is_multiple_of(*extent)) {
        match (block..block * extent).find(|x| g[*x] != g[x % block] + stride * i64::try_from(x / block).unwrap()) {
            Some(x) => *furthest = x.max(*furthest),
            None => chains(g, block * extent, &[modes, &[(extent, stride)]].concat(), best, furthest),
        }
    }
}

/// Checks the answer, and that each entry is taken once: all where there is a layout, else none behind the index that is told.
fn check(g: &[i64]) -> bool {
    let (mut best, mut furthest) = (None, 0);
    chains(g, 1, &[], &mut best, &mut furthest);
    let read = Cell::new(0);
    let entries = g.iter().map(|entry| {
        read.set(read.get() + 1);
        *entry
    });
    let found = find_modes(entries, |before, entry| entry - before);
    let found = found.map(|modes| modes.iter().map(|(extent, start)| (*extent, start - g[0])).collect::<Vec<_>>());
    assert_eq!(found, best.clone().ok_or(furthest), "{g:?}");
    assert_eq!(read.get(), if best.is_some() { g.len() } else { furthest + 1 }, "{g:?}");
    best.is_some()
}

#[test]
fn all_small_maps() {
    let (mut maps, mut layouts) = (0, 0);
    for (n, k) in [(2, 5), (3, 5), (4, 5), (6, 3), (8, 3), (9, 3), (12, 3)] {
        let mut g = vec![0_i64; n];
        loop {
            maps += 1;
            layouts += usize::from(check(&g));
            // the next map: an odometer over all places but the first
            let Some(place) = (1..n).find(|place| g[*place] < k - 1) else { break };
            g[place] += 1;
            g[1..place].fill(0);
        }
    }
    assert_eq!((maps, layouts), (186_293, 58));
}

/// A generator of numbers, so that no library is needed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// Entries of a layout of `n` coordinates with strides from -12 to 27.
    fn chain(&mut self, n: usize) -> Vec<i64> {
        let mut g = vec![i64::try_from(self.below(41)).unwrap() - 20];
        while g.len() < n {
            let rest = n / g.len();
            let factors: Vec<usize> = (2..=rest).filter(|factor| rest.is_multiple_of(*factor)).collect();
            let factor = factors[usize::try_from(self.below(factors.len() as u64)).unwrap()];
            let stride = i64::try_from(self.below(40)).unwrap() - 12;
            let block = g.clone();
            g.extend((1..factor).flat_map(|k| block.iter().map(move |v| v + stride * i64::try_from(k).unwrap())));
        }
        g
    }
}

#[test]
fn chains_and_changed_chains() {
    let mut numbers = Numbers(11);
    let mut refused = 0;
    for n in 1..=64 {
        for _ in 0..60 {
            let mut g = numbers.chain(n);
            assert!(check(&g));
            let place = usize::try_from(numbers.below(n as u64)).unwrap();
            g[place] += 1 + i64::try_from(numbers.below(3)).unwrap();
            refused += usize::from(!check(&g));
        }
    }
    assert!(refused > 2_000, "{refused}");
}

#[test]
fn what_is_told_of_a_shape() {
    let over = |shape: &str, values: &[i128]| Layout::find_layout_over(&shape.parse::<Shape>().unwrap(), values);
    // a row-major table over its shape, which a nested shape keeps
    let table = [0, 3, 1, 4, 2, 5];
    assert_eq!(over("(2,3)", &table).unwrap().layout(), Some("(2,3):(3,1)".parse().unwrap()));
    assert_eq!(over("((2,1),(3))", &table).unwrap().to_string(), "0 + ((2,1),(3)):((3,0),(1))");
    assert_eq!(over("()", &[-4]).unwrap().to_string(), "-4 + ():()");
    assert_eq!(over("1", &[9]).unwrap().to_string(), "9 + 1:0");
    let product = over("(2,(2,2))", &[0, 0, 0, 1, 0, 0, 0, 1]).unwrap_err();
    assert_eq!(product.witness(), Some(&Witness::Coordinate("(1,(1,0))".parse().unwrap())));
    let bent = over("(1,(2,4))", &[0, 0, 1, 1, 1, 1, 0, 0]).unwrap_err();
    assert_eq!(bent.witness(), Some(&Witness::Axis { axis: 2, index: 3 }));
    assert_eq!(over("4", &[0, 1]).unwrap_err().kind(), ErrorKind::Incongruent);
    assert_eq!(over("2", &[0, 1 << 64]).unwrap_err().kind(), ErrorKind::Overflow);
    assert_eq!(over("2", &[0, i128::MIN]).unwrap_err().kind(), ErrorKind::Overflow);
    // the largest values: differences need more than 64 bits
    let far = over("2", &[-(1 << 64) + 1, (1 << 64) - 1]).unwrap();
    assert_eq!((far.modes(), far.layout()), (&[(2, (1 << 65) - 2)][..], None));
}
