//! Arguments, with all that is wrong in them, and answers.

use super::coordinates;
use super::integer::one;
use super::layout::Layout;
use super::refusal::{Refusal, Result};
use super::shape::{check_shape, limit, read_ints, size};
use super::swizzled::Swizzled;
use crate::tree::{MAX_DEPTH, Tree};
use num_bigint::BigInt;
use serde_json::Value;

/// What a request comes to, unless reading it found faults: a value, a refusal, or more than can be enumerated.
pub(super) type Answer = Option<Result<Option<Value>>>;

/// What has been found wrong so far.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) faults: Vec<&'static str>,
}

impl Reading {
    pub(super) fn take<T>(&mut self, read: Result<T>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(Refusal(code)) => {
                self.faults.push(code);
                None
            }
        }
    }

    pub(super) fn fault(&mut self, wrong: bool, code: &'static str) {
        if wrong {
            self.faults.push(code);
        }
    }

    /// Whether nothing is wrong, so that the rest may be evaluated.
    pub(super) fn fine(&self) -> bool {
        self.faults.is_empty()
    }
}

/// A shape, or a layout.
pub(super) enum Either {
    Shape(Tree),
    Layout(Layout),
}

pub(super) fn either(value: &Value) -> Result<Either> {
    if value.is_object() {
        Layout::read(value).map(Either::Layout)
    } else {
        read_ints(value).and_then(check_shape).map(Either::Shape)
    }
}

/// A shape; a layout of any kind stands for its shape.
pub(super) fn shape_of(value: &Value) -> Result<Tree> {
    if value.get("swizzle").is_some() {
        return Ok(Swizzled::read(value)?.layout().shape());
    }
    if coordinates::is_written(value) {
        return coordinates::shape(value);
    }
    either(value).map(|either| match either {
        Either::Shape(shape) => shape,
        Either::Layout(layout) => layout.shape(),
    })
}

pub(super) fn extents(value: &Value) -> Result<Tree> {
    if value.is_object() { Err(Refusal("parse")) } else { read_ints(value).and_then(check_shape) }
}

pub(super) fn layout_of(value: &Value) -> Result<Layout> {
    if value.is_object() { Layout::read(value) } else { Err(Refusal("parse")) }
}

/// The nesting of an argument, whatever its numbers are.
pub(super) fn nesting(value: &Value) -> Option<Tree> {
    read_ints(value.get("shape").unwrap_or(value)).ok()
}

pub(super) fn integer(value: &Value) -> Result<BigInt> {
    match read_ints(value)? {
        Tree::Int(n) => Ok(n),
        _ => Err(Refusal("parse")),
    }
}

pub(super) fn place(n: &BigInt) -> usize {
    n.try_into().unwrap_or(usize::MAX)
}

pub(super) fn count(value: &Value) -> Result<BigInt> {
    let n = integer(value)?;
    if n < one() {
        Err(Refusal("extent"))
    } else if n >= limit() {
        Err(Refusal("overflow"))
    } else {
        Ok(n)
    }
}

pub(super) fn same_kind(a: &Value, b: &Value) -> bool {
    a.is_object() == b.is_object()
}

pub(super) fn answer_shape(shape: &Tree) -> Result<Option<Value>> {
    if shape.depth() > MAX_DEPTH {
        return Err(Refusal("too_large"));
    }
    if size(shape) >= limit() { Err(Refusal("overflow")) } else { Ok(Some(shape.to_json())) }
}

pub(super) fn answer_layout(mut layout: Layout) -> Result<Option<Value>> {
    if layout.shape().depth() > MAX_DEPTH {
        return Err(Refusal("too_large"));
    }
    layout.normalize();
    Ok(Some(layout.bounded()?.to_json()))
}

pub(super) fn rearranged(
    operand: &Either,
    none: &'static str,
    on_shape: impl Fn(&Tree) -> Option<Tree>,
    on_layout: impl Fn(&Layout) -> Option<Layout>,
) -> Result<Option<Value>> {
    match operand {
        Either::Shape(shape) => answer_shape(&on_shape(shape).ok_or(Refusal(none))?),
        Either::Layout(layout) => answer_layout(on_layout(layout).ok_or(Refusal(none))?),
    }
}

pub(super) fn both(
    a: &Either,
    b: &Either,
    none: &'static str,
    on_shapes: impl Fn(&Tree, &Tree) -> Option<Tree>,
    on_layouts: impl Fn(&Layout, &Layout) -> Option<Layout>,
) -> Result<Option<Value>> {
    match (a, b) {
        (Either::Shape(a), Either::Shape(b)) => answer_shape(&on_shapes(a, b).ok_or(Refusal(none))?),
        (Either::Layout(a), Either::Layout(b)) => answer_layout(on_layouts(a, b).ok_or(Refusal(none))?),
        _ => Err(Refusal("parse")),
    }
}
