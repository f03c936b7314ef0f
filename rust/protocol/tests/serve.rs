//! Streams of requests.

use std::cell::Cell;
use std::io::{self, Read, Write};
use std::rc::Rc;

use razorgirl_protocol::{MAX_LINE, answer, serve};

fn served(input: &[u8]) -> String {
    let mut output = Vec::new();
    serve(input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

const RANK: &str = r#"{"id":1,"op":"rank","args":[4]}"#;
const ONE: &str = "{\"id\":1,\"result\":1}\n";

#[test]
fn one_answer_for_each_line() {
    assert_eq!(served(b""), "");
    assert_eq!(served(format!("{RANK}\n{RANK}\n").as_bytes()), ONE.repeat(2));
    // Without a line end at the end, with another kind of it, and with nothing on a line.
    assert_eq!(served(format!("{RANK}\n{RANK}").as_bytes()), ONE.repeat(2));
    assert_eq!(served(format!("{RANK}\r\n").as_bytes()), ONE);
    let answers = served(format!("\n{RANK}\n\n").as_bytes());
    let codes: Vec<bool> = answers.lines().map(|line| line.contains("\"parse\"")).collect();
    assert_eq!(codes, [true, false, true]);
}

#[test]
fn long_lines_are_read_past() {
    for length in [MAX_LINE - 1, MAX_LINE, MAX_LINE + 1, MAX_LINE + 2, MAX_LINE + 3, 3 * MAX_LINE] {
        let mut line = RANK.as_bytes().to_vec();
        line.resize(length, b' ');
        let expected = format!("{}\n{ONE}", answer(&line));
        let too_long = length > MAX_LINE;
        assert_eq!(expected.contains("too_large"), too_long, "{length}");
        assert!(!too_long || expected.contains("\"id\":1,"), "{length}");
        let mut input = line.clone();
        input.push(b'\n');
        input.extend(RANK.as_bytes());
        assert_eq!(served(&input), expected, "{length}");
        assert_eq!(served(&line), expected.lines().next().unwrap().to_owned() + "\n", "{length}");
    }
}

/// Gives one piece at each read, and notes how much has been written by then.
struct Pieces<'a> {
    left: Vec<&'a str>,
    written: Rc<Cell<usize>>,
    seen: Vec<usize>,
}

impl Read for &mut Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.seen.push(self.written.get());
        if self.left.is_empty() {
            return Ok(0);
        }
        let piece = self.left.remove(0).as_bytes();
        buffer[..piece.len()].copy_from_slice(piece);
        Ok(piece.len())
    }
}

struct Counter(Rc<Cell<usize>>);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.set(self.0.get() + bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn answers_are_flushed_before_waiting() {
    let written = Rc::new(Cell::new(0));
    let (start, end) = RANK.split_at(9);
    let two = format!("{RANK}\n{RANK}\n{start}");
    let rest = format!("{end}\n");
    let mut input = Pieces { left: vec![RANK, "\n", &two, &rest], written: Rc::clone(&written), seen: vec![] };
    serve(&mut input, Counter(written)).unwrap();
    let one = ONE.len();
    assert_eq!(input.seen, [0, 0, one, 3 * one, 4 * one]);
}

struct Closed(io::ErrorKind);

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(self.0.into())
    }
}

#[test]
fn nobody_reading_is_an_end() {
    assert!(serve(RANK.as_bytes(), Closed(io::ErrorKind::BrokenPipe)).is_ok());
    assert!(serve(RANK.as_bytes(), Closed(io::ErrorKind::StorageFull)).is_err());
}
