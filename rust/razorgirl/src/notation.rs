//! CuTe notation read: `((4,2),(2,4)):((2,16),(1,8))`.

use alloc::{borrow::ToOwned, string::String, vec::Vec};
use core::str::FromStr;

use crate::any_layout::AnyLayout;
use crate::coord::Coord;
use crate::error::{Error, ErrorKind, Result};
use crate::int::expr::Expr;
use crate::int_tuple::profile::too_deep;
use crate::int_tuple::{HTuple, HTupleBuilder, IntTuple, Literal, MAX_DEPTH, Profile, Shape};
use crate::layout::{Layout, Tiler};
use crate::stride::{Basis, CoordLayout};
use crate::swizzle::{Swizzle, SwizzledLayout};

/// A leaf as it is written.
#[derive(Clone, Copy, Debug, Default)]
enum Leaf {
    Number(Literal),
    /// `_`, or `*` in a profile.
    #[default]
    Blank,
}

/// A tuple together with the byte at which each leaf starts.
struct Read<T: Copy + Default = Leaf> {
    tuple: HTuple<T>,
    positions: Vec<usize>,
    start: usize,
}

/// Names of tuples in CuTe's source, with their bracket.
const TUPLES: [&[u8]; 6] = [b"Shape<", b"Stride<", b"Step<", b"Coord<", b"Tile<", b"tuple<"];

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { text: text.as_bytes(), at: 0 }
    }

    fn skip_blanks(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// The next byte that is not blank.
    fn peek(&mut self) -> Option<u8> {
        self.skip_blanks();
        self.text.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let met = self.peek() == Some(byte);
        self.at += usize::from(met);
        met
    }

    fn expected(&mut self, what: &str) -> Error {
        self.skip_blanks();
        // The text is a `str`, but the error may fall on any byte of it.
        let rest = self.text.get(self.at..).unwrap_or_default();
        let met = match String::from_utf8_lossy(rest).chars().next() {
            None => "the end".to_owned(),
            Some(char) => format!("`{}`", char.escape_default()),
        };
        Error::new(ErrorKind::Parse, format!("expected {what}, met {met} at byte {}", self.at)).with_position(self.at)
    }

    fn tuple(&mut self) -> Result<Read> {
        self.tuple_of(Self::leaf)
    }

    /// The bracket that closes the tuple which opens here: `(4,8)`, `Shape<_4,_8>`, `cute::tuple<cute::C<4>,…>`.
    fn open(&mut self) -> Option<u8> {
        self.skip_blanks();
        let start = self.at;
        if self.word(b"(") {
            return Some(b')');
        }
        self.namespace();
        if TUPLES.iter().any(|name| self.word(name)) {
            return Some(b'>');
        }
        self.at = start;
        None
    }

    fn tuple_of<T: Copy + Default>(&mut self, mut leaf: impl FnMut(&mut Self) -> Result<T>) -> Result<Read<T>> {
        let mut builder = HTupleBuilder::new();
        let mut positions = Vec::new();
        let mut closing = Vec::new();
        self.skip_blanks();
        let start = self.at;
        loop {
            // Here a mode must start.
            let at = self.at;
            if let Some(close) = self.open() {
                builder.open().map_err(|error| error.with_position(at))?;
                closing.push(close);
                if self.peek() != Some(close) {
                    continue;
                }
            } else {
                positions.push(self.at);
                builder.leaf(leaf(self)?);
            }
            // A mode has ended, or an empty tuple has just been opened.
            loop {
                let Some(&close) = closing.last() else {
                    return Ok(Read { tuple: builder.finish()?, positions, start });
                };
                if self.take(close) {
                    builder.close();
                    closing.pop();
                    if close == b'>' {
                        self.word(b"{}");
                    }
                } else if self.take(b',') {
                    // pycute writes a tuple of one as `(8,)`.
                    if close == b'>' || self.peek() != Some(close) {
                        self.skip_blanks();
                        break;
                    }
                } else {
                    return Err(self.expected(if close == b')' { "`,` or `)`" } else { "`,` or `>`" }));
                }
            }
        }
    }

    /// `4`, `-4`, `_4`, `_4{}`, `Int<4>`, `Int<4>{}`, `C<4>`, `cute::C<4>`, `_`, `*`.
    fn leaf(&mut self) -> Result<Leaf> {
        self.namespace();
        let wrapped = self.word(b"Int<") || self.word(b"C<");
        let prefixed = !wrapped && self.word(b"_");
        let number = self.number();
        let leaf = match number {
            Some(number) => Leaf::Number(number),
            None if prefixed => return Ok(Leaf::Blank),
            None if !wrapped && self.word(b"*") => return Ok(Leaf::Blank),
            None if wrapped => return Err(self.expected("an integer")),
            None if self.text.get(self.at..).is_some_and(|rest| rest.starts_with(b"int")) => {
                return Err(self
                    .expected("an integer")
                    .with_help("the type of a dynamic extent or stride has no value: write the number in its place"));
            }
            None => return Err(self.expected("an integer or `(`")),
        };
        if wrapped && !self.take(b'>') {
            return Err(self.expected("`>`"));
        }
        if wrapped || prefixed {
            self.word(b"{}");
        }
        Ok(leaf)
    }

    fn number(&mut self) -> Option<Literal> {
        let rest = self.text.get(self.at..)?;
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest.iter().skip(sign).take_while(|b| b.is_ascii_digit());
        let len = sign + digits.count();
        let number = Literal::read(rest.get(..len)?)?;
        self.at += len;
        Some(number)
    }

    fn word(&mut self, word: &[u8]) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let met = rest.starts_with(word);
        if met {
            self.at += word.len();
        }
        met
    }

    fn end(&mut self, expected: &str) -> Result<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.expected(expected)),
        }
    }
}

impl Read {
    /// The leaves as integers; `_` has no place among them.
    fn literals(&self) -> Result<HTuple<Literal>> {
        for (leaf, position) in self.tuple.leaves().iter().zip(&self.positions) {
            if matches!(leaf, Leaf::Blank) {
                return Err(Error::new(
                    ErrorKind::Parse,
                    format!("expected an integer, met a placeholder at byte {position}"),
                )
                .with_position(*position)
                .with_help("`_` belongs in coordinates only"));
            }
        }
        Ok(self.tuple.map(|leaf| match leaf {
            Leaf::Number(number) => number,
            Leaf::Blank => Literal::default(),
        }))
    }
}

impl<T: Copy + Default> Read<T> {
    /// Adds where the leaf at fault is.
    fn place(&self, error: Error) -> Error {
        match error.leaf().and_then(|leaf| self.positions.get(leaf)) {
            Some(position) => error.with_position(*position),
            None => error,
        }
    }
}

fn read_tuple(text: &str) -> Result<Read> {
    let mut reader = Reader::new(text);
    let read = reader.tuple()?;
    reader.end("the end")?;
    Ok(read)
}

impl FromStr for AnyLayout {
    type Err = Error;

    /// Reads what CuTe prints and what its source says:
    ///
    /// - `(4,8):(1,4)`; a shape alone gets column-major strides; `Layout<Shape<_4,_8>,Stride<_1,_4>>`
    /// - `Sw<3,4,3> o 0 o (8,64):(64,1)`, also with `S` or `Swizzle`, `_0`, or without the offset 0;
    ///   `ComposedLayout<Swizzle<3,4,3>,_0,Layout<…>>`
    /// - `(4,8):(1@0,1@1)`, `ArithTuple(0,64) o (8,16):(_1@0,_1@1)`, also with `E<0>` and `2*E<0,1>{}`; sums of them as
    ///   `1@0+2@1`; `Layout<Shape<_4,_8>,Stride<E<0>,E<1>>>`
    ///
    /// `cute::` may stand in front of each name.
    ///
    /// With `smem_ptr[16b](unset)` or, in a `ComposedLayout`, `smem_ptr_flag_bits<16>` in place of the offset, the offset is 0,
    /// the swizzle counts bytes and the layout elements of 16 bits:
    /// `Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)` is `Sw<3,3,3> o 0 o (8,64):(64,1)`. Of a swizzle with S above 0, the
    /// bits that it changes inside an element are left out.
    ///
    /// # Errors
    /// [`Parse`](ErrorKind::Parse) with the position, and the errors of [`Layout::new`], [`SwizzledLayout::new`] and
    /// [`CoordLayout::new`].
    fn from_str(text: &str) -> Result<Self> {
        let mut reader = Reader::new(text);
        if let Some(outer) = reader.swizzle_word() {
            return reader.swizzled(outer).map(Self::Swizzled);
        }
        if has_coordinates(text) {
            return reader.coordinates().map(Self::Coordinates);
        }
        let layout = reader.layout()?;
        reader.end("the end")?;
        Ok(Self::Plain(layout))
    }
}

/// Another kind of layout than the one that is expected; the position is that of the text that makes it one.
fn another(expected: &str, met: &AnyLayout, text: &str) -> Error {
    let at = match met {
        AnyLayout::Coordinates(_) => COORDINATE_SIGNS.iter().filter_map(|sign| text.find(sign)).min(),
        AnyLayout::Plain(_) | AnyLayout::Swizzled(_) => None,
    };
    let at = at.unwrap_or(text.len() - text.trim_start().len());
    Error::new(ErrorKind::Parse, format!("expected {expected}, met {} at byte {at}", met.name()))
        .with_position(at)
        .with_help(match met {
            AnyLayout::Coordinates(_) => {
                "`call`, `coalesce`, `composition`, `eval`, `show` and `size` take coordinate strides; complements and inverses order \
                 offsets, and coordinates have no order"
            }
            _ => "`call`, `composition`, `eval`, `recast`, `size` and `show` take swizzled layouts",
        })
}

impl FromStr for Layout {
    type Err = Error;

    /// Reads an [`AnyLayout`] whose strides are integers and that nothing swizzles.
    ///
    /// # Errors
    /// [`Parse`](ErrorKind::Parse) with the position, and the errors of [`Layout::new`].
    fn from_str(text: &str) -> Result<Self> {
        match text.parse()? {
            AnyLayout::Plain(layout) => Ok(layout),
            other => Err(another("a layout", &other, text)),
        }
    }
}

impl FromStr for CoordLayout {
    type Err = Error;

    /// Reads an [`AnyLayout`] that nothing swizzles. A layout by itself is one with integers as values.
    ///
    /// # Errors
    /// [`Parse`](ErrorKind::Parse) with the position, and the errors of [`CoordLayout::new`] and [`Layout::new`].
    fn from_str(text: &str) -> Result<Self> {
        match text.parse()? {
            AnyLayout::Plain(layout) => Ok(layout.into()),
            AnyLayout::Coordinates(layout) => Ok(layout),
            other @ AnyLayout::Swizzled(_) => Err(another("a layout of coordinates", &other, text)),
        }
    }
}

impl FromStr for SwizzledLayout {
    type Err = Error;

    /// Reads an [`AnyLayout`] whose strides are integers. A layout by itself is one that nothing swizzles.
    ///
    /// # Errors
    /// [`Parse`](ErrorKind::Parse) with the position, and the errors of [`SwizzledLayout::new`] and [`Layout::new`].
    fn from_str(text: &str) -> Result<Self> {
        match text.parse()? {
            AnyLayout::Plain(layout) => Ok(layout.into()),
            AnyLayout::Swizzled(layout) => Ok(layout),
            other @ AnyLayout::Coordinates(_) => Err(another("a swizzled layout", &other, text)),
        }
    }
}

/// Whether coordinate strides, or a start that is a coordinate, are written here.
fn has_coordinates(text: &str) -> bool {
    COORDINATE_SIGNS.iter().any(|sign| text.contains(sign))
}

/// What CuTe prints before a start that is a coordinate.
const ARITH_TUPLE: &str = "ArithTuple";

/// What stands in no other layout than one of coordinates.
const COORDINATE_SIGNS: [&str; 3] = ["@", "E<", ARITH_TUPLE];

/// How a swizzled layout is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outer {
    /// `Sw<3,4,3> o 0 o L`
    Printed,
    /// `ComposedLayout<Swizzle<3,4,3>,_0,L>`
    Type,
}

impl Reader<'_> {
    /// The word with which a swizzled layout begins, with its bracket.
    fn swizzle_word(&mut self) -> Option<Outer> {
        self.skip_blanks();
        let start = self.at;
        self.namespace();
        if self.word(b"ComposedLayout<") {
            return Some(Outer::Type);
        }
        if self.swizzle_name() {
            return Some(Outer::Printed);
        }
        self.at = start;
        None
    }

    fn swizzle_name(&mut self) -> bool {
        self.namespace();
        self.word(b"Swizzle<") || self.word(b"Sw<") || self.word(b"S<")
    }

    /// `cute::`, which may stand in front of each name.
    fn namespace(&mut self) {
        self.skip_blanks();
        self.word(b"cute::");
    }

    /// The rest of a swizzled layout behind its first word.
    fn swizzled(&mut self, outer: Outer) -> Result<SwizzledLayout> {
        if outer == Outer::Type && !self.swizzle_name() {
            return Err(self.expected("`Swizzle<`"));
        }
        let mut swizzle = self.swizzle()?;
        self.separator(outer)?;
        let offset = if let Some((at, bits)) = self.element_bits()? {
            swizzle = in_elements(swizzle, bits).map_err(|error| error.with_position(at))?;
            self.separator(outer)?;
            0
        } else if outer == Outer::Type {
            let offset = self.leaf_number("the offset, an integer from 0")?;
            self.must(b',')?;
            offset
        } else {
            self.offset_before_layout()?
        };
        let layout = self.layout()?;
        if outer == Outer::Type {
            self.must(b'>')?;
            self.word(b"{}");
        }
        self.end("the end")?;
        SwizzledLayout::new(swizzle, offset, layout)
    }

    /// What stands between the parts of a swizzled layout.
    fn separator(&mut self, outer: Outer) -> Result<()> {
        if outer == Outer::Type {
            return self.must(b',');
        }
        self.word(b"{}");
        self.after()
    }

    /// The bits of an element where a pointer that is not set stands in place of the offset, and where they are written:
    /// `smem_ptr[16b](unset)` as CuTe prints it, `smem_ptr_flag_bits<16>` as a type; `smem_ptr_flag` is that of 1 bit.
    fn element_bits(&mut self) -> Result<Option<(usize, u64)>> {
        self.skip_blanks();
        let start = self.at;
        self.namespace();
        if self.word(b"smem_ptr[") {
            let at = self.at;
            let bits = self.natural("the bits of an element")?;
            if !self.word(b"b](unset)") {
                return Err(self
                    .expected("`b](unset)`")
                    .with_help("a pointer that is set has its address: write the offset in elements in its place"));
            }
            return Ok(Some((at, bits)));
        }
        if self.word(b"smem_ptr_flag_bits<") {
            let at = self.at;
            let bits = self.natural("the bits of an element")?;
            self.must(b'>')?;
            self.word(b"{}");
            return Ok(Some((at, bits)));
        }
        if self.word(b"smem_ptr_flag") {
            self.word(b"{}");
            return Ok(Some((start, 1)));
        }
        self.at = start;
        Ok(None)
    }

    /// `3,4,3>`.
    fn swizzle(&mut self) -> Result<Swizzle> {
        self.skip_blanks();
        let start = self.at;
        let bits = self.natural("B, an integer from 0")?;
        self.must(b',')?;
        let base = self.natural("M, an integer from 0")?;
        self.must(b',')?;
        let shift = self.shift()?;
        self.must(b'>')?;
        Swizzle::checked(bits, base, shift).map_err(|error| error.with_position(start))
    }

    /// `0 o`, or nothing where the layout follows at once.
    fn offset_before_layout(&mut self) -> Result<u64> {
        self.skip_blanks();
        let start = self.at;
        if self.layout_starts() {
            return Ok(0);
        }
        let offset = self.leaf_number("the offset, an integer from 0")?;
        match self.peek() {
            // a layout of one mode
            Some(b':') => {
                self.at = start;
                Ok(0)
            }
            Some(b'o' | 0xe2) => {
                self.after()?;
                Ok(offset)
            }
            _ => Err(self
                .expected("`o`, then a layout")
                .with_help("write the offset between swizzle and layout: `Sw<3,4,3> o 0 o (8,64):(64,1)`")),
        }
    }

    /// Whether a tuple or a named layout begins here, which no offset does.
    fn layout_starts(&mut self) -> bool {
        let start = self.at;
        let met = self.layout_word() || self.open().is_some();
        self.at = start;
        met
    }

    /// `Layout<`
    fn layout_word(&mut self) -> bool {
        self.skip_blanks();
        let start = self.at;
        self.namespace();
        let met = self.word(b"Layout<");
        if !met {
            self.at = start;
        }
        met
    }

    /// A natural number in any of the forms of a leaf.
    fn leaf_number(&mut self, what: &str) -> Result<u64> {
        self.skip_blanks();
        let start = self.at;
        if let Ok(Leaf::Number(Literal::Fits(number))) = self.leaf() {
            return Ok(number);
        }
        self.at = start;
        Err(self.expected(what))
    }

    /// A layout of coordinates, to the end.
    fn coordinates(&mut self) -> Result<CoordLayout> {
        self.namespace();
        let start = if self.word(ARITH_TUPLE.as_bytes()) {
            let start = self.tuple()?;
            let at = start.start;
            self.after()?;
            let numbers = start.literals()?;
            if let Some(bad) = numbers.leaves().iter().find(|number| !matches!(number, Literal::Fits(_))) {
                let kind = if *bad == Literal::Huge { ErrorKind::Overflow } else { ErrorKind::OutOfDomain };
                return Err(Error::new(kind, format!("in the start there is {bad}"))
                    .with_position(at)
                    .with_help("each number of the start is at least 0 and below 2^64"));
            }
            Some(numbers.map(|number| match number {
                Literal::Fits(number) => number,
                _ => 0,
            }))
        } else {
            None
        };
        let named = self.layout_word();
        let shape = self.tuple()?;
        if !self.take(if named { b',' } else { b':' }) {
            return Err(self.expected(if named { "`,`, then a stride" } else { "`:`, then a stride" }));
        }
        let mut strides = Vec::new();
        let stride = self.tuple_of(|reader| {
            strides.push(reader.basis_sum()?);
            Ok(())
        })?;
        if named {
            self.must(b'>')?;
            self.word(b"{}");
        }
        self.end("the end")?;
        CoordLayout::new(start.as_ref(), &shape.literals()?, stride.tuple.profile(), &strides).map_err(|error| {
            match error.kind() {
                ErrorKind::Extent => shape.place(error),
                ErrorKind::Incongruent if error.leaf().is_none() => error.with_position(stride.start),
                _ => stride.place(error),
            }
        })
    }
}

/// A swizzle of bytes, as one of elements of so many bits: CuTe's `recast_layout` from bytes.
fn in_elements(swizzle: Swizzle, bits: u64) -> Result<Swizzle> {
    let no_power = || {
        Error::new(ErrorKind::Parse, format!("a swizzle of bytes does not count elements of {bits} bits"))
            .with_help("use elements whose bits are a power of two")
    };
    if !bits.is_power_of_two() {
        return Err(no_power());
    }
    match bits.checked_div(8) {
        Some(bytes @ 1..) if !swizzle.keeps_units(bytes.trailing_zeros().into()) => Err(Error::new(
            ErrorKind::Parse,
            format!("{swizzle} of bytes does not take elements of {bits} bits to whole elements"),
        )
        .with_help("write the swizzle of elements, and the offset 0 in place of the pointer")),
        Some(bytes @ 1..) => Ok(swizzle.upcast_outer(bytes.trailing_zeros().into())),
        _ => swizzle.downcast((8 / bits).trailing_zeros().into()).ok_or_else(no_power),
    }
}

impl Reader<'_> {
    /// `shape:stride`, a shape alone, or `Layout<Shape<…>,Stride<…>>`.
    fn layout(&mut self) -> Result<Layout> {
        if !self.layout_word() {
            let shape = self.tuple()?;
            let stride = if self.take(b':') { Some(self.tuple()?) } else { None };
            if stride.is_none() && !matches!(self.peek(), None | Some(b'>')) {
                return Err(self.expected("`:` or the end"));
            }
            return Self::layout_of(&shape, stride.as_ref());
        }
        let shape = self.tuple()?;
        let stride = if self.take(b',') { Some(self.tuple()?) } else { None };
        self.must(b'>')?;
        self.word(b"{}");
        Self::layout_of(&shape, stride.as_ref())
    }

    fn layout_of(shape: &Read, stride: Option<&Read>) -> Result<Layout> {
        let Some(stride) = stride else {
            let shape = Shape::from_literals(&shape.literals()?).map_err(|e| shape.place(e))?;
            return Ok(Layout::column_major(&shape));
        };
        let (extents, strides) = (shape.literals()?, stride.literals()?);
        Layout::from_literals(&extents, &strides).map_err(|error| match error.kind() {
            ErrorKind::Extent => shape.place(error),
            ErrorKind::Stride => stride.place(error),
            ErrorKind::Incongruent => error.with_position(stride.start),
            _ => error,
        })
    }

    /// `1@0`, `5@1@0`, `E<0>`, `5*E<0,1>{}`, an integer, and sums of these.
    fn basis_sum(&mut self) -> Result<Vec<Basis>> {
        let mut terms = vec![self.basis()?];
        while self.take(b'+') {
            self.skip_blanks();
            terms.push(self.basis()?);
        }
        Ok(terms)
    }

    fn basis(&mut self) -> Result<Basis> {
        self.namespace();
        if self.word(b"E<") {
            return Ok(Basis { times: Literal::Fits(1), path: self.unit()? });
        }
        let start = self.at;
        let Leaf::Number(times) = self.leaf()? else {
            self.at = start;
            return Err(self.expected("a stride such as `1@0`"));
        };
        if self.take(b'*') {
            self.namespace();
            if !self.word(b"E<") {
                return Err(self.expected("`E<`"));
            }
            return Ok(Basis { times, path: self.unit()? });
        }
        let mut path = Vec::new();
        while self.word(b"@") {
            path.push(self.dimension()?);
        }
        // the innermost dimension is written first
        path.reverse();
        Ok(Basis { times, path })
    }

    /// `0,1>`, the outermost dimension first, and `{}` where that stands.
    fn unit(&mut self) -> Result<Vec<usize>> {
        let mut path = Vec::new();
        while self.peek() != Some(b'>') {
            if !path.is_empty() {
                self.must(b',')?;
            }
            path.push(self.dimension()?);
        }
        self.must(b'>')?;
        self.word(b"{}");
        Ok(path)
    }

    fn dimension(&mut self) -> Result<usize> {
        let dimension = self.natural("a dimension, an integer from 0")?;
        // too large is refused where the coordinate is made
        Ok(usize::try_from(dimension).unwrap_or(usize::MAX))
    }

    fn must(&mut self, byte: u8) -> Result<()> {
        if self.take(byte) { Ok(()) } else { Err(self.expected(&format!("`{}`", char::from(byte)))) }
    }

    /// The `o` between the parts of a swizzled layout.
    fn after(&mut self) -> Result<()> {
        self.skip_blanks();
        if !self.word("∘".as_bytes()) {
            self.must(b'o')?;
        }
        self.skip_blanks();
        Ok(())
    }

    /// `4` or `_4`.
    fn natural(&mut self, what: &str) -> Result<u64> {
        self.skip_blanks();
        let start = self.at;
        self.word(b"_");
        if let Some(Literal::Fits(number)) = self.number() {
            return Ok(number);
        }
        self.at = start;
        Err(self.expected(what))
    }

    /// An integer with a sign.
    fn shift(&mut self) -> Result<i64> {
        self.skip_blanks();
        let start = self.at;
        self.word(b"_");
        let from = self.at;
        let read = self.number().and_then(|_| core::str::from_utf8(self.text.get(from..self.at)?).ok()?.parse().ok());
        read.ok_or_else(|| {
            self.at = start;
            self.expected("S, an integer of 64 bits")
        })
    }
}

impl FromStr for Shape {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let read = read_tuple(text)?;
        Self::from_literals(&read.literals()?).map_err(|error| read.place(error))
    }
}

impl FromStr for IntTuple {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let read = read_tuple(text)?;
        for (leaf, position) in read.literals()?.leaves().iter().zip(&read.positions) {
            if !matches!(leaf, Literal::Fits(_)) {
                return Err(Error::new(
                    ErrorKind::Parse,
                    format!("expected an integer in [0,2^64), met {leaf} at byte {position}"),
                )
                .with_position(*position));
            }
        }
        Ok(read.tuple.map(|leaf| match leaf {
            Leaf::Number(Literal::Fits(value)) => value,
            _ => 0,
        }))
    }
}

impl FromStr for Coord {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let read = read_tuple(text)?;
        for (leaf, position) in read.tuple.leaves().iter().zip(&read.positions) {
            if let Leaf::Number(number @ (Literal::Negative | Literal::Huge)) = leaf {
                return Err(Error::new(
                    ErrorKind::OutOfDomain,
                    format!("the coordinate at byte {position} is {number}"),
                )
                .with_position(*position)
                .with_help("a coordinate is at least 0 and below its extent"));
            }
        }
        Ok(read.tuple.map(|leaf| match leaf {
            Leaf::Number(Literal::Fits(value)) => Some(value),
            _ => None,
        }))
    }
}

impl FromStr for Profile {
    type Err = Error;

    /// Reads any nested tuple; the leaves are ignored.
    fn from_str(text: &str) -> Result<Self> {
        Ok(read_tuple(text)?.tuple.profile().clone())
    }
}

impl FromStr for Expr {
    type Err = Error;

    /// Reads variables `x0`, `x1`, …, integers, `+`, `-`, `*`, `/`, `%` and parentheses, as C does; `a - b` is `a + b * -1`.
    ///
    /// # Errors
    /// [`Parse`](ErrorKind::Parse) with the position, [`Overflow`](ErrorKind::Overflow) for integers beyond 64 bits, and
    /// [`TooLarge`](ErrorKind::TooLarge) for parentheses nested deeper than [`MAX_DEPTH`], or beyond
    /// [`MAX_NODES`](crate::int::expr::MAX_NODES) nodes.
    fn from_str(text: &str) -> Result<Self> {
        let mut reader = Reader::new(text);
        let expr = reader.sum(0)?;
        reader.end("an operator or the end")?;
        Ok(expr)
    }
}

impl Reader<'_> {
    // Recursion: no deeper than MAX_DEPTH.
    fn sum(&mut self, depth: usize) -> Result<Expr> {
        let mut sum = self.product(depth)?;
        loop {
            if self.take(b'+') {
                sum = Expr::sum(sum, self.product(depth)?)?;
            } else if self.take(b'-') {
                let minus = match self.product(depth)? {
                    Expr::Const(n) => Expr::Const(-n),
                    other => Expr::product(other, Expr::Const(-1))?,
                };
                sum = Expr::sum(sum, minus)?;
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self, depth: usize) -> Result<Expr> {
        let mut product = self.factor(depth)?;
        loop {
            let make = match self.peek() {
                Some(b'*') => Expr::product,
                Some(b'/') => Expr::quotient,
                Some(b'%') => Expr::remainder,
                _ => return Ok(product),
            };
            self.at += 1;
            product = make(product, self.factor(depth)?)?;
        }
    }

    fn factor(&mut self, depth: usize) -> Result<Expr> {
        if self.take(b'(') {
            if depth == MAX_DEPTH {
                return Err(too_deep());
            }
            let inside = self.sum(depth + 1)?;
            return if self.take(b')') { Ok(inside) } else { Err(self.expected("an operator or `)`")) };
        }
        let start = self.at;
        let variable = self.peek() == Some(b'x');
        self.at += usize::from(variable);
        let sign = usize::from(!variable && self.text.get(self.at) == Some(&b'-'));
        let digits = self.text.iter().skip(self.at + sign).take_while(|byte| byte.is_ascii_digit()).count();
        let end = self.at + sign + digits;
        let word = self.text.get(self.at..end).unwrap_or_default();
        let Ok(word) = core::str::from_utf8(word) else { return Err(self.expected("a variable, an integer or `(`")) };
        if word.len() == sign {
            self.at = start;
            return Err(self.expected("a variable such as `x0`, an integer or `(`"));
        }
        let large = |what: &str| {
            Error::new(ErrorKind::Overflow, format!("{what} at byte {start} is too large")).with_position(start)
        };
        self.at = end;
        if variable {
            return word.parse().map(Expr::Var).map_err(|_| large("the number of the variable"));
        }
        word.parse::<i64>().map(|n| Expr::Const(n.into())).map_err(|_| large("the integer"))
    }
}

impl FromStr for Tiler {
    type Err = Error;

    /// Reads a layout, an integer `n` for `n:1`, `_` for «keep», or a tuple of these: `(4,_,(2,4):(1,8))`, `<4,_>`.
    ///
    /// # Errors
    /// [`Parse`](ErrorKind::Parse) with the position, [`TooLarge`](ErrorKind::TooLarge) for tuples nested deeper than
    /// [`MAX_DEPTH`], and the errors of a layout.
    fn from_str(text: &str) -> Result<Self> {
        tiler(text, 0, 0)
    }
}

/// The tiler that stands in a longer text at byte `from`, in so many tuples.
// Recursion: no deeper than MAX_DEPTH.
fn tiler(text: &str, from: usize, depth: usize) -> Result<Tiler> {
    let there = |error: Error| match error.position() {
        Some(position) => error.with_position(from + position),
        None => error,
    };
    let trimmed = text.trim();
    // CuTe C++ prints a tiler in angle brackets
    let within = |open, close| trimmed.strip_prefix(open).and_then(|inside| inside.strip_suffix(close));
    let inside = within('(', ')').or_else(|| within('<', '>'));
    match inside {
        Some(inside) if outside(trimmed, b':').is_empty() => {
            if depth == MAX_DEPTH {
                return Err(too_deep());
            }
            let from = from + (text.len() - text.trim_start().len()) + 1;
            let mut tilers = Vec::new();
            let mut start = 0;
            for end in outside(inside, b',').into_iter().chain([inside.len()]) {
                let part = inside.get(start..end).unwrap_or_default();
                // pycute writes a tuple of one as `(8,)`.
                if end < inside.len() || !part.trim().is_empty() {
                    tilers.push(tiler(part, from + start, depth + 1)?);
                }
                start = end + 1;
            }
            Ok(Tiler::Modes(tilers))
        }
        _ if outside(trimmed, b':').is_empty() => match text.parse::<Coord>().map_err(there)?.leaves() {
            [None] => Ok(Tiler::Keep),
            [Some(n)] => Tiler::integer(*n),
            _ => text.parse().map(Tiler::Layout).map_err(there),
        },
        _ => text.parse().map(Tiler::Layout).map_err(there),
    }
}

/// Where this byte stands outside of all parentheses.
fn outside(text: &str, byte: u8) -> Vec<usize> {
    let mut depth = 0_usize;
    let mut places = Vec::new();
    for (place, met) in text.bytes().enumerate() {
        match met {
            b'(' | b'<' => depth += 1,
            b')' | b'>' => depth = depth.saturating_sub(1),
            met if met == byte && depth == 0 => places.push(place),
            _ => {}
        }
    }
    places
}
