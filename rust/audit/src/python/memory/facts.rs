//! What the rules of shared memory and of launches ask about, at each place that may have something to say.

use std::rc::Rc;

use super::{Atom, Memory, Room, Tensor, overhang, sized};
use crate::ast::Site;
use crate::eval::Unresolved;
use crate::python::cute::bits;
use crate::python::evaluate::{At, Evaluator};
use crate::python::later::listed;
use crate::python::tree::{Expr, ExprId};
use crate::python::value::Value;
use crate::python::{Listed, may_be_listed};
use crate::survey::{Access, Extent, Fact, Vectors};

/// Kinds of facts of one place.
const KINDS: usize = 3;

/// What stands at a place.
#[derive(Debug)]
pub struct Placed {
    /// The call.
    pub site: Site,
    /// The name that it gets.
    pub name: Option<Site>,
    /// Facts, each for everything that the code lists; nothing where there is none.
    pub facts: Vec<Listed<Option<Fact>>>,
}

impl Evaluator<'_> {
    /// What a call says.
    pub(in crate::python) fn placed_facts(&mut self, call: ExprId, at: &At) -> Vec<Placed> {
        let Some(module) = self.module(at.module) else { return Vec::new() };
        let Expr::Call(callee, _) = module.expr(call) else { return Vec::new() };
        let Expr::Attribute(_, name) = module.expr(*callee) else { return Vec::new() };
        if !self.may_be_shared(call, at) || self.is_never_run(call, at) || self.is_to_fail(call, at) {
            return Vec::new();
        }
        let site = self.site(call, at);
        let text = self.files.sources.get(module.file).map_or("", |source| source.text.as_str());
        let named = crate::python::dead::named(text, site.span).map(|span| Site { unit: site.unit, span });
        match &**name {
            "get_tensor" | "allocate_tensor" | "make_tensor" | "partition_S" | "partition_D" => {
                let partition = name.starts_with("partition");
                let (copied, written) = if partition { self.copied(call, at) } else { (Extent::None, false) };
                let whole = written && self.is_by_threads(call, at);
                let all = self.in_worlds(call, at, &mut |evaluator| evaluator.expr(call, at, 0));
                let mut kinds: Vec<Vec<Listed<Option<Fact>>>> = (0..KINDS).map(|_| Vec::new()).collect();
                for one in all {
                    let said = facts(&one.one, self, site, (copied, whole));
                    for (kind, fact) in kinds.iter_mut().zip(said) {
                        kind.push(Listed { one: fact, holds: one.holds.clone(), tried: one.tried });
                    }
                }
                let some = kinds.into_iter().filter(|all| all.iter().any(|one| one.one.is_some()));
                some.map(|facts| Placed { site, name: named, facts }).collect()
            }
            "allocate_array" => self.sized(call, at).into_iter().collect(),
            "local_partition" => self.partitioned(call, at).into_iter().collect(),
            "launch" => {
                let Some((site, said)) = self.launched(call, at) else { return Vec::new() };
                said.into_iter().map(|facts| Placed { site, name: None, facts }).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Arrays of a class with as many elements as a layout has coordinates: `MemRange[T, cute.size(layout)]`.
    pub(in crate::python) fn sized_fields(&mut self, index: usize) -> Vec<Placed> {
        let Some(module) = self.module(index) else { return Vec::new() };
        let mut all = Vec::new();
        for field in &module.declared {
            let at = At { module: index, scope: field.class, frame: None };
            let mut kind = field.kind;
            // `Align[MemRange[T, n], bytes]`
            for _ in 0..2 {
                let Expr::Item(of, inside) = module.expr(kind) else { break };
                let (Expr::Attribute(_, name) | Expr::Name(name), Expr::Tuple(items, _)) =
                    (module.expr(*of), module.expr(*inside))
                else {
                    break;
                };
                let [first, second] = &**items else { break };
                if &**name != "MemRange" {
                    kind = *first;
                    continue;
                }
                let (text, field) = (self.source_of(module), &*field.name);
                let held = |layout: &str| sized::of_field(text, field, layout);
                all.extend(self.by_size(*second, &at, &held));
                break;
            }
        }
        all
    }

    /// `allocate_array(T, cute.size(layout))`.
    fn sized(&mut self, call: ExprId, at: &At) -> Option<Placed> {
        let Expr::Call(_, arguments) = self.module(at.module)?.expr(call) else { return None };
        let named = arguments.iter().find(|one| one.name.as_deref() == Some("num_elems"));
        let placed = arguments.get(1).filter(|one| one.name.is_none());
        let count = named.or(placed)?.value;
        let text = self.source_of(self.module(at.module)?);
        let pointer = crate::python::dead::named(text, self.site(call, at).span)?;
        let pointer = text.get(pointer.range())?;
        self.by_size(count, at, &|layout| sized::of_pointer(text, pointer, layout))
    }

    /// A number that is the size of a layout, where the layout spans more, and `held` says that the array is seen to hold one in its words.
    fn by_size(&mut self, count: ExprId, at: &At, held: &dyn Fn(&str) -> bool) -> Option<Placed> {
        let Expr::Call(callee, arguments) = self.module(at.module)?.expr(count) else { return None };
        let [layout] = &**arguments else { return None };
        if self.of_library(*callee, at).is_none_or(|path| crate::python::cute::function(&path) != Some("size")) {
            return None;
        }
        let (site, layout) = (self.site(count, at), layout.value);
        let module = self.module(at.module)?;
        let said = self.source_of(module).get(self.site(layout, at).span.range())?;
        if !held(said) {
            return None;
        }
        let all = self.in_worlds(count, at, &mut |own| own.expr(layout, at, 0));
        let fact = |value: &Value| match value {
            Value::Layout(_) => value.core(site).ok().and_then(plain).map(Fact::Ranged),
            _ => None,
        };
        let facts = all.into_iter().map(|one| Listed { one: fact(&one.one), holds: one.holds, tried: one.tried });
        Some(Placed { site, name: None, facts: facts.collect() })
    }

    /// The threads of a `local_partition`.
    fn partitioned(&mut self, call: ExprId, at: &At) -> Option<Placed> {
        let Expr::Call(callee, arguments) = self.module(at.module)?.expr(call) else { return None };
        // What projects the threads has others.
        let [_, threads, _] = &**arguments else { return None };
        if arguments.iter().any(|one| one.name.is_some())
            || self.of_library(*callee, at).is_none_or(|path| &*path != "cutlass.cute.local_partition")
        {
            return None;
        }
        let (site, threads) = (self.site(call, at), threads.value);
        let all = self.in_worlds(call, at, &mut |own| own.expr(threads, at, 0));
        let fact = |value: &Value| match value {
            Value::Layout(_) => value.core(site).ok().map(|layout| Fact::Threads(layout, None)),
            _ => None,
        };
        let facts = all.into_iter().map(|one| Listed { one: fact(&one.one), holds: one.holds, tried: one.tried });
        Some(Placed { site, name: None, facts: facts.collect() })
    }

    /// What something surely is, or else for everything that the code lists.
    pub(super) fn in_worlds(
        &mut self,
        place: ExprId,
        at: &At,
        ask: &mut dyn FnMut(&mut Self) -> Result<Value, Unresolved>,
    ) -> Vec<Listed<Value>> {
        self.steps = crate::python::evaluate::MAX_STEPS;
        match ask(self) {
            Ok(value) => vec![Listed { one: value, holds: String::new(), tried: false }],
            Err(why) if may_be_listed(&Err(why)) => {
                listed(self.worlds_of(place, at, ask), &mut |value| Some(value.clone()))
            }
            Err(_) => Vec::new(),
        }
    }

    /// Whether a field is spoken of once in a file and in the one of its class: nothing else is laid over it.
    fn is_alone(&mut self, unit: u32, declared: Site, field: &str) -> bool {
        let all = [unit, declared.unit].into_iter().filter_map(|unit| self.module(unit as usize));
        let things = all.map(|module| module.exprs.len()).sum();
        if !self.may_guard(things) {
            return false;
        }
        let count = |unit: u32| {
            let module = self.module(unit as usize);
            module.map_or(0, |module| {
                module
                    .exprs
                    .iter()
                    .filter(|(expr, _)| matches!(expr, Expr::Attribute(_, name) if **name == *field))
                    .count()
            })
        };
        let other = if unit == declared.unit { 0 } else { count(declared.unit) };
        count(unit) + other < 2
    }
}

fn plain(layout: razorgirl::Layout) -> Option<razorgirl::SwizzledLayout> {
    razorgirl::SwizzledLayout::new(razorgirl::Swizzle::new(0, 0, 0), 0, layout).ok()
}

/// What is asked about a tensor or a partition, which is copied so far, and whether each thread copies its slice of all of it: a fact of
/// each kind.
fn facts(value: &Value, own: &mut Evaluator<'_>, site: Site, (copied, whole): (Extent, bool)) -> [Option<Fact>; KINDS] {
    let Value::Memory(memory) = value else { return [None, None, None] };
    match &**memory {
        Memory::Tensor(tensor) => {
            let (swizzled, past) = lies(tensor, false, own, site);
            [swizzled, past, based(tensor)]
        }
        Memory::Part(copy, tensor, source) => {
            let rounded = if whole { overhang::rounded_up(copy, tensor) } else { None };
            let past = rounded.and_then(|rounded| lies(&rounded, true, own, site).1);
            [moved(copy, tensor, *source, copied), past, None]
        }
        _ => [None, None, None],
    }
}

impl Room {
    /// How many elements of a tensor it has room for.
    fn elements(&self, tensor: &Tensor) -> Option<u64> {
        if self.element == tensor.element {
            return Some(self.count);
        }
        bits(&self.element)?.checked_mul(self.count)?.checked_div(tensor.bits)
    }
}

/// What a swizzle does, and whether the tensor, which may be one with the rest of its last tiles, reaches past its array.
fn lies(tensor: &Tensor, rounded: bool, own: &mut Evaluator<'_>, site: Site) -> (Option<Fact>, Option<Fact>) {
    let swizzles = tensor.layout.swizzle().bits() > 0;
    let swizzled = || swizzles.then(|| Fact::Swizzled(tensor.layout.clone()));
    // With room behind it, nothing that is moved is lost.
    let idle = || swizzles.then(|| Fact::Idle(tensor.layout.clone()));
    let Some(room) = &tensor.room else { return (idle(), None) };
    if tensor.own {
        return (swizzled(), None);
    }
    let Some(extent) = room.elements(tensor) else { return (None, None) };
    let begin = tensor.begin;
    // A swizzle goes by where the array begins.
    if swizzles && begin > 0 {
        return (None, None);
    }
    let Some(needed) = needed(tensor, extent).and_then(|needed| needed.checked_add(begin)) else { return (None, None) };
    if needed <= extent {
        return (idle(), None);
    }
    if begin == 0 && tensor.layout.offset().saturating_add(tensor.layout.layout().cosize()) <= extent {
        return (swizzled(), None);
    }
    // What is laid over several fields on purpose stays in their block.
    let rest = room.rest.and_then(|rest| rest.checked_div(tensor.bits));
    let alone = room.field.as_ref().is_none_or(|field| own.is_alone(site.unit, room.declared, field));
    let past = alone || rest.is_some_and(|rest| needed > rest);
    let (array, layout) = (room.declared, tensor.layout.clone());
    let bytes = (room.element != tensor.element).then(|| {
        (
            in_bytes(needed, &tensor.element, tensor.bits),
            in_bytes(room.count, &room.element, bits(&room.element).unwrap_or(0)),
        )
    });
    let fact = Fact::Tensor { extent, begin, array, behind: false, rounded, bytes, layout };
    (None, past.then_some(fact))
}

/// So many elements of a type, of so many bits each: `4096 Float16 (8192 bytes)`.
fn in_bytes(count: u64, element: &str, bits: u64) -> String {
    let name = element.rsplit('.').next().unwrap_or(element);
    format!("{count} {name} ({} bytes)", count.saturating_mul(bits).div_ceil(8))
}

/// How many elements it reaches over, its swizzle taken into account; more than that may be where the array is large enough for them.
fn needed(tensor: &Tensor, extent: u64) -> Option<u64> {
    let layout = &tensor.layout;
    let span = layout.offset().checked_add(layout.layout().cosize())?;
    let length = 64 - layout.swizzle().target().leading_zeros();
    let most = span.checked_next_multiple_of(1_u64.checked_shl(length)?)?;
    if layout.swizzle().bits() == 0 || span > extent || most <= extent {
        return Some(if most <= extent { most } else { span });
    }
    if layout.size() > MAX_COUNTED {
        return None;
    }
    let mut most = 0;
    for offset in layout.offsets() {
        most = most.max(offset.ok()?.checked_add(1)?);
    }
    Some(most)
}

/// Coordinates that are gone through here.
const MAX_COUNTED: u64 = 1 << 18;

/// A swizzle of bytes that a helper made for the instructions that read so, in an array that says where it begins.
fn based(tensor: &Tensor) -> Option<Fact> {
    let (swizzle, true) = tensor.pointer? else { return None };
    let room = tensor.room.as_ref().filter(|_| tensor.begin == 0)?;
    let (bytes, block) = room.align?;
    let shift = u32::try_from(swizzle.bits().checked_add(swizzle.base())?.checked_add(swizzle.shift().unsigned_abs())?);
    let period = 1_u64.checked_shl(shift.ok()?)?;
    let short = swizzle.bits() > 0 && (bytes < 128 || bytes < period && block >= period);
    short.then(|| Fact::Based { layout: tensor.layout.clone(), bytes, period, array: room.declared })
}

/// What a tiled copy moves.
fn moved(copy: &Rc<super::TiledCopy>, tensor: &Tensor, source: bool, copied: Extent) -> Option<Fact> {
    match (copy.atom, &copy.tiled) {
        (Atom::Vectors(vector, bits, whole), Some((layout, tile))) if bits == tensor.bits => {
            Some(Fact::Vectors(Vectors {
                tensor: tensor.layout.clone(),
                copy: layout.clone(),
                tile: tile.clone(),
                vector,
                bits,
                most: false,
                shared: true,
                // The DSL splits any other vector that is not aligned, or refuses it.
                copied: if whole { copied } else { Extent::None },
                splits: !whole,
                steps: Vec::new(),
            }))
        }
        (Atom::Matrices(bits, writes), _) if source != writes && bits == tensor.bits => Some(Fact::Accessed {
            layout: tensor.layout.clone(),
            access: if writes { Access::Stmatrix } else { Access::Ldmatrix },
            bits,
            copied: copied > Extent::None,
        }),
        _ => None,
    }
}
