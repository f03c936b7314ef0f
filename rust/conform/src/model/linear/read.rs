//! Arguments of operations on linear layouts, with all that is wrong in them.

use super::{Dims, Linear, total};
use crate::model::layout::only;
use crate::model::reading::Reading;
use crate::model::refusal::{Refusal, Result};
use crate::model::shape::limit;
use crate::tree::read_int;
use num_bigint::BigInt;
use serde_json::Value;

/// An integer of at least so much.
fn number(value: &Value, least: Option<i64>) -> Result<BigInt> {
    let number = read_int(value).ok_or(Refusal("parse"))?;
    match least {
        Some(least) if number < least.into() || number >= limit() => Err(Refusal("out_of_domain")),
        None if i64::try_from(&number).is_err() => Err(Refusal("overflow")),
        _ => Ok(number),
    }
}

/// The arguments of a request, and what has been found wrong in them so far.
pub(super) struct Arguments<'a> {
    pub(super) all: &'a [Value],
    pub(super) reading: &'a mut Reading,
}

fn list(value: &Value) -> Result<&[Value]> {
    value.as_array().map(Vec::as_slice).ok_or(Refusal("parse"))
}

fn pair(value: &Value) -> Result<(&Value, &Value)> {
    match list(value)? {
        [first, second] => Ok((first, second)),
        _ => Err(Refusal("parse")),
    }
}

fn name(value: &Value) -> Result<String> {
    value.as_str().map(str::to_owned).ok_or(Refusal("parse"))
}

fn natural(value: &Value, below: &'static str) -> Result<u64> {
    let number = read_int(value).ok_or(Refusal("parse"))?;
    if number < 0.into() {
        return Err(Refusal(below));
    }
    u64::try_from(&number).map_err(|_| Refusal("overflow"))
}

/// The exponent of a power of two.
fn exponent(size: u64) -> Result<u32> {
    if size.is_power_of_two() { Ok(size.ilog2()) } else { Err(Refusal("extent")) }
}

type Row = Vec<u64>;
type Bases = Vec<(String, Vec<Row>)>;

impl Arguments<'_> {
    /// Whether nothing is wrong so far.
    pub(super) fn fine(&self) -> bool {
        self.reading.fine()
    }

    /// Notes what is wrong.
    pub(super) fn fault(&mut self, wrong: bool, code: &'static str) {
        self.reading.fault(wrong, code);
    }

    fn parts<T>(&mut self, value: &Value, mut part: impl FnMut(&mut Self, &Value) -> Option<T>) -> Option<Vec<T>> {
        let items = self.reading.take(list(value))?;
        // all of them, so that each fault is seen
        let parts: Vec<Option<T>> = items.iter().map(|item| part(self, item)).collect();
        parts.into_iter().collect()
    }

    fn check(&mut self, dims: &Dims) {
        let twice = dims.iter().enumerate().any(|(place, (name, _))| dims[..place].iter().any(|(own, _)| own == name));
        self.fault(twice, "incongruent");
        self.fault(dims.len() > 256 || dims.iter().map(|(_, bits)| u64::from(*bits)).sum::<u64>() > 63, "too_large");
    }

    fn sized(&mut self, value: &Value) -> Option<Dims> {
        let dims = self.parts(value, |this, dim| {
            let (own, size) = this.reading.take(pair(dim))?;
            let (own, size) = (this.reading.take(name(own)), this.reading.take(natural(size, "extent")));
            Some((own?, this.reading.take(exponent(size?))?))
        })?;
        self.check(&dims);
        Some(dims)
    }

    fn rows(&mut self, value: &Value) -> Option<Bases> {
        let bases = self.parts(value, |this, dim| {
            let (own, rows) = this.reading.take(pair(dim))?;
            let own = this.reading.take(name(own));
            let rows = this.parts(rows, |this, row| {
                this.parts(row, |this, component| this.reading.take(natural(component, "out_of_domain")))
            });
            Some((own?, rows?))
        })?;
        let dims: Dims =
            bases.iter().map(|(name, rows)| (name.clone(), u32::try_from(rows.len()).unwrap_or(u32::MAX))).collect();
        self.check(&dims);
        Some(bases)
    }

    /// A linear layout.
    pub(super) fn layout(&mut self, place: usize) -> Option<Linear> {
        let value = &self.all[place];
        self.fault(only(value, &["in", "out"]).is_err(), "parse");
        let (Some(ins), Some(outs)) = (value.get("in"), value.get("out")) else {
            self.fault(true, "parse");
            return None;
        };
        let (bases, outs) = (self.rows(ins), self.sized(outs));
        let (bases, outs) = (bases?, outs?);
        for row in bases.iter().flat_map(|(_, rows)| rows) {
            self.fault(row.len() != outs.len(), "incongruent");
            let large = row.iter().zip(&outs).any(|(component, (_, bits))| component.checked_shr(*bits) > Some(0));
            self.fault(large, "out_of_domain");
        }
        let ins: Dims =
            bases.iter().map(|(name, rows)| (name.clone(), u32::try_from(rows.len()).unwrap_or(u32::MAX))).collect();
        self.fine().then(|| Linear { ins, outs, bases: bases.into_iter().map(|(_, rows)| rows).collect() })
    }

    /// Input dimensions with their bases.
    pub(super) fn bases(&mut self, place: usize) -> Option<Bases> {
        let value = &self.all[place];
        self.rows(value)
    }

    /// Dimensions with their sizes.
    pub(super) fn dims(&mut self, place: usize) -> Option<Dims> {
        let value = &self.all[place];
        self.sized(value)
    }

    /// The name of a dimension.
    pub(super) fn name(&mut self, place: usize) -> Option<String> {
        self.reading.take(name(&self.all[place]))
    }

    /// Names of dimensions, each one of these, and none twice.
    pub(super) fn names(&mut self, place: usize, of: &[Option<&Dims>]) -> Option<Vec<String>> {
        let value = &self.all[place];
        let names = self.parts(value, |this, own| this.reading.take(name(own)))?;
        let twice = names.iter().enumerate().any(|(place, name)| names[..place].contains(name));
        self.fault(twice, "incongruent");
        for dims in of.iter().flatten() {
            let missing = names.iter().any(|name| super::place(dims, name).is_none());
            self.fault(missing, "incongruent");
        }
        Some(names)
    }

    /// The exponent of a size.
    pub(super) fn power(&mut self, place: usize) -> Option<u32> {
        let size = self.reading.take(natural(&self.all[place], "extent"))?;
        self.reading.take(exponent(size))
    }

    /// An integer from 0.
    pub(super) fn natural(&mut self, place: usize) -> Option<u64> {
        self.reading.take(natural(&self.all[place], "out_of_domain"))
    }

    /// Sizes, powers of two.
    pub(super) fn sizes(&mut self, place: usize) -> Option<Vec<u64>> {
        let value = &self.all[place];
        self.parts(value, |this, size| {
            let size = this.reading.take(natural(size, "extent"))?;
            this.reading.take(exponent(size)).map(|_| size)
        })
    }

    /// Places; none where a number is no place at all.
    pub(super) fn places(&mut self, place: usize) -> Option<Vec<Option<usize>>> {
        let value = &self.all[place];
        self.parts(value, |this, place| {
            this.reading.take(read_int(place).ok_or(Refusal("parse"))).map(|place| usize::try_from(&place).ok())
        })
    }

    /// A number of dimensions or operands.
    pub(super) fn count(&mut self, place: usize) -> Option<usize> {
        let count = self.reading.take(read_int(&self.all[place]).ok_or(Refusal("parse")))?;
        self.fault(count < 0.into(), "out_of_domain");
        self.fault(count >= limit(), "too_large");
        usize::try_from(&count).ok()
    }

    /// An index.
    pub(super) fn index(&mut self, place: usize) -> Option<u64> {
        let index = self.reading.take(read_int(&self.all[place]).ok_or(Refusal("parse")))?;
        self.fault(index < 0.into() || index >= limit(), "out_of_domain");
        u64::try_from(&index).ok()
    }

    /// An integer of at least so much, of any size below 2^64.
    pub(super) fn integer(&mut self, place: usize, least: Option<i64>) -> Option<BigInt> {
        self.reading.take(number(&self.all[place], least))
    }

    /// True or false.
    pub(super) fn truth(&mut self, place: usize) -> Option<bool> {
        self.reading.take(self.all[place].as_bool().ok_or(Refusal("parse")))
    }

    /// Points: a coordinate for each of these dimensions.
    pub(super) fn points(&mut self, place: usize, layout: &Linear) -> Option<Vec<Vec<u64>>> {
        let value = &self.all[place];
        let points = self.parts(value, |this, point| {
            let point = this.reading.take(point.as_object().ok_or(Refusal("parse")))?;
            let mut coordinates = vec![];
            for (name, bits) in &layout.ins {
                let coordinate = this.reading.take(point.get(name).ok_or(Refusal("incongruent")))?;
                let coordinate = this.reading.take(read_int(coordinate).ok_or(Refusal("parse")))?;
                let wide = coordinate < BigInt::from(i64::MIN) || coordinate >= limit();
                this.fault(wide, "overflow");
                // modulo the size, never below 0
                let size = BigInt::from(1) << *bits;
                let inside: BigInt = ((coordinate % &size) + &size) % &size;
                coordinates.push(u64::try_from(&inside).unwrap_or(0));
            }
            for (name, coordinate) in point {
                if !layout.ins.iter().any(|(own, _)| own == name) {
                    this.fault(true, "incongruent");
                    let coordinate = this.reading.take(read_int(coordinate).ok_or(Refusal("parse")))?;
                    this.fault(coordinate < BigInt::from(i64::MIN) || coordinate >= limit(), "overflow");
                }
            }
            Some(coordinates)
        })?;
        self.fault(points.len() * layout.outs.len() > 1 << 20, "too_large");
        Some(points)
    }
}

/// Checks the totals of a layout that is about to be answered.
pub(super) fn within(dims: &Dims) -> Result<()> {
    if total(dims) > 63 { Err(Refusal("too_large")) } else { Ok(()) }
}
