//! Variables that are not constant, and that keep the value with which they are declared: `int M = 1022;` in a function that does nothing
//! else to M.
//!
//! Each place where the name stands has to be one where nothing can change it: an operand of arithmetic, or an argument of a function that
//! is known to take values. Where it is handed to any other function it may go by reference, and nothing is known of it.

pub use crate::source::code;
use crate::source::{is_identifier, opened, places};

/// Functions that take values, and whatever else may stand before a parenthesis.
const TAKES_VALUES: [&str; 52] = [
    "Int",
    "abs",
    "assert",
    "ceil_div",
    "cuTensorMapEncodeIm2col",
    "cuTensorMapEncodeTiled",
    "cudaDeviceGetAttribute",
    "cudaFuncSetAttribute",
    "cudaFuncSetCacheConfig",
    "cudaLaunchCooperativeKernel",
    "cudaLaunchKernel",
    "cudaLaunchKernelEx",
    "cudaMalloc",
    "cudaMallocAsync",
    "cudaMallocManaged",
    "cudaMemcpy",
    "cudaMemcpy2D",
    "cudaMemcpy2DAsync",
    "cudaMemcpyAsync",
    "cudaMemset",
    "cudaMemset2D",
    "cudaMemsetAsync",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "dim3",
    "div_up",
    "fprintf",
    "if",
    "int",
    "int64_t",
    "launch_kernel_on_cluster",
    "make_coord",
    "make_layout",
    "make_shape",
    "make_stride",
    "make_tensor",
    "make_tile",
    "make_tuple",
    "malloc",
    "max",
    "min",
    "printf",
    "reserve",
    "resize",
    "return",
    "round_up",
    "size",
    "size_t",
    "sizeof",
    "static_cast",
    "switch",
    "uint32_t",
    "while",
];

/// Whether a name that is declared in a function with a value has it wherever else it stands there. The text is that of the function, and
/// the declaration begins at a place in it.
/// It is told by `by_value` which other functions take their arguments by value.
pub fn is_settled(text: &str, name: &str, declared: usize, by_value: &dyn Fn(&str) -> bool) -> bool {
    places(text, name).filter(|at| *at != declared).all(|at| is_value(text, at, name, by_value))
}

/// Whether nothing can change a variable where its name stands. Of a part of an object, the name is all of `p.ld`.
pub fn is_value(text: &str, at: usize, name: &str, by_value: &dyn Fn(&str) -> bool) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let after = text.get(at + name.len()..).unwrap_or_default().trim_start();
    // Assignments, steps, addresses, lambdas that capture it by reference, streams that fill it, and members of that name.
    let changes = ["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];
    let assigned =
        (after.starts_with('=') && !after.starts_with("==")) || changes.iter().any(|sign| after.starts_with(sign));
    let taken = before.ends_with("++") || before.ends_with("--") || before.ends_with(">>") || before.ends_with("->");
    let address = before.ends_with('&') && !before.ends_with("&&");
    if assigned || taken || address || before.ends_with('.') {
        return false;
    }
    let operator = |text: Option<char>| text.is_some_and(|sign| "+-*/%<>?:;^|!~".contains(sign));
    let compared =
        after.starts_with("==") || after.starts_with("!=") || after.starts_with("&&") || before.ends_with("&&");
    // `M;` after `=` is a copy; `auto& m = M;` is not.
    if let Some(rest) = before.strip_suffix('=').filter(|rest| !rest.ends_with(['=', '!', '<', '>'])) {
        let statement = rest.rsplit([';', '{', '}', '(']).next().unwrap_or_default();
        return !statement.contains('&');
    }
    if operator(after.chars().next().filter(|sign| !matches!(sign, ';' | ':' | '?'))) || compared {
        return true;
    }
    if operator(before.chars().next_back()) || before.ends_with("==") {
        return true;
    }
    if is_configuration(before) {
        return true;
    }
    match opened(before) {
        Some(('(', callee)) => {
            if callee.ends_with(">>>") {
                return true;
            }
            let bare = callee.trim_end_matches(|c: char| c.is_whitespace());
            let bare = if bare.ends_with('>') { before_list(bare).unwrap_or("") } else { bare };
            let start = bare.bytes().rposition(|byte| !is_identifier(byte)).map_or(0, |at| at + 1);
            let word = bare.get(start..).unwrap_or_default();
            // `dim3 block(M)`, `thrust::device_vector<T> a(M)`: a variable that is made of it.
            let before = bare.get(..start).unwrap_or_default();
            let free = !before.ends_with(['.', '>']);
            TAKES_VALUES.binary_search(&word).is_ok() || declares(before) || (free && by_value(word))
        }
        Some(('{' | '[', _)) => true,
        _ => false,
    }
}

/// Whether what comes behind a text says how a kernel is launched: `kernel<<<grid, block, `.
fn is_configuration(before: &str) -> bool {
    let statement = before.rsplit([';', '{', '}']).next().unwrap_or_default();
    let inside = statement.rsplit_once("<<<").map(|(_, inside)| inside).filter(|inside| !inside.contains(">>>"));
    inside.is_some_and(|inside| inside.ends_with(',') && inside.matches('(').count() == inside.matches(')').count())
}

/// Whether a text ends with what may be a type in front of the name of a variable: `dim3 `, `std::vector<float> `.
fn declares(before: &str) -> bool {
    let trimmed = before.trim_end();
    if trimmed.len() == before.len() {
        return false;
    }
    let start = trimmed.bytes().rposition(|byte| !is_identifier(byte)).map_or(0, |at| at + 1);
    let word = trimmed.get(start..).unwrap_or_default();
    let vector = trimmed
        .strip_suffix('>')
        .and_then(|_| before_list(trimmed))
        .is_some_and(|name| name.ends_with("_vector") || name.ends_with("::vector"));
    word == "dim3" || vector
}

/// What stands before the template arguments with which a text ends.
fn before_list(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, sign) in text.char_indices().rev().take(1_024) {
        match sign {
            '>' => depth += 1,
            '<' => depth = depth.checked_sub(1)?,
            ';' | '{' | '}' => return None,
            _ => {}
        }
        if depth == 0 {
            return text.get(..at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(rest: &str) -> bool {
        let text = format!("void f() {{ int M = 1022; {rest} }}");
        let text = code(&text);
        is_settled(&text, "M", text.find('M').unwrap(), &|name| name == "takes")
    }

    #[test]
    fn the_functions_are_sorted() {
        assert!(TAKES_VALUES.is_sorted());
    }

    #[test]
    fn what_only_uses_a_variable_leaves_it_alone() {
        for rest in [
            "",
            "auto l = make_layout(make_shape(M, N), make_stride(1, M));",
            "cudaMalloc(&a, M * N * sizeof(float)); for (int i = 0; i < M; ++i) { a[i + M] = 0; }",
            "if (M % 4 == 0 && N == M) { } int k = M; dim3 grid(M, 2); dim3 other{M}; std::vector<float> h(M);",
            "kernel<<<(M + 127) / 128, 128>>>(a, M); kernel<<<grid, 128>>>(a, N, M);",
            "f(); kernel<<<grid, dim3(128), M, stream>>>(a);",
            "// M = 3, f(M)\n printf(\"M = %d\", M);",
            "takes(M, 3); lib::takes<float>(1, M);",
            "if (M > 48 << 10) { CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, M)); }",
            "auto p = M > 3 ? 1 : M; thrust::host_vector<int> h(M); cute::ceil_div(M, 2); a[M] = 0; auto t = cute::make_tuple(M);",
        ] {
            assert!(settled(rest), "{rest}");
        }
    }

    #[test]
    fn what_may_change_a_variable_does() {
        for rest in [
            "object.takes(M);",
            "f(); kernel<<<grid, block, g(1, M), stream>>>(a);",
            "f(); kernel<<<grid, block>>>(a), g(M);",
            "M = 4;",
            "M += 4;",
            "++M;",
            "M++;",
            "M <<= 1;",
            "sscanf(argv[1], \"%d\", &M);",
            "cmd.get_cmd_line_argument(\"m\", M, 5);",
            "parse(argv, M);",
            "std::cin >> M;",
            "int& m = M;",
            "auto &&m = M;",
            "auto f = [&M] { };",
            "options.M = 3;",
            "std::tie(M, N) = sizes();",
            "auto [a, b] = std::swap(M, N);",
        ] {
            assert!(!settled(rest), "{rest}");
        }
    }
}
