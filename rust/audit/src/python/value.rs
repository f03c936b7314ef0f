//! What Python expressions come to. Every number remembers the token that it was written as.

use std::rc::Rc;

use razorgirl::{IntTuple, Layout, Swizzle};

use super::arithmetic::Width;
use super::cute;
use super::frame::At;
use super::instructions::Mma;
use super::memory::Memory;
use super::tree::{ExprId, ScopeId};
use crate::ast::Site;
use crate::eval::{Constant, Leaf, Numbers, Reason, Resolved, Unresolved};

/// Numbers in one tuple.
const MAX_LEAVES: usize = 1024;

/// How deeply tuples nest.
const MAX_NESTING: usize = 32;

/// Layouts with more modes are not computed with: some operations compare all modes with each other.
const MAX_MODES: usize = 64;

/// A tuple or a list.
#[derive(Debug)]
pub struct Items {
    /// What is in it.
    pub all: Vec<Value>,
    /// Where it was written.
    pub site: Site,
    /// Numbers in it, at any depth.
    leaves: usize,
    /// How deeply it nests.
    depth: usize,
    /// Whether it is a list or has one in it: whoever has it may change it.
    pub list: bool,
}

/// A swizzle behind a layout.
#[derive(Debug)]
pub struct Composed {
    /// What is done to the offsets.
    pub swizzle: Swizzle,
    /// What is added before that.
    pub offset: u64,
    /// The layout.
    pub layout: Rc<Constant>,
    /// Whether a helper for the instructions that read so made it.
    pub helper: bool,
}

/// A class, by file and scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Home {
    /// Index of the module.
    pub module: usize,
    /// Its scope.
    pub scope: ScopeId,
}

/// The call that made an object.
#[derive(Debug)]
pub struct Made {
    /// Where.
    pub site: Site,
    /// In which call of a function of the files.
    pub key: u64,
    /// The call.
    pub call: ExprId,
    /// Where it stands; without what that function was called with, unless the object is asked for it.
    pub at: At,
}

impl PartialEq for Made {
    fn eq(&self, other: &Self) -> bool {
        (self.site, self.key) == (other.site, other.key)
    }
}

/// Whether two layouts are the same, wherever they are written.
fn alike(one: &Constant, other: &Constant) -> bool {
    one.shape.tuple == other.shape.tuple && one.stride.tuple == other.stride.tuple
}

/// The call that made an object.
pub type Origin = Rc<Made>;

/// Any value.
#[derive(Debug, Clone)]
pub enum Value {
    /// An integer, where it was written, and whether the text there is the number itself.
    Number(i128, Site, bool),
    /// A number of a type of the DSL, `Int32(4)`: a constant that the DSL hands on as one that is known at run time.
    Machine(i128, Width, Site),
    /// A number that is no integer, or may be none: above and below a line, the second above 0.
    Ratio(i128, i128),
    /// A truth value.
    Bool(bool),
    /// `None`.
    None,
    /// A string.
    Text(Rc<str>),
    /// A tuple or a list.
    Tuple(Rc<Items>),
    /// A layout.
    Layout(Rc<Constant>),
    /// A layout whose values are coordinates.
    Identity(Rc<Numbers>),
    /// A swizzled layout.
    Composed(Rc<Composed>),
    /// A swizzle; whether a helper for the instructions that read so made it, which swizzle the bytes of an address.
    Swizzle(Swizzle, bool),
    /// Something of a library, by its whole name.
    Library(Rc<str>),
    /// A module among the files, by its index.
    Module(usize),
    /// A function; whether its first parameter has its argument.
    Function(Home, Option<Home>),
    /// A class.
    Class(Home),
    /// An object of a class, of which nothing else is known but the call that made it, if that.
    Object(Home, Option<Origin>),
    /// `types.SimpleNamespace(…)`: an object with the attributes that the call names.
    Namespace(Origin),
    /// `partial(f, …)`: a function with some of its arguments, by the call that names them.
    Partial(Origin),
    /// A dictionary, and where it is written.
    Dict(Rc<Vec<(Self, Self)>>, Site),
    /// A copy atom: bits that it copies at once, bits of an element, and whether it is `cp.async`, which the DSL never splits.
    Atom(u64, u64, bool),
    /// A matrix instruction, or tiled ones.
    Mma(Rc<Mma>),
    /// Something of shared memory, or what copies it.
    Memory(Rc<Memory>),
    /// Something that is not known, and why.
    Unknown(Unresolved),
}

impl Value {
    /// A tuple.
    ///
    /// # Errors
    /// It would be too large.
    pub fn tuple(items: Vec<Self>, site: Site) -> Resolved<Self> {
        let list = items.iter().any(|item| matches!(item, Self::Tuple(inner) if inner.list));
        Self::sequence(items, site, list)
    }

    /// A tuple, or a list.
    ///
    /// # Errors
    /// It would be too large.
    pub fn sequence(items: Vec<Self>, site: Site, list: bool) -> Resolved<Self> {
        let mut leaves = 0_usize;
        let mut depth = 0;
        for item in &items {
            let (more, deeper) = match item {
                Self::Tuple(inner) => (inner.leaves, inner.depth),
                _ => (1, 0),
            };
            leaves = leaves.saturating_add(more);
            depth = depth.max(deeper);
        }
        if leaves > MAX_LEAVES {
            return Err(Unresolved { reason: Reason::TooLarge, site });
        }
        if depth + 1 >= MAX_NESTING {
            return Err(Unresolved { reason: Reason::TooDeep, site });
        }
        Ok(Self::Tuple(Rc::new(Items { all: items, site, leaves, depth: depth + 1, list })))
    }

    /// A number that was computed.
    pub const fn number(value: i128, site: Site) -> Self {
        Self::Number(value, site, false)
    }

    /// Whether it is taken for true; nothing where that is not known.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Self::Number(value, ..) | Self::Machine(value, ..) => Some(*value != 0),
            Self::Bool(value) => Some(*value),
            Self::None => Some(false),
            Self::Text(text) => Some(!text.is_empty()),
            Self::Tuple(items) => Some(!items.all.is_empty()),
            // Types and what copies or multiplies.
            Self::Library(path) if cute::bits(path).is_some() || path.ends_with("Op") => Some(true),
            _ => None,
        }
    }

    /// Whether two values are the same; places aside. What is not compared is not the same.
    // Recursion: tuples nest to a fixed depth.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(a, ..), Self::Number(b, ..)) => a == b,
            (Self::Machine(a, first, _), Self::Machine(b, second, _)) => a == b && first == second,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::None, Self::None) => true,
            (Self::Text(a), Self::Text(b)) | (Self::Library(a), Self::Library(b)) => a == b,
            (Self::Module(a), Self::Module(b)) => a == b,
            (Self::Tuple(a), Self::Tuple(b)) => {
                a.all.len() == b.all.len() && a.all.iter().zip(&b.all).all(|(a, b)| a.same(b))
            }
            (Self::Layout(a), Self::Layout(b)) => alike(a, b),
            (Self::Identity(a), Self::Identity(b)) => a.tuple == b.tuple,
            (Self::Swizzle(a, one), Self::Swizzle(b, other)) => (a, one) == (b, other),
            (Self::Memory(a), Self::Memory(b)) => a == b,
            (Self::Composed(a), Self::Composed(b)) => {
                (a.swizzle, a.offset) == (b.swizzle, b.offset) && alike(&a.layout, &b.layout)
            }
            (Self::Class(a), Self::Class(b)) => a == b,
            (Self::Function(a, first), Self::Function(b, second)) => (a, first) == (b, second),
            (Self::Atom(a, first, whole), Self::Atom(b, second, too)) => (a, first, whole) == (b, second, too),
            (Self::Mma(a), Self::Mma(b)) => a.same(b),
            _ => false,
        }
    }

    /// What of it is not known.
    // Recursion: to a fixed depth.
    pub fn unknown(&self, depth: usize) -> Option<Unresolved> {
        match self {
            Self::Unknown(why) => Some(*why),
            Self::Memory(memory) => memory.unknown(),
            Self::Tuple(items) if depth < 4 => items.all.iter().find_map(|item| item.unknown(depth + 1)),
            _ => None,
        }
    }

    /// The number that it is.
    ///
    /// # Errors
    /// Why it is none.
    pub fn as_number(&self, site: Site) -> Resolved<i128> {
        match self {
            Self::Number(value, ..) => Ok(*value),
            Self::Unknown(why) => Err(*why),
            Self::Ratio(..) => Err(Unresolved { reason: Reason::Expression, site }),
            // A parameter that is still to be set: Python refuses to compute with it.
            Self::None => Err(Unresolved { reason: Reason::Dependent, site }),
            _ => Err(Unresolved { reason: Reason::NotNumeric, site }),
        }
    }

    /// It as a shape or a stride.
    ///
    /// # Errors
    /// What of it is no number.
    pub fn numbers(&self, site: Site) -> Resolved<Numbers> {
        let mut leaves = Vec::new();
        let (tuple, site) = collect(self, site, &mut leaves)?;
        Ok(Numbers { tuple, leaves, site })
    }

    /// It as a layout of the library.
    ///
    /// # Errors
    /// It is none.
    pub fn core(&self, site: Site) -> Resolved<Layout> {
        match self {
            Self::Layout(constant) => core(constant, site),
            Self::Unknown(why) => Err(*why),
            _ => Err(Unresolved { reason: Reason::Call, site }),
        }
    }
}

/// A constant as a layout of the library.
///
/// # Errors
/// It is none, or has too many modes.
pub fn core(constant: &Constant, site: Site) -> Resolved<Layout> {
    if constant.shape.tuple.leaves().len() > MAX_MODES {
        return Err(Unresolved { reason: Reason::TooLarge, site });
    }
    Layout::new(&constant.shape.tuple, &constant.stride.tuple).map_err(|_| Unresolved { reason: Reason::Call, site })
}

// Recursion: tuples nest to a fixed depth.
fn collect(value: &Value, site: Site, leaves: &mut Vec<Leaf>) -> Resolved<(IntTuple, Site)> {
    match value {
        Value::Number(value, site, literal) => {
            if *value < 0 {
                return Err(Unresolved { reason: Reason::Negative, site: *site });
            }
            let number = u64::try_from(*value).map_err(|_| Unresolved { reason: Reason::Overflow, site: *site })?;
            leaves.push(Leaf { site: *site, literal: *literal });
            Ok((IntTuple::leaf(number), *site))
        }
        Value::Machine(value, _, site) => collect(&Value::number(*value, *site), *site, leaves),
        Value::Tuple(items) => {
            let mut modes = Vec::with_capacity(items.all.len());
            for item in &items.all {
                modes.push(collect(item, items.site, leaves)?.0);
            }
            let deep = Unresolved { reason: Reason::TooDeep, site: items.site };
            Ok((IntTuple::tuple(&modes).map_err(|_| deep)?, items.site))
        }
        other => Err(other.as_number(site).err().unwrap_or(Unresolved { reason: Reason::NotNumeric, site })),
    }
}

/// Numbers as a value.
///
/// # Errors
/// There are too many.
pub fn of_numbers(numbers: &Numbers) -> Resolved<Value> {
    let mut leaves = numbers.tuple.leaves().iter().zip(&numbers.leaves);
    rebuild(&numbers.tuple, &mut leaves, numbers.site)
}

// Recursion: tuples nest to a fixed depth.
fn rebuild<'n>(
    tuple: &IntTuple,
    leaves: &mut impl Iterator<Item = (&'n u64, &'n Leaf)>,
    site: Site,
) -> Resolved<Value> {
    if tuple.is_leaf() {
        let (value, leaf) = leaves.next().ok_or(Unresolved { reason: Reason::Expression, site })?;
        return Ok(Value::Number(i128::from(*value), leaf.site, leaf.literal));
    }
    let items = tuple.modes().map(|mode| rebuild(&mode, leaves, site)).collect::<Resolved<Vec<_>>>()?;
    Value::tuple(items, site)
}

/// Numbers that nobody wrote.
fn computed(tuple: IntTuple, site: Site) -> Numbers {
    let leaves = vec![Leaf { site, literal: false }; tuple.leaves().len()];
    Numbers { tuple, leaves, site }
}

/// A layout that was computed: its strides are nobody's words.
pub fn derived(layout: &Layout, site: Site) -> Value {
    let shape = computed(layout.shape().extents().clone(), site);
    let stride = computed(layout.stride(), site);
    Value::Layout(Rc::new(Constant { shape, stride, explicit: false, site }))
}

/// The shape of a layout, which nobody wrote.
///
/// # Errors
/// It is too large.
pub fn computed_shape(layout: &Layout, site: Site) -> Resolved<Value> {
    of_numbers(&computed(layout.shape().extents().clone(), site))
}

/// A layout of a shape with strides that are implied.
pub fn implied(shape: Numbers, layout: &Layout, site: Site) -> Constant {
    let stride = Numbers { tuple: layout.stride(), leaves: shape.leaves.clone(), site: shape.site };
    Constant { shape, stride, explicit: false, site }
}
