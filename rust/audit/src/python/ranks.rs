//! Dimensions of a tensor of Gluon and of its layout: `gl.arange(0, n, layout)` has one, and Triton refuses a layout of two. The layout is
//! followed to where it is made, by names that are bound once.

use super::allocated::DESCRIPTOR;
use super::evaluate::{At, Evaluator};
use super::gluon::{self, Found, Gluon};
use super::tree::{Expr, ExprId, Module, argument};

/// Slices of slices of a layout.
const MAX_SLICES: usize = 4;

/// What makes a tensor: its name, and the places of its shape and its layout.
const MADE: [(&str, Option<usize>, usize); 3] = [("arange", None, 2), ("full", Some(0), 3), ("zeros", Some(0), 2)];

/// A layout of all dimensions of another one but one.
const SLICE: &str = "SliceLayout";

/// Whether a call of this name is looked at, in a file that has Gluon.
pub(super) fn is_looked_at(name: &str) -> bool {
    name == DESCRIPTOR || MADE.iter().any(|(own, ..)| *own == name)
}

/// Whether a file may have to do with Gluon.
pub(super) fn has_gluon(module: &Module) -> bool {
    let own = |path: &str| path.starts_with("triton.experimental");
    module
        .scopes
        .iter()
        .flat_map(|scope| scope.names.values())
        .flatten()
        .any(|one| one.bound.imported().is_some_and(|path| own(path)))
}

fn own(path: &str) -> Option<&str> {
    path.strip_prefix(gluon::GLUON)?.strip_prefix('.')
}

impl Evaluator<'_> {
    /// What a call of Gluon has whose dimensions are not those of its layout.
    pub(super) fn ranked(&mut self, call: ExprId, at: &At, path: &str) -> Option<Found> {
        let module = self.module(at.module)?;
        let Expr::Call(_, arguments) = module.expr(call) else { return None };
        let site = self.site(call, at);
        let found = |layout| Found { site, layout, lanes: false, launches: Vec::new() };
        if own(path)? == SLICE {
            let (dimension, parent) = (argument(arguments, 0, "dim")?, argument(arguments, 1, "parent")?);
            let dimension = self.ask(dimension, at).ok()?.as_number(site).ok()?;
            let rank = self.rank(parent, at, 0)?;
            return (i128::try_from(rank).ok()? <= dimension).then(|| found(Gluon::Sliced { dimension, rank }));
        }
        let (name, shape, layout) = *MADE.iter().find(|(name, ..)| own(path) == Some(*name))?;
        let tensor = match shape {
            None => 1,
            Some(place) => match module.expr(argument(arguments, place, "shape")?) {
                Expr::Tuple(items, _) if !items.iter().any(|one| matches!(module.expr(*one), Expr::Starred(_))) => {
                    items.len()
                }
                _ => return None,
            },
        };
        // One number has no layout.
        let rank = self.rank(argument(arguments, layout, "layout").filter(|_| tensor > 0)?, at, 0)?;
        (rank != tensor).then(|| found(Gluon::Ranked { name, tensor, rank }))
    }

    /// How many dimensions a layout has.
    // Recursion: to a fixed depth.
    fn rank(&mut self, of: ExprId, at: &At, depth: usize) -> Option<usize> {
        let (made, here) = self.made_at(of, at)?;
        let Expr::Call(callee, arguments) = self.module(here.module)?.expr(made) else { return None };
        let path = self.of_library(*callee, &here)?;
        if own(&path)? == SLICE {
            let parent = argument(arguments, 1, "parent").filter(|_| depth < MAX_SLICES)?;
            return self.rank(parent, &here, depth + 1)?.checked_sub(1);
        }
        let (_, parameters) = gluon::parameters(&path)?;
        let site = self.site(made, &here);
        let (layout, _) = gluon::layout(own(&path)?, &self.arguments(made, &here, parameters)?, site);
        let lists = match &layout {
            Gluon::Blocked(lists) => lists.as_slice(),
            Gluon::Mma([_, warps, _]) => std::slice::from_ref(warps),
            Gluon::Distributed(_, shape) => std::slice::from_ref(shape),
            _ => return None,
        };
        // What is made of lists of several lengths is refused where it stands.
        let mut ranks = lists.iter().map(|list| list.as_ref().map(|list| list.items.len()));
        let first = ranks.next()??;
        ranks.all(|rank| rank == Some(first)).then_some(first)
    }
}
