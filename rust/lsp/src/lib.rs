//! The auditor in an editor: a server that speaks the language server protocol 3.17 on a stream.
//!
//! ```text
//! client ─ frame, rpc ─► server ─ jobs ─► worker ─ project ─► audit
//!        ◄─ diagnostics, hover, actions ─┘
//! ```
//!
//! The server holds what is open and never works; the worker audits, one job after the other. The text of an open document stands in
//! place of its file, and every project is audited again after a change, since what a name means may stand in another file: what
//! parsing gave is kept, so that one file is parsed anew.

mod action;
mod client;
mod document;
mod frame;
mod hover;
mod project;
mod protocol;
mod rpc;
mod server;
mod text;
mod uri;
mod worker;

pub use server::serve;
