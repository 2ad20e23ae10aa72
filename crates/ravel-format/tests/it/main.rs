//! Tests of the crate from outside, on files.
#![cfg(test)]

mod any;
mod corpus;
