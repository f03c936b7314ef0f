//! Macros of a file that launch a kernel: `#define LAUNCH(N) kernel<N><<<1, N>>>(p)`. No grammar reads what they stand for.

use std::ops::Range;

use super::code::code;
use super::macros::{Macro, macros};
use super::words::{is_identifier, places};

/// Macros of one file that are looked at, and parameters of one.
const MAX_MACROS: usize = 64;
const MAX_PARAMS: usize = 16;

/// Longer definitions are not read.
const MAX_TEXT: usize = 4_096;

/// A macro that launches one kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher {
    /// Its name.
    pub name: Range<usize>,
    /// Its parameters.
    pub params: Vec<Range<usize>>,
    /// What it stands for.
    pub body: Range<usize>,
}

/// The macros with parameters that launch a kernel. Of one that is defined twice, nobody knows what it stands for.
pub fn launchers(text: &str) -> Vec<Launcher> {
    if !text.contains("<<<") || !text.contains("define") {
        return Vec::new();
    }
    let mut found: Vec<Launcher> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for one in macros(text) {
        names.push(text.get(one.name.clone()).unwrap_or_default());
        if found.len() < MAX_MACROS {
            found.extend(launcher(text, one));
        }
    }
    let once = |of: &Launcher| {
        let name = text.get(of.name.clone()).unwrap_or_default();
        names.iter().filter(|other| **other == name).count() == 1
    };
    found.retain(once);
    found
}

/// What a macro launches.
fn launcher(text: &str, of: Macro) -> Option<Launcher> {
    let params = of.params.filter(|params| params.len() <= MAX_PARAMS)?;
    let said = |part: &Range<usize>| text.get(part.clone()).unwrap_or_default();
    let plain = params.iter().all(|param| !param.is_empty() && said(param).bytes().all(is_identifier));
    let short = of.body.len() <= MAX_TEXT;
    (plain && short && code(said(&of.body)).matches("<<<").count() == 1).then_some(Launcher {
        name: of.name,
        params,
        body: of.body,
    })
}

/// Where such macros are used.
pub(super) fn uses<'t>(text: &'t str, launchers: &'t [Launcher]) -> impl Iterator<Item = usize> + 't {
    launchers.iter().flat_map(move |of| {
        let name = text.get(of.name.clone()).unwrap_or_default();
        places(text, name).filter(move |at| {
            *at >= of.body.end && text.get(at + name.len()..).is_some_and(|rest| rest.trim_start().starts_with('('))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_that_launch() {
        let of = |text: &str| -> Vec<(String, usize, usize)> {
            let all = launchers(text);
            let used = |one: &Launcher| uses(text, std::slice::from_ref(one)).count();
            all.iter().map(|one| (text[one.name.clone()].to_owned(), one.params.len(), used(one))).collect()
        };
        let text = "# define L(N, p) \\\n  k<N><<<1, N>>>(p)\nvoid f() { L(1, q); L (2, q); }\n#define M(x) x\n";
        assert_eq!(of(text), [("L".to_owned(), 2, 2)]);
        for text in [
            "#define L k<<<1, 2>>>()\nL;",
            "#define L(N) k<N><<<1, 2>>>()\n#undef L\n#define L(N) j<N><<<1, 2>>>()\n",
            "#define L(...) k<<<1, 2>>>(__VA_ARGS__)\n",
            "#define L(N) // k<<<1, 2>>>()\n",
            "#define L(N) k<N><<<1, 2>>>(); j<N><<<1, 2>>>()\n",
        ] {
            assert_eq!(of(text), [], "{text}");
        }
    }
}
