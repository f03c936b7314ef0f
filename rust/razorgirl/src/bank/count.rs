//! Words, banks and sectors, counted.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::error::{Error, ErrorKind, Result};

/// Banks of shared memory.
pub const BANKS: u64 = 32;
/// Bytes of a word.
pub(super) const WORD: u64 = 4;
/// Lanes of a warp.
pub const LANES: u64 = 32;

/// A bank from which a phase reads or writes more than one word.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CrowdedBank {
    /// The bank, from 0.
    pub bank: u64,
    /// The words, and the lanes of the phase that ask for each.
    pub words: Vec<(u64, Vec<usize>)>,
}

/// An error unless it is an access of 1, 2, 4, 8 or 16 bytes below 2^64.
fn check(addresses: &[u64], bytes: u64) -> Result<()> {
    if !matches!(bytes, 1 | 2 | 4 | 8 | 16) {
        return Err(Error::new(ErrorKind::OutOfDomain, format!("no lane accesses {bytes} bytes at once"))
            .with_help("use 1, 2, 4, 8 or 16 bytes a lane"));
    }
    match addresses.iter().find(|address| address.checked_add(bytes - 1).is_none()) {
        Some(address) => {
            let message = format!("{bytes} bytes from {address} on reach 2^64");
            Err(Error::new(ErrorKind::Overflow, message).with_help("use addresses below 2^64"))
        }
        None => Ok(()),
    }
}

/// How many lanes one phase serves: 32, 16 for 8 bytes a lane and 8 for 16 bytes.
///
/// ```
/// # use razorgirl::bank::lanes_of_phase;
/// assert_eq!([1, 4, 8, 16].map(lanes_of_phase), [32, 32, 16, 8]);
/// ```
///
/// Lean: `Razorgirl.Bank.lanesOfPhase`
#[must_use]
pub const fn lanes_of_phase(bytes: u64) -> usize {
    // a phase serves 128 bytes
    match bytes {
        16 => 8,
        8 => 16,
        _ => 32,
    }
}

/// The units of so many bytes that the access of a lane touches.
fn touched(unit: u64, bytes: u64, address: u64) -> core::ops::RangeInclusive<u64> {
    address / unit..=(address + (bytes - 1)) / unit
}

/// Wavefronts of one phase: of lanes that access `bytes` each at these byte addresses. However many lanes there are.
///
/// # Errors
/// [`OutOfDomain`](ErrorKind::OutOfDomain) unless `bytes` is 1, 2, 4, 8 or 16; [`Overflow`](ErrorKind::Overflow) where an
/// access reaches 2^64.
///
/// ```
/// # use razorgirl::bank::phase;
/// // a column of rows of 128 bytes, and of rows of 132 bytes
/// let column = |stride: u64| (0..32).map(|lane| lane * stride).collect::<Vec<u64>>();
/// assert_eq!(phase(&column(128), 4)?, 32);
/// assert_eq!(phase(&column(132), 4)?, 1);
/// // all lanes want one word
/// assert_eq!(phase(&column(0), 4)?, 1);
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.Bank.phase`
pub fn phase(addresses: &[u64], bytes: u64) -> Result<u64> {
    check(addresses, bytes)?;
    Ok(counted(addresses, bytes))
}

/// The most different words in one bank, of an access that is one.
fn counted(addresses: &[u64], bytes: u64) -> u64 {
    let mut words: Vec<u64> = addresses.iter().flat_map(|address| touched(WORD, bytes, *address)).collect();
    words.sort_unstable();
    words.dedup();
    let mut banks = [0_u64; 32];
    for word in words {
        if let Some(bank) = usize::try_from(word % BANKS).ok().and_then(|bank| banks.get_mut(bank)) {
            *bank += 1;
        }
    }
    banks.into_iter().max().unwrap_or_default()
}

/// The wavefronts of each phase of an access: of the byte addresses of the lanes in order.
///
/// # Errors
/// As [`phase`].
///
/// ```
/// # use razorgirl::bank::access;
/// // 16 bytes a lane: four phases of 8 lanes
/// let lanes = |stride: u64| (0..32).map(|lane| lane * stride).collect::<Vec<u64>>();
/// assert_eq!(access(&lanes(16), 16)?, [1, 1, 1, 1]);
/// assert_eq!(access(&lanes(32), 16)?, [2, 2, 2, 2]);
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.Bank.access`
pub fn access(addresses: &[u64], bytes: u64) -> Result<Vec<u64>> {
    check(addresses, bytes)?;
    Ok(addresses.chunks(lanes_of_phase(bytes)).map(|lanes| counted(lanes, bytes)).collect())
}

/// The banks that are asked for several words in one phase, with the lanes that ask.
///
/// # Errors
/// As [`phase`].
pub fn crowded_banks(addresses: &[u64], bytes: u64) -> Result<Vec<CrowdedBank>> {
    check(addresses, bytes)?;
    let mut banks: BTreeMap<u64, BTreeMap<u64, Vec<usize>>> = BTreeMap::new();
    for (lane, address) in addresses.iter().enumerate() {
        for word in touched(WORD, bytes, *address) {
            banks.entry(word % BANKS).or_default().entry(word).or_default().push(lane);
        }
    }
    let several = banks.into_iter().filter(|(_, words)| words.len() > 1);
    Ok(several.map(|(bank, words)| CrowdedBank { bank, words: words.into_iter().collect() }).collect())
}

/// How many units of so many bytes an access touches.
fn units(unit: u64, addresses: &[u64], bytes: u64) -> Result<u64> {
    check(addresses, bytes)?;
    let mut units: Vec<u64> = addresses.iter().flat_map(|address| touched(unit, bytes, *address)).collect();
    units.sort_unstable();
    units.dedup();
    Ok(units.len() as u64)
}

/// How many sectors of 32 bytes of global memory an access touches.
///
/// # Errors
/// As [`phase`].
///
/// ```
/// # use razorgirl::bank::{lines, sectors};
/// let lanes = |stride: u64| (0..32).map(|lane| lane * stride).collect::<Vec<u64>>();
/// assert_eq!((sectors(&lanes(4), 4)?, lines(&lanes(4), 4)?), (4, 1));
/// assert_eq!((sectors(&lanes(128), 4)?, lines(&lanes(128), 4)?), (32, 32));
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.Bank.sectors`
pub fn sectors(addresses: &[u64], bytes: u64) -> Result<u64> {
    units(32, addresses, bytes)
}

/// How many cache lines of 128 bytes an access touches.
///
/// # Errors
/// As [`phase`].
///
/// Lean: `Razorgirl.Bank.lines`
pub fn lines(addresses: &[u64], bytes: u64) -> Result<u64> {
    units(128, addresses, bytes)
}
