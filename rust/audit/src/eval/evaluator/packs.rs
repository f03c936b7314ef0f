//! Packs that are expanded in a pattern: `Int<Dims>...` of `Dims = {64, 32}` is `Int<64>, Int<32>`.

use std::rc::Rc;

use super::{Context, Evaluator};
use crate::ast::{ExprId, ScopeKind, Site};
use crate::eval::reason::{Reason, Resolved, Unresolved};
use crate::eval::value::{Bindings, Frame, Number, Value};
use crate::source::places;

/// Packs with more items are not expanded, and frames further out are not looked at.
const MAX_ITEMS: usize = 64;
const MAX_FRAMES: usize = 32;

/// A parameter that is a pack: how many frames out, and which of the values.
type Slot = (usize, usize);

impl<'a> Evaluator<'a> {
    /// What the items of the packs in a pattern give, one after the other; none where there is no pack of known items in it, or where several
    /// are not of one length.
    pub(super) fn expanded(&mut self, pattern: ExprId, context: &Context<'a>) -> Option<Vec<Value<'a>>> {
        let unit = self.program.unit(context.unit);
        let text = self.program.text(Self::site(context, unit.span(pattern)));
        let mut slots: Vec<(Slot, Rc<Vec<Value<'a>>>)> = Vec::new();
        let mut at = context.env.as_ref();
        for depth in 0..MAX_FRAMES {
            let Some(frame) = at else { break };
            let (unit, scope) = frame.key;
            if let ScopeKind::Template(params) = &self.program.unit(unit).scope(scope).kind {
                for (index, (param, value)) in params.iter().zip(&frame.values).enumerate() {
                    let name = self.program.text(Site { unit, span: param.name });
                    if let Value::Pack(items) = value
                        && places(text, name).next().is_some()
                    {
                        slots.push(((depth, index), Rc::clone(items)));
                    }
                }
            }
            at = frame.outer.as_ref();
        }
        let count = slots.first()?.1.len();
        if count > MAX_ITEMS || slots.iter().any(|(_, items)| items.len() != count) {
            return None;
        }
        let mut values = Vec::with_capacity(count);
        for item in 0..count {
            let mut env = context.env.clone();
            for ((depth, index), items) in &slots {
                env = with(&env, *depth, *index, items.get(item)?);
            }
            values.push(self.eval(pattern, &Context { env, ..context.clone() }).unwrap_or_else(Value::Opaque));
        }
        Some(values)
    }

    /// Whether a `sizeof` counts the items of a pack: `sizeof...(Ts)`.
    pub(super) fn counts_pack(&self, site: Site) -> bool {
        crate::source::counts_pack(self.program.text(site))
    }
}

/// How many items a pack has, where they are known. One without any may be one that nobody has told yet.
pub(super) fn length_of_pack(of: Resolved<Value<'_>>, site: Site) -> Resolved<Value<'_>> {
    let unknown = Unresolved { reason: Reason::Call, site };
    let of = of?;
    if let Some(site) = of.hangs() {
        return Err(Unresolved { reason: Reason::Dependent, site });
    }
    let Value::Pack(items) = of else { return Err(unknown) };
    if let Some(site) = items.iter().find_map(Value::hangs) {
        return Err(Unresolved { reason: Reason::Dependent, site });
    }
    let known = !items.is_empty() && !items.iter().any(|item| matches!(item, Value::Opaque(_)));
    let count = i128::try_from(items.len()).ok().filter(|_| known).ok_or(unknown)?;
    Ok(Value::Number(Number::of(count, site, false)))
}

/// The same values, with another in the place of one.
fn with<'a>(env: &Bindings<'a>, depth: usize, index: usize, value: &Value<'a>) -> Bindings<'a> {
    let frame = env.as_ref()?;
    let (mut values, mut outer) = (frame.values.clone(), frame.outer.clone());
    match depth.checked_sub(1) {
        Some(depth) => outer = with(&frame.outer, depth, index, value),
        None => *values.get_mut(index)? = value.clone(),
    }
    Some(Rc::new(Frame::new(frame.key, values, outer).tried(frame.tried)))
}
