//! The pages of the rules have a wrong example, which the rule finds, and a right one, of which nothing is said; those before RG007 show
//! parts of a trait, which `fragments.rs` has whole.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

/// The C++ that follows a word at the beginning of a line.
fn example(page: &str, word: &str) -> Option<String> {
    let (_, rest) = page.split_once(&format!("\n{word}"))?;
    let (_, rest) = rest.split_once("```cpp\n")?;
    Some(rest.split_once("```")?.0.to_owned())
}

fn codes(text: &str) -> Vec<Code> {
    let sources = Sources { files: vec![Source::new("page.cu", text.into())], unreadable: vec![] };
    audit_sources(sources, None).findings.into_iter().map(|finding| finding.code).collect()
}

#[test]
fn examples_are_what_they_say() {
    let mut seen = 0;
    for code in Code::ALL.into_iter().filter(|code| code.id() >= "RG007" && *code != Code::Directive) {
        let (Some(wrong), Some(right)) = (example(code.page(), "Wrong"), example(code.page(), "Right")) else {
            panic!("{}: no examples", code.id())
        };
        let found = codes(&wrong);
        assert!(found.contains(&code), "{}: {found:?} in\n{wrong}", code.id());
        let found = codes(&right);
        assert!(found.is_empty(), "{}: {found:?} in\n{right}", code.id());
        seen += 1;
    }
    assert!(seen > 7, "{seen}");
}
