//! The parts of the language server protocol that are spoken here, as types. Fields that are not looked at are not named: whatever
//! else a client sends is no reason to refuse it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A place in a document: a line, and units of the negotiated encoding before it on that line, both from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// Units before it.
    pub character: u32,
}

/// A piece of a document; the end is exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Range {
    /// First unit.
    pub start: Position,
    /// One past the last.
    pub end: Position,
}

/// A document by name.
#[derive(Debug, Deserialize)]
pub struct Identifier {
    /// Its URI.
    pub uri: String,
}

/// `textDocument/didOpen`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DidOpen {
    /// The document.
    pub text_document: TextDocumentItem,
}

/// A document with its text.
#[derive(Debug, Deserialize)]
pub struct TextDocumentItem {
    /// Its URI.
    pub uri: String,
    /// Its version.
    pub version: i64,
    /// All of it.
    pub text: String,
}

/// `textDocument/didChange`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DidChange {
    /// The document, with its version after the changes.
    pub text_document: Versioned,
    /// One after the other.
    pub content_changes: Vec<Change>,
}

/// A document at a version.
#[derive(Debug, Deserialize)]
pub struct Versioned {
    /// Its URI.
    pub uri: String,
    /// Its version.
    pub version: i64,
}

/// A change of a text.
#[derive(Debug, Deserialize)]
pub struct Change {
    /// What is replaced: all where nothing is said.
    pub range: Option<Range>,
    /// By what.
    pub text: String,
}

/// `textDocument/didSave`, `textDocument/didClose`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfDocument {
    /// The document.
    pub text_document: Identifier,
}

/// `textDocument/hover`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AtPosition {
    /// The document.
    pub text_document: Identifier,
    /// Where in it.
    pub position: Position,
}

/// `textDocument/codeAction`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfRange {
    /// The document.
    pub text_document: Identifier,
    /// What is selected.
    pub range: Range,
    /// What is wanted.
    pub context: Context,
}

/// What actions are wanted.
#[derive(Debug, Default, Deserialize)]
pub struct Context {
    /// Kinds, of which sub-kinds are wanted too; all where nothing is said.
    pub only: Option<Vec<String>>,
}

/// `workspace/didChangeWorkspaceFolders`.
#[derive(Debug, Deserialize)]
pub struct DidChangeFolders {
    /// The change.
    pub event: Folders,
}

/// A change of folders.
#[derive(Debug, Deserialize)]
pub struct Folders {
    /// New ones.
    pub added: Vec<Identifier>,
    /// Old ones.
    pub removed: Vec<Identifier>,
}

/// `$/cancelRequest`.
#[derive(Debug, Deserialize)]
pub struct Cancel {
    /// The id of the request.
    pub id: Value,
}

/// A piece of some document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Location {
    /// The document.
    pub uri: String,
    /// Where in it.
    pub range: Range,
}

/// Something that belongs to a diagnostic and is elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Related {
    /// Where.
    pub location: Location,
    /// What.
    pub message: String,
}

/// A finding as an editor shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// Where.
    pub range: Range,
    /// 1 an error, 2 a warning, 3 a note.
    pub severity: u8,
    /// The rule; none where it is no finding of a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// Who says it.
    pub source: &'static str,
    /// What it is.
    pub message: String,
    /// Places that belong to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_information: Vec<Related>,
}

/// A replacement of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextEdit {
    /// What is replaced.
    pub range: Range,
    /// By what.
    pub new_text: String,
}
