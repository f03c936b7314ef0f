//! CuTe DSL's vocabulary, and what of Python and of Triton constants are made of: what a library's name makes of values.

use std::rc::Rc;

use razorgirl::{Coord, Error, ErrorKind, IntTuple, Layout, Shape, Swizzle, Tiler, Witness};

use super::arithmetic::Width;
use super::compositions::Composition;
use super::instructions;
use super::memory::{self, Memory};
use super::shared;
use super::tree::Op;
use super::value::{Composed, Value, core, derived, implied};
use crate::ast::Site;
use crate::eval::{Constant, Numbers, Reason, Resolved, Unresolved};

/// How deeply tilers nest.
const MAX_TILER_DEPTH: usize = 16;

/// Modules that are CuTe's.
const CUTE: &str = "cutlass.cute";

/// Where its instructions are declared.
pub(super) const NVGPU: &str = "cutlass.cute.nvgpu.";

/// Modules of libraries: what they define is not looked for among the files.
const LIBRARIES: [&str; 14] = [
    "abc",
    "argparse",
    "collections",
    "cutlass",
    "enum",
    "functools",
    "itertools",
    "math",
    "os",
    "torch",
    "triton",
    "types",
    "typing",
    "dataclasses",
];

/// Whether a module is one of a library that is known here.
pub fn is_library(module: &str) -> bool {
    let first = module.split('.').next().unwrap_or_default();
    LIBRARIES.contains(&first)
}

/// Whether a module is one of those that make layouts.
pub fn is_needed(module: &str) -> bool {
    module.starts_with("triton.experimental") || module.split('.').next() == Some("cutlass")
}

/// The function of CuTe that a name is: `cutlass.cute.make_layout`, `cutlass.cute.core.make_layout`.
pub fn function(path: &str) -> Option<&str> {
    let rest = path.strip_prefix(CUTE)?.strip_prefix('.')?;
    let name = rest.strip_prefix("core.").unwrap_or(rest);
    (!name.contains('.')).then_some(name)
}

/// Calls that are counted as layouts.
pub fn makes_layout(name: &str) -> bool {
    matches!(
        name,
        "make_layout"
            | "make_ordered_layout"
            | "make_composed_layout"
            | "make_identity_layout"
            | "make_layout_tv"
            | "tile_to_shape"
    )
}

/// Calls that are evaluated wherever they stand, for the sake of what the library refuses.
pub fn computes(name: &str) -> bool {
    matches!(name, "composition" | "logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide")
}

/// Whether a function computes layouts of layouts, and may take long to refuse.
pub fn is_algebra(path: &str) -> bool {
    function(path).is_some_and(|name| {
        let product = name.ends_with("_product");
        product || computes(name) || matches!(name, "make_layout_tv" | "tile_to_shape" | "complement" | "left_inverse")
    })
}

/// What a call comes to.
#[derive(Debug)]
pub enum Answer {
    /// A value, or why there is none.
    Value(Resolved<Value>),
    /// CuTe has an answer, and there is none: the operation, and the refusal in words.
    Refused(String, String),
    /// A composition or division that the library refuses, and CuTe may answer.
    Composition(Box<Composition>),
}

/// Bits of a type of the DSL.
pub(super) fn bits(path: &str) -> Option<u64> {
    width(path.strip_prefix("cutlass.")?)
}

fn width(name: &str) -> Option<u64> {
    Some(match name {
        "Float64" | "Int64" | "Uint64" => 64,
        "Float32" | "TFloat32" | "Int32" | "Uint32" => 32,
        "Float16" | "BFloat16" | "Int16" | "Uint16" => 16,
        "Float8E4M3" | "Float8E4M3FN" | "Float8E5M2" | "Float8E8M0FNU" | "Int8" | "Uint8" => 8,
        "Float6E3M2FN" | "Float6E2M3FN" => 6,
        "Float4E2M1FN" | "Int4" => 4,
        _ => return None,
    })
}

/// Bits of a type of Triton or of `torch`. A truth value has one there, and eight here.
fn host_bits(path: &str) -> Option<u64> {
    let triton = ["triton.experimental.gluon.language.", "triton.language."];
    let own = triton.iter().chain(&["torch."]).find_map(|space| path.strip_prefix(space))?;
    Some(match own {
        "int64" | "uint64" | "float64" | "long" | "double" => 64,
        "int32" | "uint32" | "float32" | "int" | "float" => 32,
        "int16" | "uint16" | "float16" | "bfloat16" | "short" | "half" => 16,
        "int8" | "uint8" | "float8e4nv" | "float8e5" | "float8e4b8" | "float8e4b15" | "float8e5b16"
        | "float8_e4m3fn" | "float8_e5m2" | "float8_e4m3fnuz" | "float8_e5m2fnuz" => 8,
        _ => return None,
    })
}

/// Something of a library: types and enumerations of CUTLASS have one name, whichever of its modules they are imported from.
pub fn named(path: String) -> Value {
    // For type checkers only: at run time it is `False`.
    if path == "typing.TYPE_CHECKING" {
        return Value::Bool(false);
    }
    if let Some(rest) = path.strip_prefix("cutlass.") {
        let starts = std::iter::once(0).chain(rest.match_indices('.').map(|(dot, _)| dot + 1));
        for own in starts.filter_map(|start| rest.get(start..)) {
            let first = own.split('.').next().unwrap_or_default();
            if matches!(first, "LayoutEnum" | "OperandMajorMode" | "CtaGroup") || width(own).is_some() {
                return Value::Library(format!("cutlass.{own}").into());
            }
        }
    }
    Value::Library(path.into())
}

/// Whether something of a library has no such attribute, for sure: types of torch and of Triton have no `width`, as those of CUTLASS do.
pub fn has_no(path: &str, name: &str) -> bool {
    let own = path.strip_prefix("torch.").or_else(|| path.strip_prefix("triton.language."));
    name == "width" && own.is_some_and(|kind| !kind.contains('.') && kind.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// An attribute of a library that is a constant.
pub fn constant(path: &str, name: &str, site: Site) -> Option<Value> {
    let value = match (path, name) {
        (path, "width") => i128::from(bits(path)?),
        (path, "primitive_bitwidth") => i128::from(host_bits(path)?),
        (path, "itemsize") => i128::from(host_bits(path)? / 8),
        ("cutlass.cute.arch", "WARP_SIZE") => 32,
        _ => return None,
    };
    Some(Value::number(value, site))
}

/// Arguments by place or by name.
pub(super) struct Arguments<'v> {
    pub(super) placed: &'v [Value],
    pub(super) named: &'v [(&'v str, Value)],
    pub(super) site: Site,
}

impl<'v> Arguments<'v> {
    fn get(&self, place: usize, names: &[&str]) -> Option<&'v Value> {
        self.placed.get(place).or_else(|| {
            let found = self.named.iter().find(|(name, _)| names.contains(name));
            found.map(|(_, value)| value)
        })
    }

    pub(super) fn need(&self, place: usize, names: &[&str]) -> Resolved<&'v Value> {
        match self.get(place, names) {
            Some(Value::Unknown(why)) => Err(*why),
            Some(value) => Ok(value),
            None => Err(self.wrong(Reason::Call)),
        }
    }

    /// One that may be missing or `None`.
    pub(super) fn may(&self, place: usize, names: &[&str]) -> Resolved<Option<&'v Value>> {
        match self.get(place, names) {
            None | Some(Value::None) => Ok(None),
            Some(Value::Unknown(why)) => Err(*why),
            Some(value) => Ok(Some(value)),
        }
    }

    /// Only these keywords, and so many arguments by place.
    pub(super) fn only(&self, places: usize, names: &[&str]) -> Resolved<()> {
        let known = |name: &str| names.contains(&name) || matches!(name, "loc" | "ip");
        if self.placed.len() <= places && self.named.iter().all(|(name, _)| known(name)) {
            Ok(())
        } else {
            Err(self.wrong(Reason::Call))
        }
    }

    fn number(&self, place: usize, names: &[&str]) -> Resolved<i128> {
        self.need(place, names)?.as_number(self.site)
    }

    fn layout(&self, place: usize, names: &[&str]) -> Resolved<Layout> {
        self.need(place, names)?.core(self.site)
    }

    pub(super) fn wrong(&self, reason: Reason) -> Unresolved {
        Unresolved { reason, site: self.site }
    }

    /// The first argument that is not known.
    pub(super) fn unknown(&self) -> Option<Unresolved> {
        self.placed.iter().chain(self.named.iter().map(|(_, value)| value)).find_map(|value| value.unknown(0))
    }
}

/// What a function of a library returns.
pub fn call(path: &str, placed: &[Value], named: &[(&str, Value)], site: Site) -> Answer {
    let arguments = Arguments { placed, named, site };
    if let Some(name) = function(path) {
        // Extents of which nothing is known when it is compiled.
        if matches!(name, "sym_int" | "sym_int32" | "sym_int64") {
            return Answer::Value(Err(Unresolved { reason: Reason::RunTime, site }));
        }
        return match cute(name, &arguments) {
            Ok(answer) => answer,
            Err(why) => Answer::Value(Err(why)),
        };
    }
    let own = instructions::instruction(path, &arguments)
        .or_else(|| instructions::trivial(path, &arguments))
        .or_else(|| shared::shared_memory(path, &arguments))
        .or_else(|| shared::majorness(path).map(Ok))
        .or_else(|| machine(path, &arguments));
    Answer::Value(own.unwrap_or_else(|| python(path, &arguments)))
}

/// A number of a type of so many bits: `Int32(4)`.
fn machine(path: &str, arguments: &Arguments<'_>) -> Option<Resolved<Value>> {
    let width = Width::of(path.strip_prefix("cutlass.")?)?;
    let made = || {
        arguments.only(1, &["value"])?;
        let number = match arguments.need(0, &["value"])? {
            Value::Bool(truth) => i128::from(*truth),
            Value::Machine(number, ..) => *number,
            // What is no integer is cut off.
            other => other.as_number(arguments.site)?,
        };
        width.number(number, arguments.site)
    };
    Some(made())
}

/// Functions of Python and of CUTLASS.
fn python(path: &str, arguments: &Arguments<'_>) -> Resolved<Value> {
    let site = arguments.site;
    let number = |value| Ok(Value::number(value, site));
    let wrong = |reason| Unresolved { reason, site };
    match path {
        // What the process is started with.
        _ if path.starts_with("os.") || path.starts_with("argparse.") => Err(wrong(Reason::RunTime)),
        // A field of a data class with a default.
        "dataclasses.field" => arguments.only(0, &["default", "repr", "compare", "hash", "metadata"]).and_then(|()| {
            let default = arguments.named.iter().find(|(name, _)| *name == "default").map(|(_, value)| value);
            match default {
                Some(Value::Unknown(why)) => Err(*why),
                Some(value) => Ok(value.clone()),
                None => Err(wrong(Reason::Dependent)),
            }
        }),
        "dict" if arguments.placed.is_empty() => {
            let pairs = arguments.named.iter().map(|(name, value)| (Value::Text((*name).into()), value.clone()));
            Ok(Value::Dict(Rc::new(pairs.collect()), site))
        }
        "int" if !matches!(arguments.placed, [Value::Ratio(..)]) => match arguments.need(0, &[])? {
            Value::Bool(truth) => number(i128::from(*truth)),
            Value::Machine(value, ..) => number(*value),
            other => other.as_number(site).map(|value| Value::number(value, site)),
        },
        "bool" => match arguments.need(0, &[])?.truth() {
            Some(truth) => Ok(Value::Bool(truth)),
            None => Err(wrong(Reason::Call)),
        },
        "range" | "cutlass.range_constexpr" => {
            arguments.only(3, &[])?;
            let (from, to, step) = match arguments.placed {
                [_] => (0, arguments.number(0, &[])?, 1),
                [_, _] => (arguments.number(0, &[])?, arguments.number(1, &[])?, 1),
                _ => (arguments.number(0, &[])?, arguments.number(1, &[])?, arguments.number(2, &[])?),
            };
            super::sequences::range(from, to, step, site)
        }
        "cutlass.const_expr"
        | "cutlass.constexpr"
        | "triton.language.constexpr"
        | "triton.experimental.gluon.language.constexpr" => {
            arguments.only(1, &[])?;
            match arguments.need(0, &[])? {
                Value::Unknown(why) => Err(*why),
                other => Ok(other.clone()),
            }
        }
        "isinstance" => {
            arguments.only(2, &[])?;
            let truth = is_instance(arguments.need(0, &[])?, arguments.need(1, &[])?);
            truth.map(Value::Bool).ok_or(wrong(Reason::Call))
        }
        // A member of an enumeration is itself and no other.
        "enum.auto" => Ok(Value::Library(format!("enum.auto {}:{}", site.unit, site.span.start).into())),
        "cutlass.utils.get_smem_capacity_in_bytes"
        | "cutlass.utils.smem_allocator.get_smem_capacity_in_bytes"
        | "cutlass.memory.get_smem_capacity_in_bytes" => {
            arguments.only(1, &["compute_capability", "arch"])?;
            let architecture = arguments.need(0, &["compute_capability", "arch"])?;
            number(shared::capacity(architecture).ok_or(wrong(Reason::Call))?)
        }
        // Where the program is when it runs.
        "cutlass.cute.arch.thread_idx"
        | "cutlass.cute.arch.block_idx"
        | "cutlass.cute.arch.block_dim"
        | "cutlass.cute.arch.grid_dim"
        | "cutlass.cute.arch.lane_idx"
        | "cutlass.cute.arch.warp_idx" => Err(wrong(Reason::RunTime)),
        // Tensors, devices and groups of processes.
        path if path.starts_with("torch.")
            && !matches!(path, "torch.Size" | "torch.finfo" | "torch.iinfo" | "torch.dtype") =>
        {
            Err(wrong(Reason::RunTime))
        }
        "tuple" | "list" => match arguments.need(0, &[])? {
            Value::Tuple(items) => Ok(Value::Tuple(items.clone())),
            other => Err(super::evaluate::no_sequence(other, site)),
        },
        "len" => match arguments.need(0, &[])? {
            Value::Tuple(items) => number(i128::try_from(items.all.len()).unwrap_or(0)),
            _ => Err(wrong(Reason::Call)),
        },
        "math.ceil" | "math.floor" | "int" if matches!(arguments.placed, [Value::Ratio(..)]) => {
            let [Value::Ratio(above, below)] = arguments.placed else { return Err(wrong(Reason::Call)) };
            let floor = above.div_euclid(*below);
            let exact = above.rem_euclid(*below) == 0;
            let up = match path {
                "math.ceil" => !exact,
                "int" => !exact && *above < 0,
                _ => false,
            };
            number(floor + i128::from(up))
        }
        // What has a logarithm that is no integer is left alone: how it is rounded is not followed.
        "math.log2" => match arguments.number(0, &[])? {
            value if value > 0 && value & (value - 1) == 0 => Ok(Value::Ratio(i128::from(value.trailing_zeros()), 1)),
            _ => Err(wrong(Reason::Call)),
        },
        "divmod" => {
            arguments.only(2, &[])?;
            let (a, b) = (arguments.number(0, &[])?, arguments.number(1, &[])?);
            let part = |op| super::arithmetic::binary(op, a, b, site);
            Value::tuple(vec![part(Op::FloorDiv)?, part(Op::Mod)?], site)
        }
        "math.ceil" | "math.floor" => number(arguments.number(0, &[])?),
        "abs" => number(arguments.number(0, &[])?.checked_abs().ok_or(wrong(Reason::Overflow))?),
        "min" | "max" | "math.gcd" | "math.lcm" => {
            arguments.only(usize::MAX, &[])?;
            let all = match (arguments.placed, path) {
                ([Value::Tuple(items)], "min" | "max") if !items.all.is_empty() => items.all.as_slice(),
                (all @ [_, _, ..], _) => all,
                _ => return Err(wrong(Reason::Call)),
            };
            let all = all.iter().map(|value| value.as_number(site)).collect::<Resolved<Vec<_>>>()?;
            let first = all.first().copied().unwrap_or(0);
            all.iter()
                .skip(1)
                .try_fold(first, |so_far, next| match path {
                    "min" => Ok(so_far.min(*next)),
                    "max" => Ok(so_far.max(*next)),
                    "math.gcd" => Ok(gcd(so_far, *next)),
                    _ => match gcd(so_far, *next) {
                        0 => Ok(0),
                        common => (so_far / common).checked_mul(*next).ok_or(wrong(Reason::Overflow)),
                    },
                })
                .map(|value| Value::number(value, site))
        }
        "math.prod" | "sum" => {
            arguments.only(1, &[])?;
            let Value::Tuple(items) = arguments.need(0, &[])? else { return Err(wrong(Reason::Call)) };
            let start = i128::from(path == "math.prod");
            let all = items.all.iter().try_fold(start, |so_far, next| {
                let next = next.as_number(site)?;
                let value = if path == "sum" { so_far.checked_add(next) } else { so_far.checked_mul(next) };
                value.ok_or(wrong(Reason::Overflow))
            });
            number(all?)
        }
        "triton.cdiv" => {
            let (a, b) = (arguments.number(0, &[])?, arguments.number(1, &[])?);
            number(ceil_div(a, b).ok_or(wrong(Reason::Expression))?)
        }
        "cutlass.cute.nvgpu.CopyUniversalOp" | "cutlass.cute.nvgpu.cpasync.CopyG2SOp" => {
            Ok(Value::Library(path.into()))
        }
        "cutlass.cute.arch.alloc_smem" => memory::array(arguments),
        path if memory::moves_matrices(path).is_some() => Ok(Value::Library(path.into())),
        "cutlass.utils.SmemAllocator"
        | "cutlass.utils.smem_allocator.SmemAllocator"
        | "cutlass.memory.SmemAllocator" => Ok(Value::Memory(Rc::new(Memory::Allocator))),
        _ => Err(wrong(Reason::Call)),
    }
}

/// Whether a value is of a type, or of one of several; nothing where that is not known.
fn is_instance(value: &Value, of: &Value) -> Option<bool> {
    if let Value::Tuple(all) = of {
        let all: Option<Vec<bool>> = all.all.iter().map(|one| is_instance(value, one)).collect();
        return all.map(|all| all.contains(&true));
    }
    let Value::Library(kind) = of else { return None };
    let own = match value {
        Value::Mma(of) => return of.is_of(kind),
        Value::Number(..) => "int",
        Value::Bool(_) => "bool",
        Value::Text(_) => "str",
        Value::None => "None",
        Value::Tuple(items) if !items.list => "tuple",
        _ => return None,
    };
    match &**kind {
        "int" => Some(matches!(own, "int" | "bool")),
        "bool" | "str" | "tuple" | "list" | "dict" | "float" => Some(own == &**kind),
        _ => None,
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(i128::MAX)
}

fn ceil_div(a: i128, b: i128) -> Option<i128> {
    (a >= 0 && b > 0).then(|| a / b + i128::from(a % b != 0))
}

#[expect(clippy::unnecessary_wraps, reason = "what it is the end of may fail")]
fn value(value: Value) -> Resolved<Answer> {
    Ok(Answer::Value(Ok(value)))
}

fn cute(name: &str, arguments: &Arguments<'_>) -> Resolved<Answer> {
    let site = arguments.site;
    let wrong = |reason| Unresolved { reason, site };
    let number = |number| value(Value::number(number, site));
    match name {
        "make_layout" => {
            arguments.only(1, &["shape", "stride"])?;
            let shape = shape(arguments.need(0, &["shape"])?, site)?;
            let constant = if let Some(stride) = arguments.may(usize::MAX, &["stride"])? {
                Constant { shape, stride: stride.numbers(site)?, explicit: true, site }
            } else {
                let layout = Layout::column_major(&whole(&shape, site)?);
                implied(shape, &layout, site)
            };
            value(Value::Layout(Rc::new(constant)))
        }
        "make_ordered_layout" => {
            arguments.only(2, &["shape", "order"])?;
            let shape = shape(arguments.need(0, &["shape"])?, site)?;
            let order = arguments.need(1, &["order"])?.numbers(site)?;
            let layout = told(Layout::ordered(&whole(&shape, site)?, &order.tuple), site)?;
            value(Value::Layout(Rc::new(implied(shape, &layout, site))))
        }
        "make_identity_layout" => {
            arguments.only(1, &["shape"])?;
            value(Value::Identity(Rc::new(shape(arguments.need(0, &["shape"])?, site)?)))
        }
        "make_swizzle" => {
            arguments.only(3, &["b", "m", "s"])?;
            let part = |place, name| -> Resolved<i128> { arguments.number(place, &[name]) };
            let (bits, base, shift) = (part(0, "b")?, part(1, "m")?, part(2, "s")?);
            match (u64::try_from(bits), u64::try_from(base), i64::try_from(shift)) {
                (Ok(bits), Ok(base), Ok(shift)) => value(Value::Swizzle(Swizzle::new(bits, base, shift), false)),
                _ => Err(wrong(Reason::Negative)),
            }
        }
        "make_composed_layout" => {
            arguments.only(3, &["inner", "offset", "outer"])?;
            match (arguments.need(0, &["inner"])?, arguments.number(1, &["offset"])?, arguments.need(2, &["outer"])?) {
                (Value::Swizzle(swizzle, helper), offset, Value::Layout(layout)) => {
                    let offset = u64::try_from(offset).map_err(|_| wrong(Reason::Negative))?;
                    composed((*swizzle, *helper), offset, layout.clone())
                }
                _ => Err(wrong(Reason::Call)),
            }
        }
        "tile_to_shape" => {
            arguments.only(3, &["atom", "trg_shape", "order"])?;
            let target = shape(arguments.need(1, &["trg_shape"])?, site)?;
            let order = arguments.may(2, &["order"])?.map(|order| order.numbers(site)).transpose()?;
            let atom = arguments.need(0, &["atom"])?;
            let tiled = |layout: &Layout| {
                let target = whole(&target, site)?;
                told(layout.tile_to_shape(&target, order.as_ref().map(|order| &order.tuple)), site)
            };
            match atom {
                Value::Composed(of) => {
                    let Value::Layout(layout) = derived(&tiled(&core(&of.layout, site)?)?, site) else {
                        return Err(wrong(Reason::Call));
                    };
                    composed((of.swizzle, of.helper), of.offset, layout)
                }
                _ => value(derived(&tiled(&atom.core(site)?)?, site)),
            }
        }
        "make_layout_tv" => {
            arguments.only(2, &["thr_layout", "val_layout"])?;
            let (threads, values) = (arguments.layout(0, &["thr_layout"])?, arguments.layout(1, &["val_layout"])?);
            let made = Layout::make_layout_tv(&threads, &values).map_err(|_| wrong(Reason::Call))?;
            let tiler = numbers_of(&made.tiler, site)?;
            value(Value::tuple(vec![tiler, derived(&made.layout, site)], site)?)
        }
        "make_copy_atom" => atom(arguments),
        _ if let Some(made) = memory::made(name, arguments) => value(made?),
        "make_mma_atom" | "make_tiled_mma" => value(instructions::tiled(name, arguments)?),
        "ceil_div" | "round_up" => {
            arguments.only(2, &["input", "tiler", "a", "b"])?;
            let (of, by) = (arguments.need(0, &["input", "a"])?, arguments.need(1, &["tiler", "b"])?);
            if let (Value::Tuple(of), Value::Tuple(by), "ceil_div") = (of, by, name) {
                if by.all.len() > of.all.len() {
                    return Err(wrong(Reason::Call));
                }
                let all = of.all.iter().enumerate().map(|(mode, extent)| {
                    let Some(by) = by.all.get(mode) else { return Ok(extent.clone()) };
                    let whole = ceil_div(extent.as_number(site)?, by.as_number(site)?).ok_or(wrong(Reason::Call))?;
                    Ok(Value::number(whole, site))
                });
                return value(Value::tuple(all.collect::<Resolved<_>>()?, site)?);
            }
            let (a, b) = (of.as_number(site)?, by.as_number(site)?);
            let whole = ceil_div(a, b).ok_or(wrong(Reason::Call))?;
            number(if name == "ceil_div" { whole } else { whole.checked_mul(b).ok_or(wrong(Reason::Overflow))? })
        }
        "size" | "cosize" | "rank" | "shape" => measure(name, arguments),
        "size_in_bytes" => {
            arguments.only(2, &["dtype", "layout"])?;
            let Value::Library(path) = arguments.need(0, &["dtype"])? else { return Err(wrong(Reason::Call)) };
            let bits = bits(path).ok_or(wrong(Reason::Call))?;
            let size = arguments.layout(1, &["layout"])?.cosize();
            number((i128::from(size) * i128::from(bits) + 7) / 8)
        }
        _ => algebra(name, arguments),
    }
}

/// What the algebra makes of a layout.
fn algebra(name: &str, arguments: &Arguments<'_>) -> Resolved<Answer> {
    let site = arguments.site;
    let wrong = |reason| Unresolved { reason, site };
    let first = arguments.need(0, &["input", "target", "lhs", "block", "src_layout", "layout"]);
    let modes = |place| arguments.need(place, &["mode"]).and_then(|modes| places(modes, site));
    // Tuples have modes too.
    if let (Ok(Value::Tuple(items)), "select") = (&first, name) {
        let items = modes(1)?.into_iter().map(|place| items.all.get(place).cloned().ok_or(wrong(Reason::Call)));
        return value(Value::tuple(items.collect::<Resolved<_>>()?, site)?);
    }
    if let (Ok(Value::Tuple(items)), "append" | "prepend") = (&first, name) {
        arguments.only(2, &["input", "elem"])?;
        let more = std::iter::once(arguments.need(1, &["elem"])?.clone());
        let items = items.all.iter().cloned();
        let all = if name == "append" { items.chain(more).collect() } else { more.chain(items).collect() };
        return value(Value::tuple(all, site)?);
    }
    if name == "slice_" {
        let (of, at) = (arguments.need(0, &["src"])?, arguments.need(1, &["coord"])?);
        return sliced(of, at, site);
    }
    if name == "recast_layout" {
        let bits = |place, name| {
            arguments.number(place, &[name]).and_then(|bits| u64::try_from(bits).map_err(|_| wrong(Reason::Negative)))
        };
        let (new, old) = (bits(0, "new_type_bits")?, bits(1, "old_type_bits")?);
        let layout = arguments.layout(2, &["src_layout"])?;
        return value(derived(&told(layout.recast(old, new), site)?, site));
    }
    let second = ["tiler", "rhs", "cotarget", "elem", "begin", "target_profile"];
    let tiled = |operation: fn(&Layout, &Tiler) -> razorgirl::Result<Layout>| -> Resolved<Answer> {
        let by = arguments.need(1, &second)?;
        // One extent by itself is a tiler for `logical_divide` alone.
        let tiles = name == "logical_divide" || !matches!(by, Value::Number(..) | Value::Machine(..));
        let (of, by) = (first?.core(site)?, tiler(by, site, 0)?);
        let result = operation(&of, &by);
        if computes(name) && result.is_err() {
            let made = Composition::of(name, &of, &by, site).filter(|_| tiles);
            return made.map(|made| Answer::Composition(Box::new(made))).ok_or(wrong(Reason::Call));
        }
        answered(name, &of, &by.to_string(), result, site)
    };
    let repeated = |operation: fn(&Layout, &Layout) -> razorgirl::Result<Layout>| -> Resolved<Answer> {
        let (of, by) = (first?.core(site)?, arguments.layout(1, &second)?);
        answered(name, &of, &by.to_string(), operation(&of, &by), site)
    };
    let plain = |operation: fn(&Layout) -> razorgirl::Result<Layout>| -> Resolved<Answer> {
        arguments.only(1, &["input", "layout"])?;
        value(derived(&told(operation(&first?.core(site)?), site)?, site))
    };
    match name {
        "composition" => match (first?, arguments.need(1, &second)?) {
            (Value::Swizzle(swizzle, helper), Value::Layout(layout)) => {
                composed((*swizzle, *helper), 0, layout.clone())
            }
            _ => tiled(Layout::composition_by),
        },
        "logical_divide" => tiled(Layout::logical_divide),
        "zipped_divide" => tiled(Layout::zipped_divide),
        "tiled_divide" => tiled(Layout::tiled_divide),
        "flat_divide" => tiled(Layout::flat_divide),
        "logical_product" => repeated(Layout::logical_product),
        "blocked_product" => repeated(Layout::blocked_product),
        "raked_product" => repeated(Layout::raked_product),
        "zipped_product" => tiled(Layout::zipped_product),
        "tiled_product" => tiled(Layout::tiled_product),
        "flat_product" => tiled(Layout::flat_product),
        "coalesce" => plain(|layout| Ok(layout.coalesce())),
        "flatten" => plain(|layout| Ok(layout.flatten())),
        "filter" => plain(|layout| Ok(layout.filter())),
        "filter_zeros" => plain(|layout| Ok(layout.filter_zeros())),
        "right_inverse" => plain(|layout| Ok(layout.right_inverse())),
        "left_inverse" => plain(Layout::left_inverse),
        "complement" => {
            let of = first?.core(site)?;
            let result = match arguments.may(1, &second)? {
                None => of.complement(),
                Some(target) => {
                    of.complement_in(u64::try_from(product(target, site)?).map_err(|_| wrong(Reason::Negative))?)
                }
            };
            value(derived(&told(result, site)?, site))
        }
        "select" => value(derived(&told(first?.core(site)?.select(&modes(1)?), site)?, site)),
        "group_modes" => {
            let of = first?.core(site)?;
            let begin = usize::try_from(arguments.number(1, &["begin"])?).map_err(|_| wrong(Reason::Call))?;
            let end = match arguments.may(2, &["end"])? {
                None => of.rank(),
                Some(end) => match usize::try_from(end.as_number(site)?) {
                    Ok(end) => end,
                    // −1 is the last one.
                    Err(_) => return Err(wrong(Reason::Call)),
                },
            };
            if begin > end {
                return Err(wrong(Reason::Call));
            }
            value(derived(&told(of.group(begin..end), site)?, site))
        }
        "append" | "prepend" => {
            arguments.only(2, &["input", "elem"])?;
            let (of, more) = (first?.core(site)?, arguments.layout(1, &second)?);
            let rank = of.rank() + 1;
            let result = if name == "append" { of.append_with(rank, &more) } else { of.prepend_with(rank, &more) };
            value(derived(&told(result, site)?, site))
        }
        _ => Err(wrong(Reason::Call)),
    }
}

/// The modes that a coordinate keeps by `None`.
fn sliced(of: &Value, at: &Value, site: Site) -> Resolved<Answer> {
    let wrong = Unresolved { reason: Reason::Call, site };
    let layout = of.core(site)?;
    let coordinate: Coord = coordinate(at, site)?.parse().map_err(|_| wrong)?;
    value(derived(&told(layout.slice(&coordinate), site)?, site))
}

/// A coordinate in CuTe's notation.
// Recursion: tuples nest to a fixed depth.
fn coordinate(at: &Value, site: Site) -> Resolved<String> {
    match at {
        Value::None => Ok("_".to_owned()),
        Value::Tuple(items) => {
            let all = items.all.iter().map(|item| coordinate(item, site)).collect::<Resolved<Vec<_>>>()?;
            Ok(format!("({})", all.join(",")))
        }
        other => Ok(other.as_number(site)?.to_string()),
    }
}

/// What the library answers, or its refusal where CuTe would not refuse.
fn answered(name: &str, of: &Layout, by: &str, result: razorgirl::Result<Layout>, site: Site) -> Resolved<Answer> {
    match result {
        Ok(layout) => value(derived(&layout, site)),
        Err(error) if carries(&error) => Ok(Answer::Refused(format!("{name}({of}, {by})"), error.to_string())),
        Err(_) => Err(Unresolved { reason: Reason::Call, site }),
    }
}

/// Whether a refusal shows that no layout is the answer, by a coordinate, where CuTe splits modes and does not look at their sum.
fn carries(error: &Error) -> bool {
    let mut witness = error.witness();
    while let Some(Witness::InMode { witness: inner, .. }) = witness {
        witness = Some(inner);
    }
    error.kind() == ErrorKind::Carries && matches!(witness, Some(Witness::Coordinate(_)))
}

fn atom(arguments: &Arguments<'_>) -> Resolved<Answer> {
    let wrong = arguments.wrong(Reason::Call);
    let (Value::Library(operation), Value::Library(element)) =
        (arguments.need(0, &["op"])?, arguments.need(1, &["copy_internal_type"])?)
    else {
        return Err(wrong);
    };
    if let Some(writes) = memory::moves_matrices(operation) {
        let width = bits(element).ok_or(wrong)?;
        return value(Value::Memory(Rc::new(Memory::Matrices(width, writes))));
    }
    let simple = ["cutlass.cute.nvgpu.CopyUniversalOp", "cutlass.cute.nvgpu.cpasync.CopyG2SOp"];
    if !simple.contains(&operation.as_ref()) {
        return Err(wrong);
    }
    let width = bits(element).ok_or(wrong)?;
    let vector = u64::try_from(arguments.number(usize::MAX, &["num_bits_per_copy"])?).ok().filter(|bits| *bits > 0);
    value(Value::Atom(vector.ok_or(wrong)?, width, operation.ends_with("CopyG2SOp")))
}

/// A swizzle behind a layout of the library, as a helper for the instructions that read so makes it.
pub(super) fn composed_of(swizzle: Swizzle, layout: &Layout, site: Site) -> Resolved<Value> {
    match derived(layout, site) {
        Value::Layout(layout) => Ok(Value::Composed(Rc::new(Composed { swizzle, offset: 0, layout, helper: true }))),
        _ => Err(Unresolved { reason: Reason::Call, site }),
    }
}

/// What a function of one argument makes of it, as a layout of the library.
pub(super) fn core_layout(name: &str, of: &Value, site: Site) -> Resolved<Layout> {
    match cute(name, &Arguments { placed: std::slice::from_ref(of), named: &[], site })? {
        Answer::Value(value) => value?.core(site),
        _ => Err(Unresolved { reason: Reason::Call, site }),
    }
}

fn composed((swizzle, helper): (Swizzle, bool), offset: u64, layout: Rc<Constant>) -> Resolved<Answer> {
    value(Value::Composed(Rc::new(Composed { swizzle, offset, layout, helper })))
}

fn measure(name: &str, arguments: &Arguments<'_>) -> Resolved<Answer> {
    let site = arguments.site;
    let wrong = |reason| Unresolved { reason, site };
    arguments.only(1, &["a", "input", "mode"])?;
    let modes = match arguments.may(usize::MAX, &["mode"])? {
        Some(modes) => places(modes, site)?,
        None => Vec::new(),
    };
    let number = |number| value(Value::number(number, site));
    let of = arguments.need(0, &["a", "input"])?;
    let layout = match of {
        Value::Composed(of) => Some(core(&of.layout, site)?),
        Value::Layout(_) => Some(of.core(site)?),
        Value::Memory(memory) => match (name, memory.threads()) {
            ("size", Some(threads)) if modes.is_empty() => return number(i128::from(threads)),
            _ => memory.layout(),
        },
        _ => None,
    };
    if let Some(mut layout) = layout {
        for mode in modes {
            layout = layout.mode(mode).ok_or(wrong(Reason::Call))?;
        }
        return match name {
            "size" => number(i128::from(layout.size())),
            "cosize" => number(i128::from(layout.cosize())),
            "rank" => number(i128::try_from(layout.rank()).unwrap_or(0)),
            "shape" => value(numbers_of(layout.shape().extents(), site)?),
            _ => Err(wrong(Reason::Call)),
        };
    }
    let mut of = match of {
        Value::Identity(shape) => super::value::of_numbers(shape)?,
        other => other.clone(),
    };
    for mode in modes {
        of = match of {
            Value::Tuple(items) => items.all.get(mode).cloned().ok_or(wrong(Reason::Call))?,
            _ => return Err(wrong(Reason::Call)),
        };
    }
    match (name, &of) {
        ("size", Value::Tuple(_) | Value::Number(..)) => number(product(&of, site)?),
        ("rank", Value::Tuple(items)) => number(i128::try_from(items.all.len()).unwrap_or(0)),
        ("rank", Value::Number(..)) => number(1),
        (_, Value::Unknown(why)) => Err(*why),
        _ => Err(wrong(Reason::Call)),
    }
}

// Recursion: tuples nest to a fixed depth.
fn product(of: &Value, site: Site) -> Resolved<i128> {
    match of {
        Value::Tuple(items) => items.all.iter().try_fold(1_i128, |all, item| {
            all.checked_mul(product(item, site)?).ok_or(Unresolved { reason: Reason::Overflow, site })
        }),
        other => other.as_number(site),
    }
}

fn places(modes: &Value, site: Site) -> Resolved<Vec<usize>> {
    let place =
        |value: &Value| usize::try_from(value.as_number(site)?).map_err(|_| Unresolved { reason: Reason::Call, site });
    match modes {
        Value::Tuple(items) => items.all.iter().map(place).collect(),
        other => Ok(vec![place(other)?]),
    }
}

fn shape(value: &Value, site: Site) -> Resolved<Numbers> {
    let numbers = value.numbers(site)?;
    if numbers.tuple.leaves().contains(&0) {
        return Err(Unresolved { reason: Reason::ZeroExtent, site: numbers.site });
    }
    Ok(numbers)
}

fn whole(shape: &Numbers, site: Site) -> Resolved<Shape> {
    Shape::new(shape.tuple.clone()).map_err(|_| Unresolved { reason: Reason::Overflow, site })
}

fn told(result: razorgirl::Result<Layout>, site: Site) -> Resolved<Layout> {
    result.map_err(|_| Unresolved { reason: Reason::Call, site })
}

fn numbers_of(tuple: &IntTuple, site: Site) -> Resolved<Value> {
    let leaves = vec![crate::eval::Leaf { site, literal: false }; tuple.leaves().len()];
    super::value::of_numbers(&Numbers { tuple: tuple.clone(), leaves, site })
}

// Recursion: a level deeper each time, to a fixed depth.
fn tiler(value: &Value, site: Site, depth: usize) -> Resolved<Tiler> {
    if depth > MAX_TILER_DEPTH {
        return Err(Unresolved { reason: Reason::TooDeep, site });
    }
    match value {
        Value::Number(number, site, _) => {
            let extent = u64::try_from(*number).map_err(|_| Unresolved { reason: Reason::Negative, site: *site })?;
            Tiler::integer(extent).map_err(|_| Unresolved { reason: Reason::ZeroExtent, site: *site })
        }
        Value::None => Ok(Tiler::Keep),
        Value::Layout(layout) => Ok(Tiler::Layout(core(layout, site)?)),
        Value::Tuple(items) if items.all.len() <= 64 => {
            Ok(Tiler::Modes(items.all.iter().map(|item| tiler(item, site, depth + 1)).collect::<Resolved<_>>()?))
        }
        other => Err(other.as_number(site).err().unwrap_or(Unresolved { reason: Reason::Call, site })),
    }
}
