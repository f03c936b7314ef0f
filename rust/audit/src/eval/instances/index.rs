//! Whose parameters there are, and where templates are mentioned with arguments.

use std::sync::{Arc, OnceLock};

use foldhash::{HashMap, HashSet};
use rayon::prelude::*;

use super::made::Defined;
use super::{Home, Instances, MAX_MENTIONS, Mention, Owner, Template};
use crate::ast::{DeclId, DeclKind, Expr, ExprId, ScopeId, ScopeKind, Site, Unit};
use crate::eval::program::{DeclRef, Program};

impl Home {
    /// What a scope outside of all classes lies in.
    fn of(program: &Program<'_>, unit: u32, scope: ScopeId) -> Self {
        let space = program.home(unit, scope);
        if program.is_header(unit) { Self::Space(space) } else { Self::Own(unit, space) }
    }

    /// Whether a unit can see what is there.
    pub(super) fn is_seen(self, unit: u32) -> bool {
        !matches!(self, Self::Own(of, _) if of != unit)
    }
}

/// Everything that the units say about templates.
#[derive(Debug, Default)]
pub struct Index<'a> {
    pub(super) owners: HashMap<Template, Owner<'a>>,
    /// How many functions and aliases have a name, by namespace.
    pub(super) named: HashMap<&'a str, HashMap<Home, usize>>,
    pub(super) mentions: HashMap<&'a str, Vec<Mention<'a>>>,
    /// What each template demands of its parameters.
    pub(super) asserts: HashMap<Template, Vec<(ExprId, ScopeId)>>,
    /// How many functions of a name the files define, once it was asked for.
    pub(super) defined: OnceLock<HashMap<&'a str, Defined>>,
}

impl<'a> Index<'a> {
    /// Looks at each unit once.
    pub fn of(program: &'a Program<'a>) -> Arc<Self> {
        let mut all = Self::default();
        for (of, unit) in program.units().iter().zip(0_u32..) {
            all.owners_in(program, of, unit);
            for (expr, scope) in &of.asserts {
                // One in a branch demands nothing where that is not taken.
                if !program.is_branch(unit, *scope)
                    && let Some(template) = Instances::around(program, unit, *scope).pop()
                {
                    all.asserts.entry(template).or_default().push((*expr, *scope));
                }
            }
        }
        let names: HashSet<&'a str> = all.owners.values().map(Owner::name).collect();
        let units = program.units().par_iter().enumerate();
        let each: Vec<Vec<(&'a str, Mention<'a>)>> = units
            .map(|(unit, of)| all.mentions_in(program, of, u32::try_from(unit).unwrap_or(u32::MAX), &names))
            .collect();
        for (name, mention) in each.into_iter().flatten() {
            let found = all.mentions.entry(name).or_default();
            if found.len() < MAX_MENTIONS {
                found.push(mention);
            }
        }
        // In the order of the text: what is told of several instances begins with the first.
        for found in all.mentions.values_mut() {
            let place = |mention: &Mention<'a>| mention.path.segments.first().map(|segment| segment.name.start);
            found.sort_by_key(|mention| (mention.unit, place(mention)));
        }
        Arc::new(all)
    }

    fn owners_in(&mut self, program: &'a Program<'a>, of: &'a Unit, unit: u32) {
        for (decl, id) in of.decls.iter().zip(0_u32..) {
            if !decl.templated {
                continue;
            }
            let name = program.text(Site { unit, span: decl.name });
            let owner = match decl.kind {
                DeclKind::Class { .. } => Owner::Class(name, DeclRef { unit, id: DeclId(id) }),
                DeclKind::Alias(_) => {
                    let home = Home::of(program, unit, decl.inside);
                    *self.named.entry(name).or_default().entry(home).or_default() += 1;
                    Owner::Named(name, home)
                }
                _ => continue,
            };
            self.owners.insert((unit, decl.inside), owner);
        }
        for function in &of.functions {
            let name = program.text(Site { unit, span: function.name });
            let home = match of.scope(function.around).kind {
                ScopeKind::Class(_) => Home::Members(unit, function.around),
                _ => Home::of(program, unit, function.around),
            };
            *self.named.entry(name).or_default().entry(home).or_default() += 1;
            if let Some(scope) = function.scope {
                self.owners.insert((unit, scope), Owner::Named(name, home));
            }
        }
        for switch in &of.switches {
            self.owners.insert((unit, switch.scope), Owner::Switch(program.text(Site { unit, span: switch.name })));
        }
    }

    fn mentions_in(
        &self,
        program: &'a Program<'a>,
        of: &'a Unit,
        unit: u32,
        names: &HashSet<&'a str>,
    ) -> Vec<(&'a str, Mention<'a>)> {
        let mut found = Vec::new();
        let mut seen = vec![false; of.exprs.len()];
        let mut queue: Vec<(ExprId, ScopeId)> = of.mentions.clone();
        for decl in &of.decls {
            let inside = decl.inside;
            match &decl.kind {
                DeclKind::Alias(value) => queue.push((*value, inside)),
                DeclKind::Variable { ty, init, .. } => {
                    queue.extend([*ty, *init].into_iter().flatten().map(|expr| (expr, inside)));
                }
                DeclKind::Class { bases, .. } => queue.extend(bases.iter().map(|base| (*base, inside))),
                _ => {}
            }
        }
        while let Some((expr, scope)) = queue.pop() {
            match seen.get_mut(expr.0 as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let mut next = |expr: ExprId| queue.push((expr, scope));
            match of.expr(expr) {
                Expr::Path(path) => {
                    for (segment, before) in path.segments.iter().zip(1..) {
                        let Some(args) = &segment.args else { continue };
                        args.iter().copied().for_each(&mut next);
                        let name = program.text(Site { unit, span: segment.name });
                        if names.contains(name) {
                            found.push((name, Mention { unit, scope, path, count: before, call: None }));
                        }
                    }
                }
                Expr::Call(callee, args) => {
                    args.iter().copied().for_each(&mut next);
                    let Expr::Path(path) = of.expr(*callee) else {
                        next(*callee);
                        continue;
                    };
                    let name = path.segments.last().map(|last| program.text(Site { unit, span: last.name }));
                    let Some(name) = name.filter(|name| self.named.contains_key(name) && names.contains(name)) else {
                        next(*callee);
                        continue;
                    };
                    path.segments.iter().flat_map(|part| part.args.iter().flatten()).copied().for_each(next);
                    let count = path.segments.len();
                    found.push((name, Mention { unit, scope, path, count, call: Some(args) }));
                }
                Expr::Construct(callee, args) => {
                    next(*callee);
                    args.iter().copied().for_each(next);
                }
                Expr::Member(of, _)
                | Expr::Unary(_, of)
                | Expr::Pack(of)
                | Expr::Sizeof(of)
                | Expr::Designated(_, of)
                | Expr::Element(of, _) => next(*of),
                Expr::Binary(_, a, b) | Expr::Array(a, b) => [*a, *b].into_iter().for_each(next),
                Expr::Conditional(a, b, c) => [*a, *b, *c].into_iter().for_each(next),
                Expr::List(items) => items.iter().copied().for_each(next),
                Expr::Number(_) | Expr::Broken | Expr::Opaque => {}
            }
        }
        found
    }
}
