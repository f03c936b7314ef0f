//! Finds wrong CuTe layouts in C++, CUDA and Python sources.
//!
//! ```text
//! files ─ source ─► text ─ syntax ─► units ─ eval ─► constants ─ survey ─► layouts, traits ─ check ─► findings ─ policy, report ─► text, JSON, SARIF
//! ```
//!
//! Each stage is a module, and none knows those behind it. [`python`] does for Python what `syntax`, `eval` and `survey` do for C++.
//! A new language like C++ fills [`ast::Unit`]s, a new check is a file in
//! [`check`], a new format a file in [`report`].
//!
//! ```
//! use razorgirl_audit::report::{Export, Text};
//! use razorgirl_audit::source::{Source, Sources};
//!
//! let text = "using L = Layout<Shape<_8,_4>,Stride<_1,_4>>;";
//! let sources = Sources { files: vec![Source::new("l.hpp", text.into())], unreadable: vec![] };
//! let report = razorgirl_audit::audit_sources(sources, None);
//! assert_eq!(report.findings.len(), 1);
//! assert_eq!(report.findings[0].code.id(), "RG002");
//! assert_eq!(report.findings[0].fix.as_ref().unwrap().change, "stride _4 → _8");
//! Text::default().write(&report, &mut std::io::stdout()).unwrap();
//! ```

pub mod ast;
mod audit;
mod cache;
pub mod check;
mod demand;
pub mod eval;
pub mod finding;
pub mod fix;
mod mentions;
pub mod policy;
pub mod python;
pub mod report;
pub mod rule;
pub mod source;
pub mod survey;
pub mod syntax;
mod twins;
pub mod uses;

pub use audit::{Progress, audit, audit_again, audit_selected, audit_sources};
pub use cache::Cache;
pub use report::{Report, Status};
