//! What expressions evaluate to. Every number remembers the token that it was written as, so that a finding can point at it.

use std::collections::BTreeMap;
use std::rc::Rc;

use razorgirl::IntTuple;

use super::measure::{Measure, Operand};
use super::program::DeclRef;
use super::reason::{Reason, Resolved, Unresolved};
use crate::ast::{ScopeId, Site};

/// Parts that a value may have in all, counted as often as they occur.
const MAX_WEIGHT: usize = 4_096;

/// How deeply values may nest in each other: they are compared and dropped by recursion.
const MAX_NESTING: usize = 64;

/// How large a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    weight: usize,
    nesting: usize,
}

impl Size {
    /// The size of something made of these values, with the bindings that it keeps.
    pub fn around(items: &[Value<'_>], env: &Bindings<'_>) -> Self {
        let kept = env.as_ref().map_or(0, |frame| frame.nesting);
        items.iter().map(Value::size).fold(Self { weight: 1, nesting: kept + 1 }, |all, item| Self {
            weight: all.weight.saturating_add(item.weight),
            nesting: all.nesting.max(item.nesting + 1),
        })
    }

    /// How many parts there are.
    pub fn weight(self) -> usize {
        self.weight
    }

    /// Whether a value may be as large.
    ///
    /// # Errors
    /// The bound that it is beyond.
    pub fn allowed(self, site: Site) -> Resolved<Self> {
        if self.nesting > MAX_NESTING {
            Err(Unresolved { reason: Reason::TooDeep, site })
        } else if self.weight > MAX_WEIGHT {
            Err(Unresolved { reason: Reason::TooLarge, site })
        } else {
            Ok(self)
        }
    }
}

/// An integer.
#[derive(Debug, Clone, Copy)]
pub struct Number {
    /// Its value.
    pub value: i128,
    /// Where it was written.
    pub site: Site,
    /// Whether the text there is the number itself (`_4`, `4`, `Int<4>`), not a computation that gives it.
    pub literal: bool,
    /// Whether the type carries the value, so that even a variable of this type cannot change.
    pub fixed: bool,
    /// What it counts.
    pub measure: Measure,
}

impl Number {
    /// A number that is computed, of which it is not known what it counts.
    pub const fn of(value: i128, site: Site, fixed: bool) -> Self {
        Self { value, site, literal: false, fixed, measure: Measure::Unknown }
    }

    /// The number as one of an operator.
    pub fn operand(self) -> Operand {
        let Self { value, literal, measure, .. } = self;
        Operand { value, literal, measure }
    }
}

/// A tuple.
#[derive(Debug)]
pub struct Tuple<'a> {
    /// Its items.
    pub items: Vec<Value<'a>>,
    /// Where it was written.
    pub site: Site,
    /// Numbers in it, at any depth.
    pub leaves: usize,
    /// How deeply its numbers nest.
    pub depth: usize,
    /// How large it is.
    pub size: Size,
    /// The template parameter without a value that an item hangs on.
    pub hangs: Option<Site>,
}

/// The number at a leaf of a shape or stride.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Leaf {
    /// Where it was written.
    pub site: Site,
    /// As in [`Number`].
    pub literal: bool,
}

/// A shape or a stride with the places of its numbers.
#[derive(Debug, Clone)]
pub struct Numbers {
    /// The numbers.
    pub tuple: IntTuple,
    /// One entry a leaf.
    pub leaves: Vec<Leaf>,
    /// Where the whole was written.
    pub site: Site,
}

/// A layout as written: shape and stride may disagree.
#[derive(Debug, Clone)]
pub struct Constant {
    /// The extents.
    pub shape: Numbers,
    /// The strides.
    pub stride: Numbers,
    /// Whether the strides were written, not implied by the shape.
    pub explicit: bool,
    /// The `Layout<…>` or `make_layout(…)`.
    pub site: Site,
}

/// A class, known or not.
#[derive(Debug)]
pub struct Named<'a> {
    /// The parts of its qualified name.
    pub path: Vec<&'a str>,
    /// Template arguments.
    pub args: Option<Vec<Value<'a>>>,
    /// Its definition, when a given file has it.
    pub class: Option<DeclRef>,
    /// Values of the template parameters around and of that definition.
    pub env: Bindings<'a>,
    /// Where it was named.
    pub site: Site,
    /// How large it is.
    pub size: Size,
    /// The template parameter without a value that it hangs on, or the place where that is known to be.
    pub hangs: Option<Site>,
}

impl<'a> Named<'a> {
    /// A class of which only the name is known.
    ///
    /// # Errors
    /// It would be too large.
    pub fn unknown(path: Vec<&'a str>, args: Option<Vec<Value<'a>>>, site: Site) -> Resolved<Value<'a>> {
        Self::value(path, args, None, None, site)
    }

    /// A class as a value.
    ///
    /// # Errors
    /// It would be too large.
    pub fn value(
        path: Vec<&'a str>,
        args: Option<Vec<Value<'a>>>,
        class: Option<DeclRef>,
        env: Bindings<'a>,
        site: Site,
    ) -> Resolved<Value<'a>> {
        let hangs = args.iter().flatten().find_map(Value::hangs);
        let size = Size::around(args.as_deref().unwrap_or_default(), &env).allowed(site)?;
        Ok(Value::Named(Rc::new(Self { path, args, class, env, site, size, hangs })))
    }

    /// A member of a class of which only the name is known.
    ///
    /// # Errors
    /// It would be too large.
    pub fn member(path: Vec<&'a str>, hangs: Option<Site>, site: Site) -> Resolved<Value<'a>> {
        let size = Size::around(&[], &None).allowed(site)?;
        Ok(Value::Named(Rc::new(Self { path, args: None, class: None, env: None, site, size, hangs })))
    }

    /// The last part of the name.
    pub fn name(&self) -> &'a str {
        self.path.last().copied().unwrap_or_default()
    }
}

impl Value<'_> {
    /// The same; of a number that says nothing of what it counts, the name of a constant may.
    #[must_use]
    pub fn or_named(self, name: &str) -> Self {
        match self {
            Self::Number(number) => Self::Number(Number { measure: number.measure.or_named(name), ..number }),
            other => other,
        }
    }

    /// How large it is.
    pub fn size(&self) -> Size {
        match self {
            Value::Tuple(tuple) => tuple.size,
            Value::Named(named) => named.size,
            Value::Pack(items) => Size::around(items, &None),
            _ => Size { weight: 1, nesting: 0 },
        }
    }

    /// Whether a template parameter without a value is part of this value.
    pub fn is_dependent(&self) -> bool {
        self.hangs().is_some()
    }

    /// Whether a template parameter is part of this value.
    // Recursion: its size bounds how deeply it nests.
    pub fn names_param(&self, of: Site) -> bool {
        let any = |items: &[Self]| items.iter().any(|item| item.names_param(of));
        match self {
            Value::Param(_, site) => *site == of,
            Value::Tuple(tuple) => any(&tuple.items),
            Value::Named(named) => named.args.as_deref().is_some_and(any),
            Value::Pack(items) => any(items),
            _ => false,
        }
    }

    /// The template parameter without a value that is part of this value, or a place that hangs on one.
    pub fn hangs(&self) -> Option<Site> {
        match self {
            Value::Param(_, site) => Some(*site),
            Value::Named(named) => named.hangs,
            Value::Tuple(tuple) => tuple.hangs,
            Value::Opaque(why) => (why.reason == super::Reason::Dependent).then_some(why.site),
            _ => None,
        }
    }
}

/// The order in which strides grow when a shape alone is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// First mode fastest.
    Left,
    /// Last mode fastest.
    Right,
}

/// Any value.
#[derive(Debug, Clone)]
pub enum Value<'a> {
    /// An integer.
    Number(Number),
    /// A tuple.
    Tuple(Rc<Tuple<'a>>),
    /// A layout.
    Layout(Rc<Constant>),
    /// A class.
    Named(Rc<Named<'a>>),
    /// A template parameter without a value, or something that hangs on one.
    Param(&'a str, Site),
    /// The values of a parameter pack.
    Pack(Rc<Vec<Value<'a>>>),
    /// `LayoutLeft` or `LayoutRight`.
    Order(Order),
    /// Something that is not evaluated, as written, and what stopped it.
    Opaque(super::Unresolved),
}

/// What is known of the parts of an object, by how they are named: `.ld`, `.shape.m`, `[1]`.
pub type Parts<'a> = BTreeMap<String, Value<'a>>;

/// Values of template parameters, innermost first.
pub type Bindings<'a> = Option<Rc<Frame<'a>>>;

/// The values of one template's parameters.
#[derive(Debug)]
pub struct Frame<'a> {
    /// The unit and scope of the parameters.
    pub key: (u32, ScopeId),
    /// One value a parameter.
    pub values: Vec<Value<'a>>,
    /// Templates around it.
    pub outer: Bindings<'a>,
    /// Whether the values are listed somewhere, but no instantiation is known that has them together.
    pub tried: bool,
    /// Of parameters of a function that are objects or arrays: which one, and its parts.
    pub parts: Vec<(usize, Parts<'a>)>,
    /// Of variables of a function, the same.
    pub locals: Vec<(DeclRef, Parts<'a>)>,
    nesting: usize,
}

impl<'a> Frame<'a> {
    /// The values of the parameters of one scope.
    pub fn new(key: (u32, ScopeId), values: Vec<Value<'a>>, outer: Bindings<'a>) -> Self {
        let nesting = Size::around(&values, &outer).nesting;
        let tried = outer.as_ref().is_some_and(|outer| outer.tried);
        Self { key, values, outer, tried, parts: Vec::new(), locals: Vec::new(), nesting }
    }

    /// The same, with parts of its values.
    #[must_use]
    pub fn with_parts(&self, parts: Vec<(usize, Parts<'a>)>) -> Self {
        let nested = parts.iter().flat_map(|(_, parts)| parts.values()).map(|value| value.size().nesting + 1).max();
        Self {
            key: self.key,
            values: self.values.clone(),
            outer: self.outer.clone(),
            tried: self.tried,
            parts,
            locals: Vec::new(),
            nesting: self.nesting.max(nested.unwrap_or(0)),
        }
    }

    /// A frame that only says what is known of variables of a unit.
    pub fn of_locals(unit: u32, locals: Vec<(DeclRef, Parts<'a>)>, outer: Bindings<'a>) -> Self {
        // The file's own scope has no parameters.
        let frame = Self::new((unit, ScopeId(0)), Vec::new(), outer);
        let nested = locals.iter().flat_map(|(_, parts)| parts.values()).map(|value| value.size().nesting + 1).max();
        Self { locals, nesting: frame.nesting.max(nested.unwrap_or(0)), ..frame }
    }

    /// The parts of one of its values.
    pub fn parts_of(&self, index: usize) -> Option<&Parts<'a>> {
        self.parts.iter().find(|(of, _)| *of == index).map(|(_, parts)| parts)
    }

    /// The same, of which it is known whether its values, or those around it, are only tried.
    #[must_use]
    pub fn tried(self, tried: bool) -> Self {
        Self { tried: self.tried || tried, ..self }
    }
}
