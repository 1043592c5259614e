//! Why something cannot be done with a class.

use super::settings::SettingsError;
use super::store::StoreError;
use crate::run::RequestError;
use keur_core::case::LibraryError;
use std::fmt;

/// Why something cannot be done with a class.
#[derive(Debug)]
pub enum ClassError {
    /// The database cannot be used.
    Store(StoreError),
    /// The settings cannot be used.
    Settings(SettingsError),
    /// The exercises or their cases cannot be used.
    Cases(LibraryError),
    /// This machine cannot confine submissions as asked.
    Request(RequestError),
    /// Keur cannot do its work: what, where, and what to do.
    Fault(String),
}

impl fmt::Display for ClassError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClassError::Store(error) => error.fmt(f),
            ClassError::Settings(error) => error.fmt(f),
            ClassError::Cases(error) => error.fmt(f),
            ClassError::Request(error) => error.fmt(f),
            ClassError::Fault(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for ClassError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ClassError::Store(error) => Some(error),
            ClassError::Settings(error) => Some(error),
            ClassError::Cases(error) => Some(error),
            ClassError::Request(error) => Some(error),
            ClassError::Fault(_) => None,
        }
    }
}

impl From<StoreError> for ClassError {
    fn from(error: StoreError) -> ClassError {
        ClassError::Store(error)
    }
}

impl From<SettingsError> for ClassError {
    fn from(error: SettingsError) -> ClassError {
        ClassError::Settings(error)
    }
}

impl From<LibraryError> for ClassError {
    fn from(error: LibraryError) -> ClassError {
        ClassError::Cases(error)
    }
}

impl From<RequestError> for ClassError {
    fn from(error: RequestError) -> ClassError {
        match error {
            RequestError::Library(error) => ClassError::Cases(error),
            tier @ RequestError::Tier(..) => ClassError::Request(tier),
        }
    }
}
