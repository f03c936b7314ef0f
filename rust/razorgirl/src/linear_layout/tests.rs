//! Linear layouts point by point, over small dimensions.

use super::*;
use crate::ErrorKind;

fn dims(sizes: &[(&str, u64)]) -> Vec<(String, u64)> {
    sizes.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// All layouts from a (1 bit) and b (1 bit) to x (1 bit) and y (1 bit).
fn small() -> Vec<LinearLayout> {
    let layout = |code: u64| {
        let basis = |place: u64| vec![vec![code >> place & 1, code >> (place + 1) & 1]];
        let bases = vec![("a".to_owned(), basis(0)), ("b".to_owned(), basis(2))];
        LinearLayout::new(&bases, dims(&[("x", 2), ("y", 2)])).unwrap()
    };
    (0..16).map(layout).collect()
}

fn table(layout: &LinearLayout) -> Vec<u64> {
    (0..1 << layout.ins().total()).map(|x| layout.apply_packed(x)).collect()
}

#[test]
fn predicates_and_inverses_are_what_enumeration_finds() {
    for layout in small() {
        let image = table(&layout);
        let reached = (0..4).filter(|y| image.contains(y)).count();
        assert_eq!(1 << layout.rank(), reached);
        assert_eq!(layout.is_invertible(), reached == 4);
        assert_eq!(layout.is_surjective(), reached == 4);
        assert_eq!(layout.is_injective(), reached == 4);
        let least: Option<Vec<u64>> = (0..4).map(|y| image.iter().position(|z| *z == y).map(|x| x as u64)).collect();
        assert_eq!(layout.pseudoinvert().as_ref().map(table), least);
        assert_eq!(layout.invert().as_ref().map(table), least);
    }
}

#[test]
fn equations_have_their_least_solution() {
    for a in small() {
        for b in small() {
            let (over, target) = (table(&a), table(&b));
            let least: Option<Vec<u64>> =
                target.iter().map(|y| over.iter().position(|z| z == y).map(|x| x as u64)).collect();
            assert_eq!(a.least_squares(&b).as_ref().map(table), least, "{a:?} {b:?}");
            let found = b.invert_and_compose(&a).unwrap();
            assert_eq!(found.is_some(), least.is_some());
            if let Some(c) = found {
                assert_eq!(table(&c.compose(&a).unwrap()), target, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn a_product_is_divided_on_both_sides() {
    for low in small() {
        for high in small() {
            let product = low.product(&high).unwrap();
            for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
                let at = |layout: &LinearLayout, a: u64, b: u64| layout.apply(&[("a", a), ("b", b)]).unwrap();
                let (lows, highs) = (at(&low, a & 1, b & 1), at(&high, a >> 1, b >> 1));
                for ((whole, one), two) in at(&product, a, b).iter().zip(&lows).zip(&highs) {
                    assert_eq!(whole.1, one.1 + 2 * two.1);
                }
            }
            assert_eq!(product.divide_left(&low), Some(high.clone()));
            assert_eq!(product.divide_right(&high), Some(low.clone()));
        }
    }
}

#[test]
fn division_is_refused_where_there_is_no_factor() {
    let whole = LinearLayout::new(&[("r".to_owned(), vec![vec![64], vec![2]])], dims(&[("x", 128)])).unwrap();
    let by = LinearLayout::new(&[("r".to_owned(), vec![vec![1]])], dims(&[("x", 32)])).unwrap();
    assert_eq!(whole.divide_right(&by), None);
    assert_eq!(whole.divide_left(&by), None);
}

#[test]
fn names_and_orders() {
    let layout = LinearLayout::new(
        &[("r".to_owned(), vec![vec![0, 2]]), ("l".to_owned(), vec![vec![1, 0]])],
        dims(&[("x", 2), ("y", 4)]),
    )
    .unwrap();
    assert_eq!(layout.transpose_ins(&names(&["l", "r"])).unwrap().columns(), [1, 4]);
    assert_eq!(layout.transpose_outs(&names(&["y", "x"])).unwrap().columns(), [2, 4]);
    assert_eq!(layout.sublayout(&names(&["r"]), &names(&["y"])).unwrap().columns(), [2]);
    for wrong in [&["l"][..], &["l", "l"], &["l", "r", "r"], &["l", "z"]] {
        assert_eq!(layout.transpose_ins(&names(wrong)).unwrap_err().kind(), ErrorKind::Incongruent, "{wrong:?}");
    }
    let other = layout.transpose_ins(&names(&["l", "r"])).unwrap();
    assert_eq!(layout.product(&other).unwrap_err().kind(), ErrorKind::Incongruent);
}

#[test]
fn malformed_layouts_are_refused_with_the_repair() {
    let new = |bases: &[&[u64]], outs: &[(&str, u64)]| {
        LinearLayout::new(&[("i".to_owned(), bases.iter().map(|row| row.to_vec()).collect())], dims(outs))
    };
    for (refused, kind) in [
        (new(&[&[1][..]], &[("o", 3)]), ErrorKind::Extent),
        (new(&[&[1]], &[("o", 0)]), ErrorKind::Extent),
        (new(&[&[2]], &[("o", 2)]), ErrorKind::OutOfDomain),
        (new(&[&[1, 1]], &[("o", 2)]), ErrorKind::Incongruent),
        (new(&[&[1, 1]], &[("o", 2), ("o", 2)]), ErrorKind::Incongruent),
        (new(&[&[1, 1]], &[("o", 1 << 32), ("p", 1 << 32)]), ErrorKind::TooLarge),
        (new(&[&[1][..]; 64], &[("o", 2)]), ErrorKind::TooLarge),
    ] {
        let error = refused.unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(!error.help().is_empty(), "{error}");
    }
}

#[test]
fn sixty_three_bits_a_side() {
    let whole = LinearLayout::identity_1d(1 << 63, "i", "o").unwrap();
    assert_eq!(whole.invert().unwrap().apply_packed(u64::MAX >> 1), u64::MAX >> 1);
    assert_eq!(whole.consecutive_bits(), 63);
    let half = LinearLayout::identity_1d(1 << 32, "i", "o").unwrap();
    assert_eq!(half.product(&half).unwrap_err().kind(), ErrorKind::TooLarge);
    let zero = LinearLayout::zeros_1d(1 << 63, 1, "i", "p").unwrap();
    assert_eq!(whole.concat_outs(&zero).unwrap().columns(), whole.columns());
}

#[test]
fn sizes_are_inferred_where_all_is_reached() {
    let bases = |rows: &[u64]| vec![("r".to_owned(), rows.iter().map(|x| vec![*x]).collect::<Vec<_>>())];
    let found = LinearLayout::from_bases(&bases(&[1, 2]), &names(&["y"])).unwrap().unwrap();
    assert_eq!((found.columns(), found.outs().total()), (&[1, 2][..], 2));
    assert_eq!(LinearLayout::from_bases(&bases(&[2]), &names(&["y"])).unwrap(), None);
    assert_eq!(LinearLayout::from_bases(&bases(&[u64::MAX]), &names(&["y"])).unwrap(), None);
}

#[test]
fn a_tile_repeats_in_a_layout_that_lacks_its_inputs_of_one_value() {
    let layout = |bases: &[(&str, &[u64])], size: u64| {
        let bases: Vec<_> =
            bases.iter().map(|(name, at)| ((*name).to_owned(), at.iter().map(|x| vec![*x]).collect())).collect();
        LinearLayout::new(&bases, dims(&[("x", size)])).unwrap()
    };
    let whole = layout(&[("r", &[1, 2])], 4);
    assert_eq!(whole.reps_of(&layout(&[("r", &[1]), ("w", &[])], 2)).unwrap(), Some(layout(&[("r", &[0, 2])], 4)));
    assert_eq!(whole.reps_of(&layout(&[("r", &[1]), ("w", &[2])], 4)).unwrap(), None);
    // 4 modulo the size 4 is 0, but the tile does not fit.
    assert_eq!(layout(&[("r", &[0])], 4).reps_of(&layout(&[("r", &[4])], 8)).unwrap(), None);
}

/// Boxes of 256 x 256 elements that are not swizzled repeat along the last dimension first, transposed or not: as Triton 3.9
/// answers for matrices of more than 256 rows and columns.
#[test]
fn boxes_without_a_swizzle_repeat_along_the_last_dimension_first() {
    for transposed in [false, true] {
        let layout = encodings::nvmma_shared(0, 16, transposed, &[512, 1024]).unwrap().unwrap();
        let bases = &layout.bases()[0].1;
        assert_eq!(bases[16..], [[0, 256], [0, 512], [256, 0]], "{transposed}");
    }
}
