//! Which definition of a class template is meant by `X<arguments>`.

use std::rc::Rc;

use super::{Context, Evaluator};
use crate::ast::{DeclKind, Param, ScopeKind, Site};
use crate::eval::program::DeclRef;
use crate::eval::reason::{Reason, Resolved, Unresolved};
use crate::eval::specialize::{Choice, Index, Matched};
use crate::eval::value::{Bindings, Frame, Named, Value};

impl<'a> Evaluator<'a> {
    /// The class that a name with these arguments means.
    pub(super) fn class(
        &mut self,
        candidates: &[DeclRef],
        args: Option<&[Value<'a>]>,
        env: &Bindings<'a>,
        site: Site,
    ) -> Resolved<Value<'a>> {
        let first = *candidates.first().ok_or(Unresolved { reason: Reason::UnknownName, site })?;
        let Some(args) = args else {
            // A bare name: the class itself, or inside of a template its own instance.
            let mut plain = candidates.iter().copied().filter(|decl| self.specialization(*decl).is_none());
            let one = plain.next();
            if one.is_some_and(|one| plain.any(|other| self.is_another(one, other))) {
                return Err(Unresolved { reason: Reason::Ambiguous, site });
            }
            return self.named(one, first, None, env.clone(), site);
        };
        let index = self.index(candidates);
        // Arguments that the primary template supplies take part in the choice.
        let given = index.primary.map_or_else(|| args.to_vec(), |primary| self.filled(primary, args, env));
        let chosen = index.choose(&given, |decl| {
            let sites = self.params(decl).iter();
            sites.map(|param| (Site { unit: decl.unit, span: param.name }, param.pack)).collect()
        });
        match chosen {
            // In a pattern, the name with its arguments is what is matched, whatever it will be.
            Choice::Unknown(Unresolved { reason: Reason::Dependent, .. }) if self.pattern => {
                self.named(None, first, Some(args.to_vec()), None, site)
            }
            Choice::Unknown(why) => Err(why),
            Choice::Tied => Err(Unresolved { reason: Reason::Ambiguous, site }),
            Choice::One(decl, matched) => {
                let env = self.matched_frame(decl, matched, env);
                self.named(Some(decl), first, Some(args.to_vec()), env, site)
            }
            Choice::Primary(Some(_)) if index.several => Err(Unresolved { reason: Reason::Ambiguous, site }),
            Choice::Primary(Some(primary)) => {
                let env = self.bind(primary, args, env);
                self.named(Some(primary), first, Some(args.to_vec()), env, site)
            }
            Choice::Primary(None) => self.named(None, first, Some(args.to_vec()), None, site),
        }
    }

    /// The arguments with those that the primary template has defaults for.
    fn filled(&mut self, primary: DeclRef, args: &[Value<'a>], env: &Bindings<'a>) -> Vec<Value<'a>> {
        let params = self.params(primary);
        let missing = params.get(args.len()..).unwrap_or_default();
        if missing.is_empty() || params.iter().any(|param| param.pack) || missing.iter().any(|p| p.default.is_none()) {
            return args.to_vec();
        }
        self.bind(primary, args, env).map_or_else(|| args.to_vec(), |frame| frame.values.clone())
    }

    fn named(
        &self,
        class: Option<DeclRef>,
        any: DeclRef,
        args: Option<Vec<Value<'a>>>,
        env: Bindings<'a>,
        site: Site,
    ) -> Resolved<Value<'a>> {
        let decl = class.unwrap_or(any);
        let home = self.program.home(decl.unit, self.program.decl(decl).inside);
        let mut path = self.program.path_of(home).to_vec();
        path.push(self.program.name(decl));
        Named::value(path, args, class, env, site)
    }

    /// Whether one class is not another that has its name: written otherwise, in another file.
    fn is_another(&self, one: DeclRef, other: DeclRef) -> bool {
        let class = |decl: DeclRef| matches!(self.program.decl(decl).kind, DeclKind::Class { .. });
        class(one) && class(other) && !self.program.are_alike(one, other)
    }

    fn specialization(&self, decl: DeclRef) -> Option<&'a [crate::ast::ExprId]> {
        match &self.program.decl(decl).kind {
            DeclKind::Class { args, .. } => args.as_deref(),
            _ => None,
        }
    }

    fn params(&self, decl: DeclRef) -> &'a [Param] {
        let of = self.program.decl(decl);
        match &self.program.unit(decl.unit).scope(of.inside).kind {
            ScopeKind::Template(params) => params,
            _ => &[],
        }
    }

    fn index(&mut self, candidates: &[DeclRef]) -> Rc<Index<'a>> {
        let Some(first) = candidates.first() else { return Rc::default() };
        // Files see different sets: their own declarations and everybody's headers.
        let mix = |sum: u64, decl: &DeclRef| {
            let next = sum ^ (u64::from(decl.unit) << 32 | u64::from(decl.id.0));
            next.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        };
        let key = (*first, candidates.len(), candidates.iter().fold(0, mix));
        if let Some(known) = self.specializations.get(&key) {
            return Rc::clone(known);
        }
        // Arguments of specialisations can name the template that is being looked at; at some depth it counts as unknown.
        if self.indexing >= MAX_INDEXING {
            self.spent = true;
            return Rc::default();
        }
        self.indexing += 1;
        // Nor do they hang on what is taken of declarations that differ: an index serves all ways to choose.
        let choices = self.choices.replace(None);
        let mut index = Index::default();
        for decl in candidates {
            let Some(args) = self.specialization(*decl) else {
                if matches!(self.program.decl(*decl).kind, DeclKind::Class { .. }) {
                    index.several |= index.primary.is_some_and(|primary| self.is_another(primary, *decl));
                    index.primary = index.primary.or(Some(*decl));
                }
                continue;
            };
            // Patterns are part of the declaration, not of the question that led here.
            let (steps, depth, spent) = (self.steps, self.depth, self.spent);
            self.begin();
            let context = Context { unit: decl.unit, scope: self.program.decl(*decl).inside, env: None };
            let within = std::mem::replace(&mut self.pattern, true);
            let patterns = self.arguments(args, &context);
            self.pattern = within;
            (self.steps, self.depth, self.spent) = (steps, depth, spent);
            index.add(*decl, patterns);
        }
        self.indexing -= 1;
        self.choices.replace(choices);
        let index = Rc::new(index);
        self.specializations.insert(key, Rc::clone(&index));
        index
    }

    fn matched_frame(&self, decl: DeclRef, matched: Matched<'a>, outer: &Bindings<'a>) -> Bindings<'a> {
        let params = self.params(decl);
        if params.is_empty() {
            return outer.clone();
        }
        let unmatched = |param: &Param| {
            let site = Site { unit: decl.unit, span: param.name };
            Value::Param(self.program.text(site), site)
        };
        let values = matched.into_iter().zip(params).map(|(value, param)| value.unwrap_or_else(|| unmatched(param)));
        let inside = self.program.decl(decl).inside;
        Some(Rc::new(Frame::new((decl.unit, inside), values.collect(), outer.clone())))
    }
}

/// How many templates are looked through inside of each other.
const MAX_INDEXING: usize = 3;
