//! What functions are given where they are called: `int main() { gemm(5121, 5120, 4096); }` says what sizes the kernels have that `gemm`
//! launches, and which boxes the descriptors that it makes.
//!
//! Only functions in which a kernel is launched or a descriptor is made are followed, and those that call them. Each call is looked at by
//! itself: a finding holds for that call, whatever others give.

use std::collections::{BTreeMap, BTreeSet};

use super::kernels::takes;
use super::launched::Launched;
use super::launches::{function_around, varies};
use super::methods::is_member;
use super::reached::{Ask, reached};
use super::refused;
use super::shared::{Looker, Spot, What};
use super::tiled::{MAX_EXPRESSIONS, MAX_SEARCHED};
use super::{Fact, Survey};
use crate::ast::{Decl, Expr, Path, ScopeKind, Site, Span, Start};
use crate::eval::{Bindings, BodyRef, Context, Evaluator, Program};

/// Calls that are followed, and those of one function.
const MAX_CALLS: usize = 4_096;
const MAX_EACH: usize = 64;

/// How many functions are followed from one to the next, outward.
const MAX_DEPTH: usize = 3;

/// A call of a function, in which unit, and the function's name there, if it is none of a class.
type Call<'a> = (u32, &'a Start, Option<&'a Path>);

/// What a function is given by one call.
pub(super) struct Given<'a> {
    /// The values of its parameters.
    pub env: Bindings<'a>,
    /// The calls, from the function outward.
    pub links: Vec<Link<'a>>,
}

/// A call of a function.
#[derive(Clone)]
pub(super) struct Link<'a> {
    pub call: &'a Start,
    /// What is known where it stands.
    pub context: Context<'a>,
    /// Where that is.
    site: Site,
}

impl Given<'_> {
    /// Where the calls stand.
    pub(super) fn calls(&self) -> Vec<Site> {
        self.links.iter().map(|link| link.site).collect()
    }
}

/// Who calls what.
pub(super) struct Callers<'a> {
    program: &'a Program<'a>,
    of: BTreeMap<BodyRef, Vec<Call<'a>>>,
}

impl<'a> Callers<'a> {
    pub(super) fn new(program: &'a Program<'a>, evaluator: &mut Evaluator<'a>) -> Self {
        let mut of: BTreeMap<BodyRef, Vec<Call<'a>>> = BTreeMap::new();
        let units = (0_u32..).zip(program.units());
        let calls = units.flat_map(|(unit, of)| of.passes.iter().map(move |call| (unit, call)));
        for (unit, call) in calls.take(MAX_CALLS) {
            if call.function.range().len() > MAX_SEARCHED {
                continue;
            }
            let context = Context { unit, scope: call.scope, env: None };
            let free = callee(program, unit, call).filter(|(path, _)| !is_member(program, path, &context));
            let found = free.map(|(path, body)| (Some(path), body)).or_else(|| {
                let meant = (Looker { program, evaluator }).method(call.kernel, call.args.len(), &context)?;
                Some((None, meant.body))
            });
            if let Some((path, body)) = found
                && !is_there_to_fail(program, unit, call, body)
            {
                let all = of.entry(body).or_default();
                if all.len() < MAX_EACH {
                    all.push((unit, call, path));
                }
            }
        }
        Self { program, of }
    }

    /// What a function is given by each of its calls.
    pub(super) fn given(&self, evaluator: &mut Evaluator<'a>, body: BodyRef) -> Vec<Given<'a>> {
        self.given_by(evaluator, body, MAX_DEPTH)
    }

    fn given_by(&self, evaluator: &mut Evaluator<'a>, body: BodyRef, depth: usize) -> Vec<Given<'a>> {
        let (Some(calls), Some(depth)) = (self.of.get(&body), depth.checked_sub(1)) else { return Vec::new() };
        let program = self.program;
        let of = program.body(body);
        let text = program.text(Site { unit: body.unit, span: of.span });
        if text.len() > MAX_SEARCHED || program.unit(body.unit).exprs.len() > MAX_EXPRESSIONS {
            return Vec::new();
        }
        let code = evaluator.code_of(Site { unit: body.unit, span: of.span });
        // A parameter means what it is given where nothing in the function changes it.
        let keeps = |name: &str| program.keeps_parameter(&code, body, name);
        let mut all: Vec<Given<'a>> = Vec::new();
        for (unit, call, path) in calls {
            let function = Site { unit: *unit, span: call.function };
            let site = Site { unit: *unit, span: program.unit(*unit).span(call.kernel) };
            let around = function_around(program, *unit, call.scope);
            let mut outer = around.map(|around| self.given_by(evaluator, around, depth)).unwrap_or_default();
            // Nobody may be among the files who calls the function around this call.
            outer.push(Given { env: None, links: Vec::new() });
            for one in outer {
                let context = Context { unit: *unit, scope: call.scope, env: one.env };
                evaluator.settle(Some(function));
                let given = varies(program, evaluator, call, &context);
                let ask = Ask { function, given, threads: None, block: None };
                if !reached(program, evaluator, &call.guards, &ask, &context, &mut Vec::new()) {
                    continue;
                }
                let context = (Looker { program, evaluator }).knowing_call(call, &context);
                let env = if let Some(path) = path {
                    evaluator.launched(body, path, call, &context, keeps)
                } else {
                    let meant = (Looker { program, evaluator }).method(call.kernel, call.args.len(), &context);
                    meant.filter(|meant| meant.body == body).and_then(|meant| {
                        let explicit = evaluator.template_arguments(meant.explicit, &context);
                        evaluator.entered(body, &explicit, (&call.args, false), &meant.outer, &context, keeps)
                    })
                };
                if let Some(env) = env {
                    let env = (Looker { program, evaluator }).handed(body, call, &context, env);
                    let link = Link { call, context, site };
                    let links = std::iter::once(link).chain(one.links).collect();
                    all.push(Given { env, links });
                }
                if all.len() >= MAX_EACH {
                    return all;
                }
            }
        }
        all
    }
}

/// Whether the function around a call says that it may fail.
fn is_there_to_fail(program: &Program<'_>, unit: u32, call: &Start, body: BodyRef) -> bool {
    let function = program.text(Site { unit, span: call.function });
    let name = program.text(Site { unit: body.unit, span: program.body(body).name });
    let at = program.unit(unit).span(call.kernel).start.saturating_sub(call.function.start);
    refused::is_provided_for(function, at as usize, name)
}

/// The function that is called: the only one of its name that takes so many arguments, where all of that name in its file were read.
pub(super) fn callee<'a>(program: &'a Program<'a>, unit: u32, call: &'a Start) -> Option<(&'a Path, BodyRef)> {
    let Expr::Path(path) = program.unit(unit).expr(call.kernel) else { return None };
    if let Some(variable) = variable(program, unit, path, call) {
        // A lambda that it is declared with; any other variable may be anything.
        let mut bodies = program.bodies(program.text(Site { unit, span: variable })).iter();
        let body = bodies.find(|body| body.unit == unit && program.body(**body).name == variable);
        return body.map(|body| (path, *body));
    }
    let body = takes(program, unit, path, call.scope, call.args.len())?;
    let name = program.text(Site { unit, span: path.segments.last()?.name });
    let read = program.bodies(name).iter().filter(|other| other.unit == body.unit).count();
    let text = program.sources().get(program.unit(body.unit).file)?.text.as_str();
    (crate::mentions::count(text, name) <= read).then_some((path, body))
}

/// The name of the variable of a function that is called, where it is declared.
fn variable(program: &Program<'_>, unit: u32, path: &Path, call: &Start) -> Option<Span> {
    let [only] = path.segments.as_slice() else { return None };
    let name = program.text(Site { unit, span: only.name });
    let of = program.unit(unit);
    let mut at = Some(call.scope);
    while let Some(id) = at {
        let scope = of.scope(id);
        if matches!(scope.kind, ScopeKind::File | ScopeKind::Namespace(_)) {
            return None;
        }
        let mut decls = scope.decls.iter().rev().map(|id| of.decl(*id));
        let named =
            |decl: &&Decl| decl.name.start < only.name.start && program.text(Site { unit, span: decl.name }) == name;
        if let Some(decl) = decls.find(named) {
            return Some(decl.name);
        }
        at = scope.parent;
    }
    None
}

/// The functions of a project of its own in which kernels are launched, descriptors are made, or such functions are called, and that take
/// something.
pub(super) fn functions(survey: &Survey, program: &Program<'_>) -> BTreeSet<String> {
    let mut bodies: BTreeSet<BodyRef> = BTreeSet::new();
    for spot in survey.spots.iter().filter(|spot| matches!(spot.what, What::Encode(_))) {
        bodies.extend(function_around(program, spot.site.unit, spot.scope));
    }
    for (unit, of) in (0_u32..).zip(program.units()) {
        for start in of.starts.iter().chain(&of.passes).take(MAX_CALLS) {
            bodies.extend(function_around(program, unit, start.scope));
        }
    }
    let takes = |body: &&BodyRef| {
        let of = program.body(**body);
        let home = &program.unit(body.unit).scope(of.home).kind;
        !program.is_vendored(body.unit)
            && !of.params.is_empty()
            // In a function, it is a lambda that has a name.
            && !matches!(home, ScopeKind::Template(_))
    };
    let names = bodies.iter().filter(takes).map(|body| Site { unit: body.unit, span: program.body(*body).name });
    names.map(|name| program.text(name).to_owned()).collect()
}

impl Launched {
    /// Looks at each descriptor once more for each call of the function that makes it.
    pub(super) fn follow_descriptors<'a>(
        &mut self,
        spots: &[Spot],
        program: &'a Program<'a>,
        evaluator: &mut Evaluator<'a>,
        callers: &Callers<'a>,
    ) {
        let made = spots.iter().enumerate().filter(|(_, spot)| matches!(spot.what, What::Encode(_)));
        for (index, spot) in made {
            let unit = spot.site.unit;
            let Some(body) = function_around(program, unit, spot.scope) else { continue };
            let made = program.unit(unit).passes.iter();
            // The conditions on the way to it are kept with the call.
            let mut made = made.filter(|call| program.unit(unit).span(call.kernel).start == spot.site.span.start);
            let Some(call) = made.next() else { continue };
            for given in callers.given(evaluator, body) {
                let Some(fact) = descriptor(program, evaluator, spot, call, body, &given.env) else { continue };
                let calls = given.calls().into_iter().map(|site| (site, "with what this call gives the function"));
                self.facts.push((index, (fact, String::new(), calls.collect())));
            }
            // Variables that nothing in the function changes say something without any call.
            self.alone.extend(descriptor(program, evaluator, spot, call, body, &None).map(|fact| (index, fact)));
        }
    }
}

fn descriptor<'a>(
    program: &'a Program<'a>,
    evaluator: &mut Evaluator<'a>,
    spot: &Spot,
    call: &Start,
    body: BodyRef,
    env: &Bindings<'a>,
) -> Option<Fact> {
    let context = Context { unit: spot.site.unit, scope: spot.scope, env: env.clone() };
    let function = Site { unit: body.unit, span: program.body(body).span };
    evaluator.settle(Some(function));
    // What the function is given is in question.
    let ask = Ask { function, given: env.is_some(), threads: None, block: None };
    if !reached(program, evaluator, &call.guards, &ask, &context, &mut Vec::new()) {
        return None;
    }
    spot.fact(program, evaluator, &context)
}
