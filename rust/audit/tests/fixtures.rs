//! The fixture trees: every kind of defect, and everything that only looks like one.

use std::path::PathBuf;

use razorgirl_audit::report::{Export, Json, Sarif, Text};
use razorgirl_audit::source::{Source, Sources};
use razorgirl_audit::{Report, audit_sources};

/// A fixture tree with paths as they would be printed from inside of `fixtures`.
fn audit(tree: &str) -> Report {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut sources = Sources::read(&[root.join(tree)]);
    assert!(sources.unreadable.is_empty());
    for file in &mut sources.files {
        file.path = file.path.strip_prefix(&root).unwrap().to_path_buf();
    }
    audit_sources(sources, None)
}

fn export(report: &Report, format: &dyn Export) -> String {
    let mut out = Vec::new();
    format.write(report, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn defects_as_text() {
    insta::assert_snapshot!(export(&audit("defects"), &Text { remarks: true, ..Text::default() }));
}

#[test]
fn defects_as_json() {
    insta::assert_snapshot!(export(&audit("defects"), &Json::default()));
}

#[test]
fn defects_as_sarif() {
    let text = export(&audit("defects"), &Sarif::default()).replace(env!("CARGO_PKG_VERSION"), "[version]");
    insta::assert_snapshot!(text);
}

#[test]
fn sound_sources_are_left_alone() {
    let report = audit("sound");
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
    insta::assert_snapshot!(export(&report, &Text { remarks: true, ..Text::default() }));
}

#[test]
fn summary_only() {
    insta::assert_snapshot!(export(&audit("defects"), &Text { summary: true, ..Text::default() }));
    let json: serde_json::Value =
        serde_json::from_str(&export(&audit("defects"), &Json { summary: true, ..Json::default() })).unwrap();
    assert!(json.get("findings").is_none());
    assert_eq!(json["counts"]["RG003"], 3);
}

/// The text and JSON count the same calls of layout algebra.
#[test]
fn calls_of_layout_algebra_are_counted() {
    let text = "using A = decltype(logical_divide(Layout<_8>{}, Int<2>{})); using B = decltype(zipped_divide(other, Int<2>{}));
        auto copy = make_cotiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<_8>{}, Layout<_8>{});";
    let sources = Sources { files: vec![Source::new("a.cu", text.into())], unreadable: vec![] };
    let report = audit_sources(sources, None);
    let json: serde_json::Value = serde_json::from_str(&export(&report, &Json::default())).unwrap();
    let counted = |family: &str| ["found", "resolved"].map(|count| json["algebra"][family][count].as_u64());
    assert_eq!(counted("divide"), [Some(2), Some(1)]);
    assert_eq!(counted("tiled_copy"), [Some(1), Some(1)]);
    assert_eq!(counted("tma"), [None, None]);
    let text = export(&report, &Text { summary: true, ..Text::default() });
    assert!(text.contains("2  calls of *_divide, of 1 the layouts are known"), "{text}");
    assert!(text.contains("1  calls of make_tiled_copy*, of 1 the layouts are known"), "{text}");
}

#[test]
fn every_run_says_the_same() {
    let first = export(&audit("defects"), &Json::default());
    for _ in 0..4 {
        assert_eq!(export(&audit("defects"), &Json::default()), first);
    }
}

/// What a SARIF consumer relies on.
#[test]
fn sarif_has_the_shape_of_the_schema() {
    let report = audit("defects");
    let log: serde_json::Value = serde_json::from_str(&export(&report, &Sarif::default())).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), report.findings.len());
    let region_is_sound = |region: &serde_json::Value| {
        let at = |name: &str| region[name].as_u64().unwrap();
        assert!(at("startLine") >= 1 && at("startColumn") >= 1);
        assert!((at("startLine"), at("startColumn")) <= (at("endLine"), at("endColumn")));
    };
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(result["message"]["text"].as_str().unwrap().len() > 20);
        for location in
            result["locations"].as_array().unwrap().iter().chain(result["relatedLocations"].as_array().unwrap())
        {
            let physical = &location["physicalLocation"];
            assert!(physical["artifactLocation"]["uri"].as_str().unwrap().starts_with("defects/"));
            region_is_sound(&physical["region"]);
        }
        for fix in result["fixes"].as_array().into_iter().flatten() {
            for change in fix["artifactChanges"].as_array().unwrap() {
                for replacement in change["replacements"].as_array().unwrap() {
                    region_is_sound(&replacement["deletedRegion"]);
                    assert!(replacement["insertedContent"]["text"].is_string());
                }
            }
        }
    }
}

/// A fix is a promise: applied to the text, it makes the finding go away and brings no other.
#[test]
fn fixes_hold() {
    let report = audit("defects");
    let mut files = report.sources.files.clone();
    let mut edits: Vec<_> =
        report.findings.iter().filter_map(|finding| finding.fix.as_ref()).flat_map(|fix| &fix.edits).collect();
    assert!(edits.len() >= 4);
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.place));
    for edit in edits {
        let file = &mut files[edit.place.file];
        let mut text = file.text.clone();
        text.replace_range(edit.place.span.range(), &edit.text);
        *file = Source::new(file.path.clone(), text.into_bytes());
    }
    let left = audit_sources(Sources { files, unreadable: Vec::new() }, None).findings;
    let left: Vec<&str> = left.iter().map(|finding| finding.title.as_str()).collect();
    // Where several changes would do, none is made.
    let unfixed = report.findings.iter().filter(|finding| finding.fix.as_ref().is_none_or(|fix| fix.edits.is_empty()));
    let unfixed: Vec<&str> = unfixed.map(|finding| finding.title.as_str()).collect();
    assert_eq!(left, unfixed);
}

/// `JSON.md` names every field that is written.
#[test]
fn the_json_format_is_documented() {
    fn fields(value: &serde_json::Value, names: &mut std::collections::BTreeSet<String>) {
        match value {
            serde_json::Value::Object(object) => {
                for (name, value) in object {
                    names.insert(name.clone());
                    fields(value, names);
                }
            }
            serde_json::Value::Array(items) => items.iter().for_each(|item| fields(item, names)),
            _ => {}
        }
    }
    let mut names = std::collections::BTreeSet::new();
    for tree in ["defects", "sound"] {
        fields(&serde_json::from_str(&export(&audit(tree), &Json::default())).unwrap(), &mut names);
    }
    let text = include_str!("../JSON.md");
    let missing: Vec<&String> = names.iter().filter(|name| !text.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Whatever is checked of a fix, it is said that the instruction is not; and two alternatives never read the same.
#[test]
fn fixes_promise_no_more_than_was_checked() {
    let report = audit("defects");
    let mut several = 0;
    for finding in &report.findings {
        let Some(fix) = &finding.fix else { continue };
        if finding.tile.is_some() {
            assert!(fix.checked.contains("not compared with the instruction's fragment map"), "{}", fix.checked);
        }
        let mut all: Vec<&str> = fix.alternatives.iter().map(String::as_str).chain([fix.change.as_str()]).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), fix.alternatives.len() + 1, "{fix:?}");
        if !fix.alternatives.is_empty() {
            assert!(fix.edits.is_empty(), "{fix:?}");
            several += 1;
        }
    }
    assert!(several > 0);
    let text = export(&report, &Text::default());
    assert!(text.contains("which does not choose between them"));
    assert!(!text.contains("should be") && !text.contains("as right"));
}

#[test]
fn overlaps_in_copy_atoms_are_found() {
    let report = audit("defects");
    let subjects: Vec<&str> = report.findings.iter().filter_map(|finding| finding.subject.as_deref()).collect();
    assert!(subjects.contains(&"DstLayout of Copy_Traits<Toy_LOAD_8x16>"), "{subjects:?}");
}

#[test]
fn sarif_has_remarks_when_they_are_wanted() {
    let report = audit("sound");
    let results = |remarks: bool| {
        let log: serde_json::Value = serde_json::from_str(&export(&report, &Sarif { remarks })).unwrap();
        log["runs"][0]["results"].as_array().unwrap().clone()
    };
    assert!(results(false).is_empty());
    let results = results(true);
    assert_eq!(results.len(), report.remarks.len());
    assert_eq!((results[0]["kind"].as_str(), results[0]["level"].as_str()), (Some("informational"), Some("none")));
}
