//! The second stage: from text to a [`Unit`], by way of a tree-sitter tree that does not outlive this module.
//!
//! A new language is a new file here that fills a [`Unit`] from its own grammar.

mod alignments;
pub mod bounded;
mod bounds;
mod cases;
mod configs;
mod constant;
mod convert;
mod declare;
mod define;
mod enums;
mod escape;
mod expanded;
mod extract;
mod functions;
mod heads;
mod hidden;
mod kind;
mod launching;
mod mask;
mod members;
mod objects;
mod outline;
mod returning;
mod starts;
mod steps;
mod variables;
mod ways;

use tree_sitter::{Language, Parser, Tree};

use crate::ast::Unit;

use crate::source::Source;
use bounded::MAX_PARSED;
pub(crate) use escape::{Code, Given, PURE, Use, copies, copies_block, is_listed};
use mask::Masked;
pub(crate) use ways::{demands, is_of_cuda, leaves};

/// Reads C++ and CUDA. Keep one per thread: it holds the parser's memory.
pub struct Reader {
    parser: Option<Parser>,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

impl Default for Reader {
    fn default() -> Self {
        let mut parser = Parser::new();
        let known = parser.set_language(&Language::new(tree_sitter_cuda::LANGUAGE)).is_ok();
        Self { parser: known.then_some(parser) }
    }
}

impl Reader {
    /// Everything the file says about layouts.
    pub fn read(&mut self, file: usize, source: &Source) -> Unit {
        self.read_marked(file, source, &[])
    }

    /// Everything the file says about layouts and what stands at some marks, ascending: statements there are read as well.
    pub fn read_marked(&mut self, file: usize, source: &Source, marks: &[u32]) -> Unit {
        let mut hits = source.hits.clone();
        hits.extend_from_slice(&source.shared);
        hits.extend_from_slice(&source.starts);
        hits.extend_from_slice(marks);
        hits.sort_unstable();
        let masked = Masked::new(source, &hits);
        if masked.bytes.len() > MAX_PARSED {
            return Unit::given_up(file, "not looked into: more than 4 MiB of it would have to be parsed");
        }
        match self.parse(&masked.bytes) {
            Some(tree) => Unit::new(file, extract::extract(source, &hits, &masked, &tree)),
            None => Unit::given_up(file, "not looked into: not C++ as far as the grammar can tell"),
        }
    }

    fn parse(&mut self, bytes: &[u8]) -> Option<Tree> {
        bounded::parse(self.parser.as_mut()?, bytes)
    }
}
