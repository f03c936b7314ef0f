//! With which arguments a code base instantiates its templates: a layout in a template is looked at for each of them.
//!
//! Nothing is made up: the arguments are those that stand somewhere after the template's name, the values that a switch macro
//! lists, and defaults. Arguments that are parameters of a template themselves are followed to where that one is instantiated.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use rayon::prelude::*;

use super::evaluator::{Context, Evaluator};
use super::program::{DeclRef, Program};
use super::specialize::same;
use super::value::{Bindings, Frame, Number, Value};
use crate::ast::{DeclKind, Expr, ExprId, Path, ScopeId, ScopeKind, Site, Unit};
use crate::source::is_identifier;

/// Instances of one template, and of the templates around one layout together.
const MAX_INSTANCES: usize = 64;

/// Places that are looked at for one template.
const MAX_MENTIONS: usize = 512;

/// Templates that are followed from one to the next.
const MAX_CHAIN: usize = 8;

/// Places that are looked at for one layout: a few in the first pass over all of them, more in the second.
pub const PASSES: [usize; 2] = [64, 2_048];

/// Places that are looked at in one pass.
const MAX_LOOKS: usize = 4_000;

/// Values of one `#define X_SWITCH`.
const MAX_LISTED: usize = 32;

/// A template's parameters: their unit and scope.
pub type Template = (u32, ScopeId);

#[derive(Debug, Clone)]
enum Owner<'a> {
    Class(&'a str, DeclRef),
    /// A function or alias, which is found by its name: nothing else may have it.
    Named(&'a str),
    Switch(&'a str),
}

#[derive(Debug, Clone, Copy)]
struct Mention<'a> {
    unit: u32,
    scope: ScopeId,
    path: &'a Path,
    /// How many segments lead to the template.
    count: usize,
}

/// What is known of all templates.
#[derive(Debug)]
pub struct Instances<'a> {
    program: &'a Program<'a>,
    owners: HashMap<Template, Owner<'a>>,
    /// How many functions and aliases have a name.
    named: HashMap<&'a str, usize>,
    mentions: HashMap<&'a str, Vec<Mention<'a>>>,
    known: HashMap<Template, Rc<Vec<Vec<Value<'a>>>>>,
    /// Templates that are being looked at, and how far along the chain.
    running: HashMap<Template, usize>,
    /// The least place in the chain at which a circle cut the present search short.
    cut: usize,
    listed: HashMap<&'a str, Vec<i128>>,
    /// How many functions of a name the files define, once it was asked for.
    defined: Option<HashMap<&'a str, usize>>,
    looks: usize,
    /// At how many looks the present question ends.
    last: usize,
    /// At how many the present pass ends.
    most: usize,
}

impl<'a> Instances<'a> {
    /// Everything that the units say about templates.
    pub fn new(program: &'a Program<'a>) -> Self {
        let mut all = Self {
            program,
            owners: HashMap::new(),
            named: HashMap::new(),
            mentions: HashMap::new(),
            known: HashMap::new(),
            running: HashMap::new(),
            cut: usize::MAX,
            listed: HashMap::new(),
            defined: None,
            looks: 0,
            last: 0,
            most: 0,
        };
        for (of, unit) in program.units().iter().zip(0_u32..) {
            all.owners_in(of, unit);
        }
        let names: HashSet<&'a str> = all.owners.values().map(Owner::name).collect();
        for (of, unit) in program.units().iter().zip(0_u32..) {
            all.mentions_in(of, unit, &names);
        }
        all
    }

    fn owners_in(&mut self, of: &'a Unit, unit: u32) {
        let program = self.program;
        for (decl, id) in of.decls.iter().zip(0_u32..) {
            if !decl.templated {
                continue;
            }
            let name = program.text(Site { unit, span: decl.name });
            let owner = match decl.kind {
                DeclKind::Class { .. } => Owner::Class(name, DeclRef { unit, id: crate::ast::DeclId(id) }),
                DeclKind::Alias(_) => {
                    *self.named.entry(name).or_default() += 1;
                    Owner::Named(name)
                }
                _ => continue,
            };
            self.owners.insert((unit, decl.inside), owner);
        }
        for function in &of.functions {
            let name = program.text(Site { unit, span: function.name });
            *self.named.entry(name).or_default() += 1;
            if let Some(scope) = function.scope {
                self.owners.insert((unit, scope), Owner::Named(name));
            }
        }
        for switch in &of.switches {
            self.owners.insert((unit, switch.scope), Owner::Switch(program.text(Site { unit, span: switch.name })));
        }
    }

    fn mentions_in(&mut self, of: &'a Unit, unit: u32, names: &HashSet<&'a str>) {
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
                        let name = self.program.text(Site { unit, span: segment.name });
                        if names.contains(name) {
                            let found = self.mentions.entry(name).or_default();
                            if found.len() < MAX_MENTIONS {
                                found.push(Mention { unit, scope, path, count: before });
                            }
                        }
                    }
                }
                Expr::Call(callee, args) | Expr::Construct(callee, args) => {
                    next(*callee);
                    args.iter().copied().for_each(next);
                }
                Expr::Member(of, _) | Expr::Unary(_, of) | Expr::Pack(of) => next(*of),
                Expr::Binary(_, a, b) => [*a, *b].into_iter().for_each(next),
                Expr::Conditional(a, b, c) => [*a, *b, *c].into_iter().for_each(next),
                Expr::Number(_) | Expr::Broken | Expr::Opaque => {}
            }
        }
    }

    /// The templates around a scope that have parameters, from the outside in.
    pub fn around(program: &Program<'_>, unit: u32, scope: ScopeId) -> Vec<Template> {
        let of = program.unit(unit);
        let mut found = Vec::new();
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = of.scope(id);
            if let ScopeKind::Template(params) = &scope.kind
                && !params.is_empty()
            {
                found.push((unit, id));
            }
            at = scope.parent;
        }
        found.reverse();
        found
    }

    /// The name under which a template is instantiated.
    pub fn name(&self, template: Template) -> Option<&'a str> {
        self.owners.get(&template).map(Owner::name)
    }

    /// Begins a pass over all questions.
    pub fn pass(&mut self) {
        self.most = self.looks + MAX_LOOKS;
    }

    /// Values of all parameters around a scope, one entry for each way in which the code base instantiates them. Parameters of a
    /// template that is instantiated nowhere have none.
    ///
    /// `None` when that takes more than so many looks.
    pub fn contexts(
        &mut self,
        evaluator: &mut Evaluator<'a>,
        unit: u32,
        scope: ScopeId,
        looks: usize,
    ) -> Option<Vec<Bindings<'a>>> {
        self.last = self.looks.saturating_add(looks).min(self.most);
        let contexts = self.contexts_at(evaluator, unit, scope, 0);
        (self.looks <= self.last).then_some(contexts)
    }

    // Recursion: `chain` grows with each template that is followed.
    fn contexts_at(
        &mut self,
        evaluator: &mut Evaluator<'a>,
        unit: u32,
        scope: ScopeId,
        chain: usize,
    ) -> Vec<Bindings<'a>> {
        let mut contexts: Vec<Bindings<'a>> = vec![None];
        for template in Self::around(self.program, unit, scope) {
            let instances = self.of(evaluator, template, chain);
            if instances.is_empty() {
                continue;
            }
            let product = contexts.len().saturating_mul(instances.len());
            if product > MAX_INSTANCES {
                // Too many to try all: none is tried, so that no value is left out in silence.
                return vec![None];
            }
            contexts = contexts
                .iter()
                .flat_map(|outer| {
                    let frame = |values: &Vec<Value<'a>>| Rc::new(Frame::new(template, values.clone(), outer.clone()));
                    instances.iter().map(move |values| Some(frame(values)))
                })
                .collect();
        }
        contexts
    }

    fn of(&mut self, evaluator: &mut Evaluator<'a>, template: Template, chain: usize) -> Rc<Vec<Vec<Value<'a>>>> {
        if let Some(known) = self.known.get(&template) {
            return Rc::clone(known);
        }
        if chain >= MAX_CHAIN {
            self.cut = 0;
            return Rc::default();
        }
        if let Some(at) = self.running.get(&template) {
            self.cut = self.cut.min(*at);
            return Rc::default();
        }
        let before = std::mem::replace(&mut self.cut, usize::MAX);
        self.running.insert(template, chain);
        let found = Rc::new(self.look(evaluator, template, chain));
        self.running.remove(&template);
        // What a circle through a template further up, or a long chain, cut short is not the whole truth for others.
        if self.cut >= chain && self.looks <= self.last {
            self.known.insert(template, Rc::clone(&found));
            self.cut = before;
        } else {
            self.cut = self.cut.min(before);
        }
        found
    }

    fn look(&mut self, evaluator: &mut Evaluator<'a>, template: Template, chain: usize) -> Vec<Vec<Value<'a>>> {
        let Some(owner) = self.owners.get(&template).cloned() else { return Vec::new() };
        let (name, class) = match owner {
            Owner::Switch(name) => return self.switch(name, template),
            Owner::Class(name, decl) => (name, Some(decl)),
            Owner::Named(name) if self.named.get(name) == Some(&1) && self.defined(name) <= 1 => (name, None),
            Owner::Named(_) => return Vec::new(),
        };
        let mentions = self.mentions.get(name).cloned().unwrap_or_default();
        if mentions.len() >= MAX_MENTIONS {
            return Vec::new();
        }
        let mut found: Vec<Vec<Value<'a>>> = Vec::new();
        for mention in mentions {
            // A member of some class is not the function of that name.
            if class.is_none() && mention.path.segments.iter().take(mention.count - 1).any(|part| part.args.is_some()) {
                continue;
            }
            for env in self.contexts_at(evaluator, mention.unit, mention.scope, chain + 1) {
                self.looks += 1;
                if self.looks > self.last {
                    // Cut short, so nobody else is told.
                    self.cut = 0;
                    return Vec::new();
                }
                if found.len() > MAX_INSTANCES {
                    return Vec::new();
                }
                let context = Context { unit: mention.unit, scope: mention.scope, env };
                let Some(values) = evaluator.instance(mention.path, mention.count, template, class, &context) else {
                    continue;
                };
                let values: Vec<Value<'a>> = values.into_iter().map(unwritten).collect();
                if self.fits(template, &values) && !found.iter().any(|known| equal(known, &values)) {
                    found.push(values);
                }
            }
        }
        found
    }

    /// Whether values are where values belong, and at least one is known.
    fn fits(&self, template: Template, values: &[Value<'a>]) -> bool {
        let ScopeKind::Template(params) = &self.program.unit(template.0).scope(template.1).kind else { return false };
        let right = params.iter().zip(values).all(|(param, value)| match value {
            _ if param.pack => true,
            Value::Number(number) => param.value || number.fixed,
            Value::Layout(_) | Value::Tuple(_) | Value::Order(_) => !param.value,
            _ => true,
        });
        right && values.iter().any(|value| !matches!(value, Value::Param(..) | Value::Opaque(_)))
    }

    /// How many functions have a name, in all files, whether or not they are looked into.
    fn defined(&mut self, name: &'a str) -> usize {
        let (program, named) = (self.program, &self.named);
        let counts = self.defined.get_or_insert_with(|| {
            let each = program.sources().par_iter().map(|source| definitions(&source.text, named));
            each.reduce(HashMap::new, |mut all, some| {
                for (name, count) in some {
                    *all.entry(name).or_default() += count;
                }
                all
            })
        });
        counts.get(name).copied().unwrap_or(0)
    }

    /// The values that the macro gives to the constant that it defines.
    fn switch(&mut self, name: &'a str, template: Template) -> Vec<Vec<Value<'a>>> {
        let program = self.program;
        let listed = self.listed.entry(name).or_insert_with(|| {
            let mut all: Vec<i128> = Vec::new();
            for source in program.sources() {
                for values in listed(&source.text, name) {
                    // Several definitions that differ: none is known to hold.
                    if all.is_empty() {
                        all = values;
                    } else if all != values {
                        return Vec::new();
                    }
                }
            }
            all
        });
        let (unit, scope) = template;
        let span = match &program.unit(unit).scope(scope).kind {
            ScopeKind::Template(params) => params.first().map(|param| param.name).unwrap_or_default(),
            _ => crate::ast::Span::default(),
        };
        let site = Site { unit, span };
        let number = |value: &i128| vec![Value::Number(Number { value: *value, site, literal: false, fixed: true })];
        listed.iter().map(number).collect()
    }
}

impl<'a> Owner<'a> {
    fn name(&self) -> &'a str {
        match self {
            Self::Class(name, _) | Self::Named(name) | Self::Switch(name) => name,
        }
    }
}

/// A value that no longer claims to stand in the text as a number: a fix does not change where a template is instantiated.
fn unwritten(value: Value<'_>) -> Value<'_> {
    match value {
        Value::Number(number) => Value::Number(Number { literal: false, ..number }),
        other => other,
    }
}

fn equal(a: &[Value<'_>], b: &[Value<'_>]) -> bool {
    let hopeless = |value: &Value<'_>| matches!(value, Value::Param(..) | Value::Opaque(_));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (hopeless(a) && hopeless(b)) || same(a, b))
}

/// Which of the names a text defines functions of: `name(…) {` with nothing but words in between.
fn definitions<'a>(text: &str, names: &HashMap<&'a str, usize>) -> HashMap<&'a str, usize> {
    let bytes = text.as_bytes();
    let mut found = HashMap::new();
    for at in memchr::memchr_iter(b'(', bytes) {
        let before = bytes.get(..at).unwrap_or_default();
        let start = before.iter().rposition(|byte| !is_identifier(*byte)).map_or(0, |at| at + 1);
        let Some((name, _)) = text.get(start..at).and_then(|name| names.get_key_value(name)) else { continue };
        if body_follows(bytes.get(at..at.saturating_add(MAX_HEAD).min(bytes.len())).unwrap_or_default()) {
            *found.entry(*name).or_default() += 1;
        }
    }
    found
}

/// Bytes of a function's head. A longer one counts as a definition: unknown is not no.
const MAX_HEAD: usize = 4_096;

/// Whether a list in parentheses is that of a function that is defined there.
fn body_follows(text: &[u8]) -> bool {
    let mut depth = 0_usize;
    for byte in text {
        match byte {
            b'(' => depth += 1,
            b'{' if depth == 0 => return true,
            b')' | b';' | b',' | b'}' | b'=' | b'?' if depth == 0 => return false,
            b')' => depth -= 1,
            _ => {}
        }
    }
    text.len() == MAX_HEAD
}

/// What each definition of a macro gives to the constant that its last parameter but one names.
fn listed(text: &str, name: &str) -> Vec<Vec<i128>> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(name) {
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        let Some(rest) = text[at + name.len()..].strip_prefix('(') else { continue };
        if line.trim().replace(' ', "") != "#define" {
            continue;
        }
        let Some((params, rest)) = rest.split_once(')') else { continue };
        let params: Vec<&str> = params.split(',').map(str::trim).collect();
        let [.., constant, _] = params.as_slice() else { continue };
        let mut values = Vec::new();
        let mut sound = true;
        // The body goes on as long as lines end in a backslash.
        for line in rest.split('\n') {
            let words: Vec<&str> = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
            let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
            if let Some(place) = words.iter().position(|word| word == constant)
                && words.contains(&"constexpr")
            {
                match words.get(place + 1).copied() {
                    Some("true") => values.push(1),
                    Some("false") => values.push(0),
                    Some(number) => match number.parse() {
                        Ok(number) => values.push(number),
                        Err(_) => sound = false,
                    },
                    None => sound = false,
                }
            }
            if !line.trim_end().ends_with('\\') {
                break;
            }
        }
        values.sort_unstable();
        values.dedup();
        if sound && !values.is_empty() && values.len() <= MAX_LISTED {
            found.push(values);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn switches_list_their_values() {
        let text = "#define BOOL_SWITCH(COND, NAME, ...) \\\n if (COND) { \\\n constexpr static bool NAME = true; \\\n } else { \\\n constexpr static bool NAME = false; }\nconstexpr int NAME = 7;";
        assert_eq!(listed(text, "BOOL_SWITCH"), [[0, 1]]);
        let text = "#define HEADDIM_SWITCH(H, NAME, ...) \\\n if (H <= 32) { constexpr int NAME = 32; \\\n } else { constexpr int NAME = 64; }\n";
        assert_eq!(listed(text, "HEADDIM_SWITCH"), [[32, 64]]);
        let text = "#define A_SWITCH(H, NAME, ...) constexpr int NAME = f(H);\n";
        assert!(listed(text, "A_SWITCH").is_empty());
        assert!(listed("A_SWITCH(x, y, [&] {})", "A_SWITCH").is_empty());
    }
}
