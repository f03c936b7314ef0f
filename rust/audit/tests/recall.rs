//! Mutants of correct code, rule by rule: each is judged as this file's own arithmetic has it, so that what is missed and what is said without
//! reason both fail.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

fn codes(name: &str, text: &str) -> Vec<Code> {
    let sources = Sources { files: vec![Source::new(name, text.into())], unreadable: vec![] };
    audit_sources(sources, None).findings.into_iter().map(|finding| finding.code).collect()
}

/// Mutants that must be found and that must not, counted.
#[derive(Default)]
struct Tally {
    wrong: usize,
    right: usize,
    missed: Vec<String>,
    unfounded: Vec<String>,
}

impl Tally {
    fn judge(&mut self, name: &str, text: &str, code: Code, wrong: bool) {
        if wrong {
            self.wrong += 1;
        } else {
            self.right += 1;
        }
        match (codes(name, text).contains(&code), wrong) {
            (false, true) => self.missed.push(text.to_owned()),
            (true, false) => self.unfounded.push(text.to_owned()),
            _ => {}
        }
    }

    fn cpp(&mut self, text: &str, code: Code, wrong: bool) {
        self.judge("kernel.cu", text, code, wrong);
    }

    fn python(&mut self, text: &str, code: Code, wrong: bool) {
        let head = "import cutlass.cute as cute\nfrom triton.experimental.gluon import language as gl\n";
        self.judge("kernel.py", &format!("{head}{text}\n"), code, wrong);
    }

    /// All were judged right, and there were enough of both.
    fn end(self, wrong: usize, right: usize) {
        let (missed, unfounded) = (self.missed.len(), self.unfounded.len());
        assert!(missed == 0, "{missed} of {} missed: {:#?}", self.wrong, self.missed);
        assert!(unfounded == 0, "{unfounded} of {} without reason: {:#?}", self.right, self.unfounded);
        assert!(self.wrong >= wrong && self.right >= right, "{} wrong, {} right", self.wrong, self.right);
    }
}

/// Modes of extent and stride.
type Modes = [(u64, u64)];

/// An outer and an inner layout.
type Pair = (Vec<(u64, u64)>, [(u64, u64); 2]);

fn size(modes: &Modes) -> u64 {
    modes.iter().map(|(extent, _)| extent).product()
}

/// The offset of an index, the first mode fastest.
fn at(modes: &Modes, mut index: u64) -> u64 {
    let mut sum = 0;
    for (place, (extent, stride)) in modes.iter().enumerate() {
        // The last mode goes on.
        let coordinate = if place + 1 == modes.len() { index } else { index % extent };
        sum += coordinate * stride;
        index /= extent;
    }
    sum
}

fn offsets(modes: &Modes) -> Vec<u64> {
    (0..size(modes)).map(|index| at(modes, index)).collect()
}

fn span(modes: &Modes) -> u64 {
    offsets(modes).into_iter().max().unwrap() + 1
}

fn cpp(modes: &Modes) -> String {
    let list = |part: fn(&(u64, u64)) -> u64| {
        modes.iter().map(|mode| format!("Int<{}>", part(mode))).collect::<Vec<_>>().join(",")
    };
    format!("Layout<Shape<{}>,Stride<{}>>", list(|mode| mode.0), list(|mode| mode.1))
}

fn python(modes: &Modes) -> String {
    let list = |part: fn(&(u64, u64)) -> u64| modes.iter().map(|mode| part(mode).to_string() + ",").collect::<String>();
    format!("cute.make_layout(({}), stride=({}))", list(|mode| mode.0), list(|mode| mode.1))
}

#[test]
fn rg011_arrays_around_the_span_of_a_layout() {
    let mut tally = Tally::default();
    for (rows, columns) in [(8, 64), (16, 32), (4, 24)] {
        for padding in [0, 1, 4, 8] {
            let modes = [(rows, columns + padding), (columns, 1)];
            let spans = span(&modes);
            for extent in [spans - 8, spans - 1, spans, spans + 1, rows * columns, rows * (columns + padding)] {
                for (array, pointer) in [
                    (format!("__shared__ half_t smem[{extent}];"), "smem"),
                    (format!("struct S {{ array_aligned<half_t, {extent}> a; }}; __shared__ S s;"), "s.a.data()"),
                ] {
                    let text = format!(
                        "__global__ void kernel() {{ {array} Tensor t = make_tensor(make_smem_ptr({pointer}), {}{{}}); }}",
                        cpp(&modes)
                    );
                    tally.cpp(&text, Code::SmallArray, extent < spans);
                }
            }
        }
    }
    tally.end(60, 60);
}

#[test]
fn rg012_arrays_of_size_for_each_stride() {
    let mut tally = Tally::default();
    for (rows, columns) in [(8, 16), (4, 4), (3, 5), (1, 8), (8, 1)] {
        for stride in [1, 2, columns - 1, columns, columns + 1, 2 * columns].into_iter().filter(|stride| *stride > 0) {
            let modes = [(rows, stride), (columns, 1)];
            let text = format!(
                "using L = {}; struct Storage {{ array_aligned<half_t, size(L{{}})> smem; }};\n\
                 template <class S> void f(S* s) {{ auto t = make_tensor(make_smem_ptr(s->smem.data()), L{{}}); }}",
                cpp(&modes)
            );
            tally.cpp(&text, Code::SizedArray, span(&modes) > size(&modes));
        }
    }
    tally.end(7, 15);
}

/// CuTe's composition of coalesced layouts of constants, as `composition_impl` in CUTLASS 4.2 has it; none where it asserts. CuTe DSL 4.8.1
/// answers and refuses alike: all 606 of [`compositions`] were run, of which it refuses 257 and answers 108 with other values.
fn cute_composition(outer: &Modes, inner: &Modes) -> Option<Vec<Vec<(u64, u64)>>> {
    let one = |(extent, stride): (u64, u64)| {
        let (mut rest, mut step) = (extent, stride);
        let mut made = Vec::new();
        let (last, before) = outer.split_last()?;
        for (shape, own) in before {
            if step % shape != 0 && step >= *shape {
                return None;
            }
            let (next_shape, next_step) = (shape.div_ceil(step), step.div_ceil(*shape));
            if next_shape != 1 && rest != 1 {
                let taken = next_shape.min(rest);
                if rest % taken != 0 {
                    return None;
                }
                made.push((taken, step * own));
                rest /= taken;
            }
            step = next_step;
        }
        if made.is_empty() || rest != 1 {
            made.push((rest, step * last.1));
        }
        Some(made)
    };
    inner.iter().map(|mode| one(*mode)).collect()
}

/// Whether CuTe answers, and with another layout.
fn cute_is_wrong(outer: &Modes, inner: &Modes) -> bool {
    let value = |made: &[Vec<(u64, u64)>], mut index: u64| {
        let coordinates = made.iter().zip(inner).map(|(made, (extent, _))| {
            let coordinate = index % extent;
            index /= extent;
            at(made, coordinate)
        });
        coordinates.sum::<u64>()
    };
    cute_composition(outer, inner)
        .is_some_and(|made| (0..size(inner)).any(|index| value(&made, index) != at(outer, at(inner, index))))
}

/// Outer layouts that no two modes of which can be merged, and inner ones, of which every stride and extent is tried.
fn compositions() -> Vec<Pair> {
    let outers: [&Modes; 4] = [&[(6, 1), (4, 7)], &[(8, 4), (4, 1)], &[(4, 2), (6, 16)], &[(4, 1), (3, 5), (2, 100)]];
    let mut all = Vec::new();
    for outer in outers {
        for extents in [(2, 2), (3, 2), (2, 3), (4, 2)] {
            for first in [1, 2, 3, 4, 6, 8] {
                for second in [1, 2, 3, 4, 6, 8, 12] {
                    let inner = [(extents.0, first), (extents.1, second)];
                    // Beyond the outer layout CuTe lets its last mode go on, which is no defect.
                    if span(&inner) <= size(outer) {
                        all.push((outer.to_vec(), inner));
                    }
                }
            }
        }
    }
    all
}

#[test]
fn rg013_compositions_of_every_stride() {
    let mut tally = Tally::default();
    for (outer, inner) in compositions() {
        let text = format!("using R = decltype(composition({}{{}}, {}{{}}));", cpp(&outer), cpp(&inner));
        let wrong = cute_is_wrong(&outer, &inner);
        tally.cpp(&text, Code::Composed, wrong);
    }
    tally.end(40, 100);
}

#[test]
fn rg013_in_python_of_every_stride() {
    let mut tally = Tally::default();
    for (outer, inner) in compositions() {
        let text = format!("x = cute.composition({}, {})", python(&outer), python(&inner));
        tally.python(&text, Code::Composed, cute_is_wrong(&outer, &inner));
    }
    tally.end(40, 100);
}

#[test]
fn rg014_alignments_of_every_type() {
    let mut tally = Tally::default();
    for ty in ["uint128_t", "cute::uint128_t", "float4", "T", "typename Traits::Vec", "int", "Vec<T, 4>"] {
        for (bits, wrong) in [
            (format!("sizeof({ty})"), true),
            (format!(" sizeof( {ty} ) "), true),
            (format!("8 * sizeof({ty})"), false),
            (format!("sizeof({ty}) * 8"), false),
            (format!("sizeof_bits_v<{ty}>"), false),
            (format!("sizeof({ty}) << 3"), false),
        ] {
            let atom = format!("AutoVectorizingCopyWithAssumedAlignment<{bits}>");
            tally.cpp(&format!("using C = Copy_Atom<{atom}, half_t>;"), Code::AlignmentInBytes, wrong);
            tally.cpp(&format!("void f() {{ copy({atom}{{}}, a, b); }}"), Code::AlignmentInBytes, wrong);
        }
    }
    tally.end(28, 56);
}

#[test]
fn rg018_threads_of_every_stride() {
    let mut tally = Tally::default();
    for (rows, columns) in [(32, 8), (4, 4), (2, 3)] {
        for down in [1, 2, 3, 4, 8, 16, rows, columns] {
            for across in [1, 2, 3, 4, 8, 32, rows, columns] {
                let modes = [(rows, down), (columns, across)];
                // Where strides take digits of the thread's number, threads of a larger block share parts.
                let [low, high] = if down <= across { modes } else { [modes[1], modes[0]] };
                let digits = high.1 % (low.0 * low.1) == 0 && high.0 * high.1 <= 1024;
                let text = format!("void f() {{ auto t = local_partition(sA, {}{{}}, threadIdx.x); }}", cpp(&modes));
                tally.cpp(&text, Code::LocalPartition, !digits);
            }
        }
    }
    tally.end(100, 6);
}

#[test]
fn rg019_every_alignment() {
    let mut tally = Tally::default();
    for atom in
        ["GMMA::Layout_K_SW128_Atom<half_t>", "GMMA::Layout_MN_SW64_Atom<float>", "UMMA::Layout_K_SW32_Atom<int8_t>"]
    {
        for bytes in [1, 2, 4, 8, 16, 32, 64, 127, 128, 256, 512, 1024] {
            for array in [
                format!("alignas({bytes}) array_aligned<half_t, cosize_v<L>> smem;"),
                format!("cute::array_aligned<half_t, cute::cosize_v<L>, {bytes}> smem;"),
                format!("alignas(16) cute::array_aligned<half_t, cute::cosize_v<L>, {bytes}> smem;"),
            ] {
                let text = format!("using L = {atom}; struct Storage {{ {array} }};");
                tally.cpp(&text, Code::Misaligned, bytes < 128);
            }
        }
    }
    tally.end(70, 36);
}

#[test]
fn rg023_every_swizzle() {
    let mut tally = Tally::default();
    for vec in 1..=9_u64 {
        for per_phase in 1..=5 {
            for max_phase in 1..=9 {
                let written = |row: u64| vec * (row / per_phase % max_phase);
                // Rows 1, 2, 4, … by the formula, and the others by exclusive or of those.
                let made =
                    |row: u64| (0..10).filter(|bit| row >> bit & 1 == 1).fold(0, |sum, bit| sum ^ written(1 << bit));
                let wrong = (0..1024).any(|row| written(row) != made(row));
                let text = format!("x = gl.SwizzledSharedLayout({vec}, {per_phase}, {max_phase}, order=[1, 0])");
                tally.python(&text, Code::GluonSwizzle, wrong);
            }
        }
    }
    tally.end(200, 50);
}

#[test]
fn rg029_every_swizzle() {
    let mut tally = Tally::default();
    for bits in 0..5_i64 {
        for base in [0, 3, 4] {
            for shift in -4..=4_i64 {
                let text = format!("x = cute.make_swizzle({bits}, {base}, {shift})");
                tally.python(&text, Code::SwizzleDropped, shift.abs() < bits);
            }
        }
    }
    tally.end(40, 40);
}
