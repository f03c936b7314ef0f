//! A small seeded generator (splitmix64): the same seed gives the same inputs on every machine and in every version.

/// A source of numbers.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
    /// what is drawn first, the last byte first
    given: Vec<u8>,
}

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Rng { state: seed, given: Vec::new() }
    }

    /// The choices that these bytes make, as few bytes for each as it needs, and then those of a seed: a fuzzer that changes
    /// a byte changes one choice.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Rng { state: 0, given: bytes.iter().rev().copied().collect() }
    }

    /// A number of the next `count` bytes, the first one highest, while there are any left.
    fn given(&mut self, count: usize) -> Option<u64> {
        if self.given.is_empty() {
            return None;
        }
        let from = self.given.len().saturating_sub(count);
        let bytes = self.given.split_off(from);
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        if let Some(number) = self.given(8) {
            return number;
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..n`; 0 when n is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        let bytes = match n {
            0 | 1 => 0,
            2..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 8,
        };
        self.given(bytes).unwrap_or_else(|| self.bits()).checked_rem(n).unwrap_or(0)
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of the given values.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        let i = self.below(of.len() as u64);
        &of[usize::try_from(i).unwrap_or(0)]
    }

    /// A list in random order.
    pub fn shuffled<T>(&mut self, mut of: Vec<T>) -> Vec<T> {
        for i in (1..of.len()).rev() {
            let j = usize::try_from(self.below(i as u64 + 1)).unwrap_or(0);
            of.swap(i, j);
        }
        of
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_choices() {
        let mut rng = Rng::of_bytes(&[7, 1, 4, 9]);
        assert_eq!((rng.below(1), rng.below(10), rng.below(300), rng.below(2)), (0, 7, 260, 1));
        assert_eq!(rng.bits(), Rng::new(0).bits());
        // a choice among one takes nothing from a seed's sequence that it did not take before
        let (mut one, mut other) = (Rng::new(5), Rng::new(5));
        assert_eq!(one.below(1), 0);
        other.bits();
        assert_eq!(one.bits(), other.bits());
    }
}
