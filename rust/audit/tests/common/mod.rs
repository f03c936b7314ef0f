//! Layouts of texts, each with the values that it holds for, and what is found in a kernel.
#![allow(dead_code)]

use razorgirl_audit::ast::Unit;
use razorgirl_audit::audit_sources;
use razorgirl_audit::eval::{Constant, Program, Reason};
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};
use razorgirl_audit::survey::{Case, Survey};
use razorgirl_audit::syntax::Reader;

/// What a layout is for which values (tried values with a question mark), or why it is not known.
pub type Found = Result<Vec<String>, Reason>;

/// Each layout of some files.
pub fn layouts(files: &[(&str, &str)]) -> Vec<Found> {
    let sources: Vec<Source> = files.iter().map(|(path, text)| Source::new(*path, text.as_bytes().to_vec())).collect();
    let mut reader = Reader::default();
    // Every statement with template arguments is read.
    let marks = |source: &Source| -> Vec<u32> {
        source.text.match_indices(['<', '(']).map(|(at, _)| u32::try_from(at - 1).unwrap()).collect()
    };
    let units: Vec<Unit> =
        sources.iter().enumerate().map(|(index, source)| reader.read_marked(index, source, &marks(source))).collect();
    let program = Program::new(&sources, &units);
    let mut survey = Survey::of(&program);
    survey.instantiate(&program);
    let text = |layout: &Constant| format!("{}:{}", layout.shape.tuple, layout.stride.tuple);
    let case = |case: &Case| {
        let doubt = if case.tried { "?" } else { "" };
        format!("{}{doubt} {}", case.holds, text(&case.layout)).trim_start().to_owned()
    };
    let shown = survey.layouts.iter().map(|found| {
        let layout = found.layout.as_ref().map_err(|why| why.reason)?;
        Ok(if found.cases.is_empty() { vec![text(layout)] } else { found.cases.iter().map(case).collect() })
    });
    shown.collect()
}

/// The last layout of a text.
pub fn texts(text: &str) -> Found {
    layouts(&[("a.hpp", text)]).pop().unwrap()
}

/// Asserts what the last layout of a text is.
pub fn is(text: &str, cases: &[&str]) {
    assert_eq!(texts(text), Ok(cases.iter().map(|case| (*case).to_owned()).collect()), "{text}");
}

/// The rules that say something of a file that uses CuTe, each once.
pub fn codes(text: &str) -> Vec<Code> {
    let text = format!("#include <cute/tensor.hpp>\nusing namespace cute;\n{text}");
    let sources = Sources { files: vec![Source::new("kernel.cu", text.into())], unreadable: vec![] };
    let mut codes: Vec<Code> = audit_sources(sources, None).findings.into_iter().map(|finding| finding.code).collect();
    codes.dedup();
    codes
}

/// The rules that say something of some files of Python, in the order of the text.
pub fn python_files(files: &[(&str, String)]) -> Vec<Code> {
    let files = files.iter().map(|(path, text)| Source::new(*path, text.clone().into_bytes())).collect();
    let report = audit_sources(Sources { files, unreadable: vec![] }, None);
    assert_eq!(report.syntax_errors, 0);
    report.findings.into_iter().map(|finding| finding.code).collect()
}

/// The same of one file, of a head and a text.
pub fn python(head: &str, text: &str) -> Vec<Code> {
    python_files(&[("main.py", format!("{head}{text}"))])
}

/// Asserts that nothing is said of a file of Python, of a head and a text.
pub fn silent(head: &str, text: &str) {
    assert_eq!(python(head, text), [], "{text}");
}

/// Asserts that one rule says something of it, once.
pub fn found(head: &str, text: &str, code: Code) {
    assert_eq!(python(head, text), [code], "{text}");
}
