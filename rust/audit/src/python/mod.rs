//! Python: layouts of CuTe's DSL and of Triton's Gluon.
//!
//! ```text
//! tree ─► read ─► value ─► arithmetic, cute, gluon ─► reach ─► files ─► evaluate ─► here: what was found
//! ```
//!
//! What is not known to be a constant is not one: parameters, what a loop changes, names that are bound twice to different values,
//! lists that something is appended to. Order of statements is not followed.

mod arithmetic;
mod cute;
mod evaluate;
mod files;
mod gluon;
mod reach;
mod read;
mod tree;
mod value;
mod words;

use std::rc::Rc;

use razorgirl::{Layout, Swizzle};

use crate::ast::{Site, Unit};
use crate::eval::{Constant, Reason, Resolved, Unresolved};
use crate::source::{Source, Unreadable};
use crate::survey::{Survey, TiledCopy, WrittenLayout};

pub use evaluate::Refused;
pub use gluon::{Bases, Found as GluonLayout, Gluon, List, Part};

use evaluate::{At, Evaluator};
use files::Files;
use tree::{Expr, Module};
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
            python.survey(index, module, &mut evaluator);
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
                    self.layout(value, site);
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

    fn layout(&mut self, value: Resolved<Value>, site: Site) {
        let layout: Resolved<Rc<Constant>> = match value {
            Ok(Value::Layout(layout)) => Ok(layout),
            Ok(Value::Composed(composed)) => Ok(composed.layout.clone()),
            Ok(Value::Identity(_)) => {
                self.identities.push(site);
                return;
            }
            // The tile and the layout from (thread, value).
            Ok(Value::Tuple(items)) => match items.all.as_slice() {
                [_, Value::Layout(layout)] => Ok(layout.clone()),
                _ => Err(Unresolved { reason: Reason::Call, site }),
            },
            Ok(_) => Err(Unresolved { reason: Reason::Call, site }),
            Err(why) => Err(why),
        };
        self.survey.layouts.push(WrittenLayout::computed(site, layout.map(|layout| (*layout).clone())));
    }
}

#[cfg(test)]
mod tests;
