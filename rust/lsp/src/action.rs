//! Fixes as actions: only those that were checked, each tried once more on the whole project before it is offered.

use std::collections::BTreeMap;

use razorgirl_audit::finding::Finding;
use razorgirl_audit::fix::plan_one;
use serde_json::{Value, json};

use crate::document::{Document, Pages, Workspace};
use crate::project::{Project, diagnostic};
use crate::protocol::{Range, TextEdit};

/// The kind of all of them.
pub const KIND: &str = "quickfix";

/// Fixes that are tried for one request.
const MAX_TRIED: usize = 32;

/// Whether a client that wants these kinds wants quick fixes.
pub fn wanted(only: Option<&[String]>) -> bool {
    only.is_none_or(|kinds| kinds.iter().any(|kind| kind.is_empty() || kind == KIND))
}

/// The fixes of the findings that a range of a document touches.
pub fn actions(project: &mut Project, workspace: &Workspace, document: &Document, range: Range) -> Vec<Value> {
    let Some(file) = project.file_of(document) else { return Vec::new() };
    let near = {
        let mut pages = Pages::new(&project.report, workspace, project);
        let Some(page) = pages.page(file) else { return Vec::new() };
        let touches = |finding: &Finding| {
            let place = page.range(finding.place.span);
            finding.place.file == file && place.start <= range.end && range.start <= place.end
        };
        let findings = project.report.findings.iter().enumerate();
        let near = findings.filter(|(_, finding)| finding.offered().is_some() && touches(finding));
        near.map(|(index, _)| index).take(MAX_TRIED).collect::<Vec<usize>>()
    };
    let mut offered = Vec::new();
    for index in near {
        let Some(finding) = project.report.findings.get(index) else { continue };
        let holds = match project.tried.get(&index) {
            Some(holds) => *holds,
            None => plan_one(&project.report, finding, &project.cache).is_some(),
        };
        if holds {
            offered.extend(action(project, workspace, finding));
        }
        project.tried.insert(index, holds);
    }
    offered
}

fn action(project: &Project, workspace: &Workspace, finding: &Finding) -> Option<Value> {
    let fix = finding.offered()?;
    let mut pages = Pages::new(&project.report, workspace, project);
    let (_, diagnostic) = diagnostic(&project.report, finding, &mut pages, workspace.client.related)?;
    let mut changes: BTreeMap<String, (Option<i64>, Vec<TextEdit>)> = BTreeMap::new();
    for edit in &fix.edits {
        let page = pages.page(edit.place.file)?;
        if !page.exact {
            return None;
        }
        let text_edit = TextEdit { range: page.range(edit.place.span), new_text: edit.text.clone() };
        changes.entry(page.uri.clone()).or_insert_with(|| (page.version, Vec::new())).1.push(text_edit);
    }
    let edit = if workspace.client.versioned {
        let documents: Vec<Value> = changes
            .into_iter()
            .map(
                |(uri, (version, edits))| json!({ "textDocument": { "uri": uri, "version": version }, "edits": edits }),
            )
            .collect();
        json!({ "documentChanges": documents })
    } else {
        let plain: BTreeMap<String, Vec<TextEdit>> =
            changes.into_iter().map(|(uri, (_, edits))| (uri, edits)).collect();
        json!({ "changes": plain })
    };
    Some(json!({
        "title": format!("{} ({})", fix.change, finding.code.id()),
        "kind": KIND,
        "diagnostics": [diagnostic],
        // That it is the one that was meant is known of few.
        "isPreferred": fix.exact,
        "edit": edit,
    }))
}
