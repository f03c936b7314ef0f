//! Matrix instructions of CuTe's DSL: their shapes and threads, and how they are tiled.
//!
//! Each figure here is what the DSL itself answers (nvidia-cutlass-dsl 4.8.1): `answers.rs` compares them with tables of its answers.

use std::rc::Rc;

use razorgirl::{IntTuple, Layout, Tiler};

use super::cute::{Arguments, NVGPU, bits, core_layout};
use super::value::{Value, derived};
use crate::ast::Site;
use crate::eval::{Reason, Resolved, TiledMma, Unresolved};

/// One matrix instruction, or several that are tiled.
#[derive(Debug)]
pub struct Mma {
    /// M, N and K of one.
    shape: [u64; 3],
    /// Its threads: of a warp, of four, or the blocks that issue it.
    threads: Layout,
    /// How they lie over M, N and K; nothing where it is one.
    atoms: Option<Layout>,
    /// What permutes M, N and K: layouts or `None`.
    permutation: Vec<Value>,
    /// Elements that share a scale, where they have scales.
    scaled: Option<u64>,
    /// Its class: `warp.F16BF16`; nothing where a helper chose it.
    class: Option<Rc<str>>,
}

/// A layout that is known to be one.
fn plain(extent: u64, stride: u64, site: Site) -> Resolved<Layout> {
    Layout::new(&IntTuple::leaf(extent), &IntTuple::leaf(stride)).map_err(|_| Unresolved { reason: Reason::Call, site })
}

/// The shape among the arguments: the first tuple of so many numbers.
fn shape_among(arguments: &Arguments<'_>, length: usize, names: &[&str]) -> Resolved<Vec<u64>> {
    let wrong = arguments.wrong(Reason::Call);
    let tuple = |value: &&Value| matches!(value, Value::Tuple(_));
    let named = arguments.named.iter().find(|(name, _)| names.contains(name)).map(|(_, value)| value);
    let Some(Value::Tuple(items)) = named.or_else(|| arguments.placed.iter().find(tuple)) else {
        return Err(arguments.unknown().unwrap_or(wrong));
    };
    if items.all.len() != length {
        return Err(wrong);
    }
    items.all.iter().map(|item| u64::try_from(item.as_number(arguments.site)?).map_err(|_| wrong)).collect()
}

/// The blocks that issue an instruction of `tcgen05` together.
fn group(arguments: &Arguments<'_>) -> Resolved<Layout> {
    let group =
        arguments.placed.iter().chain(arguments.named.iter().map(|(_, value)| value)).find_map(|value| match value {
            Value::Library(path) => path.strip_prefix("cutlass.CtaGroup."),
            _ => None,
        });
    match group {
        Some("ONE") => plain(1, 0, arguments.site),
        Some("TWO") => plain(2, 1, arguments.site),
        _ => Err(arguments.unknown().unwrap_or(arguments.wrong(Reason::Call))),
    }
}

/// The family and the operation of a class of instructions: `cutlass.cute.nvgpu.warp.MmaF16BF16Op`, also `warp.mma.MmaF16BF16Op`.
fn class(path: &str) -> Option<(&str, &str)> {
    let mut parts = path.strip_prefix(NVGPU)?.split('.');
    let (family, name) = (parts.next()?, parts.next_back()?);
    Some((family, name.strip_prefix("Mma")?.strip_suffix("Op")?))
}

/// A constructor of an instruction.
pub fn instruction(path: &str, arguments: &Arguments<'_>) -> Option<Resolved<Value>> {
    let (family, operation) = class(path)?;
    let scaled = match operation {
        "MXF4NVF4" => Some(16),
        "MXF4" | "MXF8" | "MXF8F6F4" => Some(32),
        _ => None,
    };
    // The scales of a warp's instruction of four bits may be said.
    if arguments.named.iter().any(|(name, _)| *name == "sf_vec_size") {
        return Some(Err(arguments.wrong(Reason::Call)));
    }
    Some(one(family, operation, arguments).map(|(shape, threads)| {
        let class = Some(format!("{family}.{operation}").into());
        Value::Mma(Rc::new(Mma { shape, threads, atoms: None, permutation: Vec::new(), scaled, class }))
    }))
}

fn one(family: &str, operation: &str, arguments: &Arguments<'_>) -> Resolved<([u64; 3], Layout)> {
    let site = arguments.site;
    let wrong = arguments.wrong(Reason::Call);
    let told = |shapes: &[[u64; 3]]| -> Resolved<[u64; 3]> {
        let shape = shape_among(arguments, 3, &["shape_mnk", "instruction_shape"])?;
        shapes.iter().find(|one| one.as_slice() == shape).copied().ok_or(wrong)
    };
    match (family, operation) {
        ("warp", "F16BF16") => Ok((told(&[[16, 8, 8], [16, 8, 16]])?, plain(32, 1, site)?)),
        ("warp", "TF32") => Ok((told(&[[16, 8, 4], [16, 8, 8]])?, plain(32, 1, site)?)),
        ("warp", "FP8") => Ok((told(&[[16, 8, 16], [16, 8, 32]])?, plain(32, 1, site)?)),
        ("warp", "MXF4" | "MXF4NVF4") => Ok(([16, 8, 64], plain(32, 1, site)?)),
        ("warp", "MXF8") => Ok(([16, 8, 32], plain(32, 1, site)?)),
        ("warpgroup", "F16BF16" | "F8" | "I8") => {
            let deep = if operation == "F16BF16" { 16 } else { 32 };
            match *shape_among(arguments, 3, &["instruction_shape"])? {
                [64, wide, k] if k == deep && wide % 8 == 0 && (8..=256).contains(&wide) => {
                    Ok(([64, wide, k], plain(128, 1, site)?))
                }
                _ => Err(wrong),
            }
        }
        ("tcgen05", "TF32" | "F16BF16" | "I8" | "FP8" | "F8F6F4" | "MXF8" | "MXF8F6F4" | "MXF4" | "MXF4NVF4") => {
            match *shape_among(arguments, 3, &["instruction_shape"])? {
                [m, n, k] => Ok(([m, n, k], group(arguments)?)),
                _ => Err(wrong),
            }
        }
        _ => Err(wrong),
    }
}

/// `make_mma_atom`, and `make_tiled_mma` with what it is tiled by.
pub fn tiled(name: &str, arguments: &Arguments<'_>) -> Resolved<Value> {
    let site = arguments.site;
    let wrong = arguments.wrong(Reason::Call);
    let Value::Mma(of) = arguments.need(0, &["op", "op_or_atom", "atom"])? else { return Err(wrong) };
    if name == "make_mma_atom" {
        return Ok(Value::Mma(of.clone()));
    }
    arguments.only(3, &["op_or_atom", "atom_layout_mnk", "permutation_mnk"])?;
    let atoms = match arguments.may(1, &["atom_layout_mnk"])? {
        None => core_layout("make_layout", &Value::tuple(vec![Value::number(1, site); 3], site)?, site)?,
        Some(layout @ Value::Layout(_)) => layout.core(site)?,
        Some(shape) => core_layout("make_layout", shape, site)?,
    };
    let permutation = match arguments.may(2, &["permutation_mnk"])? {
        None => vec![Value::None; 3],
        Some(Value::Tuple(items)) if items.all.len() == 3 => {
            let one = |value: &Value| match value {
                Value::None | Value::Layout(_) => Ok(value.clone()),
                Value::Unknown(why) => Err(*why),
                extent => Ok(derived(&core_layout("make_layout", extent, site)?, site)),
            };
            items.all.iter().map(one).collect::<Resolved<_>>()?
        }
        Some(_) => return Err(wrong),
    };
    if atoms.rank() != 3 || of.atoms.is_some() {
        return Err(wrong);
    }
    Ok(Value::Mma(Rc::new(Mma {
        shape: of.shape,
        threads: of.threads.clone(),
        atoms: Some(atoms),
        permutation,
        scaled: of.scaled,
        class: None,
    })))
}

/// Helpers that choose the instruction by the type of A and tile it: `make_trivial_tiled_mma` and the like.
pub fn trivial(path: &str, arguments: &Arguments<'_>) -> Option<Resolved<Value>> {
    let (module, name) = path.strip_prefix("cutlass.utils.")?.rsplit_once('.')?;
    let (hopper, scaled) = match (module, name) {
        ("blackwell_helpers" | "sm100", "get_permutation_mnk") => return Some(permutation(arguments)),
        ("hopper_helpers" | "sm90", "make_trivial_tiled_mma") => (true, false),
        ("blackwell_helpers" | "sm100", "make_trivial_tiled_mma") => (false, false),
        ("blackwell_helpers" | "sm100", "make_blockscaled_trivial_tiled_mma") => (false, true),
        _ => return None,
    };
    Some(chosen(hopper, scaled, arguments))
}

fn chosen(hopper: bool, scaled: bool, arguments: &Arguments<'_>) -> Resolved<Value> {
    let site = arguments.site;
    let wrong = arguments.wrong(Reason::Call);
    let kind = |place, names: &[&str]| -> Resolved<&str> {
        match arguments.need(place, names)? {
            Value::Library(path) if bits(path).is_some() => Ok(path),
            _ => Err(wrong),
        }
    };
    let first = kind(0, &["a_dtype", "ab_dtype"])?;
    // One type for both in an older way to call it.
    let legacy = arguments.named.iter().any(|(name, _)| *name == "ab_dtype")
        || matches!(arguments.placed.get(1), Some(Value::Library(path)) if path.starts_with("cutlass.OperandMajorMode."));
    let second = if legacy { first } else { kind(1, &["b_dtype"])? };
    let short = |path: &str| matches!(path, "cutlass.Float4E2M1FN");
    let narrow = |path: &str| {
        matches!(
            path,
            "cutlass.Float8E4M3FN"
                | "cutlass.Float8E5M2"
                | "cutlass.Float6E3M2FN"
                | "cutlass.Float6E2M3FN"
                | "cutlass.Float4E2M1FN"
        )
    };
    let half = |path: &str| matches!(path, "cutlass.Float16" | "cutlass.BFloat16");
    let eighth = |path: &str| matches!(path, "cutlass.Float8E4M3FN" | "cutlass.Float8E5M2");
    let whole = |path: &str| matches!(path, "cutlass.Int8" | "cutlass.Uint8");
    let deep = match (first, second) {
        (a, b) if scaled && short(a) && short(b) => 64,
        (a, b) if scaled && narrow(a) && narrow(b) => 32,
        _ if scaled => return Err(wrong),
        (a, b) if half(a) && a == b => 16,
        ("cutlass.TFloat32", "cutlass.TFloat32") if !hopper => 8,
        (a, b) if whole(a) && whole(b) || eighth(a) && eighth(b) => 32,
        _ => return Err(wrong),
    };
    let tile = if hopper {
        arguments.need(6, &["tiler_mn"])?
    } else {
        let place = if legacy { 5 } else { 6 } + usize::from(scaled);
        arguments.need(place, &["mma_tiler_mn"])?
    };
    let Value::Tuple(tile) = tile else { return Err(wrong) };
    let [rows, columns] = tile.all.as_slice() else { return Err(wrong) };
    let extent = |value: &Value| u64::try_from(value.as_number(site)?).map_err(|_| wrong);
    let shape = [extent(rows)?, extent(columns)?, deep];
    let threads = if hopper { plain(128, 1, site)? } else { group(arguments)? };
    let of =
        Value::Mma(Rc::new(Mma { shape, threads, atoms: None, permutation: Vec::new(), scaled: None, class: None }));
    let mut placed = vec![of];
    if hopper {
        placed.push(arguments.need(5, &["atom_layout_mnk"])?.clone());
    }
    tiled("make_tiled_mma", &Arguments { placed: &placed, named: &[], site })
}

impl Mma {
    /// Whether it is the same as another, wherever they are made.
    pub fn same(&self, other: &Self) -> bool {
        let permuted = |(one, other): (&Value, &Value)| one.same(other);
        (self.shape, &self.threads, &self.atoms) == (other.shape, &other.threads, &other.atoms)
            && (self.scaled, &self.class) == (other.scaled, &other.class)
            && self.permutation.len() == other.permutation.len()
            && self.permutation.iter().zip(&other.permutation).all(permuted)
    }

    /// Whether it is of a class, and no other: base classes are not compared.
    pub fn is_of(&self, path: &str) -> Option<bool> {
        let (family, operation) = class(path)?;
        let single = !matches!(operation, "" | "SM120BlockScaled");
        let own = self.class.as_ref().filter(|_| self.atoms.is_none() && single)?;
        Some(own.split_once('.') == Some((family, operation)))
    }

    /// The threads by instruction, M, N and K: CuTe's `tiled_product(thr_id, atom_layout_mnk)`.
    fn vmnk(&self, site: Site) -> Resolved<Layout> {
        let wrong = Unresolved { reason: Reason::Call, site };
        let atoms = self.atoms.as_ref().ok_or(wrong)?;
        self.threads.tiled_product(&Tiler::Layout(atoms.clone())).map_err(|_| wrong)
    }

    /// How many threads execute it.
    pub fn threads_of_all(&self, site: Site) -> Resolved<u64> {
        Ok(self.vmnk(site)?.size())
    }

    /// As C++ knows it, if it is tiled.
    pub fn tiled(&self, site: Site) -> Option<TiledMma> {
        let tile = |axis: usize| match self.permutation.get(axis) {
            Some(layout @ Value::Layout(_)) => layout.core(site).ok().map(|layout| layout.size()),
            _ => None,
        };
        let (shape, atoms) = (self.shape, self.atoms.clone()?);
        Some(TiledMma { shape, threads: self.threads.size(), atoms, tile: [0, 1, 2].map(tile) })
    }

    /// An attribute.
    pub fn attribute(&self, name: &str, site: Site) -> Resolved<Value> {
        let wrong = Unresolved { reason: Reason::Call, site };
        match name {
            "shape_mnk" => {
                let all = self.shape.iter().map(|extent| Value::number(i128::from(*extent), site));
                Value::tuple(all.collect(), site)
            }
            "thr_id" => Ok(derived(&self.threads, site)),
            "thr_layout_vmnk" => Ok(derived(&self.vmnk(site)?, site)),
            "size" => Ok(Value::number(i128::from(self.vmnk(site)?.size()), site)),
            "permutation_mnk" if self.atoms.is_some() => Value::tuple(self.permutation.clone(), site),
            // Of the operation; a tiled one has its own in `op`.
            "sf_vec_size" if self.atoms.is_none() => match self.scaled {
                Some(scaled) => Ok(Value::number(i128::from(scaled), site)),
                None => Err(Unresolved { reason: Reason::UnknownMember, site }),
            },
            _ => Err(wrong),
        }
    }

    /// `get_tile_size(mode)`: the permutation's extent, or that of the instructions in this mode.
    pub fn tile_size(&self, mode: &Value, site: Site) -> Resolved<Value> {
        let wrong = Unresolved { reason: Reason::Call, site };
        let mode = usize::try_from(mode.as_number(site)?).map_err(|_| wrong)?;
        let atoms = self.atoms.as_ref().and_then(|atoms| atoms.mode(mode)).ok_or(wrong)?;
        let extent = self.shape.get(mode).ok_or(wrong)?;
        match self.permutation.get(mode) {
            Some(Value::None) => {
                let whole = i128::from(*extent).checked_mul(i128::from(atoms.size())).ok_or(wrong)?;
                Ok(Value::number(whole, site))
            }
            Some(layout) => Ok(Value::number(i128::from(layout.core(site)?.size()), site)),
            None => Err(wrong),
        }
    }
}

/// What SM120's instructions with scales are tiled by: M up to 128, 32 of N of which the middle ones change places, one instruction's K.
fn permutation(arguments: &Arguments<'_>) -> Resolved<Value> {
    let site = arguments.site;
    let wrong = arguments.wrong(Reason::Call);
    arguments.only(3, &["tile_shape_mnk", "sf_vec_size", "use_mxf8f6f4"])?;
    let Value::Tuple(tile) = arguments.need(0, &["tile_shape_mnk"])? else { return Err(wrong) };
    let m = tile.all.first().ok_or(wrong)?.as_number(site)?;
    if !matches!(arguments.need(1, &["sf_vec_size"])?.as_number(site)?, 16 | 32) {
        // The DSL raises: no program goes on with it.
        return Err(arguments.wrong(Reason::Dependent));
    }
    let k = if arguments.need(2, &["use_mxf8f6f4"])?.truth().ok_or(wrong)? { 32 } else { 64 };
    let triple = |three: [u64; 3]| IntTuple::tuple(&three.map(IntTuple::leaf)).map_err(|_| wrong);
    let n = Layout::new(&triple([8, 2, 2])?, &triple([1, 16, 8])?).map_err(|_| wrong)?;
    Value::tuple(vec![Value::number(m.min(128), site), derived(&n, site), Value::number(k, site)], site)
}
