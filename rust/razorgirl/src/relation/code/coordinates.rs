//! Index code of coordinates: one variable for each mode.

use super::print::Names;
use super::term::Term;
use super::{IndexCode, LOOKED_AT, bits, indices, modes, ones, overflows, wrong};
use crate::error::{Error, ErrorKind, Result};
use crate::linear_layout::LinearLayout;
use crate::swizzle::SwizzledLayout;
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

/// Words that are not names of variables: the keywords of C23, C++23 and Python, and what the code itself uses.
const RESERVED: &str = "\
    False None True _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert \
    _Thread_local alignas alignof and and_eq as asm assert async auto await bitand bitor bool break case catch char \
    char16_t char32_t char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr \
    constinit continue decltype def default del delete do double dynamic_cast elif else enum except explicit export \
    extern false finally float for friend from global goto if import in inline int is lambda long mutable namespace \
    new noexcept nonlocal not not_eq nullptr offset operator or or_eq pass private protected public raise register \
    reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch \
    template this thread_local throw true try typedef typeid typename typeof typeof_unqual uint32_t uint64_t union \
    unsigned using virtual void volatile wchar_t while with xor xor_eq yield";

/// The names, if each is one in every language and there is one for each mode.
fn named(names: &[&str], modes: usize, what: &str) -> Result<Names> {
    if names.len() != modes {
        let given = if names.len() == 1 { "1 name is".to_owned() } else { format!("{} names are", names.len()) };
        let message = format!("{given} given for {modes} {what}");
        return Err(Error::new(ErrorKind::Parse, message).with_help("give one name for each"));
    }
    for (place, name) in names.iter().enumerate() {
        let word = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        // Names such as `__host__` belong to the compiler.
        let problem = if !word || name.starts_with("__") || RESERVED.split(' ').any(|word| word == *name) {
            "must be a variable name in C, C++ and Python"
        } else if names.iter().take(place).any(|other| other == name) {
            "is given twice"
        } else {
            continue;
        };
        return Err(Error::new(ErrorKind::Parse, format!("`{name}` {problem}")).with_help("write row,col"));
    }
    Ok(Names { indices: names.iter().map(|&name| name.to_owned()).collect::<Vec<String>>() })
}

impl IndexCode {
    /// Of a swizzled layout at a coordinate: one variable for each mode, in the order of the modes.
    ///
    /// ```
    /// use razorgirl::relation::{IndexCode, Language};
    ///
    /// let code = IndexCode::of_coordinates(&"(8,4):(4,1)".parse()?, &["row", "col"])?;
    /// assert_eq!(code.expression(Language::C).as_deref(), Some("(row << 2) + col"));
    /// assert_eq!(code.at_each(&[3, 2]), Some(14));
    /// let code = IndexCode::of_coordinates(&"Sw<3,3,3> o 0 o (8,64):(64,1)".parse()?, &["row", "col"])?;
    /// let text = "def offset(row, col):\n    x = (row << 6) + col\n    return x ^ ((x >> 3) & 0x38)";
    /// assert_eq!(code.function(Language::Python, "offset"), text);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// # Errors
    /// Names that are none, or not one for each mode; those of [`of_swizzled`](Self::of_swizzled).
    pub fn of_coordinates(layout: &SwizzledLayout, names: &[&str]) -> Result<Self> {
        let (swizzle, start, inner) = (layout.swizzle(), layout.offset(), layout.layout());
        let parts: Vec<_> = inner.sublayouts().collect();
        let names = named(names, parts.len(), "modes of the layout")?;
        let (mut sum, mut plain) = (Term::Number(0), parts.len().saturating_sub(1));
        for (place, part) in parts.iter().enumerate() {
            let coalesced = part.coalesce();
            let of_part: Vec<(u64, u64)> =
                coalesced.modes().iter().map(|mode| (mode.extent(), mode.stride())).collect();
            plain += modes::plain_operations(&of_part);
            sum = sum.add(Self::sum(part, &of_part)?.of(place));
        }
        let sum = sum.add(Term::Number(start));
        let width = ones(64 - (inner.cosize() - 1).saturating_add(start).leading_zeros());
        let read = swizzle.source() & width;
        let far = u32::try_from(swizzle.shift().unsigned_abs()).unwrap_or(u32::MAX);
        let up = swizzle.shift() < 0;
        if up && read.leading_zeros() < far && read != 0 {
            overflows(layout)?;
        }
        let moved = if up { read.checked_shl(far) } else { read.checked_shr(far) }.unwrap_or(0);
        let mut code = if moved == 0 {
            Self::new(None, sum, layout.size(), 0, plain)
        } else {
            Self::new(Some(sum), Self::swizzled(read, far, up, width), layout.size(), 0, plain + 3)
        };
        let largest = code.before.as_ref().map_or(0, Term::largest).max(code.last.largest());
        code.bits =
            if (layout.size() - 1) >> 32 == 0 && (width | moved) >> 32 == 0 && largest >> 32 == 0 { 32 } else { 64 };
        code.names = names;
        let extents: Vec<u64> = parts.iter().map(crate::Layout::size).collect();
        code.checked_each(layout.size(), &indices(inner), &extents, |index| layout.at(index))
    }

    /// Of a linear layout at a coordinate: one variable for each input dimension, by its name; the output is packed.
    ///
    /// # Errors
    /// Names of dimensions that are not names of variables, and [`TooLarge`](ErrorKind::TooLarge) for 64 bits of input.
    pub fn of_linear_dimensions(layout: &LinearLayout, names: &[&str]) -> Result<Self> {
        let packed = Self::of_linear(layout)?;
        let inputs: Vec<u32> =
            layout.bases().iter().map(|(_, rows)| u32::try_from(rows.len()).unwrap_or(u32::MAX)).collect();
        let names = named(names, inputs.len(), "input dimensions")?;
        let (mut term, mut from) = (Term::Number(0), 0_usize);
        for (place, count) in inputs.iter().enumerate() {
            let end = from + *count as usize;
            term = term.xor(bits::fewest(layout.columns().get(from..end).unwrap_or_default()).of(place));
            from = end;
        }
        let code = Self { last: term, names, ..packed };
        let extents: Vec<u64> = inputs.iter().map(|count| 1 << count).collect();
        let single: Vec<u64> = (0..layout.columns().len()).map(|bit| 1 << bit).collect();
        let size = 1_u64 << layout.columns().len();
        code.checked_each(size, &single, &extents, |index| Ok(layout.apply_packed(index)))
    }

    /// Compared with what it is the code of: at every coordinate of few, else at those of these indices.
    fn checked_each(
        self,
        size: u64,
        some: &[u64],
        extents: &[u64],
        meant: impl Fn(u64) -> Result<u64>,
    ) -> Result<Self> {
        let few = if size <= LOOKED_AT { 0..size } else { 0..0 };
        for index in few.chain(some.iter().copied().filter(|index| *index < size)) {
            let mut rest = index;
            let coordinate: Vec<u64> = extents
                .iter()
                .map(|extent| {
                    let part = rest % extent;
                    rest /= extent;
                    part
                })
                .collect();
            if self.at_each(&coordinate) != Some(meant(index)?) {
                return Err(wrong(&format!("index code that differs at {index}")));
            }
        }
        Ok(self)
    }
}
