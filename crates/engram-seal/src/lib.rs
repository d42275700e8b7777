//! Files that only those can read who hold a key: exports and backups, sealed
//! with age (X25519). The only crate that knows how.
//!
//! It knows no file names and no settings. Keys are made and kept by the person,
//! with the `age-keygen` that everybody has.

use std::io::{self, BufRead, Read, Write};
use std::str::FromStr;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum SealError {
    #[error(
        "{0:?} is no recipient: one begins with \"age1\" and is what `age-keygen` prints as the public key"
    )]
    NoRecipient(String),
    #[error("nobody is named who could open it")]
    Nobody,
    #[error("the file of keys cannot be read: {0}")]
    NoIdentity(String),
    #[error("none of the keys opens it")]
    OtherKey,
    #[error("it is damaged: {0}")]
    Damaged(String),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Those who will be able to open it, one or more.
#[derive(Clone)]
pub struct Recipients(Vec<age::x25519::Recipient>);

impl Recipients {
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, SealError> {
        let parse = |text: &str| {
            age::x25519::Recipient::from_str(text.trim())
                .map_err(|_| SealError::NoRecipient(text.trim().to_owned()))
        };
        let known = texts.into_iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        if known.is_empty() { Err(SealError::Nobody) } else { Ok(Self(known)) }
    }

    /// Whatever is written from now on only they can read. `finish` has to be
    /// called: without it the file has no end, and opens for nobody.
    pub fn seal<W: Write>(&self, into: W) -> Result<Sealing<W>, SealError> {
        let named = self.0.iter().map(|recipient| recipient as &dyn age::Recipient);
        let encryptor = age::Encryptor::with_recipients(named).map_err(|_| SealError::Nobody)?;
        Ok(Sealing(encryptor.wrap_output(into)?))
    }
}

/// A file that is being sealed.
pub struct Sealing<W: Write>(age::stream::StreamWriter<W>);

impl<W: Write> Sealing<W> {
    pub fn finish(self) -> Result<W, SealError> {
        Ok(self.0.finish()?)
    }
}

impl<W: Write> Write for Sealing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The keys of whoever opens something.
pub struct Identities(Vec<Box<dyn age::Identity>>);

impl Identities {
    /// From what `age-keygen` writes.
    pub fn read(from: impl BufRead) -> Result<Self, SealError> {
        let file = age::IdentityFile::from_buffer(from);
        let file = file.map_err(|error| SealError::NoIdentity(error.to_string()))?;
        let known = file.into_identities().map_err(|error| SealError::NoIdentity(error.to_string()))?;
        if known.is_empty() {
            return Err(SealError::NoIdentity("there is no key in it".to_owned()));
        }
        Ok(Self(known))
    }

    /// What was sealed, in the clear. That it is whole is only known at its end.
    pub fn open<R: Read>(&self, from: R) -> Result<impl Read + use<R>, SealError> {
        let damaged = |error: age::DecryptError| match error {
            age::DecryptError::NoMatchingKeys => SealError::OtherKey,
            age::DecryptError::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
                SealError::Io(error)
            }
            other => SealError::Damaged(other.to_string()),
        };
        let decryptor = age::Decryptor::new(from).map_err(damaged)?;
        decryptor.decrypt(self.0.iter().map(|key| &**key)).map_err(damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use age::secrecy::ExposeSecret as _;

    fn pair() -> (String, Identities) {
        let key = age::x25519::Identity::generate();
        let file = format!("# a comment\n{}\n", key.to_string().expose_secret());
        (key.to_public().to_string(), Identities::read(file.as_bytes()).unwrap())
    }

    fn sealed(to: &[&str], text: &[u8]) -> Vec<u8> {
        let mut sealing = Recipients::parse(to.iter().copied()).unwrap().seal(Vec::new()).unwrap();
        sealing.write_all(text).unwrap();
        sealing.finish().unwrap()
    }

    fn opened(by: &Identities, file: &[u8]) -> Result<Vec<u8>, SealError> {
        let mut text = Vec::new();
        by.open(file)?.read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn whoever_is_named_opens_it_and_nobody_else() {
        let ((first, hers), (second, his), (_, strangers)) = (pair(), pair(), pair());
        let text = b"the staging key is in vault\n".repeat(10_000);
        let file = sealed(&[&first, &second], &text);
        // By this the other crates tell a sealed file (`copies.rs` of the wire).
        assert!(file.starts_with(b"age-encryption.org/v1\n"));
        assert!(!file.windows(7).any(|part| part == b"staging"));
        assert_eq!(opened(&hers, &file).unwrap(), text);
        assert_eq!(opened(&his, &file).unwrap(), text);
        assert!(matches!(opened(&strangers, &file), Err(SealError::OtherKey)));
    }

    #[test]
    fn what_was_cut_or_changed_does_not_open() {
        let (name, key) = pair();
        let file = sealed(&[&name], &b"port 5433 ".repeat(20_000));
        let mut changed = file.clone();
        let middle = changed.len() / 2;
        changed[middle] ^= 1;
        for broken in [&file[..file.len() - 1], &file[..file.len() / 2], &changed] {
            assert!(opened(&key, broken).is_err());
        }
        assert!(matches!(opened(&key, b"plain text"), Err(SealError::Damaged(_))));
    }

    #[test]
    fn a_wrong_name_and_a_wrong_key_are_refused_by_their_names() {
        let refused = |texts: &[&str]| Recipients::parse(texts.iter().copied()).err().unwrap().to_string();
        assert!(refused(&["ssh-ed25519 AAAA"]).contains("ssh-ed25519 AAAA"));
        assert_eq!(refused(&[]), "nobody is named who could open it");
        assert!(matches!(Identities::read(&b"not a key\n"[..]), Err(SealError::NoIdentity(_))));
        assert!(matches!(Identities::read(&b"# nothing\n"[..]), Err(SealError::NoIdentity(_))));
    }
}
