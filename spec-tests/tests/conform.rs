//! The driver behind `razorgirl conform`: against a peer that fails in every way, and against real ones.

use razorgirl_conform::Verdict;
use razorgirl_conform::driver::{self, CannotStart, Example, Plan, Report, Shard};
use razorgirl_conform::generate::names_of;
use razorgirl_conform::judge::judge;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

const SEED: u64 = 7;

fn plan(command: &str, ops: &[&str], cases: u64) -> Plan {
    Plan {
        command: command.to_owned(),
        ops: ops.iter().map(|op| (*op).to_owned()).collect(),
        cases,
        seed: SEED,
        shard: Shard::ALL,
        jobs: 1,
        batch: None,
        timeout: Duration::from_millis(500),
        // machines that run many tests at once take their time to start Python
        start_timeout: Duration::from_mins(1),
        exact: false,
        examples: 1,
    }
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn fake(mode: &str, log: &Path) -> String {
    let script = here().join("tests/fixtures/fake_peer.py");
    format!("exec python3 '{}' '{mode}' '{}'", script.display(), log.display())
}

fn run(plan: &Plan) -> Result<Report, CannotStart> {
    driver::run(plan, &AtomicBool::new(false), &|_| ())
}

/// Runs the fake peer and checks that nothing of it is left.
fn run_fake(mode: &str, change: impl FnOnce(&mut Plan)) -> Result<Report, CannotStart> {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("pids");
    let mut plan = plan(&fake(mode, &log), &["size"], CASES);
    change(&mut plan);
    let report = run(&plan);
    // nothing yet if it was ended before Python had started
    let pids = std::fs::read_to_string(log).unwrap_or_default();
    assert!(report.is_err() || pids.lines().count() > 0, "the fake peer notes its processes");
    if cfg!(target_os = "linux") {
        for pid in pids.lines() {
            // whoever adopts an orphan needs a moment to collect it
            let gone = (0..100).any(|_| {
                let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
                let ours = stat.split_whitespace().nth(3) == Some(&std::process::id().to_string());
                let alive = !stat.is_empty() && (ours || stat.split_whitespace().nth(2) != Some("Z"));
                if alive {
                    std::thread::sleep(Duration::from_millis(50));
                }
                !alive
            });
            assert!(gone, "{mode}: process {pid} is left");
        }
    }
    report
}

/// What the fake peer is asked.
const CASES: u64 = 15;
/// Cases 0, 7 and 14 of these: the others must not suffer.
const FAILING: u64 = 3;

fn crashes(mode: &str, how: &str) {
    let report = run_fake(mode, |plan| plan.timeout = Duration::from_secs(1)).expect("it starts");
    let counts = report.total();
    assert_eq!(counts.crashed.get(how), Some(&FAILING), "{mode}: {counts:?}");
    assert_eq!(counts.right + counts.unjudged + counts.refused_though_exists, CASES - FAILING, "{mode}: {counts:?}");
    // who only tells of a crash of its child goes on
    assert!(report.starts >= FAILING || mode == "child fault", "{mode}");
}

#[test]
fn survives_a_peer_that_dies() {
    crashes("exit", "died");
    crashes("half a line", "died");
}

#[cfg(unix)]
#[test]
fn a_fault_of_a_peer_has_its_name() {
    crashes("fault", "died of SIGFPE");
    crashes("child fault", "died of SIGSEGV");
}

#[cfg(unix)]
#[test]
fn an_assertion_is_a_refusal() {
    let report = run_fake("abort", |plan| plan.timeout = Duration::from_secs(1)).expect("it starts");
    let counts = report.total();
    assert_eq!((counts.aborted, counts.unanswered(), counts.wrong()), (FAILING, 0, 0), "{counts:?}");
    assert_eq!(counts.right + counts.unjudged + counts.refused_though_exists, CASES, "{counts:?}");
    assert!(report.starts >= FAILING);
    assert!(report.to_text().contains("3 of the refusals are assertions"), "{}", report.to_text());
}

#[test]
fn survives_a_peer_that_floods() {
    crashes("flood", "flooded its output");
    crashes("flood without lines", "flooded its output");
}

#[test]
fn survives_a_peer_that_answers_garbage() {
    crashes("garbage", "answered garbage");
    crashes("wrong id", "answered a wrong id");
}

#[test]
fn ends_what_a_peer_has_started() {
    // its child keeps the pipe open, so that the end of the peer cannot be seen
    let report = run_fake("child", |_| ()).expect("it starts");
    assert_eq!(report.total().timed_out, FAILING);
}

#[test]
fn survives_a_peer_that_hangs() {
    for mode in ["hang", "late", "deaf"] {
        let report = run_fake(mode, |_| ()).expect("it starts");
        let counts = report.total();
        assert_eq!((counts.timed_out, counts.right), (FAILING, CASES - FAILING), "{mode}: {counts:?}");
    }
}

#[test]
fn gives_up_when_nothing_comes_any_more() {
    let start = Instant::now();
    let report = run_fake("hang always", |plan| plan.cases = 10_000).expect("it starts");
    let counts = report.total();
    assert!(counts.timed_out < 10 && counts.not_asked > 9_900, "{counts:?}");
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn puts_up_with_noise() {
    for mode in ["flood stderr", "chatter", "slow start", "no ops"] {
        let report = run_fake(mode, |_| ()).expect("it starts");
        assert_eq!((report.total().right, report.starts), (CASES, 1), "{mode}: {:?}", report.total());
    }
}

#[test]
fn a_peer_that_does_not_start_is_an_error() {
    let error = run_fake("dies at once", |_| ()).expect_err("it dies");
    assert!(error.to_string().contains("cannot find my configuration"), "{error}");
    let error = run_fake("never starts", |plan| plan.start_timeout = Duration::from_secs(2)).expect_err("it sleeps");
    assert!(error.to_string().contains("--start-timeout"), "{error}");
    let error = run(&plan("/nowhere/at/all", &["size"], 1)).expect_err("it is not there");
    assert!(error.to_string().contains("/nowhere/at/all"), "{error}");
}

#[test]
fn asks_only_for_what_is_offered() {
    let report = run_fake("chatter", |plan| plan.ops.push("rank".into())).expect("it starts");
    assert_eq!((report.counts[1].not_offered, report.counts[1].right), (CASES, 0));
    // who does not say is asked, and says then
    let report = run_fake("no ops", |plan| plan.ops.push("rank".into())).expect("it starts");
    assert_eq!((report.counts[1].not_offered, report.counts[0].right), (CASES, CASES));
}

#[test]
fn a_batch_peer_answers_when_its_input_ends() {
    let report = run_fake("chatter", |plan| plan.batch = Some(6)).expect("it starts");
    // one process for the list of operations, three for the cases
    assert_eq!((report.total().right, report.starts), (CASES, 4));
    let report = run_fake("exit", |plan| plan.batch = Some(6)).expect("it starts");
    assert_eq!(report.total().crashed.get("died"), Some(&FAILING));
    assert_eq!(report.total().right, CASES - FAILING);
}

#[test]
fn wrong_answers_are_shown_small() {
    let report = run_fake("wrong", |_| ()).expect("it starts");
    assert_eq!(report.total().wrong(), FAILING);
    let text = report.to_text();
    assert!(text.contains("size is wrong (value), case 0:"), "{text}");
    assert!(text.contains(r#"{"args":[1],"#), "it is not small:\n{text}");
}

#[test]
fn can_be_stopped() {
    let stop = AtomicBool::new(false);
    let done = AtomicU64::new(0);
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(&fake("chatter", &folder.path().join("pids")), &["size"], 1_000_000);
    let report = driver::run(&plan, &stop, &|more| {
        if done.fetch_add(more, Ordering::Relaxed) >= 50 {
            stop.store(true, Ordering::Relaxed);
        }
    });
    let report = report.expect("it starts");
    let total = report.total();
    // a few of the requests are too large to judge
    let answered = total.right + total.unjudged;
    assert!(report.interrupted && (50..1000).contains(&answered), "{} {total:?}", report.interrupted);
    assert_eq!(report.to_json()["ops"]["size"]["right"].as_u64(), Some(total.right));
    assert!(total.right >= 40, "{total:?}");
}

/// The virtual environment of the adapters, made once.
fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let made = Command::new(here().join("../rust/conform/adapters/venv.sh")).output().expect("the script runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        PathBuf::from(String::from_utf8_lossy(&made.stdout).trim())
    })
}

fn adapter(name: &str) -> String {
    format!("exec '{}' '{}'", python().display(), here().join("../rust/conform/adapters").join(name).display())
}

/// These runs measure time; not two at once.
fn alone() -> impl Drop {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn real(name: &str, ops: &[&str], cases: u64) -> Report {
    let mut plan = plan(&adapter(name), ops, cases);
    plan.timeout = Duration::from_mins(1);
    plan.jobs = 2;
    run(&plan).expect("the adapter starts")
}

fn example<'a>(report: &'a Report, op: &str, kind: &str) -> &'a Example {
    let at = report.plan.ops.iter().position(|name| name == op).expect("it was asked");
    let found = report.examples[at].iter().find(|example| example.verdict == "wrong" && example.kind == kind);
    found.unwrap_or_else(|| panic!("{op}: nothing is wrong by {kind}\n{}", report.to_text()))
}

fn extents(example: &Example) -> u64 {
    fn sum(value: &Value) -> u64 {
        value.as_array().map_or_else(|| value.as_u64().unwrap_or(0), |items| items.iter().map(sum).sum())
    }
    example.request["args"].as_array().into_iter().flatten().map(|arg| sum(&arg["shape"])).sum()
}

#[test]
fn finds_the_bugs_of_pycute() {
    let _alone = alone();
    let start = Instant::now();
    let report = real("pycute_adapter.py", &["composition", "complement", "left_inverse"], 600);
    assert!(start.elapsed() < Duration::from_mins(2), "it took {:?}", start.elapsed());
    // (2,9):(48,24) after 3:1 has two elements
    let lost = example(&report, "composition", "size");
    // (6,2):(1,7) after (3,2):(2,3) carries
    let carried = example(&report, "composition", "carry");
    // complement((2,2):(2,3)) has size 0
    let empty = example(&report, "complement", "extent 0");
    // left_inverse((4,4):(1,6)) is 4:1
    let inverse = example(&report, "left_inverse", "value");
    for example in [lost, carried, empty, inverse] {
        assert!(extents(example) <= 12, "not small: {}", example.request);
        assert!(!example.right.is_empty() && !example.why.is_empty());
    }
    let total = report.total();
    assert!(total.crashed.is_empty() && total.timed_out == 0, "{total:?}");
}

#[test]
fn finds_the_divisions_and_products_of_pycute() {
    let _alone = alone();
    let ops = ["logical_divide", "logical_product", "tiled_divide", "zipped_divide", "zipped_product", "hier_unzip"];
    let report = real("pycute_adapter.py", &ops, 600);
    println!("{}", report.to_text());
    // tiles that do not fit: elements are lost without a word, or all of them
    let lost = example(&report, "zipped_divide", "lost");
    example(&report, "logical_divide", "extent 0");
    // NVIDIA/cutlass 3478: by an integer it divides
    let divides = example(&report, "logical_product", "block");
    for example in [lost, divides] {
        assert!(extents(example) <= 12, "not small: {}", example.request);
    }
    let total = report.total();
    assert!(total.crashed.is_empty() && total.timed_out == 0, "{total:?}");
}

#[test]
fn judges_the_divisions_and_products_of_tensor_layouts() {
    let _alone = alone();
    let ops = names_of(&["divide", "product"]);
    let report = real("tensor_layouts_adapter.py", &ops, 300);
    println!("{}", report.to_text());
    let total = report.total();
    assert!(total.right > 1_000 && total.crashed.is_empty() && total.timed_out == 0, "{total:?}");
}

#[test]
fn finds_the_carry_in_tensor_layouts() {
    let _alone = alone();
    let start = Instant::now();
    let report = real("tensor_layouts_adapter.py", &["composition", "complement"], 600);
    assert!(start.elapsed() < Duration::from_mins(2), "it took {:?}", start.elapsed());
    let carried = example(&report, "composition", "carry");
    assert!(extents(carried) <= 12, "not small: {}", carried.request);
    example(&report, "complement", "overlap");
}

#[test]
fn the_same_seed_finds_the_same() {
    let _alone = alone();
    let ops = ["composition", "complement"];
    let (one, two) = (real("pycute_adapter.py", &ops, 150), real("pycute_adapter.py", &ops, 150));
    assert_eq!(one.to_json(), {
        let mut json = two.to_json();
        json["starts"] = one.to_json()["starts"].clone();
        json
    });
}

#[test]
fn shards_add_up_to_the_whole() {
    let _alone = alone();
    let whole = plan(&adapter("pycute_adapter.py"), &["composition", "complement", "right_inverse"], 100);
    let run = |shard| {
        let plan = Plan { shard, timeout: Duration::from_mins(1), ..whole.clone() };
        run(&plan).expect("the adapter starts")
    };
    let mut sum: Vec<driver::Counts> = vec![driver::Counts::default(); 3];
    for index in 0..4 {
        let part = run(Shard { index, of: 4 });
        sum.iter_mut().zip(&part.counts).for_each(|(sum, part)| sum.add(part));
    }
    assert_eq!(sum, run(Shard::ALL).counts);
}

/// Our own implementation, held to its own normal forms and codes, without a process in between.
#[test]
fn razorgirl_answers_nothing_wrong() {
    let ops = names_of(&["composition", "complement", "inverse", "common", "divide", "product", "partition"]);
    let plan = Plan { exact: true, ..plan("", &ops, 600) };
    let mut unjudged = 0;
    for number in 0..plan.total() {
        let request = plan.case(number).request;
        let answer = razorgirl_protocol::answer(request.to_string().as_bytes());
        let answer: Value = serde_json::from_str(&answer).expect("we answer JSON");
        for exact in [true, false] {
            let verdict = judge(&request, &answer, exact);
            // a composite that exists only for these strides: strict composition is not meant to find it
            let accidental = !exact
                && matches!(verdict, Verdict::RefusedThoughExists(_))
                && request["op"].as_str().is_some_and(|op| op.starts_with("composition"))
                && request["mode"] != "complete";
            assert!(verdict.is_fine() || accidental, "{verdict:?}\nrequest: {request}\nanswer:  {answer}");
            unjudged += u64::from(verdict == Verdict::Unjudged);
        }
    }
    assert!(unjudged < plan.total() / 20, "{unjudged} of {} could not be judged", plan.total());
}
