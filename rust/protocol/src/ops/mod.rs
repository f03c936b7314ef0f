//! The operations: what each takes, and what answers it.

mod algebra;
mod complement;
mod composition;
mod coord;
mod find;
mod int;
mod inverse;
mod schedule;
mod shape;
mod structure;
mod tiling;
mod tma;
mod verdict;

use crate::code::{Code, Refusal};
use crate::operand::{Kind, Operand, read};
use crate::request::Request;
use crate::value::Value;
use crate::write::Answer;

type Outcome = Result<Answer, Refusal>;

/// An operation of the protocol.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    name: &'static str,
    args: &'static str,
    about: &'static str,
    takes: Takes,
    run: fn(&[Operand], &Options) -> Outcome,
}

impl Op {
    /// As it stands in a request.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The arguments, as `PROTOCOL.md` writes them.
    #[must_use]
    pub const fn args(&self) -> &'static str {
        self.args
    }

    /// What it answers, in a line.
    #[must_use]
    pub const fn about(&self) -> &'static str {
        self.about
    }
}

/// The arguments that an operation takes.
#[derive(Clone, Copy, Debug)]
enum Takes {
    /// One of these lists; where one is the beginning of another, the shorter one comes first.
    One(&'static [&'static [Kind]]),
    /// Any number of this kind.
    Each(Kind),
}

/// The fields of a request beside `id`, `op` and `args`.
#[derive(Debug)]
struct Options<'a>(&'a Request<'a>);

impl<'a> Options<'a> {
    /// The text of `args`, which places in it refer to.
    fn args(&self) -> &'a str {
        self.0.args.map_or("", |args| args.get())
    }

    /// The arguments as JSON, for operations whose arguments are no layouts.
    fn values(&self) -> Result<Vec<serde_json::Value>, Refusal> {
        serde_json::from_str(self.args()).map_err(|error| Refusal::new(Code::Parse, error.to_string()))
    }

    /// Whether `"mode":"complete"` stands beside the arguments; `"strict"` is the default.
    fn complete(&self) -> Result<bool, Refusal> {
        match self.0.option("mode") {
            None | Some("\"strict\"") => Ok(false),
            Some("\"complete\"") => Ok(true),
            Some(other) => {
                let shown: String = other.chars().take(40).collect();
                Err(Refusal::new(Code::Parse, format!("there is no mode {shown}"))
                    .with_help("the modes are \"strict\" and \"complete\""))
            }
        }
    }
}

use Kind::{Coord, Cotarget, Extents, Index, Json, Layout, Offsets, Profile, Shape, Strides, Tiler};
use Takes::{Each, One};

/// `op!(name, "args", takes, function, "about")`.
macro_rules! op {
    ($name:literal, $args:literal, $takes:expr, $run:path, $about:literal) => {
        Op { name: $name, args: $args, about: $about, takes: $takes, run: $run }
    };
}

/// Every operation, in order of name. `ops` itself, which lists them, is answered apart.
const OPS: &[Op] = &[
    op!("append", "[X, n] or [X, n, Y]", PADDED, structure::append, "rank n by modes behind: 1:0, or copies of Y"),
    op!(
        "blocked_product",
        "[A, T]",
        ON_LAYOUTS,
        tiling::blocked_product,
        "copies of A in the pattern of T, mode by mode, blocks whole"
    ),
    op!("call", "[crd, L]", ON_COORD, coord::call, "offset, or the layout of the modes under a null"),
    op!("ceil_div", "[shape, tile]", DIVIDED, structure::ceil_div, "how many tiles cover the shape, mode by mode"),
    op!("coalesce", "[L] or [L, profile]", BY_PROFILE, algebra::coalesce, "fewest modes with the same function"),
    op!("compatible", "[coarse, fine]", ON_SHAPES, shape::compatible, "whether fine refines coarse"),
    op!(
        "complement",
        "[L] or [L, N]",
        One(&[&[Layout], &[Layout, Cotarget]]),
        complement::complement,
        "what is missing beside L, in its own block or in [0,N)"
    ),
    op!(
        "complement_ceil",
        "[L, N]",
        One(&[&[Layout, Cotarget]]),
        complement::complement_ceil,
        "complement, with N rounded up to a multiple of the block"
    ),
    op!("composition", "[A, B]", ON_LAYOUTS, composition::composition, "the layout A(B(c))"),
    op!(
        "composition_by_mode",
        "[A, tiler]",
        One(&[&[Layout, Tiler]]),
        composition::composition_by_mode,
        "composition mode by mode"
    ),
    op!(
        "composition_extended",
        "[A, B]",
        ON_LAYOUTS,
        composition::composition_extended,
        "composition, with the last mode of A grown where B reaches past it"
    ),
    op!("congruent", "[X, X]", ON_SHAPES, shape::congruent, "whether both have the same nesting"),
    op!("coshape", "[L]", ON_LAYOUT, structure::coshape, "the same as cosize, where strides are integers"),
    op!("cosize", "[L]", ON_LAYOUT, algebra::cosize, "1 + the largest offset"),
    op!(
        "crd2crd",
        "[crd, X, Y]",
        One(&[&[Coord, Shape, Shape]]),
        structure::crd2crd,
        "the coordinate in Y with the index that crd has in X"
    ),
    op!(
        "crd2idx",
        "[crd, X] or [crd, shape, stride]",
        One(&[&[Coord, Shape], &[Coord, Extents, Strides]]),
        coord::crd2idx,
        "linear index of a coordinate, or its offset under the strides"
    ),
    op!("depth", "[X]", ON_SHAPE, shape::depth, "how deep the modes are nested"),
    op!("dice", "[crd, L]", ON_COORD, coord::dice, "the modes under an integer"),
    op!("div", "[kind, a, b]", One(&[&[Json, Json, Json]]), int::div, "quotient and remainder: euclid, trunc or ceil"),
    op!(
        "domain_distribute",
        "[X, n]",
        One(&[&[Shape, Index]]),
        structure::domain_distribute,
        "a tile of gcd(n, size) elements that divides X"
    ),
    op!("downcast", "[L, n]", IN_ELEMENTS, structure::downcast, "L in n-th parts of elements"),
    op!("eval", "[L]", ON_LAYOUT, algebra::eval, "all offsets in linear order"),
    op!(
        "evenly_divides",
        "[X, tiler]",
        One(&[&[Shape, Extents]]),
        structure::evenly_divides,
        "whether tiles cover X exactly"
    ),
    op!("filter", "[L] or [L, profile]", BY_PROFILE, algebra::filter, "coalesce after filter_zeros"),
    op!("filter_zeros", "[L]", ON_LAYOUT, algebra::filter_zeros, "extent 1 wherever the stride is 0"),
    op!("find_layout", "[[f0,f1,…]]", One(&[&[Offsets]]), find::find_layout, "the layout with these offsets, or null"),
    op!(
        "flat_divide",
        "[A, tiler]",
        BY_TILER,
        tiling::flat_divide,
        "division, one mode for each of the tiles and the rests"
    ),
    op!(
        "flat_product",
        "[A, tiler]",
        BY_TILER,
        tiling::flat_product,
        "product, one mode for each of the blocks and the copies"
    ),
    op!("flatten", "[X]", ON_SHAPE, shape::flatten, "all leaves as one tuple"),
    op!(
        "fttc",
        "[sizes, boxes, element strides]",
        One(&[&[Json, Json, Json]]),
        tma::fttc,
        "whether a copy by boxes can fill all holes, and the dimensions in which it cannot"
    ),
    op!("group", "[X, b, e]", RANGE, structure::group, "the modes [b,e) as one mode"),
    op!(
        "hier_unzip",
        "[0 or 1, A, tiler]",
        One(&[&[Index, Layout, Tiler]]),
        tiling::hier_unzip,
        "zipped_divide (0) or zipped_product (1), as pycute names them"
    ),
    op!("idx2crd", "[i, X]", One(&[&[Index, Shape]]), coord::idx2crd, "coordinate of a linear index"),
    op!("inner_partition", "[A, tiler, crd]", AT_COORD, tiling::inner_partition, "one tile of A, and its offset"),
    op!(
        "inner_product",
        "[a, b]",
        One(&[&[Strides, Strides]]),
        structure::inner_product,
        "sum of the products of leaves"
    ),
    op!("inverse", "[L]", ON_LAYOUT, inverse::inverse, "the two-sided inverse of a bijection"),
    op!("is_contiguous", "[L]", ON_LAYOUT, verdict::is_contiguous, "whether it is a bijection onto [0, cosize)"),
    op!("is_injective", "[L]", ON_LAYOUT, verdict::is_injective, "whether no offset repeats; else a collision"),
    op!("left_inverse", "[L]", ON_LAYOUT, inverse::left_inverse, "R with R(L(i)) = i"),
    op!(
        "local_partition",
        "[A, threads, i]",
        One(&[&[Layout, Layout, Index]]),
        tiling::local_partition,
        "what thread i gets of A, and its offset"
    ),
    op!("local_tile", "[A, tiler, crd]", AT_COORD, tiling::local_tile, "one tile of A, and its offset"),
    op!("logical_divide", "[A, tiler]", BY_TILER, tiling::logical_divide, "A in tiles: (tile, rest), or mode by mode"),
    op!(
        "logical_divide_by_mode",
        "[A, tiler]",
        BY_TILER,
        tiling::logical_divide,
        "logical_divide, as the recorded answers name it"
    ),
    op!(
        "logical_divide_ceil",
        "[A, tiler]",
        BY_TILER,
        tiling::logical_divide_ceil,
        "A in tiles that may reach past it, padding named"
    ),
    op!(
        "logical_product",
        "[A, tiler]",
        BY_TILER,
        tiling::logical_product,
        "copies of A in the pattern of a layout: (A, copies), or mode by mode"
    ),
    op!(
        "logical_product_by_mode",
        "[A, tiler]",
        BY_TILER,
        tiling::logical_product,
        "logical_product, as the recorded answers name it"
    ),
    op!("make_layout", "[L, …]", Each(Layout), algebra::make_layout, "one mode for each argument"),
    op!("make_layout_left", "[X]", ON_SHAPE, structure::make_layout_left, "the column-major layout of a shape"),
    op!("make_layout_like", "[L]", ON_LAYOUT, structure::make_layout_like, "compact, with the order of L's strides"),
    op!("make_layout_right", "[X]", ON_SHAPE, structure::make_layout_right, "the row-major layout of a shape"),
    op!(
        "make_layout_tv",
        "[threads, values]",
        ON_LAYOUTS,
        tiling::make_layout_tv,
        "the tile, and from (thread, value) to its elements"
    ),
    op!(
        "make_ordered_layout",
        "[X, order]",
        One(&[&[Shape, Strides]]),
        structure::make_ordered_layout,
        "compact, with strides in the order of the ranks"
    ),
    op!(
        "max_alignment",
        "[L]",
        ON_LAYOUT,
        structure::max_alignment,
        "the largest block that is hit wholly or not at all"
    ),
    op!(
        "max_common_layout",
        "[A, B]",
        ON_LAYOUTS,
        inverse::max_common_layout,
        "the largest layout that both map to 0, 1, 2, …"
    ),
    op!("max_common_vector", "[A, B]", ON_LAYOUTS, inverse::max_common_vector, "the size of that layout"),
    op!("nullspace", "[L]", ON_LAYOUT, inverse::nullspace, "the modes of stride 0 as a layout of indices"),
    op!(
        "outer_partition",
        "[A, tiler, crd]",
        AT_COORD,
        tiling::outer_partition,
        "the elements of A at one place of every tile, and their offset"
    ),
    op!(
        "prefix_product",
        "[X] or [X, start]",
        One(&[&[Shape], &[Shape, Strides]]),
        structure::prefix_product,
        "the product of all extents before each"
    ),
    op!("prepend", "[X, n] or [X, n, Y]", PADDED, structure::prepend, "rank n by modes in front: 1:0, or copies of Y"),
    op!("quasi_left_inverse", "[L]", ON_LAYOUT, inverse::quasi_left_inverse, "R with L(R(L(i))) = L(i)"),
    op!(
        "raked_product",
        "[A, T]",
        ON_LAYOUTS,
        tiling::raked_product,
        "copies of A in the pattern of T, mode by mode, interleaved"
    ),
    op!("rank", "[X]", ON_SHAPE, shape::rank, "number of top-level modes"),
    op!(
        "recast",
        "[L, old, new]",
        One(&[&[Layout, Index, Index]]),
        structure::recast,
        "elements of size old as elements of size new"
    ),
    op!("refines", "[fine, coarse]", ON_SHAPES, shape::refines, "whether fine refines coarse"),
    op!("replace", "[X, n, Y]", One(&[&[Shape, Index, Shape]]), structure::replace, "Y in place of mode n"),
    op!("right_inverse", "[L]", ON_LAYOUT, inverse::right_inverse, "R with L(R(i)) = i, as far as whole modes reach"),
    op!("round_up", "[shape, tile]", DIVIDED, structure::round_up, "each extent rounded up to a multiple"),
    op!(
        "schedule_equivalent",
        "[schedule, schedule]",
        One(&[&[Json, Json]]),
        schedule::equivalent,
        "whether two schedules are the same loop nest"
    ),
    op!(
        "schedule_eval",
        "[schedule]",
        One(&[&[Json]]),
        schedule::eval,
        "the element at each loop point, null for holes"
    ),
    op!("schedule_predicates", "[schedule]", One(&[&[Json]]), schedule::predicates, "the axes that have to be checked"),
    op!("select", "[X, [i,…]]", One(&[&[Shape, Offsets]]), structure::select, "the modes at these places"),
    op!("shape_div", "[shape, tile]", DIVIDED, structure::shape_div, "ceil_div where one number divides the other"),
    op!("size", "[X]", ON_SHAPE, shape::size, "product of the extents"),
    op!("slice", "[crd, L]", ON_COORD, coord::slice, "the modes under a null"),
    op!("slice_and_offset", "[crd, L]", ON_COORD, coord::slice_and_offset, "shape and stride kept, offset fixed"),
    op!("sort", "[L]", ON_LAYOUT, algebra::sort, "leaves in order of stride, flattened"),
    op!("take", "[X, b, e]", RANGE, structure::take, "the modes [b,e)"),
    op!(
        "tile_to_shape",
        "[L, shape] or [L, shape, order]",
        One(&[&[Layout, Extents], &[Layout, Extents, Strides]]),
        tiling::tile_to_shape,
        "copies of L up to a shape"
    ),
    op!("tiled_divide", "[A, tiler]", BY_TILER, tiling::tiled_divide, "division: (tiles, rest, …)"),
    op!("tiled_product", "[A, tiler]", BY_TILER, tiling::tiled_product, "product: (blocks, copies, …)"),
    op!(
        "unzip",
        "[X, guide]",
        One(&[&[Shape, Profile]]),
        structure::unzip,
        "the pairs at the leaves of the guide parted"
    ),
    op!("upcast", "[L, n]", IN_ELEMENTS, structure::upcast, "L in elements of n"),
    op!(
        "weakly_congruent",
        "[coarse, fine]",
        ON_SHAPES,
        structure::weakly_congruent,
        "whether coarse is weakly congruent to fine: fine with some subtrees cut down to leaves"
    ),
    op!(
        "with_shape",
        "[L, X]",
        One(&[&[Layout, Shape]]),
        structure::with_shape,
        "the same offsets at every index of a shape"
    ),
    op!(
        "zip",
        "[X] or [X, Y]",
        One(&[&[Shape], &[Shape, Shape]]),
        structure::zip,
        "rows and columns of modes exchanged"
    ),
    op!("zipped_divide", "[A, tiler]", BY_TILER, tiling::zipped_divide, "division: (tiles, rests)"),
    op!("zipped_product", "[A, tiler]", BY_TILER, tiling::zipped_product, "product: (blocks, copies)"),
];

const ON_LAYOUT: Takes = One(&[&[Layout]]);
const ON_LAYOUTS: Takes = One(&[&[Layout, Layout]]);
const ON_SHAPE: Takes = One(&[&[Shape]]);
const ON_SHAPES: Takes = One(&[&[Shape, Shape]]);
const PADDED: Takes = One(&[&[Shape, Index], &[Shape, Index, Shape]]);
const RANGE: Takes = One(&[&[Shape, Index, Index]]);
const DIVIDED: Takes = One(&[&[Extents, Extents]]);
const IN_ELEMENTS: Takes = One(&[&[Layout, Index]]);
const ON_COORD: Takes = One(&[&[Coord, Layout]]);
const BY_TILER: Takes = One(&[&[Layout, Tiler]]);
const AT_COORD: Takes = One(&[&[Layout, Tiler, Coord]]);
const BY_PROFILE: Takes = One(&[&[Layout], &[Layout, Profile]]);

/// Every operation, in order of name, without `ops`.
#[must_use]
pub fn ops() -> &'static [Op] {
    OPS
}

fn find(name: &str) -> Option<&'static Op> {
    OPS.binary_search_by(|op| op.name.cmp(name)).ok().and_then(|index| OPS.get(index))
}

/// Answers an operation by name. The faults are looked for in the order in which they are reported.
pub(crate) fn run(name: &str, args: Vec<Value>, request: &Request) -> Outcome {
    if name == "ops" {
        return match args.len() {
            0 => Ok(Answer::write(|text| {
                crate::write::put_list(text, OPS, |text, op| crate::write::put_string(text, op.name));
            })),
            count => Err(Refusal::new(Code::Arity, format!("ops takes no arguments, not {count}"))),
        };
    }
    let Some(op) = find(name) else {
        return Err(unknown(name));
    };
    let operands = operands(op, args)?;
    (op.run)(&operands, &Options(request))
}

/// Whether an operation may be called without `args`.
pub(crate) fn takes_nothing(name: &str) -> bool {
    name == "ops"
}

fn operands(op: &Op, args: Vec<Value>) -> Result<Vec<Operand>, Refusal> {
    let count = args.len();
    let kinds = match op.takes {
        Each(kind) => vec![kind; count],
        // With too many or too few, what kind belongs where is anyone's guess.
        One(lists) => lists.iter().find(|list| list.len() == count).map(|list| list.to_vec()).ok_or_else(|| {
            Refusal::new(Code::Arity, format!("{} takes {}, not {count} arguments", op.name, op.args))
        })?,
    };
    let mut operands = Vec::with_capacity(count);
    for (place, (value, kind)) in (1..).zip(args.into_iter().zip(kinds)) {
        operands.push(read(kind, value, place)?);
    }
    Ok(operands)
}

fn unknown(name: &str) -> Refusal {
    let mut near: Vec<(usize, &str)> = OPS.iter().map(|op| (distance(name, op.name), op.name)).collect();
    near.sort_unstable();
    let near: Vec<&str> = near.iter().filter(|(distance, _)| *distance <= 3).take(3).map(|(_, name)| *name).collect();
    // However long the name is, the answer is not.
    let shown: String = name.chars().take(40).collect();
    let refusal = Refusal::new(Code::UnknownOp, format!("there is no operation `{shown}`"));
    if near.is_empty() {
        refusal.with_help("`ops` lists the operations")
    } else {
        refusal.with_help(format!("near it: {}", near.join(", ")))
    }
}

/// How many letters to change, add or drop.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    // Anything much longer than a name is far from all of them.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().take(40).enumerate() {
        let mut corner = i;
        let mut left = i + 1;
        for (place, to) in row.iter_mut().zip(std::iter::once(None).chain(b.iter().map(Some))) {
            let above = *place;
            *place = match to {
                None => i + 1,
                Some(to) => (corner + usize::from(from != *to)).min(above + 1).min(left + 1),
            };
            (corner, left) = (above, *place);
        }
    }
    row.last().copied().unwrap_or_default()
}

/// For an operation that got operands of other kinds than its row in the table says.
fn mismatch() -> Refusal {
    Refusal::internal("an operation got operands that it does not take")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_sorted() {
        assert!(OPS.is_sorted_by(|a, b| a.name < b.name));
        assert!(OPS.iter().all(|op| find(op.name).is_some()));
        assert!(find("ops").is_none() && find("").is_none());
    }

    #[test]
    fn distances() {
        for (a, b, expected) in
            [("", "", 0), ("size", "size", 0), ("siez", "size", 2), ("", "size", 4), ("cosize", "size", 2)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }
}
