//! The explorer against the theorem on rings, `Razorgirl.Pipeline.Ring.correct_iff`: a ring is correct for every trip count exactly
//! if `full` expects one arrival, `empty` one of each consumer, the producer expects the bytes of all loads, and it starts
//! with the flipped parity.

use razorgirl_pipeline::{Bounds, check, parse};
use std::fmt::Write;

struct Ring {
    stages: usize,
    consumers: usize,
    loads: &'static [u32],
    full: usize,
    empty: usize,
    expected: u32,
    flipped: bool,
}

impl Ring {
    fn text(&self) -> String {
        let Self { stages, consumers, loads, full, empty, expected, flipped } = self;
        let mut buffers = String::new();
        let (mut issue, mut read) = (String::new(), String::new());
        for (i, bytes) in loads.iter().enumerate() {
            writeln!(buffers, "buffer X{i}[p]").unwrap();
            writeln!(issue, "    tma X{i}[p] full[p] {bytes}").unwrap();
            writeln!(read, "    read X{i}[p]").unwrap();
        }
        let flipped = if *flipped { " flipped" } else { "" };
        format!(
            "pipeline ring\nparam K\npipe p stages {stages}\nbarrier full[p] count {full}\nbarrier empty[p] count {empty}\n{buffers}\
             role producer\n  loop K\n    wait empty[p]{flipped}\n    arrive_expect full[p] {expected}\n{issue}    next p\n\
             role consumer *{consumers}\n  loop K\n    wait full[p]\n{read}    arrive empty[p]\n    next p\n"
        )
    }

    fn matched(&self) -> bool {
        self.full == 1
            && self.empty == self.consumers
            && self.expected == self.loads.iter().sum::<u32>()
            && self.flipped
    }
}

#[test]
fn the_explorer_agrees_with_the_theorem_on_every_small_ring() {
    let (mut right, mut wrong) = (0, 0);
    for stages in 1..=2 {
        for consumers in 1..=2 {
            for loads in [&[16_u32][..], &[16, 32], &[32, 16]] {
                for full in 1..=2 {
                    for empty in 1..=3 {
                        for expected in [0, 16, 32, 48, 64] {
                            for flipped in [false, true] {
                                let ring = Ring { stages, consumers, loads, full, empty, expected, flipped };
                                let text = ring.text();
                                let program = parse(&text).unwrap();
                                // the schedules of the proof go wrong within S + 1 trips
                                let trips = i64::try_from(stages + 1).unwrap();
                                let verdict = check(&program, &Bounds { states: 100_000, trips });
                                assert_eq!(verdict.every_trip_count(), ring.matched(), "{text}\n{verdict:?}");
                                assert_eq!(verdict.failure.is_none(), ring.matched(), "{text}\n{verdict:?}");
                                if ring.matched() { right += 1 } else { wrong += 1 }
                            }
                        }
                    }
                }
            }
        }
    }
    assert_eq!((right, wrong), (12, 708));
}
