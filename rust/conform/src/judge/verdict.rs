//! What became of one request.

/// What became of one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// the answer that the definition gives
    Right,
    /// outside our definition, but right by the peer's own documented contract
    Extended(&'static str),
    /// refused, and the definition refuses too
    RefusedRightly,
    /// refused as our contract says, though something outside of it would do: what
    ExistsOutside(String),
    /// an answer that the definition contradicts
    Wrong(Wrong),
    /// refused although an answer exists
    RefusedThoughExists(String),
    /// too large to judge by enumeration, or nothing that the definition speaks about
    Unjudged,
}

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// in a word or two, the same for all answers that are wrong in the same way
    pub kind: &'static str,
    /// with the numbers
    pub text: String,
}

impl Verdict {
    pub(crate) fn wrong(kind: &'static str, text: impl Into<String>) -> Self {
        Verdict::Wrong(Wrong { kind, text: text.into() })
    }

    /// Nothing to complain about.
    pub fn is_fine(&self) -> bool {
        matches!(
            self,
            Verdict::Right
                | Verdict::Extended(_)
                | Verdict::RefusedRightly
                | Verdict::ExistsOutside(_)
                | Verdict::Unjudged
        )
    }

    /// The worse of two verdicts about parts of one answer.
    pub(crate) fn and(self, other: Verdict) -> Verdict {
        let badness = |verdict: &Verdict| match verdict {
            Verdict::Right | Verdict::RefusedRightly => 0,
            Verdict::Extended(_) | Verdict::ExistsOutside(_) => 1,
            Verdict::Unjudged => 2,
            Verdict::RefusedThoughExists(_) => 3,
            Verdict::Wrong(_) => 4,
        };
        if badness(&other) > badness(&self) { other } else { self }
    }
}
