//! Writing a changed layout the way its author wrote it.

use razorgirl::{IntTuple, Layout, Profile};

use super::constant::place;
use super::repair::{Change, Part, Repair};
use crate::ast::Site;
use crate::eval::{Constant, Leaf, Numbers, Program};
use crate::finding::{Edit, Fix, Label};

/// A number in the style of the token that it replaces: `_32` becomes `_64`, `Int<32>` becomes `Int<64>`.
pub fn respell(token: &str, to: u64) -> String {
    let digits = token.rfind(|c: char| c.is_ascii_digit()).map(|end| {
        let head = token.get(..end).unwrap_or_default();
        (
            head.rfind(|c: char| !c.is_ascii_digit())
                .map_or(0, |at| at + head[at..].chars().next().map_or(1, char::len_utf8)),
            end + 1,
        )
    });
    match digits {
        Some((start, end)) if !token.contains("0x") && !token.contains('\'') => {
            let (head, tail) = (token.get(..start).unwrap_or_default(), token.get(end..).unwrap_or_default());
            match head.strip_suffix('_').filter(|_| !has_short_name(to)) {
                Some(space) if space.is_empty() || space.ends_with("::") => format!("{space}Int<{to}>{tail}"),
                _ => format!("{head}{to}{tail}"),
            }
        }
        _ => to.to_string(),
    }
}

/// Whether CuTe declares `_N`: few numbers have such a name.
fn has_short_name(value: u64) -> bool {
    let multiple = |of: u64| value.is_multiple_of(of) && value <= 256;
    value <= 10
        || value == 12
        || multiple(8)
        || matches!(value, 384 | 768)
        || (value.is_power_of_two() && value <= 1 << 19)
}

/// Which mode of a (thread, value) layout a leaf belongs to.
pub fn mode_word(profile: &Profile, leaf: usize) -> &'static str {
    let mut before = 0;
    for (index, mode) in (0..profile.rank()).filter_map(|index| profile.mode(index)).enumerate() {
        before += mode.leaf_count();
        if leaf < before {
            return if index == 0 { "thread" } else { "value" };
        }
    }
    "value"
}

fn numbers(constant: &Constant, part: Part) -> (&Numbers, usize) {
    match part {
        Part::Stride(leaf) => (&constant.stride, leaf),
        Part::Extent(leaf) => (&constant.shape, leaf),
    }
}

/// Where the number of a change stands, if it stands in the layout itself.
fn own_leaf(constant: &Constant, part: Part) -> Option<Leaf> {
    let (numbers, leaf) = numbers(constant, part);
    let leaf = *numbers.leaves.get(leaf)?;
    let implied = matches!(part, Part::Stride(_)) && !constant.explicit;
    let own = leaf.site.unit == constant.site.unit && constant.site.span.contains(leaf.site.span);
    (leaf.literal && own && !implied).then_some(leaf)
}

/// Changes of single numbers in words. `who` names the mode of a leaf.
fn words(program: &Program<'_>, constant: &Constant, changes: &[Change], who: &dyn Fn(usize) -> String) -> String {
    let words = changes.iter().map(|change| {
        let (kind, leaf) = kind(change.part);
        match own_leaf(constant, change.part) {
            Some(own) => {
                let token = program.text(own.site);
                format!("{}{kind} {token} → {}", who(leaf), respell(token, change.to))
            }
            None => format!("{}{kind} {} → {}", who(leaf), change.from, change.to),
        }
    });
    words.collect::<Vec<_>>().join(" and ")
}

fn kind(part: Part) -> (&'static str, usize) {
    match part {
        Part::Stride(leaf) => ("stride", leaf),
        Part::Extent(leaf) => ("extent", leaf),
    }
}

/// Alternatives that are spelled out.
const MAX_ALTERNATIVES: usize = 3;

/// Some repairs as labels and as a fix. When there are several, none is preferred: they have no labels and no edits.
pub fn changes(
    program: &Program<'_>,
    constant: &Constant,
    repairs: &[Repair],
    checked: String,
    who: &dyn Fn(usize) -> String,
) -> Option<(Vec<Label>, Fix)> {
    let ((changes, layout), others) = repairs.split_first()?;
    let mut labels = Vec::new();
    let mut edits = Vec::new();
    for change in changes.iter().filter(|_| others.is_empty()) {
        let (kind, leaf) = kind(change.part);
        if let Some(own) = own_leaf(constant, change.part) {
            let to = respell(program.text(own.site), change.to);
            let place = place(program, own.site);
            labels.push(Label { place, text: format!("try {to} as this {}{kind}", who(leaf)) });
            edits.push(Edit { place, text: to });
        }
    }
    if edits.len() < changes.len() {
        edits.clear();
    }
    let mut alternatives: Vec<String> = others
        .iter()
        .take(MAX_ALTERNATIVES)
        .map(|(changes, layout)| format!("{} (gives {layout})", words(program, constant, changes, who)))
        .collect();
    if others.len() > MAX_ALTERNATIVES {
        alternatives.push(format!("{} more", others.len() - MAX_ALTERNATIVES));
    }
    let fix = Fix {
        change: words(program, constant, changes, who),
        checked,
        exact: false,
        layout: layout.to_string(),
        alternatives,
        edits,
    };
    Some((labels, fix))
}

/// A layout in the place of another, written as a type where that is one.
pub fn replaced(program: &Program<'_>, constant: &Constant, layout: &Layout, checked: String) -> Fix {
    let whole = program.text(constant.site);
    let numbers = constant.shape.leaves.iter().chain(&constant.stride.leaves);
    let own = numbers.clone().all(|leaf| {
        leaf.literal && leaf.site.unit == constant.site.unit && constant.site.span.contains(leaf.site.span)
    });
    let head = whole.split_once('<').map_or("", |(head, _)| head.trim_end());
    let text = head.strip_suffix("Layout").filter(|_| own).map(|prefix| {
        let (shape, stride) = (layout.shape().extents().clone(), layout.stride());
        format!("{head}<{},{}>", typed(&shape, prefix, "Shape"), typed(&stride, prefix, "Stride"))
    });
    let edits = text.iter().map(|text| Edit { place: place(program, constant.site), text: text.clone() }).collect();
    let change = match &text {
        Some(text) => format!("{} → {layout}, that is `{text}`", constant_words(constant)),
        None => format!("{} → {layout}", constant_words(constant)),
    };
    Fix { change, checked, exact: false, layout: layout.to_string(), alternatives: Vec::new(), edits }
}

fn constant_words(constant: &Constant) -> String {
    format!("{}:{}", constant.shape.tuple, constant.stride.tuple)
}

/// A tuple as a type: CuTe has short names for small powers of two.
fn typed(tuple: &IntTuple, prefix: &str, name: &str) -> String {
    if tuple.is_leaf() {
        let value = tuple.leaves().first().copied().unwrap_or(0);
        let short = value == 0 || value.is_power_of_two() && value <= 512;
        return if short { format!("{prefix}_{value}") } else { format!("{prefix}Int<{value}>") };
    }
    let modes: Vec<String> = tuple.modes().map(|mode| typed(&mode, prefix, name)).collect();
    format!("{prefix}{name}<{}>", modes.join(","))
}

/// A layout whose shape and stride nest differently, with one of the two nested as the other.
#[derive(Debug)]
pub struct Renested {
    /// What is changed: the stride, or else the shape.
    pub stride: bool,
    /// The layout after it.
    pub layout: Layout,
    /// The new nesting.
    profile: Profile,
}

/// Both ways of making shape and stride nest alike, the one that keeps the shape first: by that, coordinates are checked.
pub fn renested(constant: &Constant) -> Vec<Renested> {
    let (shape, stride) = (&constant.shape.tuple, &constant.stride.tuple);
    let nest = |change_stride: bool| {
        let (profile, changed) = if change_stride { (shape.profile(), stride) } else { (stride.profile(), shape) };
        let changed = IntTuple::nested(changed.leaves(), profile).ok()?;
        let layout = if change_stride { Layout::new(shape, &changed) } else { Layout::new(&changed, stride) };
        Some(Renested { stride: change_stride, layout: layout.ok()?, profile: profile.clone() })
    };
    [true, false].into_iter().filter_map(nest).collect()
}

/// A re-nesting as a fix.
pub fn renesting(program: &Program<'_>, constant: &Constant, to: &Renested, checked: String) -> Fix {
    let numbers = if to.stride { &constant.stride } else { &constant.shape };
    let word = if to.stride { "stride" } else { "shape" };
    let tokens: Vec<&str> = numbers.leaves.iter().map(|leaf| program.text(leaf.site)).collect();
    let whole = program.text(numbers.site);
    let own = numbers.leaves.iter().all(|leaf| leaf.literal && leaf.site.unit == numbers.site.unit);
    let own = own && numbers.leaves.iter().all(|leaf| numbers.site.span.contains(leaf.site.span));
    let before = numbers.tuple.to_string();
    let after = if to.stride { to.layout.stride() } else { to.layout.shape().extents().clone() };
    // A layout forgets strides under an extent of 1; the author's numbers are kept.
    let after =
        IntTuple::nested(numbers.tuple.leaves(), after.profile()).map_or(before.clone(), |tuple| tuple.to_string());
    let text = if own { spell_tuple(&to.profile, &tokens, whole) } else { None };
    let edits = text.iter().map(|text| Edit { place: place(program, numbers.site), text: text.clone() }).collect();
    let change = match &text {
        Some(text) => format!("{word} {before} → {after}, that is `{text}`"),
        None => format!("{word} {before} → {after}"),
    };
    Fix { change, checked, exact: false, layout: to.layout.to_string(), alternatives: Vec::new(), edits }
}

/// A tuple in the style of the one that it replaces.
fn spell_tuple(profile: &Profile, tokens: &[&str], like: &str) -> Option<String> {
    let open = like.find(['<', '('])?;
    let head = like.get(..open)?.trim_end();
    let brackets = if like[open..].starts_with('<') { ('<', '>') } else { ('(', ')') };
    let mut tokens = tokens.iter();
    let text = spell_at(profile, &mut tokens, head, brackets)?;
    Some(text)
}

fn spell_at<'t>(
    profile: &Profile,
    tokens: &mut impl Iterator<Item = &'t &'t str>,
    head: &str,
    brackets: (char, char),
) -> Option<String> {
    if profile.is_leaf() {
        return tokens.next().map(|token| (*token).to_owned());
    }
    let mut parts = Vec::with_capacity(profile.rank());
    for index in 0..profile.rank() {
        parts.push(spell_at(&profile.mode(index)?, tokens, head, brackets)?);
    }
    // Where no name stands before the brackets, as in Python, one number in them is no tuple.
    let comma = if head.is_empty() && parts.len() == 1 { "," } else { "" };
    Some(format!("{head}{}{}{comma}{}", brackets.0, parts.join(","), brackets.1))
}

/// Where shape and stride part ways: a label on each, and the two parts.
pub fn mismatch(program: &Program<'_>, constant: &Constant) -> (Vec<Label>, String) {
    let (shape, stride) = deepest(&constant.shape.tuple, &constant.stride.tuple, 0, 0);
    let words = format!("`{}` in the shape corresponds to `{}` in the stride", shape.tuple, stride.tuple);
    let label = |numbers: &Numbers, part: &Part_, text: String| {
        let first = numbers.leaves.get(part.first)?;
        let last = numbers.leaves.get((part.first + part.tuple.leaves().len()).checked_sub(1)?)?;
        let (first, last) = (first.site, last.site);
        if first.unit != last.unit || first.span.start > last.span.end {
            return None;
        }
        let span = crate::ast::Span { start: first.span.start, end: last.span.end };
        Some(Label { place: place(program, Site { unit: first.unit, span }), text })
    };
    let first = label(&constant.stride, &stride, format!("stride {}", stride.tuple));
    let second = label(&constant.shape, &shape, format!("shape {}", shape.tuple));
    (first.into_iter().chain(second).collect(), words)
}

/// A subtree and the index of its first leaf.
struct Part_ {
    tuple: IntTuple,
    first: usize,
}

/// The innermost pair of subtrees in which all of the difference lies.
fn deepest(shape: &IntTuple, stride: &IntTuple, first_shape: usize, first_stride: usize) -> (Part_, Part_) {
    let whole =
        || (Part_ { tuple: shape.clone(), first: first_shape }, Part_ { tuple: stride.clone(), first: first_stride });
    if shape.is_leaf() || stride.is_leaf() || shape.rank() != stride.rank() {
        return whole();
    }
    let (mut at_shape, mut at_stride) = (first_shape, first_stride);
    let mut different = Vec::new();
    for (shape, stride) in shape.modes().zip(stride.modes()) {
        let (next_shape, next_stride) = (at_shape + shape.leaves().len(), at_stride + stride.leaves().len());
        if !shape.congruent(&stride) {
            different.push((shape, stride, at_shape, at_stride));
        }
        (at_shape, at_stride) = (next_shape, next_stride);
    }
    match different.as_slice() {
        [(shape, stride, at_shape, at_stride)] => deepest(shape, stride, *at_shape, *at_stride),
        _ => whole(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_style() {
        let cases = [
            ("_32", "_64"),
            ("Int<32>", "Int<64>"),
            ("cute::Int< 32 >", "cute::Int< 64 >"),
            ("32u", "64u"),
            ("0x20", "64"),
            ("é3", "é64"),
        ];
        for (token, to) in cases {
            assert_eq!(respell(token, 64), to, "{token}");
        }
        assert_eq!(respell("", 64), "64");
        // There is no _1920 in CuTe.
        for (token, to) in
            [("_1", "Int<1920>"), ("k::_8{}", "k::Int<1920>{}"), ("Int<8>", "Int<1920>"), ("_x8", "_x1920")]
        {
            assert_eq!(respell(token, 1920), to, "{token}");
        }
    }

    #[test]
    fn the_difference_is_found_where_it_is() {
        let shape: IntTuple = "((4,8),(32,2))".parse().unwrap();
        let stride: IntTuple = "((512,1),((16,8)))".parse().unwrap();
        let (shape, stride) = deepest(&shape, &stride, 0, 0);
        assert_eq!((shape.tuple.to_string(), shape.first), ("(32,2)".to_owned(), 2));
        assert_eq!((stride.tuple.to_string(), stride.first), ("((16,8))".to_owned(), 2));
    }

    #[test]
    fn tuples_keep_their_style() {
        let profile = "((*,*),*)"
            .parse::<Profile>()
            .unwrap_or_else(|_| "((1,1),1)".parse::<IntTuple>().unwrap().profile().clone());
        let tokens = ["_1", "_2", "Int<3>"];
        assert_eq!(
            spell_tuple(&profile, &tokens, "Stride <_1,_2,Int<3>>").as_deref(),
            Some("Stride<Stride<_1,_2>,Int<3>>")
        );
        assert_eq!(
            spell_tuple(&profile, &tokens, "cute::make_stride(_1{})").as_deref(),
            Some("cute::make_stride(cute::make_stride(_1,_2),Int<3>)")
        );
    }
}
