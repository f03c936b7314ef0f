//! What a place in the code of a function does to an object or an array whose name stands there: reads it, gives a part of it another value,
//! or hands it to what may do anything.

use crate::source::is_identifier;
use crate::syntax::{Code, Given, Use};

/// Members of members, and elements of them.
const MAX_STEPS: usize = 8;

/// How far back the parenthesis of an argument is looked for.
const MAX_BACK: usize = 4_096;

/// Methods of containers that only read.
const READERS: [&str; 4] = ["capacity", "empty", "max_size", "size"];

/// Methods of containers that point to what is in them.
const POINTS: [&str; 4] = ["begin", "cbegin", "cdata", "data"];

/// What a place does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Touch {
    /// Nothing.
    Reads,
    /// It gives a part another value there, in these words.
    Sets(String),
    /// A part may have another value from there on, until it is given one.
    Clears(String),
    /// From then on, something else may change a part at any time.
    Loses(String),
}

/// How a name is used in the code of a function.
pub(super) struct Uses<'s> {
    /// The code of the function.
    pub code: &'s Code,
    pub name: &'s str,
    /// Whether it is an array or a container: to hand on its name is to hand on what is in it.
    pub list: bool,
    /// Which functions take their arguments by value.
    pub by_value: &'s dyn Fn(&Given<'_>) -> bool,
    /// Which functions, by name, argument and place in the code, only read the array that they are given there.
    pub only_reads: &'s dyn Fn(&str, usize, usize) -> bool,
}

impl Uses<'_> {
    /// What is done where the name stands.
    pub(super) fn at(&self, at: usize) -> Touch {
        let before = self.code.get(..at).unwrap_or_default().trim_end();
        // A member of that name is another's.
        if before.ends_with('.') || before.ends_with("->") || before.ends_with("::") {
            return Touch::Reads;
        }
        let part = part(self.code, at + self.name.len());
        let name = part.name();
        let exact = part.known == part.steps.len();
        let Part { steps, known, end } = part;
        let after = self.code.get(end..).unwrap_or_default().trim_start();
        if after.starts_with("->") {
            return Touch::Loses(String::new());
        }
        if after.starts_with('(')
            && let Some((method, of)) = steps.split_last()
        {
            let method = method.trim_start_matches('.');
            let whole = of.iter().take(known).map(String::as_str).collect::<String>();
            return match method {
                _ if READERS.contains(&method) => Touch::Reads,
                _ if POINTS.contains(&method) && self.is_read(at, closed(self.code, end)) => Touch::Reads,
                _ => Touch::Loses(whole),
            };
        }
        let changes = ["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];
        if after.starts_with('=') && !after.starts_with("==")
            || changes.iter().any(|sign| after.starts_with(sign))
            || before.ends_with("++")
            || before.ends_with("--")
        {
            let plain = exact && after.starts_with('=') && !before.ends_with("++") && !before.ends_with("--");
            return if plain { Touch::Sets(name) } else { Touch::Clears(name) };
        }
        if before.ends_with('&') && !before.ends_with("&&") {
            let start = before.len() - 1;
            let first = self.list && steps.iter().map(String::as_str).collect::<String>() == "[0]";
            if first && self.is_read(start, end) {
                return Touch::Reads;
            }
            // What fills an object with zeros does not come back to it.
            let fills = argument(self.code, start).is_some_and(|(word, index)| word == "memset" && index == 0);
            if fills {
                return Touch::Clears(name);
            }
            // The address of one element is one of all.
            let of = steps.iter().take(known).take_while(|step| !step.starts_with('['));
            return Touch::Loses(of.map(String::as_str).collect());
        }
        let sized = before.strip_suffix('(').unwrap_or(before).trim_end().ends_with("sizeof");
        if sized || self.is_read(at, end) {
            return Touch::Reads;
        }
        // `for (auto& x : p.box)`
        let looped = before.ends_with(':') && argument(self.code, at).is_some_and(|(word, _)| word == "for");
        let handed = self.list && steps.is_empty();
        let reads = || match self.code.at(at..end) {
            Use::Reads => true,
            Use::Given(given) => (self.by_value)(&given),
            Use::Escapes => false,
        };
        if !handed && !looped && reads() { Touch::Reads } else { Touch::Loses(name) }
    }

    /// Whether a stretch of code is the whole of an argument of a function that only reads what it is given there.
    fn is_read(&self, start: usize, end: usize) -> bool {
        let whole = self.code.get(..start).unwrap_or_default().trim_end().ends_with(['(', ','])
            && self.code.get(end..).unwrap_or_default().trim_start().starts_with([')', ',']);
        whole && argument(self.code, start).is_some_and(|(word, index)| (self.only_reads)(word, index, start))
    }
}

/// Members and elements that follow a name.
struct Part {
    steps: Vec<String>,
    /// How many of the steps are known, before an index that is none of digits.
    known: usize,
    end: usize,
}

impl Part {
    fn name(&self) -> String {
        self.steps.iter().take(self.known).map(String::as_str).collect()
    }
}

fn part(code: &str, from: usize) -> Part {
    let mut part = Part { steps: Vec::new(), known: 0, end: from };
    let mut known = true;
    for _ in 0..MAX_STEPS {
        let rest = code.get(part.end..).unwrap_or_default();
        let skipped = rest.len() - rest.trim_start().len();
        let rest = rest.trim_start();
        if let Some(member) = rest.strip_prefix('.') {
            let space = member.len() - member.trim_start().len();
            let member = member.trim_start();
            let length = member.bytes().take_while(|byte| is_identifier(*byte)).count();
            let Some(name) = member.get(..length).filter(|name| !name.is_empty()) else { break };
            part.steps.push(format!(".{name}"));
            part.end += skipped + 1 + space + length;
        } else if rest.starts_with('[') {
            let end = closed(code, part.end + skipped);
            let index = code.get(part.end + skipped + 1..end.saturating_sub(1)).unwrap_or_default().trim();
            let digits = index.trim_end_matches(['u', 'U', 'l', 'L']);
            known &= !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            part.steps.push(format!("[{}]", digits.parse::<u64>().unwrap_or(0)));
            if end <= part.end {
                break;
            }
            part.end = end;
        } else {
            break;
        }
        part.known += usize::from(known);
    }
    part
}

/// One past the bracket that closes the one at a place, or after spaces there.
fn closed(code: &str, at: usize) -> usize {
    let mut depth = 0_usize;
    for (offset, byte) in code.bytes().enumerate().skip(at) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return offset + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}

/// The function that is called with what stands at a place among its arguments, and which of them it is: none that there is where that
/// cannot be told.
fn argument(code: &str, at: usize) -> Option<(&str, usize)> {
    let mut depth = 0_usize;
    let mut index = 0;
    let mut plain = true;
    for (offset, sign) in code.get(..at)?.char_indices().rev().take(MAX_BACK) {
        match sign {
            ')' | ']' | '}' => depth += 1,
            '(' if depth == 0 => {
                let before = code.get(..offset)?.trim_end();
                let start = before.bytes().rposition(|byte| !is_identifier(byte)).map_or(0, |at| at + 1);
                return Some((before.get(start..)?, if plain { index } else { usize::MAX }));
            }
            '(' | '[' | '{' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => index += 1,
            // Commas between template arguments are none between these.
            '<' | '>' => plain = false,
            ';' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(text: &str, name: &str, list: bool) -> Touch {
        let by_value = |given: &Given<'_>| given.to == "takes" && given.free;
        let only_reads = |word: &str, index: usize, _: usize| word == "reads" && index == 1;
        let code = Code::new(&format!("void f() {{ {text}; }}"), "");
        let uses = Uses { code: &code, name, list, by_value: &by_value, only_reads: &only_reads };
        uses.at(crate::source::places(&code, name).next().unwrap())
    }

    #[test]
    fn what_reads_an_object_or_array_leaves_it_alone() {
        for text in [
            "int n = p.ld;",
            "takes(p.ld)",
            "k<<<1, 2>>>(p);",
            "q.p = 3;",
            "takes(p)",
            "f<<<g, b>>>(x, p.a.b);",
            "sizeof(p)",
        ] {
            assert_eq!(touch(text, "p", false), Touch::Reads, "{text}");
        }
        for text in
            ["reads(x, b)", "reads(x, b.data(), 3)", "reads(x, &b[0])", "b.size()", "int n = b[0] * 2;", "sizeof b"]
        {
            assert_eq!(touch(text, "b", true), Touch::Reads, "{text}");
        }
    }

    #[test]
    fn what_changes_a_part_is_told_by_its_name() {
        for (text, part) in
            [("p.ld = 3;", ".ld"), ("p.box[1u] = 3;", ".box[1]"), ("p . a.b = 3;", ".a.b"), ("p = {};", "")]
        {
            assert_eq!(touch(text, "p", false), Touch::Sets(part.to_owned()), "{text}");
        }
        for (text, part) in [
            ("p.ld += 3;", ".ld"),
            ("p.box[i] = 3;", ".box"),
            ("p.box[i].x = 3;", ".box"),
            ("++p.n;", ".n"),
            ("memset(&p, 0, 3);", ""),
        ] {
            assert_eq!(touch(text, "p", false), Touch::Clears(part.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_may_change_a_part_later_is_lost() {
        for (text, part) in [
            ("fill(&p);", ""),
            ("fill(p);", ""),
            ("p.fill(3);", ""),
            ("auto& q = p;", ""),
            ("cudaMalloc(&p.ptr, 3);", ".ptr"),
            ("auto& n = p.ld;", ".ld"),
            ("p->ld = 3;", ""),
            ("for (auto& x : p.box) { }", ".box"),
        ] {
            assert_eq!(touch(text, "p", false), Touch::Loses(part.to_owned()), "{text}");
        }
        for text in [
            "auto* q = b;",
            "reads(b, x)",
            "fill(b + 1)",
            "for (auto& x : b) { }",
            "return b;",
            "reads(x, &b[1])",
            "b.resize(3)",
        ] {
            assert!(matches!(touch(text, "b", true), Touch::Loses(_)), "{text}");
        }
    }
}
