//! Tilers: one operation mode by mode, and tiles apart from rests.
//!
//! Division and products make a pair (tile, rest) of each mode that the tiler reaches. Four ways to nest the pairs are in
//! use: where the modes were, zipped, tiled and flat (CuTe `transform_layout`, `zip2_by`).

use alloc::{borrow::Cow, string::String, string::ToString, vec::Vec};
use core::fmt;

use crate::error::{Error, ErrorKind, Result, Witness};
use crate::inline::InlineVec;
use crate::int_tuple::Profile;
use crate::int_tuple::profile::{Builder, Span};
use crate::suggestion::{Argument, Suggestion};

use super::basic::{Layout, LayoutBuilder};
use super::mode::Mode;

/// By what a layout is composed, divided or multiplied: a layout, one tiler for each mode, or nothing at all.
///
/// There is no fourth kind, so matches may be exhaustive.
///
/// ```
/// use razorgirl::{Layout, Tiler};
///
/// let tiler: Tiler = "(4,_,(2,4):(1,8))".parse()?;
/// assert_eq!(tiler, Tiler::Modes(vec![Tiler::integer(4)?, Tiler::Keep, Tiler::Layout("(2,4):(1,8)".parse()?)]));
/// assert_eq!(tiler.to_string(), "(4:1,_,(2,4):(1,8))");
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.Tiler`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tiler {
    /// The mode stays as it is: CuTe's `_`.
    Keep,
    /// Compose with this layout; an integer `n` is `n:1`.
    Layout(Layout),
    /// Mode by mode.
    Modes(Vec<Tiler>),
}

impl Tiler {
    /// The integer `n` as CuTe reads it: the first `n` elements.
    ///
    /// # Errors
    /// [`Extent`](crate::ErrorKind::Extent) when it is 0.
    pub fn integer(n: u64) -> Result<Self> {
        Layout::checked(InlineVec::from_slice(&[Mode::new(n, 1)]), Profile::leaf()).map(Self::Layout)
    }
}

mod sealed {
    pub trait Sealed {}
}

/// What a layout is divided or multiplied by: a [`Layout`] or a [`Tiler`]. The trait is sealed.
pub trait AsTiler: sealed::Sealed {
    #[doc(hidden)]
    fn as_layout(&self) -> Option<&Layout>;
    #[doc(hidden)]
    fn as_tiler(&self) -> Cow<'_, Tiler>;
}

impl sealed::Sealed for Layout {}

impl AsTiler for Layout {
    #[inline]
    fn as_layout(&self) -> Option<&Layout> {
        Some(self)
    }

    fn as_tiler(&self) -> Cow<'_, Tiler> {
        Cow::Owned(Tiler::Layout(self.clone()))
    }
}

impl sealed::Sealed for Tiler {}

impl AsTiler for Tiler {
    fn as_layout(&self) -> Option<&Layout> {
        None
    }

    fn as_tiler(&self) -> Cow<'_, Tiler> {
        Cow::Borrowed(self)
    }
}

impl Tiler {
    /// The tiler with a layout in place of what a path leads to.
    // Recursion: no deeper than the tiler.
    fn with_part(&self, path: &[usize], part: &Layout) -> Option<Self> {
        match (path, self) {
            ([], _) => Some(Self::Layout(part.clone())),
            ([first, path @ ..], Self::Modes(tilers)) => {
                let mut tilers = tilers.clone();
                let tiler = tilers.get_mut(*first)?;
                *tiler = tiler.with_part(path, part)?;
                Some(Self::Modes(tilers))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Tiler {
    // Recursion: no deeper than the tiler, which is as deep as its maker made it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keep => f.write_str("_"),
            Self::Layout(layout) => layout.fmt(f),
            Self::Modes(tilers) => {
                f.write_str("(")?;
                for (i, tiler) in tilers.iter().enumerate() {
                    write!(f, "{}{tiler}", if i > 0 { "," } else { "" })?;
                }
                f.write_str(")")
            }
        }
    }
}

/// How tiles and rests are nested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Two modes: tiles and rests.
    Zipped,
    /// The tiles in one mode, each rest a mode of its own.
    Tiled,
    /// Each tile and each rest a mode of its own.
    Flat,
}

/// What a mode under `_` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undivided {
    /// All rest: it is not divided, and a tile is one coordinate of it.
    Rest,
    /// All tile: it is not repeated, and there is one copy.
    Tile,
}

/// What becomes of the parts that each mode is split into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nest {
    /// They stay where the mode was; modes beyond the tiler are dropped.
    Composed,
    /// They stay where the mode was; modes beyond the tiler stay too.
    InPlace,
    /// The first parts, nested as the tiler is, then the second parts with the further modes behind them.
    Apart(Form, Undivided),
}

/// What is done with a layout and a tile: a layout, of rank 2 where parts are nested apart.
type Run<'a> = &'a dyn Fn(&Layout, &Layout) -> Result<Layout>;

/// An operation that a tiler does mode by mode.
pub(super) struct ByMode<'a> {
    /// What is done with a layout and a tile.
    pub(super) run: Run<'a>,
    /// The same without words where it is refused.
    pub(super) quietly: &'a dyn Fn(&Layout, &Layout) -> Option<Layout>,
    /// What the operation answers: `the quotient`.
    pub(super) result: &'static str,
}

impl Layout {
    /// The operation where the tiler has a layout. What is under `_` stays.
    ///
    /// The suggestions of one mode are told as those of the whole; `other` does it for those of another operation.
    pub(super) fn by_mode(
        &self,
        tiler: &Tiler,
        nest: Nest,
        each: &ByMode<'_>,
        other: impl Fn(&'static str) -> Option<Suggestion>,
    ) -> Result<Self> {
        let mut path = Vec::new();
        self.nested(tiler, nest, each.run, &mut path).map_err(|error| {
            if let Some(misfit) = self.misfit(tiler, &mut Vec::new()) {
                return misfit;
            }
            error.retold(|suggestion| {
                if let Some(operation) = suggestion.operation() {
                    return other(operation);
                }
                // Where the tiler is a layout, the arguments are those of one mode, and are called the same.
                let [replacement] = suggestion.replacements() else { return None };
                let name = if path.is_empty() {
                    replacement.name
                } else {
                    ["the layout", "the tiler"][replacement.position.min(1)]
                };
                if let Some(Argument::Layout(fixed)) = suggestion.only(0) {
                    let fixed = self.with_part(&path, fixed)?;
                    let answer = fixed.by_mode_quietly(tiler, nest, each.quietly)?;
                    return Some(Suggestion::with(0, name, fixed, each.result, &answer));
                }
                let Some(Argument::Layout(fixed)) = suggestion.only(1) else { return None };
                let fixed = tiler.with_part(&path, fixed)?;
                let answer = self.by_mode_quietly(&fixed, nest, each.quietly)?;
                Some(Suggestion::with(1, name, fixed, each.result, &answer))
            })
        })
    }

    /// The same without words where it is refused.
    pub(super) fn by_mode_quietly(
        &self,
        tiler: &Tiler,
        nest: Nest,
        quietly: &dyn Fn(&Self, &Self) -> Option<Self>,
    ) -> Option<Self> {
        let run = |layout: &Self, tile: &Self| {
            quietly(layout, tile).ok_or_else(|| Error::new(ErrorKind::NotDivisible, String::new()))
        };
        self.nested(tiler, nest, &run, &mut Vec::new()).ok()
    }

    /// Where it is refused, `path` is the mode in which.
    fn nested(&self, tiler: &Tiler, nest: Nest, run: Run<'_>, path: &mut Vec<usize>) -> Result<Self> {
        if let (Tiler::Layout(tile), Nest::Composed | Nest::InPlace | Nest::Apart(Form::Zipped, _)) = (tiler, nest) {
            // one mode, whole: its parts stand as they should
            return run(self, tile);
        }
        if let Nest::Apart(form, kept) = nest {
            return self.apart(tiler, (form, kept), run, path);
        }
        let mut builder = LayoutBuilder::new();
        self.in_place(tiler, nest, run, path, &mut builder)?;
        whole(builder)
    }

    // Recursion: no deeper than the tiler, which is as deep as its maker made it; the protocol bounds that.
    fn in_place(
        &self,
        tiler: &Tiler,
        nest: Nest,
        run: Run<'_>,
        path: &mut Vec<usize>,
        into: &mut LayoutBuilder,
    ) -> Result<()> {
        match tiler {
            Tiler::Keep => into.push(self, &self.profile().span()),
            Tiler::Layout(tile) => {
                let both = run(self, tile).map_err(|error| placed(error, path))?;
                into.push(&both, &both.profile().span())
            }
            Tiler::Modes(tilers) => {
                self.reached_by(tilers)?;
                into.profile.open()?;
                for (i, span) in self.profile().children().enumerate() {
                    match tilers.get(i) {
                        Some(tiler) => {
                            path.push(i);
                            self.part(&span).in_place(tiler, nest, run, path, into)?;
                            path.pop();
                        }
                        None if nest == Nest::Composed => break,
                        None => into.push(self, &span)?,
                    }
                }
                into.profile.close();
                Ok(())
            }
        }
    }

    fn apart(
        &self,
        tiler: &Tiler,
        (form, kept): (Form, Undivided),
        run: Run<'_>,
        path: &mut Vec<usize>,
    ) -> Result<Self> {
        let (mut tiles, mut rests) = (LayoutBuilder::new(), LayoutBuilder::new());
        self.part_apart(tiler, kept, run, path, &mut tiles, &mut rests)?;
        let (tile, rest) = (tiles.profile.finish(), rests.profile.finish());
        let mut profile = Builder::new();
        profile.open()?;
        for (part, spreads) in [(&tile, form == Form::Flat), (&rest, form != Form::Zipped)] {
            if spreads {
                for span in spread(part) {
                    profile.subtree(part, &span)?;
                }
            } else {
                profile.subtree(part, &part.span())?;
            }
        }
        profile.close();
        tiles.modes.extend(rests.modes.as_slice());
        whole(LayoutBuilder { modes: tiles.modes, profile })
    }

    // Recursion: as in `in_place`.
    fn part_apart(
        &self,
        tiler: &Tiler,
        kept: Undivided,
        run: Run<'_>,
        path: &mut Vec<usize>,
        tiles: &mut LayoutBuilder,
        rests: &mut LayoutBuilder,
    ) -> Result<()> {
        match tiler {
            Tiler::Keep => {
                let (all, nothing) = match kept {
                    Undivided::Rest => (rests, tiles),
                    Undivided::Tile => (tiles, rests),
                };
                nothing.modes.push(Mode::new(1, 0));
                nothing.profile.leaf();
                all.push(self, &self.profile().span())
            }
            Tiler::Layout(tile) => {
                let both = run(self, tile).map_err(|error| placed(error, path))?;
                let mut parts = both.profile().children();
                if let (Some(tile), Some(rest)) = (parts.next(), parts.next()) {
                    tiles.push(&both, &tile)?;
                    rests.push(&both, &rest)?;
                }
                Ok(())
            }
            Tiler::Modes(tilers) => {
                self.reached_by(tilers)?;
                tiles.profile.open()?;
                rests.profile.open()?;
                for (i, span) in self.profile().children().enumerate() {
                    match tilers.get(i) {
                        Some(tiler) => {
                            path.push(i);
                            self.part(&span).part_apart(tiler, kept, run, path, tiles, rests)?;
                            path.pop();
                        }
                        None => rests.push(self, &span)?,
                    }
                }
                tiles.profile.close();
                rests.profile.close();
                Ok(())
            }
        }
    }

    /// The layout with another one in place of a mode of a mode of …, where that is a layout.
    // Recursion: no deeper than the path, which a tiler has been followed along.
    fn with_part(&self, path: &[usize], part: &Self) -> Option<Self> {
        match path {
            [] => Some(part.clone()),
            [first, path @ ..] => self.replace(*first, &self.mode(*first)?.with_part(path, part)?).ok(),
        }
    }

    /// The first tuple of the tiler with more modes than it meets: it is reported before what a mode refuses.
    #[cold]
    fn misfit(&self, tiler: &Tiler, path: &mut Vec<usize>) -> Option<Error> {
        let Tiler::Modes(tilers) = tiler else { return None };
        if let Err(error) = self.reached_by(tilers) {
            return Some(error.in_mode(path));
        }
        for (i, (span, tiler)) in self.profile().children().zip(tilers).enumerate() {
            path.push(i);
            if let Some(error) = self.part(&span).misfit(tiler, path) {
                return Some(error);
            }
            path.pop();
        }
        None
    }

    fn reached_by(&self, tilers: &[Tiler]) -> Result<()> {
        if tilers.len() > self.rank() { Err(too_many_tilers(self, tilers.len())) } else { Ok(()) }
    }
}

/// A tuple as its modes. A leaf, and a tuple of one mode, stay whole, as in CuTe C++ (pycute unwraps the tuple of one
/// mode).
pub(super) fn spread(profile: &Profile) -> Vec<Span> {
    let modes: Vec<Span> = profile.children().collect();
    if modes.len() == 1 { vec![profile.span()] } else { modes }
}

/// The layout of what was written, where it fits.
fn whole(builder: LayoutBuilder) -> Result<Layout> {
    Layout::checked(builder.modes, builder.profile.finish())
}

/// Says in which mode of a tuple a refusal arose.
#[cold]
fn placed(error: Error, path: &[usize]) -> Error {
    if path.is_empty() {
        return error;
    }
    let words: Vec<String> = path.iter().map(ToString::to_string).collect();
    error.about(format_args!("in mode {}", words.join(","))).in_mode(path)
}

/// More tilers than modes.
#[cold]
fn too_many_tilers(layout: &Layout, tilers: usize) -> Error {
    Error::new(ErrorKind::Incongruent, format!("the tiler has {tilers} modes, but {layout} has {}", layout.rank()))
        .with_help("give at most one tiler for each mode; `_` keeps a mode as it is")
        .with_witness(Witness::TooMany { modes: tilers, of: layout.rank() })
}
