//! With how many warps a kernel of Gluon is launched: `kernel[grid](…, num_warps=8)`, or 4 where a launch says nothing.
//!
//! Triton compares the `warps_per_cta` of each layout that a kernel uses with that. One launch that surely takes place is enough: Triton
//! refuses it, whatever others do. What is not certain is left out: a kernel with another decorator (an autotuner says `num_warps` itself),
//! one whose warps are specialized, a layout that stands in a branch or is only asked for its attributes, and launches with `**options`.

use super::dead::named;
use super::evaluate::{At, Evaluator};
use super::gluon::Part;
use super::kept::opened;
use super::sites::Called;
use super::tree::{Branch, Expr, ExprId, Kind, MODULE, Module};
use super::value::{Home, Value};
use crate::source::places;

/// What Triton takes where a launch says nothing.
const DEFAULT: i128 = 4;

/// Bytes of a kernel that are looked at.
const MAX_KERNEL: usize = 1 << 16;

/// Launches of one kernel that are looked at.
const MAX_LAUNCHES: usize = 64;

/// What makes a tensor of the layout that it is given.
const USING: [&str; 5] = ["arange", "zeros", "full", "convert_layout", "SliceLayout"];

impl Evaluator<'_> {
    /// With how many warps the kernel is launched that surely uses the layout which a call makes.
    pub(super) fn launches(&mut self, call: ExprId, at: &At) -> Vec<Part> {
        let home = Home { module: at.module, scope: at.scope };
        // Each layout is looked for in the text of its kernel, and each launch among the branches of its file.
        let Some(module) = self.module(home.module) else { return Vec::new() };
        // A file's own scope has no end.
        let of = module.scope(home.scope).filter(|scope| matches!(scope.kind, Kind::Function(_)));
        let Some(text) = of.map(|scope| scope.span.range().len()) else { return Vec::new() };
        if !self.may_guard(module.branches.len() + text) {
            return Vec::new();
        }
        if !self.is_used_in_kernel(call, home) || !self.is_kernel(home) {
            return Vec::new();
        }
        let all = self.calls_of(home);
        all.iter().take(MAX_LAUNCHES).filter_map(|called| self.launch(called, home)).collect()
    }

    /// Whether a kernel is nothing but that.
    fn is_kernel(&mut self, home: Home) -> bool {
        let Some(module) = self.module(home.module) else { return false };
        let Some(scope) = module.scope(home.scope) else { return false };
        let Kind::Function(function) = &scope.kind else { return false };
        let [mark] = function.decorators.as_slice() else { return false };
        let around = At { module: home.module, scope: scope.parent.unwrap_or(MODULE), frame: None };
        let plain = !function.parameters.iter().any(|name| &**name == "num_warps") && !function.more;
        plain && matches!(self.surely(*mark, &around), Ok(Value::Library(path)) if is_jit(&path))
    }

    /// The warps of one launch, if it says so for sure and surely takes place.
    fn launch(&mut self, called: &Called, home: Home) -> Option<Part> {
        let module = self.module(called.module)?;
        let at = At { module: called.module, scope: called.scope, frame: None };
        let Expr::Call(callee, arguments) = module.expr(called.call) else { return None };
        let Expr::Item(of, _) = module.expr(*callee) else { return None };
        if !called.is_whole() || !matches!(self.surely(*of, &at), Ok(Value::Function(of, None)) if of == home) {
            return None;
        }
        let span = module.span(called.call);
        let tried = |branch: &Branch| branch.scope == called.scope && branch.span.contains(span);
        if arguments.iter().any(|argument| argument.name.as_deref() == Some("**"))
            || module.branches.iter().any(tried)
            || self.is_never_run(called.call, &at)
            || self.is_to_fail(called.call, &at)
        {
            return None;
        }
        let site = self.site(called.call, &at);
        let value = match arguments.iter().find(|argument| argument.name.as_deref() == Some("num_warps")) {
            None => DEFAULT,
            Some(argument) => match self.surely(argument.value, &at) {
                Ok(Value::Number(value, ..)) => value,
                _ => return None,
            },
        };
        Some(Part { value: Some(value), site })
    }

    /// Whether a call is what a name of a kernel is bound to, once and in no branch, and a tensor gets that layout in no branch.
    fn is_used_in_kernel(&self, call: ExprId, home: Home) -> bool {
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
        let Some(text) = text.get(scope.span.range()) else { return false };
        if text.len() > MAX_KERNEL || text.contains("warp_specialize") {
            return false;
        }
        let Some(bound) = bound.range().start.checked_sub(start).map(|at| at..at + bound.range().len()) else {
            return false;
        };
        let Some(name) = text.get(bound.clone()) else { return false };
        let inside = |at: usize| {
            let within = |branch: &Branch| branch.scope == home.scope && branch.span.range().contains(&(start + at));
            module.branches.iter().any(within)
        };
        let mut given = false;
        for at in places(text, name).filter(|at| *at != bound.start) {
            let (before, after) = (text.get(..at).unwrap_or(""), text.get(at + name.len()..).unwrap_or(""));
            if !is_only_used(before, after) {
                return false;
            }
            given |=
                after.starts_with([',', ')']) && is_given(before) && !is_left(module, home, start + at) && !inside(at);
        }
        given && !inside(bound.start)
    }
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
        for bound in ["    @ = 4", "for @ in x:", "a, @ = x", "(a, @) = x", "f((@ := x))", "with x as @:"] {
            assert!(!of(bound).0, "{bound}");
        }
    }
}
