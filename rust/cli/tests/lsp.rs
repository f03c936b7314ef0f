//! `razorgirl lsp` as an editor speaks to it: over standard input and output, every wait bounded.

#![expect(clippy::needless_pass_by_value, reason = "JSON is written where it is sent")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const BAD: &str = "using Bad = Layout<Shape<_8,_4>, Stride<_1,_4>>;\n";
const GOOD: &str = "using Bad = Layout<Shape<_8,_4>, Stride<_1,_8>>;\n";

/// One change alone passes the check.
const BENT: &str = "using Bent = Layout<Shape<_2,_4>, Stride<Stride<_1,_2>>>;\n";

/// Longer than any answer takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// A client, and the server that it started.
struct Editor {
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Messages that came while another one was waited for.
    early: Vec<Value>,
    asked: i64,
    root: tempfile::TempDir,
}

impl Editor {
    /// A server that was told nothing yet, beside some files.
    fn silent(files: &[(&str, &str)]) -> Self {
        let root = tempfile::tempdir().unwrap();
        // No configuration of a folder around it holds.
        fs::create_dir(root.path().join(".git")).unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut server = Command::new(env!("CARGO_BIN_EXE_razorgirl"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = server.stdin.take();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || while read(&mut output).is_some_and(|message| sender.send(message).is_ok()) {});
        Self { server, input, messages, early: Vec::new(), asked: 0, root }
    }

    /// A server that works in the folder of some files.
    fn open(files: &[(&str, &str)]) -> Self {
        Self::with(files, json!({}), &[""])
    }

    /// A server for a client that can more, in some folders.
    fn with(files: &[(&str, &str)], capabilities: Value, folders: &[&str]) -> Self {
        let mut editor = Self::silent(files);
        let folders: Vec<Value> =
            folders.iter().map(|folder| json!({ "uri": editor.uri(folder), "name": "f" })).collect();
        let mut all = json!({
            "textDocument": {
                "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ["quickfix"] } } },
                "hover": { "contentFormat": ["markdown", "plaintext"] },
                "publishDiagnostics": { "relatedInformation": true },
            },
            "workspace": { "workspaceEdit": { "documentChanges": true } },
        });
        all.as_object_mut().unwrap().extend(capabilities.as_object().unwrap().clone());
        let answer =
            editor.ask("initialize", json!({ "processId": null, "capabilities": all, "workspaceFolders": folders }));
        let units = if all["general"].is_null() { "utf-16" } else { "utf-8" };
        assert_eq!(answer["capabilities"]["positionEncoding"], units, "{answer}");
        editor.tell("initialized", json!({}));
        editor
    }

    fn path(&self, name: &str) -> PathBuf {
        if name.is_empty() { self.root.path().to_path_buf() } else { self.root.path().join(name) }
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path(name).display())
    }

    fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The whole answer to a request.
    fn answer(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(|message| message["id"] == id && message["method"].is_null())
    }

    /// The result of a request.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// The number of the error of a request.
    fn refused(&mut self, method: &str, params: Value) -> i64 {
        self.answer(method, params)["error"]["code"].as_i64().unwrap()
    }

    /// The next message such that.
    #[track_caller]
    fn wait(&mut self, mut fits: impl FnMut(&Value) -> bool) -> Value {
        if let Some(at) = self.early.iter().position(&mut fits) {
            return self.early.remove(at);
        }
        let end = Instant::now() + LONG;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(left) {
                Ok(message) if fits(&message) => return message,
                Ok(message) => self.early.push(message),
                Err(error) => panic!("no such message: {error}; {:?}", self.early),
            }
        }
    }

    /// The number of the next error that answers nothing in particular.
    #[track_caller]
    fn complaint(&mut self) -> Value {
        self.wait(|message| message["id"].is_null() && message["error"].is_object())["error"]["code"].clone()
    }

    /// What is published next of a file, for a version where one is given.
    #[track_caller]
    fn published(&mut self, name: &str, version: Option<i64>) -> Vec<Value> {
        let uri = self.uri(name);
        let message = self.wait(|message| {
            let of = message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri.as_str();
            of && version.is_none_or(|version| message["params"]["version"] == version)
        });
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// The rules of what is published next.
    #[track_caller]
    fn rules(&mut self, name: &str, version: Option<i64>) -> Vec<String> {
        self.published(name, version).iter().map(|one| one["code"].as_str().unwrap_or("none").to_owned()).collect()
    }

    fn did_open(&mut self, name: &str, text: &str) {
        let document = json!({ "uri": self.uri(name), "languageId": "cuda", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn did_change(&mut self, name: &str, version: i64, changes: Value) {
        let document = json!({ "uri": self.uri(name), "version": version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    fn hover(&mut self, name: &str, line: u32, character: u32) -> Value {
        let at = json!({ "line": line, "character": character });
        self.ask("textDocument/hover", json!({ "textDocument": { "uri": self.uri(name) }, "position": at }))
    }

    fn actions(&mut self, name: &str, range: &Value) -> Vec<Value> {
        let context = json!({ "diagnostics": [], "only": ["quickfix"] });
        let params = json!({ "textDocument": { "uri": self.uri(name) }, "range": range, "context": context });
        self.ask("textDocument/codeAction", params).as_array().unwrap().clone()
    }

    /// Nothing was said of a file that was not waited for. An answer comes after all that was published before.
    #[track_caller]
    fn silent_about(&mut self, name: &str) {
        self.ask(
            "textDocument/hover",
            json!({ "textDocument": { "uri": "" }, "position": { "line": 0, "character": 0 } }),
        );
        let uri = self.uri(name);
        assert!(self.early.iter().all(|message| message["params"]["uri"] != uri), "{:?}", self.early);
    }

    /// The status with which the server ends.
    fn ended(&mut self) -> i32 {
        let end = Instant::now() + LONG;
        while Instant::now() < end {
            if let Some(status) = self.server.try_wait().unwrap() {
                return status.code().expect("no signal");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the server does not end");
    }

    fn close(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        assert_eq!(self.ended(), 0);
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn read(input: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        input.read_line(&mut line).ok().filter(|read| *read > 0)?;
        match line.trim_end().split_once(": ") {
            Some((_, value)) => length = value.parse().unwrap(),
            None => break,
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap())
}

fn range(from: (u32, u32), to: (u32, u32)) -> Value {
    let at = |(line, character): (u32, u32)| json!({ "line": line, "character": character });
    json!({ "start": at(from), "end": at(to) })
}

/// A text with edits in UTF-16 positions, by the definition: lines that end in `\n`, none of them at once.
fn edited(text: &str, edits: &[Value]) -> String {
    let byte = |position: &Value| {
        let line = usize::try_from(position["line"].as_u64().unwrap()).unwrap();
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let units: Vec<u16> = text[start..].encode_utf16().collect();
        let character = usize::try_from(position["character"].as_u64().unwrap()).unwrap();
        start + String::from_utf16(&units[..character]).unwrap().len()
    };
    let mut after = text.to_owned();
    let mut places: BTreeMap<usize, (usize, &str)> = BTreeMap::new();
    for edit in edits {
        let (start, end) = (byte(&edit["range"]["start"]), byte(&edit["range"]["end"]));
        assert!(places.insert(start, (end, edit["newText"].as_str().unwrap())).is_none());
    }
    for (start, (end, new)) in places.into_iter().rev() {
        after.replace_range(start..end, new);
    }
    after
}

#[test]
fn a_session() {
    let mut editor = Editor::open(&[("a.cu", "int on_disk;\n"), ("b.hpp", BAD)]);
    // What is on the disk is audited without being open.
    assert_eq!(editor.rules("b.hpp", None), ["RG002"]);
    // 12 units, 10 characters, 16 bytes.
    let comment = "/* 𝄞 😀 */ ";
    let text = format!("// first\n{comment}{BENT}");
    editor.did_open("a.cu", &text);
    let found = editor.published("a.cu", Some(1));
    assert_eq!(found.len(), 1, "{found:?}");
    let before = u32::try_from(comment.encode_utf16().count()).unwrap();
    assert_eq!(before, 12);
    let (start, end) = (before + 13, before + 13 + 43);
    assert_eq!(found[0]["range"], range((1, start), (1, end)), "{found:?}");
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&json!("RG001"), &json!(1)));
    assert_eq!(found[0]["source"], "razorgirl");
    assert!(found[0]["message"].as_str().unwrap().contains("fix: "), "{found:?}");
    let related = found[0]["relatedInformation"].as_array().unwrap();
    assert!(!related.is_empty());
    for one in related {
        assert_eq!(one["location"]["uri"], editor.uri("a.cu"));
        assert_eq!(one["location"]["range"]["start"]["line"], 1);
    }
    // A hover begins where the layout does, and not before.
    assert_eq!(editor.hover("a.cu", 1, start - 1), Value::Null);
    let hover = editor.hover("a.cu", 1, start);
    assert_eq!(hover["range"], range((1, start), (1, end)), "{hover}");
    assert!(hover["contents"]["value"].as_str().unwrap().contains("nest differently"), "{hover}");
    // The fix that was checked, for this version, gives a text that is sound.
    assert!(editor.actions("a.cu", &range((0, 0), (0, 3))).is_empty());
    let actions = editor.actions("a.cu", &range((1, end), (1, end)));
    assert_eq!(actions.len(), 1, "{actions:?}");
    assert_eq!((&actions[0]["kind"], &actions[0]["diagnostics"]), (&json!("quickfix"), &json!(found)));
    let changes = actions[0]["edit"]["documentChanges"].as_array().unwrap();
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0]["textDocument"], json!({ "uri": editor.uri("a.cu"), "version": 1 }));
    let fixed = edited(&text, changes[0]["edits"].as_array().unwrap());
    assert_eq!(fixed, text.replace("Stride<Stride<_1,_2>>", "Stride<_1,_2>"));
    editor.did_change("a.cu", 2, json!([{ "text": fixed }]));
    assert!(editor.published("a.cu", Some(2)).is_empty());
    let hover = editor.hover("a.cu", 1, start + 3);
    let said = hover["contents"]["value"].as_str().unwrap();
    assert_eq!(hover["contents"]["kind"], "markdown");
    assert!(said.contains("`(2,4):(1,2)`\n\nsize 8, cosize 8, injective"), "{said}");
    assert!(said.contains("  1 │ 1 3 5 7\n"), "{said}");
    // Closed, the file on the disk counts again.
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": editor.uri("a.cu") } }));
    assert_eq!(editor.hover("a.cu", 1, start + 3), Value::Null);
    assert_eq!(fs::read_to_string(editor.path("a.cu")).unwrap(), "int on_disk;\n");
    editor.close();
}

#[test]
fn changes_of_ranges_in_lines_that_end_as_on_windows() {
    let mut editor = Editor::open(&[]);
    let line = BAD.trim_end();
    let text = format!("/* é𝄞 */ {line}\r\n\r\nint x;\r\n");
    editor.did_open("new.cuh", &text);
    // The file is not there at all.
    let found = editor.published("new.cuh", Some(1));
    assert_eq!(found[0]["range"], range((0, 10 + 12), (0, 10 + 47)), "{found:?}");
    assert_eq!(found[0]["severity"], 2);
    // Two changes at once, the second in the text after the first: a line before it, then `_4` becomes `_8`.
    let at = 10 + 46 - 2;
    let first = json!({ "range": range((0, 0), (0, 0)), "text": "// 😀\r\n" });
    let second = json!({ "range": range((1, at), (1, at + 1)), "text": "8" });
    editor.did_change("new.cuh", 2, json!([first, second]));
    let found = editor.published("new.cuh", Some(2));
    assert!(found.is_empty(), "{found:?}");
    let hover = editor.hover("new.cuh", 1, 30);
    assert!(hover["contents"]["value"].as_str().unwrap().contains("(8,4):(1,8)"), "{hover}");
    // And back, by a range that the client gives the wrong way round; the finding is a line lower.
    editor.did_change("new.cuh", 3, json!([{ "range": range((1, at + 1), (1, at)), "text": "4" }]));
    let found = editor.published("new.cuh", Some(3));
    assert_eq!(found[0]["range"]["start"], json!({ "line": 1, "character": 22 }), "{found:?}");
    // No text at all, and a range beyond it.
    editor.did_change("new.cuh", 4, json!([{ "text": "" }]));
    assert!(editor.published("new.cuh", Some(4)).is_empty());
    editor.did_change("new.cuh", 5, json!([{ "range": range((7, 7), (9, 9)), "text": BAD }]));
    assert_eq!(editor.rules("new.cuh", Some(5)), ["RG002"]);
    editor.close();
}

#[test]
fn columns_count_bytes_where_the_client_offers_it() {
    let encodings = json!({ "general": { "positionEncodings": ["utf-16", "utf-8"] } });
    let mut editor = Editor::with(&[], encodings, &[""]);
    editor.did_open("a.hpp", &format!("/* 𝄞é */ {BAD}"));
    let found = editor.published("a.hpp", Some(1));
    let before = u32::try_from("/* 𝄞é */ using Bad = ".len()).unwrap();
    assert_eq!(found[0]["range"]["start"], json!({ "line": 0, "character": before }), "{found:?}");
    assert!(!editor.hover("a.hpp", 0, before).is_null());
    assert!(editor.hover("a.hpp", 0, before - 1).is_null());
    editor.close();
}

#[test]
fn what_a_name_means_may_stand_in_another_file() {
    let user = "using Named = Layout<Shape<_8,_4>, Stride<_1,lib::Step>>;\n";
    let mut editor =
        Editor::open(&[("user.hpp", user), ("names.hpp", "namespace lib { using Step = _4; }\n"), ("c.hpp", BAD)]);
    assert_eq!(editor.rules("user.hpp", None), ["RG002"]);
    assert_eq!(editor.rules("c.hpp", None), ["RG002"]);
    // The unsaved text of one file clears the findings of another that is not open; a third is not spoken of again.
    editor.did_open("names.hpp", "namespace lib { using Step = _8; }\n");
    assert!(editor.rules("user.hpp", None).is_empty());
    editor.did_change("names.hpp", 2, json!([{ "text": "namespace lib { using Step = _2; }\n" }]));
    assert_eq!(editor.rules("user.hpp", None), ["RG002"]);
    editor.silent_about("c.hpp");
    // The disk counts when it is closed, and when something else changed it.
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": editor.uri("names.hpp") } }));
    fs::write(editor.path("c.hpp"), GOOD).unwrap();
    editor.tell("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": editor.uri("c.hpp"), "type": 2 }] }));
    assert!(editor.rules("c.hpp", None).is_empty());
    editor.close();
}

#[test]
fn each_folder_has_its_configuration() {
    let files = [
        ("one/razorgirl.toml", "paths = ['src']\nvendored = ['src/v']\n[rules]\nRG002 = 'error'\n"),
        ("one/src/a.hpp", BAD),
        ("one/src/v/a.hpp", BAD),
        ("one/elsewhere.hpp", BAD),
        ("two/razorgirl.toml", "[rules]\nRG002 = 'off'\n"),
        ("two/a.hpp", BAD),
        ("two/bent.hpp", BENT),
        ("three.hpp", "int x;\n"),
    ];
    let mut editor = Editor::with(&files, json!({}), &["one", "two"]);
    let found = editor.published("one/src/a.hpp", None);
    assert_eq!(found[0]["severity"], 1, "{found:?}");
    assert_eq!(editor.rules("two/bent.hpp", None), ["RG001"]);
    // A file outside of both is a project of its own, while it is open.
    editor.did_open("three.hpp", BAD);
    assert_eq!(editor.rules("three.hpp", Some(1)), ["RG002"]);
    // What the configuration leaves out is left out when it is open, too.
    for name in ["one/src/v/a.hpp", "one/elsewhere.hpp", "two/a.hpp"] {
        editor.did_open(name, BAD);
        assert!(editor.rules(name, Some(1)).is_empty(), "{name}");
    }
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": editor.uri("three.hpp") } }));
    assert!(editor.rules("three.hpp", None).is_empty());
    // A comment allows a finding, and says when it does not.
    editor.did_open("one/src/a.hpp", &format!("// razorgirl: allow(RG002) a window\n{BAD}"));
    assert!(editor.rules("one/src/a.hpp", Some(1)).is_empty());
    editor.did_change("one/src/a.hpp", 2, json!([{ "text": format!("// razorgirl: allow(RG002)\n{BAD}") }]));
    assert_eq!(editor.rules("one/src/a.hpp", Some(2)), ["RG901", "RG002"]);
    // A folder is closed, another one opened: the innermost speaks for a file of both.
    let event = json!({ "added": [{ "uri": editor.uri(""), "name": "all" }], "removed": [{ "uri": editor.uri("one"), "name": "o" }] });
    editor.tell("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
    assert_eq!(editor.rules("one/elsewhere.hpp", None), ["RG002"]);
    editor.silent_about("two/a.hpp");
    editor.close();
}

#[test]
fn a_mistake_in_the_configuration_is_shown_there() {
    let mut editor = Editor::open(&[("a.hpp", BAD), ("razorgirl.toml", "[rules]\nRG02 = 'off'\n")]);
    let found = editor.published("razorgirl.toml", None);
    assert_eq!(found[0]["range"]["start"], json!({ "line": 1, "character": 0 }));
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.contains("no rule `RG02`") && message.contains("RG002"), "{message}");
    fs::write(editor.path("razorgirl.toml"), "").unwrap();
    editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": editor.uri("razorgirl.toml") } }));
    assert!(editor.published("razorgirl.toml", None).is_empty());
    assert_eq!(editor.rules("a.hpp", None), ["RG002"]);
    editor.close();
}

#[test]
fn no_fix_is_offered_that_was_not_checked() {
    let mut editor = Editor::open(&[]);
    let all = range((0, 0), (9, 0));
    for (version, text, offered) in [
        (1, BENT.to_owned(), 1),
        // Several changes pass the check.
        (2, "using L = Layout<Shape<_2,_2,_2>, Stride<_1,_1,_1>>;\n".to_owned(), 0),
        // The change makes this layout sound and another one wrong.
        (3, "using S = Stride<Stride<_1,_2>>;\nusing A = Layout<Shape<_2,_4>, S>;\nusing B = Layout<Shape<Shape<_2,_4>>, S>;\n".to_owned(), 0),
        (4, "using S = Stride<Stride<_1,_2>>;\nusing A = Layout<Shape<_2,_4>, S>;\n".to_owned(), 1),
        // A template's numbers are computed.
        (5, "template <int k> struct T { using L = Layout<Shape<Int<k>,_4>, Stride<_1,_4>>; };\nusing X = T<8>;\n".to_owned(), 0),
    ] {
        match version {
            1 => editor.did_open("a.hpp", &text),
            _ => editor.did_change("a.hpp", version, json!([{ "text": text }])),
        }
        assert_eq!(editor.rules("a.hpp", Some(version)).len(), 1, "{text}");
        let actions = editor.actions("a.hpp", &all);
        assert_eq!(actions.len(), offered, "{text}{actions:?}");
        if offered == 1 {
            let edits = actions[0]["edit"]["documentChanges"][0]["edits"].as_array().unwrap();
            editor.did_change("a.hpp", version + 100, json!([{ "text": edited(&text, edits) }]));
            assert!(editor.rules("a.hpp", Some(version + 100)).is_empty(), "{text}");
        }
    }
    // Other kinds are wanted.
    editor.did_change("a.hpp", 300, json!([{ "text": BENT }]));
    let params = json!({ "textDocument": { "uri": editor.uri("a.hpp") }, "range": all, "context": { "diagnostics": [], "only": ["refactor"] } });
    assert_eq!(editor.ask("textDocument/codeAction", params), json!([]));
    editor.close();
    // A client that knows no versions gets plain edits.
    let mut editor = Editor::with(&[], json!({ "workspace": {} }), &[""]);
    editor.did_open("a.hpp", BENT);
    let actions = editor.actions("a.hpp", &all);
    let edits = actions[0]["edit"]["changes"][editor.uri("a.hpp")].as_array().unwrap();
    assert_eq!(edited(BENT, edits), BENT.replace("Stride<Stride<_1,_2>>", "Stride<_1,_2>"));
    editor.close();
}

#[test]
fn what_is_wrong_is_answered_and_the_server_lives() {
    let mut editor = Editor::silent(&[]);
    assert_eq!(editor.refused("textDocument/hover", json!({})), -32002);
    assert_eq!(editor.refused("shutdown", Value::Null), -32002);
    editor.did_open("early.hpp", BAD);
    editor.raw(b"Content-Length: 5\r\n\r\n{\"id\"");
    assert_eq!(editor.complaint(), -32700);
    editor.ask("initialize", json!({ "capabilities": 3, "rootUri": editor.uri("") }));
    assert_eq!(editor.refused("initialize", json!({})), -32600);
    for (method, params, code) in [
        ("textDocument/completion", json!({}), -32601),
        ("$/unknown", json!({}), -32601),
        ("", json!(null), -32601),
        ("textDocument/hover", json!({ "position": { "line": -1, "character": 0 } }), -32602),
        ("textDocument/hover", json!(null), -32602),
        ("textDocument/codeAction", json!([1]), -32602),
    ] {
        assert_eq!(editor.refused(method, params), code, "{method}");
    }
    for message in [json!([]), json!(3), json!({ "id": {}, "method": "x" }), json!({ "jsonrpc": "2.0" })] {
        editor.send(&message);
        assert_eq!(editor.complaint(), -32600);
    }
    editor.send(&json!({ "id": 7 }));
    assert_eq!(editor.wait(|message| message["id"] == 7 && message["error"]["code"] == -32600)["result"], Value::Null);
    // Nobody waits for the answer to a notification, but somebody may look for it.
    for (method, params) in [
        (
            "textDocument/didChange",
            json!({ "textDocument": { "uri": "file:///none", "version": 1 }, "contentChanges": [] }),
        ),
        ("textDocument/didClose", json!({ "textDocument": { "uri": "file:///none" } })),
        ("textDocument/didOpen", json!({ "textDocument": 3 })),
    ] {
        editor.tell(method, params);
        let log = editor.wait(|message| message["method"] == "window/logMessage");
        assert!(log["params"]["message"].as_str().unwrap().starts_with(method), "{log}");
    }
    editor.tell("$/whatever", json!({}));
    editor.send(&json!({ "id": 99, "result": null }));
    // A request with a text as its id, of a document that is no file or is not open.
    let hover = |uri: &str| json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 0 } });
    editor.send(&json!({ "id": "a", "method": "textDocument/hover", "params": hover("file:///not/open.hpp") }));
    assert_eq!(editor.wait(|message| message["id"] == "a"), json!({ "jsonrpc": "2.0", "id": "a", "result": null }));
    let untitled = json!({ "uri": "untitled:1", "languageId": "cpp", "version": 1, "text": BAD });
    editor.tell("textDocument/didOpen", json!({ "textDocument": untitled }));
    assert_eq!(editor.ask("textDocument/hover", hover("untitled:1")), Value::Null);
    editor.close();
}

#[test]
fn the_end_of_a_session() {
    // shutdown without exit: nothing is answered any more, and the end of the stream is an orderly end.
    let mut editor = Editor::open(&[("a.hpp", BAD)]);
    editor.ask("shutdown", Value::Null);
    editor.did_open("a.hpp", BAD);
    assert_eq!(editor.refused("textDocument/hover", json!({})), -32600);
    assert_eq!(editor.refused("shutdown", Value::Null), -32600);
    assert!(editor.server.try_wait().unwrap().is_none());
    drop(editor.input.take());
    assert_eq!(editor.ended(), 0);
    // exit without shutdown, before and after initialize; and a client that is gone.
    let mut editor = Editor::open(&[]);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.ended(), 1);
    let mut editor = Editor::silent(&[]);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.ended(), 1);
    let mut editor = Editor::open(&[]);
    drop(editor.input.take());
    assert_eq!(editor.ended(), 1);
    // Headers that do not say where a message ends.
    let mut editor = Editor::open(&[]);
    editor.raw(b"Content-Length: many\r\n\r\n{}");
    assert_eq!(editor.complaint(), -32700);
    assert_eq!(editor.ended(), 1);
    // Nobody can wait for more bytes than come.
    let mut editor = Editor::open(&[]);
    editor.raw(b"Content-Length: 18446744073709551615\r\n\r\n{}");
    drop(editor.input.take());
    assert_eq!(editor.ended(), 1);
}

#[cfg(unix)]
#[test]
fn a_folder_and_a_file_reached_by_links_are_known_by_their_links() {
    let mut editor = Editor::silent(&[("real/a.hpp", BAD), ("real/b.hpp", BENT)]);
    std::os::unix::fs::symlink(editor.path("real"), editor.path("link")).unwrap();
    editor.ask("initialize", json!({ "capabilities": {}, "rootUri": editor.uri("link") }));
    editor.tell("initialized", json!({}));
    assert_eq!(editor.rules("link/a.hpp", None), ["RG002"]);
    // Under its other name, the open file is the same file, and is spoken of by the name under which it is open.
    editor.did_open("real/b.hpp", BENT);
    assert_eq!(editor.rules("real/b.hpp", Some(1)), ["RG001"]);
    // A client that shows no Markdown.
    let hover = editor.hover("real/b.hpp", 0, 20);
    assert_eq!(hover["contents"]["kind"], "plaintext");
    assert!(!hover["contents"]["value"].as_str().unwrap().contains('`'), "{hover}");
    editor.close();
}

#[test]
fn files_that_change_elsewhere_are_watched_where_the_client_can() {
    let watching = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    let mut editor = Editor::with(&[], watching, &[""]);
    let request = editor.wait(|message| message["method"] == "client/registerCapability");
    let registration = &request["params"]["registrations"][0];
    assert_eq!(registration["method"], "workspace/didChangeWatchedFiles");
    let patterns = registration["registerOptions"]["watchers"].to_string();
    assert!(patterns.contains("cuh") && patterns.contains("razorgirl.toml"), "{patterns}");
    editor.send(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": null }));
    editor.close();
}

#[test]
fn a_file_that_is_not_audited_says_so() {
    let mut editor = Editor::open(&[("a.hpp", BAD)]);
    fs::write(editor.path("wide.hpp"), b"\xff\xfe\0\0").unwrap();
    editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": editor.uri("a.hpp") } }));
    let found = editor.published("wide.hpp", None);
    assert!(found[0]["message"].as_str().unwrap().contains("UTF-32"), "{found:?}");
    editor.close();
}

#[test]
fn columns_of_what_the_disk_has_are_those_of_an_editor() {
    let mut editor = Editor::silent(&[("a.hpp", BAD), ("mark.hpp", &format!("\u{feff}{BAD}"))]);
    fs::write(editor.path("latin.hpp"), [b"/* \xe7 */ ", BAD.as_bytes()].concat()).unwrap();
    let wide: Vec<u8> = format!("\u{feff}/* 𝄞 */ {BAD}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(editor.path("wide.hpp"), wide).unwrap();
    editor.ask("initialize", json!({ "capabilities": {}, "rootUri": editor.uri("") }));
    editor.tell("initialized", json!({}));
    for (name, before) in [("a.hpp", 0), ("mark.hpp", 0), ("latin.hpp", 8), ("wide.hpp", 9)] {
        let found = editor.published(name, None);
        assert_eq!(found[0]["range"], range((0, before + 12), (0, before + 47)), "{name}");
    }
    editor.close();
}

#[test]
fn the_help_says_how_an_editor_starts_it() {
    let help = Command::new(env!("CARGO_BIN_EXE_razorgirl")).args(["lsp", "--help"]).output().unwrap();
    let text = String::from_utf8(help.stdout).unwrap();
    assert!(text.contains("vim.lsp.enable") && text.contains("--stdio"), "{text}");
}

/// Steps of a generator of Lehmer's: the same messages in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.roll(of.len())]
    }
}

/// Any JSON.
fn anything(dice: &mut Dice, depth: usize, uris: &[String]) -> Value {
    let small = dice.roll(40);
    match dice.roll(if depth == 0 { 5 } else { 7 }) {
        0 => Value::Null,
        1 => json!(small),
        2 => json!(dice.pick(&["", "quickfix", BAD, "𝄞\r\n", "}"])),
        3 => json!(dice.pick(uris)),
        4 => json!(-1.5e300),
        5 => (0..dice.roll(3)).map(|_| anything(dice, depth - 1, uris)).collect(),
        _ => {
            let keys =
                ["textDocument", "position", "range", "uri", "text", "version", "contentChanges", "line", "character"];
            (0..dice.roll(5)).map(|_| ((*dice.pick(&keys)).to_owned(), anything(dice, depth - 1, uris))).collect()
        }
    }
}

#[test]
fn whatever_is_said_the_server_answers_each_request_once_and_ends_well() {
    let mut editor = Editor::open(&[("a.hpp", BAD), ("b.hpp", BENT)]);
    let uris: Vec<String> = ["a.hpp", "b.hpp", "c.cu", "d/é 😀.hpp"].iter().map(|name| editor.uri(name)).collect();
    let texts =
        [BAD, BENT, GOOD, "𝄞é\r\n", "", "Layout<", "// razorgirl: allow(RG002) x\n", "\0\u{feff}", "template <int N>"];
    let methods = [
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didChange",
        "textDocument/didClose",
        "textDocument/didSave",
        "textDocument/hover",
        "textDocument/codeAction",
        "workspace/didChangeWorkspaceFolders",
        "$/cancelRequest",
        "initialized",
        "nothing",
    ];
    let mut dice = Dice(12);
    let mut waiting = BTreeSet::new();
    for number in 0..600_usize {
        let uri = dice.pick(&uris).clone();
        let mut place = || json!({ "line": dice.roll(4), "character": dice.roll(70) });
        let piece = json!({ "start": place(), "end": place() });
        let change = if dice.roll(4) > 0 {
            json!({ "range": piece, "text": dice.pick(&texts) })
        } else {
            json!({ "text": dice.pick(&texts) })
        };
        let mut params = json!({
            "textDocument": { "uri": uri, "version": number, "text": dice.pick(&texts), "languageId": "cpp" },
            "contentChanges": vec![change; dice.roll(3)],
            "position": piece["start"],
            "range": piece,
            "context": { "diagnostics": [] },
            "id": 1_000 + dice.roll(number + 1),
            "event": { "added": [{ "uri": uri }], "removed": [{ "uri": uri }] },
        });
        if dice.roll(5) == 0 {
            params = anything(&mut dice, 4, &uris);
        }
        let mut message = json!({ "jsonrpc": "2.0", "method": dice.pick(&methods), "params": params });
        if dice.roll(3) == 0 {
            message["id"] = json!(1_000 + number);
            // Parameters that can be none make no request.
            if matches!(message["params"], Value::Null | Value::Array(_) | Value::Object(_)) {
                waiting.insert(1_000 + number);
            }
        }
        match dice.roll(20) {
            0 => editor.raw(b"Content-Length: 3\r\n\r\n{,}"),
            1 => editor.send(&anything(&mut dice, 5, &uris)),
            _ => {}
        }
        editor.send(&message);
    }
    // Requests are answered, or refused since the text changed; each once.
    while let Some(id) = waiting.pop_first() {
        editor.wait(|message| message["id"] == id && message["method"].is_null());
    }
    let left = editor.early.iter().filter(|message| message["id"].as_u64().is_some_and(|id| id >= 1_000));
    assert!(left.clone().all(|message| message["error"]["code"] == -32600), "{:?}", left.collect::<Vec<_>>());
    // It still knows what is right.
    editor.did_open("fresh.hpp", BAD);
    assert_eq!(editor.rules("fresh.hpp", Some(1)), ["RG002"]);
    editor.close();
}
