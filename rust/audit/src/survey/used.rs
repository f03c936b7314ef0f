//! Whether a variable of a function is surely used at run time: what nobody uses, or only an arm that is not compiled, compilers leave out. And
//! whether what a thread gets is used at all: a slice that nobody takes anything of does nothing.

use super::shared::Looker;
use crate::ast::{Site, Span};
use crate::eval::Context;
use crate::source::{is_identifier, last_word, places};
use crate::syntax::PURE;

/// Mentions of a name that are looked at, and variables that are followed from one to the next.
const MAX_MENTIONS: usize = 64;
const MAX_STEPS: usize = 6;

/// Words of a condition.
const CONDITIONS: [&str; 6] = ["case", "constexpr", "default", "else", "if", "switch"];

/// What is asked at run time.
const INDICES: [&str; 2] = ["blockIdx", "threadIdx"];

/// The code of a function, its comments blanked, and what else is known of it.
pub(super) struct Code<'s> {
    pub text: &'s str,
    /// The names of its parameters.
    pub params: &'s [&'s str],
    /// Whether a place is compiled whenever what is looked for is declared.
    pub compiled: &'s dyn Fn(usize) -> bool,
}

impl Code<'_> {
    /// Whether a variable that is declared before a place is surely used behind it: in a statement that no constant may leave out, and not only
    /// to declare what is not used itself.
    pub(super) fn uses(&self, name: &str, from: usize) -> bool {
        self.follows(name, from, MAX_STEPS)
    }

    // Recursion: from a variable to those that are declared by it, as deep as `depth`.
    fn follows(&self, name: &str, from: usize, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let rest = self.text.get(from..).unwrap_or_default();
        for at in places(rest, name).take(MAX_MENTIONS).map(|at| from + at) {
            // Its block has ended.
            let Some(heads) = heads(self.text, from, at) else { return false };
            let statement = heads.last().copied().unwrap_or_default();
            if !(self.compiled)(at)
                || is_aside(statement)
                || !heads.iter().all(|head| self.is_run(head))
                || self.may_have_left(from, at)
            {
                continue;
            }
            if declared(statement).is_none_or(|other| self.follows(other, at, depth)) {
                return true;
            }
        }
        false
    }

    /// Whether what stands in front of a block or a place asks for nothing but the thread, the block or a parameter.
    fn is_run(&self, head: &str) -> bool {
        let asks = |word: &str| places(head, word).next().is_some();
        if !is_conditional(head) {
            return true;
        }
        let plain = ["constexpr", "else", "switch", "case", "default"].iter().all(|word| !asks(word));
        plain
            && !["?", "&&", "||"].iter().any(|sign| head.contains(sign))
            && (INDICES.iter().any(|word| asks(word)) || self.params.iter().any(|word| asks(word)))
    }

    /// Whether a `return` between two places may be one that every thread comes to.
    fn may_have_left(&self, from: usize, at: usize) -> bool {
        let between = self.text.get(from..at).unwrap_or_default();
        places(between, "return").take(MAX_MENTIONS).any(|place| {
            let heads = heads(self.text, from, from + place).unwrap_or_default();
            !heads.iter().any(|head| is_lambda(head) || (is_conditional(head) && self.is_run(head)))
        })
    }
}

impl<'a> Looker<'_, 'a> {
    /// Whether nobody uses what a call in a function returns.
    pub(super) fn is_unused(&mut self, call: Span, function: Span, context: &Context<'a>) -> bool {
        let code = self.evaluator.code_of(Site { unit: context.unit, span: function });
        is_idle(&code, call.start.saturating_sub(function.start) as usize)
    }
}

/// Whether a call makes what nobody uses: a statement of its own, or the declaration of a variable that stands nowhere but in declarations of
/// others that are not used either.
fn is_idle(code: &str, call: usize) -> bool {
    is_idle_from(code, call, MAX_STEPS)
}

// Recursion: from a variable to those that are declared by it, as deep as `depth`.
fn is_idle_from(code: &str, at: usize, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let Some((start, end)) = statement(code, at) else { return false };
    let text = code.get(start..end).unwrap_or_default();
    let Some((name, value)) = declaration(text) else {
        return text.replace(' ', "").starts_with("(void)") || is_pure(text);
    };
    if !is_pure(value) {
        return false;
    }
    let rest = code.get(end..).unwrap_or_default();
    let mut mentions = places(rest, name).map(|at| end + at);
    let idle =
        mentions.by_ref().take(MAX_MENTIONS).all(|at| heads(code, end, at).is_none() || is_idle_from(code, at, depth));
    idle && mentions.next().is_none()
}

/// The statement around a place: what stands between semicolons and braces, if it stands in no parentheses and has no braces itself but empty ones.
pub(super) fn statement(code: &str, at: usize) -> Option<(usize, usize)> {
    let before = code.get(..at)?;
    let mut start = before.rfind([';', '{', '}']).map_or(0, |sign| sign + 1);
    // `Layout<_4>{}` ends no statement.
    for _ in 0..MAX_MENTIONS {
        let Some(rest) = before.get(..start)?.strip_suffix("{}") else { break };
        start = rest.rfind([';', '{', '}']).map_or(0, |sign| sign + 1);
    }
    let end = at + code.get(at..)?.find(';')?;
    let text = code.get(start..end)?.replace("{}", "");
    let even = text.matches('(').count() == text.matches(')').count();
    (even && !text.contains(['{', '}', '#'])).then_some((start, end))
}

/// The variable that a statement declares, and its value: `auto t = value`.
pub(super) fn declaration(text: &str) -> Option<(&str, &str)> {
    let (left, value) = text.split_once('=')?;
    let name = declared(text.get(..=left.len())?)?;
    (!value.starts_with('=')).then_some((name, value))
}

/// Whether an expression is made of names and of calls that change nothing.
fn is_pure(text: &str) -> bool {
    let pure = |at: usize| {
        let before = text.get(..at).unwrap_or_default().trim_end();
        // `get<0>(…)`
        let before = match before.strip_suffix('>') {
            Some(list) => list.rfind('<').and_then(|open| list.get(..open)).unwrap_or_default(),
            None => before,
        };
        let word = last_word(before.trim_end()).0;
        word.is_empty() && !before.is_empty() || PURE.binary_search(&word).is_ok()
    };
    !text.contains(['=', '?', '[', '!', '"'])
        && !["++", "--"].iter().any(|sign| text.contains(sign))
        && text.match_indices('(').take(MAX_MENTIONS).all(|(at, _)| pure(at))
        && ["return", "co_return", "new", "delete", "throw"].iter().all(|word| places(text, word).next().is_none())
}

fn is_conditional(head: &str) -> bool {
    CONDITIONS.iter().any(|word| places(head, word).next().is_some())
        || ["?", "&&", "||"].iter().any(|sign| head.contains(sign))
}

/// `[&](int i)`
fn is_lambda(head: &str) -> bool {
    let head = head.trim_end();
    head.ends_with(']') || head.contains("](") || head.contains("] (")
}

/// Whether a name is only a part of another behind these words, or nothing is done with it: `a.name`, `sizeof(name`, `(void)name`.
fn is_aside(before: &str) -> bool {
    let before = before.trim_end();
    let asked = before.strip_suffix('(').map(|before| last_word(before.trim_end()).0);
    before.ends_with('.')
        || before.ends_with("->")
        || before.ends_with("::")
        || before.replace(' ', "").ends_with("(void)")
        || matches!(asked, Some("sizeof" | "decltype" | "alignof"))
}

/// What stands in front of the blocks around a place, the outermost first, and in front of the place in its statement, as far back as another
/// place; none where the block of that one has ended.
fn heads(code: &str, from: usize, at: usize) -> Option<Vec<&str>> {
    let text = code.get(from..at)?;
    let mut open: Vec<(&str, usize, usize)> = Vec::new();
    let (mut start, mut parens) = (0_usize, 0_usize);
    for (place, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => parens += 1,
            b')' => parens = parens.saturating_sub(1),
            b';' if parens == 0 => start = place + 1,
            b'{' => {
                open.push((text.get(start..place).unwrap_or_default(), start, parens));
                (start, parens) = (place + 1, 0);
            }
            b'}' => {
                let (_, begun, before) = open.pop()?;
                parens = before;
                // Behind a lambda among arguments, the statement goes on.
                start = if before > 0 { begun } else { place + 1 };
            }
            _ => {}
        }
    }
    let statement = text.get(start..)?;
    Some(open.into_iter().map(|(head, ..)| head).chain([statement]).collect())
}

/// The variable that a statement declares with what follows: `auto* p = `, `Tensor t = make_tensor(`, `Reduce reduce(`.
fn declared(before: &str) -> Option<&str> {
    let bytes = before.as_bytes();
    let sign = (0..bytes.len()).find(|&at| {
        let around = [at.checked_sub(1).and_then(|at| bytes.get(at)), bytes.get(at + 1)];
        bytes.get(at) == Some(&b'=')
            && !matches!(around[0], Some(b'=' | b'!' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'|' | b'&' | b'^'))
            && around[1] != Some(&b'=')
    });
    let left = match sign {
        Some(at) => before.get(..at)?,
        None => before.trim_end().strip_suffix(['(', '{'])?,
    };
    let (name, ty) = last_word(left.trim_end());
    let ty = ty.trim();
    let named = !name.is_empty() && !name.starts_with(|sign: char| sign.is_ascii_digit());
    let typed = ty.ends_with(['*', '&', '>']) || ty.bytes().last().is_some_and(is_identifier);
    // `*out = `, `return f(`
    let declares = ty.starts_with(|sign: char| sign.is_alphabetic() || sign == '_' || sign == ':');
    (named && typed && declares && !ty.contains(['(', '[']) && places(ty, "return").next().is_none()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(code: &str) -> bool {
        let from = code.find('@').unwrap();
        let code = code.replace('@', " ");
        Code { text: &code, params: &["n", "out"], compiled: &|_| true }.uses("s", from)
    }

    #[test]
    fn surely_used() {
        for code in [
            "{ float s[4]@; s[0] = 1; }",
            "{ T s@; for (int i = 0; i < n; ++i) { f(s, i); } }",
            "{ T s@; if (threadIdx.x < 4) s[0] = 1; }",
            "{ T s@; if (threadIdx.x < 4) { g(); s[0] = 1; } }",
            "{ T s@; if (n > 4) { return; } out[0] = s[1]; }",
            "{ T s@; if (blockIdx.x > 4) return; out[0] = s[1]; }",
            "{ T s@; auto* p = s; f(p); }",
            "{ T s@; Tensor t = make_tensor(make_smem_ptr(s), L{}); auto& u = t; copy(t, u); }",
            "{ T s@; auto [a, b] = f(s); }",
            "{ T s@; auto f = [&](int i) { return i; }; x = s[f(0)]; }",
            "{ T s@; Reduce reduce(s); reduce(1); }",
            "{ T s@; f([&](int i) { s[i] = 1; }); }",
        ] {
            assert!(uses(code), "{code}");
        }
        for code in [
            "{ float s[4]@; }",
            "{ T s@; (void)s; }",
            "{ T s@; f(sizeof(s)); a.s = 1; }",
            "{ { T s@; } s = 1; }",
            "{ T s@; if constexpr (kUse) { s[0] = 1; } }",
            "{ T s@; if (kUse) s[0] = 1; }",
            "{ T s@; if (kUse && threadIdx.x < 4) s[0] = 1; }",
            "{ T s@; if (threadIdx.x) { } else { s[0] = 1; } }",
            "{ T s@; if constexpr (kEarly) { return; } s[0] = 1; }",
            "{ T s@; out[0] = kUse ? s[0] : 0; }",
            "{ T s@; auto* p = s; }",
            "{ T s@; auto* p = s; if (kUse) { f(p); } }",
            "{ T s@; Reduce reduce(s); }",
            "{ T s@; if (int k = kUse; k) { s[0] = 1; } }",
        ] {
            assert!(!uses(code), "{code}");
        }
    }

    #[test]
    fn idle_slices() {
        let idle = |code: &str| {
            let at = code.find('@').unwrap();
            let code = code.replace('@', "");
            is_idle(&code, at)
        };
        for code in [
            "{ auto t = @c.get_slice(threadIdx.x); }",
            "{ int a = 1; auto const t = @c.get_thread_slice(threadIdx.x); (void)t; }",
            "{ @c.get_slice(threadIdx.x); }",
            "{ auto t = @c.get_slice(threadIdx.x); Tensor x = t.partition_S(g); Tensor r = make_fragment_like(x); }",
            "{ auto t = @Copy{}.get_slice(threadIdx.x); auto& u = t; }",
            "{ auto x = @local_partition(g, Layout<Shape<_32,_8>>{}, threadIdx.x); }",
            "{ { auto t = @c.get_slice(threadIdx.x); } f(t); }",
            "{ for (;;) { auto t = @c.get_slice(threadIdx.x); } }",
        ] {
            assert!(idle(code), "{code}");
        }
        for code in [
            "{ auto t = @c.get_slice(threadIdx.x); copy(c, t.partition_S(g), r); }",
            "{ auto t = @c.get_slice(threadIdx.x); clear(t); }",
            "{ clear(@c.get_slice(threadIdx.x).partition_D(g)); }",
            "{ auto t = @c.get_slice(threadIdx.x); Tensor x = t.partition_S(g); copy(x, r); }",
            "{ auto t = @c.get_slice(threadIdx.x); auto [a, b] = f(t); }",
            "{ auto t = @c.get_slice(threadIdx.x); auto [a, b] = t; copy(a, b); }",
            "{ auto t = @c.get_slice(threadIdx.x); auto& u = t; use(u); }",
            "{ auto t = @c.get_slice(threadIdx.x); auto u = work(t); }",
            "{ auto t = @c.get_slice(threadIdx.x); auto f = [&](int i) { use(t, i); }; f(0); }",
            "{ auto t = @c.get_slice(threadIdx.x); return t; }",
            "{ return @c.get_slice(threadIdx.x); }",
            "{ auto t = @c.get_slice(threadIdx.x); x = t; }",
            "{ auto t = @c.get_slice(threadIdx.x); x[0] = t.partition_S(g)(0); }",
            "{ auto t = @c.get_slice(threadIdx.x); float v = t.partition_S(g)(0); p[0] = v; }",
            "{ auto t = @c.get_slice(threadIdx.x); for (int i = 0; i < 2; ++i) { copy(t.partition_S(g), r); } }",
            "{ mine = @c.get_slice(threadIdx.x); }",
            "{ Work w(@c.get_slice(threadIdx.x)); }",
            "{ auto t = @c.get_slice(threadIdx.x), u = t; use(u); }",
        ] {
            assert!(!idle(code), "{code}");
        }
    }
}
