//! `razorgirl explain`: how an operation comes to its result.

mod derive;
mod expression;
mod law;
mod picture;
mod trace;

use crate::failure::Failure;
use crate::output::{self, Output as Drawn};
use crate::{svg, table};
use derive::derive;
use expression::{Expression, Given};
use razorgirl_protocol::{Answer, Argument, Call};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use trace::Trace;

/// `razorgirl explain`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// an operation on layouts and tilers in CuTe notation; arguments may be operations themselves
    expression: String,
    /// also draw before and after into this file, tiles in colours; with `-` only draw, on standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Cells of a table that is shown.
const TABLE: u64 = 256;

/// Prints the derivation.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let expression = Expression::read(&args.expression)?;
    let Expression::Call(name, arguments) = &expression else {
        return Err(Failure::Refused {
            code: "parse".into(),
            message: format!("{} is no operation", args.expression),
            help: vec![
                "write an operation: razorgirl explain 'logical_divide((16):(1), (4):(1))'".into(),
                format!("or look at the layout: razorgirl show '{}'", args.expression),
            ],
        });
    };
    let picture = args.svg.as_deref().map(Drawn::open).transpose()?;
    let (call, answer) = if args.svg.as_deref().is_some_and(output::is_standard) {
        derivation(name, arguments, &mut std::io::sink())?
    } else {
        derivation(name, arguments, out)?
    };
    if let Some(picture) = picture {
        svg::save(&picture::picture(&call, &answer)?, picture, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Explains an operation, after those in its arguments; what was asked, and the answer.
fn derivation(name: &str, arguments: &[Expression], out: &mut impl Write) -> Result<(Call, Answer), Failure> {
    let mut given = vec![];
    for argument in arguments {
        given.push(match argument {
            Expression::Text(text) => Given::Text(text),
            Expression::Call(name, arguments) => {
                let (_, answer) = derivation(name, arguments, out)?;
                writeln!(out)?;
                Given::Output(answer.result)
            }
        });
    }
    let call = expression::call(name, &given)?;
    let answer = explain(&call, out)?;
    Ok((call, answer))
}

fn explain(call: &Call, out: &mut impl Write) -> Result<Answer, Failure> {
    let title = title(call.op().name, call.arguments());
    writeln!(out, "{title}")?;
    let mut trace = Trace::default();
    derive(&mut trace, call);
    let answer = call.run();
    // what was found before a refusal shows where it comes from
    write!(out, "{}", trace.render())?;
    if answer.is_err() {
        writeln!(out)?;
    }
    let answer = answer?;
    writeln!(out, "\n= {}", answer.result)?;
    let law = law::law(call, &answer.result);
    if let Some(law) = &law {
        writeln!(out, "\n  law      {}", law.statement)?;
        match &law.checked {
            Some(Ok(what)) => writeln!(out, "  checked  {what}")?,
            Some(Err(what)) => return Err(broken(&title, what)),
            None => {}
        }
    }
    if let Some(after) = answer.result.layout().filter(|after| after.rank() == 2 && after.size() <= TABLE) {
        table::write(after, |index| after.at(index).unwrap_or_default(), out)?;
    }
    Ok(answer)
}

/// `name(argument, …)`
fn title(name: &str, arguments: &[Argument]) -> String {
    let arguments: Vec<String> = arguments.iter().map(Argument::to_string).collect();
    format!("{name}({})", arguments.join(", "))
}

fn broken(call: &str, what: &str) -> Failure {
    Failure::Refused {
        code: "internal".into(),
        message: format!("{call}: {what}"),
        help: vec!["this is a fault of razorgirl: please report it with this line".into()],
    }
}
