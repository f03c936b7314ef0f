//! What CuTe makes of a `TiledMMA` and of tensors: the sizes of its tile, its threads, and the fragment of C that a thread has. The
//! instruction's own shape and layouts are those of its `MMA_Traits` among the files; the rest is computed by the library as
//! `TiledMMA::thrfrg_C` does it.
//!
//! A tensor is a value `Tensor<Engine<element>, layout>`; where it lies in memory does not matter here.

use razorgirl::{Layout, Tiler};

use super::{Context, Evaluator};
use crate::ast::{ExprId, Segment, Site};
use crate::eval::program::GLOBAL;
use crate::eval::reason::{Reason, Resolved, Unresolved};
use crate::eval::swizzled::Swizzled;
use crate::eval::value::{Named, Number, Value};
use crate::eval::{algebra, builtin};

/// Functions of a tiled MMA or of a tensor, in order.
const FUNCTIONS: [&str; 9] = [
    "make_tensor",
    "make_tiled_copy_A",
    "make_tiled_copy_B",
    "make_tiled_copy_C",
    "make_tiled_mma",
    "partition_fragment_C",
    "partition_shape_C",
    "tile_shape",
    "tile_size",
];

/// Whether a function is one of these.
pub(super) fn is_function(name: &str) -> bool {
    FUNCTIONS.binary_search(&name).is_ok()
}

/// A `TiledMMA<atom, threads, permutation>`.
struct Tiled<'a> {
    atom: Value<'a>,
    threads: Layout,
    /// What is done to M, N and K before; none for `_`.
    order: Vec<Option<Value<'a>>>,
}

/// The template arguments of a class, with those that have defaults.
fn arguments<'v, 'a>(named: &'v Named<'a>) -> &'v [Value<'a>] {
    let given = named.args.as_deref().unwrap_or_default();
    match &named.env {
        Some(frame) if named.class.is_some() && frame.values.len() >= given.len() => &frame.values,
        _ => given,
    }
}

/// The class that a value is, if it has one of some names and is CuTe's.
pub(super) fn cute<'v, 'a>(value: &'v Value<'a>, names: &[&str]) -> Option<&'v Named<'a>> {
    match value {
        Value::Named(named) if names.contains(&named.name()) => {
            matches!(named.path.as_slice(), [_] | ["cute", _]).then_some(named.as_ref())
        }
        _ => None,
    }
}

/// Whether a value is a `TiledMMA`, of which the type says everything.
pub(super) fn is_tiled(value: &Value<'_>) -> bool {
    cute(value, &["TiledMMA", "ThrMMA"]).is_some_and(|named| named.args.is_some())
}

/// Whether a name is that of a tiled MMA, its atom or the traits of that, of which no file has the class.
pub(super) fn names_tiled(path: &[&str]) -> bool {
    matches!(path, [name] | ["cute", name] if matches!(*name, "MMA_Atom" | "MMA_Traits" | "TiledMMA"))
}

/// Whether a value is a tensor of `torch`, of which nothing is known before it runs.
pub(super) fn is_of_torch(value: &Value<'_>) -> bool {
    let Value::Named(named) = value else { return false };
    named.class.is_none() && matches!(named.path.as_slice(), ["at" | "torch", "Tensor"])
}

/// The element and the layout of a tensor.
pub(super) fn tensor<'v, 'a>(value: &'v Value<'a>) -> Option<(&'v Value<'a>, &'v Value<'a>)> {
    match cute(value, &["Tensor"])?.args.as_deref()? {
        [engine, layout] => Some((engine, layout)),
        _ => None,
    }
}

/// What a `TiledMMA` or a slice of one says.
fn tiled_mma<'a>(value: &Value<'a>, site: Site) -> Resolved<Tiled<'a>> {
    let unknown = Unresolved { reason: Reason::Call, site };
    let Some(named) = cute(value, &["TiledMMA", "ThrMMA"]) else { return Err(why(value).unwrap_or(unknown)) };
    let [atom, more @ ..] = arguments(named) else { return Err(unknown) };
    let threads = match more.first() {
        None => "(1,1,1):(0,0,0)".parse().map_err(|_| unknown)?,
        Some(Value::Layout(layout)) => {
            let layout = algebra::core(layout, site)?;
            if layout.rank() < 3 { layout.append(3).map_err(|_| unknown)? } else { layout }
        }
        Some(other) => return Err(why(other).unwrap_or(unknown)),
    };
    let mut order: Vec<Option<Value<'a>>> = match more.get(1) {
        None => Vec::new(),
        Some(Value::Tuple(of)) => {
            let keeps = |item: &Value<'a>| cute(item, &["_", "Underscore"]).is_some();
            of.items.iter().map(|item| (!keeps(item)).then(|| item.clone())).collect()
        }
        Some(other) => return Err(why(other).unwrap_or(unknown)),
    };
    order.resize(3, None);
    if threads.rank() != 3 || more.len() > 2 {
        return Err(unknown);
    }
    Ok(Tiled { atom: atom.clone(), threads, order })
}

impl<'a> Evaluator<'a> {
    /// What one of the functions returns.
    pub(super) fn tiled(
        &mut self,
        name: &str,
        modes: Option<&'a [ExprId]>,
        args: &'a [ExprId],
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        let unknown = Unresolved { reason: Reason::Call, site };
        let modes = modes.map(|modes| self.arguments(modes, context)).unwrap_or_default();
        if name == "make_tensor" {
            return self.tensor(modes.first(), args, site, context);
        }
        let values = self.typed_arguments(args, context);
        match (name, values.as_slice()) {
            ("make_tiled_mma", [atom, more @ ..]) => {
                let atom = match cute(atom, &["MMA_Atom"]) {
                    Some(_) => atom.clone(),
                    None if matches!(atom, Value::Named(_)) => {
                        Named::unknown(vec!["cute", "MMA_Atom"], Some(vec![atom.clone()]), site)?
                    }
                    None => return Err(why(atom).unwrap_or(unknown)),
                };
                let args = std::iter::once(atom).chain(more.iter().cloned()).collect();
                Named::unknown(vec!["cute", "TiledMMA"], Some(args), site)
            }
            ("make_tiled_copy_C", [atom, mma]) => match self.tiled_copy_c(atom, mma, site, context) {
                Err(why) if why.reason != Reason::Dependent => {
                    crate::eval::tiled::copy_of_mma(name, atom, mma, site).unwrap_or(Err(why))
                }
                known => known,
            },
            ("make_tiled_copy_A" | "make_tiled_copy_B", [atom, mma]) => {
                crate::eval::tiled::copy_of_mma(name, atom, mma, site).unwrap_or(Err(unknown))
            }
            ("partition_fragment_C" | "partition_shape_C", [mma, shape]) => {
                let tiled = tiled_mma(mma, site)?;
                let layout = self.fragment_c(&tiled, shape, site, context)?;
                let layout = algebra::constant(layout, site)?;
                let shape = builtin::apply("shape", &[], &[layout], site)?;
                if name == "partition_shape_C" {
                    return Ok(shape);
                }
                let layout = builtin::apply("make_layout", &[], &[shape], site)?;
                of_tensor(Value::Opaque(unknown), layout, site)
            }
            ("tile_shape", [mma]) => {
                let sizes =
                    (0..3).map(|mode| self.tile_size(mma, mode, site, context)).collect::<Resolved<Vec<_>>>()?;
                crate::eval::constants::tuple(sizes, site)
            }
            ("tile_size", [mma]) => match modes.as_slice() {
                [Value::Number(mode)] => self.tile_size(mma, mode.value, site, context),
                _ => Err(unknown),
            },
            (_, values) => Err(values.iter().find_map(why).unwrap_or(unknown)),
        }
    }

    /// What a member function of a tiled MMA or a tensor returns; `None` for other objects and functions.
    pub(super) fn method(
        &mut self,
        object: &Value<'a>,
        segment: &'a Segment,
        args: &'a [ExprId],
        site: Site,
        context: &Context<'a>,
    ) -> Option<Resolved<Value<'a>>> {
        let name = self.program.text(Self::site(context, segment.name));
        if let Some((_, layout)) = tensor(object) {
            return match (name, args) {
                ("layout", []) => Some(Ok(layout.clone())),
                ("shape" | "size" | "stride", []) => Some(measured(name, &[], layout, site)),
                _ => None,
            };
        }
        if !is_tiled(object) {
            return None;
        }
        Some(match (name, args) {
            ("get_slice" | "get_thread_slice" | "thread_slice", [_]) => Ok(object.clone()),
            ("get_thr_layout_vmnk", []) => tiled_mma(object, site)
                .and_then(|tiled| self.threads(&tiled, site, context))
                .and_then(|threads| algebra::constant(threads, site)),
            ("tile_size_mnk", []) => {
                let modes = segment.args.as_deref().map(|args| self.arguments(args, context)).unwrap_or_default();
                match modes.as_slice() {
                    [Value::Number(mode)] => self.tile_size(object, mode.value, site, context),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// `size(mma)`, `size<0>(tensor)`, `layout(tensor)` and the like, for one argument that is such an object.
    pub(super) fn measure_object(
        &mut self,
        name: &str,
        modes: &[Value<'a>],
        of: &Value<'a>,
        site: Site,
        context: &Context<'a>,
    ) -> Option<Resolved<Value<'a>>> {
        if let Some((_, layout)) = tensor(of) {
            return matches!(name, "size" | "shape" | "stride" | "rank" | "cosize" | "layout")
                .then(|| measured(name, modes, layout, site));
        }
        if name == "size" && is_tiled(of) {
            let threads = tiled_mma(of, site).and_then(|tiled| self.threads(&tiled, site, context));
            let layout = threads.and_then(|threads| algebra::constant(threads, site));
            return Some(layout.and_then(|layout| builtin::apply("size", modes, &[layout], site)));
        }
        None
    }

    /// A tensor of a layout, or of a shape and a stride, in memory or in registers.
    fn tensor(
        &mut self,
        element: Option<&Value<'a>>,
        args: &'a [ExprId],
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        let unknown = Unresolved { reason: Reason::Call, site };
        // With an element there is no pointer in front.
        let parts = if element.is_some() { args } else { args.get(1..).ok_or(unknown)? };
        let layout = match parts {
            [only] => match self.eval(*only, context)? {
                layout @ Value::Layout(_) => layout,
                shape @ (Value::Tuple(_) | Value::Number(_)) => builtin::apply("make_layout", &[], &[shape], site)?,
                swizzled if Swizzled::of(&swizzled).is_some() => swizzled,
                other => return Err(why(&other).unwrap_or(unknown)),
            },
            [shape, stride] => {
                let (shape, stride) = (self.eval(*shape, context)?, self.eval(*stride, context)?);
                builtin::apply("make_layout", &[], &[shape, stride], site)?
            }
            _ => return Err(unknown),
        };
        of_tensor(element.cloned().unwrap_or(Value::Opaque(unknown)), layout, site)
    }

    /// A member of the `MMA_Traits` of an atom.
    fn traits(
        &mut self,
        atom: &Value<'a>,
        name: &'static str,
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        let unknown = Unresolved { reason: Reason::Call, site };
        let operation = match cute(atom, &["MMA_Atom"]) {
            Some(atom) => atom.args.as_deref().and_then(<[Value<'a>]>::first).cloned().ok_or(unknown)?,
            None => atom.clone(),
        };
        let class = if cute(&operation, &["MMA_Traits"]).is_some() {
            operation
        } else {
            if let Some(why) = why(&operation) {
                return Err(why);
            }
            let space = self.program.inner(GLOBAL, "cute", context.unit).ok_or(unknown)?;
            let decls = self.within(space, "MMA_Traits", context.unit);
            self.class(&decls, Some(&[operation]), &None, site)?
        };
        match self.member_path(&class, name, None, site, context)? {
            Value::Opaque(why) => Err(why),
            value => Ok(value),
        }
    }

    /// The same, or what the name of the instruction says where no file has its traits.
    fn traits_or_name(
        &mut self,
        atom: &Value<'a>,
        name: &'static str,
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        let said = self.traits(atom, name, site, context);
        let unread = match &said {
            Err(why) => matches!(why.reason, Reason::UnknownName | Reason::Call),
            Ok(Value::Named(named)) => named.class.is_none(),
            Ok(_) => false,
        };
        if !unread {
            return said;
        }
        // Traits of somebody's own may stand in a file that was not read, but not of CuTe's instructions.
        crate::eval::tiled::by_name(atom, name, site).unwrap_or(said)
    }

    fn atom_layout(
        &mut self,
        tiled: &Tiled<'a>,
        name: &'static str,
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Layout> {
        match self.traits_or_name(&tiled.atom, name, site, context)? {
            Value::Layout(layout) => algebra::core(&layout, site),
            other => Err(why(&other).unwrap_or(Unresolved { reason: Reason::Call, site })),
        }
    }

    /// M, N and K of the instruction.
    fn atom_shape(&mut self, tiled: &Tiled<'a>, site: Site, context: &Context<'a>) -> Resolved<[u64; 3]> {
        let unknown = Unresolved { reason: Reason::Call, site };
        let shape = self.traits_or_name(&tiled.atom, "Shape_MNK", site, context)?;
        let mut sizes = [0; 3];
        for (mode, size) in sizes.iter_mut().enumerate() {
            let mode = number(i128::try_from(mode).unwrap_or(0), site);
            let Value::Number(extent) = builtin::apply("size", &[mode], std::slice::from_ref(&shape), site)? else {
                return Err(unknown);
            };
            *size = u64::try_from(extent.value).ok().filter(|size| *size > 0).ok_or(unknown)?;
        }
        Ok(sizes)
    }

    /// Where each thread of the instruction, and each of its copies in M, N and K, is among the threads.
    fn threads(&mut self, tiled: &Tiled<'a>, site: Site, context: &Context<'a>) -> Resolved<Layout> {
        let unknown = Unresolved { reason: Reason::Call, site };
        let own = self.atom_layout(tiled, "ThrID", site, context)?;
        // `tiled_product`: the threads of one instruction, and the modes of the others.
        let all = own.logical_product(&tiled.threads).map_err(|_| unknown)?;
        let (own, others) = (all.mode(0).ok_or(unknown)?, all.mode(1).ok_or(unknown)?);
        let modes: Vec<Layout> = std::iter::once(own).chain(others.sublayouts()).collect();
        Layout::concat(&modes).map_err(|_| unknown)
    }

    /// What a tiled MMA or an atom takes over from the traits of its instruction; `None` for other members and classes.
    pub(super) fn tiled_member(
        &mut self,
        of: &Value<'a>,
        name: &str,
        site: Site,
        context: &Context<'a>,
    ) -> Option<Resolved<Value<'a>>> {
        let tiled = is_tiled(of);
        if let Some(traits) = cute(of, &["MMA_Traits"]) {
            // Traits among the files have the members that they have.
            let unread = traits.class.is_none() && traits.args.is_some();
            return unread.then(|| crate::eval::tiled::by_name(of, name, site)).flatten();
        }
        if !tiled && cute(of, &["MMA_Atom"]).is_none_or(|named| named.args.is_none()) {
            return None;
        }
        if name == "Atom" && tiled {
            return Some(tiled_mma(of, site).map(|tiled| tiled.atom));
        }
        let member = match name.strip_prefix("Atom").filter(|_| tiled).unwrap_or(name) {
            "Shape_MNK" => "Shape_MNK",
            "ThrID" => "ThrID",
            "LayoutA_TV" => "ALayout",
            "LayoutB_TV" => "BLayout",
            "LayoutC_TV" => "CLayout",
            _ => return None,
        };
        let atom = if tiled { tiled_mma(of, site).map(|tiled| tiled.atom) } else { Ok(of.clone()) };
        Some(atom.and_then(|atom| self.traits_or_name(&atom, member, site, context)))
    }

    /// The size of M, N or K of the tile.
    fn tile_size(&mut self, mma: &Value<'a>, mode: i128, site: Site, context: &Context<'a>) -> Resolved<Value<'a>> {
        let unknown = Unresolved { reason: Reason::Call, site };
        let mode = usize::try_from(mode).ok().filter(|mode| *mode < 3).ok_or(unknown)?;
        let tiled = tiled_mma(mma, site)?;
        let shape = self.atom_shape(&tiled, site, context)?;
        let count = tiled.threads.mode(mode).ok_or(unknown)?.size();
        let own = i128::from(shape.get(mode).copied().unwrap_or(0)) * i128::from(count);
        let Some(order) = tiled.order.get(mode).and_then(Option::as_ref) else { return Ok(number(own, site)) };
        match builtin::apply("size", &[], std::slice::from_ref(order), site)? {
            // Versions of CuTe differ where the permutation is smaller than what the atoms make together.
            Value::Number(size) if size.value >= own => Ok(number(size.value, site)),
            _ => Err(unknown),
        }
    }

    /// The values of C that one thread has: `TiledMMA::thrfrg_C` of a shape, for thread 0.
    fn fragment_c(
        &mut self,
        tiled: &Tiled<'a>,
        shape: &Value<'a>,
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Layout> {
        let unknown = Unresolved { reason: Reason::Call, site };
        let told = |layout: razorgirl::Result<Layout>| layout.map_err(|_| unknown);
        // An accumulator in tensor memory is no fragment of registers.
        let Value::Named(atom) = &tiled.atom else { return Err(unknown) };
        let operation = match atom.args.as_deref() {
            Some([Value::Named(operation), ..]) if atom.name() == "MMA_Atom" => operation.name(),
            _ => atom.name(),
        };
        if !["SM70_", "SM75_", "SM80_", "SM89_", "SM90_", "SM120_"].iter().any(|start| operation.starts_with(start))
            && !operation.starts_with("MMA_")
        {
            return Err(unknown);
        }
        let layout = match builtin::apply("make_layout", &[], std::slice::from_ref(shape), site)? {
            Value::Layout(layout) => algebra::core(&layout, site)?,
            _ => return Err(unknown),
        };
        if layout.rank() != 2 {
            return Err(unknown);
        }
        let parts = self.parts_c(tiled, &layout, site, context)?;
        // Of the threads, each takes its part.
        let modes: Vec<Layout> = std::iter::once(parts.values).chain(parts.rests).collect();
        told(Layout::concat(&modes))
    }
}

/// A matrix C as a tiled MMA cuts it up.
struct PartsC {
    /// The threads of one instruction, and of the instructions along M and N.
    threads: [Layout; 3],
    /// The values that a thread has of one instruction.
    values: Layout,
    /// How often it has them, along M and N.
    rests: [Layout; 2],
}

impl<'a> Evaluator<'a> {
    /// `TiledMMA::thrfrg_C` of a layout of rows and columns.
    fn parts_c(&mut self, tiled: &Tiled<'a>, layout: &Layout, site: Site, context: &Context<'a>) -> Resolved<PartsC> {
        let unknown = Unresolved { reason: Reason::Call, site };
        let told = |layout: razorgirl::Result<Layout>| layout.map_err(|_| unknown);
        let mut tilers = Vec::with_capacity(2);
        for order in tiled.order.iter().take(2) {
            tilers.push(match order {
                None => Tiler::Keep,
                Some(order) => algebra::tiler(order, site, 0)?,
            });
        }
        let [m, n, _] = self.atom_shape(tiled, site, context)?;
        let values = self.atom_layout(tiled, "CLayout", site, context)?;
        let threads = self.threads(tiled, site, context)?;
        let count = |mode: usize| threads.mode(mode).map(|mode| mode.size()).ok_or(unknown);
        let integer = |extent: u64| Tiler::integer(extent).map_err(|_| unknown);
        let ordered = told(layout.logical_divide(&Tiler::Modes(tilers)))?;
        let atoms = told(ordered.zipped_divide(&Tiler::Modes(vec![integer(m)?, integer(n)?])))?;
        let split = told(atoms.composition_by(&Tiler::Modes(vec![Tiler::Layout(values), Tiler::Keep])))?;
        // ((thread, value), (rest of M, of N)), of which the threads in M and N take their part each.
        let unnamed = |layout: &Layout, mode: usize| layout.mode(mode).ok_or(unknown);
        let one = unnamed(&split, 0)?;
        let along =
            |mode: usize, count: u64| told(unnamed(&unnamed(&split, 1)?, mode)?.logical_divide(&integer(count)?));
        let (rows, columns) = (along(0, count(1)?)?, along(1, count(2)?)?);
        Ok(PartsC {
            threads: [unnamed(&one, 0)?, unnamed(&rows, 0)?, unnamed(&columns, 0)?],
            values: unnamed(&one, 1)?,
            rests: [unnamed(&rows, 1)?, unnamed(&columns, 1)?],
        })
    }

    /// `make_tiled_copy_C(atom, mma)`: a copy of which each thread has what it has of C.
    fn tiled_copy_c(
        &mut self,
        atom: &Value<'a>,
        mma: &Value<'a>,
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        let unknown = Unresolved { reason: Reason::Call, site };
        let told = |layout: razorgirl::Result<Layout>| layout.map_err(|_| unknown);
        let tiled = tiled_mma(mma, site)?;
        let sizes = [self.tile_size(mma, 0, site, context)?, self.tile_size(mma, 1, site, context)?];
        let tile = crate::eval::constants::tuple(sizes.to_vec(), site)?;
        let whole = match builtin::apply("make_layout", &[], std::slice::from_ref(&tile), site)? {
            Value::Layout(layout) => algebra::core(&layout, site)?,
            _ => return Err(unknown),
        };
        let all = self.threads(&tiled, site, context)?;
        // Instructions along K share their part of C.
        if all.mode(3).is_none_or(|along| along.size() != 1) {
            return Err(unknown);
        }
        let parts = self.parts_c(&tiled, &whole, site, context)?;
        let threads = told(Layout::concat(&parts.threads))?;
        // The index of a thread to which thread of which instruction it is.
        let numbered: Vec<Layout> = all.sublayouts().take(3).collect();
        let numbered = told(Layout::concat(&numbered))?;
        let inverse = numbered.right_inverse();
        if inverse.size() != numbered.size() {
            return Err(unknown);
        }
        let threads = told(threads.composition(&inverse))?;
        let values: Vec<Layout> = std::iter::once(parts.values).chain(parts.rests).collect();
        let layout = told(Layout::concat(&[threads, told(Layout::concat(&values))?]))?;
        let layout = algebra::constant(layout, site)?;
        Named::unknown(vec!["cute", "TiledCopy"], Some(vec![atom.clone(), layout, tile]), site)
    }
}

fn number<'a>(value: i128, site: Site) -> Value<'a> {
    Value::Number(Number::of(value, site, true))
}

/// Why a value is not known, if it says so.
fn why(value: &Value<'_>) -> Option<Unresolved> {
    match value {
        Value::Opaque(why) => Some(*why),
        other => other.hangs().map(|site| Unresolved { reason: Reason::Dependent, site }),
    }
}

pub(super) fn of_tensor<'a>(element: Value<'a>, layout: Value<'a>, site: Site) -> Resolved<Value<'a>> {
    let engine = Named::unknown(vec!["cute", "Engine"], Some(vec![element]), site)?;
    Named::unknown(vec!["cute", "Tensor"], Some(vec![engine, layout]), site)
}

/// What is asked of a tensor is what is asked of its layout.
fn measured<'a>(name: &str, modes: &[Value<'a>], layout: &Value<'a>, site: Site) -> Resolved<Value<'a>> {
    if name == "layout" && modes.is_empty() {
        return Ok(layout.clone());
    }
    let values = std::slice::from_ref(layout);
    let swizzled = crate::eval::swizzled::apply(name, modes, values, site);
    swizzled.unwrap_or_else(|| match name {
        "layout" => algebra::apply(name, modes, values, site),
        _ => builtin::apply(name, modes, values, site),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_sorted() {
        assert!(FUNCTIONS.is_sorted());
    }
}
