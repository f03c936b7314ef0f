//! What operations on layouts mean, on lists of offsets: nothing here knows of the library, or of a formula for any operation.

/// The most offsets in a list, and the end of the places that tilings are looked for in.
pub const MOST: usize = 256;

/// Up to [`MOST`] numbers.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    of: [u64; MOST],
    count: usize,
}

impl Numbers {
    /// No numbers.
    #[must_use]
    pub const fn none() -> Self {
        Numbers { of: [0; MOST], count: 0 }
    }

    /// One more; false where there is no room for it.
    pub fn push(&mut self, number: u64) -> bool {
        let Some(place) = self.of.get_mut(self.count) else { return false };
        *place = number;
        self.count += 1;
        true
    }

    /// The offsets of a layout in linear order, the first mode fastest: one mode after the other, each as many copies of what
    /// is listed so far as its extent says. None where there are more than [`MOST`].
    #[must_use]
    pub fn of_modes(modes: impl IntoIterator<Item = (u64, u64)>) -> Option<Self> {
        let mut all = Self::none();
        all.push(0);
        for (extent, stride) in modes {
            let below = all.count;
            let mut step = 0;
            for _ in 1..extent {
                step += stride;
                for at in 0..below {
                    if !all.push(all.of[at] + step) {
                        return None;
                    }
                }
            }
        }
        Some(all)
    }

    /// All of them.
    #[must_use]
    pub fn list(&self) -> &[u64] {
        &self.of[..self.count]
    }

    /// The number at a place.
    #[must_use]
    pub fn at(&self, place: u64) -> Option<u64> {
        self.list().get(usize::try_from(place).ok()?).copied()
    }
}

/// Which places below [`MOST`] are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places([u64; MOST / 64]);

impl Places {
    /// None of them.
    #[must_use]
    pub const fn none() -> Self {
        Places([0; MOST / 64])
    }

    /// Takes a place. False where it is taken or beyond the end.
    pub fn take(&mut self, place: u64) -> bool {
        let Some(word) = usize::try_from(place / 64).ok().and_then(|word| self.0.get_mut(word)) else { return false };
        let bit = 1 << (place % 64);
        let free = *word & bit == 0;
        *word |= bit;
        free
    }

    /// Takes each of these. False where one is taken or beyond the end, or two are the same.
    pub fn take_all(&mut self, of: impl IntoIterator<Item = u64>) -> bool {
        of.into_iter().all(|place| self.take(place))
    }

    /// The first place that is free.
    #[must_use]
    pub fn first_free(&self) -> u64 {
        let mut before = 0;
        for word in self.0 {
            if word != u64::MAX {
                return before + u64::from(word.trailing_ones());
            }
            before += 64;
        }
        before
    }
}

/// Whether no offset is there twice.
#[must_use]
pub fn injective(offsets: &[u64]) -> bool {
    if offsets.iter().all(|offset| *offset < MOST as u64) {
        return Places::none().take_all(offsets.iter().copied());
    }
    let mut sorted = offsets.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1])
}

/// Where copies of these offsets have to begin so that each place below the end is taken once: the first place that is free
/// can only be taken by the least offset, 0, of the next copy. Copies are set down one by one.
#[derive(Clone, Copy, Debug)]
pub struct Tiling {
    taken: Places,
    /// Where each copy begins.
    pub starts: Numbers,
}

impl Tiling {
    /// One copy, at 0; none where an offset is there twice, or 0 is not.
    #[must_use]
    pub fn first(offsets: &[u64]) -> Option<Self> {
        let mut tiling = Tiling { taken: Places::none(), starts: Numbers::none() };
        (offsets.contains(&0) && tiling.add(offsets)).then_some(tiling)
    }

    /// The next copy; false where it meets another one or the end of the places.
    pub fn add(&mut self, offsets: &[u64]) -> bool {
        let start = self.taken.first_free();
        self.starts.push(start) && self.taken.take_all(offsets.iter().map(|offset| start + offset))
    }

    /// Copies until just the places below `end` are taken. None where no copies do that.
    #[must_use]
    pub fn within(offsets: &[u64], end: u64) -> Option<Self> {
        let mut tiling = Self::first(offsets)?;
        while tiling.count(offsets) < end {
            if !tiling.add(offsets) {
                return None;
            }
        }
        (tiling.taken.first_free() == end && tiling.count(offsets) == end).then_some(tiling)
    }

    /// The fewest copies that take just the places below some end. None where there are none, up to twice the greatest offset:
    /// a layout that fills a block has fewer gaps than elements.
    #[must_use]
    pub fn least(offsets: &[u64]) -> Option<Self> {
        let most = 2 * (offsets.iter().max()? + 1);
        let mut tiling = Self::first(offsets)?;
        while tiling.taken.first_free() != tiling.count(offsets) {
            if tiling.count(offsets) > most || !tiling.add(offsets) {
                return None;
            }
        }
        Some(tiling)
    }

    /// As many copies as this; none where they meet, or do not fit. One meets no other.
    #[must_use]
    pub fn of_count(offsets: &[u64], count: u64) -> Option<Self> {
        if count == 1 {
            let mut starts = Numbers::none();
            starts.push(0);
            return Some(Tiling { taken: Places::none(), starts });
        }
        let mut tiling = Self::first(offsets)?;
        for _ in 1..count {
            if !tiling.add(offsets) {
                return None;
            }
        }
        Some(tiling)
    }

    /// How many places are taken.
    fn count(&self, offsets: &[u64]) -> u64 {
        (self.starts.count * offsets.len()) as u64
    }
}

/// The modes of the layout that has these offsets, as few as there can be, if one has them. The first mode steps as far as the
/// offsets are multiples of the first step; its copies have to begin where the next modes lead.
#[must_use]
pub fn modes(offsets: &[u64]) -> Option<Vec<(u64, u64)>> {
    if *offsets.first()? != 0 {
        return None;
    }
    let mut found = Vec::new();
    let mut rest = Numbers::none();
    if !offsets.iter().all(|offset| rest.push(*offset)) {
        return None;
    }
    while rest.count > 1 {
        let list = rest.list();
        let stride = list[1];
        let mut extent = 1;
        let mut next = 0;
        for offset in &list[1..] {
            next += stride;
            if *offset != next {
                break;
            }
            extent += 1;
        }
        if !list.len().is_multiple_of(extent) {
            return None;
        }
        let mut starts = Numbers::none();
        for copy in list.chunks_exact(extent) {
            starts.push(copy[0]);
            let mut at = copy[0];
            for offset in copy {
                if *offset != at {
                    return None;
                }
                at += stride;
            }
        }
        found.push((extent as u64, stride));
        rest = starts;
    }
    Some(found)
}
