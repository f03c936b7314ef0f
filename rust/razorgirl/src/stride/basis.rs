//! Basis elements, and the nesting of coordinates that they name.

use alloc::collections::BTreeMap;
use alloc::{borrow::ToOwned, string::ToString, vec::Vec};
use core::fmt;

use crate::error::{Error, ErrorKind, Result};
use crate::int_tuple::profile::{Token, too_deep};
use crate::int_tuple::{HTuple, HTupleBuilder, IntTuple, Literal, MAX_DEPTH, Profile};

use super::MAX_AXES;

/// A multiple of a basis element: `5@1@0` is 5 in dimension 1 of dimension 0.
///
/// ```
/// use razorgirl::{Basis, Literal};
///
/// assert_eq!(Basis { times: Literal::Fits(5), path: vec![0, 1] }.to_string(), "5@1@0");
/// ```
///
/// CuTe: `5 * E<0,1>{}`.
///
/// Lean: `Razorgirl.Point.unit`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    /// How many of it.
    pub times: Literal,
    /// The dimension, then the dimension inside it, and so on; nothing where values are integers.
    pub path: Vec<usize>,
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.times {
            Literal::Fits(times) => times.fmt(f)?,
            Literal::Negative => f.write_str("-")?,
            Literal::Huge => f.write_str("2^64")?,
        }
        self.path.iter().rev().try_for_each(|dimension| write!(f, "@{dimension}"))
    }
}

/// The nesting of coordinates as far as it is known, with the start.
#[derive(Clone, Debug)]
pub(super) enum Nesting {
    /// 0, and nothing says that it is a number.
    Open,
    Number(u64),
    Tuple(Vec<Self>),
}

impl Nesting {
    pub(super) fn of(start: Option<&IntTuple>) -> Self {
        // Recursion: tuples are nested at most MAX_DEPTH deep.
        fn part(tuple: &IntTuple) -> Nesting {
            match tuple.leaves() {
                [0] if tuple.is_leaf() => Nesting::Open,
                [number] if tuple.is_leaf() => Nesting::Number(*number),
                _ => Nesting::Tuple(tuple.modes().map(|mode| part(&mode)).collect()),
            }
        }
        start.map_or(Self::Open, part)
    }

    /// That there is a number at this path.
    pub(super) fn add(&mut self, path: &[usize]) -> Result<()> {
        if path.len() > MAX_DEPTH {
            return Err(too_deep());
        }
        let mut here = self;
        for (depth, dimension) in path.iter().enumerate() {
            if *dimension >= MAX_AXES {
                return Err(too_many_axes(dimension.saturating_add(1)));
            }
            if matches!(here, Self::Open) {
                *here = Self::Tuple(Vec::new());
            }
            let Self::Tuple(modes) = here else { return Err(mixed(path, depth)) };
            if modes.len() <= *dimension {
                modes.resize(dimension + 1, Self::Open);
            }
            let Some(mode) = modes.get_mut(*dimension) else { return Err(mixed(path, depth)) };
            here = mode;
        }
        match here {
            Self::Open => *here = Self::Number(0),
            Self::Number(_) => {}
            Self::Tuple(_) => return Err(mixed(path, path.len())),
        }
        Ok(())
    }

    /// The start, and which of its leaves is at which path.
    pub(super) fn finish(&self) -> Result<(IntTuple, BTreeMap<Vec<usize>, usize>)> {
        // Recursion: as deep as paths are long and tuples nested, at most MAX_DEPTH.
        fn build(part: &Nesting, builder: &mut HTupleBuilder<u64>, count: &mut usize) -> Result<()> {
            match part {
                Nesting::Open => builder.leaf(0),
                Nesting::Number(number) => builder.leaf(*number),
                Nesting::Tuple(modes) => {
                    builder.open()?;
                    for mode in modes {
                        build(mode, builder, count)?;
                    }
                    builder.close();
                    return Ok(());
                }
            }
            *count += 1;
            if *count > MAX_AXES { Err(too_many_axes(*count)) } else { Ok(()) }
        }
        let mut builder = HTupleBuilder::new();
        build(self, &mut builder, &mut 0)?;
        let start: HTuple<u64> = builder.finish()?;
        let places = paths(start.profile()).into_iter().zip(0..).collect();
        Ok((start, places))
    }
}

/// The path of each leaf.
pub(super) fn paths(profile: &Profile) -> Vec<Vec<usize>> {
    let (mut all, mut here) = (Vec::new(), Vec::new());
    for token in profile.tokens() {
        match token {
            Token::Open => {
                here.push(0);
                continue;
            }
            Token::Close => {
                here.pop();
            }
            Token::Leaf => all.push(here.clone()),
        }
        if let Some(last) = here.last_mut() {
            *last += 1;
        }
    }
    all
}

#[cold]
fn mixed(path: &[usize], depth: usize) -> Error {
    let unit = Basis { times: Literal::Fits(1), path: path.to_vec() };
    let above = path.get(..depth).unwrap_or_default().to_vec();
    let place = match above.as_slice() {
        [] => "a value".to_owned(),
        above => format!("dimension {}", above.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")),
    };
    let message = format!(
        "for the stride {unit}, {place} is a {}, and elsewhere it is not",
        if depth == path.len() { "number" } else { "tuple" }
    );
    Error::new(ErrorKind::Incongruent, message).with_help(
        "strides that are added name numbers in one nesting: 4@0 for 4 in dimension 0, 0 where a mode does not step",
    )
}

#[cold]
pub(super) fn too_many_axes(count: usize) -> Error {
    Error::new(ErrorKind::TooLarge, format!("coordinates of {count} numbers are too long"))
        .with_help(format!("a coordinate has at most {MAX_AXES} numbers"))
}
