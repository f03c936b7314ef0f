//! Kernels that do arithmetic at random, with branches and loops, and reach shared memory with what comes out.

use super::random::Random;

const R: u64 = 10;
const RD: u64 = 5;
const P: u64 = 5;

pub struct Generator {
    pub random: Random,
    text: String,
    labels: u32,
    temporaries: u32,
    room: i32,
    /// registers that a loop counts in, and may not be written
    counters: u32,
    /// where a branch forward may go
    ends: Vec<u32>,
    /// where a branch back may go: a loop that counts at its header, and the number of its counter
    heads: Vec<(u32, u32)>,
}

impl Generator {
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random(seed),
            text: String::new(),
            labels: 0,
            temporaries: 0,
            room: 45,
            counters: 0,
            ends: Vec::new(),
            heads: Vec::new(),
        }
    }

    fn emit(&mut self, text: &str) {
        self.text.push('\t');
        self.text.push_str(text);
        self.text.push_str(";\n");
    }

    fn r(&mut self) -> String {
        format!("%r{}", self.random.below(R))
    }

    fn rd(&mut self) -> String {
        format!("%rd{}", self.random.below(RD))
    }

    fn p(&mut self) -> String {
        format!("%p{}", self.random.below(P))
    }

    fn t(&mut self) -> String {
        self.temporaries += 1;
        format!("%t{}", self.temporaries)
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    fn number(&mut self) -> String {
        let small = self.random.below(40);
        let power = 1u64 << self.random.below(12);
        match self.random.below(8) {
            0..3 => small.to_string(),
            3 | 4 => power.to_string(),
            5 => (power - 1).to_string(),
            6 => format!("-{}", 1 + small),
            _ => self.random.below(1 << 32).to_string(),
        }
    }

    fn source(&mut self) -> String {
        if self.random.chance(45) { self.number() } else { self.r() }
    }

    fn guard(&mut self) -> String {
        if !self.random.chance(12) {
            return String::new();
        }
        let not = if self.random.chance(50) { "!" } else { "" };
        format!("@{not}{} ", self.p())
    }

    fn arithmetic(&mut self) {
        let guard = self.guard();
        let (d, a, b, c) = (self.r(), self.r(), self.source(), self.source());
        let s = self.random.pick(&["s32", "u32"]);
        let by = self.random.below(34);
        let text = match self.random.below(34) {
            0..5 => format!("add.{s} {d}, {a}, {b}"),
            5 | 6 => format!("sub.{s} {d}, {a}, {b}"),
            7 | 8 => format!("mul.lo.{s} {d}, {a}, {b}"),
            9 => format!("mul.hi.{s} {d}, {a}, {b}"),
            10 => format!("mad.hi.{s} {d}, {a}, {b}, {c}"),
            11 => format!("mad.lo.{s} {d}, {a}, {b}, {c}"),
            12 | 13 => format!("shl.b32 {d}, {a}, {}", by % 8),
            14 => format!("shl.b32 {d}, {a}, {b}"),
            15..18 => format!("shr.{s} {d}, {a}, {by}"),
            18 => format!("shr.{s} {d}, {a}, {b}"),
            19 | 20 => format!("and.b32 {d}, {a}, {b}"),
            21 => format!("or.b32 {d}, {a}, {b}"),
            22 | 23 => format!("xor.b32 {d}, {a}, {b}"),
            24 => format!("{}.b32 {d}, {a}", "not"),
            25 => format!("neg.s32 {d}, {a}"),
            26 => format!("{}.{s} {d}, {a}, {b}", self.random.pick(&["min", "max"])),
            27 => format!("{}.{s} {d}, {a}, {}", self.random.pick(&["div", "rem"]), 1 + by),
            28 => format!("bfe.{s} {d}, {a}, {}, {}", by % 32, 1 + by % 9),
            29 => format!("bfi.b32 {d}, {a}, {b}, {}, {}", by % 32, 1 + by % 7),
            30 => format!("selp.b32 {d}, {a}, {b}, {}", self.p()),
            31 => format!("{} {d}, {a}", self.random.pick(&["popc.b32", "clz.b32", "brev.b32", "abs.s32"])),
            32 => format!(
                "cvt.{}.{} {d}, {a}",
                self.random.pick(&["u32", "s32"]),
                self.random.pick(&["u8", "s8", "u16", "s16"])
            ),
            _ => format!(
                "mov.u32 {d}, {}",
                self.random.pick(&["%tid.x", "%tid.y", "%laneid", "%ctaid.x", "%ntid.x", "%nctaid.x", "17"])
            ),
        };
        self.emit(&format!("{guard}{text}"));
    }

    fn wide(&mut self) {
        let guard = self.guard();
        let (d, a, b) = (self.rd(), self.rd(), self.rd());
        let (x, y, z) = (self.r(), self.source(), self.r());
        let s = self.random.pick(&["s", "u"]);
        let by = self.random.below(66);
        let text = match self.random.below(14) {
            // of small numbers and a large one, into an address
            12 | 13 => {
                let large = self.random.pick(&[0x5555_5555_5555_5556, -0x5555_5555_5555_5556, i64::MIN, -1]);
                self.emit(&match by % 2 {
                    0 => format!("mul.hi.{s}64 {d}, {a}, {large}"),
                    _ => format!("mad.hi.{s}64 {d}, {a}, {large}, {b}"),
                });
                format!("cvt.u32.u64 {z}, {d}")
            }
            0 | 1 => format!("cvt.{s}64.{s}32 {d}, {x}"),
            2 | 3 => format!("mul.wide.{s}32 {d}, {x}, {y}"),
            4 => format!("mad.wide.{s}32 {d}, {x}, {y}, {a}"),
            5 | 6 => format!("add.s64 {d}, {a}, {b}"),
            7 => format!("shl.b64 {d}, {a}, {}", by % 5),
            8 => format!("shr.{s}64 {d}, {a}, {by}"),
            9 => format!("{}.b64 {d}, {a}, {b}", self.random.pick(&["and", "or", "xor"])),
            10 => format!("sub.s64 {d}, {a}, {b}"),
            _ => format!("cvt.{}.{}64 {z}, {a}", self.random.pick(&["u32", "u32", "s32", "u16", "s8"]), s),
        };
        self.emit(&format!("{guard}{text}"));
    }

    fn compare(&mut self) {
        let guard = self.guard();
        let (p, a, b) = (self.p(), self.r(), self.source());
        let order = self.random.pick(&["eq", "ne", "lt", "le", "gt", "ge"]);
        let s = self.random.pick(&["s32", "u32", "u16"]);
        let text = match self.random.below(6) {
            0 => {
                let (op, q) = (self.random.pick(&["and", "or", "xor"]), self.p());
                format!("setp.{order}.{op}.{s} {p}, {a}, {b}, {q}")
            }
            1 => format!("{}.pred {p}, {}, {}", self.random.pick(&["and", "or", "xor"]), self.p(), self.p()),
            2 => format!("not.pred {p}, {}", self.p()),
            _ => format!("setp.{order}.{s} {p}, {a}, {b}"),
        };
        self.emit(&format!("{guard}{text}"));
    }

    fn access(&mut self) {
        let guard = self.guard();
        let bytes = self.random.pick(&[1u64, 2, 4, 4, 4, 8, 16]);
        let at = self.t();
        let a = self.r();
        match self.random.below(5) {
            // anything: often misaligned
            0 => self.emit(&format!("mov.u32 {at}, {a}")),
            1 => self.emit(&format!("and.b32 {at}, {a}, {}", 1023 & !(bytes - 1))),
            2 => self.emit(&format!("mul.lo.s32 {at}, {a}, {bytes}")),
            3 => {
                let pitch = bytes * (1 + self.random_small());
                self.emit(&format!("and.b32 {at}, {a}, 127"));
                self.emit(&format!("mul.lo.s32 {at}, {at}, {pitch}"));
            }
            _ => self.emit(&format!("mad.lo.s32 {at}, {a}, {}, {}", bytes * 4, bytes * 3)),
        }
        let array = self.random.pick(&["tile", "bytes", "tile"]);
        let base = self.t();
        let sum = self.t();
        self.emit(&format!("mov.u32 {base}, {array}"));
        self.emit(&format!("add.s32 {sum}, {at}, {base}"));
        let offset = self.random.pick(&[0, 0, bytes, bytes * 8, 4, 128]);
        let d = self.r();
        let (q, w) = (self.r(), self.r());
        let kind = match bytes {
            1 => self.random.pick(&["u8", "s8"]),
            2 => self.random.pick(&["u16", "s16"]),
            8 => "v2.u32",
            16 => "v4.b32",
            _ => self.random.pick(&["u32", "s32", "b32"]),
        };
        let list = match bytes {
            8 if d != q => format!("{{{d}, {q}}}"),
            8 => format!("{{{d}, _x}}").replace("_x", &self.t()),
            16 => format!("{{{d}, {}, {}, {}}}", self.t(), self.t(), self.t()),
            _ => d,
        };
        let _ = w;
        match self.random.below(10) {
            0..6 => self.emit(&format!("{guard}ld.shared.{kind} {list}, [{sum}+{offset}]")),
            6 if bytes == 4 => self.emit(&format!("{guard}atom.shared.add.u32 {list}, [{sum}+{offset}], 1")),
            7 if bytes == 4 => {
                let (x, y, z) = (self.w(), self.w(), self.w());
                self.emit(&format!("cvt.u64.u32 {x}, {sum}"));
                self.emit(&format!("cvta.shared.u64 {y}, {x}"));
                self.emit(&format!("add.s64 {z}, {y}, {offset}"));
                self.emit(&format!("{guard}ld.{kind} {list}, [{z}]"));
            }
            _ => {
                let kind = kind.replace('s', "u");
                self.emit(&format!("{guard}st.shared.{kind} [{sum}+{offset}], {list}"));
            }
        }
    }

    fn w(&mut self) -> String {
        self.temporaries += 1;
        format!("%w{}", self.temporaries)
    }

    fn random_small(&mut self) -> u64 {
        self.random.below(9)
    }

    fn branch(&mut self, depth: u32) {
        let (p, not) = (self.p(), if self.random.chance(50) { "!" } else { "" });
        let (other, end) = (self.label(), self.label());
        let both = self.random.chance(50);
        self.emit(&format!("@{not}{p} bra L{}", if both { other } else { end }));
        self.ends.push(end);
        self.statements(depth + 1, 4);
        if both {
            self.emit(&format!("bra L{end}"));
            self.text.push_str(&format!("L{other}:\n"));
            self.statements(depth + 1, 4);
        }
        self.ends.pop();
        self.text.push_str(&format!("L{end}:\n"));
    }

    fn repeat(&mut self, depth: u32) {
        self.counters += 1;
        let (k, limit, q) =
            (format!("%k{}", self.counters), format!("%m{}", self.counters), format!("%q{}", self.counters));
        self.limit(&limit);
        let start = self.random.pick(&["0", "0", "1"]);
        self.emit(&format!("mov.u32 {k}, {start}"));
        let (head, end) = (self.label(), self.label());
        let before = self.random.chance(50);
        if before && self.random.chance(50) {
            // a copy of the test before the loop, as compilers print it
            self.emit(&format!("setp.ge.u32 {q}, {k}, {limit}"));
            self.emit(&format!("@{q} bra L{end}"));
        }
        self.text.push_str(&format!("L{head}:\n"));
        if before {
            self.emit(&format!("setp.ge.u32 {q}, {k}, {limit}"));
            self.emit(&format!("@{q} bra L{end}"));
        }
        self.ends.push(end);
        if self.random.chance(60) {
            let (d, by) = (self.r(), self.number());
            self.emit(&format!("add.s32 {d}, {d}, {by}"));
        }
        if self.random.chance(40) {
            let (d, a) = (self.r(), self.r());
            self.emit(&format!("mad.lo.s32 {d}, {k}, {}, {a}", 4 * (1 + self.random.0 % 9)));
        }
        self.statements(depth + 1, 5);
        if self.random.chance(25) {
            let p = self.p();
            self.emit(&format!("@{p} bra L{end}"));
        }
        if self.random.chance(20) {
            self.statements(depth + 1, 2);
        }
        self.ends.pop();
        self.emit(&format!("add.s32 {k}, {k}, 1"));
        if before {
            self.emit(&format!("bra L{head}"));
        } else {
            self.emit(&format!("setp.lt.u32 {q}, {k}, {limit}"));
            self.emit(&format!("@{q} bra L{head}"));
        }
        self.text.push_str(&format!("L{end}:\n"));
    }

    /// A loop with several ways back to its header: threads may be in different turns of it.
    fn again(&mut self, depth: u32) {
        self.counters += 1;
        let number = self.counters;
        let (k, limit, q) = (format!("%k{number}"), format!("%m{number}"), format!("%q{number}"));
        self.limit(&limit);
        self.emit(&format!("mov.u32 {k}, 0"));
        let (head, end) = (self.label(), self.label());
        self.text.push_str(&format!("L{head}:\n"));
        self.emit(&format!("add.s32 {k}, {k}, 1"));
        self.heads.push((head, number));
        self.ends.push(end);
        for _ in 0..1 + self.random.below(2) {
            self.statements(depth + 1, 3);
            self.back();
        }
        if self.random.chance(50) {
            let (d, a) = (self.r(), self.r());
            self.emit(&format!("mad.lo.s32 {d}, {k}, {}, {a}", 4 * (1 + self.random.0 % 9)));
        }
        self.access();
        self.statements(depth + 1, 3);
        self.ends.pop();
        self.heads.pop();
        self.emit(&format!("setp.lt.u32 {q}, {k}, {limit}"));
        self.emit(&format!("@{q} bra L{head}"));
        self.text.push_str(&format!("L{end}:\n"));
    }

    /// `continue`, of the loop or of one around it, while that has turns.
    fn back(&mut self) {
        let p = self.p();
        let (head, number) = self.heads[self.random.below(self.heads.len() as u64) as usize];
        self.emit(&format!("setp.lt.and.u32 %q{number}, %k{number}, %m{number}, {p}"));
        self.emit(&format!("@%q{number} bra L{head}"));
    }

    /// Some turns of a loop.
    fn limit(&mut self, limit: &str) {
        let x = self.r();
        match self.random.below(5) {
            0 | 1 => {
                let trips = 1 + self.random_small();
                self.emit(&format!("mov.u32 {limit}, {trips}"));
            }
            2 => self.emit(&format!("and.b32 {limit}, {x}, 3")),
            3 => {
                self.emit(&format!("ld.param.u32 {limit}, [n]"));
                self.emit(&format!("and.b32 {limit}, {limit}, 7"));
            }
            _ => {
                self.emit(&format!("ld.shared.u32 {limit}, [tile+16]"));
                self.emit(&format!("and.b32 {limit}, {limit}, 3"));
            }
        }
    }

    fn statements(&mut self, depth: u32, most: u64) {
        for _ in 0..1 + self.random.below(most) {
            self.room -= 1;
            if self.room < 0 {
                return;
            }
            match self.random.below(100) {
                0..38 => self.arithmetic(),
                38..50 => self.wide(),
                50..60 => self.compare(),
                60..76 => self.access(),
                76..86 if depth < 4 => self.branch(depth),
                86..91 if depth < 3 && self.counters < 5 => self.repeat(depth),
                91..94 if depth < 3 && self.counters < 5 => self.again(depth),
                94 if depth == 0 => self.emit("bar.sync 0"),
                95 => {
                    let p = self.p();
                    self.emit(&format!("@{p} ret"));
                }
                96 | 97 if !self.ends.is_empty() => {
                    // out of several blocks at once
                    let (p, end) = (self.p(), self.ends[self.random.below(self.ends.len() as u64) as usize]);
                    self.emit(&format!("@{p} bra L{end}"));
                }
                _ => self.access(),
            }
        }
    }

    /// A kernel `k(u64 pointer, u32 n, u32 m)`.
    pub fn kernel(mut self) -> String {
        for r in 0..R {
            let x = self.random.pick(&["%tid.x", "%tid.x", "%tid.y", "%laneid", "%ctaid.x", "4", "1", "%nctaid.y"]);
            self.emit(&format!("mov.u32 %r{r}, {x}"));
        }
        self.emit("ld.param.u32 %r2, [n]");
        self.emit("ld.param.u32 %r3, [m]");
        self.emit("ld.param.u64 %rd0, [pointer]");
        for rd in 1..RD {
            let r = self.r();
            self.emit(&format!("cvt.u64.u32 %rd{rd}, {r}"));
        }
        for p in 0..P {
            let (a, b) = (self.r(), self.source());
            let order = self.random.pick(&["eq", "lt", "ge"]);
            self.emit(&format!("setp.{order}.s32 %p{p}, {a}, {b}"));
        }
        while self.room > 0 {
            self.statements(0, 6);
        }
        self.access();
        self.emit("ret");
        format!(
            ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k(\n\
             \t.param .u64 pointer,\n\t.param .u32 n,\n\t.param .u32 m\n)\n{{\n\
             \t.reg .pred %p<{P}>;\n\t.reg .pred %q<9>;\n\t.reg .b32 %r<{R}>;\n\
             \t.reg .b32 %k<9>;\n\t.reg .b32 %m<9>;\n\t.reg .b64 %rd<{RD}>;\n\
             \t.reg .b32 %t<{n}>;\n\t.reg .b64 %w<{n}>;\n\
             \t.shared .align 16 .b8 tile[4096];\n\t.shared .align 1 .b8 bytes[1024];\n{}}}\n",
            self.text,
            n = self.temporaries + 1,
        )
    }

    /// A kernel with two arrays and a pointer that may be either, or global memory: `[%in…]` is a place in what it points to.
    pub fn pointers(mut self) -> String {
        self.emit("mov.u32 %r1, %laneid");
        self.emit("mov.u32 %a0, one");
        self.emit("mov.u32 %a1, two");
        self.emit("ld.param.u32 %r2, [n]");
        self.emit("ld.param.u64 %g1, [pointer]");
        let stride = |this: &mut Self| this.random.pick(&[4u64, 8, 64, 124, 128, 128]);
        for _ in 0..1 + self.random.below(4) {
            let (array, by) = (self.random.below(2), stride(&mut self));
            self.emit(&format!("mad.lo.u32 %r3, %r1, {by}, %a{array}"));
            let access = self.random.pick(&["st.shared.u32 [%r3], %r1", "ld.shared.u32 %r4, [%r3]"]);
            self.emit(access);
        }
        self.emit("mov.u32 %a2, %a0");
        self.emit("mov.u32 %a3, %a1");
        for _ in 0..self.random.below(4) {
            self.redirect();
        }
        let by = stride(&mut self);
        if self.random.chance(60) {
            self.emit(&format!("mad.lo.u32 %in1, %r1, {by}, %a2"));
            self.emit("ld.shared.u32 %r4, [%in1]");
        } else {
            self.emit("cvt.u64.u32 %g2, %a2");
            self.emit("cvta.shared.u64 %g2, %g2");
            if self.random.chance(50) {
                self.test();
                let other = ["selp.b64 %g2, %g1, %g2, %p1", "@%p1 mov.u64 %g2, %g1", "@%p1 add.s64 %g2, %g2, 0"];
                let other = self.random.pick(&other);
                self.emit(other);
            }
            self.emit(&format!("mad.wide.u32 %inw1, %r1, {by}, %g2"));
            self.emit("ld.u32 %r4, [%inw1]");
        }
        self.emit("ret");
        format!(
            ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k(\n\
             \t.param .u64 pointer,\n\t.param .u32 n\n)\n{{\n\t.reg .pred %p<9>;\n\t.reg .b32 %r<9>;\n\
             \t.reg .b32 %k<99>;\n\t.reg .b32 %a<9>;\n\t.reg .b64 %g<9>;\n\t.reg .b32 %in<2>;\n\t.reg .b64 %inw<2>;\n\
             \t.shared .align 16 .b8 one[4096];\n\t.shared .align 16 .b8 two[4096];\n{}}}\n",
            self.text,
        )
    }

    /// Sets `%p1`: the same for all or not, known or not.
    fn test(&mut self) {
        match self.random.below(4) {
            0 => self.emit("setp.gt.s32 %p1, %r2, 3"),
            1 => self.emit("setp.lt.u32 %p1, %r1, 9"),
            2 => self.emit("setp.lt.u32 %p1, %r1, %r2"),
            _ => {
                self.emit("ld.shared.u32 %r5, [one+4]");
                self.emit("setp.gt.s32 %p1, %r5, 0");
            }
        }
    }

    /// Gives `%a2` one of two pointers, and perhaps `%a3` the other.
    fn redirect(&mut self) {
        self.test();
        let swap = ["mov.u32 %a4, %a2", "mov.u32 %a2, %a3", "mov.u32 %a3, %a4"];
        match self.random.below(7) {
            0 => self.emit("selp.b32 %a2, %a3, %a2, %p1"),
            1 => self.emit("@%p1 mov.u32 %a2, %a3"),
            2 => {
                let label = self.label();
                self.emit(&format!("@%p1 bra L{label}"));
                swap.iter().for_each(|x| self.emit(x));
                self.text.push_str(&format!("L{label}:\n"));
            }
            3 => {
                self.emit("sub.u32 %a4, %a3, %a2");
                self.emit("selp.b32 %a4, %a4, 0, %p1");
                self.emit("add.u32 %a2, %a2, %a4");
            }
            4 => {
                self.emit("sub.u32 %a4, %a3, %a2");
                self.emit("selp.b32 %r5, 1, 0, %p1");
                self.emit("mad.lo.u32 %a2, %a4, %r5, %a2");
            }
            5 => {
                self.emit("xor.b32 %a4, %a2, %a3");
                self.emit("selp.b32 %a4, %a4, 0, %p1");
                self.emit("xor.b32 %a2, %a2, %a4");
            }
            _ => {
                let label = self.label();
                let by = self.random.pick(&[4u64, 64, 124, 128]);
                self.emit("selp.b32 %r6, 3, 4, %p1");
                self.emit(&format!("mov.u32 %k{label}, 0"));
                self.text.push_str(&format!("L{label}:\n"));
                self.emit(&format!("mad.lo.u32 %in1, %r1, {by}, %a2"));
                self.emit("ld.shared.u32 %r4, [%in1]");
                swap.iter().for_each(|x| self.emit(x));
                self.emit(&format!("add.u32 %k{label}, %k{label}, 1"));
                self.emit(&format!("setp.lt.u32 %p2, %k{label}, %r6"));
                self.emit(&format!("@%p2 bra L{label}"));
            }
        }
    }
}
