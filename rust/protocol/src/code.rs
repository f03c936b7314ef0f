//! What is said when a request is refused.

use std::fmt;

use razorgirl::{Error, ErrorKind, Suggestion as Near, Witness};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::answer::Shown;
use crate::call::Call;
use crate::suggest::{Suggestion, verified};

/// The error codes of the protocol. When a request has several faults, any one of them is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// A line, a nesting, an answer or an enumeration beyond the limits.
    TooLarge,
    /// Not JSON, not an object, or a value of the wrong kind.
    Parse,
    /// No such operation.
    UnknownOp,
    /// The wrong number of arguments.
    Arity,
    /// Shape and stride, coordinate and shape, or profile and layout do not fit one another.
    Incongruent,
    /// An extent of 0 or below.
    Extent,
    /// A stride below 0.
    Stride,
    /// A size or cosize of 2^64 or more.
    Overflow,
    /// A coordinate or index outside of its extent.
    OutOfDomain,
    /// Numbers that have to divide one another do not.
    NotDivisible,
    /// The modes of an inner layout add up past a mode of the outer one.
    Carries,
    /// Two coordinates share an offset where none may.
    NotInjective,
    /// Offsets are left out where none may be.
    NotContiguous,
    /// No layout has these values.
    NoLayout,
    /// A fault of this program.
    Internal,
}

impl Code {
    /// All codes.
    pub const ALL: [Self; 15] = [
        Self::TooLarge,
        Self::Parse,
        Self::UnknownOp,
        Self::Arity,
        Self::Incongruent,
        Self::Extent,
        Self::Stride,
        Self::Overflow,
        Self::OutOfDomain,
        Self::NotDivisible,
        Self::Carries,
        Self::NotInjective,
        Self::NotContiguous,
        Self::NoLayout,
        Self::Internal,
    ];

    /// What the library calls it; `None` for what only a request can have.
    const fn kind(self) -> Option<ErrorKind> {
        Some(match self {
            Self::TooLarge => ErrorKind::TooLarge,
            Self::Parse => ErrorKind::Parse,
            Self::Incongruent => ErrorKind::Incongruent,
            Self::Extent => ErrorKind::Extent,
            Self::Stride => ErrorKind::Stride,
            Self::Overflow => ErrorKind::Overflow,
            Self::OutOfDomain => ErrorKind::OutOfDomain,
            Self::NotDivisible => ErrorKind::NotDivisible,
            Self::Carries => ErrorKind::Carries,
            Self::NotInjective => ErrorKind::NotInjective,
            Self::NotContiguous => ErrorKind::NotContiguous,
            Self::NoLayout => ErrorKind::NoLayout,
            Self::UnknownOp | Self::Arity | Self::Internal => return None,
        })
    }

    /// Its name in an answer.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match (self, self.kind()) {
            (_, Some(kind)) => kind.code(),
            (Self::UnknownOp, None) => "unknown_op",
            (Self::Arity, None) => "arity",
            (_, None) => "internal",
        }
    }
}

/// The error of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The kind of error.
    pub code: Code,
    /// The reason in words, with the numbers.
    pub message: String,
    /// What to change, one sentence each.
    pub help: Vec<String>,
    /// The byte at which an argument in CuTe notation is malformed.
    pub position: Option<usize>,
    /// Similar requests that have a result. The help has a sentence for each.
    pub suggestions: Vec<Suggestion>,
    /// A proof that no result exists, where the operation gives one.
    pub witness: Option<Box<Witness>>,
    /// What the library suggests, before it is known whether it holds for the request.
    pub(crate) near: Box<[Near]>,
}

impl Refusal {
    /// A refusal without help.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            help: Vec::new(),
            position: None,
            suggestions: Vec::new(),
            witness: None,
            near: Box::default(),
        }
    }

    /// Another sentence that says what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The refusal of a call, with those suggestions that hold for it.
    #[cold]
    #[must_use]
    pub fn of(mut self, call: &Call) -> Self {
        self.suggestions = verified(call, &std::mem::take(&mut self.near));
        self.help.extend(self.suggestions.iter().map(|suggestion| suggestion.words.clone()));
        self
    }

    /// The [witness](Self::witness) as JSON.
    #[must_use]
    pub fn witness_json(&self) -> Option<String> {
        self.witness.as_ref().and_then(|witness| serde_json::to_string(&Shown(witness)).ok())
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(Code::Internal, message).with_help("please report it with the line that caused it")
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let code = Code::ALL.into_iter().find(|code| code.kind() == Some(error.kind())).unwrap_or(Code::Internal);
        Self {
            code,
            message: error.to_string(),
            help: error.advice().to_vec(),
            position: error.position(),
            suggestions: Vec::new(),
            witness: error.witness().cloned().map(Box::new),
            near: error.suggestions().into(),
        }
    }
}

/// As it stands in an answer.
impl Serialize for Refusal {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        let mut fields = json.serialize_map(None)?;
        fields.serialize_entry("code", self.code.name())?;
        fields.serialize_entry("message", &self.message)?;
        fields.serialize_entry("help", &self.help)?;
        if !self.suggestions.is_empty() {
            let requests: Vec<serde_json::Value> = self.suggestions.iter().map(|near| near.call.to_json()).collect();
            fields.serialize_entry("suggestions", &requests)?;
        }
        if let Some(witness) = &self.witness {
            fields.serialize_entry("witness", &Shown(witness))?;
        }
        fields.end()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.name(), self.message)
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_complete_and_in_order() {
        assert!(Code::ALL.is_sorted());
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        names.dedup();
        assert_eq!(names.len(), Code::Internal as usize + 1);
    }

    #[test]
    fn core_errors_keep_their_code() {
        for kind in [ErrorKind::TooLarge, ErrorKind::Incongruent, ErrorKind::Overflow, ErrorKind::NotInjective] {
            assert!(Code::ALL.iter().any(|code| code.name() == kind.code()));
        }
        let error = "(4,0)".parse::<razorgirl::Layout>().unwrap_err();
        assert_eq!(Refusal::from(error.clone()).code.name(), error.code());
    }
}
