//! The library answers what the extracted functions answer, whose answers are proved.

use proptest::prelude::*;
use razorgirl_extracted::{Fault, Mode, functions};
use spec_tests::compare::{Case, OPERATIONS, Operation, compare};

#[test]
fn the_library_answers_what_is_proved() {
    for operation in OPERATIONS {
        let found = compare(*operation, 200_000, 2026);
        assert!(found.difference.is_none(), "{}: {:?}", operation.name, found.difference);
    }
}

proptest! {
    #[test]
    fn on_any_numbers(modes in prop::collection::vec((1_u64.., any::<u64>(), any::<bool>()), 0..12), number in any::<u64>()) {
        let modes = modes.iter().map(|&(extent, stride, small)| {
            if small { Mode { extent: extent % 9 + 1, stride: stride % 33 } } else { Mode { extent, stride } }
        });
        let case = Case { modes: modes.collect(), number };
        for operation in OPERATIONS {
            let found = (operation.run)(&case);
            prop_assert!(found.is_ok(), "{} of {case}: {found:?}", operation.name);
        }
    }
}

/// The first difference is found and shrunk: here of an operation that is wrong from extent 3 and stride 2 on.
#[test]
fn a_difference_is_found_and_shrunk() {
    let wrong = |case: &Case| match case.modes.iter().find(|m| m.extent >= 3 && m.stride >= 2) {
        Some(_) => Err("it is wrong".to_string()),
        None => Ok(()),
    };
    let found = compare(Operation { name: "wrong", run: wrong }, 10_000, 1).difference.unwrap();
    assert_eq!(found, (Case { modes: vec![Mode { extent: 3, stride: 2 }], number: 0 }, "it is wrong".to_string()));
}

/// 10^5 modes, numbers at the end of 64 bits, and nothing at all: an answer or a fault, and soon.
#[test]
fn hostile_lists_are_answered() {
    let max = u64::MAX;
    let ones: Vec<Mode> = (0..100_000).map(|n| Mode { extent: 1, stride: max - n }).collect();
    let twos = vec![Mode { extent: 2, stride: max }; 100_000];
    let ends = [Mode { extent: max, stride: max }; 3];
    let zeros = [Mode { extent: 0, stride: 0 }; 3];
    for modes in [&[][..], &ones, &twos, &ends, &zeros] {
        let _ = (functions::cosize(modes), functions::at_index(modes, max), functions::complement(modes));
        let _ =
            (functions::coalesce(modes), functions::squeeze(modes), functions::gaps(modes), functions::chain(modes));
    }
    assert_eq!((functions::size(&ones), functions::size(&twos)), (Ok(1), Err(Fault::Overflow)));
    assert_eq!(functions::coalesce(&ones).unwrap().len(), 0);
    assert_eq!(functions::coalesce(&twos).unwrap().len(), 100_000);
    assert_eq!(functions::complement(&ones).unwrap().len(), 0);
    assert_eq!(functions::complement(&twos), Err(Fault::Overflow));
    assert_eq!(functions::complement(&[]).unwrap().len(), 0);
    assert_eq!(functions::at_index(&zeros, 1), Err(Fault::DivZero));
    assert_eq!(functions::idx2crd(&[0, 2], 1), Err(Fault::DivZero));
    assert_eq!(functions::find_layout(&[]), Err(Fault::Refuse("none")));
    assert_eq!(functions::find_layout(&[0, max, 1]), Err(Fault::Refuse("none")));
    let line: Vec<u64> = (0..100_000).map(|n| 3 * n).collect();
    assert_eq!(functions::find_layout(&line).unwrap()[..], [Mode { extent: 100_000, stride: 3 }]);
    assert_eq!(functions::idx2crd(&vec![2; 100_000], max).unwrap().iter().sum::<u64>(), 64);
}
