//! The text of a pipeline.

use crate::expression::Expression;
use crate::program::{Access, Barrier, Buffer, Instruction, Operation, Parameter, Pipe, Place, Program, Role, Unit};
use std::collections::BTreeMap;
use std::fmt;

/// Longer texts are refused.
const BYTES: usize = 1 << 20;
/// Most roles, barrier slots, buffer slots, and operations of a role.
const ROLES: usize = 64;
const SLOTS: i64 = 1024;
const CODE: usize = 4096;
/// Most loops and conditions inside one another.
const NESTING: usize = 16;

/// A text that is no pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// line, from 1
    pub line: usize,
    /// column, from 1
    pub column: usize,
    /// what is wrong there
    pub message: String,
    /// what to write instead
    pub help: Option<String>,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

struct Word<'a> {
    column: usize,
    text: &'a str,
}

struct Line<'a> {
    number: usize,
    indent: usize,
    text: &'a str,
    words: Vec<Word<'a>>,
}

impl<'a> Line<'a> {
    fn error(&self, word: usize, message: impl Into<String>) -> ParseError {
        let column = self.words.get(word).map_or(self.text.len() + 1, |w| w.column);
        ParseError { line: self.number, column, message: message.into(), help: None }
    }

    fn word(&self, n: usize, what: &str) -> Result<&'a str, ParseError> {
        self.words.get(n).map(|w| w.text).ok_or_else(|| self.error(n, format!("expected {what}")))
    }

    fn end(&self, n: usize) -> Result<(), ParseError> {
        match self.words.get(n) {
            None => Ok(()),
            Some(w) => Err(self.error(n, format!("unexpected '{}'", w.text))),
        }
    }

    /// The expression from word `n` to word `end`.
    fn expression(&self, n: usize, end: usize, what: &str) -> Result<Expression, ParseError> {
        self.word(n, what)?;
        let start = self.words[n].column - 1;
        let stop = self.words.get(end).map_or(self.text.len(), |w| w.column - 1);
        Expression::parse(&self.text[start..stop]).map_err(|(at, message)| ParseError {
            line: self.number,
            column: start + at + 1,
            message,
            help: None,
        })
    }
}

/// Reads a pipeline. `#` begins a comment; what a role or a loop contains is indented.
///
/// ```text
#[doc = include_str!("grammar.txt")]
/// ```
///
/// `B[p-N]` is the slot of `N` positions before.
///
/// # Errors
/// Where the text is no pipeline, with line and column.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let whole = |message: String| ParseError { line: 1, column: 1, message, help: None };
    if text.len() > BYTES {
        return Err(whole(format!("{} bytes; a pipeline has at most {BYTES}", text.len())));
    }
    let mut lines = vec![];
    for (n, raw) in text.lines().enumerate() {
        let text = raw.split('#').next().unwrap_or_default().trim_end();
        let indent = text.len() - text.trim_start().len();
        let words: Vec<Word> = text
            .split_ascii_whitespace()
            .map(|word| Word { column: word.as_ptr() as usize - text.as_ptr() as usize + 1, text: word })
            .collect();
        if !words.is_empty() {
            lines.push(Line { number: n + 1, indent, text, words });
        }
    }
    let mut reader = Reader {
        program: Program {
            name: String::new(),
            constants: BTreeMap::new(),
            parameters: vec![],
            pipes: vec![],
            barriers: vec![],
            buffers: vec![],
            roles: vec![],
            barrier_slots: vec![],
            buffer_slots: vec![],
        },
    };
    let mut at = 0;
    let mut group = 0;
    while at < lines.len() {
        let line = &lines[at];
        at += 1;
        if line.word(0, "a declaration")? == "role" {
            let body = lines[at..].iter().take_while(|l| l.indent > line.indent).count();
            reader.role(line, &lines[at..at + body], group)?;
            at += body;
            group += 1;
        } else {
            reader.declaration(line)?;
        }
    }
    if reader.program.roles.is_empty() {
        return Err(whole("no role: a pipeline has at least one, `role NAME` with indented operations".to_owned()));
    }
    Ok(reader.program)
}

struct Reader {
    program: Program,
}

/// A name, and what stands in brackets behind it: the pipe, and how many positions before.
type Slot<'a> = (&'a str, Option<(&'a str, Option<&'a str>)>);

/// `full[p-1]` in its parts.
fn slot(word: &str) -> Option<Slot<'_>> {
    let Some((name, rest)) = word.split_once('[') else { return Some((word, None)) };
    let inside = rest.strip_suffix(']')?;
    Some((
        name,
        Some(match inside.split_once('-') {
            Some((pipe, back)) => (pipe, Some(back)),
            None => (inside, None),
        }),
    ))
}

fn is_name(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && word.starts_with(|c: char| !c.is_ascii_digit())
        && word.len() <= 64
}

impl Reader {
    fn constant(&self, line: &Line, n: usize, end: usize, what: &str) -> Result<i64, ParseError> {
        let constants = &self.program.constants;
        line.expression(n, end, what)?
            .value(&|name| constants.get(name).copied())
            .ok_or_else(|| line.error(n, format!("{what} must be a number or an expression of constants below 2^63")))
    }

    fn at_least(
        &self,
        line: &Line,
        n: usize,
        end: usize,
        what: &str,
        least: i64,
        most: i64,
    ) -> Result<i64, ParseError> {
        let value = self.constant(line, n, end, what)?;
        if value < least || value > most {
            return Err(line.error(n, format!("{what} is {value}; it must be from {least} to {most}")));
        }
        Ok(value)
    }

    fn new_name<'a>(&self, line: &Line<'a>, n: usize, word: &'a str) -> Result<&'a str, ParseError> {
        let p = &self.program;
        if !is_name(word) {
            return Err(line.error(n, format!("'{word}' is no name: letters, digits and _, at most 64")));
        }
        let taken = p.constants.contains_key(word)
            || p.parameters.iter().any(|x| x.name == word)
            || p.pipes.iter().any(|x| x.name == word)
            || p.barriers.iter().any(|x| x.name == word)
            || p.buffers.iter().any(|x| x.name == word);
        if taken {
            return Err(line.error(n, format!("'{word}' is declared twice")));
        }
        Ok(word)
    }

    fn pipe(&self, line: &Line, n: usize, name: &str) -> Result<usize, ParseError> {
        let found = self.program.pipes.iter().position(|p| p.name == name);
        found.ok_or_else(|| {
            let mut error = line.error(n, format!("no pipe is called '{name}'"));
            error.help = Some(format!("declare it: pipe {name} stages 3"));
            error
        })
    }

    /// Word `n` as a place in `names`.
    fn place(&self, line: &Line, n: usize, barrier: bool) -> Result<Place, ParseError> {
        let what = if barrier { "barrier" } else { "buffer" };
        let word = line.word(n, &format!("a {what}, such as {}", if barrier { "full[p]" } else { "A[p]" }))?;
        let (name, inside) = slot(word).ok_or_else(|| line.error(n, format!("missing ']' in '{word}'")))?;
        let p = &self.program;
        let found = if barrier {
            p.barriers.iter().position(|b| b.name == name).map(|i| (i, p.barriers[i].pipe))
        } else {
            p.buffers.iter().position(|b| b.name == name).map(|i| (i, p.buffers[i].pipe))
        };
        let Some((of, ring)) = found else {
            let mut error = line.error(n, format!("no {what} is called '{name}'"));
            error.help = Some(format!("declare it: {what} {name}[p]{}", if barrier { " count 1" } else { "" }));
            return Err(error);
        };
        let pipe = inside.map(|(pipe, _)| self.pipe(line, n, pipe)).transpose()?;
        match (ring, pipe) {
            (Some(r), Some(q)) if p.pipes[r].stages != p.pipes[q].stages => Err(line.error(
                n,
                format!(
                    "{name} has {} stages, and pipe {} has {}",
                    p.pipes[r].stages, p.pipes[q].name, p.pipes[q].stages
                ),
            )),
            (Some(r), Some(q)) if r != q => Err(line.error(
                n,
                format!(
                    "{name} is a ring of pipe {}; a position of pipe {} would count its phases differently",
                    p.pipes[r].name, p.pipes[q].name
                ),
            )),
            (Some(r), None) => Err(line.error(n, format!("{name} is a ring: write {name}[{}]", p.pipes[r].name))),
            (None, Some(_)) => Err(line.error(n, format!("{name} has one slot: write {name}"))),
            _ => {
                let back = match inside.and_then(|(_, back)| back) {
                    None => 0,
                    Some(back) => {
                        let value =
                            Expression::parse(back).ok().and_then(|e| e.value(&|c| p.constants.get(c).copied()));
                        let most = pipe.map_or(0, |q| p.pipes[q].stages);
                        match value {
                            Some(v) if (0..=most).contains(&v) => v,
                            _ => {
                                return Err(
                                    line.error(n, format!("'{back}' must be from 0 to the stages of the ring, {most}"))
                                );
                            }
                        }
                    }
                };
                Ok(Place { of, pipe, back })
            }
        }
    }

    fn declaration(&mut self, line: &Line) -> Result<(), ParseError> {
        // `cta C` at the end
        let mut end = line.words.len();
        let mut cta = 0;
        if let Some(k) = line.words.iter().position(|w| w.text == "cta") {
            cta = self.at_least(line, k + 1, k + 2, "the CTA", 0, 15)?;
            line.end(k + 2)?;
            end = k;
        }
        let kind = line.words[0].text;
        match kind {
            "pipeline" => {
                line.word(1, "the name of the pipeline")?.clone_into(&mut self.program.name);
                line.end(2)
            }
            "const" => {
                let name = self.new_name(line, 1, line.word(1, "a name")?)?;
                let value = self.constant(line, 2, end, "the value")?;
                self.program.constants.insert(name.to_owned(), value);
                Ok(())
            }
            "param" | "condition" => {
                let name = self.new_name(line, 1, line.word(1, "a name")?)?;
                let condition = kind == "condition";
                let mut least = 0;
                if !condition && line.words.get(2).is_some_and(|w| w.text == "from") {
                    least = self.at_least(line, 3, end, "the least value", 0, 1)?;
                } else {
                    line.end(2)?;
                }
                self.program.parameters.push(Parameter { name: name.to_owned(), least, condition });
                Ok(())
            }
            "pipe" => {
                let name = self.new_name(line, 1, line.word(1, "a name")?)?;
                if line.word(2, "'stages'")? != "stages" {
                    return Err(line.error(2, "expected 'stages'"));
                }
                let stages = self.at_least(line, 3, end, "the number of stages", 1, 64)?;
                self.program.pipes.push(Pipe { name: name.to_owned(), stages });
                Ok(())
            }
            "barrier" | "buffer" => {
                let word = line.word(1, "a name, with the pipe in brackets")?;
                let (name, inside) = slot(word).ok_or_else(|| line.error(1, format!("missing ']' in '{word}'")))?;
                let name = self.new_name(line, 1, name)?.to_owned();
                let pipe = match inside {
                    Some((pipe, None)) => Some(self.pipe(line, 1, pipe)?),
                    Some((_, Some(_))) => {
                        return Err(line.error(1, "a declaration names the pipe alone, such as full[p]"));
                    }
                    None => None,
                };
                let stages = pipe.map_or(1, |p| self.program.pipes[p].stages);
                let p = &self.program;
                if i64::try_from(p.barrier_slots.len() + p.buffer_slots.len()).unwrap_or(i64::MAX) + stages > SLOTS {
                    return Err(line.error(1, format!("more than {SLOTS} slots of barriers and buffers")));
                }
                if kind == "barrier" {
                    if line.word(2, "'count'")? != "count" {
                        return Err(line.error(2, "expected 'count' and the arrivals per phase"));
                    }
                    let count = self.at_least(line, 3, end, "the count", 1, (1 << 20) - 1)?;
                    let of = self.program.barriers.len();
                    let first = self.program.barrier_slots.len();
                    self.program.barriers.push(Barrier { name, pipe, count, cta, first });
                    self.program.barrier_slots.extend((0..stages).map(|s| (of, usize::try_from(s).unwrap_or(0))));
                } else {
                    if end > 2 {
                        line.end(2)?;
                    }
                    let of = self.program.buffers.len();
                    let first = self.program.buffer_slots.len();
                    self.program.buffers.push(Buffer { name, pipe, cta, first });
                    self.program.buffer_slots.extend((0..stages).map(|s| (of, usize::try_from(s).unwrap_or(0))));
                }
                Ok(())
            }
            other => {
                let mut error = line.error(0, format!("'{other}' is no declaration"));
                error.help = Some("declarations are pipeline, const, param, condition, pipe, barrier, buffer, role; operations stand indented below a role".to_owned());
                Err(error)
            }
        }
    }

    fn role(&mut self, line: &Line, body: &[Line], group: usize) -> Result<(), ParseError> {
        let name = line.word(1, "the name of the role")?;
        if !is_name(name) {
            return Err(line.error(1, format!("'{name}' is no name: letters, digits and _, at most 64")));
        }
        let (mut copies, mut threads, mut cta, mut n) = (1, 1, 0, 2);
        while let Some(word) = line.words.get(n) {
            if let Some(text) = word.text.strip_prefix('*') {
                copies = text
                    .parse()
                    .ok()
                    .filter(|c| (1..=ROLES).contains(c))
                    .ok_or_else(|| line.error(n, format!("the copies must be from 1 to {ROLES}")))?;
                n += 1;
            } else if word.text == "threads" {
                threads = self.at_least(line, n + 1, n + 2, "the number of threads", 1, 1024)?;
                n += 2;
            } else if word.text == "cta" {
                cta = self.at_least(line, n + 1, n + 2, "the CTA", 0, 15)?;
                n += 2;
            } else {
                return Err(
                    line.error(n, format!("unexpected '{}'; a role takes *COPIES, threads T, cta C", word.text))
                );
            }
        }
        let mut role = Role {
            name: name.to_owned(),
            threads,
            cta,
            group,
            code: vec![],
            pipes: vec![false; self.program.pipes.len()],
            parameters: vec![false; self.program.parameters.len()],
        };
        self.block(body, &mut role, 0)?;
        role.code.push(Instruction { line: line.number, operation: Operation::Exit });
        if self.program.roles.len() + copies > ROLES {
            return Err(line.error(1, format!("more than {ROLES} roles")));
        }
        for copy in 0..copies {
            let name = if copies > 1 { format!("{name}{copy}") } else { name.to_owned() };
            if self.program.roles.iter().any(|r| r.name == name) {
                return Err(line.error(1, format!("two roles are called '{name}'")));
            }
            self.program.roles.push(Role { name, ..role.clone() });
        }
        Ok(())
    }

    fn block(&self, lines: &[Line], role: &mut Role, depth: usize) -> Result<(), ParseError> {
        let mut at = 0;
        while at < lines.len() {
            let line = &lines[at];
            at += 1;
            if role.code.len() > CODE {
                return Err(line.error(0, format!("more than {CODE} operations in a role")));
            }
            let indent = lines[0].indent;
            if line.indent != indent {
                return Err(line.error(0, format!("indented by {}, and the block by {indent}", line.indent)));
            }
            let operation = line.words[0].text;
            if operation == "loop" || operation == "maybe" {
                if depth == NESTING {
                    return Err(line.error(0, format!("more than {NESTING} loops inside one another")));
                }
                let body = lines[at..].iter().take_while(|l| l.indent > line.indent).count();
                let inner = &lines[at..at + body];
                if inner.is_empty() {
                    return Err(line.error(0, format!("nothing is indented below this {operation}")));
                }
                at += body;
                self.nested(line, inner, role, depth)?;
            } else {
                self.operation(line, role)?;
            }
        }
        Ok(())
    }

    fn nested(&self, line: &Line, inner: &[Line], role: &mut Role, depth: usize) -> Result<(), ParseError> {
        let push = |role: &mut Role, operation| role.code.push(Instruction { line: line.number, operation });
        let p = &self.program;
        if line.words[0].text == "maybe" {
            let name = line.word(1, "a condition")?;
            let parameter = p.parameters.iter().position(|x| x.name == name && x.condition).ok_or_else(|| {
                let mut error = line.error(1, format!("no condition is called '{name}'"));
                error.help = Some(format!("declare it: condition {name}"));
                error
            })?;
            line.end(2)?;
            role.parameters[parameter] = true;
            let head = role.code.len();
            push(role, Operation::Maybe { parameter, exit: 0 });
            self.block(inner, role, depth + 1)?;
            let exit = role.code.len();
            role.code[head].operation = Operation::Maybe { parameter, exit };
            return Ok(());
        }
        let count = line.expression(1, line.words.len(), "the number of trips")?;
        let mut unknown = None;
        count.names(&mut |name| {
            let position = name.split_once('.').is_some_and(|(pipe, what)| {
                p.pipes.iter().any(|x| x.name == pipe) && ["count", "index", "phase"].contains(&what)
            });
            let known = position
                || p.constants.contains_key(name)
                || p.parameters.iter().any(|x| x.name == name && !x.condition);
            if !known {
                unknown = Some(name.to_owned());
            }
        });
        if let Some(name) = unknown {
            let mut error = line.error(1, format!("'{name}' is no constant and no parameter"));
            error.help = Some(format!("declare it: param {name}"));
            return Err(error);
        }
        let parameter = p.decided(&count);
        if let Some(parameter) = parameter {
            role.parameters[parameter] = true;
        }
        push(role, Operation::Enter(count));
        let head = role.code.len();
        push(role, Operation::Head { parameter, exit: 0 });
        self.block(inner, role, depth + 1)?;
        push(role, Operation::Jump(head));
        let exit = role.code.len();
        role.code[head].operation = Operation::Head { parameter, exit };
        Ok(())
    }

    fn operation(&self, line: &Line, role: &mut Role) -> Result<(), ParseError> {
        let barrier = |role: &mut Role, n| {
            let place = self.place(line, n, true)?;
            if let Some(pipe) = place.pipe {
                role.pipes[pipe] = true;
            }
            Ok::<_, ParseError>(place)
        };
        let buffer = |role: &mut Role, n| {
            let place = self.place(line, n, false)?;
            if let Some(pipe) = place.pipe {
                role.pipes[pipe] = true;
            }
            Ok::<_, ParseError>(place)
        };
        let words = line.words.len();
        let most = (1 << 20) - 1;
        let operation = match line.words[0].text {
            "wait" => {
                let on = barrier(role, 1)?;
                let mut n = 2;
                let flipped = line.words.get(n).is_some_and(|w| w.text == "flipped");
                n += usize::from(flipped);
                let phase = match line.words.get(n) {
                    Some(w) if w.text == "phase" => Some(line.expression(n + 1, words, "the phase")?),
                    Some(w) => {
                        return Err(
                            line.error(n, format!("unexpected '{}'; a wait takes 'flipped' and 'phase E'", w.text))
                        );
                    }
                    None => None,
                };
                if on.pipe.is_none() && phase.is_none() {
                    let mut error = line.error(1, "the phase of a wait on a single barrier must be given");
                    error.help = Some(format!("{} phase 0", line.text.trim_start()));
                    return Err(error);
                }
                Operation::Wait { on, shift: if flipped { -1 } else { 0 }, phase }
            }
            "arrive" => {
                let on = barrier(role, 1)?;
                let (mut count, mut each, mut n) = (1, 1, 2);
                if line.words.get(n).is_some_and(|w| w.text == "count") {
                    count = self.at_least(line, n + 1, n + 2, "the count", 1, most)?;
                    n += 2;
                }
                if line.words.get(n).is_some_and(|w| w.text == "per") {
                    each = match line.word(n + 1, "'warp' or 'thread'")? {
                        "warp" => (role.threads + 31) / 32,
                        "thread" => role.threads,
                        other => return Err(line.error(n + 1, format!("'{other}': expected 'warp' or 'thread'"))),
                    };
                    n += 2;
                }
                line.end(n)?;
                Operation::Arrive { on, count, each }
            }
            kind @ ("expect" | "arrive_expect") => {
                let on = barrier(role, 1)?;
                let bytes = self.at_least(line, 2, words, "the bytes", 0, most)?;
                Operation::Expect { on, bytes, arrives: kind == "arrive_expect" }
            }
            "tma" => {
                let into = buffer(role, 1)?;
                let on = barrier(role, 2)?;
                let bytes = self.at_least(line, 3, words, "the bytes", 1, most)?;
                Operation::Tma { into, on, bytes }
            }
            kind @ ("read" | "write") => {
                let of = buffer(role, 1)?;
                line.end(2)?;
                let writes = kind == "write";
                let kind = if writes { Access::Write } else { Access::Read };
                role.code.push(Instruction { line: line.number, operation: Operation::Begin { of, kind } });
                Operation::End { of, writes }
            }
            kind @ ("mma" | "store" | "cpasync") => {
                let of = buffer(role, 1)?;
                line.end(2)?;
                let unit = match kind {
                    "mma" => Unit::Mma,
                    "store" => Unit::Store,
                    _ => Unit::CpAsync,
                };
                Operation::Group { of: Some(of), unit }
            }
            "commit" => {
                line.end(1)?;
                Operation::Group { of: None, unit: Unit::CpAsync }
            }
            kind @ ("mma_wait" | "store_wait" | "cp_wait") => {
                let left =
                    usize::try_from(self.at_least(line, 1, words, "the groups that may stay in flight", 0, 64)?)
                        .unwrap_or(0);
                let unit = match kind {
                    "mma_wait" => Unit::Mma,
                    "store_wait" => Unit::Store,
                    _ => Unit::CpAsync,
                };
                Operation::GroupWait { unit, left }
            }
            kind @ ("sync" | "bar_arrive") => {
                let id = self.at_least(line, 1, 2, "the barrier's number", 0, 15)?;
                let threads = self.at_least(line, 2, words, "the number of threads", 32, 1024)?;
                if threads % 32 != 0 {
                    return Err(line.error(2, format!("{threads} threads are not whole warps: write a multiple of 32")));
                }
                Operation::Sync { id, threads, waits: kind == "sync" }
            }
            kind @ ("next" | "reset") => {
                let pipe = self.pipe(line, 1, line.word(1, "a pipe")?)?;
                line.end(2)?;
                role.pipes[pipe] = true;
                if kind == "next" { Operation::Next(pipe) } else { Operation::Reset(pipe) }
            }
            "tail" => {
                let pipe = self.pipe(line, 1, line.word(1, "a pipe")?)?;
                let name = line.word(2, "the empty barrier")?;
                line.end(3)?;
                let of = self.program.barriers.iter().position(|b| b.name == name && b.pipe == Some(pipe));
                let of = of.ok_or_else(|| {
                    line.error(2, format!("no barrier '{name}' in a ring of pipe {}", self.program.pipes[pipe].name))
                })?;
                role.pipes[pipe] = true;
                for _ in 0..self.program.pipes[pipe].stages {
                    let on = Place { of, pipe: Some(pipe), back: 0 };
                    role.code.push(Instruction {
                        line: line.number,
                        operation: Operation::Wait { on, shift: -1, phase: None },
                    });
                    role.code.push(Instruction { line: line.number, operation: Operation::Next(pipe) });
                }
                return Ok(());
            }
            other => {
                let mut error = line.error(0, format!("'{other}' is no operation of a role"));
                error.help = Some(
                    "operations are wait, arrive, expect, arrive_expect, tma, read, write, mma, mma_wait, store, store_wait, cpasync, cp_wait, \
                     commit, sync, bar_arrive, next, reset, tail, loop, maybe"
                        .to_owned(),
                );
                return Err(error);
            }
        };
        role.code.push(Instruction { line: line.number, operation });
        Ok(())
    }
}
