//! How many bytes an object of a class has, as `sizeof` counts them: members, arrays of classes, classes and unions without a name, bases.

use super::shared::Looker;
use crate::ast::{Decl, DeclId, DeclKind, Site, Span};
use crate::eval::{Bindings, Context, DeclRef, Named, Value};
use crate::source::{Alignment, alignment, places};

/// Members of a class that are looked at.
const MAX_MEMBERS: usize = 128;

/// The bytes of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    /// `sizeof`, or a lower bound.
    pub bytes: u64,
    /// Its alignment, or a divisor of it.
    pub align: u64,
    /// Where its last member ends. A derived class may put members into the padding behind.
    pub end: u64,
    /// Whether these are no bounds.
    pub exact: bool,
}

impl Size {
    /// What is known of an object of which nothing is known.
    const UNKNOWN: Self = Self { bytes: 0, align: 1, end: 0, exact: false };

    /// Adds a member behind what there is, or over it in a union.
    fn place(&mut self, member: Self, overlaps: bool) -> Option<()> {
        let begin = if overlaps { 0 } else { self.end.checked_next_multiple_of(member.align)? };
        self.end = self.end.max(begin.checked_add(member.bytes)?);
        self.align = self.align.max(member.align);
        self.exact &= member.exact;
        Some(())
    }
}

impl<'a> Looker<'_, 'a> {
    /// The size of an object of a class.
    // Recursion: through classes of members and bases, as deep as `depth`.
    pub(super) fn bytes_of_class(&mut self, of: &Named<'a>, depth: usize) -> Option<Size> {
        self.bytes_of_members(of.class?, &of.env, depth)
    }

    // Recursion: through classes of members and bases, as deep as `depth`.
    pub(super) fn bytes_of_members(&mut self, class: DeclRef, env: &Bindings<'a>, depth: usize) -> Option<Size> {
        let depth = depth.checked_sub(1)?;
        let unit = self.program.unit(class.unit);
        let decl = self.program.decl(class);
        let DeclKind::Class { members, bases, .. } = &decl.kind else { return None };
        let text = self.program.text(Site { unit: class.unit, span: decl.span });
        let file = self.program.sources().get(unit.file).map_or("", |file| file.text.as_str());
        // Which side of an `#if` there is, is not known; what is packed has no padding; members may follow in the padding of one that is
        // `[[no_unique_address]]`.
        let packed =
            ["packed", "__packed__", "no_unique_address"].iter().any(|word| places(text, word).next().is_some());
        if text.contains("#if") || packed || packs(file) {
            return None;
        }
        let overlaps = text.starts_with("union");
        let mut all = Size { exact: places(text, "virtual").next().is_none(), ..Size::UNKNOWN };
        match alignment(before_brace(text)) {
            Alignment::Unsaid => {}
            Alignment::Bytes(bytes) => all.align = bytes.max(1),
            Alignment::Computed => all.exact = false,
        }
        let derived = self.evaluator.bases(class, env);
        all.exact &= derived.len() == bases.len();
        // Several bases share one virtual base.
        let shared = places(before_brace(text), "virtual").next().is_some();
        for base in derived {
            let own = match &base {
                Value::Named(base) if !shared => self.bytes_of_class(base, depth),
                _ => None,
            };
            let own = own.unwrap_or(Size::UNKNOWN);
            // Whether members follow in the padding of a base, and where one without members is, depends on more than sizes.
            let exact = own.exact && own.end == own.bytes && own.bytes > 0;
            all.place(Size { bytes: own.end, exact, ..own }, false)?;
        }
        let context = Context { unit: class.unit, scope: *members, env: env.clone() };
        let ids = &unit.scope(*members).decls;
        all.exact &= ids.len() <= MAX_MEMBERS;
        for id in ids.iter().copied().take(MAX_MEMBERS) {
            if self.takes_room(id, &context) {
                let member = self.bytes_of_member(id, &context, depth).unwrap_or(Size::UNKNOWN);
                all.place(member, overlaps)?;
            }
        }
        all.bytes = all.end.checked_next_multiple_of(all.align)?;
        Some(all)
    }

    /// Whether each object has something of a declaration in a class: a field, or a class or union without a name.
    pub(super) fn takes_room(&self, id: DeclId, context: &Context<'a>) -> bool {
        let unit = self.program.unit(context.unit);
        let decl = unit.decl(id);
        match &decl.kind {
            DeclKind::Variable { .. } | DeclKind::RunTime => {
                let before = Span { start: decl.span.start, end: decl.name.start.max(decl.span.start) };
                let before = before_brace(self.text(context, before));
                ["constexpr", "static"].iter().all(|word| places(before, word).next().is_none())
            }
            DeclKind::Class { title, .. } => {
                let beside = unit.scope(decl.home).decls.iter().map(|id| unit.decl(*id));
                *title == Span::default() && !beside.into_iter().any(|other| is_of(other, decl))
            }
            _ => false,
        }
    }

    /// Size and alignment of what takes room in a class; none where nothing is known.
    pub(super) fn bytes_of_member(&mut self, id: DeclId, context: &Context<'a>, depth: usize) -> Option<Size> {
        let unit = self.program.unit(context.unit);
        let decl = unit.decl(id);
        let reference = DeclRef { unit: context.unit, id };
        if matches!(decl.kind, DeclKind::Class { .. }) {
            // `union { … };`: with anything else behind it, it declares something.
            let file = self.program.sources().get(unit.file)?.text.as_str();
            let rest = file.get(decl.span.end as usize..)?;
            return rest
                .trim_start()
                .starts_with(';')
                .then(|| self.bytes_of_members(reference, &context.env, depth))?;
        }
        if let Some(member) = self.member(id, context).ok().flatten() {
            return Some(Size { bytes: member.bytes, align: member.align, end: member.bytes, exact: true });
        }
        let before = self.program.before_name(reference);
        let there = self.on_the_spot(reference);
        // Neither a pointer nor a reference.
        let behind = if there.is_some() { before.rsplit('}').next() } else { Some(before) };
        if behind.is_none_or(|behind| behind.contains(['*', '&'])) {
            return None;
        }
        let before = before_brace(before);
        let inside = Context { scope: decl.inside, ..context.clone() };
        let (mut count, mut exact) = (1_u64, true);
        let extents = self.array(reference).map(|array| array.extents.as_slice()).unwrap_or_default();
        for extent in extents {
            match self.known(*extent, &inside) {
                Ok(Value::Number(number)) => count = count.checked_mul(u64::try_from(number.value).ok()?)?,
                _ => exact = false,
            }
        }
        let ty = self.array(reference).and_then(|array| array.ty).or_else(|| self.type_of(reference));
        let one = match ty {
            Some(ty) => {
                let Value::Named(named) = self.known(ty, &inside).ok()? else { return None };
                let own = named.class.is_some_and(|class| !self.program.is_vendored(class.unit));
                match named.args.as_deref() {
                    Some([Value::Named(element), Value::Number(elements)]) if !own && named.name() == ARRAY => {
                        count = count.checked_mul(u64::try_from(elements.value).ok()?)?;
                        self.bytes_of_class(element, depth)?
                    }
                    _ => self.bytes_of_class(&named, depth)?,
                }
            }
            None => self.bytes_of_members(there?, &context.env, depth)?,
        };
        let asked = match alignment(before) {
            Alignment::Unsaid => Some(1),
            Alignment::Bytes(bytes) => Some(bytes.max(1)),
            Alignment::Computed => self.computed_alignment(decl.name, context).ok().flatten(),
        };
        // An object without members has a byte, but for attributes.
        exact &= one.exact && one.bytes > 0 && asked.is_some();
        let bytes = one.bytes.checked_mul(count)?;
        Some(Size { bytes, align: one.align.max(asked.unwrap_or(1)), end: bytes, exact })
    }
}

/// The array of the library whose elements may be of any class: `cute::array<Stage, 2>`.
const ARRAY: &str = "array";

/// Whether a file sets the alignment of members: `#pragma pack(1)`, `_Pragma("pack(1)")`.
fn packs(file: &str) -> bool {
    let to = |c: char| c.is_whitespace() || matches!(c, '(' | '"');
    file.split("ragma").skip(1).any(|rest| rest.trim_start_matches(to).starts_with("pack"))
}

/// The text before the first brace.
fn before_brace(text: &str) -> &str {
    text.split('{').next().unwrap_or_default()
}

/// Whether a variable is declared with a class that is defined there.
fn is_of(variable: &Decl, class: &Decl) -> bool {
    matches!(variable.kind, DeclKind::Variable { .. } | DeclKind::RunTime)
        && variable.span != class.span
        && variable.span.contains(class.span)
}
