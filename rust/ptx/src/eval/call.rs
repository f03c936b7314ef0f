//! Whether a call comes back.

use crate::read::{Instruction, Module, Operand};
use std::collections::BTreeSet;

/// Functions of the device runtime that come back in every thread, or, where an assertion fails, end the launch with an error:
/// of such a launch nothing is said.
const RUNTIME: [&str; 4] = ["vprintf", "malloc", "free", "__assertfail"];

/// Functions that are looked at for one call.
const MOST_FUNCTIONS: usize = 1000;

/// The function that a call names: the first name in `call (results), name, (arguments)`.
fn callee(call: &Instruction) -> Option<&str> {
    match call.operands.iter().find(|x| !matches!(x, Operand::List(_)))? {
        Operand::Name(name) => Some(name),
        _ => None,
    }
}

/// Whether every thread that calls comes back: no function that may run ends a thread.
pub(super) fn returns(module: &Module, call: &Instruction) -> bool {
    let Some(first) = callee(call) else { return false };
    let (mut seen, mut next) = (BTreeSet::from([first]), vec![first]);
    while let Some(name) = next.pop() {
        if RUNTIME.contains(&name) {
            continue;
        }
        let Some(function) = module.kernels.iter().find(|x| x.name == name) else { return false };
        if seen.len() > MOST_FUNCTIONS {
            return false;
        }
        for instruction in &function.code {
            match instruction.op.as_str() {
                "exit" | "trap" => return false,
                "call" => {
                    let Some(name) = callee(instruction) else { return false };
                    if seen.insert(name) {
                        next.push(name);
                    }
                }
                _ => {}
            }
        }
    }
    true
}
