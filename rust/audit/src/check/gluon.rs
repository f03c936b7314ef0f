//! RG021, RG022 and RG023: layouts of Triton's Gluon that Triton refuses, or whose swizzle is not the one that is written. What is
//! refused was tried with Triton 3.5 and 3.9.

use razorgirl::LinearLayout;

use super::constant::place;
use super::verdicts::Verdicts;
use crate::ast::Site;
use crate::eval::Program;
use crate::finding::{Code, Finding, Label};
use crate::python::{Bases, Gluon, GluonLayout, List, Listed, Part};

/// Rows of a swizzle that are compared.
const MAX_ROWS: i128 = 1 << 12;

/// What is wrong with one layout.
#[derive(Default)]
struct Wrong {
    /// In words, most important first, with the place where it stands.
    said: Vec<(String, Site)>,
}

impl Wrong {
    fn say(&mut self, site: Site, text: String) {
        self.said.push((text, site));
    }
}

/// Checks every Gluon layout.
pub fn check(program: &Program<'_>, all: &[GluonLayout], verdicts: &mut Verdicts) {
    for found in all {
        look(program, found, &mut |finding| verdicts.find(finding));
    }
}

/// Layouts that hang on what the code lists, unless they are wrong whatever that is.
pub fn listed(program: &Program<'_>, layouts: &[Vec<Listed<GluonLayout>>], verdicts: &mut Verdicts) {
    for all in layouts {
        let site = all.first().map(|one| place(program, one.one.site));
        if verdicts.findings.iter().any(|finding| Some(finding.place) == site) {
            continue;
        }
        super::listed::wrong(all, verdicts, &mut |layout| {
            let mut found = Vec::new();
            look(program, layout, &mut |finding| found.push(finding));
            found
        });
    }
}

fn look(program: &Program<'_>, found: &GluonLayout, find: &mut dyn FnMut(Finding)) {
    let (name, code, wrong) = match &found.layout {
        Gluon::Blocked(lists) => ("BlockedLayout", Code::GluonLayout, blocked(lists, found.lanes)),
        Gluon::Swizzled { vec, per_phase, max_phase, order } => {
            let parts = [*vec, *per_phase, *max_phase];
            if let Some(text) = uneven_swizzle(parts) {
                let mut wrong = Wrong::default();
                wrong.say(found.site, text);
                report(program, found, ("SwizzledSharedLayout", Code::GluonSwizzle), &wrong, find);
            }
            ("SwizzledSharedLayout", Code::GluonLayout, swizzled(parts, order.as_ref()))
        }
        Gluon::Nvmma { swizzle, bits } => ("NVMMASharedLayout", Code::GluonLayout, nvmma(*swizzle, *bits)),
        Gluon::Allocated { swizzle, bits, shape, along } => {
            ("NVMMASharedLayout", Code::GluonLayout, allocated(*swizzle, *bits, shape, *along))
        }
        Gluon::Ranked { name, tensor, rank } => {
            let mut wrong = Wrong::default();
            wrong.say(found.site, format!("the tensor has {tensor} dimensions, and its layout has {rank}"));
            (*name, Code::GluonLayout, wrong)
        }
        Gluon::Sliced { dimension, rank } => {
            let mut wrong = Wrong::default();
            wrong.say(found.site, format!("dim is {dimension}, and the parent has {rank} dimensions"));
            ("SliceLayout", Code::GluonLayout, wrong)
        }
        Gluon::Shaped { name, shape, own } => (*name, Code::GluonLayout, shaped(shape, own)),
        Gluon::SharedLinear { offset, block, alignment } => {
            ("SharedLinearLayout", Code::GluonBases, shared(offset.as_ref(), block.as_ref(), *alignment))
        }
        Gluon::Padded { pairs, offset, block, shape, order, identity } => {
            let bases = [pairs, offset, block].map(Option::as_ref);
            let name = if *identity { "PaddedSharedLayout.with_identity_for" } else { "PaddedSharedLayout" };
            (name, Code::GluonLayout, padded(bases, shape.as_ref(), order.as_ref()))
        }
        Gluon::Mma(lists) => ("NVMMADistributedLayout", Code::GluonLayout, matrix(lists)),
        Gluon::Distributed(bases, shape) => {
            ("DistributedLinearLayout", Code::GluonBases, distributed(bases, shape.as_ref()))
        }
    };
    let mut wrong = wrong;
    if let Gluon::Blocked([_, _, warps, _]) | Gluon::Mma([_, warps, _]) = &found.layout {
        let all = warps
            .as_ref()
            .and_then(|list| Some((list.known().filter(|all| all.iter().all(|one| is_power(*one)))?, list.site)));
        let product = all.and_then(|(all, site)| {
            Some((all.iter().try_fold(1_i128, |product, one| product.checked_mul(*one))?, site))
        });
        launched("warps_per_cta", product, found, &mut wrong);
    }
    if let Gluon::Distributed([_, lanes, warps, _], _) = &found.layout {
        let made = |bases: &Bases| Some((1_i128.checked_shl(u32::try_from(bases.rows.len()).ok()?)?, bases.site));
        // Such a layout may be made to be computed with: this one a launched kernel surely uses.
        let used = found.lanes && !found.launches.is_empty();
        if let Some((threads, site)) = lanes.as_ref().and_then(made).filter(|_| used)
            && !is_warp(threads)
        {
            wrong.say(site, format!("lane_bases makes {threads} threads, and a warp has 32 (on AMD 32 or 64)"));
        }
        launched("warp_bases", warps.as_ref().and_then(made), found, &mut wrong);
    }
    report(program, found, (name, code), &wrong, find);
}

/// A kernel has the warps that it is launched with, and Triton refuses a layout of others.
fn launched(name: &str, made: Option<(i128, Site)>, found: &GluonLayout, wrong: &mut Wrong) {
    let Some((warps, site)) = made else { return };
    if let Some(value) = found.launches.iter().find_map(|launch| launch.value.filter(|value| *value != warps)) {
        wrong.say(site, format!("{name} makes {warps} warps, and the kernel is launched with num_warps={value}"));
    }
}

/// A warp has 32 threads, on AMD 64 too, and on Intel 16 too.
const fn is_warp(threads: i128) -> bool {
    matches!(threads, 16 | 32 | 64)
}

fn report(
    program: &Program<'_>,
    found: &GluonLayout,
    what: (&str, Code),
    wrong: &Wrong,
    find: &mut dyn FnMut(Finding),
) {
    let (name, code) = what;
    let Some((first, _)) = wrong.said.first() else { return };
    let title = format!("{name}: {first}");
    let inner = |site: &Site| *site != found.site && found.site.span.contains(site.span);
    let inner = |site: &Site| inner(site) && site.unit == found.site.unit;
    let (mut labels, mut notes) = (Vec::new(), Vec::new());
    for (index, (text, site)) in wrong.said.iter().enumerate() {
        // Each is said once: the first by the title, what stands inside by its label, the rest by a note.
        if inner(site) {
            let text = if index == 0 { "this argument".to_owned() } else { text.clone() };
            labels.push(Label { place: place(program, *site), text });
        } else if index > 0 {
            notes.push(text.clone());
        }
    }
    find(Finding {
        code,
        title,
        place: place(program, found.site),
        labels,
        subject: None,
        layout: name.to_owned(),
        tile: None,
        notes,
        fix: None,
        affected: Vec::new(),
    });
}

/// A row is as long as the swizzle, at least.
fn allocated(swizzle: i128, bits: i128, shape: &List, along: usize) -> Wrong {
    let mut wrong = Wrong::default();
    let Some(least) = swizzle.checked_mul(8).and_then(|all| all.checked_div(bits)) else { return wrong };
    let Some(extent) = shape.items.get(along).and_then(|part| part.value).filter(|extent| *extent < least) else {
        return wrong;
    };
    let row = extent.saturating_mul(bits) / 8;
    let fits = [128, 64, 32].into_iter().find(|width| *width <= row).unwrap_or(0);
    wrong.say(
        shape.site,
        format!(
            "rows along dimension {along} are {extent} x {bits} bits = {row} bytes, less than the swizzle of {swizzle} bytes: use swizzle_byte_width={fits}"
        ),
    );
    wrong
}

/// What is allocated is as large as the layout, but for how many there are.
fn shaped(shape: &List, own: &[i128]) -> Wrong {
    let mut wrong = Wrong::default();
    let Some(all) = shape.known() else { return wrong };
    let Some(last) = all.len().checked_sub(own.len()).and_then(|first| all.get(first..)) else { return wrong };
    if last != own {
        let words = |extents: &[i128]| extents.iter().map(i128::to_string).collect::<Vec<_>>().join(" x ");
        wrong.say(shape.site, format!("it has {} elements, and {} are allocated by it", words(own), words(last)));
    }
    wrong
}

fn is_power(value: i128) -> bool {
    value > 0 && value & (value - 1) == 0
}

fn blocked(lists: &[Option<List>; 4], lanes: bool) -> Wrong {
    const NAMES: [&str; 4] = ["size_per_thread", "threads_per_warp", "warps_per_cta", "order"];
    let mut wrong = Wrong::default();
    let known: Vec<(&str, &List)> =
        NAMES.into_iter().zip(lists).filter_map(|(name, list)| Some((name, list.as_ref()?))).collect();
    if let Some((first_name, first)) = known.first() {
        for (name, list) in known.iter().skip(1).filter(|(_, list)| list.items.len() != first.items.len()) {
            let (rank, other) = (list.items.len(), first.items.len());
            wrong.say(list.site, format!("{name} has {rank} dimensions, {first_name} has {other}"));
        }
    }
    for (name, list) in known.iter().filter(|(name, _)| *name != "order") {
        for part in &list.items {
            if let Some(value) = part.value.filter(|value| !is_power(*value)) {
                wrong.say(part.site, format!("{value} in {name} is not a power of two"));
            }
        }
    }
    if let [.., Some(order)] = lists {
        permutation(order, &mut wrong);
    }
    if let [_, Some(threads), ..] = lists
        && lanes
        && let Some(all) = threads.known().filter(|all| all.iter().all(|one| is_power(*one)))
    {
        let product = all.iter().try_fold(1_i128, |product, one| product.checked_mul(*one));
        if !product.is_some_and(is_warp) {
            let product = product.map_or_else(|| "too many".to_owned(), |product| product.to_string());
            wrong.say(
                threads.site,
                format!("threads_per_warp makes {product} threads, and a warp has 32 (on AMD 32 or 64)"),
            );
        }
    }
    wrong
}

fn permutation(order: &List, wrong: &mut Wrong) {
    let Some(items) = order.known() else { return };
    let mut sorted = items.clone();
    sorted.sort_unstable();
    if !sorted.iter().zip(0..).all(|(item, place)| *item == place) {
        let items: Vec<String> = items.iter().map(ToString::to_string).collect();
        let last = items.len().saturating_sub(1);
        wrong.say(order.site, format!("order [{}] is not a permutation of 0 to {last}", items.join(", ")));
    }
}

fn swizzled(parts: [Option<Part>; 3], order: Option<&List>) -> Wrong {
    let mut wrong = Wrong::default();
    let [vec, per_phase, max_phase] = parts;
    for (name, part, least) in [("vec", vec, 0), ("per_phase", per_phase, 1), ("max_phase", max_phase, 1)] {
        if let Some(part) = part
            && let Some(value) = part.value.filter(|value| *value < least)
        {
            wrong.say(part.site, format!("{name} is {value}, must be at least {least}"));
        }
    }
    if let Some(order) = order {
        permutation(order, &mut wrong);
    }
    wrong
}

/// Triton takes the swizzle of rows 1, 2, 4, … and makes that of the others by exclusive or, which gives what is written only for
/// powers of two.
fn uneven_swizzle(parts: [Option<Part>; 3]) -> Option<String> {
    let [vec, per_phase, max_phase] = parts.map(|part| part.and_then(|part| part.value));
    let (vec, per_phase, max_phase) = (vec?, per_phase?, max_phase?);
    let small = |value| (1..=MAX_ROWS).contains(&value);
    if !(small(vec) && small(per_phase) && small(max_phase)) {
        return None;
    }
    let formula = |row: i128| vec * (row / per_phase % max_phase);
    let made = |row: i128| (0..16).filter(|bit| row >> bit & 1 == 1).fold(0, |column, bit| column ^ formula(1 << bit));
    let row = (1..MAX_ROWS).find(|row| formula(*row) != made(*row))?;
    Some(format!(
        "row {row} is swizzled by {}, and {vec}·(({row} // {per_phase}) % {max_phase}) = {}: vec, per_phase and max_phase must be powers of two",
        made(row),
        formula(row)
    ))
}

fn nvmma(swizzle: Option<Part>, bits: Option<Part>) -> Wrong {
    let mut wrong = Wrong::default();
    let value = |part: Option<Part>| part.and_then(|part| Some((part.value?, part.site)));
    if let Some((value, site)) = value(swizzle).filter(|(value, _)| ![0, 32, 64, 128].contains(value)) {
        wrong.say(site, format!("swizzle_byte_width is {value}, and must be 0, 32, 64 or 128"));
    }
    if let Some((value, site)) = value(bits).filter(|(value, _)| ![8, 16, 32, 64].contains(value)) {
        wrong.say(site, format!("element_bitwidth is {value}, and must be 8, 16, 32 or 64"));
    }
    wrong
}

fn powers(name: &str, parts: &[Part], wrong: &mut Wrong) {
    for part in parts {
        if let Some(value) = part.value.filter(|value| !is_power(*value)) {
            wrong.say(part.site, format!("{value} in {name} is not a power of two"));
        }
    }
}

/// What `PaddedSharedLayout` asserts of itself, and `with_identity_for` of its shape and order.
fn padded([pairs, offset, block]: [Option<&Bases>; 3], shape: Option<&List>, order: Option<&List>) -> Wrong {
    let mut wrong = Wrong::default();
    if let Some(pairs) = pairs {
        if pairs.rows.is_empty() {
            wrong.say(pairs.site, "interval_padding_pairs must not be empty".to_owned());
        }
        let mut intervals: Vec<i128> = Vec::new();
        for row in &pairs.rows {
            let [interval, padding] = row.items.as_slice() else {
                let count = row.items.len();
                wrong.say(
                    row.site,
                    format!("an entry of interval_padding_pairs has {count} numbers, must be [interval, padding]"),
                );
                continue;
            };
            for (name, part) in [("interval", interval), ("padding", padding)] {
                if let Some(value) = part.value.filter(|value| !is_power(*value)) {
                    wrong.say(part.site, format!("the {name} {value} is not a power of two"));
                }
            }
            if let Some(value) = interval.value {
                if intervals.contains(&value) {
                    wrong.say(interval.site, format!("the interval {value} is given twice"));
                }
                intervals.push(value);
            }
        }
    }
    let Some(shape) = shape else { return wrong };
    let rank = shape.items.len();
    if rank == 0 {
        wrong.say(shape.site, "the shape must not be empty".to_owned());
    }
    for (name, bases) in [("offset_bases", offset), ("cga_layout", block)] {
        for row in bases.iter().flat_map(|bases| &bases.rows).filter(|row| row.items.len() != rank) {
            wrong.say(row.site, format!("a basis in {name} has {} components, and must have {rank}", row.items.len()));
        }
    }
    if let Some(order) = order {
        powers("shape", &shape.items, &mut wrong);
        if order.items.len() == rank {
            let whole = block.is_none_or(|block| block.rows.is_empty());
            dimensions_in_order(order, shape, whole, &mut wrong);
        } else {
            wrong.say(order.site, format!("order has {} dimensions, shape has {rank}", order.items.len()));
        }
    }
    wrong
}

/// Each dimension of more than one element has its place in the order once: those of one element have no bases. A number below 0 finds the
/// size of a dimension, and no bases for it.
fn dimensions_in_order(order: &List, shape: &List, whole: bool, wrong: &mut Wrong) {
    let rank = i128::try_from(shape.items.len()).unwrap_or(0);
    let mut seen: Vec<i128> = Vec::new();
    for part in &order.items {
        let Some(value) = part.value else { continue };
        let place = if value < 0 { value + rank } else { value };
        let Some(size) = usize::try_from(place).ok().and_then(|place| shape.items.get(place)) else {
            wrong.say(part.site, format!("order has {value}, and there are {rank} dimensions"));
            continue;
        };
        let large = whole && size.value.is_some_and(|size| size > 1);
        if large && value < 0 {
            wrong.say(part.site, format!("order has {value}: dimensions are counted from 0"));
        } else if large && seen.contains(&value) {
            wrong.say(part.site, format!("order has {value} twice"));
        }
        seen.push(value);
    }
}

/// The tensor cores' layouts are those of `mma` (version 2) and `wgmma` (version 3).
fn matrix(lists: &[Option<List>; 3]) -> Wrong {
    let mut wrong = Wrong::default();
    let [version, warps, instruction] = lists;
    let of = |list: &Option<List>| list.as_ref().map(|list| list.items.len());
    if let Some(version) = version {
        if version.items.len() < 2 {
            wrong.say(version.site, format!("version has {} numbers, and must have 2", version.items.len()));
        } else if let Some(part) = version.items.first()
            && let Some(value) = part.value.filter(|value| ![2, 3].contains(value))
        {
            wrong.say(part.site, format!("version[0] is {value}, must be 2 or 3"));
        }
    }
    if let Some(warps) = warps {
        powers("warps_per_cta", &warps.items, &mut wrong);
        if warps.items.len() < 2 {
            wrong.say(warps.site, format!("warps_per_cta has rank {}, and must have 2 or more", warps.items.len()));
        }
    }
    let first = version.as_ref().and_then(|version| version.items.first()?.value);
    let (rank, count) = (of(warps), of(instruction));
    match (first, rank, count, instruction) {
        (Some(2), Some(rank), Some(count), Some(list)) if rank != count => {
            wrong.say(list.site, format!("instr_shape has {count} dimensions, warps_per_cta has {rank}"));
        }
        (Some(3), _, Some(count), Some(list)) if count < 2 => {
            wrong.say(list.site, format!("instr_shape has {count} dimensions, and must have m, n and k"));
        }
        (Some(3), ..) => {
            if let Some(part) = instruction.as_ref().and_then(|list| list.items.get(1))
                && let Some(value) = part.value.filter(|value| *value > 0 && value % 8 != 0)
            {
                wrong.say(part.site, format!("n of instr_shape is {value}, must be a multiple of 8"));
            }
        }
        _ => {}
    }
    wrong
}

/// Bases as numbers of 0 and above, if they are known and each has so many components; what is wrong with them is said.
fn components(name: &str, bases: &Bases, rank: usize, wrong: &mut Wrong) -> Option<Vec<Vec<u64>>> {
    let mut rows = Some(Vec::new());
    for row in &bases.rows {
        if row.items.len() != rank {
            wrong.say(row.site, format!("a basis in {name} has {} components, and must have {rank}", row.items.len()));
            rows = None;
        }
        if let Some(part) = row.items.iter().find(|part| part.value.is_some_and(|value| value < 0)) {
            wrong.say(part.site, format!("{} in {name} is negative", part.value.unwrap_or(0)));
            rows = None;
        }
        let numbers = row.known().map(|all| all.into_iter().map(u64::try_from).collect::<Result<Vec<u64>, _>>());
        match (numbers, &mut rows) {
            (Some(Ok(numbers)), Some(rows)) => rows.push(numbers),
            _ => rows = None,
        }
    }
    rows
}

fn dimensions(rank: usize) -> Vec<String> {
    (0..rank).map(|dim| format!("dim{dim}")).collect()
}

/// A packed element in words.
fn element(layout: &LinearLayout, packed: u64) -> String {
    let outs = layout.outs();
    let all: Vec<String> = outs.names().map(|name| outs.unpack(packed, name).to_string()).collect();
    format!("({})", all.join(", "))
}

/// Basis vectors in echelon form, each with its leading bit.
fn reduced(vectors: &[u64], mut vector: u64) -> u64 {
    for one in vectors {
        vector = vector.min(vector ^ one);
    }
    vector
}

/// An element that is not reached.
fn missed(layout: &LinearLayout) -> Option<String> {
    let mut echelon: Vec<u64> = Vec::new();
    for column in layout.columns() {
        let rest = reduced(&echelon, *column);
        if rest != 0 {
            echelon.push(rest);
            echelon.sort_unstable_by_key(|vector| std::cmp::Reverse(*vector));
        }
    }
    let unit = (0..layout.outs().total()).map(|bit| 1_u64 << bit).find(|unit| reduced(&echelon, *unit) != 0)?;
    Some(element(layout, unit))
}

/// Two inputs with the same element: each a sum of bases, as a number.
fn doubled(columns: &[u64]) -> Option<(u64, u64, u64)> {
    let mut echelon: Vec<(u64, u64)> = Vec::new();
    for (place, column) in columns.iter().enumerate().take(64) {
        let (mut rest, mut sum) = (*column, 1_u64 << place);
        for (vector, of) in &echelon {
            if rest ^ vector < rest {
                rest ^= vector;
                sum ^= of;
            }
        }
        if rest == 0 {
            let own = 1_u64 << place;
            return Some((own, sum ^ own, *column));
        }
        echelon.push((rest, sum));
        echelon.sort_unstable_by_key(|(vector, _)| std::cmp::Reverse(*vector));
    }
    None
}

fn shared(offset: Option<&Bases>, block: Option<&Bases>, alignment: Option<Part>) -> Wrong {
    let mut wrong = Wrong::default();
    if let Some(part) = alignment
        && let Some(value) = part.value.filter(|value| !is_power(*value))
    {
        wrong.say(part.site, format!("alignment is {value}, and must be a power of two"));
    }
    let Some(offset) = offset else { return wrong };
    let Some(rank) = offset.rows.first().map(|row| row.items.len()).filter(|rank| *rank > 0) else {
        wrong.say(offset.site, "offset_bases must not be empty".to_owned());
        return wrong;
    };
    let rows = components("offset_bases", offset, rank, &mut wrong);
    let blocks = block.and_then(|block| components("block_bases", block, rank, &mut wrong));
    let (Some(rows), Some(blocks)) = (rows, blocks) else { return wrong };
    // Dimensions are as large as the bases need.
    let size = |dim: usize| {
        let most = rows.iter().chain(&blocks).filter_map(|row| row.get(dim)).max().copied().unwrap_or(0);
        most.checked_add(1).and_then(u64::checked_next_power_of_two)
    };
    let names = dimensions(rank);
    let outs: Option<Vec<(String, u64)>> =
        names.iter().cloned().enumerate().map(|(dim, name)| Some((name, size(dim)?))).collect();
    let bases = [("offset".to_owned(), rows), ("block".to_owned(), blocks)];
    let Some(Ok(layout)) = outs.map(|outs| LinearLayout::new(&bases, outs)) else { return wrong };
    if let Some(missed) = missed(&layout) {
        wrong.say(
            offset.site,
            format!("element {missed} has no offset: the bases must reach every element up to the largest"),
        );
    } else {
        let moving: Vec<u64> = layout.columns().iter().copied().filter(|column| *column != 0).collect();
        let places: Vec<usize> =
            layout.columns().iter().enumerate().filter(|(_, column)| **column != 0).map(|(place, _)| place).collect();
        if let Some((one, other, column)) = doubled(&moving) {
            let at = |sum: u64| -> u64 {
                let bits = places.iter().enumerate().filter(|(bit, _)| sum >> bit & 1 == 1);
                bits.map(|(_, place)| 1_u64.checked_shl(u32::try_from(*place).unwrap_or(64)).unwrap_or(0)).sum()
            };
            wrong.say(
                offset.site,
                format!("offsets {} and {} both map to element {}", at(other), at(one), element(&layout, column)),
            );
        }
    }
    wrong
}

fn distributed(bases: &[Option<Bases>; 4], shape: Option<&List>) -> Wrong {
    const NAMES: [&str; 4] = ["reg_bases", "lane_bases", "warp_bases", "block_bases"];
    const INPUTS: [&str; 4] = ["register", "lane", "warp", "block"];
    let mut wrong = Wrong::default();
    let Some(shape) = shape else { return wrong };
    let rank = shape.items.len();
    for part in &shape.items {
        if let Some(value) = part.value.filter(|value| !is_power(*value)) {
            wrong.say(part.site, format!("{value} in shape is not a power of two"));
        }
    }
    let mut all = Vec::new();
    for ((name, input), bases) in NAMES.into_iter().zip(INPUTS).zip(bases) {
        let Some(bases) = bases else { continue };
        let rows = components(name, bases, rank, &mut wrong);
        for row in &bases.rows {
            let beyond = row.items.iter().zip(&shape.items).find_map(|(part, size)| {
                let (value, size) = (part.value?, size.value?);
                (is_power(size) && value >= size).then_some((part.site, value, size))
            });
            if let Some((site, value, size)) = beyond {
                wrong.say(site, format!("{value} in {name} is beyond its dimension of {size}"));
            }
            let moves = row.items.iter().filter(|part| part.value.is_some_and(|value| value != 0)).count();
            if moves > 1 && name != "warp_bases" {
                wrong.say(row.site, format!("a basis in {name} moves in {moves} dimensions, and must move in one"));
            }
        }
        all.extend(rows.map(|rows| (input.to_owned(), rows)));
    }
    let sizes = shape.known().map(|all| all.into_iter().map(u64::try_from).collect::<Result<Vec<u64>, _>>());
    if let (true, true, Some(Ok(sizes))) = (wrong.said.is_empty(), all.len() == NAMES.len(), sizes)
        && let Ok(layout) = LinearLayout::new(&all, dimensions(rank).into_iter().zip(sizes).collect())
        && let Some(missed) = missed(&layout)
    {
        wrong.say(shape.site, format!("no register of any thread has element {missed}"));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Both witnesses are right, and there is one exactly where the library says that something is missed or doubled.
        #[test]
        fn witnesses_agree_with_the_library(rows in prop::collection::vec(prop::collection::vec(0..4_u64, 2), 0..6)) {
            let bases = [("offset".to_owned(), rows)];
            let layout = LinearLayout::new(&bases, vec![("dim0".to_owned(), 4), ("dim1".to_owned(), 4)]).unwrap();
            prop_assert_eq!(missed(&layout).is_none(), layout.is_surjective());
            let size = 1_u64 << layout.columns().len();
            if let Some(missed) = missed(&layout) {
                prop_assert!((0..size).all(|x| element(&layout, layout.apply_packed(x)) != missed));
            }
            match doubled(layout.columns()) {
                Some((one, other, column)) => {
                    prop_assert_ne!(one, other);
                    prop_assert_eq!(layout.apply_packed(one), column);
                    prop_assert_eq!(layout.apply_packed(other), column);
                }
                None => prop_assert!(layout.is_injective()),
            }
        }
    }

    #[test]
    fn powers_of_two_swizzle_as_written() {
        let site = Site { unit: 0, span: crate::ast::Span::default() };
        let parts = |values: [i128; 3]| values.map(|value| Some(Part { value: Some(value), site }));
        for vec in [1, 2, 4, 8, 16] {
            for per_phase in [1, 2, 4, 8] {
                for max_phase in [1, 2, 4, 8, 16] {
                    assert_eq!(uneven_swizzle(parts([vec, per_phase, max_phase])), None);
                }
            }
        }
        // Triton 3.9 gives the rows 1, 2 and 4 of (3,1,4) the columns 3, 6 and 0: row 3 has 3^6 = 5.
        assert!(
            uneven_swizzle(parts([3, 1, 4])).unwrap().starts_with("row 3 is swizzled by 5, and 3·((3 // 1) % 4) = 9")
        );
        assert!(uneven_swizzle(parts([4, 3, 4])).is_some());
        assert!(uneven_swizzle(parts([4, 1, 3])).is_some());
    }
}
