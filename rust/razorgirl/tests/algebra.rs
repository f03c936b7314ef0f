//! Composition, complement and inverses on all small layouts, against their definitions by enumeration.

use razorgirl::{ErrorKind, Layout, Mode};

type Flat = Vec<(u64, u64)>;

fn layouts(rank: usize, max_extent: u64, max_stride: u64) -> Vec<Flat> {
    let mut all: Vec<Flat> = vec![Vec::new()];
    for _ in 0..rank {
        all = all
            .iter()
            .flat_map(|layout| {
                (1..=max_extent).flat_map(move |extent| {
                    (0..=max_stride).map(move |stride| {
                        let mut longer = layout.clone();
                        longer.push((extent, stride));
                        longer
                    })
                })
            })
            .collect();
    }
    all
}

fn up_to_rank(rank: usize, max_extent: u64, max_stride: u64) -> Vec<Flat> {
    (0..=rank).flat_map(|rank| layouts(rank, max_extent, max_stride)).collect()
}

fn library(flat: &Flat) -> Layout {
    Layout::from_modes(flat.iter().map(|(extent, stride)| Mode::new(*extent, *stride))).expect("it is small")
}

fn size(flat: &Flat) -> u64 {
    flat.iter().map(|(extent, _)| extent).product()
}

fn at(flat: &Flat, mut index: u64) -> u64 {
    flat.iter()
        .map(|(extent, stride)| {
            let digit = index % extent;
            index /= extent;
            digit * stride
        })
        .sum()
}

fn offsets(flat: &Flat) -> Vec<u64> {
    (0..size(flat)).map(|index| at(flat, index)).collect()
}

/// The modes of the layout with exactly these values.
fn find(values: &[u64]) -> Option<Flat> {
    if values[0] != 0 {
        return None;
    }
    if values.len() == 1 {
        return Some(Vec::new());
    }
    let extent = (0..values.len()).find(|k| values[*k] != values[1] * *k as u64).unwrap_or(values.len());
    let holds = values.len().is_multiple_of(extent)
        && (0..values.len()).all(|x| values[x] == values[x / extent * extent] + values[1] * (x % extent) as u64);
    if !holds {
        return None;
    }
    let rest: Vec<u64> = values.iter().step_by(extent).copied().collect();
    let mut modes = vec![(extent as u64, values[1])];
    modes.extend(find(&rest)?);
    Some(modes)
}

/// The composite, one coalesced group of modes for each mode of `inner`; or none if there is none.
fn composite(outer: &Flat, inner: &Flat) -> Option<Vec<Flat>> {
    if inner.iter().map(|(extent, stride)| (extent - 1) * stride).sum::<u64>() >= size(outer) {
        return None;
    }
    let groups = inner
        .iter()
        .map(|(extent, stride)| find(&(0..*extent).map(|k| at(outer, k * stride)).collect::<Vec<_>>()))
        .collect::<Option<Vec<_>>>()?;
    let flat: Flat = groups.concat();
    (0..size(inner)).all(|x| at(&flat, x) == at(outer, at(inner, x))).then_some(groups)
}

fn groups_of(composite: &Layout, inner: &Flat) -> Vec<Flat> {
    assert_eq!(composite.rank(), inner.len());
    composite
        .sublayouts()
        .map(|mode| {
            mode.modes().iter().map(|m| (m.extent(), m.stride())).filter(|(extent, _)| *extent > 1).collect::<Flat>()
        })
        .collect()
}

#[test]
fn complete_composition_accepts_exactly_what_exists() {
    let inners = up_to_rank(2, 4, 6);
    let (mut existing, mut strict, mut asked) = (0_u64, 0_u64, 0_u64);
    for outer in up_to_rank(2, 4, 6).iter().chain(layouts(3, 3, 3).iter().step_by(5)) {
        let a = library(outer);
        for inner in inners.iter().step_by(3) {
            let b = library(inner);
            asked += 1;
            let truth = composite(outer, inner);
            let complete = a.composition_complete(&b);
            match (&truth, &complete) {
                (Some(groups), Ok(layout)) => assert_eq!(&groups_of(layout, inner), groups, "{a} after {b}"),
                (None, Err(_)) => {}
                _ => panic!("{a} after {b}: {truth:?} exists, {complete:?} is answered"),
            }
            if let Ok(layout) = a.composition(&b) {
                strict += 1;
                assert_eq!(Ok(&layout), complete.as_ref(), "{a} after {b}");
            }
            existing += u64::from(truth.is_some());
        }
    }
    println!("{asked} pairs, {existing} composites, {strict} of them for all strides");
}

#[test]
fn strict_composition_accepts_exactly_what_exists_for_all_strides() {
    // strides without any relation between them: what composes here composes always
    let generic = [1_000_003, 7_368_787 * 1_009, 982_451_653 * 65_537];
    let inners = up_to_rank(2, 6, 8);
    for shape in up_to_rank(3, 5, 0) {
        let outer: Flat = shape.iter().zip(generic).map(|((extent, _), stride)| (*extent, stride)).collect();
        let a = library(&outer);
        for inner in inners.iter().step_by(7) {
            let b = library(inner);
            let exists = composite(&outer, inner).is_some();
            assert_eq!(a.composition(&b).is_ok(), exists, "{a} after {b}");
        }
    }
}

#[test]
fn refusals_name_the_reason() {
    let refusal = |a: &str, b: &str| {
        let a: Layout = a.parse().expect("it is notation");
        a.composition(&b.parse().expect("it is notation")).expect_err("no composite exists for all strides").kind()
    };
    assert_eq!(refusal("(6,2):(1,7)", "(3,2):(2,3)"), ErrorKind::Carries);
    assert_eq!(refusal("(12,2):(1,13)", "(2,2,3):(2,3,4)"), ErrorKind::Carries);
    assert_eq!(refusal("(6,2):(1,7)", "(2,2,2):(1,2,3)"), ErrorKind::Carries);
    assert_eq!(refusal("(4,6,8):(2,3,5)", "6:3"), ErrorKind::NotDivisible);
    assert_eq!(refusal("(3,3):(1,1)", "4:2"), ErrorKind::Carries);
    assert_eq!(refusal("8:1", "9:1"), ErrorKind::OutOfDomain);
}

#[test]
fn complement_exists_exactly_when_it_can() {
    for flat in up_to_rank(3, 3, 7) {
        let a = library(&flat);
        let covered = |complement: &Layout, block: u64| {
            let both: Flat = flat
                .iter()
                .copied()
                .chain(complement.modes().iter().map(|mode| (mode.extent(), mode.stride())))
                .collect();
            let mut hit = offsets(&both);
            hit.sort_unstable();
            hit == (0..block).collect::<Vec<_>>()
        };
        let mut chain: Flat = flat.iter().copied().filter(|(extent, _)| *extent > 1).collect();
        chain.sort_by_key(|(extent, stride)| (*stride, *extent));
        let mut block = 1;
        let exists = chain.iter().all(|(extent, stride)| {
            let fits = *stride > 0 && stride % block == 0;
            block = extent * stride;
            fits
        });
        let complement = a.complement();
        assert_eq!(complement.is_ok(), exists, "{a}");
        if let Ok(complement) = &complement {
            assert!(covered(complement, block), "{a}: {complement}");
            assert_eq!(complement.coalesce(), *complement);
            let values: Vec<u64> = complement.offsets().collect();
            assert!(values.is_sorted_by(|low, high| low < high), "{a}: {complement}");
        }
        for cotarget in [0, 1, block, 2 * block, 3 * block, block + 1, 24] {
            let complement = a.complement_in(cotarget);
            assert_eq!(complement.is_ok(), exists && cotarget > 0 && cotarget % block == 0, "{a} in {cotarget}");
            if let Ok(complement) = complement {
                assert!(covered(&complement, cotarget), "{a} in {cotarget}: {complement}");
            }
            let ceil = a.complement_ceil(cotarget);
            assert_eq!(ceil.is_ok(), exists && cotarget > 0);
            if let Ok(ceil) = ceil {
                assert!(covered(&ceil, cotarget.max(1).div_ceil(block) * block), "{a} in {cotarget}: {ceil}");
            }
        }
    }
}

#[test]
fn inverses_invert() {
    let (mut left, mut other) = (0, 0);
    for flat in up_to_rank(3, 4, 7).iter().chain(layouts(4, 2, 4).iter()) {
        let layout = library(flat);
        let values = offsets(flat);
        let right = layout.right_inverse();
        for (i, index) in right.offsets().enumerate() {
            assert_eq!(
                values.get(usize::try_from(index).expect("it is small")),
                Some(&(i as u64)),
                "{layout}: {right}"
            );
        }
        // maximal among chains of whole modes
        let coalesced = layout.coalesce();
        assert_eq!(right.size(), longest(coalesced.modes(), 1), "{layout}: {right}");
        let injective = values.iter().collect::<std::collections::HashSet<_>>().len() == values.len();
        let modes = coalesced.modes().iter().filter(|mode| mode.extent() > 1);
        let mut strides: Vec<u64> = modes.map(|mode| mode.stride()).collect();
        strides.sort_unstable();
        let divides = strides.windows(2).all(|pair| pair[0] > 0 && pair[1].is_multiple_of(pair[0]));
        let inverse = layout.left_inverse();
        assert_eq!(inverse.is_ok(), injective && divides, "{layout}");
        if let Ok(inverse) = &inverse {
            left += 1;
            for (index, value) in values.iter().enumerate() {
                assert_eq!(inverse.at(*value).ok(), Some(index as u64), "{layout}: {inverse}");
            }
        }
        // any left inverse, where there is one: wherever whole modes do it, and sometimes where they do not
        if flat.len() < 3 {
            let any = layout.left_inverse_complete();
            assert!(any.is_ok() || inverse.is_err(), "{layout}");
            assert!(any.is_err() || injective, "{layout}");
            if let Ok(any) = any {
                other += u64::from(inverse.is_err());
                for (index, value) in values.iter().enumerate() {
                    assert_eq!(any.at(*value).ok(), Some(index as u64), "{layout}: {any}");
                }
            }
        }
        if let Ok(quasi) = layout.quasi_left_inverse() {
            for value in &values {
                assert_eq!(quasi.at(*value).and_then(|index| layout.at(index)).ok(), Some(*value), "{layout}: {quasi}");
            }
        }
        let both = layout.inverse();
        assert_eq!(both.is_ok(), layout.is_contiguous(), "{layout}");
        if let Ok(both) = both {
            assert_eq!(both.size(), layout.size());
            for (index, value) in values.iter().enumerate() {
                assert_eq!(both.at(*value).ok(), Some(index as u64));
            }
        }
        let null = layout.nullspace();
        assert!(null.offsets().all(|index| values[usize::try_from(index).expect("it is small")] == 0));
        let zeros: u64 = flat.iter().filter(|(_, stride)| *stride == 0).map(|(extent, _)| extent).product();
        assert_eq!(null.size(), zeros, "{layout}: {null}");
    }
    println!("left inverses by whole modes {left}, of other kinds {other}");
    assert!(left > 1_000 && other > 20, "{left} {other}");
}

fn longest(modes: &[Mode], run: u64) -> u64 {
    modes
        .iter()
        .filter(|mode| mode.extent() > 1 && mode.stride() == run)
        .map(|mode| mode.extent() * longest(modes, run * mode.extent()))
        .max()
        .unwrap_or(1)
}
