//! How an operation comes to its result.

mod derive;
mod expression;
mod law;
mod morphisms;
mod picture;
mod trace;

use crate::failure::Failure;
use crate::table;
use derive::derive;
use expression::{Expression, Operand};
pub use picture::panels;
use razorgirl_protocol::{Answer, Argument, Call, Code};
use std::io::Write;
use trace::Trace;

/// Cells of a table that is shown.
const TABLE: u64 = 256;

/// Writes the derivation of an operation in CuTe notation, whose arguments may be operations. Returns the call and its answer.
///
/// # Errors
/// Malformed text, and the errors of the operations.
pub fn derivation_of(text: &str, out: &mut dyn Write) -> Result<(Call, Answer), Failure> {
    match Expression::read(text)? {
        Expression::Call(name, arguments) => derivation(&name, &arguments, out),
        Expression::Text(_) => Err(Failure::Unreadable {
            code: "parse".into(),
            message: format!("{text} is no operation"),
            help: vec![
                "write an operation: razorgirl explain 'logical_divide((16):(1), (4):(1))'".into(),
                format!("or look at the layout: razorgirl show '{text}'"),
            ],
        }),
    }
}

/// Explains an operation, after those in its arguments; what was asked, and the answer.
fn derivation(name: &str, arguments: &[Expression], out: &mut dyn Write) -> Result<(Call, Answer), Failure> {
    let mut given = vec![];
    for argument in arguments {
        given.push(match argument {
            Expression::Text(text) => Operand::Text(text),
            Expression::Call(name, arguments) => {
                let (_, answer) = derivation(name, arguments, out)?;
                writeln!(out)?;
                Operand::Output(answer.result)
            }
        });
    }
    let call = expression::call(name, &given)?;
    let answer = explain(&call, out)?;
    Ok((call, answer))
}

fn explain(call: &Call, out: &mut dyn Write) -> Result<Answer, Failure> {
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
    morphisms::write(call, out)?;
    Ok(answer)
}

/// `name(argument, …)`
fn title(name: &str, arguments: &[Argument]) -> String {
    let arguments: Vec<String> = arguments.iter().map(Argument::to_string).collect();
    format!("{name}({})", arguments.join(", "))
}

fn broken(call: &str, what: &str) -> Failure {
    Failure::refused(
        Code::Internal,
        format!("{call}: {what}"),
        ["this is a fault of razorgirl: please report it with this line".to_owned()],
    )
}
