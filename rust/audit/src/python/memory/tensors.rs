//! Tensors: a pointer and a layout.

use std::rc::Rc;

use razorgirl::{Swizzle, SwizzledLayout};

use super::{Memory, Pointer, Tensor};
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};
use crate::python::cute::{Arguments, bits};
use crate::python::value::{Value, core};

/// Functions of the DSL that make pointers and tensors; none where another one is asked for, or nothing is known of its pointer.
pub fn made_by(name: &str, arguments: &Arguments<'_>) -> Option<Resolved<Value>> {
    let site = arguments.site;
    let of = arguments.need(0, &["ptr", "iterator"]).ok()?;
    let Value::Memory(memory) = of else { return None };
    let Memory::Pointer(pointer) = &**memory else { return None };
    let wrong = arguments.wrong(Reason::Call);
    let made = || {
        if name == "make_tensor" {
            arguments.only(2, &["iterator", "layout"])?;
            return self::made(pointer, arguments.need(1, &["layout"])?, false, site);
        }
        arguments.only(3, &["ptr", "swizzle_", "dtype"])?;
        let swizzle = match arguments.may(1, &["swizzle_"])? {
            None => None,
            Some(Value::Swizzle(swizzle, helper)) => Some((*swizzle, *helper)),
            Some(_) => return Err(wrong),
        };
        let element = match arguments.may(2, &["dtype"])? {
            None => pointer.element.clone(),
            Some(Value::Library(element)) if bits(element).is_some() => element.clone(),
            Some(_) => return Err(wrong),
        };
        Ok(Memory::Pointer(Pointer { element, swizzle, ..pointer.clone() }).value())
    };
    matches!(name, "recast_ptr" | "make_tensor").then(made)
}

/// The swizzle among the arguments.
pub fn swizzle_of(arguments: &Arguments<'_>, place: usize) -> Resolved<Option<(Swizzle, bool)>> {
    match arguments.may(place, &["swizzle"])? {
        None => Ok(None),
        Some(Value::Swizzle(swizzle, helper)) => Ok(Some((*swizzle, *helper))),
        Some(_) => Err(arguments.wrong(Reason::Call)),
    }
}

/// How many elements a layout spans, as the DSL counts them: no swizzle is taken into account.
pub fn span(layout: &Value, site: Site) -> Resolved<u64> {
    let layout = match layout {
        Value::Composed(of) => core(&of.layout, site)?,
        other => other.core(site)?,
    };
    Ok(layout.cosize())
}

/// A tensor of a pointer and a layout.
pub fn made(pointer: &Pointer, layout: &Value, own: bool, site: Site) -> Resolved<Value> {
    let wrong = Unresolved { reason: Reason::Call, site };
    let width = bits(&pointer.element).unwrap_or(0);
    let none = Swizzle::new(0, 0, 0);
    let (swizzle, offset, inside) = match (layout, pointer.swizzle) {
        // The DSL raises.
        (Value::Composed(_), Some(_)) => return Err(Unresolved { reason: Reason::Dependent, site }),
        (Value::Composed(of), None) => (of.swizzle, of.offset, core(&of.layout, site)?),
        (other, None) => (none, 0, other.core(site)?),
        (other, Some((swizzle, _))) => (in_elements(swizzle, width).ok_or(wrong)?, 0, other.core(site)?),
    };
    let layout = SwizzledLayout::new(swizzle, offset, inside).map_err(|_| wrong)?;
    let element = pointer.element.clone();
    // Where it begins within an element of another type, nothing is said of the array.
    let begin = pointer.begin.checked_div(width).filter(|begin| begin.checked_mul(width) == Some(pointer.begin));
    let room = pointer.room.clone().filter(|_| pointer.begin == 0 || begin.is_some());
    let begin = begin.unwrap_or(0);
    let tensor = Tensor { element, bits: width, layout, pointer: pointer.swizzle, room, begin, own };
    Ok(Memory::Tensor(Rc::new(tensor)).value())
}

impl Memory {
    /// `pointer + number`: so many elements behind it.
    pub(in crate::python) fn behind(&self, elements: i128) -> Option<Value> {
        let Self::Pointer(pointer) = self else { return None };
        let bits = u64::try_from(elements).ok()?.checked_mul(bits(&pointer.element)?)?;
        let begin = pointer.begin.checked_add(bits)?;
        Some(Self::Pointer(Pointer { begin, ..pointer.clone() }).value())
    }
}

/// A swizzle of bytes as one of elements; none where it takes elements apart.
fn in_elements(swizzle: Swizzle, width: u64) -> Option<Swizzle> {
    if !width.is_power_of_two() {
        return None;
    }
    let base = swizzle.base().checked_add(3)?.checked_sub(u64::from(width.ilog2()))?;
    Some(Swizzle::new(swizzle.bits(), base, swizzle.shift()))
}

impl Tensor {
    /// An attribute.
    pub(super) fn attribute(&self, name: &str, site: Site) -> Resolved<Value> {
        match name {
            "element_type" | "dtype" => Ok(Value::Library(self.element.clone())),
            // What is laid over it may go beyond on purpose.
            "iterator" => {
                let (element, swizzle) = (self.element.clone(), self.pointer);
                Ok(Memory::Pointer(Pointer { element, swizzle, room: None, begin: 0 }).value())
            }
            "shape" => crate::python::value::computed_shape(self.layout.layout(), site),
            _ => Err(Unresolved { reason: Reason::RunTime, site }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A swizzle of the bytes of addresses moves whole elements as the one of elements says.
    #[test]
    fn swizzles_of_bytes() {
        for (width, shift) in [(8_u64, 0), (16, 1), (32, 2), (64, 3)] {
            for base in shift..6 {
                let bytes = Swizzle::new(3, base, 3);
                let elements = in_elements(bytes, width).unwrap();
                for at in 0..4_096_u64 {
                    let moved = bytes.apply(at << shift).unwrap();
                    assert_eq!(elements.apply(at).unwrap() << shift, moved, "{width} {base} {at}");
                }
            }
        }
        assert_eq!(in_elements(Swizzle::new(3, 0, 3), 16), None);
        assert_eq!(in_elements(Swizzle::new(3, 4, 3), 4), Some(Swizzle::new(3, 5, 3)));
    }
}
