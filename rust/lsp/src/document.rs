//! What is open in the editor, and where in it the places of a report are.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use razorgirl_audit::ast::Span;
use razorgirl_audit::report::Report;
use razorgirl_audit::source::{Overlay, real};

use crate::client::Client;
use crate::protocol::Range;
use crate::text::Text;
use crate::uri;

/// An open document.
#[derive(Debug, Clone)]
pub struct Document {
    /// Its URI, as the client spells it.
    pub uri: String,
    /// The one name of its file; nothing for what is no file.
    pub path: Option<PathBuf>,
    /// Its version, as the client counts.
    pub version: i64,
    /// When it changed last, as the server counts.
    pub revision: u64,
    /// What it says.
    pub text: Arc<str>,
}

/// What is open, and for whom one looks at it.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    /// The documents.
    pub documents: Vec<Document>,
    /// The client.
    pub client: Client,
}

impl Workspace {
    /// The texts that stand in place of files.
    pub fn overlay(&self) -> Overlay {
        let mut overlay = Overlay::default();
        for document in &self.documents {
            if let Some(path) = &document.path {
                overlay.insert(path, Arc::clone(&document.text));
            }
        }
        overlay
    }

    /// The document of a URI.
    pub fn named(&self, uri: &str) -> Option<&Document> {
        self.documents.iter().find(|document| document.uri == uri)
    }

    /// The document of a file.
    pub fn of_file(&self, path: &Path) -> Option<&Document> {
        if self.documents.is_empty() {
            return None;
        }
        let path = real(path);
        self.documents.iter().find(|document| document.path.as_ref() == Some(&path))
    }
}

/// A file of a report as the client knows it.
#[derive(Debug)]
pub struct Page<'p> {
    /// Its URI.
    pub uri: String,
    /// Its version, if it is open.
    pub version: Option<i64>,
    /// Whether it says, byte for byte, what was audited.
    pub exact: bool,
    text: Text<'p>,
    /// Bytes before it that the client does not count.
    skipped: usize,
}

impl Page<'_> {
    /// Where a span of the file lies.
    pub fn range(&self, span: Span) -> Range {
        let bytes = span.range();
        self.text.range(bytes.start.saturating_sub(self.skipped)..bytes.end.saturating_sub(self.skipped))
    }
}

/// The files of a report that were looked at.
#[derive(Debug)]
pub struct Pages<'p> {
    report: &'p Report,
    workspace: &'p Workspace,
    shown: &'p dyn Named,
    seen: HashMap<usize, Page<'p>>,
}

/// The name under which a file is shown.
pub trait Named: std::fmt::Debug {
    /// Its path.
    fn shown(&self, path: &Path) -> PathBuf;
}

impl<'p> Pages<'p> {
    /// The files of a report.
    pub fn new(report: &'p Report, workspace: &'p Workspace, shown: &'p dyn Named) -> Self {
        Self { report, workspace, shown, seen: HashMap::new() }
    }

    /// A file by its index.
    pub fn page(&mut self, file: usize) -> Option<&Page<'p>> {
        let source = self.report.sources.files.get(file)?;
        Some(self.seen.entry(file).or_insert_with(|| {
            let encoding = self.workspace.client.encoding;
            if let Some(open) = self.workspace.of_file(&source.path) {
                return Page {
                    uri: open.uri.clone(),
                    version: Some(open.version),
                    exact: *open.text == *source.text,
                    text: Text::new(&open.text, encoding),
                    skipped: 0,
                };
            }
            // An editor takes the mark of the encoding off.
            let text = source.text.strip_prefix('\u{feff}').unwrap_or(&source.text);
            Page {
                uri: uri::of(&self.shown.shown(&source.path)),
                version: None,
                exact: true,
                text: Text::new(text, encoding),
                skipped: source.text.len() - text.len(),
            }
        }))
    }
}
