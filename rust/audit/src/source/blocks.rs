//! Variables of type `dim3` in the code of a function: where one is only read.
//!
//! A name may be handed on by reference anywhere, so that only what is known to read it counts: the launch itself, arithmetic with its members,
//! copies, and functions that take values.

use super::brackets::opened;
use super::words::last_word;

/// What takes a whole `dim3` by value, or asks nothing of it that changes it.
const TAKES_BLOCKS: [&str; 8] = [
    "ClusterLaunchParams",
    "cudaLaunchConfig_t",
    "cudaLaunchCooperativeKernel",
    "cudaLaunchKernel",
    "decltype",
    "dim3",
    "return",
    "sizeof",
];

/// What takes numbers by value.
const TAKES_NUMBERS: [&str; 19] = [
    "ceil_div",
    "dim3",
    "fprintf",
    "if",
    "int",
    "int64_t",
    "max",
    "min",
    "printf",
    "return",
    "size_t",
    "static_cast",
    "switch",
    "uint32_t",
    "uint64_t",
    "unsigned",
    "while",
    "decltype",
    "sizeof",
];

/// Whether a place where a variable of type `dim3` stands only reads it. It is told which other functions take their arguments by value.
pub fn reads_extents(code: &str, at: usize, name: &str, by_value: &dyn Fn(&str) -> bool) -> bool {
    let before = code.get(..at).unwrap_or_default().trim_end();
    let mut after = code.get(at + name.len()..).unwrap_or_default().trim_start();
    let mut number = false;
    if let Some(member) = after.strip_prefix('.') {
        let Some(rest) = member.trim_start().strip_prefix(['x', 'y', 'z']) else { return false };
        after = rest.trim_start();
        number = true;
    }
    let changes = ["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];
    let assigned = after.starts_with('=') && !after.starts_with("==");
    if assigned || changes.iter().any(|sign| after.starts_with(sign)) {
        return false;
    }
    // A member of that name is another's.
    if before.ends_with('.') || before.ends_with("->") {
        return true;
    }
    let address = before.ends_with('&') && !before.ends_with("&&");
    if address || ["++", "--", "*"].iter().any(|sign| before.ends_with(sign) && !number) {
        return false;
    }
    if before.ends_with("++") || before.ends_with("--") {
        return false;
    }
    // Between the signs of a launch.
    let launch = code.get(..at).and_then(|head| head.rfind("<<<"));
    if launch
        .and_then(|open| code.get(open..at))
        .is_some_and(|inside| !inside.contains([';', '{']) && !inside.contains(">>>"))
    {
        return true;
    }
    // `auto& x = block`, `unsigned& n = wide ? block.x : other.x`; a comparison refers to nothing.
    let statement = before.rsplit([';', '{', '}']).next().unwrap_or_default();
    if statement
        .rsplit_once('=')
        .is_some_and(|(declared, _)| declared.replace("&&", "").contains('&') || declared.contains("auto&&"))
    {
        return false;
    }
    // A stream may fill what stands there.
    if before.ends_with(">>") {
        return false;
    }
    if before.ends_with('=') {
        return true;
    }
    let sign = |sign: char| "+-*/%<>?:^|!~".contains(sign);
    let compared = ["==", "!=", "&&"].iter().any(|sign| after.starts_with(sign)) || before.ends_with("&&");
    if number && (compared || after.starts_with(sign) || before.ends_with(sign)) {
        return true;
    }
    match opened(before) {
        Some(('(', callee)) => {
            let bare = callee.trim_end();
            let bare = if bare.ends_with('>') { bare.rsplit_once('<').map_or("", |(name, _)| name) } else { bare };
            let (word, front) = last_word(bare);
            let free = !front.ends_with(['.', '>', '&', '*']);
            let declares = last_word(front.trim_end()).0 == "dim3" && front.len() > front.trim_end().len();
            let takes = if number { &TAKES_NUMBERS[..] } else { &TAKES_BLOCKS[..] };
            let cluster = callee.ends_with("ClusterLauncher::launch");
            declares || cluster || (free && (takes.contains(&word) || by_value(word)))
        }
        Some(('{', callee)) => {
            // `dim3 other{block}`, `cutlass::ClusterLaunchParams params{grid, block}`, also with `=`.
            let bare = callee.trim_end().trim_end_matches('=').trim_end();
            let (word, front) = last_word(bare);
            let types = ["ClusterLaunchParams", "cudaLaunchConfig_t", "dim3"];
            types.contains(&word) || types.contains(&last_word(front.trim_end()).0)
        }
        // An index, or a capture by value.
        Some(('[', _)) => true,
        _ => last_word(before).0 == "return",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::places;

    fn keeps(rest: &str) -> bool {
        let code = format!("void f() {{ dim3 block(128); {rest} }}");
        let declared = code.find("block").unwrap();
        places(&code, "block")
            .filter(|at| *at != declared)
            .all(|at| reads_extents(&code, at, "block", &|word| word == "takes"))
    }

    #[test]
    fn what_reads_a_block_leaves_it_alone() {
        for rest in [
            "k<<<grid, block>>>(a); int n = block.x * block.y; if (block.x == 3) { }",
            "k<<<grid, block, 0, stream>>>(a);",
            "cudaLaunchKernel(k, grid, block, args, 0, stream);",
            "cutlass::ClusterLauncher::launch(grid, cluster, block, bytes, stream, k, args);",
            "dim3 other(block); dim3 another{block}; auto third = block; dim3 fourth = block;",
            "config.blockDim = block; cutlass::ClusterLaunchParams params{grid, block, cluster, 0};",
            "printf(\"%u\", block.x); takes(block); takes(3, block.x); a[block.x] = 0;",
        ] {
            assert!(keeps(rest), "{rest}");
        }
    }

    #[test]
    fn what_may_change_a_block_does() {
        for rest in [
            "block.x = 3;",
            "block = dim3(3);",
            "f(&block);",
            "block.y *= 2;",
            "auto& b = block;",
            "auto&& b = block;",
            "f(block);",
            "f(g, block);",
            "f(block.x);",
            "object.takes(block);",
            "++block.x;",
            "--block.y;",
            "block.x++;",
            "std::tie(grid, block) = two();",
            "std::swap(other, block);",
            "std::ref(block);",
            "rd >> block;",
            "rd >> block.x;",
            "unsigned& n = block.x;",
            "unsigned& n = wide ? block.x : other.x;",
            "dim3& b(block);",
            "dim3& b{block};",
            "Holder h{block};",
            "f<3>(block);",
            "auto set = [&b = block] { };",
        ] {
            assert!(!keeps(rest), "{rest}");
        }
    }
}
