//! What differs between operating systems, in one place.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// How long before a line that was full is looked at again.
const NAP: Duration = Duration::from_millis(2);

/// The number of the user this process runs for.
pub fn user() -> u32 {
    rustix::process::getuid().as_raw()
}

/// Leaves the terminal's session, so that closing the terminal does not end us.
pub fn leave_terminal() {
    // It fails only for a process that leads its group already, and then there
    // is nothing to leave.
    let _ = rustix::process::setsid();
}

/// Makes a folder that only its owner can enter, and refuses one that belongs
/// to somebody else.
pub fn private_folder(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let meta = fs::metadata(folder)?;
    if meta.uid() != user() {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("{} belongs to another user", folder.display()),
        ));
    }
    if meta.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Connects to who listens there, and tells what is left of the patience. Where
/// nobody takes anybody in, the line of those who wait is full in the end, and Linux
/// would have us wait for ever: this is an error after `patience`, of the kind
/// `TimedOut`. (A system that refuses who finds the line full says so at once.)
pub fn connect(socket: &Path, patience: Duration) -> io::Result<(UnixStream, Duration)> {
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketType};
    let address = SocketAddrUnix::new(socket)?;
    let line = rustix::net::socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
    rustix::io::fcntl_setfd(&line, rustix::io::FdFlags::CLOEXEC)?;
    rustix::io::ioctl_fionbio(&line, true)?;
    let mut left = patience;
    while let Err(error) = rustix::net::connect(&line, &address) {
        if error != rustix::io::Errno::AGAIN {
            return Err(error.into());
        }
        if left.is_zero() {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "nobody takes anybody in"));
        }
        left = left.saturating_sub(NAP);
        std::thread::sleep(NAP);
    }
    rustix::io::ioctl_fionbio(&line, false)?;
    Ok((UnixStream::from(line), left))
}

/// Whether what lies at `path` itself, not where it may point, belongs to us.
/// What is not there belongs to nobody else.
pub fn is_ours(path: &Path) -> bool {
    fs::symlink_metadata(path).map_or(true, |meta| meta.uid() == user() && !meta.is_symlink())
}

/// Opens a file that only its owner can read, at its end.
pub fn private_append(file: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).read(true).mode(0o600).open(file)
}

/// A fresh private file, in the place of what was there.
pub fn private_create(file: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(file)
}

/// Puts a private file in the place of what was there, whole or not at all.
pub fn private_replace(file: &Path, text: &[u8]) -> io::Result<()> {
    let draft = file.with_extension("new");
    let mut written = private_create(&draft)?;
    written.write_all(text)?;
    written.sync_all()?;
    fs::rename(&draft, file)
}

/// Eight bytes of chance, for identifiers.
pub fn chance() -> u64 {
    let mut bytes = [0u8; 8];
    match rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty()) {
        Ok(8) => u64::from_ne_bytes(bytes),
        // Before the kernel has gathered chance at boot, the process number
        // and an address still tell two processes apart.
        _ => u64::from(std::process::id()) << 32 ^ std::ptr::from_ref(&bytes) as u64,
    }
}

/// Thirty-two bytes that nobody can guess, or none.
pub fn secret() -> io::Result<[u8; 32]> {
    let mut bytes = [0u8; 32];
    // Requests of up to 256 bytes are not cut short.
    let filled = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    match filled == bytes.len() {
        true => Ok(bytes),
        false => Err(io::Error::other("the system has no chance to give yet")),
    }
}

/// When a process was started, in the system's own count, where it tells: two
/// processes may have one number, never one number and one start.
pub fn process_start(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name stands in brackets and may contain anything.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(19)?.parse().ok()
}

/// Whether a process of this number runs.
pub fn is_running(process: u32) -> bool {
    let Some(id) = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw) else { return false };
    // One that belongs to somebody else runs, too.
    !matches!(rustix::process::test_kill_process(id), Err(rustix::io::Errno::SRCH))
}

/// Bytes of memory that a process keeps in RAM, where the system tells.
pub fn resident_bytes(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Gives the system back what the allocator keeps of memory that is free. glibc does
/// that by itself only at the end of a heap, and one piece that is in use there keeps
/// all that is free before it. It takes some milliseconds.
pub fn give_back_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "glibc's own function takes a number and may be called from any thread")]
    // SAFETY: it reads and writes nothing but what the allocator knows to be free.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Bytes free on the disk of `folder`.
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketType};

    #[test]
    #[cfg(target_os = "linux")]
    fn who_takes_nobody_in_makes_nobody_wait_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let listens = rustix::net::socket(AddressFamily::UNIX, SocketType::STREAM, None).unwrap();
        rustix::net::bind(&listens, &SocketAddrUnix::new(&socket).unwrap()).unwrap();
        rustix::net::listen(&listens, 0).unwrap();
        let patience = Duration::from_millis(20);
        let mut waiting = Vec::new();
        let full = loop {
            match connect(&socket, patience) {
                Ok((stream, left)) => {
                    assert_eq!(left, patience);
                    waiting.push(stream);
                }
                Err(error) => break error,
            }
            assert!(waiting.len() < 100, "the line has no end");
        };
        assert_eq!(full.kind(), io::ErrorKind::TimedOut);
        // As soon as one is taken in there is room again.
        rustix::net::accept(&listens).unwrap();
        connect(&socket, patience).unwrap();
        drop(listens);
        let refused = connect(&socket, patience).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
        let absent = connect(&folder.path().join("none"), patience).unwrap_err();
        assert_eq!(absent.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn what_is_free_is_given_back_though_something_behind_it_is_in_use() {
        let takes = || resident_bytes(std::process::id()).unwrap();
        // Small enough to lie in the heap, and as much as nothing else here takes.
        let mut pieces: Vec<Vec<u8>> = (0..64 << 10).map(|_| vec![1; 1 << 10]).collect();
        let last = pieces.pop();
        drop(pieces);
        let before = takes();
        give_back_memory();
        let given_back = before.saturating_sub(takes());
        assert!(given_back > 32 << 20, "{given_back} of {before} bytes were given back");
        drop(last);
    }
}
