//! Writing nested tuples.

use core::fmt;

use super::profile::{Profile, Token};

/// Writes the leaves with `each`, in the nesting of the profile.
pub(crate) fn write_nested<T>(
    f: &mut fmt::Formatter<'_>,
    profile: &Profile,
    leaves: impl IntoIterator<Item = T>,
    mut each: impl FnMut(T, &mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    let mut leaves = leaves.into_iter();
    let mut first = true;
    for token in profile.tokens() {
        if !first && token != Token::Close {
            f.write_str(",")?;
        }
        match token {
            Token::Leaf => {
                if let Some(leaf) = leaves.next() {
                    each(leaf, f)?;
                }
            }
            Token::Open => f.write_str("(")?,
            Token::Close => f.write_str(")")?,
        }
        first = token == Token::Open;
    }
    Ok(())
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_nested(f, self, core::iter::repeat("*"), fmt::Display::fmt)
    }
}

impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Profile({self})")
    }
}
