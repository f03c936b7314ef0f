//! Answers of operations: in CuTe notation; with `--json` in one line, as `razorgirl run` writes them.
//!
//! A command that computes what an operation computes prints the answer of that operation.

use razorgirl_protocol::{Answer, Argument, Call, Mode, Op, Output};
use razorgirl_view::failure::Failure;
use std::io::Write;
use std::process::ExitCode;

/// The call of an operation with arguments in CuTe notation.
pub fn call(name: &str, arguments: &[&str]) -> Result<Call, Failure> {
    Call::from_notation(name, arguments, Mode::Strict).map_err(|bad| Failure::arguments(bad, arguments))
}

/// The call of an operation with arguments that were read.
pub fn called(name: &str, arguments: Vec<Argument>) -> Result<Call, Failure> {
    Ok(Call::new(Op::find(name)?, arguments, Mode::Strict)?)
}

/// Prints the answer of a call: in CuTe notation, or as JSON.
pub fn answer(call: &Call, json: bool, out: &mut impl Write) -> Result<ExitCode, Failure> {
    print(&call.run()?, json, out)
}

/// Prints an answer that is the result of no single operation.
pub fn result(result: Output, out: &mut impl Write) -> Result<ExitCode, Failure> {
    print(&Answer { result, beside: vec![] }, true, out)
}

/// Prints an answer. «none» and «false» are answers, but not successes: a script can test them.
pub fn print(answer: &Answer, json: bool, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if json {
        writeln!(out, "{}", text(answer)?)?;
    } else {
        writeln!(out, "{answer}")?;
    }
    Ok(match answer.result {
        Output::None | Output::Truth(false) => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}

/// The answer as the protocol writes it.
pub fn text(answer: &Answer) -> Result<String, Failure> {
    let fields =
        std::iter::once(("result", &answer.result)).chain(answer.beside.iter().map(|(name, value)| (*name, value)));
    let field = |(name, value): (&str, &Output)| -> Result<String, serde_json::Error> {
        Ok(format!("\"{name}\":{}", serde_json::to_string(value)?))
    };
    let fields: Vec<String> =
        fields.map(field).collect::<Result<_, serde_json::Error>>().map_err(std::io::Error::from)?;
    Ok(format!("{{{}}}", fields.join(",")))
}
