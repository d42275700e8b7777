//! What the index alone takes in memory. Measured first, while nothing was let
//! go of that could be used again unseen.

use super::Sheet;
use super::filled::{Births, direction, table};
use crate::texts::sentence;
use anyhow::{Context as _, Result};
use engram_core::port::Embedder as _;
use engram_core::{Codes, Scope, Write};
use engram_index::Index;
use engram_wire::platform;

pub(super) async fn measure(size: usize, sheet: &mut Sheet) -> Result<()> {
    let mut births = Births::new(0);
    // The table unfolds when it is first used.
    direction(sentence(0)).await?;
    let before = own_bytes()?;
    let mut index = Index::default();
    for number in 0..size as u64 {
        let birth = births.birth(&sentence(number), Scope::Project)?;
        if let Some(Write::Create { memory }) = birth.writes.first() {
            index.put(memory);
            let codes = Codes::of(&direction(memory.content.clone()).await?);
            index.put_vector(memory.id, table()?.id(), &codes.context("a text without a direction")?)?;
        }
    }
    let grown = own_bytes()?.saturating_sub(before);
    anyhow::ensure!(index.len() == size);
    let each = format!("{} MB, {} bytes each", grown >> 20, grown / size as u64);
    sheet.alone(format!("memory for the index of {size}, with vectors"), each);
    Ok(())
}

fn own_bytes() -> Result<u64> {
    platform::resident_bytes(std::process::id()).context("the system does not tell")
}
