//! All small layouts.

use serde_json::{Value, json};

/// Every flat layout of that rank with extents `1..=max_extent` and strides `0..=max_stride`.
pub fn flat_layouts_of_rank(
    rank: usize,
    max_extent: u64,
    max_stride: u64,
) -> impl Iterator<Item = (Vec<u64>, Vec<u64>)> {
    let modes = usize::try_from(max_extent * (max_stride + 1)).unwrap_or(0);
    let count = modes.pow(u32::try_from(rank).unwrap_or(0));
    (0..count).map(move |mut code| {
        let mut extents = Vec::with_capacity(rank);
        let mut strides = Vec::with_capacity(rank);
        for _ in 0..rank {
            let mode = (code % modes) as u64;
            code /= modes;
            extents.push(1 + mode / (max_stride + 1));
            strides.push(mode % (max_stride + 1));
        }
        (extents, strides)
    })
}

/// Every flat layout of rank 0 to 3 with extents up to 4 and strides up to 6: 22,765 of them, as JSON.
pub fn flat_layouts() -> impl Iterator<Item = Value> {
    (0..=3)
        .flat_map(|rank| flat_layouts_of_rank(rank, 4, 6))
        .map(|(shape, stride)| json!({"shape": shape, "stride": stride}))
}
