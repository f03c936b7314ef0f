//! Index code: what a swizzled layout asks of it.

pub(crate) mod text;

use super::find::{LIST, find};
use super::refusal::Refusal;
use super::swizzled::Swizzled;
use num_bigint::BigInt;
use serde_json::Value;

/// The operation.
pub(crate) const NAME: &str = "index_code";

/// The languages.
const LANGUAGES: [&str; 3] = ["c", "cuda", "python"];

/// What was asked for.
pub(crate) struct CodeRequest {
    swizzled: Swizzled,
    /// The language of the code.
    pub(crate) language: String,
}

impl CodeRequest {
    /// The request, or the codes of all that is wrong with it.
    pub(crate) fn read(args: &[Value]) -> Result<Self, Vec<&'static str>> {
        let [layout, language] = args else { return Err(vec!["arity"]) };
        let named = language.as_str().filter(|name| LANGUAGES.contains(name));
        match (Swizzled::read(layout), named) {
            (Ok(swizzled), Some(language)) => Ok(Self { swizzled, language: language.to_owned() }),
            (layout, language) => {
                let unknown = language.is_none().then_some("parse");
                Err(layout.err().map(|Refusal(code)| code).into_iter().chain(unknown).collect())
            }
        }
    }

    /// Indices with the offsets that they have: all, or of many some.
    pub(crate) fn points(&self) -> Vec<(BigInt, BigInt)> {
        let size = self.swizzled.layout().size();
        let one = BigInt::from(1);
        let indices: Vec<BigInt> = if size <= BigInt::from(LIST) {
            num_iter(&size)
        } else {
            let mut some = num_iter(&BigInt::from(257));
            let mut block = one.clone();
            for mode in self.swizzled.layout().modes() {
                let end = &block * &mode.extent;
                some.extend([
                    &block - &one,
                    block.clone(),
                    &block * 3,
                    &end - &block,
                    &end - &one,
                    &size - &block,
                    &size / &end,
                ]);
                block = end;
            }
            some.into_iter().filter(|index| *index < size).collect()
        };
        let offset = |index: &BigInt| self.swizzled.offset_at(index);
        indices.into_iter().map(|index| (index.clone(), offset(&index))).collect()
    }

    /// Whether an offset has more than 64 bits, or might of more than are listed.
    pub(crate) fn overflows(&self) -> bool {
        match self.swizzled.offsets() {
            Ok(Some(_)) => false,
            Ok(None) => self.swizzled.may_overflow(),
            Err(_) => true,
        }
    }

    /// How many operators the plain formula has; nothing for layouts that are not listed.
    pub(crate) fn plain_operations(&self) -> Option<usize> {
        let layout = self.swizzled.layout();
        if layout.size() > BigInt::from(LIST) {
            return None;
        }
        let (zero, one) = (BigInt::from(0), BigInt::from(1));
        let modes = find(&layout.offsets())?;
        let (mut block, mut operators, mut terms) = (one.clone(), 0, 0_usize);
        for (place, mode) in modes.iter().enumerate() {
            if mode.stride != zero {
                terms += 1;
                operators +=
                    usize::from(block != one) + usize::from(place + 1 < modes.len()) + usize::from(mode.stride != one);
            }
            block *= &mode.extent;
        }
        operators += terms.saturating_sub(1) + usize::from(*self.swizzled.offset() != zero);
        Some(operators + if self.swizzled.reads_a_bit() { 3 } else { 0 })
    }
}

fn num_iter(end: &BigInt) -> Vec<BigInt> {
    (0..u32::try_from(end).unwrap_or(0)).map(BigInt::from).collect()
}
