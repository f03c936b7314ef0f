//! `// razorgirl: allow(RG002) reason`.

use std::collections::HashMap;

use rayon::prelude::*;

use super::nearest_rule;
use crate::ast::Span;
use crate::finding::{Code, Finding, Place};
use crate::report::{Lines, Report};
use crate::source::{Language, Source, comments};

/// What every comment for the auditor begins with.
const MARK: &str = "razorgirl:";

/// Comments that are looked at in one file.
const MAX_COMMENTS: usize = 1 << 14;

struct Directive {
    span: Span,
    /// The line that it speaks of.
    line: usize,
    said: Result<Vec<Code>, String>,
}

/// Takes out the findings that comments allow: how many, and what is said of comments that do nothing.
pub fn apply(report: &Report, findings: &mut Vec<Finding>, off: &dyn Fn(Code) -> bool) -> (usize, Vec<Finding>) {
    let mut notes = Vec::new();
    let mut allows: HashMap<(usize, usize, Code), Vec<(Place, bool)>> = HashMap::new();
    let own = report.sources.files.par_iter().enumerate().filter(|(_, source)| !source.included);
    let said: Vec<(usize, Vec<Directive>)> = own.map(|(file, source)| (file, directives(source))).collect();
    for (file, directives) in said {
        for directive in directives {
            let place = Place { file, span: directive.span };
            match directive.said {
                Ok(codes) => {
                    for code in codes {
                        allows.entry((file, directive.line, code)).or_default().push((place, false));
                    }
                }
                Err(why) => notes.push(note(why, place, &[])),
            }
        }
    }
    let before = findings.len();
    findings.retain(|finding| {
        let line = report.region(finding.place).start.line;
        match allows.get_mut(&(finding.place.file, line, finding.code)).and_then(|all| all.first_mut()) {
            Some((_, used)) => {
                *used = true;
                false
            }
            None => true,
        }
    });
    let unused = allows.into_iter().flat_map(|((_, _, code), all)| all.into_iter().map(move |one| (code, one)));
    for (code, (place, _)) in unused.filter(|(code, (_, used))| !used && !off(*code)) {
        let title = format!("this comment allows {}, which is not found here", code.id());
        // What was not read may well have what is allowed.
        let unread = report
            .given_up
            .iter()
            .any(|one| report.sources.files.get(place.file).is_some_and(|source| source.path == one.path));
        let more: &[&str] = if unread { &["the file was not looked into, so this is not known"] } else { &[] };
        notes.push(note(title, place, more));
    }
    (before - findings.len(), notes)
}

fn note(title: String, place: Place, notes: &[&str]) -> Finding {
    Finding {
        code: Code::Directive,
        title,
        place,
        labels: Vec::new(),
        subject: None,
        layout: String::new(),
        tile: None,
        notes: notes.iter().map(|note| (*note).to_owned()).collect(),
        fix: None,
        affected: Vec::new(),
    }
}

fn directives(source: &Source) -> Vec<Directive> {
    let text = source.text.as_str();
    if memchr::memmem::find(text.as_bytes(), MARK.as_bytes()).is_none() {
        return Vec::new();
    }
    let python = source.path.extension().is_some_and(|extension| extension == "py" || extension == "pyi");
    let lines = Lines::of(text);
    let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let mut found: Vec<(Directive, bool)> = Vec::new();
    for range in comments(text, if python { Language::Python } else { Language::Cpp }) {
        let Some(inner) = text.get(range.clone()) else { continue };
        let Some(said) = inner.trim_start_matches(['/', '!', ' ', '\t']).strip_prefix(MARK) else { continue };
        let span = Span { start: clip(range.start), end: clip(range.end) };
        let line = lines.region(text, span).start.line;
        let line_start = text.get(..range.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let before = text.get(line_start..range.start).unwrap_or_default();
        let alone = before.trim().trim_start_matches(['/', '*', '#']).is_empty();
        found.push((Directive { span, line, said: parse(said) }, alone));
        if found.len() >= MAX_COMMENTS {
            break;
        }
    }
    // From below, since one that stands alone speaks of what the next one speaks of when that stands alone just below it.
    let mut next: Option<(usize, usize)> = None;
    for (directive, alone) in found.iter_mut().rev() {
        let own = directive.line;
        if *alone {
            directive.line = match next {
                Some((line, target)) if line == own + 1 => target,
                _ => own + 1,
            };
            next = Some((own, directive.line));
        }
    }
    found.into_iter().map(|(directive, _)| directive).collect()
}

fn parse(said: &str) -> Result<Vec<Code>, String> {
    const EXAMPLE: &str = "write `razorgirl: allow(RG002) the reason`";
    let said = said.trim();
    let Some(rest) = said.strip_prefix("allow") else {
        return Err(format!("this comment says nothing that is known; {EXAMPLE}"));
    };
    let list = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let Some((words, reason)) = list else { return Err(format!("no rules stand in parentheses; {EXAMPLE}")) };
    let mut codes = Vec::new();
    for word in words.split(',').map(str::trim) {
        match Code::of(word) {
            Some(code) if !codes.contains(&code) => codes.push(code),
            Some(_) => {}
            None => {
                let hint = nearest_rule(word).map_or_else(String::new, |rule| format!("; {rule} is like it"));
                return Err(format!("there is no rule `{word}`, so this comment allows nothing{hint}"));
            }
        }
    }
    if reason.trim().trim_start_matches([':', '-', '–', '—']).trim().is_empty() {
        return Err(format!("no reason is given, so this comment allows nothing; {EXAMPLE}"));
    }
    Ok(codes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_reason_are_both_needed() {
        assert_eq!(parse(" allow(RG002) why").unwrap(), [Code::Overlap]);
        assert_eq!(parse("allow (rg002, uneven-mma-operand,RG002): why").unwrap(), [Code::Overlap, Code::Uneven]);
        for (text, word) in [
            ("allow(RG002)", "no reason"),
            ("allow(RG002) :", "no reason"),
            ("allow(RG02) why", "RG002 is like it"),
            ("allow() why", "no rule"),
            ("allow RG002 why", "parentheses"),
            ("deny(RG002) why", "nothing that is known"),
        ] {
            assert!(parse(text).unwrap_err().contains(word), "{text}");
        }
    }

    #[test]
    fn a_comment_speaks_of_its_line_or_the_next() {
        let text = "x; // razorgirl: allow(RG001) a\n  // razorgirl: allow(RG002) b\n/* razorgirl: allow(RG003) c */\ny;\n\"// razorgirl: allow(RG001) no\"";
        let lines: Vec<usize> =
            directives(&Source::new("a.hpp", text.into())).into_iter().map(|directive| directive.line).collect();
        assert_eq!(lines, [1, 4, 4]);
        let python = directives(&Source::new("a.py", b"# razorgirl: allow(RG002) b\nx = 1  # no".to_vec()));
        assert_eq!((python.len(), python[0].line), (1, 2));
    }
}
