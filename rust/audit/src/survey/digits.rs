//! Threads that are numbered by the digits of a number: `local_partition` divides the index of a thread by the strides.

use razorgirl::Layout;

/// Threads of a block.
const MAX_BLOCK: u64 = 1024;

/// How many threads there are at least where each part has one, if the strides take digits of the thread's number apart: those of
/// `(16,1):(16,0)` are all taken from 256 threads on, 16 threads each. Threads of a larger grid share a part so, which
/// `Step<_1, X>` says in another way. None where digits overlap, or where a block has no such threads.
pub fn digits(layout: &Layout) -> Option<u64> {
    let mut modes: Vec<(u64, u64)> =
        layout.modes().iter().filter(|mode| mode.extent() > 1).map(|mode| (mode.stride(), mode.extent())).collect();
    modes.sort_unstable();
    let mut end = 1_u64;
    for (stride, extent) in modes {
        if stride < end || !stride.is_multiple_of(end) {
            return None;
        }
        end = stride.checked_mul(extent)?;
    }
    Some(end).filter(|threads| *threads <= MAX_BLOCK)
}

/// For how many threads a partition is.
pub fn partitioned(layout: &Layout) -> u64 {
    digits(layout).unwrap_or_else(|| layout.size())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_a_grid() {
        let of = |text: &str| digits(&text.parse().unwrap());
        assert_eq!(of("(32,8):(8,1)"), Some(256));
        assert_eq!(of("(16,1):(16,0)"), Some(256));
        assert_eq!(of("(4,2):(32,128)"), Some(256));
        assert_eq!(of("(32,8):(9,1)"), None);
        assert_eq!(of("(32,8):(4,1)"), None);
        assert_eq!(of("(32,8):(64,1)"), None);
        assert_eq!(of("(8,4):(0,1)"), None);
        assert_eq!(partitioned(&"(32,8):(9,1)".parse().unwrap()), 256);
    }
}
