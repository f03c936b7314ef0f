//! What is seen to lie in an array of shared memory. Its extent alone does not say that: one of `size(L{})` may have a flag for each coordinate
//! of a tile, and one of `cosize_v<L>` hold that tile without its swizzle.

use std::cell::{Cell, OnceCell};

use foldhash::HashSet;

use razorgirl::SwizzledLayout;

use crate::ast::Site;
use crate::eval::Program;
use crate::finding::Code;
use crate::source::{closing, places};
use crate::survey::{Fact, Spot, Survey};

/// Bytes of files that are searched for tensors, in all.
const MAX_TEXT: usize = 1 << 28;

/// Functions that make a tensor.
const MAKER: &str = "make_tensor";

/// The tensors of a survey, by the arrays that they lie in.
pub struct Held<'s> {
    program: &'s Program<'s>,
    survey: &'s Survey,
    /// In the order of their arrays.
    tensors: OnceCell<Vec<(Site, &'s SwizzledLayout)>>,
    sized: OnceCell<HashSet<String>>,
    /// Bytes that may yet be searched.
    left: Cell<usize>,
}

impl<'s> Held<'s> {
    /// Nothing is looked up before it is asked for.
    pub fn new(program: &'s Program<'s>, survey: &'s Survey) -> Self {
        let (tensors, sized) = (OnceCell::new(), OnceCell::new());
        Self { program, survey, tensors, sized, left: Cell::new(MAX_TEXT) }
    }

    /// Whether what a rule says of a fact has no reason in what the array is seen to hold.
    pub fn clears(&self, spot: &Spot, fact: &Fact, code: Code) -> bool {
        match (code, fact) {
            (Code::SwizzleLeaves, Fact::Swizzled(layout)) => !self.sized().contains(&layout.to_string()),
            (Code::SizedArray, Fact::Sized(layout)) => !self.holds(spot, layout),
            (Code::Misaligned | Code::SwizzleBase, Fact::Aligned { .. }) => self.is_plain(spot),
            _ => false,
        }
    }

    fn facts(&self) -> impl Iterator<Item = &'s Fact> + use<'s> {
        let alone = |spot: &'s Spot| spot.facts.iter().map(|(fact, _)| fact);
        let launched = |spot: &'s Spot| spot.launched.iter().map(|(fact, ..)| fact);
        self.survey.spots.iter().flat_map(move |spot| alone(spot).chain(launched(spot)))
    }

    /// Layouts whose `cosize` is how many elements an array has.
    fn sized(&self) -> &HashSet<String> {
        self.sized.get_or_init(|| {
            let spanned = |fact: &'s Fact| match fact {
                Fact::Spanned(layout) => Some(layout.to_string()),
                _ => None,
            };
            self.facts().filter_map(spanned).collect()
        })
    }

    /// Tensors that are known, in the array that is declared at a place.
    fn tensors<'h>(&'h self, spot: &'h Spot) -> impl Iterator<Item = &'s SwizzledLayout> + 'h {
        let all = self.tensors.get_or_init(|| {
            let tensor = |fact: &'s Fact| match fact {
                Fact::Tensor { array, layout, .. } => Some((*array, layout)),
                _ => None,
            };
            let mut all: Vec<(Site, &'s SwizzledLayout)> = self.facts().filter_map(tensor).collect();
            all.sort_by_key(|(array, _)| (array.unit, array.span.start));
            all
        });
        let around = spot.around;
        let start = all.partition_point(|(array, _)| (array.unit, array.span.start) < (around.unit, around.span.start));
        let here = all.get(start..).unwrap_or_default().iter();
        let here = here.take_while(move |(array, _)| array.unit == around.unit && array.span.start < around.span.end);
        here.filter(move |(array, _)| around.span.contains(array.span)).map(|(_, layout)| *layout)
    }

    /// Whether all tensors that are known in an array have no swizzle, and there is one.
    fn is_plain(&self, spot: &Spot) -> bool {
        let mut all = self.tensors(spot).peekable();
        all.peek().is_some() && all.all(|layout| layout.swizzle().bits() == 0)
    }

    /// Whether a tensor of a layout is made of an array: one that is known, or one in the same words.
    fn holds(&self, spot: &Spot, layout: &SwizzledLayout) -> bool {
        if self.tensors(spot).any(|own| own == layout) {
            return true;
        }
        let Some(said) = spot.sized_by(self.program) else { return false };
        let unit = self.program.unit(spot.around.unit);
        let declared = unit.decls.iter().filter(|decl| decl.span == spot.around.span);
        let names: Vec<&str> = declared
            .map(|decl| self.program.text(Site { unit: spot.around.unit, span: decl.name }))
            .filter(|name| !name.is_empty())
            .collect();
        let units = (0_u32..).zip(self.program.units());
        let seen = units.filter(|(unit, _)| self.program.includes(*unit, spot.around.unit));
        let mut files = seen.filter_map(|(_, unit)| self.program.sources().get(unit.file));
        files.any(|file| {
            let text = file.text.as_str();
            let Some(left) = self.left.get().checked_sub(text.len()) else { return false };
            self.left.set(left);
            names.iter().any(|name| lies(text, name, said))
        })
    }
}

/// Whether a text makes a tensor of an array by a layout: `make_tensor(make_smem_ptr(storage.smem.data()), SmemLayout{})`.
fn lies(text: &str, array: &str, layout: &str) -> bool {
    places(text, MAKER).any(|at| {
        let line = text.get(..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        let list = text.get(at + MAKER.len()..).and_then(|rest| rest.trim_start().strip_prefix('('));
        let list = list.and_then(|list| list.get(..closing(list)?));
        let Some((pointer, by)) = list.and_then(first).filter(|_| !line.contains("//")) else { return false };
        // Bytes that are read as something else are of another number.
        let cast = pointer.contains("cast") || pointer.contains("smem_ptr<") || pointer.contains("*)");
        !cast && places(pointer, array).next().is_some() && key(by) == key(layout)
    })
}

/// The first of several arguments, and the others.
fn first(list: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, sign) in list.char_indices() {
        match sign {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '>' if before != '-' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => return Some((list.get(..at)?, list.get(at + 1..)?)),
            _ => {}
        }
        before = sign;
    }
    None
}

/// The words of a layout without what they are qualified with: `typename Traits::SmemLayout{}` is `SmemLayout`.
fn key(layout: &str) -> String {
    let bare: String = layout.chars().filter(|sign| !sign.is_whitespace()).collect();
    let bare = bare.strip_suffix("{}").or_else(|| bare.strip_suffix("()")).unwrap_or(&bare);
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let name = if bare.chars().all(word) { bare.rsplit("::").next().unwrap_or(bare) } else { bare };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_in_the_same_words() {
        let makes = |text: &str| lies(text, "smem", "typename K::L{}");
        for text in [
            "auto s = make_tensor(make_smem_ptr(smem), L{});",
            "auto s = cute::make_tensor(make_smem_ptr(st->smem.data()), typename K::L {});",
            "auto s = make_tensor(make_smem_ptr(f<A, B>(x, smem)), Other::L());",
        ] {
            assert!(makes(text), "{text}");
        }
        for text in [
            "auto s = make_tensor(make_smem_ptr(smem), make_layout(shape(L{})));",
            "auto s = make_tensor(make_smem_ptr(smem2), L{});",
            "auto s = make_tensor(make_smem_ptr(other), L{}); f(smem);",
            "auto s = make_tensor(make_smem_ptr<half_t>(smem), L{});",
            "auto s = make_tensor(make_smem_ptr(reinterpret_cast<half_t*>(smem)), L{});",
            "auto s = make_tensor(make_smem_ptr(smem), shape(L{}), stride(L{}));",
            "// auto s = make_tensor(make_smem_ptr(smem), L{});",
            "auto s = make_tensor(make_smem_ptr(smem)",
        ] {
            assert!(!makes(text), "{text}");
        }
    }
}
