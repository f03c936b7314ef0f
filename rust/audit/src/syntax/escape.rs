//! What a function does with a variable where its name stands, by the syntax tree: it reads the value, hands it to something, or may change it from
//! there on. Whatever cannot be followed may change it: an address, a reference in any form, a capture, an operand of `asm`, a place that the grammar
//! did not understand.

use std::cell::OnceCell;
use std::ops::{Deref, Range};

use tree_sitter::{Language, Node, Parser, Tree};

use super::bounded::{self, MAX_PARSED};
use super::kind::{Field, Kind, child_of, kind_of};
use super::mask::readable;
use crate::source::{angled, code, last_word, macros, places};

/// How deeply expressions nest.
const MAX_DEPTH: usize = 200;

/// What stands before the body of a function when it is parsed by itself.
const HEAD: &str = "void f() ";

/// What a place does with a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use<'c> {
    /// It reads the value.
    Reads,
    /// It hands it to a function, or makes an object of it.
    Given(Given<'c>),
    /// It changes it, or something may from there on.
    Escapes,
}

/// What a variable is handed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Given<'c> {
    /// The last name of the function or the type, and all of it as it is written.
    pub to: &'c str,
    pub path: &'c str,
    /// Whether it is a function that is no member.
    pub free: bool,
    /// Whether it is a type, of which an object is made.
    pub made: bool,
    /// Whether nobody uses what a function returns: `round(ld);`.
    pub alone: bool,
}

/// The code of a function, its comments and literals blanked, and its syntax tree once that is asked for.
#[derive(Debug)]
pub struct Code {
    text: String,
    /// What the grammar is given, and where the body begins in the text.
    body: Option<(Vec<u8>, usize)>,
    tree: OnceCell<Option<Tree>>,
    /// The bodies of the file's macros that the function uses, with their parameters.
    macros: Vec<(Vec<String>, String)>,
}

impl Deref for Code {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl Code {
    /// The code of a function, and the file that it stands in.
    pub fn new(text: &str, file: &str) -> Self {
        let plain = code(text);
        let body = body(&plain).map(|at| {
            let rest = text.get(at..).unwrap_or_default();
            let mut bytes = rest.as_bytes().to_vec();
            readable(rest, &mut bytes);
            ([HEAD.as_bytes(), &bytes].concat(), at)
        });
        let said = |range: &Range<usize>| file.get(range.clone()).unwrap_or_default().to_owned();
        let used = macros(file).filter(|one| places(&plain, &said(&one.name)).next().is_some());
        let used = used.map(|one| (one.params.iter().flatten().map(said).collect(), code(&said(&one.body))));
        let macros = used.collect();
        Self { text: plain, body, tree: OnceCell::new(), macros }
    }

    /// Whether something may change a variable where its name does not stand: a macro that names it, or an object that stands for a reference.
    pub fn is_hidden(&self, name: &str) -> bool {
        let names = |(params, body): &(Vec<String>, String)| {
            // `a##b` may be any name.
            body.contains("##") || (!params.iter().any(|param| param == name) && places(body, name).next().is_some())
        };
        self.macros.iter().any(names) || self.text.contains("reference_wrapper")
    }

    /// What is done with a variable, or a part of one, that stands in a range of the text.
    pub fn at(&self, range: Range<usize>) -> Use<'_> {
        self.used(range).unwrap_or(Use::Escapes)
    }

    /// Whether a variable that is declared in the function has one value wherever its name stands. `takes` says what takes its arguments by
    /// value.
    pub fn keeps(&self, name: &str, declared: usize, takes: &dyn Fn(&Given<'_>) -> bool) -> bool {
        let mut all = places(&self.text, name).filter(|at| *at != declared);
        !name.is_empty()
            && !self.is_hidden(name)
            && all.all(|at| match self.at(at..at + name.len()) {
                Use::Reads => true,
                Use::Given(given) => takes(&given),
                Use::Escapes => false,
            })
    }

    fn tree(&self) -> Option<&Tree> {
        let parse = || {
            let (bytes, _) = self.body.as_ref().filter(|(bytes, _)| bytes.len() <= MAX_PARSED)?;
            let mut parser = Parser::new();
            parser.set_language(&Language::new(tree_sitter_cuda::LANGUAGE)).ok()?;
            bounded::parse(&mut parser, bytes)
        };
        self.tree.get_or_init(parse).as_ref()
    }

    fn used(&self, range: Range<usize>) -> Option<Use<'_>> {
        let begin = self.body.as_ref()?.1;
        let place = |at: usize| Some(at.checked_sub(begin)? + HEAD.len());
        let (start, end) = (place(range.start)?, place(range.end)?);
        let node = self.tree()?.root_node().descendant_for_byte_range(start, end)?;
        // A name in a bracket that the grammar does not know, in a directive, or a name that is longer.
        (node.start_byte() == start && node.end_byte() == end).then_some(())?;
        self.climb(node)
    }

    /// What an expression is used for, by what stands around it.
    fn climb(&self, from: Node<'_>) -> Option<Use<'_>> {
        let mut at = from;
        let mut found = None;
        for _ in 0..MAX_DEPTH {
            if at.is_error() || at.is_missing() || at.has_error() {
                return None;
            }
            let around = at.parent()?;
            if around.is_error() {
                return None;
            }
            // What was found holds where the grammar understood all of the statement.
            if found.is_none()
                && let Step::Is(is) = self.step(at, around)?
            {
                found = Some(is);
            }
            if found.is_some() && ends(at, around) {
                return found;
            }
            at = around;
        }
        None
    }

    /// What the node around an expression does with it; none where it may do anything.
    fn step<'t>(&self, at: Node<'t>, around: Node<'t>) -> Option<Step<'_>> {
        let is = |field| child_of(around, field) == Some(at);
        let reads = Some(Step::Is(Use::Reads));
        match around.kind() {
            "parenthesized_expression" | "type_descriptor" | "initializer_list" | "parameter_pack_expansion" => {
                Some(Step::On)
            }
            "comma_expression" if is(Field::Right) => Some(Step::On),
            "for_statement" if !is(Field::Body) => reads,
            "array_declarator" if is(Field::Size) => reads,
            "conditional_expression" if is(Field::Condition) => reads,
            "conditional_expression" => Some(Step::On),
            "initializer_pair" if is(Field::Value) => Some(Step::On),
            "pointer_expression" if self.operator(around) == "*" => reads,
            // An element of what a name points to, and a member of it, are no part of the name's value.
            "subscript_expression" if is(Field::Argument) => reads,
            "field_expression" if is(Field::Argument) && self.operator(around) == "->" => reads,
            "field_expression" if is(Field::Argument) => Some(Step::On),
            // The grammar reads `-M++` as `(-M)++`.
            "unary_expression"
                if around
                    .parent()
                    .is_some_and(|outer| outer.kind() == "update_expression" && outer.child(0) == Some(around)) =>
            {
                None
            }
            // A member of that name is another's: `p.M`.
            "field_expression"
            | "field_designator"
            | "comma_expression"
            | "unary_expression"
            | "sizeof_expression"
            | "alignof_expression"
            | "decltype"
            | "template_argument_list"
            | "subscript_argument_list"
            | "subscript_designator"
            | "condition_clause"
            | "return_statement"
            | "co_return_statement"
            | "throw_statement"
            | "expression_statement"
            | "case_statement"
            | "do_statement"
            | "static_assert_declaration"
            | "kernel_call_syntax"
            | "new_declarator"
            | "gnu_asm_input_operand" => reads,
            // A cast to a reference refers to it. What reads as a type is an operand: `(M) + 1`.
            "cast_expression" if is(Field::Type) => reads,
            "cast_expression" => {
                let ty = child_of(around, Field::Type)?;
                (!self.said(ty).contains('&')).then_some(Step::Is(Use::Reads))
            }
            "binary_expression" => {
                let right = is(Field::Right);
                // A stream may fill what stands there, and an archive.
                (!(right && matches!(self.operator(around), ">>" | "&"))).then_some(Step::Is(Use::Reads))
            }
            "assignment_expression" if is(Field::Right) => {
                let left = child_of(around, Field::Left)?;
                let plain = matches!(
                    left.kind(),
                    "identifier" | "field_expression" | "subscript_expression" | "pointer_expression"
                );
                plain.then_some(Step::Is(Use::Reads))
            }
            "lambda_capture_specifier" => {
                let before = at.prev_sibling().map(|before| before.kind());
                matches!(before, Some("," | "[" | "lambda_default_capture")).then_some(Step::Is(Use::Reads))
            }
            "lambda_capture_initializer" if is(Field::Right) => {
                let first = around.child(0)?;
                (first.kind() != "&").then_some(Step::Is(Use::Reads))
            }
            "call_expression" if is(Field::Function) => reads,
            // `get<0>(M)`, by [`Self::called`].
            "call_expression" if is(Field::Arguments) => Some(Step::On),
            "argument_list" => match around.parent()?.kind() {
                "call_expression" => self.called(around.parent()?),
                "init_declarator" => Some(Step::On),
                _ => None,
            },
            "init_declarator" if is(Field::Value) => {
                self.declares(child_of(around, Field::Declarator)?, around.parent()?)
            }
            // `if (int n = M)`
            "declaration" | "field_declaration" if is(Field::Value) => {
                self.declares(child_of(around, Field::Declarator)?, around)
            }
            // `std::vector<float> a(M);` reads as a function that takes an `M`, and `a(M * N)` as one that takes pointers of that type.
            "parameter_declaration" => self.parameter(at, around),
            "pointer_declarator" if around.parent()?.kind() == "parameter_declaration" => Some(Step::On),
            "compound_literal_expression" if is(Field::Value) => self.makes(child_of(around, Field::Type)?),
            _ => None,
        }
    }

    /// What a function is that a variable is an argument of.
    fn called(&self, call: Node<'_>) -> Option<Step<'_>> {
        // Kernels take values.
        if call.named_children(&mut call.walk()).any(|child| kind_of(child) == Kind::KernelCall) {
            return Some(Step::Is(Use::Reads));
        }
        let callee = child_of(call, Field::Function)?;
        let said = self.said(callee);
        // `f<int&>(M)` and `static_cast<int&>(M)`
        let (name, list) = said.split_once('<').unwrap_or((said, ""));
        if list.contains('&') {
            return None;
        }
        let (to, front) = last_word(name.trim_end());
        // `p.template f<3>(M)`
        let front = front.trim_end();
        let front = front.strip_suffix("template").unwrap_or(front).trim_end();
        let free = !front.ends_with(['.', '>']);
        // A part of the value, which may be assigned to: `get<0>(M) = 4`.
        if free && to == "get" && !list.is_empty() {
            return Some(Step::On);
        }
        let alone = call.parent().is_some_and(|parent| kind_of(parent) == Kind::ExpressionStatement);
        Some(Step::Is(Use::Given(Given { to, path: said, free, made: false, alone })))
    }

    /// What a declaration of a variable with a value does.
    fn declares(&self, declarator: Node<'_>, declaration: Node<'_>) -> Option<Step<'_>> {
        let mut name = declarator;
        while kind_of(name) == Kind::ArrayDeclarator {
            name = child_of(name, Field::Declarator)?;
        }
        if !matches!(kind_of(name), Kind::Identifier | Kind::FieldIdentifier | Kind::StructuredBinding) {
            return None;
        }
        self.makes(child_of(declaration, Field::Type)?)
    }

    /// What making an object of a type does.
    fn makes(&self, ty: Node<'_>) -> Option<Step<'_>> {
        let said = self.said(ty);
        if matches!(kind_of(ty), Kind::PrimitiveType | Kind::SizedType) || said == "auto" {
            return Some(Step::Is(Use::Reads));
        }
        let name = said.split('<').next().unwrap_or_default();
        let (to, front) = last_word(name.trim_end());
        let list = said.get(name.len()..).unwrap_or_default();
        let plain = !to.is_empty() && !list.contains(['&', '*']) && (list.is_empty() || angled(list).is_some());
        let made = Given { to, path: said, free: front.is_empty() || front.ends_with("::"), made: true, alone: false };
        plain.then_some(Step::Is(Use::Given(made)))
    }

    /// A variable in what reads as a parameter of a function that a block declares.
    fn parameter(&self, at: Node<'_>, parameter: Node<'_>) -> Option<Step<'_>> {
        let function = parameter.parent()?.parent()?;
        let declaration = function.parent()?;
        if kind_of(function) != Kind::FunctionDeclarator || kind_of(declaration) != Kind::Declaration {
            return None;
        }
        let name = child_of(function, Field::Declarator)?;
        if kind_of(name) != Kind::Identifier {
            return None;
        }
        if let Some(declarator) = child_of(parameter, Field::Declarator) {
            // Arithmetic.
            return (kind_of(declarator) == Kind::PointerDeclarator).then_some(Step::Is(Use::Reads));
        }
        if child_of(parameter, Field::Type) != Some(at) {
            return None;
        }
        self.makes(child_of(declaration, Field::Type)?)
    }

    fn operator(&self, node: Node<'_>) -> &str {
        child_of(node, Field::Operator).map_or("", |operator| self.said(operator))
    }

    /// The text of a node.
    fn said(&self, node: Node<'_>) -> &str {
        let begin = self.body.as_ref().map_or(0, |(_, begin)| *begin);
        let place = |at: usize| (at + begin).saturating_sub(HEAD.len());
        self.text.get(place(node.start_byte())..place(node.end_byte())).unwrap_or_default().trim()
    }
}

/// One step outward.
enum Step<'c> {
    /// The node around has the same value, or is a place in a list.
    On,
    /// What is done is known.
    Is(Use<'c>),
}

/// Whether a statement, or a condition of one, ends between a node and the one around it.
fn ends(at: Node<'_>, around: Node<'_>) -> bool {
    matches!(
        at.kind(),
        "expression_statement" | "declaration" | "return_statement" | "condition_clause" | "field_declaration"
    ) || matches!(
        around.kind(),
        "for_statement" | "for_range_loop" | "do_statement" | "case_statement" | "compound_statement"
    )
}

/// Where the body of a function begins: at the first brace behind its parameters that is in no parentheses.
fn body(code: &str) -> Option<usize> {
    let (mut depth, mut taken) = (0_usize, false);
    code.bytes().position(|byte| {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => {
                depth = depth.saturating_sub(1);
                taken = true;
            }
            b'{' => return depth == 0 && taken,
            _ => {}
        }
        false
    })
}

/// Functions of CuTe that say or make something of what they are given, and change nothing.
pub const PURE: [&str; 46] = [
    "Int",
    "as_position_independent_swizzle_tensor",
    "coalesce",
    "cosize",
    "data",
    "filter",
    "filter_zeros",
    "flatten",
    "get",
    "get_slice",
    "get_thread_slice",
    "group_modes",
    "int",
    "layout",
    "local_partition",
    "local_tile",
    "make_coord",
    "make_fragment_A",
    "make_fragment_B",
    "make_fragment_C",
    "make_fragment_like",
    "make_gmem_ptr",
    "make_identity_tensor",
    "make_layout",
    "make_shape",
    "make_smem_ptr",
    "make_stride",
    "make_tensor",
    "make_tensor_like",
    "partition_A",
    "partition_B",
    "partition_C",
    "partition_D",
    "partition_S",
    "partition_fragment_A",
    "partition_fragment_B",
    "partition_fragment_C",
    "rank",
    "recast",
    "retile_D",
    "retile_S",
    "select",
    "shape",
    "size",
    "static_cast",
    "take",
];

/// What else takes numbers by value, and types that copy them.
const COPIES: [&str; 69] = [
    "C",
    "abs",
    "array",
    "assert",
    "bool",
    "ceil_div",
    "char",
    "clamp",
    "cosize_v",
    "crd2idx",
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
    "cuuint32_t",
    "cuuint64_t",
    "device_vector",
    "dim3",
    "div_up",
    "double",
    "flat_divide",
    "float",
    "fprintf",
    "host_vector",
    "idx2crd",
    "int32_t",
    "int64_t",
    "launch_kernel_on_cluster",
    "logical_divide",
    "long",
    "make_tile",
    "make_tuple",
    "malloc",
    "max",
    "min",
    "pair",
    "print",
    "printf",
    "reserve",
    "resize",
    "round_up",
    "short",
    "size_t",
    "sizeof",
    "ssize_t",
    "tiled_divide",
    "tuple",
    "uint",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "unsigned",
    "vector",
    "zipped_divide",
];

/// Members that take numbers by value: of CuTe's slices and tiled copies, and of containers. `args.get("n", M)` may fill what it is given.
const MEMBERS: [&str; 17] = [
    "get_slice",
    "get_thread_slice",
    "make_fragment_A",
    "make_fragment_B",
    "make_fragment_C",
    "partition_A",
    "partition_B",
    "partition_C",
    "partition_D",
    "partition_S",
    "partition_fragment_A",
    "partition_fragment_B",
    "partition_fragment_C",
    "reserve",
    "resize",
    "retile_D",
    "retile_S",
];

/// Whether a name is one of those that `copies` knows by itself.
pub fn is_listed(given: &Given<'_>) -> bool {
    let lists: [&[&str]; 2] = if given.free { [&PURE, &COPIES] } else { [&MEMBERS, &[]] };
    lists.iter().any(|list| list.binary_search(&given.to).is_ok())
}

/// Whether what a number is handed to copies it. `by_value` says so of other names.
pub fn copies(given: &Given<'_>, by_value: &dyn Fn(&str, bool) -> bool) -> bool {
    is_listed(given) || (given.free && by_value(given.to, given.made))
}

/// What takes a whole `dim3` by value beside what takes numbers.
const TAKES_BLOCKS: [&str; 2] = ["ClusterLaunchParams", "cudaLaunchConfig_t"];

/// Whether what a variable of type `dim3` is handed to copies it.
pub fn copies_block(given: &Given<'_>) -> bool {
    TAKES_BLOCKS.contains(&given.to) || given.path.ends_with("ClusterLauncher::launch")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeps(name: &str, head: &str, rest: &str, block: bool) -> bool {
        let text = format!("void f() {{ {head} {rest} }}");
        let code = Code::new(&text, &text);
        let declared = places(&code, name).next().unwrap();
        let by_value = |name: &str, made: bool| name == "takes" && !made;
        code.keeps(name, declared, &|given| (block && copies_block(given)) || copies(given, &by_value))
    }

    fn settled(rest: &str) -> bool {
        keeps("M", "int M = 1022;", rest, false)
    }

    #[test]
    fn the_lists_are_sorted() {
        assert!(COPIES.is_sorted() && PURE.is_sorted() && MEMBERS.is_sorted());
    }

    #[test]
    fn what_only_uses_a_variable_leaves_it_alone() {
        for rest in [
            "",
            "auto l = make_layout(make_shape(M, N), make_stride(1, M));",
            "cudaMalloc(&a, M * N * sizeof(float)); for (int i = 0; i < M; ++i) { a[i + M] = 0; }",
            "if (M % 4 == 0 && N == M) { } int k = M; dim3 grid(M, 2); dim3 other{M}; std::vector<float> h(M);",
            "std::vector<float> h(M * N), g(N * M); dim3 grid(M);",
            "kernel<<<(M + 127) / 128, 128>>>(a, M); kernel<<<grid, 128>>>(a, N, M);",
            "f(); kernel<<<grid, dim3(128), M, stream>>>(a);",
            "// M = 3, f(M)\n printf(\"M = %d\", M);",
            "auto s = R\"(M = 3; \" )\"; log(s);",
            "takes(M, 3); lib::takes<float>(1, M);",
            "if (M > 48 << 10) { CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, M)); }",
            "auto p = M > 3 ? 1 : M; thrust::host_vector<int> h(M); cute::ceil_div(M, 2); a[M] = 0; auto t = cute::make_tuple(M);",
            "int k = get<0>(M) + 1; auto s = make_shape(cute::get<1>(M), 3);",
            "v.resize(M); w.reserve(M); auto t = copy.get_slice(M);",
            "options.M = 3; int a[M]; p->M(M + 1); Params q = {.M = 4}; auto g = [M] { return M; };",
            "while (M > n) { ++n; } switch (M) { case 3: break; } do { } while (n < M); x = (int)M; throw M;",
            "CUTE_UNROLL\n for (int i = 0; i < M; ++i) { }",
        ] {
            assert!(settled(rest), "{rest}");
        }
    }

    #[test]
    fn what_may_change_a_variable_does() {
        for rest in [
            "object.takes(M);",
            "args.get(\"m\", M);",
            "args->size(M);",
            "parser.template get<int>(M);",
            "f().select(M);",
            "get<0>(M) = 3;",
            "auto& r = std::get<0>(M);",
            "int k = -M++;",
            "int k = !M--;",
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
            "fill(M);",
            "std::cin >> M;",
            "archive & M;",
            "int& m = M;",
            "auto &&m = M;",
            "auto f = [&M] { };",
            "auto f = [&m = M] { };",
            "std::tie(M, N) = sizes();",
            "auto [a, b] = std::swap(M, N);",
            "auto s = R\"(say \"x)\"; M = 4; log(s);",
            "int& r{M};",
            "int& r(M);",
            "Number& r{M};",
            "Number& r(M);",
            "auto& r(M);",
            "struct P { int& x; }; P q{M};",
            "struct P { int& x; }; P q = {M};",
            "P q(M);",
            "P q = P{M};",
            "f({M});",
            "new P(M);",
            "int& r = c ? M : other;",
            "(c ? M : other) = 4;",
            "(n, M) = 4;",
            "int& r = (M);",
            "decltype(auto) r = (M);",
            "if (int& r = M; r > 0) { }",
            "for (int& r : {M}) { }",
            "std::reference_wrapper<int> r = M;",
            "std::tuple<int&> r{M};",
            "static_cast<int&>(M) = 4;",
            "(int&)M = 4;",
            "takes<int&>(M);",
            "asm(\"add %0, 1;\" : \"+r\"(M));",
            "\n#define BUMP M = 4\n BUMP;",
            "int* p = &M;",
            "void* args[] = {&M};",
            "int (&r)[1] = (int (&)[1])M;",
            "M $ 3;",
        ] {
            assert!(!settled(rest), "{rest}");
        }
        // A macro's parameter of that name is another.
        let function = "void f() { int M = 3; BUMP(n); }";
        for (define, kept) in
            [("BUMP(M) ++M", true), ("BUMP(n) M += n", false), ("BUMP(n) n##n = 4", false), ("OTHER M = 4", true)]
        {
            let code = Code::new(function, &format!("#define {define}\n{function}"));
            assert_eq!(code.keeps("M", function.find('M').unwrap(), &|_| false), kept, "{define}");
        }
    }

    fn keeps_block(rest: &str) -> bool {
        keeps("block", "dim3 block(128);", rest, true)
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
            assert!(keeps_block(rest), "{rest}");
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
            "unsigned& n{block.x};",
            "dim3& b(block);",
            "dim3& b{block};",
            "Holder h{block};",
            "f<3>(block);",
            "auto set = [&b = block] { };",
        ] {
            assert!(!keeps_block(rest), "{rest}");
        }
    }
}
