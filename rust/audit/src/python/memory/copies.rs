//! Tiled copies, their slices, and what these partition.

use std::rc::Rc;

use razorgirl::{IntTuple, Layout};

use super::{Atom, Memory, Pointer, Tensor, TiledCopy};
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};
use crate::python::calls::Given;
use crate::python::cute::{Arguments, NVGPU, bits};
use crate::python::evaluate::{At, Evaluator};
use crate::python::tree::Argument;
use crate::python::value::{Value, derived};
use crate::survey::wraps;

/// Whether a class of instructions that move 8 x 8 matrices writes them; nothing for another class.
pub fn moves_matrices(path: &str) -> Option<bool> {
    let own = path.strip_prefix(NVGPU).and_then(|rest| rest.strip_prefix("warp."))?;
    match own.strip_prefix("copy.").unwrap_or(own) {
        "LdMatrix8x8x16bOp" => Some(false),
        "StMatrix8x8x16bOp" => Some(true),
        _ => None,
    }
}

/// Functions of the DSL that make tiled copies.
pub fn made(name: &str, arguments: &Arguments<'_>) -> Option<Resolved<Value>> {
    let site = arguments.site;
    let wrong = arguments.wrong(Reason::Call);
    let first = || match arguments.need(0, &["atom"]) {
        Ok(Value::Atom(vector, element, whole)) => Atom::Vectors(*vector, *element, *whole),
        Ok(Value::Memory(memory)) => match &**memory {
            Memory::Matrices(element, writes) => Atom::Matrices(*element, *writes),
            _ => Atom::Other,
        },
        Ok(_) => Atom::Other,
        // Its threads are known without it.
        Err(why) => Atom::Unknown(why),
    };
    let copy = |atom, tiled, threads| Ok(Memory::Copy(Rc::new(TiledCopy { atom, tiled, threads })).value());
    let whole = |atom, layout: Layout, tile: Option<Vec<u64>>| {
        let threads = layout.mode(0).ok_or(wrong)?.size();
        let tiled = tile.filter(|_| layout.rank() == 2).map(|tile| (layout, tile));
        copy(atom, tiled, threads)
    };
    let made = || match name {
        "make_tiled_copy_tv" => {
            arguments.only(3, &["atom", "thr_layout", "val_layout"])?;
            let threads = arguments.need(1, &["thr_layout"])?.core(site)?;
            let values = arguments.need(2, &["val_layout"])?.core(site)?;
            let made = Layout::make_layout_tv(&threads, &values).map_err(|_| wrong)?;
            let extent = |mode: IntTuple| mode.leaves().iter().try_fold(1_u64, |all, one| all.checked_mul(*one));
            whole(first(), made.layout, made.tiler.modes().map(extent).collect())
        }
        "make_tiled_copy" => {
            arguments.only(3, &["atom", "layout_tv", "tiler_mn"])?;
            let layout = arguments.need(1, &["layout_tv"])?.core(site)?;
            let Value::Tuple(items) = arguments.need(2, &["tiler_mn"])? else { return Err(wrong) };
            // A tiler of layouts takes other rows and columns than neighbours.
            let extent = |item: &Value| u64::try_from(item.as_number(site).ok()?).ok();
            whole(first(), layout, items.all.iter().map(extent).collect())
        }
        _ => {
            arguments.only(2, &["atom", "tiled_mma"])?;
            let Value::Mma(of) = arguments.need(1, &["tiled_mma"])? else { return Err(wrong) };
            let threads = of.threads_of_all(site)?;
            copy(first(), None, threads)
        }
    };
    let ours = matches!(
        name,
        "make_tiled_copy_tv" | "make_tiled_copy" | "make_tiled_copy_A" | "make_tiled_copy_B" | "make_tiled_copy_C"
    );
    ours.then(made)
}

impl TiledCopy {
    pub(super) const fn threads(&self) -> u64 {
        self.threads
    }

    /// Whether threads beyond these may get parts of the tile again.
    pub(super) fn wraps(&self) -> bool {
        self.tiled.as_ref().is_none_or(|(layout, _)| wraps(layout))
    }
}

impl Memory {
    /// An attribute.
    pub(in crate::python) fn attribute(&self, name: &str, site: Site) -> Resolved<Value> {
        match (self, name) {
            (Self::Copy(of), "size") => Ok(Value::number(i128::from(of.threads), site)),
            (Self::Copy(of), "layout_tv_tiled") if of.tiled.is_some() => {
                let layout = of.tiled.as_ref().map(|(layout, _)| derived(layout, site));
                layout.ok_or(Unresolved { reason: Reason::Call, site })
            }
            (Self::Copy(of), "tiler_mn") => {
                let (_, tile) = of.tiled.as_ref().ok_or(Unresolved { reason: Reason::Call, site })?;
                Value::tuple(tile.iter().map(|extent| Value::number(i128::from(*extent), site)).collect(), site)
            }
            (Self::Tensor(of), _) => of.attribute(name, site),
            (Self::Pointer(of), "dtype" | "value_type") => Ok(Value::Library(of.element.clone())),
            _ => Err(Unresolved { reason: Reason::RunTime, site }),
        }
    }

    /// What of it is not known.
    pub(in crate::python) fn unknown(&self) -> Option<Unresolved> {
        match self {
            Self::Copy(of) => match of.atom {
                Atom::Unknown(why) => Some(why),
                _ => None,
            },
            _ => None,
        }
    }

    /// The layout of a tensor.
    pub(in crate::python) fn layout(&self) -> Option<Layout> {
        match self {
            Self::Tensor(of) => Some(of.layout.layout().clone()),
            _ => None,
        }
    }

    /// How many threads a tiled copy has.
    pub(in crate::python) fn threads(&self) -> Option<u64> {
        match self {
            Self::Copy(of) => Some(of.threads),
            _ => None,
        }
    }
}

impl<'a> Evaluator<'a> {
    /// What a method of something of shared memory comes to.
    pub(in crate::python) fn memory_method(
        &mut self,
        of: &Memory,
        name: &str,
        arguments: &'a [Argument],
        at: &At,
        (site, depth): (Site, usize),
    ) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        let mut given = Given::default();
        self.give(arguments, at, (site, true), &mut given, depth)?;
        let named: Vec<(&str, Value)> = given.named.iter().map(|(name, value)| (&**name, value.clone())).collect();
        let arguments = Arguments { placed: &given.placed, named: &named, site };
        match (of, name) {
            (Memory::Allocator, _) => self.allocated(name, &arguments),
            (Memory::Array(room, element), "data_ptr") => {
                arguments.only(0, &[])?;
                let pointer = Pointer { element: element.clone(), swizzle: None, room: Some(room.clone()), begin: 0 };
                Ok(Memory::Pointer(pointer).value())
            }
            (Memory::Array(room, element), "get_tensor") => {
                arguments.only(3, &["layout", "swizzle", "dtype"])?;
                let swizzle = super::tensors::swizzle_of(&arguments, 1)?;
                let element = match arguments.may(2, &["dtype"])? {
                    None => element.clone(),
                    Some(Value::Library(element)) if bits(element).is_some() => element.clone(),
                    Some(_) => return Err(wrong(Reason::Call)),
                };
                let pointer = Pointer { element, swizzle, room: Some(room.clone()), begin: 0 };
                super::tensors::made(&pointer, arguments.need(0, &["layout"])?, false, site)
            }
            // A slice of it: which thread's does not matter to what is asked.
            (Memory::Copy(copy), "get_slice") => Ok(Memory::Copy(copy.clone()).value()),
            (Memory::Copy(copy), "partition_S" | "partition_D") => {
                if let Atom::Unknown(why) = copy.atom {
                    return Err(why);
                }
                let tensor = arguments.need(0, &["src", "dst"])?;
                match tensor {
                    Value::Memory(memory) => match &**memory {
                        Memory::Tensor(tensor) => Ok(part(copy, tensor, name == "partition_S")),
                        _ => Err(wrong(Reason::Call)),
                    },
                    _ => Err(wrong(Reason::RunTime)),
                }
            }
            _ => Err(wrong(Reason::RunTime)),
        }
    }
}

fn part(copy: &Rc<TiledCopy>, tensor: &Rc<Tensor>, source: bool) -> Value {
    Memory::Part(copy.clone(), tensor.clone(), source).value()
}
