//! Parts of what a function is given: fields of an object, and elements of an array. A call says what they are, and the function leaves
//! them as they are.

use super::{Context, Evaluator};
use crate::ast::{Expr, ExprId, ScopeKind};
use crate::eval::program::DeclRef;
use crate::eval::value::{Parts, Value};

/// Members of members, and elements of them.
const MAX_STEPS: usize = 8;

impl<'a> Evaluator<'a> {
    /// What a call gives a part of a parameter: `p.ld`, `p.shape.m`, `box[1]`.
    pub(super) fn part(&mut self, expr: ExprId, context: &Context<'a>) -> Option<Value<'a>> {
        let mut frame = context.env.as_ref();
        let mut any = false;
        while let Some(known) = frame {
            any |= !known.parts.is_empty() || !known.locals.is_empty();
            frame = known.outer.as_ref();
        }
        if !any {
            return None;
        }
        let (name, before, part) = self.part_name(expr, context)?;
        self.parts_of(name, before, context)?.get(&part).cloned()
    }

    /// Whether an expression is a variable of which some parts are known.
    pub fn has_parts(&self, expr: ExprId, context: &Context<'a>) -> bool {
        let Expr::Path(path) = self.program.unit(context.unit).expr(expr) else { return false };
        let [only] = path.segments.as_slice() else { return false };
        let name = self.program.text(Self::site(context, only.name));
        self.parts_of(name, only.name.start, context).is_some_and(|parts| !parts.is_empty())
    }

    /// What is known of the parts of a variable that is seen before a place.
    fn parts_of<'c>(&self, name: &'a str, before: u32, context: &'c Context<'a>) -> Option<&'c Parts<'a>> {
        let unit = self.program.unit(context.unit);
        let mut at = Some(context.scope);
        while let Some(id) = at {
            let scope = unit.scope(id);
            if !matches!(scope.kind, ScopeKind::Block) {
                return None;
            }
            let mut frame = context.env.as_ref();
            while let Some(known) = frame {
                if known.key == (context.unit, id) {
                    let body = self.program.body(self.program.body_of(context.unit, id)?);
                    let named = |param: &crate::ast::Parameter| {
                        !name.is_empty() && self.program.text(Self::site(context, param.name)) == name
                    };
                    let index = body.params.iter().position(named)?;
                    return known.parts_of(index);
                }
                frame = known.outer.as_ref();
            }
            // A variable, which hides a parameter.
            let own = self.program.local(context.unit, id, name).iter().rev();
            if let Some(id) = own.copied().find(|decl| unit.decl(*decl).name.start < before) {
                let decl = DeclRef { unit: context.unit, id };
                let mut frame = context.env.as_ref();
                while let Some(known) = frame {
                    if let Some((_, parts)) = known.locals.iter().find(|(of, _)| *of == decl) {
                        return Some(parts);
                    }
                    frame = known.outer.as_ref();
                }
                return None;
            }
            at = scope.parent;
        }
        None
    }

    /// The variable that a part is one of, where that stands, and the part in as few words as possible.
    fn part_name(&mut self, expr: ExprId, context: &Context<'a>) -> Option<(&'a str, u32, String)> {
        let unit = self.program.unit(context.unit);
        let mut at = expr;
        let mut steps: Vec<String> = Vec::new();
        for _ in 0..MAX_STEPS {
            match unit.expr(at) {
                Expr::Member(of, segment) if segment.args.is_none() => {
                    steps.push(format!(".{}", self.program.text(Self::site(context, segment.name))));
                    at = *of;
                }
                Expr::Element(of, index) => {
                    let Ok(Value::Number(index)) = self.eval(*index, context) else { return None };
                    steps.push(format!("[{}]", index.value));
                    at = *of;
                }
                Expr::Path(path) => {
                    let [only] = path.segments.as_slice() else { return None };
                    // What a cast leaves of its operand is wider than the name.
                    if steps.is_empty() || only.args.is_some() || only.name != unit.span(at) {
                        return None;
                    }
                    let name = self.program.text(Self::site(context, only.name));
                    return Some((name, only.name.start, steps.iter().rev().map(String::as_str).collect()));
                }
                _ => return None,
            }
        }
        None
    }
}
