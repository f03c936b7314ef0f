//! A folder that the client works in, or a single file outside of all: what `razorgirl audit` says of it.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use razorgirl_audit::finding::{Finding, Severity};
use razorgirl_audit::policy::{self, Config, Mistake};
use razorgirl_audit::report::{Report, advice};
use razorgirl_audit::source::{Sources, real};
use razorgirl_audit::{Cache, audit_again};

use crate::document::{Document, Named, Pages, Workspace};
use crate::protocol::{Diagnostic, Location, Position, Range, Related};
use crate::text::Encoding;
use crate::uri;

/// Classes with a defect from elsewhere that are listed with it.
const MAX_AFFECTED: usize = 24;

/// Where a file as a whole is spoken of.
const TOP: Range = Range { start: Position { line: 0, character: 0 }, end: Position { line: 0, character: 0 } };

/// The name under which diagnostics are published.
const SOURCE: &str = "razorgirl";

/// Diagnostics by the URI of the document.
pub type Diagnostics = BTreeMap<String, Vec<Diagnostic>>;

/// A project, with what was found in it last.
#[derive(Debug)]
pub struct Project {
    /// The folder or file, as the client names it.
    path: PathBuf,
    /// Its one name.
    real: PathBuf,
    single: bool,
    /// What parsing gave.
    pub(crate) cache: Cache,
    /// What was found.
    pub(crate) report: Report,
    mistake: Option<Mistake>,
    /// Whether the fix of a finding holds, by the index of the finding.
    pub(crate) tried: HashMap<usize, bool>,
}

impl Named for Project {
    /// The path by which the client knows the folder, not the one to which its links lead.
    fn shown(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.real).map_or_else(|_| path.to_path_buf(), |below| self.path.join(below))
    }
}

impl Project {
    /// A folder, or a single file.
    pub fn new(path: &Path, single: bool) -> Self {
        Self {
            path: path.to_path_buf(),
            real: real(path),
            single,
            cache: Cache::new(),
            report: Report::default(),
            mistake: None,
            tried: HashMap::new(),
        }
    }

    /// How deep it lies: the innermost of two that both have a file speaks for it.
    pub fn depth(&self) -> usize {
        self.real.components().count()
    }

    /// Audits it.
    pub fn audit(&mut self, workspace: &Workspace) {
        self.tried.clear();
        // What was found before is let go first: two reports need not fit.
        self.report = Report::default();
        match self.settings() {
            Ok((paths, config)) => {
                self.mistake = None;
                let sources = Sources::select_over(&paths, &config.selection, &workspace.overlay());
                self.report = audit_again(sources, &self.cache);
                policy::apply(&mut self.report, &config, None);
            }
            Err(mistake) => self.mistake = Some(mistake),
        }
    }

    /// What is audited, and how: in a folder what `razorgirl audit` does there, so that `paths` of `razorgirl.toml` count.
    fn settings(&self) -> Result<(Vec<PathBuf>, Config), Mistake> {
        let config = Config::find(&self.real)?.map(|file| Config::read(&file)).transpose()?.unwrap_or_default();
        let named = self.single || config.paths.is_empty();
        Ok((if named { vec![self.path.clone()] } else { config.paths.clone() }, config))
    }

    /// The index of a document among the files.
    pub fn file_of(&self, document: &Document) -> Option<usize> {
        let path = document.path.as_ref()?;
        let files = self.report.sources.files.iter();
        files.clone().position(|file| file.path == *path).or_else(|| {
            // By another name of its folder; its own is the same, or it is a link.
            let mut like = files.enumerate().filter(|(_, file)| {
                file.path.file_name() == path.file_name() || file.path.symlink_metadata().is_ok_and(|m| m.is_symlink())
            });
            like.find(|(_, file)| real(&file.path) == *path).map(|(index, _)| index)
        })
    }

    /// Every file that was audited, by the name under which it is shown.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.report.sources.files.iter().map(|file| self.shown(&file.path))
    }

    /// What an editor should show, but for files of which another project speaks.
    pub fn diagnostics(&self, workspace: &Workspace, foreign: &dyn Fn(&Path) -> bool, found: &mut Diagnostics) {
        if let Some(mistake) = &self.mistake {
            let shown = self.shown(&mistake.path);
            let diagnostic = Diagnostic {
                range: place(mistake, workspace.client.encoding),
                severity: 1,
                code: None,
                source: SOURCE,
                message: format!("{}\nhelp: {}\nnothing is audited until then", mistake.reason, mistake.fix),
                related_information: Vec::new(),
            };
            add(
                found,
                workspace.of_file(&mistake.path).map_or_else(|| uri::of(&shown), |open| open.uri.clone()),
                diagnostic,
            );
        }
        let mut pages = Pages::new(&self.report, workspace, self);
        for finding in &self.report.findings {
            let file = self.report.sources.files.get(finding.place.file);
            if file.is_some_and(|file| foreign(&self.shown(&file.path))) {
                continue;
            }
            if let Some((uri, diagnostic)) = diagnostic(&self.report, finding, &mut pages, workspace.client.related) {
                add(found, uri, diagnostic);
            }
        }
        for one in self.report.not_read() {
            let shown = self.shown(&one.path);
            if foreign(&shown) {
                continue;
            }
            // Nothing found is not nothing there.
            let diagnostic = Diagnostic {
                range: TOP,
                severity: 2,
                code: None,
                source: SOURCE,
                message: format!("not audited: {}", one.why),
                related_information: Vec::new(),
            };
            add(
                found,
                workspace.of_file(&one.path).map_or_else(|| uri::of(&shown), |open| open.uri.clone()),
                diagnostic,
            );
        }
    }
}

fn add(found: &mut Diagnostics, uri: String, diagnostic: Diagnostic) {
    let all = found.entry(uri).or_default();
    // Two projects may say the same of what both read.
    if !all.contains(&diagnostic) {
        all.push(diagnostic);
    }
}

/// Where a mistake in a configuration lies.
fn place(mistake: &Mistake, encoding: Encoding) -> Range {
    let Some((line, column)) = mistake.at else { return TOP };
    let text = std::fs::read_to_string(&mistake.path).unwrap_or_default();
    let before: String =
        text.lines().nth(line.saturating_sub(1)).unwrap_or_default().chars().take(column - 1).collect();
    let units = if encoding == Encoding::Utf8 { before.len() } else { before.encode_utf16().count() };
    let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let start = Position { line: clip(line.saturating_sub(1)), character: clip(units) };
    Range { start, end: start }
}

/// A finding, and the document that it is in.
pub fn diagnostic(
    report: &Report,
    finding: &Finding,
    pages: &mut Pages<'_>,
    related: bool,
) -> Option<(String, Diagnostic)> {
    let page = pages.page(finding.place.file)?;
    let (uri, range) = (page.uri.clone(), page.range(finding.place.span));
    let mut lines = vec![finding.title.clone()];
    lines.extend(finding.notes.iter().cloned());
    lines.extend(finding.fix.as_ref().map(|fix| format!("fix: {}", advice(fix))));
    let mut related_information = Vec::new();
    if related {
        let labels = finding.labels.iter().map(|label| (label.place, label.text.clone()));
        let affected = finding.affected.iter().take(MAX_AFFECTED);
        let affected = affected.map(|one| (one.place, format!("{} has it from here", one.name)));
        for (place, message) in labels.chain(affected) {
            if let Some(page) = pages.page(place.file) {
                let location = Location { uri: page.uri.clone(), range: page.range(place.span) };
                related_information.push(Related { location, message });
            }
        }
    }
    let severity = match report.severity(finding.code) {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Note => 3,
    };
    let code = Some(finding.code.id());
    Some((uri, Diagnostic { range, severity, code, source: SOURCE, message: lines.join("\n"), related_information }))
}
