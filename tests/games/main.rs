//! Each game against a naive second formulation of its rules, generator against checker, and incremental state
//! against state computed afresh.

mod alquerque;
mod alquerque_endgames;
mod alquerque_proofs;
mod codenames;
mod pipopipette;
mod quixo;
mod yinyang;
