//! What a command ends with when it cannot do its work.

use razorgirl_protocol::{BadArgument, Refusal};
use std::fmt;
use std::fmt::Write as _;
use std::process::ExitCode;

/// A failure, as it is printed on standard error.
#[derive(Debug)]
pub enum Failure {
    /// The algebra refuses: status 1.
    Refused {
        /// code of the protocol
        code: String,
        /// what is wrong, with the numbers
        message: String,
        /// ways out
        help: Vec<String>,
    },
    /// An argument cannot be read: status 2.
    Usage {
        /// what is wrong
        refusal: Box<Refusal>,
        /// the argument
        text: String,
    },
    /// An input that makes no sense, with its place in the message: status 2.
    Unreadable {
        /// code of the protocol
        code: String,
        /// where and what
        message: String,
        /// ways out
        help: Vec<String>,
    },
    /// A file or a pipe: status 2.
    Io(std::io::Error),
}

impl Failure {
    /// An argument that cannot be read.
    pub fn usage(refusal: impl Into<Refusal>, text: &str) -> Self {
        Failure::Usage { refusal: Box::new(refusal.into()), text: text.to_owned() }
    }

    /// The exit status.
    pub fn status(&self) -> ExitCode {
        match self {
            Failure::Refused { .. } => ExitCode::from(1),
            Failure::Usage { .. } | Failure::Unreadable { .. } | Failure::Io(_) => ExitCode::from(2),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::Io(error)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let shown = refusal.witness_json();
        let Refusal { code, mut message, mut help, suggestions, .. } = refusal;
        if let Some(witness) = shown {
            let _ = write!(message, "\n  witness: {witness}");
        }
        // the last of the help are the suggestions in words: below each stands what to type
        for (help, suggestion) in help.iter_mut().rev().zip(suggestions.iter().rev()) {
            let _ = write!(help, "\n        razorgirl op {}", suggestion.call);
        }
        Failure::Refused { code: code.name().to_owned(), message, help }
    }
}

/// Wrong usage: an operation that is not there, a wrong number of arguments, or one that cannot be read.
impl Failure {
    /// What is wrong with these arguments of an operation.
    pub fn arguments(bad: BadArgument, arguments: &[impl AsRef<str>]) -> Self {
        let BadArgument { place, refusal } = bad;
        let refusal = *refusal;
        if let Some(text) = place.and_then(|place| arguments.get(place)) {
            Failure::usage(refusal, text.as_ref())
        } else {
            let Refusal { code, message, help, .. } = refusal;
            Failure::Unreadable { code: code.name().to_owned(), message, help }
        }
    }
}

impl From<razorgirl::Error> for Failure {
    fn from(error: razorgirl::Error) -> Self {
        Failure::Refused { code: error.code().to_owned(), message: error.to_string(), help: error.help().to_vec() }
    }
}

fn write_help(f: &mut fmt::Formatter<'_>, help: &[String]) -> fmt::Result {
    help.iter().try_for_each(|line| write!(f, "\n  help: {line}"))
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Refused { code, message, help } | Failure::Unreadable { code, message, help } => {
                write!(f, "error[{code}]: {message}")?;
                write_help(f, help)
            }
            Failure::Usage { refusal, text } => {
                write!(f, "error[{}]: {}", refusal.code.name(), refusal.message)?;
                if let Some(position) = refusal.position
                    && text.len() < 200
                    && text.chars().all(|c| !c.is_control())
                {
                    let column = text.get(..position).map_or(0, |before| before.chars().count());
                    write!(f, "\n  {text}\n  {:column$}^", "")?;
                }
                write_help(f, &refusal.help)
            }
            Failure::Io(error) => write!(f, "error: {error}"),
        }
    }
}
