//! The gate's decisions, one by one.
