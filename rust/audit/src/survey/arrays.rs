//! The array that an expression names, how many elements it has, and the variables and members on the way to it.

use super::shared::{ARRAYS, Looker};
use crate::ast::{DeclId, DeclKind, Expr, ExprId, Op, ScopeKind, Site, Span, Stored};
use crate::eval::{Context, DeclRef, Resolved, Value};

impl<'a> Looker<'_, 'a> {
    /// A pointer into an array as the array and the element that it points to: `smem + 64`.
    pub(super) fn begin(&mut self, expr: ExprId, context: &Context<'a>) -> Resolved<Option<(ExprId, u64)>> {
        let unit = self.program.unit(context.unit);
        let Expr::Binary(Op::Add, array, begin) = unit.expr(expr) else { return Ok(Some((expr, 0))) };
        // What a cast leaves of its operand is wider than that, and counts in other elements.
        if unit.span(*array).start != unit.span(expr).start {
            return Ok(None);
        }
        if let Some((decl, _)) = self.declared(*array, context)?
            && self.array(decl).is_none_or(|stored| stored.extents.len() != 1)
        {
            // An array of arrays counts in rows, and what is no array is another pointer.
            return Ok(None);
        }
        let Value::Number(number) = self.known(*begin, context)? else { return Ok(None) };
        Ok(u64::try_from(number.value).ok().map(|begin| (*array, begin)))
    }

    /// How many elements the array has that an expression names, where it is declared, and whether others of its class lie behind it.
    pub(super) fn storage(&mut self, expr: ExprId, context: &Context<'a>) -> Resolved<Option<(u64, Site, bool)>> {
        let unit = self.program.unit(context.unit);
        let name = |span: Span| self.program.text(Site { unit: context.unit, span });
        let named = match unit.expr(expr) {
            // `smem.data()` and `smem.begin()` are where `smem` begins.
            Expr::Call(callee, args) if args.is_empty() => match unit.expr(*callee) {
                Expr::Member(of, part) if matches!(name(part.name), "data" | "begin") => *of,
                _ => return Ok(None),
            },
            // `&smem[0][0]` as well.
            Expr::Opaque => {
                let Some((decl, context)) = self.first_element(unit.span(expr), context) else { return Ok(None) };
                return self.extent(decl, &context);
            }
            _ => expr,
        };
        let Some((decl, context)) = self.declared(named, context)? else { return Ok(None) };
        self.extent(decl, &context)
    }

    /// The array of which an expression is the address of the first element: `&smem[0]`.
    pub(super) fn first_element(&self, span: Span, context: &Context<'a>) -> Option<(DeclRef, Context<'a>)> {
        let named = first_of(self.program.text(Site { unit: context.unit, span }))?;
        let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let (start, end) = (span.start + clip(named.start), span.start + clip(named.end));
        self.local(Span { start, end }, context)
    }

    /// The declaration that a name or a member stands for, and where names in it are looked up.
    pub(super) fn declared(&mut self, expr: ExprId, context: &Context<'a>) -> Resolved<Option<(DeclRef, Context<'a>)>> {
        let unit = self.program.unit(context.unit);
        match unit.expr(expr) {
            Expr::Path(path) => {
                let [segment] = path.segments.as_slice() else { return Ok(None) };
                // What a cast leaves of its operand is wider than the name.
                if segment.args.is_some() || segment.name != unit.span(expr) {
                    return Ok(None);
                }
                Ok(self.local(segment.name, context))
            }
            Expr::Member(of, part) => {
                // Members of members, as deep as the expression was read.
                let Some((variable, inner)) = self.declared(*of, context)? else { return Ok(None) };
                let (definition, env) = if let Some(ty) = self.type_of(variable) {
                    let Value::Named(class) = self.known(ty, &inner)? else { return Ok(None) };
                    let Some(definition) = class.class else { return Ok(None) };
                    (definition, class.env.clone())
                } else {
                    let Some(definition) = self.on_the_spot(variable) else { return Ok(None) };
                    (definition, inner.env.clone())
                };
                let DeclKind::Class { members, .. } = self.program.decl(definition).kind else { return Ok(None) };
                let part = self.program.text(Site { unit: context.unit, span: part.name });
                let [id] = self.program.local(definition.unit, members, part) else { return Ok(None) };
                let member = DeclRef { unit: definition.unit, id: *id };
                let scope = self.program.decl(member).inside;
                Ok(Some((member, Context { unit: definition.unit, scope, env })))
            }
            _ => Ok(None),
        }
    }

    /// The class of a variable that is defined where the variable is: `struct { T a[64]; } smem;`.
    pub(super) fn on_the_spot(&self, variable: DeclRef) -> Option<DeclRef> {
        let unit = self.program.unit(variable.unit);
        let of = unit.decl(variable.id);
        let class = (0_u32..).zip(&unit.decls).find(|(_, decl)| {
            matches!(decl.kind, DeclKind::Class { .. }) && of.span.contains(decl.span) && decl.span != of.span
        });
        class.map(|(id, _)| DeclRef { unit: variable.unit, id: DeclId(id) })
    }

    /// A variable of a function, before the place where it is used.
    pub(super) fn local(&self, name: Span, context: &Context<'a>) -> Option<(DeclRef, Context<'a>)> {
        let unit = self.program.unit(context.unit);
        let text = self.program.text(Site { unit: context.unit, span: name });
        let mut at = Some(context.scope);
        while let Some(id) = at {
            let scope = unit.scope(id);
            match &scope.kind {
                ScopeKind::Block => {
                    let all = self.program.local(context.unit, id, text);
                    if let Some(last) = all.iter().rev().find(|id| unit.decl(**id).name.start < name.start) {
                        let of = |id: DeclId| DeclRef { unit: context.unit, id };
                        let others = self.program.on_other_sides(context.unit, id, text, *last, name.start);
                        let decl = if others.is_empty() {
                            of(*last)
                        } else {
                            let all: Vec<DeclRef> = others.iter().copied().chain([*last]).map(of).collect();
                            self.evaluator.taken(&all)?
                        };
                        let scope = unit.decl(decl.id).inside;
                        return Some((decl, Context { scope, ..context.clone() }));
                    }
                }
                ScopeKind::Template(params) => {
                    let hides = |span: Span| self.program.text(Site { unit: context.unit, span }) == text;
                    if params.iter().any(|param| hides(param.name)) {
                        return None;
                    }
                }
                _ => return None,
            }
            at = scope.parent;
        }
        None
    }

    /// Arrays and references are kept in the order of their declarations.
    pub(super) fn array(&self, decl: DeclRef) -> Option<&'a Stored> {
        let all = &self.program.unit(decl.unit).stored;
        all.get(all.binary_search_by_key(&decl.id, |stored| stored.decl).ok()?)
    }

    pub(super) fn type_of(&self, decl: DeclRef) -> Option<ExprId> {
        let refers = || self.array(decl).filter(|stored| stored.extents.is_empty()).and_then(|stored| stored.ty);
        match self.program.decl(decl).kind {
            DeclKind::Variable { ty, .. } => ty.or_else(refers),
            DeclKind::RunTime => refers(),
            _ => None,
        }
    }

    fn extent(&mut self, decl: DeclRef, context: &Context<'a>) -> Resolved<Option<(u64, Site, bool)>> {
        let of = self.program.decl(decl);
        let home = self.program.unit(decl.unit).scope(of.home);
        let behind = matches!(home.kind, ScopeKind::Class(_)) && home.decls.last() != Some(&decl.id);
        let site = Site { unit: decl.unit, span: of.name };
        if let Some(array) = self.array(decl).filter(|stored| !stored.extents.is_empty()) {
            let mut all = 1_u64;
            for extent in &array.extents {
                let Value::Number(number) = self.known(*extent, context)? else { return Ok(None) };
                let product = u64::try_from(number.value).ok().and_then(|extent| all.checked_mul(extent));
                let Some(product) = product else { return Ok(None) };
                all = product;
            }
            return Ok(Some((all, site, behind)));
        }
        let DeclKind::Variable { ty: Some(ty), .. } = of.kind else { return Ok(None) };
        let Value::Named(array) = self.known(ty, context)? else { return Ok(None) };
        let extent = match array.args.as_deref() {
            Some([_, Value::Number(extent), ..]) if ARRAYS.binary_search(&array.name()).is_ok() => extent.value,
            _ => return Ok(None),
        };
        Ok(u64::try_from(extent).ok().map(|extent| (extent, site, behind)))
    }
}

/// Where the name stands in `&name[0]`, the first element of an array.
fn first_of(text: &str) -> Option<std::ops::Range<usize>> {
    let mut rest = text.strip_prefix('&')?;
    let plain = rest;
    while let Some(before) = rest.strip_suffix("[0]") {
        rest = before.trim_end();
    }
    let word = rest.trim_start();
    let name = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let start = text.len() - plain.len() + rest.len() - word.len();
    (name && rest.len() < plain.len()).then_some(start..start + word.len())
}
