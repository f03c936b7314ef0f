//! Arguments that are integers that fit, tuples of them, and layouts: read without a detour through JSON, which takes longer than
//! most operations. All else, and all that is refused, is left to the reader of its kind, which says what is wrong.

use pyo3::prelude::*;
use pyo3::types::{PyInt, PySlice, PyTuple};
use razorgirl::{Coord, HTuple, HTupleBuilder, IntTuple, Literal, MAX_DEPTH, MAX_MODES, Shape, Tiler};
use razorgirl_protocol::{Argument, Kind, Modes};

use crate::layout::{CoordLayout, Layout, LinearLayout};
use crate::swizzled::SwizzledLayout;

/// The argument, where it is plain and right.
pub(crate) fn plain(value: &Bound<'_, PyAny>, kind: Kind) -> Option<Argument> {
    Some(match kind {
        Kind::Index => Argument::Index(natural(value)?),
        Kind::Rank => Argument::Rank(usize::try_from(natural(value)?).ok()?),
        Kind::Count => Argument::Count(natural(value).filter(|count| *count > 0)?),
        Kind::Cotarget => Argument::Cotarget(natural(value)?.into()),
        Kind::Integer => Argument::Integer(value.cast_exact::<PyInt>().ok()?.extract().ok()?),
        Kind::Shape => Argument::Shape(shape(value)?),
        Kind::ShapeOf => Argument::ShapeOf(shape(value)?),
        Kind::Modes => Argument::Modes(Modes::Shape(shape(value)?)),
        Kind::Strides => Argument::Strides(integers(value)?.map(Literal::Fits)),
        Kind::Numbers => Argument::Numbers(integers(value)?),
        Kind::Order => Argument::Order(integers(value)?),
        Kind::Profile => Argument::Profile(integers(value)?.profile().clone()),
        Kind::Coord => Argument::Coord(coord(value)?),
        Kind::Tiler => Argument::Tiler(tiler(value, 0, &mut { MAX_MODES })?),
        Kind::Places => Argument::Places(list(value, |place| usize::try_from(place).ok())?),
        Kind::Sizes => Argument::Sizes(list(value, |size| (size > 0).then_some(size))?),
        Kind::Swizzled => Argument::Swizzled(value.cast_exact::<SwizzledLayout>().ok()?.get().0.clone()),
        Kind::Coordinates => Argument::Coordinates(Box::new(value.cast_exact::<CoordLayout>().ok()?.get().0.clone())),
        Kind::Linear => Argument::Linear(value.cast_exact::<LinearLayout>().ok()?.get().0.clone()),
        _ => return None,
    })
}

/// An integer from 0 that fits; no truth, which is an integer to Python.
fn natural(value: &Bound<'_, PyAny>) -> Option<u64> {
    value.cast_exact::<PyInt>().ok()?.extract().ok()
}

/// A coordinate of integers that fit, `None` and `:`.
pub(crate) fn coord(value: &Bound<'_, PyAny>) -> Option<Coord> {
    nested(value, &|leaf| match natural(leaf) {
        Some(number) => Some(Some(number)),
        None => (leaf.is_none() || is_whole(leaf)).then_some(None),
    })
}

fn integers(value: &Bound<'_, PyAny>) -> Option<IntTuple> {
    nested(value, &natural)
}

fn shape(value: &Bound<'_, PyAny>) -> Option<Shape> {
    Shape::new(integers(value)?).ok()
}

fn list<T>(value: &Bound<'_, PyAny>, read: impl Fn(u64) -> Option<T>) -> Option<Vec<T>> {
    let tuple = value.cast_exact::<PyTuple>().ok()?;
    tuple.iter_borrowed().map(|item| read(natural(&item)?)).collect()
}

/// A nested tuple.
fn nested<'py, T: Copy + Default>(
    value: &Bound<'py, PyAny>,
    leaf: &impl Fn(&Bound<'py, PyAny>) -> Option<T>,
) -> Option<HTuple<T>> {
    // Recursion: no deeper than the builder opens tuples, over no more values than `left`: a tuple that holds another twice,
    // and so on, has no end otherwise.
    fn add<'py, T: Copy + Default>(
        value: &Bound<'py, PyAny>,
        leaf: &impl Fn(&Bound<'py, PyAny>) -> Option<T>,
        built: &mut HTupleBuilder<T>,
        left: &mut usize,
    ) -> Option<()> {
        *left = left.checked_sub(1)?;
        if let Ok(tuple) = value.cast_exact::<PyTuple>() {
            built.open().ok()?;
            for item in tuple.iter_borrowed() {
                add(&item, leaf, built, left)?;
            }
            built.close();
        } else {
            built.leaf(leaf(value)?);
        }
        Some(())
    }
    let mut built = HTupleBuilder::new();
    add(value, leaf, &mut built, &mut { MAX_MODES })?;
    built.finish().ok()
}

// Recursion: no deeper than tilers may be, over no more values than `left`.
fn tiler(value: &Bound<'_, PyAny>, depth: usize, left: &mut usize) -> Option<Tiler> {
    *left = left.checked_sub(1)?;
    if let Ok(layout) = value.cast_exact::<Layout>() {
        return Some(Tiler::Layout(layout.get().0.clone()));
    }
    if let Ok(tuple) = value.cast_exact::<PyTuple>() {
        if depth >= MAX_DEPTH {
            return None;
        }
        let mut modes = Vec::with_capacity(tuple.len().min(*left));
        for item in tuple.iter_borrowed() {
            modes.push(tiler(&item, depth + 1, left)?);
        }
        return Some(Tiler::Modes(modes));
    }
    if value.is_none() || is_whole(value) {
        return Some(Tiler::Keep);
    }
    Tiler::integer(natural(value)?).ok()
}

/// Whether it is `:`.
pub(crate) fn is_whole(value: &Bound<'_, PyAny>) -> bool {
    let none = |name| value.getattr(name).is_ok_and(|end| end.is_none());
    value.is_instance_of::<PySlice>() && none("start") && none("stop") && none("step")
}
