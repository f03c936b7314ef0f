//! With how many warps a kernel of Gluon is launched: `kernel[grid](…, num_warps=8)`, or 4 where a launch says nothing.
//!
//! Triton compares the `warps_per_cta` of each layout that a kernel uses with that. One launch that surely takes place is enough: Triton
//! refuses it, whatever others do. What is not certain is left out: a kernel with another decorator (an autotuner says `num_warps` itself),
//! one whose warps are specialized, a layout that stands in a branch or is only asked for its attributes, and launches with `**options`.

use super::dead::named;
use super::evaluate::{At, Evaluator};
use super::gluon::Part;
use super::kept::opened;
use super::later::listed;
use super::tree::{Argument, Bound, Branch, Expr, ExprId, Kind, MODULE, Module, ScopeId};
use super::value::{Home, Value};
use crate::source::places;

/// What Triton takes where a launch says nothing.
const DEFAULT: i128 = 4;

/// Bytes of a kernel that are looked at.
const MAX_KERNEL: usize = 1 << 16;

/// Launches of one kernel that are looked at.
const MAX_LAUNCHES: usize = 64;

/// Calls of one file that are looked at for one layout.
const MAX_CALLS: usize = 1 << 14;

/// Functions that hand a layout on.
const MAX_HANDED: usize = 3;

/// What makes a tensor of the layout that it is given.
const USING: [&str; 5] = ["arange", "zeros", "full", "convert_layout", "SliceLayout"];

/// A launch: its file, the call, and the scope that it stands in.
type Launch = (usize, ExprId, ScopeId);

impl<'a> Evaluator<'a> {
    /// With how many warps the kernel is launched that surely uses the layout which a call makes.
    pub(super) fn launches(&mut self, call: ExprId, at: &At) -> Vec<Part> {
        let home = Home { module: at.module, scope: at.scope };
        // Each layout is looked for in the text of its kernel, and each launch among the branches of its file.
        let Some(module) = self.module(home.module) else { return Vec::new() };
        // A file's own scope has no end.
        let of = module.scope(home.scope).filter(|scope| matches!(scope.kind, Kind::Function(_)));
        let text = of.map(|scope| scope.span.range().len());
        if !self.may_guard(module.branches.len() + text.unwrap_or(0)) {
            return Vec::new();
        }
        let tuned = if text.is_some() { self.tuned_warps(home, DEFAULT) } else { None };
        if text.is_none() || tuned.is_none() && !self.is_kernel(home) {
            return self.given_launches(call, at);
        }
        if !self.is_used_in_kernel(call, home) {
            return Vec::new();
        }
        let all = self.calls_of(home);
        let whole = all.iter().take(MAX_LAUNCHES).filter(|called| called.is_whole());
        let whole: Vec<Launch> = whole.map(|called| (called.module, called.call, called.within().scope)).collect();
        let mut launches = whole.into_iter().filter_map(|launch| self.launch(launch, home));
        match tuned {
            // A launch that says how many itself is none of the autotuner's.
            Some(tuned) => {
                launches.next().filter(|one| one.value == Some(DEFAULT)).map(|_| tuned).into_iter().collect()
            }
            None => launches.collect(),
        }
    }

    /// With how many warps kernels are launched that get the layout which a call of the host makes, and surely use it.
    fn given_launches(&mut self, call: ExprId, at: &At) -> Vec<Part> {
        let Some(module) = self.module(at.module) else { return Vec::new() };
        if !self.may_guard(module.calls.len()) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (launch, scope) in module.calls.iter().filter(|(_, scope)| *scope == at.scope).take(MAX_CALLS) {
            let Expr::Call(callee, arguments) = module.expr(*launch) else { continue };
            let Expr::Item(kernel, _) = module.expr(*callee) else { continue };
            let is = |one: &Argument| one.value == call || self.is_bound_to(one.value, call, at);
            let Some(place) = arguments.iter().position(is) else { continue };
            let Ok(Value::Function(kernel, None)) = self.surely(*kernel, at) else { continue };
            if found.len() >= MAX_LAUNCHES || !self.is_kernel(kernel) {
                continue;
            }
            if let Some(name) = self.parameter_at(arguments, place, kernel)
                && self.is_surely_given(name, kernel, None, 0)
                && let Some(part) = self.launch((at.module, *launch, *scope), kernel)
            {
                found.push(part);
            }
        }
        found
    }

    /// Whether an expression is a name that is bound to a call, and to nothing else.
    fn is_bound_to(&self, of: ExprId, call: ExprId, at: &At) -> bool {
        let Some(Expr::Name(name)) = self.module(at.module).map(|module| module.expr(of)) else { return false };
        let Some((scope, [one])) = self.bindings(name, at) else { return false };
        scope == at.scope && matches!(one.bound, Bound::Value(value, _) if value == call)
    }

    /// The parameter of a function that gets an argument.
    fn parameter_at(&self, arguments: &[Argument], place: usize, home: Home) -> Option<&'a str> {
        let Kind::Function(function) = &self.module(home.module)?.scope(home.scope)?.kind else { return None };
        if arguments.iter().any(|one| matches!(one.name.as_deref(), Some("*" | "**"))) {
            return None;
        }
        let name = arguments.get(place)?.name.as_deref();
        let own = |name: &str| function.parameters.iter().position(|one| **one == *name);
        let place = name.map_or(Some(place), own)?;
        function.parameters.get(place).map(|name| &**name)
    }

    /// Whether a kernel is nothing but that.
    pub(super) fn is_kernel(&mut self, home: Home) -> bool {
        let Some(module) = self.module(home.module) else { return false };
        let Some(scope) = module.scope(home.scope) else { return false };
        let Kind::Function(function) = &scope.kind else { return false };
        let [mark] = function.decorators.as_slice() else { return false };
        let around = At { module: home.module, scope: scope.parent.unwrap_or(MODULE), frame: None };
        let plain = !function.parameters.iter().any(|name| &**name == "num_warps") && !function.more;
        plain && matches!(self.surely(*mark, &around), Ok(Value::Library(path)) if is_jit(&path))
    }

    /// The warps of one launch, if it says so for sure and surely takes place.
    pub(super) fn launch(&mut self, (module, call, scope): Launch, home: Home) -> Option<Part> {
        let at = At { module, scope, frame: None };
        let module = self.module(module)?;
        let Expr::Call(callee, arguments) = module.expr(call) else { return None };
        let Expr::Item(of, _) = module.expr(*callee) else { return None };
        if !matches!(self.surely(*of, &at), Ok(Value::Function(of, None)) if of == home) {
            return None;
        }
        let span = module.span(call);
        let tried = |branch: &Branch| branch.scope == scope && branch.span.contains(span);
        if arguments.iter().any(|argument| argument.name.as_deref() == Some("**"))
            || module.branches.iter().any(tried)
            || self.is_never_run(call, &at)
            || self.is_to_fail(call, &at)
        {
            return None;
        }
        let site = self.site(call, &at);
        let value = match arguments.iter().find(|argument| argument.name.as_deref() == Some("num_warps")) {
            None => DEFAULT,
            Some(argument) => match self.surely(argument.value, &at) {
                Ok(Value::Number(value, ..)) => value,
                Ok(_) => return None,
                Err(_) => self.listed_warps(argument.value, &at, call)?,
            },
        };
        Some(Part { value: Some(value), site })
    }

    /// The number of warps that a function is given which launches a kernel: what one call gives it, or the only one that is listed.
    fn listed_warps(&mut self, warps: ExprId, at: &At, call: ExprId) -> Option<i128> {
        // A default of which it is not known whether anyone takes it says nothing: a decorator may pass anything.
        let home = Home { module: at.module, scope: at.scope };
        let marked = match self.module(at.module)?.scope(at.scope).map(|scope| &scope.kind) {
            Some(Kind::Function(function)) => !function.decorators.is_empty(),
            _ => false,
        };
        if marked || self.escapes(home, None) {
            return None;
        }
        let tried = self.worlds_of(call, at, &mut |own| own.expr(warps, at, 0));
        let all = listed(tried, &mut |value| match value {
            Value::Number(value, ..) => Some(*value),
            _ => None,
        });
        let first = all.first()?;
        all.iter().all(|one| one.one == first.one).then_some(first.one)
    }

    /// Whether a call is what a name of a kernel is bound to, once and in no branch, and a tensor gets that layout in no branch.
    fn is_used_in_kernel(&mut self, call: ExprId, home: Home) -> bool {
        let Some(module) = self.module(home.module) else { return false };
        let Some(scope) = module.scope(home.scope).filter(|scope| matches!(scope.kind, Kind::Function(_))) else {
            return false;
        };
        let text = self.files.sources.get(module.file).map_or("", |source| source.text.as_str());
        let Some(bound) = named(text, module.span(call)) else { return false };
        // What stands behind it may be another layout, `… if wide else …`.
        let rest = text.get(module.span(call).end as usize..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        if !rest.trim_start().is_empty() && !rest.trim_start().starts_with('#') {
            return false;
        }
        let start = scope.span.start as usize;
        let Some(name) = text.get(bound.range()) else { return false };
        let Some(at) = bound.range().start.checked_sub(start) else { return false };
        !is_inside(module, home, bound.range().start) && self.is_surely_given(name, home, Some(at), 0)
    }

    /// Whether a tensor surely gets the layout that a name of a function is, which is bound at a place, or a parameter.
    // Recursion: to a fixed depth.
    fn is_surely_given(&mut self, name: &str, home: Home, bound: Option<usize>, depth: usize) -> bool {
        let Some(module) = self.module(home.module) else { return false };
        let Some(scope) = module.scope(home.scope) else { return false };
        let Some(source) = self.files.sources.get(module.file) else { return false };
        let start = scope.span.start as usize;
        let Some(text) = source.text.get(scope.span.range()) else { return false };
        if text.len() > MAX_KERNEL || text.contains("warp_specialize") {
            return false;
        }
        let loads = !self.sites.calls.functions.contains_key("load");
        let mut given = false;
        for at in places(text, name).filter(|at| Some(*at) != bound) {
            let (before, after) = (text.get(..at).unwrap_or(""), text.get(at + name.len()..).unwrap_or(""));
            if !is_only_used(before, after) {
                return false;
            }
            given |= after.starts_with([',', ')'])
                && (is_given(before) || loads && is_loaded(before, after))
                && !is_left(module, home, start + at)
                && !is_inside(module, home, start + at);
        }
        given || depth < MAX_HANDED && self.is_handed_on(name, home, depth)
    }

    /// Whether a function of Gluon that is surely called gets what a name is, and surely uses it.
    // Recursion: to a fixed depth.
    fn is_handed_on(&mut self, name: &str, home: Home, depth: usize) -> bool {
        let Some(module) = self.module(home.module).filter(|module| self.may_guard(module.calls.len())) else {
            return false;
        };
        let at = At { module: home.module, scope: home.scope, frame: None };
        for (call, _) in module.calls.iter().filter(|(_, scope)| *scope == home.scope).take(MAX_CALLS) {
            let Expr::Call(callee, arguments) = module.expr(*call) else { continue };
            let is = |one: &Argument| matches!(module.expr(one.value), Expr::Name(own) if **own == *name);
            let Some(place) = arguments.iter().position(is) else { continue };
            let start = module.span(*call).range().start;
            if is_left(module, home, start) || is_inside(module, home, start) || self.is_never_run(*call, &at) {
                continue;
            }
            let Ok(Value::Function(of, None)) = self.surely(*callee, &at) else { continue };
            if of != home
                && self.is_kernel(of)
                && let Some(parameter) = self.parameter_at(arguments, place, of)
                && self.is_surely_given(parameter, of, None, depth + 1)
            {
                return true;
            }
        }
        false
    }
}

/// Whether a place of a function stands in a branch: the body of a loop that counts with `range` is compiled, however often it runs.
fn is_inside(module: &Module, home: Home, place: usize) -> bool {
    let compiled = |branch: &Branch| {
        let call = branch.of.map(|of| module.expr(of));
        branch.fork.loops()
            && matches!(call, Some(Expr::Call(callee, _))
                if matches!(module.expr(*callee), Expr::Name(name) if &**name == "range"))
    };
    let within = |branch: &Branch| branch.scope == home.scope && branch.span.range().contains(&place);
    module.branches.iter().any(|branch| within(branch) && !compiled(branch))
}

/// Whether a kernel may be left before a place.
fn is_left(module: &Module, home: Home, place: usize) -> bool {
    let Some(Kind::Function(function)) = module.scope(home.scope).map(|scope| &scope.kind) else { return true };
    function.returns.iter().chain(&function.asserts).any(|one| (one.at as usize) < place)
}

/// Whether a name between two texts is read there: within parentheses or brackets, of an attribute, or as what another name gets.
fn is_only_used(before: &str, after: &str) -> bool {
    let rest = after.trim_start();
    let line = after.split('\n').next().unwrap_or_default();
    if rest.starts_with(":=") || line.contains(") = ") || line.contains("] = ") {
        return false;
    }
    let last = before.rsplit('\n').next().unwrap_or_default();
    after.starts_with('.') || last.trim_end().ends_with('=') && !last.trim().is_empty() || opened(before).is_some()
}

fn is_jit(path: &str) -> bool {
    matches!(path, "triton.experimental.gluon.jit" | "triton.experimental.gluon._runtime.jit")
}

/// Whether what follows a text is an argument of a call that makes a tensor: `arange(0, n, layout=`, `SliceLayout(1, `.
fn is_given(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    if !before.ends_with([' ', '=', ',', '(']) || line.contains(['#', '"', '\'']) {
        return false;
    }
    let Some(callee) = opened(before).filter(|at| before.as_bytes().get(*at) == Some(&b'(')) else { return false };
    let callee = before.get(..callee).unwrap_or_default();
    let start = callee.rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(0, |dot| dot + 1);
    let (object, name) = (callee.get(..start).unwrap_or_default(), callee.get(start..).unwrap_or_default());
    USING.contains(&name) && object.ends_with('.')
}

/// Whether what stands between two texts is all that a descriptor of memory is loaded with: `x.load(layout)`.
fn is_loaded(before: &str, after: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let called = before.strip_suffix("layout=").unwrap_or(before).strip_suffix(".load(");
    let object =
        called.unwrap_or_default().rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
    after.starts_with(')') && !object.is_empty() && object != "self" && !line.contains(['#', '"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_names_are_used() {
        let of = |text: &str| {
            let (before, after) = text.split_once('@').unwrap();
            (is_only_used(before, after), is_given(before))
        };
        for given in [
            "o = gl.arange(0, 4, layout=@)",
            "o = gl.arange(0, 4, @)",
            "x = f(gl.SliceLayout(1, @), 4)",
            "gl.zeros(\n  [4, n[0]],\n  layout=@)",
        ] {
            assert_eq!(of(given), (true, true), "{given}");
        }
        for used in ["f(@)", "r = @.rank", "x = @\n", "y[@]", "gl.zeros([4, @], x)", "arange(0, @)", "# gl.arange(@)"] {
            assert_eq!(of(used), (true, false), "{used}");
        }
        let loaded = |text: &str| text.split_once('@').is_some_and(|(before, after)| is_loaded(before, after));
        for loads in ["v = smem.load(@)", "v = f(smem.load(layout=@), 4)"] {
            assert!(loaded(loads), "{loads}");
        }
        for other in ["v = self.load(@)", "v = load(@)", "v = x.load(@, 4)", "v = x.load(4, @)", "# x.load(@)"] {
            assert!(!loaded(other), "{other}");
        }
        for bound in ["    @ = 4", "for @ in x:", "a, @ = x", "(a, @) = x", "f((@ := x))", "with x as @:"] {
            assert!(!of(bound).0, "{bound}");
        }
    }
}
