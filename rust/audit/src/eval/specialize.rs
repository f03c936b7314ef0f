//! Which definition of a class template is meant by `X<arguments>`.

use std::collections::HashMap;
use std::rc::Rc;

use super::evaluator::{Context, Evaluator};
use super::program::DeclRef;
use super::reason::{Reason, Resolved, Unresolved};
use super::value::{Bindings, Frame, Named, Value};
use crate::ast::{DeclKind, Param, ScopeKind, Site};

/// The specialisations of one template, by the head of their first argument: two thousand of them must not be tried in turn.
#[derive(Debug, Default)]
pub struct Index<'a> {
    by_head: HashMap<Head<'a>, Vec<usize>>,
    anything: Vec<usize>,
    patterns: Vec<(DeclRef, Vec<Value<'a>>)>,
    primary: Option<DeclRef>,
}

/// What a value begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Head<'a> {
    Name(&'a str),
    Number(i128),
}

fn head<'a>(value: &Value<'a>) -> Option<Head<'a>> {
    match value {
        Value::Named(named) => Some(Head::Name(named.name())),
        Value::Number(number) => Some(Head::Number(number.value)),
        _ => None,
    }
}

/// Values found for a pattern's parameters.
type Matched<'a> = Vec<Option<Value<'a>>>;

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
            let plain = candidates.iter().find(|decl| self.specialization(**decl).is_none());
            return Ok(self.named(plain.copied(), first, None, env.clone(), site));
        };
        let index = self.index(candidates);
        let tried = args.first().and_then(head).and_then(|head| index.by_head.get(&head));
        let tried = tried.into_iter().flatten().chain(&index.anything);
        let mut best: Option<(usize, DeclRef, Matched<'a>)> = None;
        let mut tied = false;
        for position in tried {
            let Some((decl, patterns)) = index.patterns.get(*position) else { continue };
            let params = self.params(*decl);
            let mut matched = vec![None; params.len()];
            let own = Own { params, site: |param: &Param| Site { unit: decl.unit, span: param.name } };
            if self.match_all(patterns, args, &own, &mut matched) {
                // Fewer free parameters is more special.
                let free = params.len();
                match &best {
                    Some((other, ..)) if *other < free => {}
                    Some((other, known, _)) if *other == free => tied |= known.unit == decl.unit,
                    _ => {
                        best = Some((free, *decl, matched));
                        tied = false;
                    }
                }
            }
        }
        if tied {
            return Err(Unresolved { reason: Reason::Ambiguous, site });
        }
        if let Some((_, decl, matched)) = best {
            let env = self.matched_frame(decl, matched, env);
            return Ok(self.named(Some(decl), first, Some(args.to_vec()), env, site));
        }
        let Some(primary) = index.primary else {
            return Ok(self.named(None, first, Some(args.to_vec()), None, site));
        };
        let env = self.bind(primary, args, env);
        Ok(self.named(Some(primary), first, Some(args.to_vec()), env, site))
    }

    fn named(
        &self,
        class: Option<DeclRef>,
        any: DeclRef,
        args: Option<Vec<Value<'a>>>,
        env: Bindings<'a>,
        site: Site,
    ) -> Value<'a> {
        let decl = class.unwrap_or(any);
        let home = self.program.home(decl.unit, self.program.decl(decl).inside);
        let mut path = self.program.path_of(home).to_vec();
        path.push(self.program.name(decl));
        Named::value(path, args, class, env, site)
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
            return Rc::default();
        }
        self.indexing += 1;
        let mut index = Index::default();
        for decl in candidates {
            let Some(args) = self.specialization(*decl) else {
                if matches!(self.program.decl(*decl).kind, DeclKind::Class { .. }) {
                    index.primary = index.primary.or(Some(*decl));
                }
                continue;
            };
            // Patterns are part of the declaration, not of the question that led here.
            let (steps, depth) = (self.steps, self.depth);
            self.begin();
            let context = Context { unit: decl.unit, scope: self.program.decl(*decl).inside, env: None };
            let patterns = self.arguments(args, &context);
            (self.steps, self.depth) = (steps, depth);
            let position = index.patterns.len();
            match patterns.first().and_then(head) {
                Some(head) => index.by_head.entry(head).or_default().push(position),
                None => index.anything.push(position),
            }
            index.patterns.push((*decl, patterns));
        }
        self.indexing -= 1;
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
        Some(Rc::new(Frame { key: (decl.unit, inside), values: values.collect(), outer: outer.clone() }))
    }

    fn match_all<F: Fn(&Param) -> Site>(
        &self,
        patterns: &[Value<'a>],
        args: &[Value<'a>],
        own: &Own<'_, F>,
        matched: &mut Matched<'a>,
    ) -> bool {
        for (position, pattern) in patterns.iter().enumerate() {
            if let Some(index) = own.index(pattern)
                && own.params.get(index).is_some_and(|param| param.pack)
            {
                let rest = args.get(position..).unwrap_or_default().to_vec();
                if let Some(slot) = matched.get_mut(index) {
                    *slot = Some(Value::Pack(Rc::new(rest)));
                }
                return true;
            }
            let Some(arg) = args.get(position) else { return false };
            if !self.match_one(pattern, arg, own, matched, 0) {
                return false;
            }
        }
        patterns.len() == args.len()
    }

    fn match_one<F: Fn(&Param) -> Site>(
        &self,
        pattern: &Value<'a>,
        arg: &Value<'a>,
        own: &Own<'_, F>,
        matched: &mut Matched<'a>,
        depth: usize,
    ) -> bool {
        if let Some(index) = own.index(pattern) {
            return match matched.get_mut(index) {
                Some(slot @ None) => {
                    *slot = Some(arg.clone());
                    true
                }
                Some(Some(before)) => same(before, arg),
                None => false,
            };
        }
        match (pattern, arg) {
            (Value::Named(a), Value::Named(b)) if depth < MAX_DEPTH => {
                same_name(a, b)
                    && match (&a.args, &b.args) {
                        (None, None) => true,
                        (Some(a), Some(b)) => self.match_inner(a, b, own, matched, depth + 1),
                        _ => false,
                    }
            }
            _ => same(pattern, arg),
        }
    }

    fn match_inner<F: Fn(&Param) -> Site>(
        &self,
        patterns: &[Value<'a>],
        args: &[Value<'a>],
        own: &Own<'_, F>,
        matched: &mut Matched<'a>,
        depth: usize,
    ) -> bool {
        for (position, pattern) in patterns.iter().enumerate() {
            if let Some(index) = own.index(pattern)
                && own.params.get(index).is_some_and(|param| param.pack)
            {
                if let Some(slot) = matched.get_mut(index) {
                    *slot = Some(Value::Pack(Rc::new(args.get(position..).unwrap_or_default().to_vec())));
                }
                return true;
            }
            let Some(arg) = args.get(position) else { return false };
            if !self.match_one(pattern, arg, own, matched, depth) {
                return false;
            }
        }
        patterns.len() == args.len()
    }
}

/// How many templates are looked through inside of each other.
const MAX_INDEXING: usize = 3;

/// How deeply template arguments are compared.
const MAX_DEPTH: usize = 32;

/// The parameters of the specialisation whose pattern is being matched.
struct Own<'p, F> {
    params: &'p [Param],
    site: F,
}

impl<F: Fn(&Param) -> Site> Own<'_, F> {
    fn index(&self, pattern: &Value<'_>) -> Option<usize> {
        let Value::Param(_, site) = pattern else { return None };
        self.params.iter().position(|param| (self.site)(param) == *site)
    }
}

/// Whether two names can mean the same class: one may be written with fewer of its namespaces.
fn same_name(a: &Named<'_>, b: &Named<'_>) -> bool {
    a.path.iter().rev().zip(b.path.iter().rev()).all(|(a, b)| a == b)
}

/// Whether two values are the same.
pub fn same(a: &Value<'_>, b: &Value<'_>) -> bool {
    same_at(a, b, 0)
}

fn same_at(a: &Value<'_>, b: &Value<'_>, depth: usize) -> bool {
    let all = |a: &[Value<'_>], b: &[Value<'_>]| {
        depth < MAX_DEPTH && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_at(a, b, depth + 1))
    };
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.value == b.value,
        (Value::Tuple(a), Value::Tuple(b)) => all(&a.items, &b.items),
        (Value::Layout(a), Value::Layout(b)) => a.shape.tuple == b.shape.tuple && a.stride.tuple == b.stride.tuple,
        (Value::Named(a), Value::Named(b)) => {
            same_name(a, b)
                && match (&a.args, &b.args) {
                    (None, None) => true,
                    (Some(a), Some(b)) => all(a, b),
                    _ => false,
                }
        }
        (Value::Param(a, first), Value::Param(b, second)) => a == b && first == second,
        (Value::Pack(a), Value::Pack(b)) => all(a, b),
        (Value::Order(a), Value::Order(b)) => a == b,
        _ => false,
    }
}
