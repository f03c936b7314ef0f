//! The option of a request.

/// How an operation is meant: `"mode"` beside the arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// By the rule that the strides of the operands show.
    #[default]
    Strict,
    /// Wherever an answer exists, found by enumeration.
    Complete,
    /// The element that contains each, where elements are reached in part.
    Containing,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Self; 3] = [Self::Strict, Self::Complete, Self::Containing];

    /// As it stands in a request.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Complete => "complete",
            Self::Containing => "containing",
        }
    }

    /// The mode of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}
