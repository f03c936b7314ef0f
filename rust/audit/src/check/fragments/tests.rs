//! The table against the manual's formulas, written anew, and against the encodings that Triton has of the same instructions.

use std::collections::BTreeSet;

use razorgirl::linear_layout::LinearLayout;
use razorgirl::linear_layout::encodings::{MmaVersion, dot_mma, mma_v2, mma_v3};

use super::*;

/// Every fragment with its shape; those that hold for all N or K once for each.
fn fragments() -> Vec<(Instruction, Matrix, Registers)> {
    let mut found = Vec::new();
    let mut put = |unit, shape, bits, kinds| {
        let instruction = Instruction { unit, shape, bits, kinds, a_in_registers: true };
        for matrix in Matrix::ALL {
            if let Fragment::Registers(registers) = instruction.fragment(matrix) {
                found.push((instruction, matrix, *registers));
            }
        }
    };
    for kinds in [[Kind::Row, Kind::Row, Half], [Column, Column, Single]] {
        put(QuadPair, [8, 8, 4], 16, kinds);
    }
    for row in &ROWS {
        if row.unit == Warp && row.matrix == A {
            put(Warp, row.shape, row.bits, [Only; 3]);
        }
        if row.unit == Warpgroup && row.matrix == A {
            for n in (8..=256).step_by(8) {
                put(Warpgroup, [64, n, row.shape[2]], row.bits, [Only; 3]);
            }
        }
    }
    found
}

fn extents(instruction: &Instruction, matrix: Matrix) -> (u64, u64) {
    let [m, n, k] = instruction.shape;
    match matrix {
        A => (m, k),
        B => (n, k),
        C => (m, n),
    }
}

#[test]
fn every_row_is_used() {
    let used: BTreeSet<String> =
        fragments().iter().map(|(one, matrix, all)| format!("{:?}{matrix:?}{}", one.unit, all.layout)).collect();
    for row in &ROWS {
        let layout = row.layout.replace("N/8", "1");
        let layout: Layout = layout.parse().unwrap();
        assert!(used.contains(&format!("{:?}{:?}{layout}", row.unit, row.matrix)), "{row:?}");
    }
}

#[test]
fn each_element_is_in_one_register() {
    for (instruction, matrix, registers) in fragments() {
        let (rows, columns) = extents(&instruction, matrix);
        let mut elements: Vec<u64> = registers.held().unwrap().into_iter().flatten().flatten().collect();
        elements.sort_unstable();
        assert!(elements.iter().copied().eq(0..rows * columns), "{instruction:?} {matrix:?}");
    }
}

/// The manual's formulas, by which every `mma` from m8n8k4 of f64 on and every `wgmma` goes: groupID is the lane over 4,
/// `threadID_in_group` the rest, and an element of b bits is one of 32/b in its register.
fn by_formula(instruction: &Instruction, matrix: Matrix, lane: u64, value: u64) -> (u64, u64) {
    let (warp, group, thread) = (lane / 32, lane % 32 / 4, lane % 4);
    let packed = if matrix == C { 2 } else { (32 / instruction.bits).max(1) };
    let (within, register) = (value % packed, value / packed);
    let halves = if instruction.shape[0] == 8 || matrix == B { 1 } else { 2 };
    let (half, step) = (register % halves, register / halves);
    let row = 16 * warp + group + 8 * half;
    let column = packed * thread + within + 4 * packed * step;
    (row, column)
}

#[test]
fn the_table_is_what_the_formulas_say() {
    let mut seen = 0;
    for (instruction, matrix, registers) in fragments() {
        if instruction.unit == QuadPair {
            continue;
        }
        let rows = extents(&instruction, matrix).0;
        for (lane, values) in (0_u64..).zip(registers.held().unwrap()) {
            for (value, element) in (0_u64..).zip(values.into_iter().flatten()) {
                let wanted = by_formula(&instruction, matrix, lane, value);
                assert_eq!((element % rows, element / rows), wanted, "{instruction:?} {matrix:?} {lane} {value}");
                seen += 1;
            }
        }
    }
    assert!(seen > 100_000, "{seen}");
}

/// `mma.m8n8k4` of f16, as the manual prints it: by the lane, of which bit 4 tells the quads of a pair apart.
#[test]
fn quad_pairs_are_what_the_formulas_say() {
    let pair =
        |a, b, c| Instruction { unit: QuadPair, shape: [8, 8, 4], bits: 16, kinds: [a, b, c], a_in_registers: true };
    let held = |instruction: Instruction, matrix| match instruction.fragment(matrix) {
        Fragment::Registers(registers) => registers.held().unwrap(),
        other => panic!("{other:?}"),
    };
    let row_major = pair(Kind::Row, Kind::Row, Half);
    let column_major = pair(Column, Column, Single);
    for lane in [0, 1, 2, 3, 16, 17, 18, 19_u64] {
        let at = usize::try_from(lane).unwrap();
        let (quad, high) = (lane % 4, if lane < 16 { 0 } else { 4 });
        for i in 0..4 {
            let element = |all: Held, rows: u64| {
                let element = all[at].as_ref().unwrap()[usize::try_from(i).unwrap()];
                (element % rows, element / rows)
            };
            assert_eq!(element(held(row_major, A), 8), (quad + high, i));
            assert_eq!(element(held(column_major, A), 8), (i + high, quad));
            // B is (n, k) here and (k, n) there.
            assert_eq!(element(held(row_major, B), 8), (i + high, quad));
            assert_eq!(element(held(column_major, B), 8), (quad + high, i));
        }
        for i in 0..8 {
            let element = |all: Held| {
                let element = all[at].as_ref().unwrap()[usize::try_from(i).unwrap()];
                (element % 8, element / 8)
            };
            assert_eq!(element(held(row_major, C)), (quad + high, i));
            assert_eq!(element(held(column_major, C)), ((lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1)));
        }
    }
    assert!(held(row_major, A)[4].is_none());
}

type Held = Vec<Option<Vec<u64>>>;

/// Triton's encodings, which know nothing of this table. They have no m8n8k4 of f16.
#[test]
fn the_table_is_what_triton_says() {
    let mut seen = 0;
    for (instruction, matrix, registers) in fragments() {
        let [m, n, k] = instruction.shape;
        if instruction.unit == QuadPair || !n.is_power_of_two() {
            continue;
        }
        let width = (32 / instruction.bits).max(1);
        let layout: LinearLayout = match (instruction.unit, matrix) {
            (Warpgroup, A) => dot_mma(MmaVersion::V3, 0, width, &[4, 1], &[16, n, k], &[m, k]),
            (Warpgroup, _) => mma_v3(&[4, 1], &[16, n, 16], &[m, n]),
            (_, A) => dot_mma(MmaVersion::V2, 0, width, &[1, 1], &[m, n], &[m, k]),
            (_, B) => dot_mma(MmaVersion::V2, 1, width, &[1, 1], &[m, n], &[k, n]),
            (_, C) => mma_v2(&[1, 1], &[m, n], &[m, n]),
        }
        .unwrap();
        let rows = extents(&instruction, matrix).0;
        for (lane, values) in (0_u64..).zip(registers.held().unwrap()) {
            for (value, element) in (0_u64..).zip(values.into_iter().flatten()) {
                let point = [("register", value), ("lane", lane % 32), ("warp", lane / 32), ("block", 0)];
                let image = layout.apply(&point).unwrap();
                // B is (k, n) there.
                let pair = if matrix == B { (image[1].1, image[0].1) } else { (image[0].1, image[1].1) };
                assert_eq!((element % rows, element / rows), pair, "{instruction:?} {matrix:?} {lane} {value}");
                seen += 1;
            }
        }
    }
    assert!(seen > 50_000, "{seen}");
}

/// The misprint: as it is printed, the formula of A of m16n8k256 leaves elements out.
#[test]
fn the_manual_misprints_one_formula() {
    let element = |mask: u64| {
        let mut hit = BTreeSet::new();
        for (lane, i) in (0..32_u64).flat_map(|lane| (0..128_u64).map(move |i| (lane, i))) {
            let row = lane / 4 + if i / 32 % 2 == 1 { 8 } else { 0 };
            let column = lane % 4 * 32 + if i < 64 { i & mask } else { (i & 0x1F) + 128 };
            hit.insert((row, column));
        }
        hit.len()
    };
    assert_eq!((element(u64::MAX), element(0x1F)), (3_840, 4_096));
}

#[test]
fn operations_are_known_by_name() {
    let of = |name: &str| Instruction::of(&format!("MMA_Traits<{name}>")).map(|one| (one.unit, one.shape, one.bits));
    assert_eq!(of("SM80_16x8x16_F32BF16BF16F32_TN"), Some((Warp, [16, 8, 16], 16)));
    assert_eq!(of("cute::SM80_16x8x256_S32U1U1S32_TN_XORPOPC"), Some((Warp, [16, 8, 256], 1)));
    assert_eq!(of("SM90_64x96x16_F32F16F16_RS<tnspA, tnspB, scaleA, scaleB>"), Some((Warpgroup, [64, 96, 16], 16)));
    assert_eq!(of("SM90::GMMA::MMA_64x8x32_F32E4M3E5M2_SS_TN<a, b>"), Some((Warpgroup, [64, 8, 32], 8)));
    assert_eq!(of("SM70_8x8x4_F32F16F16F32_NT"), Some((QuadPair, [8, 8, 4], 16)));
    assert_eq!(of("SM120_16x8x32_TN<a_type, b_type, c_type>"), Some((Warp, [16, 8, 32], 8)));
    assert_eq!(of("SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<a, b, c, sf, 32>"), Some((Warp, [16, 8, 64], 4)));
    for unknown in [
        "SM61_DP4A",
        "SM90::GMMA::SPARSE::GMMA_64x8x32_F16F16F16_SS<a, b>",
        "SM120::SPARSE::SM120_SPARSE_16x8x64_TN<a>",
        "SM100_MMA_F16BF16_SS<a, b, c, 64, 64>",
        "XE_8x16x16_F32BF16BF16F32_TT",
        "Toy_16x8x16",
        "SM80_16x8x16",
        "SM80_16x8x16_F32F16E4M3F32_TN",
        "SM80_16x8x16_F32F16F16F32_TN_COLUMNS",
        "SM80_16x8x16_F32F16F16F32_Shuffled_TN",
        "EMU_SM80_16x8x16_F32F16F16F32_TN",
        "SM75_16x8x16_F32F16F16F32_TN",
        "SM80_16x8x16_F32F16F16F32_NT",
        "",
    ] {
        assert_eq!(of(unknown), None, "{unknown}");
    }
}
