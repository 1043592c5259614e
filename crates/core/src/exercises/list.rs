//! The list of the built-in exercises.

/// Gives the macro `$each` an entry for every built-in exercise: its folder, and its trait for a submission
/// in Rust.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_exercise {
    ($each:ident) => {
        $each! {
            codenames: Codenames,
            quixo: Quixo,
            yinyang: YinYang,
            pipopipette: Pipopipette,
            alquerque: Alquerque,
        }
    };
}
pub(crate) use for_each_exercise;
