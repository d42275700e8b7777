//! The window as whoever asks sees it, in front of a desk of canned answers.

mod api;
mod bundle;
mod desk;
mod document;
mod door;
mod stream;
