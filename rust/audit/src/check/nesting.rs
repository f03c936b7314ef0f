//! How a layout nests as it is written, whatever its numbers are: `Layout<Shape<Int<M>, Shape<Int<N>, _2>>, Stride<_1, Int<M>>>` is wrong for
//! every M and N.

use crate::ast::{Expr, ExprId, Path, Site, Unit};
use crate::eval::Program;

/// Deeper nesting is not followed.
const MAX_DEPTH: usize = 32;

/// What is known of a shape or stride from its text.
#[derive(Debug, PartialEq, Eq)]
enum Nest {
    /// One number.
    Leaf,
    /// A tuple of so many.
    Tuple(Vec<Nest>),
    /// A parameter, a name, or a call: a number or a tuple.
    Unknown,
}

/// Shape and stride of a layout that nest differently, as patterns in which `*` is one number and `?` anything.
pub fn mismatch(program: &Program<'_>, unit: u32, layout: ExprId) -> Option<(String, String)> {
    let reader = Reader { program, index: unit, unit: program.unit(unit) };
    let (shape, stride) = match reader.unit.expr(layout) {
        Expr::Path(path) => match path.segments.last()?.args.as_deref()? {
            [shape, stride] if reader.name(path) == "Layout" => (*shape, *stride),
            _ => return None,
        },
        Expr::Call(callee, args) => match (reader.unit.expr(*callee), args.as_slice()) {
            (Expr::Path(path), [shape, stride]) if reader.name(path) == "make_layout" => (*shape, *stride),
            (Expr::Path(path), [_, shape, stride]) if reader.name(path) == "make_tensor" => (*shape, *stride),
            _ => return None,
        },
        _ => return None,
    };
    let (shape, stride) = (reader.nest(shape, MAX_DEPTH), reader.nest(stride, MAX_DEPTH));
    // `make_layout(a, b)` of two layouts is another function; only tuples are known to be none.
    let tuples = matches!((&shape, &stride), (Nest::Tuple(_), Nest::Tuple(_)));
    (tuples && differ(&shape, &stride)).then(|| (shown(&shape), shown(&stride)))
}

fn differ(shape: &Nest, stride: &Nest) -> bool {
    match (shape, stride) {
        (Nest::Unknown, _) | (_, Nest::Unknown) | (Nest::Leaf, Nest::Leaf) => false,
        (Nest::Tuple(a), Nest::Tuple(b)) => a.len() != b.len() || a.iter().zip(b).any(|(a, b)| differ(a, b)),
        (Nest::Tuple(_), Nest::Leaf) | (Nest::Leaf, Nest::Tuple(_)) => true,
    }
}

fn shown(nest: &Nest) -> String {
    match nest {
        Nest::Leaf => "*".to_owned(),
        Nest::Unknown => "?".to_owned(),
        Nest::Tuple(items) => format!("({})", items.iter().map(shown).collect::<Vec<_>>().join(",")),
    }
}

struct Reader<'p, 'a> {
    program: &'p Program<'a>,
    index: u32,
    unit: &'a Unit,
}

impl Reader<'_, '_> {
    fn name(&self, path: &Path) -> &str {
        let span = path.segments.last().map(|segment| segment.name).unwrap_or_default();
        self.program.text(Site { unit: self.index, span })
    }

    fn nest(&self, expr: ExprId, left: usize) -> Nest {
        let Some(left) = left.checked_sub(1) else { return Nest::Unknown };
        match self.unit.expr(expr) {
            Expr::Number(_) => Nest::Leaf,
            Expr::Construct(ty, args) if args.is_empty() => self.nest(*ty, left),
            Expr::Path(path) => match (self.name(path), path.segments.last().and_then(|last| last.args.as_deref())) {
                ("Shape" | "Stride", Some(args)) => self.tuple(args, left),
                ("Int" | "C", Some([_])) => Nest::Leaf,
                (name, None) if is_small(name) => Nest::Leaf,
                _ => Nest::Unknown,
            },
            Expr::Call(callee, args) => match self.unit.expr(*callee) {
                Expr::Path(path) if matches!(self.name(path), "make_shape" | "make_stride") => self.tuple(args, left),
                // `Int<4>()`.
                Expr::Path(_) if args.is_empty() => self.nest(*callee, left),
                _ => Nest::Unknown,
            },
            _ => Nest::Unknown,
        }
    }

    fn tuple(&self, items: &[ExprId], left: usize) -> Nest {
        // A pack is any number of items, and what the grammar could not read may be as well.
        let whole = |item: &ExprId| {
            !matches!(self.unit.expr(*item), Expr::Pack(_) | Expr::Broken | Expr::Opaque | Expr::List(_))
        };
        if items.iter().all(whole) {
            Nest::Tuple(items.iter().map(|item| self.nest(*item, left)).collect())
        } else {
            Nest::Unknown
        }
    }
}

/// `_4`.
fn is_small(name: &str) -> bool {
    name.strip_prefix('_').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use crate::audit_sources;
    use crate::finding::Code;
    use crate::source::{Source, Sources};

    fn codes(layout: &str) -> Vec<Code> {
        let text = format!("template <int M, int N, class S, class... T> struct K {{ using A = {layout}; }};");
        let sources = Sources { files: vec![Source::new("a.hpp", text.into())], unreadable: vec![] };
        audit_sources(sources, None).findings.into_iter().map(|finding| finding.code).collect()
    }

    #[test]
    fn layouts_that_nest_differently_for_all_values_are_found() {
        for wrong in [
            "Layout<Shape<Int<M>,Shape<Int<N>,_2>>, Stride<_1,Int<M>>>",
            "Layout<Shape<Int<M>,Int<N>>, Stride<_1>>",
            "Layout<Shape<S,Int<N>>, Stride<_1,_2,S>>",
            "decltype(make_layout(make_shape(Int<M>{}, _4{}), make_stride(_1{})))",
        ] {
            assert_eq!(codes(wrong), [Code::Incongruent], "{wrong}");
        }
    }

    #[test]
    fn layouts_that_may_nest_alike_are_left_alone() {
        for right in [
            "Layout<Shape<Int<M>,Shape<Int<N>,_2>>, Stride<_1,Stride<Int<M>,Int<M * N>>>>",
            "Layout<Shape<Int<M>,S>, Stride<_1,Int<M>>>",
            "Layout<Shape<Int<M>,Int<N>>, S>",
            "Layout<Shape<T...>, Stride<_1,Int<M>>>",
            "Layout<Shape<Int<M>,Int<N>>, Stride<_1,typename S::D>>",
            "decltype(make_layout(Layout<Shape<Int<M>>>{}, Layout<Shape<Int<N>,_2>>{}))",
            "decltype(make_layout(make_shape(Int<M>{}, _4{}), LayoutRight{}))",
        ] {
            assert!(codes(right).is_empty(), "{right}");
        }
    }
}
