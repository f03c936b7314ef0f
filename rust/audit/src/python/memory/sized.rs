//! Which layout an array of Python is seen to hold: `storage.sX.get_tensor(layout)`. Its extent alone does not say that: `cute.size(layout)`
//! may be a flag for each coordinate.

use crate::python::evaluate::Evaluator;
use crate::python::tree::Module;
use crate::source::{closing, places};

impl<'a> Evaluator<'a> {
    /// The text of a module.
    pub(super) fn source_of(&self, module: &Module) -> &'a str {
        self.files.sources.get(module.file).map_or("", |source| source.text.as_str())
    }
}

/// Whether a text makes a tensor of a field by a layout, in the same words.
pub fn of_field(text: &str, field: &str, layout: &str) -> bool {
    places(text, field).any(|at| {
        let member = text.get(..at).is_some_and(|before| before.ends_with('.'));
        let after = text.get(at + field.len()..).unwrap_or_default();
        let list = after.strip_prefix(".get_tensor(").or_else(|| {
            let rest = after.strip_prefix(".data_ptr()")?.trim_start();
            rest.strip_prefix(',')
        });
        member && list.is_some_and(|list| begins(list, layout))
    })
}

/// Whether a text makes a tensor of a pointer by a layout, in the same words.
pub fn of_pointer(text: &str, pointer: &str, layout: &str) -> bool {
    places(text, pointer).any(|at| {
        let made = text.get(..at).is_some_and(|before| before.trim_end().ends_with("make_tensor("));
        let after = text.get(at + pointer.len()..).and_then(|rest| rest.trim_start().strip_prefix(','));
        made && after.is_some_and(|list| begins(list, layout))
    })
}

/// Whether a list of arguments begins with a layout, and says nothing of another type.
fn begins(list: &str, layout: &str) -> bool {
    let Some(list) = closing(list).and_then(|end| list.get(..end)) else { return false };
    let mut depth = 0_usize;
    let end = list.char_indices().find(|(_, sign)| {
        match sign {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        *sign == ',' && depth == 0
    });
    let end = end.map_or(list.len(), |(at, _)| at);
    let (own, more) = list.split_at_checked(end).unwrap_or_default();
    !more.contains("dtype") && key(own) == key(layout)
}

/// The words of a layout, without the object that it is an attribute of: `self.layout` is `layout`.
fn key(layout: &str) -> String {
    let bare: String = layout.chars().filter(|sign| !sign.is_whitespace()).collect();
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let name = if bare.chars().all(word) { bare.rsplit('.').next().unwrap_or(&bare) } else { &bare };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_in_the_same_words() {
        for text in [
            "x = st.a.get_tensor(layout)",
            "make_tensor(st.a.data_ptr(), self.layout)",
            "st.a.get_tensor(\n layout,\n)",
        ] {
            assert!(of_field(text, "a", "self.layout"), "{text}");
        }
        for text in [
            "st.b.get_tensor(layout)",
            "st.a.get_tensor(other)",
            "st.a.get_tensor(layout, dtype=T)",
            "a.get_tensor(layout)",
        ] {
            assert!(!of_field(text, "a", "layout"), "{text}");
        }
        assert!(of_pointer("p = f()\nt = cute.make_tensor(p, L)", "p", "L"));
        assert!(!of_pointer("t = cute.make_tensor(p + 4, L)", "p", "L") && !of_pointer("g(p, L)", "p", "L"));
    }
}
