//! Where the places are that a check may have something to say about: what they look like, before anything is worked out.

use std::collections::{BTreeMap, BTreeSet};

use foldhash::HashSet;

use super::divided::{Division, axes};
use super::place::{self, Lambdas};
use super::shared::{ARRAYS, Spot, What};
use super::{pairs, sizes, statics, storage, tiled, tma};
use crate::ast::{Decl, DeclId, DeclKind, Expr, ExprId, Path, ScopeId, ScopeKind, Site, Span, Unit};
use crate::eval::Program;
use crate::source::places;

/// Functions whose result may be swizzled.
const MAKERS: [&str; 5] = [
    "ComposedLayout",
    "as_position_independent_swizzle_layout",
    "composition",
    "make_composed_layout",
    "tile_to_shape",
];

/// Functions that make a layout of several of their first argument.
const TILERS: [&str; 6] =
    ["blocked_product", "logical_product", "raked_product", "tile_to_shape", "tiled_product", "zipped_product"];

/// Bytes of a macro before a place in it.
const MAX_MACRO: usize = 1 << 13;

/// Factors and names of an alignment that are followed.
const MAX_FACTORS: usize = 16;

/// The places of one unit.
pub fn spots(program: &Program<'_>, index: u32) -> Vec<Spot> {
    let unit = program.unit(index);
    let finder = Finder { program, unit, index, named: only_named(program, unit, index) };
    let mut found: Vec<(Span, What)> = Vec::new();
    for (expr, span, id) in unit.exprs.iter().zip(0..).map(|((expr, span), id)| (expr, *span, ExprId(id))) {
        match expr {
            Expr::Call(callee, args) => {
                found.extend(finder.call(*callee, args, id).map(|what| (span, what)));
                found.extend(finder.laid(*callee, args, id).map(|what| (span, what)));
            }
            Expr::Path(path) => found.extend(finder.path(path, id).map(|what| (span, what))),
            _ => {}
        }
    }
    let placed = |(span, what): &(Span, What)| what.placed().map(|what| (*span, what));
    found.extend(found.iter().filter_map(placed).collect::<Vec<_>>());
    for array in &unit.stored {
        let decl = unit.decl(array.decl);
        let shared = finder.text(decl.span).contains("__shared__");
        let sized = |extent: &ExprId| if shared { finder.sized_in(*extent, decl.home) } else { finder.sized(*extent) };
        // Of several extents the last counts the elements that lie together.
        found.extend(array.extents.first().and_then(sized));
        if let [extent] = array.extents.as_slice() {
            let layout = finder.spanned(*extent);
            found.extend(layout.map(|layout| (unit.span(*extent), What::Aligned(layout, None))));
        }
    }
    let mut spots: Vec<Spot> = Vec::new();
    let mut keep = |span: Span, what: What, decl: &Decl, name: Option<Span>, within: Option<ScopeId>| {
        let site = Site { unit: index, span };
        let scope = within.unwrap_or_else(|| place::scope(decl));
        spots.push(Spot {
            name: name.map(|span| Site { unit: index, span }),
            around: Site { unit: index, span: decl.span },
            what,
            ..Spot::of_launch(site, scope)
        });
    };
    // A function of a class is no declaration, and its names mean what they mean inside of it. Nor is a lambda.
    let inside: BTreeMap<Span, ScopeId> = unit.calls.iter().map(|(call, scope)| (unit.span(*call), *scope)).collect();
    let mut lambdas = Lambdas::of(unit);
    for (span, what, decl) in place::around(unit, found) {
        let lambda = lambdas.around(span).is_some_and(|lambda| lambda.start > decl.span.start);
        let within = inside.get(&span).filter(|_| lambda || matches!(decl.kind, DeclKind::Class { .. }));
        // What its parameters hide is not known where only the declaration around is.
        if within.is_some() || !lambda {
            keep(span, what, decl, None, within.copied());
        }
    }
    let mut parts: Option<BTreeSet<&str>> = None;
    for decl in &unit.decls {
        let value = match decl.kind {
            DeclKind::Alias(value) => Some(value),
            // A parameter is what others hand on: an atom, as likely as a whole layout.
            DeclKind::Variable { ty, init, .. } => init.or(ty.filter(|_| finder.text(decl.span).ends_with(';'))),
            _ => None,
        };
        // What is part of a tile is not the whole of what lies in memory, and what it does shows in the tile.
        let parts = &mut parts;
        let mut part = || parts.get_or_insert_with(|| finder.parts()).contains(finder.text(decl.name));
        if let Some(value) = value.filter(|value| finder.makes(*value) && !part()) {
            keep(unit.span(value), What::Swizzled(value), decl, Some(decl.name), None);
        }
    }
    // `tiled.get_slice(threadIdx.x).partition_D(tensor)` as a statement of its own is a slice too.
    let inner = |call: &ExprId| match unit.expr(*call) {
        Expr::Call(callee, _) => match unit.expr(*callee) {
            Expr::Member(of, _) if matches!(unit.expr(*of), Expr::Call(..)) => Some(*of),
            _ => None,
        },
        _ => None,
    };
    let nested = unit.calls.iter().filter_map(|(call, scope)| Some((inner(call)?, *scope)));
    let calls: Vec<(ExprId, ScopeId)> = unit.calls.iter().copied().chain(nested).collect();
    for (call, scope) in &calls {
        let (what, laid) = match unit.expr(*call) {
            Expr::Call(callee, args) => {
                let encodes = || tma::encodes(args) && finder.is_driver(*callee, *scope);
                let what = finder.call(*callee, args, *call).or_else(|| encodes().then_some(What::Encode(*call)));
                (what, finder.laid(*callee, args, *call))
            }
            Expr::Path(path) => (finder.path(path, *call), None),
            _ => (None, None),
        };
        let site = Site { unit: index, span: unit.span(*call) };
        let what = what.into_iter().flat_map(|what| std::iter::once(what).chain(what.placed()));
        spots.extend(what.chain(laid).map(|what| Spot { what, ..Spot::of_launch(site, *scope) }));
        // `return composition(Swizzle<3,3,3>{}, layout);` declares nothing.
        if let Expr::Call(_, args) = unit.expr(*call)
            && let Some(Expr::Construct(ty, _)) = args.first().map(|first| unit.expr(*first))
            && let Expr::Path(path) = unit.expr(*ty)
            && finder.name(path) == "Swizzle"
            && !program.is_own(path, index)
        {
            let site = Site { unit: index, span: unit.span(*ty) };
            spots.push(Spot { what: What::Swizzle(*ty), ..Spot::of_launch(site, *scope) });
        }
    }
    for (name, scope) in statics::kernels(program, index) {
        let site = Site { unit: index, span: name };
        spots.push(Spot { what: What::Statics, ..Spot::of_launch(site, scope) });
    }
    for (class, scope) in storage::classes(program, index) {
        let decl = unit.decl(class);
        let site = Site { unit: index, span: decl.name };
        spots.push(Spot {
            name: Some(site),
            around: Site { unit: index, span: decl.span },
            what: What::Arrays(class),
            ..Spot::of_launch(site, scope)
        });
    }
    for of in tiled::counted(program, index) {
        let site = Site { unit: index, span: unit.span(of.tiled) };
        spots.push(Spot {
            name: Some(Site { unit: index, span: of.decl.name }),
            around: Site { unit: index, span: of.decl.span },
            what: What::Counted(of.tiled, of.count),
            ..Spot::of_launch(site, of.decl.inside)
        });
    }
    for pair in pairs::pairs(program, index) {
        let site = Site { unit: index, span: pair.span };
        spots.push(Spot {
            name: Some(Site { unit: index, span: pair.name }),
            what: What::Pair(pair.layout, pair.copy),
            ..Spot::of_launch(site, pair.scope)
        });
    }
    // The same text may have been read for two declarations.
    spots.sort_by_key(|spot| (spot.site.span.start, spot.site.span.end, spot.what.kind()));
    spots.dedup_by_key(|spot| (spot.site.span, spot.what.kind()));
    // So may a name with its namespace, and without.
    let mut before: Option<(u32, u8)> = None;
    spots.retain(|spot| {
        let own = (spot.site.span.end, spot.what.kind());
        let aligned = matches!(spot.what, What::Alignment | What::Bits(_));
        let again = aligned && before == Some(own);
        if aligned {
            before = Some(own);
        }
        !again
    });
    // `decltype(f(x))` and the call in it are one.
    let mut outer: Vec<(Span, u8)> = Vec::new();
    spots.retain(|spot| {
        let (span, kind) = (spot.site.span, spot.what.kind());
        let text = |start: u32, end: u32| program.text(Site { unit: index, span: Span { start, end } });
        outer.retain(|(around, _)| around.end > span.start);
        let of_decltype = |(around, of): &(Span, u8)| {
            let before = text(around.start, span.start.max(around.start));
            *of == kind
                && around.contains(span)
                && before.trim_end().strip_suffix('(').is_some_and(|word| word.trim() == "decltype")
        };
        if outer.iter().any(of_decltype) {
            return false;
        }
        if text(span.start, span.end).starts_with("decltype") {
            outer.push((span, kind));
        }
        true
    });
    spots
}

pub(super) struct Finder<'p, 'a> {
    pub(super) program: &'p Program<'a>,
    pub(super) unit: &'a Unit,
    pub(super) index: u32,
    /// Swizzles that are named, and of which nobody makes one there.
    pub(super) named: HashSet<ExprId>,
}

/// The arguments of templates that may do no more than name them: `conditional_t<B < 4, Swizzle<B,3,3>, …>`. CuTe refuses a swizzle where one
/// is made.
fn only_named(program: &Program<'_>, unit: &Unit, index: u32) -> HashSet<ExprId> {
    let text = |span: Span| program.text(Site { unit: index, span });
    let mut named = HashSet::default();
    for (expr, _) in &unit.exprs {
        let Expr::Path(path) = expr else { continue };
        for segment in path.segments.iter().filter(|segment| text(segment.name) != "ComposedLayout") {
            named.extend(segment.args.iter().flatten().copied());
        }
    }
    for decl in &unit.decls {
        if let DeclKind::Class { args: Some(args), .. } = &decl.kind {
            named.extend(args.iter().copied());
        }
    }
    named
}

/// Whether a place is in the body of a macro, which may never be expanded.
fn is_in_macro(text: &str, at: u32) -> bool {
    let from = text.floor_char_boundary((at as usize).saturating_sub(MAX_MACRO));
    let before = text.get(from..at as usize).unwrap_or_default();
    let mut lines = before.rsplit('\n');
    let own = lines.next().unwrap_or_default();
    let lines = std::iter::once(own).chain(lines.take_while(|line| line.trim_end().ends_with('\\')));
    lines.last().is_some_and(|line| {
        line.trim_start().strip_prefix('#').is_some_and(|rest| rest.trim_start().starts_with("define"))
    })
}

impl<'a> Finder<'_, 'a> {
    pub(super) fn text(&self, span: Span) -> &'a str {
        self.program.text(Site { unit: self.index, span })
    }

    pub(super) fn name(&self, path: &Path) -> &'a str {
        path.segments.last().map_or("", |segment| self.text(segment.name))
    }

    fn file(&self) -> &'a str {
        self.program.sources().get(self.unit.file).map_or("", |source| source.text.as_str())
    }

    fn called(&self, expr: ExprId) -> Option<(&'a str, &'a [ExprId])> {
        let Expr::Call(callee, args) = self.unit.expr(expr) else { return None };
        let Expr::Path(path) = self.unit.expr(*callee) else { return None };
        Some((self.name(path), args))
    }

    fn call(&self, callee: ExprId, args: &[ExprId], id: ExprId) -> Option<What> {
        let path = match (self.unit.expr(callee), args) {
            (Expr::Path(path), _) if !self.program.is_own(path, self.index) => path,
            (Expr::Member(of, method), [only]) => {
                return match self.text(method.name) {
                    name if tiled::slices(name) => Some(What::Slice(*of, *only)),
                    "partition_S" | "partition_D" => Some(What::Vectors(*of, *only, id)),
                    "compose" => Some(What::Composition(*of, *only)),
                    name => Some(What::Divided(Division::Mma(*of, *only, axes(name)?, id))),
                };
            }
            _ => return None,
        };
        match (self.name(path), args) {
            ("local_tile", [tensor, tile, coordinate]) => {
                Some(What::Divided(Division::Tile(*tensor, *tile, *coordinate, id)))
            }
            ("make_tiled_mma", [_, _] | [_, _, _]) => Some(What::Mma(id)),
            ("make_tiled_copy", [atom, threads, values]) => Some(What::Made(Some(*atom), *threads, *values)),
            ("make_layout_tv", [threads, values]) => Some(What::Made(None, *threads, *values)),
            ("composition", [outer, inner]) => Some(What::Composition(*outer, *inner)),
            ("logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide", [outer, tiler]) => {
                Some(What::Divide(*outer, *tiler))
            }
            ("make_tiled_copy_impl", [_, layout, tiler]) => Some(What::Partition(*layout, *tiler)),
            ("local_partition", [tensor, threads, index]) => Some(What::Local(Some(*tensor), *threads, *index)),
            ("local_partition", [_, threads, index, _]) => Some(What::Local(None, *threads, *index)),
            ("make_tensor", [pointer, more @ ..]) if matches!(more.len(), 1 | 2) => {
                let Expr::Call(callee, args) = self.unit.expr(*pointer) else { return None };
                let Expr::Path(path) = self.unit.expr(*callee) else { return None };
                let plain = path.segments.last().is_some_and(|segment| segment.args.is_none());
                match args.as_slice() {
                    // `make_smem_ptr<T>(p)` reads the bytes as another type, which belongs to the pointer.
                    [storage] if self.name(path) == "make_smem_ptr" => {
                        Some(What::Tensor(if plain { *storage } else { *pointer }, id))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `make_tensor(pointer, shape, stride)`, wherever the pointer points to.
    fn laid(&self, callee: ExprId, args: &[ExprId], id: ExprId) -> Option<What> {
        let Expr::Path(path) = self.unit.expr(callee) else { return None };
        let made = self.name(path) == "make_tensor" && !self.program.is_own(path, self.index);
        (made && args.len() == 3).then_some(What::Laid(id))
    }

    fn path(&self, path: &Path, id: ExprId) -> Option<What> {
        let args = path.segments.last()?.args.as_deref()?;
        if self.program.is_own(path, self.index) {
            return None;
        }
        match (self.name(path), args) {
            ("Swizzle", [_, _] | [_, _, _]) => {
                let only_named = self.named.contains(&id) || is_in_macro(self.file(), self.unit.span(id).start);
                (!only_named).then_some(What::Swizzle(id))
            }
            ("TiledMMA", [_, _] | [_, _, _]) => Some(What::Mma(id)),
            ("TiledCopy", [_, layout, tiler]) => Some(What::Partition(*layout, *tiler)),
            ("AutoVectorizingCopyWithAssumedAlignment", [bits]) => {
                let sizes = self
                    .bytes(*bits, MAX_FACTORS)
                    .or_else(|| sizes::said(self.text(self.unit.span(*bits)), MAX_FACTORS)?.bytes());
                match sizes {
                    Some(1..) => Some(What::Alignment),
                    // A number alone may be meant as it is.
                    _ if matches!(self.unit.expr(*bits), Expr::Number(_)) => None,
                    // What says itself that it is bits asks for no instances of a template.
                    _ if self.says_bits(*bits) => None,
                    _ => Some(What::Bits(*bits)),
                }
            }
            (name, [_, extent, more @ ..]) if ARRAYS.binary_search(&name).is_ok() => {
                let sized = self.sized(*extent).map(|(_, what)| what);
                sized.or_else(|| Some(What::Aligned(self.spanned(*extent)?, more.first().copied())))
            }
            _ => None,
        }
    }

    /// Whether a text names `sizeof_bits` and divides by nothing.
    fn says_bits(&self, bits: ExprId) -> bool {
        let text = self.text(self.unit.span(bits));
        text.contains("sizeof_bits") && !text.contains('/') && !text.contains(">>")
    }

    /// An extent that is nothing but `size(layout)`, or `decltype(size(layout))::value`.
    fn sized(&self, extent: ExprId) -> Option<(Span, What)> {
        let of = match self.unit.expr(extent) {
            Expr::Member(of, part) if self.text(part.name) == "value" => *of,
            _ => extent,
        };
        // `size<0>(layout)` counts one of its modes.
        match self.called(of).filter(|_| !self.is_of_modes(of)) {
            Some(("size", [layout])) => Some((self.unit.span(extent), What::Sized(*layout))),
            _ => None,
        }
    }

    /// Whether a call has template arguments.
    fn is_of_modes(&self, call: ExprId) -> bool {
        let Expr::Call(callee, _) = self.unit.expr(call) else { return false };
        let Expr::Path(path) = self.unit.expr(*callee) else { return false };
        path.segments.last().is_some_and(|last| last.args.is_some())
    }

    /// The same, or the only constant of its name that is one, and that stands where the names of the array mean the same.
    fn sized_in(&self, extent: ExprId, home: ScopeId) -> Option<(Span, What)> {
        let Expr::Path(path) = self.unit.expr(extent) else { return self.sized(extent) };
        let [only] = path.segments.as_slice() else { return None };
        let name = self.text(only.name);
        let decl = self.constant(name, home, only.name.start)?;
        let DeclKind::Variable { init: Some(init), constant: true, .. } = decl.kind else { return None };
        let (_, what) = self.sized(init)?;
        Some((self.unit.span(extent), what))
    }

    /// The only declaration of a name in the innermost scope around that has one, before a place.
    fn constant(&self, name: &'a str, home: ScopeId, before: u32) -> Option<&'a Decl> {
        let only = |all: &[DeclId]| match all {
            [only] => Some(self.unit.decl(*only)).filter(|decl| decl.name.start < before),
            _ => None,
        };
        let mut at = Some(home);
        while let Some(id) = at {
            let scope = self.unit.scope(id);
            if matches!(scope.kind, ScopeKind::File | ScopeKind::Namespace(_)) {
                let all = self.program.in_namespace(self.program.home(self.index, id), name, self.index);
                let own: Vec<DeclId> = all.iter().filter(|of| of.unit == self.index).map(|of| of.id).collect();
                return only(&own).filter(|_| own.len() == all.len());
            }
            if let ScopeKind::Template(params) = &scope.kind
                && params.iter().any(|param| self.text(param.name) == name)
            {
                return None;
            }
            let own = self.program.local(self.index, id, name);
            if !own.is_empty() {
                return only(own);
            }
            at = scope.parent;
        }
        None
    }

    /// The layout of `cosize_v<Layout>` and `cosize(layout)`.
    fn spanned(&self, extent: ExprId) -> Option<ExprId> {
        match self.unit.expr(extent) {
            Expr::Path(path) if self.name(path) == "cosize_v" => match path.segments.last()?.args.as_deref()? {
                [layout] => Some(*layout),
                _ => None,
            },
            _ => match self.called(extent)? {
                ("cosize", [layout]) => Some(*layout),
                _ => None,
            },
        }
    }

    /// The names of what calls make a tile of, `tile_to_shape(Part{}, shape)`, also in statements that were not read.
    fn parts(&self) -> BTreeSet<&'a str> {
        let text = self.program.sources().get(self.unit.file).map_or("", |source| source.text.as_str());
        let found = TILERS.into_iter().flat_map(|tiler| places(text, tiler).map(|at| at + tiler.len()));
        let part = |at: usize| {
            let list = text.get(at..)?.trim_start().strip_prefix('(')?;
            let first = list.split([',', '{', '(', ')', ';']).next()?.trim_end();
            let name = first.rsplit(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '_')).next()?;
            Some(name).filter(|name| !name.is_empty())
        };
        found.filter_map(part).collect()
    }

    /// Whether an expression may make a swizzled layout, by the name in front.
    fn makes(&self, expr: ExprId) -> bool {
        let name = match self.unit.expr(expr) {
            Expr::Call(..) => self.called(expr).map_or("", |(name, _)| name),
            Expr::Path(path) => self.name(path),
            Expr::Construct(ty, _) => match self.unit.expr(*ty) {
                Expr::Path(path) => self.name(path),
                _ => "",
            },
            _ => "",
        };
        MAKERS.contains(&name)
    }
}
