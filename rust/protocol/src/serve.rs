//! Streams of requests.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};

use crate::line::{Engine, answer_start};
use crate::{MAX_LINE, MAX_SKIPPED};

/// Answers every line of `input` on `output`, in order, to the end of the input.
///
/// Answers are flushed before more input is read, so a peer may wait for each answer. A line longer than [`MAX_LINE`] is
/// answered as soon as that many bytes have been read; the rest, up to [`MAX_SKIPPED`] bytes, is skipped. If the reader of
/// the answers closes the pipe, this returns without an error.
///
/// # Errors
/// When reading or writing fails, or a line does not end within [`MAX_SKIPPED`] bytes.
///
/// ```
/// let mut answers = Vec::new();
/// razorgirl_protocol::serve(&b"{\"id\":7,\"op\":\"size\",\"args\":[[4,2]]}\n"[..], &mut answers)?;
/// assert_eq!(answers, b"{\"id\":7,\"result\":8}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn serve(input: impl Read, output: impl Write) -> io::Result<()> {
    serve_by(input, output, Engine::Library)
}

/// Answers every line as [`serve`] does, by this engine.
///
/// # Errors
/// As [`serve`].
pub fn serve_by(input: impl Read, output: impl Write, engine: Engine) -> io::Result<()> {
    match answer_lines(BufReader::with_capacity(1 << 16, input), output, engine) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

fn answer_lines<R: Read>(mut input: BufReader<R>, output: impl Write, engine: Engine) -> io::Result<()> {
    let mut output = io::BufWriter::with_capacity(1 << 16, output);
    let mut line = Vec::new();
    loop {
        line.clear();
        // One more byte than a line may have tells the two apart, and one for the line end.
        let limit = MAX_LINE as u64 + 2;
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
        if input.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
            return output.flush();
        }
        let ended = line.last() == Some(&b'\n');
        if ended {
            line.pop();
        }
        let too_long = line.len() > MAX_LINE;
        output.write_all(answer_start(&line, too_long, engine).as_bytes())?;
        output.write_all(b"\n")?;
        if too_long && !ended {
            output.flush()?;
            skip(&mut input)?;
        }
        if line.capacity() > 1 << 20 {
            line = Vec::new();
        }
    }
}

/// Reads past the rest of a line.
fn skip(input: &mut impl BufRead) -> io::Result<()> {
    let mut rest = input.take(MAX_SKIPPED);
    rest.skip_until(b'\n')?;
    if rest.limit() == 0 {
        let message = format!("a line is longer than {MAX_LINE} bytes and does not end within the next {MAX_SKIPPED}");
        return Err(io::Error::new(ErrorKind::InvalidData, message));
    }
    Ok(())
}
