//! Where arrays for swizzled layouts begin: distances in a class, and alignments of `__shared__` arrays, each judged by arithmetic here.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

fn codes(text: &str) -> Vec<Code> {
    let sources = Sources { files: vec![Source::new("kernel.cuh", text.into())], unreadable: vec![] };
    audit_sources(sources, None).findings.into_iter().map(|finding| finding.code).collect()
}

/// Atoms, after how many bytes each repeats, and how many elements of two bytes a tile of 64 rows of one has.
const ATOMS: [(&str, u64, u64); 3] = [("SW128", 1024, 64), ("SW64", 512, 32), ("SW32", 256, 16)];

/// Two arrays with something between them, of which the size in bytes and the alignment are given.
#[test]
fn distances_of_arrays_in_a_class() {
    let mut seen = [0; 2];
    for (first, first_repeats, first_width) in ATOMS {
        for (second, second_repeats, second_width) in ATOMS {
            for (between, bytes, aligned) in [
                ("", 0, 1),
                ("float bias[32];", 128, 4),
                ("float bias[64];", 256, 4),
                ("uint64_t barrier[2];", 16, 8),
                ("alignas(16) cute::array_aligned<half_t, 256> scale;", 512, 16),
                ("cute::array_aligned<float, 256> scale; char flag;", 1025, 16),
            ] {
                for align in [16, 128, 256, 512, 1024] {
                    let rows = 64;
                    let text = format!(
                        "using namespace cute;
                         using A = decltype(tile_to_shape(GMMA::Layout_K_{first}_Atom<half_t>{{}}, Shape<_{rows}, _{first_width}>{{}}));
                         using B = decltype(tile_to_shape(GMMA::Layout_K_{second}_Atom<half_t>{{}}, Shape<_{rows}, _{second_width}>{{}}));
                         struct SharedStorage {{
                           static constexpr int kStages = 2;
                           alignas(1024) array_aligned<half_t, cosize_v<A>> a;
                           {between}
                           alignas({align}) half_t b[cosize_v<B>];
                         }};"
                    );
                    let round = |at: u64, to: u64| at.div_ceil(to) * to;
                    let begin = round(round(rows * first_width * 2, aligned) + bytes, align);
                    let wrong = begin % first_repeats.min(second_repeats) != 0;
                    // Where it is off 128 bytes, the copy engine cannot write there.
                    let expected: &[Code] = match (wrong, begin % 128) {
                        (false, _) => &[],
                        (true, 0) => &[Code::SwizzleBase],
                        (true, _) => &[Code::Misaligned],
                    };
                    assert_eq!(codes(&text), expected, "{begin} {text}");
                    seen[usize::from(wrong)] += 1;
                }
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 40), "{seen:?}");
}

fn class(members: &str) -> Vec<Code> {
    codes(&format!(
        "using namespace cute; using L = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{{}}, Shape<_64, _64>{{}}));
         using P = Layout<Shape<_64, _64>, Stride<_64, _1>>; struct S {{ {members} }};"
    ))
}

#[test]
fn distances_that_are_not_known_are_left_alone() {
    let array = |align: u64, name: &str| format!("alignas({align}) array_aligned<half_t, cosize_v<L>> {name};");
    let (a, b) = (array(128, "a"), array(128, "b"));
    assert_eq!(class(&format!("{a} float x; {b}")), [Code::SwizzleBase]);
    for members in [
        format!("{a} {b}"),
        // Something of a size that is not known, or of one that the language leaves open.
        format!("{a} Barrier x; {b}"),
        format!("{a} float x, y; {b}"),
        format!("{a} uint32_t x : 3; {b}"),
        format!("{a} float* x; {b}"),
        format!("{a} alignas(kAlign) float x; {b}"),
        // No member of an object.
        format!("{a} static constexpr float x = 0; {b}"),
        format!("{a} using X = float; {b}"),
        // What comes after is aligned to more than is known of the first.
        format!("{a} float x; {}", array(1024, "b")),
        // No swizzle.
        format!("{a} float x; alignas(128) array_aligned<half_t, cosize_v<P>> b;"),
    ] {
        assert!(class(&members).is_empty(), "{members}");
    }
    // One behind the other, all the same.
    assert_eq!(class(&format!("{a} {b} float x; {}", array(128, "c"))), [Code::SwizzleBase]);
    // In a union they begin together.
    let together = "union U { alignas(128) array_aligned<half_t, cosize_v<L>> a; float x; alignas(128) array_aligned<half_t, cosize_v<L>> b; };";
    let layouts = "using namespace cute; using L = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64>{}));";
    assert!(codes(&format!("{layouts} {together}")).is_empty());
    assert_eq!(codes(&format!("{layouts} {}", together.replace("union U", "struct U"))), [Code::SwizzleBase]);
}

#[test]
fn alignments_of_shared_arrays() {
    for (atom, repeats, width) in ATOMS {
        for align in [16, 64, 128, 256, 512, 1024, 2048] {
            for array in ["half_t tile[cosize_v<L>]", "array_aligned<half_t, cosize_v<L>> tile"] {
                let text = format!(
                    "using namespace cute;
                     __global__ void kernel() {{
                       using L = decltype(tile_to_shape(GMMA::Layout_K_{atom}_Atom<half_t>{{}}, Shape<_64, _{width}>{{}}));
                       __shared__ alignas({align}) {array};
                     }}"
                );
                let expected = match align {
                    0..128 => vec![Code::Misaligned],
                    _ if align < repeats => vec![Code::SwizzleBase],
                    _ => vec![],
                };
                assert_eq!(codes(&text), expected, "{text}");
                let silent = text.replace(&format!("alignas({align}) "), "");
                assert!(codes(&silent).is_empty(), "{silent}");
            }
        }
    }
}
