//! A judge that asks the library would call every mistake of the library right.

use std::fs;
use std::path::Path;

fn check(folder: &Path, seen: &mut usize) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            check(&path, seen);
            continue;
        }
        let text = fs::read_to_string(&path).expect("it is text");
        let asks = text.lines().find(|line| line.contains("razorgirl::") || line.contains("razorgirl_protocol"));
        assert_eq!(asks, None, "{}", path.display());
        *seen += 1;
    }
}

#[test]
fn the_model_and_the_judges_do_not_ask_what_they_judge() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    check(&source.join("model"), &mut seen);
    check(&source.join("judge"), &mut seen);
    assert!(seen > 30, "{seen} files");
}
