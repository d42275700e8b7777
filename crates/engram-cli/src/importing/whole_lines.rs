//! A file handed out line by line, from a place on.
//!
//! It owns what a whole line is. A line whose end has not been written yet
//! waits for the next time, unless it is a JSON object already: of an object
//! no beginning is an object, so that one is whole and its file just does not
//! end in a newline.

use super::{BadLine, Line, Place};
use serde::de::IgnoredAny;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Seek as _, SeekFrom};
use std::path::Path;

pub(crate) struct WholeLines<R> {
    from: R,
    place: Place,
}

impl WholeLines<BufReader<File>> {
    pub(crate) fn open(file: &Path, place: Place) -> io::Result<Self> {
        let mut file = File::open(file)?;
        file.seek(SeekFrom::Start(place.offset))?;
        Ok(Self::new(BufReader::new(file), place))
    }
}

impl<R: BufRead> WholeLines<Chain<R, &'static [u8]>> {
    /// All of what comes from somewhere else than a file: its last line is
    /// whole, whatever it ends with.
    pub(crate) fn to_the_end(from: R) -> Self {
        Self::new(from.chain(&b"\n"[..]), Place::default())
    }
}

impl<R: BufRead> WholeLines<R> {
    /// `from` stands at `place`.
    pub(crate) fn new(from: R, place: Place) -> Self {
        Self { from, place }
    }

    /// Behind the last line that was handed out.
    pub(crate) const fn place(&self) -> Place {
        self.place
    }

    /// The next line that says something; None at the end, and before a line
    /// that is not whole yet.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Result<Line, BadLine>>> {
        loop {
            let mut bytes = Vec::new();
            let read = self.from.read_until(b'\n', &mut bytes)? as u64;
            let ended = bytes.pop_if(|last| *last == b'\n').is_some();
            if !ended && !is_object(&bytes) {
                return Ok(None);
            }
            let place = self.place;
            self.place = Place { offset: place.offset + read, lines: place.lines + u64::from(ended) };
            if bytes.trim_ascii().is_empty() {
                continue;
            }
            return Ok(Some(match String::from_utf8(bytes) {
                Ok(text) => Ok(Line { place, text }),
                Err(error) => {
                    let first = error.utf8_error().valid_up_to() + 1;
                    Err(BadLine { number: place.lines + 1, problem: format!("is not UTF-8: byte {first}") })
                }
            }));
        }
    }
}

fn is_object(bytes: &[u8]) -> bool {
    bytes.trim_ascii().starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every line with its number, and where reading ended.
    fn read(bytes: &[u8], from: Place) -> (Vec<(u64, String)>, Place) {
        let mut lines = WholeLines::new(&bytes[from.offset as usize..], from);
        let mut found = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            found.push(match line {
                Ok(line) => (line.number(), line.text),
                Err(bad) => (bad.number, bad.problem),
            });
        }
        (found, lines.place())
    }

    fn text(number: u64, text: &str) -> (u64, String) {
        (number, text.to_owned())
    }

    #[test]
    fn a_torn_line_waits_and_is_read_from_its_beginning() {
        let torn = b"{\"a\":1}\n\n{\"b\":";
        let (lines, place) = read(torn, Place::default());
        assert_eq!((lines, place), (vec![text(1, "{\"a\":1}")], Place { offset: 9, lines: 2 }));
        let (lines, place) = read(b"{\"a\":1}\n\n{\"b\":2}\n", place);
        assert_eq!((lines, place), (vec![text(3, "{\"b\":2}")], Place { offset: 17, lines: 3 }));
    }

    #[test]
    fn a_file_without_a_last_newline_is_read_to_its_end() {
        let (lines, place) = read(b"{}\n{\"b\":2}", Place::default());
        assert_eq!((lines.len(), place), (2, Place { offset: 10, lines: 1 }));
        // The newline may still come, and the lines after it count on.
        let (lines, _) = read(b"{}\n{\"b\":2}\n{\"c\":3}\n", place);
        assert_eq!(lines, [text(3, "{\"c\":3}")]);
    }

    #[test]
    fn a_line_that_is_not_utf8_does_not_hold_up_the_next() {
        let (lines, _) = read(b"{\xff}\n{}\n", Place::default());
        assert_eq!(lines, [text(1, "is not UTF-8: byte 2"), text(2, "{}")]);
    }
}
