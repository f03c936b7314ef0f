//! Arguments as they are written: nested tuples, and layouts as two of them.

use std::borrow::Cow;
use std::ops::Range;

use razorgirl::{HTuple, HTupleBuilder, Literal};

/// A leaf of a tuple.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Leaf {
    #[default]
    Null,
    Negative,
    Fits(u64),
    /// 2^64 or more: the place of its digits in the text. A line, and so a place in it, is far below 2^32.
    Huge {
        start: u32,
        end: u32,
    },
    /// Something that is no integer.
    Wrong(Wrong),
}

/// What was met in place of an integer or a tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    Fraction,
    Text,
    Truth,
    Object,
}

impl Wrong {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Fraction => "a number with a fraction or an exponent",
            Self::Text => "a string",
            Self::Truth => "true or false",
            Self::Object => "an object",
        }
    }
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Tuple(HTuple<Leaf>),
    Layout {
        shape: HTuple<Leaf>,
        stride: HTuple<Leaf>,
    },
    /// An object that is no layout, and why not.
    Object(&'static str),
    /// A list with objects somewhere in it.
    List(Vec<Value>),
}

/// Why the arguments cannot be had at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    TooDeep(razorgirl::Error),
    NotAnArray,
}

impl From<razorgirl::Error> for Unread {
    fn from(error: razorgirl::Error) -> Self {
        Self::TooDeep(error)
    }
}

/// The elements of a JSON array. The text is JSON: it has been checked, and is not checked again.
pub(crate) fn read(text: &str) -> Result<Vec<Value>, Unread> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    if !reader.take(b'[') {
        return Err(Unread::NotAnArray);
    }
    let mut values = Vec::new();
    while !reader.take(b']') {
        // A comma, except before the first one; where commas belong is not in question.
        reader.take(b',');
        values.push(reader.value()?);
    }
    Ok(values)
}

/// Reads JSON that is known to be right.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> u8 {
        loop {
            match self.text.get(self.at) {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(byte) => return *byte,
                // Closes whatever is open, so that every loop ends.
                None => return b']',
            }
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let met = self.peek() == byte;
        self.at += usize::from(met);
        met
    }

    fn value(&mut self) -> razorgirl::Result<Value> {
        match self.peek() {
            b'{' => self.object(),
            b'[' => {
                let start = self.at;
                let tuple = self.tuple()?;
                if !tuple.leaves().contains(&Leaf::Wrong(Wrong::Object)) {
                    return Ok(Value::Tuple(tuple));
                }
                // Read again, now with the objects. The recursion is no deeper than the tuple that has just been read.
                self.at = start + 1;
                let mut values = Vec::new();
                while !self.take(b']') {
                    self.take(b',');
                    values.push(self.value()?);
                }
                Ok(Value::List(values))
            }
            _ => Ok(Value::Tuple(self.tuple()?)),
        }
    }

    fn tuple(&mut self) -> razorgirl::Result<HTuple<Leaf>> {
        let mut builder = HTupleBuilder::new();
        loop {
            match self.peek() {
                b'[' => {
                    self.at += 1;
                    builder.open()?;
                    if self.peek() != b']' {
                        continue;
                    }
                }
                _ => builder.leaf(self.leaf()),
            }
            // A mode has ended, or an empty tuple has just been opened.
            while builder.depth() > 0 && self.take(b']') {
                builder.close();
            }
            if builder.depth() == 0 || !self.take(b',') {
                return builder.finish();
            }
        }
    }

    fn leaf(&mut self) -> Leaf {
        match self.peek() {
            b'-' | b'0'..=b'9' => self.number(),
            b'"' => {
                self.string();
                Leaf::Wrong(Wrong::Text)
            }
            b'{' => {
                self.skip();
                Leaf::Wrong(Wrong::Object)
            }
            b'n' => {
                self.at += b"null".len();
                Leaf::Null
            }
            _ => {
                self.skip();
                Leaf::Wrong(Wrong::Truth)
            }
        }
    }

    fn number(&mut self) -> Leaf {
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or_default();
        let len = rest.iter().take_while(|byte| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')).count();
        self.at += len;
        match Literal::read(rest.get(..len).unwrap_or_default()) {
            None => Leaf::Wrong(Wrong::Fraction),
            Some(Literal::Negative) => Leaf::Negative,
            Some(Literal::Fits(value)) => Leaf::Fits(value),
            Some(Literal::Huge) => match (u32::try_from(start), u32::try_from(self.at)) {
                (Ok(start), Ok(end)) => Leaf::Huge { start, end },
                _ => Leaf::Wrong(Wrong::Fraction),
            },
        }
    }

    /// Past a string; its text between the quotes.
    fn string(&mut self) -> Range<usize> {
        self.at += 1;
        let start = self.at;
        while let Some(byte) = self.text.get(self.at) {
            match byte {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        let end = self.at.min(self.text.len());
        self.at = end + 1;
        start..end
    }

    /// Past any value.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                b'[' | b'{' => {
                    depth += 1;
                    self.at += 1;
                }
                b'"' => {
                    self.string();
                }
                b']' | b'}' if self.at < self.text.len() => {
                    depth = depth.saturating_sub(1);
                    self.at += 1;
                }
                b']' => return,
                b',' | b':' => self.at += 1,
                _ => {
                    let rest = self.text.get(self.at..).unwrap_or_default();
                    let ends = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n');
                    self.at += rest.iter().position(ends).unwrap_or(rest.len());
                }
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn object(&mut self) -> razorgirl::Result<Value> {
        let (mut shape, mut stride, mut twice) = (None, None, false);
        self.at += 1;
        while !self.take(b'}') && self.at < self.text.len() {
            self.take(b',');
            self.peek();
            let key = self.string();
            self.take(b':');
            let slot = match self.key(key).as_ref() {
                b"shape" => &mut shape,
                b"stride" => &mut stride,
                _ => {
                    self.skip();
                    continue;
                }
            };
            twice |= slot.is_some();
            self.peek();
            *slot = Some(self.tuple()?);
        }
        Ok(match (shape, stride) {
            _ if twice => Value::Object("an object with two shapes or two strides"),
            (Some(shape), Some(stride)) => Value::Layout { shape, stride },
            (Some(_), None) => Value::Object("a layout without `stride`"),
            (None, Some(_)) => Value::Object("a layout without `shape`"),
            (None, None) => Value::Object("an object without `shape` and `stride`"),
        })
    }

    /// A key without its quotes and escapes.
    fn key(&self, unquoted: Range<usize>) -> Cow<'_, [u8]> {
        let plain = self.text.get(unquoted.clone()).unwrap_or_default();
        if !plain.contains(&b'\\') {
            return Cow::Borrowed(plain);
        }
        let quoted = self.text.get(unquoted.start - 1..unquoted.end + 1).unwrap_or_default();
        let key: Option<String> = serde_json::from_slice(quoted).ok();
        Cow::Owned(key.unwrap_or_default().into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Value {
        let mut values = read(&format!("[ {text} ]")).unwrap();
        assert_eq!(values.len(), 1, "{text}");
        values.remove(0)
    }

    fn shown(value: &Value) -> String {
        match value {
            Value::Tuple(tuple) => format!("{tuple:?}"),
            Value::Layout { shape, stride } => format!("{shape:?}:{stride:?}"),
            Value::Object(what) => (*what).to_owned(),
            Value::List(values) => format!("[{}]", values.iter().map(shown).collect::<Vec<_>>().join(";")),
        }
    }

    #[test]
    fn values() {
        for (text, expected) in [
            ("7", "Fits(7)"),
            ("[ ]", "()"),
            ("[[ ],[1 , null]]", "((),(Fits(1),Null))"),
            ("-1", "Negative"),
            ("-0", "Fits(0)"),
            ("18446744073709551615", "Fits(18446744073709551615)"),
            ("18446744073709551616", "Huge { start: 2, end: 22 }"),
            ("1.0", "Wrong(Fraction)"),
            ("1e3", "Wrong(Fraction)"),
            (r#"["a\"],[",1]"#, "(Wrong(Text),Fits(1))"),
            (
                r#"[{"a":[1,{"b":"]"}]},true,false]"#,
                "[an object without `shape` and `stride`;Wrong(Truth);Wrong(Truth)]",
            ),
            (r#"[ 3 , [null,{"shape":2,"stride":1}]]"#, "[Fits(3);[Null;Fits(2):Fits(1)]]"),
            (r#"{"shape":[2,[3]],"x":{"shape":1},"stride":[1,[2]]}"#, "(Fits(2),(Fits(3))):(Fits(1),(Fits(2)))"),
            (r#"{ "sh\u0061pe" : 1 , "stride" : 2 }"#, "Fits(1):Fits(2)"),
            ("{}", "an object without `shape` and `stride`"),
            (r#"{"shape":1}"#, "a layout without `stride`"),
            (r#"{"shape":1,"stride":1,"shape":2}"#, "an object with two shapes or two strides"),
            (r#"{"shape":{"a":1},"stride":"x"}"#, "Wrong(Object):Wrong(Text)"),
        ] {
            assert_eq!(shown(&one(text)), expected, "{text}");
        }
    }

    #[test]
    fn lists() {
        assert_eq!(read("[]"), Ok(vec![]));
        assert_eq!(read(r#"[1,[2],{},"x"]"#).map(|values| values.len()), Ok(4));
        assert_eq!(read("7"), Err(Unread::NotAnArray));
        let deep = format!("[1,{}]", "[".repeat(65) + &"]".repeat(65));
        assert!(matches!(read(&deep), Err(Unread::TooDeep(_))));
    }
}
