//! `razorgirl explain`: how an operation comes to its result.

mod derive;
mod expression;
mod law;
mod picture;
mod trace;

use crate::failure::Failure;
use crate::notation::{given, layout_json, result};
use crate::output::{self, Output};
use crate::{svg, table};
use derive::{derive, layout};
use expression::Expression;
use serde_json::Value;
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
    let picture = args.svg.as_deref().map(Output::open).transpose()?;
    let (values, answer) = if args.svg.as_deref().is_some_and(output::is_standard) {
        derivation(name, arguments, &mut std::io::sink())?
    } else {
        derivation(name, arguments, out)?
    };
    if let Some(picture) = picture {
        svg::save(&picture::picture(name, &values, &answer)?, picture, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Explains an operation; the values of its arguments, and its own.
fn derivation(name: &str, arguments: &[Expression], out: &mut impl Write) -> Result<(Vec<Value>, Value), Failure> {
    let values = arguments.iter().map(|argument| evaluate(argument, out)).collect::<Result<Vec<_>, _>>()?;
    let values = with_layout(name, values);
    let answer = explain(name, &values, out)?;
    Ok((values, answer))
}

/// The value of an argument; operations in it are explained first.
fn evaluate(expression: &Expression, out: &mut impl Write) -> Result<Value, Failure> {
    match expression {
        Expression::Value(value) => Ok(value.clone()),
        Expression::Call(name, arguments) => {
            let values = arguments.iter().map(|argument| evaluate(argument, out)).collect::<Result<Vec<_>, _>>()?;
            let answer = explain(name, &with_layout(name, values), out)?;
            writeln!(out)?;
            Ok(answer)
        }
    }
}

/// A shape alone is column-major where an operation on layouts begins with one, as it is in `razorgirl show`.
fn with_layout(name: &str, mut values: Vec<Value>) -> Vec<Value> {
    let on_layouts =
        ["_divide", "_product", "_divide_ceil", "_by_mode", "composition", "complement", "coalesce", "_inverse"];
    if on_layouts.iter().any(|kind| name.contains(kind))
        && let Some(first) = values.first_mut().filter(|first| !first.is_object())
        && let Ok(read) = given(first).parse()
    {
        *first = layout_json(&read);
    }
    values
}

fn explain(name: &str, values: &[Value], out: &mut impl Write) -> Result<Value, Failure> {
    let call = format!("{name}({})", values.iter().map(given).collect::<Vec<_>>().join(", "));
    writeln!(out, "{call}")?;
    let mut trace = Trace::default();
    let answer = derive(&mut trace, name, values);
    // what was found before a refusal shows where it comes from
    write!(out, "{}", trace.render())?;
    let answer = answer.inspect_err(|_| {
        let _ = writeln!(out);
    })?;
    writeln!(out, "\n= {}", result(&answer))?;
    let law = law::law(name, values, &answer);
    if let Some(law) = &law {
        writeln!(out, "\n  law      {}", law.statement)?;
        match &law.checked {
            Some(Ok(what)) => writeln!(out, "  checked  {what}")?,
            Some(Err(what)) => return Err(broken(&call, what)),
            None => {}
        }
    }
    if let Some(after) = layout(&answer).filter(|after| after.rank() == 2 && after.size() <= TABLE) {
        table::write(&after, out)?;
    }
    Ok(answer)
}

fn broken(call: &str, what: &str) -> Failure {
    Failure::Refused {
        code: "internal".into(),
        message: format!("{call}: {what}"),
        help: vec!["this is a fault of razorgirl: please report it with this line".into()],
    }
}
