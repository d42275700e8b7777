//! One message on the socket: four bytes of length, then JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Write};

/// A message longer than this is refused before it is read. Ten megabytes of
/// text fit, so that they can be refused with a proper explanation.
pub const LONGEST: usize = 64 << 20;

pub fn encode(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; 4];
    serde_json::to_writer(&mut bytes, message)?;
    let length = checked_length(bytes.len() - 4)?;
    bytes[..4].copy_from_slice(&length.to_be_bytes());
    Ok(bytes)
}

pub fn decode<T: DeserializeOwned>(body: &[u8]) -> io::Result<T> {
    serde_json::from_slice(body).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// The length that a frame's first four bytes announce.
pub fn announced_length(head: [u8; 4]) -> io::Result<usize> {
    let length = u32::from_be_bytes(head) as usize;
    checked_length(length)?;
    Ok(length)
}

pub fn write(stream: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    stream.write_all(&encode(message)?)
}

pub fn read<T: DeserializeOwned>(stream: &mut impl Read) -> io::Result<T> {
    let mut head = [0; 4];
    stream.read_exact(&mut head)?;
    let mut body = vec![0; announced_length(head)?];
    stream.read_exact(&mut body)?;
    decode(&body)
}

fn checked_length(length: usize) -> io::Result<u32> {
    match u32::try_from(length) {
        Ok(short) if length <= LONGEST => Ok(short),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("a message of {length} bytes; at most {LONGEST} are allowed"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_back_as_it_was_written() {
        let mut pipe = Vec::new();
        write(&mut pipe, &("hello", 7)).unwrap();
        write(&mut pipe, &("again", 8)).unwrap();
        let mut pipe = pipe.as_slice();
        assert_eq!(read::<(String, u8)>(&mut pipe).unwrap(), ("hello".into(), 7));
        assert_eq!(read::<(String, u8)>(&mut pipe).unwrap(), ("again".into(), 8));
    }

    #[test]
    fn an_absurd_length_is_refused_before_it_is_read() {
        let error = read::<String>(&mut &b"\xff\xff\xff\xff"[..]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }
}
