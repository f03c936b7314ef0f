//! Whether what a slice partitions is copied with the vectors of that slice: by `copy` with the same tiled copy, or with an atom of such
//! vectors, and where that is reached.
//!
//! A partition that is filled, or copied element by element, has no vectors, and `copy` without a tiled copy asks CuTe how many bits are
//! aligned.

use super::arms::Block;
use super::launches::compiled;
use super::pairs::Access;
use super::reached::{Ask, reached};
use super::shared::Looker;
use super::tiled::promised;
use super::{copied, tiled};
use crate::ast::{DeclKind, Expr, ExprId, Guard, Site, Span};
use crate::eval::{Context, Tiled, Value, atom_of_mma};

/// Variables and slices that are followed from what is copied to the partition.
const MAX_STEPS: usize = 8;

/// Functions whose result has the elements of a tensor, and all of them.
const RESHAPES: [&str; 5] = ["coalesce", "filter_zeros", "flatten", "group_modes", "tensor_cast"];

/// How much of a partition is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// None of it, as far as is known.
    None,
    /// The part at one place along the modes after the first.
    One,
    /// All of it.
    All,
}

impl<'a> Looker<'_, 'a> {
    /// The conditions on the way to a place that is kept; none where there are none.
    pub(super) fn way_to(&self, start: u32, context: &Context<'a>) -> Option<&'a [Guard]> {
        let unit = self.program.unit(context.unit);
        let found = unit.ways.binary_search_by_key(&start, |(at, _)| *at).ok()?;
        unit.ways.get(found).map(|(_, guards)| guards.as_slice())
    }

    /// Whether a place in a kernel or another function is reached, as far as that can be told, and compiled.
    pub(super) fn gets_to(&mut self, at: Span, context: &Context<'a>) -> bool {
        let guards = self.way_to(at.start, context).unwrap_or_default();
        self.gets_by(guards, at, None, None, context)
            && (context.env.is_none() || compiled(self.program, self.evaluator, context))
    }

    pub(super) fn gets_by(
        &mut self,
        guards: &[Guard],
        at: Span,
        threads: Option<u64>,
        block: Option<Block>,
        context: &Context<'a>,
    ) -> bool {
        let around = super::launches::function_around(self.program, context.unit, context.scope);
        let span = around.map_or(at, |body| self.program.body(body).span);
        let function = Site { unit: context.unit, span };
        // A flag that is not known may always say that there are no vectors.
        let ask = Ask { function, given: true, threads, block };
        // The scope of the guards is that of the partition, from where the whole function can be seen.
        let guards: Vec<Guard> = guards.iter().map(|guard| Guard { scope: context.scope, ..*guard }).collect();
        reached(self.program, self.evaluator, &guards, &ask, context, &mut Vec::new())
    }

    /// How much of a partition is copied with the vectors of its slice.
    pub(super) fn copied(&mut self, slice: ExprId, partition: ExprId, context: &Context<'a>) -> Extent {
        let unit = self.program.unit(context.unit);
        let at = unit.span(partition);
        let Ok(Some((own, inside))) = self.sliced(slice, context) else { return Extent::None };
        let name = self.said(&inside, own).to_owned();
        let object = self.object(own, &inside).ok();
        let threads = object.as_ref().and_then(tiled::threads_of);
        let vectors = object.as_ref().and_then(vectors_of);
        let mut most = Extent::None;
        for copy in unit.copied.iter().filter(|copy| copy.function.contains(at)) {
            let extent = copy.tensors.iter().map(|tensor| self.part(*tensor, at, context, 0)).max();
            let Some(extent) = extent.filter(|extent| *extent > most) else { continue };
            let same = self.said(context, copy.by) == name || {
                let by = self.object(copy.by, context).ok();
                vectors.is_some() && by.as_ref().and_then(vectors_of) == vectors
            };
            if same && self.gets_by(&copy.guards, at, threads, None, context) {
                most = extent;
            }
        }
        most
    }

    /// How much of a partition a tensor is.
    fn part(&mut self, tensor: ExprId, partition: Span, context: &Context<'a>, steps: usize) -> Extent {
        let unit = self.program.unit(context.unit);
        if unit.span(tensor) == partition {
            return Extent::All;
        }
        if steps > MAX_STEPS {
            return Extent::None;
        }
        match unit.expr(tensor) {
            Expr::Path(_) => {
                let Ok(Some((decl, inside))) = self.declared(tensor, context) else { return Extent::None };
                match self.program.decl(decl).kind {
                    DeclKind::Variable { init: Some(init), .. } if decl.unit == context.unit => {
                        self.part(init, partition, &inside, steps + 1)
                    }
                    _ => Extent::None,
                }
            }
            Expr::Call(callee, args) => {
                let said = self.said(context, *callee);
                let name = said.split('<').next().unwrap_or_default().rsplit("::").next().unwrap_or_default();
                if let (true, Some(first)) = (RESHAPES.contains(&name), args.first()) {
                    return self.part(*first, partition, context, steps + 1);
                }
                // `part(_, _, k)`; a single element has no vector.
                let whole =
                    |looker: &Self, arg: &ExprId| looker.said(context, *arg).trim_start_matches("cute::") == "_";
                if !args.first().is_some_and(|first| whole(self, first)) {
                    return Extent::None;
                }
                let of = self.part(*callee, partition, context, steps + 1);
                let fixed = args.iter().any(|arg| !whole(self, arg) && self.is_fixed(*arg, context));
                if fixed { of.min(Extent::One) } else { of }
            }
            _ => Extent::None,
        }
    }

    /// Whether a coordinate is the same at each time.
    fn is_fixed(&mut self, coordinate: ExprId, context: &Context<'a>) -> bool {
        !matches!(self.program.unit(context.unit).expr(coordinate), Expr::Path(_))
            || matches!(self.evaluator.evaluate(coordinate, context), Ok(Value::Number(_) | Value::Tuple(_)))
    }
}

/// The bits that a tiled copy or an atom moves at once, and whether fewer are where fewer lie together.
pub(super) fn vectors_of(value: &Value<'_>) -> Option<(u64, u64, bool)> {
    let tiled = Tiled::of(value);
    let atom = tiled.as_ref().map(|tiled| &tiled.atom).or_else(|| atom_of_mma(value)).unwrap_or(value);
    match copied(atom) {
        Some((Access::Vector(vector), bits)) => Some((vector, bits, false)),
        Some((Access::Ldmatrix | Access::Stmatrix, bits)) => Some((128, bits, false)),
        None => promised(atom).map(|(vector, bits)| (vector, bits, true)),
    }
}
