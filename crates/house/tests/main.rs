//! Tests of a house through its messages and effects.

mod conformance;
mod limits;
mod worker;
