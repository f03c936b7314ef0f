//! Shared-memory banks, and the sectors of global memory.

use crate::answer::Output;
use crate::code::{Code, Refusal};
use crate::kind::Values;
use crate::ops::answer;
use crate::table::{MAX_OFFSETS, Op, Outcome, form};
use razorgirl::LinearLayout;
use razorgirl::bank::{self, linear_conflicts, optimal_swizzle};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "bank_access",
        meaning: "the wavefronts of each phase of an access to shared memory",
        notes: "of lanes that access 1, 2, 4, 8 or 16 bytes each at these byte addresses: phases of 32, 16 or 8 lanes in order; \
                a phase takes the most different words of 4 bytes in one of 32 banks",
        forms: &[form!(_; addresses: Values, bytes: Index => answer(bank::access(bytes_at(addresses)?, *bytes)?))],
        lean: &["Razorgirl.Bank.access"],
        example: (&["(0,128,256,384,4,132,260,388)", "4"], "(4)"),
        ..Op::PLAIN
    },
    Op {
        name: "bank_conflicts",
        meaning: "the elements of one access and the wavefronts of one phase, for a copy of registers to shared memory",
        notes: "bits of an element: 8, 16, 32, 64 or 128; `null` if shared memory lacks an element; `{\"vector\":n,\"wavefronts\":n}`",
        forms: &[
            form!(_; registers: Linear, memory: Linear, bits: Index => answer(linear_conflicts(registers, memory, *bits)?.map(|found| {
                Output::Named(vec![("vector", found.vector.into()), ("wavefronts", found.wavefronts.into())])
            }))),
        ],
        lean: &["Razorgirl.Bank.conflicts"],
        example: (
            &[
                r#"{"in":[["register",[[1]]],["lane",[[32],[64],[128],[256],[512]]]],"out":[["x",1024]]}"#,
                r#"{"in":[["offset",[[1],[2],[4],[8],[16],[32],[64],[128],[256],[512]]]],"out":[["x",1024]]}"#,
                "32",
            ],
            "vector 2, wavefronts 16",
        ),
        ..Op::PLAIN
    },
    Op {
        name: "optimal_swizzle",
        meaning: "a layout of shared memory in which the writes and the reads have no bank conflicts",
        notes: "`{\"layout\":…,\"vector\":[write,read],\"wavefronts\":[write,read]}`, counted in that layout",
        forms: &[form!(_; src: Linear, dst: Linear, bits: Index => optimal(src, dst, *bits))],
        lean: &["Razorgirl.Bank.optimalSwizzle"],
        example: (
            &[
                r#"{"in":[["register",[[0,1]]],["lane",[[1,0],[2,0],[4,0],[8,0],[16,0]]]],"out":[["row",32],["col",2]]}"#,
                r#"{"in":[["register",[[16,0]]],["lane",[[0,1],[1,0],[2,0],[4,0],[8,0]]]],"out":[["row",32],["col",2]]}"#,
                "32",
            ],
            concat!(
                r#"layout {"in":[["offset",[[0,1],[1,0],[2,0],[4,0],[8,0],[16,1]]],["block",[]]],"out":[["row",32],["col",2]]}, "#,
                "vector (1,1), wavefronts (1,1)"
            ),
        ),
        ..Op::PLAIN
    },
    Op {
        name: "sectors",
        meaning: "how many sectors of 32 bytes and lines of 128 bytes an access to global memory touches",
        notes: "`{\"sectors\":n,\"lines\":n}`, of lanes that access 1, 2, 4, 8 or 16 bytes each at these byte addresses",
        forms: &[form!(_; addresses: Values, bytes: Index => {
            let addresses = bytes_at(addresses)?;
            let (sectors, lines) = (bank::sectors(addresses, *bytes)?, bank::lines(addresses, *bytes)?);
            answer(Output::Named(vec![("sectors", sectors.into()), ("lines", lines.into())]))
        })],
        lean: &["Razorgirl.Bank.sectors", "Razorgirl.Bank.lines"],
        example: (&["(0,128,256,384,4,132,260,388)", "4"], "sectors 4, lines 4"),
        ..Op::PLAIN
    },
];

fn bytes_at(addresses: &Values) -> Result<&[u64], Refusal> {
    match addresses {
        Values::Offsets(addresses) if addresses.len() as u64 > MAX_OFFSETS => {
            let message = format!("{} addresses are more than {MAX_OFFSETS}", addresses.len());
            Err(Refusal::new(Code::TooLarge, message).with_help("ask about fewer lanes"))
        }
        Values::Offsets(addresses) => Ok(addresses),
        Values::Digits(_) => Err(Refusal::new(Code::OutOfDomain, "an address is below 0, or 2^64 or more")
            .with_help("use addresses from 0 to 2^64 - 1")),
    }
}

fn optimal(src: &LinearLayout, dst: &LinearLayout, bits: u64) -> Outcome {
    let memory = optimal_swizzle(src, dst, bits)?;
    let (Some(write), Some(read)) = (linear_conflicts(src, &memory, bits)?, linear_conflicts(dst, &memory, bits)?)
    else {
        return answer(Output::None);
    };
    answer(Output::Named(vec![
        ("layout", memory.into()),
        ("vector", vec![write.vector, read.vector].into()),
        ("wavefronts", vec![write.wavefronts, read.wavefronts].into()),
    ]))
}
