//! Pipelines of known bug classes and their mended twins: each file's first line says what is expected.

use razorgirl_pipeline::{Bounds, check, parse};
use std::fmt::Write;
use std::path::Path;

#[test]
fn verdicts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pipelines");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 43);
    let (mut wrong, mut right, mut broken) = (String::new(), 0, 0);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.file_stem().unwrap().to_string_lossy();
        let expected = text.lines().next().and_then(|l| l.strip_prefix("# expected: ")).unwrap();
        let program = parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let verdict = check(&program, &Bounds { states: 100_000, trips: 6 });
        let found = if let Some(f) = &verdict.failure {
            broken += 1;
            let values: Vec<String> = f.parameters.iter().map(|(n, v)| format!("{n} = {v}")).collect();
            format!("{} with {}", f.fault.law.code(), values.join(", "))
        } else {
            right += 1;
            if verdict.every_trip_count() { "holds for every trip count".to_owned() } else { "holds".to_owned() }
        };
        if found != expected {
            writeln!(wrong, "{name}: {found}; expected {expected}\n  {verdict:?}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(right >= 14 && broken >= 24, "{right} right, {broken} broken");
}
