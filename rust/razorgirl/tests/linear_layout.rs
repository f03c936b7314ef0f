//! Linear layouts point by point: each operation does to a drawn layout what it says, for every point.

use std::collections::{BTreeMap, BTreeSet};

use razorgirl::linear_layout::{Dims, LinearLayout, encodings};
use razorgirl::{ErrorKind, Swizzle};
use razorgirl_conform::generate::Rng;

/// A number for each dimension.
type Point = BTreeMap<String, u64>;
/// The image of every point.
type Map = BTreeMap<Point, Point>;

/// Layouts that each law is tried on.
const LAYOUTS: usize = 400;

/// Dimensions with their bits, and for each bit of each input the component in each output.
#[derive(Clone, Debug)]
struct Drawn {
    ins: Vec<(String, u32)>,
    outs: Vec<(String, u32)>,
    bases: Vec<(String, Vec<Vec<u64>>)>,
}

fn dimensions(rng: &mut Rng, names: &[&str], most: u64) -> Vec<(String, u32)> {
    let mut drawn = vec![];
    for name in names {
        if rng.below(5) > 0 {
            let bits = u32::try_from(rng.below(most + 1)).expect("it is small");
            drawn.push(((*name).to_owned(), bits));
        }
    }
    drawn
}

impl Drawn {
    fn over(rng: &mut Rng, ins: Vec<(String, u32)>, outs: Vec<(String, u32)>) -> Self {
        let total: u32 = outs.iter().map(|(_, bits)| bits).sum();
        let mut units: Vec<u32> = (0..total).collect();
        let few = rng.below(2) == 0;
        let bases = ins.iter().map(|(name, bits)| {
            let rows = (0..*bits).map(|_| {
                // single bits, each once, so that bijections are met as well
                let packed = match units.pop() {
                    Some(bit) if few => 1_u64 << bit,
                    _ => rng.below(1 << total),
                };
                let mut place = 0;
                let row = outs.iter().map(|(_, bits)| {
                    let component = packed >> place & ((1 << bits) - 1);
                    place += bits;
                    component
                });
                row.collect()
            });
            (name.clone(), rows.collect())
        });
        let bases = bases.collect();
        Self { ins, outs, bases }
    }

    fn new(rng: &mut Rng) -> Self {
        let ins = dimensions(rng, &["register", "lane", "warp"], 2);
        let outs = dimensions(rng, &["x", "y"], 2);
        Self::over(rng, ins, outs)
    }

    fn layout(&self) -> LinearLayout {
        let outs = self.outs.iter().map(|(name, bits)| (name.clone(), 1 << bits)).collect();
        LinearLayout::new(&self.bases, outs).expect("it is a layout")
    }

    /// The exclusive or of the bases that the bits of the point select.
    fn map(&self) -> Map {
        let image = |point: &Point| {
            let mut image: Point = self.outs.iter().map(|(name, _)| (name.clone(), 0)).collect();
            for (name, rows) in &self.bases {
                for (bit, row) in rows.iter().enumerate() {
                    for ((out, _), component) in self.outs.iter().zip(row) {
                        if point[name] >> bit & 1 == 1 {
                            *image.get_mut(out).expect("it is an output") ^= component;
                        }
                    }
                }
            }
            image
        };
        points(&self.ins).into_iter().map(|point| (point.clone(), image(&point))).collect()
    }
}

fn points(dims: &[(String, u32)]) -> Vec<Point> {
    let mut all = vec![Point::new()];
    for (name, bits) in dims {
        all = (0..1 << bits)
            .flat_map(|x: u64| {
                all.iter().map(move |point| {
                    let mut point = point.clone();
                    point.insert(name.clone(), x);
                    point
                })
            })
            .collect();
    }
    all
}

fn dims_of(dims: &Dims) -> Vec<(String, u32)> {
    dims.iter().map(|(name, bits)| (name.to_owned(), bits)).collect()
}

fn image(layout: &LinearLayout, point: &Point) -> Point {
    let given: Vec<(&str, u64)> = point.iter().map(|(name, x)| (name.as_str(), *x)).collect();
    layout.apply(&given).expect("each input has a coordinate").into_iter().collect()
}

fn map_of(layout: &LinearLayout) -> Map {
    points(&dims_of(layout.ins())).into_iter().map(|point| (point.clone(), image(layout, &point))).collect()
}

/// The numbers of a point as one, the first dimension lowest.
fn packed(dims: &[(String, u32)], point: &Point) -> u64 {
    dims.iter().rev().fold(0, |packed, (name, bits)| packed << bits | point[name])
}

/// The points in the order of these dimensions, and of their images.
fn table(layout: &LinearLayout) -> Vec<u64> {
    let (ins, outs) = (dims_of(layout.ins()), dims_of(layout.outs()));
    let mut table: Vec<(u64, u64)> =
        map_of(layout).iter().map(|(point, image)| (packed(&ins, point), packed(&outs, image))).collect();
    table.sort_unstable();
    table.into_iter().map(|(_, image)| image).collect()
}

fn drawn(seed: u64) -> impl Iterator<Item = (Drawn, Rng)> {
    let mut rng = Rng::new(seed);
    (0..LAYOUTS).map(move |_| {
        let drawn = Drawn::new(&mut rng);
        let inner = Rng::new(rng.bits());
        (drawn, inner)
    })
}

fn shuffled(rng: &mut Rng, dims: &[(String, u32)]) -> Vec<String> {
    let mut names: Vec<String> = dims.iter().map(|(name, _)| name.clone()).collect();
    for at in (1..names.len()).rev() {
        names.swap(at, usize::try_from(rng.below(at as u64 + 1)).expect("it is small"));
    }
    names
}

/// The point without the dimensions that are not named.
fn only(point: &Point, names: &[String]) -> Point {
    point.iter().filter(|(name, _)| names.contains(name)).map(|(name, x)| (name.clone(), *x)).collect()
}

#[test]
fn bases_are_exclusive_ored() {
    for (drawn, _) in drawn(1) {
        let layout = drawn.layout();
        assert_eq!(map_of(&layout), drawn.map(), "{drawn:?}");
        assert_eq!(layout.bases(), drawn.bases);
        let image = table(&layout);
        assert_eq!((0..image.len() as u64).map(|x| layout.apply_packed(x)).collect::<Vec<_>>(), image);
        let columns = layout.matrix();
        assert_eq!(columns.len(), layout.outs().total() as usize);
        for (bit, row) in columns.iter().enumerate() {
            let expected: Vec<u64> = (0..layout.ins().total()).map(|i| image[1 << i] >> bit & 1).collect();
            assert_eq!(*row, expected);
        }
    }
}

#[test]
fn predicates_are_what_enumeration_finds() {
    let mut seen = [0; 3];
    for (drawn, _) in drawn(2) {
        let layout = drawn.layout();
        let image = table(&layout);
        let reached: BTreeSet<u64> = image.iter().copied().collect();
        let all = 1 << layout.outs().total();
        assert_eq!(1 << layout.rank(), reached.len());
        assert_eq!(layout.is_surjective(), reached.len() == all, "{drawn:?}");
        assert_eq!(layout.is_injective(), reached.len() == image.len(), "{drawn:?}");
        assert_eq!(layout.is_invertible(), reached.len() == image.len() && image.len() == all, "{drawn:?}");
        let least: Option<Vec<u64>> =
            (0..all as u64).map(|y| image.iter().position(|z| *z == y).map(|x| x as u64)).collect();
        assert_eq!(layout.pseudoinvert().as_ref().map(table), least);
        assert_eq!(layout.invert().as_ref().map(table), least.filter(|_| image.len() == all));
        seen[0] += u32::from(layout.is_surjective() && !layout.is_injective());
        seen[1] += u32::from(layout.is_injective() && !layout.is_surjective());
        seen[2] += u32::from(layout.is_invertible());
        // bits that depend on those before them
        for (name, mask) in layout.free_variable_masks() {
            let before: u64 =
                layout.ins().iter().take_while(|(own, _)| *own != name).map(|(_, bits)| u64::from(bits)).sum();
            for bit in 0..layout.ins().bits(&name) {
                let place = before + u64::from(bit);
                let depends = image[..1 << place].contains(&image[1 << place]);
                assert_eq!(mask >> bit & 1 == 1, depends, "{drawn:?}: bit {bit} of {name}");
            }
            assert_eq!(mask >> layout.ins().bits(&name), 0);
        }
    }
    assert!(seen.iter().all(|&n| n > 10), "{seen:?}");
}

#[test]
fn dimensions_are_ordered_cut_and_joined() {
    for (drawn, mut rng) in drawn(3) {
        let layout = drawn.layout();
        let map = drawn.map();
        let names = shuffled(&mut rng, &drawn.ins);
        let transposed = layout.transpose_ins(&names).expect("each is named");
        assert_eq!(transposed.ins().names().collect::<Vec<_>>(), names);
        assert_eq!(map_of(&transposed), map);
        let names = shuffled(&mut rng, &drawn.outs);
        let transposed = layout.transpose_outs(&names).expect("each is named");
        assert_eq!(transposed.outs().names().collect::<Vec<_>>(), names);
        assert_eq!(map_of(&transposed), map);
        for flat in [layout.flatten_ins(), layout.flatten_outs()] {
            assert_eq!(table(&flat), table(&layout));
            assert!(flat.ins().len() <= 1 || flat.outs().len() <= 1);
        }
        assert_eq!(layout.flatten_ins().ins().names().next(), layout.ins().names().next());
        // all bits in a first dimension, or the lowest in one of its own
        let total = layout.ins().total();
        for low in [0, total.min(1), total] {
            let cut = [("low".to_owned(), low), ("high".to_owned(), total - low)];
            let cut = Dims::of_bits(cut.to_vec()).expect("it fits");
            let reshaped = layout.reshape_ins(cut.clone()).expect("as many bits");
            assert_eq!((table(&reshaped), reshaped.ins()), (table(&layout), &cut));
        }
        let total = layout.outs().total();
        let cut = Dims::of_bits(vec![("low".to_owned(), total / 2), ("high".to_owned(), total - total / 2)]);
        let cut = cut.expect("it fits");
        let reshaped = layout.reshape_outs(cut.clone()).expect("as many bits");
        assert_eq!((table(&reshaped), reshaped.outs()), (table(&layout), &cut));
        let more = Dims::of_bits(vec![("low".to_owned(), total + 1)]).expect("it fits");
        assert!(layout.reshape_outs(more).is_err());
        if let Some((name, _)) = drawn.ins.first() {
            let renamed = layout.rename_in(name, "block").expect("it is there");
            assert_eq!(renamed.ins().names().next(), Some("block"));
            assert_eq!(table(&renamed), table(&layout));
            assert!(layout.rename_in("block", "other").is_err());
        }
    }
}

#[test]
fn dimensions_are_made_longer_and_shorter() {
    for (drawn, mut rng) in drawn(4) {
        let layout = drawn.layout();
        let bits = u32::try_from(rng.below(4)).expect("it is small");
        for (name, old) in &drawn.ins {
            let resized = layout.resize_in(name, bits).expect("it is there");
            assert_eq!(resized.ins().bits(name), bits);
            for (point, image) in map_of(&resized) {
                // bits that are new change nothing
                let mut old_point = point.clone();
                old_point.insert(name.clone(), point[name] & ((1 << old) - 1));
                assert_eq!(image, drawn.map()[&old_point], "{drawn:?}");
            }
            let kept = layout.remove_zero_bases(name).expect("it is there");
            let mut less = drawn.clone();
            for (own, rows) in &mut less.bases {
                if own == name {
                    rows.retain(|row| row.iter().any(|component| *component != 0));
                }
            }
            assert_eq!(kept.bases(), less.bases);
        }
        for (at, (name, old)) in drawn.outs.iter().enumerate() {
            let Ok(resized) = layout.resize_out(name, bits) else {
                assert!(bits > *old);
                continue;
            };
            let mut small = drawn.clone();
            small.outs[at].1 = bits;
            for row in small.bases.iter_mut().flat_map(|(_, rows)| rows) {
                if row[at] >= 1 << bits {
                    row[at] = 0;
                }
            }
            assert_eq!(map_of(&resized), small.map(), "{drawn:?}");
        }
        let sizes = |rng: &mut Rng| {
            let sizes = drawn.outs.iter().map(|(name, _)| (name.clone(), u32::try_from(rng.below(4)).unwrap_or(0)));
            Dims::of_bits(sizes.collect()).expect("it fits")
        };
        let (least, most) = (sizes(&mut rng), sizes(&mut rng));
        let grows = drawn.outs.iter().any(|(name, bits)| least.bits(name) > *bits);
        let Ok(large) = layout.ensure_not_smaller(&least) else {
            assert!(drawn.ins.is_empty() && grows, "{drawn:?}");
            continue;
        };
        assert!(!(drawn.ins.is_empty() && grows), "{drawn:?}");
        if let Some((first, _)) = drawn.ins.first() {
            for (name, bits) in &drawn.outs {
                assert_eq!(large.outs().bits(name), least.bits(name).max(*bits));
            }
            let added = large.ins().total() - layout.ins().total();
            assert_eq!(large.ins().bits(first), layout.ins().bits(first) + added);
            assert_eq!(large.rank(), layout.rank() + added);
            for (point, image) in drawn.map() {
                assert_eq!(self::image(&large, &point), image);
            }
        } else {
            assert_eq!(large, layout);
        }
        for broadcast in [false, true] {
            let small = layout.ensure_not_larger(&most, broadcast).expect("the names are the same");
            let mut cut = drawn.clone();
            for (at, (name, bits)) in cut.outs.iter_mut().enumerate() {
                *bits = most.bits(name).min(*bits);
                for row in cut.bases.iter_mut().flat_map(|(_, rows)| rows) {
                    if row[at] >= 1 << *bits {
                        row[at] = 0;
                    }
                }
            }
            for ((name, rows), (_, old)) in cut.bases.iter_mut().zip(&drawn.bases) {
                if name == "register" && !broadcast {
                    let zero = |row: &[u64]| row.iter().all(|component| *component == 0);
                    let kept = rows.iter().zip(old).filter(|(new, old)| !zero(new) || zero(old));
                    *rows = kept.map(|(new, _)| new.clone()).collect();
                }
            }
            assert_eq!(small.bases(), cut.bases, "{drawn:?}");
        }
    }
}

#[test]
fn parts_of_a_layout() {
    let mut trivial = 0;
    for (drawn, mut rng) in drawn(5) {
        let mut drawn = drawn;
        // a dimension that is on both sides
        if rng.below(2) == 0 {
            drawn.ins.push(("z".to_owned(), 1));
            drawn.outs.push(("z".to_owned(), 1));
            let over = Drawn::over(&mut rng, drawn.ins.clone(), drawn.outs.clone());
            drawn = if rng.below(2) == 0 {
                over
            } else {
                let mut apart = over;
                let last = apart.outs.len() - 1;
                for (name, rows) in &mut apart.bases {
                    for row in rows {
                        let own = name == "z";
                        if own {
                            row.fill(0);
                        }
                        row[last] = u64::from(own);
                    }
                }
                apart
            };
        }
        let layout = drawn.layout();
        let map = drawn.map();
        let some = |rng: &mut Rng, dims: &[(String, u32)]| -> Vec<String> {
            let mut names = shuffled(rng, dims);
            names.retain(|_| rng.below(2) == 0);
            names
        };
        let (ins, outs) = (some(&mut rng, &drawn.ins), some(&mut rng, &drawn.outs));
        let part = layout.sublayout(&ins, &outs).expect("the names are there");
        let mut zero = true;
        for (point, image) in map_of(&part) {
            let mut whole: Point = drawn.ins.iter().map(|(name, _)| (name.clone(), 0)).collect();
            whole.extend(point);
            assert_eq!(image, only(&map[&whole], &outs), "{drawn:?}");
            zero &= image.values().all(|x| *x == 0);
        }
        assert_eq!(layout.sublayout_is_zero(&ins, &outs), Ok(zero));
        assert!(layout.sublayout(&["none".to_owned()], &[]).is_err());
        let z = ["z".to_owned()];
        let both = layout.ins().has("z") && layout.outs().has("z");
        let identity = both && map.iter().all(|(point, image)| point["z"] == image["z"]);
        assert_eq!(layout.is_identity_on_out_dim("z"), identity, "{drawn:?}");
        assert_eq!(layout.is_trivial_over(&z).is_ok(), both);
        if both {
            let other: Vec<String> =
                drawn.ins.iter().chain(&drawn.outs).map(|(name, _)| name.clone()).filter(|name| name != "z").collect();
            let apart = map.iter().all(|(point, image)| {
                let mut at_zero = point.clone();
                at_zero.insert("z".to_owned(), 0);
                only(image, &other) == only(&map[&at_zero], &other)
            });
            assert_eq!(layout.is_trivial_over(&z), Ok(identity && apart), "{drawn:?}");
            let quotient = layout.quotient(&z).expect("the names are there");
            assert_eq!(quotient.is_some(), identity && apart);
            trivial += u32::from(quotient.is_some());
            for (point, image) in quotient.iter().flat_map(map_of) {
                let mut whole = point.clone();
                whole.insert("z".to_owned(), 1);
                assert_eq!(image, only(&map[&whole], &other));
            }
        }
    }
    assert!(trivial > 20, "{trivial}");
}

#[test]
fn layouts_side_by_side_and_one_after_another() {
    for (drawn, mut rng) in drawn(6) {
        let (layout, map) = (drawn.layout(), drawn.map());
        let beside = Drawn::over(&mut rng, vec![("block".to_owned(), 2)], drawn.outs.clone());
        let both = layout.concat_ins(&beside.layout()).expect("the outputs are the same");
        for (point, image) in map_of(&both) {
            let mut point = point;
            let block = point.remove("block").expect("it is an input");
            let other = &beside.map()[&Point::from([("block".to_owned(), block)])];
            let expected: Point = map[&point].iter().map(|(name, x)| (name.clone(), x ^ other[name])).collect();
            assert_eq!(image, expected, "{drawn:?} {beside:?}");
        }
        assert_eq!(layout.concat_ins(&layout).is_err(), !drawn.ins.is_empty());
        let beside = Drawn::over(&mut rng, drawn.ins.clone(), vec![("z".to_owned(), 2)]);
        let both = layout.concat_outs(&beside.layout()).expect("the inputs are the same");
        for (point, image) in map_of(&both) {
            let mut expected = map[&point].clone();
            expected.extend(beside.map()[&point].clone());
            assert_eq!(image, expected, "{drawn:?} {beside:?}");
        }
        assert_eq!(layout.concat_outs(&layout).is_err(), !drawn.outs.is_empty());
        // inputs as large as the outputs, or larger, in another order
        let larger = shuffled(&mut rng, &drawn.outs).into_iter().map(|name| {
            let bits = layout.outs().bits(&name);
            (name, bits + u32::try_from(rng.below(2)).unwrap_or(0))
        });
        let larger = larger.collect();
        let outer = Drawn::over(&mut rng, larger, vec![("z".to_owned(), 3)]);
        let composed = layout.compose(&outer.layout()).expect("the names are the same");
        let (composed, outer) = (map_of(&composed), outer.map());
        for (point, between) in &map {
            assert_eq!(composed[point], outer[between], "{drawn:?}");
        }
    }
}

#[test]
fn products_have_low_and_high_bits() {
    for (drawn, mut rng) in drawn(7) {
        let other = {
            let ins = dimensions(&mut rng, &["register", "warp"], 2);
            let outs = dimensions(&mut rng, &["x", "y", "z"], 2);
            Drawn::over(&mut rng, ins, outs)
        };
        let (low, high) = (drawn.layout(), other.layout());
        let product = low.product(&high).expect("the names stand in one order");
        let (low_map, high_map) = (drawn.map(), other.map());
        for (point, image) in map_of(&product) {
            let part = |layout: &Drawn, place: &LinearLayout| -> Point {
                let bits = layout
                    .ins
                    .iter()
                    .map(|(name, bits)| (name.clone(), point[name] >> place.ins().bits(name) & ((1 << bits) - 1)));
                bits.collect()
            };
            let nothing = LinearLayout::empty();
            let (below, above) = (&low_map[&part(&drawn, &nothing)], &high_map[&part(&other, &low)]);
            for (name, x) in &image {
                let above = above.get(name).copied().unwrap_or(0) << low.outs().bits(name);
                assert_eq!(*x, below.get(name).copied().unwrap_or(0) | above, "{drawn:?} {other:?}");
            }
        }
        // the factors are had back, over the dimensions of the product
        let quotient = product.divide_left(&low).expect("it is a factor");
        assert_eq!(low.product(&quotient), Ok(product.clone()));
        let quotient = product.divide_right(&high).expect("it is a factor");
        assert_eq!(quotient.product(&high), Ok(product.clone()));
        // and of no other layout is there a quotient that is no factor
        for by in [&low, &high] {
            if let Some(quotient) = product.divide_left(by) {
                assert_eq!(by.product(&quotient), Ok(product.clone()));
            }
        }
        let flat = product.flatten_ins().flatten_outs();
        let run = |k: &u32| {
            let image = table(&flat);
            let (n, m) = (flat.ins().total(), flat.outs().total());
            // the low k bits of the input are those of the output, and nothing else touches these
            *k <= n.min(m)
                && (0..1_u64 << k).all(|x| image[usize::try_from(x).unwrap_or(0)] == x)
                && (*k..n).all(|bit| image[1 << bit] & ((1 << k) - 1) == 0)
        };
        let longest = (1..=6).rev().find(run).unwrap_or(0);
        assert_eq!(flat.consecutive_bits(), if flat.outs().is_empty() { 0 } else { longest }, "{flat:?}");
    }
}

#[test]
fn low_bits_of_an_output() {
    for (drawn, _) in drawn(8) {
        let layout = drawn.layout();
        for (name, bits) in &drawn.outs {
            let seen: BTreeSet<u64> = drawn.map().values().map(|image| image[name]).collect();
            let longest = (0..=*bits).rev().find(|k| (0..*k).all(|bit| seen.contains(&(1 << bit))));
            assert_eq!(layout.contiguous_bits(name), Ok(longest.unwrap_or(0)), "{drawn:?}");
        }
        assert!(layout.contiguous_bits("none").is_err());
    }
}

#[test]
fn a_tile_is_repeated() {
    let mut found = 0;
    for (mut drawn, mut rng) in drawn(9) {
        let tile = {
            let ins = dimensions(&mut rng, &["register", "lane"], 2);
            Drawn::over(&mut rng, ins, drawn.outs.clone())
        };
        // the bases of the tile first, as often as not
        if rng.below(3) > 0 {
            for ((name, bits), (_, rows)) in drawn.ins.iter_mut().zip(&mut drawn.bases) {
                let first = tile.bases.iter().find(|(own, _)| own == name);
                for (at, row) in first.iter().flat_map(|(_, rows)| rows).enumerate() {
                    rows.insert(at, row.clone());
                    *bits += 1;
                }
            }
        }
        let layout = drawn.layout();
        let repeated = layout.reps_of(&tile.layout()).expect("the outputs are the same");
        let first = |name: &str| tile.bases.iter().find(|(own, _)| own == name).map_or(&[][..], |(_, rows)| rows);
        let starts = tile.bases.iter().all(|(name, rows)| {
            drawn.bases.iter().find(|(own, _)| own == name).map_or(&[][..], |(_, rows)| rows).starts_with(rows)
        });
        let mut rest = drawn.clone();
        let mut apart = true;
        for (name, rows) in &mut rest.bases {
            let count = first(name).len();
            for (at, row) in rows.iter_mut().enumerate() {
                if at < count {
                    row.fill(0);
                }
                // no bit of an output that a basis of the tile touches
                apart &= tile
                    .bases
                    .iter()
                    .flat_map(|(_, rows)| rows)
                    .all(|of| of.iter().zip(&*row).all(|(a, b)| a & b == 0));
            }
        }
        assert_eq!(repeated.is_some(), starts && apart, "{drawn:?} {tile:?}");
        if let Some(repeated) = repeated {
            assert_eq!(repeated.bases(), rest.bases);
            found += u32::from(!tile.bases.iter().all(|(_, rows)| rows.is_empty()));
        }
    }
    assert!(found > 10, "{found}");
}

#[test]
fn one_dimension() {
    for bits in 0..4 {
        for step in 0..3 {
            let (size, stride) = (1 << bits, 1 << step);
            let strided = LinearLayout::strided_1d(size, stride, "lane", "x").expect("it fits");
            assert_eq!(table(&strided), (0..size).map(|x| x * stride).collect::<Vec<_>>());
            assert_eq!(strided.outs().bits("x"), bits + step);
            let zeros = LinearLayout::zeros_1d(size, stride, "lane", "x").expect("it fits");
            assert_eq!(table(&zeros), vec![0; 1 << bits]);
            assert_eq!(zeros.outs().bits("x"), step);
        }
        let identity = LinearLayout::identity_1d(1 << bits, "lane", "x").expect("it fits");
        assert_eq!(table(&identity), (0..1 << bits).collect::<Vec<_>>());
    }
    let empty = LinearLayout::empty();
    assert!(empty.ins().is_empty() && empty.outs().is_empty() && empty.is_invertible());
    assert_eq!(table(&empty), [0]);
}

/// Names that lack on one side, or stand twice, are refused; nothing is matched by place.
#[test]
fn other_names_are_refused() {
    let identity = |input: &str, output: &str| LinearLayout::identity_1d(4, input, output).expect("it fits");
    let sizes = |names: &[&str]| {
        Dims::new(names.iter().map(|name| ((*name).to_owned(), 4_u64))).expect("each name stands once")
    };
    let names = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
    let (inner, wider) = (identity("lane", "x"), identity("x", "z").product(&identity("y", "z")).expect("it fits"));
    // the second has an input that the first has no output for, and the other way round
    for (first, second) in [(&inner, &wider), (&wider, &inner), (&inner, &identity("y", "z"))] {
        assert!(first.compose(second).is_err(), "{first:?} {second:?}");
    }
    let both = inner.concat_outs(&identity("lane", "y")).expect("the inputs are the same");
    assert!(both.compose(&identity("x", "z")).is_err());
    assert!(inner.compose(&identity("x", "z")).is_ok());
    // an input that is smaller than the output
    assert!(LinearLayout::identity_1d(8, "lane", "x").expect("it fits").compose(&identity("x", "z")).is_err());
    assert_eq!(inner.least_squares(&both), None);
    assert_eq!(both.least_squares(&inner), None);
    assert!(inner.invert_and_compose(&both).is_err() && both.invert_and_compose(&inner).is_err());
    for other in [sizes(&[]), sizes(&["y"]), sizes(&["x", "y"])] {
        assert!(inner.ensure_not_larger(&other, true).is_err() && inner.ensure_not_smaller(&other).is_err());
    }
    for other in [names(&[]), names(&["x"]), names(&["y", "y"]), names(&["x", "y", "z"])] {
        assert!(both.transpose_outs(&other).is_err(), "{other:?}");
    }
    assert!(both.transpose_ins(&names(&[])).is_err() && both.transpose_ins(&names(&["lane"])).is_ok());
    assert!(both.sublayout(&names(&["lane", "lane"]), &[]).is_err());
    assert!(both.sublayout(&[], &names(&["lane"])).is_err());
    assert!(both.rename_in("lane", "warp").is_ok() && both.rename_in("warp", "lane").is_err());
    assert!(wider.rename_in("x", "y").is_err());
    assert!(both.resize_in("x", 1).is_err() && both.resize_out("lane", 1).is_err());
    // shared names in two orders
    let turned = both.transpose_outs(&names(&["y", "x"])).expect("each is named");
    assert!(both.product(&turned).is_err() && both.product(&both).is_ok());
    assert_eq!(both.outs().names().collect::<Vec<_>>(), ["x", "y"]);
    assert_eq!((both.outs().len(), both.outs().total(), both.outs().has("z")), (2, 4, false));
}

/// Hopper's shared memory is row-major and swizzled by 16 bytes in rows of 128, as CuTe's `Sw<B,4,3>` of bytes.
#[test]
fn shared_memory_of_mma_is_swizzled_as_cute_does() {
    for (bytes, bits) in [(32, 1), (64, 2), (128, 3)] {
        let swizzle = Swizzle::new(bits, 4, 3);
        for (element, rows, transposed) in [(1, 8, false), (2, 16, true), (2, 32, false), (4, 8, true)] {
            let columns = bytes / element;
            let shape = if transposed { [columns, rows] } else { [rows, columns] };
            let layout = encodings::nvmma_shared(bytes, 8 * element, transposed, &shape).unwrap().unwrap();
            let (row, column) = if transposed { ("dim1", "dim0") } else { ("dim0", "dim1") };
            for offset in 0..rows * columns {
                let point = layout.apply(&[("offset", offset), ("block", 0)]).unwrap();
                let at = |dim: &str| point.iter().find(|(name, _)| name == dim).unwrap().1;
                let linear = (at(row) * columns + at(column)) * element;
                assert_eq!(swizzle.apply(offset * element), Ok(linear), "{bytes} {element} {rows} {transposed}");
            }
        }
    }
}

/// Ampere has both operands in registers, Hopper A alone; a product by multiply-add has both.
#[test]
fn operands_are_those_in_registers() {
    use encodings::MmaVersion::{V2, V3};
    let mma = |version, op, instruction: &[u64]| encodings::dot_mma(version, op, 2, &[4, 1], instruction, &[64, 64]);
    let blocked = |op| encodings::dot_blocked(op, &[1, 1], &[8, 4], &[4, 1], &[1, 0], &[32, 32]);
    for (op, held) in [(0, [true, true, true]), (1, [true, false, true]), (2, [false; 3])] {
        let answers = [mma(V2, op, &[16, 8]), mma(V3, op, &[16, 64, 16]), blocked(op)];
        for (answer, held) in answers.into_iter().zip(held) {
            assert_eq!(answer.err().map(|error| error.kind()), (!held).then_some(ErrorKind::OutOfDomain), "{op}");
        }
    }
}

/// An output that must grow, and no input dimension to extend: formerly the layout came back as small as it was.
#[test]
fn outputs_do_not_grow_without_an_input() {
    let none = LinearLayout::from_bases(&[], &["x".to_owned()]).ok().flatten().expect("one output of size 1");
    let sizes = |bits: u32| Dims::of_bits(vec![("x".to_owned(), bits)]).expect("it fits");
    let error = none.ensure_not_smaller(&sizes(2)).expect_err("x has one value");
    assert_eq!(error.kind(), ErrorKind::Incongruent);
    assert!(error.to_string().contains("the output x has size 1 and must have 4"), "{error}");
    assert_eq!(none.ensure_not_smaller(&sizes(0)), Ok(none.clone()));
}

/// A coordinate of a dimension that the layout does not have: formerly it was dropped.
#[test]
fn coordinates_of_other_dimensions_are_refused() {
    let layout = LinearLayout::identity_1d(4, "lane", "x").expect("a power of two");
    let refused = |point: &[(&str, u64)]| layout.apply(point).expect_err("no such point").to_string();
    assert_eq!(layout.apply(&[("lane", 5)]), Ok(vec![("x".to_owned(), 1)]));
    assert_eq!(refused(&[("lane", 1), ("warp", 3)]), "the layout has no input dimension warp");
    assert_eq!(refused(&[("lane", 1), ("lane", 3)]), "the dimension lane has two coordinates");
    assert_eq!(refused(&[]), "the dimension lane has no coordinate");
}
