//! What is looked at when all layouts are known, since nothing that is resolved hangs on it: compositions and divisions that the library
//! refuses for what the code lists, the tiles of tiled copies, and tiled MMAs.

use std::rc::Rc;

use razorgirl::Layout;

use super::evaluate::{At, Evaluator};
use super::tree::ExprId;
use super::tried::Tried;
use super::value::{Value, core};
use super::{Listed, Python, cute};
use crate::ast::Site;
use crate::eval::{Reason, TiledMma};

/// Calls of one run that are looked at later.
pub const MAX_LATER: usize = 4_096;

/// A call: where it stands, and the function.
pub type Later = (ExprId, At, Rc<str>);

/// Threads and values of a tiled copy, and how many elements the tile has that they partition.
#[derive(Debug)]
pub struct Partition {
    /// The call.
    pub site: Site,
    /// (thread, value) to element.
    pub layout: Layout,
    /// Elements of the tile.
    pub tile: u64,
}

/// A tiled MMA.
#[derive(Debug)]
pub struct Tiled {
    /// The call.
    pub site: Site,
    /// Its instruction, atoms and tile.
    pub mma: TiledMma,
}

impl Python {
    /// Looks at one call.
    pub(super) fn look_later(&mut self, call: ExprId, at: &At, path: &str, evaluator: &mut Evaluator<'_>) {
        match cute::function(path) {
            Some("make_tiled_copy") => self.partition(call, at, evaluator),
            Some("make_tiled_mma") => self.mma(call, at, evaluator),
            Some(name) => self.composed_tried(call, at, (path, name), evaluator),
            None => {}
        }
    }

    /// Keeps what a composition or division is for everything that the code lists, where the library refuses it for some.
    fn composed_tried(&mut self, call: ExprId, at: &At, (path, name): (&str, &str), evaluator: &mut Evaluator<'_>) {
        let site = evaluator.site(call, at);
        if evaluator.composed.iter().any(|one| one.site == site) {
            return;
        }
        let parameters = if name == "composition" { ["lhs", "rhs"] } else { ["target", "tiler"] };
        let tried = evaluator.argument_worlds(call, at, &parameters, &[0, 1]);
        let all = listed(tried, &mut |value| match value {
            Value::Tuple(items) => match cute::call(path, &items.all, &[], site) {
                cute::Answer::Composition(one) => Some(Some(*one)),
                cute::Answer::Value(Ok(_)) => Some(None),
                _ => None,
            },
            _ => None,
        });
        if all.iter().any(|one| one.one.is_some()) {
            self.composed_listed.push(all);
        }
    }

    /// Keeps the threads and values of a `make_tiled_copy` and its tile.
    fn partition(&mut self, call: ExprId, at: &At, evaluator: &mut Evaluator<'_>) {
        let site = evaluator.site(call, at);
        let parameters = ["atom", "layout_tv", "tiler_mn"];
        if let Some([_, Some(layout), Some(tile)]) = evaluator.arguments(call, at, &parameters).as_deref()
            && let Some(one) = partition(layout, tile, site)
        {
            self.partitions.push(one);
            return;
        }
        let tried = evaluator.argument_worlds(call, at, &parameters, &[1, 2]);
        let all = listed(tried, &mut |value| match value {
            Value::Tuple(items) => match items.all.as_slice() {
                [_, layout, tile] => partition(layout, tile, site),
                _ => None,
            },
            _ => None,
        });
        if !all.is_empty() {
            self.partitions_listed.push(all);
        }
    }

    /// Keeps a tiled MMA.
    fn mma(&mut self, call: ExprId, at: &At, evaluator: &mut Evaluator<'_>) {
        let site = evaluator.site(call, at);
        let tiled = |value: &Value| match value {
            Value::Mma(mma) => mma.tiled(site).map(|mma| Tiled { site, mma }),
            _ => None,
        };
        match evaluator.ask(call, at) {
            Ok(value) => self.mmas.extend(tiled(&value)),
            Err(why) if super::may_be_listed(&Err(why)) => {
                let all = listed(evaluator.worlds(call, at), &mut |value| tiled(value));
                if !all.is_empty() {
                    self.mmas_listed.push(all);
                }
            }
            Err(_) => {}
        }
    }
}

/// What is made of each value. What is only tried counts where all of it is known, and nothing of it is a guess.
pub(super) fn listed<T>(tried: Vec<Tried>, make: &mut dyn FnMut(&Value) -> Option<T>) -> Vec<Listed<T>> {
    let (mut all, mut failed) = (Vec::new(), false);
    for Tried { value, holds, call, guess } in tried {
        failed |= guess;
        match value.as_ref().map(&mut *make) {
            Ok(Some(one)) => all.push(Listed { one, holds, tried: !call }),
            // No value is listed here, or only classes that inherit from this one have it.
            Err(why) if matches!(why.reason, Reason::Dependent | Reason::UnknownMember) => {}
            _ => failed = true,
        }
    }
    all.retain(|one| !failed || !one.tried);
    all
}

/// Threads and values with their tile, where both are known.
fn partition(layout: &Value, tile: &Value, site: Site) -> Option<Partition> {
    let Value::Layout(layout) = layout else { return None };
    Some(Partition { site, layout: core(layout, site).ok()?, tile: extent(tile, site)? })
}

/// The elements of a tile of integers and layouts; none where a mode is kept as it is.
// Recursion: tuples nest to a fixed depth.
fn extent(tile: &Value, site: Site) -> Option<u64> {
    match tile {
        Value::Number(number, ..) => u64::try_from(*number).ok().filter(|extent| *extent > 0),
        Value::Tuple(modes) => modes.all.iter().try_fold(1_u64, |size, mode| size.checked_mul(extent(mode, site)?)),
        Value::Layout(layout) => core(layout, site).ok().map(|layout| layout.size()),
        _ => None,
    }
}
