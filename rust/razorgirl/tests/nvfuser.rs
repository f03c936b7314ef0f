//! Numeric cases of nvFuser's documents: division, splits, TMA, swizzles, thread-value layouts. The cases of the TMA figures
//! are examples in `lean/Razorgirl/Spec/Tma`.

use razorgirl::iter_domain::{Equivalence, Schedule};
use razorgirl::tma::{DataType, Descriptor, Rule, Swizzle, tile_fault};
use razorgirl::{Layout, int};

fn layout(text: &str) -> Layout {
    text.parse().unwrap()
}

fn schedule(text: &str) -> Schedule {
    text.parse().unwrap()
}

#[test]
fn divisions() {
    for (a, b, q, r) in [(4, -5, 0, 4), (-4, 5, -1, 1), (-3, 5, -1, 2), (7, -2, -3, 1)] {
        assert_eq!(int::euclid(a, b).unwrap(), (q, r));
    }
    for (a, b, q, r) in [(-3, 5, 0, -3), (-7, 2, -3, -1), (7, -2, -3, 1), (1, -2, 0, 1)] {
        assert_eq!(int::trunc(a, b).unwrap(), (q, r));
    }
    for (a, b, q, r) in [(5, 2, 3, -1), (6, 4, 2, -2), (-7, 2, -3, -1), (7, -2, -3, 1)] {
        assert_eq!(int::ceil(a, b).unwrap(), (q, r));
    }
}

#[test]
fn what_division_does_not_satisfy() {
    let div = |a: i64, b: i64| int::euclid(a, b).unwrap().0;
    assert_ne!(div(1 + 1, 2), div(1, 2) + div(1, 2));
    assert_eq!((div(64, 256) * 4, div(64, div(256, 4))), (0, 1));
    assert_eq!((div(1, 4) * 256, div(256, 4)), (0, 64));
}

#[test]
fn rotations_and_composites() {
    // Figure 10 of the tutorial: split by 4, 2 and 4 is a box of 32
    let three = schedule("[1024] split(0,4) split(0,2) split(0,4)");
    let nested = schedule("[1024] split(0,32) split(1,8) split(2,4)");
    assert_eq!(three.loop_extents(), [32, 4, 2, 4]);
    assert_eq!(three.equivalent(&nested), Equivalence::Equal { enumerated: false });
    // compositing: [1024,2,4,8] with the box [4,8]
    let composite = schedule("[1024,2,4,8] merge(0,1) merge(0,1) merge(0,1) split(0,32)");
    assert_eq!((composite.loop_extents(), composite.points()), (vec![2048, 32], Some(65536)));
}

#[test]
fn merge_and_split_exchanged() {
    let order = |text: &str| -> Vec<Vec<i128>> {
        let schedule = schedule(text);
        let loops = schedule.loop_extents();
        (0..loops[0])
            .flat_map(|i| (0..loops[1]).map(move |j| [i, j]))
            .map(|point| schedule.axis_indices(&point).unwrap()[..2].to_vec())
            .collect()
    };
    let first = order("[2,5] split(1,4) merge(0,1)");
    let second = order("[2,5] merge(0,1) split(0,4)");
    assert_eq!((first.len(), second.len()), (16, 12));
    assert_eq!((&first[7], &first[8]), (&vec![0, 7], &vec![1, 0]));
    assert_eq!((&second[4], &second[5], &second[10]), (&vec![0, 4], &vec![1, 0], &vec![2, 0]));
    assert_eq!(order("[2,8] split(1,4) merge(0,1)"), order("[2,8] merge(0,1) split(0,4)"));
}

#[test]
fn swizzles_that_are_permutations() {
    let permutes = |text: &str| schedule(text).elements().unwrap().all(|element| element.is_some());
    for (x, y) in [(2, 2), (4, 4), (8, 8), (3, 4), (2, 6)] {
        assert!(permutes(&format!("[{x},{y}] swizzle(xor,0,1)")));
    }
    for (x, y) in [(3, 3), (4, 6), (8, 4), (2, 1)] {
        assert!(!permutes(&format!("[{x},{y}] swizzle(xor,0,1)")));
    }
    let distinct = |text: &str| {
        let mut elements: Vec<_> = schedule(text).elements().unwrap().collect();
        let all = elements.len();
        elements.sort();
        elements.dedup();
        elements.len() == all
    };
    assert!(distinct("[4,4] swizzle(cyclic,0,1)") && !distinct("[4,8] swizzle(cyclic,0,1)"));
    assert!(distinct("[3,5] swizzle(zshape,0,1)"));
}

/// The view with an exclusive or is the address formula: rows of 32, 64 or 128 bytes, units of 16.
#[test]
fn data_swizzles() {
    for (swizzle, units) in [(Swizzle::B32, 2), (Swizzle::B64, 4), (Swizzle::B128, 8)] {
        let half = 8 * units;
        let text = format!("[64,{half}] split(0,8) split(1,{}) split(3,8) swizzle(xor,1,3)", 8 / units);
        let view = schedule(&text);
        for row in 0..64 {
            for column in 0..half {
                let at = view.loop_indices(&[row, column]).unwrap();
                let extents = view.loop_extents();
                let place = at.iter().zip(&extents).fold(0, |place, (i, e)| place * i128::from(*e) + i);
                let byte = 2 * (row * half + column);
                assert_eq!(i128::from(swizzle.apply(byte)), 2 * place, "{text} at {row},{column}");
            }
        }
    }
}

#[test]
fn tiles_in_shared_memory() {
    // the first mode is the tile, whatever its size
    let tile_fault = |layout: &Layout| tile_fault(layout, layout.mode(0).unwrap().size());
    // Figures 13 and 14 of the tutorial: allocations row-major, the tile as mode 0
    for (bad, good) in [
        ("((128,2),3,4):((1,384),128,768)", "((128,2),3,4):((1,128),256,768)"),
        ("((6,4)):((1,10))", "((10,4)):((1,10))"),
        ("((128,4),2,4):((1,256),128,1024)", "((128,1),2,16):((1,0),128,256)"),
        ("((8,4),4):((1,12),48)", "((12,4),4):((1,12),48)"),
        ("((6,4),2,4):((1,12),6,48)", "((16,4),1,4):((1,16),0,64)"),
    ] {
        assert!(tile_fault(&layout(bad)).is_some(), "{bad}");
        assert_eq!(tile_fault(&layout(good)), None, "{good}");
    }
    // Figure 15: any order-preserving view is fine, a flipped one is not
    assert_eq!(tile_fault(&layout("((2,8),3,4):((1,2),16,48)")), None);
    assert_eq!(tile_fault(&layout("((2,6,4),4):((1,2,12),48)")), None);
    assert!(tile_fault(&layout("((2,4),3):((4,1),8)")).is_some());
    assert!(tile_fault(&layout("((8,6),3):((1,8),46)")).is_some());
}

#[test]
fn descriptors_that_nvfuser_refuses() {
    let broken = |sizes: &[u64], boxes: &[u64], strides: Option<&[u64]>, address: Option<u64>| -> Vec<Rule> {
        let mut descriptor = Descriptor::new(sizes, boxes, &vec![1; sizes.len()], strides, DataType::F32).unwrap();
        descriptor.address = address;
        descriptor.violations().iter().map(|violation| violation.rule).collect()
    };
    assert_eq!(broken(&[1024], &[256], None, Some(8)), [Rule::Address]);
    assert_eq!(broken(&[128, 8], &[32, 8], Some(&[4 * 130]), None), [Rule::StrideAlignment]);
    assert_eq!(broken(&[1024], &[2], None, None), [Rule::BoxBytes]);
    assert_eq!(broken(&[33], &[33], None, None), [Rule::BoxBytes]);
    assert_eq!(broken(&[1024], &[512], None, None), [Rule::BoxSize]);
    assert!(broken(&[300, 300, 300], &[32, 32, 1], None, None).is_empty());
}

#[test]
fn thread_value_layouts() {
    let values = |text: &str, thread: u64| -> Vec<u64> {
        let layout = layout(text);
        let threads = layout.mode(0).unwrap().size();
        (0..layout.mode(1).unwrap().size()).map(|value| layout.at(thread + threads * value).unwrap()).collect()
    };
    let first = "((2,2),(2,2)):((4,2),(8,1))";
    for (thread, expected) in [[0, 8, 1, 9], [4, 12, 5, 13], [2, 10, 3, 11], [6, 14, 7, 15]].iter().enumerate() {
        assert_eq!(values(first, thread as u64), expected);
    }
    let second = "((8,16),(8,1)):((128,1),(16,1024))";
    assert_eq!(values(second, 0), (0..8).map(|i| 16 * i).collect::<Vec<_>>());
    assert_eq!(values(second, 1), (0..8).map(|i| 128 + 16 * i).collect::<Vec<_>>());
    assert_eq!(values(second, 8), (0..8).map(|i| 1 + 16 * i).collect::<Vec<_>>());
    let third = "((4,8,4),(2,2,3)):((128,1,16),(64,8,512))";
    let zero = [0, 64, 8, 72, 512, 576, 520, 584, 1024, 1088, 1032, 1096];
    assert_eq!(values(third, 0), zero);
    assert_eq!(values(third, 1), zero.map(|n| n + 128));
    assert_eq!(values(third, 4), zero.map(|n| n + 1));
    for text in [first, second, third] {
        assert!(layout(text).is_contiguous(), "{text}");
    }
    // the strides of the loops of the first one, outermost first: its recipe read from the schedule
    let tile = schedule("[4,4] split(0,2) split(2,2) reorder(1,2,0,3)");
    let strides: Vec<i128> = (0..4)
        .map(|position| {
            let mut point = [0; 4];
            point[position] = 1;
            let at = tile.axis_indices(&point).unwrap();
            at[0] + 4 * at[1]
        })
        .collect();
    assert_eq!(strides, [1, 8, 2, 4]);
}

#[test]
fn columns_and_banks() {
    // the clock: steps of 6 on a dial of 8 meet 8 / gcd(8, 6) marks, each twice
    let mut marks: Vec<u64> = layout("8:6").offsets().map(|offset| offset % 8).collect();
    assert_eq!(marks, [0, 6, 4, 2, 0, 6, 4, 2]);
    marks.sort_unstable();
    marks.dedup();
    assert_eq!(marks.len(), 4);
}
