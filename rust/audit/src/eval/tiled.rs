//! Tiled copies and tiled MMAs, as CuTe has them: `TiledCopy<Atom, LayoutTV, Tiler>` and `TiledMMA<Atom, AtomLayout, Permutations>`, whether
//! they are written or made by a call.

use razorgirl::Layout;

use super::algebra;
use super::constants::tuple;
use super::reason::Resolved;
use super::value::{Constant, Named, Number, Value};
use crate::ast::Site;

/// Functions that make a tiled copy, in order. What makes a tiled MMA looks for the traits of its instruction too, and stands with the
/// evaluator.
const FUNCTIONS: [&str; 2] = ["make_tiled_copy", "make_tiled_copy_impl"];

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
    /// The extents of the tile.
    pub tile: Vec<u64>,
}

impl<'a> TiledCopy<'a> {
    /// A value as a tiled copy, if it is one.
    pub fn of(value: &Value<'a>) -> Option<Self> {
        let [atom, Value::Layout(layout), Value::Tuple(tile)] = cute_args(value, "TiledCopy")? else { return None };
        let layout = core(layout)?;
        let tile = tile.items.iter().map(extent).collect::<Option<Vec<u64>>>()?;
        (layout.rank() == 2).then(|| Self { atom: atom.clone(), layout, tile })
    }

    /// Its threads.
    pub fn size(&self) -> Option<u64> {
        self.layout.mode(0).map(|threads| threads.size())
    }
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
            let number =
                |value: &u64| Value::Number(Number { value: i128::from(*value), site, literal: false, fixed: true });
            let modes = made.tiler.modes().map(|mode| mode.leaves().iter().product::<u64>());
            let tile = tuple(modes.map(|extent| number(&extent)).collect(), site).ok()?;
            let layout = algebra::constant(made.layout, site).ok()?;
            Some(cute("TiledCopy", vec![atom.clone(), layout, tile]))
        }
        ("make_tiled_copy_impl", [atom, layout @ Value::Layout(_), tile @ Value::Tuple(_)]) => {
            Some(cute("TiledCopy", vec![atom.clone(), layout.clone(), tile.clone()]))
        }
        ("size", [tiled]) => {
            let size = TiledMma::of(tiled)
                .and_then(|mma| mma.size())
                .or_else(|| TiledCopy::of(tiled).and_then(|copy| copy.size()))?;
            let value = i128::from(size);
            Some(Ok(Value::Number(Number { value, site, literal: false, fixed: true })))
        }
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_sorted() {
        assert!(FUNCTIONS.is_sorted());
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
