//! A reader of one kernel, line by line: enough for what the judge runs, and no more.

use std::collections::HashMap;

#[derive(Debug, Clone)]
pub enum Arg {
    Register(usize),
    Number(u64),
    /// `%tid.x`, or the name of a variable.
    Name(String),
    List(Vec<Arg>),
    /// `[base+offset]`
    At(Box<Arg>, i64),
}

#[derive(Debug, Clone)]
pub struct Line {
    /// The line of the text, from 1.
    pub number: u32,
    pub guard: Option<(usize, bool)>,
    pub op: Vec<String>,
    pub args: Vec<Arg>,
}

#[derive(Debug)]
pub struct Array {
    pub name: String,
    pub align: u64,
    pub bytes: u64,
}

#[derive(Debug, Default)]
pub struct Program {
    /// Width of each register; 1 for predicates.
    pub widths: Vec<u32>,
    pub params: Vec<(String, u32)>,
    pub arrays: Vec<Array>,
    pub code: Vec<Line>,
    pub labels: HashMap<String, usize>,
}

fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut all) = (0, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                all.push(text[from..i].trim());
                from = i + 1;
            }
            _ => {}
        }
    }
    if !text[from..].trim().is_empty() {
        all.push(text[from..].trim());
    }
    all
}

fn number(text: &str) -> Option<u64> {
    let text = text.strip_suffix('U').unwrap_or(text);
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |x| (true, x));
    let value = match text.get(..2) {
        Some("0f" | "0x") => u64::from_str_radix(&text[2..], 16).ok()?,
        _ => text.parse().ok()?,
    };
    Some(if negative { value.wrapping_neg() } else { value })
}

impl Program {
    /// The kernel whose name contains this; dynamic shared memory has so many bytes.
    pub fn read(text: &str, name: &str, dynamic: u64) -> Self {
        let mut program = Self::default();
        let mut registers: HashMap<String, usize> = HashMap::new();
        let (mut here, mut body) = (false, false);
        for (i, line) in text.lines().enumerate() {
            let line = line.split("//").next().unwrap_or("").trim();
            if line.starts_with(".extern .shared") || (body && line.starts_with(".shared")) {
                let words: Vec<&str> = line.trim_end_matches(';').split_whitespace().collect();
                let align = words.iter().position(|x| *x == ".align").map_or(1, |x| words[x + 1].parse().unwrap());
                let (name, size) = words[words.len() - 1].split_once('[').unwrap();
                let bytes = size.trim_end_matches(']').parse().unwrap_or(dynamic);
                program.arrays.push(Array { name: name.to_owned(), align, bytes });
            } else if line.contains(".entry") {
                here = line.contains(name);
                body = false;
            } else if here && !body && line.starts_with(".param") {
                let words: Vec<&str> = line.trim_end_matches(',').split_whitespace().collect();
                let width = words[1][2..].parse().unwrap();
                program.params.push((words[words.len() - 1].to_owned(), width));
            } else if here && line == "{" {
                body = true;
            } else if here && body && line == "}" {
                break;
            } else if here && body && line.starts_with(".reg") {
                let words: Vec<&str> = line.trim_end_matches(';').split_whitespace().collect();
                let width = if words[1] == ".pred" { 1 } else { words[1][2..].parse().unwrap() };
                let (prefix, count) = words[2].split_once('<').unwrap();
                for k in 0..count.trim_end_matches('>').parse::<usize>().unwrap() {
                    registers.insert(format!("{prefix}{k}"), program.widths.len());
                    program.widths.push(width);
                }
            } else if here && body && line.ends_with(':') {
                program.labels.insert(line.trim_end_matches(':').to_owned(), program.code.len());
            } else if here && body && !line.is_empty() && !line.starts_with('.') {
                program.code.push(Self::line(line, u32::try_from(i).unwrap() + 1, &registers));
            }
        }
        assert!(!program.code.is_empty(), "no kernel {name}");
        program
    }

    fn line(text: &str, number: u32, registers: &HashMap<String, usize>) -> Line {
        let text = text.trim_end_matches(';').trim();
        let (guard, text) = match text.strip_prefix('@') {
            Some(rest) => {
                let (guard, rest) = rest.split_once(char::is_whitespace).unwrap();
                (Some((registers[guard.trim_start_matches('!')], guard.starts_with('!'))), rest.trim())
            }
            None => (None, text),
        };
        let (op, args) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let args = split(args.trim()).into_iter().map(|x| Self::arg(x, registers)).collect();
        Line { number, guard, op: op.split('.').map(str::to_owned).collect(), args }
    }

    fn arg(text: &str, registers: &HashMap<String, usize>) -> Arg {
        if let Some(inner) = text.strip_prefix('[') {
            let inner = inner.trim_end_matches(']');
            let (base, offset) = inner.split_once('+').unwrap_or((inner, "0"));
            return Arg::At(Box::new(Self::arg(base.trim(), registers)), offset.trim().parse().unwrap());
        }
        if let Some(inner) = text.strip_prefix('{') {
            return Arg::List(
                split(inner.trim_end_matches('}')).into_iter().map(|x| Self::arg(x, registers)).collect(),
            );
        }
        if let Some(register) = registers.get(text) {
            return Arg::Register(*register);
        }
        number(text).map_or_else(|| Arg::Name(text.to_owned()), Arg::Number)
    }
}
