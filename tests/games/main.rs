//! Each game against a naive second formulation of its rules, generator against checker, and incremental state
//! against state computed afresh.

mod alquerque;
mod codenames;
mod pipopipette;
mod quixo;
mod yinyang;
