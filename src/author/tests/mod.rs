//! Tests of what the references answer.

mod answers;
