//! Accesses of shared memory, word by word: 32 banks of 4 bytes, 128 bytes a phase.

use super::read::Arguments;
use super::solve::least;
use super::{Answer, Linear, UNJUDGED, bits, fits, is_small, pack, place, renamed, total, value};
use crate::model::reading::Reading;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The offset in memory of each basis of the registers' inputs, by name; none where memory lacks an element.
fn offsets(registers: &Linear, memory: &Linear) -> Option<Vec<(String, Vec<u64>)>> {
    let least = least(memory);
    let offset = |basis: &Vec<u64>| least.get(&renamed(&registers.outs, basis, &memory.outs));
    let all = registers.ins.iter().zip(&registers.bases);
    let packed = |basis: &Vec<u64>| offset(basis).map(|point| pack(&memory.ins, point));
    all.map(|((name, _), bases)| Some((name.clone(), bases.iter().map(packed).collect::<Option<_>>()?))).collect()
}

/// Elements of an access and wavefronts of a phase; none where memory lacks an element.
fn counted(registers: &Linear, memory: &Linear, bytes: u64) -> Option<(u64, u64)> {
    let offsets = offsets(registers, memory)?;
    let of = |name: &str| -> Vec<u64> {
        offsets.iter().find(|(own, _)| own == name).map_or_else(Vec::new, |(_, offsets)| offsets.clone())
    };
    let (own, lanes, warps) = (of("register"), of("lane"), of("warp"));
    // 1, 2, …, half of the vector are offsets of registers; every other offset is a multiple of the vector
    let fits = |vector: &u64| {
        let mut others = own.clone();
        let units = (0..vector.ilog2()).all(|bit| {
            let found = others.iter().position(|offset| *offset == 1 << bit);
            found.map(|at| others.remove(at)).is_some()
        });
        units && others.iter().chain(&lanes).chain(&warps).all(|offset| offset % vector == 0)
    };
    let vector = [16, 8, 4, 2, 1].into_iter().find(|vector| vector * bytes <= 16 && fits(vector))?;
    let width = vector * bytes;
    let together = (128 / width.max(4)).min(1 << lanes.len().min(5));
    let mut words = BTreeSet::new();
    for lane in 0..together {
        let selected = lanes.iter().enumerate().filter(|(bit, _)| lane >> bit & 1 == 1);
        let address = selected.fold(0, |sum, (_, offset)| sum ^ offset) * bytes;
        words.extend(address / 4..=(address + width - 1) / 4);
    }
    let in_bank = |bank: u64| words.iter().filter(|word| *word % 32 == bank).count() as u64;
    Some((vector, (0..32).map(in_bank).max().unwrap_or(0)))
}

fn element(a: &mut Arguments, place: usize) -> Option<u64> {
    let bits = a.natural(place);
    let known = bits.is_some_and(|bits| [8, 16, 32, 64, 128].contains(&bits));
    a.fault(bits.is_some() && !known, "out_of_domain");
    bits.filter(|_| known).map(|bits| bits / 8)
}

/// Layouts and the bytes of an element, with what is wrong in them.
fn read(a: &mut Arguments, suggests: bool) -> Option<(Linear, Linear, u64)> {
    let (first, second, bytes) = (a.layout(0), a.layout(1), element(a, 2));
    let (first, second, bytes) = (first?, second?, bytes?);
    a.fault(!fits(&first.outs, &second.outs) || suggests && !fits(&second.outs, &first.outs), "incongruent");
    let blocks = [&first, &second].iter().any(|of| bits(&of.ins, "block") > 0);
    a.fault(suggests && blocks, "out_of_domain");
    a.fine().then_some((first, second, bytes))
}

pub(super) fn bank_conflicts(a: &mut Arguments) -> Answer {
    let (registers, memory, bytes) = read(a, false)?;
    if !is_small(&memory.ins) {
        return UNJUDGED;
    }
    match counted(&registers, &memory, bytes) {
        Some((vector, wavefronts)) => value(json!({"vector": vector, "wavefronts": wavefronts})),
        None => value(Value::Null),
    }
}

/// Which one is suggested, the definition leaves open: [`suggested`] judges it.
pub(super) fn optimal_swizzle(a: &mut Arguments) -> Answer {
    read(a, true)?;
    UNJUDGED
}

/// What going through a suggested layout of shared memory comes to.
pub(crate) enum Suggested {
    Holds,
    /// What is wrong.
    Differs(String),
    /// There are too many elements to go through.
    Unknown,
}

/// Judges a suggested layout of shared memory: it has to hold each element once, and have no conflicts, and what is said
/// of it must be so.
pub(crate) fn suggested(args: &[Value], result: &Value) -> Suggested {
    let mut reading = Reading::default();
    let Some((src, dst, bytes)) = read(&mut Arguments { all: args, reading: &mut reading }, true) else {
        return Suggested::Differs("this has to be refused".into());
    };
    let mut reading = Reading::default();
    let all = [result["layout"].clone()];
    let Some(memory) = (Arguments { all: &all, reading: &mut reading }).layout(0) else {
        return Suggested::Differs("there is no layout".into());
    };
    // wrong at any size
    let names = place(&memory.ins, "offset") == Some(0) && memory.outs == src.outs;
    if !names || total(&memory.ins) != total(&memory.outs) {
        return Suggested::Differs("memory has other sizes than what it holds".into());
    }
    if !is_small(&memory.ins) {
        return Suggested::Unknown;
    }
    if least(&memory).len() != 1 << total(&memory.outs) {
        return Suggested::Differs("memory does not hold each element once".into());
    }
    let (Some(write), Some(read)) = (counted(&src, &memory, bytes), counted(&dst, &memory, bytes)) else {
        return Suggested::Differs("memory lacks an element".into());
    };
    let (vector, wavefronts) = (json!([write.0, read.0]), json!([write.1, read.1]));
    if (&result["vector"], &result["wavefronts"]) != (&vector, &wavefronts) {
        return Suggested::Differs(format!("the vectors are {vector}, the wavefronts {wavefronts}"));
    }
    if [write.1, read.1] == [1, 1] { Suggested::Holds } else { Suggested::Differs("it has conflicts".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differs(args: &[Value], result: &Value) -> Option<String> {
        match suggested(args, result) {
            Suggested::Holds => Some("holds".into()),
            Suggested::Differs(differs) => Some(differs),
            Suggested::Unknown => None,
        }
    }

    /// The identity of so many bits from one dimension to another.
    fn identity(from: &str, bits: u32) -> Value {
        json!({"in": [[from, (0..bits).map(|bit| json!([1_u64 << bit])).collect::<Vec<_>>()]], "out": [["x", 1_u64 << bits]]})
    }

    #[test]
    fn memory_of_other_sizes_is_wrong_however_large() {
        for bits in [5, 40] {
            let args = [identity("lane", bits), identity("lane", bits), json!(32)];
            let answer = |memory: Value| json!({"layout": memory, "vector": [1, 1], "wavefronts": [1, 1]});
            let whole = differs(&args, &answer(identity("offset", bits)));
            assert_eq!(whole.as_deref(), (bits == 5).then_some("holds"));
            let other = Some("memory has other sizes than what it holds".to_owned());
            assert_eq!(differs(&args, &answer(identity("offset", bits - 1))), other);
            assert_eq!(differs(&args, &answer(identity("lane", bits))), other);
            let mut few = identity("offset", bits);
            few["out"][0][1] = json!(1_u64 << (bits + 1));
            assert_eq!(differs(&args, &answer(few)), other);
        }
        let args = [identity("lane", 5), identity("lane", 5), json!(32)];
        let twice = json!({"layout": {"in": [["offset", [[1], [1], [4], [8], [16]]]], "out": [["x", 32]]}});
        assert_eq!(differs(&args, &twice), Some("memory does not hold each element once".into()));
    }
}
