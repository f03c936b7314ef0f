//! Division and product.

use super::complement::{complement, complement_ceil};
use super::composition::{self, Tiler, inside};
use super::ops::LIST;
use super::{Found, Layout, Mode};
use num_bigint::BigInt;

/// Composition, strict or complete; `None` in place of a layout when too large to enumerate.
fn compose(outer: &Layout, inner: &Layout, complete: bool) -> Result<Option<Layout>, &'static [&'static str]> {
    let found =
        if complete { composition::complete(outer, inner) } else { composition::strict(outer, inner).map(Some) };
    found.map_err(|refusal| match refusal.0 {
        "out_of_domain" => &["out_of_domain"][..],
        "not_divisible" => &["not_divisible"],
        "carries" => &["carries"],
        "too_large" => &["too_large"],
        _ => &["overflow"],
    })
}

type Perhaps = Result<Option<Layout>, &'static [&'static str]>;

/// `A ∘ (T, complement(T, size A))`.
///
/// # Errors
/// The codes that the refusal may carry.
pub fn divide(whole: &Layout, tile: &Layout, complete: bool) -> Perhaps {
    if !inside(whole, tile) {
        return Err(&["out_of_domain"]);
    }
    let rest = complement(tile, Some(&whole.size()))?;
    compose(whole, &Layout::Node(vec![tile.clone(), rest]), complete)
}

/// `(A, complement(filter A, N) ∘ T)`, N the least multiple of the block from `size A · cosize T` on.
///
/// # Errors
/// The codes that the refusal may carry.
pub fn product(block: &Layout, tiles: &Layout, complete: bool) -> Perhaps {
    let moving: Vec<Mode> = block.modes().into_iter().filter(|mode| mode.stride > BigInt::from(0)).cloned().collect();
    let filtered = Layout::Node(moving.into_iter().map(Layout::Leaf).collect());
    // where the copies begin may lie beyond 64 bits; only the copies have to fit
    let origins: Found = complement_ceil(&filtered, &(block.size() * tiles.cosize()));
    let origins = match origins {
        Err(codes) if codes.contains(&"overflow") => return Ok(None),
        origins => origins?,
    };
    let Some(copies) = compose(&origins, tiles, complete)? else { return Ok(None) };
    Layout::Node(vec![block.clone(), copies]).bounded().map(Some).map_err(|_| &["overflow"][..])
}

/// One of the two, by tiler: mode by mode for lists, further modes as they are.
///
/// # Errors
/// As for each mode; `incongruent` when the tiler has more modes than the layout.
pub fn by_tiler(layout: &Layout, tiler: &Tiler, one: &dyn Fn(&Layout, &Layout) -> Perhaps) -> Perhaps {
    match tiler {
        Tiler::Keep => Ok(Some(layout.clone())),
        Tiler::By(tile) => one(layout, tile),
        Tiler::Modes(tilers) => {
            let modes = layout.top();
            if tilers.len() > modes.len() {
                return Err(&["incongruent"]);
            }
            let mut parts = vec![];
            for (i, mode) in modes.into_iter().enumerate() {
                let Some(part) = tilers.get(i).map_or(Ok(Some(mode.clone())), |tiler| by_tiler(&mode, tiler, one))?
                else {
                    return Ok(None);
                };
                parts.push(part);
            }
            Layout::Node(parts).bounded().map(Some).map_err(|_| &["overflow"][..])
        }
    }
}

/// Whether everything is small enough to list.
pub(crate) fn listed(layout: &Layout) -> bool {
    layout.size() <= BigInt::from(LIST)
}
