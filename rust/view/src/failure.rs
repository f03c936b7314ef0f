//! What a command ends with when it cannot do its work.

use razorgirl_protocol::{BadArgument, Code, Refusal};
use std::fmt;
use std::process::ExitCode;

/// A failure, as it is printed on standard error.
#[derive(Debug)]
pub enum Failure {
    /// The algebra refuses: status 1.
    Refused(Box<Refusal>),
    /// An argument cannot be read: status 2.
    Usage {
        /// what is wrong
        refusal: Box<Refusal>,
        /// the argument
        text: String,
    },
    /// An input that makes no sense, with its place in the message: status 2.
    Unreadable {
        /// code of the protocol, or of the auditor
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

    /// A refusal of what is beyond a limit, or has no answer.
    pub fn refused(code: Code, message: impl Into<String>, help: impl IntoIterator<Item = String>) -> Self {
        help.into_iter().fold(Refusal::new(code, message), Refusal::with_help).into()
    }

    /// The exit status.
    pub fn status(&self) -> ExitCode {
        match self {
            Failure::Refused(_) => ExitCode::from(1),
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
        Failure::Refused(Box::new(refusal))
    }
}

/// Wrong usage: an operation that is not there, a wrong number of arguments, or one that cannot be read.
impl Failure {
    /// What is wrong with these arguments of an operation.
    pub fn arguments(bad: BadArgument, arguments: &[impl AsRef<str>]) -> Self {
        let BadArgument { place, refusal } = bad;
        let text = place.and_then(|place| arguments.get(place)).map_or("", AsRef::as_ref);
        Failure::usage(*refusal, text)
    }
}

impl From<razorgirl::Error> for Failure {
    fn from(error: razorgirl::Error) -> Self {
        // with what the library suggests: no request is known for which it could be tried
        let help = error.help().to_vec();
        let mut refusal = Refusal::from(error);
        refusal.help = help;
        refusal.into()
    }
}

fn write_help(f: &mut fmt::Formatter<'_>, help: &[String]) -> fmt::Result {
    help.iter().try_for_each(|line| write!(f, "\n  help: {line}"))
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Refused(refusal) => {
                write!(f, "error[{}]: {}", refusal.code.name(), refusal.message)?;
                if let Some(witness) = refusal.witness_json() {
                    write!(f, "\n  witness: {witness}")?;
                }
                // the last of the help are the suggestions in words: below each stands what to type
                let (words, suggested) =
                    refusal.help.split_at(refusal.help.len().saturating_sub(refusal.suggestions.len()));
                write_help(f, words)?;
                for (help, suggestion) in suggested.iter().zip(&refusal.suggestions) {
                    write!(f, "\n  help: {help}\n        razorgirl op {}", suggestion.call)?;
                }
                Ok(())
            }
            Failure::Unreadable { code, message, help } => {
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
