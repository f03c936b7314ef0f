//! Choosing among the specialisations of a class template, by their patterns.

use foldhash::HashMap;
use std::rc::Rc;

use super::program::DeclRef;
use super::reason::{Reason, Unresolved};
use super::value::{Named, Value};
use crate::ast::Site;

/// How deeply template arguments are compared.
const MAX_DEPTH: usize = 32;

/// Values found for a pattern's parameters.
pub type Matched<'a> = Vec<Option<Value<'a>>>;

/// The specialisations of one template, by the head of their first argument: two thousand of them must not be tried in turn.
#[derive(Debug, Default)]
pub struct Index<'a> {
    by_head: HashMap<Head<'a>, Vec<usize>>,
    anything: Vec<usize>,
    patterns: Vec<(DeclRef, Vec<Value<'a>>)>,
    /// The template itself.
    pub primary: Option<DeclRef>,
    /// Whether there are others of its name that are written otherwise.
    pub several: bool,
}

/// What a value begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Head<'a> {
    Name(&'a str),
    Number(i128),
}

fn head<'a>(value: &Value<'a>) -> Option<Head<'a>> {
    match value {
        Value::Named(named) if !is_open(named) => Some(Head::Name(named.name())),
        Value::Number(number) => Some(Head::Number(number.value)),
        _ => None,
    }
}

/// Which definition some arguments choose.
#[derive(Debug)]
pub enum Choice<'a> {
    /// A specialisation, and what its parameters are.
    One(DeclRef, Matched<'a>),
    /// None of the specialisations.
    Primary(Option<DeclRef>),
    /// Two that are equally special.
    Tied,
    /// It hangs on something that is not known.
    Unknown(Unresolved),
}

/// Whether a pattern takes arguments. Unknown is not yes, and not no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    Yes,
    No,
    Unknown(Unresolved),
}

impl Fit {
    fn of(fits: bool) -> Self {
        if fits { Self::Yes } else { Self::No }
    }

    /// Both: one «no» is enough for a «no».
    fn and(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::No => Self::No,
            Self::Yes => other(),
            Self::Unknown(why) => match other() {
                Self::No => Self::No,
                _ => Self::Unknown(why),
            },
        }
    }
}

impl<'a> Index<'a> {
    /// Adds a specialisation.
    pub fn add(&mut self, decl: DeclRef, patterns: Vec<Value<'a>>) {
        let position = self.patterns.len();
        match patterns.first().and_then(head) {
            Some(head) => self.by_head.entry(head).or_default().push(position),
            None => self.anything.push(position),
        }
        self.patterns.push((decl, patterns));
    }

    /// The definition that some arguments choose. `of` tells where the parameters of a specialisation are declared, and
    /// which of them are packs.
    pub fn choose(&self, args: &[Value<'a>], of: impl Fn(DeclRef) -> Vec<(Site, bool)>) -> Choice<'a> {
        let mut best: Option<(usize, DeclRef, usize, Matched<'a>)> = None;
        let mut tied = false;
        let mut unknown: Option<(usize, Unresolved)> = None;
        let mut consider = |position: &usize| {
            let Some((decl, patterns)) = self.patterns.get(*position) else { return };
            let params = of(*decl);
            // Fewer free parameters is more special.
            let free = params.len();
            let mut matched = vec![None; free];
            match match_all(patterns, args, &params, &mut matched, 0) {
                Fit::No => {}
                Fit::Unknown(why) => {
                    if unknown.is_none_or(|(least, _)| free < least) {
                        unknown = Some((free, why));
                    }
                }
                Fit::Yes => match &best {
                    Some((other, ..)) if *other < free => {}
                    Some((other, known, at, _)) if *other == free => {
                        // One is more special where the other's pattern takes it as arguments, and not the reverse.
                        let Some((_, before)) = self.patterns.get(*at) else { return };
                        let own = of(*known);
                        let covered = match_all(before, patterns, &own, &mut vec![None; own.len()], 0) == Fit::Yes;
                        let covers = match_all(patterns, before, &params, &mut vec![None; free], 0) == Fit::Yes;
                        if covered && !covers {
                            best = Some((free, *decl, *position, matched));
                        } else if covered == covers {
                            tied |= known.unit == decl.unit;
                        }
                    }
                    _ => {
                        best = Some((free, *decl, *position, matched));
                        tied = false;
                    }
                },
            }
        };
        match args.first().and_then(head) {
            Some(head) => self.by_head.get(&head).into_iter().flatten().chain(&self.anything).for_each(&mut consider),
            None => (0..self.patterns.len()).for_each(|position| consider(&position)),
        }
        match (best, unknown) {
            (None, Some((_, why))) => Choice::Unknown(why),
            (Some((free, ..)), Some((least, why))) if least <= free => Choice::Unknown(why),
            _ if tied => Choice::Tied,
            (Some((_, decl, _, matched)), _) => Choice::One(decl, matched),
            (None, None) => Choice::Primary(self.primary),
        }
    }
}

/// Finds values for parameters in a pattern that an argument is given for.
pub fn deduce<'a>(pattern: &Value<'a>, arg: &Value<'a>, own: &[(Site, bool)], matched: &mut [Option<Value<'a>>]) {
    match_one(pattern, arg, own, matched, 0);
}

fn match_all<'a>(
    patterns: &[Value<'a>],
    args: &[Value<'a>],
    own: &[(Site, bool)],
    matched: &mut [Option<Value<'a>>],
    depth: usize,
) -> Fit {
    let mut fit = Fit::Yes;
    for (position, pattern) in patterns.iter().enumerate() {
        if let Some(index) = own_index(own, pattern)
            && own.get(index).is_some_and(|(_, pack)| *pack)
        {
            if let Some(slot) = matched.get_mut(index) {
                *slot = Some(Value::Pack(Rc::new(args.get(position..).unwrap_or_default().to_vec())));
            }
            return fit;
        }
        let Some(arg) = args.get(position) else { return Fit::No };
        fit = fit.and(|| match_one(pattern, arg, own, matched, depth));
        if fit == Fit::No {
            return fit;
        }
    }
    fit.and(|| Fit::of(patterns.len() == args.len()))
}

fn own_index(own: &[(Site, bool)], pattern: &Value<'_>) -> Option<usize> {
    let Value::Param(_, site) = pattern else { return None };
    own.iter().position(|(param, _)| param == site)
}

fn match_one<'a>(
    pattern: &Value<'a>,
    arg: &Value<'a>,
    own: &[(Site, bool)],
    matched: &mut [Option<Value<'a>>],
    depth: usize,
) -> Fit {
    if let Some(index) = own_index(own, pattern) {
        return match matched.get_mut(index) {
            Some(slot @ None) => {
                *slot = Some(arg.clone());
                Fit::Yes
            }
            Some(Some(before)) => compared(before, arg, 0),
            None => Fit::No,
        };
    }
    match (pattern, arg) {
        (Value::Named(a), Value::Named(b)) if depth < MAX_DEPTH && same_name(a, b) => match (&a.args, &b.args) {
            (None, None) => Fit::Yes,
            (Some(a), Some(b)) => match_all(a, b, own, matched, depth + 1),
            _ => Fit::No,
        },
        _ => compared(pattern, arg, depth),
    }
}

/// Whether two names can mean the same class: one may be written with fewer of its namespaces.
fn same_name(a: &Named<'_>, b: &Named<'_>) -> bool {
    a.path.iter().rev().zip(b.path.iter().rev()).all(|(a, b)| a == b)
}

/// Whether a name stands for a type that hangs on something unknown: a member of a template parameter, or what `enable_if`
/// comes to.
fn is_open(named: &Named<'_>) -> bool {
    let member = named.hangs.is_some() && named.args.is_none();
    let switch = named.class.is_none() && named.path.iter().any(|name| name.contains("enable_if") || *name == "void_t");
    member || switch
}

/// Whether two values are the same, and certainly so.
pub fn same(a: &Value<'_>, b: &Value<'_>) -> bool {
    compared(a, b, 0) == Fit::Yes
}

/// Whether two values are the same, if that is certain.
///
/// # Errors
/// It hangs on something that is not known.
pub fn certainly(a: &Value<'_>, b: &Value<'_>) -> Result<bool, Unresolved> {
    match compared(a, b, 0) {
        Fit::Yes => Ok(true),
        Fit::No => Ok(false),
        Fit::Unknown(why) => Err(why),
    }
}

fn compared(a: &Value<'_>, b: &Value<'_>, depth: usize) -> Fit {
    let all = |a: &[Value<'_>], b: &[Value<'_>]| {
        let length = Fit::of(depth < MAX_DEPTH && a.len() == b.len());
        length.and(|| a.iter().zip(b).fold(Fit::Yes, |fit, (a, b)| fit.and(|| compared(a, b, depth + 1))))
    };
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => Fit::of(a.value == b.value),
        (Value::Tuple(a), Value::Tuple(b)) => all(&a.items, &b.items),
        (Value::Layout(a), Value::Layout(b)) => {
            Fit::of(a.shape.tuple == b.shape.tuple && a.stride.tuple == b.stride.tuple)
        }
        (Value::Param(a, first), Value::Param(b, second)) if a == b && first == second => Fit::Yes,
        (Value::Pack(a), Value::Pack(b)) => all(a, b),
        (Value::Order(a), Value::Order(b)) => Fit::of(a == b),
        (Value::Named(a), Value::Named(b)) if same_name(a, b) => match (&a.args, &b.args) {
            (None, None) => Fit::Yes,
            (Some(a), Some(b)) => all(a, b),
            _ => Fit::No,
        },
        _ => match unknown(a).or_else(|| unknown(b)) {
            Some(why) => Fit::Unknown(why),
            None => Fit::No,
        },
    }
}

/// Why it cannot be told what a value is.
fn unknown(value: &Value<'_>) -> Option<Unresolved> {
    match value {
        Value::Param(_, site) => Some(Unresolved { reason: Reason::Dependent, site: *site }),
        Value::Opaque(why) => Some(*why),
        Value::Named(named) if is_open(named) => {
            Some(Unresolved { reason: Reason::Dependent, site: named.hangs.unwrap_or(named.site) })
        }
        _ => None,
    }
}
