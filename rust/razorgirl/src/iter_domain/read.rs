//! Schedules as text: `[128,7777] split(0,32) split_outer(1,4) merge(1,2) reorder(2,0,1) resize(0,1,-2) swizzle(xor,0,1)`.
//!
//! ```text
//! schedule = '[' extents ']' step*
//! step     = 'split' '(' axis ',' factor ')'          inner extent is the factor
//!          | 'split_outer' '(' axis ',' factor ')'    outer extent is the factor
//!          | 'merge' '(' outer ',' inner ')'
//!          | 'reorder' '(' old position of each new axis ')'
//!          | 'resize' '(' axis ',' left ',' right ')'
//!          | 'swizzle' '(' 'xor' | 'cyclic' | 'zshape' ',' x ',' y ')'
//! ```
//! Spaces, line ends and semicolons may separate steps; `#` begins a comment.

use super::{Schedule, Step, Swizzle};
use crate::error::{Error, ErrorKind, Result};
use alloc::{borrow::ToOwned, string::String, string::ToString, vec::Vec};
use core::fmt;

impl Swizzle {
    /// Its name in text and JSON: `xor`, `cyclic` or `zshape`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Xor => "xor",
            Self::Cyclic => "cyclic",
            Self::ZShape => "zshape",
        }
    }

    /// All of them.
    pub const ALL: [Self; 3] = [Self::Xor, Self::Cyclic, Self::ZShape];
}

impl core::str::FromStr for Swizzle {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            Error::new(ErrorKind::Parse, format!("there is no swizzle {name}")).with_help("use xor, cyclic or zshape")
        })
    }
}

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Error {
    /// The same fault, of a word at a byte of a longer text.
    fn at(self, place: usize) -> Self {
        let placed = Self::new(self.kind(), format!("{self} at byte {place}")).with_position(place);
        self.help().iter().fold(placed, |placed, help| placed.with_help(help.clone()))
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn blank(&mut self, between: &[char]) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || between.contains(&c));
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with('#') {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn wrong(&self, expected: &str) -> Error {
        let found = self.text[self.at..].chars().next().map_or("the end".to_owned(), |c| format!("`{c}`"));
        Error::new(ErrorKind::Parse, format!("expected {expected}, met {found} at byte {}", self.at))
            .with_position(self.at)
            .with_help("write a schedule as [128,7777] split(0,32) merge(1,2)")
    }

    fn take(&mut self, expected: char) -> Result<()> {
        self.blank(&[]);
        if self.text[self.at..].starts_with(expected) {
            self.at += expected.len_utf8();
            Ok(())
        } else {
            Err(self.wrong(&format!("`{expected}`")))
        }
    }

    fn word(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-').unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// The words between brackets, with their places.
    fn words(&mut self, open: char, close: char) -> Result<Vec<(usize, &'a str)>> {
        self.take(open)?;
        self.blank(&[]);
        let mut words = vec![];
        if self.text[self.at..].starts_with(close) {
            self.at += 1;
            return Ok(words);
        }
        loop {
            self.blank(&[]);
            let at = self.at;
            let word = self.word();
            if word.is_empty() {
                return Err(self.wrong("a number"));
            }
            words.push((at, word));
            self.blank(&[]);
            if self.text[self.at..].starts_with(',') {
                self.at += 1;
            } else {
                self.take(close)?;
                return Ok(words);
            }
        }
    }
}

fn number<T: core::str::FromStr>((at, word): (usize, &str)) -> Result<T> {
    word.parse().map_err(|_| {
        let digits = word.strip_prefix('-').unwrap_or(word);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let (kind, what) = match (is_number, word.starts_with('-')) {
            (false, _) => (ErrorKind::Parse, "must be an integer"),
            (true, true) => (ErrorKind::Extent, "is below 0"),
            (true, false) => (ErrorKind::Overflow, "is too large"),
        };
        Error::new(kind, format!("{word} {what} at byte {at}")).with_position(at).with_help("write an integer")
    })
}

impl core::str::FromStr for Schedule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut reader = Reader { text, at: 0 };
        reader.blank(&[]);
        let extents = reader.words('[', ']')?.into_iter().map(number).collect::<Result<Vec<u64>>>()?;
        let mut schedule = Self::new(&extents)?;
        loop {
            reader.blank(&[';']);
            if reader.at == text.len() {
                return Ok(schedule);
            }
            let at = reader.at;
            let name = reader.word();
            if name.is_empty() {
                return Err(reader.wrong("a step"));
            }
            let words = reader.words('(', ')')?;
            let step = step(name, at, &words)?;
            schedule.push(step).map_err(|error| error.with_position(at))?;
        }
    }
}

fn step(name: &str, at: usize, words: &[(usize, &str)]) -> Result<Step> {
    let count = |wanted: usize, form: &str| {
        if words.len() == wanted {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::Parse, format!("{name} has {} numbers at byte {at}", words.len()))
                .with_position(at)
                .with_help(format!("write {form}")))
        }
    };
    Ok(match name {
        "split" => {
            count(2, "split(axis,factor)")?;
            Step::Split { axis: number(words[0])?, factor: number(words[1])? }
        }
        "split_outer" => {
            count(2, "split_outer(axis,factor)")?;
            Step::SplitOuter { axis: number(words[0])?, factor: number(words[1])? }
        }
        "merge" => {
            count(2, "merge(outer,inner)")?;
            Step::Merge { outer: number(words[0])?, inner: number(words[1])? }
        }
        "reorder" => Step::Reorder { order: words.iter().map(|&word| number(word)).collect::<Result<_>>()? },
        "resize" => {
            count(3, "resize(axis,left,right)")?;
            Step::Resize { axis: number(words[0])?, left: number(words[1])?, right: number(words[2])? }
        }
        "swizzle" => {
            count(3, "swizzle(xor,x,y)")?;
            let (place, word) = words[0];
            let kind = word.parse::<Swizzle>().map_err(|error| error.at(place))?;
            Step::Swizzle { kind, x: number(words[1])?, y: number(words[2])? }
        }
        _ => {
            return Err(Error::new(ErrorKind::Parse, format!("there is no step {name} at byte {at}"))
                .with_position(at)
                .with_help("use split, split_outer, merge, reorder, resize or swizzle"));
        }
    })
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Split { axis, factor } => write!(f, "split({axis},{factor})"),
            Self::SplitOuter { axis, factor } => write!(f, "split_outer({axis},{factor})"),
            Self::Merge { outer, inner } => write!(f, "merge({outer},{inner})"),
            Self::Reorder { order } => write!(f, "reorder({})", list(order)),
            Self::Resize { axis, left, right } => write!(f, "resize({axis},{left},{right})"),
            Self::Swizzle { kind, x, y } => write!(f, "swizzle({},{x},{y})", kind.name()),
        }
    }
}

fn list<T: fmt::Display>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}]", list(self.extents()))?;
        self.steps().iter().try_for_each(|step| write!(f, " {step}"))
    }
}
