//! What a run has found: a table for people, JSON for machines.

use super::Plan;
use crate::capabilities::Capabilities;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How often what happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// the answer that the definition gives
    pub right: u64,
    /// right by the peer's own contract, outside ours: by what it does
    pub extended: BTreeMap<&'static str, u64>,
    /// outside of what the peer says that it takes, by why: not asked, or refused because its integers end
    pub outside: BTreeMap<&'static str, u64>,
    /// refusals by an assertion that ended the process; they are among the refusals too
    pub aborted: u64,
    /// refused, and no answer exists
    pub refused_rightly: u64,
    /// refused as our contract says, though something outside of it would do
    pub exists_outside: u64,
    /// refused although an answer exists
    pub refused_though_exists: u64,
    /// wrong: by what is wrong
    pub wrong: BTreeMap<&'static str, u64>,
    /// no answer, or no proper one: by what happened
    pub crashed: BTreeMap<&'static str, u64>,
    /// no answer in time
    pub timed_out: u64,
    /// the peer does not have the operation
    pub not_offered: u64,
    /// too large to judge, or outside the definition
    pub unjudged: u64,
    /// not asked any more after too many failures in a row
    pub not_asked: u64,
}

fn sum(kinds: &BTreeMap<&'static str, u64>) -> u64 {
    kinds.values().sum()
}

fn add(kinds: &mut BTreeMap<&'static str, u64>, other: &BTreeMap<&'static str, u64>) {
    for (kind, count) in other {
        *kinds.entry(kind).or_default() += count;
    }
}

impl Counts {
    /// How many answers are wrong.
    pub fn wrong(&self) -> u64 {
        sum(&self.wrong)
    }

    /// How many requests had no answer, or no proper one.
    pub fn unanswered(&self) -> u64 {
        sum(&self.crashed) + self.timed_out
    }

    /// What shows that an implementation at least tries: answers that are right, by our contract or its own.
    fn answered_well(&self) -> u64 {
        self.right + sum(&self.extended)
    }

    /// Adds other counts.
    pub fn add(&mut self, other: &Counts) {
        self.right += other.right;
        add(&mut self.extended, &other.extended);
        add(&mut self.outside, &other.outside);
        self.aborted += other.aborted;
        self.refused_rightly += other.refused_rightly;
        self.exists_outside += other.exists_outside;
        self.refused_though_exists += other.refused_though_exists;
        add(&mut self.wrong, &other.wrong);
        add(&mut self.crashed, &other.crashed);
        self.timed_out += other.timed_out;
        self.not_offered += other.not_offered;
        self.unjudged += other.unjudged;
        self.not_asked += other.not_asked;
    }

    fn row(&self) -> [u64; 11] {
        [
            self.right,
            sum(&self.extended),
            self.refused_rightly,
            self.exists_outside,
            self.refused_though_exists,
            self.wrong(),
            sum(&self.outside),
            sum(&self.crashed),
            self.timed_out,
            self.not_offered,
            self.unjudged,
        ]
    }

    fn to_json(&self) -> Value {
        json!({
            "right": self.right,
            "extended": self.extended,
            "outside_its_contract": self.outside,
            "aborted": self.aborted,
            "refused_rightly": self.refused_rightly,
            "exists_outside": self.exists_outside,
            "refused_though_exists": self.refused_though_exists,
            "wrong": self.wrong,
            "crashed": self.crashed,
            "timed_out": self.timed_out,
            "not_offered": self.not_offered,
            "unjudged": self.unjudged,
            "not_asked": self.not_asked,
        })
    }
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// place of the case in the whole sequence
    pub case: u64,
    /// `wrong`, `refused though it exists`, `crashed` or `timed out`
    pub verdict: &'static str,
    /// what is wrong, in a word or two
    pub kind: &'static str,
    /// the request: made small if that was possible
    pub request: Value,
    /// what was answered
    pub answer: Value,
    /// what is right
    pub right: String,
    /// why
    pub why: String,
    /// the request as it was drawn, when that was larger
    pub shrunk_from: Option<Value>,
}

impl Example {
    fn to_json(&self) -> Value {
        json!({
            "case": self.case,
            "verdict": self.verdict,
            "kind": self.kind,
            "request": self.request,
            "answer": self.answer,
            "right": self.right,
            "why": self.why,
            "shrunk_from": self.shrunk_from,
        })
    }
}

/// What a run has found.
#[derive(Clone, Debug)]
pub struct Report {
    /// what was asked, and whom
    pub plan: Plan,
    /// what the peer says of itself
    pub capabilities: Capabilities,
    /// by operation, in the order of the plan
    pub counts: Vec<Counts>,
    /// by operation: what was found, in the order of the cases
    pub examples: Vec<Vec<Example>>,
    /// whether the run was stopped before its end
    pub interrupted: bool,
    /// processes started
    pub starts: u64,
    /// lines that were no answers
    pub stray_lines: u64,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// every request was answered, and no answer is wrong
    Right,
    /// some answer is wrong
    Wrong,
    /// stopped before its end, and nothing wrong so far
    Interrupted,
    /// no answer is wrong, and yet nothing can be said for the peer: why
    NoVerdict(Vec<String>),
}

impl Ending {
    fn name(&self) -> &'static str {
        match self {
            Ending::Right => "right",
            Ending::Wrong => "wrong",
            Ending::Interrupted => "interrupted",
            Ending::NoVerdict(_) => "no verdict",
        }
    }
}

/// Judged answers of one operation, all of them refusals, that are no accident any more.
const REFUSALS: u64 = 20;

const COLUMNS: [&str; 11] = [
    "right",
    "extended",
    "refused rightly",
    "exists, outside our contract",
    "refused though it exists",
    "wrong",
    "outside its contract",
    "crashed",
    "timed out",
    "not offered",
    "unjudged",
];

impl Report {
    /// All operations together.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.counts.iter().for_each(|counts| total.add(counts));
        total
    }

    /// How the run ended.
    pub fn ending(&self) -> Ending {
        let total = self.total();
        if total.wrong() > 0 {
            return Ending::Wrong;
        }
        if self.interrupted {
            return Ending::Interrupted;
        }
        let mut why = Vec::new();
        if total.unanswered() > 0 {
            let mut kinds: Vec<String> = total.crashed.iter().map(|(how, count)| format!("{count} {how}")).collect();
            if total.timed_out > 0 {
                kinds.push(format!("{} timed out", total.timed_out));
            }
            why.push(format!("{} requests had no answer: {}", total.unanswered(), kinds.join(", ")));
        }
        if total.not_asked > 0 {
            why.push(format!("{} requests were not asked after too many failures in a row", total.not_asked));
        }
        if total.answered_well() == 0 && (total.refused_though_exists > 0 || total.refused_rightly == 0) {
            why.push(format!(
                "no answer is right: {} refused though one exists, {} refused rightly, {} not offered, {} unjudged",
                total.refused_though_exists, total.refused_rightly, total.not_offered, total.unjudged
            ));
        } else {
            let refused = |(_, counts): &(&String, &Counts)| {
                counts.answered_well() == 0
                    && counts.refused_though_exists > 0
                    && counts.refused_though_exists + counts.refused_rightly >= REFUSALS
            };
            why.extend(self.plan.ops.iter().zip(&self.counts).filter(refused).map(|(name, counts)| {
                let all = counts.refused_though_exists + counts.refused_rightly;
                format!(
                    "{name} was refused every time; of {all} refusals, {} had an answer",
                    counts.refused_though_exists
                )
            }));
        }
        if why.is_empty() { Ending::Right } else { Ending::NoVerdict(why) }
    }

    /// The report for machines.
    pub fn to_json(&self) -> Value {
        let (plan, ending) = (&self.plan, self.ending());
        let mut ops = serde_json::Map::new();
        for ((name, counts), examples) in plan.ops.iter().zip(&self.counts).zip(&self.examples) {
            let mut counts = counts.to_json();
            counts["examples"] = Value::Array(examples.iter().map(Example::to_json).collect());
            ops.insert(name.clone(), counts);
        }
        json!({
            "peer": plan.command,
            "capabilities": self.capabilities.to_json(),
            "seed": plan.seed,
            "cases": plan.cases,
            "shard": plan.shard.to_string(),
            "exact": plan.exact,
            "interrupted": self.interrupted,
            "ending": ending.name(),
            "why": if let Ending::NoVerdict(why) = &ending { json!(why) } else { json!([]) },
            "starts": self.starts,
            "stray_lines": self.stray_lines,
            "total": self.total().to_json(),
            "ops": ops,
        })
    }

    /// The table in Markdown, and what was not offered.
    pub fn to_table(&self) -> String {
        let mut rows: Vec<(String, [u64; 11])> = Vec::new();
        let mut missing = Vec::new();
        for (name, counts) in self.plan.ops.iter().zip(&self.counts) {
            let row = counts.row();
            let [.., not_offered, _] = row;
            if not_offered > 0 && not_offered == row.iter().sum::<u64>() {
                missing.push(name.as_str());
            } else {
                rows.push((name.clone(), row));
            }
        }
        if rows.len() > 1 {
            let mut total = [0; 11];
            for (_, row) in &rows {
                for (sum, n) in total.iter_mut().zip(row) {
                    *sum += n;
                }
            }
            rows.push(("all".into(), total));
        }
        let mut text = table(&rows);
        if !missing.is_empty() {
            let _ = writeln!(text, "\nnot offered: {}", missing.join(", "));
        }
        text
    }

    /// The table and the examples, in Markdown.
    pub fn to_text(&self) -> String {
        let mut text = self.to_table();
        for (name, counts) in self.plan.ops.iter().zip(&self.counts) {
            for (what, kinds) in [
                ("extended", &counts.extended),
                ("wrong", &counts.wrong),
                ("outside its contract", &counts.outside),
                ("crashed", &counts.crashed),
            ] {
                if !kinds.is_empty() {
                    let list: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
                    let _ = writeln!(text, "\n{name}, {what}: {}", list.join(", "));
                }
            }
            if counts.aborted > 0 {
                let _ = writeln!(
                    text,
                    "\n{name}: {} of the refusals are assertions that ended the process",
                    counts.aborted
                );
            }
            if counts.not_asked > 0 {
                let n = counts.not_asked;
                let _ = writeln!(text, "\n{name}: too many failures in a row; {n} cases were not asked");
            }
        }
        for (name, example) in
            self.plan.ops.iter().zip(&self.examples).flat_map(|(n, all)| all.iter().map(move |e| (n, e)))
        {
            if example.verdict == "wrong" {
                let _ = writeln!(
                    text,
                    "\n{name} is wrong ({}), case {}:\n{}\n  answered {}\n  right is {}\n  because {}",
                    example.kind, example.case, example.request, example.answer, example.right, example.why
                );
            }
        }
        if self.stray_lines > 0 {
            let _ = writeln!(text, "\n{} lines of output were no answers", self.stray_lines);
        }
        if let Ending::NoVerdict(why) = self.ending() {
            let _ = writeln!(text, "\nno verdict:");
            for line in why {
                let _ = writeln!(text, "- {line}");
            }
        }
        if self.interrupted {
            text.push_str("\ninterrupted: the cases that were not reached are in no column\n");
        }
        text
    }
}

/// The rows, without the columns that have nothing but 0: all eleven are wider than most terminals. Right and wrong are always there.
fn table(rows: &[(String, [u64; 11])]) -> String {
    let counted = |place: usize| rows.iter().any(|(_, row)| row.get(place).is_some_and(|n| *n > 0));
    let shown: Vec<(usize, &str)> = COLUMNS
        .into_iter()
        .enumerate()
        .filter(|(place, column)| counted(*place) || matches!(*column, "right" | "wrong"))
        .collect();
    let name = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max("operation".len());
    let mut text = format!("| {:<name$} |", "operation");
    for (_, column) in &shown {
        let _ = write!(text, " {column} |");
    }
    let _ = write!(text, "\n|{}|", "-".repeat(name + 2));
    for (_, column) in &shown {
        let _ = write!(text, "{}:|", "-".repeat(column.len() + 1));
    }
    text.push('\n');
    for (op, row) in rows {
        let _ = write!(text, "| {op:<name$} |");
        for (place, column) in &shown {
            let (n, width) = (row.get(*place).copied().unwrap_or_default(), column.len());
            let _ = write!(text, " {n:>width$} |");
        }
        text.push('\n');
    }
    text
}
