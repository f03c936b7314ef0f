//! A layout of shared memory and the copy that reads or writes it, where one class or function names both.
//!
//! Which copy goes over which layout is decided in function bodies, by partitions that are not followed here. Kernels name what belongs
//! together: `SmemLayoutAtomA` and `SmemCopyAtomA`. Only such pairs are looked at.

use std::collections::BTreeMap;

use crate::ast::{Decl, DeclKind, ExprId, ScopeId, Site, Span};
use crate::eval::Program;

/// How a copy goes over shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// `ldmatrix`: eight rows of 16 bytes at a time.
    Ldmatrix,
    /// `stmatrix`, the other way.
    Stmatrix,
    /// Vectors of so many bits for each thread.
    Vector(u64),
}

/// A layout and a copy.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    /// What says the layout.
    pub layout: ExprId,
    /// What says the copy.
    pub copy: ExprId,
    /// The declaration of the layout.
    pub span: Span,
    /// Its name.
    pub name: Span,
    /// Where names are looked up.
    pub scope: ScopeId,
}

/// Beginnings of names of layouts, and of names of copies; the rest says what they belong to.
const LAYOUTS: [&str; 2] = ["SmemLayoutAtom", "SmemLayout"];
const COPIES: [&str; 3] = ["SmemCopyAtom", "S2RCopyAtom", "SmemCopyOp"];

/// What a layout may belong to where there is one copy for all that is read: results are written by others.
const READ: [&str; 7] = ["A", "B", "K", "KV", "Q", "QKV", "V"];

/// The pairs of one unit.
pub fn pairs(program: &Program<'_>, index: u32) -> Vec<Pair> {
    let unit = program.unit(index);
    let rest = |decl: &Decl, heads: &[&str]| {
        let name = program.text(Site { unit: index, span: decl.name });
        heads.iter().find_map(|head| name.strip_prefix(head)).map(str::to_owned)
    };
    let value = |decl: &Decl| match decl.kind {
        DeclKind::Alias(value) => Some(value),
        DeclKind::Variable { ty, init, .. } => init.or(ty),
        _ => None,
    };
    let mut copies: BTreeMap<(ScopeId, String), ExprId> = BTreeMap::new();
    for decl in &unit.decls {
        if let (Some(rest), Some(value)) = (rest(decl, &COPIES), value(decl)) {
            copies.insert((decl.home, rest), value);
        }
    }
    if copies.is_empty() {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    for decl in &unit.decls {
        let (Some(rest), Some(layout)) = (rest(decl, &LAYOUTS), value(decl)) else { continue };
        let all = READ.contains(&rest.as_str()).then(|| copies.get(&(decl.home, String::new()))).flatten();
        if let Some(copy) = copies.get(&(decl.home, rest)).or(all) {
            pairs.push(Pair { layout, copy: *copy, span: unit.span(layout), name: decl.name, scope: decl.inside });
        }
    }
    pairs
}
