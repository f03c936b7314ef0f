//! Text that is damaged: an error or a report, soon, and no panic.

use razorgirl_ptx::eval::Launch;
use razorgirl_ptx::read::read;
use razorgirl_ptx::report::report;
use std::time::Instant;

const SM80: &str = include_str!("fixtures/kernels_sm80.ptx");

/// Numbers that look random, from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n
    }
}

/// The kernels of the fixture, each as a module of its own.
fn modules() -> Vec<String> {
    let code = &SM80[..SM80.find("\t.section").unwrap()];
    let (head, bodies) = code.split_once(".entry").unwrap();
    bodies.split(".entry").map(|body| format!("{head}.entry{}", body.rsplit_once('}').unwrap().0) + "}\n").collect()
}

fn look(text: &str) -> usize {
    let Ok(module) = read(text) else { return 0 };
    let launch = Launch { block: Some([32, 2, 1]), shared_bytes: Some(4096), ..Launch::default() };
    report(&module, &launch, "").iter().map(|x| x.rows.len()).sum()
}

#[test]
fn damaged_kernels() {
    let modules = modules();
    assert_eq!(modules.iter().filter(|x| look(x) > 0).count(), 14);
    let words = [
        "0",
        "-1",
        "31",
        "32",
        "64",
        "4294967295",
        "18446744073709551615",
        "0x8000000000000000",
        "%tid.x",
        "%laneid",
        "ret",
        "bra",
        "s64",
        "u16",
        "b8",
        "v4",
        "_",
        "{",
        "}",
        "[",
        "]",
        "@",
        "!",
        ";",
        ",",
        "+",
        "|",
        "",
        "shared",
        "wide",
        "hi",
        "\u{fc}",
    ];
    let (mut random, start, mut evaluated) = (Random(7), Instant::now(), 0);
    for round in 0..4000 {
        let lines: Vec<&str> = modules[round % modules.len()].lines().collect();
        let mut lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        for _ in 0..=random.below(3) {
            let at = random.below(lines.len());
            let other = lines[random.below(lines.len())].clone();
            match random.below(5) {
                0 => lines[at].clear(),
                1 => lines.insert(at, other),
                2 => lines.swap(at, 0),
                _ => {
                    // a word of the line becomes another
                    let parts: Vec<&str> = lines[at].split_inclusive([' ', '\t', ',', '.', ';', '[', ']']).collect();
                    if !parts.is_empty() {
                        let which = random.below(parts.len());
                        let end = parts[which]
                            .chars()
                            .last()
                            .filter(|x| !x.is_alphanumeric())
                            .map_or(String::new(), String::from);
                        let new = format!("{}{end}", words[random.below(words.len())]);
                        let all: Vec<&str> =
                            parts.iter().enumerate().map(|(i, x)| if i == which { new.as_str() } else { x }).collect();
                        lines[at] = all.concat();
                    }
                }
            }
        }
        evaluated += usize::from(look(&lines.join("\n")) > 0);
    }
    assert!(evaluated > 1000, "{evaluated}");
    assert!(start.elapsed().as_secs() < 300, "{:?}", start.elapsed());
}
