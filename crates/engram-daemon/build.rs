//! Makes the program smaller at the last step, where the linker can.
//!
//! On x86-64 Linux the Rust toolchain links with lld, which folds identical
//! functions and packs the table of relocations; the latter needs glibc 2.36.
//! docs/decisions/0008-build-settings.md says what each is worth. Whoever links
//! with something else sets ENGRAM_PLAIN_LINK.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=ENGRAM_PLAIN_LINK");
    let target = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    let lld = target("OS") == "linux" && target("ARCH") == "x86_64" && target("ENV") == "gnu";
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if !lld || !release || std::env::var_os("ENGRAM_PLAIN_LINK").is_some() {
        return;
    }
    println!("cargo:rustc-link-arg-bins=-Wl,--icf=all");
    if glibc_packs_relocations() {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

fn glibc_packs_relocations() -> bool {
    let Ok(output) = Command::new("getconf").arg("GNU_LIBC_VERSION").output() else { return false };
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.trim().rsplit(' ').next().unwrap_or_default().split('.');
    let mut next = || numbers.next().and_then(|number| number.parse::<u32>().ok()).unwrap_or(0);
    (next(), next()) >= (2, 36)
}
