//! Layouts of up to 8 leaves stay out of the heap.

use allocation_counter::measure;
use razorgirl::{Coord, IntTuple, Layout, Mode, Profile};

#[test]
fn nothing_is_allocated_up_to_8_leaves() {
    let nested: Layout = "((2,(3,2)),(4,1),(5,(2,2))):((1,(0,7)),(24,0),(96,(480,960)))".parse().unwrap();
    let other: Layout = "(4,2):(2,1)".parse().unwrap();
    let outer: Layout = "(3,2,4,2):(8,1,32,4)".parse().unwrap();
    let inner: Layout = "(6,2):(1,24)".parse().unwrap();
    let split: Layout = "((6,2),2):((1,6),24)".parse().unwrap();
    let part: Layout = "(3,2):(1,6)".parse().unwrap();
    let gaps: Layout = "(3,2,1,2):(8,1,0,72)".parse().unwrap();
    let pair = [other.clone(), other.clone()];
    let coord: Coord = "((_,3),0,(1,_))".parse().unwrap();
    let whole: Coord = "((1,(2,1)),0,(1,3))".parse().unwrap();
    let profile: Profile = "(*,*)".parse().unwrap();
    let (shape, stride) = (nested.shape(), nested.stride());
    let (block, tile): (Layout, Layout) = ("(4,(6,2)):(2,(8,1))".parse().unwrap(), "3:8".parse().unwrap());
    let offsets: [u64; 8] = [0, 4, 1, 5, 3, 7, 4, 8];
    assert_eq!(nested.modes().len(), 8);

    let allocated = measure(|| {
        let same = Layout::new(shape.extents(), &stride).unwrap();
        assert!(same == nested && same.clone() == nested);
        assert!(Layout::from_modes([Mode::new(2, 1), Mode::new(2, 2)]).is_ok());
        assert!(Layout::column_major(&shape) != Layout::row_major(&shape));
        assert!(Layout::concat(&pair).unwrap().mode(0).unwrap() == other);
        assert_eq!(nested.sublayouts().count(), 3);
        assert_eq!((nested.rank(), nested.depth()), (3, 3));
        assert_eq!(nested.at(5).unwrap(), nested.at_flat(&[1, 2, 0, 0, 0, 0, 0, 0]).unwrap());
        assert!(nested.offset(&whole).is_ok() && nested.call(&whole).is_ok());
        assert!(nested.slice(&coord).is_ok() && nested.dice(&coord).is_ok());
        assert!(nested.slice_and_offset(&coord).is_ok());
        assert!(nested.coalesce().size() == nested.filter_zeros().size() * 3);
        assert!(nested.coalesce_by(&profile).is_ok() && nested.filter_by(&profile).is_ok());
        assert!(nested.filter().size() <= nested.flatten().size());
        assert!(nested.sort().cosize() == nested.cosize());
        assert!(!nested.is_contiguous());
        assert!(outer.logical_divide(&part).is_ok() && gaps.logical_product(&other).is_ok());
        assert!(outer.composition(&inner).is_ok() && outer.composition(&split).is_ok());
        assert!(
            gaps.complement().is_ok() && gaps.complement_in(288_u64).is_ok() && gaps.complement_ceil(300_u64).is_ok()
        );
        assert_eq!(block.logical_divide(&tile).unwrap().cosize(), block.cosize());
        assert_eq!(block.logical_product(&tile).unwrap().size(), 3 * block.size());
        assert_eq!(nested.offsets().count() as u64, nested.size());
        let crd = shape.idx2crd(77).unwrap();
        assert_eq!(shape.crd2idx(&Coord::from(crd)).unwrap(), 77);
        assert!(shape.compatible(&shape) && IntTuple::flat(&offsets).flatten().rank() == 8);
    });
    assert_eq!(allocated.count_total, 0);
}

#[test]
fn more_leaves_do_allocate() {
    let allocated = measure(|| {
        let modes = (0..9).map(|_| Mode::new(2, 3));
        assert_eq!(Layout::from_modes(modes).unwrap().size(), 512);
    });
    assert!(allocated.count_total > 0);
}
