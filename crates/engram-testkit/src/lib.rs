//! What tests share: the contract every store keeps, and small makers of memories. Never
//! part of a program that is installed.

pub mod contract;
mod deep;
mod embedder;
mod far;
pub mod make;
pub mod proxy;
mod story;

pub use deep::run;
pub use embedder::FakeEmbedder;
pub use far::{FakeFar, FakeServer, Fault};
pub use story::tell;
