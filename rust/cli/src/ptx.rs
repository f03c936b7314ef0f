//! `razorgirl ptx`: shared-memory wavefronts, alignment and bounds of what a compiler printed.

use razorgirl_ptx::eval::Launch;
use razorgirl_ptx::find::{Check, Verdict, short_name};
use razorgirl_ptx::read::read;
use razorgirl_ptx::report::{Change, Finding, Remedy, Report, Row, Severity, Worst, report};
use razorgirl_view::failure::Failure;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Count the wavefronts of every shared-memory access of a kernel from its PTX
///
/// The accesses are evaluated for all threads of a block: `nvcc -ptx -lineinfo -arch=sm_90a kernels.cu`, Triton's `kernel.asm["ptx"]`.
/// An access is exact, conditional (the count holds under the condition that is named), at most (an unknown part of the threads
/// executes it), data-dependent, or open. ptxas may merge or move accesses: the counts are those of the PTX.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// PTX files; '-' reads standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// threads of a block, as 128 or 32x8 or 8x8x4; a kernel with .reqntid has its own
    #[arg(long, value_name = "X[xY[xZ]]", value_parser = shape)]
    block: Option<[u32; 3]>,
    /// blocks of the grid, as 16 or 16x4
    #[arg(long, value_name = "X[xY[xZ]]", value_parser = shape)]
    grid: Option<[u32; 3]>,
    /// bytes of dynamic shared memory
    #[arg(long, value_name = "BYTES")]
    smem: Option<u64>,
    /// the value of a kernel's parameter: its name in the PTX, or `param_0` for the first; may be repeated
    #[arg(long, value_name = "NAME=N", value_parser = parameter)]
    param: Vec<(String, u64)>,
    /// only kernels whose name contains this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    kernel: String,
    /// list every access with its verdict
    #[arg(long)]
    accesses: bool,
    /// print JSON: a list with one object for each kernel
    #[arg(long)]
    json: bool,
}

/// Bytes that are read of one file.
const MOST_BYTES: u64 = 1 << 30;

fn shape(text: &str) -> Result<[u32; 3], String> {
    let mut shape = [1; 3];
    let parts: Vec<&str> = text.split('x').collect();
    if parts.len() > 3 {
        return Err("there are at most three extents: write 32x8 or 8x8x4".into());
    }
    for (extent, part) in shape.iter_mut().zip(parts) {
        *extent = part.parse().ok().filter(|x| *x > 0).ok_or_else(|| format!("«{part}» is no extent: write 32x8"))?;
    }
    Ok(shape)
}

fn parameter(text: &str) -> Result<(String, u64), String> {
    let bad = || "write NAME=N with an integer N of 64 bits, for example param_2=4096".to_owned();
    let (name, value) = text.split_once('=').ok_or_else(bad)?;
    let value = value.parse::<u64>().or_else(|_| value.parse::<i64>().map(i64::cast_unsigned)).map_err(|_| bad())?;
    Ok((name.to_owned(), value))
}

/// Prints what is found.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let launch = Launch {
        block: args.block,
        grid: args.grid,
        shared_bytes: args.smem,
        params: args.param.iter().cloned().collect(),
    };
    let (mut all, mut kernels, mut unknown) = (Vec::new(), 0, launch.params.clone());
    for path in &args.files {
        let text = text(path)?;
        let name = if path.as_os_str() == "-" { "<stdin>".to_owned() } else { path.display().to_string() };
        let module = read(&text).map_err(|error| {
            unreadable(format!("{name}:{}:{}: {}", error.at.line, error.at.column, error.message), error.help)
        })?;
        for kernel in module.kernels.iter().filter(|x| x.entry) {
            unknown.retain(|given, _| {
                let of = |(at, x): (usize, &razorgirl_ptx::read::Variable)| {
                    *given == x.name || *given == format!("param_{at}") || *given == at.to_string()
                };
                !kernel.params.iter().enumerate().any(of)
            });
        }
        let reports = report(&module, &launch, &args.kernel);
        kernels += reports.len();
        all.push((name, reports));
    }
    if let Some(name) = unknown.keys().next() {
        return Err(unreadable(
            format!("no kernel has a parameter {name}"),
            "use the name in the PTX, or param_0 for the first".into(),
        ));
    }
    if args.json {
        let list: Vec<Value> =
            all.iter().flat_map(|(file, reports)| reports.iter().map(|x| as_json(file, x))).collect();
        writeln!(out, "{}", Value::from(list))?;
    } else {
        for (file, one) in all.iter().flat_map(|(file, reports)| reports.iter().map(move |x| (file, x))) {
            show(file, one, args.accesses, out)?;
        }
    }
    let reports = || all.iter().flat_map(|(_, reports)| reports);
    let found = reports().flat_map(|x| &x.findings).any(|x| x.severity != Severity::Note);
    if !found && (kernels == 0 || reports().any(|x| x.refused.is_some())) {
        if kernels == 0 && !args.json {
            writeln!(out, "no kernel to evaluate")?;
        }
        return Ok(ExitCode::from(crate::status::UNUSABLE));
    }
    Ok(ExitCode::from(u8::from(found)))
}

fn unreadable(message: String, help: String) -> Failure {
    Failure::Unreadable { code: "parse".into(), message, help: vec![help] }
}

fn text(path: &Path) -> Result<String, Failure> {
    let named = |error: std::io::Error| std::io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        std::io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(path).map_err(named)?.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(named)?;
    }
    String::from_utf8(bytes).map_err(|error| {
        let message = format!("{}: byte {} is not UTF-8", path.display(), error.utf8_error().valid_up_to());
        unreadable(message, "is this a PTX file?".into())
    })
}

fn of_block(block: Option<[u32; 3]>) -> String {
    block.map_or_else(
        || "unknown".to_owned(),
        |[x, y, z]| if z > 1 { format!("{x}x{y}x{z}") } else { format!("{x}x{y}") },
    )
}

fn tally(verdicts: &BTreeMap<Verdict, usize>) -> String {
    let all: Vec<String> = verdicts.iter().map(|(verdict, count)| format!("{count} {}", verdict.name())).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// Where an access stands: in the source, in the PTX.
fn place(file: &str, row: &Row) -> String {
    let ptx = format!("{file}:{}", row.ptx_line);
    match &row.source {
        None => ptx,
        Some(source) => {
            let inlined =
                source.inlined.as_ref().map_or(String::new(), |(file, line)| format!(", inlined from {file}:{line}"));
            format!("{}:{}:{} ({ptx}{inlined})", source.file, source.line, source.column)
        }
    }
}

fn show(file: &str, report: &Report, accesses: bool, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{file}: {} [{}], block {}", report.kernel, report.target, of_block(report.block))?;
    if let Some(why) = &report.refused {
        return writeln!(out, "  not evaluated: {why}");
    }
    writeln!(out, "  shared accesses: {}", tally(&report.verdicts()))?;
    if accesses {
        for row in &report.rows {
            list(file, row, out)?;
        }
    }
    // one finding of several instructions is printed once
    let mut groups: Vec<(&Finding, usize)> = Vec::new();
    let mut places: HashMap<_, usize> = HashMap::new();
    for finding in &report.findings {
        let row = &report.rows[finding.row];
        let line = row.source.as_ref().map(|s| (&s.file, s.line));
        let at = *places.entry((finding.code, &finding.message, line, &row.array)).or_insert(groups.len());
        match groups.get_mut(at) {
            Some((_, others)) => *others += 1,
            None => groups.push((finding, 0)),
        }
    }
    for (finding, others) in groups {
        let row = &report.rows[finding.row];
        let again = match others {
            0 => String::new(),
            1 => ", and one more instruction of this line".to_owned(),
            _ => format!(", and {others} more instructions of this line"),
        };
        let array = row.array.as_ref().map_or(String::new(), |x| format!(", array {}", short_name(x)));
        writeln!(out, "{}[{}]: {}", finding.severity.name(), finding.code, finding.message)?;
        writeln!(out, "  --> {}{array}{again}", place(file, row))?;
        if row.verdict == Verdict::Conditional && finding.code == "bank-conflict" {
            writeln!(out, "  condition: {}", row.why)?;
        }
    }
    for remedy in &report.remedies {
        writeln!(out, "help: {}", words(remedy))?;
    }
    Ok(())
}

fn list(file: &str, row: &Row, out: &mut impl Write) -> std::io::Result<()> {
    let count = row.count.map_or_else(|| "-".to_owned(), |x| format!("{} of {}", x.wavefronts, x.least));
    let why = if row.why.is_empty() { String::new() } else { format!(": {}", row.why) };
    let array = row.array.as_ref().map_or(String::new(), |x| format!(" {}", short_name(x)));
    let (kind, space, bytes) = (row.kind, row.space, row.bytes);
    let needs = |what: &str, check: Option<&Worst>| match check.map(|x| &x.check) {
        Some(Check::Needs(needs)) => format!("; {what} not decided: {needs}"),
        Some(Check::Fails { threads, .. }) => format!("; {what} broken by {threads} threads"),
        _ => String::new(),
    };
    let checks = needs("alignment", Some(&row.aligned)) + &needs("bounds", row.bounds.as_ref());
    let how_often = match (row.repeated, row.sometimes, row.times) {
        (true, ..) => ", in a loop".to_owned(),
        (_, true, _) => ", if the warp comes here".to_owned(),
        (.., 1) => String::new(),
        (.., times) => format!(", {times} times"),
    };
    writeln!(
        out,
        "  {}: {kind}.{space} {bytes} bytes{array}: wavefronts {count}, {}{why}{how_often}{checks}",
        place(file, row),
        row.verdict.name()
    )
}

fn words(remedy: &Remedy) -> String {
    let Remedy { array, change, before, after, accesses } = remedy;
    let array = short_name(array);
    let counted =
        format!("counted again over all {accesses} accesses of {array}: {after} wavefronts instead of {before}");
    match change {
        Change::Padding { pitch, free } => {
            format!("pad each {pitch} bytes of {array} by {free}, a pitch of {} bytes; {counted}", pitch + free)
        }
        Change::Swizzle { bits, base, shift } => {
            format!("store byte b of {array} at Swizzle<{bits},{base},{shift}>(b); {counted}")
        }
    }
}

fn check(worst: &Worst) -> Value {
    match &worst.check {
        Check::Holds => json!({"verdict": "holds"}),
        Check::Needs(what) => json!({"verdict": "conditional", "needs": what}),
        Check::Fails { threads, reach } => {
            let reach = reach.and_then(|(from, to)| Some([i64::try_from(from).ok()?, i64::try_from(to).ok()?]));
            json!({"verdict": "fails", "certain": worst.certain, "threads": threads, "reach": reach})
        }
    }
}

fn as_json(file: &str, report: &Report) -> Value {
    let source = |row: &Row| {
        row.source.as_ref().map(|s| {
            let inlined = s.inlined.as_ref().map(|(file, line)| json!({"file": file, "line": line}));
            json!({"file": s.file, "line": s.line, "column": s.column, "inlined": inlined})
        })
    };
    let accesses: Vec<Value> = report
        .rows
        .iter()
        .map(|row| {
            let count = row.count.map(|x| {
                json!({"wavefronts": x.wavefronts, "least": x.least, "worst_warp": {"wavefronts": x.worst.0, "least": x.worst.1}})
            });
            json!({
                "ptx_line": row.ptx_line, "source": source(row), "kind": row.kind, "space": row.space, "bytes": row.bytes,
                "array": row.array,
                "verdict": row.verdict.name(), "why": row.why, "evaluations": row.times, "in_loop": row.repeated,
                "sometimes": row.sometimes, "count": count,
                "aligned": check(&row.aligned), "bounds": row.bounds.as_ref().map(check),
            })
        })
        .collect();
    let findings: Vec<Value> = report
        .findings
        .iter()
        .map(|x| json!({"severity": x.severity.name(), "code": x.code, "message": x.message, "access": x.row, "remedy": x.remedy}))
        .collect();
    let remedies: Vec<Value> = report
        .remedies
        .iter()
        .map(|x| {
            let change = match x.change {
                Change::Padding { pitch, free } => json!({"pitch": pitch, "free": free}),
                Change::Swizzle { bits, base, shift } => json!({"swizzle": [bits, base, shift]}),
            };
            json!({"array": x.array, "change": change, "wavefronts": {"before": x.before, "after": x.after}, "accesses": x.accesses})
        })
        .collect();
    json!({
        "file": file, "kernel": report.kernel, "target": report.target, "block": report.block, "refused": report.refused,
        "accesses": accesses, "findings": findings, "remedies": remedies,
    })
}
