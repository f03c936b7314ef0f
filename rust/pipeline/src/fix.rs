//! Single changes of the text under which every law holds.

use crate::check::{Bounds, TripCounts, Verdict, check};
use crate::parse::parse;

/// A change that has been tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// what is changed, with the line
    pub change: String,
    /// the whole text after it
    pub text: String,
    /// it holds for every trip count; else for those up to the bound
    pub every: bool,
}

/// Changes of one line of a pipeline that fails, under which every law holds: another parity of a wait, another count, the bytes
/// of the loads, fewer groups in flight, a release after the wait, a tail. Each has been explored. At most 64 changes and
/// about a million states are tried.
#[must_use]
pub fn fixes(text: &str, bounds: &Bounds) -> Vec<Fix> {
    let small = Bounds { states: bounds.states.min(50_000), trips: bounds.trips };
    let mut found: Vec<Fix> = vec![];
    let mut states = 0;
    for (change, text) in changes(text).into_iter().take(64) {
        if states > 20 * small.states {
            break;
        }
        let Ok(program) = parse(&text) else { continue };
        let verdict = check(&program, &small);
        states += verdict.states;
        let Verdict { failure: None, every, tried, .. } = verdict else { continue };
        let every = matches!(every, TripCounts::Every { .. });
        if (every || !tried.is_empty()) && !found.iter().any(|f| f.text == text) {
            found.push(Fix { change, text, every });
        }
    }
    // what holds for every trip count first
    found.sort_by_key(|f| !f.every);
    found
}

/// The lines with line `at` replaced.
fn with(lines: &[&str], at: usize, new: &str) -> String {
    let mut lines = lines.to_vec();
    lines[at] = new;
    lines.join("\n")
}

fn changes(text: &str) -> Vec<(String, String)> {
    // comments stay in the text of a fix
    let raw: Vec<&str> = text.lines().collect();
    let lines: Vec<&str> = raw.iter().map(|l| l.split('#').next().unwrap_or_default().trim_end()).collect();
    let words: Vec<Vec<&str>> = lines.iter().map(|l| l.split_ascii_whitespace().collect()).collect();
    let name = |word: &str| word.split('[').next().unwrap_or_default().to_owned();
    let mut loads: Vec<(String, String)> = vec![];
    for w in &words {
        if let ["tma", _, on, bytes @ ..] = w.as_slice() {
            loads.push((name(on), bytes.join(" ")));
        }
    }
    let mut found = vec![];
    for (at, (line, w)) in lines.iter().zip(&words).enumerate() {
        let n = at + 1;
        let indent = &line[..line.len() - line.trim_start().len()];
        match w.as_slice() {
            ["wait", on] => {
                found.push((
                    format!("line {n}: wait {on} flipped"),
                    with(&raw, at, &format!("{indent}wait {on} flipped")),
                ));
            }
            ["wait", on, "flipped"] => {
                found
                    .push((format!("line {n}: wait {on}, not flipped"), with(&raw, at, &format!("{indent}wait {on}"))));
            }
            ["barrier", slot, "count", old, rest @ ..] => {
                let rest = rest.join(" ");
                for count in ["1", "2", "3", "4", "8", "32", "128", "256"].into_iter().filter(|c| c != old) {
                    let new = format!("{indent}barrier {slot} count {count} {rest}");
                    found.push((format!("line {n}: count {old} → {count}"), with(&raw, at, new.trim_end())));
                }
            }
            [op @ ("arrive" | "expect" | "arrive_expect"), on, rest @ ..] => {
                let total: Vec<&str> =
                    loads.iter().filter(|(b, _)| *b == name(on)).map(|(_, bytes)| bytes.as_str()).collect();
                if !total.is_empty() {
                    let new = format!("{indent}arrive_expect {on} {}", total.join(" + "));
                    if new != *line {
                        let change =
                            format!("line {n}: arrive_expect {on} with the bytes of its loads, {}", total.join(" + "));
                        found.push((change, with(&raw, at, &new)));
                    }
                }
                if rest.contains(&"per") {
                    let change = format!("line {n}: one elected thread arrives");
                    found.push((change, with(&raw, at, &format!("{indent}{op} {on}"))));
                }
            }
            [op @ ("mma_wait" | "store_wait" | "cp_wait"), left] => {
                for fewer in 0..left.parse::<u32>().unwrap_or(0).min(8) {
                    found.push((
                        format!("line {n}: {op} {left} → {fewer}"),
                        with(&raw, at, &format!("{indent}{op} {fewer}")),
                    ));
                }
                if at > 0 && words[at - 1].first() == Some(&"arrive") {
                    let mut moved = raw.clone();
                    moved.swap(at - 1, at);
                    found.push((format!("line {n}: {op} before the arrive of line {at}"), moved.join("\n")));
                }
            }
            ["reset", pipe] => {
                found.push((format!("line {n}: no reset, {pipe} goes on over tiles"), with(&raw, at, "")));
            }
            ["loop", trips @ ..] if trips.len() > 1 || trips.iter().any(|t| t.contains(['-', '*', '/', '+'])) => {
                for p in words.iter().filter_map(|w| if let ["param", p, ..] = w.as_slice() { Some(*p) } else { None })
                {
                    if trips.iter().any(|t| t.contains(p)) {
                        let change = format!("line {n}: loop {} → loop {p}", trips.join(" "));
                        found.push((change, with(&raw, at, &format!("{indent}loop {p}"))));
                    }
                }
            }
            ["role", role, ..] => {
                // a tail where the role waits for a flipped phase, which is what producers do
                let end = (at + 1..lines.len())
                    .find(|&l| !lines[l].starts_with(' ') && !lines[l].is_empty())
                    .unwrap_or(lines.len());
                let empty = words[at + 1..end].iter().find_map(|w| match w.as_slice() {
                    ["wait", on, "flipped"] => on.split_once('[').map(|(b, p)| (b, p.trim_end_matches(']'))),
                    _ => None,
                });
                if let Some((barrier, pipe)) = empty {
                    let mut longer = raw.clone();
                    let tail = format!("  tail {pipe} {barrier}");
                    longer.insert(end, &tail);
                    found.push((format!("{role}: a tail, `tail {pipe} {barrier}`, at its end"), longer.join("\n")));
                }
            }
            _ => {}
        }
    }
    found
}
