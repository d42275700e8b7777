//! What differs between operating systems, in one place.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

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

/// Bytes free on the disk of `folder`.
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}
