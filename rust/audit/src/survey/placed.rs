//! Tensors by a layout with a swizzle of bytes in an array whose size is a number: which alignment the array needs, only the tensor says.

use super::shared::{Fact, Looker};
use super::storage::period;
use crate::ast::{DeclKind, Expr, ExprId, Site, Span};
use crate::eval::{Context, DeclRef, Reason, Resolved, Swizzled, Value, layout_of};

impl<'a> Looker<'_, 'a> {
    /// The declaration of the `__shared__` array in which such a tensor begins.
    pub(super) fn placed(&mut self, storage: ExprId, call: ExprId, context: &Context<'a>) -> Resolved<Option<Fact>> {
        let Some((array, at)) = self.whole_array(storage, context)? else { return Ok(None) };
        let text = self.program.text(Site { unit: array.unit, span: self.program.decl(array).span });
        // What is part of a class may lie in a block that is aligned; and by `cosize` the array says itself what it is for.
        if !text.contains("__shared__") || text.contains("cosize") {
            return Ok(None);
        }
        let swizzled = layout_of(&self.known(call, context)?).and_then(Swizzled::of);
        let swizzled = swizzled.filter(|swizzled| swizzled.bits.is_some() && swizzled.swizzle.bits() > 0);
        let Some(swizzled) = swizzled else { return Ok(None) };
        let (Some(layout), Some(period)) = (swizzled.core(), period(swizzled.swizzle)) else { return Ok(None) };
        Ok(Some(Fact::Placed { layout, period, array: Site { span: self.program.decl(array).span, ..at } }))
    }

    /// The array that an expression is, from its beginning: `smem`, `&smem[0]`, `smem.data()`.
    fn whole_array(&mut self, storage: ExprId, context: &Context<'a>) -> Resolved<Option<(DeclRef, Site)>> {
        let unit = self.program.unit(context.unit);
        let named = match unit.expr(storage) {
            Expr::Call(callee, args) if args.is_empty() => match unit.expr(*callee) {
                Expr::Member(of, part) if matches!(self.text(context, part.name), "data" | "begin") => *of,
                _ => return Ok(None),
            },
            Expr::Path(_) => storage,
            _ => return Ok(None),
        };
        // A pointer may be to anything, and an alias of a type says itself how it is aligned.
        let Some((decl, inside)) = self.declared(named, context)? else { return Ok(None) };
        let array = self.array(decl).is_some_and(|stored| !stored.extents.is_empty());
        let plain = array || self.is_array_class(decl, &inside)?;
        let site = Site { unit: decl.unit, span: Span::default() };
        Ok(plain.then_some((decl, site)))
    }

    /// Whether a variable is of a class whose alignment is the one that its declaration asks for, or 16: `cute::array<T, 64>`.
    fn is_array_class(&mut self, decl: DeclRef, context: &Context<'a>) -> Resolved<bool> {
        let DeclKind::Variable { ty: Some(ty), .. } = self.program.decl(decl).kind else { return Ok(false) };
        match self.known(ty, context) {
            Ok(Value::Named(named)) => Ok(matches!(named.name(), "array" | "Array")),
            Err(why) if why.reason == Reason::Dependent => Err(why),
            _ => Ok(false),
        }
    }
}
