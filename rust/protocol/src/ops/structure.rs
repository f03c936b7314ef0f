//! Modes rearranged, shapes divided, layouts recast.

use razorgirl::{HTuple, IntTuple, Layout, Literal, Profile, Shape};

use crate::code::{Code, Refusal, both};
use crate::operand::{AnyShape, Operand, RawShape};
use crate::value::Leaf;
use crate::write::Answer;

use super::algebra::on_layout;
use super::{Options, Outcome, mismatch};

type Tried<T> = razorgirl::Result<T>;

fn layout(layout: Tried<Layout>) -> Outcome {
    layout.map(|layout| Answer::layout(&layout)).map_err(Refusal::from)
}

/// A tuple of extents, as a shape.
fn shape(extents: Tried<IntTuple>) -> Outcome {
    Ok(Answer::tuple(Shape::new(extents?)?.extents()))
}

/// The same of a shape and of a layout.
fn either(
    operand: &AnyShape,
    on_shape: impl FnOnce(&IntTuple) -> Tried<IntTuple>,
    on_layout: impl FnOnce(&Layout) -> Tried<Layout>,
) -> Outcome {
    match operand {
        AnyShape::Shape(extents) => shape(on_shape(extents.extents())),
        AnyShape::Layout(operand) => layout(on_layout(operand)),
    }
}

/// The same of two shapes and of two layouts.
fn pair(
    operands: &(AnyShape, AnyShape),
    on_shapes: impl FnOnce(&IntTuple, &IntTuple) -> Tried<IntTuple>,
    on_layouts: impl FnOnce(&Layout, &Layout) -> Tried<Layout>,
) -> Outcome {
    match operands {
        (AnyShape::Shape(a), AnyShape::Shape(b)) => shape(on_shapes(a.extents(), b.extents())),
        (AnyShape::Layout(a), AnyShape::Layout(b)) => layout(on_layouts(a, b)),
        _ => Err(mismatch()),
    }
}

/// Whether two operands are both shapes or both layouts.
fn check_same_kind(a: &RawShape, b: &RawShape, place: usize) -> Result<(), Refusal> {
    match (a, b) {
        (RawShape::Shape(_), RawShape::Shape(_)) | (RawShape::Layout(_), RawShape::Layout(_)) => Ok(()),
        (RawShape::Shape(_), _) => {
            Err(Refusal::new(Code::Parse, format!("argument {place}: expected a shape as the first is, met a layout")))
        }
        _ => {
            Err(Refusal::new(Code::Parse, format!("argument {place}: expected a layout as the first is, met a shape")))
        }
    }
}

/// The place of a mode. One that is no such number is beyond all modes.
fn place(literal: Literal) -> usize {
    match literal {
        Literal::Fits(place) => usize::try_from(place).unwrap_or(usize::MAX),
        _ => usize::MAX,
    }
}

/// A number of elements, at least 1.
fn count(literal: Literal) -> Result<u64, Refusal> {
    match literal {
        Literal::Fits(count) if count > 0 => Ok(count),
        Literal::Huge => Err(Refusal::new(Code::Overflow, "a number of elements is 2^64 or more")),
        _ => Err(Refusal::new(Code::Extent, format!("a number of elements is {literal}"))
            .with_help("a number of elements is at least 1")),
    }
}

fn padded(
    operands: &[Operand],
    on_shapes: impl FnOnce(&IntTuple, usize, &IntTuple) -> Tried<IntTuple>,
    on_layouts: impl FnOnce(&Layout, usize, &Layout) -> Tried<Layout>,
) -> Outcome {
    let one = |like: &RawShape| match like {
        RawShape::Shape(_) => RawShape::Shape(HTuple::leaf(Literal::Fits(1))),
        RawShape::Layout(_) => RawShape::Layout(crate::operand::RawLayout {
            shape: HTuple::leaf(Literal::Fits(1)),
            stride: HTuple::leaf(Literal::Fits(0)),
        }),
    };
    let (first, rank, more) = match operands {
        [Operand::Shape(first), Operand::Index(rank)] => (first, *rank, one(first)),
        [Operand::Shape(first), Operand::Index(rank), Operand::Shape(more)] => (first, *rank, more.clone()),
        _ => return Err(mismatch()),
    };
    // Beyond all modes comes before a mixture in the list of codes.
    if matches!(rank, Literal::Huge) || place(rank) > razorgirl::MAX_MODES && rank != Literal::Negative {
        let most = razorgirl::MAX_MODES;
        return Err(Refusal::new(Code::TooLarge, format!("more modes than the {most} that a tuple is padded to"))
            .with_help("a rank is the number of modes, not of elements"));
    }
    check_same_kind(first, &more, 3)?;
    let rank = match rank {
        Literal::Negative => {
            Err(Refusal::new(Code::OutOfDomain, "the rank is below 0").with_help("a rank is the number of modes"))
        }
        rank => Ok(place(rank)),
    };
    let (built, rank) = both(both(first.build(), more.build()), rank)?;
    pair(&built, |a, b| on_shapes(a, rank, b), |a, b| on_layouts(a, rank, b))
}

pub(super) fn append(operands: &[Operand], _: &Options) -> Outcome {
    padded(operands, IntTuple::append, Layout::append_with)
}

pub(super) fn prepend(operands: &[Operand], _: &Options) -> Outcome {
    padded(operands, IntTuple::prepend, Layout::prepend_with)
}

pub(super) fn group(operands: &[Operand], _: &Options) -> Outcome {
    let [Operand::Shape(operand), Operand::Index(begin), Operand::Index(end)] = operands else {
        return Err(mismatch());
    };
    let range = place(*begin)..place(*end);
    either(&operand.build()?, |shape| shape.group(range.clone()), |layout| layout.group(range.clone()))
}

pub(super) fn take(operands: &[Operand], _: &Options) -> Outcome {
    let [Operand::Shape(operand), Operand::Index(begin), Operand::Index(end)] = operands else {
        return Err(mismatch());
    };
    let range = place(*begin)..place(*end);
    either(&operand.build()?, |shape| shape.take(range.clone()), |layout| layout.take(range.clone()))
}

pub(super) fn select(operands: &[Operand], _: &Options) -> Outcome {
    let [Operand::Shape(operand), Operand::Offsets(places)] = operands else {
        return Err(mismatch());
    };
    let places: Vec<usize> = places
        .iter()
        .map(|leaf| match leaf {
            Leaf::Fits(place) => usize::try_from(*place).unwrap_or(usize::MAX),
            _ => usize::MAX,
        })
        .collect();
    either(&operand.build()?, |shape| shape.select(&places), |layout| layout.select(&places))
}

pub(super) fn replace(operands: &[Operand], _: &Options) -> Outcome {
    let [Operand::Shape(first), Operand::Index(at), Operand::Shape(mode)] = operands else {
        return Err(mismatch());
    };
    check_same_kind(first, mode, 3)?;
    let at = place(*at);
    pair(&both(first.build(), mode.build())?, |a, b| a.replace(at, b), |a, b| a.replace(at, b))
}

pub(super) fn zip(operands: &[Operand], _: &Options) -> Outcome {
    match operands {
        [Operand::Shape(operand)] => {
            // Nesting is looked at before numbers are.
            let nesting = ones(operand.profile()).and_then(|ones| Ok(ones.extents().zip().map(|_| ())?));
            let (operand, ()) = both(operand.build(), nesting)?;
            either(&operand, IntTuple::zip, Layout::zip)
        }
        [Operand::Shape(first), Operand::Shape(second)] => {
            check_same_kind(first, second, 2)?;
            let zipped = |a: &IntTuple, b: &IntTuple| IntTuple::tuple(&[a.clone(), b.clone()])?.zip();
            let nesting = both(ones(first.profile()), ones(second.profile()))
                .and_then(|(a, b)| Ok(zipped(a.extents(), b.extents()).map(|_| ())?));
            let (operands, ()) = both(both(first.build(), second.build()), nesting)?;
            pair(&operands, zipped, Layout::zip_with)
        }
        _ => Err(mismatch()),
    }
}

pub(super) fn unzip(operands: &[Operand], _: &Options) -> Outcome {
    let [Operand::Shape(operand), Operand::Profile(guide)] = operands else {
        return Err(mismatch());
    };
    let nesting = ones(operand.profile()).and_then(|ones| Ok(ones.extents().unzip(guide).map(|_| ())?));
    let (operand, ()) = both(operand.build(), nesting)?;
    either(&operand, |shape| shape.unzip(guide), |layout| layout.unzip(guide))
}

/// The shape of this nesting in which every extent is 1: what is refused for it is refused for the nesting alone.
fn ones(profile: &Profile) -> Result<Shape, Refusal> {
    Ok(Shape::new(IntTuple::nested(&vec![1; profile.leaf_count()], profile)?)?)
}

fn divided(operands: &[Operand], divide: fn(&Shape, &Shape) -> Tried<Shape>) -> Outcome {
    let [Operand::Tuple(shape), Operand::Tuple(divisor)] = operands else {
        return Err(mismatch());
    };
    let nesting = both(ones(shape.profile()), ones(divisor.profile()))
        .and_then(|(shape, divisor)| Ok(divide(&shape, &divisor).map(|_| ())?));
    let build = |tuple: &HTuple<Literal>| Shape::from_literals(tuple).map_err(Refusal::from);
    let ((shape, divisor), ()) = both(both(build(shape), build(divisor)), nesting)?;
    Ok(Answer::tuple(divide(&shape, &divisor)?.extents()))
}

pub(super) fn ceil_div(operands: &[Operand], _: &Options) -> Outcome {
    divided(operands, Shape::ceil_div)
}

pub(super) fn shape_div(operands: &[Operand], _: &Options) -> Outcome {
    divided(operands, Shape::shape_div)
}

pub(super) fn round_up(operands: &[Operand], _: &Options) -> Outcome {
    divided(operands, Shape::round_up)
}

pub(super) fn evenly_divides(operands: &[Operand], _: &Options) -> Outcome {
    let [Operand::Shape(shape), Operand::Tuple(tiler)] = operands else {
        return Err(mismatch());
    };
    let (shape, tiler) = both(shape.build(), Shape::from_literals(tiler).map_err(Refusal::from))?;
    Ok(Answer::plain(shape.into_shape().evenly_divided_by(&tiler)))
}

/// The numbers of a tuple, of which what is below `least` is refused with this code, and so is what is too large with the
/// other.
fn numbers(tuple: &HTuple<Literal>, least: u64, below: Code, beyond: Code) -> Result<IntTuple, Refusal> {
    let refuse = |code, literal: Literal| Refusal::new(code, format!("a number is {literal}"));
    let mut first = Ok(());
    for literal in tuple.leaves() {
        let checked = match literal {
            Literal::Fits(value) if *value >= least => Ok(()),
            Literal::Huge => Err(refuse(beyond, *literal).with_help("numbers are below 2^64")),
            _ => Err(refuse(below, *literal).with_help(format!("numbers are at least {least}"))),
        };
        first = both(first, checked).map(|_| ());
    }
    first?;
    Ok(tuple.map(|literal| match literal {
        Literal::Fits(value) => value,
        _ => 0,
    }))
}

pub(super) fn prefix_product(operands: &[Operand], _: &Options) -> Outcome {
    let one = HTuple::leaf(Literal::Fits(1));
    let (shape, start) = match operands {
        [Operand::Shape(shape)] => (shape, &one),
        [Operand::Shape(shape), Operand::Tuple(start)] => (shape, start),
        _ => return Err(mismatch()),
    };
    let nesting = both(ones(shape.profile()), ones(start.profile()))
        .and_then(|(shape, start)| Ok(shape.prefix_product(start.extents()).map(|_| ())?));
    let start = numbers(start, 0, Code::Stride, Code::Overflow);
    let ((shape, start), ()) = both(both(shape.build(), start), nesting)?;
    Ok(Answer::tuple(&shape.into_shape().prefix_product(&start)?))
}

pub(super) fn inner_product(operands: &[Operand], _: &Options) -> Outcome {
    let [Operand::Tuple(a), Operand::Tuple(b)] = operands else {
        return Err(mismatch());
    };
    let nesting = both(ones(a.profile()), ones(b.profile()))
        .and_then(|(a, b)| Ok(a.extents().inner_product(b.extents()).map(|_| ())?));
    let read = |tuple| numbers(tuple, 0, Code::Stride, Code::Overflow);
    let ((a, b), ()) = both(both(read(a), read(b)), nesting)?;
    Ok(Answer::plain(a.inner_product(&b)?))
}

pub(super) fn make_layout_left(operands: &[Operand], _: &Options) -> Outcome {
    on_shape(operands, |shape| Ok(Layout::column_major(shape)))
}

pub(super) fn make_layout_right(operands: &[Operand], _: &Options) -> Outcome {
    on_shape(operands, |shape| Ok(Layout::row_major(shape)))
}

fn on_shape(operands: &[Operand], make: impl FnOnce(&Shape) -> Tried<Layout>) -> Outcome {
    let [Operand::Shape(shape)] = operands else {
        return Err(mismatch());
    };
    layout(make(&shape.build()?.into_shape()))
}

pub(super) fn make_layout_like(operands: &[Operand], _: &Options) -> Outcome {
    on_layout(operands, |layout| Ok(Answer::layout(&layout.make_layout_like())))
}

pub(super) fn make_ordered_layout(operands: &[Operand], _: &Options) -> Outcome {
    let [Operand::Shape(shape), Operand::Tuple(order)] = operands else {
        return Err(mismatch());
    };
    let nesting = both(ones(shape.profile()), ones(order.profile()))
        .and_then(|(shape, order)| Ok(Layout::ordered(&shape, order.extents()).map(|_| ())?));
    let (shape, ()) = both(shape.build(), nesting)?;
    let order = numbers(order, 0, Code::OutOfDomain, Code::OutOfDomain)?;
    layout(Layout::ordered(&shape.into_shape(), &order))
}

pub(super) fn domain_distribute(operands: &[Operand], _: &Options) -> Outcome {
    let [Operand::Shape(shape), Operand::Index(elements)] = operands else {
        return Err(mismatch());
    };
    let (shape, elements) = both(shape.build(), count(*elements))?;
    layout(Layout::domain_distribute(&shape.into_shape(), elements))
}

fn in_elements(operands: &[Operand], recast: fn(&Layout, u64) -> Tried<Layout>) -> Outcome {
    let [Operand::Layout(operand), Operand::Index(elements)] = operands else {
        return Err(mismatch());
    };
    let (operand, elements) = both(operand.build(), count(*elements))?;
    layout(recast(&operand, elements))
}

pub(super) fn upcast(operands: &[Operand], _: &Options) -> Outcome {
    in_elements(operands, Layout::upcast)
}

pub(super) fn downcast(operands: &[Operand], _: &Options) -> Outcome {
    in_elements(operands, Layout::downcast)
}

pub(super) fn recast(operands: &[Operand], _: &Options) -> Outcome {
    let [Operand::Layout(operand), Operand::Index(old), Operand::Index(new)] = operands else {
        return Err(mismatch());
    };
    let (operand, (old, new)) = both(operand.build(), both(count(*old), count(*new)))?;
    layout(operand.recast(old, new))
}

pub(super) fn max_alignment(operands: &[Operand], _: &Options) -> Outcome {
    on_layout(operands, |layout| Ok(Answer::plain(layout.max_alignment())))
}

pub(super) fn coshape(operands: &[Operand], _: &Options) -> Outcome {
    on_layout(operands, |layout| Ok(Answer::plain(layout.coshape())))
}

pub(super) fn weakly_congruent(operands: &[Operand], _: &Options) -> Outcome {
    let [Operand::Shape(a), Operand::Shape(b)] = operands else {
        return Err(mismatch());
    };
    let (a, b) = both(a.build(), b.build())?;
    Ok(Answer::plain(a.profile().weakly_congruent(b.profile())))
}

pub(super) fn with_shape(operands: &[Operand], options: &Options) -> Outcome {
    let complete = options.complete()?;
    let [Operand::Layout(operand), Operand::Shape(shape)] = operands else {
        return Err(mismatch());
    };
    let (operand, shape) = both(operand.build(), shape.build())?;
    let shape = shape.into_shape();
    layout(if complete { operand.with_shape_complete(&shape) } else { operand.with_shape(&shape) })
}

pub(super) fn crd2crd(operands: &[Operand], _: &Options) -> Outcome {
    let [Operand::Coord(coord), Operand::Shape(from), Operand::Shape(to)] = operands else {
        return Err(mismatch());
    };
    let ((source, to), ()) = both(both(from.build(), to.build()), coord.check_nesting(from.profile()))?;
    Ok(Answer::tuple(&source.into_shape().crd2crd(&coord.build()?, &to.into_shape())?))
}
