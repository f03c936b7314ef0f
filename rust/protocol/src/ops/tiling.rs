//! Divisions, products, thread-value layouts and partitions.
//!
//! `"mode":"complete"` is accepted and changes nothing: whatever exists at all is found by shapes alone (proved, as
//! `logicalDivide_eq_complete` and its like).

use razorgirl::{Coord, IntTuple, Layout, Literal, Placed, Shape, ThreadValue, Tiler};

use crate::code::{Code, Refusal, both};
use crate::operand::{Operand, unit};
use crate::write::{Answer, put, put_layout, put_list, put_tuple};

use super::composition::on_layouts;
use super::{Options, Outcome, mismatch};

type ByTiler = fn(&Layout, &Tiler) -> razorgirl::Result<Layout>;
type ByLayout = fn(&Layout, &Layout) -> razorgirl::Result<Layout>;
type AtCoord = fn(&Layout, &Tiler, &Coord) -> razorgirl::Result<Placed>;

fn built(layout: razorgirl::Result<Layout>) -> Outcome {
    layout.map(|layout| Answer::layout(&layout)).map_err(Refusal::from)
}

fn by_tiler(operands: &[Operand], options: &Options, run: ByTiler) -> Outcome {
    options.complete()?;
    let [Operand::Layout(layout), Operand::Tiler(tiler)] = operands else {
        return Err(mismatch());
    };
    let (layout, tiler) = tiler.build_for(layout)?;
    built(run(&layout, &tiler))
}

fn by_layout(operands: &[Operand], options: &Options, run: ByLayout) -> Outcome {
    options.complete()?;
    on_layouts(operands, |first, second| built(run(first, second)))
}

pub(super) fn logical_divide(operands: &[Operand], options: &Options) -> Outcome {
    by_tiler(operands, options, Layout::logical_divide_by)
}

pub(super) fn zipped_divide(operands: &[Operand], options: &Options) -> Outcome {
    by_tiler(operands, options, Layout::zipped_divide)
}

pub(super) fn tiled_divide(operands: &[Operand], options: &Options) -> Outcome {
    by_tiler(operands, options, Layout::tiled_divide)
}

pub(super) fn flat_divide(operands: &[Operand], options: &Options) -> Outcome {
    by_tiler(operands, options, Layout::flat_divide)
}

pub(super) fn logical_product(operands: &[Operand], options: &Options) -> Outcome {
    by_tiler(operands, options, Layout::logical_product_by)
}

pub(super) fn zipped_product(operands: &[Operand], options: &Options) -> Outcome {
    by_tiler(operands, options, Layout::zipped_product)
}

pub(super) fn tiled_product(operands: &[Operand], options: &Options) -> Outcome {
    by_tiler(operands, options, Layout::tiled_product)
}

pub(super) fn flat_product(operands: &[Operand], options: &Options) -> Outcome {
    by_tiler(operands, options, Layout::flat_product)
}

pub(super) fn blocked_product(operands: &[Operand], options: &Options) -> Outcome {
    by_layout(operands, options, Layout::blocked_product)
}

pub(super) fn raked_product(operands: &[Operand], options: &Options) -> Outcome {
    by_layout(operands, options, Layout::raked_product)
}

/// pycute's way to name the zipped forms.
pub(super) fn hier_unzip(operands: &[Operand], options: &Options) -> Outcome {
    match operands {
        [Operand::Index(Literal::Fits(0)), rest @ ..] => zipped_divide(rest, options),
        [Operand::Index(Literal::Fits(1)), rest @ ..] => zipped_product(rest, options),
        _ => Err(Refusal::new(Code::Parse, "argument 1: expected 0 for division or 1 for product")
            .with_help("or ask for zipped_divide or zipped_product by name")),
    }
}

pub(super) fn logical_divide_ceil(operands: &[Operand], options: &Options) -> Outcome {
    options.complete()?;
    let [Operand::Layout(layout), Operand::Tiler(tiler)] = operands else {
        return Err(mismatch());
    };
    let (layout, tiler) = tiler.build_for(layout)?;
    let divided = layout.logical_divide_ceil(&tiler)?;
    Ok(Answer::layout(&divided.layout)
        .beside("index", |text| put_list(text, &divided.parts, |text, part| put_layout(text, &part.index)))
        .beside("bounds", |text| put_list(text, &divided.parts, |text, part| put(text, part.bound)))
        .beside("padded", |text| put(text, divided.padded())))
}

pub(super) fn tile_to_shape(operands: &[Operand], options: &Options) -> Outcome {
    options.complete()?;
    let (layout, shape, order) = match operands {
        [Operand::Layout(layout), Operand::Tuple(shape)] => (layout, shape, None),
        [Operand::Layout(layout), Operand::Tuple(shape), Operand::Tuple(order)] => (layout, shape, Some(order)),
        _ => return Err(mismatch()),
    };
    let numbers =
        both(both(layout.build(), Shape::from_literals(shape).map_err(Refusal::from)), order.map(ranks).transpose());
    if numbers.is_err() {
        // Modes that do not fit are reported before numbers that are wrong.
        let order = order.map(|order| order.map(|_| 0));
        let nesting = unit(layout.shape.profile())?.tile_to_shape(&unit(shape.profile())?.shape(), order.as_ref());
        both(nesting.map_err(Refusal::from), numbers.as_ref().map(|_| ()).map_err(Clone::clone))?;
    }
    let ((layout, shape), order) = numbers?;
    built(layout.tile_to_shape(&shape, order.as_ref()))
}

/// An order: any natural numbers, of which only the order counts.
fn ranks(order: &razorgirl::HTuple<Literal>) -> Result<IntTuple, Refusal> {
    if order.leaves().contains(&Literal::Negative) {
        return Err(Refusal::new(Code::OutOfDomain, "a number of the order is below 0")
            .with_help("number the modes from 0, the fastest first"));
    }
    Ok(order.map(|rank| match rank {
        Literal::Fits(rank) => rank,
        _ => u64::MAX,
    }))
}

pub(super) fn make_layout_tv(operands: &[Operand], options: &Options) -> Outcome {
    options.complete()?;
    on_layouts(operands, |threads, values| {
        let ThreadValue { tiler, layout, .. } = Layout::make_layout_tv(threads, values)?;
        Ok(Answer::write(|text| {
            text.push_str("{\"tiler\":");
            put_tuple(text, &tiler);
            text.push_str(",\"layout\":");
            put_layout(text, &layout);
            text.push('}');
        }))
    })
}

fn placed((layout, offset): &Placed) -> Answer {
    Answer::layout(layout).beside("offset", |text| put(text, offset))
}

fn at_coord(operands: &[Operand], options: &Options, run: AtCoord) -> Outcome {
    options.complete()?;
    let [Operand::Layout(layout), Operand::Tiler(tiler), Operand::Coord(coord)] = operands else {
        return Err(mismatch());
    };
    let (layout, tiler) = tiler.build_for(layout)?;
    Ok(placed(&run(&layout, &tiler, &coord.build()?)?))
}

pub(super) fn inner_partition(operands: &[Operand], options: &Options) -> Outcome {
    at_coord(operands, options, Layout::inner_partition)
}

pub(super) fn outer_partition(operands: &[Operand], options: &Options) -> Outcome {
    at_coord(operands, options, Layout::outer_partition)
}

pub(super) fn local_tile(operands: &[Operand], options: &Options) -> Outcome {
    at_coord(operands, options, Layout::local_tile)
}

pub(super) fn local_partition(operands: &[Operand], options: &Options) -> Outcome {
    options.complete()?;
    let [Operand::Layout(layout), Operand::Layout(threads), Operand::Index(index)] = operands else {
        return Err(mismatch());
    };
    let numbers = both(layout.build(), threads.build());
    if numbers.is_err() {
        let nesting = unit(layout.shape.profile())?.local_partition(&unit(threads.shape.profile())?, 0);
        both(nesting.map_err(Refusal::from), numbers.as_ref().map(|_| ()).map_err(Clone::clone))?;
    }
    let (layout, threads) = numbers?;
    let Literal::Fits(index) = *index else {
        return Err(Refusal::new(Code::OutOfDomain, format!("there is no thread {index}"))
            .with_help(format!("threads are numbered from 0 to {}", threads.size() - 1)));
    };
    Ok(placed(&layout.local_partition(&threads, index)?))
}
