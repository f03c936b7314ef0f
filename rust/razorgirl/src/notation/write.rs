//! Writing nested tuples.

use std::fmt;

use crate::int_tuple::Profile;
use crate::int_tuple::profile::Token;

/// Writes the values in the nesting of the profile.
pub(crate) fn write_nested<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    profile: &Profile,
    leaves: &[T],
) -> fmt::Result {
    let mut leaves = leaves.iter();
    let mut first = true;
    for token in profile.tokens() {
        if !first && token != Token::Close {
            f.write_str(",")?;
        }
        match token {
            Token::Leaf => {
                if let Some(leaf) = leaves.next() {
                    leaf.fmt(f)?;
                }
            }
            Token::Open => f.write_str("(")?,
            Token::Close => f.write_str(")")?,
        }
        first = token == Token::Open;
    }
    Ok(())
}
