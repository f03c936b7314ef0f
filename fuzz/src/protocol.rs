//! Lines of the protocol: one well-formed answer goes out, the same each time, and never `internal`.

use razorgirl_protocol::{Code, Engine, answer_by};
use serde_json::Value;

/// A line, answered by both engines.
pub fn protocol(data: &[u8]) {
    for engine in [Engine::Library, Engine::Extracted] {
        let answered = answer_by(data, engine);
        assert!(!answered.contains('\n'), "{answered}");
        let value: Value = serde_json::from_str(&answered).unwrap_or_else(|error| panic!("{error}: {answered}"));
        let object = value.as_object().unwrap_or_else(|| panic!("no object: {answered}"));
        assert!(object.contains_key("id"), "{answered}");
        assert_ne!(object.contains_key("result"), object.contains_key("error"), "{answered}");
        if let Some(error) = object.get("error") {
            assert!(Code::ALL.iter().any(|code| error["code"] == code.name()), "{answered}");
            assert_ne!(error["code"], Code::Internal.name(), "{answered}");
            assert!(error["message"].is_string() && error["help"].is_array(), "{answered}");
        }
        assert_eq!(answer_by(data, engine), answered);
    }
}
