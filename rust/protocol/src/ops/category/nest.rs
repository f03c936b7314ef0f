//! Morphisms of nested tuples: the operations of chapter 3.2 of Categorical Foundations.

use crate::ops::answer;
use crate::table::{Op, form};
use razorgirl::category::{NestMorphism, weak_composite};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "encoded_layout_nest",
        meaning: "the layout that f encodes, in the nesting of the domain",
        forms: &[form!(_; f: NestMorphism => answer(f.encoded_layout()))],
        lean: &["Razorgirl.Category.NestMorphism.encodedLayout"],
        example: (&["((2,2),5)->(2,(5,2)) by (3,0,2)"], "((2,2),5):((10,0),2)"),
        ..Op::PLAIN
    },
    Op {
        name: "nest_coalesce",
        meaning: "f coalesced: flat; if one entry remains, the domain is that integer, and if none remains, 1",
        forms: &[form!(_; f: NestMorphism => answer(f.coalesce()?))],
        lean: &["Razorgirl.Category.NestMorphism.coalesce"],
        example: (&["((2,3),1)->((2,3)) by (1,2,0)"], "6->(6) by (1)"),
        ..Op::PLAIN
    },
    Op {
        name: "nest_complement",
        meaning: "the entries of the codomain that are not images, as a flat tuple",
        notes: "no entry may go to the basepoint",
        forms: &[form!(_; f: NestMorphism => answer(f.complement()?))],
        lean: &["Razorgirl.Category.NestMorphism.complement"],
        example: (&["2->(3,(2,5)) by (2)"], "(3,5)->(3,(2,5)) by (1,3)"),
        ..Op::PLAIN
    },
    Op {
        name: "nest_compose",
        meaning: "g after f",
        notes: "the codomain of f must be the domain of g, including its nesting",
        forms: &[form!(_; f: NestMorphism, g: NestMorphism => answer(f.compose(g)?))],
        lean: &["Razorgirl.Category.NestMorphism.comp"],
        example: (&["(2,3)->(3,2) by (2,1)", "(3,2)->((2),3) by (2,1)"], "(2,3)->((2),3) by (1,2)"),
        ..Op::PLAIN
    },
    Op {
        name: "nest_concat",
        meaning: "f and g as the two modes of one morphism into the codomain of both",
        notes: "their images must be disjoint",
        forms: &[form!(_; f: NestMorphism, g: NestMorphism => answer(f.concat(g)?))],
        lean: &["Razorgirl.Category.NestMorphism.concat"],
        example: (&["2->(3,(2,5)) by (2)", "(3,5)->(3,(2,5)) by (1,3)"], "(2,(3,5))->(3,(2,5)) by (2,1,3)"),
        ..Op::PLAIN
    },
    Op {
        name: "nest_logical_divide",
        meaning: "f after g and the complement of g, as two modes",
        notes: "the codomain of g must be the domain of f, and g may send no entry to the basepoint",
        forms: &[form!(_; f: NestMorphism, g: NestMorphism => answer(f.logical_divide(g)?))],
        lean: &["Razorgirl.Category.NestMorphism.logicalDivide"],
        example: (&["(8,3)->(8) by (1,0)", "3->(8,3) by (2)"], "(3,(8))->(8) by (0,1)"),
        ..Op::PLAIN
    },
    Op {
        name: "nest_logical_product",
        meaning: "f, and g into the complement of f, as two modes",
        notes: "f may send no entry to the basepoint, and the codomain of g must be the entries of the codomain of f that are not images",
        forms: &[form!(_; f: NestMorphism, g: NestMorphism => answer(f.logical_product(g)?))],
        lean: &["Razorgirl.Category.NestMorphism.logicalProduct"],
        example: (&["2->(3,2,5) by (2)", "5->(3,5) by (2)"], "(2,5)->(3,2,5) by (2,3)"),
        ..Op::PLAIN
    },
    Op {
        name: "nest_pullback",
        meaning: "f along a refinement of its codomain: each entry of the domain becomes the tuple that refines its image",
        notes: "the layout of the result is the same function",
        forms: &[form!(_; f: NestMorphism, Tprime: Shape => answer(f.pullback(Tprime)?))],
        lean: &["Razorgirl.Category.NestMorphism.pullback"],
        example: (&["(7,9)->(24,9) by (0,2)", "((4,6),(3,3))"], "(7,(3,3))->((4,6),(3,3)) by (0,3,4)"),
        ..Op::PLAIN
    },
    Op {
        name: "nest_pushforward",
        meaning: "f along a refinement of its domain: each image becomes the tuple that refines its entry",
        notes: "the layout of the result is the same function",
        forms: &[form!(_; f: NestMorphism, Sprime: Shape => answer(f.pushforward(Sprime)?))],
        lean: &["Razorgirl.Category.NestMorphism.pushforward"],
        example: (&["(6,5)->(7,6) by (2,0)", "((2,3),(5,1))"], "((2,3),(5,1))->(7,(2,3)) by (2,3,0,0)"),
        ..Op::PLAIN
    },
    Op {
        name: "standard_representation_nest",
        meaning: "the morphism of standard form, into a flat tuple, that encodes a tractable layout",
        notes: "strides of modes of extent 1 matter",
        forms: &[form!(_; L: Written => answer(NestMorphism::standard_representation(L)?))],
        lean: &["Razorgirl.Category.standardRepresentationNest"],
        example: (&["((2,2),5):((10,0),2)"], "((2,2),5)->(2,5,2) by (3,0,2)"),
        ..Op::PLAIN
    },
    Op {
        name: "weak_composite",
        meaning: "a morphism whose layout is (layout of g) ∘ (layout of f), by a mutual refinement of the codomain of f and the domain \
                of g",
        notes: "g is not coalesced first",
        forms: &[form!(_; f: NestMorphism, g: NestMorphism => answer(weak_composite(f, g)?))],
        lean: &["Razorgirl.Category.weakComposite"],
        example: (&["(6,6)->(6,6) by (2,1)", "(12,3,6)->(12,6,3) by (1,3,2)"], "((2,3),6)->((6,2),6,3) by (2,4,1)"),
        ..Op::PLAIN
    },
];
