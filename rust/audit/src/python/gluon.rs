//! Layouts that Triton's Gluon makes, as far as their arguments are known.

use super::value::Value;
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

/// Modules that make them.
pub(super) const GLUON: &str = "triton.experimental.gluon.language";

/// What makes a padded layout that is otherwise in order.
pub(super) const IDENTITY: &str = "PaddedSharedLayout.with_identity_for";

/// Items of one list that are looked at.
const MAX_ITEMS: usize = 64;

/// A number, where it is known, and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The number.
    pub value: Option<i128>,
    /// Its place.
    pub site: Site,
}

/// A list of numbers, of which some may not be known; its length is.
#[derive(Debug, Clone)]
pub struct List {
    /// Its items.
    pub items: Vec<Part>,
    /// Where it stands.
    pub site: Site,
}

impl List {
    /// Its items, if all are known.
    pub fn known(&self) -> Option<Vec<i128>> {
        self.items.iter().map(|part| part.value).collect()
    }
}

/// A list of bases.
#[derive(Debug, Clone)]
pub struct Bases {
    /// Each basis.
    pub rows: Vec<List>,
    /// Where the list stands.
    pub site: Site,
}

/// A layout with its arguments; nothing for one that is not known at all.
#[derive(Debug, Clone)]
pub enum Gluon {
    /// `BlockedLayout`: elements of a thread, threads of a warp, warps, order.
    Blocked([Option<List>; 4]),
    /// `SwizzledSharedLayout`.
    Swizzled {
        /// Elements that stay together.
        vec: Option<Part>,
        /// Rows with the same swizzle.
        per_phase: Option<Part>,
        /// Different swizzles.
        max_phase: Option<Part>,
        /// Dimensions, fastest first.
        order: Option<List>,
    },
    /// `NVMMASharedLayout`.
    Nvmma {
        /// Bytes.
        swizzle: Option<Part>,
        /// Bits of an element.
        bits: Option<Part>,
    },
    /// What `allocate_shared_memory` gets an `NVMMASharedLayout` for.
    Allocated {
        /// Bytes of the swizzle.
        swizzle: i128,
        /// Bits of an element.
        bits: i128,
        /// The shape.
        shape: List,
        /// Its dimension of which elements lie one behind the other.
        along: usize,
    },
    /// What `allocate_shared_memory` gets a layout of some shape for.
    Shaped {
        /// The name of the layout.
        name: &'static str,
        /// The shape that is allocated.
        shape: List,
        /// The layout's.
        own: Vec<i128>,
    },
    /// A tensor of other dimensions than its layout.
    Ranked {
        /// The name of what makes it.
        name: &'static str,
        /// Dimensions of the tensor.
        tensor: usize,
        /// The layout's.
        rank: usize,
    },
    /// `SliceLayout` of a dimension that its parent does not have.
    Sliced {
        /// The dimension.
        dimension: i128,
        /// How many the parent has.
        rank: usize,
    },
    /// `SharedLinearLayout`.
    SharedLinear {
        /// Bases of the offset.
        offset: Option<Bases>,
        /// Bases of the block.
        block: Option<Bases>,
        /// Bytes.
        alignment: Option<Part>,
    },
    /// `DistributedLinearLayout`: bases of registers, lanes, warps and blocks, and the shape.
    Distributed([Option<Bases>; 4], Option<List>),
    /// `PaddedSharedLayout`, or `PaddedSharedLayout.with_identity_for`, which has an order and no bases of the offset.
    Padded {
        /// Pairs of an interval and what is added behind each.
        pairs: Option<Bases>,
        /// Bases of the offset.
        offset: Option<Bases>,
        /// Bases of the block.
        block: Option<Bases>,
        /// The shape.
        shape: Option<List>,
        /// Dimensions, fastest first.
        order: Option<List>,
        /// Whether the bases are made of the shape and the order.
        identity: bool,
    },
    /// `NVMMADistributedLayout`: version, warps, shape of the instruction.
    Mma([Option<List>; 3]),
}

/// A layout where it is written.
#[derive(Debug, Clone)]
pub struct Found {
    /// The call.
    pub site: Site,
    /// Its arguments.
    pub layout: Gluon,
    /// Whether its threads are held against those of a warp.
    pub lanes: bool,
    /// Launches of the kernel that surely uses it, with how many warps each starts.
    pub launches: Vec<Part>,
}

/// The parameters of the constructor that a name is, in order.
pub fn parameters(path: &str) -> Option<(&str, &'static [&'static str])> {
    let rest = path.strip_prefix(GLUON)?;
    let identity = rest.ends_with(IDENTITY);
    let name = if identity { IDENTITY } else { rest.rsplit('.').next()? };
    let parameters: &[&str] = match name {
        "BlockedLayout" => &["size_per_thread", "threads_per_warp", "warps_per_cta", "order"],
        "SwizzledSharedLayout" => &["vec", "per_phase", "max_phase", "order"],
        "NVMMASharedLayout" => &["swizzle_byte_width", "element_bitwidth", "rank", "transposed", "fp4_padded"],
        "SharedLinearLayout" => &["offset_bases", "block_bases", "alignment"],
        "DistributedLinearLayout" => &["reg_bases", "lane_bases", "warp_bases", "block_bases", "shape"],
        "PaddedSharedLayout" => &["interval_padding_pairs", "offset_bases", "cga_layout", "shape"],
        IDENTITY => &["interval_padding_pairs", "shape", "order", "cga_layout"],
        "NVMMADistributedLayout" => &["version", "warps_per_cta", "instr_shape", "cga_layout"],
        _ => return None,
    };
    Some((name, parameters))
}

/// Whether what is not known for this reason is known when a kernel is launched or runs.
pub(super) const fn is_later(reason: Reason) -> bool {
    matches!(reason, Reason::RunTime | Reason::Call | Reason::Unlisted)
}

/// A layout from its arguments, in the order of the parameters, and why it is not known whole.
pub fn layout(name: &str, arguments: &[Option<Value>], site: Site) -> (Gluon, Resolved<()>) {
    let get = |place: usize| arguments.get(place).and_then(Option::as_ref);
    let need = if name == "NVMMASharedLayout" { 2 } else { arguments.len() };
    let optional = |place: usize| match name {
        "SharedLinearLayout" => place > 0,
        IDENTITY | "NVMMADistributedLayout" => place > 2,
        _ => false,
    };
    let whole = (0..need).try_for_each(|place| match get(place) {
        Some(value) => complete(value, site, 0),
        None if optional(place) => Ok(()),
        None => Err(Unresolved { reason: Reason::Call, site }),
    });
    let list = |place| get(place).and_then(|value| list(value, site));
    let part = |place| get(place).map(|value| part(value, site));
    let bases = |place| get(place).and_then(|value| bases(value, site));
    let layout = match name {
        "BlockedLayout" => Gluon::Blocked([list(0), list(1), list(2), list(3)]),
        "SwizzledSharedLayout" => {
            Gluon::Swizzled { vec: part(0), per_phase: part(1), max_phase: part(2), order: list(3) }
        }
        "NVMMASharedLayout" => Gluon::Nvmma { swizzle: part(0), bits: part(1) },
        "SharedLinearLayout" => Gluon::SharedLinear {
            offset: bases(0),
            block: if get(1).is_none_or(|value| matches!(value, Value::None)) {
                Some(Bases { rows: Vec::new(), site })
            } else {
                bases(1)
            },
            alignment: part(2),
        },
        "PaddedSharedLayout" => Gluon::Padded {
            pairs: bases(0),
            offset: bases(1),
            block: bases(2),
            shape: list(3),
            order: None,
            identity: false,
        },
        IDENTITY => Gluon::Padded {
            pairs: bases(0),
            offset: None,
            block: bases(3),
            shape: list(1),
            order: list(2),
            identity: true,
        },
        "NVMMADistributedLayout" => Gluon::Mma([list(0), list(1), list(2)]),
        _ => Gluon::Distributed([bases(0), bases(1), bases(2), bases(3)], list(4)),
    };
    (layout, whole)
}

// Recursion: tuples nest to a fixed depth.
fn complete(value: &Value, site: Site, depth: usize) -> Resolved<()> {
    match value {
        Value::Unknown(why) => Err(*why),
        Value::Number(..) | Value::Bool(_) | Value::None => Ok(()),
        Value::Tuple(items) if depth < 4 => items.all.iter().try_for_each(|item| complete(item, site, depth + 1)),
        _ => Err(Unresolved { reason: Reason::NotNumeric, site }),
    }
}

fn part(value: &Value, site: Site) -> Part {
    match value {
        Value::Number(value, site, _) => Part { value: Some(*value), site: *site },
        _ => Part { value: None, site },
    }
}

/// A list of numbers.
pub(super) fn list(value: &Value, site: Site) -> Option<List> {
    let Value::Tuple(items) = value else { return None };
    let parts: Vec<Part> = items.all.iter().map(|item| part(item, site)).collect();
    // An item that is a list is none of these layouts.
    (parts.len() <= MAX_ITEMS).then_some(List { items: parts, site: items.site })
}

fn bases(value: &Value, site: Site) -> Option<Bases> {
    let Value::Tuple(items) = value else { return None };
    if items.all.len() > MAX_ITEMS {
        return None;
    }
    let rows = items.all.iter().map(|item| list(item, site)).collect::<Option<Vec<_>>>()?;
    Some(Bases { rows, site: items.site })
}
