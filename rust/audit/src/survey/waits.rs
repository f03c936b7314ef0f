//! Kernels in which nothing may hold threads back: RG032 is said of those alone.
//!
//! Whatever is not known to let every thread through may be a guard: a macro, a function that was not read, a `&&`, a loop that counts to what
//! hangs on the thread.

use crate::ast::{Site, Span};
use crate::eval::{BodyRef, Program};
use crate::source::{closing, code, defines_macro, is_identifier, is_loud, last_word, places};

/// Functions that call functions.
const MAX_DEPTH: usize = 3;

/// Words of one kernel and of the functions that it calls, and rounds in which variables are followed.
const MAX_WORDS: usize = 1 << 14;
const MAX_ROUNDS: usize = 4;

/// Arguments of one call.
const MAX_ARGUMENTS: usize = 4_096;

/// Words that may let only some threads through, wherever they stand.
const HOLDS: [&str; 13] = [
    "__asm__",
    "and",
    "asm",
    "catch",
    "copy_if",
    "elect_one_sync",
    "goto",
    "or",
    "setjmp",
    "switch",
    "try",
    "with",
    "xor",
];

/// Words of the language that a parenthesis may follow.
const WORDS: [&str; 12] = [
    "alignas",
    "constexpr",
    "decltype",
    "else",
    "for",
    "if",
    "noexcept",
    "return",
    "sizeof",
    "static_assert",
    "while",
    "__launch_bounds__",
];

/// Functions that all threads go through alike, of CuTe and of CUDA.
const FUNCTIONS: [&str; 69] = [
    "__syncthreads",
    "__syncwarp",
    "__threadfence",
    "abs",
    "append",
    "as_position_independent_swizzle_tensor",
    "axpby",
    "blocked_product",
    "cast_smem_ptr_to_uint",
    "ceil_div",
    "clear",
    "cluster_sync",
    "coalesce",
    "complement",
    "composition",
    "copy",
    "copy_aligned",
    "cosize",
    "crd2idx",
    "depth",
    "dim3",
    "elem_less",
    "fill",
    "filter",
    "filter_zeros",
    "flat_divide",
    "flatten",
    "float",
    "double",
    "gemm",
    "get",
    "group_modes",
    "idx2crd",
    "int",
    "layout",
    "local_partition",
    "local_tile",
    "logical_divide",
    "logical_product",
    "max",
    "min",
    "prefetch",
    "prepend",
    "print",
    "print_latex",
    "print_layout",
    "print_tensor",
    "printf",
    "product",
    "raked_product",
    "rank",
    "raw_pointer_cast",
    "recast",
    "recast_ptr",
    "reinterpret_cast",
    "round_up",
    "select",
    "shape",
    "shape_div",
    "size",
    "static_cast",
    "stride",
    "take",
    "thread0",
    "tile_to_shape",
    "tiled_divide",
    "unsigned",
    "zeros_like",
    "zipped_divide",
];

/// Methods that all threads go through alike.
const METHODS: [&str; 12] =
    ["begin", "compose", "cosize", "data", "get", "layout", "rank", "shape", "size", "stride", "tile", "value"];

/// Beginnings of names of such functions and methods.
const HEADS: [&str; 9] =
    ["cp_async_", "get_", "make_", "partition_", "retile_", "tidfrg", "thrfrg_", "tiled_copy_", "warpgroup_"];

/// Words by which variables are named that hang on the thread.
const THREADS: [&str; 4] = ["thread", "tid", "lane", "warp"];

/// Whether nothing in a kernel may keep threads from what follows: no condition but those on the block and on the one thread that prints, no
/// predicate, no loop that counts by threads, and nothing that may hide one of these.
pub(super) fn nobody_waits(program: &Program<'_>, kernel: BodyRef) -> bool {
    let mut left = MAX_WORDS;
    (Waits { program, left: &mut left }).all_go_through(kernel, MAX_DEPTH)
}

struct Waits<'w, 'a> {
    program: &'w Program<'a>,
    left: &'w mut usize,
}

impl Waits<'_, '_> {
    fn all_go_through(&mut self, body: BodyRef, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let of = self.program.body(body);
        let text = code(self.program.text(Site { unit: body.unit, span: of.span }));
        let file = self.program.sources().get(self.program.unit(body.unit).file).map_or("", |file| file.text.as_str());
        let Some((head, inside)) = text.split_once('{') else { return false };
        let params: Vec<&str> =
            of.params.iter().map(|param| self.program.text(Site { unit: body.unit, span: param.name })).collect();
        let named = |span: Span| self.program.text(Site { unit: body.unit, span });
        let own = Function { head, code: inside, file, params: &params, name: named(of.name) };
        own.is_even() && self.calls(&own, depth)
    }

    /// Whether all that is called lets every thread through.
    fn calls(&mut self, of: &Function<'_>, depth: usize) -> bool {
        let mut at = 0;
        while let Some((start, word)) = next_word(of.code, at) {
            let Some(left) = self.left.checked_sub(1) else { return false };
            *self.left = left;
            at = start + word.len();
            let before = of.code.get(..start).unwrap_or_default().trim_end();
            let Some(open) = opens(of.code, at) else {
                // A macro as a statement, or in front of one.
                if is_loud(word) && starts_statement(before) && !of.is_type(word) && !word.contains("UNROLL") {
                    return false;
                }
                continue;
            };
            if WORDS.contains(&word) || HEADS.iter().any(|head| word.starts_with(head)) {
                continue;
            }
            if before.ends_with('.') || before.ends_with("->") {
                if METHODS.contains(&word) {
                    continue;
                }
                return false;
            }
            if FUNCTIONS.contains(&word) && !declares(before) {
                continue;
            }
            if declares(before) {
                // `dim3 grid(1)`, or a macro in front of a call.
                let (ty, _) = last_word(before);
                if before.ends_with(['>', '&', '*'])
                    || (!defines_macro(of.file, ty) && (!is_loud(ty) || of.is_type(ty)))
                {
                    continue;
                }
                return false;
            }
            // A tensor, or what is called for its value alone.
            let after = of.code.get(open..).unwrap_or_default();
            let after = arguments(after).and_then(|args| after.get(args.len() + 2..)).unwrap_or_default();
            let value = !starts_statement(before) || !after.trim_start().starts_with([';', ',']);
            if (of.is_variable(word) || of.params.contains(&word)) && (value || of.is_lambda(word)) {
                continue;
            }
            if of.is_type(word) || (word.ends_with("_t") && !defines_macro(of.file, word)) {
                continue;
            }
            let lambda = of.code.get(open..).unwrap_or_default();
            let lambda =
                arguments(lambda).is_none_or(|args| args.contains("[&") || args.contains("[=") || args.contains("[]"));
            let bodies = self.program.bodies(word).to_vec();
            let read = !bodies.is_empty()
                && crate::mentions::count(of.file, word) <= bodies.len()
                && !defines_macro(of.file, word)
                && word != of.name;
            if lambda || !read || !bodies.into_iter().all(|body| self.all_go_through(body, depth)) {
                return false;
            }
        }
        true
    }
}

/// A function in which threads may be held back.
struct Function<'f> {
    head: &'f str,
    code: &'f str,
    file: &'f str,
    params: &'f [&'f str],
    name: &'f str,
}

impl Function<'_> {
    /// Whether its own statements let every thread through, what they call aside.
    fn is_even(&self) -> bool {
        let code = self.code;
        if code.contains('?') || HOLDS.iter().any(|word| places(code, word).next().is_some()) {
            return false;
        }
        let by_thread = self.by_thread();
        let hangs = |text: &str| {
            let lower = text.to_ascii_lowercase();
            THREADS.iter().any(|word| lower.contains(word))
                || by_thread.iter().any(|name| places(text, name).next().is_some())
        };
        let mut rest = code.to_owned();
        for at in places(code, "if") {
            let after = code.get(at + 2..).unwrap_or_default();
            let trimmed = after.trim_start();
            if trimmed.starts_with("constexpr") {
                blank(&mut rest, at + 2, after.find(['{', ';']).unwrap_or(0));
                continue;
            }
            let Some(condition) = arguments(after) else { return false };
            let printed = condition.trim() == "thread0()" || condition.trim() == "cute::thread0()";
            let block = places(condition, "blockIdx").next().is_some() && !hangs(condition);
            if !printed && (!block || condition.contains("()")) {
                return false;
            }
            blank(&mut rest, at + 2, after.find('(').unwrap_or(0) + condition.len() + 2);
        }
        let loops = ["for", "while"].iter().any(|word| {
            places(&rest, word).any(|at| arguments(rest.get(at + word.len()..).unwrap_or_default()).is_none_or(hangs))
        });
        // `auto&& x` is no condition.
        let both = rest.match_indices("&&").any(|(at, _)| {
            let before = rest.get(..at).unwrap_or_default().trim_end();
            last_word(before).0 != "auto"
        });
        !loops && !both && !rest.contains("||")
    }

    /// The variables that hang on the thread. Which slice a thread takes does not say how large it is.
    fn by_thread(&self) -> Vec<&str> {
        let mut plain = self.code.to_owned();
        for word in ["get_slice", "get_thread_slice", "local_partition"] {
            for at in places(self.code, word) {
                let end = at + word.len();
                let length = self.code.get(end..).and_then(arguments).map_or(0, |args| args.len() + 2);
                blank(&mut plain, end, length);
            }
        }
        let mut found: Vec<&str> = Vec::new();
        for _ in 0..MAX_ROUNDS {
            let before = found.len();
            for (at, _) in plain.match_indices(['=', '(', '{']).take(MAX_WORDS) {
                let name = last_word(
                    self.code.get(..at).unwrap_or_default().trim_end_matches(['+', '-', '*', '/', '|', '&', '^', ' ']),
                );
                let (name, front) = name;
                let sets = plain.get(at..).is_some_and(|rest| rest.starts_with('=') && !rest.starts_with("=="));
                if name.is_empty() || (!sets && !declares(front.trim_end())) || found.contains(&name) {
                    continue;
                }
                let value = plain.get(at + 1..).unwrap_or_default().split(';').next().unwrap_or_default();
                if places(value, "threadIdx").next().is_some()
                    || found.iter().any(|other| places(value, other).next().is_some())
                {
                    found.push(name);
                }
            }
            if found.len() == before {
                break;
            }
        }
        found
    }

    /// Whether the file declares a type of this name.
    fn is_type(&self, word: &str) -> bool {
        !defines_macro(self.file, word)
            && places(self.file, word).any(|at| {
                let before = self.file.get(..at).unwrap_or_default().trim_end();
                ["class", "struct", "typename", "using"].contains(&last_word(before).0)
            })
    }

    /// Whether a variable of this name is declared here.
    fn is_variable(&self, word: &str) -> bool {
        places(self.code, word).any(|at| {
            let before = self.code.get(..at).unwrap_or_default();
            let after = self.code.get(at + word.len()..).unwrap_or_default().trim_start();
            declares(before.trim_end()) && after.starts_with(['=', '(', '{']) && !after.starts_with("==")
        }) || places(self.head, word).next().is_some()
    }

    /// Whether it is a lambda that stands here.
    fn is_lambda(&self, word: &str) -> bool {
        places(self.code, word).any(|at| {
            let after = self.code.get(at + word.len()..).unwrap_or_default().trim_start();
            after.strip_prefix('=').is_some_and(|value| value.trim_start().starts_with('['))
        })
    }
}

/// The next identifier of a text.
fn next_word(text: &str, from: usize) -> Option<(usize, &str)> {
    let rest = text.get(from..)?;
    let start = from + rest.bytes().position(is_identifier)?;
    let word = text.get(start..)?;
    let length = word.bytes().take_while(|byte| is_identifier(*byte)).count();
    Some((start, word.get(..length)?))
}

/// Where the parenthesis opens that follows a name, template arguments between them left out.
fn opens(code: &str, at: usize) -> Option<usize> {
    let rest = code.get(at..)?;
    let trimmed = rest.trim_start();
    let start = at + rest.len() - trimmed.len();
    if trimmed.starts_with('(') {
        return Some(start);
    }
    let mut depth = 0_usize;
    for (offset, sign) in trimmed.char_indices().take(MAX_ARGUMENTS).take_while(|_| trimmed.starts_with('<')) {
        match sign {
            '<' => depth += 1,
            '>' => depth -= 1,
            ';' => return None,
            _ => {}
        }
        if depth == 0 {
            let after = trimmed.get(offset + 1..)?;
            let open = after.trim_start();
            return open.starts_with('(').then(|| start + offset + 1 + after.len() - open.len());
        }
    }
    None
}

/// What stands in the parentheses at the beginning of a text.
fn arguments(text: &str) -> Option<&str> {
    let inside = text.trim_start().strip_prefix('(')?;
    inside.get(..closing(inside)?)
}

/// Whether a statement begins behind a text.
fn starts_statement(before: &str) -> bool {
    before.is_empty() || before.ends_with([';', '{', '}', ')']) || ["else", "do"].contains(&last_word(before).0)
}

/// Whether a text ends with what may be a type, so that a name behind it is declared.
fn declares(before: &str) -> bool {
    let (word, front) = last_word(before);
    let keyword = ["case", "co_return", "do", "else", "return", "throw"].contains(&word);
    if word.is_empty() {
        // `Layout<_1> x`, `auto& x`.
        return before.ends_with('>') && !before.ends_with("->")
            || before.strip_suffix(['&', '*']).is_some_and(|ty| last_word(ty.trim_end()).0 == "auto");
    }
    !keyword && !word.bytes().all(|byte| byte.is_ascii_digit()) && !front.ends_with(['.', '#'])
}

/// Blanks a part of a text.
fn blank(text: &mut String, at: usize, length: usize) {
    let end = at.saturating_add(length).min(text.len());
    if text.is_char_boundary(at) && text.is_char_boundary(end) && at < end {
        text.replace_range(at..end, &" ".repeat(end - at));
    }
}
