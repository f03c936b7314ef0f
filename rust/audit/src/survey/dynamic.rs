//! Dynamic shared memory: `extern __shared__ char smem[];`, of which the launch says how many bytes there are. A tensor in it must not reach
//! further, wherever it begins.

use super::arms::Block;
use super::shared::{Fact, Looker};
use super::tiled;
use crate::ast::{DeclKind, Expr, ExprId, Op, ScopeKind, Site, Span};
use crate::eval::{Context, DeclRef, Value, bits, layout_of, width};
use crate::source::{places, unaligned};

/// Members, variables and casts that are followed from one to the next.
const MAX_STEPS: usize = 4;

/// Variables and sums on the way from a pointer to the memory.
const MAX_POINTERS: usize = 8;

/// Where a pointer points to in dynamic shared memory: at least so many elements after its beginning.
struct Pointer {
    bits: u64,
    begin: u64,
}

impl Pointer {
    /// The same place, counted in elements of so many bits.
    fn of(self, bits: u64) -> Option<Self> {
        let begin = self.begin.checked_mul(self.bits)?;
        begin.is_multiple_of(bits).then(|| Self { bits, begin: begin / bits })
    }
}

impl<'a> Looker<'_, 'a> {
    /// A tensor in dynamic shared memory, of which a launch gives so many bytes, where threads of its block use it.
    pub(super) fn dynamic(
        &mut self,
        (storage, call): (ExprId, ExprId),
        bytes: u64,
        block: [u64; 3],
        context: &Context<'a>,
    ) -> Option<Fact> {
        let span = self.program.unit(context.unit).span(call);
        if self.is_dead(span, context).ok()? || !self.is_taken(span, Block::of(block), context) {
            return None;
        }
        let layout = layout_of(&self.known(call, context).ok()?).and_then(tiled::in_memory)?;
        let Pointer { bits, begin } = self.dynamic_pointer(storage, context, MAX_POINTERS)?;
        Some(Fact::Dynamic { layout, begin, bits, bytes })
    }

    /// Where an expression points to in dynamic shared memory; none where it may point elsewhere.
    // Recursion: through variables and sums, as deep as `depth`.
    fn dynamic_pointer(&mut self, expr: ExprId, context: &Context<'a>, depth: usize) -> Option<Pointer> {
        let depth = depth.checked_sub(1)?;
        let unit = self.program.unit(context.unit);
        match unit.expr(expr) {
            // `smem + 64`; what a cast leaves of its operand is wider.
            Expr::Binary(Op::Add, array, begin) if unit.span(*array).start == unit.span(expr).start => {
                let Value::Number(number) = self.known(*begin, context).ok()? else { return None };
                let pointer = self.dynamic_pointer(*array, context, depth)?;
                let begin = pointer.begin.checked_add(u64::try_from(number.value).ok()?)?;
                Some(Pointer { begin, ..pointer })
            }
            // `reinterpret_cast<half_t*>(raw + 128)`
            Expr::Call(callee, args) if self.said(context, *callee).starts_with("reinterpret_cast<") => {
                let ty = self.said(context, *callee).trim_end().strip_suffix('>')?.strip_prefix("reinterpret_cast<")?;
                let bits = self.bits_named(ty.trim_end().strip_suffix('*')?, context)?;
                self.dynamic_pointer(*args.first()?, context, depth)?.of(bits)
            }
            // `make_smem_ptr<half_t>(raw)`
            Expr::Call(callee, args) if self.typed_pointer(*callee, context).is_some() => {
                let bits = width(&self.known(self.typed_pointer(*callee, context)?, context).ok()?)?;
                self.dynamic_pointer(*args.first()?, context, depth)?.of(bits)
            }
            // `storage.a.data()`
            Expr::Call(callee, args) if args.is_empty() => match unit.expr(*callee) {
                Expr::Member(of, part) if matches!(self.text(context, part.name), "data" | "begin") => {
                    self.member_in_dynamic(*of, context)
                }
                _ => None,
            },
            Expr::Member(..) => self.member_in_dynamic(expr, context),
            _ => {
                // `half_t* b = smem + 64;`
                if let Some((decl, inside)) = self.declared(expr, context).ok().flatten()
                    && let Some(sum) = self.array(decl).and_then(|stored| stored.sum).or_else(|| self.sum_of(decl))
                {
                    let moved = decl.unit != context.unit || !self.is_never_moved(decl, context);
                    return if moved { None } else { self.dynamic_pointer(sum, &inside, depth) };
                }
                let span = unit.span(expr);
                let bits = self.pointed_by(span, context)?;
                Some(Pointer { bits, begin: 0 })
            }
        }
    }

    /// The type in `make_smem_ptr<T>`.
    fn typed_pointer(&self, callee: ExprId, context: &Context<'a>) -> Option<ExprId> {
        let Expr::Path(path) = self.program.unit(context.unit).expr(callee) else { return None };
        let last = path.segments.last().filter(|last| self.text(context, last.name) == "make_smem_ptr")?;
        match last.args.as_deref()? {
            [ty] => Some(*ty),
            _ => None,
        }
    }

    /// What a variable without a type of its own is declared with, where that is a sum or the cast of one: `auto b = smem + 64;`.
    fn sum_of(&self, decl: DeclRef) -> Option<ExprId> {
        let DeclKind::Variable { ty: None, init: Some(init), .. } = self.program.decl(decl).kind else { return None };
        let unit = self.program.unit(decl.unit);
        let sums = |expr: ExprId| matches!(unit.expr(expr), Expr::Binary(Op::Add, ..));
        let casts = match unit.expr(init) {
            Expr::Call(callee, args) => {
                let said = self.program.text(Site { unit: decl.unit, span: unit.span(*callee) });
                said.starts_with("reinterpret_cast<") && args.first().is_some_and(|only| sums(*only))
            }
            _ => false,
        };
        (casts || sums(init)).then_some(init)
    }

    /// The bits of a type by its name, or by what a template is given for it.
    fn bits_named(&self, ty: &str, context: &Context<'a>) -> Option<u64> {
        if let Some(bits) = bits_of(ty) {
            return Some(bits);
        }
        let mut frame = context.env.as_ref();
        while let Some(known) = frame {
            let (unit, scope) = known.key;
            if let ScopeKind::Template(params) = &self.program.unit(unit).scope(scope).kind
                && let Some(at) =
                    params.iter().position(|param| self.program.text(Site { unit, span: param.name }) == ty.trim())
            {
                return known.values.get(at).and_then(width);
            }
            frame = known.outer.as_ref();
        }
        None
    }

    /// An array of a class whose object lies in dynamic shared memory.
    fn member_in_dynamic(&mut self, expr: ExprId, context: &Context<'a>) -> Option<Pointer> {
        let unit = self.program.unit(context.unit);
        let mut root = expr;
        for _ in 0..MAX_STEPS {
            let Expr::Member(of, _) = unit.expr(root) else { break };
            root = *of;
        }
        let (decl, _) = self.declared(root, context).ok()??;
        // `Storage& storage = *reinterpret_cast<Storage*>(smem);`
        let inside = Context { unit: decl.unit, scope: self.program.decl(decl).home, ..context.clone() };
        let (value, before) = self.value_of(decl)?;
        self.cast_of(value, before, &inside).filter(|(array, _)| self.is_dynamic(*array))?;
        let (member, inside) = self.declared(expr, context).ok()??;
        let bits = self.element_of(member, &inside)?;
        Some(Pointer { bits, begin: 0 })
    }

    /// The bits of what a name, a cast of one, or a variable that is made so points to in dynamic shared memory.
    fn pointed_by(&mut self, span: Span, context: &Context<'a>) -> Option<u64> {
        let mut text = self.text(context, span).trim();
        let mut inside = context.clone();
        let mut before = span.end;
        for _ in 0..MAX_STEPS {
            let (array, ty) = self.cast_of(text, before, &inside)?;
            let of = self.program.decl(array);
            if self.is_dynamic(array) {
                return match ty {
                    Some(ty) => self.bits_named(ty, &inside),
                    None => self.element_of(array, &Context { scope: of.inside, ..context.clone() }),
                };
            }
            // `auto* p = reinterpret_cast<half_t*>(smem);`
            if ty.is_some() || array.unit != context.unit || !self.is_never_moved(array, context) {
                return None;
            }
            (text, before) = self.value_of(array)?;
            inside.scope = of.home;
        }
        None
    }

    /// The text of what a variable is declared with, and where that ends.
    fn value_of(&self, decl: DeclRef) -> Option<(&'a str, u32)> {
        let of = self.program.decl(decl);
        let declaration = self.program.text(Site { unit: decl.unit, span: of.span });
        let (_, value) = declaration.split_once('=')?;
        Some((value.trim().trim_end_matches(';').trim_end(), of.name.start))
    }

    /// The variable of which a text is the name or a cast, and the type that it is cast to.
    fn cast_of(&self, text: &'a str, before: u32, context: &Context<'a>) -> Option<(DeclRef, Option<&'a str>)> {
        let text = text.trim_start_matches(['*', ' ']);
        let (ty, name) = if let Some(rest) = text.strip_prefix("reinterpret_cast<") {
            let (ty, name) = rest.rsplit_once('(')?;
            (Some(ty.trim_end().strip_suffix('>')?), name.strip_suffix(')')?)
        } else if let Some(rest) = text.strip_prefix('(') {
            let (ty, name) = rest.split_once(')')?;
            (Some(ty), name)
        } else {
            (None, text)
        };
        let name = name.trim();
        if name.is_empty() || !name.bytes().all(crate::source::is_identifier) {
            return None;
        }
        let decl = self.variable_named(name, before, context)?;
        let ty = match ty {
            Some(ty) => Some(ty.trim().strip_suffix('*')?.trim_end()),
            None => None,
        };
        Some((decl, ty))
    }

    /// The variable of a function that has a name before a place.
    fn variable_named(&self, name: &'a str, before: u32, context: &Context<'a>) -> Option<DeclRef> {
        let unit = self.program.unit(context.unit);
        let mut at = Some(context.scope);
        while let Some(id) = at {
            let all = self.program.local(context.unit, id, name);
            if let Some(id) = all.iter().rev().find(|id| unit.decl(**id).name.start < before) {
                return Some(DeclRef { unit: context.unit, id: *id });
            }
            at = unit.scope(id).parent;
        }
        None
    }

    fn is_dynamic(&self, decl: DeclRef) -> bool {
        let text = self.program.text(Site { unit: decl.unit, span: self.program.decl(decl).span });
        ["extern", "__shared__"].iter().all(|word| places(text, word).next().is_some())
    }

    fn is_never_moved(&mut self, decl: DeclRef, context: &Context<'a>) -> bool {
        let around = super::launches::function_around(self.program, context.unit, context.scope);
        around.is_some_and(|body| self.keeps(decl, self.program.body(body).span, context))
    }

    /// The bits of an element of an array.
    fn element_of(&mut self, decl: DeclRef, inside: &Context<'a>) -> Option<u64> {
        let array = self.array(decl).is_some_and(|stored| !stored.extents.is_empty());
        if let Some(ty) = self.type_of(decl) {
            let value = self.known(ty, inside).ok()?;
            if array || self.is_dynamic(decl) {
                return width(&value);
            }
            let Value::Named(named) = &value else { return None };
            let ours = super::shared::ARRAYS.contains(&named.name());
            return named.args.as_deref().filter(|_| ours)?.first().and_then(width);
        }
        self.language_of(self.program.before_name(decl), inside)
    }

    /// The bits of the type of the language that a declaration names before its variable.
    pub(super) fn language_of(&self, before: &str, inside: &Context<'a>) -> Option<u64> {
        let mut text = unaligned(before).trim_start();
        for _ in 0..MAX_STEPS {
            let words = ["extern", "__shared__", "static", "const", "volatile"];
            let word = words.iter().find_map(|word| text.strip_prefix(word));
            text = unaligned(word.unwrap_or(text).trim_start());
        }
        // `float a[4], b`
        self.bits_named(text, inside)
            .or_else(|| self.bits_named(text.split_once(',')?.0.split([' ', '*']).next()?, inside))
    }
}

/// The bits of a type by its name.
fn bits_of(ty: &str) -> Option<u64> {
    let ty = ty.trim().trim_start_matches("cute::").trim_start_matches("cutlass::").trim_start_matches("std::");
    bits(ty.strip_prefix("unsigned ").map_or(ty, str::trim_start))
}

#[cfg(test)]
mod tests {
    use super::bits_of;

    #[test]
    fn types_by_their_names() {
        assert_eq!(
            ["cutlass::half_t", "float", "unsigned char", "T", "half_t*"].map(bits_of),
            [Some(16), Some(32), Some(8), None, None]
        );
    }
}
