//! Changes to `lean.js`, the glue between Node and the wasm module, that make a start cheap.
//!
//! As published, one run on a small file takes 28 s of processor time, 2.2 GB of memory, and two minutes more as soon
//! as code is evaluated. With these changes it takes 6 s and 0.85 GB. What Lean computes is untouched.

use std::collections::HashSet;

use anyhow::{Context, Result, bail};

use crate::lean::text::is_word;

/// Part of the name of an installation: a new revision makes a new one.
pub const REVISION: &str = "2";

/// Each thread copied the module's 145,000 exports to the table of what can be imported; now that table looks into the
/// exports where it has no entry of its own. A stub, which waits for the export of its name, is replaced as before.
const MERGE: (&str, &str) = (
    "mergeLibSymbols(wasmExports,\"main\");",
    "Object.setPrototypeOf(wasmImports,wasmExports);\
     for(var own of Object.keys(wasmImports)){\
     if(wasmImports[own].stub&&wasmExports[own]){wasmImports[own]=wasmExports[own]}}\
     wasmImports.main??=wasmExports.__main_argc_argv;",
);

/// Looking up a symbol went through all 200,000 names. Only the table's own entries have a place that other threads are
/// told; every exported function has the same address in each of them already ([`GOT`]).
const SCAN: (&str, &str) = (
    "newSymIndex=Object.keys(lib.exports).indexOf(symbol);",
    "newSymIndex=!(symbol in lib.exports)?-1:\
     Object.hasOwn(lib.exports,symbol)?Object.keys(lib.exports).indexOf(symbol):0;",
);

/// Each thread made a global for the address of each export. Now for those that the module imports, which are there when
/// it is loaded; no other module ever is. The addresses are given out as before.
const GOT: (&str, &str) = (
    "GOT[symName]??=new WebAssembly.Global({value:\"i32\",mutable:true});GOT[symName].value=newValue",
    "if(GOT[symName])GOT[symName].value=newValue",
);

/// Every thread loads the whole module, and four were started in advance. Lean runs with one worker thread here, and
/// Node can start threads when they are wanted.
const POOL: (&str, &str) = ("var pthreadPoolSize=4;", "var pthreadPoolSize=0;");

const EXPORTS: &str = "function assignWasmExports(wasmExports){";

/// Patches the text of `lean.js`.
///
/// # Errors
/// A text to replace is not there exactly once: this is not the build the changes were written for.
pub fn patch(js: &str) -> Result<String> {
    let mut js = js.to_string();
    for change in [MERGE, SCAN, GOT, POOL] {
        js = replace_once(&js, change)?;
    }
    trim_exports(&js)
}

fn replace_once(text: &str, (from, to): (&str, &str)) -> Result<String> {
    match text.matches(from).count() {
        1 => Ok(text.replacen(from, to, 1)),
        n => bail!("lean.js: expected `{from}` once, found it {n} times"),
    }
}

/// 88 of the file's 89 MB declare a variable for each exported symbol and fill it, once per thread, although only some
/// fifty are ever used by name (everything else is found through the module's own export table). Keeps those.
fn trim_exports(js: &str) -> Result<String> {
    let (before, after) = js.split_once(EXPORTS).context("lean.js: no function assignWasmExports")?;
    let (body, rest) = after.split_once('}').context("lean.js: assignWasmExports has no end")?;
    let declared = before.rfind("var ").context("lean.js: the exports are not declared")?;
    let names = before[declared + 4..].trim_end_matches(';').split(',').collect::<Vec<_>>();
    if names.len() < 1000 || names.iter().any(|name| name.is_empty() || !name.chars().all(in_name)) {
        bail!("lean.js: what precedes assignWasmExports is not the list of exports");
    }
    let used: HashSet<&str> = identifiers(&before[..declared]).chain(identifiers(rest)).collect();
    let kept_names = names.into_iter().filter(|name| used.contains(name)).collect::<Vec<_>>();
    let mut kept = Vec::new();
    for statement in body.split(';').filter(|s| !s.is_empty()) {
        let (name, value) = statement.split_once('=').context("lean.js: assignWasmExports does something else")?;
        if !value.contains("wasmExports[\"") {
            bail!("lean.js: assignWasmExports does something else: {statement}");
        }
        if used.contains(name) {
            kept.push(statement);
        }
    }
    Ok(format!("{}var {};{EXPORTS}{}}}{rest}", &before[..declared], kept_names.join(","), kept.join(";")))
}

fn in_name(c: char) -> bool {
    c == '$' || (is_word(c) && !matches!(c, '!' | '?' | '\''))
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !in_name(c)).filter(|word| !word.is_empty())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Something that can be patched.
    pub fn glue() -> String {
        let unused: Vec<String> = (0..1000).map(|i| format!("_unused{i}")).collect();
        let assigned: Vec<String> = unused.iter().map(|n| format!("{n}=Module[\"{n}\"]=wasmExports[\"x\"]")).collect();
        format!(
            "var pthreadPoolSize=4;{}{}{};_used();var {},_used;{EXPORTS}{};_used=Module[\"_used\"]=wasmExports[\"used\"]}}run();",
            MERGE.0,
            SCAN.0,
            GOT.0,
            unused.join(","),
            assigned.join(";"),
        )
    }

    #[test]
    fn keeps_what_is_used() {
        let patched = patch(&glue()).unwrap();
        assert_eq!(
            patched,
            format!(
                "var pthreadPoolSize=0;{}{}{};_used();var _used;{EXPORTS}_used=Module[\"_used\"]=wasmExports[\"used\"]}}run();",
                MERGE.1, SCAN.1, GOT.1
            )
        );
    }

    #[test]
    fn another_build_is_refused() {
        assert!(patch("var x").is_err());
        assert!(patch(&glue().replace("PoolSize=4", "PoolSize=8")).unwrap_err().to_string().contains("0 times"));
        assert!(patch(&(glue() + SCAN.0)).unwrap_err().to_string().contains("2 times"));
    }
}
