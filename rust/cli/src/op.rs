//! `razorgirl op`: any operation of the table, on CuTe notation.

use crate::json;
use clap::Args as Arguments;
use razorgirl_protocol::{Call, Mode, Op, concepts, ops};
use razorgirl_view::failure::Failure;
use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;

/// Any operation of the protocol, on CuTe notation: `razorgirl op slice '(_,1)' '(4,8):(1,4)'`
///
/// `razorgirl op NAME --help` says what an operation takes and means; `razorgirl op ops` lists all of them.
/// The result is printed, then each field beside it on a line of its own; with --json the answer as `razorgirl run` writes it.
#[derive(Arguments, Debug)]
#[command(disable_help_flag = true, override_usage = "razorgirl op NAME [ARGUMENT]... [--mode MODE] [--json]")]
pub struct Args {
    /// name of the operation, then its arguments in CuTe notation; `--mode complete` where it has that mode
    // Told apart by hand: an argument may begin with a minus.
    #[arg(value_name = "NAME [ARGUMENT]...", allow_hyphen_values = true, trailing_var_arg = true)]
    words: Vec<String>,
}

/// What is asked for.
struct Request<'a> {
    name: Option<&'a str>,
    arguments: Vec<&'a str>,
    mode: Mode,
    json: bool,
    help: bool,
}

fn unreadable(message: String, help: String) -> Failure {
    Failure::Unreadable { code: "parse".into(), message, help: vec![help] }
}

impl<'a> Request<'a> {
    fn read(words: &'a [String]) -> Result<Self, Failure> {
        let mut request = Request { name: None, arguments: vec![], mode: Mode::Strict, json: false, help: false };
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let mode = match word {
                "--help" | "-h" => {
                    request.help = true;
                    continue;
                }
                "--json" => {
                    request.json = true;
                    continue;
                }
                "--mode" => Some(words.next().unwrap_or_default()),
                _ => word.strip_prefix("--mode=").or_else(|| word.strip_prefix("mode=")),
            };
            if let Some(mode) = mode {
                let names: Vec<&str> = Mode::ALL.iter().map(|mode| mode.name()).collect();
                let unknown =
                    || unreadable(format!("there is no mode `{mode}`"), format!("modes: {}", names.join(", ")));
                request.mode = Mode::named(mode).ok_or_else(unknown)?;
            } else if request.name.is_none() {
                request.name = Some(word);
            } else {
                request.arguments.push(word);
            }
        }
        Ok(request)
    }
}

/// Answers an operation, or says what it is.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let request = Request::read(&args.words)?;
    let Some(name) = request.name else {
        return if request.help {
            write!(out, "{}", general())?;
            Ok(ExitCode::SUCCESS)
        } else {
            Err(unreadable("which operation?".into(), "`razorgirl op ops` lists them".into()))
        };
    };
    if name == "ops" {
        let width = ops().iter().map(|op| op.name.len()).max().unwrap_or_default();
        for (place, (concept, rows)) in concepts().iter().enumerate() {
            writeln!(out, "{}{concept}", if place == 0 { "" } else { "\n" })?;
            for op in *rows {
                writeln!(out, "  {:width$}  {}", op.name, op.meaning)?;
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    if request.help {
        let op = Op::find(name).map_err(|refusal| Failure::usage(refusal, name))?;
        write!(out, "{}", help(op))?;
        return Ok(ExitCode::SUCCESS);
    }
    let call = Call::from_notation(name, &request.arguments, request.mode);
    let call = call.map_err(|bad| Failure::arguments(bad, &request.arguments))?;
    json::answer(&call, request.json, out)
}

/// What `razorgirl op --help` prints.
fn general() -> String {
    let statuses = crate::status::of("op").unwrap_or_default();
    format!(
        "Any operation of the protocol, on CuTe notation\n\n\
     Usage: razorgirl op NAME [ARGUMENT]... [--mode MODE] [--json]\n\n\
     \x20 razorgirl op slice '(_,1)' '(4,8):(1,4)'\n\
     \x20 razorgirl op composition --help     what an operation takes and means\n\
     \x20 razorgirl op ops                    all operations\n\n\
     The result is printed, then each field beside it on a line of its own; with --json the answer as\n\
     `razorgirl run` writes it.\n\n\
     {statuses}\n"
    )
}

/// What the row of the table says of an operation.
fn help(op: &Op) -> String {
    let mut text = format!("{}: {}\n", op.name, op.meaning);
    let modes: Vec<&str> = op.accepted().map(Mode::name).collect();
    let mode = if modes.len() > 1 { format!(" [--mode {}]", modes.join("|")) } else { String::new() };
    text.push('\n');
    for (form, lead) in op.forms.iter().zip(std::iter::once("Usage: ").chain(std::iter::repeat("       "))) {
        let names: Vec<&str> = form.parameters.iter().map(|parameter| parameter.name).collect();
        let more = if form.repeated { "..." } else { "" };
        let _ = writeln!(text, "{lead}razorgirl op {} {}{more}{mode}", op.name, names.join(" "));
    }
    text.push('\n');
    let mut seen = vec![];
    for parameter in op.forms.iter().flat_map(|form| form.parameters) {
        if !seen.contains(&parameter.name) {
            seen.push(parameter.name);
            let kind = parameter.kind;
            let _ = writeln!(text, "  {:8} {}: {}", parameter.name, kind.expects(), kind.notation());
        }
    }
    if !op.notes.is_empty() {
        let _ = writeln!(text, "\n{}", op.notes);
    }
    if !op.also.is_empty() {
        let _ = writeln!(text, "\nOf layouts of other kinds it answers as {}", op.also.join(" and "));
    }
    if !op.beside.is_empty() {
        let _ = writeln!(text, "\nPrinted beside the result: {}", op.beside.join(", "));
    }
    let (arguments, printed) = op.example;
    let example = Call::from_notation(op.name, arguments, Mode::Strict);
    if let Ok(example) = example {
        let _ = writeln!(text, "\n  $ razorgirl op {example}");
        for line in printed.lines() {
            let _ = writeln!(text, "  {line}");
        }
    }
    text.push('\n');
    let names = op.cute.iter().map(|name| ("CuTe", name)).chain(op.lean.iter().map(|name| ("Lean", name)));
    for (whose, name) in names {
        let _ = writeln!(text, "{whose}: {name}");
    }
    text
}
