//! A file from the network, in as many tries as it takes.
//!
//! What has arrived stays in the file; the next try asks for the rest.

use crate::web::{Web, WebError};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    #[error(transparent)]
    Web(#[from] WebError),
    #[error("{address} answered {status}")]
    Refused { address: String, status: u16 },
    /// The next try goes on from there.
    #[error("the download stopped at {bytes} bytes ({problem}); the same command goes on from there")]
    Stopped { bytes: u64, problem: String },
    #[error("the download cannot be written: {0}")]
    Io(#[from] io::Error),
}

/// Brings `address` into `path`, which may hold its beginning. `told` hears how
/// many bytes are there, and of how many.
pub(super) fn download(
    web: &Web,
    address: &str,
    path: &Path,
    told: &mut dyn FnMut(u64, Option<u64>),
) -> Result<(), DownloadError> {
    let had = path.metadata().map_or(0, |file| file.len());
    let response = web.get(address, had)?;
    let header = |name: &str| response.headers().get(name)?.to_str().ok().map(str::to_owned);
    let range = header("content-range");
    let (mut bytes, total) = match response.status().as_u16() {
        200 => (0, header("content-length").and_then(|length| length.parse().ok())),
        // "bytes 100-199/200": what follows is the rest, if it begins where we ended.
        206 => {
            let total = range.as_deref().and_then(|range| range.strip_prefix(&format!("bytes {had}-")));
            let total = total.and_then(|rest| rest.split('/').nth(1)).map(|total| total.parse().ok());
            let Some(total) = total else {
                return from_the_beginning(web, address, path, told);
            };
            (had, total)
        }
        // "bytes */200": there is nothing behind what we have.
        416 if had > 0 && range == Some(format!("bytes */{had}")) => return Ok(()),
        416 if had > 0 => return from_the_beginning(web, address, path, told),
        status => return Err(DownloadError::Refused { address: address.to_owned(), status }),
    };
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.set_len(bytes)?;
    let mut body = response.into_body().into_reader();
    let mut buffer = vec![0; 1 << 16];
    loop {
        told(bytes, total);
        let count = match body.read(&mut buffer) {
            Ok(0) if total.is_some_and(|total| bytes < total) => {
                let problem = "the connection was closed".to_owned();
                return Err(DownloadError::Stopped { bytes, problem });
            }
            Ok(0) => break,
            Ok(count) => count,
            Err(error) => return Err(DownloadError::Stopped { bytes, problem: error.to_string() }),
        };
        file.write_all(&buffer[..count])?;
        bytes += count as u64;
    }
    file.sync_all()?;
    Ok(())
}

/// What is there does not fit what the server has.
fn from_the_beginning(
    web: &Web,
    address: &str,
    path: &Path,
    told: &mut dyn FnMut(u64, Option<u64>),
) -> Result<(), DownloadError> {
    File::create(path)?;
    download(web, address, path, told)
}
