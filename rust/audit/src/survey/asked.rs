//! The bytes of dynamic shared memory that a launch asks for: more than 48 KiB, a kernel has to be allowed first.

use std::collections::BTreeMap;

use super::kernels::Kernel;
use super::launches::hanging;
use super::shared::Looker;
use super::storage::MAX_CLASSES;
use super::tiled::is_cast;
use crate::ast::{DeclKind, Expr, ExprId, GuardKind, Site, Start};
use crate::eval::{BodyRef, Context, Program, Reason, Resolved, Unresolved, Value};
use crate::source::{CUDA_LAUNCHERS, Source, code, last_word, opened, places};

/// Bytes of dynamic shared memory that every kernel may ask for (CUDA C++ Programming Guide, `cudaFuncAttributeMaxDynamicSharedMemorySize`).
pub const ALLOWED: u64 = 48 << 10;

/// Bytes of shared memory that a block has at most, on devices of compute capability 9.0 and 10.x; others have less (CUDA C++ Programming
/// Guide, technical specifications).
pub const MOST_SHARED: u64 = 227 << 10;

/// Whether a launch asks for more than every kernel may have. One that waits for a device with more than there is today fails nowhere.
pub(super) fn is_much(bytes: u64, start: &Start) -> bool {
    bytes > ALLOWED && (bytes <= MOST_SHARED || start.guards.iter().all(|guard| guard.kind == GuardKind::Call))
}

/// Dynamic shared memory that a launch asks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes {
    pub count: u64,
    /// Whether there may be more.
    pub least: bool,
}

impl<'a> Looker<'_, 'a> {
    /// How many bytes an expression comes to: a number, or the size of a class whose arrays are known.
    // Recursion: through casts, variables and functions, as deep as `depth`.
    pub(super) fn bytes(&mut self, expr: ExprId, context: &Context<'a>, depth: usize) -> Resolved<Option<Bytes>> {
        let why = match self.evaluator.evaluate(expr, context) {
            Ok(Value::Number(bytes)) => {
                let count = u64::try_from(bytes.value).ok();
                return Ok(count.map(|count| Bytes { count, least: false }));
            }
            Ok(value) => hanging(&Ok(value)),
            Err(why) => hanging(&Err(why)),
        };
        let hangs = |why: Option<Site>| match why {
            Some(site) => Err(Unresolved { reason: Reason::Dependent, site }),
            None => Ok(None),
        };
        let Some(depth) = depth.checked_sub(1) else { return hangs(why) };
        let unit = self.program.unit(context.unit);
        match unit.expr(expr) {
            Expr::Sizeof(of) => match self.evaluator.evaluate(*of, context) {
                Ok(Value::Named(class)) if class.hangs.is_none() => {
                    let size = self.bytes_of_class(&class, MAX_CLASSES);
                    Ok(size.map(|size| Bytes { count: size.bytes, least: !size.exact }))
                }
                other => hangs(hanging(&other)),
            },
            Expr::Call(ty, args) | Expr::Construct(ty, args) => match args.as_slice() {
                [only] if is_cast(self.said(context, *ty)) => self.bytes(*only, context, depth),
                // `Config::shared_bytes()`
                [] if matches!(unit.expr(expr), Expr::Call(..)) => match self.returned_by(*ty, context) {
                    Some((value, inside, _)) => self.bytes(value, &inside, depth),
                    None => hangs(why),
                },
                _ => hangs(why),
            },
            Expr::Path(path) => {
                let [only] = path.segments.as_slice() else { return hangs(why) };
                let Some((decl, inside)) = self.local(only.name, context) else { return hangs(why) };
                match self.program.decl(decl).kind {
                    DeclKind::Variable { init: Some(init), constant, .. }
                        if constant || self.evaluator.is_settled(decl) =>
                    {
                        self.bytes(init, &inside, depth)
                    }
                    _ => hangs(why),
                }
            }
            _ => hangs(why),
        }
    }
}

/// Casts and variables on the way to a number of bytes.
pub(super) const MAX_STEPS: usize = 6;

/// The attribute that allows more, in the runtime's words and the driver's.
const ATTRIBUTE: [&str; 3] =
    ["MaxDynamicSharedMemorySize", "MAX_DYNAMIC_SHARED_SIZE_BYTES", "MaxDynamicSharedSizeBytes"];

/// CUTLASS's function that launches the kernel that it is given.
const CLUSTER_LAUNCHER: &str = "launch_kernel_on_cluster";

/// How far the arguments of a template are followed.
const MAX_ARGS: usize = 1_024;

/// Kernels of which all files are searched for what may allow them more; of any beyond, that is not known.
const MAX_SEARCHES: usize = 64;

/// What was found out of kernels, launched in some units.
#[derive(Default)]
pub(super) struct Allowed {
    known: BTreeMap<(BodyRef, u32), bool>,
}

impl Allowed {
    /// Whether something may allow a kernel more: the file that launches it, one that it includes, or one that names the kernel has the attribute;
    /// or one of these hands the kernel on.
    pub(super) fn may_be(&mut self, program: &Program<'_>, unit: u32, kernel: &Kernel<'_>) -> bool {
        let Kernel::Free(_, body) = kernel else { return true };
        let full = self.known.len() >= MAX_SEARCHES;
        *self.known.entry((*body, unit)).or_insert_with(|| full || search(program, unit, *body))
    }
}

fn search(program: &Program<'_>, unit: u32, body: BodyRef) -> bool {
    let sources = program.sources();
    let sets = |source: &Source| ATTRIBUTE.iter().any(|word| source.text.contains(word));
    let included = program.included(unit);
    let mut included = included.iter().filter_map(|file| sources.get(*file));
    if included.any(sets) {
        return true;
    }
    let name = program.text(Site { unit: body.unit, span: program.body(body).name });
    let mut naming = sources.iter().filter(|source| places(&source.text, name).next().is_some());
    naming.any(|source| sets(source) || is_handed_on(&code(&source.text), name))
}

/// Whether a function's name stands where it is neither declared nor launched nor called.
fn is_handed_on(text: &str, name: &str) -> bool {
    places(text, name).any(|at| {
        let rest = text.get(at + name.len()..).unwrap_or_default().trim_start();
        let rest = if rest.starts_with('<') && !rest.starts_with("<<<") {
            match behind_arguments(rest) {
                Some(rest) => rest.trim_start(),
                None => return true,
            }
        } else {
            rest
        };
        // A macro may make anything of it.
        let line = text.get(..at).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
        let launched = || is_launched(text.get(..at).unwrap_or_default());
        !(rest.starts_with("<<<") || rest.starts_with('(') || launched()) || line.trim_start().starts_with('#')
    })
}

/// Whether a function that launches the kernel that it is given, and does nothing else with it, is given what stands behind a text, perhaps
/// cast.
fn is_launched(before: &str) -> bool {
    let mut before = before;
    for _ in 0..MAX_STEPS {
        let Some(('(', callee)) = opened(before) else { return false };
        let name = last_word(callee).0;
        if name == CLUSTER_LAUNCHER || CUDA_LAUNCHERS.contains(&name) {
            return true;
        }
        // `reinterpret_cast<void const*>(&kernel)`
        let Some((front, ty)) = callee.rsplit_once("reinterpret_cast<") else { return false };
        if !ty.ends_with('>') || ty.contains(['(', ';', ',']) {
            return false;
        }
        before = front;
    }
    false
}

/// What comes behind the arguments of a template.
fn behind_arguments(text: &str) -> Option<&str> {
    let (mut angles, mut others) = (0_usize, 0_usize);
    for (at, sign) in text.char_indices().take(MAX_ARGS) {
        match sign {
            '(' | '[' | '{' => others += 1,
            ')' | ']' | '}' => others = others.checked_sub(1)?,
            '<' if others == 0 => angles += 1,
            '>' if others == 0 => angles = angles.checked_sub(1)?,
            ';' => return None,
            _ => {}
        }
        if angles == 0 {
            return text.get(at + 1..);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_handed_on() {
        for text in
            ["k<<<1, 2, 3>>>(p);", "k<64><<<1, 2>>>(p)", "__global__ void k(int);", "k <F<4>, (1 > 0)> <<<1, 2>>>(p)"]
        {
            assert!(!is_handed_on(text, "k"), "{text}");
        }
        for text in
            ["auto f = k<64>;", "f(k, 4)", "f(&k<64>)", "#define L k<<<1, 2>>>()", "k<1 > 0><<<1, 2>>>()", "k<a; b>"]
        {
            assert!(is_handed_on(text, "k"), "{text}");
        }
        assert!(!is_handed_on("kk; k2;", "k"));
        for text in [
            "cudaLaunchKernelEx(&config, k, p);",
            "cudaLaunchKernelEx(&config, &k<64>, p);",
            "cudaLaunchKernel((void*)k, grid, block, args, 0, s);",
            "cutlass::launch_kernel_on_cluster(params, reinterpret_cast<void const*>(&k<64>), p);",
        ] {
            assert!(!is_handed_on(text, "k"), "{text}");
        }
        for text in ["prepare(&config, k);", "cudaLaunchKernelEx(&config, pick(k), p);", "cudaLaunchKernelEx; f(k)"] {
            assert!(is_handed_on(text, "k"), "{text}");
        }
    }
}
