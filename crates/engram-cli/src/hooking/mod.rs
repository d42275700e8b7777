//! Hooks: what an agent tells at its turning points, and what it is told.
//!
//! `input` reads what comes; `answer` writes what an agent understands. Who is
//! asked meanwhile, and for how long, is not known here.

mod answer;
mod input;

pub(crate) use answer::answer_of;
pub(crate) use input::{Input, LONGEST, ends_of};
