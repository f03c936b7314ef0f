//! What the layout under the cursor is.

use std::fmt::Write;

use razorgirl::{Injectivity, Layout};
use razorgirl_audit::ast::Span;
use razorgirl_audit::finding::Place;
use razorgirl_audit::report::{Known, Report};
use razorgirl_view::{notation, table};

/// Rows and columns of the table.
const MOST: (u64, u64) = (16, 16);

/// Ways in which a template is instantiated that are listed.
const MAX_CASES: usize = 8;

/// Differences that are tried before the question is left open.
const BOUND: u64 = 1 << 20;

/// Characters of what stopped a layout.
const MAX_CAUSE: usize = 60;

/// What is said of a place, and the layout that it is said of; as Markdown, or as plain text.
pub fn hover(report: &Report, file: usize, byte: usize, markdown: bool) -> Option<(Span, String)> {
    let here = |place: Place| place.file == file && place.span.range().start <= byte && byte <= place.span.range().end;
    let length = |span: Span| span.range().len();
    let all = || report.known.iter().chain(&report.names);
    let known = all().filter(|one| here(one.place)).map(|one| one.place.span);
    let open = report.open.iter().filter(|one| here(one.place));
    let span = known.chain(open.clone().map(|one| one.place.span)).min_by_key(|span| length(*span))?;
    let mut cases: Vec<&Known> = all().filter(|one| one.place.file == file && one.place.span == span).collect();
    cases.sort_by(|one, other| one.holds.cmp(&other.holds));
    cases.dedup();
    let style = Style { markdown };
    let mut said = String::new();
    if let Some(first) = cases.first() {
        style.layout(first, &mut said).ok()?;
        for more in cases.iter().skip(1).take(MAX_CASES) {
            writeln!(said, "\n{}", style.title(more)).ok()?;
        }
        if cases.len() > MAX_CASES + 1 {
            writeln!(said, "\nand {} more", cases.len() - MAX_CASES - 1).ok()?;
        }
    }
    if let Some(open) = open.into_iter().find(|one| one.place.span == span) {
        let cause: String = report.text(open.cause).get(open.cause.span.range()).unwrap_or_default().into();
        let cause = cause.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "'");
        let more = if cause.chars().count() > MAX_CAUSE { "…" } else { "" };
        let cause: String = cause.chars().take(MAX_CAUSE).collect();
        let at = report.region(open.cause).start;
        let place = format!("{}:{}:{}", report.path(open.cause), at.line, at.column);
        writeln!(said, "\nnot resolved: {}, {} at {place}", open.reason.words(), style.code(&format!("{cause}{more}")))
            .ok()?;
    }
    Some((span, said.trim().to_owned()))
}

#[derive(Clone, Copy)]
struct Style {
    markdown: bool,
}

impl Style {
    fn code(self, text: &str) -> String {
        if self.markdown { format!("`{text}`") } else { text.to_owned() }
    }

    /// A layout, and for which values it is that.
    fn title(self, known: &Known) -> String {
        let layout = Layout::new(&known.shape, &known.stride);
        let text = layout.map_or_else(|_| format!("{}:{}", known.shape, known.stride), |layout| layout.to_string());
        match known.holds.as_deref().filter(|holds| !holds.is_empty()) {
            Some(holds) => format!("{} for {holds}", self.code(&text)),
            None => self.code(&text),
        }
    }

    fn layout(self, known: &Known, out: &mut String) -> std::fmt::Result {
        writeln!(out, "{}", self.title(known))?;
        if !known.shape.congruent(&known.stride) {
            return writeln!(out, "\nshape and stride nest differently: it is no layout");
        }
        let layout = match Layout::new(&known.shape, &known.stride) {
            Ok(layout) => layout,
            Err(error) => return writeln!(out, "\n{error}"),
        };
        writeln!(out, "\nsize {}, cosize {}, {}", layout.size(), layout.cosize(), injective(&layout))?;
        if layout.rank() > 2 {
            return Ok(());
        }
        let mut cells = Vec::new();
        if table::write_within(&layout, MOST, |index| layout.at(index).unwrap_or_default(), &mut cells).is_ok() {
            let cells = String::from_utf8_lossy(&cells);
            let cells = cells.trim_matches('\n');
            let (open, close) = if self.markdown { ("```text\n", "\n```") } else { ("", "") };
            writeln!(out, "\n{open}{cells}{close}")?;
        }
        Ok(())
    }
}

/// Whether no two coordinates share an offset, and which do.
fn injective(layout: &Layout) -> String {
    let shape = layout.shape();
    match layout.injectivity(BOUND) {
        Injectivity::Injective => "injective".to_owned(),
        Injectivity::Collision { i, j, offset } => format!(
            "not injective: coordinates {} and {} share offset {offset}",
            notation::coordinate(&shape, i),
            notation::coordinate(&shape, j)
        ),
        Injectivity::Crowded => {
            format!("not injective: {} coordinates for {} offsets", layout.size(), layout.cosize())
        }
        Injectivity::Unknown => format!("injective is not known: no collision among {BOUND} differences tried"),
    }
}

#[cfg(test)]
mod tests {
    use razorgirl_audit::source::{Source, Sources};
    use razorgirl_audit::{Cache, audit_again};

    use super::*;

    /// What is said where the mark `@` stands in a text.
    fn at(text: &str) -> Option<(String, String)> {
        let byte = text.find('@').unwrap();
        let text = text.replace('@', "");
        let files = vec![Source::new("a.hpp", text.clone().into_bytes())];
        let report = audit_again(Sources { files, unreadable: vec![] }, &Cache::default());
        let (span, said) = hover(&report, 0, byte, true)?;
        Some((text[span.range()].to_owned(), said))
    }

    #[test]
    fn the_innermost_layout_is_shown_with_its_table() {
        let (layout, said) = at("using A = decltype(make_layout(Layout<Shape<_2@,_3>, Stride<_1,_4>>{}));").unwrap();
        assert_eq!(layout, "Layout<Shape<_2,_3>, Stride<_1,_4>>");
        let table = "```text\n    │ 0 1 2\n  ──┼──────\n  0 │ 0 4 8\n  1 │ 1 5 9\n```";
        assert_eq!(said, format!("`(2,3):(1,4)`\n\nsize 6, cosize 10, injective\n\n{table}"));
    }

    #[test]
    fn collisions_and_what_is_no_layout_are_said() {
        let (_, said) = at("using A = @Layout<Shape<_8,_4>, Stride<_1,_4>>;").unwrap();
        assert!(said.contains("cosize 20, not injective: coordinates (4,0) and (0,1) share offset 4"), "{said}");
        let (_, said) = at("using A = Layout<@Shape<_8,_4>, Stride<_1>>;").unwrap();
        assert!(said.contains("nest differently"), "{said}");
    }

    #[test]
    fn large_tables_are_cut() {
        let (_, said) = at("using A = @Layout<Shape<_1024,_1024>>;").unwrap();
        assert!(said.lines().count() < 30 && said.lines().all(|line| line.chars().count() < 200), "{said}");
        assert!(said.contains("size 1048576, cosize 1048576, injective"), "{said}");
        let (_, said) = at("using A = @Layout<Shape<_2,_2,_2>>;").unwrap();
        assert_eq!(said, "`(2,2,2):(1,2,4)`\n\nsize 8, cosize 8, injective");
    }

    #[test]
    fn names_of_layouts_are_shown() {
        let declared = "#include <cute/tensor.hpp>\nusing namespace cute;\n";
        for (text, name) in [
            ("using L@ = Layout<Shape<_2,_3>>;", "L"),
            ("constexpr auto l@ = make_layout(Shape<_2,_3>{});", "l"),
            ("using L = Layout<Shape<_2,_3>>; using M = L@;", "L"),
            ("using L = Layout<Shape<_2,_3>>; using M@ = L;", "M"),
            (
                "using L = Layout<Shape<_2,_3>>; void f(float* p) { auto t = make_tensor(make_smem_ptr(p), L@{}); }",
                "L{}",
            ),
            (
                "constexpr auto l = make_layout(Shape<_2,_3>{}); void f(float* p) { auto t = make_tensor(make_smem_ptr(p), l@); }",
                "l",
            ),
            ("using L = decltype(logical_divide(Layout<_6>{}, Layout<_2>{})); using M = L@;", "L"),
        ] {
            let (span, said) = at(&format!("{declared}{text}")).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(span, name, "{text}");
            assert!(said.starts_with("`(2,3):(1,2)`\n\nsize 6"), "{text}: {said}");
        }
        for text in [
            // Another meaning of the name, none that is known, a swizzle.
            "using L = Layout<Shape<_2,_3>>; template <class L> void f(float* p) { auto t = make_tensor(make_smem_ptr(p), L@{}); }",
            "using L = Layout<Shape<_2,_3>>; void f(float* p, Other L) { auto t = make_tensor(make_smem_ptr(p), L@); }",
            "using M = Other; using L = Layout<_4>; using N = M@;",
            "using L@ = decltype(composition(Swizzle<1,0,1>{}, Layout<_4>{}));",
            "template <int n> struct S { using L@ = decltype(logical_divide(Layout<Int<n>>{}, Layout<_2>{})); };",
        ] {
            assert_eq!(at(&format!("{declared}{text}")), None, "{text}");
        }
    }

    #[test]
    fn every_instance_of_a_template_is_named() {
        let text = "template <int k> struct T { using M = @Layout<Int<k>>; }; using A = T<2>::M; using B = T<3>::M;";
        let (_, said) = at(text).unwrap();
        assert!(said.starts_with("`2:1` for k = 2\n\nsize 2") && said.ends_with("`3:1` for k = 3"), "{said}");
    }

    #[test]
    fn what_is_not_resolved_says_why() {
        let (layout, said) = at("void f(int n) { auto l = make_layout(@make_shape(n, 4)); }").unwrap();
        assert_eq!(layout, "make_layout(make_shape(n, 4))");
        assert!(said.contains("not resolved: run-time value, `n"), "{said}");
        assert_eq!(at("@int x; using A = Layout<_4>;"), None);
    }
}
