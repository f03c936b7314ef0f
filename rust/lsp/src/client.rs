//! What the client can do, as it says in `initialize`.

use std::path::PathBuf;

use serde_json::Value;

use crate::text::Encoding;
use crate::uri;

/// Its abilities. What is not said, or not said as the protocol has it, it cannot do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an ability of its own, by its name")]
pub struct Client {
    /// What columns count.
    pub encoding: Encoding,
    /// It shows places that belong to a diagnostic.
    pub related: bool,
    /// It shows Markdown in a hover.
    pub markdown: bool,
    /// It takes actions as edits.
    pub actions: bool,
    /// It takes edits that name the version of the document.
    pub versioned: bool,
    /// It can be asked to watch files.
    pub watches: bool,
}

impl Client {
    /// The abilities in the parameters of `initialize`.
    pub fn of(params: &Value) -> Self {
        let at = |path: &str| params.pointer(&format!("/capabilities/{path}"));
        let is = |path: &str| at(path).and_then(Value::as_bool).unwrap_or(false);
        let lists = |path: &str, word: &str| {
            at(path).and_then(Value::as_array).is_some_and(|list| list.iter().any(|one| one.as_str() == Some(word)))
        };
        let bytes = lists("general/positionEncodings", "utf-8");
        Self {
            encoding: if bytes { Encoding::Utf8 } else { Encoding::Utf16 },
            related: is("textDocument/publishDiagnostics/relatedInformation"),
            markdown: lists("textDocument/hover/contentFormat", "markdown"),
            actions: at("textDocument/codeAction/codeActionLiteralSupport").is_some_and(Value::is_object),
            versioned: is("workspace/workspaceEdit/documentChanges"),
            watches: is("workspace/didChangeWatchedFiles/dynamicRegistration"),
        }
    }
}

/// The folders that the client works in: those that it lists, or the one that older clients name.
pub fn folders(params: &Value) -> Vec<PathBuf> {
    if let Some(list) = params.get("workspaceFolders").and_then(Value::as_array) {
        return list.iter().filter_map(|one| uri::path(one.get("uri")?.as_str()?)).collect();
    }
    let old = params.get("rootUri").and_then(Value::as_str).and_then(uri::path);
    let older = || params.get("rootPath").and_then(Value::as_str).map(PathBuf::from).filter(|path| path.is_absolute());
    old.or_else(older).into_iter().collect()
}

#[cfg(all(test, unix))]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn folders_are_found_where_clients_of_any_age_put_them() {
        let two = json!([{ "uri": "file:///a", "name": "a" }, { "uri": "untitled:b" }, 3]);
        for (params, is) in [
            (json!({ "workspaceFolders": two, "rootUri": "file:///r" }), vec!["/a"]),
            (json!({ "workspaceFolders": null, "rootUri": "file:///r", "rootPath": "/p" }), vec!["/r"]),
            (json!({ "rootUri": null, "rootPath": "/p" }), vec!["/p"]),
            (json!({ "rootPath": "p" }), vec![]),
            (json!(null), vec![]),
        ] {
            assert_eq!(folders(&params), is.into_iter().map(PathBuf::from).collect::<Vec<_>>(), "{params}");
        }
    }

    #[test]
    fn what_is_said_in_another_way_is_not_said() {
        let odd = json!({ "capabilities": { "general": { "positionEncodings": "utf-8" }, "textDocument": 3 } });
        assert_eq!(Client::of(&odd), Client::default());
        let encodings = json!({ "capabilities": { "general": { "positionEncodings": ["utf-16", "utf-8"] } } });
        assert_eq!(Client::of(&encodings).encoding, Encoding::Utf8);
    }
}
