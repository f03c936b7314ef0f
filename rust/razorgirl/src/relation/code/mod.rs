//! Index code: what a layout computes, as C, CUDA and Python write it.

use alloc::{string::String, vec::Vec};

mod bits;
mod coordinates;
mod modes;
mod print;
mod term;
#[cfg(test)]
mod tests;

pub use print::Language;

use self::print::Names;
use self::term::Term;
use super::MAX_PAIRS;
use crate::error::{Error, ErrorKind, Result};
use crate::layout::Layout;
use crate::linear_layout::{LinearLayout, columns_of_layout};
use crate::swizzle::SwizzledLayout;

/// So many indices are looked at one by one before code is handed out; of more, some around each mode's first and last steps.
const LOOKED_AT: u64 = 1 << 12;

/// The offset of a linear index as code computes it, in unsigned integers and for indices below the layout's size.
///
/// Divisions by powers of two are shifts and masks. Where the whole quotient is cheaper than what remains of it, the next quotient pays it
/// back. A swizzle of a layout whose bits are bits of the index is masks and shifts of the index alone.
///
/// ```
/// use razorgirl::relation::{IndexCode, Language};
///
/// let code = IndexCode::of_layout(&"(32,32):(1,33)".parse()?)?;
/// assert_eq!(code.expression(Language::C).as_deref(), Some("c + (c >> 5)"));
/// // (c % 32) + (c / 32) * 33
/// assert_eq!((code.operations(), code.plain_operations()), (2, 4));
/// let code = IndexCode::of_swizzled(&"Sw<2,0,3> o 0 o (6,8):(8,1)".parse()?)?;
/// let text = "def offset(c):\n    x = (c << 3) - (c // 6) * 47\n    return x ^ ((x >> 3) & 3)";
/// assert_eq!(code.function(Language::Python, "offset"), text);
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.FlatLayout.codeExpr`, of which every choice of whole quotients is proved to have the layout's offset
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexCode {
    /// What `x` is, where one expression is not enough.
    before: Option<Term>,
    last: Term,
    bits: u32,
    plain: usize,
    names: Names,
}

impl IndexCode {
    /// Of a layout: its offset at a linear index.
    ///
    /// # Errors
    /// None for a layout; the code is compared with it before it is returned.
    pub fn of_layout(layout: &Layout) -> Result<Self> {
        let coalesced = layout.coalesce();
        let modes: Vec<(u64, u64)> = coalesced.modes().iter().map(|mode| (mode.extent(), mode.stride())).collect();
        let mut code = Self::new(
            None,
            Self::sum(layout, &modes)?,
            layout.size(),
            layout.cosize(),
            modes::plain_operations(&modes),
        );
        if code.last.largest() >> 32 != 0 {
            code.bits = 64;
        }
        code.checked(layout.size(), &indices(layout), |index| layout.at(index))
    }

    fn sum(layout: &Layout, modes: &[(u64, u64)]) -> Result<Term> {
        let sum = modes::fewest(modes).ok_or_else(|| wrong("a sum without a term to begin with"))?;
        let masked = columns_of_layout(layout).ok().map(|columns| bits::fewest(&columns));
        Ok(masked.filter(|masked| masked.operations() < sum.operations()).unwrap_or(sum))
    }

    /// Of a swizzled layout.
    ///
    /// # Errors
    /// [`Overflow`](ErrorKind::Overflow) where the swizzle moves a bit of an offset beyond 64 bits, or might for more than [`MAX_PAIRS`]
    /// offsets.
    pub fn of_swizzled(layout: &SwizzledLayout) -> Result<Self> {
        let (swizzle, start, inner) = (layout.swizzle(), layout.offset(), layout.layout());
        // The offset of the last coordinate is below 2^64, with the start.
        let width = ones(64 - (inner.cosize() - 1).saturating_add(start).leading_zeros());
        let read = swizzle.source() & width;
        let far = u32::try_from(swizzle.shift().unsigned_abs()).unwrap_or(u32::MAX);
        let up = swizzle.shift() < 0;
        if up && read.leading_zeros() < far && read != 0 {
            overflows(layout)?;
        }
        let moved = |mask: u64| if up { mask.checked_shl(far) } else { mask.checked_shr(far) }.unwrap_or(0);
        let end = width | moved(read);
        let coalesced = inner.coalesce();
        let modes: Vec<(u64, u64)> = coalesced.modes().iter().map(|mode| (mode.extent(), mode.stride())).collect();
        let swizzles = moved(read) != 0;
        let plain = modes::plain_operations(&modes) + usize::from(start > 0) + if swizzles { 3 } else { 0 };
        let x = Self::sum(inner, &modes)?.add(Term::Number(start));
        let stepwise = if swizzles {
            Self::new(Some(x), Self::swizzled(read, far, up, width), layout.size(), 0, plain)
        } else {
            Self::new(None, x, layout.size(), 0, plain)
        };
        let mut best = stepwise;
        if let Ok(columns) = columns_of_layout(inner)
            && columns.iter().all(|column| column & start == 0)
            && let Ok(columns) = columns.iter().map(|column| swizzle.apply(*column)).collect::<Result<Vec<_>>>()
            && let Ok(start) = swizzle.apply(start)
        {
            let term = bits::fewest(&columns).xor(Term::Number(start));
            if term.operations() <= best.operations() {
                best = Self::new(None, term, layout.size(), 0, plain);
            }
        }
        let largest = best.before.as_ref().map_or(0, Term::largest).max(best.last.largest());
        best.bits = if (layout.size() - 1) >> 32 == 0 && end >> 32 == 0 && largest >> 32 == 0 { 32 } else { 64 };
        best.checked(layout.size(), &indices(inner), |index| layout.at(index))
    }

    /// `x ^ (x >> far & mask)` of the offset before it, of which these bits are read and no bit is beyond the width.
    fn swizzled(read: u64, far: u32, up: bool, width: u64) -> Term {
        let kept = Term::Before.and(read);
        let part = match (up, far) {
            (_, 0) => kept,
            (true, _) => kept.left(far),
            // A mask that only leaves out what is shifted out is none; a small one is read more easily behind the shift.
            (false, _) if width >> far == read >> far => Term::Before.right(far),
            (false, _) => Term::Before.right(far).and(read >> far),
        };
        Term::Before.xor(part)
    }

    /// Of a linear layout: the packed output at a packed input, both with the first dimension in the lowest bits.
    ///
    /// ```
    /// use razorgirl::linear_layout::LinearLayout;
    /// use razorgirl::relation::{IndexCode, Language};
    ///
    /// let bases = [("lane".to_owned(), vec![vec![2], vec![4], vec![1 + 8]])];
    /// let code = IndexCode::of_linear(&LinearLayout::new(&bases, vec![("offset".to_owned(), 16)])?)?;
    /// assert_eq!(code.expression(Language::Cuda).as_deref(), Some("(c >> 2) ^ (c << 1)"));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) for 64 bits of input.
    pub fn of_linear(layout: &LinearLayout) -> Result<Self> {
        let columns = layout.columns();
        if columns.len() > 63 {
            let message = format!("the inputs have {} bits", columns.len());
            return Err(
                Error::new(ErrorKind::TooLarge, message).with_help("index code has an index of at most 63 bits")
            );
        }
        let term = bits::fewest(columns);
        let end = columns.iter().fold(0, |all, column| all | column);
        let size = 1_u64 << columns.len();
        let mut code = Self::new(None, term, size, 0, bits::plain_operations(columns));
        code.bits = if (size - 1) >> 32 == 0 && end >> 32 == 0 { 32 } else { 64 };
        let single: Vec<u64> = (0..columns.len()).map(|bit| 1 << bit).collect();
        code.checked(size, &single, |index| Ok(layout.apply_packed(index)))
    }

    fn new(before: Option<Term>, last: Term, size: u64, cosize: u64, plain: usize) -> Self {
        let bits = if (size - 1) >> 32 == 0 && cosize.saturating_sub(1) >> 32 == 0 { 32 } else { 64 };
        Self { before, last, bits, plain, names: Names { indices: vec!["c".into()] } }
    }

    /// Compared with what it is the code of: at every index of few, else at these.
    fn checked(self, size: u64, some: &[u64], meant: impl Fn(u64) -> Result<u64>) -> Result<Self> {
        let same = |index: u64| Ok::<_, Error>(self.at(index) == Some(meant(index)?));
        let few = if size <= LOOKED_AT { 0..size } else { 0..0 };
        for index in few.chain(some.iter().copied().filter(|index| *index < size)) {
            if !same(index)? {
                return Err(wrong(&format!("index code that differs at {index}")));
            }
        }
        Ok(self)
    }

    /// The value that the code computes at an index below the size, of [`bits`](Self::bits) bits.
    #[must_use]
    pub fn at(&self, index: u64) -> Option<u64> {
        self.at_each(&[index])
    }

    /// What the code computes at these coordinates, one for each name.
    #[must_use]
    pub fn at_each(&self, indices: &[u64]) -> Option<u64> {
        let cut = |value: u64| if self.bits == 32 { value & u64::from(u32::MAX) } else { value };
        let before = match &self.before {
            Some(before) => cut(before.value(indices, 0)?),
            None => 0,
        };
        self.last.value(indices, before).map(cut)
    }

    /// The expression of `c`, or of the coordinates; `None` if a swizzle uses the unswizzled offset twice, which takes a statement.
    #[must_use]
    pub fn expression(&self, language: Language) -> Option<String> {
        self.before.is_none().then(|| language.term(&self.last, &self.names))
    }

    /// A function of `c`, or of the coordinates, with this name.
    #[must_use]
    pub fn function(&self, language: Language, name: &str) -> String {
        language.function(self.before.as_ref(), &self.last, name, self.bits, &self.names)
    }

    /// The bits of its integers, in C and CUDA: 32 where index and offset fit, else 64.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// How many operators it has.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.before.as_ref().map_or(0, Term::operations) + self.last.operations()
    }

    /// How many operators the plain formula has: the sum of `(c / P) % s * d` over the modes of the coalesced layout, and three for a
    /// swizzle; for a linear layout the exclusive or of `((c >> k) & 1) * column`. Operators that change nothing are not counted.
    #[must_use]
    pub fn plain_operations(&self) -> usize {
        self.plain
    }
}

/// Whether a bit of an offset is moved beyond 64 bits: looked at one by one, if they are few.
fn overflows(layout: &SwizzledLayout) -> Result<()> {
    if layout.size() <= MAX_PAIRS as u64 {
        return layout.offsets().find_map(Result::err).map_or(Ok(()), Err);
    }
    Err(Error::new(ErrorKind::Overflow, format!("a bit of an offset may move beyond 64 bits: {}", layout.swizzle()))
        .with_help("use a shift that is not so far below 0"))
}

fn ones(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// Indices around the first and last steps of each mode.
fn indices(layout: &Layout) -> Vec<u64> {
    let (mut start, mut all) = (1_u64, vec![layout.size() - 1, layout.size() / 2, layout.size() / 3]);
    for mode in layout.modes() {
        let end = start.saturating_mul(mode.extent());
        all.extend([start - 1, start, start.saturating_mul(2) - 1, end - start, end - 1]);
        start = end;
    }
    all
}

#[cold]
fn wrong(what: &str) -> Error {
    Error::new(ErrorKind::NoLayout, format!("{what}: a defect of razorgirl"))
        .with_help("please report it with the layout")
}
