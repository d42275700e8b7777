//! Files out of a zip, which wheels and jars are.
//!
//! Stored and deflated entries, no encryption, nothing beyond four gigabytes.
//! Sizes and checksums are compared with what is read.

use flate2::Crc;
use flate2::read::DeflateDecoder;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("the archive cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("the archive is broken or of a kind that is not understood: {0}")]
    Broken(&'static str),
}

pub(super) struct Archive {
    file: File,
    pub(super) entries: Vec<Entry>,
}

pub(super) struct Entry {
    pub(super) name: String,
    method: u16,
    checksum: u32,
    packed: u64,
    size: u64,
    /// Of its own header, from the beginning of the file.
    start: u64,
}

/// The longest a comment at the end may be, and what it follows.
const TAIL: u64 = 22 + 0xffff;

impl Archive {
    pub(super) fn open(path: &Path) -> Result<Self, ArchiveError> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let looked_at = length.min(TAIL);
        let mut tail = vec![0; looked_at as usize];
        file.read_exact_at(&mut tail, length - looked_at)?;
        let end = tail.windows(4).rposition(|bytes| bytes == b"PK\x05\x06");
        let end = end.and_then(|at| tail.get(at..at + 22)).ok_or(ArchiveError::Broken("it has no end"))?;
        let (size, start) = (number::<4>(end, 12), number::<4>(end, 16));
        if start + size > length {
            return Err(ArchiveError::Broken("its list of files is not inside it"));
        }
        let mut list = vec![0; size as usize];
        file.read_exact_at(&mut list, start)?;
        let mut entries = Vec::new();
        let mut rest = &list[..];
        while let Some(header) = rest.get(..46).filter(|header| header.starts_with(b"PK\x01\x02")) {
            let name = number::<2>(header, 28) as usize;
            let whole = 46 + name + (number::<2>(header, 30) + number::<2>(header, 32)) as usize;
            let entry = rest.get(..whole).ok_or(ArchiveError::Broken("its list of files ends early"))?;
            entries.push(Entry {
                name: String::from_utf8_lossy(&entry[46..46 + name]).into_owned(),
                method: number::<2>(header, 10) as u16,
                checksum: number::<4>(header, 16) as u32,
                packed: number::<4>(header, 20),
                size: number::<4>(header, 24),
                start: number::<4>(header, 42),
            });
            rest = &rest[whole..];
        }
        Ok(Archive { file, entries })
    }

    /// Writes an entry's content.
    pub(super) fn copy(&self, entry: &Entry, output: &mut impl Write) -> Result<(), ArchiveError> {
        let mut header = [0; 30];
        self.file.read_exact_at(&mut header, entry.start)?;
        if !header.starts_with(b"PK\x03\x04") {
            return Err(ArchiveError::Broken("a file is not where the list says"));
        }
        let mut file = &self.file;
        file.seek(SeekFrom::Start(entry.start + 30 + number::<2>(&header, 26) + number::<2>(&header, 28)))?;
        let packed = file.take(entry.packed);
        let mut content: Box<dyn Read> = match entry.method {
            0 => Box::new(packed),
            8 => Box::new(DeflateDecoder::new(packed)),
            _ => return Err(ArchiveError::Broken("a file is packed in an unknown way")),
        };
        let mut checksum = Crc::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = content.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            checksum.update(&buffer[..count]);
            output.write_all(&buffer[..count])?;
        }
        if checksum.sum() != entry.checksum || u64::from(checksum.amount()) != entry.size {
            return Err(ArchiveError::Broken("a file's checksum is wrong"));
        }
        Ok(())
    }
}

/// A number of `SIZE` bytes, the lowest first.
fn number<const SIZE: usize>(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + SIZE].iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
