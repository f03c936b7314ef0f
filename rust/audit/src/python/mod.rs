//! Python: layouts of CuTe's DSL and of Triton's Gluon.
//!
//! ```text
//! tree ─► read ─► value ─► arithmetic, cute, gluon ─► files ─► evaluate ─► here: what was found
//! ```
//!
//! What is not known to be a constant is not one: parameters, what a loop changes, names that are bound twice to different values,
//! lists that something is appended to. Order of statements is not followed.

mod arithmetic;
mod calls;
mod classes;
mod cute;
mod evaluate;
mod files;
mod flow;
mod gluon;
mod read;
mod sites;
mod tree;
mod tried;
mod value;
mod words;
mod world;

use std::rc::Rc;

use razorgirl::{Layout, Swizzle};

use crate::ast::{Site, Unit};
use crate::eval::{Constant, Reason, Resolved, Unresolved};
use crate::source::{Source, Unreadable};
use crate::survey::{Case, Survey, TiledCopy, WrittenLayout};

pub use evaluate::Refused;
pub use gluon::{Bases, Found as GluonLayout, Gluon, List, Part};

use evaluate::{At, Evaluator};
use files::Files;
use tree::{Expr, ExprId, Module};
use tried::Tried;
use value::Value;

/// Layouts of one run that are kept.
const MAX_LAYOUTS: usize = 1 << 18;

/// Everything that was found.
#[derive(Debug, Default)]
pub struct Python {
    /// One unit a parsed file, which holds nothing but the file's index.
    pub units: Vec<Unit>,
    /// Layouts and tiled copies of CuTe's DSL, as the checks of C++ know them.
    pub survey: Survey,
    /// Layouts of Gluon.
    pub gluon: Vec<GluonLayout>,
    /// Whether each is known.
    pub gluon_known: Vec<(Site, Resolved<()>)>,
    /// Layouts of coordinates: known, and nothing to check.
    pub identities: Vec<Site>,
    /// Swizzles where they are made.
    pub swizzles: Vec<(Site, Swizzle)>,
    /// What CuTe answers and the definition refuses.
    pub refused: Vec<Refused>,
    /// Compositions that the library refuses, and CuTe may answer.
    pub composed: Vec<(Site, Layout, Layout)>,
    /// Places that the grammar could not read.
    pub errors: usize,
    /// Layouts in them.
    pub in_errors: usize,
    /// Files that were not looked into.
    pub given_up: Vec<Unreadable>,
}

impl Python {
    /// Reads the Python files among some sources.
    pub fn read(sources: &[Source]) -> Self {
        let mut python = Self::default();
        if !sources.iter().any(|source| source.python) {
            return python;
        }
        let files = Files::read(sources);
        let mut evaluator = Evaluator::new(&files);
        for (index, module) in files.modules.iter().enumerate() {
            python.units.push(Unit::empty(module.file));
            python.errors += module.errors;
            python.in_errors += module.in_errors;
            if let Some(why) = module.gave_up
                && let Some(source) = sources.get(module.file)
            {
                python.given_up.push(Unreadable { path: source.path.clone(), why: why.to_owned() });
            }
            if sources.get(module.file).is_some_and(|source| words::relevant(&source.text)) {
                python.survey(index, module, &mut evaluator);
            }
        }
        python.refused = evaluator.refused;
        python.composed = evaluator.composed;
        python.composed.sort_by_key(|(site, ..)| *site);
        python.refused.sort_by_key(|refused| refused.site);
        python.survey.layouts.sort_by_key(|found| found.site);
        python
    }

    fn survey(&mut self, index: usize, module: &Module, evaluator: &mut Evaluator<'_>) {
        for (call, scope) in &module.calls {
            let at = At { module: index, scope: *scope, frame: None };
            let Expr::Call(callee, _) = module.expr(*call) else { continue };
            if !may_be_library(module, *callee) {
                continue;
            }
            let Ok(Value::Library(path)) = evaluator.ask(*callee, &at) else { continue };
            if self.survey.layouts.len() + self.gluon.len() >= MAX_LAYOUTS {
                return;
            }
            let site = evaluator.site(*call, &at);
            if let Some((name, parameters)) = gluon::parameters(&path) {
                let arguments = evaluator.arguments(*call, &at, parameters);
                let (layout, known) = match arguments {
                    Some(arguments) => gluon::layout(name, &arguments, site),
                    None => (gluon::layout(name, &[], site).0, Err(Unresolved { reason: Reason::Expression, site })),
                };
                self.gluon_known.push((site, known));
                self.gluon.push(GluonLayout { site, layout });
                continue;
            }
            match cute::function(&path) {
                Some(name) if cute::makes_layout(name) => {
                    let value = evaluator.ask(*call, &at);
                    let tried = if may_be_listed(&value) { evaluator.worlds(*call, &at) } else { Vec::new() };
                    self.layout(value, tried, site);
                }
                Some("make_tiled_copy_tv") => {
                    let arguments = evaluator.arguments(*call, &at, &["atom", "thr_layout", "val_layout"]);
                    if let Some([atom, Some(Value::Layout(threads)), Some(Value::Layout(values))]) =
                        arguments.as_deref()
                    {
                        let vector = match atom {
                            Some(Value::Atom(vector, element)) => Some((*vector, *element)),
                            _ => None,
                        };
                        let (threads, values) = ((**threads).clone(), (**values).clone());
                        self.survey.tiled_copies.push(TiledCopy { site, threads, values, vector });
                    }
                }
                Some("make_swizzle") => {
                    if let Ok(Value::Swizzle(swizzle)) = evaluator.ask(*call, &at) {
                        self.swizzles.push((site, swizzle));
                    }
                }
                Some(name) if cute::computes(name) => {
                    // For the sake of what is refused.
                    let _ = evaluator.ask(*call, &at);
                }
                _ => {}
            }
        }
    }

    /// Keeps a layout: what it surely is, or else what it is for everything that the code lists.
    fn layout(&mut self, value: Resolved<Value>, tried: Vec<Tried>, site: Site) {
        let (mut cases, mut failed, mut identity): (Vec<Case>, Option<Unresolved>, bool) = (Vec::new(), None, false);
        let mut open = None;
        for Tried { value, holds, call } in tried {
            match constant(value, site) {
                Ok(None) => identity = true,
                Ok(Some(layout)) => {
                    let same = |case: &&mut Case| {
                        case.layout.shape.tuple == layout.shape.tuple && case.layout.stride.tuple == layout.stride.tuple
                    };
                    match cases.iter_mut().find(same) {
                        Some(case) if case.tried && !call => {}
                        Some(case) if !case.tried => {}
                        Some(case) => (case.holds, case.tried) = (holds, !call),
                        None => cases.push(Case { layout: (*layout).clone(), holds, tried: !call }),
                    }
                }
                // A parameter for which nothing is listed here, or an attribute that only classes which inherit from this one have.
                Err(why) if matches!(why.reason, Reason::Dependent | Reason::UnknownMember) => {
                    open = open.or(Some(why));
                }
                // What is known at run time only is set apart, so any other reason says more.
                Err(why) => failed = failed.filter(|known| known.reason != Reason::RunTime).or(Some(why)),
            }
        }
        // What is only tried is wrong where all of it is, and here some of it is not known.
        if failed.is_some() {
            cases.retain(|case| !case.tried);
        }
        let why = failed.or(open.filter(|_| cases.is_empty() && !identity));
        let layout = match (why, cases.first()) {
            (Some(why), _) => Err(why),
            (None, Some(case)) => Ok(case.layout.clone()),
            (None, None) if identity => return self.identities.push(site),
            (None, None) => match constant(value, site) {
                Ok(None) => return self.identities.push(site),
                Ok(Some(layout)) => Ok((*layout).clone()),
                Err(why) => Err(why),
            },
        };
        let mut found = WrittenLayout::computed(site, layout);
        found.cases = cases;
        self.survey.layouts.push(found);
    }
}

/// The layout of a value; nothing for one of coordinates.
fn constant(value: Resolved<Value>, site: Site) -> Resolved<Option<Rc<Constant>>> {
    match value? {
        Value::Layout(layout) => Ok(Some(layout)),
        Value::Composed(composed) => Ok(Some(composed.layout.clone())),
        Value::Identity(_) => Ok(None),
        // The tile and the layout from (thread, value).
        Value::Tuple(items) => match items.all.as_slice() {
            [_, Value::Layout(layout)] => Ok(Some(layout.clone())),
            _ => Err(Unresolved { reason: Reason::Call, site }),
        },
        _ => Err(Unresolved { reason: Reason::Call, site }),
    }
}

/// Whether what is not known may hang on what the code lists several values for.
const fn may_be_listed(value: &Resolved<Value>) -> bool {
    matches!(
        value,
        Err(Unresolved {
            reason: Reason::Ambiguous
                | Reason::Dependent
                | Reason::RunTime
                | Reason::Call
                | Reason::Expression
                | Reason::UnknownName
                | Reason::UnknownMember,
            ..
        })
    )
}

/// Whether the function that is called may be one that is looked at: most calls are none, and need not be evaluated.
fn may_be_library(module: &Module, callee: ExprId) -> bool {
    let name = match module.expr(callee) {
        Expr::Attribute(_, name) => name,
        // Another name may be given to it where it is imported.
        Expr::Name(_) => return true,
        _ => return false,
    };
    let others = matches!(&**name, "make_tiled_copy_tv" | "make_swizzle");
    cute::makes_layout(name) || cute::computes(name) || others || name.ends_with("Layout")
}

#[cfg(test)]
mod tests;
