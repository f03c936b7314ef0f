//! By tiler: each result in its mode's place, or first parts apart from second parts.

use crate::model::composition::Tiler;
use crate::model::{Layout, Mode, Refusal, Split, alone};

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
) -> Result<Option<(Layout, Layout)>, crate::model::Codes> {
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
