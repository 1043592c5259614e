//! Why something cannot be done with a class.

use super::settings::SettingsError;
use super::store::StoreError;
use crate::run::RequestError;
use keur_core::adapter::Fault;
use keur_core::case::LibraryError;

/// A reason why something cannot be done with a class.
#[derive(Debug, thiserror::Error)]
pub enum ClassError {
    /// The database cannot be used.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The settings cannot be used.
    #[error("{0}")]
    Settings(#[from] SettingsError),
    /// The exercises or their cases cannot be used.
    #[error("{0}")]
    Cases(#[from] LibraryError),
    /// The machine cannot confine submissions as asked.
    #[error("{0}")]
    Request(#[source] RequestError),
    /// Keur cannot do its work.
    #[error("{0}")]
    Fault(#[from] Fault),
}

impl From<RequestError> for ClassError {
    fn from(error: RequestError) -> ClassError {
        match error {
            RequestError::Library(error) => ClassError::Cases(error),
            tier @ RequestError::Tier(..) => ClassError::Request(tier),
        }
    }
}
