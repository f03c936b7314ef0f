//! Where the arrays of a class lie that are shared memory for layouts with a swizzle of bytes: `struct SharedStorage { … }`.
//!
//! Such a swizzle permutes by the address, and repeats after 1,024 bytes (128B), 512 (64B) or 256 (32B). What begins off a multiple of that
//! is read by `wgmma` in another order than it was written, unless its descriptor says so, and CuTe's never does.

use razorgirl::Swizzle;

use super::classes::Size;
use super::shared::{ARRAYS, Looker};
use crate::ast::{Decl, DeclId, DeclKind, Expr, ExprId, ScopeId, Site, Span};
use crate::eval::{Context, DeclRef, Named, Program, Reason, Resolved, Swizzled, Value, width};
use crate::source::{Alignment, alignment, unaligned};

/// Members of a class that are looked at.
const MAX_MEMBERS: usize = 128;

/// Classes in classes.
pub(super) const MAX_CLASSES: usize = 6;

/// The largest alignment of a type of the language: CUDA's vectors of 32 bytes have it too.
const MOST_ALIGNED: u64 = 16;

/// Two arrays.
#[derive(Debug, Clone)]
pub struct Apart {
    /// The first, and the one that does not go with it.
    pub names: [Site; 2],
    /// Bytes from where the one begins to where the other does.
    pub distance: u64,
    /// After how many bytes their swizzles repeat, both.
    pub period: u64,
}

/// After how many bytes a swizzle of bytes repeats.
pub(super) fn period(swizzle: Swizzle) -> Option<u64> {
    let bits = swizzle.bits().checked_add(swizzle.base())?.checked_add(swizzle.shift().unsigned_abs())?;
    1_u64.checked_shl(u32::try_from(bits).ok()?)
}

/// The classes with several arrays by `cosize`, and where names in them are looked up.
pub(super) fn classes(program: &Program<'_>, index: u32) -> Vec<(DeclId, ScopeId)> {
    let unit = program.unit(index);
    let text = |span: Span| program.text(Site { unit: index, span });
    let several = |decl: &Decl| text(decl.span).matches("cosize").count() > 1;
    let all = unit.decls.iter().zip(0_u32..).filter_map(|(decl, id)| match decl.kind {
        DeclKind::Class { members, .. } if several(decl) && !text(decl.span).starts_with("union") => {
            Some((DeclId(id), members))
        }
        _ => None,
    });
    all.collect()
}

/// A member whose size is known.
pub(super) struct Member {
    pub bytes: u64,
    pub align: u64,
    /// After how many bytes its swizzle repeats.
    period: Option<u64>,
}

impl Member {
    fn of(size: Size) -> Self {
        Self { bytes: size.bytes, align: size.align, period: None }
    }
}

impl<'a> Looker<'_, 'a> {
    /// Two arrays of a class whose distance is no multiple of what their swizzles repeat after.
    pub(super) fn apart(&mut self, class: DeclId, context: &Context<'a>) -> Resolved<Option<Apart>> {
        let unit = self.program.unit(context.unit);
        let DeclKind::Class { members, .. } = unit.decl(class).kind else { return Ok(None) };
        let members: Vec<DeclId> = unit.scope(members).decls.iter().copied().take(MAX_MEMBERS).collect();
        // Distances from an array that begins at a multiple of its alignment, which is all that is known of where it begins.
        let mut from: Option<(Site, u64, u64)> = None;
        let mut at = 0_u64;
        for id in members {
            let decl = unit.decl(id);
            if !self.takes_room(id, context) {
                continue;
            }
            let name = Site { unit: context.unit, span: decl.name };
            let member = match self.member(id, context) {
                Err(why) if why.reason == Reason::Dependent => return Err(why),
                Ok(Some(member)) => Some(member),
                // A class by itself takes room between the others.
                _ => self.bytes_of_member(id, context, MAX_CLASSES).filter(|size| size.exact).map(Member::of),
            };
            let Some(member) = member else {
                from = None;
                continue;
            };
            let Some((first, align, period)) = from.filter(|(_, align, _)| *align >= member.align) else {
                from = member.period.map(|period| (name, member.align, period));
                at = member.bytes;
                continue;
            };
            let Some(begin) = at.checked_next_multiple_of(member.align) else { return Ok(None) };
            if let Some(own) = member.period {
                let period = own.min(period);
                if !begin.is_multiple_of(period) {
                    return Ok(Some(Apart { names: [first, name], distance: begin, period }));
                }
            }
            let Some(end) = begin.checked_add(member.bytes) else { return Ok(None) };
            (from, at) = (Some((first, align, period)), end);
        }
        Ok(None)
    }

    /// Bits of what an array of CuTe's or CUTLASS's holds, at least: `array_aligned<T, N>`.
    pub(super) fn bits_of_array(named: &Named<'a>) -> Option<u64> {
        let ours = matches!(named.path.as_slice(), [_] | ["cute" | "cutlass", _]);
        match named.args.as_deref() {
            Some([element, Value::Number(count), ..]) if ours && ARRAYS.contains(&named.name()) => {
                width(element)?.checked_mul(u64::try_from(count.value).ok()?)
            }
            _ => None,
        }
    }

    /// Size and alignment of a member; none where they are not known.
    pub(super) fn member(&mut self, id: DeclId, context: &Context<'a>) -> Resolved<Option<Member>> {
        let unit = self.program.unit(context.unit);
        let decl = unit.decl(id);
        let text = self.text(context, decl.span);
        let asked = match alignas(text) {
            None => self.computed_alignment(decl.name, context)?,
            said => said,
        };
        let Some(asked) = asked.map(|bytes| bytes.max(1)) else { return Ok(None) };
        // Several variables of one declaration share its text; and some have so many bits.
        let beside = unit.scope(decl.home).decls.iter();
        let shared = beside.filter(|other| unit.decl(**other).span == decl.span).count() > 1;
        if shared || text.replace("::", "").contains(':') {
            return Ok(None);
        }
        let reference = DeclRef { unit: context.unit, id };
        let inside = Context { scope: decl.inside, ..context.clone() };
        let swizzled = |looker: &mut Self, extent: ExprId| -> Resolved<Option<u64>> {
            let Some(layout) = spanned(looker, extent, &inside) else { return Ok(None) };
            let swizzled = Swizzled::of(&looker.known(layout, &inside)?);
            let swizzled = swizzled.filter(|swizzled| swizzled.bits.is_some() && swizzled.swizzle.bits() > 0);
            Ok(swizzled.and_then(|swizzled| period(swizzled.swizzle)))
        };
        let number = |value: Value<'a>| match value {
            Value::Number(number) => u64::try_from(number.value).ok(),
            _ => None,
        };
        let (element, count, own, repeats) = if let Some(array) =
            self.array(reference).filter(|array| !array.extents.is_empty())
        {
            let mut count = 1_u64;
            for extent in &array.extents {
                let Some(product) = number(self.known(*extent, &inside)?).and_then(|extent| count.checked_mul(extent))
                else {
                    return Ok(None);
                };
                count = product;
            }
            let repeats = match array.extents.as_slice() {
                [only] => swizzled(self, *only)?,
                _ => None,
            };
            let bits = match array.ty {
                Some(ty) => width(&self.known(ty, &inside)?),
                None => language(text),
            };
            (bits, count, None, repeats)
        } else {
            let DeclKind::Variable { ty, .. } = decl.kind else { return Ok(None) };
            let Some(ty) = ty else {
                let Some(bits) = language(text) else { return Ok(None) };
                return Ok(Some(Member { bytes: bits / 8, align: (bits / 8).max(asked), period: None }));
            };
            let value = self.known(ty, &inside)?;
            if let Some(bits) = width(&value) {
                return Ok(Some(Member { bytes: bits.div_ceil(8), align: natural(bits).max(asked), period: None }));
            }
            let Value::Named(named) = &value else { return Ok(None) };
            // A class of the project's own by one of these names has the members that it has.
            let own = named.class.is_some_and(|class| !self.program.is_vendored(class.unit));
            let ours = !own && matches!(named.path.as_slice(), [_] | ["cute" | "cutlass", _]);
            let (true, true, Some([element, Value::Number(count), more @ ..])) =
                (ours, ARRAYS.contains(&named.name()) || named.name() == "ArrayEngine", named.args.as_deref())
            else {
                return Ok(None);
            };
            let Ok(count) = u64::try_from(count.value) else { return Ok(None) };
            let own = match (named.name(), more) {
                ("array_aligned" | "ArrayEngine" | "aligned_array", []) => Some(16),
                ("array_aligned" | "aligned_array", [Value::Number(bytes)]) => u64::try_from(bytes.value).ok(),
                ("array", []) => None,
                _ => return Ok(None),
            };
            let repeats = match last_arguments(self, ty, &inside) {
                Some([_, extent, ..]) => swizzled(self, *extent)?,
                _ => None,
            };
            (width(element), count, own, repeats)
        };
        let Some(bits) = element else { return Ok(None) };
        let Some(bytes) = bits.checked_mul(count).map(|bits| bits.div_ceil(8)) else { return Ok(None) };
        let align = own.unwrap_or(natural(bits)).max(asked).max(1);
        if !align.is_power_of_two() {
            return Ok(None);
        }
        // An aligned type is as long as a multiple of its alignment.
        let bytes = own.map_or(Some(bytes), |own| bytes.checked_next_multiple_of(own));
        Ok(bytes.map(|bytes| Member { bytes, align, period: repeats }))
    }
}

/// The template arguments with which a type is written.
fn last_arguments<'a>(looker: &Looker<'_, 'a>, ty: ExprId, context: &Context<'a>) -> Option<&'a [ExprId]> {
    match looker.program.unit(context.unit).expr(ty) {
        Expr::Path(path) => path.segments.last()?.args.as_deref(),
        _ => None,
    }
}

/// The layout of `cosize_v<Layout>` and `cosize(layout)`.
fn spanned<'a>(looker: &Looker<'_, 'a>, extent: ExprId, context: &Context<'a>) -> Option<ExprId> {
    let unit = looker.program.unit(context.unit);
    let named = |span: Span, name: &str| looker.text(context, span) == name;
    match unit.expr(extent) {
        Expr::Path(path) => match path.segments.last() {
            Some(last) if named(last.name, "cosize_v") => last.args.as_deref()?.first().copied(),
            _ => None,
        },
        Expr::Call(callee, args) => match (unit.expr(*callee), args.as_slice()) {
            (Expr::Path(path), [layout]) if path.segments.last().is_some_and(|last| named(last.name, "cosize")) => {
                Some(*layout)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The alignment of a type of so many bits.
fn natural(bits: u64) -> u64 {
    bits.div_ceil(8).min(MOST_ALIGNED)
}

/// The alignment that a declaration asks for, 1 without one; none where it is computed.
fn alignas(text: &str) -> Option<u64> {
    match alignment(text) {
        Alignment::Unsaid => Some(1),
        Alignment::Bytes(bytes) => Some(bytes.max(1)),
        Alignment::Computed => None,
    }
}

/// The bits of a type of the language with which a declaration begins.
fn language(text: &str) -> Option<u64> {
    let text = unaligned(text);
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    match words.next()? {
        "float" | "int" | "uint32_t" | "int32_t" => Some(32),
        "double" | "uint64_t" | "int64_t" => Some(64),
        "char" | "bool" | "uint8_t" | "int8_t" => Some(8),
        "uint16_t" | "int16_t" | "short" => Some(16),
        "unsigned" | "signed" => match words.next()? {
            "char" => Some(8),
            "short" => Some(16),
            "long" => None,
            _ => Some(32),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_of_swizzles_of_bytes() {
        assert_eq!([3, 2, 1].map(|bits| period(Swizzle::new(bits, 4, 3)).unwrap()), [1024, 512, 256]);
    }

    #[test]
    fn what_declarations_say_of_their_alignment() {
        assert_eq!(alignas("alignas(128) float a[3]"), Some(128));
        assert_eq!(alignas("float a[3]"), Some(1));
        assert_eq!(alignas("alignas(kBytes) float a[3]"), None);
        assert_eq!(language("alignas(128) float a[3]"), Some(32));
        assert_eq!(language("uint64_t bar[2]"), Some(64));
        assert_eq!(language("Barrier bar[2]"), None);
        assert_eq!(["unsigned char a", "unsigned a", "unsigned long a"].map(language), [Some(8), Some(32), None]);
    }
}
