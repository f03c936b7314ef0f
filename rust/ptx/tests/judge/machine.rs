//! Runs all threads of a block on numbers, warp by warp between barriers, and writes down every address.
//!
//! A branch that threads of a warp take differently splits the warp until its immediate postdominator.

use super::program::{Arg, Line, Program};
use super::random::{Random, mix};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What is chosen for a run.
#[derive(Debug)]
pub struct Given {
    pub block: [u64; 3],
    pub grid: [u64; 3],
    pub at: [u64; 3],
    pub params: HashMap<String, u64>,
    pub arrays: HashMap<String, u64>,
    pub window: u64,
    pub seed: u64,
}

/// One execution of an access by lanes of a warp.
#[derive(Debug, Clone)]
pub struct Seen {
    pub line: u32,
    pub shared: bool,
    pub warp: usize,
    pub lanes: u32,
    pub bytes: u64,
    pub addresses: BTreeMap<usize, u64>,
    /// What was subtracted from generic addresses of shared memory.
    pub window: u64,
}

impl Seen {
    /// Wavefronts by the definition: of the words that lanes of a phase want, the most in one bank.
    pub fn wavefronts(&self) -> u64 {
        let lanes_of_phase = (128 / self.bytes.max(4)) as usize;
        let mut sum = 0;
        for phase in 0..32 / lanes_of_phase {
            let mut banks: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
            for (_, address) in self.addresses.iter().filter(|(lane, _)| **lane / lanes_of_phase == phase) {
                for byte in *address..address + self.bytes {
                    banks.entry(byte / 4 % 32).or_default().insert(byte / 4);
                }
            }
            sum += banks.values().map(|x| x.len() as u64).max().unwrap_or(0);
        }
        sum
    }
}

impl Seen {
    /// Phases with a lane.
    pub fn phases(&self) -> u64 {
        let lanes_of_phase = (128 / self.bytes.max(4)) as usize;
        self.addresses.keys().map(|lane| lane / lanes_of_phase).collect::<BTreeSet<_>>().len() as u64
    }
}

struct Warp {
    /// where, who, and where they reconverge
    stack: Vec<(usize, u32, usize)>,
    alive: u32,
    waits: bool,
}

pub struct Machine<'a> {
    program: &'a Program,
    given: &'a Given,
    registers: Vec<Vec<u64>>,
    memory: HashMap<(bool, u64), u8>,
    reconverge: &'a [usize],
    random: Random,
    steps: u64,
    pub seen: Vec<Seen>,
}

fn low(x: u64, bits: u32) -> u64 {
    if bits >= 64 { x } else { x & ((1 << bits) - 1) }
}

fn sign(x: u64, bits: u32) -> i64 {
    let x = low(x, bits);
    if bits < 64 && x >> (bits - 1) & 1 == 1 { (x | u64::MAX << bits) as i64 } else { x as i64 }
}

/// The type's letter and bits: `u32`.
fn kind(name: &str) -> (char, u32) {
    let letter = name.chars().next().unwrap();
    (letter, name[1..].parse().unwrap_or_else(|_| panic!("no type: {name}")))
}

/// For each instruction the first that all ways from it to the end go through.
pub fn postdominators(program: &Program) -> Vec<usize> {
    let end = program.code.len();
    let next: Vec<Vec<usize>> = program
        .code
        .iter()
        .enumerate()
        .map(|(i, line)| {
            let mut to = Vec::new();
            match line.op[0].as_str() {
                "bra" => {
                    let Arg::Name(label) = &line.args[0] else { panic!("{line:?}") };
                    to.push(program.labels[label]);
                }
                "ret" | "exit" => to.push(end),
                _ => {}
            }
            if to.is_empty() || line.guard.is_some() {
                to.push(i + 1);
            }
            to
        })
        .collect();
    // a set of instructions is a row of bits
    let words = end / 64 + 1;
    let mut after = vec![vec![u64::MAX; words]; end];
    after.push(vec![0; words]);
    after[end][end / 64] = 1 << (end % 64);
    loop {
        let mut changed = false;
        for i in (0..end).rev() {
            let mut new = after[next[i][0]].clone();
            for other in &next[i][1..] {
                new.iter_mut().zip(&after[*other]).for_each(|(x, y)| *x &= y);
            }
            new[i / 64] |= 1 << (i % 64);
            changed |= new != after[i];
            after[i] = new;
        }
        if !changed {
            break;
        }
    }
    let size = |x: usize| after[x].iter().map(|w| w.count_ones()).sum::<u32>();
    let sizes: Vec<u32> = (0..=end).map(size).collect();
    // the nearest is the one that has all the others behind it
    let nearest =
        |i: usize| (0..=end).filter(|x| *x != i && after[i][x / 64] >> (x % 64) & 1 == 1).max_by_key(|x| sizes[*x]);
    (0..end).map(|i| nearest(i).unwrap_or(end)).collect()
}

impl<'a> Machine<'a> {
    pub fn new(program: &'a Program, given: &'a Given, reconverge: &'a [usize]) -> Self {
        let threads = given.block.iter().product::<u64>() as usize;
        let registers = (0..threads).map(|t| {
            program.widths.iter().enumerate().map(|(r, w)| low(mix(given.seed ^ (t * 1000 + r) as u64), *w)).collect()
        });
        Self {
            program,
            given,
            registers: registers.collect(),
            memory: HashMap::new(),
            reconverge,
            random: Random(given.seed),
            steps: 0,
            seen: Vec::new(),
        }
    }

    pub fn run(&mut self) {
        let threads = self.registers.len();
        let end = self.program.code.len();
        let mut warps: Vec<Warp> = (0..threads.div_ceil(32))
            .map(|w| {
                let lanes = (threads - w * 32).min(32);
                let alive = if lanes == 32 { u32::MAX } else { (1 << lanes) - 1 };
                Warp { stack: vec![(0, alive, end)], alive, waits: false }
            })
            .collect();
        loop {
            let mut order: Vec<usize> = (0..warps.len()).collect();
            (1..order.len()).rev().for_each(|i| order.swap(i, self.random.below(i as u64 + 1) as usize));
            for w in order {
                while !warps[w].stack.is_empty() && !warps[w].waits {
                    self.step(w, &mut warps[w]);
                    self.steps += 1;
                    assert!(self.steps < 20_000_000, "it does not end");
                }
            }
            if warps.iter().all(|x| x.stack.is_empty()) {
                return;
            }
            warps.iter_mut().for_each(|x| x.waits = false);
        }
    }

    fn step(&mut self, w: usize, warp: &mut Warp) {
        let Some(top) = warp.stack.last_mut() else { return };
        top.1 &= warp.alive;
        let (at, mask, until) = *top;
        if mask == 0 || at == until || at == self.program.code.len() {
            warp.stack.pop();
            return;
        }
        let line = &self.program.code[at];
        let active = |this: &Self| -> u32 {
            (0..32).filter(|l| mask >> l & 1 == 1 && this.holds(line, w * 32 + l)).fold(0, |all, l| all | 1 << l)
        };
        let takes = active(self);
        match line.op[0].as_str() {
            "ret" | "exit" => {
                warp.alive &= !takes;
                top.0 = at + 1;
            }
            "bra" => {
                let Arg::Name(label) = &line.args[0] else { panic!("{line:?}") };
                let to = self.program.labels[label];
                if takes == mask || takes == 0 {
                    top.0 = if takes == 0 { at + 1 } else { to };
                } else {
                    let meet = self.reconverge[at];
                    top.0 = meet;
                    let mut ways = [(to, takes, meet), (at + 1, mask & !takes, meet)];
                    if self.random.chance(50) {
                        ways.swap(0, 1);
                    }
                    warp.stack.extend(ways);
                }
            }
            "bar" => {
                top.0 = at + 1;
                warp.waits = takes != 0;
            }
            _ => {
                top.0 = at + 1;
                let line = line.clone();
                if takes != 0 {
                    self.execute(&line, w, takes);
                }
            }
        }
    }

    fn holds(&self, line: &Line, thread: usize) -> bool {
        line.guard.is_none_or(|(r, negated)| (self.registers[thread][r] == 1) != negated)
    }

    fn get(&self, arg: &Arg, thread: usize) -> u64 {
        let block = self.given.block;
        let t = thread as u64;
        match arg {
            Arg::Register(r) => self.registers[thread][*r],
            Arg::Number(x) => *x,
            Arg::At(base, offset) => {
                let bits = if let Arg::Register(r) = base.as_ref() { self.program.widths[*r] } else { 64 };
                low(self.get(base, thread).wrapping_add(*offset as u64), bits)
            }
            Arg::List(_) => panic!("{arg:?}"),
            Arg::Name(name) => match name.as_str() {
                "%tid.x" => t % block[0],
                "%tid.y" => t / block[0] % block[1],
                "%tid.z" => t / block[0] / block[1],
                "%laneid" => t % 32,
                "%ntid.x" => block[0],
                "%ntid.y" => block[1],
                "%ntid.z" => block[2],
                "%ctaid.x" => self.given.at[0],
                "%ctaid.y" => self.given.at[1],
                "%ctaid.z" => self.given.at[2],
                "%nctaid.x" => self.given.grid[0],
                "%nctaid.y" => self.given.grid[1],
                "%nctaid.z" => self.given.grid[2],
                name => self
                    .given
                    .arrays
                    .get(name)
                    .or(self.given.params.get(name))
                    .copied()
                    .unwrap_or_else(|| panic!("no {name}")),
            },
        }
    }

    fn set(&mut self, arg: &Arg, thread: usize, value: u64) {
        let Arg::Register(r) = arg else { panic!("{arg:?}") };
        self.registers[thread][*r] = low(value, self.program.widths[*r]);
    }

    fn load(&self, shared: bool, address: u64, bytes: u64) -> u64 {
        let byte = |i: u64| {
            let at = (shared, address.wrapping_add(i));
            u64::from(
                self.memory.get(&at).copied().unwrap_or((mix(at.1 ^ self.given.seed ^ u64::from(shared)) & 0xff) as u8),
            )
        };
        (0..bytes.min(8)).map(|i| byte(i) << (8 * i)).sum()
    }

    fn store(&mut self, shared: bool, address: u64, bytes: u64, value: u64) {
        for i in 0..bytes.min(8) {
            self.memory.insert((shared, address.wrapping_add(i)), (value >> (8 * i)) as u8);
        }
    }

    fn note(&mut self, line: &Line, shared: bool, w: usize, lanes: u32, bytes: u64, arg: &Arg) {
        let here = (0..32).filter(|l| lanes >> l & 1 == 1);
        let addresses = here.map(|l| (l, self.get(arg, w * 32 + l))).collect();
        self.seen.push(Seen { line: line.number, shared, warp: w, lanes, bytes, addresses, window: 0 });
    }

    fn any(&mut self, line: &Line, threads: &[usize]) {
        let to = if let Arg::List(all) = &line.args[0] { all.clone() } else { vec![line.args[0].clone()] };
        for t in threads {
            for one in &to {
                let value = self.random.next();
                self.set(one, *t, value);
            }
        }
    }

    fn execute(&mut self, line: &Line, w: usize, lanes: u32) {
        let has = |x: &str| line.op.iter().any(|y| y == x);
        let op = line.op[0].as_str();
        let threads: Vec<usize> = (0..32).filter(|l| lanes >> l & 1 == 1).map(|l| w * 32 + l).collect();
        let last = line.op.last().unwrap().as_str();
        match op {
            "ld" | "st" if !has("param") => {
                let (letter, bits) = kind(last);
                let bytes = u64::from(bits / 8);
                let (data, at) =
                    if op == "ld" { (&line.args[0], &line.args[1]) } else { (&line.args[1], &line.args[0]) };
                let list = if let Arg::List(all) = data { all.clone() } else { vec![data.clone()] };
                let window = if has("shared") || has("global") { 0 } else { self.given.window };
                // beyond what an address of 32 bits in the window reaches, a generic address is one of global memory
                let shared = !has("global")
                    && threads.iter().all(|t| self.get(at, *t).wrapping_sub(window) < 1 << 33 || window == 0);
                let window = if shared { window } else { 0 };
                self.note(line, shared, w, lanes, bytes * list.len() as u64, at);
                if window != 0 {
                    self.seen.last_mut().unwrap().addresses.values_mut().for_each(|x| *x = x.wrapping_sub(window));
                }
                self.seen.last_mut().unwrap().window = window;
                for t in threads {
                    let at = self.get(at, t).wrapping_sub(window);
                    for (i, one) in list.iter().enumerate() {
                        let at = at.wrapping_add(bytes * i as u64);
                        if op == "ld" {
                            let value = self.load(shared, at, bytes);
                            self.set(one, t, if letter == 's' { sign(value, bits) as u64 } else { value });
                        } else {
                            let value = self.get(one, t);
                            self.store(shared, at, bytes, value);
                        }
                    }
                }
            }
            "atom" | "red" => {
                let (_, bits) = kind(last);
                let place = usize::from(op == "atom");
                self.note(line, has("shared"), w, lanes, u64::from(bits / 8), &line.args[place]);
                for t in threads {
                    let at = self.get(&line.args[place], t);
                    let old = self.load(has("shared"), at, u64::from(bits / 8));
                    let add = self.get(&line.args[place + 1], t);
                    self.store(has("shared"), at, u64::from(bits / 8), old.wrapping_add(add));
                    if op == "atom" {
                        self.set(&line.args[0], t, old);
                    }
                }
            }
            "ldmatrix" => {
                let rows = if has("x4") {
                    32
                } else if has("x2") {
                    16
                } else {
                    8
                };
                let sources = if rows == 32 { lanes } else { lanes & ((1u32 << rows) - 1) };
                self.note(line, true, w, sources, 16, &line.args[1]);
                let Arg::List(to) = &line.args[0] else { panic!("{line:?}") };
                for t in threads {
                    for (i, one) in to.iter().enumerate() {
                        let value = mix(self.given.seed ^ (t * 8 + i) as u64);
                        self.set(one, t, value);
                    }
                }
            }
            "cp" if has("cg") || has("ca") => {
                let Arg::Number(bytes) = line.args[2] else { panic!("{line:?}") };
                self.note(line, true, w, lanes, bytes, &line.args[0]);
                self.note(line, false, w, lanes, bytes, &line.args[1]);
                for t in threads {
                    let (to, from) = (self.get(&line.args[0], t), self.get(&line.args[1], t));
                    for i in 0..bytes {
                        let byte = self.load(false, from.wrapping_add(i), 1);
                        self.store(true, to.wrapping_add(i), 1, byte);
                    }
                }
            }
            "cp" => {}
            "stmatrix" => {
                let rows = if has("x4") {
                    32
                } else if has("x2") {
                    16
                } else {
                    8
                };
                let sources = if rows == 32 { lanes } else { lanes & ((1u32 << rows) - 1) };
                self.note(line, true, w, sources, 16, &line.args[0]);
            }
            // numbers that no address uses: any will do, and each thread has its own
            "mma" | "fma" | "ex2" | "shfl" => self.any(line, &threads),
            _ if line.op.iter().any(|x| x.starts_with('f') && x.len() > 1) && op != "setp" => self.any(line, &threads),
            // parts, the lowest first
            "mov" if line.args.iter().any(|x| matches!(x, Arg::List(_))) => {
                let width = |arg: &Arg, this: &Self| match arg {
                    Arg::Register(r) => this.program.widths[*r],
                    arg => panic!("{arg:?}"),
                };
                for t in threads {
                    match (&line.args[0], &line.args[1]) {
                        (Arg::List(parts), source) => {
                            let mut value = self.get(source, t);
                            for part in parts {
                                self.set(part, t, value);
                                value = value.checked_shr(width(part, self)).unwrap_or(0);
                            }
                        }
                        (to, Arg::List(parts)) => {
                            let (mut value, mut at) = (0, 0);
                            for part in parts {
                                value |= self.get(part, t) << at;
                                at += width(part, self);
                            }
                            self.set(to, t, value);
                        }
                        _ => panic!("{line:?}"),
                    }
                }
            }
            "setp" => {
                for t in threads {
                    let (letter, bits) = kind(last);
                    let (a, b) = (low(self.get(&line.args[1], t), bits), low(self.get(&line.args[2], t), bits));
                    let order = if letter == 's' { sign(a, bits).cmp(&sign(b, bits)) } else { a.cmp(&b) };
                    let mut result = match line.op[1].as_str() {
                        "eq" => order.is_eq(),
                        "ne" => order.is_ne(),
                        "lt" => order.is_lt(),
                        "le" => order.is_le(),
                        "gt" => order.is_gt(),
                        "ge" => order.is_ge(),
                        other => panic!("setp.{other}"),
                    };
                    if let Some(third) = line.args.get(3) {
                        let third = self.get(third, t) == 1;
                        result = match line.op[2].as_str() {
                            "and" => result && third,
                            "or" => result || third,
                            "xor" => result != third,
                            other => panic!("setp.{other}"),
                        };
                    }
                    self.set(&line.args[0], t, u64::from(result));
                }
            }
            _ => {
                for t in threads {
                    let value = self.compute(line, op, last, t);
                    self.set(&line.args[0], t, value);
                }
            }
        }
    }

    fn compute(&self, line: &Line, op: &str, last: &str, t: usize) -> u64 {
        let has = |x: &str| line.op.iter().any(|y| y == x);
        if last == "pred" {
            let get = |i: usize| self.get(&line.args[i], t) == 1;
            return u64::from(match op {
                "and" => get(1) && get(2),
                "or" => get(1) || get(2),
                "xor" => get(1) != get(2),
                "not" => !get(1),
                other => panic!("{other}.pred"),
            });
        }
        let (letter, bits) = kind(last);
        let signed = letter == 's';
        let raw = |i: usize| match &line.args[i] {
            Arg::At(base, offset) => self.get(base, t).wrapping_add(*offset as u64),
            arg => self.get(arg, t),
        };
        let get = |i: usize| low(raw(i), bits);
        let integer = |i: usize| -> i128 { if signed { i128::from(sign(raw(i), bits)) } else { i128::from(get(i)) } };
        let shift = |i: usize| low(raw(i), 32);
        match op {
            "ld" => raw(1),
            "mov" => get(1),
            "cvta" if has("to") && has("shared") => get(1).wrapping_sub(self.given.window),
            "cvta" if has("shared") => get(1).wrapping_add(self.given.window),
            "cvta" => get(1),
            "cvt" => {
                let (to_letter, to_bits) = kind(&line.op[line.op.len() - 2]);
                let value = integer(1) as u64;
                if to_letter == 's' { sign(value, to_bits) as u64 } else { low(value, to_bits) }
            }
            "add" if letter == 'f' => {
                u64::from((f32::from_bits(get(1) as u32) + f32::from_bits(get(2) as u32)).to_bits())
            }
            "add" => get(1).wrapping_add(get(2)),
            "sub" => get(1).wrapping_sub(get(2)),
            "neg" => get(1).wrapping_neg(),
            "not" => !get(1),
            "abs" => sign(raw(1), bits).wrapping_abs() as u64,
            "and" => get(1) & get(2),
            "or" => get(1) | get(2),
            "xor" => get(1) ^ get(2),
            "shl" => {
                if shift(2) >= u64::from(bits) {
                    0
                } else {
                    get(1) << shift(2)
                }
            }
            "shr" if signed => (sign(raw(1), bits) >> shift(2).min(u64::from(bits) - 1)) as u64,
            "shr" => {
                if shift(2) >= u64::from(bits) {
                    0
                } else {
                    get(1) >> shift(2)
                }
            }
            "mul" if has("wide") => (integer(1) * integer(2)) as u64,
            "mul" | "mad" if has("hi") => {
                let product = if signed {
                    ((integer(1) * integer(2)) >> bits) as u64
                } else {
                    ((u128::from(get(1)) * u128::from(get(2))) >> bits) as u64
                };
                if op == "mad" { product.wrapping_add(get(3)) } else { product }
            }
            "mul" => get(1).wrapping_mul(get(2)),
            "mad" if has("wide") => ((integer(1) * integer(2)) as u64).wrapping_add(raw(3)),
            "mad" => get(1).wrapping_mul(get(2)).wrapping_add(get(3)),
            "min" => integer(1).min(integer(2)) as u64,
            "max" => integer(1).max(integer(2)) as u64,
            "div" => integer(1).checked_div(integer(2)).map_or(u64::MAX, |x| x as u64),
            "rem" => integer(1).checked_rem(integer(2)).map_or(get(1), |x| x as u64),
            "selp" => {
                if self.get(&line.args[3], t) == 1 {
                    get(1)
                } else {
                    get(2)
                }
            }
            "prmt" => {
                let both = get(1) | get(2) << 32;
                let pick = |i: u64| {
                    let which = get(3) >> (4 * i) & 15;
                    let byte = both >> (8 * (which & 7)) & 0xff;
                    if which & 8 == 0 { byte } else { (byte >> 7) * 0xff }
                };
                (0..4).map(|i| pick(i) << (8 * i)).sum()
            }
            "popc" => u64::from(get(1).count_ones()),
            "clz" => u64::from(get(1).leading_zeros() - (64 - bits)),
            "brev" => get(1).reverse_bits() >> (64 - bits),
            "bfe" => {
                let (from, length) = (shift(2) & 0xff, shift(3) & 0xff);
                let bit = |i: u64| {
                    if i < u64::from(bits) {
                        get(1) >> i & 1
                    } else if signed {
                        get(1) >> (bits - 1) & 1
                    } else {
                        0
                    }
                };
                let field: u64 = (0..length.min(u64::from(bits))).map(|i| bit(from + i) << i).sum();
                // the sign is the field's last bit
                let top = (from + length).saturating_sub(1).min(u64::from(bits) - 1);
                let filled = if signed && length > 0 && get(1) >> top & 1 == 1 && length < u64::from(bits) {
                    u64::MAX << length
                } else {
                    0
                };
                field | filled
            }
            "bfi" => {
                let (from, length) = (shift(3) & 0xff, shift(4) & 0xff);
                (0..u64::from(bits))
                    .map(
                        |i| {
                            if i >= from && i < from + length {
                                (get(1) >> (i - from) & 1) << i
                            } else {
                                get(2) & 1 << i
                            }
                        },
                    )
                    .sum()
            }
            other => panic!("{other} of line {}", line.number),
        }
    }
}
