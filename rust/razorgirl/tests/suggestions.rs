//! Every suggestion holds: it is run through the operation that was called, and answers what it says.
//!
//! Arguments are drawn at random, small ones so that most calls are refused for a reason that lies near, and numbers at
//! the end of the range.

use std::fmt::Display;

use razorgirl::{Argument, Coord, Error, IntTuple, Layout, LayoutAndOffset, Mode, Shape, Suggestion, Tiler};
use razorgirl_conform::generate::Rng;

/// Refusals that each operation is tried on.
const REFUSALS: usize = 10_000;

/// Arguments in a fixed order that looks like none.
struct Draw(Rng);

impl Draw {
    fn layout(&mut self) -> Layout {
        loop {
            if let Some(layout) = self.any_layout(2) {
                return layout;
            }
        }
    }

    fn any_layout(&mut self, depth: u64) -> Option<Layout> {
        if depth == 0 || self.0.below(3) == 0 {
            let mode = if self.0.below(40) == 0 {
                let large = [1 << 20, 1 << 32, 1 << 62, 1 << 63, u64::MAX, u64::MAX / 3];
                Mode::new(*self.0.pick(&[2, 3, 1 << 31]), *self.0.pick(&large))
            } else {
                Mode::new(1 + self.0.below(9), *self.0.pick(&[0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 12, 24]))
            };
            return Layout::from_modes([mode]).ok()?.mode(0);
        }
        let modes: Option<Vec<Layout>> = (0..self.0.below(4)).map(|_| self.any_layout(depth - 1)).collect();
        Layout::concat(&modes?).ok()
    }

    /// A layout that others have a chance to fit in.
    fn compact(&mut self) -> Layout {
        let extents: Vec<u64> = (0..=self.0.below(3)).map(|_| 1 + self.0.below(12)).collect();
        let shape = Shape::new(IntTuple::flat(&extents)).expect("it is small");
        let layout = if self.0.below(2) == 0 { Layout::column_major(&shape) } else { Layout::row_major(&shape) };
        if extents.len() == 1 && self.0.below(2) == 0 { layout.mode(0).expect("it has a mode") } else { layout }
    }

    fn either(&mut self) -> Layout {
        if self.0.below(2) == 0 { self.layout() } else { self.compact() }
    }

    fn tiler(&mut self, depth: u64) -> Tiler {
        match self.0.below(8) {
            0 => Tiler::Keep,
            1 | 2 => Tiler::integer(1 + self.0.below(8)).expect("it is positive"),
            3 | 4 if depth > 0 => Tiler::Modes((0..=self.0.below(2)).map(|_| self.tiler(depth - 1)).collect()),
            _ => Tiler::Layout(self.either()),
        }
    }

    fn shape(&mut self) -> Shape {
        self.either().shape()
    }

    fn flat_shape(&mut self) -> Shape {
        let extents: Vec<u64> = (0..=self.0.below(3)).map(|_| 1 + self.0.below(24)).collect();
        Shape::new(IntTuple::flat(&extents)).expect("it is small")
    }

    fn number(&mut self) -> u64 {
        if self.0.below(10) == 0 {
            *self.0.pick(&[u64::MAX, 1 << 63, 1 << 62, u64::MAX - 5])
        } else {
            self.0.below(100)
        }
    }
}

fn layout(argument: &Argument) -> &Layout {
    let Argument::Layout(layout) = argument else { panic!("{argument} is no layout") };
    layout
}

fn tiler(argument: &Argument) -> Tiler {
    match argument {
        Argument::Tiler(tiler) => tiler.clone(),
        Argument::Layout(layout) => Tiler::Layout(layout.clone()),
        _ => panic!("{argument} is no tiler"),
    }
}

fn shape(argument: &Argument) -> &Shape {
    let Argument::Shape(shape) = argument else { panic!("{argument} is no shape") };
    shape
}

fn number(argument: &Argument) -> u64 {
    let Argument::Integer(number) = argument else { panic!("{argument} is no number") };
    *number
}

/// A coordinate that is one number.
fn coord(argument: &Argument) -> Coord {
    Coord::leaf(Some(number(argument)))
}

/// The operation of this name.
fn call(operation: &str, args: &[Argument]) -> Result<String, Error> {
    fn text<T: Display>(answer: Result<T, Error>) -> Result<String, Error> {
        answer.map(|answer| answer.to_string())
    }
    let first = || layout(&args[0]);
    let second = || layout(&args[1]);
    let by = || tiler(&args[1]);
    match operation {
        "composition" => text(first().composition(second())),
        "composition_complete" => text(first().composition_complete(second())),
        "composition_extended" => {
            let inner = match &args[1] {
                Argument::Tiler(Tiler::Layout(inner)) => inner,
                inner => layout(inner),
            };
            text(first().composition_extended(inner).map(|extended| extended.layout))
        }
        "composition_by" => text(first().composition_by(&by())),
        "composition_complete_by" => text(first().composition_complete_by(&by())),
        "complement" => text(first().complement()),
        "complement_in" => text(first().complement_in(number(&args[1]))),
        "complement_ceil" => text(first().complement_ceil(number(&args[1]))),
        "inverse" => text(first().inverse()),
        "left_inverse" => text(first().left_inverse()),
        "quasi_left_inverse" => text(first().quasi_left_inverse()),
        "left_inverse_complete" => text(first().left_inverse_complete()),
        "upcast" => text(first().upcast(number(&args[1]))),
        "upcast_containing" => text(first().upcast_containing(number(&args[1]))),
        "downcast" => text(first().downcast(number(&args[1]))),
        "recast" => text(first().recast(number(&args[1]), number(&args[2]))),
        "recast_containing" => text(first().recast_containing(number(&args[1]), number(&args[2]))),
        "with_shape" => text(first().with_shape(shape(&args[1]))),
        "with_shape_complete" => text(first().with_shape_complete(shape(&args[1]))),
        "logical_divide" => text(first().logical_divide(second())),
        "logical_divide_by" => text(first().logical_divide(&by())),
        "zipped_divide" => text(first().zipped_divide(&by())),
        "tiled_divide" => text(first().tiled_divide(&by())),
        "flat_divide" => text(first().flat_divide(&by())),
        "logical_divide_ceil" => text(first().logical_divide_ceil(&by()).map(|divided| divided.layout)),
        "zipped_divide_ceil" => text(first().zipped_divide_ceil(&by())),
        "logical_product" => text(first().logical_product(second())),
        "logical_product_by" => text(first().logical_product(&by())),
        "zipped_product" => text(first().zipped_product(&by())),
        "tiled_product" => text(first().tiled_product(&by())),
        "flat_product" => text(first().flat_product(&by())),
        "blocked_product" => text(first().blocked_product(second())),
        "raked_product" => text(first().raked_product(second())),
        "tile_to_shape" => text(first().tile_to_shape(shape(&args[1]), None)),
        "make_layout_tv" => text(Layout::make_layout_tv(first(), second()).map(|tv| tv.layout)),
        "inner_partition" => text::<LayoutAndOffset>(first().inner_partition(&by(), &coord(&args[2]))),
        "outer_partition" => text::<LayoutAndOffset>(first().outer_partition(&by(), &coord(&args[2]))),
        "local_partition" => text::<LayoutAndOffset>(first().local_partition(second(), number(&args[2]))),
        "shape_div" => text(shape(&args[0]).shape_div(shape(&args[1]))),
        "ceil_div" => text(shape(&args[0]).ceil_div(shape(&args[1]))),
        "round_up" => text(shape(&args[0]).round_up(shape(&args[1]))),
        _ => panic!("there is no {operation}"),
    }
}

/// The suggested call.
fn suggested(operation: &str, args: &[Argument], suggestion: &Suggestion) -> Result<String, Error> {
    let mut args = args.to_vec();
    for replacement in suggestion.replacements() {
        args[replacement.position] = replacement.value.clone();
    }
    call(suggestion.operation().unwrap_or(operation), &args)
}

type Arguments = fn(&mut Draw) -> Vec<Argument>;

const LAYOUT: Arguments = |draw| vec![draw.either().into()];
const PAIR: Arguments = |draw| vec![draw.either().into(), draw.either().into()];
const BY_TILER: Arguments = |draw| vec![draw.either().into(), draw.tiler(2).into()];
const IN: Arguments = |draw| vec![draw.either().into(), draw.number().into()];
const ELEMENTS: Arguments = |draw| vec![draw.either().into(), (2 + draw.0.below(30)).into()];
const RECAST: Arguments = |draw| {
    let size = |draw: &mut Draw| (1 + draw.0.below(12)) << draw.0.below(3);
    vec![draw.either().into(), size(draw).into(), size(draw).into()]
};
const SHAPED: Arguments = |draw| vec![draw.either().into(), draw.shape().into()];
const FILLED: Arguments = |draw| vec![draw.either().into(), draw.flat_shape().into()];
const SHAPES: Arguments = |draw| vec![draw.shape().into(), draw.shape().into()];
const PARTED: Arguments = |draw| vec![draw.either().into(), draw.tiler(1).into(), draw.0.below(4).into()];
const THREADS: Arguments = |draw| vec![draw.either().into(), draw.compact().into(), draw.0.below(4).into()];

/// Operations, their arguments, and how many suggestions there should be at least in a thousand refusals.
const OPERATIONS: [(&str, Arguments, usize); 37] = [
    ("composition", PAIR, 500),
    ("composition_complete", PAIR, 300),
    ("composition_extended", PAIR, 500),
    ("composition_by", BY_TILER, 300),
    ("composition_complete_by", BY_TILER, 200),
    ("complement", LAYOUT, 100),
    ("complement_in", IN, 100),
    ("complement_ceil", IN, 100),
    ("inverse", LAYOUT, 300),
    ("left_inverse", LAYOUT, 200),
    ("quasi_left_inverse", LAYOUT, 50),
    ("upcast", ELEMENTS, 100),
    ("upcast_containing", ELEMENTS, 30),
    ("downcast", ELEMENTS, 10),
    ("recast", RECAST, 100),
    ("recast_containing", RECAST, 10),
    ("with_shape", SHAPED, 100),
    ("with_shape_complete", SHAPED, 100),
    ("logical_divide", PAIR, 500),
    ("logical_divide_by", BY_TILER, 300),
    ("zipped_divide", BY_TILER, 300),
    ("tiled_divide", BY_TILER, 300),
    ("flat_divide", BY_TILER, 300),
    ("logical_divide_ceil", BY_TILER, 300),
    ("zipped_divide_ceil", BY_TILER, 300),
    ("logical_product", PAIR, 300),
    ("logical_product_by", BY_TILER, 300),
    ("zipped_product", BY_TILER, 300),
    ("tiled_product", BY_TILER, 300),
    ("flat_product", BY_TILER, 300),
    ("blocked_product", PAIR, 300),
    ("raked_product", PAIR, 300),
    ("tile_to_shape", FILLED, 100),
    ("make_layout_tv", PAIR, 300),
    ("inner_partition", PARTED, 100),
    ("outer_partition", PARTED, 100),
    ("local_partition", THREADS, 100),
];

fn holds(operation: &str, arguments: Arguments, refusals: usize, least: usize) {
    let mut draw = Draw(Rng::new(operation.len() as u64));
    let (mut refused, mut tried) = (0, 0);
    for _ in 0..100 * refusals {
        if refused == refusals {
            break;
        }
        let args = arguments(&mut draw);
        let Err(error) = call(operation, &args) else { continue };
        refused += 1;
        let given: Vec<String> = args.iter().map(ToString::to_string).collect();
        let given = format!("{operation} {}", given.join(" "));
        assert_eq!(error.help().len(), error.advice().len() + error.suggestions().len());
        for (suggestion, text) in error.suggestions().iter().zip(&error.help()[error.advice().len()..]) {
            assert_eq!(suggestion.to_string(), *text);
            let answer = suggested(operation, &args, suggestion);
            let answer = answer.unwrap_or_else(|error| panic!("{given}: «{suggestion}», but then: {error}"));
            let whole = suggestion.answer().strip_suffix('…');
            assert!(
                whole.map_or(answer == suggestion.answer(), |start| answer.starts_with(start)),
                "{given}: «{suggestion}», but it is {answer}"
            );
            tried += 1;
        }
    }
    println!("{operation}: {tried} suggestions in {refused} refusals");
    assert!(refused == refusals && tried >= least * refusals / 1000, "{operation}: {tried} in {refused}");
}

#[test]
fn suggestions_hold() {
    for (operation, arguments, least) in OPERATIONS {
        // a refused recast tries some thousand sizes
        let refusals = if operation.ends_with("cast") { REFUSALS / 10 } else { REFUSALS };
        holds(operation, arguments, refusals, least);
    }
}

#[test]
fn suggestions_of_divided_shapes_hold() {
    holds("shape_div", SHAPES, REFUSALS, 50);
    holds("ceil_div", SHAPES, REFUSALS / 10, 50);
}

/// What was once suggested and refused as well.
#[test]
fn suggestions_that_did_not_hold() {
    for (operation, args) in [
        ("complement_in", vec![Argument::from(layout_of("(4,2):(2,5)")), 1.into()]),
        ("complement_in", vec![layout_of("2:4611686018427387904").into(), u64::MAX.into()]),
        ("tile_to_shape", vec![layout_of("2:3").into(), shape_of("(8)").into()]),
        ("blocked_product", vec![layout_of("(2,2):(1,3)").into(), layout_of("2:1").into()]),
        ("raked_product", vec![layout_of("(2,2):(1,3)").into(), layout_of("2:1").into()]),
        ("tiled_divide", vec![layout_of("(8,9):(1,8)").into(), Tiler::Layout(layout_of("5:1")).into()]),
        (
            "flat_divide",
            vec![layout_of("(8,9):(1,8)").into(), Tiler::Modes(vec![Tiler::Layout(layout_of("5:1"))]).into()],
        ),
    ] {
        let error = call(operation, &args).expect_err(operation);
        for suggestion in error.suggestions() {
            assert_eq!(suggested(operation, &args, suggestion).as_deref(), Ok(suggestion.answer()), "{suggestion}");
        }
    }
}

fn layout_of(text: &str) -> Layout {
    text.parse().expect("it is notation")
}

fn shape_of(text: &str) -> Shape {
    text.parse().expect("it is notation")
}
