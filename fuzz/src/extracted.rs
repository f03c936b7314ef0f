//! The library against the functions that are extracted from Lean.

use razorgirl_conform::generate::{Rng, operation, request};
use razorgirl_protocol::{Engine, answer_by, extracted as functions};
use serde_json::Value;

/// The first choice is an operation that both have.
pub fn extracted(data: &[u8]) {
    let both: Vec<&str> = functions().into_iter().filter(|name| operation(name).is_some()).collect();
    let mut rng = Rng::of_bytes(data);
    let name = *rng.pick(&both);
    let size = *rng.pick(&[1 << 6, 1 << 12, u64::MAX]);
    let request = request(&mut rng, 1, name, size);
    let line = request.to_string();
    let [library, found] = [Engine::Library, Engine::Extracted].map(|engine| {
        let answered = answer_by(line.as_bytes(), engine);
        serde_json::from_str::<Value>(&answered).unwrap_or_else(|error| panic!("{error}: {answered}"))
    });
    // where several faults apply, each side names one of them
    assert_eq!(library.get("result"), found.get("result"), "{request}\n{library}\n{found}");
}
