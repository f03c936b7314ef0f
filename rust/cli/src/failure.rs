//! What a command ends with when it cannot do its work.

use std::fmt;
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
        error: razorgirl::Error,
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
    pub fn usage(error: razorgirl::Error, text: &str) -> Self {
        Failure::Usage { error, text: text.to_owned() }
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
            Failure::Usage { error, text } => {
                write!(f, "error[{}]: {error}", error.code())?;
                if let Some(position) = error.position()
                    && text.len() < 200
                    && text.chars().all(|c| !c.is_control())
                {
                    let column = text.get(..position).map_or(0, |before| before.chars().count());
                    write!(f, "\n  {text}\n  {:column$}^", "")?;
                }
                write_help(f, error.help())
            }
            Failure::Io(error) => write!(f, "error: {error}"),
        }
    }
}
