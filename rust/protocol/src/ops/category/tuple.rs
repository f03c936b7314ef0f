//! Morphisms of tuples: the operations of chapter 3.1 of Categorical Foundations.

use crate::answer::Output;
use crate::ops::answer;
use crate::table::{Op, form};
use razorgirl::category::TupleMorphism;

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "encoded_layout_flat",
        meaning: "the layout that f encodes: the stride of an entry is the product of the codomain before its image, and 0 for the \
                basepoint",
        forms: &[form!(_; f: TupleMorphism => answer(f.encoded_layout()))],
        lean: &["Razorgirl.Category.TupleMorphism.encodedLayout"],
        example: (&["(2,2)->(3,2,5,2) by (2,4)"], "(2,2):(3,30)"),
        ..Op::PLAIN
    },
    Op {
        name: "standard_representation_flat",
        meaning: "the morphism of standard form that encodes a tractable flat layout",
        notes: "strides of modes of extent 1 matter",
        forms: &[form!(_; L: Written => answer(TupleMorphism::standard_representation(L)?))],
        lean: &["Razorgirl.Category.standardRepresentation"],
        example: (&["(2,2,2,2):(24,0,3,480)"], "(2,2,2,2)->(3,2,4,2,10,2) by (4,0,2,6)"),
        ..Op::PLAIN
    },
    Op {
        name: "tuple_coalesce",
        meaning: "f squeezed; adjacent entries that go to the basepoint or to adjacent entries are merged",
        notes: "entries of the codomain that are not images are not merged",
        forms: &[form!(_; f: TupleMorphism => answer(f.coalesce()))],
        lean: &["Razorgirl.Category.TupleMorphism.coalesce"],
        example: (&["(2,3,5,7)->(2,1,3) by (1,3,0,0)"], "(6,35)->(6) by (1,0)"),
        ..Op::PLAIN
    },
    Op {
        name: "tuple_complement",
        meaning: "the entries of the codomain that are not images, in order",
        notes: "no entry may go to the basepoint",
        forms: &[form!(_; f: TupleMorphism => answer(f.complement()?))],
        lean: &["Razorgirl.Category.TupleMorphism.complement"],
        example: (&["(2,2)->(3,2,5,2) by (2,4)"], "(3,5)->(3,2,5,2) by (1,3)"),
        ..Op::PLAIN
    },
    Op {
        name: "tuple_compose",
        meaning: "g after f",
        notes: "the codomain of f must be the domain of g",
        forms: &[form!(_; f: TupleMorphism, g: TupleMorphism => answer(f.compose(g)?))],
        lean: &["Razorgirl.Category.TupleMorphism.comp"],
        example: (&["(2,3)->(3,2) by (2,1)", "(3,2)->(5,2) by (0,2)"], "(2,3)->(5,2) by (2,0)"),
        ..Op::PLAIN
    },
    Op {
        name: "tuple_concat",
        meaning: "f and g side by side, into the one codomain of both",
        notes: "their images must be disjoint",
        forms: &[form!(_; f: TupleMorphism, g: TupleMorphism => answer(f.concat(g)?))],
        lean: &["Razorgirl.Category.TupleMorphism.concat"],
        example: (&["(2,9)->(3,2) by (2,0)", "(3)->(3,2) by (1)"], "(2,9,3)->(3,2) by (2,0,1)"),
        ..Op::PLAIN
    },
    Op {
        name: "tuple_factorize",
        meaning: "f, with only the entries of the codomain at these places",
        notes: "places are counted from 1, must increase, and must include every image",
        forms: &[form!(_; f: TupleMorphism, indices: Places => answer(f.factorize(indices)?))],
        lean: &["Razorgirl.Category.TupleMorphism.factorize"],
        example: (&["(2,3)->(5,2,7) by (2,0)", "(2,3)"], "(2,3)->(2,7) by (1,0)"),
        ..Op::PLAIN
    },
    Op {
        name: "tuple_flat_divide",
        meaning: "f after g and the complement of g, side by side",
        notes: "the codomain of g must be the domain of f, and g may send no entry to the basepoint",
        forms: &[form!(_; f: TupleMorphism, g: TupleMorphism => answer(f.flat_divide(g)?))],
        lean: &["Razorgirl.Category.TupleMorphism.flatDivide"],
        example: (&["(2,6)->(5,6,2) by (0,2)", "(6)->(2,6) by (2)"], "(6,2)->(5,6,2) by (2,0)"),
        ..Op::PLAIN
    },
    Op {
        name: "tuple_flat_product",
        meaning: "f, and g into the complement of f, side by side",
        notes: "f may send no entry to the basepoint, and the codomain of g must be the entries of the codomain of f that are not images",
        forms: &[form!(_; f: TupleMorphism, g: TupleMorphism => answer(f.flat_product(g)?))],
        lean: &["Razorgirl.Category.TupleMorphism.flatProduct"],
        example: (&["(2)->(3,2,5) by (2)", "(5)->(3,5) by (2)"], "(2,5)->(3,2,5) by (2,3)"),
        ..Op::PLAIN
    },
    Op {
        name: "tuple_predicates",
        meaning: "the properties of f, and the products of its domain and codomain",
        forms: &[form!(_; f: TupleMorphism => answer(Output::Named(vec![
            ("is_sorted", f.is_sorted().into()),
            ("is_coalesced", f.is_coalesced().into()),
            ("is_complementable", f.is_complementable().into()),
            ("is_isomorphism", f.is_isomorphism().into()),
            ("size", f.size().into()),
            ("cosize", f.cosize().into()),
        ])))],
        lean: &[
            "Razorgirl.Category.TupleMorphism.isSorted",
            "Razorgirl.Category.TupleMorphism.isCoalesced",
            "Razorgirl.Category.TupleMorphism.isComplementable",
            "Razorgirl.Category.TupleMorphism.isIsomorphism",
        ],
        example: (
            &["(2,3)->(3,2) by (2,1)"],
            "is_sorted false, is_coalesced true, is_complementable true, is_isomorphism true, size 6, cosize 6",
        ),
        ..Op::PLAIN
    },
    Op {
        name: "tuple_restrict",
        meaning: "f, with only the entries of the domain at these places",
        notes: "places are counted from 1 and must increase",
        forms: &[form!(_; f: TupleMorphism, indices: Places => answer(f.restrict(indices)?))],
        lean: &["Razorgirl.Category.TupleMorphism.restrict"],
        example: (&["(2,3,5)->(5,2) by (2,0,1)", "(1,3)"], "(2,5)->(5,2) by (2,1)"),
        ..Op::PLAIN
    },
    Op {
        name: "tuple_sort",
        meaning: "f with its domain sorted: entries that go to the basepoint by size, then the others by their images",
        forms: &[form!(_; f: TupleMorphism => answer(f.sort()))],
        lean: &["Razorgirl.Category.TupleMorphism.sort"],
        example: (&["(2,7,3,5)->(5,2) by (2,0,0,1)"], "(3,7,5,2)->(5,2) by (0,0,1,2)"),
        ..Op::PLAIN
    },
    Op {
        name: "tuple_squeeze",
        meaning: "f without the entries of 1",
        forms: &[form!(_; f: TupleMorphism => answer(f.squeeze()))],
        lean: &["Razorgirl.Category.TupleMorphism.squeeze"],
        example: (&["(1,2,3)->(1,3) by (1,0,2)"], "(2,3)->(3) by (0,1)"),
        ..Op::PLAIN
    },
    Op {
        name: "tuple_strong_coalesce",
        meaning: "as `tuple_coalesce`; adjacent entries of the codomain that are not images are merged too",
        forms: &[form!(_; f: TupleMorphism => answer(f.strong_coalesce()))],
        lean: &["Razorgirl.Category.TupleMorphism.strongCoalesce"],
        example: (&["(4)->(2,3,4,5,6) by (3)"], "(4)->(6,4,30) by (2)"),
        ..Op::PLAIN
    },
    Op {
        name: "tuple_sum",
        meaning: "f and g side by side, into their codomains side by side",
        forms: &[form!(_; f: TupleMorphism, g: TupleMorphism => answer(f.sum(g)?))],
        lean: &["Razorgirl.Category.TupleMorphism.sum"],
        example: (&["(2,3)->(3) by (0,1)", "(5)->(5) by (1)"], "(2,3,5)->(3,5) by (0,1,2)"),
        ..Op::PLAIN
    },
];
