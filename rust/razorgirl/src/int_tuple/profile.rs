//! Nesting without the numbers.

use alloc::{borrow::ToOwned, boxed::Box, string::String, string::ToString, vec::Vec};
use core::ops::Range;

use crate::error::{Error, ErrorKind, Result};
use crate::inline::INLINE;

/// The deepest nesting that is read or built: 64. It bounds every recursion of the library.
pub const MAX_DEPTH: usize = 64;

/// The nesting of a tuple: `((4,2),8)` has the profile `((*,*),*)`.
///
/// A profile is a string of the tokens leaf, open and close, two bits each. Up to 64 tokens live in place, so that
/// comparing two profiles is one comparison of integers.
///
/// ```
/// use razorgirl::Profile;
///
/// let profile: Profile = "((*,*),*)".parse()?;
/// assert_eq!((profile.rank(), profile.depth(), profile.leaf_count()), (2, 2, 3));
/// assert_eq!(profile, "((4,2),8)".parse()?);
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.Profile`
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Profile {
    /// At most 64 tokens, the first in the lowest bits. No token is 0, so the highest set bit tells how many.
    short: u128,
    /// Where there are more than 64 tokens: all of them, 32 a word, unused bits 0. Then `short` is 0.
    long: Option<Box<[u64]>>,
}

/// Tokens that fit in [`Profile::short`].
const SHORT: usize = 64;
/// Tokens of a word of [`Profile::long`].
const WORD: usize = 32;
/// The low bit of every token.
const LOW: u128 = u128::MAX / 3;

/// The tokens of flat tuples of up to eight integers.
const FLAT: [u64; INLINE + 1] = {
    let mut table = [0; INLINE + 1];
    let mut rank = 0;
    while rank <= INLINE {
        let close = 2 * rank + 2;
        let leaves = (u64::MAX / 3) & !(u64::MAX << close);
        table[rank] = (leaves ^ 3) | (Token::Close as u64) << close;
        rank += 1;
    }
    table
};

/// What [`Profile::leaf_or_flat`] is for these ranks: looked up, because a branch on the rank is guessed wrongly too
/// often.
const LEAF_OR_FLAT: [u64; INLINE + 1] = {
    let mut table = FLAT;
    table[1] = Token::Leaf as u64;
    table
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Leaf = 1,
    Open = 2,
    Close = 3,
}

impl Token {
    #[inline]
    fn from_bits(bits: u128) -> Option<Self> {
        match bits & 3 {
            1 => Some(Self::Leaf),
            2 => Some(Self::Open),
            3 => Some(Self::Close),
            _ => None,
        }
    }
}

/// A subtree of a profile: its tokens and its leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) tokens: Range<usize>,
    pub(crate) leaves: Range<usize>,
}

impl Profile {
    #[inline]
    pub(crate) const fn from_short(short: u128) -> Self {
        Self { short, long: None }
    }

    /// The profile of a bare integer.
    #[inline]
    #[must_use]
    pub const fn leaf() -> Self {
        Self::from_short(Token::Leaf as u128)
    }

    /// A leaf for rank 1, else a flat tuple: what `coalesce` and `filter` give.
    #[inline]
    pub(crate) fn leaf_or_flat(rank: usize) -> Self {
        match LEAF_OR_FLAT.get(rank) {
            Some(short) => Self::from_short(u128::from(*short)),
            None => Self::flat(rank),
        }
    }

    /// The profile of a tuple of `rank` integers. O(1) for up to 62 of them.
    ///
    /// ```
    /// assert_eq!(razorgirl::Profile::flat(3).to_string(), "(*,*,*)");
    /// ```
    #[inline]
    #[must_use]
    pub fn flat(rank: usize) -> Self {
        if rank > SHORT - 2 {
            return Self::flat_long(rank);
        }
        Self::from_short(Self::flat_short(rank))
    }

    /// An open (2), then leaves (1), then a close (3); 0 for more than 62 leaves.
    #[cold]
    fn flat_short(rank: usize) -> u128 {
        if rank > SHORT - 2 {
            return 0;
        }
        let close = 2 * rank + 2;
        let leaves = LOW & !(u128::MAX << close);
        (leaves ^ 3) | (Token::Close as u128) << close
    }

    #[cold]
    fn flat_long(rank: usize) -> Self {
        let mut builder = Builder::new();
        builder.push(Token::Open);
        for _ in 0..rank {
            builder.push(Token::Leaf);
        }
        builder.push(Token::Close);
        builder.finish()
    }

    /// A tuple whose modes have these profiles.
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) when the result would be nested deeper than [`MAX_DEPTH`].
    ///
    /// ```
    /// use razorgirl::Profile;
    ///
    /// let profile = Profile::tuple(&[Profile::flat(2), Profile::leaf()])?;
    /// assert_eq!(profile.to_string(), "((*,*),*)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    pub fn tuple(modes: &[Self]) -> Result<Self> {
        let mut builder = Builder::new();
        builder.open()?;
        for mode in modes {
            builder.subtree(mode, &mode.span())?;
        }
        builder.close();
        Ok(builder.finish())
    }

    /// The tuple of two profiles; nothing where that nests too deep.
    #[inline]
    pub(crate) fn pair(first: &Self, second: &Self) -> Option<Self> {
        let (firsts, tokens) = (first.token_count(), first.token_count() + second.token_count());
        // So few tokens cannot nest too deep.
        if tokens + 2 <= WORD {
            #[expect(clippy::cast_possible_truncation, reason = "there are at most 32 tokens")]
            let (first, second) = (first.short as u64, second.short as u64);
            let inner = first | second << (2 * firsts) | (Token::Close as u64) << (2 * tokens);
            return Some(Self::from_short(u128::from(inner << 2 | Token::Open as u64)));
        }
        Self::tuple(&[first.clone(), second.clone()]).ok()
    }

    /// Whether this is the profile of a bare integer.
    #[inline]
    #[must_use]
    pub fn is_leaf(&self) -> bool {
        self.short == Token::Leaf as u128
    }

    /// Number of integers.
    ///
    /// Lean: `Razorgirl.HTuple.length`
    #[inline]
    #[must_use]
    pub fn leaf_count(&self) -> usize {
        match &self.long {
            None => leaves_in(self.short),
            Some(words) => words.iter().map(|word| leaves_in(u128::from(*word))).sum(),
        }
    }

    /// Number of modes at the top: 1 for a leaf, 0 for `()`.
    #[must_use]
    pub fn rank(&self) -> usize {
        if self.is_leaf() {
            return 1;
        }
        self.children().count()
    }

    /// 0 for a leaf, else 1 + the depth of the deepest mode; 1 for `()`.
    #[must_use]
    pub fn depth(&self) -> usize {
        let (mut now, mut deepest) = (0_usize, 0);
        for token in self.tokens() {
            match token {
                Token::Leaf => {}
                Token::Open => {
                    now += 1;
                    deepest = deepest.max(now);
                }
                Token::Close => now -= 1,
            }
        }
        deepest
    }

    /// The profile of mode `index`, or nothing beyond the rank. A leaf is its own mode 0.
    ///
    /// ```
    /// use razorgirl::Profile;
    ///
    /// let profile: Profile = "((*,*),*)".parse()?;
    /// assert_eq!(profile.mode(0), Some(Profile::flat(2)));
    /// assert_eq!(profile.mode(2), None);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    #[must_use]
    pub fn mode(&self, index: usize) -> Option<Self> {
        self.children().nth(index).map(|span| self.part(&span))
    }

    /// Whether `self` is `other` with some subtrees cut down to leaves: a leaf is weakly congruent to everything, tuples
    /// need the same rank and weakly congruent modes. A partial order, with the coarser nesting below.
    ///
    /// ```
    /// use razorgirl::Profile;
    ///
    /// let coarse: Profile = "(*,*)".parse()?;
    /// assert!(coarse.weakly_congruent(&"((*,*),*)".parse()?));
    /// assert!(!coarse.weakly_congruent(&"*".parse()?));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `weakly_congruent(self, other)`.
    ///
    /// Lean: `Razorgirl.HTuple.weaklyCongruent`
    #[must_use]
    pub fn weakly_congruent(&self, other: &Self) -> bool {
        self.align(other, |_, _| ()).is_some()
    }

    /// Calls `visit` with each leaf of `self` and the subtree that `fine` has in its place; nothing if there is a tuple
    /// of `self` without an equally long one in `fine`.
    #[inline]
    pub(crate) fn align(&self, fine: &Self, mut visit: impl FnMut(usize, Span)) -> Option<()> {
        let (mut at, mut fine_leaf, mut leaf) = (0, 0, 0);
        for token in self.tokens() {
            if token == Token::Leaf {
                let span = fine.subtree_at(at, fine_leaf)?;
                (at, fine_leaf) = (span.tokens.end, span.leaves.end);
                visit(leaf, span);
                leaf += 1;
            } else if fine.token(at)? == token {
                at += 1;
            } else {
                return None;
            }
        }
        Some(())
    }

    #[inline]
    pub(crate) fn token(&self, index: usize) -> Option<Token> {
        match &self.long {
            None if index < SHORT => Token::from_bits(self.short >> (2 * index)),
            None => None,
            Some(words) => {
                let word = u128::from(*words.get(index / WORD)?);
                Token::from_bits(word >> (2 * (index % WORD)))
            }
        }
    }

    #[inline]
    pub(crate) fn tokens(&self) -> impl Iterator<Item = Token> + '_ {
        (0..).map_while(|index| self.token(index))
    }

    fn token_count(&self) -> usize {
        match &self.long {
            None => (128 - self.short.leading_zeros() as usize).div_ceil(2),
            Some(words) => {
                let last = words.last().map_or(0, |word| word.leading_zeros() as usize / 2);
                words.len() * WORD - last
            }
        }
    }

    #[inline]
    pub(crate) fn span(&self) -> Span {
        Span { tokens: 0..self.token_count(), leaves: 0..self.leaf_count() }
    }

    /// The subtree that starts at this token, which is the `leaf`-th leaf or comes before it; nothing at a close.
    #[inline]
    pub(crate) fn subtree_at(&self, start: usize, leaf: usize) -> Option<Span> {
        let (mut at, mut leaves, mut open) = (start, leaf, 0_usize);
        loop {
            match self.token(at)? {
                Token::Leaf => leaves += 1,
                Token::Open => open += 1,
                Token::Close => open = open.checked_sub(1)?,
            }
            at += 1;
            if open == 0 {
                return Some(Span { tokens: start..at, leaves: leaf..leaves });
            }
        }
    }

    /// The modes of the whole profile; of a leaf, itself.
    pub(crate) fn children(&self) -> Children<'_> {
        self.children_of(&self.span())
    }

    /// The modes of a subtree; of a leaf, itself.
    pub(crate) fn children_of(&self, span: &Span) -> Children<'_> {
        let inside = usize::from(self.token(span.tokens.start) == Some(Token::Open));
        Children {
            profile: self,
            at: span.tokens.start + inside,
            end: span.tokens.end - inside,
            leaf: span.leaves.start,
        }
    }

    pub(crate) fn part(&self, span: &Span) -> Self {
        let mut builder = Builder::new();
        builder.copy(self, span);
        builder.finish()
    }

    /// The path of a leaf as CuTe's `get` takes it: `1` or `1,0`.
    pub(crate) fn path(&self, leaf: usize) -> String {
        let mut path: Vec<usize> = Vec::new();
        let mut seen = 0;
        for token in self.tokens() {
            match token {
                Token::Open => path.push(0),
                Token::Close => {
                    path.pop();
                }
                Token::Leaf if seen == leaf => break,
                Token::Leaf => seen += 1,
            }
            if token != Token::Open
                && let Some(last) = path.last_mut()
            {
                *last += 1;
            }
        }
        let path: Vec<String> = path.iter().map(ToString::to_string).collect();
        if path.is_empty() { "0".to_owned() } else { path.join(",") }
    }
}

fn leaves_in(bits: u128) -> usize {
    (bits & !(bits >> 1) & LOW).count_ones() as usize
}

/// The modes of a (sub)profile, in order.
#[derive(Clone, Debug)]
pub(crate) struct Children<'a> {
    profile: &'a Profile,
    at: usize,
    end: usize,
    leaf: usize,
}

impl Iterator for Children<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        if self.at >= self.end {
            return None;
        }
        let span = self.profile.subtree_at(self.at, self.leaf)?;
        (self.at, self.leaf) = (span.tokens.end, span.leaves.end);
        Some(span)
    }
}

/// Writes a profile from left to right.
#[derive(Clone, Debug)]
pub(crate) struct Builder {
    short: u128,
    len: usize,
    long: Vec<u64>,
    depth: usize,
}

impl Builder {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { short: 0, len: 0, long: Vec::new(), depth: 0 }
    }

    /// How many tuples are open.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    pub(crate) fn open(&mut self) -> Result<()> {
        if self.depth == MAX_DEPTH {
            return Err(too_deep());
        }
        self.depth += 1;
        self.push(Token::Open);
        Ok(())
    }

    pub(crate) fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.push(Token::Close);
    }

    #[inline]
    pub(crate) fn leaf(&mut self) {
        self.push(Token::Leaf);
    }

    /// Appends a subtree of another profile.
    pub(crate) fn subtree(&mut self, of: &Profile, span: &Span) -> Result<()> {
        // Half of its tokens open at most; only where that many could be too deep are they counted.
        if self.depth + span.tokens.len().div_ceil(2) > MAX_DEPTH {
            let mut depth = self.depth;
            for index in span.tokens.clone() {
                match of.token(index) {
                    Some(Token::Open) => depth += 1,
                    Some(Token::Close) => depth -= 1,
                    _ => {}
                }
                if depth > MAX_DEPTH {
                    return Err(too_deep());
                }
            }
        }
        self.copy(of, span);
        Ok(())
    }

    fn copy(&mut self, of: &Profile, span: &Span) {
        let (start, count) = (span.tokens.start, span.tokens.len());
        // All at once where both lie in place.
        if of.long.is_none() && span.tokens.end <= SHORT && self.len + count <= SHORT && count > 0 {
            let tokens = of.short >> (2 * start) & u128::MAX >> (2 * (SHORT - count));
            self.short |= tokens << (2 * self.len);
            self.len += count;
            return;
        }
        for index in span.tokens.clone() {
            if let Some(token) = of.token(index) {
                self.push(token);
            }
        }
    }

    #[inline]
    fn push(&mut self, token: Token) {
        if self.len < SHORT {
            self.short |= (token as u128) << (2 * self.len);
        } else {
            self.push_long(token);
        }
        self.len += 1;
    }

    #[cold]
    fn push_long(&mut self, token: Token) {
        if self.len == SHORT {
            #[expect(clippy::cast_possible_truncation, reason = "the two halves, in order")]
            self.long.extend([self.short as u64, (self.short >> 64) as u64]);
        }
        if self.len.is_multiple_of(WORD) {
            self.long.push(0);
        }
        if let Some(word) = self.long.last_mut() {
            *word |= (token as u64) << (2 * (self.len % WORD));
        }
    }

    #[inline]
    pub(crate) fn finish(self) -> Profile {
        if self.len <= SHORT {
            Profile::from_short(self.short)
        } else {
            Profile { short: 0, long: Some(self.long.into()) }
        }
    }
}

/// A profile of at most 32 tokens, written without a branch on the numbers of leaves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Word {
    tokens: u64,
    /// How many bits of them are in use.
    width: u32,
}

impl Word {
    #[inline]
    fn new(tokens: u64) -> Self {
        // Two bits a token, of which a leaf has only the lower one.
        Self { tokens, width: (65 - tokens.leading_zeros()) & !1 }
    }

    /// The tokens of a profile that has at most 32; else none.
    #[inline]
    pub(crate) fn of(profile: &Profile) -> Self {
        Self::new(u64::try_from(profile.short).unwrap_or_default())
    }

    /// A leaf for 1, else a flat tuple, of at most eight leaves.
    #[inline]
    pub(crate) fn leaf_or_flat(leaves: usize) -> Self {
        Self::new(LEAF_OR_FLAT.get(leaves).copied().unwrap_or_default())
    }

    /// An open, if so.
    #[inline]
    pub(crate) fn open(really: bool) -> Self {
        Self::new(u64::from(really) * Token::Open as u64)
    }

    /// A close, if so.
    #[inline]
    pub(crate) fn close(really: bool) -> Self {
        Self::new(u64::from(really) * Token::Close as u64)
    }

    #[inline]
    pub(crate) fn tokens(self) -> u64 {
        self.tokens
    }

    /// Whether there are any, and not too many.
    #[inline]
    pub(crate) fn exists(self) -> bool {
        self.width.wrapping_sub(1) < u64::BITS
    }

    #[inline]
    pub(crate) fn is_leaf(self) -> bool {
        self.tokens == Token::Leaf as u64
    }

    /// Whether these are the tokens of a leaf, or of a flat tuple with this many.
    #[inline]
    pub(crate) fn is_flat(self, leaves: usize) -> bool {
        self.is_leaf() || FLAT.get(leaves) == Some(&self.tokens)
    }

    /// Both, one behind the other.
    #[inline]
    pub(crate) fn then(self, other: Self) -> Self {
        Self {
            tokens: self.tokens | other.tokens.wrapping_shl(self.width),
            width: self.width.wrapping_add(other.width),
        }
    }
}

#[cold]
pub(crate) fn too_deep() -> Error {
    Error::new(ErrorKind::TooLarge, format!("tuples nested more than {MAX_DEPTH} deep"))
        .with_help("flatten the inner modes")
}
