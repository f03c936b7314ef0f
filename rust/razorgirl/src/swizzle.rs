//! Swizzles of numbers: bits of a number exclusive-ored onto other bits of it.

mod layout;

pub use layout::{Plain, SwizzledLayout};

use crate::error::{Error, ErrorKind, Result};

/// CuTe's `Swizzle<B,M,S>`: B bits from `M + max(S,0)` up are exclusive-ored onto the B bits from `M + max(-S,0)` up.
///
/// It is defined for every B and M and every S; CuTe asks for `|S| >= B` ([`is_usual`](Self::is_usual)). It acts on
/// whatever is counted: elements, bytes or bits. [`downcast`](Self::downcast) and [`upcast`](Self::upcast) go from one to
/// another.
///
/// The swizzles of the copy engine are these, of byte addresses: [`crate::tma::Swizzle`] of rows of 32, 64 and 128 bytes
/// is `Swizzle<1,4,3>`, `<2,4,3>` and `<3,4,3>`.
///
/// ```
/// use razorgirl::Swizzle;
///
/// let swizzle = Swizzle::new(3, 4, 3);
/// assert_eq!(swizzle.apply(128 * 2 + 16 * 5)?, 128 * 2 + 16 * 7);
/// assert!(swizzle.is_involution());
/// assert_eq!(swizzle.period(), Some(1024));
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.Swizzle`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle {
    bits: u64,
    base: u64,
    shift: i64,
}

/// So many ones, lowest first.
fn ones(bits: u64) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

impl Swizzle {
    /// `Swizzle<bits,base,shift>`.
    #[must_use]
    pub const fn new(bits: u64, base: u64, shift: i64) -> Self {
        Self { bits, base, shift }
    }

    /// `Swizzle<bits,base,shift>` as somebody wrote it: more bits than a number has are a mistake.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfDomain`] where B is above 64.
    ///
    /// ```
    /// # use razorgirl::Swizzle;
    /// assert_eq!(Swizzle::checked(3, 4, 3)?, Swizzle::new(3, 4, 3));
    /// assert_eq!(
    ///     Swizzle::checked(200, 3, 4).unwrap_err().to_string(),
    ///     "Swizzle<200,3,4>: B = 200 bits are exclusive-ored, and a number has 64"
    /// );
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    pub fn checked(bits: u64, base: u64, shift: i64) -> Result<Self> {
        if bits <= 64 {
            return Ok(Self::new(bits, base, shift));
        }
        let message =
            format!("Swizzle<{bits},{base},{shift}>: B = {bits} bits are exclusive-ored, and a number has 64");
        Err(Error::new(ErrorKind::OutOfDomain, message)
            .with_help("use B from 0 to 64; CuTe accepts B up to |S|, as in Swizzle<3,4,3>"))
    }

    /// B: how many bits are exclusive-ored.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.bits
    }

    /// M: how many low bits are left alone.
    #[must_use]
    pub const fn base(self) -> u64 {
        self.base
    }

    /// S: how far the bits move down; up where it is below 0.
    #[must_use]
    pub const fn shift(self) -> i64 {
        self.shift
    }

    /// Where the thing at `x` is found.
    ///
    /// # Errors
    /// [`ErrorKind::Overflow`] where S is below 0 and a bit moves beyond 64 bits.
    ///
    /// Lean: `Razorgirl.Swizzle.apply`
    pub fn apply(self, x: u64) -> Result<u64> {
        let far = self.shift.unsigned_abs();
        let from = if self.shift > 0 { self.base.saturating_add(far) } else { self.base };
        // Bits beyond 64 are 0, whatever is read of them.
        if from >= 64 {
            return Ok(x);
        }
        let read = (x >> from) & ones(self.bits);
        let to = if self.shift < 0 { self.base.saturating_add(far) } else { self.base };
        if read == 0 {
            return Ok(x);
        }
        if u64::from(read.leading_zeros()) >= to {
            return Ok(x ^ (read << to));
        }
        Err(Error::new(
            ErrorKind::Overflow,
            format!("Swizzle<{},{},{}> of {x} is 2^64 or more", self.bits, self.base, self.shift),
        )
        .with_help("use a shift that is not so far below 0"))
    }

    /// Whether no two numbers go to one place: S is not 0, or B is 0.
    ///
    /// ```
    /// # use razorgirl::Swizzle;
    /// assert!(Swizzle::new(2, 0, 1).is_bijective() && !Swizzle::new(2, 1, 0).is_bijective());
    /// ```
    #[must_use]
    pub const fn is_bijective(self) -> bool {
        self.shift != 0 || self.bits == 0
    }

    /// Whether applying it twice changes nothing: B is 0, or S is not 0 and |S| at least B.
    #[must_use]
    pub const fn is_involution(self) -> bool {
        self.bits == 0 || (self.shift != 0 && self.shift.unsigned_abs() >= self.bits)
    }

    /// Whether it is as CuTe asks: |S| at least B.
    ///
    /// Lean: `Razorgirl.Swizzle.isUsual`
    #[must_use]
    pub const fn is_usual(self) -> bool {
        self.bits <= self.shift.unsigned_abs()
    }

    /// The bits that are read, of numbers below 2^64.
    #[must_use]
    pub fn source(self) -> u64 {
        self.bits_from(if self.shift > 0 { self.shift.unsigned_abs() } else { 0 })
    }

    /// The bits that are changed, of numbers below 2^64.
    #[must_use]
    pub fn target(self) -> u64 {
        self.bits_from(if self.shift < 0 { self.shift.unsigned_abs() } else { 0 })
    }

    fn bits_from(self, far: u64) -> u64 {
        let from = u32::try_from(self.base.saturating_add(far)).unwrap_or(u32::MAX);
        ones(self.bits).checked_shl(from).unwrap_or(0)
    }

    /// Whether it takes units of `2^k`, aligned, to whole units: then [`upcast_outer`](Self::upcast_outer) is what it does
    /// to them. So it is where M is at least k, or bits move down, or none leaves a unit.
    ///
    /// ```
    /// # use razorgirl::Swizzle;
    /// assert!(Swizzle::new(3, 0, 3).keeps_units(2) && !Swizzle::new(3, 0, -3).keeps_units(2));
    /// assert!(!Swizzle::new(2, 1, 0).keeps_units(2));
    /// ```
    ///
    /// Lean: `Razorgirl.Swizzle.keepsUnits`
    #[must_use]
    pub fn keeps_units(self, k: u64) -> bool {
        let end = self.base.saturating_add(self.bits).saturating_add(self.shift.unsigned_abs());
        self.bits == 0 || k <= self.base || self.shift > 0 || (self.shift < 0 && end <= k)
    }

    /// The k for which it is first the identity after 2^k times, where it is bijective: the least k with
    /// `(2^k - 1) |S| >= B`, and 0 for B = 0.
    ///
    /// ```
    /// # use razorgirl::Swizzle;
    /// assert_eq!(Swizzle::new(3, 4, 3).order_log2(), Some(1));
    /// assert_eq!(Swizzle::new(2, 0, 1).order_log2(), Some(2));
    /// assert_eq!(Swizzle::new(2, 0, 0).order_log2(), None);
    /// ```
    #[must_use]
    pub fn order_log2(self) -> Option<u32> {
        if !self.is_bijective() {
            return None;
        }
        let far = u128::from(self.shift.unsigned_abs());
        (0..=64).find(|k| ((1_u128 << k) - 1).saturating_mul(far) >= u128::from(self.bits))
    }

    /// The least number after which it repeats: adding a multiple commutes with it. None where that is 2^64 or more.
    ///
    /// Lean: `Razorgirl.Swizzle.period`
    #[must_use]
    pub fn period(self) -> Option<u64> {
        if self.bits == 0 {
            return Some(1);
        }
        let exponent = self.bits.checked_add(self.base)?.checked_add(self.shift.unsigned_abs())?;
        1_u64.checked_shl(u32::try_from(exponent).ok()?)
    }

    /// The same map of addresses that count parts, `2^k` for each unit: from elements to bytes, for elements of `2^k`
    /// bytes. None where M gets 2^64 or more.
    ///
    /// Lean: `Razorgirl.Swizzle.downcast`
    #[must_use]
    pub fn downcast(self, k: u64) -> Option<Self> {
        Some(Self { base: self.base.checked_add(k)?, ..self })
    }

    /// The same map of addresses that count units of `2^k`, where it leaves the parts inside a unit alone.
    ///
    /// ```
    /// # use razorgirl::Swizzle;
    /// // of elements of 2 bytes
    /// assert_eq!(Swizzle::new(3, 4, 3).upcast(1), Some(Swizzle::new(3, 3, 3)));
    /// assert_eq!(Swizzle::new(3, 0, 3).upcast(1), None);
    /// ```
    ///
    /// Lean: `Razorgirl.Swizzle.upcast`
    #[must_use]
    pub fn upcast(self, k: u64) -> Option<Self> {
        Some(Self { base: self.base.checked_sub(k)?, ..self })
    }

    /// The map of the units of `2^k`, whatever it does inside them: with fewer bits where M is below k.
    ///
    /// Lean: `Razorgirl.Swizzle.upcastOuter`
    #[must_use]
    pub fn upcast_outer(self, k: u64) -> Self {
        match self.base.checked_sub(k) {
            Some(base) => Self { base, ..self },
            None => Self { bits: self.bits.saturating_sub(k - self.base), base: 0, ..self },
        }
    }
}

/// `Sw<3,4,3>`, as CuTe prints it.
impl core::fmt::Display for Swizzle {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Sw<{},{},{}>", self.bits, self.base, self.shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// All with few bits, applied by their definition bit by bit.
    fn small() -> Vec<Swizzle> {
        let mut all = vec![];
        for bits in 0..4 {
            for base in 0..3 {
                for shift in -4..=4 {
                    all.push(Swizzle::new(bits, base, shift));
                }
            }
        }
        all
    }

    fn by_bits(s: Swizzle, x: u64) -> u64 {
        let (up, down) = (s.shift().max(0).unsigned_abs(), s.shift().min(0).unsigned_abs());
        (0..s.bits()).fold(x, |y, j| y ^ (x >> (s.base() + up + j) & 1) << (s.base() + down + j))
    }

    #[test]
    fn bits_are_moved_one_by_one() {
        for s in small() {
            for x in 0..4096 {
                assert_eq!(s.apply(x).unwrap(), by_bits(s, x), "{s} of {x}");
            }
        }
    }

    #[test]
    fn predicates_are_what_enumeration_finds() {
        for s in small() {
            // a block that it maps to itself
            let block = 1_u64 << (s.bits() + s.base() + s.shift().unsigned_abs());
            let image: Vec<u64> = (0..block).map(|x| s.apply(x).unwrap()).collect();
            let mut sorted = image.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len() as u64 == block, s.is_bijective(), "{s}");
            let twice = (0..block).all(|x| s.apply(image[usize::try_from(x).unwrap()]).unwrap() == x);
            assert_eq!(twice, s.is_involution(), "{s}");
            // powers of two: the order of a bijection that is unipotent over two elements
            let times = |n: u64, x: u64| (0..n).fold(x, |y, _| s.apply(y).unwrap());
            let order = (0..8_u32).find(|k| (0..block).all(|x| times(1 << k, x) == x));
            assert_eq!(s.order_log2(), order, "{s}");
            let repeats = |p: u64| (0..2 * block).all(|c| s.apply(c + p).unwrap() == s.apply(c).unwrap() + p);
            assert_eq!((1..=block).find(|p| repeats(*p)), s.period(), "{s}");
        }
    }

    #[test]
    fn far_bits_are_zero_and_what_does_not_fit_is_refused() {
        for s in [Swizzle::new(3, 64, 3), Swizzle::new(3, 4, i64::MAX), Swizzle::new(3, u64::MAX, i64::MIN)] {
            assert_eq!(s.apply(u64::MAX).unwrap(), u64::MAX, "{s}");
        }
        assert_eq!(Swizzle::new(u64::MAX, 0, 1).apply(u64::MAX).unwrap(), 1 << 63);
        assert_eq!(Swizzle::new(64, 0, 0).apply(u64::MAX).unwrap(), 0);
        assert_eq!(Swizzle::new(2, 60, -2).apply(1 << 61).unwrap(), 1 << 61 | 1 << 63);
        for s in [Swizzle::new(2, 62, -2), Swizzle::new(1, 62, i64::MIN), Swizzle::new(64, 0, -2)] {
            assert_eq!(s.apply(u64::MAX).unwrap_err().kind(), ErrorKind::Overflow, "{s}");
            assert_eq!(s.apply(1).unwrap(), if s.bits() == 64 { 5 } else { 1 });
        }
        assert_eq!(Swizzle::new(60, 4, 1).period(), None);
    }

    #[test]
    fn elements_and_bytes_are_swizzled_alike() {
        for s in small() {
            for k in 0..4 {
                let bytes = s.downcast(k).unwrap();
                assert_eq!(bytes.upcast(k), Some(s));
                for x in 0..512 {
                    let inside = 5 & ((1 << k) - 1);
                    assert_eq!(bytes.apply(x << k | inside).unwrap(), s.apply(x).unwrap() << k | inside, "{s}");
                    assert_eq!(s.upcast_outer(k).apply(x).unwrap(), s.apply(x << k).unwrap() >> k, "{s} in 2^{k}");
                }
            }
        }
    }

    #[test]
    fn units_stay_whole_where_it_says_so() {
        for s in small() {
            for k in 0..8 {
                let units = 1_u64 << 12 >> k;
                let whole = (0..units).all(|unit| {
                    let mut parts: Vec<u64> = (0..1 << k).map(|r| s.apply(unit << k | r).unwrap()).collect();
                    parts.sort_unstable();
                    parts.dedup();
                    parts.len() == 1 << k && parts.iter().all(|part| part >> k == parts[0] >> k)
                });
                assert_eq!(s.keeps_units(k), whole, "{s} in units of 2^{k}");
                for x in (0..4096).filter(|_| whole) {
                    assert_eq!(s.upcast_outer(k).apply(x >> k).unwrap(), s.apply(x).unwrap() >> k, "{s} in 2^{k}");
                }
            }
            let all: u64 = (0..4096).map(|x| s.apply(x).unwrap() ^ x).fold(0, |met, x| met | x);
            assert_eq!(s.target(), all, "{s}");
            let read = (0..12).filter(|j| s.apply(1 << j).unwrap() != 1 << j).fold(0, |met, j| met | 1_u64 << j);
            assert_eq!(s.source(), read, "{s}");
        }
        assert_eq!(Swizzle::new(u64::MAX, u64::MAX, i64::MIN).source(), 0);
        assert_eq!(Swizzle::new(3, 62, 1).source(), 1 << 63);
    }

    #[test]
    fn the_copy_engine_swizzles_byte_addresses() {
        use crate::tma::Swizzle as Tma;
        for (tma, bits) in [(Tma::None, 0), (Tma::B32, 1), (Tma::B64, 2), (Tma::B128, 3)] {
            for x in (0..4096).chain([u64::MAX, 1 << 63]) {
                assert_eq!(tma.apply(x), Swizzle::new(bits, 4, 3).apply(x).unwrap());
            }
        }
    }
}
