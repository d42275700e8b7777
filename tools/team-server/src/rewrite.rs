//! A stopped server's folder of SurrealKV, written anew. What was erased stays in
//! its files until they are compacted, which nobody can ask of SurrealKV.
//!
//! Keys are copied as they are stored, not through an export: an export leaves
//! out the users of the root and of a namespace, and writes the word REDACTED in
//! the place of the key that signs tokens. So members, operators and their tokens
//! go on as before.

use anyhow::{Context as _, Result, bail, ensure};
use std::fmt;
use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use surrealdb_kvs::key::Resumable as _;
use surrealdb_kvs::{Direction, TransactionType};
use surrealdb_server::core::kvs::Datastore;
use surrealdb_server::core::kvs::copy::{self, KeyRole, KeyspaceVersion};

/// Keys in one commit.
const BATCH: u32 = 1_000;

/// How often, and after how long a nap, it is tried whether a folder is free.
const NAPS: u32 = 200;
const NAP: Duration = Duration::from_millis(50);

pub(crate) struct Rewritten {
    keys: u64,
    bytes_before: u64,
    bytes_after: u64,
}

impl fmt::Display for Rewritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "rewritten: {} keys, {} bytes before, {} after",
            self.keys, self.bytes_before, self.bytes_after
        )
    }
}

pub(crate) fn run(folder: &Path) -> Result<Rewritten> {
    // Opening would make a folder that is not there.
    ensure!(folder.join("LOCK").is_file(), "{} is no folder of SurrealKV", folder.display());
    let folder = folder.canonicalize()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(rewrite(&folder))
}

/// The old folder and the new one change places in one step, and the old one is
/// removed. Whatever goes wrong before leaves the folder as it was; what goes
/// wrong after leaves the old one beside it, and is told.
async fn rewrite(folder: &Path) -> Result<Rewritten> {
    let beside = beside(folder)?;
    let source = open(folder).await.context("is the server stopped?")?;
    if beside.exists() {
        fs::remove_dir_all(&beside)?;
    }
    DirBuilder::new().mode(0o700).create(&beside)?;
    let copied = copy_keys(&source, &beside).await;
    // Before the folders change places: what the database still writes when it is
    // closed, it writes by the name of the folder.
    let held = close(source, folder).await;
    let (keys, held) = match copied.and_then(|keys| Ok((keys, held?))) {
        Ok(copied) => copied,
        Err(error) => {
            let _ = fs::remove_dir_all(&beside);
            return Err(error);
        }
    };
    sync(&beside)?;
    let (bytes_before, bytes_after) = (size(folder)?, size(&beside)?);
    exchange(folder, &beside)?;
    drop(held);
    fs::remove_dir_all(&beside)
        .with_context(|| format!("{} holds what was there before: remove it", beside.display()))?;
    Ok(Rewritten { keys, bytes_before, bytes_after })
}

fn beside(folder: &Path) -> Result<PathBuf> {
    let name = folder.file_name().context("the root folder is none of a server")?;
    let mut name = name.to_owned();
    name.push(".rewriting");
    Ok(folder.with_file_name(name))
}

async fn open(folder: &Path) -> Result<Arc<Datastore>> {
    // In an address a question mark begins settings.
    let path =
        folder.to_str().filter(|path| !path.contains('?')).context("the folder's name is no address")?;
    Datastore::builder().without_maintenance_tasks().build_with_path(&format!("surrealkv://{path}")).await
}

/// Waits until the database has let go of its files, and holds them, so that no
/// server takes them.
async fn close(datastore: Arc<Datastore>, folder: &Path) -> Result<File> {
    datastore.shutdown().await?;
    drop(datastore);
    let lock = File::open(folder.join("LOCK"))?;
    for _ in 0..NAPS {
        if lock.try_lock().is_ok() {
            return Ok(lock);
        }
        tokio::time::sleep(NAP).await;
    }
    bail!("{} is still held", folder.display())
}

async fn copy_keys(source: &Datastore, into: &Path) -> Result<u64> {
    if copy::keeps_history(source).await? {
        bail!("this server keeps old versions of its rows: what was erased is in them");
    }
    let target = open(into).await?;
    let copied = copy_into(source, &target).await;
    close(target, into).await?;
    copied
}

async fn copy_into(source: &Datastore, target: &Datastore) -> Result<u64> {
    let read = source.transaction(TransactionType::Read).await?;
    KeyspaceVersion::read(&read).await?.check()?;
    let (mut keys, mut version) = (0, None);
    let mut rest = copy::keyspace();
    loop {
        let batch = read.scan_raw(rest.clone(), BATCH, 0, None).await?;
        let Some((last, _)) = batch.last() else { break };
        rest = rest.resume_after(last, Direction::Forward);
        let write = target.transaction(TransactionType::Write).await?;
        for (key, value) in batch {
            match copy::key_role(&key) {
                KeyRole::Data => write.set(key.into(), value).await?,
                KeyRole::Version => version = Some(value),
                KeyRole::Skipped => continue,
            }
            keys += 1;
        }
        write.commit().await?;
    }
    read.cancel().await?;
    // Last: a copy without it is refused by a server.
    let version = version.context("no server has written this folder")?;
    let write = target.transaction(TransactionType::Write).await?;
    write.set(copy::VERSION_KEY.into(), version).await?;
    write.commit().await?;
    let held = target.transaction(TransactionType::Read).await?;
    let found = held.count(copy::keyspace(), None).await?;
    held.cancel().await?;
    ensure!(u64::try_from(found)? == keys, "{found} of {keys} keys arrived");
    Ok(keys)
}

/// Every file and folder, so that the names are not on the disk before what they
/// stand for.
fn sync(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { sync(&path)? } else { File::open(&path)?.sync_all()? }
    }
    Ok(File::open(folder)?.sync_all()?)
}

fn exchange(folder: &Path, beside: &Path) -> Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, folder, CWD, beside, RenameFlags::EXCHANGE)
        .context("the folders did not change places")?;
    let parent = folder.parent().context("a folder has a parent")?;
    Ok(File::open(parent)?.sync_all()?)
}

fn size(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        bytes += if entry.file_type()?.is_dir() { size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}
