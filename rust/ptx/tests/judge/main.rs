//! An independent judge: an interpreter with a reader and a meaning of its own runs all threads of a block on numbers;
//! every address that it sees must be among those that the analysis said, and «exact» must be exact.
//!
//! `RAZORGIRL_PTX_KERNELS=20000 RAZORGIRL_PTX_SEED=2000` tries more random kernels.
#![allow(clippy::pedantic, reason = "arithmetic of a machine: casts wrap, registers have short names")]

mod compare;
mod generate;
mod machine;
mod program;
mod random;

use compare::{Tally, disagreements, misattributed, untrue};
use generate::Generator;
use machine::{Given, Machine, postdominators};
use program::Program;
use random::Random;
use razorgirl_ptx::eval::{Launch, evaluate};
use razorgirl_ptx::read::read;
use razorgirl_ptx::report::report;
use std::collections::{BTreeMap, HashMap};

const SM80: &str = include_str!("../fixtures/kernels_sm80.ptx");
const SM90A: &str = include_str!("../fixtures/kernels_sm90a.ptx");

/// What Triton printed, compiled by triton_kernels.py beside them.
const TRITON: [(&str, &str); 3] = [
    ("matmul", include_str!("../fixtures/triton_matmul.ptx")),
    ("softmax", include_str!("../fixtures/triton_softmax.ptx")),
    ("transpose", include_str!("../fixtures/triton_transpose.ptx")),
];

/// Bytes of dynamic shared memory.
const DYNAMIC: u64 = 65536;

/// What one run is given: parameters, where arrays lie, which block of which grid.
fn given(program: &Program, block: [u64; 3], random: &mut Random, numbers: u64) -> Given {
    let grid = [1 + random.below(9), 1 + random.below(5), 1 + random.below(3)];
    let at = [random.below(grid[0]), random.below(grid[1]), random.below(grid[2])];
    let params = program.params.iter().map(|(name, width)| {
        let value = if *width == 64 { random.next() >> 8 } else { random.below(numbers) };
        (name.clone(), value)
    });
    let params = params.collect();
    let (mut arrays, mut next) = (HashMap::new(), random.below(4096));
    for array in &program.arrays {
        next = (next + random.below(64)).next_multiple_of(array.align);
        arrays.insert(array.name.clone(), next);
        next += array.bytes;
    }
    Given { block, grid, at, params, arrays, window: (1 + random.below(1000)) << 24, seed: random.next() }
}

/// Analyses a kernel once, runs it several times, and says where they disagree.
fn judge(
    text: &str,
    name: &str,
    block: [u64; 3],
    runs: u32,
    random: &mut Random,
    numbers: u64,
    tally: &mut Tally,
) -> Vec<String> {
    let module = read(text).unwrap_or_else(|e| panic!("{e}"));
    let kernel = module.kernels.iter().find(|x| x.name.contains(name)).unwrap();
    let program = Program::read(text, name, DYNAMIC);
    let reconverge = postdominators(&program);
    let mut wrong = Vec::new();
    for run in 0..runs {
        let given = given(&program, block, random, numbers);
        let mut launch =
            Launch { block: Some(block.map(|x| x as u32)), shared_bytes: Some(DYNAMIC), ..Launch::default() };
        // now and then the analysis knows what the run has
        if run % 3 == 1 {
            launch.grid = Some(given.grid.map(|x| x as u32));
        }
        if run % 3 == 2 {
            launch.params = given.params.iter().map(|(k, v)| (k.clone(), *v)).collect();
        }
        let outcome = evaluate(&module, kernel, &launch);
        if outcome.stop.is_some() {
            *tally.verdicts.entry("stopped").or_default() += 1;
        }
        let mut machine = Machine::new(&program, &given, &reconverge);
        machine.run();
        let found = disagreements((&module, kernel, &outcome), Some(DYNAMIC), &machine.seen, &given, tally);
        let sizes = program.arrays.iter().map(|x| (x.name.clone(), x.bytes)).collect::<BTreeMap<_, _>>();
        let said = report(&module, &launch, name);
        let untrue =
            said.iter().take(1).flat_map(|x| untrue(x, &machine.seen, &given, &sizes, tally)).collect::<Vec<_>>();
        let strangers = said.iter().take(1).flat_map(|x| misattributed(text, x, &machine.seen, &given, &sizes, tally));
        let untrue: Vec<String> = untrue.into_iter().chain(strangers).collect();
        wrong.extend(
            found.into_iter().chain(untrue).map(|x| format!("{name} {block:?} run {run} {:?}: {x}", given.params)),
        );
    }
    wrong
}

const FIXTURES: [(&str, [u64; 3]); 14] = [
    ("transpose_plain", [32, 8, 1]),
    ("transpose_padded", [32, 8, 1]),
    ("columns_flat", [128, 1, 1]),
    ("columns_swizzled", [128, 1, 1]),
    ("columns_misaligned", [128, 1, 1]),
    ("columns_too_small", [128, 1, 1]),
    ("ldmatrix_64", [128, 1, 1]),
    ("ldmatrix_72", [128, 1, 1]),
    ("reduce_strided", [256, 1, 1]),
    ("histogram", [256, 1, 1]),
    ("half_barrier", [128, 1, 1]),
    ("6column", [256, 1, 1]),
    ("staged", [128, 1, 1]),
    ("guarded", [64, 1, 1]),
];

#[test]
fn fixtures_do_what_was_said() {
    let mut random = Random(1);
    let mut tally = Tally::default();
    for text in [SM80, SM90A] {
        for (name, block) in FIXTURES {
            // also with blocks of other shapes
            for block in [block, [block[0] / 2, block[1], 2], [17, 3, 1]] {
                let wrong = judge(text, name, block, 3, &mut random, 40, &mut tally);
                assert!(wrong.is_empty(), "{}", wrong.join("\n"));
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.seen > 10_000 && tally.verdicts["exact"] > 1000, "{tally:?}");
    assert!(tally.verdicts["error"] > 50 && tally.verdicts["remedy"] > 10, "{tally:?}");
}

#[test]
fn triton_kernels_do_what_was_said() {
    let mut random = Random(2);
    let mut tally = Tally::default();
    for (name, text) in TRITON {
        let wrong = judge(text, name, [128, 1, 1], 3, &mut random, 100, &mut tally);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
    println!("{tally:?}");
    assert!(tally.verdicts["exact"] > 250, "{tally:?}");
}

fn generated(from: u64, to: u64, kernel: fn(Generator) -> String) -> Tally {
    let mut tally = Tally::default();
    for seed in from..to {
        let mut random = Random(seed);
        let block = random.pick(&[[64, 1, 1], [32, 2, 1], [16, 3, 1], [8, 4, 2], [40, 1, 1], [33, 1, 1]]);
        let text = kernel(Generator::new(seed));
        let numbers = random.pick(&[8, 100, 1 << 32]);
        let wrong = judge(&text, "k", block, 3, &mut random, numbers, &mut tally);
        assert!(wrong.is_empty(), "seed {seed}\n{}\n{}", numbered(&text), wrong.join("\n"));
    }
    println!("{tally:?}");
    tally
}

fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(i, x)| format!("{:4} {x}\n", i + 1)).collect()
}

#[test]
fn random_kernels_do_what_was_said() {
    let count = std::env::var("RAZORGIRL_PTX_KERNELS").ok().and_then(|x| x.parse().ok()).unwrap_or(2000);
    let from = std::env::var("RAZORGIRL_PTX_SEED").ok().and_then(|x| x.parse().ok()).unwrap_or(0);
    let tally = generated(from, from + count, Generator::kernel);
    // it is no comparison if nothing is decided
    let all: usize = tally.verdicts.values().sum();
    assert!(count < 1000 || tally.verdicts["exact"] * 5 > all, "{tally:?}");
}

#[test]
fn pointers_to_one_of_two_arrays_do_what_was_said() {
    let tally = generated(0, 2000, Generator::pointers);
    assert!(tally.verdicts["remedy"] > 100 && tally.verdicts["array"] > 1000 && tally.verdicts["no array"] > 1000);
}
