//! What is said of the DSL's instructions, and what the DSL itself answers: `tests/fixtures/dsl`.

use super::evaluate::{At, Evaluator};
use super::files::Files;
use super::tree::{Bound, MODULE};
use super::value::Value;
use super::*;

const BEGINS: &str = "import cutlass\nimport cutlass.cute as cute\nfrom cutlass.cute.nvgpu import warp, warpgroup, tcgen05\n\
                      from cutlass.cute.nvgpu import OperandMajorMode\nfrom cutlass.utils import LayoutEnum\n\
                      import cutlass.utils.hopper_helpers as sm90\nimport cutlass.utils.blackwell_helpers as sm100\n\
                      K = OperandMajorMode.K\n";

/// What names come to that are bound to expressions.
fn values(expressions: &[String]) -> Vec<Resolved<Value>> {
    let lines: Vec<String> = expressions.iter().enumerate().map(|(index, one)| format!("R{index} = {one}")).collect();
    let sources = [Source::new("a.py", format!("{BEGINS}{}\n", lines.join("\n")).into_bytes())];
    let files = Files::read(&sources);
    let calls = Calls::of(&files);
    let mut evaluator = Evaluator::new(&files, &calls);
    let at = At { module: 0, scope: MODULE, frame: None };
    let of = |index: usize| {
        let names = &files.modules[0].scope(MODULE).unwrap().names;
        let Bound::Value(value, _) = names.get(&format!("R{index}")).unwrap()[0].bound else { panic!("{index}") };
        evaluator.ask(value, &at)
    };
    (0..expressions.len()).map(of).collect()
}

/// A value as the DSL prints it, without spaces between numbers.
fn printed(value: &Value) -> String {
    let layout = |layout: &Constant| format!("{}:{}", layout.shape.tuple, layout.stride.tuple);
    match value {
        Value::Number(number, ..) => number.to_string(),
        Value::None => "None".to_owned(),
        Value::Layout(one) => layout(one),
        Value::Composed(of) => {
            let (bits, base, shift) = (of.swizzle.bits(), of.swizzle.base(), of.swizzle.shift());
            format!("S<{bits},{base},{shift}> o {} o {}", of.offset, layout(&of.layout))
        }
        Value::Library(path) => path.rsplit('.').next().unwrap().to_owned(),
        Value::Tuple(items) => format!("({})", items.all.iter().map(printed).collect::<Vec<_>>().join(",")),
        other => format!("{other:?}"),
    }
}

fn told(value: &Resolved<Value>) -> String {
    value.as_ref().map_or_else(|_| "!!".to_owned(), printed)
}

fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect()
}

#[test]
fn layouts_of_shared_memory_are_what_the_dsl_makes() {
    let all = rows(include_str!("../../tests/fixtures/dsl/shared_memory.tsv"));
    let expressions: Vec<String> = all.iter().map(|row| row[0].to_owned()).collect();
    assert!(expressions.len() > 250);
    let differ: Vec<_> = all
        .iter()
        .zip(values(&expressions))
        .map(|(row, value)| (row, told(&value)))
        .filter(|(row, told)| told != row[1])
        .collect();
    assert!(differ.is_empty(), "{differ:#?}");
}

#[test]
fn instructions_are_what_the_dsl_makes() {
    let all = rows(include_str!("../../tests/fixtures/dsl/instructions.tsv"));
    assert!(all.len() > 50);
    for row in all {
        let of = row[0];
        // The operation alone.
        let tiled = of.strip_prefix("cute.make_tiled_mma(");
        let operation = tiled.map(|rest| {
            let mut depth = 0_i32;
            let end = rest.find(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                c == ')' && depth == 0
            });
            format!("({}).sf_vec_size", &rest[..=end.unwrap()])
        });
        let mut expressions: Vec<String> = ["shape_mnk", "thr_id", "size", "thr_layout_vmnk", "permutation_mnk"]
            .map(|name| format!("({of}).{name}"))
            .into();
        let tiles = [0, 1, 2].map(|mode| format!("({of}).get_tile_size({mode})"));
        expressions.push(format!("({})", tiles.join(", ")));
        expressions.extend(operation);
        for (value, expected) in values(&expressions).iter().zip(&row[1..]) {
            assert_eq!(told(value), expected.replace('-', "!!"), "{of}");
        }
    }
}

/// What is nearly one of the DSL's instructions is none.
#[test]
fn what_the_dsl_refuses_is_no_instruction() {
    for expression in [
        "warp.MmaF16BF16Op(cutlass.BFloat16, cutlass.Float32, (16, 8, 32))",
        "warp.MmaF16BF16Op(cutlass.BFloat16, cutlass.Float32, (16, 16, 16))",
        "warpgroup.MmaF16BF16Op(cutlass.BFloat16, cutlass.Float32, (64, 128, 32), warpgroup.OperandSource.SMEM, K, K)",
        "warpgroup.MmaF16BF16Op(cutlass.BFloat16, cutlass.Float32, (128, 128, 16), warpgroup.OperandSource.SMEM, K, K)",
        "tcgen05.MmaF16BF16Op(cutlass.BFloat16, cutlass.Float32, (128, 64, 16), unknown, tcgen05.OperandSource.SMEM, K, K)",
        "tcgen05.MmaF16BF16Op(cutlass.BFloat16, cutlass.Float32, (128, 64), tcgen05.CtaGroup.ONE)",
        "sm100.make_trivial_tiled_mma(cutlass.BFloat16, cutlass.Float16, K, K, cutlass.Float32, tcgen05.CtaGroup.ONE, (128, 64))",
        "sm100.make_blockscaled_trivial_tiled_mma(cutlass.BFloat16, K, K, cutlass.Float8E4M3FN, 16, tcgen05.CtaGroup.ONE, (128, 64))",
        "sm90.get_smem_layout_atom(LayoutEnum.ROW_MAJOR, cutlass.BFloat16, 12)",
        "warpgroup.make_smem_layout_atom(tcgen05.SmemLayoutAtomKind.K_SW128, cutlass.BFloat16)",
        "warpgroup.make_smem_layout_atom(warpgroup.SmemLayoutAtomKind.K_SW128, unknown)",
        "cute.make_tiled_mma(warp.MmaTF32Op((16, 8, 8)), (2, 2))",
        "warp.MmaTF32Op((16, 8, 8)).sf_vec_size",
        "sm100.get_permutation_mnk((128, 128, 128), 8, False)",
    ] {
        assert!(values(&[expression.to_owned()])[0].is_err(), "{expression}");
    }
    let permutation = |text: &str| told(&values(&[text.to_owned()])[0]);
    assert_eq!(permutation("sm100.get_permutation_mnk((64, 128, 128), 16, False)"), "(64,(8,2,2):(1,16,8),64)");
    assert_eq!(permutation("sm100.get_permutation_mnk((256, 128, 128), 32, True)"), "(128,(8,2,2):(1,16,8),32)");
}
