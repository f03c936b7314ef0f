//! The words that can make a layout, found without a grammar.

use memchr::memmem;

use super::launchers;

/// Words that a file must contain to be parsed at once. Other files are parsed only when a name that is needed is found there.
const WORDS: [&str; 3] = ["make_layout", "MMA_Traits", "Copy_Traits"];

/// Positions of everything that may make a layout, ascending: `Layout<`, `make_layout`, `MMA_Traits`, `Copy_Traits`.
pub fn hits(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut found: Vec<usize> = templates(bytes, "Layout").collect();
    for word in WORDS {
        found.extend(memmem::find_iter(bytes, word).filter(|&at| is_word(bytes, at, word.len())));
    }
    found.sort_unstable();
    found.into_iter().filter_map(|at| u32::try_from(at).ok()).collect()
}

/// Words that have a part in common, which is looked for once.
type Kin = (&'static str, &'static [&'static str]);

/// Where words stand, those of one kin together.
fn all<'t>(bytes: &'t [u8], kin: &'static [Kin]) -> impl Iterator<Item = usize> + 't {
    kin.iter().flat_map(move |(part, words)| {
        memmem::find_iter(bytes, part).filter_map(move |at| {
            let start = bytes.get(..at)?.iter().rposition(|byte| !is_identifier(*byte)).map_or(0, |before| before + 1);
            let word = bytes.get(start..start + word_length(bytes, start))?;
            words.iter().any(|one| one.as_bytes() == word).then_some(start)
        })
    })
}

/// Words of shared memory: a statement with one of them is read, though it makes no layout.
const SHARED: [Kin; 10] = [
    ("AutoVectorizing", &["AutoVectorizingCopyWithAssumedAlignment"]),
    ("Tiled", &["TiledCopy", "TiledMMA"]),
    ("_divide", &["flat_divide", "logical_divide", "tiled_divide", "zipped_divide"]),
    ("_slice", &["get_slice", "get_thread_slice"]),
    ("composition", &["composition"]),
    ("cosize_v", &["cosize_v"]),
    ("make_smem_ptr", &["make_smem_ptr"]),
    ("make_tiled", &["make_tiled_copy", "make_tiled_copy_impl", "make_tiled_mma"]),
    ("local_tile", &["local_tile"]),
    (
        "partition",
        &[
            "local_partition",
            "partition_A",
            "partition_B",
            "partition_C",
            "partition_D",
            "partition_S",
            "partition_fragment_A",
            "partition_fragment_B",
        ],
    ),
];

/// Beginnings of words of the driver's function that makes a descriptor of the copy engine, and of its arguments: it is called by other names too.
const DRIVER: [&str; 3] = ["CU_TENSOR_MAP_FLOAT_OOB_FILL_", "CU_TENSOR_MAP_INTERLEAVE_", ENCODE];

/// The driver's function that makes a descriptor.
pub const ENCODE: &str = "cuTensorMapEncodeTiled";

/// Positions of what says something about shared memory, ascending: `Swizzle<` and the words above.
pub fn shared(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut found: Vec<usize> = templates(bytes, "Swizzle").collect();
    found.extend(all(bytes, &SHARED));
    for word in DRIVER {
        found.extend(memmem::find_iter(bytes, word).filter(|&at| starts_word(bytes, at)));
    }
    found.extend(sized(bytes));
    found.extend(strided(bytes));
    found.sort_unstable();
    found.into_iter().filter_map(|at| u32::try_from(at).ok()).collect()
}

/// CUDA's functions that launch the kernel that they are given.
pub const CUDA_LAUNCHERS: [&str; 4] =
    ["cudaLaunchCooperativeKernel", "cudaLaunchKernel", "cudaLaunchKernelEx", "cudaLaunchKernelExC"];

/// Functions that launch a kernel, and that give a thread its part.
const STARTS: [Kin; 6] = [
    ("ClusterLauncher", &["ClusterLauncher"]),
    ("_slice", &["get_slice", "get_thread_slice"]),
    ("cudaLaunch", &CUDA_LAUNCHERS),
    ("kernel_launch", &["kernel_launch"]),
    ("launch_kernel", &["launch_kernel_on_cluster"]),
    ("local_partition", &["local_partition"]),
];

/// The word for a kernel.
const KERNEL: &str = "__global__";

/// The word for shared memory.
const SHARED_MEMORY: &str = "__shared__";

/// Whether what is declared at that word takes room of its own, and maybe much: it is not `extern`, and neither a number nor a few of them.
fn is_static(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    let line = before.rsplit(|byte| matches!(byte, b';' | b'{' | b'}' | b'\n')).next().unwrap_or_default();
    let rest = bytes.get(at + SHARED_MEMORY.len()..).unwrap_or_default();
    let declared = rest.split(|byte| *byte == b';').next().unwrap_or_default();
    let few = |list: &[u8]| list.len() <= MAX_FEW && list.iter().all(u8::is_ascii_digit);
    let mut parts = declared.trim_ascii().split(|byte| *byte == b'[');
    let name = parts.next().unwrap_or_default();
    let plain = LANGUAGE.iter().any(|ty| name.strip_prefix(ty.as_bytes()).is_some_and(|rest| rest.starts_with(b" ")));
    let first = parts.next().is_none_or(|list| list.trim_ascii().strip_suffix(b"]").is_some_and(few));
    let small = plain && first && parts.next().is_none();
    is_word(bytes, at, SHARED_MEMORY.len()) && memmem::find(line, b"extern").is_none() && !small
}

/// Types of the language of which few numbers take little room, and digits of how many are few.
const LANGUAGE: [&str; 8] = ["bool", "char", "double", "float", "half", "int", "uint32_t", "uint64_t"];
const MAX_FEW: usize = 2;

/// Positions of what is or launches a kernel, slices by threads or takes static shared memory, ascending: `__global__`, `<<<`, the functions
/// above, `__shared__`.
pub fn starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut found: Vec<usize> = memmem::find_iter(bytes, "<<<").collect();
    // In the head of a function, so that its body need not be read.
    found.extend(places(text, KERNEL));
    found.extend(launchers::uses(text, &launchers::launchers(text)));
    found.extend(memmem::find_iter(bytes, SHARED_MEMORY).filter(|&at| is_static(bytes, at)));
    found.extend(all(bytes, &STARTS));
    found.sort_unstable();
    found.into_iter().filter_map(|at| u32::try_from(at).ok()).collect()
}

/// Where a whole word stands in a text.
pub fn places<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let bytes = text.as_bytes();
    memmem::find_iter(bytes, word).filter(move |&at| !word.is_empty() && is_word(bytes, at, word.len()))
}

/// `__shared__ T name[size(layout)]`, or `cosize`: the extent, which holds no other word.
fn sized(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let before = ["[size(", "::size(", "[cosize(", "::cosize("];
    before.into_iter().flat_map(move |word| memmem::find_iter(bytes, word)).filter_map(|at| {
        let line = bytes.get(..at)?.rsplit(|byte| matches!(byte, b';' | b'{' | b'\n')).next()?;
        memmem::find(line, b"__shared__").map(|_| at + 1)
    })
}

/// The longest `make_tensor(pointer, shape, stride)` that is looked for.
const MAX_CALL: usize = 512;

/// `make_tensor(pointer, shape, stride)`, which makes a layout without its word: where the strides are written on the spot.
fn strided(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    const WORD: &str = "make_tensor";
    memmem::find_iter(bytes, WORD).filter(|&at| {
        let rest = bytes.get(at..).unwrap_or_default();
        let rest = rest.get(..MAX_CALL).unwrap_or(rest);
        let call = rest.split(|byte| *byte == b';').next().unwrap_or_default();
        let stride = ["make_stride", "Stride<", "LayoutRight", "LayoutLeft", "GenRowMajor", "GenColMajor"];
        is_word(bytes, at, WORD.len()) && stride.iter().any(|word| memmem::find(call, word.as_bytes()).is_some())
    })
}

/// Whether `Shape<` or `Shape <` stands somewhere.
pub fn mentions_shape(text: &str) -> bool {
    templates(text.as_bytes(), "Shape").next().is_some()
}

/// Whether a class of the name `Layout` is declared: another library's, unless it is CuTe's own.
pub fn declares_layout(text: &str) -> bool {
    let bytes = text.as_bytes();
    ["struct Layout", "class Layout"].into_iter().any(|words| {
        let word = words.len() - "Layout".len();
        memmem::find_iter(bytes, words).any(|at| starts_word(bytes, at) && is_word(bytes, at + word, "Layout".len()))
    })
}

/// Where a template's name stands with its arguments.
fn templates<'t>(text: &'t [u8], name: &'static str) -> impl Iterator<Item = usize> + 't {
    memmem::find_iter(text, name).filter(move |&at| {
        let rest = text.get(at + name.len()..).unwrap_or_default();
        starts_word(text, at) && rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<')
    })
}

/// Whether a `sizeof` counts the items of a pack: `sizeof...(Ts)`.
pub fn counts_pack(text: &str) -> bool {
    text.strip_prefix("sizeof").is_some_and(|rest| rest.trim_start().starts_with("..."))
}

/// Whether a byte can be part of a name.
pub fn is_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// How many bytes of a name stand at a position.
pub fn word_length(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).map_or(0, |rest| rest.iter().take_while(|byte| is_identifier(**byte)).count())
}

/// Whether no name goes on at a position.
pub fn starts_word(bytes: &[u8], at: usize) -> bool {
    at == 0 || !is_identifier(bytes[at - 1])
}

/// Whether the bytes at a position are a whole name.
pub fn is_word(bytes: &[u8], at: usize, length: usize) -> bool {
    starts_word(bytes, at) && word_length(bytes, at) == length
}

/// The name with which a text ends, and what stands before it.
pub fn last_word(text: &str) -> (&str, &str) {
    let start = text.bytes().rposition(|byte| !is_identifier(byte)).map_or(0, |at| at + 1);
    (text.get(start..).unwrap_or_default(), text.get(..start).unwrap_or_default())
}

/// Whether a name is written as macros are.
pub fn is_loud(word: &str) -> bool {
    word.len() > 1
        && word.bytes().any(|byte| byte.is_ascii_uppercase())
        && !word.bytes().any(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_loud_words() {
        assert_eq!(last_word("a::b_1"), ("b_1", "a::"));
        assert_eq!((last_word("a("), last_word("a")), (("", "a("), ("a", "")));
        assert!(is_loud("CHECK_2") && !is_loud("Check") && !is_loud("N") && !is_loud("__"));
    }

    #[test]
    fn hits_are_whole_words() {
        assert_eq!(hits("Layout <_1> MyLayout<_1> Layout x make_layout remake_layout"), [0, 34]);
        assert_eq!(starts("k<<<1, 2>>>(x) cudaLaunchKernelExD(c) cudaLaunchKernelEx(c)"), [1, 38]);
        for (text, count) in [
            ("extern __shared__ char s[];", 0),
            ("{ __shared__ T s[99]; }", 1),
            ("__shared__ float s[99], t[N];", 1),
            ("__shared__ float s[99];", 0),
            ("__shared__ float s[99][99];", 1),
            ("__shared__ float s[100];", 1),
            ("__shared__ int done;", 0),
            ("__shared__ integer s;", 1),
            ("__shared__ Storage s;", 1),
            ("extern int a; __shared__ alignas(128) char s[N];", 1),
        ] {
            assert_eq!(starts(text).len(), count, "{text}");
        }
        assert_eq!(shared("Swizzle<1,2,3> ThreadSwizzle<1> make_smem_ptr(x) make_smem_ptrs"), [0, 32]);
        assert_eq!(shared("make_tensor(p, s); make_tensor(p, s, make_stride(4, 1)); make_stride(1)"), [19]);
    }
}
