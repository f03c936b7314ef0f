//! Division, products and partitions against their definitions: exhaustively on small layouts, at random on nested ones.

mod naive;

use naive::Tree::{Leaf, Node};
use naive::tiling::{self, Split};
use proptest::prelude::*;
use razorgirl::{Coord, Layout, Placed, Result, Tiler};

fn built(layout: &naive::Layout) -> Layout {
    naive::notation(layout).parse().unwrap()
}

fn tuple(values: &[u64]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("({})", values.join(","))
}

fn text(layout: Result<Layout>) -> Option<String> {
    layout.ok().map(|layout| layout.to_string())
}

/// All flat layouts of this rank, and the leaves among them.
fn layouts(rank: u32, extents: u64, strides: u64) -> Vec<naive::Layout> {
    let modes = extents * (strides + 1);
    let mode = |code: u64| Leaf((1 + code % extents, code / extents));
    let mut all: Vec<naive::Layout> = (0..modes.pow(rank))
        .map(|code| Node(naive::digits(&vec![modes; rank as usize], code).into_iter().map(mode).collect()))
        .collect();
    if rank == 1 {
        all.extend((0..modes).map(mode));
    }
    all.iter().map(naive::normal).collect()
}

fn all(ranks: std::ops::RangeInclusive<u32>, extents: u64, strides: u64) -> Vec<naive::Layout> {
    let mut all: Vec<naive::Layout> = ranks.flat_map(|rank| layouts(rank, extents, strides)).collect();
    all.dedup();
    all
}

/// The quotient is exact, or refused; every suggestion of a refusal divides.
#[test]
fn division_by_every_small_tile() {
    let tiles = all(0..=2, 4, 5);
    let (mut exact, mut refused, mut padded) = (0_u64, 0_u64, 0_u64);
    let outer = [all(0..=2, 5, 3), layouts(3, 3, 2)].concat();
    for (i, plain) in outer.iter().enumerate() {
        let layout = built(plain);
        let all = tiling::counted(naive::offsets(plain));
        for tile_plain in tiles.iter().skip(i % 19).step_by(19) {
            let tile = built(tile_plain);
            let expected = tiling::logical_divide(plain, tile_plain);
            let quotient = layout.logical_divide(&tile);
            assert_eq!(text(quotient.clone()), tiling::text(expected), "{layout} by {tile}");
            match quotient {
                Ok(quotient) => {
                    exact += 1;
                    assert_eq!(tiling::counted(quotient.offsets()), all, "{layout} by {tile}");
                    assert_eq!((quotient.size(), quotient.cosize()), (layout.size(), layout.cosize()));
                }
                Err(_) => refused += 1,
            }
            // padded: each index of the layout exactly once, with its offset
            let tiler = Tiler::Layout(tile.clone());
            let ceil = layout.logical_divide_ceil(&tiler);
            let expected = tiling::logical_divide_ceil(plain, tile_plain);
            assert_eq!(ceil.is_ok(), expected.is_some(), "{layout} by {tile}: {ceil:?} {expected:?}");
            if let (Ok(ceil), Some((quotient, index))) = (ceil, expected) {
                assert_eq!(Some(ceil.layout.to_string()), tiling::text(Some(quotient)), "{layout} by {tile}");
                let [part] = ceil.parts.as_slice() else { panic!("one mode was divided") };
                assert_eq!((Some(part.index.to_string()), part.bound), (tiling::text(Some(index)), layout.size()));
                let mut hit = vec![0; usize::try_from(layout.size()).unwrap()];
                for (coordinate, offset) in (0..).zip(ceil.layout.offsets()) {
                    let element = part.index.at(coordinate).unwrap();
                    assert_eq!(ceil.is_padded_at(coordinate), Ok(element >= layout.size()), "{layout} by {tile}");
                    if element < layout.size() {
                        hit[usize::try_from(element).unwrap()] += 1;
                        assert_eq!(layout.at(element), Ok(offset), "{layout} by {tile}");
                    }
                }
                assert!(hit.iter().all(|hit| *hit == 1), "{layout} by {tile}");
                assert_eq!(ceil.padded(), ceil.layout.size() - layout.size());
                padded += u64::from(ceil.padded() > 0);
            }
        }
    }
    println!("{exact} quotients, {refused} refusals, {padded} padded");
    assert!(exact > 3_000 && refused > 20_000 && padded > 3_000);
}

#[test]
fn products_with_every_small_layout() {
    let tiles = all(0..=2, 3, 4);
    let (mut products, mut refused) = (0_u64, 0_u64);
    for (i, plain) in [all(0..=2, 4, 5), layouts(3, 2, 4)].concat().iter().enumerate() {
        let block = built(plain);
        for tile_plain in tiles.iter().skip(i % 5).step_by(5) {
            let tiles = built(tile_plain);
            let expected = tiling::logical_product(plain, tile_plain);
            let product = block.logical_product(&tiles);
            assert_eq!(text(product.clone()), tiling::text(expected.clone()), "{block} by {tiles}");
            for raked in [false, true] {
                let product = if raked { block.raked_product(&tiles) } else { block.blocked_product(&tiles) };
                let expected = tiling::text(tiling::interleaved(plain, tile_plain, raked));
                if let Ok(product) = &product {
                    assert_eq!(product.cosize(), 1 + product.offsets().max().unwrap());
                    assert_eq!(product.size(), block.size() * tiles.size());
                }
                assert_eq!(text(product), expected, "{block} by {tiles}");
            }
            let Ok(product) = product else {
                refused += 1;
                continue;
            };
            products += 1;
            assert_eq!(product.mode(0), Some(block.clone()));
            assert_eq!(product.cosize(), 1 + product.offsets().max().unwrap());
            // copies at different offsets of the tiles are disjoint, those at equal ones coincide
            let copies = product.mode(1).unwrap();
            let sets: Vec<std::collections::HashSet<u64>> =
                copies.offsets().map(|start| block.offsets().map(|offset| start + offset).collect()).collect();
            let numbers: Vec<u64> = tiles.offsets().collect();
            for (i, a) in sets.iter().enumerate() {
                for (j, b) in sets.iter().enumerate().skip(i + 1) {
                    if numbers[i] == numbers[j] {
                        assert_eq!(a, b);
                    } else {
                        assert!(a.is_disjoint(b), "{block} by {tiles}");
                    }
                }
            }
        }
    }
    println!("{products} products, {refused} refusals");
    assert!(products > 20_000 && refused > 10_000);
}

/// Who owns what: threads and values over a tile, each element exactly once.
#[test]
fn threads_and_values_of_small_layouts() {
    let some = all(1..=2, 4, 4);
    let mut found = 0;
    for (i, threads) in some.iter().enumerate() {
        let threads_plain = threads;
        let threads = built(threads);
        for values_plain in some.iter().skip(i % 3).step_by(3) {
            let values = built(values_plain);
            let tile = threads.raked_product(&values);
            let tv = Layout::make_layout_tv(&threads, &values);
            let inverse = tile.as_ref().ok().filter(|tile| tile.is_contiguous()).map(|tile| tile.inverse().unwrap());
            let pairs = Node(vec![Leaf((threads.size(), 1)), Leaf((values.size(), threads.size()))]);
            let expected =
                inverse.as_ref().and_then(|inverse| tiling::composed(|pair| inverse.at(pair).unwrap(), &pairs));
            let answered = tv.as_ref().ok().map(|tv| tv.layout.to_string());
            assert_eq!(answered, tiling::text(expected), "threads {threads}, values {values}: {tv:?}");
            // threads that are numbered without gaps own whole digits of a bijection
            assert!(tv.is_ok() || inverse.is_none() || !threads.is_contiguous(), "threads {threads}, values {values}");
            let (Ok(tv), Ok(tile)) = (tv, tile) else { continue };
            found += 1;
            let sizes: Vec<u64> = tile.sublayouts().map(|mode| mode.size()).collect();
            assert_eq!(tv.tiler.leaves(), sizes);
            let shape: Vec<u64> = tv.layout.sublayouts().map(|mode| mode.size()).collect();
            assert_eq!(shape, [threads.size(), values.size()], "{threads_plain:?}");
            for (pair, element) in (0..).zip(tv.layout.offsets()) {
                assert_eq!(tile.at(element), Ok(pair), "threads {threads}, values {values}: {}", tv.layout);
            }
        }
    }
    println!("{found} bijections");
    assert!(found > 1_000);
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Nested, of at most 400 elements, with strides of a compact order in which a few may be off.
fn nested() -> impl Strategy<Value = naive::Layout> {
    let extent = prop_oneof![1 => Just(1_u64), 3 => 2..5_u64, 2 => prop::sample::select(vec![4_u64, 6, 8])];
    let leaf = extent.prop_map(|extent| Leaf((extent, 0)));
    let tree = leaf.prop_recursive(3, 7, 3, |inner| prop::collection::vec(inner, 0..4).prop_map(Node));
    (tree, any::<u64>()).prop_filter("small", |(layout, _)| naive::size(&naive::shape(layout)) <= 400).prop_map(
        |(layout, seed)| {
            let count = layout.leaves().len();
            let mut order: Vec<usize> = (0..count).collect();
            if seed.is_multiple_of(3) {
                order.rotate_left(usize::try_from(seed / 3).unwrap_or(0) % count.max(1));
            }
            let extents: Vec<u64> = layout.leaves().iter().map(|mode| mode.0).collect();
            let (mut strides, mut next) = (vec![0; count], 1);
            for i in order {
                strides[i] = match (seed >> (i + 8)) % 11 {
                    0 => 0,
                    1 => next * 2,
                    _ => next,
                };
                next = (next.max(strides[i])) * extents[i];
            }
            let mut strides = strides.into_iter();
            naive::normal(&layout.map(&mut |(extent, _)| (extent, strides.next().unwrap())))
        },
    )
}

/// A tiler that mostly fits, made from a stream of choices.
fn tiler(layout: &naive::Layout, choices: &mut impl Iterator<Item = u64>, multiply: bool) -> tiling::Tiler {
    // 1 where the choices run out: a leaf then ends the tiler
    let choice = choices.next().unwrap_or(1);
    let size = naive::size(&naive::shape(layout));
    match layout {
        Node(modes) if !choice.is_multiple_of(4) => {
            let keep = if choice.is_multiple_of(5) { modes.len() / 2 } else { modes.len() };
            let mut tilers: Vec<tiling::Tiler> =
                modes.iter().take(keep).map(|mode| tiler(mode, choices, multiply)).collect();
            if choice.is_multiple_of(37) {
                tilers.push(tiling::Tiler::Keep);
            }
            tiling::Tiler::Modes(tilers)
        }
        Leaf(_) if choice.is_multiple_of(23) => tiling::Tiler::Modes(vec![tiler(layout, choices, multiply)]),
        _ if choice.is_multiple_of(7) => tiling::Tiler::Keep,
        _ => {
            let divisors: Vec<u64> = (1..=size.min(12)).filter(|n| size.is_multiple_of(*n) || multiply).collect();
            let pick = |choices: &mut dyn Iterator<Item = u64>| {
                divisors[usize::try_from(choices.next().unwrap_or(0)).unwrap_or(0) % divisors.len()]
            };
            let (a, b) = (pick(choices).min(6), pick(choices).min(6));
            let tile = match choice / 7 % 6 {
                0 | 1 => Leaf((a, 1)),
                2 => Leaf((a, b)),
                3 => Node(vec![Leaf((a, b)), Leaf((b, 1))]),
                4 => Node(vec![Leaf((a, 1)), Leaf((b, a * pick(choices)))]),
                _ => Node(vec![Node(vec![Leaf((a, 1))]), Leaf((2, size / 2))]),
            };
            tiling::Tiler::By(naive::normal(&tile))
        }
    }
}

fn library(tiler: &tiling::Tiler) -> Tiler {
    match tiler {
        tiling::Tiler::Keep => Tiler::Keep,
        tiling::Tiler::By(tile) => Tiler::Layout(built(tile)),
        tiling::Tiler::Modes(tilers) => Tiler::Modes(tilers.iter().map(library).collect()),
    }
}

type ByTiler = fn(&Layout, &Tiler) -> Result<Layout>;
type Nest = fn(&(naive::Layout, naive::Layout)) -> naive::Layout;

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn by_tiler(plain in nested(), stream in prop::collection::vec(any::<u64>(), 24), multiply in any::<bool>()) {
        let layout = built(&plain);
        let plain_tiler = tiler(&plain, &mut stream.into_iter(), multiply);
        let tiler = library(&plain_tiler);
        let split: Split = if multiply { tiling::logical_product } else { tiling::logical_divide };
        let by: ByTiler = if multiply { Layout::logical_product_by } else { Layout::logical_divide_by };
        let forms: [(ByTiler, Nest); 3] = if multiply {
            [
                (Layout::zipped_product, tiling::zipped),
                (Layout::tiled_product, tiling::tiled),
                (Layout::flat_product, tiling::flat),
            ]
        } else {
            [
                (Layout::zipped_divide, tiling::zipped),
                (Layout::tiled_divide, tiling::tiled),
                (Layout::flat_divide, tiling::flat),
            ]
        };
        let expected = tiling::text(tiling::by_mode(&plain, &plain_tiler, split));
        prop_assert_eq!(text(by(&layout, &tiler)), expected, "{} by {:?}", layout, tiler);
        let pair = tiling::zip(&plain, &plain_tiler, split, multiply);
        for (form, nest) in forms {
            let expected = tiling::text(pair.as_ref().map(nest));
            prop_assert_eq!(text(form(&layout, &tiler)), expected, "{} by {:?}", layout, tiler);
        }
    }

    /// Where the tiles fit, padding changes nothing; where they do not, every element is there once.
    #[test]
    fn padded_by_tiler(plain in nested(), stream in prop::collection::vec(any::<u64>(), 24)) {
        let layout = built(&plain);
        let tiler = library(&tiler(&plain, &mut stream.into_iter(), true));
        let ceil = layout.logical_divide_ceil(&tiler);
        if let Ok(exact) = layout.logical_divide_by(&tiler) {
            prop_assert_eq!(ceil.as_ref().map(|ceil| (&ceil.layout, ceil.padded())), Ok((&exact, 0)));
        }
        if let Ok(ceil) = ceil {
            let mut left = 0;
            let mut kept = Vec::new();
            for (index, offset) in (0..).zip(ceil.layout.offsets()) {
                let crd = Coord::from(ceil.layout.shape().idx2crd(index).unwrap());
                prop_assert_eq!(ceil.is_padded(&crd), ceil.is_padded_at(index));
                if ceil.is_padded_at(index) == Ok(true) { left += 1 } else { kept.push(offset) }
            }
            prop_assert_eq!(ceil.padded(), left);
            prop_assert_eq!(tiling::counted(kept), tiling::counted(naive::offsets(&plain)));
            prop_assert!(ceil.is_padded_at(ceil.layout.size()).is_err());
        }
    }

    /// All tiles together, all elements of a tile together, and all threads together have every element exactly once.
    #[test]
    fn partitions(plain in nested(), stream in prop::collection::vec(any::<u64>(), 24)) {
        let layout = built(&plain);
        let tiler = library(&tiler(&plain, &mut stream.into_iter(), false));
        let all = tiling::counted(naive::offsets(&plain));
        if let Ok(zipped) = layout.zipped_divide(&tiler) {
            let (tile, rest) = (zipped.mode(0).unwrap(), zipped.mode(1).unwrap());
            let (mut by_tile, mut by_element) = (Vec::new(), Vec::new());
            for at in 0..rest.size() {
                let placed = layout.inner_partition(&tiler, &Coord::leaf(Some(at))).unwrap();
                let Placed { layout: part, offset, .. } = &placed;
                prop_assert_eq!(rest.at(at), Ok(*offset));
                prop_assert!(part.offsets().eq(tile.offsets()));
                prop_assert_eq!(layout.local_tile(&tiler, &Coord::leaf(Some(at))), Ok(placed.clone()));
                by_tile.extend(part.offsets().map(|at| at + offset));
                // the same with a whole coordinate, and with its first mode alone
                let crd = Coord::from(rest.shape().idx2crd(at).unwrap());
                if !crd.is_leaf() {
                    prop_assert_eq!(layout.inner_partition(&tiler, &crd), Ok(placed.clone()));
                    let first = crd.mode(0).map(|first| Coord::tuple(&[first]).unwrap());
                    if let Some(first) = first {
                        let parts = layout.inner_partition(&tiler, &first).unwrap();
                        prop_assert!(parts.layout.offsets().any(|at| at + parts.offset == *offset));
                    }
                }
            }
            for at in 0..tile.size() {
                let Placed { layout: part, offset, .. } = layout.outer_partition(&tiler, &Coord::leaf(Some(at))).unwrap();
                prop_assert_eq!(tile.at(at), Ok(offset));
                prop_assert!(part.offsets().eq(rest.offsets()));
                by_element.extend(part.offsets().map(|at| at + offset));
            }
            prop_assert_eq!(&tiling::counted(by_tile), &all);
            prop_assert_eq!(&tiling::counted(by_element), &all);
            let whole = layout.inner_partition(&tiler, &Coord::leaf(None)).unwrap();
            prop_assert_eq!(whole.offset, 0);
            prop_assert!(whole.layout.offsets().eq(zipped.offsets()));
            prop_assert!(layout.inner_partition(&tiler, &Coord::leaf(Some(rest.size()))).is_err());
            prop_assert!(layout.outer_partition(&tiler, &Coord::leaf(Some(tile.size()))).is_err());
        }
    }

    #[test]
    fn local_partitions(plain in nested(), sizes in prop::collection::vec(1..5_u64, 0..4), turn in 0..4_usize) {
        let layout = built(&plain);
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.rotate_left(turn % sizes.len().max(1));
        let (mut strides, mut next) = (vec![0; sizes.len()], 1);
        for i in order {
            strides[i] = next;
            next *= sizes[i];
        }
        let threads = built(&naive::normal(&Node(sizes.iter().zip(&strides).map(|(s, d)| Leaf((*s, *d))).collect())));
        let tiler = Tiler::Modes(sizes.iter().map(|size| Tiler::integer(*size).unwrap()).collect());
        let zipped = layout.zipped_divide(&tiler);
        let mut elements = Vec::new();
        for at in 0..threads.size() {
            let own = layout.local_partition(&threads, threads.at(at).unwrap());
            prop_assert_eq!(own.is_ok(), zipped.is_ok());
            if let Ok(part) = own {
                let crd = Coord::from(threads.shape().idx2crd(at).unwrap());
                prop_assert_eq!(layout.outer_partition(&tiler, &crd), Ok(part.clone()));
                elements.extend(part.layout.offsets().map(|at| at + part.offset));
            }
        }
        if zipped.is_ok() {
            prop_assert_eq!(tiling::counted(elements), tiling::counted(naive::offsets(&plain)));
        }
        prop_assert!(layout.local_partition(&threads, threads.size()).is_err());
    }

    #[test]
    fn tiles_to_shapes(plain in nested(), counts in prop::collection::vec(1..4_u64, 0..5), order in prop::collection::vec(0..4_u64, 5)) {
        let block = built(&plain);
        let rank = block.rank().max(counts.len());
        let count = |i: usize| counts.get(i).copied().unwrap_or(1);
        let sizes: Vec<u64> = block.sublayouts().map(|mode| mode.size()).collect();
        let extents: Vec<u64> = (0..rank).map(|i| sizes.get(i).copied().unwrap_or(1) * count(i)).collect();
        let shape: razorgirl::Shape = tuple(&extents).parse().unwrap();
        let ranks: Vec<u64> = order[..rank.min(5)].to_vec();
        if ranks.len() == rank {
            let order: razorgirl::IntTuple = tuple(&ranks).parse().unwrap();
            let mut places: Vec<usize> = (0..rank).collect();
            places.sort_by_key(|i| ranks[*i]);
            let mut tiles = vec![Leaf((1, 0)); rank];
            let mut stride = 1;
            for i in places {
                tiles[i] = Leaf((count(i), stride));
                stride *= count(i);
            }
            let expected = tiling::interleaved(&plain, &naive::normal(&Node(tiles)), false);
            let tiled = block.tile_to_shape(&shape, Some(&order));
            if let Ok(tiled) = &tiled {
                let reached: Vec<u64> = tiled.sublayouts().map(|mode| mode.size()).collect();
                prop_assert_eq!(reached, extents.clone());
            }
            prop_assert_eq!(text(tiled), tiling::text(expected), "{} to {} in order {}", block, shape, order);
        }
        let column_major = text(block.tile_to_shape(&shape, None));
        prop_assert_eq!(text(block.tile_to_shape(&shape, Some(&razorgirl::IntTuple::leaf(7)))), column_major);
        let mut longer = extents;
        if let Some(first) = longer.first_mut() && sizes.first().is_some_and(|size| *size > 1) {
            *first += 1;
            let shape: razorgirl::Shape = tuple(&longer).parse().unwrap();
            prop_assert!(block.tile_to_shape(&shape, None).is_err());
        }
    }
}
