//! The copy engine.

use crate::answer::Output;
use crate::code::{Code, Refusal};
use crate::ops::answer;
use crate::table::{Op, form};
use razorgirl::Layout;
use razorgirl::tma::{Swizzle, TileFault, tile_fault};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "fttc",
        meaning: "whether copies by boxes can fill every hole with zeros, and the dimensions in which they cannot",
        notes: "`{\"strong\":bool,\"violations\":[…]}`; dimensions from 0, innermost first",
        forms: &[form!(_; sizes: Sizes, boxes: Sizes, element_strides: Sizes => {
            let verdict = razorgirl::tma::fttc(sizes, boxes, element_strides)?;
            let strong = verdict.is_strong();
            let violations = verdict.violations.iter().map(|dimension| *dimension as u64).collect();
            answer(Output::Named(vec![("strong", strong.into()), ("violations", Output::Naturals(violations))]))
        })],
        lean: &["Razorgirl.Tma.violations"],
        example: (&["(16,8)", "(8,4)", "(3,2)"], "strong false, violations (0)"),
        ..Op::PLAIN
    },
    Op {
        name: "tma_swizzle",
        meaning: "the address of a byte of a tile after the swizzle of rows of this many bytes",
        notes: "rows of 32, 64 or 128 bytes, or 16 for no swizzle",
        forms: &[form!(_; bytes: Index, address: Index => answer(swizzle(*bytes)?.apply(*address)))],
        lean: &["Razorgirl.Tma.swizzleAddress"],
        example: (&["128", "128"], "144"),
        ..Op::PLAIN
    },
    Op {
        name: "tma_tile_fault",
        meaning: "why a layout of shared memory (tile, tiles) does not fit copies of n elements; `null` if it fits",
        notes: "`{\"fault\":…}` and its numbers: `size` (given, tile), `scattered` (index, offset), `straddles` (offset, tile), \
                `shared` (offset, or `null`)",
        forms: &[
            form!(_; tile: Layout, tiles: Layout, n: Count => answer(fault(&Layout::concat(&[tile.clone(), tiles.clone()])?, *n)?)),
        ],
        lean: &["Razorgirl.Tma.tileFault"],
        example: (&["(8,4):(1,10)", "6:40", "32"], "fault scattered, index 8, offset 10"),
        ..Op::PLAIN
    },
];

fn swizzle(bytes: u64) -> Result<Swizzle, Refusal> {
    Swizzle::ALL.into_iter().find(|swizzle| swizzle.bytes().unwrap_or(16) == bytes).ok_or_else(|| {
        Refusal::new(Code::OutOfDomain, format!("a swizzle has rows of 32, 64 or 128 bytes, not {bytes}"))
            .with_help("use 16, 32, 64 or 128")
    })
}

fn fault(layout: &Layout, elements: u64) -> Result<Output, Refusal> {
    let named = |name: &'static str, numbers: &[(&'static str, Output)]| {
        let fault = std::iter::once(("fault", Output::Name(name)));
        Ok(Output::Named(fault.chain(numbers.iter().cloned()).collect()))
    };
    match tile_fault(layout, elements) {
        None => Ok(Output::None),
        Some(TileFault::Size { given, tile }) => named("size", &[("given", given.into()), ("tile", tile.into())]),
        Some(TileFault::Scattered { index, offset }) => {
            named("scattered", &[("index", index.into()), ("offset", offset.into())])
        }
        Some(TileFault::Straddles { offset, tile }) => {
            named("straddles", &[("offset", offset.into()), ("tile", tile.into())])
        }
        Some(TileFault::Shared { offset }) => named("shared", &[("offset", offset.into())]),
        Some(TileFault::Unknown { bound }) => Err(Refusal::new(
            Code::TooLarge,
            format!("not decided: whether two tiles begin at the same place, by going through {bound} of them"),
        )
        .with_help("ask with fewer tiles")),
        Some(_) => Err(Refusal::internal("a fault without a name")),
    }
}
