//! The conversation with the client. It waits for messages and for the worker, and never for work.

use std::collections::BTreeMap;
use std::io::{BufRead, Result, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use razorgirl_audit::policy::FILE_NAME;
use razorgirl_audit::source::{EXTENSIONS, real};
use serde_json::{Value, json};

use crate::action;
use crate::client::{Client, folders};
use crate::document::{Document, Workspace};
use crate::frame::{self, Frame};
use crate::project::Diagnostics;
use crate::protocol::{AtPosition, Cancel, Diagnostic, DidChange, DidChangeFolders, DidOpen, OfDocument, OfRange};
use crate::rpc::{self, Code, Incoming, Refusal, params};
use crate::text::changed;
use crate::uri;
use crate::worker::{self, Done, Job};

/// So long nothing must change before an audit begins.
const QUIET: Duration = Duration::from_millis(150);

/// So long an audit is put off, whatever changes.
const PATIENCE: Duration = Duration::from_secs(1);

/// Messages that are read before they are dealt with.
const MAX_READ: usize = 16;

/// Requests that wait for an answer, at most.
const MAX_WAITING: usize = 1_024;

enum Event {
    Came(Result<Option<Frame>>),
    Done(Done),
}

/// What the client has said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nothing.
    Begun,
    /// `initialize`.
    Running,
    /// `shutdown`.
    Down,
}

/// Serves a client until it says `exit` or is gone. Whether it said `shutdown` before.
///
/// # Errors
/// Those of writing.
pub fn serve(input: impl BufRead + Send + 'static, output: &mut dyn Write) -> Result<bool> {
    let (events, incoming) = sync_channel(MAX_READ);
    let (jobs, todo) = channel();
    read(input, events.clone())?;
    std::thread::Builder::new().name("audit".to_owned()).spawn(move || {
        worker::work(&todo, &|done| events.send(Event::Done(done)).is_ok());
    })?;
    Server::new(jobs, output).run(&incoming)
}

/// Reads messages in a thread of its own, which ends with the stream; nobody waits for it.
fn read(mut input: impl BufRead + Send + 'static, events: SyncSender<Event>) -> Result<()> {
    std::thread::Builder::new().name("read".to_owned()).spawn(move || {
        loop {
            let came = frame::read(&mut input);
            let last = !matches!(came, Ok(Some(_)));
            if events.send(Event::Came(came)).is_err() || last {
                return;
            }
        }
    })?;
    Ok(())
}

struct Server<'o> {
    output: &'o mut dyn Write,
    jobs: Sender<Job>,
    phase: Phase,
    client: Client,
    folders: Vec<PathBuf>,
    documents: BTreeMap<String, Document>,
    /// Counts changes.
    revision: u64,
    /// Of which revision an audit was begun, and of which one is done.
    begun: u64,
    audited: u64,
    /// When something changed first and last since an audit was begun.
    changed: Option<(Instant, Instant)>,
    /// Requests, with the document that they ask about and its revision.
    waiting: Vec<(Value, String, u64)>,
    /// What the client was told of each document, and of which version.
    published: BTreeMap<String, (Option<i64>, Vec<Diagnostic>)>,
    notes: Vec<String>,
}

impl<'o> Server<'o> {
    fn new(jobs: Sender<Job>, output: &'o mut dyn Write) -> Self {
        Self {
            output,
            jobs,
            phase: Phase::Begun,
            client: Client::default(),
            folders: Vec::new(),
            documents: BTreeMap::new(),
            revision: 0,
            begun: 0,
            audited: 0,
            changed: None,
            waiting: Vec::new(),
            published: BTreeMap::new(),
            notes: Vec::new(),
        }
    }

    fn run(mut self, events: &Receiver<Event>) -> Result<bool> {
        loop {
            let left = self.due().map(|due| due.saturating_duration_since(Instant::now()));
            // Whoever types without a pause must not put it off: what came waits.
            if left.is_some_and(|left| left.is_zero()) {
                self.audit();
                continue;
            }
            let event = match left {
                Some(left) => match events.recv_timeout(left) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => return Ok(self.phase == Phase::Down),
                },
                None => match events.recv() {
                    Ok(event) => event,
                    Err(_) => return Ok(self.phase == Phase::Down),
                },
            };
            match event {
                Event::Came(Ok(Some(Frame::Message(message)))) => {
                    if self.message(message)? {
                        return Ok(self.phase == Phase::Down);
                    }
                }
                Event::Came(Ok(Some(Frame::Malformed(why)))) => {
                    let refusal = Refusal::new(Code::Parse, why);
                    self.send(&rpc::response(&Value::Null, Err(refusal)))?;
                }
                // The client is gone, with or without a word.
                Event::Came(Ok(None)) => return Ok(self.phase == Phase::Down),
                Event::Came(Err(error)) => {
                    self.send(&rpc::response(&Value::Null, Err(Refusal::new(Code::Parse, error.to_string()))))?;
                    return Ok(false);
                }
                Event::Done(done) => self.done(done)?,
            }
        }
    }

    /// When the next audit begins; not while another one runs.
    fn due(&self) -> Option<Instant> {
        let (first, last) = self.changed.filter(|_| self.begun == self.audited)?;
        Some((last + QUIET).min(first + PATIENCE))
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        frame::write(self.output, message)
    }

    fn log(&mut self, kind: u8, message: &str) -> Result<()> {
        self.send(&rpc::notification("window/logMessage", &json!({ "type": kind, "message": message })))
    }

    /// Deals with a message. Whether it was the last.
    fn message(&mut self, message: Value) -> Result<bool> {
        match Incoming::of(message) {
            Incoming::Request { id, method, params } => {
                if let Some(answer) = self.request(&id, &method, params) {
                    self.send(&rpc::response(&id, answer))?;
                }
            }
            Incoming::Notification { method, .. } if method == "exit" => return Ok(true),
            Incoming::Notification { method, params } if self.phase == Phase::Running => {
                if let Err(refusal) = self.notification(&method, params)? {
                    self.log(1, &format!("{method}: {}", refusal.message))?;
                }
            }
            Incoming::Notification { .. } | Incoming::Response => {}
            Incoming::Invalid { id } => {
                let refusal = Refusal::new(Code::InvalidRequest, "neither a request nor a notification nor a response");
                self.send(&rpc::response(&id, Err(refusal)))?;
            }
        }
        Ok(false)
    }

    /// The answer to a request, unless the worker gives it.
    fn request(&mut self, id: &Value, method: &str, given: Value) -> Option<std::result::Result<Value, Refusal>> {
        let refuse = |code, message: &str| Some(Err(Refusal::new(code, message)));
        match (self.phase, method) {
            (Phase::Begun, "initialize") => Some(Ok(self.initialize(&given))),
            (Phase::Begun, _) => refuse(Code::NotInitialized, "initialize comes first"),
            (Phase::Down, _) => refuse(Code::InvalidRequest, "nothing is answered after shutdown"),
            (Phase::Running, "initialize") => refuse(Code::InvalidRequest, "initialize comes once"),
            (Phase::Running, "shutdown") => {
                self.phase = Phase::Down;
                self.changed = None;
                Some(Ok(Value::Null))
            }
            (Phase::Running, "textDocument/hover") => match params::<AtPosition>(given) {
                Ok(AtPosition { text_document, position }) => {
                    let uri = text_document.uri;
                    self.ask(id, &uri.clone(), Value::Null, Job::Hover { id: id.clone(), uri, position })
                }
                Err(refusal) => Some(Err(refusal)),
            },
            (Phase::Running, "textDocument/codeAction") => match params::<OfRange>(given) {
                Ok(OfRange { context, .. }) if !self.client.actions || !action::wanted(context.only.as_deref()) => {
                    Some(Ok(json!([])))
                }
                Ok(OfRange { text_document, range, .. }) => {
                    let uri = text_document.uri;
                    self.ask(id, &uri.clone(), json!([]), Job::Actions { id: id.clone(), uri, range })
                }
                Err(refusal) => Some(Err(refusal)),
            },
            (Phase::Running, _) => refuse(Code::MethodNotFound, &format!("there is no method {method}")),
        }
    }

    /// Asks the worker about a document as it is now.
    fn ask(&mut self, id: &Value, uri: &str, nothing: Value, job: Job) -> Option<std::result::Result<Value, Refusal>> {
        let Some(document) = self.documents.get(uri) else { return Some(Ok(nothing)) };
        if self.waiting.len() >= MAX_WAITING {
            return Some(Err(Refusal::new(Code::Internal, "too many requests wait for an answer")));
        }
        self.waiting.push((id.clone(), uri.to_owned(), document.revision));
        if self.changed.is_some() {
            self.audit();
        }
        // The worker ends after this thread.
        let _ = self.jobs.send(job);
        None
    }

    fn initialize(&mut self, given: &Value) -> Value {
        self.phase = Phase::Running;
        self.client = Client::of(given);
        self.folders = folders(given);
        json!({
            "capabilities": {
                "positionEncoding": self.client.encoding.word(),
                "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
                "hoverProvider": true,
                "codeActionProvider": { "codeActionKinds": [action::KIND] },
                "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
            },
            "serverInfo": { "name": "razorgirl", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    fn notification(&mut self, method: &str, given: Value) -> Result<std::result::Result<(), Refusal>> {
        match method {
            "$/cancelRequest" => match params::<Cancel>(given) {
                Ok(Cancel { id }) => self.cancel(&id).map(Ok),
                Err(refusal) => Ok(Err(refusal)),
            },
            "initialized" if self.client.watches => {
                self.watch()?;
                Ok(self.heard(method, given))
            }
            _ => Ok(self.heard(method, given)),
        }
    }

    fn heard(&mut self, method: &str, given: Value) -> std::result::Result<(), Refusal> {
        match method {
            "initialized" | "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {}
            "textDocument/didOpen" => {
                let opened = params::<DidOpen>(given)?.text_document;
                let path = uri::path(&opened.uri).map(|path| real(&path));
                let (version, revision) = (opened.version, self.revision + 1);
                let document = Document { uri: opened.uri.clone(), path, version, revision, text: opened.text.into() };
                self.documents.insert(opened.uri, document);
            }
            "textDocument/didChange" => {
                let DidChange { text_document, content_changes } = params(given)?;
                let encoding = self.client.encoding;
                let document = self.documents.get_mut(&text_document.uri);
                let document = document.ok_or_else(|| not_open(&text_document.uri))?;
                for change in content_changes {
                    document.text = changed(&document.text, change, encoding).into();
                }
                document.version = text_document.version;
                document.revision = self.revision + 1;
            }
            "textDocument/didClose" => {
                let uri = params::<OfDocument>(given)?.text_document.uri;
                self.documents.remove(&uri).ok_or_else(|| not_open(&uri))?;
            }
            "workspace/didChangeWorkspaceFolders" => {
                let event = params::<DidChangeFolders>(given)?.event;
                let gone: Vec<PathBuf> = event.removed.iter().filter_map(|folder| uri::path(&folder.uri)).collect();
                self.folders.retain(|folder| !gone.contains(folder));
                for folder in event.added.iter().filter_map(|folder| uri::path(&folder.uri)) {
                    if !self.folders.contains(&folder) {
                        self.folders.push(folder);
                    }
                }
            }
            // Whatever else a client tells.
            _ => return Ok(()),
        }
        self.revision += 1;
        let now = Instant::now();
        self.changed = Some((self.changed.map_or(now, |(first, _)| first), now));
        Ok(())
    }

    /// What the worker says later is said to nobody.
    fn cancel(&mut self, id: &Value) -> Result<()> {
        let Some(at) = self.waiting.iter().position(|(waiting, ..)| waiting == id) else { return Ok(()) };
        let (id, ..) = self.waiting.remove(at);
        self.send(&rpc::response(&id, Err(Refusal::new(Code::Cancelled, "cancelled"))))
    }

    /// Files also change without the editor.
    fn watch(&mut self) -> Result<()> {
        let sources = format!("**/*.{{{}}}", EXTENSIONS.join(","));
        let patterns = [sources, format!("**/{FILE_NAME}")].map(|pattern| json!({ "globPattern": pattern }));
        let method = "workspace/didChangeWatchedFiles";
        let one = json!({ "id": "files", "method": method, "registerOptions": { "watchers": patterns } });
        self.send(&rpc::request("watch", "client/registerCapability", &json!({ "registrations": [one] })))
    }

    /// Begins an audit of what there is.
    fn audit(&mut self) {
        self.changed = None;
        self.begun = self.revision;
        let workspace = Workspace { documents: self.documents.values().cloned().collect(), client: self.client };
        let _ = self.jobs.send(Job::Audit { revision: self.revision, workspace, folders: self.folders.clone() });
    }

    fn done(&mut self, done: Done) -> Result<()> {
        match done {
            Done::Audited { revision, found, notes } => {
                self.audited = revision;
                if self.phase == Phase::Running {
                    self.publish(revision, found)?;
                    for note in notes.iter().filter(|note| !self.notes.contains(note)).cloned().collect::<Vec<_>>() {
                        self.log(2, &note)?;
                    }
                    self.notes = notes;
                }
                Ok(())
            }
            Done::Answer { id, answer } => {
                let Some(at) = self.waiting.iter().position(|(waiting, ..)| *waiting == id) else { return Ok(()) };
                let (_, uri, revision) = self.waiting.remove(at);
                let same = self.documents.get(&uri).is_some_and(|document| document.revision == revision);
                let moved = || Err(Refusal::new(Code::ContentModified, "the document changed meanwhile"));
                self.send(&rpc::response(&id, if same { answer } else { moved() }))
            }
        }
    }

    /// Tells the client what changed: of documents that changed again meanwhile, the next audit speaks.
    fn publish(&mut self, revision: u64, mut found: Diagnostics) -> Result<()> {
        for uri in self.published.keys().chain(self.documents.keys()) {
            found.entry(uri.clone()).or_default();
        }
        for (uri, diagnostics) in found {
            let open = self.documents.get(&uri);
            if open.is_some_and(|open| open.revision > revision) {
                continue;
            }
            let version = open.map(|open| open.version);
            let before = self.published.get(&uri);
            let same =
                before.is_some_and(|(told, before)| *before == diagnostics && (*told == version || open.is_none()));
            if !same {
                let mut told = json!({ "uri": uri, "diagnostics": diagnostics });
                if let (Some(version), Some(fields)) = (version, told.as_object_mut()) {
                    fields.insert("version".to_owned(), json!(version));
                }
                self.send(&rpc::notification("textDocument/publishDiagnostics", &told))?;
            }
            if version.is_none() && diagnostics.is_empty() {
                self.published.remove(&uri);
            } else {
                self.published.insert(uri, (version, diagnostics));
            }
        }
        Ok(())
    }
}

fn not_open(uri: &str) -> Refusal {
    Refusal::new(Code::InvalidParams, format!("{uri} is not open"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const URI: &str = "file:///x.hpp";

    /// What a server says to some events, the worker's among them, and the jobs that it gives.
    fn said(events: Vec<Event>) -> (Vec<Value>, Vec<Job>) {
        let (jobs, todo) = channel();
        let (sender, incoming) = sync_channel(events.len());
        for event in events {
            sender.send(event).unwrap();
        }
        drop(sender);
        let mut output = Vec::new();
        Server::new(jobs, &mut output).run(&incoming).unwrap();
        let mut output = output.as_slice();
        let mut messages = Vec::new();
        while let Some(Frame::Message(message)) = frame::read(&mut output).unwrap() {
            messages.push(message);
        }
        (messages, todo.try_iter().collect())
    }

    fn came(message: Value) -> Event {
        Event::Came(Ok(Some(Frame::Message(message))))
    }

    fn request(id: &Value, method: &str, params: &Value) -> Event {
        came(json!({ "id": id, "method": method, "params": params }))
    }

    fn tell(method: &str, params: &Value) -> Event {
        came(rpc::notification(method, params))
    }

    fn begin() -> Vec<Event> {
        let document = json!({ "uri": URI, "version": 1, "text": "" });
        let open = tell("textDocument/didOpen", &json!({ "textDocument": document }));
        vec![request(&json!(0), "initialize", &json!({})), open]
    }

    fn change(version: i64) -> Event {
        let params = json!({ "textDocument": { "uri": URI, "version": version }, "contentChanges": [] });
        tell("textDocument/didChange", &params)
    }

    fn hover(id: &str) -> Event {
        let params = json!({ "textDocument": { "uri": URI }, "position": { "line": 0, "character": 0 } });
        request(&json!(id), "textDocument/hover", &params)
    }

    fn answer(id: &str) -> Event {
        Event::Done(Done::Answer { id: json!(id), answer: Ok(json!(id)) })
    }

    fn audited(revision: u64, message: &str) -> Event {
        let top = crate::protocol::Position { line: 0, character: 0 };
        let range = crate::protocol::Range { start: top, end: top };
        let diagnostic = Diagnostic {
            range,
            severity: 1,
            code: None,
            source: "test",
            message: message.into(),
            related_information: vec![],
        };
        let found = [(URI.to_owned(), vec![diagnostic])].into();
        Event::Done(Done::Audited { revision, found, notes: vec!["a note".into()] })
    }

    #[test]
    fn answers_are_of_the_text_that_was_asked_about() {
        let mut events = begin();
        let cancel = |id: &str| tell("$/cancelRequest", &json!({ "id": id }));
        events.extend([hover("same"), hover("cancelled"), hover("moved"), cancel("cancelled"), cancel("never")]);
        events.extend([answer("same"), answer("cancelled"), change(2), answer("moved"), answer("never")]);
        let (messages, jobs) = said(events);
        let ends = |id: &str| {
            let mut of = messages.iter().filter(|message| message["id"] == id);
            let first = of.next().map(|message| (message["result"].clone(), message["error"]["code"].clone()));
            assert!(of.next().is_none(), "{id} is answered once");
            first
        };
        assert_eq!(ends("same"), Some((json!("same"), Value::Null)));
        assert_eq!(ends("cancelled"), Some((Value::Null, json!(-32_800))));
        assert_eq!(ends("moved"), Some((Value::Null, json!(-32_801))));
        assert_eq!(ends("never"), None);
        // One audit before the first question, and none for those that follow.
        assert!(matches!(
            jobs[..],
            [Job::Audit { revision: 1, .. }, Job::Hover { .. }, Job::Hover { .. }, Job::Hover { .. }]
        ));
    }

    #[test]
    fn what_is_published_is_of_the_text_that_the_client_has() {
        let mut events = begin();
        events.extend([audited(1, "first"), audited(1, "first"), change(2), audited(1, "old"), audited(2, "first")]);
        events.extend([
            change(3),
            audited(3, "new"),
            tell("textDocument/didClose", &json!({ "textDocument": { "uri": URI } })),
        ]);
        events.extend([audited(4, "new"), audited(5, "on disk")]);
        let (messages, _) = said(events);
        let published = messages.iter().filter(|message| message["method"] == "textDocument/publishDiagnostics");
        let published: Vec<(Value, &str)> = published
            .map(|message| &message["params"])
            .map(|params| (params["version"].clone(), params["diagnostics"][0]["message"].as_str().unwrap()))
            .collect();
        let expected = [(json!(1), "first"), (json!(2), "first"), (json!(3), "new"), (Value::Null, "on disk")];
        assert_eq!(published, expected);
        assert_eq!(messages.iter().filter(|message| message["method"] == "window/logMessage").count(), 1);
    }

    #[test]
    fn a_client_that_asks_too_much_is_told() {
        let mut events = begin();
        events.extend((0..=MAX_WAITING).map(|id| hover(&id.to_string())));
        let (messages, jobs) = said(events);
        assert_eq!(jobs.len(), 1 + MAX_WAITING);
        assert_eq!(messages.last().unwrap()["error"]["code"], -32_603);
    }

    #[test]
    fn changes_that_follow_each_other_are_audited_together_and_not_put_off_for_ever() {
        let (jobs, todo) = channel();
        let (sender, incoming) = sync_channel(1);
        let typing = std::thread::spawn(move || {
            for event in begin() {
                sender.send(event).unwrap();
            }
            let start = Instant::now();
            let mut version = 2;
            while start.elapsed() < PATIENCE + QUIET {
                sender.send(change(version)).unwrap();
                version += 1;
                std::thread::sleep(QUIET / 10);
            }
            // The last change is number `version - 1`, since opening is the first.
            version - 1
        });
        let mut output = Vec::new();
        Server::new(jobs, &mut output).run(&incoming).unwrap();
        let changes = u64::try_from(typing.join().unwrap()).unwrap();
        let jobs: Vec<Job> = todo.try_iter().collect();
        // The worker does not answer, so one audit is begun: after some of the changes, and before the last.
        assert!(
            matches!(jobs[..], [Job::Audit { revision, .. }] if 1 < revision && revision < changes),
            "{changes}: {jobs:?}"
        );
    }
}
