//! Numbers at the end of the range, judged in 128 bits.
//!
//! With the checks of the development profile, arithmetic that overflows panics here. Users of the library do not get
//! those checks: `cargo test -p razorgirl --profile unchecked` judges the answers without them.

use razorgirl::{Layout, Mode, Shape};
use razorgirl_conform::generate::Rng;

/// Numbers in a fixed order that looks like none.
struct Draw(Rng);

impl Draw {
    /// A power of two or three, or a number beside one, or the end of the range.
    fn number(&mut self) -> u64 {
        match self.0.below(6) {
            0 => 1 + self.0.below(6),
            1 => u64::MAX - self.0.below(3),
            2 => 3_u64.pow(u32::try_from(self.0.below(41)).expect("it is small")),
            3 => (1_u64 << self.0.below(64)).wrapping_sub(1).max(1),
            _ => 1 << self.0.below(64),
        }
    }

    fn modes(&mut self) -> Vec<Mode> {
        (0..=self.0.below(3)).map(|_| Mode::new(self.number(), self.number())).collect()
    }

    /// Any modes that make a layout, or modes of which each begins where the ones before end, so that much composes.
    fn layout(&mut self) -> Layout {
        loop {
            let modes = if self.0.below(2) == 0 {
                self.modes()
            } else {
                let mut next = 1_u64;
                let extents: Vec<u64> = (0..=self.0.below(4)).map(|_| 1 << self.0.below(24)).collect();
                let chain = extents.into_iter().map_while(|extent| {
                    let mode = Mode::new(extent, next);
                    next = next.checked_mul(extent)?.checked_mul(1 << self.0.below(2))?;
                    Some(mode)
                });
                chain.collect()
            };
            if let Ok(layout) = Layout::from_modes(modes) {
                return layout;
            }
        }
    }
}

/// The offset of an index, in 128 bits.
fn at(modes: &[Mode], index: u128) -> u128 {
    let mut rest = index;
    modes.iter().fold(0, |offset, mode| {
        let digit = rest % u128::from(mode.extent());
        rest /= u128::from(mode.extent());
        offset + digit * u128::from(mode.stride())
    })
}

fn size_wide(modes: &[Mode]) -> Option<u64> {
    modes.iter().try_fold(1_u64, |size, mode| size.checked_mul(mode.extent()))
}

fn size(modes: &[Mode]) -> u128 {
    modes.iter().map(|mode| u128::from(mode.extent())).product()
}

fn cosize(modes: &[Mode]) -> u128 {
    1 + modes.iter().map(|mode| u128::from(mode.extent() - 1) * u128::from(mode.stride())).sum::<u128>()
}

/// Both ends, and some indices between.
fn indices(draw: &mut Draw, size: u64) -> Vec<u64> {
    let mut indices = vec![0, size - 1, size / 2];
    indices.extend((0..8).map(|_| draw.0.below(size)));
    indices
}

fn measured(layout: &Layout) {
    assert_eq!(u128::from(layout.size()), size(layout.modes()), "{layout}");
    assert_eq!(u128::from(layout.cosize()), cosize(layout.modes()), "{layout}");
}

/// Whether these modes, sorted, are a bijection onto `[0, end)`.
fn fills(modes: &[Mode], end: u128) -> bool {
    let mut modes: Vec<Mode> = modes.iter().copied().filter(|mode| mode.extent() > 1).collect();
    modes.sort_unstable_by_key(|mode| mode.stride());
    let filled = modes.iter().try_fold(1_u128, |filled, mode| {
        (u128::from(mode.stride()) == filled).then(|| filled * u128::from(mode.extent()))
    });
    filled == Some(end)
}

#[test]
fn answers_are_exact() {
    let mut draw = Draw(Rng::new(64));
    let mut answers = [0; 6];
    for _ in 0..20_000 {
        let (a, b) = (draw.layout(), draw.layout());
        measured(&a);
        let coalesced = a.coalesce();
        measured(&coalesced);
        for index in indices(&mut draw, a.size()) {
            let offset = at(a.modes(), index.into());
            assert_eq!(a.at(index).map(u128::from), Ok(offset), "{a} at {index}");
            assert_eq!(at(coalesced.modes(), index.into()), offset, "{a} at {index}");
            let coord = a.shape().idx2crd(index).expect("it is inside");
            assert_eq!(a.shape().crd2idx(&coord.clone().into()), Ok(index));
            assert_eq!(a.at_flat(coord.leaves()).map(u128::from), Ok(offset));
        }
        if let Ok(composite) = a.composition(&b) {
            answers[0] += 1;
            measured(&composite);
            assert_eq!(composite.size(), b.size(), "{a} {b}");
            for index in indices(&mut draw, b.size()) {
                let expected = at(a.modes(), at(b.modes(), index.into()));
                assert_eq!(at(composite.modes(), index.into()), expected, "{a} {b} at {index}");
            }
        }
        if let Ok(complement) = a.complement() {
            answers[1] += 1;
            measured(&complement);
            let block = a.modes().iter().map(|mode| u128::from(mode.extent()) * u128::from(mode.stride())).max();
            assert!(fills(&[a.modes(), complement.modes()].concat(), block.unwrap_or(1).max(1)), "{a} {complement}");
        }
        let cotarget = draw.number();
        if let Ok(complement) = a.complement_in(cotarget) {
            answers[2] += 1;
            measured(&complement);
            assert!(fills(&[a.modes(), complement.modes()].concat(), cotarget.into()), "{a} in {cotarget}");
        }
        if let Ok(rounded) = a.complement_ceil(cotarget) {
            measured(&rounded);
            let whole = size(a.modes()) * size(rounded.modes());
            assert!(whole >= cotarget.into() && fills(&[a.modes(), rounded.modes()].concat(), whole), "{a} {cotarget}");
        }
        if let Ok(quotient) = a.logical_divide(&b) {
            answers[3] += 1;
            measured(&quotient);
            let rest = b.complement_in(a.size()).expect("it divides");
            let tiling = [b.modes(), rest.modes()].concat();
            assert!(fills(&tiling, a.size().into()), "{a} {b}");
            for index in indices(&mut draw, a.size()) {
                let expected = at(a.modes(), at(&tiling, index.into()));
                assert_eq!(at(quotient.modes(), index.into()), expected, "{a} {b} at {index}");
            }
        }
        if let Ok(product) = a.logical_product(&b) {
            answers[4] += 1;
            measured(&product);
            assert_eq!(product.mode(0).as_ref(), Some(&a));
            assert_eq!(size(product.modes()), size(a.modes()) * size(b.modes()), "{a} {b}");
            // A copy at a larger offset of the tiles lies behind in the complement, which is strictly increasing.
            let copies = product.mode(1).expect("it is a pair");
            for index in indices(&mut draw, b.size()) {
                let first = draw.0.below(b.size());
                let order = at(b.modes(), first.into()).cmp(&at(b.modes(), index.into()));
                assert_eq!(at(copies.modes(), first.into()).cmp(&at(copies.modes(), index.into())), order, "{a} {b}");
            }
        }
        if let Ok(inverse) = a.inverse() {
            answers[5] += 1;
            for index in indices(&mut draw, a.size()) {
                assert_eq!(at(inverse.modes(), at(a.modes(), index.into())), index.into(), "{a}");
            }
        }
    }
    println!("{answers:?}");
    assert!(answers.iter().all(|count| *count > 100), "{answers:?}");
}

/// No refusal panics, and a size or cosize of 2^64 or more is refused.
#[test]
fn what_does_not_fit_is_refused() {
    let mut draw = Draw(Rng::new(65));
    let mut refused = 0;
    for _ in 0..10_000 {
        let modes = draw.modes();
        let fits = size_wide(&modes).is_some() && u64::try_from(cosize_wide(&modes)).is_ok();
        assert_eq!(Layout::from_modes(modes.clone()).is_ok(), fits, "{modes:?}");
        let (a, b) = (draw.layout(), draw.layout());
        let shape: Shape = b.shape();
        refused += [
            a.composition_extended(&b).is_err(),
            a.with_shape(&shape).is_err(),
            a.blocked_product(&b).is_err(),
            a.tile_to_shape(&shape, None).is_err(),
            a.shape().shape_div(&shape).is_err(),
            a.shape().ceil_div(&shape).is_err(),
            a.shape().round_up(&shape).is_err(),
            a.left_inverse().is_err(),
            Layout::make_layout_tv(&a, &b).is_err(),
        ]
        .into_iter()
        .map(usize::from)
        .sum::<usize>();
    }
    assert!(refused > 10_000, "{refused}");
}

/// [`cosize`] of modes that may make no layout: at most 2^128.
fn cosize_wide(modes: &[Mode]) -> u128 {
    let reach = |mode: &Mode| u128::from(mode.extent() - 1) * u128::from(mode.stride());
    modes.iter().fold(1_u128, |end, mode| end.saturating_add(if mode.extent() == 1 { 0 } else { reach(mode) }))
}
