//! Each rule page has the same headings, a wrong example with a finding of the rule, and a right example without a finding.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

/// The code below the first line that begins with one of the words, as a file.
fn example(page: &str, words: [&str; 2]) -> Option<(&'static str, String)> {
    let (_, rest) = words.iter().find_map(|word| page.split_once(&format!("\n{word}")))?;
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
    // comments are read by the policy, which is not applied here
    for code in Code::ALL.into_iter().filter(|code| *code != Code::Directive) {
        let examples = (example(code.page(), ["Wrong", "Reported"]), example(code.page(), ["Right", "Not reported"]));
        let (Some(wrong), Some(right)) = examples else { panic!("{}: no examples", code.id()) };
        let found = codes(&wrong);
        assert!(found.contains(&code), "{}: {found:?} in\n{}", code.id(), wrong.1);
        let found = codes(&right);
        assert!(found.is_empty(), "{}: {found:?} in\n{}", code.id(), right.1);
    }
}

const HEADINGS: [&str; 5] = ["What it checks", "Why it matters", "Example", "Fix", "When it is silent"];

#[test]
fn pages_have_the_same_headings() {
    for code in Code::ALL {
        let headings: Vec<&str> = code.page().lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(headings, HEADINGS, "{}", code.id());
    }
}
