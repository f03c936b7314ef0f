//! Tilers: layouts mode by mode, and how first and second parts are arranged.

use super::layout::{Layout, Mode, Split};
use super::refusal::{Codes, Refusal, Result, alone};
use num_bigint::BigInt;
use serde_json::Value;

/// By what a layout is composed.
#[derive(Clone, Debug, PartialEq)]
pub enum Tiler {
    /// the mode stays as it is
    Keep,
    /// composition with a layout
    By(Layout),
    /// mode by mode
    Modes(Vec<Tiler>),
}

impl Tiler {
    /// Whether no tuple has more modes than what it meets.
    pub fn fits(&self, layout: &Layout) -> bool {
        let Tiler::Modes(tilers) = self else { return true };
        let top = layout.top();
        tilers.len() <= top.len() && tilers.iter().zip(&top).all(|(tiler, mode)| tiler.fits(mode))
    }

    /// Reads a layout, an integer, `null`, or a list of these.
    ///
    /// # Errors
    /// The code that the protocol gives to what is wrong.
    pub fn read(value: &Value) -> Result<Tiler> {
        match value {
            Value::Null => Ok(Tiler::Keep),
            Value::Array(tilers) => tilers.iter().map(Tiler::read).collect::<Result<_>>().map(Tiler::Modes),
            Value::Object(_) => Layout::read(value).map(Tiler::By),
            other => {
                let extent = crate::tree::read_int(other).ok_or(Refusal("parse"))?;
                if extent < BigInt::from(1) {
                    return Err(Refusal("extent"));
                }
                let stride = if extent == BigInt::from(1) { BigInt::from(0) } else { BigInt::from(1) };
                Layout::Leaf(Mode { extent, stride }).bounded().map(Tiler::By)
            }
        }
    }
}

/// How first and second parts are nested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `((tile, …), (rest, …))`
    Zipped,
    /// `((tile, …), rest, …)`
    Tiled,
    /// `(tile, …, rest, …)`
    Flat,
}

pub(crate) fn one() -> Layout {
    Layout::Leaf(Mode { extent: 1.into(), stride: 0.into() })
}

type Splits<'a> = &'a dyn Fn(&Layout, &Layout) -> Split;

/// `split` mode by mode; `_` and further modes stay.
pub(crate) fn transformed(layout: &Layout, tiler: &Tiler, split: Splits<'_>) -> Split {
    match tiler {
        Tiler::Keep => Ok(Some(layout.clone())),
        Tiler::By(by) => split(layout, by),
        Tiler::Modes(tilers) => {
            let mut modes = layout.top();
            if tilers.len() > modes.len() {
                return Err(alone(Refusal("incongruent")));
            }
            for (mode, tiler) in modes.iter_mut().zip(tilers) {
                let Some(done) = transformed(mode, tiler, split)? else { return Ok(None) };
                *mode = done;
            }
            Ok(Some(Layout::Node(modes)))
        }
    }
}

/// First parts and second parts. What is under `_` is a second part, or with `kept_first` a first one.
pub(crate) fn unzipped(
    layout: &Layout,
    tiler: &Tiler,
    kept_first: bool,
    split: Splits<'_>,
) -> std::result::Result<Option<(Layout, Layout)>, Codes> {
    match tiler {
        Tiler::Keep if kept_first => Ok(Some((layout.clone(), one()))),
        Tiler::Keep => Ok(Some((one(), layout.clone()))),
        Tiler::By(by) => Ok(split(layout, by)?.and_then(|pair| match pair.top().as_slice() {
            [first, second] => Some((first.clone(), second.clone())),
            _ => None,
        })),
        Tiler::Modes(tilers) => {
            let modes = layout.top();
            if tilers.len() > modes.len() {
                return Err(alone(Refusal("incongruent")));
            }
            let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
            for (mode, tiler) in modes.iter().zip(tilers) {
                let Some((first, second)) = unzipped(mode, tiler, kept_first, split)? else { return Ok(None) };
                firsts.push(first);
                seconds.push(second);
            }
            seconds.extend(modes.into_iter().skip(tilers.len()));
            Ok(Some((Layout::Node(firsts), Layout::Node(seconds))))
        }
    }
}

/// A tuple of none, or of two or more, as its modes; anything else whole (C++; pycute unwraps the tuple of one).
pub(crate) fn spread(layout: &Layout) -> Vec<Layout> {
    match layout {
        Layout::Node(modes) if modes.len() != 1 => modes.clone(),
        whole => vec![whole.clone()],
    }
}

/// First and second parts in a form.
pub(crate) fn arranged(layout: &Layout, tiler: &Tiler, form: Form, kept_first: bool, split: Splits<'_>) -> Split {
    let Some((first, second)) = unzipped(layout, tiler, kept_first, split)? else { return Ok(None) };
    let mut modes = if form == Form::Flat { spread(&first) } else { vec![first] };
    modes.extend(if form == Form::Zipped { vec![second] } else { spread(&second) });
    Ok(Some(Layout::Node(modes)))
}
