//! The pages of the rules have a wrong example, which the rule finds, and a right one, of which nothing is said; those before RG007 show
//! parts of a trait, which `fragments.rs` has whole.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

/// The code that follows a word at the beginning of a line, as a file.
fn example(page: &str, word: &str) -> Option<(&'static str, String)> {
    let (_, rest) = page.split_once(&format!("\n{word}"))?;
    let (_, rest) = rest.split_once("```")?;
    let (language, rest) = rest.split_once('\n')?;
    let text = rest.split_once("```")?.0;
    match language {
        "cpp" => Some(("page.cu", text.to_owned())),
        "python" => {
            let names = "import cutlass.cute as cute\nfrom triton.experimental.gluon import language as gl\n";
            Some(("page.py", format!("{names}{text}")))
        }
        _ => None,
    }
}

fn codes((name, text): &(&str, String)) -> Vec<Code> {
    let sources = Sources { files: vec![Source::new(*name, text.clone().into_bytes())], unreadable: vec![] };
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
        assert!(found.contains(&code), "{}: {found:?} in\n{}", code.id(), wrong.1);
        let found = codes(&right);
        assert!(found.is_empty(), "{}: {found:?} in\n{}", code.id(), right.1);
        seen += 1;
    }
    assert!(seen > 15, "{seen}");
}
