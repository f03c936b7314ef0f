//! JSON-RPC 2.0: what a message is, and answers to it.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Why a request is refused, as the protocol numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// The message is no JSON.
    Parse = -32_700,
    /// The message is no request, or comes at the wrong time.
    InvalidRequest = -32_600,
    /// There is no such method here.
    MethodNotFound = -32_601,
    /// The method's parameters are not those.
    InvalidParams = -32_602,
    /// The server failed.
    Internal = -32_603,
    /// It comes before `initialize`.
    NotInitialized = -32_002,
    /// The client does not want it any more.
    Cancelled = -32_800,
    /// The document changed meanwhile.
    ContentModified = -32_801,
}

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Which.
    pub code: Code,
    /// In words.
    pub message: String,
}

impl Refusal {
    /// A refusal with its reason.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// A message from the client.
#[derive(Debug, PartialEq)]
pub enum Incoming {
    /// It wants an answer.
    Request {
        /// A number or a text.
        id: Value,
        /// What is asked.
        method: String,
        /// Of what.
        params: Value,
    },
    /// It wants none.
    Notification {
        /// What happened.
        method: String,
        /// To what.
        params: Value,
    },
    /// The answer to a request of the server.
    Response,
    /// None of these.
    Invalid {
        /// The id that an answer needs, null where there is none.
        id: Value,
    },
}

impl Incoming {
    /// What a message is.
    pub fn of(message: Value) -> Self {
        let Value::Object(mut fields) = message else { return Self::Invalid { id: Value::Null } };
        let id = fields.remove("id");
        let proper = matches!(id, None | Some(Value::Number(_) | Value::String(_)));
        let method = fields.remove("method");
        let params = fields.remove("params").unwrap_or_default();
        let params_fit = matches!(params, Value::Null | Value::Array(_) | Value::Object(_));
        match (id, method) {
            (id, None) if id.is_some() && (fields.contains_key("result") || fields.contains_key("error")) => {
                Self::Response
            }
            (Some(id), Some(Value::String(method))) if proper && params_fit => Self::Request { id, method, params },
            (None, Some(Value::String(method))) if params_fit => Self::Notification { method, params },
            (id, _) => Self::Invalid { id: id.filter(|_| proper).unwrap_or_default() },
        }
    }
}

/// Parameters as a type.
///
/// # Errors
/// They are not such.
pub fn params<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|error| Refusal::new(Code::InvalidParams, error.to_string()))
}

/// The answer to a request.
pub fn response(id: &Value, answer: Result<Value, Refusal>) -> Value {
    match answer {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(refusal) => {
            let error = json!({ "code": refusal.code as i32, "message": refusal.message });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    }
}

/// A notification of the server.
pub fn notification(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// A request of the server.
pub fn request(id: &str, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart() {
        let request = |id: Value| Incoming::Request { id, method: "m".into(), params: Value::Null };
        let invalid = |id: Value| Incoming::Invalid { id };
        for (message, is) in [
            (json!({ "id": 1, "method": "m" }), request(json!(1))),
            (json!({ "id": "a", "method": "m", "params": null }), request(json!("a"))),
            (json!({ "method": "m", "params": [] }), Incoming::Notification { method: "m".into(), params: json!([]) }),
            (json!({ "id": 1, "result": null }), Incoming::Response),
            (json!({ "id": null, "error": {} }), Incoming::Response),
            (json!({ "id": 1 }), invalid(json!(1))),
            (json!({ "id": [], "method": "m" }), invalid(Value::Null)),
            (json!({ "id": 1, "method": 2 }), invalid(json!(1))),
            (json!({ "id": 1, "method": "m", "params": 3 }), invalid(json!(1))),
            (json!({ "result": 1 }), invalid(Value::Null)),
            (json!([{ "id": 1, "method": "m" }]), invalid(Value::Null)),
            (json!(null), invalid(Value::Null)),
        ] {
            assert_eq!(Incoming::of(message.clone()), is, "{message}");
        }
    }
}
