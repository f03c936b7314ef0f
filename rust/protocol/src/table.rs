//! The table of operations. Everything about an operation is in its row, or derived from it.

use std::sync::LazyLock;

use crate::answer::Answer;
use crate::code::{Code, Refusal};
use crate::kind::{Argument, Kind};
use crate::mode::Mode;
use crate::near::{SHOWN, near};
use crate::ops as rows;

/// The most offsets of a layout that are listed.
pub const MAX_OFFSETS: u64 = 1 << 20;

pub(crate) type Outcome = Result<Answer, Refusal>;

/// An operation: a row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    /// Its name in a request.
    pub name: &'static str,
    /// What it computes, in one line.
    pub meaning: &'static str,
    /// Further facts in Markdown; may be empty.
    pub notes: &'static str,
    /// Its lists of parameters, distinguished by their length.
    pub forms: &'static [Form],
    /// The operations that compute the same for swizzled layouts and for layouts of coordinates. This operation calls them if such
    /// a layout is given in place of a layout.
    pub also: &'static [&'static str],
    /// Its modes; the first is the default.
    pub modes: &'static [Mode],
    /// Modes that it accepts and that change nothing, because the default finds every result that exists.
    pub idle: &'static [Mode],
    /// The names of further fields of the answer.
    pub beside: &'static [&'static str],
    /// The full names of the Lean definitions of its result, for each form and mode that has its own.
    pub lean: &'static [&'static str],
    /// Its name in CuTe.
    pub cute: Option<&'static str>,
    /// Arguments in CuTe notation, and the printed result.
    pub example: (&'static [&'static str], &'static str),
}

/// A list of parameters, and the function that computes the result.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The parameters.
    pub parameters: &'static [Parameter],
    /// Whether the last parameter accepts any number of arguments.
    pub repeated: bool,
    pub(crate) run: fn(&[Argument], Mode) -> Outcome,
}

/// A parameter of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// The kind of its arguments.
    pub kind: Kind,
}

/// The modes of an operation that knows only one way.
pub(crate) const STRICT: &[Mode] = &[Mode::Strict];
/// The modes of an operation that can enumerate.
pub(crate) const STRICT_COMPLETE: &[Mode] = &[Mode::Strict, Mode::Complete];
/// What an operation accepts that has nothing to enumerate.
pub(crate) const COMPLETE: &[Mode] = &[Mode::Complete];

/// The modes of an operation on elements that may be reached in part.
pub(crate) const CONTAINING: &[Mode] = &[Mode::Strict, Mode::Containing];

/// `form!(mode; A: Layout, B: Layout => …)`: parameters with their kinds, and the answer. Each name is bound to the
/// argument, a reference to what the variant of [`Argument`] of that kind holds.
macro_rules! form {
    ($mode:tt; $($name:ident: $kind:ident),* => $answer:expr) => {
        $crate::table::Form {
            parameters: &[$($crate::table::Parameter { name: stringify!($name), kind: $crate::kind::Kind::$kind }),*],
            repeated: false,
            #[allow(non_snake_case, reason = "arguments are named as the formulas name them")]
            run: |arguments, $mode| match arguments {
                [$($crate::kind::Argument::$kind($name)),*] => $answer,
                _ => Err($crate::table::mismatch()),
            },
        }
    };
}
pub(crate) use form;

impl Form {
    /// Whether so many arguments can be meant.
    #[must_use]
    pub const fn takes(&self, count: usize) -> bool {
        if self.repeated { true } else { count == self.parameters.len() }
    }

    /// The parameter in a place, from 0.
    #[must_use]
    pub fn parameter(&self, place: usize) -> Option<&'static Parameter> {
        let last = self.parameters.len().checked_sub(1)?;
        self.parameters.get(if self.repeated { place.min(last) } else { place })
    }

    /// `[A, B]`.
    #[must_use]
    pub fn shown(&self) -> String {
        let names = self.parameters.iter().map(|parameter| {
            if parameter.kind.is_list() { format!("[{},…]", parameter.name) } else { parameter.name.to_owned() }
        });
        let names: Vec<String> = names.collect();
        format!("[{}{}]", names.join(", "), if self.repeated { ", …" } else { "" })
    }
}

impl Op {
    /// What most rows have in common, to be left out there: one mode, nothing beside the result, no name in CuTe.
    pub(crate) const PLAIN: Self = Self {
        name: "",
        meaning: "",
        notes: "",
        forms: &[],
        also: &[],
        modes: STRICT,
        idle: &[],
        beside: &[],
        lean: &[],
        cute: None,
        example: (&[], ""),
    };

    /// The operation of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let all = ops();
        all.binary_search_by(|op| op.name.cmp(name)).ok().and_then(|at| all.get(at)).copied()
    }

    /// The operation of this name.
    ///
    /// # Errors
    /// [`Code::UnknownOp`] with names near it.
    pub fn find(name: &str) -> Result<&'static Self, Refusal> {
        Self::named(name).ok_or_else(|| unknown(name))
    }

    /// The form that takes so many arguments.
    ///
    /// # Errors
    /// [`Code::Arity`] with the numbers that it takes.
    pub fn form(&self, count: usize) -> Result<&'static Form, Refusal> {
        self.forms.iter().find(|form| form.takes(count)).ok_or_else(|| {
            let arguments = if count == 1 { "argument" } else { "arguments" };
            Refusal::new(Code::Arity, format!("{} takes {}, not {count} {arguments}", self.name, self.arguments()))
                .with_help(format!("{}: {}", self.name, self.meaning))
        })
    }

    /// Its lists of arguments: `[L] or [L, N]`.
    #[must_use]
    pub fn arguments(&self) -> String {
        let forms: Vec<String> = self.forms.iter().map(Form::shown).collect();
        forms.join(" or ")
    }

    /// The modes that it accepts.
    pub fn accepted(&self) -> impl Iterator<Item = Mode> {
        self.modes.iter().chain(self.idle).copied()
    }

    /// Checks that it accepts a mode.
    ///
    /// # Errors
    /// [`Code::Parse`] with the modes that it accepts.
    pub fn check_mode(&self, mode: Mode) -> Result<(), Refusal> {
        if self.accepted().any(|accepted| accepted == mode) {
            return Ok(());
        }
        let names: Vec<&str> = self.accepted().map(Mode::name).collect();
        Err(Refusal::new(Code::Parse, format!("{} has no mode {}", self.name, mode.name()))
            .with_help(format!("its modes: {}", names.join(", "))))
    }
}

/// Every operation, in order of name. The list of all operations, `ops`, is answered apart.
#[must_use]
pub fn ops() -> &'static [&'static Op] {
    static OPS: LazyLock<Vec<&'static Op>> = LazyLock::new(|| {
        let mut all: Vec<&'static Op> = rows::ROWS.iter().flat_map(|(_, rows)| *rows).collect();
        all.sort_unstable_by_key(|op| op.name);
        all
    });
    &OPS
}

/// The operations concept by concept: the name of the file in which the library has them, and their rows.
#[must_use]
pub const fn concepts() -> &'static [(&'static str, &'static [Op])] {
    rows::ROWS
}

fn unknown(name: &str) -> Refusal {
    let shown: String = name.chars().take(SHOWN).collect();
    let near = near(name, ops().iter().map(|op| op.name));
    let refusal = Refusal::new(Code::UnknownOp, format!("there is no operation `{shown}`"));
    if near.is_empty() {
        refusal.with_help("`ops` lists the operations")
    } else {
        refusal.with_help(format!("near it: {}", near.join(", ")))
    }
}

/// For a function that got arguments of other kinds than its parameters say.
pub(crate) fn mismatch() -> Refusal {
    Refusal::internal("an operation got arguments that it does not take")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;

    #[test]
    fn rows_are_found_by_name() {
        assert!(ops().is_sorted_by(|a, b| a.name < b.name), "two rows have one name");
        assert!(ops().iter().all(|op| Op::named(op.name).is_some_and(|found| std::ptr::eq(found, *op))));
        assert!(Op::named("ops").is_none() && Op::named("").is_none());
    }

    #[test]
    fn forms_are_told_apart_by_their_length() {
        for op in ops() {
            for (place, form) in op.forms.iter().enumerate() {
                let earlier = op.forms.iter().take(place);
                assert!(!earlier.clone().any(|other| other.takes(form.parameters.len())), "{}", op.name);
            }
            assert_eq!(op.modes.first(), Some(&Mode::Strict), "{}", op.name);
            assert!(!op.meaning.is_empty() && !op.meaning.contains('\n'), "{}", op.name);
        }
    }

    #[test]
    fn examples_are_answered_as_the_rows_say() {
        for op in ops() {
            let (arguments, printed) = op.example;
            // Elements that are reached wholly are not reached in part, so no example is for both.
            for mode in op.accepted().filter(|mode| *mode != Mode::Containing) {
                let call =
                    Call::from_notation(op.name, arguments, mode).unwrap_or_else(|bad| panic!("{}: {bad:?}", op.name));
                let answer = call.run().unwrap_or_else(|refusal| panic!("{call}: {refusal}"));
                if mode == Mode::Strict || op.idle.contains(&mode) {
                    assert_eq!(answer.to_string(), printed, "{call}");
                }
                let beside: Vec<&str> = answer.beside.iter().map(|(name, _)| *name).collect();
                assert_eq!(beside, op.beside, "{call}");
            }
        }
    }

    /// What is printed is read again: as JSON and on the command line.
    #[test]
    fn calls_are_written_as_they_are_read() {
        for op in ops() {
            let call = Call::from_notation(op.name, op.example.0, Mode::Strict).unwrap();
            let json = call.to_json().to_string();
            assert_eq!(
                crate::answer(format!("{{\"id\":1,{}", &json[1..]).as_bytes()),
                format!(
                    "{{\"id\":1,\"result\":{}",
                    &crate::answer(json.as_bytes())["{\"id\":null,\"result\":".len()..]
                ),
            );
            let texts: Vec<String> = call.arguments().iter().map(ToString::to_string).collect();
            let again = Call::from_notation(op.name, &texts, Mode::Strict).unwrap();
            assert_eq!(again.to_json(), call.to_json(), "{call}");
            assert_eq!(again.run().unwrap(), call.run().unwrap(), "{call}");
        }
    }

    #[test]
    fn near_names_are_offered() {
        let help = |name| unknown(name).help.join("");
        assert_eq!(help("coalesc"), "near it: coalesce");
        assert_eq!(help("siez"), "near it: size");
        assert_eq!(help(&"x".repeat(100_000)), "`ops` lists the operations");
    }
}
