//! Tiled copies and tiled MMAs, as CuTe has them: `TiledCopy<Atom, LayoutTV, Tiler>` and `TiledMMA<Atom, AtomLayout, Permutations>`, whether
//! they are written or made by a call.

use razorgirl::{Layout, Mode, Tiler};

use super::algebra;
use super::constants::tuple;
use super::reason::Resolved;
use super::value::{Constant, Named, Number, Value};
use crate::ast::Site;

/// Functions that make a tiled copy, in order. What makes a tiled MMA looks for the traits of its instruction too, and stands with the
/// evaluator.
const FUNCTIONS: [&str; 3] = ["make_cotiled_copy", "make_tiled_copy", "make_tiled_copy_impl"];

/// Whether a function is one of these.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.binary_search(&name).is_ok()
}

/// A tiled MMA.
#[derive(Debug, Clone)]
pub struct TiledMma {
    /// M, N and K of the instruction.
    pub shape: [u64; 3],
    /// Threads of the instruction.
    pub threads: u64,
    /// Atoms along M, N and K, in the order in which their threads are numbered.
    pub atoms: Layout,
    /// The extents of the tile along M, N and K, where one is given.
    pub tile: [Option<u64>; 3],
}

impl TiledMma {
    /// A value as a tiled MMA, if it is one of an instruction that is known.
    pub fn of(value: &Value<'_>) -> Option<Self> {
        let (atom, atoms, tile) = match cute_args(value, "TiledMMA")? {
            [atom] => (atom, Layout::from_modes([razorgirl::Mode::new(1, 0); 3]).ok()?, &[][..]),
            [atom, Value::Layout(atoms)] => (atom, core(atoms)?, &[][..]),
            [atom, Value::Layout(atoms), Value::Tuple(tile)] => (atom, core(atoms)?, tile.items.as_slice()),
            _ => return None,
        };
        let (shape, threads) = instruction(atom)?;
        let tile = [0, 1, 2].map(|axis| tile.get(axis).and_then(extent));
        Some(Self { shape, threads, atoms, tile })
    }

    /// All its threads.
    pub fn size(&self) -> Option<u64> {
        self.atoms.size().checked_mul(self.threads)
    }
}

/// A tiled copy.
#[derive(Debug, Clone)]
pub struct TiledCopy<'a> {
    /// What copies.
    pub atom: Value<'a>,
    /// (thread, value) to the element of the tile, counted column-major.
    pub layout: Layout,
    /// The extents of the tile; none where it is no block of neighbours.
    pub tile: Vec<u64>,
}

impl<'a> TiledCopy<'a> {
    /// A value as a tiled copy, if it is one.
    pub fn of(value: &Value<'a>) -> Option<Self> {
        let [atom, Value::Layout(layout), Value::Tuple(tile)] = cute_args(value, "TiledCopy")? else { return None };
        let layout = core(layout)?;
        let extents = tile.items.iter().map(extent).collect::<Option<Vec<u64>>>()?;
        if layout.rank() != 2 {
            return None;
        }
        let modes = tile.items.iter().map(compact).collect::<Option<Vec<Vec<Mode>>>>();
        let (layout, tile) = match modes.and_then(|modes| unpermuted(&layout, &modes, &extents)) {
            Some(layout) => (layout, extents),
            None => (layout, Vec::new()),
        };
        Some(Self { atom: atom.clone(), layout, tile })
    }

    /// Its threads.
    pub fn size(&self) -> Option<u64> {
        self.layout.mode(0).map(|threads| threads.size())
    }
}

/// Functions that make the copy of a matrix of a tiled MMA, in order. Where its layout is not worked out, what they make is a class of
/// their name, of the atom and the MMA.
const OF_MMA: [&str; 3] = ["make_tiled_copy_A", "make_tiled_copy_B", "make_tiled_copy_C"];

/// The copy of a matrix of a tiled MMA.
///
/// # Errors
/// It would be too large.
pub fn copy_of_mma<'a>(name: &str, atom: &Value<'a>, mma: &Value<'a>, site: Site) -> Option<Resolved<Value<'a>>> {
    let class = OF_MMA.into_iter().find(|class| *class == name)?;
    Some(Named::unknown(vec!["cute", class], Some(vec![atom.clone(), mma.clone()]), site))
}

/// The atom and the MMA of such a copy.
fn of_mma<'v, 'a>(value: &'v Value<'a>) -> Option<(&'v Value<'a>, &'v Value<'a>)> {
    match OF_MMA.iter().find_map(|class| cute_args(value, class))? {
        [atom, mma] => Some((atom, mma)),
        _ => None,
    }
}

/// The atom of such a copy.
pub fn atom_of_mma<'v, 'a>(value: &'v Value<'a>) -> Option<&'v Value<'a>> {
    of_mma(value).map(|(atom, _)| atom)
}

/// The threads of such a copy: those of the MMA, where these are counted without gaps.
pub fn threads_of_mma(value: &Value<'_>) -> Option<u64> {
    let (_, mma) = of_mma(value)?;
    let mma = TiledMma::of(mma).filter(|mma| mma.atoms.cosize() == mma.atoms.size())?;
    mma.size()
}

/// What a call makes or measures; none where it is not about a tiled copy or MMA of constants.
pub fn apply<'a>(name: &str, values: &[Value<'a>], site: Site) -> Option<Resolved<Value<'a>>> {
    let cute = |class, args| Named::unknown(vec!["cute", class], Some(args), site);
    match (name, values) {
        ("make_tiled_copy", [atom, Value::Layout(threads), more @ ..]) => {
            let values = match more {
                [] => Layout::from_modes([razorgirl::Mode::new(1, 0)]).ok()?,
                [Value::Layout(values)] => core(values)?,
                _ => return None,
            };
            let made = Layout::make_layout_tv(&core(threads)?, &values).ok()?;
            let number = |value: &u64| Value::Number(Number::of(i128::from(*value), site, true));
            let modes = made.tiler.modes().map(|mode| mode.leaves().iter().product::<u64>());
            let tile = tuple(modes.map(|extent| number(&extent)).collect(), site).ok()?;
            let layout = algebra::constant(made.layout, site).ok()?;
            Some(cute("TiledCopy", vec![atom.clone(), layout, tile]))
        }
        ("make_cotiled_copy", [atom, Value::Layout(threads), Value::Layout(data)]) => {
            let (layout, tiler) = cotiled(&core(threads)?, &core(data)?)?;
            let modes = tiler.into_iter().map(|mode| algebra::constant(mode, site));
            let tile = tuple(modes.collect::<Resolved<Vec<_>>>().ok()?, site).ok()?;
            let layout = algebra::constant(layout, site).ok()?;
            Some(cute("TiledCopy", vec![atom.clone(), layout, tile]))
        }
        ("make_tiled_copy_impl", [atom, layout @ Value::Layout(_), tile @ Value::Tuple(_)]) => {
            Some(cute("TiledCopy", vec![atom.clone(), layout.clone(), tile.clone()]))
        }
        ("size", [tiled]) => {
            let size = TiledMma::of(tiled)
                .and_then(|mma| mma.size())
                .or_else(|| TiledCopy::of(tiled).and_then(|copy| copy.size()))
                .or_else(|| threads_of_mma(tiled))?;
            let value = i128::from(size);
            Some(Ok(Value::Number(Number::of(value, site, true))))
        }
        _ => None,
    }
}

/// The modes of a mode of a tile that has each of its coordinates once, in whatever order; none of others.
fn compact(mode: &Value<'_>) -> Option<Vec<Mode>> {
    match mode {
        Value::Number(_) => Some(vec![Mode::new(extent(mode)?, 1)]),
        Value::Layout(layout) => {
            let modes: Vec<Mode> = core(layout)?.modes().to_vec();
            let mut sorted: Vec<&Mode> = modes.iter().filter(|mode| mode.extent() > 1).collect();
            sorted.sort_by_key(|mode| mode.stride());
            let mut next = 1_u64;
            for mode in sorted {
                if mode.stride() != next {
                    return None;
                }
                next = next.checked_mul(mode.extent())?;
            }
            Some(modes)
        }
        _ => None,
    }
}

/// Threads and values of a tile whose modes are permuted, as elements of the tile that is not.
fn unpermuted(layout: &Layout, modes: &[Vec<Mode>], extents: &[u64]) -> Option<Layout> {
    if modes.iter().flatten().all(|mode| mode.extent() == 1) || modes.iter().all(|modes| modes.len() == 1) {
        return Some(layout.clone());
    }
    let mut step = 1_u64;
    let mut all = Vec::new();
    for (modes, extent) in modes.iter().zip(extents) {
        for mode in modes {
            all.push(Mode::new(mode.extent(), mode.stride().checked_mul(step)?));
        }
        step = step.checked_mul(*extent)?;
    }
    let made = Layout::from_modes(all).ok()?.composition(layout).ok()?;
    (made.rank() == 2).then_some(made)
}

/// `make_cotiled_copy` (`cute/atom/copy_atom.hpp`): threads and values that are given by addresses, as elements of the tile of a layout that has
/// these addresses. The layout of a tiled copy, and its tile by mode; none where CuTe refuses it, or the library a step.
fn cotiled(addresses: &Layout, data: &Layout) -> Option<(Layout, Vec<Layout>)> {
    if addresses.rank() != 2 || addresses.cosize() > data.cosize() {
        return None;
    }
    // (thread, value) to the coordinate in the data.
    let elements = data.left_inverse().ok()?.composition(addresses).ok()?;
    let values = elements.mode(1)?;
    if data.composition(&values).ok()?.coalesce() != addresses.mode(1)?.coalesce() {
        return None;
    }
    let extents: Vec<u64> = data.sublayouts().map(|mode| mode.size()).collect();
    // One mode of the coordinate, and the elements of it that anybody has.
    let along = |mode: usize| {
        let modes = extents.iter().enumerate().map(|(at, extent)| Mode::new(*extent, u64::from(at == mode)));
        let projected = Layout::from_modes(modes).ok()?.composition(&elements).ok()?;
        Some(projected.filter())
    };
    let tiler: Vec<Layout> = (0..extents.len()).map(along).collect::<Option<_>>()?;
    let mut next = 1_u64;
    let mut modes = Vec::with_capacity(extents.len());
    for extent in &extents {
        modes.push(Mode::new(*extent, next));
        next = next.checked_mul(*extent)?;
    }
    let whole = Layout::from_modes(modes).ok()?;
    let tile = whole.composition_by(&Tiler::Modes(tiler.iter().cloned().map(Tiler::Layout).collect())).ok()?;
    let layout = tile.left_inverse().ok()?.composition(&elements).ok()?;
    Some((layout, tiler))
}

/// The arguments of a template of CuTe's.
fn cute_args<'v, 'a>(value: &'v Value<'a>, name: &str) -> Option<&'v [Value<'a>]> {
    let Value::Named(named) = value else { return None };
    let ours = matches!(named.path.as_slice(), [only] | ["cute", only] if *only == name);
    named.args.as_deref().filter(|_| ours)
}

fn core(constant: &Constant) -> Option<Layout> {
    Layout::new(&constant.shape.tuple, &constant.stride.tuple).ok()
}

fn size(constant: &Constant) -> Option<u64> {
    core(constant).map(|layout| layout.size())
}

/// The extent of a mode of a tile: a number, or a layout that permutes; none for `_`.
fn extent(mode: &Value<'_>) -> Option<u64> {
    match mode {
        Value::Number(number) => u64::try_from(number.value).ok().filter(|extent| *extent > 0),
        Value::Layout(layout) => size(layout),
        _ => None,
    }
}

/// M, N and K of an MMA atom and how many threads execute it, by the name of its operation.
fn instruction(atom: &Value<'_>) -> Option<([u64; 3], u64)> {
    let Value::Named(named) = atom else { return None };
    match (named.name(), named.args.as_deref()) {
        ("MMA_Atom" | "MMA_Traits", Some([inner, ..])) => return instruction(inner),
        ("UniversalFMA", _) => return Some(([1, 1, 1], 1)),
        _ => {}
    }
    let (family, rest) = named.name().split_once('_')?;
    let (shape, rest) = rest.split_once('_')?;
    let numbers: Vec<u64> = shape.split('x').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [m, n, k] = numbers.as_slice() else { return None };
    // Sparse instructions, whose K is twice that of what their registers hold, and whatever else has a name of another form.
    if rest.contains("SPARSE") || named.path.contains(&"SPARSE") {
        return None;
    }
    let threads = match (family, *m) {
        ("SM70", 8) => 8,
        ("SM75" | "SM80" | "SM89" | "SM120", 8 | 16) | ("SM90", 16) => 32,
        ("SM90" | "MMA", 64) => 128,
        _ => return None,
    };
    Some(([*m, *n, *k], threads))
}

/// What CuTe's traits of an instruction say, by the instruction's name: for those whose traits no file has.
pub fn by_name<'a>(atom: &Value<'_>, member: &str, site: Site) -> Option<Resolved<Value<'a>>> {
    let ([m, n, k], threads) = instruction(atom)?;
    let number = |value: u64| Value::Number(Number::of(i128::from(value), site, true));
    let layout = match (member, threads) {
        ("Shape_MNK", _) => return Some(tuple([m, n, k].map(number).to_vec(), site)),
        ("ThrID", 1 | 32 | 128) => format!("{threads}:1"),
        // The fragment of C is the same for every K and every type of these.
        ("CLayout", 32) if (m, n) == (16, 8) => "((4,8),(2,2)):((32,1),(16,8))".to_owned(),
        ("CLayout", 32) if (m, n) == (8, 8) => "((4,8),2):((16,1),8)".to_owned(),
        ("CLayout", 128) if n >= 8 && n.is_multiple_of(8) => {
            format!("((4,8,4),(2,2,{})):((128,1,16),(64,8,512))", n / 8)
        }
        ("CLayout", 1) => "(1,1):(0,0)".to_owned(),
        _ => return None,
    };
    Some(algebra::constant(layout.parse().ok()?, site))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_sorted() {
        assert!(FUNCTIONS.is_sorted());
    }

    /// The element that a thread has of the tile is the one at the address that it was given.
    #[test]
    fn cotiled_copies_have_the_addresses_that_they_are_given() {
        let cases = [
            ("((8,4),4):((4,64),1)", "(64,8):(1,64)", true),
            ("(32,8):(8,1)", "(64,8):(1,64)", true),
            ("(32,8):(8,1)", "(8,64):(64,1)", true),
            ("((16,8),8):((64,8),1)", "(16,64):(64,1)", true),
            ("(16,4):(1,16)", "(8,8):(8,1)", true),
            // Past the end of the data, and in its gaps.
            ("(64,16):(16,1)", "(64,8):(1,64)", false),
            ("(32,8):(8,1)", "(16,8):(1,32)", false),
        ];
        for (threads, data, known) in cases {
            let (threads, data): (Layout, Layout) = (threads.parse().unwrap(), data.parse().unwrap());
            let made = cotiled(&threads, &data);
            assert_eq!(made.is_some(), known, "{threads} {data} {made:?}");
            let Some((layout, tiler)) = made else { continue };
            assert_eq!(layout.size(), threads.size());
            for index in 0..threads.size() {
                // The element of the tile, by mode, is one of the data.
                let mut rest = layout.at(index).unwrap();
                let (mut flat, mut step) = (0, 1);
                for (mode, of) in tiler.iter().zip(data.sublayouts()) {
                    flat += step * mode.at(rest % mode.size()).unwrap();
                    rest /= mode.size();
                    step *= of.size();
                }
                assert_eq!(data.at(flat).unwrap(), threads.at(index).unwrap(), "{threads} {data} at {index}");
            }
        }
    }

    #[test]
    fn instructions_by_their_names() {
        let site = Site { unit: 0, span: crate::ast::Span::default() };
        let of = |name: &'static str| instruction(&Named::unknown(vec![name], None, site).unwrap());
        assert_eq!(of("SM80_16x8x16_F32F16F16F32_TN"), Some(([16, 8, 16], 32)));
        assert_eq!(of("SM70_8x8x4_F32F16F16F32_NT"), Some(([8, 8, 4], 8)));
        assert_eq!(of("SM90_16x8x4_F64F64F64F64_TN"), Some(([16, 8, 4], 32)));
        assert_eq!(of("SM90_64x128x16_F32F16F16_SS"), Some(([64, 128, 16], 128)));
        assert_eq!(of("MMA_64x128x16_F32F16F16_SS"), Some(([64, 128, 16], 128)));
        assert_eq!(of("UniversalFMA"), Some(([1, 1, 1], 1)));
        for name in
            ["SM100_MMA_F16BF16_SS", "MP22_16x8x8_F32", "SM80_16x8", "XE_8x16x16_F32BF16BF16F32_TT", "SM61_DP4A"]
        {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
