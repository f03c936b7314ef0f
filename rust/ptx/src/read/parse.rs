//! Modules and the bodies of their kernels.

use super::decl::{initializer, variable};
use super::lex::Kind;
use super::token::Tokens;
use super::{Error, Frame, Instruction, Kernel, MOST_DEPTH, Module, Operand, Place, Register};
use std::collections::HashMap;

/// Reads a PTX file.
///
/// # Errors
/// Where a statement has no end, braces do not match, a number does not fit, or a branch's label is not there.
pub fn read(text: &str) -> Result<Module, Error> {
    let mut tokens = Tokens::new(text)?;
    let mut module = Module::default();
    let mut is_extern = false;
    while let Some(kind) = tokens.peek() {
        let at = tokens.place();
        let Kind::Word(word) = kind else {
            if kind == Kind::Mark(b';') {
                tokens.next()?;
                continue;
            }
            return Err(Error::new(at, "a directive must stand here", "is this a PTX file?"));
        };
        tokens.next()?;
        match word {
            ".version" => match tokens.next()? {
                Some(Kind::Number { value, float: true }) => module.version = format!("{:?}", f64::from_bits(value)),
                _ => return Err(Error::new(at, "a version has the form 9.0", "is this a PTX file?")),
            },
            ".target" => {
                tokens.word()?.clone_into(&mut module.target);
                while tokens.take(b',')? {
                    tokens.word()?;
                }
            }
            ".address_size" => {
                tokens.integer()?;
            }
            ".file" => file(&mut tokens, &mut module)?,
            ".section" => section(&mut tokens, &mut module)?,
            ".extern" => {
                is_extern = true;
                continue;
            }
            ".visible" | ".weak" | ".common" => {}
            ".global" | ".const" | ".shared" | ".local" => loop {
                let mut variable = variable(&mut tokens, &word[1..])?;
                if is_extern {
                    // some compilers print [0] or [1]: the launch says the bytes
                    variable.bytes = None;
                }
                module.variables.push(variable);
                initializer(&mut tokens)?;
                if !tokens.take(b',')? {
                    tokens.expect(b';')?;
                    break;
                }
            },
            ".entry" | ".func" => {
                if let Some(kernel) = kernel(&mut tokens, word == ".entry", at)? {
                    module.kernels.push(kernel);
                }
            }
            _ if word.starts_with('.') => tokens.skip_statement()?,
            _ => return Err(Error::new(at, format!("«{word}» is no directive"), "is this a PTX file?")),
        }
        is_extern = false;
    }
    Ok(module)
}

/// `.file 1 "name", time, size`.
fn file(tokens: &mut Tokens, module: &mut Module) -> Result<(), Error> {
    let number = tokens.small()?;
    if let Some(Kind::Text(name)) = tokens.peek() {
        tokens.next()?;
        module.files.insert(number, name.to_owned());
    }
    while tokens.take(b',')? {
        tokens.integer()?;
    }
    Ok(())
}

/// Skips a section by its braces; decodes the strings of `.debug_str`.
fn section(tokens: &mut Tokens, module: &mut Module) -> Result<(), Error> {
    let at = tokens.place();
    let strings = tokens.word()? == ".debug_str";
    while !tokens.at_mark(b'{') {
        if tokens.next()?.is_none() {
            return Err(Error::new(at, "a section has no braces", "is the file cut off?"));
        }
    }
    let (mut depth, mut label, mut bytes) = (0usize, None::<String>, Vec::new());
    while let Some(kind) = tokens.next()? {
        match kind {
            Kind::Mark(b'{') => depth += 1,
            Kind::Mark(b'}') => {
                depth -= 1;
                if depth == 0 {
                    keep_string(module, label.take(), &mut bytes);
                    return Ok(());
                }
            }
            Kind::Word(word) if strings && tokens.at_mark(b':') => {
                keep_string(module, label.replace(word.to_owned()), &mut bytes);
            }
            Kind::Number { value, float: false } if strings => bytes.push(u8::try_from(value & 0xff).unwrap_or(0)),
            _ => {}
        }
    }
    Err(Error::new(at, "a section has no end", "is the file cut off?"))
}

fn keep_string(module: &mut Module, label: Option<String>, bytes: &mut Vec<u8>) {
    if let Some(label) = label {
        let end = bytes.iter().position(|x| *x == 0).unwrap_or(bytes.len());
        module.strings.insert(label, String::from_utf8_lossy(&bytes[..end]).into_owned());
    }
    bytes.clear();
}

/// `(.param .u64 a, …)`.
fn parameters(tokens: &mut Tokens) -> Result<Vec<super::Variable>, Error> {
    let mut all = Vec::new();
    tokens.expect(b'(')?;
    while !tokens.take(b')')? {
        let at = tokens.place();
        match tokens.word()? {
            ".param" | ".reg" => all.push(variable(tokens, "param")?),
            word => return Err(Error::new(at, format!("«{word}» is no parameter"), "write .param .u64 name")),
        }
        if !tokens.take(b',')? && !tokens.at_mark(b')') {
            return Err(Error::new(tokens.place(), "«,» or «)» must stand here", "is the file cut off?"));
        }
    }
    Ok(all)
}

fn shape(tokens: &mut Tokens) -> Result<[u32; 3], Error> {
    let mut shape = [tokens.small()?, 1, 1];
    for extent in &mut shape[1..] {
        if tokens.take(b',')? {
            *extent = tokens.small()?;
        }
    }
    Ok(shape)
}

/// A function from behind `.entry` or `.func`; none for a declaration.
fn kernel(tokens: &mut Tokens, entry: bool, at: Place) -> Result<Option<Kernel>, Error> {
    let mut kernel = Kernel { at, entry, ..Kernel::default() };
    if tokens.at_mark(b'(') {
        parameters(tokens)?;
    }
    tokens.word()?.clone_into(&mut kernel.name);
    if tokens.at_mark(b'(') {
        kernel.params = parameters(tokens)?;
    }
    loop {
        if tokens.take(b';')? {
            return Ok(None);
        }
        if tokens.take(b'{')? {
            break;
        }
        match tokens.next()? {
            Some(Kind::Word(".reqntid")) => kernel.required = Some(shape(tokens)?),
            Some(Kind::Word(".maxntid")) => kernel.most = Some(shape(tokens)?),
            Some(Kind::Word(".pragma")) => tokens.skip_statement()?,
            Some(_) => {}
            None => return Err(Error::new(at, "a function has no body", "is the file cut off?")),
        }
    }
    let mut body = Body::new(kernel);
    body.statements(tokens)?;
    body.finish().map(Some)
}

/// A scope of braces: its parent, and the registers that it declares.
#[derive(Default)]
struct Scope<'a> {
    parent: Option<usize>,
    names: HashMap<&'a str, Register>,
    /// `%r<24>`: `%r` and 24, and the registers that were mentioned
    ranges: HashMap<&'a str, u64>,
}

struct Body<'a> {
    kernel: Kernel,
    scopes: Vec<Scope<'a>>,
    scope: usize,
    labels: HashMap<(usize, &'a str), u32>,
    tables: HashMap<(usize, &'a str), Vec<&'a str>>,
    /// branches: the instruction, its scope, the label, its place
    branches: Vec<(usize, usize, &'a str, Place)>,
    frames: HashMap<Frame, u32>,
    /// the last frame that `.loc` gave for a place
    at_place: HashMap<(u32, u32, u32), u32>,
    frame: Option<u32>,
}

impl std::hash::Hash for Frame {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.file, self.line, self.column, self.inlined_at).hash(state);
    }
}

impl<'a> Body<'a> {
    fn new(kernel: Kernel) -> Self {
        Self {
            kernel,
            scopes: vec![Scope::default()],
            scope: 0,
            labels: HashMap::new(),
            tables: HashMap::new(),
            branches: Vec::new(),
            frames: HashMap::new(),
            at_place: HashMap::new(),
            frame: None,
        }
    }

    fn statements(&mut self, tokens: &mut Tokens<'a>) -> Result<(), Error> {
        let mut depth = 1usize;
        while depth > 0 {
            let at = tokens.place();
            match tokens.next()? {
                None => return Err(Error::new(at, "a body has no end", "is the file cut off?")),
                Some(Kind::Mark(b'{')) => {
                    depth += 1;
                    if depth > MOST_DEPTH {
                        return Err(Error::new(
                            at,
                            format!("braces nest deeper than {MOST_DEPTH}"),
                            "use fewer scopes",
                        ));
                    }
                    self.scopes.push(Scope { parent: Some(self.scope), ..Scope::default() });
                    self.scope = self.scopes.len() - 1;
                }
                Some(Kind::Mark(b'}')) => {
                    depth -= 1;
                    self.scope = self.scopes[self.scope].parent.unwrap_or(0);
                }
                Some(Kind::Mark(b'@')) => {
                    let negated = tokens.take(b'!')?;
                    let word = tokens.word()?;
                    let Operand::Register(register) = self.name(word) else {
                        return Err(Error::new(
                            at,
                            format!("«{word}» is no declared register"),
                            "declare it with .reg .pred",
                        ));
                    };
                    let place = tokens.place();
                    let op = tokens.word()?;
                    self.instruction(tokens, op, place, Some((register, negated)))?;
                }
                Some(Kind::Mark(b';')) => {}
                Some(Kind::Word(word)) => self.statement(tokens, word, at)?,
                Some(_) => return Err(Error::new(at, "a statement must stand here", "is the file cut off?")),
            }
        }
        Ok(())
    }

    fn statement(&mut self, tokens: &mut Tokens<'a>, word: &'a str, at: Place) -> Result<(), Error> {
        match word {
            ".reg" => self.registers(tokens),
            ".loc" => self.location(tokens),
            ".shared" | ".local" | ".global" | ".const" | ".param" => {
                loop {
                    let variable = variable(tokens, &word[1..])?;
                    initializer(tokens)?;
                    if word != ".param" {
                        self.kernel.variables.push(variable);
                    }
                    if !tokens.take(b',')? {
                        break;
                    }
                }
                tokens.expect(b';')
            }
            _ if word.starts_with('.') => tokens.skip_statement(),
            _ if tokens.at_mark(b':') => {
                tokens.next()?;
                if tokens.peek_word() == Some(".branchtargets") {
                    tokens.next()?;
                    let mut list = vec![tokens.word()?];
                    while tokens.take(b',')? {
                        list.push(tokens.word()?);
                    }
                    self.tables.insert((self.scope, word), list);
                    return tokens.expect(b';');
                }
                let next = u32::try_from(self.kernel.code.len()).unwrap_or(u32::MAX);
                if self.labels.insert((self.scope, word), next).is_some() {
                    return Err(Error::new(at, format!("the label {word} is there twice"), "rename one"));
                }
                Ok(())
            }
            _ => self.instruction(tokens, word, at, None),
        }
    }

    fn registers(&mut self, tokens: &mut Tokens<'a>) -> Result<(), Error> {
        while tokens.peek_word().is_some_and(|x| x.starts_with('.')) {
            tokens.next()?;
        }
        loop {
            let name = tokens.word()?;
            if tokens.take(b'<')? {
                let count = tokens.integer()?;
                tokens.expect(b'>')?;
                self.scopes[self.scope].ranges.insert(name, count);
            } else {
                let register = self.new_register(name);
                self.scopes[self.scope].names.insert(name, register);
            }
            if !tokens.take(b',')? {
                return tokens.expect(b';');
            }
        }
    }

    fn new_register(&mut self, name: &str) -> Register {
        self.kernel.registers.push(name.to_owned());
        Register::try_from(self.kernel.registers.len() - 1).unwrap_or(Register::MAX)
    }

    /// What a name is here: a register of this scope or one around it, a special register, or another name.
    fn name(&mut self, name: &'a str) -> Operand {
        if name == "_" {
            return Operand::Sink;
        }
        let (prefix, number) = name.split_at(name.trim_end_matches(|x: char| x.is_ascii_digit()).len());
        let number = number.parse::<u64>().ok();
        let mut scope = Some(self.scope);
        while let Some(at) = scope {
            if let Some(register) = self.scopes[at].names.get(name) {
                return Operand::Register(*register);
            }
            if let (Some(count), Some(number)) = (self.scopes[at].ranges.get(prefix), number)
                && number < *count
            {
                let register = self.new_register(name);
                self.scopes[at].names.insert(name, register);
                return Operand::Register(register);
            }
            scope = self.scopes[at].parent;
        }
        if name.starts_with('%') { Operand::Special(name.to_owned()) } else { Operand::Name(name.to_owned()) }
    }

    /// `.loc 1 8 3, function_name label+3, inlined_at 1 52 3`.
    fn location(&mut self, tokens: &mut Tokens<'a>) -> Result<(), Error> {
        let (file, line, column) = (tokens.small()?, tokens.small()?, tokens.small()?);
        let (mut function, mut inlined_at) = (None, None);
        while tokens.take(b',')? {
            match tokens.word()? {
                "function_name" => {
                    function = Some(tokens.word()?.to_owned());
                    if tokens.take(b'+')? {
                        tokens.integer()?;
                    }
                }
                "inlined_at" => {
                    let place = (tokens.small()?, tokens.small()?, tokens.small()?);
                    let outer = match self.at_place.get(&place) {
                        Some(frame) => *frame,
                        None => self.frame_of(Frame {
                            file: place.0,
                            line: place.1,
                            column: place.2,
                            function: None,
                            inlined_at: None,
                        }),
                    };
                    inlined_at = Some(outer);
                }
                _ => {
                    while tokens.peek().is_some_and(|x| matches!(x, Kind::Number { .. })) {
                        tokens.next()?;
                    }
                }
            }
        }
        let frame = self.frame_of(Frame { file, line, column, function, inlined_at });
        self.at_place.insert((file, line, column), frame);
        self.frame = Some(frame);
        Ok(())
    }

    fn frame_of(&mut self, frame: Frame) -> u32 {
        if let Some(there) = self.frames.get(&frame) {
            return *there;
        }
        let number = u32::try_from(self.kernel.frames.len()).unwrap_or(u32::MAX);
        self.kernel.frames.push(frame.clone());
        self.frames.insert(frame, number);
        number
    }

    fn instruction(
        &mut self,
        tokens: &mut Tokens<'a>,
        word: &'a str,
        at: Place,
        guard: Option<(Register, bool)>,
    ) -> Result<(), Error> {
        let mut parts = word.split('.');
        let op = parts.next().unwrap_or("").to_owned();
        let suffixes: Vec<String> = parts.map(str::to_owned).collect();
        let number = self.kernel.code.len();
        if number >= u32::MAX as usize {
            return Err(Error::new(at, "a kernel has more than 2^32 instructions", "split it"));
        }
        let mut operands = Vec::new();
        let mut last = None;
        while !tokens.take(b';')? {
            if tokens.peek().is_none() {
                return Err(Error::new(at, format!("«{word}» has no end"), "end the instruction with ;"));
            }
            last = tokens.peek_word().map(|x| (x, tokens.place()));
            operands.push(self.operand(tokens, 0)?);
            if !tokens.take(b',')? && !tokens.at_mark(b';') {
                // a form that is not known: the instruction keeps what was read and one unknown operand
                operands.push(Operand::Unknown);
                tokens.skip_statement()?;
                break;
            }
        }
        if matches!(op.as_str(), "bra" | "brx")
            && let Some((label, place)) = last
        {
            self.branches.push((number, self.scope, label, place));
        }
        self.kernel.code.push(Instruction {
            at,
            op,
            suffixes,
            guard,
            operands,
            targets: Vec::new(),
            frame: self.frame,
        });
        Ok(())
    }

    fn operand(&mut self, tokens: &mut Tokens<'a>, depth: usize) -> Result<Operand, Error> {
        let at = tokens.place();
        if depth > MOST_DEPTH {
            return Err(Error::new(at, format!("operands nest deeper than {MOST_DEPTH}"), "write a simpler one"));
        }
        let operand = match tokens.next()? {
            Some(Kind::Word(word)) => self.name(word),
            Some(Kind::Number { value, float: true }) => Operand::Float(value),
            Some(Kind::Number { value, float: false }) => Operand::Integer(value),
            Some(Kind::Mark(b'-')) => match tokens.next()? {
                Some(Kind::Number { value, float: false }) => Operand::Integer(value.wrapping_neg()),
                _ => Operand::Unknown,
            },
            Some(Kind::Mark(b'!')) => Operand::Not(Box::new(self.operand(tokens, depth + 1)?)),
            Some(Kind::Mark(open @ (b'{' | b'('))) => {
                let close = if open == b'{' { b'}' } else { b')' };
                let mut list = Vec::new();
                while !tokens.take(close)? {
                    list.push(self.operand(tokens, depth + 1)?);
                    if !tokens.take(b',')? && !tokens.at_mark(close) {
                        return Err(Error::new(tokens.place(), "a list of operands has no end", "close it"));
                    }
                }
                Operand::List(list)
            }
            Some(Kind::Mark(b'[')) => {
                let inner = self.operand(tokens, depth + 1)?;
                let (base, offset) = match inner {
                    Operand::Sum(base, offset) => (base, offset),
                    other => (Box::new(other), 0),
                };
                let mut rest = Vec::new();
                while tokens.take(b',')? {
                    rest.push(self.operand(tokens, depth + 1)?);
                }
                tokens.expect(b']')?;
                Operand::Address(base, offset, rest)
            }
            _ => Operand::Unknown,
        };
        if tokens.take(b'|')? {
            return Ok(Operand::Pair(Box::new(operand), Box::new(self.operand(tokens, depth + 1)?)));
        }
        if tokens.at_mark(b'+') || tokens.at_mark(b'-') {
            let minus = tokens.take(b'-')?;
            if !minus {
                tokens.next()?;
            }
            if let Some(Kind::Number { float: false, .. } | Kind::Mark(b'-')) = tokens.peek() {
                let value = tokens.integer()?.cast_signed();
                return Ok(Operand::Sum(Box::new(operand), if minus { value.wrapping_neg() } else { value }));
            }
            return Ok(Operand::Unknown);
        }
        Ok(operand)
    }

    /// Finds the instructions that branches go to.
    fn finish(mut self) -> Result<Kernel, Error> {
        for (number, scope, label, at) in std::mem::take(&mut self.branches) {
            let names =
                self.find(scope, |x, scope| x.tables.get(&(scope, label)).cloned()).unwrap_or_else(|| vec![label]);
            for name in names {
                let target = self.find(scope, |x, scope| x.labels.get(&(scope, name)).copied());
                let target = target
                    .ok_or_else(|| Error::new(at, format!("the label {name} is not there"), "is the file cut off?"))?;
                self.kernel.code[number].targets.push(target);
            }
        }
        Ok(self.kernel)
    }

    fn find<T>(&self, scope: usize, get: impl Fn(&Self, usize) -> Option<T>) -> Option<T> {
        let mut at = Some(scope);
        while let Some(scope) = at {
            if let Some(found) = get(self, scope) {
                return Some(found);
            }
            at = self.scopes[scope].parent;
        }
        None
    }
}
