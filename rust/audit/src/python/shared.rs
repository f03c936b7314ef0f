//! Layouts of shared memory that matrix instructions read, as helpers of CuTe's DSL make and choose them.
//!
//! Each figure here is what the DSL itself answers (nvidia-cutlass-dsl 4.8.1): `answers.rs` compares them with tables of its answers.

use razorgirl::{IntTuple, Layout, Swizzle};

use super::cute::{Answer, Arguments, NVGPU, bits, call, composed_of};
use super::value::Value;
use crate::eval::{Reason, Resolved, Unresolved};

/// Layouts of shared memory that matrix instructions read, and what chooses them.
pub fn shared_memory(path: &str, arguments: &Arguments<'_>) -> Option<Resolved<Value>> {
    let (module, name) = path.rsplit_once('.')?;
    let hopper = matches!(module, "cutlass.utils.hopper_helpers" | "cutlass.utils.sm90");
    let blackwell = matches!(module, "cutlass.utils.blackwell_helpers" | "cutlass.utils.sm100");
    let family = module.strip_prefix(NVGPU).map(|rest| rest.strip_suffix(".helpers").unwrap_or(rest));
    match (name, family) {
        ("make_smem_layout_atom", Some(family @ ("warpgroup" | "tcgen05"))) => Some(atom(arguments, family)),
        ("get_smem_layout_atom", None) if hopper => Some(hopper_kind(arguments)),
        ("get_smem_layout_atom_ab", None) if blackwell => Some(blackwell_kind(arguments)),
        ("get_smem_layout_atom_epi", None) if blackwell => Some(epilogue_kind(arguments)),
        ("make_smem_layout_a" | "make_smem_layout_b", None) if hopper => Some(hopper_operand(name, arguments)),
        ("make_smem_layout_epi", None) if hopper || blackwell => Some(epilogue(hopper, arguments)),
        _ => None,
    }
}

/// The layout of a kind, in elements of a type: eight rows of 16 to 128 bytes.
fn atom(arguments: &Arguments<'_>, family: &str) -> Resolved<Value> {
    let site = arguments.site;
    let wrong = arguments.wrong(Reason::Call);
    arguments.only(2, &["kind", "element_type"])?;
    let (Value::Library(kind), Value::Library(element)) =
        (arguments.need(0, &["kind"])?, arguments.need(1, &["element_type"])?)
    else {
        return Err(wrong);
    };
    let (owner, kind) = kind.rsplit_once(".SmemLayoutAtomKind.").ok_or(wrong)?;
    let owner = owner.strip_prefix(NVGPU).ok_or(wrong)?;
    if owner.strip_suffix(".mma").unwrap_or(owner) != family {
        return Err(wrong);
    }
    let width = bits(element).filter(|width| *width >= 4 && width.is_power_of_two()).ok_or(wrong)?;
    let (major, size) = kind.split_once('_').ok_or(wrong)?;
    let (contiguous, swizzle) = match size {
        "INTER" => (128, (0, 4, 3)),
        "SW32" => (256, (1, 4, 3)),
        "SW64" => (512, (2, 4, 3)),
        "SW128" => (1024, (3, 4, 3)),
        "SW128_32B" if family == "tcgen05" && major == "MN" => (1024, (2, 5, 2)),
        _ => return Err(wrong),
    };
    let elements = contiguous / width;
    let (shape, stride) = match major {
        "MN" => ([elements, 8], [1, elements]),
        "K" => ([8, elements], [elements, 1]),
        _ => return Err(wrong),
    };
    let pair = |pair: [u64; 2]| IntTuple::tuple(&pair.map(IntTuple::leaf)).map_err(|_| wrong);
    let layout = Layout::new(&pair(shape)?, &pair(stride)?).map_err(|_| wrong)?;
    composed_of(Swizzle::new(swizzle.0, swizzle.1, swizzle.2), &layout, site)
}

/// The kind for so many contiguous bits.
fn kind(family: &str, major: &str, bits: u64) -> Value {
    let size = [(1024, "SW128"), (512, "SW64"), (256, "SW32")]
        .into_iter()
        .find(|(size, _): &(u64, _)| bits.is_multiple_of(*size));
    let size = size.map_or("INTER", |(_, size)| size);
    Value::Library(format!("{NVGPU}{family}.SmemLayoutAtomKind.{major}_{size}").into())
}

/// Whether a tensor is K-major, or the rows of C lie together.
fn row_major(value: &Value, wrong: Unresolved) -> Resolved<bool> {
    match value {
        Value::Library(path) if &**path == "cutlass.LayoutEnum.ROW_MAJOR" => Ok(true),
        Value::Library(path) if &**path == "cutlass.LayoutEnum.COL_MAJOR" => Ok(false),
        _ => Err(wrong),
    }
}

fn width_of(value: &Value, wrong: Unresolved) -> Resolved<u64> {
    match value {
        Value::Library(path) => bits(path).ok_or(wrong),
        _ => Err(wrong),
    }
}

/// Elements of the major mode, of which CuTe wants a multiple of 8.
fn major_size(value: &Value, arguments: &Arguments<'_>) -> Resolved<u64> {
    let wrong = arguments.wrong(Reason::Call);
    let size = u64::try_from(value.as_number(arguments.site)?).map_err(|_| wrong)?;
    match size {
        1..=0xffff_ffff if size % 8 == 0 => Ok(size),
        // The DSL raises: no program goes on with it.
        1..=0xffff_ffff => Err(arguments.wrong(Reason::Dependent)),
        _ => Err(wrong),
    }
}

fn hopper_kind(arguments: &Arguments<'_>) -> Resolved<Value> {
    let wrong = arguments.wrong(Reason::Call);
    arguments.only(3, &["layout", "element_type", "major_mode_size"])?;
    let rows = row_major(arguments.need(0, &["layout"])?, wrong)?;
    let width = width_of(arguments.need(1, &["element_type"])?, wrong)?;
    let size = major_size(arguments.need(2, &["major_mode_size"])?, arguments)?;
    Ok(kind("warpgroup", if rows { "K" } else { "MN" }, size * width))
}

fn blackwell_kind(arguments: &Arguments<'_>) -> Resolved<Value> {
    let wrong = arguments.wrong(Reason::Call);
    arguments.only(3, &["major_mode", "element_type", "smem_shape_mn_k"])?;
    let deep = match arguments.need(0, &["major_mode"])? {
        Value::Library(path) if &**path == "cutlass.OperandMajorMode.K" => true,
        Value::Library(path) if &**path == "cutlass.OperandMajorMode.MN" => false,
        _ => return Err(wrong),
    };
    let width = width_of(arguments.need(1, &["element_type"])?, wrong)?;
    tcgen05_kind(deep, width, arguments.need(2, &["smem_shape_mn_k"])?, arguments)
}

fn tcgen05_kind(deep: bool, width: u64, shape: &Value, arguments: &Arguments<'_>) -> Resolved<Value> {
    let site = arguments.site;
    let wrong = arguments.wrong(Reason::Call);
    let Value::Tuple(shape) = shape else { return Err(wrong) };
    let mode = shape.all.get(usize::from(deep)).ok_or(wrong)?;
    let size = match call("cutlass.cute.size", std::slice::from_ref(mode), &[], site) {
        Answer::Value(value) => value?,
        _ => return Err(wrong),
    };
    let bits = major_size(&size, arguments)? * width;
    if !bits.is_multiple_of(128) {
        return Err(wrong);
    }
    if !deep && width == 32 && bits.is_multiple_of(1024) {
        return Ok(Value::Library(format!("{NVGPU}tcgen05.SmemLayoutAtomKind.MN_SW128_32B").into()));
    }
    Ok(kind("tcgen05", if deep { "K" } else { "MN" }, bits))
}

fn epilogue_kind(arguments: &Arguments<'_>) -> Resolved<Value> {
    let wrong = arguments.wrong(Reason::Call);
    arguments.only(3, &["layout", "element_type", "epi_tile"])?;
    let rows = row_major(arguments.need(0, &["layout"])?, wrong)?;
    let width = width_of(arguments.need(1, &["element_type"])?, wrong)?;
    tcgen05_kind(rows, width, arguments.need(2, &["epi_tile"])?, arguments)
}

/// An atom that is laid side by side over a shape of two modes and stages.
fn staged(kind: Value, element: &Value, shape: Vec<Value>, rows: bool, arguments: &Arguments<'_>) -> Resolved<Value> {
    let site = arguments.site;
    let family = match &kind {
        Value::Library(path) if path.contains(".warpgroup.") => "warpgroup",
        _ => "tcgen05",
    };
    let atom = atom(&Arguments { placed: &[kind, element.clone()], named: &[], site }, family)?;
    let order = if rows { [0, 1, 2] } else { [1, 0, 2] }.map(|place| Value::number(place, site));
    let placed = [atom, Value::tuple(shape, site)?, Value::tuple(order.to_vec(), site)?];
    match call("cutlass.cute.tile_to_shape", &placed, &[], site) {
        Answer::Value(value) => value,
        _ => Err(arguments.wrong(Reason::Call)),
    }
}

fn hopper_operand(name: &str, arguments: &Arguments<'_>) -> Resolved<Value> {
    let wrong = arguments.wrong(Reason::Call);
    let [layout, tile, element] = if name == "make_smem_layout_a" {
        ["a_layout", "mma_tiler_mnk", "a_dtype"]
    } else {
        ["b_layout", "mma_tiler_mnk", "b_dtype"]
    };
    arguments.only(4, &[layout, tile, element, "num_stages"])?;
    let rows = row_major(arguments.need(0, &[layout])?, wrong)?;
    let Value::Tuple(tile) = arguments.need(1, &[tile])? else { return Err(wrong) };
    let element = arguments.need(2, &[element])?;
    let stages = arguments.need(3, &["num_stages"])?;
    let [m, n, k] = tile.all.as_slice() else { return Err(wrong) };
    let wide = if name == "make_smem_layout_a" { m } else { n };
    let size = major_size(if rows { k } else { wide }, arguments)?;
    let kind = kind("warpgroup", if rows { "K" } else { "MN" }, size * width_of(element, wrong)?);
    staged(kind, element, vec![wide.clone(), k.clone(), stages.clone()], rows, arguments)
}

fn epilogue(hopper: bool, arguments: &Arguments<'_>) -> Resolved<Value> {
    let wrong = arguments.wrong(Reason::Call);
    arguments.only(4, &["epi_dtype", "epi_layout", "epi_tile", "epi_stage"])?;
    let element = arguments.need(0, &["epi_dtype"])?;
    let rows = row_major(arguments.need(1, &["epi_layout"])?, wrong)?;
    let tile = arguments.need(2, &["epi_tile"])?;
    let stages = arguments.need(3, &["epi_stage"])?;
    let width = width_of(element, wrong)?;
    let Value::Tuple(items) = tile else { return Err(wrong) };
    let [m, n] = items.all.as_slice() else { return Err(wrong) };
    let kind = if hopper {
        let size = major_size(if rows { n } else { m }, arguments)?;
        kind("warpgroup", if rows { "K" } else { "MN" }, size * width)
    } else {
        tcgen05_kind(rows, width, tile, arguments)?
    };
    // Tiles of layouts are another matter.
    m.as_number(arguments.site)?;
    n.as_number(arguments.site)?;
    staged(kind, element, vec![m.clone(), n.clone(), stages.clone()], rows, arguments)
}

/// Methods of `LayoutEnum`.
pub fn majorness(path: &str) -> Option<Value> {
    let (value, method) = path.strip_prefix("cutlass.LayoutEnum.")?.split_once('.')?;
    let rows = match value {
        "ROW_MAJOR" => true,
        "COL_MAJOR" => false,
        _ => return None,
    };
    match method {
        "is_k_major_a" | "is_k_major_b" | "is_n_major_c" => Some(Value::Bool(rows)),
        "is_m_major_a" | "is_n_major_b" | "is_m_major_c" => Some(Value::Bool(!rows)),
        "mma_major_mode" | "sm90_mma_major_mode" => {
            Some(Value::Library(format!("cutlass.OperandMajorMode.{}", if rows { "K" } else { "MN" }).into()))
        }
        _ => None,
    }
}

/// Bytes of shared memory that a block may have, as the DSL counts them.
pub fn capacity(architecture: &Value) -> Option<i128> {
    let Value::Text(architecture) = architecture else { return None };
    Some(match &**architecture {
        "sm_80" => 166_912,
        "sm_86" | "sm_89" | "sm_120" => 101_376,
        "sm_90" | "sm_100" => 232_448,
        _ => return None,
    })
}
