//! A run: peers side by side, verdicts, and small examples of what is wrong.

use super::peer::{Ask, CannotStart, Outcome, Peer};
use super::shrink::shrink;
use super::signal;
use super::{Case, Counts, Example, Plan, Report, protocol_name};
use crate::capabilities::Capabilities;
use crate::judge::{Verdict, right_answer};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread;

/// Failures in a row after which an operation is given up.
const GIVE_UP_OP: u32 = 5;
/// Failures in a row, of whatever operation, after which everything is.
const GIVE_UP_ALL: u32 = 20;

/// The operation by which a peer says what it is.
const HELLO: &str = "hello";

/// Asks all cases of the plan's shard. `progress` is told how many more have been done; `stop` ends the run early.
///
/// # Errors
/// The peer cannot be started, or does not answer its first request.
pub fn run(plan: &Plan, stop: &AtomicBool, progress: &(dyn Fn(u64) + Sync)) -> Result<Report, CannotStart> {
    let mut first = Peer::new(plan, stop);
    let offered = first.offered()?;
    // who does not list it is not asked: an answer of some kind proves nothing
    let said = match &offered {
        Some(names) if names.contains(HELLO) => first.hello()?,
        _ => Capabilities::default(),
    };
    let shared = Shared::new(plan, offered.as_ref(), &said);
    let jobs = plan.jobs.max(1);
    let mut peers: Vec<Peer<'_>> = vec![first];
    peers.extend((1..jobs).map(|_| Peer::new(plan, stop)));
    let mut tallies: Vec<Tally> = thread::scope(|scope| {
        let shared = &shared;
        // where the system gives no more threads, those that there are do the work
        let workers: Vec<_> = peers
            .iter_mut()
            .filter_map(|peer| {
                thread::Builder::new().spawn_scoped(scope, move || work(plan, shared, peer, progress)).ok()
            })
            .collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    let mut tally = Tally::new(plan.ops.len());
    tallies.drain(..).for_each(|other| tally.merge(other, plan.examples));
    let first = peers.first_mut().map(|peer| peer as &mut dyn Ask);
    let mut report = reported(plan, stop, said, tally, first);
    report.starts = peers.iter().map(|peer| peer.starts).sum();
    report.stray_lines = peers.iter().map(|peer| peer.stray).sum();
    Ok(report)
}

/// Asks all cases of the plan's shard of a function in this process, which answers a request of the protocol by a line of it. It
/// has all operations of the plan. Nothing is asked at once, and nothing ends a function that does not come back.
pub fn run_within(
    plan: &Plan,
    capabilities: Capabilities,
    stop: &AtomicBool,
    answer: &mut dyn FnMut(&Value) -> Value,
) -> Report {
    let mut within = Within { answer, stop };
    let tally = work(plan, &Shared::new(plan, None, &capabilities), &mut within, &|_| {});
    reported(plan, stop, capabilities, tally, Some(&mut within))
}

/// A function in this process.
struct Within<'a> {
    answer: &'a mut dyn FnMut(&Value) -> Value,
    stop: &'a AtomicBool,
}

impl Ask for Within<'_> {
    fn ask(&mut self, requests: &[Value]) -> Vec<Outcome> {
        let mut ask = |request: &Value| {
            if self.stop.load(Ordering::Relaxed) {
                return Outcome::Stopped;
            }
            let answer = (self.answer)(request);
            if self.stop.load(Ordering::Relaxed) { Outcome::Stopped } else { Outcome::Answer(answer) }
        };
        requests.iter().map(&mut ask).collect()
    }
}

/// The report; wrong answers are made small with further questions.
fn reported(
    plan: &Plan,
    stop: &AtomicBool,
    said: Capabilities,
    tally: Tally,
    mut peer: Option<&mut dyn Ask>,
) -> Report {
    let interrupted = stop.load(Ordering::Relaxed);
    let mut examples = Vec::new();
    for found in tally.examples {
        let mut all: Vec<Example> = found.into_values().flat_map(BTreeMap::into_values).collect();
        all.sort_by_key(|example| example.case);
        if let Some(peer) = &mut peer {
            all.iter_mut()
                .filter(|example| example.verdict == "wrong")
                .for_each(|example| make_small(plan, &said, &mut **peer, example));
        }
        examples.push(all);
    }
    Report {
        plan: plan.clone(),
        capabilities: said,
        counts: tally.counts,
        examples,
        interrupted,
        starts: 0,
        stray_lines: 0,
    }
}

/// What the workers share.
struct Shared<'a> {
    capabilities: &'a Capabilities,
    /// the next case of the shard
    next: AtomicU64,
    offered: Vec<bool>,
    failures: Vec<AtomicU32>,
    all_failures: AtomicU32,
}

impl<'a> Shared<'a> {
    fn new(plan: &Plan, offered: Option<&BTreeSet<String>>, capabilities: &'a Capabilities) -> Self {
        let has = |op: &String| offered.is_none_or(|names| names.contains(op) || names.contains(protocol_name(op)));
        Shared {
            capabilities,
            next: AtomicU64::new(0),
            offered: plan.ops.iter().map(has).collect(),
            failures: plan.ops.iter().map(|_| AtomicU32::new(0)).collect(),
            all_failures: AtomicU32::new(0),
        }
    }

    fn given_up(&self, op: usize) -> bool {
        self.all_failures.load(Ordering::Relaxed) >= GIVE_UP_ALL
            || self.failures.get(op).is_some_and(|failures| failures.load(Ordering::Relaxed) >= GIVE_UP_OP)
    }

    fn note(&self, op: usize, failed: bool) {
        for count in self.failures.get(op).into_iter().chain([&self.all_failures]) {
            if failed {
                count.fetch_add(1, Ordering::Relaxed);
            } else {
                count.store(0, Ordering::Relaxed);
            }
        }
    }
}

/// Examples of one operation by verdict and kind, then by case.
type Examples = BTreeMap<(&'static str, &'static str), BTreeMap<u64, Example>>;

struct Tally {
    counts: Vec<Counts>,
    examples: Vec<Examples>,
}

impl Tally {
    fn new(ops: usize) -> Self {
        Tally { counts: vec![Counts::default(); ops], examples: vec![Examples::new(); ops] }
    }

    fn merge(&mut self, other: Tally, limit: usize) {
        for (counts, more) in self.counts.iter_mut().zip(&other.counts) {
            counts.add(more);
        }
        for (op, more) in other.examples.into_iter().enumerate() {
            more.into_values().flat_map(BTreeMap::into_values).for_each(|example| self.keep(op, example, limit));
        }
    }

    /// Keeps the first few of each kind, whatever the order in which they come.
    fn keep(&mut self, op: usize, example: Example, limit: usize) {
        let limit = if example.verdict == "wrong" { limit } else { 1 };
        if let Some(examples) = self.examples.get_mut(op) {
            let kind = examples.entry((example.verdict, example.kind)).or_default();
            kind.insert(example.case, example);
            while kind.len() > limit {
                kind.pop_last();
            }
        }
    }
}

fn work(plan: &Plan, shared: &Shared<'_>, peer: &mut dyn Ask, progress: &(dyn Fn(u64) + Sync)) -> Tally {
    let mut tally = Tally::new(plan.ops.len());
    let count = plan.shard.count(plan.total());
    let step = plan.batch.unwrap_or(1).max(1) as u64;
    loop {
        let from = shared.next.fetch_add(step, Ordering::Relaxed);
        if from >= count {
            return tally;
        }
        let until = (from + step).min(count);
        let (mut cases, mut requests) = (Vec::new(), Vec::new());
        for i in from..until {
            let mut case = plan.case(i * plan.shard.of + plan.shard.index);
            let counts = &mut tally.counts[case.op];
            if !shared.offered[case.op] {
                counts.not_offered += 1;
            } else if shared.given_up(case.op) {
                counts.not_asked += 1;
            } else {
                let round = case.number / (plan.ops.len() as u64).max(1);
                let Some(asked) = shared.capabilities.fixed(case.request, round) else { continue };
                case.request = asked;
                match shared.capabilities.outgoing(&case.request) {
                    Ok(request) => {
                        requests.push(request);
                        cases.push(case);
                    }
                    Err(why) => *counts.outside.entry(why).or_default() += 1,
                }
            }
        }
        for (case, outcome) in cases.into_iter().zip(peer.ask(&requests)) {
            if outcome == Outcome::Stopped {
                return tally;
            }
            let outcome = in_our_order(shared.capabilities, &case.request, outcome);
            shared.note(case.op, !matches!(outcome, Outcome::Answer(_)));
            record(plan, shared.capabilities, &mut tally, case, outcome);
        }
        progress(until - from);
    }
}

/// An outcome in our order. An adapter whose child crashed says so itself.
fn in_our_order(capabilities: &Capabilities, request: &Value, outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Answer(answer) if answer["error"]["code"] == "crashed" => {
            let message = answer["error"]["message"].as_str().unwrap_or_default();
            Outcome::Crashed(signal::named(message), message.to_owned())
        }
        Outcome::Answer(answer) => Outcome::Answer(capabilities.incoming(request, answer)),
        other => other,
    }
}

fn record(plan: &Plan, capabilities: &Capabilities, tally: &mut Tally, case: Case, outcome: Outcome) {
    let counts = &mut tally.counts[case.op];
    if matches!(&outcome, Outcome::Answer(answer) if answer["error"]["code"] == "aborted") {
        counts.aborted += 1;
    }
    let (verdict, kind, answer, why) = match outcome {
        Outcome::Stopped => return,
        Outcome::TimedOut => {
            counts.timed_out += 1;
            ("timed out", "", Value::Null, String::new())
        }
        Outcome::Crashed(how, detail) => {
            *counts.crashed.entry(how).or_default() += 1;
            ("crashed", how, Value::Null, detail)
        }
        Outcome::Answer(answer) if not_offered(&answer) => {
            counts.not_offered += 1;
            return;
        }
        Outcome::Answer(answer) => match capabilities.judge(&case.request, &answer, plan.exact) {
            Err(why) => {
                *counts.outside.entry(why).or_default() += 1;
                return;
            }
            Ok(verdict) => match verdict {
                Verdict::Right => {
                    counts.right += 1;
                    return;
                }
                Verdict::Extended(why) => {
                    *counts.extended.entry(why).or_default() += 1;
                    return;
                }
                Verdict::RefusedRightly => {
                    counts.refused_rightly += 1;
                    return;
                }
                Verdict::ExistsOutside(_) => {
                    counts.exists_outside += 1;
                    return;
                }
                Verdict::Unjudged => {
                    counts.unjudged += 1;
                    return;
                }
                Verdict::RefusedThoughExists(why) => {
                    counts.refused_though_exists += 1;
                    ("refused though it exists", "", answer, why)
                }
                Verdict::Wrong(wrong) => {
                    *counts.wrong.entry(wrong.kind).or_default() += 1;
                    ("wrong", wrong.kind, answer, wrong.text)
                }
            },
        },
    };
    let right = right_answer(&case.request);
    let example =
        Example { case: case.number, verdict, kind, request: case.request, answer, right, why, shrunk_from: None };
    tally.keep(case.op, example, plan.examples);
}

fn not_offered(answer: &Value) -> bool {
    answer["error"]["code"] == "unknown_op"
}

/// Asks about smaller and smaller requests, as long as the answer is wrong in the same way.
fn make_small(plan: &Plan, capabilities: &Capabilities, peer: &mut dyn Ask, example: &mut Example) {
    let (kind, drawn) = (example.kind, example.request.clone());
    let small = shrink(&drawn, |request| {
        let Ok(sent) = capabilities.outgoing(request) else { return false };
        let Some(Outcome::Answer(answer)) = peer.ask(&[sent]).pop() else { return false };
        let answer = capabilities.incoming(request, answer);
        match capabilities.judge(request, &answer, plan.exact) {
            Ok(Verdict::Wrong(wrong)) if wrong.kind == kind => {
                example.answer = answer;
                example.why = wrong.text;
                true
            }
            _ => false,
        }
    });
    if small != drawn {
        example.right = right_answer(&small);
        example.request = small;
        example.shrunk_from = Some(drawn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::Shard;
    use razorgirl_protocol::Engine;
    use serde_json::json;
    use std::time::Duration;

    fn plan() -> Plan {
        Plan {
            command: String::new(),
            ops: ["coalesce", "composition"].map(str::to_owned).to_vec(),
            cases: 60,
            seed: 1,
            shard: Shard::ALL,
            jobs: 1,
            batch: None,
            timeout: Duration::ZERO,
            start_timeout: Duration::ZERO,
            exact: true,
            examples: 1,
        }
    }

    #[test]
    fn a_function_of_this_process_is_judged() {
        let stop = AtomicBool::new(false);
        let mut right = |request: &Value| {
            let mut line = Vec::new();
            let asked = format!("{request}\n");
            razorgirl_protocol::serve_by(asked.as_bytes(), &mut line, Engine::Library).expect("it is in memory");
            serde_json::from_slice(&line).expect("it is JSON")
        };
        let report = run_within(&plan(), Capabilities::default(), &stop, &mut right);
        let total = report.total();
        assert_eq!(
            (total.wrong(), total.refused_though_exists, total.right > 30),
            (0, 0, true),
            "{}",
            report.to_text()
        );
        let mut first = |request: &Value| json!({"id": request["id"], "result": request["args"][0]});
        let report = run_within(&plan(), Capabilities::default(), &stop, &mut first);
        assert!(report.total().wrong() > 30, "{}", report.to_text());
        assert!(report.examples.iter().all(|all| all.iter().any(|example| example.shrunk_from.is_some())));
    }

    /// Each request of a fixed set is asked once, whatever number of cases is wanted, and no other one.
    #[test]
    fn a_fixed_set_of_requests_is_asked() {
        let layout = |extent: u64| json!({"shape": extent, "stride": 2});
        let requests = json!({"coalesce": [[layout(3)], [layout(4)]]});
        let capabilities = Capabilities::read(&json!({"peer": {"requests": requests}})).expect("it is well said");
        let mut asked = Vec::new();
        let mut same = |request: &Value| {
            asked.push(request["args"][0].clone());
            json!({"id": request["id"], "result": request["args"][0]})
        };
        let report = run_within(&plan(), capabilities, &AtomicBool::new(false), &mut same);
        assert_eq!((report.total().right, report.total().wrong()), (2, 0), "{}", report.to_text());
        assert_eq!(asked, [layout(3), layout(4)]);
    }

    #[test]
    fn it_can_be_stopped() {
        let stop = AtomicBool::new(false);
        let mut asked = 0;
        let mut answer = |_: &Value| {
            asked += 1;
            stop.store(asked == 3, Ordering::Relaxed);
            Value::Null
        };
        assert!(run_within(&plan(), Capabilities::default(), &stop, &mut answer).interrupted);
        assert_eq!(asked, 3);
    }
}
