//! What an exercise declares in C.

use super::signature::Signature;
use super::structure::Structure;

/// The structs and functions that an exercise declares in C.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations {
    /// The structs, each after those that it has as fields.
    pub(crate) structs: Vec<Structure>,
    /// The functions.
    pub(crate) functions: Vec<Signature>,
    /// The text of each in the exercise.
    pub texts: Vec<String>,
}

impl Declarations {
    /// Whether nothing is declared.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The same declarations, where submissions have other names for the functions.
    #[must_use]
    pub fn spelled(&self, spell: impl Fn(&str) -> String) -> Declarations {
        let mut spelled = self.clone();
        for function in &mut spelled.functions {
            function.name = spell(&function.name);
        }
        spelled
    }
}
