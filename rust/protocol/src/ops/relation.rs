//! Layouts as integer set relations, pair by pair.

use razorgirl::relation::{IndexCode, Language, Relation};

use crate::answer::Output;
use crate::kind::{Mapping, ShapeOrStride};
use crate::ops::answer;
use crate::table::{Op, form};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "index_code",
        meaning: "the offset at a linear index c as C, CUDA or Python computes it, in unsigned integers",
        notes: "`\"code\"` a function `offset` of c; `\"expression\"` what it returns, `null` where a swizzle needs a statement before \
                it; `\"bits\"` of its integers, 32 or 64; `\"operations\"` its operators, never more than `\"plain_operations\"`, those \
                of the sum of (c / P) % s * d over the modes of the coalesced layout and three for a swizzle, without those that change \
                nothing; divisions by powers of two are shifts and masks",
        forms: &[form!(_; layout: Swizzled, language: Language => {
            answer(index_code(&IndexCode::of_swizzled(layout)?, *language))
        })],
        lean: &["Razorgirl.FlatLayout.codeExpr", "Razorgirl.SwizzledLayout.relation"],
        example: (
            &["(32,32):(1,33)", "c"],
            "code static inline uint32_t offset(uint32_t c) { return c + (c >> 5); }, expression c + (c >> 5), bits 32, operations 2, \
             plain_operations 4",
        ),
        ..Op::PLAIN
    },
    Op {
        name: "relation_of",
        meaning: "the relation of a layout: the pairs of linear index and offset",
        notes: "`\"isl\"` in isl's notation; `\"graph\"` all pairs in lexicographic order, at most 2^16, tuples always as lists; \
                `\"least_preimages\"` each image with the least input that has it, the first coordinate being the fastest; `\"gaps\"` the \
                numbers up to the largest image that are none, `null` where an image is not one number from 0 and below 2^16; of a \
                linear layout the points of its outputs that are none, as lists, `null` for more than 2^16 points or 2^20 numbers in \
                them",
        forms: &[form!(_; relation: Relation => {
            let listed = relation.listed()?;
            let gaps = match relation {
                Mapping::Linear(layout) => layout.gaps().map_or(Output::None, Output::Tuples),
                _ => gaps(&listed),
            };
            answer(described(&listed, gaps, None))
        })],
        lean: &[
            "Razorgirl.Layout.relation",
            "Razorgirl.SwizzledLayout.relation",
            "Razorgirl.Relation.leastPreimages",
            "Razorgirl.Relation.gaps",
            "Razorgirl.LinearLayout.pointGaps",
        ],
        example: (
            &["(2,2):(3,1)"],
            "isl { [c] -> [3*(c mod 2) + floor((c)/2)] : 0 <= c < 4 }, graph [[[0],[0]],[[1],[3]],[[2],[1]],[[3],[4]]], \
             least_preimages [[[0],[0]],[[1],[2]],[[3],[1]],[[4],[3]]], gaps (2)",
        ),
        ..Op::PLAIN
    },
    Op {
        name: "relation_compose",
        meaning: "the relation g ∘ f, and whether an image of f is outside the domain of g",
        notes: "as `relation_of`, and `\"promotes\"`: where an image of f is no input of g there is no pair, and CuTe's composition lets \
                the last mode of g grow",
        forms: &[form!(_; g: Relation, f: Relation => {
            let (g, f) = (g.listed()?, f.listed()?);
            let composite = g.after(&f)?;
            answer(described(&composite, gaps(&composite), Some(g.promotes(&f))))
        })],
        lean: &["Razorgirl.Relation.after", "Razorgirl.Relation.promotes"],
        example: (
            &["(2,1):(1,80)", "(2,2):(2,1)"],
            "isl { [0] -> [0]; [2] -> [1] }, graph [[[0],[0]],[[2],[1]]], least_preimages [[[0],[0]],[[1],[2]]], gaps (), promotes true",
        ),
        ..Op::PLAIN
    },
    Op {
        name: "relation_inverse",
        meaning: "the inverse relation: from offset to linear index",
        notes: "as `relation_of`",
        forms: &[form!(_; relation: Relation => {
            let inverse = relation.listed()?.inverse();
            answer(described(&inverse, gaps(&inverse), None))
        })],
        lean: &["Razorgirl.Relation.inverse"],
        example: (
            &["2:3"],
            "isl { [0] -> [0]; [3] -> [1] }, graph [[[0],[0]],[[3],[1]]], least_preimages [[[0],[0]],[[1],[3]]], gaps ()",
        ),
        ..Op::PLAIN
    },
    Op {
        name: "layout_from_relation",
        meaning: "the layout of this shape, or with these strides, that has these pairs",
        notes: "`{\"shape\":S}` or `{\"stride\":D}`; of several shapes the lexicographically least is returned; a mode of \
                extent 1 has stride 0",
        forms: &[form!(_; relation: Relation, given: ShapeOrStride => {
            let relation = relation.listed()?;
            answer(match given {
                ShapeOrStride::Shape(shape) => relation.with_shape(shape)?,
                ShapeOrStride::Stride(stride) => relation.with_stride(stride)?,
            })
        })],
        lean: &["Razorgirl.FlatLayout.fromShape", "Razorgirl.FlatLayout.fromStride"],
        example: (&["8:1", "stride (1,2,4)"], "(2,2,2):(1,2,4)"),
        ..Op::PLAIN
    },
];

/// Index code as `index_code` answers it.
#[must_use]
pub fn index_code(code: &IndexCode, language: Language) -> Output {
    let number = |n: usize| Output::Natural(n as u64);
    Output::Named(vec![
        ("code", Output::Text(code.function(language, "offset"))),
        ("expression", code.expression(language).map_or(Output::None, Output::Text)),
        ("bits", Output::Natural(code.bits().into())),
        ("operations", number(code.operations())),
        ("plain_operations", number(code.plain_operations())),
    ])
}

fn gaps(relation: &Relation) -> Output {
    relation.gaps().map_or(Output::None, Output::Integers)
}

fn described(relation: &Relation, gaps: Output, promotes: Option<bool>) -> Output {
    let mut fields = vec![
        ("isl", Output::Text(relation.isl())),
        ("graph", Output::Relation(relation.clone())),
        ("least_preimages", Output::Relation(relation.least_preimages())),
        ("gaps", gaps),
    ];
    fields.extend(promotes.map(|promotes| ("promotes", Output::Truth(promotes))));
    Output::Named(fields)
}
