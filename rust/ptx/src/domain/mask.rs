//! Sets of threads of a block: 32 bits a warp.

/// A set of threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mask(Vec<u32>);

impl Mask {
    /// All threads of a block of so many.
    pub fn all(threads: usize) -> Self {
        let mut warps = vec![u32::MAX; threads.div_ceil(32)];
        if let (Some(last), rest @ 1..) = (warps.last_mut(), threads % 32) {
            *last = (1 << rest) - 1;
        }
        Self(warps)
    }

    /// No thread, of a block as large.
    #[must_use]
    pub fn none_like(&self) -> Self {
        Self(vec![0; self.0.len()])
    }

    /// Whether the thread is in it.
    pub fn has(&self, thread: usize) -> bool {
        self.0.get(thread / 32).is_some_and(|x| x >> (thread % 32) & 1 == 1)
    }

    /// Puts a thread in.
    pub fn insert(&mut self, thread: usize) {
        if let Some(warp) = self.0.get_mut(thread / 32) {
            *warp |= 1 << (thread % 32);
        }
    }

    fn zip(&self, other: &Self, f: impl Fn(u32, u32) -> u32) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(x, y)| f(*x, *y)).collect())
    }

    /// In both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        self.zip(other, |x, y| x & y)
    }

    /// In one.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        self.zip(other, |x, y| x | y)
    }

    /// In the first only.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        self.zip(other, |x, y| x & !y)
    }

    /// Whether no thread is in it.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|x| *x == 0)
    }

    /// How many threads are in it.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|x| x.count_ones()).sum()
    }

    /// The threads of each warp, as bits.
    pub fn warps(&self) -> &[u32] {
        &self.0
    }

    /// The threads in order.
    pub fn threads(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(warp, bits)| {
            (0..32).filter(move |lane| bits >> lane & 1 == 1).map(move |lane| warp * 32 + lane)
        })
    }
}
