//! The values that switch macros give the constants that they define.

use super::{Instance, Instances, Template};
use crate::ast::{ScopeKind, Site, Span};
use crate::eval::program::Program;
use crate::eval::texts::{Defined, listed};
use crate::eval::value::{Number, Value};

impl<'a> Instances<'a> {
    /// The values that the macro gives to the constant that it defines.
    pub(super) fn switch(&mut self, name: &'a str, template: Template) -> Vec<Instance<'a>> {
        let program = self.program;
        if let Some(values) = program.implied_values(name)
            && self
                .params(template)
                .first()
                .is_some_and(|param| program.text(Site { unit: template.0, span: param.name }) == name)
        {
            self.switches.entry(name).or_insert_with(|| (values.to_vec(), false));
        }
        let (listed, differ) =
            self.switches.entry(name).or_insert_with(|| switch_values(program, name, 0).unwrap_or_default());
        let (unit, scope) = template;
        let span = match &program.unit(unit).scope(scope).kind {
            ScopeKind::Template(params) => params.first().map(|param| param.name).unwrap_or_default(),
            _ => Span::default(),
        };
        let site = Site { unit, span };
        let number = |value: &i128| {
            let value = Value::Number(Number::of(*value, site, true));
            Instance { values: vec![value], tried: *differ }
        };
        listed.iter().map(number).collect()
    }
}

/// How many switch macros stand for one another.
const MAX_ALIASES: usize = 8;

/// The values that all definitions of a switch macro list, and whether they differ: the sides of an `#if` that is not known. None where
/// one of them is not read, since it may list more.
// Recursion: `depth` grows to a fixed bound.
fn switch_values<'a>(program: &'a Program<'a>, name: &'a str, depth: usize) -> Option<(Vec<i128>, bool)> {
    let (mut all, mut differ): (Option<Vec<i128>>, bool) = (None, false);
    for source in program.texts().defining(program.sources(), name) {
        for defined in listed(&source.text, name) {
            let (values, differs) = match defined {
                Defined::Values(values) => (values, false),
                Defined::Alias(other) if depth < MAX_ALIASES => switch_values(program, other, depth + 1)?,
                Defined::Alias(_) | Defined::Unknown => return None,
            };
            differ |= differs || all.as_ref().is_some_and(|all| *all != values);
            let all = all.get_or_insert_default();
            all.extend(values);
            all.sort_unstable();
            all.dedup();
        }
    }
    Some((all?, differ))
}
