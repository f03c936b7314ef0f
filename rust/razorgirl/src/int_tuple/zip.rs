//! Rows and columns of a tuple exchanged, and pairs parted.

use crate::error::{Error, ErrorKind, Result, brief};
use alloc::vec::Vec;

use super::builder::HTupleBuilder;
use super::htuple::HTuple;
use super::profile::{Children, Profile, Span};

impl<T: Copy + Default> HTuple<T> {
    /// A tuple of tuples with rows and columns exchanged. If the first mode is bare, all modes are one row; a bare value
    /// stays.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when the modes differ in rank, when one is bare and the first is not, or
    /// when there is none; [`TooLarge`](ErrorKind::TooLarge) when the result would be nested deeper than
    /// [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::IntTuple;
    ///
    /// let tuple: IntTuple = "((1,2,3),(4,5,6))".parse()?;
    /// assert_eq!(tuple.zip()?.to_string(), "((1,4),(2,5),(3,6))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `zip(tuple)`.
    ///
    /// Lean: `Razorgirl.HTuple.zip`
    pub fn zip(&self) -> Result<Self> {
        if self.is_leaf() {
            return Ok(self.clone());
        }
        let profile = self.profile();
        let rows: Vec<Span> = profile.children().collect();
        let Some(first) = rows.first() else {
            return Err(
                Error::new(ErrorKind::Incongruent, "() has no modes to zip").with_help("give at least one mode")
            );
        };
        let is_leaf = |row: &Span| row.tokens.len() == 1;
        if is_leaf(first) {
            return Self::tuple(core::slice::from_ref(self));
        }
        let width = profile.children_of(first).count();
        if let Some(row) = rows.iter().position(|row| is_leaf(row) || profile.children_of(row).count() != width) {
            return Err(ragged(profile, row, width));
        }
        let mut rows: Vec<Children> = rows.iter().map(|row| profile.children_of(row)).collect();
        let mut zipped = HTupleBuilder::new();
        zipped.open()?;
        for _ in 0..width {
            zipped.open()?;
            for cell in rows.iter_mut().filter_map(Iterator::next) {
                zipped.part(self, &cell)?;
            }
            zipped.close();
        }
        zipped.close();
        zipped.finish()
    }

    /// The pairs at the leaves of the guide, separated: the first of each in one tuple, the second in another with the modes
    /// behind it that the guide does not reach. Both are nested as the guide.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) where a leaf of the guide meets something else than a tuple of two, or a
    /// tuple of it something with fewer modes.
    ///
    /// ```
    /// use razorgirl::IntTuple;
    ///
    /// let tuple: IntTuple = "((1,2),((3,4),(5,6)),7)".parse()?;
    /// assert_eq!(tuple.unzip(&"(*,(*,*))".parse()?)?.to_string(), "((1,(3,5)),(2,(4,6),7))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `zip2_by(tuple, guide)`, and `tile_unzip` of layouts.
    ///
    /// Lean: `Razorgirl.HTuple.unzip`
    pub fn unzip(&self, guide: &Profile) -> Result<Self> {
        let (first, second) =
            self.part_by_guide(guide, &guide.span()).ok_or_else(|| unpaired(self.profile(), guide))??;
        Self::tuple(&[first, second])
    }

    // Recursion: no deeper than the guide, which has at most MAX_DEPTH levels.
    fn part_by_guide(&self, guide: &Profile, at: &Span) -> Option<Result<(Self, Self)>> {
        if at.tokens.len() == 1 {
            let pair: Vec<Self> = self.modes().collect();
            return match (self.is_leaf(), pair.as_slice()) {
                (false, [first, second]) => Some(Ok((first.clone(), second.clone()))),
                _ => None,
            };
        }
        if self.is_leaf() {
            return None;
        }
        let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
        let mut modes = self.modes();
        let guides: Children = guide.children_of(at);
        for part in guides {
            match modes.next()?.part_by_guide(guide, &part)? {
                Ok((first, second)) => {
                    firsts.push(first);
                    seconds.push(second);
                }
                Err(error) => return Some(Err(error)),
            }
        }
        seconds.extend(modes);
        Some(Self::tuple(&firsts).and_then(|first| Ok((first, Self::tuple(&seconds)?))))
    }
}

#[cold]
fn ragged(profile: &Profile, row: usize, width: usize) -> Error {
    Error::new(
        ErrorKind::Incongruent,
        format!("mode 0 of {} is a tuple of {width} modes, mode {row} is not", brief(profile)),
    )
    .with_help("modes that are zipped need the same rank; `append` pads with 1:0")
}

#[cold]
fn unpaired(profile: &Profile, guide: &Profile) -> Error {
    Error::new(
        ErrorKind::Incongruent,
        format!("the guide {} does not meet a tuple of two at each leaf of {}", brief(guide), brief(profile)),
    )
    .with_help("at each leaf of the guide there has to be a pair; modes beyond a tuple of the guide are free")
}
