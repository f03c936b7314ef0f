//! Messages on a stream: headers, an empty line, and so many bytes of JSON.
//!
//! The crates `lsp-server` and `lsp-types` do this too, and are not used. A limit in front would bound the buffer that `lsp-server` makes
//! of whatever length a header claims. But it ends at the first message that is no JSON, where the protocol wants an answer; its ids
//! are of 32 bits; it reads a request with another id as a notification; and its untagged types do not read numbers from text where
//! `serde_json` keeps their digits, as this program needs. The URIs of `lsp-types` refuse what clients leave unescaped by mistake.

use std::io::{BufRead, Error, ErrorKind, Read, Result, Write};

use serde_json::Value;

/// A longer message is skipped. The auditor reads files of 64 MiB at most, and JSON writes some characters in six bytes.
const MAX_MESSAGE: u64 = 128 << 20;

/// Bytes of a header line, and header lines.
const MAX_LINE: u64 = 4 << 10;
const MAX_LINES: usize = 32;

/// What came.
#[derive(Debug, PartialEq)]
pub enum Frame {
    /// JSON.
    Message(Value),
    /// No JSON, and why; the next message can be read.
    Malformed(String),
}

/// Reads a message; nothing at the end of the stream.
///
/// # Errors
/// Those of the stream, and headers that do not say where the message ends: what follows cannot be read then.
pub fn read(input: &mut impl BufRead) -> Result<Option<Frame>> {
    let Some(length) = length(input)? else { return Ok(None) };
    if length > MAX_MESSAGE {
        let skipped = std::io::copy(&mut input.take(length), &mut std::io::sink())?;
        complete(skipped, length)?;
        return Ok(Some(Frame::Malformed(format!("{length} bytes are more than the {MAX_MESSAGE} that are read"))));
    }
    // Memory follows the bytes that come, not the length that is claimed.
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body)?;
    complete(body.len() as u64, length)?;
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(value) => Frame::Message(value),
        Err(error) => Frame::Malformed(error.to_string()),
    }))
}

/// The length that the headers say.
fn length(input: &mut impl BufRead) -> Result<Option<u64>> {
    let mut length = None;
    for number in 0..MAX_LINES {
        let mut line = Vec::new();
        input.take(MAX_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() && number == 0 {
            return Ok(None);
        }
        let line = line.strip_suffix(b"\n").ok_or_else(|| invalid("a header that does not end"))?;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            return length.map(Some).ok_or_else(|| invalid("headers without Content-Length"));
        }
        let line = std::str::from_utf8(line).map_err(|_| invalid("a header that is no text"))?;
        let (name, value) = line.split_once(':').ok_or_else(|| invalid("a header without a colon"))?;
        if name.trim().eq_ignore_ascii_case("content-length") {
            length = Some(value.trim().parse().map_err(|_| invalid("a Content-Length that is no number"))?);
        }
    }
    Err(invalid("headers without an end"))
}

fn complete(came: u64, length: u64) -> Result<()> {
    if came < length { Err(Error::new(ErrorKind::UnexpectedEof, "the stream ends inside a message")) } else { Ok(()) }
}

fn invalid(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

/// Writes a message.
///
/// # Errors
/// Those of the stream.
pub fn write(output: &mut dyn Write, message: &Value) -> Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn all(mut input: &[u8]) -> (Vec<Frame>, Option<ErrorKind>) {
        let mut frames = Vec::new();
        loop {
            match read(&mut input) {
                Ok(Some(frame)) => frames.push(frame),
                Ok(None) => return (frames, None),
                Err(error) => return (frames, Some(error.kind())),
            }
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let messages = [json!({ "text": "𝄞 \r\n\r\n Content-Length: 3" }), json!([1, null]), json!("")];
        let mut stream = Vec::new();
        for message in &messages {
            write(&mut stream, message).unwrap();
        }
        assert_eq!(all(&stream), (messages.into_iter().map(Frame::Message).collect(), None));
    }

    #[test]
    fn what_is_no_json_is_said_and_passed_over() {
        let (frames, end) = all(b"content-length:2\r\nContent-Type: x\r\n\r\n{]Content-Length: 1\n\n7");
        assert!(
            matches!(&frames[..], [Frame::Malformed(_), Frame::Message(seven)] if *seven == json!(7)),
            "{frames:?}"
        );
        assert_eq!(end, None);
        let deep = "[".repeat(100_000);
        let (frames, _) = all(format!("Content-Length: {}\r\n\r\n{deep}", deep.len()).as_bytes());
        assert!(matches!(&frames[..], [Frame::Malformed(_)]));
        let not_utf8 = all(b"Content-Length: 3\r\n\r\n\"\xff\"");
        assert!(matches!(&not_utf8.0[..], [Frame::Malformed(_)]));
    }

    #[test]
    fn a_message_that_is_too_long_is_skipped_whole() {
        let long = MAX_MESSAGE + 1;
        let head = format!("Content-Length: {long}\r\n\r\n");
        let mut input = std::io::BufReader::new(
            head.as_bytes().chain(std::io::repeat(b' ').take(long)).chain(&b"Content-Length: 1\r\n\r\n7"[..]),
        );
        assert!(matches!(read(&mut input), Ok(Some(Frame::Malformed(_)))));
        assert_eq!(read(&mut input).unwrap(), Some(Frame::Message(json!(7))));
    }

    #[test]
    fn what_says_no_length_ends_the_stream() {
        for text in
            ["Content-Length: 10\r\n\r\n{}", "Content-Length: 18446744073709551615\r\n\r\n{}", "Content-Length: 1"]
        {
            assert!(all(text.as_bytes()).1.is_some(), "{text}");
        }
        let many = "x: y\r\n".repeat(MAX_LINES);
        let long = "x".repeat(10_000);
        for text in ["\r\n", "Content-Length: -1\r\n\r\n", "{}\r\n\r\n", "a: b\r\n\r\n", "\u{e9}\r\n\r\n", &many, &long]
        {
            assert_eq!(all(text.as_bytes()), (vec![], Some(ErrorKind::InvalidData)), "{text}");
        }
        assert_eq!(all(b""), (vec![], None));
    }
}
