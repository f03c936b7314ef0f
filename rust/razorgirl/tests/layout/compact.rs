//! Layouts made from a shape: compact, in an order, like another, shared out; held to their laws on all small shapes.

use razorgirl::{IntTuple, Layout, Shape};

use crate::shared::{layouts, library, text};

/// What is compact is a bijection onto `[0, size)`; what is distributed divides the shape.
#[test]
fn every_small_layout_made_is_what_it_has_to_be() {
    for shape in layouts(3, 4, 0).iter().map(|flat| library(flat).shape()) {
        for code in 0..27_u64 {
            let ranks = [code % 3, code / 3 % 3, code / 9];
            let made = Layout::ordered(&shape, &IntTuple::flat(&ranks)).expect("it is nested alike");
            assert!(made.is_contiguous() && made.cosize() == shape.size(), "{made}");
            for (i, a) in made.modes().iter().enumerate() {
                for (j, b) in made.modes().iter().enumerate() {
                    if a.extent() > 1 && b.extent() > 1 && (ranks[i], i) < (ranks[j], j) {
                        assert!(a.stride() * a.extent() <= b.stride(), "{made} in the order {ranks:?}");
                    }
                }
            }
        }
        for count in 1..=24 {
            let tile = Layout::domain_distribute(&shape, count).expect("it is at least 1");
            let common = (1..=count).rev().find(|n| count % n == 0 && shape.size() % n == 0);
            assert_eq!(Some(tile.size()), common, "{count} of {shape}");
            let rest = tile.complement_in(shape.size()).expect("it divides the shape");
            let all = Layout::concat(&[tile, rest]).expect("it is small");
            assert!(all.is_contiguous() && all.size() == shape.size());
        }
    }
    for layout in layouts(3, 3, 4).iter().map(library) {
        let like = layout.make_layout_like();
        assert_eq!(like.shape(), layout.shape());
        let moving = like.filter_zeros();
        assert!(moving.is_contiguous() && moving.cosize() == moving.size(), "{layout} like {like}");
        for (a, new_a) in layout.modes().iter().zip(like.modes()) {
            assert_eq!(a.stride() == 0, new_a.stride() == 0, "{layout} like {like}");
            for (b, new_b) in layout.modes().iter().zip(like.modes()) {
                if a.stride() < b.stride() {
                    assert!(new_a.stride() < new_b.stride(), "{layout} like {like}");
                }
            }
        }
    }
}

#[test]
fn an_order_with_more_modes_than_the_shape_is_refused() {
    let order = |text: &str| text.parse::<IntTuple>().expect("it is notation");
    assert_eq!(
        text(Layout::ordered(&"(4,5)".parse::<Shape>().expect("it is notation"), &order("(0,1,2)"))),
        "error[incongruent]: the order (0,1,2) does not fit the nesting (*,*)\n  \
         an integer fits everywhere, and a tuple with as many modes; column-major is (0,1)"
    );
}
