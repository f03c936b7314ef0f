//! Relations against pairs looked at one by one, and recovered layouts against all shapes.

use super::*;
use crate::int_tuple::{IntTuple, Shape};
use crate::layout::Layout;
use alloc::borrow::ToOwned;

/// All relations of two numbers with pairs out of these four.
fn small() -> Vec<Relation> {
    let all = [(0, 0), (0, 1), (1, 0), (1, 1)];
    (0..16_usize)
        .map(|chosen| {
            let pairs = (0..4).filter(|bit| chosen >> bit & 1 == 1).map(|bit| (vec![all[bit].0], vec![all[bit].1]));
            Relation::new(pairs).unwrap()
        })
        .collect()
}

#[test]
fn operations_hold_the_pairs_that_they_should() {
    let tuples = [vec![0], vec![1]];
    let has = |r: &Relation, x: &Tuple, y: &Tuple| r.pairs().contains(&(x.clone(), y.clone()));
    for f in small() {
        assert_eq!(f.is_functional(), tuples.iter().all(|x| tuples.iter().filter(|y| has(&f, x, y)).count() <= 1));
        assert_eq!(f.is_injective(), tuples.iter().all(|y| tuples.iter().filter(|x| has(&f, x, y)).count() <= 1));
        for x in &tuples {
            assert_eq!(f.domain().contains(&x), tuples.iter().any(|y| has(&f, x, y)));
            assert_eq!(f.range().contains(&x), tuples.iter().any(|y| has(&f, y, x)));
            let least = tuples.iter().find(|y| has(&f, y, x));
            assert!(tuples.iter().all(|y| has(&f.least_preimages(), x, y) == (least == Some(y))));
        }
        for g in small() {
            let (after, union) = (g.after(&f).unwrap(), g.union(&f).unwrap());
            let (both, only) = (g.intersection(&f), g.difference(&f));
            for x in &tuples {
                for y in &tuples {
                    assert_eq!(has(&after, x, y), tuples.iter().any(|z| has(&f, x, z) && has(&g, z, y)));
                    assert_eq!(has(&union, x, y), has(&f, x, y) || has(&g, x, y));
                    assert_eq!(has(&both, x, y), has(&f, x, y) && has(&g, x, y));
                    assert_eq!(has(&only, x, y), has(&g, x, y) && !has(&f, x, y));
                    assert_eq!(has(&f.inverse(), x, y), has(&f, y, x));
                }
            }
            let left = f.pairs().iter().any(|(_, y)| !tuples.iter().any(|z| has(&g, y, z)));
            assert_eq!(g.promotes(&f), left);
        }
    }
}

#[test]
fn gaps_are_what_is_missed() {
    let of = |text: &str| Relation::of_layout(&text.parse().unwrap()).unwrap();
    assert_eq!(of("(3,2):(2,7)").gaps().unwrap(), [1, 3, 5, 6, 8, 10]);
    assert_eq!(of("2:65535").gaps().unwrap().len(), 65534);
    assert_eq!(of("2:65536").gaps().unwrap_err().kind(), ErrorKind::TooLarge);
    assert_eq!(Relation::default().gaps().unwrap(), []);
    let negative = Relation::new([(vec![0], vec![-1])]).unwrap();
    assert_eq!(negative.gaps().unwrap_err().to_string(), "the image (-1) must be one integer of at least 0");
}

/// Every layout of up to three modes with extents to 4 and strides to 4, and every shape and stride asked.
#[test]
fn recovered_is_what_has_the_mapping() {
    let shapes: Vec<[u64; 3]> = triples(1, 4);
    let strides: Vec<[u64; 3]> = triples(0, 3);
    for extents in shapes.iter().filter(|shape| shape.iter().product::<u64>() <= 12) {
        for stride in &strides {
            let layout = Layout::new(&IntTuple::flat(extents), &IntTuple::flat(stride)).unwrap();
            let mapping = Relation::of_layout(&layout).unwrap();
            let shape = Shape::new(IntTuple::flat(extents)).unwrap();
            assert_eq!(mapping.with_shape(&shape).unwrap(), layout);
            // the first shape, in lexicographic order, over the same strides
            let first = shapes.iter().find_map(|tried| {
                let tried = Layout::new(&IntTuple::flat(tried), &IntTuple::flat(stride)).unwrap();
                (Relation::of_layout(&tried).unwrap() == mapping).then_some(tried)
            });
            let found = mapping.with_stride(&IntTuple::flat(stride)).unwrap();
            // extents above 4 come later only if those before them are the same
            assert_eq!(Relation::of_layout(&found).unwrap(), mapping);
            assert!(
                first.is_none_or(|first| found.shape().extents().leaves() <= first.shape().extents().leaves()),
                "{layout}"
            );
        }
    }
    // each map of four numbers to three, asked for each shape and stride
    for code in 0..81_u64 {
        let values: Vec<u64> = (0..4).map(|place| code / 3_u64.pow(place) % 3).collect();
        let mapping = Relation::new((0..).zip(&values).map(|(x, y)| (vec![x], vec![i128::from(*y)]))).unwrap();
        for extents in [[4, 1], [2, 2], [1, 4]] {
            let exists = (0..3).flat_map(|a| (0..3).map(move |b| [a, b])).find(|stride| {
                let layout = Layout::new(&IntTuple::flat(&extents), &IntTuple::flat(stride)).unwrap();
                layout.offsets().eq(values.iter().copied())
            });
            let found = mapping.with_shape(&Shape::new(IntTuple::flat(&extents)).unwrap());
            assert_eq!(found.is_ok(), exists.is_some(), "{values:?} {extents:?}");
        }
        for a in 0..3 {
            for b in 0..3 {
                let exists = [[1, 4], [2, 2], [4, 1]].into_iter().find(|extents| {
                    let layout = Layout::new(&IntTuple::flat(extents), &IntTuple::flat(&[a, b])).unwrap();
                    layout.offsets().eq(values.iter().copied())
                });
                let found = mapping.with_stride(&IntTuple::flat(&[a, b])).ok();
                assert_eq!(found.map(|found| found.shape().extents().leaves().to_vec()), exists.map(|e| e.to_vec()));
            }
        }
    }
}

/// The modes that a refusal of strides names make what it says at that index, and the mapping has something else there.
#[test]
fn refused_strides_say_where_the_modes_that_go_furthest_end() {
    let between = |text: &str, from: &str, to: &str| -> String {
        let rest = text.split_once(from).unwrap_or_else(|| panic!("{text}: {from}")).1;
        rest.split_once(to).map_or(rest, |(part, _)| part).to_owned()
    };
    let mut refused = 0;
    for code in 0..4_u64.pow(5) {
        let values: Vec<u64> = [0].into_iter().chain((0..5).map(|place| code >> (2 * place) & 3)).collect();
        let mapping = Relation::new((0..).zip(&values).map(|(x, y)| (vec![x], vec![i128::from(*y)]))).unwrap();
        for strides in [&[1][..], &[1, 2], &[2, 1], &[0, 1, 3]] {
            let Err(error) = mapping.with_stride(&IntTuple::flat(strides)) else { continue };
            let text = error.to_string();
            let modes = between(&text, ": the modes ", ", which match the most indices");
            let number = |text: String| text.parse::<u64>().unwrap();
            let (made, index) = (number(between(&text, " to ", ", but")), number(between(&text, "map index ", " to")));
            let image = number(between(&text, "its image is ", ";"));
            let list = |text: &str| -> Vec<u64> {
                text.trim_matches(['(', ')']).split(',').map(|number| number.parse().unwrap()).collect()
            };
            let (extents, own) = modes.split_once(':').map(|(a, b)| (list(a), list(b))).unwrap();
            assert_eq!(own, strides[..extents.len()], "{text}");
            let (mut rest, mut sum) = (index, 0);
            for (extent, stride) in extents.iter().zip(strides) {
                sum += rest % extent * stride;
                rest /= extent;
            }
            let at = usize::try_from(index).unwrap();
            assert_eq!((made, image), (sum, values[at]), "{values:?}: {text}");
            assert_ne!(made, image, "{values:?}: {text}");
            refused += 1;
        }
    }
    assert!(refused > 3000, "{refused}");
}

fn triples(from: u64, to: u64) -> Vec<[u64; 3]> {
    let one = from..=to;
    one.clone().flat_map(|a| one.clone().flat_map(move |b| (from..=to).map(move |c| [a, b, c]))).collect()
}

#[test]
fn what_is_no_layout_is_refused_with_the_place() {
    let refused = |pairs: &[(&[i128], &[i128])]| {
        let mapping = Relation::new(pairs.iter().map(|(x, y)| (x.to_vec(), y.to_vec()))).unwrap();
        let error = mapping.with_shape(&"2".parse().unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoLayout);
        error.to_string()
    };
    assert_eq!(refused(&[]), "the relation has no pair");
    assert_eq!(refused(&[(&[0], &[0]), (&[0], &[1])]), "0 has two images");
    assert_eq!(refused(&[(&[0], &[0]), (&[2], &[1])]), "1 has no image, and 2 has one");
    assert_eq!(refused(&[(&[-1], &[0])]), "the input -1 is below 0");
    assert_eq!(refused(&[(&[0, 1], &[0])]), "the input (0,1) must be one integer");
    assert_eq!(refused(&[(&[0], &[0]), (&[1], &[-2])]), "the image (-2) of 1 is no offset");
    assert_eq!(
        refused(&[(&[0], &[1]), (&[1], &[2])]),
        "index 0 has the image 1, but 2:2, whose strides are the images of the first steps, maps it to 0"
    );
    let many = IntTuple::flat(&[0; 1025]);
    let one = Relation::new([(vec![0], vec![0])]).unwrap();
    assert_eq!(one.with_stride(&many).unwrap_err().kind(), ErrorKind::TooLarge);
    assert_eq!(Relation::new([(vec![0; MAX_NUMBERS], vec![0])]).unwrap_err().kind(), ErrorKind::TooLarge);
    // points that a linear layout may miss: few, and of few dimensions
    let dims = |sizes: &[u64]| sizes.iter().zip(0..).map(|(size, at): (&u64, u32)| (format!("o{at}"), *size)).collect();
    let gaps = |sizes: &[u64]| crate::LinearLayout::new(&[], dims(sizes)).unwrap().gaps();
    assert_eq!(gaps(&[4, 2]).map(|gaps| gaps.len()), Ok(7));
    assert_eq!(gaps(&[1 << 17]).unwrap_err().kind(), ErrorKind::TooLarge);
    assert_eq!(gaps(&[[1 << 16].as_slice(), &[1; 16]].concat()).unwrap_err().kind(), ErrorKind::TooLarge);
    // few pairs in, many long ones out
    let long = Relation::new([(vec![0], vec![7; 1 << 10])]).unwrap();
    let to_it = Relation::new((0..1 << 11).map(|x| (vec![x], vec![0]))).unwrap();
    assert_eq!(long.after(&to_it).unwrap_err().kind(), ErrorKind::TooLarge);
    // half a million shapes of zeros before the one stride that would help
    let mut far: Vec<_> = (0..4096).map(|x| (vec![x], vec![0])).collect();
    far[4095].1 = vec![1];
    let error = Relation::new(far).unwrap().with_stride(&IntTuple::flat(&[0; 12])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
}

/// Decided by few points, and by all of them.
#[test]
fn quasi_affine_expressions_are_equal_where_all_points_are() {
    let texts = [
        "x0",
        "x0 / 2 * 2 + x0 % 2",
        "x0 % 6",
        "x0 % 2 + x0 / 2 % 3 * 2",
        "x0 / 2 + x0 / 3",
        "x0 / 6 * 5",
        "x0 % 4 * 3 + x1",
        "x1 + x0 * 3",
        "(x0 + x1) / 2",
        "x0 / 2 + x1 / 2 + (x0 % 2 + x1 % 2) / 2",
        "(x0 + 3) % 4",
        "x0 * 0",
        "0",
        "(x0 * 2 + 1) / 4",
    ];
    let all: Vec<QuasiAffine> = texts.iter().map(|text| QuasiAffine::new(text.parse().unwrap()).unwrap()).collect();
    let mut equal = 0;
    for a in &all {
        for b in &all {
            for (width, height) in [(1, 1), (4, 1), (6, 2), (7, 3), (30, 9)] {
                let points = (0..width).flat_map(|x| (0..height).map(move |y| [x, y]));
                let same = points.clone().all(|point| a.at(&point).unwrap() == b.at(&point).unwrap());
                assert_eq!(a.equal_on(b, &[width, height]), Ok(same), "{} {} {width} {height}", a.isl(), b.isl());
                equal += usize::from(same && a != b);
            }
        }
    }
    assert!(equal > 20, "{equal}");
    assert_eq!(all[1].period(0), Some(4));
    assert_eq!(all[1].period(1), Some(1));
    // 2^40 is a period that nobody looks at point by point; within few indices it need not be.
    let far = QuasiAffine::new("x0 % 1099511627776".parse().unwrap()).unwrap();
    assert_eq!(far.equal_on(&all[0], &[1 << 50]).unwrap_err().kind(), ErrorKind::TooLarge);
    assert_eq!(far.equal_on(&all[0], &[1 << 10]), Ok(true));
    assert_eq!(far.equal_on(&all[0], &[0]), Ok(true));
    for (text, said) in [
        ("x0 * x1", "neither factor of (x0) * (x1) is an integer"),
        ("x0 / 0", "x0 is divided by 0, which is no positive integer"),
        ("x0 % (0 + 3)", "x0 is divided by 0 + 3, which is no positive integer"),
    ] {
        assert_eq!(QuasiAffine::new(text.parse().unwrap()).unwrap_err().to_string(), said);
    }
}

/// One expression exactly for one function.
#[test]
fn expressions_of_layouts_are_a_normal_form() {
    let layouts: Vec<Layout> = ["(2,2):(1,2)", "4:1", "(2,(1,2)):(1,(7,2))", "(2,2):(2,1)", "(4,1):(1,0)", "4:2"]
        .map(|l| l.parse().unwrap())
        .into();
    for a in &layouts {
        for b in &layouts {
            let (x, y) = (QuasiAffine::of_layout(a).unwrap(), QuasiAffine::of_layout(b).unwrap());
            assert_eq!(x == y, a.offsets().eq(b.offsets()), "{a} {b}");
            assert_eq!(x.equal_on(&y, &[4]), Ok(a.offsets().eq(b.offsets())));
            assert!((0..4).all(|index| x.at(&[index]) == Ok(a.at(index).unwrap().into())));
        }
    }
}

/// Swizzles of layouts with and without carries: every offset, and isl's text read back.
#[test]
fn expressions_of_swizzled_layouts() {
    for layout in ["(8,8):(8,1)", "(6,8):(8,1)", "(4,3,4):(1,4,12)", "64:1", "5:7", "1:0", "(4,4):(4,1)"] {
        for bits in 0..4 {
            for base in 0..3 {
                for shift in -3..=3 {
                    for start in [0, 1, 64, 100] {
                        let text = format!("Sw<{bits},{base},{shift}> o {start} o {layout}");
                        let layout: crate::SwizzledLayout = text.parse().unwrap();
                        let expr = QuasiAffine::of_swizzled(&layout).unwrap();
                        let relation = Relation::of_swizzled(&layout).unwrap();
                        for (index, offset) in (0..).zip(layout.offsets()) {
                            assert_eq!(
                                expr.at(&[index]),
                                Ok(offset.unwrap().into()),
                                "{text} at {index}: {}",
                                expr.isl()
                            );
                        }
                        assert_eq!(expr.mapping(layout.size()).parse(), Ok(relation), "{text}");
                    }
                }
            }
        }
    }
    // nothing is added for a swizzle that changes no offset
    for (layout, text) in
        [("(6,8):(8,1)", "Sw<0,0,0> o 0 o (6,8):(8,1)"), ("(3,2):(3,1)", "Sw<1,0,3> o 0 o (3,2):(3,1)")]
    {
        let swizzled = QuasiAffine::of_swizzled(&text.parse().unwrap()).unwrap();
        assert_eq!(swizzled, QuasiAffine::of_layout(&layout.parse().unwrap()).unwrap(), "{text}");
    }
    // bits of large offsets
    for text in ["Sw<1,40,1> o 0 o 3:1099511627776", "Sw<2,33,-1> o 5 o (3,5):(8589934592,34359738368)"] {
        let layout: crate::SwizzledLayout = text.parse().unwrap();
        let expr = QuasiAffine::of_swizzled(&layout).unwrap();
        for (index, offset) in (0..).zip(layout.offsets()) {
            assert_eq!(expr.at(&[index]), Ok(offset.unwrap().into()), "{text} at {index}");
        }
    }
    let far = QuasiAffine::of_swizzled(&"Sw<9,3,-70> o 0 o (3,2):(1,4)".parse().unwrap()).unwrap();
    assert_eq!(far.at(&[2]), Ok(2));
    assert_eq!(QuasiAffine::new(far.expr().clone()), Ok(far));
}
