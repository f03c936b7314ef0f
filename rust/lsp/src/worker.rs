//! The thread that audits: it owns the projects, and answers what is asked of their reports, one job after the other.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;

use serde_json::{Value, json};

use crate::action;
use crate::document::{Pages, Workspace};
use crate::hover::hover;
use crate::project::{Diagnostics, Project};
use crate::protocol::{Position, Range};
use crate::rpc::{Code, Refusal};
use crate::text::Text;

/// What is to be done.
#[derive(Debug)]
pub enum Job {
    /// Audit everything.
    Audit {
        /// When that was said.
        revision: u64,
        /// What is open.
        workspace: Workspace,
        /// The folders that the client works in.
        folders: Vec<PathBuf>,
    },
    /// Say what is under the cursor.
    Hover {
        /// The request.
        id: Value,
        /// The document.
        uri: String,
        /// Where in it.
        position: Position,
    },
    /// Say what could be done.
    Actions {
        /// The request.
        id: Value,
        /// The document.
        uri: String,
        /// Where in it.
        range: Range,
    },
}

/// What was done.
#[derive(Debug)]
pub enum Done {
    /// An audit.
    Audited {
        /// What it is of.
        revision: u64,
        /// Everything that was found.
        found: Diagnostics,
        /// What is not found in a document.
        notes: Vec<String>,
    },
    /// An answer.
    Answer {
        /// The request.
        id: Value,
        /// The answer.
        answer: Result<Value, Refusal>,
    },
}

/// Whether a project is a file outside of all folders, and its path.
type Key = (bool, PathBuf);

#[derive(Default)]
struct Worker {
    workspace: Workspace,
    projects: BTreeMap<Key, Project>,
}

/// Does jobs until nobody has any.
pub fn work(jobs: &Receiver<Job>, done: &dyn Fn(Done) -> bool) {
    let mut worker = Worker::default();
    let mut waiting: VecDeque<Job> = VecDeque::new();
    loop {
        if waiting.is_empty() {
            match jobs.recv() {
                Ok(job) => waiting.push_back(job),
                Err(_) => return,
            }
        }
        waiting.extend(jobs.try_iter());
        let Some(mut job) = waiting.pop_front() else { continue };
        if matches!(job, Job::Audit { .. }) {
            // The last of several audits makes the others needless; what was asked between them is answered by it.
            let mut rest = VecDeque::new();
            for other in std::mem::take(&mut waiting) {
                if matches!(other, Job::Audit { .. }) {
                    job = other;
                } else {
                    rest.push_back(other);
                }
            }
            waiting = rest;
        }
        if !done(worker.run(job)) {
            return;
        }
    }
}

impl Worker {
    fn run(&mut self, job: Job) -> Done {
        // A defect of the auditor must not take the editor's work away: the next text may be read well.
        match job {
            Job::Audit { revision, workspace, folders } => {
                let audited = catch_unwind(AssertUnwindSafe(|| self.audit(workspace, &folders)));
                let (found, notes) = audited.unwrap_or_else(|_| {
                    self.projects.clear();
                    (Diagnostics::new(), vec!["the auditor failed; nothing is known of these files".to_owned()])
                });
                Done::Audited { revision, found, notes }
            }
            Job::Hover { id, uri, position } => {
                let answer = catch_unwind(AssertUnwindSafe(|| self.hover(&uri, position))).map_err(|_| failed());
                Done::Answer { id, answer }
            }
            Job::Actions { id, uri, range } => {
                let answer = catch_unwind(AssertUnwindSafe(|| self.actions(&uri, range))).map_err(|_| failed());
                Done::Answer { id, answer }
            }
        }
    }

    fn audit(&mut self, workspace: Workspace, folders: &[PathBuf]) -> (Diagnostics, Vec<String>) {
        self.workspace = workspace;
        let roots: Vec<PathBuf> = folders.iter().map(|folder| razorgirl_audit::source::real(folder)).collect();
        let outside = |path: &&PathBuf| !roots.iter().any(|root| path.starts_with(root));
        let singles = self.workspace.documents.iter().filter_map(|document| document.path.as_ref()).filter(outside);
        let keys: Vec<Key> = folders
            .iter()
            .map(|folder| (false, folder.clone()))
            .chain(singles.map(|single| (true, single.clone())))
            .collect();
        self.projects.retain(|key, _| keys.contains(key));
        for (single, path) in keys {
            let project = self.projects.entry((single, path)).or_insert_with_key(|key| Project::new(&key.1, key.0));
            project.audit(&self.workspace);
        }
        let mut found = Diagnostics::new();
        let mut spoken: HashSet<PathBuf> = HashSet::new();
        let many = self.projects.len() > 1;
        for project in self.innermost() {
            project.diagnostics(&self.workspace, &|path: &Path| spoken.contains(path), &mut found);
            if many {
                spoken.extend(project.files());
            }
        }
        let unlisted: usize = self.projects.values().map(|project| project.report.unlisted).sum();
        let notes = (unlisted > 0).then(|| format!("{unlisted} findings more are not listed"));
        (found, notes.into_iter().collect())
    }

    /// The projects, those first that lie inside of others.
    fn innermost(&self) -> Vec<&Project> {
        let mut projects: Vec<&Project> = self.projects.values().collect();
        projects.sort_by_key(|project| std::cmp::Reverse(project.depth()));
        projects
    }

    fn hover(&self, uri: &str, position: Position) -> Value {
        let Some(document) = self.workspace.named(uri) else { return Value::Null };
        let byte = Text::new(&document.text, self.workspace.client.encoding).byte(position);
        let markdown = self.workspace.client.markdown;
        for project in self.innermost() {
            let Some(file) = project.file_of(document) else { continue };
            let Some((span, said)) = hover(&project.report, file, byte, markdown) else { return Value::Null };
            let range = Pages::new(&project.report, &self.workspace, project).page(file).map(|page| page.range(span));
            let kind = if markdown { "markdown" } else { "plaintext" };
            return json!({ "contents": { "kind": kind, "value": said }, "range": range });
        }
        Value::Null
    }

    fn actions(&mut self, uri: &str, range: Range) -> Value {
        let Some(document) = self.workspace.named(uri) else { return json!([]) };
        let mut projects: Vec<&mut Project> = self.projects.values_mut().collect();
        projects.sort_by_key(|project| std::cmp::Reverse(project.depth()));
        match projects.into_iter().find(|project| project.file_of(document).is_some()) {
            Some(project) => Value::Array(action::actions(project, &self.workspace, document, range)),
            None => json!([]),
        }
    }
}

fn failed() -> Refusal {
    Refusal::new(Code::Internal, "the auditor failed")
}
