//! Tensors as CuTe cuts them up: `tensor(coordinate…)`, `local_tile` and the divisions. A tensor is its layout; where a part of it begins
//! does not matter here, as long as no swizzle depends on it.
//!
//! Tiles of a mode whose extent they do not divide are whole as long as the first one is: what lies past the end belongs to a predicate.

use razorgirl::{Layout, Mode};

use super::objects::{cute, of_tensor, tensor};
use super::{Context, Evaluator, open};
use crate::ast::{DeclKind, Expr, ExprId, Op, Path, Site};
use crate::eval::algebra;
use crate::eval::reason::{Reason, Resolved, Unresolved};
use crate::eval::value::Value;

/// Variables that are followed to learn whether one is an integer.
const MAX_STEPS: usize = 8;

/// Modes of a coordinate.
const MAX_MODES: usize = 16;

/// What is left of a mode of a tensor where it is sliced.
enum Coordinate {
    /// All of it: `_`.
    Kept,
    /// Nothing: an integer, which may be known at run time only.
    Fixed,
    /// A coordinate for each of its modes.
    Each(Vec<Coordinate>),
}

/// What the algebra makes of a tensor: a tensor of what it makes of the layout. None for other values.
pub(super) fn apply<'a>(
    name: &str,
    modes: &[Value<'a>],
    values: &[Value<'a>],
    site: Site,
) -> Option<Resolved<Value<'a>>> {
    let (first, more) = values.split_first()?;
    let (engine, layout) = tensor(first)?;
    if !matches!(
        name,
        "logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide" | "group_modes" | "coalesce" | "flatten"
    ) {
        return None;
    }
    let divided = if let [Value::Tuple(tiler)] = more { divided(name, layout, &tiler.items) } else { None };
    let made = if let Some(made) = divided {
        algebra::constant(made, site)
    } else {
        let values: Vec<Value<'a>> = std::iter::once(layout.clone()).chain(more.iter().cloned()).collect();
        let size = |value: &Value<'a>| match value {
            Value::Layout(layout) => algebra::core(layout, site).map(|layout| layout.size()).ok(),
            _ => None,
        };
        // What is padded reaches past the end of the tensor.
        let same = |made: &Value<'a>| size(made) == size(layout);
        let unknown = Unresolved { reason: Reason::Call, site };
        algebra::apply(name, modes, &values, site).and_then(|made| if same(&made) { Ok(made) } else { Err(unknown) })
    };
    Some(made.and_then(|layout| of_tensor(engine.clone(), layout, site)))
}

/// A layout of single modes, divided by integers: a tile, and how the tiles follow each other. None for others, and where a mode is smaller
/// than its tile.
fn divided(name: &str, layout: &Value<'_>, tiler: &[Value<'_>]) -> Option<Layout> {
    let Value::Layout(layout) = layout else { return None };
    let layout = algebra::core(layout, layout.site).ok()?;
    let modes = layout.modes();
    if layout.rank() != modes.len() || tiler.is_empty() || tiler.len() > modes.len() {
        return None;
    }
    let (mut tile, mut rest) = (Vec::new(), Vec::new());
    for (index, mode) in modes.iter().enumerate() {
        let Some(extent) = tiler.get(index) else {
            rest.push(*mode);
            continue;
        };
        let Value::Number(extent) = extent else { return None };
        let extent = u64::try_from(extent.value).ok().filter(|extent| (1..=mode.extent()).contains(extent))?;
        tile.push(Mode::new(extent, mode.stride()));
        rest.push(Mode::new(mode.extent().div_ceil(extent), mode.stride().checked_mul(extent)?));
    }
    let (tile, rest) = (Layout::from_modes(tile).ok()?, Layout::from_modes(rest).ok()?);
    let all: Vec<Layout> = match name {
        "zipped_divide" => vec![tile, rest],
        "tiled_divide" => std::iter::once(tile).chain(rest.sublayouts()).collect(),
        "flat_divide" => tile.sublayouts().chain(rest.sublayouts()).collect(),
        _ => return None,
    };
    Layout::concat(&all).ok()
}

/// The modes of a layout that a coordinate leaves.
fn left(layout: &Layout, coordinate: &Coordinate) -> Option<Vec<Layout>> {
    match coordinate {
        Coordinate::Kept => Some(vec![layout.clone()]),
        Coordinate::Fixed => Some(Vec::new()),
        Coordinate::Each(all) => {
            if all.len() != layout.rank() {
                return None;
            }
            let parts = all.iter().enumerate().map(|(mode, part)| left(&layout.mode(mode)?, part));
            Some(parts.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
        }
    }
}

/// Types of integers, or words of them.
const INTEGERS: [&str; 9] =
    ["int", "unsigned", "long", "short", "size_t", "uint32_t", "int32_t", "int64_t", "uint64_t"];

impl<'a> Evaluator<'a> {
    /// `tensor(coordinate…)`; none where the name is not that of a tensor.
    pub(super) fn sliced(
        &mut self,
        path: &'a Path,
        args: &'a [ExprId],
        site: Site,
        context: &Context<'a>,
    ) -> Option<Resolved<Value<'a>>> {
        let [name] = path.segments.as_slice() else { return None };
        if args.is_empty() || name.args.is_some() || !self.is_variable(name.name, context) {
            return None;
        }
        let Ok(value) = self.eval_path(path, site, context) else { return None };
        self.slice(&value, args, site, context)
    }

    /// What coordinates leave of a tensor; none of another value.
    pub(super) fn slice(
        &mut self,
        value: &Value<'a>,
        args: &'a [ExprId],
        site: Site,
        context: &Context<'a>,
    ) -> Option<Resolved<Value<'a>>> {
        let (engine, layout) = tensor(value)?;
        let parts = args.iter().map(|arg| self.coordinate(*arg, context, 0)).collect::<Option<Vec<_>>>();
        let unknown = Unresolved { reason: Reason::Call, site };
        let made = parts.and_then(|mut parts| {
            let Value::Layout(layout) = layout else { return None };
            let layout = algebra::core(layout, site).ok()?;
            let coordinate = if parts.len() == 1 { parts.pop()? } else { Coordinate::Each(parts) };
            let left = left(&layout, &coordinate).filter(|left| !left.is_empty())?;
            Layout::concat(&left).ok()
        });
        let made = made.ok_or(unknown).and_then(|made| algebra::constant(made, site));
        Some(made.and_then(|layout| of_tensor(engine.clone(), layout, site)))
    }

    /// Whether a name may be that of a variable of a function: types and functions are called far more often.
    fn is_variable(&self, name: crate::ast::Span, context: &Context<'a>) -> bool {
        let text = self.program.text(Self::site(context, name));
        let unit = self.program.unit(context.unit);
        let mut at = Some(context.scope);
        while let Some(id) = at {
            if !self.program.local(context.unit, id, text).is_empty() {
                return true;
            }
            at = unit.scope(id).parent;
        }
        false
    }

    /// `local_tile(tensor, tiler, coordinate)`, also with a step that says which of their modes count.
    pub(super) fn local_tile(
        &mut self,
        (of, tiler, coordinate): (ExprId, ExprId, ExprId),
        step: &'a [ExprId],
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        let unknown = Unresolved { reason: Reason::Call, site };
        let whole = self.eval(of, context);
        if let Some(site) = whole.as_ref().ok().and_then(Value::hangs) {
            return Err(Unresolved { reason: Reason::Dependent, site });
        }
        // Of a tensor whose extents are known at run time only, a tile may be known.
        let open = match &whole {
            Err(why) if why.reason == Reason::RunTime => self.open(of, context)?,
            _ => None,
        };
        let tiler = self.eval(tiler, context)?;
        if let Some(site) = tiler.hangs() {
            return Err(Unresolved { reason: Reason::Dependent, site });
        }
        let Value::Tuple(tiler) = tiler else { return Err(unknown) };
        let mut tiler: Vec<Value<'a>> = tiler.items.clone();
        let mut coordinate = self.coordinate(coordinate, context, 0).ok_or(unknown)?;
        if let [step] = step {
            let Value::Tuple(step) = self.eval(*step, context)? else { return Err(unknown) };
            let counts: Vec<bool> =
                step.items.iter().map(|item| cute(item, &["X", "_", "Underscore"]).is_none()).collect();
            if counts.len() != tiler.len() {
                return Err(unknown);
            }
            let mut keep = counts.iter();
            tiler.retain(|_| keep.next().copied().unwrap_or(false));
            if let Coordinate::Each(all) = &mut coordinate {
                if all.len() != counts.len() {
                    return Err(unknown);
                }
                let mut keep = counts.iter();
                all.retain(|_| keep.next().copied().unwrap_or(false));
            }
        }
        if let Some(open) = open {
            let extents = tiler.iter().map(|extent| match extent {
                Value::Number(extent) => u64::try_from(extent.value).ok(),
                _ => None,
            });
            // Nothing of how many tiles there are may be left.
            let fixed = match &coordinate {
                Coordinate::Each(all) => {
                    all.len() == open.len() && all.iter().all(|one| matches!(one, Coordinate::Fixed))
                }
                Coordinate::Fixed => true,
                Coordinate::Kept => false,
            };
            let extents: Option<Vec<u64>> = extents.collect();
            let tile = extents.filter(|_| fixed).and_then(|extents| open::tile(&open, &extents));
            let layout = tile.ok_or(unknown).and_then(|tile| algebra::constant(tile, site))?;
            return of_tensor(Value::Opaque(unknown), layout, site);
        }
        let whole = whole?;
        let (engine, layout) = tensor(&whole).ok_or(unknown)?;
        let made = divided("zipped_divide", layout, &tiler).and_then(|zipped| {
            let (tile, rest) = (zipped.mode(0)?, zipped.mode(1)?);
            let left = match coordinate {
                // Modes for which there is no coordinate are kept.
                Coordinate::Each(mut all) => {
                    while all.len() < rest.rank() {
                        all.push(Coordinate::Kept);
                    }
                    left(&rest, &Coordinate::Each(all))?
                }
                Coordinate::Fixed => Vec::new(),
                Coordinate::Kept => vec![rest],
            };
            Layout::concat(&tile.sublayouts().chain(left).collect::<Vec<_>>()).ok()
        });
        let layout = made.ok_or(unknown).and_then(|made| algebra::constant(made, site))?;
        of_tensor(engine.clone(), layout, site)
    }

    /// What a coordinate leaves of the modes of a tensor; none where that is not known.
    fn coordinate(&mut self, expr: ExprId, context: &Context<'a>, steps: usize) -> Option<Coordinate> {
        if steps > MAX_STEPS {
            return None;
        }
        let unit = self.program.unit(context.unit);
        match unit.expr(expr) {
            Expr::Call(callee, args) => {
                let Expr::Path(path) = unit.expr(*callee) else { return None };
                let name = path.segments.last().map(|last| self.program.text(Self::site(context, last.name)))?;
                if matches!(name, "make_coord" | "make_tuple") && args.len() <= MAX_MODES {
                    let all = args.iter().map(|arg| self.coordinate(*arg, context, steps + 1));
                    return Some(Coordinate::Each(all.collect::<Option<Vec<_>>>()?));
                }
                self.integer(expr, context, steps + 1).then_some(Coordinate::Fixed)
            }
            Expr::Path(path) => {
                let [name] = path.segments.as_slice() else { return None };
                if self.program.text(Self::site(context, name.name)) == "_" {
                    return Some(Coordinate::Kept);
                }
                if self.integer(expr, context, steps + 1) {
                    return Some(Coordinate::Fixed);
                }
                let (init, inside) = self.initial(path, context)?;
                self.coordinate(init, &inside, steps + 1)
            }
            _ => self.integer(expr, context, steps + 1).then_some(Coordinate::Fixed),
        }
    }

    /// The value with which a variable is declared.
    pub(super) fn initial(&mut self, path: &'a Path, context: &Context<'a>) -> Option<(ExprId, Context<'a>)> {
        let [name] = path.segments.as_slice() else { return None };
        let text = self.program.text(Self::site(context, name.name));
        let (decls, env) = self.variables(text, context, name.name.start, Self::site(context, name.name)).ok()?;
        let [decl] = decls.as_slice() else { return None };
        let of = self.program.decl(*decl);
        let DeclKind::Variable { init: Some(init), .. } = of.kind else { return None };
        Some((init, Context { unit: decl.unit, scope: of.inside, env }))
    }

    /// Whether an expression is an integer, whatever its value is.
    fn integer(&mut self, expr: ExprId, context: &Context<'a>, steps: usize) -> bool {
        if steps > MAX_STEPS {
            return false;
        }
        let unit = self.program.unit(context.unit);
        match unit.expr(expr) {
            Expr::Number(_) => true,
            Expr::Member(of, part) => {
                let object = self.program.text(Self::site(context, unit.span(*of)));
                let part = self.program.text(Self::site(context, part.name));
                matches!(object, "blockIdx" | "threadIdx" | "blockDim" | "gridDim") && matches!(part, "x" | "y" | "z")
            }
            Expr::Unary(_, of) => self.integer(*of, context, steps + 1),
            // `int(blockIdx.x)`, `_0{}`, `Int<1>{}`
            Expr::Call(ty, args) | Expr::Construct(ty, args) => {
                let ty = self.program.text(Self::site(context, unit.span(*ty)));
                let cast =
                    INTEGERS.contains(&ty) && matches!(args.as_slice(), [of] if self.integer(*of, context, steps + 1));
                let made = matches!(unit.expr(expr), Expr::Construct(..));
                cast || (made && matches!(self.eval(expr, context), Ok(Value::Number(_))))
            }
            Expr::Binary(op, left, right) => {
                matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem | Op::Shr | Op::Shl | Op::And)
                    && self.integer(*left, context, steps + 1)
                    && self.integer(*right, context, steps + 1)
            }
            Expr::Path(path) => {
                if let Ok(value) = self.eval(expr, context) {
                    return matches!(value, Value::Number(_));
                }
                let [name] = path.segments.as_slice() else { return false };
                let text = self.program.text(Self::site(context, name.name));
                let site = Self::site(context, name.name);
                let Ok((decls, _)) = self.variables(text, context, name.name.start, site) else { return false };
                let [decl] = decls.as_slice() else { return false };
                let of = self.program.decl(*decl);
                let DeclKind::Variable { ty, init, .. } = of.kind else { return false };
                let text = self.program.text(Site { unit: decl.unit, span: of.span });
                // The type of a variable stands in front of its name.
                let typed = crate::source::code(text.split(['=', ';', '{']).next().unwrap_or_default());
                let typed = INTEGERS.iter().any(|word| crate::source::places(&typed, word).next().is_some());
                if typed && !text.contains('<') {
                    return true;
                }
                match (ty, init) {
                    (None, Some(init)) => {
                        let inside = Context { unit: decl.unit, scope: of.inside, env: context.env.clone() };
                        self.integer(init, &inside, steps + 1)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }
}

/// The layout of a tensor, with or without a swizzle.
pub fn layout_of<'v, 'a>(value: &'v Value<'a>) -> Option<&'v Value<'a>> {
    tensor(value).map(|(_, layout)| layout)
}
