//! What an audit costs that follows another one, as in an editor: `cargo run --release -p razorgirl-audit --example again -- FOLDER`.
//!
//! Prints the seconds of reading the files, of the first audit, and of one after a change to the last file that has a layout.

use std::path::PathBuf;
use std::time::Instant;

use razorgirl_audit::source::{Source, Sources};
use razorgirl_audit::{Cache, audit_again};

fn main() {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let cache = Cache::new();
    for round in 0..4 {
        let start = Instant::now();
        let mut sources = Sources::read(&paths);
        let read = start.elapsed();
        if let Some(file) = sources.files.iter_mut().rev().find(|file| !file.hits.is_empty()) {
            *file = Source::new(file.path.clone(), format!("{}// {round}\n", file.text).into_bytes());
        }
        let (files, before) = (sources.files.len(), cache.parsed());
        let start = Instant::now();
        let report = audit_again(sources, &cache);
        println!(
            "audit {round}: {files} files read in {:.3} s, {} parsed, audited in {:.3} s, {} findings",
            read.as_secs_f64(),
            cache.parsed() - before,
            start.elapsed().as_secs_f64(),
            report.findings.len()
        );
    }
}
