//! What one mention of a template says of its parameters.

use foldhash::HashSet;
use std::rc::Rc;

use thin_vec::ThinVec;

use super::{Mention, Template, unbound, unwritten};
use crate::ast::{Param, ScopeId, Site};
use crate::eval::evaluator::{Context, Evaluator};
use crate::eval::program::DeclRef;
use crate::eval::reason::{Reason, Unresolved};
use crate::eval::value::Value;

/// What a mention of a template says of its parameters: their values, if it means that template, or what that hangs on.
#[derive(Debug, Clone)]
pub(super) enum Said<'a> {
    /// Their values.
    Values(Rc<Vec<Value<'a>>>),
    /// That it means another, or what it hangs on.
    Nothing(Option<Site>),
}

impl Said<'_> {
    /// How many parts its values have.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Values(values) => values.iter().map(|value| value.size().weight()).sum(),
            Self::Nothing(_) => 1,
        }
    }
}

/// What a mention says of a template's parameters, and whether it says so whenever it is asked: a question that meets a bound may come
/// to something else when more is known.
pub(super) fn said<'a>(
    evaluator: &mut Evaluator<'a>,
    mention: &Mention<'a>,
    (template, params): (Template, &'a [Param]),
    class: Option<DeclRef>,
    members: Option<(u32, ScopeId)>,
    hidden: &HashSet<String>,
    context: &Context<'a>,
) -> (Said<'a>, bool) {
    let nothing = |why: Unresolved| Said::Nothing((why.reason == Reason::Dependent).then_some(why.site));
    let mut spent = false;
    if let Some(members) = members {
        let inside = evaluator.is_in(mention.path, mention.count - 1, members, context);
        spent = evaluator.is_spent();
        match inside {
            Ok(true) => {}
            Ok(false) => return (Said::Nothing(None), !spent),
            Err(why) => return (nothing(why), !spent),
        }
    }
    let values = evaluator.instance(mention.path, mention.count, template, class, mention.call, context);
    let certain = !(spent || evaluator.is_spent());
    let values = match values {
        Ok(Some(values)) => values,
        Ok(None) => return (Said::Nothing(None), certain),
        Err(why) => return (nothing(why), certain),
    };
    let program = evaluator.program;
    let deduced = mention.call.is_some();
    let last = mention.count.checked_sub(1).and_then(|last| mention.path.segments.get(last));
    let written = last.and_then(|last| last.args.as_ref()).map_or(0, ThinVec::len);
    let known = values.into_iter().enumerate().map(|(at, value)| match value {
        // What a call passes may be known at run time only. No argument that is written is: a macro hides what it is.
        Value::Opaque(why) if why.reason == Reason::RunTime && !(deduced && at >= written) => {
            unbound(program, template, at)
        }
        // A number that no file declares, as where a script writes it: nothing is said of it.
        Value::Named(named) if named.class.is_none() && params.get(at).is_some_and(|it| it.value) => {
            unbound(program, template, at)
        }
        // A type that a macro names: one of those that the macro lists.
        Value::Named(named)
            if named.class.is_none()
                && named.args.is_none()
                && matches!(named.path.as_slice(), [only] if hidden.contains(*only)) =>
        {
            unbound(program, template, at)
        }
        value => unwritten(value),
    });
    (Said::Values(Rc::new(known.collect())), certain)
}
