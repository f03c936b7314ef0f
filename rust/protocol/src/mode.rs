//! Modes of operations.

/// The mode of an operation: the field `"mode"` of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// Decided from the strides of the operands.
    #[default]
    Strict,
    /// By enumeration: finds the result wherever one exists.
    Complete,
    /// For elements that are covered in part: the element that contains each offset.
    Containing,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Self; 3] = [Self::Strict, Self::Complete, Self::Containing];

    /// Its name in a request.
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
