//! The line of the source behind an instruction.

use crate::read::{Instruction, Kernel, Module};

/// A place in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file as the compiler names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The place of an inlined function in another file, if the instruction comes from there: its file and line.
    pub inlined: Option<(String, u32)>,
}

/// The most frames of one instruction that are followed.
const MOST_FRAMES: usize = 1000;

/// The innermost frame in the file of the kernel, which is the file of the outermost frame.
pub(super) fn source(module: &Module, kernel: &Kernel, instruction: &Instruction) -> Option<Source> {
    let mut frames = Vec::new();
    let mut at = instruction.frame;
    while let Some(frame) = at.and_then(|x| kernel.frames.get(x as usize)) {
        frames.push(frame);
        at = frame.inlined_at;
        if frames.len() == MOST_FRAMES {
            break;
        }
    }
    let file = |number: u32| module.files.get(&number).cloned().unwrap_or_else(|| format!("file {number}"));
    let (inner, outer) = (frames.first()?, frames.last()?);
    let own = frames.iter().find(|x| x.file == outer.file)?;
    let inlined = (inner.file != own.file).then(|| (file(inner.file), inner.line));
    Some(Source { file: file(own.file), line: own.line, column: own.column, inlined })
}
