//! Descriptors of the copy engine, as the driver makes them: `cuTensorMapEncodeTiled`.

use razorgirl::tma::{DataType, Descriptor, Dimension, Fill, Interleave, MAX_RANK, Swizzle};

use super::launches::function_around;
use super::shared::Looker;
use super::spots::Finder;
use crate::ast::{Decl, DeclKind, Expr, ExprId, ScopeId, ScopeKind, Site, Span};
use crate::eval::{Context, Reason, Resolved, Value};
use crate::source::{is_identifier, places};

/// Arguments of the function.
const ARGUMENTS: usize = 12;

/// Dimensions that are looked at: one more than there may be.
const MAX_DIMENSIONS: usize = MAX_RANK + 1;

/// A descriptor of which some numbers are known. Those that are not have values with which nothing is wrong.
#[derive(Debug, Clone)]
pub struct Encoded {
    /// The numbers.
    pub descriptor: Descriptor,
    /// Whether it is known how wide a row of the box is, and that channels are not interleaved.
    pub rows: bool,
    /// Whether the swizzle is known.
    pub swizzled: bool,
}

/// Whether a call may be one, by its arguments.
pub fn encodes(args: &[ExprId]) -> bool {
    args.len() == ARGUMENTS
}

impl Finder<'_, '_> {
    /// Whether what is called with the arguments of the driver's function may be it: by its name, or a variable or a result that is a pointer to
    /// it. A function of another name may do more with its arguments.
    pub(super) fn is_driver(&self, callee: ExprId, scope: ScopeId) -> bool {
        let text = self.text(self.unit.span(callee)).trim();
        if let Expr::Path(path) = self.unit.expr(callee)
            && self.program.is_own(path, self.index)
        {
            return false;
        }
        if names_driver(text) {
            // One of the files does with its arguments what it says.
            let file = self.program.sources().get(self.unit.file).map_or("", |source| source.text.as_str());
            let name = text.rsplit("::").next().unwrap_or_default();
            return text.contains("cuTensorMapEncodeTiled")
                || (self.program.bodies(name).is_empty() && crate::mentions::count(file, name) == 0);
        }
        // `(*encode)(…)`
        let name = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text).trim();
        let name = name.strip_prefix('*').unwrap_or(name).trim();
        match self.unit.expr(callee) {
            // What a function returns that takes nothing: `get_encode()(…)`.
            Expr::Call(of, args) => args.is_empty() && matches!(self.unit.expr(*of), Expr::Path(_)),
            Expr::Path(_) | Expr::Opaque if name.bytes().all(is_identifier) => self.points(name, callee, scope),
            _ => false,
        }
    }

    /// Whether a name is that of a variable that may point to the driver's function.
    fn points(&self, name: &str, callee: ExprId, scope: ScopeId) -> bool {
        let before = self.unit.span(callee).start;
        let mut at = Some(scope);
        while let Some(id) = at {
            let of = self.unit.scope(id);
            let mut decls = of.decls.iter().rev().map(|id| self.unit.decl(*id));
            let named = |decl: &&Decl| {
                let seen = decl.name.start < before || !matches!(of.kind, ScopeKind::Block);
                seen && self.text(decl.name) == name
            };
            if let Some(decl) = decls.find(named) {
                // `PFN_cuTensorMapEncodeTiled encode`, `auto encode = get_encode();`
                let ty = self.text(Span { end: decl.name.start.max(decl.span.start), ..decl.span });
                let typed = names_driver(ty) || self.is_alias(ty);
                let after = self.text(Span { start: decl.name.end, end: decl.span.end.max(decl.name.end) });
                let init = after.trim_start().strip_prefix('=').map_or("", str::trim_start);
                let made = (names_driver(init) && !init.starts_with('[')) || self.is_plain_call(decl);
                return typed || (made && places(ty, "auto").next().is_some());
            }
            at = of.parent;
        }
        false
    }

    /// Whether a type is one by another name: `using Encode = decltype(&cuTensorMapEncodeTiled);`.
    fn is_alias(&self, ty: &str) -> bool {
        let aliases = self.unit.decls.iter().filter(|decl| matches!(decl.kind, DeclKind::Alias(_)));
        let mut named = aliases.filter(|decl| places(ty, self.text(decl.name)).next().is_some());
        named.next().is_some_and(|decl| names_driver(self.text(decl.span)))
    }

    /// Whether a variable is what a function returns that takes nothing.
    fn is_plain_call(&self, decl: &Decl) -> bool {
        let DeclKind::Variable { init: Some(init), .. } = decl.kind else { return false };
        match self.unit.expr(init) {
            Expr::Call(callee, args) => args.is_empty() && matches!(self.unit.expr(*callee), Expr::Path(_)),
            _ => false,
        }
    }
}

/// Whether a text names the driver's function, its type, or a pointer to it.
fn names_driver(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.contains("encodetiled") || lower.contains("encode_tiled")
}

impl<'a> Looker<'_, 'a> {
    /// What is known of the descriptor that a call makes.
    pub(super) fn encoded(&mut self, call: ExprId, context: &Context<'a>) -> Resolved<Option<Encoded>> {
        let unit = self.program.unit(context.unit);
        let Expr::Call(_, args) = unit.expr(call) else { return Ok(None) };
        let [_, ty, rank, _, sizes, strides, boxes, steps, interleave, swizzle, _, _] = args.as_slice() else {
            return Ok(None);
        };
        let rank = self.rank(*rank, unit.span(call), context)?;
        let Some(rank) = rank.and_then(|rank| usize::try_from(rank).ok()) else { return Ok(None) };
        let ty = data_type(&self.named(*ty, context));
        let interleave = self.named(*interleave, context);
        let swizzle = self.named(*swizzle, context);
        let known = swizzle.starts_with("CU_TENSOR_MAP_SWIZZLE_");
        let bytes = ty.map_or(1, DataType::bytes);
        let mut list = |expr: &ExprId, call: ExprId| self.list(*expr, call, context);
        let [sizes, strides, boxes, steps] =
            [list(sizes, call)?, list(strides, call)?, list(boxes, call)?, list(steps, call)?];
        let at = |list: &[Option<u64>], index: usize| list.get(index).copied().flatten();
        let dimensions = (0..rank.min(MAX_DIMENSIONS)).map(|d| {
            // 16 bytes are the least that a row may have, and 32 divide by all that a stride must.
            let (stride, row) = match d.checked_sub(1) {
                None => (bytes, 16 / bytes),
                Some(before) => (at(&strides, before).unwrap_or(32), 1),
            };
            Dimension {
                size: at(&sizes, d).unwrap_or(1),
                box_size: at(&boxes, d).unwrap_or(row),
                element_stride: at(&steps, d).unwrap_or(1),
                stride,
            }
        });
        let interleave = interleaved(&interleave);
        let descriptor = Descriptor {
            dimensions: dimensions.collect(),
            data_type: ty.unwrap_or(DataType::U8),
            swizzle: width(&swizzle),
            // What is not known is one with which nothing is wrong.
            interleave: interleave.unwrap_or_default(),
            fill: Fill::Zero,
            address: None,
        };
        Ok(Some(Encoded { descriptor, rows: interleave == Some(Interleave::None) && ty.is_some(), swizzled: known }))
    }

    /// The last name of an enumerator, also of a variable that has no other value.
    fn named(&mut self, expr: ExprId, context: &Context<'a>) -> String {
        let last = |text: &str| text.rsplit("::").next().unwrap_or_default().trim().to_owned();
        if let Ok(Some((decl, inside))) = self.declared(expr, context)
            && let DeclKind::Variable { init: Some(init), constant, .. } = self.program.decl(decl).kind
            && (constant || self.evaluator.is_settled(decl))
        {
            return last(self.said(&inside, init));
        }
        let said = self.said(context, expr);
        // A parameter that nothing changes means what its function is given: a name that no file declares.
        let given = match self.evaluator.evaluate(expr, context) {
            Ok(Value::Named(named)) if named.class.is_none() && named.args.is_none() => Some(named.name()),
            Ok(Value::Opaque(why)) | Err(why) if why.reason == Reason::UnknownName => Some(self.program.text(why.site)),
            _ => None,
        };
        let around = function_around(self.program, context.unit, context.scope);
        if let (Some(body), Some(given)) = (around, given) {
            let code = self.evaluator.code_of(Site { unit: body.unit, span: self.program.body(body).span });
            if self.program.keeps_parameter(&code, body, said) {
                return last(given);
            }
        }
        last(said)
    }

    /// The numbers of an array, where it is known what they are at the call.
    fn list(&mut self, expr: ExprId, call: ExprId, context: &Context<'a>) -> Resolved<Vec<Option<u64>>> {
        let span = self.program.unit(context.unit).span(call);
        let parts = self.parts(expr, span, context)?;
        let number = |index: usize| match parts.get(&format!("[{index}]")) {
            Some(Value::Number(number)) => u64::try_from(number.value).ok(),
            _ => None,
        };
        Ok((0..MAX_DIMENSIONS).map(number).collect())
    }
}

fn data_type(name: &str) -> Option<DataType> {
    Some(match name.strip_prefix("CU_TENSOR_MAP_DATA_TYPE_")? {
        "UINT8" => DataType::U8,
        "UINT16" => DataType::U16,
        "UINT32" => DataType::U32,
        "INT32" => DataType::I32,
        "UINT64" => DataType::U64,
        "INT64" => DataType::I64,
        "FLOAT16" => DataType::F16,
        "BFLOAT16" => DataType::Bf16,
        "FLOAT32" | "FLOAT32_FTZ" => DataType::F32,
        "TFLOAT32" | "TFLOAT32_FTZ" => DataType::Tf32,
        "FLOAT64" => DataType::F64,
        _ => return None,
    })
}

/// How channels are interleaved, where it is known.
fn interleaved(name: &str) -> Option<Interleave> {
    Some(match name.strip_prefix("CU_TENSOR_MAP_INTERLEAVE_")? {
        "NONE" => Interleave::None,
        "16B" => Interleave::B16,
        "32B" => Interleave::B32,
        _ => return None,
    })
}

/// The swizzle; none where it is not known.
fn width(name: &str) -> Swizzle {
    match name.strip_prefix("CU_TENSOR_MAP_SWIZZLE_") {
        Some("32B") => Swizzle::B32,
        Some("64B") => Swizzle::B64,
        Some(name) if name.starts_with("128B") => Swizzle::B128,
        _ => Swizzle::None,
    }
}
