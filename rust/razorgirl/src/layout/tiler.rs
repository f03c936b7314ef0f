//! Tilers: one operation mode by mode, and tiles apart from rests.
//!
//! Division and products make a pair (tile, rest) of each mode that the tiler reaches. Four ways to nest the pairs are in
//! use: where the modes were, zipped, tiled and flat (CuTe `transform_layout`, `zip2_by`).

use crate::error::{Error, ErrorKind, Result};
use crate::int_tuple::Profile;
use crate::int_tuple::profile::{Builder, Span};

use super::basic::{Layout, LayoutBuilder};
use super::mode::Mode;

/// By what a layout is composed: a layout, one tiler for each mode, or nothing at all.
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
        Layout::from_modes([Mode::new(n, 1)]).and_then(|layout| layout.mode(0).ok_or_else(no_mode)).map(Self::Layout)
    }
}

#[cold]
fn no_mode() -> Error {
    Error::new(ErrorKind::Incongruent, "a layout without modes")
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
pub(super) enum Kept {
    /// All rest: it is not divided, and a tile is one coordinate of it.
    Rest,
    /// All tile: it is not repeated, and there is one copy.
    Tile,
}

/// What is done with each mode: makes a layout of rank 2.
pub(super) trait Splits: Fn(&Layout, &Layout) -> Result<Layout> {}

impl<F: Fn(&Layout, &Layout) -> Result<Layout>> Splits for F {}

impl Layout {
    /// `split` where the tiler has a layout, each result in its mode's place. What is under `_` stays, and so do modes
    /// beyond a tuple of the tiler.
    pub(super) fn split_by(&self, tiler: &Tiler, split: &impl Splits) -> Result<Self> {
        let mut builder = LayoutBuilder::new();
        let done = self.split_at(tiler, split, &mut Vec::new(), &mut builder);
        done.map_err(|error| self.misfit(tiler).unwrap_or(error))?;
        whole(builder)
    }

    // Recursion: no deeper than the tiler, which is as deep as its maker made it; the protocol bounds that.
    fn split_at(
        &self,
        tiler: &Tiler,
        split: &impl Splits,
        path: &mut Vec<usize>,
        into: &mut LayoutBuilder,
    ) -> Result<()> {
        match tiler {
            Tiler::Keep => into.push(self, &self.profile().span()),
            Tiler::Layout(tile) => {
                let both = split(self, tile).map_err(|error| placed(error, path))?;
                into.push(&both, &both.profile().span())
            }
            Tiler::Modes(tilers) => {
                self.reached_by(tilers)?;
                into.profile.open()?;
                for (i, span) in self.profile().children().enumerate() {
                    match tilers.get(i) {
                        Some(tiler) => {
                            path.push(i);
                            self.part(&span).split_at(tiler, split, path, into)?;
                            path.pop();
                        }
                        None => into.push(self, &span)?,
                    }
                }
                into.profile.close();
                Ok(())
            }
        }
    }

    /// `split` where the tiler has a layout; the first parts nested as the tiler is, then the second parts with the
    /// further modes behind them.
    pub(super) fn unzip_by(&self, tiler: &Tiler, form: Form, kept: Kept, split: &impl Splits) -> Result<Self> {
        let (mut tiles, mut rests) = (LayoutBuilder::new(), LayoutBuilder::new());
        let done = self.unzip_at(tiler, kept, split, &mut Vec::new(), &mut tiles, &mut rests);
        done.map_err(|error| self.misfit(tiler).unwrap_or(error))?;
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

    // Recursion: as in `split_at`.
    fn unzip_at(
        &self,
        tiler: &Tiler,
        kept: Kept,
        split: &impl Splits,
        path: &mut Vec<usize>,
        tiles: &mut LayoutBuilder,
        rests: &mut LayoutBuilder,
    ) -> Result<()> {
        match tiler {
            Tiler::Keep => {
                let (all, nothing) = match kept {
                    Kept::Rest => (rests, tiles),
                    Kept::Tile => (tiles, rests),
                };
                nothing.modes.push(Mode::new(1, 0));
                nothing.profile.leaf();
                all.push(self, &self.profile().span())
            }
            Tiler::Layout(tile) => {
                let both = split(self, tile).map_err(|error| placed(error, path))?;
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
                            self.part(&span).unzip_at(tiler, kept, split, path, tiles, rests)?;
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

    /// The first tuple of the tiler with more modes than it meets: it is reported before what a mode refuses.
    #[cold]
    pub(super) fn misfit(&self, tiler: &Tiler) -> Option<Error> {
        let Tiler::Modes(tilers) = tiler else { return None };
        self.reached_by(tilers).err().or_else(|| {
            let modes = self.profile().children().zip(tilers);
            modes.into_iter().find_map(|(span, tiler)| match tiler {
                Tiler::Modes(_) => self.part(&span).misfit(tiler),
                _ => None,
            })
        })
    }

    pub(super) fn reached_by(&self, tilers: &[Tiler]) -> Result<()> {
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
    let flat = Layout::from_modes(builder.modes.as_slice().iter().copied())?;
    Ok(Layout::valid(builder.modes, builder.profile.finish(), flat.size(), flat.cosize()))
}

/// Says in which mode of a tuple a refusal arose.
#[cold]
fn placed(error: Error, path: &[usize]) -> Error {
    if path.is_empty() {
        return error;
    }
    let path: Vec<String> = path.iter().map(ToString::to_string).collect();
    error.about(format_args!("in mode {}", path.join(",")))
}

/// More tilers than modes.
#[cold]
fn too_many_tilers(layout: &Layout, tilers: usize) -> Error {
    Error::new(ErrorKind::Incongruent, format!("the tiler has {tilers} modes, but {layout} has {}", layout.rank()))
        .with_help("give at most one tiler for each mode; `_` keeps a mode as it is")
}
