//! How arrays lie in a `@cute.struct`, and what `SmemAllocator` gives.

use std::rc::Rc;

use super::{Memory, OPEN, Pointer, Range, Room};
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};
use crate::python::cute::{Arguments, bits};
use crate::python::evaluate::{At, Evaluator};
use crate::python::tree::{ExprId, Kind, PathId};
use crate::python::value::{Home, Value};

/// Fields of one class.
const MAX_FIELDS: usize = 256;

/// How deep classes of classes are followed.
const MAX_NESTED: usize = 4;

/// Decorators of classes whose fields lie one behind the other, and at one place.
pub fn is_block(decorator: &str) -> bool {
    matches!(decorator, "struct" | "union")
}

/// What a class says where its objects lie.
#[derive(Debug, Clone, Copy)]
struct Extent {
    /// Bytes.
    size: u64,
    /// Bytes to which it is aligned.
    align: u64,
}

/// `struct.MemRange[T, n]` and `struct.Align[T, n]`.
pub fn of_type(path: &str, index: &Value, trying: bool, site: Site) -> Option<Resolved<Value>> {
    let name = path.strip_prefix("cutlass.cute.")?;
    let name = name.strip_prefix("core.").unwrap_or(name).strip_prefix("struct.")?;
    let wrong = Unresolved { reason: Reason::Expression, site };
    let made = || {
        let Value::Tuple(items) = index else { return Err(index.unknown(0).unwrap_or(wrong)) };
        let [of, count] = items.all.as_slice() else { return Err(wrong) };
        let count = u64::try_from(count.as_number(site)?).map_err(|_| wrong)?;
        let range = match (name, of) {
            // Another choice may say it, where there are any.
            ("MemRange", Value::Unknown(Unresolved { reason: Reason::RunTime, .. })) if trying => {
                Range { element: OPEN.into(), count, align: None }
            }
            (_, Value::Unknown(why)) => return Err(*why),
            ("MemRange", Value::Library(element)) if bits(element).is_some() => {
                Range { element: element.clone(), count, align: None }
            }
            ("Align", Value::Memory(memory)) => match &**memory {
                Memory::Range(range) => Range { align: Some(count), ..range.clone() },
                _ => return Err(wrong),
            },
            // One number.
            ("Align", Value::Library(element)) if bits(element).is_some() => {
                Range { element: element.clone(), count: 1, align: Some(count) }
            }
            _ => return Err(wrong),
        };
        Ok(Memory::Range(range).value())
    };
    matches!(name, "MemRange" | "Align").then(made)
}

/// An array of its own: `cute.arch.alloc_smem(T, n)`.
pub fn array(arguments: &Arguments<'_>) -> Resolved<Value> {
    let (site, wrong) = (arguments.site, arguments.wrong(Reason::Call));
    arguments.only(3, &["element_type", "size_in_elems", "alignment"])?;
    let element = match arguments.need(0, &["element_type"])? {
        Value::Library(element) if bits(element).is_some() => element.clone(),
        _ => return Err(wrong),
    };
    let count = u64::try_from(arguments.need(1, &["size_in_elems"])?.as_number(site)?).map_err(|_| wrong)?;
    let room = Room { declared: site, element: element.clone(), count, rest: None, align: None, field: None };
    Ok(Memory::Pointer(Pointer { element, swizzle: None, room: Some(Rc::new(room)), begin: 0 }).value())
}

impl Memory {
    pub(super) fn value(self) -> Value {
        Value::Memory(Rc::new(self))
    }
}

impl Range {
    fn bits(&self) -> Option<u64> {
        bits(&self.element)?.checked_mul(self.count)
    }

    /// As the DSL lays it out: no element lies across its own size.
    fn extent(&self) -> Option<Extent> {
        let element = (bits(&self.element)? / 8).max(1);
        Some(Extent { size: self.bits()?.div_ceil(8), align: element.max(self.align.unwrap_or(1)) })
    }
}

fn up(at: u64, align: u64) -> Option<u64> {
    at.checked_next_multiple_of(align.max(1))
}

impl Evaluator<'_> {
    /// A `@cute.struct` that is laid over bytes, `Storage(raw)`, of which it is not known where they begin.
    pub(in crate::python) fn overlaid(&self, home: Home, arguments: usize) -> Option<Value> {
        (arguments == 1 && self.block(home).is_some()).then(|| Memory::Block(home, 0).value())
    }

    /// Whether a class is a `@cute.struct`; whether its fields lie at one place.
    fn block(&self, home: Home) -> Option<bool> {
        let module = self.module(home.module)?;
        let Kind::Class { decorators, .. } = &module.scope(home.scope)?.kind else { return None };
        let union = self.decorated(home.module, decorators, &["union"]);
        (decorators.len() == 1 && (union || self.decorated(home.module, decorators, &["struct"]))).then_some(union)
    }

    /// The fields of a class in their order, with the expressions of their types.
    fn fields_of(&self, home: Home) -> Option<Vec<(Rc<str>, ExprId)>> {
        let module = self.module(home.module)?;
        let own = || module.declared.iter().filter(|one| one.class == home.scope);
        // Fields under a condition are there or not.
        if own().count() > MAX_FIELDS || own().any(|one| one.path != PathId(0)) {
            return None;
        }
        let mut all: Vec<(Rc<str>, ExprId)> = Vec::new();
        for one in own() {
            if all.iter().any(|(name, _)| **name == *one.name) {
                return None;
            }
            all.push((Rc::from(&*one.name), one.kind));
        }
        Some(all)
    }

    /// How much room a field takes.
    fn field_extent(&mut self, kind: ExprId, home: Home, depth: usize, nested: usize) -> Option<Extent> {
        let at = At { module: home.module, scope: home.scope, frame: None };
        match self.expr(kind, &at, depth + 1).ok()? {
            Value::Memory(memory) => match &*memory {
                Memory::Range(range) => range.extent(),
                _ => None,
            },
            Value::Library(path) => {
                let size = (bits(&path)? / 8).max(1);
                Some(Extent { size, align: size })
            }
            Value::Class(inner) => {
                let (whole, _) = self.laid(inner, "", depth + 1, nested + 1)?;
                Some(Extent { size: up(whole.size, whole.align)?, ..whole })
            }
            _ => None,
        }
    }

    /// How much room an object of a class takes, and where a field begins in it; its end is not rounded up.
    // Recursion: to a fixed depth.
    fn laid(&mut self, home: Home, field: &str, depth: usize, nested: usize) -> Option<(Extent, Option<u64>)> {
        if nested > MAX_NESTED {
            return None;
        }
        let union = self.block(home)?;
        let (mut whole, mut found) = (Extent { size: 0, align: 1 }, None);
        for (name, kind) in self.fields_of(home)? {
            let own = self.field_extent(kind, home, depth, nested)?;
            let begin = if union { 0 } else { up(whole.size, own.align)? };
            if *name == *field {
                found = Some(begin);
            }
            whole = Extent { size: whole.size.max(begin.checked_add(own.size)?), align: whole.align.max(own.align) };
        }
        Some((whole, found))
    }

    /// An array of an object of a class.
    pub(in crate::python) fn field_of(
        &mut self,
        home: Home,
        block: u64,
        name: &str,
        site: Site,
        depth: usize,
    ) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        self.block(home).ok_or(wrong(Reason::UnknownMember))?;
        let module = self.module(home.module).ok_or(wrong(Reason::UnknownMember))?;
        let own = module.declared.iter().find(|one| one.class == home.scope && *one.name == *name);
        let own = own.ok_or(wrong(Reason::UnknownMember))?;
        let at = At { module: home.module, scope: home.scope, frame: None };
        let declared = self.site(own.kind, &at);
        let kind = own.kind;
        let range = match self.expr(kind, &at, depth + 1)? {
            Value::Memory(memory) => match &*memory {
                Memory::Range(range) => range.clone(),
                _ => return Err(wrong(Reason::Call)),
            },
            Value::Class(inner) if self.block(inner).is_some() => return Ok(Memory::Block(inner, 0).value()),
            Value::Unknown(why) => return Err(why),
            _ => return Err(wrong(Reason::Call)),
        };
        let laid = if block == 0 { None } else { self.laid(home, name, depth, 0) };
        let placed = laid.and_then(|(whole, begin)| Some((begin?, whole)));
        let align = placed.map(|(begin, whole)| {
            let block = block.max(whole.align);
            (if begin == 0 { block } else { block.min(1 << begin.trailing_zeros()) }, block)
        });
        let rest = placed.and_then(|(begin, whole)| whole.size.checked_sub(begin)?.checked_mul(8));
        let Range { element, count, .. } = range;
        let room = Room { declared, element: element.clone(), count, rest, align, field: Some(name.into()) };
        Ok(Memory::Array(Rc::new(room), element).value())
    }

    /// What `SmemAllocator` gives.
    pub(super) fn allocated(&self, name: &str, arguments: &Arguments<'_>) -> Resolved<Value> {
        let site = arguments.site;
        let wrong = arguments.wrong(Reason::Call);
        let align = |place: usize| -> Resolved<u64> {
            match arguments.may(place, &["byte_alignment"])? {
                Some(bytes) => u64::try_from(bytes.as_number(site)?).ok().filter(|bytes| *bytes > 0).ok_or(wrong),
                None => Ok(0),
            }
        };
        let room = |element: &Rc<str>, count: u64, bytes: u64| {
            let align = (bytes > 0).then_some((bytes, bytes));
            Rc::new(Room { declared: site, element: element.clone(), count, rest: None, align, field: None })
        };
        let pointer = |room: Rc<Room>| {
            let element = room.element.clone();
            Ok(Memory::Pointer(Pointer { element, swizzle: None, room: Some(room), begin: 0 }).value())
        };
        let element = |place: usize| -> Resolved<Rc<str>> {
            match arguments.need(place, &["element_type"]) {
                Ok(Value::Library(element)) if bits(element).is_some() => Ok(element.clone()),
                Err(Unresolved { reason: Reason::RunTime, .. }) if self.trying() => Ok(OPEN.into()),
                Err(why) => Err(why),
                Ok(_) => Err(wrong),
            }
        };
        match name {
            "allocate" => {
                arguments.only(2, &["size_or_type", "byte_alignment", "partition"])?;
                let bytes = align(1)?;
                match arguments.need(0, &["size_or_type"])? {
                    Value::Class(home) if self.block(*home).is_some() => Ok(Memory::Block(*home, bytes.max(1)).value()),
                    Value::Library(element) if bits(element).is_some() => pointer(room(element, 1, bytes)),
                    size => {
                        let size = u64::try_from(size.as_number(site)?).map_err(|_| wrong)?;
                        pointer(room(&"cutlass.Int8".into(), size, bytes))
                    }
                }
            }
            "allocate_array" => {
                arguments.only(2, &["element_type", "num_elems", "byte_alignment", "partition"])?;
                let count = match arguments.may(1, &["num_elems"])? {
                    Some(count) => u64::try_from(count.as_number(site)?).map_err(|_| wrong)?,
                    None => 1,
                };
                pointer(room(&element(0)?, count, align(usize::MAX)?))
            }
            "allocate_tensor" => {
                arguments.only(4, &["element_type", "layout", "byte_alignment", "swizzle", "partition"])?;
                let element = element(0)?;
                let layout = arguments.need(1, &["layout"])?;
                let swizzle = super::tensors::swizzle_of(arguments, 3)?;
                let room = room(&element, super::tensors::span(layout, site)?, align(2)?);
                super::tensors::made(&Pointer { element, swizzle, room: Some(room), begin: 0 }, layout, true, site)
            }
            _ => Err(wrong),
        }
    }
}
