//! Closed sets of values, each with the name by which files, arguments and reports for programs know it.

/// An enum whose variants have a name each; [`named!`](crate::named!) implements it.
pub trait Named: Copy + 'static {
    /// Every value, in the order in which help texts and errors list them.
    const ALL: &'static [Self];
    /// The names of [`Named::ALL`], in the same order.
    const NAMES: &'static [&'static str];

    /// The name of this value.
    fn name(self) -> &'static str;

    /// The value with this name.
    fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).map(|index| Self::ALL[index])
    }
}

/// Implements [`Named`](crate::named::Named) for an enum. An enum with a variant that is not named here does
/// not compile.
#[macro_export]
macro_rules! named {
    ($type:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $crate::named::Named for $type {
            const ALL: &'static [$type] = &[$($type::$variant),+];
            const NAMES: &'static [&'static str] = &[$($name),+];

            fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),+
                }
            }
        }
    };
}
