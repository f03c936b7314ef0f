//! Slices that a variable keeps: one is made for nothing where the variable is not used.
//!
//! ```text
//! auto slice = copy.get_slice(threadIdx.x);
//! if (n > 0) clear(slice.partition_D(tensor));
//! ```

use super::arms::Block;
use super::shared::Looker;
use crate::ast::{Site, Span};
use crate::eval::Context;
use crate::source::{code, is_identifier, last_word, places};
use crate::syntax::leaves;

/// Variables that are made of others, and places where one of them stands.
const MAX_STEPS: usize = 4;
const MAX_PLACES: usize = 64;

/// Places that are looked at for one slice, in all.
const MAX_LOOKS: usize = 256;

/// Words of arms.
const ARMS: [&str; 5] = ["case", "catch", "else", "if", "switch"];

impl<'a> Looker<'_, 'a> {
    /// Whether some thread of a block gets to a place, as far as that can be told.
    pub(super) fn gets_there(&mut self, at: Span, block: Block, context: &Context<'a>) -> bool {
        let guards = self.way_to(at.start, context);
        guards.is_none_or(|guards| self.gets_by(guards, at, None, Some(block), context))
    }

    /// Whether some thread of a block takes a slice, or a part of a tensor, and does something with it.
    pub(super) fn is_taken(&mut self, at: Span, block: Block, context: &Context<'a>) -> bool {
        if !self.gets_there(at, block, context) {
            return false;
        }
        let Some(body) = super::launches::function_around(self.program, context.unit, context.scope) else {
            return true;
        };
        let function = self.program.body(body).span;
        let Some(start) = at.start.checked_sub(function.start).filter(|_| function.contains(at)) else { return true };
        let text = code(self.program.text(Site { unit: context.unit, span: function }));
        let mut left = MAX_LOOKS;
        is_used(&text, start as usize, MAX_STEPS, &mut left, &mut |place| {
            let start = function.start.saturating_add(u32::try_from(place).ok()?);
            let guards = self.way_to(start, context)?;
            Some(self.gets_by(guards, Span { start, end: start }, None, Some(block), context))
        })
    }
}

/// Whether what is made at a place of the code of a function is used: in the statement itself, or where the variable stands that keeps it. It is
/// told whether some of these places are reached.
// Recursion: through variables that are made of others, as deep as `depth`, and at no more than `left` places. What is beyond is not known to be
// used.
fn is_used(
    code: &str,
    at: usize,
    depth: usize,
    left: &mut usize,
    reached: &mut dyn FnMut(usize) -> Option<bool>,
) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return true };
    let Some((name, end)) = kept(code, at) else { return true };
    let Some(rest) = code.get(end..) else { return true };
    let mut uses = uses(rest, name).peekable();
    // Nobody says what it is made for: another way to use it is not read.
    if uses.peek().is_none() {
        return true;
    }
    uses.take(MAX_PLACES).any(|(place, arm)| {
        let place = end + place;
        let Some(rest) = left.checked_sub(1) else { return false };
        *left = rest;
        reached(place).unwrap_or(!arm) && is_used(code, place, depth, left, reached)
    })
}

/// The variable that keeps what is made at a place, and where its declaration ends.
fn kept(code: &str, at: usize) -> Option<(&str, usize)> {
    let before = code.get(..at)?;
    let statement = before.rsplit([';', '{', '}']).next()?;
    let declared = statement.trim_end().strip_suffix('=').filter(|rest| !rest.ends_with(['=', '!', '<', '>']))?;
    let (name, _) = last_word(declared.trim_end());
    let end = at + code.get(at..)?.find(';')?;
    (!name.is_empty() && !statement.contains('(')).then_some((name, end))
}

/// Where a name stands in the rest of its block, and whether that is in an arm, or behind what may leave.
fn uses<'c>(rest: &'c str, name: &'c str) -> impl Iterator<Item = (usize, bool)> + 'c {
    let mut arms = Arms { code: rest, at: 1, begins: 1, open: Vec::new(), depth: 0, left: false, over: false };
    places(rest, name).map_while(move |place| {
        arms.go_to(place);
        (!arms.over).then(|| (place, arms.is_arm()))
    })
}

/// The braces around a place.
struct Arms<'c> {
    code: &'c str,
    at: usize,
    /// Where the statement begins.
    begins: usize,
    /// Braces that are open, and whether each is an arm's.
    open: Vec<bool>,
    /// Parentheses that are open.
    depth: usize,
    /// Whether something may have left.
    left: bool,
    /// Whether the block is over.
    over: bool,
}

impl Arms<'_> {
    fn go_to(&mut self, place: usize) {
        let bytes = self.code.as_bytes();
        while self.at < place && !self.over {
            match bytes.get(self.at) {
                Some(b'(') => self.depth += 1,
                Some(b')') => self.depth = self.depth.saturating_sub(1),
                Some(b'{') => {
                    self.open.push(self.starts_arm(self.at));
                    self.begins = self.at + 1;
                }
                Some(b'}') => {
                    self.leave(self.at);
                    self.over = self.open.pop().is_none();
                    self.begins = self.at + 1;
                }
                Some(b';') if self.depth == 0 => {
                    self.leave(self.at);
                    self.begins = self.at + 1;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Takes note of a statement that is over.
    fn leave(&mut self, end: usize) {
        let statement = self.code.get(self.begins..end).unwrap_or_default();
        self.left |= leaves(statement, true);
    }

    /// Whether what stands before a place in its statement makes it part of an arm: a condition, or a function without a name.
    fn starts_arm(&self, end: usize) -> bool {
        let before = self.code.get(self.begins..end).unwrap_or_default();
        has(before, &ARMS) || ["?", "&&", "||", "[&", "[=", "[]"].iter().any(|sign| before.contains(sign))
    }

    fn is_arm(&self) -> bool {
        self.left || self.open.contains(&true) || self.starts_arm(self.at)
    }
}

fn has(text: &str, words: &[&str]) -> bool {
    text.bytes().any(is_identifier) && words.iter().any(|word| places(text, word).next().is_some())
}

#[cfg(test)]
mod tests {
    use super::is_used;

    fn used(rest: &str) -> bool {
        let text = format!("void f() {{ auto s = @{rest} }} void g() {{ s; }}");
        is_used(&text, text.find('@').unwrap(), 4, &mut 256, &mut |_| None)
    }

    #[test]
    fn slices_that_are_used() {
        for rest in [
            "; ",
            "; clear(s.partition_D(g));",
            "; for (int i = 0; i < n; ++i) { clear(s.partition_D(g)); }",
            "; auto t = s.partition_D(g); clear(t);",
            "; auto t = s.partition_D(g);",
            "; if (n) { f(s); } clear(s);",
            "; { s.x(); }",
        ] {
            assert!(used(rest), "{rest}");
        }
    }

    #[test]
    fn slices_that_are_kept_for_nothing() {
        for rest in [
            "; if (n) clear(s.partition_D(g));",
            "; if (n) { } else { clear(s.partition_D(g)); }",
            "; auto t = s.partition_D(g); if (n) clear(t);",
            "; if (n == 0) return; clear(s);",
            "; if (n == 0) { p[0] = 1; return; } clear(s);",
            "; auto f = [&] { clear(s); };",
            "; n && clear(s);",
            "; switch (n) { case 1: clear(s); }",
        ] {
            assert!(!used(rest), "{rest}");
        }
    }
}
