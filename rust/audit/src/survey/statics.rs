//! Static shared memory: what the `__shared__` variables of a kernel take together, at least.

use super::launches::function_around;
use super::shared::{Fact, Looker};
use super::storage::MAX_CLASSES;
use super::tiled::MAX_SEARCHED;
use super::used::Code;
use crate::ast::{Decl, DeclId, DeclKind, ScopeId, Site, Span};
use crate::eval::{Context, DeclRef, Program, Reason, Resolved, Unresolved, Value};
use crate::source::{Ifs, code, places};
use crate::survey::kernels::is_kernel;

/// Bytes of static shared memory that a kernel has at most, on every device: `ptxas` refuses more (CUDA C++ Programming Guide, technical
/// specifications: what is larger must be dynamic).
pub const MOST_STATIC: u64 = 48 << 10;

/// Variables of one kernel that are looked at, and `#if`s around one.
const MAX_VARIABLES: usize = 64;
const MAX_CONDITIONS: usize = 8;

/// Words of files that are compiled for devices with other limits.
const OTHERS: [&str; 6] = ["__HIP", "USE_ROCM", "ck_tile", "hip/hip_", "hipLaunch", "musa_runtime"];

const SHARED: &str = "__shared__";

/// The static shared memory of a kernel.
#[derive(Debug, Clone)]
pub struct Statics {
    /// Bytes of all of it.
    pub bytes: u64,
    /// Whether there may be more.
    pub least: bool,
    /// The variables, and the bytes of each.
    pub each: Vec<(Site, u64)>,
}

/// A side of an `#if` in the text of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Side {
    /// Where the `#if` begins.
    group: usize,
    index: usize,
    /// How many sides it has; none where all of them may be left out.
    sides: Option<usize>,
    /// Whether it asks for nothing but an architecture, at least: some device has it.
    device: bool,
}

/// A variable that takes room.
struct Taken {
    decl: DeclId,
    home: ScopeId,
    bytes: u64,
    side: Option<Side>,
}

/// Whether a file is compiled for devices with other limits too.
pub(super) fn is_for_others(program: &Program<'_>, unit: u32) -> bool {
    let file = program.sources().get(program.unit(unit).file).map_or("", |source| source.text.as_str());
    OTHERS.iter().any(|word| file.contains(word))
}

/// The kernels with static shared memory: where their names stand, and the scopes of their parameters.
pub(super) fn kernels(program: &Program<'_>, index: u32) -> Vec<(Span, ScopeId)> {
    let unit = program.unit(index);
    let file = program.sources().get(unit.file).map_or("", |source| source.text.as_str());
    if !file.contains(SHARED) || is_for_others(program, index) {
        return Vec::new();
    }
    let text = |span: Span| program.text(Site { unit: index, span });
    let shares = |body: &crate::ast::Body| {
        let text = text(body.span);
        let external = places(text, "extern").count();
        text.len() <= MAX_SEARCHED && places(text, SHARED).count() > external
    };
    let all = unit.bodies.iter().filter(|body| shares(body));
    let kernel = |scope: ScopeId| program.body_of(index, scope).is_some_and(|body| is_kernel(program, body));
    all.filter(|body| kernel(body.scope)).map(|body| (body.name, body.scope)).collect()
}

impl<'a> Looker<'_, 'a> {
    /// What the kernel around takes, where that is more than any may.
    ///
    /// # Errors
    /// It hangs on a template parameter.
    pub(super) fn statics(&mut self, context: &Context<'a>) -> Resolved<Option<Fact>> {
        let Some(body) = function_around(self.program, context.unit, context.scope) else { return Ok(None) };
        let unit = self.program.unit(context.unit);
        let of = self.program.body(body);
        let function = of.span;
        let text = self.text(context, function);
        let code = self.evaluator.code_of(Site { unit: context.unit, span: function });
        let params: Vec<&str> = of.params.iter().map(|param| self.text(context, param.name)).collect();
        let params: Vec<&str> = params.into_iter().filter(|name| !name.is_empty()).collect();
        let Some(ifs) = Ifs::of(text) else { return Ok(None) };
        let (mut found, mut open, mut least): (Vec<Taken>, Option<Unresolved>, bool) = (Vec::new(), None, false);
        let all = (0_u32..).zip(&unit.decls).filter(|(_, decl)| function.contains(decl.span) && decl.span != function);
        let all = all.filter(|(_, decl)| self.is_static_shared(decl, context));
        for (id, decl) in all.take(MAX_VARIABLES).collect::<Vec<_>>() {
            match self.taken(DeclId(id), decl, context) {
                Ok(Some((bytes, exact))) => {
                    least |= !exact;
                    let within = |at: u32| at.saturating_sub(function.start) as usize;
                    let around = |at: usize| sides(text, &ifs, at);
                    let Some(sides) = around(within(decl.name.start)) else { continue };
                    let compiled = |at: usize| around(at).is_some_and(|other| sides.starts_with(&other));
                    let around = Code { text: &code, params: &params, compiled: &compiled };
                    let uncertain = sides.len() > 1 || sides.iter().any(|side| side.sides.is_none() && !side.device);
                    if uncertain || !around.uses(self.text(context, decl.name), within(decl.name.end)) {
                        least = true;
                        continue;
                    }
                    found.push(Taken { decl: DeclId(id), home: decl.home, bytes, side: sides.first().copied() });
                }
                Err(why) if why.reason == Reason::Dependent => {
                    open = open.or(Some(why));
                    least = true;
                }
                Ok(None) | Err(_) => least = true,
            }
        }
        let all = self.together(&found, context.unit);
        match (all, open) {
            (Some((bytes, each)), _) if bytes > MOST_STATIC => {
                let site = |(id, bytes): (DeclId, u64)| (Site { unit: context.unit, span: unit.decl(id).name }, bytes);
                Ok(Some(Fact::Static(Statics { bytes, least, each: each.into_iter().map(site).collect() })))
            }
            (_, Some(why)) => Err(why),
            _ => Ok(None),
        }
    }

    /// Whether a declaration is one of static shared memory.
    fn is_static_shared(&self, decl: &Decl, context: &Context<'a>) -> bool {
        if !matches!(decl.kind, DeclKind::Variable { .. } | DeclKind::RunTime) {
            return false;
        }
        let before = Span { start: decl.span.start, end: decl.name.start.max(decl.span.start) };
        let said = self.text(context, before);
        // Behind a brace it is a member, or another's word.
        let said = said.split('{').next().unwrap_or_default();
        places(said, SHARED).next().is_some() && places(said, "extern").next().is_none()
    }

    /// The bytes of a variable, at least, and whether there are no more; none where nothing is known of it, or where it is left out.
    fn taken(&mut self, id: DeclId, decl: &'a Decl, context: &Context<'a>) -> Resolved<Option<(u64, bool)>> {
        let inside = Context { scope: decl.inside, ..context.clone() };
        if self.is_dead(decl.span, &inside)? {
            return Ok(None);
        }
        let reference = DeclRef { unit: context.unit, id };
        let extents = self.array(reference).map(|stored| stored.extents.as_slice()).unwrap_or_default();
        let mut count = 1_u64;
        for extent in extents {
            let Value::Number(number) = self.known(*extent, &inside)? else { return Ok(None) };
            let product = u64::try_from(number.value).ok().and_then(|extent| count.checked_mul(extent));
            let Some(product) = product else { return Ok(None) };
            count = product;
        }
        if matches!(decl.kind, DeclKind::RunTime) && extents.is_empty() {
            return Ok(None);
        }
        let Some((bytes, exact)) = self.bytes_of_one(reference, &inside)? else { return Ok(None) };
        Ok(bytes.checked_mul(count).map(|bytes| (bytes, exact)))
    }

    /// The bytes of a variable, or of an element of an array, at least, and whether there are no more.
    fn bytes_of_one(&mut self, of: DeclRef, inside: &Context<'a>) -> Resolved<Option<(u64, bool)>> {
        if let Some(ty) = self.array(of).and_then(|array| array.ty).or_else(|| self.type_of(of)) {
            let value = self.known(ty, inside)?;
            if let Some(bits) = crate::eval::width(&value) {
                return Ok(Some((bits.div_ceil(8), true)));
            }
            let Value::Named(named) = &value else { return Ok(None) };
            let own = named.class.is_some_and(|class| !self.program.is_vendored(class.unit));
            if let Some(bits) = Self::bits_of_array(named).filter(|_| !own) {
                return Ok(Some((bits.div_ceil(8), true)));
            }
            return Ok(self.bytes_of_class(named, MAX_CLASSES).map(|size| (size.bytes, size.exact)));
        }
        if let Some(class) = self.on_the_spot(of) {
            let size = self.bytes_of_members(class, &inside.env, MAX_CLASSES);
            return Ok(size.map(|size| (size.bytes, size.exact)));
        }
        Ok(self.language_of(self.program.before_name(of), inside).map(|bits| (bits.div_ceil(8), true)))
    }

    /// What variables take that live together, in the block where they take most: those of one block and of the blocks around it, and of sides
    /// of an `#if` those of the smallest.
    fn together(&self, all: &[Taken], unit: u32) -> Option<(u64, Vec<(DeclId, u64)>)> {
        let of = self.program.unit(unit);
        let around = |home: ScopeId| {
            let mut scopes = vec![home];
            while let Some(parent) = scopes.last().and_then(|scope| of.scope(*scope).parent) {
                scopes.push(parent);
            }
            scopes
        };
        let sum = |taken: &[&Taken]| taken.iter().try_fold(0_u64, |sum, one| sum.checked_add(one.bytes));
        let mut most: Option<(u64, Vec<(DeclId, u64)>)> = None;
        for innermost in all {
            let scopes = around(innermost.home);
            let here: Vec<&Taken> = all.iter().filter(|one| scopes.contains(&one.home)).collect();
            let mut kept: Vec<&Taken> = here.iter().copied().filter(|one| one.side.is_none()).collect();
            let mut groups: Vec<(usize, Option<usize>)> = here
                .iter()
                .filter_map(|one| one.side)
                .map(|side| (side.group, side.sides.filter(|_| !side.device)))
                .collect();
            groups.sort_unstable();
            groups.dedup();
            // No device need have two of these.
            let mut device: Vec<&Taken> = Vec::new();
            for (group, sides) in groups {
                let side = |index: usize| -> Vec<&Taken> {
                    let is = |one: &&Taken| one.side.is_some_and(|side| side.group == group && side.index == index);
                    here.iter().copied().filter(is).collect()
                };
                let taken = (0..sides.unwrap_or(1)).map(side).min_by_key(|taken| sum(taken).unwrap_or(u64::MAX));
                let taken = taken.unwrap_or_default();
                if sides.is_some() {
                    kept.extend(taken);
                } else if sum(&taken) > sum(&device) {
                    device = taken;
                }
            }
            kept.extend(device);
            let bytes = sum(&kept)?;
            if most.as_ref().is_none_or(|(most, _)| bytes > *most) {
                most = Some((bytes, kept.iter().map(|one| (one.decl, one.bytes)).collect()));
            }
        }
        most
    }
}

/// The sides of `#if`s that a place in a text stands on, the outermost first; none where there are too many.
fn sides(text: &str, ifs: &Ifs, at: usize) -> Option<Vec<Side>> {
    let around = ifs.all.iter().filter_map(|of| {
        let index = of.side(at)?;
        let sides = (of.closed && of.otherwise).then_some(of.sides.len());
        let device = index == 0 && asks_for_a_device(text.get(of.line.clone()).unwrap_or_default());
        Some(Side { group: of.line.start, index, sides, device })
    });
    let around: Vec<Side> = around.collect();
    (around.len() <= MAX_CONDITIONS && !ifs.cut).then_some(around)
}

/// `#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900`
fn asks_for_a_device(directive: &str) -> bool {
    let code = code(directive);
    let words = code.split(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '_')).filter(|word| !word.is_empty());
    let plain = |word: &str| {
        matches!(word, "if" | "ifdef" | "defined" | "__CUDA_ARCH__") || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    code.contains("__CUDA_ARCH__") && words.into_iter().all(plain) && !code.contains(['<', '!']) && !code.contains("==")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_around_a_place() {
        let of = |text: &str| sides(text, &Ifs::of(text).unwrap(), text.find('@').unwrap()).unwrap();
        assert_eq!(of("@\n#if A\n#endif\n"), []);
        assert_eq!(of("#if A\n#endif\n@"), []);
        let side = |group, index, sides, device| Side { group, index, sides, device };
        assert_eq!(of("#if A\n@\n#endif\n"), [side(0, 0, None, false)]);
        assert_eq!(of("\n#if A\n#elif B\n@\n#else\n#endif\n"), [side(1, 1, Some(3), false)]);
        assert_eq!(of("#if __CUDA_ARCH__ >= 900\n@\n#else\n#endif\n"), [side(0, 0, Some(2), true)]);
        assert_eq!(of("#if __CUDA_ARCH__ >= 900\n#else\n@\n#endif\n"), [side(0, 1, Some(2), false)]);
        for other in
            ["__CUDA_ARCH__ < 300", "__CUDA_ARCH__ == 900", "!defined(__CUDA_ARCH__)", "__CUDA_ARCH__ > 1 && A"]
        {
            assert!(!asks_for_a_device(&format!("if {other}")), "{other}");
        }
        assert_eq!(of("#if A\n# if B\n@\n# else\n# endif\n#endif\n").len(), 2);
    }
}
