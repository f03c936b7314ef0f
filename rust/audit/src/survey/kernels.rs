//! Which kernel a launch means: a function of a namespace, `operator()` of the class that CUTLASS's `device_kernel` is given, a function of a
//! class, or what a call gives the function around the launch for a parameter.

use std::borrow::Cow;
use std::collections::BTreeMap;

use thin_vec::ThinVec;

use super::callers::Link;
use super::launches::function_around;
use super::methods::is_member;
use super::tiled::MAX_SEARCHED;
use crate::ast::{DeclKind, Expr, ExprId, Path, ScopeId, ScopeKind, Segment, Site, Span, Start};
use crate::eval::{BodyRef, Context, Namespace, Program};
use crate::source::{is_identifier, is_loud, only_macro, places};
use crate::syntax::{Code, Use};

/// Variables that are followed from one to the next.
const MAX_STEPS: usize = 4;

/// Expressions among which a launch chooses, and those on the way to them.
const MAX_CHOICES: usize = 32;

/// CUTLASS's kernel, and its function that launches it: they call an object of the class that they are given.
const OPERATORS: [&str; 2] = ["device_kernel", "kernel_launch"];

/// The word of the language for a kernel.
const GLOBAL: &str = "__global__";

/// What is launched.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kernel<'a> {
    /// The only function that the name can mean, with the template arguments that are written.
    Free(&'a [ExprId], BodyRef),
    /// `operator()` of a class.
    Operator(ExprId),
    /// A function of a class.
    Member,
    /// What a call hands the function around.
    Given(Handed),
}

/// How a function is handed a kernel.
#[derive(Debug, Clone, Copy)]
pub(super) enum Handed {
    /// As a parameter.
    Parameter(usize),
    /// As a template parameter: `template <auto Kernel>`.
    Argument(usize),
}

/// Which functions are kernels, and the only ones of their names in their files.
pub(super) type Alone = BTreeMap<BodyRef, bool>;

/// Whether a function is a kernel.
pub(super) fn is_kernel(program: &Program<'_>, body: BodyRef) -> bool {
    let text = program.text(Site { unit: body.unit, span: program.body(body).span });
    let head = text.split('{').next().unwrap_or_default();
    if head.contains(GLOBAL) {
        return true;
    }
    // `KERNEL(name, bool Flag) { … }`
    let name = head.split('(').next().unwrap_or_default().trim();
    let file = || of_file(program, body.unit).unwrap_or_default();
    let makes = |file: &str| {
        let of = only_macro(file, name).filter(|of| of.params.is_some())?;
        Some(file.get(of.body)?.contains(GLOBAL))
    };
    is_loud(name) && makes(file()) == Some(true)
}

/// The kernel that is launched: the name, with its template arguments, and what it means.
pub(super) fn kernel<'a>(
    program: &'a Program<'a>,
    unit: u32,
    start: &'a Start,
    alone: &mut Alone,
) -> Option<Kernel<'a>> {
    named_by(
        program,
        unit,
        (start.kernel, start.scope, start.function),
        (!start.open).then_some(start.args.len()),
        alone,
    )
}

/// The kernels that a launch may mean: the only one, or each of which a condition or an index into a constant array chooses. None where one of
/// these is not known.
pub(super) fn all_kernels<'a>(
    program: &'a Program<'a>,
    unit: u32,
    start: &'a Start,
    alone: &mut Alone,
) -> Vec<Kernel<'a>> {
    if let Some(only) = kernel(program, unit, start, alone) {
        return vec![only];
    }
    let count = (!start.open).then_some(start.args.len());
    let mut found = Vec::new();
    for expr in choices(program, unit, start) {
        match named_by(program, unit, (expr, start.scope, start.function), count, alone) {
            Some(kernel @ (Kernel::Free(..) | Kernel::Member | Kernel::Operator(_))) => found.push(kernel),
            Some(Kernel::Given(_)) | None => return Vec::new(),
        }
    }
    found
}

/// What a launch chooses from: `flag ? &kernel<true> : &kernel<false>`, also by the name of a variable that has that value and no other, and
/// `kernels[index]` of a constant array. None where it is something else.
fn choices(program: &Program<'_>, unit: u32, start: &Start) -> Vec<ExprId> {
    let of = program.unit(unit);
    let text = |span: Span| program.text(Site { unit, span });
    if start.function.range().len() > MAX_SEARCHED {
        return Vec::new();
    }
    let around = Code::new(text(start.function), program.file(unit));
    let mut open = vec![start.kernel];
    let mut found = Vec::new();
    let mut chosen = false;
    for _ in 0..MAX_CHOICES {
        let Some(expr) = open.pop() else { break };
        match of.expr(expr) {
            Expr::Conditional(_, yes, no) => {
                chosen = true;
                open.extend([*no, *yes]);
            }
            Expr::Element(..) | Expr::Call(..) => {
                let array = element_of(program, unit, expr).and_then(|array| named(program, unit, array));
                let items = array.and_then(|path| listed(program, unit, start.scope, &path));
                let Some(items) = items.filter(|_| !chosen) else { return Vec::new() };
                chosen = true;
                open.extend(items.iter().rev());
            }
            Expr::Path(path) => {
                let variable = match path.segments.as_slice() {
                    [only] if only.args.is_none() => {
                        initial(program, unit, start.scope, text(only.name), only.name.start)
                    }
                    _ => Variable::None,
                };
                match (variable, path.segments.as_slice()) {
                    (Variable::Of(init), [only])
                        if matches!(of.expr(init), Expr::Conditional(..))
                            || element_of(program, unit, init).is_some() =>
                    {
                        // Nothing else makes it another one.
                        let before = of.span(init).start.saturating_sub(start.function.start) as usize;
                        if changes(&around, text(only.name), before) {
                            return Vec::new();
                        }
                        open.push(init);
                    }
                    _ => found.push(expr),
                }
            }
            Expr::Opaque if named(program, unit, expr).is_some() => found.push(expr),
            _ => return Vec::new(),
        }
    }
    if chosen && open.is_empty() && found.len() > 1 { found } else { Vec::new() }
}

/// The array of which an expression is an item: `kernels[index]`, `kernels.at(index)`.
fn element_of(program: &Program<'_>, unit: u32, expr: ExprId) -> Option<ExprId> {
    let of = program.unit(unit);
    match of.expr(expr) {
        Expr::Element(array, _) => Some(*array),
        Expr::Call(callee, args) if args.len() == 1 => match of.expr(*callee) {
            Expr::Member(array, part) if program.text(Site { unit, span: part.name }) == "at" => Some(*array),
            _ => None,
        },
        _ => None,
    }
}

/// The values of a constant array, or of a `std::array`.
fn listed<'a>(program: &'a Program<'a>, unit: u32, scope: ScopeId, path: &Path) -> Option<&'a [ExprId]> {
    let [only] = path.segments.as_slice() else { return None };
    let name = program.text(Site { unit, span: only.name });
    let of = program.unit(unit);
    let mut at = Some(scope);
    while let Some(id) = at {
        let mut named = of.scope(id).decls.iter().copied().filter(|decl| {
            let decl = of.decl(*decl);
            decl.name.start < only.name.start && program.text(Site { unit, span: decl.name }) == name
        });
        match (named.next(), named.next()) {
            (Some(decl), None) => {
                let said = program.text(Site { unit, span: of.decl(decl).span });
                let constant = ["const", "constexpr"].iter().any(|word| places(said, word).next().is_some());
                if !constant {
                    return None;
                }
                if let Ok(at) = of.lists.binary_search_by_key(&decl.0, |(of, _)| of.0) {
                    return of.lists.get(at).map(|(_, items)| items.as_slice());
                }
                let DeclKind::Variable { init: Some(init), .. } = of.decl(decl).kind else { return None };
                let array = places(said, "array").next().is_some();
                return Some(items(program, unit, init)).filter(|items| array && !items.is_empty());
            }
            (None, _) => at = of.scope(id).parent,
            // On one side of an `#if` it is another one.
            _ => return None,
        }
    }
    None
}

/// The values of a list in braces: `{a, b}`, `{{a, b}}`, `std::array{a, b}`.
fn items<'a>(program: &'a Program<'a>, unit: u32, init: ExprId) -> &'a [ExprId] {
    let of = program.unit(unit);
    let mut at = init;
    for _ in 0..MAX_STEPS {
        let (Expr::List(items) | Expr::Construct(_, items)) = of.expr(at) else { break };
        match items.as_slice() {
            [only] if matches!(of.expr(*only), Expr::List(_)) => at = *only,
            several => return several,
        }
    }
    &[]
}

/// What is launched where a launch names a parameter, by what a call gives that.
pub(super) fn given<'a>(
    program: &'a Program<'a>,
    handed: Handed,
    link: &Link<'a>,
    alone: &mut Alone,
) -> Option<Kernel<'a>> {
    let unit = link.context.unit;
    let arg = match handed {
        Handed::Parameter(index) => *link.call.args.get(index)?,
        Handed::Argument(index) => {
            *written(program, unit, link.call.kernel)?.segments.last()?.args.as_deref()?.get(index)?
        }
    };
    named_by(program, unit, (arg, link.call.scope, link.call.function), None, alone)
}

fn named_by<'a>(
    program: &'a Program<'a>,
    unit: u32,
    (kernel, scope, function): (ExprId, ScopeId, Span),
    count: Option<usize>,
    alone: &mut Alone,
) -> Option<Kernel<'a>> {
    let text = |span: Span| program.text(Site { unit, span });
    let mut path = named(program, unit, kernel)?;
    for _ in 0..MAX_STEPS {
        let [segment] = path.segments.as_slice() else { break };
        if segment.args.is_some() {
            break;
        }
        let segment = segment.name;
        // The address of a variable is none of what is in it.
        if matches!(path, Cow::Owned(_)) {
            if !matches!(initial(program, unit, scope, text(segment), segment.start), Variable::None) {
                return None;
            }
            break;
        }
        // `auto kernel = &device<64>;`, which nothing makes another one.
        if function.range().len() > MAX_SEARCHED {
            return None;
        }
        let around = Code::new(text(function), program.file(unit));
        match initial(program, unit, scope, text(segment), segment.start) {
            Variable::None => break,
            // What a loop goes through may be any kernel.
            Variable::Any => {
                let body = program.body(function_around(program, unit, scope)?);
                let own = |param: &crate::ast::Parameter| !param.pack && text(param.name) == text(segment);
                let index = body.params.iter().position(own)?;
                let declared = body.params.get(index)?.name.end.saturating_sub(function.start) as usize;
                return (!changes(&around, text(segment), declared)).then_some(Kernel::Given(Handed::Parameter(index)));
            }
            Variable::Of(init) => {
                let before = program.unit(unit).span(init).start.saturating_sub(function.start) as usize;
                if changes(&around, text(segment), before) {
                    return None;
                }
                path = named(program, unit, init)?;
            }
        }
    }
    let last = path.segments.last()?;
    let name = text(last.name);
    if let [segment] = path.segments.as_slice()
        && segment.args.is_none()
        && let Some(index) = template_parameter(program, unit, scope, name)
    {
        return Some(Kernel::Given(Handed::Argument(index)));
    }
    if let (true, Some([of])) = (OPERATORS.contains(&name), last.args.as_deref())
        && program.bodies(name).iter().all(|body| program.is_vendored(body.unit))
    {
        return Some(Kernel::Operator(*of));
    }
    let members =
        |body: &BodyRef| matches!(program.unit(body.unit).scope(program.body(*body).home).kind, ScopeKind::Class(_));
    if is_member(program, &path, &Context { unit, scope, env: None }) {
        return Some(Kernel::Member);
    }
    let Some(only) = only(program, unit, &path, scope, count) else {
        let member = path.segments.len() > 1 && program.bodies(name).iter().any(members);
        return member.then_some(Kernel::Member);
    };
    // Another one of that name in the same file, which was not read, may be meant as well.
    let is_alone = alone.entry(only).or_insert_with(|| {
        let read = program.bodies(name).iter().filter(|body| body.unit == only.unit).count();
        let defined = of_file(program, only.unit).map_or(usize::MAX, |text| crate::mentions::count(text, name));
        defined <= read && is_kernel(program, only)
    });
    if !*is_alone {
        return None;
    }
    let explicit = match path {
        Cow::Borrowed(path) => path.segments.last()?.args.as_deref().unwrap_or_default(),
        // It has none.
        Cow::Owned(_) => &[],
    };
    Some(Kernel::Free(explicit, only))
}

/// Which template parameter of the function around a name is.
fn template_parameter(program: &Program<'_>, unit: u32, scope: ScopeId, name: &str) -> Option<usize> {
    let template = program.body(function_around(program, unit, scope)?).template?;
    let ScopeKind::Template(params) = &program.unit(unit).scope(template).kind else { return None };
    let own = |param: &crate::ast::Param| param.value && program.text(Site { unit, span: param.name }) == name;
    // What stands behind a pack is not counted by where it stands.
    let single = params.iter().position(|param| param.pack).unwrap_or(params.len());
    params.iter().take(single).position(own)
}

/// Whether what one namespace declares is seen in another by its bare name.
fn is_seen(program: &Program<'_>, from: Namespace, of: Namespace) -> bool {
    let mut at = Some(from);
    while let Some(namespace) = at {
        if namespace == of || program.used_in(namespace).any(|used| used == of) {
            return true;
        }
        at = program.outer(namespace);
    }
    false
}

/// The only function of a name that a call with so many arguments can mean: those of its own file first.
pub(super) fn takes(program: &Program<'_>, unit: u32, path: &Path, scope: ScopeId, count: usize) -> Option<BodyRef> {
    only(program, unit, path, scope, Some(count))
}

/// The same, also of a call of which it is not known how many arguments it has.
fn only(program: &Program<'_>, unit: u32, path: &Path, scope: ScopeId, count: Option<usize>) -> Option<BodyRef> {
    let name = program.text(Site { unit, span: path.segments.last()?.name });
    let home = program.home(unit, scope);
    let mut spaces = path.clone();
    spaces.segments.pop();
    let space: Option<Namespace> =
        if spaces.segments.is_empty() { None } else { Some(program.namespace(unit, &spaces, home)?) };
    let fits = |body: &&BodyRef| {
        let function = program.body(**body);
        let free =
            matches!(program.unit(body.unit).scope(function.home).kind, ScopeKind::File | ScopeKind::Namespace(_));
        let given = count.is_none_or(|count| function.takes(count));
        let of = program.home(body.unit, function.home);
        let there = space.map_or_else(|| is_seen(program, home, of), |space| of == space);
        free && given && there && program.includes(unit, body.unit)
    };
    let all: Vec<BodyRef> = program.bodies(name).iter().filter(fits).copied().collect();
    let own: Vec<BodyRef> = all.iter().filter(|body| body.unit == unit).copied().collect();
    let [only] = *(if own.is_empty() { all } else { own }) else { return None };
    Some(only)
}

fn of_file<'a>(program: &'a Program<'a>, unit: u32) -> Option<&'a str> {
    program.sources().get(program.unit(unit).file).map(|source| source.text.as_str())
}

fn written<'a>(program: &'a Program<'a>, unit: u32, expr: ExprId) -> Option<&'a Path> {
    match program.unit(unit).expr(expr) {
        Expr::Path(path) => Some(path),
        _ => None,
    }
}

/// What a launch names, also by a variable that begins as that.
pub(super) fn spelled<'a>(program: &'a Program<'a>, unit: u32, start: &Start) -> Option<&'a Path> {
    let path = written(program, unit, start.kernel)?;
    let [only] = path.segments.as_slice() else { return Some(path) };
    let name = program.text(Site { unit, span: only.name });
    match initial(program, unit, start.scope, name, only.name.start) {
        Variable::Of(init) if only.args.is_none() => written(program, unit, init),
        _ => Some(path),
    }
}

/// What an expression names, also by the address of a function without template arguments: `&kernel`.
fn named<'a>(program: &'a Program<'a>, unit: u32, expr: ExprId) -> Option<Cow<'a, Path>> {
    let of = program.unit(unit);
    match of.expr(expr) {
        Expr::Path(path) => Some(Cow::Borrowed(path)),
        Expr::Opaque => address(program, unit, of.span(expr)).map(Cow::Owned),
        _ => None,
    }
}

/// `&kernel`, `(&space::kernel)`.
fn address(program: &Program<'_>, unit: u32, span: Span) -> Option<Path> {
    let said = program.text(Site { unit, span });
    let mut rest = said.trim();
    for _ in 0..MAX_STEPS {
        let Some(inner) = rest.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) else { break };
        rest = inner.trim();
    }
    let rest = rest.strip_prefix('&')?.trim_start();
    let begin = said.find(rest)?;
    let mut segments = ThinVec::new();
    let mut at = begin;
    for name in rest.split("::").take(MAX_CHOICES) {
        let clip = |at: usize| u32::try_from(at).ok()?.checked_add(span.start);
        if !name.is_empty() {
            segments.push(Segment { name: Span { start: clip(at)?, end: clip(at + name.len())? }, args: None });
        }
        at += name.len() + 2;
    }
    let plain = rest.bytes().all(|byte| is_identifier(byte) || byte == b':');
    (plain && !segments.is_empty()).then(|| Path { absolute: rest.starts_with("::"), segments })
}

/// The variable of a function that a name means.
enum Variable {
    /// It means something else.
    None,
    /// It is declared with this value.
    Of(ExprId),
    /// It may be anything.
    Any,
}

/// Whether something may make a variable another kernel: any use that is not its declaration, the last one before a place, and that neither
/// reads it nor hands it to a function.
fn changes(code: &Code, name: &str, before: usize) -> bool {
    let declared = places(code, name).take_while(|at| *at < before).last();
    let mut others = places(code, name).filter(|at| Some(*at) != declared);
    code.is_hidden(name) || others.any(|at| code.at(at..at + name.len()) == Use::Escapes)
}

/// The variable of a function that a name means at some place.
fn initial(program: &Program<'_>, unit: u32, scope: ScopeId, name: &str, before: u32) -> Variable {
    let of = program.unit(unit);
    let mut at = Some(scope);
    while let Some(id) = at {
        for (place, decl) in of.scope(id).decls.iter().rev().map(|id| (*id, of.decl(*id))) {
            if decl.name.start < before && program.text(Site { unit, span: decl.name }) == name {
                if !matches!(of.scope(id).kind, ScopeKind::Block) {
                    return Variable::None;
                }
                let init = match decl.kind {
                    DeclKind::Variable { init, .. } => init,
                    // A pointer to it.
                    DeclKind::RunTime => {
                        let listed = of.lists.binary_search_by_key(&place.0, |(of, _)| of.0).ok();
                        listed.and_then(|at| of.lists.get(at)?.1.first().copied())
                    }
                    _ => return Variable::None,
                };
                return init.map_or(Variable::Any, Variable::Of);
            }
        }
        at = of.scope(id).parent;
    }
    Variable::None
}
