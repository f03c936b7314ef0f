//! `razorgirl relation`, and its C code as a C compiler takes it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

mod transcript;
use transcript::razorgirl;

fn relation(arguments: &[&str]) -> String {
    razorgirl(&[&["relation"], arguments].concat())
}

/// The lines that answer a request.
fn answer(arguments: &[&str]) -> String {
    relation(arguments).split_once('\n').expect("two lines").1.to_owned()
}

#[test]
fn layouts() {
    let text = [
        relation(&["(4,8):(1,4)"]),
        relation(&["(32,32):(1,33)"]),
        relation(&["Sw<2,0,3> o 0 o (6,8):(8,1)"]),
        relation(&[r#"{"in":[["lane",[[2],[4],[9]]]],"out":[["offset",16]]}"#]),
        relation(&["(4096,4096):(4097,1)"]),
    ]
    .join("\n");
    insta::assert_snapshot!(text);
}

#[test]
fn relations() {
    let text = [
        relation(&["{ [c] -> [3c + (c mod 2)] : 0 <= c < 8 }"]),
        relation(&["{ [c] -> [c + floor(c/2)] : 0 <= c < 8 }", "--code", "c"]),
        relation(&["[[[0],[2]],[[1],[5]]]", "--code", "c"]),
        relation(&["4:2", "--compose", "{ [x] -> [2x] : 0 <= x < 3 }"]),
        relation(&["4:2", "--inverse"]),
        relation(&["4:2", "--promotes", "3:2"]),
        relation(&["4:2", "--promotes", "2:2"]),
        relation(&["--from", "{ [c] -> [3c] : 0 <= c < 4 }", "--shape", "4"]),
        relation(&["--from", "{ [c] -> [c + 3*floor(c/4)] : 0 <= c < 8 }", "--strides", "(1,7)"]),
        relation(&["--from", "{ [c] -> [c*c] : 0 <= c < 4 }", "--shape", "4"]),
        relation(&["--from", "{ [c] -> [(c mod 3)] : 0 <= c < 4 }", "--shape", "4"]),
        relation(&["--from", "{ [c] -> [c + 2*floor(c/2)] : 0 <= c < 8 }", "--strides", "(1,3)"]),
    ]
    .join("\n");
    insta::assert_snapshot!(text);
}

#[test]
fn mistakes() {
    let text = [
        relation(&[]),
        relation(&["4:2", "--shape", "4"]),
        relation(&["4:2", "--code", "fortran"]),
        relation(&["{ [c] -> [c] : 0 <= c }"]),
        relation(&["{ [c] -> [d] : 0 <= c < 8 }"]),
        relation(&["(4,8):(1,4"]),
        relation(&["Sw<1,0,-70> o 0 o 2:1"]),
    ]
    .join("\n");
    insta::assert_snapshot!(text);
}

/// A layout and a swizzle, if it has one, as numbers.
struct Case {
    modes: Vec<(u64, u64)>,
    swizzle: Option<(u64, u64, i64, u64)>,
}

impl Case {
    fn json(&self) -> String {
        let list = |numbers: Vec<u64>| serde_json::to_string(&numbers).expect("numbers");
        let shape = list(self.modes.iter().map(|mode| mode.0).collect());
        let stride = list(self.modes.iter().map(|mode| mode.1).collect());
        let swizzle = self
            .swizzle
            .map(|(bits, base, shift, start)| format!(",\"swizzle\":[{bits},{base},{shift}],\"offset\":{start}"));
        format!("{{\"shape\":{shape},\"stride\":{stride}{}}}", swizzle.unwrap_or_default())
    }

    fn size(&self) -> u64 {
        self.modes.iter().map(|mode| mode.0).product()
    }

    /// What the layout means: coordinates times strides, then each bit read is added to the bit it changes.
    fn offset(&self, index: u64) -> u64 {
        let (mut rest, mut offset) = (index, 0);
        for (extent, stride) in &self.modes {
            offset += rest % extent * stride;
            rest /= extent;
        }
        let Some((bits, base, shift, start)) = self.swizzle else { return offset };
        offset += start;
        let mut swizzled = offset;
        for bit in base..base + bits {
            let (from, to) =
                if shift < 0 { (bit, bit + shift.unsigned_abs()) } else { (bit + shift.unsigned_abs(), bit) };
            if offset >> from & 1 == 1 {
                swizzled ^= 1 << to;
            }
        }
        swizzled
    }
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    fn extent(&mut self) -> u64 {
        match self.below(10) {
            0..6 => 1 << self.below(6),
            6..9 => 1 + self.below(24),
            _ => 1 + self.below(1 << 16),
        }
    }

    fn case(&mut self) -> Case {
        let extents: Vec<u64> = (0..=self.below(4)).map(|_| self.extent()).collect();
        let mut compact = 1;
        let modes = extents.into_iter().map(|extent| {
            let stride = match self.below(6) {
                0..3 => compact,
                3 => compact + 1,
                4 => self.below(1 << 10),
                _ => 1 << self.below(12),
            };
            // Dense for the next mode, or with a row of padding.
            compact = extent * stride.max(1);
            (extent, stride)
        });
        let modes: Vec<(u64, u64)> = modes.collect();
        let (bits, base, far) = (1 + self.below(3), self.below(5), 3 + self.below(3));
        let shift = i64::try_from(far).expect("small") * if self.below(4) == 0 { -1 } else { 1 };
        let start = if self.below(3) == 0 { self.below(1 << 8) } else { 0 };
        let swizzle = (self.below(2) == 0).then_some((bits, base, shift, start));
        Case { modes, swizzle }
    }
}

/// Random layouts and swizzles, with offsets below 2^62, as one C file: `cc` compiles it, and what it computes is what the layouts mean.
/// `RAZORGIRL_CODE_CASES` says how many.
#[test]
fn a_c_compiler_computes_what_the_layouts_mean() {
    let cases = std::env::var("RAZORGIRL_CODE_CASES").map_or(1000, |cases| cases.parse().expect("a number"));
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let cases: Vec<Case> = (0..cases).map(|_| random.case()).collect();
    let request = |case: &Case| format!("{{\"op\":\"index_code\",\"args\":[{},\"c\"]}}\n", case.json());
    let answers =
        piped(Command::new(env!("CARGO_BIN_EXE_razorgirl")).arg("run"), cases.iter().map(request).collect::<String>());
    let mut source = "#include <inttypes.h>\n#include <stdint.h>\n#include <stdio.h>\n".to_owned();
    for (case, line) in answers.lines().enumerate() {
        let answer: serde_json::Value = serde_json::from_str(line).expect(line);
        let code = answer["result"]["code"].as_str().unwrap_or_else(|| panic!("{}: {line}", cases[case].json()));
        let function = code.replacen(" offset(", &format!(" offset_{case}("), 1);
        write!(source, "{function}\nstatic uint64_t w{case}(uint64_t c) {{ return offset_{case}(c); }}\n")
            .expect("text");
    }
    let table: Vec<String> = (0..cases.len()).map(|case| format!("w{case}")).collect();
    write!(
        source,
        "static uint64_t (*const all[])(uint64_t) = {{ {} }};\nint main(void) {{\n    uint64_t k, c;\n    \
         while (scanf(\"%\" SCNu64 \" %\" SCNu64, &k, &c) == 2) printf(\"%\" PRIu64 \"\\n\", all[k](c));\n    \
         return 0;\n}}\n",
        table.join(", ")
    )
    .expect("text");
    let folder = tempfile::tempdir().expect("a folder");
    let (file, program) = (folder.path().join("code.c"), folder.path().join("code"));
    std::fs::write(&file, source).expect("written");
    let mut compiler = Command::new("cc");
    // A layout of one offset does not use its index.
    compiler
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-O1", "-o"])
        .arg(&program)
        .arg(&file);
    assert!(compiler.status().expect("a C compiler, cc").success());
    let mut asked = Vec::new();
    for (case, layout) in cases.iter().enumerate() {
        let size = layout.size();
        let few = if size <= 256 { 0..size } else { 0..32 };
        asked.extend(few.map(|index| (case, index)));
        asked.extend((0..32).map(|_| (case, random.below(size))));
        asked.push((case, size - 1));
    }
    let lines: Vec<String> = asked.iter().map(|(case, index)| format!("{case} {index}")).collect();
    let computed = piped(&mut Command::new(&program), lines.join("\n"));
    assert_eq!(computed.lines().count(), asked.len());
    for ((case, index), line) in asked.iter().zip(computed.lines()) {
        let case = &cases[*case];
        assert_eq!(line.parse(), Ok(case.offset(*index)), "{} at {index}", case.json());
    }
}

/// What a program prints for this input.
fn piped(command: &mut Command, input: String) -> String {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("its input");
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("written").expect("read");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_code_alone() {
    assert_eq!(answer(&["(32,32):(1,33)", "--code", "python"]), "def offset(c):\n    return c + (c >> 5)\n");
}

#[test]
fn the_code_of_coordinates() {
    for (layout, names, code) in [
        ("(32,32):(1,33)", "row,col", "def offset(row, col):\n    return row + col * 33\n"),
        ("((4,8),2):((2,8),1)", "thread, value", "def offset(thread, value):\n    return (thread << 1) + value\n"),
        (
            "Sw<3,3,3> o 0 o (8,64):(64,1)",
            "x,y",
            "def offset(x, y):\n    unswizzled = (x << 6) + y\n    return unswizzled ^ ((unswizzled >> 3) & 0x38)\n",
        ),
        (
            r#"{"in":[["lane",[[2],[4]]],["warp",[[9]]]],"out":[["offset",16]]}"#,
            "lane,warp",
            "def offset(lane, warp):\n    return (lane << 1) ^ (warp * 9)\n",
        ),
    ] {
        assert_eq!(answer(&[layout, "--code", "python", "--coordinates", names]), code, "{layout}");
    }
    // The code would not compile with these names.
    let keywords = ["row,uint32_t", "row,restrict", "row,constexpr", "row,__host__", "row,None", "row,except"];
    for names in ["row", "row,row", "row,int", "row,1", ""].into_iter().chain(keywords) {
        let refused = relation(&["(32,32):(1,33)", "--code", "c", "--coordinates", names]);
        assert!(refused.ends_with("[status 2]\n"), "{refused}");
    }
    assert!(relation(&["(32,32):(1,33)", "--coordinates", "row,col"]).ends_with("[status 2]\n"));
}
